//===- onnxc-opt.cpp - mlir-opt with onnxc's dialects, passes, pipelines ---===//
#include "dialects/onnx/OnnxDialect.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllPasses();
  registry.insert<onnxc::onnx::OnnxDialect>();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "onnxc-opt\n", registry));
}
