"""A. Indexing, slicing, gather and scatter, shapes."""
import numpy as np
import ml_dtypes
import onnx
from onnx import TensorProto as TP, helper, numpy_helper

from core import *
from formulas import *


@row("apache/tvm#19436", "A", "negative Gather indices are used as they are, so memory before the tensor is read")
def gather_negative_indices(r):
    x, idx, want = up(12, 3, 4) + 1, i64([0, -1]), f32([[1, 2, 3, 4], [9, 10, 11, 12]])
    r.op("runtime", "Gather", [x, idx], [want], axis=0)
    r.op("const", "Gather", [x, K(idx)], [want], axis=0)
    r.own = True
    r.op("folded", "Gather", [C(x), C(idx)], [want], axis=0)
    r.op("i32_last_axis", "Gather", [x, i32([[-4, -1], [1, -2]])], [x[:, [[0, 3], [1, 2]]]], axis=-1)
    r.op("scalar_index", "Gather", [x, i64(-1)], [x[2]], axis=0)
    r.op("scalar_index_const_1d", "Gather", [i64([7, 8, 9]), K(i64(-2))], [i64(8)])
    r.op("no_index", "Gather", [x, i64([]).reshape(0)], [np.zeros((0, 4), np.float32)], axis=0)
    for n, t in (("u8", np.uint8), ("bool", np.bool_), ("f64", np.float64), ("f16", np.float16)):
        y = (up(12, 3, 4) % 5).astype(t)
        r.op(n, "Gather", [y, idx], [y[[0, 2]]], axis=0)
    r.op("dynamic", "Gather", [x, idx], [want], axis=0, dims={"data": ["N", 4], "indices": ["M"]},
         sets=[([up(20, 5, 4), i64([-5, -1, 2])], [up(20, 5, 4)[[0, 4, 2]]])])
    bad = model([N("Gather", "x i", "y", axis=0)], [vi("x", FLOAT, [3, 4])], [vi("y", FLOAT, [1, 4])], [numpy_helper.from_array(i64([-4]), "i")])
    r.refuse("const_out_of_range", bad, "Gather", ("crash", "read outside the tensor"), [x],
             note="the operator calls an index outside [-s, s-1] an error; the compiler can see this one")
    bad = model([N("Gather", "x i", "y", axis=0)], [vi("x", FLOAT, [3, 4]), vi("i", INT64, [1])], [vi("y", FLOAT, [1, 4])])
    r.refuse("runtime_out_of_range", bad, "Gather", ("crash", "read outside the tensor"), [x, i64([1 << 40])], stage="run")


