//===- MicroKernel.cpp - register tiles -----------------------------------===//
#include "lowering/cpu/emit/MicroKernel.h"
#include "lowering/support/FloatCasts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace onnxc::emit {

/// Depths up to this are straight code: the first layer's three channels, the
/// taps of small filters.
static constexpr int64_t straightDepth = 4;

Value emitMultiplyAdd(ImplicitLocOpBuilder &builder, Value a, Value b, Value c) {
  if (isa<FloatType>(getScalarType(c.getType()))) {
    if (isa<VectorType>(c.getType()))
      return vector::FMAOp::create(builder, a, b, c);
    // As vector.fma is lowered: fused where that is one instruction, and not a
    // call of libm elsewhere.
    return LLVM::FMulAddOp::create(builder, a, b, c);
  }
  Value product = arith::MulIOp::create(builder, a, b);
  return arith::AddIOp::create(builder, product, c);
}

/// a + b of floats or integers.
static Value emitAdd(ImplicitLocOpBuilder &builder, Value a, Value b) {
  if (isa<FloatType>(getScalarType(a.getType())))
    return arith::AddFOp::create(builder, a, b);
  return arith::AddIOp::create(builder, a, b);
}

Value emitWiden(ImplicitLocOpBuilder &builder, Value value, Type accumulatorType, bool isUnsigned) {
  Type from = getScalarType(value.getType());
  if (from == accumulatorType)
    return value;
  if (isa<FloatType>(from))
    return convertFloat(builder, builder.getLoc(), value, accumulatorType);
  Type type = accumulatorType;
  if (auto vectorType = dyn_cast<VectorType>(value.getType()))
    type = vectorType.clone(accumulatorType);
  if (isUnsigned)
    return arith::ExtUIOp::create(builder, type, value);
  return arith::ExtSIOp::create(builder, type, value);
}

SmallVector<Value> emitZeroTile(ImplicitLocOpBuilder &builder, const RegisterTile &tile) {
  Type type = getLanesType(tile.accumulatorType, tile.lanes);
  Value zero = arith::ConstantOp::create(builder, builder.getZeroAttr(type));
  return SmallVector<Value>(tile.accumulators(), zero);
}

//===-- Products ----------------------------------------------------------===//

std::optional<StringRef> ProductForm::findMismatch() const {
  if (product == rt::Product::MultiplyAdd)
    return std::nullopt;
  if (!aType.isInteger(8) || !bType.isInteger(8))
    return "factors of 8 bits";
  if (product == rt::Product::MixedDots && aUnsigned == bUnsigned)
    return "an unsigned factor and a signed one";
  if (product == rt::Product::AlikeDots && aUnsigned != bUnsigned)
    return "two signed factors or two unsigned ones";
  return std::nullopt;
}

/// The name of the intrinsic for this many lanes of accumulators.
static std::string getIntrinsic(const ProductForm &form, int64_t lanes) {
  int64_t bits = lanes * 32;
  switch (form.product) {
  case rt::Product::MultiplyAdd: break;
  case rt::Product::PairDots:
    return bits == 128   ? "llvm.x86.sse2.pmadd.wd"
           : bits == 256 ? "llvm.x86.avx2.pmadd.wd"
                         : "llvm.x86.avx512.pmaddw.d.512";
  case rt::Product::MixedDots:
    // Arm's vectors have 128 bits; x86 has the product only with wider ones.
    return bits == 128 ? "llvm.aarch64.neon.usdot.v4i32.v16i8"
                       : "llvm.x86.avx512.vpdpbusd." + std::to_string(bits);
  case rt::Product::AlikeDots:
    return std::string("llvm.aarch64.neon.") + (form.aUnsigned ? "udot" : "sdot") + ".v4i32.v16i8";
  }
  llvm_unreachable("a product of one multiply-add has no intrinsic");
}

Value emitProduct(ImplicitLocOpBuilder &builder, const ProductForm &form, Value a, Value b,
                  Value c) {
  if (form.product == rt::Product::MultiplyAdd) {
    Type sum = getScalarType(c.getType());
    return emitMultiplyAdd(builder, emitWiden(builder, a, sum, form.aUnsigned),
                           emitWiden(builder, b, sum, form.bUnsigned), c);
  }
  auto type = cast<VectorType>(c.getType());
  StringAttr intrinsic = builder.getStringAttr(getIntrinsic(form, type.getNumElements()));
  auto call = [&](ValueRange operands) -> Value {
    return LLVM::CallIntrinsicOp::create(builder, type, intrinsic, operands).getResult(0);
  };
  switch (form.product) {
  case rt::Product::PairDots: {
    Type i16 = builder.getI16Type();
    Value products = call(
        {emitWiden(builder, a, i16, form.aUnsigned), emitWiden(builder, b, i16, form.bUnsigned)});
    return arith::AddIOp::create(builder, products, c);
  }
  case rt::Product::MixedDots: return form.aUnsigned ? call({c, a, b}) : call({c, b, a});
  default: return call({c, a, b});
  }
}

