//===- LowerHost.cpp - The host function becomes plan and body --------------===//
#include "lowering/Passes.h"
#include "lowering/host/HostLowering.h"
#include "lowering/support/NodeNames.h"
#include "lowering/support/TensorSizes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace onnxc {
#define GEN_PASS_DEF_LOWERHOST
#include "lowering/Passes.h.inc"
} // namespace onnxc

using namespace onnxc;
using namespace onnxc::emit;

//===----------------------------------------------------------------------===//
// The functions
//===----------------------------------------------------------------------===//

static constexpr StringLiteral planName = "onnxc_plan";

/// Starts a function of `pointers` arguments, the first of which are the symbols.
void HostLowering::begin(StringRef name, unsigned pointers) {
  builder.setInsertionPoint(function);
  SmallVector<Type> arguments(pointers, pointerType);
  target = func::FuncOp::create(builder, loc, name, builder.getFunctionType(arguments, i32Type));
  builder.setInsertionPointToStart(target.addEntryBlock());
  mapping = IRMapping();
  symbolValues.clear();
  plannedSizes.clear();
  head = nullptr;
  slotOffsets.clear();
  loadSymbols(target.getArgument(0));
}

void HostLowering::loadSymbols(Value symbols) {
  auto names = function->getAttrOfType<ArrayAttr>(rt::attributes::symbols);
  if (!names)
    return;
  for (auto [i, name] : llvm::enumerate(names)) {
    Value slot = offsetPointer(builder, loc, symbols, i64Type, getIndex(builder, i));
    Value value = loadFrom(builder, loc, slot, builder.getIndexType());
    symbolValues[cast<StringAttr>(name).getValue()] = value;
    head = value.getDefiningOp();
  }
}

/// Whether the input symbols alone decide a check, and nothing stands before it.
bool HostLowering::isPlanned(rt::CheckOp op) {
  auto planned = [&](Value value) { return !value || buffers.isPlanned(value); };
  return op->getParentOp() == function && planned(op.getCondition()) && planned(op.getFound()) &&
         planned(op.getExpected());
}

void HostLowering::emitPlan() {
  begin(planName, 4);
  context = target.getArgument(3);
  // Checks come first: without them the sizes below mean nothing.
  for (auto check : function.getBody().front().getOps<rt::CheckOp>()) {
    if (!isPlanned(check))
      continue;
    loc = check.getLoc();
    mapPlanned(check.getCondition());
    for (Value number : {check.getFound(), check.getExpected()})
      if (number)
        mapPlanned(number);
    (void)emit(check);
  }
  loc = function.getLoc();
  checkPlannedBytes();
  placeSlots();
  storeI64(toI64(workspaceBytes), target.getArgument(2));
  unsigned next = 0;
  auto results = function->getAttrOfType<ArrayAttr>(rt::attributes::resultDims);
  for (Attribute dims : results ? results : builder.getArrayAttr({})) {
    for (Attribute attribute : cast<ArrayAttr>(dims)) {
      auto dim = onnx::DimExpr::fromAttribute(attribute);
      Value value = buffers.isPlanned(dim) ? valueOf(dim) : Value();
      Value slot =
          offsetPointer(builder, loc, target.getArgument(1), i64Type, getIndex(builder, next++));
      storeI64(value ? toI64(value) : constantI64(-1), slot);
    }
  }
  func::ReturnOp::create(builder, loc, constantI32(ONNXC_OK));
}

