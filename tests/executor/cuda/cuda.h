// CUDA for one thread of a host: what kernels' texts name, with the meaning that CUDA gives it, and stricter where CUDA leaves a mistake
// undefined. A text is compiled as it is, in a namespace of its own; nothing in it is edited.
#pragma once
#include "machine.h"
#include <math.h>

// `extern "C" __global__ void f(..)`: the linkage is that of a structure that nobody uses, and `f` is a function of its namespace.
#define __global__ struct obsidian_kernel; static
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
// AddressSanitizer leaves variables alone that are aligned to more than 64 bytes.
#define __align__(n) __attribute__((aligned((n) > 64 ? 64 : (n))))
// Blocks run one after another, so one copy is enough. OBSIDIAN_SHARED names the section of the kernel, which the machine poisons.
#define OBSIDIAN_IN_SHARED __attribute__((section(OBSIDIAN_SHARED)))
#define __shared__ static OBSIDIAN_IN_SHARED
#define __builtin_assume(condition) \
    ((condition) ? (void)0 : obsidian::fault(__LINE__, "the assumption `%s` does not hold", #condition))
// What a kernel prints goes to the standard error: the standard output is the conversation with the worker.
#define printf(...) obsidian::print(__VA_ARGS__)
#define __trap() obsidian::fault(__LINE__, "__trap() is reached")

// Vectors, which lie at multiples of their size where CUDA wants that.
struct float3 {
    float x, y, z;
};
struct alignas(16) float4 {
    float x, y, z, w;
};
struct alignas(16) uint4 {
    unsigned int x, y, z, w;
};
struct alignas(8) uint2 {
    unsigned int x, y;
};

template <typename T> static inline T __ldg(const T *from) { return *from; }
extern "C" void *memcpy(void *, const void *, decltype(sizeof 0)) noexcept;

extern obsidian::Index threadIdx, blockIdx, blockDim, gridDim;
static const int warpSize = 32;

// Waits. `line` is that of the call.

#define OBSIDIAN_LINE int line = __builtin_LINE()

static inline void __syncthreads(OBSIDIAN_LINE) { obsidian::wait_for_block("__syncthreads", 0, line); }
static inline int __syncthreads_count(int p, OBSIDIAN_LINE) { return obsidian::wait_for_block("__syncthreads_count", p, line); }
static inline int __syncthreads_or(int p, OBSIDIAN_LINE) { return obsidian::wait_for_block("__syncthreads_or", p, line) != 0; }
static inline int __syncthreads_and(int p, OBSIDIAN_LINE) {
    return obsidian::wait_for_block("__syncthreads_and", p, line) == (int)blockDim.x;
}
static inline void __syncwarp(unsigned int mask = 0xffffffffu, OBSIDIAN_LINE) { obsidian::exchange("__syncwarp", mask, 0, line); }
static inline void __threadfence() { obsidian::pause(); }
static inline void __threadfence_block() { obsidian::pause(); }

// Bits.

template <typename To, typename From> static inline To obsidian_bits(From from) {
    To to = 0;
    __builtin_memcpy(&to, &from, sizeof from < sizeof to ? sizeof from : sizeof to);
    return to;
}
static inline float __int_as_float(int x) { return obsidian_bits<float>(x); }
static inline int __float_as_int(float x) { return obsidian_bits<int>(x); }
static inline float __uint_as_float(unsigned int x) { return obsidian_bits<float>(x); }
static inline unsigned int __float_as_uint(float x) { return obsidian_bits<unsigned int>(x); }
static inline double __longlong_as_double(long long x) { return obsidian_bits<double>(x); }
static inline long long __double_as_longlong(double x) { return obsidian_bits<long long>(x); }

// A number rather than a NaN, and -0 below 0, as PTX has it; C leaves the order of zeros open.
#define OBSIDIAN_ORDERED(T, f) \
    static inline T obsidian_min##f(T a, T b) { return a != a ? b : b != b ? a : a < b || (a == b && __builtin_signbit(a)) ? a : b; } \
    static inline T obsidian_max##f(T a, T b) { return a != a ? b : b != b ? a : a > b || (a == b && !__builtin_signbit(a)) ? a : b; }
OBSIDIAN_ORDERED(float, f)
OBSIDIAN_ORDERED(double, )
#define fminf obsidian_minf
#define fmaxf obsidian_maxf
#define fmin obsidian_min
#define fmax obsidian_max

// The nearest values: CUDA's may be some units in the last place off.
static inline float rsqrtf(float x) { return (float)(1.0 / __builtin_sqrt((double)x)); }
static inline double rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }
#define __expf(x) __builtin_expf(x)
#define __logf(x) __builtin_logf(x)
#define __sinf(x) __builtin_sinf(x)
#define __cosf(x) __builtin_cosf(x)
static inline float __fdividef(float x, float y) { return x / y; }

static inline int __popc(unsigned int x) { return __builtin_popcount(x); }
static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned int)x); }
static inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline int __ffsll(long long x) { return __builtin_ffsll(x); }
static inline unsigned long long __brevll(unsigned long long x) {
    unsigned long long y = 0;
    for (int i = 0; i < 64; i++) y |= ((x >> i) & 1) << (63 - i);
    return y;
}
static inline unsigned int __brev(unsigned int x) { return (unsigned int)(__brevll(x) >> 32); }

