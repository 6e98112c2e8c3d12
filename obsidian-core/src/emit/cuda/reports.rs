//! Values that a kernel shows, as calls of `printf`.

use crate::scalar::{Class, ScalarType};

/// Prints a line with a name and values, each with its type and text, and the real block and thread.
pub(super) fn printf(name: &str, values: Vec<(ScalarType, String)>) -> String {
    let (mut formats, mut arguments) = (Vec::new(), String::new());
    for (ty, value) in values {
        let (format, argument) = shown(ty, &value);
        formats.push(format);
        arguments += &argument;
        arguments += ", ";
    }
    format!(
        "printf(\"{}: {} (block %u, thread %u)\\n\", {arguments}blockIdx.x, threadIdx.x);",
        quoted(name),
        formats.join(", ")
    )
}

/// How `printf` shows a value of a type, and what it is given.
fn shown(ty: ScalarType, value: &str) -> (&'static str, String) {
    let is_wide = ty.bits() == 64;
    let (format, cast) = match (ty.class(), is_wide) {
        (Class::Bool, _) => return ("%s", format!("({value}) ? \"true\" : \"false\"")),
        (Class::Float, false) => ("%.9g", "double"),
        (Class::Float, true) => ("%.17g", "double"),
        (Class::Unsigned, true) => ("%llu", "unsigned long long"),
        (Class::Signed, true) => ("%lld", "long long"),
        (Class::Signed, false) => ("%d", "int"),
        (Class::Unsigned, false) => ("%u", "unsigned int"),
    };
    (format, format!("({cast})({value})"))
}

/// A text inside of the quotes of a format of `printf`.
fn quoted(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '%' => out.push_str("%%"),
            '"' | '\\' => out.extend(['\\', c]),
            // (No trigraph begins.)
            '?' => out.push_str("\\?"),
            ' '..='~' => out.push(c),
            _ if c.is_control() => out.push(' '),
            _ => {
                let mut bytes = [0; 4];
                let bytes = c.encode_utf8(&mut bytes).bytes();
                bytes.for_each(|byte| out.push_str(&format!("\\{byte:03o}")));
            }
        }
    }
    out
}
