//===- LowerHost.cpp - The host function becomes plan and body --------------===//
//
// Tensors become pointers into inputs, outputs, weights and the workspace;
// launches become slot arrays and calls into the thread pool. The names and
// signatures of what is built here are the contract in docs/architecture.md.
//
//===----------------------------------------------------------------------===//
#include "dialects/onnx/DimExpr.h"
#include "dialects/rt/RtDialect.h"
#include "lowering/Passes.h"
#include "lowering/emit/Buffer.h"
#include "lowering/kernels/TensorSizes.h"
#include "lowering/memory/HostBuffers.h"
#include "lowering/onnx_to_linalg/LoweringUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace onnxc {
#define GEN_PASS_DEF_LOWERHOST
#include "lowering/Passes.h.inc"
} // namespace onnxc

using namespace onnxc;
using namespace onnxc::emit;

namespace {

/// onnxc_status values that compiled code returns itself.
constexpr int32_t statusShapeMismatch = 3, statusNoMemory = 8;
constexpr int64_t alignment = 64;
/// sizeof(onnxc_view) and the offsets of its fields, see onnxc_runtime.h.
constexpr int64_t viewBytes = 40, viewDims = 8, viewSize = 16, viewRank = 24, viewDtype = 28,
                  viewKind = 32;

/// onnx.TensorProto.DataType of a lowered element type.
int32_t dataType(Type type) {
  return llvm::TypeSwitch<Type, int32_t>(type)
      .Case([](Float32Type) { return 1; })
      .Case([](Float64Type) { return 11; })
      .Case([](Float16Type) { return 10; })
      .Case([](BFloat16Type) { return 16; })
      .Case([](Float8E4M3FNType) { return 17; })
      .Case([](Float8E4M3FNUZType) { return 18; })
      .Case([](Float8E5M2Type) { return 19; })
      .Case([](Float8E5M2FNUZType) { return 20; })
      .Case([](IntegerType integer) {
        switch (integer.getWidth()) {
        case 1: return 9;
        case 8: return 3;
        case 16: return 5;
        case 32: return 6;
        default: return 7;
        }
      })
      .Default([](Type) { return 8; });
}

/// The names of all ONNX nodes in a location, each once.
std::string nodeNames(Location loc) {
  SmallVector<StringRef> names;
  loc->walk([&](Location inner) {
    if (auto named = dyn_cast<NameLoc>(inner)) {
      if (!llvm::is_contained(names, named.getName().getValue()))
        names.push_back(named.getName().getValue());
      // The op type below it is no name of a node.
      return WalkResult::skip();
    }
    return WalkResult::advance();
  });
  return llvm::join(names, ",");
}

class HostLowering {
public:
  HostLowering(func::FuncOp function, HostBuffers &buffers)
      : function(function), buffers(buffers), module(function->getParentOfType<ModuleOp>()),
        builder(function.getContext()), loc(function.getLoc()),
        pointerType(LLVM::LLVMPointerType::get(function.getContext())) {}

  LogicalResult emitPlan();
  LogicalResult emitBody();

private:
  void emitEntry();
  // Entry of both functions.
  void begin(StringRef name, unsigned pointers);
  void loadSymbols(Value symbols);
  Value mapPlanned(Value value);
  OpFoldResult mapPlanned(OpFoldResult size);
  OpFoldResult bytesOf(ArrayRef<OpFoldResult> sizes, Type elementType,
                       function_ref<OpFoldResult(OpFoldResult)> map);
  void placeSlots();
  std::optional<Value> plannedDim(onnx::DimExpr dim);

  // The body.
  LogicalResult emitBlock(Block &block);
  LogicalResult emitOp(Operation &op);
  LogicalResult emitLaunch(rt::LaunchOp op);
  LogicalResult emitCall(rt::CallOp op);
  LogicalResult emitIf(scf::IfOp op);
  LogicalResult emitFor(scf::ForOp op);
  LogicalResult emitWhile(scf::WhileOp op);
  Value pointerTo(unsigned id);
  SmallVector<Value> startCarried(ValueRange inits, ValueRange arguments,
                                  SmallVectorImpl<Value> &scalars);
  SmallVector<Value> endTurn(Operation *yield, ArrayRef<Value> pointers);
  LogicalResult emitReturn(func::ReturnOp op);
  LogicalResult emitInsertSlice(tensor::InsertSliceOp op);
  void emitCheck(rt::CheckOp op);
  void emitFail(Value failed, int32_t status, StringRef message, Value found, Value expected);
  Value mapTensor(Value tensor);
  OpFoldResult map(OpFoldResult size);
  Buffer bufferOf(Value tensor);
  Value storagePointer(unsigned id);
  void checkBytes(ArrayRef<OpFoldResult> sizes, Type elementType, Location at);
  Value allocateHeap(Storage &storage, OpFoldResult bytes, Location at);
  void copyTensor(Value target, Value source, Value tensor);
  Value field(Value base, int64_t offset) {
    return offsetPointer(builder, loc, base, builder.getI8Type(), getIndex(builder, offset));
  }
  Value loadPointer(Value base, int64_t index) {
    return LLVM::LoadOp::create(builder, loc, pointerType,
                                offsetPointer(builder, loc, base, builder.getI64Type(),
                                              getIndex(builder, index)));
  }
  void storeI64(Value value, Value pointer) { LLVM::StoreOp::create(builder, loc, value, pointer); }
  Value toI64(OpFoldResult value) {
    return arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                      asValue(builder, loc, value));
  }
  Value constantI32(int32_t value) {
    return arith::ConstantIntOp::create(builder, loc, value, 32);
  }
  Value constantI64(int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, value, 64);
  }
  Value stackBytes(int64_t bytes);
  Value text(StringRef string);
  func::FuncOp runtimeFunction(StringRef name, TypeRange arguments, TypeRange results);
  void exitIf(Value status);
  void nameNode(Value status, StringRef node);

  func::FuncOp function;
  HostBuffers &buffers;
  ModuleOp module;
  OpBuilder builder;
  Location loc;
  Type pointerType;
  func::FuncOp target;
  IRMapping mapping;
  llvm::StringMap<Value> symbolValues;
  SmallVector<Value> slotOffsets;
  Value workspaceBytes;
  Value outputDims, workspace, weights, context, outputs, inputs;
  Value launchSlots, heapSlots;
  SmallVector<Value> storagePointers;
};

