#!/usr/bin/env python3
"""Prints the constants of MathF32.cpp and MathViaF64.cpp, and with `--runtime`
those of runtime/math_*.c.

Each fit is a minimax polynomial: a discrete weighted least-squares fit on
Chebyshev points, reweighted until the error is level (Lawson's algorithm), in
50-digit arithmetic. Coefficients of f32 polynomials are rounded one by one
from the lowest, the remaining ones being fitted again after each rounding.
The runtime's polynomials interpolate at Chebyshev points instead: their degrees
leave room.

Needs mpmath only:  python3 fit_polynomials.py [--runtime]
"""
import struct
import sys
from mpmath import mp, mpf, matrix, lu_solve

mp.dps = 50


def to_float(x):
    return mpf(struct.unpack("f", struct.pack("f", float(x)))[0])


def to_double(x):
    return mpf(float(x))


def solve(points, values, weights, powers):
    """Minimax fit of values by sum c_k x^powers[k] with the given weights."""
    lawson = [mpf(1)] * len(points)
    n = len(powers)
    for _ in range(40):
        a, b = matrix(n, n), matrix(n, 1)
        basis = [[x ** p for p in powers] for x in points]
        for row, y, w, l in zip(basis, values, weights, lawson):
            ww = l * w * w
            for i in range(n):
                b[i] += ww * row[i] * y
                for j in range(n):
                    a[i, j] += ww * row[i] * row[j]
        c = lu_solve(a, b)
        errors = [abs(w * (sum(ci * ri for ci, ri in zip(c, row)) - y))
                  for row, y, w in zip(basis, values, weights)]
        scale = sum(l * e for l, e in zip(lawson, errors))
        lawson = [l * e / scale * len(points) + mpf(10) ** -30
                  for l, e in zip(lawson, errors)]
    return list(c), max(errors)


def fit(name, function, weight, low, high, degree, rounding):
    """function(x) ~ polynomial of `degree`; error counts times weight(x)."""
    count = 8 * (degree + 2)
    points = [(mpf(low) + high) / 2 + (mpf(high) - low) / 2 *
              mp.cos(mp.pi * (k + mpf(1) / 2) / count) for k in range(count)]
    rest = [function(x) for x in points]
    weights = [weight(x) for x in points]
    coefficients, error = [], None
    for k in range(degree + 1):
        c, e = solve(points, rest, weights, list(range(k, degree + 1)))
        error = error or e
        c = rounding(c[0])
        coefficients.append(c)
        rest = [y - c * x ** k for x, y in zip(points, rest)]
    error = max(abs(y * w) for y, w in zip(rest, weights))
    print(f"// {name}: weighted error {float(error):.2e}")
    suffix = "f" if rounding is to_float else ""
    print("{" + ", ".join(f"{float(c).hex()}{suffix}" for c in coefficients) + "}")


def interpolate(name, function, weight, low, high, degree):
    """Interpolation at Chebyshev points, and the weighted error it leaves."""
    low, high = mpf(low), mpf(high)
    middle, half = (low + high) / 2, (high - low) / 2
    points = [middle + half * mp.cos(mp.pi * (k + mpf(1) / 2) / (degree + 1)) for k in range(degree + 1)]
    a = matrix([[x ** p for p in range(degree + 1)] for x in points])
    c = [to_double(x) for x in lu_solve(a, matrix([function(x) for x in points]))]
    error = max(abs(weight(x) * (sum(ci * x ** i for i, ci in enumerate(c)) - function(x)))
                for x in (middle + half * mp.cos(mp.pi * k / 300) for k in range(301)))
    print(f"/* {name}: weighted error {float(error):.1e} */")
    print("{" + ", ".join(float(x).hex() for x in c) + "}")


def parts(name, value, bits):
    """A constant as a sum of doubles; each but the last has `bits` bits."""
    out, rest = [], mpf(value)
    for width in bits:
        _, e = mp.frexp(rest)
        part = mp.floor(rest * mpf(2) ** (width - e)) / mpf(2) ** (width - e)
        out.append(part)
        rest -= part
    out.append(to_double(rest))
    print(f"/* {name} */", ", ".join(float(x).hex() for x in out))


def scaled_erfc(u):  # x exp(x^2) erfc(x) as a function of u = 1 / x^2
    x = 1 / mp.sqrt(u)
    return x * mp.exp(x ** 2) * mp.erfc(x)


