#!/usr/bin/env python3
"""What follows a product in its kernel: chains of element-wise ops, of which some are results of
their own, in all forms of kernels and with tails of rows and columns."""

import numpy as np
from common import TARGETS, Bench, helper, save, value

RNG = np.random.default_rng(11)


def random(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def chain(first, dims, bias, constants, nodes):
    """The product, a residual, Relu, a product of both and its Tanh; all but one are outputs."""
    nodes += [helper.make_node("Add", [first, "b"], ["biased"]),
              helper.make_node("Add", ["biased", "r"], ["sum"]),
              helper.make_node("Relu", ["sum"], ["relu"]),
              helper.make_node("Mul", ["relu", "sum"], ["product"]),
              helper.make_node("Tanh", ["product"], ["tanh"]),
              helper.make_node("Cast", ["tanh"], ["half"], to=10)]
    constants.append(("b", bias))
    return [value(first, dims), value("sum", dims), value("relu", dims), value("tanh", dims),
            value("half", dims, 10)]


def results(product, bias, residual):
    total = product + bias + residual
    relu = np.maximum(total, 0)
    tanh = np.tanh(relu * total)
    return [*(a.astype(np.float32) for a in (product, total, relu, tanh)), tanh.astype(np.float16)]


def matmul(path, dims, m, k, n):
    x, w, r, b = random(m, k), random(k, n) * np.float32(.2), random(m, n), random(n)
    constants, nodes = [("w", w)], [helper.make_node("MatMul", ["x", "w"], ["y"])]
    outputs = chain("y", [dims or m, n], b, constants, nodes)
    save(path, nodes, [value("x", [dims or m, k]), value("r", [dims or m, n])], outputs, constants)
    return [x, r], results(x.astype(np.float64) @ w, b, r)


def convolution(path, shape, channels, group):
    """Channels last inside: what comes in and goes out is transposed."""
    n, c, height, width = shape
    x, w = random(*shape), random(channels, c // group, 3, 3) * np.float32(.2)
    r, b = random(n, channels, height, width), random(channels, 1, 1)
    constants = [("w", w)]
    nodes = [helper.make_node("Conv", ["x", "w"], ["y"], pads=[1] * 4, group=group)]
    outputs = chain("y", list(r.shape), b, constants, nodes)
    save(path, nodes, [value("x", list(shape)), value("r", list(r.shape))], outputs, constants)
    padded = np.pad(x.astype(np.float64), [(0, 0), (0, 0), (1, 1), (1, 1)])
    product = np.zeros(r.shape)
    for i, j in np.ndindex(3, 3):
        part = padded[:, :, i:i + height, j:j + width].reshape(n, group, c // group, height, width)
        taps = w[:, :, i, j].reshape(group, channels // group, c // group)
        product += np.einsum("ngchw,goc->ngohw", part, taps).reshape(r.shape)
    return [x, r], results(product, b, r)


with Bench(__doc__) as bench:
    models = {
        "whole": lambda path: matmul(path, None, 24, 64, 64),
        "tails": lambda path: matmul(path, None, 23, 61, 75),
        "symbolic": lambda path: matmul(path, "n", 101, 300, 37),
        "row": lambda path: matmul(path, None, 1, 40, 19),
        "conv": lambda path: convolution(path, (1, 9, 7, 6), 21, 1),
        "grouped": lambda path: convolution(path, (2, 8, 5, 5), 12, 2),
        "depthwise": lambda path: convolution(path, (1, 35, 6, 9), 35, 35),
    }
    for name, make in models.items():
        path = bench.folder / f"{name}.onnx"
        inputs, expected = make(path)
        for target in TARGETS:
            if target.name in ("baseline", "avx2", "avx512", "arm"):
                bench.check_on(target, path, name, inputs, expected, 1e-3, 1e-3)