@row("apache/tvm#20217", "A", "the siblings of Gather do not normalise negative indices")
def negative_index_siblings(r):
    d = up(12, 3, 4)
    m1, nd, sc, upd = i64(-np.ones((3, 4))), i64([[-1, -1], [0, -2]]), i64([[-1], [0]]), f32([[1, 2, 3, 4], [5, 6, 7, 8]])
    swant, oh = f32([[5, 6, 7, 8], [0, 0, 0, 0], [1, 2, 3, 4]]), f32([[1, 0, 0, 0, 0], [0, 0, 0, 0, 1]])
    for tag, k in (("runtime", lambda a: a), ("const", K)):
        r.op("gather_elements_" + tag, "GatherElements", [d, k(m1)], [f32([[3] * 4, [7] * 4, [11] * 4])], axis=1)
        r.op("gather_nd_" + tag, "GatherND", [d, k(nd)], [f32([11, 2])])
        r.op("scatter_nd_" + tag, "ScatterND", [np.zeros((3, 4), np.float32), k(sc), upd], [swant])
        r.op("one_hot_" + tag, "OneHot", [i64([0, -1]), K(i64(5)), k(f32([0, 1]))], [oh])
    r.own = True
    r.op("gather_nd_batch_dims", "GatherND", [up(8, 2, 2, 2), i64([[-1], [0]])], [f32([[2, 3], [4, 5]])], batch_dims=1)
    r.op("gather_nd_slices", "GatherND", [d, i64([[-1], [-3]])], [d[[2, 0]]])
    r.op("gather_nd_dynamic", "GatherND", [d, nd], [f32([11, 2])], dyn=True)
    r.op("one_hot_axis0", "OneHot", [i64([0, -1, 2]), K(i64(3)), f32([2, 7])], [f32([[7, 2, 2], [2, 2, 2], [2, 7, 7]])], axis=0)
    r.op("one_hot_negative_axis", "OneHot", [i64([[-2, 0]]), K(i64(2)), f32([0, 1])], [f32([[[1, 1], [0, 0]]])], axis=-2)
    r.op("one_hot_i32_depth_rank1", "OneHot", [i32([-2, 0]), K(i32([2])), i32([0, 1])], [i32([[1, 0], [1, 0]])])
    r.op("one_hot_out_of_range_is_all_off", "OneHot", [i64([3, -4, 1]), K(i64(3)), f32([0, 1])], [f32([[0, 0, 0], [0, 0, 0], [0, 1, 0]])])
    r.op("one_hot_runtime_depth", "OneHot", [i64([0, -1]), i64(5), f32([0, 1])], [oh])
    r.op("one_hot_float_index", "OneHot", [f32([1, -1]), K(f32(3)), i64([0, 4])], [i64([[0, 4, 0], [0, 0, 4]])])
    r.op("scatter_elements", "ScatterElements", [np.zeros((3, 3), np.float32), i64([[-1, 0, -3], [1, -2, 2]]), f32([[1, 2, 3], [4, 5, 6]])],
         [f32([[0, 2, 3], [4, 5, 0], [1, 0, 6]])], axis=0)
    r.op("scatter_elements_last_axis_u8", "ScatterElements", [u8([[1, 2, 3, 4, 5]]), i64([[1, -2]]), u8([[11, 21]])], [u8([[1, 11, 3, 21, 5]])], axis=-1)


@row("onnx/onnx-mlir#1543", "A", "a shape check indexes the dims with axis=-1 and the compiler crashes")
def gather_elements_negative_axis(r):
    want = f32([[1, 1], [4, 3]])
    r.op("", "GatherElements", [f32([[1, 2], [3, 4]]), i64([[0, 0], [1, 0]])], [want], axis=-1)
    r.own = True
    r.op("const_i32", "GatherElements", [f32([[1, 2], [3, 4]]), K(i32([[0, 0], [1, 0]]))], [want], axis=-1)
    x, idx = up(24, 2, 3, 4), i64([2, 0, 1, 1] * 2).reshape(2, 1, 4)
    r.op("rank3_axis_m2_short", "GatherElements", [x, idx], [np.take_along_axis(x, idx, 1)], axis=-2)
    r.op("index_smaller_than_data", "GatherElements", [up(9, 3, 3), i64([[2, 1]])], [f32([[6, 4]])], axis=0)
    r.op("dynamic_bool", "GatherElements", [bools([[1, 0], [0, 1]]), i64([[0, 0], [1, 0]])], [bools([[1, 1], [1, 0]])], axis=-1, dyn=True)
    for op, extra in (("Softmax", {}), ("Concat", {}), ("Flatten", {}), ("Split", {"num_outputs": 2})):
        x = up(12, 2, 6)
        want = {"Softmax": [softmax(x, 1)], "Concat": [x], "Flatten": [x], "Split": [x[:, :3], x[:, 3:]]}[op]
        r.op("same_with_" + op.lower(), op, [x], want, axis=-1, **extra)
    bad = model([N("GatherElements", "x i", "y", name="pick", axis=2)], [vi("x", FLOAT, [2, 2]), vi("i", INT64, [2, 2])], [vi("y", FLOAT, [2, 2])])
    r.refuse("axis_out_of_range", bad, "pick", ("crash", "wrong code"))


