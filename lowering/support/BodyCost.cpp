//===- BodyCost.cpp - How much code a body becomes -------------------------===//
#include "lowering/support/BodyCost.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace onnxc {

bool isExpensive(Operation &op) {
  return isa<math::MathDialect>(op.getDialect()) ||
         isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
             tensor::ExtractOp>(op);
}

static int64_t getCost(Operation &op) {
  if (!isExpensive(op))
    return 1;
  if (!isa<math::MathDialect>(op.getDialect()))
    return 8;
  // One instruction on most targets.
  if (isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp, math::FloorOp, math::FmaOp,
          math::RoundEvenOp, math::SqrtOp, math::TruncOp>(op))
    return 2;
  // The functions of activations are polynomials in their own type, others are computed in
  // a wider one.
  return isa<math::ErfOp, math::ExpOp, math::Exp2Op, math::LogOp, math::TanhOp>(op) ? 32 : 128;
}

int64_t getBodyCost(linalg::GenericOp op) {
  int64_t cost = 0;
  for (Operation &body : op.getBody()->without_terminator())
    cost += getCost(body);
  return cost;
}

} // namespace onnxc
