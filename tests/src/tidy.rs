//! CUDA text without what a reader would take out: terms that cancel, loops of one round, and
//! questions that stand under their own answer.

/// What is untidy in a text; none if nothing is.
pub fn untidy(text: &str) -> Option<String> {
    let mut open: Vec<Option<&str>> = Vec::new();
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    for (n, line) in lines.iter().copied().enumerate() {
        if let Some(number) = cancels(line) {
            return Some(format!("{number} is subtracted and added: {line}"));
        }
        if goes_round_once(line) && !is_left(&lines[n + 1..]) {
            return Some(format!("a loop of one round: {line}"));
        }
        let condition = condition(line);
        let known = open.iter().flatten().copied();
        if let Some(known) = known.into_iter().find(|known| {
            // An element may have changed since.
            !known.contains('[') && condition == Some(*known)
                || line.contains(&format!("{known} ? ")) && is_name(known)
        }) {
            return Some(format!("`{known}` is known: {line}"));
        }
        if line.starts_with('}') {
            open.pop();
        }
        if line.ends_with('{') {
            open.push(condition);
        }
    }
    None
}

/// What an `if` or `else if` asks; a part of it if it asks several things at once.
fn condition(line: &str) -> Option<&str> {
    line.strip_prefix("if (")?.strip_suffix(") {")
}

fn is_name(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// A number that is taken off a sum and put back at once: `- 3 + 3`, `+ 3 - 3`.
fn cancels(line: &str) -> Option<&str> {
    let words: Vec<&str> = line.split(' ').collect();
    words.windows(4).find_map(|words| match words {
        ["-", x, "+", y] | ["+", x, "-", y] => {
            let y = y.trim_end_matches(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            let is_number = x.chars().all(|c| c.is_ascii_digit());
            (*x == y && is_number).then_some(*x)
        }
        _ => None,
    })
}

/// A loop from a number to the next one, by any step.
fn goes_round_once(line: &str) -> bool {
    let once = || {
        let (_, head) = line.strip_prefix("for (unsigned int ")?.split_once(" = ")?;
        let (start, rest) = head.split_once("; ")?;
        let (_, end) = rest.split_once("; ")?.0.split_once(" < ")?;
        let (start, end) = (start.parse::<u32>().ok()?, end.parse::<u32>().ok()?);
        let (_, step) = rest.split_once("; ")?;
        let step: u32 = match step.split_once(" += ") {
            Some((_, step)) => step.strip_suffix(") {")?.parse().ok()?,
            None => 1,
        };
        Some(start < end && u64::from(start) + u64::from(step) >= u64::from(end))
    };
    once().unwrap_or(false)
}

/// Is a loop with this body left by a `break`? Then one round is what it is for: an early `return` of a device function.
fn is_left(body: &[&str]) -> bool {
    let mut open: Vec<bool> = Vec::new();
    for line in body {
        if line.starts_with('}') && open.pop().is_none() {
            break;
        }
        let is_loop = ["for (", "while (", "do {"]
            .iter()
            .any(|head| line.starts_with(head));
        if line.ends_with('{') {
            open.push(is_loop);
        } else if *line == "break;" && !open.contains(&true) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::untidy;

    #[test]
    fn what_is_untidy_is_found() {
        for text in [
            "a[i - 3 + 3] = 1;",
            "a[x + (i + 3 - 3)] = 1;",
            "for (unsigned int i = 0; i < 1; i++) {\n}",
            "for (unsigned int w = 2; w < 4; w += 4) {\n}",
            "for (unsigned int i = 0; i < 1; i++) {\nfor (;;) {\nbreak;\n}\n}",
            "for (unsigned int i = 0; i < 1; i++) {\n}\nbreak;",
            "if (t_3) {\nx = t_3 ? 1 : 2;\n}",
            "if (i < n) {\nfor (;;) {\nif (i < n) {\n}\n}\n}",
        ] {
            assert!(untidy(text).is_some(), "{text}");
        }
        for text in [
            "a[i - 3 + 4] = 1;",
            "for (unsigned int i = 0; i < 2; i++) {\n}",
            "for (unsigned int i = 0; i < 1; i++) {\nif (n) {\nx = 1;\nbreak;\n} else {\n}\n}",
            "if (t_3) {\nx = t_31 ? 1 : 2;\n}",
            "if (t_3) {\n} else {\nx = t_3 ? 1 : 2;\n}",
            "if (i < n) {\n}\nif (i < n) {\n}",
        ] {
            assert_eq!(untidy(text), None, "{text}");
        }
    }
}
