#!/usr/bin/env python3
"""Elements of 2 and 4 bits share bytes everywhere: at the border, in weights, in what kernels read
and write, also where rows begin within a byte and tasks write neighbours."""

import re

import ml_dtypes
import numpy as np
from common import FLOAT, Bench, TensorProto, helper, onnx, toolbox, value
from artifact import Model, Pool  # common says where it is

TYPES = {"INT4": ml_dtypes.int4, "UINT4": ml_dtypes.uint4, "FLOAT4E2M1": ml_dtypes.float4_e2m1fn,
         "INT2": ml_dtypes.int2, "UINT2": ml_dtypes.uint2}
# Rows of whole bytes, rows that begin within one, few elements, enough for several tasks.
SHAPES = [(3, 16), (5, 7), (1, 1), (2, 3), (331, 129)]


def make(path, nodes, inputs, outputs, initializers):
    graph = helper.make_graph(nodes, "g", inputs, outputs, initializers)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 25)], ir_version=13),
              path)
    return path


def elements(rng, dtype, shape):
    """Any bit patterns of the type."""
    bits = 2 if dtype in (ml_dtypes.int2, ml_dtypes.uint2) else 4
    patterns = rng.integers(0, 2 ** bits, shape, np.uint8)
    if dtype in (ml_dtypes.int2, ml_dtypes.int4):
        return ((patterns ^ (1 << bits - 1)).astype(np.int8) - (1 << bits - 1)).astype(dtype)
    return patterns.view(dtype) if dtype == ml_dtypes.float4_e2m1fn else patterns.astype(dtype)


with Bench(__doc__) as bench:
    rng = np.random.default_rng(0)
    for name, dtype in TYPES.items():
        kind = getattr(TensorProto, name)
        indices = helper.make_tensor("indices", TensorProto.INT64, [3], [1, 0, 1])
        ends = [helper.make_tensor(n, TensorProto.INT64, [1], [v])
                for n, v in (("one", 1), ("last", -1), ("end", -2 ** 62), ("first", 0))]
        flat = helper.make_tensor("flat", TensorProto.INT64, [1], [-1])
        nodes = [helper.make_node("Cast", ["x"], ["as_float"], to=FLOAT),
                 helper.make_node("Cast", ["as_float"], ["back"], to=kind),
                 helper.make_node("Transpose", ["x"], ["transposed"], perm=[1, 0]),
                 helper.make_node("Reshape", ["transposed", "flat"], ["reshaped"]),
                 helper.make_node("Concat", ["x", "transposed_again", "x"], ["joined"], axis=1),
                 helper.make_node("Transpose", ["transposed"], ["transposed_again"], perm=[1, 0]),
                 helper.make_node("Slice", ["x", "last", "end", "one", "last"], ["reversed"]),
                 helper.make_node("Concat", ["x", "x"], ["stacked"], axis=0),
                 helper.make_node("Gather", ["stacked", "indices"], ["rows"], axis=0)]
        nodes[4], nodes[5] = nodes[5], nodes[4]
        results = ["as_float", "back", "transposed", "reshaped", "joined", "reversed", "rows"]
        for dims in ([3, 16], [5, 7], ["m", "n"]):
            label = f"{name.lower()}_{'_'.join(map(str, dims))}"
            model = make(bench.folder / f"{label}.onnx", nodes, [value("x", dims, kind)],
                         [value(r, None, FLOAT if r == "as_float" else kind) for r in results],
                         [indices, flat, *ends])
            compiled = Model(bench.compile(model, f"{label}.so", label), label)
            pool = Pool(compiled, 2)
            for shape in SHAPES if dims == ["m", "n"] else [tuple(dims)]:
                x = elements(rng, dtype, shape)
                stacked = np.concatenate([x, x])
                wanted = [x.astype(np.float32), x, x.T, x.T.reshape(-1),
                          np.concatenate([x, x, x], 1), x[:, ::-1], stacked[[1, 0, 1]]]
                for threads in (None, pool):
                    for what, found, right in zip(results, compiled.run([x], threads), wanted):
                        same = found.shape == right.shape and \
                            np.array_equal(found.astype(np.float32), right.astype(np.float32))
                        bench.expect(same, f"{label} {shape}: {what} is\n{found}\nnot\n{right}")
            pool.close()
        print(f"{name}: moved and converted")

    # Weights stay packed: a thousand elements of 4 bits are 500 bytes.
    weight = helper.make_tensor("w", TensorProto.INT4, [40, 2500], rng.integers(-8, 8, 100000))
    model = make(bench.folder / "weight.onnx",
                 [helper.make_node("DequantizeLinear", ["w", "s"], ["y"])], [value("s", [])],
                 [value("y", [40, 2500])], [weight])
    report = bench.run(bench.tools.onnxc, model, "-o", bench.folder / "weight.so", "--report").output
    stored = re.search(r"weights:? +([\d,]+)", report)
    bench.expect(stored and int(stored[1].replace(",", "")) < 51000, f"the weights are larger:\n{report}")
    found = Model(bench.folder / "weight.so", "weight").run([np.array(0.5, np.float32)])[0]
    right = onnx.numpy_helper.to_array(weight).astype(np.float32) * 0.5
    bench.expect(np.array_equal(found, right), "a packed weight is read wrongly")
    print("a weight of 4 bits: stored packed")

    # What takes whole bytes only says so.
    refused = make(bench.folder / "refused.onnx",
                   [helper.make_node("Compress", ["x", "c"], ["y"], axis=0)],
                   [value("x", [4], TensorProto.UINT4), value("c", [4], TensorProto.BOOL)],
                   [value("y", None, TensorProto.UINT4)], [])
    result = toolbox.run([bench.tools.onnxc, refused, "-o", bench.folder / "refused.so"], timeout=60)
    bench.expect(result.code == 1 and "share bytes" in result.output,
                 f"Compress: exit code {result.code}: {result.output}")
    print("Compress: refused")
