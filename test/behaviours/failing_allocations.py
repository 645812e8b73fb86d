#!/usr/bin/env python3
"""Each allocation failing in turn, for every operator whose results depend on the data: the
call ends with the status for it, and no block is left or released twice."""

import ctypes

import numpy as np
from common import BOOL, FLOAT, INT64, Bench, helper, loop_body, save, value
from artifact import Inference, Model, ModelError, PythonAllocator  # common says where

OUT_OF_MEMORY = 8


class FailingAllocator(PythonAllocator):
    """Gives no memory when asked for the `bad`-th time, from 0; -1: never."""

    def __init__(self):
        super().__init__()
        self.bad, self.asked, self.wrong = -1, 0, []

    def allocate(self, context, size, alignment):
        self.asked += 1
        if self.asked - 1 == self.bad:
            return None
        # Bytes that nothing has written are no zeros.
        address = super().allocate(context, size, alignment)
        memory = self.buffers[address].memory
        memory[:] = b"\xa5" * len(memory)
        return address

    def release(self, context, pointer):
        if pointer not in self.buffers:
            self.wrong.append(pointer)
        super().release(context, pointer)


def ints(*elements):
    return np.array(elements, np.int64)


FLOATS = np.array([[0, 2, 0, 3], [1, 0, 2, 2]], np.float32)
BOXES = np.array([[[0, 0, 1, 1], [0, 0, 1, 1.1], [0, 2, 1, 3]]], np.float32)
SCORES = np.array([[[0.9, 0.8, 0.7]]], np.float32)


def grow_loop():
    """Two scan outputs and a state that becomes larger with each turn."""
    body = loop_body([helper.make_node("Concat", ["x", "x"], ["x_out"], axis=0),
                      helper.make_node("Identity", ["i"], ["turn"]),
                      helper.make_node("Add", ["i", "i"], ["twice"])],
                     [value("x_out", None), value("turn", [], INT64), value("twice", [], INT64)])
    return helper.make_node("Loop", ["trips", "", "x"], ["y0", "y1", "y2"], body=body)


def branches():
    def branch(name, op):
        return helper.make_graph([helper.make_node(op, ["x"], [name])], name, [],
                                 [value(name, [None, None], INT64)])
    return helper.make_node("If", ["c"], ["y0"], then_branch=branch("t", "NonZero"),
                            else_branch=helper.make_graph(
                                [helper.make_node("NonZero", ["x"], ["u"]),
                                 helper.make_node("Concat", ["u", "u"], ["e"], axis=1)], "else", [],
                                [value("e", [None, None], INT64)]))


# name, nodes, inputs by name, types of the outputs y0, y1 ...
MODELS = [
    ("NonZero", [helper.make_node("NonZero", ["x"], ["y0"])], {"x": FLOATS}, [INT64]),
    ("two NonZero", [helper.make_node("NonZero", ["x"], ["y0"]),
                     helper.make_node("Neg", ["x"], ["n"]),
                     helper.make_node("NonZero", ["n"], ["y1"])], {"x": FLOATS}, [INT64, INT64]),
    ("Compress", [helper.make_node("Compress", ["x", "c"], ["y0"], axis=1)],
     {"x": FLOATS, "c": np.array([1, 0, 1], bool)}, [FLOAT]),
    ("Unique", [helper.make_node("Unique", ["x"], ["y0", "y1", "y2", "y3"])], {"x": FLOATS},
     [FLOAT, INT64, INT64, INT64]),
    ("Unique of rows", [helper.make_node("Unique", ["x"], ["y0", "y1", "y2", "y3"], axis=0,
                                         sorted=0)], {"x": FLOATS}, [FLOAT, INT64, INT64, INT64]),
    ("TopK", [helper.make_node("TopK", ["x", "k"], ["y0", "y1"])], {"x": FLOATS, "k": ints(3)},
     [FLOAT, INT64]),
    ("NonMaxSuppression", [helper.make_node("NonMaxSuppression", ["b", "s", "n", "iou"], ["y0"])],
     {"b": BOXES, "s": SCORES, "n": np.array(3, np.int64), "iou": np.array(0.5, np.float32)},
     [INT64]),
    ("Loop", [grow_loop()], {"trips": np.array(9, np.int64), "x": FLOATS}, [FLOAT, INT64, INT64]),
    ("If", [branches()], {"c": np.array(False), "x": FLOATS}, [INT64]),
    ("Range", [helper.make_node("Range", ["a", "b", "c"], ["y0"])],
     {"a": np.array(0, np.int64), "b": np.array(5, np.int64), "c": np.array(1, np.int64)}, [INT64]),
    ("ConstantOfShape", [helper.make_node("ConstantOfShape", ["s"], ["y0"])], {"s": ints(2, 3)},
     [FLOAT]),
    ("Expand, Tile", [helper.make_node("Expand", ["x", "s"], ["y0"]),
                      helper.make_node("Tile", ["y0", "r"], ["y1"])],
     {"x": FLOATS, "s": ints(3, 1, 1), "r": ints(1, 2, 1)}, [FLOAT, FLOAT]),
    ("Slice, Pad", [helper.make_node("Slice", ["x", "a", "b"], ["y0"]),
                    helper.make_node("Pad", ["y0", "p"], ["y1"])],
     {"x": FLOATS, "a": ints(0, 1), "b": ints(2, 3), "p": ints(1, 0, 0, 1)}, [FLOAT, FLOAT]),
    ("Resize, Reshape", [helper.make_node("Resize", ["x", "", "", "s"], ["y0"], mode="nearest"),
                         helper.make_node("Reshape", ["y0", "t"], ["y1"])],
     {"x": FLOATS, "s": ints(4, 4), "t": ints(2, -1)}, [FLOAT, FLOAT]),
]

# What the data decides: the sizes of these inputs stay as they are.
DTYPES = {"f": FLOAT, "i": INT64, "b": BOOL}


def check(bench, number, what, nodes, arrays, outputs):
    inputs = [value(name, list(array.shape), DTYPES[array.dtype.kind])
              for name, array in arrays.items()]
    model = save(bench.folder / f"{number}.onnx", nodes, inputs,
                 [value(f"y{i}", None, dtype) for i, dtype in enumerate(outputs)])
    library = bench.compile(model, f"{number}.so", f"m{number}")
    call = Inference(Model(library, f"m{number}"), list(arrays.values()))
    allocator = call.allocator = FailingAllocator()
    call.call.allocator = ctypes.pointer(allocator.hook)
    call.execute()
    total, from_hook = allocator.asked, len(allocator.buffers)
    bench.expect(total > 0, f"{what}: nothing was allocated")
    allocator.buffers.clear()
    for bad in range(total):
        allocator.bad, allocator.asked = bad, 0
        try:
            call.execute()
            bench.expect(False, f"{what}: no failure without allocation {bad} of {total}")
        except ModelError as error:
            bench.expect(error.status == OUT_OF_MEMORY, f"{what}, allocation {bad}: {error}")
        bench.expect(not allocator.buffers, f"{what}: allocation {bad} of {total} fails, and "
                     f"{len(allocator.buffers)} blocks are left")
    allocator.bad = -1
    call.execute()
    bench.expect(len(allocator.buffers) == from_hook, f"{what}: differs after the failures")
    bench.expect(not allocator.wrong, f"{what}: released what it had not allocated")
    print(f"{what}: each of {total} allocations failing, {from_hook} outputs")


with Bench(__doc__) as bench:
    for number, (what, nodes, arrays, outputs) in enumerate(MODELS):
        check(bench, number, what, nodes, arrays, outputs)
