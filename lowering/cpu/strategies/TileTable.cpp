//===- TileTable.cpp - tile sizes for a CPU ----------------------------===//
#include "lowering/cpu/strategies/TileTable.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <numeric>

namespace onnxc::cpu {

namespace {
/// A register tile: rows (or pixels) and vectors of columns.
struct Tile {
  int64_t rows, vectors;
};

/// What the tables take every core for, whatever the target says: they were
/// measured on large ones, which have at least this. A target tells its vectors,
/// its registers and the size of its cache (`#rt.cpu`).
struct CoreModel {
  double multiplyAddsPerCycle = 2, loadsPerCycle = 2;
  double multiplyAddLatency = 4;
  /// Of the first-level cache. Addresses `cacheSetBytes` apart share a set.
  int64_t cacheWays = 8, cacheSetBytes = 4096;
};
} // namespace

static constexpr CoreModel core;

// By the number of registers, best first. Each leaves a register for every vector
// of B and one for A. Tiles of a contraction have at most eight rows: rows that are
// a multiple of `cacheSetBytes` apart share a set, which has so many ways.
static constexpr Tile gemmTiles32[] = {{6, 4}, {8, 3}, {8, 2}, {8, 1}};
static constexpr Tile gemmTiles16[] = {{6, 2}, {4, 3}, {8, 1}};
// Neighbouring pixels are close in memory, so that more rows do no harm.
static constexpr Tile convTiles32[] = {{14, 2}, {12, 2}, {8, 3}, {6, 4}, {7, 3}, {4, 4}, {16, 1}};
static constexpr Tile convTiles16[] = {{6, 2}, {4, 3}, {7, 1}, {8, 1}};

/// Longest depth whose panel and rows stay in the caches. Panels and rows that
/// are packed on the stack are shorter: a thread may have as little as 128 KiB.
static constexpr int64_t longestDepth = 1024;
static constexpr int64_t longestStackDepth = 256;
static constexpr int64_t longestRowsDepth = 128;
/// The depth block of a K that is only known at run time, at most.
static constexpr int64_t blockOfUnknownDepth = 512;
/// Depth blocks are a multiple of this.
static constexpr int64_t depthBlockStep = 8;
/// Rows and columns that are only known at run time count as many tiles, whose
/// tails weigh nothing.
static constexpr int64_t tilesOfUnknownRows = 64, tilesOfUnknownColumns = 16;
/// Rows of A that a task reads for each panel, as long as there are enough.
static constexpr int64_t rowsPerTask = 96;
/// Multiply-adds of a task per lane of a vector: some 20 microseconds.
static constexpr int64_t workPerLane = 1 << 17;
/// Rows that a panel of B must serve before arithmetic costs more than reading
/// it from memory.
static constexpr int64_t rowsThatHideReading = 12;
static constexpr int64_t rowsWorthPacking = 24;
static constexpr int64_t rowsWorthTransposing = 6;

/// Sums that must be in flight so that none waits for the one before it.
static constexpr auto chains =
    static_cast<int64_t>(core.multiplyAddsPerCycle * core.multiplyAddLatency);

/// A later tile must be better by more than the tiles' measured spread.
static constexpr double margin = 0.97;

std::optional<bool> choosePackedSign(rt::CpuAttr target, bool otherUnsigned) {
  if (target.has(CpuFact::mixedDots))
    return !otherUnsigned;
  if (target.has(CpuFact::alikeDots))
    return otherUnsigned;
  return std::nullopt;
}

/// What one instruction takes of the depth. Dot products need the signs that the packed
/// factor gets from `choosePackedSign`.
static rt::Product chooseProduct(rt::CpuAttr target, const rt::FactorTypes &factors) {
  if (!factors.areBytes)
    return rt::Product::MultiplyAdd;
  if (target.has(CpuFact::mixedDots) && factors.aUnsigned != factors.bUnsigned)
    return rt::Product::MixedDots;
  if (target.has(CpuFact::alikeDots) && factors.aUnsigned == factors.bUnsigned)
    return rt::Product::AlikeDots;
  return target.has(CpuFact::pairDots) ? rt::Product::PairDots : rt::Product::MultiplyAdd;
}

static bool fits(rt::CpuAttr target, Tile tile, rt::Product product) {
  // Where A is an element of a register instead of a broadcast from memory, the
  // scheduler keeps a few rows of A in flight.
  bool keepsRows = target.has(CpuFact::elementOperands) || target.has(CpuFact::broadcastOperands);
  int64_t rowsInFlight = keepsRows ? 4 : 1;
  // A sum of two products waits there to be added.
  int64_t partialSums = product == rt::Product::PairDots ? 1 : 0;
  return tile.rows * tile.vectors + tile.vectors + rowsInFlight + partialSums <=
         int64_t(target.getVectorRegisters());
}

/// Cycles of one step of the depth.
static double stepCycles(int64_t rows, int64_t vectors) {
  return std::max({rows * vectors / core.multiplyAddsPerCycle,
                   (rows + vectors) / core.loadsPerCycle, core.multiplyAddLatency});
}

/// Rows and columns to compare tiles with.
static int64_t orManyRows(int64_t rows, Tile tile) {
  return rows < 0 ? tilesOfUnknownRows * tile.rows : rows;
}
static int64_t orManyColumns(int64_t columns, Tile tile, int64_t lanes) {
  return columns < 0 ? tilesOfUnknownColumns * tile.vectors * lanes : columns;
}

/// Cycles of a step of the depth for all of M x N with a tile.
static double totalCycles(Tile tile, int64_t m, int64_t n, int64_t lanes) {
  m = orManyRows(m, tile);
  n = orManyColumns(n, tile, lanes);
  int64_t nr = tile.vectors * lanes;
  int64_t rowTiles = llvm::divideCeil(m, tile.rows);
  int64_t bigRows = llvm::divideCeil(m, std::max<int64_t>(rowTiles, 1));
  int64_t smallTiles = rowTiles * bigRows - m;
  auto column = [&](int64_t vectors) {
    return (rowTiles - smallTiles) * stepCycles(bigRows, vectors) +
           smallTiles * stepCycles(bigRows - 1, vectors);
  };
  double total = (n / nr) * column(tile.vectors);
  if (n % nr)
    total += column(llvm::divideCeil(n % nr, lanes));
  return total;
}

static Tile chooseTile(rt::CpuAttr target, llvm::ArrayRef<Tile> tiles, int64_t m, int64_t n,
                       int64_t lanes, rt::Product product) {
  Tile best = tiles.front();
  double bestCycles = -1;
  for (Tile tile : tiles) {
    if (!fits(target, tile, product))
      continue;
    if (m >= 0)
      tile.rows = std::max<int64_t>(1, std::min(tile.rows, m));
    if (n >= 0)
      tile.vectors =
          std::min<int64_t>(tile.vectors, std::max<int64_t>(1, llvm::divideCeil(n, lanes)));
    double cycles = totalCycles(tile, m, n, lanes);
    // Relative to the size, as unknown sizes depend on the tile.
    double work = double(orManyRows(m, tile)) * double(orManyColumns(n, tile, lanes));
    cycles /= std::max(work, 1.0);
    if (bestCycles >= 0 && cycles >= margin * bestCycles)
      continue;
    best = tile;
    bestCycles = cycles;
  }
  return best;
}

static int64_t chooseDepthBlock(int64_t k, int64_t longest) {
  if (k < 0)
    return std::min(longest, blockOfUnknownDepth);
  if (k <= longest)
    return 0;
  int64_t blocks = llvm::divideCeil(k, longest);
  return llvm::alignTo(llvm::divideCeil(k, blocks), depthBlockStep);
}

/// Where a contraction finds the panels of B.
static rt::PanelSource choosePanels(rt::CpuAttr target, const rt::GemmShape &shape, int64_t lanes) {
  if (shape.constantB)
    return rt::PanelSource::Packed;
  auto hasFewerRows = [&](int64_t rows) { return shape.m >= 0 && shape.m < rows; };
  bool readsColumns =
      !shape.contiguousRowsOfB && shape.contiguousColumnsOfB && shape.depthStrideOfA == 1;
  if (readsColumns && hasFewerRows(rowsWorthTransposing))
    return rt::PanelSource::Columns;
  // Packing pays when several rows read the panel.
  if (!shape.contiguousRowsOfB || !hasFewerRows(rowsWorthPacking))
    return rt::PanelSource::PerTask;
  bool wholeVectors = shape.n >= 0 && shape.n % lanes == 0;
  return target.has(CpuFact::maskedVectors) || wholeVectors ? rt::PanelSource::InPlace
                                                            : rt::PanelSource::FullInPlace;
}

rt::GemmAttr chooseGemm(rt::CpuAttr target, const rt::GemmShape &shape) {
  int64_t lanes = target.lanes(shape.accumulatorBits);
  bool manyRegisters = target.getVectorRegisters() >= 32;
  llvm::ArrayRef<Tile> tiles = manyRegisters ? llvm::ArrayRef<Tile>(gemmTiles32) : gemmTiles16;
  rt::Product product = chooseProduct(target, shape.factors);
  int64_t step = rt::getDepthStep(product);
  rt::PanelSource panels = choosePanels(target, shape, lanes);
  // Steps of the depth are interleaved by packing.
  if (step > 1 && panels != rt::PanelSource::Packed)
    panels = rt::PanelSource::PerTask;
  Tile tile = chooseTile(target, tiles, shape.m, shape.n, lanes, product);
  int64_t tilesPerTask = std::max<int64_t>(1, rowsPerTask / tile.rows);
  if (panels == rt::PanelSource::Columns) {
    tile = {1, 1};
    tilesPerTask = std::max<int64_t>(1, shape.m);
  }
  // A column of A that keeps hitting the same sets of the caches, or a step of the depth
  // whose elements lie apart.
  int64_t strideBytes = shape.depthStrideOfA * shape.accumulatorBits / 8;
  bool fewRows = shape.m >= 0 && shape.m < rowsWorthPacking;
  bool packRows = strideBytes > 0 && strideBytes % core.cacheSetBytes == 0 && !fewRows;
  packRows |= step > 1 && shape.depthStrideOfA != 1;
  bool readsPanels = shape.constantB && !shape.computedB;
  int64_t longest = packRows ? longestRowsDepth : readsPanels ? longestDepth : longestStackDepth;
  // Bytes that stay bytes.
  if (step > 1)
    longest *= shape.accumulatorBits / 8;
  int64_t kc = chooseDepthBlock(shape.k, longest);
  // Rows are copied block by block, even if there is only one.
  if (packRows && kc == 0)
    kc = llvm::alignTo(std::max<int64_t>(shape.k, 1), step);
  return rt::GemmAttr::get(target.getContext(), tile.rows, tile.vectors, lanes, kc, tilesPerTask,
                           workPerLane * lanes, rowsThatHideReading, panels, packRows, product,
                           chains);
}

/// Whether rows this far apart all fit into the first-level cache's sets.
static bool fitsCacheSets(int64_t rows, int64_t distanceBytes) {
  if (distanceBytes <= 0)
    return true;
  int64_t sets = core.cacheSetBytes / std::gcd(core.cacheSetBytes, distanceBytes);
  return rows <= core.cacheWays * sets;
}

namespace {
/// Output pixels of a register tile over two dimensions.
struct PixelTile {
  int64_t rows, columns;
};
} // namespace

/// Lays a tile over the output: along a row, or over several rows that are
/// narrower than the tile.
static PixelTile layTile(Tile tile, const rt::ConvShape &shape) {
  int64_t width = orManyRows(shape.outputColumns, tile);
  PixelTile pixels{1, std::min(tile.rows, width)};
  if (shape.outputRows > 0 && shape.outputColumns > 0)
    pixels.rows = std::min(std::max<int64_t>(shape.outputRows, 1), tile.rows / pixels.columns);
  // The emitter balances tiles; say what it will do.
  pixels.columns = llvm::divideCeil(width, llvm::divideCeil(width, pixels.columns));
  return pixels;
}

/// Cycles per pixel and vector of channels of a tile that is laid over the output.
static double convCycles(Tile tile, PixelTile pixels, const rt::ConvShape &shape, int64_t lanes) {
  int64_t width = orManyRows(shape.outputColumns, tile);
  int64_t height = std::max<int64_t>(shape.outputRows, 1);
  int64_t channels = std::max<int64_t>(shape.outputChannels, 1);
  int64_t rowTiles = llvm::divideCeil(height, pixels.rows);
  double total = 0;
  for (int64_t i = 0; i < rowTiles; ++i) {
    int64_t rows = (height + i) / rowTiles;
    if (rows == 1)
      total += totalCycles({pixels.columns, tile.vectors}, width, channels, lanes);
    else
      total += totalCycles({rows * width, tile.vectors}, rows * width, channels, lanes);
  }
  return total / (double(width) * height);
}

rt::ConvAttr chooseConv(rt::CpuAttr target, const rt::ConvShape &shape) {
  int64_t lanes = target.lanes(shape.accumulatorBits);
  bool manyRegisters = target.getVectorRegisters() >= 32;
  llvm::ArrayRef<Tile> tiles = manyRegisters ? llvm::ArrayRef<Tile>(convTiles32) : convTiles16;
  rt::Product product =
      shape.inputChannels > 0 ? chooseProduct(target, shape.factors) : rt::Product::MultiplyAdd;
  double bestCycles = -1;
  PixelTile bestPixels{1, 1};
  int64_t bestVectors = 1;
  for (Tile tile : tiles) {
    // Run-time columns leave a tail, and each size of it costs code.
    bool manyTails = shape.outputColumns < 0 && tile.rows > 8;
    if (!fits(target, tile, product) || manyTails || !fitsCacheSets(tile.rows, shape.pixelBytes))
      continue;
    int64_t vectors = llvm::divideCeil(std::max<int64_t>(shape.outputChannels, 1), lanes);
    if (shape.outputChannels >= 0)
      tile.vectors = std::min(tile.vectors, vectors);
    PixelTile pixels = layTile(tile, shape);
    double cycles = convCycles(tile, pixels, shape, lanes);
    if (bestCycles >= 0 && cycles >= margin * bestCycles)
      continue;
    bestPixels = pixels;
    bestVectors = tile.vectors;
    bestCycles = cycles;
  }
  return rt::ConvAttr::get(target.getContext(), bestPixels.rows, bestPixels.columns, bestVectors,
                           lanes, workPerLane * lanes, shape.contiguousTaps, product);
}

/// Pieces of a pixel shorter than this defeat the hardware's prefetching.
static constexpr int64_t fewestVectorsOfBlock = 4;

/// As many channels as keep the input rows of a row of tiles in the cache.
static int64_t chooseChannelBlock(rt::CpuAttr target, int64_t tileRows, int64_t lanes,
                                  const rt::DepthwiseShape &shape) {
  // With a stride few rows are read twice.
  if (shape.outputColumns <= 0 || shape.strideRows > 1)
    return 0;
  int64_t rows = (tileRows - 1) * shape.strideRows + shape.tapRows;
  int64_t columns = (shape.outputColumns - 1) * shape.strideColumns + shape.tapColumns;
  int64_t channelBytes = rows * columns * shape.accumulatorBits / 8;
  int64_t vectors = target.getL1Bytes() / (channelBytes * lanes);
  int64_t block = std::max(fewestVectorsOfBlock, vectors) * lanes;
  return shape.channels >= 0 && block >= shape.channels ? 0 : block;
}

rt::DepthwiseAttr chooseDepthwise(rt::CpuAttr target, const rt::DepthwiseShape &shape) {
  int64_t lanes = target.lanes(shape.accumulatorBits);
  bool manyRegisters = target.getVectorRegisters() >= 32;
  int64_t tileRows = manyRegisters ? 2 : 1;
  int64_t tileColumns = 4;
  if (shape.outputRows > 0)
    tileRows = std::min(tileRows, shape.outputRows);
  if (shape.outputColumns > 0) {
    // A number of columns that leaves no short tile behind; seven only where
    // an operand may come from memory.
    for (int64_t columns : {4, 7, 5, 6, 3})
      if (shape.outputColumns % columns == 0 &&
          (columns < 7 || (manyRegisters && target.has(CpuFact::memoryOperands)))) {
        tileColumns = columns;
        break;
      }
    tileColumns = std::min(tileColumns, shape.outputColumns);
  }
  // Straight code keeps all taps and a row of the input alive.
  int64_t window = (tileColumns - 1) * shape.strideColumns + shape.tapColumns;
  int64_t live = tileRows * tileColumns + shape.tapRows * shape.tapColumns + window + 1;
  bool loopOverTapRows = shape.tapRows > 1 && live > int64_t(target.getVectorRegisters());
  // Half as much work as others: depthwise kernels wait for memory.
  return rt::DepthwiseAttr::get(target.getContext(), tileRows, tileColumns, lanes, loopOverTapRows,
                                chooseChannelBlock(target, tileRows, lanes, shape),
                                workPerLane / 2 * lanes);
}

} // namespace onnxc::cpu
