//! The meaning of the language, written for clarity: an evaluator that walks the tree, with values that know their types.
//!
//! It relies on no type that a program states, and on instance lists only where an array is empty: its elements' type is that of the list.
//! Each mistake is an error, and so is a program that takes too long, for programs that a test makes up.

mod arrays;
mod functional;
mod scalars;
mod values;

use std::path::PathBuf;
use std::rc::Rc;
use std::time::Instant;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tail::print::{element, printed};
use tail::syntax::{Base, Constant, Expr, ExprKind, Operator};
use tail::value::{Array, Elements};
use values::{Environment, Value, bind, find, unfit};

/// What a program may use.
pub struct Settings {
    /// The folder in which it finds files.
    pub folder: PathBuf,
    /// Where the random numbers of `roll` begin.
    pub seed: u64,
    /// After how many evaluated expressions and elements it is stopped.
    pub steps: u64,
    /// How many elements an array may have.
    pub elements: usize,
}

impl Default for Settings {
    /// The folder of the process, seed 1, 10 million steps, and a million elements.
    fn default() -> Self {
        let folder = PathBuf::from(".");
        Settings {
            folder,
            seed: 1,
            steps: 10_000_000,
            elements: 1_000_000,
        }
    }
}

/// What a program gives.
#[derive(Debug)]
pub struct Outcome {
    /// The lines it prints.
    pub output: String,
    /// Its result.
    pub result: Array,
}

impl Outcome {
    /// All that the reference prints: the lines, and the result as the last one.
    pub fn text(&self) -> String {
        format!("{}{}\n", self.output, printed(&self.result))
    }
}

/// How deep evaluations may be nested, and the bytes of stack for them.
const DEEPEST: usize = 4_000;
const STACK: usize = 256 << 20;

/// Evaluates a program, on a thread with a large stack.
///
/// # Errors
/// If an operator gets what it is not defined for, or a limit is exceeded.
pub fn evaluate(program: &Expr, settings: &Settings) -> Result<Outcome, String> {
    std::thread::scope(|scope| {
        let run = || Evaluator::new(settings).run(program);
        let thread = std::thread::Builder::new().stack_size(STACK);
        let thread = thread
            .spawn_scoped(scope, run)
            .map_err(|error| error.to_string())?;
        thread
            .join()
            .map_err(|_| "the evaluator panicked".to_owned())?
    })
}

type Evaluated<'p> = Result<Value<'p>, String>;

struct Evaluator<'s> {
    settings: &'s Settings,
    output: String,
    random: StdRng,
    begin: Instant,
    steps: u64,
    depth: usize,
}

impl<'s> Evaluator<'s> {
    fn new(settings: &'s Settings) -> Self {
        Evaluator {
            settings,
            output: String::new(),
            random: StdRng::seed_from_u64(settings.seed),
            begin: Instant::now(),
            steps: settings.steps,
            depth: 0,
        }
    }

    fn run(mut self, program: &Expr) -> Result<Outcome, String> {
        let result = self.eval(program, &None)?;
        let result = result.array("the result")?.as_ref().clone();
        let output = self.output;
        Ok(Outcome { output, result })
    }

    /// Counts steps.
    fn spend(&mut self, steps: usize) -> Result<(), String> {
        match self.steps.checked_sub(steps as u64) {
            Some(left) => {
                self.steps = left;
                Ok(())
            }
            None => Err(format!(
                "the program takes more than {} steps",
                self.settings.steps
            )),
        }
    }

    /// Holds a shape that is about to be made to the limits.
    fn allow(&mut self, shape: &[usize]) -> Result<(), String> {
        // An axis without elements counts as one: the others are walked through all the same.
        let mut lengths = shape.iter().map(|length| (*length).max(1));
        let size = lengths.try_fold(1_usize, usize::checked_mul);
        match size {
            Some(size) if size <= self.settings.elements => self.spend(size),
            _ => Err(format!("an array of shape {shape:?} has too many elements")),
        }
    }

    fn eval<'p>(&mut self, expr: &'p Expr, environment: &Environment<'p>) -> Evaluated<'p> {
        self.spend(1)?;
        if self.depth == DEEPEST {
            return Err(format!("evaluations are nested more than {DEEPEST} times"));
        }
        self.depth += 1;
        let value = self.eval_here(expr, environment);
        self.depth -= 1;
        value
    }

