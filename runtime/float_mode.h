/* float_mode.h - rounding and denormal mode of a thread. */
#ifndef ONNXC_RUNTIME_FLOAT_MODE_H
#define ONNXC_RUNTIME_FLOAT_MODE_H

#include <stdint.h>

#if defined(__x86_64__)

/* Without the sticky exception flags, which are no mode. */
static inline uint64_t get_float_mode(void) { return __builtin_ia32_stmxcsr() & ~UINT64_C(0x3f); }
static inline void set_float_mode(uint64_t mode) { __builtin_ia32_ldmxcsr((uint32_t)mode); }

#elif defined(__aarch64__)

static inline uint64_t get_float_mode(void) {
  uint64_t mode;
  __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
  return mode;
}
static inline void set_float_mode(uint64_t mode) { __asm__ volatile("msr fpcr, %0" : : "r"(mode)); }

#elif defined(__arm__) && defined(__ARM_FP)

static inline uint64_t get_float_mode(void) {
  uint32_t mode;
  __asm__ volatile("vmrs %0, fpscr" : "=r"(mode));
  return mode & 0x07f79f00u; /* without condition and exception flags */
}
static inline void set_float_mode(uint64_t mode) {
  __asm__ volatile("vmsr fpscr, %0" : : "r"((uint32_t)mode));
}

#elif defined(__riscv_flen)

static inline uint64_t get_float_mode(void) {
  uint64_t mode;
  __asm__ volatile("frrm %0" : "=r"(mode));
  return mode;
}
static inline void set_float_mode(uint64_t mode) { __asm__ volatile("fsrm %0" : : "r"(mode)); }

#else

static inline uint64_t get_float_mode(void) { return 0; }
static inline void set_float_mode(uint64_t mode) { (void)mode; }

#endif

#endif /* ONNXC_RUNTIME_FLOAT_MODE_H */
