//! What must hold of the engine's answer to any input: no panic, no fault of ours, and errors
//! inside of the input.

use std::panic::{AssertUnwindSafe, catch_unwind};

use obsidian_expand::kernels;
use proc_macro2::{Span, TokenStream, TokenTree};

/// How the engine answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// No token stream, which no macro ever sees.
    NoTokens,
    /// Rust code without errors.
    Code,
    /// The messages.
    Errors(Vec<String>),
}

/// The errors of a module, which are printed too.
///
/// # Panics
/// Where the module is accepted.
#[must_use]
pub fn refusals(module: &str) -> Vec<String> {
    match judge(module) {
        Ok(Answer::Errors(list)) => {
            println!("{}\n", list.join("\n"));
            list
        }
        other => panic!("{module}: {other:?}"),
    }
}

/// Expands a module as the macro does.
///
/// # Errors
/// What must not be: in words.
pub fn judge(text: &str) -> Result<Answer, String> {
    // Each parse adds to a table of this thread's; what the last input has left there is not needed
    // again.
    proc_macro2::extra::invalidate_current_thread_spans();
    let Ok(input) = text.parse::<TokenStream>() else {
        return Ok(Answer::NoTokens);
    };
    let output = catch_unwind(AssertUnwindSafe(|| {
        kernels(TokenStream::new(), input.clone())
    }))
    .map_err(|_| "a panic".to_owned())?;
    let errors = errors(output.clone());
    if errors.is_empty() {
        return syn::parse2::<syn::File>(output)
            .map(|_| Answer::Code)
            .map_err(|e| format!("the output is not Rust: {e}"));
    }
    let Some(file) = input.into_iter().next().map(|token| token.span().file()) else {
        return Ok(Answer::Errors(
            errors.into_iter().map(|(message, _)| message).collect(),
        ));
    };
    for (message, span) in &errors {
        if message.contains("a bug in Obsidian") {
            return Err(message.clone());
        }
        if span.file() != file && !span_of_nothing(message) {
            return Err(format!(
                "an error outside of the input, in {}: {message}",
                span.file()
            ));
        }
    }
    Ok(Answer::Errors(
        errors.into_iter().map(|(message, _)| message).collect(),
    ))
}

/// Is this an error at something that is missing, for which the parser has no place but the whole?
fn span_of_nothing(message: &str) -> bool {
    message.contains("unexpected end of input")
}

/// The messages and places of all `compile_error!`s.
pub fn errors(output: TokenStream) -> Vec<(String, Span)> {
    let (mut found, mut open) = (Vec::new(), vec![output]);
    while let Some(stream) = open.pop() {
        // Where the error begins.
        let mut begin: Option<Span> = None;
        for token in stream {
            match (token, begin) {
                (TokenTree::Ident(ident), _) => {
                    begin = (ident == "compile_error").then(|| ident.span());
                }
                (TokenTree::Group(group), Some(span)) => {
                    if let Ok(text) = syn::parse2::<syn::LitStr>(group.stream()) {
                        found.push((text.value(), span));
                    }
                    begin = None;
                }
                (TokenTree::Group(group), None) => open.push(group.stream()),
                _ => {}
            }
        }
    }
    found
}
