//! From a module's tree to compiled kernels, on a thread with enough stack for the user's
//! recursions.

mod equal;
mod mistakes;

use std::sync::Arc;

pub(super) use self::equal::KernelOf;
use obsidian_core::arrays::Schedule;
use obsidian_core::error::catalogue;
use obsidian_core::error::{Diagnostic, Diagnostics, Origins, Site, internal};
use obsidian_core::lower::strip;
use obsidian_core::ordered::{Map, Set};
use obsidian_core::pipeline::{self, Options};
use obsidian_core::plan::{Interface, Limits, Plan};
use obsidian_core::variants::{self, Value};
use obsidian_front::Sources;
use obsidian_front::evaluate::{Known, STACK, evaluate_arrays, evaluate_variant};
use obsidian_front::infer::Placed;
use obsidian_front::link::Linked;
use obsidian_front::syntax::{Function, HostType, KernelAttribute, Module, Name};

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
    /// Its variants, the default first; after several that cannot be built, no more are tried.
    pub variants: Vec<CompiledVariant>,
    /// The functions that it called.
    pub reached: Set<u32>,
    /// The functions of other modules that it called, and where the module's own code did so last.
    pub entered: Map<u32, u32>,
    /// The literals that are device values, and their types.
    pub literals: Map<u32, Known>,
    /// Of an array program, whose variants are its kernels: what is launched in which order.
    pub schedule: Option<Schedule>,
}

/// One variant of a kernel.
pub struct CompiledVariant {
    /// Its name: that of the function, and if there are several variants the values behind it.
    pub name: String,
    /// The values of the parameters, those of the attribute's own options first, of which `threads`
    /// is the first.
    pub values: Vec<(Name, Value)>,
    /// The plan and what a launch has to know, or what is wrong.
    pub plan: Result<(Plan, Interface), Diagnostics>,
    /// The kernel of an earlier array program that is launched instead, as it is the same.
    pub(super) instead: Option<KernelOf>,
}

impl CompiledKernel {
    /// Could all variants be built?
    pub fn is_whole(&self) -> bool {
        self.variants.iter().all(|v| v.plan.is_ok())
    }
}

/// A mistake of a kernel.
pub(super) struct Mistake<'a> {
    /// What is wrong, and in which variants.
    pub(super) diagnostic: Diagnostic,
    /// Where it is, or the name of the kernel.
    pub(super) site: Option<u32>,
    /// The function of another module that it is in, and where that was called.
    pub(super) inside: Option<(&'a Function, Option<u32>)>,
}

