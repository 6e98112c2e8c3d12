//! What programs become, where no device is needed.

use super::*;
use crate::scalar::{Exp, lit};

fn built<R: ArrayResult>(name: &str, f: impl Fn(&mut Signature) -> R) -> Compiled {
    let function = |signature: &mut Signature| {
        let mut declared = Declared::default();
        f(signature).take(&mut declared);
        declared
    };
    build(name, &[], Settings::default(), &function).unwrap()
}

#[test]
fn a_fold_in_order_takes_no_element_of_nothing() {
    type Pair = (Exp<u32>, Exp<u32>);
    let made = built("pairs", |signature| {
        let xs: Arr1<Pair> = ArrayParameter::declare(signature);
        let f = |(a, b): Pair, (c, d): Pair| (a * c, b * c + d);
        xs.fold(f, (lit(3), lit(2)))
    });
    for plan in &made.plans {
        let kernel = plan.lowered();
        assert!(
            !format!("{:?}", kernel.tables.requirements).contains("Reaches"),
            "{kernel}"
        );
    }
}
