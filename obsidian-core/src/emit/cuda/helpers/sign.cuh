// -1, 0 or 1.
template <typename T> __device__ __forceinline__ T sign(T a) {
    return (T)((a > 0) - (a < 0));
}
