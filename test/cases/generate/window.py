"""B. Convolution, pooling, resize, pad."""
import numpy as np
import ml_dtypes
import onnx
from onnx import TensorProto as TP, helper, numpy_helper

from core import *
from formulas import *


@row("iree-org/iree#24581", "B", "nearest + asymmetric picks the wrong source pixels at scale 3")
def resize_nearest_asymmetric(r):
    x = img([[1, 2, 3, 4]])
    a = dict(mode="nearest", coordinate_transformation_mode="asymmetric")
    want = img([[1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 4]])
    r.op("", "Resize", [x, None, K(f32([1, 1, 1, 3]))], [want], **a)
    r.own = True
    r.op("runtime_scales", "Resize", [x, None, f32([1, 1, 1, 3])], [want], **a)
    r.op("sizes", "Resize", [x, None, None, K(i64([1, 1, 1, 12]))], [want], **a)
    for near in ("floor", "ceil", "round_prefer_ceil"):
        r.op("scale3_" + near, "Resize", [x, None, K(f32([1, 1, 1, 3]))], [resize_axis(x, 3, 12, 3, coord="asymmetric", near=near)], nearest_mode=near, **a)
    for op in (11, 13, 18, 19):
        roi = np.zeros(0, np.float32)
        r.op(f"opset{op}_floor_down", "Resize", [img(up(12, 3, 4)), K(roi) if op < 13 else None, K(f32([1, 1, 1, 0.5]))],
             [resize_axis(img(up(12, 3, 4)), 3, 2, Fr(1, 2), near="floor")], opset=op, mode="nearest", nearest_mode="floor")
    up2 = img([[1, 1, 1, 2, 2, 2], [1, 1, 1, 2, 2, 2], [3, 3, 3, 4, 4, 4], [3, 3, 3, 4, 4, 4]])
    q, s = img([[1, 2], [3, 4]]), f32([1, 1, 2, 3])
    r.op("upsample7", "Upsample", [q], [up2], opset=7, ir=3, mode="nearest", scales=[1.0, 1.0, 2.0, 3.0], why="ONNX backend test (the text has no formula)")
    r.op("upsample9", "Upsample", [q, K(s)], [up2], opset=9, ir=4, mode="nearest", why="ONNX backend test (the text has no formula)")
    r.op("resize10", "Resize", [q, K(s)], [up2], opset=10, ir=5, mode="nearest", why="ONNX backend test (the text has no formula)")
    r.op("u8", "Resize", [x.astype(np.uint8), None, K(f32([1, 1, 1, 3]))], [want.astype(np.uint8)], **a)
    r.op("axes", "Resize", [x, None, K(f32([3]))], [want], axes=[3], **a)
    r.op("rank2", "Resize", [x[0, 0], None, K(f32([2, 3]))], [np.repeat(want[0, 0], 2, 0)], **a)
    r.op("dynamic", "Resize", [x, None, K(f32([1, 1, 1, 3]))], [want], dims={"X": ["N", 1, "H", "W"]},
         sets=[([up(4, 2, 1, 2, 1)], [np.repeat(up(4, 2, 1, 2, 1), 3, 3)])], **a)


@row("iree-org/iree#24264", "B", "half_pixel with floor reads outside the row")
def resize_half_pixel_floor(r):
    x = img([[1, 2, 3, 4]])
    r.op("", "Resize", [x, None, K(f32([1, 1, 1, 2]))], [img([[1, 1, 1, 2, 2, 3, 3, 4]])], mode="nearest", nearest_mode="floor")
    r.own = True
    r.op("ceil", "Resize", [x, None, K(f32([1, 1, 1, 2]))], [img([[1, 2, 2, 3, 3, 4, 4, 4]])], mode="nearest", nearest_mode="ceil")
    r.op("two_axes", "Resize", [img([[1, 2], [3, 4]]), None, K(f32([1, 1, 2, 2]))],
         [img([[1, 1, 1, 2], [1, 1, 1, 2], [1, 1, 1, 2], [3, 3, 3, 4]])], mode="nearest", nearest_mode="floor")
    y = f32([[1, 2, 3, 4]]).reshape(1, 1, 1, 4)
    for exclude in (0, 1):
        r.op(f"cubic_edges_exclude{exclude}", "Resize", [y, None, K(f32([1, 1, 1, 2]))], [resize_axis(y, 3, 8, 2, "cubic", exclude=exclude)],
             mode="cubic", exclude_outside=exclude, rtol=1e-4)
    r.op("cubic_a_half", "Resize", [y, None, None, K(i64([1, 1, 1, 6]))], [resize_axis(y, 3, 6, Fr(6, 4), "cubic", a=-0.5)], mode="cubic", cubic_coeff_a=-0.5, rtol=1e-4)


