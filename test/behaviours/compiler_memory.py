#!/usr/bin/env python3
"""The compiler's peak memory on big weights: at most 3 times the weights and 500 MB."""

import numpy as np

from common import FLOAT, Bench, TensorProto, helper, save, toolbox, value

CASES = [("f32", np.float32, FLOAT, 8192, 8192), ("f16", np.float16, TensorProto.FLOAT16, 4096, 8192)]

with Bench(__doc__) as bench:
    for title, dtype, element, k, n in CASES:
        weights = np.random.default_rng(0).standard_normal([k, n], np.float32).astype(dtype)
        model = save(bench.folder / f"{title}.onnx", [helper.make_node("MatMul", ["x", "w"], ["y"])],
                     [value("x", ["rows", k], element)], [value("y", ["rows", n], element)],
                     [("w", weights)])
        output = bench.folder / f"{title}.so"
        result = bench.succeed(bench.tools.compile(model, output, f"--name={title}", timeout=300),
                               f"onnxc {title}")
        mega = 1 << 20
        limit = 3 * weights.nbytes + 500_000_000
        print(f"{title}: weights {weights.nbytes // mega} MiB, "
              f"compiler {result.peak_bytes // mega} MiB, limit {limit // mega} MiB")
        bench.expect(result.peak_bytes <= limit or toolbox.SANITIZED,
                     f"{title}: the compiler needs too much memory")
        output.unlink()
