"""F. Control flow and recurrent ops."""
import numpy as np
import ml_dtypes
import onnx
from onnx import TensorProto as TP, helper, numpy_helper

from core import *
from formulas import *


def while_body(end=5):
    """s, -> s + 1, s + 1 < end, scan s + 1"""
    one, last = numpy_helper.from_array(i64(1), "one"), numpy_helper.from_array(i64(end), "end")
    return sub("body", [N("Add", "s one", "s1"), N("Less", "s1 end", "c1"), N("Identity", "s1", "scan")],
               [vi("i", INT64, []), vi("c", TP.BOOL, []), vi("s", INT64, [])], [vi("c1", TP.BOOL, []), vi("s1", INT64, []), vi("scan", INT64, [])], [one, last])


@row("onnx/onnx-mlir#1450", "F", "a while-style Loop only skips its body, and reserves scan output for the largest trip count")
def loop_while(r):
    m, c, s = i64(I64MAX), bools(True), i64(0)
    loop = [N("Loop", "m c s", "y scan", body=while_body())]
    want = {"y": i64(5), "scan": i64([1, 2, 3, 4, 5])}
    sh = {"y": [], "scan": [None]}
    r.graph("const_trip", loop, {"s": s}, want, {"m": m, "c": c}, out_dims=sh, must_not=["hang", "out of memory"], sets=[({"s": i64(3)}, {"y": i64(5), "scan": i64([4, 5])})])
    r.graph("runtime_trip", loop, {"m": m, "c": c, "s": s}, want, out_dims=sh, must_not=["hang", "out of memory"])
    r.own = True
    r.graph("no_trip_count", [N("Loop", "_ c s", "y scan", body=while_body())], {"c": c, "s": s}, want, out_dims=sh)
    r.graph("starts_false", loop, {"m": m, "c": bools(False), "s": i64(7)}, {"y": i64(7), "scan": i64([]).reshape(0)}, out_dims=sh)
    body = sub("body", [N("Mul", "p x", "p1"), N("Identity", "c", "c1")], [vi("i", INT64, []), vi("c", TP.BOOL, []), vi("p", FLOAT, [2])], [vi("c1", TP.BOOL, []), vi("p1", FLOAT, [2])])
    r.graph("outer_value_in_body", [N("Loop", "m _ p", "y", body=body)], {"x": f32([2, 3]), "p": f32([1, 1])}, {"y": f32([8, 27])}, {"m": i64(3)})
    inner = sub("inner", [N("Add", "a one", "a1"), N("Identity", "d", "d1")], [vi("j", INT64, []), vi("d", TP.BOOL, []), vi("a", INT64, [])], [vi("d1", TP.BOOL, []), vi("a1", INT64, [])])
    outer = sub("outer", [N("Loop", "two _ b", "b1", body=inner), N("Identity", "c", "c1")], [vi("i", INT64, []), vi("c", TP.BOOL, []), vi("b", INT64, [])], [vi("c1", TP.BOOL, []), vi("b1", INT64, [])])
    r.graph("nested", [N("Loop", "three _ x", "y", body=outer)], {"x": i64(10)}, {"y": i64(16)}, {"one": i64(1), "two": i64(2), "three": i64(3)})
    swap = sub("body", [N("Identity", "a", "b1"), N("Identity", "b", "a1"), N("Identity", "c", "c1")], [vi("i", INT64, []), vi("c", TP.BOOL, []), vi("a", FLOAT, [1]), vi("b", FLOAT, [1])],
               [vi("c1", TP.BOOL, []), vi("a1", FLOAT, [1]), vi("b1", FLOAT, [1])])
    r.graph("states_swap_places", [N("Loop", "m _ a b", "p q", body=swap)], {"m": i64(3), "a": f32([1]), "b": f32([2])}, {"p": f32([2]), "q": f32([1])}, sets=[({"m": i64(2), "a": f32([1]), "b": f32([2])}, {"p": f32([1]), "q": f32([2])})])
    twice = sub("body", [N("Add", "s x", "s1"), N("Mul", "s x", "p"), N("Identity", "s1", "q"), N("Identity", "c", "c1")], [vi("i", INT64, []), vi("c", TP.BOOL, []), vi("s", FLOAT, [None])],
                [vi("c1", TP.BOOL, []), vi("s1", FLOAT, [None]), vi("q", FLOAT, [None]), vi("p", FLOAT, [None])])
    for tag, dims in (("", None), ("_symbolic_rows", {"x": ["n"], "s": ["n"]})):
        for m, n in ((1, 2), (0, 2), (1, 0), (2, 0)):
            a = f32([3] * n)
            r.graph(f"rows_{m}_by_{n}{tag}", [N("Loop", "m _ s", "y q p", body=twice)], {"x": a, "s": a}, {"y": a * (m + 1), "q": f32([a * (t + 2) for t in range(m)]).reshape(m, n), "p": f32([a * (t + 1) * 3 for t in range(m)]).reshape(m, n)},
                    {"m": i64(m)}, dims=dims, out_dims={"y": [None], "q": [None, None], "p": [None, None]})
    grow = sub("body", [N("Concat", "a x", "a1", axis=0), N("Identity", "c", "c1")], [vi("i", INT64, []), vi("c", TP.BOOL, []), vi("a", FLOAT, [None])], [vi("c1", TP.BOOL, []), vi("a1", FLOAT, [None])])
    r.graph("state_grows", [N("Loop", "m _ a", "y", body=grow)], {"x": f32([5]), "a": f32([1])}, {"y": f32([1, 5, 5])}, {"m": i64(2)}, dims={"a": ["L"]}, out_dims={"y": [None]})
    fib = sub("body", [N("Identity", "b", "a1"), N("Concat", "a b", "b1", axis=0), N("Identity", "c", "c1")],
              [vi("i", INT64, []), vi("c", TP.BOOL, []), vi("a", FLOAT, [None]), vi("b", FLOAT, [None])], [vi("c1", TP.BOOL, []), vi("a1", FLOAT, [None]), vi("b1", FLOAT, [None])])
    r.graph("states_grow_and_swap", [N("Loop", "m _ a b", "p q", body=fib)], {"m": i64(4), "a": f32([1]), "b": f32([2])}, {"p": f32([1, 2, 2, 1, 2]), "q": f32([2, 1, 2, 1, 2, 2, 1, 2])},
            dims={"a": ["A"], "b": ["B"]}, out_dims={"p": [None], "q": [None]}, sets=[({"m": i64(0), "a": f32([1, 2, 3]), "b": f32([])}, {"p": f32([1, 2, 3]), "q": f32([])})])
    r.graph("hundred_rows", [N("Loop", "_ c s", "y scan", body=while_body(100))], {"c": bools(True), "s": i64(0)}, {"y": i64(100), "scan": i64(range(1, 101))}, out_dims=sh)
    found = sub("body", [N("NonZero", "x", "nz"), N("Add", "nz i", "row"), N("Identity", "c", "c1")], [vi("i", INT64, []), vi("c", TP.BOOL, [])], [vi("c1", TP.BOOL, []), vi("row", INT64, [1, None])])
    r.graph("row_size_of_the_turn", [N("Loop", "m _", "y", body=found)], {"m": i64(3), "x": f32([0, 5, 0, 7])}, {"y": i64([[[1, 3]], [[2, 4]], [[3, 5]]])}, out_dims={"y": [None, 1, None]},
            sets=[({"m": i64(2), "x": f32([0, 0, 0, 0])}, {"y": np.zeros((2, 1, 0), np.int64)})])
    ragged = sub("body", [N("Range", "zero i one", "row"), N("Identity", "c", "c1")], [vi("i", INT64, []), vi("c", TP.BOOL, [])], [vi("c1", TP.BOOL, []), vi("row", INT64, [None])])
    r.refuse("rows_differ_in_size", model([N("Loop", "m _", "y", body=ragged)], [vi("m", INT64, [])], [vi("y", INT64, [None, None])], [numpy_helper.from_array(i64(v), n) for v, n in ((0, "zero"), (1, "one"))]),
             "Loop_0", ins=[i64(3)], stage="run")
    deep = sub("inner", [N("Add", "a q", "a1"), N("Identity", "d", "d1"), N("Identity", "a1", "o")], [vi("j", INT64, []), vi("d", TP.BOOL, []), vi("a", INT64, [])], [vi("d1", TP.BOOL, []), vi("a1", INT64, []), vi("o", INT64, [])])
    wide = sub("outer", [N("Mul", "i i", "q"), N("Loop", "m _ i", "z o", body=deep), N("Identity", "c", "c1")], [vi("i", INT64, []), vi("c", TP.BOOL, [])], [vi("c1", TP.BOOL, []), vi("o", INT64, [None])])
    r.graph("outer_turn_in_inner_body", [N("Loop", "m _", "y", body=wide)], {"m": i64(3)}, {"y": i64([[0, 0, 0], [2, 3, 4], [6, 10, 14]])}, out_dims={"y": [None, None]})
    turns = sub("outer", [N("Loop", "_ c i", "y1 rows", body=while_body()), N("ReduceSum", "rows", "sum", keepdims=0), N("Identity", "c", "c1")], [vi("i", INT64, []), vi("c", TP.BOOL, [])], [vi("c1", TP.BOOL, []), vi("sum", INT64, [])])
    r.graph("rows_inside_a_loop", [N("Loop", "m _", "y", body=turns)], {"m": i64(3)}, {"y": i64([15, 14, 12])}, out_dims={"y": [None]})
    then, els = sub("then", [N("Add", "x x", "t")], [], [vi("t", FLOAT, [2])]), sub("else", [N("Neg", "x", "e")], [], [vi("e", FLOAT, [2])])
    branch = [N("If", "c", "y", then_branch=then, else_branch=els)]
    r.graph("if_both_branches", branch, {"c": bools(True), "x": f32([1, 2])}, {"y": f32([2, 4])}, sets=[({"c": bools(False), "x": f32([1, 2])}, {"y": f32([-1, -2])})])
    r.graph("if_constant_condition", branch, {"x": f32([1, 2])}, {"y": f32([-1, -2])}, {"c": bools(False)})
    els2 = sub("else", [N("Unsqueeze", "x zero", "e")], [], [vi("e", FLOAT, [1, 2])])
    ranks = model([N("If", "c", "y", name="squeeze", then_branch=then, else_branch=els2)], [vi("c", TP.BOOL, []), vi("x", FLOAT, [2])], [vi("y", FLOAT, None)], [numpy_helper.from_array(i64([0]), "zero")])
    r.refuse("if_ranks_differ", ranks, "squeeze", ("crash", "found 0, expected 0"), [bools(False), f32([1, 2])], also_ok=["values"])
    t2, e2 = sub("then", [N("Concat", "x x", "t", axis=0)], [], [vi("t", FLOAT, [4])]), sub("else", [N("Identity", "x", "e")], [], [vi("e", FLOAT, [2])])
    r.graph("if_shapes_differ", [N("If", "c", "y", then_branch=t2, else_branch=e2)], {"c": bools(True), "x": f32([1, 2])}, {"y": f32([1, 2, 1, 2])}, out_dims={"y": [None]}, sets=[({"c": bools(False), "x": f32([1, 2])}, {"y": f32([1, 2])})])
    scan = sub("body", [N("Add", "s x", "s1"), N("Identity", "s1", "o")], [vi("s", FLOAT, [2]), vi("x", FLOAT, [2])], [vi("s1", FLOAT, [2]), vi("o", FLOAT, [2])])
    x = up(6, 3, 2)
    both = sub("body", [N("Add", "s a", "s1"), N("Mul", "s1 b", "o")], [vi(n, FLOAT, [2]) for n in "sab"], [vi("s1", FLOAT, [2]), vi("o", FLOAT, [2])])
    lengths = lambda m, n: model([N("Scan", "s0 x y", "s z", name="walk", body=both, num_scan_inputs=2)], [vi("s0", FLOAT, [2]), vi("x", FLOAT, [m, 2]), vi("y", FLOAT, [n, 2])],
                                 [vi("s", FLOAT, [2]), vi("z", FLOAT, [None, 2])])
    for tag, m, n in (("known", 3, 4), ("first_known", 3, "n"), ("second_known", "m", 4), ("open", "m", "n")):
        r.refuse(f"scan_inputs_differ_in_length_{tag}", lengths(m, n), "walk", ("crash",), () if tag == "known" else [f32([0, 0]), x, up(8, 4, 2)])
    r.refuse("scan_inputs_differ_in_length_second_shorter", lengths("m", "n"), "walk", ("crash",), [f32([0, 0]), x, f32([[1, 2]])], stage="run")
    r.refuse("scan_inputs_differ_in_length_first_empty", lengths("m", "n"), "walk", ("crash",), [f32([0, 0]), x[:0], x], stage="run")
    r.graph("scan_two_inputs", [N("Scan", "s0 x y", "s z", body=both, num_scan_inputs=2)], {"s0": f32([0, 0]), "x": x, "y": x}, {"s": f32([6, 9]), "z": np.cumsum(x, 0) * x},
            dims={"x": ["m", 2], "y": ["n", 2]}, out_dims={"z": [None, 2]}, sets=[({"s0": f32([0, 0]), "x": x[:0], "y": x[:0]}, {"s": f32([0, 0]), "z": x[:0]})])
    r.graph("scan_sum", [N("Scan", "s0 xs", "s ys", body=scan, num_scan_inputs=1)], {"s0": f32([0, 0]), "xs": x}, {"s": f32([6, 9]), "ys": np.cumsum(x, 0)})
    r.graph("scan_reverse", [N("Scan", "s0 xs", "s ys", body=scan, num_scan_inputs=1, scan_input_directions=[1])], {"s0": f32([0, 0]), "xs": x}, {"s": f32([6, 9]), "ys": np.cumsum(x[::-1], 0)})
    r.graph("scan_axis1_output_reversed", [N("Scan", "s0 xs", "s ys", body=scan, num_scan_inputs=1, scan_input_axes=[1], scan_output_axes=[1], scan_output_directions=[1])],
            {"s0": f32([0, 0]), "xs": x.T.copy()}, {"s": f32([6, 9]), "ys": np.cumsum(x, 0)[::-1].T.copy()})


