// Inclusive sums. The emitted program reads the input twice and writes once: `totals` adds up runs of 1,024, the totals are scanned by the
// same program, and `scan_after` scans each run from the total before it. The steps keep that shape and add a construct each; the last one
// goes over the input once, by decoupled look-back (D. Merrill and M. Garland, 2016).

// The inclusive sums of the lanes of a warp.
static __device__ __forceinline__ unsigned int warp_scan(unsigned int own, unsigned int lane) {
#pragma unroll
    for (unsigned int distance = 1; distance < 32; distance *= 2) {
        const unsigned int before = __shfl_up_sync(0xffffffff, own, distance);
        if (lane >= distance) own += before;
    }
    return own;
}

// What the warps before this one have, where each warp has brought a total. A barrier has to follow before `warps` is used again.
static __device__ __forceinline__ unsigned int before_warp(unsigned int* warps, unsigned int thread, unsigned int total) {
    if (thread % 32 == 31) warps[thread / 32] = total;
    __syncthreads();
    unsigned int before = 0;
    for (unsigned int warp = 0; warp < blockDim.x / 32 - 1; warp++)
        if (warp < thread / 32) before += warps[warp];
    return before;
}

// Second pass: eight numbers a thread in registers, which a warp exchanges through shared memory so that loads and stores stay coalesced;
// shuffles scan the warp.
extern "C" __global__ void __launch_bounds__(128) scan_held(const unsigned int* __restrict__ totals, const unsigned int* __restrict__ input,
    unsigned int* __restrict__ output, unsigned int totals_len, unsigned int n) {
    __shared__ unsigned int exchange[1024], warps[4];
    const unsigned int thread = threadIdx.x, lane = thread % 32, first = thread / 32 * 256;
    for (unsigned int block = blockIdx.x; block < n / 1024 + min(n % 1024, 1u); block += gridDim.x) {
        const unsigned long long at = (unsigned long long)block * 1024 + first + lane;
        const unsigned int rest = n - block * 1024;
        if (rest >= 1024) {
#pragma unroll
            for (unsigned int k = 0; k < 256; k += 32) exchange[first + lane + k] = (input + at)[k];
        } else {
#pragma unroll
            for (unsigned int k = 0; k < 256; k += 32) exchange[first + lane + k] = first + lane + k < rest ? (input + at)[k] : 0;
        }
        __syncwarp();
        unsigned int own[8];
#pragma unroll
        for (unsigned int k = 0; k < 8; k++) own[k] = exchange[first + lane * 8 + k];
#pragma unroll
        for (unsigned int k = 1; k < 8; k++) own[k] += own[k - 1];
        const unsigned int sum = warp_scan(own[7], lane);
        const unsigned int carry = block > 0 && block <= totals_len ? totals[block - 1] : 0;
        const unsigned int before = carry + before_warp(warps, thread, sum) + (sum - own[7]);
#pragma unroll
        for (unsigned int k = 0; k < 8; k++) exchange[first + lane * 8 + k] = before + own[k];
        __syncwarp();
        if (rest >= 1024) {
#pragma unroll
            for (unsigned int k = 0; k < 256; k += 32) (output + at)[k] = exchange[first + lane + k];
        } else {
#pragma unroll
            for (unsigned int k = 0; k < 256; k += 32)
                if (first + lane + k < rest) (output + at)[k] = exchange[first + lane + k];
        }
        __syncthreads();
    }
}

// The numbers of a thread in a tile of `4 * VECTORS` a thread: vectors of four, of which the lanes of a warp have neighbouring ones. What
// lies behind the end is 0.
template <unsigned int VECTORS>
static __device__ __forceinline__ void load_vectors(
    uint4 (&own)[VECTORS], const unsigned int* __restrict__ input, unsigned int from, unsigned int rest) {
#pragma unroll
    for (unsigned int k = 0; k < VECTORS; k++) {
        const unsigned int i = from + k * 128;
        if (i + 4 <= rest) {
            own[k] = *reinterpret_cast<const uint4*>(input + i);
        } else {
            own[k].x = i < rest ? input[i] : 0;
            own[k].y = i + 1 < rest ? input[i + 1] : 0;
            own[k].z = i + 2 < rest ? input[i + 2] : 0;
            own[k].w = 0;
        }
    }
}

// Turns the numbers of a warp into their sums from the warp's first one on, and returns the last of them.
template <unsigned int VECTORS> static __device__ __forceinline__ unsigned int scan_vectors(uint4 (&own)[VECTORS], unsigned int lane) {
    unsigned int before = 0;
#pragma unroll
    for (unsigned int k = 0; k < VECTORS; k++) {
        uint4& four = own[k];
        four.y += four.x;
        four.z += four.y;
        four.w += four.z;
        const unsigned int sum = warp_scan(four.w, lane), to_here = before + (sum - four.w);
        before += __shfl_sync(0xffffffff, sum, 31);
        four.x += to_here;
        four.y += to_here;
        four.z += to_here;
        four.w += to_here;
    }
    return before;
}

// Adds what comes before, and stores.
template <unsigned int VECTORS>
static __device__ __forceinline__ void store_vectors(
    const uint4 (&own)[VECTORS], unsigned int before, unsigned int* __restrict__ output, unsigned int from, unsigned int rest) {
#pragma unroll
    for (unsigned int k = 0; k < VECTORS; k++) {
        const unsigned int i = from + k * 128;
        uint4 four = own[k];
        four.x += before;
        four.y += before;
        four.z += before;
        four.w += before;
        if (i + 4 <= rest) {
            *reinterpret_cast<uint4*>(output + i) = four;
        } else {
            if (i < rest) output[i] = four.x;
            if (i + 1 < rest) output[i + 1] = four.y;
            if (i + 2 < rest) output[i + 2] = four.z;
        }
    }
}

