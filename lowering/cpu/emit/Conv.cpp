//===- Conv.cpp - direct convolution --------------------------------------===//
//
// A register tile is some neighbouring output pixels times a panel of output
// channels. Its reduction walks over the taps; along the last spatial dimension
// taps and channels lie in one piece, and are one long depth. No copy of the
// input is made.
//
//===----------------------------------------------------------------------===//
#include "lowering/cpu/emit/Conv.h"
#include "lowering/cpu/emit/PixelGrid.h"

using namespace mlir;

namespace onnxc::emit {

namespace {
/// How an output falls into tiles, panels and tasks.
struct ConvGrid {
  PixelGrid pixels;
  OpFoldResult panels, panelCount; ///< of one group, of all
  OpFoldResult panelsPerTask, panelBlocks;
};
} // namespace

static ConvGrid computeGrid(SizeMath math, const ConvProblem &problem, rt::ConvAttr strategy) {
  ConvGrid grid;
  grid.pixels = PixelGrid::compute(math, problem.images, problem.outputSizes,
                                   strategy.getTileRows(), strategy.getTileColumns());
  OpFoldResult nr = math.of(strategy.getNr());
  grid.panels = math.ceilDiv(problem.outputChannels, nr);
  grid.panelCount = math.mul(grid.panels, problem.groups);

  // Rows first, as they share a panel of weights.
  OpFoldResult target = math.of(strategy.getWorkPerTask());
  OpFoldResult depth = productIndex(math.builder, math.loc, problem.taps);
  depth = math.mul(depth, problem.inputChannels);
  OpFoldResult work = math.mul(
      math.mul(depth, nr), math.mul(problem.outputSizes.back(), math.of(strategy.getTileRows())));
  work = grid.pixels.shareRows(math, target, work);
  grid.panelsPerTask =
      math.balance(grid.panelCount, math.clamp(math.div(target, work), grid.panelCount));
  grid.panelBlocks = math.ceilDiv(grid.panelCount, grid.panelsPerTask);
  grid.pixels.shareLeading(math, target, math.mul(work, grid.panelsPerTask));
  return grid;
}

static ProductForm getForm(const ConvProblem &problem, rt::ConvAttr strategy) {
  return {strategy.getProduct(), problem.input.elementType, problem.weights.elementType,
          problem.inputUnsigned, problem.weightsUnsigned};
}

std::optional<StringRef> findMismatch(const ConvProblem &problem, rt::ConvAttr strategy) {
  return getForm(problem, strategy).findMismatch();
}

namespace {
class ConvEmitter {
public:
  ConvEmitter(ImplicitLocOpBuilder &builder, const ConvProblem &problem, rt::ConvAttr strategy,
              rt::CpuAttr target, Epilogue epilogue, unsigned epilogueCost)
      : builder(builder), math{builder, builder.getLoc()}, problem(problem), strategy(strategy),
        target(target), epilogue(epilogue), epilogueCost(epilogueCost),
        form(getForm(problem, strategy)), grid(computeGrid(math, problem, strategy)),
        spatial(problem.outputSizes.size()) {}

  void emitTask(OpFoldResult task);

private:
  struct Panel {
    OpFoldResult group, firstChannel, channels;
    unsigned vectors;
    Value weights; ///< of the panel
  };
  void emitPanels(ArrayRef<OpFoldResult> leading, OpFoldResult position, Range rows);
  void emitPanel(ArrayRef<OpFoldResult> leading, const Panel &panel, Range rows);
  void emitTile(const Panel &panel, const PixelTile &pixels);
  SmallVector<Value> emitTaps(const Panel &panel, const RegisterTile &tile, TileOperands operands,
                              unsigned dimension, ValueRange accumulators);
  TileOperands locate(const Panel &panel, const PixelTile &pixels);
  OpFoldResult inputStride(unsigned dimension) { return problem.input.strides[1 + dimension]; }
  OpFoldResult tapDistance(unsigned dimension) {
    return math.mul(math.of(problem.dilations[dimension]), inputStride(dimension));
  }
  OpFoldResult pixelDistance(unsigned dimension) {
    return math.mul(math.of(problem.strides[dimension]), inputStride(dimension));
  }
  RegisterTile makeTile(unsigned rows, unsigned vectors) const {
    return {rows, vectors, unsigned(strategy.getLanes()), problem.accumulatorType};
  }
  Value getScratch() {
    if (!scratch)
      scratch =
          allocateStack(builder, math.loc, problem.accumulatorType,
                        strategy.getTileRows() * strategy.getTileColumns() * strategy.getNr());
    return scratch;
  }