    fn eval_here<'p>(&mut self, expr: &'p Expr, environment: &Environment<'p>) -> Evaluated<'p> {
        match &expr.kind {
            ExprKind::Constant(value) => Ok(Value::Scalar(*value)),
            ExprKind::Variable(name) => Ok(find(name, environment)?.value.borrow().clone()),
            ExprKind::Operator(operator) => Ok(Value::Operator(operator)),
            ExprKind::Function(function) => Ok(Value::Closure(function, environment.clone())),
            ExprKind::Call(operator, arguments) if operator.name == "idxassign" => {
                self.assign(arguments, environment)
            }
            ExprKind::Call(operator, arguments) => {
                let values = self.all(arguments, environment)?;
                self.operator(operator, &values)
            }
            ExprKind::Vector(items) => self.vector(items, environment),
            ExprKind::Tuple(items) => Ok(Value::Tuple(Rc::new(self.all(items, environment)?))),
            ExprKind::Let(bindings, body) => {
                let mut environment = environment.clone();
                for binding in bindings {
                    let value = self.eval(&binding.value, &environment)?;
                    environment = bind(&binding.name, value, &environment);
                }
                self.eval(body, &environment)
            }
            ExprKind::If(parts) => {
                let [condition, then, otherwise] = parts.as_ref();
                match self.eval(condition, environment)?.bool("if")? {
                    true => self.eval(then, environment),
                    false => self.eval(otherwise, environment),
                }
            }
        }
    }

