// Kernel sums_by_8: 128 threads a block, 1536 bytes of shared memory. Compile with -fmad=false.
//   input      const unsigned int*  input
//   output     unsigned int*        output
//   input_len  unsigned int         the number of elements of input

extern "C" __global__ void __launch_bounds__(128) sums_by_8(
    const unsigned int* __restrict__ input,
    unsigned int* __restrict__ output,
    unsigned int input_len) {
    __builtin_assume(threadIdx.x < 128);
    __shared__ __align__(128) unsigned char shared[1536];
    const unsigned int thread = threadIdx.x;
    for (unsigned int block = blockIdx.x; block < input_len / 2048; block += gridDim.x) {
        unsigned int* const arr = (unsigned int*)shared;
        const unsigned int t = block * 2048;
        for (unsigned int i = 0; i < 2; i++) {
            const unsigned int j = i * 128 + thread;
            unsigned int v = input[t + j];
            for (unsigned int k = 0; k < 7; k++) {
                const unsigned int t_2 = v;
                v = t_2 + input[t + (j + (k + 1) * 256)];
            }
            const unsigned int t_2 = v;
            arr[j] = t_2;
        }
        unsigned int* const arr_2 = (unsigned int*)(shared + 1024);
        const unsigned int i = thread;
        arr_2[i] = arr[i] + arr[i + 128];
        __syncthreads();
        unsigned int* const arr_3 = (unsigned int*)shared;
        if (thread < 64) {
            const unsigned int j = thread;
            arr_3[j] = arr_2[j] + arr_2[j + 64];
        }
        __syncthreads();
        unsigned int* const arr_4 = (unsigned int*)(shared + 256);
        if (thread < 32) {
            const unsigned int j = thread;
            arr_4[j] = arr_3[j] + arr_3[j + 32];
        }
        __syncwarp(0xffffffff);
        unsigned int* const arr_5 = (unsigned int*)shared;
        if (thread < 16) {
            const unsigned int j = thread;
            arr_5[j] = arr_4[j] + arr_4[j + 16];
        }
        __syncwarp(0xffffffff);
        unsigned int* const arr_6 = (unsigned int*)(shared + 64);
        if (thread < 8) {
            const unsigned int j = thread;
            arr_6[j] = arr_5[j] + arr_5[j + 8];
        }
        __syncwarp(0xffffffff);
        unsigned int* const arr_7 = (unsigned int*)shared;
        if (thread < 4) {
            const unsigned int j = thread;
            arr_7[j] = arr_6[j] + arr_6[j + 4];
        }
        __syncwarp(0xffffffff);
        unsigned int* const arr_8 = (unsigned int*)(shared + 16);
        if (thread < 2) {
            const unsigned int j = thread;
            arr_8[j] = arr_7[j] + arr_7[j + 2];
        }
        __syncwarp(0xffffffff);
        if (thread < 1) {
            const unsigned int j = thread;
            output[block + j] = arr_8[0] + arr_8[1];
        }
        __syncthreads();
    }
}
