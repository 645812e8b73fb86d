//===- HostLowering.h - Building onnxc_plan and onnxc_body ----------*- C++ -*-===//
#ifndef ONNXC_LOWERING_HOST_HOSTLOWERING_H
#define ONNXC_LOWERING_HOST_HOSTLOWERING_H

#include "dialects/onnx/DimExpr.h"
#include "dialects/rt/RtDialect.h"
#include "lowering/host/RuntimeBuilder.h"
#include "lowering/memory/HostBuffers.h"
#include "lowering/support/Buffer.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "runtime/onnxc_runtime.h"

namespace onnxc {

/// Rewrites the host function on tensors as the two entry functions on pointers
/// (their contract is in docs/architecture.md), as the memory plan has it.
///
/// Ops are visited in order; `mapping` leads from their values to what stands for
/// them: a pointer for a tensor, a scalar for a scalar.
class HostLowering : public emit::RuntimeBuilder {
public:
  HostLowering(mlir::func::FuncOp function, HostBuffers &buffers)
      : RuntimeBuilder(function->getParentOfType<mlir::ModuleOp>()), function(function),
        buffers(buffers) {
    loc = function.getLoc();
  }

  void emitPlan();
  mlir::LogicalResult emitBody();

private:
  //===-- LowerHost.cpp: the functions and the simple ops ---------------===//
  void begin(mlir::StringRef name, unsigned pointers);
  void emitEntry();
  void loadSymbols(mlir::Value symbols);
  bool isPlanned(rt::CheckOp op);

  mlir::LogicalResult emitBlock(mlir::Block &block);
  mlir::LogicalResult emitOp(mlir::Operation &op);
  mlir::LogicalResult emit(rt::SymbolOp op);
  mlir::LogicalResult emit(rt::BindOp op);
  mlir::LogicalResult emit(rt::CheckOp op);
  mlir::LogicalResult emit(rt::LaunchOp op);
  mlir::LogicalResult emit(rt::AppendOp op);
  mlir::LogicalResult emit(rt::ReshapeOp op);
  mlir::LogicalResult emit(mlir::tensor::CastOp op);
  mlir::LogicalResult emit(mlir::tensor::InsertSliceOp op);
  mlir::LogicalResult emit(mlir::tensor::ExtractSliceOp op);
  mlir::LogicalResult emit(mlir::tensor::ExtractOp op);
  mlir::LogicalResult emit(mlir::tensor::DimOp op);
  mlir::LogicalResult emit(mlir::tensor::FromElementsOp op);
  mlir::LogicalResult emit(mlir::tensor::EmptyOp op);
  mlir::LogicalResult emit(mlir::arith::ConstantOp op);
  mlir::LogicalResult emit(mlir::arith::SelectOp op);
  mlir::LogicalResult emit(mlir::func::ReturnOp op);
  bool isPlannedOutput(unsigned index);
  void releaseOutputs(mlir::Value status, mlir::Value pointers);

  //===-- HostCalls.cpp: calls of irregular ops -------------------------===//
  mlir::LogicalResult emit(rt::CallOp op);
  mlir::Value makeViews(mlir::ArrayRef<mlir::Value> pointers, mlir::ArrayRef<mlir::Value> dims,
                        mlir::TypeRange types,
                        mlir::ArrayRef<mlir::SmallVector<mlir::OpFoldResult>> sizes);
  mlir::Value viewField(mlir::Value views, unsigned view, unsigned number);
  void adopt(mlir::Value output, mlir::Value pointer);
  void nameNode(mlir::Value status, mlir::StringRef node);

  //===-- HostControlFlow.cpp: If and loops -----------------------------===//
  mlir::LogicalResult emit(mlir::scf::IfOp op);
  mlir::LogicalResult emit(mlir::scf::ForOp op);
  mlir::LogicalResult emit(mlir::scf::WhileOp op);
  /// What a loop carries: the fixed place of each carried tensor, null for
  /// scalars and for tensors that move; those are the lowered loop's own values.
  struct Carried {
    mlir::SmallVector<mlir::Value> places;
    mlir::SmallVector<mlir::Value> inits;
  };
  Carried startCarried(mlir::ValueRange inits, mlir::ValueRange arguments);
  void mapCarried(const Carried &carried, mlir::ValueRange from, mlir::ValueRange lowered);
  mlir::SmallVector<mlir::Value> endTurn(mlir::Operation *yield, mlir::ValueRange arguments,
                                         const Carried &carried);

  //===-- HostSizes.cpp: the values of sizes ----------------------------===//
  mlir::Value valueOf(onnx::DimExpr dim);
  mlir::SmallVector<mlir::OpFoldResult> valuesOf(mlir::ArrayRef<onnx::DimExpr> dims);
  mlir::Value computeSize(onnx::DimExpr dim);
  mlir::Value wideSize(onnx::DimExpr dim);
  mlir::Value mapPlanned(mlir::Value value);

  //===-- HostMemory.cpp: where tensors are -----------------------------===//
  mlir::OpFoldResult map(mlir::OpFoldResult size);
  mlir::FailureOr<mlir::SmallVector<mlir::OpFoldResult>> mappedSizes(mlir::Value tensor);
  mlir::OpFoldResult bytesOf(mlir::ArrayRef<mlir::OpFoldResult> mappedSizes,
                             mlir::Type elementType);
  mlir::OpFoldResult bytesOf(mlir::Value tensor);
  mlir::Value constantF64(double value);
  void checkPlannedBytes();
  void placeSlots();
  mlir::OpFoldResult unitOf(const Slot &slot);
  /// The address of a storage that is not on the heap. Computed where it is needed:
  /// kept through a long function, addresses would fill its registers.
  mlir::Value fixedPlace(unsigned id);
  mlir::Value placeOf(mlir::Value tensor);
  mlir::Value allocate(mlir::OpFoldResult bytes, const mlir::Twine &what);
  void checkAllocated(mlir::Value pointer, const mlir::Twine &what);
  mlir::Value allocateHeap(unsigned id);
  mlir::Value heapSlot(unsigned index) { return field(heapSlots, 8 * index); }
  void releaseHeap(unsigned index);
  emit::Buffer bufferOf(mlir::Value tensor);
  void copyTensor(mlir::Value target, mlir::Value source, mlir::Value tensor);
  void checkBytes(mlir::ArrayRef<mlir::OpFoldResult> mappedSizes, mlir::Type elementType);
  void fail(mlir::Value failed, onnxc_status status, const mlir::Twine &message,
            mlir::Value found = {}, mlir::Value expected = {});
  void exitIf(mlir::Value status);

  mlir::func::FuncOp function;
  HostBuffers &buffers;
  /// The function that is being built.
  mlir::func::FuncOp target;
  mlir::IRMapping mapping;
  llvm::StringMap<mlir::Value> symbolValues;
  /// The sizes that the input symbols decide, computed at the head of the function.
  mlir::DenseMap<mlir::Attribute, mlir::Value> plannedSizes;
  /// The last op at the head, behind which the next such size is computed.
  mlir::Operation *head = nullptr;
  /// An error has been emitted where none can be returned.
  bool isBroken = false;
  mlir::SmallVector<mlir::Value> slotOffsets;
  mlir::Value workspaceBytes;
  mlir::Value inputs, outputs, outputDims, workspace, weights, context, heapSlots;
};

} // namespace onnxc

#endif // ONNXC_LOWERING_HOST_HOSTLOWERING_H
