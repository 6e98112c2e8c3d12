// Kernel jacobi: 256 threads a block, 0 bytes of shared memory. Compile with -fmad=false.
//   width    unsigned int  scalar
//   now      const float*  input
//   output   float*        output
//   now_len  unsigned int  the number of elements of now

// a / b; 0 if b is 0.
template <typename T> __device__ __forceinline__ T quotient(T a, T b) {
    return (T)(b == 0 ? 0 : a / b);
}

// a % b; a if b is 0.
template <typename T> __device__ __forceinline__ T remnant(T a, T b) {
    return (T)(b == 0 ? a : a % b);
}

extern "C" __global__ void __launch_bounds__(256) jacobi(
    unsigned int width,
    const float* __restrict__ now,
    float* __restrict__ output,
    unsigned int now_len) {
    __builtin_assume(threadIdx.x < 256);
    const unsigned int thread = threadIdx.x;
    const unsigned int t = quotient(now_len, width) - 1;
    const unsigned int t_2 = width - 1;
    const unsigned int t_3 = now_len - 1;
    #pragma unroll 1
    for (unsigned int block = blockIdx.x; block < now_len / 1024 + min(now_len % 1024, 1u); block += gridDim.x) {
        const unsigned int t_4 = block * 1024;
        if ((((((width + t_4 <= t_3) & (1023 <= t_3 - (width + t_4))) & (width <= t_4)) & ((t_4 < now_len) & (1023 < now_len - t_4))) & (1 <= t_4)) & ((t_4 + 1 <= t_3) & (1023 <= t_3 - (t_4 + 1)))) {
            for (unsigned int i = 0; i < 4; i++) {
                const unsigned int j = i * 256 + thread;
                const unsigned int t_5 = t_4 + j;
                const unsigned int t_6 = quotient(t_5, width);
                const unsigned int t_7 = remnant(t_5, width);
                output[(size_t)block * 1024 + (size_t)i * 256 + thread] = (((t_6 == 0) | (t_6 == t)) | (t_7 == 0)) | (t_7 == t_2) ? now[(size_t)block * 1024 + (size_t)i * 256 + thread] : (now[t_5 - width] + now[t_5 + width] + now[(size_t)block * 1024 + (size_t)i * 256 + thread - 1] + now[t_5 + 1]) * 0.25f;
            }
        } else {
            #pragma unroll 1
            for (unsigned int i = 0; i < 4; i++) {
                const unsigned int j = i * 256 + thread;
                const unsigned int t_5 = t_4 + j;
                const bool t_6 = t_5 < now_len;
                if (t_6) {
                    const unsigned int t_7 = quotient(t_5, width);
                    const unsigned int t_8 = remnant(t_5, width);
                    output[(size_t)block * 1024 + (size_t)i * 256 + thread] = (((t_7 == 0) | (t_7 == t)) | (t_8 == 0)) | (t_8 == t_2) ? now[(size_t)block * 1024 + (size_t)i * 256 + thread] : (now[max(t_5, width) - width] + now[min(t_5 + width, t_3)] + now[(size_t)max(t_5, 1u) - 1] + now[min(t_5 + 1, t_3)]) * 0.25f;
                }
            }
        }
    }
}
