//===- CheckSizes.cpp - What sizes must be, checked at run time ------------===//
#include "dialects/onnx/OnnxOps.h"
#include "lowering/onnx_to_linalg/IndexMath.h"
#include "lowering/onnx_to_linalg/OnnxToLinalg.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using onnxc::onnx::DimExpr;

namespace onnxc {
namespace {

void addSymbols(Type type, llvm::StringSet<> &symbols) {
  if (isa<RankedTensorType>(type))
    for (DimExpr dim : onnx::getDims(type))
      dim.forEachSymbol([&](StringRef name) { symbols.insert(name); });
}

bool follows(DimExpr dim, const llvm::StringSet<> &symbols) {
  bool known = true;
  dim.forEachSymbol([&](StringRef name) { known &= symbols.contains(name); });
  return known;
}

/// Builds the checks of a function's ops: at its head, where the plan finds them,
/// what the sizes of the inputs decide for an op that always runs, the rest before
/// the op. The first op is checked first.
class SizeChecks {
public:
  explicit SizeChecks(func::FuncOp function)
      : entry(function.getBody().front()), head(function.getContext()),
        here(function.getContext()) {
    head.setInsertionPointToStart(&entry);
    for (Type type : function.getArgumentTypes())
      addSymbols(type, inputs);
  }

  void check(Operation *op) {
    checkResults(op);
    auto ruled = dyn_cast<onnx::SizeRulesOpInterface>(op);
    if (!ruled)
      return;
    for (const onnx::SizeRule &rule : ruled.getSizeRules()) {
      OpBuilder &builder = placeFor(op, {rule.found, rule.expected});
      checkSameSize(builder, op->getLoc(), rule.found, rule.expected, rule.text);
    }
  }

private:
  /// No size may be negative: a window that is larger than its padded input,
  /// padding that cuts off more than there is.
  void checkResults(Operation *op) {
    llvm::StringSet<> operands = inputs;
    for (Type type : op->getOperandTypes())
      addSymbols(type, operands);
    for (Type type : op->getResultTypes()) {
      if (!isa<RankedTensorType>(type))
        continue;
      for (DimExpr dim : onnx::getDims(type))
        if (dim.lowerBound().value_or(-1) < 0 && follows(dim, operands))
          checkNotNegative(op, dim);
    }
  }

  void checkNotNegative(Operation *op, DimExpr dim) {
    OpBuilder &builder = placeFor(op, dim);
    if (&builder == &head && !checked.insert(dim.getAttribute()).second)
      return;
    IndexMath math(builder, op->getLoc());
    Value size = materializeIndex(builder, op->getLoc(), dim), zero = math.constant(0);
    // Does not say which dim: the layout may differ from the model's.
    checkThat(builder, op->getLoc(), math.compare(arith::CmpIPredicate::sge, size, zero),
              "a size of its result is negative, '" + dim.str() + "'", size, zero);
  }

  OpBuilder &placeFor(Operation *op, ArrayRef<DimExpr> dims) {
    bool fromInputs = llvm::all_of(dims, [&](DimExpr dim) { return follows(dim, inputs); });
    if (op->getBlock() == &entry && fromInputs)
      return head;
    here.setInsertionPoint(op);
    return here;
  }

  Block &entry;
  OpBuilder head, here;
  llvm::StringSet<> inputs;
  /// What is checked at the head already.
  llvm::DenseSet<Attribute> checked;
};

} // namespace

void checkSizes(func::FuncOp function) {
  SmallVector<Operation *> ops;
  function.walk([&](Operation *op) { ops.push_back(op); });
  SizeChecks checks(function);
  for (Operation *op : ops)
    checks.check(op);
}

} // namespace onnxc
