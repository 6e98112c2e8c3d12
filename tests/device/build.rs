//! Writes the modules of random device functions.
//!
//! A function is a list of statements over variables of several types. Whatever would panic on the host
//! is kept away: divisors are not 0, and indices are taken modulo the length. Loops count down, so that
//! each ends. Every second function has structs: it reads them from a slice, and gives one.

use std::fmt::Write;
use std::path::Path;

/// How many functions there are: a sample, and with `OBSIDIAN_LONG=1` all.
const SAMPLE: usize = 40;
const ALL: usize = 200;
/// How many stand in a module.
const EACH: usize = 10;

/// A generator of random numbers: splitmix64.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    fn one<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }
}

const TYPES: &[&str] = &["u32", "i32", "u8", "i64", "usize", "f32"];

struct Writer {
    random: Random,
    text: String,
    indent: usize,
    loops: usize,
    /// Are we inside of a loop, and is a closure in scope?
    inside: usize,
    names: usize,
    /// Variables of each type beyond the fixed ones.
    more: Vec<(String, &'static str)>,
    /// Are there a struct `s`, and a slice of such structs?
    has_structs: bool,
}

/// The structs of a module, and a function of them.
const STRUCTS: &str = "
    #[derive(Clone, Copy, Debug, Element)]
    pub struct State {
        pub inner: Inner,
        pub a: u32,
        pub b: f32,
        pub c: i64,
    }

    #[derive(Clone, Copy, Debug, Element)]
    pub struct Inner {
        pub d: u8,
        pub e: [i32; 3],
        pub f: bool,
    }

    #[derive(Clone, Copy, Debug, Element)]
    pub struct Out {
        pub first: u32,
        pub second: f32,
        pub state: State,
    }

    #[device]
    pub fn mixed(s: State, by: u32) -> State {
        if by % 3 == 0 {
            return s;
        }
        let State { inner: Inner { e: [_, e, _], .. }, c, .. } = s;
        State { c: c - e as i64, a: s.a ^ by, inner: Inner { d: by as u8, ..s.inner }, ..s }
    }

";

impl Writer {
    fn line(&mut self, text: &str) {
        let indent = "    ".repeat(self.indent);
        writeln!(self.text, "{indent}{text}").expect("a string can be written");
    }

    fn literal(&mut self, ty: &str) -> String {
        match ty {
            "f32" => {
                let n = self.random.below(64) as f32 / 8.0 - 2.5;
                format!("({n:?}f32)")
            }
            "u8" => format!("{}u8", self.random.below(256)),
            "i32" => format!("({}i32)", self.random.below(4000) as i64 - 2000),
            "i64" => format!("({}i64)", (self.random.below(1 << 40)) as i64 - (1 << 39)),
            "usize" => format!("{}usize", self.random.below(50)),
            _ => format!("{}u32", self.random.below(1 << 20)),
        }
    }

    fn variable(&mut self, ty: &str) -> String {
        let more: Vec<String> = self
            .more
            .iter()
            .filter(|(_, t)| *t == ty)
            .map(|(name, _)| name.clone())
            .collect();
        let n = self.random.below(more.len() + 3);
        if n < more.len() {
            return more[n].clone();
        }
        if self.has_structs && self.random.below(3) == 0 {
            return self.field(ty);
        }
        match (ty, self.random.below(3)) {
            ("u32", 0) => "pair.0".into(),
            ("f32", 0) => "pair.1".into(),
            ("i32", 0) => {
                let index = self.expr("usize", 1);
                format!("table[({index}) % 5]")
            }
            _ => format!("v_{ty}"),
        }
    }

    /// A number of a struct.
    fn field(&mut self, ty: &str) -> String {
        let index = self.random.below(3);
        let of = match self.random.below(4) {
            0 => format!("states[({}) % states.len()]", self.literal("usize")),
            1 => "mixed(s, v_u32)".to_owned(),
            _ => "s".to_owned(),
        };
        match ty {
            "u32" => format!("{of}.a"),
            "f32" => format!("{of}.b"),
            "i64" => format!("{of}.c"),
            "u8" => format!("{of}.inner.d"),
            "i32" => format!("{of}.inner.e[{index}]"),
            _ => format!("({of}.inner.f as usize)"),
        }
    }

