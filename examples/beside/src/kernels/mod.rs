//! The programs: over whole arrays, as device functions, and as kernels.

mod arrays;
mod functions;
mod registers;
mod shaped;

pub use arrays::whole;
pub use functions::plain;
pub use registers::rows;
pub use shaped::tuned;
