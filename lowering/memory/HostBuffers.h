//===- HostBuffers.h - Which memory each tensor of the host uses ----*- C++ -*-===//
#ifndef ONNXC_LOWERING_MEMORY_HOSTBUFFERS_H
#define ONNXC_LOWERING_MEMORY_HOSTBUFFERS_H

#include "dialects/rt/RtDialect.h"
#include "lowering/support/SymbolBounds.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/OpDefinition.h"
#include "runtime/onnxc_runtime.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

namespace onnxc {

/// A piece of memory that one or several tensors of the host function use.
struct Storage {
  enum class Kind {
    Input,  ///< an input's data, read only
    Output, ///< an output's data
    Weight, ///< a constant, at an offset into the weights
    Arena,  ///< a part of the workspace; its size is known when the call is planned
    Heap    ///< allocated with the hook: the size depends on data
  };
  /// How a loop carries the tensor.
  enum class Carried {
    InPlace, ///< its size stays: each turn's result is copied here
    Moves,   ///< its size changes: each turn's result gets a new heap block
    Grows    ///< rows are appended: the heap block grows
  };
  explicit Storage(Kind kind) : kind(kind) {}

  Kind kind;
  Carried carried = Carried::InPlace;
  /// Number of the input, output or heap slot.
  unsigned index = 0;
  /// Moves: the heap slot of the next turn's block while both are alive.
  unsigned nextIndex = 0;
  mlir::TypedAttr constant; ///< Weight
  /// Weight: bytes. Arena: bytes in the static part, units in a slot.
  int64_t offset = 0;
  /// Arena and Heap: the tensor's sizes and element type.
  llvm::SmallVector<onnx::DimExpr> sizes;
  mlir::Type elementType;
  /// Position of the defining op, and of the last op that uses it.
  int64_t first = 0, last = 0;
  /// Arena: bytes, or -1 when they depend on symbols.
  int64_t staticBytes = -1;
  /// Arena with symbolic size: the slot it lives in.
  int slot = -1;
};

/// A part of the workspace whose size follows from the input symbols.
struct Slot {
  llvm::SmallVector<unsigned> tenants;
  /// When all tenants are multiples of one product of sizes: its factors. They
  /// then lie side by side, at multiples of it. Else the slot has one tenant at a
  /// time and is as large as the largest.
  llvm::SmallVector<onnx::DimExpr> unit;
  int64_t numUnits = 0;
};

/// The memory plan of the host function.
class HostBuffers {
public:
  /// Analyses `function`; on failure an error has been emitted.
  static mlir::FailureOr<HostBuffers> analyze(mlir::func::FuncOp function);

  /// The storages that a tensor may lie in: one, or those of both branches of
  /// an `scf.if`.
  llvm::ArrayRef<unsigned> storagesOf(mlir::Value tensor) const;
  Storage &storage(unsigned i) { return storages[i]; }
  unsigned numStorages() const { return storages.size(); }

  /// Where operand `i` of a loop's yield must be saved before any carried tensor
  /// is overwritten, because it lies in the storage of another one; -1: nowhere.
  int scratchFor(mlir::Operation *yield, unsigned i) const {
    auto it = scratch.find({yield, i});
    return it == scratch.end() ? -1 : static_cast<int>(it->second);
  }

  /// Of weights and of storages in the workspace, in bytes.
  static constexpr int64_t alignment = ONNXC_ALIGNMENT;

  /// Bytes of the static part of the workspace, and the slots behind it.
  int64_t staticBytes = 0;
  llvm::SmallVector<Slot> slots;
  int64_t weightsBytes = 0;
  unsigned numHeapSlots = 0;
  /// The bytes of the workspace, and of its tensors that are alive at once, at most;
  /// nothing when they grow with a symbol that has no upper bound.
  std::optional<int64_t> largestWorkspace, largestLiveSet;
  /// The input symbols and the bounds that the user gave them.
  SymbolBounds symbols;

  /// Whether an index value, or a size, follows from the input symbols alone.
  bool isPlanned(mlir::Value value) const;
  bool isPlanned(onnx::DimExpr dim) const;

private:
  //===-- HostBuffers.cpp: storages and their lifetimes -----------------===//
  mlir::LogicalResult visitBlock(mlir::Block &block);
  mlir::LogicalResult visitOp(mlir::Operation &op);
  mlir::LogicalResult visit(mlir::arith::ConstantOp op);
  mlir::LogicalResult visit(mlir::arith::SelectOp op);
  mlir::LogicalResult visit(mlir::func::ReturnOp op);
  mlir::LogicalResult visit(mlir::scf::ForOp loop);
  mlir::LogicalResult visit(mlir::scf::IfOp op);
  mlir::LogicalResult visit(mlir::scf::WhileOp loop);
  mlir::LogicalResult visit(mlir::tensor::EmptyOp op);
  mlir::LogicalResult visit(mlir::tensor::InsertSliceOp op);
  mlir::LogicalResult visit(rt::AppendOp op);
  mlir::LogicalResult visitProducer(mlir::Operation &op);
  mlir::FailureOr<llvm::SmallVector<int>> createCarried(mlir::Operation &op, mlir::ValueRange inits,
                                                        mlir::ValueRange arguments);
  mlir::LogicalResult visitYield(mlir::Operation &yield, llvm::ArrayRef<int> carried);
  unsigned create(Storage::Kind kind, mlir::Operation *op, mlir::Value tensor);
  unsigned createPlanned(mlir::Operation *op, mlir::Value result,
                         llvm::ArrayRef<onnx::DimExpr> sizes);
  void alias(mlir::Value tensor, mlir::Value source);
  void use(mlir::Value tensor, mlir::Operation *user);
  void makeHeap(Storage &storage, Storage::Carried carried);

  //===-- PackBuffers.cpp: offsets in the workspace ---------------------===//
  void pack();
  double estimate(onnx::DimExpr size) const;
  double estimate(const Storage &storage) const;
  std::optional<int64_t> largestBytes(const Storage &storage) const;
  std::optional<int64_t> measureWorkspace() const;
  std::optional<int64_t> measureLiveSet() const;
  llvm::SmallVector<unsigned> arenaBySize(llvm::function_ref<double(const Storage &)> size);
  int64_t packGreedily(llvm::ArrayRef<unsigned> order,
                       llvm::function_ref<int64_t(const Storage &)> size);
  void packStatic();
  void packSlots();
  llvm::SmallVector<Slot> shareSlots(llvm::ArrayRef<unsigned> order) const;
  llvm::SmallVector<Slot> packUnits(llvm::ArrayRef<unsigned> order);
  double estimate(llvm::ArrayRef<Slot> plan) const;

  std::vector<Storage> storages;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<unsigned, 2>> valueStorages;
  llvm::DenseMap<mlir::Operation *, int64_t> positions;
  llvm::DenseMap<mlir::Operation *, int64_t> ends;
  llvm::DenseMap<mlir::Attribute, unsigned> constants;
  llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, unsigned> scratch;
  /// Where each storage was created, to see which loops its uses are inside of.
  llvm::SmallVector<mlir::Operation *> creators;
};

} // namespace onnxc

#endif // ONNXC_LOWERING_MEMORY_HOSTBUFFERS_H
