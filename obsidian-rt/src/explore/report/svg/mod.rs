//! Pictures of results as SVG. Each stands alone: it brings its style, for light and dark.

mod curves;
mod heat;
mod scale;

pub use curves::curves;
pub(super) use curves::draw as draw_curves;
pub(super) use heat::draw as draw_heat_map;
pub use heat::heat_map;

/// The style of pictures and pages: colours as variables, which are others where the reader's
/// system is dark.
pub(super) const STYLE: &str = include_str!("style.css");

/// The width of a letter, in pixels, at the size of the style; wide enough for most.
const LETTER: f64 = 7.6;
/// The height of a line.
const LINE: f64 = 18.0;

/// Text between tags and in attributes.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(letter),
            // Others that XML has no way to write.
            _ if letter.is_control() => out.push('\u{FFFD}'),
            _ => out.push(letter),
        }
    }
    out
}

/// A picture that is being drawn, in pixels from the upper left corner.
struct Picture {
    width: f64,
    height: f64,
    body: String,
}

/// On which side of its place a text lies.
#[derive(Clone, Copy)]
enum Anchor {
    Start,
    Middle,
    End,
}

impl Picture {
    fn new(width: f64, height: f64) -> Picture {
        Picture {
            width,
            height,
            body: String::new(),
        }
    }

    fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, text: &str) {
        self.classed_text((x, y), anchor, "", text);
    }

    fn classed_text(&mut self, (x, y): (f64, f64), anchor: Anchor, class: &str, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let class = if class.is_empty() {
            String::new()
        } else {
            format!(" class=\"{class}\"")
        };
        self.body += &format!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\"{class}>{}</text>\n",
            escaped(text)
        );
    }

    /// A text that is read from below.
    fn upright(&mut self, (x, y): (f64, f64), text: &str) {
        let turned = format!("transform=\"rotate(-90 {x:.1} {y:.1})\"");
        self.body += &format!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" {turned}>{}</text>\n",
            escaped(text)
        );
    }

    fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), class: &str) {
        self.body += &format!(
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" class=\"{class}\"/>\n"
        );
    }

    /// The picture as an element for a page that has the style.
    fn element(&self, title: &str) -> String {
        let Picture {
            width,
            height,
            body,
        } = self;
        let size = format!(
            "width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\""
        );
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" {size} role=\"img\">\n<title>{}</title>\n{body}</svg>\n",
            escaped(title)
        )
    }
}

/// An element as a file.
fn alone(element: &str) -> String {
    let style = format!(
        "<style>\n{STYLE}</style>\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n"
    );
    match element.split_once(">\n") {
        Some((opening, rest)) => format!("{opening}>\n{style}{rest}"),
        None => String::new(),
    }
}

/// A text that fits into `pixels`; its end is left out where it is too long.
fn fitted(text: &str, pixels: f64) -> String {
    let letters = (pixels / LETTER) as usize;
    if text.chars().count() <= letters {
        return text.to_owned();
    }
    text.chars()
        .take(letters.saturating_sub(1))
        .chain(['…'])
        .collect()
}

/// The pixels that a text takes.
fn length(text: &str) -> f64 {
    text.chars().count() as f64 * LETTER
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_cannot_be_tags() {
        assert_eq!(
            escaped("<a href=\"x\">'&'</a>"),
            "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;"
        );
        assert_eq!(escaped("a\nb\u{1}"), "a\nb\u{FFFD}");
    }

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(fitted("Kogge-Stone", 100.0), "Kogge-Stone");
        assert_eq!(fitted("Kogge-Stone Push", 50.0), "Kogge…");
    }
}
