//===- MathAccuracyTest.cpp - Expanded functions against long references --===//
//
// Compiles every f32 function as the compiler does, runs it over samples of all
// exponents and over a dense range, and measures the error in units in the last
// place against libm in double precision.
//
//===----------------------------------------------------------------------===//
#include "Jit.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace {

using onnxc::test::Jit;

struct Case {
  const char *name;
  const char *body; ///< from %x and %y to %r, all of type !V
  double (*reference)(double, double);
  double low, high; ///< the dense range
  double bound;     ///< in units in the last place
};

#define UNARY(op) "%r = math." op " %x : !V"

const Case cases[] = {
    {"acos", UNARY("acos"), [](double x, double) { return std::acos(x); }, -1, 1, 0.52},
    {"acosh", UNARY("acosh"), [](double x, double) { return std::acosh(x); }, 1, 10, 0.52},
    {"asin", UNARY("asin"), [](double x, double) { return std::asin(x); }, -1, 1, 0.52},
    {"asinh", UNARY("asinh"), [](double x, double) { return std::asinh(x); }, -10, 10, 0.52},
    {"atan", UNARY("atan"), [](double x, double) { return std::atan(x); }, -10, 10, 0.52},
    {"atan2", "%r = math.atan2 %x, %y : !V", [](double x, double y) { return std::atan2(x, y); },
     -10, 10, 0.52},
    {"atanh", UNARY("atanh"), [](double x, double) { return std::atanh(x); }, -1, 1, 0.52},
    {"cbrt", UNARY("cbrt"), [](double x, double) { return std::cbrt(x); }, -10, 10, 0.52},
    {"cos", UNARY("cos"), [](double x, double) { return std::cos(x); }, -100, 100, 0.52},
    {"cosh", UNARY("cosh"), [](double x, double) { return std::cosh(x); }, -10, 10, 0.52},
    {"erf", UNARY("erf"), [](double x, double) { return std::erf(x); }, -5, 5, 2},
    {"erfc", UNARY("erfc"), [](double x, double) { return std::erfc(x); }, -5, 11, 0.52},
    {"exp", UNARY("exp"), [](double x, double) { return std::exp(x); }, -105, 90, 1},
    {"exp2", UNARY("exp2"), [](double x, double) { return std::exp2(x); }, -151, 129, 1.1},
    {"expm1", UNARY("expm1"), [](double x, double) { return std::expm1(x); }, -10, 10, 0.52},
    {"log", UNARY("log"), [](double x, double) { return std::log(x); }, 0, 10, 1},
    {"log10", UNARY("log10"), [](double x, double) { return std::log10(x); }, 0, 10, 0.52},
    {"log1p", UNARY("log1p"), [](double x, double) { return std::log1p(x); }, -1, 10, 0.52},
    {"log2", UNARY("log2"), [](double x, double) { return std::log2(x); }, 0, 10, 0.52},
    {"pow", "%r = math.powf %x, %y : !V", [](double x, double y) { return std::pow(x, y); }, -10,
     10, 0.52},
    {"sigmoid",
     "%one = arith.constant dense<1.0> : !V %n = arith.negf %x : !V %e = math.exp %n : !V "
     "%d = arith.addf %e, %one : !V %r = arith.divf %one, %d : !V",
     [](double x, double) { return 1 / (1 + std::exp(-x)); }, -105, 20, 2},
    {"sin", UNARY("sin"), [](double x, double) { return std::sin(x); }, -100, 100, 0.52},
    {"sinh", UNARY("sinh"), [](double x, double) { return std::sinh(x); }, -10, 10, 0.52},
    {"tan", UNARY("tan"), [](double x, double) { return std::tan(x); }, -10, 10, 0.52},
    {"tanh", UNARY("tanh"), [](double x, double) { return std::tanh(x); }, -10, 10, 2},
    {"floor", UNARY("floor"), [](double x, double) { return std::floor(x); }, -10, 10, 0},
    {"ceil", UNARY("ceil"), [](double x, double) { return std::ceil(x); }, -10, 10, 0},
    {"round", UNARY("round"), [](double x, double) { return std::round(x); }, -10, 10, 0},
    {"roundeven", UNARY("roundeven"), [](double x, double) { return std::rint(x); }, -10, 10, 0},
    {"trunc", UNARY("trunc"), [](double x, double) { return std::trunc(x); }, -10, 10, 0},
    {"rsqrt", UNARY("rsqrt"), [](double x, double) { return 1 / std::sqrt(x); }, 0, 10, 1.5},
};

/// The distance of `got` from the exact value, in units in the last place of
/// f32. Infinite when one of special values and signs of zero differs.
double ulpError(float got, double exact) {
  constexpr double wrong = std::numeric_limits<double>::infinity();
  if (std::isnan(exact) || std::isnan(got))
    return std::isnan(exact) && std::isnan(got) ? 0 : wrong;
  if (static_cast<float>(exact) == got)
    return exact == 0 && std::signbit(exact) != std::signbit(got) ? wrong
           : std::isinf(got)
               ? 0
               : std::abs(got - exact) / std::ldexp(1.0, std::max(std::ilogb(exact), -126) - 23);
  if (std::isinf(exact))
    return wrong;
  // What lies beyond the largest number counts as the next one.
  double value = std::isinf(got) ? std::copysign(0x1p128, got) : got;
  return std::abs(value - exact) / std::ldexp(1.0, std::max(std::ilogb(exact), -126) - 23);
}

float fromBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

struct Samples {
  std::vector<float> x, y;
};

const float specials[] = {0.0f,
                          -0.0f,
                          1.0f,
                          -1.0f,
                          0.5f,
                          -0.5f,
                          2.0f,
                          -2.0f,
                          3.0f,
                          -3.0f,
                          1.5f,
                          -2.5f,
                          0x1p-149f,
                          -0x1p-149f,
                          0x1p-126f,
                          -0x1p-126f,
                          0x1.fffffep127f,
                          -0x1.fffffep127f,
                          INFINITY,
                          -INFINITY,
                          NAN,
                          0x1p23f,
                          -0x1p23f,
                          0x1p22f,
                          4194303.5f,
                          16777217.0f};

/// Every pair of special values, all exponents, and the dense range.
Samples makeSamples(const Case &test) {
  Samples samples;
  for (float x : specials)
    for (float y : specials) {
      samples.x.push_back(x);
      samples.y.push_back(y);
    }
  uint32_t noise = 12345;
  for (uint64_t bits = 0; bits < (uint64_t(1) << 32); bits += 8209) {
    noise = noise * 1664525 + 1013904223;
    samples.x.push_back(fromBits(bits));
    samples.y.push_back(fromBits(0x3a000000 + (noise >> 5) % 0x09000000) * (noise & 1 ? 1 : -1));
  }
  constexpr int dense = 1'000'000;
  for (int i = 0; i <= dense; ++i) {
    noise = noise * 1664525 + 1013904223;
    samples.x.push_back(test.low + (test.high - test.low) * i / dense);
    samples.y.push_back(test.low + (test.high - test.low) * (noise / 0x1p32));
  }
  // Whole vectors.
  while (samples.x.size() % 8) {
    samples.x.push_back(1);
    samples.y.push_back(1);
  }
  return samples;
}

std::string makeModule(bool isVector) {
  std::string source = isVector ? "!V = vector<8xf32>\n" : "!V = f32\n";
  for (const Case &test : cases) {
    std::string body = test.body;
    if (!isVector) {
      size_t dense = body.find("dense<1.0>");
      if (dense != std::string::npos)
        body.replace(dense, 10, "1.0");
    }
    source += std::string("func.func @") + test.name +
              "(%px: !llvm.ptr, %py: !llvm.ptr, %pr: !llvm.ptr, %count: index) {\n"
              "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
              "  scf.for %i = %c0 to %count step %c1 {\n"
              "    %o = arith.index_cast %i : index to i64\n"
              "    %ax = llvm.getelementptr %px[%o] : (!llvm.ptr, i64) -> !llvm.ptr, !V\n"
              "    %ay = llvm.getelementptr %py[%o] : (!llvm.ptr, i64) -> !llvm.ptr, !V\n"
              "    %ar = llvm.getelementptr %pr[%o] : (!llvm.ptr, i64) -> !llvm.ptr, !V\n"
              "    %x = llvm.load %ax {alignment = 4 : i64} : !llvm.ptr -> !V\n"
              "    %y = llvm.load %ay {alignment = 4 : i64} : !llvm.ptr -> !V\n    " +
              body +
              "\n    llvm.store %r, %ar {alignment = 4 : i64} : !V, !llvm.ptr\n  }\n  return\n}\n";
  }
  return source;
}

void checkAll(const std::string &pipeline, bool isVector) {
  Jit jit(makeModule(isVector), pipeline);
  ASSERT_TRUE(jit.isValid()) << jit.getError();
  for (const Case &test : cases) {
    using Function = void (*)(const float *, const float *, float *, int64_t);
    auto function = jit.lookUp<Function>(test.name);
    ASSERT_TRUE(function) << test.name;
    Samples samples = makeSamples(test);
    std::vector<float> results(samples.x.size());
    function(samples.x.data(), samples.y.data(), results.data(),
             samples.x.size() / (isVector ? 8 : 1));
    double worst = 0;
    size_t where = 0;
    for (size_t i = 0; i < results.size(); ++i) {
      double error = ulpError(results[i], test.reference(samples.x[i], samples.y[i]));
      if (error > worst) {
        worst = error;
        where = i;
      }
    }
    EXPECT_LE(worst, test.bound) << test.name << '(' << samples.x[where] << ", " << samples.y[where]
                                 << ") = " << results[where];
    if (std::getenv("ONNXC_PRINT_ULPS"))
      std::printf("%-10s %.3f at %a, %a\n", test.name, worst, samples.x[where], samples.y[where]);
  }
}

TEST(MathAccuracy, VectorsWithFma) {
  if (!Jit::hostHas("fma"))
    GTEST_SKIP() << "no FMA on this machine";
  checkAll("onnxc-cpu-to-llvm{has-fma=true has-rounding=true}", true);
}

TEST(MathAccuracy, VectorsWithoutFma) { checkAll("onnxc-cpu-to-llvm", true); }

} // namespace
