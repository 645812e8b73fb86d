//===- TileTable.h - tile sizes for a CPU -----------------------*- C++ -*-===//
//
// Chooses strategies from the sizes of a problem, a CPU's registers, and a table
// of register tiles that were measured.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXC_LOWERING_CPU_STRATEGIES_TILETABLE_H
#define ONNXC_LOWERING_CPU_STRATEGIES_TILETABLE_H

#include "dialects/rt/RtDialect.h"

namespace onnxc::cpu {

/// The sign that dot products of bytes need of the packed factor.
std::optional<bool> choosePackedSign(rt::CpuAttr target, bool otherUnsigned);

rt::GemmAttr chooseGemm(rt::CpuAttr target, const rt::GemmShape &shape);
rt::ConvAttr chooseConv(rt::CpuAttr target, const rt::ConvShape &shape);
rt::DepthwiseAttr chooseDepthwise(rt::CpuAttr target, const rt::DepthwiseShape &shape);

} // namespace onnxc::cpu

#endif // ONNXC_LOWERING_CPU_STRATEGIES_TILETABLE_H
