//===- ContractionBuilder.cpp - Sums of products over labelled dims --------===//
#include "lowering/onnx_to_linalg/ContractionBuilder.h"
#include "lowering/support/FloatCasts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using onnxc::onnx::DimExpr;

namespace onnxc {

Type accumulatorType(Type elementType, bool widenIntegers) {
  if (auto integer = dyn_cast<IntegerType>(elementType))
    return widenIntegers && integer.getWidth() < 32 ? IntegerType::get(elementType.getContext(), 32)
                                                    : elementType;
  return computeType(elementType);
}

Value zeroOf(OpBuilder &builder, Location loc, Type type) {
  return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
}

Value buildFactor(OpBuilder &builder, Location loc, Value element, bool isUnsigned,
                  Type accumulator) {
  if (isa<FloatType>(accumulator))
    return convertFloat(builder, loc, element, accumulator);
  if (element.getType() == accumulator)
    return element;
  if (isUnsigned)
    return arith::ExtUIOp::create(builder, loc, accumulator, element);
  return arith::ExtSIOp::create(builder, loc, accumulator, element);
}

Value buildMultiplyAdd(OpBuilder &builder, Location loc, Value a, Value b, Value acc) {
  if (isa<FloatType>(acc.getType())) {
    Value product = arith::MulFOp::create(builder, loc, a, b);
    return arith::AddFOp::create(builder, loc, acc, product);
  }
  Value product = arith::MulIOp::create(builder, loc, a, b);
  return arith::AddIOp::create(builder, loc, acc, product);
}

namespace {

/// The contraction under work: tensors of operands and zero points, then the
/// labels of the result.
struct Problem {
  SmallVector<LabelledTensor> inputs;
  /// The inputs' dims before labels were dropped or merged.
  SmallVector<SmallVector<DimExpr>> inputDims;
  SmallVector<int> result;
  LabelSizes sizes;
};

/// The dims of a labelled tensor.
SmallVector<DimExpr> dimsOf(const Problem &problem, ArrayRef<int> labels) {
  return llvm::map_to_vector(labels, [&](int label) { return problem.sizes.lookup(label); });
}

/// Which inputs and whether the result have a label, as bits.
unsigned usersOf(const Problem &problem, int label) {
  unsigned users = 0;
  for (auto [i, input] : llvm::enumerate(problem.inputs))
    users |= llvm::is_contained(input.labels, label) ? 1u << i : 0;
  return users | (llvm::is_contained(problem.result, label) ? 1u << problem.inputs.size() : 0);
}

/// Whether `second` stands right behind `first` in each list that has either.
bool areNeighbours(const Problem &problem, int first, int second) {
  auto neighbours = [&](ArrayRef<int> labels) {
    const int *at = llvm::find(labels, first);
    if (at == labels.end())
      return !llvm::is_contained(labels, second);
    return at + 1 != labels.end() && at[1] == second;
  };
  return neighbours(problem.result) &&
         llvm::all_of(problem.inputs,
                      [&](const LabelledTensor &input) { return neighbours(input.labels); });
}

/// Removes labels of constant size 1, a reshape of the tensors; one label of
/// each kind other than batch stays, so that a product keeps its M, N and K.
void dropUnitLabels(Problem &problem, unsigned everyone) {
  SmallVector<int> labels =
      llvm::map_to_vector(problem.sizes, [](auto &pair) { return pair.first; });
  for (int label : labels) {
    unsigned users = usersOf(problem, label);
    if (users == 0 || problem.sizes.lookup(label).getConstant() != 1)
      continue;
    bool hasPeer = (users & everyone) == everyone || llvm::any_of(labels, [&](int other) {
                     return other != label && usersOf(problem, other) == users;
                   });
    if (!hasPeer)
      continue;
    for (LabelledTensor &input : problem.inputs)
      llvm::erase(input.labels, label);
    llvm::erase(problem.result, label);
  }
}

/// Makes one label of each pair that goes together in all tensors. Labels that
/// all operands and the result have (batch) stay apart: merging them gains
/// nothing and would put a reshape between the product and what follows.
void mergeLabels(Problem &problem, unsigned everyone) {
  bool changed = true;
  while (changed) {
    changed = false;
    SmallVector<int> labels =
        llvm::map_to_vector(problem.sizes, [](auto &pair) { return pair.first; });
    for (int first : labels) {
      unsigned users = usersOf(problem, first);
      if (users == 0 || (users & everyone) == everyone)
        continue;
      for (int second : labels) {
        if (first == second || usersOf(problem, second) != users ||
            !areNeighbours(problem, first, second))
          continue;
        problem.sizes[first] = problem.sizes[first] * problem.sizes[second];
        for (LabelledTensor &input : problem.inputs)
          llvm::erase(input.labels, second);
        llvm::erase(problem.result, second);
        changed = true;
        break;
      }
      if (changed)
        break;
    }
  }
}

/// The loops: those of the result (batch, M and N in its order of kinds), then
/// those summed over.
SmallVector<int> loopOrder(const Problem &problem) {
  SmallVector<int> loops = problem.result;
  for (const LabelledTensor &input : problem.inputs)
    for (int label : input.labels)
      if (!llvm::is_contained(loops, label))
        loops.push_back(label);
  return loops;
}

AffineMap mapOf(MLIRContext *context, ArrayRef<int> loops, ArrayRef<int> labels) {
  SmallVector<AffineExpr> exprs;
  for (int label : labels)
    exprs.push_back(getAffineDimExpr(llvm::find(loops, label) - loops.begin(), context));
  return AffineMap::get(loops.size(), 0, exprs, context);
}

/// Builds the generic of a problem whose inputs are the operands followed by
/// the zero points that exist.
Value buildGeneric(OpBuilder &builder, Location loc, const Problem &problem,
                   ArrayRef<ContractionOperand> operands, Type accumulator) {
  MLIRContext *context = builder.getContext();
  SmallVector<int> loops = loopOrder(problem);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (auto [input, dims] : llvm::zip_equal(problem.inputs, problem.inputDims)) {
    inputs.push_back(
        reshapeTo(builder, loc, SizedTensor{input.tensor, dims}, dimsOf(problem, input.labels)));
    maps.push_back(mapOf(context, loops, input.labels));
  }
  maps.push_back(mapOf(context, loops, problem.result));
  SmallVector<utils::IteratorType> iterators(loops.size(), utils::IteratorType::reduction);
  std::fill_n(iterators.begin(), problem.result.size(), utils::IteratorType::parallel);
  Value init = filledTensor(builder, loc, dimsOf(problem, problem.result),
                            zeroOf(builder, loc, accumulator));
  auto body = [&](OpBuilder &builder, Location loc, ValueRange args) {
    unsigned zeroPoint = operands.size();
    SmallVector<Value> factors;
    for (auto [i, operand] : llvm::enumerate(operands)) {
      Value factor = buildFactor(builder, loc, args[i], operand.type.isUnsigned, accumulator);
      if (operand.type.zeroPoint) {
        Value zero = buildFactor(builder, loc, args[zeroPoint++], operand.type.zeroPointUnsigned,
                                 accumulator);
        factor = isa<FloatType>(accumulator)
                     ? Value(arith::SubFOp::create(builder, loc, factor, zero))
                     : Value(arith::SubIOp::create(builder, loc, factor, zero));
      }
      factors.push_back(factor);
    }
    Value sum = factors.size() == 2
                    ? buildMultiplyAdd(builder, loc, factors[0], factors[1], args.back())
                : isa<FloatType>(accumulator)
                    ? Value(arith::AddFOp::create(builder, loc, args.back(), factors[0]))
                    : Value(arith::AddIOp::create(builder, loc, args.back(), factors[0]));
    linalg::YieldOp::create(builder, loc, sum);
  };
  return linalg::GenericOp::create(builder, loc, init.getType(), inputs, init, maps, iterators,
                                   body)
      .getResult(0);
}

} // namespace

Value buildContraction(OpBuilder &builder, Location loc, ArrayRef<ContractionOperand> operands,
                       ArrayRef<int> resultLabels, LabelSizes sizes, Type accumulator) {
  Problem problem;
  for (const ContractionOperand &operand : operands)
    problem.inputs.push_back(operand.value);
  for (const ContractionOperand &operand : operands)
    if (operand.type.zeroPoint)
      problem.inputs.push_back(*operand.type.zeroPoint);
  problem.result = llvm::to_vector(resultLabels);
  problem.sizes = std::move(sizes);
  SmallVector<DimExpr> resultDims = dimsOf(problem, resultLabels);
  for (const LabelledTensor &input : problem.inputs)
    problem.inputDims.push_back(dimsOf(problem, input.labels));
  unsigned everyone = ((1u << operands.size()) - 1) | (1u << problem.inputs.size());
  dropUnitLabels(problem, everyone);
  mergeLabels(problem, everyone);
  Value result = buildGeneric(builder, loc, problem, operands, accumulator);
  return reshapeTo(builder, loc, SizedTensor{result, dimsOf(problem, problem.result)}, resultDims);
}

} // namespace onnxc
