//! Safe Rust for the CPU, from the lowered kernel.
//!
//! Before (lowered):                          After:
//! ```text
//! distribute Block b < len/512 {              call.blocks(n, (rt::chunks(&mut a1_output, 1), ()), |b, (a1_output, ())| {
//!   allocate partial                              let mut a2_partial: [i32; 256] = [0i32; 256];
//!   forall Block i < 256 { .. }                   for c1_i in 0u32..256u32 { .. }
//!   wait Block                                });
//! }
//! ```
//! Levels become plain loops, done in order, so a wait is nothing: one CPU thread runs a whole
//! block. The blocks are shared out by the runtime (`Call::blocks`), which is why each output is
//! written in one of two ways:
//!
//! - where the plan proves that block `b` writes exactly the elements `b * n .. (b + 1) * n`, or those of
//!   them that there are, the block gets that piece as a slice of its own, and indices are counted from
//!   its start;
//! - arrays that are only added to, or combined with values in another such way: elements of each core's own, merged at the end;
//! - otherwise through cells, relaxed atomics behind a safe type of the runtime.
//!
//! An array that is changed in place is given out in the same two ways: in pieces if each block accesses
//! its own elements alone.
//!
//! An index that the user vouches for may be outside; such an access goes through a function of the
//! runtime, which ends the launch with an error that names the array, the index and the place
//! (`vouched`).
//!
//! Every element is computed by the operations of the program in the program's order, so that
//! results are those of the simulator bit for bit. The text uses no prelude and no name of the
//! user: locals are called by kind, number and hint (`v12_sum`), and everything else goes by
//! absolute path.

mod chains;
mod copies;
mod expression;
mod front;
mod gathered;
mod in_place;
mod lanes;
mod linear;
mod masks;
mod operators;
mod printer;
mod products;
mod range;
mod rows;
mod select;
mod statement;
mod streams;
mod vouched;
mod windows;

pub use range::{Faults as RangeFaults, range};
pub(super) use vouched::checks;

use crate::ir::{Kernel, Lowered, ParameterKind};
use crate::ordered::Set;
use crate::plan::{Plan, WritePattern};
use crate::scalar::{ArrayId, ArrayPlace, Literal, Role, VariableId};
use printer::{Access, Printer};

/// The path by which the text names what it needs of the runtime.
pub const RUNTIME: &str = "::obsidian_rt::generated";

/// The function `cpu` of a kernel, whole: `fn cpu(call: &mut ::obsidian_rt::generated::Call<'_>) {
/// .. }`.
pub fn cpu(plan: &Plan) -> String {
    function(plan.by_one(), &|array| plan.pattern(array), RUNTIME)
}

/// The function `cpu` for a lowered kernel, for what is known of its outputs, and for a runtime
/// that may go by another path.
pub fn function(
    lowered: &Kernel<Lowered>,
    pattern: &dyn Fn(ArrayId) -> WritePattern,
    runtime: &str,
) -> String {
    let (lowered, hidden) = loops(lowered);
    printed((&lowered, hidden), Set::new(), pattern, runtime).finish()
}

/// The same for processors with the instructions of x86-64-v4, whose vectors have 64 bytes and 32 registers; nothing
/// if the kernel has no sums of products, which are what gains by them (`products`).
pub fn widest(
    lowered: &Kernel<Lowered>,
    pattern: &dyn Fn(ArrayId) -> WritePattern,
    runtime: &str,
) -> Option<String> {
    let (together, factors) = products::products(lowered);
    (together.body != lowered.body).then(|| {
        let (lowered, hidden) = loops(&together);
        printed((&lowered, hidden), factors, pattern, runtime).finish()
    })
}

/// The kernel with the loops that are printed, and the names whose values the compiler must not know.
fn loops(lowered: &Kernel<Lowered>) -> (Kernel<Lowered>, Set<VariableId>) {
    let (kernel, hidden) =
        streams::streams(chains::chains(masks::masks(rows::rows(lowered.clone()))));
    (front::front(in_place::in_place(kernel)), hidden)
}

