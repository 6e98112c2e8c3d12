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
    #pragma unroll 1
    for (unsigned int block = blockIdx.x; block < input_len / 2048; block += gridDim.x) {
        unsigned int* const arr = (unsigned int*)shared;
        for (unsigned int i = 0; i < 2; i++) {
            const unsigned int j = i * 128 + thread;
            unsigned int v = input[(size_t)block * 2048 + (size_t)i * 128 + thread];
            for (unsigned int k = 0; k < 7; k++) {
                const unsigned int t = v;
                v = t + input[(size_t)block * 2048 + (size_t)i * 128 + thread + (size_t)k * 256 + 256];
            }
            const unsigned int t = v;
            arr[j] = t;
        }
        unsigned int* const arr_2 = (unsigned int*)(shared + 1024);
        arr_2[thread] = arr[thread] + arr[thread + 128];
        __syncthreads();
        unsigned int* const arr_3 = (unsigned int*)shared;
        if (thread < 64) {
            arr_3[thread] = arr_2[thread] + arr_2[thread + 64];
        }
        __syncthreads();
        unsigned int* const arr_4 = (unsigned int*)(shared + 256);
        if (thread < 32) {
            arr_4[thread] = arr_3[thread] + arr_3[thread + 32];
        }
        __syncwarp(0xffffffff);
        unsigned int* const arr_5 = (unsigned int*)shared;
        if (thread < 16) {
            arr_5[thread] = arr_4[thread] + arr_4[thread + 16];
        }
        __syncwarp(0xffffffff);
        unsigned int* const arr_6 = (unsigned int*)(shared + 64);
        if (thread < 8) {
            arr_6[thread] = arr_5[thread] + arr_5[thread + 8];
        }
        __syncwarp(0xffffffff);
        unsigned int* const arr_7 = (unsigned int*)shared;
        if (thread < 4) {
            arr_7[thread] = arr_6[thread] + arr_6[thread + 4];
        }
        __syncwarp(0xffffffff);
        unsigned int* const arr_8 = (unsigned int*)(shared + 16);
        if (thread < 2) {
            arr_8[thread] = arr_7[thread] + arr_7[thread + 2];
        }
        __syncwarp(0xffffffff);
        if (thread < 1) {
            output[(size_t)block + thread] = arr_8[0] + arr_8[1];
        }
        __syncthreads();
    }
}
