"""D. Softmax, reductions, versions."""
import numpy as np
import ml_dtypes
import onnx
from onnx import TensorProto as TP, helper, numpy_helper

from core import *
from formulas import *


@row("onnx/onnx-mlir#832", "D", "Softmax-11 without an axis is read as Softmax-13")
def softmax_default_axis(r):
    x = np.zeros((2, 3, 4), np.float32)
    hard11, hard13 = x.copy(), x.copy()
    hard11[:, 0, 0] = 1; hard13[:, :, 0] = 1
    for op, a, b in (("Softmax", x + 1 / 12, x + 1 / 4), ("LogSoftmax", x - np.log(12), x - np.log(4)), ("Hardmax", hard11, hard13)):
        r.op(op.lower() + "_opset11", op, [x], [f32(a)], opset=11)
        r.op(op.lower() + "_opset13", op, [x], [f32(b)], opset=13)
    r.own = True
    z = rnd(2, 3, 4)
    for axis in (0, 2, -1):
        r.op(f"opset11_axis_{str(axis).replace('-', 'm')}", "Softmax", [z], [flat_softmax(z, axis % 3)], opset=11, axis=axis)
    r.op("opset1", "Softmax", [z], [flat_softmax(z, 1)], opset=9, ir=4)
    r.op("opset11_dynamic", "Softmax", [z], [flat_softmax(z, 1)], opset=11, dyn=True)
    r.op("opset13_dynamic", "Softmax", [z], [softmax(z, 2)], opset=13, dyn=True)
    r.op("opset11_rank2", "Softmax", [z[0]], [softmax(z[0], 1)], opset=11)
    r.op("opset13_f16", "Softmax", [z.astype(np.float16)], [softmax(z, -1).astype(np.float16)], opset=13)
    r.op("opset13_rank1", "Softmax", [z[0, 0]], [softmax(z[0, 0], 0)], opset=13)
    r.op("opset12_hardmax_axis2", "Hardmax", [f32([[[0, 5, 5], [9, 1, 0]]])], [f32([[[0, 1, 0], [1, 0, 0]]])], opset=12, axis=2)
    r.op("flatten_default", "Flatten", [z], [z.reshape(2, 12)], opset=13)


@row("openvinotoolkit/openvino#37823", "D", "a middle axis of Softmax-11 is not flattened")
def softmax_middle_axis(r):
    x = f32([[[0, 0], [0, np.log(3)]]])
    r.op("opset12", "Softmax", [x], [f32([[[1 / 6, 1 / 6], [1 / 6, 1 / 2]]])], opset=12, axis=1)
    r.op("opset13", "Softmax", [x], [f32([[[.5, .25], [.5, .75]]])], opset=13, axis=1)
    r.own = True
    z = rnd(2, 3, 2, 4)
    for op, f in (("Softmax", lambda s: s), ("LogSoftmax", lambda s: np.log(s.astype(np.float64)))):
        for axis in (1, 2, -2):
            t = str(axis).replace("-", "m")
            r.op(f"{op.lower()}12_axis_{t}", op, [z], [f32(f(flat_softmax(z, axis % 4)))], opset=12, axis=axis)
            r.op(f"{op.lower()}13_axis_{t}", op, [z], [f32(f(softmax(z, axis)))], opset=13, axis=axis)


REDUCE = {"ReduceL1": lambda x, **k: np.abs(x).sum(**k), "ReduceL2": lambda x, **k: np.sqrt((x.astype(np.float64)**2).sum(**k)), "ReduceSum": lambda x, **k: x.sum(**k),
          "ReduceMean": lambda x, **k: x.mean(**k), "ReduceMax": lambda x, **k: x.max(**k), "ReduceMin": lambda x, **k: x.min(**k), "ReduceProd": lambda x, **k: x.prod(**k),
          "ReduceSumSquare": lambda x, **k: (x * x).sum(**k), "ReduceLogSum": lambda x, **k: np.log(x.sum(**k)), "ReduceLogSumExp": lambda x, **k: np.log(np.exp(x.astype(np.float64)).sum(**k))}


