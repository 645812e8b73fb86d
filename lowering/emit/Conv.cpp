//===- Conv.cpp - direct convolution
//---------------------------------------===//
//
// A register tile is some neighbouring output pixels times a panel of output
// channels. Its reduction walks over the taps; along the last spatial dimension
// taps and channels lie in one piece, and are one long depth. No copy of the
// input is made.
//
//===----------------------------------------------------------------------===//
#include "lowering/emit/Conv.h"
#include "lowering/emit/Tiling.h"

using namespace mlir;

namespace onnxc::emit {

namespace {
/// How an output falls into tiles and tasks. `leading` are the image and all
/// spatial dimensions but the last two.
struct ConvGrid {
  SmallVector<OpFoldResult> leading;
  Tiling rows, columns;
  OpFoldResult leadingCount, panels, panelCount; ///< panelCount: all groups
  OpFoldResult leadingPerTask, panelsPerTask, rowsPerTask;
  OpFoldResult leadingBlocks, panelBlocks, rowBlocks;
};
} // namespace

/// The problem with a row dimension of size one where there is none, so that
/// there are always two last spatial dimensions.
static ConvProblem withTwoDimensions(OpBuilder &builder,
                                     const ConvProblem &problem) {
  ConvProblem result = problem;
  if (problem.outputSizes.size() > 1)
    return result;
  OpFoldResult one = builder.getIndexAttr(1), zero = builder.getIndexAttr(0);
  auto prepend = [](auto &list, auto value) {
    list.insert(list.begin(), value);
  };
  prepend(result.outputSizes, one);
  prepend(result.taps, one);
  prepend(result.strides, int64_t(1));
  prepend(result.dilations, int64_t(1));
  for (Buffer *buffer : {&result.input, &result.output}) {
    buffer->sizes.insert(buffer->sizes.begin() + 1, one);
    buffer->strides.insert(buffer->strides.begin() + 1, zero);
  }
  return result;
}

static ConvGrid computeGrid(IndexMath math, const ConvProblem &problem,
                            rt::ConvAttr strategy) {
  ConvGrid grid;
  ArrayRef<OpFoldResult> sizes = problem.outputSizes;
  grid.leading.push_back(problem.images);
  grid.leading.append(sizes.begin(), sizes.end() - 2);
  grid.leadingCount = productIndex(math.builder, math.loc, grid.leading);
  OpFoldResult rows = sizes[sizes.size() - 2], columns = sizes.back();
  grid.rows = Tiling::compute(math, rows, strategy.getTileRows());
  grid.columns = Tiling::compute(math, columns, strategy.getTileColumns());
  OpFoldResult nr = math.of(strategy.getNr());
  grid.panels = math.ceilDiv(problem.outputChannels, nr);
  grid.panelCount = math.mul(grid.panels, problem.groups);

  // Rows first, as they share a panel of weights.
  OpFoldResult target = math.of(strategy.getWorkPerTask());
  OpFoldResult depth = productIndex(math.builder, math.loc, problem.taps);
  depth = math.mul(depth, problem.inputChannels);
  OpFoldResult work = math.mul(math.mul(depth, nr),
                               math.mul(columns, math.of(strategy.getTileRows())));
  grid.rowsPerTask = math.balance(
      grid.rows.tiles, math.clamp(math.ceilDiv(target, work), grid.rows.tiles));
  work = math.mul(work, grid.rowsPerTask);
  grid.panelsPerTask = math.balance(
      grid.panelCount, math.clamp(math.div(target, work), grid.panelCount));
  work = math.mul(work, grid.panelsPerTask);
  grid.leadingPerTask = math.clamp(math.div(target, work), grid.leadingCount);
  grid.leadingBlocks = math.ceilDiv(grid.leadingCount, grid.leadingPerTask);
  grid.panelBlocks = math.ceilDiv(grid.panelCount, grid.panelsPerTask);
  grid.rowBlocks = math.ceilDiv(grid.rows.tiles, grid.rowsPerTask);
  return grid;
}

namespace {
class ConvEmitter {
public:
  ConvEmitter(ImplicitLocOpBuilder &builder, const ConvProblem &problem,
              rt::ConvAttr strategy, rt::TargetAttr target,
              Epilogue epilogue, unsigned epilogueCost)
      : builder(builder), math{builder, builder.getLoc()}, problem(problem),
        strategy(strategy), target(target), epilogue(epilogue),
        epilogueCost(epilogueCost), grid(computeGrid(math, problem, strategy)),
        spatial(problem.outputSizes.size()) {}

  void emitTask(OpFoldResult task);

private:
  struct Panel {
    OpFoldResult group, firstChannel, channels;
    unsigned vectors;
    Value weights; ///< of the panel
  };
  /// Output pixels of a tile: row-major, `rows` x `columns`.
  struct Pixels {
    ArrayRef<OpFoldResult> leading;
    OpFoldResult firstRow, firstColumn;
    unsigned rows, columns;
  };

