//! First forms of kernels that are accepted, and what differs from them in one place.

use super::NONE;
use crate::ir::read;
use crate::plan::check::{Checked, check};

/// The ids of what is wrong with a kernel, and the least numbers of elements that a launch asks
/// for.
fn checked(kernel: &str) -> (Vec<&'static str>, Vec<u32>) {
    let kernel = read(kernel).unwrap_or_else(|e| panic!("{e}\n{kernel}"));
    let Checked {
        diagnostics, needs, ..
    } = check(&kernel);
    (
        diagnostics.iter().map(|d| d.id).collect(),
        needs.iter().map(|need| need.elements).collect(),
    )
}

/// What is wrong with a read of `x`, of `n` elements, at an index of the values `j` and `k` of
/// another array.
fn gather(index: &str) -> (Vec<&'static str>, Vec<u32>) {
    checked(&format!(
        "kernel k {{
            parameter 0 n: u32
            parameter 1 x: u32[n] input
            parameter 2 u: u32[8_u32] input
            parameter 3 s: i32[8_u32] input
            parameter 4 out: u32[8_u32] output
            distribute Block b < 1_u32 {{
                forall Block i < 8_u32 {{
                    let k = u[i]
                    let j = s[i]
                    store out[i] = {index}
                }}
            }}
        }}"
    ))
}

/// The same without what a launch asks for.
fn gather_ids(index: &str) -> Vec<&'static str> {
    gather(index).0
}

#[test]
fn a_clamped_index_is_inside_of_an_array_that_is_not_empty() {
    for index in ["x[min(k, (n - 1_u32))]", "x[(k % n)]"] {
        let (wrong, least) = gather(index);
        assert_eq!((wrong, least), (vec![], vec![1]), "{index}");
    }
    let (wrong, least) = gather("x[select((k < n), k, 0_u32)]");
    assert_eq!((wrong, least), (vec![], vec![1]));
    let guarded = "select((0_u32 < n), x[min(k, (n - 1_u32))], 0_u32)";
    assert_eq!(
        gather(guarded),
        (vec![], vec![]),
        "a guard asks for nothing"
    );
    for index in [
        "x[min(k, n)]",
        "x[min(k, (n - 0_u32))]",
        "x[min((k + 1_u32), (n + 1_u32))]",
        "x[(k % (n + 1_u32))]",
        "x[((k % n) + 1_u32)]",
        "x[select((k <= n), k, 0_u32)]",
        "x[select((k < n), 0_u32, k)]",
        "x[select((k < n), k, 1_u32)]",
        "x[max(k, (n - 1_u32))]",
    ] {
        assert_ne!(gather_ids(index), NONE, "{index}");
    }
}

/// What a launch asks for is the least length with which no access is outside where it stands.
#[test]
fn fixed_elements_are_those_that_conditions_leave() {
    let least = |index: &str| gather(index);
    let asks = |n: u32| (NONE.to_vec(), vec![n]);
    assert_eq!(least("x[i]"), asks(8));
    assert_eq!(least("x[5_u32]"), asks(6));
    assert_eq!(least("select((i < 5_u32), x[i], 0_u32)"), asks(5));
    assert_eq!(
        least("select((5_u32 <= i), x[(i - 5_u32)], 0_u32)"),
        asks(3)
    );
    assert_eq!(least("x[(k & 15_u32)]"), asks(16));
    assert_eq!(least("select((k < 100_u32), x[k], 0_u32)"), asks(100));
    assert_eq!(
        least("select(((k < 100_u32) & (k < i)), x[((k * 8_u32) + i)], 0_u32)"),
        asks(56)
    );
    // What may wrap is no fixed element, and a border may be too far.
    assert_ne!(least("select((k < 5_u32), x[(k - 1_u32)], 0_u32)").0, NONE);
    assert_ne!(least("select((k < 2000000_u32), x[k], 0_u32)").0, NONE);
    assert_ne!(least("select((5_u32 < k), x[k], 0_u32)").0, NONE);
}

