//! What a launch could be asked for, so that an access is inside of its array: the line to write.
//!
//! Two inputs that are indexed alike, a matrix of `n * n` elements: such a kernel is right for the
//! launches that its author has in mind, and `require` says which. Candidates are made of the lengths
//! and arguments that decide whether and where the access is executed. Each is tried: the kernel is
//! checked again with the requirement, and what then holds is proposed. So a proposed line is
//! accepted, as far as this access goes. What else it answers is the same mistake, and is not reported beside it. A requirement with which the access is never executed is
//! proposed to nobody: below `k < x.len()`, that `x.len()` is `k` makes everything right.

use super::forms::Forms;
use super::lengths::Taken;
use super::report;
use super::sites::{Site, Sites, Step, sites};
use super::work::{Size, Work};
use super::{Checked, Unproved, look};
use crate::error::{Diagnostic, Origin, catalogue};
use crate::ir::{Kernel, Levelled};
use crate::ordered::Set;
use crate::scalar::{
    ArrayId, ArrayPlace, BinaryOp, Constraint, Literal, Node, NodeId, Requirement, Role, Tables,
};

/// Requirements that are tried for one array.
const MOST_CANDIDATES: usize = 12;
/// Steps of all checks with a requirement, beyond which no further one is tried.
const MOST_STEPS: u64 = 200_000;

/// An access that may be outside of its array.
#[derive(Clone, Debug)]
pub(super) struct Open {
    /// The array.
    pub(super) array: ArrayId,
    /// Where its diagnostic is.
    pub(super) origin: Origin,
    /// What could be asked for.
    candidates: Vec<Requirement>,
}

impl Open {
    pub(super) fn new(forms: &Forms<'_>, sites: &Sites, site: &Site, wrong: &Diagnostic) -> Open {
        Open {
            array: site.array,
            origin: wrong.origin,
            candidates: candidates(forms, sites, site),
        }
    }
}

/// Adds to diagnostics of accesses that may be outside what each launch could be asked for.
pub(super) fn propose(kernel: &Kernel<Levelled>, checked: &mut Checked, open: &[Open]) {
    let arrays: Set<ArrayId> = open.iter().map(|open| open.array).collect();
    let mut steps = 0;
    let mut left: Vec<(ArrayId, Origin)> = open.iter().map(|o| (o.array, o.origin)).collect();
    for array in arrays {
        let own = open.iter().filter(|open| open.array == array);
        let mut candidates: Vec<Requirement> = Vec::new();
        for candidate in own.flat_map(|open| &open.candidates) {
            if !candidates.iter().any(|known| is_same(known, candidate)) {
                candidates.push(*candidate);
            }
        }
        for candidate in candidates.into_iter().take(MOST_CANDIDATES) {
            let Some(line) = line(&kernel.tables, &candidate) else {
                continue;
            };
            if steps > MOST_STEPS || !left.iter().any(|(own, _)| *own == array) {
                break;
            }
            let mut asking = kernel.clone();
            asking.tables.requirements.push(candidate);
            let work = Work::first(Size::of(&asking));
            let Ok((with, still)) = look(&asking, work, Taken::default(), Unproved::Explained)
            else {
                continue;
            };
            steps += with.steps;
            let is_open = |origin| {
                let mut still = still.iter();
                still.any(|open| (open.array, open.origin) == (array, origin))
            };
            let executed = executed(&asking, array);
            let (solved, unsolved) = left.into_iter().partition(|(own, origin)| {
                *own == array && !is_open(*origin) && executed.contains(origin)
            });
            left = unsolved;
            let solved: Vec<Origin> = solved.into_iter().map(|(_, origin)| origin).collect();
            for origin in &solved {
                note(checked, *origin, &line);
            }
            report_once(checked, &line, &with, &never_executed(&asking));
        }
    }
}

/// The places of the accesses of an array of which it is not known that they are never executed.
fn executed(kernel: &Kernel<Levelled>, array: ArrayId) -> Set<Origin> {
    let mut forms = Forms::new(kernel, Work::first(Size::of(kernel)), Taken::default());
    let found = sites(kernel, &mut forms);
    let mut executed = Set::new();
    for site in found.of_array(array) {
        let never = forms.behind(&found, &site.path, |forms| forms.facts.is_absurd());
        if !never {
            executed.insert(report::place(site, kernel.tables.array(array)));
        }
    }
    executed
}

/// The places of accesses of which it is known that they are never executed.
fn never_executed(kernel: &Kernel<Levelled>) -> Set<Origin> {
    let mut forms = Forms::new(kernel, Work::first(Size::of(kernel)), Taken::default());
    let found = sites(kernel, &mut forms);
    let mut never = Set::new();
    for (number, own) in kernel.tables.arrays.iter().enumerate() {
        for site in found.of_array(ArrayId(number as u32)) {
            if forms.behind(&found, &site.path, |forms| forms.facts.is_absurd()) {
                never.insert(report::place(site, own));
            }
        }
    }
    never
}