def runtime():
    tiny, one = mpf(10) ** -12, lambda x: mpf(1)
    parts("ln 2", mp.log(2), [32, 32])
    parts("1 / ln 2", 1 / mp.log(2), [53])
    parts("1 / ln 10", 1 / mp.log(10), [53])
    parts("pi / 2", mp.pi / 2, [33, 33, 33])
    parts("pi", mp.pi, [53])
    for t in (mpf(1) / 2, mpf(1), mpf(3) / 2):
        parts(f"atan {t}", mp.atan(t), [53])
    interpolate("log: P of atanh(s) / s = 1 + s^2 / 3 + s^4 P(s^2)",
                lambda z: ((mp.atanh(mp.sqrt(z)) / mp.sqrt(z) - 1) / z - mpf(1) / 3) / z, lambda z: z ** 2,
                mpf(10) ** -8, mpf("0.0296"), 8)
    interpolate("sin: P of sin(r) = r - r^3 / 6 + r^5 P(r^2)",
                lambda z: ((mp.sin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z + mpf(1) / 6) / z, lambda z: z ** 2,
                mpf(10) ** -8, (mp.pi / 4) ** 2 * 1.01, 5)
    interpolate("cos: P of cos(r) = 1 - r^2 / 2 + r^4 P(r^2)",
                lambda z: (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z ** 2, lambda z: z ** 2,
                mpf(10) ** -8, (mp.pi / 4) ** 2 * 1.01, 6)
    interpolate("atan, |t| <= 7/16: P of atan(t) = t + t^3 P(t^2)",
                lambda z: (mp.atan(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, lambda z: z, tiny, mpf(49) / 256, 11)
    interpolate("asin, |x| <= 1/2: P of asin(x) = x + x^3 P(x^2)",
                lambda z: (mp.asin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, lambda z: z, tiny, mpf(1) / 4, 13)
    interpolate("erf, |x| <= 3/4: P of erf(x) = x + x P(x^2)",
                lambda z: mp.erf(mp.sqrt(z)) / mp.sqrt(z) - 1, one, tiny, mpf(9) / 16, 10)
    for low, high, degree in ((mpf(3) / 4, mpf(3) / 2, 16), (mpf(3) / 2, mpf(11) / 4, 18),
                              (mpf(11) / 4, mpf(9) / 2, 19)):
        middle, half = (low + high) / 2, (high - low) / 2
        interpolate(f"erfc, {low} <= x <= {high}: P of exp(x^2) erfc(x) = P(x - {middle})",
                    lambda t: mp.exp((t + middle) ** 2) * mp.erfc(t + middle), lambda t: 1 / (mp.exp((t + middle) ** 2) * mp.erfc(t + middle)), -half, half, degree)
    middle = mpf(1) / 40
    interpolate(f"erfc, x >= 9/2: P of x exp(x^2) erfc(x) = P(1/x^2 - {middle})",
                lambda v: scaled_erfc(v + middle), lambda x: mpf(2), -middle + mpf(1) / 784, mpf(4) / 81 - middle, 14)
    mp.dps = 420
    bits = int(mp.floor(2 / mp.pi * mpf(2) ** 1280))
    print("/* 2 / pi */", ", ".join(f"0x{(bits >> (64 * (19 - i))) & (2 ** 64 - 1):016x}" for i in range(20)))


ln2 = mp.log(2)
half_ln2 = ln2 / 2


def exp_tail(x):  # (exp(x) - 1 - x) / x^2
    return (mp.expm1(x) - x) / x ** 2


def exp2_tail(x):  # (2^x - 1) / x
    return mp.expm1(x * ln2) / x


def log_tail(x):  # (log(1 + x) - x + x^2/2) / x^3
    return (mp.log1p(x) - x + x ** 2 / 2) / x ** 3


def main():
    fit("exp f32: q of exp(r) = 1 + r + r^2 q(r)", exp_tail, lambda x: x ** 2,
        -half_ln2, half_ln2, 4, to_float)
    fit("exp2 f32: q of 2^r = 1 + r q(r)", exp2_tail, lambda x: abs(x), -0.5, 0.5, 5, to_float)
    fit("log f32: P of log(1 + f) = f - f^2/2 + f^3 P(f)", log_tail,
        lambda x: abs(x ** 2), mp.sqrt(mpf(1) / 2) - 1, mp.sqrt(2) - 1, 8, to_float)
    fit("tanh f32, |x| < 0.55: P of tanh(x) = x + x^3 P(x^2)",
        lambda z: (mp.tanh(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, lambda z: z, mpf(10) ** -12, mpf("0.303"), 4, to_float)
    fit("erf f32, |x| < 0.93: P of erf(x) = x + x P(x^2)",
        lambda s: mp.erf(mp.sqrt(s)) / mp.sqrt(s) - 1, lambda s: mpf(1), mpf(10) ** -12, 0.93 ** 2, 5, to_float)
    fit("erf f32, 0.92 < t < 4: P of 1 - erf(t) = exp(-t - t P(t))",
        lambda t: -mp.log(mp.erfc(t)) / t - 1, lambda t: t * mp.erfc(t), 0.92, 4, 6, to_float)
    fit("exp f64: q of exp(r) = 1 + r + r^2 q(r)", exp_tail, lambda x: abs(x),
        -half_ln2, half_ln2, 6, to_double)
    fit("log f64: P of log((1 + s) / (1 - s)) = 2s + 2s^3 P(s^2)",
        lambda z: (mp.atanh(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, lambda z: z,
        mpf(10) ** -12, (3 - 2 * mp.sqrt(2)) ** 2, 5, to_double)
    fit("sin f64: P of sin(r) = r + r^3 P(r^2)",
        lambda z: (mp.sin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, lambda z: z, mpf(10) ** -12, (mp.pi / 4) ** 2, 4, to_double)
    fit("cos f64: P of cos(r) = 1 - r^2/2 + r^4 P(r^2)",
        lambda z: (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z ** 2, lambda z: z ** 2, mpf(10) ** -12, (mp.pi / 4) ** 2, 3, to_double)
    fit("atan f64: P of atan(t) = t + t^3 P(t^2)",
        lambda z: (mp.atan(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, lambda z: z, mpf(10) ** -12, 1, 11, to_double)


if __name__ == "__main__":
    runtime() if sys.argv[1:] == ["--runtime"] else main()