@row("microsoft/onnxruntime#17564", "B", "align_corners and asymmetric give the same output")
def resize_linear_coordinates(r):
    x = img([[1, 2, 3, 4]])
    al = img([[1 + 3 * i / 7 for i in range(8)]])
    r.op("align_corners", "Resize", [x, None, K(f32([1, 1, 1, 2]))], [al], mode="linear", coordinate_transformation_mode="align_corners")
    r.op("asymmetric", "Resize", [x, None, K(f32([1, 1, 1, 2]))], [img([[1, 1.5, 2, 2.5, 3, 3.5, 4, 4]])], mode="linear", coordinate_transformation_mode="asymmetric")
    r.op("align_corners_size_one", "Resize", [x, None, None, K(i64([1, 1, 1, 1]))], [img([[1]])], mode="linear", coordinate_transformation_mode="align_corners")
    r.own = True
    for coord in ("half_pixel", "pytorch_half_pixel", "half_pixel_symmetric", "asymmetric", "align_corners"):
        for out in (3, 6):
            want = resize_axis(x, 3, out, Fr(out, 4), "linear", coord)
            r.op(f"{coord}_4_to_{out}", "Resize", [x, None, None, K(i64([1, 1, 1, out]))], [want], opset=19, mode="linear", coordinate_transformation_mode=coord)
    r.op("pytorch_half_pixel_to_one", "Resize", [x, None, None, K(i64([1, 1, 1, 1]))], [img([[1]])], mode="linear", coordinate_transformation_mode="pytorch_half_pixel")
    r.op("half_pixel_to_one", "Resize", [x, None, None, K(i64([1, 1, 1, 1]))], [img([[2.5]])], mode="linear", coordinate_transformation_mode="half_pixel")
    z = rnd(1, 2, 3, 4)
    both = resize_axis(resize_axis(z, 2, 6, 2, "linear"), 3, 2, Fr(1, 2), "linear")
    r.op("two_axes_up_down", "Resize", [z, None, K(f32([1, 1, 2, 0.5]))], [both], mode="linear")
    r.op("f16", "Resize", [x.astype(np.float16), None, K(f32([1, 1, 1, 2]))], [resize_axis(x, 3, 8, 2, "linear").astype(np.float16)], mode="linear")
    v = rnd(1, 1, 2, 3, 2)
    w3 = resize_axis(resize_axis(resize_axis(v, 2, 4, 2, "linear"), 3, 6, 2, "linear"), 4, 4, 2, "linear")
    r.op("volume", "Resize", [v, None, K(f32([1, 1, 2, 2, 2]))], [w3], mode="linear")


@row("iree-org/iree#24580", "B", "the average's divisor is wrong at the border with ceil_mode and count_include_pad", "spec text of ceil_mode/count_include_pad")
def avg_pool_ceil_include_pad(r):
    x = f32(np.arange(1, 9), 1, 1, 8)
    a = dict(kernel_shape=[3], strides=[2], pads=[1, 1], ceil_mode=1, count_include_pad=1)
    r.op("", "AveragePool", [x], [f32([1, 3, 5, 7, 4], 1, 1, 5)], opset=19, **a)
    r.own = True
    r.op("opset22", "AveragePool", [x], [f32([1, 3, 5, 7, 4], 1, 1, 5)], opset=22, **a)
    a["count_include_pad"] = 0
    r.op("exclude_pad", "AveragePool", [x], [f32([1.5, 3, 5, 7, 8], 1, 1, 5)], opset=19, **a)
    a.update(ceil_mode=0, count_include_pad=1)
    r.op("floor_mode", "AveragePool", [x], [pool(x, "avg", [3], [2], [1, 1], include=1)], opset=19, **a)
    z = rnd(1, 2, 6, 7)
    r.op("two_d", "AveragePool", [z], [pool(z, "avg", [3, 2], [2, 3], [1, 0, 1, 1], ceil=1, include=1)], opset=19, kernel_shape=[3, 2],
         strides=[2, 3], pads=[1, 0, 1, 1], ceil_mode=1, count_include_pad=1)
    r.op("old_opset10", "AveragePool", [x], [pool(x, "avg", [2], [2], [1, 1], ceil=1, include=0)], opset=10, ir=5, kernel_shape=[2], strides=[2], pads=[1, 1], ceil_mode=1)


