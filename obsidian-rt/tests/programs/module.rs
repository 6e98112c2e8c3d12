//! Array programs in modules: what the macro makes of them is what the library makes while the program runs.

use obsidian_rt::Device;
use obsidian_rt::arrays::ArrayProgram;
use obsidian_rt::prelude::*;

#[kernels]
mod linear {
    #[arrays]
    pub fn dotp(xs: Arr1<EF32>, ys: Arr1<EF32>) -> Arr0<EF32> {
        zip_with(|x, y| x * y, xs, ys).fold(|a, b| a + b, 0.0)
    }

    #[arrays]
    pub fn mvm(m: Arr2<EF32>, v: Arr1<EF32>) -> Arr1<EF32> {
        let (height, _) = m.shape();
        zip_with(|a, b| a * b, m, v.replicate(height)).fold(|a, b| a + b, 0.0)
    }

    #[arrays]
    pub fn max_sum(xs: Arr1<EF32>) -> (Arr0<EF32>, Arr0<EF32>) {
        (xs.max(), xs.sum())
    }
}

#[test]
fn a_dot_product() {
    let device = Device::cpu();
    let xs = device.array([3], &[1.0f32, 2.0, 3.0]).unwrap();
    let ys = device.array([3], &[4.0f32, 5.0, 6.0]).unwrap();
    let sum = linear::dotp::run(&device, &xs, &ys).unwrap();
    assert_eq!(sum.value().unwrap(), 32.0);
    assert_eq!(linear::dotp::schedule().operators(), 1);
    let other = ArrayProgram::build("dotp", linear::dotp).unwrap();
    println!("{}\n{}", other.schedule(), linear::dotp::schedule());
    assert_eq!(other.run(&device, (&xs, &ys)).unwrap().value().unwrap(), 32.0);
}
