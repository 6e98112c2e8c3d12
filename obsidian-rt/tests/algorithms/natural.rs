//! Calls as they are written, with operators that loop, on each device, beside plain Rust.

use obsidian_rt::Device;
use obsidian_rt::algorithms::{self, Edge};
use obsidian_rt::language::{EU32, Program, Thread, lit, seq_until};

fn devices() -> [Device; 4] {
    [
        Device::cpu(),
        Device::cpu().with_blocks(1),
        Device::cpu_by_columns(),
        Device::simulator(),
    ]
}

fn gcd_of(a: EU32, b: EU32) -> Program<Thread, EU32> {
    let step = |(a, b): (EU32, EU32)| (b, a % b);
    seq_until(step, |(_, b): (EU32, EU32)| b.gt(lit(0)), (a, b)).map(|(a, _)| a)
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn scanned(xs: &[u32], first: Option<u32>) -> Vec<u32> {
    let mut last = first;
    let each = xs.iter().map(|x| {
        let next = last.map_or(*x, |last| gcd(last, *x));
        last = Some(next);
        next
    });
    each.collect()
}

#[test]
fn operators_that_loop() {
    for d in devices() {
        for n in [1usize, 2, 31, 70, 300, 2500]
            .into_iter()
            .filter(|n| *n < 1000 || d.name() == "cpu")
        {
            let xs: Vec<u32> = (0..n as u32).map(|i| (i * 37 % 101 + 1) * 12).collect();
            let all = scanned(&xs, None);
            assert_eq!(algorithms::reduce(&d, &xs, gcd_of, 0).unwrap(), all[n - 1]);
            let scan = algorithms::inclusive_scan(&d, &xs, gcd_of).unwrap();
            assert_eq!(scan.to_vec().unwrap(), all, "{n}");
            let before = [0].into_iter().chain(all.clone()).take(n);
            let scan = algorithms::exclusive_scan(&d, &xs, gcd_of, 0).unwrap();
            assert_eq!(scan.to_vec().unwrap(), before.collect::<Vec<_>>(), "{n}");
            let flags: Vec<bool> = (0..n).map(|i| i % 7 == 3).collect();
            let keys: Vec<u32> = (0..n as u32).map(|i| (i + 4) / 7).collect();
            let runs: Vec<&[u32]> = xs
                .chunk_by({
                    let mut i = 0;
                    let flags = &flags;
                    move |_, _| {
                        i += 1;
                        !flags[i]
                    }
                })
                .collect();
            let want: Vec<u32> = runs.iter().flat_map(|run| scanned(run, None)).collect();
            let scan = algorithms::segmented_inclusive_scan(&d, &xs, &flags, gcd_of).unwrap();
            assert_eq!(scan.to_vec().unwrap(), want, "{n}");
            let scan = algorithms::inclusive_scan_by_key(&d, &keys, &xs, gcd_of).unwrap();
            assert_eq!(scan.to_vec().unwrap(), want, "{n}");
            let want: Vec<u32> = runs
                .iter()
                .map(|run| run.iter().copied().fold(0, gcd))
                .collect();
            let (_, sums) = algorithms::reduce_by_key(&d, &keys, &xs, gcd_of).unwrap();
            assert_eq!(sums.to_vec().unwrap(), want, "{n}");
            let mut offsets = vec![0u32];
            runs.iter()
                .for_each(|run| offsets.push(offsets[offsets.len() - 1] + run.len() as u32));
            let sums = algorithms::segmented_reduce(&d, &xs, &offsets, gcd_of, 0).unwrap();
            assert_eq!(sums.to_vec().unwrap(), want, "{n}");
            let behind = runs.iter().flat_map(|run| {
                let all = [24].into_iter().chain(scanned(run, Some(24)));
                all.take(run.len()).collect::<Vec<_>>()
            });
            let scan = algorithms::segmented_exclusive_scan(&d, &xs, &flags, gcd_of, 24).unwrap();
            assert_eq!(
                scan.to_vec().unwrap(),
                behind.clone().collect::<Vec<_>>(),
                "{n}"
            );
            let scan = algorithms::exclusive_scan_by_key(&d, &keys, &xs, gcd_of, 24).unwrap();
            assert_eq!(scan.to_vec().unwrap(), behind.collect::<Vec<_>>(), "{n}");
        }
    }
}

#[test]
fn calls_of_every_day() {
    let xs: Vec<u32> = (0..500u32).map(|i| i * 7919 % 257).collect();
    for d in devices() {
        let x = d.upload(&xs).unwrap();
        assert_eq!(algorithms::sum(&d, &x).unwrap(), xs.iter().sum::<u32>());
        assert_eq!(
            algorithms::count_if(&d, &x, |x| (x % 3).eq(0)).unwrap(),
            xs.iter().filter(|x| *x % 3 == 0).count()
        );
        let (even, odd) = algorithms::partition(&d, &x, |x| (x % 2).eq(0)).unwrap();
        let parts: (Vec<u32>, Vec<u32>) = xs.iter().partition(|x| *x % 2 == 0);
        assert_eq!((even.to_vec().unwrap(), odd.to_vec().unwrap()), parts);
        let kept = algorithms::copy_if(&d, &x, |x| x.gt(200))
            .unwrap()
            .to_vec()
            .unwrap();
        assert_eq!(
            kept,
            xs.iter().copied().filter(|x| *x > 200).collect::<Vec<_>>()
        );
        let halves = algorithms::map(&d, &x, |x| gcd_of(x, lit(12)))
            .unwrap()
            .to_vec()
            .unwrap();
        assert_eq!(halves, xs.iter().map(|x| gcd(*x, 12)).collect::<Vec<_>>());
        let pairs = algorithms::zip_map(&d, &x, &x, gcd_of)
            .unwrap()
            .to_vec()
            .unwrap();
        assert_eq!(pairs, xs);
        let (top, at) = algorithms::top_k(&d, &x, 5).unwrap();
        let at = at.to_vec().unwrap();
        let top = top.to_vec().unwrap();
        assert!(at.iter().zip(&top).all(|(i, x)| xs[*i as usize] == *x));
        let mut sorted = xs.clone();
        sorted.sort();
        assert_eq!(
            top,
            sorted.iter().rev().take(5).copied().collect::<Vec<_>>()
        );
        let m = d.array([20, 25], &xs).unwrap();
        let left = |edge| {
            let moved = algorithms::stencil2(&d, &m, edge, |w| w.at((0, -30)));
            moved.unwrap().to_vec().unwrap()
        };
        let row = |i: usize| i / 25 * 25;
        // Beyond the other edge a mirror has the element there.
        assert_eq!(
            left(Edge::Mirror),
            (0..500)
                .map(|i| xs[row(i) + (30 - i % 25).min(24)])
                .collect::<Vec<_>>()
        );
        assert_eq!(
            left(Edge::Wrap),
            (0..500)
                .map(|i| xs[row(i) + (i % 25 + 20) % 25])
                .collect::<Vec<_>>()
        );
        assert_eq!(
            left(Edge::Clamp),
            (0..500).map(|i| xs[row(i)]).collect::<Vec<_>>()
        );
    }
}
