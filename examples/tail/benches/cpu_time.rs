//! CPU time.

use std::fs;
use std::sync::LazyLock;
use std::time::Instant;

/// The CPU time of this process in seconds, in steps of 10 ms; the time of the clock where the system does not say.
pub fn seconds() -> f64 {
    static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
    let text = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let behind_name = text.rsplit(')').next().unwrap_or_default();
    let fields = behind_name.split_whitespace().skip(11).take(2);
    let ticks: Vec<u32> = fields.filter_map(|field| field.parse().ok()).collect();
    match ticks.as_slice() {
        [user, system] => f64::from(user + system) / 100.0,
        _ => BEGIN.elapsed().as_secs_f64(),
    }
}
