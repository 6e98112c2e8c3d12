//! CUDA text (stand-in).
/// The text.
pub fn cuda(_: &crate::plan::Plan) -> String {
    String::new()
}
