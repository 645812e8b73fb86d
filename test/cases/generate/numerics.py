"""C. Element-wise numerics and casts."""
import numpy as np
import ml_dtypes
import onnx
from onnx import TensorProto as TP, helper, numpy_helper

from core import *
from formulas import *


@row("onnx/onnx#7570", "C", "signed integer division floors instead of truncating", "spec: integer division truncates")
def div_integer_truncates(r):
    a, b, q = [8, -8, 7, -7], [-3, 3, -2, 2], [-2, -2, -3, -3]
    both(r, "i64", "Div", [i64(a), i64(b)], [i64(q)])
    r.own = True
    for n, t in (("i32", i32), ("i16", i16), ("i8", i8)): both(r, n, "Div", [t(a), t(b)], [t(q)])
    for n, t in (("u8", u8), ("u16", u16), ("u64", u64)): both(r, n, "Div", [t([200, 7]), t([3, 2])], [t([66, 3])])
    r.op("by_constant", "Div", [i64([7, -7, 8, -8, 1, -1]), K(i64(2))], [i64([3, -3, 4, -4, 0, 0])])
    r.op("by_negative_constant", "Div", [i32([7, -7, 8, -8, 1, -1]), K(i32(-4))], [i32([-1, 1, -2, 2, 0, 0])])
    r.op("by_minus_one", "Div", [i32([7, -7, I32MAX]), K(i32(-1))], [i32([-7, 7, -I32MAX])])
    r.op("broadcast_dynamic", "Div", [i64([[7], [-7]]), i64([2, -2, 3])], [i64([[3, -3, 2], [-3, 3, -2]])], dyn=True)
    for n, t in (("i64", i64), ("i32", i32), ("i16", i16), ("i8", i8), ("u8", u8), ("u64", u64)):
        for op in ("Div", "Mod"):
            kind = elem_type(t([0]))
            bad = model([N(op, "a b", "y", name="half")], [vi("a", kind, ["n"]), vi("b", kind, ["n"])], [vi("y", kind, ["n"])])
            r.refuse(f"{op.lower()}_by_zero_{n}", bad, "half", ("crash", "a value that nothing defines"), [t(range(1, 41)), t([3] * 39 + [0])], stage="run",
                     why="no integer is the quotient; other runtimes end with a signal")
    bad = model([N("Mod", "a b", "y", name="half", fmod=1)], [vi("a", TP.INT32, [2])], [vi("y", TP.INT32, [2])], [numpy_helper.from_array(i32([2, 0]), "b")])
    r.refuse("fmod_by_constant_zero", bad, "half", ("crash",), [i32([1, 2])])
    r.op("opset7", "Div", [i64(a), i64(b)], [i64(q)], opset=7, ir=3)


@row("onnx/onnx#5564", "C", "Mod takes the sign rule of C where it should take the divisor's", "spec and backend tests")
def mod_sign(r):
    a, b = [-4, 7, 5, 4, -7, 8], [2, -3, 8, -2, 3, 5]
    w0, w1 = [0, -2, 5, 0, 2, 3], [0, 1, 5, 0, -1, 3]
    both(r, "i64_fmod0", "Mod", [i64(a), i64(b)], [i64(w0)], opset=13)
    both(r, "i64_fmod1", "Mod", [i64(a), i64(b)], [i64(w1)], opset=13, fmod=1)
    r.own = True
    for n, t in (("i32", i32), ("i16", i16), ("i8", i8)):
        r.op(n + "_fmod0", "Mod", [t(a), t(b)], [t(w0)])
        r.op(n + "_fmod1", "Mod", [t(a), t(b)], [t(w1)], fmod=1)
    fa, fb = [-4.3, 7.2, 5.0, 4.3, -7.2, 8.0], [2.1, -3.4, 8.0, -2.1, 3.4, 5.0]
    for n, t in (("f32", f32), ("f64", f64)): r.op(n, "Mod", [t(fa), t(fb)], [np.fmod(t(fa), t(fb))], fmod=1)
    r.op("f16", "Mod", [f16([-4.5, 7.25, 5]), f16([2, -3.5, 8])], [f16([-0.5, 0.25, 5])], fmod=1)
    r.op("u8", "Mod", [u8([200, 7, 255]), u8([7, 7, 16])], [u8([4, 0, 15])])
    r.op("by_constant", "Mod", [i64([7, -7, 8, -8, 1, -1]), K(i64(4))], [i64([3, 1, 0, 0, 1, 3])])
    r.op("by_negative_constant", "Mod", [i64([7, -7, 8, -8, 1, -1]), K(i64(-4))], [i64([-1, -3, 0, 0, -3, -1])])
    r.op("broadcast", "Mod", [i32([[5], [-5]]), i32([3, -3])], [i32([[2, -1], [1, -2]])], dyn=True)


