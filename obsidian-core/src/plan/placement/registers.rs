//! Stored arrays whose every access is by the thread that owns the element: they live in registers.
//!
//! Before: a physical kernel and one of its shared arrays. After: the same kernel where each thread holds
//! its own elements. On `T` threads, thread `t` owns the elements `t`, `t + T`, `t + 2 * T` and so on, and
//! has element `e` in slot `e / T`. An array of a warp belongs to its 32 lanes in the same way. An array that
//! the user holds in another [`Layout`] belongs to the threads that the layout names, and one whose first access is by
//! threads with neighbours, thread `t` element `k * t`, belongs to threads with `k` neighbours each; or, if the first warp begins
//! at element 0 and the second at `32 * k`, to warps with as many neighbours each, of which a lane has every 32nd:
//!
//! ```text
//! for rounds Block j in 0_u32 .. 4_u32 step 1_u32 { let i = ((j * 64_u32) + ThreadIndex) store a[i] = .. }
//! for rounds Block j in 0_u32 .. 2_u32 step 1_u32 { let i = .. store b[i] = (a[i] + a[(i + 128_u32)]) }
//! ```
//!
//! becomes `store a[j] = ..` and `a[j] + a[(j + 2)]`, in loops that are unrolled whole.
//!
//! *Claim.* The kernel does what it did before.
//!
//! *Argument.* All accesses of the array are followed, by all threads in all rounds, as
//! [`stage`](super::stage) does it. Each is of an element that its thread owns, so what a thread reads it
//! has stored itself, and its own order is the same. At each place in the text the slot is found to be a
//! sum of multiples of the counters around it and a number, the same for all threads, so that it is a number
//! once the loops are unrolled, and a register and not an index into memory.
//!
//! What is not known is refused: an index that depends on data, on the block, or on a loop whose bounds
//! are no numbers; one that an atomic operation changes.

mod slots;

use self::slots::{Formula, Site, Slots};
use super::Placed;
use super::reads::{Part, Reads};
use super::stage::MOST_CHOICES;
use crate::ir::{
    How, Kernel, Layout, Level, Physical, PhysicalLoop, Statement, Unroll, WARP, validate,
};
use crate::ordered::{Map, Set};
use crate::plan::Limits;
use crate::plan::analysis::lanes::Lanes;
use crate::plan::analysis::relevant::{Interest, relevant};
use crate::plan::analysis::{Asked, Range};
use crate::plan::layout::{Home, Placement};
use crate::scalar::{
    ArrayId, ArrayPlace, BinaryOp, Literal, Node, NodeId, Nodes, ScalarType, VariableId,
};

/// Words of stored arrays that a thread holds at once.
const MOST_WORDS: u32 = 64;

/// Registers of a multiprocessor.
const REGISTERS: u32 = 65_536;

/// Words that a thread may hold, so that half of its registers, and some more, are left for the rest.
fn room(limits: Limits) -> u32 {
    let threads = limits.threads * limits.min_blocks.unwrap_or(1);
    (REGISTERS / threads.max(1) / 2)
        .saturating_sub(8)
        .min(MOST_WORDS)
}

/// Rounds of a loop that is unrolled whole.
const MOST_ROUNDS: u64 = 64;

/// What is known of an array.
type Sites = Map<Site, Slots>;

/// The kernel with arrays in registers, as many as there is room for.
pub(super) fn held(
    plain: &Placed,
    vouched: &Set<ArrayId>,
    asked: &Asked,
    limits: Limits,
) -> Placed {
    let kernel = &plain.kernel;
    if kernel.threads == 1 {
        // One thread owns all there is, what its loops and branches ask for included.
        return plain.clone();
    }
    let mut walk = Walk::new(kernel, plain, vouched, asked);
    walk.list(&kernel.body, &mut Lanes::of_block(kernel));
    let known = std::mem::take(&mut walk.known);
    let owners = walk.owners;
    // What the user holds goes first, and has more room.
    let (first, others): (Known, Known) = known
        .into_iter()
        .partition(|(array, _)| asked.contains_key(array));
    let mut chosen = Chosen::new();
    for (known, room) in [(first, MOST_WORDS), (others, room(limits))] {
        choose((plain, &owners), known, (&walk.rounds, room), &mut chosen);
    }
    let mut placed = plain.clone();
    if chosen.is_empty() {
        return placed;
    }
    let mut unrolled = Set::new();
    for (array, (_, sites)) in &chosen {
        let elements = slots(kernel, &owners, *array);
        let length = placed.kernel.tables.nodes.add_literal(elements.into());
        let info = placed.kernel.tables.array_mut(*array);
        (info.place, info.length) = (ArrayPlace::Held, length);
        placed.placements.push(Placement {
            array: *array,
            home: Home::Registers { elements },
        });
        unrolled.extend(
            sites
                .values()
                .flat_map(|(terms, _)| terms.iter().map(|t| t.0)),
        );
    }
    let mut rewrite = Rewrite {
        chosen: &chosen,
        unrolled,
        counters: Vec::new(),
    };
    let body = std::mem::take(&mut placed.kernel.body);
    placed.kernel.body = rewrite.list(&mut placed.kernel.tables.nodes, body);
    // Code that no thread comes to may ask a register where all threads have to agree.
    match validate(&placed.kernel) {
        Ok(()) => placed,
        Err(_) => plain.clone(),
    }
}

