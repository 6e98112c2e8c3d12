// The lanes of a warp in which `x != 0` is what it is in this lane, one bit for each.
__device__ __forceinline__ unsigned int lanes_alike(unsigned int x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
    // One comparison, where the compiler makes two of the lines below.
    unsigned int lanes, others;
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; selp.b32 %1, 0, 0xffffffff, p; }"
                 : "=r"(lanes), "=r"(others)
                 : "r"(x));
    return lanes ^ others;
#else
    const unsigned int lanes = __ballot_sync(0xffffffff, x != 0);
    return x != 0 ? lanes : ~lanes;
#endif
}
