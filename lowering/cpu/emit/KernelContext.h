//===- KernelContext.h - A kernel while it is emitted ---------------*- C++ -*-===//
#ifndef ONNXC_LOWERING_CPU_EMIT_KERNELCONTEXT_H
#define ONNXC_LOWERING_CPU_EMIT_KERNELCONTEXT_H

#include "dialects/rt/RtDialect.h"
#include "lowering/support/Buffer.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"

namespace onnxc::emit {

/// The two functions of a kernel and what the kernel's values have become in
/// the one that is being built. Emitters first open the task-count function,
/// then the task function; both start with the kernel's arguments loaded from
/// the slots.
class KernelContext {
public:
  KernelContext(rt::KernelOp kernel, rt::CpuAttr target)
      : target(target), kernel(kernel), builder(kernel.getContext()) {}

  /// Starts `i64 @k.tasks(ptr slots)` before the kernel.
  void openTaskCount();
  /// Ends it with this number.
  void closeTaskCount(mlir::OpFoldResult count);
  /// Starts `void @k.task(ptr slots, i64 task)`; `task` holds the task's index.
  void openTask();
  void closeTask();

  /// The kernel's generics. Emits an error and fails where the sizes of their loops
  /// are not known.
  mlir::FailureOr<llvm::SmallVector<mlir::linalg::GenericOp>> generics();
  /// Emits the error that the kernel does not hold what its strategy is for.
  mlir::LogicalResult expected(const llvm::Twine &what);

  mlir::Block &body() { return kernel.getBody().front(); }
  /// Tensors that the kernel's terminator returns, in order.
  mlir::ValueRange results() { return body().getTerminator()->getOperands(); }
  /// Where result `i` is written to.
  const Buffer &resultBuffer(unsigned i) { return resultBuffers[i]; }

  /// The memory of a tensor from outside the kernel; nothing for one that the
  /// kernel computes.
  const Buffer *lookup(mlir::Value tensor) const;
  void setBuffer(mlir::Value tensor, Buffer buffer) { buffers[tensor] = std::move(buffer); }
  /// A size or scalar of the kernel as a value of the function being built.
  mlir::OpFoldResult map(mlir::OpFoldResult size);
  llvm::SmallVector<mlir::OpFoldResult> map(llvm::ArrayRef<mlir::OpFoldResult> sizes);
  mlir::Value mapScalar(mlir::Value scalar);

  rt::CpuAttr target;
  rt::KernelOp kernel;
  mlir::OpBuilder builder;
  mlir::Value task;

private:
  void open(llvm::StringRef name, mlir::TypeRange extraArguments, mlir::TypeRange results);
  void loadArguments(mlir::Value slots);

  mlir::func::FuncOp function;
  /// The last op of the head: arguments and what is cloned behind them.
  mlir::Operation *head = nullptr;
  llvm::DenseMap<mlir::Value, Buffer> buffers;
  llvm::SmallVector<Buffer> resultBuffers;
  mlir::IRMapping scalars;
};

/// The emitters, one per kind of strategy. Each checks that the kernel holds what
/// the strategy is for, and builds both functions; on failure it has emitted an
/// error.
mlir::LogicalResult emitConcat(KernelContext &context, rt::ConcatAttr strategy);
mlir::LogicalResult emitContraction(KernelContext &context, rt::GemmAttr strategy);
mlir::LogicalResult emitConvolution(KernelContext &context, rt::ConvAttr strategy);
mlir::LogicalResult emitDepthwiseConvolution(KernelContext &context, rt::DepthwiseAttr strategy);
mlir::LogicalResult emitLoops(KernelContext &context, rt::LoopsAttr strategy);

/// Calls the one that obeys the kernel's strategy.
mlir::LogicalResult emitKernel(KernelContext &context);

} // namespace onnxc::emit

#endif // ONNXC_LOWERING_CPU_EMIT_KERNELCONTEXT_H
