//===- Generics.cpp - Building linalg.generic ops --------------------------===//
#include "lowering/onnx_to_linalg/Generics.h"
#include "lowering/onnx_to_linalg/IndexMath.h"

#include "lowering/support/FloatCasts.h"
using namespace mlir;
using onnxc::onnx::DimExpr;

namespace onnxc {

/// The generic itself; `body` sees the inputs and, when `accumulates`, the
/// value so far in their computation types.
static Value buildGeneric(OpBuilder &builder, Location loc, Value init, AffineMap initMap,
                          ArrayRef<utils::IteratorType> iterators, ArrayRef<GenericInput> inputs,
                          bool accumulates, ScalarBodyBuilder body) {
  SmallVector<Value> tensors;
  SmallVector<AffineMap> maps;
  for (const GenericInput &input : inputs) {
    tensors.push_back(input.tensor);
    maps.push_back(input.map);
  }
  maps.push_back(initMap);
  Type storage = cast<RankedTensorType>(init.getType()).getElementType();
  auto region = [&](OpBuilder &builder, Location loc, ValueRange blockArgs) {
    SmallVector<Value> args;
    for (Value arg : accumulates ? blockArgs : blockArgs.drop_back())
      args.push_back(convertFloat(builder, loc, arg, computeType(arg.getType())));
    Value result = body(builder, loc, args);
    linalg::YieldOp::create(builder, loc, convertFloat(builder, loc, result, storage));
  };
  return linalg::GenericOp::create(builder, loc, init.getType(), tensors, init, maps, iterators,
                                   region)
      .getResult(0);
}

Value buildMap(OpBuilder &builder, Location loc, ArrayRef<DimExpr> dims, Type elementType,
               ArrayRef<GenericInput> inputs, ScalarBodyBuilder body) {
  Value init = emptyTensor(builder, loc, dims, elementType);
  SmallVector<utils::IteratorType> iterators(dims.size(), utils::IteratorType::parallel);
  return buildGeneric(builder, loc, init, identityMap(builder.getContext(), dims.size()), iterators,
                      inputs, /*accumulates=*/false, body);
}

Value buildReduction(OpBuilder &builder, Location loc, ArrayRef<DimExpr> dims,
                     const llvm::SmallBitVector &reduced, Value neutral,
                     ArrayRef<GenericInput> inputs, ScalarBodyBuilder body) {
  SmallVector<DimExpr> kept;
  SmallVector<utils::IteratorType> iterators;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (!reduced[i])
      kept.push_back(dim);
    iterators.push_back(reduced[i] ? utils::IteratorType::reduction
                                   : utils::IteratorType::parallel);
  }
  Value init = filledTensor(builder, loc, kept, neutral);
  return buildGeneric(builder, loc, init, droppingMap(builder.getContext(), dims.size(), reduced),
                      iterators, inputs, /*accumulates=*/true, body);
}

AffineMap identityMap(MLIRContext *context, unsigned rank) {
  return AffineMap::getMultiDimIdentityMap(rank, context);
}

AffineMap droppingMap(MLIRContext *context, unsigned rank, const llvm::SmallBitVector &dropped) {
  return AffineMap::getFilteredIdentityMap(
      context, rank, [&](AffineDimExpr dim) { return !dropped[dim.getPosition()]; });
}

GenericInput broadcastInput(OpBuilder &builder, Location loc, Value tensor, ArrayRef<DimExpr> dims,
                            ArrayRef<DimExpr> loops) {
  SmallVector<AffineExpr> exprs;
  unsigned offset = loops.size() - dims.size();
  for (auto [i, dim] : llvm::enumerate(dims)) {
    bool stretched = dim.getConstant() == 1;
    exprs.push_back(stretched ? builder.getAffineConstantExpr(0)
                              : builder.getAffineDimExpr(offset + i));
    if (!stretched)
      checkSameSize(builder, loc, dim, loops[offset + i], "a parameter has the wrong size");
  }
  return {tensor, AffineMap::get(loops.size(), 0, exprs, builder.getContext())};
}

GenericInput perIndexInput(OpBuilder &builder, Location loc, Value tensor, DimExpr size,
                           ArrayRef<DimExpr> loops, unsigned loop) {
  checkSameSize(builder, loc, size, loops[loop], "a parameter has the wrong size");
  return {tensor, AffineMap::get(loops.size(), 0, builder.getAffineDimExpr(loop))};
}

} // namespace onnxc
