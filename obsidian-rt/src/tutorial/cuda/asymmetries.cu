// Kernel asymmetries: 32 threads a block, 0 bytes of shared memory. Compile with -fmad=false.
//   input      const float*  input
//   output     float*        output
//   input_len  unsigned int  the number of elements of input

extern "C" __global__ void __launch_bounds__(32) asymmetries(
    const float* __restrict__ input,
    float* __restrict__ output,
    unsigned int input_len) {
    __builtin_assume(threadIdx.x < 32);
    const unsigned int thread = threadIdx.x;
    #pragma unroll 1
    for (unsigned int block = blockIdx.x; block < input_len / 64; block += gridDim.x) {
        for (unsigned int i = 0; i < 2; i++) {
            const float t = input[(size_t)block * 64 + (size_t)i * 32 + thread] - input[(size_t)block * 64 - (size_t)i * 32 - thread + 63];
            output[(size_t)block * 64 + (size_t)i * 32 + thread] = t * t;
        }
    }
}
