//! Kernels at random, of which the verdict is that of following each thread.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::{beside, wrong};

/// An index of a counter `i` and numbers below a bound, as text and as a function.
fn random_index(random: &mut StdRng, depth: u32) -> (String, Box<dyn Fn(u32) -> u32>) {
    if depth == 0 || random.random_range(0..4) == 0 {
        return if random.random_bool(0.7) {
            ("i".to_owned(), Box::new(|i| i))
        } else {
            let n = random.random_range(0..20);
            (format!("{n}_u32"), Box::new(move |_| n))
        };
    }
    let ((x, f), (y, g)) = (
        random_index(random, depth - 1),
        random_index(random, depth - 1),
    );
    let n = random.random_range(1..18u32);
    match random.random_range(0..10) {
        0 => (
            format!("({x} + {y})"),
            Box::new(move |i| f(i).wrapping_add(g(i))),
        ),
        1 => (
            format!("({x} - {y})"),
            Box::new(move |i| f(i).wrapping_sub(g(i))),
        ),
        2 => (
            format!("({x} * {n}_u32)"),
            Box::new(move |i| f(i).wrapping_mul(n)),
        ),
        3 => (format!("({x} / {n}_u32)"), Box::new(move |i| f(i) / n)),
        4 => (format!("({x} % {n}_u32)"), Box::new(move |i| f(i) % n)),
        5 => (format!("({x} ^ {y})"), Box::new(move |i| f(i) ^ g(i))),
        6 => (format!("({x} & {n}_u32)"), Box::new(move |i| f(i) & n)),
        7 => (format!("min({x}, {y})"), Box::new(move |i| f(i).min(g(i)))),
        8 => (format!("({x} | {y})"), Box::new(move |i| f(i) | g(i))),
        _ => (
            format!("select(({x} < {n}_u32), {y}, i)"),
            Box::new(move |i| if f(i) < n { g(i) } else { i }),
        ),
    }
}

#[test]
fn the_verdict_is_that_of_brute_force() {
    let (mut right, mut races) = (0, 0);
    for seed in 0..800 {
        let mut random = StdRng::seed_from_u64(seed);
        let (count, length) = (
            [1, 2, 5, 8, 16, 31][random.random_range(0..6)],
            [1, 2, 5, 8, 16, 31][random.random_range(0..6)],
        );
        let (index, f) = random_index(&mut random, 3);
        // Coverage and range of what four blocks write, each its own piece.
        let found = wrong(
            &format!("{}_u32", 4 * length),
            &format!(
                "forall Block i < {count}_u32 {{ store out[((b *' {length}_u32) +' {index})] = 1_u32 }}"
            ),
        );
        let mut times = vec![0; 4 * length as usize];
        let mut inside = true;
        for b in 0..4u32 {
            for i in 0..count {
                let at = (b * length).wrapping_add(f(i));
                times
                    .get_mut(at as usize)
                    .map_or_else(|| inside = false, |n| *n += 1);
            }
        }
        let once = inside && times.iter().all(|n| *n == 1);
        right += u32::from(once);
        assert_eq!(
            found.is_empty(),
            once,
            "seed {seed}: {index} of {count}, {length}: {found:?}"
        );
        if !found.is_empty() {
            let id = if !inside {
                "outside-when-run"
            } else if times.iter().any(|n| *n > 1) {
                "written-twice"
            } else {
                "never-written"
            };
            assert_eq!(found, [id], "seed {seed}: {index} of {count}, {length}");
        }
        // Races of what one loop over threads writes.
        let body = format!(
            "allocate s: u32[64_u32] shared forall Block i < {count}_u32 {{ read v = s[i] store s[({index} % 64_u32)] = v }}"
        );
        let apart = (0..count)
            .all(|i| (0..count).all(|j| i == j || (f(i) % 64 != f(j) % 64 && f(i) % 64 != j)));
        races += u32::from(!apart);
        assert_eq!(
            beside(&body),
            if apart { vec![] } else { vec!["race"] },
            "seed {seed}: {index} of {count}"
        );
    }
    println!("seeds 0 to 799: {right} right, {races} with races");
    assert!(
        right > 20 && races > 300,
        "{right} right, {races} with races"
    );
}
