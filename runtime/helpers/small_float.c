/* small_float.c - conversions of f16 and bf16, rounding to nearest even. */
#include "bits.h"

/* A narrower format: its exponent and mantissa widths. */
typedef struct format {
  int exponent_bits;
  int mantissa_bits;
} format;

/* Rounds a double to the bit pattern of a 16-bit format. Exact for a float
 * argument too, since every float is a double. */
static uint16_t narrow(double value, format to) {
  uint64_t bits = double_bits(value);
  uint16_t sign = (uint16_t)(bits >> 63 << 15);
  int exponent = (int)(bits >> 52 & 0x7ff);
  uint64_t mantissa = bits & 0xfffffffffffffull;
  int bias = (1 << (to.exponent_bits - 1)) - 1;
  uint16_t infinity = (uint16_t)(((1 << to.exponent_bits) - 1) << to.mantissa_bits);
  int shift = 52 - to.mantissa_bits;
  if (exponent == 0x7ff)
    return mantissa ? (uint16_t)(sign | infinity | 1 << (to.mantissa_bits - 1) | mantissa >> shift)
                    : sign | infinity;
  if (!exponent)
    return sign; /* a double's denormal is below every format's half step */
  exponent += bias - 1023;
  mantissa |= 1ull << 52;
  if (exponent < 1) {
    shift += 1 - exponent;
    exponent = 1;
    if (shift > 54)
      return sign;
  }
  uint64_t rest = mantissa & ((1ull << shift) - 1), half = 1ull << (shift - 1);
  uint64_t kept = mantissa >> shift;
  kept += rest > half || (rest == half && (kept & 1));
  /* The leading one, if there, raises the exponent field from 0 to 1. */
  uint64_t result = ((uint64_t)(exponent - 1) << to.mantissa_bits) + kept;
  return sign | (uint16_t)(result >= infinity ? infinity : result);
}

static const format half_format = {5, 10};
static const format bfloat_format = {8, 7};

static float widen_half(uint16_t bits) {
  uint32_t sign = (uint32_t)(bits & 0x8000) << 16;
  uint32_t exponent = bits >> 10 & 31, mantissa = bits & 0x3ff;
  if (exponent == 31)
    return bits_float(sign | 0x7f800000u | mantissa << 13 | (mantissa ? 1u << 22 : 0));
  if (exponent)
    return bits_float(sign | (exponent + 112) << 23 | mantissa << 13);
  /* A denormal: its value is mantissa * 2^-24, which is exact. */
  return bits_float(sign | float_bits((float)mantissa * 0x1p-24f));
}

/* Targets pass f16 and bf16 either in floating-point registers or as integers;
 * clang's types follow the target. */
#if defined(__FLT16_MAX__)
typedef union {
  uint16_t bits;
  _Float16 value;
} half;

float __extendhfsf2(_Float16 value) { return widen_half(((half){.value = value}).bits); }
double __extendhfdf2(_Float16 value) { return (double)widen_half(((half){.value = value}).bits); }
_Float16 __truncsfhf2(float value) {
  return ((half){.bits = narrow((double)value, half_format)}).value;
}
_Float16 __truncdfhf2(double value) { return ((half){.bits = narrow(value, half_format)}).value; }
#endif

#if defined(__ARM_EABI__)
/* The ARM run-time ABI passes halves as integers. */
float __aeabi_h2f(uint16_t bits) { return widen_half(bits); }
uint16_t __aeabi_f2h(float value) { return narrow((double)value, half_format); }
uint16_t __aeabi_d2h(double value) { return narrow(value, half_format); }
#endif

#if defined(__BF16_TYPE__) || defined(__x86_64__) || defined(__aarch64__) || defined(__arm__) || \
    defined(__riscv)
typedef union {
  uint16_t bits;
  __bf16 value;
} bfloat;

__bf16 __truncsfbf2(float value) {
  return ((bfloat){.bits = narrow((double)value, bfloat_format)}).value;
}
__bf16 __truncdfbf2(double value) { return ((bfloat){.bits = narrow(value, bfloat_format)}).value; }
#endif
