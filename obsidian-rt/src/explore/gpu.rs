//! GPUs, as small text files describe them.
//!
//! A file has one `key = value` a line, in any order, each key once; `#` begins a comment. `gpus/`
//! has those that are shipped, and a user may bring another: copy one, change its figures, read it
//! with [`Gpu::read`]. A key that is missing, unknown, given twice, or has a figure that cannot be
//! is an error with its line.
//!
//! The figures of the shipped files are of five kinds:
//!
//! - multiprocessors, clock (boost, where there is one), bandwidth and size of L2: NVIDIA's data
//!   sheets and white papers;
//! - limits and units of allocation of a multiprocessor: the tables by compute capability in
//!   NVIDIA's programming guide and occupancy calculator;
//! - lanes a clock: the guide's table of arithmetic throughput. One instruction a scheduler is
//!   issued in a clock; the second one that Kepler may issue is not counted;
//! - latencies: for the two old ones the guide's, of arithmetic (22 and 11 clocks) and of memory
//!   (the middle of 400 to 800, and of 200 to 400); else, and for the bytes of L2 a clock, rounded
//!   figures of published microbenchmarks (Mei and Chu 2017 for the old ones, Jia et al. 2019 for
//!   the T4, Luo et al. 2024 for the others). `wait_latency` is an estimate: twice the arithmetic
//!   latency on the old ones, some twenty clocks on the new ones;
//! - estimates: the share of its bandwidth that a memory reaches with streaming reads, and the time
//!   from one launch to the next.
//!
//! None of them is taken from times of the kernels that the model is compared with.

use std::collections::BTreeMap;
use std::path::Path;
use std::str::FromStr;

use super::best::other_than;
use crate::device::Device;
use crate::error::{Error, ErrorKind, Result};

/// The files that are shipped, by the words that name them.
const SHIPPED: [(&str, &str); 7] = [
    ("a100", include_str!("gpus/a100.txt")),
    ("c2070", include_str!("gpus/c2070.txt")),
    ("gtx680", include_str!("gpus/gtx680.txt")),
    ("h100", include_str!("gpus/h100.txt")),
    ("h200", include_str!("gpus/h200.txt")),
    ("rtx4090", include_str!("gpus/rtx4090.txt")),
    ("t4", include_str!("gpus/t4.txt")),
];

/// A GPU. Figures that have no other unit are of one multiprocessor; latencies are in its clocks.
///
/// ```
/// use obsidian_rt::explore::Gpu;
///
/// let gpu = Gpu::named("H100")?;
/// assert_eq!((gpu.compute_capability.as_str(), gpu.multiprocessors), ("9.0", 132));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Gpu {
    /// The name, for people.
    pub name: String,
    /// The compute capability, as `8.0`.
    pub compute_capability: String,
    /// Multiprocessors of the GPU.
    pub multiprocessors: u32,
    /// Clock of the multiprocessors, in MHz.
    pub clock_mhz: f64,
    /// Peak bandwidth of the GPU's memory, in 10^9 bytes a second.
    pub memory_gb_per_s: f64,
    /// The share of the peak that streaming reads reach, up to 1.
    pub memory_efficiency: f64,
    /// Size of the GPU's L2, in KiB.
    pub l2_kib: f64,
    /// Bytes that the GPU's L2 gives in a clock.
    pub l2_bytes_per_clock: f64,
    /// Size of the L1 that buffers are cached in, in KiB; 0 where they are not.
    pub l1_kib: f64,
    /// Is shared memory taken from the L1?
    pub l1_has_shared: bool,
    /// Bytes that a miss of L1 fetches: a sector of 32, or a line of 128.
    pub line_bytes: u32,
    /// Threads that may be resident.
    pub threads: u32,
    /// Warps that may be resident.
    pub warps: u32,
    /// Blocks that may be resident.
    pub blocks: u32,
    /// Registers of 4 bytes.
    pub registers: u32,
    /// Registers that a thread may have.
    pub registers_per_thread: u32,
    /// Registers of a warp are allocated in such numbers.
    pub register_unit: u32,
    /// Warps of a block are allocated in such numbers.
    pub warp_unit: u32,
    /// Bytes of shared memory.
    pub shared_bytes: u32,
    /// Bytes of shared memory that a block may have.
    pub shared_bytes_per_block: u32,
    /// Bytes of shared memory that the system takes for itself from each block.
    pub shared_bytes_reserved: u32,
    /// Shared memory is allocated in such numbers of bytes.
    pub shared_unit: u32,
    /// Warp instructions issued in a clock.
    pub issue: f64,
    /// Lanes of integer addition in a clock.
    pub integer_lanes: f64,
    /// Lanes of `f32` in a clock.
    pub float_lanes: f64,
    /// Lanes of `f64` in a clock.
    pub double_lanes: f64,
    /// Lanes of roots, powers and the like in a clock.
    pub special_lanes: f64,
    /// Lanes of conversions in a clock.
    pub conversion_lanes: f64,
    /// Lanes of 4 bytes that shared memory serves in a clock, when there is no conflict.
    pub access_lanes: f64,
    /// Clocks until a result can be used.
    pub arithmetic_latency: f64,
    /// Clocks of a read of shared memory.
    pub shared_latency: f64,
    /// Clocks of a read that L2 answers.
    pub l2_latency: f64,
    /// Clocks of a read that the memory answers.
    pub memory_latency: f64,
    /// Clocks that a wait of a block takes when all come at once.
    pub wait_latency: f64,
    /// Time from one launch to the next of a kernel that does nothing, in microseconds.
    pub launch_us: f64,
}

