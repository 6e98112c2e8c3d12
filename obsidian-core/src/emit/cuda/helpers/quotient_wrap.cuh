// a / b, wrapping around; 0 if b is 0.
template <typename T> __device__ __forceinline__ T quotient_wrap(T a, T b) {
    return b == 0 ? (T)0 : b == -1 ? (T)(0ull - (unsigned long long)a) : (T)(a / b);
}
