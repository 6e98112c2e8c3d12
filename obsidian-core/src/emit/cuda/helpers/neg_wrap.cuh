// -a, wrapping around.
template <typename T> __device__ __forceinline__ T neg_wrap(T a) {
    return (T)(0ull - (unsigned long long)a);
}
