// Runs kernels: the threads of a block are fibres, one of which runs at a time, until it waits. Which one is next is the schedule.
// Blocks run one after the other, but for kernels whose blocks wait for each other: of these some are there at once, and take turns
// where a thread waits for another block, and in random schedules at atomics too. Their shared memory is copied when they change.
//
// The program reads jobs from its standard input and answers on its standard output; a mistake of the kernel is the answer, and the end of
// the program. The other end of this conversation is worker.rs.
#include "machine.h"

#include <algorithm>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <csignal>
#include <random>
#include <vector>

#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#if !defined(__x86_64__) || defined(OBSIDIAN_UCONTEXT)
#define OBSIDIAN_UCONTEXT 1
#include <ucontext.h>
#endif

obsidian::Index threadIdx, blockIdx, blockDim, gridDim;

namespace obsidian {
namespace {

constexpr unsigned MOST_THREADS = 1024, MOST_STACKS = 4 * MOST_THREADS, WARP = 32;
// More looks in vain than this, with nobody getting anywhere, and what is waited for never comes.
constexpr unsigned MOST_LOOKS = 1 << 20;
constexpr size_t STACK = 256 << 10, GUARD = 16 << 10;

// ---------------------------------------------------------------------------------------------------------------------------------------
// The conversation.

void write_all(const void *data, size_t size) {
    for (const char *at = static_cast<const char *>(data); size > 0;) {
        const ssize_t done = write(STDOUT_FILENO, at, size);
        if (done <= 0) _exit(4);
        at += done;
        size -= static_cast<size_t>(done);
    }
}

/// False at the end of the input.
bool read_all(void *data, size_t size) {
    for (char *at = static_cast<char *>(data); size > 0;) {
        const ssize_t done = read(STDIN_FILENO, at, size);
        if (done <= 0) return false;
        at += done;
        size -= static_cast<size_t>(done);
    }
    return true;
}

template <typename T> T get() {
    T value;
    if (!read_all(&value, sizeof value)) _exit(0);
    return value;
}

/// Where the machine is, for messages.
const char *place() {
    static char text[64];
    snprintf(text, sizeof text, "block %u, thread %u", blockIdx.x, threadIdx.x);
    return text;
}

/// The answer that the job has failed. The program is of no use any more: fibres are left in the middle of their functions.
[[noreturn]] void answer_fault(const char *text) {
    const uint32_t head[2] = {1, static_cast<uint32_t>(strlen(text))};
    write_all(head, sizeof head);
    write_all(text, head[1]);
    _exit(3);
}

// ---------------------------------------------------------------------------------------------------------------------------------------
// Fibres.

enum class State : uint8_t { Ready, InBlockWait, InWarpWait, Ended };

struct Thread {
    State state;
    /// The stack that it runs on, once it has begun.
    unsigned stack;
    int line;
    const char *waits_in;
    unsigned mask;
    unsigned long long value;
    Exchange seen;
    int block_sum;
};

#ifdef OBSIDIAN_UCONTEXT
using Context = ucontext_t;
void change(Context &from, Context &to) { swapcontext(&from, &to); }
#else
using Context = void *;
extern "C" void obsidian_change(void **from, void *to);
asm(R"(
.text
.globl obsidian_change
.type obsidian_change, @function
obsidian_change:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
.size obsidian_change, .-obsidian_change
)");
void change(Context &from, Context &to) { obsidian_change(&from, to); }
#endif

constexpr unsigned HOST = MOST_STACKS; // No thread: what the program began with.
constexpr unsigned NONE = MOST_STACKS + 1;

/// A block that has begun.
struct Block {
    unsigned number;
    Thread threads[MOST_THREADS];
    unsigned ready_count, ended_count;
    uint64_t ready[MOST_THREADS / 64];
    /// Its shared memory, while another block runs.
    std::vector<char> shared;
};

// The one that runs.
Block *block;
// A thread takes a stack when it begins. One that ends without having waited leaves it to the next, which is still in the cache.
Context contexts[MOST_STACKS + 1];
char *stacks;
std::vector<unsigned> free_stacks;
// The stacks that have been used. To open all of them takes longer than to run a small kernel.
bool is_open[MOST_STACKS];
// Where the host's stack lies: AddressSanitizer tells when the first thread of a block begins.
const void *host_stack;
size_t host_stack_size;
unsigned running = HOST, before = HOST;
// Has a thread of the running block asked for another one? And how often in vain, since one has ended or got what it has waited for.
bool leaves;
unsigned looks;
const Entry *entry;
void **arguments;

char *stack_at(unsigned stack) { return stacks + static_cast<size_t>(stack) * (STACK + GUARD) + GUARD; }

/// The context of a thread, or of the host.
unsigned context_of(unsigned thread) { return thread == HOST ? HOST : block->threads[thread].stack; }

void body();

/// Gives a thread a stack to begin on.
void prepare(unsigned thread) {
    const unsigned stack = free_stacks.back();
    free_stacks.pop_back();
    block->threads[thread].stack = stack;
    if (!is_open[stack]) {
        if (mprotect(stack_at(stack), STACK, PROT_READ | PROT_WRITE) != 0) answer_fault("there is no memory for the stack of a thread");
        is_open[stack] = true;
    }
#ifdef OBSIDIAN_UCONTEXT
    getcontext(&contexts[stack]);
    contexts[stack].uc_stack.ss_sp = stack_at(stack);
    contexts[stack].uc_stack.ss_size = STACK;
    makecontext(&contexts[stack], body, 0);
#else
    // Stacks begin at different places of a page, or they would all want the same lines of the cache.
    char *const end = stack_at(stack) + STACK - stack % 61 * 64;
    // Six registers, where to go, and a return address that is never used: at a function's entry the stack is 8 bytes off its alignment.
    void **const top = reinterpret_cast<void **>(end) - 8;
    memset(top, 0, 8 * sizeof *top);
    top[6] = reinterpret_cast<void *>(body);
    contexts[stack] = top;
#endif
}

void become(unsigned thread) {
    running = thread;
    threadIdx.x = thread == HOST ? 0 : thread;
}

/// Goes on with a thread, or with the host. `forever`: nobody comes back.
void go_to(unsigned next, bool forever) {
    if (next != HOST && block->threads[next].stack == NONE) prepare(next);
    const unsigned from = context_of(running), to = context_of(next);
    before = running;
    void *fake = nullptr;
    __sanitizer_start_switch_fiber(forever ? nullptr : &fake, to == HOST ? host_stack : stack_at(to), to == HOST ? host_stack_size : STACK);
    become(next);
    if (forever) free_stacks.push_back(from);
    change(contexts[from], contexts[to]);
    __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
}

// ---------------------------------------------------------------------------------------------------------------------------------------
// Schedules.

enum class Order : uint32_t { Ascending, Descending, Random };

Order order;
std::mt19937 random_numbers;

unsigned first_ready(unsigned from) {
    uint64_t word = block->ready[from / 64] >> (from % 64) << (from % 64);
    for (unsigned n = from / 64;; word = block->ready[++n]) {
        if (word) return n * 64 + static_cast<unsigned>(__builtin_ctzll(word));
        if (n + 1 == MOST_THREADS / 64) return HOST;
    }
}

unsigned last_ready() {
    for (unsigned n = MOST_THREADS / 64; n-- > 0;)
        if (block->ready[n]) return n * 64 + 63 - static_cast<unsigned>(__builtin_clzll(block->ready[n]));
    return HOST;
}

/// The thread that goes on; the host if all wait or have ended.
unsigned next_thread() {
    if (block->ready_count == 0) return HOST;
    if (order == Order::Ascending) return first_ready(0);
    if (order == Order::Descending) return last_ready();
    const unsigned found = first_ready(static_cast<unsigned>(random_numbers() % blockDim.x));
    return found == HOST ? first_ready(0) : found;
}

void stop(State state) {
    block->threads[running].state = state;
    block->ready[running / 64] &= ~(1ull << (running % 64));
    block->ready_count--;
}

void resume(unsigned thread) {
    block->threads[thread].state = State::Ready;
    block->ready[thread / 64] |= 1ull << (thread % 64);
    block->ready_count++;
}

/// Lets another block run.
void leave_block() {
    leaves = true;
    go_to(HOST, false);
}

/// Lets the schedule choose; comes back when the running thread is chosen again.
void yield() {
    const unsigned next = next_thread();
    if (next != running) go_to(next, false);
}

void body() {
    const void *bottom;
    size_t size;
    __sanitizer_finish_switch_fiber(nullptr, &bottom, &size);
    if (before == HOST) host_stack = bottom, host_stack_size = size;
    for (;;) {
        entry->thread(arguments);
        stop(State::Ended);
        block->ended_count++;
        const unsigned next = next_thread();
        if (next == HOST || block->threads[next].stack != NONE) {
            go_to(next, true);
            abort();
        }
        block->threads[next].stack = block->threads[running].stack;
        become(next);
    }
}

// ---------------------------------------------------------------------------------------------------------------------------------------
// Blocks.

/// Nobody can go on and somebody waits: says who waits for whom.
[[noreturn]] void deadlock() {
    const auto waiting = [](unsigned n) { return block->threads[n].state != State::Ended; };
    unsigned one = 0;
    while (!waiting(one)) one++;
    const Thread &mine = block->threads[one];
    const auto missing = [&](unsigned n) {
        const Thread &other = block->threads[n];
        const bool there = other.state == mine.state && other.line == mine.line && other.mask == mine.mask && other.waits_in == mine.waits_in;
        const bool named = mine.state == State::InBlockWait || (n / WARP == one / WARP && (mine.mask >> (n % WARP) & 1));
        return named && !there;
    };
    unsigned two = 0;
    while (two < blockDim.x && !missing(two)) two++;
    threadIdx.x = one;
    if (two == blockDim.x) fault(mine.line, "%s waits for nobody: a mistake of the machine", mine.waits_in);
    const Thread &other = block->threads[two];
    if (other.state == State::Ended) fault(mine.line, "%s is not reached by thread %u, which has ended", mine.waits_in, two);
    fault(mine.line, "%s is not reached by thread %u, which waits in %s at line %d", mine.waits_in, two, other.waits_in, other.line);
}

/// Fills the shared memory. `memset` would be stopped at the zones between arrays that must not be touched.
void poison_shared(unsigned char pattern) {
    const uint64_t word = pattern * 0x0101010101010101ull;
    char *at = entry->shared;
    for (; entry->shared_end - at >= 8; at += 8) *reinterpret_cast<volatile uint64_t *>(at) = word;
    for (; at != entry->shared_end; at++) *static_cast<volatile char *>(at) = static_cast<char>(pattern);
}

/// Copies the shared memory out of its place, or back. (As above.)
void copy_shared(char *kept, bool back) {
    for (size_t n = 0, size = static_cast<size_t>(entry->shared_end - entry->shared); n < size; n++) {
        volatile char *const at = entry->shared + n;
        if (back) *at = kept[n];
        else kept[n] = *at;
    }
}

/// Goes on with a block until it ends, or asks for another one.
bool run_block(Block &one, bool is_new, unsigned char pattern) {
    block = &one;
    blockIdx = {one.number, 0, 0};
    if (is_new) {
        poison_shared(pattern);
        one.ready_count = one.ended_count = 0;
        for (unsigned n = 0; n < blockDim.x; n++) {
            one.threads[n].stack = NONE;
            resume(n);
        }
    } else {
        copy_shared(one.shared.data(), true);
    }
    leaves = false;
    go_to(next_thread(), false);
    const bool has_ended = one.ended_count == blockDim.x;
    if (!has_ended && !leaves) deadlock();
    if (!has_ended) {
        one.shared.resize(static_cast<size_t>(entry->shared_end - entry->shared));
        copy_shared(one.shared.data(), false);
    }
    return has_ended;
}

/// All blocks. One that has begun is left for another one only where it asks for that.
void run_blocks(const std::vector<unsigned> &list, unsigned char pattern) {
    static std::vector<Block *> idle;
    std::vector<Block *> there;
    const size_t most = std::max(1u, MOST_STACKS / blockDim.x);
    looks = 0;
    for (size_t next = 0; next < list.size() || !there.empty();) {
        const bool may_begin = next < list.size() && there.size() < most;
        // Where blocks wait for each other, those that are there take turns; a new one begins now and then.
        const bool begins = may_begin && (there.empty() || order != Order::Random || random_numbers() % 3 == 0);
        if (begins) {
            if (idle.empty()) idle.push_back(new Block());
            there.push_back(idle.back());
            idle.pop_back();
            there.back()->number = list[next++];
        }
        const size_t at = begins ? there.size() - 1 : random_numbers() % there.size();
        if (!run_block(*there[at], begins, pattern)) continue;
        looks = 0;
        idle.push_back(there[at]);
        there.erase(there.begin() + static_cast<std::ptrdiff_t>(at));
    }
}

// ---------------------------------------------------------------------------------------------------------------------------------------
// Jobs.

enum class Kind : uint32_t { Value, Input, InOut, Output };

struct Argument {
    Kind kind;
    uint64_t bytes;
    /// What the host has sent.
    std::vector<char> content;
    /// The memory of this run, and what the first run has left.
    char *memory;
    std::vector<char> result;
};

struct Run {
    Order order;
    uint32_t seed, grid, pattern;
};

/// Bytes between an aligned address and where buffers begin in one of the orders: elements are aligned there, and what is wider is not.
const uint64_t skew = 8;

/// Memory of exactly so many bytes, behind so many others: the bytes on both sides belong to nobody.
char *allocate(uint64_t bytes, uint64_t before) {
    void *memory = nullptr;
    const uint64_t all = before + bytes;
    if (posix_memalign(&memory, 256, all == 0 ? 16 : all) != 0) answer_fault("there is no memory for the buffers");
    if (bytes == 0) __asan_poison_memory_region(memory, all == 0 ? 16 : all);
    else __asan_poison_memory_region(memory, before);
    return static_cast<char *>(memory) + before;
}

void release(Argument &argument, uint64_t before) {
    char *memory = argument.memory - before;
    __asan_unpoison_memory_region(memory, argument.bytes == 0 && before == 0 ? 16 : before + argument.bytes);
    free(memory);
}

std::vector<unsigned> blocks(const Run &run) {
    std::vector<unsigned> list(run.grid);
    for (unsigned n = 0; n < run.grid; n++) list[n] = n;
    if (run.order == Order::Descending) std::reverse(list.begin(), list.end());
    if (run.order == Order::Random) std::shuffle(list.begin(), list.end(), random_numbers);
    return list;
}

void run(const Run &run, std::vector<Argument> &all, bool first) {
    std::vector<void *> addresses;
    const uint64_t before = run.order == Order::Descending ? skew : 0;
    for (Argument &argument : all) {
        if (argument.kind == Kind::Value) {
            addresses.push_back(argument.content.data());
            continue;
        }
        argument.memory = allocate(argument.bytes, before);
        if (argument.kind == Kind::Output) memset(argument.memory, static_cast<int>(run.pattern), argument.bytes);
        else if (argument.bytes > 0) memcpy(argument.memory, argument.content.data(), argument.bytes);
        addresses.push_back(&argument.memory);
    }
    arguments = addresses.data();
    order = run.order;
    random_numbers.seed(run.seed);
    gridDim = {run.grid, 1, 1};
    run_blocks(blocks(run), static_cast<unsigned char>(run.pattern));
    unsigned position = 0;
    for (Argument &argument : all) {
        position++;
        if (argument.kind == Kind::Value) continue;
        if (argument.kind == Kind::Input) {
            if (memcmp(argument.memory, argument.content.data(), argument.bytes) != 0) fault(0, "argument %u, an input, has been changed", position);
        } else if (first) {
            argument.result.assign(argument.memory, argument.memory + argument.bytes);
        } else {
            const auto at = std::mismatch(argument.result.begin(), argument.result.end(), argument.memory);
            if (at.first != argument.result.end())
                fault(0, "the result depends on the order of threads, or on memory that was never written: argument %u, byte %zu", position,
                      static_cast<size_t>(at.first - argument.result.begin()));
        }
        release(argument, before);
    }
}

void limit(uint32_t milliseconds) {
    const itimerval timer = {{0, 0}, {milliseconds / 1000, static_cast<suseconds_t>(milliseconds % 1000) * 1000}};
    setitimer(ITIMER_VIRTUAL, &timer, nullptr);
}

bool job() {
    uint32_t number;
    if (!read_all(&number, sizeof number)) return false;
    if (number >= static_cast<uint32_t>(entry_count)) answer_fault("there is no such kernel in the program");
    entry = &entries[number];
    blockDim = {get<uint32_t>(), 1, 1};
    const uint32_t milliseconds = get<uint32_t>(), count = get<uint32_t>();
    std::vector<Argument> all(count);
    for (Argument &argument : all) {
        argument.kind = get<Kind>();
        argument.bytes = get<uint64_t>();
        if (argument.kind == Kind::Output) continue;
        argument.content.resize(argument.bytes);
        if (!read_all(argument.content.data(), argument.bytes)) return false;
    }
    std::vector<Run> runs(get<uint32_t>());
    for (Run &run : runs) run = get<Run>();
    if (static_cast<int>(count) != entry->arguments) answer_fault("the function has another number of parameters than the kernel");
    limit(milliseconds);
    for (const Run &one : runs) run(one, all, &one == runs.data());
    limit(0);
    const uint32_t done = 0;
    write_all(&done, sizeof done);
    for (const Argument &argument : all)
        if (argument.kind == Kind::InOut || argument.kind == Kind::Output) write_all(argument.result.data(), argument.result.size());
    return true;
}

void out_of_time(int) {
    char text[256];
    snprintf(text, sizeof text, "%s: the kernel does not end (time limit)", place());
    answer_fault(text);
}

void report(const char *text) {
    static char whole[1 << 16];
    snprintf(whole, sizeof whole, "%s: %s", place(), text);
    answer_fault(whole);
}

void begin() {
    const size_t size = static_cast<size_t>(MOST_STACKS) * (STACK + GUARD);
    stacks = static_cast<char *>(mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    if (stacks == MAP_FAILED) answer_fault("there is no memory for the stacks of threads");
    for (unsigned n = MOST_STACKS; n-- > 0;) free_stacks.push_back(n);
    static char alternative[64 << 10];
    const stack_t other = {alternative, 0, sizeof alternative};
    sigaltstack(&other, nullptr);
    struct sigaction action = {};
    action.sa_handler = out_of_time;
    action.sa_flags = SA_ONSTACK;
    sigaction(SIGVTALRM, &action, nullptr);
    __asan_set_error_report_callback(report);
}

} // namespace

// ---------------------------------------------------------------------------------------------------------------------------------------
// What kernels call.

void fault(int line, const char *format, ...) {
    char what[512], text[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    if (line > 0) snprintf(text, sizeof text, "line %d, %s: %s", line, place(), what);
    else snprintf(text, sizeof text, "%s", what);
    answer_fault(text);
}

int print(const char *format, ...) {
    va_list list;
    va_start(list, format);
    int written = vfprintf(stderr, format, list);
    va_end(list);
    return written;
}

unsigned int lane() { return running % WARP; }

void pause() {
    if (order != Order::Random || random_numbers() % 4 != 0) return;
    if (entry->waits && random_numbers() % 2 == 0) leave_block();
    else yield();
}

void look_again(int line) {
    if (++looks > MOST_LOOKS) fault(line, "waits for what no other block does");
    leave_block();
}

int wait_for_block(const char *name, int value, int line) {
    Thread &mine = block->threads[running];
    mine.line = line;
    mine.waits_in = name;
    mine.mask = 0;
    mine.value = value != 0;
    stop(State::InBlockWait);
    bool all = block->ready_count == 0;
    int sum = 0;
    for (unsigned n = 0; all && n < blockDim.x; n++) {
        const Thread &other = block->threads[n];
        all = other.state == State::InBlockWait && other.line == line && other.waits_in == name;
        sum += static_cast<int>(other.value);
    }
    for (unsigned n = 0; all && n < blockDim.x; n++) {
        block->threads[n].block_sum = sum;
        resume(n);
    }
    yield();
    if (entry->waits) pause();
    return mine.block_sum;
}

const Exchange &exchange(const char *name, unsigned int mask, unsigned long long value, int line) {
    Thread &mine = block->threads[running];
    const unsigned base = running / WARP * WARP, lanes = std::min(WARP, blockDim.x - base);
    if (!(mask >> lane() & 1)) fault(line, "%s is reached by lane %u, which its mask %#x does not name", name, lane(), mask);
    if (lanes < WARP && mask >> lanes) fault(line, "%s names lanes that do not exist: the warp has %u, and the mask is %#x", name, lanes, mask);
    mine.line = line;
    mine.waits_in = name;
    mine.mask = mask;
    mine.value = value;
    stop(State::InWarpWait);
    Exchange together = {mask, {}};
    for (unsigned n = 0; n < lanes; n++) {
        if (!(mask >> n & 1)) continue;
        const Thread &other = block->threads[base + n];
        if (other.state != State::InWarpWait || other.mask != mask || other.line != line || other.waits_in != name) {
            yield();
            return mine.seen;
        }
        together.values[n] = other.value;
    }
    for (unsigned n = 0; n < lanes; n++) {
        if (!(mask >> n & 1)) continue;
        block->threads[base + n].seen = together;
        resume(base + n);
    }
    yield();
    if (entry->waits) pause();
    return mine.seen;
}

} // namespace obsidian

int main() {
    obsidian::begin();
    while (obsidian::job()) {
    }
}
