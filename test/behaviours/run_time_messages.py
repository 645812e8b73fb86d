#!/usr/bin/env python3
"""A check that compares no numbers ends the call with a message without numbers."""

import numpy as np
from common import BOOL, Bench, helper, save, toolbox, value

with Bench(__doc__) as bench:
    branches = {
        "then_branch": helper.make_graph([helper.make_node("Neg", ["x"], ["t"])], "then", [],
                                         [value("t", [1])]),
        "else_branch": helper.make_graph([helper.make_node("Unsqueeze", ["x", "axes"], ["e"])], "else",
                                         [], [value("e", [1, 1])])}
    model = save(bench.folder / "if.onnx",
                 [helper.make_node("If", ["c"], ["y"], name="choose", **branches)],
                 [value("c", [], BOOL), value("x", [1])], [value("y", None)],
                 [("axes", np.array([0], np.int64))])
    library = bench.compile(model, "if.so", "m")
    np.save(bench.folder / "c.npy", np.array(False))
    result = toolbox.run([bench.tools.runner, library, f"--input=c=@{bench.folder / 'c.npy'}"],
                         timeout=60)
    bench.expect(result.code == 2 and "choose: the condition is false" in result.output
                 and "only then_branch is compiled" in result.output
                 and "found" not in result.output, result.output)
    print("branches of different ranks: a status that says why")
