//! Dead-load elimination: reads whose value nothing uses are left out.
//!
//! Before and after: a kernel of either stage. It comes after `check`, which tells by the reads which
//! arrays are changed step by step, and before `barriers`, which places none for a read that is not
//! there; what the reads told of arrays, `changing` has found before.

use std::collections::BTreeSet;

use super::analysis::uses::used;
use crate::ir::{Kernel, Stage, Statement};
use crate::scalar::VariableId;

/// Takes out reads whose value nothing uses, and the names of old values that nothing uses.
pub fn dead_loads<S: Stage>(mut kernel: Kernel<S>) -> Kernel<S> {
    let used = used(&kernel);
    drop_from(&mut kernel.body, &used);
    kernel
}

fn drop_from<S: Stage>(list: &mut Vec<Statement<S>>, used: &BTreeSet<VariableId>) {
    list.retain(|s| match s {
        Statement::Read { variable, .. } | Statement::Get { variable, .. } => {
            used.contains(variable)
        }
        _ => true,
    });
    for statement in list {
        if let Statement::Atomic { result, .. } = statement {
            *result = result.filter(|variable| used.contains(variable));
        }
        statement
            .lists_mut()
            .into_iter()
            .for_each(|inner| drop_from(inner, used));
    }
}
