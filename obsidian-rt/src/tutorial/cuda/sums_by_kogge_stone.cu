// Kernel sums_by_kogge_stone: 64 threads a block, 912 bytes of shared memory. Compile with -fmad=false.
//   input      const unsigned int*  input
//   output     unsigned int*        output
//   input_len  unsigned int         the number of elements of input

extern "C" __global__ void __launch_bounds__(64) sums_by_kogge_stone(
    const unsigned int* __restrict__ input,
    unsigned int* __restrict__ output,
    unsigned int input_len) {
    __builtin_assume(threadIdx.x < 64);
    __shared__ __align__(128) unsigned char shared[912];
    const unsigned int thread = threadIdx.x;
    for (unsigned int block = blockIdx.x; block < input_len / 100; block += gridDim.x) {
        unsigned int* const arr = (unsigned int*)shared;
        const unsigned int t = block * 100;
        if (thread < 1) {
            const unsigned int i = thread;
            arr[i] = input[t + i];
        }
        if (thread < 35) {
            const unsigned int i = thread + 64;
            const unsigned int t_2 = i + 1;
            arr[t_2] = input[t + i] + input[t + t_2];
        }
        const unsigned int i = thread;
        const unsigned int t_2 = i + 1;
        arr[t_2] = input[t + i] + input[t + t_2];
        __syncthreads();
        unsigned int* const arr_2 = (unsigned int*)(shared + 512);
        if (thread < 2) {
            const unsigned int j = thread;
            arr_2[j] = arr[j];
        }
        if (thread < 34) {
            const unsigned int j = thread + 64;
            const unsigned int t_3 = j + 2;
            arr_2[t_3] = arr[j] + arr[t_3];
        }
        const unsigned int j = thread;
        const unsigned int t_3 = j + 2;
        arr_2[t_3] = arr[j] + arr[t_3];
        __syncthreads();
        unsigned int* const arr_3 = (unsigned int*)shared;
        if (thread < 4) {
            const unsigned int k = thread;
            arr_3[k] = arr_2[k];
        }
        if (thread < 32) {
            const unsigned int k = thread + 64;
            const unsigned int t_4 = k + 4;
            arr_3[t_4] = arr_2[k] + arr_2[t_4];
        }
        const unsigned int k = thread;
        const unsigned int t_4 = k + 4;
        arr_3[t_4] = arr_2[k] + arr_2[t_4];
        __syncthreads();
        unsigned int* const arr_4 = (unsigned int*)(shared + 512);
        if (thread < 8) {
            const unsigned int m = thread;
            arr_4[m] = arr_3[m];
        }
        if (thread < 28) {
            const unsigned int m = thread + 64;
            const unsigned int t_5 = m + 8;
            arr_4[t_5] = arr_3[m] + arr_3[t_5];
        }
        const unsigned int m = thread;
        const unsigned int t_5 = m + 8;
        arr_4[t_5] = arr_3[m] + arr_3[t_5];
        __syncthreads();
        unsigned int* const arr_5 = (unsigned int*)shared;
        if (thread < 16) {
            const unsigned int n = thread;
            arr_5[n] = arr_4[n];
        }
        if (thread < 20) {
            const unsigned int n = thread + 64;
            const unsigned int t_6 = n + 16;
            arr_5[t_6] = arr_4[n] + arr_4[t_6];
        }
        const unsigned int n = thread;
        const unsigned int t_6 = n + 16;
        arr_5[t_6] = arr_4[n] + arr_4[t_6];
        __syncthreads();
        unsigned int* const arr_6 = (unsigned int*)(shared + 512);
        if (thread < 32) {
            const unsigned int p = thread;
            arr_6[p] = arr_5[p];
        }
        if (thread < 4) {
            const unsigned int p = thread + 64;
            const unsigned int t_7 = p + 32;
            arr_6[t_7] = arr_5[p] + arr_5[t_7];
        }
        const unsigned int p = thread;
        const unsigned int t_7 = p + 32;
        arr_6[t_7] = arr_5[p] + arr_5[t_7];
        __syncthreads();
        const unsigned int i_2 = thread;
        output[t + i_2] = arr_6[i_2];
        if (thread < 36) {
            const unsigned int i_3 = thread;
            const unsigned int t_8 = i_3 + 64;
            output[t + t_8] = arr_6[i_3] + arr_6[t_8];
        }
    }
}