  ImplicitLocOpBuilder &builder;
  SizeMath math;
  const ConvProblem &problem;
  rt::ConvAttr strategy;
  rt::CpuAttr target;
  Epilogue epilogue;
  unsigned epilogueCost;
  ProductForm form;
  ConvGrid grid;
  unsigned spatial;
  Value scratch;
};
} // namespace

void ConvEmitter::emitTask(OpFoldResult task) {
  SmallVector<OpFoldResult> position =
      delinearize(builder, math.loc, task,
                  {grid.pixels.leadingBlocks, grid.panelBlocks, grid.pixels.rowBlocks});
  Range panels = Range::part(math, position[1], grid.panelsPerTask, grid.panelCount);
  Range rows = Range::part(math, position[2], grid.pixels.rowsPerTask, grid.pixels.rows.tiles);
  grid.pixels.forEachLeading(builder, position[0], [&](ArrayRef<OpFoldResult> leading) {
    emitLoop(builder, panels.first, panels.last, 1,
             [&](OpFoldResult panel) { emitPanels(leading, panel, rows); });
  });
}

/// One panel, which is a full one or the last of its group.
void ConvEmitter::emitPanels(ArrayRef<OpFoldResult> leading, OpFoldResult position, Range rows) {
  OpFoldResult nr = math.of(strategy.getNr());
  OpFoldResult number = math.rem(position, grid.panels);
  OpFoldResult full = math.div(problem.outputChannels, nr);
  OpFoldResult tail = math.rem(problem.outputChannels, nr);
  Panel panel;
  panel.group = math.div(position, grid.panels);
  panel.firstChannel = math.mul(number, nr);
  SmallVector<OpFoldResult> origin(problem.weights.rank(), math.of(0));
  origin[0] = panel.group;
  origin[1] = number;
  panel.weights = elementPointer(builder, math.loc, problem.weights, origin);

  bool onlyFull = isConstant(tail, 0), onlyTail = isConstant(full, 0);
  panel.channels = nr;
  panel.vectors = strategy.getNv();
  if (onlyFull)
    return emitPanel(leading, panel, rows);
  if (!onlyTail)
    emitIfGreater(builder, full, number, [&] { emitPanel(leading, panel, rows); });
  panel.channels = tail;
  if (std::optional<int64_t> constant = getConstant(tail))
    panel.vectors = llvm::divideCeil(*constant, strategy.getLanes());
  if (onlyTail)
    return emitPanel(leading, panel, rows);
  emitIfGreater(builder, number, math.sub(full, math.of(1)),
                [&] { emitPanel(leading, panel, rows); });
}

void ConvEmitter::emitPanel(ArrayRef<OpFoldResult> leading, const Panel &panel, Range rows) {
  grid.pixels.forEachTile(builder, leading, rows,
                          [&](const PixelTile &pixels) { emitTile(panel, pixels); });
}

TileOperands ConvEmitter::locate(const Panel &panel, const PixelTile &pixels) {
  SmallVector<OpFoldResult> origin = pixels.firstInput(math, problem.strides);
  origin.push_back(panel.group);
  origin.push_back(math.of(0));

  TileOperands operands;
  operands.a = elementPointer(builder, math.loc, problem.input, origin);
  operands.form = form;
  operands.aStep = math.of(form.step());
  for (unsigned row = 0; row < pixels.rows; ++row)
    for (unsigned column = 0; column < pixels.columns; ++column)
      operands.aRows.push_back(math.add(math.mul(math.of(row), pixelDistance(spatial - 2)),
                                        math.mul(math.of(column), pixelDistance(spatial - 1))));
  operands.b = panel.weights;
  operands.bStep = math.of(strategy.getNr() * form.step());
  if (problem.prologue)
    operands.computeB = [this, panel](Value elements, OpFoldResult, unsigned vector) {
      OpFoldResult channel = math.of(vector * strategy.getLanes());
      OpFoldResult left = math.sub(panel.channels, channel);
      bool whole = *getConstant(left) >= strategy.getLanes();
      Value mask = whole ? Value() : makeTailMask(builder, math.loc, left, strategy.getLanes());
      OpFoldResult first = math.add(panel.firstChannel, channel);
      return problem.prologue(builder, elements, {panel.group, first}, mask);
    };
  return operands;
}

/// The taps of a spatial dimension and all behind it.
SmallVector<Value> ConvEmitter::emitTaps(const Panel &panel, const RegisterTile &tile,
                                         TileOperands operands, unsigned dimension,
                                         ValueRange accumulators) {
  OpFoldResult depth = problem.inputChannels;
  bool last = dimension + 1 == spatial, joined = strategy.getJoinTaps();
  if (joined)
    depth = math.mul(problem.taps.back(), depth);
  if (last && joined)
    return emitReduction(builder, tile, operands, depth, accumulators);
  OpFoldResult weightDistance = math.mul(operands.bStep, math.ceilDiv(depth, math.of(form.step())));
  for (unsigned i = dimension + 1; i < spatial - joined; ++i)
    weightDistance = math.mul(weightDistance, problem.taps[i]);
  OpFoldResult inputDistance = tapDistance(dimension);
  return emitCarriedLoop(
      builder, problem.taps[dimension], accumulators, [&](OpFoldResult tap, ValueRange carried) {
        TileOperands moved = operands;
        moved.a =
            offsetPointer(builder, math.loc, operands.a, form.aType, math.mul(tap, inputDistance));
        moved.b =
            offsetPointer(builder, math.loc, operands.b, form.bType, math.mul(tap, weightDistance));
        if (last)
          return emitReduction(builder, tile, moved, depth, carried);
        return emitTaps(panel, tile, moved, dimension + 1, carried);
      });
}

void ConvEmitter::emitTile(const Panel &panel, const PixelTile &pixels) {
  RegisterTile tile = makeTile(pixels.size(), panel.vectors);
  SmallVector<Value> accumulators =
      emitTaps(panel, tile, locate(panel, pixels), 0, emitZeroTile(builder, tile));
  auto place = [&](OpFoldResult pixel, OpFoldResult channel) {
    SmallVector<OpFoldResult> position = pixels.position(math, pixel);
    position.push_back(panel.group);
    position.push_back(math.add(panel.firstChannel, channel));
    return position;
  };
  TileTarget result{problem.output, place, epilogue, epilogueCost,
                    target.has(CpuFact::maskedVectors)};
  if (result.isStraight(tile, panel.channels))
    return emitStoreTile(builder, tile, accumulators, panel.channels, result);
  emitSaveTile(builder, tile, accumulators, getScratch(), strategy.getNr());
  emitStoreScratch(builder, makeTile(1, strategy.getNv()), getScratch(), math.of(tile.rows),
                   panel.channels, result);
}

//===-- Entry points ------------------------------------------------------===//

/// The problem with at least two spatial dimensions.
static ConvProblem withTwoDimensions(OpBuilder &builder, const ConvProblem &problem) {
  ConvProblem result = problem;
  if (problem.outputSizes.size() == 1)
    addRowDimension(builder, {&result.input, &result.output}, result.outputSizes, result.taps,
                    result.strides, result.dilations);
  return result;
}

OpFoldResult emitConvTaskCount(OpBuilder &builder, Location loc, const ConvProblem &problem,
                               rt::ConvAttr strategy) {
  ConvGrid grid = computeGrid({builder, loc}, withTwoDimensions(builder, problem), strategy);
  return productIndex(builder, loc,
                      {grid.pixels.leadingBlocks, grid.panelBlocks, grid.pixels.rowBlocks});
}

void emitConv(OpBuilder &builder, Location loc, const ConvProblem &problem, rt::ConvAttr strategy,
              rt::CpuAttr target, OpFoldResult task, Epilogue epilogue, unsigned epilogueCost) {
  ImplicitLocOpBuilder located(loc, builder);
  ConvProblem flat = withTwoDimensions(builder, problem);
  auto emit = [&](Epilogue adapted) {
    ConvEmitter(located, flat, strategy, target, adapted, epilogueCost).emitTask(task);
  };
  if (problem.outputSizes.size() == 1)
    withoutRowDimension(epilogue, emit);
  else
    emit(epilogue);
  builder.restoreInsertionPoint(located.saveInsertionPoint());
}

} // namespace onnxc::emit
