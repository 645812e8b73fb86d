//===- WindowBuilder.cpp - What convolutions and pools share ---------------===//
#include "lowering/onnx_to_linalg/WindowBuilder.h"
#include "lowering/onnx_to_linalg/IndexMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using onnxc::onnx::DimExpr;

namespace onnxc {

AffineExpr windowExpr(AffineExpr output, AffineExpr tap, const onnx::WindowAxis &axis) {
  return output * axis.stride + tap * axis.dilation;
}

SizedTensor permuteTensor(OpBuilder &builder, Location loc, const SizedTensor &tensor,
                          ArrayRef<int64_t> perm) {
  SmallVector<DimExpr> dims = applyPermutation(ArrayRef(tensor.dims), perm);
  SmallVector<int64_t> moved;
  for (int64_t position : perm)
    if (tensor.dims[position].getConstant() != 1)
      moved.push_back(position);
  if (llvm::is_sorted(moved))
    return {reshapeTo(builder, loc, tensor, dims), dims};
  MLIRContext *context = builder.getContext();
  Value init = emptyTensor(builder, loc, dims, getElementTypeOrSelf(tensor.tensor.getType()));
  SmallVector<AffineExpr> exprs(perm.size());
  for (auto [i, position] : llvm::enumerate(perm))
    exprs[position] = getAffineDimExpr(i, context);
  SmallVector<AffineMap> maps = {AffineMap::get(perm.size(), 0, exprs, context),
                                 builder.getMultiDimIdentityMap(perm.size())};
  SmallVector<utils::IteratorType> iterators(perm.size(), utils::IteratorType::parallel);
  auto body = [](OpBuilder &builder, Location loc, ValueRange args) {
    linalg::YieldOp::create(builder, loc, args[0]);
  };
  Value result = linalg::GenericOp::create(builder, loc, init.getType(), tensor.tensor, init, maps,
                                           iterators, body)
                     .getResult(0);
  return {result, dims};
}

/// The place in the unpadded image along one dim, kept inside it, and whether
/// the padded position is inside.
static std::pair<Value, Value> unpaddedIndex(OpBuilder &builder, Location loc, Value index,
                                             Value begin, Value size) {
  IndexMath math(builder, loc);
  Value position = math.sub(index, begin);
  Value inside = math.compare(arith::CmpIPredicate::ult, position, size);
  // Element 0 of an empty image, which there is to read.
  return {math.clamp(position, math.constant(0), math.sub(size, math.constant(1))), inside};
}

SizedTensor padImage(OpBuilder &builder, Location loc, const SizedTensor &image,
                     ArrayRef<onnx::WindowAxis> axes, bool channelsLast, ScalarSource padding) {
  SmallVector<DimExpr> dims = image.dims;
  unsigned first = firstSpatialDim(channelsLast);
  bool changed = false;
  for (auto [i, axis] : llvm::enumerate(axes)) {
    dims[first + i] = axis.input + axis.padBegin + axis.reachBeyondEnd();
    changed |= axis.padBegin.getConstant() != 0 || axis.reachBeyondEnd().getConstant() != 0;
  }
  if (!changed)
    return image;
  SmallVector<DimExpr> read, windows;
  for (const onnx::WindowAxis &axis : axes) {
    read.push_back(axis.input);
    windows.push_back(axis.output);
  }
  checkNotEmpty(builder, loc, read, /*first=*/2, windows, emptyImage);
  Value init = emptyTensor(builder, loc, dims, getElementTypeOrSelf(image.tensor.getType()));
  SmallVector<Value> begins, sizes;
  for (const onnx::WindowAxis &axis : axes) {
    begins.push_back(materializeIndex(builder, loc, axis.padBegin));
    sizes.push_back(materializeIndex(builder, loc, axis.input));
  }
  auto body = [&](OpBuilder &builder, Location loc, ValueRange) {
    SmallVector<Value> indices;
    for (size_t i = 0; i < dims.size(); ++i)
      indices.push_back(linalg::IndexOp::create(builder, loc, i));
    Value inside;
    for (size_t i = 0; i < axes.size(); ++i) {
      if (dims[first + i] == image.dims[first + i] && axes[i].padBegin.getConstant() == 0)
        continue;
      auto [index, within] = unpaddedIndex(builder, loc, indices[first + i], begins[i], sizes[i]);
      indices[first + i] = index;
      inside = inside ? Value(arith::AndIOp::create(builder, loc, inside, within)) : within;
    }
    Value element = tensor::ExtractOp::create(builder, loc, image.tensor, indices);
    Value value = arith::SelectOp::create(builder, loc, inside, element, padding(builder, loc));
    linalg::YieldOp::create(builder, loc, value);
  };
  SmallVector<AffineMap> maps = {builder.getMultiDimIdentityMap(dims.size())};
  SmallVector<utils::IteratorType> iterators(dims.size(), utils::IteratorType::parallel);
  Value result = linalg::GenericOp::create(builder, loc, init.getType(), ValueRange(), init, maps,
                                           iterators, body)
                     .getResult(0);
  return {result, dims};
}

} // namespace onnxc
