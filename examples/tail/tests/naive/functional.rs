//! The operators that call functions.

use super::values::{Value, bind, unfit};
use super::{Evaluated, Evaluator, scalars};
use tail::syntax::{Base, Constant, Operator};
use tail::value::{Array, Elements};

/// A function from scalars to a scalar; operators on scalars are found once for all elements.
enum Scalars<'v, 'p> {
    Unary(scalars::Unary),
    Binary(scalars::Binary),
    Any(&'v Value<'p>),
}

impl<'v, 'p> Scalars<'v, 'p> {
    fn of(f: &'v Value<'p>) -> Self {
        let Value::Operator(operator) = f else {
            return Scalars::Any(f);
        };
        let (unary, binary) = (
            scalars::unary(&operator.name),
            scalars::binary(&operator.name),
        );
        match (unary, binary) {
            (Some(f), _) => Scalars::Unary(f),
            (None, Some(f)) => Scalars::Binary(f),
            (None, None) => Scalars::Any(f),
        }
    }
}

impl Evaluator<'_> {
    /// The operators that call functions, and those of tuples. `None` if the operator is another one.
    pub(super) fn functional<'p>(
        &mut self,
        name: &str,
        operator: &'p Operator,
        arguments: &[Value<'p>],
    ) -> Result<Option<Value<'p>>, String> {
        let bases = operator.instance.as_ref().map(|list| list.bases.as_slice());
        let base = *bases.and_then(<[Base]>::last).unwrap_or(&Base::Open);
        Ok(Some(match (name, arguments) {
            ("each", [f, a]) => Value::from(self.each(f, &*a.array(name)?, base)?),
            ("zipWith", [f, a, b]) => {
                let (a, b) = (a.array(name)?, b.array(name)?);
                Value::from(self.zip_with(f, [&*a, &*b], base)?)
            }
            ("reduce", [f, neutral, a]) => {
                let neutral = neutral.scalar(name)?;
                Value::from(self.reduce(f, neutral, &*a.array(name)?)?)
            }
            ("scan", [f, _, a]) => Value::from(self.scan(f, &*a.array(name)?)?),
            ("power" | "powerScl", [f, n, x]) => self.power(f, n.int(name)?, x)?,
            ("condScl", [f, condition, x]) => self.power(f, i32::from(condition.bool(name)?), x)?,
            ("Prj", [at, Value::Tuple(fields)]) => {
                let field = usize::try_from(at.int(name)?)
                    .ok()
                    .and_then(|at| fields.get(at));
                field.cloned().ok_or("Prj: the tuple has no such field")?
            }
            _ => return Ok(None),
        }))
    }

    /// Calls a function. One of two arguments gives a function of the second.
    fn call<'p>(&mut self, f: &Value<'p>, arguments: &[Value<'p>]) -> Evaluated<'p> {
        self.spend(1)?;
        match (f, arguments) {
            (Value::Operator(operator), _) => self.operator(operator, arguments),
            (Value::Closure(function, environment), [first, others @ ..]) => {
                let environment = bind(&function.name, first.clone(), environment);
                let result = self.eval(&function.body, &environment)?;
                match others {
                    [] => Ok(result),
                    _ => self.call(&result, others),
                }
            }
            _ => Err("a value is called that is no function, or one of fewer arguments".to_owned()),
        }
    }

    fn one(&mut self, f: &Scalars, a: Constant) -> Result<Constant, String> {
        self.spend(1)?;
        match f {
            Scalars::Unary(f) => f(a).ok_or_else(|| unfit("a function")),
            Scalars::Binary(_) => Err("a function of two arguments gets one".to_owned()),
            Scalars::Any(f) => self
                .call(f, &[Value::Scalar(a)])?
                .scalar("a function's result"),
        }
    }

    fn two(&mut self, f: &Scalars, a: Constant, b: Constant) -> Result<Constant, String> {
        self.spend(1)?;
        match f {
            Scalars::Unary(_) => Err("a function of one argument gets two".to_owned()),
            Scalars::Binary(f) => f(a, b).ok_or_else(|| unfit("a function")),
            Scalars::Any(f) => {
                let result = self.call(f, &[Value::Scalar(a), Value::Scalar(b)])?;
                result.scalar("a function's result")
            }
        }
    }

    fn each<'p>(&mut self, f: &Value<'p>, a: &Array, base: Base) -> Result<Array, String> {
        let f = Scalars::of(f);
        let mut results = Results::new(base);
        for at in 0..a.len() {
            results.push(self.one(&f, element(a, at)?)?)?;
        }
        Ok(results.array(a.shape.clone()))
    }

    fn zip_with<'p>(
        &mut self,
        f: &Value<'p>,
        [a, b]: [&Array; 2],
        base: Base,
    ) -> Result<Array, String> {
        if a.shape != b.shape {
            return Err(format!(
                "zipWith: the shapes {:?} and {:?} differ",
                a.shape, b.shape
            ));
        }
        let f = Scalars::of(f);
        let mut results = Results::new(base);
        for at in 0..a.len() {
            results.push(self.two(&f, element(a, at)?, element(b, at)?)?)?;
        }
        Ok(results.array(a.shape.clone()))
    }

    /// `x1 f (x2 f (x3 f x4))` along the last axis.
    fn reduce<'p>(&mut self, f: &Value<'p>, neutral: Constant, a: &Array) -> Result<Array, String> {
        let Some((length, shape)) = a.shape.split_last() else {
            return Ok(a.clone());
        };
        let f = Scalars::of(f);
        self.allow(shape)?;
        let mut results = Results::new(a.base());
        for row in 0..shape.iter().product() {
            results.push(match length {
                0 => neutral,
                _ => self.fold(&f, a, row * length, (row + 1) * length)?,
            })?;
        }
        Ok(results.array(shape.to_vec()))
    }

    /// The elements from a position to the one before another, at least one, from the right.
    fn fold(&mut self, f: &Scalars, a: &Array, from: usize, to: usize) -> Result<Constant, String> {
        let mut folded = element(a, to - 1)?;
        for at in (from..to - 1).rev() {
            folded = self.two(f, element(a, at)?, folded)?;
        }
        Ok(folded)
    }

    /// Each element with those before it in its row, reduced; in APL's order the parts have nothing in common.
    fn scan<'p>(&mut self, f: &Value<'p>, a: &Array) -> Result<Array, String> {
        let f = Scalars::of(f);
        let length = a.shape.last().copied().unwrap_or(1);
        let mut results = Results::new(a.base());
        for at in 0..a.len() {
            results.push(self.fold(&f, a, at - at % length, at + 1)?)?;
        }
        Ok(results.array(a.shape.clone()))
    }

    fn power<'p>(&mut self, f: &Value<'p>, n: i32, x: &Value<'p>) -> Evaluated<'p> {
        if n < 0 {
            return Err(format!("power: {n} times"));
        }
        let mut x = x.clone();
        for _ in 0..n {
            x = self.call(f, &[x])?;
        }
        Ok(x)
    }
}

fn element(a: &Array, at: usize) -> Result<Constant, String> {
    a.elements
        .get(at)
        .ok_or_else(|| format!("no element {at} of the shape {:?}", a.shape))
}

/// The results of a function; the first one tells their type.
struct Results {
    elements: Elements,
}

impl Results {
    /// No results yet; if that stays so, they have this type.
    fn new(base: Base) -> Self {
        let elements = Elements::empty(base);
        Results { elements }
    }

    fn push(&mut self, value: Constant) -> Result<(), String> {
        if self.elements.is_empty() {
            self.elements = Elements::empty(value.base());
        }
        match self.elements.push(value) {
            true => Ok(()),
            false => Err("a function gives values of two types".to_owned()),
        }
    }

    fn array(self, shape: Vec<usize>) -> Array {
        let elements = self.elements;
        Array { shape, elements }
    }
}
