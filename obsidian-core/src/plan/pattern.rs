//! How a kernel writes an output, which `check` proves and the CPU relies on.

/// How an output is written, as far as it is proved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WritePattern {
    /// Block `b` writes exactly the elements `b * n` to `(b + 1) * n`, each once; the number is
    /// `n`.
    Chunks(u32),
    /// Block `b` writes exactly those of the elements `b * n` to `(b + 1) * n` that there are, each
    /// once; the number is `n`.
    Ragged(u32),
    /// An array that is changed in place: block `b` accesses no elements but those from `b * n` to
    /// `(b + 1) * n`, and not always all of them; the number is `n`.
    Own(u32),
    /// Nothing is proved.
    Scattered,
}
