// Kernel of_any_length: 256 threads a block, 32 bytes of shared memory. Compile with -fmad=false.
//   input      const unsigned int*  input
//   output     unsigned int*        output
//   input_len  unsigned int         the number of elements of input
// In registers, with the elements of a thread: sums (1), sums_2 (1).

// to = from[0 .. N], at once, through __ldg, as nothing writes it: from is a multiple of N elements.
template <typename T, unsigned int N> __device__ __forceinline__ void load_wide_ldg(T (&to)[N], const T* from) {
    if (sizeof(to) == 16) {
        const uint4 wide = __ldg(reinterpret_cast<const uint4*>(from));
        memcpy(to, &wide, sizeof(to));
    } else if (sizeof(to) == 8) {
        const uint2 wide = __ldg(reinterpret_cast<const uint2*>(from));
        memcpy(to, &wide, sizeof(to));
    } else {
        const unsigned int wide = __ldg(reinterpret_cast<const unsigned int*>(from));
        memcpy(to, &wide, sizeof(to));
    }
}

// The sum of what the lanes of a warp have, in each of them: one instruction from sm_80 on.
template <typename T> __device__ __forceinline__ T add_of_lanes(T x) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    return (T)__reduce_add_sync(0xffffffff, x);
#else
    for (unsigned int distance = 16; distance > 0; distance /= 2) {
        const T other = __shfl_xor_sync(0xffffffff, x, distance);
        x = x + other;
    }
    return x;
#endif
}

extern "C" __global__ void __launch_bounds__(256) of_any_length(
    const unsigned int* __restrict__ input,
    unsigned int* __restrict__ output,
    unsigned int input_len) {
    __builtin_assume(threadIdx.x < 256);
    __shared__ __align__(128) unsigned char shared[32];
    const bool aligned = reinterpret_cast<unsigned long long>(input) % 16 == 0;
    const unsigned int thread = threadIdx.x;
    #pragma unroll 1
    for (unsigned int block = blockIdx.x; block < input_len / 1048576 + min(input_len % 1048576, 1u); block += gridDim.x) {
        unsigned int sums[1];
        sums[0] = 0;
        const unsigned int t = block * 1048576;
        const unsigned int t_2 = min(input_len - t, 1048576u);
        const unsigned int t_3 = t_2 / 4096;
        if (aligned) {
            for (unsigned int i = 0; i < t_3; i++) {
                const unsigned int t_4 = sums[0];
                unsigned int input_part[4];
                load_wide_ldg(input_part, &input[(size_t)block * 1048576 + (size_t)i * 4096 + (size_t)thread * 16]);
                unsigned int input_part_2[4];
                load_wide_ldg(input_part_2, &input[(size_t)block * 1048576 + (size_t)i * 4096 + (size_t)thread * 16 + 4]);
                unsigned int input_part_3[4];
                load_wide_ldg(input_part_3, &input[(size_t)block * 1048576 + (size_t)i * 4096 + (size_t)thread * 16 + 8]);
                unsigned int input_part_4[4];
                load_wide_ldg(input_part_4, &input[(size_t)block * 1048576 + (size_t)i * 4096 + (size_t)thread * 16 + 12]);
                sums[0] = t_4 + (input_part[0] + input_part[1] + input_part[2] + input_part[3] + input_part_2[0] + input_part_2[1] + input_part_2[2] + input_part_2[3] + input_part_3[0] + input_part_3[1] + input_part_3[2] + input_part_3[3] + input_part_4[0] + input_part_4[1] + input_part_4[2] + input_part_4[3]);
            }
        } else {
            #pragma unroll 1
            for (unsigned int i = 0; i < t_3; i++) {
                const unsigned int t_4 = sums[0];
                sums[0] = t_4 + (input[(size_t)block * 1048576 + (size_t)i * 4096 + (size_t)thread * 16] + input[(size_t)block * 1048576 + (size_t)i * 4096 + (size_t)thread * 16 + 1] + input[(size_t)block * 1048576 + (size_t)i * 4096 + (size_t)thread * 16 + 2] + input[(size_t)block * 1048576 + (size_t)i * 4096 + (size_t)thread * 16 + 3] + input[(size_t)block * 1048576 + (size_t)i * 4096 + (size_t)thread * 16 + 4] + input[(size_t)block * 1048576 + (size_t)i * 4096 + (size_t)thread * 16 + 5] + input[(size_t)block * 1048576 + (size_t)i * 4096 + (size_t)thread * 16 + 6] + input[(size_t)block * 1048576 + (size_t)i * 4096 + (size_t)thread * 16 + 7] + input[(size_t)block * 1048576 + (size_t)i * 4096 + (size_t)thread * 16 + 8] + input[(size_t)block * 1048576 + (size_t)i * 4096 + (size_t)thread * 16 + 9] + input[(size_t)block * 1048576 + (size_t)i * 4096 + (size_t)thread * 16 + 10] + input[(size_t)block * 1048576 + (size_t)i * 4096 + (size_t)thread * 16 + 11] + input[(size_t)block * 1048576 + (size_t)i * 4096 + (size_t)thread * 16 + 12] + input[(size_t)block * 1048576 + (size_t)i * 4096 + (size_t)thread * 16 + 13] + input[(size_t)block * 1048576 + (size_t)i * 4096 + (size_t)thread * 16 + 14] + input[(size_t)block * 1048576 + (size_t)i * 4096 + (size_t)thread * 16 + 15]);
            }
        }
        const unsigned int t_4 = t_3 * 4096;
        const unsigned int t_5 = t_2 - t_4;
        if (0 < t_5) {
            unsigned int sums_2[1];
            const unsigned int sums_3 = sums[0];
            sums_2[0] = sums_3;
            const unsigned int t_6 = t_5 + 255;
            unsigned int v = sums_2[0];
            #pragma unroll 1
            for (unsigned int i = 0; i < (t_6 - thread) / 256; i++) {
                const unsigned int t_7 = v;
                v = t_7 + input[(size_t)block * 1048576 + (size_t)t_3 * 4096 + (size_t)i * 256 + thread];
            }
            const unsigned int t_7 = v;
            sums[0] = t_7;
        }
        unsigned int* const reduce = (unsigned int*)shared;
        const unsigned int t_6 = sums[0];
        const unsigned int t_7 = add_of_lanes(t_6);
        if ((thread & 31) == 0) {
            reduce[thread / 32] = t_7;
        }
        __syncthreads();
        if (thread < 32) {
            unsigned int v = 0;
            if (thread < 8) {
                const unsigned int t_8 = reduce[thread];
                v = t_8;
            }
            const unsigned int t_8 = v;
            const unsigned int t_9 = thread < 8 ? t_8 : 0;
            const unsigned int t_10 = add_of_lanes(t_9);
            if (thread == 0) {
                output[block] = t_10;
            }
        }
        __syncthreads();
    }
}
