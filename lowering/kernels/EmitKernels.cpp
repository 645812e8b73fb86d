//===- EmitKernels.cpp - Kernels become functions --------------------------===//
#include "lowering/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace onnxc {
#define GEN_PASS_DEF_EMITKERNELS
#include "lowering/Passes.h.inc"
} // namespace onnxc

using namespace onnxc;

namespace {

struct EmitKernels : onnxc::impl::EmitKernelsBase<EmitKernels> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<rt::KernelOp> kernels(getOperation().getOps<rt::KernelOp>());
    for (rt::KernelOp kernel : kernels) {
      if (failed(kernel.getTarget().emitKernel(kernel)))
        return signalPassFailure();
      kernel.erase();
    }
  }
};

} // namespace
