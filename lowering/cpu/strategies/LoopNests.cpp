//===- LoopNests.cpp - How kernels of loops are walked ---------------------===//
//
// Everything is decided from the indexing maps and the sizes of dense tensors:
// how far an operand moves in memory with a step of a loop says which loops can
// be walked as one, and which can be vectorised.
//
//===----------------------------------------------------------------------===//
#include "lowering/cpu/strategies/LoopNests.h"
#include "dialects/onnx/DimAnalysis.h"
#include "lowering/support/GenericBodies.h"
#include "lowering/support/TensorSizes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using onnxc::onnx::DimExpr;

namespace onnxc::cpu {

/// Work of one task, in elements, below which handing it to another thread
/// costs more than it gains.
static constexpr int64_t elementsPerTask = 16384;
/// More than any tensor has: one task does it all.
static constexpr int64_t allElements = int64_t(1) << 48;

namespace {

/// How far an operand in memory moves with a step of each loop, in elements.
using Steps = SmallVector<DimExpr>;

/// What is known of an op while its nest is chosen.
struct Nest {
  linalg::GenericOp op;
  SmallVector<DimExpr> sizes;
  SmallVector<bool> isReduction;
  /// Inputs, outputs and inits that are in memory.
  SmallVector<Steps> inputs, outputs, inits;
  /// Of each output in memory: how many of its elements share a byte, and whether tasks
  /// share it.
  SmallVector<int64_t> perByte;
  SmallVector<bool> isResult;
  /// An output has one element per row and stays in a register.
  bool hasRowValue = false;
  SmallVector<unsigned> loops; ///< see rt::NestAttr
  std::optional<unsigned> vector;
  unsigned lanes = 1;

  unsigned numLoops() const { return sizes.size(); }
  bool isVectorOfBytes(unsigned loop, unsigned lanes) const;
  bool writesInOrder() const;
  void forEachAccess(function_ref<void(Steps &)> visit) {
    for (auto *list : {&inputs, &outputs, &inits})
      for (Steps &steps : *list)
        visit(steps);
  }
  rt::NestAttr getAttr() { return rt::NestAttr::get(op->getContext(), loops, vector, lanes); }
};

class LoopsChooser {
public:
  LoopsChooser(rt::CpuAttr target, ArrayRef<linalg::GenericOp> ops, unsigned rows,
               function_ref<bool(Value)> isStored)
      : target(target), ops(ops), rows(ops.size() > 1 ? rows : 0), isStored(isStored) {}

  rt::LoopsAttr choose();

private:
  DimExpr constant(int64_t value) const { return DimExpr::constant(target.getContext(), value); }
  Nest describe(linalg::GenericOp op);
  bool isInMemory(Value tensor);
  SmallVector<DimExpr> rowSizes(Value tensor);
  Steps stepsOf(Value tensor, AffineMap map);
  unsigned chooseLanes(linalg::GenericOp op);
  void mergeLoops(Nest &nest);
  void chooseVector(Nest &nest);
  void orderLoops(Nest &nest);

  rt::CpuAttr target;
  ArrayRef<linalg::GenericOp> ops;
  unsigned rows;
  function_ref<bool(Value)> isStored;
  bool splitVector = false;
};

} // namespace

/// The sizes of a tensor; of one that stays inside, those of a row.
SmallVector<DimExpr> LoopsChooser::rowSizes(Value tensor) {
  SmallVector<DimExpr> sizes = *getTensorDims(tensor);
  auto op = tensor.getDefiningOp<linalg::GenericOp>();
  if (op && llvm::is_contained(ops, op) && !isStored(tensor))
    for (unsigned i = 0; i < std::min<size_t>(rows, sizes.size()); ++i)
      sizes[i] = constant(1);
  return sizes;
}

/// Whether a tensor has memory: from outside, stored, or a row on the stack.
bool LoopsChooser::isInMemory(Value tensor) {
  if (!isa<RankedTensorType>(tensor.getType()) || tensor.getDefiningOp<tensor::EmptyOp>() ||
      tensor.getDefiningOp<linalg::FillOp>())
    return false;
  auto op = tensor.getDefiningOp<linalg::GenericOp>();
  if (!op || !llvm::is_contained(ops, op) || isStored(tensor))
    return true;
  return !tensor.use_empty() &&
         !llvm::all_of(rowSizes(tensor), [](DimExpr size) { return size.getConstant() == 1; });
}

/// Adds `factor` times the affine expression.
static void addSteps(Steps &steps, AffineExpr expr, DimExpr factor) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    DimExpr &step = steps[dim.getPosition()];
    step = step + factor;
    return;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return;
  if (expr.getKind() == AffineExprKind::Add) {
    addSteps(steps, binary.getLHS(), factor);
    addSteps(steps, binary.getRHS(), factor);
    return;
  }
  // A product with a constant; affine maps keep it on the right.
  auto constant = cast<AffineConstantExpr>(binary.getRHS());
  addSteps(steps, binary.getLHS(), factor * constant.getValue());
}

