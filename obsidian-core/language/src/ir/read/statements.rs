//! Statements of a kernel's text.

use super::{Reader, Result};
use crate::error::Origin;
use crate::ir::print::COUNTED;
use crate::ir::{
    AtomicOp, Collective, CollectiveOp, Direction, Earlier, Lane, Shuffle, Stage, Statement,
    Unroll, Wide, given, taken_type,
};
use crate::ir::{Report, ReportKind};
use crate::scalar::{ArrayId, BinaryOp, NodeId, ScalarType, VariableId, VariableKind};

impl<'t> Reader<'t> {
    fn list<S: Stage>(&mut self) -> Result<Vec<Statement<S>>> {
        self.tokens.expect("{")?;
        self.rest_of_list()
    }

    /// Statements up to `}`.
    pub(super) fn rest_of_list<S: Stage>(&mut self) -> Result<Vec<Statement<S>>> {
        let mut list = Vec::new();
        while self.tokens.peek() != "}" {
            match self.tokens.peek().strip_prefix('$') {
                Some(_) => self.label()?,
                None => list.push(self.statement()?),
            }
        }
        self.tokens.expect("}")?;
        Ok(list)
    }

    /// `$0 := expression`
    fn label(&mut self) -> Result<()> {
        let name = self.tokens.next()?;
        self.tokens.expect(":=")?;
        let node = self.expression()?;
        self.labels.insert(name, node);
        Ok(())
    }

    /// `shown "text" (values)`
    fn report(&mut self) -> Result<Report> {
        let word = self.tokens.next()?;
        let kind = ReportKind::ALL.into_iter().find(|kind| kind.word() == word);
        let kind = kind.map_or_else(|| self.tokens.error("`shown` or `failed`"), Ok)?;
        let text = self.tokens.text()?;
        self.tokens.expect("(")?;
        let mut values = Vec::new();
        while !self.tokens.skip(")") {
            values.push(self.expression()?);
            self.tokens.skip(",");
        }
        Ok(Report {
            kind,
            text,
            values,
            origin: Origin::UNKNOWN,
        })
    }

    fn statement<S: Stage>(&mut self) -> Result<Statement<S>> {
        Ok(match self.tokens.next()? {
            "let" => {
                let name = self.target()?;
                let value = self.expression()?;
                let ty = self.tables.nodes.ty(value);
                Statement::Let {
                    variable: self.bind(name, ty, VariableKind::Let)?,
                    value,
                }
            }
            "store" => {
                let (array, index) = self.element()?;
                self.tokens.expect("=")?;
                Statement::Store {
                    array,
                    index,
                    value: self.expression()?,
                    origin: Origin::UNKNOWN,
                }
            }
            "atomic" => self.atomic()?,
            "read" => {
                let name = self.target()?;
                let (array, index) = self.element()?;
                let ty = self.element_type(array);
                Statement::Read {
                    variable: self.bind(name, ty, VariableKind::Let)?,
                    array,
                    index,
                    origin: Origin::UNKNOWN,
                }
            }
            "cell" => {
                let name = self.target()?;
                let value = self.expression()?;
                let ty = self.tables.nodes.ty(value);
                Statement::Declare {
                    cell: self.bind(name, ty, VariableKind::Cell)?,
                    value,
                }
            }
            "assign" => {
                let cell = self.variable()?;
                self.tokens.expect("=")?;
                Statement::Assign {
                    cell,
                    value: self.expression()?,
                }
            }
            "get" => {
                let name = self.target()?;
                let cell = self.variable()?;
                let ty = self.tables.variable(cell).ty;
                Statement::Get {
                    variable: self.bind(name, ty, VariableKind::Let)?,
                    cell,
                }
            }
            "break" => Statement::Break,
            "report" => Statement::Report(self.report()?),
            "allocate" => Statement::Allocate {
                array: self.declaration()?,
                layout: self.layout::<S>()?,
            },
            "wait" => Statement::Wait {
                scope: self.level()?,
            },
            "wide_load" => {
                let held = self.array()?;
                self.tokens.expect("=")?;
                let (array, index) = self.element()?;
                self.wide(Direction::Load, held, (array, index))?
            }
            "wide_store" => {
                let element = self.element()?;
                self.tokens.expect("=")?;
                let held = self.array()?;
                self.wide(Direction::Store, held, element)?
            }
            "shuffle" => {
                let name = self.target()?;
                let value = self.expression()?;
                let from = if self.tokens.skip("ahead") {
                    Lane::Ahead(self.tokens.number()?)
                } else if self.tokens.skip("all") {
                    let name = self.tokens.next()?;
                    let op = BinaryOp::ALL.iter().find(|op| op.name() == name);
                    let unknown = || self.tokens.error("no operator of all lanes");
                    Lane::All(op.map_or_else(unknown, |op| Ok(*op))?)
                } else if self.tokens.skip("equal") {
                    Lane::Equal
                } else {
                    self.tokens.expect("lane")?;
                    Lane::Number(self.expression()?)
                };
                let ty = taken_type(from, self.tables.nodes.ty(value));
                let has = S::SHUFFLES
                    .map_or_else(|| self.tokens.error("no shuffle, at this stage"), Ok)?;
                let shuffle = Shuffle {
                    variable: self.bind(name, ty, VariableKind::Let)?,
                    value,
                    from,
                    origin: Origin::UNKNOWN,
                };
                Statement::Shuffle(has, shuffle)
            }
            "give" => {
                let values = self.expressions()?;
                Statement::Give(self.collectives::<S>()?, values)
            }
            word => return self.control(word),
        })
    }

