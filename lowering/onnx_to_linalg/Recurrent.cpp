//===- Recurrent.cpp - RNN, GRU and LSTM to loops over time ----------------===//
//
// One matrix product for the inputs of all time steps, then an scf.for that
// carries the states: a matrix product of the hidden state and an element-wise
// cell for each step.
//
//===----------------------------------------------------------------------===//
#include "dialects/onnx/OnnxOps.h"
#include "lowering/onnx_to_linalg/ContractionBuilder.h"
#include "lowering/onnx_to_linalg/IndexMath.h"
#include "lowering/onnx_to_linalg/OnnxToLinalg.h"
#include "lowering/onnx_to_linalg/RecurrentCell.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace onnxc;
using onnx::DimExpr;
using onnx::Scalar;

namespace {

enum Label { stepLabel, batchLabel, gateLabel, inputLabel, hiddenLabel };

/// Lowers one recurrent op; one direction at a time.
class RecurrentLoop {
public:
  RecurrentLoop(OpBuilder &builder, Location loc, const RecurrentOperands &operands,
                const RecurrentCell &cell)
      : builder(builder), loc(loc), operands(operands), cell(cell) {
    MLIRContext *context = builder.getContext();
    hidden = operands.hidden;
    gates = DimExpr::constant(context, cell.gates);
    directions = DimExpr::constant(context, operands.directions);
    storage = cast<RankedTensorType>(operands.x.getType()).getElementType();
    compute = accumulatorType(storage, false);
  }

  /// All hidden states of a direction as (steps, batch, hidden), then the last
  /// states as (batch, hidden).
  SmallVector<Value> build(unsigned direction, bool reverse) {
    Value projected = projectInputs(direction);
    SmallVector<Value> inits;
    for (Value initial : operands.initialStates)
      inits.push_back(initialState(initial, direction));
    inits.push_back(emptyTensor(builder, loc, {operands.steps, operands.batch, hidden}, storage));

    IndexMath math(builder, loc);
    Value steps = materializeIndex(builder, loc, operands.steps);
    auto loop = scf::ForOp::create(builder, loc, math.constant(0), steps, math.constant(1), inits);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value position = loop.getInductionVar();
    if (reverse)
      position = math.sub(math.sub(steps, math.constant(1)), position);
    SmallVector<Value> states(loop.getRegionIterArgs().drop_back());
    SmallVector<Value> next = buildStep(direction, position, projected, states);
    Value all = insertStep(next.front(), loop.getRegionIterArgs().back(), position);
    next.erase(next.begin());
    next.push_back(all);
    scf::YieldOp::create(builder, loc, next);
    SmallVector<Value> results(loop.getResults());
    std::rotate(results.begin(), results.end() - 1, results.end());
    return results;
  }

private:
  /// The gates [first, first + count) of a direction's weights, as
  /// (count * hidden, columns).
  Value weightRows(Value weights, DimExpr columns, unsigned direction, unsigned first,
                   unsigned count) {
    DimExpr rows = hidden * count;
    Value flat =
        reshapeTo(builder, loc, SizedTensor{weights, {directions, gates * hidden, columns}},
                  {directions * gates * hidden, columns});
    if (operands.directions == 1 && count == cell.gates)
      return flat;
    if (columns.getConstant() == 0)
      return emptyTensor(builder, loc, {rows, columns}, getElementTypeOrSelf(weights.getType()));
    int64_t start = (direction * cell.gates + first) * *hidden.getConstant();
    SmallVector<OpFoldResult> offsets = {builder.getIndexAttr(start), builder.getIndexAttr(0)};
    SmallVector<OpFoldResult> extents = {materialize(builder, loc, rows),
                                         materialize(builder, loc, columns)};
    SmallVector<OpFoldResult> strides(2, builder.getIndexAttr(1));
    return tensor::ExtractSliceOp::create(builder, loc, flat, offsets, extents, strides);
  }

