//===- BodyEmitter.cpp - A linalg body at a point or along a vector --------===//
#include "lowering/cpu/emit/BodyEmitter.h"
#include "dialects/rt/RtAttention.h"
#include "lowering/support/GenericBodies.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace onnxc::emit {

/// Adds `factor` times the affine expression to the access.
static void addExpr(OpBuilder &builder, Location loc, Access &access, AffineExpr expr,
                    OpFoldResult factor) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    OpFoldResult &slot = access.coefficients[dim.getPosition()];
    slot = addIndex(builder, loc, slot, factor);
    return;
  }
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    access.offset =
        addIndex(builder, loc, access.offset,
                 mulIndex(builder, loc, factor, getIndex(builder, constant.getValue())));
    return;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  if (expr.getKind() == AffineExprKind::Add) {
    addExpr(builder, loc, access, binary.getLHS(), factor);
    addExpr(builder, loc, access, binary.getRHS(), factor);
    return;
  }
  // A product with a constant; affine maps keep it on the right.
  auto constant = cast<AffineConstantExpr>(binary.getRHS());
  addExpr(builder, loc, access, binary.getLHS(),
          mulIndex(builder, loc, factor, getIndex(builder, constant.getValue())));
}

Access makeAccess(OpBuilder &builder, Location loc, const Buffer &buffer, AffineMap map) {
  Access access;
  access.pointer = buffer.pointer;
  access.elementType = buffer.elementType;
  access.coefficients.assign(map.getNumDims(), getIndex(builder, 0));
  access.offset = getIndex(builder, 0);
  for (auto [expr, stride] : llvm::zip_equal(map.getResults(), buffer.strides))
    addExpr(builder, loc, access, expr, stride);
  return access;
}

Value accessPointer(OpBuilder &builder, Location loc, const Access &access,
                    ArrayRef<OpFoldResult> ivs) {
  OpFoldResult varying = getIndex(builder, 0);
  for (auto [iv, coefficient] : llvm::zip_equal(ivs, access.coefficients))
    varying = addIndex(builder, loc, varying, mulIndex(builder, loc, iv, coefficient));
  Value pointer = offsetPointer(builder, loc, access.pointer, access.elementType, varying);
  return offsetPointer(builder, loc, pointer, access.elementType, access.offset);
}

Value loadPoint(OpBuilder &builder, Location loc, Value pointer, Type elementType,
                const LoopPoint &point) {
  if (point.mask)
    return maskedLoadFrom(builder, loc, pointer, elementType, point.mask);
  return loadFrom(builder, loc, pointer, elementType, point.lanes);
}

void BodyEmitter::setArgument(unsigned i, Value value) { values[body.getArgument(i)] = {value, 0}; }

void BodyEmitter::loadArgument(unsigned i, const Access &access) {
  if (body.getArgument(i).use_empty())
    return;
  Value pointer = accessPointer(builder, loc, access, point.ivs);
  if (point.vectorLoop < 0 || point.lanes == 1) {
    setArgument(i, loadFrom(builder, loc, pointer, access.elementType));
    return;
  }
  OpFoldResult step = access.coefficients[point.vectorLoop];
  setArgument(i, loadLanes(pointer, access.elementType, getConstant(step), step));
}

Value BodyEmitter::loadLanes(Value pointer, Type elementType, std::optional<int64_t> step,
                             OpFoldResult dynamicStep) {
  if (step == 0)
    return loadFrom(builder, loc, pointer, elementType);
  if (step == 1)
    return loadPoint(builder, loc, pointer, elementType, point);
  std::optional<unsigned> count = countLanes();
  if (!count) {
    Value steps = toLanes(asValue(builder, loc, dynamicStep));
    Value lanes = materialize({arith::ConstantIndexOp::create(builder, loc, 0), 1});
    return gatherFrom(builder, loc, pointer, elementType,
                      arith::MulIOp::create(builder, loc, lanes, steps), point.mask);
  }
  auto type = VectorType::get(point.lanes, elementType);
  Value result = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  for (unsigned lane = 0; lane < *count; ++lane) {
    OpFoldResult distance = mulIndex(builder, loc, dynamicStep, getIndex(builder, lane));
    Value element = loadFrom(
        builder, loc, offsetPointer(builder, loc, pointer, elementType, distance), elementType);
    result = vector::InsertOp::create(builder, loc, element, result, lane);
  }
  return result;
}

