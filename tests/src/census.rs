//! Counts what a launch has to do, from the lowered kernel alone: virtual blocks, and how often
//! each element of an output is written.
//!
//! All executors take the number of blocks from one formula of the kernel's interface, so that
//! comparing them does not show when it is too small. A [`Census`] is a device that runs nothing:
//! it walks through the statements with the lengths of the launch, and reports if there are blocks
//! to run and the launch has none, if it has fewer than the largest loop over blocks, or if an
//! output has elements that are not written once.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use obsidian_core::ir::{Kernel, Level, LevelledLoop, Lowered, ParameterKind, Statement};
use obsidian_core::scalar::{
    ArrayId, ArrayPlace, Literal, Node, NodeId, Role, VariableId, meaning,
};
use obsidian_rt::backend::{self, Backend, Launch, Parameter};
use obsidian_rt::{Device, ErrorKind, Result};

/// Statements and expressions of one walk: a launch that takes more is not counted.
const MOST_STEPS: u64 = 400_000;
/// How deep expressions are followed.
const DEEPEST: u32 = 200;

/// A device that counts.
#[derive(Clone, Debug, Default)]
pub struct Census {
    found: Arc<Found>,
}

/// Launches so far.
#[derive(Debug, Default)]
struct Found {
    launches: AtomicU64,
    unknown: AtomicU64,
}

impl Census {
    /// The device.
    pub fn device(&self) -> Device {
        Device::from_backend(self.clone())
    }

    /// Launches so far.
    pub fn launches(&self) -> u64 {
        self.found.launches.load(Relaxed)
    }

    /// Launches of which it is not known what they do: data decides, or they are too long.
    pub fn unknown(&self) -> u64 {
        self.found.unknown.load(Relaxed)
    }
}

impl Backend for Census {
    fn name(&self) -> &str {
        "census"
    }

    /// Counts, and runs nothing.
    fn run(&self, launch: &mut Launch<'_>) -> Result<()> {
        self.found.launches.fetch_add(1, Relaxed);
        let kernel = launch.kernel().lowered()?;
        // Of blocks that have an order the lowered kernel has three loops, for a CPU.
        let mut orders = launch.interface().orders.iter();
        let has_order = orders.any(|order| order.words() > 0);
        let counted = match has_order {
            true => None,
            false => Walk::of(kernel, launch.parameters())?,
        };
        let Some(counted) = counted else {
            self.found.unknown.fetch_add(1, Relaxed);
            return Ok(());
        };
        counted
            .compare(kernel, launch)
            .map_err(|words| backend::error(ErrorKind::Internal, words))
    }
}

/// What a launch does.
#[derive(Debug, Default)]
struct Counted {
    /// Virtual blocks, of all loops over blocks.
    blocks: u64,
    /// Virtual blocks of the largest loop.
    largest: u64,
    /// Stores to each output, and how often each element is stored whose index is known.
    stores: BTreeMap<ArrayId, (u64, BTreeMap<u64, u64>)>,
}

impl Counted {
    fn compare(
        &self,
        kernel: &Kernel<Lowered>,
        launch: &Launch<'_>,
    ) -> std::result::Result<(), String> {
        let blocks = u64::from(launch.blocks());
        if (blocks == 0 && self.blocks > 0) || blocks < self.largest {
            return Err(format!(
                "{} virtual blocks are executed, at most {} in one loop, and the launch has {blocks}",
                self.blocks, self.largest
            ));
        }
        for (parameter, given) in kernel.parameters.iter().zip(launch.parameters()) {
            let (ParameterKind::Array(id), Parameter::Output(memory)) = (parameter.kind, given)
            else {
                continue;
            };
            let nothing = Default::default();
            let (stores, elements) = self.stores.get(&id).unwrap_or(&nothing);
            let length = memory.len() as u64;
            let twice = elements.iter().find(|(_, times)| **times != 1);
            let outside = elements.keys().find(|element| **element >= length);
            if *stores != length || twice.is_some() || outside.is_some() {
                return Err(format!(
                    "an output of {length} elements is written {stores} times; twice: {twice:?}, outside: {outside:?}"
                ));
            }
        }
        Ok(())
    }
}

/// Nothing is known of a decision, or the walk takes too long.
struct Unknown;

/// Does the walk go on with the next statement, or is the loop left?
#[derive(PartialEq, Eq)]
enum Flow {
    On,
    Left,
}

type Step<T = Flow> = std::result::Result<T, Unknown>;

struct Walk<'k> {
    kernel: &'k Kernel<Lowered>,
    lengths: BTreeMap<ArrayId, u64>,
    inputs: BTreeMap<ArrayId, Vec<u64>>,
    /// The values of names; those that are not known are missing.
    values: HashMap<VariableId, Literal>,
    steps: u64,
    counted: Counted,
}

