// Products of square matrices of `width` by `width` floats in rows: `matmul` with one more construct at each step. The first three have
// blocks of 256 threads and tiles of 16 by 16, as the emitted kernel has.

// What a thread adds for two tiles: the sum of 16 products, added up first as the emitted kernel does.
static __device__ __forceinline__ float of_tiles(const float* left, const float* right, unsigned int thread) {
    const float* const row = left + thread / 16 * 16;
    const float* const column = right + thread % 16;
    float sum = row[0] * column[0];
#pragma unroll
    for (unsigned int k = 1; k < 16; k++) sum = sum + row[k] * column[k * 16];
    return sum;
}

// The sum of a thread stays in a register.
extern "C" __global__ void __launch_bounds__(256) matmul_held(
    const float* __restrict__ left, const float* __restrict__ right, float* __restrict__ product, unsigned int width) {
    __shared__ float left_tile[256], right_tile[256];
    const unsigned int thread = threadIdx.x, tiles = width / 16, row = blockIdx.x / tiles * 16, column = blockIdx.x % tiles * 16;
    float sum = 0.0f;
    for (unsigned int k = 0; k < width; k += 16) {
        left_tile[thread] = left[(row + thread / 16) * width + (k + thread % 16)];
        right_tile[thread] = right[(k + thread / 16) * width + (column + thread % 16)];
        __syncthreads();
        sum = sum + of_tiles(left_tile, right_tile, thread);
        __syncthreads();
    }
    product[(row + thread / 16) * width + (column + thread % 16)] = sum;
}

// One address of 64 bits for each matrix, moved on by a tile at a time.
extern "C" __global__ void __launch_bounds__(256) matmul_base(
    const float* __restrict__ left, const float* __restrict__ right, float* __restrict__ product, unsigned int width) {
    __shared__ float left_tile[256], right_tile[256];
    const unsigned int thread = threadIdx.x, tiles = width / 16, row = blockIdx.x / tiles * 16, column = blockIdx.x % tiles * 16;
    const float* left_at = left + ((unsigned long long)(row + thread / 16) * width + thread % 16);
    const float* right_at = right + ((unsigned long long)(thread / 16) * width + column + thread % 16);
    float sum = 0.0f;
    for (unsigned int k = 0; k < width; k += 16) {
        left_tile[thread] = *left_at;
        right_tile[thread] = *right_at;
        left_at += 16;
        right_at += (unsigned long long)width * 16;
        __syncthreads();
        sum = sum + of_tiles(left_tile, right_tile, thread);
        __syncthreads();
    }
    product[(unsigned long long)(row + thread / 16) * width + column + thread % 16] = sum;
}

// Multiplications and additions in one instruction.
extern "C" __global__ void __launch_bounds__(256) matmul_fma(
    const float* __restrict__ left, const float* __restrict__ right, float* __restrict__ product, unsigned int width) {
    __shared__ float left_tile[256], right_tile[256];
    const unsigned int thread = threadIdx.x, tiles = width / 16, row = blockIdx.x / tiles * 16, column = blockIdx.x % tiles * 16;
    const float* left_at = left + ((unsigned long long)(row + thread / 16) * width + thread % 16);
    const float* right_at = right + ((unsigned long long)(thread / 16) * width + column + thread % 16);
    float sum = 0.0f;
    for (unsigned int k = 0; k < width; k += 16) {
        left_tile[thread] = *left_at;
        right_tile[thread] = *right_at;
        left_at += 16;
        right_at += (unsigned long long)width * 16;
        __syncthreads();
#pragma unroll
        for (unsigned int i = 0; i < 16; i++) sum = fmaf(left_tile[thread / 16 * 16 + i], right_tile[thread % 16 + i * 16], sum);
        __syncthreads();
    }
    product[(unsigned long long)(row + thread / 16) * width + column + thread % 16] = sum;
}

// Four floats, by an access of 16 bytes.
static __device__ __forceinline__ float4 four(const float* at) { return *reinterpret_cast<const float4*>(at); }

