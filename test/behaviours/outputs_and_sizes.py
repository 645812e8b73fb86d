#!/usr/bin/env python3
"""A device is not replaced by an artifact; a size that wraps in 64 bits ends in a status."""

import os
import stat

import numpy as np
from common import FLOAT, INT64, Bench, binary_model, helper, save, toolbox, value

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
