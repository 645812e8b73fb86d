/* aeabi.c - division and 64-bit conversions that 32-bit ARM compilers call, by
 * the names and registers of the ARM run-time ABI.
 *
 * Nothing here may divide, or it would call itself.
 */
#include "bits.h"

#if defined(__ARM_EABI__)

/* Quotient; the remainder goes to `rest`. Dividing by zero gives zero. */
__attribute__((used)) uint64_t onnxc_rt_udivmod64(uint64_t dividend, uint64_t divisor,
                                                  uint64_t *rest) {
  uint64_t quotient = 0, remainder = 0;
  int bit = dividend ? 63 - __builtin_clzll(dividend) : -1;
  for (; divisor && bit >= 0; --bit) {
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

static uint64_t magnitude(int64_t value) {
  return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

__attribute__((used)) int64_t onnxc_rt_divmod64(int64_t dividend, int64_t divisor, int64_t *rest) {
  uint64_t remainder;
  uint64_t quotient = onnxc_rt_udivmod64(magnitude(dividend), magnitude(divisor), &remainder);
  *rest = (int64_t)(dividend < 0 ? 0 - remainder : remainder);
  return (int64_t)((dividend < 0) != (divisor < 0) ? 0 - quotient : quotient);
}

/* Quotient in r0:r1, remainder in r2:r3, which no C function can return. */
#define DEFINE_DIVMOD64(NAME, FUNCTION)    \
  __attribute__((naked)) void NAME(void) { \
    __asm__("push {r11, lr}\n"             \
            "sub sp, sp, #16\n"            \
            "add r12, sp, #8\n"            \
            "str r12, [sp]\n"              \
            "bl " #FUNCTION "\n"           \
            "ldr r2, [sp, #8]\n"           \
            "ldr r3, [sp, #12]\n"          \
            "add sp, sp, #16\n"            \
            "pop {r11, pc}\n");            \
  }
DEFINE_DIVMOD64(__aeabi_uldivmod, onnxc_rt_udivmod64)
DEFINE_DIVMOD64(__aeabi_ldivmod, onnxc_rt_divmod64)

/* Quotient in r0, remainder in r1: the halves of a 64-bit number. */
uint64_t __aeabi_uidivmod(uint32_t dividend, uint32_t divisor) {
  uint64_t rest, quotient = onnxc_rt_udivmod64(dividend, divisor, &rest);
  return rest << 32 | (uint32_t)quotient;
}
uint64_t __aeabi_idivmod(int32_t dividend, int32_t divisor) {
  int64_t rest, quotient = onnxc_rt_divmod64(dividend, divisor, &rest);
  return (uint64_t)rest << 32 | (uint32_t)quotient;
}
uint32_t __aeabi_uidiv(uint32_t dividend, uint32_t divisor) {
  return (uint32_t)__aeabi_uidivmod(dividend, divisor);
}
int32_t __aeabi_idiv(int32_t dividend, int32_t divisor) {
  return (int32_t)__aeabi_idivmod(dividend, divisor);
}

/* These take and return floats in integer registers, whatever the target does
 * elsewhere. */
#define SOFT __attribute__((pcs("aapcs")))

SOFT double __aeabi_ul2d(uint64_t value) {
  /* One rounding: the high half is exact, and so is its multiple of 2^32. */
  return (double)(uint32_t)(value >> 32) * 0x1p32 + (double)(uint32_t)value;
}
SOFT double __aeabi_l2d(int64_t value) {
  return (double)(int32_t)(value >> 32) * 0x1p32 + (double)(uint32_t)value;
}
SOFT float __aeabi_ul2f(uint64_t value) {
  /* Bits that a double would round away are kept as one sticky bit, so that the
   * rounding to float is the only one. */
  if (value >> 53)
    value = (value & ~UINT64_C(0x7ff)) | ((value & 0x7ff) != 0) << 11;
  return (float)__aeabi_ul2d(value);
}
SOFT float __aeabi_l2f(int64_t value) {
  float result = __aeabi_ul2f(magnitude(value));
  return value < 0 ? -result : result;
}
SOFT uint64_t __aeabi_d2ulz(double value) {
  uint32_t high, low;
  if (!(value > 0))
    return 0;
  if (value >= 0x1p64)
    return UINT64_MAX;
  high = (uint32_t)(value * 0x1p-32);
  low = (uint32_t)(value - (double)high * 0x1p32);
  return (uint64_t)high << 32 | low;
}
SOFT int64_t __aeabi_d2lz(double value) {
  if (value >= 0x1p63)
    return INT64_MAX;
  if (value <= -0x1p63)
    return INT64_MIN;
  return value < 0 ? -(int64_t)__aeabi_d2ulz(-value) : (int64_t)__aeabi_d2ulz(value);
}
SOFT uint64_t __aeabi_f2ulz(float value) { return __aeabi_d2ulz((double)value); }
SOFT int64_t __aeabi_f2lz(float value) { return __aeabi_d2lz((double)value); }

#endif

typedef int helpers_aeabi_is_not_empty;
