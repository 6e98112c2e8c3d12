// Kernel together: 128 threads a block, 16 bytes of shared memory. Compile with -fmad=false.
//   input      const unsigned int*  input
//   output     unsigned int*        output
//   input_len  unsigned int         the number of elements of input

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

extern "C" __global__ void __launch_bounds__(128) together(
    const unsigned int* __restrict__ input,
    unsigned int* __restrict__ output,
    unsigned int input_len) {
    __builtin_assume(threadIdx.x < 128);
    __shared__ __align__(128) unsigned char shared[16];
    const bool aligned = reinterpret_cast<unsigned long long>(input) % 16 == 0;
    const unsigned int thread = threadIdx.x;
    #pragma unroll 1
    for (unsigned int block = blockIdx.x; block < input_len / 2048; block += gridDim.x) {
        unsigned int* const reduce = (unsigned int*)shared;
        unsigned int v = 0;
        if (aligned) {
            #pragma unroll
            for (unsigned int i = 0; i < 4; i++) {
                unsigned int input_part[4];
                load_wide_ldg(input_part, &input[(size_t)block * 2048 + (size_t)i * 512 + (size_t)thread * 4]);
                #pragma unroll
                for (unsigned int j = 0; j < 4; j++) {
                    const unsigned int t = input_part[j];
                    const unsigned int t_2 = v;
                    const unsigned int t_3 = t_2 + t;
                    v = t_3;
                }
            }
        } else {
            #pragma unroll
            for (unsigned int i = 0; i < 4; i++) {
                #pragma unroll
                for (unsigned int j = 0; j < 4; j++) {
                    const unsigned int t = input[(size_t)block * 2048 + (size_t)i * 512 + (size_t)thread * 4 + j];
                    const unsigned int t_2 = v;
                    const unsigned int t_3 = t_2 + t;
                    v = t_3;
                }
            }
        }
        const unsigned int t = v;
        const unsigned int t_2 = add_of_lanes(t);
        if ((thread & 31) == 0) {
            reduce[thread / 32] = t_2;
        }
        __syncthreads();
        if (thread < 32) {
            unsigned int v_2 = 0;
            if (thread < 4) {
                const unsigned int t_3 = reduce[thread];
                v_2 = t_3;
            }
            const unsigned int t_3 = v_2;
            const unsigned int t_4 = thread < 4 ? t_3 : 0;
            const unsigned int t_5 = add_of_lanes(t_4);
            if (thread == 0) {
                output[block] = t_5;
            }
        }
        __syncthreads();
    }
}
