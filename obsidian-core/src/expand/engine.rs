//! From a module's tree to compiled kernels, on a thread with enough stack for the user's recursions.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::error::{Diagnostic, Diagnostics, Origins, Site, catalogue};
use crate::front::Sources;
use crate::front::evaluate::{STACK, evaluate};
use crate::front::syntax::Module;
use crate::lower::strip;
use crate::pipeline::{self, Options};
use crate::plan::{Interface, Plan};

/// A module with its kernels.
pub struct Compiled {
    /// The module.
    pub module: Arc<Module>,
    /// The spans and pieces of input that it names.
    pub sources: Sources,
    /// The kernels, in order.
    pub kernels: Vec<CompiledKernel>,
}

/// One kernel.
pub struct CompiledKernel {
    /// Which function of the module it is.
    pub function: u32,
    /// The plan and what a launch has to know, or what is wrong.
    pub plan: Result<(Plan, Interface), Diagnostics>,
    /// The functions that it called.
    pub reached: BTreeSet<u32>,
}

impl Compiled {
    /// What is wrong with the kernels, and where the name of each stands.
    pub fn mistakes(&self) -> impl Iterator<Item = (&Diagnostics, Option<u32>)> {
        let name = |k: &CompiledKernel| self.module.functions.get(k.function as usize).map(|f| f.site);
        self.kernels.iter().filter_map(move |k| k.plan.as_ref().err().map(|mistakes| (mistakes, name(k))))
    }

    /// What is wrong with the kernels, with lines and columns.
    pub fn located_mistakes(&self) -> Vec<Located> {
        locate(self.mistakes(), &self.sources)
    }

    /// The kernels that have no mistake: name, plan, and what a launch has to know.
    pub fn plans(&self) -> impl Iterator<Item = (&str, &Plan, &Interface)> {
        self.kernels.iter().filter_map(|k| {
            let (plan, interface) = k.plan.as_ref().ok()?;
            Some((interface.name.as_ref(), plan, interface))
        })
    }

    /// The functions that a kernel with a mistake has reached.
    pub fn broken(&self) -> BTreeSet<u32> {
        self.kernels.iter().filter(|k| k.plan.is_err()).flat_map(|k| k.reached.iter().copied()).collect()
    }
}

/// A mistake and its place in a file: line and column from 1.
#[derive(Clone, Debug)]
pub struct Located {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What is wrong, with its notes.
    pub message: String,
}

/// How a kernel is compiled, by its name and number of threads.
pub type Choose<'a> = &'a (dyn Fn(&str, u32) -> Options + Sync);

/// Compiles the kernels of a module.
pub(super) fn compile_module(module: Module, sources: Sources, choose: Choose<'_>) -> Compiled {
    let module = Arc::new(module);
    let wanted: Vec<u32> = (0..module.functions.len() as u32).filter(|n| module.functions[*n as usize].kernel.is_some()).collect();
    let kernels = std::thread::scope(|scope| {
        let work = || wanted.iter().map(|n| compile_kernel(&module, *n, choose)).collect::<Vec<_>>();
        // Where so much address space is not to be had, a smaller stack does for all but the deepest recursions.
        let start = |stack: usize| std::thread::Builder::new().stack_size(stack).spawn_scoped(scope, work);
        start(STACK).or_else(|_| start(STACK / 8)).ok().and_then(|thread| thread.join().ok())
    });
    let kernels = kernels.unwrap_or_else(|| wanted.iter().map(|n| gave_up(*n)).collect());
    Compiled { module, sources, kernels }
}

/// The result for a kernel whose compilation has crashed.
fn gave_up(function: u32) -> CompiledKernel {
    let bug = catalogue::bug("the compilation of this module has crashed");
    CompiledKernel { function, plan: Err(Diagnostics::new(vec![bug], Origins::default())), reached: BTreeSet::from([function]) }
}

fn compile_kernel(module: &Arc<Module>, function: u32, choose: Choose<'_>) -> CompiledKernel {
    let evaluation = evaluate(module, function);
    let code = &module.functions[function as usize];
    let options = choose(&code.name, code.kernel.as_ref().map_or(256, |k| k.threads));
    let plan = evaluation.result.and_then(strip).and_then(|kernel| pipeline::compile(kernel, &options)).and_then(with_interface);
    CompiledKernel { function, plan, reached: evaluation.reached }
}

fn with_interface(plan: Plan) -> Result<(Plan, Interface), Diagnostics> {
    match Interface::of(&plan) {
        Ok(interface) => Ok((plan, interface)),
        Err(diagnostic) => Err(Diagnostics::new(vec![diagnostic], plan.kernel().tables.origins.clone())),
    }
}

/// Reads and compiles the items of a module, for the build script and for benchmarks.
///
/// # Errors
/// What is not kernel language. Mistakes of single kernels are in the result.
pub fn compile_items_with(items: &[syn::Item], choose: Choose<'_>) -> Result<Compiled, Vec<Located>> {
    let reading = crate::front::read_module(items);
    match reading.mistakes {
        Some(mistakes) => Err(locate([(&mistakes, None)], &reading.sources)),
        None => Ok(compile_module(reading.module, reading.sources, choose)),
    }
}

/// Mistakes with the lines and columns of their tokens; each list with the place of what has no place of its own.
fn locate<'a>(lists: impl IntoIterator<Item = (&'a Diagnostics, Option<u32>)>, sources: &Sources) -> Vec<Located> {
    let located = |diagnostic: &Diagnostic, site: Option<Site>, place: Option<u32>| {
        let span = if let Some(Site::Span(n)) = site { Some(n) } else { place };
        let start = match span {
            Some(n) => sources.span(n).start(),
            None => proc_macro2::LineColumn { line: 1, column: 0 },
        };
        Located { line: start.line, column: start.column + 1, message: diagnostic.to_string() }
    };
    lists.into_iter().flat_map(|(list, place)| list.iter().map(move |(diagnostic, site)| located(diagnostic, site, place))).collect()
}
