// The smaller one; a number rather than a NaN. Of equal numbers, -0 if there is one.
__device__ __forceinline__ float min_ieeef(float a, float b) {
    return a == b ? __int_as_float(__float_as_int(a) | __float_as_int(b)) : fminf(a, b);
}
