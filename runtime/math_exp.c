/* math_exp.c - exponential and hyperbolic functions. */
#include "math.h"

static const double inverse_ln2 = 0x1.71547652b82fep+0;
/* ln 2 in three parts of which the first two have 32 bits. */
static const double ln2_high = 0x1.62e42fee00000p-1;
static const double ln2_middle = 0x1.a39ef35600000p-33;
static const double ln2_low = 0x1.93c7673007e5fp-65;

/* exp(x) = 2^n (1 + r + rest), with |r| <= ln 2 / 2. */
typedef struct exp_parts {
  int64_t n;
  double r, rest;
} exp_parts;

/* exp(r.hi + r.lo) - 1 - r.hi for |r| <= ln 2 / 2: Taylor's series. */
static double exp_rest(exact r) {
  static const double factorials[] = {1.0 / 2,        1.0 / 6,         1.0 / 24,
                                      1.0 / 120,      1.0 / 720,       1.0 / 5040,
                                      1.0 / 40320,    1.0 / 362880,    1.0 / 3628800,
                                      1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800.0};
  return r.hi * r.hi * POLYNOMIAL(r.hi, factorials) + r.lo * (1 + r.hi);
}

static exp_parts split_exp(exact x) {
  double n = round_to_int(x.hi * inverse_ln2);
  exact r = exact_sum(x.hi - n * ln2_high, -n * ln2_middle);
  r = exact_sum(r.hi, r.lo + (x.lo - n * ln2_low));
  return (exp_parts){(int64_t)n, r.hi, exp_rest(r)};
}

double onnxc_rt_exp_of_sum(exact x) {
  if (!(x.hi < 710))
    return x.hi > 0 ? ONNXC_INFINITY : x.hi;
  if (x.hi < -746)
    return 0;
  exp_parts parts = split_exp(x);
  exact sum = exact_sum(1, parts.r);
  return scale(sum.hi + (sum.lo + parts.rest), parts.n);
}

double onnxc_rt_exp_f64(double x) { return onnxc_rt_exp_of_sum((exact){x, 0}); }

double onnxc_rt_exp2_f64(double x) {
  if (!(x < 1024))
    return x > 0 ? ONNXC_INFINITY : x;
  if (x < -1076)
    return 0;
  double n = round_to_int(x);
  exact r = multiply_exact((exact){x - n, 0}, (exact){0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56});
  exact sum = exact_sum(1, r.hi);
  return scale(sum.hi + (sum.lo + exp_rest(r)), (int64_t)n);
}

double onnxc_rt_expm1_f64(double x) {
  if (magnitude_of(x) < 0x1p-54 || x != x)
    return x;
  if (x > 60)
    return onnxc_rt_exp_f64(x);
  if (x < -40)
    return -1;
  exp_parts parts = split_exp((exact){x, 0});
  if (parts.n == 0)
    return parts.r + parts.rest;
  double power = power_of_two(parts.n);
  exact ends = exact_sum(power, -1), sum = exact_sum(ends.hi, power * parts.r);
  return sum.hi + (sum.lo + ends.lo + power * parts.rest);
}

double onnxc_rt_sinh_f64(double x) {
  double magnitude = magnitude_of(x);
  if (magnitude > 40) {
    /* exp(x) / 2 without an early overflow. */
    exact shifted = exact_sum(magnitude, -0x1.62e42fefa39efp-1);
    return with_sign_of(
        onnxc_rt_exp_of_sum((exact){shifted.hi, shifted.lo - 0x1.abc9e3b39803fp-56}), x);
  }
  double e = onnxc_rt_expm1_f64(magnitude);
  double result = magnitude < 1 ? 2 * e - e * e / (e + 1) : e + e / (e + 1);
  return with_sign_of(result * 0.5, x);
}

double onnxc_rt_cosh_f64(double x) {
  double magnitude = magnitude_of(x);
  if (magnitude > 40) {
    exact shifted = exact_sum(magnitude, -0x1.62e42fefa39efp-1);
    return onnxc_rt_exp_of_sum((exact){shifted.hi, shifted.lo - 0x1.abc9e3b39803fp-56});
  }
  double e = onnxc_rt_expm1_f64(magnitude);
  return magnitude < 0.35 ? 1 + e * e / (2 * (1 + e)) : 0.5 * (e + 1) + 0.5 / (e + 1);
}

double onnxc_rt_tanh_f64(double x) {
  double magnitude = magnitude_of(x);
  if (magnitude > 22)
    return with_sign_of(1, x);
  double e = onnxc_rt_expm1_f64(2 * magnitude);
  return with_sign_of(e / (e + 2), x);
}

