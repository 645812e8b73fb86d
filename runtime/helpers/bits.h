/* bits.h - floating-point numbers as their bit patterns. */
#ifndef ONNXC_RUNTIME_HELPERS_BITS_H
#define ONNXC_RUNTIME_HELPERS_BITS_H

#include <stdint.h>

static inline uint32_t float_bits(float value) {
  union {
    float value;
    uint32_t bits;
  } u = {value};
  return u.bits;
}
static inline float bits_float(uint32_t bits) {
  union {
    uint32_t bits;
    float value;
  } u = {bits};
  return u.value;
}
static inline uint64_t double_bits(double value) {
  union {
    double value;
    uint64_t bits;
  } u = {value};
  return u.bits;
}
static inline double bits_double(uint64_t bits) {
  union {
    uint64_t bits;
    double value;
  } u = {bits};
  return u.value;
}

#endif /* ONNXC_RUNTIME_HELPERS_BITS_H */
