/* math_log.c - logarithms, powers and what is made of them. */
#include "math.h"

/* log(1 + f) = 2 atanh(s) with s = f / (2 + f), summed in two doubles: the terms
 * in s and s^3 carry their rounding errors along. */
exact onnxc_rt_log_of_sum(exact x) {
  static const double table[] = {0x1.999999999999ap-3, 0x1.2492492492491p-3, 0x1.c71c71c71d031p-4,
                                 0x1.745d17450cf0fp-4, 0x1.3b13b1c018b72p-4, 0x1.1110de902d96ap-4,
                                 0x1.e1f85a78792b3p-5, 0x1.ac422838b6905p-5, 0x1.b91ff18a1b0a0p-5};
  /* x = 2^k m with m in [sqrt(1/2), sqrt(2)). */
  int64_t k = (int64_t)(double_to_bits(x.hi) - 0x3fe6a09e667f3bcd) >> 52;
  exact m = {scale(x.hi, -k), scale(x.lo, -k)};
  exact numerator = exact_sum(m.hi - 1, m.lo);
  exact denominator = exact_sum(m.hi, 1);
  denominator.lo += m.lo;
  exact s = quotient_of_sums(numerator, denominator);

  exact square = multiply_exact(s, s);
  exact factor = multiply_exact(square, (exact){0x1.5555555555555p-2, 0x1.5555555555555p-56});
  factor = exact_sum(factor.hi, factor.lo + square.hi * square.hi * POLYNOMIAL(square.hi, table));
  exact twice = {2 * s.hi, 2 * s.lo};
  exact log_m = add_exact(twice, multiply_exact(twice, factor));

  double n = (double)k;
  exact log_power = exact_sum(n * 0x1.62e42fee00000p-1, n * 0x1.a39ef35600000p-33);
  log_power.lo += n * 0x1.93c7673007e5fp-65;
  return add_exact(log_power, log_m);
}

static int has_log(double x) { return x > 0 && x < ONNXC_INFINITY; }

/* The logarithm, to any base, of a number without one. */
static double log_limit(double x) {
  if (x == 0)
    return -ONNXC_INFINITY;
  return x < 0 ? ONNXC_NAN : x;
}

/* The logarithm of any positive finite number. */
static exact log_of(double x) {
  static const exact ln_scale = {0x1.2b708872320e2p+5, -0x1.570da7e077bcbp-50}; /* 54 ln 2 */
  if (x >= 0x1p-1022)
    return onnxc_rt_log_of_sum((exact){x, 0});
  return add_exact(onnxc_rt_log_of_sum((exact){x * 0x1p54, 0}),
                   (exact){-ln_scale.hi, -ln_scale.lo});
}

double onnxc_rt_log_f64(double x) { return has_log(x) ? log_of(x).hi : log_limit(x); }

double onnxc_rt_log2_f64(double x) {
  if (!has_log(x))
    return log_limit(x);
  return multiply_exact(log_of(x), (exact){0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56}).hi;
}

double onnxc_rt_log10_f64(double x) {
  if (!has_log(x))
    return log_limit(x);
  return multiply_exact(log_of(x), (exact){0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57}).hi;
}

double onnxc_rt_log1p_f64(double x) {
  if (magnitude_of(x) < 0x1p-54)
    return x;
  if (!has_log(1 + x))
    return log_limit(1 + x);
  return onnxc_rt_log_of_sum(exact_sum(1, x)).hi;
}

static int is_integer(double x) {
  return magnitude_of(x) >= 0x1p52 || with_sign_of(round_to_int(x), x) == x;
}

double onnxc_rt_pow_f64(double x, double y) {
  if (y == 0 || x == 1)
    return 1;
  if (x != x || y != y)
    return x + y;
  double magnitude = magnitude_of(x);
  int is_odd = magnitude_of(y) < 0x1p53 && is_integer(y) && !is_integer(y * 0.5);
  if (x < 0 && magnitude != ONNXC_INFINITY && !is_integer(y))
    return ONNXC_NAN;
  double result;
  if (magnitude == 1) {
    result = 1;
  } else if (!has_log(magnitude) || magnitude_of(y) == ONNXC_INFINITY) {
    result = (magnitude > 1) == (y > 0) ? ONNXC_INFINITY : 0;
  } else {
    /* No power of a number but one is finite from this exponent on. */
    double bounded = y > 0x1p70 ? 0x1p70 : y < -0x1p70 ? -0x1p70 : y;
    result = onnxc_rt_exp_of_sum(multiply_exact(log_of(magnitude), (exact){bounded, 0}));
  }
  return is_odd ? with_sign_of(result, x) : result;
}

double onnxc_rt_cbrt_f64(double x) {
  double magnitude = magnitude_of(x);
  if (!has_log(magnitude))
    return x;
  exact third =
      multiply_exact(log_of(magnitude), (exact){0x1.5555555555555p-2, 0x1.5555555555555p-56});
  return with_sign_of(onnxc_rt_exp_of_sum(third), x);
}

double onnxc_rt_asinh_f64(double x) {
  double t = magnitude_of(x), result;
  if (t < 0x1p-28)
    return x;
  if (!(t < 0x1p28))
    result = onnxc_rt_log_f64(t) + 0x1.62e42fefa39efp-1;
  else
    result = onnxc_rt_log1p_f64(t + t * t / (1 + square_root(t * t + 1)));
  return with_sign_of(result, x);
}

double onnxc_rt_acosh_f64(double x) {
  if (x < 1)
    return ONNXC_NAN;
  if (!(x < 0x1p28))
    return onnxc_rt_log_f64(x) + 0x1.62e42fefa39efp-1;
  double t = x - 1;
  return onnxc_rt_log1p_f64(t + square_root(2 * t + t * t));
}

double onnxc_rt_atanh_f64(double x) {
  double t = magnitude_of(x);
  if (t < 0x1p-28)
    return x;
  return with_sign_of(0.5 * onnxc_rt_log1p_f64(2 * t / (1 - t)), x);
}
