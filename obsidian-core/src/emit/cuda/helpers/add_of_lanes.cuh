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
