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
    for (unsigned int block = blockIdx.x; block < input_len / 64; block += gridDim.x) {
        const unsigned int t = block * 64;
        const unsigned int i = thread;
        const unsigned int t_2 = t + i;
        const int t_3 = input[t_2];
        output[t_2] = mul_wrap(t_3, mul_wrap(t_3, t_3));
    }
}