#[test]
fn a_signed_guard_bounds_an_index() {
    let guarded = |condition: &str| gather_ids(&format!("select({condition}, x[u32(j)], 0_u32)"));
    assert_eq!(guarded("((0_i32 <= j) & (j < i32(n)))"), NONE);
    assert_eq!(guarded("(u32(j) < n)"), NONE);
    assert_ne!(guarded("(j < i32(n))"), NONE, "below 0");
    assert_ne!(guarded("(0_i32 <= j)"), NONE);
    assert_ne!(guarded("((0_i32 <= j) & (j <= i32(n)))"), NONE);
    assert_ne!(guarded("((-1_i32 <= j) & (j < i32(n)))"), NONE);
    let next = "((0_i32 <= j) & ((j + 1_i32) < i32(n)))";
    let wraps = format!("select({next}, x[u32((j + 1_i32))], 0_u32)");
    assert_ne!(gather_ids(&wraps), NONE, "`j + 1` wraps at i32::MAX");
}

#[test]
fn a_signed_clamp_is_inside() {
    let clamped = |index: &str| gather(&format!("x[u32({index})]"));
    let (wrong, least) = clamped("min(max((j - 1_i32), 0_i32), (i32(n) - 1_i32))");
    assert_eq!((wrong, least), (vec![], vec![1]));
    for index in [
        "min((j - 1_i32), (i32(n) - 1_i32))",
        "min(max((j - 1_i32), -1_i32), (i32(n) - 1_i32))",
        "min(max((j - 1_i32), 0_i32), i32(n))",
        "max((j - 1_i32), 0_i32)",
        "max(min((j - 1_i32), (i32(n) - 1_i32)), 1_i32)",
    ] {
        assert_ne!(clamped(index).0, NONE, "{index}");
    }
}

/// What is wrong with a kernel that writes `out`, of `n` elements, in `count` blocks of 8 threads.
fn blocks(count: &str, condition: &str, index: &str) -> Vec<&'static str> {
    let text = format!(
        "kernel k {{
            parameter 0 n: u32
            parameter 1 k: u32
            parameter 2 out: u32[n] output
            distribute Block b < {count} {{
                forall Block t < 8_u32 {{
                    let i = ((b * 8_u32) + t)
                    if {condition} {{ store out[{index}] = 1_u32 }}
                }}
            }}
        }}"
    );
    checked(&text).0
}

#[test]
fn a_scatter_writes_once_what_it_never_writes_twice() {
    let up = "((n + 7_u32) / 8_u32)";
    let to =
        |end: &str| format!("select(((i % 2_u32) == 0_u32), (i / 2_u32), ({end} + (i / 2_u32)))");
    assert_eq!(blocks(up, "(i < n)", &to("((n + 1_u32) / 2_u32)")), NONE);
    assert_ne!(blocks(up, "(i < n)", &to("(n / 2_u32)")), NONE);
    assert_ne!(blocks(up, "(i < n)", &to("((n + 2_u32) / 2_u32)")), NONE);
    assert_ne!(blocks(up, "(i <= n)", &to("((n + 1_u32) / 2_u32)")), NONE);
    assert_ne!(
        blocks("(n / 8_u32)", "(i < n)", &to("((n + 1_u32) / 2_u32)")),
        NONE
    );
    // `i + k` wraps around.
    assert_ne!(blocks(up, "(i < n)", "((i + k) % n)"), NONE);
}

/// What is wrong with a kernel that changes `m` in place.
fn in_place(blocks: &str, threads: &str, body: &str) -> Vec<&'static str> {
    let text = format!(
        "kernel k {{
            parameter 0 width: u32
            parameter 1 m: u32[length(m)] inout
            distribute Block b < {blocks} {{
                forall Block t < {threads} {{ {body} }}
            }}
        }}"
    );
    checked(&text).0
}

#[test]
fn rows_of_a_width_of_the_launch_are_apart() {
    let of = |blocks: &str, threads: &str, at: &str| {
        in_place(
            blocks,
            threads,
            &format!("read v = m[{at}] store m[{at}] = v"),
        )
    };
    let row = "((b * width) + t)";
    assert_eq!(of("(length(m) / width)", "width", row), NONE);
    assert_ne!(of("((length(m) / width) + 1_u32)", "width", row), NONE);
    assert_ne!(of("(length(m) / width)", "(width + 1_u32)", row), NONE);
    assert_ne!(
        of(
            "(length(m) / width)",
            "width",
            "((b * width) + (t + 1_u32))"
        ),
        NONE
    );
    assert_ne!(
        of("(length(m) / width)", "width", "(b + (t * width))"),
        NONE
    );
}

