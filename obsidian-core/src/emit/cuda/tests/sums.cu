// Kernel sums: 64 threads a block, 776 bytes of shared memory. Compile with -fmad=false.
//   input      const int*    input
//   sums       int*          output
//   input_len  unsigned int  the number of elements of input

// a + b, wrapping around.
template <typename T> __device__ __forceinline__ T add_wrap(T a, T b) {
    return (T)((unsigned long long)a + (unsigned long long)b);
}

extern "C" __global__ void __launch_bounds__(64) sums(
    const int* __restrict__ input,
    int* __restrict__ sums,
    unsigned int input_len) {
    __builtin_assume(threadIdx.x < 64);
    __shared__ __align__(128) unsigned char shared[776];
    const unsigned int thread = threadIdx.x;
    #pragma unroll 1
    for (unsigned int block = blockIdx.x; block < input_len / 128; block += gridDim.x) {
        int* const arr = (int*)shared;
        arr[thread] = add_wrap(input[(size_t)block * 128 + thread], input[(size_t)block * 128 + thread + 64]);
        __syncthreads();
        int* const arr_2 = (int*)(shared + 256);
        if (thread < 32) {
            arr_2[thread] = add_wrap(arr[thread], arr[thread + 32]);
        }
        __syncthreads();
        int* const arr_3 = (int*)(shared + 384);
        if (thread < 16) {
            arr_3[thread] = add_wrap(arr_2[thread], arr_2[thread + 16]);
        }
        __syncthreads();
        int* const arr_4 = (int*)(shared + 512);
        if (thread < 8) {
            arr_4[thread] = add_wrap(arr_3[thread], arr_3[thread + 8]);
        }
        __syncthreads();
        int* const arr_5 = (int*)(shared + 640);
        if (thread < 4) {
            arr_5[thread] = add_wrap(arr_4[thread], arr_4[thread + 4]);
        }
        __syncthreads();
        int* const arr_6 = (int*)(shared + 768);
        if (thread < 2) {
            arr_6[thread] = add_wrap(arr_5[thread], arr_5[thread + 2]);
        }
        __syncthreads();
        if (thread == 0) {
            sums[block] = add_wrap(arr_6[0], arr_6[1]);
        }
        __syncthreads();
    }
}
