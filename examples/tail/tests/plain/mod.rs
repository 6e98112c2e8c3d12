//! The seven benchmarks in plain Rust, as one writes them for one thread: what programs are compared with, and timed beside.

// Each user takes a part of this.
#![allow(dead_code)]

use std::f64::consts::PI;

/// The sum over i = 1..x of 2 / (10 i/x + 2) / x.
pub fn integral(size: u32) -> f64 {
    let n = f64::from(size);
    let term = |i: u32| 2.0 / (10.0 * (f64::from(i) / n) + 2.0) / n;
    (1..=size).map(term).sum()
}

/// The sum of the differences of a sine, scaled and held within -50 and 50.
pub fn signal(size: u32) -> f64 {
    let mut before = 0.0;
    let mut sum = 0.0;
    for i in 1..=size {
        let v = (10.0 * f64::from(i) / f64::from(size)).sin();
        sum += (50.0 * (v - before) / (0.01 + v)).clamp(-50.0, 50.0);
        before = v;
    }
    sum
}

/// The living cells of a torus of 40 x 40 after some generations.
pub fn life(generations: u32) -> f64 {
    const N: usize = 40;
    let mut cells = life_start();
    let mut next = cells.clone();
    for _ in 0..generations {
        for y in 0..N {
            let rows = [(y + N - 1) % N, y, (y + 1) % N];
            for x in 0..N {
                let columns = [(x + N - 1) % N, x, (x + 1) % N];
                let row = |y: usize| columns.iter().map(|x| cells[y * N + x]).sum::<i32>();
                let n: i32 = rows.iter().map(|y| row(*y)).sum();
                next[y * N + x] = i32::from(n == 3 || n == 4 && cells[y * N + x] == 1);
            }
        }
        std::mem::swap(&mut cells, &mut next);
    }
    f64::from(cells.iter().sum::<i32>())
}

fn life_start() -> Vec<i32> {
    let mut n = 10;
    let mut board = vec![vec![0; n]; n];
    for (y, x) in [(7, 7), (7, 8), (7, 9), (8, 7), (9, 8)] {
        board[y][x] = 1;
    }
    for _ in 0..2 {
        let own = board;
        // Rotated up by 5 beside the transpose, rotated left by 3.
        let mut wide = vec![vec![0; 2 * n]; n];
        for y in 0..n {
            for x in 0..n {
                wide[y][x] = own[(y + 5) % n][x];
                wide[y][n + x] = own[(x + 3) % n][y];
            }
        }
        let below = (0..n).map(|y| wide[(y + 4) % n].clone()).collect();
        board = [wide, below].concat();
        n *= 2;
    }
    board.concat()
}

/// The greatest 10000 y + 100 m + d of Easter Sundays, years from 1.
pub fn easter(last: i32) -> f64 {
    let number = |year: i32| {
        let golden = year % 19 + 1;
        let century = year / 100 + 1;
        let x = 3 * century / 4 - 12;
        let z = (8 * century + 5) / 25 - 5;
        let d = 5 * year / 4 - x - 10;
        let e = (11 * golden + 20 + z - x).rem_euclid(30);
        let e = e + i32::from(e == 24 || e == 25 && golden > 11);
        let n = 44 - e;
        let n = if n < 21 { n + 30 } else { n };
        let n = n + 7 - (d + n).rem_euclid(7);
        let (month, day) = if n > 31 { (4, n - 31) } else { (3, n) };
        10_000 * year + 100 * month + day
    };
    // Year by year, as the aims of the benchmark were set: as vectors of years it takes half the time.
    let years = (1..=last).map(std::hint::black_box);
    f64::from(years.map(number).max().unwrap_or(0))
}

/// The mean call price over t = i/n, i = 1..10 n.
pub fn black_scholes(n: u32) -> f64 {
    let normal = |x: f64| {
        let k = 1.0 / (1.0 + 0.2316419 * x.abs());
        let factors = [
            0.31938153,
            -0.356563782,
            1.781477937,
            -1.821255978,
            1.330274429,
        ];
        let sum = factors.iter().rev().fold(0.0, |sum, f| (sum + f) * k);
        let tail = (-x * x / 2.0).exp() / (2.0 * PI).sqrt() * sum;
        if x < 0.0 { tail } else { 1.0 - tail }
    };
    let price = |i: u32| {
        let t = f64::from(i) / f64::from(n);
        let spread = 0.2 * t.sqrt();
        let d = ((60.0f64 / 65.0).ln() + (0.1 + 0.2 * 0.2 / 2.0) * t) / spread;
        60.0 * normal(d) - 65.0 * (-0.1 * t).exp() * normal(d - spread)
    };
    (1..=10 * n).map(price).sum::<f64>() / f64::from(10 * n)
}

/// 4/n times the number of Sobol points whose length is below 1.
pub fn sobol_pi(n: u32) -> f64 {
    let mut second = [0u32; 30];
    let mut d = 1 << 29;
    for direction in &mut second {
        *direction = d;
        d ^= d >> 1;
    }
    let is_inside = |i: u32| {
        let gray = i ^ (i >> 1);
        let (mut x, mut y) = (0, 0);
        for (b, direction) in second.iter().enumerate() {
            if gray >> b & 1 == 1 {
                x ^= 1 << (29 - b);
                y ^= direction;
            }
        }
        let scaled = |x: u32| f64::from(x) / f64::from(1 << 30);
        scaled(x).hypot(scaled(y)) < 1.0
    };
    let inside = (1..=n).filter(|i| is_inside(*i)).count();
    4.0 * inside as f64 / f64::from(n)
}

/// The greatest temperature of a chip of n x n cells after some steps, from the input of `programs/hotspot.tail`.
pub fn hotspot(n: usize, steps: u32) -> f64 {
    let number = |i: usize| i32::try_from(i).unwrap_or(i32::MAX);
    let all = 1..=n * n;
    let start = |i| 323.0 + f64::from(37 * number(i) % 1009) / 64.0;
    let mut temperature: Vec<f64> = all.clone().map(start).collect();
    let power: Vec<f64> = all
        .map(|i| f64::from(13 * number(i) % 101) / 100_000.0)
        .collect();
    let side = 0.016 / n as f64;
    let capacity = 0.5 * 1.75e6 * 0.0005 * (side * side);
    let (along, up) = (
        1.0 / (2.0 * 100.0 * 0.0005),
        0.0005 / (100.0 * (side * side)),
    );
    let factor = 0.001 / (3e6 / (0.5 * 0.0005 * 1.75e6)) / capacity;
    let mut next = temperature.clone();
    for _ in 0..steps {
        for y in 0..n {
            let (above, below) = (y.saturating_sub(1) * n, (y + 1).min(n - 1) * n);
            for x in 0..n {
                let (left, right) = (x.saturating_sub(1), (x + 1).min(n - 1));
                let row = y * n;
                let own = temperature[row + x];
                let vertical = temperature[above + x] + temperature[below + x] - 2.0 * own;
                let horizontal = temperature[row + left] + temperature[row + right] - 2.0 * own;
                let flow =
                    power[row + x] + vertical / along + horizontal / along + (80.0 - own) / up;
                next[row + x] = own + factor * flow;
            }
        }
        std::mem::swap(&mut temperature, &mut next);
    }
    temperature.into_iter().fold(0.0, f64::max)
}