  void emitPanels(ArrayRef<OpFoldResult> leading, OpFoldResult position,
                  Range rows);
  void emitPanel(ArrayRef<OpFoldResult> leading, const Panel &panel,
                 Range rows);
  void emitTile(const Panel &panel, const Pixels &pixels);
  SmallVector<Value> emitTaps(const Panel &panel, const RegisterTile &tile,
                              TileOperands operands, unsigned dimension,
                              ValueRange accumulators);
  TileOperands locate(const Panel &panel, const Pixels &pixels);
  SmallVector<OpFoldResult> coordinates(const Panel &panel,
                                        const Pixels &pixels, OpFoldResult row,
                                        OpFoldResult column);
  OpFoldResult inputStride(unsigned dimension) {
    return problem.input.strides[1 + dimension];
  }
  OpFoldResult tapDistance(unsigned dimension) {
    return math.mul(math.of(problem.dilations[dimension]),
                    inputStride(dimension));
  }
  OpFoldResult pixelDistance(unsigned dimension) {
    return math.mul(math.of(problem.strides[dimension]),
                    inputStride(dimension));
  }
  RegisterTile makeTile(unsigned rows, unsigned vectors) const {
    return {rows, vectors, unsigned(strategy.getLanes()), problem.accumulatorType};
  }
  Value getScratch() {
    if (!scratch)
      scratch = allocateStack(builder, math.loc, problem.accumulatorType,
                              strategy.getTileRows() * strategy.getTileColumns() *
                                  strategy.getNr());
    return scratch;
  }

