//===- Elementwise.cpp - Element-wise ops to linalg.generic ----------------===//
#include "dialects/onnx/OnnxOps.h"
#include "lowering/onnx_to_linalg/LoweringUtils.h"
#include "lowering/onnx_to_linalg/OnnxToLinalg.h"
#include "lowering/onnx_to_linalg/RuntimeCalls.h"

#include "lowering/support/FloatCasts.h"
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
Value extractStretched(OpBuilder &builder, Location loc, Value tensor, ArrayRef<Value> sizes,
                       const BroadcastAccess &access) {
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
    DimExpr result = resultDims[resultDims.size() - dims.size() + i];
    Value size = materializeIndex(builder, loc, dims[i]);
    Value wanted = materializeIndex(builder, loc, result);
    Value isOne = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, size, one);
    Value fits = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, size, wanted);
    Value good = arith::OrIOp::create(builder, loc, isOne, fits);
    rt::CheckOp::create(builder, loc, good,
                        nodeName(loc) + ": cannot broadcast dim " + std::to_string(i) + ", '" +
                            dims[i].str() + "', to '" + result.str() + "'",
                        size, wanted);
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

/// Whether the values of a type are scalars that arith ops compute on, or at
/// least move.
bool isScalarType(Type type) { return type.isIntOrFloat() || isa<ComplexType>(type); }

/// The one element of a small constant whose elements are all equal; nothing
/// for other values.
TypedAttr splatElement(Value value) {
  auto constant = value.getDefiningOp<onnx::ConstantOp>();
  auto elements = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : nullptr;
  if (!elements || !elements.isSplat() || !elements.getElementType().isIntOrFloat())
    return {};
  if (auto floats = dyn_cast<FloatType>(elements.getElementType()))
    return FloatAttr::get(floats, elements.getSplatValue<APFloat>());
  return IntegerAttr::get(lowerType(elements.getElementType()), elements.getSplatValue<APInt>());
}

/// Division by an integer 0 has no value: the kernel, which must not trap, gives 0,
/// so the divisors are looked through before it runs.
void checkDivision(OpBuilder &builder, onnx::ScalarBodyOpInterface op, ArrayRef<Value> operands) {
  Value divisor = op.getIntegerDivisor();
  for (auto [original, lowered] : llvm::zip_equal(op->getOperands(), operands))
    if (divisor && original == divisor)
      return checkDivisors(builder, op->getLoc(), original, lowered);
}

/// %r = onnx.Add(%a, %b)  ->  linalg.generic with arith.addf
///
/// A splat constant becomes a constant in the body, so that formulas can use
/// its value.
struct ScalarBodyLowering : OpInterfaceConversionPattern<onnx::ScalarBodyOpInterface> {
  using OpInterfaceConversionPattern::OpInterfaceConversionPattern;

  LogicalResult matchAndRewrite(onnx::ScalarBodyOpInterface op, ArrayRef<Value> operands,
                                ConversionPatternRewriter &rewriter) const override {
    if (!llvm::all_of(op->getOperandTypes(),
                      [](Type type) { return isScalarType(getElementTypeOrSelf(type)); }))
      return rewriter.notifyMatchFailure(op, "an operand's elements are no numbers");
    SmallVector<SizedTensor> inputs;
    SmallVector<TypedAttr> constants;
    for (auto [operand, original] : llvm::zip_equal(operands, op->getOperands())) {
      constants.push_back(splatElement(original));
      if (!constants.back())
        inputs.push_back({operand, onnx::getDims(original.getType())});
    }
    auto resultType = cast<RankedTensorType>(op->getResult(0).getType());
    if (!isScalarType(resultType.getElementType()))
      return rewriter.notifyMatchFailure(op, "the result's elements are no numbers");
    checkDivision(rewriter, op, operands);
    auto buildScalar = [&](OpBuilder &builder, Location loc, ValueRange inputArgs) {
      SmallVector<Value> args;
      unsigned next = 0;
      for (TypedAttr constant : constants) {
        if (!constant) {
          args.push_back(inputArgs[next++]);
          continue;
        }
        auto number = dyn_cast<FloatAttr>(constant);
        if (number && number.getType() != computeType(number.getType()))
          constant = FloatAttr::get(computeType(number.getType()), number.getValueAsDouble());
        args.push_back(arith::ConstantOp::create(builder, loc, constant));
      }
      return op.buildScalar(builder, loc, args);
    };
    rewriter.replaceOp(op,
                       buildElementwise(rewriter, op->getLoc(), inputs, onnx::getDims(resultType),
                                        resultType.getElementType(), buildScalar));
    return success();
  }
};

/// The same bits: nothing to do between signed and unsigned integers, else an
/// arith.bitcast of each element as it is stored.
struct BitCastLowering : OpConversionPattern<onnx::BitCastOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(onnx::BitCastOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(lowerType(op.getType()));
    if (type == adaptor.getInput().getType()) {
      rewriter.replaceOp(op, adaptor.getInput());
      return success();
    }
    Type from = getElementTypeOrSelf(adaptor.getInput().getType());
    if (!from.isIntOrFloat() || !type.getElementType().isIntOrFloat())
      return rewriter.notifyMatchFailure(op, "no bitcast of complex numbers");
    Value init = emptyTensor(rewriter, op.getLoc(), op.getType());
    SmallVector<AffineMap> maps(2, rewriter.getMultiDimIdentityMap(type.getRank()));
    SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
    auto body = [&](OpBuilder &builder, Location loc, ValueRange args) {
      onnx::Scalar bits(builder, loc, args[0], /*isUnsigned=*/true);
      // A bool is stored as a byte of 0 or 1.
      Value result = from.isInteger(1) || type.getElementType().isInteger(1)
                         ? onnx::convert(bits, type.getElementType(), true)
                         : onnx::bitcast(bits, type.getElementType());
      linalg::YieldOp::create(builder, loc, result);
    };
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(op, type, adaptor.getInput(), init, maps,
                                                   iterators, body);
    return success();
  }
};

/// Inference mode: the data itself and a mask that is true everywhere.
struct DropoutLowering : OpConversionPattern<onnx::DropoutOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(onnx::DropoutOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op.drops())
      return rewriter.notifyMatchFailure(op, "training mode");
    Value kept = arith::ConstantOp::create(rewriter, op.getLoc(), rewriter.getBoolAttr(true));
    Value mask = filledTensor(rewriter, op.getLoc(), onnx::getDims(op.getData().getType()), kept);
    rewriter.replaceOp(op, {adaptor.getData(), mask});
    return success();
  }
};

} // namespace

void onnxc::populateElementwisePatterns(TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<BitCastLowering, DropoutLowering, ScalarBodyLowering>(converter,
                                                                     patterns.getContext());
}
