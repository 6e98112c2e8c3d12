// from[index]; 0 if the index is not below the length: the smallest access that is outside, and its index, are noted.
template <typename T> __device__ __forceinline__ T load_inside(const T* from, unsigned long long index, unsigned int length, unsigned int access, unsigned long long* fault) {
    if (index < length) {
        return from[index];
    }
    atomicMin(fault, (unsigned long long)access << 48 | (index & 0xffffffffffffull));
    return (T)0;
}
