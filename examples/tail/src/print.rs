//! Values as the language's reference implementation prints them.
//!
//! | value | text |
//! |---|---|
//! | scalar | `[](5)` |
//! | vector of numbers | `[3](1,2,3)` |
//! | vector of characters | the characters |
//! | matrix | an empty line, a line per row, an empty line; each element after a blank, right-aligned to the widest one |
//! | matrix of characters | the same with no blanks between the elements of a row |
//! | matrix with no elements | `[0,3]()` |
//! | rank 3 and above | `[2,1,2](1,2,3,4)`; of characters, with no commas between the elements |

use crate::syntax::Constant;
use crate::value::{Array, Elements};

/// Significant digits of a double.
const DIGITS: usize = 12;

/// The text of an array, with no line end behind it.
pub fn printed(array: &Array) -> String {
    let texts = texts(&array.elements);
    let is_text = matches!(array.elements, Elements::Char(_));
    match array.shape.as_slice() {
        [_] if is_text => texts.concat(),
        [_, columns] if !texts.is_empty() => {
            matrix(&texts, *columns, if is_text { "" } else { " " })
        }
        shape => {
            let shape: Vec<String> = shape.iter().map(usize::to_string).collect();
            let elements = texts.join(if is_text { "" } else { "," });
            format!("[{}]({elements})", shape.join(","))
        }
    }
}

/// The text of one element, as the operators `formatI`, `formatD` and `formatX` give it.
pub fn element(value: Constant) -> String {
    match value {
        Constant::Int(n) => n.to_string(),
        Constant::Double(x) => double(x),
        Constant::Bool(b) => u8::from(b).to_string(),
        Constant::Char(c) => character(c),
        Constant::Complex(x, y) => format!("{}j{}", double(x), double(y)),
    }
}

fn texts(elements: &Elements) -> Vec<String> {
    let values = (0..elements.len()).filter_map(|at| elements.get(at));
    values.map(element).collect()
}

fn matrix(texts: &[String], columns: usize, between: &str) -> String {
    let width = texts
        .iter()
        .map(|text| text.chars().count())
        .max()
        .unwrap_or(0);
    let mut lines = String::from("\n");
    for row in texts.chunks(columns.max(1)) {
        let row: Vec<String> = row.iter().map(|text| format!("{text:>width$}")).collect();
        lines += &format!(" {}\n", row.join(between));
    }
    lines
}

/// `1.0`, `-0.111111111111`, `1.5E~10`, `1E20.0`: as C's `%.12g`, with an exponent as SML writes it, and `.0` behind all with no point.
fn double(x: f64) -> String {
    if x.is_nan() {
        return "nan".to_owned();
    }
    let sign = if x < 0.0 { "-" } else { "" };
    if x.is_infinite() {
        return format!("{sign}HUGE_VAL");
    }
    let text = positive(x.abs());
    let point = if text.contains('.') { "" } else { ".0" };
    format!("{sign}{text}{point}")
}

/// A number that is not negative, with no zeros at the end of its fraction.
fn positive(x: f64) -> String {
    // `d.ddddddddddde-dd`: rounding to the digits decides the exponent (9.99..9 becomes 10), so it comes first.
    let scientific = format!("{x:.*e}", DIGITS - 1);
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let last = i32::try_from(DIGITS).unwrap_or(i32::MAX) - 1;
    if (-4..=last).contains(&exponent) {
        let decimals = usize::try_from(last - exponent).unwrap_or(0);
        return trimmed(&format!("{x:.decimals$}")).to_owned();
    }
    let sign = if exponent < 0 { "~" } else { "" };
    format!("{}E{sign}{}", trimmed(digits), exponent.unsigned_abs())
}

fn trimmed(digits: &str) -> &str {
    match digits.contains('.') {
        true => digits.trim_end_matches('0').trim_end_matches('.'),
        false => digits,
    }
}

