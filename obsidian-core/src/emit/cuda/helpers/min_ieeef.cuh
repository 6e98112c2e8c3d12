// The smaller one; a number rather than a NaN; -0 below 0.
__device__ __forceinline__ float min_ieeef(float a, float b) {
    return a < b || b != b || (a == b && __float_as_int(a) < 0) ? a : b;
}
