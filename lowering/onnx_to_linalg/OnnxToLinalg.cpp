//===- OnnxToLinalg.cpp - The pass that lowers onnx to linalg --------------===//
#include "lowering/onnx_to_linalg/OnnxToLinalg.h"
#include "dialects/onnx/OnnxOps.h"
#include "dialects/rt/RtAttention.h"
#include "lowering/Passes.h"
#include "lowering/onnx_to_linalg/AttentionPatterns.h"
#include "lowering/onnx_to_linalg/LoweringUtils.h"
#include "lowering/support/CheckOrder.h"
#include "lowering/support/Origins.h"
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

/// What the types of the main function say about sizes, which lowered types no
/// longer hold.
struct Signature {
  SmallVector<SmallVector<onnx::DimExpr>> arguments, results;

  explicit Signature(func::FuncOp function) {
    auto dimsOf = [](Type type) {
      return isa<RankedTensorType>(type) ? onnx::getDims(type) : SmallVector<onnx::DimExpr>();
    };
    for (Type type : function.getArgumentTypes())
      arguments.push_back(dimsOf(type));
    for (Type type : function.getResultTypes())
      results.push_back(dimsOf(type));
  }

  /// Keeps the symbols in the descriptor's order, the results' dims, and states
  /// the sizes of the arguments at the head of the body.
  void write(func::FuncOp function) {
    OpBuilder builder(function.getContext());
    function->setAttr(rt::attributes::symbols, symbolNames(function, builder));
    SmallVector<Attribute> resultDims;
    for (ArrayRef<onnx::DimExpr> dims : results)
      resultDims.push_back(builder.getArrayAttr(
          llvm::map_to_vector(dims, [](onnx::DimExpr dim) { return dim.getAttribute(); })));
    function->setAttr(rt::attributes::resultDims, builder.getArrayAttr(resultDims));

    builder.setInsertionPointToStart(&function.getBody().front());
    for (auto [argument, dims] : llvm::zip_equal(function.getArguments(), arguments)) {
      auto type = dyn_cast<RankedTensorType>(argument.getType());
      if (!type || type.hasStaticShape())
        continue;
      SmallVector<Value> sizes;
      for (onnx::DimExpr dim : dims)
        if (!dim.isConstant())
          sizes.push_back(materializeIndex(builder, argument.getLoc(), dim));
      auto reshape = rt::ReshapeOp::create(builder, argument.getLoc(), type, argument, sizes);
      argument.replaceAllUsesExcept(reshape.getResult(), reshape);
    }
  }

private:
  ArrayAttr symbolNames(func::FuncOp function, Builder builder) {
    SmallVector<Attribute> names;
    // The importer's order, which the descriptor has too.
    if (auto pairs = function->getParentOp()->getAttrOfType<ArrayAttr>("onnx.symbols")) {
      for (Attribute pair : pairs)
        names.push_back(cast<ArrayAttr>(pair)[0]);
      return builder.getArrayAttr(names);
    }
    for (ArrayRef<onnx::DimExpr> dims : arguments)
      for (onnx::DimExpr dim : dims)
        dim.forEachSymbol([&](StringRef name) {
          if (!llvm::is_contained(names, builder.getStringAttr(name)))
            names.push_back(builder.getStringAttr(name));
        });
    return builder.getArrayAttr(names);
  }
};

} // namespace

void onnxc::populateOnnxToLinalgPatterns(TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ConstantLowering, DimsLowering>(converter, patterns.getContext());
  populateAttentionPatterns(converter, patterns);
  populateContractionPatterns(converter, patterns);
  populateControlFlowPatterns(converter, patterns);
  populateConvTransposePatterns(converter, patterns);
  populateConvolutionPatterns(converter, patterns);
  populateCumulativePatterns(converter, patterns);
  populateEinsumPatterns(converter, patterns);
  populateElementwisePatterns(converter, patterns);
  populateGeneratorPatterns(converter, patterns);
  populateIndexingPatterns(converter, patterns);
  populateIrregularPatterns(converter, patterns);
  populateLossPatterns(converter, patterns);
  populateMovementPatterns(converter, patterns);
  populateNormalizationPatterns(converter, patterns);
  populatePaddingPatterns(converter, patterns);
  populateQuantizationPatterns(converter, patterns);
  populateRecurrentPatterns(converter, patterns);
  populateReductionPatterns(converter, patterns);
  populateResizePatterns(converter, patterns);
  populateSamplingPatterns(converter, patterns);
  populateViewPatterns(converter, patterns);
  populateWindowPatterns(converter, patterns);
}

