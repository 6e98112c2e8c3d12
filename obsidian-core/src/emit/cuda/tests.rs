//! What the text of whole kernels looks like.

use crate::emit::{cuda, cuda_debug, samples, symbol};

#[test]
fn a_reduction_reads_as_a_person_would_write_it() {
    assert_eq!(cuda(&samples::reduction()), include_str!("tests/sums.cu"));
}

#[test]
fn a_warp_has_its_own_copy_and_waits_with_a_mask() {
    let text = cuda(&samples::warps(64));
    assert!(
        text.contains("unsigned short* const row = (unsigned short*)(shared + 128 + warp * 128);"),
        "{text}"
    );
    assert!(text.contains("__syncwarp(0xffffffff);"), "{text}");
    assert!(cuda(&samples::warps(20)).contains("__syncwarp(0xfffff);"));
}

#[test]
fn in_the_debug_layout_each_array_and_each_copy_is_on_its_own() {
    let text = cuda_debug(&samples::reduction());
    assert!(
        text.contains("    __shared__ int arr_6[2];\n") && !text.contains("shared["),
        "{text}"
    );
    let text = cuda_debug(&samples::warps(64));
    assert!(
        text.contains("__shared__ unsigned short row_1[32];")
            && text.contains("row_copies[2] = {row_0, row_1};"),
        "{text}"
    );
    assert!(
        text.contains("unsigned short* const row = row_copies[warp];"),
        "{text}"
    );
    assert!(cuda_debug(&samples::warps(20)).contains("__shared__ unsigned short row["));
}

#[test]
fn cells_loops_and_held_arrays_are_those_of_cpp() {
    assert_eq!(cuda(&samples::collatz()), include_str!("tests/collatz.cu"));
}

#[test]
fn names_that_nothing_reads_are_not_printed() {
    let text = cuda(&samples::odds());
    assert!(
        !text.contains("unused")
            && !text.contains("void_")
            && text.contains("bool* __restrict__ shared_"),
        "{text}"
    );
    assert!(text.contains(" union_("), "{text}");
}

#[test]
fn a_deep_expression_is_cut_into_parts() {
    let text = cuda(&samples::deep(10_000));
    assert!(
        text.lines().all(|line| line.len() < 2_000) && text.len() < 1_000_000,
        "{}",
        text.len()
    );
}

#[test]
fn equal_plans_give_equal_bytes() {
    assert_eq!(cuda(&samples::histogram()), cuda(&samples::histogram()));
}

#[test]
fn a_function_has_no_name_that_cpp_or_cuda_has_given_away() {
    assert_eq!(
        [
            symbol("union"),
            symbol("exp"),
            symbol("sums"),
            symbol("read")
        ],
        ["union_", "exp_", "sums", "read_"]
    );
}

/// Writes texts for compilers to a folder: `OBSIDIAN_SAMPLES=/tmp/x cargo test -p obsidian-core
/// write_samples -- --ignored`.
#[test]
#[ignore = "for a look by hand"]
fn write_samples() {
    let folder = std::path::PathBuf::from(
        std::env::var_os("OBSIDIAN_SAMPLES").expect("OBSIDIAN_SAMPLES names a folder"),
    );
    let (a, b, c) = (samples::reduction(), samples::warps(64), samples::warps(20));
    let (d, e, f, g) = (
        samples::histogram(),
        samples::atomics(),
        samples::collatz(),
        samples::odds(),
    );
    for (n, plan) in [a, b, c, d, e, f, g, samples::deep(10_000)]
        .iter()
        .enumerate()
    {
        std::fs::write(
            folder.join(format!("{n}_{}.cu", plan.kernel().name)),
            cuda(plan),
        )
        .unwrap();
    }
    std::fs::write(folder.join("operators.cu"), crate::emit::values::texts()).unwrap();
}

#[test]
fn a_choice_that_is_shifted_has_literals_without_a_type() {
    let text = "kernel k { parameter 0 n: u32 parameter 1 x: u32[length(x)] input parameter 2 out: u32[length(x)] output
        distribute Block b < length(x) { forall Block i < 1_u32 { store out[b] = (select((n < 3_u32), x[b], 1_u32) << (n & 7_u32)) } } }";
    let kernel = crate::ir::read(text).unwrap();
    let plan = crate::pipeline::compile(kernel, &crate::plan::Limits::from(32).into()).unwrap();
    let text = cuda(&plan);
    assert!(text.contains("? x[b] : 1) << "), "{text}");
}
