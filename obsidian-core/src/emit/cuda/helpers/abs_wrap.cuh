// |a|, wrapping around.
template <typename T> __device__ __forceinline__ T abs_wrap(T a) {
    return a < 0 ? (T)(0ull - (unsigned long long)a) : a;
}
