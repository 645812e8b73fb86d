/* remainder.c - fmod, exact by construction: shift and subtract. */
#include "bits.h"

#define DEFINE_FMOD(NAME, T, U, BITS_OF, OF_BITS, MANTISSA, EXPONENT_MASK) \
  T NAME(T x, T y) {                                                       \
    const U one = 1, sign_bit = one << (sizeof(T) * 8 - 1);                \
    U sign = BITS_OF(x) & sign_bit;                                        \
    U a = BITS_OF(x) & ~sign_bit, b = BITS_OF(y) & ~sign_bit;              \
    const U infinity = (U)EXPONENT_MASK << MANTISSA;                       \
    int ea, eb;                                                            \
    if (b == 0 || a >= infinity || b > infinity)                           \
      return (x * y) / (x * y); /* NaN */                                  \
    if (a < b)                                                             \
      return x;                                                            \
    ea = (int)(a >> MANTISSA);                                             \
    eb = (int)(b >> MANTISSA);                                             \
    a &= (one << MANTISSA) - 1;                                            \
    b &= (one << MANTISSA) - 1;                                            \
    if (ea)                                                                \
      a |= one << MANTISSA;                                                \
    else                                                                   \
      ea = 1;                                                              \
    if (eb)                                                                \
      b |= one << MANTISSA;                                                \
    else                                                                   \
      eb = 1;                                                              \
    for (; !(a >> MANTISSA); --ea)                                         \
      a <<= 1;                                                             \
    for (; !(b >> MANTISSA); --eb)                                         \
      b <<= 1;                                                             \
    for (; ea > eb; --ea) {                                                \
      if (a >= b)                                                          \
        a -= b;                                                            \
      a <<= 1;                                                             \
    }                                                                      \
    if (a >= b)                                                            \
      a -= b;                                                              \
    if (a == 0)                                                            \
      return OF_BITS(sign);                                                \
    for (; !(a >> MANTISSA); --ea)                                         \
      a <<= 1;                                                             \
    if (ea >= 1)                                                           \
      a = (a & ((one << MANTISSA) - 1)) | (U)ea << MANTISSA;               \
    else                                                                   \
      a >>= 1 - ea; /* exact: a multiple of y's lowest bit */              \
    return OF_BITS(sign | a);                                              \
  }

DEFINE_FMOD(fmodf, float, uint32_t, float_bits, bits_float, 23, 0xff)
DEFINE_FMOD(fmod, double, uint64_t, double_bits, bits_double, 52, 0x7ff)
