//===- ListOperators.cpp - The operators that can be imported, as text ----===//
#include "compiler/import/OpsetUpgrade.h"
#include "llvm/Support/InterleavedRange.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace mlir;

namespace onnxc {

void listOperators(MLIRContext *context, raw_ostream &os) {
  context->loadDialect<onnx::OnnxDialect>();
  Operators operators(context);
  for (const auto &[key, known] : operators.getAll()) {
    SmallVector<std::string> operands;
    for (const onnx::ArgumentSpec &spec :
         known.op.getInterface<onnx::OnnxOpInterface>()->getArgumentSpecs())
      if (spec.isOperand())
        operands.push_back((spec.name + ": " + spec.type).str());
    os << domainTitle(key.first) << '\t' << key.second << '\t'
       << llvm::interleaved(known.info.versions, ", ") << '\t' << llvm::interleaved(operands, "; ")
       << '\t' << known.info.limits << '\n';
  }
  std::set<Operators::Key> others;
  for (const OtherForm &form : getOtherForms())
    if (!operators.find(form.domain, form.op))
      others.insert({form.domain.str(), form.op.str()});
  for (const auto &[domain, op] : others)
    os << domainTitle(domain) << '\t' << op << '\t' << *findFirstVersion(domain, op) << "\t\t\n";
}

} // namespace onnxc
