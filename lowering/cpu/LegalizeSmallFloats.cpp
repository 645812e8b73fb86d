//===- LegalizeSmallFloats.cpp - Sixteen bits and less in f32 -------------===//
#include "lowering/cpu/MathBuilder.h"
#include "lowering/cpu/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

namespace onnxc::cpu {

#define GEN_PASS_DEF_LEGALIZESMALLFLOATS
#include "lowering/cpu/Passes.h.inc"

namespace {

/// What a format does with its largest exponent.
enum class Specials {
  ieee,       ///< infinities and NaN
  nanOnly,    ///< FN: the last number is NaN
  nanForZero, ///< FNUZ: what would be minus zero is NaN
  none,       ///< FN of four bits: numbers only
};

/// The layout of a small float.
struct Format {
  unsigned exponentBits;
  unsigned mantissaBits;
  int64_t bias;
  Specials specials;

  unsigned getMagnitudeBits() const { return exponentBits + mantissaBits; }
  int64_t getMagnitudeMask() const { return (int64_t(1) << getMagnitudeBits()) - 1; }
  int64_t getInfinity() const { return ((int64_t(1) << exponentBits) - 1) << mantissaBits; }
  /// Bits of an f32 mantissa that the format does not have.
  unsigned getLostBits() const { return 23 - mantissaBits; }
};

} // namespace

static std::optional<Format> getFormat(Type type) {
  if (isa<Float16Type>(type))
    return Format{5, 10, 15, Specials::ieee};
  if (isa<Float8E5M2Type>(type))
    return Format{5, 2, 15, Specials::ieee};
  if (isa<Float8E5M2FNUZType>(type))
    return Format{5, 2, 16, Specials::nanForZero};
  if (isa<Float8E4M3FNType>(type))
    return Format{4, 3, 7, Specials::nanOnly};
  if (isa<Float8E4M3FNUZType>(type))
    return Format{4, 3, 8, Specials::nanForZero};
  if (isa<Float4E2M1FNType>(type))
    return Format{2, 1, 1, Specials::none};
  return std::nullopt;
}

static bool isSmall(Type type) {
  auto floatType = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  return floatType && floatType.getWidth() < 32;
}

static constexpr int64_t f32Infinity = 0x7f800000, f32QuietNan = 0x7fc00000;
static constexpr int64_t f32Sign = 0x80000000;

static FloatType f32Of(Lanes x) { return x.builder->getF32Type(); }

//===-- To f32 ------------------------------------------------------------===//

/// An integer of the float's bits, zero-extended to i32.
static Lanes toWideBits(Lanes x) { return resizeInt(toBits(x), 32); }

static Lanes extendBFloat(Lanes x) { return fromBits(shiftLeft(toWideBits(x), 16), f32Of(x)); }

/// The eight bits are an exponent of f32; zero is a denormal, the last NaN.
static Lanes extendExponent(Lanes x) {
  Lanes bits = toWideBits(x);
  Lanes result = shiftLeft(bits, 23);
  result = select(equalInt(bits, 0), intConstant(bits, 0x00400000), result);
  result = select(equalInt(bits, 0xff), intConstant(bits, f32QuietNan), result);
  return fromBits(result, f32Of(x));
}

/// Moves the fields to those of f32 and adds the difference of the biases. A
/// denormal number gets an exponent, whose value is subtracted again, exactly
/// (F. Giesen, "half_to_float_fast5", 2012).
static Lanes extendToF32(Lanes x, const Format &format) {
  Lanes bits = toWideBits(x);
  Lanes magnitude = andInt(bits, format.getMagnitudeMask());
  Lanes sign = shiftLeft(shiftRight(bits, format.getMagnitudeBits()), 31);
  Lanes shifted = shiftLeft(magnitude, format.getLostBits());
  int64_t rebias = (127 - format.bias) << 23, one = int64_t(1) << 23;
  Lanes normal = addInt(shifted, rebias);
  Lanes offset = fromBits(intConstant(bits, rebias + one), f32Of(x));
  Lanes denormal = toBits(fromBits(addInt(shifted, rebias + one), f32Of(x)) - offset);
  Lanes isDenormal = lessUnsigned(magnitude, int64_t(1) << format.mantissaBits);
  Lanes result = select(isDenormal, denormal, normal);
  switch (format.specials) {
  case Specials::ieee:
    result = select(greaterUnsigned(magnitude, format.getInfinity() - 1),
                    orInt(shifted, f32Infinity), result);
    break;
  case Specials::nanOnly:
    result = select(equalInt(magnitude, format.getMagnitudeMask()), intConstant(bits, f32QuietNan),
                    result);
    break;
  case Specials::nanForZero:
    result = select(equalInt(bits, format.getMagnitudeMask() + 1), intConstant(bits, f32QuietNan),
                    result);
    break;
  case Specials::none: break;
  }
  return fromBits(orInt(result, sign), f32Of(x));
}

//===-- From f32 ----------------------------------------------------------===//

/// f64 to f32 by rounding to odd: a second rounding to at most 22 bits then
/// gives what one rounding would have given (S. Boldo and G. Melquiond, 2005).
static Lanes roundToOdd(Lanes x) {
  Lanes rounded = truncateFloat(x, f32Of(x));
  Lanes back = extendFloat(rounded, x.builder->getF64Type());
  Lanes bits = toBits(rounded);
  Lanes isAway = greater(absolute(back), absolute(x));
  Lanes odd = orInt(select(isAway, addInt(bits, -1), bits), 1);
  // Equal numbers are exact; NaN has no neighbour.
  Lanes isInexact = notEqualOrNan(back, x);
  Lanes stays = isNan(x);
  return fromBits(select(isInexact, select(stays, bits, odd), bits), f32Of(x));
}

/// Rounds the lost bits of a magnitude to even and drops them.
static Lanes roundBits(Lanes magnitude, unsigned lostBits) {
  Lanes isOdd = andInt(shiftRight(magnitude, lostBits), 1);
  Lanes rounded = addInt(addInt(magnitude, (int64_t(1) << (lostBits - 1)) - 1), isOdd);
  return shiftRight(rounded, lostBits);
}

static Lanes truncateToBFloat(Lanes x, FloatType type) {
  Lanes bits = toBits(x);
  Lanes quieted = orInt(shiftRight(bits, 16), 0x40);
  // The sign bit is far from the carry, which stops at infinity.
  Lanes result = select(isNan(x), quieted, roundBits(bits, 16));
  return fromBits(resizeInt(result, 16), type);
}

/// The nearest power of two; ties go to the larger one. Zero becomes the
/// smallest, infinity and NaN the NaN.
static Lanes truncateToExponent(Lanes x, FloatType type) {
  Lanes magnitude = andInt(toBits(x), INT32_MAX);
  Lanes result = shiftRight(addInt(magnitude, 0x00400000), 23);
  result =
      select(greaterUnsigned(magnitude, f32Infinity - 1), intConstant(magnitude, 0xff), result);
  return fromBits(resizeInt(result, 8), type);
}

/// The special values, of a magnitude whose overflow has run into the bits above
/// the format's.
static Lanes limitMagnitude(Lanes result, Lanes f32Magnitude, const Format &format) {
  int64_t mask = format.getMagnitudeMask(), infinity = format.getInfinity();
  switch (format.specials) {
  case Specials::ieee: {
    Lanes quietNan = intConstant(result, infinity | (int64_t(1) << (format.mantissaBits - 1)));
    result = select(greaterUnsigned(result, infinity), intConstant(result, infinity), result);
    return select(greaterUnsigned(f32Magnitude, f32Infinity), quietNan, result);
  }
  case Specials::nanOnly:
  case Specials::none:
    return select(greaterUnsigned(result, mask), intConstant(result, mask), result);
  case Specials::nanForZero:
    return select(greaterUnsigned(result, mask), intConstant(result, mask + 1), result);
  }
  llvm_unreachable("unknown kind of special values");
}

/// Rounds to nearest even. What is too large becomes infinity, NaN, or the
/// largest number, whichever the format has first; saturation is up to who
/// creates the op.
static Lanes truncateFromF32(Lanes x, const Format &format, FloatType type) {
  Lanes bits = toBits(x);
  Lanes magnitude = andInt(bits, INT32_MAX);
  int64_t rebias = (127 - format.bias) << format.mantissaBits;
  Lanes normal = addInt(roundBits(magnitude, format.getLostBits()), -rebias);
  // Adding a number whose last place is the denormals' unit rounds to them.
  int64_t offsetBits = (127 - format.bias + format.getLostBits() + 1) << 23;
  Lanes offset = fromBits(intConstant(bits, offsetBits), f32Of(x));
  Lanes denormal = addInt(toBits(fromBits(magnitude, f32Of(x)) + offset), -offsetBits);
  Lanes isDenormal = lessUnsigned(magnitude, (128 - format.bias) << 23);
  Lanes result = select(isDenormal, denormal, limitMagnitude(normal, magnitude, format));

  Lanes sign = shiftRight(andInt(bits, f32Sign), 31 - format.getMagnitudeBits());
  if (format.specials == Specials::nanForZero)
    sign = select(equalInt(result, 0), result, sign);
  result = orInt(result, sign);
  // A format that has no NaN gets minus zero for it, as in ONNX's reference.
  if (format.specials == Specials::none)
    result = select(greaterUnsigned(magnitude, f32Infinity),
                    intConstant(bits, format.getMagnitudeMask() + 1), result);
  return fromBits(resizeInt(result, type.getWidth()), type);
}

//===-- The pass ----------------------------------------------------------===//

namespace {

struct LegalizeSmallFloats : impl::LegalizeSmallFloatsBase<LegalizeSmallFloats> {
  using LegalizeSmallFloatsBase::LegalizeSmallFloatsBase;

