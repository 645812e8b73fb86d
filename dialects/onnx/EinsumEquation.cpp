//===- EinsumEquation.cpp - Einsum's equation, taken apart -----------------===//
#include "dialects/onnx/EinsumEquation.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace onnxc::onnx {

/// The labels of one term; an ellipsis stands for `ellipsisRank` dims.
static FailureOr<SmallVector<int>> parseTerm(std::optional<Location> location, StringRef term,
                                             int ellipsisRank) {
  SmallVector<int> labels;
  while (!term.empty()) {
    if (term.consume_front("...")) {
      for (int i = -ellipsisRank; i < 0; ++i)
        labels.push_back(i);
      continue;
    }
    if (!llvm::isAlpha(term.front()))
      return emitOptionalError(location, "expected a letter or '...' in the equation, found '",
                               term.take_front(1), "'");
    labels.push_back(term.front());
    term = term.drop_front();
  }
  return labels;
}

/// How many dims the ellipsis of a term stands for.
static int ellipsisRankOf(StringRef term, Type type) {
  size_t at = term.find("...");
  if (at == StringRef::npos)
    return 0;
  return static_cast<int>(cast<RankedTensorType>(type).getRank()) -
         static_cast<int>(term.size() - 3);
}

/// Without an arrow: the ellipsis, then letters that occur once, sorted.
static SmallVector<int> implicitResult(const EinsumEquation &equation, int ellipsisRank) {
  std::map<int, int> counts;
  for (const auto &labels : equation.operands)
    for (int label : labels)
      ++counts[label];
  SmallVector<int> result;
  for (auto [label, count] : counts)
    if (label < 0 || count == 1)
      result.push_back(label);
  return result;
}

/// Joins the size of a label in one operand with what is known of it.
static LogicalResult joinSize(std::optional<Location> location, DimExpr &known, DimExpr size) {
  if (!known || known.getConstant() == 1) {
    known = size;
    return success();
  }
  auto a = known.getConstant(), b = size.getConstant();
  if (a && b && *a != *b && *b != 1)
    return emitOptionalError(location, "a label of the equation has the sizes ", *a, " and ", *b);
  // A number beats a symbol, which the run checks.
  if (!a && b && *b != 1)
    known = size;
  return success();
}

FailureOr<EinsumEquation> parseEinsum(std::optional<Location> location, StringRef text,
                                      TypeRange operands) {
  std::string compact;
  for (char c : text)
    if (c != ' ')
      compact.push_back(c);
  auto [left, right] = StringRef(compact).split("->");
  bool explicitResult = compact.find("->") != std::string::npos;
  SmallVector<StringRef> terms;
  left.split(terms, ',');
  if (terms.size() != operands.size())
    return emitOptionalError(location, "the equation '", text, "' has ", terms.size(),
                             " terms for ", operands.size(), " operands");
  int ellipsisRank = 0;
  for (auto [term, type] : llvm::zip_equal(terms, operands))
    ellipsisRank = std::max(ellipsisRank, ellipsisRankOf(term, type));
  EinsumEquation equation;
  for (auto [term, type] : llvm::zip_equal(terms, operands)) {
    auto labels = parseTerm(location, term, std::max(0, ellipsisRankOf(term, type)));
    if (failed(labels))
      return failure();
    SmallVector<DimExpr> dims = getDims(type);
    if (labels->size() != dims.size())
      return emitOptionalError(location, "the term '", term, "' does not fit an operand of rank ",
                               dims.size());
    for (auto [label, dim] : llvm::zip_equal(*labels, dims))
      if (failed(joinSize(location, equation.sizes[label], dim)))
        return failure();
    equation.operands.push_back(std::move(*labels));
  }
  if (!explicitResult) {
    equation.result = implicitResult(equation, ellipsisRank);
    return equation;
  }
  auto result = parseTerm(location, right, ellipsisRank);
  if (failed(result))
    return failure();
  for (auto [i, label] : llvm::enumerate(*result))
    if (!equation.sizes.count(label) || llvm::is_contained(ArrayRef(*result).take_front(i), label))
      return emitOptionalError(location, "the result '", right,
                               "' of the equation has a label that is "
                               "in no term, or twice in the result");
  equation.result = std::move(*result);
  return equation;
}

} // namespace onnxc::onnx
