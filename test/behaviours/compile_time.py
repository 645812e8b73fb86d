#!/usr/bin/env python3
"""Compile time and memory grow with the model, not faster: long chains, many nodes, many taps.

Each compiles within 60 s and 1 GB where some seconds and a fraction of that are usual; before
kernels, host functions and taps were bounded, they took minutes or gigabytes.
"""


import numpy as np

from common import Bench, helper, save, toolbox, value

SECONDS, BYTES = 60, 1 << 30


def chain(path, ops, count):
    """`count` element-wise nodes in a row, those of two operands with a constant."""
    nodes, last = [], "x"
    for i in range(count):
        op, name = ops[i % len(ops)], "y" if i == count - 1 else f"t{i}"
        nodes.append(helper.make_node(op, [last, "c"] if op in ("Add", "Mul") else [last], [name]))
        last = name
    return save(path, nodes, [value("x", ["n", 64])], [value("y", ["n", 64])],
                [("c", np.full([1], 1.01, np.float32))])


def blocks(path, count):
    """`count` times a product, a Softmax and a sum."""
    nodes, last = [], "x"
    for i in range(count):
        nodes += [helper.make_node("MatMul", [last, "w"], [f"a{i}"]),
                  helper.make_node("Softmax", [f"a{i}"], [f"b{i}"]),
                  helper.make_node("Add", [f"b{i}", "x"], ["y" if i == count - 1 else f"c{i}"])]
        last = f"c{i}"
    return save(path, nodes, [value("x", ["n", 32])], [value("y", ["n", 32])],
                [("w", np.eye(32, dtype=np.float32))])


def cubic(path, rank):
    scales = np.full([rank], 4 / 3, np.float32)
    node = helper.make_node("Resize", ["x", "", "scales"], ["y"], mode="cubic")
    return save(path, [node], [value("x", [3] * rank)], [value("y", [4] * rank)],
                [("scales", scales)])


with Bench(__doc__) as bench:
    folder = bench.folder
    for name, model in (("2,000 cheap nodes", chain(folder / "cheap.onnx", ["Add", "Relu", "Mul"], 2000)),
                        ("500 sines", chain(folder / "sin.onnx", ["Sin"], 500)),
                        ("1,800 nodes in blocks", blocks(folder / "blocks.onnx", 600)),
                        ("cubic Resize of rank 8", cubic(folder / "cubic.onnx", 8))):
        result = bench.tools.compile(model, folder / "m.so", "--name=m", timeout=SECONDS)
        bench.succeed(result, name)
        print(f"{name}: {result.seconds:.1f} s, {result.peak_bytes >> 20} MiB", flush=True)
        bench.expect(result.peak_bytes <= BYTES or toolbox.SANITIZED,
                     f"{name}: {result.peak_bytes >> 20} MiB")
