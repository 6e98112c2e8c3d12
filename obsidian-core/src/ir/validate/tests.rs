//! Each rule, by a kernel that breaks it.

use super::*;
use crate::ir::{Levelled, Physical, read};

const PARAMETERS: &str =
    "parameter 0 input: i32[length(input)] input\nparameter 1 output: i32[length(input)] output\n";

fn levelled(body: &str) -> String {
    let kernel: Kernel<Levelled> = read(&format!("kernel k {{ {PARAMETERS} {body} }}")).unwrap();
    validate(&kernel).map_or_else(|v| v.to_string(), |()| "well formed".to_owned())
}

fn physical(body: &str) -> String {
    let kernel: Kernel<Physical> =
        read(&format!("kernel k {{ {PARAMETERS} threads 64 {body} }}")).unwrap();
    validate(&kernel).map_or_else(|v| v.to_string(), |()| "well formed".to_owned())
}

fn in_block(body: &str) -> String {
    levelled(&format!("distribute Block b < 4_u32 {{ {body} }}"))
}

fn in_thread(body: &str) -> String {
    in_block(&format!(
        "allocate s: i32[8_u32] shared forall Block i < 8_u32 {{ {body} }}"
    ))
}

#[test]
fn a_kernel_that_stores_loads_and_waits_is_well_formed() {
    let body = "allocate s: i32[8_u32] shared
        forall Block i < 8_u32 { store s[i] = input[i] } wait Block
        forall Block j < 8_u32 { store output[j] = s[j] }";
    assert_eq!(in_block(body), "well formed");
}

#[test]
fn a_store_stands_in_a_forall() {
    assert_eq!(
        in_block("store output[0_u32] = 1_i32"),
        "`store` cannot stand at level Block here"
    );
}

#[test]
fn a_wait_stands_at_its_own_level() {
    assert_eq!(
        in_thread("wait Block"),
        "`wait` cannot stand at level Thread here"
    );
    assert_eq!(
        in_block("wait Warp"),
        "`wait` cannot stand at level Block here"
    );
    assert_eq!(
        in_block("distribute Warp w < 2_u32 { wait Warp }"),
        "well formed"
    );
}

#[test]
fn a_forall_stands_at_its_own_level() {
    assert_eq!(
        in_block("forall Warp i < 4_u32 { }"),
        "`forall` cannot stand at level Block here"
    );
    assert_eq!(in_thread("forall Thread j < 4_u32 { }"), "well formed");
}

#[test]
fn a_distribute_hands_out_the_level_below() {
    assert_eq!(
        in_block("distribute Block c < 4_u32 { }"),
        "`distribute` cannot stand at level Block here"
    );
    assert_eq!(
        levelled("distribute Warp w < 4_u32 { }"),
        "`distribute` cannot stand at level Grid here"
    );
}

#[test]
fn a_variable_ends_with_its_list() {
    assert_eq!(
        in_thread("if (i < 2_u32) { let x = 1_i32 } store s[i] = x"),
        "`x` is not bound here"
    );
    assert_eq!(
        in_thread("let x = 1_i32 if (i < 2_u32) { let x = 2_i32 }"),
        "`x` is bound in its own scope"
    );
    assert_eq!(
        in_thread("if (i < 2_u32) { let x = 1_i32 } else { let x = 2_i32 }"),
        "well formed"
    );
}

#[test]
fn the_head_of_a_while_is_seen_by_condition_and_body() {
    assert_eq!(
        in_thread("cell c = 0_u32 while { get x = c } holds (x < i) { assign c = (x + 1_u32) }"),
        "well formed"
    );
    assert_eq!(
        in_thread("cell c = 0_u32 store s[i] = i32(c)"),
        "cell `c` occurs in an expression"
    );
}

#[test]
fn an_index_is_a_u32() {
    assert_eq!(
        in_thread("store s[1_i32] = 1_i32"),
        "an index has type i32, not u32"
    );
    assert_eq!(
        in_thread("store s[i] = 1_u32"),
        "a stored value has type u32, not i32"
    );
    assert!(in_thread("store s[i] = (1_i32 + i)").contains("types u32 and i32 should be one"));
    assert!(in_thread("store s[i] = sqrt(1_i32)").contains("Sqrt of i32"));
}

#[test]
fn an_array_is_allocated_once_and_before_its_use() {
    let twice = "allocate s: i32[8_u32] shared allocate s: i32[8_u32] shared";
    assert_eq!(in_block(twice), "array `s` is allocated twice");
    let late =
        "if true { allocate s: i32[8_u32] shared } forall Block i < 8_u32 { store s[i] = 1_i32 }";
    assert_eq!(in_block(late), "array `s` is not in scope");
    assert_eq!(
        in_block("allocate s: i32[length(input)] shared"),
        "array `s` has no literal length"
    );
}

#[test]
fn inputs_are_not_written_and_outputs_not_read() {
    assert!(in_thread("store input[i] = 1_i32").contains("cannot be used in this way"));
    assert!(in_thread("read x = output[i]").contains("cannot be used in this way"));
    assert!(in_thread("store s[i] = output[i]").contains("may still be written"));
    assert!(in_thread("atomic add output[i] (1_i32)").contains("cannot be used in this way"));
}

#[test]
fn a_break_leaves_a_sequential_loop_of_a_thread() {
    assert_eq!(
        in_thread("break"),
        "`break` cannot stand at level Thread here"
    );
    assert_eq!(
        in_thread("for sequential Thread k in 0_u32 .. 4_u32 step 1_u32 { if (k < i) { break } }"),
        "well formed"
    );
    assert_eq!(
        in_block("for sequential Block k in 0_u32 .. 4_u32 step 1_u32 { break }"),
        "`break` cannot stand at level Block here"
    );
}

#[test]
fn a_bound_of_a_loop_is_a_u32() {
    assert_eq!(
        in_block("for sequential Block k in 0_u32 .. 4_i32 step 1_u32 { }"),
        "a bound has type i32, not u32"
    );
}

#[test]
fn thread_indices_are_physical() {
    assert_eq!(
        in_thread("store s[ThreadIndex] = 1_i32"),
        "ThreadIndex occurs in a levelled kernel"
    );
}

#[test]
fn a_physical_wait_stands_where_control_is_uniform() {
    let blocks = |body: &str| {
        physical(&format!(
            "for blocks b in BlockIndex .. 4_u32 step GridSize {{ {body} }}"
        ))
    };
    assert_eq!(
        blocks("wait Block if (b < 2_u32) { wait Block }"),
        "well formed"
    );
    assert_eq!(
        blocks("if (ThreadIndex < 2_u32) { wait Block }"),
        "`wait` cannot stand at level Block here"
    );
    assert_eq!(
        blocks(
            "if (WarpIndex < 1_u32) { for warps w in WarpIndex .. 4_u32 step 1_u32 { wait Warp } }"
        ),
        "well formed"
    );
    assert_eq!(
        blocks("if (WarpIndex < 1_u32) { wait Block }"),
        "`wait` cannot stand at level Block here"
    );
    assert_eq!(
        blocks("for rounds Block j in 0_u32 .. 4_u32 step 1_u32 { wait Block }"),
        "`wait` cannot stand at level Thread here"
    );
    assert_eq!(
        blocks("let x = ThreadIndex if (x < 2_u32) { wait Block }"),
        "`wait` cannot stand at level Block here"
    );
}