/// Leaves the function with the status when it is not 0 (LowerExits).
void HostLowering::exitIf(Value status) { rt::ExitOp::create(builder, loc, status); }

void HostLowering::begin(StringRef name, unsigned pointers) {
  builder.setInsertionPoint(function);
  SmallVector<Type> arguments(pointers, pointerType);
  target = func::FuncOp::create(builder, loc, name,
                                builder.getFunctionType(arguments, builder.getI32Type()));
  builder.setInsertionPointToStart(target.addEntryBlock());
  mapping = IRMapping();
  symbolValues.clear();
  slotOffsets.clear();
  loadSymbols(target.getArgument(0));
}

void HostLowering::loadSymbols(Value symbols) {
  auto names = function->getAttrOfType<ArrayAttr>("rt.symbols");
  if (!names)
    return;
  for (auto [i, name] : llvm::enumerate(names)) {
    Value slot = offsetPointer(builder, loc, symbols, builder.getI64Type(), getIndex(builder, i));
    symbolValues[cast<StringAttr>(name).getValue()] =
        loadFrom(builder, loc, slot, builder.getIndexType());
  }
}

/// Clones index arithmetic over input symbols to the entry.
Value HostLowering::mapPlanned(Value value) {
  if (Value mapped = mapping.lookupOrNull(value))
    return mapped;
  Operation *op = value.getDefiningOp();
  if (auto symbol = dyn_cast<rt::SymbolOp>(op)) {
    Value known = symbolValues.lookup(symbol.getSymbol());
    mapping.map(value, known);
    return known;
  }
  for (Value operand : op->getOperands())
    mapPlanned(operand);
  builder.clone(*op, mapping);
  return mapping.lookup(value);
}

OpFoldResult HostLowering::mapPlanned(OpFoldResult size) {
  return getConstant(size) ? size : OpFoldResult(mapPlanned(cast<Value>(size)));
}

OpFoldResult HostLowering::bytesOf(ArrayRef<OpFoldResult> sizes, Type elementType,
                                   function_ref<OpFoldResult(OpFoldResult)> map) {
  OpFoldResult bytes = getIndex(builder, elementBytes(elementType));
  for (OpFoldResult size : sizes)
    bytes = mulIndex(builder, loc, bytes, map(size));
  return bytes;
}

/// Offsets of the slots behind the static part, each as large as its largest
/// tenant, and the size of it all.
void HostLowering::placeSlots() {
  OpFoldResult offset = getIndex(builder, buffers.staticBytes);
  for (ArrayRef<unsigned> tenants : buffers.slots) {
    slotOffsets.push_back(asValue(builder, loc, offset));
    OpFoldResult bytes = getIndex(builder, 0);
    SmallVector<OpFoldResult> seen;
    for (unsigned id : tenants) {
      Storage &storage = buffers.storage(id);
      OpFoldResult own = bytesOf(storage.sizes, storage.elementType,
                                 [&](OpFoldResult size) { return mapPlanned(size); });
      if (llvm::is_contained(seen, own))
        continue;
      seen.push_back(own);
      bytes = maxIndex(builder, loc, bytes, own);
    }
    OpFoldResult lines = ceilDivIndex(builder, loc, bytes, getIndex(builder, alignment));
    offset = addIndex(builder, loc, offset,
                      mulIndex(builder, loc, lines, getIndex(builder, alignment)));
  }
  workspaceBytes = asValue(builder, loc, offset);
}

/// The value of a dim when the input symbols give it.
std::optional<Value> HostLowering::plannedDim(onnx::DimExpr dim) {
  bool known = true;
  dim.forEachSymbol([&](StringRef name) { known &= symbolValues.contains(name); });
  if (!known)
    return std::nullopt;
  return mapPlanned(materializeIndex(builder, loc, dim));
}

LogicalResult HostLowering::emitPlan() {
  begin("onnxc_plan", 3);
  placeSlots();
  storeI64(toI64(workspaceBytes), target.getArgument(2));
  unsigned next = 0;
  auto results = function->getAttrOfType<ArrayAttr>("rt.result_dims");
  for (Attribute dims : results ? results : builder.getArrayAttr({})) {
    for (Attribute attribute : cast<ArrayAttr>(dims)) {
      std::optional<Value> value = plannedDim(onnx::DimExpr::fromAttribute(attribute));
      Value slot = offsetPointer(builder, loc, target.getArgument(1), builder.getI64Type(),
                                 getIndex(builder, next++));
      storeI64(value ? toI64(*value) : constantI64(-1), slot);
    }
  }
  func::ReturnOp::create(builder, loc, constantI32(0));
  return success();
}