/// Elements of an array in each thread.
fn slots(kernel: &Kernel<Physical>, owners: &Owners, array: ArrayId) -> u32 {
    let length = kernel.tables.stored_length(kernel.tables.array(array));
    let Some(owner) = owners.get(&array) else {
        return u32::MAX;
    };
    let run = owner.order.run();
    length.div_ceil(run).div_ceil(owner.width).max(1) * run
}

/// The threads that own the elements of an array.
#[derive(Clone, Copy, Debug)]
struct Owner {
    order: Order,
    /// The threads of the block, or the lanes of a warp.
    width: u32,
    /// Does the first access say which layout it is?
    is_open: bool,
}

type Owners = Map<ArrayId, Owner>;

/// Which thread owns which element.
#[derive(Clone, Copy, Debug)]
enum Order {
    Of(Layout),
    /// Each warp owns this many times 32 neighbours. Lane `i` has elements `i`, `i + 32` and so on of them.
    Warps(u32),
}

impl Order {
    /// How many elements an iteration owns, of those that follow each other in its slots.
    fn run(self) -> u32 {
        match self {
            Order::Of(layout) => layout.run(),
            Order::Warps(run) => run,
        }
    }

    /// The owner of an element, and its slot.
    fn place(self, element: u32, owners: u32) -> (u32, u32) {
        match self {
            Order::Of(layout) => layout.place(element, owners),
            Order::Warps(run) => {
                let (warp, own) = (element / (WARP * run), element % (WARP * run));
                let iteration = warp * WARP + own % WARP;
                (iteration % owners, iteration / owners * run + own / WARP)
            }
        }
    }
}

/// The arrays that go to registers, their ranges, and the slots at each place.
type Chosen = Map<ArrayId, (Range, Map<Site, Formula>)>;

/// Arrays whose accesses all are by their owners.
type Known = Map<ArrayId, Sites>;

/// Takes arrays in their order as long as no thread holds too many words at once.
fn choose(
    (plain, owners): (&Placed, &Owners),
    known: Known,
    (rounds, room): (&Map<VariableId, Option<u64>>, u32),
    chosen: &mut Chosen,
) {
    let kernel = &plain.kernel;
    let words = |array: ArrayId| {
        slots(kernel, owners, array) * kernel.tables.array(array).ty.bytes().div_ceil(4)
    };
    for (array, sites) in known.into_iter().filter(|(_, sites)| !sites.is_empty()) {
        let Some(life) = plain.lives.lives.get(&array) else {
            continue;
        };
        let together = chosen
            .iter()
            .filter(|(_, (range, _))| range.meets(life.range))
            .map(|(other, _)| words(*other))
            .sum::<u32>();
        let formulas: Option<Map<Site, Formula>> = sites
            .into_iter()
            .map(|(site, slots)| {
                let formula = slots.formula(&site.1)?;
                let whole = |counter| {
                    let known: Option<u64> = rounds.get(counter).copied().flatten();
                    known.is_some_and(|rounds| rounds <= MOST_ROUNDS)
                };
                formula
                    .0
                    .iter()
                    .all(|(counter, _)| whole(counter))
                    .then_some((site, formula))
            })
            .collect();
        if let Some(formulas) = formulas
            && together + words(array) <= room
        {
            chosen.insert(array, (life.range, formulas));
        }
    }
}

