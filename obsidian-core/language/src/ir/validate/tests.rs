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

/// A collective in a list of the block, with a part of it replaced.
fn collective(part: &str, by: &str) -> String {
    let reduce = "reduce Block i < 8_u32 { give input[i] } by l r { give (l + r) } \
                  into j < 1_u32 x { store output[j] = x }";
    assert!(reduce.contains(part));
    in_block(&reduce.replacen(part, by, 1))
}

#[test]
fn a_collective_stands_at_its_own_level() {
    assert_eq!(collective("Block", "Block"), "well formed");
    assert_eq!(
        collective("Block", "Warp"),
        "`reduce` cannot stand at level Block here"
    );
    let thread = "reduce Thread e < 8_u32 { give s[e] } by l r { give l } into j < 1_u32 x { }";
    assert_eq!(in_thread(thread), "well formed");
    assert_eq!(
        levelled("reduce Grid i < 8_u32 { give 1_u32 } by l r { give l } into j < 1_u32 x { }"),
        "`reduce` cannot stand at level Grid here"
    );
}

#[test]
fn a_collective_has_a_literal_length() {
    for (part, by, wrong) in [
        (
            "8_u32",
            "length(input)",
            "`reduce` has no literal number of elements",
        ),
        ("1_u32", "8_u32", "`reduce` of 8 elements has 1 result"),
        ("8_u32", "1_u32", "well formed"),
        ("8_u32", "0_u32", "`reduce` of 0 elements has 0 results"),
    ] {
        assert_eq!(collective(part, by), wrong);
    }
    let sort = "sort Block i < 1_u32 { give i } by l r { give (l < r) } into j < 2_u32 x { }";
    assert_eq!(in_block(sort), "`sort` of 1 element has 1 result");
}

#[test]
fn a_collective_gives_elements_of_one_type() {
    assert_eq!(
        collective("(l + r)", "(l < r)"),
        "a given value has type bool, not i32"
    );
    assert_eq!(
        collective("reduce", "sort"),
        "`sort` of 8 elements has 8 results"
    );
    let sort = "sort Block i < 1_u32 { give input[i] } by l r { give l } into j < 1_u32 x { }";
    assert_eq!(in_block(sort), "a given value has type i32, not bool");
    assert_eq!(
        collective("8_u32 {", "8_u32 from 1_i32 {"),
        "`reduce` has no initial value"
    );
    let scan = |initial: &str| {
        in_block(&format!(
            "exclusive_scan Block i < 1_u32{initial} {{ give input[i] }} by l r {{ give l }} into j < 1_u32 x {{ }}"
        ))
    };
    assert_eq!(scan(" from 1_i32"), "well formed");
    assert_eq!(
        scan(" from 1_u32"),
        "an initial value has type u32, not i32"
    );
    assert_eq!(scan(""), "`exclusive_scan` needs an initial value");
}

#[test]
fn an_operator_accesses_no_array() {
    let wrong = "the operator of `reduce` accesses an array";
    assert_eq!(collective("(l + r)", "(l + input[0_u32])"), wrong);
    assert_eq!(
        collective("give (l + r)", "store output[0_u32] = l give r"),
        wrong
    );
    assert_eq!(
        collective("give (l + r)", "allocate h: u32[1_u32] held give r"),
        wrong
    );
}

#[test]
fn an_operator_has_cells_of_its_own_only() {
    let operator = |list: &str| {
        in_thread(&format!(
            "cell c = 1_u32 reduce Thread e < 8_u32 {{ assign c = e give e }} by l r {{ {list} }} into j < 1_u32 x {{ }}"
        ))
    };
    let own = "cell d = l if (l < r) { assign d = r } get larger = d give larger";
    assert_eq!(operator(own), "well formed");
    let wrong = "the operator of `reduce` has a cell that is not its own";
    assert_eq!(operator("get y = c give y"), wrong);
    assert_eq!(operator("assign c = l give r"), wrong);
}

#[test]
fn what_a_collective_binds_ends_with_its_lists() {
    assert_eq!(
        collective("output[j]", "output[i]"),
        "`i` is not bound here"
    );
    assert_eq!(collective("= x", "= l"), "`l` is not bound here");
    assert_eq!(
        collective("give (l + r)", "let y = i32(i) give y"),
        "`i` is not bound here"
    );
    let twice = "reduce Block i < 8_u32 { give input[i] } by r r { give r } into j < 1_u32 x { }";
    assert_eq!(in_block(twice), "`r` is bound in its own scope");
}

#[test]
fn give_ends_a_list_of_a_collective() {
    assert_eq!(
        in_thread("give 1_u32"),
        "`give` stands where nothing is given"
    );
    assert_eq!(
        in_block("give 1_u32"),
        "`give` cannot stand at level Block here"
    );
    let not_given = "a list that should give a value does not";
    for (part, by, wrong) in [
        (
            "give (l + r)",
            "give l give r",
            "`give` stands where nothing is given",
        ),
        ("give (l + r)", "let y = l", not_given),
        (
            "store output",
            "give x store output",
            "`give` stands where nothing is given",
        ),
    ] {
        assert_eq!(collective(part, by), wrong);
    }
}

