//===- OnnxAttentionOps.cpp - Attention --------------------------------------===//
#include "dialects/onnx/OnnxAttention.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/InterleavedRange.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "dialects/onnx/OnnxAttentionOps.cpp.inc"

using namespace onnxc::onnx;

/// Whether two sizes may be the same.
static bool mayAgree(DimExpr a, DimExpr b) { return a == b || !a.isConstant() || !b.isConstant(); }

/// The dims of an operand as [batch, heads, sequence, size].
static FailureOr<SmallVector<DimExpr>> splitHeads(std::optional<Location> location, StringRef name,
                                                  Value operand, std::optional<int64_t> heads) {
  SmallVector<DimExpr> dims = getDims(operand.getType());
  if (dims.size() == 4)
    return dims;
  DimExpr count = DimExpr::constant(operand.getContext(), *heads);
  if (std::optional<int64_t> size = dims[2].getConstant(); size && *size % *heads != 0)
    return emitOptionalError(location, "expected the last dim of ", name, " to be a multiple of ",
                             *heads, " heads, found ", *size);
  return SmallVector<DimExpr>{dims[0], count, dims[1], dims[2].floorDiv(count)};
}

FailureOr<AttentionDims> onnxc::onnx::readAttention(std::optional<Location> location,
                                                    AttentionOp::Adaptor op) {
  int64_t rank = cast<RankedTensorType>(op.getQ().getType()).getRank();
  for (Value operand : {op.getQ(), op.getK(), op.getV()})
    if (int64_t other = cast<RankedTensorType>(operand.getType()).getRank();
        other != rank || (rank != 3 && rank != 4))
      return emitOptionalError(location,
                               "expected Q, K and V to be all of rank 3 or all of rank 4,"
                               " found ranks ",
                               rank, " and ", other);
  if (rank == 3 && (op.getQNumHeads().value_or(0) < 1 || op.getKvNumHeads().value_or(0) < 1))
    return emitOptionalError(location, "expected q_num_heads and kv_num_heads of 1 or more, as Q, "
                                       "K and V are of rank 3");
  if (static_cast<bool>(op.getPastKey()) != static_cast<bool>(op.getPastValue()))
    return emitOptionalError(location, "expected past_key and past_value together, found one");
  if (op.getPastKey() && op.getNonpadKvSeqlen())
    return emitOptionalError(location, "expected past_key or nonpad_kv_seqlen, found both");
  for (int64_t window : {op.getLeftWindowSize(), op.getRightWindowSize()})
    if (window < -1)
      return emitOptionalError(location, "expected a window size of -1 or more, found ", window);
  auto q = splitHeads(location, "Q", op.getQ(), op.getQNumHeads());
  auto k = splitHeads(location, "K", op.getK(), op.getKvNumHeads());
  auto v = splitHeads(location, "V", op.getV(), op.getKvNumHeads());
  if (failed(q) || failed(k) || failed(v))
    return failure();
  AttentionDims dims{rank == 3, (*q)[0], (*q)[1],
                     (*k)[1],   (*q)[2], (*q)[3],
                     (*v)[3],   (*k)[2], DimExpr::constant(op.getQ().getContext(), 0),
                     (*k)[2],   1};
  auto agree = [&](DimExpr a, DimExpr b, StringRef what) -> LogicalResult {
    return mayAgree(a, b) ? success()
                          : LogicalResult(emitOptionalError(location, "expected the same ", what,
                                                            ", found ", a.str(), " and ", b.str()));
  };
  if (failed(agree((*q)[0], (*k)[0], "batch in Q and K")) ||
      failed(agree((*q)[0], (*v)[0], "batch in Q and V")) ||
      failed(agree((*k)[1], (*v)[1], "number of heads in K and V")) ||
      failed(agree((*k)[2], (*v)[2], "length of K and V")) ||
      failed(agree((*q)[3], (*k)[3], "size of a head in Q and K")))
    return failure();
  std::optional<int64_t> queryHeads = dims.queryHeads.getConstant();
  std::optional<int64_t> heads = dims.heads.getConstant();
  if (dims.queryHeads != dims.heads) {
    if (!queryHeads || !heads || *heads == 0 || *queryHeads % *heads != 0)
      return emitOptionalError(location,
                               "expected the heads of Q to be a multiple of those of K, "
                               "found ",
                               dims.queryHeads.str(), " and ", dims.heads.str());
    dims.group = *queryHeads / *heads;
  }
  if (op.getPastKey()) {
    SmallVector<DimExpr> key = getDims(op.getPastKey().getType());
    SmallVector<DimExpr> value = getDims(op.getPastValue().getType());
    if (key.size() != 4 || value.size() != 4)
      return emitOptionalError(location, "expected past_key and past_value of rank 4, found ranks ",
                               key.size(), " and ", value.size());
    if (failed(agree(key[1], dims.heads, "number of heads in past_key and K")) ||
        failed(agree(value[1], dims.heads, "number of heads in past_value and V")) ||
        failed(agree(key[2], value[2], "length of past_key and past_value")) ||
        failed(agree(key[3], dims.headSize, "size of a head in past_key and K")) ||
        failed(agree(value[3], dims.valueSize, "size of a head in past_value and V")))
      return failure();
    dims.pastKeys = key[2];
    dims.keys = key[2] + dims.newKeys;
  }
  if (op.getAttnMask() && cast<RankedTensorType>(op.getAttnMask().getType()).getRank() > 4)
    return emitOptionalError(location, "expected attn_mask of rank 4 or less, found ",
                             op.getAttnMask().getType());
  return dims;
}