@row("openvinotoolkit/openvino#38238", "D", "the axes attribute of opsets 13-17 is dropped, so everything is reduced")
def reduce_axes_by_version(r):
    x, z = up(24, 2, 3, 4), up(24, 2, 3, 4) / 8 + 0.25
    def one(tag, op, opset, axes, keep, x=x, const=True, **kw):
        want = f32(REDUCE[op](x, axis=tuple(axes), keepdims=bool(keep)))
        attr = opset < (13 if op == "ReduceSum" else 18)
        if attr: r.op(tag, op, [x], [want], opset=opset, axes=list(axes), keepdims=keep, rtol=2e-5, **kw)
        else: r.op(tag, op, [x, (K if const else (lambda a: a))(i64(axes))], [want], opset=opset, keepdims=keep, rtol=2e-5, **kw)
    for op in ("ReduceL1", "ReduceLogSum", "ReduceLogSumExp", "ReduceMean"): one(op.lower() + "_13", op, 13, [1], 1)
    r.own = True
    for op in REDUCE:
        one(op.lower() + "_11_last", op, 11, [-1], 0, z)
        one(op.lower() + "_18_two_axes", op, 18, [0, 2], 1, z)
        one(op.lower() + "_18_runtime_axes", op, 18, [-2], 0, z, const=False)
        if op not in ("ReduceL1", "ReduceLogSum", "ReduceLogSumExp", "ReduceMean"): one(op.lower() + "_13", op, 13, [1], 1, z)
        r.op(op.lower() + "_all_by_default", op, [z], [f32(REDUCE[op](z, axis=None, keepdims=True))], opset=18, rtol=2e-5)
    one("dynamic", "ReduceMean", 13, [1], 0, dyn=True)
    r.op("i64_sum", "ReduceSum", [up(6, 2, 3, t=np.int64), K(i64([0]))], [i64([3, 5, 7])], keepdims=0)
    r.op("i32_prod", "ReduceProd", [i32([[1, 2], [3, 4]]), K(i64([1]))], [i32([2, 12])], keepdims=0)
    r.op("u8_max", "ReduceMax", [u8([[1, 255], [128, 127]]), K(i64([1]))], [u8([255, 128])], keepdims=0)
    r.op("i8_min", "ReduceMin", [i8([[1, -128], [127, 5]]), K(i64([1]))], [i8([-128, 5])], keepdims=0)
    r.op("bool_max", "ReduceMax", [bools([[0, 1], [0, 0]]), K(i64([1]))], [bools([1, 0])], opset=20, keepdims=0)
    r.op("f64_mean", "ReduceMean", [f64([[1, 2], [3, 5]]), K(i64([1]))], [f64([1.5, 4])], keepdims=0)
    r.op("arg_max_negative_axis", "ArgMax", [f32([[1, 3, 2], [9, 8, 9]])], [i64([1, 0])], axis=-1, keepdims=0)
    r.op("arg_max_select_last", "ArgMax", [f32([[9, 8, 9]])], [i64([[2]])], axis=1, select_last_index=1)
    r.op("arg_min_axis0", "ArgMin", [f32([[1, 3], [0, 8]])], [i64([[1, 0]])], axis=0)


