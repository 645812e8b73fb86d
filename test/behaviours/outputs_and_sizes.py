#!/usr/bin/env python3
"""A device is not replaced by an artifact; a size that wraps in 64 bits ends in a status."""

import os
import stat

import numpy as np
from common import BOOL, FLOAT, INT64, Bench, binary_model, helper, save, toolbox, value

with Bench(__doc__) as bench:
    pipe = bench.folder / "pipe.so"
    os.mkfifo(pipe)
    model = binary_model(bench.folder / "add.onnx", "Add")
    result = toolbox.run([bench.tools.onnxc, model, "-o", pipe, "--name=m"], timeout=60)
    bench.expect(result.code == 1 and "no regular file" in result.output,
                 f"writing to a pipe: exit code {result.code}: {result.output}")
    bench.expect(stat.S_ISFIFO(pipe.stat().st_mode), "the pipe has been replaced")
    print("a pipe as output: refused")

    vast = save(bench.folder / "vast.onnx", [helper.make_node("ConstantOfShape", ["s"], ["y"])],
                [value("s", [2], INT64)], [value("y", [None, None], FLOAT)])
    library = bench.folder / "vast.so"
    bench.succeed(toolbox.run([bench.tools.onnxc, vast, "-o", library], timeout=60), "compile")
    np.save(bench.folder / "s.npy", np.array([1 << 40, 1 << 40], np.int64))
    result = toolbox.run([bench.tools.runner, library, f"--input=@{bench.folder / 's.npy'}"],
                         timeout=60)
    bench.expect(result.code == 2 and "larger than any memory" in result.output,
                 f"a vast size: exit code {result.code}: {result.output}")
    print("a vast size: a status")

    # Three inputs of a few megabytes, whose broadcast has 2^63 elements.
    wrap = save(bench.folder / "wrap.onnx",
                [helper.make_node("Where", ["c", "a", "b"], ["w"]),
                 helper.make_node("Exp", ["w"], ["e"]),
                 helper.make_node("Reshape", ["e", "row"], ["r"]),
                 helper.make_node("Reshape", ["e", "column"], ["k"]),
                 helper.make_node("MatMul", ["r", "k"], ["y"])],
                [value("c", ["p", 1, 1], BOOL), value("a", [1, "q", 1]), value("b", [1, 1, "r"])],
                [value("y", [1, 1])],
                [("row", np.array([1, -1], np.int64)), ("column", np.array([-1, 1], np.int64))])
    library = bench.compile(wrap, "wrap.so", "wrap")
    for sizes in ((1 << 21, 1 << 21, 1 << 21), (2000000, 2000000, 1000000)):
        result = toolbox.run([bench.tools.runner, library, f"--dim=p={sizes[0]}",
                              f"--dim=q={sizes[1]}", f"--dim=r={sizes[2]}"], timeout=60)
        bench.expect(result.code == 2 and "larger than any memory" in result.output,
                     f"sizes {sizes}: exit code {result.code}: {result.output}")
    print("a product of sizes that wraps: a status")