    /// Changes the struct: a field of it, or all.
    fn change(&mut self) {
        let text = match self.random.below(7) {
            0 => format!("s.a ^= {};", self.expr("u32", 2)),
            1 => format!("s.b = {};", self.expr("f32", 2)),
            2 => {
                let (i, value) = (self.expr("usize", 1), self.expr("i32", 2));
                format!("s.inner.e[({i}) % 3] += {value};")
            }
            3 => format!("s = mixed(s, {});", self.expr("u32", 1)),
            4 => {
                let (c, d) = (self.expr("i64", 1), self.expr("u8", 1));
                let f = self.condition(1);
                format!(
                    "s = State {{ c: {c}, inner: Inner {{ f: {f}, d: {d}, ..s.inner }}, ..s }};"
                )
            }
            5 => {
                let c = self.condition(2);
                let i = self.expr("usize", 1);
                format!(
                    "s = if {c} {{ states[({i}) % states.len()] }} else {{ State {{ a: 7, ..s }} }};"
                )
            }
            _ => {
                let (name, value) = (format!("w{}", self.names), self.random.below(2));
                self.names += 1;
                self.more.push((name.clone(), "i32"));
                let of = ["s", "mixed(s, 5)"][value];
                format!("let Inner {{ e: [_, {name}, _], .. }} = {of}.inner;")
            }
        };
        self.line(&text);
    }

    /// What the function gives.
    fn given(&self, first: &str, second: &str) -> String {
        match self.has_structs {
            true => format!("Out {{ second: {second}, first: {first}, state: s }}"),
            false => format!("({first}, {second})"),
        }
    }

    fn expr(&mut self, ty: &str, depth: usize) -> String {
        if depth == 0 {
            return match self.random.below(3) {
                0 => self.literal(ty),
                _ => self.variable(ty),
            };
        }
        let d = depth - 1;
        match self.random.below(12) {
            0 => self.literal(ty),
            1 => self.variable(ty),
            2 => {
                let c = self.condition(d);
                let (x, y) = (self.expr(ty, d), self.expr(ty, d));
                format!("(if {c} {{ {x} }} else {{ {y} }})")
            }
            3 => {
                let from = self.random.one(TYPES);
                let x = self.expr(from, d);
                format!("(({x}) as {ty})")
            }
            4 => self.matched(ty, d),
            _ if ty == "f32" => self.float(d),
            _ => self.integer(ty, d),
        }
    }

    fn matched(&mut self, ty: &str, d: usize) -> String {
        let on = self.expr("u32", d);
        let (a, b, c) = (self.expr(ty, d), self.expr(ty, d), self.expr(ty, d));
        let (low, high) = (self.random.below(3), 3 + self.random.below(3));
        format!("(match ({on}) % 7 {{ {low} => {a}, n if n > {high} => {b}, _ => {c} }})")
    }

    fn float(&mut self, d: usize) -> String {
        let x = self.expr("f32", d);
        match self.random.below(8) {
            0 => format!("({x}).abs()"),
            1 => format!("({x}).floor()"),
            2 => format!("({x}).abs().sqrt()"),
            3 => {
                let (y, z) = (self.expr("f32", d), self.expr("f32", d));
                format!("({x}).mul_add({y}, {z})")
            }
            4 => {
                let i = self.expr("usize", d);
                format!("z[({i}) % z.len()]")
            }
            5 => {
                let y = self.expr("f32", d);
                format!("half({x}, {y})")
            }
            _ => {
                let (op, y) = (self.random.one(&["+", "-", "*", "/"]), self.expr("f32", d));
                format!("({x} {op} {y})")
            }
        }
    }

    fn integer(&mut self, ty: &str, d: usize) -> String {
        let x = self.expr(ty, d);
        match self.random.below(10) {
            0 => format!("(!({x}))"),
            1 => {
                let (op, y) = (self.random.one(&["<<", ">>"]), self.expr("u32", d));
                format!("(({x}) {op} (({y}) % 8))")
            }
            2 => {
                let (op, y) = (self.random.one(&["/", "%"]), self.expr(ty, d));
                format!("(({x}) {op} ((({y}) & 7) + 1))")
            }
            3 if ty == "u32" => {
                let i = self.expr("usize", d);
                format!("x[({i}) % x.len()]")
            }
            3 if ty == "i32" => {
                let i = self.expr("usize", d);
                format!("y[({i}) % y.len()]")
            }
            4 if ty == "u32" => format!("({x}).count_ones()"),
            4 if ty == "i32" => format!("({x}).wrapping_abs()"),
            5 => {
                let (f, y) = (
                    self.random.one(&["min", "max", "wrapping_add"]),
                    self.expr(ty, d),
                );
                format!("({x}).{f}({y})")
            }
            _ => {
                let op = self.random.one(&["+", "-", "*", "&", "|", "^"]);
                let y = self.expr(ty, d);
                format!("(({x}) {op} ({y}))")
            }
        }
    }

