// a << n, without the bits that leave; n is taken modulo the width.
template <typename T> __device__ __forceinline__ T shl_wrap(T a, unsigned int n) {
    return sizeof(T) == 8 ? (T)((unsigned long long)a << (n & 63)) : (T)((unsigned int)a << (n & (8 * sizeof(T) - 1)));
}
