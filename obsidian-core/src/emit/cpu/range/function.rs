//! One device function as Rust, with all types written out.

use std::fmt::Write as _;

use super::super::operators;
use super::{Faults, rust_type};
use crate::error::internal;
use crate::library::device::faults;
use crate::library::device::{Code, Device, Expr, Made, Num, Place, Range, Slot, Step, Stmt, Ty};
use crate::ordered::Map;
use crate::scalar::{BinaryOp, Literal, ScalarType, UnaryOp};

/// An expression as text that stands anywhere, and its type; one where control does not come back has none.
type Printed = (String, Option<Ty>);

/// One function.
pub(super) struct Printer<'d> {
    device: &'d Device,
    types: Map<Slot, Ty>,
    faults: &'d mut Faults,
    /// The number of the next name that no slot has.
    fresh: u32,
}

const UNIT: Ty = Ty::Tuple(Vec::new());
const BOOL: Ty = Ty::Num(Num::Bool);

/// The scalar type of a number; anything else is not asked for it.
fn scalar(ty: &Ty) -> ScalarType {
    match ty {
        Ty::Num(num) => num.scalar(),
        _ => ScalarType::Bool,
    }
}

impl<'d> Printer<'d> {
    pub(super) fn function(device: &'d Device, code: &'d Code, faults: &'d mut Faults) -> String {
        let mut printer = Printer {
            device,
            types: Map::new(),
            faults,
            fresh: 0,
        };
        let mut parameters = String::new();
        for (slot, ty) in (0..).zip(&code.parameters) {
            let _ = write!(parameters, "mut s{slot}: {}, ", rust_type(ty));
            printer.types.insert(slot, ty.clone());
        }
        let (body, _) = printer.expr(&code.body);
        let result = rust_type(&code.result);
        format!("fn f{}({parameters}) -> {result} {{ {body} }}", code.number)
    }

    fn name(&mut self) -> String {
        self.fresh += 1;
        format!("t{}", self.fresh)
    }