    fn condition(&mut self, depth: usize) -> String {
        if depth == 0 {
            return "flag".into();
        }
        let d = depth - 1;
        match self.random.below(5) {
            0 => {
                let (x, y) = (self.condition(d), self.condition(d));
                format!("({x} && {y})")
            }
            1 => {
                let (x, y) = (self.condition(d), self.condition(d));
                format!("({x} || !{y})")
            }
            _ => {
                let ty = self.random.one(TYPES);
                let op = self.random.one(&["<", "<=", ">", ">=", "==", "!="]);
                let (x, y) = (self.expr(ty, d), self.expr(ty, d));
                format!("(({x}) {op} ({y}))")
            }
        }
    }

    fn block(&mut self, head: &str, depth: usize) {
        self.line(&format!("{head} {{"));
        self.indent += 1;
        let (before, count) = (self.more.len(), 1 + self.random.below(3));
        for _ in 0..count {
            self.statement(depth);
        }
        self.more.truncate(before);
        self.indent -= 1;
        self.line("}");
    }

    fn statement(&mut self, depth: usize) {
        if self.has_structs && self.random.below(3) == 0 {
            return self.change();
        }
        let ty = self.random.one(TYPES);
        match self.random.below(if depth == 0 { 6 } else { 12 }) {
            0 => {
                let (name, value) = (format!("w{}", self.names), self.expr(ty, 2));
                self.names += 1;
                self.line(&format!("let {name}: {ty} = {value};"));
                let ty = TYPES.iter().find(|t| **t == ty).expect("one of the types");
                self.more.push((name, ty));
            }
            1 => {
                let (i, value) = (self.expr("usize", 1), self.expr("i32", 2));
                self.line(&format!("table[({i}) % 5] = {value};"));
            }
            2 => {
                let value = self.condition(2);
                self.line(&format!("flag = {value};"));
            }
            3 => {
                let value = self.expr("u32", 2);
                self.line(&format!("pair.0 ^= {value};"));
            }
            4 | 5 => {
                let value = self.expr(ty, 2);
                let op = match ty {
                    "f32" => self.random.one(&["=", "+=", "-="]),
                    _ => self.random.one(&["=", "+=", "^=", "*="]),
                };
                self.line(&format!("v_{ty} {op} {value};"));
            }
            6 | 7 => {
                let c = self.condition(2);
                self.block(&format!("if {c}"), depth - 1);
                if self.random.below(2) == 0 {
                    self.block("else", depth - 1);
                }
            }
            8 => {
                let n = 1 + self.random.below(6);
                let head = match self.random.below(4) {
                    0 => format!("for k in (0..{n}u32).rev()"),
                    1 => format!("for k in 0..=(v_u32 % {n})"),
                    2 => format!("for k in (1..{}u32).step_by(2)", n + 4),
                    _ => format!("for k in 0..{n}u32"),
                };
                self.repeated(&head, "v_u32 = v_u32.wrapping_add(k);", depth);
            }
            9 => {
                let name = format!("left{}", self.loops);
                self.loops += 1;
                let (n, c) = (2 + self.random.below(5), self.condition(2));
                self.line(&format!("let mut {name} = {n}u32;"));
                let step = format!("{name} -= 1;");
                self.repeated(&format!("while {name} > 0 && {c}"), &step, depth);
            }
            10 => {
                let name = format!("left{}", self.loops);
                self.loops += 1;
                let n = 2 + self.random.below(5);
                self.line(&format!("let mut {name} = {n}u32;"));
                let step = format!("if {name} == 0 {{ break; }} {name} -= 1;");
                self.repeated("loop", &step, depth);
            }
            _ => {
                let c = self.condition(2);
                match self.inside {
                    0 => {
                        let (a, b) = (self.expr("u32", 1), self.expr("f32", 1));
                        let given = self.given(&a, &b);
                        self.line(&format!("if {c} {{ return {given}; }}"));
                    }
                    _ => {
                        let leave = match self.random.below(3) {
                            0 => "break".to_owned(),
                            1 => "continue".to_owned(),
                            _ => format!("return {}", self.given("v_u32", "v_f32")),
                        };
                        self.line(&format!("if {c} {{ {leave}; }}"));
                    }
                }
            }
        }
    }

