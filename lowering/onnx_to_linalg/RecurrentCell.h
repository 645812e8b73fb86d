//===- RecurrentCell.h - The formulas of RNN, GRU and LSTM ---------*- C++ -*-===//
#ifndef ONNXC_LOWERING_ONNX_TO_LINALG_RECURRENTCELL_H
#define ONNXC_LOWERING_ONNX_TO_LINALG_RECURRENTCELL_H

#include "dialects/onnx/OnnxOps.h"
#include "lowering/onnx_to_linalg/Generics.h"
#include <functional>

namespace onnxc {

/// The lowered operands of a recurrent op; null where absent.
struct RecurrentOperands {
  mlir::Value x, w, r, bias, lengths, peepholes;
  llvm::SmallVector<mlir::Value> initialStates;
  bool batchFirst = false;
  onnx::DimExpr steps, batch, input, hidden;
  unsigned directions = 1;
};

/// What a step of one direction works on.
struct StepInputs {
  mlir::OpBuilder &builder;
  mlir::Location loc;
  unsigned direction;
  mlir::Value position;
  mlir::Type storage, compute;
  /// (batch, hidden).
  llvm::SmallVector<onnx::DimExpr> dims;
  /// The hidden state, then the cell state, as (batch, hidden).
  llvm::SmallVector<mlir::Value> states;
  /// The inputs' part of the gates, (batch, gates, hidden), biases included.
  mlir::Value projected;
  /// (directions, 2, gates, hidden); (directions, 3, hidden).
  mlir::Value bias, peepholes;
  /// A state's part of `count` gates from `first` on, (batch, count, hidden).
  std::function<mlir::Value(mlir::Value state, unsigned first, unsigned count)> projectState;
};

/// An activation with its parameters.
using Activation = std::function<onnx::Scalar(onnx::Scalar)>;

/// A kind of network: its gates, and how a step makes the next states.
struct RecurrentCell {
  unsigned gates;
  /// Whether the last gate's recurrent bias is added by the step itself.
  bool hasInnerBias = false;
  /// The next states, the hidden one first.
  std::function<llvm::SmallVector<mlir::Value>(StepInputs &)> build;
};

/// The cell of an op; failure when an activation is not known.
mlir::FailureOr<RecurrentCell> makeRecurrentCell(onnx::RNNOp op);
mlir::FailureOr<RecurrentCell> makeRecurrentCell(onnx::GRUOp op);
mlir::FailureOr<RecurrentCell> makeRecurrentCell(onnx::LSTMOp op);

} // namespace onnxc

#endif // ONNXC_LOWERING_ONNX_TO_LINALG_RECURRENTCELL_H
