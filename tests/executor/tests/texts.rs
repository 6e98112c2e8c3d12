//! Texts written by hand: right ones give their results, and each kind of mistake is found.

#![allow(missing_docs, clippy::unwrap_used)]

use std::time::{Duration, Instant};

use obsidian_executor::{Argument, Compiler, Failure, Job, Order, Program, Run, Text, Worker};

const ORDERS: [Order; 3] = [Order::Ascending, Order::Descending, Order::Random];

/// A kernel `f(const unsigned int* a, unsigned int* out)` with this body.
fn text(body: &str) -> Text {
    let head = "extern \"C\" __global__ void __launch_bounds__(1024) f(const unsigned int* __restrict__ a, unsigned int* __restrict__ out) {";
    let text = format!("{head}\n    const unsigned int t = threadIdx.x;\n{body}\n}}\n");
    Text {
        symbol: "f".to_owned(),
        text,
    }
}

fn bytes(elements: &[u32]) -> Vec<u8> {
    elements.iter().flat_map(|x| x.to_le_bytes()).collect()
}

fn run_of(order: Order) -> Run {
    Run {
        order,
        seed: 7,
        grid: 1,
        pattern: 0xa5,
    }
}

/// What the body makes of as many elements as there are threads, with these runs; no compiler is no
/// result.
fn try_runs(threads: u32, body: &str, runs: &[Run]) -> Option<Result<Vec<u32>, Failure>> {
    let program = Program::compile(&Compiler::find()?, &[text(body)]).unwrap();
    let a: Vec<u32> = (0..threads).map(|i| i * 10).collect();
    let arguments = vec![
        Argument::Input(bytes(&a)),
        Argument::Output(4 * threads as usize),
    ];
    let job = Job {
        kernel: 0,
        threads,
        limit: Duration::from_millis(500),
        arguments,
        runs: runs.to_vec(),
    };
    let results = Worker::start(&program).unwrap().run(&job);
    Some(results.map(|all| {
        all[0]
            .chunks(4)
            .map(|b| u32::from_le_bytes(b.try_into().unwrap()))
            .collect()
    }))
}

/// The body gives `expected(thread)` in each order.
fn gives(threads: u32, body: &str, expected: impl Fn(u32) -> u32) {
    let runs = ORDERS.map(run_of);
    if let Some(result) = try_runs(threads, body, &runs) {
        assert_eq!(
            result,
            Ok((0..threads).map(expected).collect()),
            "{threads} threads"
        );
    }
}

/// The body is refused in each order, at a line that contains `at`, in words that contain each of
/// `words`.
fn faults(threads: u32, body: &str, at: &str, words: &[&str]) {
    for order in ORDERS {
        let Some(result) = try_runs(threads, body, &[run_of(order)]) else {
            return;
        };
        let Err(Failure::Fault { line, message }) = result else {
            panic!("{order:?}: {result:?} is no fault")
        };
        let whole = text(body).text;
        let found = line
            .and_then(|line| whole.lines().nth(line as usize - 1))
            .unwrap_or_default();
        assert!(
            found.contains(at),
            "{order:?}: line {line:?} is `{found}`: {message}"
        );
        assert!(
            words.iter().all(|word| message.contains(word)),
            "{order:?}: {message}"
        );
    }
}

const REVERSED: &str = "    __shared__ unsigned int s[1024];
    s[t] = a[t];
    __syncthreads();
    out[t] = s[blockDim.x - 1 - t];";

#[test]
fn a_right_text_gives_its_result() {
    for threads in [1, 2, 31, 32, 33, 64, 1000, 1023, 1024] {
        gives(threads, REVERSED, |t| (threads - 1 - t) * 10);
    }
}

#[test]
fn the_fibres_of_the_c_library_do_the_same() {
    let Some(compiler) = Compiler::find() else {
        return;
    };
    let program = Program::compile(&compiler.with_ucontext(), &[text(REVERSED)]).unwrap();
    let arguments = vec![Argument::Input(bytes(&[5, 6, 7])), Argument::Output(12)];
    let job = Job {
        kernel: 0,
        threads: 3,
        limit: Duration::from_secs(5),
        arguments,
        runs: ORDERS.map(run_of).to_vec(),
    };
    assert_eq!(
        Worker::start(&program).unwrap().run(&job),
        Ok(vec![bytes(&[7, 6, 5])])
    );
}

