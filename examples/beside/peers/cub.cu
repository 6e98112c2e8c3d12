// The cases that CUB and cuBLAS have, as lines of JSON like those of the other peers. Each result is checked on the host.
//
//     nvcc -O3 -std=c++17 -arch=native -o cub examples/beside/peers/cub.cu -lcublas && ./cub > cuda.jsonl
//
// ms: by events around queued calls, so many that they take 20 ms; the median of five series. Without cublas_v2.h it has no products.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include <cub/cub.cuh>
#if __has_include(<cublas_v2.h>)
#include <cublas_v2.h>
#define HAS_CUBLAS 1
#else
#define HAS_CUBLAS 0
#endif

static void must(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return;
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    exit(1);
}
#define MUST(call) must(call, #call)

static void print(const std::string& name, const char* size, const char* by, const std::string& rest) {
    printf("{\"case\": \"%s\", \"size\": \"%s\", \"by\": \"%s\", %s}\n", name.c_str(), size, by, rest.c_str());
    fflush(stdout);
}

// An array of the device.
template <typename T> struct Array {
    T* at = nullptr;
    size_t count;
    explicit Array(size_t count) : count(count) { MUST(cudaMalloc(&at, std::max<size_t>(count, 1) * sizeof(T))); }
    explicit Array(const std::vector<T>& host) : Array(host.size()) {
        MUST(cudaMemcpy(at, host.data(), count * sizeof(T), cudaMemcpyHostToDevice));
    }
    Array(const Array&) = delete;
    ~Array() { cudaFree(at); }
    std::vector<T> host(size_t first) const {
        std::vector<T> copy(first);
        MUST(cudaMemcpy(copy.data(), at, first * sizeof(T), cudaMemcpyDeviceToHost));
        return copy;
    }
};

// SplitMix64.
static std::vector<uint32_t> words(size_t count, uint64_t seed) {
    std::vector<uint32_t> all(count);
    for (size_t i = 0; i < count; i++) {
        uint64_t z = ((seed << 40) + i + 1) * 0x9E3779B97F4A7C15u;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        all[i] = (uint32_t)((z ^ (z >> 31)) >> 32);
    }
    return all;
}

// From -1 to 1.
static std::vector<float> floats(size_t count, uint64_t seed) {
    const auto bits = words(count, seed);
    std::vector<float> all(count);
    std::transform(bits.begin(), bits.end(), all.begin(), [](uint32_t word) { return (word >> 8) * (2.0f / 16777216.0f) - 1.0f; });
    return all;
}

static float series(const std::function<void()>& call, int calls, cudaEvent_t start, cudaEvent_t end) {
    float ms = 0;
    MUST(cudaEventRecord(start));
    for (int k = 0; k < calls; k++) call();
    MUST(cudaEventRecord(end));
    MUST(cudaEventSynchronize(end));
    MUST(cudaEventElapsedTime(&ms, start, end));
    return ms;
}

// Calls, checks, times, and prints the line.
static void measure(const char* name, const char* size, const char* by, const std::function<void()>& call, const std::function<bool()>& right) {
    call();
    MUST(cudaDeviceSynchronize());
    if (!right()) return print(name, size, by, "\"error\": \"wrong\"");
    cudaEvent_t start, end;
    MUST(cudaEventCreate(&start));
    MUST(cudaEventCreate(&end));
    const float one = series(call, 1, start, end);
    const int calls = std::clamp((int)std::ceil(20.0f / std::max(one, 0.001f)), 1, 20000);
    std::vector<float> times;
    for (int k = 0; k < 5; k++) times.push_back(series(call, calls, start, end) / calls);
    std::sort(times.begin(), times.end());
    char rest[80];
    snprintf(rest, sizeof(rest), "\"ms\": %.6f, \"n\": %d, \"checked\": true", times[2], calls);
    print(name, size, by, rest);
    MUST(cudaEventDestroy(start));
    MUST(cudaEventDestroy(end));
}

// A function of CUB, which asks for memory first.
template <typename F> static std::function<void()> of_cub(F f, Array<char>*& memory) {
    size_t bytes = 0;
    MUST(f(nullptr, bytes));
    memory = new Array<char>(bytes);
    char* const at = memory->at;
    return [f, at, bytes] {
        size_t size = bytes;
        MUST(f((void*)at, size));
    };
}

template <typename F, typename R> static void cub_case(const char* name, const char* size, const char* by, F f, R right) {
    Array<char>* memory = nullptr;
    measure(name, size, by, of_cub(f, memory), right);
    delete memory;
}

static bool near(double found, double wanted, double bound) { return std::abs(found - wanted) <= bound; }

static void sums(int n, const char* size) {
    const auto host = floats(n, 1);
    const Array<float> x(host), out(n), one(1);
    cub_case("sum", size, "CUB DeviceReduce", [&](void* p, size_t& b) { return cub::DeviceReduce::Sum(p, b, x.at, one.at, n); },
             [&] { return near(one.host(1)[0], std::accumulate(host.begin(), host.end(), 0.0), n * 1e-6); });
    cub_case("cumsum", size, "CUB DeviceScan", [&](void* p, size_t& b) { return cub::DeviceScan::InclusiveSum(p, b, x.at, out.at, n); }, [&] {
        return near(out.host(n)[n - 1], std::accumulate(host.begin(), host.end(), 0.0), n * 1e-6);
    });
}

