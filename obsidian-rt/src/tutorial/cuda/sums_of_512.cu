// Kernel sums_of_512: 128 threads a block, 528 bytes of shared memory. Compile with -fmad=false.
//   input      const unsigned int*  input
//   output     unsigned int*        output
//   input_len  unsigned int         the number of elements of input
// In registers, with the elements of a thread: arr (1).
// In place: lanes is 6 stored arrays, one after the other.
// In place: stored is 2 stored arrays, one after the other.

extern "C" __global__ void __launch_bounds__(128) sums_of_512(
    const unsigned int* __restrict__ input,
    unsigned int* __restrict__ output,
    unsigned int input_len) {
    __builtin_assume(threadIdx.x < 128);
    __shared__ __align__(128) unsigned char shared[528];
    const unsigned int thread = threadIdx.x;
    const unsigned int warp = threadIdx.x / 32;
    const unsigned int lane = threadIdx.x % 32;
    #pragma unroll 1
    for (unsigned int block = blockIdx.x; block < input_len / 512; block += gridDim.x) {
        unsigned int* const stored = (unsigned int*)(shared + 512);
        {
            unsigned int* const lanes = (unsigned int*)(shared + warp * 128);
            unsigned int v = input[(size_t)block * 512 + (size_t)warp * 128 + lane];
            for (unsigned int i = 0; i < 3; i++) {
                const unsigned int t = v;
                v = t + input[(size_t)block * 512 + (size_t)warp * 128 + lane + (size_t)i * 32 + 32];
            }
            const unsigned int t = v;
            lanes[lane] = t;
            __syncwarp(0xffffffff);
            if (lane < 16) {
                lanes[lane] = lanes[lane] + lanes[lane + 16];
            }
            __syncwarp(0xffffffff);
            if (lane < 8) {
                lanes[lane] = lanes[lane] + lanes[lane + 8];
            }
            __syncwarp(0xffffffff);
            if (lane < 4) {
                lanes[lane] = lanes[lane] + lanes[lane + 4];
            }
            __syncwarp(0xffffffff);
            if (lane < 2) {
                lanes[lane] = lanes[lane] + lanes[lane + 2];
            }
            __syncwarp(0xffffffff);
            if (lane < 1) {
                lanes[lane] = lanes[lane] + lanes[lane + 1];
            }
            if (lane < 1) {
                stored[warp + lane] = lanes[lane];
            }
        }
        __syncthreads();
        if (thread < 2) {
            stored[thread] = stored[thread] + stored[thread + 2];
        }
        __syncwarp(0xffffffff);
        unsigned int arr[1];
        if (thread < 1) {
            arr[0] = stored[thread] + stored[thread + 1];
        }
        __syncthreads();
        if (thread < 1) {
            output[(size_t)block + thread] = arr[0];
        }
    }
}
