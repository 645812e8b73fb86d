"""E. Quantisation."""
import numpy as np
import ml_dtypes
import onnx
from onnx import TensorProto as TP, helper, numpy_helper

from core import *
from formulas import *


@row("microsoft/onnxruntime#3442", "E", "int8 saturates at -127")
def quantize_saturates(r):
    x = f32([-129, -128, -127, -126, 126, 127, 128, 129])
    both(r, "i8", "QuantizeLinear", [x, f32(1), i8(0)], [i8([-128, -128, -127, -126, 126, 127, 127, 127])])
    r.own = True
    y = f32([-1, 0, 1, 254, 255, 256, 1e10, -1e10])
    r.op("u8", "QuantizeLinear", [y, K(f32(1)), K(u8(0))], [u8([0, 0, 1, 254, 255, 255, 255, 0])])
    r.op("u8_default_zero_point", "QuantizeLinear", [y, K(f32(1))], [u8([0, 0, 1, 254, 255, 255, 255, 0])])
    r.op("inf", "QuantizeLinear", [f32([inf, -inf]), K(f32(1)), K(i8(3))], [i8([127, -128])])
    r.op("i16", "QuantizeLinear", [f32([-40000, -32768.4, 32767.4, 40000]), K(f32(1)), K(i16(0))], [i16([-32768, -32768, 32767, 32767])])
    r.op("u16_zero_point", "QuantizeLinear", [f32([-40000, 0, 40000]), K(f32(1)), K(u16(32768))], [u16([0, 32768, 65535])])
    z, s, zp = rnd(2, 3, 2) * 8, f32([0.25, 0.5, 2]), i8([-5, 0, 7])
    q = quantize(z, s.reshape(1, 3, 1), zp.reshape(1, 3, 1), np.int8)
    r.op("per_axis", "QuantizeLinear", [z, K(s), K(zp)], [q], axis=1)
    r.op("per_axis_negative", "QuantizeLinear", [z, s, zp], [q], axis=-2)
    r.op("per_axis_dynamic", "QuantizeLinear", [z, K(s), K(zp)], [q], axis=1, dims={"x": ["N", 3, "L"]})
    r.op("dequantize_per_axis", "DequantizeLinear", [q, K(s), K(zp)], [f32((q.astype(np.int64) - zp.reshape(1, 3, 1)) * s.reshape(1, 3, 1))], axis=1)
    r.op("dequantize_extremes", "DequantizeLinear", [i8([-128, 127]), K(f32(0.5)), K(i8(127))], [f32([-127.5, 0])])
    r.op("dequantize_i32", "DequantizeLinear", [i32([-(1 << 20), 3]), K(f32(0.5))], [f32([-(1 << 19), 1.5])])
    b, bs, bz = u8(np.arange(12) * 20, 3, 4), f32([[1, 2], [0.5, 4], [1, 1]]), u8([[0, 10], [20, 30], [100, 200]])
    r.op("dequantize_blocked", "DequantizeLinear", [b, K(bs), K(bz)], [f32((b.astype(np.int64) - np.repeat(bz, 2, 1)) * np.repeat(bs, 2, 1))], axis=1, block_size=2)
    x4 = f32([[-9, -8, 7, 8, 0.5, 1.5]])
    r.graph("i4_pack", [N("QuantizeLinear", "x s z", "q"), N("DequantizeLinear", "q s z", "y")], {"x": x4}, {"y": f32([[-8, -8, 7, 7, 0, 2]])},
            {"s": f32(1), "z": helper.make_tensor("z", TP.INT4, [], [0])}, rtol=0, atol=0)
    r.graph("u4_constant_odd_count", [N("DequantizeLinear", "q s", "y")], {"s": f32(0.5)}, {"y": f32([0, 0.5, 7.5, 4, 1])},
            {"q": helper.make_tensor("q", TP.UINT4, [5], [0, 1, 15, 8, 2])}, rtol=0, atol=0)


@row("sonos/tract#2850", "E", "quantising sends ties away from zero", "spec: round half to even")
def quantize_ties(r):
    x = f32([.25, .75, 1.25, 1.75, -.25, -.75])
    r.op("i8", "QuantizeLinear", [x, f32(.5), i8(0)], [i8([0, 2, 2, 4, 0, -2])])
    r.op("u8", "QuantizeLinear", [x, f32(.5), u8(0)], [u8([0, 2, 2, 4, 0, 0])])
    r.own = True
    r.op("odd_zero_point_after_rounding", "QuantizeLinear", [x, K(f32(.5)), K(i8(1))], [i8([1, 3, 3, 5, 1, -1])], why="spec: saturate(round(x / scale) + zero_point)")
    r.op("folded", "QuantizeLinear", [C(x), C(f32(.5)), C(i8(0))], [i8([0, 2, 2, 4, 0, -2])])
    r.op("thirty_three_elements", "QuantizeLinear", [f32(np.arange(33) - 16) / 2, K(f32(1)), K(i8(0))], [i8(np.rint((np.arange(33) - 16) / 2))])
    r.op("last_tie_below_limit", "QuantizeLinear", [f32([126.5, 127.5, -127.5, -128.5]), K(f32(1)), K(i8(0))], [i8([126, 127, -128, -128])])


