//===- Elementwise.cpp - Element-wise ops to linalg.generic ----------------===//
#include "dialects/onnx/OnnxOps.h"
#include "lowering/onnx_to_linalg/LoweringUtils.h"
#include "lowering/onnx_to_linalg/OnnxToLinalg.h"

using namespace mlir;
using namespace onnxc;
using onnx::DimExpr;

namespace {

/// How an operand is read at a point of the result's iteration space.
struct BroadcastAccess {
  AffineMap map;
  /// Dims that are 1 or the result's size, which only the run knows.
  SmallVector<unsigned> uncertainDims;
};

BroadcastAccess broadcastAccess(MLIRContext *context, ArrayRef<DimExpr> dims,
                                ArrayRef<DimExpr> resultDims) {
  BroadcastAccess access;
  SmallVector<AffineExpr> exprs;
  unsigned offset = resultDims.size() - dims.size();
  for (auto [i, dim] : llvm::enumerate(dims)) {
    bool stretched = dim.getConstant() == 1 && resultDims[offset + i].getConstant() != 1;
    exprs.push_back(stretched ? getAffineConstantExpr(0, context)
                              : getAffineDimExpr(offset + i, context));
    if (!stretched && dim != resultDims[offset + i])
      access.uncertainDims.push_back(i);
  }
  access.map = AffineMap::get(resultDims.size(), 0, exprs, context);
  return access;
}

/// Reads an operand that may or may not be stretched: index 0 where its dim is
/// 1. That the dims fit has been checked before.
Value extractStretched(OpBuilder &builder, Location loc, Value tensor,
                       ArrayRef<Value> sizes, const BroadcastAccess &access) {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  SmallVector<Value> indices;
  for (auto [i, expr] : llvm::enumerate(access.map.getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim) {
      indices.push_back(zero);
      continue;
    }
    Value index = linalg::IndexOp::create(builder, loc, dim.getPosition());
    if (llvm::is_contained(access.uncertainDims, i)) {
      Value isOne = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, sizes[i], one);
      index = arith::SelectOp::create(builder, loc, isOne, zero, index);
    }
    indices.push_back(index);
  }
  return tensor::ExtractOp::create(builder, loc, tensor, indices);
}

/// Run-time checks that each uncertain dim is 1 or the result's size.
void checkBroadcast(OpBuilder &builder, Location loc, const BroadcastAccess &access,
                    ArrayRef<DimExpr> dims, ArrayRef<DimExpr> resultDims) {
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  for (unsigned i : access.uncertainDims) {
    Value size = materializeIndex(builder, loc, dims[i]);
    Value wanted = materializeIndex(builder, loc, resultDims[resultDims.size() - dims.size() + i]);
    Value isOne = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, size, one);
    Value fits = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, size, wanted);
    Value good = arith::OrIOp::create(builder, loc, isOne, fits);
    rt::CheckOp::create(builder, loc, good,
                        nodeName(loc) + ": cannot broadcast dim " + std::to_string(i), size, wanted);
  }
}

} // namespace

Value onnxc::buildElementwise(OpBuilder &builder, Location loc, ArrayRef<SizedTensor> operands,
                              ArrayRef<DimExpr> resultDims, Type resultElement,
                              ScalarBodyBuilder buildScalar) {
  MLIRContext *context = builder.getContext();
  Value init = emptyTensor(builder, loc, resultDims, resultElement);
  SmallVector<BroadcastAccess> accesses;
  SmallVector<Value> inputs;
  SmallVector<SmallVector<Value>> stretchedSizes(operands.size());
  SmallVector<AffineMap> maps;
  for (auto [i, operand] : llvm::enumerate(operands)) {
    accesses.push_back(broadcastAccess(context, operand.dims, resultDims));
    if (accesses.back().uncertainDims.empty()) {
      inputs.push_back(operand.tensor);
      maps.push_back(accesses.back().map);
      continue;
    }
    for (DimExpr dim : operand.dims)
      stretchedSizes[i].push_back(materializeIndex(builder, loc, dim));
    checkBroadcast(builder, loc, accesses.back(), operand.dims, resultDims);
  }
  maps.push_back(builder.getMultiDimIdentityMap(resultDims.size()));
  SmallVector<utils::IteratorType> iterators(resultDims.size(), utils::IteratorType::parallel);

  auto body = [&](OpBuilder &builder, Location loc, ValueRange blockArgs) {
    SmallVector<Value> args;
    unsigned next = 0;
    for (auto [i, operand] : llvm::enumerate(operands)) {
      Value arg =
          accesses[i].uncertainDims.empty()
              ? Value(blockArgs[next++])
              : extractStretched(builder, loc, operand.tensor, stretchedSizes[i], accesses[i]);
      args.push_back(convertFloat(builder, loc, arg, computeType(arg.getType())));
    }
    Value result = buildScalar(builder, loc, args);
    Type storage = cast<RankedTensorType>(init.getType()).getElementType();
    linalg::YieldOp::create(builder, loc, convertFloat(builder, loc, result, storage));
  };
  return linalg::GenericOp::create(builder, loc, init.getType(), inputs, init, maps, iterators,
                                   body)
      .getResult(0);
}

namespace {

/// %r = onnx.Add(%a, %b)  ->  linalg.generic with arith.addf
struct ScalarBodyLowering : OpInterfaceConversionPattern<onnx::ScalarBodyOpInterface> {
  using OpInterfaceConversionPattern::OpInterfaceConversionPattern;

  LogicalResult matchAndRewrite(onnx::ScalarBodyOpInterface op, ArrayRef<Value> operands,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<SizedTensor> inputs;
    for (auto [operand, original] : llvm::zip_equal(operands, op->getOperands()))
      inputs.push_back({operand, onnx::getDims(original.getType())});
    Type resultType = op->getResult(0).getType();
    auto buildScalar = [&](OpBuilder &builder, Location loc, ValueRange args) {
      return op.buildScalar(builder, loc, args);
    };
    rewriter.replaceOp(op, buildElementwise(rewriter, op->getLoc(), inputs,
                                            onnx::getDims(resultType),
                                            getElementTypeOrSelf(resultType), buildScalar));
    return success();
  }
};

} // namespace

void onnxc::populateElementwisePatterns(TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ScalarBodyLowering>(converter, patterns.getContext());
}
