// The larger one; a number rather than a NaN. Of equal numbers, -0 only if both are.
__device__ __forceinline__ double max_ieee(double a, double b) {
    return a == b ? __longlong_as_double(__double_as_longlong(a) & __double_as_longlong(b)) : fmax(a, b);
}