impl Gpu {
    /// A GPU that is shipped: see [`names`](Gpu::names). Case, spaces and hyphens do not matter.
    ///
    /// # Errors
    /// [`ErrorKind::UnknownDevice`] for another name.
    ///
    /// ```
    /// use obsidian_rt::explore::Gpu;
    ///
    /// assert_eq!(Gpu::named("RTX 4090")?, Gpu::named("rtx4090")?);
    /// assert!(Gpu::named("abacus").is_err());
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn named(name: &str) -> Result<Gpu> {
        let plain = plain(name);
        let plain = plain.strip_prefix("tesla").unwrap_or(&plain);
        match SHIPPED.iter().find(|(known, _)| *known == plain) {
            Some((known, text)) => Gpu::parse(known, text),
            None => {
                let known: Vec<&str> = Gpu::names().collect();
                let message = format!(
                    "there is no description of a GPU `{name}`; there are {}",
                    known.join(", ")
                );
                Err(Error::new(ErrorKind::UnknownDevice, message))
            }
        }
    }

    /// The shipped description of a device: of its model, with its compute capability and number of multiprocessors.
    ///
    /// ```
    /// use obsidian_rt::{Device, explore::Gpu};
    ///
    /// let error = Gpu::of(&Device::cpu()).unwrap_err();
    /// assert!(error.to_string().contains("`cpu` is no GPU"));
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::UnknownDevice`] for a device that is no GPU, and for a GPU of which no description is shipped; the message says what to do.
    pub fn of(device: &Device) -> Result<Gpu> {
        let unknown = |words: String| Error::new(ErrorKind::UnknownDevice, words);
        let Some(of) = device.properties() else {
            let words = format!("`{}` is no GPU, and has no description", device.name());
            return Err(unknown(words));
        };
        let model = plain(&of.name);
        let shipped = SHIPPED.iter().filter(|(known, _)| model.contains(known));
        let mut other = None;
        for (known, text) in shipped {
            let gpu = Gpu::parse(known, text)?;
            match other_than(&gpu, device) {
                None => return Ok(gpu),
                words => other = words,
            }
        }
        Err(unknown(other.unwrap_or_else(|| {
            format!(
                "no description of a GPU `{}` is shipped: copy the file of the most similar one, change its figures, and read it with `Gpu::read`",
                of.name
            )
        })))
    }

    /// The names of the GPUs that are shipped, in the order of the alphabet.
    ///
    /// ```
    /// use obsidian_rt::explore::Gpu;
    ///
    /// assert!(Gpu::names().any(|name| name == "h100"));
    /// ```
    pub fn names() -> impl Iterator<Item = &'static str> {
        SHIPPED.iter().map(|(name, _)| *name)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// [`ErrorKind::File`] if it cannot be read, else as [`parse`](Gpu::parse).
    ///
    /// ```
    /// use obsidian_rt::explore::Gpu;
    ///
    /// assert!(Gpu::read("no such file").is_err());
    /// ```
    pub fn read(path: impl AsRef<Path>) -> Result<Gpu> {
        let path = path.as_ref();
        let unreadable = |error| {
            Error::new(
                ErrorKind::File,
                format!("{} cannot be read: {error}", path.display()),
            )
        };
        Gpu::parse(
            &path.display().to_string(),
            &std::fs::read_to_string(path).map_err(unreadable)?,
        )
    }