fn note(checked: &mut Checked, origin: Origin, line: &str) {
    let of_range = checked.diagnostics.iter_mut();
    let wrong = of_range.filter(|d| d.origin == origin && super::is_range(d));
    // Several accesses may have one place.
    for wrong in wrong.filter(|d| !d.notes.contains(&catalogue::ask_launch(line))) {
        wrong.notes.insert(0, catalogue::ask_launch(line));
    }
}

/// Keeps one of the diagnostics that a requirement answers, the first for which it is proposed: each of the others is wrong no more once it is there.
/// What is right then because it is never executed is another mistake.
fn report_once(checked: &mut Checked, line: &str, with: &Checked, never: &Set<Origin>) {
    let proposal = catalogue::ask_launch(line);
    let mut all = checked.diagnostics.iter();
    let Some(first) = all.position(|d| d.notes.contains(&proposal)) else {
        return;
    };
    let is_left = |own: &Diagnostic| {
        let is_same = |other: &Diagnostic| {
            other.origin == own.origin
                && (other.id == own.id || super::is_range(other) && super::is_range(own))
        };
        with.diagnostics.iter().any(is_same)
    };
    let mut number = 0;
    checked.diagnostics.retain(|own| {
        number += 1;
        number - 1 == first || is_left(own) || never.contains(&own.origin)
    });
}

fn is_same(one: &Requirement, other: &Requirement) -> bool {
    one.length == other.length && one.constraint == other.constraint
}

/// What could be asked of the lengths and arguments that decide about an access: that the array is as
/// long as another one, or as something that bounds the access; that there is an element.
fn candidates(forms: &Forms<'_>, sites: &Sites, site: &Site) -> Vec<Requirement> {
    let tables = forms.tables;
    let (mut rounds, mut bounds) = (Vec::new(), Vec::new());
    for step in site.path.iter().rev() {
        match *step {
            Step::Loop(number) => rounds.push(sites.loops[number].count),
            Step::When(condition, _) => bounds.extend(operands(forms, condition, false)),
            Step::Repeated => {}
        }
    }
    bounds.extend(operands(forms, site.index, true));
    let outputs = tables.arrays.iter();
    let outputs = outputs.filter(|array| array.place == ArrayPlace::Global(Role::Output));
    bounds.extend(outputs.map(|array| array.length));
    let [rounds, bounds]: [Vec<NodeId>; 2] =
        [rounds, bounds].map(|of| of.into_iter().map(|id| named(forms, id)).collect());
    let own = given_length(tables, site.array);
    let ask = |length: NodeId, constraint: Constraint<NodeId>| Requirement {
        length,
        constraint,
        origin: Origin::UNKNOWN,
    };
    let mut found: Vec<Requirement> = Vec::new();
    let mut leaves: Vec<NodeId> = Vec::new();
    for bound in rounds.iter().chain(&bounds) {
        let parts = tables.nodes.post_order(&[*bound], |_| false);
        leaves.extend(parts.into_iter().filter(|id| is_leaf(tables, *id)));
    }
    if let Some(own) = own {
        // The number of rounds of a loop whose counter the index is says most.
        let counts = counters(forms, sites, site);
        let lengths = leaves
            .iter()
            .filter(|id| matches!(tables.nodes.node(**id), Node::Length(_)));
        let formulas = bounds.iter().filter(|id| is_formula(tables, **id));
        for other in counts.iter().chain(lengths).chain(formulas) {
            let parts = tables.nodes.post_order(&[*other], |_| false);
            if !parts.contains(&own) {
                found.push(ask(own, Constraint::Equal(*other)));
            }
        }
        found.push(ask(own, Constraint::AtLeast(1)));
    }
    found.extend(
        leaves
            .into_iter()
            .map(|leaf| ask(leaf, Constraint::AtLeast(1))),
    );
    let mut distinct: Vec<Requirement> = Vec::new();
    for one in found {
        if !distinct.iter().any(|other| is_same(&one, other)) {
            distinct.push(one);
        }
    }
    distinct
}

/// How many rounds the loops have whose counters an index grows with, if a launch knows that.
fn counters(forms: &Forms<'_>, sites: &Sites, site: &Site) -> Vec<NodeId> {
    let tables = forms.tables;
    let loops = site.path.iter().filter_map(|step| match step {
        Step::Loop(number) => sites.loops.get(*number),
        _ => None,
    });
    let own = loops.filter(|around| site.poly.factor(&[around.atom]) == 1);
    let counts = own.map(|around| named(forms, around.count));
    counts.filter(|id| is_formula(tables, *id)).collect()
}

/// The numbers that may bound an index: those that a condition says it is below or above, and what the
/// index is the sum or the product of, or the remainder by. What is compared for equality bounds nothing, nor
/// what a number in a condition is divided by.
fn operands(forms: &Forms<'_>, root: NodeId, is_index: bool) -> Vec<NodeId> {
    let tables = forms.tables;
    let mut found = Vec::new();
    let mut seen = Set::new();
    let mut stack = vec![root];
    while let Some(id) = stack.pop() {
        if !seen.insert(id) || seen.len() > 64 {
            continue;
        }
        match tables.nodes.node(id) {
            Node::Variable(variable) if forms.names.contains_key(&variable) => {
                stack.extend(forms.names.get(&variable));
            }
            _ if tables.known_at_launch(id) => found.push(id),
            Node::Binary {
                op, left, right, ..
            } => match op {
                BinaryOp::Rem if is_index => stack.push(right),
                _ if is_bounded(op) => stack.extend([left, right]),
                _ => {}
            },
            node @ (Node::Select { .. } | Node::Unary { .. } | Node::Cast { .. }) => {
                stack.extend(node.operands());
            }
            _ => {}
        }
    }
    found
}

