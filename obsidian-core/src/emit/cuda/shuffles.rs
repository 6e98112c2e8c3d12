//! What the lanes of a warp take from each other, as calls. All lanes take part.

use super::types;
use crate::ir::Lane;
use crate::scalar::{BinaryOp, NodeId, ScalarType};

/// The call that gives a lane what it takes, a value of a type; `text` prints the number of a lane.
///
/// Types that CUDA does not shuffle go as words.
pub(super) fn call(
    ty: ScalarType,
    value: &str,
    from: Lane,
    text: impl FnOnce(NodeId) -> String,
) -> String {
    let (value, back) = match ty {
        ScalarType::Bool | ScalarType::U8 | ScalarType::U16 => (
            format!("(unsigned int)({value})"),
            format!("({})", types::name(ty)),
        ),
        ScalarType::I8 | ScalarType::I16 => {
            (format!("(int)({value})"), format!("({})", types::name(ty)))
        }
        _ => (value.to_owned(), String::new()),
    };
    match from {
        Lane::Equal => format!("lanes_with({value})"),
        Lane::Ahead(lanes) => format!("{back}__shfl_down_sync(0xffffffff, {value}, {lanes})"),
        Lane::Number(lane) => {
            let lane = text(lane);
            format!("{back}__shfl_sync(0xffffffff, {value}, {lane})")
        }
        Lane::All(op) => match (ty, op) {
            (ScalarType::Bool, BinaryOp::And) => format!("__all_sync(0xffffffff, {value}) != 0"),
            (ScalarType::Bool, _) => format!("__any_sync(0xffffffff, {value}) != 0"),
            _ => format!("{}_of_lanes({value})", word(op)),
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
