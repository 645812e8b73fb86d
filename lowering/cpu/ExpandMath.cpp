//===- ExpandMath.cpp - No call of libm -----------------------------------===//
#include "lowering/cpu/MathFunctions.h"
#include "lowering/cpu/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace onnxc::cpu {

#define GEN_PASS_DEF_EXPANDMATH
#include "lowering/cpu/Passes.h.inc"

namespace {

/// How a function of one f32 operand is computed; f64 calls the runtime.
struct UnaryFunction {
  StringLiteral op;
  Lanes (*expand)(Lanes);
  StringLiteral runtime;
};

struct BinaryFunction {
  StringLiteral op;
  Lanes (*expand)(Lanes, Lanes);
  StringLiteral runtime;
};

} // namespace

/// Rare enough on f32 to take the runtime's f64 function.
static Lanes expandErfc(Lanes x) {
  Lanes wide = extendFloat(x, x.builder->getF64Type());
  return truncateFloat(callRuntime("onnxc_rt_erfc_f64", {wide}), x.builder->getF32Type());
}

static constexpr UnaryFunction unaryFunctions[] = {
    {"math.acos", expandAcos, "onnxc_rt_acos_f64"},
    {"math.acosh", expandAcosh, "onnxc_rt_acosh_f64"},
    {"math.asin", expandAsin, "onnxc_rt_asin_f64"},
    {"math.asinh", expandAsinh, "onnxc_rt_asinh_f64"},
    {"math.atan", expandAtan, "onnxc_rt_atan_f64"},
    {"math.atanh", expandAtanh, "onnxc_rt_atanh_f64"},
    {"math.cbrt", expandCbrt, "onnxc_rt_cbrt_f64"},
    {"math.cos", expandCos, "onnxc_rt_cos_f64"},
    {"math.cosh", expandCosh, "onnxc_rt_cosh_f64"},
    {"math.erf", expandErf, "onnxc_rt_erf_f64"},
    {"math.erfc", expandErfc, "onnxc_rt_erfc_f64"},
    {"math.exp", expandExp, "onnxc_rt_exp_f64"},
    {"math.exp2", expandExp2, "onnxc_rt_exp2_f64"},
    {"math.expm1", expandExpM1, "onnxc_rt_expm1_f64"},
    {"math.log", expandLog, "onnxc_rt_log_f64"},
    {"math.log10", expandLog10, "onnxc_rt_log10_f64"},
    {"math.log1p", expandLog1p, "onnxc_rt_log1p_f64"},
    {"math.log2", expandLog2, "onnxc_rt_log2_f64"},
    {"math.sin", expandSin, "onnxc_rt_sin_f64"},
    {"math.sinh", expandSinh, "onnxc_rt_sinh_f64"},
    {"math.tan", expandTan, "onnxc_rt_tan_f64"},
    {"math.tanh", expandTanh, "onnxc_rt_tanh_f64"},
};

static constexpr BinaryFunction binaryFunctions[] = {
    {"math.atan2", expandAtan2, "onnxc_rt_atan2_f64"},
    {"math.powf", expandPow, "onnxc_rt_pow_f64"},
};

/// The rounding functions, which any float type may use.
static constexpr UnaryFunction roundingFunctions[] = {
    {"math.ceil", expandCeil, ""},
    {"math.floor", expandFloor, ""},
    {"math.roundeven", expandRoundEven, ""},
    {"math.trunc", expandTrunc, ""},
};

template <typename Function>
static const Function *lookUp(ArrayRef<Function> functions, Operation *op) {
  StringRef name = op->getName().getStringRef();
  const Function *row = llvm::find_if(functions, [&](auto &row) { return row.op == name; });
  return row == functions.end() ? nullptr : row;
}

/// A test of the bits of a float, the sign put aside.
static Lanes classify(Operation *op, Lanes x) {
  const llvm::fltSemantics &semantics = cast<FloatType>(x.getElementType()).getFloatSemantics();
  int64_t infinity = APFloat::getInf(semantics).bitcastToAPInt().getZExtValue();
  int64_t smallest = APFloat::getSmallestNormalized(semantics).bitcastToAPInt().getZExtValue();
  int64_t signless = APInt::getSignedMaxValue(x.getBitWidth()).getZExtValue();
  Lanes magnitude = andInt(toBits(x), signless);
  return TypeSwitch<Operation *, Lanes>(op)
      .Case([&](math::IsFiniteOp) { return lessUnsigned(magnitude, infinity); })
      .Case([&](math::IsInfOp) { return equalInt(magnitude, infinity); })
      .Case([&](math::IsNaNOp) { return greaterUnsigned(magnitude, infinity); })
      .Default([&](Operation *) {
        return lessUnsigned(addInt(magnitude, -smallest), infinity - smallest);
      });
}

