//! Modules that are deep, long or large in one way each.

/// A way of being deep or long: its name, and the text of size `n`.
pub type Shape = (&'static str, fn(usize) -> String);

/// A module whose only kernel adds a value, after some statements.
fn adding(statements: &str, value: &str) -> String {
    format!(
        "pub mod m {{ #[kernel] pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {{ {statements} \
         input.split_up(8).as_grid_map(|chunk| chunk.map(|x| x + ({value})).push()) }} }}"
    )
}

fn around(open: &str, n: usize, middle: &str, close: &str) -> String {
    format!("{}{middle}{}", open.repeat(n), close.repeat(n))
}

/// All of them.
pub const SHAPES: &[Shape] = &[
    ("parentheses", |n| adding("", &around("(", n, "1", ")"))),
    ("blocks", |n| adding("", &around("{", n, "1", "}"))),
    ("lists", |n| {
        adding(&format!("let v = {};", around("[", n, "1", "]")), "1")
    }),
    ("tuples", |n| {
        adding(&format!("let v = {};", around("(", n, "1", ",)")), "1")
    }),
    ("tuple patterns", |n| {
        adding(&format!("let {} = 1;", around("(", n, "a", ",)")), "1")
    }),
    ("tuple types", |n| {
        adding(&format!("let v: {} = 1;", around("(", n, "u32", ",)")), "1")
    }),
    ("generic types", |n| {
        adding(
            &format!("let v: {} = vec![];", around("Vec<", n, "u32", ">")),
            "1",
        )
    }),
    ("function types", |n| {
        adding(
            &format!("let v: {} = 1;", around("impl Fn() -> ", n, "u32", "")),
            "1",
        )
    }),
    ("reference types", |n| {
        adding(&format!("let v: {} = 1;", around("&", n, "u32", "")), "1")
    }),
    ("pointer types", |n| {
        adding(
            &format!("let v: {} = 1;", around("*const ", n, "u32", "")),
            "1",
        )
    }),
    ("a sum", |n| adding("", &format!("1{}", " + 0".repeat(n)))),
    ("a sum of elements", |n| {
        adding("", &format!("x{}", " + x".repeat(n)))
    }),
    ("a sum of different types", |n| {
        adding("", &format!("1u32{}", " + 0u8".repeat(n)))
    }),
    ("comparisons", |n| {
        adding(&format!("let b = true{};", " && 1 < 2".repeat(n)), "1")
    }),
    ("negations", |n| adding("", &around("!", n, "1u32", ""))),
    ("minus signs", |n| adding("", &around("- ", n, "1", ""))),
    ("dereferences", |n| adding("", &around("*", n, "x", ""))),
    ("references", |n| adding("", &around("& ", n, "x", ""))),
    ("method calls", |n| {
        adding("", &format!("x{}", ".min(7u32)".repeat(n)))
    }),
    ("maps", |n| {
        adding(
            &format!("let input = input{};", ".map(|x| x + 1)".repeat(n)),
            "1",
        )
    }),
    ("reversals", |n| {
        adding(
            &format!(
                "let input = input.split_up(4).map(|c| c{}).concat();",
                ".reverse()".repeat(n)
            ),
            "1",
        )
    }),
    ("fields", |n| adding("", &format!("x{}", ".0 ".repeat(n)))),
    ("indices", |n| adding("", &format!("x{}", "[0]".repeat(n)))),
    ("calls of calls", |n| {
        adding("", &format!("x{}", "()".repeat(n)))
    }),
    ("question marks", |n| {
        adding("", &format!("x{}", "?".repeat(n)))
    }),
    ("casts", |n| {
        adding("", &format!("1{}", " as u32".repeat(n)))
    }),
    ("assignments", |n| {
        adding(&format!("let mut a = 1; {} 1;", "a = ".repeat(n)), "a")
    }),
    ("ranges", |n| {
        adding(&format!("let r = {} 1;", "..".repeat(n)), "1")
    }),
    ("returns", |n| adding("", &around("return ", n, "1", ""))),
    ("breaks", |n| adding("", &around("break ", n, "1", ""))),
    ("closures", |n| {
        adding(&format!("let f = {} 1;", "|a| ".repeat(n)), "1")
    }),
    ("closures without parameters", |n| {
        adding(&format!("let f = {} 1;", "|| ".repeat(n)), "1")
    }),
    ("closures with move", |n| {
        adding(&format!("let f = {} 1;", "move || ".repeat(n)), "1")
    }),
    ("closures that capture", |n| {
        adding(&format!("let a = 1; let f = {} a;", "|b| ".repeat(n)), "1")
    }),
    ("else ifs", |n| {
        adding(
            "",
            &format!(
                "if 1 == 2 {{ 1 }} {} else {{ 4 }}",
                "else if 1 == 3 { 2 } ".repeat(n)
            ),
        )
    }),
    ("ifs in conditions", |n| {
        adding(
            "",
            &format!(
                "{} true {}",
                "if ".repeat(n),
                "{ true } else { false }".repeat(n)
            ),
        )
    }),
    ("matches of matches", |n| {
        adding(
            "",
            &format!("{} 1 {}", "match ".repeat(n), "{ a => a }".repeat(n)),
        )
    }),
    ("loops over loops", |n| {
        adding(
            &format!("{} 0..1 {}", "for i in ".repeat(n), "{ }".repeat(n)),
            "1",
        )
    }),
    ("alternatives", |n| {
        adding(
            "",
            &format!("match 1 {{ 0 {} => 1, _ => 2 }}", " | 1".repeat(n)),
        )
    }),
    ("reference patterns", |n| {
        adding(&format!("let {} = 1;", around("& ", n, "a", "")), "1")
    }),
    ("arms", |n| {
        adding(
            "",
            &format!("match 1 {{ {} _ => 2 }}", "0 => 1, ".repeat(n)),
        )
    }),
    ("attributes", |n| {
        adding(&format!("{} let a = 1;", "#[a] ".repeat(n)), "1")
    }),
    ("path segments", |n| {
        adding("", &format!("a{}", "::a".repeat(n)))
    }),
    ("bounds", |n| {
        format!(
            "pub mod m {{ fn f<T: A {}>(x: T) {{}} {}",
            "+ A ".repeat(n),
            &adding("", "1")[11..]
        )
    }),
    ("statements", |n| adding(&"let a = 1; ".repeat(n), "1")),
    ("loops", |n| adding(&"for i in 0..1 { } ".repeat(n), "1")),
    ("documentation", |n| {
        format!(
            "pub mod m {{ {} {}",
            "/// Text.\n".repeat(n),
            &adding("", "1")[11..]
        )
    }),
    ("functions", |n| {
        format!(
            "pub mod m {{ {} {}",
            "fn f(x: u32) -> u32 { x }".repeat(n),
            &adding("", "1")[11..]
        )
    }),
    ("parameters", |n| {
        format!(
            "pub mod m {{ fn f({}) -> u32 {{ 1 }} {}",
            "x: u32, ".repeat(n),
            &adding("", "1")[11..]
        )
    }),
    ("elements of a list", |n| {
        adding(&format!("let v = [{}];", "1, ".repeat(n)), "1")
    }),
    ("a long name", |n| adding("", &"a".repeat(n))),
    ("a long number", |n| adding("", &"9".repeat(n))),
    ("a long text", |n| {
        adding(&format!("assert!(1 == 2, \"{}\");", "a".repeat(n)), "1")
    }),
    ("invisible brackets", |n| {
        adding("", &format!("vec![{}]", around("vec![", n, "1", "]")))
    }),
    ("calls in calls", |n| {
        adding("", &around("x.min(", n, "x", ")"))
    }),
    ("functions in functions", |n| {
        adding("", &around("x.max(f(|a| ", n, "x", "))"))
    }),
    ("closures in calls", |n| {
        adding(
            &format!("let f = {};", around("fun(|a| ", n, "a", ")")),
            "1",
        )
    }),
    ("ifs in ifs", |n| {
        adding("", &around("if 1 == 1 { ", n, "1", "} else { 2 }"))
    }),
    ("long chains in brackets", |n| {
        adding(
            "",
            &around("(", n, "x", &format!("{})", ".min(x)".repeat(n.min(300)))),
        )
    }),
    ("modules", |n| around("mod m { ", n, "", "}")),
    ("uses", |n| {
        format!(
            "pub mod m {{ use crate::{{ {} }}; {}",
            around("a::{", n, "b", "}"),
            &adding("", "1")[11..]
        )
    }),
    ("use paths", |n| {
        format!(
            "pub mod m {{ use crate::{}b; {}",
            "a::".repeat(n),
            &adding("", "1")[11..]
        )
    }),
];

/// Modules that ask for more work or memory than a compiler should spend: the shape, and the text
/// at size `n`.
pub const HUNGRY: &[Shape] = &[
    ("recursion in two places", |n| {
        let inner = adding("", &format!("twice({n})"));
        format!(
            "pub mod m {{ fn twice(n: u32) -> u32 {{ if n == 0 {{ 1 }} else {{ twice(n - 1) + twice(n - 1) }} }} {}",
            &inner[11..]
        )
    }),
    ("an expression that doubles", |n| {
        adding(
            "",
            &format!("{{ let mut y = x; for i in 0..{n} {{ y = y * y + y; }} y }}"),
        )
    }),
    ("expressions in loops", |n| {
        adding(
            "",
            &format!("{{ let mut y = x; for i in 0..{n} {{ y = y * 3 + (i as u32); }} y }}"),
        )
    }),
    ("a list that doubles", |n| {
        adding(
            &format!("let mut v = vec![0u32]; for i in 0..{n} {{ v.extend(v.clone()); }}"),
            "v[0]",
        )
    }),
    ("a tuple that doubles", |n| {
        adding(
            &format!("let mut v = (0u32, 0u32); for i in 0..{n} {{ v = (v, v); }}"),
            "1",
        )
    }),
    ("a literal that doubles", |n| {
        adding(
            &format!("let mut y = lit(1); for i in 0..{n} {{ y = y * y + 1; }}"),
            "y",
        )
    }),
    ("a choice of literals that doubles", |n| {
        adding(
            "",
            &format!(
                "{{ let mut y = select(x > 3, 1, 2); for i in 0..{n} {{ y = select(x > 5, y, y); }} y }}"
            ),
        )
    }),
    ("an array that doubles", |n| {
        adding(
            &format!("let mut a = input.split_up(4); for i in 0..{n} {{ a = append(a, a); }}"),
            "1",
        )
    }),
    ("maps of maps", |n| {
        format!(
            "pub mod m {{ #[kernel] pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {{ input.split_up(64).as_grid_map(|chunk| {{ \
             let mut a = chunk; for i in 0..{n} {{ a = a.map(|x| x + 1); }} a.push() }}) }} }}"
        )
    }),
    ("arrays of arrays", |n| {
        format!(
            "pub mod m {{ #[kernel] pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {{ input.split_up(64).as_grid_map(|chunk| {{ \
             let mut a = chunk; for i in 0..{n} {{ a = zip_with(|x, y| x + y, a, a.reverse()); }} a.push() }}) }} }}"
        )
    }),
    ("programs that are pushed often", |n| {
        format!(
            "pub mod m {{ #[kernel] pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {{ input.split_up(64).as_grid_map(|chunk| \
             exec_block({{ let mut a = chunk; for i in 0..{n} {{ a = compute(a.map(|x| x + 1))?; }} pure(a.push()) }})) }} }}"
        )
    }),
    ("a large array", |n| {
        format!(
            "pub mod m {{ #[kernel] pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {{ \
             input.split_up({n}).as_grid_map(|chunk| chunk.ix_map(|i| (i * 7) % {n}).push()) }} }}"
        )
    }),
    ("a program for each element", |n| {
        format!(
            "pub mod m {{ #[kernel] pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {{ input.split_up({n}).as_grid_map(|chunk| \
             append_all((0..{n}).map(|i| singleton(chunk[i])).collect::<Vec<_>>())) }} \
             fn append_all(v: Vec<Pull<EU32>>) -> Push<Block, EU32> {{ let mut a = v[0]; for b in v.iter().skip(1) {{ a = append(a, b); }} a.push() }} }}"
        )
    }),
    ("loops in loops", |n| {
        adding(
            &format!(
                "let mut s = 0u32; for i in 0..{n} {{ for j in 0..{n} {{ for k in 0..{n} {{ s = 1 - s; }} }} }}"
            ),
            "s",
        )
    }),
    ("a stored array in a loop of the device", |n| {
        format!(
            "pub mod m {{ #[kernel] pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {{ input.split_up(64).as_grid_map(|chunk| \
             chunk.map(|x| {{ let mut s = x; for i in 0..{n} {{ s = select(s > x, s + x, s ^ x); }} s }}).push()) }} }}"
        )
    }),
];
