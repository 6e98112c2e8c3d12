//! Modules made from a grammar of the language: well-formed, seldom well-typed, and full of
//! recursion and loops.

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

const TYPES: &[&str] = &[
    "u32",
    "i32",
    "usize",
    "f32",
    "bool",
    "EU32",
    "EI32",
    "EF32",
    "EBool",
    "Pull<EU32>",
    "Push<Block, EU32>",
    "(EU32, u32)",
];
const OPERATORS: &[&str] = &[
    "+", "-", "*", "/", "%", "^", "&", "|", "<<", ">>", "==", "<", ">=", "&&", "||",
];
const METHODS: &[&str] = &[
    "map",
    "split_up",
    "halve",
    "concat",
    "reverse",
    "take",
    "drop",
    "push",
    "len",
    "zip",
    "rev",
    "sum",
    "min",
    "pow",
    "iter",
    "collect",
    "split_at",
    "as_grid_map",
    "as_block_map",
    "as_thread",
    "ix_map",
    "chunks",
    "fold",
    "unchecked",
    "distinct",
    "is_power_of_two",
    "flat_map",
    "nth",
    "in_rows",
    "transpose",
    "flat",
    "pair",
    "unpair",
    "last",
    "first",
    "read",
    "write",
    "abs",
    "sqrt",
    "wrapping_mul",
];

/// The names that an expression can use, and how deep it may still go.
struct Scope<'r> {
    random: &'r mut SmallRng,
    names: Vec<String>,
    functions: usize,
    depth: usize,
}

/// The module of a seed.
pub fn module(seed: u64) -> String {
    let mut random = SmallRng::seed_from_u64(seed);
    let functions = random.random_range(1..4_usize);
    let mut scope = Scope {
        random: &mut random,
        names: vec!["N".into()],
        functions,
        depth: 5,
    };
    let mut text = format!("pub mod m {{ const N: u32 = {}; ", scope.expression());
    for n in 0..functions {
        let ty = scope.pick(TYPES).to_owned();
        scope.names = vec!["N".into(), "x".into(), "f".into()];
        let body = scope.block();
        text += &format!(
            "fn f{n}(x: {ty}, f: impl Fn(u32) -> u32) -> {} {body} ",
            scope.pick(TYPES)
        );
    }
    scope.names = vec!["N".into(), "input".into(), "chunk".into()];
    let threads = scope
        .pick(&["1", "31", "33", "256", "1000", "1024"])
        .to_owned();
    let body = scope.expression();
    text + &format!(
        "#[kernel(threads = {threads})] pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {{ \
         input.split_up(32).as_grid_map(|chunk| {body}) }} }}"
    )
}

impl Scope<'_> {
    fn pick<'t>(&mut self, list: &[&'t str]) -> &'t str {
        list.choose(self.random).copied().unwrap_or_default()
    }

    fn below(&mut self, n: usize) -> usize {
        self.random.random_range(0..n)
    }

    fn name(&mut self) -> String {
        let n = self.below(self.names.len());
        self.names[n].clone()
    }

    /// `{ statements; value }`; what it names ends with it.
    fn block(&mut self) -> String {
        let outside = self.names.len();
        let statements: String = (0..self.below(3)).map(|_| self.statement()).collect();
        let value = self.expression();
        self.names.truncate(outside);
        format!("{{ {statements} {value} }}")
    }

    fn statement(&mut self) -> String {
        let value = self.expression();
        match self.below(6) {
            0 => {
                let name = format!("v{}", self.names.len());
                self.names.push(name.clone());
                format!("let mut {name} = {value};")
            }
            1 => {
                let name = format!("v{}", self.names.len());
                self.names.push(name.clone());
                format!("let {name}: {} = {value};", self.pick(TYPES))
            }
            2 => format!("{} {}= {value};", self.name(), self.pick(&["", "+", "*"])),
            3 => format!("for i in {value} {}", self.block()),
            4 => format!("while {value} {}", self.block()),
            _ => format!("{value}{}", self.pick(&[";", "?;"])),
        }
    }

    fn expression(&mut self) -> String {
        if self.depth == 0 {
            return self.leaf();
        }
        self.depth -= 1;
        let text = self.compound();
        self.depth += 1;
        text
    }

    fn leaf(&mut self) -> String {
        match self.below(4) {
            0 => self
                .pick(&[
                    "0",
                    "1",
                    "2u32",
                    "7",
                    "32",
                    "33",
                    "1.5",
                    "true",
                    "4294967295",
                    "-1",
                    "None",
                ])
                .to_owned(),
            _ => self.name(),
        }
    }

    fn compound(&mut self) -> String {
        match self.below(14) {
            0 | 1 => format!(
                "({} {} {})",
                self.expression(),
                self.pick(OPERATORS),
                self.expression()
            ),
            2 | 3 => {
                let (receiver, method) = (self.expression(), self.pick(METHODS));
                let arguments: Vec<String> =
                    (0..self.below(3)).map(|_| self.expression()).collect();
                format!("{receiver}.{method}({})", arguments.join(", "))
            }
            4 => {
                let names: Vec<&str> = obsidian_front::evaluate::functions().collect();
                let name = self.pick(&names).to_owned();
                let arguments: Vec<String> =
                    (0..self.below(4)).map(|_| self.expression()).collect();
                format!("{name}({})", arguments.join(", "))
            }
            5 => format!(
                "f{}({}, |n| n)",
                self.below(self.functions),
                self.expression()
            ),
            6 => {
                self.names.push("x".into());
                let body = if self.below(2) == 0 {
                    self.expression()
                } else {
                    self.block()
                };
                self.names.pop();
                format!("|x| {body}")
            }
            7 => format!(
                "if {} {} else {}",
                self.expression(),
                self.block(),
                self.block()
            ),
            8 => format!(
                "match {} {{ 0 | 1 => {}, n if {} => {}, _ => {} }}",
                self.expression(),
                self.leaf(),
                self.leaf(),
                self.leaf(),
                self.leaf()
            ),
            9 => format!("({}, {})", self.expression(), self.expression()),
            10 => format!("{}[{}]", self.expression(), self.expression()),
            11 => format!("({}..{})", self.expression(), self.expression()),
            12 => format!("({} as {})", self.expression(), self.pick(TYPES)),
            _ => format!("vec![{}; {}]", self.expression(), self.leaf()),
        }
    }
}