    /// Several expressions, evaluated in order; or what is left of them, if one of them does not come back.
    fn all(&mut self, list: &[&'d Expr]) -> Result<Vec<(String, Ty)>, Printed> {
        let mut found: Vec<(String, Ty)> = Vec::new();
        for expr in list {
            match self.expr(expr) {
                (text, Some(ty)) => found.push((text, ty)),
                (text, None) => {
                    let before: Vec<String> =
                        found.into_iter().map(|(text, _)| text + "; ").collect();
                    return Err((format!("{{ {}{text} }}", before.concat()), None));
                }
            }
        }
        Ok(found)
    }

    fn expr(&mut self, expr: &'d Expr) -> Printed {
        self.value_of(expr).unwrap_or_else(|left| left)
    }

    /// Names, and parts of tuples, arrays and slices.
    fn value_of(&mut self, expr: &'d Expr) -> Result<Printed, Printed> {
        let (text, ty) = match expr {
            Expr::Literal(num, bits) => {
                let literal = Literal::from_bits(num.scalar(), *bits);
                (operators::literal(literal), Ty::Num(*num))
            }
            Expr::Local(slot) => {
                let ty = self.types.get(slot).cloned().unwrap_or(UNIT);
                (format!("s{slot}"), ty)
            }
            Expr::Field(of, n) => {
                if let Some(field) = self.field_of_element(of, *n)? {
                    return Ok(field);
                }
                let [(of, ty)] = self.some([of])?;
                let ty = match ty {
                    Ty::Tuple(list) => list.get(*n as usize).cloned().unwrap_or(UNIT),
                    other => other,
                };
                (format!("({of}.{n})"), ty)
            }
            Expr::Tuple(list) => {
                let list = self.all(&list.iter().collect::<Vec<_>>())?;
                let texts: Vec<String> = list.iter().map(|(text, _)| format!("{text}, ")).collect();
                let types = list.into_iter().map(|(_, ty)| ty).collect();
                (format!("({})", texts.concat()), Ty::Tuple(types))
            }
            Expr::Array(list) => {
                let list = self.all(&list.iter().collect::<Vec<_>>())?;
                let texts: Vec<String> = list.iter().map(|(text, _)| format!("{text}, ")).collect();
                let count = list.len() as u32;
                let element = list.into_iter().next().map_or(UNIT, |(_, ty)| ty);
                let ty = Ty::Array(Box::new(element), count);
                (format!("[{}]", texts.concat()), ty)
            }
            Expr::Repeat(element, count) => {
                let [(element, ty)] = self.some([element])?;
                let text = format!("[{element}; {count}usize]");
                (text, Ty::Array(Box::new(ty), *count))
            }
            Expr::Index(of, index, place) => {
                let changes = index.any(&|e| matches!(e, Expr::Assign(..)));
                let [(of, ty), (index, _)] = self.some([of, index])?;
                let element = match &ty {
                    Ty::Array(element, _) | Ty::Slice(element) => (**element).clone(),
                    other => other.clone(),
                };
                let number = self.outside(&ty, *place);
                let text = match changes {
                    // The array as it was before the index was computed.
                    true => {
                        let name = self.name();
                        let ty = rust_type(&ty);
                        format!(
                            "{{ let {name}: {ty} = {of}; rt::device::at(&{name}, {index}, {number}) }}"
                        )
                    }
                    false => format!("rt::device::at(&{of}, {index}, {number})"),
                };
                (text, element)
            }
            Expr::Len(of) => {
                let [(of, _)] = self.some([of])?;
                (format!("rt::device::length(&{of})"), Ty::Num(Num::Usize))
            }
            _ => return self.operator(expr),
        };
        Ok((text, Some(ty)))
    }

    /// What is computed from operands that are all evaluated.
    fn operator(&mut self, expr: &'d Expr) -> Result<Printed, Printed> {
        let (text, ty) = match expr {
            Expr::Unary(op, value) => {
                let [(x, ty)] = self.some([value])?;
                (format!("({})", operators::unary(*op, scalar(&ty), &x)), ty)
            }
            Expr::Binary(op, left, right, place) => self.binary(*op, left, right, *place)?,
            Expr::Cast(value, to) => {
                let [(x, ty)] = self.some([value])?;
                let text = operators::cast(scalar(&ty), to.scalar(), &x);
                (text, Ty::Num(*to))
            }
            Expr::Made(made, list, place) => self.made(*made, list, *place)?,
            Expr::Powi(value, exponent) => {
                let [(x, ty)] = self.some([value])?;
                let name = self.name();
                let text = power(&name, scalar(&ty), *exponent);
                let typed = rust_type(&ty);
                (format!("{{ let {name}: {typed} = {x}; {text} }}"), ty)
            }
            Expr::OfBits(op, value, to) => {
                let [(x, ty)] = self.some([value])?;
                let text = operators::unary(*op, scalar(&ty), &x);
                (text, Ty::Num(*to))
            }
            Expr::Call(n, list) => {
                let list = self.all(&list.iter().collect::<Vec<_>>())?;
                let texts: Vec<String> = list.into_iter().map(|(text, _)| text + ", ").collect();
                let code = self.device.functions.iter().find(|f| f.number == *n);
                let result = code.map_or(UNIT, |code| code.result.clone());
                (format!("f{n}({})", texts.concat()), result)
            }
            _ => return self.control(expr),
        };
        Ok((text, Some(ty)))
    }

    /// What decides what is evaluated, and what changes something.
    fn control(&mut self, expr: &'d Expr) -> Result<Printed, Printed> {
        let (text, ty) = match expr {
            Expr::Both(left, right) => return Ok(self.shortcut("&&", left, right)),
            Expr::Either(left, right) => return Ok(self.shortcut("||", left, right)),
            Expr::If(condition, then, otherwise) => {
                let [(condition, _)] = self.some([condition])?;
                let (then, ty) = self.expr(then);
                let Some(otherwise) = otherwise else {
                    return Ok((format!("(if {condition} {{ {then}; }})"), Some(UNIT)));
                };
                let (otherwise, other) = self.expr(otherwise);
                let text = format!("(if {condition} {{ {then} }} else {{ {otherwise} }})");
                return Ok((text, ty.or(other)));
            }
            Expr::Block(statements, value) => return Ok(self.block(statements, value.as_deref())),
            Expr::While(id, condition, body) => {
                let (condition, _) = self.expr(condition);
                let (body, _) = self.expr(body);
                (
                    format!("{{ 'l{id}: while {condition} {{ {body}; }} }}"),
                    UNIT,
                )
            }
            Expr::Loop(id, gives, body) => {
                let is_left = body.any(&|e| matches!(e, Expr::Break(n, _) if n == id));
                let (body, _) = self.expr(body);
                let ty = is_left.then(|| gives.clone().unwrap_or(UNIT));
                return Ok((format!("{{ 'l{id}: loop {{ {body}; }} }}"), ty));
            }
            Expr::For(id, slots, range, body) => {
                let text = self.for_loop(*id, slots, range, body)?;
                (text, UNIT)
            }
            Expr::Break(id, value) => {
                let value = self.value(value.as_deref())?;
                return Ok((format!("(break 'l{id} {value})"), None));
            }
            Expr::Continue(id) => return Ok((format!("(continue 'l{id})"), None)),
            Expr::Return(value) => {
                let value = self.value(value.as_deref())?;
                return Ok((format!("(return {value})"), None));
            }
            Expr::Assign(slot, steps, value) => {
                let [(value, ty)] = self.some([value])?;
                let mut place = format!("s{slot}");
                let mut of = self.types.get(slot).cloned().unwrap_or(UNIT);
                for step in steps {
                    place = match step {
                        Step::Field(n) => format!("({place}.{n})"),
                        Step::Element(index, at) => {
                            let number = self.outside(&of, *at);
                            let (index, _) = self.expr(index);
                            format!("(*rt::device::at_mut(&mut {place}, {index}, {number}))")
                        }
                    };
                    of = match (of, step) {
                        (Ty::Tuple(list), Step::Field(n)) => {
                            list.get(*n as usize).cloned().unwrap_or(UNIT)
                        }
                        (Ty::Array(element, _), Step::Element(..)) => *element,
                        (of, _) => of,
                    };
                }
                let (name, ty) = (self.name(), rust_type(&ty));
                let text = format!("{{ let {name}: {ty} = {value}; {place} = {name}; }}");
                (text, UNIT)
            }
            Expr::Fail(text, place) => {
                let number = self.faults.number(text, *place);
                return Ok((format!("rt::device::fault({number})"), None));
            }
            _ => internal::raise("an expression of a device function is of no kind"),
        };
        Ok((text, Some(ty)))
    }

    /// The same for as many expressions as there are.
    fn some<const N: usize>(&mut self, list: [&'d Expr; N]) -> Result<[(String, Ty); N], Printed> {
        let list = self.all(&list)?;
        list.try_into()
            .map_err(|_| ("rt::device::fault(rt::device::NEVER)".to_owned(), None))
    }

    /// A field of an element of a slice of tuples: the element of the slice that the field is, and no other one is looked at.
    fn field_of_element(&mut self, of: &'d Expr, n: u32) -> Result<Option<Printed>, Printed> {
        let Expr::Index(slice, index, place) = of else {
            return Ok(None);
        };
        let Expr::Local(slot) = &**slice else {
            return Ok(None);
        };
        let Some(Ty::Slice(element)) = self.types.get(slot).cloned() else {
            return Ok(None);
        };
        let Ty::Tuple(fields) = *element else {
            return Ok(None);
        };
        let Some(field) = fields.get(n as usize).cloned() else {
            return Ok(None);
        };
        let [(index, _)] = self.some([&**index])?;
        let number = self.faults.number(faults::OUTSIDE, *place);
        let text = format!("rt::device::at(&s{slot}.{n}, {index}, {number})");
        Ok(Some((text, Some(field))))
    }

    /// The number of the fault of an index that is outside of a value of a type.
    fn outside(&mut self, of: &Ty, place: Place) -> String {
        match of {
            Ty::Array(_, length) => self.faults.number(&faults::outside_of(*length), place),
            _ => self.faults.number(faults::OUTSIDE, place),
        }
    }

    /// The numbers of the faults of a division, of a kind whose words these are.
    fn divided(&mut self, of: ScalarType, words: [&str; 2], place: Place) -> String {
        let [by_zero, overflow] = words;
        let by_zero = self.faults.number(by_zero, place);
        match of.is_signed() {
            true => format!("[{by_zero}, {}]", self.faults.number(overflow, place)),
            false => format!("[{by_zero}, rt::device::NEVER]"),
        }
    }

    fn value(&mut self, value: Option<&'d Expr>) -> Result<String, Printed> {
        match value {
            Some(value) => {
                let [(text, _)] = self.some([value])?;
                Ok(text)
            }
            None => Ok(String::new()),
        }
    }

    fn shortcut(&mut self, op: &str, left: &'d Expr, right: &'d Expr) -> Printed {
        match (self.expr(left), self.expr(right)) {
            ((left, Some(_)), (right, _)) => (format!("({left} {op} {right})"), Some(BOOL)),
            (left, _) => left,
        }
    }

    fn block(&mut self, statements: &'d [Stmt], value: Option<&'d Expr>) -> Printed {
        let (mut text, mut ends) = ("{ ".to_owned(), false);
        for statement in statements {
            match statement {
                Stmt::Let(slot, _, ty, value) => {
                    let value = value.as_ref().map(|value| self.expr(value));
                    self.types.insert(*slot, ty.clone());
                    let ty = rust_type(ty);
                    let _ = match value {
                        Some((value, found)) => {
                            ends |= found.is_none();
                            write!(text, "let mut s{slot}: {ty} = {value}; ")
                        }
                        None => write!(text, "let mut s{slot}: {ty}; "),
                    };
                }
                Stmt::Expr(value) => {
                    let (value, found) = self.expr(value);
                    ends |= found.is_none();
                    let _ = write!(text, "{value}; ");
                }
            }
        }
        let ty = match value {
            Some(value) => {
                let (value, ty) = self.expr(value);
                text.push_str(&value);
                ty
            }
            None => (!ends).then_some(UNIT),
        };
        text.push_str(" }");
        (text, ty)
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        left: &'d Expr,
        right: &'d Expr,
        place: Place,
    ) -> Result<(String, Ty), Printed> {
        let [(x, ty), (y, other)] = self.some([left, right])?;
        let of = scalar(&ty);
        let text = match op {
            BinaryOp::Div if of.is_integer() => {
                let numbers = self.divided(of, faults::QUOTIENT, place);
                format!("rt::device::div({x}, {y}, {numbers})")
            }
            BinaryOp::Rem if of.is_integer() => {
                let numbers = self.divided(of, faults::REMAINDER, place);
                format!("rt::device::rem({x}, {y}, {numbers})")
            }
            _ if op.is_shift() => {
                let distance = operators::cast(scalar(&other), ScalarType::U32, &y);
                operators::binary(op, of, &x, &distance)
            }
            _ => operators::binary(op, of, &x, &y),
        };
        let gives = if op.is_comparison() { BOOL } else { ty };
        Ok((text, gives))
    }

    fn made(
        &mut self,
        made: Made,
        list: &'d [Expr],
        place: Place,
    ) -> Result<(String, Ty), Printed> {
        let list = self.all(&list.iter().collect::<Vec<_>>())?;
        let mut bindings = String::new();
        let mut names = Vec::new();
        for (text, ty) in &list {
            let name = self.name();
            let _ = write!(bindings, "let {name}: {} = {text}; ", rust_type(ty));
            names.push(name);
        }
        let ty = list.first().map_or(UNIT, |(_, ty)| ty.clone());
        let of = scalar(&ty);
        let name = |n: usize| names.get(n).map_or("()", String::as_str);
        let (x, y, z) = (name(0), name(1), name(2));
        let method = |method: &str| format!("{x}.{method}({y})");
        let counted = |method: &str| (format!("{x}.{method}()"), Ty::Num(Num::U32));
        let (text, gives) = match made {
            Made::Recip => {
                let one = operators::literal(Literal::one(of));
                (format!("({one} / {x})"), ty)
            }
            Made::Fract => (
                format!("({x} - {})", operators::unary(UnaryOp::Trunc, of, x)),
                ty,
            ),
            Made::IsNan => (format!("({x} != {x})"), BOOL),
            Made::MulAdd => (operators::mul_add(of, x, y, z), ty),
            Made::Clamp => {
                let low = format!("(if {x} < {y} {{ {y} }} else {{ {x} }})");
                let number = self.faults.number(faults::CLAMP, place);
                let text = format!(
                    "{{ if !({y} <= {z}) {{ rt::device::fault({number}); }} let low = {low}; if low > {z} {{ {z} }} else {{ low }} }}"
                );
                (text, ty)
            }
            Made::RotateLeft => (method("rotate_left"), ty),
            Made::RotateRight => (method("rotate_right"), ty),
            Made::AbsDiff => {
                let unsigned = match ty {
                    Ty::Num(Num::Usize | Num::Isize) => Some(Num::Usize),
                    _ => Num::ALL.into_iter().find(|n| n.scalar() == of.unsigned()),
                };
                (method("abs_diff"), unsigned.map_or(ty, Ty::Num))
            }
            Made::DivEuclid => {
                let numbers = self.divided(of, faults::QUOTIENT, place);
                (format!("rt::device::div_euclid({x}, {y}, {numbers})"), ty)
            }
            Made::RemEuclid => {
                let numbers = self.divided(of, faults::REMAINDER, place);
                (format!("rt::device::rem_euclid({x}, {y}, {numbers})"), ty)
            }
            Made::SaturatingAdd => (method("saturating_add"), ty),
            Made::SaturatingSub => (method("saturating_sub"), ty),
            Made::SaturatingMul => (method("saturating_mul"), ty),
            Made::CountOnes => counted("count_ones"),
            Made::LeadingZeros => counted("leading_zeros"),
            Made::TrailingZeros => counted("trailing_zeros"),
        };
        Ok((format!("{{ {bindings}{text} }}"), gives))
    }

    fn for_loop(
        &mut self,
        id: u32,
        slots: &[Slot],
        range: &'d Range,
        body: &'d Expr,
    ) -> Result<String, Printed> {
        let slot = |n: usize| slots.get(n).copied().unwrap_or(Slot::MAX);
        match range {
            Range::Numbers(from, to, inclusive, reversed, step, place) => {
                let mut list: Vec<&Expr> = vec![from, to];
                list.extend(step.as_deref());
                let list = self.all(&list)?;
                let ty = list.first().map_or(UNIT, |(_, ty)| ty.clone());
                let (from, to) = (self.name(), self.name());
                let mut text = String::from("{ ");
                for ((value, ty), name) in list.iter().zip([&*from, &*to, "step"]) {
                    let _ = write!(text, "let {name}: {} = {value}; ", rust_type(ty));
                }
                let (of, dots) = (scalar(&ty), if *inclusive { "..=" } else { ".." });
                match step {
                    Some(_) => {
                        let number = self.faults.number(faults::STEP, *place);
                        let _ = write!(text, "rt::device::step(step, {number}); ");
                    }
                    None => text.push_str("let step = 1u64; "),
                }
                if of.bits() == 64 || *inclusive {
                    let compare = if *inclusive { "<=" } else { "<" };
                    let less = if *inclusive { "0u64" } else { "1u64" };
                    let number = self.faults.number(faults::TOO_MANY, *place);
                    let _ = write!(
                        text,
                        "if {from} {compare} {to} {{ rt::device::rounds(({to} as u64).wrapping_sub({from} as u64).wrapping_sub({less}), step, {number}); }} "
                    );
                }
                let reversed = if *reversed { ".rev()" } else { "" };
                let stepped = if step.is_some() {
                    ".step_by(step as usize)"
                } else {
                    ""
                };
                self.types.insert(slot(0), ty);
                let (body, _) = self.expr(body);
                let _ = write!(
                    text,
                    "'l{id}: for mut s{} in ({from}{dots}{to}){reversed}{stepped} {{ {body}; }} }}",
                    slot(0)
                );
                Ok(text)
            }
            Range::Elements(of) | Range::Numbered(of) => {
                let numbered = matches!(range, Range::Numbered(_));
                let [(of, ty)] = self.some([of])?;
                let element = match &ty {
                    Ty::Array(element, _) | Ty::Slice(element) => (**element).clone(),
                    other => other.clone(),
                };
                let (array, k, typed) = (self.name(), self.name(), rust_type(&ty));
                let number = match numbered {
                    true => {
                        self.types.insert(slot(0), Ty::Num(Num::Usize));
                        format!("let mut s{}: u64 = {k}; ", slot(0))
                    }
                    false => String::new(),
                };
                let own = slot(usize::from(numbered));
                let element_type = rust_type(&element);
                self.types.insert(own, element);
                let (body, _) = self.expr(body);
                Ok(format!(
                    "{{ let {array}: {typed} = {of}; 'l{id}: for {k} in 0u64..rt::device::length(&{array}) {{ \
                     {number}let mut s{own}: {element_type} = rt::device::at(&{array}, {k}, rt::device::NEVER); {body}; }} }}"
                ))
            }
        }
    }
}

/// A float to the power of a number, by the products that the device has in the same order.
fn power(x: &str, ty: ScalarType, exponent: u32) -> String {
    let (mut left, mut square) = (exponent, x.to_owned());
    let (mut text, mut product, mut n) = (String::new(), None::<String>, 0);
    while left > 0 {
        if left % 2 == 1 {
            product = Some(product.map_or(square.clone(), |p| format!("({p} * {square})")));
        }
        left /= 2;
        if left > 0 {
            let next = format!("{x}_{n}");
            let _ = write!(text, "let {next} = {square} * {square}; ");
            (square, n) = (next, n + 1);
        }
    }
    text + &product.unwrap_or_else(|| operators::literal(Literal::one(ty)))
}
