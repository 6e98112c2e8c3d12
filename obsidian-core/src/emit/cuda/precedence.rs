//! Precedences of C++, from the loosest.

/// `a ? b : c`
pub(super) const TERNARY: u8 = 1;
/// `|`
pub(super) const OR: u8 = 2;
/// `^`
pub(super) const XOR: u8 = 3;
/// `&`
pub(super) const AND: u8 = 4;
/// `==` `!=`
pub(super) const EQUAL: u8 = 5;
/// `<` `<=` `>` `>=`
pub(super) const LESS: u8 = 6;
/// `<<` `>>`
pub(super) const SHIFT: u8 = 7;
/// `+` `-`
pub(super) const ADD: u8 = 8;
/// `*` `/` `%`
pub(super) const MUL: u8 = 9;
/// `-a` `!a` `(T)a`
pub(super) const UNARY: u8 = 10;
/// `a[i]` `f(a)`, names and numbers
pub(super) const ATOM: u8 = 11;
