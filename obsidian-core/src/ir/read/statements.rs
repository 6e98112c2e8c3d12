//! Statements of a kernel's text.

use super::{Reader, Result};
use crate::error::Origin;
use crate::ir::{AtomicOp, LoopKind, Statement};
use crate::scalar::{ArrayId, NodeId, ScalarType, VariableKind};

impl<'t> Reader<'t> {
    fn list(&mut self) -> Result<Vec<Statement>> {
        self.tokens.expect("{")?;
        self.rest_of_list()
    }

    /// Statements up to `}`.
    pub(super) fn rest_of_list(&mut self) -> Result<Vec<Statement>> {
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

    fn statement(&mut self) -> Result<Statement> {
        Ok(match self.tokens.next()? {
            "let" => {
                let name = self.target()?;
                let value = self.expression()?;
                let ty = self.kernel.tables.nodes.ty(value);
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
                let ty = self.kernel.tables.nodes.ty(value);
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
                let ty = self
                    .kernel
                    .tables
                    .variables
                    .get(cell.0 as usize)
                    .map_or(ScalarType::U32, |v| v.ty);
                Statement::Get {
                    variable: self.bind(name, ty, VariableKind::Let)?,
                    cell,
                }
            }
            "break" => Statement::Break,
            "allocate" => Statement::Allocate {
                array: self.declaration()?,
            },
            "wait" => Statement::Wait {
                scope: self.level()?,
            },
            word => return self.control(word),
        })
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

    fn atomic(&mut self) -> Result<Statement> {
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

    fn control(&mut self, word: &str) -> Result<Statement> {
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
            "for" => self.for_loop(),
            "forall" | "distribute" => {
                let level = self.level()?;
                let name = self.tokens.next()?;
                self.tokens.expect("<")?;
                let count = self.expression()?;
                let counter = self.bind(name, ScalarType::U32, VariableKind::Counter)?;
                let body = self.list()?;
                Ok(match word {
                    "forall" => Statement::ForAll {
                        level,
                        counter,
                        count,
                        body,
                    },
                    _ => Statement::Distribute {
                        unit: level,
                        counter,
                        count,
                        body,
                    },
                })
            }
            _ => self.tokens.error("a statement"),
        }
    }

    fn for_loop(&mut self) -> Result<Statement> {
        let kind = match self.tokens.next()? {
            "sequential" => LoopKind::Sequential(self.level()?),
            "rounds" => LoopKind::Rounds(self.level()?),
            "warps" => LoopKind::Warps,
            "blocks" => LoopKind::Blocks,
            _ => return self.tokens.error("the kind of a loop"),
        };
        let name = self.tokens.next()?;
        self.tokens.expect("in")?;
        let start = self.expression()?;
        self.tokens.expect("..")?;
        let end = self.expression()?;
        self.tokens.expect("step")?;
        let step = self.expression()?;
        let counter = self.bind(name, ScalarType::U32, VariableKind::Counter)?;
        Ok(Statement::For {
            kind,
            counter,
            start,
            end,
            step,
            body: self.list()?,
        })
    }
}
