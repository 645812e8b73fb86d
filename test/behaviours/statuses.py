#!/usr/bin/env python3
"""A call that fails says by its status whether sizes, an index or another value are wrong,
whether that is known at compile time (a constant index) or only at run time."""

import numpy as np
from common import FLOAT, INT64, Bench, helper, save, value
from artifact import Model, ModelError  # common says where it is

SHAPE_MISMATCH, OUT_OF_RANGE, INVALID_VALUE = 3, 6, 7


def int64(*elements):
    return np.array(elements, np.int64)


FAULTS = [
    ("adds sizes that do not fit", "Add", {"a": ("n",), "b": ("m",)}, {},
     {"a": np.zeros(2, "f"), "b": np.zeros(3, "f")}, SHAPE_MISMATCH),
    ("a constant index", "Gather", {"x": ("n",)}, {"i": int64(5)}, {"x": np.zeros(3, "f")},
     OUT_OF_RANGE),
    ("an index", "Gather", {"x": ("n",), "i": (1,)}, {},
     {"x": np.zeros(3, "f"), "i": int64(5)}, OUT_OF_RANGE),
    ("an axis", "CumSum", {"x": ("n",), "axis": ()}, {},
     {"x": np.zeros(3, "f"), "axis": np.array(1, np.int64)}, OUT_OF_RANGE),
    ("an axis of a slice", "Slice", {"x": ("n",), "s": (1,), "e": (1,), "axes": (1,)}, {},
     {"x": np.zeros(3, "f"), "s": int64(0), "e": int64(1), "axes": int64(1)}, OUT_OF_RANGE),
    ("a constant divisor", "Div", {"x": ("n",)}, {"d": int64(0)}, {"x": int64(1, 2)},
     INVALID_VALUE),
    ("a divisor", "Div", {"x": ("n",), "d": (1,)}, {}, {"x": int64(1, 2), "d": int64(0)},
     INVALID_VALUE),
    ("a step", "Range", {"start": (), "limit": (), "delta": ()}, {},
     {name: np.array(size, np.int64) for name, size in
      (("start", 0), ("limit", 4), ("delta", 0))}, INVALID_VALUE),
    ("a repeat", "Tile", {"x": ("n",), "repeats": (1,)}, {},
     {"x": np.zeros(3, "f"), "repeats": int64(-1)}, INVALID_VALUE),
    ("k", "TopK", {"x": ("n",), "k": (1,)}, {}, {"x": np.zeros(3, "f"), "k": int64(4)},
     INVALID_VALUE),
]

with Bench(__doc__) as bench:
    for number, (what, op, dims, constants, arrays, status) in enumerate(FAULTS):
        inputs = [value(name, list(sizes), FLOAT if arrays[name].dtype == np.float32 else INT64)
                  for name, sizes in dims.items()]
        outputs = ["y", "order"] if op == "TopK" else ["y"]
        node = helper.make_node(op, [*dims, *constants], outputs, name="culprit")
        dtype = inputs[0].type.tensor_type.elem_type
        model = save(bench.folder / f"{number}.onnx", [node], inputs, [value("y", None, dtype)],
                     constants.items())
        library = bench.compile(model, f"{number}.so", f"m{number}")
        try:
            Model(library, f"m{number}").run([arrays[name] for name in dims])
            bench.expect(False, f"{what}: the call did not fail")
        except ModelError as error:
            bench.expect(error.status == status and "culprit: " in str(error),
                         f"{what}: expected status {status}, found {error}")
    print(f"{len(FAULTS)} failing calls: each with its status and the node's name")
