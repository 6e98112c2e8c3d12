//! Evaluation: runs the functions of a module while the kernel is built.
//!
//! A tree-walking interpreter with one kind of [`Value`] for the host's values, device values,
//! arrays and programs. Arrays and programs are the library's own, at element type `Value` and
//! level [`AnyLevel`]: what a combinator does is written down once, in the library. Rust's type
//! inference is not repeated; rustc judges types on the native copy.

mod blocks;
mod call;
mod calls;
mod coerce;
mod control;
mod device;
mod expressions;
mod host;
mod iterators;
mod library;
mod mutable;
mod operands;
mod operators;
mod patterns;
mod programs;
mod ranks;
mod results;
mod scalars;
mod table;
mod untyped;
mod unused;
mod value;
mod whole;

pub use table::{Row, blocks, functions, methods, methods_of_values, rows};
pub use table::{functions_first, is_function, programs_of};
pub use untyped::{Known, Untyped};
pub use value::{Shape, Value};
pub use whole::evaluate_arrays;
pub(crate) use whole::functions_of_arrays;

pub use results::is_result;
pub use value::pattern_name;

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use super::syntax::{Function, Module, Name, Parameter, Site, Size, Type};
use crate::error::catalogue;
use crate::error::{Diagnostic, Diagnostics};
use crate::ir::Level;
use crate::ordered::{Map, Set};
use crate::program::{AnyLevel, Trace, Watch};
use crate::reify::{Builder, Reified, reify};
use crate::scalar::{Bounds, Exhausted, bounded, here, report, size, with_site};
use crate::variants;

/// What a loop in a function of elements is not: it runs in front of it.
const CONDITION: &str = "a condition, an EBool";
/// The deepest recursion of functions.
pub const DEPTH: u32 = 400;
/// The deepest nesting of closures that call each other, an array of an array of .. among them.
pub const CLOSURES: u32 = 10_000;
/// The largest number of the user's expressions that building one kernel may evaluate, if nothing
/// comes of it.
pub const STEPS: u64 = 1_000_000;
/// How many more it may evaluate for each expression and variable that the kernel gets.
pub const STEPS_EACH: u64 = 50;
/// How often building one kernel may work on its expressions, arrays and programs: as such, for each
/// expression and variable that it gets, and how many of these it may have, which bounds its memory.
const WORK: Bounds = Bounds {
    work: 2_000_000,
    each: 100,
    most: 1_000_000,
};
/// Bytes of stack that evaluating at [`DEPTH`] needs, with room to spare.
pub const STACK: usize = 512 << 20;

/// What evaluating one kernel gives.
pub type Evaluation = Evaluated<Reified>;

/// What evaluating one function gives.
#[derive(Debug)]
pub struct Evaluated<T> {
    /// The program, or what is wrong with it.
    pub result: Result<T, Diagnostics>,
    /// The functions of the module that were called, the kernel among them.
    pub reached: Set<u32>,
    /// The functions of other modules that were called, and where the module's own code did so
    /// last.
    pub entered: Map<u32, Site>,
    /// The literals that are device values, and their types.
    pub literals: Map<Site, Known>,
}

/// Evaluates the n-th function of a module as a kernel, with the first value of each specialisation
/// parameter.
///
/// It recurses as deep as the user's functions do: call it on a thread with [`STACK`] bytes.
pub fn evaluate(module: &Arc<Module>, kernel: u32) -> Evaluation {
    let attribute = module
        .functions
        .get(kernel as usize)
        .and_then(|f| f.kernel.as_ref());
    let first = attribute
        .iter()
        .flat_map(|k| &k.specialised)
        .filter_map(|(_, values)| values.first().copied());
    evaluate_variant(module, kernel, None, &first.collect::<Vec<_>>())
}

/// Evaluates the n-th function of a module as a kernel under a name (none: that of the function),
/// with a value for each of its specialisation parameters. See [`evaluate`].
pub fn evaluate_variant(
    module: &Arc<Module>,
    kernel: u32,
    name: Option<&str>,
    values: &[variants::Value],
) -> Evaluation {
    let machine = Rc::new(Machine::new(module, kernel));
    let Some(function) = module.functions.get(kernel as usize) else {
        return machine.evaluated(Err(no_such_function()));
    };
    let result = reify(
        name.unwrap_or(function.name.trim_start_matches("r#")),
        |builder| {
            if function
                .kernel
                .as_ref()
                .is_some_and(|kernel| kernel.contract)
            {
                builder.contract();
            }
            bounded(WORK, too_much, || {
                // A flow that leaves the kernel has been reported.
                let _ = machine.kernel(function, kernel, values, builder);
                machine.report_unused();
            });
        },
    );
    machine.evaluated(result)
}

