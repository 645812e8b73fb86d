#!/usr/bin/env python3
"""Exp, Sin and Tanh under every rounding mode of the caller: as right as the header says."""

from common import HERE, Bench, helper, save, value

with Bench(__doc__) as bench:
    nodes = [helper.make_node(op, ["x"], [op.lower()]) for op in ("Exp", "Sin", "Tanh")]
    model = save(bench.folder / "functions.onnx", nodes, [value("x", [4096])],
                 [value(op.lower(), [4096]) for op in ("Exp", "Sin", "Tanh")])
    part = bench.compile(model, "functions.o", "functions")
    program = bench.build("rounding-modes", HERE / "programs" / "rounding_modes.c", part,
                          flags=["-frounding-math", "-lm"])
    print(bench.run(program).output.strip())
