//! The paper's design spaces, and what the cost model makes of them.

pub mod compare;
