"""Triton, on tensors of PyTorch: the kernels of its tutorials, for these cases."""

import torch
import triton
import triton.language as tl

from with_torch import Torch


@triton.jit
def saxpy(x, y, out, a, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    inside = i < n
    tl.store(out + i, a * tl.load(x + i, inside) + tl.load(y + i, inside), inside)


@triton.jit
def softmax(x, out, width, B: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * width
    i = tl.arange(0, B)
    v = tl.load(x + row + i, i < width, other=-float("inf"))
    powers = tl.exp(v - tl.max(v, 0))
    tl.store(out + row + i, powers / tl.sum(powers, 0), i < width)


@triton.jit
def layer_norm(x, gain, bias, out, width, B: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * width
    i = tl.arange(0, B)
    inside = i < width
    v = tl.load(x + row + i, inside, other=0.0)
    d = tl.where(inside, v - tl.sum(v, 0) / width, 0.0)
    scale = 1.0 / tl.sqrt(tl.sum(d * d, 0) / width + 1e-5)
    tl.store(out + row + i, d * scale * tl.load(gain + i, inside) + tl.load(bias + i, inside), inside)


@triton.jit
def row_sums(x, out, height, W: tl.constexpr, R: tl.constexpr):
    row = tl.program_id(0) * R + tl.arange(0, R)
    i = tl.arange(0, W)
    v = tl.load(x + row[:, None] * W + i[None, :], (row < height)[:, None], other=0.0)
    tl.store(out + row, tl.sum(v, 1), row < height)


@triton.jit
def transpose(x, out, n, B: tl.constexpr):
    row = tl.program_id(0) * B + tl.arange(0, B)
    column = tl.program_id(1) * B + tl.arange(0, B)
    inside = (row < n)[:, None] & (column < n)[None, :]
    v = tl.load(x + row[:, None] * n + column[None, :], inside)
    tl.store(out + column[:, None] * n + row[None, :], tl.trans(v), tl.trans(inside))


@triton.jit
def jacobi(x, out, n, B: tl.constexpr):
    row = tl.program_id(1)
    column = tl.program_id(0) * B + tl.arange(0, B)
    there = column < n
    p = x + row * n + column
    inner = there & (row > 0) & (row < n - 1) & (column > 0) & (column < n - 1)
    rows = tl.load(p - n, inner, other=0.0) + tl.load(p + n, inner, other=0.0)
    columns = tl.load(p - 1, inner, other=0.0) + tl.load(p + 1, inner, other=0.0)
    own = tl.load(p, there & (inner == 0), other=0.0)
    tl.store(out + row * n + column, tl.where(inner, (rows + columns) * 0.25, own), there)


@triton.jit
def embedding(ids, table, out, n, R: tl.constexpr, W: tl.constexpr):
    row = tl.program_id(0) * R + tl.arange(0, R)
    i = tl.arange(0, W)
    inside = row < n
    source = tl.load(ids + row, inside, other=0).to(tl.int64)
    v = tl.load(table + source[:, None] * W + i[None, :], inside[:, None])
    tl.store(out + row[:, None].to(tl.int64) * W + i[None, :], v, inside[:, None])


SHAPES = [
    triton.Config({"BM": 128, "BN": 128, "BK": 16}, num_warps=8, num_stages=3),
    triton.Config({"BM": 64, "BN": 128, "BK": 16}, num_warps=8, num_stages=3),
    triton.Config({"BM": 64, "BN": 64, "BK": 16}, num_warps=4, num_stages=3),
]


@triton.autotune(configs=SHAPES, key=["n"])
@triton.jit
def matmul(a, b, out, n, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    across = tl.cdiv(n, BN)
    row = tl.program_id(0) // across * BM + tl.arange(0, BM)
    column = tl.program_id(0) % across * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    sums = tl.zeros((BM, BN), dtype=tl.float32)
    left = a + row[:, None] * n + k[None, :]
    right = b + k[:, None] * n + column[None, :]
    for _ in range(0, n, BK):
        sums = tl.dot(tl.load(left), tl.load(right), sums, input_precision="ieee")
        left += BK
        right += BK * n
    tl.store(out + row[:, None] * n + column[None, :], sums)


def calls(launch, shape=None):
    """A call that launches with sizes, inputs and a result, which has the shape of the first input or of the sizes."""

    def make(sizes, arrays):
        first = next(iter(arrays.values()))
        out = torch.empty(shape(sizes), device=first.device) if shape else torch.empty_like(first)

        def run():
            launch(sizes, arrays, out)
            return out

        return run

    return make


def of_saxpy(sizes, arrays, out):
    n = sizes["n"]
    saxpy[(triton.cdiv(n, 1024),)](arrays["x"], arrays["y"], out, 2.5, n, B=1024, num_warps=4)


def of_softmax(sizes, arrays, out):
    width = sizes["w"]
    softmax[(sizes["h"],)](arrays["x"], out, width, B=triton.next_power_of_2(width), num_warps=8 if width > 1024 else 4)


def of_norm(sizes, arrays, out):
    width = sizes["w"]
    lines = arrays["gain"], arrays["bias"]
    layer_norm[(sizes["h"],)](arrays["x"], *lines, out, width, B=triton.next_power_of_2(width), num_warps=8)


def of_rows(sizes, arrays, out):
    height = sizes["h"]
    row_sums[(triton.cdiv(height, 64),)](arrays["x"], out, height, W=sizes["w"], R=64, num_warps=4)


def of_transpose(sizes, arrays, out):
    tiles = triton.cdiv(sizes["n"], 64)
    transpose[(tiles, tiles)](arrays["x"], out, sizes["n"], B=64, num_warps=8)


def of_jacobi(sizes, arrays, out):
    n = sizes["n"]
    jacobi[(triton.cdiv(n, 256), n)](arrays["x"], out, n, B=256, num_warps=2)


def of_embedding(sizes, arrays, out):
    n = sizes["n"]
    embedding[(triton.cdiv(n, 16),)](arrays["ids"], arrays["table"], out, n, R=16, W=128, num_warps=4)


def of_matmul(sizes, arrays, out):
    n = sizes["n"]
    grid = lambda shape: (triton.cdiv(n, shape["BM"]) * triton.cdiv(n, shape["BN"]),)
    matmul[grid](arrays["a"], arrays["b"], out, n)


class Triton(Torch):
    name = "triton"

    def table(self):
        rows = calls(of_rows, lambda sizes: (sizes["h"],))
        return {
            "saxpy": {"": calls(of_saxpy)},
            "softmax": {"": calls(of_softmax)},
            "layernorm": {"": calls(of_norm)},
            # Long rows are no tile.
            "row sums": {"": lambda sizes, arrays: rows(sizes, arrays) if sizes["w"] <= 64 else None},
            "transpose": {"": calls(of_transpose)},
            "jacobi 5pt": {"": calls(of_jacobi)},
            "embedding 128": {"": calls(of_embedding, lambda sizes: (sizes["n"], 128))},
            "matmul f32": {"ieee": calls(of_matmul)},
        }
