// to = from[0 .. N], at once, through __ldg, as nothing writes it: from is a multiple of N elements.
template <typename T, unsigned int N> __device__ __forceinline__ void load_wide_ldg(T (&to)[N], const T* from) {
    if (sizeof(to) == 16) {
        const uint4 wide = __ldg(reinterpret_cast<const uint4*>(from));
        memcpy(to, &wide, sizeof(to));
    } else if (sizeof(to) == 8) {
        const uint2 wide = __ldg(reinterpret_cast<const uint2*>(from));
        memcpy(to, &wide, sizeof(to));
    } else {
        const unsigned int wide = __ldg(reinterpret_cast<const unsigned int*>(from));
        memcpy(to, &wide, sizeof(to));
    }
}
