//! Blocks in order: how a real block takes a virtual one, and how it finds what earlier ones have.
//!
//! A block takes the next number that no other has taken (a *ticket*), so that all before it are done, or are with blocks that
//! run: whatever a block waits for comes. Number of the launch and ticket are one word of 64 bits in memory that belongs to the
//! kernel and its stream, `order`; who takes the last one makes the word that of the next launch. So nothing is cleared between
//! launches: a word that a block leaves for later ones has the number of its launch beside it, in its lower half, and its upper
//! half are 32 bits of a value. Each word is written once a launch, by one store, and a reader looks until all words of a value
//! are of its launch; `order` orders nothing else, so they are relaxed accesses.
//!
//! In `order`, behind a word for each ordered loop, a loop has three tables: what its blocks have, what whole groups have, and the
//! same with all groups before. A block reads the blocks before it in its group, and looks back over groups for the nearest one
//! that knows all before it ([`CollectiveOp::Earlier`](crate::ir::CollectiveOp::Earlier) has the order). What is found depends on
//! timing, the order of the operations on it does not.

//!
//! What the last block does ([`Last`](crate::ir::LevelledLoop::Last)) begins with a word, too: blocks count in it how many have come there, and
//! the last one leaves 0 for the next launch. Each has written before that what it writes, and a fence stands between; the last one begins behind
//! a fence, so it sees all of that.

use super::Layout;
use super::shuffles;
use super::statements::{Scope, Writer};
use super::types;
use crate::ir::{Earlier, GROUP, Lane, Physical, Statement};
use crate::plan::TICKETS;
use crate::scalar::{Literal, NodeId, ScalarType, VariableId};

/// The name of the parameter.
pub(super) const ORDER: &str = "order";

/// What is known in an ordered loop.
#[derive(Clone, Debug)]
pub(super) struct Taken {
    /// Where the tables of the loop begin.
    tables: String,
    /// How many virtual blocks there are, the one at hand, and the mark of this launch.
    blocks: String,
    block: String,
    launch: String,
}

/// A component of an element: its type, and the words that it has.
struct Part {
    ty: ScalarType,
    first: usize,
    words: usize,
}

fn parts(types: impl Iterator<Item = ScalarType>) -> Vec<Part> {
    let mut first = 0;
    types
        .map(|ty| {
            let words = ty.bytes().div_ceil(4) as usize;
            first += words;
            Part {
                ty,
                first: first - words,
                words,
            }
        })
        .collect()
}

/// The 32 bits of each word of a value.
fn packed(ty: ScalarType, value: &str) -> Vec<String> {
    match ty {
        ScalarType::F32 => vec![format!("__float_as_uint({value})")],
        ScalarType::F64 => halves(&format!(
            "(unsigned long long)__double_as_longlong({value})"
        )),
        ScalarType::U64 | ScalarType::I64 => halves(&format!("(unsigned long long){value}")),
        ScalarType::U32 => vec![value.to_owned()],
        ScalarType::Bool
        | ScalarType::U8
        | ScalarType::U16
        | ScalarType::I8
        | ScalarType::I16
        | ScalarType::I32 => vec![format!("(unsigned int){value}")],
    }
}

fn halves(bits: &str) -> Vec<String> {
    vec![
        format!("(unsigned int)({bits})"),
        format!("(unsigned int)({bits} >> 32)"),
    ]
}

/// The value of words.
fn unpacked(ty: ScalarType, words: &[String]) -> String {
    let low = format!("(unsigned int)({} >> 32)", words[0]);
    let all = || {
        let high = format!("{} >> 32 << 32", words[1]);
        format!("({high} | {} >> 32)", words[0])
    };
    match ty {
        ScalarType::F32 => format!("__uint_as_float({low})"),
        ScalarType::F64 => format!("__longlong_as_double((long long){})", all()),
        ScalarType::U64 => all(),
        ScalarType::I64 => format!("(long long){}", all()),
        ScalarType::U32 => low,
        ScalarType::Bool => format!("{low} != 0"),
        ScalarType::U8 | ScalarType::U16 | ScalarType::I8 | ScalarType::I16 | ScalarType::I32 => {
            format!("({}){low}", types::name(ty))
        }
    }
}

