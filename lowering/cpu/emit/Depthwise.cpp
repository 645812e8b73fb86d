//===- Depthwise.cpp - depthwise convolution ------------------------------===//
//
// A tile is some rows and columns of output pixels times one vector of
// channels; vectors of channels follow each other inside. A row of taps is held
// in registers, and each input vector is loaded once for all pixels of a row
// that see it.
//
//===----------------------------------------------------------------------===//
#include "lowering/cpu/emit/Depthwise.h"
#include "lowering/cpu/emit/PixelGrid.h"

using namespace mlir;

namespace onnxc::emit {

static PixelGrid computeGrid(SizeMath math, const DepthwiseProblem &problem,
                             rt::DepthwiseAttr strategy) {
  PixelGrid grid = PixelGrid::compute(math, problem.images, problem.outputSizes,
                                      strategy.getTileRows(), strategy.getTileColumns());
  int64_t taps = 1;
  for (int64_t size : problem.taps)
    taps *= size;
  OpFoldResult target = math.of(strategy.getWorkPerTask());
  OpFoldResult work = math.mul(math.mul(problem.outputSizes.back(), problem.channels),
                               math.of(taps * strategy.getTileRows()));
  grid.shareLeading(math, target, grid.shareRows(math, target, work));
  return grid;
}

namespace {
class DepthwiseEmitter {
public:
  DepthwiseEmitter(ImplicitLocOpBuilder &builder, const DepthwiseProblem &problem,
                   rt::DepthwiseAttr strategy, rt::CpuAttr target, Epilogue epilogue,
                   unsigned epilogueCost)
      : builder(builder), math{builder, builder.getLoc()}, problem(problem), strategy(strategy),
        target(target), epilogue(epilogue), epilogueCost(epilogueCost),
        grid(computeGrid(math, problem, strategy)), spatial(problem.outputSizes.size()) {}

  void emitTask(OpFoldResult task);

private:
  /// Output pixels of a tile and a vector of channels.
  struct Tile {
    PixelTile pixels;
    OpFoldResult channel;
    unsigned lanes;
    Value mask;            ///< of the channels, or null
    OpFoldResult channels; ///< that exist
  };

  void emitRows(ArrayRef<OpFoldResult> leading, Range rows, Range channels);
  void emitChannels(Tile tile, Range channels);
  void emitTile(const Tile &tile);
  SmallVector<Value> emitTaps(const Tile &tile, Value input, Value weights, unsigned dimension,
                              ValueRange accumulators);
  SmallVector<Value> emitTapRow(const Tile &tile, Value input, Value weights,
                                ValueRange accumulators);
  void store(const Tile &tile, ValueRange accumulators);

  Value read(Value pointer, Type elementType, bool isUnsigned, const Tile &tile) {
    Value value = tile.mask ? maskedLoadFrom(builder, math.loc, pointer, elementType, tile.mask)
                            : loadFrom(builder, math.loc, pointer, elementType, tile.lanes);
    return emitWiden(builder, value, problem.accumulatorType, isUnsigned);
  }
  OpFoldResult inputStride(unsigned dimension) { return problem.input.strides[1 + dimension]; }

