//! `roll`: random numbers that depend on the seed, the call and the number of the element alone, so that all devices draw the same.

use obsidian_rt::arrays::AnyElement;
use obsidian_rt::language::{EU64, lit, select};

use super::Call;
use crate::lower::Lowered;
use crate::lower::element::int;
use crate::lower::value::Value;
use crate::syntax::{Base, Constant};

/// `roll(0)`: uniform in 0 to 1; `roll(n)`: a whole number below `n`, as a double.
pub fn roll(call: &Call) -> Lowered<Value> {
    let n = call.array(0)?;
    if let Some(Constant::Int(n @ ..0)) = n.value() {
        return Err(call.wrong(format!("`roll` of {n}, which is negative")));
    }
    let stream =
        mixed_on_the_host(call.lowering.seed() ^ (u64::from(call.lowering.next_roll()) << 32));
    let number = call.lowering.number();
    let at = n.at();
    let made = call
        .lowering
        .delayed(Base::Double, Vec::new(), &[&n], move |_| {
            let number: EU64 = number.map_or_else(|| lit(0), |number| number.cast());
            let bits = mixed(lit(stream) + number * lit(STEP));
            let fraction = (bits >> 11u32).cast::<f64>() * (1.0 / 9_007_199_254_740_992.0);
            let n = int(&at(&[]));
            let whole = (fraction * n.cast::<f64>()).floor();
            AnyElement::of(select(n.eq(0), fraction, whole))
        });
    made.map(Value::Array)
}

/// The step of the counter of SplitMix64 (Steele, Lea and Flood, 2014).
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
const FACTORS: [u64; 2] = [0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb];

/// The output function of SplitMix64.
fn mixed(x: EU64) -> EU64 {
    let x = (x ^ (x >> 30u32)) * lit(FACTORS[0]);
    let x = (x ^ (x >> 27u32)) * lit(FACTORS[1]);
    x ^ (x >> 31u32)
}

pub fn mixed_on_the_host(x: u64) -> u64 {
    let x = x.wrapping_add(STEP);
    let x = (x ^ (x >> 30)).wrapping_mul(FACTORS[0]);
    let x = (x ^ (x >> 27)).wrapping_mul(FACTORS[1]);
    x ^ (x >> 31)
}
