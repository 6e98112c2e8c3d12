// How others are measured, by the method of clock.rs: answers are checked before they are timed, launches stand in the queue behind a kernel
// that takes time, inputs and outputs take turns, and medians are given.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace {

using Number = unsigned int;
using Bytes = unsigned long long;

constexpr size_t ROTATED = size_t{512} << 20, MOST_BUFFERS = 16;
constexpr size_t LEAST = 3, MOST = 50, MOST_AT_ONCE = 16;
constexpr double WORTH = 1e-3;

// A call of CUDA that failed: the context may be lost.
struct Failure {
    std::string words;
};

// An answer that is not the reference's.
struct Wrong {
    std::string words;
};

// Work that cannot be done here.
struct NotRun {
    std::string why;
};

void check(cudaError_t status, const char* what) {
    if (status != cudaSuccess) throw Failure{std::string(what) + ": " + cudaGetErrorString(status)};
}

// Takes time: so many ticks of a multiprocessor's clock.
__global__ void take_time(long long ticks) {
    const long long start = clock64();
    while (clock64() - start < ticks) {
    }
}

// Memory of a device, freed at the end.
class Buffer {
public:
    explicit Buffer(size_t bytes) { check(cudaMalloc(&place, std::max<size_t>(bytes, 1)), "cudaMalloc"); }
    Buffer(size_t bytes, const void* content) : Buffer(bytes) {
        check(cudaMemcpy(place, content, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    }
    Buffer(Buffer&& other) noexcept : place(other.place) { other.place = nullptr; }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    Buffer& operator=(Buffer&&) = delete;
    ~Buffer() { static_cast<void>(cudaFree(place)); }
    Number* numbers() const { return static_cast<Number*>(place); }
    float* floats() const { return static_cast<float*>(place); }

private:
    void* place = nullptr;
};

// Buffers that take turns, so that an L2 does not answer for the memory.
class Turns {
public:
    Turns(size_t bytes, const void* content) {
        const size_t count = std::min(std::max(ROTATED / std::max<size_t>(bytes, 1), size_t{1}), MOST_BUFFERS);
        for (size_t i = 0; i < count; i++) {
            if (content)
                buffers.emplace_back(bytes, content);
            else
                buffers.emplace_back(bytes);
        }
    }
    const Buffer& next() { return buffers[turn++ % buffers.size()]; }

private:
    std::vector<Buffer> buffers;
    size_t turn = 0;
};

// Seconds of a launch.
struct Times {
    double median, least, most;
    size_t measurements, launches;
    bool with_host;
};

// What a row is about, and its times.
struct Answer {
    Bytes bytes = 0, operations = 0;
    int registers = 0;
    Times times = {};
};

class Bench {
public:
    int multiprocessors = 0;

    Bench(int device, double limit) : seconds(limit) {
        check(cudaSetDevice(device), "cudaSetDevice");
        check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device), "cudaDeviceGetAttribute");
        check(cudaEventCreate(&begin), "cudaEventCreate");
        check(cudaEventCreate(&end), "cudaEventCreate");
    }

    // Measures, after two launches that do not count.
    Times measure(const std::function<void()>& launch) {
        together(launch, 1);
        const double one = std::max(together(launch, 1).first, 1e-9);
        const size_t launches = std::min(std::max<size_t>(static_cast<size_t>(WORTH / one), 1), MOST_AT_ONCE);
        std::vector<double> times;
        bool with_host = false;
        const auto start = std::chrono::steady_clock::now();
        const auto spent = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
        while (times.size() < LEAST || (times.size() < MOST && spent() < seconds)) {
            const auto [time, queued] = together(launch, launches);
            if (!queued && ticks < (1 << 26)) {
                ticks *= 4;
                continue;
            }
            with_host |= !queued;
            times.push_back(time / static_cast<double>(launches));
        }
        std::sort(times.begin(), times.end());
        const size_t last = times.size() - 1;
        return {(times[last / 2] + times[(last + 1) / 2]) / 2, times.front(), times.back(), times.size(), launches, with_host};
    }

private:
    double seconds;
    long long ticks = 1 << 20;
    cudaEvent_t begin = nullptr, end = nullptr;

    // The seconds of so many launches; and were all in the queue when the first began?
    std::pair<double, bool> together(const std::function<void()>& launch, size_t launches) {
        take_time<<<1, 1>>>(ticks);
        check(cudaEventRecord(begin), "cudaEventRecord");
        for (size_t i = 0; i < launches; i++) launch();
        check(cudaEventRecord(end), "cudaEventRecord");
        check(cudaGetLastError(), "a launch");
        const bool queued = cudaEventQuery(begin) == cudaErrorNotReady;
        // That answer counts as the last error, too.
        static_cast<void>(cudaGetLastError());
        check(cudaEventSynchronize(end), "a launch");
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, begin, end), "cudaEventElapsedTime");
        return {milliseconds * 1e-3, queued};
    }
};

// What lies on the device.
template <typename T> std::vector<T> downloaded(const void* place, size_t count) {
    std::vector<T> copy(count);
    check(cudaGetLastError(), "a launch");
    check(cudaMemcpy(copy.data(), place, count * sizeof(T), cudaMemcpyDeviceToHost), "a launch");
    return copy;
}

// Checks what lies on the device.
void same(const Number* found, const std::vector<Number>& expected) {
    const std::vector<Number> copy = downloaded<Number>(found, expected.size());
    const auto [at, should] = std::mismatch(copy.begin(), copy.end(), expected.begin());
    if (at == copy.end()) return;
    throw Wrong{"element " + std::to_string(at - copy.begin()) + " is " + std::to_string(*at) + ", and it should be " + std::to_string(*should)};
}

// The registers of a thread of a kernel.
template <typename Kernel> int registers_of(Kernel kernel) {
    cudaFuncAttributes attributes;
    check(cudaFuncGetAttributes(&attributes, kernel), "cudaFuncGetAttributes");
    return attributes.numRegs;
}

// The elements that the examples are measured with.
std::vector<Number> elements(size_t n) {
    std::vector<Number> all(n);
    for (size_t i = 0; i < n; i++) all[i] = static_cast<Number>(i) * 0x9E3779B1u ^ (static_cast<Number>(i) >> 3);
    return all;
}

Number runs_of(size_t n, size_t run) { return static_cast<Number>((n + run - 1) / run); }

} // namespace
