//! Every operator on every type with the values that are easy to get wrong: the simulator and the
//! CUDA text, compiled for the host by `g++`, give what `meaning` says, bit for bit.

mod cases;
mod host;
mod random;

use crate::plan::Plan;
use crate::scalar::{Literal, ScalarType};
use crate::simulate::{self, Argument};

/// One kernel with one thread, its inputs, and what its output must be.
struct Case {
    plan: Plan,
    inputs: Vec<(ScalarType, Vec<Literal>)>,
    expected: (ScalarType, Vec<Literal>),
    /// The distance in units of the last place that is allowed.
    ulps: u64,
}

impl Case {
    fn name(&self) -> &str {
        &self.plan.kernel().name
    }

    /// What the simulator makes of it.
    fn simulated(&self) -> Vec<Literal> {
        let bits = |list: &[Literal]| list.iter().map(|l| l.bits()).collect::<Vec<_>>();
        let mut buffers: Vec<_> = self.inputs.iter().map(|(_, list)| bits(list)).collect();
        buffers.push(vec![0; self.expected.1.len()]);
        let mut arguments: Vec<_> = buffers
            .iter_mut()
            .map(|buffer| Argument::Array(buffer))
            .collect();
        simulate::run(&self.plan, &mut arguments, 1)
            .unwrap_or_else(|fault| panic!("{}: {fault}", self.name()));
        let ty = self.expected.0;
        buffers
            .pop()
            .unwrap()
            .into_iter()
            .map(|bits| Literal::from_bits(ty, bits))
            .collect()
    }

    fn check(&self, who: &str, found: &[Literal]) {
        assert_eq!(found.len(), self.expected.1.len(), "{}", self.name());
        for (n, (found, expected)) in found.iter().zip(&self.expected.1).enumerate() {
            let inputs: Vec<_> = self.inputs.iter().map(|(_, list)| list.get(n)).collect();
            assert!(
                same(*found, *expected, self.ulps),
                "{who}, {}, element {n} of {inputs:?}: {found:?} instead of {expected:?}\n{}",
                self.name(),
                crate::emit::cuda(&self.plan)
            );
        }
    }
}

/// Equal bits; a NaN is a NaN; otherwise at most `ulps` units of the last place apart.
fn same(x: Literal, y: Literal, ulps: u64) -> bool {
    let float = |l: Literal| {
        if l.ty() == ScalarType::F32 {
            f64::from(l.f32())
        } else {
            l.f64()
        }
    };
    if !x.ty().is_float() || x == y {
        return x == y;
    }
    if float(x).is_nan() || float(y).is_nan() {
        return float(x).is_nan() && float(y).is_nan();
    }
    x.bits().abs_diff(y.bits()) <= ulps
}

#[test]
fn the_simulator_gives_what_each_operator_means() {
    for case in cases::all() {
        case.check("simulator", &case.simulated());
    }
}

#[test]
fn the_cuda_text_gives_what_each_operator_means() {
    host::check(&cases::all(), "operators");
}

#[test]
fn the_cuda_text_of_random_expressions_gives_what_the_simulator_gives() {
    let cases: Vec<_> = (0..150).map(random::case).collect();
    host::check(&cases, "random");
}

/// The texts of all operators and some random expressions, each in a namespace.
pub(super) fn texts() -> String {
    let all = cases::all()
        .into_iter()
        .chain((0..150).map(random::case))
        .enumerate();
    all.map(|(n, case)| format!("namespace k{n} {{\n{}}}\n", crate::emit::cuda(&case.plan)))
        .collect()
}
