// Sums of runs of 4,096 numbers by blocks of 128 threads: `sums_of_runs` as it would be emitted with one more construct at each step. A
// launch leaves a sum for each run; launches repeat until one sum is left.

// Adds up 512 numbers in shared memory as the emitted kernel does, in place. Each thread has stored the four that are 128 apart, so the
// first two levels need no barrier. The sum is returned to thread 0; other threads get a meaningless number.
static __device__ __forceinline__ unsigned int tree_of_512(unsigned int* data, unsigned int thread) {
    data[thread] = (data[thread] + data[thread + 256]) + (data[thread + 128] + data[thread + 384]);
    __syncthreads();
#pragma unroll
    for (unsigned int half = 64; half > 1; half /= 2) {
        if (thread < half) data[thread] += data[thread + half];
        __syncthreads();
    }
    return data[0] + data[1];
}

// The same from one number a thread.
static __device__ __forceinline__ unsigned int tree_of_128(unsigned int* data, unsigned int thread, unsigned int own) {
    data[thread] = own;
    __syncthreads();
#pragma unroll
    for (unsigned int half = 64; half > 1; half /= 2) {
        if (thread < half) data[thread] += data[thread + half];
        __syncthreads();
    }
    return data[0] + data[1];
}

// One address of 64 bits for each block and thread, from which the accesses have literal offsets. Each access keeps its guard.
extern "C" __global__ void __launch_bounds__(128) reduce_base(
    const unsigned int* __restrict__ input, unsigned int* __restrict__ sums, unsigned int n) {
    __shared__ unsigned int data[512];
    const unsigned int thread = threadIdx.x;
    for (unsigned int block = blockIdx.x; block < n / 4096 + min(n % 4096, 1u); block += gridDim.x) {
        const unsigned int* const at = input + ((unsigned long long)block * 4096 + thread);
        const unsigned int rest = n - block * 4096;
        for (unsigned int i = 0; i < 4; i++) {
            unsigned int sum = i * 128 + thread < rest ? at[i * 128] : 0;
            for (unsigned int k = 1; k < 8; k++) sum += i * 128 + thread + k * 512 < rest ? at[i * 128 + k * 512] : 0;
            data[i * 128 + thread] = sum;
        }
        const unsigned int sum = tree_of_512(data, thread);
        if (thread == 0) sums[block] = sum;
        __syncthreads();
    }
}

// Whole runs without guards; the last run, if it is shorter, in a loop of its own that is not unrolled.
extern "C" __global__ void __launch_bounds__(128) reduce_whole(
    const unsigned int* __restrict__ input, unsigned int* __restrict__ sums, unsigned int n) {
    __shared__ unsigned int data[512];
    const unsigned int thread = threadIdx.x;
    for (unsigned int block = blockIdx.x; block < n / 4096 + min(n % 4096, 1u); block += gridDim.x) {
        const unsigned int* const at = input + ((unsigned long long)block * 4096 + thread);
        const unsigned int rest = n - block * 4096;
        if (rest >= 4096) {
            for (unsigned int i = 0; i < 4; i++) {
                unsigned int sum = at[i * 128];
                for (unsigned int k = 1; k < 8; k++) sum += at[i * 128 + k * 512];
                data[i * 128 + thread] = sum;
            }
        } else {
#pragma unroll 1
            for (unsigned int i = 0; i < 4; i++) {
                unsigned int sum = 0;
#pragma unroll 1
                for (unsigned int k = i * 128; k + thread < rest; k += 512) sum += at[k];
                data[i * 128 + thread] = sum;
            }
        }
        const unsigned int sum = tree_of_512(data, thread);
        if (thread == 0) sums[block] = sum;
        __syncthreads();
    }
}

// What is left of a last run, in a loop that is not unrolled.
static __device__ __forceinline__ unsigned int ragged(const unsigned int* __restrict__ at, unsigned int thread, unsigned int rest) {
    unsigned int sum = 0;
#pragma unroll 1
    for (unsigned int k = 0; k + thread < rest; k += 128) sum += at[k];
    return sum;
}

// One sum a thread, in a register.
extern "C" __global__ void __launch_bounds__(128) reduce_held(
    const unsigned int* __restrict__ input, unsigned int* __restrict__ sums, unsigned int n) {
    __shared__ unsigned int data[128];
    const unsigned int thread = threadIdx.x;
    for (unsigned int block = blockIdx.x; block < n / 4096 + min(n % 4096, 1u); block += gridDim.x) {
        const unsigned int* const at = input + ((unsigned long long)block * 4096 + thread);
        const unsigned int rest = n - block * 4096;
        unsigned int own = 0;
        if (rest >= 4096) {
#pragma unroll
            for (unsigned int k = 0; k < 32; k++) own += at[k * 128];
        } else {
            own = ragged(at, thread, rest);
        }
        const unsigned int sum = tree_of_128(data, thread, own);
        if (thread == 0) sums[block] = sum;
        __syncthreads();
    }
}

