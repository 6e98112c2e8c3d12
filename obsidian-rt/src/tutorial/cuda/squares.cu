// Kernel squares: 256 threads a block, 0 bytes of shared memory. Compile with -fmad=false.
//   x       const float*  input
//   output  float*        output
//   x_len   unsigned int  the number of elements of x

extern "C" __global__ void __launch_bounds__(256) squares(
    const float* __restrict__ x,
    float* __restrict__ output,
    unsigned int x_len) {
    __builtin_assume(threadIdx.x < 256);
    const unsigned int thread = threadIdx.x;
    #pragma unroll 1
    for (unsigned int block = blockIdx.x; block < x_len / 256 + min(x_len % 256, 1u); block += gridDim.x) {
        const unsigned int t = block * 256;
        const unsigned int t_2 = t + thread;
        const bool t_3 = t_2 < x_len;
        if (t_3) {
            float v = 0.0f;
            {
                const float t_4 = x[(size_t)block * 256 + thread];
                v = t_4 * t_4;
            }
            const float t_4 = v;
            output[(size_t)block * 256 + thread] = t_4;
        }
    }
}
