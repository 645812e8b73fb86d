"""What a case is made from: a small vocabulary for tensors and graphs, and Row, which writes cases."""
import json, os, shutil
import numpy as np
import ml_dtypes
import onnx
import stored
from onnx import TensorProto as TP, helper, numpy_helper
from other_tools import CANNOT_RUN, KNOWN_WRONG

def arr(t):
    return lambda v, *shape: (np.asarray(v, dtype=t).reshape(shape) if shape else np.asarray(v, dtype=t))

f16, f32, f64 = arr(np.float16), arr(np.float32), arr(np.float64)
i8, i16, i32, i64 = arr(np.int8), arr(np.int16), arr(np.int32), arr(np.int64)
u8, u16, u32, u64 = arr(np.uint8), arr(np.uint16), arr(np.uint32), arr(np.uint64)
bools, bf16 = arr(np.bool_), arr(ml_dtypes.bfloat16)
inf, nan = np.inf, np.nan
I64MAX, I64MIN, I32MAX, I32MIN = 2**63 - 1, -2**63, 2**31 - 1, -2**31


def up(n, *shape, t=np.float32):
    """0, 1, 2, ... n-1 in the given shape."""
    return np.arange(n).astype(t).reshape(shape or (n,))


def rnd(*shape, seed=1, t=np.float32):
    return (np.random.RandomState(seed).randint(-32, 33, shape) / 16).astype(t)


def img(a): return f32(a).reshape((1, 1) + np.shape(a))


class K:
    """An input that is an initializer."""
    def __init__(self, a): self.a = a


class C(K):
    """An input that is the output of a Constant node."""


def N(op, ins, outs, domain="", **attrs):
    ins, outs = [s.split() if isinstance(s, str) else s for s in (ins, outs)]
    return helper.make_node(op, ["" if i == "_" else i for i in ins], ["" if o == "_" else o for o in outs],
                            domain=domain, **attrs)


def elem_type(a): return helper.np_dtype_to_tensor_dtype(a.dtype)
def info(name, a, dims=None): return helper.make_tensor_value_info(name, elem_type(a), a.shape if dims is None else dims)
def sub(name, nodes, ins, outs, init=()): return helper.make_graph(nodes, name, list(ins), list(outs), list(init))
def vi(name, t, dims=None): return helper.make_tensor_value_info(name, t, dims)


# Ops whose output shape hangs on the values of later inputs: those inputs as run-time inputs make the shape unknown.
SHAPED = set("Slice Reshape Expand Pad Resize Upsample Tile OneHot TopK ConstantOfShape Squeeze Unsqueeze Split Range Loop NonZero "
             "ReduceSum ReduceMean ReduceMax ReduceMin ReduceProd ReduceL1 ReduceL2 ReduceSumSquare ReduceLogSum "
             "ReduceLogSumExp CenterCropPad".split())
# Ops that only move or pick values: compared exactly.
EXACT = set("Gather GatherElements GatherND ScatterND ScatterElements Slice Reshape Expand Concat Split Flatten Transpose "
            "ReverseSequence OneHot Pad MaxPool Relu Round Squeeze Unsqueeze Identity Where Neg Abs Tile TopK Not".split())
META = ("rtol", "atol", "why", "also_ok", "error_hint", "must_not", "must_not_contain", "note", "compare", "stage")


