// What the words of CUDA (cuda.h) ask of the machine (machine.cpp), which runs the threads of a block one at a time.
#pragma once

namespace obsidian {

struct Index {
    unsigned int x, y, z;
};

/// What the lanes of a warp have brought to a collective. Only the lanes in `mask` take part; the values of others mean nothing.
struct Exchange {
    unsigned int mask;
    unsigned long long values[32];
};

/// Ends the process with a message about a line of the kernel.
[[noreturn]] void fault(int line, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// Prints as CUDA's `printf` does, to the standard error.
int print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// Waits for the lanes in `mask`, each of which brings a value.
const Exchange &exchange(const char *name, unsigned int mask, unsigned long long value, int line);

/// Waits for all threads of the block, each of which brings a value, and gives the number of values that are not 0.
int wait_for_block(const char *name, int value, int line);

/// The lane of the running thread in its warp.
unsigned int lane();

/// Where another thread may run: only a random schedule makes use of it.
void pause();

/// Where a thread has looked in vain for what another block does: another block runs.
void look_again(int line);

/// A kernel of the program.
struct Entry {
    /// The number of arguments of the CUDA function.
    int arguments;
    /// What one thread runs; each argument is the address of a pointer or value.
    void (*thread)(void **arguments);
    /// Its shared memory; null if it has none.
    char *shared, *shared_end;
    /// May its blocks wait for each other?
    bool waits;
};

/// The kernels of the program; the text beside this one defines them.
extern const Entry entries[];
extern const int entry_count;

/// Calls a function with arguments of which only the addresses are known.
template <typename... T> struct Caller;
template <> struct Caller<> {
    template <typename F, typename... Done> static void call(F function, void **, Done... done) { function(done...); }
};
template <typename First, typename... Rest> struct Caller<First, Rest...> {
    template <typename F, typename... Done> static void call(F function, void **arguments, Done... done) {
        Caller<Rest...>::call(function, arguments + 1, done..., *(First *)arguments[0]);
    }
};
template <typename... T> constexpr int count(void (*)(T...)) { return sizeof...(T); }
template <typename... T> void call(void (*function)(T...), void **arguments) { Caller<T...>::call(function, arguments); }

} // namespace obsidian