// The 32 numbers of a thread in a whole run, by eight loads of four.
static __device__ __forceinline__ unsigned int eight_vectors(const unsigned int* __restrict__ run, unsigned int thread) {
    const uint4* const at = reinterpret_cast<const uint4*>(run) + thread;
    unsigned int sum = 0;
#pragma unroll
    for (unsigned int k = 0; k < 8; k++) {
        const uint4 four = at[k * 128];
        sum += four.x + four.y + four.z + four.w;
    }
    return sum;
}

// Loads of 16 bytes.
extern "C" __global__ void __launch_bounds__(128) reduce_vectors(
    const unsigned int* __restrict__ input, unsigned int* __restrict__ sums, unsigned int n) {
    __shared__ unsigned int data[128];
    const unsigned int thread = threadIdx.x;
    for (unsigned int block = blockIdx.x; block < n / 4096 + min(n % 4096, 1u); block += gridDim.x) {
        const unsigned int* const run = input + (unsigned long long)block * 4096;
        const unsigned int rest = n - block * 4096;
        const unsigned int own = rest >= 4096 ? eight_vectors(run, thread) : ragged(run + thread, thread, rest);
        const unsigned int sum = tree_of_128(data, thread, own);
        if (thread == 0) sums[block] = sum;
        __syncthreads();
    }
}

// The sum of a block of at most 1,024 threads: shuffles in each warp, then in the first one. Returned to thread 0.
static __device__ __forceinline__ unsigned int by_shuffles(unsigned int* warps, unsigned int thread, unsigned int own) {
#pragma unroll
    for (unsigned int half = 16; half > 0; half /= 2) own += __shfl_down_sync(0xffffffff, own, half);
    if (thread % 32 == 0) warps[thread / 32] = own;
    __syncthreads();
    if (thread < 32) {
        own = thread < blockDim.x / 32 ? warps[thread] : 0;
#pragma unroll
        for (unsigned int half = 16; half > 0; half /= 2) own += __shfl_down_sync(0xffffffff, own, half);
    }
    return own;
}

// Shuffles instead of the tree in shared memory.
extern "C" __global__ void __launch_bounds__(128) reduce_shuffles(
    const unsigned int* __restrict__ input, unsigned int* __restrict__ sums, unsigned int n) {
    __shared__ unsigned int warps[32];
    const unsigned int thread = threadIdx.x;
    for (unsigned int block = blockIdx.x; block < n / 4096 + min(n % 4096, 1u); block += gridDim.x) {
        const unsigned int* const run = input + (unsigned long long)block * 4096;
        const unsigned int rest = n - block * 4096;
        const unsigned int own = rest >= 4096 ? eight_vectors(run, thread) : ragged(run + thread, thread, rest);
        const unsigned int sum = by_shuffles(warps, thread, own);
        if (thread == 0) sums[block] = sum;
        __syncthreads();
    }
}

// The sum of a block by the instruction that adds up a warp. Returned to thread 0.
static __device__ __forceinline__ unsigned int by_redux(unsigned int* warps, unsigned int thread, unsigned int own) {
    own = __reduce_add_sync(0xffffffff, own);
    if (thread % 32 == 0) warps[thread / 32] = own;
    __syncthreads();
    if (thread < 32) own = __reduce_add_sync(0xffffffff, thread < blockDim.x / 32 ? warps[thread] : 0);
    return own;
}

// `redux.sync` instead of the shuffles.
extern "C" __global__ void __launch_bounds__(128) reduce_redux(
    const unsigned int* __restrict__ input, unsigned int* __restrict__ sums, unsigned int n) {
    __shared__ unsigned int warps[32];
    const unsigned int thread = threadIdx.x;
    for (unsigned int block = blockIdx.x; block < n / 4096 + min(n % 4096, 1u); block += gridDim.x) {
        const unsigned int* const run = input + (unsigned long long)block * 4096;
        const unsigned int rest = n - block * 4096;
        const unsigned int own = rest >= 4096 ? eight_vectors(run, thread) : ragged(run + thread, thread, rest);
        const unsigned int sum = by_redux(warps, thread, own);
        if (thread == 0) sums[block] = sum;
        __syncthreads();
    }
}

// A resident grid of blocks of 256 threads: a block adds up all its tiles of 4,096 before its threads are added up once.
extern "C" __global__ void __launch_bounds__(256) reduce_resident(
    const unsigned int* __restrict__ input, unsigned int* __restrict__ sums, unsigned int n) {
    __shared__ unsigned int warps[32];
    const unsigned int thread = threadIdx.x, whole = n / 4096;
    unsigned int own = 0;
#pragma unroll 1
    for (unsigned int tile = blockIdx.x; tile < whole; tile += gridDim.x) {
        const uint4* const at = reinterpret_cast<const uint4*>(input + (unsigned long long)tile * 4096) + thread;
        const uint4 a = at[0], b = at[256], c = at[512], d = at[768];
        own += (a.x + a.y + a.z + a.w) + (b.x + b.y + b.z + b.w) + (c.x + c.y + c.z + c.w) + (d.x + d.y + d.z + d.w);
    }
    if (blockIdx.x == 0) {
#pragma unroll 1
        for (unsigned int i = whole * 4096 + thread; i < n; i += 256) own += input[i];
    }
    const unsigned int sum = by_redux(warps, thread, own);
    if (thread == 0) sums[blockIdx.x] = sum;
}