@row("onnx/onnx-mlir#3611", "A", "ScatterND takes the index depth from the rank of indices and not from its last dim")
def scatter_nd_depth(r):
    z, idx, u = np.zeros((3, 3), np.float32), i64([[0, 1], [2, -1]]), f32([5, 7])
    want = f32([[0, 5, 0], [0, 0, 0], [0, 0, 7]])
    r.op("runtime", "ScatterND", [z, idx, u], [want])
    r.op("const", "ScatterND", [z, K(idx), u], [want])
    r.own = True
    z3 = np.zeros((2, 2, 2), np.int64)
    r.op("full_depth_rank3", "ScatterND", [z3, i64([[0, 1, 1], [-1, 0, 0]]), i64([8, 9])], [i64([0, 0, 0, 8, 9, 0, 0, 0], 2, 2, 2)])
    r.op("depth2_rank3", "ScatterND", [z3, i64([[1, 0], [0, -1]]), i64([[1, 2], [3, 4]])], [i64([0, 0, 3, 4, 1, 2, 0, 0], 2, 2, 2)])
    r.op("rank3_indices", "ScatterND", [z, i64([0, 0, 0, 2, 2, 0, 2, 2], 2, 2, 2), f32([[1, 2], [3, 4]])], [f32([[1, 0, 2], [0, 0, 0], [3, 0, 4]])])
    r.op("no_updates", "ScatterND", [f32([1, 2, 3]), np.zeros((0, 1), np.int64), np.zeros(0, np.float32)], [f32([1, 2, 3])])
    r.op("dynamic", "ScatterND", [z, idx, u], [want], dyn=True)
    r.op("folded", "ScatterND", [C(z), C(idx), C(u)], [want])


@row("iree-org/iree#24584", "A", "slices with a negative step come out shifted by one")
def slice_reverse(r):
    x, f = up(10, t=np.int64), up(12, 3, 4)
    for tag, k in (("runtime", lambda a: a), ("const", K)):
        r.op(f"all_but_first_{tag}", "Slice", [x, k(i64([9])), k(i64([0])), k(i64([0])), k(i64([-1]))], [x[9:0:-1]])
        r.op(f"to_two_{tag}", "Slice", [x, k(i64([9])), k(i64([2])), k(i64([0])), k(i64([-1]))], [i64([9, 8, 7, 6, 5, 4, 3])])
        r.op(f"by_three_{tag}", "Slice", [x, k(i64([9])), k(i64([0])), k(i64([0])), k(i64([-3]))], [i64([9, 6, 3])])
        r.op(f"inner_axis_{tag}", "Slice", [f, k(i64([3])), k(i64([0])), k(i64([1])), k(i64([-1]))], [f[:, 3:0:-1]])
    r.own = True
    r.op("start_past_end", "Slice", [x, K(i64([100])), K(i64([6])), K(i64([0])), K(i64([-1]))], [i64([9, 8, 7])])
    r.op("two_axes_negative", "Slice", [f, K(i64([-1, -1])), K(i64([-3, -9])), K(i64([-2, -1])), K(i64([-1, -2]))], [f[-1:-3:-1, [3, 1]]])
    r.op("i32_params", "Slice", [f, i32([2]), i32([0]), i32([0]), i32([-1])], [f[2:0:-1]])
    r.op("axes_left_out", "Slice", [f, K(i64([2, 3])), K(i64([0, 1])), None, K(i64([-1, -1]))], [f[2:0:-1, 3:1:-1]])
    r.op("u8_rank4", "Slice", [up(24, 1, 2, 3, 4, t=np.uint8), K(i64([2, -1])), K(i64([-4, 0])), K(i64([2, 3])), K(i64([-2, -2]))],
         [up(24, 1, 2, 3, 4, t=np.uint8)[:, :, ::-2, 3:0:-2]])
    r.op("dynamic", "Slice", [x, K(i64([-1])), K(i64([-5])), K(i64([0])), K(i64([-1]))], [i64([9, 8, 7, 6])], dims={"data": ["N"]},
         sets=[([x[:6]], [i64([5, 4, 3, 2])]), ([x[:3]], [i64([2, 1, 0])])])
    r.op("opset1_attributes", "Slice", [f], [f[1:3, 1:-1]], opset=9, axes=[0, 1], starts=[1, 1], ends=[1000, -1])
    bad = model([N("Slice", "x s e a t", "y", name="cut")], [vi("x", FLOAT, [4])], [vi("y", FLOAT, [None])],
                [numpy_helper.from_array(i64([v]), n) for n, v in zip("seat", (0, 4, 0, 0))])
    r.refuse("step_zero", bad, "cut", ("crash", "hang", "division by zero"))


