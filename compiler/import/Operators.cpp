//===- Operators.cpp - Which op an operator of ONNX is --------------------===//
#include "compiler/import/Operators.h"

using namespace mlir;

namespace onnxc {

constexpr Domain domains[] = {
    {"", minOpset, maxOpset},           {"ai.onnx.ml", 1, 5},    {"ai.onnx.preview", 1, 1},
    {"ai.onnx.preview.training", 1, 1}, {"com.microsoft", 1, 1},
};

const Domain *findDomain(StringRef name) {
  const auto *domain = llvm::find_if(domains, [&](const Domain &d) { return d.name == name; });
  return domain == std::end(domains) ? nullptr : domain;
}

Operators::Operators(MLIRContext *context) {
  for (RegisteredOperationName op :
       context->getRegisteredOperationsByDialect(onnx::OnnxDialect::getDialectNamespace())) {
    auto *interface = op.getInterface<onnx::OnnxOpInterface>();
    if (!interface)
      continue;
    onnx::OperatorInfo info = interface->getOperatorInfo();
    // Ops of our own are no operators.
    if (info.versions.empty())
      continue;
    // What another domain than ai.onnx puts before the name is a prefix.
    StringRef name = op.stripDialect();
    name = name.substr(name.rfind('.') + 1);
    operators.insert({{info.domain.str(), name.str()}, {op, info}});
  }
}

const Operator *Operators::find(StringRef domain, StringRef name) const {
  auto it = operators.find({domain.str(), name.str()});
  return it == operators.end() ? nullptr : &it->second;
}

} // namespace onnxc
