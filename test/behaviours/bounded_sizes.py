#!/usr/bin/env python3
"""With bounds on the dims, the report and the header say how much memory any call takes."""

import re

import numpy as np

from common import HERE, Bench, helper, save, toolbox, value


def layers(path):
    """Two symbols, and intermediates that grow with one of them, with both, and not at all."""
    nodes = [helper.make_node("MatMul", ["x", "w"], ["a"]), helper.make_node("Softmax", ["a"], ["b"]),
             helper.make_node("Transpose", ["b"], ["c"], perm=[1, 0]),
             helper.make_node("MatMul", ["c", "z"], ["d"]), helper.make_node("Softmax", ["d"], ["e"]),
             helper.make_node("Concat", ["e", "d", "e"], ["y"], axis=0)]
    weights = np.linspace(-1, 1, 16 * 24, dtype=np.float32).reshape(16, 24)
    return save(path, nodes, [value("x", ["n", 16]), value("z", ["n", "m"])],
                [value("y", ["k", "m"])], [("w", weights)])


def report(bench, model, *flags):
    result = bench.tools.compile(model, bench.folder / "r.so", "--report", *flags)
    bench.succeed(result, "onnxc --report")
    return re.search("^workspace: (.*)$", result.output, re.M).group(1)


with Bench(__doc__) as bench:
    model = layers(bench.folder / "layers.onnx")
    bounds = ["--dim=n=1..8", "--dim=m=0..5"]
    text = report(bench, model, *bounds)
    found = re.fullmatch(r"at most (\d+) bytes", text)
    bench.expect(found, f"with bounds the report says: {text}")
    text = report(bench, model, "--dim=n=1..8")
    bench.expect(text.startswith("depends on"), f"with one symbol open the report says: {text}")
    text = report(bench, model, "--dim=n=8", "--dim=m=5")
    bench.expect(re.fullmatch(r"\d+ bytes", text), f"with known dims the report says: {text}")

    part = bench.compile(model, "layers.o", "layers", *bounds)
    program = bench.build("bounded-sizes", HERE / "programs" / "bounded_sizes.c", part,
                          flags=["-fsanitize=address,undefined", "-Wall", "-Wextra", "-Werror"])
    result = bench.run(program)
    bench.expect("runtime error" not in result.output, result.output)
    largest = int(re.search(r"workspace (\d+)", result.output).group(1))
    bench.expect(largest == max(int(found.group(1)), 64),
                 f"the header says {largest}, the report {found.group(1)}")
    print(result.output.strip())