/* exp(t^2) erfc(t) for t >= 3/4; a small part of it goes to `rest`. */
static double scaled_erfc(double t, double *rest) {
  static const double near[] = {
      0x1.9531e09b149b5p-2,  -0x1.e78b356770fbap-3,  0x1.05e72521ca1b8p-3,  -0x1.01343a2c92278p-4,
      0x1.d4e711a2df993p-6,  -0x1.910a5d7c069e7p-7,  0x1.446c5166cadf3p-8,  -0x1.f38c6d0a67502p-10,
      0x1.6fd9a57da9b9ap-11, -0x1.041e36dbcbcf9p-12, 0x1.627439dd4af2bp-14, -0x1.d2b4a7bd57db4p-16,
      0x1.2998c1cb5f649p-17, -0x1.6ffa7544c8bd0p-19, 0x1.baf8b2b321c2ep-21, -0x1.10a1d13ec6996p-22,
      0x1.3713fa92af529p-24};
  static const double middle[] = {
      0x1.f0fd28fdc20abp-3,  -0x1.8d6f73d5aa121p-4,  0x1.2adaf7aaf55e1p-5,  -0x1.aa2443aac74a1p-7,
      0x1.21decee0edf85p-8,  -0x1.7a181925bc797p-10, 0x1.dab55d6f648acp-12, -0x1.1fc891297e483p-13,
      0x1.51e08663d253fp-15, -0x1.8104952659c25p-17, 0x1.aaad188e89597p-19, -0x1.cca4775717efap-21,
      0x1.e5395320fbab8p-23, -0x1.f36e1c5299113p-25, 0x1.f6c4a53eb9246p-27, -0x1.ed39b72b61cc7p-29,
      0x1.dcc36e0ba3f73p-31, -0x1.f549690854465p-33, 0x1.d10c728df6b5fp-35};
  static const double far[] = {
      0x1.33cb19179d7f6p-3,  -0x1.3dacc8d85f6c4p-5,  0x1.3e68313870541p-7,  -0x1.36992d37bc011p-9,
      0x1.276b01ef6f940p-11, -0x1.1267afc4c58f3p-13, 0x1.f28b1c368f34bp-16, -0x1.bb73ad92eaa6fp-18,
      0x1.82a91ba0a5736p-20, -0x1.4acfbab830e1bp-22, 0x1.15f5efa7292cdp-24, -0x1.cb1c41abe4a6ap-27,
      0x1.74f02324b809cp-29, -0x1.2a2c330729d04p-31, 0x1.d5b422bc4e567p-34, -0x1.6c741107c0bb0p-36,
      0x1.1482bc3124335p-38, -0x1.a17ff8d458d4fp-41, 0x1.6445adeecbea5p-43, -0x1.05217d2c608d5p-45};
  static const double asymptotic[] = {
      0x1.1d61c1c8eed46p-1,  -0x1.0d05e305428bap-2,  0x1.6c0e338c9bf54p-2,  -0x1.89ed04ba150dep-1,
      0x1.1ef239d97cf0ep+1,  -0x1.02f8a08e0cf35p+3,  0x1.13c726da9445ap+5,  -0x1.4f9b9e4638409p+7,
      0x1.c85ca0b1798bbp+9,  -0x1.550f099840440p+12, 0x1.147d5aec16579p+15, -0x1.dd54795d925b4p+17,
      0x1.bcd7f51177bbdp+20, -0x1.019fc17e5e23fp+24, 0x1.03556e6c605f2p+27};
  *rest = 0;
  if (t < 1.5)
    return POLYNOMIAL(t - 1.125, near);
  if (t < 2.75)
    return POLYNOMIAL(t - 2.125, middle);
  if (t < 4.5)
    return POLYNOMIAL(t - 3.625, far);
  double product = POLYNOMIAL(1 / (t * t) - 0.025, asymptotic);
  /* One more step of the division saves half a unit. */
  double quotient = product / t;
  exact back = exact_product(quotient, t);
  *rest = ((product - back.hi) - back.lo) / t;
  return quotient;
}

/* erfc(t) for t >= 3/4. */
static double erfc_tail(double t) {
  if (t > 27.3)
    return 0;
  exact square = exact_product(t, t);
  exp_parts parts = split_exp((exact){-square.hi, -square.lo});
  exact sum = exact_sum(1, parts.r);
  double rest, factor = scaled_erfc(t, &rest);
  double small = (sum.lo + parts.rest) * factor + sum.hi * rest;
  return scale(sum.hi * factor + small, parts.n);
}

/* erf(x) for |x| < 3/4. */
static double erf_near_zero(double x) {
  static const double table[] = {
      0x1.06eba8214db69p-3,  -0x1.812746b0379e0p-2,  0x1.ce2f21a0424c3p-4,  -0x1.b82ce31257412p-6,
      0x1.565bcd03657c0p-8,  -0x1.c02db1220cfe6p-11, 0x1.f9a2afa3a8f86p-14, -0x1.f4c5debf12282p-17,
      0x1.b90ecd4aeebb5p-20, -0x1.564f71bbc0ae7p-23, 0x1.8a312cb07da53p-27};
  return x + x * POLYNOMIAL(x * x, table);
}

double onnxc_rt_erf_f64(double x) {
  double magnitude = magnitude_of(x);
  if (magnitude < 0.75 || x != x)
    return erf_near_zero(x);
  return with_sign_of(1 - erfc_tail(magnitude), x);
}

double onnxc_rt_erfc_f64(double x) {
  if (magnitude_of(x) < 0.75 || x != x)
    return 1 - erf_near_zero(x);
  return x > 0 ? erfc_tail(x) : 2 - erfc_tail(-x);
}