Value HostLowering::stackBytes(int64_t bytes) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&target.getBody().front());
  Value count = constantI64(std::max<int64_t>(bytes, 8));
  return LLVM::AllocaOp::create(builder, loc, pointerType, builder.getI8Type(), count, 16);
}

/// A NUL-terminated private string.
Value HostLowering::text(StringRef string) {
  std::string zeroTerminated = string.str() + '\0';
  std::string name;
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    for (auto global : module.getOps<LLVM::GlobalOp>())
      if (auto value = dyn_cast_or_null<StringAttr>(global.getValueAttr());
          value && value.getValue() == zeroTerminated)
        name = global.getSymName().str();
    if (name.empty()) {
      static constexpr StringLiteral prefix = "onnxc_text_";
      name = (prefix + Twine(std::distance(module.getOps<LLVM::GlobalOp>().begin(),
                                           module.getOps<LLVM::GlobalOp>().end()))).str();
      auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), zeroTerminated.size());
      LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true, LLVM::Linkage::Private, name,
                             builder.getStringAttr(zeroTerminated));
    }
  }
  return LLVM::AddressOfOp::create(builder, loc, pointerType, name);
}

func::FuncOp HostLowering::runtimeFunction(StringRef name, TypeRange arguments, TypeRange results) {
  if (auto existing = module.lookupSymbol<func::FuncOp>(name))
    return existing;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  auto declared = func::FuncOp::create(builder, loc, name, builder.getFunctionType(arguments, results));
  declared.setPrivate();
  return declared;
}

/// i32 @onnxc_body(...): makes the table of heap blocks, runs the steps, and
/// releases what they left in the table, whether they failed or not.
void HostLowering::emitEntry() {
  constexpr unsigned numArguments = 7, contextArgument = 6;
  builder.setInsertionPoint(function);
  auto entry = func::FuncOp::create(
      builder, loc, "onnxc_body",
      builder.getFunctionType(SmallVector<Type>(numArguments, pointerType), builder.getI32Type()));
  target = entry;
  builder.setInsertionPointToStart(entry.addEntryBlock());
  SmallVector<Value> arguments(entry.getArguments());
  Value table = stackBytes(8 * buffers.numHeapSlots);
  for (unsigned i = 0; i < buffers.numHeapSlots; ++i)
    storeI64(constantI64(0), field(table, 8 * i));
  arguments.push_back(table);
  Value status =
      func::CallOp::create(builder, loc, "onnxc_steps", builder.getI32Type(), arguments).getResult(0);
  for (unsigned i = 0; i < buffers.numHeapSlots; ++i) {
    auto release = runtimeFunction("onnxc_rt_free", {pointerType, pointerType}, {});
    Value block = LLVM::LoadOp::create(builder, loc, pointerType, field(table, 8 * i));
    func::CallOp::create(builder, loc, release, ValueRange{arguments[contextArgument], block});
  }
  func::ReturnOp::create(builder, loc, status);
}

LogicalResult HostLowering::emitBody() {
  emitEntry();
  begin("onnxc_steps", 8);
  target.setPrivate();
  inputs = target.getArgument(1);
  outputs = target.getArgument(2);
  outputDims = target.getArgument(3);
  workspace = target.getArgument(4);
  weights = target.getArgument(5);
  context = target.getArgument(6);
  heapSlots = target.getArgument(7);
  placeSlots();
  int64_t maxSlots = 1;
  function.walk([&](rt::LaunchOp launch) {
    maxSlots = std::max<int64_t>(maxSlots, launch.getInputs().size() + launch.getInits().size());
  });
  launchSlots = stackBytes(8 * maxSlots);
  storagePointers.assign(buffers.numStorages(), Value());
  for (unsigned id = 0; id < buffers.numStorages(); ++id)
    if (buffers.storage(id).kind != Storage::Kind::Heap)
      storagePointers[id] = storagePointer(id);
  for (BlockArgument argument : function.getArguments())
    mapping.map(argument, storagePointers[buffers.storagesOf(argument).front()]);
  return emitBlock(function.getBody().front());
}

Value HostLowering::storagePointer(unsigned id) {
  Storage &storage = buffers.storage(id);
  switch (storage.kind) {
  case Storage::Kind::Input:
    return loadPointer(inputs, storage.index);
  case Storage::Kind::Output:
    return loadPointer(outputs, storage.index);
  case Storage::Kind::Weight:
    return field(weights, storage.offset);
  case Storage::Kind::Arena:
    if (storage.slot >= 0)
      return offsetPointer(builder, loc, workspace, builder.getI8Type(), slotOffsets[storage.slot]);
    return field(workspace, storage.offset);
  case Storage::Kind::Heap:
    break;
  }
  llvm_unreachable("allocated where it is defined");
}

OpFoldResult HostLowering::map(OpFoldResult size) {
  return getConstant(size) ? size : OpFoldResult(mapping.lookup(cast<Value>(size)));
}

Value HostLowering::mapTensor(Value tensor) { return mapping.lookup(tensor); }

Buffer HostLowering::bufferOf(Value tensor) {
  SmallVector<OpFoldResult> sizes;
  SmallVector<OpFoldResult> own = *getTensorSizes(tensor);
  for (OpFoldResult size : own)
    sizes.push_back(map(size));
  return makeDenseBuffer(builder, loc, mapTensor(tensor),
                         cast<RankedTensorType>(tensor.getType()).getElementType(), sizes);
}

