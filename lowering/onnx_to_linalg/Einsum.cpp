//===- Einsum.cpp - Einsum to linalg ---------------------------------------===//
#include "dialects/onnx/EinsumEquation.h"
#include "dialects/onnx/OnnxOps.h"
#include "lowering/onnx_to_linalg/ContractionBuilder.h"
#include "lowering/onnx_to_linalg/IndexMath.h"
#include "lowering/onnx_to_linalg/OnnxToLinalg.h"
#include "lowering/onnx_to_linalg/WindowBuilder.h"

using namespace mlir;
using namespace onnxc;
using onnx::DimExpr;

namespace {

SmallVector<DimExpr> dimsOf(ArrayRef<int> labels, const LabelSizes &sizes) {
  return llvm::map_to_vector(labels, [&](int label) { return sizes.lookup(label); });
}

/// The diagonal along labels that occur twice, so that each occurs once.
LabelledTensor takeDiagonals(OpBuilder &builder, Location loc, const LabelledTensor &operand,
                             const LabelSizes &sizes) {
  SmallVector<int> labels;
  for (int label : operand.labels)
    if (!llvm::is_contained(labels, label))
      labels.push_back(label);
  if (labels.size() == operand.labels.size())
    return operand;
  auto element = [&](OpBuilder &builder, Location loc, ValueRange indices) -> Value {
    SmallVector<Value> at;
    for (int label : operand.labels)
      at.push_back(indices[llvm::find(labels, label) - labels.begin()]);
    return tensor::ExtractOp::create(builder, loc, operand.tensor, at);
  };
  Value result = buildFromIndices(builder, loc, dimsOf(labels, sizes),
                                  getElementTypeOrSelf(operand.tensor.getType()), element);
  return {result, labels};
}

/// An operand whose labels have their full sizes: dims of size 1 that others
/// stretch are dropped, and sizes that only the run knows are checked.
LabelledTensor fitSizes(OpBuilder &builder, Location loc, const SizedTensor &operand,
                        ArrayRef<int> labels, const LabelSizes &sizes) {
  LabelledTensor result;
  SmallVector<DimExpr> kept;
  for (auto [label, dim] : llvm::zip_equal(labels, operand.dims)) {
    DimExpr size = sizes.lookup(label);
    if (dim != size && dim.getConstant() == 1)
      continue;
    checkSameSize(builder, loc, dim, size, "a label of the equation has two sizes");
    kept.push_back(size);
    result.labels.push_back(label);
  }
  result.tensor = reshapeTo(builder, loc, operand, kept);
  return result;
}

/// The labels of `first` and `second` that the result or a later operand has.
SmallVector<int> neededLabels(ArrayRef<int> first, ArrayRef<int> second, ArrayRef<int> result,
                              ArrayRef<LabelledTensor> later) {
  SmallVector<int> needed;
  auto add = [&](int label) {
    bool used =
        llvm::is_contained(result, label) || llvm::any_of(later, [&](const LabelledTensor &tensor) {
          return llvm::is_contained(tensor.labels, label);
        });
    if (used && !llvm::is_contained(needed, label))
      needed.push_back(label);
  };
  llvm::for_each(first, add);
  llvm::for_each(second, add);
  return needed;
}

/// The sum over the labels that nothing but this operand has.
LabelledTensor sumOwnLabels(OpBuilder &builder, Location loc, const LabelledTensor &operand,
                            ArrayRef<int> others, const LabelSizes &sizes) {
  SmallVector<int> kept = llvm::filter_to_vector(
      operand.labels, [&](int label) { return llvm::is_contained(others, label); });
  if (kept.size() == operand.labels.size())
    return operand;
  Type accumulator = accumulatorType(getElementTypeOrSelf(operand.tensor.getType()), false);
  return {buildContraction(builder, loc, ContractionOperand{operand, {}}, kept, sizes, accumulator),
          kept};
}

/// The product of two operands, summed over what `labels` lacks.
LabelledTensor multiply(OpBuilder &builder, Location loc, const LabelledTensor &a,
                        const LabelledTensor &b, ArrayRef<int> labels, const LabelSizes &sizes) {
  auto othersOf = [&](const LabelledTensor &tensor) {
    SmallVector<int> others(labels);
    llvm::append_range(others, tensor.labels);
    return others;
  };
  ContractionOperand left{sumOwnLabels(builder, loc, a, othersOf(b), sizes), {}};
  ContractionOperand right{sumOwnLabels(builder, loc, b, othersOf(a), sizes), {}};
  Type accumulator = accumulatorType(getElementTypeOrSelf(a.tensor.getType()), false);
  return {buildContraction(builder, loc, {left, right}, labels, sizes, accumulator),
          llvm::to_vector(labels)};
}

/// onnx.Einsum  ->  products of two operands at a time, from the left
struct EinsumLowering : OpConversionPattern<onnx::EinsumOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::EinsumOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto equation = onnx::parseEinsum(loc, op.getEquation(), op.getInputs().getTypes());
    if (failed(equation))
      return failure();
    const LabelSizes &sizes = equation->sizes;
    SmallVector<LabelledTensor> operands;
    for (auto [lowered, original, labels] :
         llvm::zip_equal(adaptor.getInputs(), op.getInputs(), equation->operands)) {
      SizedTensor sized{lowered, onnx::getDims(original.getType())};
      operands.push_back(
          takeDiagonals(rewriter, loc, fitSizes(rewriter, loc, sized, labels, sizes), sizes));
    }
    LabelledTensor result = operands.front();
    for (size_t i = 1; i < operands.size(); ++i) {
      bool last = i + 1 == operands.size();
      SmallVector<int> labels =
          last ? equation->result
               : neededLabels(result.labels, operands[i].labels, equation->result,
                              ArrayRef(operands).drop_front(i + 1));
      result = multiply(rewriter, loc, result, operands[i], labels, sizes);
    }
    if (operands.size() == 1)
      result = sumOwnLabels(rewriter, loc, result, equation->result, sizes);
    SmallVector<int64_t> perm;
    for (int label : equation->result)
      perm.push_back(llvm::find(result.labels, label) - result.labels.begin());
    SizedTensor ordered =
        permuteTensor(rewriter, loc, {result.tensor, dimsOf(result.labels, sizes)}, perm);
    rewriter.replaceOp(
        op, castElements(rewriter, loc, ordered, lowerType(getElementTypeOrSelf(op.getType()))));
    return success();
  }
};

} // namespace

void onnxc::populateEinsumPatterns(TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<EinsumLowering>(converter, patterns.getContext());
}
