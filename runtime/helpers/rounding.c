/* rounding.c - rounding to integers, for targets without the instruction. */
#include "bits.h"

/* At or above 2^(mantissa bits) every number is an integer already, infinite or
 * NaN; below it the value fits an integer and a cast truncates exactly. Results
 * take the argument's sign, so that -0.3 becomes -0. */
#define DEFINE_ROUNDING(T, I, S, BITS_OF, OF_BITS, LIMIT, SIGN)                         \
  static T magnitude##S(T x) { return OF_BITS(BITS_OF(x) & ~SIGN); }                    \
  static T with_sign##S(T m, T x) { return OF_BITS(BITS_OF(m) | (BITS_OF(x) & SIGN)); } \
  T trunc##S(T x) {                                                                     \
    T m = magnitude##S(x);                                                              \
    return m < LIMIT ? with_sign##S((T)(I)m, x) : x;                                    \
  }                                                                                     \
  T floor##S(T x) {                                                                     \
    T t = trunc##S(x);                                                                  \
    return t > x ? t - 1 : t;                                                           \
  }                                                                                     \
  T ceil##S(T x) {                                                                      \
    T t = trunc##S(x);                                                                  \
    return t < x ? with_sign##S(magnitude##S(t + 1), x) : t;                            \
  }                                                                                     \
  /* Halves away from zero. */                                                          \
  T round##S(T x) {                                                                     \
    T m = magnitude##S(x), t;                                                           \
    if (!(m < LIMIT))                                                                   \
      return x;                                                                         \
    t = (T)(I)m;                                                                        \
    return with_sign##S(m - t >= (T)0.5 ? t + 1 : t, x);                                \
  }                                                                                     \
  /* Halves to even, whatever the rounding mode. */                                     \
  T roundeven##S(T x) {                                                                 \
    T m = magnitude##S(x), rest;                                                        \
    I t;                                                                                \
    if (!(m < LIMIT))                                                                   \
      return x;                                                                         \
    t = (I)m;                                                                           \
    rest = m - (T)t;                                                                    \
    if (rest > (T)0.5 || (rest == (T)0.5 && (t & 1)))                                   \
      ++t;                                                                              \
    return with_sign##S((T)t, x);                                                       \
  }                                                                                     \
  /* In the current mode: adding the limit drops the fraction. */                       \
  T rint##S(T x) {                                                                      \
    T m = magnitude##S(x);                                                              \
    volatile T sum;                                                                     \
    if (!(m < LIMIT))                                                                   \
      return x;                                                                         \
    sum = BITS_OF(x) & SIGN ? x - LIMIT : x + LIMIT;                                    \
    sum = BITS_OF(x) & SIGN ? sum + LIMIT : sum - LIMIT;                                \
    return with_sign##S(magnitude##S(sum), x);                                          \
  }                                                                                     \
  T nearbyint##S(T x) { return rint##S(x); }

DEFINE_ROUNDING(float, int32_t, f, float_bits, bits_float, 0x1p23f, 0x80000000u)
DEFINE_ROUNDING(double, int64_t, , double_bits, bits_double, 0x1p52, 0x8000000000000000ull)
