// The lanes of a warp that have the same as this one, one bit for each: one instruction from sm_70 on.
template <typename T> __device__ __forceinline__ unsigned int lanes_with(T x) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
    return __match_any_sync(0xffffffff, x);
#else
    unsigned int lanes = 0;
    for (unsigned int lane = 0; lane < 32; lane++) {
        const T other = __shfl_sync(0xffffffff, x, lane);
        lanes |= (unsigned int)(other == x) << lane;
    }
    return lanes;
#endif
}
