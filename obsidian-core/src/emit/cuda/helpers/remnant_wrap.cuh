// a % b with the sign of a; a if b is 0.
template <typename T> __device__ __forceinline__ T remnant_wrap(T a, T b) {
    return b == 0 ? a : b == -1 ? (T)0 : (T)(a % b);
}