impl Compiled {
    /// What is wrong with the kernels.
    pub(super) fn mistakes(&self) -> impl Iterator<Item = Mistake<'_>> {
        let of_kernel = move |kernel| {
            mistakes::of_kernel(kernel, &self.sources)
                .into_iter()
                .map(move |(wrong, site)| self.mistake(wrong, site, kernel))
        };
        self.kernels.iter().flat_map(of_kernel)
    }

    fn mistake<'a>(
        &'a self,
        diagnostic: Diagnostic,
        site: Option<Site>,
        kernel: &CompiledKernel,
    ) -> Mistake<'a> {
        let name = || {
            self.module
                .functions
                .get(kernel.function as usize)
                .map(|f| f.site)
        };
        let site = if let Some(Site::Span(n)) = site {
            Some(n)
        } else {
            name()
        };
        let inside = site.and_then(|site| self.module.foreign(site));
        Mistake {
            diagnostic,
            site,
            inside: inside.map(|(n, function)| (function, kernel.entered.get(&n).copied())),
        }
    }

    /// Keeps the tokens of what was read, if there is a mistake that may quote them.
    pub(super) fn quote_from(&mut self, linked: &Linked) {
        if self.kernels.iter().any(|kernel| !kernel.is_whole()) {
            let units = linked.units.iter();
            self.sources.quote_from(units.map(|unit| {
                let items = &unit.items;
                quote::quote!(#(#items)*)
            }));
        }
    }

    /// What is wrong with the kernels, with lines and columns in the module's own file.
    pub fn located_mistakes(&self) -> Vec<Located> {
        let located = self.mistakes().map(|mistake| match mistake.inside {
            Some((function, call)) => {
                let diagnostic = mistake.diagnostic.note(format!(
                    "this is in `{}` of `{}`, called here",
                    function.name, function.module
                ));
                Located::of(&diagnostic, call.or(mistake.site), &self.sources)
            }
            None => Located::of(&mistake.diagnostic, mistake.site, &self.sources),
        });
        located.collect()
    }

    /// The variants of kernels that have no mistake, each kernel of several array programs once: name, plan, and what a launch has to know.
    pub fn plans(&self) -> impl Iterator<Item = (&str, &Plan, &Interface)> {
        self.kernels
            .iter()
            .flat_map(|k| &k.variants)
            .filter(|variant| variant.instead.is_none())
            .filter_map(|variant| {
                let (plan, interface) = variant.plan.as_ref().ok()?;
                Some((interface.name.as_ref(), plan, interface))
            })
    }

    /// The literals that are device values, and their types, as far as kernels tell.
    pub(super) fn literals(&self) -> Map<u32, Known> {
        let placed = self.module.literals.iter();
        let placed = placed.filter(|(_, placed)| placed.is_device);
        let known = |placed: &Placed| match placed.ty {
            Some(HostType::Scalar(ty)) => Known::One(ty),
            _ => Known::Nothing,
        };
        let mut all: Map<u32, Known> = placed
            .map(|(site, placed)| (*site, known(placed)))
            .collect();
        for (site, known) in self.kernels.iter().flat_map(|k| &k.literals) {
            let before = all.entry(*site).or_default();
            *before = before.and(*known);
        }
        all
    }

    /// The functions that a kernel with a mistake has reached.
    pub fn broken(&self) -> Set<u32> {
        self.kernels
            .iter()
            .filter(|k| !k.is_whole())
            .flat_map(|k| k.reached.iter().copied())
            .collect()
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

impl Located {
    fn of(diagnostic: &Diagnostic, site: Option<u32>, sources: &Sources) -> Located {
        let start = site.map_or(proc_macro2::LineColumn { line: 1, column: 0 }, |n| {
            sources.span(n).start()
        });
        Located {
            line: start.line,
            column: start.column + 1,
            message: diagnostic.to_string(),
        }
    }
}

/// How a variant of a kernel is compiled, by its name and what a block may use.
pub type Choose<'a> = &'a (dyn Fn(&str, Limits) -> Options + Sync);

/// Compiles the kernels of a module.
pub(super) fn compile_module(module: Module, sources: Sources, choose: Choose<'_>) -> Compiled {
    let module = Arc::new(module);
    let wanted: Vec<u32> = (0..module.own.functions)
        .filter(|n| {
            let function = &module.functions[*n as usize];
            function.kernel.is_some() || function.arrays.is_some()
        })
        .collect();
    let kernels = std::thread::scope(|scope| {
        let work = || {
            wanted
                .iter()
                .map(|n| {
                    internal::caught(|| compile_kernel(&module, *n, choose))
                        .unwrap_or_else(|bug| gave_up(*n, bug))
                })
                .collect::<Vec<_>>()
        };
        // Where so much address space is not to be had, a smaller stack does for all but the
        // deepest recursions.
        let start = |stack: usize| {
            std::thread::Builder::new()
                .stack_size(stack)
                .spawn_scoped(scope, work)
        };
        start(STACK)
            .or_else(|_| start(STACK / 8))
            .ok()
            .and_then(|thread| thread.join().ok())
    });
    let mut kernels = kernels.unwrap_or_else(|| {
        let crashed =
            || obsidian_core::error::catalogue::bug("the compilation of this module has crashed");
        wanted.iter().map(|n| gave_up(*n, crashed())).collect()
    });
    equal::find(&mut kernels);
    refuse_equal_names(&module, &mut kernels);
    Compiled {
        module,
        sources,
        kernels,
    }
}

/// Makes a mistake of a kernel that has the name of a kernel of another function: an array program gives its kernels names.
fn refuse_equal_names(module: &Module, kernels: &mut [CompiledKernel]) {
    let mut known: Map<String, u32> = Map::new();
    for kernel in kernels {
        let function = kernel.function;
        for variant in kernel
            .variants
            .iter_mut()
            .filter(|v| v.plan.is_ok() && v.instead.is_none())
        {
            let first = *known.entry(variant.name.clone()).or_insert(function);
            if first != function {
                let name = &module.functions[first as usize].name;
                let wrong = catalogue::equal_kernel_names(&variant.name, name);
                variant.plan = Err(Diagnostics::new(vec![wrong], Origins::default()));
            }
        }
    }
}

/// The result for a kernel whose compilation has crashed.
fn gave_up(function: u32, bug: Diagnostic) -> CompiledKernel {
    let plan = Err(Diagnostics::new(vec![bug], Origins::default()));
    CompiledKernel {
        function,
        variants: vec![CompiledVariant {
            name: String::new(),
            values: Vec::new(),
            plan,
            instead: None,
        }],
        reached: Set::from([function]),
        entered: Map::new(),
        literals: Map::new(),
        schedule: None,
    }
}

/// The kernels of an array program, in the place of variants.
fn compile_arrays(module: &Arc<Module>, function: u32) -> CompiledKernel {
    let evaluation = evaluate_arrays(module, function, &obsidian_core::arrays::build_described);
    let name = module.functions[function as usize]
        .name
        .trim_start_matches("r#");
    let (schedule, variants) = match evaluation.result {
        Ok(compiled) => {
            let variant = |plan: Plan| CompiledVariant {
                name: plan.kernel().name.clone(),
                values: vec![("threads".into(), Value::Integer(plan.threads().into()))],
                plan: with_interface(plan),
                instead: None,
            };
            let variants = compiled.plans.into_iter().map(variant);
            (Some(compiled.schedule), variants.collect())
        }
        Err(wrong) => {
            let variant = CompiledVariant {
                name: name.to_owned(),
                values: Vec::new(),
                plan: Err(wrong),
                instead: None,
            };
            (None, vec![variant])
        }
    };
    CompiledKernel {
        function,
        variants,
        reached: evaluation.reached,
        entered: evaluation.entered,
        literals: evaluation.literals,
        schedule,
    }
}

/// Variants of a kernel that may fail to build before the others are not tried: each may take
/// as long as a build can.
const FAILURES: usize = 8;

fn compile_kernel(module: &Arc<Module>, function: u32, choose: Choose<'_>) -> CompiledKernel {
    let code = &module.functions[function as usize];
    if code.arrays.is_some() {
        return compile_arrays(module, function);
    }
    let all = code
        .kernel
        .as_ref()
        .map(KernelAttribute::variants)
        .unwrap_or_default();
    let mut kernel = CompiledKernel {
        function,
        variants: Vec::new(),
        reached: Set::new(),
        entered: Map::new(),
        literals: Map::new(),
        schedule: None,
    };
    let (several, mut failures) = (all.len() > 1, 0);
    for values in all {
        let plain = code.name.trim_start_matches("r#");
        let name = if several {
            variants::name(plain, &values)
        } else {
            plain.to_owned()
        };
        let (options, limits) = code.kernel.as_ref().map_or_else(
            || (1, Limits::from(256)),
            |kernel| (kernel.options(), kernel.limits(&values)),
        );
        let specialised = values.iter().skip(options).map(|(_, value)| *value);
        let specialised: Vec<Value> = specialised.collect();
        let evaluation = evaluate_variant(module, function, Some(&name), &specialised);
        let options = choose(&name, limits);
        let plan = evaluation
            .result
            .and_then(strip)
            .and_then(|kernel| pipeline::compile(kernel, &options))
            .and_then(with_interface);
        failures += usize::from(plan.is_err());
        kernel.variants.push(CompiledVariant {
            name,
            values,
            plan,
            instead: None,
        });
        kernel.reached.extend(evaluation.reached);
        kernel.entered.extend(evaluation.entered);
        for (site, known) in evaluation.literals {
            let before = kernel.literals.entry(site).or_default();
            *before = before.and(known);
        }
        if failures == FAILURES {
            break;
        }
    }
    kernel
}

fn with_interface(plan: Plan) -> Result<(Plan, Interface), Diagnostics> {
    match plan.interface() {
        Ok(interface) => Ok((plan, interface)),
        Err(diagnostic) => Err(Diagnostics::new(
            vec![diagnostic],
            plan.kernel().tables.origins.clone(),
        )),
    }
}

/// Reads and compiles the items of a module that uses no other, for benchmarks and tests.
///
/// # Errors
/// What is not kernel language. Mistakes of single kernels are in the result.
pub fn compile_items_with(
    items: &[syn::Item],
    choose: Choose<'_>,
) -> Result<Compiled, Vec<Located>> {
    compile_linked_with(&Linked::alone(items), choose)
}

/// Reads and compiles a module with what it uses, for the build script.
///
/// # Errors
/// What is not kernel language. Mistakes of single kernels are in the result.
pub fn compile_linked_with(linked: &Linked, choose: Choose<'_>) -> Result<Compiled, Vec<Located>> {
    let reading = obsidian_front::read_linked(linked);
    if let Some(mistakes) = &reading.mistakes {
        let place = |site| {
            if let Some(Site::Span(n)) = site {
                Some(n)
            } else {
                None
            }
        };
        return Err(mistakes
            .iter()
            .map(|(diagnostic, site)| Located::of(diagnostic, place(site), &reading.sources))
            .collect());
    }
    if let Some((link, why)) = reading.foreign {
        let link = &linked.units[0].links[link];
        let start = link
            .path
            .clone()
            .into_iter()
            .next()
            .map_or_else(proc_macro2::Span::call_site, |t| t.span())
            .start();
        let message = catalogue::unreadable_library(&link.text(), &why).to_string();
        return Err(vec![Located {
            line: start.line,
            column: start.column + 1,
            message,
        }]);
    }
    let mut compiled = compile_module(reading.module, reading.sources, choose);
    compiled.quote_from(linked);
    Ok(compiled)
}
