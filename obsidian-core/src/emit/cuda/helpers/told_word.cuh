// A word that another block may be about to leave: it is read anew each time, and orders nothing else.
__device__ __forceinline__ unsigned long long told_word(const unsigned long long* at) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
    unsigned long long word;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(at) : "memory");
    return word;
#else
    return *(const volatile unsigned long long*)at;
#endif
}
