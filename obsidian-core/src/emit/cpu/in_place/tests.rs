//! Which copies go, and which stay.

use super::in_place;
use crate::ir::{Lowered, read, validate};

const COPY: &str =
    "allocate b: f32[32_u32] shared forall Block c < 32_u32 { read old = a[c] store b[c] = old }";

/// The block of a kernel without needless copies; nothing if all are needed. Its array `a` is begun, and stored at last.
fn without_copies(body: &str) -> Option<String> {
    let text = format!(
        "kernel k {{ parameter 0 n: u32 parameter 1 x: f32[n] input parameter 2 out: f32[n] inout \
         distribute Block g < 4_u32 {{ allocate a: f32[32_u32] shared forall Block z < 32_u32 {{ store a[z] = 0.0_f32 }} \
         {body} forall Block l < 32_u32 {{ read last = a[l] store out[l] = last }} }} }}"
    );
    let kernel = read::<Lowered>(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let before = kernel.to_string();
    let kernel = in_place(kernel);
    validate(&kernel).unwrap_or_else(|v| panic!("{v}\n{kernel}"));
    let text = kernel.to_string();
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    (text != before).then(|| lines.join("\n"))
}

/// The block without the copy; fails if it stays.
fn gone(body: &str) -> String {
    let text = without_copies(body).unwrap_or_default();
    assert!(
        !text.is_empty() && !text.contains("allocate b"),
        "{body}\n{text}"
    );
    text
}

/// Fails if the copy goes.
fn stays(body: &str) {
    let text = without_copies(body).unwrap_or_else(|| "allocate b".to_owned());
    assert!(text.contains("allocate b"), "{body}\n{text}");
}

#[test]
fn lanes_change_their_own_elements_in_place() {
    let text = gone(&format!(
        "{COPY} forall Block i < 32_u32 {{ store a[i] = (b[i] + x[i]) }}"
    ));
    assert!(text.contains("store a[i] = (v0 + x[i])"), "{text}");
    // In rounds, by some of the lanes, in one of two ways, and by a name.
    gone(&format!(
        "for sequential Block k in 0_u32 .. n step 1_u32 {{ {COPY} forall Block i < 32_u32 {{ store a[i] = (b[i] + x[k]) }} }}"
    ));
    gone(&format!(
        "{COPY} if (0_u32 < n) {{ forall Block i < 8_u32 {{ store a[i] = (b[i] + 1.0_f32) }} }} \
         else {{ forall Block i < 32_u32 {{ read v = b[i] store a[i] = (v + v) }} }}"
    ));
    // Each lane reads before it stores, wherever its values were used.
    let text = gone(&format!(
        "{COPY} forall Block i < 32_u32 {{ store a[i] = x[i] store out[i] = b[i] }}"
    ));
    assert!(
        text.contains("read v0 = a[i]\nstore a[i] = x[i]\nstore out[i] = v0"),
        "{text}"
    );
}

#[test]
fn copies_stay_where_old_elements_are_read_after_new_ones_are_stored() {
    let own = "forall Block i < 32_u32 { store a[i] = (b[i] + x[i]) }";
    // Another lane's element, which that lane may have changed.
    stays(&format!(
        "{COPY} forall Block i < 32_u32 {{ store a[i] = b[(31_u32 -' i)] }}"
    ));
    stays(&format!(
        "{COPY} forall Block i < 31_u32 {{ store a[(i +' 1_u32)] = b[i] }}"
    ));
    // Twice: the second time the old elements are not there any more.
    stays(&format!("{COPY} {own} {own}"));
    stays(&format!(
        "{COPY} for sequential Block k in 0_u32 .. n step 1_u32 {{ {own} }}"
    ));
    stays(&format!(
        "{COPY} if (0_u32 < n) {{ {own} }} else {{ }} {own}"
    ));
    stays(&format!(
        "{COPY} forall Block i < 32_u32 {{ store a[i] = 0.0_f32 }} forall Block i < 32_u32 {{ store out[i] = b[i] }}"
    ));
    // More lanes than elements.
    stays(&format!(
        "{COPY} forall Block i < 64_u32 {{ store a[i] = select((i < 32_u32), b[i], 1.0_f32) }}"
    ));
    // What changes the copy needs it, if the array is read at last.
    stays(&format!(
        "{COPY} forall Block i < 32_u32 {{ store b[i] = x[i] }}"
    ));
}

/// The body of a `while` sees what its head begins.
#[test]
fn copies_of_the_head_of_a_loop_stay() {
    let begun = "allocate d: f32[32_u32] shared forall Block y < 32_u32 { store d[y] = x[y] }";
    let copy = "allocate b: f32[32_u32] shared forall Block c < 32_u32 { store b[c] = d[c] }";
    let change = "forall Block i < 32_u32 { store b[i] = (b[i] + 1.0_f32) }";
    let seen =
        "forall Block s < 32_u32 { read now = d[s] read own = b[s] store out[s] = (now + own) }";
    stays(&format!(
        "while {{ {begun} {copy} {change} }} holds (0_u32 < n) {{ {seen} }}"
    ));
}

#[test]
fn a_copy_that_is_copied_back_is_the_array() {
    let back = "forall Block d < 32_u32 { store a[d] = b[d] }";
    let change = "forall Block i < 31_u32 { store b[i] = (b[(i +' 1_u32)] + x[i]) }";
    let text = gone(&format!(
        "if (0_u32 < n) {{ {COPY} {change} {back} }} else {{ }}"
    ));
    assert!(
        text.contains("store a[i] = (a[(i +' 1_u32)] + x[i])"),
        "{text}"
    );
    // Not if the array is seen in between, or something is done behind it.
    let seen = "forall Block s < 32_u32 { read now = a[s] store out[s] = now }";
    stays(&format!(
        "if (0_u32 < n) {{ {COPY} {change} {seen} {back} }} else {{ }}"
    ));
    stays(&format!(
        "if (0_u32 < n) {{ {COPY} {change} {back} {change} {seen} }} else {{ }}"
    ));
}

#[test]
fn the_last_copy_is_the_array() {
    let copy = "allocate b: f32[32_u32] shared forall Block c < 32_u32 { store b[c] = d[c] }";
    let begun = "allocate d: f32[32_u32] shared forall Block y < 32_u32 { store d[y] = x[y] }";
    let change = "forall Block i < 16_u32 { read v = b[(i *' 2_u32)] store b[i] = v }";
    let seen = "forall Block s < 32_u32 { read now = b[s] store out[s] = now }";
    let text = gone(&format!("{begun} {copy} {change} {seen}"));
    assert!(text.contains("= d[(i *' 2_u32)]"), "{text}");
    // Not if the array is read later: here, or in the next round.
    let other = "forall Block o < 32_u32 { read now = d[o] store out[o] = now }";
    stays(&format!("{begun} {copy} {change} {other}"));
    stays(&format!(
        "{begun} for sequential Block k in 0_u32 .. n step 1_u32 {{ {copy} {change} {seen} }}"
    ));
}

#[test]
fn lanes_that_store_what_they_read_are_left_out() {
    let text = gone(&format!(
        "{COPY} forall Block i < 32_u32 {{ let v = b[i] store a[i] = select((i < n), (v + x[i]), v) }}"
    ));
    assert!(
        text.contains("< min(n, 32_u32)") && !text.contains("select"),
        "{text}"
    );
    // Not where other lanes store something else, or the bound is the lane's own.
    for value in [
        "select((i < n), (b[i] + x[i]), 1.0_f32)",
        "select((n < i), (b[i] + x[i]), b[i])",
        "select((i < (i + n)), (b[i] + x[i]), b[i])",
    ] {
        let text = gone(&format!(
            "{COPY} forall Block i < 32_u32 {{ store a[i] = {value} }}"
        ));
        assert!(text.contains("select"), "{text}");
    }
}
