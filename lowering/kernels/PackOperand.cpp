//===- PackOperand.cpp - Packing as an op of its own -----------------------===//
#include "lowering/kernels/PackOperand.h"
#include "lowering/support/TensorSizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace onnxc {
namespace {

/// Packs one operand. The loops are the dims of the packed tensor.
class Packer {
public:
  Packer(OpBuilder &builder, Location loc, Value source, const PackedDims &dims,
         const rt::PanelLayout &layout)
      : builder(builder), loc(loc), source(source), dims(dims), layout(layout),
        type(cast<RankedTensorType>(source.getType())), sizes(*getTensorSizes(source)) {
    for (unsigned dim : dims.leading)
      addLoop(dim);
    panelLoop = packed.size();
    packed.push_back(getIndex(llvm::divideCeil(sizeOf(dims.columns), layout.columns)));
    for (unsigned dim : dims.outerDepth)
      addLoop(dim);
    stepLoop = packed.size();
    if (hasSteps()) {
      for (unsigned dim : dims.depth)
        depth *= sizeOf(dim);
      packed.push_back(getIndex(llvm::divideCeil(depth, layout.step)));
    } else {
      for (unsigned dim : dims.depth)
        addLoop(dim);
    }
    laneLoop = packed.size();
    packed.push_back(getIndex(layout.columns));
    if (hasSteps())
      packed.push_back(getIndex(layout.step));
  }

  Value pack() {
    bool isWhole = sizeOf(dims.columns) % layout.columns == 0 && depth % layout.step == 0;
    bool isAffine = !hasSteps() || dims.depth.size() == 1;
    return isWhole && isAffine ? copyWhole() : copyPadded();
  }

private:
  OpFoldResult getIndex(int64_t value) { return builder.getIndexAttr(value); }
  int64_t sizeOf(unsigned dim) { return *getConstantIntValue(sizes[dim]); }
  bool hasSteps() const { return layout.step > 1; }
  void addLoop(unsigned dim) {
    loops[dim] = packed.size();
    packed.push_back(sizes[dim]);
  }

  /// Nothing is padded: an affine map says where each element comes from.
  Value copyWhole() {
    MLIRContext *context = builder.getContext();
    unsigned rank = packed.size();
    auto loop = [&](unsigned number) { return getAffineDimExpr(number, context); };
    SmallVector<AffineExpr> exprs;
    for (unsigned dim = 0; dim < sizes.size(); ++dim) {
      if (dim == dims.columns)
        exprs.push_back(loop(panelLoop) * layout.columns + loop(laneLoop));
      else if (auto at = loops.find(dim); at != loops.end())
        exprs.push_back(loop(at->second));
      else
        exprs.push_back(loop(stepLoop) * layout.step + loop(laneLoop + 1));
    }
    return build(source, AffineMap::get(rank, 0, exprs, context),
                 [](OpBuilder &, Location, ValueRange args) { return args[0]; });
  }

  /// Zeros behind the last column, and behind the end of the depth.
  Value copyPadded() {
    return build({}, AffineMap(), [&](OpBuilder &nested, Location at, ValueRange) -> Value {
      Value exists;
      auto split = [&](unsigned outer, int64_t width, unsigned inner, int64_t size) {
        Value position = arith::AddIOp::create(
            nested, at,
            arith::MulIOp::create(nested, at, linalg::IndexOp::create(nested, at, outer),
                                  arith::ConstantIndexOp::create(nested, at, width)),
            linalg::IndexOp::create(nested, at, inner));
        Value isInside = arith::CmpIOp::create(nested, at, arith::CmpIPredicate::slt, position,
                                               arith::ConstantIndexOp::create(nested, at, size));
        exists =
            exists ? arith::AndIOp::create(nested, at, exists, isInside).getResult() : isInside;
        return arith::MinSIOp::create(nested, at, position,
                                      arith::ConstantIndexOp::create(nested, at, size - 1))
            .getResult();
      };
      SmallVector<Value> indices(sizes.size());
      indices[dims.columns] = split(panelLoop, layout.columns, laneLoop, sizeOf(dims.columns));
      for (auto [dim, loop] : loops)
        indices[dim] = linalg::IndexOp::create(nested, at, loop);
      if (hasSteps()) {
        Value position = split(stepLoop, layout.step, laneLoop + 1, depth);
        for (unsigned dim : llvm::reverse(dims.depth)) {
          Value size = arith::ConstantIndexOp::create(nested, at, sizeOf(dim));
          indices[dim] = arith::RemUIOp::create(nested, at, position, size);
          position = arith::DivUIOp::create(nested, at, position, size);
        }
      }
      Value element = tensor::ExtractOp::create(nested, at, source, indices);
      Value zero = arith::ConstantOp::create(nested, at, nested.getZeroAttr(type.getElementType()));
      return arith::SelectOp::create(nested, at, exists, element, zero);
    });
  }

  Value build(ValueRange inputs, AffineMap inputMap,
              function_ref<Value(OpBuilder &, Location, ValueRange)> body) {
    Value init = tensor::EmptyOp::create(builder, loc, packed, type.getElementType());
    SmallVector<AffineMap> maps(inputs.size(), inputMap);
    maps.push_back(builder.getMultiDimIdentityMap(packed.size()));
    SmallVector<utils::IteratorType> iterators(packed.size(), utils::IteratorType::parallel);
    return linalg::GenericOp::create(builder, loc, init.getType(), inputs, init, maps, iterators,
                                     [&](OpBuilder &nested, Location at, ValueRange args) {
                                       linalg::YieldOp::create(nested, at, body(nested, at, args));
                                     })
        .getResult(0);
  }

  OpBuilder &builder;
  Location loc;
  Value source;
  const PackedDims &dims;
  const rt::PanelLayout &layout;
  RankedTensorType type;
  SmallVector<OpFoldResult> sizes, packed;
  llvm::MapVector<unsigned, unsigned> loops; ///< of the dims that have one of their own
  unsigned panelLoop, stepLoop, laneLoop;
  int64_t depth = 1; ///< in elements, where it has steps
};

} // namespace

void packOperand(linalg::GenericOp op, unsigned operand, const PackedDims &dims,
                 const rt::PanelLayout &layout) {
  OpBuilder builder(op);
  Value source = op->getOperand(operand);
  Value packed = Packer(builder, op.getLoc(), source, dims, layout).pack();
  op->setOperand(operand, rt::PackedOp::create(builder, op.getLoc(), source.getType(), packed,
                                               layout.columns, layout.step));
}

} // namespace onnxc
