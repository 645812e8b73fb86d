//===- Tiling.cpp - how sizes fall into tiles and tasks -------------------===//
#include "lowering/cpu/emit/Tiling.h"

using namespace mlir;

namespace onnxc::emit {

Tiling Tiling::compute(SizeMath math, OpFoldResult size, int64_t tileSize) {
  Tiling tiling;
  tiling.size = size;
  if (std::optional<int64_t> constant = getConstant(size)) {
    int64_t tiles = llvm::divideCeil(*constant, tileSize);
    int64_t big = tiles == 0 ? tileSize : llvm::divideCeil(*constant, tiles);
    tiling.bigSize = big;
    tiling.tiles = math.of(tiles);
    tiling.bigTiles = math.of(*constant - tiles * (big - 1));
    return tiling;
  }
  tiling.bigSize = tileSize;
  tiling.tiles = math.ceilDiv(size, math.of(tileSize));
  tiling.bigTiles = math.div(size, math.of(tileSize));
  // Without a tail every tile is a big one, and there are no variants.
  if (tileSize > 1)
    tiling.tailSize = math.rem(size, math.of(tileSize));
  return tiling;
}

OpFoldResult Tiling::start(SizeMath math, OpFoldResult tile) const {
  OpFoldResult regular = math.mul(tile, math.of(bigSize));
  if (tailSize)
    return math.min(regular, size);
  if (bigTiles == tiles)
    return regular;
  OpFoldResult shorter = math.max(math.sub(tile, bigTiles), math.of(0));
  return math.sub(regular, shorter);
}

void emitTiles(ImplicitLocOpBuilder &builder, const Tiling &tiling, OpFoldResult first,
               OpFoldResult last, function_ref<void(unsigned size, OpFoldResult start)> compute,
               function_ref<void(OpFoldResult size, OpFoldResult start)> finish) {
  SizeMath math{builder, builder.getLoc()};
  auto emitRange = [&](OpFoldResult from, OpFoldResult to, unsigned size) {
    emitLoop(builder, from, to, 1, [&](OpFoldResult tile) {
      OpFoldResult start = tiling.start(math, tile);
      compute(size, start);
      finish(math.of(size), start);
    });
  };
  emitRange(first, tiling.bigTiles == tiling.tiles ? last : math.min(last, tiling.bigTiles),
            tiling.bigSize);
  if (tiling.bigTiles == tiling.tiles)
    return;
  if (!tiling.tailSize)
    return emitRange(math.max(first, tiling.bigTiles), last, tiling.bigSize - 1);
  emitIfGreater(builder, last, tiling.bigTiles, [&] {
    OpFoldResult start = math.mul(tiling.bigTiles, math.of(tiling.bigSize));
    emitSwitch(builder, tiling.tailSize, tiling.bigSize - 1,
               [&](unsigned size) { compute(size, start); });
    finish(tiling.tailSize, start);
  });
}

} // namespace onnxc::emit
