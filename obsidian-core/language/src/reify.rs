//! Reification: a kernel function is applied to named arrays in the device's memory, and the grid
//! program that it gives is run. Before it there is a Rust function, after it a tree of actions
//! over tables of nodes. Paper, section 5.1.1.

use std::panic::Location;
use std::rc::Rc;

use crate::array::{DPull, Element, Length, Push};
use crate::error::{Diagnostics, internal};
use crate::ir::{Parameter, ParameterKind};
use crate::library::Mutable;
use crate::ordered::Set;
use crate::program::{Action, Grid, Hierarchy, Program, Thread, Trace, on_its_own};
use crate::scalar::{
    AnyExp, Array, ArrayId, ArrayPlace, Exp, Node, Role, Scalar, ScalarType, Tables, VariableId,
    VariableKind, build, here, session, with_native,
};

/// A kernel as a tree of actions.
#[derive(Clone, Debug)]
pub struct Reified {
    /// The name of the function.
    pub name: String,
    /// The parameters, inputs first.
    pub parameters: Vec<Parameter>,
    /// What the kernel does, at level Grid.
    pub actions: Vec<Action>,
    /// What the actions name.
    pub tables: Tables,
}

/// Declares the parameters of a kernel, and takes its results.
#[derive(Default)]
pub struct Builder {
    parameters: Vec<Parameter>,
    groups: u32,
    actions: Vec<Action>,
    /// Where outputs are stored, as faults and lines of texts say.
    place: Option<&'static Location<'static>>,
    /// Scalar arguments that are no parameters unless something uses them.
    if_used: Set<VariableId>,
}

/// Runs `f`, which declares inputs and gives outputs to the builder, and gives back what it wrote.
///
/// # Errors
/// Everything that was reported on the way.
pub fn reify(name: &str, f: impl FnOnce(&mut Builder)) -> Result<Reified, Diagnostics> {
    let made = on_its_own(|| {
        build(|| {
            let mut builder = Builder::default();
            f(&mut builder);
            builder
        })
    });
    let mut tables = made.tables;
    // What later passes make anew stays as it is, so that all devices round alike.
    tables.nodes.contract(false);
    if !made.diagnostics.is_empty() {
        return Err(Diagnostics::new(made.diagnostics, tables.origins));
    }
    let mut seen = Set::new();
    tables
        .requirements
        .retain(|r| seen.insert((r.length, r.constraint)));
    let mut builder = made.result;
    if !builder.if_used.is_empty() {
        let used = variables_used(&builder.actions, &tables);
        let left_out = |kind: ParameterKind| match kind {
            ParameterKind::Scalar(id) => builder.if_used.contains(&id) && !used.contains(&id),
            ParameterKind::Array(_) => false,
        };
        builder.parameters.retain(|one| !left_out(one.kind));
    }
    Ok(Reified {
        name: name.to_owned(),
        parameters: builder.parameters,
        actions: builder.actions,
        tables,
    })
}

/// The variables in what actions do, in the lengths of arrays, and in what a launch is held to.
fn variables_used(actions: &[Action], tables: &Tables) -> Set<VariableId> {
    let mut roots: Vec<_> = tables.arrays.iter().map(|array| array.length).collect();
    for required in &tables.requirements {
        roots.push(required.length);
        roots.extend(required.constraint.other());
    }
    let mut lists = vec![actions];
    while let Some(actions) = lists.pop() {
        for action in actions {
            roots.extend(action.nodes());
            lists.extend(action.lists().into_iter().map(Vec::as_slice));
        }
    }
    let nodes = &tables.nodes;
    let variable = |id| nodes.node(id).variable();
    let all = nodes.post_order(&roots, |_| false);
    all.into_iter().filter_map(variable).collect()
}

impl Builder {
    /// Sums with a product have one rounding: `#[kernel(contract)]`.
    pub fn contract(&mut self) {
        session(|s| s.tables.nodes.contract(true));
    }

    /// An input array of the user's function, of dynamic length.
    #[track_caller]
    pub fn input<T: Element>(&mut self, name: &str) -> DPull<T> {
        let (arrays, length) = self.input_arrays(name, &T::fields());
        let handle = T::handle(&mut arrays.into_iter());
        DPull::new(length, move |i| T::load(&handle, i))
    }