@row("microsoft/onnxruntime#15446", "B", "ceil_mode makes a window that lies only in padding", "spec: windows that start in the right padding are ignored")
def pool_no_window_in_padding(r):
    x = f32(np.arange(1, 6), 1, 1, 5)
    a = dict(kernel_shape=[3], strides=[3], pads=[1, 1], ceil_mode=1)
    r.op("max", "MaxPool", [x], [f32([2, 5], 1, 1, 2)], opset=22, **a)
    r.op("average", "AveragePool", [x], [f32([1.5, 4], 1, 1, 2)], opset=22, **a)
    z = rnd(1, 2, 3, 6, 5)
    b = dict(kernel_shape=[3] * 3, strides=[3] * 3, pads=[1] * 6, ceil_mode=1)
    for kind, op in (("max", "MaxPool"), ("avg", "AveragePool")):
        want = pool(z, kind, [3] * 3, [3] * 3, [1] * 6, ceil=1)
        assert want.shape == (1, 2, 2, 3, 2)
        r.op(f"three_d_{kind}", op, [z], [want], opset=22, **b)
    r.own = True
    r.op("negative_values", "MaxPool", [-x], [f32([-1, -3], 1, 1, 2)], opset=22, **a)
    r.op("max_i8", "MaxPool", [-x.astype(np.int8)], [i8([-1, -3], 1, 1, 2)], opset=22, **a)
    r.op("max_u8", "MaxPool", [x.astype(np.uint8)], [u8([2, 5], 1, 1, 2)], opset=22, **a)
    r.op("max_f16", "MaxPool", [-x.astype(np.float16)], [f16([-1, -3], 1, 1, 2)], opset=22, **a)
    r.op("indices", "MaxPool", [x], [f32([2, 5], 1, 1, 2), i64([1, 4], 1, 1, 2)], opset=22, **a)
    r.op("all_minus_inf", "MaxPool", [f32([-inf] * 5, 1, 1, 5)], [f32([-inf] * 2, 1, 1, 2)], opset=22, **a)
    r.op("dynamic", "MaxPool", [x], [f32([2, 5], 1, 1, 2)], dims={"X": ["N", 1, "L"]},
         sets=[([x[:, :, :4]], [f32([2, 4], 1, 1, 2)]), ([f32(np.arange(1, 7), 1, 1, 6)], [f32([2, 5, 6], 1, 1, 3)])], opset=22, **a)


@row("iree-org/iree#17777", "B", "average pool with dilation and ceil_mode is wrong along the last slice")
def avg_pool_dilated_ceil(r):
    x = f32(np.arange(1, 9), 1, 1, 8)
    a = dict(kernel_shape=[3], strides=[2], dilations=[2], ceil_mode=1, count_include_pad=0)
    r.op("", "AveragePool", [x], [f32([3, 5, 6], 1, 1, 3)], opset=19, **a)
    r.own = True
    r.op("include_pad", "AveragePool", [x], [pool(x, "avg", [3], [2], [1, 1], [2], 1, 1)], opset=19, **{**a, "pads": [1, 1], "count_include_pad": 1})
    z = rnd(1, 1, 7, 8)
    r.op("two_d", "AveragePool", [z], [pool(z, "avg", [2, 3], [2, 2], None, [2, 2], 1)], opset=19, kernel_shape=[2, 3], strides=[2, 2], dilations=[2, 2], ceil_mode=1)
    r.op("max_two_d", "MaxPool", [z], [pool(z, "max", [2, 3], [2, 2], None, [2, 2], 1)], kernel_shape=[2, 3], strides=[2, 2], dilations=[2, 2], ceil_mode=1)