@row("apache/tvm#18590", "C", "Round sends ties away from zero", "spec: halves go to the nearest even integer")
def round_half_to_even(r):
    v, w = [0.5, 1.5, 2.5, -0.5, -1.5, -2.5], [0, 2, 2, -0.0, -2, -2]
    for n, t in (("f32", f32), ("f64", f64), ("f16", f16)): both(r, n, "Round", [t(v)], [t(w)])
    r.own = True
    r.op("bf16", "Round", [bf16(v)], [bf16(w)], opset=22)
    r.op("big_and_special", "Round", [f32([8388609, -16777216, 2097151.5, 0.49999997, inf, -inf, nan])], [f32([8388609, -16777216, 2097152, 0, inf, -inf, nan])])
    r.op("f64_just_below_half", "Round", [f64([0.49999999999999994, 4503599627370495.5])], [f64([0, 4503599627370496])])
    r.op("thirty_three_elements", "Round", [f32(np.arange(33) - 16.5)], [f32(np.rint(np.arange(33) - 16.5))])
    r.op("scalar", "Round", [f32(2.5)], [f32(2)])
    r.op("floor", "Floor", [f32(v)], [f32([0, 1, 2, -1, -2, -3])])
    r.op("ceil", "Ceil", [f32(v)], [f32([1, 2, 3, -0.0, -1, -2])])


@row("apache/tvm#19572", "C", "a reduction's NaN depends on where the NaN stands; Relu swallows NaN", "numpy and reference evaluator; the operator text is silent")
def nan_in_reductions(r):
    """The weaker demand that holds in any reading: the answer does not hang on the place, the vector width or the -O level."""
    for op in ("ReduceMax", "ReduceMin"):
        for tag, x in (("first", [nan, 1]), ("last", [2, nan])):
            r.op(f"{op.lower()}_{tag}", op, [f32(x)], [f32([nan])], keepdims=1)
    r.op("relu", "Relu", [f32([nan, -2])], [f32([nan, 0])])
    r.own = True
    for n in (8, 33):
        m = np.tile(up(n), (n, 1)); m[np.arange(n), np.arange(n)] = nan
        for op in ("ReduceMax", "ReduceMin"):
            r.op(f"{op.lower()}_every_place_{n}", op, [m, K(i64([1]))], [f32([nan] * n)], keepdims=0)
    m = up(40, 8, 5); m[3, 1] = nan
    r.op("reducemax_outer_axis", "ReduceMax", [m, K(i64([0]))], [f32([35, nan, 37, 38, 39])], keepdims=0)
    r.op("reducemax_f64", "ReduceMax", [f64([1, nan, 3])], [f64([nan])])
    r.op("reducemax_f16", "ReduceMax", [f16([1, nan, 3])], [f16([nan])])
    r.op("max_both_orders", "Max", [f32([nan, 1, 5]), f32([2, nan, 4])], [f32([nan, nan, 5])])
    r.op("min_both_orders", "Min", [f32([nan, 1, 5]), f32([2, nan, 4])], [f32([nan, nan, 4])])
    r.op("relu_long", "Relu", [f32([nan, -1, 1] * 11)], [f32([nan, 0, 1] * 11)])
    r.op("leaky_relu", "LeakyRelu", [f32([nan, -2, 2])], [f32([nan, -1, 2])], alpha=0.5)
    r.op("sum_and_mean", "ReduceMean", [f32([[nan, 1], [2, 4]]), K(i64([1]))], [f32([nan, 3])], keepdims=0)
    r.op("is_nan", "IsNaN", [f32([nan, 1, inf])], [bools([1, 0, 0])])
    r.op("compare_with_nan", "Less", [f32([nan, 1, nan]), f32([1, nan, nan])], [bools([0, 0, 0])])
    r.op("equal_nan", "Equal", [f32([nan, 1]), f32([nan, 1])], [bools([0, 1])])
    r.op("sign_of_nan", "Sign", [f32([nan, -2, -0.0, 3])], [f32([nan, -1, 0, 1])], why="onnxruntime and the reference evaluator")
    r.op("sign_of_nan_f16", "Sign", [f16([nan, -2, 0, 3])], [f16([nan, -1, 0, 1])], why="onnxruntime and the reference evaluator")
    r.op("sign_of_zero_and_inf", "Sign", [f32([-inf, -0.0, 0, inf])], [f32([-1, 0, 0, 1])])