@row("apache/tvm#18698", "D", "an operator is read by a newer version than the model's opset selects")
def version_by_opset(r):
    x = up(24, 1, 2, 4, 3)
    r.op("reduce_mean_11", "ReduceMean", [x[:, :, :, :]], [x.mean(2)], opset=11, ir=6, axes=[2], keepdims=0)
    r.op("squeeze_11", "Squeeze", [up(6, 1, 3, 1, 2)], [up(6, 3, 2)], opset=11, ir=6, axes=[0, -2])
    r.op("clip_6", "Clip", [f32([-3, 0.5, 9])], [f32([-1, 0.5, 2])], opset=6, ir=3, min=-1.0, max=2.0)
    r.op("dropout_7", "Dropout", [f32([1, -2])], [f32([1, -2])], opset=7, ir=3, ratio=0.7)
    r.own = True
    for tag, k in (("", K), ("_runtime", lambda a: a)):
        r.op("unsqueeze_scalar_axes" + tag, "Unsqueeze", [up(6, 3, 2), k(i64(1))], [up(6, 3, 1, 2)], why="onnxruntime: a scalar is one axis")
        r.op("squeeze_scalar_axes" + tag, "Squeeze", [up(6, 3, 1, 2), k(i64(-2))], [up(6, 3, 2)], why="onnxruntime: a scalar is one axis")
    r.op("squeeze_11_all", "Squeeze", [up(6, 1, 3, 1, 2)], [up(6, 3, 2)], opset=11, ir=6)
    r.op("squeeze_13", "Squeeze", [up(6, 1, 3, 1, 2), K(i64([0, -2]))], [up(6, 3, 2)], opset=13)
    r.op("unsqueeze_11", "Unsqueeze", [up(6, 3, 2)], [up(6, 1, 3, 2, 1)], opset=11, ir=6, axes=[0, -1])
    r.op("unsqueeze_13", "Unsqueeze", [up(6, 3, 2), K(i64([0, -1]))], [up(6, 1, 3, 2, 1)], opset=13)
    r.op("unsqueeze_1", "Unsqueeze", [up(6, 3, 2)], [up(6, 1, 3, 1, 2)], opset=9, ir=4, axes=[0, 2])
    r.op("clip_6_max_only", "Clip", [f32([-3, 9])], [f32([-3, 2])], opset=6, ir=3, max=2.0)
    r.op("clip_11", "Clip", [f32([-3, 0.5, 9]), f32(-1), f32(2)], [f32([-1, 0.5, 2])], opset=11, ir=6)
    r.op("clip_13_min_only", "Clip", [f32([-3, 9]), K(f32(-1))], [f32([-1, 9])], opset=13)
    r.op("clip_13_i8", "Clip", [i8([-100, 5, 100]), K(i8(-10)), K(i8(10))], [i8([-10, 5, 10])], opset=13)
    r.op("clip_13_min_above_max", "Clip", [f32([-3, 0.5, 9]), K(f32(5)), K(f32(1))], [f32([1, 1, 1])], opset=13,
         why="spec: when min is greater than max, every value becomes max")
    r.op("dropout_10", "Dropout", [f32([1, -2])], [f32([1, -2])], opset=10, ir=5, ratio=0.7)
    r.op("dropout_12_training_false", "Dropout", [f32([1, -2]), K(f32(0.7)), K(bools(False))], [f32([1, -2])], opset=12, ir=7)
    r.op("dropout_13_training_ratio0", "Dropout", [f32([1, -2]), K(f32(0)), K(bools(True))], [f32([1, -2]), bools([1, 1])], opset=13)
    r.op("dropout_13_mask_in_inference", "Dropout", [f32([1, -2])], [f32([1, -2]), bools([1, 1])], opset=13)
    r.op("split_2", "Split", [up(5)], [f32([0, 1]), f32([2, 3, 4])], opset=11, ir=6, split=[2, 3])
    r.op("split_13", "Split", [up(5), K(i64([2, 3]))], [f32([0, 1]), f32([2, 3, 4])], opset=13)
    r.op("split_2_equal", "Split", [up(4)], [f32([0, 1]), f32([2, 3])], opset=11, ir=6)
    r.op("top_k_1", "TopK", [f32([[3, 1, 4]])], [f32([[4, 3]]), i64([[2, 0]])], opset=9, ir=4, k=2)
    r.op("top_k_10", "TopK", [f32([[3, 1, 4]]), K(i64([2]))], [f32([[4, 3]]), i64([[2, 0]])], opset=10, ir=5)
    r.op("top_k_11_smallest", "TopK", [f32([[3, 1, 4]]), K(i64([2]))], [f32([[1, 3]]), i64([[1, 0]])], opset=11, ir=6, largest=0)
    r.op("reduce_sum_11", "ReduceSum", [up(6, 2, 3)], [f32([3, 12])], opset=11, ir=6, axes=[1], keepdims=0)
    r.op("reduce_sum_13", "ReduceSum", [up(6, 2, 3), K(i64([1]))], [f32([3, 12])], opset=13, keepdims=0)
    r.op("gemm_7", "Gemm", [up(6, 2, 3), up(6, 3, 2), f32([[1, 2], [3, 4]])], [2 * (up(6, 2, 3) @ up(6, 3, 2)) + 0.5 * f32([[1, 2], [3, 4]])], opset=7, ir=3, alpha=2.0, beta=0.5)
    r.op("gemm_11_without_c", "Gemm", [up(6, 3, 2), up(6, 2, 3)], [up(6, 3, 2).T @ up(6, 2, 3).T], opset=11, ir=6, transA=1, transB=1)
    r.op("argmax_11", "ArgMax", [f32([[1, 3, 2]])], [i64([[1]])], opset=11, ir=6, axis=1)
    r.op("concat_4", "Concat", [f32([[1]]), f32([[2]])], [f32([[1, 2]])], opset=7, ir=3, axis=1)
    r.op("cast_6", "Cast", [f32([1.7])], [i64([1])], opset=6, ir=3, to=TP.INT64)
    r.op("scatter_9", "Scatter", [f32([[1, 2, 3]]), i64([[2, 0]]), f32([[9, 8]])], [f32([[8, 2, 9]])], opset=9, ir=4, axis=1)
    r.op("gelu_20_tanh", "Gelu", [f32([-1, 0, 1])], [f32([-0.158808, 0, 0.841192])], opset=20, approximate="tanh")
    r.op("hard_swish_14", "HardSwish", [f32([-4, -1, 0, 4])], [f32([0, -1 / 3, 0, 4])], opset=14, rtol=1e-4)
    r.op("pow_7_pow_13_mixed", "Pow", [f32([2, 3]), i64([3, 2])], [f32([8, 9])], opset=13)
    r.op("shape_15_start_end", "Shape", [up(24, 1, 2, 3, 4)], [i64([2, 3])], opset=15, start=1, end=-1)
    r.op("gather_1", "Gather", [up(3), K(i64([2, 0]))], [f32([2, 0])], opset=7, ir=4)
    r.op("latest_opset", "Gelu", [f32([0, 1])], [f32([0, 0.8413447])], opset=24, ir=11)