/// Is the function faster where vectors have 32 bytes? Not if its lanes go on under a mask: compiled for
/// x86-64-v3, `mandelbrot` takes 1.8 times as long as for x86-64, while maps take half the time.
pub fn gains_by_width(plan: &Plan) -> bool {
    let rows = rows::rows(plan.by_one().clone());
    masks::masks(rows.clone()).body == rows.body
}

/// Has the kernel loops that lanes go through together? For a range that is the better text; others are functions again ([`range()`]).
pub fn goes_together(plan: &Plan) -> bool {
    let kernel = chains::chains(masks::masks(rows::rows(plan.by_one().clone())));
    streams::streams(kernel.clone()).0.body != kernel.body
}

/// The printer after the function, of a kernel whose loops are those that are printed; these arrays stay in memory.
fn printed<'k>(
    (lowered, hidden): (&'k Kernel<Lowered>, Set<VariableId>),
    in_memory: Set<ArrayId>,
    pattern: &dyn Fn(ArrayId) -> WritePattern,
    runtime: &str,
) -> Printer<'k> {
    let mut printer = Printer::new(lowered);
    printer.hidden = hidden;
    printer.in_memory = in_memory;
    printer.open(&format!("fn cpu(call: &mut {runtime}::Call<'_>) {{"));
    printer.line(&format!("use {runtime} as rt;"));
    parameters(&mut printer, pattern);
    printer.list(&lowered.body);
    printer.close("}");
    printer
}

/// Binds the parameters.
fn parameters(printer: &mut Printer<'_>, pattern: &dyn Fn(ArrayId) -> WritePattern) {
    let kernel = printer.kernel;
    for (position, parameter) in kernel.parameters.iter().enumerate() {
        let id = match parameter.kind {
            ParameterKind::Scalar(variable) => {
                let (name, ty) = (printer.variable(variable), printer.variable_type(variable));
                printer.line(&format!(
                    "let {name}: {ty} = call.scalar::<{ty}>({position}usize);"
                ));
                continue;
            }
            ParameterKind::Array(id) => id,
        };
        let (name, ty) = (printer.array(id), printer.array_type(id));
        let role = match kernel.tables.array(id).place {
            ArrayPlace::Global(role) => role,
            _ => Role::InOut,
        };
        printer.line(&format!(
            "let {}: u32 = call.length({position}usize);",
            printer.length(id)
        ));
        let access = match (role, pattern(id)) {
            (Role::Input, _) => Access::Slice,
            (Role::Output, WritePattern::Chunks(n)) if n > 0 => Access::Chunk(n),
            (Role::Output, WritePattern::Ragged(n)) if n > 0 => Access::Ragged(n),
            (Role::InOut, WritePattern::Own(n)) if n > 0 => Access::Own(n),
            (Role::InOut, _) => {
                gathered::operator(kernel, id).map_or(Access::Cells, Access::Gathered)
            }
            _ => Access::Cells,
        };
        match access {
            Access::Slice => printer.line(&format!(
                "let {name}: &[{ty}] = call.input::<{ty}>({position}usize);"
            )),
            Access::Chunk(_) | Access::Ragged(_) | Access::Own(_) => printer.line(&format!(
                "let mut {name} = call.output::<{ty}>({position}usize);"
            )),
            Access::Gathered(op) => {
                let element = kernel.tables.array(id).ty;
                let identity = op
                    .identity(element)
                    .unwrap_or_else(|| Literal::zero(element));
                let identity = operators::literal(identity);
                let merged = operators::binary(op, element, "old", "own");
                printer.line(&format!(
                    "let {name} = call.gather::<{ty}>({position}usize, {identity}, |old: {ty}, own: {ty}| {merged});"
                ));
            }
            Access::Cells | Access::Local => printer.line(&format!(
                "let {name} = call.cells::<{ty}>({position}usize);"
            )),
        }
        printer.access.insert(id, access);
    }
}