struct Walk<'k> {
    kernel: &'k Kernel<Physical>,
    /// The arrays whose accesses all were by their owners so far.
    known: Known,
    owners: Owners,
    /// The counters of the loops around, with their values; 0 where that is not known.
    counters: Vec<VariableId>,
    values: Vec<u64>,
    /// How many rounds loops have, where that is a number.
    rounds: Map<VariableId, Option<u64>>,
    /// The variables that decide which elements are accessed, and by whom.
    relevant: Set<VariableId>,
    /// What expressions load of these arrays.
    loads: Reads,
}

impl<'k> Walk<'k> {
    fn new(
        kernel: &'k Kernel<Physical>,
        plain: &Placed,
        vouched: &Set<ArrayId>,
        asked: &Asked,
    ) -> Self {
        let lives = plain.lives.lives.iter();
        let owners: Owners = lives
            .filter(|(id, life)| {
                let is_shared = kernel.tables.array(**id).place == ArrayPlace::Shared;
                // An array of a warp that the user does not hold: its lanes' own reads are rare.
                let is_tried = life.warp_loop.is_none() || asked.contains_key(id);
                is_shared && is_tried && !vouched.contains(id)
            })
            .map(|(id, life)| {
                let layout = asked.get(id).map_or(Layout::Striped, |(_, layout)| *layout);
                let width = match life.warp_loop {
                    Some(_) => kernel.lanes(),
                    None => kernel.threads,
                };
                let is_open = life.warp_loop.is_none() && !asked.contains_key(id);
                let owner = Owner {
                    order: Order::Of(layout),
                    width,
                    is_open,
                };
                (*id, owner)
            })
            .collect();
        let fits = |array: &ArrayId| slots(kernel, &owners, *array) <= MOST_WORDS;
        let known = owners.keys().copied().filter(fits);
        let known: Known = known.map(|id| (id, Sites::new())).collect();
        let interest = |array| match known.contains_key(&array) {
            true => Interest::Element,
            false => Interest::None,
        };
        Walk {
            kernel,
            relevant: relevant(kernel, &interest, true),
            loads: Reads::default(),
            known,
            owners,
            counters: Vec::new(),
            values: Vec::new(),
            rounds: Map::new(),
        }
    }

    fn list(&mut self, list: &[Statement<Physical>], lanes: &mut Lanes<'_>) {
        for statement in list {
            self.statement(statement, lanes);
        }
    }

    fn statement(&mut self, statement: &Statement<Physical>, lanes: &mut Lanes<'_>) {
        if self.known.is_empty() || lanes.len() == 0 {
            return;
        }
        if !statement.evaluates_behind_its_head() {
            self.reads(lanes, &statement.nodes(), 0);
        }
        match statement {
            Statement::Store { array, index, .. } | Statement::Read { array, index, .. } => {
                self.access(lanes, *array, *index);
            }
            Statement::Atomic { array, .. } => drop(self.known.remove(array)),
            Statement::If {
                condition,
                then,
                otherwise,
            } => {
                self.list(then, &mut lanes.when(*condition, true));
                self.list(otherwise, &mut lanes.when(*condition, false));
            }
            Statement::While {
                head,
                condition,
                body,
            } => {
                let mut inside = lanes.inside();
                self.list(head, &mut inside);
                self.reads(&inside, &[*condition], 0);
                self.list(body, &mut inside.inside());
            }
            Statement::Loop {
                kind,
                counter,
                bounds,
                body,
                ..
            } => self.rounds(lanes, *kind, *counter, *bounds, body),
            _ => {}
        }
        if let (Some(variable), true) = (statement.binds(), statement.lists().is_empty()) {
            let mut known = None;
            if let Statement::Let { value, .. } = statement
                && crate::plan::analysis::columns::is_followed(self.kernel.tables.nodes.ty(*value))
            {
                known = lanes.value(*value);
            }
            lanes.bind(variable, known);
        }
    }

