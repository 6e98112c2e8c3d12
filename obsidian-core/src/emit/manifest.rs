//! The manifest (stand-in).
/// The text.
pub fn manifest(_: &crate::plan::Plan, _: &crate::plan::Interface, _: &str) -> String {
    String::new()
}
