//===- RtTarget.h - What a target is asked ----------------------------*- C++ -*-===//
//
// The problems that the kernels stage lays before a target (`TargetAttr`), and the
// limits that it asks for. Plain data: how a device solves a problem is its own.
// Sizes that are only known at run time are -1.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXC_DIALECTS_RT_RTTARGET_H
#define ONNXC_DIALECTS_RT_RTTARGET_H

#include <cstdint>
#include <optional>

namespace onnxc::rt {

/// How the elements of a packed operand stand in memory, see `rt.packed`.
struct PanelLayout {
  int64_t columns; ///< of a panel
  int64_t step;    ///< of the depth, whose elements of a column are neighbours
  /// The depth of a filter is the last dimension of its taps and the channels as one.
  bool joinTaps = false;
};

/// What the factors of a product are in memory.
struct FactorTypes {
  /// Integers of 8 bits that are summed in 32 bits; for others the signs mean nothing.
  bool areBytes = false;
  bool aUnsigned = false, bUnsigned = false;
};

/// C[M, N] = A[M, K] x B[K, N].
struct GemmShape {
  int64_t m, n, k;
  unsigned accumulatorBits = 32;
  /// B is known when the model is compiled and can be packed then.
  bool constantB = true;
  /// B is computed from what is in memory, once for each panel of a task.
  bool computedB = false;
  /// Neighbours in a row of B are neighbours in memory.
  bool contiguousRowsOfB = true;
  /// The same of a column of B.
  bool contiguousColumnsOfB = false;
  /// Elements from A(m, k) to A(m, k + 1).
  int64_t depthStrideOfA = 1;
  FactorTypes factors = {};
};

/// A convolution of a padded channels-last input.
struct ConvShape {
  int64_t outputRows = 1, outputColumns = 1; ///< last two spatial dimensions
  int64_t outputChannels = 1;                ///< of one group
  /// Bytes from a pixel that a tile reads to the next one: the stride times the
  /// channels of all groups.
  int64_t pixelBytes = 0;
  unsigned accumulatorBits = 32;
  /// Of one group; products of several steps need it.
  int64_t inputChannels = -1;
  /// A tap's channels and the next tap's along the last dimension are neighbours.
  bool contiguousTaps = false;
  FactorTypes factors = {};
};

/// The same with one input and one output channel per group.
struct DepthwiseShape {
  int64_t outputRows, outputColumns;
  int64_t tapRows, tapColumns;
  int64_t strideRows, strideColumns;
  int64_t channels = -1;
  unsigned accumulatorBits = 32;
};

/// What ops of one kernel may share.
struct GroupLimits {
  /// Fewer shared rows than this leave parts of the device idle...
  int64_t minRows;
  /// ... which does not matter below this many elements.
  int64_t smallElements;
  /// The part of an op inside of the shared rows should not be shorter than this.
  int64_t minInner;
  /// Rows of intermediates up to this size need no memory outside of the kernel.
  int64_t maxRowBytes;
  /// What the bodies of a kernel may cost together (lowering/support/BodyCost.h). A longer
  /// kernel saves little: a pass over memory; its code, and the time and memory to
  /// compile it, grow faster than its length.
  int64_t maxCost;
};

} // namespace onnxc::rt

#endif // ONNXC_DIALECTS_RT_RTTARGET_H
