//! Effects: printing, texts of numbers, files and the clock.

use super::{Call, Primitive, roll};
use crate::lower::Lowered;
use crate::lower::array::Array;
use crate::lower::value::Value;
use crate::print::element;
use crate::value::{Array as HostArray, Elements};

/// Does an operator do more than giving a value, or need the host?
pub fn has_effect(name: &str) -> bool {
    let names = ["pr", "format", "read"];
    names.iter().any(|prefix| name.starts_with(prefix)) || name == "nowi" || name == "idxassign"
}

pub fn find(name: &str) -> Option<Primitive> {
    Some(match name {
        "roll" => roll::roll,
        "nowi" => now,
        "readFile" => |call| read(call, |text| Ok(Elements::Char(text.chars().collect()))),
        "readIntVecFile" => |call| read(call, |text| numbers(text).map(Elements::Int)),
        "readDoubleVecFile" => |call| read(call, |text| numbers(text).map(Elements::Double)),
        "formatI" | "formatD" | "formatX" => format,
        "prArrI" | "prArrD" | "prArrB" | "prArrC" | "prArrX" => print,
        "prSclI" | "prSclD" | "prSclB" | "prSclC" | "prSclX" => print,
        _ => return None,
    })
}

/// Milliseconds since the program began.
fn now(call: &Call) -> Lowered<Value> {
    match call.lowering.host_int(&call.array(0)?, call.span)? {
        0 => call.lowering.now(call.span).map(Value::Array),
        n => Err(call.wrong(format!("`nowi` of {n}, which is not 0"))),
    }
}

fn print(call: &Call) -> Lowered<Value> {
    let mut array = call.array(0)?;
    if let Some(base) = of_letter(&call.operator.name) {
        array.base = base;
    }
    call.lowering.print(&array, call.span)?;
    Ok(array.into())
}

/// The base type that the letter at the end of a name stands for: that of an array without elements may be open.
fn of_letter(name: &str) -> Option<crate::syntax::Base> {
    use crate::syntax::Base;
    let letters = [
        ('I', Base::Int),
        ('D', Base::Double),
        ('B', Base::Bool),
        ('C', Base::Char),
        ('X', Base::Complex),
    ];
    let found = letters.iter().find(|(letter, _)| name.ends_with(*letter));
    found.map(|(_, base)| *base)
}

fn format(call: &Call) -> Lowered<Value> {
    let array = call.array(0)?;
    match call.lowering.host(&array, call.span)?.value() {
        Some(value) => {
            let text = element(value).chars().collect();
            Ok(Array::of_host(&HostArray::vector(Elements::Char(text))).into())
        }
        None => Err(call.wrong("the text of what is no scalar")),
    }
}

fn read(call: &Call, of: impl Fn(&str) -> Result<Elements, String>) -> Lowered<Value> {
    let name = call.array(0)?;
    let name = match call.lowering.host(&name, call.span)?.elements {
        Elements::Char(name) => name.into_iter().collect::<String>(),
        _ => return Err(call.wrong("the name of a file is a vector of characters")),
    };
    let content = call.lowering.reader.read(&name);
    let elements = content.and_then(|content| of(&content));
    match elements {
        Ok(elements) => Ok(Array::of_host(&HostArray::vector(elements)).into()),
        Err(message) => Err(call.wrong(message)),
    }
}

/// Numbers with blanks, line ends or commas between them; `~` is a minus, too.
pub fn numbers<T: std::str::FromStr>(content: &str) -> Result<Vec<T>, String> {
    let words = content.split(|c: char| c.is_whitespace() || c == ',');
    let words = words.filter(|word| !word.is_empty());
    let number = |word: &str| {
        let wrong = |_| format!("`{word}` in a file is no number");
        word.replace('~', "-").parse().map_err(wrong)
    };
    words.map(number).collect()
}
