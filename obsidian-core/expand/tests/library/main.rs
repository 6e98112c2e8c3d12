//! The library of the language, natively: its functions, programs as a monad, and what is used only once.

mod functions;
mod hold;
mod monad;
mod proposals;
mod unused;
