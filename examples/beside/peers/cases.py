"""The cases: sizes, inputs, and the results that NumPy gives in 64 bits."""

import numpy as np

M = 1 << 20

# Name: the sizes in words, the sizes of the table, and small ones.
CASES = {
    "saxpy": [("2^26", {"n": 64 * M}, {"n": 10007})],
    "dot": [("2^26", {"n": 64 * M}, {"n": 10007})],
    "argmax": [("2^26", {"n": 64 * M}, {"n": 10007})],
    "sum": [("2^20", {"n": M}, {"n": 1003}), ("2^26", {"n": 64 * M}, {"n": 10007})],
    "cumsum": [("2^20", {"n": M}, {"n": 1003}), ("2^26", {"n": 64 * M}, {"n": 10007})],
    "sort u32": [("2^20", {"n": M}, {"n": 1003}), ("2^24", {"n": 16 * M}, {"n": 10007})],
    "sort f32": [("2^20", {"n": M}, {"n": 1003}), ("2^24", {"n": 16 * M}, {"n": 10007})],
    "sort_by_key": [("2^24", {"n": 16 * M}, {"n": 10007})],
    "histogram 256": [("2^26", {"n": 64 * M}, {"n": 10007})],
    "select x>0": [("2^24", {"n": 16 * M}, {"n": 10007})],
    "unique runs": [("2^24", {"n": 16 * M}, {"n": 10007})],
    "softmax": [("4096x4096", {"h": 4096, "w": 4096}, {"h": 3, "w": 4096}), ("65536x512", {"h": 65536, "w": 512}, {"h": 16, "w": 512})],
    "layernorm": [("8192x4096", {"h": 8192, "w": 4096}, {"h": 3, "w": 4096})],
    "row sums": [("2^20x64", {"h": M, "w": 64}, {"h": 96, "w": 64}), ("64x2^20", {"h": 64, "w": M}, {"h": 3, "w": 20000})],
    "jacobi 5pt": [("4096^2", {"n": 4096}, {"n": 64})],
    "gauss 9+9": [("4096^2", {"n": 4096}, {"n": 64})],
    "life u8": [("4096^2", {"n": 4096}, {"n": 64})],
    "transpose": [("8192^2", {"n": 8192}, {"n": 64})],
    "stencil 7pt": [("256^3", {"n": 256}, {"n": 17})],
    "black-scholes": [("2^24", {"n": 16 * M}, {"n": 1003})],
    "mandelbrot": [("4096^2x256", {"n": 4096}, {"n": 50})],
    "n-body": [("65536", {"n": 65536}, {"n": 512})],
    "pi philox": [("2^26", {"n": 64 * M}, {"n": 1000000})],
    "matmul f32": [("1024", {"n": 1024}, {"n": 128}), ("4096", {"n": 4096}, {"n": 128})],
    "batched 64x64": [("4096", {"n": 4096}, {"n": 3})],
    "nearest dim16": [("4096x4096", {"n": 4096}, {"n": 128})],
    "spmv csr": [("1e6x16", {"n": 1000000}, {"n": 1000})],
    "embedding 128": [("2^20", {"n": M, "rows": M // 4}, {"n": 1000, "rows": 250})],
    "tiny launches": [("10000x1024", {"steps": 10000}, {"steps": 100})],
    "tiny recorded": [("10000x1024", {"steps": 10000}, {"steps": 100})],
}

# Cases of which a call is many launches: times are those of one.
LAUNCHES = {case: lambda sizes: sizes["steps"] for case in ("tiny launches", "tiny recorded")}


def numbers(*shape, low=-1.0, high=1.0):
    """Floats between two bounds."""
    return ("numbers", shape, low, high)


def integers(*shape, below):
    """Integers from 0."""
    return ("integers", shape, 0, below)


# The inputs of a case, by the names that programs have for them.
INPUTS = {
    "saxpy": lambda n: {"x": numbers(n), "y": numbers(n)},
    "dot": lambda n: {"x": numbers(n), "y": numbers(n)},
    "argmax": lambda n: {"x": numbers(n)},
    "sum": lambda n: {"x": numbers(n)},
    "cumsum": lambda n: {"x": numbers(n)},
    "sort u32": lambda n: {"keys": integers(n, below=2**31 - 1)},
    "sort f32": lambda n: {"x": numbers(n)},
    "sort_by_key": lambda n: {"keys": integers(n, below=2**31 - 1), "x": numbers(n)},
    "histogram 256": lambda n: {"keys": integers(n, below=256)},
    "select x>0": lambda n: {"x": numbers(n)},
    "unique runs": lambda n: {"keys": ("runs", (n,), 0, 0)},
    "softmax": lambda h, w: {"x": numbers(h, w, low=-8.0, high=8.0)},
    "layernorm": lambda h, w: {"x": numbers(h, w), "gain": numbers(w), "bias": numbers(w)},
    "row sums": lambda h, w: {"x": numbers(h, w)},
    "jacobi 5pt": lambda n: {"x": numbers(n, n)},
    "gauss 9+9": lambda n: {"x": numbers(n, n)},
    "life u8": lambda n: {"x": ("bytes", (n, n), 0, 2)},
    "transpose": lambda n: {"x": numbers(n, n)},
    "stencil 7pt": lambda n: {"x": numbers(n, n, n)},
    "black-scholes": lambda n: {"price": numbers(n, low=5, high=30), "strike": numbers(n, low=1, high=99), "years": numbers(n, low=0.25, high=9.75)},
    "mandelbrot": lambda n: {},
    "n-body": lambda n: {"bodies": numbers(4, n, low=0.0)},
    "pi philox": lambda n: {},
    "matmul f32": lambda n: {"a": numbers(n, n), "b": numbers(n, n)},
    "batched 64x64": lambda n: {"a": numbers(n, 64, 64), "b": numbers(n, 64, 64)},
    "nearest dim16": lambda n: {"x": numbers(n, 16), "y": numbers(n, 16)},
    "spmv csr": lambda n: {"offsets": ("sixteens", (n + 1,), 0, 0), "columns": integers(n * 16, below=n), "values": numbers(n * 16), "v": numbers(n)},
    "embedding 128": lambda n, rows: {"ids": integers(n, below=rows), "table": numbers(rows, 128)},
    "tiny launches": lambda steps: {},
    "tiny recorded": lambda steps: {},
}


def inputs(case, sizes, seed=7):
    """The inputs as arrays of NumPy."""
    random = np.random.default_rng(seed)
    make = {
        "numbers": lambda shape, low, high: random.random(shape, dtype=np.float32) * np.float32(high - low) + np.float32(low),
        "integers": lambda shape, low, high: random.integers(low, high, shape, dtype=np.int32),
        "bytes": lambda shape, low, high: random.integers(low, high, shape, dtype=np.uint8),
        "runs": lambda shape, *_: np.cumsum(random.random(shape) < 0.25).astype(np.int32),
        "sixteens": lambda shape, *_: (np.arange(shape[0]) * 16).astype(np.int32),
    }
    return {name: make[kind](*rest) for name, (kind, *rest) in INPUTS[case](**sizes).items()}


HALF = [0.20416369, 0.18017382, 0.12383154, 0.06628224, 0.02763055]
WEIGHTS = [HALF[abs(k)] for k in range(-4, 5)]


def normal(d, xp=np):
    """The normal distribution, by formula 26.2.17 of Abramowitz and Stegun."""
    k = 1.0 / (1.0 + 0.2316419 * xp.abs(d))
    polynomial = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
    tail = 0.39894228 * xp.exp(-0.5 * d * d) * polynomial
    return xp.where(d > 0, 1.0 - tail, tail)


def prices(price, strike, years, xp=np):
    """The prices of a call and a put option, by Black and Scholes."""
    root = xp.sqrt(years)
    d1 = (xp.log(price / strike) + (0.02 + 0.045) * years) / (0.3 * root)
    d2 = d1 - 0.3 * root
    discounted = strike * xp.exp(-0.02 * years)
    n1, n2 = normal(d1, xp), normal(d2, xp)
    return price * n1 - discounted * n2, discounted * (1.0 - n2) - price * (1.0 - n1)


def jacobi(x):
    out = x.copy()
    out[1:-1, 1:-1] = 0.25 * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:])
    return out


def laplace(x):
    p = np.pad(x, 1)
    faces = p[:-2, 1:-1, 1:-1] + p[2:, 1:-1, 1:-1] + p[1:-1, :-2, 1:-1] + p[1:-1, 2:, 1:-1] + p[1:-1, 1:-1, :-2] + p[1:-1, 1:-1, 2:]
    return faces - 6 * x


def life(x):
    around = sum(np.roll(x, (a, b), (0, 1)) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0))
    return (around == 3) | ((around == 2) & (x == 1))


