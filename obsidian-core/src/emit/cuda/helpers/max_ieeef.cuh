// The larger one; a number rather than a NaN. Of equal numbers, -0 only if both are.
__device__ __forceinline__ float max_ieeef(float a, float b) {
    return a == b ? __int_as_float(__float_as_int(a) & __float_as_int(b)) : fmaxf(a, b);
}
