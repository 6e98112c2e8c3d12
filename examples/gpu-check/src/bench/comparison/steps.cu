// The steps of Harris, and those between our own kernels and what they are to become.

namespace {

using Step = void (*)(const Number*, Number*, Number);

// Sums of runs by one kernel, launched until one sum is left: `blocks` says on how many blocks.
Answer reduced(Bench& bench, size_t n, Step step, Number threads, const std::function<Number(size_t)>& blocks) {
    const std::vector<Number> host = elements(n);
    const Number expected = std::accumulate(host.begin(), host.end(), Number{0});
    Turns inputs(n * sizeof(Number), host.data());
    const Buffer first(runs_of(n, 256) * sizeof(Number)), second(runs_of(n, 256) * sizeof(Number));
    Number* last = nullptr;
    const auto launch = [&] {
        const Number* from = inputs.next().numbers();
        Number* to = first.numbers();
        Number left = static_cast<Number>(n);
        do {
            const Number grid = blocks(left);
            step<<<grid, threads>>>(from, to, left);
            from = last = to;
            to = to == first.numbers() ? second.numbers() : first.numbers();
            left = grid;
        } while (left > 1);
    };
    launch();
    same(last, {expected});
    return {n * sizeof(Number), 0, registers_of(step), bench.measure(launch)};
}

Answer harris(Bench& bench, size_t n, int number, Step step) {
    const Number most = static_cast<Number>(bench.multiprocessors) * 8;
    return reduced(bench, n, step, 256, [=](size_t left) {
        return number <= 3 ? runs_of(left, 256) : number < 7 ? runs_of(left, 512) : std::min(runs_of(left, 512), most);
    });
}

Answer reduce_step(Bench& bench, size_t n, Step step) {
    return reduced(bench, n, step, 128, [](size_t left) { return runs_of(left, 4096); });
}

Answer reduce_on_resident_grid(Bench& bench, size_t n) {
    const Number most = static_cast<Number>(bench.multiprocessors) * 8;
    return reduced(bench, n, reduce_resident, 256, [=](size_t left) { return std::min(runs_of(left, 4096), most); });
}

// The two kernels of a scan that goes over its input twice.
struct Passes {
    Step totals;
    void (*after)(const Number*, const Number*, Number*, Number, Number);
};

// Scans by the passes; `rooms` has two buffers for the totals of each level.
void scan(const Passes& passes, const Number* input, Number* output, Number n, const Buffer* rooms) {
    const Number runs = runs_of(n, 1024);
    if (runs <= 1) {
        passes.after<<<1, 128>>>(nullptr, input, output, 0, n);
        return;
    }
    Number* const totals = rooms[0].numbers();
    Number* const sums = rooms[1].numbers();
    passes.totals<<<runs, 128>>>(input, totals, n);
    scan(passes, totals, sums, runs, rooms + 2);
    passes.after<<<runs, 128>>>(sums, input, output, runs, n);
}

// Runs something that scans: `run(input, output)`.
Times scanned(Bench& bench, size_t n, const std::function<void(const Number*, Number*)>& run) {
    const std::vector<Number> host = elements(n);
    std::vector<Number> sums(n);
    std::partial_sum(host.begin(), host.end(), sums.begin());
    Turns inputs(n * sizeof(Number), host.data()), outputs(n * sizeof(Number), nullptr);
    Number* last = nullptr;
    const auto launch = [&] {
        last = outputs.next().numbers();
        run(inputs.next().numbers(), last);
    };
    launch();
    same(last, sums);
    return bench.measure(launch);
}

Answer scan_in_passes(Bench& bench, size_t n, Passes passes) {
    std::vector<Buffer> rooms;
    for (size_t left = n; left > 1024;) {
        left = runs_of(left, 1024);
        rooms.emplace_back(left * sizeof(Number));
        rooms.emplace_back(left * sizeof(Number));
    }
    const auto run = [&](const Number* input, Number* output) { scan(passes, input, output, static_cast<Number>(n), rooms.data()); };
    return {2 * n * sizeof(Number), 0, registers_of(passes.after), scanned(bench, n, run)};
}

Answer scan_once(Bench& bench, size_t n) {
    const Number tiles = runs_of(n, 4096);
    const size_t bytes = (size_t{tiles} + 1) * sizeof(unsigned long long);
    const Buffer words(bytes);
    const auto run = [&](const Number* input, Number* output) {
        auto* const first = reinterpret_cast<unsigned long long*>(words.numbers());
        check(cudaMemsetAsync(first, 0, bytes), "cudaMemsetAsync");
        scan_look_back<<<tiles, 256>>>(input, output, first, static_cast<Number>(n));
    };
    return {2 * n * sizeof(Number), 0, registers_of(scan_look_back), scanned(bench, n, run)};
}

// Runs something that counts keys: `run(bins, keys)`, the bins being 0.
Times counted(Bench& bench, size_t n, const std::function<void(Number*, const Number*)>& run) {
    const auto [keys, bins] = counted_keys(n);
    Turns inputs(n * sizeof(Number), keys.data());
    const Buffer output(BINS * sizeof(Number));
    const auto launch = [&] {
        check(cudaMemsetAsync(output.numbers(), 0, BINS * sizeof(Number)), "cudaMemsetAsync");
        run(output.numbers(), inputs.next().numbers());
    };
    launch();
    same(output.numbers(), bins);
    return bench.measure(launch);
}

Answer histogram_emitted(Bench& bench, size_t n) {
    const auto run = [&](Number* bins, const Number* keys) {
        emitted_histogram::histogram<<<runs_of(n, 4096), 256>>>(bins, keys, BINS, static_cast<Number>(n));
    };
    return {n * sizeof(Number), 0, registers_of(emitted_histogram::histogram), counted(bench, n, run)};
}

using Count = void (*)(Number*, const Number*, Number);

Answer histogram_step(Bench& bench, size_t n, Count step, bool resident) {
    const Number tiles = runs_of(n, 4096), blocks = resident ? std::min(tiles, static_cast<Number>(bench.multiprocessors) * 8) : tiles;
    const auto run = [&](Number* bins, const Number* keys) { step<<<blocks, 256>>>(bins, keys, static_cast<Number>(n)); };
    return {n * sizeof(Number), 0, registers_of(step), counted(bench, n, run)};
}

// The matrices of the example, which are no integers and have both signs.
std::vector<float> matrix(size_t count, size_t seed) {
    std::vector<float> all(count);
    for (size_t i = 0; i < count; i++) all[i] = static_cast<float>((i * 7919 + seed * 104729) % 2003) / 700.0f - 1.4f;
    return all;
}

// Checks the first row of a product and the last one: an element may be off by `tolerance` of the sum of the sizes of its terms.
void judge_product(const std::vector<float>& left, const std::vector<float>& right, const float* product, size_t width, double tolerance) {
    for (const size_t row : {size_t{0}, width - 1}) {
        const std::vector<float> found = downloaded<float>(product + row * width, width);
        std::vector<double> sums(width), sizes(width);
        for (size_t k = 0; k < width; k++) {
            for (size_t x = 0; x < width; x++) {
                const double term = static_cast<double>(left[row * width + k]) * right[k * width + x];
                sums[x] += term;
                sizes[x] += std::abs(term);
            }
        }
        for (size_t x = 0; x < width; x++) {
            if (std::abs(found[x] - sums[x]) <= tolerance * sizes[x]) continue;
            throw Wrong{"row " + std::to_string(row) + ", column " + std::to_string(x) + " is " + std::to_string(found[x]) +
                ", and it should be " + std::to_string(sums[x])};
        }
    }
}

using Multiply = std::function<void(const float*, const float*, float*)>;

// The errors of rounding that `width` additions may have; and those of operands that are rounded to TF32.
double rounding(size_t width) { return static_cast<double>(width) * 1.2e-7; }
constexpr double TF32 = 2e-3;

Answer multiplied(Bench& bench, size_t width, double tolerance, int registers, const Multiply& multiply) {
    const size_t count = width * width, bytes = count * sizeof(float);
    const std::vector<float> left = matrix(count, 1), right = matrix(count, 2);
    Turns lefts(bytes, left.data()), rights(bytes, right.data()), products(bytes, nullptr);
    float* last = nullptr;
    const auto launch = [&] {
        last = products.next().floats();
        multiply(lefts.next().floats(), rights.next().floats(), last);
    };
    launch();
    judge_product(left, right, last, width, tolerance);
    return {3 * bytes, 2 * Bytes{width} * width * width, registers, bench.measure(launch)};
}

Answer matmul_emitted(Bench& bench, size_t width) {
    const Number w = static_cast<Number>(width), tiles = runs_of(width, 16);
    return multiplied(bench, width, rounding(width), registers_of(emitted_matmul::matmul), [=](const float* l, const float* r, float* p) {
        emitted_matmul::matmul<<<tiles * tiles, 256>>>(w, w, l, r, p, w * w);
    });
}

using Product = void (*)(const float*, const float*, float*, Number);

// A step whose blocks have tiles of so many rows and columns.
Answer matmul_step(Bench& bench, size_t width, Product step, Number tile, Number threads, double more) {
    if (width % tile != 0) throw NotRun{"the width is no multiple of " + std::to_string(tile)};
    const Number w = static_cast<Number>(width), tiles = w / tile;
    return multiplied(bench, width, rounding(width) + more, registers_of(step),
        [=](const float* l, const float* r, float* p) { step<<<tiles * tiles, threads>>>(l, r, p, w); });
}

Answer cublas(Bench& bench, size_t width) {
    const Cublas library;
    return multiplied(bench, width, rounding(width), 0,
        [&](const float* l, const float* r, float* p) { library.multiply(l, r, p, static_cast<int>(width)); });
}

// Bodies: their places, and their masses, of which all together are 1.
std::vector<float> some_bodies(size_t n) {
    std::vector<float> all = matrix(4 * n, 3);
    for (size_t i = 3 * n; i < 4 * n; i++) all[i] = (all[i] + 1.5f) / static_cast<float>(2 * n);
    return all;
}

// Checks the pulls on the first bodies and the last ones.
void judge_pulls(const std::vector<float>& bodies, const float* pulls, size_t n) {
    const std::vector<float> found = downloaded<float>(pulls, 3 * n);
    for (size_t k = 0; k < 16; k++) {
        const size_t own = k < 8 ? k : n - 16 + k;
        double sums[3] = {}, sizes[3] = {};
        for (size_t i = 0; i < n; i++) {
            double way[3], square = 1e-6;
            for (size_t axis = 0; axis < 3; axis++) {
                way[axis] = static_cast<double>(bodies[axis * n + i]) - bodies[axis * n + own];
                square += way[axis] * way[axis];
            }
            for (size_t axis = 0; axis < 3; axis++) {
                const double term = way[axis] * bodies[3 * n + i] / (square * std::sqrt(square));
                sums[axis] += term;
                sizes[axis] += std::abs(term);
            }
        }
        for (size_t axis = 0; axis < 3; axis++) {
            const double value = found[axis * n + own];
            if (std::abs(value - sums[axis]) <= (rounding(n) + 1e-5) * sizes[axis]) continue;
            throw Wrong{"pull " + std::to_string(axis) + " on body " + std::to_string(own) + " is " + std::to_string(value) +
                ", and it should be " + std::to_string(sums[axis])};
        }
    }
}

// The operations that an interaction of two bodies is counted as, by custom.
constexpr Bytes INTERACTION = 20;

Answer pulled(Bench& bench, size_t n, int registers, const std::function<void(const float*, float*)>& run) {
    const std::vector<float> bodies = some_bodies(n);
    Turns inputs(4 * n * sizeof(float), bodies.data());
    const Buffer output(3 * n * sizeof(float));
    const auto launch = [&] { run(inputs.next().floats(), output.floats()); };
    launch();
    judge_pulls(bodies, output.floats(), n);
    return {7 * n * sizeof(float), INTERACTION * n * n, registers, bench.measure(launch)};
}

Answer bodies_emitted(Bench& bench, size_t n) {
    using emitted_bodies::accelerations;
    return pulled(bench, n, registers_of(accelerations), [=](const float* b, float* p) {
        accelerations<<<static_cast<Number>(n / 256), 256>>>(
            b, b + n, b + 2 * n, b + 3 * n, p, p + n, p + 2 * n, static_cast<Number>(n));
    });
}

using Pull = void (*)(const float*, float*, Number);

Answer bodies_step(Bench& bench, size_t n, Pull step, Number of_a_block) {
    if (n % of_a_block != 0) throw NotRun{"the number of bodies is no multiple of " + std::to_string(of_a_block)};
    return pulled(bench, n, registers_of(step),
        [=](const float* b, float* p) { step<<<static_cast<Number>(n) / of_a_block, 256>>>(b, p, static_cast<Number>(n)); });
}

} // namespace
