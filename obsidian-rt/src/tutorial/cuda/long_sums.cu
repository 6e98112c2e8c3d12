// Kernel long_sums: 64 threads a block, 912 bytes of shared memory. Compile with -fmad=false.
//   input      const unsigned int*  input
//   output     unsigned int*        output
//   input_len  unsigned int         the number of elements of input

extern "C" __global__ void __launch_bounds__(64) long_sums(
    const unsigned int* __restrict__ input,
    unsigned int* __restrict__ output,
    unsigned int input_len) {
    __builtin_assume(threadIdx.x < 64);
    __shared__ __align__(128) unsigned char shared[912];
    const unsigned int thread = threadIdx.x;
    for (unsigned int block = blockIdx.x; block < input_len / 1000; block += gridDim.x) {
        unsigned int* const carry = (unsigned int*)(shared + 400);
        if (thread < 1) {
            carry[0] = 0;
        }
        const unsigned int t = block * 1000;
        for (unsigned int i = 0; i < 10; i++) {
            unsigned int* const carried = (unsigned int*)(shared + 416);
            if (thread < 1) {
                const unsigned int t_2 = carry[0];
                carried[0] = t_2;
            }
            __syncthreads();
            unsigned int* const scanned = (unsigned int*)shared;
            unsigned int* const arr = (unsigned int*)shared;
            const unsigned int t_2 = i * 100;
            if (thread < 1) {
                const unsigned int j = thread;
                arr[j] = input[t + (t_2 + j)];
            }
            if (thread < 35) {
                const unsigned int j = thread + 64;
                const unsigned int t_3 = j + 1;
                arr[t_3] = input[t + (t_2 + j)] + input[t + (t_2 + t_3)];
            }
            const unsigned int j = thread;
            const unsigned int t_3 = j + 1;
            arr[t_3] = input[t + (t_2 + j)] + input[t + (t_2 + t_3)];
            __syncthreads();
            unsigned int* const arr_2 = (unsigned int*)(shared + 512);
            if (thread < 2) {
                const unsigned int k = thread;
                arr_2[k] = arr[k];
            }
            if (thread < 34) {
                const unsigned int k = thread + 64;
                const unsigned int t_4 = k + 2;
                arr_2[t_4] = arr[k] + arr[t_4];
            }
            const unsigned int k = thread;
            const unsigned int t_4 = k + 2;
            arr_2[t_4] = arr[k] + arr[t_4];
            __syncthreads();
            unsigned int* const arr_3 = (unsigned int*)shared;
            if (thread < 4) {
                const unsigned int m = thread;
                arr_3[m] = arr_2[m];
            }
            if (thread < 32) {
                const unsigned int m = thread + 64;
                const unsigned int t_5 = m + 4;
                arr_3[t_5] = arr_2[m] + arr_2[t_5];
            }
            const unsigned int m = thread;
            const unsigned int t_5 = m + 4;
            arr_3[t_5] = arr_2[m] + arr_2[t_5];
            __syncthreads();
            unsigned int* const arr_4 = (unsigned int*)(shared + 512);
            if (thread < 8) {
                const unsigned int n = thread;
                arr_4[n] = arr_3[n];
            }
            if (thread < 28) {
                const unsigned int n = thread + 64;
                const unsigned int t_6 = n + 8;
                arr_4[t_6] = arr_3[n] + arr_3[t_6];
            }
            const unsigned int n = thread;
            const unsigned int t_6 = n + 8;
            arr_4[t_6] = arr_3[n] + arr_3[t_6];
            __syncthreads();
            unsigned int* const arr_5 = (unsigned int*)shared;
            if (thread < 16) {
                const unsigned int p = thread;
                arr_5[p] = arr_4[p];
            }
            if (thread < 20) {
                const unsigned int p = thread + 64;
                const unsigned int t_7 = p + 16;
                arr_5[t_7] = arr_4[p] + arr_4[t_7];
            }
            const unsigned int p = thread;
            const unsigned int t_7 = p + 16;
            arr_5[t_7] = arr_4[p] + arr_4[t_7];
            __syncthreads();
            unsigned int* const arr_6 = (unsigned int*)(shared + 512);
            if (thread < 32) {
                const unsigned int i_2 = thread;
                arr_6[i_2] = arr_5[i_2];
            }
            if (thread < 4) {
                const unsigned int i_2 = thread + 64;
                const unsigned int t_8 = i_2 + 32;
                arr_6[t_8] = arr_5[i_2] + arr_5[t_8];
            }
            const unsigned int i_2 = thread;
            const unsigned int t_8 = i_2 + 32;
            arr_6[t_8] = arr_5[i_2] + arr_5[t_8];
            __syncthreads();
            const unsigned int i_3 = thread;
            scanned[i_3] = carried[0] + arr_6[i_3];
            if (thread < 36) {
                const unsigned int i_4 = thread;
                const unsigned int t_9 = i_4 + 64;
                scanned[t_9] = carried[0] + (arr_6[i_4] + arr_6[t_9]);
            }
            __syncthreads();
            if (thread < 36) {
                const unsigned int i_4 = thread + 64;
                output[t + (t_2 + i_4)] = scanned[i_4];
            }
            const unsigned int i_4 = thread;
            output[t + (t_2 + i_4)] = scanned[i_4];
            if (thread < 1) {
                carry[0] = scanned[99];
            }
        }
    }
}
