/* math_integer.c - exact functions: remainders and integer powers. */
#include "math.h"

/* A magnitude as mantissa 2^exponent with the mantissa's bit 52 set, unless it
 * is zero. */
typedef struct scaled {
  uint64_t mantissa;
  int exponent;
} scaled;

static scaled split(double magnitude) {
  uint64_t bits = double_to_bits(magnitude);
  int exponent = (int)(bits >> 52);
  uint64_t mantissa = bits & 0xfffffffffffff;
  if (exponent)
    return (scaled){mantissa | 0x10000000000000, exponent};
  exponent = 1;
  while (mantissa && !(mantissa >> 52)) {
    mantissa <<= 1;
    --exponent;
  }
  return (scaled){mantissa, exponent};
}

/* Long division, up to ten bits of quotient at a time. */
double onnxc_rt_fmod_f64(double x, double y) {
  double a = magnitude_of(x), b = magnitude_of(y);
  if (!(a < ONNXC_INFINITY) || y != y || b == 0)
    return ONNXC_NAN;
  if (a < b)
    return x;
  scaled dividend = split(a), divisor = split(b);
  uint64_t rest = dividend.mantissa % divisor.mantissa;
  for (int left = dividend.exponent - divisor.exponent; left > 0 && rest;) {
    int step = left < 10 ? left : 10;
    rest = (rest << step) % divisor.mantissa;
    left -= step;
  }
  if (!rest)
    return with_sign_of(0, x);
  int exponent = divisor.exponent;
  while (!(rest >> 52) && exponent > 1) {
    rest <<= 1;
    --exponent;
  }
  if (exponent < 1)
    rest >>= 1 - exponent; /* denormal: the bits that go are zero */
  else if (rest >> 52)
    rest = (rest & 0xfffffffffffff) | (uint64_t)exponent << 52;
  return with_sign_of(double_from_bits(rest), x);
}

int64_t onnxc_rt_ipow_i64(int64_t base, int64_t exponent) {
  if (exponent < 0)
    return base == 1 ? 1 : base == -1 ? (exponent & 1 ? -1 : 1) : 0;
  uint64_t power = 1, factor = (uint64_t)base;
  for (; exponent; exponent >>= 1) {
    if (exponent & 1)
      power *= factor;
    factor *= factor;
  }
  return (int64_t)power;
}