  /// x * W^T + b for all steps, as (steps, batch, gates, hidden).
  Value projectInputs(unsigned direction) {
    SmallVector<int> labels = {stepLabel, batchLabel, inputLabel};
    if (operands.batchFirst)
      std::swap(labels[0], labels[1]);
    Value rows = weightRows(operands.w, operands.input, direction, 0, cell.gates);
    LabelSizes sizes;
    sizes[stepLabel] = operands.steps;
    sizes[batchLabel] = operands.batch;
    sizes[gateLabel] = gates * hidden;
    sizes[inputLabel] = operands.input;
    Value product = buildContraction(
        builder, loc, {{{operands.x, labels}, {}}, {{rows, {gateLabel, inputLabel}}, {}}},
        {stepLabel, batchLabel, gateLabel}, sizes, compute);
    SmallVector<DimExpr> dims = {operands.steps, operands.batch, gates, hidden};
    Value projected = reshapeTo(
        builder, loc, SizedTensor{product, {operands.steps, operands.batch, gates * hidden}}, dims);
    if (!operands.bias)
      return projected;
    auto biasInput = [&](int64_t half) {
      return GenericInput{biasView(),
                          AffineMap::get(4, 0,
                                         {builder.getAffineConstantExpr(direction),
                                          builder.getAffineConstantExpr(half),
                                          builder.getAffineDimExpr(2), builder.getAffineDimExpr(3)},
                                         builder.getContext())};
    };
    return buildMap(builder, loc, dims, compute,
                    {{projected, identityMap(builder.getContext(), 4)}, biasInput(0), biasInput(1)},
                    [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                      auto number = [&](Value value) {
                        return convert(Scalar(b, loc, value), compute, false);
                      };
                      Scalar recurrent = number(args[2]);
                      if (cell.hasInnerBias) {
                        // That gate's bias is added inside of the reset.
                        Scalar gate(b, loc, linalg::IndexOp::create(b, loc, 2));
                        recurrent = select(gate == gate.integer(2), 0.0, recurrent);
                      }
                      return number(args[0]) + number(args[1]) + recurrent;
                    });
  }

  Value biasView() {
    DimExpr two = DimExpr::constant(builder.getContext(), 2);
    return reshapeTo(builder, loc, SizedTensor{operands.bias, {directions, two * gates * hidden}},
                     {directions, two, gates, hidden});
  }

  /// (batch, hidden) of a direction's initial state, zero when there is none.
  Value initialState(Value initial, unsigned direction) {
    SmallVector<DimExpr> dims = {operands.batch, hidden};
    if (!initial)
      return filledTensor(builder, loc, dims, zeroOf(builder, loc, storage));
    AffineExpr own = builder.getAffineConstantExpr(direction), row = builder.getAffineDimExpr(0),
               column = builder.getAffineDimExpr(1);
    SmallVector<AffineExpr> exprs = {own, row, column};
    if (operands.batchFirst)
      exprs = {row, own, column};
    return buildCopy(builder, loc, dims, initial,
                     AffineMap::get(2, 0, exprs, builder.getContext()));
  }

  /// state * R^T for some gates, as (batch, count, hidden).
  Value projectState(Value state, unsigned direction, unsigned first, unsigned count) {
    LabelSizes sizes;
    sizes[batchLabel] = operands.batch;
    sizes[gateLabel] = hidden * count;
    sizes[hiddenLabel] = hidden;
    Value rows = weightRows(operands.r, hidden, direction, first, count);
    Value product = buildContraction(
        builder, loc,
        {{{state, {batchLabel, hiddenLabel}}, {}}, {{rows, {gateLabel, hiddenLabel}}, {}}},
        {batchLabel, gateLabel}, sizes, compute);
    DimExpr number = DimExpr::constant(builder.getContext(), count);
    return reshapeTo(builder, loc, SizedTensor{product, {operands.batch, hidden * count}},
                     {operands.batch, number, hidden});
  }

  /// What this step writes, then the next states.
  SmallVector<Value> buildStep(unsigned direction, Value position, Value projected,
                               ArrayRef<Value> states) {
    StepInputs step{builder,
                    loc,
                    direction,
                    position,
                    storage,
                    compute,
                    {operands.batch, hidden},
                    llvm::to_vector(states),
                    sliceStep(projected, position),
                    /*bias=*/Value(),
                    /*peepholes=*/Value(),
                    /*projectState=*/nullptr};
    step.projectState = [&](Value state, unsigned first, unsigned count) {
      return projectState(state, direction, first, count);
    };
    if (operands.bias)
      step.bias = biasView();
    if (operands.peepholes) {
      DimExpr three = DimExpr::constant(builder.getContext(), 3);
      step.peepholes =
          reshapeTo(builder, loc, SizedTensor{operands.peepholes, {directions, three * hidden}},
                    {directions, three, hidden});
    }
    SmallVector<Value> next = cell.build(step);
    Value written = next.front();
    if (operands.lengths) {
      written = maskStep(next.front(), Value(), position);
      for (auto [value, before] : llvm::zip_equal(next, states))
        value = maskStep(value, before, position);
    }
    next.insert(next.begin(), written);
    return next;
  }

