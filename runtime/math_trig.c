/* math_trig.c - trigonometric functions. */
#include "math.h"

static const exact pi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
static const exact half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

/* x = n pi/2 + r with |r| a little over pi/4 at most; n modulo 4. */
typedef struct reduced {
  int n;
  exact r;
} reduced;

/* The 128-bit product of two 64-bit numbers; some targets have no such type. */
static void multiply_64(uint64_t a, uint64_t b, uint64_t *high, uint64_t *low) {
  uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
  uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
  uint64_t other = a0 * b1 + (uint32_t)middle;
  *high = a1 * b1 + (middle >> 32) + (other >> 32);
  *low = a * b;
}

/* For 2^20 <= x < infinity: the digits of 2/pi that make a product below four
 * times the mantissa (M. Payne and R. Hanek, 1983). */
static reduced reduce_large(double x) {
  /* Bits 0 to 63 before the binary point, then the fraction of 2/pi. */
  static const uint64_t two_over_pi[] = {0,
                                         0xa2f9836e4e441529,
                                         0xfc2757d1f534ddc0,
                                         0xdb6295993c439041,
                                         0xfe5163abdebbc561,
                                         0xb7246e3a424dd2e0,
                                         0x06492eea09d1921c,
                                         0xfe1deb1cb129a73e,
                                         0xe88235f52ebb4484,
                                         0xe99c7026b45f7e41,
                                         0x3991d639835339f4,
                                         0x9c845f8bbdf9283b,
                                         0x1ff897ffde05980f,
                                         0xef2f118b5a0a6d1f,
                                         0x6d367ecf27cb09b7,
                                         0x4f463f669e5fea2d,
                                         0x7527bac7ebe5f17b,
                                         0x3d0739f78a5292ea,
                                         0x6bfb5fb11f8d5d08,
                                         0x56033046fc7b6bab,
                                         0xf0cfbc209af4361d};
  uint64_t bits = double_to_bits(x);
  uint64_t mantissa = (bits & 0xfffffffffffff) | 0x10000000000000;
  int exponent = (int)(bits >> 52) - 1075; /* x = mantissa 2^exponent */
  /* Bits of 2/pi before this one make multiples of four. */
  int position = exponent - 2 + 64, word = position / 64, shift = position % 64;
  uint64_t window[3];
  for (int i = 0; i < 3; ++i) {
    window[i] = two_over_pi[word + i] << shift;
    if (shift)
      window[i] |= two_over_pi[word + i + 1] >> (64 - shift);
  }
  /* The product modulo 2^192: two bits of quadrant, 190 of fraction. */
  uint64_t high, middle, low, carry;
  multiply_64(mantissa, window[2], &carry, &low);
  multiply_64(mantissa, window[1], &high, &middle);
  middle += carry;
  high += middle < carry;
  high += mantissa * window[0];

  int n = (int)(high >> 62);
  high = high << 2 | middle >> 62;
  middle = middle << 2 | low >> 62;
  int is_negative = (int)(high >> 63); /* above one half: the next quadrant */
  if (is_negative) {
    n = (n + 1) & 3;
    middle = ~middle;
    high = ~high;
  }
  /* The fraction has 128 bits here; leading zeros can take 62 of them. */
  exact fraction = exact_sum((double)(high >> 11) * 0x1p-53,
                             (double)(high & 0x7ff) * 0x1p-64 + (double)(middle >> 11) * 0x1p-117);
  exact r = multiply_exact(fraction, half_pi);
  if (is_negative)
    r = (exact){-r.hi, -r.lo};
  return (reduced){n, r};
}

static reduced reduce(double x) {
  if (magnitude_of(x) < 0x1p20) {
    /* pi/2 in parts of 33 bits, whose products with n are exact. */
    double n = round_to_int(x * 0x1.45f306dc9c883p-1);
    exact r = exact_sum(x - n * 0x1.921fb54400000p+0, -n * 0x1.0b4611a600000p-34);
    r = add_exact(r, exact_sum(-n * 0x1.3198a2e000000p-69, -n * 0x1.b839a252049c1p-104));
    return (reduced){(int)n & 3, r};
  }
  reduced large = reduce_large(magnitude_of(x));
  if (x < 0)
    return (reduced){-large.n & 3, {-large.r.hi, -large.r.lo}};
  return large;
}

/* The sine as a large and a small part. */
static exact sin_reduced(exact r) {
  static const double table[] = {0x1.1111111111111p-7,  -0x1.a01a01a019ec6p-13,
                                 0x1.71de3a5508d45p-19, -0x1.ae64552a1de51p-26,
                                 0x1.612250d6b22a0p-33, -0x1.ab8c88487046dp-41};
  double z = r.hi * r.hi;
  double tail = z * POLYNOMIAL(z, table) - 0x1.5555555555555p-3;
  return (exact){r.hi, z * r.hi * tail + r.lo * (1 - 0.5 * z)};
}

static exact cos_reduced(exact r) {
  static const double table[] = {
      0x1.5555555555555p-5,  -0x1.6c16c16c16c16p-10, 0x1.a01a01a019ce2p-16, -0x1.27e4fb770e01dp-22,
      0x1.1eed8de33ebccp-29, -0x1.9394ace29a2e2p-37, 0x1.ab70a23065926p-45};
  double z = r.hi * r.hi, half = 0.5 * z, sum = 1 - half;
  return (exact){sum, (1 - sum - half) + (z * z * POLYNOMIAL(z, table) - r.hi * r.lo)};
}

static double sin_of(reduced x) {
  exact parts = x.n & 1 ? cos_reduced(x.r) : sin_reduced(x.r);
  double result = parts.hi + parts.lo;
  return x.n & 2 ? -result : result;
}