/// How many lanes there are to read one by one; nothing where only the run knows.
std::optional<unsigned> BodyEmitter::countLanes() {
  if (!point.mask)
    return point.lanes;
  DenseElementsAttr mask;
  if (!matchPattern(point.mask, m_Constant(&mask)))
    return std::nullopt;
  return llvm::count(mask.getValues<bool>(), true);
}

Value BodyEmitter::toLanes(Value value) {
  if (point.lanes == 1 || isVector(value))
    return value;
  return vector::BroadcastOp::create(builder, loc, VectorType::get(point.lanes, value.getType()),
                                     value);
}

/// Spreads a linear value over the lanes: base + step * (0, 1, 2, ...).
Value BodyEmitter::materialize(LaneValue value) {
  if (value.step == 0 || isVector(value.value) || point.lanes == 1)
    return value.value;
  auto type = VectorType::get(point.lanes, value.value.getType());
  SmallVector<Attribute> steps;
  for (unsigned lane = 0; lane < point.lanes; ++lane)
    steps.push_back(builder.getIntegerAttr(type.getElementType(), value.step * lane));
  Value iota = arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, steps));
  return arith::AddIOp::create(builder, loc, toLanes(value.value), iota);
}

BodyEmitter::LaneValue BodyEmitter::get(Value bodyValue) {
  auto it = values.find(bodyValue);
  if (it != values.end())
    return it->second;
  return {context.mapScalar(bodyValue), 0};
}

/// Index arithmetic that stays linear in the lane. Returns false for others.
bool BodyEmitter::emitLinear(Operation &body) {
  if (point.lanes == 1)
    return false;
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(body)) {
    LaneValue in = get(body.getOperand(0));
    if (in.step == 0 || isVector(in.value))
      return false;
    Value cast = arith::IndexCastOp::create(builder, loc, body.getResult(0).getType(), in.value);
    values[body.getResult(0)] = {cast, in.step};
    return true;
  }
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(body))
    return false;
  LaneValue a = get(body.getOperand(0)), b = get(body.getOperand(1));
  if (isVector(a.value) || isVector(b.value) || (a.step == 0 && b.step == 0))
    return false;
  int64_t step;
  if (isa<arith::MulIOp>(body)) {
    std::optional<int64_t> factor = getConstant(a.step == 0 ? a.value : b.value);
    if ((a.step != 0 && b.step != 0) || !factor)
      return false;
    step = *factor * (a.step + b.step);
  } else {
    step = isa<arith::AddIOp>(body) ? a.step + b.step : a.step - b.step;
  }
  OperationState state(loc, body.getName(), {a.value, b.value}, body.getResultTypes(),
                       body.getAttrs());
  values[body.getResult(0)] = {builder.create(state)->getResult(0), step};
  return true;
}

