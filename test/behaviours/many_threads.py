#!/usr/bin/env python3
"""One model (MatMul, Softmax, Loop) called from 8 threads, 1000 times each; again under TSan."""

import numpy as np
from common import FLOAT, HERE, INT64, BOOL, Bench, helper, loop_body, save, value

with Bench(__doc__) as bench:
    body = loop_body([helper.make_node("MatMul", ["x", "w"], ["product"]),
                      helper.make_node("Softmax", ["product"], ["x_out"], axis=-1)],
                     [value("x_out", None)])
    weights = np.random.default_rng(0).standard_normal([16, 16]).astype(np.float32)
    model = save(bench.folder / "attend.onnx",
                 [helper.make_node("Loop", ["trips", "", "x"], ["y"], body=body)],
                 [value("x", [6, 16])], [value("y", [6, 16])],
                 [("trips", np.array(3, np.int64)), ("w", weights)])
    part = bench.compile(model, "attend.o", "attend")
    source = HERE / "programs" / "many_threads.cpp"
    for title, flags in (("plain", []), ("TSan", ["-fsanitize=thread"])):
        program = bench.build(f"many-threads-{title}", source, part, flags=["-pthread", *flags],
                              compiler="clang++-22")
        result = bench.run(program)
        bench.expect("WARNING: ThreadSanitizer" not in result.output, result.output)
        print(f"{title}: {result.output.strip()}")
