//! From a lowered kernel to a program of columns.
//!
//! | file | what it does |
//! |---|---|
//! | `values` | expressions: what all lanes share once, the rest by columns |
//! | `statements` | statements: loops, conditions and accesses as instructions and jumps |
//! | `cells` | values of a lane that change, and names for their present value |
//! | `registers` | gives values that are not alive at the same time the same register |

mod cells;
mod registers;
mod statements;
mod values;

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use obsidian_core::plan::Plan;
use obsidian_language::error::Origin;
use obsidian_language::ir::{Kernel, Lowered, ParameterKind, Report, ReportKind};
use obsidian_language::ordered::Map;
use obsidian_language::scalar::lazy::Known;
use obsidian_language::scalar::{
    ArrayId, ArrayPlace, Literal, NodeId, Nodes, Promised, Role, ScalarType, VariableId,
};

use super::code::{
    Access, Args, Index, Instr, Plain, Program, Reg, Room, Site, Slot, Space, Stored,
};
use values::{Choice, Value};

/// A strip has no fewer and no more lanes than these.
const LANES: std::ops::RangeInclusive<usize> = 512..=1024;

/// Bytes of columns that stay in the first cache of a core.
const NEAR: usize = 24 << 10;

/// Compiles a plan; `strip` is the number of lanes of a strip, or what fits the kernel.
pub(super) fn compile(plan: &Plan, strip: Option<usize>) -> Result<Program, String> {
    let mut compiler = Compiler::new(plan.lowered());
    compiler.parameters()?;
    compiler.list(&plan.lowered().body)?;
    compiler.emit(Instr::End);
    compiler.finish(strip)
}

/// A cell of the kernel.
#[derive(Clone, Copy)]
struct Cell {
    reg: Reg,
    /// The mask under which it was begun.
    mask: u32,
}

/// May lanes do it once more, without another result?
fn can_be_repeated(instr: &Instr) -> bool {
    matches!(
        instr,
        Instr::Apply { .. }
            | Instr::Load { .. }
            | Instr::Assign { .. }
            | Instr::Swap { .. }
            | Instr::Unless { .. }
            | Instr::Enter { .. }
            | Instr::EnterBelow { .. }
            | Instr::Take { .. }
            | Instr::Begin { .. }
            | Instr::IfNone { .. }
            | Instr::Jump(_)
            | Instr::Cut { .. }
    )
}

/// A loop that can be left.
struct Leave {
    /// The mask of its lanes; none outside of lanes.
    mask: Option<u32>,
    /// Jumps to its end.
    jumps: Vec<usize>,
}

/// The lanes of the present loop over threads.
#[derive(Clone, Copy)]
struct Lanes {
    /// The masks that are in use, of which the last is the present one.
    mask: u32,
    /// May a strip end with a row? Nothing that it has done may count yet.
    cuts: bool,
    /// Are there strips that cannot end with a row, so that they need instructions of their own?
    needs_whole: bool,
}

struct Compiler<'k> {
    kernel: &'k Kernel<Lowered>,
    nodes: &'k Nodes,
    lets: Map<VariableId, NodeId>,
    promised: Promised,
    /// The nodes that read arrays, themselves or below.
    loading: HashSet<NodeId>,
    code: Vec<Instr>,
    /// First and last instruction of each loop, inner ones first.
    loops: Vec<(usize, usize)>,
    known: Known<Value>,
    choices: Vec<Choice>,
    /// Which nodes of the present statement differ by lane.
    varying: HashMap<NodeId, bool>,
    names: HashMap<VariableId, Value>,
    cells: HashMap<VariableId, Cell>,
    arrays: HashMap<ArrayId, Space>,
    constants: HashMap<Literal, Reg>,
    lengths: HashMap<ArrayId, Reg>,
    /// Registers that are never given to another value.
    pinned: HashSet<Reg>,
    lanes: Option<Lanes>,
    /// What strips end with the rows of: the first number and the length of a row.
    rows: Vec<(Reg, Reg)>,
    /// The loops around this place; none for one that cannot be left.
    leaves: Vec<Option<Leave>>,
    /// For each list around this place, the jumps to its end.
    ends: Vec<Vec<usize>>,
    next: u32,
    program: Program,
    site_numbers: HashMap<Site, u32>,
    fault: Option<String>,
}