Steps LoopsChooser::stepsOf(Value tensor, AffineMap map) {
  SmallVector<DimExpr> sizes = rowSizes(tensor);
  auto op = tensor.getDefiningOp<linalg::GenericOp>();
  bool isRow = op && llvm::is_contained(ops, op) && !isStored(tensor);
  Steps steps(map.getNumDims(), constant(0));
  DimExpr stride = constant(1);
  for (unsigned i = map.getNumResults(); i-- > 0;) {
    // A row on the stack serves all rows.
    addSteps(steps, map.getResult(i), isRow && i < rows ? constant(0) : stride);
    stride = stride * sizes[i];
  }
  return steps;
}

Nest LoopsChooser::describe(linalg::GenericOp op) {
  Nest nest;
  nest.op = op;
  nest.sizes = *getLoopDims(op);
  for (utils::IteratorType type : op.getIteratorTypesArray())
    nest.isReduction.push_back(type == utils::IteratorType::reduction);
  llvm::append_range(nest.loops, llvm::seq(0u, unsigned(op.getNumLoops())));
  for (OpOperand *input : op.getDpsInputOperands())
    if (isInMemory(input->get()))
      nest.inputs.push_back(stepsOf(input->get(), op.getMatchingIndexingMap(input)));
  for (unsigned i = 0; i < op.getNumDpsInits(); ++i) {
    OpOperand *init = op.getDpsInitOperand(i);
    AffineMap map = op.getMatchingIndexingMap(init);
    if (isInMemory(op.getResult(i))) {
      int64_t bits = rt::getStorageBits(getElementTypeOrSelf(op.getResult(i)));
      nest.outputs.push_back(stepsOf(op.getResult(i), map));
      nest.perByte.push_back(bits < 8 ? 8 / bits : 1);
      nest.isResult.push_back(isStored(op.getResult(i)));
    } else
      nest.hasRowValue |= !op.getResult(i).use_empty();
    if (isInMemory(init->get()))
      nest.inits.push_back(stepsOf(init->get(), map));
  }
  return nest;
}

/// Whether vectors along a parallel loop begin and end with a byte of each output.
bool Nest::isVectorOfBytes(unsigned loop, unsigned lanes) const {
  for (auto [steps, count] : llvm::zip_equal(outputs, perByte)) {
    if (lanes % count != 0)
      return false;
    for (unsigned i = 0; i < numLoops(); ++i)
      if (i != loop && onnx::factorsOf(steps[i]).first % count != 0)
        return false;
  }
  return true;
}

/// Whether what is written in order of the parallel loops, the vectorised one last, lies
/// one behind the other: a number of rows is then a run of bits. Always true of outputs
/// in whole bytes.
bool Nest::writesInOrder() const {
  SmallVector<unsigned> order;
  bool moves = !usesLoopIndex(op) && vector && !isReduction[*vector];
  for (unsigned i = 0; i < numLoops(); ++i)
    if (!isReduction[i] && !(moves && i == *vector))
      order.push_back(i);
  if (moves)
    order.push_back(*vector);
  for (auto [steps, count, shared] : llvm::zip_equal(outputs, perByte, isResult)) {
    DimExpr distance = DimExpr::constant(op->getContext(), 1);
    for (unsigned loop : llvm::reverse(order)) {
      if (count > 1 && shared && sizes[loop].getConstant() != 1 && steps[loop] != distance)
        return false;
      distance = distance * sizes[loop];
    }
  }
  return true;
}

/// Lanes for the widest type that the body touches.
unsigned LoopsChooser::chooseLanes(linalg::GenericOp op) {
  unsigned bits = 8;
  auto widen = [&](Type type) {
    if (type.isIntOrFloat())
      bits = std::max(bits, type.getIntOrFloatBitWidth());
  };
  for (Value argument : op.getBody()->getArguments())
    widen(argument.getType());
  for (Operation &body : op.getBody()->without_terminator())
    for (Value result : body.getResults())
      widen(result.getType());
  return target.lanes(bits);
}

/// Merges neighbouring loops that every access walks as one.
void LoopsChooser::mergeLoops(Nest &nest) {
  if (usesLoopIndex(nest.op))
    return;
  for (unsigned i = nest.numLoops(); i-- > 1;) {
    bool merges = nest.isReduction[i - 1] == nest.isReduction[i];
    nest.forEachAccess([&](Steps &steps) {
      bool still = steps[i].getConstant() == 0 && steps[i - 1].getConstant() == 0;
      merges &= still || (steps[i].getConstant() != 0 && steps[i - 1] == steps[i] * nest.sizes[i]);
    });
    if (!merges)
      continue;
    nest.sizes[i - 1] = nest.sizes[i - 1] * nest.sizes[i];
    nest.sizes.erase(nest.sizes.begin() + i);
    nest.isReduction.erase(nest.isReduction.begin() + i);
    nest.forEachAccess([&](Steps &steps) { steps.erase(steps.begin() + (i - 1)); });
    for (unsigned &loop : nest.loops)
      loop -= loop >= i;
  }
}

