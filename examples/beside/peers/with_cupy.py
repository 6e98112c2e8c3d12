"""CuPy: its functions, elementwise kernels, and kernels by hand (`kernels.cu`)."""

from pathlib import Path

import cupy
import numpy as np

from cases import INPUTS, WEIGHTS
from library import Library

NORMAL = """
__device__ float normal(float d) {
    const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    const float inner = 1.781477937f + k * (-1.821255978f + k * 1.330274429f);
    const float tail = 0.39894228f * expf(-0.5f * d * d) * k * (0.31938153f + k * (-0.356563782f + k * inner));
    return d > 0 ? 1.0f - tail : tail;
}
"""
PRICES = """
const float root = sqrtf(years), d1 = (logf(price / strike) + 0.065f * years) / (0.3f * root), d2 = d1 - 0.3f * root;
const float discounted = strike * expf(-0.02f * years), n1 = normal(d1), n2 = normal(d2);
call = price * n1 - discounted * n2;
put = discounted * (1.0f - n2) - price * (1.0f - n1);
"""
PHILOX = """
__device__ int inside(unsigned int i) {
    unsigned int a = i, b = 0, key = 7;
    #pragma unroll
    for (int round = 0; round < 10; round++) {
        const unsigned int high = __umulhi(a, 0xD256D193u), low = a * 0xD256D193u;
        a = high ^ b ^ key;
        b = low;
        key += 0x9E3779B9u;
    }
    const float x = (a >> 8) * 5.9604645e-8f, y = (b >> 8) * 5.9604645e-8f;
    return x * x + y * y <= 1.0f;
}
"""


def of(f):
    """A call of the inputs."""
    return lambda sizes, arrays: lambda: f(**arrays)