impl<'k> Compiler<'k> {
    fn new(kernel: &'k Kernel<Lowered>) -> Self {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        Compiler {
            kernel,
            nodes: &kernel.tables.nodes,
            lets: kernel.lets(),
            promised: Promised::default(),
            loading: loading(&kernel.tables.nodes),
            code: Vec::new(),
            loops: Vec::new(),
            known: Known::default(),
            choices: Vec::new(),
            varying: HashMap::new(),
            names: HashMap::new(),
            cells: HashMap::new(),
            arrays: HashMap::new(),
            constants: HashMap::new(),
            lengths: HashMap::new(),
            pinned: HashSet::new(),
            lanes: None,
            rows: Vec::new(),
            leaves: Vec::new(),
            ends: Vec::new(),
            next: 0,
            program: Program {
                number: NUMBER.fetch_add(1, Relaxed),
                code: Vec::new(),
                constants: Vec::new(),
                lengths: Vec::new(),
                slots: Vec::new(),
                sites: Vec::new(),
                assertions: Vec::new(),
                masks: 1,
                room: Room::default(),
                strip: *LANES.start(),
            },
            site_numbers: HashMap::new(),
            fault: None,
        }
    }

    /// Places for the parameters, in the order of the launch.
    fn parameters(&mut self) -> Result<(), String> {
        let kernel = self.kernel;
        let (mut inputs, mut cells) = ([0; ScalarType::ALL.len()], [0; ScalarType::ALL.len()]);
        for (position, parameter) in kernel.parameters.iter().enumerate() {
            let slot = match parameter.kind {
                ParameterKind::Scalar(variable) => {
                    let reg = self.pin(kernel.tables.variable(variable).ty);
                    self.names.insert(variable, Value::Reg(reg));
                    Slot::Number(reg)
                }
                ParameterKind::Array(id) => {
                    let entry = kernel.tables.array(id);
                    let length = self.pin(ScalarType::U32);
                    self.lengths.insert(id, length);
                    self.program.lengths.push((length, position));
                    let (of, ty) = (entry.ty as usize, entry.ty);
                    let (space, slot) = match entry.place {
                        ArrayPlace::Global(Role::Input) => {
                            inputs[of] += 1;
                            (Space::Input(inputs[of] - 1), Slot::Input(ty))
                        }
                        ArrayPlace::Global(_) => {
                            cells[of] += 1;
                            (Space::Cells(cells[of] - 1), Slot::Cells(ty))
                        }
                        _ => return Err(format!("`{}` is no parameter", entry.name)),
                    };
                    self.arrays.insert(id, space);
                    slot
                }
            };
            self.program.slots.push(slot);
        }
        Ok(())
    }

    /// Makes the program of what was compiled.
    fn finish(mut self, strip: Option<usize>) -> Result<Program, String> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        let mut constants: Vec<(Reg, Literal)> = self
            .constants
            .iter()
            .map(|(value, reg)| (*reg, *value))
            .collect();
        constants.sort();
        self.program.constants = constants;
        self.program.code = self.code;
        registers::allocate(&mut self.program, &self.pinned, &self.loops);
        self.program.strip = strip.unwrap_or_else(|| lanes_of(&self.program.room)).max(1);
        Ok(self.program)
    }

    fn emit(&mut self, instr: Instr) -> usize {
        if let Some(lanes) = &mut self.lanes {
            lanes.cuts &= can_be_repeated(&instr);
        }
        self.code.push(instr);
        self.code.len() - 1
    }

    fn here(&self) -> usize {
        self.code.len()
    }

    /// Lets an instruction jump to the next one that is emitted.
    fn land(&mut self, jump: usize) {
        let here = self.code.len() as u32;
        if let Some(target) = self.code.get_mut(jump).and_then(Instr::target) {
            *target = here;
        }
    }

    /// The number of the present mask.
    fn mask(&self) -> u32 {
        self.lanes.map_or(0, |lanes| lanes.mask)
    }

    /// Begins a mask inside of the present one: its number, and that of the present one.
    fn inner_mask(&mut self) -> (u32, u32) {
        let outer = self.mask();
        self.program.masks = self.program.masks.max(outer + 2);
        (outer + 1, outer)
    }

    fn set_mask(&mut self, mask: u32) {
        if let Some(lanes) = &mut self.lanes {
            lanes.mask = mask;
        }
    }

    fn number(&mut self) -> u32 {
        if self.next >= Reg::MOST {
            self.fault
                .get_or_insert_with(|| "it has too many values".to_owned());
            return 0;
        }
        self.next += 1;
        self.next - 1
    }

    /// A new value that all lanes share.
    fn scalar(&mut self, ty: ScalarType) -> Reg {
        Reg::scalar(ty, self.number())
    }

    /// A new column.
    fn column(&mut self, ty: ScalarType) -> Reg {
        Reg::column(ty, self.number())
    }

    /// A shared value that keeps its register.
    fn pin(&mut self, ty: ScalarType) -> Reg {
        let reg = self.scalar(ty);
        self.pinned.insert(reg);
        reg
    }

    fn constant(&mut self, value: Literal) -> Reg {
        if let Some(reg) = self.constants.get(&value) {
            return *reg;
        }
        let reg = self.pin(value.ty());
        self.constants.insert(value, reg);
        reg
    }

    /// Notes what cannot be, which makes the launch an error.
    fn impossible(&mut self, what: impl Into<String>) {
        let what = what.into();
        self.fault.get_or_insert(what);
    }

    /// The number of a place.
    fn site(&mut self, site: Site) -> u32 {
        let next = self.program.sites.len() as u32;
        let number = *self.site_numbers.entry(site).or_insert(next);
        if number == next {
            self.program.sites.push(site);
        }
        number
    }

    /// An assertion that does not hold for the lanes at hand. (What is shown is not printed here.)
    fn report(&mut self, report: &Report) {
        if report.kind == ReportKind::Shown {
            return;
        }
        let assertion = Some(self.program.assertions.len() as u32);
        self.program.assertions.push(report.text.clone());
        let site = self.site(Site {
            array: ArrayId(0),
            origin: report.origin,
            vouched: false,
            assertion,
        });
        let mask = self.mask();
        self.emit(Instr::Fail { site, mask });
    }

    /// The access of an array at an index that was evaluated.
    fn access(&mut self, array: ArrayId, index: NodeId, at: Value, origin: Origin) -> Access {
        let names = |variable| self.lets.get(&variable).copied();
        let vouched = self.promised.of(self.nodes, index, names).inside;
        let site = Site {
            array,
            origin,
            vouched,
            assertion: None,
        };
        let number = self.site(site);
        let index = match at {
            Value::Reg(reg) if reg.is_scalar() => Index::One(reg),
            Value::Reg(reg) => Index::Many(reg),
            Value::Ramp { base, stride } => Index::Ramp { base, stride },
            Value::Below(_) => Index::Many(self.in_register(at)),
        };
        let space = self.arrays.get(&array).copied();
        if space.is_none() {
            let name = self.kernel.tables.array(array).name.clone();
            self.impossible(format!("`{name}` is used in front of its allocation"));
        }
        Access {
            space: space.unwrap_or(Space::Input(0)),
            index,
            site: number,
            mask: self.mask(),
        }
    }

    /// Makes room for an array of the block or of a lane.
    fn allocate(&mut self, array: ArrayId) {
        if self.arrays.contains_key(&array) {
            // Strips that end with rows, and those that do not, use the same one.
            return;
        }
        let entry = self.kernel.tables.array(array);
        let stored = Stored {
            ty: entry.ty,
            length: self.kernel.tables.stored_length(entry),
            is_held: entry.place == ArrayPlace::Held && self.lanes.is_some(),
        };
        let arrays = &mut self.program.room.arrays;
        let number = arrays.iter().filter(|other| other.ty == stored.ty).count() as u32;
        arrays.push(stored);
        let space = if stored.is_held {
            Space::Held(number)
        } else {
            Space::Shared(number)
        };
        self.arrays.insert(array, space);
    }
}

