//===- LegalizeArith.cpp - No trap, no call, no slow minimum --------------===//
#include "lowering/cpu/MathFunctions.h"
#include "lowering/cpu/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include <limits>

using namespace mlir;

namespace onnxc::cpu {

#define GEN_PASS_DEF_LEGALIZEARITH
#include "lowering/cpu/Passes.h.inc"

//===-- Minimum and maximum -----------------------------------------------===//

static bool isConstantNumber(Value value) {
  APFloat number(0.0f);
  return matchPattern(value, m_ConstantFloat(&number)) && !number.isNaN();
}

/// Minimum or maximum of floats. `isNanKept`: a NaN in either operand is the
/// result, else the other operand is. The sign of zero is that of either.
static Lanes selectExtreme(Lanes a, Lanes b, bool isMax, bool isNanKept) {
  auto wins = [&](Lanes x, Lanes y) { return isMax ? greater(x, y) : less(x, y); };
  // The false side of a comparison with NaN is the second operand: with a number known there, one
  // instruction does it all.
  if (isConstantNumber(a.value))
    std::swap(a, b);
  if (isConstantNumber(b.value))
    return isNanKept ? select(wins(b, a), b, a) : select(wins(a, b), a, b);
  Lanes extreme = select(wins(a, b), a, b);
  return isNanKept ? select(isNan(a), a, extreme) : select(isNan(b), a, extreme);
}

static bool isMaximum(Operation *op) { return isa<arith::MaximumFOp, arith::MaxNumFOp>(op); }
static bool keepsNan(Operation *op) { return isa<arith::MaximumFOp, arith::MinimumFOp>(op); }

/// A reduction by halves, each an element-wise minimum or maximum.
static Value reduceExtreme(MathBuilder &builder, vector::ReductionOp op) {
  vector::CombiningKind kind = op.getKind();
  bool isMax = kind == vector::CombiningKind::MAXIMUMF || kind == vector::CombiningKind::MAXNUMF;
  bool isNanKept =
      kind == vector::CombiningKind::MAXIMUMF || kind == vector::CombiningKind::MINIMUMF;
  Lanes vector{op.getVector(), &builder};
  for (int64_t half = op.getSourceVectorType().getNumElements() / 2; half >= 1; half /= 2) {
    auto low = llvm::to_vector(llvm::seq<int64_t>(0, half));
    auto high = llvm::to_vector(llvm::seq<int64_t>(half, 2 * half));
    Value value = vector.value;
    Lanes a = vector.with(vector::ShuffleOp::create(builder, value, value, low));
    Lanes b = vector.with(vector::ShuffleOp::create(builder, value, value, high));
    vector = selectExtreme(a, b, isMax, isNanKept);
  }
  Lanes result = vector.with(vector::ExtractOp::create(builder, vector.value, int64_t(0)));
  if (Value start = op.getAcc())
    result = selectExtreme(result, result.with(start), isMax, isNanKept);
  return result.value;
}

//===-- Remainder ---------------------------------------------------------===//

/// The remainder of a division that truncates, exact. In f32 the quotient is
/// mostly small: then x - trunc(x / y) y is exact in f64 but for a quotient that
/// was rounded up, which the sign tells. The rest is up to the runtime.
static Lanes expandRemainder(Lanes x, Lanes y) {
  MathBuilder &builder = *x.builder;
  if (x.getElementType().isF64())
    return callRuntime("onnxc_rt_fmod_f64", {x, y});
  FloatType f64 = builder.getF64Type();
  Lanes wideX = extendFloat(x, f64), wideY = extendFloat(y, f64);
  Lanes a = absolute(wideX), b = absolute(wideY);
  Lanes quotient = a / b;
  Lanes whole = expandTrunc(quotient);
  Lanes rest = a - whole * b;
  rest = select(less(rest, 0), rest + b, rest);
  // An infinite divisor leaves x; its product with zero is NaN.
  rest = select(andInt(less(a, b), equal(b, std::numeric_limits<double>::infinity())), a, rest);
  Lanes fast = copySign(rest, wideX);

  Lanes isLarge = greater(quotient, 0x1p28);
  isLarge = andInt(isLarge, less(quotient, std::numeric_limits<double>::infinity()));
  Value isAnyLarge = isLarge.value;
  if (isa<VectorType>(x.getType()))
    isAnyLarge = vector::ReductionOp::create(builder, vector::CombiningKind::OR, isLarge.value);
  auto branch = scf::IfOp::create(builder, TypeRange(fast.getType()), isAnyLarge,
                                  /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    Lanes slow = select(isLarge, callRuntime("onnxc_rt_fmod_f64", {wideX, wideY}), fast);
    scf::YieldOp::create(builder, slow.value);
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, fast.value);
  }
  return truncateFloat(fast.with(branch.getResult(0)), builder.getF32Type());
}

//===-- Integers ----------------------------------------------------------===//