    fn rounds(
        &mut self,
        lanes: &Lanes<'_>,
        kind: PhysicalLoop,
        counter: VariableId,
        bounds: [NodeId; 3],
        body: &[Statement<Physical>],
    ) {
        let nodes = &self.kernel.tables.nodes;
        let [start, end, step] = bounds.map(|node| nodes.literal(node).map(Literal::u32));
        let number = match (start, end, step) {
            (Some(start), Some(end), Some(step)) if step > 0 => {
                Some(u64::from(end.saturating_sub(start).div_ceil(step)))
            }
            _ => None,
        };
        let known = self.rounds.entry(counter).or_insert(number);
        if *known != number {
            *known = None;
        }
        self.counters.push(counter);
        // In order, and with barriers inside: a thread does not depend on the round of such a loop.
        let of_thread = matches!(
            kind,
            PhysicalLoop::Rounds(_) | PhysicalLoop::Sequential(Level::Thread)
        );
        if of_thread && !self.relevant.contains(&counter) {
            // All rounds do the same.
            let mut inside = lanes.with_a_round(bounds);
            inside.bind(counter, None);
            self.values.push(0);
            self.list(body, &mut inside);
            self.values.pop();
            self.counters.pop();
            return;
        }
        let mut n = 0;
        while let Some(mut inside) = lanes.round(counter, bounds, n).filter(|_| of_thread) {
            if inside.len() == 0 {
                self.counters.pop();
                return;
            }
            let value = inside.value_of(counter);
            self.values.push(value.unwrap_or(0));
            self.list(body, &mut inside);
            self.values.pop();
            n += 1;
        }
        let mut inside = lanes.inside();
        inside.bind(counter, None);
        self.values.push(0);
        self.list(body, &mut inside);
        self.values.pop();
        self.counters.pop();
    }

    /// The accesses of expressions.
    fn reads(&mut self, lanes: &Lanes<'_>, roots: &[NodeId], choices: u32) {
        if lanes.len() == 0 {
            return;
        }
        let nodes = &self.kernel.tables.nodes;
        for root in roots {
            // There are ever fewer arrays; those that are gone are not looked at.
            let touches = |array| self.known.contains_key(&array);
            let parts = self
                .loads
                .of(nodes, *root, choices < MOST_CHOICES, &touches);
            for part in parts.iter() {
                match *part {
                    Part::Load(array, index) => self.access(lanes, array, index),
                    Part::Choice {
                        condition,
                        then,
                        otherwise,
                    } => {
                        self.reads(&lanes.when(condition, true), &[then], choices + 1);
                        self.reads(&lanes.when(condition, false), &[otherwise], choices + 1);
                    }
                }
            }
        }
    }

    /// Each lane accesses an element, which has to be its own.
    fn access(&mut self, lanes: &Lanes<'_>, array: ArrayId, index: NodeId) {
        if lanes.len() == 0 || !self.known.contains_key(&array) {
            return;
        }
        self.settle(lanes, array, index);
        let slot = self.slot(lanes, array, index);
        let Some(sites) = self.known.get_mut(&array) else {
            return;
        };
        let agrees = slot.is_some_and(|slot| {
            let site = (index, self.counters.clone());
            let known = sites.entry(site);
            let known = known.or_insert_with(|| Slots::new(&self.values, slot));
            known.agrees(&self.values, slot)
        });
        if !agrees {
            self.known.remove(&array);
        }
    }

    /// Decides who owns an array by its first access.
    fn settle(&mut self, lanes: &Lanes<'_>, array: ArrayId, index: NodeId) {
        let Some(mut owner) = self.owners.get(&array).copied().filter(|own| own.is_open) else {
            return;
        };
        owner.is_open = false;
        let column = lanes.value(index).filter(|_| lanes.len() > 1);
        // From one thread, or warp, to the next; those without an access may stand between.
        let apart = |lane: usize| {
            let column = column.as_ref().filter(|_| lanes.len() > lane)?;
            let run = column.at(lane).checked_sub(column.at(0))?;
            let threads = lanes.thread(lane) == lanes.thread(0) + lane as u32;
            u32::try_from(run).ok().filter(|_| threads)
        };
        let of_warps = |run: u32| run.is_multiple_of(WARP).then_some(run / WARP);
        let found = match (apart(1), apart(WARP as usize).and_then(of_warps)) {
            (Some(1), Some(run @ 2..=MOST_WORDS)) if owner.width.is_multiple_of(WARP) => {
                Some(Order::Warps(run))
            }
            (Some(run @ 2..=MOST_WORDS), _) => Some(Order::Of(Layout::Blocked(run))),
            _ => None,
        };
        if let Some(order) = found {
            self.owners.insert(array, Owner { order, ..owner });
            if slots(self.kernel, &self.owners, array) <= MOST_WORDS {
                return;
            }
        }
        self.owners.insert(array, owner);
    }

