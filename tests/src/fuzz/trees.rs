//! Tokens as trees of texts, which can be taken apart and put together.

use std::fmt::Write;

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// A token, or a bracket with what is in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Tree {
    /// A name, a literal or a whole operator such as `->`.
    Leaf(String),
    /// An opening bracket (empty for an invisible one), and the trees inside.
    Group(&'static str, Vec<Tree>),
}

/// The trees of a token stream.
pub fn trees(tokens: TokenStream) -> Vec<Tree> {
    let (mut list, mut operator) = (Vec::new(), String::new());
    for token in tokens {
        match token {
            TokenTree::Punct(punct) => {
                operator.push(punct.as_char());
                // The quote of a lifetime goes with the name behind it.
                if punct.spacing() == Spacing::Alone {
                    list.push(Tree::Leaf(std::mem::take(&mut operator)));
                }
            }
            TokenTree::Group(group) => {
                let open = match group.delimiter() {
                    Delimiter::Parenthesis => "(",
                    Delimiter::Brace => "{",
                    Delimiter::Bracket => "[",
                    Delimiter::None => "",
                };
                list.push(Tree::Group(open, trees(group.stream())));
            }
            other => list.push(Tree::Leaf(
                std::mem::take(&mut operator) + &other.to_string(),
            )),
        }
    }
    if !operator.is_empty() {
        list.push(Tree::Leaf(operator));
    }
    list
}

/// The text of trees.
pub fn text(list: &[Tree]) -> String {
    let mut out = String::new();
    write_all(list, &mut out);
    out
}

fn write_all(list: &[Tree], out: &mut String) {
    for tree in list {
        match tree {
            Tree::Leaf(leaf) => write!(out, "{leaf} ").expect("a string can be written"),
            Tree::Group(open, inner) => {
                out.push_str(open);
                write_all(inner, out);
                out.push_str(match *open {
                    "(" => ") ",
                    "{" => "}\n",
                    "[" => "] ",
                    _ => " ",
                });
            }
        }
    }
}

/// The number of trees, inner ones among them.
pub fn count(list: &[Tree]) -> usize {
    list.iter()
        .map(|tree| {
            if let Tree::Group(_, inner) = tree {
                1 + count(inner)
            } else {
                1
            }
        })
        .sum()
}

/// The list that the n-th tree is in, from the outside and the left, and its place there.
pub fn find(list: &mut Vec<Tree>, mut n: usize) -> Option<(&mut Vec<Tree>, usize)> {
    let (mut at, mut inside) = (0, None);
    for (i, tree) in list.iter().enumerate() {
        if n == 0 {
            at = i;
            break;
        }
        let size = if let Tree::Group(_, inner) = tree {
            1 + count(inner)
        } else {
            1
        };
        if n < size {
            (at, inside) = (i, Some(n - 1));
            break;
        }
        n -= size;
        at = i + 1;
    }
    match inside {
        None if at < list.len() => Some((list, at)),
        None => None,
        Some(n) => match &mut list[at] {
            Tree::Group(_, inner) => find(inner, n),
            Tree::Leaf(_) => None,
        },
    }
}

/// All leaves.
pub fn leaves<'a>(list: &'a [Tree], into: &mut Vec<&'a str>) {
    for tree in list {
        match tree {
            Tree::Leaf(leaf) => into.push(leaf),
            Tree::Group(_, inner) => leaves(inner, into),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_comes_back() {
        let tokens = |text: &str| text.parse::<TokenStream>().unwrap();
        let first = trees(tokens(
            "fn f<'a>(x: u32) -> Vec<Vec<u32>> { x..=1 && -y [0] }",
        ));
        assert_eq!(trees(tokens(&text(&first))), first);
        assert!(first.contains(&Tree::Leaf("->".into())), "{first:?}");
    }

    #[test]
    fn every_tree_is_found() {
        let mut list = trees("a (b [c] d) e".parse().unwrap());
        let names: Vec<String> = (0..count(&list))
            .map(|n| {
                let (inside, at) = find(&mut list, n).unwrap();
                text(&inside[at..=at]).trim().to_owned()
            })
            .collect();
        assert_eq!(names, ["a", "(b [c ] d )", "b", "[c ]", "c", "d", "e"]);
        assert!(find(&mut list, 7).is_none());
    }
}
