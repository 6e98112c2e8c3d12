// The integral part of x, at most what T can hold; 0 for NaN.
template <typename T, typename F> __device__ __forceinline__ T saturate(F x) {
    const T high = (T)(~0ull >> (64 - 8 * sizeof(T) + ((T)-1 < (T)1)));
    const T low = (T)~high;
    return x != x ? (T)0 : x >= (F)high ? high : x <= (F)low ? low : (T)x;
}