// The product of a tile of `16 * EACH` by `16 * EACH` by 256 threads, each of which has `EACH` by `EACH` sums in registers; 16 columns of
// the left matrix and 16 rows of the right one lie in shared memory at a time, the left ones as rows.
template <unsigned int EACH>
static __device__ __forceinline__ void register_tile(
    const float* __restrict__ left, const float* __restrict__ right, float* __restrict__ product, unsigned int width) {
    constexpr unsigned int TILE = 16 * EACH, PITCH = TILE + 4;
    __shared__ float4 left_room[16 * PITCH / 4], right_room[16 * PITCH / 4];
    float* const left_tile = reinterpret_cast<float*>(left_room);
    float* const right_tile = reinterpret_cast<float*>(right_room);
    const unsigned int thread = threadIdx.x, tiles = width / TILE;
    const float* const left_at = left + (unsigned long long)(blockIdx.x / tiles * TILE) * width;
    const float* const right_at = right + blockIdx.x % tiles * TILE;
    const unsigned int y = thread / 16 * 4, x = thread % 16 * 4;
    float sums[EACH][EACH] = {};
    for (unsigned int k = 0; k < width; k += 16) {
#pragma unroll
        for (unsigned int i = thread; i < TILE * 4; i += 256) {
            const float4 l = four(left_at + (unsigned long long)(i / 4) * width + k + i % 4 * 4);
            float* const column = left_tile + i % 4 * 4 * PITCH + i / 4;
            column[0] = l.x;
            column[PITCH] = l.y;
            column[2 * PITCH] = l.z;
            column[3 * PITCH] = l.w;
            *reinterpret_cast<float4*>(right_tile + i / (TILE / 4) * PITCH + i % (TILE / 4) * 4) =
                four(right_at + (unsigned long long)(k + i / (TILE / 4)) * width + i % (TILE / 4) * 4);
        }
        __syncthreads();
#pragma unroll
        for (unsigned int i = 0; i < 16; i++) {
            float l[EACH], r[EACH];
#pragma unroll
            for (unsigned int part = 0; part < EACH / 4; part++) {
                const float4 down = four(left_tile + i * PITCH + part * 64 + y), across = four(right_tile + i * PITCH + part * 64 + x);
                l[part * 4] = down.x, l[part * 4 + 1] = down.y, l[part * 4 + 2] = down.z, l[part * 4 + 3] = down.w;
                r[part * 4] = across.x, r[part * 4 + 1] = across.y, r[part * 4 + 2] = across.z, r[part * 4 + 3] = across.w;
            }
#pragma unroll
            for (unsigned int a = 0; a < EACH; a++)
#pragma unroll
                for (unsigned int b = 0; b < EACH; b++) sums[a][b] = fmaf(l[a], r[b], sums[a][b]);
        }
        __syncthreads();
    }
    float* const at = product + (unsigned long long)(blockIdx.x / tiles * TILE) * width + blockIdx.x % tiles * TILE;
#pragma unroll
    for (unsigned int a = 0; a < EACH; a++) {
#pragma unroll
        for (unsigned int part = 0; part < EACH / 4; part++) {
            const float* const s = sums[a] + part * 4;
            float4 out;
            out.x = s[0], out.y = s[1], out.z = s[2], out.w = s[3];
            *reinterpret_cast<float4*>(at + (unsigned long long)(a / 4 * 64 + y + a % 4) * width + part * 64 + x) = out;
        }
    }
}

// 4 by 4 sums a thread: tiles of 64 by 64.
extern "C" __global__ void __launch_bounds__(256) matmul_tile4(
    const float* __restrict__ left, const float* __restrict__ right, float* __restrict__ product, unsigned int width) {
    register_tile<4>(left, right, product, width);
}

// 8 by 8 sums a thread: tiles of 128 by 128. Two blocks have to fit, which limits the registers.
extern "C" __global__ void __launch_bounds__(256, 2) matmul_tile8(
    const float* __restrict__ left, const float* __restrict__ right, float* __restrict__ product, unsigned int width) {
    register_tile<8>(left, right, product, width);
}