@row("iree-org/iree#24583", "E", "the zero points of MatMulInteger are ignored")
def mat_mul_integer_zero_points(r):
    a, b = u8([[11, 7, 3], [10, 6, 2], [9, 5, 1], [8, 4, 0]]), u8([[1, 4], [2, 5], [3, 6]])
    w0, w2 = i32([[-38, -83], [-44, -98], [-50, -113], [-56, -128]]), i32([[-8, -53], [-8, -62], [-8, -71], [-8, -80]])
    for tag, k in (("runtime", lambda a: a), ("const", K)):
        r.op(f"b0_{tag}", "MatMulInteger", [a, k(b), k(u8(12)), k(u8(0))], [w0])
        r.op(f"b2_{tag}", "MatMulInteger", [a, k(b), k(u8(12)), k(u8(2))], [w2])
    r.own = True
    mm = lambda a, b, az=0, bz=0: np.matmul(a.astype(np.int64) - az, b.astype(np.int64) - bz).astype(np.int32)
    r.op("none", "MatMulInteger", [a, b], [mm(a, b)])
    r.op("only_b", "MatMulInteger", [a, b, None, u8(2)], [mm(a, b, 0, 2)])
    s = i8(np.arange(-6, 6), 3, 4)
    r.op("i8_i8", "MatMulInteger", [s, s.T.copy(), i8(-3), i8(5)], [mm(s, s.T, -3, 5)])
    r.op("batched", "MatMulInteger", [u8(np.arange(12), 2, 2, 3), i8(np.arange(-3, 3), 3, 2), u8(7), i8(-2)], [mm(u8(np.arange(12), 2, 2, 3), i8(np.arange(-3, 3), 3, 2), 7, -2)])
    r.op("dynamic", "MatMulInteger", [a, b, u8(12), u8(2)], [w2], dims={"A": ["M", "K"], "B": ["K", "N"], "a_zero_point": [], "b_zero_point": []})
    x, w = u8(np.arange(2, 11), 1, 1, 3, 3), u8([1, 1, 1, 1], 1, 1, 2, 2)
    r.op("conv_integer", "ConvInteger", [x, w, u8(1)], [i32([12, 16, 24, 28], 1, 1, 2, 2)])
    xi = np.pad(x.astype(np.float64) - 1, [(0, 0), (0, 0), (1, 1), (1, 1)])
    r.op("conv_integer_padded", "ConvInteger", [x, w, K(u8(1))], [conv(xi, w.astype(np.float64)).astype(np.int32)], pads=[1] * 4, why="spec: the padding stands for the value zero, that is the zero point")


@row("microsoft/onnxruntime#27897", "E", "a zero point for each row of A is refused", "spec: a_zero_point may be a row vector")
def mat_mul_integer_per_row(r):
    a, b = u8([[11, 12], [22, 21]]), i8([[1, 2], [3, 4]])
    r.op("", "MatMulInteger", [a, b, u8([10, 20])], [i32([[7, 10], [5, 8]])])
    r.own = True
    r.op("const", "MatMulInteger", [a, K(b), K(u8([10, 20]))], [i32([[7, 10], [5, 8]])])
    a3 = np.stack([a, a[::-1]])
    r.op("batched_column", "MatMulInteger", [a3, b, u8([[[10], [20]], [[1], [2]]])], [i32([[[7, 10], [5, 8]], [[81, 122], [39, 58]]])], why="spec: [D1, M, 1] zero points for [D1, M, K]")
    r.op("per_column_of_b", "MatMulInteger", [a, b, u8(10), i8([1, -1])], [i32([[4, 13], [22, 91]])])