def cast(r, tag, x, to, want, **kw):
    r.op(tag + "_runtime", "Cast", [x], [want], to=to, **kw)
    r.op(tag + "_folded", "Cast", [C(x)], [want], to=to, **kw)


@row("onnx/onnx#2285", "C", "casting float to int rounds instead of dropping the fraction", "spec: truncation; only zero casts to false")
def cast_float_to_int(r):
    v, w = [-2.7, -1.5, -0.5, 0.5, 1.5, 2.7], [-2, -1, 0, 0, 1, 2]
    cast(r, "i32", f32(v), TP.INT32, i32(w))
    cast(r, "bool", f32([0, -0.0, 0.1, nan, -3]), TP.BOOL, bools([0, 0, 1, 1, 1]))
    r.own = True
    for n, t, src in (("f64_to_i64", TP.INT64, f64), ("f16_to_i8", TP.INT8, f16), ("f32_to_i16", TP.INT16, f32)):
        cast(r, n, src(v), t, arr(helper.tensor_dtype_to_np_dtype(t))(w))
    cast(r, "f32_to_u8", f32([0.9, 1.5, 254.999]), TP.UINT8, u8([0, 1, 254]))
    cast(r, "f32_to_i64_big", f32([-(2.0**40), 2.0**62]), TP.INT64, i64([-(2**40), 2**62]))
    cast(r, "f32_to_u32_high", f32([3e9]), TP.UINT32, u32([3000000000]))
    cast(r, "i64_to_f32_ties", i64([16777217, 16777219, -16777217, 2**62 + 1]), FLOAT, f32([16777216, 16777220, -16777216, 2.0**62]), rtol=0, atol=0)
    cast(r, "i32_to_i8_low_bits", i32([200, -129, 256, -1]), TP.INT8, i8([-56, 127, 0, -1]), why="Cast: integer out of range discards the higher bits")
    cast(r, "u8_to_i8", u8([255, 128, 127]), TP.INT8, i8([-1, -128, 127]))
    cast(r, "i8_to_u8", i8([-1, -128, 127]), TP.UINT8, u8([255, 128, 127]))
    cast(r, "bool_to_f16", bools([1, 0]), TP.FLOAT16, f16([1, 0]))
    cast(r, "i64_to_bool", i64([1 << 32, 0, -1]), TP.BOOL, bools([1, 0, 1]))
    z = dict(rtol=0, atol=0, why="IEEE 754 round to nearest even")
    cast(r, "f32_to_f16", f32([2049, 2051, 65519, 65520, -1e6, 2.0**-24, 2.0**-25, 2.0**-25 * 1.01, 1.0009765, inf]), TP.FLOAT16,
         f16([2048, 2052, 65504, inf, -inf, 2.0**-24, 0, 2.0**-24, 1.0009765625, inf]), **z)
    cast(r, "f64_to_f16", f64([2049, 2051, 1e9]), TP.FLOAT16, f16([2048, 2052, inf]), **z)
    cast(r, "f64_to_f16_rounds_once", f64([2049.0000001]), TP.FLOAT16, f16([2050]), note="through f32 it would round twice and give 2048", **z)
    once = [2049.0000001, -2049.0000001, 2049, 2047.9999999, 65519.9999999, 65520, 1e300, -inf, nan, 2.0**-25, 2.0**-25 + 2.0**-60, 2.0**-24 * 1.5, 2.0**-24 * 1.4999999999, 5e-324]
    cast(r, "f64_to_f16_rounds_once_everywhere", f64(once), TP.FLOAT16,
         f16([2050, -2050, 2048, 2048, 65504, inf, inf, -inf, nan, 0, 2.0**-24, 2.0**-23, 2.0**-24, 0]), **z)
    cast(r, "f64_to_bf16_rounds_once", f64([1 + 2.0**-8 + 2.0**-40, 1 + 2.0**-8, 1 + 3 * 2.0**-8 - 2.0**-40, -(1 + 2.0**-8 + 2.0**-40), 3.4e38, 1e300]), TP.BFLOAT16,
         bf16([1 + 2.0**-7, 1, 1 + 2.0**-7, -(1 + 2.0**-7), inf, inf]), **z)
    cast(r, "f64_to_f8_rounds_once", f64([17 + 2.0**-40, 17, 19 - 2.0**-40]), TP.FLOAT8E4M3FN, np.asarray([18, 16, 18], ml_dtypes.float8_e4m3fn), **z)
    cast(r, "f64_to_f32", f64([1 + 2.0**-24, 1 + 2.0**-24 + 2.0**-40, 1e300]), FLOAT, f32([1, 1 + 2.0**-23, inf]), **z)
    cast(r, "f32_to_bf16", f32([1 + 2.0**-8, 1 + 3 * 2.0**-8, -(1 + 2.0**-8 + 2.0**-20), 3.4e38]), TP.BFLOAT16, bf16([1, 1 + 2.0**-6, -(1 + 2.0**-7), inf]), **z)
    cast(r, "bf16_to_f32", bf16([1.5, -0.25, inf]), FLOAT, f32([1.5, -0.25, inf]), **z)
    cast(r, "f16_to_f32_subnormal", f16([2.0**-24, -(2.0**-14), 65504, nan]), FLOAT, f32([2.0**-24, -(2.0**-14), 65504, nan]), **z)
    r.op("cast_like", "CastLike", [f32(v), i64([0])], [i64(w)])
    r.op("out_of_range_does_not_trap", "Cast", [f32([1e20, -1e20, nan, inf])], [i32([0, 0, 0, 0])], to=TP.INT32, compare="none",
         why="the values are undefined; only a result of four elements and no trap is asked for")