@row("microsoft/onnxruntime#25234", "B", "kernel larger than the input: division of a negative span rounds to zero and makes one bogus output")
def pool_kernel_larger_than_input(r):
    x, none = up(4, 1, 1, 4), np.zeros((1, 1, 0), np.float32)
    ok = dict(out_dims={"y": [1, 1, None]}, also_ok=["error"], error_hint="kernel_shape", must_not=["crash", "read outside the tensor", "one output element"])
    r.op("", "MaxPool", [x], [none], kernel_shape=[3], dilations=[2], strides=[2], **ok)
    r.own = True
    r.op("average", "AveragePool", [x], [none], opset=19, kernel_shape=[3], dilations=[2], strides=[2], **ok)
    r.op("conv", "Conv", [x, f32([1, 1, 1], 1, 1, 3)], [none], dilations=[2], strides=[2], **ok)
    r.op("dynamic", "MaxPool", [up(9, 1, 1, 9)], [f32([4, 6, 8], 1, 1, 3)], kernel_shape=[3], dilations=[2], strides=[2], dims={"X": [1, 1, "L"]},
         sets=[([x], [none])], also_ok=["error"], error_hint="kernel_shape")


@row("onnx/onnx#3153", "B", "SAME padding with a stride puts the odd cell on the wrong side")
def same_padding_strided(r):
    x, w = f32([1, 2, 3, 4, 5], 1, 1, 5), f32([1, 10], 1, 1, 2)
    r.op("conv_lower", "Conv", [x, K(w)], [f32([10, 32, 54], 1, 1, 3)], auto_pad="SAME_LOWER", strides=[2])
    r.op("conv_upper", "Conv", [x, K(w)], [f32([21, 43, 5], 1, 1, 3)], auto_pad="SAME_UPPER", strides=[2])
    r.own = True
    r.op("max_lower", "MaxPool", [-x], [f32([-1, -2, -4], 1, 1, 3)], auto_pad="SAME_LOWER", kernel_shape=[2], strides=[2])
    r.op("max_upper", "MaxPool", [-x], [f32([-1, -3, -5], 1, 1, 3)], auto_pad="SAME_UPPER", kernel_shape=[2], strides=[2])
    for inc, want in ((0, [1.5, 3.5, 5]), (1, [1.5, 3.5, 2.5])):
        r.op(f"average_upper_include{inc}", "AveragePool", [x], [f32(want, 1, 1, 3)], auto_pad="SAME_UPPER", kernel_shape=[2], strides=[2], count_include_pad=inc)
    z, v = rnd(1, 2, 5, 6), rnd(3, 2, 3, 2, seed=2)
    r.op("conv_2d_upper", "Conv", [z, K(v)], [conv(z, v, [1, 0, 1, 1], [1, 1])], auto_pad="SAME_UPPER")
    r.op("conv_2d_lower_s2", "Conv", [z, K(v)], [conv(z, v, [1, 0, 1, 0], [2, 2])], auto_pad="SAME_LOWER", strides=[2, 2])
    r.op("valid", "Conv", [z, K(v)], [conv(z, v, None, [2, 1])], auto_pad="VALID", strides=[2, 1])
    r.op("stride_beyond_kernel", "Conv", [f32([1, 2, 3, 4], 1, 1, 4), K(f32([2], 1, 1, 1))], [f32([2, 8], 1, 1, 2)], auto_pad="SAME_UPPER", strides=[3])
    r.op("dynamic_length", "Conv", [x, K(w)], [f32([21, 43, 5], 1, 1, 3)], auto_pad="SAME_UPPER", strides=[2], dims={"X": [1, 1, "L"]},
         sets=[([x[:, :, :4]], [f32([21, 43], 1, 1, 2)])])