@row("microsoft/onnxruntime#11107", "A", "with a negative step, a huge end is taken as 'down to the start'")
def slice_clamp(r):
    x, none = f32([0, 1, 2, 3]), np.zeros(0, np.float32)
    for tag, k in (("runtime", lambda a: a), ("const", K)):
        p = lambda end, step=-1, start=-1: [x, k(i64([start])), k(i64([end])), k(i64([0])), k(i64([step]))]
        r.op(f"max_end_{tag}", "Slice", p(I64MAX), [none])
        r.op(f"min_end_{tag}", "Slice", p(I64MIN), [x[::-1]])
        r.own = True
        r.op(f"forward_all_{tag}", "Slice", p(I64MAX, 1, I64MIN), [x])
        for t, start in (("just", -5), ("far", -99), ("min", I64MIN)):
            r.op(f"start_before_begin_{t}_{tag}", "Slice", p(I64MIN, -2, start), [x[:1]])
        r.op(f"start_before_begin_to_first_{tag}", "Slice", p(0, -1, -99), [none])
        r.op(f"start_before_begin_dynamic_{tag}", "Slice", p(I64MIN, -2, -3), [f32([1])], dims={"data": ["n"]},
             sets=[([x[:n], *(i64([v]) for v in (-3, I64MIN, 0, -2))][:5 if tag == "runtime" else 1], [x[:min(n, 1)]]) for n in (3, 2, 1, 0)])
        r.op(f"min_step_{tag}", "Slice", p(I64MIN, -I64MAX, I64MAX), [f32([3])])
        r.own = False
    r.own = True
    r.op("i32_max_end", "Slice", [x, i32([-1]), i32([I32MAX]), i32([0]), i32([-1])], [none])
    r.op("i32_min_end", "Slice", [x, i32([-1]), i32([I32MIN]), i32([0]), i32([-1])], [x[::-1]])
    r.op("start_past_end_forward", "Slice", [x, K(i64([4])), K(i64([I64MAX])), K(i64([0])), K(i64([1]))], [none])
    y = up(12, 3, 4)
    dims = {n: [f"{n}_0"] for n in ("starts", "ends", "axes", "steps")}
    r.op("number_of_axes_at_run_time", "Slice", [y, i64([-1]), i64([I64MAX]), i64([1]), i64([1])], [y[:, 3:]], dims=dims,
         sets=[([y, i64([2, 1]), i64([I64MIN, 3]), i64([0, 1]), i64([-1, 1])], [y[::-1, 1:3]]), ([y] + [i64([])] * 4, [y])])
    r.op("number_of_starts_at_run_time", "Slice", [y, i64([1]), i64([3])], [y[1:3]], dims=dims, sets=[([y, i64([1, 2]), i64([2, 4])], [y[1:2, 2:4]])])
    bad = model([N("Slice", "x s e", "y", name="cut")], [vi("x", FLOAT, [3, 4]), vi("s", INT64, ["s"]), vi("e", INT64, ["e"])], [vi("y", FLOAT, [None, None])])
    r.refuse("more_slices_than_axes", bad, "cut", ("crash",), [y, i64([0, 0, 0]), i64([1, 1, 1])], stage="run")
    r.refuse("lists_differ_in_length", bad, "cut", ("crash",), [y, i64([0, 0]), i64([1])], stage="run")
    r.op("empty_input", "Slice", [none, i64([0]), i64([I64MAX]), i64([0]), i64([1])], [none], dyn=True)