/// Whether all elements of a constant are numbers that division by never traps.
static bool isSafeDivisor(Value value) {
  Attribute attribute;
  if (!matchPattern(value, m_Constant(&attribute)))
    return false;
  auto isSafe = [](const APInt &element) { return !element.isZero() && !element.isAllOnes(); };
  if (auto element = dyn_cast<IntegerAttr>(attribute))
    return isSafe(element.getValue());
  auto dense = dyn_cast<DenseIntElementsAttr>(attribute);
  return dense && llvm::all_of(dense.getValues<APInt>(), isSafe);
}

/// Division by zero and of the smallest number by minus one become division by
/// one: ONNX defines no result, but the instruction traps.
static void guardDivision(MathBuilder &builder, Operation *op) {
  Value dividend = op->getOperand(0), divisor = op->getOperand(1);
  if (isSafeDivisor(divisor))
    return;
  Type type = divisor.getType(), element = getElementTypeOrSelf(type);
  unsigned width = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  auto constant = [&](const APInt &value) -> Value {
    TypedAttr attribute = builder.getIntegerAttr(element, value);
    if (auto vector = dyn_cast<VectorType>(type))
      attribute = DenseElementsAttr::get(vector, Attribute(attribute));
    return arith::ConstantOp::create(builder, attribute);
  };
  auto isEqual = [&](Value value, const APInt &other) -> Value {
    return arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, value, constant(other));
  };
  Value traps = isEqual(divisor, APInt::getZero(width));
  if (isa<arith::DivSIOp, arith::RemSIOp>(op)) {
    Value overflows = arith::AndIOp::create(builder, isEqual(divisor, APInt::getAllOnes(width)),
                                            isEqual(dividend, APInt::getSignedMinValue(width)));
    traps = arith::OrIOp::create(builder, traps, overflows);
  }
  Value one = constant(APInt(width, 1));
  op->setOperand(1, arith::SelectOp::create(builder, traps, one, divisor));
}

/// Float to integer. Out of range gives some number, which later uses agree on;
/// on x86 it is that of numpy: the conversion is one to signed 32 bits (64 for
/// ui32), of which narrow types keep the low bits.
static Value convertToInt(MathBuilder &builder, Operation *op) {
  Lanes x{op->getOperand(0), &builder};
  Type type = op->getResult(0).getType();
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  bool isUnsigned = isa<arith::FPToUIOp>(op);
  unsigned wide = width < 32 ? 32 : isUnsigned && width == 32 ? 64 : width;
  Type wideType = x.getTypeOf(builder.getIntegerType(wide));
  Value converted = isUnsigned && width == 64
                        ? arith::FPToUIOp::create(builder, wideType, x.value).getResult()
                        : arith::FPToSIOp::create(builder, wideType, x.value).getResult();
  // Out of range is poison, which may become a different number at each use.
  converted = LLVM::FreezeOp::create(builder, converted);
  return resizeInt(x.with(converted), width).value;
}

//===-- The pass ----------------------------------------------------------===//

namespace {

struct LegalizeArith : impl::LegalizeArithBase<LegalizeArith> {
  using LegalizeArithBase::LegalizeArithBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));

    SmallVector<Operation *> worklist;
    getOperation()->walk([&](Operation *op) {
      if (isa<vector::ReductionOp>(op) || isa_and_nonnull<arith::ArithDialect>(op->getDialect()))
        worklist.push_back(op);
    });
    for (Operation *op : worklist) {
      MathBuilder builder(op, /*hasFma=*/false);
      Value result = legalize(builder, op);
      if (!result)
        continue;
      op->getResult(0).replaceAllUsesWith(result);
      op->erase();
    }
  }

private:
  Value legalize(MathBuilder &builder, Operation *op) {
    auto operand = [&](unsigned i) { return Lanes{op->getOperand(i), &builder}; };
    if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op)) {
      guardDivision(builder, op);
      return {};
    }
    if (isa<arith::FPToSIOp, arith::FPToUIOp>(op))
      return convertToInt(builder, op);
    if (isa<arith::RemFOp>(op))
      return expandRemainder(operand(0), operand(1)).value;
    if (isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp>(op)) {
      if (hasNanMinMax && keepsNan(op))
        return {};
      return selectExtreme(operand(0), operand(1), isMaximum(op), keepsNan(op)).value;
    }
    auto reduction = dyn_cast<vector::ReductionOp>(op);
    if (!reduction)
      return {};
    switch (reduction.getKind()) {
    case vector::CombiningKind::MAXIMUMF:
    case vector::CombiningKind::MINIMUMF:
      return hasNanMinMax ? Value() : reduceExtreme(builder, reduction);
    case vector::CombiningKind::MAXNUMF:
    case vector::CombiningKind::MINNUMF: return reduceExtreme(builder, reduction);
    default: return {};
    }
  }
};

} // namespace
} // namespace onnxc::cpu