def gauss(x):
    n = x.shape[0]
    p = np.pad(x, 4, mode="edge")
    rows = sum(WEIGHTS[k] * p[:, k : k + n] for k in range(9))
    return sum(WEIGHTS[k] * rows[k : k + n] for k in range(9))


def mandelbrot(n):
    c = (-2.0 + np.arange(n) * (3.2 / n))[None, :] + 1j * (-1.2 + np.arange(n) * (2.4 / n))[:, None]
    z, steps, inside = np.zeros_like(c), np.zeros(c.shape, np.int32), np.ones(c.shape, bool)
    for _ in range(256):
        inside &= np.abs(z) ** 2 <= 4.0
        steps += inside
        z = np.where(inside, z * z + c, z)
    return steps


def forces(bodies):
    d = bodies[:3, None, :] - bodies[:3, :, None]
    square = (d * d).sum(0) + 1e-3
    return (d[0] * bodies[3][None, :] / (square * np.sqrt(square))).sum(1)


def layer_norm(x, gain, bias):
    return (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5) * gain + bias


def softmax(x):
    powers = np.exp(x - x.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


REFERENCES = {
    "saxpy": lambda x, y: 2.5 * x + y,
    "dot": lambda x, y: x @ y,
    "argmax": np.argmax,
    "sum": np.sum,
    "cumsum": np.cumsum,
    "sort u32": np.sort,
    "sort f32": np.sort,
    "sort_by_key": lambda keys, x: np.sort(keys),
    "histogram 256": lambda keys: np.bincount(keys, minlength=256),
    "select x>0": lambda x: x[x > 0],
    "unique runs": np.unique,
    "softmax": softmax,
    "layernorm": layer_norm,
    "row sums": lambda x: x.sum(1),
    "jacobi 5pt": jacobi,
    "gauss 9+9": gauss,
    "life u8": life,
    "transpose": np.transpose,
    "stencil 7pt": laplace,
    "black-scholes": lambda price, strike, years: prices(price, strike, years)[0],
    "n-body": forces,
    "matmul f32": np.matmul,
    "batched 64x64": np.matmul,
    "nearest dim16": lambda x, y: ((x[:, None] - y[None]) ** 2).sum(-1).argmin(1),
    "spmv csr": lambda offsets, columns, values, v: (values * v[columns]).reshape(-1, 16).sum(1),
    "embedding 128": lambda ids, table: table[ids],
}


def reference(case, sizes, arrays):
    """The result of a case; of several arrays, the first."""
    if case == "mandelbrot":
        return mandelbrot(sizes["n"])
    if case == "pi philox":
        return np.pi
    if case in LAUNCHES:
        return np.full(1024, sizes["steps"])
    wide = [a.astype(np.float64) if a.dtype == np.float32 else a for a in arrays.values()]
    return REFERENCES[case](*wide)


BOUNDS = {"pi philox": 0.02, "n-body": 2e-2, "dot": 1e-2, "sum": 1e-2, "cumsum": 1e-2, "row sums": 1e-2, "black-scholes": 1e-3}


def difference(case, found, wanted):
    """In words, or `None` where results agree as far as roundings tell."""
    is_exact = np.asarray(wanted).dtype.kind in "iub"
    found, wanted = np.asarray(found, dtype=np.float64), np.asarray(wanted, dtype=np.float64)
    if found.shape != wanted.shape:
        return f"shape {found.shape} and not {wanted.shape}"
    if case == "mandelbrot":
        # A point near the border takes other steps by another rounding.
        return None if (np.abs(found - wanted) > 1).mean() < 0.02 else "steps differ"
    if case in ("nearest dim16", "argmax"):
        return None if (found != wanted).mean() < 0.02 else "places differ"
    bound = 0 if is_exact else BOUNDS.get(case, 1e-4)
    differs = np.abs(found - wanted) > bound * (1 + np.abs(wanted))
    return f"{differs.mean():.3f} of the elements differ, by up to {np.abs(found - wanted).max():.3g}" if differs.any() else None


def check_references():
    """Holds the references that are no single call of NumPy to loops."""
    x = inputs("gauss 9+9", {"n": 64})["x"].astype(float)
    at = lambda y, c: x[min(max(y, 0), 63), min(max(c, 0), 63)]
    for y, c in ((0, 0), (5, 63), (30, 31)):
        wanted = sum(WEIGHTS[k + 4] * WEIGHTS[l + 4] * at(y + k, c + l) for k in range(-4, 5) for l in range(-4, 5))
        assert abs(gauss(x)[y, c] - wanted) < 1e-9
    x = inputs("life u8", {"n": 64})["x"]
    for y, c in ((0, 0), (63, 5), (30, 31)):
        around = sum(int(x[(y + k) % 64, (c + l) % 64]) for k in (-1, 0, 1) for l in (-1, 0, 1) if (k, l) != (0, 0))
        assert life(x)[y, c] == (around == 3 or (around == 2 and x[y, c] == 1))
    x = inputs("stencil 7pt", {"n": 17})["x"].astype(float)
    at = lambda *i: x[i] if all(0 <= k < 17 for k in i) else 0.0
    for z, y, c in ((0, 0, 0), (16, 3, 9), (5, 6, 7)):
        faces = at(z - 1, y, c) + at(z + 1, y, c) + at(z, y - 1, c) + at(z, y + 1, c) + at(z, y, c - 1) + at(z, y, c + 1)
        assert abs(laplace(x)[z, y, c] - (faces - 6 * x[z, y, c])) < 1e-9
    for case, sizes in CASES.items():
        small = sizes[0][2]
        result = np.asarray(reference(case, small, inputs(case, small)))
        assert difference(case, result, result) is None
        assert difference(case, result + 3, result), case
    print("the references agree with loops")
