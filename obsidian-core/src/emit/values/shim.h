// What generated CUDA text needs of CUDA, for one thread on a host, with the meaning that CUDA gives it.
#include <math.h>
#include <stdio.h>
#include <string.h>

#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __shared__ static
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_assume(c)

struct Index { unsigned int x; };
static const Index threadIdx = {0}, blockIdx = {0}, gridDim = {1};

static inline void __syncthreads() {}
static inline void __syncwarp(unsigned int) {}

template <typename To, typename From> static inline To bits(From from) {
    To to;
    memcpy(&to, &from, sizeof to);
    return to;
}
static inline float __int_as_float(int x) { return bits<float>(x); }
static inline int __float_as_int(float x) { return bits<int>(x); }
static inline double __longlong_as_double(long long x) { return bits<double>(x); }
static inline long long __double_as_longlong(double x) { return bits<long long>(x); }

static inline unsigned int __float_as_uint(float x) { return bits<unsigned int>(x); }
static inline float __uint_as_float(unsigned int x) { return bits<float>(x); }

// A number rather than a NaN, and -0 below 0, as PTX has it; C leaves the order of zeros open.
#define ORDERED(T, f) \
    static inline T ordered_min##f(T a, T b) { return a != a ? b : b != b ? a : a < b || (a == b && signbit(a)) ? a : b; } \
    static inline T ordered_max##f(T a, T b) { return a != a ? b : b != b ? a : a > b || (a == b && !signbit(a)) ? a : b; }
ORDERED(float, f)
ORDERED(double, )
#define fminf ordered_minf
#define fmaxf ordered_maxf
#define fmin ordered_min
#define fmax ordered_max

// The nearest value; CUDA's fast functions are as far off as the documentation of `fast` says.
static inline float rsqrtf(float x) { return (float)(1.0 / sqrt((double)x)); }
static inline double rsqrt(double x) { return 1.0 / sqrt(x); }
#define __expf(x) expf(x)
#define __logf(x) logf(x)
#define __sinf(x) sinf(x)
#define __cosf(x) cosf(x)
static inline float __fdividef(float x, float y) { return x / y; }

static inline int __float2int_rz(float x) { return x != x ? 0 : x >= 2147483648.0f ? 2147483647 : x < -2147483648.0f ? -2147483647 - 1 : (int)x; }
static inline unsigned int __float2uint_rz(float x) { return x != x || x <= 0 ? 0 : x >= 4294967296.0f ? 4294967295u : (unsigned int)x; }

static inline int __popc(unsigned int x) { return __builtin_popcount(x); }
static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned int)x); }
static inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }
static inline unsigned long long __brevll(unsigned long long x) {
    unsigned long long y = 0;
    for (int i = 0; i < 64; i++) y |= ((x >> i) & 1) << (63 - i);
    return y;
}
static inline unsigned int __brev(unsigned int x) { return (unsigned int)(__brevll(x) >> 32); }

#define OVERLOADS(T) \
    static inline T min(T a, T b) { return a < b ? a : b; } \
    static inline T max(T a, T b) { return a < b ? b : a; }
OVERLOADS(int)
OVERLOADS(unsigned int)
OVERLOADS(long long)
OVERLOADS(unsigned long long)

template <typename T> static void take(T *data, size_t n) {
    if (fread(data, sizeof(T), n, stdin) != n) fputs("the input ends early\n", stderr);
}
template <typename T> static void give(const T *data, size_t n) { fwrite(data, sizeof(T), n, stdout); }
