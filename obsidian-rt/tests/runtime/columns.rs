//! Kernels by columns give the bits of the simulator: control flow that differs by lane, lists of
//! lanes that are no whole strips, every element type, arrays in place, and indices outside.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use obsidian_core::ir::{Levelled, read};
use obsidian_core::pipeline::{Options, compile};
use obsidian_core::scalar::{Literal, Scalar};
use obsidian_rt::generated::launch;
use obsidian_rt::{Buffer, Device, Element, ErrorKind, Kernel, Result};

/// A kernel of a levelled text, for 32 threads.
fn planned(text: &str) -> Kernel {
    let kernel = read::<Levelled>(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let options = Options {
        threads: 32,
        check: false,
        ..Options::default()
    };
    let plan = compile(kernel, &options).unwrap_or_else(|wrong| panic!("{wrong}: {text}"));
    Kernel::from_plan(plan).unwrap()
}

/// What a launch leaves in an array that is read and written, for the elements of an input.
fn left<T: Element, U: Element>(
    kernel: &Kernel,
    device: &Device,
    input: &[T],
    output: &[U],
) -> Result<Vec<Literal>> {
    let input: Buffer<T> = device.upload(input)?;
    let mut output: Buffer<U> = device.upload(output)?;
    launch(
        kernel,
        device,
        &mut [input.argument(), output.argument_mut()],
    )?;
    Ok(output.to_vec()?.into_iter().map(Scalar::literal).collect())
}

/// Holds that both devices leave the same.
#[track_caller]
fn agree<T: Element, U: Element>(text: &str, input: &[T], output: &[U]) -> Vec<Literal> {
    let kernel = planned(text);
    let expected = left(&kernel, &Device::simulator(), input, output).unwrap();
    for device in [
        Device::cpu(),
        Device::cpu().with_blocks(1),
        Device::cpu().with_blocks(3),
    ] {
        let found = left(&kernel, &device, input, output).unwrap();
        let first = (0..found.len()).find(|n| found[*n] != expected[*n]);
        assert_eq!(first, None, "{:?}", first.map(|n| (found[n], expected[n])));
        assert_eq!(found.len(), expected.len());
    }
    expected
}

/// A kernel that does something for each of `lanes` lanes of each of `blocks` blocks, at element `at`.
fn of_lanes(ty: &str, blocks: u32, lanes: u32, body: &str) -> String {
    format!(
        "kernel k {{ parameter 0 x: {ty}[length(x)] input parameter 1 out: {ty}[length(out)] inout \
         distribute Block b < {blocks}_u32 {{ forall Block i < {lanes}_u32 {{ \
         let at = ((b *' {lanes}_u32) +' i) {body} }} }} }}"
    )
}

fn numbers(n: u32) -> Vec<u32> {
    (0..n)
        .map(|i| i.wrapping_mul(2_654_435_761) >> 20)
        .collect()
}

/// Lanes that fill strips and that do not: of a few, of primes, and of more than any strip has.
const SHAPES: [(u32, u32); 9] = [
    (1, 1),
    (3, 2),
    (2, 31),
    (5, 255),
    (2, 256),
    (3, 257),
    (1, 1021),
    (2, 1025),
    (1, 4099),
];

#[track_caller]
fn on_all_shapes(body: &str) {
    for (blocks, lanes) in SHAPES {
        let n = blocks * lanes;
        agree(
            &of_lanes("u32", blocks, lanes, body),
            &numbers(n),
            &vec![7u32; n as usize],
        );
    }
}

#[test]
fn loops_in_loops_that_lanes_leave_at_different_times() {
    on_all_shapes(
        "cell s = 0_u32 let n = (x[at] % 7_u32) \
         for sequential Thread j in 0_u32 .. n step 1_u32 { \
           for sequential Thread k in 0_u32 .. (j + 3_u32) step 1_u32 { \
             get t = s assign s = ((t * 3_u32) + (k ^ x[at])) \
             if (((k + j) % 5_u32) == 4_u32) { break } \
             get u = s if ((u % 11_u32) == 3_u32) { assign s = (u + 1_u32) break } else { \
               if ((u % 13_u32) == 5_u32) { assign s = (u ^ 77_u32) } } \
             get v = s assign s = (v + 5_u32) } \
           get w = s if ((w % 17_u32) == 2_u32) { break } } \
         get r = s store out[at] = r",
    );
}

#[test]
fn a_while_whose_head_and_body_leave() {
    on_all_shapes(
        "cell n = x[at] cell c = 0_u32 \
         while { get a = n get d = c if (d == 40_u32) { break } assign c = (d + 1_u32) } holds (a != 1_u32) { \
           let odd = ((a & 1_u32) == 1_u32) \
           if odd { assign n = ((a * 3_u32) + 1_u32) } else { assign n = (a >> 1_u32) \
             if ((a % 37_u32) == 36_u32) { assign c = (d + 1000_u32) break } } } \
         get r = c get m = n store out[at] = (r ^ m)",
    );
}

#[test]
fn a_break_under_a_condition_that_all_lanes_share() {
    on_all_shapes(
        "cell s = x[at] \
         for sequential Thread j in 0_u32 .. 9_u32 step 1_u32 { \
           get t = s assign s = ((t * 5_u32) + j) \
           if (j == 6_u32) { break } \
           if ((t % 3_u32) == 0_u32) { if (j == 4_u32) { break } assign s = (t + 9_u32) } } \
         get r = s store out[at] = r",
    );
}

#[test]
fn a_load_in_an_arm_is_made_for_the_lanes_that_choose_it() {
    // The other lanes would be outside.
    on_all_shapes(
        "let first = (at == 0_u32) let m = length(x) \
         let before = select((at > 0_u32), x[(at - 1_u32)], 99_u32) \
         let inner = select(((x[at] % 2_u32) == 0_u32), select((x[at] < m), x[x[at]], x[0_u32]), \
           select((at < (m - 1_u32)), (x[(at + 1_u32)] * 3_u32), x[(at / 2_u32)])) \
         let alone = select((at == (m - 1_u32)), x[at], 5_u32) \
         store out[at] = ((before + inner) ^ (alone * 7_u32))",
    );
}

#[test]
fn a_shared_load_in_an_arm_that_no_lane_chooses_is_not_made() {
    on_all_shapes(
        "let never = (x[at] > 100000_u32) \
         store out[at] = (select(never, x[(length(x) + 5_u32)], 1_u32) + \
           select((b > 100_u32), x[(length(x) + b)], x[0_u32]))",
    );
}

#[test]
fn arrays_of_lanes_at_any_index() {
    on_all_shapes(
        "allocate h: u32[5_u32] held \
         for sequential Thread j in 0_u32 .. 5_u32 step 1_u32 { store h[j] = (x[at] + j) } \
         let k = (x[at] % 5_u32) \
         if ((x[at] % 3_u32) == 1_u32) { store h[2_u32] = 1000_u32 store h[k] = at } \
         read a = h[k] read c = h[((k + 2_u32) % 5_u32)] read d = h[2_u32] \
         store out[at] = ((a * 31_u32) + (c ^ d))",
    );
}

#[test]
fn cells_keep_what_names_of_their_values_have() {
    on_all_shapes(
        "cell p = x[at] cell q = 1_u32 \
         for sequential Thread j in 0_u32 .. 6_u32 step 1_u32 { \
           get a = p get c = q assign p = (c + j) assign q = (a * 3_u32) \
           get d = p let e = d assign p = (d ^ a) get f = p assign q = ((e + f) + c) } \
         get a = p get c = q assign p = c get d = p assign q = (a + d) get e = q \
         store out[at] = ((a ^ (c * 3_u32)) + (d ^ (e * 5_u32)))",
    );
}

#[test]
fn what_an_atomic_operation_gives_is_the_old_value() {
    // Each lane has its own element, so the order does not matter.
    for op in [
        "add", "sub", "min", "max", "and", "or", "xor", "exchange", "inc", "dec",
    ] {
        on_all_shapes(&format!(
            "if ((x[at] % 4_u32) != 0_u32) {{ atomic old = {op} out[at] (x[at]) \
             atomic again = {op} out[at] ((old + 3_u32)) \
             store out[at] = ((old * 3_u32) ^ again) }}"
        ));
    }
    on_all_shapes(
        "atomic a = compare_exchange out[at] (7_u32, x[at]) \
         atomic c = compare_exchange out[at] (8_u32, 1_u32) \
         store out[at] = ((a * 5_u32) + c)",
    );
}

#[test]
fn atomic_sums_of_all_blocks_and_lanes() {
    for (blocks, lanes) in SHAPES {
        let text = of_lanes(
            "u32",
            blocks,
            lanes,
            "atomic add out[(x[at] % 5_u32)] (x[at]) atomic max out[5_u32] (x[at])",
        );
        agree(&text, &numbers(blocks * lanes), &[1u32; 6]);
    }
}

#[test]
fn stored_arrays_of_blocks_and_of_warps() {
    let text = "kernel k { parameter 0 x: u32[length(x)] input parameter 1 out: u32[length(out)] inout \
        distribute Block b < (length(x) / 96_u32) { \
          allocate s: u32[96_u32] shared \
          forall Block i < 96_u32 { store s[i] = (x[((b *' 96_u32) +' i)] + 1_u32) } \
          wait Block \
          for sequential Block r in 0_u32 .. 3_u32 step 1_u32 { \
            allocate t: u32[96_u32] shared \
            forall Block i < 96_u32 { store t[i] = (s[((i + (r * 7_u32)) % 96_u32)] ^ i) } \
            wait Block \
            distribute Warp w < 3_u32 { \
              allocate u: u32[32_u32] shared \
              forall Warp l < 32_u32 { store u[(31_u32 - l)] = t[((w *' 32_u32) +' l)] } \
              wait Warp \
              forall Warp l < 32_u32 { let at = ((b *' 96_u32) +' ((w *' 32_u32) +' l)) \
                read old = out[at] store out[at] = ((old * 3_u32) + u[l]) } \
              wait Warp } \
            wait Block } } }";
    for pieces in [0, 1, 2, 7, 101] {
        let n = pieces * 96;
        agree(text, &numbers(n), &numbers(n));
    }
}

#[test]
fn strides_and_products_of_indices() {
    on_all_shapes(
        "let n = length(x) let back = ((n - 1_u32) - at) \
         let every = ((at * 3_u32) % n) let wrapped = ((at - 5_u32) + 5_u32) \
         let shifted = (((at << 1_u32) >> 1_u32) + 0_u32) \
         let twice = ((at + at) - at) \
         store out[wrapped] = (((x[back] + x[every]) ^ x[shifted]) + (x[twice] * 3_u32))",
    );
}

/// Every operator that a type of elements has where all operands are of it.
fn of_type<T: Element>(values: Vec<T>) {
    let name = T::TYPE.name();
    let body = match name {
        "bool" => "let a = x[at] let y = x[((at + 1_u32) % length(x))] \
            store out[at] = ((a & y) | ((! a) ^ (a == y)))"
            .to_owned(),
        _ => "let a = x[at] let y = x[((at + 1_u32) % length(x))] \
            cell c = (a + y) if (a < y) { get d = c assign c = (d * a) } else { get d = c assign c = (d - max(a, y)) } \
            get e = c store out[at] = (e + select((a >= y), (min(a, y) / y), (a % y)))"
            .to_owned(),
    };
    for (blocks, lanes) in [(1, 1), (3, 7), (2, 300), (1, 1100)] {
        let n = (blocks * lanes) as usize;
        let input: Vec<T> = values.iter().copied().cycle().take(n).collect();
        agree(
            &of_lanes(name, blocks, lanes, &body),
            &input,
            &vec![T::default(); n],
        );
    }
}

#[test]
fn every_element_type() {
    of_type(vec![true, false, false, true, true]);
    of_type(vec![0u8, 1, 200, 255, 3, 128, 77]);
    of_type(vec![0u16, 1, 60_000, 65_535, 3, 32_768, 77]);
    of_type(vec![0u32, 1, u32::MAX, 1 << 31, 3, 77, 1000]);
    of_type(vec![0u64, 1, u64::MAX, 1 << 63, 3, 77, 1 << 40]);
    of_type(vec![0i8, 1, -1, i8::MIN, i8::MAX, 5, -7]);
    of_type(vec![0i16, 1, -1, i16::MIN, i16::MAX, 5, -7]);
    of_type(vec![0i32, 1, -1, i32::MIN, i32::MAX, 5, -7]);
    of_type(vec![0i64, 1, -1, i64::MIN, i64::MAX, 5, -7]);
    of_type(vec![0.5f32, -0.0, 3.25, 1e30, -7.5, 1e-40, 2.0]);
    of_type(vec![0.5f64, -0.0, 3.25, 1e300, -7.5, 1e-310, 2.0]);
}

#[test]
fn an_index_outside_is_an_error_and_no_panic() {
    let trusted = of_lanes("u32", 2, 40, "store out[at] = x[unchecked((at * 2_u32))]");
    let wrong = of_lanes("u32", 2, 40, "store out[((at * 3_u32) % 200_u32)] = x[at]");
    let held = of_lanes(
        "u32",
        2,
        40,
        "allocate h: u32[4_u32] held for sequential Thread j in 0_u32 .. 4_u32 step 1_u32 { store h[j] = j } \
         read a = h[(at / 10_u32)] store out[at] = a",
    );
    let cases = [
        (trusted, ErrorKind::Fault, "`x`, which has length 80"),
        (wrong, ErrorKind::Internal, "`out`, which has length 80"),
        (held, ErrorKind::Internal, "`h`, which has length 4"),
    ];
    for (text, kind, words) in cases {
        let kernel = planned(&text);
        for device in [Device::cpu(), Device::cpu().with_blocks(1)] {
            let error = left(&kernel, &device, &numbers(80), &numbers(80)).unwrap_err();
            assert_eq!(error.kind(), kind, "{error}");
            assert!(error.to_string().contains(words), "{error}");
        }
        // The device works afterwards.
        agree(
            &of_lanes("u32", 2, 40, "store out[at] = x[at]"),
            &numbers(80),
            &numbers(80),
        );
    }
}

#[test]
fn launches_at_the_same_time_do_not_meet() {
    let text = of_lanes("u32", 40, 100, "store out[at] = ((x[at] * 3_u32) + b)");
    let kernel = planned(&text);
    let device = Device::cpu();
    std::thread::scope(|scope| {
        for seed in 0..4u32 {
            let (kernel, device) = (&kernel, &device);
            scope.spawn(move || {
                for round in 0..20 {
                    let input: Vec<u32> = (0..4000).map(|i| i * seed + round).collect();
                    let found = left(kernel, device, &input, &vec![0u32; 4000]).unwrap();
                    for (i, value) in found.iter().enumerate() {
                        assert_eq!(value.u32(), input[i] * 3 + i as u32 / 100);
                    }
                }
            });
        }
    });
}
