// The smaller one; a number rather than a NaN; -0 below 0.
__device__ __forceinline__ double min_ieee(double a, double b) {
    return a < b || b != b || (a == b && __double_as_longlong(a) < 0) ? a : b;
}
