// Leaves the others alone for a moment, before one looks again.
__device__ __forceinline__ void wait_briefly() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
    __nanosleep(20);
#endif
}
