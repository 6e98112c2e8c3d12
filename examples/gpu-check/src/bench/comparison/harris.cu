// The seven steps of a reduction that M. Harris went ("Optimizing Parallel Reduction in CUDA", 2007), for sums of any length in blocks of
// 256 threads. A launch leaves a sum for each block; launches go on until one is left. Two things are as today's GPUs want them: the last
// warp says where its lanes wait for each other, and what lies behind the end counts as 0.

// 1: neighbours are added up, by threads that are further and further apart. Warps diverge.
extern "C" __global__ void __launch_bounds__(256) step1(
    const unsigned int* __restrict__ input, unsigned int* __restrict__ sums, unsigned int n) {
    __shared__ unsigned int data[256];
    const unsigned int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    data[t] = i < n ? input[i] : 0u;
    __syncthreads();
    for (unsigned int s = 1; s < blockDim.x; s *= 2) {
        if (t % (2 * s) == 0) data[t] += data[t + s];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = data[0];
}

// 2: the same additions by threads that are neighbours. Banks conflict.
extern "C" __global__ void __launch_bounds__(256) step2(
    const unsigned int* __restrict__ input, unsigned int* __restrict__ sums, unsigned int n) {
    __shared__ unsigned int data[256];
    const unsigned int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    data[t] = i < n ? input[i] : 0u;
    __syncthreads();
    for (unsigned int s = 1; s < blockDim.x; s *= 2) {
        const unsigned int at = 2 * s * t;
        if (at < blockDim.x) data[at] += data[at + s];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = data[0];
}

// 3: halves are added up. Half of the threads do nothing but load.
extern "C" __global__ void __launch_bounds__(256) step3(
    const unsigned int* __restrict__ input, unsigned int* __restrict__ sums, unsigned int n) {
    __shared__ unsigned int data[256];
    const unsigned int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    data[t] = i < n ? input[i] : 0u;
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s > 0; s /= 2) {
        if (t < s) data[t] += data[t + s];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = data[0];
}

// 4: the first addition is done while loading.
extern "C" __global__ void __launch_bounds__(256) step4(
    const unsigned int* __restrict__ input, unsigned int* __restrict__ sums, unsigned int n) {
    __shared__ unsigned int data[256];
    const unsigned int t = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + t;
    data[t] = (i < n ? input[i] : 0u) + (i + blockDim.x < n ? input[i + blockDim.x] : 0u);
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s > 0; s /= 2) {
        if (t < s) data[t] += data[t + s];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = data[0];
}

// The last 64 elements, by one warp.
static __device__ void last_warp(unsigned int* data, unsigned int t) {
    unsigned int sum = data[t];
#pragma unroll
    for (unsigned int s = 32; s > 0; s /= 2) {
        sum += data[t + s];
        __syncwarp();
        data[t] = sum;
        __syncwarp();
    }
}

// 5: the last warp waits for nobody else.
extern "C" __global__ void __launch_bounds__(256) step5(
    const unsigned int* __restrict__ input, unsigned int* __restrict__ sums, unsigned int n) {
    __shared__ unsigned int data[256];
    const unsigned int t = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + t;
    data[t] = (i < n ? input[i] : 0u) + (i + blockDim.x < n ? input[i + blockDim.x] : 0u);
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s > 32; s /= 2) {
        if (t < s) data[t] += data[t + s];
        __syncthreads();
    }
    if (t < 32) last_warp(data, t);
    if (t == 0) sums[blockIdx.x] = data[0];
}

// The sum of what 256 threads have, without a loop.
static __device__ unsigned int unrolled(unsigned int* data, unsigned int t) {
    __syncthreads();
    if (t < 128) data[t] += data[t + 128];
    __syncthreads();
    if (t < 64) data[t] += data[t + 64];
    __syncthreads();
    if (t < 32) last_warp(data, t);
    return t == 0 ? data[0] : 0u;
}

// 6: the number of threads is known, and all is unrolled.
extern "C" __global__ void __launch_bounds__(256) step6(
    const unsigned int* __restrict__ input, unsigned int* __restrict__ sums, unsigned int n) {
    __shared__ unsigned int data[256];
    const unsigned int t = threadIdx.x, i = blockIdx.x * 512 + t;
    data[t] = (i < n ? input[i] : 0u) + (i + 256 < n ? input[i + 256] : 0u);
    const unsigned int sum = unrolled(data, t);
    if (t == 0) sums[blockIdx.x] = sum;
}

// 7: each thread adds up many elements first.
extern "C" __global__ void __launch_bounds__(256) step7(
    const unsigned int* __restrict__ input, unsigned int* __restrict__ sums, unsigned int n) {
    __shared__ unsigned int data[256];
    const unsigned int t = threadIdx.x, stride = gridDim.x * 512;
    unsigned int own = 0;
    for (unsigned int i = blockIdx.x * 512 + t; i < n; i += stride) {
        own += input[i];
        if (i + 256 < n) own += input[i + 256];
    }
    data[t] = own;
    const unsigned int sum = unrolled(data, t);
    if (t == 0) sums[blockIdx.x] = sum;
}