/// The words that a thread looks at together, if values are short.
const AHEAD: usize = 4;

/// An `earlier` while it is written: the names of the text.
struct Names {
    taken: Taken,
    parts: Vec<Part>,
    /// How many words all elements of a block have.
    each: u32,
    cells: Vec<String>,
    words: Vec<String>,
    /// The tables, from the element at hand on.
    told: String,
    whole: String,
    sums: String,
    place: String,
    group: String,
}

impl<'w> Writer<'w, '_> {
    /// A loop over blocks that have an order.
    pub(super) fn ordered(
        &mut self,
        counter: VariableId,
        end: NodeId,
        body: &'w [Statement<Physical>],
    ) {
        self.enter(Scope::Braces);
        let number = self.ordered_loops;
        self.ordered_loops += 1;
        self.cut(&[end]);
        let (blocks, tables, taken, turn, launch) = (
            self.fresh("blocks"),
            self.fresh("tables"),
            self.fresh("taken"),
            self.fresh("turn"),
            self.fresh("launch"),
        );
        let end = self.value(end);
        self.line(&format!("const unsigned int {blocks} = {end};"));
        let first = self.room_before(number);
        self.line(&format!(
            "unsigned long long* const {tables} = {ORDER} + {first};"
        ));
        self.line(&match self.tickets(number) {
            None => format!("__shared__ unsigned long long {taken}[2];"),
            Some(at) => {
                format!("unsigned long long* const {taken} = (unsigned long long*)(shared + {at});")
            }
        });
        self.line(&format!("unsigned int {turn} = 0;"));
        self.line("#pragma unroll 1");
        self.line("while (true) {");
        self.enter(Scope::List);
        let block = self.name_counter(counter, "block");
        let head = match number {
            0 => ORDER.to_owned(),
            n => format!("{ORDER} + {n}"),
        };
        self.line("if (thread == 0) {");
        self.line(&format!(
            "    {taken}[{turn}] = take_block({head}, {blocks});"
        ));
        self.line("}");
        self.line("__syncthreads();");
        self.line(&format!(
            "const unsigned int {block} = (unsigned int){taken}[{turn}], {launch} = (unsigned int)({taken}[{turn}] >> 32) + 1;"
        ));
        self.line(&format!("if ({block} >= {blocks}) {{"));
        self.line("    break;");
        self.line("}");
        // The other half: a thread may be late to read this one.
        self.line(&format!("{turn} ^= 1;"));
        let outside = self.taken.replace(Taken {
            tables,
            blocks: blocks.clone(),
            block,
            launch,
        });
        self.list(body);
        self.taken = outside;
        self.line(&format!("if (gridDim.x >= {blocks}) {{"));
        self.line("    break;");
        self.line("}");
        self.leave(Scope::List);
        self.line("}");
        self.leave(Scope::Braces);
    }

    /// What the block does that is the last one to come to it.
    pub(super) fn last(
        &mut self,
        counter: VariableId,
        start: NodeId,
        body: &'w [Statement<Physical>],
    ) {
        self.enter(Scope::Braces);
        let head = match self.ordered_loops {
            0 => ORDER.to_owned(),
            n => format!("({ORDER} + {n})"),
        };
        self.ordered_loops += 1;
        let is_last = self.fresh("is_last");
        let lines = [
            format!("bool {is_last} = false;"),
            "__syncthreads();".to_owned(),
            "if (thread == 0) {".to_owned(),
            "    __threadfence();".to_owned(),
            format!(
                "    {is_last} = atomicInc((unsigned int*){head}, gridDim.x - 1) == gridDim.x - 1;"
            ),
            "    __threadfence();".to_owned(),
            "}".to_owned(),
            format!("if (__syncthreads_or({is_last})) {{"),
        ];
        lines.iter().for_each(|line| self.line(line));
        self.enter(Scope::List);
        self.only_round(counter, start, body);
        self.leave(Scope::List);
        self.line("}");
        self.leave(Scope::Braces);
    }

    /// Where in shared memory the tickets of a loop are, if all of it is one array.
    fn tickets(&self, number: usize) -> Option<u32> {
        let loops = (self.orders.len() - number) as u32;
        let bytes = self.shared.bytes;
        (self.layout == Layout::Packed).then(|| bytes.saturating_sub(loops * TICKETS))
    }

    /// Where the tables of an ordered loop begin in `order`.
    fn room_before(&self, number: usize) -> String {
        let mut first = self.orders.len().to_string();
        for before in &self.orders[..number] {
            let blocks = self.value(before.blocks);
            let words = before.types.iter().map(|ty| ty.bytes().div_ceil(4));
            let each = words.sum::<u32>() * before.elements;
            first.push_str(&format!(
                " + ((size_t)({blocks}) + ((size_t)({blocks}) / {GROUP} + 1) * 2) * {each}"
            ));
        }
        first
    }

    /// What earlier blocks have, for one element.
    pub(super) fn earlier(&mut self, of: &'w Earlier<Physical>) {
        let Some(taken) = self.taken.clone() else {
            return;
        };
        let types: Vec<ScalarType> = of.own.iter().map(|own| self.nodes().ty(*own)).collect();
        let element = self.value(of.element);
        let own: Vec<String> = of.own.iter().map(|own| self.value(*own)).collect();
        self.enter(Scope::Braces);
        let parts = parts(types.into_iter());
        let of_one: usize = parts.iter().map(|part| part.words).sum();
        let each = self.nodes().literal(of.count).map_or(0, Literal::u32) * of_one as u32;
        let cells = of.cells.iter().map(|cell| self.name_of(*cell)).collect();
        let names = Names {
            words: (0..of_one).map(|_| self.fresh("word")).collect(),
            told: self.fresh("told"),
            whole: self.fresh("whole"),
            sums: self.fresh("sums"),
            place: self.fresh("place"),
            group: self.fresh("group"),
            taken,
            parts,
            each,
            cells,
        };
        let (
            Taken {
                tables,
                blocks,
                block,
                ..
            },
            Names {
                told,
                whole,
                sums,
                place,
                group,
                ..
            },
        ) = (&names.taken, &names);
        let first = match element.as_str() {
            "0" => String::new(),
            element => format!(" + {}", times(element, of_one as u32)),
        };
        self.line(&format!(
            "unsigned long long* const {told} = {tables}{first};"
        ));
        self.line(&format!(
            "unsigned long long* const {whole} = {told} + {};",
            times(blocks, each)
        ));
        self.line(&format!(
            "unsigned long long* const {sums} = {whole} + ((size_t){blocks} / {GROUP} + 1) * {each};"
        ));
        self.line(&format!(
            "const unsigned int {place} = {block} % {GROUP}, {group} = {block} / {GROUP};"
        ));
        let own = self.values("own", &names, own);
        let initial = self.values("initial", &names, names.cells.clone());
        let list = names
            .words
            .iter()
            .map(|word| format!("{word} = {}", names.taken.launch));
        let list: Vec<String> = list.collect();
        self.line(&format!("unsigned long long {};", list.join(", ")));
        let last = GROUP - 1;
        self.when(of.by_lanes, &format!("{place} < {last}"), |writer| {
            writer.tell(&names, &format!("{told} + {}", times(block, each)), &own);
        });
        let part = match of.by_lanes {
            true => self.part_by_lanes(of, &names),
            false => self.part_alone(of, &names, &own),
        };
        let all = self.variables("all", &names, &own);
        self.line(&format!("if ({place} == {last}) {{"));
        self.depth += 1;
        self.set(&names, &part);
        self.combine(of, &names, &own);
        self.assign(&all, &names.cells);
        let at = format!("{whole} + {}", times(group, each));
        self.when(of.by_lanes, "true", |writer| writer.tell(&names, &at, &all));
        self.depth -= 1;
        self.line("}");
        match of.by_lanes {
            true => self.before_by_lanes(of, &names, &initial),
            false => self.before_alone(of, &names, &initial),
        }
        self.line(&format!("if ({place} == {last}) {{"));
        self.enter(Scope::List);
        let before = self.values("before", &names, names.cells.clone());
        self.combine(of, &names, &all);
        let at = format!("{sums} + {}", times(group, each));
        let cells = names.cells.clone();
        self.when(of.by_lanes, "true", |writer| {
            writer.tell(&names, &at, &cells)
        });
        self.set(&names, &before);
        self.leave(Scope::List);
        self.line("}");
        self.line(&format!("if ({place} > 0) {{"));
        self.depth += 1;
        self.combine(of, &names, &part);
        self.depth -= 1;
        self.line("}");
        self.leave(Scope::Braces);
    }

    /// The tree over the blocks before in the group: a lane has one of them.
    fn part_by_lanes(&mut self, of: &'w Earlier<Physical>, names: &Names) -> Vec<String> {
        let Names {
            told,
            place,
            each,
            taken,
            ..
        } = names;
        self.line("while (true) {");
        self.line(&format!("    if (lane < {place}) {{"));
        let at = format!(
            "{told} + {}",
            times(&format!("{} - {place} + lane", taken.block), *each)
        );
        self.depth += 2;
        self.look(names, &at);
        self.depth -= 2;
        self.line("    }");
        self.line(&format!(
            "    if (__all_sync(0xffffffff, {})) {{",
            names.are_there()
        ));
        self.line("        break;");
        self.line("    }");
        self.line("    wait_briefly();");
        self.line("}");
        self.set(names, &names.found());
        let distance = self.fresh("distance");
        self.line("#pragma unroll");
        self.line(&format!(
            "for (unsigned int {distance} = 1; {distance} < {GROUP}; {distance} *= 2) {{"
        ));
        self.enter(Scope::List);
        let right = self.values(
            "next",
            names,
            names.taken_from(&names.cells, &format!("lane + {distance}"), of.element),
        );
        self.line(&format!(
            "if (lane % (2 * {distance}) == 0 && lane + {distance} < {place}) {{"
        ));
        self.depth += 1;
        self.combine(of, names, &right);
        self.depth -= 1;
        self.line("}");
        self.leave(Scope::List);
        self.line("}");
        self.values(
            "part",
            names,
            names.taken_from(&names.cells, "0", of.element),
        )
    }

    /// The same by one thread, block by block: trees of whole powers of two, joined as they get large enough.
    fn part_alone(
        &mut self,
        of: &'w Earlier<Physical>,
        names: &Names,
        own: &[String],
    ) -> Vec<String> {
        let Names {
            told,
            place,
            each,
            taken,
            ..
        } = names;
        let levels = GROUP.ilog2();
        let mut trees = Vec::new();
        for part in &names.parts {
            let tree = self.fresh("tree");
            self.line(&format!("{} {tree}[{levels}];", types::name(part.ty)));
            trees.push(tree);
        }
        let (n, level, joins) = (self.fresh("n"), self.fresh("level"), self.fresh("joins"));
        let trees: Vec<String> = trees
            .iter()
            .map(|tree| format!("{tree}[{level}]"))
            .collect();
        let (some, ahead) = (self.fresh("some"), names.ahead());
        self.line("#pragma unroll 1");
        self.line(&format!(
            "for (unsigned int {some} = 0; {some} * {ahead} < {place}; {some}++) {{"
        ));
        self.enter(Scope::List);
        let at = |number: &str| {
            let block = format!("{} - {place} + {number}", taken.block);
            format!("{told} + {}", times(&block, *each))
        };
        let number = |k: &str| format!("({some} * {ahead} + {k})");
        let seen = self.seen(names, |k| {
            (format!("{} < {place}", number(k)), at(&number(k)))
        });
        let k = self.fresh("k");
        self.line("#pragma unroll");
        self.line(&format!(
            "for (unsigned int {k} = 0; {k} < {ahead}; {k}++) {{"
        ));
        self.enter(Scope::List);
        self.line(&format!("const unsigned int {n} = {some} * {ahead} | {k};"));
        self.line(&format!("if ({n} < {place}) {{"));
        self.enter(Scope::List);
        self.wait_for(names, &seen, &k, &at(&n));
        let next = self.variables("next", names, &names.found());
        self.line(&format!("bool {joins} = true;"));
        self.line("#pragma unroll");
        self.line(&format!(
            "for (unsigned int {level} = 0; {level} < {levels}; {level}++) {{"
        ));
        self.line(&format!("    if ({joins} && ({n} >> {level} & 1) != 0) {{"));
        self.depth += 2;
        self.set(names, &trees);
        self.combine(of, names, &next);
        self.assign(&next, &names.cells);
        self.depth -= 2;
        self.line(&format!("    }} else if ({joins}) {{"));
        self.depth += 2;
        self.assign(&trees, &next);
        self.line(&format!("{joins} = false;"));
        self.depth -= 2;
        self.line("    }");
        self.line("}");
        for _ in 0..3 {
            self.leave(Scope::List);
            self.line("}");
        }
        let part = self.variables("part", names, own);
        let joins = self.fresh("joins");
        self.line(&format!("bool {joins} = false;"));
        self.line("#pragma unroll");
        self.line(&format!(
            "for (unsigned int {level} = 0; {level} < {levels}; {level}++) {{"
        ));
        self.line(&format!("    if (({place} >> {level} & 1) != 0) {{"));
        self.depth += 2;
        self.line(&format!("if ({joins}) {{"));
        self.depth += 1;
        self.set(names, &trees);
        self.combine(of, names, &part);
        self.assign(&part, &names.cells);
        self.depth -= 1;
        self.line("} else {");
        self.depth += 1;
        self.assign(&part, &trees);
        self.depth -= 1;
        self.line("}");
        self.line(&format!("{joins} = true;"));
        self.depth -= 2;
        self.line("    }");
        self.line("}");
        part
    }

    /// All groups before: lane `l` looks at the one that is `l + 1` before this one. Behind the first group stands the initial value.
    fn before_by_lanes(&mut self, of: &'w Earlier<Physical>, names: &Names, initial: &[String]) {
        let Names {
            whole,
            sums,
            group,
            each,
            ..
        } = names;
        let (nearest, knows_all, knows, at) = (
            self.fresh("nearest"),
            self.fresh("knows_all"),
            self.fresh("knows"),
            self.fresh("at"),
        );
        self.line(&format!("unsigned int {nearest};"));
        self.line("while (true) {");
        self.depth += 1;
        self.line(&format!(
            "bool {knows_all} = lane == {group}, {knows} = {knows_all};"
        ));
        self.line(&format!("if (lane < {group}) {{"));
        self.depth += 1;
        self.line(&format!(
            "const size_t {at} = {};",
            times(&format!("{group} - 1 - lane"), *each)
        ));
        self.look(names, &format!("{sums} + {at}"));
        self.line(&format!("{knows_all} = {knows} = {};", names.are_there()));
        self.line(&format!("if (!{knows_all}) {{"));
        self.depth += 1;
        self.look(names, &format!("{whole} + {at}"));
        self.line(&format!("{knows} = {};", names.are_there()));
        self.depth -= 1;
        self.line("}");
        self.depth -= 1;
        self.line("}");
        self.line(&format!(
            "{nearest} = (unsigned int)__ffs((int)__ballot_sync(0xffffffff, {knows_all})) - 1;"
        ));
        let known = self.fresh("known");
        self.line(&format!(
            "const unsigned int {known} = __ballot_sync(0xffffffff, {knows});"
        ));
        self.line(&format!(
            "if ({nearest} < {GROUP} && (~{known} & ((1u << {nearest}) - 1)) == 0) {{"
        ));
        self.line("    break;");
        self.line("}");
        self.line("wait_briefly();");
        self.depth -= 1;
        self.line("}");
        let found = names.found();
        let found = found.iter().zip(initial);
        let found = found.map(|(found, initial)| format!("lane < {group} ? {found} : {initial}"));
        let each_lane = self.values("group_of_lane", names, found.collect());
        self.set(
            names,
            &names.taken_from(&each_lane, nearest.as_str(), of.element),
        );
        let next = self.fresh("next");
        self.line("#pragma unroll 1");
        self.line(&format!(
            "for (unsigned int {next} = {nearest}; {next} > 0; {next}--) {{"
        ));
        self.depth += 1;
        self.combine(
            of,
            names,
            &names.taken_from(&each_lane, &format!("{next} - 1"), of.element),
        );
        self.depth -= 1;
        self.line("}");
    }

    /// The same by one thread.
    fn before_alone(&mut self, of: &'w Earlier<Physical>, names: &Names, initial: &[String]) {
        let Names {
            whole,
            sums,
            group,
            each,
            ..
        } = names;
        let (next, knows, k, ahead) = (
            self.fresh("next"),
            self.fresh("knows"),
            self.fresh("k"),
            names.ahead(),
        );
        let unrolled = format!("for (unsigned int {k} = 0; {k} < {ahead}; {k}++) {{");
        self.set(names, initial);
        self.line(&format!("unsigned int {next} = {group};"));
        self.line(&format!("bool {knows} = false;"));
        self.line("#pragma unroll 1");
        self.line(&format!("while (!{knows} && {next} > 0) {{"));
        self.enter(Scope::List);
        let from = self.fresh("from");
        self.line(&format!("const unsigned int {from} = {next};"));
        let seen = self.seen(names, |k| {
            let group = times(&format!("{from} - 1 - {k}"), *each);
            (format!("{k} < {from}"), format!("{sums} + {group}"))
        });
        self.line("#pragma unroll");
        self.line(&unrolled);
        self.enter(Scope::List);
        self.line(&format!("if (!{knows} && {k} < {from}) {{"));
        self.depth += 1;
        self.take_seen(names, &seen, &k);
        self.line(&format!("if ({}) {{", names.are_there()));
        self.depth += 1;
        self.set(names, &names.found());
        self.line(&format!("{knows} = true;"));
        self.depth -= 1;
        self.line("} else {");
        self.line(&format!("    {next}--;"));
        self.line("}");
        self.depth -= 1;
        self.line("}");
        self.leave(Scope::List);
        self.line("}");
        self.leave(Scope::List);
        self.line("}");
        self.line("#pragma unroll 1");
        self.line(&format!("for (; {next} < {group}; {next} += {ahead}) {{"));
        self.enter(Scope::List);
        let at = |k: &str| format!("{whole} + {}", times(&format!("{next} + {k}"), *each));
        let is_there = |k: &str| format!("{next} + {k} < {group}");
        let seen = self.seen(names, |k| (is_there(k), at(k)));
        self.line("#pragma unroll");
        self.line(&unrolled);
        self.enter(Scope::List);
        self.line(&format!("if ({}) {{", is_there(&k)));
        self.depth += 1;
        self.wait_for(names, &seen, &k, &at(&k));
        self.combine(of, names, &names.found());
        self.depth -= 1;
        self.line("}");
        for _ in 0..2 {
            self.leave(Scope::List);
            self.line("}");
        }
    }

    /// The words of several values, loaded one behind the other without a wait between: their names, one for each word of a value. `of` says of value
    /// `k` whether there is one, and where.
    fn seen(&mut self, names: &Names, of: impl Fn(&str) -> (String, String)) -> Vec<String> {
        let (k, ahead) = (self.fresh("k"), names.ahead());
        let words = names.words.len();
        let seen: Vec<String> = (0..words).map(|_| self.fresh("seen")).collect();
        for word in &seen {
            self.line(&format!("unsigned long long {word}[{ahead}];"));
        }
        let (is_there, at) = of(&k);
        self.line("#pragma unroll");
        self.line(&format!(
            "for (unsigned int {k} = 0; {k} < {ahead}; {k}++) {{"
        ));
        for (n, word) in seen.iter().enumerate() {
            let at = names.at(&at, n);
            self.line(&format!(
                "    {word}[{k}] = {is_there} ? told_word({at}) : 0;"
            ));
        }
        self.line("}");
        seen
    }

    /// Takes the words of one of the values that have been looked at.
    fn take_seen(&mut self, names: &Names, seen: &[String], k: &str) {
        for (word, seen) in names.words.iter().zip(seen) {
            self.line(&format!("{word} = {seen}[{k}];"));
        }
    }

    /// The same, and looks again until all words are there.
    fn wait_for(&mut self, names: &Names, seen: &[String], k: &str, at: &str) {
        self.take_seen(names, seen, k);
        self.line(&format!("while (!({})) {{", names.are_there()));
        self.depth += 1;
        self.line("wait_briefly();");
        self.look(names, at);
        self.depth -= 1;
        self.line("}");
    }

    /// What the cells have, combined with an element that comes later.
    fn combine(&mut self, of: &'w Earlier<Physical>, names: &Names, right: &[String]) {
        self.enter(Scope::Braces);
        for (n, variable) in of.right.iter().enumerate() {
            // (An operator may ignore it.)
            if !self.used.variables.contains(variable) {
                continue;
            }
            let name = self.name_counter(*variable, "later");
            let ty = types::name(names.parts[n].ty);
            self.line(&format!("const {ty} {name} = {};", right[n]));
        }
        self.list(&of.combine);
        self.leave(Scope::Braces);
    }

    /// Statements of the lanes of which only the first one does them.
    fn when(&mut self, by_lanes: bool, condition: &str, then: impl FnOnce(&mut Self)) {
        let condition = match (by_lanes, condition) {
            (true, "true") => "lane == 0".to_owned(),
            (true, _) => format!("lane == 0 && {condition}"),
            (false, "true") => {
                return then(self);
            }
            (false, _) => condition.to_owned(),
        };
        self.line(&format!("if ({condition}) {{"));
        self.depth += 1;
        then(self);
        self.depth -= 1;
        self.line("}");
    }

    /// Leaves the words of a value for later blocks.
    fn tell(&mut self, names: &Names, at: &str, values: &[String]) {
        for (part, value) in names.parts.iter().zip(values) {
            for (n, word) in packed(part.ty, value).into_iter().enumerate() {
                let (at, launch) = (names.at(at, part.first + n), &names.taken.launch);
                self.line(&format!(
                    "tell_word({at}, (unsigned long long){} << 32 | {launch});",
                    in_brackets(&word)
                ));
            }
        }
    }

    /// Looks at the words of a value once.
    fn look(&mut self, names: &Names, at: &str) {
        for (n, word) in names.words.iter().enumerate() {
            self.line(&format!("{word} = told_word({});", names.at(at, n)));
        }
    }

    fn set(&mut self, names: &Names, values: &[String]) {
        self.assign(&names.cells, values);
    }

    fn assign(&mut self, to: &[String], values: &[String]) {
        for (to, value) in to.iter().zip(values) {
            self.line(&format!("{to} = {value};"));
        }
    }

    /// Names values, one for each component.
    fn values(&mut self, stem: &str, names: &Names, values: Vec<String>) -> Vec<String> {
        self.named("const ", stem, names, &values)
    }

    fn variables(&mut self, stem: &str, names: &Names, values: &[String]) -> Vec<String> {
        self.named("", stem, names, values)
    }

    fn named(&mut self, kind: &str, stem: &str, names: &Names, values: &[String]) -> Vec<String> {
        let mut list = Vec::new();
        for (part, value) in names.parts.iter().zip(values) {
            let name = self.fresh(stem);
            self.line(&format!("{kind}{} {name} = {value};", types::name(part.ty)));
            list.push(name);
        }
        list
    }
}