//===-- Steps -------------------------------------------------------------===//

namespace {
/// The rows of A: those at a constant distance share one pointer, so that the
/// distance folds into the address of the load; others get their own pointer
/// in front of the loop.
struct RowPointers {
  SmallVector<Value> pointers;
  SmallVector<OpFoldResult> offsets;

  RowPointers(ImplicitLocOpBuilder &builder, const TileOperands &operands) {
    for (OpFoldResult row : operands.aRows) {
      bool constant = getConstant(row).has_value();
      pointers.push_back(constant ? operands.a
                                  : offsetPointer(builder, builder.getLoc(), operands.a,
                                                  operands.form.aType, row));
      offsets.push_back(constant ? row : builder.getIndexAttr(0));
    }
  }
};
} // namespace

namespace {
/// The steps of a reduction.
class Steps {
public:
  Steps(ImplicitLocOpBuilder &builder, const RegisterTile &tile, const TileOperands &operands)
      : builder(builder), loc(builder.getLoc()), tile(tile), operands(operands),
        form(operands.form), rows(builder, operands) {}

  /// Each row's scalar times each vector of B. The step has `left` steps of the depth,
  /// where they are not all there.
  void emit(OpFoldResult number, MutableArrayRef<Value> accumulators,
            std::optional<OpFoldResult> left = std::nullopt);

private:
  SmallVector<Value> readColumns(OpFoldResult number);
  Value readRow(unsigned row, OpFoldResult distance, std::optional<OpFoldResult> left);
  Value readShortStep(Value pointer, OpFoldResult left);

  ImplicitLocOpBuilder &builder;
  Location loc;
  const RegisterTile &tile;
  const TileOperands &operands;
  const ProductForm &form;
  RowPointers rows;
};
} // namespace

SmallVector<Value> Steps::readColumns(OpFoldResult number) {
  Value first = offsetPointer(builder, loc, operands.b, form.bType,
                              mulIndex(builder, loc, number, operands.bStep));
  unsigned elements = tile.lanes * form.step();
  SmallVector<Value> columns;
  for (unsigned j = 0; j < tile.vectors; ++j) {
    Value pointer =
        offsetPointer(builder, loc, first, form.bType, builder.getIndexAttr(j * elements));
    Value mask = operands.bMasks.empty() ? Value() : operands.bMasks[j];
    columns.push_back(mask ? maskedLoadFrom(builder, loc, pointer, form.bType, mask)
                           : loadFrom(builder, loc, pointer, form.bType, elements));
  }
  // Computed or widened once for all rows.
  for (auto [j, column] : llvm::enumerate(columns)) {
    if (operands.computeB)
      column = operands.computeB(column, number, j);
    else if (form.product == rt::Product::MultiplyAdd)
      column = emitWiden(builder, column, tile.accumulatorType, form.bUnsigned);
  }
  return columns;
}

/// The elements of a step of which only the first `left` exist, in one integer; others
/// meet a zero of B and may be anything.
Value Steps::readShortStep(Value pointer, OpFoldResult left) {
  unsigned bits = form.aType.getIntOrFloatBitWidth();
  Type type = builder.getIntegerType(bits * form.step());
  std::optional<int64_t> constant = getConstant(left);
  Value result;
  for (unsigned i = 0; i < constant.value_or(form.step()); ++i) {
    OpFoldResult last = subIndex(builder, loc, left, builder.getIndexAttr(1));
    OpFoldResult offset = minIndex(builder, loc, builder.getIndexAttr(i), last);
    Value element = loadFrom(builder, loc, offsetPointer(builder, loc, pointer, form.aType, offset),
                             form.aType);
    element = arith::ExtUIOp::create(builder, type, element);
    Value shift = arith::ConstantOp::create(builder, builder.getIntegerAttr(type, i * bits));
    element = i == 0 ? element : arith::ShLIOp::create(builder, element, shift).getResult();
    result = result ? arith::OrIOp::create(builder, result, element).getResult() : element;
  }
  return result;
}

