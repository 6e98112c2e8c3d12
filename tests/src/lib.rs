//! What the tests share: a kernel as a fact, `kernel(inputs) == reference`.
//!
//! [`fact!`] makes one test of one line, by [`hold`]. It holds that the native build gives the CUDA
//! of the expansion byte for byte, and that CPU, simulator and the executor of CUDA texts all agree
//! with a reference in plain Rust, for several numbers of threads and lengths; with
//! `OBSIDIAN_FULL=1`, for those of the [`sweep`]. The rest of this page is the README, so that its
//! example runs.
#![doc = include_str!("../../README.md")]

pub mod census;
pub mod fuzz;
pub mod program;
pub mod proposals;
pub mod random;
pub mod scan_order;
pub mod sweep;
pub mod tidy;
pub mod waits;

use std::fmt::Debug;
use std::fs;
use std::path::Path;

use obsidian_rt::{Buffer, Element, Kernel};

/// What programs that tests compile name the runtime by.
pub use obsidian_rt;
pub use sweep::{devices, hold};

thread_local! {
    static QUIET: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Runs what may panic as a matter of course: the panics of this thread print nothing meanwhile.
pub fn quietly<R>(f: impl FnOnce() -> R) -> R {
    static HOOK: std::sync::Once = std::sync::Once::new();
    HOOK.call_once(|| {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                hook(info);
            }
        }));
    });
    QUIET.set(true);
    let result = f();
    QUIET.set(false);
    result
}

/// Elements that tests are fed with: every value differs from its neighbours, and sums of a few
/// thousand stay exact.
pub trait Sample: Element {
    /// The element of an input at an index.
    fn sample(index: usize) -> Self;
}

macro_rules! samples {
    ($($ty:ident $i:ident => $value:expr;)*) => {$(
        impl Sample for $ty {
            fn sample($i: usize) -> Self {
                $value
            }
        }
    )*};
}

samples! {
    u8 i => (i * 37 % 251) as u8;
    u32 i => (i * 2_654_435_761 % 1009) as u32;
    u64 i => (i * 2_654_435_761 % 1009) as u64;
    i32 i => (i * 2_654_435_761 % 1009) as i32 - 500;
    i16 i => (i * 2_654_435_761 % 1009) as i16 - 500;
    f32 i => (i * 2_654_435_761 % 1009) as f32 / 4.0 - 100.0;
    f64 i => (i * 2_654_435_761 % 1009) as f64 / 4.0 - 100.0;
}

/// The first `n` samples.
pub fn samples<T: Sample>(n: usize) -> Vec<T> {
    (0..n).map(T::sample).collect()
}

/// What a launch gives, as vectors.
pub trait Download {
    /// The vectors.
    type Host: PartialEq + Debug;
    /// Copies them from the device.
    fn download(&self) -> Self::Host;
}

impl<T: Element + Debug + PartialEq> Download for Buffer<T> {
    type Host = Vec<T>;
    fn download(&self) -> Vec<T> {
        self.to_vec().expect("a buffer can be read")
    }
}

impl<A: Download, B: Download> Download for (A, B) {
    type Host = (A::Host, B::Host);
    fn download(&self) -> Self::Host {
        (self.0.download(), self.1.download())
    }
}

impl<A: Download, B: Download, C: Download> Download for (A, B, C) {
    type Host = (A::Host, B::Host, C::Host);
    fn download(&self) -> Self::Host {
        (self.0.download(), self.1.download(), self.2.download())
    }
}

/// Writes a kernel's CUDA text where `.ci/cubin` looks for the texts to compile; the text is tidy.
pub fn keep(kernel: &Kernel) {
    let wrong = tidy::untidy(kernel.cuda());
    assert_eq!(wrong, None, "{}", kernel.cuda());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/tmp/cuda");
    fs::create_dir_all(&folder).expect("target/ can be written");
    // Tests run side by side, and kernels of two tests may share a name: the text is part of the
    // file's.
    let hash = kernel
        .cuda()
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |h, b| {
            (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)
        });
    let file = folder.join(format!("{}.{hash:016x}.cu", kernel.name()));
    let half = folder.join(format!(
        "{}.{hash:016x}.{:?}.half",
        kernel.name(),
        std::thread::current().id()
    ));
    fs::write(&half, kernel.cuda())
        .and_then(|()| fs::rename(&half, &file))
        .expect("target/ can be written");
}

/// `fact!(test: path::kernel[piece](x: u32, y: f32) == reference)`: the kernel, launched with
/// samples for its inputs, gives what the reference does with the same vectors `x` and `y`. The
/// length of each input is a number of pieces, or any for a kernel that takes any.
///
/// Numbers come after the arrays: `(x: u32; 3, 0.5)`. Inputs that are the fields of one array of
/// tuples: `((x: u32, y: f32))`.
#[macro_export]
macro_rules! fact {
    ($test:ident: $($kernel:ident)::+ [$piece:expr] (($($input:ident: $ty:ty),+)) == $reference:expr) => {
        $crate::fact!(@ $test [$($kernel)::+] $piece, $($input: $ty),+; [(($(&$input,)+))]; $reference);
    };
    ($test:ident: $($kernel:ident)::+ [$piece:expr] ($($input:ident: $ty:ty),+ $(; $($number:expr),+)?) == $reference:expr) => {
        $crate::fact!(@ $test [$($kernel)::+] $piece, $($input: $ty),+; [($(&$input,)+ $($($number),+)?)]; $reference);
    };
    (@ $test:ident [$($kernel:ident)::+] $piece:expr, $($input:ident: $ty:ty),+; [($($argument:expr),+ $(,)?)]; $reference:expr) => {
        #[test]
        #[allow(unused_variables)]
        fn $test() {
            use $($kernel)::+ as kernel;
            $crate::hold(
                &kernel::kernel(),
                kernel::CUDA,
                $piece,
                |built, device, length| {
                    $(let $input = device.upload(&$crate::samples::<$ty>(length))?;)+
                    kernel::launch_kernel(built, device, $($argument),+)
                },
                |length| {
                    $(let $input = $crate::samples::<$ty>(length);)+
                    $reference
                },
            );
        }
    };
}