    /// An array of the user's function that the kernel reads and writes.
    #[track_caller]
    pub fn in_out<T: Element>(&mut self, name: &str) -> Mutable<T, Exp<u32>> {
        let (arrays, length) = self.in_out_arrays(name, &T::fields());
        Mutable::of_handle(length, T::handle(&mut arrays.into_iter()))
    }

    /// The arrays of an input, one a field, and their length.
    #[track_caller]
    pub fn input_arrays(&mut self, name: &str, fields: &[ScalarType]) -> (Vec<ArrayId>, Exp<u32>) {
        self.given_arrays(name, fields, Role::Input)
    }

    /// The arrays of a parameter that is read and written, one a field, and their length.
    #[track_caller]
    pub fn in_out_arrays(&mut self, name: &str, fields: &[ScalarType]) -> (Vec<ArrayId>, Exp<u32>) {
        self.given_arrays(name, fields, Role::InOut)
    }

    #[track_caller]
    fn given_arrays(
        &mut self,
        name: &str,
        fields: &[ScalarType],
        role: Role,
    ) -> (Vec<ArrayId>, Exp<u32>) {
        let origin = here();
        let made = session(|s| {
            let zero = s
                .tables
                .nodes
                .add_literal(crate::scalar::Literal::from(0u32));
            let place = ArrayPlace::Global(role);
            let arrays: Vec<ArrayId> = field_names(name, fields)
                .map(|(name, ty)| {
                    s.array(Array {
                        name,
                        ty,
                        length: zero,
                        place,
                        origin,
                    })
                })
                .collect();
            let Some(first) = arrays.first() else {
                internal::raise("a parameter has no arrays");
            };
            let length = s.tables.nodes.add(Node::Length(*first), ScalarType::U32);
            for array in &arrays {
                s.tables.array_mut(*array).length = length;
            }
            (arrays, length)
        });
        let Some((arrays, length)) = made else {
            return (Vec::new(), Exp::poison());
        };
        self.declare(arrays.iter().map(|&array| ParameterKind::Array(array)));
        (arrays, Exp::from_node(length))
    }

    /// A scalar argument of the user's function.
    pub fn argument<T: Scalar>(&mut self, name: &str) -> Exp<T> {
        self.argument_of(name, T::TYPE)
            .typed()
            .unwrap_or_else(Exp::poison)
    }

    /// A scalar argument of a type that is known only when the front end runs.
    pub fn argument_of(&mut self, name: &str, ty: ScalarType) -> AnyExp {
        self.argument_named(name, ty).1
    }

    /// A scalar argument that is a parameter only if something uses it.
    #[doc(hidden)]
    pub fn argument_if_used(&mut self, name: &str, ty: ScalarType) -> (VariableId, AnyExp) {
        let (variable, value) = self.argument_named(name, ty);
        self.if_used.insert(variable);
        (variable, value)
    }

    fn argument_named(&mut self, name: &str, ty: ScalarType) -> (VariableId, AnyExp) {
        let (variable, value) = crate::program::bound_any(Some(name), ty, VariableKind::Argument);
        self.declare([ParameterKind::Scalar(variable)]);
        (variable, value)
    }

    /// Takes a result of the user's function: a push array of the grid becomes one output array a
    /// field.
    #[track_caller]
    pub fn output<T: Element, S: Length>(&mut self, name: &str, push: Push<Grid, T, S>) {
        let place = self.place.unwrap_or(Location::caller());
        let (fields, length) = (T::fields(), push.len().exp());
        let arrays = with_native(place, || self.output_arrays(name, &fields, length));
        let handle = T::handle(&mut arrays.into_iter());
        self.run(push.write_to(Rc::new(move |value: T, index| {
            let handle = handle.clone();
            Program::<Thread, ()>::new(move |trace| value.store(&handle, index, trace))
        })));
    }

    /// Lets outputs be stored at a place of the user's code.
    pub fn place(&mut self, place: &'static Location<'static>) {
        self.place = Some(place);
    }

    /// The arrays of an output, one a field, of a length.
    #[track_caller]
    pub fn output_arrays(
        &mut self,
        name: &str,
        fields: &[ScalarType],
        length: Exp<u32>,
    ) -> Vec<ArrayId> {
        let (origin, length) = (here(), length.node());
        let place = ArrayPlace::Global(Role::Output);
        let arrays: Vec<ArrayId> = field_names(name, fields)
            .filter_map(|(name, ty)| {
                session(|s| {
                    s.array(Array {
                        name,
                        ty,
                        length,
                        place,
                        origin,
                    })
                })
            })
            .collect();
        self.declare(arrays.iter().map(|&array| ParameterKind::Array(array)));
        arrays
    }

