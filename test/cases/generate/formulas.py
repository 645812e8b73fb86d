"""Operators as plain numpy, to get wanted values from."""
from fractions import Fraction as Fr
import numpy as np
import ml_dtypes
import onnx
from onnx import TensorProto as TP, helper, numpy_helper

from core import *


def conv(x, w, pads=None, strides=None, dil=None, group=1):
    n = x.ndim - 2
    pads, s, d = pads or [0] * 2 * n, strides or [1] * n, dil or [1] * n
    k = w.shape[2:]
    xp = np.pad(x.astype(np.float64), [(0, 0), (0, 0)] + [(pads[i], pads[i + n]) for i in range(n)])
    out = [(xp.shape[2 + i] - ((k[i] - 1) * d[i] + 1)) // s[i] + 1 for i in range(n)]
    y = np.zeros([x.shape[0], w.shape[0]] + out)
    cg, mg = x.shape[1] // group, w.shape[0] // group
    for pos in np.ndindex(*out):
        win = xp[(slice(None), slice(None)) + tuple(slice(p * s[i], p * s[i] + (k[i] - 1) * d[i] + 1, d[i]) for i, p in enumerate(pos))]
        for g in range(group):
            y[(slice(None), slice(g * mg, (g + 1) * mg)) + pos] = np.tensordot(
                win[:, g * cg:(g + 1) * cg], w[g * mg:(g + 1) * mg].astype(np.float64), axes=(list(range(1, n + 2)),) * 2)
    return y.astype(x.dtype)


def conv_t(x, w, strides, pads, out_pad=None, dil=None):
    """Transposed convolution by scattering; pads are the final begin/end crops."""
    n = x.ndim - 2
    d, op, k = dil or [1] * n, out_pad or [0] * n, w.shape[2:]
    full = [(x.shape[2 + i] - 1) * strides[i] + (k[i] - 1) * d[i] + 1 + op[i] for i in range(n)]
    y = np.zeros([x.shape[0], w.shape[1]] + full)
    for pos in np.ndindex(*x.shape[2:]):
        for t in np.ndindex(*k):
            at = tuple(pos[i] * strides[i] + t[i] * d[i] for i in range(n))
            y[(slice(None), slice(None)) + at] += x[(slice(None), slice(None)) + pos].astype(np.float64) @ w[(slice(None), slice(None)) + t].astype(np.float64)
    crop = tuple(slice(pads[i], full[i] - pads[i + n]) for i in range(n))
    return y[(slice(None), slice(None)) + crop].astype(x.dtype)


def pool(x, kind, k, s, pads=None, d=None, ceil=0, include=0):
    n = x.ndim - 2
    pads, d = pads or [0] * 2 * n, d or [1] * n
    out = []
    for i in range(n):
        span = x.shape[2 + i] + pads[i] + pads[i + n] - ((k[i] - 1) * d[i] + 1)
        o = (-(-span // s[i]) if ceil else span // s[i]) + 1
        if ceil and (o - 1) * s[i] >= x.shape[2 + i] + pads[i]: o -= 1   # window would start in the right padding
        out.append(o)
    y = np.zeros(list(x.shape[:2]) + out)
    for pos in np.ndindex(*out):
        taps = [[pos[i] * s[i] - pads[i] + j * d[i] for j in range(k[i])] for i in range(n)]
        real = [[t for t in taps[i] if 0 <= t < x.shape[2 + i]] for i in range(n)]
        padded = [[t for t in taps[i] if -pads[i] <= t < x.shape[2 + i] + pads[i + n]] for i in range(n)]
        win = x[np.ix_(range(x.shape[0]), range(x.shape[1]), *real)].astype(np.float64)
        axes = tuple(range(2, 2 + n))
        count = np.prod([len(p) for p in (padded if include else real)])
        y[(slice(None), slice(None)) + pos] = win.max(axes) if kind == "max" else win.sum(axes) / count
    return y.astype(x.dtype)


def resize_axis(x, axis, out, scale, mode="nearest", coord="half_pixel", near="round_prefer_floor", a=-0.75, exclude=0):
    """One axis of Resize in exact fractions; scale is out/in or the given scale."""
    n, scale = x.shape[axis], Fr(scale)
    v = np.moveaxis(x, axis, -1)
    y = np.zeros(v.shape[:-1] + (out,), np.float64)
    for i in range(out):
        p = {"half_pixel": lambda: (i + Fr(1, 2)) / scale - Fr(1, 2),
             "pytorch_half_pixel": lambda: (i + Fr(1, 2)) / scale - Fr(1, 2) if out > 1 else Fr(0),
             "align_corners": lambda: Fr(i * (n - 1), out - 1) if out > 1 else Fr(0),
             "asymmetric": lambda: i / scale,
             "half_pixel_symmetric": lambda: Fr(n, 2) * (1 - Fr(out) / (scale * n)) + (i + Fr(1, 2)) / scale - Fr(1, 2)}[coord]()
        lo, half = p.numerator // p.denominator, Fr(1, 2)
        if mode == "nearest":
            j = {"round_prefer_floor": -((half - p).numerator // (half - p).denominator), "floor": lo, "ceil": -((-p).numerator // p.denominator),
                 "round_prefer_ceil": (p + half).numerator // (p + half).denominator}[near]
            y[..., i] = v[..., min(max(j, 0), n - 1)]
            continue
        r = float(p - lo)
        if mode == "linear": taps = {lo: 1 - r, lo + 1: r}
        else:
            def w(t):
                t = abs(t)
                return (a + 2) * t**3 - (a + 3) * t**2 + 1 if t <= 1 else a * t**3 - 5 * a * t**2 + 8 * a * t - 4 * a if t < 2 else 0
            taps = {lo + j: w(r - j) for j in (-1, 0, 1, 2)}
            if exclude:
                taps = {j: c for j, c in taps.items() if 0 <= j < n}
                total = sum(taps.values())
                taps = {j: c / total for j, c in taps.items()}
        for j, c in taps.items(): y[..., i] += c * v[..., min(max(j, 0), n - 1)]
    return np.moveaxis(y, -1, axis).astype(x.dtype)


def grid_sample(x, grid, mode="linear", padding="zeros", align=0):
    nb, ch, hh, ww = x.shape
    y = np.zeros((nb, ch) + grid.shape[1:3])

    def reflect(p, lo, hi):
        if hi == lo: return lo
        p = abs(p - lo) % (2 * (hi - lo))
        return lo + (p if p <= hi - lo else 2 * (hi - lo) - p)

    def at(b, r, c):
        if padding == "border": r, c = min(max(r, 0), hh - 1), min(max(c, 0), ww - 1)
        if padding == "reflection":
            lo, hr, hc = (0, hh - 1, ww - 1) if align else (-0.5, hh - 0.5, ww - 0.5)
            r, c = int(reflect(r, lo, hr)), int(reflect(c, lo, hc))
        return x[b, :, r, c].astype(np.float64) if 0 <= r < hh and 0 <= c < ww else np.zeros(ch)

    for b, i, j in np.ndindex(*grid.shape[:3]):
        gx, gy = [float(g) for g in grid[b, i, j]]
        px = (gx + 1) / 2 * (ww - 1) if align else ((gx + 1) * ww - 1) / 2
        py = (gy + 1) / 2 * (hh - 1) if align else ((gy + 1) * hh - 1) / 2
        if padding == "border": px, py = min(max(px, 0), ww - 1), min(max(py, 0), hh - 1)
        if padding == "reflection":
            lo, hr, hc = (0, hh - 1, ww - 1) if align else (-0.5, hh - 0.5, ww - 0.5)
            px, py = reflect(px, lo, hc), reflect(py, lo, hr)
        if mode == "nearest": y[b, :, i, j] = at(b, int(np.rint(py)), int(np.rint(px)))
        else:
            r, c = int(np.floor(py)), int(np.floor(px))
            for dr in (0, 1):
                for dc in (0, 1):
                    wgt = (1 - abs(py - (r + dr))) * (1 - abs(px - (c + dc)))
                    if wgt: y[b, :, i, j] += wgt * at(b, r + dr, c + dc)
    return y.astype(x.dtype)


def sig(x): return 1 / (1 + np.exp(-x))
def softmax(x, axis): e = np.exp(x.astype(np.float64) - x.max(axis, keepdims=True)); return (e / e.sum(axis, keepdims=True)).astype(x.dtype)
def flat_softmax(x, axis): return softmax(x.reshape(int(np.prod(x.shape[:axis])), -1), 1).reshape(x.shape)


def recurrent(kind, X, W, R, B=None, lens=None, direction="forward", lbr=0, h0=None, c0=None):
    """RNN, GRU, LSTM over X[seq,batch,in]; returns Y, Y_h, Y_c. W, R, B have the direction axis."""
    T, batch, _ = X.shape
    H = R.shape[-1]
    dirs = {"forward": [0], "reverse": [1], "bidirectional": [0, 1]}[direction]
    lens = [T] * batch if lens is None else list(lens)
    Y, Yh, Yc = np.zeros((T, len(dirs), batch, H)), np.zeros((len(dirs), batch, H)), np.zeros((len(dirs), batch, H))
    X, W, R = X.astype(np.float64), W.astype(np.float64), R.astype(np.float64)
    for k, back in enumerate(dirs):
        G = W.shape[1]
        wb, rb = (np.zeros(G), np.zeros(G)) if B is None else (B[k, :G].astype(np.float64), B[k, G:].astype(np.float64))
        for b in range(batch):
            h = np.zeros(H) if h0 is None else h0[k, b].astype(np.float64)
            c = np.zeros(H) if c0 is None else c0[k, b].astype(np.float64)
            steps = range(lens[b])
            for t in (reversed(steps) if back else steps):
                xg, hg = W[k] @ X[t, b] + wb, R[k] @ h + rb
                if kind == "RNN": h = np.tanh(xg + hg)
                elif kind == "LSTM":
                    i, o, f, g = np.split(xg + hg, 4)
                    c = sig(f) * c + sig(i) * np.tanh(g)
                    h = sig(o) * np.tanh(c)
                else:
                    xz, xr, xh = np.split(xg, 3)
                    hz, hr, hh = np.split(hg, 3)
                    z, r = sig(xz + hz), sig(xr + hr)
                    if lbr: n = np.tanh(xh + r * hh)
                    else: n = np.tanh(xh + R[k, 2 * H:] @ (r * h) + rb[2 * H:])
                    h = (1 - z) * n + z * h
                Y[t, k, b] = h
            Yh[k, b], Yc[k, b] = h, c
    return Y.astype(np.float32), Yh.astype(np.float32), Yc.astype(np.float32)


def saturate(x, t):
    lim = np.iinfo(t)
    return np.clip(x, lim.min, lim.max).astype(t)


def quantize(x, scale, zp, t):
    """round half to even, then saturate; float64 inside, so only for inputs that are not within an ulp of a tie by chance."""
    return saturate(np.rint(x.astype(np.float64) / np.asarray(scale, np.float64)) + np.asarray(zp, np.int64), t)


def model(nodes, ins, outs, init=(), opset=21, ir=10, functions=(), **kw):
    """A raw ModelProto from value infos and tensors, with no checks: for the malformed ones."""
    g = helper.make_graph(nodes, "g", list(ins), list(outs), list(init), **kw)
    return helper.make_model(g, opset_imports=[helper.make_opsetid("", opset)], ir_version=ir, functions=list(functions))


def external(name, dims, location, t=TP.FLOAT, **keys):
    x = TP(name=name, data_type=t, dims=dims, data_location=TP.EXTERNAL)
    for k, v in dict(location=location, **keys).items():
        e = x.external_data.add()
        e.key, e.value = k, str(v)
    return x


FLOAT, INT64 = TP.FLOAT, TP.INT64