  Value sliceStep(Value projected, Value position) {
    auto type = cast<RankedTensorType>(projected.getType());
    SmallVector<OpFoldResult> offsets(4, builder.getIndexAttr(0)),
        strides(4, builder.getIndexAttr(1)), extents = {builder.getIndexAttr(1)};
    offsets[0] = position;
    for (DimExpr dim : {operands.batch, gates, hidden})
      extents.push_back(materialize(builder, loc, dim));
    auto sliced = RankedTensorType::get(type.getShape().drop_front(), type.getElementType());
    return tensor::ExtractSliceOp::create(builder, loc, sliced, projected, offsets, extents,
                                          strides);
  }

  Value insertStep(Value value, Value all, Value position) {
    SmallVector<OpFoldResult> offsets(3, builder.getIndexAttr(0)),
        strides(3, builder.getIndexAttr(1)), extents = {builder.getIndexAttr(1)};
    offsets[0] = position;
    for (DimExpr dim : {operands.batch, hidden})
      extents.push_back(materialize(builder, loc, dim));
    return tensor::InsertSliceOp::create(builder, loc, value, all, offsets, extents, strides);
  }

  /// `value` where the step lies inside of the batch entry's sequence, else
  /// `before`, or 0.
  Value maskStep(Value value, Value before, Value position) {
    MLIRContext *context = builder.getContext();
    SmallVector<DimExpr> dims = {operands.batch, hidden};
    SmallVector<GenericInput> inputs = {
        {operands.lengths, AffineMap::get(2, 0, builder.getAffineDimExpr(0))},
        {value, identityMap(context, 2)}};
    if (before)
      inputs.push_back({before, identityMap(context, 2)});
    return buildMap(builder, loc, dims, storage, inputs,
                    [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                      IndexMath math(b, loc);
                      Scalar isInside(b, loc, math.less(position, math.toIndex(args[0])));
                      Scalar own(b, loc, args[1]);
                      return before ? select(isInside, own, Scalar(b, loc, args[2]))
                                    : select(isInside, own, 0.0);
                    });
  }

  OpBuilder &builder;
  Location loc;
  const RecurrentOperands &operands;
  const RecurrentCell &cell;
  DimExpr hidden, gates, directions;
  Type storage, compute;
};

/// Puts the directions' tensors of (outer..., hidden) dims side by side. In the
/// result the direction is dim `place` of `dims`; `order` says which result dims
/// index the parts.
Value joinDirections(OpBuilder &builder, Location loc, ArrayRef<Value> parts,
                     ArrayRef<DimExpr> dims, unsigned place, ArrayRef<unsigned> order) {
  SmallVector<AffineExpr> exprs;
  for (unsigned dim : order)
    exprs.push_back(builder.getAffineDimExpr(dim));
  AffineMap map = AffineMap::get(dims.size(), 0, exprs, builder.getContext());
  SmallVector<GenericInput> inputs;
  for (Value part : parts)
    inputs.push_back({part, map});
  Type element = cast<RankedTensorType>(parts[0].getType()).getElementType();
  return buildMap(builder, loc, dims, element, inputs,
                  [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                    if (args.size() == 1)
                      return args[0];
                    Scalar direction(b, loc, linalg::IndexOp::create(b, loc, place));
                    return select(direction == direction.integer(0), Scalar(b, loc, args[0]),
                                  Scalar(b, loc, args[1]));
                  });
}

template <typename Op> struct RecurrentLowering : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;

  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    FailureOr<RecurrentCell> cell = makeRecurrentCell(op);
    if (failed(cell))
      return rewriter.notifyMatchFailure(op, "an activation is not known");
    RecurrentOperands operands = readOperands(op, adaptor);
    checkSizes(op, operands, *cell, rewriter);
    if (operands.batch.getConstant() == 0 || operands.hidden.getConstant() == 0) {
      // Nothing to slice; slices of nothing are no valid ops.
      SmallVector<Value> empty = llvm::map_to_vector(
          op->getResultTypes(), [&](Type type) { return emptyTensor(rewriter, loc, type); });
      rewriter.replaceOp(op, empty);
      return success();
    }