namespace {

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
    target.addLegalOp<ModuleOp>();
    target.addLegalDialect<linalg::LinalgDialect, tensor::TensorDialect, arith::ArithDialect,
                           math::MathDialect, rt::RtDialect>();
    target.addDynamicallyLegalOp<func::FuncOp>([&](func::FuncOp op) {
      return converter.isSignatureLegal(op.getFunctionType()) && converter.isLegal(&op.getBody());
    });
    target.addDynamicallyLegalOp<func::ReturnOp>(
        [&](func::ReturnOp op) { return converter.isLegal(op.getOperandTypes()); });

    RewritePatternSet patterns(context);
    populateOnnxToLinalgPatterns(converter, patterns);
    populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns, converter);
    populateReturnOpTypeConversionPattern(patterns, converter);
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns, target);
    auto main = getOperation().lookupSymbol<func::FuncOp>("main");
    int64_t origin = 0;
    getOperation().walk([&](Operation *op) {
      if (isa_and_nonnull<onnx::OnnxDialect>(op->getDialect()))
        op->setLoc(withOrigin(op->getLoc(), origin++));
    });
    std::optional<Signature> signature;
    if (main) {
      signature.emplace(main);
      checkSizes(main);
    }
    // Partial, so that all the ops that nothing lowers are reported, not the first.
    // A lowering that refuses an op says why itself.
    llvm::DenseSet<Location> reported;
    LogicalResult converted = failure();
    {
      ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
          reported.insert(diagnostic.getLocation());
        return failure();
      });
      converted = applyPartialConversion(getOperation(), target, std::move(patterns));
    }
    if (failed(converted) || failed(checkAllLowered(reported)) || failed(checkWholeBytes()))
      return signalPassFailure();
    getOperation().walk(hoistSymbol);
    getOperation().walk(putChecksFirst);
    if (signature)
      signature->write(main);
  }

private:
  /// Functions of the runtime take elements of whole bytes, and a row that the host cuts
  /// or appends begins with a byte.
  LogicalResult checkWholeBytes() {
    bool all = true;
    getOperation().walk([&](Operation *op) {
      if (!isa<rt::CallOp, rt::AppendOp, tensor::ExtractSliceOp, tensor::InsertSliceOp>(op))
        return;
      for (Type type : llvm::concat<const Type>(SmallVector<Type>(op->getOperandTypes()),
                                                SmallVector<Type>(op->getResultTypes()))) {
        auto tensor = dyn_cast<RankedTensorType>(type);
        if (!tensor || !rt::sharesBytes(tensor.getElementType()))
          continue;
        emitError(op->getLoc()) << "is not supported on elements that share bytes, found " << tensor
                                << "; cast to 8 bits before it and back behind it";
        all = false;
        return;
      }
    });
    return success(all);
  }

  /// A size that a computation reads stands before it: it becomes an argument of its kernel.
  static void hoistSymbol(rt::SymbolOp symbol) {
    Operation *computation = nullptr;
    for (Operation *parent = symbol->getParentOp(); parent; parent = parent->getParentOp())
      if (isa<linalg::LinalgOp, rt::AttentionOp>(parent))
        computation = parent;
    if (computation)
      symbol->moveBefore(computation);
  }

  /// Moves checks before the computations of their op. Lowerings that are made of
  /// several steps check what a step needs when they build it.
  static void putChecksFirst(Block *block) {
    for (const LateCheck &late : findLateChecks(*block)) {
      for (Operation *dependency : late.dependencies)
        if (late.computation->isBeforeInBlock(dependency))
          dependency->moveBefore(late.computation);
      late.check->moveBefore(late.computation);
    }
  }

  /// One error for each op that is left, unless it has one.
  LogicalResult checkAllLowered(const llvm::DenseSet<Location> &reported) {
    bool all = true;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!isa_and_nonnull<onnx::OnnxDialect>(op->getDialect()))
        return WalkResult::advance();
      if (!reported.contains(op->getLoc()))
        reportUnsupported(op);
      all = false;
      // What stands in its regions stays because of it.
      return WalkResult::skip();
    });
    return success(all);
  }
};

} // namespace
