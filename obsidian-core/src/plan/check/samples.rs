//! Lengths and arguments at which accesses are enumerated for an example of what is wrong.

use super::facts::Kind;
use super::forms::Forms;
use super::poly::Atom;
use crate::scalar::{BinaryOp, Constraint, Node, NodeId, Requirement, ScalarType};

/// Values for lengths and arguments of the kernel; none where all that is enumerated is known
/// without them.
pub(super) type Sample = Vec<(Node, u32)>;

/// Lengths and arguments to try: the first is none at all.
pub(super) fn samples(forms: &mut Forms<'_>) -> Vec<Sample> {
    let nodes = &forms.tables.nodes;
    let leaves: Vec<(NodeId, Node)> = nodes
        .ids()
        .map(|id| (id, nodes.node(id)))
        .filter(|(id, node)| match node {
            Node::Length(_) => true,
            Node::Variable(v) => nodes.ty(*id) == ScalarType::U32 && forms.is_argument(*v),
            _ => false,
        })
        .collect();
    let mut list: Vec<Sample> = vec![Vec::new()];
    if leaves.is_empty() {
        return list;
    }
    // Every length is a multiple of what the launch asks for.
    let units: Vec<u32> = leaves
        .iter()
        .map(|(id, _)| {
            forms.ring(*id).terms().fold(1, |unit, (_, factor)| {
                u32::try_from(factor).map_or(unit, |f| f.max(unit))
            })
        })
        .collect();
    let leaves_times = |times: &dyn Fn(usize) -> u32| -> Sample {
        let each = leaves.iter().zip(&units).enumerate();
        each.map(|(n, ((_, leaf), unit))| (*leaf, unit.saturating_mul(times(n))))
            .collect()
    };
    let all = [1, 2, 3, 5, 8, 33, 64, 128, 257, 1000, 0];
    list.extend(all.map(|size| leaves_times(&|_| size)));
    let lone = 0..leaves.len().min(4);
    list.extend(lone.map(|lone| leaves_times(&|n| if n == lone { 7 } else { 2 })));
    for sample in &mut list {
        products(forms, &leaves, sample);
    }
    list.retain(|sample| sample.is_empty() || allowed(forms, sample));
    list
}

/// Gives lengths that have to be products of others those values.
fn products(forms: &mut Forms<'_>, leaves: &[(NodeId, Node)], sample: &mut Sample) {
    for (id, leaf) in leaves {
        let value = forms.ring(*id);
        if value.terms().all(|(product, _)| product.len() < 2) {
            continue;
        }
        let given = |atom: &Atom| match forms.facts.kind(*atom) {
            Kind::Leaf(other) => sample
                .iter()
                .find(|(own, _)| own == other)
                .map_or(2, |(_, value)| *value),
            _ => 2,
        };
        let term = |(product, factor): (&[Atom], i128)| {
            product.iter().fold(factor, |value, atom| {
                value.saturating_mul(given(atom).into())
            })
        };
        let value = value.terms().map(term).fold(0, i128::saturating_add);
        let Ok(value) = u32::try_from(value) else {
            continue;
        };
        sample
            .iter_mut()
            .filter(|(own, _)| own == leaf)
            .for_each(|(_, own)| *own = value);
    }
}

/// Would a launch accept these lengths, and can it compute all that it has to?
fn allowed(forms: &Forms<'_>, sample: &Sample) -> bool {
    let mut computed = forms.computed.iter();
    if !computed.all(|id| is_computed(forms, *id, sample).unwrap_or(true)) {
        return false;
    }
    let holds = |requirement: &Requirement| {
        let length = forms.number(requirement.length, sample)?;
        let other = |id: &NodeId| forms.number(*id, sample).ok_or(());
        Some(match requirement.constraint.try_map(other).ok()? {
            Constraint::Fits => true,
            Constraint::AtLeast(n) | Constraint::Reaches(n) => length >= n.into(),
            Constraint::MultipleOf(n) => length.is_multiple_of(n.into()),
            Constraint::DividedBy(n) => length.checked_rem(n).unwrap_or(length) == 0,
            Constraint::Equal(n) => length == n,
        })
    };
    let mut requirements = forms.tables.requirements.iter();
    requirements.all(|requirement| holds(requirement).unwrap_or(true))
}

/// Does a sum, difference or product at these lengths fit a `u32`?
fn is_computed(forms: &Forms<'_>, id: NodeId, sample: &Sample) -> Option<bool> {
    let Node::Binary {
        op, left, right, ..
    } = forms.tables.nodes.node(id)
    else {
        return None;
    };
    let (x, y) = (forms.number(left, sample)?, forms.number(right, sample)?);
    let number = match op {
        BinaryOp::Add => x.checked_add(y),
        BinaryOp::Sub => x.checked_sub(y),
        BinaryOp::Mul => x.checked_mul(y),
        _ => return None,
    };
    Some(number.is_some_and(|number| number <= u32::MAX.into()))
}

/// A number of elements in words.
pub(super) fn elements(n: u64) -> String {
    if n == 1 {
        "1 element".to_owned()
    } else {
        format!("{n} elements")
    }
}

/// A sample in words, with the names of the parameters; nothing for none.
pub(super) fn words(forms: &Forms<'_>, sample: &Sample) -> String {
    let parts: Vec<String> = sample
        .iter()
        .filter_map(|(leaf, value)| match leaf {
            Node::Length(array) => Some(format!(
                "`{}` has {}",
                forms.tables.arrays.get(array.0 as usize)?.name,
                elements((*value).into())
            )),
            Node::Variable(v) => Some(format!(
                "`{}` is {value}",
                forms.tables.variables.get(v.0 as usize)?.name.as_deref()?
            )),
            _ => None,
        })
        .collect();
    if parts.is_empty() {
        String::new()
    } else {
        format!(", for example when {}", parts.join(" and "))
    }
}