/// i32 @onnxc_body(...): makes the table of heap blocks, runs the steps, and
/// releases what they left in the table, whether they failed or not, and the outputs
/// that they allocated when they failed.
void HostLowering::emitEntry() {
  constexpr unsigned numArguments = 7, outputsArgument = 2, contextArgument = 6;
  builder.setInsertionPoint(function);
  SmallVector<Type> types(numArguments, pointerType);
  target =
      func::FuncOp::create(builder, loc, "onnxc_body", builder.getFunctionType(types, i32Type));
  builder.setInsertionPointToStart(target.addEntryBlock());
  SmallVector<Value> arguments(target.getArguments());
  context = arguments[contextArgument];
  heapSlots = stackBytes(target, 8 * buffers.numHeapSlots);
  for (unsigned i = 0; i < buffers.numHeapSlots; ++i)
    storeI64(constantI64(0), heapSlot(i));
  arguments.push_back(heapSlots);
  Value status = func::CallOp::create(builder, loc, "onnxc_steps", i32Type, arguments).getResult(0);
  for (unsigned i = 0; i < buffers.numHeapSlots; ++i)
    callRuntime("onnxc_rt_free", Type(),
                {context, LLVM::LoadOp::create(builder, loc, pointerType, heapSlot(i))});
  releaseOutputs(status, arguments[outputsArgument]);
  func::ReturnOp::create(builder, loc, status);
}

/// When `status` is a failure, gives the hook back the outputs that came from it: the
/// entry of such an output in `pointers` is null until it has been allocated.
void HostLowering::releaseOutputs(Value status, Value pointers) {
  SmallVector<unsigned> allocated;
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    if (!isPlannedOutput(i))
      allocated.push_back(i);
  if (allocated.empty())
    return;
  Value failed =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, status, constantI32(ONNXC_OK));
  auto ifOp = scf::IfOp::create(builder, loc, failed, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(ifOp.thenBlock());
  for (unsigned i : allocated)
    callRuntime("onnxc_rt_free", Type(), {context, loadPointer(pointers, i)});
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
  for (BlockArgument argument : function.getArguments())
    mapping.map(argument, fixedPlace(buffers.storagesOf(argument).front()));
  return success(succeeded(emitBlock(function.getBody().front())) && !isBroken);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

LogicalResult HostLowering::emitBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(emitOp(op)))
      return failure();
  if (auto ret = dyn_cast<func::ReturnOp>(block.getTerminator()))
    return emit(ret);
  return success();
}

LogicalResult HostLowering::emitOp(Operation &op) {
  loc = op.getLoc();
  return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
      .Case<rt::SymbolOp, rt::BindOp, rt::CheckOp, rt::LaunchOp, rt::CallOp, rt::AppendOp,
            rt::ReshapeOp, scf::IfOp, scf::ForOp, scf::WhileOp, tensor::CastOp,
            tensor::InsertSliceOp, tensor::ExtractSliceOp, tensor::ExtractOp, tensor::DimOp,
            tensor::FromElementsOp, tensor::EmptyOp, arith::ConstantOp, arith::SelectOp>(
          [&](auto op) { return emit(op); })
      .Default([&](Operation *op) -> LogicalResult {
        if (!isa<arith::ArithDialect, math::MathDialect>(op->getDialect()))
          return op->emitError("cannot be lowered in the host function");
        builder.clone(*op, mapping);
        return success();
      });
}

LogicalResult HostLowering::emit(rt::SymbolOp op) {
  mapping.map(op.getResult(), valueOf(getDim(op.getContext(), op.getResult())));
  return success(!isBroken);
}

LogicalResult HostLowering::emit(rt::BindOp op) {
  symbolValues[op.getSymbol()] = mapping.lookup(op.getValue());
  return success();
}

LogicalResult HostLowering::emit(rt::CheckOp op) {
  // The plan, which every call begins with, has seen to those that it could.
  if (target.getName() != planName && isPlanned(op))
    return success();
  Value bad = arith::XOrIOp::create(builder, loc, mapping.lookup(op.getCondition()),
                                    arith::ConstantIntOp::create(builder, loc, 1, 1));
  auto mapOptional = [&](Value value) { return value ? mapping.lookup(value) : Value(); };
  fail(bad, static_cast<onnxc_status>(op.getStatus()), op.getMessage(), mapOptional(op.getFound()),
       mapOptional(op.getExpected()));
  return success();
}