/// base^exponent on integers, in 64 bits: the low bits of the result are right
/// for every narrower type.
static Lanes expandIntegerPower(Lanes base, Lanes exponent) {
  MathBuilder &builder = *base.builder;
  unsigned width = base.getBitWidth();
  Type wide = base.getTypeOf(builder.getI64Type());
  auto extend = [&](Lanes x) {
    return width == 64 ? x : x.with(arith::ExtSIOp::create(builder, wide, x.value));
  };
  return resizeInt(callRuntime("onnxc_rt_ipow_i64", {extend(base), extend(exponent)}), width);
}

/// The op in f32, for a narrower float. The new op is appended to `created`.
static void computeInF32(MathBuilder &builder, Operation *op,
                         SmallVectorImpl<Operation *> &created) {
  auto widen = [&](Type type) -> Type {
    return isa<FloatType>(getElementTypeOrSelf(type))
               ? Lanes{op->getOperand(0), &builder}.getTypeOf(builder.getF32Type())
               : type;
  };
  OperationState state(op->getLoc(), op->getName());
  for (Value operand : op->getOperands()) {
    Type type = widen(operand.getType());
    state.operands.push_back(type == operand.getType()
                                 ? operand
                                 : arith::ExtFOp::create(builder, type, operand).getResult());
  }
  for (Type type : op->getResultTypes())
    state.types.push_back(widen(type));
  Operation *wide = builder.create(state);
  for (auto [narrow, result] : llvm::zip_equal(op->getResults(), wide->getResults()))
    narrow.replaceAllUsesWith(
        narrow.getType() == result.getType()
            ? result
            : arith::TruncFOp::create(builder, narrow.getType(), result).getResult());
  created.push_back(wide);
}

/// The values of the op's results as arithmetic; nothing when the op may stay.
static SmallVector<Lanes> expand(MathBuilder &builder, Operation *op, bool hasRounding) {
  auto operands = llvm::map_to_vector(op->getOperands(),
                                      [&](Value operand) { return Lanes{operand, &builder}; });
  bool isF64 = operands[0].getElementType().isF64();
  if (auto *row = lookUp(ArrayRef(unaryFunctions), op))
    return {isF64 ? callRuntime(row->runtime, operands) : row->expand(operands[0])};
  if (auto *row = lookUp(ArrayRef(binaryFunctions), op))
    return {isF64 ? callRuntime(row->runtime, operands) : row->expand(operands[0], operands[1])};
  if (auto *row = lookUp(ArrayRef(roundingFunctions), op); row && !hasRounding)
    return {row->expand(operands[0])};

  using Result = SmallVector<Lanes>;
  return TypeSwitch<Operation *, Result>(op)
      .Case<math::IsFiniteOp, math::IsInfOp, math::IsNaNOp, math::IsNormalOp>(
          [&](Operation *) -> Result { return {classify(op, operands[0])}; })
      .Case([&](math::ClampFOp) -> Result {
        Lanes x = operands[0];
        x = select(less(x, operands[1]), operands[1], x);
        return {select(greater(x, operands[2]), operands[2], x)};
      })
      .Case([&](math::FPowIOp) -> Result {
        Lanes exponent = intToFloat(operands[1], cast<FloatType>(operands[0].getElementType()));
        if (isF64)
          return {callRuntime("onnxc_rt_pow_f64", {operands[0], exponent})};
        return {expandPow(operands[0], exponent)};
      })
      .Case([&](math::FmaOp) -> Result {
        if (builder.hasFma)
          return {};
        return {multiplyAdd(operands[0], operands[1], operands[2])};
      })
      .Case([&](math::IPowIOp) -> Result { return {expandIntegerPower(operands[0], operands[1])}; })
      .Case([&](math::RoundOp) -> Result { return {expandRound(operands[0])}; })
      .Case([&](math::RsqrtOp) -> Result { return {1 / squareRoot(operands[0])}; })
      .Case([&](math::SincosOp) -> Result {
        if (isF64)
          return {callRuntime("onnxc_rt_sin_f64", operands),
                  callRuntime("onnxc_rt_cos_f64", operands)};
        return {expandSin(operands[0]), expandCos(operands[0])};
      })
      .Case([&](vector::FMAOp) -> Result {
        return {multiplyAdd(operands[0], operands[1], operands[2])};
      })
      .Default([](Operation *) -> Result { return {}; });
}

