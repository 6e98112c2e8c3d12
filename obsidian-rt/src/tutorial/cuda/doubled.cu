// Kernel doubled: 64 threads a block, 0 bytes of shared memory. Compile with -fmad=false.
//   input      const unsigned int*  input
//   output     unsigned int*        output
//   input_len  unsigned int         the number of elements of input

extern "C" __global__ void __launch_bounds__(64) doubled(
    const unsigned int* __restrict__ input,
    unsigned int* __restrict__ output,
    unsigned int input_len) {
    __builtin_assume(threadIdx.x < 64);
    const unsigned int thread = threadIdx.x;
    #pragma unroll 1
    for (unsigned int block = blockIdx.x; block < input_len / 64 + min(input_len % 64, 1u); block += gridDim.x) {
        const unsigned int t = block * 64;
        const unsigned int t_2 = t + thread;
        const bool t_3 = t_2 < input_len;
        if (t_3) {
            output[(size_t)block * 64 + thread] = input[(size_t)block * 64 + thread] * 2;
        }
    }
}
