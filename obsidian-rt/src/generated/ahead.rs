//! Memory that a loop comes to soon.

/// How far behind the first element of a row the one is that is fetched in advance, in bytes.
///
/// Between distances that were measured on one thread of an AMD EPYC, of 64 MB: 16 KB was best for folds of 256 lanes (4 KB took a third more time), 8 KB for
/// products with 4 rows of a matrix.
const DISTANCE: usize = 12 << 10;

/// The bytes that the processor fetches at once.
const LINE: usize = 64;

/// Asks the processor for what lies as far behind a row as the loop comes to in some rounds. It changes nothing but time.
#[inline(always)]
pub fn ahead<T>(row: &[T]) {
    #[cfg(target_arch = "x86_64")]
    for line in (0..size_of_val(row)).step_by(LINE) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let place = row.as_ptr().cast::<i8>().wrapping_add(DISTANCE + line);
        // SAFETY: an address that may not be read is no fault for this instruction, which all processors of x86-64 have.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(place) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (row, DISTANCE, LINE);
}

/// A number of lanes, which the compiler knows to be no larger, but not to be the same. So it makes vectors of a loop over them, where it
/// would write the loop out otherwise, and keep each element in a register of its own.
#[inline(always)]
pub fn lanes(n: u32) -> u32 {
    std::hint::black_box(n).min(n)
}
