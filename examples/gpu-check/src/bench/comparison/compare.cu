// What CUB and Harris's steps (harris.cu, which stands before this) take for the work of the examples, by the method of clock.rs: launches
// stand in the queue behind a kernel that takes time, inputs and outputs take turns, and medians are given.
//
//     compare DEVICE SECONDS LENGTH...
//
// measures each for so many seconds, at each length. A line a result, its fields apart by tabs: work, by whom, length, bytes, the median,
// the least and the largest number of seconds, measurements, launches of one, 1 if work of the host is in the time, and `right`, or what
// is wrong.

#include <cub/cub.cuh>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace {

using Number = unsigned int;
using Bytes = unsigned long long;

constexpr size_t ROTATED = size_t{512} << 20, MOST_BUFFERS = 16;
constexpr size_t LEAST = 3, MOST = 50, MOST_AT_ONCE = 16;
constexpr double WORTH = 1e-3;
constexpr int BINS = 256;

void check(cudaError_t status, const char* what) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
    std::exit(1);
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
    Buffer(Buffer&& other) noexcept : place(other.place) { other.place = nullptr; }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    Buffer& operator=(Buffer&&) = delete;
    ~Buffer() { static_cast<void>(cudaFree(place)); }
    Number* numbers() const { return static_cast<Number*>(place); }

private:
    void* place = nullptr;
};

