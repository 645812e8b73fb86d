//===- RecurrentCell.cpp - The formulas of RNN, GRU and LSTM ---------------===//
#include "lowering/onnx_to_linalg/RecurrentCell.h"

using namespace mlir;
using onnxc::onnx::Scalar;

namespace onnxc {
namespace {

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

/// One row per activation: its name, whether it takes alpha and beta, what they
/// are by default, and its formula.
struct ActivationRow {
  StringRef name;
  bool hasAlpha, hasBeta;
  double alpha, beta;
  Scalar (*formula)(Scalar x, double alpha, double beta);
};

const ActivationRow activationRows[] = {
    {"affine", true, true, 1, 0, [](Scalar x, double a, double b) { return x * a + b; }},
    {"elu", true, false, 1, 0,
     [](Scalar x, double a, double) { return select(x < 0.0, (exp(x) - 1.0) * a, x); }},
    {"hardsigmoid", true, true, 0.2, 0.5,
     [](Scalar x, double a, double b) { return atMost(atLeast(x * a + b, 0.0), 1.0); }},
    {"leakyrelu", true, false, 0.01, 0,
     [](Scalar x, double a, double) { return select(x < 0.0, x * a, x); }},
    {"relu", false, false, 0, 0, [](Scalar x, double, double) { return atLeast(x, 0.0); }},
    {"scaledtanh", true, true, 1, 1, [](Scalar x, double a, double b) { return tanh(x * b) * a; }},
    {"sigmoid", false, false, 0, 0, [](Scalar x, double, double) { return sigmoid(x); }},
    {"softplus", false, false, 0, 0, [](Scalar x, double, double) { return softplus(x); }},
    {"softsign", false, false, 0, 0, [](Scalar x, double, double) { return x / (abs(x) + 1.0); }},
    {"tanh", false, false, 0, 0, [](Scalar x, double, double) { return tanh(x); }},
    {"thresholdedrelu", true, false, 1, 0,
     [](Scalar x, double a, double) { return select(x > a, x, 0.0); }},
};

/// The activations of all directions in order. Those that take an alpha (beta)
/// take the next one of the list, when there is one.
template <typename Op>
FailureOr<SmallVector<Activation>> readActivations(Op op, ArrayRef<StringRef> defaults) {
  SmallVector<StringRef> names;
  if (auto given = op.getActivations())
    for (StringAttr name : given->template getAsRange<StringAttr>())
      names.push_back(name.getValue());
  else
    for (int i = 0; i < 2; ++i)
      llvm::append_range(names, defaults);
  ArrayRef<float> alphas = op.getActivationAlpha().value_or(ArrayRef<float>());
  ArrayRef<float> betas = op.getActivationBeta().value_or(ArrayRef<float>());
  std::optional<double> clip;
  if (op.getClip())
    clip = op.getClip()->convertToDouble();

  auto take = [](ArrayRef<float> &list, bool takes, double otherwise) -> double {
    if (!takes || list.empty())
      return otherwise;
    double value = list.front();
    list = list.drop_front();
    return value;
  };
  SmallVector<Activation> result;
  for (StringRef name : names) {
    const auto *row = llvm::find_if(activationRows, [&](const ActivationRow &row) {
      return name.equals_insensitive(row.name);
    });
    if (row == std::end(activationRows))
      return failure();
    double alpha = take(alphas, row->hasAlpha, row->alpha);
    double beta = take(betas, row->hasBeta, row->beta);
    result.push_back([=](Scalar x) {
      if (clip)
        x = atMost(atLeast(x, -*clip), *clip);
      return row->formula(x, alpha, beta);
    });
  }
  if (result.empty())
    return failure();
  return result;
}

/// An activation of a direction. A list that is too short ends with one for all.
Activation activationOf(const SmallVector<Activation> &all, unsigned direction, unsigned count,
                        unsigned i) {
  return all[std::min<size_t>(direction * count + i, all.size() - 1)];
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

/// Builds one element-wise generic of a cell from named inputs.
class CellMap {
public:
  explicit CellMap(StepInputs &step) : step(step) {}

  /// Adds an input and returns its number.
  unsigned gate(Value tensor, unsigned gate) {
    return add(tensor, {dim(0), constant(gate), dim(1)});
  }
  unsigned state(Value tensor) { return add(tensor, {dim(0), dim(1)}); }
  unsigned peephole(unsigned gate) {
    return add(step.peepholes, {constant(step.direction), constant(gate), dim(1)});
  }
  unsigned recurrentBias(unsigned gate) {
    return add(step.bias, {constant(step.direction), constant(1), constant(gate), dim(1)});
  }

  using Values = function_ref<Scalar(unsigned)>;
  Value build(function_ref<Scalar(Values)> formula) {
    return buildMap(step.builder, step.loc, step.dims, step.storage, inputs,
                    [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                      return formula([&](unsigned i) {
                        return convert(Scalar(b, loc, args[i]), step.compute, false);
                      });
                    });
  }

private:
  AffineExpr dim(unsigned i) { return step.builder.getAffineDimExpr(i); }
  AffineExpr constant(int64_t i) { return step.builder.getAffineConstantExpr(i); }
  unsigned add(Value tensor, ArrayRef<AffineExpr> exprs) {
    inputs.push_back({tensor, AffineMap::get(2, 0, exprs, step.builder.getContext())});
    return inputs.size() - 1;
  }

  StepInputs &step;
  SmallVector<GenericInput> inputs;
};

/// H' = f(X W^T + H R^T + b)
SmallVector<Value> buildRNN(StepInputs &step, const SmallVector<Activation> &activations) {
  Value recurrent = step.projectState(step.states[0], 0, 1);
  Activation f = activationOf(activations, step.direction, 1, 0);
  CellMap map(step);
  unsigned x = map.gate(step.projected, 0), h = map.gate(recurrent, 0);
  return {map.build([&](CellMap::Values value) { return f(value(x) + value(h)); })};
}

/// z, r = f(X W^T + H R^T + b)
/// n = g(X W^T + (r * H) R^T + b), or g(X W^T + r * (H R^T + b_r) + b_w)
/// H' = (1 - z) * n + z * H
SmallVector<Value> buildGRU(StepInputs &step, const SmallVector<Activation> &activations,
                            bool linearBeforeReset) {
  Activation f = activationOf(activations, step.direction, 2, 0);
  Activation g = activationOf(activations, step.direction, 2, 1);
  Value state = step.states[0];
  Value recurrent = step.projectState(state, 0, linearBeforeReset ? 3 : 2);
  Value inner;
  if (!linearBeforeReset) {
    CellMap reset(step);
    unsigned x = reset.gate(step.projected, 1), h = reset.gate(recurrent, 1),
             s = reset.state(state);
    Value kept =
        reset.build([&](CellMap::Values value) { return f(value(x) + value(h)) * value(s); });
    inner = step.projectState(kept, 2, 1);
  }
  CellMap map(step);
  unsigned xz = map.gate(step.projected, 0), hz = map.gate(recurrent, 0);
  unsigned xn = map.gate(step.projected, 2), s = map.state(state);
  unsigned hn = linearBeforeReset ? map.gate(recurrent, 2) : map.gate(inner, 0);
  unsigned xr = 0, hr = 0;
  std::optional<unsigned> bias;
  if (linearBeforeReset) {
    xr = map.gate(step.projected, 1);
    hr = map.gate(recurrent, 1);
    if (step.bias)
      bias = map.recurrentBias(2);
  }
  return {map.build([&](CellMap::Values value) {
    Scalar z = f(value(xz) + value(hz));
    Scalar fromState = value(hn);
    if (bias)
      fromState = fromState + value(*bias);
    if (linearBeforeReset)
      fromState = f(value(xr) + value(hr)) * fromState;
    Scalar n = g(value(xn) + fromState);
    return (1.0 - z) * n + z * value(s);
  })};
}

/// i, o, f = f(X W^T + H R^T + P * C + b);  n = g(X W^T + H R^T + b)
/// C' = f * C + i * n;  H' = o * h(C'), where o sees C'
SmallVector<Value> buildLSTM(StepInputs &step, const SmallVector<Activation> &activations,
                             bool inputForget) {
  Activation f = activationOf(activations, step.direction, 3, 0);
  Activation g = activationOf(activations, step.direction, 3, 1);
  Activation h = activationOf(activations, step.direction, 3, 2);
  enum Gate { input, output, forget, cell };
  enum Peephole { inputPeephole, outputPeephole, forgetPeephole };
  Value recurrent = step.projectState(step.states[0], 0, 4);
  bool peeks = static_cast<bool>(step.peepholes);

  CellMap next(step);
  unsigned state = next.state(step.states[1]);
  auto gateOf = [&](CellMap &map, Gate gate, Peephole peephole, unsigned seen) {
    unsigned x = map.gate(step.projected, gate), r = map.gate(recurrent, gate);
    unsigned p = peeks ? map.peephole(peephole) : 0;
    return [=](CellMap::Values value) {
      Scalar sum = value(x) + value(r);
      return f(peeks ? sum + value(p) * value(seen) : sum);
    };
  };
  auto inputGate = gateOf(next, input, inputPeephole, state);
  auto forgetGate = gateOf(next, forget, forgetPeephole, state);
  unsigned xn = next.gate(step.projected, cell), rn = next.gate(recurrent, cell);
  Value cellState = next.build([&](CellMap::Values value) {
    Scalar i = inputGate(value);
    Scalar kept = inputForget ? 1.0 - i : forgetGate(value);
    return kept * value(state) + i * g(value(xn) + value(rn));
  });

  CellMap hidden(step);
  unsigned newState = hidden.state(cellState);
  auto outputGate = gateOf(hidden, output, outputPeephole, newState);
  Value hiddenState =
      hidden.build([&](CellMap::Values value) { return outputGate(value) * h(value(newState)); });
  return {hiddenState, cellState};
}

} // namespace

FailureOr<RecurrentCell> makeRecurrentCell(onnx::RNNOp op) {
  auto activations = readActivations(op, {"Tanh"});
  if (failed(activations))
    return failure();
  return RecurrentCell{1, false,
                       [list = *activations](StepInputs &step) { return buildRNN(step, list); }};
}

FailureOr<RecurrentCell> makeRecurrentCell(onnx::GRUOp op) {
  auto activations = readActivations(op, {"Sigmoid", "Tanh"});
  if (failed(activations))
    return failure();
  bool linear = op.getLinearBeforeReset() != 0;
  return RecurrentCell{3, linear, [list = *activations, linear](StepInputs &step) {
                         return buildGRU(step, list, linear);
                       }};
}

FailureOr<RecurrentCell> makeRecurrentCell(onnx::LSTMOp op) {
  auto activations = readActivations(op, {"Sigmoid", "Tanh", "Tanh"});
  if (failed(activations))
    return failure();
  bool inputForget = op.getInputForget() != 0;
  return RecurrentCell{4, false, [list = *activations, inputForget](StepInputs &step) {
                         return buildLSTM(step, list, inputForget);
                       }};
}

} // namespace onnxc