@row("microsoft/onnxruntime#10491", "C", "Softplus loses accuracy for negative arguments and overflows for large ones", "log1p(exp x)")
def softplus_range(r):
    x = [-12.3392, 0, 100]
    sp = lambda t: np.logaddexp(0, np.float64(t))
    r.op("f32", "Softplus", [f32(x)], [f32([4.376758e-06, 0.693147, 100])], rtol=2e-5, atol=0)
    r.own = True
    r.op("f64", "Softplus", [f64(x + [-700, 1000])], [f64(sp(x + [-700, 1000]))], rtol=1e-9, atol=0)
    r.op("f16", "Softplus", [f16([-5, 0, 11, 60000])], [f16(sp([-5, 0, 11, 60000]))])
    r.op("inf", "Softplus", [f32([inf, -inf, nan])], [f32([inf, 0, nan])])
    r.op("sigmoid_ends", "Sigmoid", [f32([-1000, -88, 0, 88, 1000, -inf, inf])], [f32([0, 0, 0.5, 1, 1, 0, 1])])
    r.op("tanh_ends", "Tanh", [f32([-100, -1e-4, 1e-4, 100, inf])], [f32([-1, -1e-4, 1e-4, 1, 1])])
    r.op("mish_ends", "Mish", [f32([-100, 0, 100])], [f32([0, 0, 100])], opset=18)
    r.op("elu_ends", "Elu", [f32([-1000, -1, 0, 1000])], [f32([-1, np.expm1(-1), 0, 1000])])
    r.op("selu_ends", "Selu", [f32([-1000, 0, 2])], [f32([-1.7580993, 0, 2.1014020])])
    r.op("softmax_large", "Softmax", [f32([[1000, 1000, -1000]])], [f32([[0.5, 0.5, 0]])], axis=1)
    r.op("softmax_minus_inf", "Softmax", [f32([[-inf, 0, 0]])], [f32([[0, 0.5, 0.5]])], axis=1)
    r.op("log_softmax_large", "LogSoftmax", [f32([[1000, 0]])], [f32([[0, -1000]])], axis=1)
    r.op("erf_ends", "Erf", [f32([-5, 0, 5, inf])], [f32([-1, 0, 1, 1])])
    r.op("gelu_ends", "Gelu", [f32([-100, 0, 100])], [f32([0, 0, 100])], opset=20)
    r.op("exp_ends", "Exp", [f32([-200, 0, 88, 89, -inf])], [f32([0, 1, 1.6516363e38, inf, 0])])
    r.op("thirty_three_elements", "Softplus", [f32(np.linspace(-20, 110, 33))], [f32(sp(f32(np.linspace(-20, 110, 33))))], rtol=2e-5, atol=0)


