//! Programs as the text form of kernels.

use super::programs::{Cell, Kind, Leaves, Part, Program};

/// Rounds of a loop of the grid.
pub(super) const ROUNDS: u32 = 3;

impl Program {
    pub(super) fn text(&self) -> String {
        let Program {
            kind,
            length,
            blocks,
            requires,
            parts,
        } = self;
        let parts = parts.iter().map(|part| {
            let inner = part.text(*kind);
            match kind {
                Kind::Apart => format!(
                    "if {} {{ distribute Block b < {blocks} {{ {inner} }} }} ",
                    part.when
                ),
                _ => inner,
            }
        });
        let inner: String = parts.collect();
        let all = format!("distribute Block b < {blocks} {{ {inner} }}");
        let rounds = |level: &str, body: &str| {
            format!("for sequential {level} r in 0_u32 .. {ROUNDS}_u32 step 1_u32 {{ {body} }}")
        };
        let (arrays, body) = match kind {
            Kind::Output => (
                format!("parameter 2 x: u32[n] input parameter 3 a: u32[{length}] output"),
                all,
            ),
            Kind::Buffer => (format!("parameter 2 a: u32[{length}] inout"), all),
            Kind::Apart => (format!("parameter 2 a: u32[{length}] inout"), inner),
            Kind::Again => (
                format!("parameter 2 a: u32[{length}] inout"),
                rounds("Grid", &all),
            ),
            Kind::Shared | Kind::Looped => {
                let inner = if *kind == Kind::Looped {
                    rounds("Block", &inner)
                } else {
                    inner
                };
                let body = format!(
                    "distribute Block b < {blocks} {{ allocate a: u32[{length}] shared {inner} }}"
                );
                (String::new(), body)
            }
        };
        let required = requires.iter().map(|(length, word, other)| {
            let other = other.to_string();
            let other = match *word {
                "divided_by" | "equal" => &other,
                // A number without a type.
                _ => other.trim_end_matches("_u32"),
            };
            format!("require {length} {word} {other} ")
        });
        let required: String = required.collect();
        format!("kernel k {{ parameter 0 n: u32 parameter 1 w: u32 {arrays} {required}{body} }}")
    }
}

impl Part {
    fn text(&self, kind: Kind) -> String {
        let Part {
            threads,
            guard,
            rounds,
            condition,
            index,
            ..
        } = self;
        let read = |read| match kind {
            Kind::Output => format!("let v = x[{read}] "),
            _ => format!("read v = a[{read}] "),
        };
        let (first, value) = match &self.read {
            Some(index) => (read(index), "v"),
            None => (String::new(), "1_u32"),
        };
        let leave = |leaves| match &self.leave {
            Some((own, leave)) if *own == leaves => format!("if {leave} {{ break }} "),
            _ => String::new(),
        };
        let mut inner = format!(
            "for sequential Thread k in 0_u32 .. {rounds} step 1_u32 {{ {}if {condition} {{ {first}store a[{index}] = {value} }} }} ",
            leave(Leaves::Rounds)
        );
        if matches!(self.leave, Some((Leaves::Around, _))) {
            inner = format!(
                "for sequential Thread o in 0_u32 .. 1_u32 step 1_u32 {{ {}{inner} }} ",
                leave(Leaves::Around)
            );
        }
        if let Some(cell) = &self.cell {
            inner = cell.text() + &inner;
        }
        if guard.to_string() != "(0_u32 < 1_u32)" {
            inner = format!("if {guard} {{ {inner} }} ");
        }
        format!("forall Block i < {threads} {{ {inner} }} ")
    }
}

impl Cell {
    fn text(&self) -> String {
        let Cell {
            start,
            rounds,
            probe,
            next,
        } = self;
        let probe = probe
            .as_ref()
            .map_or(String::new(), |probe| format!("let u = x[{probe}] "));
        format!(
            "cell c = {start} for sequential Thread z in 0_u32 .. {rounds} step 1_u32 {{ get q = c {probe}assign c = {next} }} get e = c "
        )
    }
}