@row("microsoft/onnxruntime#16586", "D", "noop_with_empty_axes is ignored")
def reduce_noop_empty_axes(r):
    x, e = up(6, 1, 3, 2), i64([]).reshape(0)
    all_ = f32(2.5).reshape(1, 1, 1)
    r.op("empty_axes_noop", "ReduceMean", [x, K(e)], [x], opset=18, noop_with_empty_axes=1)
    r.op("no_axes_noop", "ReduceMean", [x], [x], opset=18, noop_with_empty_axes=1)
    r.op("empty_axes_reduce_all", "ReduceMean", [x, K(e)], [all_], opset=18, noop_with_empty_axes=0)
    r.op("no_axes_reduce_all", "ReduceMean", [x], [all_], opset=18, noop_with_empty_axes=0)
    r.own = True
    for op in ("ReduceSum", "ReduceMin", "ReduceProd"):
        r.op(op.lower() + "_noop", op, [x, K(e)], [x], opset=18, noop_with_empty_axes=1)
        r.op(op.lower() + "_all", op, [x, K(e)], [f32(REDUCE[op](x)).reshape(1, 1, 1)], opset=18)
    r.op("runtime_empty_axes_noop", "ReduceSum", [x, e], [x], opset=18, noop_with_empty_axes=1)
    r.op("runtime_empty_axes_all", "ReduceSum", [x, e], [f32(15).reshape(1, 1, 1)], opset=18)
    r.op("sum13_noop", "ReduceSum", [x, K(e)], [x], opset=13, noop_with_empty_axes=1)
    r.op("sum13_all_flat", "ReduceSum", [x], [f32(15)], opset=13, keepdims=0)
    r.op("axes_win_over_noop", "ReduceSum", [x, K(i64([1]))], [x.sum(1, keepdims=True)], opset=18, noop_with_empty_axes=1)


@row("microsoft/onnxruntime#26288", "D", "a reduction over no axes skips the element function", "spec text as clarified: reduce over the empty set of axes")
def reduce_noop_applies_function(r):
    x, e = f32([1, -2, 3]), i64([]).reshape(0)
    r.op("sum_square", "ReduceSumSquare", [x, K(e)], [f32([1, 4, 9])], opset=18, noop_with_empty_axes=1)
    r.op("l1", "ReduceL1", [x, K(e)], [f32([1, 2, 3])], opset=18, noop_with_empty_axes=1)
    r.own = True
    p = f32([1, 2, 3])
    r.op("l2", "ReduceL2", [x, K(e)], [f32([1, 2, 3])], opset=18, noop_with_empty_axes=1)
    r.op("log_sum", "ReduceLogSum", [p, K(e)], [np.log(p)], opset=18, noop_with_empty_axes=1)
    r.op("log_sum_exp", "ReduceLogSumExp", [x, K(e)], [x], opset=18, noop_with_empty_axes=1)
    r.op("sum_square_no_input", "ReduceSumSquare", [x], [f32([1, 4, 9])], opset=18, noop_with_empty_axes=1)
    r.op("size_one_axis", "ReduceSumSquare", [f32([[2], [-3]]), K(i64([1]))], [f32([[4], [9]])], opset=18)
    r.op("size_one_axis_l1", "ReduceL1", [f32([[2], [-3]]), K(i64([1]))], [f32([2, 3])], opset=18, keepdims=0)


