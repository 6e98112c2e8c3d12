//! What code is made for: a GPU and what its driver takes.

use obsidian_toolchain::Form;

use super::version::{self, Version};
use crate::error::{Error, ErrorKind, Result};

/// The target of a compilation: the compute capability of a GPU, and what its driver takes.
///
/// ```
/// use obsidian_rt::compile::Target;
///
/// // PTX for GPUs of compute capability 9.0, and later ones.
/// let target = Target::ptx(9, 0);
/// assert_ne!(target, Target::cubin(9, 0));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    capability: Version,
    /// None: any.
    driver: Option<Version>,
    /// None: PTX, or else a cubin, as the driver takes it.
    form: Option<Form>,
}

/// What a compiler is to make for a target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Choice {
    pub(super) form: Form,
    /// `compute_90` or `sm_90`.
    pub(super) architecture: String,
}

impl Target {
    /// PTX for GPUs of a compute capability, such as 9.0, and later ones, whatever their driver is.
    ///
    /// ```
    /// use obsidian_rt::compile::Target;
    ///
    /// assert_eq!(Target::ptx(9, 0), Target::ptx(9, 0));
    /// ```
    pub fn ptx(major: u32, minor: u32) -> Target {
        Target {
            capability: (major, minor),
            driver: None,
            form: Some(Form::Ptx),
        }
    }

    /// A cubin for GPUs of a compute capability, such as 9.0, whatever their driver is.
    ///
    /// ```
    /// use obsidian_rt::compile::Target;
    ///
    /// assert_ne!(Target::cubin(9, 0), Target::cubin(8, 0));
    /// ```
    pub fn cubin(major: u32, minor: u32) -> Target {
        Target {
            capability: (major, minor),
            driver: None,
            form: Some(Form::Cubin),
        }
    }

    /// The target for a device: PTX if its driver takes what the compiler makes, a cubin if the
    /// driver is somewhat older than the compiler. `driver` is the number that `cuDriverGetVersion`
    /// gives, such as 12040 for CUDA 12.4.
    ///
    /// ```
    /// use obsidian_rt::compile::Target;
    ///
    /// // Compute capability 9.0, and a driver for CUDA 12.4.
    /// assert_ne!(Target::device(9, 0, 12040), Target::device(9, 0, 13000));
    /// ```
    pub fn device(major: u32, minor: u32, driver: u32) -> Target {
        Target {
            capability: (major, minor),
            driver: Some((driver / 1000, driver % 1000 / 10)),
            form: None,
        }
    }

    /// What a compiler of a CUDA release, which makes code for `architectures` (in ascending
    /// order), is to make.
    pub(super) fn choose(
        &self,
        compiler: &str,
        release: Version,
        architectures: &[Version],
    ) -> Result<Choice> {
        let ptx_taken = self
            .driver
            .is_none_or(|driver| version::takes_ptx(driver, release));
        // A driver takes cubins of later releases of its own major version.
        let cubin_taken = self.driver.is_none_or(|driver| release.0 <= driver.0);
        match self.form {
            None | Some(Form::Ptx) if ptx_taken => {
                self.newest(compiler, architectures, |_| true, Form::Ptx)
            }
            None | Some(Form::Cubin) if cubin_taken => {
                // Code of one architecture runs on later ones of the same major number.
                self.newest(
                    compiler,
                    architectures,
                    |architecture| architecture.0 == self.capability.0,
                    Form::Cubin,
                )
            }
            _ => Err(self.refusal(&format!(
                "{compiler} makes code for newer drivers: update the driver, or use CUDA {}",
                self.driver_release()
            ))),
        }
    }

    fn newest(
        &self,
        compiler: &str,
        architectures: &[Version],
        fits: impl Fn(Version) -> bool,
        form: Form,
    ) -> Result<Choice> {
        let known = |list: &[Version]| {
            list.iter()
                .map(|(major, minor)| format!("{major}.{minor}"))
                .collect::<Vec<_>>()
                .join(", ")
        };
        match architectures
            .iter()
            .copied()
            .filter(|&a| a <= self.capability && fits(a))
            .max()
        {
            Some((major, minor)) => {
                let word = if form == Form::Ptx { "compute" } else { "sm" };
                Ok(Choice {
                    form,
                    architecture: format!("{word}_{major}{minor}"),
                })
            }
            None => Err(self.refusal(&format!(
                "{compiler} makes code for {}: use another CUDA release",
                known(architectures)
            ))),
        }
    }

