"""JAX, by jax.jit. Times are those of the host."""

import jax
import jax.numpy as jnp
from jax import lax

from cases import INPUTS, WEIGHTS, prices
from library import Library


def jacobi(x):
    return x.at[1:-1, 1:-1].set((x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:]) * 0.25)


def laplace(x):
    p = jnp.pad(x, 1)
    faces = p[:-2, 1:-1, 1:-1] + p[2:, 1:-1, 1:-1] + p[1:-1, :-2, 1:-1] + p[1:-1, 2:, 1:-1] + p[1:-1, 1:-1, :-2] + p[1:-1, 1:-1, 2:]
    return faces - 6 * x


def life(x):
    around = sum(jnp.roll(x, (a, b), (0, 1)) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0))
    return ((around == 3) | ((around == 2) & (x == 1))).astype(jnp.uint8)


def gauss(x):
    n = x.shape[0]
    p = jnp.pad(x, 4, mode="edge")
    rows = sum(WEIGHTS[k] * p[:, k : k + n] for k in range(9))
    return sum(WEIGHTS[k] * rows[k : k + n] for k in range(9))


def norm(x, gain, bias):
    return (x - x.mean(1, keepdims=True)) * lax.rsqrt(x.var(1, keepdims=True) + 1e-5) * gain + bias


def forces(bodies):
    x, y, z, mass = bodies
    dx, dy, dz = x[None] - x[:, None], y[None] - y[:, None], z[None] - z[:, None]
    square = dx * dx + dy * dy + dz * dz + 1e-3
    strength = mass[None] / (square * jnp.sqrt(square))
    return (dx * strength).sum(1), (dy * strength).sum(1), (dz * strength).sum(1)


def mandelbrot(n):
    re = (-2.0 + jnp.arange(n, dtype=jnp.float32) * (3.2 / n))[None, :] + jnp.zeros((n, 1), jnp.float32)
    im = (-1.2 + jnp.arange(n, dtype=jnp.float32) * (2.4 / n))[:, None] + jnp.zeros((1, n), jnp.float32)

    def step(_, state):
        a, b, steps = state
        inside = a * a + b * b <= 4.0
        return jnp.where(inside, a * a - b * b + re, a), jnp.where(inside, 2 * a * b + im, b), steps + inside

    zero = jnp.zeros((n, n), jnp.float32)
    return lax.fori_loop(0, 256, step, (zero, zero, jnp.zeros((n, n), jnp.int32)))[2]


def sparse(columns, values, v):
    rows = jnp.repeat(jnp.arange(v.shape[0]), 16)
    return jax.ops.segment_sum(values * v[columns], rows, num_segments=v.shape[0], indices_are_sorted=True)


class Jax(Library):
    name = "jax.jit"

    def __init__(self):
        jax.config.update("jax_default_matmul_precision", "highest")
        self.last = None
        self.key = jax.random.PRNGKey(1)

    def wait(self):
        if self.last is not None:
            jax.block_until_ready(self.last)

    def array(self, a):
        return jnp.asarray(a)

    def inputs(self, case, sizes):
        made = {}
        for name, (kind, shape, low, high) in INPUTS[case](**sizes).items():
            self.key, key = jax.random.split(self.key)
            made[name] = {
                "numbers": lambda: jax.random.uniform(key, shape, minval=low, maxval=high),
                "integers": lambda: jax.random.randint(key, shape, low, high, dtype=jnp.int32),
                "bytes": lambda: jax.random.randint(key, shape, low, high, dtype=jnp.int32).astype(jnp.uint8),
                "runs": lambda: jnp.cumsum(jax.random.uniform(key, shape) < 0.25).astype(jnp.int32),
                "sixteens": lambda: (jnp.arange(shape[0]) * 16).astype(jnp.int32),
            }[kind]()
        return jax.block_until_ready(made)

    def keep(self, result):
        self.last = result
        return result

    def jit(self, f, *names):
        """A compiled function of inputs."""
        compiled = jax.jit(f)
        return lambda sizes, arrays: lambda: self.keep(compiled(*[arrays[name] for name in names]))

    def table(self):
        def of_sizes(f):
            """A function of the sizes that gives a function without arguments, which is compiled."""
            return lambda sizes, arrays: (lambda compiled: lambda: self.keep(compiled()))(jax.jit(f(sizes)))

        def circle(sizes):
            def run():
                x, y = jax.random.uniform(jax.random.PRNGKey(7), (2, sizes["n"]))
                return (x * x + y * y <= 1.0).sum() * 4.0 / sizes["n"]

            return run

        def launches(sizes, arrays):
            increased = jax.jit(lambda x: x + 1.0)

            def run():
                x = jnp.zeros(1024, jnp.float32)
                for _ in range(sizes["steps"]):
                    x = increased(x)
                return self.keep(x)

            return run

        loop = lambda sizes: lambda: lax.fori_loop(0, sizes["steps"], lambda _, x: x + 1.0, jnp.zeros(1024, jnp.float32))
        product = lambda a, b: jnp.matmul(a, b, precision="highest")
        return {
            "saxpy": {"": self.jit(lambda x, y: 2.5 * x + y, "x", "y")},
            "dot": {"": self.jit(jnp.dot, "x", "y")},
            "argmax": {"": self.jit(jnp.argmax, "x")},
            "sum": {"": self.jit(jnp.sum, "x")},
            "cumsum": {"": self.jit(jnp.cumsum, "x")},
            "softmax": {"": self.jit(lambda x: jax.nn.softmax(x, axis=1), "x")},
            "layernorm": {"": self.jit(norm, "x", "gain", "bias")},
            "row sums": {"": self.jit(lambda x: x.sum(1), "x")},
            "jacobi 5pt": {"": self.jit(jacobi, "x")},
            "gauss 9+9": {"": self.jit(gauss, "x")},
            "life u8": {"": self.jit(life, "x")},
            "transpose": {"": self.jit(jnp.transpose, "x")},
            "stencil 7pt": {"": self.jit(laplace, "x")},
            "black-scholes": {"": self.jit(lambda s, k, t: prices(s, k, t, jnp), "price", "strike", "years")},
            "mandelbrot": {"fori_loop": of_sizes(lambda sizes: lambda: mandelbrot(sizes["n"]))},
            "n-body": {"": self.jit(forces, "bodies")},
            "pi philox": {"threefry": of_sizes(circle)},
            "matmul f32": {"": self.jit(product, "a", "b")},
            "batched 64x64": {"": self.jit(product, "a", "b")},
            "nearest dim16": {"": self.jit(lambda x, y: ((x[:, None] - y[None]) ** 2).sum(-1).argmin(1), "x", "y")},
            "spmv csr": {"segment_sum": self.jit(sparse, "columns", "values", "v")},
            "embedding 128": {"": self.jit(lambda table, ids: jnp.take(table, ids, axis=0), "table", "ids")},
            "sort u32": {"": self.jit(lambda keys: jnp.sort(keys.astype(jnp.uint32)), "keys")},
            "sort f32": {"": self.jit(jnp.sort, "x")},
            "sort_by_key": {"": self.jit(lambda keys, x: lax.sort((keys, x), num_keys=1), "keys", "x")},
            "histogram 256": {"bincount": self.jit(lambda keys: jnp.bincount(keys, length=256), "keys")},
            "select x>0": {"no jit": lambda sizes, arrays: lambda: self.keep(arrays["x"][arrays["x"] > 0])},
            "tiny recorded": {"fori_loop": of_sizes(loop)},
            "tiny launches": {"": launches},
        }