/// Fails the call when a tensor of these run-time sizes would be larger than any
/// memory: their product, in 64 bits, may have wrapped.
void HostLowering::checkBytes(ArrayRef<OpFoldResult> sizes, Type elementType, Location at) {
  constexpr double maxBytes = 1ull << 46;
  Type f64 = builder.getF64Type();
  auto constant = [&](double value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getF64FloatAttr(value));
  };
  Value bytes = constant(elementBytes(elementType));
  for (OpFoldResult size : sizes) {
    if (getConstant(size) == 0)
      return;
    Value factor = arith::SIToFPOp::create(builder, loc, f64, toI64(map(size)));
    bytes = arith::MulFOp::create(builder, loc, bytes, factor);
  }
  Value tooLarge = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT, bytes,
                                         constant(maxBytes));
  emitFail(tooLarge, statusNoMemory, nodeName(at) + ": a result is larger than any memory", Value(),
           Value());
}

/// Allocates a heap storage; an earlier block in its slot (from the last turn of
/// a loop) is released first.
Value HostLowering::allocateHeap(Storage &storage, OpFoldResult bytes, Location at) {
  checkBytes(storage.sizes, storage.elementType, at);
  Value slot = field(heapSlots, 8 * storage.index);
  Value old = LLVM::LoadOp::create(builder, loc, pointerType, slot);
  auto release = runtimeFunction("onnxc_rt_free", {pointerType, pointerType}, {});
  func::CallOp::create(builder, loc, release, ValueRange{context, old});
  auto allocate = runtimeFunction("onnxc_rt_alloc", {pointerType, builder.getI64Type()}, pointerType);
  Value fresh = func::CallOp::create(builder, loc, allocate, ValueRange{context, toI64(bytes)}).getResult(0);
  LLVM::StoreOp::create(builder, loc, fresh, slot);
  Value null = LLVM::ZeroOp::create(builder, loc, pointerType);
  Value failed = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, fresh, null);
  emitFail(failed, statusNoMemory, nodeName(at) + ": cannot allocate memory (no allocator, or it failed)",
           Value(), Value());
  return fresh;
}

void HostLowering::emitFail(Value failed, int32_t status, StringRef message, Value found,
                            Value expected) {
  auto fail = runtimeFunction("onnxc_rt_fail",
                              {pointerType, builder.getI32Type(), pointerType, builder.getI64Type(),
                               builder.getI64Type()},
                              builder.getI32Type());
  auto ifOp = scf::IfOp::create(builder, loc, builder.getI32Type(), failed, /*withElse=*/true);
  builder.setInsertionPointToStart(ifOp.thenBlock());
  Value code = func::CallOp::create(builder, loc, fail,
                                    ValueRange{context, constantI32(status), text(message),
                                               found ? toI64(found) : constantI64(0),
                                               expected ? toI64(expected) : constantI64(0)})
                   .getResult(0);
  scf::YieldOp::create(builder, loc, code);
  builder.setInsertionPointToStart(ifOp.elseBlock());
  scf::YieldOp::create(builder, loc, constantI32(0));
  builder.setInsertionPointAfter(ifOp);
  exitIf(ifOp.getResult(0));
}

/// The C functions do not know for which node they work.
void HostLowering::nameNode(Value status, StringRef node) {
  auto failAt = runtimeFunction("onnxc_rt_fail_at", {pointerType, builder.getI32Type(), pointerType},
                                builder.getI32Type());
  Value failed = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, status, constantI32(0));
  auto ifOp = scf::IfOp::create(builder, loc, failed, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(ifOp.thenBlock());
  func::CallOp::create(builder, loc, failAt, ValueRange{context, status, text(node)});
}

void HostLowering::emitCheck(rt::CheckOp op) {
  Value good = mapping.lookup(op.getCondition());
  Value bad = arith::XOrIOp::create(builder, loc, good,
                                    arith::ConstantIntOp::create(builder, loc, 1, 1));
  auto mapOptional = [&](Value value) { return value ? mapping.lookup(value) : Value(); };
  emitFail(bad, statusShapeMismatch, op.getMessage(), mapOptional(op.getFound()),
           mapOptional(op.getExpected()));
}

LogicalResult HostLowering::emitBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(emitOp(op)))
      return failure();
  if (auto ret = dyn_cast<func::ReturnOp>(block.getTerminator()))
    return emitReturn(ret);
  return success();
}

