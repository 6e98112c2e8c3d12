// Kernel cubes: 64 threads a block, 0 bytes of shared memory. Compile with -fmad=false.
//   input      const int*    input
//   output     int*          output
//   input_len  unsigned int  the number of elements of input

// a * b, wrapping around.
template <typename T> __device__ __forceinline__ T mul_wrap(T a, T b) {
    return (T)((unsigned long long)a * (unsigned long long)b);
}

extern "C" __global__ void __launch_bounds__(64) cubes(
    const int* __restrict__ input,
    int* __restrict__ output,
    unsigned int input_len) {
    __builtin_assume(threadIdx.x < 64);
    const unsigned int thread = threadIdx.x;
    #pragma unroll 1
    for (unsigned int block = blockIdx.x; block < input_len / 64; block += gridDim.x) {
        const int t = input[(size_t)block * 64 + thread];
        output[(size_t)block * 64 + thread] = mul_wrap(t, mul_wrap(t, t));
    }
}
