//! Prices options, and compares them with double precision.

use std::time::Instant;

use blackscholes::{options, prices, reference};
use obsidian_rt::prelude::*;

fn main() -> obsidian_rt::Result<()> {
    let device = Device::best()?;
    // The simulator goes through every thread: it gets fewer elements.
    let n = if device.name() == "simulator" {
        20_001
    } else {
        4_000_001
    };
    let (price, strike, years) = options(n);
    let start = Instant::now();
    let (calls, puts) = prices(&device, &price, &strike, &years)?;
    let time = start.elapsed();
    println!("   price   strike    years     call      put");
    // Every so often a row, and all the others looked at as well.
    let mut worst = 0f64;
    for i in 0..n.min(20_000) {
        let (call, put) = reference(price[i].into(), strike[i].into(), years[i].into());
        let error = (f64::from(calls[i]) - call)
            .abs()
            .max((f64::from(puts[i]) - put).abs());
        worst = worst.max(error);
        if i % 4000 == 0 {
            println!(
                "{:8.3} {:8.3} {:8.3} {:8.4} {:8.4}",
                price[i], strike[i], years[i], calls[i], puts[i]
            );
        }
    }
    assert!(worst < 1e-4, "an error of {worst}");
    println!(
        "{n} options on {}: {:.3} ms; largest error of the first 20,000: {worst:.1e}",
        device.name(),
        time.as_secs_f64() * 1e3
    );
    Ok(())
}
