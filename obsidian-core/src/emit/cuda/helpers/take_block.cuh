// The next virtual block that no real one has taken, and above it the number of the launch. Who takes last makes way for the next launch.
__device__ __forceinline__ unsigned long long take_block(unsigned long long* head, unsigned int blocks) {
    const unsigned long long taken = atomicAdd(head, 1ull);
    const unsigned long long all = gridDim.x >= blocks ? gridDim.x : (unsigned long long)blocks + gridDim.x;
    if ((taken & 0xffffffffull) + 1 == all) {
        *head = ((taken >> 32) + 1) << 32;
    }
    return taken;
}