LogicalResult HostLowering::emitOp(Operation &op) {
  loc = op.getLoc();
  if (auto symbol = dyn_cast<rt::SymbolOp>(op)) {
    Value value = symbolValues.lookup(symbol.getSymbol());
    if (!value)
      return op.emitError("symbol '") << symbol.getSymbol() << "' is used before it is bound";
    mapping.map(symbol.getResult(), value);
    return success();
  }
  if (auto bind = dyn_cast<rt::BindOp>(op)) {
    symbolValues[bind.getSymbol()] = mapping.lookup(bind.getValue());
    return success();
  }
  if (auto check = dyn_cast<rt::CheckOp>(op))
    return emitCheck(check), success();
  if (auto launch = dyn_cast<rt::LaunchOp>(op))
    return emitLaunch(launch);
  if (auto call = dyn_cast<rt::CallOp>(op))
    return emitCall(call);
  if (auto ifOp = dyn_cast<scf::IfOp>(op))
    return emitIf(ifOp);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return emitFor(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return emitWhile(loop);
  if (auto slice = dyn_cast<tensor::InsertSliceOp>(op))
    return emitInsertSlice(slice);
  if (auto reshape = dyn_cast<rt::ReshapeOp>(op)) {
    mapping.map(reshape.getResult(), mapTensor(reshape.getSource()));
    return success();
  }
  if (auto cast = dyn_cast<tensor::CastOp>(op)) {
    mapping.map(cast.getResult(), mapTensor(cast.getSource()));
    return success();
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    // Leading-dim slices only: a view at an offset.
    SmallVector<OpFoldResult> at;
    for (OpFoldResult offset : slice.getMixedOffsets())
      at.push_back(map(offset));
    mapping.map(slice.getResult(), elementPointer(builder, loc, bufferOf(slice.getSource()), at));
    return success();
  }
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    SmallVector<OpFoldResult> at;
    for (Value index : extract.getIndices())
      at.push_back(mapping.lookup(index));
    mapping.map(extract.getResult(), load(builder, loc, bufferOf(extract.getTensor()), at));
    return success();
  }
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    FailureOr<SmallVector<OpFoldResult>> sizes = getTensorSizes(dim.getSource());
    if (failed(sizes) || !dim.getConstantIndex())
      return op.emitError("the size of its tensor is not known");
    mapping.map(dim.getResult(), asValue(builder, loc, map((*sizes)[*dim.getConstantIndex()])));
    return success();
  }
  if (auto elements = dyn_cast<tensor::FromElementsOp>(op)) {
    Storage &storage = buffers.storage(buffers.storagesOf(elements).front());
    Value pointer = storagePointers[buffers.storagesOf(elements).front()];
    for (auto [i, element] : llvm::enumerate(elements.getElements()))
      storeTo(builder, loc, mapping.lookup(element),
              offsetPointer(builder, loc, pointer, storage.elementType, getIndex(builder, i)));
    mapping.map(elements.getResult(), pointer);
    return success();
  }
  if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
    ArrayRef<unsigned> ids = buffers.storagesOf(empty);
    if (ids.empty())
      return success();
    Storage &storage = buffers.storage(ids.front());
    Value pointer = storagePointers[ids.front()];
    if (storage.kind == Storage::Kind::Heap)
      pointer = allocateHeap(storage, bytesOf(storage.sizes, storage.elementType,
                                              [&](OpFoldResult size) { return map(size); }), loc);
    mapping.map(empty.getResult(), pointer);
    return success();
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op); constant && isa<TensorType>(constant.getType())) {
    if (constant->use_empty())
      return success();
    mapping.map(constant.getResult(), storagePointers[buffers.storagesOf(constant).front()]);
    return success();
  }
  if (isa<arith::ArithDialect, math::MathDialect>(op.getDialect())) {
    builder.clone(op, mapping);
    return success();
  }
  return op.emitError("cannot be lowered in the host function");
}

LogicalResult HostLowering::emitLaunch(rt::LaunchOp op) {
  unsigned next = 0;
  auto slot = [&]() { return field(launchSlots, 8 * next++); };
  for (OpResult result : op.getResults()) {
    unsigned id = buffers.storagesOf(result).front();
    Storage &storage = buffers.storage(id);
    Value pointer = storagePointers[id];
    if (storage.kind == Storage::Kind::Heap)
      pointer = allocateHeap(storage, bytesOf(storage.sizes, storage.elementType,
                                              [&](OpFoldResult size) { return map(size); }), loc);
    mapping.map(result, pointer);
  }
  for (Value input : op.getInputs()) {
    Value value = mapping.lookup(input);
    if (value.getType() == pointerType)
      LLVM::StoreOp::create(builder, loc, value, slot());
    else
      storeTo(builder, loc, value, slot());
  }
  for (OpResult result : op.getResults())
    LLVM::StoreOp::create(builder, loc, mapping.lookup(result), slot());
  std::string kernel = op.getKernel().str();
  auto tasks = module.lookupSymbol<func::FuncOp>(kernel + ".tasks");
  auto task = module.lookupSymbol<func::FuncOp>(kernel + ".task");
  if (!tasks || !task)
    return op.emitError("kernel '") << kernel << "' has not been emitted";
  Value count = func::CallOp::create(builder, loc, tasks, ValueRange{launchSlots}).getResult(0);
  Value function = func::ConstantOp::create(builder, loc, task.getFunctionType(), task.getSymName());
  Value address = UnrealizedConversionCastOp::create(builder, loc, pointerType, function).getResult(0);
  auto parallel = runtimeFunction("onnxc_rt_parallel_for",
                                  {pointerType, builder.getI64Type(), pointerType, pointerType}, {});
  // The profiler's hooks; one test of a pointer each when there is none.
  SmallVector<Value> profiled{context, text(kernel), text(nodeNames(op.getLoc()))};
  Type types[] = {pointerType, pointerType, pointerType};
  func::CallOp::create(builder, loc, runtimeFunction("onnxc_rt_profile_begin", types, {}), profiled);
  func::CallOp::create(builder, loc, parallel, ValueRange{context, count, address, launchSlots});
  func::CallOp::create(builder, loc, runtimeFunction("onnxc_rt_profile_end", types, {}), profiled);
  return success();
}

