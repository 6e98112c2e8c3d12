//! Edges, one pixel after another.

use crate::picture::Picture;

/// [`blurred`](crate::blurred()), by all 25 weights at once.
pub fn blurred(picture: &Picture) -> Vec<i32> {
    let (height, width) = (picture.height as i64, picture.width as i64);
    let grey = |y: i64, x: i64| {
        let at = y.clamp(0, height - 1) * width + x.clamp(0, width - 1);
        let (r, g, b) = picture.pixels[at as usize];
        (77 * i64::from(r) + 150 * i64::from(g) + 29 * i64::from(b)) / 256
    };
    const WEIGHTS: [i64; 5] = [1, 4, 6, 4, 1];
    let mut all = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let mut sum = 0;
            for (dy, down) in (-2..).zip(WEIGHTS) {
                for (dx, right) in (-2..).zip(WEIGHTS) {
                    sum += down * right * grey(y + dy, x + dx);
                }
            }
            all.push((sum / 16) as i32);
        }
    }
    all
}

/// [`edges`](crate::edges()): what may be an edge is reached from what is one.
pub fn edges(picture: &Picture, low: u32, high: u32) -> Vec<u8> {
    let (height, width) = (picture.height as i64, picture.width as i64);
    let shades = blurred(picture);
    let shade = |y: i64, x: i64| {
        let at = y.clamp(0, height - 1) * width + x.clamp(0, width - 1);
        i64::from(shades[at as usize])
    };
    let gradient = |y: i64, x: i64| {
        let (mut dy, mut dx) = (0, 0);
        for (by, weight) in (-1..).zip([1, 2, 1]) {
            dy += weight * (shade(y + 1, x + by) - shade(y - 1, x + by));
            dx += weight * (shade(y + by, x + 1) - shade(y + by, x - 1));
        }
        (dy, dx)
    };
    let is_inside = |y: i64, x: i64| (0..height).contains(&y) && (0..width).contains(&x);
    let strength = |y: i64, x: i64| {
        let (dy, dx) = gradient(y, x);
        if is_inside(y, x) {
            dy * dy + dx * dx
        } else {
            0
        }
    };
    let thin = |y: i64, x: i64| {
        let (dy, dx) = gradient(y, x);
        let (down, right) = match () {
            () if 5 * dy.abs() <= 2 * dx.abs() => (0, 1),
            () if 5 * dx.abs() <= 2 * dy.abs() => (1, 0),
            () if dy.signum() == dx.signum() => (1, 1),
            () => (1, -1),
        };
        let own = strength(y, x);
        let is_most = own >= strength(y - down, x - right) && own > strength(y + down, x + right);
        if is_most { own } else { 0 }
    };
    let least = |shades: u32| i64::from(shades) * i64::from(shades) * 128 * 128;
    let places = (0..height).flat_map(|y| (0..width).map(move |x| (y, x)));
    let strengths: Vec<i64> = places.map(|(y, x)| thin(y, x)).collect();
    let mut found = vec![0; strengths.len()];
    let mut open: Vec<i64> = (0..height * width)
        .filter(|i| strengths[*i as usize] >= least(high))
        .collect();
    open.iter().for_each(|i| found[*i as usize] = 255);
    while let Some(i) = open.pop() {
        for (dy, dx) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dy, dx))) {
            let (y, x) = (i / width + dy, i % width + dx);
            let at = (y * width + x) as usize;
            if is_inside(y, x) && found[at] == 0 && strengths[at] >= least(low) {
                found[at] = 255;
                open.push(at as i64);
            }
        }
    }
    found
}