    fn repeated(&mut self, head: &str, first: &str, depth: usize) {
        self.line(&format!("{head} {{"));
        self.indent += 1;
        self.inside += 1;
        self.line(first);
        let (before, count) = (self.more.len(), 1 + self.random.below(3));
        for _ in 0..count {
            self.statement(depth - 1);
        }
        self.more.truncate(before);
        self.inside -= 1;
        self.indent -= 1;
        self.line("}");
    }
}

fn function(seed: usize) -> String {
    let mut writer = Writer {
        random: Random(seed as u64 * 7919 + 1),
        text: String::new(),
        indent: 2,
        loops: 0,
        inside: 0,
        names: 0,
        more: Vec::new(),
        has_structs: seed % 2 == 1,
    };
    for _ in 0..3 + writer.random.below(4) {
        writer.statement(2);
    }
    let (a, b) = (writer.expr("u32", 2), writer.expr("f32", 1));
    let first = format!(
        "{a} ^ table[i % 5] as u32 ^ v_u8 as u32 ^ v_i64 as u32 ^ v_usize as u32 ^ v_i32 as u32 ^ v_u32"
    );
    let value = writer.given(&first, &format!("{b} + v_f32"));
    let (parameter, result, state) = match writer.has_structs {
        true => (", states: &[State]", "Out", "let mut s = states[i];"),
        false => ("", "(u32, f32)", ""),
    };
    let body = &writer.text;
    format!(
        "    #[device(range)]\n    pub fn f{seed}(i: usize, x: &[u32], y: &[i32], z: &[f32]{parameter}) -> {result} {{\n\
        \x20       let (mut v_u32, mut v_i32, mut v_f32) = (x[i], y[i], z[i]);\n\
        \x20       let (mut v_u8, mut v_i64, mut v_usize) = (v_u32 as u8, v_i32 as i64 * 65537, i);\n\
        \x20       let mut pair = (v_u32 / 3, v_f32 * 0.5);\n\
        \x20       let mut table = [v_i32, 7, -3, v_u32 as i32, 11];\n\
        \x20       let mut flag = v_u32 % 3 == 1;\n\
        \x20       {state}\n\
        {body}\
        \x20       {value}\n    }}\n"
    )
}

fn main() {
    let is_long = ["OBSIDIAN_LONG", "OBSIDIAN_FULL"].map(|name| std::env::var_os(name).is_some());
    let count = if is_long.contains(&true) { ALL } else { SAMPLE };
    let mut text =
        format!("/// How many functions there are.\npub const FUNCTIONS: usize = {count};\n");
    let mut names = String::new();
    for first in (0..count).step_by(EACH) {
        let module = format!("m{first}");
        writeln!(
            text,
            "#[allow(unused, clippy::all)]\n#[obsidian_rt::prelude::kernels]\npub mod {module} {{"
        )
        .expect("written");
        text.push_str("    #[device]\n    pub fn half(a: f32, b: f32) -> f32 {\n        if a > b {\n            return a - b;\n        }\n        (a + b) / 2.0\n    }\n");
        text.push_str(STRUCTS);
        for seed in first..(first + EACH).min(count) {
            text.push_str(&function(seed));
            let structs = ["", ", State"][seed % 2];
            writeln!(names, "    $check!({seed}, {module}, f{seed}{structs});").expect("written");
        }
        text.push_str("}\n");
        writeln!(text, "plain!({module});").expect("written");
    }
    writeln!(
        text,
        "/// Calls a macro with the number, the module and the name of each function.\n#[macro_export]\nmacro_rules! each_function {{\n    ($check:ident) => {{\n{names}    }};\n}}"
    )
    .expect("written");
    let folder = std::env::var("OUT_DIR").expect("cargo sets it");
    std::fs::write(Path::new(&folder).join("functions.rs"), text).expect("the file can be written");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=OBSIDIAN_LONG");
    println!("cargo:rerun-if-env-changed=OBSIDIAN_FULL");
}