@row("iree-org/iree#18273", "A", "i64 is narrowed to i32 somewhere in the compiler")
def i64_not_narrowed(r):
    t, idx = rnd(10, 200), i64(np.arange(35).reshape(35, 1) * 7 % 10)
    r.op("gather_rows", "Gather", [t, idx], [t[idx]])
    r.op("mul", "Mul", [i64([3_000_000_000]), i64([3])], [i64([9_000_000_000])])
    r.own = True
    a, b = i64([3_000_000_000, -5_000_000_000, 1 << 62]), i64([7, 4_000_000_000, 3])
    for op, want in (("Add", a + b), ("Sub", a - b), ("Div", i64([428571428, -1, 1537228672809129301])), ("Max", np.maximum(a, b)), ("Min", np.minimum(a, b))):
        r.op(op.lower(), op, [a, b], [want])
        r.op(op.lower() + "_const", op, [a, K(b)], [want])
    r.op("greater", "Greater", [i64([1 << 32, -(1 << 33)]), i64([1, 1])], [bools([1, 0])])
    r.op("equal", "Equal", [i64([1 << 32, 5]), i64([0, 5])], [bools([0, 1])])
    r.op("reduce_sum", "ReduceSum", [i64([[1 << 33, 1 << 33, 1]]), K(i64([1]))], [i64([(1 << 34) + 1])], keepdims=0)
    r.op("mat_mul", "MatMul", [i64([[1 << 33, 2]]), i64([[3], [1 << 35]])], [i64([[3 * (1 << 33) + (1 << 36)]])])
    r.op("range", "Range", [i64(1 << 40), i64((1 << 40) + 6), i64(2)], [i64([0, 2, 4]) + (1 << 40)], rtol=0)
    r.op("u64_div", "Div", [u64([2**64 - 1, 2**63]), u64([3, 2**63])], [u64([6148914691236517205, 1])])
    r.op("u64_max", "Max", [u64([2**64 - 1, 1]), u64([2**63, 2])], [u64([2**64 - 1, 2])])
    r.op("u32_div", "Div", [u32([2**32 - 1, 2**31]), u32([2, 2**31])], [u32([2**31 - 1, 1])])
    r.op("cast_to_i32_keeps_low_bits", "Cast", [i64([(1 << 32) + 5, -1, (1 << 31)])], [i32([5, -1, I32MIN])], to=TP.INT32,
         why="Cast: integer out of range discards the higher bits")
    r.op("where", "Where", [bools([1, 0]), i64([1 << 40, 0]), i64([0, -(1 << 41)])], [i64([1 << 40, -(1 << 41)])])
    r.op("cumulative_index_chain", "Abs", [i64([-(1 << 45), 3])], [i64([1 << 45, 3])])