LogicalResult AttentionOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                                            ValueRange operands, DictionaryAttr attributes,
                                            OpaqueProperties properties, RegionRange regions,
                                            SmallVectorImpl<Type> &results) {
  Adaptor adaptor(operands, attributes, properties, regions);
  FailureOr<AttentionDims> dims = readAttention(location, adaptor);
  if (failed(dims))
    return failure();
  Type element = getElementTypeOrSelf(adaptor.getQ().getType());
  Type valueElement = getElementTypeOrSelf(adaptor.getV().getType());
  auto add = [&](ArrayRef<DimExpr> shape, Type type) {
    results.push_back(makeTensorType(shape, type));
  };
  if (dims->headsInside)
    add({dims->batch, dims->queries, dims->queryHeads * dims->valueSize}, element);
  else
    add({dims->batch, dims->queryHeads, dims->queries, dims->valueSize}, element);
  add({dims->batch, dims->heads, dims->keys, dims->headSize},
      getElementTypeOrSelf(adaptor.getK().getType()));
  add({dims->batch, dims->heads, dims->keys, dims->valueSize}, valueElement);
  add({dims->batch, dims->queryHeads, dims->queries, dims->keys}, element);
  return success();
}

LogicalResult FusedAttentionOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                                                 ValueRange operands, DictionaryAttr attributes,
                                                 OpaqueProperties properties, RegionRange regions,
                                                 SmallVectorImpl<Type> &results) {
  Adaptor adaptor(operands, attributes, properties, regions);
  if (adaptor.getKinds().size() != adaptor.getMasks().size() ||
      adaptor.getFills().size() != adaptor.getMasks().size())
    return emitOptionalError(location, "expected a kind and a fill for each of ",
                             adaptor.getMasks().size(), " masks, found ", adaptor.getKinds().size(),
                             " and ", adaptor.getFills().size());
  SmallVector<DimExpr> dims = getDims(adaptor.getQ().getType());
  SmallVector<DimExpr> value = getDims(adaptor.getV().getType());
  for (ArrayRef<int64_t> perm :
       {adaptor.getPermQ(), adaptor.getPermK(), adaptor.getPermV(), adaptor.getPermY()})
    if (perm.size() != dims.size() || !isPermutationVector(perm) || dims.size() < 2 ||
        value.size() != dims.size())
      return emitOptionalError(location, "expected permutations of ", dims.size(), " dims, found ",
                               llvm::interleaved_array(perm));
  dims = applyPermutation(ArrayRef(dims), adaptor.getPermQ());
  dims.back() = applyPermutation(ArrayRef(value), adaptor.getPermV()).back();
  results.push_back(makeTensorType(applyPermutation(ArrayRef(dims), adaptor.getPermY()),
                                   getElementTypeOrSelf(adaptor.getQ().getType())));
  return success();
}
