// Kernels as one would write them by hand, for CuPy's RawKernel: squares of n by n, a thread an element where nothing else is said.

extern "C" __global__ void jacobi(const float* __restrict__ x, float* __restrict__ out, int n) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (c >= n || r >= n) return;
    const size_t i = (size_t)r * n + c;
    const bool border = r == 0 || c == 0 || r == n - 1 || c == n - 1;
    out[i] = border ? x[i] : (x[i - n] + x[i + n] + x[i - 1] + x[i + 1]) * 0.25f;
}

extern "C" __global__ void laplace(const float* __restrict__ x, float* __restrict__ out, int n) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
    if (c >= n || r >= n) return;
    const size_t plane = (size_t)n * n, i = z * plane + (size_t)r * n + c;
    float sum = -6.0f * x[i];
    if (z > 0) sum += x[i - plane];
    if (z + 1 < n) sum += x[i + plane];
    if (r > 0) sum += x[i - n];
    if (r + 1 < n) sum += x[i + n];
    if (c > 0) sum += x[i - 1];
    if (c + 1 < n) sum += x[i + 1];
    out[i] = sum;
}

extern "C" __global__ void life(const unsigned char* __restrict__ x, unsigned char* __restrict__ out, int n) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (c >= n || r >= n) return;
    const int up = (r == 0 ? n - 1 : r - 1) * n, down = (r == n - 1 ? 0 : r + 1) * n, own = r * n;
    const int left = c == 0 ? n - 1 : c - 1, right = c == n - 1 ? 0 : c + 1;
    const int around = x[up + left] + x[up + c] + x[up + right] + x[own + left] + x[own + right] + x[down + left] + x[down + c] + x[down + right];
    out[own + c] = around == 3 || (around == 2 && x[own + c]);
}

__constant__ float WEIGHTS[9] = {0.02763055f, 0.06628224f, 0.12383154f, 0.18017382f, 0.20416369f, 0.18017382f, 0.12383154f, 0.06628224f, 0.02763055f};

// A block of 32 by 8 threads computes a tile of 32 by 32.
extern "C" __global__ void gauss(const float* __restrict__ x, float* __restrict__ out, int n) {
    __shared__ float tile[40][40], rows[40][33];
    const int left = blockIdx.x * 32 - 4, top = blockIdx.y * 32 - 4;
    for (int k = threadIdx.y * 32 + threadIdx.x; k < 1600; k += 256) {
        const int r = min(max(top + k / 40, 0), n - 1), c = min(max(left + k % 40, 0), n - 1);
        tile[k / 40][k % 40] = x[(size_t)r * n + c];
    }
    __syncthreads();
    for (int r = threadIdx.y; r < 40; r += 8) {
        float sum = 0;
        #pragma unroll
        for (int k = 0; k < 9; k++) sum += WEIGHTS[k] * tile[r][threadIdx.x + k];
        rows[r][threadIdx.x] = sum;
    }
    __syncthreads();
    for (int r = threadIdx.y; r < 32; r += 8) {
        float sum = 0;
        #pragma unroll
        for (int k = 0; k < 9; k++) sum += WEIGHTS[k] * rows[r + k][threadIdx.x];
        const int y = blockIdx.y * 32 + r, c = blockIdx.x * 32 + threadIdx.x;
        if (y < n && c < n) out[(size_t)y * n + c] = sum;
    }
}

// A block of 32 by 8 threads moves a tile of 32 by 32.
extern "C" __global__ void transpose(const float* __restrict__ x, float* __restrict__ out, int n) {
    __shared__ float tile[32][33];
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        if (c < n && r + k < n) tile[threadIdx.y + k][threadIdx.x] = x[(size_t)(r + k) * n + c];
    __syncthreads();
    c = blockIdx.y * 32 + threadIdx.x;
    r = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        if (c < n && r + k < n) out[(size_t)(r + k) * n + c] = tile[threadIdx.x][threadIdx.y + k];
}

// Blocks of 256 threads, a body each; n is a multiple of 256.
extern "C" __global__ void forces(const float4* __restrict__ bodies, float4* __restrict__ out, int n) {
    __shared__ float4 tile[256];
    const int i = blockIdx.x * 256 + threadIdx.x;
    const float4 own = bodies[i];
    float x = 0, y = 0, z = 0;
    for (int start = 0; start < n; start += 256) {
        tile[threadIdx.x] = bodies[start + threadIdx.x];
        __syncthreads();
        #pragma unroll 32
        for (int k = 0; k < 256; k++) {
            const float4 other = tile[k];
            const float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
            const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f);
            const float strength = other.w * inverse * inverse * inverse;
            x += strength * dx;
            y += strength * dy;
            z += strength * dz;
        }
        __syncthreads();
    }
    out[i] = make_float4(x, y, z, 0);
}

// Blocks of four warps: 32 points of x, and a quarter of y for each warp; n is a multiple of 128.
extern "C" __global__ void nearest(const float* __restrict__ x, const float* __restrict__ y, int* __restrict__ out, int n) {
    __shared__ float tile[4][32 * 16];
    __shared__ float squares[4][32];
    __shared__ int places[4][32];
    const int lane = threadIdx.x % 32, part = threadIdx.x / 32, i = blockIdx.x * 32 + lane;
    float own[16];
    for (int k = 0; k < 16; k++) own[k] = x[i * 16 + k];
    float least = 1e30f;
    int at = 0;
    for (int start = part * (n / 4); start < (part + 1) * (n / 4); start += 32) {
        for (int k = lane; k < 512; k += 32) tile[part][k] = y[start * 16 + k];
        __syncwarp();
        for (int j = 0; j < 32; j++) {
            float square = 0;
            #pragma unroll
            for (int k = 0; k < 16; k++) {
                const float d = own[k] - tile[part][j * 16 + k];
                square += d * d;
            }
            if (square < least) least = square, at = start + j;
        }
        __syncwarp();
    }
    squares[part][lane] = least;
    places[part][lane] = at;
    __syncthreads();
    if (part == 0) {
        for (int q = 1; q < 4; q++)
            if (squares[q][lane] < least) least = squares[q][lane], at = places[q][lane];
        out[i] = at;
    }
}

extern "C" __global__ void mandelbrot(int* __restrict__ out, int n) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (c >= n || r >= n) return;
    const float re = -2.0f + c * (3.2f / n), im = -1.2f + r * (2.4f / n);
    float a = 0, b = 0;
    int steps = 0;
    while (a * a + b * b <= 4.0f && steps < 256) {
        const float next = a * a - b * b + re;
        b = 2.0f * a * b + im;
        a = next;
        steps++;
    }
    out[(size_t)r * n + c] = steps;
}
