//! The results of a kernel.

use std::rc::Rc;

use super::{Eval, Machine, Value, value};
use crate::array::Length;
use crate::error::catalogue;
use crate::ir::Level;
use crate::program::{AnyLevel, Program};
use crate::reify::Builder;
use crate::syntax::{LevelUse, Site, Type};

/// Can a kernel give this? A push array of the grid, several, or a program of the grid.
pub fn is_result(ty: &Type) -> bool {
    match ty {
        Type::Push(level, _, size) => *level == LevelUse::Known(Level::Grid) && size.rank == 1,
        Type::Tuple(list) => !list.is_empty() && list.iter().all(is_result),
        Type::Program(level, inner) => {
            *level == LevelUse::Known(Level::Grid) && (**inner == Type::Unit || is_result(inner))
        }
        _ => false,
    }
}

impl Machine {
    /// Takes the result of a kernel: a push array of the grid, several, or a program of the grid. It is declared at the first site, and given
    /// at the second one.
    pub(super) fn results(
        self: &Rc<Self>,
        ty: &Type,
        value: Value,
        name: &str,
        builder: &mut Builder,
        (declared, site): (Site, Site),
    ) -> Eval<()> {
        match (ty, value) {
            (Type::Push(_, element, _), value @ Value::Push(_)) if value.rank() == Some(1) => {
                let push = self.pushed_list(&value, site)?;
                let shape = self.shape(
                    element,
                    "the element type of this result is not known to the kernel",
                    declared,
                )?;
                let length = push.len().exp();
                let arrays = self.at(declared, || {
                    builder.output_arrays(name, &shape.fields(), length)
                })?;
                self.at(site, || {
                    let handle = shape.handle(&mut arrays.into_iter());
                    let write = value::writer(handle);
                    let program: Program<AnyLevel, ()> = push.write_to(write);
                    builder.run(program);
                })
            }
            (Type::Tuple(types), Value::Tuple(values)) if types.len() == values.len() => {
                for (n, (ty, value)) in types.iter().zip(values.iter()).enumerate() {
                    let (name, sites) = (format!("{name}_{n}"), (declared, site));
                    self.results(ty, value.clone(), &name, builder, sites)?;
                }
                Ok(())
            }
            (Type::Program(_, inner), Value::Program(program)) => {
                let value = self.at(site, || builder.run_for(&program))?;
                self.results(inner, value, name, builder, (declared, site))
            }
            (Type::Push(_, element, _), Value::Program(program)) => {
                // What is wrong inside of it comes first.
                self.at(site, || builder.run_for(&program))?;
                let element = match &**element {
                    Type::Exp(ty) => ty.exp_name(),
                    _ => "..".to_owned(),
                };
                let ty = format!("DPush<Grid, {element}>");
                self.fail(declared, catalogue::kernel_with_a_question_mark(&ty))
            }
            (Type::Unit, Value::Unit) => Ok(()),
            (Type::Push(..), pull @ Value::Pull(_)) => {
                self.wrong_kind("a push array of the grid", &pull, site)
            }
            (_, Value::Poison) => Err(super::Flow::Stop),
            (Type::Tuple(types), other) => {
                let wanted = format!(
                    "a tuple of {}, as many outputs as the kernel declares",
                    types.len()
                );
                self.wrong_kind(&wanted, &other, site)
            }
            _ => self.fail(
                declared,
                catalogue::bad_signature(
                    "a kernel gives a push array of the grid, several, or a program of the grid",
                ),
            ),
        }
    }
}