@row("iree-org/iree#24378 (QLinearMatMul)", "E", "quantised matmul differs in zero point or saturation", "ONNX backend test")
def qlinear_mat_mul(r):
    a, b = u8([[208, 236, 0, 238], [3, 214, 255, 29]]), u8([[152, 51, 244], [60, 26, 255], [0, 127, 246], [127, 254, 247]])
    q = [f32(.0066), u8(113)], [f32(.00705), u8(114)], [f32(.0107), u8(118)]
    want = u8([[168, 115, 255], [1, 66, 151]])
    r.op("runtime", "QLinearMatMul", [a, *q[0], b, *q[1], *q[2]], [want])
    r.op("const", "QLinearMatMul", [a, *map(K, q[0]), K(b), *map(K, q[1]), *map(K, q[2])], [want])
    r.own = True
    f = lambda a, az, b, bz, s, yz, t: saturate(np.rint(np.matmul(a.astype(np.int64) - az, b.astype(np.int64) - bz) * s) + yz, t)
    x, y = i8(np.arange(-6, 6) * 9, 3, 4), i8(np.arange(-4, 4) * 11, 4, 2)
    r.op("i8", "QLinearMatMul", [x, f32(.5), i8(-3), K(y), K(f32(.25)), K(i8(2)), f32(8), i8(5)], [f(x, -3, y, 2, .5 * .25 / 8, 5, np.int8)])
    r.op("saturates_both_ways", "QLinearMatMul", [x, f32(1), i8(0), K(y), K(f32(1)), K(i8(0)), f32(16), i8(0)], [f(x, 0, y, 0, 1 / 16, 0, np.int8)])
    r.op("per_column", "QLinearMatMul", [x, f32(.5), i8(0), K(y), K(f32([.25, .5])), K(i8([0, 3])), f32(8), i8(0)],
         [saturate(np.rint(np.matmul(x.astype(np.int64), y.astype(np.int64) - [0, 3]) * np.float64([.5 * .25 / 8, .5 * .5 / 8])), np.int8)])
    ix, iw = u8(np.arange(18) * 13, 1, 2, 3, 3), i8(np.arange(-8, 8), 2, 2, 2, 2)
    acc = conv(ix.astype(np.float64) - 100, iw.astype(np.float64)) + np.float64([8, -16]).reshape(1, 2, 1, 1)
    r.op("qlinear_conv", "QLinearConv", [ix, K(f32(.5)), K(u8(100)), K(iw), K(f32([.25, .5])), K(i8([0, 0])), K(f32(4)), K(u8(128)), K(i32([8, -16]))],
         [saturate(np.rint(acc * np.float64([.5 * .25 / 4, .5 * .5 / 4]).reshape(1, 2, 1, 1)) + 128, np.uint8)])


@row("ROCm/hip-ep#588", "E", "the row stride of packed int4 is wrong when K is not a multiple of the block", "com.microsoft operator text")
def mat_mul_nbits_tail_block(r):
    def pack(q, k, block):      # q[n][k] -> [N, blocks, block/2], low nibble first, tail filled with 15
        blocks = -(-k // block)
        full = np.full((len(q), blocks * block), 15, np.uint8); full[:, :k] = q
        return (full[:, 0::2] | full[:, 1::2] << 4).reshape(len(q), blocks, block // 2)
    ok = dict(also_ok=["error"], error_hint="MatMulNBits", must_not=["crash", "padding read as weight"])
    q = u8([[9] * 40, [10] * 40])
    r.op("", "MatMulNBits", [np.ones((1, 40), np.float32), K(pack(q, 40, 32)), K(np.ones((2, 2), np.float32))], [f32([[40, 80]])], domain="com.microsoft", K=40, N=2, bits=4, block_size=32, **ok)
    r.own = True
    rs = np.random.RandomState(5)
    for k, blk in ((33, 16), (17, 16)):
        w, s, a = rs.randint(0, 16, (3, k)).astype(np.uint8), f32(rs.randint(1, 8, (3, -(-k // blk)))) / 4, rnd(2, k)
        dq = (w.astype(np.float64) - 8) * np.repeat(s, blk, 1)[:, :k]
        r.op(f"k{k}_block{blk}", "MatMulNBits", [a, K(pack(w, k, blk)), K(s)], [f32(a @ dq.T)], domain="com.microsoft", K=k, N=3, bits=4, block_size=blk, rtol=1e-4, atol=1e-4, **ok)


@row("kraiskil/onnx2c#86", "E", "a rank-0 scale or zero point aborts the compiler")
def quantize_rank0_parameters(r):
    x = f32([-1, .26, 9])
    nodes = [N("QuantizeLinear", "x s z", "q"), N("DequantizeLinear", "q s z", "y")]
    want = dict(ins={"x": x}, outs={"y": f32([-1, .3, 9])})
    r.graph("initializers", nodes, init={"s": f32(.1), "z": i8(0)}, **want)
    cn = lambda n, a: helper.make_node("Constant", [], [n], value=numpy_helper.from_array(a))
    r.graph("constant_nodes", [cn("s", f32(.1)), cn("z", i8(0))] + nodes, **want)
    r.own = True
    r.graph("scalar_attribute", [N("Constant", [], "s", value_float=0.1)] + nodes, init={"z": i8(0)}, **want)
    r.graph("runtime", nodes, {"x": x, "s": f32(.1), "z": i8(0)}, want["outs"])
    r.graph("rank1_of_one", nodes, init={"s": f32([.1]), "z": i8([0])}, **want)
    r.op("scalar_everything", "Add", [f32(1), K(f32(2))], [f32(3)])
    r.op("scalar_input_relu", "Relu", [f32(-3)], [f32(0)])
    r.op("scalar_reduce", "ReduceSum", [f32(4)], [f32(4)])
    r.op("scalar_where", "Where", [bools(True), f32(1), f32([2, 3])], [f32([1, 1])])