    fn wide<S: Stage>(
        &self,
        direction: Direction,
        held: ArrayId,
        (array, index): (ArrayId, NodeId),
    ) -> Result<Statement<S>> {
        let wide = Wide {
            direction,
            array,
            index,
            held,
            origin: Origin::UNKNOWN,
        };
        let has = S::WIDE.map_or_else(|| self.tokens.error("no wide access, at this stage"), Ok)?;
        Ok(Statement::Wide(has, wide))
    }

    /// `name =`
    fn target(&mut self) -> Result<&'t str> {
        let name = self.tokens.next()?;
        self.tokens.expect("=")?;
        Ok(name)
    }

    /// `array[index]`
    fn element(&mut self) -> Result<(ArrayId, NodeId)> {
        let array = self.array()?;
        self.tokens.expect("[")?;
        let index = self.expression()?;
        self.tokens.expect("]")?;
        Ok((array, index))
    }

    fn atomic<S: Stage>(&mut self) -> Result<Statement<S>> {
        let target = if self.tokens.ahead(1) == "=" {
            Some(self.target()?)
        } else {
            None
        };
        let word = self.tokens.next()?;
        let Some(op) = AtomicOp::ALL.into_iter().find(|op| op.name() == word) else {
            return self.tokens.error("an atomic operation");
        };
        let (array, index) = self.element()?;
        self.tokens.expect("(")?;
        let operands = self.arguments()?;
        let ty = self.element_type(array);
        let result = target
            .map(|name| self.bind(name, ty, VariableKind::Let))
            .transpose()?;
        Ok(Statement::Atomic {
            array,
            index,
            op,
            operands,
            result,
            origin: Origin::UNKNOWN,
        })
    }

    fn control<S: Stage>(&mut self, word: &'t str) -> Result<Statement<S>> {
        match word {
            "if" => {
                let condition = self.expression()?;
                let then = self.list()?;
                let has_else = self.tokens.skip("else");
                let otherwise = if has_else { self.list()? } else { Vec::new() };
                Ok(Statement::If {
                    condition,
                    then,
                    otherwise,
                })
            }
            "while" => {
                let head = self.list()?;
                self.tokens.expect("holds")?;
                let condition = self.expression()?;
                Ok(Statement::While {
                    head,
                    condition,
                    body: self.list()?,
                })
            }
            "for" => {
                let kind = self.tokens.next()?;
                self.steps(kind)
            }
            "follow" => self.earlier(),
            word if COUNTED.contains(&word) => self.counted(word),
            word if CollectiveOp::ALL.iter().any(|op| op.name() == word) => self.collective(word),
            _ => self.tokens.error("a statement"),
        }
    }

    /// `forall Block i < 4_u32 { .. }`
    fn counted<S: Stage>(&mut self, word: &str) -> Result<Statement<S>> {
        let level = self.level()?;
        let name = self.tokens.next()?;
        self.tokens.expect("<")?;
        let count = self.expression()?;
        let (Some(kind), Some(bounds)) = (S::of_words(word, Some(level)), S::of_count(count))
        else {
            return self.tokens.error("a loop of this stage");
        };
        self.rest_of_loop(kind, name, bounds)
    }

    fn collectives<S: Stage>(&self) -> Result<S::Collectives> {
        S::COLLECTIVES.map_or_else(|| self.tokens.error("no collective, at this stage"), Ok)
    }

    /// `reduce Block i < 4_u32 { .. } by a b { .. } into j < 1_u32 x { .. }`, from the level on.
    fn collective<S: Stage>(&mut self, word: &str) -> Result<Statement<S>> {
        let has = self.collectives::<S>()?;
        let Some(op) = CollectiveOp::ALL.into_iter().find(|op| op.name() == word) else {
            return self.tokens.error("a collective");
        };
        let level = self.level()?;
        let (counter, count) = self.below()?;
        let initial = match self.tokens.skip("from") {
            true => self.expressions()?,
            false => Vec::new(),
        };
        let bits = match op.bits() {
            Some(_) => Some(self.bits()?),
            None => None,
        };
        let source = self.list()?;
        let Some(values) = given(&source) else {
            return self.tokens.error("a list that ends with `give`");
        };
        let types: Vec<_> = values.iter().map(|v| self.tables.nodes.ty(*v)).collect();
        let (left, right, combine) = match bits {
            Some(_) => (Vec::new(), Vec::new(), Vec::new()),
            None => {
                self.tokens.expect("by")?;
                let left = self.components(&types)?;
                self.tokens.skip(",");
                let right = self.components(&types)?;
                (left, right, self.list()?)
            }
        };
        self.tokens.expect("into")?;
        let (element, results) = self.below()?;
        let result = self.components(&types)?;
        let collective = Collective {
            op: bits.map_or(op, |bits| op.by_bits(bits)),
            level,
            initial,
            counter,
            count,
            source,
            left,
            right,
            combine,
            element,
            results,
            result,
            body: self.list()?,
            origin: Origin::UNKNOWN,
        };
        Ok(Statement::Collective(has, Box::new(collective)))
    }

    /// `bits 8_u32`: those of a digit.
    fn bits(&mut self) -> Result<u32> {
        self.tokens.expect("bits")?;
        let number = self.expression()?;
        let literal = self.tables.nodes.literal(number);
        match literal.filter(|n| n.ty() == ScalarType::U32) {
            Some(bits) => Ok(bits.u32()),
            None => self.tokens.error("a literal number of bits"),
        }
    }

    /// `follow lanes 0_u32 of 1_u32 own into sum x { .. }`, from `lanes` on.
    fn earlier<S: Stage>(&mut self) -> Result<Statement<S>> {
        let by_lanes = match self.tokens.next()? {
            "lanes" => true,
            "thread" => false,
            _ => return self.tokens.error("`lanes` or `thread`"),
        };
        let element = self.expression()?;
        self.tokens.expect("of")?;
        let count = self.expression()?;
        let own = self.expressions()?;
        self.tokens.expect("into")?;
        let types: Vec<_> = own.iter().map(|v| self.tables.nodes.ty(*v)).collect();
        let mut cells = Vec::new();
        for _ in &types {
            cells.push(self.variable()?);
        }
        let right = self.components(&types)?;
        let has = S::EARLIER.map_or_else(|| self.tokens.error("no `follow`, at this stage"), Ok)?;
        let earlier = Earlier {
            by_lanes,
            element,
            count,
            own,
            cells,
            right,
            combine: self.list()?,
            origin: Origin::UNKNOWN,
        };
        Ok(Statement::Earlier(has, Box::new(earlier)))
    }

    /// The names of an element's components, which are bound.
    fn components(&mut self, types: &[ScalarType]) -> Result<Vec<VariableId>> {
        let mut bound = Vec::new();
        for ty in types {
            let name = self.tokens.next()?;
            bound.push(self.bind(name, *ty, VariableKind::Let)?);
        }
        Ok(bound)
    }

    /// `x, y`
    fn expressions(&mut self) -> Result<Vec<NodeId>> {
        let mut list = vec![self.expression()?];
        while self.tokens.skip(",") {
            list.push(self.expression()?);
        }
        Ok(list)
    }

    /// `i < 4_u32`
    fn below(&mut self) -> Result<(VariableId, NodeId)> {
        let name = self.tokens.next()?;
        self.tokens.expect("<")?;
        let count = self.expression()?;
        let counter = self.bind(name, ScalarType::U32, VariableKind::Counter)?;
        Ok((counter, count))
    }

    /// `for rounds Block j in 0_u32 .. 4_u32 step 1_u32 { .. }`, from the level on.
    fn steps<S: Stage>(&mut self, word: &str) -> Result<Statement<S>> {
        let level = match word {
            "sequential" | "rounds" => Some(self.level()?),
            _ => None,
        };
        let Some(kind) = S::of_words(word, level) else {
            return self.tokens.error("a loop of this stage");
        };
        let name = self.tokens.next()?;
        self.tokens.expect("in")?;
        let start = self.expression()?;
        self.tokens.expect("..")?;
        let end = self.expression()?;
        self.tokens.expect("step")?;
        let step = self.expression()?;
        let Some(bounds) = S::of_steps([start, end, step], &self.tables.nodes) else {
            return self
                .tokens
                .error("`0_u32 .. n step 1_u32`, as a levelled loop counts from 0 by 1");
        };
        self.rest_of_loop(kind, name, bounds)
    }

    fn rest_of_loop<S: Stage>(
        &mut self,
        kind: S::Loop,
        name: &'t str,
        bounds: S::Bounds,
    ) -> Result<Statement<S>> {
        let counter = self.bind(name, ScalarType::U32, VariableKind::Counter)?;
        let unroll = match () {
            () if self.tokens.skip("rolled") => Unroll::Never,
            () if !self.tokens.skip("unrolled") => Unroll::Free,
            () if !self.tokens.skip("by") => Unroll::Always,
            () => match Unroll::by(self.tokens.number()?) {
                Some(by @ Unroll::By(_)) => by,
                _ => return self.tokens.error("a number of rounds from 1 to 1024"),
            },
        };
        Ok(Statement::Loop {
            kind,
            unroll,
            counter,
            bounds,
            body: self.list()?,
        })
    }
}
