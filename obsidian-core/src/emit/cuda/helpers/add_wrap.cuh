// a + b, wrapping around.
template <typename T> __device__ __forceinline__ T add_wrap(T a, T b) {
    return (T)((unsigned long long)a + (unsigned long long)b);
}