    /// Runs a program of the grid.
    pub fn run<L: Hierarchy>(&mut self, program: Program<L, ()>) {
        self.run_for(&program);
    }

    /// Runs a program of the grid for its result.
    pub fn run_for<L: Hierarchy, A: 'static>(&mut self, program: &Program<L, A>) -> A {
        let level = Some(crate::ir::Level::Grid);
        let (result, actions) = Trace::apart(level, |trace| program.run(trace));
        self.actions.extend(actions);
        result
    }

    fn declare(&mut self, kinds: impl IntoIterator<Item = ParameterKind>) {
        let group = self.groups;
        self.parameters
            .extend(kinds.into_iter().map(|kind| Parameter { group, kind }));
        self.groups += 1;
    }
}

fn field_names(name: &str, fields: &[ScalarType]) -> impl Iterator<Item = (String, ScalarType)> {
    let single = fields.len() == 1;
    fields.iter().enumerate().map(move |(n, &ty)| {
        (
            if single {
                name.to_owned()
            } else {
                format!("{name}_{n}")
            },
            ty,
        )
    })
}

/// What a parameter of a kernel function can be.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a parameter of a kernel",
    note = "arrays of dynamic length (`DPull<EI32>`, `DPull<(EU32, EF32)>`) and device values (`EU32`) can"
)]
pub trait KernelParameter {
    /// Declares a parameter, and gives the value that stands for it.
    #[track_caller]
    fn declare(builder: &mut Builder, name: &str) -> Self;
}

impl<T: Element> KernelParameter for DPull<T> {
    #[track_caller]
    fn declare(builder: &mut Builder, name: &str) -> Self {
        builder.input(name)
    }
}

impl<T: Element> KernelParameter for Mutable<T, Exp<u32>> {
    #[track_caller]
    fn declare(builder: &mut Builder, name: &str) -> Self {
        builder.in_out(name)
    }
}

impl<T: Scalar> KernelParameter for Exp<T> {
    #[track_caller]
    fn declare(builder: &mut Builder, name: &str) -> Self {
        builder.argument(name)
    }
}

/// What the result of a kernel function can be.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a kernel",
    note = "a push array of the grid can: `DPush<Grid, EI32>`, or with tuples as elements; so can a tuple of them, and a program of the grid"
)]
pub trait KernelResult {
    /// Takes the result; outputs get this name.
    #[track_caller]
    fn take(self, builder: &mut Builder, name: &str);
}

impl<T: Element, S: Length> KernelResult for Push<Grid, T, S> {
    #[track_caller]
    fn take(self, builder: &mut Builder, name: &str) {
        builder.output(name, self);
    }
}

impl KernelResult for () {
    fn take(self, _: &mut Builder, _: &str) {}
}

/// The program is run, and its result is taken.
impl<R: KernelResult + 'static> KernelResult for Program<Grid, R> {
    #[track_caller]
    fn take(self, builder: &mut Builder, name: &str) {
        builder.run_for(&self).take(builder, name);
    }
}

macro_rules! tuples {
    ($(($($result:ident $n:tt)+);)*) => {$(
        impl<$($result: KernelResult),+> KernelResult for ($($result,)+) {
            #[track_caller]
            fn take(self, builder: &mut Builder, name: &str) {
                $(self.$n.take(builder, &format!("{name}_{}", $n));)+
            }
        }
    )*};
}

tuples! {
    (A 0 B 1);
    (A 0 B 1 C 2);
    (A 0 B 1 C 2 D 3);
}

impl Builder {
    /// Declares a parameter of a type.
    #[track_caller]
    pub fn parameter<P: KernelParameter>(&mut self, name: &str) -> P {
        P::declare(self, name)
    }

    /// Takes the result of the user's function. Who calls this stands for the place where outputs are stored, unless another one
    /// was [given](Builder::place).
    #[track_caller]
    pub fn result<R: KernelResult>(&mut self, result: R) {
        result.take(self, "output");
    }
}