class Row:
    """One report. `op` and `graph` write value cases, `refuse` writes cases that must end in a clear error."""

    def __init__(self, source, category, symptom, why, build):
        self.source, self.category, self.symptom, self.why = source, category, symptom, why
        self.build, self.own = build, False

    # -- value cases
    def op(self, tag, op, ins, outs, opset=21, domain="", dims=None, out_dims=None, sets=(), ir=10, dyn=False, **kw):
        meta = {k: kw.pop(k) for k in META if k in kw}
        try: sch = onnx.defs.get_schema(op, opset, domain)
        except Exception: sch = None
        formal = [p.name for p in sch.inputs] if sch else []
        many = sch is not None and len(sch.inputs) and sch.inputs[-1].option == onnx.defs.OpSchema.FormalParameterOption.Variadic
        names = [f"{formal[-1]}_{k}" if many and k >= len(formal) - 1 else formal[k] if k < len(formal) else f"in{k}"
                 for k in range(len(ins))]
        onames = [f"y{k}" if len(outs) > 1 else "y" for k in range(len(outs))]
        nodes, init, feed = [], {}, {}
        for n, a in zip(names, ins):
            if isinstance(a, C): nodes.append(helper.make_node("Constant", [], [n], value=numpy_helper.from_array(a.a, n)))
            elif isinstance(a, K): init[n] = a.a
            elif a is not None: feed[n] = a
        nodes.append(helper.make_node(op, [n if a is not None else "" for n, a in zip(names, ins)],
                                      [o if a is not None else "" for o, a in zip(onames, outs)], domain=domain, **kw))
        want = {o: a for o, a in zip(onames, outs) if a is not None}
        if dyn:
            dims = {n: [f"{n}_{d}" for d in range(a.ndim)] for n, a in feed.items()}
        loose = bool(dims) or (op in SHAPED and any(isinstance(a, np.ndarray) for a in ins[1:]))
        if loose and out_dims is None:
            out_dims = {o: [None] * a.ndim for o, a in want.items()}
        more = [({n: a for n, a in zip(feed, i)}, dict(zip(want, o))) for i, o in sets]
        if op in EXACT: meta.setdefault("rtol", 0); meta.setdefault("atol", 0)
        opsets = {"": opset} if not domain else {"": opset, domain: 1}
        self.graph(tag, nodes, feed, want, init, opset=opsets, dims=dims, out_dims=out_dims, sets=more, ir=ir, **meta)

    def graph(self, tag, nodes, ins, outs, init=None, opset=21, ir=10, dims=None, out_dims=None, sets=(),
              functions=(), value_info=(), tweak=None, files=None, links=None, name="g", **meta):
        dims, out_dims = dims or {}, out_dims or {}
        tensors = [t if isinstance(t, TP) else numpy_helper.from_array(t, n) for n, t in (init or {}).items()]
        g = helper.make_graph(nodes, name, [info(n, a, dims.get(n)) for n, a in ins.items()],
                              [info(n, a, out_dims.get(n)) for n, a in outs.items()], tensors, value_info=list(value_info))
        opset = {"": opset} if isinstance(opset, int) else opset
        m = helper.make_model(g, opset_imports=[helper.make_opsetid(d, v) for d, v in opset.items()], ir_version=ir,
                              functions=list(functions), producer_name="cases")
        if ir < 4:   # up to IR 3 every initializer is a graph input too
            g0 = {i.name for i in m.graph.input}
            m.graph.input.extend(info(t.name, numpy_helper.to_array(t)) for t in tensors if t.name not in g0)
        if tweak: tweak(m)
        exact = all(a.dtype.kind in "iub" for a in outs.values())
        half = any(a.dtype in (np.float16, ml_dtypes.bfloat16) for a in outs.values())
        meta.setdefault("rtol", 0 if exact else 1e-3 if half else 1e-5)
        meta.setdefault("atol", 0 if exact else 1e-3 if half else 1e-6)
        self.save(tag, m.SerializeToString(), [(ins, outs)] + list(sets), dict(expect="values", **meta), files, links)

    # -- error cases
    def refuse(self, tag, model, error_hint, must_not=("crash", "hang"), ins=(), files=None, links=None, **meta):
        data = model if isinstance(model, bytes) else model.SerializeToString()
        names = [] if isinstance(model, bytes) else [i.name for i in model.graph.input]
        sets = [(dict(zip(names, ins)), {})] if ins else []
        self.save(tag, data, sets, dict(expect="error", error_hint=error_hint, must_not=list(must_not), **meta), files, links)

    # -- disk
    def save(self, tag, data, sets, meta, files, links):
        name = self.build.__name__ + (f"__{tag}" if tag else "")
        here = os.path.join(OUT, name)
        assert not os.path.exists(here), name
        assert len(data) < 1 << 20, name
        os.makedirs(here)
        with open(os.path.join(here, "model.onnx"), "wb") as f: f.write(data)
        for rel, content in (files or {}).items():
            assert len(content) < 1 << 20
            with open(os.path.join(here, rel), "wb") as f: f.write(content)
        for rel, target in (links or {}).items(): os.symlink(target, os.path.join(here, rel))
        for s, (ins, outs) in enumerate(sets):
            d = os.path.join(here, f"test_data_set_{s}")
            os.makedirs(d)
            for kind, tensors in (("input", ins), ("output", outs)):
                for k, (n, a) in enumerate(tensors.items()):
                    with open(os.path.join(d, f"{kind}_{k}.pb"), "wb") as f:
                        f.write(numpy_helper.from_array(a, n).SerializeToString())
        head = dict(source=self.source, category=self.category, kind="variant" if self.own else "report",
                    symptom=self.symptom, why=self.why)
        head.update(meta)
        for table, key in ((KNOWN_WRONG, "known_wrong"), (CANNOT_RUN, "cannot_run")):
            if name in table: head[key] = list(table[name])
        with open(os.path.join(here, "case.json"), "w") as f: json.dump(head, f, indent=1); f.write("\n")


ROWS, OUT = [], "cases"


def row(source, category, symptom, why="spec formula"):
    def deco(f):
        ROWS.append(Row(source, category, symptom, why, f))
        return f
    return deco


def both(r, tag, op, ins, outs, **kw):
    """Once with every input at run time, once with everything constant, so that a folder gives the answer."""
    r.op(tag + "_runtime", op, ins, outs, **kw)
    r.op(tag + "_folded", op, [C(a) for a in ins], outs, **kw)


def main(out):
    global OUT
    OUT = out
    for name in os.listdir(OUT) if os.path.isdir(OUT) else []:
        p = os.path.join(OUT, name)
        if os.path.isdir(p): shutil.rmtree(p)
    os.makedirs(OUT, exist_ok=True)
    for r in ROWS: r.build(r)
    stored.write_all(OUT)
    print(len(ROWS), "reports,", sum(os.path.isfile(os.path.join(OUT, d, "case.json")) for d in os.listdir(OUT)), "cases in", OUT)
