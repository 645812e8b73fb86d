/* math.h - double-precision functions for compiled models.
 *
 * Own algorithms, no libm: errors stay below two units in the last place. Plain
 * multiplications and additions only, so that results are the same on every
 * target; sums that must be exact are kept in two doubles. The polynomials and
 * constants are printed by lowering/cpu/fit_polynomials.py --runtime.
 */
#ifndef ONNXC_RUNTIME_MATH_H
#define ONNXC_RUNTIME_MATH_H

#include <stdint.h>

/* ---- called by compiled code ---- */

double onnxc_rt_acos_f64(double x);
double onnxc_rt_acosh_f64(double x);
double onnxc_rt_asin_f64(double x);
double onnxc_rt_asinh_f64(double x);
double onnxc_rt_atan_f64(double x);
double onnxc_rt_atan2_f64(double y, double x);
double onnxc_rt_atanh_f64(double x);
double onnxc_rt_cbrt_f64(double x);
double onnxc_rt_cos_f64(double x);
double onnxc_rt_cosh_f64(double x);
double onnxc_rt_erf_f64(double x);
double onnxc_rt_erfc_f64(double x);
double onnxc_rt_exp_f64(double x);
double onnxc_rt_exp2_f64(double x);
double onnxc_rt_expm1_f64(double x);
double onnxc_rt_fmod_f64(double x, double y);
double onnxc_rt_log_f64(double x);
double onnxc_rt_log10_f64(double x);
double onnxc_rt_log1p_f64(double x);
double onnxc_rt_log2_f64(double x);
double onnxc_rt_pow_f64(double x, double y);
double onnxc_rt_sin_f64(double x);
double onnxc_rt_sinh_f64(double x);
double onnxc_rt_tan_f64(double x);
double onnxc_rt_tanh_f64(double x);

/* Wraps around; base^exponent for a negative exponent is its integer part, and
 * zero for base zero. */
int64_t onnxc_rt_ipow_i64(int64_t base, int64_t exponent);

/* ---- inside ---- */

#define ONNXC_INFINITY __builtin_inf()
#define ONNXC_NAN __builtin_nan("")

static inline uint64_t double_to_bits(double x) {
  union {
    double number;
    uint64_t bits;
  } u = {.number = x};
  return u.bits;
}

static inline double double_from_bits(uint64_t bits) {
  union {
    uint64_t bits;
    double number;
  } u = {.bits = bits};
  return u.number;
}

static inline double magnitude_of(double x) {
  return double_from_bits(double_to_bits(x) & INT64_MAX);
}

static inline double with_sign_of(double magnitude, double sign) {
  return double_from_bits((double_to_bits(magnitude) & INT64_MAX) |
                          (double_to_bits(sign) & ~(uint64_t)INT64_MAX));
}

static inline int sign_bit(double x) { return (int)(double_to_bits(x) >> 63); }

/* The square root is one instruction on every target. */
static inline double square_root(double x) {
#if defined(__clang__)
  return __builtin_elementwise_sqrt(x);
#else
  return __builtin_sqrt(x);
#endif
}

/* To the nearest integer, for |x| < 2^51. */
static inline double round_to_int(double x) { return x + 0x1.8p52 - 0x1.8p52; }

/* 2^n for normal results. */
static inline double power_of_two(int64_t n) {
  return double_from_bits((uint64_t)(n + 1023) << 52);
}

/* x 2^n, rounded once when x is near one. */
static inline double scale(double x, int64_t n) {
  int64_t half = n / 2;
  return x * power_of_two(half) * power_of_two(n - half);
}

/* Horner's scheme; the coefficient of x^0 comes first. */
static inline double polynomial(double x, const double *coefficients, int count) {
  double sum = coefficients[count - 1];
  for (int i = count - 2; i >= 0; --i)
    sum = sum * x + coefficients[i];
  return sum;
}
#define POLYNOMIAL(x, table) polynomial(x, table, sizeof(table) / sizeof((table)[0]))

/* A number as the sum of two doubles (T. Dekker, 1971; D. Knuth). */
typedef struct exact {
  double hi, lo;
} exact;

static inline exact exact_sum(double a, double b) {
  double sum = a + b, b_part = sum - a;
  return (exact){sum, (a - (sum - b_part)) + (b - b_part)};
}

static inline exact exact_product(double a, double b) {
  double product = a * b;
  double a_hi = a * 0x1.0000002p27, b_hi = b * 0x1.0000002p27;
  a_hi = a_hi - (a_hi - a);
  b_hi = b_hi - (b_hi - b);
  double a_lo = a - a_hi, b_lo = b - b_hi;
  return (exact){product, ((a_hi * b_hi - product) + a_hi * b_lo + a_lo * b_hi) + a_lo * b_lo};
}

static inline exact add_exact(exact a, exact b) {
  exact sum = exact_sum(a.hi, b.hi);
  return exact_sum(sum.hi, sum.lo + (a.lo + b.lo));
}

static inline exact multiply_exact(exact a, exact b) {
  exact product = exact_product(a.hi, b.hi);
  return exact_sum(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}

/* (a.hi + a.lo) / (b.hi + b.lo) for sums whose first part is rounded. */
static inline exact quotient_of_sums(exact a, exact b) {
  double quotient = a.hi / b.hi;
  exact back = exact_product(quotient, b.hi);
  return (exact){quotient, (((a.hi - back.hi) - back.lo) + a.lo - quotient * b.lo) / b.hi};
}

/* math_exp.c: exp(x.hi + x.lo); x.lo is small beside one. */
double onnxc_rt_exp_of_sum(exact x);

/* math_log.c: log(x.hi + x.lo) to some 65 bits, for a positive finite x.hi that
 * is not denormal. */
exact onnxc_rt_log_of_sum(exact x);

#endif /* ONNXC_RUNTIME_MATH_H */
