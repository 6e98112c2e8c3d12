//! A kernel's text back as a kernel, so that tests of passes can be written as text.
//!
//! Before: what [`Kernel`]'s `Display` prints. After: a kernel that prints the same. The reader
//! knows names and types of expressions, not rules: it takes texts of kernels that break the rules,
//! for the tests of [`validate`](super::validate()). Names must occur after they are bound. Origins
//! are unknown in what is read.

mod expressions;
mod statements;
mod tokens;

use std::fmt;

use super::print::{PLACES, is_anonymous};
use super::{Kernel, Layout, Level, Parameter, ParameterKind, Stage};
use crate::error::Origin;
use crate::ordered::Map;
use crate::scalar::{
    Array, ArrayId, ArrayPlace, Constraint, Literal, NodeId, Requirement, Role, ScalarType, Tables,
    Variable, VariableId, VariableKind,
};
use tokens::Tokens;

/// Why a text is not a kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    message: String,
    line: usize,
}

impl ReadError {
    /// The line of the text, from 1.
    pub fn line(&self) -> usize {
        self.line
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ReadError {}

type Result<T> = std::result::Result<T, ReadError>;

/// Reads the text of a kernel at a stage; the error says what was expected and on which line.
pub fn read<S: Stage>(text: &str) -> Result<Kernel<S>> {
    let reader = Reader {
        tokens: Tokens::new(text),
        name: String::new(),
        tables: Tables::default(),
        parameters: Vec::new(),
        names: Map::new(),
        labels: Map::new(),
        depth: 0,
    };
    reader.kernel()
}

#[derive(Clone, Copy)]
enum Name {
    Array(ArrayId),
    Variable(VariableId),
}

struct Reader<'t> {
    tokens: Tokens<'t>,
    name: String,
    tables: Tables,
    parameters: Vec<Parameter>,
    names: Map<&'t str, Name>,
    labels: Map<&'t str, NodeId>,
    depth: u32,
}

/// The user's name in a unique one: without its number.
fn given(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(front, _)| front)
}

impl<'t> Reader<'t> {
    fn kernel<S: Stage>(mut self) -> Result<Kernel<S>> {
        self.tokens.expect("kernel")?;
        self.name = self.tokens.next()?.to_owned();
        self.tokens.expect("{")?;
        let mut threads = None;
        loop {
            match self.tokens.peek() {
                "parameter" => self.parameter()?,
                "array" => {
                    self.tokens.next()?;
                    self.declaration()?;
                }
                "require" => self.requirement()?,
                "threads" => {
                    self.tokens.next()?;
                    threads = Some(self.tokens.number()?);
                }
                _ => break,
            }
        }
        let Some(threads) = S::of_threads(threads) else {
            return self.tokens.error(if S::IS_PHYSICAL {
                "`threads` and their number, as in every physical kernel"
            } else {
                "a levelled kernel, which has no number of threads"
            });
        };
        let body = self.rest_of_list()?;
        Ok(Kernel {
            name: self.name,
            tables: self.tables,
            parameters: self.parameters,
            threads,
            body,
        })
    }

    fn parameter(&mut self) -> Result<()> {
        self.tokens.next()?;
        let group = self.tokens.number()?;
        let kind = if self.tokens.ahead(3) == "[" {
            ParameterKind::Array(self.declaration()?)
        } else {
            let name = self.tokens.next()?;
            self.tokens.expect(":")?;
            let ty = self.ty()?;
            ParameterKind::Scalar(self.bind(name, ty, VariableKind::Argument)?)
        };
        self.parameters.push(Parameter { group, kind });
        Ok(())
    }

