//===- RtAttention.cpp - Attention in the rt dialect -----------------------===//
#include "dialects/rt/RtAttention.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace onnxc::rt;

#include "dialects/rt/RtAttentionEnums.cpp.inc"
#include "dialects/rt/RtAttentionInterfaces.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/rt/RtAttention.cpp.inc"

/// Whether each result of the map is a loop, or the constant 0 where `allowsZero`, and
/// no loop is used twice or outside of `allowed`, and all of `required` are used.
static bool usesLoops(AffineMap map, bool allowsZero, const llvm::SmallBitVector &allowed,
                      const llvm::SmallBitVector &required) {
  if (!map.isProjectedPermutation(allowsZero))
    return false;
  llvm::SmallBitVector used(map.getNumDims());
  for (AffineExpr expr : map.getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      used.set(dim.getPosition());
  return !used.test(allowed) && !required.test(used);
}

LogicalResult AttentionOp::verify() {
  SmallVector<AffineMap> maps = getMaps();
  if (maps.size() != getNumOperands())
    return emitOpError("expects an indexing map for each of its ")
           << getNumOperands() << " operands, found " << maps.size();
  unsigned loops = maps.front().getNumDims();
  if (loops < 4)
    return emitOpError("expects the loops batch..., M, K1, K2 and N, found ") << loops;
  SmallVector<int64_t> sizes(loops, ShapedType::kDynamic);
  for (auto [i, pair] : llvm::enumerate(llvm::zip_equal(maps, getOperandTypes()))) {
    auto [map, operandType] = pair;
    auto type = cast<RankedTensorType>(operandType);
    if (map.getNumDims() != loops || map.getNumSymbols() != 0 ||
        map.getNumResults() != static_cast<unsigned>(type.getRank()))
      return emitOpError("expects a map from ")
             << loops << " loops to the " << type.getRank() << " dims of operand " << i
             << ", found " << AffineMapAttr::get(map);
    bool isInit = i + 1 == maps.size(), isInput = i > 2 && !isInit;
    llvm::SmallBitVector own(loops);
    for (unsigned loop : {i == 1 || i == 2 ? getK2() : getM(), i < 2 ? getK1() : getN()})
      own.set(loop);
    llvm::SmallBitVector allowed = own, none(loops);
    if (isInput) {
      allowed = none;
      allowed.set(getM()).set(getK2());
    }
    allowed.set(0, getNumBatchLoops());
    if (!usesLoops(map, isInput, allowed, isInit ? allowed : isInput ? none : own)) {
      StringRef wanted = isInput  ? "some of the batch loops, M and K2"
                         : isInit ? "all batch loops, M and N"
                         : i == 0 ? "batch loops, M and K1"
                         : i == 1 ? "batch loops, K2 and K1"
                                  : "batch loops, K2 and N";
      return emitOpError("expects operand ") << i << " to be read along " << wanted
                                             << ", each once, found " << AffineMapAttr::get(map);
    }
    for (auto [expr, size] : llvm::zip_equal(map.getResults(), type.getShape())) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim || ShapedType::isDynamic(size))
        continue;
      int64_t &known = sizes[dim.getPosition()];
      // Vectors may be read beyond the last query.
      if (isInput && dim.getPosition() == getM() && size >= known)
        continue;
      if (!ShapedType::isDynamic(known) && known != size)
        return emitOpError("expects one size for loop ")
               << dim.getPosition() << ", found " << known << " and " << size;
      known = size;
    }
    if (!isInput && !isa<FloatType>(type.getElementType()))
      return emitOpError("expects floats as operand ") << i << ", found " << type;
  }
  return success();
}

LogicalResult AttentionOp::verifyRegions() {
  Block &block = getBody().front();
  auto score = dyn_cast_or_null<ScoreOp>(block.empty() ? nullptr : &block.back());
  SmallVector<Type> expected;
  if (block.getNumArguments() > 0)
    expected.push_back(block.getArgument(0).getType());
  for (Type type : getInputs().getTypes())
    expected.push_back(getElementTypeOrSelf(type));
  if (expected.empty() || !isa<Float32Type, Float64Type>(expected.front()) ||
      TypeRange(expected) != block.getArgumentTypes())
    return emitOpError("expects a region on a score of f32 or f64 and on an element of each of "
                       "its ")
           << getInputs().size() << " inputs, found arguments of types ("
           << block.getArgumentTypes() << ")";
  if (!score || score.getScore().getType() != expected.front())
    return emitOpError("expects a region that ends with a score of type ") << expected.front();
  for (Operation &op : block.without_terminator())
    if (op.getNumRegions() != 0 || llvm::any_of(op.getOperandTypes(), llvm::IsaPred<TensorType>))
      return op.emitOpError("has no place in the region of 'rt.attention', which computes on "
                            "scalars");
  return success();
}

LogicalResult IndexOp::verify() {
  auto attention = cast<AttentionOp>((*this)->getParentOp());
  auto dim = static_cast<int64_t>(getDim());
  bool isScore = dim >= 0 && (dim <= attention.getM() || dim == attention.getK2());
  return isScore ? success()
                 : emitOpError("expects a loop that a score has, a batch loop, M (")
                       << attention.getM() << ") or K2 (" << attention.getK2() << "), found "
                       << dim;
}

LogicalResult AttentionAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t mr,
                                    int64_t nv, int64_t lanes, int64_t keyBlock,
                                    int64_t workPerTask) {
  if (lanes < 2)
    return emitError() << "'lanes' must be at least 2, found " << lanes;
  for (auto [name, value] :
       {std::pair("mr", mr), {"nv", nv}, {"keyBlock", keyBlock}, {"workPerTask", workPerTask}})
    if (value < 1)
      return emitError() << "'" << name << "' must be at least 1, found " << value;
  return success();
}
