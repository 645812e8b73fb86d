/* fma.c - fused multiply-add in software: one rounding, to nearest even. */
#include "bits.h"

float fmaf(float x, float y, float z) {
  /* The product is exact in double. The sum is rounded to odd there, so that the
   * second rounding, to float, cannot land on a false tie. */
  double product = (double)x * y, sum = product + z;
  uint64_t bits = double_bits(sum);
  double virtual_z, error;
  if ((bits >> 52 & 0x7ff) == 0x7ff)
    return (float)sum;
  virtual_z = sum - product;
  error = (product - (sum - virtual_z)) + ((double)z - virtual_z);
  if (error != 0 && !(bits & 1)) {
    /* Towards the error: up in magnitude when it has the sum's sign. */
    bits += (error > 0) == (sum > 0) ? 1 : -1;
    sum = bits_double(bits);
  }
  return (float)sum;
}

/* A finite non-zero double as mantissa * 2^exponent, its leading one at bit 52. */
typedef struct number {
  uint64_t mantissa;
  int exponent;
  int negative;
} number;

static number unpack(double value) {
  uint64_t bits = double_bits(value);
  number n = {bits & 0xfffffffffffffull, (int)(bits >> 52 & 0x7ff), (int)(bits >> 63)};
  if (n.exponent)
    n.mantissa |= 1ull << 52;
  else
    n.exponent = 1;
  while (!(n.mantissa >> 52)) {
    n.mantissa <<= 1;
    --n.exponent;
  }
  n.exponent -= 1075;
  return n;
}

typedef struct wide {
  uint64_t high, low;
} wide;

static wide multiply(uint64_t x, uint64_t y) {
  uint64_t xl = (uint32_t)x, xh = x >> 32, yl = (uint32_t)y, yh = y >> 32;
  uint64_t ll = xl * yl, lh = xl * yh, hl = xh * yl, hh = xh * yh;
  uint64_t middle = (ll >> 32) + (uint32_t)lh + (uint32_t)hl;
  wide product = {hh + (lh >> 32) + (hl >> 32) + (middle >> 32), middle << 32 | (uint32_t)ll};
  return product;
}

/* Shifts that keep a lost bit as a set lowest bit. */
static wide shift_right(wide w, int count) {
  uint64_t lost;
  if (count <= 0)
    return w;
  if (count >= 128) {
    w.low = (w.high | w.low) != 0;
    w.high = 0;
    return w;
  }
  if (count >= 64) {
    lost = w.low | (count > 64 ? w.high << (128 - count) : 0);
    w.low = w.high >> (count - 64);
    w.high = 0;
  } else {
    lost = w.low << (64 - count);
    w.low = w.low >> count | w.high << (64 - count);
    w.high >>= count;
  }
  w.low |= lost != 0;
  return w;
}

static wide shift_left(wide w, int count) {
  for (; count > 0; --count) {
    w.high = w.high << 1 | w.low >> 63;
    w.low <<= 1;
  }
  return w;
}

static int is_less(wide x, wide y) { return x.high != y.high ? x.high < y.high : x.low < y.low; }

static wide add(wide x, wide y) {
  wide sum = {x.high + y.high, x.low + y.low};
  sum.high += sum.low < x.low;
  return sum;
}

static wide subtract(wide x, wide y) {
  wide difference = {x.high - y.high - (x.low < y.low), x.low - y.low};
  return difference;
}

/* Rounds w * 2^exponent, w's lowest bit being sticky. */
static double pack(wide w, int exponent, int negative) {
  uint64_t sign = (uint64_t)negative << 63, kept, rest, result;
  int shift;
  while (!(w.high >> 61)) {
    w = shift_left(w, 1);
    --exponent;
  }
  w.high |= w.low != 0; /* now value = high * 2^(exponent + 64), high in [2^61, 2^64) */
  exponent += 64;
  while (w.high >> 62) {
    w.high = w.high >> 1 | (w.high & 1);
    ++exponent;
  }
  /* high has 62 bits, nine more than a double keeps. */
  shift = 9;
  if (exponent + shift < -1074)
    shift = -1074 - exponent;
  if (shift > 63)
    return bits_double(sign);
  rest = w.high & ((1ull << shift) - 1);
  kept = w.high >> shift;
  kept += rest > 1ull << (shift - 1) || (rest == 1ull << (shift - 1) && (kept & 1));
  exponent += shift;
  if (exponent > 971)
    return bits_double(sign | 0x7ffull << 52);
  /* A kept leading one raises the exponent field by one. */
  result = ((uint64_t)(exponent + 1074) << 52) + kept;
  return bits_double(sign | (result >= 0x7ffull << 52 ? 0x7ffull << 52 : result));
}

double fma(double x, double y, double z) {
  uint64_t infinity = 0x7ffull << 52, magnitude = ~(1ull << 63);
  number a, b, c;
  wide product, addend = {0, 0};
  int exponent, distance, negative;
  if ((double_bits(x) & magnitude) >= infinity || (double_bits(y) & magnitude) >= infinity ||
      x == 0 || y == 0)
    return x * y + z;
  if ((double_bits(z) & magnitude) >= infinity)
    return z + 0;
  a = unpack(x);
  b = unpack(y);
  negative = a.negative ^ b.negative;
  /* 106 bits, moved up so that the leading one is at bit 124 or 125. */
  product = shift_left(multiply(a.mantissa, b.mantissa), 20);
  exponent = a.exponent + b.exponent - 20;
  if (z == 0)
    return pack(product, exponent, negative);
  c = unpack(z);
  addend.high = c.mantissa << 8; /* leading one at bit 124 */
  distance = c.exponent - 72 - exponent;
  if (distance > 0) {
    product = shift_right(product, distance);
    exponent += distance;
  } else {
    addend = shift_right(addend, -distance);
  }
  if (c.negative == negative)
    return pack(add(product, addend), exponent, negative);
  if (is_less(product, addend))
    return pack(subtract(addend, product), exponent, !negative);
  if (is_less(addend, product))
    return pack(subtract(product, addend), exponent, negative);
  return 0;
}
