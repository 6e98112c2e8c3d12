//! The operators on scalars, as a function of elements and as the host writes them.

use super::Printer;
use super::code::{Binding, Code};
use super::value::Scalar;
use crate::syntax::{Base, Constant};
use crate::types::signatures::SIGNATURES;

/// How an operator is written.
enum Form {
    Infix(&'static str, Binding),
    /// With `#0` and `$0` for operands; see [`Code::of`].
    Text(&'static str, Binding),
    /// A call of a function of the same name.
    Helper,
}

use Form::{Helper, Infix, Text};

const fn method(template: &'static str) -> Form {
    Text(template, Binding::Atom)
}

/// The base type of the result of an operator on scalars.
fn result(name: &str) -> Base {
    let signature = SIGNATURES.get(name);
    let result = signature.and_then(|signature| signature.types(&[], &[]).1.array());
    result.map_or(Base::Open, |(base, _)| base)
}

/// In a function of elements.
fn device(name: &str) -> Option<Form> {
    Some(match name {
        "addi" | "addd" => Infix("+", Binding::Add),
        "subi" | "subd" => Infix("-", Binding::Add),
        "muli" | "muld" => Infix("*", Binding::Multiply),
        "divd" => Infix("/", Binding::Multiply),
        "andi" | "andb" => Infix("&", Binding::And),
        "ori" | "orb" => Infix("|", Binding::Or),
        "xori" | "xorb" => Infix("^", Binding::Xor),
        "maxi" | "maxd" => method("$0.max(#1)"),
        "mini" | "mind" => method("$0.min(#1)"),
        "powd" => method("$0.powf(#1)"),
        "absi" | "absd" => method("$0.abs()"),
        "negi" => Text("0 - $0", Binding::Add),
        "noti" | "notb" => Text("!$0", Binding::Prefix),
        "negd" => Text("-$0", Binding::Prefix),
        "expd" => method("$0.exp()"),
        "ln" | "sin" | "cos" | "tan" | "asin" | "acos" | "atan" | "sinh" | "cosh" | "tanh" => {
            return float_method(name);
        }
        "floor" => Text("$0.floor() as i32", Binding::Cast),
        "ceil" => Text("$0.ceil() as i32", Binding::Cast),
        "i2d" => Text("$0 as f64", Binding::Cast),
        "b2i" => method("select(#0, lit(1i32), lit(0i32))"),
        "lti" | "ltd" | "ltc" => Infix("<", Binding::Compare),
        "ltei" | "lted" | "ltec" => Infix("<=", Binding::Compare),
        "gti" | "gtd" | "gtc" => Infix(">", Binding::Compare),
        "gtei" | "gted" | "gtec" => Infix(">=", Binding::Compare),
        "eqi" | "eqd" | "eqc" => Infix("==", Binding::Compare),
        "neqi" | "neqd" | "neqc" => Infix("!=", Binding::Compare),
        "eqb" => method("!($0 ^ $1)"),
        "nandb" => method("!($0 & $1)"),
        "norb" => method("!($0 | $1)"),
        "d2x" => method("(#0, lit(0.0f64))"),
        "injx" => method("(lit(0.0f64), #0)"),
        "rex" => method("$0.0"),
        "imx" => method("$0.1"),
        "resi" | "resd" | "shli" | "shri" | "shari" | "signi" | "signd" | "magnx" | "conjx"
        | "negx" | "expx" | "addx" | "subx" | "mulx" => Helper,
        _ => return None,
    })
}

/// The power 1/2 is a root.
const ROOT: &str = "root(#0)";

/// In a function of elements, where an operand is known; `tail run` does the same.
fn of_known(name: &str, arguments: &[&Scalar]) -> Option<Form> {
    let known = |n: usize| arguments.get(n).and_then(|argument| argument.value);
    Some(match (name, known(0), known(1)) {
        ("powd", None, Some(Constant::Double(0.5))) => method(ROOT),
        ("powd", None, Some(Constant::Double(n))) => method(match n {
            -1.0 => "$0.powi(-1)",
            0.0 => "$0.powi(0)",
            1.0 => "$0.powi(1)",
            2.0 => "$0.powi(2)",
            3.0 => "$0.powi(3)",
            4.0 => "$0.powi(4)",
            5.0 => "$0.powi(5)",
            6.0 => "$0.powi(6)",
            7.0 => "$0.powi(7)",
            8.0 => "$0.powi(8)",
            _ => return None,
        }),
        ("resi", Some(Constant::Int(1..)), None) => method("$1.rem_euclid(#0)"),
        _ => return None,
    })
}

fn float_method(name: &str) -> Option<Form> {
    Some(method(match name {
        "ln" => "$0.ln()",
        "sin" => "$0.sin()",
        "cos" => "$0.cos()",
        "tan" => "$0.tan()",
        "asin" => "$0.asin()",
        "acos" => "$0.acos()",
        "atan" => "$0.atan()",
        "sinh" => "$0.sinh()",
        "cosh" => "$0.cosh()",
        "tanh" => "$0.tanh()",
        _ => return None,
    }))
}

/// In the function of the host, where whole numbers wrap as on a device.
fn host(name: &str) -> Option<Form> {
    Some(match name {
        "addi" => method("$0.wrapping_add(#1)"),
        "subi" => method("$0.wrapping_sub(#1)"),
        "muli" => method("$0.wrapping_mul(#1)"),
        "absi" => method("$0.wrapping_abs()"),
        "negi" => method("$0.wrapping_neg()"),
        "signi" => method("$0.signum()"),
        "i2d" => method("f64::from(#0)"),
        "b2i" => method("i32::from(#0)"),
        "eqb" => Infix("==", Binding::Compare),
        "resi" | "resd" | "shli" | "shri" | "shari" | "signd" => Helper,
        _ if result(name) == Base::Complex || name.ends_with('x') => return None,
        _ => return device(name),
    })
}

impl Printer {
    /// An operator on scalars; nothing if it is another one.
    pub(super) fn scalar(&mut self, name: &str, arguments: &[&Scalar]) -> Option<Scalar> {
        if name == "pi" {
            return Some(Scalar::constant(Constant::Double(std::f64::consts::PI)));
        }
        let form = of_known(name, arguments).or_else(|| device(name))?;
        let base = result(name);
        let all_written_out = arguments.iter().all(|argument| argument.is_literal);
        let operands: Vec<Code> = (0..)
            .zip(arguments)
            .map(|(n, argument)| match all_written_out && n == 0 {
                true => argument.on_device(),
                false => operand(&form, n, argument),
            })
            .collect();
        match form {
            Helper => self.helper(name),
            Text(ROOT, _) => self.helper("root"),
            _ => {}
        }
        let device = written(name, "", &form, &operands);
        let operands: Option<Vec<Code>> = arguments
            .iter()
            .map(|argument| argument.on_host())
            .collect();
        let host = operands
            .zip(host(name))
            .map(|(operands, form)| written(name, "support::", &form, &operands));
        Some(Scalar {
            host,
            ..Scalar::element(base, device)
        })
    }
}

/// An operand: a literal that is the receiver of a method, or stands alone, has to be a device value.
fn operand(form: &Form, n: usize, argument: &Scalar) -> Code {
    let is_bare = match form {
        Infix(..) => true,
        Text(template, _) => {
            template.contains(&format!("#{n}")) && !template.starts_with(['s', '('])
        }
        Helper => true,
    };
    match is_bare {
        true => argument.device.clone(),
        false => argument.on_device(),
    }
}

fn written(name: &str, path: &str, form: &Form, operands: &[Code]) -> Code {
    let parts: Vec<&Code> = operands.iter().collect();
    match (form, operands) {
        (Infix(sign, binding), [left, right]) => Code::infix(sign, *binding, left, right),
        (Infix(..), _) => Code::atom("()"),
        (Text(template, binding), _) => Code::of(template, *binding, &parts),
        (Helper, _) => {
            let arguments = super::code::list(operands);
            Code::call(&format!("{path}{name}(#0)"), &[&arguments])
        }
    }
}

/// One of two scalars.
pub fn select(condition: &Scalar, then: &Scalar, otherwise: &Scalar) -> Scalar {
    let device = Code::call(
        "select(#0, #1, #2)",
        &[
            &condition.on_device(),
            &then.on_device(),
            &otherwise.on_device(),
        ],
    );
    let parts = (condition.on_host(), then.on_host(), otherwise.on_host());
    let host = match parts {
        (Some(a), Some(b), Some(c)) => Some(Code::of(
            "if #0 { #1 } else { #2 }",
            Binding::Compare,
            &[&a, &b, &c],
        )),
        _ => None,
    };
    Scalar {
        host,
        ..Scalar::element(then.base, device)
    }
}
