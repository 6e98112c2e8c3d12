//! Reading a tuned file, line by line.

use super::super::{Choice, TunedError, Value};
use super::{END, Entry, HEADER, Tuned};

/// Reads a whole text.
pub(super) fn parse(text: &str) -> Result<Tuned, TunedError> {
    let mut lines = text
        .lines()
        .enumerate()
        .map(|(n, line)| (n + 1, line.trim()));
    let mut said = lines
        .by_ref()
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    header(said.next())?;
    let mut tuned = Tuned::new();
    let (mut open, mut ended): (Option<(String, Entry)>, bool) = (None, false);
    let mut notes = Vec::new();
    for (number, line) in lines {
        let at = |message: String| TunedError::at(number, message);
        if let Some(note) = line.strip_prefix('#') {
            notes.push(note.trim().to_owned());
            continue;
        }
        let notes = std::mem::take(&mut notes);
        if line.is_empty() {
            continue;
        }
        if ended {
            return Err(at(format!("nothing comes after the line `{END}`")));
        }
        if line == END {
            ended = true;
        } else if let Some(rest) = line.strip_prefix("kernel ") {
            close(&mut tuned, open.take());
            let (name, source) = kernel(rest).map_err(at)?;
            if let Some(first) = tuned.kernels.get(&name) {
                return Err(at(format!(
                    "the kernel `{name}` is on line {} already",
                    first.line
                )));
            }
            open = Some((
                name,
                Entry {
                    source,
                    choices: Vec::new(),
                    line: number,
                },
            ));
        } else {
            let choice = Choice {
                notes,
                line: number,
                ..choice(line).map_err(at)?
            };
            let Some((_, entry)) = &mut open else {
                return Err(at("a line of choices has to stand below one such as `kernel sums 5f0e3c1a9b7d2e44`".to_owned()));
            };
            if let Some(first) = entry
                .choices
                .iter()
                .find(|other| (&other.device, other.from) == (&choice.device, choice.from))
            {
                return Err(at(format!(
                    "this device and size are on line {} already",
                    first.line
                )));
            }
            entry.choices.push(choice);
        }
    }
    close(&mut tuned, open);
    if ended {
        Ok(tuned)
    } else {
        Err(TunedError::new(format!(
            "the file was cut off: its last line has to be `{END}`"
        )))
    }
}

fn close(tuned: &mut Tuned, open: Option<(String, Entry)>) {
    if let Some((name, mut entry)) = open {
        entry.sort();
        tuned.kernels.insert(name, entry);
    }
}

fn header(first: Option<(usize, &str)>) -> Result<(), TunedError> {
    match first {
        Some((_, line)) if line == HEADER => Ok(()),
        Some((n, line)) if line.starts_with("obsidian-tuned ") => Err(TunedError::at(
            n,
            format!(
                "this version reads files that begin with `{HEADER}`, and this one begins with `{line}`: tune again"
            ),
        )),
        Some((n, _)) => Err(TunedError::at(
            n,
            format!("this is no tuned file: the first line has to be `{HEADER}`"),
        )),
        None => Err(TunedError::new(format!(
            "the file is empty: the first line has to be `{HEADER}`"
        ))),
    }
}

/// Name and hash, after the word `kernel`.
fn kernel(rest: &str) -> Result<(String, String), String> {
    match rest.split_whitespace().collect::<Vec<_>>()[..] {
        [name, source] if is_name(name) && is_hash(source) => Ok((name.to_owned(), source.to_owned())),
        [name, source] if is_name(name) => Err(format!("`{source}` is no hash of tokens: it has 16 hexadecimal digits")),
        _ => Err("after `kernel` come its name and the hash of its tokens, such as `kernel sums 5f0e3c1a9b7d2e44`".to_owned()),
    }
}

/// A line such as `"NVIDIA H200" from 1024: threads = 64, seq = 8`, but for its number.
fn choice(line: &str) -> Result<Choice, String> {
    const SHAPE: &str = "a line is such as `any from 0: threads = 64`, with the name of a device in quotes in place of `any`";
    let (device, rest) = if let Some(rest) = line.strip_prefix("any ") {
        (None, rest)
    } else {
        let (name, rest) = quoted(line).ok_or(SHAPE)?;
        (Some(name), rest)
    };
    let (from, values) = rest
        .trim_start()
        .strip_prefix("from ")
        .and_then(|rest| rest.split_once(':'))
        .ok_or(SHAPE)?;
    let from = from.trim();
    let is_number = from.bytes().all(|b| b.is_ascii_digit());
    let size = from
        .parse()
        .ok()
        .filter(|_| is_number)
        .ok_or_else(|| format!("`{from}` is no number of elements"))?;
    Ok(Choice {
        device,
        from: size,
        values: self::values(values)?,
        notes: Vec::new(),
        line: 0,
    })
}

/// The name in quotes that a text begins with, and the rest.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut name = String::new();
    let mut rest = text.strip_prefix('"')?.chars();
    loop {
        match rest.next()? {
            '"' => return Some((name, rest.as_str())),
            '\\' => name.push(rest.next()?),
            c => name.push(c),
        }
    }
}

fn values(list: &str) -> Result<Vec<(String, Value)>, String> {
    let mut values: Vec<(String, Value)> = Vec::new();
    for part in list.split(',') {
        let pair = part
            .split_once('=')
            .map(|(name, value)| (name.trim(), Value::read(value.trim())));
        let (name, value) = match pair {
            Some((name, Some(value))) if is_name(name) => (name, value),
            _ => {
                return Err(format!(
                    "`{}` is no value of a parameter, such as `threads = 64` or `wide = true`",
                    part.trim()
                ));
            }
        };
        if values.iter().any(|(other, _)| other == name) {
            return Err(format!("`{name}` has two values"));
        }
        values.push((name.to_owned(), value));
    }
    Ok(values)
}

/// Is this a name of a function or parameter?
pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Is this the hash of tokens?
pub(super) fn is_hash(text: &str) -> bool {
    text.len() == 16
        && text
            .bytes()
            .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}