template <typename T> static void sort(const char* name, std::vector<T> host, const char* size) {
    const int n = (int)host.size();
    const Array<T> keys(host), out(n);
    std::sort(host.begin(), host.end());
    cub_case(name, size, "CUB DeviceRadixSort", [&](void* p, size_t& b) { return cub::DeviceRadixSort::SortKeys(p, b, keys.at, out.at, n); },
             [&] { return out.host(n) == host; });
}

static void sort_by_key(int n, const char* size) {
    const auto host = words(n, 4);
    const Array<uint32_t> keys(host), sorted(n);
    const Array<float> values(floats(n, 5)), out(n);
    cub_case("sort_by_key", size, "CUB DeviceRadixSort",
             [&](void* p, size_t& b) { return cub::DeviceRadixSort::SortPairs(p, b, keys.at, sorted.at, values.at, out.at, n); }, [&] {
                 const auto found = sorted.host(n);
                 return std::is_sorted(found.begin(), found.end());
             });
}

static void histogram(int n, const char* size) {
    auto host = words(n, 7);
    for (auto& key : host) key %= 256;
    const Array<uint32_t> keys(host);
    const Array<int> bins(256);
    cub_case("histogram 256", size, "CUB DeviceHistogram",
             [&](void* p, size_t& b) { return cub::DeviceHistogram::HistogramEven(p, b, keys.at, bins.at, 257, 0u, 256u, n); }, [&] {
                 std::vector<int> wanted(256);
                 for (const auto key : host) wanted[key]++;
                 return bins.host(256) == wanted;
             });
}

struct Positive {
    __host__ __device__ bool operator()(float x) const { return x > 0; }
};

// As the host needs the count, it is copied in each call.
template <typename T, typename F> static void select(const char* name, const char* by, int n, const char* size, const std::vector<T>& wanted, F f) {
    const Array<T> out(n);
    const Array<int> count(1);
    Array<char>* memory = nullptr;
    const auto call = of_cub([&](void* p, size_t& b) { return f(p, b, out.at, count.at); }, memory);
    int kept = 0;
    measure(name, size, by, [&] {
        call();
        MUST(cudaMemcpy(&kept, count.at, sizeof(int), cudaMemcpyDeviceToHost));
    }, [&] { return kept == (int)wanted.size() && out.host(kept) == wanted; });
    delete memory;
}

static void selections(int n, const char* size) {
    const auto host = floats(n, 8);
    const Array<float> x(host);
    std::vector<float> kept;
    std::copy_if(host.begin(), host.end(), std::back_inserter(kept), Positive());
    select<float>("select x>0", "CUB DeviceSelect, count read", n, size, kept,
                  [&](void* p, size_t& b, float* out, int* count) { return cub::DeviceSelect::If(p, b, x.at, out, count, n, Positive()); });
    auto runs = words(n, 9);
    uint32_t run = 0;
    for (auto& word : runs) word = run += word % 4 == 0;
    const Array<uint32_t> keys(runs);
    runs.erase(std::unique(runs.begin(), runs.end()), runs.end());
    select<uint32_t>("unique runs", "CUB DeviceSelect::Unique, count read", n, size, runs,
                     [&](void* p, size_t& b, uint32_t* out, int* count) { return cub::DeviceSelect::Unique(p, b, keys.at, out, count, n); });
}

static void largest(int n, const char* size) {
    const auto host = floats(n, 2);
    const Array<float> x(host);
    const Array<float> most(1);
    const Array<int64_t> place(1);
    cub_case("argmax", size, "CUB DeviceReduce::ArgMax",
             [&](void* p, size_t& b) { return cub::DeviceReduce::ArgMax(p, b, x.at, most.at, place.at, (int64_t)n); },
             [&] { return place.host(1)[0] == std::max_element(host.begin(), host.end()) - host.begin(); });
}

#if HAS_CUBLAS
static void product(int n, const char* size) {
    const auto host_a = floats((size_t)n * n, 24), host_b = floats((size_t)n * n, 25);
    const Array<float> a(host_a), b(host_b), out((size_t)n * n);
    cublasHandle_t handle;
    if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return print("matmul f32", size, "cuBLAS SGEMM", "\"error\": \"no cuBLAS\"");
    const float one = 1, zero = 0;
    // Of matrices in columns, the product of the transposed ones: f32, as TF32 has to be asked for.
    measure("matmul f32", size, "cuBLAS SGEMM",
            [&] { cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, b.at, n, a.at, n, &zero, out.at, n); }, [&] {
                const auto found = out.host((size_t)n * n);
                for (size_t i = 0; i < found.size(); i += found.size() / 1009) {
                    double wanted = 0;
                    for (int k = 0; k < n; k++) wanted += (double)host_a[i / n * n + k] * host_b[(size_t)k * n + i % n];
                    if (!near(found[i], wanted, n * 1e-6 * (1 + std::abs(wanted)))) return false;
                }
                return true;
            });
    cublasDestroy(handle);
}
#endif

int main() {
    const int million = 1 << 20;
    sums(million, "2^20");
    sums(64 * million, "2^26");
    sort("sort u32", words(million, 4), "2^20");
    sort("sort u32", words(16 * million, 4), "2^24");
    sort("sort f32", floats(million, 6), "2^20");
    sort("sort f32", floats(16 * million, 6), "2^24");
    sort_by_key(16 * million, "2^24");
    histogram(64 * million, "2^26");
    selections(16 * million, "2^24");
    largest(64 * million, "2^26");
#if HAS_CUBLAS
    product(1024, "1024");
    product(4096, "4096");
#endif
}