/// Builds views on the stack, calls the C function, reads back what it
/// allocated.
LogicalResult HostLowering::emitCall(rt::CallOp op) {
  auto fillView = [&](Value view, Value dims, Value pointer, Type type,
                      std::optional<SmallVector<OpFoldResult>> sizes) {
    auto tensor = cast<RankedTensorType>(type);
    LLVM::StoreOp::create(builder, loc, pointer, view);
    LLVM::StoreOp::create(builder, loc, dims, field(view, viewDims));
    storeI64(constantI64(0), field(view, viewKind));
    LLVM::StoreOp::create(builder, loc, constantI32(tensor.getRank()), field(view, viewRank));
    LLVM::StoreOp::create(builder, loc, constantI32(dataType(tensor.getElementType())),
                          field(view, viewDtype));
    OpFoldResult bytes = getIndex(builder, elementBytes(tensor.getElementType()));
    for (int64_t k = 0; k < tensor.getRank(); ++k) {
      OpFoldResult size = sizes ? (*sizes)[k] : OpFoldResult(getIndex(builder, 0));
      storeI64(toI64(size), field(dims, 8 * k));
      bytes = mulIndex(builder, loc, bytes, size);
    }
    storeI64(toI64(bytes), field(view, viewSize));
  };
  auto mappedSizes = [&](Value tensor) -> std::optional<SmallVector<OpFoldResult>> {
    FailureOr<SmallVector<OpFoldResult>> sizes = getTensorSizes(tensor);
    if (failed(sizes))
      return std::nullopt;
    return llvm::map_to_vector(*sizes, [&](OpFoldResult size) { return map(size); });
  };
  unsigned numInputs = op.getInputs().size(), numOutputs = op.getOutputs().size();
  Value inputViews = stackBytes(viewBytes * numInputs);
  Value outputViews = stackBytes(viewBytes * numOutputs);
  for (auto [i, input] : llvm::enumerate(op.getInputs())) {
    std::optional<SmallVector<OpFoldResult>> sizes = mappedSizes(input);
    if (!sizes)
      return op.emitError("the sizes of input ") << i << " are not known";
    Value dims = stackBytes(8 * cast<RankedTensorType>(input.getType()).getRank());
    fillView(field(inputViews, viewBytes * i), dims, mapTensor(input), input.getType(), sizes);
  }
  SmallVector<Value> outputDimArrays;
  for (auto [i, output] : llvm::enumerate(op.getOutputs())) {
    unsigned id = buffers.storagesOf(output).front();
    Storage &storage = buffers.storage(id);
    Value pointer = storagePointers[id];
    bool known = i < op.getInits().size();
    if (known && storage.kind == Storage::Kind::Heap)
      pointer = allocateHeap(storage, bytesOf(storage.sizes, storage.elementType,
                                              [&](OpFoldResult size) { return map(size); }), loc);
    if (!known)
      pointer = LLVM::ZeroOp::create(builder, loc, pointerType);
    Value dims = stackBytes(8 * cast<RankedTensorType>(output.getType()).getRank());
    outputDimArrays.push_back(dims);
    fillView(field(outputViews, viewBytes * i), dims, pointer, output.getType(),
             known ? mappedSizes(op.getInits()[i]) : std::nullopt);
    mapping.map(output, pointer);
  }
  SmallVector<Value> parameters;
  for (int64_t parameter : op.getParameters())
    parameters.push_back(constantI64(parameter));
  for (Value parameter : op.getDynamicParameters())
    parameters.push_back(toI64(mapping.lookup(parameter)));
  Value attributes = stackBytes(8 * parameters.size());
  for (auto [i, parameter] : llvm::enumerate(parameters))
    storeI64(parameter, field(attributes, 8 * i));
  Type i64 = builder.getI64Type();
  auto callee = runtimeFunction(op.getCallee(),
                                {pointerType, pointerType, i64, pointerType, i64, pointerType},
                                builder.getI32Type());
  Value status = func::CallOp::create(builder, loc, callee,
                                      ValueRange{context, inputViews, constantI64(numInputs),
                                                 outputViews, constantI64(numOutputs), attributes})
                     .getResult(0);
  // What was allocated belongs to the slots, also when the call then failed.
  unsigned nextDim = 0;
  for (unsigned i = op.getInits().size(); i < numOutputs; ++i) {
    Storage &storage = buffers.storage(buffers.storagesOf(op.getOutputs()[i]).front());
    Value pointer = LLVM::LoadOp::create(builder, loc, pointerType, field(outputViews, viewBytes * i));
    Value slot = field(heapSlots, 8 * storage.index);
    auto release = runtimeFunction("onnxc_rt_free", {pointerType, pointerType}, {});
    Value old = LLVM::LoadOp::create(builder, loc, pointerType, slot);
    func::CallOp::create(builder, loc, release, ValueRange{context, old});
    LLVM::StoreOp::create(builder, loc, pointer, slot);
    mapping.map(op.getOutputs()[i], pointer);
    for (int64_t k = 0; k < cast<RankedTensorType>(op.getOutputs()[i].getType()).getRank(); ++k)
      if (nextDim < op.getDims().size())
        mapping.map(op.getDims()[nextDim++],
                    loadFrom(builder, loc, field(outputDimArrays[i], 8 * k), builder.getIndexType()));
  }
  nameNode(status, op.getMessage());
  exitIf(status);
  return success();
}

/// Types of what a region op yields: pointers for tensors.
static SmallVector<Type> mappedTypes(TypeRange types, Type pointerType) {
  return llvm::map_to_vector(types, [&](Type type) {
    return isa<TensorType>(type) ? pointerType : type;
  });
}

