//===- OnnxToLinalg.cpp - The pass that lowers onnx to linalg --------------===//
#include "lowering/onnx_to_linalg/OnnxToLinalg.h"
#include "dialects/onnx/OnnxOps.h"
#include "lowering/Passes.h"
#include "lowering/onnx_to_linalg/LoweringUtils.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"

using namespace mlir;

namespace onnxc {
#define GEN_PASS_DEF_LOWERONNXTOLINALG
#include "lowering/Passes.h.inc"
} // namespace onnxc

using namespace onnxc;

namespace {

/// The attribute of a constant with the lowered type.
TypedAttr lowerElements(ElementsAttr value) {
  auto type = cast<ShapedType>(lowerType(value.getShapedType()));
  if (type == value.getShapedType())
    return cast<TypedAttr>(value);
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
    return DenseResourceElementsAttr::get(type, resource.getRawHandle());
  return cast<DenseElementsAttr>(value).bitcast(type.getElementType());
}

/// onnx.Constant  ->  arith.constant
struct ConstantLowering : OpConversionPattern<onnx::ConstantOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::ConstantOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, lowerElements(op.getValue()));
    return success();
  }
};

/// onnx.Dims ["n", 3]  ->  tensor.from_elements of the sizes as integers
struct DimsLowering : OpConversionPattern<onnx::DimsOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::DimsOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(lowerType(op.getType()));
    SmallVector<Value> elements;
    for (Attribute attribute : op.getDims()) {
      Value index =
          materializeIndex(rewriter, op.getLoc(), onnx::DimExpr::fromAttribute(attribute));
      elements.push_back(
          arith::IndexCastOp::create(rewriter, op.getLoc(), type.getElementType(), index));
    }
    rewriter.replaceOpWithNewOp<tensor::FromElementsOp>(op, type, elements);
    return success();
  }
};

struct LowerOnnxToLinalg : onnxc::impl::LowerOnnxToLinalgBase<LowerOnnxToLinalg> {
  using Base::Base;

  void runOnOperation() override {
    MLIRContext *context = &getContext();
    TypeConverter converter;
    converter.addConversion(lowerType);
    auto castTo = [](OpBuilder &builder, Type type, ValueRange inputs, Location loc) -> Value {
      return UnrealizedConversionCastOp::create(builder, loc, type, inputs).getResult(0);
    };
    converter.addSourceMaterialization(castTo);
    converter.addTargetMaterialization(castTo);

    ConversionTarget target(*context);
    target.addIllegalDialect<onnx::OnnxDialect>();
    target.addLegalOp<ModuleOp>();
    target.addLegalDialect<linalg::LinalgDialect, tensor::TensorDialect, arith::ArithDialect,
                           math::MathDialect, rt::RtDialect>();
    target.addDynamicallyLegalOp<func::FuncOp>([&](func::FuncOp op) {
      return converter.isSignatureLegal(op.getFunctionType()) && converter.isLegal(&op.getBody());
    });
    target.addDynamicallyLegalOp<func::ReturnOp>(
        [&](func::ReturnOp op) { return converter.isLegal(op.getOperandTypes()); });

    RewritePatternSet patterns(context);
    patterns.add<ConstantLowering, DimsLowering>(converter, context);
    populateContractionPatterns(converter, patterns);
    populateConvolutionPatterns(converter, patterns);
    populateElementwisePatterns(converter, patterns);
    populateQuantizationPatterns(converter, patterns);
    populateWindowPatterns(converter, patterns);
    populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns, converter);
    populateReturnOpTypeConversionPattern(patterns, converter);
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns, target);
    if (failed(applyFullConversion(getOperation(), target, std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
