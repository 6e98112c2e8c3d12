"""torch.compile: PyTorch's operators, fused. Compiling takes seconds, so small cases are checked by `--small` alone."""

import torch
from torch.nn import functional

from cases import WEIGHTS, prices
from with_torch import Torch


def jacobi(x):
    out = x.clone()
    out[1:-1, 1:-1] = (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:]) * 0.25
    return out


def laplace(x):
    p = functional.pad(x, (1, 1, 1, 1, 1, 1))
    faces = p[:-2, 1:-1, 1:-1] + p[2:, 1:-1, 1:-1] + p[1:-1, :-2, 1:-1] + p[1:-1, 2:, 1:-1] + p[1:-1, 1:-1, :-2] + p[1:-1, 1:-1, 2:]
    return faces - 6 * x


def life(x):
    around = sum(x.roll((a, b), (0, 1)) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0))
    return ((around == 3) | ((around == 2) & (x == 1))).to(torch.uint8)


def gauss(x):
    n = x.shape[0]
    p = functional.pad(x[None, None], (4, 4, 4, 4), mode="replicate")[0, 0]
    rows = sum(WEIGHTS[k] * p[:, k : k + n] for k in range(9))
    return sum(WEIGHTS[k] * rows[k : k + n] for k in range(9))


def of(f):
    compiled = torch.compile(f, dynamic=False)
    return {"": lambda sizes, arrays: lambda: compiled(**arrays)}


class Compiled(Torch):
    name = "torch.compile"
    checks, limit = False, 60.0

    def table(self):
        return {
            "black-scholes": of(lambda price, strike, years: prices(price, strike, years, torch)),
            "jacobi 5pt": of(jacobi),
            "layernorm": of(lambda x, gain, bias: functional.layer_norm(x, (x.shape[1],), gain, bias)),
            "softmax": of(lambda x: torch.softmax(x, 1)),
            "nearest dim16": of(lambda x, y: ((x[:, None] - y[None]) ** 2).sum(-1).argmin(1)),
            "stencil 7pt": of(laplace),
            "life u8": of(life),
            "gauss 9+9": of(gauss),
            "row sums": of(lambda x: x.sum(1)),
            "transpose": of(lambda x: x.t().contiguous()),
        }
