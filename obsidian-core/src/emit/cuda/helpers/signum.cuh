// 1 with the sign of a; NaN for NaN.
__device__ __forceinline__ double signum(double a) {
    return a != a ? a : copysign(1.0, a);
}
