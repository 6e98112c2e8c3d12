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
    for (unsigned int block = blockIdx.x; block < input_len / 64; block += gridDim.x) {
        float* const roots = (float*)shared;
        const unsigned int t = block * 64;
        const unsigned int i = thread;
        roots[i] = sqrtf(input[t + i]);
        __syncthreads();
        float* const once = (float*)(shared + 256);
        const unsigned int j = thread;
        once[j] = (roots[(j + 64 - 1) % 64] + roots[j] + roots[(j + 1) % 64]) / 3.0f;
        __syncthreads();
        const unsigned int k = thread;
        output[t + k] = (once[(k + 64 - 1) % 64] + once[k] + once[(k + 1) % 64]) / 3.0f;
    }
}
