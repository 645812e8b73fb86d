//===- SortNodes.cpp - Topological order of a graph's nodes ---------------===//
#include "compiler/import/GraphImporter.h"
#include <queue>

using namespace mlir;
using ::onnx::AttributeProto;
using ::onnx::GraphProto;
using ::onnx::NodeProto;

namespace onnxc {

namespace {

/// The names that a node reads from around it, its subgraphs included.
class UseCollector {
public:
  explicit UseCollector(llvm::function_ref<void(StringRef)> use) : use(use) {}

  void visitNode(const NodeProto &node) {
    for (const std::string &input : node.input())
      visitName(input);
    for (const AttributeProto &attribute : node.attribute()) {
      if (attribute.has_g())
        visitGraph(attribute.g());
      for (const GraphProto &graph : attribute.graphs())
        visitGraph(graph);
    }
  }

private:
  void visitName(StringRef name) {
    if (!name.empty() && inner.lookup(name) == 0)
      use(name);
  }
  void visitGraph(const GraphProto &graph) {
    SmallVector<StringRef> names;
    for (const auto &input : graph.input())
      names.push_back(input.name());
    for (const auto &tensor : graph.initializer())
      names.push_back(tensor.name());
    for (const auto &tensor : graph.sparse_initializer())
      names.push_back(tensor.values().name());
    for (const NodeProto &node : graph.node())
      names.append(node.output().begin(), node.output().end());
    for (StringRef name : names)
      ++inner[name];
    for (const NodeProto &node : graph.node())
      visitNode(node);
    // A subgraph may return an outer value as it is.
    for (const auto &output : graph.output())
      visitName(output.name());
    for (StringRef name : names)
      --inner[name];
  }

  llvm::function_ref<void(StringRef)> use;
  /// Names that the subgraphs being visited define, with their number.
  llvm::StringMap<unsigned> inner;
};

} // namespace

FailureOr<SmallVector<unsigned>>
sortNodes(const google::protobuf::RepeatedPtrField<NodeProto> &nodes,
          SmallVectorImpl<unsigned> &cycle) {
  llvm::StringMap<unsigned> producers;
  for (auto [i, node] : llvm::enumerate(nodes))
    for (const std::string &output : node.output())
      if (!output.empty())
        producers[output] = i;

  unsigned count = nodes.size();
  SmallVector<SmallVector<unsigned>> users(count), used(count);
  SmallVector<unsigned> waiting(count, 0);
  for (auto [i, node] : llvm::enumerate(nodes)) {
    auto use = [&, user = static_cast<unsigned>(i)](StringRef name) {
      auto producer = producers.find(name);
      if (producer == producers.end())
        return;
      users[producer->second].push_back(user);
      used[user].push_back(producer->second);
      ++waiting[user];
    };
    UseCollector(use).visitNode(node);
  }

  // The smallest index first keeps an order that is good already.
  std::priority_queue<unsigned, std::vector<unsigned>, std::greater<>> ready;
  for (unsigned i = 0; i < count; ++i)
    if (waiting[i] == 0)
      ready.push(i);
  SmallVector<unsigned> order;
  while (!ready.empty()) {
    unsigned node = ready.top();
    ready.pop();
    order.push_back(node);
    for (unsigned user : users[node])
      if (--waiting[user] == 0)
        ready.push(user);
  }
  if (order.size() == count)
    return order;
  // Each node that waits uses one that does; going back from one to the next, one repeats.
  auto waits = [&](unsigned i) { return waiting[i] != 0; };
  SmallVector<unsigned> path;
  SmallVector<bool> seen(count, false);
  unsigned node = llvm::find_if(waiting, [](unsigned n) { return n != 0; }) - waiting.begin();
  for (; !seen[node]; node = *llvm::find_if(used[node], waits)) {
    seen[node] = true;
    path.push_back(node);
  }
  cycle.assign(llvm::find(path, node), path.end());
  // In the order of the data.
  std::reverse(cycle.begin(), cycle.end());
  return failure();
}

} // namespace onnxc
