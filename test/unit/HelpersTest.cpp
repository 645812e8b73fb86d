//===- HelpersTest.cpp - What backends call, against the C library ---------===//
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>
#include <random>

extern "C" {
float helper_fmaf(float, float, float);
double helper_fma(double, double, double);
float helper_fmodf(float, float);
double helper_fmod(double, double);
float helper_ldexpf(float, int);
double helper_ldexp(double, int);
__int128 helper___divti3(__int128, __int128);
__int128 helper___modti3(__int128, __int128);
unsigned __int128 helper___udivti3(unsigned __int128, unsigned __int128);
unsigned __int128 helper___umodti3(unsigned __int128, unsigned __int128);
void *helper_memcpy(void *, const void *, size_t);
void *helper_memmove(void *, const void *, size_t);
void *helper_memset(void *, int, size_t);
int helper_memcmp(const void *, const void *, size_t);
float helper___extendhfsf2(_Float16);
_Float16 helper___truncsfhf2(float);
_Float16 helper___truncdfhf2(double);
__bf16 helper___truncsfbf2(float);
#define DECLARE(name)            \
  float helper_##name##f(float); \
  double helper_##name(double);
DECLARE(trunc)
DECLARE(floor)
DECLARE(ceil)
DECLARE(round)
DECLARE(roundeven)
DECLARE(rint)
}

namespace {
template <typename To, typename From> To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}

/// Same bits, any NaN equal to any NaN.
::testing::AssertionResult same(double a, double b) {
  if ((std::isnan(a) && std::isnan(b)) || bitCast<uint64_t>(a) == bitCast<uint64_t>(b))
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << std::hexfloat << "found " << a << ", expected " << b;
}
::testing::AssertionResult same(float a, float b) {
  return same(static_cast<double>(a), static_cast<double>(b));
}

/// Patterns that make trouble: random bits, and numbers close to each other.
class Numbers {
public:
  double anyDouble() { return bitCast<double>(generator()); }
  float anyFloat() { return bitCast<float>(static_cast<uint32_t>(generator())); }
  double near(double scale) {
    int exponent = static_cast<int>(generator() % 120) - 60;
    return std::ldexp(static_cast<double>(static_cast<int64_t>(generator() | 1)), exponent - 63) *
           scale;
  }
  uint64_t bits() { return generator(); }

private:
  std::mt19937_64 generator{7};
};

constexpr double inf = std::numeric_limits<double>::infinity();
const double specials[] = {0.0,
                           -0.0,
                           1.0,
                           -1.0,
                           0.5,
                           -0.5,
                           1.5,
                           2.5,
                           -2.5,
                           inf,
                           -inf,
                           std::nan(""),
                           5e-324,
                           -5e-324,
                           2.2250738585072014e-308,
                           1.7976931348623157e308,
                           0.49999999999999994,
                           4503599627370495.5,
                           4503599627370496.5};
} // namespace

TEST(Helpers, FmaRoundsOnce) {
  Numbers numbers;
  for (double x : specials)
    for (double y : specials)
      for (double z : specials) {
        EXPECT_TRUE(same(helper_fma(x, y, z), std::fma(x, y, z))) << x << " " << y << " " << z;
        float a = static_cast<float>(x), b = static_cast<float>(y), c = static_cast<float>(z);
        EXPECT_TRUE(same(helper_fmaf(a, b, c), std::fma(a, b, c))) << a << " " << b << " " << c;
      }
  for (int i = 0; i < 300000; ++i) {
    double x = numbers.near(1), y = numbers.near(1), z = numbers.near(1);
    if (i % 3 == 0)
      z = -x * y; // cancellation
    if (i % 3 == 1)
      x = numbers.anyDouble(), y = numbers.anyDouble(), z = numbers.anyDouble();
    ASSERT_TRUE(same(helper_fma(x, y, z), std::fma(x, y, z)))
        << std::hexfloat << x << " " << y << " " << z;
    float a = numbers.anyFloat(), b = numbers.anyFloat(), c = numbers.anyFloat();
    if (i % 2)
      a = static_cast<float>(x), b = static_cast<float>(y), c = static_cast<float>(-x * y);
    ASSERT_TRUE(same(helper_fmaf(a, b, c), std::fma(a, b, c)))
        << std::hexfloat << a << " " << b << " " << c;
  }
}

TEST(Helpers, RoundingFunctions) {
  Numbers numbers;
  auto check = [](double x) {
    float y = static_cast<float>(x);
    EXPECT_TRUE(same(helper_trunc(x), std::trunc(x))) << x;
    EXPECT_TRUE(same(helper_floor(x), std::floor(x))) << x;
    EXPECT_TRUE(same(helper_ceil(x), std::ceil(x))) << x;
    EXPECT_TRUE(same(helper_round(x), std::round(x))) << x;
    EXPECT_TRUE(same(helper_rint(x), std::rint(x))) << x;
    EXPECT_TRUE(same(helper_roundeven(x), std::nearbyint(x))) << x;
    EXPECT_TRUE(same(helper_truncf(y), std::trunc(y))) << y;
    EXPECT_TRUE(same(helper_floorf(y), std::floor(y))) << y;
    EXPECT_TRUE(same(helper_ceilf(y), std::ceil(y))) << y;
    EXPECT_TRUE(same(helper_roundf(y), std::round(y))) << y;
    EXPECT_TRUE(same(helper_rintf(y), std::rint(y))) << y;
    EXPECT_TRUE(same(helper_roundevenf(y), std::nearbyint(y))) << y;
  };
  for (double x : specials)
    check(x);
  for (int i = 0; i < 50000; ++i) {
    check(numbers.anyDouble());
    check(std::ldexp(static_cast<double>(static_cast<int64_t>(numbers.bits()) >> 40), -1));
    check(numbers.near(1e6));
  }
}

