//===- AttentionTable.h - blocks of an attention for a CPU ----------*- C++ -*-===//
#ifndef ONNXC_LOWERING_CPU_STRATEGIES_ATTENTIONTABLE_H
#define ONNXC_LOWERING_CPU_STRATEGIES_ATTENTIONTABLE_H

#include "dialects/rt/RtAttention.h"

namespace onnxc::cpu {

/// Null where few queries would leave lanes idle, or a query or value has a length that
/// is not known or does not fit on the stack.
rt::AttentionAttr chooseAttention(rt::CpuAttr target, const rt::AttentionShape &shape);

} // namespace onnxc::cpu

#endif // ONNXC_LOWERING_CPU_STRATEGIES_ATTENTIONTABLE_H
