//! Parts of the proofs by themselves.

use super::NONE;
use crate::error::Origin;
use crate::ir::{Kernel, Levelled, Statement, read};
use crate::plan::check::check;
use crate::plan::check::facts::{Facts, Kind, TOP};
use crate::plan::check::forms::Forms;
use crate::plan::check::poly::Poly;
use crate::plan::check::work::{Size, Work};
use crate::scalar::{BinaryOp, Claim, Literal, Node, NodeId, ScalarType, VariableId};

fn kernel(body: &str) -> Kernel<Levelled> {
    let text = format!(
        "kernel k {{ parameter 0 n: u32 parameter 1 x: u32[n] input parameter 2 out: u32[8_u32] output {body} }}"
    );
    read(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

#[test]
fn a_fact_is_eliminated_through_three_others() {
    let kernel = kernel("");
    let mut facts = Facts::new(Work::first(Size::of(&kernel)));
    let atoms: Vec<Poly> = (0..5)
        .map(|n| Poly::atom(facts.atom(Kind::Counter(n), 0, TOP)))
        .collect();
    // Each is at most the one before it, and the last one is at least 10.
    for pair in atoms.windows(2) {
        facts.add(pair[0].sub(&pair[1]));
    }
    facts.add(atoms[4].shift(-10));
    let known = |atom: &Poly| {
        let about = facts.about(atom.as_atom().unwrap(), 1);
        about.contains(&atom.shift(-10))
    };
    let known: Vec<bool> = atoms.iter().map(known).collect();
    assert_eq!(known, [false, true, true, true, true]);
}

#[test]
fn an_expression_with_more_than_three_choices_is_looked_at_sparingly() {
    let kernel = kernel(
        "let a = select((n < 1_u32), n, 1_u32) let b = select((n < 2_u32), a, 2_u32)
         let c = select((n < 3_u32), b, 3_u32) let d = select((n < 4_u32), c, 4_u32)",
    );
    let mut forms = Forms::new(
        &kernel,
        Work::sparing(Size::of(&kernel)),
        crate::plan::check::lengths::Taken::default(),
    );
    let values: Vec<NodeId> = kernel.body.iter().flat_map(Statement::nodes).collect();
    forms.look(&values);
    let sparing: Vec<bool> = values.iter().map(|id| forms.is_sparing(*id)).collect();
    assert_eq!(sparing, [false, false, false, true]);
}

/// What is wrong if two lengths in a loop have to be equal, the counter and the lesser of it and a
/// number.
fn lesser_is_counter(number: u32) -> Vec<&'static str> {
    let mut kernel =
        kernel("distribute Block b < 1_u32 { forall Block i < 8_u32 { store out[i] = 1_u32 } }");
    let mut variables = kernel.tables.variables.iter();
    let i = variables.position(|v| v.name.as_deref() == Some("i"));
    let i = VariableId(i.unwrap() as u32);
    let nodes = &mut kernel.tables.nodes;
    let right = nodes.add(Node::Variable(i), ScalarType::U32);
    let number = nodes.add_literal(Literal::from(number));
    let left = nodes.exact(BinaryOp::Min, right, number);
    kernel.tables.claims.push(Claim {
        left,
        right,
        what: "zip".to_owned(),
        origin: Origin::UNKNOWN,
        places: [Origin::UNKNOWN; 2],
    });
    check(&kernel).diagnostics.iter().map(|d| d.id).collect()
}

#[test]
fn lengths_of_a_loop_are_compared_where_its_counter_is_known() {
    assert_eq!(lesser_is_counter(7), NONE);
    assert_ne!(lesser_is_counter(6), NONE, "in the last round");
}
