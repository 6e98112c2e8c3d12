//! Lines of the user's source in the text: `#line` directives.

use std::panic::Location;

use crate::error::{Origin, Site};
use crate::ir::{Kernel, Physical, Statement};
use crate::scalar::{ArrayPlace, Role};

/// Which line of the source the next line of the text belongs to.
#[derive(Default)]
pub(super) struct Lines {
    last: Option<Directive>,
}

/// A directive that was written.
struct Directive {
    place: &'static Location<'static>,
    /// The length of the text behind it.
    end: usize,
}

impl Lines {
    /// Writes a directive in front of a statement, unless the line that follows belongs to its place anyway. A statement whose place is not known belongs
    /// to that of the one before.
    pub(super) fn before(
        &mut self,
        kernel: &Kernel<Physical>,
        statement: &Statement<Physical>,
        out: &mut String,
    ) {
        let Some(place) = place(kernel, statement).or(self.last.as_ref().map(|last| last.place))
        else {
            return;
        };
        let follows = self.last.as_ref().is_some_and(|last| {
            // Each line of the text after a directive is taken for one more line of the source.
            let lines = out
                .get(last.end..)
                .unwrap_or_default()
                .matches('\n')
                .count();
            last.place.file() == place.file()
                && u64::from(last.place.line()) + lines as u64 == u64::from(place.line())
        });
        if follows {
            return;
        }
        let file = place.file().replace('\\', "\\\\").replace('"', "\\\"");
        out.push_str(&format!("#line {} \"{file}\"\n", place.line()));
        self.last = Some(Directive {
            place,
            end: out.len(),
        });
    }
}

/// Is it a place in this crate or in the runtime beside it, which says nothing to their users? (What a kernel does with its result is asked for there.)
fn is_ours(place: &Location<'_>) -> bool {
    let Some(own) = file!().strip_suffix("emit/cuda/lines.rs") else {
        return false;
    };
    let in_runtime = || {
        let (before, after) = own.rsplit_once("obsidian-core")?;
        let rest = place.file().strip_prefix(before)?;
        rest.strip_prefix("obsidian-rt")?.strip_prefix(after)
    };
    place.file().starts_with(own)
        || obsidian_language::has_file(place.file())
        || in_runtime().is_some()
}

/// Where a statement comes from: its own place, that of what it reads, or that of the first statement inside.
fn place(
    kernel: &Kernel<Physical>,
    statement: &Statement<Physical>,
) -> Option<&'static Location<'static>> {
    let tables = &kernel.tables;
    let native = |origin: Origin| match tables.origins.site(origin) {
        Some(Site::Native(place)) if !is_ours(place) => Some(place),
        _ => None,
    };
    let own = native(statement.first_origin());
    let read = || {
        let order = tables.nodes.post_order(&statement.nodes(), |_| false);
        let places = order.into_iter().rev();
        places
            .into_iter()
            .find_map(|id| native(tables.nodes.origin(id)))
    };
    match statement {
        // The place of an output is that of the whole kernel.
        Statement::Store { array, .. }
            if tables.array(*array).place == ArrayPlace::Global(Role::Output) =>
        {
            read().or(own)
        }
        _ if statement.lists().is_empty() => own.or_else(read),
        _ => read().or(own),
    }
}
