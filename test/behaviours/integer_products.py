#!/usr/bin/env python3
"""Products of quantised matrices and images are exact, for all signs, extremes and zero points,
with each instruction that a target has for them, and nothing is read behind a factor."""

import itertools

import numpy as np
from common import TARGETS, Bench, helper, save, value

SIGNS = list(itertools.product((np.uint8, np.int8), repeat=2))
random = np.random.default_rng(5)


def onnx_type(array):
    return helper.np_dtype_to_tensor_dtype(array.dtype)


def numbers(dtype, *shape):
    """Bytes of which many are the extremes."""
    info = np.iinfo(dtype)
    array = random.integers(info.min, info.max + 1, shape)
    extremes = random.choice([info.min, info.max], shape)
    return np.where(random.random(shape) < .4, extremes, array).astype(dtype)


class Graph:
    """Nodes on inputs and constants of their own, with what they should give."""

    def __init__(self):
        self.nodes, self.inputs, self.constants = [], [], []
        self.arrays, self.outputs, self.expected = [], [], []

    def operand(self, operand, dims=None):
        """An array is an input, a list of one array a constant."""
        if operand is None:
            return ""
        name = f"t{len(self.inputs) + len(self.constants)}"
        if isinstance(operand, list):
            self.constants.append((name, operand[0]))
            return name
        self.inputs.append(value(name, dims or list(operand.shape), onnx_type(operand)))
        self.arrays.append(operand)
        return name

    def add(self, kind, operands, expected, dims=None, **attributes):
        names = [self.operand(o, (dims or {}).get(i)) for i, o in enumerate(operands)]
        output = f"y{len(self.outputs)}"
        self.nodes.append(helper.make_node(kind, names, [output], **attributes))
        shape = [None] * expected.ndim if dims else list(expected.shape)
        self.outputs.append(value(output, shape, onnx_type(expected)))
        self.expected.append(expected)

    def save(self, path):
        return save(path, self.nodes, self.inputs, self.outputs, self.constants)


def array_of(operand):
    operand = operand[0] if isinstance(operand, list) else operand
    return np.int64(0) if operand is None else np.asarray(operand).astype(np.int64)


def add_product(graph, a, b, za=None, zb=None, dims=None):
    rows = array_of(za)
    if rows.ndim == 1:
        rows = rows[:, None]
    product = np.matmul(array_of(a) - rows, array_of(b) - array_of(zb)).astype(np.int32)
    graph.add("MatMulInteger", [a, b, za, zb], product, dims)


def convolve(x, w, zx=None, zw=None, strides=(1, 1), dilations=(1, 1), pads=0, group=1):
    data = np.pad(array_of(x) - array_of(zx), [(0, 0), (0, 0), (pads, pads), (pads, pads)])
    channels = array_of(zw)
    weights = array_of(w) - (channels.reshape(-1, 1, 1, 1) if channels.ndim else channels)
    count, depth, kh, kw = weights.shape
    height = (data.shape[2] - dilations[0] * (kh - 1) - 1) // strides[0] + 1
    width = (data.shape[3] - dilations[1] * (kw - 1) - 1) // strides[1] + 1
    result = np.zeros((data.shape[0], count, height, width), np.int64)
    for o in range(count):
        first = o // (count // group) * depth
        for i, j in itertools.product(range(kh), range(kw)):
            part = data[:, first:first + depth, i * dilations[0]:, j * dilations[1]:]
            part = part[:, :, :(height - 1) * strides[0] + 1:strides[0],
                        :(width - 1) * strides[1] + 1:strides[1]]
            result[:, o] += (part * weights[o, :, i, j].reshape(1, -1, 1, 1)).sum(1)
    return result


def add_convolution(graph, x, w, zx=None, zw=None, strides=(1, 1), dilations=(1, 1), pads=0,
                    group=1, dims=None):
    result = convolve(x, w, zx, zw, strides, dilations, pads, group)
    graph.add("ConvInteger", [x, w, zx, zw], result.astype(np.int32), dims, strides=strides,
              dilations=dilations, pads=[pads] * 4, group=group)


