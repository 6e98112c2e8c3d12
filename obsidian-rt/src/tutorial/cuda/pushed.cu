// Kernel pushed: 32 threads a block, 0 bytes of shared memory. Compile with -fmad=false.
//   input      const int*    input
//   output     int*          output
//   input_len  unsigned int  the number of elements of input

// -a, wrapping around.
template <typename T> __device__ __forceinline__ T neg_wrap(T a) {
    return (T)(0ull - (unsigned long long)a);
}

extern "C" __global__ void __launch_bounds__(32) pushed(
    const int* __restrict__ input,
    int* __restrict__ output,
    unsigned int input_len) {
    __builtin_assume(threadIdx.x < 32);
    const unsigned int thread = threadIdx.x;
    #pragma unroll 1
    for (unsigned int block = blockIdx.x; block < input_len / 64; block += gridDim.x) {
        output[(size_t)block * 64 + thread] = input[(size_t)block * 64 + thread + 32];
        output[(size_t)block * 64 + thread + 32] = neg_wrap(input[(size_t)block * 64 + thread]);
    }
}