    fn all<'p>(
        &mut self,
        items: &'p [Expr],
        environment: &Environment<'p>,
    ) -> Result<Vec<Value<'p>>, String> {
        items
            .iter()
            .map(|item| self.eval(item, environment))
            .collect()
    }

    /// `[a, b]`; one without elements has ints.
    fn vector<'p>(&mut self, items: &'p [Expr], environment: &Environment<'p>) -> Evaluated<'p> {
        let items = self.all(items, environment)?;
        let items: Result<Vec<_>, _> = items.iter().map(|item| item.scalar("a vector")).collect();
        let items = items?;
        let elements = match items.is_empty() {
            true => Elements::empty(Base::Int),
            false => Elements::of(&items).ok_or("a vector has elements of two types")?,
        };
        Ok(Value::from(Array::vector(elements)))
    }

    /// `idxassign(is, mv, x)`: changes one element of a variable. Other variables with the same array keep it.
    fn assign<'p>(
        &mut self,
        arguments: &'p [Expr],
        environment: &Environment<'p>,
    ) -> Evaluated<'p> {
        let [indices, variable, value] = arguments else {
            return Err("idxassign has 3 arguments".to_owned());
        };
        let ExprKind::Variable(name) = &variable.kind else {
            return Err("idxassign changes a variable".to_owned());
        };
        let indices = self.eval(indices, environment)?.ints("idxassign")?;
        let value = self.eval(value, environment)?.scalar("idxassign")?;
        let frame = find(name, environment)?;
        let mut array = frame.value.borrow().array("idxassign")?.as_ref().clone();
        self.spend(array.len())?;
        let mut at = 0;
        for (index, length) in indices.iter().zip(&array.shape) {
            at = at * length + position(*index, *length)?;
        }
        if indices.len() != array.rank() || !array.elements.set(at, value) {
            return Err(format!(
                "idxassign: {value} at {indices:?} of {:?}",
                array.shape
            ));
        }
        *frame.value.borrow_mut() = Value::from(array);
        Ok(Value::Scalar(Constant::Bool(true)))
    }

    /// Calls an operator. A `V` behind its name marks lengths that are known, and changes nothing.
    fn operator<'p>(&mut self, operator: &'p Operator, arguments: &[Value<'p>]) -> Evaluated<'p> {
        let name = operator.name.as_str();
        let name = name.strip_suffix('V').unwrap_or(name);
        match arguments {
            [a] => {
                if let Some(f) = scalars::unary(name) {
                    let result = f(a.scalar(name)?);
                    return result.map(Value::Scalar).ok_or_else(|| unfit(name));
                }
            }
            [a, b] => {
                if let Some(f) = scalars::binary(name) {
                    let result = f(a.scalar(name)?, b.scalar(name)?);
                    return result.map(Value::Scalar).ok_or_else(|| unfit(name));
                }
            }
            _ => {}
        }
        if let Some(array) = self.structural(name, operator, arguments)? {
            return Ok(Value::from(array));
        }
        if let Some(value) = self.functional(name, operator, arguments)? {
            return Ok(value);
        }
        match self.effect(name, arguments)? {
            Some(value) => Ok(value),
            None => Err(format!(
                "no operator {name} has {} arguments",
                arguments.len()
            )),
        }
    }

    /// The operators that move elements. `None` if the operator is another one.
    fn structural(
        &mut self,
        name: &str,
        operator: &Operator,
        arguments: &[Value],
    ) -> Result<Option<Array>, String> {
        let result = match (name, arguments) {
            ("iota", [n]) => {
                let n = n.int(name)?;
                self.allow(&[length(n)?])?;
                Array::vector(Elements::Int((1..=n).collect()))
            }
            ("zilde", []) => {
                let base = operator
                    .instance
                    .as_ref()
                    .and_then(|list| list.bases.first());
                Array::vector(Elements::empty(*base.unwrap_or(&Base::Open)))
            }
            ("shape", [a]) => {
                let shape = a.array(name)?.shape.clone();
                let lengths = shape.into_iter().map(|length| i32::try_from(length).ok());
                let lengths: Option<Vec<i32>> = lengths.collect();
                Array::vector(Elements::Int(lengths.ok_or("a length above 32 bits")?))
            }
            ("mem" | "memScl", [a]) => a.array(name)?.as_ref().clone(),
            ("reshape", [shape, a]) => {
                let shape = shape.ints(name)?.into_iter().map(length);
                let shape = shape.collect::<Result<Vec<usize>, String>>()?;
                self.allow(&shape)?;
                arrays::reshape(shape, &*a.array(name)?)
            }
            ("rav", [a]) => Array::vector(a.array(name)?.elements.clone()),
            ("first", [a]) => {
                let elements = &a.array(name)?.elements;
                Array::scalar(elements.get(0).unwrap_or(elements.default_value()))
            }
            ("take", [n, a]) => {
                let (n, a) = (n.int(name)?, a.array(name)?);
                let mut shape = a.shape.clone();
                shape.splice(..shape.len().min(1), [n.unsigned_abs() as usize]);
                self.allow(&shape)?;
                arrays::take(n, &a)
            }
            ("drop", [n, a]) => arrays::drop(n.int(name)?, &*a.array(name)?),
            ("rotate", [n, a]) => {
                let a = a.array(name)?;
                arrays::rotate(n.int(name)?, a.rank().saturating_sub(1), &a)
            }
            ("vrotate", [n, a]) => arrays::rotate(n.int(name)?, 0, &*a.array(name)?),
            ("vreverse", [a]) => arrays::reverse(&*a.array(name)?),
            ("transp", [a]) => {
                let a = a.array(name)?;
                let to: Vec<usize> = (0..a.rank()).rev().collect();
                arrays::transpose(&to, &a)
            }
            ("transp2", [to, a]) => {
                let a = a.array(name)?;
                arrays::transpose(&permutation(&to.ints(name)?, a.rank())?, &a)
            }
            ("cat", [a, b]) => arrays::join(&*a.array(name)?, &*b.array(name)?)?,
            ("cons", [x, a]) => {
                arrays::join(&arrays::extended(&*x.array(name)?), &*a.array(name)?)?
            }
            ("snoc", [a, x]) => {
                arrays::join(&*a.array(name)?, &arrays::extended(&*x.array(name)?))?
            }
            ("idxS", [axis, at, a]) => {
                let a = a.array(name)?;
                let axis = position(axis.int(name)?, a.rank())?;
                arrays::index(axis, position(at.int(name)?, a.shape[axis])?, &a)
            }
            ("compress", [keep, v]) => {
                let counts = keep.bools(name)?.into_iter().map(i32::from).collect();
                self.replicate(name, counts, &*v.array(name)?, None)?
            }
            ("replicate", [default, counts, v]) => {
                let default = arrays::extended(&*default.array(name)?);
                let counts = counts.ints(name)?;
                self.replicate(name, counts, &*v.array(name)?, Some(default))?
            }
            ("gradeUp", [v]) => grade(&*v.array(name)?, false)?,
            ("gradeDown", [v]) => grade(&*v.array(name)?, true)?,
            _ => return Ok(None),
        };
        self.allow(&result.shape)?;
        Ok(Some(result))
    }

    fn replicate(
        &mut self,
        name: &str,
        counts: Vec<i32>,
        v: &Array,
        default: Option<Array>,
    ) -> Result<Array, String> {
        if v.shape != [counts.len()] {
            let shape = &v.shape;
            return Err(format!(
                "{name}: {} counts for the shape {shape:?}",
                counts.len()
            ));
        }
        let size = counts
            .iter()
            .map(|count| count.unsigned_abs() as usize)
            .sum();
        self.allow(&[size])?;
        match default {
            Some(default) => Ok(arrays::replicate(&counts, &arrays::join(v, &default)?)),
            None => Ok(arrays::replicate(&counts, v)),
        }
    }

    /// Texts, files, random numbers, the clock, and what prints. `None` if the operator is another one.
    fn effect<'p>(
        &mut self,
        name: &str,
        arguments: &[Value<'p>],
    ) -> Result<Option<Value<'p>>, String> {
        let scalar = |value| Some(Value::Scalar(value));
        Ok(match (name, arguments) {
            ("pi", []) => scalar(Constant::Double(std::f64::consts::PI)),
            ("roll", [n]) => scalar(Constant::Double(match n.int(name)? {
                0 => self.random.random(),
                n if n > 0 => f64::from(self.random.random_range(0..n)),
                n => return Err(format!("roll: {n} is negative")),
            })),
            ("nowi", [n]) => match n.int(name)? {
                0 => scalar(Constant::Int(self.begin.elapsed().as_millis() as i32)),
                n => return Err(format!("nowi: {n} is not 0")),
            },
            ("formatI" | "formatD" | "formatX", [value]) => {
                let value = value.scalar(name)?;
                of_letter(name, value.base())?;
                let text = element(value).chars().collect();
                Some(Value::from(Array::vector(Elements::Char(text))))
            }
            ("readFile" | "readIntVecFile" | "readDoubleVecFile", [file]) => {
                let content = self.read(&file.text(name)?)?;
                Some(Value::from(Array::vector(match name {
                    "readFile" => Elements::Char(content.chars().collect()),
                    "readIntVecFile" => Elements::Int(numbers(&content)?),
                    _ => Elements::Double(numbers(&content)?),
                })))
            }
            (
                "prArrI" | "prArrD" | "prArrB" | "prArrC" | "prArrX" | "prSclI" | "prSclD"
                | "prSclB" | "prSclC" | "prSclX",
                [value],
            ) => {
                let array = value.array(name)?;
                if !array.is_empty() {
                    of_letter(name, array.base())?;
                }
                if name.starts_with("prScl") {
                    value.scalar(name)?;
                }
                self.spend(array.len())?;
                self.output += &printed(&array);
                self.output.push('\n');
                Some(value.clone())
            }
            _ => None,
        })
    }

    fn read(&mut self, name: &str) -> Result<String, String> {
        let path = self.settings.folder.join(name);
        let content = std::fs::read_to_string(&path);
        let content = content.map_err(|error| format!("{}: {error}", path.display()))?;
        self.allow(&[content.len()])?;
        Ok(content)
    }
}