// First pass: the sums of runs of 1,024, by vectors and `redux.sync`.
extern "C" __global__ void __launch_bounds__(128) totals_vectors(
    const unsigned int* __restrict__ input, unsigned int* __restrict__ totals, unsigned int n) {
    __shared__ unsigned int warps[4];
    const unsigned int thread = threadIdx.x, lane = thread % 32;
    for (unsigned int block = blockIdx.x; block < n / 1024 + min(n % 1024, 1u); block += gridDim.x) {
        uint4 own[2];
        load_vectors(own, input + (unsigned long long)block * 1024, thread / 32 * 256 + lane * 4, n - block * 1024);
        unsigned int sum = (own[0].x + own[0].y + own[0].z + own[0].w) + (own[1].x + own[1].y + own[1].z + own[1].w);
        sum = __reduce_add_sync(0xffffffff, sum);
        if (lane == 0) warps[thread / 32] = sum;
        __syncthreads();
        if (thread == 0) totals[block] = warps[0] + warps[1] + warps[2] + warps[3];
        __syncthreads();
    }
}

// Second pass by loads and stores of 16 bytes, with no exchange through shared memory.
extern "C" __global__ void __launch_bounds__(128) scan_vectors_after(const unsigned int* __restrict__ totals,
    const unsigned int* __restrict__ input, unsigned int* __restrict__ output, unsigned int totals_len, unsigned int n) {
    __shared__ unsigned int warps[4];
    const unsigned int thread = threadIdx.x, lane = thread % 32, from = thread / 32 * 256 + lane * 4;
    for (unsigned int block = blockIdx.x; block < n / 1024 + min(n % 1024, 1u); block += gridDim.x) {
        const unsigned long long start = (unsigned long long)block * 1024;
        const unsigned int rest = n - block * 1024;
        uint4 own[2];
        load_vectors(own, input + start, from, rest);
        const unsigned int sum = scan_vectors(own, lane);
        const unsigned int carry = block > 0 && block <= totals_len ? totals[block - 1] : 0;
        store_vectors(own, carry + before_warp(warps, thread, sum), output + start, from, rest);
        __syncthreads();
    }
}

// The words by which tiles tell each other their sums: the sum above two bits that say what it is.
static __device__ __forceinline__ unsigned long long own_sum(unsigned int sum) { return (unsigned long long)sum << 2 | 1; }
static __device__ __forceinline__ unsigned long long sum_to_here(unsigned int sum) { return (unsigned long long)sum << 2 | 2; }

// What the tiles before `tile` sum up to, found by one warp: it looks at 32 of them at a time, until one has the sum of all before it.
static __device__ __forceinline__ unsigned int look_back(unsigned long long* words, unsigned int tile, unsigned int lane) {
    unsigned int before = 0;
    for (unsigned int last = tile; last > 0;) {
        const bool there = lane < last;
        unsigned long long word = sum_to_here(0);
        do {
            if (there) word = *static_cast<const volatile unsigned long long*>(&words[last - 1 - lane]);
        } while (__any_sync(0xffffffff, (word & 3) == 0));
        const unsigned int done = __ballot_sync(0xffffffff, (word & 3) == 2);
        const unsigned int nearest = done == 0 ? 31 : (unsigned int)__ffs((int)done) - 1;
        before += __reduce_add_sync(0xffffffff, lane <= nearest ? (unsigned int)(word >> 2) : 0);
        if (done != 0) break;
        last -= 32;
    }
    return before;
}

// One pass over tiles of 4,096, which blocks take in ascending order by a ticket. `words` has a ticket, and then a word for each tile; all
// are 0 before the launch.
extern "C" __global__ void __launch_bounds__(256) scan_look_back(
    const unsigned int* __restrict__ input, unsigned int* __restrict__ output, unsigned long long* words, unsigned int n) {
    __shared__ unsigned int warps[8], ticket, earlier;
    const unsigned int thread = threadIdx.x, lane = thread % 32, from = thread / 32 * 512 + lane * 4;
    if (thread == 0) ticket = (unsigned int)atomicAdd(words, 1ull);
    __syncthreads();
    const unsigned int tile = ticket, rest = n - tile * 4096;
    uint4 own[4];
    load_vectors(own, input + (unsigned long long)tile * 4096, from, rest);
    const unsigned int sum = scan_vectors(own, lane), before = before_warp(warps, thread, sum);
    if (thread == 255) {
        const unsigned int all = before + sum;
        atomicExch(&words[1 + tile], tile == 0 ? sum_to_here(all) : own_sum(all));
    }
    __syncthreads();
    if (thread < 32) {
        const unsigned int found = look_back(words + 1, tile, lane);
        if (lane == 0) {
            earlier = found;
            unsigned int all = found;
            for (unsigned int warp = 0; warp < 8; warp++) all += warps[warp];
            if (tile > 0) atomicExch(&words[1 + tile], sum_to_here(all));
        }
    }
    __syncthreads();
    store_vectors(own, earlier + before, output + (unsigned long long)tile * 4096, from, rest);
}