TEST(Helpers, Remainder) {
  Numbers numbers;
  for (double x : specials)
    for (double y : specials) {
      EXPECT_TRUE(same(helper_fmod(x, y), std::fmod(x, y))) << x << " " << y;
      float a = static_cast<float>(x), b = static_cast<float>(y);
      EXPECT_TRUE(same(helper_fmodf(a, b), std::fmod(a, b))) << a << " " << b;
    }
  for (int i = 0; i < 20000; ++i) {
    double x = numbers.anyDouble(), y = numbers.anyDouble();
    ASSERT_TRUE(same(helper_fmod(x, y), std::fmod(x, y))) << x << " " << y;
    float a = numbers.anyFloat(), b = numbers.anyFloat();
    ASSERT_TRUE(same(helper_fmodf(a, b), std::fmod(a, b))) << a << " " << b;
  }
}

TEST(Helpers, Ldexp) {
  Numbers numbers;
  for (int exponent :
       {0, 1, -1, 1023, 1024, 2047, 2100, 5000, -1022, -1023, -1074, -1075, -2098, -2200, -9999})
    for (double x : specials) {
      EXPECT_TRUE(same(helper_ldexp(x, exponent), std::ldexp(x, exponent))) << x << exponent;
      float y = static_cast<float>(x);
      EXPECT_TRUE(same(helper_ldexpf(y, exponent), std::ldexp(y, exponent))) << y << exponent;
    }
  for (int i = 0; i < 20000; ++i) {
    double x = numbers.anyDouble();
    int exponent = static_cast<int>(numbers.bits() % 4400) - 2200;
    ASSERT_TRUE(same(helper_ldexp(x, exponent), std::ldexp(x, exponent))) << x << exponent;
  }
}

TEST(Helpers, Division128) {
  Numbers numbers;
  for (int i = 0; i < 5000; ++i) {
    unsigned __int128 a = (unsigned __int128)numbers.bits() << 64 | numbers.bits();
    unsigned __int128 b = (unsigned __int128)numbers.bits() << 64 | numbers.bits();
    a >>= numbers.bits() % 128;
    b >>= numbers.bits() % 128;
    if (!b)
      continue;
    EXPECT_TRUE(helper___udivti3(a, b) == a / b);
    EXPECT_TRUE(helper___umodti3(a, b) == a % b);
    auto c = static_cast<__int128>(i % 2 ? -a : a), d = static_cast<__int128>(i % 3 ? -b : b);
    EXPECT_TRUE(helper___divti3(c, d) == c / d);
    EXPECT_TRUE(helper___modti3(c, d) == c % d);
  }
}

TEST(Helpers, MemoryFunctions) {
  for (size_t size = 0; size < 300; ++size) {
    std::vector<unsigned char> from(size + 64), to(size + 64, 9), reference(size + 64, 9);
    for (size_t i = 0; i < from.size(); ++i)
      from[i] = static_cast<unsigned char>(i * 7);
    EXPECT_EQ(helper_memcpy(to.data() + 3, from.data() + 5, size), to.data() + 3);
    memcpy(reference.data() + 3, from.data() + 5, size);
    EXPECT_EQ(to, reference);
    EXPECT_EQ(helper_memcmp(to.data() + 3, from.data() + 5, size), 0);
    for (int shift : {-17, -16, -1, 0, 1, 15, 33}) {
      std::vector<unsigned char> a = from, b = from;
      size_t length = size < 20 ? 0 : size - 20;
      helper_memmove(a.data() + 20 + shift, a.data() + 20, length);
      memmove(b.data() + 20 + shift, b.data() + 20, length);
      EXPECT_EQ(a, b) << size << " " << shift;
    }
    helper_memset(to.data() + 1, 0x1a5, size);
    memset(reference.data() + 1, 0x1a5, size);
    EXPECT_EQ(to, reference);
  }
  EXPECT_LT(helper_memcmp("a\x01", "a\xff", 2), 0);
  EXPECT_GT(helper_memcmp("b", "a", 1), 0);
}

TEST(Helpers, HalfConversions) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    auto half = bitCast<_Float16>(static_cast<uint16_t>(bits));
    float wide = helper___extendhfsf2(half);
    ASSERT_TRUE(same(wide, static_cast<float>(half))) << bits;
    if (!std::isnan(wide)) {
      ASSERT_EQ(bitCast<uint16_t>(helper___truncsfhf2(wide)), bits);
      ASSERT_EQ(bitCast<uint16_t>(helper___truncdfhf2(wide)), bits);
    }
  }
  Numbers numbers;
  for (int i = 0; i < 200000; ++i) {
    float x = i % 2 ? numbers.anyFloat() : static_cast<float>(numbers.near(1e4));
    // Halfway cases and their neighbours.
    if (i % 4 == 3)
      x = bitCast<float>((bitCast<uint32_t>(x) & 0xffffe000u) + 0x1000u + (i % 3) - 1);
    if (std::isnan(x))
      continue;
    ASSERT_EQ(bitCast<uint16_t>(helper___truncsfhf2(x)),
              bitCast<uint16_t>(static_cast<_Float16>(x)))
        << std::hexfloat << x;
    // bf16: the upper half of a float, rounded to nearest even.
    uint32_t bits = bitCast<uint32_t>(x);
    uint16_t expected = static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
    ASSERT_EQ(bitCast<uint16_t>(helper___truncsfbf2(x)), expected) << std::hexfloat << x;
  }
}