    /// Does the driver take this PTX? A compiler's release says so beforehand; this is what it has
    /// really made.
    pub(super) fn check(&self, ptx: &str, compiler: &str) -> Result<()> {
        match (
            version::of_ptx(ptx),
            self.driver.and_then(version::newest_ptx),
        ) {
            (Some(made), Some(newest)) if made > newest => {
                let (made, newest) = (
                    format!("{}.{}", made.0, made.1),
                    format!("{}.{}", newest.0, newest.1),
                );
                Err(self.refusal(&format!(
                    "{compiler} makes PTX {made}, and the driver takes it up to {newest}"
                )))
            }
            _ => Ok(()),
        }
    }

    fn driver_release(&self) -> String {
        self.driver.map_or_else(
            || "of its time".to_owned(),
            |(major, minor)| format!("{major}.{minor}"),
        )
    }

    fn refusal(&self, why: &str) -> Error {
        let (major, minor) = self.capability;
        let driver = self.driver.map_or_else(String::new, |(major, minor)| {
            format!(" with a driver for CUDA {major}.{minor}")
        });
        Error::new(
            ErrorKind::NoTarget,
            format!(
                "no code for compute capability {major}.{minor}{driver} can be made here: {why}"
            ),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OF_13: &[Version] = &[
        (7, 5),
        (8, 0),
        (8, 6),
        (8, 7),
        (8, 9),
        (9, 0),
        (10, 0),
        (12, 0),
    ];

    fn chosen(target: Target, release: Version) -> String {
        target.choose("nvcc", release, OF_13).map_or_else(
            |error| format!("{:?}", error.kind()),
            |choice| choice.architecture,
        )
    }

    #[test]
    fn the_newest_architecture_that_is_not_newer_than_the_device_is_taken() {
        let at = |major, minor| chosen(Target::ptx(major, minor), (13, 0));
        assert_eq!(
            [
                at(7, 5),
                at(8, 6),
                at(8, 8),
                at(9, 0),
                at(9, 9),
                at(12, 1),
                at(13, 0)
            ]
            .join(" "),
            "compute_75 compute_86 compute_87 compute_90 compute_90 compute_120 compute_120"
        );
        assert_eq!(at(7, 0), "NoTarget");
    }

    #[test]
    fn a_cubin_stays_within_its_major_number() {
        let at = |major, minor| chosen(Target::cubin(major, minor), (13, 0));
        assert_eq!(
            [at(8, 0), at(8, 8), at(9, 5), at(12, 1)].join(" "),
            "sm_80 sm_87 sm_90 sm_120"
        );
        assert_eq!(
            [at(7, 0), at(11, 0), at(13, 0)],
            ["NoTarget", "NoTarget", "NoTarget"]
        );
    }

    #[test]
    fn a_driver_gets_ptx_that_it_takes_else_a_cubin_else_nothing() {
        let at = |driver, release| chosen(Target::device(9, 0, driver), release);
        assert_eq!(at(13000, (13, 0)), "compute_90");
        assert_eq!(at(13010, (13, 0)), "compute_90");
        assert_eq!(at(15000, (13, 0)), "compute_90");
        assert_eq!(at(12060, (12, 5)), "compute_90");
        // 12.5 and 12.6 have the same PTX.
        assert_eq!(at(12050, (12, 6)), "compute_90");
        assert_eq!(at(12050, (12, 8)), "sm_90");
        assert_eq!(at(13000, (13, 1)), "sm_90");
        assert_eq!(at(12090, (13, 0)), "NoTarget");
        assert_eq!(at(11080, (12, 0)), "NoTarget");
    }

    #[test]
    fn ptx_that_the_driver_does_not_take_is_refused() {
        let kind = |driver, ptx| {
            Target::device(9, 0, driver)
                .check(ptx, "nvcc")
                .map_err(|error| error.kind())
        };
        assert_eq!(kind(13000, "//\n.version 9.0\n.target sm_90\n"), Ok(()));
        assert_eq!(kind(12080, ".version 8.7\n"), Ok(()));
        assert_eq!(kind(12080, ".version 8.8\n"), Err(ErrorKind::NoTarget));
        assert_eq!(
            Target::ptx(9, 0)
                .check(".version 99.0\n", "nvcc")
                .map_err(|error| error.kind()),
            Ok(())
        );
    }

    #[test]
    fn a_refusal_says_what_to_do() {
        let error = Target::device(9, 0, 12040)
            .choose("NVRTC 13.0", (13, 0), OF_13)
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("driver for CUDA 12.4") && error.contains("use CUDA 12.4"),
            "{error}"
        );
        let error = Target::ptx(6, 1)
            .choose("NVRTC 13.0", (13, 0), OF_13)
            .unwrap_err()
            .to_string();
        assert!(error.contains("6.1") && error.contains("7.5"), "{error}");
    }
}
