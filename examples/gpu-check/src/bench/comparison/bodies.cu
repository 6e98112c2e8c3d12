// The pull of `n` bodies on each of them (softened gravity), `n` a multiple of 256: `accelerations` with one more construct at each step.
// Bodies and pulls are arrays of floats of each kind, as the emitted kernel has them.

// Adds the pull of a body, by a division and a square root.
static __device__ __forceinline__ void pull(float3& sum, float4 body, float3 at) {
    const float x = body.x - at.x, y = body.y - at.y, z = body.z - at.z;
    const float inverse = 1.0f / sqrtf(fmaf(x, x, fmaf(y, y, fmaf(z, z, 1e-6f))));
    const float strength = body.w * inverse * inverse * inverse;
    sum.x = fmaf(x, strength, sum.x);
    sum.y = fmaf(y, strength, sum.y);
    sum.z = fmaf(z, strength, sum.z);
}

// The same by a reciprocal square root.
static __device__ __forceinline__ void pull_fast(float3& sum, float4 body, float3 at) {
    const float x = body.x - at.x, y = body.y - at.y, z = body.z - at.z;
    const float inverse = rsqrtf(fmaf(x, x, fmaf(y, y, fmaf(z, z, 1e-6f))));
    const float strength = body.w * inverse * inverse * inverse;
    sum.x = fmaf(x, strength, sum.x);
    sum.y = fmaf(y, strength, sum.y);
    sum.z = fmaf(z, strength, sum.z);
}

// The bodies are four arrays of `n` one behind another: x, y, z and mass.
static __device__ __forceinline__ float4 body_at(const float* __restrict__ bodies, unsigned int n, unsigned int i) {
    const float* const at = bodies + i;
    const unsigned long long next = n;
    float4 body;
    body.x = at[0], body.y = at[next], body.z = at[2 * next], body.w = at[3 * next];
    return body;
}

// The pulls are three arrays of `n` one behind another.
static __device__ __forceinline__ void store(float* __restrict__ pulls, unsigned int n, unsigned int i, float3 sum) {
    float* const at = pulls + i;
    const unsigned long long next = n;
    at[0] = sum.x, at[next] = sum.y, at[2 * next] = sum.z;
}

// A thread's own body and the sum of its pulls stay in registers.
extern "C" __global__ void __launch_bounds__(256) bodies_held(const float* __restrict__ bodies, float* __restrict__ pulls, unsigned int n) {
    __shared__ float xs[256], ys[256], zs[256], masses[256];
    const unsigned int thread = threadIdx.x, own = blockIdx.x * 256 + thread;
    const float4 me = body_at(bodies, n, own);
    float3 at, sum;
    at.x = me.x, at.y = me.y, at.z = me.z;
    sum.x = 0.0f, sum.y = 0.0f, sum.z = 0.0f;
    for (unsigned int tile = 0; tile < n; tile += 256) {
        const float4 body = body_at(bodies, n, tile + thread);
        xs[thread] = body.x, ys[thread] = body.y, zs[thread] = body.z, masses[thread] = body.w;
        __syncthreads();
        for (unsigned int i = 0; i < 256; i++) {
            float4 other;
            other.x = xs[i], other.y = ys[i], other.z = zs[i], other.w = masses[i];
            pull(sum, other, at);
        }
        __syncthreads();
    }
    store(pulls, n, own, sum);
}

// `rsqrtf` instead of a division and a square root.
extern "C" __global__ void __launch_bounds__(256) bodies_rsqrt(const float* __restrict__ bodies, float* __restrict__ pulls, unsigned int n) {
    __shared__ float xs[256], ys[256], zs[256], masses[256];
    const unsigned int thread = threadIdx.x, own = blockIdx.x * 256 + thread;
    const float4 me = body_at(bodies, n, own);
    float3 at, sum;
    at.x = me.x, at.y = me.y, at.z = me.z;
    sum.x = 0.0f, sum.y = 0.0f, sum.z = 0.0f;
    for (unsigned int tile = 0; tile < n; tile += 256) {
        const float4 body = body_at(bodies, n, tile + thread);
        xs[thread] = body.x, ys[thread] = body.y, zs[thread] = body.z, masses[thread] = body.w;
        __syncthreads();
        for (unsigned int i = 0; i < 256; i++) {
            float4 other;
            other.x = xs[i], other.y = ys[i], other.z = zs[i], other.w = masses[i];
            pull_fast(sum, other, at);
        }
        __syncthreads();
    }
    store(pulls, n, own, sum);
}

// A body in shared memory is one access of 16 bytes. `EACH` bodies a thread share what it reads.
template <unsigned int EACH>
static __device__ __forceinline__ void of_vectors(const float* __restrict__ bodies, float* __restrict__ pulls, unsigned int n) {
    __shared__ float4 others[256];
    const unsigned int thread = threadIdx.x, own = blockIdx.x * (256 * EACH) + thread;
    float3 at[EACH], sums[EACH];
#pragma unroll
    for (unsigned int k = 0; k < EACH; k++) {
        const float4 me = body_at(bodies, n, own + k * 256);
        at[k].x = me.x, at[k].y = me.y, at[k].z = me.z;
        sums[k].x = 0.0f, sums[k].y = 0.0f, sums[k].z = 0.0f;
    }
    for (unsigned int tile = 0; tile < n; tile += 256) {
        others[thread] = body_at(bodies, n, tile + thread);
        __syncthreads();
#pragma unroll 8
        for (unsigned int i = 0; i < 256; i++) {
            const float4 other = others[i];
#pragma unroll
            for (unsigned int k = 0; k < EACH; k++) pull_fast(sums[k], other, at[k]);
        }
        __syncthreads();
    }
#pragma unroll
    for (unsigned int k = 0; k < EACH; k++) store(pulls, n, own + k * 256, sums[k]);
}

extern "C" __global__ void __launch_bounds__(256) bodies_vectors(const float* __restrict__ bodies, float* __restrict__ pulls, unsigned int n) {
    of_vectors<1>(bodies, pulls, n);
}

// Two bodies a thread; `n` is a multiple of 512.
extern "C" __global__ void __launch_bounds__(256) bodies_two(const float* __restrict__ bodies, float* __restrict__ pulls, unsigned int n) {
    of_vectors<2>(bodies, pulls, n);
}