@row("iree-org/iree#20803", "C", "x-(x+1) gives +1: the operands are swapped")
def sub_operand_order(r):
    r.graph("", [N("Add", "x c", "s"), N("Sub", "x s", "y")], {"x": f32([5])}, {"y": f32([-1])}, {"c": f32(1)})
    r.own = True
    x, c = f32([5, -2]), f32(4)
    for op, xc, cx in (("Sub", x - c, c - x), ("Div", x / c, c / x)):
        r.op(op.lower() + "_const_right", op, [x, K(c)], [xc])
        r.op(op.lower() + "_const_left", op, [K(c), x], [cx])
    p = f32([0.5, 3])
    r.op("pow_const_left", "Pow", [K(f32(4)), p], [f32([2, 64])])
    r.op("pow_const_right", "Pow", [p, K(f32(2))], [f32([0.25, 9])])
    r.op("less_const_left", "Less", [K(c), x], [bools([1, 0])])
    r.op("greater_or_equal_const_left", "GreaterOrEqual", [K(c), f32([4, 5])], [bools([1, 0])])
    r.op("mod_const_left", "Mod", [K(i64(7)), i64([3, -4])], [i64([1, -1])])
    r.op("bit_shift_const_left", "BitShift", [K(u32(1)), u32([3, 5])], [u32([8, 32])], direction="LEFT")
    a, b = up(4, 2, 2) + 1, f32([[0, 1], [2, 0]])
    r.op("mat_mul_const_left", "MatMul", [K(b), a], [b @ a])
    r.op("mat_mul_const_right", "MatMul", [a, K(b)], [a @ b])
    r.op("sub_self", "Sub", [x, C(x)], [f32([0, 0])])
    r.op("sub_broadcast_left", "Sub", [f32([10]), up(6, 2, 3)], [10 - up(6, 2, 3)], dyn=True)
    r.graph("chain_of_four", [N("Sub", "c x", "a"), N("Sub", "x a", "b"), N("Div", "c b", "d"), N("Sub", "d x", "y")], {"x": f32([5])}, {"y": f32([4 / 6 - 5])}, {"c": f32(4)})


@row("microsoft/onnxruntime#29034", "C", "the f16 norm gathers its variance in f16, which overflows", "spec: stage one runs in f32 when stash_type=1")
def layer_norm_f16_variance(r):
    x = f16([[10000, -10000, 10000, -10000]])
    r.op("", "LayerNormalization", [x, f16([1] * 4)], [f16([[1, -1, 1, -1]])], opset=17, axis=-1, stash_type=1)
    r.own = True

    def ln(x, axis=-1, eps=1e-5):
        ax = tuple(range(axis % x.ndim, x.ndim))
        x = x.astype(np.float64)
        m = x.mean(ax, keepdims=True)
        s = 1 / np.sqrt(((x - m) ** 2).mean(ax, keepdims=True) + eps)
        return (x - m) * s, m, s
    r.op("bias", "LayerNormalization", [x, f16([1, 2, 1, 2]), f16([1, 1, 0, 0])], [f16([[2, -1, 1, -2]])], opset=17)
    y, m, s = ln(x)
    r.op("mean_and_inv_std", "LayerNormalization", [x, f16([1] * 4)], [f16(y), f32(m), f32(s)], opset=17)
    z = rnd(2, 3, 4)
    for axis in (0, 1, -1):
        y, m, s = ln(z, axis)
        sc = rnd(*z.shape[axis % 3:], seed=4)
        r.op(f"f32_axis_{str(axis).replace('-', 'm')}", "LayerNormalization", [z, sc], [f32(y * sc), f32(m), f32(s)], opset=17, axis=axis, rtol=1e-4)
    r.op("far_from_zero", "LayerNormalization", [f32([[10001, 10002, 10003, 10004]]), f32([1] * 4)], [f32(ln(f32([[10001, 10002, 10003, 10004]]))[0])], opset=17, rtol=1e-3)
    r.op("constant_row", "LayerNormalization", [f32([[3] * 5]), f32([1] * 5)], [f32([[0] * 5])], opset=17)
    r.op("dynamic", "LayerNormalization", [z, f32([1] * 4)], [f32(ln(z)[0])], opset=17, dims={"X": ["A", "B", 4]}, rtol=1e-4)
    g = rnd(1, 4, 2, 3)
    gn = lambda n: f32(ln(g.reshape(1, n, -1))[0].reshape(g.shape))
    r.op("group_norm", "GroupNormalization", [g, f32([1] * 4), f32([0] * 4)], [gn(2)], opset=21, num_groups=2, rtol=1e-4)
    r.op("instance_norm", "InstanceNormalization", [g, f32([1] * 4), f32([0] * 4)], [gn(4)], rtol=1e-4)
    q = rnd(2, 4)
    r.op("rms_norm", "RMSNormalization", [q, f32([1, 2, 1, 2])], [f32(q / np.sqrt((q.astype(np.float64)**2).mean(-1, keepdims=True) + 1e-5) * [1, 2, 1, 2])], opset=23, ir=11, rtol=1e-4)


