//! What the lanes of a warp take from each other, as calls. All lanes take part.

use super::types;
use crate::ir::Lane;
use crate::scalar::{BinaryOp, Class, NodeId, ScalarType};

/// The call that gives a lane what it takes, a value of a type; `text` prints the number of a lane.
///
/// Types that CUDA does not shuffle go as words.
pub(super) fn call(
    ty: ScalarType,
    value: &str,
    from: Lane,
    text: impl FnOnce(NodeId) -> String,
) -> String {
    let back = || format!("({})", types::name(ty));
    let (value, back) = match ty.class() {
        Class::Bool | Class::Unsigned if ty.bits() < 32 => {
            (format!("(unsigned int)({value})"), back())
        }
        Class::Signed if ty.bits() < 32 => (format!("(int)({value})"), back()),
        Class::Bool | Class::Unsigned | Class::Signed | Class::Float => {
            (value.to_owned(), String::new())
        }
    };
    match from {
        Lane::Equal => format!("lanes_with({value})"),
        Lane::Ahead(lanes) => format!("{back}__shfl_down_sync(0xffffffff, {value}, {lanes})"),
        Lane::Number(lane) => {
            let lane = text(lane);
            format!("{back}__shfl_sync(0xffffffff, {value}, {lane})")
        }
        Lane::All(op) => match (ty == ScalarType::Bool, op) {
            (true, BinaryOp::And) => format!("__all_sync(0xffffffff, {value}) != 0"),
            (true, _) => format!("__any_sync(0xffffffff, {value}) != 0"),
            (false, _) => format!("{}_of_lanes({value})", word(op)),
        },
    }
}

/// The word for an operator by which lanes combine.
fn word(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Min => "min",
        BinaryOp::Max => "max",
        BinaryOp::And => "and",
        BinaryOp::Or => "or",
        BinaryOp::Xor => "xor",
        // The validator knows that it is one of them.
        _ => "add",
    }
}

#[cfg(test)]
mod tests {
    use super::super::helpers;
    use super::*;

    fn of_all(ty: ScalarType, op: BinaryOp) -> String {
        call(ty, "x", Lane::All(op), |_| String::new())
    }

    #[test]
    fn what_all_lanes_have_is_combined_by_the_instruction_of_its_operator() {
        for (op, word) in [
            (BinaryOp::Add, "add"),
            (BinaryOp::Min, "min"),
            (BinaryOp::Max, "max"),
            (BinaryOp::And, "and"),
            (BinaryOp::Or, "or"),
            (BinaryOp::Xor, "xor"),
        ] {
            let name = format!("{word}_of_lanes");
            assert_eq!(of_all(ScalarType::U32, op), format!("{name}(x)"));
            let helper = helpers::text(&[name.as_str()].into());
            let instruction = format!("__reduce_{word}_sync(0xffffffff, ");
            assert!(helper.contains(&instruction), "{helper}");
        }
        let of_bools = [BinaryOp::And, BinaryOp::Or].map(|op| of_all(ScalarType::Bool, op));
        let expected = ["__all_sync(", "__any_sync("];
        for (text, start) in of_bools.iter().zip(expected) {
            assert!(text.starts_with(start), "{text}");
        }
    }
}