/// The lanes of a strip, so that the columns stay near.
fn lanes_of(room: &Room) -> usize {
    let of_columns = room.columns.iter().zip(ScalarType::ALL);
    let columns = of_columns.map(|(n, ty)| *n as usize * ty.bytes() as usize);
    let held = room.arrays.iter().filter(|array| array.is_held);
    let arrays = held.map(|array| array.length as usize * array.ty.bytes() as usize);
    let bytes: usize = columns.sum::<usize>() + arrays.sum::<usize>();
    let lanes = (NEAR / bytes.max(1)).next_power_of_two() / 2;
    lanes.clamp(*LANES.start(), *LANES.end())
}

/// The nodes that read arrays, themselves or below.
fn loading(nodes: &Nodes) -> HashSet<NodeId> {
    let mut found = HashSet::new();
    for id in nodes.ids() {
        let node = nodes.node(id);
        if node.is_load() || node.operands().any(|id| found.contains(&id)) {
            found.insert(id);
        }
    }
    found
}

/// Operands of an operation that has fewer than three.
pub(super) fn args(to: Reg, from: &[Reg], plain: Plain) -> Args {
    let operand = |n: usize| from.get(n).copied().unwrap_or(to);
    Args {
        to,
        from: [operand(0), operand(1), operand(2)],
        plain,
    }
}