impl<'k> Walk<'k> {
    fn of(kernel: &'k Kernel<Lowered>, parameters: &[Parameter<'_>]) -> Result<Option<Counted>> {
        let mut walk = Walk {
            kernel,
            lengths: BTreeMap::new(),
            inputs: BTreeMap::new(),
            values: HashMap::new(),
            steps: 0,
            counted: Counted::default(),
        };
        for (parameter, given) in kernel.parameters.iter().zip(parameters) {
            match (parameter.kind, given) {
                (ParameterKind::Scalar(variable), Parameter::Scalar(value)) => {
                    walk.values.insert(variable, *value);
                }
                (ParameterKind::Array(id), given) => {
                    if let Some(memory) = given.memory() {
                        walk.lengths.insert(id, memory.len() as u64);
                    }
                    if let Parameter::Input(memory) = given {
                        walk.inputs.insert(id, memory.as_host()?.bits());
                    }
                }
                _ => {}
            }
        }
        let done = walk.list(&kernel.body);
        Ok(done.is_ok().then_some(walk.counted))
    }

    fn list(&mut self, list: &[Statement<Lowered>]) -> Step {
        for statement in list {
            if self.statement(statement)? == Flow::Left {
                return Ok(Flow::Left);
            }
        }
        Ok(Flow::On)
    }

    fn tick(&mut self) -> Step<()> {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return Err(Unknown);
        }
        Ok(())
    }

    fn bind(&mut self, variable: VariableId, value: Option<Literal>) {
        match value {
            Some(value) => self.values.insert(variable, value),
            None => self.values.remove(&variable),
        };
    }

    fn statement(&mut self, statement: &Statement<Lowered>) -> Step {
        self.tick()?;
        if !self.matters(statement) {
            self.forget(statement);
            return Ok(Flow::On);
        }
        match statement {
            Statement::Let { variable, value }
            | Statement::Declare {
                cell: variable,
                value,
            }
            | Statement::Assign {
                cell: variable,
                value,
            } => {
                let value = self.value(*value);
                self.bind(*variable, value);
            }
            Statement::Get { variable, cell } => {
                let value = self.values.get(cell).copied();
                self.bind(*variable, value);
            }
            Statement::Store { array, index, .. } => {
                let index = self.value(*index);
                let (stores, elements) = self.counted.stores.entry(*array).or_default();
                *stores += 1;
                if let Some(index) = index {
                    *elements.entry(index.bits()).or_default() += 1;
                }
            }
            Statement::Break => return Ok(Flow::Left),
            Statement::If {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.value(*condition).ok_or(Unknown)?;
                return self.list(if condition.bool() { then } else { otherwise });
            }
            Statement::While {
                head,
                condition,
                body,
            } => loop {
                self.list(head)?;
                let condition = self.value(*condition).ok_or(Unknown)?;
                if !condition.bool() || self.list(body)? == Flow::Left {
                    break;
                }
            },
            Statement::Loop {
                kind,
                counter,
                bounds: [count],
                body,
                ..
            } => {
                let count = self.value(*count).ok_or(Unknown)?.u32();
                if *kind == LevelledLoop::Distribute(Level::Block) {
                    self.counted.blocks += u64::from(count);
                    self.counted.largest = self.counted.largest.max(count.into());
                }
                for i in 0..count {
                    self.tick()?;
                    self.bind(*counter, Some(Literal::from(i)));
                    if self.list(body)? == Flow::Left {
                        break;
                    }
                }
            }
            _ => self.forget(statement),
        }
        Ok(Flow::On)
    }

    /// Does a statement decide who runs, or what is written?
    fn matters(&self, statement: &Statement<Lowered>) -> bool {
        let arrays = &self.kernel.tables.arrays;
        let mut matters = statement.lists().is_empty();
        statement.visit(&mut |inner| {
            matters |= match inner {
                Statement::Store { array, .. } => {
                    let place = arrays.get(array.0 as usize).map(|array| array.place);
                    place == Some(ArrayPlace::Global(Role::Output))
                }
                Statement::Loop { kind, .. } => *kind == LevelledLoop::Distribute(Level::Block),
                Statement::Break => true,
                _ => false,
            }
        });
        matters
    }

    /// What a statement binds or assigns is not known any more.
    fn forget(&mut self, statement: &Statement<Lowered>) {
        statement.visit(&mut |inner| {
            let assigned = match inner {
                Statement::Assign { cell, .. } => Some(*cell),
                _ => inner.binds(),
            };
            if let Some(variable) = assigned {
                self.values.remove(&variable);
            }
        });
    }

    fn value(&mut self, id: NodeId) -> Option<Literal> {
        self.evaluate(id, 0)
    }

    fn evaluate(&mut self, id: NodeId, depth: u32) -> Option<Literal> {
        self.tick().ok()?;
        let nodes = &self.kernel.tables.nodes;
        if depth > DEEPEST {
            return None;
        }
        let mut of = |id: NodeId| self.evaluate(id, depth + 1);
        match nodes.node(id) {
            Node::Literal(literal) => Some(literal),
            Node::Variable(variable) => self.values.get(&variable).copied(),
            Node::Length(array) => {
                let length = self.lengths.get(&array)?;
                u32::try_from(*length).ok().map(Literal::from)
            }
            Node::Load { array, index } => {
                let index = of(index)?.u32();
                let bits = *self.inputs.get(&array)?.get(index as usize)?;
                Some(Literal::from_bits(nodes.ty(id), bits))
            }
            Node::Unary { op, value } => Some(meaning::unary(op, of(value)?)),
            Node::Binary {
                op, left, right, ..
            } => {
                let left = of(left)?;
                Some(meaning::binary(op, left, of(right)?))
            }
            Node::MulAdd {
                left,
                right,
                addend,
            } => {
                let (left, right) = (of(left)?, of(right)?);
                Some(meaning::mul_add(left, right, of(addend)?))
            }
            Node::Select {
                condition,
                then,
                otherwise,
            } => {
                let condition = of(condition)?.bool();
                of(if condition { then } else { otherwise })
            }
            Node::Cast { value } => Some(meaning::cast(nodes.ty(id), of(value)?)),
            _ => None,
        }
    }
}