    fn requirement(&mut self) -> Result<()> {
        self.tokens.next()?;
        let length = self.expression()?;
        let constraint = match self.tokens.next()? {
            "fits" => Constraint::Fits,
            "at_least" => Constraint::AtLeast(self.tokens.number()?),
            "reaches" => Constraint::Reaches(self.tokens.number()?),
            "multiple_of" => match self.tokens.number()? {
                0 => return self.tokens.error("a number above 0"),
                n => Constraint::MultipleOf(n),
            },
            "divided_by" => Constraint::DividedBy(self.expression()?),
            "equal" => Constraint::Equal(self.expression()?),
            _ => return self.tokens.error("what is required"),
        };
        self.tables.requirements.push(Requirement {
            length,
            constraint,
            origin: Origin::UNKNOWN,
        });
        Ok(())
    }

    /// ` blocked k` behind the declaration of a held array, if it is there.
    fn layout<S: Stage>(&mut self) -> Result<S::Layout> {
        let layout = match self.tokens.skip("blocked") {
            true => Layout::Blocked(self.tokens.number()?),
            false => Layout::Striped,
        };
        S::Layout::try_from(layout).or_else(|_| self.tokens.error("no layout, at this stage"))
    }

    /// `name: type[length] place`
    fn declaration(&mut self) -> Result<ArrayId> {
        let name = self.tokens.next()?;
        self.tokens.expect(":")?;
        let ty = self.ty()?;
        self.tokens.expect("[")?;
        // Its own length may occur in the length.
        let length = self.tables.nodes.add_literal(Literal::from(0u32));
        let arrays = &mut self.tables.arrays;
        let id = match self.names.get(name) {
            Some(Name::Array(id)) => *id,
            _ => ArrayId(arrays.len() as u32),
        };
        let array = Array {
            name: given(name).to_owned(),
            ty,
            length,
            place: ArrayPlace::Global(Role::Input),
            origin: Origin::UNKNOWN,
        };
        match arrays.get_mut(id.0 as usize) {
            Some(known) => *known = array,
            None => arrays.push(array),
        }
        self.names.insert(name, Name::Array(id));
        let length = self.expression()?;
        self.tokens.expect("]")?;
        let word = self.tokens.next()?;
        let Some((_, place)) = PLACES.iter().find(|(w, _)| *w == word) else {
            return self.tokens.error("a place");
        };
        if let Some(array) = self.tables.arrays.get_mut(id.0 as usize) {
            (array.length, array.place) = (length, *place);
        }
        Ok(id)
    }

    fn ty(&mut self) -> Result<ScalarType> {
        let word = self.tokens.next()?;
        ScalarType::from_name(word).map_or_else(|| self.tokens.error("a type"), Ok)
    }

    fn level(&mut self) -> Result<Level> {
        let word = self.tokens.next()?;
        let levels = [Level::Thread, Level::Warp, Level::Block, Level::Grid];
        levels
            .into_iter()
            .find(|l| l.name() == word)
            .map_or_else(|| self.tokens.error("a level"), Ok)
    }

    /// The variable of this name, new at the name's first binding.
    fn bind(&mut self, name: &'t str, ty: ScalarType, kind: VariableKind) -> Result<VariableId> {
        match self.names.get(name) {
            Some(Name::Variable(id)) => return Ok(*id),
            Some(Name::Array(_)) => return self.tokens.error("a name that is not an array's"),
            None => {}
        }
        let id = VariableId(self.tables.variables.len() as u32);
        let given = (!is_anonymous(name)).then(|| given(name).to_owned());
        self.tables.variables.push(Variable {
            name: given,
            ty,
            kind,
        });
        self.names.insert(name, Name::Variable(id));
        Ok(id)
    }

    fn array(&mut self) -> Result<ArrayId> {
        let name = self.tokens.next()?;
        match self.names.get(name) {
            Some(Name::Array(id)) => Ok(*id),
            _ => self.tokens.error("the name of an array"),
        }
    }

    fn variable(&mut self) -> Result<VariableId> {
        let name = self.tokens.next()?;
        match self.names.get(name) {
            Some(Name::Variable(id)) => Ok(*id),
            _ => self.tokens.error("the name of a variable"),
        }
    }

    fn element_type(&self, array: ArrayId) -> ScalarType {
        self.tables.array(array).ty
    }
}

#[cfg(test)]
mod tests;
