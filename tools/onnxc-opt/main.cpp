//===- onnxc-opt.cpp - mlir-opt with onnxc's dialects, passes, pipelines ----===//
#include "compiler/EvaluateModule.h"
#include "compiler/Pipelines.h"
#include "compiler/import/Operators.h"
#include "dialects/onnx/OnnxDialect.h"
#include "dialects/onnx/transforms/Passes.h"
#include "dialects/rt/RtDialect.h"
#include "lowering/Passes.h"
#include "lowering/cpu/CpuTarget.h"
#include "lowering/cpu/LowerToLLVM.h"
#include "lowering/cpu/Passes.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

/// What constants are computed and code is made for: no extension, so that tests
/// see the same on every machine.
static const onnxc::TargetInfo plainTarget;

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  // What scripts/operators.py makes the table of operators from.
  if (argc == 2 && llvm::StringRef(argv[1]) == "--list-operators") {
    registry.insert<onnxc::onnx::OnnxDialect>();
    mlir::MLIRContext context(registry);
    onnxc::listOperators(&context, llvm::outs());
    return 0;
  }
  mlir::registerAllDialects(registry);
  mlir::registerAllPasses();
  onnxc::registerLoweringPasses();
  mlir::registerPass(
      [] { return onnxc::createEvaluateConstants(onnxc::makeConstantEvaluator(plainTarget)); });
  onnxc::registerOnnxTransformsPasses();
  onnxc::registerPipelines(plainTarget);
  onnxc::cpu::registerOnnxcCpuPasses();
  onnxc::cpu::registerCpuToLLVMPipeline();
  onnxc::cpu::registerCpuTarget(registry);
  registry.insert<onnxc::onnx::OnnxDialect, onnxc::rt::RtDialect>();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "onnxc-opt\n", registry));
}
