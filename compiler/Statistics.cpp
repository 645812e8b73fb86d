//===- Statistics.cpp - What a compiled model consists of -------------------===//
#include "compiler/Statistics.h"
#include "dialects/rt/RtDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace onnxc {

void printStatistics(ModuleOp module, llvm::raw_ostream &os) {
  unsigned kernels = 0, launches = 0, calls = 0;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    kernels += function.getName().ends_with(".task");
  module.walk([&](LLVM::CallOp call) {
    StringRef callee = call.getCallee().value_or("");
    if (callee == "onnxc_rt_launch")
      ++launches;
    // Each call of an irregular op is followed by this one.
    else if (callee == "onnxc_rt_fail_at")
      ++calls;
  });
  auto print = [&](StringRef name, StringRef attribute, bool varies) {
    if (auto bytes = module->getAttrOfType<IntegerAttr>(attribute))
      os << name << ": " << (varies ? "at most " : "") << bytes.getInt() << " bytes\n";
    else
      os << name << ": depends on the inputs' dims (--dim and --shapes fix or bound them)\n";
  };
  os << "kernels: " << kernels << "\n"
     << "launches: " << launches << "\n"
     << "calls of the runtime: " << calls << "\n";
  auto symbols = module->getAttrOfType<ArrayAttr>("onnx.symbols");
  bool varies = symbols && !symbols.empty();
  print("weights", rt::attributes::weightsBytes, /*varies=*/false);
  print("workspace", rt::attributes::workspaceBytes, varies);
  print("largest live set", rt::attributes::liveBytes, varies);
}

} // namespace onnxc
