// The smaller one; a number rather than a NaN. Of equal numbers, -0 if there is one.
__device__ __forceinline__ double min_ieee(double a, double b) {
    return a == b ? __longlong_as_double(__double_as_longlong(a) | __double_as_longlong(b)) : fmin(a, b);
}
