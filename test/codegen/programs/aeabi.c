/* The ARM run-time ABI's functions, called as a compiler does: by operators.
 * Freestanding, since a C library for ARM need not be installed. */
#include <stdint.h>

static volatile uint64_t a = 0xfedcba9876543210u, b = 0x12345;
static volatile int64_t c = -1234567890123456789, d = 987654321;
static volatile uint32_t e = 4000000000u, f = 7;
static volatile int32_t g = -2000000000, h = 13;
static volatile double large = 1.5e18, negative = -1.25e15;
static volatile float single = -3.5e12f;

static int check(void) {
  if (a / b != 0xe0004fa01c4du || a % b != 0x10a4f)
    return 1;
  if (c / d != -1249999988 || c % d != -725308641)
    return 2;
  if (e / f != 571428571 || e % f != 3)
    return 3;
  if (g / h != -153846153 || g % h != -11)
    return 4;
  if ((double)a != 0x1.fdb97530eca86p63 || (double)c != -1234567890123456768.0)
    return 5;
  if ((float)a != 0x1.fdb976p63f || (float)c != -0x1.12211p60f)
    return 6;
  if ((int64_t)large != 1500000000000000000 || (uint64_t)large != 1500000000000000000u ||
      (int64_t)negative != -1250000000000000)
    return 7;
  return (int64_t)single == -3499999887360 ? 0 : 8;
}

__attribute__((noreturn)) void _start(void) {
  register int status __asm__("r0") = check();
  register int number __asm__("r7") = 1; /* exit */
  __asm__ volatile("svc 0" : : "r"(status), "r"(number));
  __builtin_unreachable();
}
