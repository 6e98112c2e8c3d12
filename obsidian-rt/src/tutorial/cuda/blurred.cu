// Kernel blurred: 64 threads a block, 512 bytes of shared memory. Compile with -fmad=false.
//   input      const float*  input
//   output     float*        output
//   input_len  unsigned int  the number of elements of input

extern "C" __global__ void __launch_bounds__(64) blurred(
    const float* __restrict__ input,
    float* __restrict__ output,
    unsigned int input_len) {
    __builtin_assume(threadIdx.x < 64);
    __shared__ __align__(128) unsigned char shared[512];
    const unsigned int thread = threadIdx.x;
    #pragma unroll 1
    for (unsigned int block = blockIdx.x; block < input_len / 64; block += gridDim.x) {
        float* const roots = (float*)shared;
        roots[thread] = sqrtf(input[(size_t)block * 64 + thread]);
        __syncthreads();
        float* const once = (float*)(shared + 256);
        once[thread] = (roots[(thread + 63) % 64] + roots[thread] + roots[(thread + 1) % 64]) / 3.0f;
        __syncthreads();
        output[(size_t)block * 64 + thread] = (once[(thread + 63) % 64] + once[thread] + once[(thread + 1) % 64]) / 3.0f;
    }
}
