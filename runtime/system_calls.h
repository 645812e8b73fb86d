/* system_calls.h - waiting, waking, and which process this is, by raw system calls.
 *
 * Not through libc: an unversioned pthread_cond binds to glibc's oldest version,
 * which allocates, and getpid would be one more symbol that a model needs.
 */
#ifndef ONNXC_RUNTIME_SYSTEM_CALLS_H
#define ONNXC_RUNTIME_SYSTEM_CALLS_H

#include <stdint.h>

enum { FUTEX_WAIT_PRIVATE = 128, FUTEX_WAKE_PRIVATE = 129 };

#if defined(__linux__) && defined(__x86_64__)

#define ONNXC_RT_HAS_FUTEX 1
static inline long futex(_Atomic uint32_t *word, int operation, uint32_t value) {
  register long timeout __asm__("r10") = 0;
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(202L), "D"(word), "S"((long)operation), "d"((long)value), "r"(timeout)
                   : "rcx", "r11", "memory");
  return result;
}
static inline long process_id(void) {
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(39L) : "rcx", "r11", "memory");
  return result;
}

#elif defined(__linux__) && defined(__aarch64__)

#define ONNXC_RT_HAS_FUTEX 1
static inline long futex(_Atomic uint32_t *word, int operation, uint32_t value) {
  register long x0 __asm__("x0") = (long)word;
  register long x1 __asm__("x1") = operation;
  register long x2 __asm__("x2") = (long)value;
  register long x3 __asm__("x3") = 0;
  register long x8 __asm__("x8") = 98;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x1), "r"(x2), "r"(x3), "r"(x8) : "memory");
  return x0;
}
static inline long process_id(void) {
  register long x0 __asm__("x0");
  register long x8 __asm__("x8") = 172;
  __asm__ volatile("svc 0" : "=r"(x0) : "r"(x8) : "memory");
  return x0;
}

#elif defined(__linux__) && defined(__arm__)

#define ONNXC_RT_HAS_FUTEX 1
static inline long futex(_Atomic uint32_t *word, int operation, uint32_t value) {
  register long r0 __asm__("r0") = (long)word;
  register long r1 __asm__("r1") = operation;
  register long r2 __asm__("r2") = (long)value;
  register long r3 __asm__("r3") = 0;
  register long r7 __asm__("r7") = 240;
  __asm__ volatile("svc 0" : "+r"(r0) : "r"(r1), "r"(r2), "r"(r3), "r"(r7) : "memory");
  return r0;
}
static inline long process_id(void) {
  register long r0 __asm__("r0");
  register long r7 __asm__("r7") = 20;
  __asm__ volatile("svc 0" : "=r"(r0) : "r"(r7) : "memory");
  return r0;
}

#elif defined(__linux__) && defined(__riscv) && __riscv_xlen == 64

#define ONNXC_RT_HAS_FUTEX 1
static inline long futex(_Atomic uint32_t *word, int operation, uint32_t value) {
  register long a0 __asm__("a0") = (long)word;
  register long a1 __asm__("a1") = operation;
  register long a2 __asm__("a2") = (long)value;
  register long a3 __asm__("a3") = 0;
  register long a7 __asm__("a7") = 98;
  __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a3), "r"(a7) : "memory");
  return a0;
}
static inline long process_id(void) {
  register long a0 __asm__("a0");
  register long a7 __asm__("a7") = 172;
  __asm__ volatile("ecall" : "=r"(a0) : "r"(a7) : "memory");
  return a0;
}

#else
#define ONNXC_RT_HAS_FUTEX 0
#endif

#endif /* ONNXC_RUNTIME_SYSTEM_CALLS_H */
