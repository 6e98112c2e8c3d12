// a % b; a if b is 0.
template <typename T> __device__ __forceinline__ T remnant(T a, T b) {
    return (T)(b == 0 ? a : a % b);
}