@row("Tencent/ncnn#1089", "B", "only the begin half of pads is read")
def asymmetric_pads(r):
    x, w = f32(np.arange(1, 10), 1, 1, 3, 3), np.ones((1, 1, 2, 2), np.float32)
    r.op("conv", "Conv", [x, K(w)], [img([[12, 16, 9], [24, 28, 15], [15, 17, 9]])], pads=[0, 0, 1, 1])
    r.own = True
    r.op("conv_begin_only", "Conv", [x, K(w)], [img([[1, 3, 5], [5, 12, 16], [11, 24, 28]])], pads=[1, 1, 0, 0])
    y, v = f32([1, 2, 3], 1, 1, 3), f32([1, 10, 100], 1, 1, 3)
    r.op("conv_1d_end", "Conv", [y, K(v)], [conv(y, v, [0, 2])], pads=[0, 2])
    r.op("conv_1d_mixed_runtime_weight", "Conv", [y, v], [conv(y, v, [2, 1])], pads=[2, 1])
    z, g = rnd(2, 4, 4, 5), rnd(4, 2, 3, 3, seed=3)
    r.op("conv_grouped", "Conv", [z, K(g)], [conv(z, g, [0, 2, 1, 0], [2, 1], group=2)], pads=[0, 2, 1, 0], strides=[2, 1], group=2)
    d = rnd(4, 1, 3, 3, seed=4)
    r.op("conv_depthwise", "Conv", [z, K(d)], [conv(z, d, [1, 0, 0, 2], group=4)], pads=[1, 0, 0, 2], group=4)
    d8 = rnd(8, 1, 2, 2, seed=4)
    r.op("conv_depthwise_multiplier", "Conv", [z, K(d8)], [conv(z, d8, [1, 0, 0, 2], dil=[1, 2], group=4)], pads=[1, 0, 0, 2], group=4, dilations=[1, 2])
    v3, k3 = rnd(1, 1, 3, 3, 3), rnd(2, 1, 2, 2, 2, seed=5)
    r.op("conv_3d", "Conv", [v3, K(k3)], [conv(v3, k3, [0, 1, 0, 1, 0, 0])], pads=[0, 1, 0, 1, 0, 0])
    r.op("conv_transpose", "ConvTranspose", [x, K(w)], [conv_t(x, w, [1, 1], [0, 0, 1, 1])], pads=[0, 0, 1, 1])
    r.op("average", "AveragePool", [x], [pool(x, "avg", [2, 2], [1, 1], [0, 1, 0, 0])], kernel_shape=[2, 2], pads=[0, 1, 0, 0])
    r.op("pad_op", "Pad", [x[0, 0], K(i64([0, 0, 1, 2]))], [np.pad(x[0, 0], [(0, 1), (0, 2)])])


@row("microsoft/onnxruntime#11828", "B", "pads that crop on one side and grow on the other give garbage or a fault")
def pad_negative(r):
    x, want = f32([1, 2, 3, 4]), f32([2, 3, 4, 0, 0])
    r.op("constant", "Pad", [x, K(i64([-1, 2]))], [want])
    r.op("constant_runtime", "Pad", [x, i64([-1, 2])], [want])
    y = up(5)
    r.op("reflect", "Pad", [y, K(i64([-4, 4]))], [f32([4, 3, 2, 1, 0])], mode="reflect", compare="none", also_ok=["error"], error_hint="Pad",
         must_not=["crash", "uninitialised data in the output"], why="robustness; the standard leaves the values open")
    r.own = True
    z = up(12, 3, 4)
    r.op("two_d", "Pad", [z, K(i64([-1, 1, 1, -2]))], [np.pad(z[1:, :2], [(0, 1), (1, 0)])])
    r.op("crop_both", "Pad", [z, K(i64([-1, -1, -1, -1]))], [z[1:2, 1:3]])
    r.op("value_i64", "Pad", [z.astype(np.int64), K(i64([1, -1, 0, 1])), K(i64(9))], [np.pad(z[:, 1:].astype(np.int64), [(1, 0), (0, 1)], constant_values=9)])
    r.op("value_f16", "Pad", [x.astype(np.float16), i64([-1, 2]), f16(2.5)], [f16([2, 3, 4, 2.5, 2.5])])
    r.op("bool", "Pad", [bools([1, 0]), K(i64([1, -1])), K(bools(True))], [bools([1, 1])])
    r.op("axes_negative", "Pad", [z, K(i64([-1, 2])), None, K(i64([-1]))], [np.pad(z[:, 1:], [(0, 0), (0, 2)])], opset=18)
    r.op("opset2_attributes", "Pad", [x], [f32([2, 3, 4, 7, 7])], opset=10, ir=5, pads=[-1, 2], value=7.0, mode="constant")
    r.op("crop_to_nothing", "Pad", [x, K(i64([-2, -2]))], [np.zeros(0, np.float32)])
    for mode, want in (("edge", [2, 3, 4, 4]), ("reflect", [2, 3, 4, 3]), ("wrap", [2, 3, 4, 2])):
        for tag, pads in (("", K(i64([-1, 1]))), ("_runtime", i64([-1, 1]))):
            r.op(mode + "_crops_first" + tag, "Pad", [x, pads], [f32(want)], opset=19, mode=mode, why="onnxruntime")
        r.op(mode + "_crops_first_folded", "Pad", [C(x), K(i64([-1, 1]))], [f32(want)], opset=19, mode=mode, why="onnxruntime")
    bad = model([N("Pad", "x p", "y", name="grow")], [vi("x", FLOAT, ["n"])], [vi("y", FLOAT, [None])], [numpy_helper.from_array(i64([-3, -3]), "p")])
    r.refuse("crop_below_nothing_at_run_time", bad, "grow", ("crash", "read outside the tensor"), [x], stage="run")
    r.op("dynamic", "Pad", [z, K(i64([0, -1, 1, 0]))], [np.pad(z[:, 1:], [(0, 1), (0, 0)])], dyn=True)
    bad = model([N("Pad", "x p", "y", name="grow")], [vi("x", FLOAT, [4])], [vi("y", FLOAT, [None])], [numpy_helper.from_array(i64([-3, -3]), "p")])
    r.refuse("crop_below_nothing", bad, "grow", ("crash", "read outside the tensor"), [x])
    bad = model([N("Pad", "x p", "y", name="grow")], [vi("x", FLOAT, [4])], [vi("y", FLOAT, [None])], [numpy_helper.from_array(i64([1, 1, 1]), "p")])
    r.refuse("odd_number_of_pads", bad, "grow", ("crash", "read outside the tensor"), [x])