@row("microsoft/onnxruntime#7563", "D", "reducing an axis of length zero fails or keeps a zero dim", "spec: the empty reduction is the neutral element")
def reduce_zero_length_axis(r):
    x = np.zeros((3, 0, 4), np.float32)
    for op, v in (("ReduceSum", 0), ("ReduceProd", 1), ("ReduceMax", -inf)):
        r.op(op.lower() + "_keep", op, [x, K(i64([1]))], [np.full((3, 1, 4), v, np.float32)], opset=18, keepdims=1)
        r.op(op.lower() + "_drop", op, [x, K(i64([1]))], [np.full((3, 4), v, np.float32)], opset=18, keepdims=0)
    r.own = True
    for op, v in (("ReduceMin", inf), ("ReduceL1", 0), ("ReduceL2", 0), ("ReduceSumSquare", 0), ("ReduceLogSum", -inf), ("ReduceLogSumExp", -inf)):
        r.op(op.lower(), op, [x, K(i64([1]))], [np.full((3, 4), v, np.float32)], opset=18, keepdims=0)
    mean = dict(why="onnxruntime: the mean of nothing is 0", keepdims=0)
    r.op("mean", "ReduceMean", [x, K(i64([1]))], [np.zeros((3, 4), np.float32)], **mean)
    r.op("mean_i32", "ReduceMean", [np.zeros((2, 0), np.int32), K(i64([1]))], [i32([0, 0])], **mean)
    r.op("mean_dynamic", "ReduceMean", [x, K(i64([1]))], [np.zeros((3, 4), np.float32)], dyn=True, sets=[([np.ones((1, 2, 3), np.float32)], [f32([[1, 1, 1]])])], **mean)
    r.op("mean_axes_at_run_time", "ReduceMean", [x, i64([1])], [np.zeros((3, 4), np.float32)], out_dims={"y": [None, None]}, **mean)
    for pool in ("GlobalAveragePool", "GlobalLpPool"):
        r.op(pool.lower(), pool, [np.zeros((1, 2, 0, 3), np.float32)], [np.zeros((1, 2, 1, 1), np.float32)], why="the mean and the norm of nothing are 0")
        r.op(pool.lower() + "_dynamic", pool, [np.zeros((1, 2, 0, 3), np.float32)], [np.zeros((1, 2, 1, 1), np.float32)], dyn=True, why="the mean and the norm of nothing are 0")
    r.op("other_axis_stays_empty", "ReduceSum", [x, K(i64([0]))], [np.zeros((0, 4), np.float32)], keepdims=0)
    r.op("all_axes", "ReduceSum", [x], [f32(0)], keepdims=0)
    r.op("i64_prod", "ReduceProd", [np.zeros((2, 0), np.int64), K(i64([1]))], [i64([1, 1])], keepdims=0)
    r.op("i32_max", "ReduceMax", [np.zeros((2, 0), np.int32), K(i64([1]))], [i32([I32MIN] * 2)], opset=20, keepdims=0)
    r.op("u8_min", "ReduceMin", [np.zeros((2, 0), np.uint8), K(i64([1]))], [u8([255] * 2)], opset=20, keepdims=0)
    r.op("bool_max", "ReduceMax", [np.zeros((2, 0), np.bool_), K(i64([1]))], [bools([0, 0])], opset=20, keepdims=0)
    r.op("dynamic", "ReduceSum", [x, K(i64([1]))], [np.zeros((3, 4), np.float32)], keepdims=0, dyn=True, sets=[([np.ones((1, 2, 3), np.float32)], [f32([[2, 2, 2]])])])