#[test]
fn one_worker_does_many_jobs_until_the_first_mistake() {
    let Some(compiler) = Compiler::find() else {
        return;
    };
    let bad = text("    if (a[0] == 1) __trap();\n    out[t] = a[t];");
    let program = Program::compile(&compiler, &[text(REVERSED), bad]).unwrap();
    let mut worker = Worker::start(&program).unwrap();
    let mut run = |kernel, elements: &[u32]| {
        let arguments = vec![
            Argument::Input(bytes(elements)),
            Argument::Output(4 * elements.len()),
        ];
        let limit = Duration::from_secs(5);
        worker.run(&Job {
            kernel,
            threads: elements.len() as u32,
            limit,
            arguments,
            runs: vec![run_of(Order::Ascending)],
        })
    };
    assert_eq!(run(0, &[1, 2]), Ok(vec![bytes(&[2, 1])]));
    assert_eq!(run(1, &[3, 4, 5]), Ok(vec![bytes(&[3, 4, 5])]));
    assert!(
        run(1, &[1])
            .unwrap_err()
            .to_string()
            .contains("__trap() is reached")
    );
    assert!(matches!(run(0, &[1, 2]), Err(Failure::Executor(_))));
}

#[test]
fn a_missing_wait_gives_another_result_in_some_order() {
    let body = REVERSED.replace("    __syncthreads();\n", "");
    let results: Vec<_> = ORDERS
        .iter()
        .filter_map(|order| try_runs(64, &body, &[run_of(*order)]))
        .collect();
    let right: Vec<u32> = (0..64).map(|t| (63 - t) * 10).collect();
    assert!(
        results.is_empty() || results.iter().any(|result| result.as_ref() != Ok(&right)),
        "{results:?}"
    );
    if let Some(together) = try_runs(64, &body, &Run::three(1, None)) {
        assert!(
            together
                .unwrap_err()
                .to_string()
                .contains("the result depends on the order of threads")
        );
    }
}

#[test]
fn a_missing_wait_of_a_warp_gives_another_result_in_some_order() {
    let body = "    __shared__ unsigned int s[64];
    s[t] = a[t];
    out[t] = s[t ^ 1];";
    assert!(try_runs(64, body, &Run::three(1, None)).is_none_or(|result| result.is_err()));
    gives(
        64,
        &body.replace("    out", "    __syncwarp();\n    out"),
        |t| (t ^ 1) * 10,
    );
}

#[test]
fn a_wait_that_some_threads_do_not_reach() {
    let ended = "    out[t] = a[t];\n    if (t < 7) {\n        __syncthreads();\n    }";
    faults(
        32,
        ended,
        "__syncthreads",
        &["__syncthreads is not reached by thread 7, which has ended"],
    );
    let branches = "    if (t % 2 == 0) {\n        __syncthreads(); // even\n    } else {\n        __syncthreads();\n    }\n    out[t] = 1;";
    faults(
        32,
        branches,
        "// even",
        &["thread 1, which waits in __syncthreads at line 6"],
    );
    let rounds = "    for (unsigned int i = 0; i < t + 1; i++) {\n        __syncthreads();\n    }\n    out[t] = 1;";
    faults(33, rounds, "__syncthreads", &["which has ended"]);
}

#[test]
fn a_wait_of_a_warp_that_a_named_lane_does_not_reach() {
    let body = "    if (t % 32 < 8) {\n        __syncwarp(0x1ff);\n    }\n    out[t] = 1;";
    faults(
        64,
        body,
        "__syncwarp",
        &["__syncwarp is not reached by thread", "which has ended"],
    );
    faults(
        32,
        &body.replace("0x1ff", "0x7f"),
        "__syncwarp",
        &["reached by lane 7, which its mask 0x7f does not name"],
    );
    gives(64, &body.replace("0x1ff", "0xff"), |_| 1);
}

#[test]
fn a_wait_of_a_warp_that_names_lanes_which_do_not_exist() {
    faults(
        40,
        "    __syncwarp();\n    out[t] = 1;",
        "__syncwarp",
        &["the warp has 8, and the mask is 0xffffffff"],
    );
    gives(20, "    __syncwarp(0xfffff);\n    out[t] = 1;", |_| 1);
}

/// GCC makes a negation of it, if it is not told otherwise.
#[test]
fn zero_minus_zero_is_positive() {
    let body = "    out[t] = __float_as_uint(0.0f - (float)(t / 64));";
    gives(32, body, |_| 0);
}