  ImplicitLocOpBuilder &builder;
  SizeMath math;
  const DepthwiseProblem &problem;
  rt::DepthwiseAttr strategy;
  rt::CpuAttr target;
  Epilogue epilogue;
  unsigned epilogueCost;
  PixelGrid grid;
  unsigned spatial;
  Value scratch;
};
} // namespace

void DepthwiseEmitter::emitTask(OpFoldResult task) {
  SmallVector<OpFoldResult> position =
      delinearize(builder, math.loc, task, {grid.leadingBlocks, grid.rowBlocks});
  Range rows = Range::part(math, position[1], grid.rowsPerTask, grid.rows.tiles);
  grid.forEachLeading(builder, position[0], [&](ArrayRef<OpFoldResult> leading) {
    int64_t block = strategy.getChannelBlock();
    if (block == 0)
      return emitRows(leading, rows, {math.of(0), problem.channels});
    emitLoop(builder, math.of(0), problem.channels, block, [&](OpFoldResult first) {
      OpFoldResult last = math.min(math.add(first, math.of(block)), problem.channels);
      emitRows(leading, rows, {first, last});
    });
  });
}

void DepthwiseEmitter::emitRows(ArrayRef<OpFoldResult> leading, Range rows, Range channels) {
  grid.forEachTile(builder, leading, rows, [&](const PixelTile &pixels) {
    Tile tile;
    tile.pixels = pixels;
    emitChannels(tile, channels);
  });
}

/// Whole vectors of channels, then the rest under a mask or one by one.
void DepthwiseEmitter::emitChannels(Tile tile, Range channels) {
  OpFoldResult lanes = math.of(strategy.getLanes());
  OpFoldResult whole = math.mul(math.div(problem.channels, lanes), lanes);
  tile.lanes = strategy.getLanes();
  tile.channels = lanes;
  emitLoop(builder, channels.first, math.min(channels.last, whole), strategy.getLanes(),
           [&](OpFoldResult channel) {
             tile.channel = channel;
             emitTile(tile);
           });
  OpFoldResult rest = math.sub(problem.channels, whole);
  if (!target.has(CpuFact::maskedVectors)) {
    tile.lanes = 1;
    tile.channels = math.of(1);
    emitLoop(builder, math.max(channels.first, whole), channels.last, 1, [&](OpFoldResult channel) {
      tile.channel = channel;
      emitTile(tile);
    });
    return;
  }
  if (isConstant(rest, 0))
    return;
  emitIfGreater(builder, channels.last, whole, [&] {
    tile.channel = whole;
    tile.channels = rest;
    tile.mask = makeTailMask(builder, math.loc, rest, strategy.getLanes());
    emitTile(tile);
  });
}

void DepthwiseEmitter::emitTile(const Tile &tile) {
  SmallVector<OpFoldResult> origin = tile.pixels.firstInput(math, problem.strides);
  origin.push_back(tile.channel);
  Value input = elementPointer(builder, math.loc, problem.input, origin);
  SmallVector<OpFoldResult> firstTap(problem.weights.rank(), math.of(0));
  firstTap.back() = tile.channel;
  Value weights = elementPointer(builder, math.loc, problem.weights, firstTap);
  RegisterTile registers{tile.pixels.size(), 1, tile.lanes, problem.accumulatorType};
  store(tile, emitTaps(tile, input, weights, 0, emitZeroTile(builder, registers)));
}

/// The taps of a spatial dimension and all behind it.
SmallVector<Value> DepthwiseEmitter::emitTaps(const Tile &tile, Value input, Value weights,
                                              unsigned dimension, ValueRange accumulators) {
  if (dimension + 1 == spatial)
    return emitTapRow(tile, input, weights, accumulators);
  auto step = [&](OpFoldResult tap, ValueRange carried) {
    OpFoldResult distance = math.mul(math.of(problem.dilations[dimension]), inputStride(dimension));
    Value nextInput =
        offsetPointer(builder, math.loc, input, problem.input.elementType, math.mul(tap, distance));
    Value nextWeights = offsetPointer(builder, math.loc, weights, problem.weights.elementType,
                                      math.mul(tap, problem.weights.strides[dimension]));
    return emitTaps(tile, nextInput, nextWeights, dimension + 1, carried);
  };
  if (strategy.getLoopOverTapRows())
    return emitCarriedLoop(builder, math.of(problem.taps[dimension]), accumulators, step);
  SmallVector<Value> current(accumulators);
  for (int64_t tap = 0; tap < problem.taps[dimension]; ++tap)
    current = step(math.of(tap), current);
  return current;
}

/// One row of taps for all pixels of the tile. Input positions are visited in
/// order, each loaded once.
SmallVector<Value> DepthwiseEmitter::emitTapRow(const Tile &tile, Value input, Value weights,
                                                ValueRange accumulators) {
  unsigned last = spatial - 1;
  int64_t taps = problem.taps[last], stride = problem.strides[last],
          dilation = problem.dilations[last];
  SmallVector<Value> filter;
  for (int64_t tap = 0; tap < taps; ++tap) {
    OpFoldResult offset = math.mul(math.of(tap), problem.weights.strides[last]);
    filter.push_back(
        read(offsetPointer(builder, math.loc, weights, problem.weights.elementType, offset),
             problem.weights.elementType, problem.weightsUnsigned, tile));
  }
  SmallVector<Value> current(accumulators);
  for (unsigned row = 0; row < tile.pixels.rows; ++row) {
    OpFoldResult rowOffset =
        math.mul(math.of(row * problem.strides[last - 1]), inputStride(last - 1));
    Value rowInput = offsetPointer(builder, math.loc, input, problem.input.elementType, rowOffset);
    int64_t width = (tile.pixels.columns - 1) * stride + (taps - 1) * dilation + 1;
    for (int64_t x = 0; x < width; ++x) {
      Value value;
      for (int64_t tap = 0; tap < taps; ++tap) {
        int64_t distance = x - tap * dilation;
        if (distance < 0 || distance % stride || distance / stride >= int64_t(tile.pixels.columns))
          continue;
        if (!value)
          value = read(offsetPointer(builder, math.loc, rowInput, problem.input.elementType,
                                     math.mul(math.of(x), inputStride(last))),
                       problem.input.elementType, problem.inputUnsigned, tile);
        Value &sum = current[row * tile.pixels.columns + distance / stride];
        sum = emitMultiplyAdd(builder, value, filter[tap], sum);
      }
    }
  }
  return current;
}

void DepthwiseEmitter::store(const Tile &tile, ValueRange accumulators) {
  auto place = [&](OpFoldResult pixel, OpFoldResult channel) {
    SmallVector<OpFoldResult> position = tile.pixels.position(math, pixel);
    position.push_back(math.add(tile.channel, channel));
    return position;
  };
  TileTarget result{problem.output, place, epilogue, epilogueCost,
                    target.has(CpuFact::maskedVectors)};
  RegisterTile registers{tile.pixels.size(), 1, tile.lanes, problem.accumulatorType};
  if (result.isStraight(registers, tile.channels))
    return emitStoreTile(builder, registers, accumulators, tile.channels, result);
  if (!scratch)
    scratch =
        allocateStack(builder, math.loc, problem.accumulatorType,
                      strategy.getTileRows() * strategy.getTileColumns() * strategy.getLanes());
  emitSaveTile(builder, registers, accumulators, scratch, tile.lanes);
  emitStoreScratch(builder, registers, scratch, math.of(registers.rows), tile.channels, result);
}

//===-- Entry points ------------------------------------------------------===//

/// The problem with at least two spatial dimensions.
static DepthwiseProblem withTwoDimensions(OpBuilder &builder, const DepthwiseProblem &problem) {
  DepthwiseProblem result = problem;
  if (problem.outputSizes.size() > 1)
    return result;
  addRowDimension(builder, {&result.input, &result.output}, result.outputSizes, result.taps,
                  result.strides, result.dilations);
  result.weights.sizes.insert(result.weights.sizes.begin(), getIndex(builder, 1));
  result.weights.strides.insert(result.weights.strides.begin(), getIndex(builder, 0));
  return result;
}

OpFoldResult emitDepthwiseTaskCount(OpBuilder &builder, Location loc,
                                    const DepthwiseProblem &problem, rt::DepthwiseAttr strategy) {
  PixelGrid grid = computeGrid({builder, loc}, withTwoDimensions(builder, problem), strategy);
  return mulIndex(builder, loc, grid.leadingBlocks, grid.rowBlocks);
}

void emitDepthwise(OpBuilder &builder, Location loc, const DepthwiseProblem &problem,
                   rt::DepthwiseAttr strategy, rt::CpuAttr target, OpFoldResult task,
                   Epilogue epilogue, unsigned epilogueCost) {
  ImplicitLocOpBuilder located(loc, builder);
  DepthwiseProblem flat = withTwoDimensions(builder, problem);
  auto emit = [&](Epilogue adapted) {
    DepthwiseEmitter(located, flat, strategy, target, adapted, epilogueCost).emitTask(task);
  };
  if (problem.outputSizes.size() == 1)
    withoutRowDimension(epilogue, emit);
  else
    emit(epilogue);
  builder.restoreInsertionPoint(located.saveInsertionPoint());
}

} // namespace onnxc::emit