/// Whether the op computes on a float of sixteen bits or less. Sign and class
/// are questions of bits.
static bool isOnSmallFloat(Operation *op) {
  auto type = dyn_cast<FloatType>(getElementTypeOrSelf(op->getOperand(0).getType()));
  return type && type.getWidth() < 32 &&
         !isa<math::AbsFOp, math::CopySignOp, math::IsFiniteOp, math::IsInfOp, math::IsNaNOp,
              math::IsNormalOp>(op);
}

/// The x of a quotient 1 / (1 + exp(-x)) on f32.
static Value matchSigmoid(arith::DivFOp quotient, MathBuilder &builder) {
  auto sum = quotient.getRhs().getDefiningOp<arith::AddFOp>();
  if (!sum || !getElementTypeOrSelf(quotient.getType()).isF32() ||
      !matchPattern(quotient.getLhs(), m_OneFloat()))
    return {};
  Value other = sum.getRhs();
  if (!matchPattern(sum.getLhs(), m_OneFloat())) {
    if (!matchPattern(other, m_OneFloat()))
      return {};
    other = sum.getLhs();
  }
  auto exp = other.getDefiningOp<math::ExpOp>();
  if (!exp)
    return {};
  if (auto negation = exp.getOperand().getDefiningOp<arith::NegFOp>())
    return negation.getOperand();
  return arith::NegFOp::create(builder, exp.getOperand());
}

/// Sigmoids have a formula of their own: composed of exp, the error grows to
/// more than two units.
static void expandSigmoids(ModuleOp module, bool hasFma) {
  SmallVector<arith::DivFOp> quotients;
  module.walk([&](arith::DivFOp quotient) { quotients.push_back(quotient); });
  for (arith::DivFOp quotient : quotients) {
    MathBuilder builder(quotient, hasFma);
    Value x = matchSigmoid(quotient, builder);
    if (!x)
      continue;
    Operation *sum = quotient.getRhs().getDefiningOp();
    Operation *terms[] = {sum->getOperand(0).getDefiningOp(), sum->getOperand(1).getDefiningOp()};
    quotient.replaceAllUsesWith(expandSigmoid({x, &builder}).value);
    quotient.erase();
    // What no one else uses need not be expanded.
    if (sum->use_empty())
      sum->erase();
    for (Operation *term : terms)
      if (term && term->use_empty() && isa<math::ExpOp>(term))
        term->erase();
  }
}

namespace {

struct ExpandMath : impl::ExpandMathBase<ExpandMath> {
  using ExpandMathBase::ExpandMathBase;

  void runOnOperation() override {
    expandSigmoids(getOperation(), hasFma);
    SmallVector<Operation *> worklist;
    getOperation()->walk([&](Operation *op) {
      if (isa_and_nonnull<math::MathDialect>(op->getDialect()) || isa<vector::FMAOp>(op))
        worklist.push_back(op);
    });
    // Expansions create math ops in turn: wider ones, and roundings inside of others.
    while (!worklist.empty()) {
      Operation *op = worklist.pop_back_val();
      MathBuilder builder(op, hasFma);
      Listener listener(worklist);
      if (isOnSmallFloat(op)) {
        computeInF32(builder, op, worklist);
        op->erase();
        continue;
      }
      builder.setListener(&listener);
      SmallVector<Lanes> results = expand(builder, op, hasRounding);
      if (results.empty())
        continue;
      for (auto [old, result] : llvm::zip_equal(op->getResults(), results))
        old.replaceAllUsesWith(result.value);
      op->erase();
    }
  }

private:
  struct Listener : OpBuilder::Listener {
    explicit Listener(SmallVectorImpl<Operation *> &worklist) : worklist(worklist) {}
    void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override {
      if (isa_and_nonnull<math::MathDialect>(op->getDialect()))
        worklist.push_back(op);
    }
    SmallVectorImpl<Operation *> &worklist;
  };
};

} // namespace
} // namespace onnxc::cpu
