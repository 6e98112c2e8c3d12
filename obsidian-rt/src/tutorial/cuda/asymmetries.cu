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
    for (unsigned int block = blockIdx.x; block < input_len / 64; block += gridDim.x) {
        const unsigned int t = block * 64;
        for (unsigned int i = 0; i < 2; i++) {
            const unsigned int j = i * 32 + thread;
            const unsigned int t_2 = t + j;
            const float t_3 = input[t_2] - input[t + (63 - j)];
            output[t_2] = t_3 * t_3;
        }
    }
}
