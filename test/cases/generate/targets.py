"""I. Reports about targets that still have a model."""
import numpy as np
import ml_dtypes
import onnx
from onnx import TensorProto as TP, helper, numpy_helper

from core import *
from formulas import *


@row("iree-org/iree#21468", "I", "on the GPU, softmax with a dynamic K ignores the real K", "1 / K everywhere")
def softmax_dynamic_k(r):
    one = lambda k: (np.ones((32, k), np.float16), np.full((32, k), 1 / k, np.float16))
    r.op("", "Softmax", [one(1)[0]], [one(1)[1]], axis=1, dims={"input": [32, "K"]}, sets=[([a], [b]) for a, b in map(one, (10, 33, 1000))], note="also to be run on the GPU back end")
    r.own = True
    z = [rnd(3, k, seed=k) for k in (1, 7, 32, 65, 513)]
    for op, f in (("Softmax", softmax), ("LogSoftmax", lambda v, ax: np.log(softmax(v.astype(np.float64), ax)).astype(np.float32))):
        r.op(op.lower() + "_f32", op, [z[0]], [f(z[0], 1)], axis=-1, dims={"input": ["N", "K"]}, sets=[([v], [f(v, 1)]) for v in z[1:]], rtol=1e-4)
    r.op("reduce_max", "ReduceMax", [-z[0] - 9, K(i64([1]))], [(-z[0] - 9).max(1)], keepdims=0, dims={"data": ["N", "K"]}, sets=[([-v - 9], [(-v - 9).max(1)]) for v in z[1:]],
         note="all values are negative: a lane that is filled with zero would win")


@row("iree-org/iree#18913", "I", "on the GPU, softmax over a middle axis does not compile", "numpy")
def softmax_middle_axis_large(r):
    x = rnd(4, 64, 96)
    r.op("", "Softmax", [x], [softmax(x, 1)], axis=1, rtol=1e-4, note="also to be run on the GPU back end")
    r.own = True
    r.op("outer_axis", "Softmax", [x[:, :9, :33].copy()], [softmax(x[:, :9, :33], 0)], axis=0, rtol=1e-4)
    r.op("reduce_sum_middle", "ReduceSum", [x, K(i64([1]))], [x.sum(1)], keepdims=0, rtol=1e-4, atol=1e-4)
    r.op("layer_norm_last", "LayerNormalization", [x[0], np.ones(96, np.float32)], [((x[0] - x[0].mean(-1, keepdims=True)) / np.sqrt(x[0].var(-1, keepdims=True) + 1e-5)).astype(np.float32)], opset=17, rtol=1e-3, atol=1e-4)
