//===- ScalarTest.cpp - Scalar formulas, evaluated by folding ---------------===//
#include "dialects/onnx/Scalar.h"
#include "mlir/IR/Matchers.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

using namespace onnxc::onnx;

namespace {

/// Formulas on constants fold to constants, whose value is looked at.
class Scalars : public ::testing::Test {
protected:
  Scalars() : builder(&context) {
    context.loadDialect<mlir::arith::ArithDialect, mlir::math::MathDialect>();
    builder.setInsertionPointToEnd(&block);
  }

  Scalar make(mlir::TypedAttr value, bool isUnsigned) {
    mlir::Location loc = builder.getUnknownLoc();
    return {builder, loc, mlir::arith::ConstantOp::create(builder, loc, value), isUnsigned};
  }
  Scalar f(double value) { return make(builder.getF32FloatAttr(value), false); }
  Scalar i(int64_t value, unsigned width = 32) {
    return make(builder.getIntegerAttr(builder.getIntegerType(width), value), false);
  }
  Scalar u(uint64_t value, unsigned width = 32) {
    auto type = builder.getIntegerType(width);
    return make(mlir::IntegerAttr::get(type, llvm::APInt(width, value, false, true)), true);
  }
  /// The value that a formula folds to; integers by the signedness it has.
  static double value(Scalar x) {
    mlir::Attribute constant;
    EXPECT_TRUE(mlir::matchPattern(mlir::Value(x), mlir::m_Constant(&constant)));
    if (auto number = mlir::dyn_cast_or_null<mlir::FloatAttr>(constant))
      return number.getValueAsDouble();
    if (auto number = mlir::dyn_cast_or_null<mlir::IntegerAttr>(constant))
      return x.hasUnsignedType() || x.type().isInteger(1)
                 ? static_cast<double>(number.getValue().getZExtValue())
                 : static_cast<double>(number.getValue().getSExtValue());
    return -424242;
  }

