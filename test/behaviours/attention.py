#!/usr/bin/env python3
"""Attention against its formula in f64: tails of queries and keys, several blocks of keys, masks
that hide all of a row, sizes that only the run knows, targets with other vectors, thread counts."""

import numpy as np
from common import Bench, helper, save, value
from artifact import Model, Pool  # common says where it is

RNG = np.random.default_rng(7)
LOWEST = np.float32(-np.inf)


def softmax(x):
    with np.errstate(invalid="ignore"):
        e = np.exp(x - x.max(-1, keepdims=True))
        return e / e.sum(-1, keepdims=True)


def attention(q, k, v, mask=None, keep=None, fill=None, guarded=False):
    q, k, v = (x.astype(np.float64) for x in (q, k, v))
    scores = q @ np.swapaxes(k, -1, -2) * 0.25
    if keep is not None:
        scores = np.where(keep, scores, fill)
    if mask is not None:
        scores = scores + mask
    p = softmax(scores)
    return np.where(np.isnan(p), 0, p) @ v if guarded else p @ v


def model(path, shapes, mask=None, keep=None, fill=None, guarded=False, dtype=np.float32):
    """MatMul, Mul, (Where), (Add), Softmax, (Where), MatMul on [batch, heads, length, size]."""
    element = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    constants = [("scale", np.array(0.25, dtype)), ("zero", np.array(0, dtype))]
    inputs = [value(name, shape, element) for name, shape in zip("qkv", shapes)]
    nodes = [helper.make_node("Transpose", ["k"], ["kt"], perm=[0, 1, 3, 2]),
             helper.make_node("MatMul", ["q", "kt"], ["s0"]),
             helper.make_node("Mul", ["s0", "scale"], ["s1"])]
    scores = "s1"
    if keep is not None:
        constants.append(("fill", np.array(fill, dtype)))
        inputs.append(value("keep", keep, helper.np_dtype_to_tensor_dtype(np.dtype(bool))))
        nodes.append(helper.make_node("Where", ["keep", scores, "fill"], ["s2"]))
        scores = "s2"
    if mask is not None:
        inputs.append(value("mask", mask, element))
        nodes.append(helper.make_node("Add", [scores, "mask"], ["s3"]))
        scores = "s3"
    nodes.append(helper.make_node("Softmax", [scores], ["p"], axis=-1))
    if guarded:
        nodes += [helper.make_node("IsNaN", ["p"], ["n"]),
                  helper.make_node("Where", ["n", "zero", "p"], ["g"])]
    nodes.append(helper.make_node("MatMul", ["g" if guarded else "p", "v"], ["y"]))
    return save(path, nodes, inputs, [value("y", None, element)], constants)


def random(shape, dtype=np.float32):
    return RNG.standard_normal(shape).astype(dtype)


def keeping(shape, hides_row):
    keep = RNG.random(shape) < 0.5
    keep[..., 0] = True
    if hides_row:
        keep[..., 1, :] = False
    return keep


with Bench(__doc__) as bench:
    def check(name, cases, flags=(), dtype=np.float32, tolerance=2e-5, **form):
        """`cases`: the sizes b, h, m, t, d, n of each run; dims that differ are symbols."""
        symbols = ["b", "h", "m", "t", "d", "n"]
        dims = {s: c[0] if len(set(c)) == 1 else s for s, c in zip(symbols, zip(*cases))}
        shape = lambda letters: [dims[c] if c in dims else 1 for c in letters]
        letters = {"q": "bhmd", "k": "bhtd", "v": "bhtn", "mask": form.pop("mask", None),
                   "keep": form.pop("keep", None)}
        hides_row = form.pop("hides_row", False)
        path = model(bench.folder / f"{name}.onnx", [shape(letters[c]) for c in "qkv"], dtype=dtype,
                     mask=letters["mask"] and shape(letters["mask"]),
                     keep=letters["keep"] and shape(letters["keep"]), **form)
        library = bench.compile(path, f"{name}.so", name, *flags)
        for sizes in cases:
            known = dict(zip(symbols, sizes), **{"1": 1})
            data = {key: random([known[c] for c in letters[key]], dtype) for key in "qkv"}
            if letters["keep"]:
                data["keep"] = keeping([known[c] for c in letters["keep"]], hides_row)
            if letters["mask"]:
                data["mask"] = random([known[c] for c in letters["mask"]], dtype)
            wanted = attention(**data, **form)
            session = Model(library, name)
            pool = Pool(session, 3)
            results = [session.run(list(data.values()), threads)[0] for threads in (None, pool)]
            pool.close()
            bench.expect(np.array_equal(*results, equal_nan=True),
                         f"{name} {sizes}: one thread and three give different results")
            difference = np.abs(results[0].astype(np.float64) - wanted)
            same = np.isnan(results[0]) == np.isnan(wanted)
            bench.expect(np.all(same) and np.nanmax(difference, initial=0) < tolerance,
                         f"{name} {sizes}: differs by {np.nanmax(difference, initial=0)}, NaN where "
                         f"it should not be or not where it should: {np.sum(~same)}")

    # Every tail of queries and keys; the last of several blocks of keys.
    check("whole", [(2, 3, 48, 64, 32, 32)])
    check("tails", [(1, 2, 49, 53, 20, 12)], mask="mt")
    check("blocks", [(1, 2, 50, 700, 64, 64)], mask="bh1t")
    check("long_values", [(1, 1, 20, 300, 16, 200)])
    check("symbolic", [(2, 2, 16, 16, 16, 16), (1, 2, 1, 1, 16, 16), (2, 2, 33, 7, 16, 16),
                   (1, 2, 100, 1000, 16, 16), (2, 2, 5, 257, 16, 16)], mask="b1mt")
    check("one_query", [(2, 3, 1, 70, 32, 32)], mask="b11t")
    # Hidden by -inf: a row without a key is NaN, as the formula says, or 0 under the guard.
    check("hidden", [(2, 2, 20, 300, 16, 16)], keep="mt", fill=LOWEST, hides_row=True)
    check("guarded", [(2, 2, 20, 300, 16, 16)], keep="mt", fill=LOWEST, hides_row=True, guarded=True)
    # Hidden by a number: such a row has equal weights.
    check("low", [(2, 2, 20, 30, 16, 16)], keep="b1mt", fill=np.float32(-1e30), hides_row=True)
    check("halves", [(2, 2, 20, 300, 16, 16)], dtype=np.float16, tolerance=2e-3, mask="mt")
    check("doubles", [(2, 2, 20, 300, 16, 16)], dtype=np.float64, tolerance=1e-12, mask="mt")
    for cpu in ("x86-64", "x86-64-v3"):
        suffix = cpu.replace("-", "_")
        check(f"tails_{suffix}", [(1, 2, 49, 53, 20, 12)], flags=[f"--mcpu={cpu}"], mask="mt")
        check(f"symbolic_{suffix}", [(2, 2, 16, 16, 16, 16), (2, 2, 33, 7, 16, 16),
                                 (1, 2, 100, 600, 16, 16)], flags=[f"--mcpu={cpu}"], keep="b1mt",
              fill=LOWEST, hides_row=True, guarded=True)