#[test]
fn collectives_give_what_cuda_says() {
    gives(64, "    out[t] = __shfl_sync(0xffffffff, a[t], 5);", |t| {
        (t / 32 * 32 + 5) * 10
    });
    gives(
        64,
        "    out[t] = __shfl_up_sync(0xffffffff, a[t], 3);",
        |t| if t % 32 < 3 { t * 10 } else { (t - 3) * 10 },
    );
    gives(
        64,
        "    out[t] = __shfl_down_sync(0xffffffff, a[t], 3, 16);",
        |t| if t % 16 > 12 { t * 10 } else { (t + 3) * 10 },
    );
    gives(
        64,
        "    out[t] = (unsigned int)__shfl_xor_sync(0xffffffff, (double)a[t], 9);",
        |t| (t ^ 9) * 10,
    );
    gives(
        33,
        "    if (t < 32) out[t] = __ballot_sync(0xffffffff, a[t] % 20 == 0); else out[t] = 7;",
        |t| if t < 32 { 0x5555_5555 } else { 7 },
    );
    gives(
        20,
        "    out[t] = __reduce_add_sync(0xfffff, a[t]) + __any_sync(0xfffff, t == 3) + __all_sync(0xfffff, t == 3);",
        |_| 1901,
    );
    gives(
        32,
        "    out[t] = __match_any_sync(0xffffffff, a[t] % 40);",
        |t| 0x1111_1111 << (t % 4),
    );
    gives(
        40,
        "    out[t] = __syncthreads_count(t > 5) + __syncthreads_or(t == 9) * 100 + __syncthreads_and(t > 1);",
        |_| 134,
    );
}

#[test]
fn a_lane_that_takes_no_part_has_no_value() {
    let body = "    unsigned int x = a[t];\n    if (t < 16) {\n        x += __shfl_down_sync(0xffff, x, 8);\n    }\n    out[t] = x;";
    faults(
        32,
        body,
        "__shfl_down_sync",
        &[
            "__shfl_down_sync reads lane",
            "which takes no part (mask 0xffff)",
        ],
    );
    gives(32, &body.replace("x, 8)", "x, 8, 16)"), |t| {
        t * 10
            + if t < 8 {
                (t + 8) * 10
            } else if t < 16 {
                t * 10
            } else {
                0
            }
    });
}

#[test]
fn an_index_outside_of_a_shared_array() {
    let body = "    __shared__ unsigned int s[32];\n    __shared__ unsigned int r[32];\n    s[t] = a[t];\n    r[t + 1] = 0; // here\n    out[t] = s[t] + r[t];";
    faults(
        32,
        body,
        "// here",
        &[
            "AddressSanitizer: global-buffer-overflow",
            "WRITE of size 4",
            "'r'",
        ],
    );
    // The emitted layout hides it: one array runs into the next.
    let packed = "    __shared__ __align__(128) unsigned char shared[512];\n    unsigned int* const r = (unsigned int*)(shared + 128);
    unsigned int* const s = (unsigned int*)shared;\n    s[t] = a[t];\n    r[t + 1] = 0;\n    out[t] = s[t];";
    gives(32, packed, |t| t * 10);
    faults(
        32,
        &packed.replace("[512]", "[256]"),
        "r[t + 1]",
        &["AddressSanitizer: global-buffer-overflow"],
    );
}

#[test]
fn an_index_outside_of_a_buffer() {
    faults(
        33,
        "    out[t] = a[t + 1]; // here",
        "// here",
        &[
            "block 0, thread 32",
            "heap-buffer-overflow",
            "READ of size 4",
        ],
    );
    faults(
        33,
        "    out[t] = 1;\n    if (t == 4) out[(int)t - 5] = 2;",
        "out[(int)t - 5]",
        &["AddressSanitizer", "WRITE of size 4"],
    );
}

#[test]
fn several_elements_at_once_where_they_are_not_aligned() {
    let wide = "    struct __align__(16) Wide {\n        unsigned int at[4];\n    };\n";
    let loaded = format!(
        "{wide}    const Wide w = *reinterpret_cast<const Wide*>(a + t / 4 * 4); // here\n    out[t] = w.at[t % 4];"
    );
    let stored = format!(
        "{wide}    out[t] = 0;\n    Wide w = {{{{7, 7, 7, 7}}}};\n    if (t % 4 == 0) *reinterpret_cast<Wide*>(out + t) = w; // here"
    );
    for body in [loaded, stored] {
        let runs = |order| try_runs(64, &body, &[run_of(order)]);
        assert!(runs(Order::Ascending).is_none_or(|result| result.is_ok()));
        if let Some(result) = runs(Order::Descending) {
            assert!(matches!(result, Err(Failure::Fault { .. })), "{result:?}");
        }
    }
}

