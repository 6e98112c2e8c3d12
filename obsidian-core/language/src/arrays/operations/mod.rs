//! The operations on arrays, one file a family.

mod control;
mod each;
mod element_wise;
mod expand;
mod filter;
mod in_order;
pub mod late;
mod make;
mod permute;
mod places;
mod reduce;
mod scan;
mod shapes;
mod sort;
mod stencil;

pub use control::{Made, Node, State, awhile, if_then, power};
pub use each::{Elements, OfElements, each, each_at_place, undivided};
pub use element_wise::{unzip, unzip3, zip, zip_with, zip_with3, zip_with4, zip3};
pub use make::{enum_from_step, fill, generate, iota, literal, unit};
pub use places::{append, backpermute, gather, one_of};
pub use stencil::{Boundary, Function, Neighbours, Window};