@row("microsoft/onnxruntime#28449", "A", "allowzero=1 is lost on a tensor with no elements")
def reshape_allowzero(r):
    for tag, dims in (("static", None), ("dynamic", {"x": ["A", "B", "C"]})):
        r.graph(tag, [N("Reshape", "x s1", "t"), N("Reshape", "t s2", "y", allowzero=1)], {"x": np.zeros((0, 8, 2), np.float32)},
                {"y": np.zeros((0, 0, 4), np.float32)}, {"s1": i64([4, 2, -1]), "s2": i64([0, 0, 4])}, opset=18, dims=dims,
                out_dims={"y": [None] * 3} if dims else None)
    r.own = True
    x = up(12, 2, 6)
    r.op("zero_copies_dim", "Reshape", [x, K(i64([0, 3, 2]))], [x.reshape(2, 3, 2)])
    r.op("zero_and_infer", "Reshape", [x, i64([0, -1, 3])], [x.reshape(2, 2, 3)])
    r.op("empty_to_empty", "Reshape", [np.zeros((2, 0), np.int64), i64([5, 0])], [np.zeros((5, 0), np.int64)], allowzero=1)
    r.op("empty_zero_copies", "Reshape", [np.zeros((0, 3), np.float32), K(i64([3, 0]))], [np.zeros((3, 0), np.float32)], allowzero=1)
    r.op("to_scalar", "Reshape", [f32([[7]]), K(i64([]).reshape(0))], [f32(7)])
    r.op("opset5", "Reshape", [x, K(i64([3, -1]))], [x.reshape(3, 4)], opset=5, ir=3)
    bad = model([N("Reshape", "x s", "y", name="fold", allowzero=1)], [vi("x", FLOAT, [0, 4])], [vi("y", FLOAT, [None, None])], [numpy_helper.from_array(i64([0, -1]), "s")])
    r.refuse("allowzero_with_minus_one", bad, "fold", ("crash", "division by zero"))
    bad = model([N("Reshape", "x s", "y", name="fold")], [vi("x", FLOAT, [2, 3])], [vi("y", FLOAT, [None, None])], [numpy_helper.from_array(i64([4, -1]), "s")])
    r.refuse("does_not_divide", bad, "fold", ("crash", "wrong code"))
    bad = model([N("Reshape", "x s", "y", name="fold")], [vi("x", FLOAT, [2, 3])], [vi("y", FLOAT, [None, None])], [numpy_helper.from_array(i64([-1, -1]), "s")])
    r.refuse("two_minus_ones", bad, "fold", ("crash", "wrong code"))