// Buffers that take turns, so that an L2 does not answer for the memory.
class Turns {
public:
    Turns(size_t bytes, const void* content) {
        const size_t count = std::min(std::max(ROTATED / std::max<size_t>(bytes, 1), size_t{1}), MOST_BUFFERS);
        for (size_t i = 0; i < count; i++) {
            buffers.emplace_back(bytes);
            if (content) check(cudaMemcpy(buffers.back().numbers(), content, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
        }
    }
    Number* next() { return buffers[turn++ % buffers.size()].numbers(); }

private:
    std::vector<Buffer> buffers;
    size_t turn = 0;
};

struct Bench {
    double seconds;
    long long ticks = 1 << 20;
    cudaEvent_t begin, end;

    explicit Bench(double limit) : seconds(limit) {
        check(cudaEventCreate(&begin), "cudaEventCreate");
        check(cudaEventCreate(&end), "cudaEventCreate");
    }

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

    // Measures, after two launches that do not count, and prints the line.
    void measure(const char* work, const std::string& by, size_t length, Bytes bytes, const std::string& verdict,
        const std::function<void()>& launch) {
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
        const double median = (times[last / 2] + times[(last + 1) / 2]) / 2;
        std::printf("%s\t%s\t%zu\t%llu\t%.9g\t%.9g\t%.9g\t%zu\t%zu\t%d\t%s\n", work, by.c_str(), length, bytes, median, times.front(),
            times.back(), times.size(), launches, with_host ? 1 : 0, verdict.c_str());
        std::fflush(stdout);
    }
};

// "right", or what is wrong with what lies on the device.
std::string verdict(const Number* found, const std::vector<Number>& expected) {
    std::vector<Number> copy(expected.size());
    check(cudaMemcpy(copy.data(), found, copy.size() * sizeof(Number), cudaMemcpyDeviceToHost), "a launch");
    const auto different = std::mismatch(copy.begin(), copy.end(), expected.begin());
    if (different.first == copy.end()) return "right";
    return "element " + std::to_string(different.first - copy.begin()) + " is " + std::to_string(*different.first) + ", and it should be " +
        std::to_string(*different.second);
}

// The elements that the examples are measured with.
std::vector<Number> elements(size_t n) {
    std::vector<Number> all(n);
    for (size_t i = 0; i < n; i++) all[i] = static_cast<Number>(i) * 0x9E3779B1u ^ (static_cast<Number>(i) >> 3);
    return all;
}

// The driver's own copy: a ceiling.
void copy(Bench& bench, const std::vector<Number>& host) {
    const size_t n = host.size(), bytes = n * sizeof(Number);
    Turns inputs(bytes, host.data()), outputs(bytes, nullptr);
    Number* last = nullptr;
    const auto launch = [&] {
        last = outputs.next();
        check(cudaMemcpyAsync(last, inputs.next(), bytes, cudaMemcpyDeviceToDevice), "cudaMemcpyAsync");
    };
    launch();
    bench.measure("copy", "cudaMemcpy", n, 2 * bytes, verdict(last, host), launch);
}

// One algorithm of CUB, which first says how much memory it needs for itself: `run(memory, its bytes, input, output)`.
template <typename Run>
void cub_device(Bench& bench, const char* work, const char* by, Bytes bytes, const std::vector<Number>& host,
    const std::vector<Number>& expected, Run run) {
    Turns inputs(host.size() * sizeof(Number), host.data()), outputs(expected.size() * sizeof(Number), nullptr);
    size_t own = 0;
    check(run(nullptr, own, inputs.next(), outputs.next()), by);
    const Buffer memory(own);
    Number* last = nullptr;
    const auto launch = [&] {
        last = outputs.next();
        check(run(memory.numbers(), own, inputs.next(), last), by);
    };
    launch();
    bench.measure(work, by, host.size(), bytes, verdict(last, expected), launch);
}

using Step = void (*)(const Number*, Number*, Number);

// A step of Harris, launched until one sum is left.
void harris(Bench& bench, int number, Step step, const std::vector<Number>& host, Number expected, int multiprocessors) {
    const size_t n = host.size();
    Turns inputs(n * sizeof(Number), host.data());
    const size_t most = (n + 255) / 256;
    const Buffer first(most * sizeof(Number)), second(most * sizeof(Number));
    const auto blocks = [&](size_t left) {
        if (number <= 3) return (left + 255) / 256;
        const size_t all = (left + 511) / 512;
        return number < 7 ? all : std::min(all, static_cast<size_t>(multiprocessors) * 8);
    };
    Number* last = nullptr;
    const auto launch = [&] {
        const Number* from = inputs.next();
        Number* to = first.numbers();
        size_t left = n;
        do {
            const size_t grid = blocks(left);
            step<<<static_cast<Number>(grid), 256>>>(from, to, static_cast<Number>(left));
            from = last = to;
            to = to == first.numbers() ? second.numbers() : first.numbers();
            left = grid;
        } while (left > 1);
    };
    launch();
    bench.measure("reduce", "Harris " + std::to_string(number), n, n * sizeof(Number), verdict(last, {expected}), launch);
}

void measure(Bench& bench, size_t n, int multiprocessors) {
    const std::vector<Number> host = elements(n);
    const Bytes bytes = n * sizeof(Number);
    const int count = static_cast<int>(n);
    copy(bench, host);

    const Number sum = std::accumulate(host.begin(), host.end(), Number{0});
    cub_device(bench, "reduce", "CUB DeviceReduce", bytes, host, {sum},
        [=](void* own, size_t& size, const Number* in, Number* out) { return cub::DeviceReduce::Sum(own, size, in, out, count); });
    const Step steps[] = {step1, step2, step3, step4, step5, step6, step7};
    for (int i = 0; i < 7; i++) harris(bench, i + 1, steps[i], host, sum, multiprocessors);

    std::vector<Number> sums(n);
    std::partial_sum(host.begin(), host.end(), sums.begin());
    cub_device(bench, "scan", "CUB DeviceScan", 2 * bytes, host, sums,
        [=](void* own, size_t& size, const Number* in, Number* out) { return cub::DeviceScan::InclusiveSum(own, size, in, out, count); });

    std::vector<Number> keys(n), bins(BINS);
    std::transform(host.begin(), host.end(), keys.begin(), [](Number x) { return x % BINS; });
    for (const Number key : keys) bins[key]++;
    cub_device(bench, "histogram", "CUB DeviceHistogram", bytes, keys, bins, [=](void* own, size_t& size, const Number* in, Number* out) {
        return cub::DeviceHistogram::HistogramEven(own, size, in, out, BINS + 1, Number{0}, Number{BINS}, count);
    });
}

} // namespace

int main(int count, char** words) {
    if (count < 4) {
        std::fprintf(stderr, "compare DEVICE SECONDS LENGTH...\n");
        return 2;
    }
    const int device = std::atoi(words[1]);
    check(cudaSetDevice(device), "cudaSetDevice");
    int multiprocessors = 0;
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device), "cudaDeviceGetAttribute");
    Bench bench(std::atof(words[2]));
    for (int i = 3; i < count; i++) measure(bench, std::strtoull(words[i], nullptr, 10), multiprocessors);
}