#[test]
fn parity_keeps_threads_apart() {
    let of = |read: &str, write: &str| {
        let at = |column: &str| format!("((b * 64_u32) + {column})");
        let body = format!(
            "let x = ((2_u32 * t) + (b % 2_u32)) read v = m[{}] store m[{}] = v",
            at(read),
            at(write)
        );
        in_place("(length(m) / 64_u32)", "32_u32", &body)
    };
    assert_eq!(of("((x + 63_u32) % 64_u32)", "x"), NONE);
    assert_eq!(of("((x + 1_u32) % 64_u32)", "x"), NONE);
    assert_ne!(of("((x + 62_u32) % 64_u32)", "x"), NONE);
    assert_ne!(of("((x + 63_u32) % 63_u32)", "x"), NONE);
}

/// What is wrong with a kernel that changes `a`, of 64 elements, in 5 rounds of the block.
fn rounds(threads: &str, condition: &str, read_at: &str, write_at: &str) -> Vec<&'static str> {
    let text = format!(
        "kernel k {{
            parameter 0 n: u32
            distribute Block b < n {{
                allocate a: u32[64_u32] shared
                for sequential Block r in 0_u32 .. 5_u32 step 1_u32 {{
                    let half = (32_u32 >> r)
                    forall Block t < {threads} {{
                        if {condition} {{ read v = a[{read_at}] store a[{write_at}] = v }}
                    }}
                }}
            }}
        }}"
    );
    checked(&text).0
}

#[test]
fn threads_are_compared_in_each_round_of_the_block() {
    assert_eq!(rounds("32_u32", "(t < half)", "(t + half)", "t"), NONE);
    assert_eq!(rounds("half", "(0_u32 < 1_u32)", "(t + half)", "t"), NONE);
    assert_ne!(rounds("32_u32", "(t <= half)", "(t + half)", "t"), NONE);
    assert_ne!(rounds("32_u32", "(t < 32_u32)", "(t + half)", "t"), NONE);
    assert_ne!(
        rounds("(half + 1_u32)", "(0_u32 < 1_u32)", "(t + half)", "t"),
        NONE
    );
    let eliminated = "(((t / 8_u32) > r) & ((t % 8_u32) > r))";
    let head = "(((t / 8_u32) * 8_u32) + r)";
    assert_eq!(rounds("64_u32", eliminated, head, "t"), NONE);
    assert_ne!(rounds("64_u32", "((t / 8_u32) > r)", head, "t"), NONE);
}

#[test]
fn a_pass_of_a_network_is_apart_in_place() {
    let of = |low: &str, distance: &str| {
        let body = format!(
            "let low = ((b * 16_u32) + {low}) \
             read x = m[low] read y = m[(low + {distance})] \
             store m[low] = y store m[(low + {distance})] = x"
        );
        in_place("(length(m) / 16_u32)", "8_u32", &body)
    };
    let low = "(((t / 4_u32) * 8_u32) + (t % 4_u32))";
    assert_eq!(of(low, "4_u32"), NONE);
    assert_ne!(of(low, "3_u32"), NONE);
    assert_ne!(of("(((t / 4_u32) * 4_u32) + (t % 4_u32))", "4_u32"), NONE);
}

/// A parabola in pieces, as many as the launch says: its greatest value is known by enumeration.
#[test]
fn what_is_no_sum_of_counters_is_enumerated_in_each_piece() {
    let of = |divisor: u32| {
        let place = format!("((t * (99_u32 - t)) / {divisor}_u32)");
        let body = format!("read v = m[((b * 100_u32) + {place})]");
        in_place("(length(m) / 100_u32)", "100_u32", &body)
    };
    assert_eq!(of(25), NONE);
    assert_ne!(of(24), NONE, "102 is in the next piece");
}

