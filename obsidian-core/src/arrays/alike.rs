//! When two kernels are one: they do the same, and what goes wrong in them is reported at the same places.

use crate::error::Site;
use crate::plan::Plan;

/// What two kernels have in common that differ in nothing but their names.
#[derive(Clone, PartialEq, Debug)]
pub struct Likeness {
    /// Threads, parameters, requirements and statements.
    body: String,
    /// Where the accesses and assertions stand that a run checks. Without a check, no run names a place.
    checked: Option<Vec<Option<Site>>>,
}

impl Likeness {
    /// That of a kernel.
    pub fn of(plan: &Plan) -> Self {
        let text = plan.kernel().to_string();
        // The first line is the name.
        let body = text.split_once('\n').map(|(_, body)| body.to_owned());
        Likeness {
            body: body.unwrap_or_default(),
            checked: plan.faults().then(|| places(plan)),
        }
    }
}

/// The places of all accesses and assertions, in the order of the statements.
fn places(plan: &Plan) -> Vec<Option<Site>> {
    let kernel = plan.kernel();
    let nodes = &kernel.tables.nodes;
    let mut places = Vec::new();
    for statement in &kernel.body {
        statement.visit(&mut |statement| {
            // A node that has no place of its own has an unknown one.
            let read = nodes.post_order(&statement.nodes(), |_| false);
            places.extend(read.into_iter().map(|node| nodes.origin(node)));
            places.extend(statement.accessed().map(|accessed| accessed.origin));
            places.extend(statement.told().map(|report| report.origin));
        });
    }
    let origins = &kernel.tables.origins;
    places
        .into_iter()
        .map(|place| origins.site(place))
        .collect()
}