LogicalResult HostLowering::emitIf(scf::IfOp op) {
  auto created = scf::IfOp::create(builder, loc, mappedTypes(op.getResultTypes(), pointerType),
                                   mapping.lookup(op.getCondition()), !op.getElseRegion().empty());
  llvm::StringMap<Value> outer = symbolValues;
  for (auto [from, to] : llvm::zip_equal(op->getRegions(), created->getRegions())) {
    if (from.empty())
      continue;
    OpBuilder::InsertionGuard guard(builder);
    Block &block = to.front();
    if (!block.empty() && block.back().hasTrait<OpTrait::IsTerminator>())
      block.back().erase();
    builder.setInsertionPointToEnd(&block);
    if (failed(emitBlock(from.front())))
      return failure();
    SmallVector<Value> yielded = llvm::map_to_vector(
        from.front().getTerminator()->getOperands(), [&](Value value) { return mapping.lookup(value); });
    scf::YieldOp::create(builder, loc, yielded);
    symbolValues = outer;
  }
  mapping.map(op.getResults(), created.getResults());
  return success();
}

/// Copies a whole tensor between two places.
void HostLowering::copyTensor(Value target, Value source, Value tensor) {
  if (target == source)
    return;
  SmallVector<OpFoldResult> sizes = *getTensorSizes(tensor);
  OpFoldResult bytes = bytesOf(sizes, cast<RankedTensorType>(tensor.getType()).getElementType(),
                               [&](OpFoldResult size) { return map(size); });
  LLVM::MemmoveOp::create(builder, loc, target, source, toI64(bytes), /*isVolatile=*/false);
}

/// The storages of what a loop carries, filled with the initial values; null for
/// scalars, which are appended to `scalars`.
SmallVector<Value> HostLowering::startCarried(ValueRange inits, ValueRange arguments,
                                              SmallVectorImpl<Value> &scalars) {
  SmallVector<Value> pointers;
  for (auto [init, argument] : llvm::zip_equal(inits, arguments)) {
    if (!isa<TensorType>(init.getType())) {
      scalars.push_back(mapping.lookup(init));
      pointers.push_back(Value());
      continue;
    }
    unsigned id = buffers.storagesOf(argument).front();
    Value pointer = pointerTo(id);
    if (!init.getDefiningOp<tensor::EmptyOp>())
      copyTensor(pointer, mapTensor(init), init);
    mapping.map(argument, pointer);
    pointers.push_back(pointer);
  }
  return pointers;
}

/// The memory of a storage: allocated here when its size depends on data.
Value HostLowering::pointerTo(unsigned id) {
  Storage &storage = buffers.storage(id);
  if (storage.kind != Storage::Kind::Heap)
    return storagePointers[id];
  return allocateHeap(storage,
                      bytesOf(storage.sizes, storage.elementType,
                              [&](OpFoldResult size) { return map(size); }),
                      loc);
}

/// Ends a turn of a loop: copies tensors to where they are carried and returns
/// the scalars. Those that change places go through scratch memory.
SmallVector<Value> HostLowering::endTurn(Operation *yield, ArrayRef<Value> pointers) {
  SmallVector<Value> scalars, sources;
  for (auto [i, value] : llvm::enumerate(yield->getOperands())) {
    sources.push_back(pointers[i] ? mapTensor(value) : Value());
    if (!pointers[i])
      scalars.push_back(mapping.lookup(value));
    int scratch = buffers.scratchFor(yield, i);
    if (scratch < 0)
      continue;
    Value saved = pointerTo(scratch);
    copyTensor(saved, sources.back(), value);
    sources.back() = saved;
  }
  for (auto [i, value] : llvm::enumerate(yield->getOperands()))
    if (pointers[i])
      copyTensor(pointers[i], sources[i], value);
  return scalars;
}

LogicalResult HostLowering::emitFor(scf::ForOp op) {
  SmallVector<Value> inits;
  SmallVector<Value> pointers = startCarried(op.getInitArgs(), op.getRegionIterArgs(), inits);
  auto created = scf::ForOp::create(builder, loc, mapping.lookup(op.getLowerBound()),
                                    mapping.lookup(op.getUpperBound()),
                                    mapping.lookup(op.getStep()), inits);
  mapping.map(op.getInductionVar(), created.getInductionVar());
  unsigned next = 0;
  for (auto [pointer, argument] : llvm::zip_equal(pointers, op.getRegionIterArgs()))
    if (!pointer)
      mapping.map(argument, created.getRegionIterArgs()[next++]);
  llvm::StringMap<Value> outer = symbolValues;
  {
    OpBuilder::InsertionGuard guard(builder);
    if (!created.getBody()->empty())
      created.getBody()->back().erase();
    builder.setInsertionPointToEnd(created.getBody());
    if (failed(emitBlock(*op.getBody())))
      return failure();
    scf::YieldOp::create(builder, loc, endTurn(op.getBody()->getTerminator(), pointers));
  }
  symbolValues = outer;
  next = 0;
  for (auto [pointer, result] : llvm::zip_equal(pointers, op.getResults()))
    mapping.map(result, pointer ? pointer : created.getResult(next++));
  return success();
}

