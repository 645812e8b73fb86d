//===- StrategyAttrs.cpp - Strategies as attributes ------------------------===//
#include "lowering/kernels/StrategyAttrs.h"

using namespace mlir;

namespace onnxc {

rt::GemmAttr toAttribute(MLIRContext *context, const GemmStrategy &s) {
  return rt::GemmAttr::get(context, s.mr, s.nv, s.lanes, s.kc, s.tilesPerTask, s.workPerTask,
                           static_cast<int64_t>(s.panelSource), s.packRows);
}

GemmStrategy fromAttribute(rt::GemmAttr attribute) {
  GemmStrategy s;
  s.mr = attribute.getMr();
  s.nv = attribute.getNv();
  s.lanes = attribute.getLanes();
  s.kc = attribute.getKc();
  s.tilesPerTask = attribute.getTilesPerTask();
  s.workPerTask = attribute.getWorkPerTask();
  s.panelSource = static_cast<PanelSource>(attribute.getPanels());
  s.packRows = attribute.getPackRows();
  return s;
}

rt::ConvAttr toAttribute(MLIRContext *context, const ConvStrategy &s) {
  return rt::ConvAttr::get(context, s.tileRows, s.tileColumns, s.nv, s.lanes, s.workPerTask);
}

ConvStrategy fromAttribute(rt::ConvAttr attribute) {
  ConvStrategy s;
  s.tileRows = attribute.getTileRows();
  s.tileColumns = attribute.getTileColumns();
  s.nv = attribute.getNv();
  s.lanes = attribute.getLanes();
  s.workPerTask = attribute.getWorkPerTask();
  return s;
}

rt::DepthwiseAttr toAttribute(MLIRContext *context, const DepthwiseStrategy &s) {
  return rt::DepthwiseAttr::get(context, s.tileRows, s.tileColumns, s.lanes, s.loopOverTapRows,
                                s.channelBlock, s.workPerTask);
}

DepthwiseStrategy fromAttribute(rt::DepthwiseAttr attribute) {
  DepthwiseStrategy s;
  s.tileRows = attribute.getTileRows();
  s.tileColumns = attribute.getTileColumns();
  s.lanes = attribute.getLanes();
  s.loopOverTapRows = attribute.getLoopOverTapRows();
  s.channelBlock = attribute.getChannelBlock();
  s.workPerTask = attribute.getWorkPerTask();
  return s;
}

} // namespace onnxc