    /// Reads a description; `file` is how errors call it.
    ///
    /// # Errors
    /// [`ErrorKind::DamagedFile`], with the line.
    ///
    /// ```
    /// use obsidian_rt::explore::Gpu;
    ///
    /// let error = Gpu::parse("mine.txt", "name = Mine").unwrap_err();
    /// println!("{error}");
    /// ```
    pub fn parse(file: &str, text: &str) -> Result<Gpu> {
        let mut keys = Keys::read(file, text)?;
        let gpu = Gpu {
            name: keys.word("name")?,
            compute_capability: keys.word("compute_capability")?,
            multiprocessors: keys.count("multiprocessors")?,
            clock_mhz: keys.above_zero("clock_mhz")?,
            memory_gb_per_s: keys.above_zero("memory_gb_per_s")?,
            memory_efficiency: keys.figure(
                "memory_efficiency",
                |f: &f64| *f > 0.0 && *f <= 1.0,
                "above 0 and at most 1",
            )?,
            l2_kib: keys.above_zero("l2_kib")?,
            l2_bytes_per_clock: keys.above_zero("l2_bytes_per_clock")?,
            l1_kib: keys.figure("l1_kib", |f: &f64| *f >= 0.0 && f.is_finite(), "0 or more")?,
            l1_has_shared: keys.yes_or_no("l1_has_shared")?,
            line_bytes: keys.figure("line_bytes", |n: &u32| [32, 128].contains(n), "32 or 128")?,
            threads: keys.count("threads")?,
            warps: keys.count("warps")?,
            blocks: keys.count("blocks")?,
            registers: keys.count("registers")?,
            registers_per_thread: keys.count("registers_per_thread")?,
            register_unit: keys.count("register_unit")?,
            warp_unit: keys.count("warp_unit")?,
            shared_bytes: keys.count("shared_bytes")?,
            shared_bytes_per_block: keys.count("shared_bytes_per_block")?,
            shared_bytes_reserved: keys.figure(
                "shared_bytes_reserved",
                |_: &u32| true,
                "0 or more",
            )?,
            shared_unit: keys.count("shared_unit")?,
            issue: keys.above_zero("issue")?,
            integer_lanes: keys.above_zero("integer_lanes")?,
            float_lanes: keys.above_zero("float_lanes")?,
            double_lanes: keys.above_zero("double_lanes")?,
            special_lanes: keys.above_zero("special_lanes")?,
            conversion_lanes: keys.above_zero("conversion_lanes")?,
            access_lanes: keys.above_zero("access_lanes")?,
            arithmetic_latency: keys.above_zero("arithmetic_latency")?,
            shared_latency: keys.above_zero("shared_latency")?,
            l2_latency: keys.above_zero("l2_latency")?,
            memory_latency: keys.above_zero("memory_latency")?,
            wait_latency: keys.above_zero("wait_latency")?,
            launch_us: keys.figure(
                "launch_us",
                |f: &f64| *f >= 0.0 && f.is_finite(),
                "0 or more",
            )?,
        };
        keys.finish()?;
        Ok(gpu)
    }

