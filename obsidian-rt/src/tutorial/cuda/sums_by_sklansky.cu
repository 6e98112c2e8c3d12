// Kernel sums_by_sklansky: 64 threads a block, 256 bytes of shared memory. Compile with -fmad=false.
//   input      const unsigned int*  input
//   output     unsigned int*        output
//   input_len  unsigned int         the number of elements of input
// In place: arr is 5 stored arrays, one after the other.

extern "C" __global__ void __launch_bounds__(64) sums_by_sklansky(
    const unsigned int* __restrict__ input,
    unsigned int* __restrict__ output,
    unsigned int input_len) {
    __builtin_assume(threadIdx.x < 64);
    __shared__ __align__(128) unsigned char shared[256];
    const unsigned int thread = threadIdx.x;
    #pragma unroll 1
    for (unsigned int block = blockIdx.x; block < input_len / 64; block += gridDim.x) {
        unsigned int* const arr = (unsigned int*)shared;
        const unsigned int t = thread % 2;
        const unsigned int t_2 = thread / 2 * 2;
        arr[thread] = t < 1 ? input[(size_t)block * 64 + thread] : input[(size_t)block * 64 + t_2] + input[(size_t)block * 64 + t_2 + t];
        __syncwarp(0xffffffff);
        const unsigned int t_3 = thread % 4;
        const unsigned int t_4 = thread / 4 * 4;
        if (t_3 >= 2) {
            arr[thread] = arr[t_4 + 1] + arr[t_4 + t_3];
        }
        __syncwarp(0xffffffff);
        const unsigned int t_5 = thread % 8;
        const unsigned int t_6 = thread / 8 * 8;
        if (t_5 >= 4) {
            arr[thread] = arr[t_6 + 3] + arr[t_6 + t_5];
        }
        __syncwarp(0xffffffff);
        const unsigned int t_7 = thread % 16;
        const unsigned int t_8 = thread / 16 * 16;
        if (t_7 >= 8) {
            arr[thread] = arr[t_8 + 7] + arr[t_8 + t_7];
        }
        __syncwarp(0xffffffff);
        const unsigned int t_9 = thread % 32;
        const unsigned int t_10 = thread / 32 * 32;
        if (t_9 >= 16) {
            arr[thread] = arr[t_10 + 15] + arr[t_10 + t_9];
        }
        __syncthreads();
        output[(size_t)block * 64 + thread] = thread < 32 ? arr[thread] : arr[31] + arr[thread];
        __syncthreads();
    }
}