static inline int __float2int_rz(float x) {
    return x != x ? 0 : x >= 2147483648.0f ? 2147483647 : x < -2147483648.0f ? -2147483647 - 1 : (int)x;
}
static inline unsigned int __float2uint_rz(float x) {
    return x != x || x <= 0 ? 0 : x >= 4294967296.0f ? 4294967295u : (unsigned int)x;
}

#define OBSIDIAN_OVERLOADS(T) \
    static inline T min(T a, T b) { return a < b ? a : b; } \
    static inline T max(T a, T b) { return a < b ? b : a; }
OBSIDIAN_OVERLOADS(int)
OBSIDIAN_OVERLOADS(unsigned int)
OBSIDIAN_OVERLOADS(long long)
OBSIDIAN_OVERLOADS(unsigned long long)

// Atomics. Threads run one at a time, so a plain change is one step; what comes between two of them is for the schedule.

#define OBSIDIAN_ATOMIC(NAME, T, VALUE) \
    static inline T NAME(T *address, T a) { \
        obsidian::pause(); \
        const T old = *address; \
        *address = (T)(VALUE); \
        return old; \
    }
#define OBSIDIAN_ATOMICS(T) \
    OBSIDIAN_ATOMIC(atomicAdd, T, old + a) \
    OBSIDIAN_ATOMIC(atomicSub, T, old - a) \
    OBSIDIAN_ATOMIC(atomicMin, T, min(old, a)) \
    OBSIDIAN_ATOMIC(atomicMax, T, max(old, a)) \
    OBSIDIAN_ATOMIC(atomicAnd, T, old & a) \
    OBSIDIAN_ATOMIC(atomicOr, T, old | a) \
    OBSIDIAN_ATOMIC(atomicXor, T, old ^ a) \
    OBSIDIAN_ATOMIC(atomicExch, T, a) \
    static inline T atomicCAS(T *address, T expected, T a) { \
        obsidian::pause(); \
        const T old = *address; \
        if (old == expected) *address = a; \
        return old; \
    }
OBSIDIAN_ATOMICS(int)
OBSIDIAN_ATOMICS(unsigned int)
OBSIDIAN_ATOMICS(unsigned long long)
OBSIDIAN_ATOMIC(atomicMin, long long, min(old, a))
OBSIDIAN_ATOMIC(atomicMax, long long, max(old, a))
OBSIDIAN_ATOMIC(atomicAdd, float, old + a)
OBSIDIAN_ATOMIC(atomicAdd, double, old + a)
OBSIDIAN_ATOMIC(atomicExch, float, a)
OBSIDIAN_ATOMIC(atomicInc, unsigned int, old >= a ? 0 : old + 1)
OBSIDIAN_ATOMIC(atomicDec, unsigned int, old == 0 || old > a ? a : old - 1)

// Collectives. A lane that takes no part has no value: reading it ends the program.

static inline unsigned long long obsidian_of_lane(const obsidian::Exchange &all, unsigned int source, const char *name, int line) {
    if (!(all.mask >> source & 1)) obsidian::fault(line, "%s reads lane %u, which takes no part (mask %#x)", name, source, all.mask);
    return all.values[source];
}

static inline void obsidian_check_width(const char *name, int width, int line) {
    if (width < 1 || width > 32 || (width & (width - 1))) obsidian::fault(line, "%s has the width %d", name, width);
}

