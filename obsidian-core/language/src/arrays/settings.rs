//! How array programs become kernels.

/// How a program becomes kernels.
///
/// ```
/// use obsidian_rt::arrays::*;
/// use obsidian_rt::language::EU32;
///
/// let settings = Settings { threads: Some(128), ..Settings::default() };
/// let doubled = ArrayProgram::build_with("doubled", settings, |x: Arr1<EU32>| x.map(|x| x * 2))?;
/// assert_eq!(doubled.kernels()[0].threads(), 128);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Are arrays between operations left out? Without, each operation stores what it gives.
    pub fuse: bool,
    /// Are arrays stored that are dear to compute and needed more than once? Without, they are computed wherever they are needed.
    pub share: bool,
    /// Are arrays and folds that go over the same elements computed by one kernel? Without, each has a kernel of its own.
    pub horizontal: bool,
    /// The real threads of a block of each kernel; none: what each kernel takes by itself. Results do not depend on them.
    pub threads: Option<u32>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            fuse: true,
            share: true,
            horizontal: true,
            threads: None,
        }
    }
}
