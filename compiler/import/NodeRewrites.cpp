//===- NodeRewrites.cpp - Rewrites of single nodes before their import ----===//
#include "compiler/import/NodeRewrites.h"
#include "dialects/onnx/DimExpr.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace llvm;
using ::onnx::AttributeProto;
using ::onnx::NodeProto;

namespace onnxc {
namespace {

/// GatherND's result has a rank only where the depth of the indices, their last dim,
/// is a constant. Else the rank that the file declares for the result tells the
/// depth, and the run checks it.
Expected<NodeList> refineGatherDepth(const NodeProto &node, const NodeContext &context) {
  if (node.input_size() != 2 || node.output_size() != 1)
    return NodeList();
  mlir::Value values[] = {context.lookup(node.input(0)), context.lookup(node.input(1))};
  if (!values[0] || !values[1])
    return NodeList();
  auto data = dyn_cast<mlir::RankedTensorType>(values[0].getType());
  auto indices = dyn_cast<mlir::RankedTensorType>(values[1].getType());
  std::optional<int64_t> declared = context.declaredRank(node.output(0));
  if (!data || !indices || !declared || indices.getRank() == 0 ||
      !indices.isDynamicDim(indices.getRank() - 1))
    return NodeList();
  int64_t batchDims = 0;
  for (const AttributeProto &attribute : node.attribute())
    if (attribute.name() == "batch_dims")
      batchDims = attribute.i();
  int64_t depth = indices.getRank() - 1 + data.getRank() - batchDims - *declared;
  if (depth < 1)
    return NodeList();
  SmallVector<onnx::DimExpr> dims = onnx::getDims(indices);
  dims.back() = onnx::DimExpr::constant(indices.getContext(), depth);
  NodeProto refined = node;
  refined.set_input(
      1, context.refine(values[1], onnx::makeTensorType(dims, indices.getElementType())));
  return NodeList{std::move(refined)};
}

struct Row {
  StringLiteral op;
  Expected<NodeList> (*rewrite)(const NodeProto &node, const NodeContext &context);
};
constexpr Row table[] = {{"GatherND", refineGatherDepth}, {"Scan", scanToLoop}};

} // namespace

Expected<NodeList> rewriteNode(const NodeProto &node, const NodeContext &context) {
  for (const Row &row : table)
    if (row.op == node.op_type())
      return row.rewrite(node, context);
  return NodeList();
}

} // namespace onnxc
