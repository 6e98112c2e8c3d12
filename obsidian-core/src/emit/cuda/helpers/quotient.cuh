// a / b; 0 if b is 0.
template <typename T> __device__ __forceinline__ T quotient(T a, T b) {
    return (T)(b == 0 ? 0 : a / b);
}