#[test]
fn a_count_of_every_eighth_element_stays_inside() {
    let of = |count: &str| {
        let body = format!(
            "for sequential Thread k in 0_u32 .. {count} step 1_u32 {{
                read v = m[((k * 8_u32) + t)] store m[((k * 8_u32) + t)] = v
            }}"
        );
        in_place("1_u32", "8_u32", &body)
    };
    assert_eq!(of("(((length(m) + 7_u32) - t) / 8_u32)"), NONE);
    assert_ne!(of("(((length(m) + 8_u32) - t) / 8_u32)"), NONE);
    assert_ne!(of("((length(m) + 7_u32) / 8_u32)"), NONE);
}

#[test]
fn a_message_has_the_inequality_that_is_not_proved() {
    let message = |index: &str| {
        let kernel = format!(
            "kernel k {{
                parameter 0 w: u32
                parameter 1 x: u32[length(x)] input
                parameter 2 u: u32[8_u32] input
                parameter 3 out: u32[8_u32] output
                require length(x) divided_by w
                distribute Block b < 1_u32 {{
                    forall Block i < 8_u32 {{ store out[i] = x[{index}] }}
                }}
            }}"
        );
        let kernel = read(&kernel).unwrap_or_else(|e| panic!("{e}\n{kernel}"));
        check(&kernel).diagnostics[0].message.clone()
    };
    let shown = message("(u[i] + (length(x) / 2_u32))");
    assert!(shown.contains("` is needed"), "{shown}");
    assert!(
        shown.contains("u[..]") && shown.contains("x.len()"),
        "{shown}"
    );
}

/// What is wrong with a kernel that writes three elements for each of a length, where a run has seen that extents are equal.
fn rows_where(required: &str) -> Vec<&'static str> {
    checked(&format!(
        "kernel k {{
            parameter 0 n: u32
            parameter 1 out: u32[(n *' 3_u32)] output
            {required}
            require ((n *' 3_u32) +' 1023_u32) fits
            distribute Block b < (((n *' 3_u32) /' 1024_u32) +' min(((n *' 3_u32) %' 1024_u32), 1_u32)) {{
                forall Block i < 1024_u32 {{
                    if (((b *' 1024_u32) +' i) < (n *' 3_u32)) {{
                        store out[((b *' 1024_u32) +' i)] = 7_u32
                    }}
                }}
            }}
        }}"
    ))
    .0
}

#[test]
fn what_equal_extents_say_does_not_hide_what_is_known_without_it() {
    let drops = ["(n - min(n, 2_u32))", "(n - min(n, 3_u32))"];
    let [two, three] = drops;
    for required in [
        String::new(),
        format!("require 5_u32 equal {two}"),
        format!("require {two} equal 5_u32"),
        format!("require 5_u32 equal ({two} +' {three})"),
        format!("require {two} equal {three}"),
    ] {
        assert_eq!(rows_where(&required), [""; 0], "{required}");
    }
}

#[test]
fn an_access_of_an_element_says_that_there_is_one() {
    let (wrong, least) = checked(
        "kernel k {
            parameter 0 x: i32[length(x)] input
            parameter 1 n: u32
            parameter 2 by: u32
            parameter 3 result: i32[n] output
            require length(x) equal n
            distribute Block b < 1_u32 {
                forall Block i < 256_u32 {
                    if ((i *' (((n -' min(n, 1_u32)) /' 256_u32) +' 1_u32)) < n) {
                        let first = (i *' (((n -' min(n, 1_u32)) /' 256_u32) +' 1_u32))
                        let at = (first + (by % max(n, 1_u32)))
                        store result[distinct(first)] = x[select((at < max(n, 1_u32)), at, (at - max(n, 1_u32)))]
                        for sequential Thread k in 0_u32 .. min(((n -' first) -' 1_u32), ((n -' min(n, 1_u32)) /' 256_u32)) step 1_u32 {
                            let next = ((first +' 1_u32) +' k)
                            store result[distinct(next)] = x[(next % max(n, 1_u32))]
                        }
                    }
                }
            }
        }",
    );
    // Whether all are written is another question.
    assert_eq!((wrong, least), (vec!["maybe-not-once"], vec![]));
}
