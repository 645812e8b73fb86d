//===- RtAttention.h - Attention in the rt dialect ------------------*- C++ -*-===//
#ifndef ONNXC_DIALECTS_RT_RTATTENTION_H
#define ONNXC_DIALECTS_RT_RTATTENTION_H

#include "dialects/rt/RtDialect.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

namespace onnxc::rt {

/// An `rt.attention`: M queries of K1 elements on K2 keys, with values of N elements.
struct AttentionShape {
  int64_t m, k1, k2, n;
  unsigned accumulatorBits = 32; ///< of scores, sums and results before they are stored
};

} // namespace onnxc::rt

#include "dialects/rt/RtAttentionEnums.h.inc"
#include "dialects/rt/RtAttentionInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/rt/RtAttentionAttributes.h.inc"

#define GET_OP_CLASSES
#include "dialects/rt/RtAttention.h.inc"

#endif // ONNXC_DIALECTS_RT_RTATTENTION_H
