//===- LegalizeTest.cpp - Small floats, remainders, minima, integers ------===//
#include "Jit.h"
#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace {

using llvm::APFloat;
using llvm::APInt;
using onnxc::test::Jit;

/// A loop over arrays of In and Out, eight elements at a time. The body goes
/// from %x (and %y, of the same type) to %r.
std::string makeLoop(const std::string &name, const std::string &in, const std::string &out,
                     const std::string &body) {
  std::string inV = "vector<8x" + in + ">", outV = "vector<8x" + out + ">";
  return "func.func @" + name +
         "(%px: !llvm.ptr, %py: !llvm.ptr, %pr: !llvm.ptr, %count: index) {\n"
         "  %c0 = arith.constant 0 : index\n  %c8 = arith.constant 8 : index\n"
         "  scf.for %i = %c0 to %count step %c8 {\n"
         "    %o = arith.index_cast %i : index to i64\n"
         "    %ax = llvm.getelementptr %px[%o] : (!llvm.ptr, i64) -> !llvm.ptr, " +
         in +
         "\n"
         "    %ay = llvm.getelementptr %py[%o] : (!llvm.ptr, i64) -> !llvm.ptr, " +
         in +
         "\n"
         "    %ar = llvm.getelementptr %pr[%o] : (!llvm.ptr, i64) -> !llvm.ptr, " +
         out +
         "\n"
         "    %x = llvm.load %ax {alignment = 1 : i64} : !llvm.ptr -> " +
         inV +
         "\n"
         "    %y = llvm.load %ay {alignment = 1 : i64} : !llvm.ptr -> " +
         inV + "\n    " + body + "\n    llvm.store %r, %ar {alignment = 1 : i64} : " + outV +
         ", !llvm.ptr\n"
         "  }\n  return\n}\n";
}

template <typename In, typename Out>
std::vector<Out> run(Jit &jit, const char *name, std::vector<In> x, std::vector<In> y = {}) {
  size_t count = x.size();
  x.resize((count + 7) / 8 * 8, In(1));
  y.resize(x.size(), In(1));
  std::vector<Out> result(x.size());
  auto function = jit.lookUp<void (*)(In *, In *, Out *, int64_t)>(name);
  EXPECT_TRUE(function) << name;
  if (function)
    function(x.data(), y.data(), result.data(), x.size());
  result.resize(count);
  return result;
}

template <typename To, typename From> To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof(to));
  return to;
}

struct SmallFloat {
  const char *name;
  unsigned width;
  const llvm::fltSemantics &semantics;
};

const SmallFloat smallFloats[] = {
    {"f16", 16, APFloat::IEEEhalf()},
    {"bf16", 16, APFloat::BFloat()},
    {"f8E4M3FN", 8, APFloat::Float8E4M3FN()},
    {"f8E5M2", 8, APFloat::Float8E5M2()},
    {"f8E4M3FNUZ", 8, APFloat::Float8E4M3FNUZ()},
    {"f8E5M2FNUZ", 8, APFloat::Float8E5M2FNUZ()},
};

std::string makeSmallFloatModule() {
  std::string source;
  for (const SmallFloat &type : smallFloats) {
    std::string name = type.name, bits = "i" + std::to_string(type.width);
    std::string small = "vector<8x" + name + ">", ints = "vector<8x" + bits + ">";
    source += makeLoop("extend_" + name, bits, "f32",
                       "%s = arith.bitcast %x : " + ints + " to " + small +
                           " %r = arith.extf %s : " + small + " to vector<8xf32>");
    for (const char *wide : {"f32", "f64"})
      source += makeLoop(std::string("truncate_") + wide + "_" + name, wide, bits,
                         "%s = arith.truncf %x : vector<8x" + std::string(wide) + "> to " + small +
                             " %r = arith.bitcast %s : " + small + " to " + ints);
  }
  return source;
}

/// NaN is equal to NaN; all else by bits.
bool areSame(const APFloat &a, const APFloat &b) {
  return (a.isNaN() && b.isNaN()) || a.bitwiseIsEqual(b);
}

template <typename Bits> void checkExtension(Jit &jit, const SmallFloat &type) {
  std::vector<Bits> all;
  for (unsigned bits = 0; bits < 1u << type.width; ++bits)
    all.push_back(bits);
  auto results = run<Bits, float>(jit, (std::string("extend_") + type.name).c_str(), all);
  for (unsigned bits = 0; bits < all.size(); ++bits) {
    APFloat exact(type.semantics, APInt(type.width, bits));
    bool losesInfo;
    exact.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &losesInfo);
    ASSERT_TRUE(areSame(APFloat(results[bits]), exact)) << type.name << ' ' << bits;
  }
}