LogicalResult HostLowering::emitWhile(scf::WhileOp op) {
  SmallVector<Value> inits;
  SmallVector<Value> pointers = startCarried(op.getInits(), op.getBeforeArguments(), inits);
  SmallVector<Type> initTypes(ValueRange(inits).getTypes());
  SmallVector<Type> resultTypes = mappedTypes(op.getResultTypes(), pointerType);
  auto created = scf::WhileOp::create(builder, loc, resultTypes, inits);
  llvm::StringMap<Value> outer = symbolValues;
  OpBuilder::InsertionGuard guard(builder);

  Block *before = builder.createBlock(&created.getBefore(), {}, initTypes,
                                      SmallVector<Location>(initTypes.size(), loc));
  unsigned next = 0;
  for (auto [pointer, argument] : llvm::zip_equal(pointers, op.getBeforeArguments()))
    if (!pointer)
      mapping.map(argument, before->getArgument(next++));
  if (failed(emitBlock(*op.getBeforeBody())))
    return failure();
  SmallVector<Value> forwarded;
  for (Value value : op.getConditionOp().getArgs())
    forwarded.push_back(isa<TensorType>(value.getType()) ? mapTensor(value)
                                                         : mapping.lookup(value));
  scf::ConditionOp::create(builder, loc, mapping.lookup(op.getConditionOp().getCondition()),
                           forwarded);

  Block *after = builder.createBlock(&created.getAfter(), {}, resultTypes,
                                     SmallVector<Location>(resultTypes.size(), loc));
  mapping.map(op.getAfterArguments(), after->getArguments());
  if (failed(emitBlock(*op.getAfterBody())))
    return failure();
  scf::YieldOp::create(builder, loc, endTurn(op.getYieldOp(), pointers));
  symbolValues = outer;
  mapping.map(op.getResults(), created.getResults());
  builder.setInsertionPointAfter(created);
  return success();
}

/// Writes a contiguous slice (only the leading dim is cut) in place.
LogicalResult HostLowering::emitInsertSlice(tensor::InsertSliceOp op) {
  Buffer target = bufferOf(op.getDest());
  SmallVector<OpFoldResult> at;
  for (OpFoldResult offset : op.getMixedOffsets())
    at.push_back(map(offset));
  copyTensor(elementPointer(builder, loc, target, at), mapTensor(op.getSource()), op.getSource());
  mapping.map(op.getResult(), target.pointer);
  return success();
}

LogicalResult HostLowering::emitReturn(func::ReturnOp op) {
  auto results = function->getAttrOfType<ArrayAttr>("rt.result_dims");
  unsigned nextDim = 0;
  for (auto [i, value] : llvm::enumerate(op.getOperands())) {
    FailureOr<SmallVector<OpFoldResult>> sizes = getTensorSizes(value);
    if (failed(sizes))
      return op.emitError("the sizes of output ") << i << " are not known";
    bool planned = true;
    if (results)
      for (Attribute dim : cast<ArrayAttr>(results[i]))
        onnx::DimExpr::fromAttribute(dim).forEachSymbol(
            [&](StringRef name) { planned &= buffers.inputSymbols.contains(name); });
    ArrayRef<unsigned> ids = buffers.storagesOf(value);
    bool inPlace = ids.size() == 1 && buffers.storage(ids.front()).kind == Storage::Kind::Output &&
                   buffers.storage(ids.front()).index == i;
    Value pointer;
    if (planned) {
      pointer = loadPointer(outputs, i);
    } else {
      // Known only now: the hook's memory, which the caller then owns.
      Type element = cast<RankedTensorType>(value.getType()).getElementType();
      OpFoldResult bytes =
          bytesOf(*sizes, element, [&](OpFoldResult size) { return map(size); });
      checkBytes(*sizes, element, value.getLoc());
      auto allocate = runtimeFunction("onnxc_rt_alloc", {pointerType, builder.getI64Type()}, pointerType);
      pointer = func::CallOp::create(builder, loc, allocate, ValueRange{context, toI64(bytes)}).getResult(0);
      Value null = LLVM::ZeroOp::create(builder, loc, pointerType);
      Value missing = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, pointer, null);
      emitFail(missing, statusNoMemory,
               "output " + std::to_string(i) + ": cannot allocate memory (no allocator, or it failed)",
               Value(), Value());
      LLVM::StoreOp::create(builder, loc, pointer,
                            offsetPointer(builder, loc, outputs, builder.getI64Type(), getIndex(builder, i)));
    }
    if (!inPlace)
      copyTensor(pointer, mapTensor(value), value);
    for (OpFoldResult size : *sizes)
      storeI64(toI64(map(size)), offsetPointer(builder, loc, outputDims, builder.getI64Type(),
                                               getIndex(builder, nextDim++)));
  }
  func::ReturnOp::create(builder, loc, constantI32(0));
  return success();
}

struct LowerHost : onnxc::impl::LowerHostBase<LowerHost> {
  using Base::Base;
  void runOnOperation() override {
    auto function = getOperation().lookupSymbol<func::FuncOp>("main");
    if (!function)
      return;
    FailureOr<HostBuffers> buffers = HostBuffers::analyze(function);
    if (failed(buffers))
      return signalPassFailure();
    HostLowering lowering(function, *buffers);
    if (failed(lowering.emitPlan()) || failed(lowering.emitBody()))
      return signalPassFailure();
    writeWeights(*buffers);
    Builder builder(&getContext());
    getOperation()->setAttr("rt.live_bytes", builder.getI64IntegerAttr(buffers->liveBytes));
    function.erase();
  }

  /// The constants and their offsets, for whoever writes the weights.
  void writeWeights(HostBuffers &buffers) {
    Builder builder(&getContext());
    SmallVector<Attribute> constants;
    SmallVector<int64_t> offsets;
    for (unsigned i = 0; i < buffers.numStorages(); ++i) {
      Storage &storage = buffers.storage(i);
      if (storage.kind != Storage::Kind::Weight)
        continue;
      constants.push_back(storage.constant);
      offsets.push_back(storage.offset);
    }
    getOperation()->setAttr("rt.weights", builder.getArrayAttr(constants));
    getOperation()->setAttr("rt.weight_offsets", builder.getDenseI64ArrayAttr(offsets));
    getOperation()->setAttr("rt.weights_bytes", builder.getI64IntegerAttr(buffers.weightsBytes));
  }
};

} // namespace
