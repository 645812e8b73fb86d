//===- IndexMath.cpp - Sizes and positions at run time ---------------------===//
#include "lowering/onnx_to_linalg/IndexMath.h"
#include "dialects/onnx/OnnxOps.h"
#include "lowering/support/FloatCasts.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using onnxc::onnx::DimExpr;

namespace onnxc {

Value IndexMath::constant(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

/// The fold of a binary op, when both operands are constants or one is neutral.
template <typename Op> static Value createFolded(IndexMath &math, Value a, Value b) {
  return math.builder.createOrFold<Op>(math.loc, a, b);
}

Value IndexMath::add(Value a, Value b) { return createFolded<arith::AddIOp>(*this, a, b); }
Value IndexMath::sub(Value a, Value b) { return createFolded<arith::SubIOp>(*this, a, b); }
Value IndexMath::mul(Value a, Value b) { return createFolded<arith::MulIOp>(*this, a, b); }
Value IndexMath::div(Value a, Value b) { return createFolded<arith::DivSIOp>(*this, a, b); }
Value IndexMath::rem(Value a, Value b) { return createFolded<arith::RemSIOp>(*this, a, b); }
Value IndexMath::min(Value a, Value b) { return createFolded<arith::MinSIOp>(*this, a, b); }
Value IndexMath::max(Value a, Value b) { return createFolded<arith::MaxSIOp>(*this, a, b); }
Value IndexMath::both(Value a, Value b) { return createFolded<arith::AndIOp>(*this, a, b); }
Value IndexMath::either(Value a, Value b) { return createFolded<arith::OrIOp>(*this, a, b); }

Value IndexMath::compare(arith::CmpIPredicate predicate, Value a, Value b) {
  return builder.createOrFold<arith::CmpIOp>(loc, predicate, a, b);
}

Value IndexMath::select(Value condition, Value a, Value b) {
  return builder.createOrFold<arith::SelectOp>(loc, condition, a, b);
}

Value IndexMath::wrapNegative(Value value, Value size) {
  return select(less(value, constant(0)), add(value, size), value);
}

Value IndexMath::product(ArrayRef<Value> values) {
  Value result = constant(1);
  for (Value value : values)
    result = mul(result, value);
  return result;
}

Value IndexMath::read(Value tensor, int64_t i) {
  SmallVector<Value> indices;
  for (int64_t d = 0, rank = cast<RankedTensorType>(tensor.getType()).getRank(); d < rank; ++d)
    indices.push_back(constant(d + 1 == rank ? i : 0));
  return tensor::ExtractOp::create(builder, loc, tensor, indices);
}

Value IndexMath::toIndex(Value scalar, bool isUnsigned) {
  if (isa<FloatType>(scalar.getType()))
    scalar =
        arith::FPToSIOp::create(builder, loc, builder.getI64Type(),
                                convertFloat(builder, loc, scalar, computeType(scalar.getType())));
  if (isUnsigned)
    return builder.createOrFold<arith::IndexCastUIOp>(loc, builder.getIndexType(), scalar);
  return builder.createOrFold<arith::IndexCastOp>(loc, builder.getIndexType(), scalar);
}

SmallVector<Value> IndexMath::materialize(ArrayRef<DimExpr> dims) {
  return llvm::map_to_vector(dims,
                             [&](DimExpr dim) { return materializeIndex(builder, loc, dim); });
}

SmallVector<Value> IndexMath::readShape(Value original, Value lowered) {
  if (auto known = onnx::getShapeValue(original))
    return materialize(*known);
  SmallVector<Value> result;
  for (int64_t i = 0, e = cast<RankedTensorType>(lowered.getType()).getNumElements(); i < e; ++i)
    result.push_back(toIndex(read(lowered, i)));
  return result;
}

void bindDims(OpBuilder &builder, Operation *op, ArrayRef<DimExpr> dims, ArrayRef<Value> sizes) {
  SmallVector<DimExpr> bound;
  Location loc = op->getLoc();
  for (auto [dim, size] : llvm::zip_equal(dims, sizes)) {
    if (!size || llvm::is_contained(bound, dim))
      continue;
    IndexMath math(builder, loc);
    if (onnx::bindsSymbol(op, dim)) {
      Value zero = math.constant(0);
      checkThat(builder, loc, math.compare(arith::CmpIPredicate::sge, size, zero),
                "a size is negative", size, zero);
      rt::BindOp::create(builder, loc, builder.getStringAttr(dim.symbolName()), size);
      bound.push_back(dim);
      continue;
    }
    Value expected = materializeIndex(builder, loc, dim);
    checkThat(builder, loc, math.equal(size, expected), "a size differs from what was declared",
              size, expected);
  }
}

Value IndexMath::checkAxis(Value axis, int64_t rank) {
  Value inside =
      both(less(axis, constant(rank)), compare(arith::CmpIPredicate::sge, axis, constant(-rank)));
  checkThat(builder, loc, inside, "an axis is out of range", axis, constant(rank - 1),
            rt::Status::OutOfRange);
  return wrapNegative(axis, constant(rank));
}

SmallVector<Value> IndexMath::readAxes(Value tensor, int64_t rank) {
  SmallVector<Value> axes;
  for (int64_t i = 0, e = cast<RankedTensorType>(tensor.getType()).getNumElements(); i < e; ++i) {
    Value axis = checkAxis(toIndex(read(tensor, i)), rank);
    for (Value other : axes)
      checkThat(builder, loc, compare(arith::CmpIPredicate::ne, axis, other),
                "an axis is given twice", axis, {}, rt::Status::InvalidValue);
    axes.push_back(axis);
  }
  return axes;
}

void checkThat(OpBuilder &builder, Location loc, Value condition, StringRef text, Value found,
               Value expected, rt::Status status) {
  if (getConstantIntValue(condition).value_or(0) != 0)
    return;
  rt::CheckOp::create(builder, loc, condition, nodeName(loc) + ": " + text.str(), found, expected,
                      status);
}

void checkNotEmpty(OpBuilder &builder, Location loc, ArrayRef<DimExpr> read, unsigned first,
                   ArrayRef<DimExpr> result, StringRef text) {
  IndexMath math(builder, loc);
  Value zero = math.constant(0), one = math.constant(1);
  for (auto [i, dim] : llvm::enumerate(read)) {
    if (dim.lowerBound().value_or(0) >= 1)
      continue;
    Value size = materializeIndex(builder, loc, dim);
    Value good = math.compare(arith::CmpIPredicate::sge, size, one);
    for (DimExpr other : result)
      if (other.lowerBound().value_or(0) < 1)
        good = math.either(good, math.equal(materializeIndex(builder, loc, other), zero));
    checkThat(builder, loc, good, text.str() + " along axis " + std::to_string(first + i), size,
              one);
  }
}

void checkSameSize(OpBuilder &builder, Location loc, DimExpr found, DimExpr expected,
                   StringRef text) {
  if (found == expected)
    return;
  IndexMath math(builder, loc);
  Value a = materializeIndex(builder, loc, found), b = materializeIndex(builder, loc, expected);
  // The message says which of the model's symbols do not fit.
  std::string names = "'" + found.str() + "' and '" + expected.str() + "'";
  checkThat(builder, loc, math.equal(a, b), text.str() + ", " + names, a, b);
}

/// A generic with parallel loops over `dims`.
static Value buildParallel(OpBuilder &builder, Location loc, ArrayRef<DimExpr> dims,
                           Type elementType, ValueRange inputs, ArrayRef<AffineMap> inputMaps,
                           function_ref<Value(OpBuilder &, Location, ValueRange)> body) {
  Value init = emptyTensor(builder, loc, dims, elementType);
  SmallVector<AffineMap> maps(inputMaps);
  maps.push_back(builder.getMultiDimIdentityMap(dims.size()));
  SmallVector<utils::IteratorType> iterators(dims.size(), utils::IteratorType::parallel);
  auto region = [&](OpBuilder &builder, Location loc, ValueRange args) {
    linalg::YieldOp::create(builder, loc, body(builder, loc, args));
  };
  return linalg::GenericOp::create(builder, loc, init.getType(), inputs, init, maps, iterators,
                                   region)
      .getResult(0);
}

Value buildFromIndices(OpBuilder &builder, Location loc, ArrayRef<DimExpr> dims, Type elementType,
                       ElementBuilder element) {
  return buildParallel(builder, loc, dims, elementType, {}, {},
                       [&](OpBuilder &builder, Location loc, ValueRange) {
                         SmallVector<Value> indices;
                         for (size_t i = 0; i < dims.size(); ++i)
                           indices.push_back(linalg::IndexOp::create(builder, loc, i));
                         return element(builder, loc, indices);
                       });
}

Value buildCopy(OpBuilder &builder, Location loc, ArrayRef<DimExpr> dims, Value input,
                AffineMap map) {
  Type elementType = cast<RankedTensorType>(input.getType()).getElementType();
  return buildParallel(builder, loc, dims, elementType, input, map,
                       [](OpBuilder &, Location, ValueRange args) { return args[0]; });
}

} // namespace onnxc
