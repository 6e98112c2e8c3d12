// Kernel sums_of_512: 128 threads a block, 1040 bytes of shared memory. Compile with -fmad=false.
//   input      const unsigned int*  input
//   output     unsigned int*        output
//   input_len  unsigned int         the number of elements of input

extern "C" __global__ void __launch_bounds__(128) sums_of_512(
    const unsigned int* __restrict__ input,
    unsigned int* __restrict__ output,
    unsigned int input_len) {
    __builtin_assume(threadIdx.x < 128);
    __shared__ __align__(128) unsigned char shared[1040];
    const unsigned int thread = threadIdx.x;
    const unsigned int warp = threadIdx.x / 32;
    const unsigned int lane = threadIdx.x % 32;
    #pragma unroll 1
    for (unsigned int block = blockIdx.x; block < input_len / 512; block += gridDim.x) {
        unsigned int* const stored = (unsigned int*)(shared + 1024);
        {
            unsigned int* const lanes = (unsigned int*)(shared + warp * 256);
            unsigned int v = input[(size_t)block * 512 + (size_t)warp * 128 + lane];
            for (unsigned int i = 0; i < 3; i++) {
                const unsigned int t = v;
                v = t + input[(size_t)block * 512 + (size_t)warp * 128 + lane + (size_t)i * 32 + 32];
            }
            const unsigned int t = v;
            lanes[lane] = t;
            __syncwarp(0xffffffff);
            unsigned int* const arr = (unsigned int*)(shared + 128 + warp * 256);
            if (lane < 16) {
                arr[lane] = lanes[lane] + lanes[lane + 16];
            }
            __syncwarp(0xffffffff);
            unsigned int* const arr_2 = (unsigned int*)(shared + warp * 256);
            if (lane < 8) {
                arr_2[lane] = arr[lane] + arr[lane + 8];
            }
            __syncwarp(0xffffffff);
            unsigned int* const arr_3 = (unsigned int*)(shared + 32 + warp * 256);
            if (lane < 4) {
                arr_3[lane] = arr_2[lane] + arr_2[lane + 4];
            }
            __syncwarp(0xffffffff);
            unsigned int* const arr_4 = (unsigned int*)(shared + warp * 256);
            if (lane < 2) {
                arr_4[lane] = arr_3[lane] + arr_3[lane + 2];
            }
            __syncwarp(0xffffffff);
            unsigned int* const arr_5 = (unsigned int*)(shared + 16 + warp * 256);
            if (lane < 1) {
                arr_5[lane] = arr_4[lane] + arr_4[lane + 1];
            }
            if (lane < 1) {
                stored[warp + lane] = arr_5[lane];
            }
        }
        __syncthreads();
        unsigned int* const arr_6 = (unsigned int*)shared;
        if (thread < 2) {
            arr_6[thread] = stored[thread] + stored[thread + 2];
        }
        __syncwarp(0xffffffff);
        unsigned int* const arr_7 = (unsigned int*)(shared + 16);
        if (thread < 1) {
            arr_7[thread] = arr_6[thread] + arr_6[thread + 1];
        }
        if (thread < 1) {
            output[(size_t)block + thread] = arr_7[thread];
        }
        __syncthreads();
    }
}
