// to[0 .. N] = from, at once: to is a multiple of N elements.
template <typename T, unsigned int N> __device__ __forceinline__ void store_wide(T* to, const T (&from)[N]) {
    struct __align__(N * sizeof(T)) Wide {
        T at[N];
    };
    Wide wide;
    #pragma unroll
    for (unsigned int n = 0; n < N; n++) {
        wide.at[n] = from[n];
    }
    *reinterpret_cast<Wide*>(to) = wide;
}