    /// The slot that all lanes access, each as the owner of its element.
    fn slot(&self, lanes: &Lanes<'_>, array: ArrayId, index: NodeId) -> Option<u64> {
        let kernel = self.kernel;
        let length = kernel.tables.stored_length(kernel.tables.array(array));
        let (index, owner) = (lanes.value(index)?, self.owners.get(&array)?);
        let place = |lane: usize| {
            let element = u32::try_from(index.at(lane)).ok()?;
            (element < length).then(|| owner.order.place(element, owner.width))
        };
        let (_, slot) = place(0)?;
        let own = |lane| place(lane) == Some((lanes.thread(lane) % owner.width, slot));
        (0..lanes.len()).all(own).then(|| slot.into())
    }
}

struct Rewrite<'c> {
    chosen: &'c Chosen,
    /// The counters that name registers.
    unrolled: Set<VariableId>,
    counters: Vec<VariableId>,
}

impl Rewrite<'_> {
    fn list(
        &mut self,
        nodes: &mut Nodes,
        list: Vec<Statement<Physical>>,
    ) -> Vec<Statement<Physical>> {
        list.into_iter()
            .map(|statement| self.statement(nodes, statement))
            .collect()
    }

    fn statement(
        &mut self,
        nodes: &mut Nodes,
        mut statement: Statement<Physical>,
    ) -> Statement<Physical> {
        let accessed = statement.accessed();
        let accessed = accessed.filter(|accessed| !matches!(accessed.how, How::Change(..)));
        let own = accessed.and_then(|accessed| self.slot(nodes, accessed.array, accessed.index));
        let mut made = Map::new();
        for node in statement.nodes_mut() {
            *node = self.node(nodes, *node, &mut made);
        }
        if let (Some(slot), Some((_, index))) = (own, statement.accessed_mut()) {
            *index = slot;
        }
        let mut inside = 0;
        if let Statement::Loop {
            counter, unroll, ..
        } = &mut statement
        {
            if self.unrolled.contains(counter) {
                *unroll = Unroll::Always;
            }
            self.counters.push(*counter);
            inside = 1;
        }
        for inner in statement.lists_mut() {
            *inner = self.list(nodes, std::mem::take(inner));
        }
        self.counters.truncate(self.counters.len() - inside);
        statement
    }

    /// An expression with slots in place of elements.
    fn node(&self, nodes: &mut Nodes, root: NodeId, made: &mut Map<NodeId, NodeId>) -> NodeId {
        for id in nodes.post_order(&[root], |id| made.contains_key(&id)) {
            let mut node = nodes.node(id);
            let slot = match node {
                Node::Load { array, index } => self.slot(nodes, array, index),
                _ => None,
            };
            node.operands_mut(|operand| *operand = made.get(operand).copied().unwrap_or(*operand));
            if let (Some(slot), Node::Load { index, .. }) = (slot, &mut node) {
                *index = slot;
            }
            let new = match node == nodes.node(id) {
                true => id,
                false => {
                    let (ty, origin) = (nodes.ty(id), nodes.origin(id));
                    let new = nodes.add(node, ty);
                    if node.is_load() {
                        nodes.place(new, origin);
                    }
                    new
                }
            };
            made.insert(id, new);
        }
        made.get(&root).copied().unwrap_or(root)
    }

    /// The slot of an access here, if the array is in registers. Where no thread comes to it, any will do.
    fn slot(&self, nodes: &mut Nodes, array: ArrayId, index: NodeId) -> Option<NodeId> {
        let (_, sites) = self.chosen.get(&array)?;
        let nowhere = (Vec::new(), 0);
        let (terms, base) = sites
            .get(&(index, self.counters.clone()))
            .unwrap_or(&nowhere);
        let [first, less] = [*base, -*base].map(|n| u32::try_from(n).unwrap_or(0));
        let mut slot = nodes.add_literal(Literal::from(first));
        for (counter, factor) in terms {
            let counter = nodes.add(Node::Variable(*counter), ScalarType::U32);
            let factor = nodes.add_literal(Literal::from(*factor));
            let term = nodes.exact(BinaryOp::Mul, counter, factor);
            slot = nodes.exact(BinaryOp::Add, term, slot);
        }
        let less = nodes.add_literal(Literal::from(less));
        Some(nodes.exact(BinaryOp::Sub, slot, less))
    }
}
