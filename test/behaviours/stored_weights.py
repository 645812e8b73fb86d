#!/usr/bin/env python3
"""Weights that are stored in few bits and dequantised stay as they are stored, in products of all
forms, and the results are those of the numbers that they stand for."""

import re

import numpy as np
from common import FLOAT, TARGETS, Bench, TensorProto, helper, onnx, value

RNG = np.random.default_rng(3)
RANGES = {TensorProto.INT8: (-128, 128), TensorProto.UINT8: (0, 256), TensorProto.INT4: (-8, 8),
          TensorProto.UINT4: (0, 16), TensorProto.INT2: (-2, 2)}
BITS = {TensorProto.INT8: 8, TensorProto.UINT8: 8, TensorProto.INT4: 4, TensorProto.UINT4: 4,
        TensorProto.INT2: 2}


class Graph:
    def __init__(self):
        self.nodes, self.inputs, self.outputs, self.tensors = [], [], [], []
        self.arrays, self.expected, self.bits = [], [], 0

    def weight(self, kind, shape, axis=None, block=0, zero=True):
        """The name of a dequantised weight, and its numbers."""
        number = len(self.tensors)
        low, high = RANGES[kind]
        stored = RNG.integers(low, high, shape)
        parameters = [] if axis is None else [shape[axis]]
        if block:
            parameters = list(shape)
            parameters[axis] = shape[axis] // block
        scale = RNG.uniform(.01, .1, parameters).astype(np.float32)
        points = RNG.integers(low, high, parameters)
        self.tensors += [
            helper.make_tensor(f"q{number}", kind, shape, stored.ravel()),
            helper.make_tensor(f"s{number}", FLOAT, parameters, np.ravel(scale)),
            helper.make_tensor(f"z{number}", kind, parameters, np.ravel(points if zero else 0 * points))]
        self.bits += stored.size * BITS[kind] + np.size(scale) * (32 + BITS[kind])
        names = [f"q{number}", f"s{number}", f"z{number}"]
        self.nodes.append(helper.make_node("DequantizeLinear", names, [f"w{number}"],
                                           axis=axis or 0, **({"block_size": block} if block else {})))

        def spread(array):
            if block:
                return np.repeat(array, block, axis)
            return array if axis is None else np.reshape(
                array, [-1 if i == axis else 1 for i in range(len(shape))])

        return f"w{number}", (stored - (spread(points) if zero else 0)) * spread(scale).astype(np.float64)

    def data(self, *shape, dims=None):
        name = f"x{len(self.inputs)}"
        self.inputs.append(value(name, dims or list(shape)))
        self.arrays.append(RNG.standard_normal(shape).astype(np.float32))
        return name, self.arrays[-1].astype(np.float64)

    def node(self, kind, names, expected, **attributes):
        name = f"y{len(self.outputs)}"
        self.nodes.append(helper.make_node(kind, names, [name], **attributes))
        self.outputs.append(value(name, None))
        self.expected.append(expected.astype(np.float32))

    def matmul(self, rows, weight, dims=None, turned=False):
        name, numbers = weight
        numbers = numbers.T if turned else numbers
        x, data = self.data(*rows, numbers.shape[0], dims=dims)
        if turned:
            self.node("Gemm", [x, name], data @ numbers, transB=1)
        else:
            self.node("MatMul", [x, name], data @ numbers)

    def conv(self, shape, weight, pads=0):
        name, numbers = weight
        x, data = self.data(*shape)
        data = np.pad(data, [(0, 0), (0, 0)] + [(pads, pads)] * (len(shape) - 2))
        taps = numbers.shape[2:]
        sizes = [s - t + 1 for s, t in zip(data.shape[2:], taps)]
        result = np.zeros([shape[0], numbers.shape[0], *sizes])
        for tap in np.ndindex(*taps):
            part = data[(..., *(slice(t, t + s) for t, s in zip(tap, sizes)))]
            result += np.einsum("nc...,oc->no...", part, numbers[(..., *tap)])
        self.node("Conv", [x, name], result, pads=[pads] * (2 * len(taps)))

    def save(self, path):
        graph = helper.make_graph(self.nodes, "g", self.inputs, self.outputs, self.tensors)
        opset = helper.make_opsetid("", 25)
        onnx.save(helper.make_model(graph, opset_imports=[opset], ir_version=13), path)
        return path


def large():
    """Sizes that fill panels: nothing but what is stored should be there."""
    graph = Graph()
    graph.matmul((1,), graph.weight(TensorProto.INT8, (320, 256), 1, zero=False))
    graph.matmul((70,), graph.weight(TensorProto.UINT8, (320, 256), 1), dims=["n", 320])
    graph.matmul((3, 5), graph.weight(TensorProto.UINT8, (320, 256)))
    graph.matmul((9,), graph.weight(TensorProto.INT4, (256, 320), 1, 32), turned=True)
    graph.matmul((2,), graph.weight(TensorProto.UINT4, (320, 256), 0, 16))
    graph.conv((1, 64, 9, 9), graph.weight(TensorProto.INT8, (128, 64, 3, 3), 0, zero=False), 1)
    graph.conv((1, 64, 9, 9), graph.weight(TensorProto.UINT8, (128, 64, 3, 3), 0), 1)
    graph.conv((2, 256, 5, 5), graph.weight(TensorProto.INT8, (256, 256, 1, 1), 0))
    return graph


def uneven():
    """Tails of columns, rows and depth, elements that share bytes with the next row."""
    graph = Graph()
    graph.matmul((1,), graph.weight(TensorProto.INT8, (331, 103), 1))
    graph.matmul((37,), graph.weight(TensorProto.UINT8, (331, 103), 0), dims=["n", 331])
    graph.matmul((13,), graph.weight(TensorProto.INT4, (129, 101), 1), dims=["m", 129])
    graph.matmul((1,), graph.weight(TensorProto.INT2, (303, 99), 1))
    graph.matmul((5,), graph.weight(TensorProto.UINT4, (105, 99), 0, 21), dims=["k", 105])
    graph.conv((1, 19, 8, 7), graph.weight(TensorProto.UINT8, (37, 19, 3, 2), 0))
    graph.conv((2, 33, 40), graph.weight(TensorProto.INT8, (35, 33, 5), 0), 2)
    graph.conv((1, 45, 7, 5), graph.weight(TensorProto.UINT8, (51, 45, 1, 1), 0))
    return graph


with Bench(__doc__) as bench:
    for name, graph in {"large": large(), "uneven": uneven()}.items():
        model = graph.save(bench.folder / f"{name}.onnx")
        for target in TARGETS:
            bench.check_on(target, model, name, graph.arrays, graph.expected, 1e-4, 1e-3)
        if name == "large":
            result = bench.tools.compile(model, bench.folder / "r.so", "--report", "--mcpu=x86-64-v3")
            weights = int(re.search(r"^weights: (\d+)", bench.succeed(result, "--report").output,
                                    re.M).group(1))
            bench.expect(weights <= 1.05 * graph.bits / 8,
                         f"{weights} bytes of weights are stored for {graph.bits // 8} in the model")
            print(f"{weights} bytes of weights for {graph.bits // 8} in the model")
