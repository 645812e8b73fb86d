#!/usr/bin/env python3
"""Tensors that turn out to be empty: nothing is read outside of them, and where there is
nothing to read from, the call says so."""

import ctypes
import mmap

import numpy as np
from common import FLOAT, Bench, helper, save, value
from artifact import Inference, Model, ModelError  # common says where it is

SHAPE_MISMATCH = 3
PROT_NONE = 0
NOWHERE = 64  # Aligned, and never mapped.


class Guarded(Inference):
    """The workspace lies between pages that must not be touched, empty inputs nowhere."""

    def guard(self):
        page = mmap.PAGESIZE
        size = (self.call.workspace_bytes + page - 1) // page * page
        self.pages = mmap.mmap(-1, size + 2 * page)
        address = ctypes.addressof(ctypes.c_char.from_buffer(self.pages))
        libc = ctypes.CDLL(None)
        for guard in (address, address + page + size):
            assert libc.mprotect(ctypes.c_void_p(guard), page, PROT_NONE) == 0
        self.call.workspace = address + page
        for view, array in zip(self.inputs, self.arrays):
            if not array.size:
                view.data = NOWHERE
        return self


def zeros(*shape):
    return np.zeros(shape, np.float32)


GRID = {"g": zeros(1, 1, 4, 2)}
IMAGE = ["n", "c", "h", "w"]
EMPTY = {"x": zeros(1, 1, 0, 3)}
SIZES = {"roi": zeros(0), "scales": zeros(0), "sizes": np.array([1, 1, 2, 3], np.int64)}
# What, operator, attributes, dims of inputs, constants, arrays, and what the message says: no
# message for a call that succeeds.
CASES = [
    *[(f"Resize {mode} {more}", "Resize", {"mode": mode, **more}, {"x": IMAGE}, SIZES, EMPTY,
       "the image is empty along axis 2")
      for mode, more in (("nearest", {}), ("linear", {}), ("cubic", {}),
                         ("linear", {"antialias": 1}))],
    ("GridSample", "GridSample", {"mode": "linear"}, {"x": IMAGE, "g": [1, 1, "k", 2]}, {},
     {**EMPTY, **GRID}, "the image is empty along axis 2"),
    ("DeformConv", "DeformConv", {"kernel_shape": [1, 1], "pads": [1, 1, 1, 1]},
     {"x": IMAGE, "w": [1, 1, 1, 1], "o": ["n", 2, "p", "q"]}, {},
     {**EMPTY, "w": zeros(1, 1, 1, 1), "o": zeros(1, 2, 2, 5)}, "the image is empty along axis 2"),
    ("a convolution with windows", "Conv", {"pads": [2, 2, 2, 2]}, {"x": IMAGE},
     {"w": zeros(1, 1, 3, 3)}, EMPTY, "the image is empty along axis 2"),
    ("a convolution without a window", "Conv", {"pads": [1, 1, 1, 1]}, {"x": IMAGE},
     {"w": zeros(1, 1, 3, 3)}, EMPTY, None),
    ("a pool without a window", "MaxPool", {"pads": [1, 1, 1, 1], "kernel_shape": [3, 3]},
     {"x": IMAGE}, {}, EMPTY, None),
    ("a batch of no images", "Resize", {"mode": "linear"}, {"x": IMAGE},
     {"roi": zeros(0), "scales": np.array([1, 1, 2, 2], np.float32)}, {"x": zeros(0, 1, 2, 3)}, None),
    ("ArgMax", "ArgMax", {"axis": 1}, {"x": ["n", "c"]}, {}, {"x": zeros(2, 0)},
     "there is no element to choose along axis 1"),
    ("ArgMax of no rows", "ArgMax", {"axis": 1}, {"x": ["n", "c"]}, {}, {"x": zeros(0, 0)}, None),
    ("Pad", "Pad", {}, {"x": ["n"]}, {"pads": np.array([2, 1], np.int64)}, {"x": zeros(0)}, None),
]

with Bench(__doc__) as bench:
    for number, (what, op, attributes, dims, constants, arrays, message) in enumerate(CASES):
        node = helper.make_node(op, [*dims, *constants], ["y"], name="culprit", **attributes)
        model = save(bench.folder / f"{number}.onnx", [node],
                     [value(name, sizes) for name, sizes in dims.items()],
                     [value("y", None, 7 if op == "ArgMax" else FLOAT)], constants.items())
        library = bench.compile(model, f"{number}.so", f"m{number}")
        try:
            Guarded(Model(library, f"m{number}"), [arrays[name] for name in dims]).guard().run()
            bench.expect(message is None, f"{what}: the call did not fail")
        except ModelError as error:
            bench.expect(message and error.status == SHAPE_MISMATCH and message in str(error),
                         f"{what}: expected {message or 'success'}, found {error}")
    print(f"{len(CASES)} calls on empty tensors")
