//===- Strategy.h - what the kernels stage decides for an emitter
//----------===//
//
// A strategy holds every choice that has an influence on a kernel's code. It is
// made once (`TileTable.h`), written into the IR, and obeyed by the emitters.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXC_LOWERING_KERNELS_STRATEGY_H
#define ONNXC_LOWERING_KERNELS_STRATEGY_H

#include <cstdint>

namespace onnxc {

/// Where a contraction finds its right operand.
enum class PanelSource {
  Packed,  ///< packed before the kernel: `PackedLayout`
  InPlace, ///< rows of B are contiguous and read where they stand
  PerTask, ///< packed by each task into a buffer on the stack
  Columns, ///< columns of B are contiguous; each row of A visits all of them
};

/// The layout of packed weights: [ceil(N / nr)][K][nr], zeros behind column N.
/// Element (k, n) stands at ((n / nr) * K + k) * nr + n % nr. Batch or group
/// dimensions stand in front.
struct PackedLayout {
  int64_t nr;

  int64_t panels(int64_t n) const { return (n + nr - 1) / nr; }
  int64_t elements(int64_t k, int64_t n) const { return panels(n) * k * nr; }
  int64_t offset(int64_t size, int64_t k, int64_t n) const {
    return ((n / nr) * size + k) * nr + n % nr;
  }
};

/// C[M, N] = A[M, K] x B[K, N].
struct GemmStrategy {
  int64_t mr = 1;    ///< rows of the register tile
  int64_t nv = 1;    ///< vectors in a row of the register tile
  int64_t lanes = 1; ///< lanes of a vector of accumulators
  /// Depth of a block of K; accumulators rest in a scratch buffer between two
  /// blocks. Zero: K is not blocked. It decides the order of additions.
  int64_t kc = 0;
  /// Row tiles of a task when K or N are large, and the multiply-adds that are
  /// worth a task of their own. Neither changes a result.
  int64_t tilesPerTask = 16;
  int64_t workPerTask = 1 << 21;
  PanelSource panelSource = PanelSource::Packed;
  /// Each task copies its rows of A, a depth block at a time, so that they lie
  /// close together: for an A that is contiguous along M. Needs `kc`.
  bool packRows = false;

  int64_t nr() const { return nv * lanes; }
  PackedLayout layout() const { return {nr()}; }
};

/// Convolution on a padded channels-last input. Weights are packed
/// [groups][ceil(OC / nr)][taps...][IC][nr].
struct ConvStrategy {
  /// Output pixels of the register tile: `tileRows` along the last but one
  /// spatial dimension, `tileColumns` along the last.
  int64_t tileRows = 1;
  int64_t tileColumns = 1;
  int64_t nv = 1;
  int64_t lanes = 1;
  int64_t workPerTask = 1 << 21;
  /// A contraction over all pixels by `gemm`, which then stands for all of the
  /// above.
  bool pointwise = false;
  GemmStrategy gemm;

  int64_t nr() const { return pointwise ? gemm.nr() : nv * lanes; }
  PackedLayout layout() const { return {nr()}; }
};

/// Depthwise convolution on a padded channels-last input. Weights are
/// [taps...][C].
struct DepthwiseStrategy {
  int64_t tileRows = 1; ///< output pixels of the register tile, as above
  int64_t tileColumns = 1;
  int64_t lanes = 1;
  /// The rows of taps are a loop instead of straight code.
  bool loopOverTapRows = false;
  /// Channels that pass over a part of the image together, so that the rows
  /// they read stay in the first-level cache. Zero: all of them.
  int64_t channelBlock = 0;
  int64_t workPerTask = 1 << 20;
};

} // namespace onnxc

#endif // ONNXC_LOWERING_KERNELS_STRATEGY_H
