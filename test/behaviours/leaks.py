#!/usr/bin/env python3
"""10,000 runs of a MatMul, of a Loop with scan output and of a Concat leak nothing."""

import numpy as np
from common import HERE, INT64, Bench, helper, loop_body, save, value

with Bench(__doc__) as bench:
    matmul = save(bench.folder / "matmul.onnx", [helper.make_node("MatMul", ["a", "w"], ["y"])],
                  [value("a", ["rows", 8])], [value("y", ["rows", 3])],
                  [("w", np.ones([8, 3], np.float32))])
    body = loop_body([helper.make_node("Add", ["x", "one"], ["x_out"]),
                      helper.make_node("Identity", ["x_out"], ["scan"])],
                     [value("x_out", None), value("scan", None)])
    loop = save(bench.folder / "loop.onnx",
                [helper.make_node("Loop", ["trips", "", "start"], ["last", "scanned"], body=body)],
                [value("trips", [], INT64)], [value("last", [2]), value("scanned", ["turns", 2])],
                [("start", np.zeros(2, np.float32)), ("one", np.ones(2, np.float32))])
    concat = save(bench.folder / "concat.onnx",
                  [helper.make_node("Concat", ["a", "a"], ["y"], axis=0)],
                  [value("a", ["rows", 8])], [value("y", ["both", 8])])
    parts = [bench.compile(bench.folder / f"{name}.onnx", f"{name}.o", name)
             for name in ("matmul", "loop", "concat")]
    program = bench.build("leaks", HERE / "programs" / "leaks.c", *parts,
                          flags=["-fsanitize=address"])
    result = bench.run(program, env=bench.environment(
        ASAN_OPTIONS="detect_leaks=1:quarantine_size_mb=1:thread_local_quarantine_size_kb=64"))
    print(result.output.strip())
