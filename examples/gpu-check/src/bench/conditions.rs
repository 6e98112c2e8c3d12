//! The state of a GPU while it is measured: clocks, temperature, power, as `nvidia-smi` tells them.

use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use crate::worker::said;

/// What is asked for, in this order.
const QUERY: &str = "driver_version,clocks.sm,clocks.mem,temperature.gpu,power.draw";

/// How long `nvidia-smi` may take.
const LIMIT: Duration = Duration::from_secs(10);

/// The state of a GPU at one moment.
#[derive(Clone, PartialEq, Debug)]
pub struct Conditions {
    /// Seconds since the benchmarks began.
    pub at: f64,
    /// The version of the driver.
    pub driver: String,
    /// The clock of the multiprocessors in MHz.
    pub sm_mhz: Option<f64>,
    /// The clock of the memory in MHz.
    pub memory_mhz: Option<f64>,
    /// Degrees Celsius.
    pub temperature: Option<f64>,
    /// Watts.
    pub power: Option<f64>,
}

impl Conditions {
    /// Asks `nvidia-smi` about the GPU of this number.
    ///
    /// # Errors
    /// Why it does not tell.
    pub(super) fn of(gpu: &str, at: Duration) -> Result<Conditions, String> {
        let mut command = Command::new("nvidia-smi");
        command.args([
            format!("--query-gpu={QUERY}"),
            "--format=csv,noheader,nounits".to_owned(),
            format!("--id={gpu}"),
        ]);
        let said = said(&mut command, LIMIT).map_err(|why| format!("nvidia-smi {why}"))?;
        Conditions::read(&said, at)
            .ok_or_else(|| format!("nvidia-smi has said `{}`", said.trim_end()))
    }

    /// A line of values, apart by commas. What a GPU does not have is no number.
    fn read(line: &str, at: Duration) -> Option<Conditions> {
        let fields: Vec<&str> = line.trim_end().split(", ").collect();
        let [driver, sm, memory, temperature, power] = fields[..] else {
            return None;
        };
        Some(Conditions {
            at: at.as_secs_f64(),
            driver: driver.to_owned(),
            sm_mhz: sm.parse().ok(),
            memory_mhz: memory.parse().ok(),
            temperature: temperature.parse().ok(),
            power: power.parse().ok(),
        })
    }

    /// `at`, `driver`, `sm_mhz`, `memory_mhz`, `temperature` and `power`; null: the GPU does not
    /// tell.
    pub(super) fn json(&self) -> Value {
        let Conditions {
            at,
            driver,
            sm_mhz,
            memory_mhz,
            temperature,
            power,
        } = self;
        json!({ "at": at, "driver": driver, "sm_mhz": sm_mhz, "memory_mhz": memory_mhz, "temperature": temperature, "power": power })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_nvidia_smi_is_read() {
        let read = |line: &str| Conditions::read(line, Duration::from_millis(1500));
        let full = read("580.65.06, 1980, 3201, 41, 310.12\n");
        let expected = Conditions {
            at: 1.5,
            driver: "580.65.06".to_owned(),
            sm_mhz: Some(1980.0),
            memory_mhz: Some(3201.0),
            temperature: Some(41.0),
            power: Some(310.12),
        };
        assert_eq!(full, Some(expected));
        let without = read("580.65.06, 1980, 3201, 41, [N/A]\n");
        assert_eq!(without.and_then(|conditions| conditions.power), None);
        assert_eq!(read("No devices were found\n"), None);
    }
}
