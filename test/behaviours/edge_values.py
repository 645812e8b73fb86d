#!/usr/bin/env python3
"""Values at the ends of their types' ranges, where a formula that is right elsewhere fails."""

import numpy as np
from common import Bench, helper, save, value
from artifact import Model  # common says where it is

INT64 = np.iinfo(np.int64)
POWERS = [(base, exponent) for base in range(-60, 61) for exponent in range(40)
          if abs(base) ** exponent < 2 ** 52]


def array(elements, dtype):
    return np.array(elements, dtype)


# Operator, attributes, inputs, the result.
CASES = [
    # Integers wrap around; every bit of the exponent counts.
    ("Pow", {}, [array([0, -2, 2, 3, 0, -1], np.int64), array([64, 64, 65, 64, 128, 65], np.int64)],
     array([0, 0, 0, 3 ** 64, 0, -1], object)),
    # Whole powers of integers are exact, others are cut.
    *[("Pow", {}, [array([b for b, _ in POWERS], np.int64), array([e for _, e in POWERS], dtype)],
       array([b ** e for b, e in POWERS], np.int64)) for dtype in (np.float32, np.float64)],
    ("Pow", {}, [array([63, 64, 7], np.int64), array([7.25, 7.25, 0.5], np.float32)],
     array([11097342335430, 12439554047901, 2], np.int64)),
    # The last bit of an integer exponent decides about the sign, though no f32 holds it.
    ("Pow", {}, [array([-1, -1, -1], np.float32), array([16777217, -2147483647, 16777218], np.int32)],
     array([-1, -1, 1], np.float32)),
    # A negative float as an unsigned integer wraps around, as it does in C.
    *[("Cast", {"to": helper.np_dtype_to_tensor_dtype(np.dtype(to))},
       [array([-2.5, -0.5, 3.75, 2 ** 33, -7], from_)],
       array([-2, 0, 3, 2 ** 33, -7], np.int64).astype(to))
      for from_ in (np.float32, np.float64) for to in (np.uint64, np.uint32)],
    # Distances between int64 values that no int64 holds.
    ("Range", {}, [array(0, np.int64), array(INT64.max, np.int64), array(INT64.max, np.int64)],
     array([0], np.int64)),
    ("Range", {}, [array(5, np.int64), array(0, np.int64), array(INT64.min, np.int64)],
     array([5], np.int64)),
    ("Range", {}, [array(INT64.min, np.int64), array(INT64.max, np.int64), array(2 ** 62, np.int64)],
     array([INT64.min, -2 ** 62, 0, 2 ** 62], np.int64)),
    # The last of more elements than f32 can number.
    ("GridSample", {"mode": "nearest", "align_corners": 1},
     [np.pad(array([7], np.float32), (2 ** 24 + 2, 0)).reshape(1, 1, 1, -1),
      array([1, 0], np.float32).reshape(1, 1, 1, 2)], array(7, np.float32).reshape(1, 1, 1, 1)),
]
# Within half a pixel of the border taps are clamped one by one. The results are onnxruntime's
# and those of ONNX's reference, which agree on them.
CASES.append(("GridSample", {"mode": "cubic", "padding_mode": "border"},
              [array(range(12), np.float32).reshape(1, 1, 3, 4) ** 2,
               array([1, 1, -1, -1], np.float32).reshape(1, 1, 2, 2)],
              array([129.7890625, -1.5234375], np.float32).reshape(1, 1, 1, 2)))
# The square root by another name, where the exponent is known: not of -0 and of -inf.
ROOTS = [(0.5, [np.inf, 0, 2]), (-0.5, [0, np.inf, 0.5])]

with Bench(__doc__) as bench:
    def check(number, nodes, inputs, wanted, constants=()):
        names = "abc"[:len(inputs)]
        model = save(bench.folder / f"{number}.onnx", nodes,
                     [value(name, ["n"] if x.ndim == 1 else list(x.shape),
                            helper.np_dtype_to_tensor_dtype(x.dtype))
                      for name, x in zip(names, inputs)],
                     [value("y", None, helper.np_dtype_to_tensor_dtype(wanted.dtype))], constants)
        library = bench.compile(model, f"{number}.so", f"m{number}")
        found = Model(library, f"m{number}").run(inputs)[0]
        same = found.shape == wanted.shape and bool(np.all(found == wanted))
        bench.expect(same and np.array_equal(np.signbit(found), np.signbit(wanted.astype(found.dtype))),
                     f"{nodes[0].op_type} of {inputs}: expected {wanted}, found {found}")

    for number, (op, attributes, inputs, wanted) in enumerate(CASES):
        if wanted.dtype == object:
            wanted = array([int(x) % 2 ** 64 for x in wanted], np.uint64).astype(np.int64)
        check(number, [helper.make_node(op, list("abc"[:len(inputs)]), ["y"], **attributes)], inputs,
              wanted)
    for number, (exponent, wanted) in enumerate(ROOTS, len(CASES)):
        check(number, [helper.make_node("Pow", ["a", "e"], ["y"])],
              [array([-np.inf, -0.0, 4], np.float32)], array(wanted, np.float32),
              [("e", array(exponent, np.float32))])
    print(f"{len(CASES) + len(ROOTS)} operators at the ends of their ranges")
