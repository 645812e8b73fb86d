/* elements.c - elements of any type, for irregular operators. */
#include "elements.h"

/* The order of a float from its bits: negative ones run backwards. */
static uint64_t float_order(uint64_t bits, unsigned width, uint64_t infinity) {
  uint64_t sign = UINT64_C(1) << (width - 1), magnitude = bits & (sign - 1);
  if (magnitude > infinity)
    return UINT64_MAX;
  return bits & sign ? sign - magnitude : sign + magnitude;
}

uint64_t onnxc_rt_order(int64_t dtype, const void *element) {
  const uint64_t bias = UINT64_C(1) << 63;
  switch (dtype) {
  case ONNXC_BOOL:
  case ONNXC_UINT8: return *(const uint8_t *)element;
  case ONNXC_UINT16: return *(const uint16_t *)element;
  case ONNXC_UINT32: return *(const uint32_t *)element;
  case ONNXC_UINT64: return *(const uint64_t *)element;
  case ONNXC_INT8: return (uint64_t)(int64_t)*(const int8_t *)element + bias;
  case ONNXC_INT16: return (uint64_t)(int64_t)*(const int16_t *)element + bias;
  case ONNXC_INT32: return (uint64_t)(int64_t)*(const int32_t *)element + bias;
  case ONNXC_INT64: return *(const uint64_t *)element + bias;
  case ONNXC_FLOAT16: return float_order(*(const uint16_t *)element, 16, 0x7c00);
  case ONNXC_BFLOAT16: return float_order(*(const uint16_t *)element, 16, 0x7f80);
  case ONNXC_FLOAT: return float_order(*(const uint32_t *)element, 32, 0x7f800000);
  case ONNXC_DOUBLE:
    return float_order(*(const uint64_t *)element, 64, UINT64_C(0x7ff0000000000000));
  default: return 0;
  }
}

static int compare_strings(const onnxc_string *a, const onnxc_string *b) {
  size_t i, length = a->length < b->length ? a->length : b->length;
  for (i = 0; i < length; ++i)
    if (a->data[i] != b->data[i])
      return (unsigned char)a->data[i] < (unsigned char)b->data[i] ? -1 : 1;
  return a->length == b->length ? 0 : a->length < b->length ? -1 : 1;
}

int onnxc_rt_compare(int64_t dtype, const void *a, const void *b) {
  uint64_t x, y;
  if (dtype == ONNXC_STRING)
    return compare_strings(a, b);
  x = onnxc_rt_order(dtype, a);
  y = onnxc_rt_order(dtype, b);
  return x == y ? 0 : x < y ? -1 : 1;
}

/* ------------------------------------------------------------ small floats */

static float from_bits(uint32_t bits) {
  union {
    uint32_t bits;
    float value;
  } u = {bits};
  return u.value;
}

static uint32_t to_bits(float value) {
  union {
    float value;
    uint32_t bits;
  } u = {value};
  return u.bits;
}

static float half_to_float(uint16_t half) {
  uint32_t sign = (uint32_t)(half & 0x8000) << 16, rest = half & 0x7fff;
  if (rest >= 0x7c00) /* infinity and NaN */
    return from_bits(sign | 0x7f800000 | (rest & 0x3ff) << 13);
  if (rest < 0x400) { /* subnormal: rest * 2^-24 */
    float value = (float)rest * from_bits((127 - 24) << 23);
    return sign ? -value : value;
  }
  return from_bits(sign | ((rest << 13) + ((127 - 15) << 23)));
}

static uint16_t float_to_half(float value) {
  uint32_t bits = to_bits(value), sign = bits >> 16 & 0x8000, rest = bits & 0x7fffffff;
  if (rest > 0x7f800000)
    return (uint16_t)(sign | 0x7e00);
  if (rest >= 0x477ff000) /* rounds to 2^16 or more */
    return (uint16_t)(sign | 0x7c00);
  if (rest < 0x38800000) { /* below 2^-14: adding 0.5 rounds to multiples of 2^-24 */
    float shifted = from_bits(rest) + 0.5f;
    return (uint16_t)(sign | (to_bits(shifted) - to_bits(0.5f)));
  }
  rest += 0xfff + (rest >> 13 & 1);
  return (uint16_t)(sign | ((rest - ((127 - 15) << 23)) >> 13));
}

