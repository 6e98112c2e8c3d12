// Kernel sums_by_sklansky: 64 threads a block, 512 bytes of shared memory. Compile with -fmad=false.
//   input      const unsigned int*  input
//   output     unsigned int*        output
//   input_len  unsigned int         the number of elements of input

extern "C" __global__ void __launch_bounds__(64) sums_by_sklansky(
    const unsigned int* __restrict__ input,
    unsigned int* __restrict__ output,
    unsigned int input_len) {
    __builtin_assume(threadIdx.x < 64);
    __shared__ __align__(128) unsigned char shared[512];
    const unsigned int thread = threadIdx.x;
    for (unsigned int block = blockIdx.x; block < input_len / 64; block += gridDim.x) {
        unsigned int* const arr = (unsigned int*)shared;
        const unsigned int t = block * 64;
        const unsigned int i = thread;
        const unsigned int t_2 = i % 2;
        const unsigned int t_3 = i / 2 * 2;
        arr[i] = t_2 < 1 ? input[t + i] : input[t + t_3] + input[t + (t_3 + (t_2 - 1 + 1))];
        __syncwarp(0xffffffff);
        unsigned int* const arr_2 = (unsigned int*)(shared + 256);
        const unsigned int j = thread;
        const unsigned int t_4 = j % 4;
        const unsigned int t_5 = j / 4 * 4;
        arr_2[j] = t_4 < 2 ? arr[j] : arr[t_5 + 1] + arr[t_5 + (t_4 - 2 + 2)];
        __syncwarp(0xffffffff);
        unsigned int* const arr_3 = (unsigned int*)shared;
        const unsigned int k = thread;
        const unsigned int t_6 = k % 8;
        const unsigned int t_7 = k / 8 * 8;
        arr_3[k] = t_6 < 4 ? arr_2[k] : arr_2[t_7 + 3] + arr_2[t_7 + (t_6 - 4 + 4)];
        __syncwarp(0xffffffff);
        unsigned int* const arr_4 = (unsigned int*)(shared + 256);
        const unsigned int m = thread;
        const unsigned int t_8 = m % 16;
        const unsigned int t_9 = m / 16 * 16;
        arr_4[m] = t_8 < 8 ? arr_3[m] : arr_3[t_9 + 7] + arr_3[t_9 + (t_8 - 8 + 8)];
        __syncwarp(0xffffffff);
        unsigned int* const arr_5 = (unsigned int*)shared;
        const unsigned int n = thread;
        const unsigned int t_10 = n % 32;
        const unsigned int t_11 = n / 32 * 32;
        arr_5[n] = t_10 < 16 ? arr_4[n] : arr_4[t_11 + 15] + arr_4[t_11 + (t_10 - 16 + 16)];
        __syncthreads();
        const unsigned int p = thread;
        const unsigned int t_12 = p % 64;
        const unsigned int t_13 = p / 64 * 64;
        output[t + p] = t_12 < 32 ? arr_5[p] : arr_5[t_13 + 31] + arr_5[t_13 + (t_12 - 32 + 32)];
        __syncthreads();
    }
}