@row("onnx/onnx#5245", "B", "wrap is confused with reflect")
def pad_wrap(r):
    d = f32([[1, 1.2], [2.3, 3.4], [4.5, 5.7]])
    want = f32([[3.4, 2.3, 3.4, 2.3], [5.7, 4.5, 5.7, 4.5], [1.2, 1, 1.2, 1], [3.4, 2.3, 3.4, 2.3], [5.7, 4.5, 5.7, 4.5], [1.2, 1, 1.2, 1]])
    r.op("", "Pad", [d, K(i64([2, 1, 1, 1]))], [want], opset=19, mode="wrap", why="example in the operator's text")
    r.own = True
    r.op("runtime", "Pad", [d, i64([2, 1, 1, 1])], [want], opset=19, mode="wrap")
    r.op("one_d", "Pad", [up(4, t=np.int32), K(i64([2, 3]))], [i32([2, 3, 0, 1, 2, 3, 0, 1, 2])], opset=19, mode="wrap")
    r.op("one_axis", "Pad", [d, K(i64([1, 2])), None, K(i64([0]))], [np.pad(d, [(1, 2), (0, 0)], mode="wrap")], opset=19, mode="wrap")
    for mode, size, pads in (("reflect", 3, [3, 0]), ("reflect", 3, [0, 5]), ("reflect", 1, [0, 1]), ("reflect", 0, [1, 1]), ("edge", 0, [0, 1]), ("wrap", 0, [1, 0])):
        x, name = up(size), f"{mode}_{size}_by_{pads[0]}_{pads[1]}"
        for tag, dim, given in (("static", size, True), ("dynamic", "n", True), ("runtime", size, False)):
            ins = [vi("x", FLOAT, [dim])] + ([] if given else [vi("p", INT64, [2])])
            bad = model([N("Pad", "x p", "y", name="grow", mode=mode)], ins, [vi("y", FLOAT, [None])], [numpy_helper.from_array(i64(pads), "p")] if given else [], opset=19)
            r.refuse(f"too_far_{name}_{tag}", bad, "grow", ("crash", "read outside the tensor"), [x] if given else [x, i64(pads)],
                     why="onnxruntime: a reflection has no second turn, and nothing grows from nothing", **({} if tag == "static" else {"stage": "run"}))
    r.op("reflect_as_far_as_it_goes", "Pad", [up(3), i64([2, 2])], [f32([2, 1, 0, 1, 2, 1, 0])], opset=19, mode="reflect")
    r.op("reflect_nothing_by_nothing", "Pad", [up(0), i64([0, 0])], [up(0)], opset=19, mode="reflect", out_dims={"y": [None]})
    r.op("edge_for_contrast", "Pad", [d, K(i64([2, 1, 1, 1]))], [np.pad(d, [(2, 1), (1, 1)], mode="edge")], opset=19, mode="edge")