fn no_such_function() -> Diagnostics {
    let missing = vec![crate::error::catalogue::bug("no such function")];
    Diagnostics::new(missing, Default::default())
}

/// A build that does not seem to end.
fn too_much(exhausted: Exhausted) -> Diagnostic {
    match exhausted {
        Exhausted::Work => catalogue::too_much_work(),
        Exhausted::Expressions => catalogue::too_large(),
    }
}

/// Why evaluation does not go on with the next expression.
pub(crate) enum Flow {
    /// A mistake has been reported.
    Stop,
    /// `return`
    Return(Value),
    /// `break`, and the label of the loop.
    Break(Option<Name>),
    /// `continue`, and the label of the loop.
    Continue(Option<Name>),
}

type Eval<T = Value> = Result<T, Flow>;

/// The local variables of a running function, and where its programs write.
struct Frame<'t> {
    slots: Vec<Value>,
    levels: Vec<Option<Level>>,
    trace: Option<&'t mut Trace<AnyLevel>>,
}

struct Machine {
    module: Arc<Module>,
    depth: Cell<u32>,
    closures: Cell<u32>,
    taken: Cell<u64>,
    /// The loops that run, outermost first: where they stand, and the steps before them.
    loops: RefCell<Vec<(Site, u64)>>,
    reached: RefCell<Set<u32>>,
    /// Where the module's own code called what runs now.
    entry: Cell<Site>,
    entered: RefCell<Map<u32, Site>>,
    /// Programs; of those that have been used not all.
    made: RefCell<Vec<Watch>>,
    /// The literals that are device values, as far as they have been evaluated, and what is known of
    /// their types.
    literals: RefCell<Map<Site, Rc<Cell<Known>>>>,
}

impl Machine {
    /// A machine that begins with a function of a module.
    fn new(module: &Arc<Module>, function: u32) -> Machine {
        Machine {
            module: module.clone(),
            depth: Cell::new(0),
            closures: Cell::new(0),
            taken: Cell::new(0),
            loops: RefCell::default(),
            reached: RefCell::new(Set::from([function])),
            entry: Cell::new(0),
            entered: RefCell::default(),
            made: RefCell::default(),
            literals: RefCell::default(),
        }
    }

    /// The result, with what has been learnt on the way.
    fn evaluated<T>(&self, result: Result<T, Diagnostics>) -> Evaluated<T> {
        let literals = self.literals.take().into_iter();
        let literals = literals.map(|(site, known)| (site, known.get())).collect();
        Evaluated {
            result,
            reached: self.reached.take(),
            entered: self.entered.take(),
            literals,
        }
    }

    /// Reports a mistake at a site.
    fn fail<T>(&self, site: Site, diagnostic: Diagnostic) -> Eval<T> {
        with_site(site, || report(diagnostic));
        Err(Flow::Stop)
    }

    /// Fails with what is wanted and what is there, but for what an earlier mistake has left. A program whose result is wanted lacks a `?`.
    fn wrong_kind<T>(&self, wanted: &str, found: &Value, site: Site) -> Eval<T> {
        if wanted != CONDITION {
            self.is_no_program(found, site, || format!("its result is used as {wanted}"))?;
        }
        match found {
            Value::Poison => Err(Flow::Stop),
            found => self.fail(site, catalogue::wrong_kind(wanted, &found.kind())),
        }
    }

    /// Fails if a value is a program of a call, at that call, where `?` is missing; `why` says what is done with its result at a site.
    fn is_no_program(&self, value: &Value, site: Site, why: impl Fn() -> String) -> Eval<()> {
        let watch = match value {
            Value::Program(program) => program.watch(),
            _ => None,
        };
        let Some(watch) = watch else { return Ok(()) };
        let used = with_site(site, here);
        let missing = catalogue::missing_question_mark(&why());
        self.fail(watch.site(), missing.also(used, "the use of its result"))
    }

    /// Counts a step.
    fn step(&self, site: Site) -> Eval<()> {
        self.steps(1, site)
    }