template <typename Wide, typename Bits>
void checkTruncation(Jit &jit, const SmallFloat &type, const char *wide,
                     const std::vector<Wide> &samples) {
  auto results =
      run<Wide, Bits>(jit, (std::string("truncate_") + wide + "_" + type.name).c_str(), samples);
  for (size_t i = 0; i < samples.size(); ++i) {
    APFloat exact(samples[i]);
    bool losesInfo;
    exact.convert(type.semantics, APFloat::rmNearestTiesToEven, &losesInfo);
    ASSERT_TRUE(areSame(APFloat(type.semantics, APInt(type.width, results[i])), exact))
        << type.name << " of " << wide << ' ' << samples[i] << ": " << unsigned(results[i]);
  }
}

/// All exponents with random mantissas, and the neighbourhood of every number of
/// the format and of the middles between them.
std::vector<float> makeFloats(const SmallFloat &type) {
  std::vector<float> samples;
  uint32_t noise = 1;
  for (uint64_t bits = 0; bits < uint64_t(1) << 32; bits += 65521) {
    noise = noise * 1664525 + 1013904223;
    samples.push_back(bitCast<float>(uint32_t(bits ^ (noise >> 20))));
  }
  for (unsigned bits = 0; bits + 1 < 1u << type.width; bits += type.width == 16 ? 7 : 1) {
    auto get = [&](unsigned pattern) {
      APFloat value(type.semantics, APInt(type.width, pattern));
      bool losesInfo;
      value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &losesInfo);
      return value.convertToFloat();
    };
    float low = get(bits), middle = low + (get(bits + 1) - low) / 2;
    for (float x :
         {low, middle, std::nextafter(middle, INFINITY), std::nextafter(middle, -INFINITY)})
      samples.push_back(x);
  }
  return samples;
}

void checkSmallFloats(const std::string &pipeline) {
  Jit jit(makeSmallFloatModule(), pipeline);
  ASSERT_TRUE(jit.isValid()) << jit.getError();
  for (const SmallFloat &type : smallFloats) {
    std::vector<float> floats = makeFloats(type);
    std::vector<double> doubles(floats.begin(), floats.end());
    // Double rounding would take these for ties.
    for (float x : floats)
      doubles.push_back(std::nextafter(double(x), INFINITY));
    for (float x : floats)
      doubles.push_back(std::nextafter(double(x), -INFINITY));
    if (type.width == 8) {
      checkExtension<uint8_t>(jit, type);
      checkTruncation<float, uint8_t>(jit, type, "f32", floats);
      checkTruncation<double, uint8_t>(jit, type, "f64", doubles);
    } else {
      checkExtension<uint16_t>(jit, type);
      checkTruncation<float, uint16_t>(jit, type, "f32", floats);
      checkTruncation<double, uint16_t>(jit, type, "f64", doubles);
    }
  }
}

TEST(Legalize, SmallFloatsInIntegers) { checkSmallFloats("onnxc-cpu-to-llvm"); }

TEST(Legalize, SmallFloatsWithF16Instructions) {
  if (!Jit::hostHas("f16c"))
    GTEST_SKIP() << "no F16C on this machine";
  checkSmallFloats("onnxc-cpu-to-llvm{has-f16-conversion=true}");
}

const float specials[] = {0.0f,      -0.0f,  1.0f,     -1.0f,     2.5f, -7.0f,       1e30f, -1e30f,
                          0x1p-149f, 3e-39f, INFINITY, -INFINITY, NAN,  16777215.0f, 0.1f};

TEST(Legalize, RemainderIsExact) {
  Jit jit(makeLoop("rem", "f32", "f32", "%r = arith.remf %x, %y : vector<8xf32>"),
          "onnxc-cpu-to-llvm");
  ASSERT_TRUE(jit.isValid()) << jit.getError();
  std::vector<float> x, y;
  for (float a : specials)
    for (float b : specials) {
      x.push_back(a);
      y.push_back(b);
    }
  uint32_t noise = 1;
  for (int i = 0; i < 200'000; ++i) {
    auto next = [&] { return noise = noise * 1664525 + 1013904223; };
    x.push_back(bitCast<float>(next()));
    y.push_back(bitCast<float>(next()));
    x.push_back(float(next() >> 8) * 0.125f);
    y.push_back(float((next() >> 20) + 1) * 0.25f);
    x.push_back(y.back() * float(next() >> 6));
    y.push_back(y.back());
  }
  auto results = run<float, float>(jit, "rem", x, y);
  for (size_t i = 0; i < x.size(); ++i)
    ASSERT_TRUE(areSame(APFloat(results[i]), APFloat(std::fmod(x[i], y[i]))))
        << x[i] << " mod " << y[i] << ": " << results[i];
}

