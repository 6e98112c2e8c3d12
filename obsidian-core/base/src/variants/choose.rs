//! Which variant is for a device and a size.

use super::{TunedError, Value, text};

/// One line of a tuned file: the variant for a device, from a size on.
///
/// ```
/// use obsidian_rt::{Choice, Tuned, Value};
///
/// let mut tuned = Tuned::new();
/// tuned.choose("sums", "5f0e3c1a9b7d2e44", Some("cpu"), 1000, &[("threads", Value::Integer(64))])?;
/// let choice: &Choice = &tuned.choices("sums")?[0];
/// assert_eq!((choice.device.as_deref(), choice.from), (Some("cpu"), 1000));
/// # Ok::<(), obsidian_rt::TunedError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The name of the device, as it calls itself; none for every device that has no line of its
    /// own.
    pub device: Option<String>,
    /// The least size, in elements of the longest array that a launch is given.
    pub from: u64,
    /// The value of each parameter, threads first.
    pub values: Vec<(String, Value)>,
    /// What the file says of it in comments right above, a line each; for people.
    pub notes: Vec<String>,
    /// The line in the file that was read, from 1; 0 for a choice that was not read.
    pub line: usize,
}

/// A choice whose variant is known: the device or none for any, the least size in elements, and the
/// number of the variant.
pub type Chosen<S> = (Option<S>, u64, usize);

/// The choices with the numbers of their variants among those that the kernel declares.
///
/// # Errors
/// The first choice whose values are those of no declared variant.
pub fn fitting<S: AsRef<str>>(
    choices: &[Choice],
    declared: &[Vec<(S, Value)>],
) -> Result<Vec<Chosen<String>>, TunedError> {
    let one = |choice: &Choice| match declared
        .iter()
        .position(|values| same(values, &choice.values))
    {
        Some(variant) => Ok((choice.device.clone(), choice.from, variant)),
        None => {
            let first = declared
                .first()
                .map(|values| format!("; `{}` is one", text(values)))
                .unwrap_or_default();
            let message = format!(
                "the kernel declares no variant `{}`{first}: tune it again, or declare these values",
                text(&choice.values)
            );
            Err(TunedError::at(choice.line, message))
        }
    };
    choices.iter().map(one).collect()
}

/// The same values for the same parameters; their order in a file does not count.
fn same<S: AsRef<str>>(declared: &[(S, Value)], chosen: &[(String, Value)]) -> bool {
    let has =
        |(name, value): &(S, Value)| chosen.iter().any(|(n, v)| n == name.as_ref() && v == value);
    declared.len() == chosen.len() && declared.iter().all(has)
}

/// The number of the variant for a device and a number of elements; none if nothing was chosen for
/// it.
///
/// Of the lines for this device, or if it has none of those for any, it is the one with the largest
/// size that is not above `size`.
pub fn pick<S: AsRef<str>>(chosen: &[Chosen<S>], device: Option<&str>, size: u64) -> Option<usize> {
    let is_for =
        |choice: &Chosen<S>, wanted: Option<&str>| choice.0.as_ref().map(AsRef::as_ref) == wanted;
    let wanted = device.filter(|_| chosen.iter().any(|choice| is_for(choice, device)));
    let fits = chosen
        .iter()
        .filter(|choice| is_for(choice, wanted) && choice.1 <= size);
    fits.max_by_key(|choice| choice.1).map(|choice| choice.2)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHOSEN: &[Chosen<&str>] = &[
        (None, 0, 1),
        (None, 1000, 2),
        (Some("gpu"), 100, 3),
        (Some("gpu"), 10_000, 4),
        (Some("other"), 0, 5),
    ];

    #[test]
    fn the_largest_size_not_above_decides() {
        let sizes = [0, 99, 100, 101, 9_999, 10_000, u64::MAX];
        assert_eq!(
            sizes.map(|n| pick(CHOSEN, Some("gpu"), n)),
            [None, None, Some(3), Some(3), Some(3), Some(4), Some(4)]
        );
    }

    #[test]
    fn a_device_without_lines_has_those_of_any() {
        assert_eq!(
            [0, 999, 1000].map(|n| pick(CHOSEN, Some("cpu"), n)),
            [Some(1), Some(1), Some(2)]
        );
        assert_eq!(pick(CHOSEN, None, u64::MAX), Some(2));
        assert_eq!(pick::<&str>(&[(Some("gpu"), 0, 0)], Some("cpu"), 7), None);
        assert_eq!(pick::<&str>(&[], None, 7), None);
    }

    #[test]
    fn values_fit_in_any_order_and_nothing_else_does() {
        let choice = |values: &[(&str, u32)]| Choice {
            device: None,
            from: 0,
            values: values
                .iter()
                .map(|(name, n)| (name.to_string(), Value::from(*n)))
                .collect(),
            notes: Vec::new(),
            line: 9,
        };
        let declared =
            [8u32, 16].map(|n| vec![("threads", Value::from(64u32)), ("seq", Value::from(n))]);
        let number = |values: &[(&str, u32)]| {
            fitting(&[choice(values)], &declared).map(|chosen| chosen[0].2)
        };
        assert_eq!(number(&[("threads", 64), ("seq", 16)]), Ok(1));
        assert_eq!(number(&[("seq", 8), ("threads", 64)]), Ok(0));
        let wrong: [&[(&str, u32)]; 4] = [
            &[("threads", 64)],
            &[("threads", 64), ("seq", 9)],
            &[("threads", 64), ("seq", 8), ("x", 1)],
            &[("seq", 8), ("seq", 8)],
        ];
        for values in wrong {
            let error = number(values).unwrap_err();
            assert_eq!(error.line(), Some(9), "{error}");
            assert!(
                error.to_string().contains("`threads = 64, seq = 8` is one"),
                "{error}"
            );
        }
    }
}