@row("microsoft/onnxruntime#29790", "C", "the training-mode output of BatchNormalization hangs on momentum", "spec formula; population variance")
def batch_norm_training(r):
    x, one, zero = f32([[1], [2], [3], [6]]), f32([1]), f32([0])
    for m in (0.0, 0.5, 0.9):
        r.op(f"momentum_{int(m * 10)}", "BatchNormalization", [x, one, zero, zero, one],
             [f32([[-1.069044], [-0.534522], [0], [1.603566]]), f32([3 * (1 - m)]), f32([m + 3.5 * (1 - m)])], opset=15, training_mode=1, momentum=m, rtol=1e-4)
    r.own = True
    z, sc, b, mu, var = rnd(2, 3, 4, 2), f32([1, 2, 3]), f32([0, 1, -1]), f32([0.5, -0.5, 0]), f32([1, 2, 4])
    col = lambda v: v.astype(np.float64).reshape(1, 3, 1, 1)
    inf_y = f32(col(sc) * (z - col(mu)) / np.sqrt(col(var) + 1e-5) + col(b))
    m1, v1 = z.astype(np.float64).mean((0, 2, 3)), z.astype(np.float64).var((0, 2, 3))
    tr_y = f32(col(sc) * (z - col(m1)) / np.sqrt(col(v1) + 1e-5) + col(b))
    for op in (14, 15):
        r.op(f"nchw_opset{op}", "BatchNormalization", [z, sc, b, mu, var], [tr_y, f32(mu * 0.9 + m1 * 0.1), f32(var * 0.9 + v1 * 0.1)], opset=op, training_mode=1, rtol=1e-4)
    for op, ir in ((7, 3), (9, 4), (14, 7), (15, 8)):
        r.op(f"inference_opset{op}", "BatchNormalization", [z, K(sc), K(b), K(mu), K(var)], [inf_y], opset=op, ir=ir, rtol=1e-4)
    r.op("inference_epsilon", "BatchNormalization", [z, sc, b, mu, var], [f32(col(sc) * (z - col(mu)) / np.sqrt(col(var) + 0.5) + col(b))], opset=15, epsilon=0.5, rtol=1e-4)
    r.op("inference_rank2", "BatchNormalization", [z[:, :, 0, 0], sc, b, mu, var], [inf_y[:, :, 0, 0]], opset=15, rtol=1e-4)
    r.op("inference_dynamic", "BatchNormalization", [z, K(sc), K(b), K(mu), K(var)], [inf_y], opset=15, dims={"X": ["N", 3, "H", "W"]}, rtol=1e-4)
    r.graph("folds_into_conv", [N("Conv", "x w", "t"), N("BatchNormalization", "t s b m v", "y")], {"x": z}, {"y": inf_y},
            {"w": np.eye(3, dtype=np.float32).reshape(3, 3, 1, 1), "s": sc, "b": b, "m": mu, "v": var}, opset=15, rtol=1e-4)