TEST(Legalize, MinimumAndMaximum) {
  std::string source;
  for (const char *op : {"maximumf", "minimumf", "maxnumf", "minnumf"}) {
    source +=
        makeLoop(op, "f32", "f32", std::string("%r = arith.") + op + " %x, %y : vector<8xf32>");
    source += makeLoop(std::string(op) + "_one", "f32", "f32",
                       std::string("%c = arith.constant dense<1.0> : vector<8xf32> %r = arith.") +
                           op + " %x, %c : vector<8xf32>");
    source += makeLoop(std::string(op) + "_reduce", "f32", "f32",
                       std::string("%s = vector.reduction <") + op +
                           ">, %x : vector<8xf32> into f32 "
                           "%r = vector.broadcast %s : f32 to vector<8xf32>");
  }
  Jit jit(source, "onnxc-cpu-to-llvm");
  ASSERT_TRUE(jit.isValid()) << jit.getError();
  std::vector<float> x, y;
  for (float a : specials)
    for (float b : specials) {
      x.push_back(a);
      y.push_back(b);
    }
  x.resize(224);
  y.resize(224);
  for (std::string op : {"maximumf", "minimumf", "maxnumf", "minnumf"}) {
    auto apply = [&](float a, float b) {
      if (std::isnan(a) || std::isnan(b))
        return op.find("mum") != std::string::npos ? NAN : std::isnan(a) ? b : a;
      return op.find("max") != std::string::npos ? std::max(a, b) : std::min(a, b);
    };
    auto isSame = [](float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    auto pairs = run<float, float>(jit, op.c_str(), x, y);
    auto withOne = run<float, float>(jit, (op + "_one").c_str(), x);
    auto reduced = run<float, float>(jit, (op + "_reduce").c_str(), x);
    for (size_t i = 0; i < x.size(); ++i) {
      EXPECT_TRUE(isSame(pairs[i], apply(x[i], y[i]))) << op << ' ' << x[i] << ' ' << y[i];
      EXPECT_TRUE(isSame(withOne[i], apply(x[i], 1))) << op << ' ' << x[i] << " 1";
      float all = x[i / 8 * 8];
      for (size_t j = 1; j < 8; ++j)
        all = apply(all, x[i / 8 * 8 + j]);
      EXPECT_TRUE(isSame(reduced[i], all)) << op << " of " << i;
    }
  }
}

TEST(Legalize, DivisionDoesNotTrap) {
  std::string source;
  for (const char *op : {"divsi", "remsi", "divui", "remui", "floordivsi", "ceildivsi"})
    source +=
        makeLoop(op, "i32", "i32", std::string("%r = arith.") + op + " %x, %y : vector<8xi32>");
  Jit jit(source, "onnxc-cpu-to-llvm");
  ASSERT_TRUE(jit.isValid()) << jit.getError();
  constexpr int32_t least = std::numeric_limits<int32_t>::min();
  std::vector<int32_t> x = {7, -7, least, least, 0, -8}, y = {0, 2, -1, 0, 0, 3};
  using Ints = std::vector<int32_t>;
  EXPECT_EQ((run<int32_t, int32_t>(jit, "divsi", x, y)), (Ints{7, -3, least, least, 0, -2}));
  EXPECT_EQ((run<int32_t, int32_t>(jit, "remsi", x, y)), (Ints{0, -1, 0, 0, 0, -2}));
  EXPECT_EQ((run<int32_t, int32_t>(jit, "floordivsi", {-7, 7, -8}, {2, 2, 3})), (Ints{-4, 3, -3}));
  EXPECT_EQ((run<int32_t, int32_t>(jit, "ceildivsi", {-7, 7, -8}, {2, 2, 3})), (Ints{-3, 4, -2}));
  run<int32_t, int32_t>(jit, "divui", x, y);
  run<int32_t, int32_t>(jit, "remui", x, y);
}

TEST(Legalize, FloatsThatDoNotFitAnInteger) {
  Jit jit(
      makeLoop("i8", "f32", "i8", "%r = arith.fptosi %x : vector<8xf32> to vector<8xi8>") +
          makeLoop("u8", "f32", "i8", "%r = arith.fptoui %x : vector<8xf32> to vector<8xi8>") +
          makeLoop("u32", "f32", "i32", "%r = arith.fptoui %x : vector<8xf32> to vector<8xi32>"),
      "onnxc-cpu-to-llvm");
  ASSERT_TRUE(jit.isValid()) << jit.getError();
  std::vector<float> x = {1.9f, -1.9f, 300.0f, -129.0f};
  EXPECT_EQ((run<float, int8_t>(jit, "i8", x)), (std::vector<int8_t>{1, -1, 44, 127}));
  EXPECT_EQ((run<float, uint8_t>(jit, "u8", x)), (std::vector<uint8_t>{1, 255, 44, 127}));
  EXPECT_EQ((run<float, uint32_t>(jit, "u32", {4e9f, -1.0f})),
            (std::vector<uint32_t>{4000000000u, 4294967295u}));
}

} // namespace
