#!/usr/bin/env python3
"""An input with an initializer is a constant, with a warning, unless it is kept as an input."""

import numpy as np
from common import Bench, helper, save, toolbox, value

with Bench(__doc__) as bench:
    model = save(bench.folder / "add.onnx", [helper.make_node("Add", ["a", "b"], ["y"])],
                 [value("a", [1]), value("b", [1])], [value("y", [1])],
                 [("b", np.array([42], np.float32))])

    def call(library, *inputs):
        files = []
        for i, number in enumerate(inputs):
            files.append(bench.folder / f"{i}.npy")
            np.save(files[-1], np.array([number], np.float32))
        output = bench.folder / "y.npy"
        bench.run(bench.tools.runner, library, *(f"--input=@{file}" for file in files),
                  f"--output=@{output}")
        return float(np.load(output)[0])

    library = bench.folder / "constant.so"
    result = bench.run(bench.tools.onnxc, model, "-o", library)
    bench.expect("warning" in result.output and "'b'" in result.output
                 and "--keep-input" in result.output, f"no warning: {result.output}")
    bench.expect(call(library, 1) == 43, "b is not its initializer")
    too_many = toolbox.run([bench.tools.runner, library, f"--input=@{bench.folder / '0.npy'}",
                            f"--input=@{bench.folder / '0.npy'}"], timeout=60)
    bench.expect(too_many.code == 2 and "the model has 1" in too_many.output, too_many.output)

    library = bench.folder / "kept.so"
    result = bench.run(bench.tools.onnxc, model, "-o", library, "--keep-input=b")
    bench.expect(not result.output, f"a warning about nothing: {result.output}")
    bench.expect(call(library, 1, 2) == 3, "b is not what the caller gives")
    print("inputs with initializers: constant, or kept")
