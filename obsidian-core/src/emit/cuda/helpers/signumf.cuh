// 1 with the sign of a; NaN for NaN.
__device__ __forceinline__ float signumf(float a) {
    return a != a ? a : copysignf(1.0f, a);
}