    /// Bytes that its memory gives to streaming reads in a clock, of the whole GPU.
    ///
    /// ```
    /// use obsidian_rt::explore::Gpu;
    ///
    /// let gpu = Gpu::named("H100")?;
    /// assert!(gpu.memory_bytes_per_clock() < gpu.l2_bytes_per_clock);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn memory_bytes_per_clock(&self) -> f64 {
        self.memory_gb_per_s * self.memory_efficiency * 1e9 / (self.clock_mhz * 1e6)
    }
}

/// The letters and digits of a name, in small letters.
fn plain(name: &str) -> String {
    let small = name.to_lowercase();
    small.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// The lines of a file that nobody has asked for yet.
struct Keys<'a> {
    file: &'a str,
    values: BTreeMap<&'a str, (usize, &'a str)>,
}

impl<'a> Keys<'a> {
    fn read(file: &'a str, text: &'a str) -> Result<Self> {
        let mut keys = Keys {
            file,
            values: BTreeMap::new(),
        };
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.split('#').next().unwrap_or("").trim();
            if line.is_empty() {
                continue;
            }
            let Some((key, value)) = line.split_once('=') else {
                return Err(keys.error(number, format!("`{line}` is not `key = value`")));
            };
            if let Some((first, _)) = keys.values.insert(key.trim(), (number, value.trim())) {
                return Err(keys.error(
                    number,
                    format!("`{}` is given again; it was in line {first}", key.trim()),
                ));
            }
        }
        Ok(keys)
    }

    fn error(&self, line: usize, what: String) -> Error {
        Error::new(
            ErrorKind::DamagedFile,
            format!("{}:{line}: {what}", self.file),
        )
        .at_line(line)
    }

    fn take(&mut self, key: &str) -> Result<(usize, &'a str)> {
        let missing = || {
            Error::new(
                ErrorKind::DamagedFile,
                format!(
                    "{}: `{key}` is missing: add a line `{key} = ...`",
                    self.file
                ),
            )
        };
        self.values.remove(key).ok_or_else(missing)
    }

    fn word(&mut self, key: &str) -> Result<String> {
        match self.take(key)? {
            (line, "") => Err(self.error(line, format!("`{key}` is empty"))),
            (_, word) => Ok(word.to_owned()),
        }
    }

    fn figure<T: FromStr>(
        &mut self,
        key: &str,
        holds: impl FnOnce(&T) -> bool,
        rule: &str,
    ) -> Result<T> {
        let (line, text) = self.take(key)?;
        let figure = text.parse().ok().filter(holds);
        figure.ok_or_else(|| {
            self.error(
                line,
                format!("`{key}` is `{text}`; it has to be a number, {rule}"),
            )
        })
    }

    fn count(&mut self, key: &str) -> Result<u32> {
        self.figure(key, |n: &u32| *n > 0, "whole and above 0")
    }

    fn above_zero(&mut self, key: &str) -> Result<f64> {
        self.figure(key, |f: &f64| *f > 0.0 && f.is_finite(), "above 0")
    }

    fn yes_or_no(&mut self, key: &str) -> Result<bool> {
        match self.take(key)? {
            (_, "yes") => Ok(true),
            (_, "no") => Ok(false),
            (line, word) => Err(self.error(
                line,
                format!("`{key}` is `{word}`; it can be `yes` or `no`"),
            )),
        }
    }

    /// All lines have been asked for.
    fn finish(self) -> Result<()> {
        match self.values.iter().min_by_key(|(_, (line, _))| *line) {
            Some((key, (line, _))) => {
                Err(self.error(*line, format!("`{key}` is no key of a GPU's description")))
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GTX680: &str = include_str!("gpus/gtx680.txt");

    fn message(text: &str) -> String {
        let error = Gpu::parse("my.txt", text).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DamagedFile);
        error.to_string()
    }

    #[test]
    fn the_shipped_files_can_be_read() {
        for name in Gpu::names() {
            let gpu = Gpu::named(name).unwrap();
            assert_eq!(
                Gpu::named(&gpu.name).unwrap(),
                gpu,
                "{name} by its own name"
            );
            assert_eq!(gpu.warps * 32, gpu.threads, "{name}");
            assert!(
                gpu.shared_bytes_per_block + gpu.shared_bytes_reserved <= gpu.shared_bytes,
                "{name}"
            );
            assert!(
                gpu.l2_latency < gpu.memory_latency && gpu.shared_latency < gpu.l2_latency,
                "{name}"
            );
        }
    }

    #[test]
    fn the_peaks_are_those_of_the_data_sheets() {
        // In 10^12 additions and multiplications of f32 a second, a fused one counted twice.
        for (name, peak) in [
            ("gtx680", 3.25),
            ("c2070", 1.03),
            ("t4", 8.1),
            ("a100", 19.5),
            ("h100", 67.0),
            ("h200", 67.0),
            ("rtx4090", 82.6),
        ] {
            let gpu = Gpu::named(name).unwrap();
            let flops =
                2.0 * gpu.float_lanes * f64::from(gpu.multiprocessors) * gpu.clock_mhz * 1e-6;
            assert!((flops / peak - 1.0).abs() < 0.01, "{name}: {flops}");
        }
    }

    #[test]
    fn a_wrong_line_is_named() {
        assert_eq!(
            message(&format!("{GTX680}\nspeed = 9")),
            "my.txt:50: `speed` is no key of a GPU's description"
        );
        assert_eq!(
            message(&format!("{GTX680}\nwarps = 9")),
            "my.txt:50: `warps` is given again; it was in line 13"
        );
        assert_eq!(
            message(&format!("{GTX680}\nwarps")),
            "my.txt:50: `warps` is not `key = value`"
        );
        assert_eq!(
            message(&GTX680.replace("warps = 64\n", "")),
            "my.txt: `warps` is missing: add a line `warps = ...`"
        );
        for (from, to, words) in [
            (
                "blocks = 16",
                "blocks = 0",
                "my.txt:14: `blocks` is `0`; it has to be a number, whole and above 0",
            ),
            (
                "blocks = 16",
                "blocks = many",
                "my.txt:14: `blocks` is `many`",
            ),
            (
                "clock_mhz = 1058",
                "clock_mhz = inf",
                "`clock_mhz` is `inf`; it has to be a number, above 0",
            ),
            ("line_bytes = 32", "line_bytes = 64", "a number, 32 or 128"),
            (
                "l1_has_shared = no",
                "l1_has_shared = perhaps",
                "it can be `yes` or `no`",
            ),
            (
                "memory_efficiency = 0.8",
                "memory_efficiency = 1.2",
                "at most 1",
            ),
            ("name = GTX 680", "name =", "`name` is empty"),
        ] {
            assert!(GTX680.contains(from), "{from}");
            let message = message(&GTX680.replace(from, to));
            assert!(message.contains(words), "{message}");
        }
    }

    #[test]
    fn a_file_of_ones_own_is_read() {
        let path = std::env::temp_dir().join(format!("obsidian-gpu-{}.txt", std::process::id()));
        std::fs::write(
            &path,
            GTX680.replace("multiprocessors = 8", "multiprocessors = 4"),
        )
        .unwrap();
        let read = Gpu::read(&path);
        std::fs::remove_file(&path).unwrap();
        assert_eq!(read.unwrap().multiprocessors, 4);
        let gone = Gpu::read(&path).unwrap_err();
        assert_eq!(gone.kind(), ErrorKind::File);
        assert!(gone.to_string().contains("obsidian-gpu-"), "{gone}");
    }

    #[test]
    fn an_unknown_name_is_told_the_known_ones() {
        let message = Gpu::named("voodoo").unwrap_err().to_string();
        assert!(
            message.contains("`voodoo`") && message.contains("gtx680, h100"),
            "{message}"
        );
        assert_eq!(
            Gpu::named("Tesla C2070").unwrap(),
            Gpu::named("C-2070").unwrap()
        );
    }
}
