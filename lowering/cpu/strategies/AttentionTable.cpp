//===- AttentionTable.cpp - blocks of an attention for a CPU ---------------===//
#include "lowering/cpu/strategies/AttentionTable.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace onnxc::cpu {

namespace {
/// A register tile: rows and vectors of columns.
struct Tile {
  int64_t rows, vectors;
};
} // namespace

// By the number of registers, widest first: `rows` are keys, columns are queries.
static constexpr Tile attentionTiles32[] = {{8, 3}, {8, 2}, {8, 1}};
static constexpr Tile attentionTiles16[] = {{4, 3}, {6, 2}, {8, 1}};
/// Multiply-adds of a task per lane of a vector: some 20 microseconds.
static constexpr int64_t attentionWorkPerLane = 1 << 17;
/// What queries, scores and sums of values may take on the stack together.
static constexpr int64_t attentionStackBytes = 96 * 1024;
/// Keys that are scored at once: at most, and what makes scaling the sums of values
/// cheap beside adding to them.
static constexpr int64_t mostKeys = 256, fewestKeys = 64;

/// The keys of a block for panels of `nr` queries, or 0 when its buffers do not fit.
static int64_t chooseKeyBlock(const rt::AttentionShape &shape, int64_t nr, int64_t lanes,
                              int64_t rows) {
  int64_t paddedN = llvm::alignTo(shape.n, lanes);
  int64_t elements = attentionStackBytes * 8 / shape.accumulatorBits / nr;
  int64_t keys = elements - llvm::alignTo(shape.k1, lanes) - paddedN;
  keys = std::min(keys, mostKeys) / rows * rows;
  if (keys < std::max(paddedN, fewestKeys))
    return 0;
  if (shape.k2 < 0)
    return keys;
  // Blocks of about one size.
  int64_t blocks = llvm::divideCeil(shape.k2, keys);
  return llvm::alignTo(llvm::divideCeil(shape.k2, blocks), rows);
}

rt::AttentionAttr chooseAttention(rt::CpuAttr target, const rt::AttentionShape &shape) {
  int64_t lanes = target.lanes(shape.accumulatorBits);
  // Measured: on half the lanes the parts are faster, on all of them they are not.
  bool fewQueries = shape.m >= 0 && 4 * shape.m < 3 * lanes;
  if (lanes < 2 || fewQueries || shape.k1 < 0 || shape.n < 0 || shape.k2 == 0)
    return {};
  bool manyRegisters = target.getVectorRegisters() >= 32;
  for (Tile tile : manyRegisters ? attentionTiles32 : attentionTiles16) {
    // No wider than the queries; panels of about one width.
    if (shape.m >= 0) {
      int64_t vectors = llvm::divideCeil(shape.m, lanes);
      int64_t panels = llvm::divideCeil(vectors, tile.vectors);
      if (llvm::divideCeil(vectors, panels) < static_cast<uint64_t>(tile.vectors))
        continue;
    }
    int64_t keys = chooseKeyBlock(shape, tile.vectors * lanes, lanes, tile.rows);
    if (keys > 0)
      return rt::AttentionAttr::get(target.getContext(), tile.rows, tile.vectors, lanes, keys,
                                    attentionWorkPerLane * lanes);
  }
  return {};
}

} // namespace onnxc::cpu