/// SML's escape of a character, or the hexadecimal digits of its code above 127.
fn character(c: char) -> String {
    match c {
        '\u{7}' => "\\a".to_owned(),
        '\u{8}' => "\\b".to_owned(),
        '\t' => "\\t".to_owned(),
        '\n' => "\\n".to_owned(),
        '\u{b}' => "\\v".to_owned(),
        '\u{c}' => "\\f".to_owned(),
        '\r' => "\\r".to_owned(),
        '"' | '\\' => format!("\\{c}"),
        '\u{0}'..'\u{20}' => {
            char::from_u32(u32::from(c) + 64).map_or(String::new(), |c| format!("\\^{c}"))
        }
        '\u{7f}' => "\\127".to_owned(),
        '\u{20}'..'\u{7f}' => c.to_string(),
        _ => format!("{:X}", u32::from(c)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(shape: &[usize], elements: Elements) -> String {
        printed(&Array::new(shape.to_vec(), elements).unwrap())
    }

    fn doubles(values: &[f64]) -> String {
        array(&[values.len()], Elements::Double(values.to_vec()))
    }

    fn characters(shape: &[usize], text: &str) -> String {
        array(shape, Elements::Char(text.chars().collect()))
    }

    #[test]
    fn scalars_have_an_empty_shape() {
        assert_eq!(array(&[], Elements::Int(vec![5])), "[](5)");
        assert_eq!(array(&[], Elements::Int(vec![-7])), "[](-7)");
        assert_eq!(array(&[], Elements::Double(vec![615.0])), "[](615.0)");
        assert_eq!(array(&[], Elements::Bool(vec![true])), "[](1)");
        assert_eq!(characters(&[], "x"), "[](x)");
    }

    #[test]
    fn vectors_have_their_length_and_commas() {
        assert_eq!(array(&[3], Elements::Int(vec![1, 2, 3])), "[3](1,2,3)");
        assert_eq!(array(&[0], Elements::Int(vec![])), "[0]()");
        assert_eq!(array(&[2], Elements::Bool(vec![false, true])), "[2](0,1)");
    }

    #[test]
    fn rank_three_is_flat() {
        let elements = Elements::Int(vec![1, 2, 3, 4]);
        assert_eq!(array(&[2, 1, 2], elements), "[2,1,2](1,2,3,4)");
        assert_eq!(characters(&[1, 2, 2], "abcd"), "[1,2,2](abcd)");
    }

    #[test]
    fn matrices_are_right_aligned() {
        let elements = Elements::Int(vec![1, -20, 300, 4]);
        assert_eq!(array(&[2, 2], elements), "\n   1 -20\n 300   4\n");
        let elements = Elements::Complex(vec![(2.0, 1.0), (3.0, 0.0), (3.0, -2.0), (23.0, 0.0)]);
        let text = "\n  2.0j1.0  3.0j0.0\n 3.0j-2.0 23.0j0.0\n";
        assert_eq!(array(&[2, 2], elements), text);
    }

    #[test]
    fn matrices_with_no_elements_are_flat() {
        assert_eq!(array(&[0, 3], Elements::Int(vec![])), "[0,3]()");
        assert_eq!(array(&[3, 0], Elements::Char(vec![])), "[3,0]()");
    }

    #[test]
    fn character_vectors_are_text() {
        assert_eq!(characters(&[5], "a b c"), "a b c");
        assert_eq!(characters(&[0], ""), "");
    }

    #[test]
    fn rows_of_characters_have_no_separators() {
        assert_eq!(characters(&[2, 3], "ab cde"), "\n ab \n cde\n");
    }

    #[test]
    fn characters_have_the_escapes_of_sml() {
        assert_eq!(characters(&[5], "a\n\t\"\\"), "a\\n\\t\\\"\\\\");
        assert_eq!(characters(&[3], "\u{0}\u{1f}\u{7f}"), "\\^@\\^_\\127");
        assert_eq!(characters(&[2], "×'"), "D7'");
    }

    #[test]
    fn doubles_have_twelve_digits() {
        assert_eq!(doubles(&[1.0, -2.5, 0.0]), "[3](1.0,-2.5,0.0)");
        assert_eq!(
            doubles(&[-1.0 / 9.0, 19.0 / 9.0]),
            "[2](-0.111111111111,2.11111111111)"
        );
        assert_eq!(
            doubles(&[20.085536923187668, 180_800.0]),
            "[2](20.0855369232,180800.0)"
        );
        assert_eq!(doubles(&[999_999_999_999.0]), "[1](999999999999.0)");
        assert_eq!(doubles(&[0.0001]), "[1](0.0001)");
    }

    #[test]
    fn large_and_small_doubles_have_an_exponent() {
        assert_eq!(
            doubles(&[1.5e-10, 1e20, -1e-5]),
            "[3](1.5E~10,1E20.0,-1E~5.0)"
        );
        assert_eq!(doubles(&[999_999_999_999.9]), "[1](1E12.0)");
        assert_eq!(
            doubles(&[f64::INFINITY, f64::NEG_INFINITY]),
            "[2](HUGE_VAL,-HUGE_VAL)"
        );
        assert_eq!(doubles(&[f64::NAN, -0.0]), "[2](nan,0.0)");
    }

    #[test]
    fn a_formatted_element_is_its_text_alone() {
        assert_eq!(element(Constant::Int(-55)), "-55");
        assert_eq!(element(Constant::Double(34.32)), "34.32");
        assert_eq!(element(Constant::Complex(2.0, 3.2)), "2.0j3.2");
    }
}