double onnxc_rt_sin_f64(double x) {
  if (magnitude_of(x) < 0x1p-27)
    return x;
  return magnitude_of(x) < ONNXC_INFINITY ? sin_of(reduce(x)) : ONNXC_NAN;
}

double onnxc_rt_cos_f64(double x) {
  if (!(magnitude_of(x) < ONNXC_INFINITY))
    return ONNXC_NAN;
  reduced quarter_later = reduce(x);
  quarter_later.n += 1;
  return sin_of(quarter_later);
}

double onnxc_rt_tan_f64(double x) {
  if (magnitude_of(x) < 0x1p-27)
    return x;
  if (!(magnitude_of(x) < ONNXC_INFINITY))
    return ONNXC_NAN;
  reduced angle = reduce(x);
  exact sin = sin_reduced(angle.r), cos = cos_reduced(angle.r);
  sin = exact_sum(sin.hi, sin.lo);
  cos = exact_sum(cos.hi, cos.lo);
  exact tan = angle.n & 1 ? quotient_of_sums(cos, sin) : quotient_of_sums(sin, cos);
  return angle.n & 1 ? -(tan.hi + tan.lo) : tan.hi + tan.lo;
}

/* The intervals are those of fdlibm, s_atan.c. */
double onnxc_rt_atan_f64(double x) {
  static const double table[] = {
      -0x1.5555555555555p-2, 0x1.99999999998c5p-3, -0x1.2492492485503p-3, 0x1.c71c71bd2b8bcp-4,
      -0x1.745d154c84f7ap-4, 0x1.3b1375ce5bdc5p-4, -0x1.110c9ce7b0562p-4, 0x1.e170800a460f8p-5,
      -0x1.ab59b417b26e1p-5, 0x1.7001816fceef3p-5, -0x1.0f62bba69f4c0p-5, 0x1.e4167464c8d9cp-7};
  double magnitude = magnitude_of(x), t = magnitude;
  exact base = {0, 0};
  if (magnitude > 2.4375) {
    t = -1 / magnitude;
    base = half_pi;
  } else if (magnitude > 1.1875) {
    t = (magnitude - 1.5) / (1 + 1.5 * magnitude);
    base = (exact){0x1.f730bd281f69bp-1, 0x1.007887af0cbbdp-56};
  } else if (magnitude > 0.6875) {
    t = (magnitude - 1) / (magnitude + 1);
    base = (exact){0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55};
  } else if (magnitude > 0.4375) {
    t = (2 * magnitude - 1) / (2 + magnitude);
    base = (exact){0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56};
  }
  double z = t * t;
  double rest = t * z * POLYNOMIAL(z, table) + base.lo;
  return with_sign_of(base.hi + (t + rest), x);
}

double onnxc_rt_atan2_f64(double y, double x) {
  if (x != x || y != y)
    return x + y;
  double a = magnitude_of(y), b = magnitude_of(x);
  if (a == 0 && b == 0)
    b = 1;
  if (a == ONNXC_INFINITY && b == ONNXC_INFINITY)
    a = b = 1;
  double angle = onnxc_rt_atan_f64(a / b);
  /* pi is not a double: its rest counts. */
  if (sign_bit(x))
    angle = pi.hi - (angle - pi.lo);
  return with_sign_of(angle, y);
}

/* asin(x) / x - 1 as a function of x^2 <= 1/4. */
static double asin_rest(double z) {
  static const double table[] = {0x1.5555555555555p-3,  0x1.3333333333388p-4, 0x1.6db6db6dac1e0p-5,
                                 0x1.f1c71c7a52ba3p-6,  0x1.6e8ba123e494cp-6, 0x1.1c4efce2301a0p-6,
                                 0x1.c990ad3d8fd9dp-7,  0x1.7b027ee1dd760p-7, 0x1.3b49de71206b7p-7,
                                 0x1.31622469d2cfep-7,  0x1.8f19374302e27p-9, 0x1.406192d13645dp-6,
                                 -0x1.3b416bb7f10f2p-6, 0x1.e529c6fcf7efbp-6};
  return z * POLYNOMIAL(z, table);
}

/* 2 asin(sqrt(z)) = acos(1 - 2z) for z <= 1/4, in two doubles. */
static exact twice_asin_of_root(double z) {
  double root = square_root(z);
  if (root == 0)
    return (exact){0, 0};
  exact back = exact_product(root, root);
  double lost = ((z - back.hi) - back.lo) / (2 * root);
  return exact_sum(2 * root, 2 * (lost + root * asin_rest(z)));
}

double onnxc_rt_asin_f64(double x) {
  double magnitude = magnitude_of(x);
  if (magnitude < 0.5)
    return x + x * asin_rest(x * x);
  exact other = twice_asin_of_root((1 - magnitude) * 0.5);
  exact sum = exact_sum(half_pi.hi, -other.hi);
  double result = sum.hi + (sum.lo + (half_pi.lo - other.lo));
  return magnitude <= 1 ? with_sign_of(result, x) : ONNXC_NAN;
}

double onnxc_rt_acos_f64(double x) {
  if (magnitude_of(x) < 0.5) {
    exact sum = exact_sum(half_pi.hi, -x);
    return sum.hi + (sum.lo + (half_pi.lo - x * asin_rest(x * x)));
  }
  if (!(magnitude_of(x) <= 1))
    return ONNXC_NAN;
  exact angle = twice_asin_of_root((1 - magnitude_of(x)) * 0.5);
  if (x > 0)
    return angle.hi + angle.lo;
  exact sum = exact_sum(pi.hi, -angle.hi);
  return sum.hi + (sum.lo + (pi.lo - angle.lo));
}
