//===- TileTable.cpp - tile sizes for a target
//-----------------------------===//
#include "lowering/kernels/TileTable.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace onnxc {

namespace {
/// A register tile: rows (or pixels) and vectors of columns.
struct Tile {
  int64_t rows, vectors;
};
} // namespace

// Best first. Each leaves a register for every vector of B and one for A. Tiles
// of a contraction have at most eight rows: rows that are a multiple of 4 KiB
// apart share a set of the first-level cache, which has eight ways.
static constexpr Tile gemmTiles32[] = {{6, 4}, {8, 3}, {8, 2}, {8, 1}};
static constexpr Tile gemmTiles16[] = {{6, 2}, {4, 3}, {8, 1}};
// Neighbouring pixels are close in memory, so that more rows do no harm.
static constexpr Tile convTiles32[] = {{14, 2}, {12, 2}, {8, 3}, {6, 4},
                                       {7, 3},  {4, 4},  {16, 1}};
static constexpr Tile convTiles16[] = {{6, 2}, {4, 3}, {7, 1}, {8, 1}};

/// Longest depth whose panel and rows stay in the caches. Run-time panels are
/// packed on the stack and therefore shorter.
static constexpr int64_t longestDepth = 1024;
static constexpr int64_t longestStackDepth = 256;
static constexpr int64_t rowsWorthPacking = 24;

static int64_t lanesOf(const TargetInfo &target, unsigned bits) {
  return std::max<int64_t>(1, target.lanes(bits));
}

static bool fits(const TargetInfo &target, Tile tile) {
  return tile.rows * tile.vectors + tile.vectors + 1 <=
         int64_t(target.numVectorRegisters);
}

/// Cycles of one step of the depth on a core with two multiply-adds and two
/// loads per cycle, and a latency of four cycles.
static double stepCycles(int64_t rows, int64_t vectors) {
  return std::max({rows * vectors / 2.0, (rows + vectors) / 2.0, 4.0});
}

/// Steps and cycles for all of M x N with a tile; unknown sizes are long.
static double totalCycles(Tile tile, int64_t m, int64_t n, int64_t lanes) {
  if (m < 0)
    m = 64 * tile.rows;
  if (n < 0)
    n = 16 * tile.vectors * lanes;
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
  // An unknown size also leaves a tail, of half a tile on average.
  return total;
}

static Tile chooseTile(const TargetInfo &target, llvm::ArrayRef<Tile> tiles,
                       int64_t m, int64_t n, int64_t lanes) {
  // A later tile must be better by more than the tiles' measured spread.
  constexpr double margin = 0.97;
  Tile best = tiles.front();
  double bestCycles = -1;
  for (Tile tile : tiles) {
    if (!fits(target, tile))
      continue;
    if (m >= 0)
      tile.rows = std::max<int64_t>(1, std::min(tile.rows, m));
    if (n >= 0)
      tile.vectors = std::min<int64_t>(
          tile.vectors, std::max<int64_t>(1, llvm::divideCeil(n, lanes)));
    double cycles = totalCycles(tile, m, n, lanes);
    // Relative to the size, as unknown sizes depend on the tile.
    double work = double(m < 0 ? 64 * tile.rows : m) *
                  double(n < 0 ? 16 * tile.vectors * lanes : n);
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
    return std::min<int64_t>(longest, 512);
  if (k <= longest)
    return 0;
  int64_t blocks = llvm::divideCeil(k, longest);
  return llvm::alignTo(llvm::divideCeil(k, blocks), 8);
}

GemmStrategy chooseGemm(const TargetInfo &target, const GemmShape &shape) {
  int64_t lanes = lanesOf(target, shape.accumulatorBits);
  bool manyRegisters = target.numVectorRegisters >= 32;
  llvm::ArrayRef<Tile> tiles =
      manyRegisters ? llvm::ArrayRef<Tile>(gemmTiles32) : gemmTiles16;
  Tile tile = chooseTile(target, tiles, shape.m, shape.n, lanes);
  GemmStrategy strategy;
  strategy.mr = tile.rows;
  strategy.nv = tile.vectors;
  strategy.lanes = lanes;
  strategy.tilesPerTask = std::max<int64_t>(1, 96 / tile.rows);
  if (!shape.constantB) {
    // Packing pays when several row tiles read the panel.
    bool fewRows = shape.m >= 0 && shape.m < rowsWorthPacking;
    strategy.panelSource = shape.contiguousRowsOfB && fewRows
                               ? PanelSource::InPlace
                               : PanelSource::PerTask;
  }
  strategy.kc = chooseDepthBlock(shape.k, shape.constantB ? longestDepth
                                                          : longestStackDepth);
  return strategy;
}

ConvStrategy chooseConv(const TargetInfo &target, const ConvShape &shape) {
  int64_t lanes = lanesOf(target, shape.accumulatorBits);
  bool manyRegisters = target.numVectorRegisters >= 32;
  llvm::ArrayRef<Tile> tiles =
      manyRegisters ? llvm::ArrayRef<Tile>(convTiles32) : convTiles16;
  Tile tile = chooseTile(target, tiles, shape.outputColumns,
                         shape.outputChannels, lanes);
  ConvStrategy strategy;
  strategy.nv = tile.vectors;
  strategy.lanes = lanes;
  strategy.tileColumns = tile.rows;
  // Narrow images: several rows of pixels make a tile.
  if (shape.outputColumns > 0 && shape.outputColumns <= tile.rows) {
    int64_t most =
        (target.numVectorRegisters - 1 - tile.vectors) / tile.vectors;
    int64_t rows = std::max<int64_t>(1, most / shape.outputColumns);
    if (shape.outputRows > 0)
      rows = std::min(rows, shape.outputRows);
    strategy.tileColumns = shape.outputColumns;
    strategy.tileRows = rows;
  }
  return strategy;
}

DepthwiseStrategy chooseDepthwise(const TargetInfo &target,
                                  const DepthwiseShape &shape) {
  DepthwiseStrategy strategy;
  strategy.lanes = lanesOf(target, shape.accumulatorBits);
  bool manyRegisters = target.numVectorRegisters >= 32;
  strategy.tileRows = manyRegisters ? 2 : 1;
  strategy.tileColumns = 4;
  if (shape.outputRows > 0)
    strategy.tileRows = std::min(strategy.tileRows, shape.outputRows);
  if (shape.outputColumns > 0) {
    // The largest number of columns up to 7 that leaves no short tile behind.
    for (int64_t columns : {4, 7, 5, 6, 3})
      if (shape.outputColumns % columns == 0 &&
          (manyRegisters || columns < 7)) {
        strategy.tileColumns = columns;
        break;
      }
    strategy.tileColumns = std::min(strategy.tileColumns, shape.outputColumns);
  }
  // Straight code keeps all taps and a window of the input alive.
  strategy.loopOverTapRows =
      shape.tapRows > 1 &&
      (!manyRegisters || shape.tapRows * shape.tapColumns > 9);
  return strategy;
}

} // namespace onnxc
