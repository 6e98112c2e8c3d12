// to = from[0 .. N], at once: from is a multiple of N elements.
template <typename T, unsigned int N> __device__ __forceinline__ void load_wide(T (&to)[N], const T* from) {
    struct __align__(N * sizeof(T)) Wide {
        T at[N];
    };
    const Wide wide = *reinterpret_cast<const Wide*>(from);
    #pragma unroll
    for (unsigned int n = 0; n < N; n++) {
        to[n] = wide.at[n];
    }
}
