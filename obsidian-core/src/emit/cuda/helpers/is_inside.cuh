// Is the index below the length? If not, the smallest access that is outside, and its index, are noted.
__device__ __forceinline__ bool is_inside(unsigned long long index, unsigned int length, unsigned int access, unsigned long long* fault) {
    if (index < length) {
        return true;
    }
    atomicMin(fault, (unsigned long long)access << 48 | (index & 0xffffffffffffull));
    return false;
}
