// Kernel sums_by_8: 128 threads a block, 512 bytes of shared memory. Compile with -fmad=false.
//   input      const unsigned int*  input
//   output     unsigned int*        output
//   input_len  unsigned int         the number of elements of input
// In registers, with the elements of a thread: arr (2).
// In place: arr_2 is 7 stored arrays, one after the other.

extern "C" __global__ void __launch_bounds__(128) sums_by_8(
    const unsigned int* __restrict__ input,
    unsigned int* __restrict__ output,
    unsigned int input_len) {
    __builtin_assume(threadIdx.x < 128);
    __shared__ __align__(128) unsigned char shared[512];
    const unsigned int thread = threadIdx.x;
    #pragma unroll 1
    for (unsigned int block = blockIdx.x; block < input_len / 2048; block += gridDim.x) {
        unsigned int arr[2];
        #pragma unroll
        for (unsigned int i = 0; i < 2; i++) {
            unsigned int v = input[(size_t)block * 2048 + (size_t)i * 128 + thread];
            for (unsigned int j = 0; j < 7; j++) {
                const unsigned int t = v;
                v = t + input[(size_t)block * 2048 + (size_t)i * 128 + thread + (size_t)j * 256 + 256];
            }
            const unsigned int t = v;
            arr[i] = t;
        }
        __syncwarp(0xffffffff);
        unsigned int* const arr_2 = (unsigned int*)shared;
        arr_2[thread] = arr[0] + arr[1];
        __syncthreads();
        if (thread < 64) {
            arr_2[thread] = arr_2[thread] + arr_2[thread + 64];
        }
        __syncthreads();
        if (thread < 32) {
            arr_2[thread] = arr_2[thread] + arr_2[thread + 32];
        }
        __syncwarp(0xffffffff);
        if (thread < 16) {
            arr_2[thread] = arr_2[thread] + arr_2[thread + 16];
        }
        __syncwarp(0xffffffff);
        if (thread < 8) {
            arr_2[thread] = arr_2[thread] + arr_2[thread + 8];
        }
        __syncwarp(0xffffffff);
        if (thread < 4) {
            arr_2[thread] = arr_2[thread] + arr_2[thread + 4];
        }
        __syncwarp(0xffffffff);
        if (thread < 2) {
            arr_2[thread] = arr_2[thread] + arr_2[thread + 2];
        }
        __syncthreads();
        if (thread < 1) {
            output[(size_t)block + thread] = arr_2[0] + arr_2[1];
        }
    }
}
