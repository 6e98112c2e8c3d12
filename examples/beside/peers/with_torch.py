"""PyTorch, eagerly, in f32 without TF32."""

import torch
from torch.nn import functional

from cases import INPUTS, WEIGHTS, prices
from library import Library


def of(f):
    """A call of the inputs."""
    return lambda sizes, arrays: lambda: f(**arrays)


def life(x):
    rows = x + x.roll(1, 1) + x.roll(-1, 1)
    around = rows + rows.roll(1, 0) + rows.roll(-1, 0) - x
    return ((around == 3) | ((around == 2) & (x == 1))).to(torch.uint8)


def jacobi(sizes, arrays):
    x = arrays["x"]
    out = x.clone()

    def run():
        out[1:-1, 1:-1] = (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:]) * 0.25
        return out

    return run


def laplace(sizes, arrays):
    x = arrays["x"]
    weights = torch.zeros(1, 1, 3, 3, 3, device=x.device)
    weights[0, 0, 1, 1, 1] = -6
    for face in ((0, 1, 1), (2, 1, 1), (1, 0, 1), (1, 2, 1), (1, 1, 0), (1, 1, 2)):
        weights[(0, 0, *face)] = 1
    return lambda: functional.conv3d(x[None, None], weights, padding=1)[0, 0]


def gauss(sizes, arrays):
    x = arrays["x"]
    weights = torch.tensor(WEIGHTS, device=x.device)

    def run():
        p = functional.pad(x[None, None], (4, 4, 4, 4), mode="replicate")
        rows = functional.conv2d(p, weights.view(1, 1, 1, 9))
        return functional.conv2d(rows, weights.view(1, 1, 9, 1))[0, 0]

    return run


def forces(sizes, arrays):
    # 4,096 bodies at once, as the differences of all do not fit the memory.
    places, mass = arrays["bodies"][:3].t().contiguous(), arrays["bodies"][3]
    step = min(sizes["n"], 4096)

    def run():
        parts = []
        for start in range(0, sizes["n"], step):
            d = places[None, :, :] - places[start : start + step, None, :]
            square = (d * d).sum(-1) + 1e-3
            parts.append(torch.einsum("ij,ijk->ik", mass / (square * square.sqrt()), d))
        return torch.cat(parts)[:, 0]

    return run


def saxpy(sizes, arrays):
    x, y = arrays["x"], arrays["y"]
    out = torch.empty_like(x)
    return lambda: torch.add(y, x, alpha=2.5, out=out)


def by_key(sizes, arrays):
    def run():
        keys, places = torch.sort(arrays["keys"])
        return keys, arrays["x"][places]

    return run


def sparse(sizes, arrays):
    n = sizes["n"]
    matrix = torch.sparse_csr_tensor(arrays["offsets"], arrays["columns"], arrays["values"], size=(n, n))
    return lambda: matrix @ arrays["v"]


class Torch(Library):
    name = "torch"

    def __init__(self):
        torch.backends.cuda.matmul.allow_tf32 = False
        torch.backends.cudnn.allow_tf32 = False
        torch.set_float32_matmul_precision("highest")
        torch.set_grad_enabled(False)
        torch.manual_seed(1)
        self.gpu = torch.cuda.is_available()
        self.device = torch.device("cuda" if self.gpu else "cpu")

    def wait(self):
        if self.gpu:
            torch.cuda.synchronize()

    def array(self, a):
        return torch.from_numpy(a.copy()).to(self.device)

    def host(self, a):
        return a.detach().cpu().numpy()

    def marks(self):
        if self.gpu:
            return torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)

    def between(self, marks):
        return marks[0].elapsed_time(marks[1])

    def free(self):
        if self.gpu:
            torch.cuda.empty_cache()

    def inputs(self, case, sizes):
        device = {"device": self.device}
        make = {
            "numbers": lambda shape, low, high: torch.rand(shape, **device) * (high - low) + low,
            "integers": lambda shape, low, high: torch.randint(low, high, shape, dtype=torch.int32, **device),
            "bytes": lambda shape, low, high: torch.randint(low, high, shape, dtype=torch.uint8, **device),
            "runs": lambda shape, *_: torch.cumsum(torch.rand(shape, **device) < 0.25, 0).int(),
            "sixteens": lambda shape, *_: (torch.arange(shape[0], **device) * 16).int(),
        }
        return {name: make[kind](*rest) for name, (kind, *rest) in INPUTS[case](**sizes).items()}

    def circle(self, sizes, arrays):
        def run():
            x, y = torch.rand(sizes["n"], device=self.device), torch.rand(sizes["n"], device=self.device)
            return (x * x + y * y <= 1.0).sum() * 4.0 / sizes["n"]

        return run

    def launches(self, sizes, arrays):
        x = torch.zeros(1024, device=self.device)

        def run():
            x.zero_()
            for _ in range(sizes["steps"]):
                x.add_(1.0)
            return x

        return run

    def recorded(self, sizes, arrays):
        if not self.gpu:
            return None
        x = torch.zeros(1024, device=self.device)
        part = min(1000, sizes["steps"])
        with torch.cuda.stream(torch.cuda.Stream()):
            x.add_(1.0)
        self.wait()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            for _ in range(part):
                x.add_(1.0)

        def run():
            x.zero_()
            for _ in range(sizes["steps"] // part):
                graph.replay()
            return x

        return run

    def table(self):
        return {
            "tiny launches": {"": self.launches},
            "tiny recorded": {"CUDAGraph": self.recorded},
            "saxpy": {"": saxpy},
            "dot": {"": of(lambda x, y: torch.dot(x, y))},
            "argmax": {"": of(lambda x: x.argmax())},
            "sum": {"": of(lambda x: x.sum())},
            "cumsum": {"": of(lambda x: torch.cumsum(x, 0))},
            "sort u32": {"int32": of(lambda keys: torch.sort(keys)[0])},
            "sort f32": {"": of(lambda x: torch.sort(x)[0])},
            "sort_by_key": {"sort, gather": by_key},
            "histogram 256": {"bincount": of(lambda keys: torch.bincount(keys, minlength=256))},
            "select x>0": {"": of(lambda x: x[x > 0])},
            "unique runs": {"unique_consecutive": of(lambda keys: torch.unique_consecutive(keys))},
            "softmax": {"": of(lambda x: torch.softmax(x, 1))},
            "layernorm": {"": of(lambda x, gain, bias: functional.layer_norm(x, (x.shape[1],), gain, bias))},
            "row sums": {"": of(lambda x: x.sum(1))},
            "jacobi 5pt": {"slices": jacobi},
            "gauss 9+9": {"conv2d": gauss},
            "life u8": {"roll": of(life)},
            "transpose": {"": of(lambda x: x.t().contiguous())},
            "stencil 7pt": {"conv3d": laplace},
            "black-scholes": {"": of(lambda price, strike, years: prices(price, strike, years, torch))},
            "n-body": {"pieces": forces},
            "pi philox": {"rand": self.circle},
            "matmul f32": {"": of(lambda a, b: a @ b)},
            "batched 64x64": {"bmm": of(lambda a, b: torch.bmm(a, b))},
            "nearest dim16": {"cdist, argmin": of(lambda x, y: torch.cdist(x, y).argmin(1))},
            "spmv csr": {"sparse_csr": sparse},
            "embedding 128": {"": of(lambda ids, table: table[ids])},
        }