@row("openvinotoolkit/openvino#37965", "A", "a graph with a zero-length dim does not compile")
def zero_length_dims(r):
    e = lambda *s, t=np.float32: np.zeros(s, t)
    r.graph("concat_cast", [N("Concat", "a b", "t", axis=0), N("Cast", "t", "y", to=TP.FLOAT16)], {"a": e(4, 0), "b": e(3, 0)}, {"y": e(7, 0, t=np.float16)})
    r.op("where", "Where", [bools(np.ones((1, 0))), e(3, 1), e(1, 0)], [e(3, 0)])
    r.own = True
    r.op("mat_mul_k0", "MatMul", [e(3, 0), e(0, 4)], [e(3, 4)])
    r.op("mat_mul_m0", "MatMul", [e(0, 3), e(3, 4)], [e(0, 4)])
    r.op("gemm_k0_bias", "Gemm", [e(2, 0), e(0, 3), f32([[1, 2, 3]] * 2)], [f32([[1, 2, 3]] * 2)])
    r.op("add_broadcast", "Add", [e(0), f32([1])], [e(0)])
    d = dict(dyn=True)
    for op in ("Add", "Max"):
        r.op(f"{op.lower()}_of_1_and_0", op, [f32([1]), e(0)], [e(0)], sets=[([e(0), f32([1])], [e(0)]), ([e(0), e(0)], [e(0)]), ([f32([1]), f32([2, 3])], [f32([2, 3]) + (op == "Add")])], **d)
    r.op("where_of_1_and_0", "Where", [bools([1]), e(0), f32([1])], [e(0)], sets=[([bools(np.ones(0)), f32([1]), f32([1])], [e(0)])], **d)
    r.op("expand_of_1_and_0", "Expand", [e(2, 1), i64([1, 0])], [e(2, 0)], dims={"input": ["a", "b"]})
    r.op("mat_mul_of_1_and_0", "MatMul", [e(1, 2, 3), e(0, 3, 4)], [e(0, 2, 4)], sets=[([e(0, 2, 3), e(1, 3, 4)], [e(0, 2, 4)])], **d)
    for k, (a, b) in enumerate(((2, 0), (0, 2), (3, 2))):
        bad = model([N("Add", "a b", "y", name="sum")], [vi("a", FLOAT, ["m"]), vi("b", FLOAT, ["n"])], [vi("y", FLOAT, [None])])
        r.refuse(f"add_of_{a}_and_{b}", bad, "sum", ("crash",), [np.ones(a, np.float32), np.ones(b, np.float32)], stage="run")
    r.op("pad_constant", "Pad", [e(0, 300), K(i64([1, 2, 0, 1]))], [e(1, 303)])
    r.op("pad_constant_dynamic", "Pad", [e(0, 300), K(i64([1, 2, 0, 1])), K(f32(7))], [np.full((1, 303), 7, np.float32)], dims={"data": ["n", 300]}, sets=[([f32([[1] * 300])], [np.pad(np.ones((1, 300), np.float32), [(1, 0), (2, 1)], constant_values=7)])])
    r.op("transpose", "Transpose", [e(0, 3, 2)], [e(2, 3, 0)], perm=[2, 1, 0])
    r.op("softmax", "Softmax", [e(0, 4)], [e(0, 4)], axis=1)
    r.op("conv_batch0", "Conv", [e(0, 1, 4), f32([1, 1, 1], 1, 1, 3)], [e(0, 1, 2)])
    r.op("concat_mixed", "Concat", [e(2, 0), f32([[1, 2, 3], [4, 5, 6]])], [f32([[1, 2, 3], [4, 5, 6]])], axis=1)
    r.op("expand", "Expand", [f32([[1], [2]]), K(i64([2, 0]))], [e(2, 0)])
    r.op("tile_zero", "Tile", [f32([[1, 2]]), K(i64([0, 2]))], [e(0, 4)])
    r.op("non_zero", "NonZero", [e(0, 3)], [e(2, 0, t=np.int64)], out_dims={"y": [2, None]})
    r.op("non_zero_finds_none", "NonZero", [f32([0, 0])], [e(1, 0, t=np.int64)], out_dims={"y": [1, None]})
    r.op("range_empty", "Range", [i64(5), i64(5), i64(1)], [e(0, t=np.int64)])
    r.graph("constant_of_shape", [N("ConstantOfShape", "s", "y", value=numpy_helper.from_array(f32([3])))], {"s": i64([2, 0])}, {"y": e(2, 0)}, out_dims={"y": [None, None]})
    r.graph("shape_and_size", [N("Shape", "x", "s"), N("Size", "x", "n")], {"x": e(3, 0, 2)}, {"s": i64([3, 0, 2]), "n": i64(0)})
    r.op("relu_dynamic_batch", "Relu", [e(0, 4)], [e(0, 4)], dims={"X": ["N", 4]}, out_dims={"y": ["N", 4]}, sets=[([f32([[-1, 2, -3, 4]])], [f32([[0, 2, 0, 4]])])])
    w = rnd(7, 2)
    r.graph("mat_mul_then_tanh", [N("MatMul", "x w", "a"), N("Tanh", "a", "t"), N("Abs", "a", "u")], {"x": e(0, 3, 7), "w": w}, {"t": e(0, 3, 2), "u": e(0, 3, 2)})
    r.graph("gemm_log_softmax", [N("Gemm", "a b c", "p", transA=1), N("LogSoftmax", "p", "q", axis=1)], {"a": e(0, 5), "b": e(0, 1)},
            {"q": e(5, 1)}, {"c": f32([[2]])})
    r.op("sum_of_nothing", "ReduceSum", [e(0, 3, 2), K(i64([0]))], [e(3, 2)], keepdims=0)
    r.op("l1_of_nothing", "ReduceL1", [e(0, 0, 2, 7), K(i64([1, 2]))], [e(0, 1, 1, 7)])
    r.op("max_of_nothing", "ReduceMax", [e(3, 0), K(i64([1]))], [np.full(3, -inf, np.float32)], keepdims=0)
    r.op("max_of_nothing_in_u8", "ReduceMax", [e(5, 0, 2, t=np.uint8), K(i64([1]))], [e(5, 2, t=np.uint8)], keepdims=0)
    x = rnd(5, 17, 16, t=np.uint8)
    r.graph("max_of_a_constant", [N("Sub", "x x", "d"), N("ReduceMax", "d a", "p", keepdims=0), N("ReduceMax", "d b", "q", keepdims=0), N("Tile", "d t", "v")], {"x": x},
            {"p": e(5, 16, t=np.uint8), "q": e(17, 16, t=np.uint8), "v": e(5, 17, 32, t=np.uint8)}, {"a": i64([1]), "b": i64([0]), "t": i64([1, 1, 2])})
    r.op("cum_sum", "CumSum", [e(3, 0), K(i64(1))], [e(3, 0)])
    r.op("conv_channels0", "Conv", [e(1, 0, 4, 4), e(2, 0, 3, 3), f32([1, 2])], [np.ones((1, 2, 2, 2), np.float32) * f32([1, 2]).reshape(1, 2, 1, 1)])
    r.op("gather", "Gather", [e(0, 4), K(i64([]))], [e(0, 4)], axis=0)
    r.op("layer_norm_batch0", "LayerNormalization", [e(0, 4), f32([1] * 4)], [e(0, 4)])


