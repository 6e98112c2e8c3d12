//! Which stages overwrite their input, and which ones must not.

use super::super::{Executed, liveness, lowering, shared_layout, virtualise};
use super::stage::Refused;
use super::*;
use crate::ir::{Levelled, read, validate};
use crate::plan::{Plan, SharedMap};

fn text_of(body: &str) -> String {
    format!(
        "kernel k {{ parameter 0 data: u32[2000_u32] input parameter 1 out: u32[2000_u32] inout \
         distribute Block blk < 4_u32 {{ {body} }} }}"
    )
}

/// A kernel with this body of a block, on a number of threads.
fn physical(body: &str, threads: u32) -> Kernel<Physical> {
    let text = text_of(body);
    let kernel: Kernel<Levelled> = read(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
    virtualise(lowering(kernel, Executed::ByThreads(threads)), threads)
}

fn array(kernel: &Kernel<Physical>, name: &str) -> ArrayId {
    let found = kernel.tables.arrays.iter().position(|a| a.name == name);
    ArrayId(found.unwrap_or_else(|| panic!("no {name}")) as u32)
}

/// May the only phase of a kernel that mentions `a` and `b` store `b` over `a`? The number of copies, or
/// why not.
fn stage(body: &str, threads: u32) -> Result<usize, Refused> {
    let kernel = physical(body, threads);
    let arrays = [array(&kernel, "a"), array(&kernel, "b")];
    let vouched = Set::new();
    let mut finder = Finder::new(&kernel, &vouched);
    let mut answer = None;
    let Some(Statement::Loop { body, .. }) = kernel.body.first() else {
        panic!("no loop over blocks")
    };
    look(&mut finder, body, Level::Block, arrays, &mut answer);
    answer.expect("no phase has both")
}

fn look(
    finder: &mut Finder<'_>,
    list: &[Statement<Physical>],
    scope: Level,
    arrays: [ArrayId; 2],
    answer: &mut Option<Result<usize, Refused>>,
) {
    let mut rest = list;
    for (part, length) in finder.phases.split(list, scope) {
        let (statements, others) = rest.split_at(length);
        rest = others;
        if part == Part::Structure {
            let statement = &statements[0];
            let warps = matches!(
                statement,
                Statement::Loop {
                    kind: PhysicalLoop::Warps,
                    ..
                }
            );
            let inside = if warps { Level::Warp } else { scope };
            for inner in statement.lists() {
                look(finder, inner, inside, arrays, answer);
            }
        } else if finder.mentioned(statements, &arrays.into()).len() == 2 {
            let found = overwritten(finder.kernel, &finder.lanes, statements, arrays, scope);
            *answer = Some(found.map(|copies| copies.len()));
        }
    }
}

/// The same of a phase of `n` iterations that stores `b`, behind one that stores `a` of `length`.
fn of(length: u32, n: u32, phase: &str, threads: u32) -> Result<usize, Refused> {
    let body = format!(
        "allocate a: u32[{length}_u32] shared allocate b: u32[{n}_u32] shared
         forall Block w < {length}_u32 {{ store a[w] = data[w] }} wait Block
         forall Block i < {n}_u32 {{ {phase} }}"
    );
    stage(&body, threads)
}

const THREADS: [u32; 8] = [1, 2, 31, 32, 33, 64, 1000, 1024];

#[test]
fn an_element_and_one_that_nobody_stores() {
    for threads in THREADS {
        for (length, n) in [(64, 32), (64, 64), (2000, 1000), (7, 3), (66, 33)] {
            let half = length - n;
            assert_eq!(of(length, n, "store b[i] = (a[i] + 1_u32)", threads), Ok(0));
            let phase = format!("store b[i] = (a[i] + a[(i + {half}_u32)])");
            let expected = if half >= n || half == 0 {
                Ok(0)
            } else {
                Err(Refused::ReadByAnother)
            };
            if half >= n || half == 0 || (threads >= n) {
                assert_eq!(
                    of(length, n, &phase, threads),
                    expected,
                    "{threads}: {phase}"
                );
            }
        }
    }
}

#[test]
fn what_another_thread_reads_is_not_overwritten() {
    for phase in [
        "store b[i] = a[((i + 1_u32) % 64_u32)]",
        "store b[i] = (a[i] + a[0_u32])",
        "store b[i] = a[(63_u32 -' i)]",
        "store b[i] = select((i < 1_u32), a[i], (a[i] + a[(i - 1_u32)]))",
    ] {
        for threads in THREADS.into_iter().filter(|t| *t > 1) {
            let found = of(64, 64, phase, threads);
            let expected = [Err(Refused::ReadByAnother), Err(Refused::ReadLater)];
            assert!(expected.contains(&found), "{threads}: {phase}: {found:?}");
        }
    }
}

#[test]
fn one_thread_has_an_order() {
    // Neighbours in ascending order: element i is read by iteration i / 2.
    let pairs = "store b[i] = (a[(i * 2_u32)] + a[((i * 2_u32) + 1_u32)])";
    assert_eq!(of(64, 32, pairs, 1), Ok(0));
    assert_eq!(of(64, 32, pairs, 2), Err(Refused::ReadByAnother));
    // Backwards: iteration i reads what iteration i - 1 has stored.
    let later = "store b[i] = select((i < 1_u32), 0_u32, a[(i - 1_u32)])";
    assert_eq!(of(64, 64, later, 1), Err(Refused::ReadLater));
    let earlier = "store b[i] = select((i < 63_u32), a[(i + 1_u32)], 0_u32)";
    assert_eq!(of(64, 64, earlier, 1), Ok(0));
    assert_eq!(of(64, 64, earlier, 32), Err(Refused::ReadByAnother));
}

#[test]
fn the_next_round_of_a_thread_reads_what_this_one_stores() {
    // With 32 threads, iteration i + 32 of the same thread reads element i.
    let phase = "store b[i] = select((i < 32_u32), 5_u32, a[(i - 32_u32)])";
    assert_eq!(of(64, 64, phase, 32), Err(Refused::ReadLater));
    // The first 32 elements are copies, and nothing else is stored there.
    let sum = "store b[i] = select((i < 32_u32), a[i], (a[i] + a[(i - 32_u32)]))";
    for threads in THREADS {
        assert_eq!(of(64, 64, sum, threads), Ok(1), "{threads}");
    }
    let changed = "store b[i] = select((i < 32_u32), (a[i] + 1_u32), (a[i] + a[(i - 32_u32)]))";
    assert_eq!(of(64, 64, changed, 32), Err(Refused::ReadLater));
}

#[test]
fn a_value_with_a_name_was_read_before() {
    let named =
        "let x = a[i] let y = a[(i + 32_u32)] store b[i] = x store b[(i + 32_u32)] = (x + y)";
    let body = |phase: &str| {
        format!(
            "allocate a: u32[64_u32] shared allocate b: u32[64_u32] shared
             forall Block w < 64_u32 {{ store a[w] = data[w] }} wait Block
             forall Block i < 32_u32 {{ {phase} }}"
        )
    };
    assert_eq!(stage(&body(named), 32), Ok(1));
    // Swapped: both have been read when the first one is stored.
    let swapped = "let x = a[i] let y = a[(i + 32_u32)] store b[i] = y store b[(i + 32_u32)] = x";
    assert_eq!(stage(&body(swapped), 32), Ok(0));
    let late = "store b[i] = a[(i + 32_u32)] store b[(i + 32_u32)] = a[i]";
    assert_eq!(stage(&body(late), 32), Err(Refused::ReadLater));
    // A copy behind a store of the same element is none.
    let twice =
        "let x = a[i] store b[i] = 5_u32 store b[(i + 32_u32)] = a[(i + 32_u32)] store b[i] = x";
    assert_eq!(stage(&body(twice), 32), Err(Refused::ReadLater));
    // The name of a value that is a copy in one round and not in the other.
    let other = "let x = a[(i % 16_u32)] store b[i] = x store b[(i + 32_u32)] = 1_u32";
    assert_eq!(stage(&body(other), 16), Err(Refused::ReadLater));
    assert_eq!(stage(&body(other), 32), Err(Refused::ReadByAnother));
}

#[test]
fn reads_in_conditions_and_bounds_count() {
    let threads = 32;
    let before = "if (a[i] < 3_u32) { store b[i] = 1_u32 } else { store b[i] = 2_u32 }";
    assert_eq!(of(64, 64, before, threads), Ok(0));
    let after = "store b[i] = 1_u32 if (a[i] < 3_u32) { store out[i] = 1_u32 }";
    assert_eq!(of(64, 64, after, threads), Err(Refused::ReadLater));
    let other = "if (a[(i ^ 1_u32)] < 3_u32) { store b[i] = 1_u32 } else { store b[i] = 2_u32 }";
    assert_eq!(of(64, 64, other, threads), Err(Refused::ReadByAnother));
    let bound = "for sequential Thread k in 0_u32 .. a[i] step 1_u32 { store b[i] = k }";
    assert_eq!(of(64, 64, bound, threads), Err(Refused::ReadLater));
    let index = "store out[a[i]] = 1_u32 store b[i] = 2_u32";
    assert_eq!(of(64, 64, index, threads), Ok(0));
    let index = "store b[i] = 2_u32 store out[a[i]] = 1_u32";
    assert_eq!(of(64, 64, index, threads), Err(Refused::ReadLater));
}

#[test]
fn loops_of_one_thread_are_followed_in_order() {
    let threads = 32;
    let fold = "cell s = 0_u32 for sequential Thread k in 0_u32 .. 4_u32 step 1_u32 { \
                get g = s assign s = (g + a[(i + (k * 64_u32))]) } get t = s store b[i] = t";
    assert_eq!(of(256, 64, fold, threads), Ok(0));
    let rows = "for sequential Thread k in 0_u32 .. 4_u32 step 1_u32 { \
                store b[((i * 4_u32) + k)] = (a[((i * 4_u32) + k)] + 1_u32) }";
    let body = |phase: &str| {
        format!(
            "allocate a: u32[64_u32] shared allocate b: u32[64_u32] shared
             forall Block w < 64_u32 {{ store a[w] = data[w] }} wait Block
             forall Block i < 16_u32 {{ {phase} }}"
        )
    };
    assert_eq!(stage(&body(rows), threads), Ok(0));
    // The next element of the same row: not yet stored in ascending order, stored in descending order.
    let next = "for sequential Thread k in 0_u32 .. 3_u32 step 1_u32 { \
                store b[((i * 4_u32) + k)] = a[(((i * 4_u32) + k) + 1_u32)] }";
    assert_eq!(stage(&body(next), threads), Ok(0));
    let last = "for sequential Thread k in 0_u32 .. 4_u32 step 1_u32 { \
                store b[((i * 4_u32) + k)] = a[(i * 4_u32)] }";
    assert_eq!(stage(&body(last), threads), Err(Refused::ReadLater));
    // A loop of which it is not known how many rounds it has.
    let open =
        "for sequential Thread k in 0_u32 .. data[0_u32] step 1_u32 { store b[i] = (a[i] + k) }";
    assert_eq!(stage(&body(open), threads), Err(Refused::ReadLater));
    let open = "while { let x = a[i] } holds (x < 3_u32) { store b[i] = 1_u32 }";
    assert_eq!(stage(&body(open), threads), Err(Refused::ReadLater));
}

#[test]
fn what_is_not_known_is_refused() {
    let threads = 32;
    let gather = "store b[i] = a[data[i]]";
    assert_eq!(of(64, 64, gather, threads), Err(Refused::Unknown));
    let scatter = "store b[data[i]] = a[i]";
    assert_eq!(of(64, 64, scatter, threads), Err(Refused::Unknown));
    let block = "store b[((i + blk) % 64_u32)] = (a[((i + blk) % 64_u32)] + 1_u32)";
    assert_eq!(of(64, 64, block, threads), Err(Refused::Unknown));
    // The same element, whichever it is: nothing is left to store.
    let same = "store b[((i + blk) % 64_u32)] = a[((i + blk) % 64_u32)]";
    assert_eq!(of(64, 64, same, threads), Ok(1));
    // A copy in one arm, and a store of the same thread in the other one.
    let arms = "store b[i] = select((data[i] < 3_u32), a[i], (a[i] + 1_u32))";
    assert_eq!(of(64, 64, arms, threads), Ok(1));
}

#[test]
fn what_else_happens_to_the_two_is_refused() {
    let threads = 32;
    for phase in [
        "atomic add a[i] (1_u32) store b[i] = 1_u32",
        "atomic add b[i] (a[i])",
        "read x = b[i] store b[i] = (a[i] + x)",
        "store a[i] = 1_u32 store b[i] = 1_u32",
        "store b[i] = (a[i] + b[i])",
    ] {
        assert_eq!(of(64, 64, phase, threads), Err(Refused::Changed), "{phase}");
    }
    let in_order = "read x = a[i] store b[i] = (x + 1_u32)";
    assert_eq!(of(64, 64, in_order, threads), Ok(0));
}

#[test]
fn warps_have_frames_of_their_own() {
    let body = |phase: &str| {
        format!(
            "distribute Warp w < 8_u32 {{
             allocate a: u32[64_u32] shared allocate b: u32[32_u32] shared
             forall Warp v < 64_u32 {{ store a[v] = data[v] }} wait Warp
             forall Warp i < 32_u32 {{ {phase} }} wait Warp
             forall Warp o < 32_u32 {{ store out[((w * 32_u32) + o)] = b[(31_u32 -' o)] }} }}"
        )
    };
    for threads in [1, 31, 32, 33, 64, 100, 1024] {
        let sums = body("store b[i] = (a[i] + a[(i + 32_u32)])");
        assert_eq!(stage(&sums, threads), Ok(0), "{threads}");
    }
    for threads in [32, 64, 1024] {
        let sums = body("store b[i] = (a[i] + a[(i + 32_u32)])");
        assert_eq!(over(&sums, threads).placements.len(), 1, "{threads}");
    }
    let next = body("store b[i] = a[((i + 1_u32) % 32_u32)]");
    assert_eq!(stage(&next, 64), Err(Refused::ReadByAnother));
    assert!(over(&next, 64).placements.is_empty());
    // What a thread of another warp reads.
    let far = "allocate a: u32[64_u32] shared allocate b: u32[64_u32] shared
        forall Block w < 64_u32 { store a[(63_u32 -' w)] = data[w] } wait Block
        forall Block i < 64_u32 { store b[i] = a[((i + 32_u32) % 64_u32)] } wait Block
        forall Block o < 64_u32 { store out[((blk *' 64_u32) +' o)] = b[o] }";
    assert!(over(far, 64).placements.is_empty());
    assert!(over(far, 128).placements.is_empty());
}

/// The kernel with each array in shared memory of its own.
fn apart(body: &str, threads: u32) -> Placed {
    let kernel = read(&text_of(body)).unwrap_or_else(|e| panic!("{e}"));
    let lives = liveness(&lowering(kernel, Executed::ByThreads(32)));
    Placed::apart(physical(body, threads), lives, Set::new())
}

/// The kernel with all stages in place that may be, whatever that costs.
fn over(body: &str, threads: u32) -> Placed {
    let plain = apart(body, threads);
    let vouched = vouched(&plain.kernel);
    let found = Finder::new(&plain.kernel, &vouched).find();
    let placed = in_place(&plain, &found);
    validate(&placed.kernel).unwrap_or_else(|e| panic!("{e}"));
    placed
}

/// The plan of a kernel with this body.
fn plan(body: &str, threads: u32) -> Plan {
    let text = format!(
        "kernel k {{ parameter 0 data: u32[2048_u32] input parameter 1 out: u32[256_u32] output \
         distribute Block blk < 4_u32 {{ {body} }} }}"
    );
    let options = crate::pipeline::Options {
        threads,
        ..Default::default()
    };
    crate::pipeline::compile(read(&text).unwrap(), &options).unwrap_or_else(|e| panic!("{e}"))
}

fn offsets(shared: &SharedMap) -> Vec<u32> {
    shared.slots.values().map(|slot| slot.offset).collect()
}

fn is_over(placement: &Placement, leaves_out: bool) -> bool {
    matches!(placement.home, Home::Over { leaves_copies_out, .. } if leaves_copies_out == leaves_out)
}

const SUMS: &str = "allocate a: u32[128_u32] shared allocate b: u32[64_u32] shared
    forall Block w < 128_u32 { store a[(127_u32 -' w)] = data[w] } wait Block
    forall Block i < 64_u32 { store b[i] = (a[i] + a[(i +' 64_u32)]) } wait Block
    forall Block o < 64_u32 { store out[((blk *' 64_u32) +' o)] = b[o] }";

#[test]
fn a_stage_overwrites_its_input() {
    for threads in THREADS {
        let placed = over(SUMS, threads);
        let shared = shared_layout(&placed.kernel, &placed.lives, threads.into()).unwrap();
        assert_eq!((shared.bytes, offsets(&shared)), (512, vec![0]));
        let [one] = &placed.placements[..] else {
            panic!("{:?}", placed.placements)
        };
        assert!(is_over(one, false));
        let text = placed.kernel.to_string();
        assert!(!text.contains("allocate b"), "{text}");
    }
}

#[test]
fn one_barrier_more_is_not_worth_it() {
    // Where other threads read the sums at the end, the next block has to wait before it stores over them.
    let reversed = SUMS.replace("= b[o]", "= b[(63_u32 -' o)]");
    for (threads, bytes) in [(1, 512), (31, 768), (33, 768)] {
        assert_eq!(plan(&reversed, threads).shared().bytes, bytes, "{threads}");
    }
}

#[test]
fn an_array_with_a_promise_stays_where_it_is() {
    for (from, to) in [("b[i] =", "b[distinct(i)] ="), ("a[i]", "a[unchecked(i)]")] {
        let placed = over(&SUMS.replace(from, to), 64);
        assert!(placed.placements.is_empty(), "{to}");
    }
}

#[test]
fn an_array_that_lives_on_is_not_overwritten() {
    let both = SUMS.replace("b[o]", "(b[o] + a[(o +' 64_u32)])");
    assert!(over(&both, 64).placements.is_empty());
    // The one is kept over all rounds of a loop, in which the other one begins anew.
    let rounds = "allocate a: u32[64_u32] shared forall Block w < 64_u32 { store a[w] = data[w] } wait Block
        for sequential Block k in 0_u32 .. 3_u32 step 1_u32 {
          allocate b: u32[64_u32] shared
          forall Block i < 64_u32 { store b[i] = (a[i] + k) } wait Block
          if (k == 2_u32) { forall Block o < 64_u32 { store out[((blk *' 64_u32) +' o)] = b[(63_u32 -' o)] } } }";
    let found = Finder::new(&physical(rounds, 64), &Set::new()).find();
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn a_longer_array_or_one_of_another_type_does_not_fit() {
    let longer = "allocate a: u32[64_u32] shared allocate b: u32[128_u32] shared
        forall Block w < 64_u32 { store a[(63_u32 -' w)] = data[w] } wait Block
        forall Block i < 64_u32 { store b[i] = a[i] store b[(i +' 64_u32)] = 1_u32 } wait Block
        forall Block o < 64_u32 { store out[((blk *' 64_u32) +' o)] = b[(127_u32 -' o)] }";
    assert_eq!(over(longer, 64).placements, []);
    let other = SUMS
        .replace("b: u32", "b: i32")
        .replace(
            "(a[i] + a[(i +' 64_u32)])",
            "i32((a[i] + a[(i +' 64_u32)]))",
        )
        .replace("= b[o]", "= u32(b[o])");
    assert_eq!(over(&other, 64).placements, []);
}

#[test]
fn copies_are_left_out() {
    let scan = "allocate a: u32[64_u32] shared allocate b: u32[64_u32] shared
        forall Block w < 64_u32 { store a[(63_u32 -' w)] = data[w] } wait Block
        forall Block i < 64_u32 { store b[i] = select((i < 32_u32), a[i], (a[i] + a[31_u32])) } wait Block
        forall Block o < 64_u32 { store out[((blk *' 64_u32) +' o)] = b[o] }";
    let found = over(scan, 64);
    assert!(is_over(&found.placements[0], true));
    let text = found.kernel.to_string();
    assert!(!text.contains("select"), "{text}");
    // A stage of nothing but copies is gone, and so is its barrier.
    let copy = scan.replace("select((i < 32_u32), a[i], (a[i] + a[31_u32]))", "a[i]");
    let text = over(&copy, 64).kernel.to_string();
    assert_eq!(text.matches("store ").count(), 2, "{text}");
}

#[test]
fn more_bytes_or_barriers_are_not_taken() {
    let cost = |bytes, barriers: &[[u32; 2]], shorter| Cost {
        bytes,
        barriers: Some(barriers.to_vec()),
        shorter,
    };
    let before = cost(100, &[[2, 3], [1, 1]], 0);
    assert!(cost(99, &[[2, 3], [1, 1]], 0).is_better(&before));
    assert!(cost(100, &[[2, 3], [1, 1]], 1).is_better(&before));
    assert!(cost(99, &[[2, 2]], 0).is_better(&before));
    for worse in [
        cost(100, &[[2, 3], [1, 1]], 0),
        cost(101, &[[0, 0]], 5),
        cost(50, &[[3, 3]], 0),
        cost(50, &[[2, 4]], 0),
        // Fewer, but one more of them inside of the loop.
        cost(50, &[[2, 2], [1, 2]], 0),
        cost(50, &[[2, 2], [1, 1], [1, 1]], 0),
    ] {
        assert!(!worse.is_better(&before), "{worse:?}");
    }
    // 20 KB are worth one.
    let large = cost(30_000, &[[2, 3]], 0);
    for (bytes, barriers, is_better) in [
        (9_520, [3, 4], true),
        (9_520, [4, 4], false),
        (9_521, [3, 4], false),
        (9_521, [2, 3], true),
    ] {
        assert_eq!(cost(bytes, &[barriers], 0).is_better(&large), is_better);
    }
    let none = |bytes| Cost {
        bytes,
        barriers: None,
        shorter: 0,
    };
    assert!(cost(100, &[[9, 9]], 0).is_better(&none(200)));
    assert!(none(150).is_better(&none(200)) && !none(200).is_better(&none(200)));
    assert!(!none(1).is_better(&before));
}

/// The text of a kernel with this body, and the elements that its arrays in registers have.
fn registers(body: &str, limits: impl Into<Limits>) -> (String, Vec<u32>) {
    let limits = limits.into();
    let plain = apart(body, limits.threads);
    let placed = held(&plain, &Set::new(), &Asked::new(), limits);
    validate(&placed.kernel).unwrap_or_else(|e| panic!("{e}"));
    let elements = placed.placements.iter().map(|one| match one.home {
        Home::Registers { elements } => elements,
        Home::Over { .. } | Home::Shared => panic!("{one:?}"),
    });
    (placed.kernel.to_string(), elements.collect())
}

/// Warps that have neighbours, of which a lane has every 32nd; not where a warp is not whole.
#[test]
fn warps_have_neighbours() {
    let each = |[t, r, j]: [&str; 3], then: &str| {
        format!(
            "forall Block {t} < 64_u32 {{ for sequential Thread {r} in 0_u32 .. 3_u32 step 1_u32 {{
               let {j} = (((({t} / 32_u32) *' 96_u32) +' ({r} *' 32_u32)) +' ({t} % 32_u32))
               if ({j} < 129_u32) {{ {then} }} }} }} "
        )
    };
    let body = format!(
        "allocate a: u32[129_u32] shared {} wait Block {}",
        each(["t", "r", "j"], "store a[j] = j"),
        each(["u", "s", "k"], "store out[(k % 32_u32)] = a[k]"),
    );
    assert_eq!(registers(&body, 64).1, [3]);
    assert!(registers(&body, 64).0.contains("store a[r] = j"));
    // One warp has every 32nd of all.
    assert_eq!(registers(&body, 32).1, [5]);
    for threads in [33, 48, 40, 100] {
        assert!(registers(&body, threads).1.is_empty(), "{threads}");
    }
}

#[test]
fn what_each_thread_alone_accesses_is_in_registers() {
    let (text, elements) = registers(TREE, 64);
    assert_eq!(elements, [4, 2], "{text}");
    assert!(text.contains("allocate a: u32[4_u32] held"), "{text}");
    for line in [
        "store a[v0] = data[w]",
        "store b[v1] = (a[v1] + a[(v1 +' 2_u32)])",
        "store c[i] = (b[0_u32] + b[1_u32])",
        "0_u32 .. 4_u32 step 1_u32 unrolled {",
        "0_u32 .. 2_u32 step 1_u32 unrolled {",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    // Neither 31 nor 100 divides what is added to the index.
    for threads in [31, 33, 100] {
        let (text, elements) = registers(TREE, threads);
        assert!(elements.is_empty(), "{threads}: {text}");
    }
    for (threads, expected) in [
        (2, vec![64]),
        (32, vec![8, 4, 2]),
        (128, vec![2]),
        (1, vec![]),
    ] {
        assert_eq!(registers(TREE, threads).1, expected, "{threads}");
    }
}

/// Three stages of a tree reduction.
const TREE: &str =
    "allocate a: u32[256_u32] shared allocate b: u32[128_u32] shared allocate c: u32[64_u32] shared
    forall Block w < 256_u32 { store a[w] = data[w] } wait Block
    forall Block i < 128_u32 { store b[i] = (a[i] + a[(i +' 128_u32)]) } wait Block
    forall Block i < 64_u32 { store c[i] = (b[i] + b[(i +' 64_u32)]) } wait Block
    forall Block o < 32_u32 { store out[o] = (c[o] + c[(o +' 32_u32)]) }";

#[test]
fn what_is_not_the_threads_own_stays_in_shared_memory() {
    let of = |first: &str, second: &str| {
        let body = format!(
            "allocate a: u32[128_u32] shared forall Block w < 128_u32 {{ {first} }} wait Block \
             forall Block i < 128_u32 {{ {second} }}"
        );
        registers(&body, 64).1
    };
    let (first, second) = ("store a[w] = data[w]", "store out[i] = a[i]");
    assert_eq!(of(first, second), [2]);
    for (first, second) in [
        ("store a[(127_u32 -' w)] = data[w]", second),
        ("store a[data[w]] = 1_u32", second),
        (first, "store out[i] = a[(i ^ 1_u32)]"),
        (first, "store out[i] = a[((i + 32_u32) % 128_u32)]"),
        (first, "store out[i] = a[data[i]]"),
        (first, "store out[i] = a[((i + (blk * 64_u32)) % 128_u32)]"),
        (first, "if (data[i] < 5_u32) { store out[i] = a[0_u32] }"),
        (
            first,
            "while { let x = a[((data[i] * 64_u32) + i)] } holds (x < 3_u32) { }",
        ),
        ("store a[w] = 1_u32 atomic add a[w] (1_u32)", second),
    ] {
        assert!(of(first, second).is_empty(), "{first} {second}");
    }
    // Half a turn is another slot of the same thread, and no multiple of the round.
    assert!(of(first, "store out[i] = a[((i + 64_u32) % 128_u32)]").len() < 2);
    // In a loop of the block, under a condition, and read in order.
    assert_eq!(
        of(
            first,
            "if (data[i] < 5_u32) { read x = a[i] store out[i] = x }"
        ),
        [2]
    );
    // Too many words.
    let long = "allocate a: u32[2000_u32] shared forall Block w < 2000_u32 { store a[w] = data[w] } wait Block \
                forall Block i < 2000_u32 { store out[i] = a[i] }";
    assert!(registers(long, 31).1.is_empty() && registers(long, 32).1 == [63]);
}

/// Statements that store an array of 128 elements, and then something in each of 128 iterations, on 64 threads.
fn behind_128(second: &str) -> (String, Vec<u32>) {
    let body = format!(
        "allocate a: u32[128_u32] shared forall Block w < 128_u32 {{ store a[w] = data[w] }} wait Block \
         forall Block i < 128_u32 {{ {second} }}"
    );
    registers(&body, 64)
}

#[test]
fn arms_of_four_choices_are_followed() {
    // Only behind all of the choices the element is there.
    let bounds = [100, 90, 80, 64];
    let (inside, more) = ("a[(i + 64_u32)]", "select((i < 120_u32)");
    let first = bounds.iter().rev().fold(inside.to_owned(), |arm, n| {
        format!("select((i < {n}_u32), {arm}, 0_u32)")
    });
    let last = bounds.iter().rev().fold(inside.to_owned(), |arm, n| {
        format!("select((i >= {n}_u32), 0_u32, {arm})")
    });
    for arm in [first, last] {
        for statement in [
            format!("store out[i] = {arm}"),
            format!("while {{ }} holds ({arm} < 3_u32) {{ }}"),
        ] {
            let (text, elements) = behind_128(&statement);
            assert_eq!(elements, [2], "{text}");
        }
        let (text, elements) = behind_128(&format!("store out[i] = {more}, {arm}, 0_u32)"));
        assert!(elements.is_empty(), "{text}");
    }
}

#[test]
fn one_thread_alone_may_be_the_owner() {
    let (text, elements) = behind_128("if (i == 70_u32) { store out[i] = a[i] }");
    assert_eq!(elements, [2], "{text}");
    let (text, elements) = behind_128("if (i == 70_u32) { store out[i] = a[(i +' 1_u32)] }");
    assert!(elements.is_empty(), "{text}");
}

#[test]
fn where_no_thread_comes_a_register_is_named_that_there_is() {
    let body = "allocate a: u32[64_u32] shared forall Block w < 64_u32 { store a[w] = data[w] } wait Block \
                forall Block i < 64_u32 { store out[i] = a[i] if (i > 70_u32) { store out[i] = (a[(i -' 64_u32)] + 1_u32) } }";
    let (text, elements) = registers(body, 64);
    assert_eq!(elements, [1], "{text}");
    assert!(text.contains("= (a[0_u32] + 1_u32)"), "{text}");
}

#[test]
fn half_of_the_registers_is_left_for_the_rest() {
    // Each of 1,024 threads has 64 of 65,536 registers; half of them, less 8, are for arrays.
    for (threads, min_blocks) in [(256, Some(4)), (128, Some(8)), (1024, None)] {
        let limits = Limits {
            min_blocks,
            ..threads.into()
        };
        for (words, is_held) in [(24, true), (25, false)] {
            let n = threads * words;
            let body = format!(
                "allocate a: u32[{n}_u32] shared forall Block w < {n}_u32 {{ store a[w] = data[(w % 2000_u32)] }} wait Block \
                 forall Block i < {n}_u32 {{ if (i < 2000_u32) {{ store out[i] = a[i] }} }}"
            );
            let (text, elements) = registers(&body, limits);
            assert_eq!(!elements.is_empty(), is_held, "{threads}, {words}: {text}");
        }
    }
}

#[test]
fn registers_keep_their_values_over_the_rounds_of_a_loop() {
    let body = "allocate s: u32[128_u32] shared allocate t: u32[64_u32] shared
        forall Block w < 128_u32 { store s[w] = data[w] } wait Block
        for sequential Block k in 0_u32 .. 5_u32 step 1_u32 {
          forall Block i < 128_u32 { read x = s[i] store s[i] = (x + k) } wait Block
        }
        forall Block o < 128_u32 { for sequential Thread q in 0_u32 .. 2_u32 step 1_u32 { store out[o] = s[((o % 64_u32) + (q * 64_u32))] } }";
    let (text, elements) = registers(body, 64);
    assert_eq!(elements, [2], "{text}");
    assert!(
        text.contains("= s[v1]") || text.contains("= s[v2]"),
        "{text}"
    );
    assert!(text.contains("store out[o] = s[q]"), "{text}");
}

#[test]
fn arrays_that_no_thread_comes_to_are_not_reported() {
    // The loop has no round and is gone, with the arrays that are begun in it.
    let body = "for sequential Block k in 0_u32 .. 0_u32 step 1_u32 {
          allocate a: u32[64_u32] shared
          forall Block w < 64_u32 { store a[w] = data[w] } wait Block
          forall Block i < 64_u32 { store out[((blk *' 64_u32) +' i)] = a[i] } wait Block
        }
        forall Block z < 64_u32 { store out[((blk *' 64_u32) +' z)] = 1_u32 }";
    let options = crate::pipeline::Options {
        threads: 64,
        ..Default::default()
    };
    let kernel = read(&text_of(body)).unwrap();
    let plan = crate::pipeline::compile(kernel, &options).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(plan.placements(), [], "{}", plan.kernel());
    crate::emit::cuda(&plan);
}

#[test]
fn the_opposite_of_a_comparison_holds_where_it_does_not() {
    use crate::scalar::{BinaryOp, Literal, Nodes, ScalarType, VariableId, meaning};
    let mut nodes = Nodes::default();
    let [x, y] = [0, 1].map(|n| nodes.add(Node::Variable(VariableId(n)), ScalarType::U32));
    let ops = [
        BinaryOp::Lt,
        BinaryOp::Le,
        BinaryOp::Gt,
        BinaryOp::Ge,
        BinaryOp::Eq,
        BinaryOp::Ne,
    ];
    for op in ops {
        let condition = nodes.binary(op, x, y);
        let opposite = rewrite::opposite(&mut nodes, condition);
        let Node::Binary {
            op: other,
            left,
            right,
            ..
        } = nodes.node(opposite)
        else {
            panic!("{op:?} has an opposite that is no comparison")
        };
        for (a, b) in [(1u32, 2u32), (2, 2), (2, 1)] {
            let values = |of: [NodeId; 2]| of.map(|id| Literal::from(if id == x { a } else { b }));
            let [[a, b], [c, d]] = [values([x, y]), values([left, right])];
            let both = [meaning::binary(op, a, b), meaning::binary(other, c, d)];
            assert_ne!(both[0].bool(), both[1].bool(), "{op:?} {other:?}");
        }
    }
}
