// Kernel sums_threads128_seq16: 128 threads a block, 256 bytes of shared memory. Compile with -fmad=false.
//   input      const unsigned int*  input
//   output     unsigned int*        output
//   input_len  unsigned int         the number of elements of input

extern "C" __global__ void __launch_bounds__(128) sums_threads128_seq16(
    const unsigned int* __restrict__ input,
    unsigned int* __restrict__ output,
    unsigned int input_len) {
    __builtin_assume(threadIdx.x < 128);
    __shared__ __align__(128) unsigned char shared[256];
    const unsigned int thread = threadIdx.x;
    #pragma unroll 1
    for (unsigned int block = blockIdx.x; block < input_len / 1024; block += gridDim.x) {
        unsigned int* const parts = (unsigned int*)shared;
        if (thread < 64) {
            unsigned int v = input[(size_t)block * 1024 + thread];
            for (unsigned int i = 0; i < 15; i++) {
                const unsigned int t = v;
                v = t + input[(size_t)block * 1024 + thread + (size_t)i * 64 + 64];
            }
            const unsigned int t = v;
            parts[thread] = t;
        }
        __syncthreads();
        if (thread < 1) {
            const unsigned int t = parts[0] + parts[1] + parts[2] + parts[3] + parts[4] + parts[5] + parts[6] + parts[7] + parts[8] + parts[9] + parts[10] + parts[11] + parts[12] + parts[13] + parts[14] + parts[15] + parts[16] + parts[17] + parts[18] + parts[19] + parts[20] + parts[21] + parts[22] + parts[23] + parts[24] + parts[25] + parts[26] + parts[27] + parts[28] + parts[29] + parts[30] + parts[31];
            const unsigned int t_2 = t + parts[32] + parts[33] + parts[34] + parts[35] + parts[36] + parts[37] + parts[38] + parts[39] + parts[40] + parts[41] + parts[42] + parts[43] + parts[44] + parts[45] + parts[46] + parts[47] + parts[48] + parts[49] + parts[50] + parts[51] + parts[52] + parts[53] + parts[54] + parts[55] + parts[56] + parts[57] + parts[58] + parts[59] + parts[60] + parts[61] + parts[62];
            output[(size_t)block + thread] = t_2 + parts[63];
        }
        __syncthreads();
    }
}