@row("ROCm/hip-ep#811", "A", "Expand's target 1 is taken as a literal size on a dynamic dim")
def expand_is_a_broadcast(r):
    x, one = up(12, 3, 4), up(4, 1, 4)
    for tag, k in (("const", K), ("runtime", lambda a: a)):
        s = [k(i64([1, 4]))]
        r.op(f"dim_one_{tag}", "Expand", [x] + s, [x], dims={"input": ["N", 4], "shape": [2]},
             sets=[([one] + [i64([1, 4])][:tag == "runtime"], [one])])
    r.op("reshape_zero_minus_one", "Reshape", [up(12, 3, 2, 2), K(i64([0, -1]))], [up(12, 3, 4)], dims={"data": ["N", 2, 2]},
         sets=[([up(4, 1, 2, 2)], [up(4, 1, 4)])])
    r.own = True
    r.op("grows_from_one", "Expand", [one, i64([3, 1])], [np.tile(one, (3, 1))], dims={"input": ["N", 4], "shape": [2]})
    r.op("more_dims", "Expand", [x, K(i64([2, 1, 1]))], [np.stack([x, x])], dims={"input": ["N", 4]})
    r.op("fewer_target_dims", "Expand", [x, K(i64([4]))], [x], dims={"input": ["N", 4]})
    r.op("scalar", "Expand", [f32(7), i64([2, 2])], [f32([[7, 7], [7, 7]])])
    r.op("bool_i8", "Expand", [i8([[1], [-2]]), K(i64([2, 3]))], [i8([[1, 1, 1], [-2, -2, -2]])])
    r.op("add_dynamic_both_ways", "Add", [up(3, 3, 1), up(4, 1, 4)], [up(3, 3, 1) + up(4, 1, 4)], dims={"A": ["N", "M"], "B": ["P", "Q"]},
         sets=[([up(4, 1, 4), up(3, 3, 1)], [up(4, 1, 4) + up(3, 3, 1)]), ([up(6, 2, 3), up(6, 2, 3)], [2 * up(6, 2, 3)])])


@row("microsoft/onnxruntime#28490", "A", "a sequence of length 0 zeroes its whole column")
def reverse_sequence_length_zero(r):
    x = f32(np.stack([np.arange(10, 15), np.arange(20, 25), np.arange(30, 35)], 1))
    want = f32(np.stack([[13, 12, 11, 10, 14], [20, 21, 22, 23, 24], [31, 30, 32, 33, 34]], 1))
    for tag, k in (("runtime", lambda a: a), ("const", K)):
        r.op(tag, "ReverseSequence", [x, k(i64([4, 0, 2]))], [want], time_axis=0, batch_axis=1)
    r.own = True
    r.op("batch_first", "ReverseSequence", [x.T.copy(), i64([4, 0, 2])], [want.T.copy()], time_axis=1, batch_axis=0)
    y = up(24, 3, 2, 4, t=np.int64)
    r.op("inner_dims_i64", "ReverseSequence", [y, i64([3, 1])], [np.stack([y[::-1, 0], y[:, 1]], 1)], time_axis=0, batch_axis=1)
    r.op("dynamic", "ReverseSequence", [x, i64([4, 0, 2])], [want], time_axis=0, batch_axis=1, dyn=True)
