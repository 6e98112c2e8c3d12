// Kernel long_sums: 64 threads a block, 912 bytes of shared memory. Compile with -fmad=false.
//   input      const unsigned int*  input
//   output     unsigned int*        output
//   input_len  unsigned int         the number of elements of input
// In registers, with the elements of a thread: carry (1).

extern "C" __global__ void __launch_bounds__(64) long_sums(
    const unsigned int* __restrict__ input,
    unsigned int* __restrict__ output,
    unsigned int input_len) {
    __builtin_assume(threadIdx.x < 64);
    __shared__ __align__(128) unsigned char shared[912];
    const unsigned int thread = threadIdx.x;
    #pragma unroll 1
    for (unsigned int block = blockIdx.x; block < input_len / 1000; block += gridDim.x) {
        unsigned int carry[1];
        if (thread < 1) {
            carry[0] = 0;
        }
        for (unsigned int i = 0; i < 10; i++) {
            unsigned int* const carried = (unsigned int*)(shared + 400);
            if (thread < 1) {
                const unsigned int t = carry[0];
                carried[0] = t;
            }
            __syncthreads();
            unsigned int* const scanned = (unsigned int*)shared;
            unsigned int* const arr = (unsigned int*)shared;
            if (thread < 1) {
                arr[thread] = input[(size_t)block * 1000 + (size_t)i * 100 + thread];
            }
            if (thread < 35) {
                const unsigned int j = thread + 64;
                const unsigned int t = j + 1;
                arr[t] = input[(size_t)block * 1000 + (size_t)i * 100 + thread + 64] + input[(size_t)block * 1000 + (size_t)i * 100 + thread + 65];
            }
            const unsigned int t = thread + 1;
            arr[t] = input[(size_t)block * 1000 + (size_t)i * 100 + thread] + input[(size_t)block * 1000 + (size_t)i * 100 + thread + 1];
            __syncthreads();
            unsigned int* const arr_2 = (unsigned int*)(shared + 512);
            if (thread < 2) {
                arr_2[thread] = arr[thread];
            }
            if (thread < 34) {
                const unsigned int j = thread + 64;
                const unsigned int t_2 = j + 2;
                arr_2[t_2] = arr[j] + arr[t_2];
            }
            const unsigned int t_2 = thread + 2;
            arr_2[t_2] = arr[thread] + arr[t_2];
            __syncthreads();
            unsigned int* const arr_3 = (unsigned int*)shared;
            if (thread < 4) {
                arr_3[thread] = arr_2[thread];
            }
            if (thread < 32) {
                const unsigned int j = thread + 64;
                const unsigned int t_3 = j + 4;
                arr_3[t_3] = arr_2[j] + arr_2[t_3];
            }
            const unsigned int t_3 = thread + 4;
            arr_3[t_3] = arr_2[thread] + arr_2[t_3];
            __syncthreads();
            unsigned int* const arr_4 = (unsigned int*)(shared + 512);
            if (thread < 8) {
                arr_4[thread] = arr_3[thread];
            }
            if (thread < 28) {
                const unsigned int j = thread + 64;
                const unsigned int t_4 = j + 8;
                arr_4[t_4] = arr_3[j] + arr_3[t_4];
            }
            const unsigned int t_4 = thread + 8;
            arr_4[t_4] = arr_3[thread] + arr_3[t_4];
            __syncthreads();
            unsigned int* const arr_5 = (unsigned int*)shared;
            if (thread < 16) {
                arr_5[thread] = arr_4[thread];
            }
            if (thread < 20) {
                const unsigned int j = thread + 64;
                const unsigned int t_5 = j + 16;
                arr_5[t_5] = arr_4[j] + arr_4[t_5];
            }
            const unsigned int t_5 = thread + 16;
            arr_5[t_5] = arr_4[thread] + arr_4[t_5];
            __syncthreads();
            unsigned int* const arr_6 = (unsigned int*)(shared + 512);
            if (thread < 32) {
                arr_6[thread] = arr_5[thread];
            }
            if (thread < 4) {
                const unsigned int j = thread + 64;
                const unsigned int t_6 = j + 32;
                arr_6[t_6] = arr_5[j] + arr_5[t_6];
            }
            const unsigned int t_6 = thread + 32;
            arr_6[t_6] = arr_5[thread] + arr_5[t_6];
            __syncthreads();
            scanned[thread] = carried[0] + arr_6[thread];
            if (thread < 36) {
                const unsigned int t_7 = thread + 64;
                scanned[t_7] = carried[0] + (arr_6[thread] + arr_6[t_7]);
            }
            __syncthreads();
            if (thread < 36) {
                const unsigned int j = thread + 64;
                output[(size_t)block * 1000 + (size_t)i * 100 + thread + 64] = scanned[j];
            }
            output[(size_t)block * 1000 + (size_t)i * 100 + thread] = scanned[thread];
            if (thread < 1) {
                carry[0] = scanned[99];
            }
        }
    }
}
