//! Which loops are there twice, under which condition, and that the copies do the same.

use super::guards::{Side, is_whole};
use super::whole_tiles;
use crate::ir::{Lowered, read};

/// What stands in each of 4 blocks `b` afterwards, for 32 threads.
fn block(body: &str) -> String {
    let text = format!(
        "kernel k {{ parameter 0 n: u32 parameter 1 x: u32[n] input parameter 2 out: u32[n] inout distribute Block b < 4_u32 {{ {body} }} }}"
    );
    let kernel = read::<Lowered>(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let printed = whole_tiles(kernel, 32).to_string();
    let (_, inside) = printed
        .split_once("distribute Block b < 4_u32 {\n")
        .unwrap();
    let inside = inside.trim_end().strip_suffix("}\n}").unwrap();
    let lines: Vec<&str> = inside.lines().map(str::trim).collect();
    lines.join("\n").trim().to_owned()
}

#[test]
fn a_whole_tile_is_not_compared_with_a_bound() {
    let text = "forall Block i < 256_u32 { let j = ((b *' 256_u32) +' i) if (j < n) { store out[j] = x[j] } }";
    assert_eq!(
        block(text),
        "if (((b * 256_u32) < n) & (255_u32 < (n - (b * 256_u32)))) {\n\
         forall Block i < 256_u32 {\n\
         let j = ((b *' 256_u32) +' i)\n\
         store out[j] = x[j]\n}\n\
         } else {\n\
         forall Block i < 256_u32 rolled {\n\
         let j = ((b *' 256_u32) +' i)\n\
         if (j < n) {\n\
         store out[j] = x[j]\n}\n}\n}"
    );
}

#[test]
fn a_multiple_of_the_range_adds_nothing_to_an_index() {
    // 65,536 times 65,536 is 0 in 32 bits, whatever it is taken of.
    let nothing = "(((i * i) * 65536_u32) * 65536_u32)";
    let text = block(&format!(
        "forall Block i < 256_u32 {{ let j = (((b *' 256_u32) + i) + {nothing}) if (j < n) {{ store out[j] = x[j] }} }}"
    ));
    let whole = "if (((b * 256_u32) < n) & (255_u32 < (n - (b * 256_u32)))) {";
    assert!(text.starts_with(whole), "{text}");
}

#[test]
fn what_is_seldom_compared_is_there_once() {
    for body in [
        // Two rounds of 32 threads.
        "forall Block i < 64_u32 { let j = ((b *' 64_u32) +' i) if (j < n) { store out[j] = x[j] } }",
        // The bound depends on the iteration.
        "forall Block i < 256_u32 { if (i < x[i]) { store out[((b *' 256_u32) +' i)] = i } }",
        "forall Block i < 256_u32 { let m = (n / (i + 1_u32)) if (i < m) { store out[((b *' 256_u32) +' i)] = i } }",
        // A name stands for either of two indices.
        "forall Block i < 256_u32 { if (b < 2_u32) { let j = ((b *' 256_u32) +' i) if (j < n) { store out[j] = 1_u32 } } else { let j = (i * i) if (j < n) { store out[j] = 2_u32 } } }",
        // A product is no multiple.
        "forall Block i < 256_u32 { let j = (i * i) if (j < n) { store out[j] = x[j] } }",
        // A number is compared with a number.
        "forall Block i < 256_u32 { if (i < 200_u32) { store out[i] = x[i] } }",
        // Nobody knows how many there are.
        "forall Block i < n { let j = (b +' i) if (j < n) { store out[j] = x[j] } }",
    ] {
        let text = block(body);
        assert_eq!(text.matches("forall").count(), 1, "{text}");
        assert!(!text.contains("rolled"), "{text}");
    }
}

#[test]
fn in_one_round_only_what_compares_is_there_twice() {
    let text = "allocate a: u32[8_u32] held forall Block i < 32_u32 { for sequential Thread k in 0_u32 .. 8_u32 step 1_u32 { let j = (((b *' 256_u32) +' (i *' 8_u32)) +' k) store a[k] = select((j < n), x[j], 0_u32) } store out[((b *' 32_u32) +' i)] = a[3_u32] }";
    let text = block(&text.replace(
        "allocate a: u32[8_u32] held forall Block i < 32_u32 {",
        "forall Block i < 32_u32 { allocate a: u32[8_u32] held",
    ));
    assert_eq!(
        text,
        "forall Block i < 32_u32 {\n\
         allocate a: u32[8_u32] held\n\
         if (((b * 256_u32) < n) & (255_u32 < (n - (b * 256_u32)))) {\n\
         for sequential Thread k in 0_u32 .. 8_u32 step 1_u32 {\n\
         let j = (((b *' 256_u32) +' (i *' 8_u32)) +' k)\n\
         store a[k] = x[j]\n}\n\
         } else {\n\
         for sequential Thread k in 0_u32 .. 8_u32 step 1_u32 {\n\
         let j = (((b *' 256_u32) +' (i *' 8_u32)) +' k)\n\
         store a[k] = select((j < n), x[j], 0_u32)\n}\n}\n\
         store out[((b *' 32_u32) +' i)] = a[3_u32]\n}"
    );
}

#[test]
fn a_clamp_in_a_whole_tile_is_the_index() {
    let text = "forall Block i < 256_u32 { let j = ((b *' 256_u32) +' i) let k = min(j, (n -' 1_u32)) if (j < n) { store out[j] = x[k] } }";
    let text = block(text);
    // One question: what is below `n` is at most `n - 1`.
    let (condition, rest) = text.split_once(" {\n").unwrap();
    assert_eq!(
        condition,
        "if (((b * 256_u32) < n) & (255_u32 < (n - (b * 256_u32))))"
    );
    let (whole, ragged) = rest.split_once("} else {").unwrap();
    assert!(!whole.contains("min") && !whole.contains("if"), "{whole}");
    assert!(whole.contains("let k = j"), "{whole}");
    assert!(ragged.contains("min(j, (n -' 1_u32))"), "{ragged}");
    // From below, by the larger one of both.
    let text =
        "forall Block i < 256_u32 { let j = max(((b *' 256_u32) +' i), n) store out[i] = x[j] }";
    let text = block(text);
    assert!(
        text.starts_with("if ((n <= (b * 256_u32)) & ((b * 256_u32) <= 4294967040_u32)) {"),
        "{text}"
    );
    assert!(text.contains("let j = ((b *' 256_u32) +' i)\n"), "{text}");
}

#[test]
fn rows_and_columns_of_a_counter_are_in_a_tile() {
    let (row, column) = ("((b *' 32_u32) +' (i / 32_u32))", "(i % 32_u32)");
    let text = block(&format!(
        "forall Block i < 1024_u32 {{ let y = {row} let z = {column} if ((y < n) & ((z +' (b *' 32_u32)) < x[0_u32])) {{ store out[i] = x[min(y, (n -' 1_u32))] }} }}"
    ));
    // What is loaded in the loop is no bound of a tile; the rows are.
    let whole = "if (((b * 32_u32) < n) & (31_u32 < (n - (b * 32_u32)))) {";
    assert!(text.starts_with(whole), "{text}");
    let text = block(&format!(
        "forall Block i < 1000_u32 {{ let y = {row} let z = (({column} / 4_u32) +' n) if ((y < n) & (z < b)) {{ store out[y] = z }} }}"
    ));
    // The columns are 0 to 31, so their quarters are 0 to 7; the last row is 31.
    let whole = "if (((n < b) & (7_u32 < (b - n))) & (((b * 32_u32) < n) & (31_u32 < (n - (b * 32_u32))))) {";
    assert!(text.starts_with(whole), "{text}");
}

#[test]
fn an_array_is_allocated_once() {
    // Two rounds: the loop of threads would be there twice, and the array with it.
    let text = "forall Block i < 64_u32 { allocate a: u32[8_u32] held for sequential Thread k in 0_u32 .. 8_u32 step 1_u32 { let j = (((b *' 512_u32) +' (i *' 8_u32)) +' k) store a[k] = select((j < n), x[j], 0_u32) } store out[((b *' 64_u32) +' i)] = a[3_u32] }";
    let text = block(text);
    assert_eq!(text.matches("allocate").count(), 1, "{text}");
    assert_eq!(text.matches("for sequential").count(), 2, "{text}");
    // Nothing else makes the comparisons: they stay.
    let text = "forall Block i < 256_u32 { let j = ((b *' 256_u32) +' i) if (j < n) { allocate a: u32[1_u32] held store a[0_u32] = x[j] store out[j] = a[0_u32] } }";
    assert_eq!(block(text).matches("forall").count(), 1);
}

#[test]
fn neighbours_on_both_sides_are_one_tile() {
    let text = "forall Block i < 256_u32 { let j = ((b *' 256_u32) +' i) let l = select((j >= 1_u32), x[(j - 1_u32)], 0_u32) let r = select(((j + 1_u32) < n), x[(j + 1_u32)], 0_u32) store out[j] = (l + r) }";
    let text = block(text);
    let (condition, rest) = text.split_once(" {\n").unwrap();
    // From block 1 on there is a neighbour to the left; to the right there is one below `n`.
    assert_eq!(
        condition,
        "if (((((b * 256_u32) + 1_u32) < n) & (255_u32 < (n - ((b * 256_u32) + 1_u32)))) & ((1_u32 <= (b * 256_u32)) & ((b * 256_u32) <= 4294967040_u32)))"
    );
    let (whole, _) = rest.split_once("} else {").unwrap();
    assert!(!whole.contains("select"), "{whole}");
}

#[test]
fn a_tile_is_whole_if_all_comparisons_hold() {
    let edges = [
        0,
        1,
        2,
        255,
        256,
        1 << 31,
        (1 << 31) + 7,
        u32::MAX - 256,
        u32::MAX - 1,
        u32::MAX,
    ];
    let (mut whole, mut not) = (0, 0);
    for first in edges {
        for bound in edges {
            for (low, high) in [
                (0, 0),
                (0, 1),
                (0, 255),
                (-1, 256),
                (-300, -7),
                (7, 1 << 20),
            ] {
                for side in [Side::Below, Side::UpTo, Side::Above, Side::From] {
                    let holds = is_whole(first, bound, (low, high), side);
                    let index = |k: i64| (i64::from(first) + k).rem_euclid(1 << 32) as u32;
                    let compared = |k: i64| match side {
                        Side::Below => index(k) < bound,
                        Side::UpTo => index(k) <= bound,
                        Side::Above => index(k) > bound,
                        Side::From => index(k) >= bound,
                    };
                    // What lies between two ends that are in order and have not wrapped holds too.
                    let straight = u64::from(index(low)) + (high - low) as u64 <= u32::MAX.into();
                    let expected = straight && compared(low) && compared(high);
                    assert_eq!(holds, expected, "{first} {bound} {low}..={high} {side:?}");
                    match holds {
                        true => whole += 1,
                        false => not += 1,
                    }
                }
            }
        }
    }
    assert!(whole > 100 && not > 100, "{whole} {not}");
}
