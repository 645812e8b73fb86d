/* For machines without a C library: asks a model, MODEL_init, whether the CPU will do,
 * prints what it says and ends with its status. */
#include "onnxc_runtime.h"

onnxc_status MODEL_init(void *instance, uint64_t bytes, char *message, uint64_t message_bytes);

#if defined(__arm__)

enum { EXIT = 1, WRITE = 4 };

static long system_call(long number, long a, long b, long c) {
  register long r0 __asm__("r0") = a;
  register long r1 __asm__("r1") = b;
  register long r2 __asm__("r2") = c;
  register long r7 __asm__("r7") = number;
  __asm__ volatile("svc 0" : "+r"(r0) : "r"(r1), "r"(r2), "r"(r7) : "memory");
  return r0;
}

#else

enum { EXIT = 93, WRITE = 64 };

static long system_call(long number, long a, long b, long c) {
  register long a0 __asm__("a0") = a;
  register long a1 __asm__("a1") = b;
  register long a2 __asm__("a2") = c;
  register long a7 __asm__("a7") = number;
  __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
  return a0;
}

#endif

void _start(void) {
  static _Alignas(ONNXC_ALIGNMENT) char instance[4096];
  static char message[256];
  onnxc_status status = MODEL_init(instance, sizeof instance, message, sizeof message);
  long length = 0;
  while (message[length])
    ++length;
  system_call(WRITE, 1, (long)message, length);
  system_call(EXIT, status, 0, 0);
}
