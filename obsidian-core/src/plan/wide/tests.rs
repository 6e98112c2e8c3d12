//! What becomes wide and what does not, on kernels in their textual form; and random kernels, which
//! give what they gave before the pass.

use super::sums::Known;
use super::wide;
use crate::ir::{Kernel, Physical, Statement, read, validate};
use crate::plan::{Plan, SharedMap};
use crate::scalar::{BinaryOp, Literal, Node, ScalarType, Special, VariableId};
use crate::simulate;

/// A kernel of 64 threads whose blocks do this.
fn kernel(parameters: &str, body: &str) -> Kernel<Physical> {
    let text = format!(
        "kernel k {{ {parameters} threads 64 for blocks b in BlockIndex .. 4_u32 step GridSize {{ {body} }} }}"
    );
    read(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

const PARAMETERS: &str = "parameter 0 n: u32 parameter 1 x: u32[4096_u32] input parameter 2 y: u8[4096_u32] input \
     parameter 3 d: f64[4096_u32] input parameter 4 io: u32[4096_u32] inout parameter 5 out: u32[4096_u32] output";

/// What the blocks do afterwards, without indentation; where there are wide accesses, only what is done
/// if buffers are aligned.
fn aligned(body: &str) -> String {
    let before = kernel(PARAMETERS, body);
    let after = wide(before);
    validate(&after).unwrap_or_else(|v| panic!("{v}\n{after}"));
    let [Statement::Loop { body, .. }] = after.body.as_slice() else {
        panic!("{after}");
    };
    let mut only = after.clone();
    only.body = body.clone();
    if let [
        Statement::If {
            condition, then, ..
        },
    ] = body.as_slice()
        && after.tables.nodes.node(*condition) == Node::Special(Special::Aligned)
    {
        only.body = then.clone();
    }
    let text = only.to_string();
    let lines = text.lines().map(str::trim);
    let lines: Vec<&str> = lines.skip_while(|l| !l.starts_with("threads")).collect();
    lines[1..lines.len() - 1].join("\n")
}

/// Does nothing become wide?
fn stays(body: &str) -> bool {
    let before = kernel(PARAMETERS, body);
    wide(before.clone()).to_string() == before.to_string()
}

fn each(count: u32, body: &str) -> String {
    format!("for sequential Thread k in 0_u32 .. {count}_u32 step 1_u32 {{ {body} }}")
}

/// `e + k`, where a thread has 16 elements of a block's 1,024.
const ELEMENT: &str = "(((b *' 1024_u32) +' (ThreadIndex *' 16_u32)) +' k)";

#[test]
fn a_loop_over_neighbours_goes_by_groups() {
    let body = each(16, &format!("store out[{ELEMENT}] = (x[{ELEMENT}] + k)"));
    assert_eq!(
        aligned(&body),
        "for sequential Thread v0 in 0_u32 .. 4_u32 step 1_u32 {
allocate x_part: u32[4_u32] held
wide_load x_part = x[(((b *' 1024_u32) +' (ThreadIndex *' 16_u32)) +' (v0 *' 4_u32))]
allocate out_part: u32[4_u32] held
for sequential Thread v1 in 0_u32 .. 4_u32 step 1_u32 unrolled {
store out_part[v1] = (x_part[v1] + ((v0 *' 4_u32) +' v1))
}
wide_store out[(((b *' 1024_u32) +' (ThreadIndex *' 16_u32)) +' (v0 *' 4_u32))] = out_part
}"
    );
}

#[test]
fn the_scalar_copy_is_rolled_and_stands_beside_it() {
    let body = each(16, &format!("store out[{ELEMENT}] = x[{ELEMENT}]"));
    let text = wide(kernel(PARAMETERS, &body)).to_string();
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    assert!(lines.contains(&"if Aligned {"), "{text}");
    let rolled = "for sequential Thread k in 0_u32 .. 16_u32 step 1_u32 rolled {";
    assert!(lines.contains(&rolled), "{text}");
    let again: Kernel<Physical> = read(&text).unwrap();
    assert_eq!(again.to_string(), text);
}

#[test]
fn a_fold_that_begins_with_its_first_element_is_aligned_all_the_same() {
    let body = format!(
        "cell s = x[(ThreadIndex *' 8_u32)] {} get all = s store out[ThreadIndex] = all",
        each(
            7,
            "get t = s assign s = (t + x[((ThreadIndex *' 8_u32) +' (k +' 1_u32))])"
        )
    );
    let text = aligned(&body);
    assert_eq!(text.matches("wide_load").count(), 2, "{text}");
    assert_eq!(text.matches(" x[").count(), 2, "{text}");
}

#[test]
fn neighbours_in_one_expression_are_one_access() {
    let at = |n: u32| format!("x[((ThreadIndex *' 4_u32) +' {n}_u32)]");
    let body = format!(
        "store out[ThreadIndex] = (({} + {}) + ({} + {}))",
        at(0),
        at(1),
        at(2),
        at(3)
    );
    assert_eq!(
        aligned(&body),
        "allocate x_part: u32[4_u32] held
wide_load x_part = x[((ThreadIndex *' 4_u32) +' 0_u32)]
store out[ThreadIndex] = ((x_part[0_u32] + x_part[1_u32]) + (x_part[2_u32] + x_part[3_u32]))"
    );
    // From element 1 on, two of three are a pair.
    let body = format!(
        "store out[ThreadIndex] = (({} + {}) + {})",
        at(1),
        at(2),
        at(3)
    );
    let text = aligned(&body);
    assert!(
        text.contains("x_part: u32[2_u32]") && text.contains("+' 1_u32)] + x_part[0_u32])"),
        "{text}"
    );
}

#[test]
fn neighbours_that_are_stored_one_after_another_are_one_access() {
    let at = |n: u32| format!("out[((ThreadIndex *' 4_u32) +' {n}_u32)]");
    let stores = |order: [u32; 4]| -> String {
        order
            .map(|n| format!("store {} = {n}_u32 ", at(n)))
            .concat()
    };
    let text = aligned(&stores([0, 1, 2, 3]));
    assert_eq!(text.matches("wide_store").count(), 1, "{text}");
    assert_eq!(
        text.lines().last(),
        Some("wide_store out[((ThreadIndex *' 4_u32) +' 0_u32)] = out_part")
    );
    let text = aligned(&stores([2, 3, 1, 0]));
    assert_eq!(text.matches("wide_store").count(), 1, "{text}");
    assert!(text.contains("store out_part[2_u32] = 2_u32"), "{text}");
    // The last of two stores of one element counts.
    let text = aligned(&format!("{}store {} = 9_u32", stores([0, 1, 2, 3]), at(1)));
    assert!(
        text.ends_with("store out[((ThreadIndex *' 4_u32) +' 1_u32)] = 9_u32"),
        "{text}"
    );
    let text = aligned(&format!("store {} = 9_u32 {}", at(1), stores([0, 1, 2, 3])));
    assert!(!text.contains("out_part[1_u32]"), "{text}");
}

#[test]
fn bytes_and_doubles_go_by_what_fits() {
    let at = |n: &str| format!("((ThreadIndex *' 16_u32) +' {n})");
    let text = aligned(&each(
        16,
        &format!("store out[{}] = u32(y[{}])", at("k"), at("k")),
    ));
    assert!(text.contains("y_part: u8[4_u32]"), "{text}");
    let body = format!(
        "cell s = 0.0_f64 {}",
        each(16, &format!("get t = s assign s = (t + d[{}])", at("k")))
    );
    assert!(
        aligned(&format!("{body} get t = s store out[ThreadIndex] = u32(t)"))
            .contains("d_part: f64[2_u32]")
    );
    let body = format!(
        "cell s = 0_u8 {}",
        each(16, &format!("get t = s assign s = (t + y[{}])", at("k")))
    );
    assert!(
        aligned(&format!("{body} get t = s store out[ThreadIndex] = u32(t)"))
            .contains("y_part: u8[16_u32]")
    );
}

#[test]
fn an_element_may_have_a_name() {
    let body = each(
        16,
        &format!(
            "let i = {ELEMENT} let double = (i +' i) store out[distinct(i)] = (x[i] + double)"
        ),
    );
    assert_eq!(
        aligned(&body),
        "for sequential Thread v0 in 0_u32 .. 4_u32 step 1_u32 {
allocate out_part: u32[4_u32] held
for sequential Thread v1 in 0_u32 .. 4_u32 step 1_u32 unrolled {
let i = (((b *' 1024_u32) +' (ThreadIndex *' 16_u32)) +' ((v0 *' 4_u32) +' v1))
let double = (i +' i)
store out_part[v1] = (x[i] + double)
}
wide_store out[distinct((((b *' 1024_u32) +' (ThreadIndex *' 16_u32)) +' (v0 *' 4_u32)))] = out_part
}"
    );
    let unused = each(16, &format!("let i = {ELEMENT} store out[i] = k"));
    let text = aligned(&unused);
    assert!(
        text.contains("wide_store") && !text.contains("let i"),
        "{text}"
    );
    // A place that is read where it may have been changed since.
    assert!(stays(&each(
        16,
        "let i = (io[0_u32] +' k) store io[(i *' 2_u32)] = k"
    )));
}

#[test]
fn a_name_of_two_scopes_stays() {
    let body = each(
        16,
        &format!(
            "if (k < n) {{ let i = (k *' 2_u32) store io[i] = k }} let j = {ELEMENT} store out[j] = k"
        ),
    );
    let mut twice = kernel(PARAMETERS, &body);
    assert!(wide(twice.clone()).to_string().contains("wide_store"));
    // The name of the second value is that of the first one, whose scope has ended.
    let named = |kernel: &Kernel<Physical>, name: &str| {
        let mut variables = kernel.tables.variables.iter();
        VariableId(
            variables
                .position(|v| v.name.as_deref() == Some(name))
                .unwrap() as u32,
        )
    };
    let [first, second] = ["i", "j"].map(|name| named(&twice, name));
    let nodes = &mut twice.tables.nodes;
    let [old, new] = [second, first].map(|name| nodes.add(Node::Variable(name), ScalarType::U32));
    let [Statement::Loop { body: blocks, .. }] = twice.body.as_mut_slice() else {
        panic!("no blocks");
    };
    let [Statement::Loop { body, .. }] = blocks.as_mut_slice() else {
        panic!("no loop");
    };
    for statement in body.iter_mut() {
        if let Statement::Let { variable, .. } = statement {
            *variable = first;
        }
        for node in statement.nodes_mut() {
            *node = nodes.replaced(*node, |_, id| (id == old).then_some(new));
        }
    }
    validate(&twice).unwrap_or_else(|v| panic!("{v}\n{twice}"));
    assert_eq!(wide(twice.clone()).to_string(), twice.to_string());
}

#[test]
fn what_is_not_aligned_stays() {
    // 3 elements a thread, an unknown first element, a sum that may wrap, and one that goes by 2.
    for index in [
        "((ThreadIndex *' 3_u32) +' k)",
        "(n +' k)",
        "((ThreadIndex *' 16_u32) + k)",
        "((ThreadIndex *' 16_u32) +' (k *' 2_u32))",
        "((ThreadIndex *' 16_u32) -' k)",
        "((k *' k) +' k)",
    ] {
        assert!(
            stays(&each(
                16,
                &format!("store out[(({ELEMENT} *' 3_u32) +' 1_u32)] = x[{index}]")
            )),
            "{index}"
        );
    }
    // What wraps is a multiple of 4 all the same.
    let index = "((n * 4_u32) +' k)";
    let text = aligned(&each(16, &format!("store io[{ELEMENT}] = x[{index}]")));
    assert!(
        text.contains("wide_load x_part = x[((n * 4_u32) +' "),
        "{text}"
    );
}

#[test]
fn what_is_under_a_condition_stays() {
    let choice = format!(
        "store out[(({ELEMENT} *' 3_u32) +' 1_u32)] = select((k < n), x[{ELEMENT}], 0_u32)"
    );
    assert!(stays(&each(16, &choice)));
    let branch = format!("if (k < n) {{ store out[{ELEMENT}] = x[{ELEMENT}] }}");
    assert!(stays(&each(16, &branch)));
    let left = format!("let v = x[{ELEMENT}] if (v < n) {{ break }}");
    assert!(stays(&each(16, &left)));
}

#[test]
fn what_others_may_change_stays() {
    let atomic = format!("read v = io[{ELEMENT}] atomic add io[0_u32] (v)");
    assert!(stays(&each(16, &atomic)));
    // Another element of the array is written in between.
    let other = format!("read v = io[{ELEMENT}] store io[((ThreadIndex *' 16_u32) +' 3_u32)] = v");
    assert!(stays(&each(16, &other)));
    let next = format!("read v = io[{ELEMENT}] store io[({ELEMENT} +' 1_u32)] = v");
    assert!(stays(&each(16, &next)));
}

#[test]
fn an_array_that_is_changed_in_place_is_loaded_and_stored_by_groups() {
    let body = each(
        16,
        &format!("read v = io[{ELEMENT}] store io[{ELEMENT}] = (v + 1_u32)"),
    );
    let text = aligned(&body);
    let word = |word: &str| text.matches(word).count();
    assert_eq!(
        (word("wide_load"), word("wide_store"), word("allocate")),
        (1, 1, 1),
        "{text}"
    );
    // What is stored first and read then is not loaded.
    let body = each(
        16,
        &format!(
            "store io[{ELEMENT}] = k read v = io[{ELEMENT}] store io[{ELEMENT}] = (v + 1_u32)"
        ),
    );
    let text = aligned(&body);
    assert!(
        !text.contains("wide_load") && text.contains("wide_store"),
        "{text}"
    );
}

#[test]
fn rolled_loops_stay() {
    let body = each(16, &format!("store out[{ELEMENT}] = x[{ELEMENT}]"));
    assert!(stays(&body.replace("1_u32 {", "1_u32 rolled {")));
}

#[test]
fn barriers_are_in_neither_copy() {
    let at = |n: u32| format!("x[((ThreadIndex *' 4_u32) +' {n}_u32)]");
    // `s` is used behind the barrier, so what gives it cannot be there twice.
    let body = format!(
        "let s = ({} + {}) wait Block store out[((b *' 64_u32) +' ThreadIndex)] = s",
        at(0),
        at(1)
    );
    assert!(stays(&body));
    let body = format!(
        "let s = ({} + {}) store out[((b *' 64_u32) +' ThreadIndex)] = s wait Block",
        at(0),
        at(1)
    );
    let text = wide(kernel(PARAMETERS, &body)).to_string();
    assert_eq!(text.matches("wait Block").count(), 1, "{text}");
    assert!(text.contains("wide_load"), "{text}");
}

#[test]
fn what_a_warp_does_alone_may_wait_and_have_wide_accesses() {
    let one = each(16, &format!("store out[{ELEMENT}] = x[{ELEMENT}]"));
    let body = format!("if (WarpIndex < 1_u32) {{ {one} wait Warp store io[n] = 1_u32 }}");
    let text = wide(kernel(PARAMETERS, &body)).to_string();
    assert_eq!(text.matches("wait Warp").count(), 1, "{text}");
    assert!(text.contains("wide_store out"), "{text}");
}

#[test]
fn a_name_that_is_bound_anew_has_no_value_from_before() {
    let kernel = kernel(PARAMETERS, "let four = (n * 4_u32) store out[four] = 1_u32");
    let tables = &kernel.tables;
    let product = tables.nodes.ids().find(|id| {
        matches!(
            tables.nodes.node(*id),
            Node::Binary {
                op: BinaryOp::Mul,
                ..
            }
        )
    });
    let last = tables.variables.len() - 1;
    let four = VariableId(u32::try_from(last).unwrap());
    let name = tables
        .nodes
        .ids()
        .find(|id| tables.nodes.node(*id) == Node::Variable(four));
    let (product, name) = (product.unwrap(), name.unwrap());
    let mut known = Known::default();
    known.name(four, product);
    assert_eq!(known.exponent(tables, name), 2);
    known.forget(four);
    assert_eq!(known.exponent(tables, name), 0);
}

/// A loop over threads, 4 rounds of 64.
fn rounds(body: &str) -> String {
    format!("for rounds Block j in 0_u32 .. 4_u32 step 1_u32 {{ {body} }}")
}

const DEALT: &str = "(((b *' 256_u32) +' (j *' 64_u32)) +' ThreadIndex)";

#[test]
fn a_loop_over_threads_gives_each_thread_neighbours() {
    let body = format!(
        "let i = ((j *' 64_u32) +' ThreadIndex) store out[{DEALT}] = (x[{DEALT}] + (x[n] + i))"
    );
    assert_eq!(
        aligned(&rounds(&body)),
        "allocate x_part: u32[4_u32] held
wide_load x_part = x[((b *' 256_u32) +' (ThreadIndex *' 4_u32))]
allocate out_part: u32[4_u32] held
for sequential Thread v0 in 0_u32 .. 4_u32 step 1_u32 unrolled {
let i = ((ThreadIndex *' 4_u32) +' v0)
store out_part[v0] = (x_part[v0] + (x[n] + i))
}
wide_store out[((b *' 256_u32) +' (ThreadIndex *' 4_u32))] = out_part"
    );
}

#[test]
fn a_loop_over_lanes_gives_each_lane_neighbours() {
    let own = "((((b *' 256_u32) +' (w *' 128_u32)) +' (j *' 32_u32)) +' LaneIndex)";
    let body = format!(
        "for warps w in WarpIndex .. 2_u32 step 2_u32 {{ for rounds Warp j in 0_u32 .. 4_u32 step 1_u32 {{ store out[{own}] = x[{own}] }} }}"
    );
    let text = wide(kernel(PARAMETERS, &body)).to_string();
    let first = "((w *' 128_u32) +' ((b *' 256_u32) +' (LaneIndex *' 4_u32)))";
    assert!(text.contains(&format!("= x[{first}]")), "{text}");
    assert!(text.contains(&format!("wide_store out[{first}]")), "{text}");
}

#[test]
fn a_number_behind_the_index_stays_behind_it() {
    let later = format!("({DEALT} +' 1024_u32)");
    let text = aligned(&rounds(&format!("store out[{later}] = x[{later}]")));
    let first = "(((b *' 256_u32) +' (ThreadIndex *' 4_u32)) +' 1024_u32)";
    assert!(text.contains(&format!("= x[{first}]")), "{text}");
    assert!(text.contains(&format!("wide_store out[{first}]")), "{text}");
}

#[test]
fn a_loop_over_threads_stays_where_it_matters_who_does_what() {
    // An array that others may read, the thread's own number, a distance of 2, a stencil, a condition.
    for body in [
        format!("store io[{DEALT}] = x[{DEALT}]"),
        format!("store out[{DEALT}] = (x[{DEALT}] + ThreadIndex)"),
        format!("store out[{DEALT}] = (x[{DEALT}] + j)"),
        format!("store out[({DEALT} *' 2_u32)] = x[{DEALT}]"),
        format!("store out[{DEALT}] = (x[{DEALT}] + x[({DEALT} +' 1_u32)])"),
        format!("store out[{DEALT}] = (x[{DEALT}] + x[(255_u32 -' {DEALT})])"),
        format!("if (j < n) {{ store out[{DEALT}] = x[{DEALT}] }}"),
        format!("store out[(n +' {DEALT})] = x[{DEALT}]"),
        format!("atomic v = add io[0_u32] (1_u32) store out[{DEALT}] = v"),
    ] {
        assert!(stays(&rounds(&body)), "{body}");
    }
    // A value of the thread itself, from before the loop.
    let body = format!("store out[{DEALT}] = (x[{DEALT}] + t)");
    assert!(stays(&format!(
        "let t = (ThreadIndex * n) {}",
        rounds(&body)
    )));
    let body = format!("get t = s assign s = (t + 1_u32) store out[{DEALT}] = x[{DEALT}]");
    assert!(stays(&format!("cell s = 0_u32 {}", rounds(&body))));
    // 3 rounds.
    let body = format!("store out[{DEALT}] = x[{DEALT}]");
    assert!(stays(&rounds(&body).replace("4_u32 step", "3_u32 step")));
}

/// What a kernel of one input, one array that it changes and one output gives; with buffers that are not aligned if
/// `aligned` is false.
fn run(kernel: &Kernel<Physical>, aligned: bool) -> Result<Vec<u64>, String> {
    let mut kernel = kernel.clone();
    if !aligned {
        let all = std::mem::take(&mut kernel.body);
        kernel.body = scalar(all, &kernel);
    }
    let plan = Plan::assemble(kernel, SharedMap::default(), crate::ordered::Map::new());
    let mut x: Vec<u64> = (0..4096u64)
        .map(|n| (n * 2_654_435_761) & 0xffff_ffff)
        .collect();
    let mut io: Vec<u64> = (0..4096u64).map(|n| n * n).collect();
    let mut out = vec![0; 4096];
    let mut arguments = [
        simulate::Argument::Scalar(Literal::from(7u32)),
        simulate::Argument::Array(&mut x),
        simulate::Argument::Array(&mut io),
        simulate::Argument::Array(&mut out),
    ];
    match simulate::run(&plan, &mut arguments, 2) {
        Ok(_) => Ok([io, out].concat()),
        Err(fault) => Err(fault.to_string()),
    }
}

/// The copies for buffers that are not aligned.
fn scalar(list: Vec<Statement<Physical>>, kernel: &Kernel<Physical>) -> Vec<Statement<Physical>> {
    let mut result = Vec::new();
    for mut statement in list {
        match statement {
            Statement::If {
                condition,
                otherwise,
                ..
            } if kernel.tables.nodes.node(condition) == Node::Special(Special::Aligned) => {
                result.extend(otherwise);
            }
            _ => {
                for inner in statement.lists_mut() {
                    *inner = scalar(std::mem::take(inner), kernel);
                }
                result.push(statement);
            }
        }
    }
    result
}

/// Numbers that depend on a seed alone.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }
}

/// Random statements of one thread, which has elements 16 to 31 of its 64 for itself.
struct Writer {
    random: Random,
    names: u32,
}

impl Writer {
    fn below(&mut self, n: u64) -> u64 {
        self.random.next() % n
    }

    fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        let n = self.below(list.len() as u64);
        list[n as usize]
    }

    /// An index of the thread's own elements, by a counter or without.
    fn index(&mut self, counter: Option<&str>) -> String {
        let base = "((b *' 1024_u32) +' (ThreadIndex *' 16_u32))";
        let n = self.below(4);
        match (counter, self.below(5)) {
            (Some(k), 0) => format!("({base} +' ({k} +' {n}_u32))"),
            (Some(k), 1) => format!("(({base} +' {n}_u32) +' ({k} *' 2_u32))"),
            (Some(k), _) => format!("({base} +' {k})"),
            (None, _) => format!("({base} +' {}_u32)", self.below(16)),
        }
    }

    fn value(&mut self, counter: Option<&str>, depth: u32) -> String {
        let index = self.index(counter);
        match self.below(if depth == 0 { 4 } else { 7 }) {
            0 => counter.unwrap_or("3_u32").to_owned(),
            1 => "n".to_owned(),
            2 | 3 => format!("x[{index}]"),
            4 => {
                let (value, other) = (
                    self.value(counter, depth - 1),
                    self.value(counter, depth - 1),
                );
                format!("select(({value} < 2000000000_u32), x[{index}], {other})")
            }
            _ => {
                let op = self.one_of(&["+", "*", "^", "-"]);
                format!(
                    "({} {op} {})",
                    self.value(counter, depth - 1),
                    self.value(counter, depth - 1)
                )
            }
        }
    }

    fn statement(&mut self, counter: Option<&str>, depth: u32) -> String {
        let name = self.names;
        self.names += 1;
        let (index, value) = (self.index(counter), self.value(counter, 2));
        match self.below(if depth == 0 { 9 } else { 12 }) {
            0 | 1 => format!("store io[{index}] = {value} "),
            2 => format!("read r{name} = io[{index}] store io[{index}] = (r{name} + {value}) "),
            3 => format!(
                "read r{name} = io[{index}] store io[{}] = r{name} ",
                self.index(counter)
            ),
            4 => format!("get s{name} = s assign s = ((s{name} * 31_u32) + {value}) "),
            5 => format!("get s{name} = s store io[{index}] = (s{name} ^ {value}) "),
            6 => format!("let p{name} = {index} store io[p{name}] = {value} "),
            7 => format!(
                "let p{name} = {index} let q{name} = (p{name} *' 1_u32) read r{name} = io[q{name}] store io[p{name}] = (r{name} + {value}) "
            ),
            8 => format!(
                "let p{name} = (((b *' 1024_u32) +' (ThreadIndex *' 16_u32)) +' (x[{index}] % 16_u32)) store io[p{name}] = {value} "
            ),
            9 => format!(
                "if ({value} < 3000000000_u32) {{ {}}} ",
                self.statements(counter, depth - 1)
            ),
            _ => {
                let (start, count) = (self.below(3), self.one_of(&[2, 3, 4, 5, 7, 8]));
                let (k, body) = (format!("k{name}"), self.below(8));
                let inner = self.statements(Some(&k), if body == 0 { depth - 1 } else { 0 });
                format!(
                    "for sequential Thread {k} in {start}_u32 .. {}_u32 step 1_u32 {{ {inner}}} ",
                    start + count
                )
            }
        }
    }

    /// A loop over threads, which writes the output.
    fn rounds(&mut self) -> String {
        let rounds = self.one_of(&[2, 3, 4, 6, 8, 16]);
        let own = "(((b *' 1024_u32) +' (j *' 64_u32)) +' ThreadIndex)";
        let mut value = format!("x[{own}]");
        for _ in 0..self.below(4) {
            let n = self.below(16);
            let other = match n {
                0 => format!("x[({own} +' 1_u32)]"),
                1 => "ThreadIndex".to_owned(),
                2 => format!("select((i < 20_u32), x[{own}], n)"),
                3 => format!("x[(x[{own}] % 4096_u32)]"),
                4 | 5 => "x[(b *' 4_u32)]".to_owned(),
                6 => "(i / 3_u32)".to_owned(),
                7 => "((j *' 64_u32) +' ThreadIndex)".to_owned(),
                8 => "(((j *' 192_u32) +' (ThreadIndex *' 3_u32)) +' b)".to_owned(),
                9 => "((t +' (j *' 64_u32)) +' ThreadIndex)".to_owned(),
                10..12 => format!("x[{own}]"),
                _ => "i".to_owned(),
            };
            value = format!("({value} {} {other})", self.one_of(&["+", "*", "^"]));
        }
        let name = "let i = ((j *' 64_u32) +' ThreadIndex)";
        format!(
            "let t = (b *' 1024_u32) for rounds Block j in 0_u32 .. {rounds}_u32 step 1_u32 {{ {name} store out[{own}] = {value} }} "
        )
    }

    fn statements(&mut self, counter: Option<&str>, depth: u32) -> String {
        let count = 1 + self.below(4);
        (0..count).map(|_| self.statement(counter, depth)).collect()
    }
}

#[test]
fn random_kernels_give_what_they_gave() {
    let count = std::env::var("OBSIDIAN_COUNT").map_or(300, |n| n.parse().unwrap());
    let parameters = "parameter 0 n: u32 parameter 1 x: u32[4096_u32] input parameter 2 io: u32[4096_u32] inout \
         parameter 3 out: u32[4096_u32] output";
    let (mut with_wide, mut ran) = (0, 0);
    for seed in 0..count {
        let mut writer = Writer {
            random: Random::new(seed),
            names: 0,
        };
        let mut inner = writer.statements(None, 2);
        if writer.below(2) == 0 {
            inner += &writer.rounds();
        }
        let before = kernel(parameters, &format!("cell s = n {inner}"));
        let after = wide(before.clone());
        validate(&after).unwrap_or_else(|v| panic!("seed {seed}: {v}\n{after}"));
        let text = after.to_string();
        // Indices that leave a thread's elements are races, and no kernels.
        let Ok(expected) = run(&before, true) else {
            continue;
        };
        ran += 1;
        with_wide += u64::from(text.contains("wide_"));
        for aligned in [true, false] {
            let given = run(&after, aligned);
            assert!(
                given.as_ref() == Ok(&expected),
                "seed {seed}, aligned: {aligned}, {:?}\n{before}\n{after}",
                given.err()
            );
        }
    }
    println!("{count} kernels, {ran} ran, {with_wide} with wide accesses");
    assert!(with_wide * 4 > count, "{with_wide} of {count}");
}
