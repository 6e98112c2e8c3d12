//! Modules that use others: what is asked for, in which order, and what comes of it.
//!
//! Here and not beside the code: what a link asks has the table of the library, and with it the unit tests of this crate would
//! compile all of the library for the evaluator once more.

use obsidian_front::link::{Link, Linked, Linking, Unit, link};

fn unit(name: &str, text: &str) -> Unit {
    Unit::of(name, &syn::parse_file(text).unwrap().items)
}

fn wanted(root: &str, given: &[Unit]) -> Vec<usize> {
    match link(unit("root", root), given.to_vec()) {
        Linking::Wanted(way) => way,
        _ => panic!("nothing is wanted"),
    }
}

fn whole(root: &str, given: &[Unit]) -> Linked {
    match link(unit("root", root), given.to_vec()) {
        Linking::Whole(linked) => linked,
        _ => panic!("something is missing"),
    }
}

#[test]
fn a_module_that_is_named_twice_is_one_link() {
    let unit = unit(
        "m",
        "use super::a::{f, g as h}; use super::{a::i, b::*}; pub use ::c::d::e;",
    );
    assert_eq!(
        unit.links.iter().map(Link::text).collect::<Vec<_>>(),
        ["super::a", "super::b", "c::d"]
    );
    let names = unit
        .imports
        .iter()
        .map(|i| (i.link, i.name.as_ref().map(ToString::to_string)));
    let expected = [
        (0, Some("f")),
        (0, Some("g")),
        (0, Some("i")),
        (1, None),
        (2, Some("e")),
    ];
    assert_eq!(
        names.collect::<Vec<_>>(),
        expected.map(|(n, s)| (n, s.map(str::to_owned)))
    );
    assert!(unit.mistakes.is_empty() && unit.items.is_empty());
}

#[test]
fn what_is_no_kernels_module_is_a_mistake() {
    for text in [
        "use f;",
        "use crate::f;",
        "use super::*;",
        "use std::a::b;",
        "use obsidian_rt::Device;",
        "use a::b::{self};",
    ] {
        assert_eq!(unit("m", text).mistakes.len(), 1, "{text}");
    }
}

#[test]
fn units_are_wanted_in_a_fixed_order() {
    let (a, b) = (unit("a", "use super::b::g;"), unit("b", "fn g() {}"));
    let root = "use super::a::f; use super::b::g;";
    assert_eq!(wanted(root, &[]), [0]);
    assert_eq!(wanted(root, std::slice::from_ref(&a)), [1]);
    assert_eq!(wanted(root, &[a.clone(), b.clone()]), [0, 0]);
    let linked = whole(root, &[a, b.clone(), b]);
    assert_eq!(linked.targets, [vec![1, 2], vec![2], vec![]]);
}

#[test]
fn a_circle_is_closed() {
    let a = unit("a", "use super::root::f;");
    let root = "use super::a::f;";
    let linked = whole(root, &[a, unit("root", root)]);
    assert_eq!(linked.targets, [vec![1], vec![0]]);
}

#[test]
fn the_same_module_over_another_basis_is_another_module() {
    let (old, new) = (unit("base", "fn f() { 1 }"), unit("base", "fn f() { 2 }"));
    let middle = unit("middle", "use super::base::f;");
    let linked = whole(
        "use v1::middle::g; use v2::middle::g as h;",
        &[middle.clone(), middle, old, new],
    );
    assert_eq!(
        linked.targets,
        [vec![1, 2], vec![3], vec![4], vec![], vec![]]
    );
}

#[test]
fn the_hash_covers_what_is_used() {
    let root = "use super::a::f;";
    let (one, two) = (unit("a", "fn f() { 1 }"), unit("a", "fn f() { 2 }"));
    let hash = |used: &Unit| whole(root, std::slice::from_ref(used)).hash();
    assert_ne!(hash(&one), hash(&two));
    assert_eq!(hash(&one), hash(&one));
}