/// The same launch on pointers.
LogicalResult HostLowering::emit(rt::LaunchOp op) {
  SmallVector<Value> ins, outs;
  for (OpResult result : op.getResults()) {
    outs.push_back(placeOf(result));
    mapping.map(result, outs.back());
  }
  for (Value input : op.getInputs())
    ins.push_back(mapping.lookup(input));
  rt::LaunchOp::create(builder, loc, TypeRange(), op.getKernelAttr(), ins, outs, context);
  return success();
}

/// Grows the destination when it is full, then copies the row behind the others.
LogicalResult HostLowering::emit(rt::AppendOp op) {
  Storage &storage = buffers.storage(buffers.storagesOf(op.getDest()).front());
  FailureOr<SmallVector<OpFoldResult>> sizes = mappedSizes(op.getRow());
  if (failed(sizes))
    return op.emitError("the sizes of the row are not known");
  Type element = cast<RankedTensorType>(op.getRow().getType()).getElementType();
  checkBytes(*sizes, element);
  Value bytes = toI64(bytesOf(*sizes, element));
  Value count = toI64(mapping.lookup(op.getIndex()));
  Value rows =
      callRuntime("onnxc_rt_grow", pointerType, {context, heapSlot(storage.index), count, bytes});
  checkAllocated(rows, nodeName(loc));
  Value offset = arith::MulIOp::create(builder, loc, count, bytes);
  Value place = LLVM::GEPOp::create(builder, loc, pointerType, builder.getI8Type(), rows,
                                    ArrayRef<LLVM::GEPArg>{offset});
  copyTensor(place, mapping.lookup(op.getRow()), op.getRow());
  mapping.map(op.getResult(), rows);
  return success();
}

LogicalResult HostLowering::emit(rt::ReshapeOp op) {
  mapping.map(op.getResult(), mapping.lookup(op.getSource()));
  return success();
}

LogicalResult HostLowering::emit(tensor::CastOp op) {
  mapping.map(op.getResult(), mapping.lookup(op.getSource()));
  return success();
}

/// Writes a contiguous slice (only the leading dim is cut) in place.
LogicalResult HostLowering::emit(tensor::InsertSliceOp op) {
  Buffer target = bufferOf(op.getDest());
  SmallVector<OpFoldResult> at;
  for (OpFoldResult offset : op.getMixedOffsets())
    at.push_back(map(offset));
  copyTensor(elementPointer(builder, loc, target, at), mapping.lookup(op.getSource()),
             op.getSource());
  mapping.map(op.getResult(), target.pointer);
  return success();
}

/// Leading-dim slices only: a view at an offset.
LogicalResult HostLowering::emit(tensor::ExtractSliceOp op) {
  SmallVector<OpFoldResult> at;
  for (OpFoldResult offset : op.getMixedOffsets())
    at.push_back(map(offset));
  mapping.map(op.getResult(), elementPointer(builder, loc, bufferOf(op.getSource()), at));
  return success();
}

LogicalResult HostLowering::emit(tensor::ExtractOp op) {
  SmallVector<OpFoldResult> at;
  for (Value index : op.getIndices())
    at.push_back(mapping.lookup(index));
  mapping.map(op.getResult(), load(builder, loc, bufferOf(op.getTensor()), at));
  return success();
}

LogicalResult HostLowering::emit(tensor::DimOp op) {
  FailureOr<SmallVector<OpFoldResult>> sizes = mappedSizes(op.getSource());
  if (failed(sizes) || !op.getConstantIndex())
    return op.emitError("the size of its tensor is not known");
  mapping.map(op.getResult(), asValue(builder, loc, (*sizes)[*op.getConstantIndex()]));
  return success();
}

LogicalResult HostLowering::emit(tensor::FromElementsOp op) {
  unsigned id = buffers.storagesOf(op.getResult()).front();
  Value place = fixedPlace(id);
  for (auto [i, element] : llvm::enumerate(op.getElements()))
    storeTo(
        builder, loc, mapping.lookup(element),
        offsetPointer(builder, loc, place, buffers.storage(id).elementType, getIndex(builder, i)));
  mapping.map(op.getResult(), place);
  return success();
}

