//===- Attention.h - Attention, a block of queries at a time --------*- C++ -*-===//
#ifndef ONNXC_LOWERING_CPU_EMIT_ATTENTION_H
#define ONNXC_LOWERING_CPU_EMIT_ATTENTION_H

#include "dialects/rt/RtAttention.h"
#include "lowering/cpu/emit/KernelContext.h"

namespace onnxc::emit {

/// An emitter as those in KernelContext.h.
mlir::LogicalResult emitAttention(KernelContext &context, rt::AttentionAttr strategy);

} // namespace onnxc::emit

#endif // ONNXC_LOWERING_CPU_EMIT_ATTENTION_H