@row("onnx/onnx-mlir#753", "B", "convolution with symbolic height and width gets wrong loop bounds")
def conv_dynamic_hw(r):
    w = np.ones((1, 1, 3, 3), np.float32)
    one = lambda *s: np.ones(s, np.float32)
    f = lambda x, **k: conv(x, w, [1] * 4, **k)
    r.op("", "Conv", [one(1, 1, 4, 4), K(w)], [f(one(1, 1, 4, 4))], pads=[1] * 4, dims={"X": [1, 1, "H", "W"]}, sets=[([one(1, 1, 5, 7)], [f(one(1, 1, 5, 7))])])
    r.op("static_4x4", "Conv", [one(1, 1, 4, 4), K(w)], [img([[4, 6, 6, 4], [6, 9, 9, 6], [6, 9, 9, 6], [4, 6, 6, 4]])], pads=[1] * 4)
    r.own = True
    x, y = rnd(1, 1, 5, 6), rnd(3, 1, 8, 3, seed=2)
    r.op("stride2_batch", "Conv", [x, K(w)], [f(x, strides=[2, 2])], pads=[1] * 4, strides=[2, 2], dims={"X": ["N", 1, "H", "W"]}, sets=[([y], [f(y, strides=[2, 2])])])
    r.op("max_pool", "MaxPool", [x], [pool(x, "max", [3, 3], [1, 1], [1] * 4)], kernel_shape=[3, 3], pads=[1] * 4, dims={"X": ["N", 1, "H", "W"]},
         sets=[([y], [pool(y, "max", [3, 3], [1, 1], [1] * 4)])])
    r.op("average_pool", "AveragePool", [x], [pool(x, "avg", [3, 2], [2, 1])], kernel_shape=[3, 2], strides=[2, 1], dims={"X": ["N", 1, "H", "W"]},
         sets=[([y], [pool(y, "avg", [3, 2], [2, 1])])])
    r.op("global_average", "GlobalAveragePool", [x], [x.mean((2, 3), keepdims=True)], dims={"X": ["N", 1, "H", "W"]}, sets=[([y], [y.mean((2, 3), keepdims=True)])])
    r.op("transposed", "ConvTranspose", [x, K(w)], [conv_t(x, w, [2, 2], [1] * 4)], strides=[2, 2], pads=[1] * 4, dims={"X": ["N", 1, "H", "W"]}, sets=[([y], [conv_t(y, w, [2, 2], [1] * 4)])])
    a, k = rnd(1, 2, 9), rnd(2, 2, 3, seed=7)
    r.op("one_d_dilated", "Conv", [a, K(k)], [conv(a, k, dil=[3])], dilations=[3], dims={"X": ["N", 2, "L"]}, sets=[([a[:, :, :7]], [conv(a[:, :, :7], k, dil=[3])])])
    xs, ys = [vi("x", FLOAT, [1, 1, "H", "W"])], [vi("y", FLOAT, None)]
    for tag, node in (("conv", N("Conv", "x w", "c", name="window")), ("pool", N("MaxPool", "x", "c", name="window", kernel_shape=[3, 3])),
                      ("transposed", N("ConvTranspose", "x w", "c", name="window", pads=[2, 2, 2, 2]))):
        bad = model([node, N("Sigmoid", "c", "d"), N("Flatten", "d", "y")], xs, ys, [numpy_helper.from_array(w, "w")] if tag != "pool" else [])
        r.refuse(f"input_below_the_window_{tag}", bad, "window", ("crash", "hang", "status 0"), [one(1, 1, 1, 1)], stage="run",
                 why="both negative sizes together look like a positive number of elements")
    x, y = rnd(2, 4, 6, 5), rnd(1, 4, 3, 9, seed=2)
    for tag, w, kw in (("", rnd(5, 4, 3, 3, seed=3), {}), ("_grouped", rnd(6, 2, 3, 3, seed=3), dict(group=2)), ("_depthwise", rnd(4, 1, 3, 3, seed=3), dict(group=4)), ("_pointwise", rnd(5, 4, 1, 1, seed=3), {})):
        r.op("symbolic_channels" + tag, "Conv", [x, K(w)], [conv(x, w, **kw)], dims={"X": list("NCHW")}, sets=[([y], [conv(y, w, **kw)])], **kw)
    w = rnd(4, 2, 3, 3, seed=3)
    r.op("symbolic_channels_transposed", "ConvTranspose", [x, K(w)], [conv_t(x, w, [2, 2], [0] * 4)], strides=[2, 2], dims={"X": list("NCHW")}, sets=[([y], [conv_t(y, w, [2, 2], [0] * 4)])])
    w = rnd(5, 4, 3, 2, seed=3)
    r.op("runtime_kernel_size", "Conv", [x, w], [conv(x, w)], dims={"X": list("NCHW"), "W": [5, 4, "p", "q"]})
    r.op("runtime_input_channels", "Conv", [x, w], [conv(x, w)], dims={"X": list("NCHW"), "W": [5, "c", 3, 2]})
    bad = model([N("Conv", "x w", "y", name="blur")], [vi("x", FLOAT, list("NCHW"))], [vi("y", FLOAT, [None] * 4)], [numpy_helper.from_array(w, "w")])
    r.refuse("other_channels_than_the_weights", bad, "blur", ("crash",), [rnd(1, 3, 5, 5)], stage="run")
    a, b = rnd(3, 5), rnd(5, 4, seed=2)
    r.op("symbolic_depth_of_a_product", "MatMul", [a, K(b)], [a @ b], dims={"A": ["M", "K"]}, sets=[([a[:1]], [a[:1] @ b])])
    bad = model([N("MatMul", "x w", "y", name="dense")], [vi("x", FLOAT, ["M", "K"])], [vi("y", FLOAT, [None] * 2)], [numpy_helper.from_array(b, "w")])
    r.refuse("other_depth_than_the_weights", bad, "dense", ("crash",), [rnd(2, 6)], stage="run")
    r.op("dynamic_channels_from_weight", "Conv", [rnd(1, 2, 4, 4), rnd(2, 2, 3, 3)], [conv(rnd(1, 2, 4, 4), rnd(2, 2, 3, 3))], dyn=True)


