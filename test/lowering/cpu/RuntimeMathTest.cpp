//===- RuntimeMathTest.cpp - Double-precision functions of the runtime ----===//
//
// Compared with libm in 80-bit precision.
//
//===----------------------------------------------------------------------===//
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>
#include <limits>

extern "C" {
#include "runtime/math.h"
}

namespace {

struct UnaryCase {
  const char *name;
  double (*function)(double);
  long double (*reference)(long double);
  double low, high; ///< the dense range
  double bound = 2; ///< in units in the last place
};

const UnaryCase unaryCases[] = {
    {"acos", onnxc_rt_acos_f64, std::acos, -1, 1},
    {"acosh", onnxc_rt_acosh_f64, std::acosh, 1, 10},
    {"asin", onnxc_rt_asin_f64, std::asin, -1, 1},
    {"asinh", onnxc_rt_asinh_f64, std::asinh, -10, 10},
    {"atan", onnxc_rt_atan_f64, std::atan, -10, 10},
    {"atanh", onnxc_rt_atanh_f64, std::atanh, -1, 1},
    {"cbrt", onnxc_rt_cbrt_f64, std::cbrt, -10, 10},
    {"cos", onnxc_rt_cos_f64, std::cos, -100, 100},
    {"cosh", onnxc_rt_cosh_f64, std::cosh, -720, 720},
    {"erf", onnxc_rt_erf_f64, std::erf, -6, 6},
    {"erfc", onnxc_rt_erfc_f64, std::erfc, -6, 28, 2.5},
    {"exp", onnxc_rt_exp_f64, std::exp, -750, 711},
    {"exp2", onnxc_rt_exp2_f64, std::exp2, -1080, 1025},
    {"expm1", onnxc_rt_expm1_f64, std::expm1, -45, 70},
    {"log", onnxc_rt_log_f64, std::log, 0, 3},
    {"log10", onnxc_rt_log10_f64, std::log10, 0, 3},
    {"log1p", onnxc_rt_log1p_f64, std::log1p, -1, 3},
    {"log2", onnxc_rt_log2_f64, std::log2, 0, 3},
    {"sin", onnxc_rt_sin_f64, std::sin, -100, 100},
    {"sinh", onnxc_rt_sinh_f64, std::sinh, -50, 50},
    {"tan", onnxc_rt_tan_f64, std::tan, -100, 100},
    {"tanh", onnxc_rt_tanh_f64, std::tanh, -25, 25},
};

double ulpError(double got, long double exact) {
  constexpr double wrong = std::numeric_limits<double>::infinity();
  if (std::isnan(exact) || std::isnan(got))
    return std::isnan(exact) && std::isnan(got) ? 0 : wrong;
  double rounded = static_cast<double>(exact);
  if (rounded == got && (std::isinf(got) || exact == 0))
    return std::signbit(exact) == std::signbit(got) ? 0 : wrong;
  if (std::isinf(exact))
    return wrong;
  long double value = std::isinf(got) ? std::copysign(0x1p1024L, (long double)got) : got;
  return std::abs(value - exact) / std::ldexp(1.0L, std::max(std::ilogb(exact), -1022) - 52);
}

double fromBits(uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

uint64_t nextRandom(uint64_t &state) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state ^ (state >> 29);
}

const double specials[] = {0.0,
                           -0.0,
                           1.0,
                           -1.0,
                           0.5,
                           -0.5,
                           2.0,
                           -2.0,
                           3.0,
                           -3.0,
                           2.5,
                           -1.5,
                           0x1p-1074,
                           -0x1p-1074,
                           0x1p-1022,
                           -0x1p-1022,
                           0x1.fffffffffffffp1023,
                           -0x1.fffffffffffffp1023,
                           INFINITY,
                           -INFINITY,
                           NAN,
                           0x1p53,
                           -0x1p53,
                           0x1p52,
                           4503599627370497.0};

class Worst {
public:
  void add(double error, double x, double y) {
    if (error > worst)
      worst = error, worstX = x, worstY = y;
  }
  void check(const char *name, double bound) const {
    EXPECT_LE(worst, bound) << name << '(' << worstX << ", " << worstY << ')';
    if (std::getenv("ONNXC_PRINT_ULPS"))
      std::printf("%-10s %.3f at %a, %a\n", name, worst, worstX, worstY);
  }

private:
  double worst = 0, worstX = 0, worstY = 0;
};

TEST(RuntimeMath, UnaryFunctions) {
  for (const UnaryCase &test : unaryCases) {
    Worst worst;
    auto check = [&](double x) { worst.add(ulpError(test.function(x), test.reference(x)), x, 0); };
    for (double x : specials)
      check(x);
    uint64_t state = 1;
    for (int i = 0; i < 100'000; ++i)
      check(fromBits(nextRandom(state)));
    for (int i = 0; i < 100'000; ++i)
      check(test.low + (test.high - test.low) * (nextRandom(state) >> 11) * 0x1p-53);
    worst.check(test.name, test.bound);
  }
}

TEST(RuntimeMath, Power) {
  Worst worst;
  auto check = [&](double x, double y) {
    worst.add(ulpError(onnxc_rt_pow_f64(x, y), std::pow((long double)x, (long double)y)), x, y);
  };
  for (double x : specials)
    for (double y : specials)
      check(x, y);
  uint64_t state = 1;
  for (int i = 0; i < 200'000; ++i) {
    double x = fromBits(nextRandom(state)), y = (nextRandom(state) >> 11) * 0x1p-53 - 0.5;
    check(std::abs(x), y * 4);
    check(x, std::rint(y * 20));
    check(1 + y, (nextRandom(state) >> 11) * 0x1p-43);
  }
  worst.check("pow", 1);
}

TEST(RuntimeMath, ArcTangentOfTwo) {
  Worst worst;
  auto check = [&](double y, double x) {
    worst.add(ulpError(onnxc_rt_atan2_f64(y, x), std::atan2((long double)y, (long double)x)), y, x);
  };
  for (double y : specials)
    for (double x : specials)
      check(y, x);
  uint64_t state = 1;
  for (int i = 0; i < 200'000; ++i)
    check((nextRandom(state) >> 11) * 0x1p-50 - 4, (nextRandom(state) >> 11) * 0x1p-50 - 4);
  worst.check("atan2", 2);
}

TEST(RuntimeMath, RemainderIsExact) {
  uint64_t state = 1;
  auto check = [&](double x, double y) {
    double got = onnxc_rt_fmod_f64(x, y), exact = std::fmod(x, y);
    EXPECT_TRUE(std::memcmp(&got, &exact, sizeof(got)) == 0 ||
                (std::isnan(got) && std::isnan(exact)))
        << x << " mod " << y << ": " << got << " for " << exact;
  };
  for (double x : specials)
    for (double y : specials)
      check(x, y);
  for (int i = 0; i < 20'000; ++i) {
    double x = fromBits(nextRandom(state)), y = fromBits(nextRandom(state));
    check(x, y);
    check(y * ((nextRandom(state) >> 40) * 0.5), y);
    check(x * 0x1p-1000, y * 0x1p-1000);
  }
}

TEST(RuntimeMath, IntegerPower) {
  EXPECT_EQ(onnxc_rt_ipow_i64(3, 4), 81);
  EXPECT_EQ(onnxc_rt_ipow_i64(-2, 3), -8);
  EXPECT_EQ(onnxc_rt_ipow_i64(0, 0), 1);
  EXPECT_EQ(onnxc_rt_ipow_i64(7, -1), 0);
  EXPECT_EQ(onnxc_rt_ipow_i64(-1, -3), -1);
  EXPECT_EQ(onnxc_rt_ipow_i64(0, -1), 0);
  EXPECT_EQ(onnxc_rt_ipow_i64(2, 64), 0);
}

} // namespace