/// Most are only the inits of launches, which have their own memory.
LogicalResult HostLowering::emit(tensor::EmptyOp op) {
  if (!buffers.storagesOf(op.getResult()).empty())
    mapping.map(op.getResult(), placeOf(op.getResult()));
  return success();
}

LogicalResult HostLowering::emit(arith::ConstantOp op) {
  if (!isa<TensorType>(op.getType()))
    builder.clone(*op, mapping);
  else if (!op->use_empty())
    mapping.map(op.getResult(), fixedPlace(buffers.storagesOf(op.getResult()).front()));
  return success();
}

/// Of scalars, or of the places of two tensors.
LogicalResult HostLowering::emit(arith::SelectOp op) {
  Value chosen = arith::SelectOp::create(builder, loc, mapping.lookup(op.getCondition()),
                                         mapping.lookup(op.getTrueValue()),
                                         mapping.lookup(op.getFalseValue()));
  mapping.map(op.getResult(), chosen);
  return success();
}

/// Does the plan know the sizes of output `index`? The caller then gives its memory.
bool HostLowering::isPlannedOutput(unsigned index) {
  auto results = function->getAttrOfType<ArrayAttr>(rt::attributes::resultDims);
  return !results || llvm::all_of(cast<ArrayAttr>(results[index]), [&](Attribute dim) {
    return buffers.isPlanned(onnx::DimExpr::fromAttribute(dim));
  });
}

LogicalResult HostLowering::emit(func::ReturnOp op) {
  unsigned nextDim = 0;
  for (auto [i, value] : llvm::enumerate(op.getOperands())) {
    FailureOr<SmallVector<OpFoldResult>> sizes = mappedSizes(value);
    if (failed(sizes))
      return op.emitError("the sizes of output ") << i << " are not known";
    bool planned = isPlannedOutput(i);
    ArrayRef<unsigned> ids = buffers.storagesOf(value);
    bool inPlace = ids.size() == 1 && buffers.storage(ids.front()).kind == Storage::Kind::Output &&
                   buffers.storage(ids.front()).index == i;
    Value pointer;
    if (planned) {
      pointer = loadPointer(outputs, i);
    } else {
      // Known only now: the hook's memory, which the caller then owns.
      Type element = cast<RankedTensorType>(value.getType()).getElementType();
      checkBytes(*sizes, element);
      pointer = allocate(bytesOf(*sizes, element), "output " + Twine(i));
      LLVM::StoreOp::create(builder, loc, pointer,
                            offsetPointer(builder, loc, outputs, i64Type, getIndex(builder, i)));
    }
    if (!inPlace)
      copyTensor(pointer, mapping.lookup(value), value);
    for (OpFoldResult size : *sizes)
      storeI64(toI64(size),
               offsetPointer(builder, loc, outputDims, i64Type, getIndex(builder, nextDim++)));
  }
  func::ReturnOp::create(builder, loc, constantI32(ONNXC_OK));
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

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
    lowering.emitPlan();
    if (failed(lowering.emitBody()))
      return signalPassFailure();
    writeWeights(*buffers);
    writeWorkspace(*buffers);
    function.erase();
  }

  /// What the workspace takes at most, where that is known.
  void writeWorkspace(const HostBuffers &buffers) {
    Builder builder(&getContext());
    auto write = [&](StringRef name, std::optional<int64_t> bytes) {
      if (bytes)
        getOperation()->setAttr(name, builder.getI64IntegerAttr(*bytes));
    };
    write(rt::attributes::workspaceBytes, buffers.largestWorkspace);
    write(rt::attributes::liveBytes, buffers.largestLiveSet);
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
    getOperation()->setAttr(rt::attributes::weights, builder.getArrayAttr(constants));
    getOperation()->setAttr(rt::attributes::weightOffsets, builder.getDenseI64ArrayAttr(offsets));
    getOperation()->setAttr(rt::attributes::weightsBytes,
                            builder.getI64IntegerAttr(buffers.weightsBytes));
  }
};

} // namespace
