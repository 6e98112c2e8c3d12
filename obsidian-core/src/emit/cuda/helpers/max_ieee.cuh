// The larger one; a number rather than a NaN; 0 above -0.
__device__ __forceinline__ double max_ieee(double a, double b) {
    return a > b || b != b || (a == b && __double_as_longlong(a) >= 0) ? a : b;
}
