//! Methods of a struct, inside of the module.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[derive(Clone, Copy, Element)]
    pub struct Body {
        pub at: f32,
        pub mass: f32,
    }

    impl Body {
        pub fn norm(self) -> f32 {
            self.mass
        }
    }
}

fn main() {}
