//===- HostCalls.cpp - rt.call becomes a call on views ----------------------===//
#include "dialects/onnx/ElementTypes.h"
#include "lowering/host/HostLowering.h"

using namespace mlir;
using namespace onnxc;
using namespace onnxc::emit;

namespace {

/// The fields of an onnxc_view, in order. The target's data layout places them.
enum ViewField { data, dims, bytes, rank, dtype, kind, reserved };

Type viewType(MLIRContext *context) {
  static_assert(offsetof(onnxc_view, dims) < offsetof(onnxc_view, bytes) &&
                    offsetof(onnxc_view, bytes) < offsetof(onnxc_view, rank) &&
                    offsetof(onnxc_view, rank) < offsetof(onnxc_view, dtype) &&
                    offsetof(onnxc_view, dtype) < offsetof(onnxc_view, kind) &&
                    offsetof(onnxc_view, kind) < offsetof(onnxc_view, reserved) &&
                    sizeof(onnxc_view) == offsetof(onnxc_view, reserved) + 4,
                "ViewField lists other fields than onnxc_runtime.h");
  Type pointer = LLVM::LLVMPointerType::get(context);
  Type i64 = IntegerType::get(context, 64), i32 = IntegerType::get(context, 32);
  return LLVM::LLVMStructType::getLiteral(context, {pointer, pointer, i64, i32, i32, i32, i32});
}

} // namespace

Value HostLowering::viewField(Value views, unsigned view, unsigned number) {
  return LLVM::GEPOp::create(
      builder, loc, pointerType, viewType(builder.getContext()), views,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(view), static_cast<int32_t>(number)});
}

/// An array of views on the stack. An empty list of sizes leaves zeros, for
/// outputs that the callee allocates.
Value HostLowering::makeViews(ArrayRef<Value> pointers, ArrayRef<Value> dimArrays, TypeRange types,
                              ArrayRef<SmallVector<OpFoldResult>> sizes) {
  Value views = stackBytes(target, sizeof(onnxc_view) * pointers.size());
  for (auto [i, pointer] : llvm::enumerate(pointers)) {
    auto tensor = cast<RankedTensorType>(types[i]);
    auto store = [&, i = i](Value value, ViewField number) {
      LLVM::StoreOp::create(builder, loc, value, viewField(views, i, number));
    };
    store(pointer, ViewField::data);
    store(dimArrays[i], ViewField::dims);
    store(constantI32(tensor.getRank()), ViewField::rank);
    store(constantI32(onnx::dataTypeOf(tensor.getElementType())), ViewField::dtype);
    store(constantI32(ONNXC_TENSOR), ViewField::kind);
    store(constantI32(0), ViewField::reserved);
    SmallVector<OpFoldResult> own = sizes[i];
    own.resize(tensor.getRank(), getIndex(builder, 0));
    for (auto [k, size] : llvm::enumerate(own))
      storeI64(toI64(size), field(dimArrays[i], 8 * k));
    store(toI64(bytesOf(own, tensor.getElementType())), ViewField::bytes);
  }
  return views;
}

/// Builds views on the stack, calls the C function, reads back what it
/// allocated.
LogicalResult HostLowering::emit(rt::CallOp op) {
  auto dimArray = [&](Type type) {
    return stackBytes(target, 8 * cast<RankedTensorType>(type).getRank());
  };
  SmallVector<Value> pointers, inputDims;
  SmallVector<SmallVector<OpFoldResult>> sizes;
  for (auto [i, input] : llvm::enumerate(op.getInputs())) {
    FailureOr<SmallVector<OpFoldResult>> known = mappedSizes(input);
    if (failed(known))
      return op.emitError("the sizes of input ") << i << " are not known";
    pointers.push_back(mapping.lookup(input));
    inputDims.push_back(dimArray(input.getType()));
    sizes.push_back(*known);
  }
  Value inputViews = makeViews(pointers, inputDims, op.getInputs().getTypes(), sizes);

  SmallVector<Value> outputDims;
  pointers.clear();
  sizes.clear();
  size_t numKnown = op.getInits().size(), numOutputs = op.getOutputs().size();
  for (auto [i, output] : llvm::enumerate(op.getOutputs())) {
    bool isKnown = i < numKnown;
    Value pointer = isKnown ? placeOf(output) : LLVM::ZeroOp::create(builder, loc, pointerType);
    pointers.push_back(pointer);
    outputDims.push_back(dimArray(output.getType()));
    sizes.push_back(isKnown ? *mappedSizes(op.getInits()[i]) : SmallVector<OpFoldResult>());
    mapping.map(output, pointer);
  }
  Value outputViews = makeViews(pointers, outputDims, op.getOutputs().getTypes(), sizes);

  SmallVector<Value> parameters;
  for (int64_t parameter : op.getParameters())
    parameters.push_back(constantI64(parameter));
  for (Value parameter : op.getDynamicParameters())
    parameters.push_back(toI64(mapping.lookup(parameter)));
  Value attributes = stackBytes(target, 8 * parameters.size());
  for (auto [i, parameter] : llvm::enumerate(parameters))
    storeI64(parameter, field(attributes, 8 * i));
  Value status = callRuntime(op.getCallee(), i32Type,
                             {context, inputViews, constantI64(op.getInputs().size()), outputViews,
                              constantI64(numOutputs), attributes});

  // What was allocated belongs to the slots, also when the call then failed.
  ResultRange sizeResults = op.getDims();
  for (size_t i = numKnown; i < numOutputs; ++i) {
    Value output = op.getOutputs()[i];
    adopt(output, LLVM::LoadOp::create(builder, loc, pointerType,
                                       viewField(outputViews, i, ViewField::data)));
    int64_t rank = cast<RankedTensorType>(output.getType()).getRank();
    for (auto [k, size] : llvm::enumerate(sizeResults.take_front(rank)))
      mapping.map(size,
                  loadFrom(builder, loc, field(outputDims[i], 8 * k), builder.getIndexType()));
    sizeResults = sizeResults.drop_front(std::min<size_t>(rank, sizeResults.size()));
  }
  nameNode(status, op.getMessage());
  exitIf(status);
  return success();
}

/// Takes over a block that a callee has allocated for `output`.
void HostLowering::adopt(Value output, Value pointer) {
  unsigned index = buffers.storage(buffers.storagesOf(output).front()).index;
  releaseHeap(index);
  LLVM::StoreOp::create(builder, loc, pointer, heapSlot(index));
  mapping.map(output, pointer);
}

/// The C functions do not know for which node they work.
void HostLowering::nameNode(Value status, StringRef node) {
  Value failed =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, status, constantI32(ONNXC_OK));
  auto ifOp = scf::IfOp::create(builder, loc, failed, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(ifOp.thenBlock());
  callRuntime("onnxc_rt_fail_at", i32Type, {context, status, text(node)});
}
