//===- TileTable.h - tile sizes for a target --------------------*- C++ -*-===//
//
// Chooses strategies from the sizes of a problem, a target's registers, and a
// table of register tiles that were measured. Sizes that are only known at run
// time are -1.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXC_LOWERING_KERNELS_TILETABLE_H
#define ONNXC_LOWERING_KERNELS_TILETABLE_H

#include "dialects/rt/RtDialect.h"

namespace onnxc {

struct GemmShape {
  int64_t m, n, k;
  unsigned accumulatorBits = 32;
  /// B is known when the model is compiled and can be packed then.
  bool constantB = true;
  /// Neighbours in a row of B are neighbours in memory.
  bool contiguousRowsOfB = true;
  /// The same of a column of B.
  bool contiguousColumnsOfB = false;
  /// Elements from A(m, k) to A(m, k + 1).
  int64_t depthStrideOfA = 1;
};
rt::GemmAttr chooseGemm(rt::TargetAttr target, const GemmShape &shape);

struct ConvShape {
  int64_t outputRows = 1, outputColumns = 1; ///< last two spatial dimensions
  int64_t outputChannels = 1;                ///< of one group
  /// Bytes from a pixel that a tile reads to the next one: the stride times the
  /// channels of all groups.
  int64_t pixelBytes = 0;
  unsigned accumulatorBits = 32;
};
rt::ConvAttr chooseConv(rt::TargetAttr target, const ConvShape &shape);

struct DepthwiseShape {
  int64_t outputRows, outputColumns;
  int64_t tapRows, tapColumns;
  int64_t strideRows, strideColumns;
  int64_t channels = -1;
  unsigned accumulatorBits = 32;
};
rt::DepthwiseAttr chooseDepthwise(rt::TargetAttr target, const DepthwiseShape &shape);

} // namespace onnxc

#endif // ONNXC_LOWERING_KERNELS_TILETABLE_H
