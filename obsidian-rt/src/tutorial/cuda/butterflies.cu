// Kernel butterflies: 32 threads a block, 0 bytes of shared memory. Compile with -fmad=false.
//   input      const float*  input
//   output     float*        output
//   input_len  unsigned int  the number of elements of input

extern "C" __global__ void __launch_bounds__(32) butterflies(
    const float* __restrict__ input,
    float* __restrict__ output,
    unsigned int input_len) {
    __builtin_assume(threadIdx.x < 32);
    const unsigned int thread = threadIdx.x;
    #pragma unroll 1
    for (unsigned int block = blockIdx.x; block < input_len / 64; block += gridDim.x) {
        const float t = input[(size_t)block * 64 + thread];
        const float t_2 = input[(size_t)block * 64 + thread + 32];
        output[(size_t)block * 64 + thread] = t + t_2;
        output[(size_t)block * 64 + thread + 32] = t - t_2;
    }
}
