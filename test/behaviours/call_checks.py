#!/usr/bin/env python3
"""Wrong calls of a MatMul are refused with a status and a message, and touch nothing."""

from common import HERE, Bench, matmul_model

with Bench(__doc__) as bench:
    model = matmul_model(bench.folder / "matmul.onnx", 4, 4, 3)
    part = bench.compile(model, "matmul.o", "matmul")
    program = bench.build("call-checks", HERE / "programs" / "call_checks.c", part,
                          flags=["-fsanitize=address,undefined"])
    result = bench.run(program)
    bench.expect("runtime error" not in result.output, result.output)
    print(result.output.strip())