class Cupy(Library):
    name = "cupy"

    def __init__(self):
        cupy.cuda.Device(0).use()
        text = (Path(__file__).parent / "kernels.cu").read_text()
        self.kernels = cupy.RawModule(code=text, options=("--std=c++17",))

    def wait(self):
        cupy.cuda.Device().synchronize()

    def array(self, a):
        return cupy.asarray(a)

    def host(self, a):
        return cupy.asnumpy(a)

    def marks(self):
        return cupy.cuda.Event(), cupy.cuda.Event()

    def between(self, marks):
        return cupy.cuda.get_elapsed_time(*marks)

    def free(self):
        cupy.get_default_memory_pool().free_all_blocks()

    def inputs(self, case, sizes):
        random = cupy.random
        make = {
            "numbers": lambda shape, low, high: random.random(shape, dtype=cupy.float32) * cupy.float32(high - low) + cupy.float32(low),
            "integers": lambda shape, low, high: random.randint(low, high, shape, dtype=cupy.int32),
            "bytes": lambda shape, low, high: random.randint(low, high, shape).astype(cupy.uint8),
            "runs": lambda shape, *_: cupy.cumsum(random.random(shape, dtype=cupy.float32) < 0.25).astype(cupy.int32),
            "sixteens": lambda shape, *_: (cupy.arange(shape[0]) * 16).astype(cupy.int32),
        }
        return {name: make[kind](*rest) for name, (kind, *rest) in INPUTS[case](**sizes).items()}

    def raw(self, name, grid, block, out):
        """A kernel by hand, of inputs, a result and `n`."""
        kernel = self.kernels.get_function(name)

        def make(sizes, arrays):
            n = sizes["n"]
            result = out(n)

            def run():
                kernel(grid(n), block, (*arrays.values(), result, np.int32(n)))
                return result

            return run

        return make

    def forces(self, sizes, arrays):
        kernel, n = self.kernels.get_function("forces"), sizes["n"]
        bodies = cupy.ascontiguousarray(arrays["bodies"].T)
        out = cupy.empty_like(bodies)

        def run():
            kernel((n // 256,), (256,), (bodies, out, np.int32(n)))
            return out[:, 0]

        return run

    def saxpy(self, sizes, arrays):
        kernel = cupy.ElementwiseKernel("float32 a, float32 x, float32 y", "float32 out", "out = a * x + y", "saxpy")
        x, y = arrays["x"], arrays["y"]
        out = cupy.empty_like(x)
        return lambda: kernel(2.5, x, y, out)

    def options(self, sizes, arrays):
        inputs = "float32 price, float32 strike, float32 years"
        kernel = cupy.ElementwiseKernel(inputs, "float32 call, float32 put", PRICES, "prices", preamble=NORMAL)
        return lambda: kernel(*arrays.values())

    def norm(self, sizes, arrays):
        @cupy.fuse()
        def last(x, mean, variance, gain, bias):
            return (x - mean) / cupy.sqrt(variance + cupy.float32(1e-5)) * gain + bias

        x = arrays["x"]
        return lambda: last(x, x.mean(1, keepdims=True), x.var(1, keepdims=True), arrays["gain"], arrays["bias"])

    def softmax(self, sizes, arrays):
        from cupyx.scipy.special import softmax

        return lambda: softmax(arrays["x"], axis=1)

    def filtered(self, sizes, arrays):
        from cupyx.scipy.ndimage import convolve1d

        weights = cupy.asarray(WEIGHTS, dtype=cupy.float32)
        along = lambda x, axis: convolve1d(x, weights, axis=axis, mode="nearest")
        return lambda: along(along(arrays["x"], 1), 0)

    def sparse(self, sizes, arrays):
        from cupyx.scipy.sparse import csr_matrix

        n = sizes["n"]
        matrix = csr_matrix((arrays["values"], arrays["columns"], arrays["offsets"]), shape=(n, n))
        return lambda: matrix.dot(arrays["v"])

    def by_key(self, sizes, arrays):
        def run():
            places = cupy.argsort(arrays["keys"])
            return arrays["keys"][places], arrays["x"][places]

        return run

    def runs(self, sizes, arrays):
        keys = arrays["keys"]

        def run():
            first = cupy.empty(keys.shape, dtype=bool)
            first[0] = True
            cupy.not_equal(keys[1:], keys[:-1], out=first[1:])
            return keys[first]

        return run

    def circle(self, sizes, arrays):
        kernel = cupy.ReductionKernel("uint32 i", "int32 out", "inside(i)", "a + b", "out = a", "0", "circle", preamble=PHILOX)
        counters = cupy.arange(sizes["n"], dtype=cupy.uint32)
        return lambda: kernel(counters) * 4.0 / sizes["n"]

    def launches(self, sizes, arrays):
        x = cupy.zeros(1024, dtype=cupy.float32)

        def run():
            x.fill(0)
            for _ in range(sizes["steps"]):
                cupy.add(x, 1.0, out=x)
            return x

        return run

    def recorded(self, sizes, arrays):
        x, part = cupy.zeros(1024, dtype=cupy.float32), min(1000, sizes["steps"])
        cupy.add(x, 1.0, out=x)
        with cupy.cuda.Stream(non_blocking=True) as stream:
            stream.begin_capture()
            for _ in range(part):
                cupy.add(x, 1.0, out=x)
            graph = stream.end_capture()

        def run():
            x.fill(0)
            for _ in range(sizes["steps"] // part):
                graph.launch(cupy.cuda.get_current_stream())
            return x

        return run

    def table(self):
        up = lambda n, k: -(-n // k)
        square = lambda n: cupy.empty((n, n), dtype=cupy.float32)
        flat = lambda n: (up(n, 32), up(n, 8))
        tiles = lambda n: (up(n, 32), up(n, 32))
        block = (32, 8)
        return {
            "saxpy": {"ElementwiseKernel": self.saxpy},
            "dot": {"": of(lambda x, y: cupy.dot(x, y))},
            "argmax": {"": of(lambda x: x.argmax())},
            "sum": {"": of(lambda x: x.sum())},
            "cumsum": {"": of(lambda x: cupy.cumsum(x))},
            "sort u32": {"": of(lambda keys: cupy.sort(keys.view(cupy.uint32)))},
            "sort f32": {"": of(lambda x: cupy.sort(x))},
            "sort_by_key": {"argsort, take": self.by_key},
            "histogram 256": {"bincount": of(lambda keys: cupy.bincount(keys, minlength=256))},
            "select x>0": {"": of(lambda x: x[x > 0])},
            "unique runs": {"mask": self.runs},
            "softmax": {"scipy.special": self.softmax},
            "layernorm": {"fuse": self.norm},
            "row sums": {"": of(lambda x: x.sum(1))},
            "jacobi 5pt": {"RawKernel": self.raw("jacobi", flat, block, square)},
            "gauss 9+9": {"RawKernel": self.raw("gauss", tiles, block, square), "ndimage": self.filtered},
            "life u8": {"RawKernel": self.raw("life", flat, block, lambda n: cupy.empty((n, n), dtype=cupy.uint8))},
            "transpose": {"RawKernel": self.raw("transpose", tiles, block, square), "": of(lambda x: cupy.ascontiguousarray(x.T))},
            "stencil 7pt": {"RawKernel": self.raw("laplace", lambda n: (*flat(n), n), block, lambda n: cupy.empty((n, n, n), dtype=cupy.float32))},
            "black-scholes": {"ElementwiseKernel": self.options},
            "mandelbrot": {"RawKernel": self.raw("mandelbrot", flat, block, lambda n: cupy.empty((n, n), dtype=cupy.int32))},
            "n-body": {"RawKernel": self.forces},
            "pi philox": {"ReductionKernel": self.circle},
            "matmul f32": {"": of(lambda a, b: a @ b)},
            "batched 64x64": {"matmul": of(lambda a, b: cupy.matmul(a, b))},
            "nearest dim16": {"RawKernel": self.raw("nearest", lambda n: (n // 32,), (128,), lambda n: cupy.empty(n, dtype=cupy.int32))},
            "spmv csr": {"cupyx csr": self.sparse},
            "embedding 128": {"take": of(lambda ids, table: cupy.take(table, ids, axis=0))},
            "tiny recorded": {"graph": self.recorded},
            "tiny launches": {"": self.launches},
        }