// `SOURCE` is the lane that is read if `INSIDE` holds; else a lane has its own value back.
#define OBSIDIAN_SHUFFLE(NAME, TYPE, SOURCE, INSIDE) \
    template <typename T> static inline T NAME(unsigned int mask, T value, TYPE by, int width = 32, OBSIDIAN_LINE) { \
        obsidian_check_width(#NAME, width, line); \
        const obsidian::Exchange &all = obsidian::exchange(#NAME, mask, obsidian_bits<unsigned long long>(value), line); \
        const int lane = (int)obsidian::lane(), first = lane & ~(width - 1), last = first | (width - 1), source = SOURCE; \
        return obsidian_bits<T>(obsidian_of_lane(all, (unsigned int)((INSIDE) ? source : lane), #NAME, line)); \
    }
OBSIDIAN_SHUFFLE(__shfl_sync, int, first | (by & (width - 1)), source <= last)
OBSIDIAN_SHUFFLE(__shfl_up_sync, unsigned int, lane - (int)(by & 31), source >= first)
OBSIDIAN_SHUFFLE(__shfl_down_sync, unsigned int, lane + (int)(by & 31), source <= last)
OBSIDIAN_SHUFFLE(__shfl_xor_sync, int, lane ^ (by & 31), source <= last)

static inline unsigned int __ballot_sync(unsigned int mask, int predicate, OBSIDIAN_LINE) {
    const obsidian::Exchange &all = obsidian::exchange("__ballot_sync", mask, predicate != 0, line);
    unsigned int ballot = 0;
    for (int i = 0; i < 32; i++)
        if (all.mask >> i & 1) ballot |= (unsigned int)all.values[i] << i;
    return ballot;
}
static inline int __any_sync(unsigned int mask, int predicate, OBSIDIAN_LINE) { return __ballot_sync(mask, predicate, line) != 0; }
static inline int __all_sync(unsigned int mask, int predicate, OBSIDIAN_LINE) { return __ballot_sync(mask, predicate, line) == mask; }

static inline void __nanosleep(unsigned int, OBSIDIAN_LINE) { obsidian::look_again(line); }

template <typename T> static inline unsigned int __match_any_sync(unsigned int mask, T value, OBSIDIAN_LINE) {
    const unsigned long long mine = obsidian_bits<unsigned long long>(value);
    const obsidian::Exchange &all = obsidian::exchange("__match_any_sync", mask, mine, line);
    unsigned int same = 0;
    for (int i = 0; i < 32; i++)
        if ((all.mask >> i & 1) && all.values[i] == mine) same |= 1u << i;
    return same;
}
template <typename T> static inline unsigned int __match_all_sync(unsigned int mask, T value, int *predicate, OBSIDIAN_LINE) {
    *predicate = __match_any_sync(mask, value, line) == mask;
    return *predicate ? mask : 0;
}

#define OBSIDIAN_REDUCE(NAME, T, VALUE) \
    static inline T NAME(unsigned int mask, T value, OBSIDIAN_LINE) { \
        const obsidian::Exchange &all = obsidian::exchange(#NAME, mask, obsidian_bits<unsigned long long>(value), line); \
        T sum = value; \
        for (unsigned int i = 0; i < 32; i++) { \
            if (!(all.mask >> i & 1) || i == obsidian::lane()) continue; \
            const T other = obsidian_bits<T>(all.values[i]); \
            sum = (T)(VALUE); \
        } \
        return sum; \
    }
OBSIDIAN_REDUCE(__reduce_add_sync, int, sum + other)
OBSIDIAN_REDUCE(__reduce_add_sync, unsigned int, sum + other)
OBSIDIAN_REDUCE(__reduce_min_sync, int, min(sum, other))
OBSIDIAN_REDUCE(__reduce_min_sync, unsigned int, min(sum, other))
OBSIDIAN_REDUCE(__reduce_max_sync, int, max(sum, other))
OBSIDIAN_REDUCE(__reduce_max_sync, unsigned int, max(sum, other))
OBSIDIAN_REDUCE(__reduce_and_sync, unsigned int, sum & other)
OBSIDIAN_REDUCE(__reduce_or_sync, unsigned int, sum | other)
OBSIDIAN_REDUCE(__reduce_xor_sync, unsigned int, sum ^ other)
