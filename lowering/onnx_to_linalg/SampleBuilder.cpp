//===- SampleBuilder.cpp - Reading tensors between their elements ----------===//
#include "lowering/onnx_to_linalg/SampleBuilder.h"
#include "lowering/onnx_to_linalg/ContractionBuilder.h"
#include "lowering/onnx_to_linalg/IndexMath.h"
#include "lowering/support/FloatCasts.h"

using namespace mlir;
using onnxc::onnx::Scalar;

namespace onnxc {

Value buildSample(OpBuilder &builder, Location loc, Value tensor, SmallVector<Value> indices,
                  ArrayRef<SampledDim> sampled, Type weightType, bool isUnsigned) {
  if (sampled.empty()) {
    Value element = tensor::ExtractOp::create(builder, loc, tensor, indices);
    if (!weightType)
      return element;
    Value wide = convertFloat(builder, loc, element, computeType(element.getType()));
    return onnx::convert(Scalar(builder, loc, wide, isUnsigned), weightType, false);
  }
  const SampledDim &first = sampled.front();
  Value sum;
  for (const SampleTap &tap : first.taps) {
    indices[first.dim] = tap.index;
    Value term =
        buildSample(builder, loc, tensor, indices, sampled.drop_front(), weightType, isUnsigned);
    if (tap.inside)
      term = arith::SelectOp::create(builder, loc, tap.inside, term,
                                     zeroOf(builder, loc, term.getType()));
    if (tap.weight)
      term = arith::MulFOp::create(builder, loc, term, tap.weight);
    sum = sum ? Value(arith::AddFOp::create(builder, loc, sum, term)) : term;
  }
  return sum;
}

Value toIndex(Scalar position, Value size) {
  OpBuilder &builder = position.getBuilder();
  Location loc = position.getLoc();
  constexpr double mostElements = int64_t(1) << 62;
  // Written so that a NaN takes the bound: its conversion would be undefined.
  Scalar low = select(position > 0.0, position, 0.0);
  Scalar finite = select(low < mostElements, low, mostElements);
  Value integer = arith::FPToSIOp::create(builder, loc, builder.getI64Type(), finite);
  Value index = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), integer);
  IndexMath math(builder, loc);
  return math.clamp(index, math.constant(0), math.sub(size, math.constant(1)));
}

Scalar isInside(Scalar position, Scalar size) {
  return (position >= 0.0) & (position <= size - 1.0);
}

Scalar toFloat(Scalar like, Value index) {
  OpBuilder &builder = like.getBuilder();
  Value integer =
      builder.createOrFold<arith::IndexCastOp>(like.getLoc(), builder.getI64Type(), index);
  return like.with(builder.createOrFold<arith::SIToFPOp>(like.getLoc(), like.type(), integer));
}

Scalar cubicWeight(Scalar distance, double a) {
  Scalar x = abs(distance);
  Scalar near = ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0;
  Scalar far = ((a * x - 5.0 * a) * x + 8.0 * a) * x - 4.0 * a;
  return select(x <= 1.0, near, select(x < 2.0, far, 0.0));
}

SmallVector<SampleTap> linearTaps(Scalar x, Value size) {
  Scalar base = floor(x), length = toFloat(x, size);
  Scalar ratio = x - base, next = base + 1.0;
  return {{toIndex(base, size), 1.0 - ratio, isInside(base, length)},
          {toIndex(next, size), ratio, isInside(next, length)}};
}

} // namespace onnxc