/// Picks the loop to vectorise: contiguous in the outputs if parallel, in the
/// inputs if a reduction; of several the one with the fewest scattered reads.
void LoopsChooser::chooseVector(Nest &nest) {
  constexpr int64_t scatteredReadCost = 8;
  unsigned lanes = chooseLanes(nest.op);
  bool reorders = !usesLoopIndex(nest.op) &&
                  llvm::all_of(llvm::seq(0u, unsigned(nest.op.getNumDpsInits())),
                               [&](unsigned i) { return findCombiner(nest.op, i) != nullptr; });
  int64_t bestCost = 0;
  for (unsigned loop = nest.numLoops(); loop-- > rows;) {
    std::optional<int64_t> size = nest.sizes[loop].getConstant();
    if (size && *size < 2)
      continue;
    bool reduction = nest.isReduction[loop];
    if (reduction ? !reorders : nest.hasRowValue)
      continue;
    if (!llvm::all_of(nest.outputs, [&](Steps &steps) {
          return steps[loop].getConstant() == (reduction ? 0 : 1);
        }))
      continue;
    if (!reduction && !nest.isVectorOfBytes(loop, lanes))
      continue;
    int64_t cost = reduction ? 1 : 0;
    for (Steps &steps : nest.inputs)
      if (steps[loop].getConstant() != 0 && steps[loop].getConstant() != 1)
        cost += scatteredReadCost;
    if (size && *size < lanes)
      cost += lanes / *size;
    if (!nest.vector || cost < bestCost) {
      nest.vector = loop;
      bestCost = cost;
    }
  }
  if (!nest.vector)
    return;
  std::optional<int64_t> size = nest.sizes[*nest.vector].getConstant();
  // A mask makes the vector that is just wide enough do it all at once.
  auto round = [&](uint64_t n) {
    return target.has(CpuFact::maskedVectors) ? llvm::bit_ceil(n) : llvm::bit_floor(n);
  };
  nest.lanes = size ? std::min<uint64_t>(lanes, round(*size)) : lanes;
  if (nest.lanes == 1)
    nest.vector.reset();
}

/// The rows of a kernel of one op: its parallel loops but the vectorised one,
/// which come first. Without rows, tasks share the vectorised loop.
void LoopsChooser::orderLoops(Nest &nest) {
  SmallVector<unsigned> order;
  for (unsigned i = 0; i < nest.numLoops(); ++i)
    if (!nest.isReduction[i] && i != nest.vector)
      order.push_back(i);
  rows = order.size();
  splitVector =
      rows == 0 && nest.vector && !nest.isReduction[*nest.vector] && !usesLoopIndex(nest.op);
  if (usesLoopIndex(nest.op)) {
    for (rows = 0; rows < order.size() && order[rows] == rows;)
      ++rows;
    return;
  }
  for (unsigned i = 0; i < nest.numLoops(); ++i)
    if (!llvm::is_contained(order, i))
      order.push_back(i);
  auto placeOf = [&](unsigned loop) -> unsigned { return llvm::find(order, loop) - order.begin(); };
  for (unsigned &loop : nest.loops)
    loop = placeOf(loop);
  if (nest.vector)
    nest.vector = placeOf(*nest.vector);
}

rt::LoopsAttr LoopsChooser::choose() {
  std::vector<Nest> nests;
  for (linalg::GenericOp op : ops)
    nests.push_back(describe(op));
  if (nests.size() == 1)
    mergeLoops(nests.front());
  for (Nest &nest : nests)
    chooseVector(nest);
  // Tasks may not meet within a byte: where rows are no runs of bits there is one task.
  bool inOrder = llvm::all_of(nests, [](const Nest &nest) { return nest.writesInOrder(); });
  if (nests.size() == 1)
    orderLoops(nests.front());
  SmallVector<rt::NestAttr> attributes;
  for (Nest &nest : nests)
    attributes.push_back(nest.getAttr());
  return rt::LoopsAttr::get(target.getContext(), rows, splitVector,
                            inOrder ? elementsPerTask : allElements, attributes);
}

rt::LoopsAttr chooseLoops(rt::CpuAttr target, ArrayRef<linalg::GenericOp> ops, unsigned rows,
                          function_ref<bool(Value)> isStored) {
  return LoopsChooser(target, ops, rows, isStored).choose();
}

} // namespace onnxc::cpu