/// Do the operands say how large the result may be, or each other?
fn is_bounded(op: BinaryOp) -> bool {
    use BinaryOp::{Add, And, Ge, Gt, Le, Lt, Max, Min, Mul, Or, Sub};
    matches!(
        op,
        Add | Sub | Mul | Min | Max | Lt | Le | Gt | Ge | And | Or
    )
}

/// What a name stands for.
fn named(forms: &Forms<'_>, id: NodeId) -> NodeId {
    match forms.tables.nodes.node(id) {
        Node::Variable(variable) => forms.names.get(&variable).copied().unwrap_or(id),
        _ => id,
    }
}

/// The length of an array that a launch gives, unless the kernel says what it is.
fn given_length(tables: &Tables, id: ArrayId) -> Option<NodeId> {
    let array = tables.arrays.get(id.0 as usize)?;
    let given = matches!(array.place, ArrayPlace::Global(Role::Input | Role::InOut));
    (given && matches!(tables.nodes.node(array.length), Node::Length(_))).then_some(array.length)
}

fn is_leaf(tables: &Tables, id: NodeId) -> bool {
    matches!(tables.nodes.node(id), Node::Length(_) | Node::Variable(_))
        && tables.known_at_launch(id)
}

fn is_formula(tables: &Tables, id: NodeId) -> bool {
    tables.known_at_launch(id) && tables.nodes.literal(id).is_none()
}

/// The line to write, in the words of the kernel language.
fn line(tables: &Tables, asked: &Requirement) -> Option<String> {
    let length = words(tables, asked.length, 0)?;
    let condition = match asked.constraint {
        Constraint::Equal(other) => format!("equals({})", words(tables, other, 0)?),
        Constraint::AtLeast(n) => format!("at_least({n})"),
        _ => return None,
    };
    let text = format!("require({length}.{condition})");
    (text.len() <= 100).then_some(text)
}

/// A length, as the user writes it; in parentheses if its operator binds less than `least`: 1 for
/// sums, 2 for products, 3 for what has methods.
fn words(tables: &Tables, id: NodeId, least: u32) -> Option<String> {
    let name = |name: &str| is_identifier(name).then(|| name.to_owned());
    match tables.nodes.node(id) {
        Node::Length(array) => {
            let array = tables.arrays.get(array.0 as usize)?;
            Some(format!("{}.len()", name(&array.name)?))
        }
        Node::Variable(variable) => {
            name(tables.variables.get(variable.0 as usize)?.name.as_deref()?)
        }
        Node::Literal(literal) => Some(literal.as_integer()?.to_string()),
        Node::Binary {
            op, left, right, ..
        } => {
            if let Some((x, y)) = rounded_up(tables, op, left, right) {
                let (x, y) = (words(tables, x, 3)?, words(tables, y, 0)?);
                return Some(format!("{x}.div_ceil({y})"));
            }
            let (symbol, level) = match op {
                BinaryOp::Add => ("+", 1),
                BinaryOp::Sub => ("-", 1),
                BinaryOp::Mul => ("*", 2),
                BinaryOp::Div => ("/", 2),
                BinaryOp::Rem => ("%", 2),
                BinaryOp::Min | BinaryOp::Max => {
                    let (x, y) = (words(tables, left, 3)?, words(tables, right, 0)?);
                    return Some(format!("{x}.{}({y})", op.name()));
                }
                _ => return None,
            };
            let (x, y) = (
                words(tables, left, level)?,
                words(tables, right, level + 1)?,
            );
            let text = format!("{x} {symbol} {y}");
            Some(match level < least {
                true => format!("({text})"),
                false => text,
            })
        }
        _ => None,
    }
}

/// `x / y + min(x % y, 1)` is what `x.div_ceil(y)` makes.
fn rounded_up(
    tables: &Tables,
    op: BinaryOp,
    left: NodeId,
    right: NodeId,
) -> Option<(NodeId, NodeId)> {
    let parts = |id: NodeId, wanted: BinaryOp| tables.nodes.node(id).operands_of(wanted);
    let whole = parts(left, BinaryOp::Div).filter(|_| op == BinaryOp::Add)?;
    let (rest, one) = parts(right, BinaryOp::Min)?;
    let is_one = tables.nodes.literal(one).map(Literal::u32) == Some(1);
    (is_one && parts(rest, BinaryOp::Rem) == Some(whole)).then_some(whole)
}

/// Can a name be written in a kernel?
fn is_identifier(name: &str) -> bool {
    let mut letters = name.chars();
    letters
        .next()
        .is_some_and(|c| c.is_alphabetic() || c == '_')
        && letters.all(|c| c.is_alphanumeric() || c == '_')
}