#[test]
fn a_collective_is_not_left() {
    let around = |part: &str, by: &str| {
        let reduce = "reduce Thread e < 8_u32 { give e } by l r { give l } into j < 1_u32 x { }";
        let reduce = reduce.replacen(part, by, 1);
        in_thread(&format!(
            "for sequential Thread k in 0_u32 .. 4_u32 step 1_u32 {{ {reduce} }}"
        ))
    };
    assert_eq!(around("{ }", "{ }"), "well formed");
    let wrong = "`break` cannot stand at level Thread here";
    for (part, by) in [
        ("{ give e", "{ break give e"),
        ("{ give l", "{ break give l"),
        ("{ }", "{ break }"),
    ] {
        assert_eq!(around(part, by), wrong);
    }
}

#[test]
fn layouts_are_of_held_arrays_and_of_levels_before_lowering() {
    use crate::ir::Lowered;
    assert_eq!(
        in_block("allocate h: u32[8_u32] held blocked 0"),
        "`h` is held in runs of 0 elements"
    );
    assert_eq!(
        in_block("allocate h: u32[8_u32] shared blocked 2"),
        "array `h` has a layout and is not held"
    );
    assert_eq!(in_block("allocate h: u32[8_u32] held"), "well formed");
    let held = "kernel k { distribute Block b < 1_u32 { allocate h: u32[8_u32] held } }";
    let lowered: Kernel<Lowered> = read(held).unwrap();
    assert_eq!(
        validate(&lowered).unwrap_err().to_string(),
        "`allocate` cannot stand at level Block here"
    );
}

#[test]
fn what_earlier_blocks_have_is_asked_for_once_and_directly() {
    let asked = "earlier Block i < 2_u32 from 0_u32 { give i } by l r { give (l + r) } into j < 2_u32 x { }";
    let ordered = |list: &str| levelled(&format!("ordered Block b < 4_u32 {{ {list} }}"));
    assert_eq!(ordered(asked), "well formed");
    assert_eq!(ordered(""), "well formed");
    assert_eq!(
        ordered(&format!(
            "{asked} {}",
            asked
                .replace(" i ", " k ")
                .replace("give i", "give k")
                .replace(" l r", " m n")
                .replace("(l + r)", "(m + n)")
                .replace(" j ", " o ")
                .replace(" x ", " y ")
        )),
        "`earlier` stands twice in a loop over blocks"
    );
    let elsewhere = "`earlier` cannot stand at level Block here";
    assert_eq!(ordered(&format!("if true {{ {asked} }}")), elsewhere);
    assert_eq!(
        ordered(&format!(
            "for sequential Block k in 0_u32 .. 2_u32 step 1_u32 {{ {asked} }}"
        )),
        elsewhere
    );
    assert_eq!(in_block(asked), elsewhere);
    assert_eq!(
        ordered(&asked.replace(" from 0_u32", "")),
        "`earlier` needs an initial value"
    );
    assert_eq!(
        levelled(&format!(
            "for sequential Grid k in 0_u32 .. 2_u32 step 1_u32 {{ ordered Block b < 4_u32 {{ {asked} }} }}"
        )),
        "`ordered` cannot stand at level Grid here"
    );
}

#[test]
fn what_the_last_block_does_ends_a_kernel() {
    let last = "last Block one < 1_u32 { wait Block }";
    let blocks = "distribute Block b < 4_u32 { }";
    assert_eq!(levelled(&format!("{blocks} {last}")), "well formed");
    assert_eq!(levelled(last), "well formed");
    let order = "what the last block does is not the last statement, or blocks have an order";
    assert_eq!(levelled(&format!("{last} {blocks}")), order);
    assert_eq!(
        levelled(&format!("ordered Block b < 4_u32 {{ }} {last}")),
        order
    );
    assert_eq!(
        levelled(&last.replace("1_u32", "2_u32")),
        "what the last block does has not one round"
    );
    assert_eq!(
        levelled(&format!("if true {{ {last} }}")),
        "`last` cannot stand at level Grid here"
    );
    let real = "for last one in 0_u32 .. 1_u32 step 1_u32 { wait Block }";
    assert_eq!(physical(real), "well formed");
    assert_eq!(
        physical(&real.replace("0_u32", "1_u32")),
        "what the last block does has not one round"
    );
}

#[test]
fn threads_follow_earlier_blocks_in_an_ordered_loop() {
    let follow = "cell sum = 0_u32 follow thread 0_u32 of 1_u32 b into sum x { get y = sum assign sum = (y + x) }";
    let loops = |kind: &str, list: &str| {
        physical(&format!(
            "for {kind} b in 0_u32 .. 4_u32 step 1_u32 {{ {list} }}"
        ))
    };
    assert_eq!(loops("tickets", follow), "well formed");
    assert_eq!(
        loops("blocks", follow),
        "`follow` cannot stand at level Block here"
    );
    let two = follow.replace("b into sum x", "b, b into sum sum x z");
    assert_eq!(loops("tickets", &two), "well formed");
    let other = follow.replace("assign sum", "cell other = 0_u32 assign other");
    assert_eq!(loops("tickets", &other), "well formed");
    let outside = format!(
        "cell far = 1_u32 {}",
        follow.replace("get y = sum", "get y = far")
    );
    assert_eq!(
        loops("tickets", &outside),
        "the operator of `follow` has a cell that is not its own"
    );
    let float = follow
        .replace("cell sum = 0_u32", "cell sum = 0_f32")
        .replace("(y + x)", "y");
    assert_eq!(
        loops("tickets", &float),
        "what a block has has type u32, not f32"
    );
}