  ImplicitLocOpBuilder &builder;
  IndexMath math;
  const ConvProblem &problem;
  rt::ConvAttr strategy;
  rt::TargetAttr target;
  Epilogue epilogue;
  unsigned epilogueCost;
  ConvGrid grid;
  unsigned spatial;
  Value scratch;
};
} // namespace

void ConvEmitter::emitTask(OpFoldResult task) {
  SmallVector<OpFoldResult> position =
      delinearize(builder, math.loc, task,
                  {grid.leadingBlocks, grid.panelBlocks, grid.rowBlocks});
  Range leading =
      Range::part(math, position[0], grid.leadingPerTask, grid.leadingCount);
  Range panels =
      Range::part(math, position[1], grid.panelsPerTask, grid.panelCount);
  Range rows =
      Range::part(math, position[2], grid.rowsPerTask, grid.rows.tiles);
  emitLoop(builder, leading.first, leading.last, 1, [&](OpFoldResult number) {
    SmallVector<OpFoldResult> indices =
        delinearize(builder, math.loc, number, grid.leading);
    emitLoop(builder, panels.first, panels.last, 1,
             [&](OpFoldResult panel) { emitPanels(indices, panel, rows); });
  });
}

/// One panel, which is a full one or the last of its group.
void ConvEmitter::emitPanels(ArrayRef<OpFoldResult> leading,
                             OpFoldResult position, Range rows) {
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
    emitIfGreater(builder, full, number,
                  [&] { emitPanel(leading, panel, rows); });
  panel.channels = tail;
  if (std::optional<int64_t> constant = getConstant(tail))
    panel.vectors = llvm::divideCeil(*constant, strategy.getLanes());
  if (onlyTail)
    return emitPanel(leading, panel, rows);
  emitIfGreater(builder, number, math.sub(full, math.of(1)),
                [&] { emitPanel(leading, panel, rows); });
}

void ConvEmitter::emitPanel(ArrayRef<OpFoldResult> leading, const Panel &panel,
                            Range rows) {
  auto nothing = [](OpFoldResult, OpFoldResult) {};
  emitTiles(
      builder, grid.rows, rows.first, rows.last,
      [&](unsigned rowCount, OpFoldResult firstRow) {
        emitTiles(
            builder, grid.columns, math.of(0), grid.columns.tiles,
            [&](unsigned columnCount, OpFoldResult firstColumn) {
              emitTile(panel,
                       {leading, firstRow, firstColumn, rowCount, columnCount});
            },
            nothing);
      },
      nothing);
}

TileOperands ConvEmitter::locate(const Panel &panel, const Pixels &pixels) {
  SmallVector<OpFoldResult> origin(pixels.leading);
  origin.push_back(pixels.firstRow);
  origin.push_back(pixels.firstColumn);
  for (unsigned i = 0; i < spatial; ++i)
    origin[1 + i] = math.mul(origin[1 + i], math.of(problem.strides[i]));
  origin.push_back(panel.group);
  origin.push_back(math.of(0));

  TileOperands operands;
  operands.a = elementPointer(builder, math.loc, problem.input, origin);
  operands.aType = problem.input.elementType;
  operands.aStep = math.of(1);
  for (unsigned row = 0; row < pixels.rows; ++row)
    for (unsigned column = 0; column < pixels.columns; ++column)
      operands.aRows.push_back(
          math.add(math.mul(math.of(row), pixelDistance(spatial - 2)),
                   math.mul(math.of(column), pixelDistance(spatial - 1))));
  operands.b = panel.weights;
  operands.bType = problem.weights.elementType;
  operands.bStep = math.of(strategy.getNr());
  return operands;
}

/// The taps of a spatial dimension and all behind it.
SmallVector<Value> ConvEmitter::emitTaps(const Panel &panel,
                                         const RegisterTile &tile,
                                         TileOperands operands,
                                         unsigned dimension,
                                         ValueRange accumulators) {
  OpFoldResult channels = problem.inputChannels;
  bool last = dimension + 1 == spatial;
  if (last && tapDistance(dimension) == channels)
    return emitReduction(builder, tile, operands,
                         math.mul(problem.taps[dimension], channels),
                         accumulators);
  OpFoldResult weightDistance = math.mul(operands.bStep, channels);
  for (unsigned i = dimension + 1; i < spatial; ++i)
    weightDistance = math.mul(weightDistance, problem.taps[i]);
  OpFoldResult inputDistance = tapDistance(dimension);
  return emitCarriedLoop(
      builder, problem.taps[dimension], accumulators,
      [&](OpFoldResult tap, ValueRange carried) {
        TileOperands moved = operands;
        moved.a = offsetPointer(builder, math.loc, operands.a, operands.aType,
                                math.mul(tap, inputDistance));
        moved.b = offsetPointer(builder, math.loc, operands.b, operands.bType,
                                math.mul(tap, weightDistance));
        if (last)
          return emitReduction(builder, tile, moved, channels, carried);
        return emitTaps(panel, tile, moved, dimension + 1, carried);
      });
}

SmallVector<OpFoldResult> ConvEmitter::coordinates(const Panel &panel,
                                                   const Pixels &pixels,
                                                   OpFoldResult row,
                                                   OpFoldResult column) {
  SmallVector<OpFoldResult> position(pixels.leading);
  OpFoldResult width = math.of(pixels.columns);
  bool single = pixels.rows == 1;
  OpFoldResult pixelRow = single ? math.of(0) : math.div(row, width);
  OpFoldResult pixelColumn = single ? row : math.rem(row, width);
  position.push_back(math.add(pixels.firstRow, pixelRow));
  position.push_back(math.add(pixels.firstColumn, pixelColumn));
  position.push_back(panel.group);
  position.push_back(math.add(panel.firstChannel, column));
  return position;
}

void ConvEmitter::emitTile(const Panel &panel, const Pixels &pixels) {
  RegisterTile tile = makeTile(pixels.rows * pixels.columns, panel.vectors);
  SmallVector<Value> accumulators = emitTaps(panel, tile, locate(panel, pixels),
                                             0, emitZeroTile(builder, tile));
  auto place = [&](OpFoldResult row, OpFoldResult column) {
    return coordinates(panel, pixels, row, column);
  };
  TileTarget result{problem.output, place, epilogue, epilogueCost,
                    target.getMaskedVectors()};
  if (result.isStraight(tile, panel.channels))
    return emitStoreTile(builder, tile, accumulators, panel.channels, result);
  emitSaveTile(builder, tile, accumulators, getScratch(), strategy.getNr());
  emitStoreScratch(builder, makeTile(1, strategy.getNv()), getScratch(),
                   math.of(tile.rows), panel.channels, result);
}

//===-- Entry points ------------------------------------------------------===//

OpFoldResult emitConvTaskCount(OpBuilder &builder, Location loc,
                               const ConvProblem &problem,
                               rt::ConvAttr strategy) {
  ConvGrid grid = computeGrid({builder, loc},
                              withTwoDimensions(builder, problem), strategy);
  return productIndex(builder, loc,
                      {grid.leadingBlocks, grid.panelBlocks, grid.rowBlocks});
}

/// The coordinates of the problem as the caller knows it: without the row
/// dimension that `withTwoDimensions` added.
static SmallVector<OpFoldResult> dropAddedRow(ArrayRef<OpFoldResult> indices) {
  SmallVector<OpFoldResult> result(indices);
  result.erase(result.begin() + 1);
  return result;
}

void emitConv(OpBuilder &builder, Location loc, const ConvProblem &problem,
              rt::ConvAttr strategy, rt::TargetAttr target,
              OpFoldResult task, Epilogue epilogue, unsigned epilogueCost) {
  ImplicitLocOpBuilder located(loc, builder);
  ConvProblem flat = withTwoDimensions(builder, problem);
  auto oneDimensional = [&](OpBuilder &inner, Location innerLoc, Value value,
                            ArrayRef<OpFoldResult> indices, Value mask) {
    return epilogue(inner, innerLoc, value, dropAddedRow(indices), mask);
  };
  bool added = problem.outputSizes.size() == 1;
  Epilogue adapted = added && epilogue ? Epilogue(oneDimensional) : epilogue;
  ConvEmitter(located, flat, strategy, target, adapted, epilogueCost)
      .emitTask(task);
  builder.restoreInsertionPoint(located.saveInsertionPoint());
}

} // namespace onnxc::emit
