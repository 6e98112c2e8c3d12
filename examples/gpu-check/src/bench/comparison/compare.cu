// The program: measures what it is asked for, a row at a time, so that ours and others take turns.
//
//     compare --list              the rows that there are, a line each: work and by whom, apart by a tab
//     compare DEVICE SECONDS      says `ready`, and then answers requests; each is measured for so many seconds
//
// A request is a line of work, by whom and size, apart by tabs. The answer is a line of the same three, bytes, operations, registers, the
// median, the least and the largest number of seconds, measurements, launches of one, 1 if work of the host is in the time, and `right`; or
// `wrong:`, `failed:` or `not run:` and why. After a call of CUDA has failed the program ends, because its context may be lost.

namespace {

struct Row {
    std::string work, by;
    std::function<Answer(Bench&, size_t)> measure;
};

void add_reductions(std::vector<Row>& rows) {
    rows.push_back({"reduce", "CUB DeviceReduce", cub_reduce});
    const Step harris_steps[] = {step1, step2, step3, step4, step5, step6, step7};
    for (int i = 0; i < 7; i++) {
        const Step step = harris_steps[i];
        rows.push_back({"reduce", "Harris " + std::to_string(i + 1), [=](Bench& b, size_t n) { return harris(b, n, i + 1, step); }});
    }
    const std::pair<const char*, Step> steps[] = {{"edited 0: as emitted", emitted_reduce::sums_of_runs}, {"edited 1: base address", reduce_base},
        {"edited 2: whole tiles", reduce_whole}, {"edited 3: held sum", reduce_held}, {"edited 4: vector loads", reduce_vectors},
        {"edited 5: shuffles", reduce_shuffles}, {"edited 6: redux", reduce_redux}};
    for (const auto& [by, step] : steps) rows.push_back({"reduce", by, [step = step](Bench& b, size_t n) { return reduce_step(b, n, step); }});
    rows.push_back({"reduce", "edited 7: resident grid", reduce_on_resident_grid});
}

void add_scans(std::vector<Row>& rows) {
    rows.push_back({"scan", "CUB DeviceScan", cub_scan});
    const std::pair<const char*, Passes> steps[] = {{"edited 0: as emitted", {emitted_totals::totals, emitted_scan::scan_after}},
        {"edited 1: held, shuffles", {emitted_totals::totals, scan_held}}, {"edited 2: vectors", {totals_vectors, scan_vectors_after}}};
    for (const auto& [by, passes] : steps)
        rows.push_back({"scan", by, [passes = passes](Bench& b, size_t n) { return scan_in_passes(b, n, passes); }});
    rows.push_back({"scan", "edited 3: look-back", scan_once});
}

void add_histograms(std::vector<Row>& rows) {
    rows.push_back({"histogram", "CUB DeviceHistogram", cub_histogram});
    rows.push_back({"histogram", "edited 0: as emitted", histogram_emitted});
    const std::pair<const char*, Count> steps[] = {{"edited 1: one guard", histogram_one_guard}, {"edited 2: whole tiles", histogram_whole},
        {"edited 3: vector loads", histogram_vectors}, {"edited 4: resident grid", histogram_resident}, {"edited 5: bins of warps", histogram_warps}};
    for (const auto& [by, step] : steps) {
        const bool resident = step == histogram_resident || step == histogram_warps;
        rows.push_back({"histogram", by, [=, step = step](Bench& b, size_t n) { return histogram_step(b, n, step, resident); }});
    }
}

void add_products(std::vector<Row>& rows) {
    rows.push_back({"matmul", "cuBLAS SGEMM", cublas});
    rows.push_back({"matmul", "edited 0: as emitted", matmul_emitted});
    const auto add = [&](const char* by, Product step, Number tile, Number threads, double more) {
        rows.push_back({"matmul", by, [=](Bench& b, size_t n) { return matmul_step(b, n, step, tile, threads, more); }});
    };
    add("edited 1: held sum", matmul_held, 16, 256, 0.0);
    add("edited 2: base addresses", matmul_base, 16, 256, 0.0);
    add("edited 3: contraction", matmul_fma, 16, 256, 0.0);
    add("edited 4: 4 x 4 a thread", matmul_tile4, 64, 256, 0.0);
    add("edited 5: 8 x 8 a thread", matmul_tile8, 128, 256, 0.0);
    add("edited 6: matrix units (TF32)", matmul_tensor, 64, 128, TF32);
}

void add_bodies(std::vector<Row>& rows) {
    rows.push_back({"n-body", "edited 0: as emitted", bodies_emitted});
    const auto add = [&](const char* by, Pull step, Number of_a_block) {
        rows.push_back({"n-body", by, [=](Bench& b, size_t n) { return bodies_step(b, n, step, of_a_block); }});
    };
    add("edited 1: held sums", bodies_held, 256);
    add("edited 2: rsqrt", bodies_rsqrt, 256);
    add("edited 3: vector loads", bodies_vectors, 256);
    add("edited 4: two bodies a thread", bodies_two, 512);
}

std::vector<Row> all_rows() {
    std::vector<Row> rows = {{"copy", "cudaMemcpy", copy}};
    add_reductions(rows);
    add_scans(rows);
    add_histograms(rows);
    rows.push_back({"sort", "CUB DeviceRadixSort", cub_sort});
    rows.push_back({"select", "CUB DeviceSelect", cub_select});
    rows.push_back({"reduce by key", "CUB DeviceReduce::ReduceByKey", cub_reduce_by_key});
    add_products(rows);
    add_bodies(rows);
    return rows;
}

void answer(const std::string& request, const Answer& answer, const std::string& verdict) {
    const Times& t = answer.times;
    std::printf("%s\t%llu\t%llu\t%d\t%.9g\t%.9g\t%.9g\t%zu\t%zu\t%d\t%s\n", request.c_str(), answer.bytes, answer.operations, answer.registers,
        t.median, t.least, t.most, t.measurements, t.launches, t.with_host ? 1 : 0, verdict.c_str());
    std::fflush(stdout);
}

// Answers a request; false if the program is of no use afterwards.
bool serve(Bench& bench, const std::vector<Row>& rows, const std::string& request) {
    const size_t first = request.find('\t'), last = request.rfind('\t');
    const auto asked = [&](const Row& row) { return first < last && request.compare(0, last, row.work + '\t' + row.by) == 0; };
    const auto row = std::find_if(rows.begin(), rows.end(), asked);
    const size_t size = first < last ? std::strtoull(request.c_str() + last + 1, nullptr, 10) : 0;
    try {
        if (row == rows.end() || size == 0) throw NotRun{"the program of the comparison does not know it"};
        answer(request, row->measure(bench, size), "right");
    } catch (const Wrong& wrong) {
        answer(request, {}, "wrong: " + wrong.words);
    } catch (const NotRun& not_run) {
        answer(request, {}, "not run: " + not_run.why);
    } catch (const Failure& failure) {
        answer(request, {}, "failed: " + failure.words);
        return false;
    } catch (const std::exception& error) {
        answer(request, {}, std::string("failed: ") + error.what());
        return false;
    }
    return true;
}

} // namespace

int main(int count, char** words) {
    const std::vector<Row> rows = all_rows();
    if (count == 2 && std::string(words[1]) == "--list") {
        for (const Row& row : rows) std::printf("%s\t%s\n", row.work.c_str(), row.by.c_str());
        return 0;
    }
    if (count != 3) {
        std::fprintf(stderr, "compare --list | compare DEVICE SECONDS\n");
        return 2;
    }
    try {
        Bench bench(std::atoi(words[1]), std::atof(words[2]));
        std::puts("ready");
        std::fflush(stdout);
        for (std::string request; std::getline(std::cin, request);)
            if (!serve(bench, rows, request)) return 1;
    } catch (const Failure& failure) {
        std::printf("%s\n", failure.words.c_str());
        return 1;
    }
    return 0;
}
