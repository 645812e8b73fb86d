/* scale.c - ldexp, and fmin/fmax that prefer numbers to NaN. */
#include "bits.h"

double ldexp(double x, int exponent) {
  /* Three steps reach from the largest double to the smallest; the last step
   * rounds once, since the ones before keep the number normal. */
  if (exponent > 1023) {
    x *= 0x1p1023;
    exponent -= 1023;
    if (exponent > 1023) {
      x *= 0x1p1023;
      exponent -= 1023;
      if (exponent > 1023)
        exponent = 1023;
    }
  } else if (exponent < -1022) {
    /* 2^-969 leaves 53 bits above the denormals. */
    x *= 0x1p-969;
    exponent += 969;
    if (exponent < -1022) {
      x *= 0x1p-969;
      exponent += 969;
      if (exponent < -1022)
        exponent = -1022;
    }
  }
  return x * bits_double((uint64_t)(1023 + exponent) << 52);
}

float ldexpf(float x, int exponent) {
  /* A float times such a power is an exact double; one rounding follows. */
  if (exponent > 600)
    exponent = 600;
  if (exponent < -600)
    exponent = -600;
  return (float)((double)x * bits_double((uint64_t)(1023 + exponent) << 52));
}

float fminf(float x, float y) { return y != y || x < y ? x : y; }
float fmaxf(float x, float y) { return y != y || x > y ? x : y; }
double fmin(double x, double y) { return y != y || x < y ? x : y; }
double fmax(double x, double y) { return y != y || x > y ? x : y; }