/// A row's elements of a step, broadcast to all lanes.
Value Steps::readRow(unsigned row, OpFoldResult distance, std::optional<OpFoldResult> left) {
  Value pointer = offsetPointer(builder, loc, rows.pointers[row], form.aType, distance);
  pointer = offsetPointer(builder, loc, pointer, form.aType, rows.offsets[row]);
  if (form.step() == 1) {
    Value scalar = loadFrom(builder, loc, pointer, form.aType);
    scalar = emitWiden(builder, scalar, tile.accumulatorType, form.aUnsigned);
    if (tile.lanes == 1)
      return scalar;
    return vector::BroadcastOp::create(builder, getLanesType(scalar.getType(), tile.lanes), scalar);
  }
  Value group = left ? readShortStep(pointer, *left)
                     : loadGroup(builder, loc, pointer, form.aType, form.step());
  Value all =
      vector::BroadcastOp::create(builder, getLanesType(group.getType(), tile.lanes), group);
  return vector::BitCastOp::create(builder, getLanesType(form.aType, tile.lanes * form.step()),
                                   all);
}

void Steps::emit(OpFoldResult number, MutableArrayRef<Value> accumulators,
                 std::optional<OpFoldResult> left) {
  SmallVector<Value> columns = readColumns(number);
  OpFoldResult distance = mulIndex(builder, loc, number, operands.aStep);
  for (unsigned i = 0; i < tile.rows; ++i) {
    Value row = readRow(i, distance, left);
    for (unsigned j = 0; j < tile.vectors; ++j) {
      Value &accumulator = accumulators[i * tile.vectors + j];
      accumulator = emitProduct(builder, form, row, columns[j], accumulator);
    }
  }
}

/// Whole steps, from 0 on.
static SmallVector<Value> emitWholeSteps(ImplicitLocOpBuilder &builder, Steps &steps,
                                         OpFoldResult count, ValueRange accumulators) {
  SmallVector<Value> current(accumulators);
  std::optional<int64_t> constant = getConstant(count);
  if (constant && *constant <= straightDepth) {
    for (int64_t k = 0; k < *constant; ++k)
      steps.emit(builder.getIndexAttr(k), current);
    return current;
  }
  return emitCarriedLoop(builder, count, current, [&](OpFoldResult k, ValueRange carried) {
    SmallVector<Value> next(carried);
    steps.emit(k, next);
    return next;
  });
}

/// Whole steps, `parts` at once with accumulators of their own.
static SmallVector<Value> emitPartedSteps(ImplicitLocOpBuilder &builder, const RegisterTile &tile,
                                          Steps &steps, OpFoldResult count, ValueRange accumulators,
                                          unsigned parts) {
  Location loc = builder.getLoc();
  OpFoldResult width = builder.getIndexAttr(parts);
  OpFoldResult rounds = divIndex(builder, loc, count, width);
  unsigned each = tile.accumulators();
  SmallVector<Value> all(accumulators);
  for (unsigned part = 1; part < parts; ++part)
    llvm::append_range(all, emitZeroTile(builder, tile));
  all = emitCarriedLoop(builder, rounds, all, [&](OpFoldResult round, ValueRange carried) {
    SmallVector<Value> next(carried);
    OpFoldResult first = mulIndex(builder, loc, round, width);
    for (unsigned part = 0; part < parts; ++part)
      steps.emit(addIndex(builder, loc, first, builder.getIndexAttr(part)),
                 MutableArrayRef(next).slice(part * each, each));
    return next;
  });
  for (unsigned distance = parts / 2; distance > 0; distance /= 2)
    for (unsigned i = 0; i < distance * each; ++i)
      all[i] = emitAdd(builder, all[i], all[i + distance * each]);
  all.truncate(each);
  OpFoldResult done = mulIndex(builder, loc, rounds, width);
  return emitCarriedLoop(builder, subIndex(builder, loc, count, done), all,
                         [&](OpFoldResult k, ValueRange carried) {
                           SmallVector<Value> next(carried);
                           steps.emit(addIndex(builder, loc, done, k), next);
                           return next;
                         });
}