@row("iree-org/iree#24378", "B", "GridSample nearest picks the neighbour on a boundary tie", "ONNX backend test; ties to even")
def grid_sample_nearest_tie(r):
    x = up(6, 1, 1, 3, 2)
    g = f32([[[-1, -.8], [-.6, -.5], [-.1, -.2], [.7, 0]], [[0, .4], [.2, -.2], [-.3, .5], [-1, 1]]]).reshape(1, 2, 4, 2)
    r.op("", "GridSample", [x, g], [img([[0, 0, 2, 3], [4, 3, 4, 4]])], opset=16, mode="nearest", padding_mode="zeros", align_corners=0)
    r.own = True
    z, h = rnd(2, 2, 4, 5), f32(np.random.RandomState(9).randint(-23, 24, (2, 3, 3, 2)) / 16 + 0.011)
    for pad in ("zeros", "border", "reflection"):
        for align in (0, 1):
            r.op(f"linear_{pad}_align{align}", "GridSample", [z, h], [grid_sample(z, h, "linear", pad, align)], opset=20, mode="linear", padding_mode=pad, align_corners=align, rtol=1e-4, atol=1e-5)
    r.op("nearest_border", "GridSample", [z, h], [grid_sample(z, h, "nearest", "border", 0)], opset=20, mode="nearest", padding_mode="border")
    r.op("opset16_bilinear", "GridSample", [z, h], [grid_sample(z, h)], opset=16, mode="bilinear", rtol=1e-4, atol=1e-5)
    r.op("dynamic", "GridSample", [z, h], [grid_sample(z, h)], opset=20, mode="linear", dyn=True, rtol=1e-4, atol=1e-5)