  mlir::MLIRContext context;
  mlir::Block block;
  mlir::OpBuilder builder;
};

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST_F(Scalars, ConstantsHaveTheTypeOfTheScalar) {
  EXPECT_EQ(value(f(0).constant(1.5)), 1.5);
  EXPECT_EQ(value(i(0).constant(-2)), -2);
  EXPECT_TRUE(u(0).constant(1).hasUnsignedType());
}

TEST_F(Scalars, LimitsOfTypes) {
  EXPECT_EQ(value(f(0).highest()), infinity);
  EXPECT_EQ(value(f(0).lowest()), -infinity);
  EXPECT_EQ(value(i(0, 8).highest()), 127);
  EXPECT_EQ(value(i(0, 8).lowest()), -128);
  EXPECT_EQ(value(u(0, 8).highest()), 255);
  EXPECT_EQ(value(u(0, 8).lowest()), 0);
  EXPECT_EQ(value((i(1) == i(1)).highest()), 1);
}

TEST_F(Scalars, DivisionOfIntegersNeverTraps) {
  EXPECT_EQ(value(i(7) / i(2)), 3);
  EXPECT_EQ(value(i(-7) / i(2)), -3);
  EXPECT_EQ(value(i(7) / i(0)), 0);
  EXPECT_EQ(value(u(7) / u(0)), 0);
  EXPECT_EQ(value(i(-128, 8) / i(-1, 8)), -128);
  EXPECT_EQ(value(u(200, 8) / u(255, 8)), 0);
  EXPECT_EQ(value(f(1) / f(0)), infinity);
}

TEST_F(Scalars, RemainderHasTheDividendsSignModuloTheDivisors) {
  EXPECT_EQ(value(remainder(i(-7), i(3))), -1);
  EXPECT_EQ(value(modulo(i(-7), i(3))), 2);
  EXPECT_EQ(value(modulo(i(7), i(-3))), -2);
  EXPECT_EQ(value(modulo(u(7), u(3))), 1);
  EXPECT_EQ(value(remainder(i(7), i(0))), 0);
  EXPECT_EQ(value(remainder(i(-128, 8), i(-1, 8))), 0);
  EXPECT_EQ(value(remainder(f(-7), f(3))), -1);
  EXPECT_EQ(value(modulo(f(-7), f(3))), 2);
}

TEST_F(Scalars, ComparisonsKnowSignAndNaN) {
  EXPECT_EQ(value(i(-1, 8) < i(1, 8)), 1);
  EXPECT_EQ(value(u(255, 8) < u(1, 8)), 0);
  EXPECT_EQ(value(i(2) >= i(2)), 1);
  EXPECT_EQ(value(f(nan) == f(nan)), 0);
  EXPECT_EQ(value(f(nan) != f(nan)), 1);
  EXPECT_EQ(value(f(nan) <= f(1)), 0);
  EXPECT_EQ(value(isNaN(f(nan))), 1);
  EXPECT_EQ(value(isInfinite(f(-infinity))), 1);
  EXPECT_EQ(value(isInfinite(f(1))), 0);
}

TEST_F(Scalars, BitsAndShifts) {
  EXPECT_EQ(value(i(6) & i(3)), 2);
  EXPECT_EQ(value(i(6) | i(3)), 7);
  EXPECT_EQ(value(i(6) ^ i(3)), 5);
  EXPECT_EQ(value(~i(0)), -1);
  EXPECT_EQ(value(i(1) << i(3)), 8);
  EXPECT_EQ(value(i(-8, 8) >> i(1, 8)), -4);
  EXPECT_EQ(value(u(0xf8, 8) >> u(1, 8)), 0x7c);
}

TEST_F(Scalars, MinAndMaxLetNaNThrough) {
  EXPECT_EQ(value(min(i(-1), i(1))), -1);
  EXPECT_EQ(value(min(u(255, 8), u(1, 8))), 1);
  EXPECT_EQ(value(max(u(255, 8), u(1, 8))), 255);
  EXPECT_TRUE(std::isnan(value(min(f(1), f(nan)))));
  EXPECT_TRUE(std::isnan(value(max(f(nan), f(1)))));
  EXPECT_TRUE(std::isnan(value(atLeast(f(nan), f(1)))));
  EXPECT_TRUE(std::isnan(value(atMost(f(nan), f(1)))));
  EXPECT_EQ(value(atLeast(f(0), 1)), 1);
  EXPECT_EQ(value(atMost(i(5), 3)), 3);
}

TEST_F(Scalars, AbsAndSign) {
  EXPECT_EQ(value(abs(f(-2))), 2);
  EXPECT_EQ(value(abs(i(-2))), 2);
  EXPECT_EQ(value(abs(u(200, 8))), 200);
  EXPECT_EQ(value(sign(i(-5))), -1);
  EXPECT_EQ(value(sign(i(0))), 0);
  EXPECT_EQ(value(sign(u(200, 8))), 1);
}

TEST_F(Scalars, PowerOfIntegers) {
  EXPECT_EQ(value(power(i(3), i(4))), 81);
  EXPECT_EQ(value(power(i(-2), i(3))), -8);
  EXPECT_EQ(value(power(i(2), i(0))), 1);
  EXPECT_EQ(value(power(i(2), i(-1))), 0);
  EXPECT_EQ(value(power(i(-1), i(-3))), -1);
  EXPECT_EQ(value(power(i(2, 8), i(7, 8))), -128);
}

TEST_F(Scalars, PowerWithSmallConstantsIsAProduct) {
  EXPECT_EQ(value(power(f(3), f(2))), 9);
  EXPECT_EQ(value(power(f(3), f(4))), 81);
  EXPECT_EQ(value(power(f(4), f(0.5))), 2);
  EXPECT_EQ(value(power(f(4), f(-1))), 0.25);
  EXPECT_EQ(value(power(f(2), i(3))), 8);
  EXPECT_EQ(value(power(i(5), f(2))), 25);
}

TEST_F(Scalars, ConversionsFollowCast) {
  mlir::Type i8 = builder.getI8Type(), i1 = builder.getI1Type(), f32 = builder.getF32Type();
  EXPECT_EQ(value(convert(f(0.5), i1, false)), 1);
  EXPECT_EQ(value(convert(i(0), i1, false)), 0);
  EXPECT_EQ(value(convert(f(-1.9), i8, false)), -1);
  EXPECT_EQ(value(convert(f(300), i8, true)), 44);
  EXPECT_EQ(value(convert(i(300), i8, false)), 44);
  EXPECT_EQ(value(convert(i(-1, 8), builder.getI32Type(), false)), -1);
  EXPECT_EQ(value(convert(u(255, 8), builder.getI32Type(), false)), 255);
  EXPECT_EQ(value(convert(i(-1, 8), f32, false)), -1);
  EXPECT_EQ(value(convert(u(255, 8), f32, false)), 255);
  EXPECT_EQ(value(convert(i(1) == i(1), f32, false)), 1);
  EXPECT_EQ(value(convert(f(1.5), builder.getF64Type(), false)), 1.5);
}

TEST_F(Scalars, BitcastKeepsBits) {
  EXPECT_EQ(value(bitcast(f(1), builder.getI32Type())), 0x3f800000);
  EXPECT_EQ(value(bitcast(i(0x3f800000), builder.getF32Type())), 1);
}

TEST_F(Scalars, SoftplusDoesNotOverflow) {
  EXPECT_EQ(value(softplus(f(1000))), 1000);
  EXPECT_NEAR(value(softplus(f(0))), std::log(2.0), 1e-6);
  EXPECT_EQ(value(sigmoid(f(0))), 0.5);
}

} // namespace