SmallVector<Value> emitReduction(ImplicitLocOpBuilder &builder, const RegisterTile &tile,
                                 const TileOperands &operands, OpFoldResult depth,
                                 ValueRange accumulators, unsigned chains) {
  Location loc = builder.getLoc();
  Steps steps(builder, tile, operands);
  OpFoldResult step = builder.getIndexAttr(operands.form.step());
  OpFoldResult count = operands.aPadded ? ceilDivIndex(builder, loc, depth, step)
                                        : divIndex(builder, loc, depth, step);
  std::optional<int64_t> constant = getConstant(count);
  unsigned parts = llvm::bit_floor(std::max(chains / tile.accumulators(), 1u));
  bool isShort = constant && *constant <= std::max<int64_t>(straightDepth, parts);
  SmallVector<Value> current =
      parts > 1 && !isShort ? emitPartedSteps(builder, tile, steps, count, accumulators, parts)
                            : emitWholeSteps(builder, steps, count, accumulators);
  if (operands.aPadded)
    return current;
  OpFoldResult left = remIndex(builder, loc, depth, step);
  if (isConstant(left, 0))
    return current;
  // One short step, or none.
  OpFoldResult shortSteps = minIndex(builder, loc, left, builder.getIndexAttr(1));
  return emitCarriedLoop(builder, shortSteps, current, [&](OpFoldResult, ValueRange carried) {
    SmallVector<Value> next(carried);
    steps.emit(count, next, left);
    return next;
  });
}

SmallVector<Value>
emitCarriedLoop(ImplicitLocOpBuilder &builder, OpFoldResult count, ValueRange carried,
                function_ref<SmallVector<Value>(OpFoldResult, ValueRange)> body) {
  if (isConstant(count, 0))
    return carried;
  if (isConstant(count, 1))
    return body(builder.getIndexAttr(0), carried);
  Location loc = builder.getLoc();
  auto loop = scf::ForOp::create(builder, asValue(builder, loc, builder.getIndexAttr(0)),
                                 asValue(builder, loc, count),
                                 asValue(builder, loc, builder.getIndexAttr(1)), carried);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> next = body(loop.getInductionVar(), loop.getRegionIterArgs());
  scf::YieldOp::create(builder, next);
  return SmallVector<Value>(loop.getResults());
}

void emitLoop(ImplicitLocOpBuilder &builder, OpFoldResult lower, OpFoldResult upper, int64_t step,
              function_ref<void(OpFoldResult)> body) {
  std::optional<int64_t> from = getConstant(lower), to = getConstant(upper);
  if (from && to && *to <= *from)
    return;
  if (from && to && *to <= *from + step)
    return body(lower);
  Location loc = builder.getLoc();
  auto loop =
      scf::ForOp::create(builder, asValue(builder, loc, lower), asValue(builder, loc, upper),
                         asValue(builder, loc, builder.getIndexAttr(step)));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

void emitIf(ImplicitLocOpBuilder &builder, Value condition, function_ref<void()> body) {
  auto branch = scf::IfOp::create(builder, condition);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  body();
}

void emitIfGreater(ImplicitLocOpBuilder &builder, OpFoldResult a, OpFoldResult b,
                   function_ref<void()> body) {
  std::optional<int64_t> left = getConstant(a), right = getConstant(b);
  if (left && right) {
    if (*left > *right)
      body();
    return;
  }
  Location loc = builder.getLoc();
  emitIf(builder,
         arith::CmpIOp::create(builder, arith::CmpIPredicate::sgt, asValue(builder, loc, a),
                               asValue(builder, loc, b)),
         body);
}

void emitSwitch(ImplicitLocOpBuilder &builder, OpFoldResult value, unsigned limit,
                function_ref<void(unsigned)> body) {
  if (std::optional<int64_t> constant = getConstant(value)) {
    if (*constant > 0)
      body(*constant);
    return;
  }
  SmallVector<int64_t> cases;
  for (unsigned i = 1; i <= limit; ++i)
    cases.push_back(i);
  Location loc = builder.getLoc();
  auto branch =
      scf::IndexSwitchOp::create(builder, TypeRange(), asValue(builder, loc, value), cases, limit);
  OpBuilder::InsertionGuard guard(builder);
  for (unsigned i = 1; i <= limit; ++i) {
    builder.setInsertionPointToStart(&branch.getCaseRegions()[i - 1].emplaceBlock());
    body(i);
    scf::YieldOp::create(builder);
  }
  builder.setInsertionPointToStart(&branch.getDefaultRegion().emplaceBlock());
  scf::YieldOp::create(builder);
}

} // namespace onnxc::emit