def products():
    graph = Graph()
    for ta, tb in SIGNS:
        a, b = numbers(ta, 13, 37), numbers(tb, 37, 70)
        add_product(graph, a, [b])
        add_product(graph, a, [b], numbers(ta, 1)[0:1].reshape(()), [numbers(tb, 70)])
        add_product(graph, a, b, numbers(ta, 13), numbers(tb, 70))
        add_product(graph, numbers(ta, 1, 130), [numbers(tb, 130, 33)], [np.array(7, ta)])
        add_product(graph, numbers(ta, 2, 30, 64), numbers(tb, 2, 64, 16), None,
                    np.array(9, tb))
        # The largest sums there are, in depth blocks.
        low = np.full((2, 4999), np.iinfo(ta).min, ta)
        add_product(graph, low, [np.full((4999, 3), np.iinfo(tb).max, tb)])
        x = numbers(ta, 1, 3, 9, 11)
        add_convolution(graph, x, [numbers(tb, 5, 3, 3, 3)], np.array(3, ta), None, pads=1)
        add_convolution(graph, x, [numbers(tb, 5, 3, 3, 3)], [np.array(130 % 128, ta)],
                        [numbers(tb, 5)], strides=(2, 2), dilations=(1, 2))
        add_convolution(graph, numbers(ta, 1, 8, 6, 6), [numbers(tb, 6, 4, 3, 3)], None,
                        np.array(5, tb), group=2, pads=1)
        add_convolution(graph, numbers(ta, 1, 4, 6, 7), [numbers(tb, 4, 1, 3, 3)],
                        np.array(2, ta), [numbers(tb, 4)], group=4, pads=1)
    return graph


def add_quantized(graph, many, tag):
    """Scales that are powers of two, so that all is exact."""
    def count(n):
        return n if many else 1

    a, b, x, w = (numbers(t, *s) for t, s in ((np.uint8, (5, 9)), (np.int8, (9, 6)),
                                              (np.uint8, (1, 4, 5, 5)), (np.int8, (6, 4, 2, 2))))
    za, zb, zw = numbers(np.uint8, count(5)), numbers(np.int8, count(6)), numbers(np.int8, count(6))
    sa, sb, sw = (random.choice([.25, .5], count(n)).astype(np.float32) for n in (5, 6, 6))
    sy, zy, sx, zx = np.float32(512), np.uint8(100), np.float32(.5), np.uint8(7)

    def quantized(sums, scale):
        return np.clip(np.rint(sums * scale) + 100, 0, 255).astype(np.uint8)

    sums = np.matmul(array_of(a) - array_of(za)[:, None], array_of(b) - array_of(zb))
    dims = {i: [f"{name}q{tag}"] for i, name in ((1, "S"), (2, "P"), (4, "T"), (5, "Q"))}
    graph.add("QLinearMatMul", [a, sa, za, b, sb, zb, np.array(sy), np.array(zy)],
              quantized(sums, sa[:, None] * sb / sy), dims)
    sums = convolve(x, w, np.array(zx), zw)
    dims = {i: [f"{name}c{tag}"] for i, name in ((2, "X"), (4, "T"), (5, "Q"))}
    graph.add("QLinearConv", [x, np.array(sx), zx.reshape(1), w, sw, zw, np.array(sy), np.array(zy)],
              quantized(sums, (sx * sw / sy).reshape(1, -1, 1, 1)), dims)


def symbolic_products():
    """One zero point or one for each row or channel: the run decides."""
    graph = Graph()
    for many in (False, True):
        a, b = numbers(np.uint8, 5, 9), numbers(np.int8, 9, 6)
        za, zb = numbers(np.uint8, 5 if many else 1), numbers(np.int8, 6 if many else 1)
        tag = "many" if many else "one"
        add_product(graph, a, b, za, zb, {0: ["M" + tag, "K" + tag], 1: ["K" + tag, "N" + tag],
                                          2: ["P" + tag], 3: ["Q" + tag]})
        x, w = numbers(np.uint8, 1, 4, 5, 5), numbers(np.int8, 4, 4, 2, 2)
        add_convolution(graph, x, w, numbers(np.uint8, 1).reshape(1),
                        numbers(np.int8, 4 if many else 1), dims={2: ["X" + tag], 3: ["W" + tag]})
        add_quantized(graph, many, tag)
    return graph


with Bench(__doc__) as bench:
    for name, graph in {"products": products(), "symbolic": symbolic_products()}.items():
        model = graph.save(bench.folder / f"{name}.onnx")
        for target in TARGETS:
            bench.check_on(target, model, name, graph.arrays, graph.expected)
