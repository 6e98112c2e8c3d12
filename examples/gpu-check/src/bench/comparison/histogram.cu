// Histograms of 256 bins by blocks of 256 threads, each of which counts 4,096 keys in shared memory: `histogram` with one more construct at
// each step. Bins are 0 before the launch.

// Adds what a block has counted to the bins of all.
static __device__ __forceinline__ void add_counts(unsigned int* bins, const unsigned int* counts, unsigned int thread) {
    __syncthreads();
    atomicAdd(&bins[thread], counts[thread]);
}

// One guard a key.
extern "C" __global__ void __launch_bounds__(256) histogram_one_guard(
    unsigned int* __restrict__ bins, const unsigned int* __restrict__ keys, unsigned int n) {
    __shared__ unsigned int counts[256];
    const unsigned int thread = threadIdx.x;
    for (unsigned int block = blockIdx.x; block < n / 4096 + min(n % 4096, 1u); block += gridDim.x) {
        counts[thread] = 0;
        __syncthreads();
        for (unsigned int k = 0; k < 16; k++) {
            const unsigned int i = block * 4096 + k * 256 + thread;
            if (i < n) atomicAdd(&counts[keys[i] % 256], 1u);
        }
        add_counts(bins, counts, thread);
    }
}

// Whole tiles: 16 loads before the first key is counted. A last tile that is shorter goes through a loop that is not unrolled.
extern "C" __global__ void __launch_bounds__(256) histogram_whole(
    unsigned int* __restrict__ bins, const unsigned int* __restrict__ keys, unsigned int n) {
    __shared__ unsigned int counts[256];
    const unsigned int thread = threadIdx.x;
    for (unsigned int block = blockIdx.x; block < n / 4096 + min(n % 4096, 1u); block += gridDim.x) {
        counts[thread] = 0;
        __syncthreads();
        const unsigned int* const at = keys + ((unsigned long long)block * 4096 + thread);
        const unsigned int rest = n - block * 4096;
        if (rest >= 4096) {
            unsigned int own[16];
#pragma unroll
            for (unsigned int k = 0; k < 16; k++) own[k] = at[k * 256];
#pragma unroll
            for (unsigned int k = 0; k < 16; k++) atomicAdd(&counts[own[k] % 256], 1u);
        } else {
#pragma unroll 1
            for (unsigned int k = 0; k + thread < rest; k += 256) atomicAdd(&counts[at[k] % 256], 1u);
        }
        add_counts(bins, counts, thread);
    }
}

// Counts the keys of a thread, in vectors of four where the tile is whole.
static __device__ __forceinline__ void count_vectors(
    unsigned int* counts, const unsigned int* __restrict__ tile, unsigned int thread, unsigned int rest) {
    if (rest >= 4096) {
        const uint4* const at = reinterpret_cast<const uint4*>(tile) + thread;
        uint4 own[4];
#pragma unroll
        for (unsigned int k = 0; k < 4; k++) own[k] = at[k * 256];
#pragma unroll
        for (unsigned int k = 0; k < 4; k++) {
            atomicAdd(&counts[own[k].x % 256], 1u);
            atomicAdd(&counts[own[k].y % 256], 1u);
            atomicAdd(&counts[own[k].z % 256], 1u);
            atomicAdd(&counts[own[k].w % 256], 1u);
        }
    } else {
#pragma unroll 1
        for (unsigned int i = thread; i < rest; i += 256) atomicAdd(&counts[tile[i] % 256], 1u);
    }
}

// Loads of 16 bytes.
extern "C" __global__ void __launch_bounds__(256) histogram_vectors(
    unsigned int* __restrict__ bins, const unsigned int* __restrict__ keys, unsigned int n) {
    __shared__ unsigned int counts[256];
    const unsigned int thread = threadIdx.x;
    for (unsigned int block = blockIdx.x; block < n / 4096 + min(n % 4096, 1u); block += gridDim.x) {
        counts[thread] = 0;
        __syncthreads();
        count_vectors(counts, keys + (unsigned long long)block * 4096, thread, n - block * 4096);
        add_counts(bins, counts, thread);
    }
}

// A resident grid: a block counts all its tiles before it adds its counts to the bins, once.
extern "C" __global__ void __launch_bounds__(256) histogram_resident(
    unsigned int* __restrict__ bins, const unsigned int* __restrict__ keys, unsigned int n) {
    __shared__ unsigned int counts[256];
    const unsigned int thread = threadIdx.x;
    counts[thread] = 0;
    __syncthreads();
#pragma unroll 1
    for (unsigned int tile = blockIdx.x; tile < n / 4096 + min(n % 4096, 1u); tile += gridDim.x)
        count_vectors(counts, keys + (unsigned long long)tile * 4096, thread, n - tile * 4096);
    add_counts(bins, counts, thread);
}

// The same with bins of its own for each warp, so that warps never wait for each other's counts.
extern "C" __global__ void __launch_bounds__(256) histogram_warps(
    unsigned int* __restrict__ bins, const unsigned int* __restrict__ keys, unsigned int n) {
    __shared__ unsigned int counts[8 * 256];
    const unsigned int thread = threadIdx.x;
    for (unsigned int i = thread; i < 8 * 256; i += 256) counts[i] = 0;
    __syncthreads();
#pragma unroll 1
    for (unsigned int tile = blockIdx.x; tile < n / 4096 + min(n % 4096, 1u); tile += gridDim.x)
        count_vectors(counts + thread / 32 * 256, keys + (unsigned long long)tile * 4096, thread, n - tile * 4096);
    __syncthreads();
    unsigned int sum = 0;
    for (unsigned int warp = 0; warp < 8; warp++) sum += counts[warp * 256 + thread];
    atomicAdd(&bins[thread], sum);
}