#[test]
fn an_index_outside_of_an_array_of_a_thread() {
    let body = "    unsigned int h[4];\n    for (unsigned int i = 0; i < 4; i++) h[i] = a[t];\n    out[t] = h[a[t] / 10]; // here";
    gives(4, body, |t| t * 10);
    faults(5, body, "// here", &["thread 4", "stack-buffer-overflow"]);
}

#[test]
fn a_kernel_that_does_not_end() {
    let begun = Instant::now();
    let body = "    volatile unsigned int n = 1;\n    while (n != 0) {\n        n |= 1;\n    }\n    out[t] = n;";
    if let Some(result) = try_runs(32, body, &[run_of(Order::Ascending)]) {
        assert_eq!(
            result.unwrap_err().to_string(),
            "block 0, thread 0: the kernel does not end (time limit)"
        );
        assert!(begun.elapsed() < Duration::from_secs(60));
    }
}

#[test]
fn shared_memory_that_was_never_written() {
    let body = "    __shared__ unsigned int s[32];\n    if (t != 3) s[t] = a[t];\n    __syncthreads();\n    out[t] = s[t];";
    let Some(one) = try_runs(32, body, &[run_of(Order::Ascending)]) else {
        return;
    };
    assert_eq!(one.unwrap()[3], 0xa5a5_a5a5, "never zero");
    let message = try_runs(32, body, &Run::three(1, None))
        .unwrap()
        .unwrap_err()
        .to_string();
    assert_eq!(
        message,
        "the result depends on the order of threads, or on memory that was never written: argument 2, byte 12"
    );
}

#[test]
fn an_output_that_is_not_written() {
    let result = try_runs(32, "    if (t != 3) out[t] = a[t];", &Run::three(1, None));
    assert!(result.is_none_or(|result| {
        result
            .unwrap_err()
            .to_string()
            .contains("never written: argument 2, byte 12")
    }));
}

#[test]
fn an_array_of_a_thread_that_was_never_written() {
    let body = "    unsigned int h[8];\n    h[t % 8] = 1;\n    out[t] = h[a[t] % 8];";
    let Some(result) = try_runs(32, body, &[run_of(Order::Ascending)]) else {
        return;
    };
    assert!(
        result.unwrap().iter().skip(1).step_by(2).all(|x| *x > 1000),
        "a pattern, never zero"
    );
}

#[test]
fn an_assumption_that_does_not_hold() {
    faults(
        65,
        "    __builtin_assume(threadIdx.x < 64);\n    out[t] = 1;",
        "__builtin_assume",
        &["thread 64: the assumption `threadIdx.x < 64` does not hold"],
    );
}

#[test]
fn an_input_that_is_changed() {
    let result = try_runs(
        8,
        "    ((unsigned int*)a)[t] = 1;\n    out[t] = 1;",
        &[run_of(Order::Random)],
    );
    assert!(result.is_none_or(
        |result| result.unwrap_err().to_string() == "argument 1, an input, has been changed"
    ));
}

#[test]
fn a_step_that_is_not_atomic_is_seen_between_atomics() {
    // Each thread takes a number and then raises the counter: right in order, wrong as soon as
    // another comes between.
    let body = "    __shared__ unsigned int n;\n    if (t == 0) n = 0;\n    __syncthreads();
    const unsigned int x = atomicAdd(&n, 0u);\n    atomicExch(&n, x + 1);\n    __syncthreads();\n    out[t] = n;";
    assert!(try_runs(64, body, &Run::three(1, None)).is_none_or(|result| result.is_err()));
    let right = body
        .replace("atomicAdd(&n, 0u)", "atomicAdd(&n, 1u)")
        .replace("    atomicExch(&n, x + 1);\n", "    (void)x;\n");
    gives(64, &right, |_| 64);
}

#[test]
fn a_text_that_does_not_compile_is_an_error_with_its_line() {
    let Some(compiler) = Compiler::find() else {
        return;
    };
    let failure = Program::compile(&compiler, &[text("    out[t] = nothing;")]).unwrap_err();
    assert!(
        failure.to_string().contains("f.cu:3") && failure.to_string().contains("nothing"),
        "{failure}"
    );
}

#[test]
fn a_job_with_other_arguments_is_an_error() {
    let Some(compiler) = Compiler::find() else {
        return;
    };
    let program = Program::compile(&compiler, &[text(REVERSED)]).unwrap();
    let job = Job {
        kernel: 0,
        threads: 1,
        limit: Duration::from_secs(1),
        arguments: Vec::new(),
        runs: vec![run_of(Order::Ascending)],
    };
    assert!(
        Worker::start(&program)
            .unwrap()
            .run(&job)
            .unwrap_err()
            .to_string()
            .contains("another number of parameters")
    );
}
