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
    for (unsigned int block = blockIdx.x; block < input_len / 512; block += gridDim.x) {
        unsigned int* const stored = (unsigned int*)(shared + 1024);
        const unsigned int t = block * 512;
        for (unsigned int virtual_warp = warp; virtual_warp < 4; virtual_warp += 4) {
            unsigned int* const lanes = (unsigned int*)(shared + warp * 256);
            const unsigned int t_2 = virtual_warp * 128;
            const unsigned int i = lane;
            unsigned int v = input[t + (t_2 + i)];
            for (unsigned int j = 0; j < 3; j++) {
                const unsigned int t_3 = v;
                v = t_3 + input[t + (t_2 + (i + (j + 1) * 32))];
            }
            const unsigned int t_3 = v;
            lanes[i] = t_3;
            __syncwarp(0xffffffff);
            unsigned int* const arr = (unsigned int*)(shared + 128 + warp * 256);
            if (lane < 16) {
                const unsigned int j = lane;
                arr[j] = lanes[j] + lanes[j + 16];
            }
            __syncwarp(0xffffffff);
            unsigned int* const arr_2 = (unsigned int*)(shared + warp * 256);
            if (lane < 8) {
                const unsigned int j = lane;
                arr_2[j] = arr[j] + arr[j + 8];
            }
            __syncwarp(0xffffffff);
            unsigned int* const arr_3 = (unsigned int*)(shared + 32 + warp * 256);
            if (lane < 4) {
                const unsigned int j = lane;
                arr_3[j] = arr_2[j] + arr_2[j + 4];
            }
            __syncwarp(0xffffffff);
            unsigned int* const arr_4 = (unsigned int*)(shared + warp * 256);
            if (lane < 2) {
                const unsigned int j = lane;
                arr_4[j] = arr_3[j] + arr_3[j + 2];
            }
            __syncwarp(0xffffffff);
            unsigned int* const arr_5 = (unsigned int*)(shared + 16 + warp * 256);
            if (lane < 1) {
                const unsigned int j = lane;
                arr_5[j] = arr_4[j] + arr_4[j + 1];
            }
            if (lane < 1) {
                const unsigned int j = lane;
                stored[virtual_warp + j] = arr_5[j];
            }
        }
        __syncthreads();
        unsigned int* const arr_6 = (unsigned int*)shared;
        if (thread < 2) {
            const unsigned int i = thread;
            arr_6[i] = stored[i] + stored[i + 2];
        }
        __syncwarp(0xffffffff);
        unsigned int* const arr_7 = (unsigned int*)(shared + 16);
        if (thread < 1) {
            const unsigned int i = thread;
            arr_7[i] = arr_6[i] + arr_6[i + 1];
        }
        if (thread < 1) {
            const unsigned int i = thread;
            output[block + i] = arr_7[i];
        }
        __syncthreads();
    }
}