/// The position from 0 of an index from 1.
fn position(index: i32, length: usize) -> Result<usize, String> {
    match usize::try_from(index) {
        Ok(index) if (1..=length).contains(&index) => Ok(index - 1),
        _ => Err(format!("the index {index} is not from 1 to {length}")),
    }
}

fn length(n: i32) -> Result<usize, String> {
    usize::try_from(n).map_err(|_| format!("the length {n} is negative"))
}

fn permutation(to: &[i32], rank: usize) -> Result<Vec<usize>, String> {
    let mut sorted = to.to_vec();
    sorted.sort_unstable();
    let axes = 1..=i32::try_from(rank).unwrap_or(i32::MAX);
    match sorted.iter().copied().eq(axes) {
        true => to.iter().map(|axis| position(*axis, rank)).collect(),
        false => Err(format!("transp2: {to:?} is no permutation of {rank} axes")),
    }
}

/// The positions from 1 in the order of their elements; those of equal elements in their own order.
fn grade(v: &Array, is_down: bool) -> Result<Array, String> {
    if v.rank() != 1 {
        return Err(format!("a grade of the shape {:?}", v.shape));
    }
    let numbers: Vec<f64> = match &v.elements {
        Elements::Int(v) => v.iter().map(|n| f64::from(*n)).collect(),
        Elements::Double(v) => v.clone(),
        Elements::Bool(v) => v.iter().map(|b| f64::from(*b)).collect(),
        Elements::Char(v) => v.iter().map(|c| f64::from(u32::from(*c))).collect(),
        Elements::Complex(_) => return Err("complex numbers have no order".to_owned()),
    };
    // With 0 added, -0 is 0: equal to the other zero in this order too.
    let order = |i: &i32, j: &i32| {
        let [x, y] = [i, j].map(|at| numbers[*at as usize - 1] + 0.0);
        if is_down {
            y.total_cmp(&x)
        } else {
            x.total_cmp(&y)
        }
    };
    let mut positions: Vec<i32> = (1..).take(numbers.len()).collect();
    positions.sort_by(order);
    Ok(Array::vector(Elements::Int(positions)))
}

/// Numbers with blanks, line ends or commas between them; `~` is SML's minus.
fn numbers<T: std::str::FromStr>(content: &str) -> Result<Vec<T>, String> {
    let words = content.split(|c: char| c.is_whitespace() || c == ',');
    let words = words.filter(|word| !word.is_empty());
    let numbers = words.map(|word| match word.replace('~', "-").parse() {
        Ok(number) => Ok(number),
        Err(_) => Err(format!("`{word}` in a file is no number")),
    });
    numbers.collect()
}

/// Holds a base type to the letter at the end of a name, as in `prArrI`.
fn of_letter(name: &str, base: Base) -> Result<(), String> {
    let letter = match base {
        Base::Int | Base::Open => 'I',
        Base::Double => 'D',
        Base::Bool => 'B',
        Base::Char => 'C',
        Base::Complex => 'X',
    };
    match name.ends_with(letter) {
        true => Ok(()),
        false => Err(unfit(name)),
    }
}
