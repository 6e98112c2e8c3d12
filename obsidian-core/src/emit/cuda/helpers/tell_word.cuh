// Leaves a word for other blocks, in one store that orders nothing else.
__device__ __forceinline__ void tell_word(unsigned long long* at, unsigned long long word) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(at), "l"(word) : "memory");
#else
    *(volatile unsigned long long*)at = word;
#endif
}
