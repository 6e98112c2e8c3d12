// Products of square matrices by matrix units: operands are rounded to TF32, which has 10 bits behind the point. Tiles of 64 by 64 by four
// warps, of which each has 32 by 32.
#include <mma.h>

extern "C" __global__ void __launch_bounds__(128) matmul_tensor(
    const float* __restrict__ left, const float* __restrict__ right, float* __restrict__ product, unsigned int width) {
    namespace wmma = nvcuda::wmma;
    constexpr unsigned int LEFT = 20, RIGHT = 68;
    __shared__ __align__(128) float left_tile[64 * LEFT], right_tile[16 * RIGHT];
    const unsigned int thread = threadIdx.x, warp = thread / 32, y = warp / 2 * 32, x = warp % 2 * 32, tiles = width / 64;
    const float* const left_at = left + (unsigned long long)(blockIdx.x / tiles * 64) * width;
    const float* const right_at = right + blockIdx.x % tiles * 64;
    wmma::fragment<wmma::accumulator, 16, 16, 8, float> sums[2][2];
    for (auto& row : sums)
        for (auto& sum : row) wmma::fill_fragment(sum, 0.0f);
    for (unsigned int k = 0; k < width; k += 16) {
#pragma unroll
        for (unsigned int i = thread; i < 256; i += 128) {
            *reinterpret_cast<float4*>(left_tile + i / 4 * LEFT + i % 4 * 4) = four(left_at + (unsigned long long)(i / 4) * width + k + i % 4 * 4);
            *reinterpret_cast<float4*>(right_tile + i / 16 * RIGHT + i % 16 * 4) =
                four(right_at + (unsigned long long)(k + i / 16) * width + i % 16 * 4);
        }
        __syncthreads();
#pragma unroll
        for (unsigned int step = 0; step < 16; step += 8) {
            wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> l[2];
            wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> r[2];
#pragma unroll
            for (unsigned int i = 0; i < 2; i++) {
                wmma::load_matrix_sync(l[i], left_tile + (y + i * 16) * LEFT + step, LEFT);
                wmma::load_matrix_sync(r[i], right_tile + step * RIGHT + x + i * 16, RIGHT);
                for (float& value : l[i].x) value = wmma::__float_to_tf32(value);
                for (float& value : r[i].x) value = wmma::__float_to_tf32(value);
            }
#pragma unroll
            for (unsigned int a = 0; a < 2; a++)
#pragma unroll
                for (unsigned int b = 0; b < 2; b++) wmma::mma_sync(sums[a][b], l[a], r[b], sums[a][b]);
        }
        __syncthreads();
    }
    float* const at = product + (unsigned long long)(blockIdx.x / tiles * 64 + y) * width + blockIdx.x % tiles * 64 + x;
#pragma unroll
    for (unsigned int a = 0; a < 2; a++)
#pragma unroll
        for (unsigned int b = 0; b < 2; b++)
            wmma::store_matrix_sync(at + (unsigned long long)(a * 16) * width + b * 16, sums[a][b], width, wmma::mem_row_major);
}