def net(kind, hidden=2, inp=3, dirs=1, bias=True, seed=11):
    g = {"RNN": 1, "GRU": 3, "LSTM": 4}[kind] * hidden
    return rnd(dirs, g, inp, seed=seed) / 2, rnd(dirs, g, hidden, seed=seed + 1) / 2, rnd(dirs, 2 * g, seed=seed + 2) / 2 if bias else None


@row("openvinotoolkit/openvino#37820", "F", "layout=1 is ignored by RNN, LSTM and GRU")
def recurrent_layout(r):
    x = f32([[.5, 1, 1.5], [0, 0, 0]]).reshape(2, 3, 1)
    ok = dict(also_ok=["error"], error_hint="layout", must_not=["crash", "layout ignored"])
    y = np.tanh(x).reshape(2, 3, 1, 1)
    r.op("rnn", "RNN", [x, f32([[[1]]]), f32([[[0]]])], [y, y[:, -1]], opset=14, ir=7, hidden_size=1, layout=1, **ok)
    for kind in ("LSTM", "GRU"):
        W, R, B = net(kind)
        z = rnd(2, 4, 3)
        Y, Yh, Yc = recurrent(kind, z.swapaxes(0, 1), W, R, B)
        out = [a for a in (Y.transpose(2, 0, 1, 3), Yh.swapaxes(0, 1), Yc.swapaxes(0, 1))][:3 if kind == "LSTM" else 2]
        r.op(kind.lower(), kind, [z, K(W), K(R), K(B)], [np.ascontiguousarray(a) for a in out], opset=14, ir=7, hidden_size=2, layout=1, rtol=1e-4, **ok)
    r.own = True
    W, R, B = net("LSTM", dirs=2)
    h0, c0 = rnd(2, 2, 2, seed=21), rnd(2, 2, 2, seed=22)
    Y, Yh, Yc = recurrent("LSTM", z.swapaxes(0, 1), W, R, B, direction="bidirectional", h0=h0.swapaxes(0, 1), c0=c0.swapaxes(0, 1))
    r.op("lstm_bidirectional_initial", "LSTM", [z, K(W), K(R), K(B), None, h0, c0], [np.ascontiguousarray(a) for a in (Y.transpose(2, 0, 1, 3), Yh.swapaxes(0, 1), Yc.swapaxes(0, 1))],
         opset=14, ir=7, hidden_size=2, layout=1, direction="bidirectional", rtol=1e-4, **ok)
    r.op("layout0_for_contrast", "RNN", [x.swapaxes(0, 1).copy(), f32([[[1]]]), f32([[[0]]])], [np.tanh(x).swapaxes(0, 1).reshape(3, 1, 2, 1)], opset=14, ir=7, hidden_size=1)


