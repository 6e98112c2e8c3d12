// Libraries: the driver's copy, CUB, and cuBLAS where it is there.

#include <cub/cub.cuh>

#include <dlfcn.h>

namespace {

constexpr int BINS = 256;

Answer copy(Bench& bench, size_t n) {
    const std::vector<Number> host = elements(n);
    const size_t bytes = n * sizeof(Number);
    Turns inputs(bytes, host.data()), outputs(bytes, nullptr);
    Number* last = nullptr;
    const auto launch = [&] {
        last = outputs.next().numbers();
        check(cudaMemcpyAsync(last, inputs.next().numbers(), bytes, cudaMemcpyDeviceToDevice), "cudaMemcpyAsync");
    };
    launch();
    same(last, host);
    return {2 * bytes, 0, 0, bench.measure(launch)};
}

// One algorithm of CUB, which first says how much memory it needs for itself: `run(memory, its bytes, input, output)`.
template <typename Run, typename Judge>
Times cub_device(Bench& bench, const char* by, const std::vector<Number>& host, size_t results, Run run, Judge judge) {
    Turns inputs(host.size() * sizeof(Number), host.data()), outputs(results * sizeof(Number), nullptr);
    size_t own = 0;
    check(run(nullptr, own, inputs.next().numbers(), outputs.next().numbers()), by);
    const Buffer memory(own);
    Number* last = nullptr;
    const auto launch = [&] {
        last = outputs.next().numbers();
        check(run(memory.numbers(), own, inputs.next().numbers(), last), by);
    };
    launch();
    judge(last);
    return bench.measure(launch);
}

Answer cub_reduce(Bench& bench, size_t n) {
    const std::vector<Number> host = elements(n);
    const Number sum = std::accumulate(host.begin(), host.end(), Number{0});
    const auto run = [=](void* own, size_t& size, const Number* in, Number* out) {
        return cub::DeviceReduce::Sum(own, size, in, out, static_cast<int>(n));
    };
    return {n * sizeof(Number), 0, 0, cub_device(bench, "cub::DeviceReduce", host, 1, run, [&](Number* last) { same(last, {sum}); })};
}

Answer cub_scan(Bench& bench, size_t n) {
    const std::vector<Number> host = elements(n);
    std::vector<Number> sums(n);
    std::partial_sum(host.begin(), host.end(), sums.begin());
    const auto run = [=](void* own, size_t& size, const Number* in, Number* out) {
        return cub::DeviceScan::InclusiveSum(own, size, in, out, static_cast<int>(n));
    };
    return {2 * n * sizeof(Number), 0, 0, cub_device(bench, "cub::DeviceScan", host, n, run, [&](Number* last) { same(last, sums); })};
}

Answer cub_sort(Bench& bench, size_t n) {
    const std::vector<Number> host = elements(n);
    // Numbers that are sorted, and are the same ones by two sums over them.
    const auto summary = [](const std::vector<Number>& all) {
        std::pair<Bytes, Bytes> sums;
        for (const Number x : all) sums.first += x, sums.second += Bytes{x} * x;
        return sums;
    };
    const auto judge = [&](Number* last) {
        const std::vector<Number> found = downloaded<Number>(last, n);
        const auto fall = std::is_sorted_until(found.begin(), found.end());
        if (fall != found.end()) throw Wrong{"element " + std::to_string(fall - found.begin()) + " is smaller than the one before it"};
        if (summary(found) != summary(host)) throw Wrong{"the sorted numbers are not those of the input"};
    };
    const auto run = [=](void* own, size_t& size, const Number* in, Number* out) {
        return cub::DeviceRadixSort::SortKeys(own, size, in, out, static_cast<int>(n));
    };
    return {2 * n * sizeof(Number), 0, 0, cub_device(bench, "cub::DeviceRadixSort", host, n, run, judge)};
}

// The keys of the histograms, and what is to be counted.
std::pair<std::vector<Number>, std::vector<Number>> counted_keys(size_t n) {
    std::vector<Number> keys = elements(n), bins(BINS);
    for (Number& key : keys) bins[key %= BINS]++;
    return {std::move(keys), std::move(bins)};
}

Answer cub_histogram(Bench& bench, size_t n) {
    const auto [keys, bins] = counted_keys(n);
    const auto run = [=](void* own, size_t& size, const Number* in, Number* out) {
        return cub::DeviceHistogram::HistogramEven(own, size, in, out, BINS + 1, Number{0}, Number{BINS}, static_cast<int>(n));
    };
    const auto judge = [&, &expected = bins](Number* last) { same(last, expected); };
    return {n * sizeof(Number), 0, 0, cub_device(bench, "cub::DeviceHistogram", keys, BINS, run, judge)};
}

struct IsSmall {
    __host__ __device__ bool operator()(Number x) const { return x < 0x80000000u; }
};

struct Plus {
    __host__ __device__ Number operator()(Number x, Number y) const { return x + y; }
};

// Numbers of a result that has room for more: their count is at another place.
void same_of(const Number* results, const Number* count, const std::vector<Number>& expected) {
    same(count, {static_cast<Number>(expected.size())});
    same(results, expected);
}

// Behind the numbers that are kept there is their count.
Answer cub_select(Bench& bench, size_t n) {
    const std::vector<Number> host = elements(n);
    std::vector<Number> kept;
    std::copy_if(host.begin(), host.end(), std::back_inserter(kept), IsSmall{});
    const auto run = [=](void* own, size_t& size, const Number* in, Number* out) {
        return cub::DeviceSelect::If(own, size, in, out, out + n, static_cast<int>(n), IsSmall{});
    };
    const auto judge = [&](Number* last) { same_of(last, last + n, kept); };
    return {6 * n * Bytes{1}, 0, 0, cub_device(bench, "cub::DeviceSelect", host, n + 1, run, judge)};
}

// Keys and then values go in; keys, sums and the count of both come out.
Answer cub_reduce_by_key(Bench& bench, size_t n) {
    const std::vector<Number> values = elements(n);
    std::vector<Number> host(n), keys, sums;
    Number key = 0;
    for (size_t i = 0; i < n; i++) {
        key += values[i] % 8 == 0 ? 1 : 0;
        host[i] = key;
        if (i == 0 || host[i - 1] != key) keys.push_back(key), sums.push_back(0);
        sums.back() += values[i];
    }
    host.insert(host.end(), values.begin(), values.end());
    const auto run = [=](void* own, size_t& size, const Number* in, Number* out) {
        return cub::DeviceReduce::ReduceByKey(own, size, in, out, in + n, out + n, out + 2 * n, Plus{}, static_cast<int>(n));
    };
    const auto judge = [&](Number* last) {
        same_of(last, last + 2 * n, keys);
        same_of(last + n, last + 2 * n, sums);
    };
    return {9 * n * Bytes{1}, 0, 0, cub_device(bench, "cub::DeviceReduce::ReduceByKey", host, 2 * n + 1, run, judge)};
}

// cuBLAS, opened by its name, so that nothing of it is needed to build or to start this program.
class Cublas {
public:
    Cublas() {
        const char* const named = std::getenv("OBSIDIAN_CUBLAS");
        for (const char* const name : {named ? named : "", "libcublas.so.13", "libcublas.so.12"})
            if (!library && *name) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
        if (!library) throw NotRun{"there is no libcublas.so here (OBSIDIAN_CUBLAS names one)"};
        checked(function<int (*)(void**)>("cublasCreate_v2")(&handle), "cublasCreate_v2");
    }
    Cublas(const Cublas&) = delete;
    Cublas& operator=(const Cublas&) = delete;
    ~Cublas() { static_cast<void>(function<int (*)(void*)>("cublasDestroy_v2")(handle)); }

    // The product of two square matrices in rows: in columns, as cuBLAS has them, it is that of the second and the first.
    void multiply(const float* left, const float* right, float* product, int width) const {
        using Sgemm = int (*)(void*, int, int, int, int, int, const float*, const float*, int, const float*, int, const float*, float*, int);
        const float one = 1.0f, zero = 0.0f;
        const int status = function<Sgemm>("cublasSgemm_v2")(
            handle, 0, 0, width, width, width, &one, right, width, left, width, &zero, product, width);
        checked(status, "cublasSgemm_v2");
    }

private:
    void *library = nullptr, *handle = nullptr;

    template <typename F> F function(const char* name) const {
        void* const found = dlsym(library, name);
        if (!found) throw NotRun{std::string("libcublas.so has no ") + name};
        return reinterpret_cast<F>(found);
    }
    static void checked(int status, const char* what) {
        if (status != 0) throw Failure{std::string(what) + ": status " + std::to_string(status)};
    }
};

} // namespace