static uint16_t float_to_bfloat(float value) {
  uint32_t bits = to_bits(value);
  if ((bits & 0x7fffffff) > 0x7f800000)
    return (uint16_t)(bits >> 16 | 0x40);
  return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/* ---------------------------------------------------------------- combining */

static double combine_double(int64_t reduction, double a, double b) {
  switch (reduction) {
  case ONNXC_RT_ADD: return a + b;
  case ONNXC_RT_MUL: return a * b;
  /* NaN wins. */
  case ONNXC_RT_MIN: return a < b || a != a ? a : b;
  default: return a > b || a != a ? a : b;
  }
}

static float combine_float(int64_t reduction, float a, float b) {
  switch (reduction) {
  case ONNXC_RT_ADD: return a + b;
  case ONNXC_RT_MUL: return a * b;
  case ONNXC_RT_MIN: return a < b || a != a ? a : b;
  default: return a > b || a != a ? a : b;
  }
}

/* Sums and products of integers wrap. */
#define COMBINE_INTEGER(type)                                                         \
  do {                                                                                \
    type a = *(type *)target, b = *(const type *)source;                              \
    *(type *)target = reduction == ONNXC_RT_ADD   ? (type)((uint64_t)a + (uint64_t)b) \
                      : reduction == ONNXC_RT_MUL ? (type)((uint64_t)a * (uint64_t)b) \
                      : reduction == ONNXC_RT_MIN ? (a < b ? a : b)                   \
                                                  : (a > b ? a : b);                  \
    return ONNXC_OK;                                                                  \
  } while (0)

onnxc_status onnxc_rt_combine(int64_t dtype, int64_t reduction, void *target, const void *source) {
  if (reduction == ONNXC_RT_REPLACE) {
    int64_t i, bytes = onnxc_rt_element_bytes(dtype);
    for (i = 0; i < bytes; ++i)
      ((char *)target)[i] = ((const char *)source)[i];
    return bytes ? ONNXC_OK : ONNXC_UNSUPPORTED;
  }
  switch (dtype) {
  case ONNXC_BOOL: {
    uint8_t a = *(uint8_t *)target, b = *(const uint8_t *)source;
    *(uint8_t *)target = reduction == ONNXC_RT_ADD || reduction == ONNXC_RT_MAX ? a | b : a & b;
    return ONNXC_OK;
  }
  case ONNXC_UINT8: COMBINE_INTEGER(uint8_t);
  case ONNXC_UINT16: COMBINE_INTEGER(uint16_t);
  case ONNXC_UINT32: COMBINE_INTEGER(uint32_t);
  case ONNXC_UINT64: COMBINE_INTEGER(uint64_t);
  case ONNXC_INT8: COMBINE_INTEGER(int8_t);
  case ONNXC_INT16: COMBINE_INTEGER(int16_t);
  case ONNXC_INT32: COMBINE_INTEGER(int32_t);
  case ONNXC_INT64: COMBINE_INTEGER(int64_t);
  case ONNXC_FLOAT:
    *(float *)target = combine_float(reduction, *(float *)target, *(const float *)source);
    return ONNXC_OK;
  case ONNXC_DOUBLE:
    *(double *)target = combine_double(reduction, *(double *)target, *(const double *)source);
    return ONNXC_OK;
  case ONNXC_FLOAT16:
    *(uint16_t *)target = float_to_half(combine_float(reduction, half_to_float(*(uint16_t *)target),
                                                      half_to_float(*(const uint16_t *)source)));
    return ONNXC_OK;
  case ONNXC_BFLOAT16:
    *(uint16_t *)target =
        float_to_bfloat(combine_float(reduction, from_bits((uint32_t)*(uint16_t *)target << 16),
                                      from_bits((uint32_t)*(const uint16_t *)source << 16)));
    return ONNXC_OK;
  default: return ONNXC_UNSUPPORTED;
  }
}
