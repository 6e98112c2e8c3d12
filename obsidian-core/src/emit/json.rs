//! Just enough JSON to write a manifest.

/// A JSON value; the fields of an object keep their order.
pub(super) enum Json {
    Text(String),
    Number(u64),
    List(Vec<Json>),
    Object(Vec<(&'static str, Json)>),
}

impl Json {
    pub(super) fn text(text: impl Into<String>) -> Json {
        Json::Text(text.into())
    }

    pub(super) fn number(number: impl Into<u64>) -> Json {
        Json::Number(number.into())
    }

    pub(super) fn list(entries: impl IntoIterator<Item = Json>) -> Json {
        Json::List(entries.into_iter().collect())
    }

    /// The value with one entry a line in the outer two levels.
    pub(super) fn print(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, 0);
        out.push('\n');
        out
    }

    fn write(&self, out: &mut String, depth: usize) {
        match self {
            Json::Text(text) => quote(out, text),
            Json::Number(number) => out.push_str(&number.to_string()),
            Json::List(entries) => group(out, depth, ['[', ']'], entries, |out, entry| {
                entry.write(out, depth + 1)
            }),
            Json::Object(fields) => group(out, depth, ['{', '}'], fields, |out, (name, value)| {
                quote(out, name);
                out.push_str(": ");
                value.write(out, depth + 1);
            }),
        }
    }
}

fn group<T>(
    out: &mut String,
    depth: usize,
    [open, close]: [char; 2],
    entries: &[T],
    mut write: impl FnMut(&mut String, &T),
) {
    let broken = depth < 2 && !entries.is_empty();
    out.push(open);
    for (n, entry) in entries.iter().enumerate() {
        match (n, broken) {
            (0, false) => {}
            (_, false) => out.push_str(", "),
            (0, true) => line(out, depth + 1),
            (_, true) => {
                out.push(',');
                line(out, depth + 1);
            }
        }
        write(out, entry);
    }
    if broken {
        line(out, depth);
    }
    out.push(close);
}

fn line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}

fn quote(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
}