impl Names {
    /// The address of one of the words at an address.
    fn at(&self, at: &str, word: usize) -> String {
        match word {
            0 => at.to_owned(),
            n => format!("{at} + {n}"),
        }
    }

    /// The values that a thread looks at together, two at least.
    fn ahead(&self) -> usize {
        (AHEAD / self.words.len().max(1)).max(2)
    }

    /// Are the words that were looked at of this launch?
    fn are_there(&self) -> String {
        let each = self.words.iter();
        let each = each.map(|word| format!("(unsigned int){word} == {}", self.taken.launch));
        each.collect::<Vec<_>>().join(" && ")
    }

    /// The value of the words that were looked at.
    fn found(&self) -> Vec<String> {
        let each = self.parts.iter();
        each.map(|part| unpacked(part.ty, &self.words[part.first..part.first + part.words]))
            .collect()
    }

    /// What a lane has; `any` is a node, for which the number of the lane is printed.
    fn taken_from(&self, values: &[String], lane: &str, any: NodeId) -> Vec<String> {
        let each = self.parts.iter().zip(values);
        each.map(|(part, value)| {
            shuffles::call(part.ty, value, Lane::Number(any), |_| lane.to_owned())
        })
        .collect()
    }
}

/// Words in memory: how many there are for each thing, and how many things.
fn times(number: &str, words: u32) -> String {
    let number = in_brackets(number);
    match words {
        1 => format!("(size_t){number}"),
        n => format!("(size_t){number} * {n}"),
    }
}

fn in_brackets(text: &str) -> String {
    match text.contains(' ') {
        true => format!("({text})"),
        false => text.to_owned(),
    }
}