@row("llvm/torch-mlir#3771", "F", "bidirectional LSTM and omitted outputs are bound wrongly")
def lstm_bidirectional(r):
    x, (W, R, B) = rnd(4, 2, 3), net("LSTM", dirs=2)
    Wt, Rt, Bt = [np.concatenate([a[:1], a[:1]]) for a in (W, R, B)]
    Y, Yh, Yc = recurrent("LSTM", x, Wt, Rt, Bt, direction="bidirectional")
    k = dict(hidden_size=2, direction="bidirectional", opset=14, ir=7, rtol=1e-4)
    r.op("tied_only_y_h", "LSTM", [x, K(Wt), K(Rt), K(Bt)], [None, Yh], **k)
    r.op("tied_all", "LSTM", [x, K(Wt), K(Rt), K(Bt)], [Y, Yh, Yc], **k)
    r.own = True
    Y, Yh, Yc = recurrent("LSTM", x, W, R, B, direction="bidirectional")
    r.op("only_y", "LSTM", [x, K(W), K(R), K(B)], [Y], **k)
    r.op("only_y_c", "LSTM", [x, K(W), K(R), K(B)], [None, None, Yc], **k)
    r.op("runtime_weights", "LSTM", [x, W, R, B], [Y, Yh, Yc], **k)
    r.op("dynamic_seq_and_batch", "LSTM", [x, K(W), K(R), K(B)], [Y, Yh], dims={"X": ["T", "N", 3]},
         sets=[([x[:1, :1]], list(recurrent("LSTM", x[:1, :1], W, R, B, direction="bidirectional")[:2]))], **k)
    Y, Yh, Yc = recurrent("LSTM", x, W[1:], R[1:], None, direction="reverse")
    r.op("reverse_without_bias", "LSTM", [x, K(W[1:]), K(R[1:])], [Y, Yh, Yc], **{**k, "direction": "reverse"})
    for lbr in (0, 1):
        W, R, B = net("GRU", dirs=2)
        Y, Yh, _ = recurrent("GRU", x, W, R, B, direction="bidirectional", lbr=lbr)
        r.op(f"gru_linear_before_reset{lbr}", "GRU", [x, K(W), K(R), K(B)], [Y, Yh], linear_before_reset=lbr, **k)
    one, h0 = rnd(1, 2, 3, seed=5), rnd(2, 2, 2, seed=21)
    for kind in ("LSTM", "GRU", "RNN"):
        for direction, dirs in (("forward", 1), ("reverse", 1), ("bidirectional", 2)):
            W, R, B = net(kind, dirs=dirs)
            outs = lambda x, **kw: list(recurrent(kind, x, W, R, B, direction=direction, **kw))[:3 if kind == "LSTM" else 2]
            kk = dict(k, direction=direction)
            r.op(f"one_step_{kind.lower()}_{direction}", kind, [one, K(W), K(R), K(B), None, h0[:dirs]], outs(one, h0=h0[:dirs]), **kk)
            r.op(f"one_step_{kind.lower()}_{direction}_dynamic_batch", kind, [one, K(W), K(R), K(B)], outs(one), dims={"X": [1, "N", 3]}, sets=[([one[:, :1]], outs(one[:, :1]))], **kk)
            r.op(f"symbolic_input_size_{kind.lower()}_{direction}", kind, [one, K(W), K(R), K(B)], outs(one), dims={"X": ["T", "N", "I"]}, sets=[([x], outs(x))], **kk)
            for tag, s in (("no_step", (0, 2, 3)), ("no_batch", (3, 0, 3)), ("no_batch_symbolic_steps", (3, 0, 3))):
                e = np.zeros(s, np.float32)
                r.op(f"{tag}_{kind.lower()}_{direction}", kind, [e, K(W), K(R), K(B)], outs(e), dims={"X": ["T", 0, 3]} if "symbolic" in tag else None, **kk)
    W, R, B = net("RNN", dirs=2)
    r.op("rnn", "RNN", [x, K(W), K(R), K(B)], [None, recurrent("RNN", x, W, R, B, direction="bidirectional")[1]], **k)


@row("microsoft/onnxruntime#12492", "F", "the final state is wrong with sequence_lens")
def recurrent_sequence_lens(r):
    x, lens = rnd(4, 2, 3), i32([4, 2])
    for kind in ("LSTM", "GRU", "RNN"):
        for direction in ("forward", "reverse"):
            W, R, B = net(kind)
            _, Yh, Yc = recurrent(kind, x, W, R, B, lens, direction)
            r.op(f"{kind.lower()}_{direction}", kind, [x, K(W), K(R), K(B), lens], [None, Yh] + [Yc] * (kind == "LSTM"), opset=14, ir=7, hidden_size=2, direction=direction, rtol=1e-4)
    r.own = True
    W, R, B = net("LSTM", dirs=2)
    for tag, ln in (("const_lens", K(i32([1, 3]))), ("full_lens", i32([4, 4]))):
        a = ln.a if isinstance(ln, K) else ln
        _, Yh, Yc = recurrent("LSTM", x, W, R, B, a, "bidirectional")
        r.op("bidirectional_" + tag, "LSTM", [x, K(W), K(R), K(B), ln], [None, Yh, Yc], opset=14, ir=7, hidden_size=2, direction="bidirectional", rtol=1e-4)
