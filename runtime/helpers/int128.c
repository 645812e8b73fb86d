/* int128.c - 128-bit division by long division, for 64-bit targets. */
#include <stdint.h>

#ifdef __SIZEOF_INT128__

typedef __int128 int128;
typedef unsigned __int128 uint128;

/* Quotient; the remainder goes to `rest`. Dividing by zero gives all ones. */
static uint128 divide(uint128 dividend, uint128 divisor, uint128 *rest) {
  uint128 quotient = 0, remainder = 0;
  int bit;
  if (!(dividend >> 64) && !(divisor >> 64) && (uint64_t)divisor) {
    *rest = (uint64_t)dividend % (uint64_t)divisor;
    return (uint64_t)dividend / (uint64_t)divisor;
  }
  for (bit = 127; bit >= 0; --bit) {
    remainder = remainder << 1 | (dividend >> bit & 1);
    quotient <<= 1;
    if (remainder >= divisor) {
      remainder -= divisor;
      quotient |= 1;
    }
  }
  *rest = remainder;
  return quotient;
}

static uint128 magnitude(int128 value) { return value < 0 ? 0 - (uint128)value : (uint128)value; }

uint128 __udivti3(uint128 dividend, uint128 divisor) {
  uint128 rest;
  return divide(dividend, divisor, &rest);
}

uint128 __umodti3(uint128 dividend, uint128 divisor) {
  uint128 rest;
  divide(dividend, divisor, &rest);
  return rest;
}

int128 __divti3(int128 dividend, int128 divisor) {
  uint128 rest, quotient = divide(magnitude(dividend), magnitude(divisor), &rest);
  return (int128)((dividend < 0) != (divisor < 0) ? 0 - quotient : quotient);
}

int128 __modti3(int128 dividend, int128 divisor) {
  uint128 rest;
  divide(magnitude(dividend), magnitude(divisor), &rest);
  return (int128)(dividend < 0 ? 0 - rest : rest);
}

#endif

typedef int helpers_int128_is_not_empty;