  void runOnOperation() override {
    SmallVector<Operation *> worklist;
    getOperation()->walk([&](Operation *op) {
      if (isa_and_nonnull<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
          (llvm::any_of(op->getOperandTypes(), isSmall) ||
           llvm::any_of(op->getResultTypes(), isSmall)))
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
  Lanes toF32(Lanes x) {
    Type type = x.getElementType();
    if (!isSmall(type))
      return type.isF64() ? truncateFloat(x, f32Of(x)) : x;
    if (isa<BFloat16Type>(type))
      return extendBFloat(x);
    if (isa<Float8E8M0FNUType>(type))
      return extendExponent(x);
    if (type.isF16() && hasF16Conversion)
      return extendFloat(x, f32Of(x));
    if (std::optional<Format> format = getFormat(type))
      return extendToF32(x, *format);
    return extendFloat(x, f32Of(x));
  }

  Lanes fromF32(Lanes x, FloatType type) {
    if (isa<BFloat16Type>(type))
      return truncateToBFloat(x, type);
    if (isa<Float8E8M0FNUType>(type))
      return truncateToExponent(x, type);
    if (type.isF16() && hasF16Conversion)
      return truncateFloat(x, type);
    if (std::optional<Format> format = getFormat(type))
      return truncateFromF32(x, *format, type);
    return truncateFloat(x, type);
  }

  /// The op's result without arithmetic on small floats; nothing for ops that
  /// only move bits.
  Value legalize(MathBuilder &builder, Operation *op) {
    if (isa<arith::BitcastOp, arith::ConstantOp, arith::SelectOp>(op))
      return {};
    Lanes x{op->getOperand(0), &builder};
    if (isSmall(op->getOperand(0).getType())) {
      int64_t sign = int64_t(1) << (x.getBitWidth() - 1);
      auto type = cast<FloatType>(x.getElementType());
      if (isa<arith::NegFOp>(op))
        return fromBits(xorInt(toBits(x), sign), type).value;
      if (isa<math::AbsFOp>(op))
        return fromBits(andInt(toBits(x), sign - 1), type).value;
      if (isa<math::CopySignOp>(op))
        return fromBits(orInt(andInt(toBits(x), sign - 1),
                              andInt(toBits({op->getOperand(1), &builder}), sign)),
                        type)
            .value;
    }
    if (isa<arith::ExtFOp, arith::TruncFOp>(op))
      return legalizeCast(x, cast<FloatType>(getElementTypeOrSelf(op->getResult(0).getType())));
    return computeInF32(builder, op);
  }

  Value legalizeCast(Lanes x, FloatType type) {
    if (x.getElementType().isF64()) {
      // Powers of two: halfway is where rounding to odd would end up.
      bool isExponent = isa<Float8E8M0FNUType>(type);
      return fromF32(isExponent ? truncateFloat(x, f32Of(x)) : roundToOdd(x), type).value;
    }
    Lanes wide = toF32(x);
    if (type.isF32())
      return wide.value;
    return type.isF64() ? extendFloat(wide, type).value : fromF32(wide, type).value;
  }

  /// The same op on f32, for arithmetic, comparisons and conversions of integers.
  Value computeInF32(MathBuilder &builder, Operation *op) {
    OperationState state(op->getLoc(), op->getName());
    state.attributes = op->getDiscardableAttrDictionary();
    state.propertiesAttr = op->getPropertiesAsAttribute();
    for (Value operand : op->getOperands())
      state.operands.push_back(isSmall(operand.getType()) ? toF32({operand, &builder}).value
                                                          : operand);
    Type type = op->getResult(0).getType();
    if (!isSmall(type)) {
      state.types.push_back(type);
      return builder.create(state)->getResult(0);
    }
    state.types.push_back(Lanes{op->getResult(0), &builder}.getTypeOf(builder.getF32Type()));
    Lanes wide{builder.create(state)->getResult(0), &builder};
    return fromF32(wide, cast<FloatType>(getElementTypeOrSelf(type))).value;
  }
};

} // namespace
} // namespace onnxc::cpu