    /// Counts steps, among them the elements of sequences that are made, and stops once there are
    /// too many.
    fn steps(&self, more: u64, site: Site) -> Eval<()> {
        self.taken.set(self.taken.get().saturating_add(more));
        let taken = self.taken.get();
        if taken <= STEPS || taken <= STEPS.saturating_add(size() * STEPS_EACH) {
            return Ok(());
        }
        if crate::scalar::failed() {
            return Err(Flow::Stop);
        }
        // The innermost loop that took most of the steps is the one that does not end.
        let culprit = self
            .loops
            .borrow()
            .iter()
            .rev()
            .find(|(_, before)| *before < taken / 2)
            .map(|(site, _)| *site);
        self.fail(culprit.unwrap_or(site), catalogue::endless_loop())
    }

    /// Calls a library function placed at a site, and stops if it has reported a mistake.
    fn at<T>(&self, site: Site, f: impl FnOnce() -> T) -> Eval<T> {
        let result = with_site(site, f);
        if crate::scalar::failed() {
            Err(Flow::Stop)
        } else {
            Ok(result)
        }
    }

    /// The layout of the elements of an input or output.
    fn shape(&self, element: &Type, unknown: &str, site: Site) -> Eval<value::Shape> {
        match (element, value::Shape::of(element)) {
            (Type::Tuple(list), _) if list.len() > 8 => {
                self.fail(site, catalogue::too_many_fields(list.len()))
            }
            (_, Some(shape)) => Ok(shape),
            (Type::Host(ty), None) => {
                let device = ty.scalar().exp_name();
                self.fail(site, catalogue::host_element(ty.name(), &device))
            }
            (_, None) => self.fail(site, catalogue::bad_signature(unknown)),
        }
    }

    fn kernel(
        self: &Rc<Self>,
        function: &Function,
        index: u32,
        values: &[variants::Value],
        builder: &mut Builder,
    ) -> Eval<()> {
        if let Some(generic) = function.generics.first() {
            return self.fail(
                generic.site,
                catalogue::bad_signature(
                    "a kernel has no type parameters: it works on the types that it names",
                ),
            );
        }
        if let Type::Mutable(..) = function.result.ty {
            return self.fail(function.result.site, catalogue::mutable_result());
        }
        if !results::is_result(&function.result.ty) {
            return self.fail(
                function.result.site,
                catalogue::bad_signature("a kernel gives a push array of the grid"),
            );
        }
        let mut arguments: Vec<Value> = function
            .parameters
            .iter()
            .zip(values)
            .map(|(p, value)| specialised(p, *value))
            .collect();
        for parameter in function.parameters.iter().skip(values.len()) {
            let site = parameter.pattern.site;
            let name = pattern_name(&parameter.pattern).unwrap_or("input");
            match parameter.ty.as_ref().map(|t| (&t.ty, t.site)) {
                Some((Type::Pull(element, Size::DYNAMIC), ty_site)) => {
                    let shape = self.shape(
                        element,
                        "the element type of this input is not known to the kernel",
                        ty_site,
                    )?;
                    arguments.push(with_site(site, || value::input(builder, name, &shape)));
                }
                Some((Type::Mutable(element, false), ty_site)) => {
                    let shape = self.shape(
                        element,
                        "the element type of this array is not known to the kernel",
                        ty_site,
                    )?;
                    arguments.push(with_site(site, || value::in_out(builder, name, &shape)));
                }
                Some((Type::Exp(ty), _)) => {
                    arguments.push(Value::Exp(builder.argument_of(name, *ty)))
                }
                Some((_, site)) => {
                    return self.fail(
                        site,
                        catalogue::bad_signature("an input of a kernel is an array or a value of the device, for example `EU32`"),
                    );
                }
                None => {
                    return self.fail(site, catalogue::bad_signature("a parameter without a type"));
                }
            }
        }
        let value = match function.range_of {
            Some(device) => self.device_range(device, arguments, function.site)?,
            None => self.call_function(index, &[], arguments, function.site)?,
        };
        let at = match function.range_of {
            Some(_) => function.result.site,
            None => calls::last(&function.body),
        };
        let sites = (function.result.site, at);
        self.results(&function.result.ty, value, "output", builder, sites)
    }
}

/// The value of a specialisation parameter, of the type that is declared.
fn specialised(parameter: &Parameter, value: variants::Value) -> Value {
    match (value, parameter.ty.as_ref().map(|ty| &ty.ty)) {
        (variants::Value::Boolean(value), _) => Value::Bool(value),
        (variants::Value::Integer(n), Some(Type::Host(ty))) => Value::Int(n, Some(*ty)),
        (variants::Value::Integer(n), _) => Value::Int(n, None),
    }
}