    if (!operands.input.isConstant()) {
      // The weights know it.
      SmallVector<DimExpr> dims = onnx::getDims(op.getX().getType());
      dims[2] = operands.input = onnx::getDims(op.getW().getType())[2];
      operands.x = reshapeTo(rewriter, loc, operands.x, dims);
    }
    RecurrentLoop loop(rewriter, loc, operands, *cell);
    SmallVector<SmallVector<Value>> results(op->getNumResults());
    for (unsigned direction = 0; direction < operands.directions; ++direction) {
      bool reverse = op.getDirection() == "reverse" || direction == 1;
      for (auto [list, value] : llvm::zip_equal(results, loop.build(direction, reverse)))
        list.push_back(value);
    }
    SmallVector<Value> joined;
    for (auto [i, parts] : llvm::enumerate(results)) {
      SmallVector<DimExpr> dims = onnx::getDims(op->getResult(i).getType());
      if (i == 0)
        joined.push_back(operands.batchFirst
                             ? joinDirections(rewriter, loc, parts, dims, 2, {1, 0, 3})
                             : joinDirections(rewriter, loc, parts, dims, 1, {0, 2, 3}));
      else
        joined.push_back(operands.batchFirst
                             ? joinDirections(rewriter, loc, parts, dims, 1, {0, 2})
                             : joinDirections(rewriter, loc, parts, dims, 0, {1, 2}));
    }
    rewriter.replaceOp(op, joined);
    return success();
  }

  static RecurrentOperands readOperands(Op op, typename Op::Adaptor adaptor) {
    RecurrentOperands operands;
    operands.x = adaptor.getX();
    operands.w = adaptor.getW();
    operands.r = adaptor.getR();
    operands.bias = adaptor.getB();
    operands.lengths = adaptor.getSequenceLens();
    operands.initialStates = {adaptor.getInitialH()};
    if constexpr (std::is_same_v<Op, onnx::LSTMOp>) {
      operands.initialStates.push_back(adaptor.getInitialC());
      operands.peepholes = adaptor.getP();
    }
    operands.batchFirst = op.getLayout() != 0;
    SmallVector<DimExpr> x = onnx::getDims(op.getX().getType());
    operands.steps = x[operands.batchFirst ? 1 : 0];
    operands.batch = x[operands.batchFirst ? 0 : 1];
    operands.input = x[2];
    operands.hidden = onnx::getDims(op.getR().getType())[2];
    operands.directions = op.getDirection() == "bidirectional" ? 2 : 1;
    return operands;
  }

  /// Checks what the type rule does not: operands beside X and R.
  static void checkSizes(Op op, const RecurrentOperands &operands, const RecurrentCell &cell,
                         OpBuilder &builder) {
    MLIRContext *context = builder.getContext();
    DimExpr directions = DimExpr::constant(context, operands.directions);
    DimExpr rows = operands.hidden * cell.gates;
    auto check = [&](Value value, ArrayRef<DimExpr> expected) {
      if (!value)
        return;
      for (auto [found, size] : llvm::zip(onnx::getDims(value.getType()), expected))
        checkSameSize(builder, op.getLoc(), found, size, "an operand has the wrong size");
    };
    SmallVector<DimExpr> state = {directions, operands.batch, operands.hidden};
    if (operands.batchFirst)
      std::swap(state[0], state[1]);
    check(op.getW(), {directions, rows, operands.input});
    check(op.getB(), {directions, rows * 2});
    check(op.getSequenceLens(), {operands.batch});
    check(op.getInitialH(), state);
    if constexpr (std::is_same_v<Op, onnx::LSTMOp>) {
      check(op.getInitialC(), state);
      check(op.getP(), {directions, operands.hidden * 3});
    }
  }
};

} // namespace

void onnxc::populateRecurrentPatterns(TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<RecurrentLowering<onnx::GRUOp>, RecurrentLowering<onnx::LSTMOp>,
               RecurrentLowering<onnx::RNNOp>>(converter, patterns.getContext());
}
