//! Variants of a kernel: one for every combination of the values that its specialisation parameters
//! may have.
//!
//! `#[kernel(threads = [64, 128], seq = [8, 16])]` declares four of them. What a [`Value`] is, how
//! a variant is called, and which one a [tuned file](Tuned) chooses is the same for the macro, the
//! build script and the running program, so all of them ask here.

mod choose;
mod error;
mod tuned;
mod value;

pub use choose::{Choice, Chosen, fitting, pick};
pub use error::TunedError;
pub use tuned::Tuned;
pub use value::Value;

/// The largest number of variants of one kernel: each is evaluated and checked while the crate
/// compiles.
pub const VARIANTS: usize = 1024;

/// The name of a kernel's variant, which is a name in CUDA too: `sums_threads64_seq8_wide_true`,
/// `sums_shift_minus4`.
pub fn name<S: AsRef<str>>(kernel: &str, values: &[(S, Value)]) -> String {
    values
        .iter()
        .fold(kernel.to_owned(), |mut text, (parameter, value)| {
            text.push('_');
            text.push_str(parameter.as_ref().trim_start_matches("r#"));
            text.push_str(&value.suffix());
            text
        })
}

/// The values of a variant as one writes them: `threads = 64, seq = 8`.
pub fn text<S: AsRef<str>>(values: &[(S, Value)]) -> String {
    let parts: Vec<String> = values
        .iter()
        .map(|(name, value)| format!("{} = {value}", name.as_ref()))
        .collect();
    parts.join(", ")
}

/// All combinations of values, the last parameter's values one after another; the first has the
/// first value of each.
pub fn combinations<S: Clone>(parameters: &[(S, Vec<Value>)]) -> Vec<Vec<(S, Value)>> {
    parameters
        .iter()
        .fold(vec![Vec::new()], |before, (name, values)| {
            let with = |head: &Vec<(S, Value)>, value: &Value| {
                head.iter()
                    .cloned()
                    .chain([(name.clone(), *value)])
                    .collect()
            };
            before
                .iter()
                .flat_map(|head| values.iter().map(move |value| with(head, value)))
                .collect()
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(list: &[i128]) -> Vec<Value> {
        list.iter().map(|n| Value::Integer(*n)).collect()
    }

    #[test]
    fn the_last_parameter_changes_first() {
        let all = combinations(&[
            ("a", numbers(&[1, 2])),
            ("b", numbers(&[7])),
            ("c", vec![Value::Boolean(true), Value::Boolean(false)]),
        ]);
        let texts: Vec<String> = all.iter().map(|values| text(values)).collect();
        assert_eq!(
            texts,
            [
                "a = 1, b = 7, c = true",
                "a = 1, b = 7, c = false",
                "a = 2, b = 7, c = true",
                "a = 2, b = 7, c = false"
            ]
        );
    }

    #[test]
    fn no_parameters_are_one_variant() {
        assert_eq!(combinations::<&str>(&[]), [Vec::new()]);
    }

    #[test]
    fn names_are_those_of_c() {
        let values = [
            ("threads", Value::Integer(64)),
            ("shift", Value::Integer(-4)),
            ("r#type", Value::Boolean(false)),
        ];
        assert_eq!(
            name("sums", &values),
            "sums_threads64_shift_minus4_type_false"
        );
        assert_eq!(name::<&str>("sums", &[]), "sums");
    }
}