void BodyEmitter::emitExtract(tensor::ExtractOp extract) {
  const Buffer *buffer = context.lookup(extract.getTensor());
  Type elementType = extract.getType();
  SmallVector<LaneValue> indices =
      llvm::map_to_vector(extract.getIndices(), [&](Value index) { return get(index); });
  bool linear = true;
  std::optional<int64_t> step = 0;
  for (auto [index, stride] : llvm::zip_equal(indices, buffer->strides)) {
    linear &= !isVector(index.value);
    std::optional<int64_t> constant = getConstant(stride);
    if (index.step == 0)
      continue;
    step = step && constant ? std::optional<int64_t>(*step + index.step * *constant) : std::nullopt;
  }
  linear &= step.has_value();
  if (linear) {
    SmallVector<OpFoldResult> at;
    for (LaneValue index : indices)
      at.push_back(index.value);
    Value pointer = elementPointer(builder, loc, *buffer, at);
    values[extract] = {point.lanes == 1
                           ? loadFrom(builder, loc, pointer, elementType)
                           : loadLanes(pointer, elementType, step, getIndex(builder, *step)),
                       0};
    return;
  }
  SmallVector<Value> vectors =
      llvm::map_to_vector(indices, [&](LaneValue index) { return materialize(index); });
  std::optional<unsigned> count = countLanes();
  if (!count) {
    Value offsets = toLanes(arith::ConstantIndexOp::create(builder, loc, 0));
    for (auto [index, stride] : llvm::zip_equal(vectors, buffer->strides)) {
      Value strides = toLanes(asValue(builder, loc, stride));
      Value part = arith::MulIOp::create(builder, loc, toLanes(index), strides);
      offsets = arith::AddIOp::create(builder, loc, offsets, part);
    }
    values[extract] = {gatherFrom(builder, loc, buffer->pointer, elementType, offsets, point.mask),
                       0};
    return;
  }
  Value result = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(VectorType::get(point.lanes, elementType)));
  for (unsigned lane = 0; lane < *count; ++lane) {
    SmallVector<OpFoldResult> at;
    for (Value index : vectors)
      at.push_back(isVector(index)
                       ? vector::ExtractOp::create(builder, loc, index, lane).getResult()
                       : index);
    Value element = loadFrom(builder, loc, elementPointer(builder, loc, *buffer, at), elementType);
    result = vector::InsertOp::create(builder, loc, element, result, lane);
  }
  values[extract] = {result, 0};
}

/// Any other op: on scalars when all operands are, else lane by lane on
/// vectors, which is what arith and math ops mean on vector types.
void BodyEmitter::emitMapped(Operation &body) {
  SmallVector<LaneValue> operands =
      llvm::map_to_vector(body.getOperands(), [&](Value operand) { return get(operand); });
  bool vectors =
      llvm::any_of(operands, [&](LaneValue v) { return isVector(v.value) || v.step != 0; });
  OperationState state(loc, body.getName());
  state.addAttributes(body.getAttrs());
  for (LaneValue operand : operands)
    state.operands.push_back(vectors && point.lanes > 1 ? toLanes(materialize(operand))
                                                        : operand.value);
  for (Type type : body.getResultTypes())
    state.addTypes(vectors && point.lanes > 1 ? Type(VectorType::get(point.lanes, type)) : type);
  Operation *created = builder.create(state);
  for (auto [from, to] : llvm::zip_equal(body.getResults(), created->getResults()))
    values[from] = {to, 0};
}

void BodyEmitter::emitOp(Operation &op) {
  if (isa<linalg::IndexOp, rt::IndexOp>(op)) {
    auto index = dyn_cast<linalg::IndexOp>(op);
    int dim = index ? index.getDim() : cast<rt::IndexOp>(op).getDim();
    Value iv = asValue(builder, loc, point.ivs[dim]);
    values[op.getResult(0)] = {iv, dim == point.vectorLoop && point.lanes > 1 ? 1 : 0};
    return;
  }
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return emitExtract(extract);
  if (!emitLinear(op))
    emitMapped(op);
}

SmallVector<Value> BodyEmitter::emit() {
  for (Operation &op : body.without_terminator())
    emitOp(op);
  SmallVector<Value> yielded;
  for (Value value : body.getTerminator()->getOperands())
    yielded.push_back(toLanes(materialize(get(value))));
  return yielded;
}

Value BodyEmitter::emit(Value wanted) {
  for (Operation *op : findSlice(wanted, body))
    emitOp(*op);
  return toLanes(materialize(get(wanted)));
}

} // namespace onnxc::emit
