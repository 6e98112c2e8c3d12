//! What a compiler has made of a kernel, in numbers.

/// The resources that the machine code of a kernel needs, as its compiler reports them.
///
/// ```
/// use obsidian_rt::compile::Resources;
///
/// let of_each_thread = Resources { registers: 40, local_bytes: 0, instructions: 100 };
/// assert_eq!(of_each_thread.local_bytes, 0); // nothing is spilled
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Resources {
    /// Registers of a thread.
    pub registers: u32,
    /// Bytes of local memory of a thread: registers that were spilled, and arrays that the compiler did not keep in registers, such as those of
    /// `sin` and `cos` for large arguments.
    pub local_bytes: u32,
    /// Instructions of the code, each once however often it is executed, without the padding at its end.
    pub instructions: u32,
}
