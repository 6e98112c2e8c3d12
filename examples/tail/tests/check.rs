//! What is accepted, what is refused, and where the mistake is.

#![allow(missing_docs)]

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tail::parse::parse;
use tail::syntax::Type;
use tail::types::{check, fits};

/// The mistake of a program, as `line:column: message`.
fn mistake(text: &str) -> Option<String> {
    let wrong = parse(text).and_then(|program| check(&program)).err()?;
    let (line, column) = wrong.place(text);
    Some(format!("{line}:{column}: {}", wrong.message))
}

#[test]
fn programs_are_accepted() {
    let programs = [
        "1.0",
        "let v1:[int]0 = addi(1,2) in i2d(v1)",
        "let v1:<int>3 = [1,2,3] in let v2:[int]1 = vreverseV{[int],[3]}(v1) in i2d(reduce{[int],[0]}(addi,0,v2))",
        // A less precise type where a more precise one is expected.
        "let v1:[int]2 = reshape{[int],[1,2]}(transp{[int],[1]}(vreverseV{[int],[2]}([20,12])),[7]) in i2d(first{[int],[2]}(v1))",
        "let v1:[double]1 = each{[int,double],[1]}(i2d,iota(10)) in reduce{[double],[0]}(fn v2:[double]0 => fn v3:[double]0 => addd(v2,v3),0.0,v1)",
        "let v3:([int]1 * [double]0) = power{[int,double],[1,0]}(fn v1:([int]1 * [double]0) => (Prj(0,v1),addd(Prj(1,v1),1.0)),5,(iota(2),0.0)) in Prj(1,v3)",
        "let mv1:[int]2 = reshape{[int],[1,2]}([2,2],[1]) in let v2:[bool]0 = idxassign([1,2],mv1,7) in i2d(first{[int],[2]}(mv1))",
        "if lti(1,2) then 1.0 else -inf",
        "let v1:[char]1 = [' ','\\n','\\'','D7','b','\\^@','\\127'] in let v2:[char]1 = prArrC(v1) in 0.0",
        "let v1:<'b0>0 = zilde{['b0],[1]}() in let v2:<int>1 = shape{['b0],[1]}(v1) in i2d(first{[int],[1]}(v2))",
        "let v1:[complex]0 = mulx(2.0j-3.2,d2x(~1.5e~10)) in rex(v1)",
        "i2d(powerScl{[int],[]}(fn v1:[int]0 => muli(2,v1),10,1))",
    ];
    for program in programs {
        assert_eq!(mistake(program), None, "{program}");
    }
}

#[test]
fn mistakes_have_a_place_and_say_what_is_there() {
    let mistakes = [
        ("", "1:1: expected an expression, found the end of the text"),
        ("1.0 2.0", "1:5: the program ends before `2.0`"),
        (
            "let x = 1 in 1.0",
            "1:5: expected a variable, `v` or `mv` and a number, found `x`",
        ),
        (
            "let v1:[int]0 = 1\nin\n  adid(1.0,2.0)",
            "3:3: there is no operator `adid`; is it `addd`?",
        ),
        ("frobnicate(1)", "1:1: there is no operator `frobnicate`"),
        ("v1", "1:1: nothing is bound to `v1` here"),
        (
            "1",
            "1:1: a program gives a scalar double, and this one S(int,1)",
        ),
        (
            "addd(1.0)",
            "1:1: `addd` takes 2 arguments, and 1 are given",
        ),
        (
            "addd(1.0,2)",
            "1:10: argument 2 of `addd` has to be [double]0, and this is S(int,2)",
        ),
        (
            "i2d(reduce(addi,0,iota(3)))",
            "1:5: `reduce` has an instance list, `reduce{[a],[r]}`",
        ),
        (
            "i2d(reduce{[int,int],[0]}(addi,0,iota(3)))",
            "1:11: the instance list of `reduce` is `{[a],[r]}`",
        ),
        (
            "i2d(addi{[int],[0]}(1,2))",
            "1:9: `addi` has no instance list",
        ),
        (
            "i2d(reduce{[int],[1]}(addi,0,iota(3)))",
            "1:30: argument 3 of `reduce` has to be [int]2, and this is [int]1",
        ),
        (
            "reduce{[double],[0]}(addi,0.0,[1.0])",
            "1:22: argument 1 of `reduce` has to be ([double]0) -> ([double]0) -> [double]0, and this is ([int]0) -> ([int]0) -> [int]0",
        ),
        (
            "let v1:<int>4 = [1,2,3] in 1.0",
            "1:17: `v1` is declared as <int>4, and this is <int>3",
        ),
        (
            "let v1:S(int,4) = 5 in 1.0",
            "1:19: `v1` is declared as S(int,4), and this is S(int,5)",
        ),
        (
            "let v1:S(int,tt) = 5 in 1.0",
            "1:10: `tt` is no value of type int",
        ),
        (
            "let v1:<int>5 = catV{[int],[2,2]}([1,2],[3,4]) in 1.0",
            "1:17: `v1` is declared as <int>5, and this is <int>4",
        ),
        (
            "let v1:[int]1 = [1,2.0] in 1.0",
            "1:20: the elements in front are scalars of int, and this is S(double,2.0)",
        ),
        (
            "let v1:[int]1 = [[1]] in 1.0",
            "1:18: an element of a vector is a scalar, and this is SV(int,1)",
        ),
        (
            "if 1 then 1.0 else 2.0",
            "1:4: the condition of `if` has to be [bool]0, and this is S(int,1)",
        ),
        (
            "if tt then 1.0 else 2",
            "1:21: the arms of `if` are S(double,1.0) and S(int,2)",
        ),
        (
            "Prj(2,(1.0,2.0))",
            "1:5: (S(double,1.0) * S(double,2.0)) has no field 2",
        ),
        (
            "let v1:[int]1 = iota(3) in let v2:[bool]0 = idxassign([1],v1,0) in 1.0",
            "1:59: `idxassign` changes a variable whose name begins with `mv`",
        ),
        (
            "power{[double],[0,0]}(negd,1,1.0)",
            "1:6: `power` has a base type and a rank for each part of its state",
        ),
        (
            "i2d(99999999999)",
            "1:5: `99999999999` is no whole number of 32 bits",
        ),
        (
            "let v1:[char]0 = 'xyz' in 1.0",
            "1:18: a character is written `'a'`, `'\\n'` or, by its code, `'D7'`",
        ),
        ("i2d(-i)", "1:5: digits are missing here"),
        ("rex(2.0j)", "1:5: digits are missing here"),
        ("1.0e400", "1:1: `1.0e400` is no double"),
        ("i2d(1 # 2)", "1:7: no token begins with `#`"),
        (
            "let v1:[float]0 = 1.0 in v1",
            "1:9: expected a base type: int, double, bool, char or complex, found `float`",
        ),
        (
            "let v1:([int]0) -> [int]0 = fn v2:[double]0 => 1 in 1.0",
            "1:29: `v1` is declared as ([int]0) -> [int]0, and this is ([double]0) -> S(int,1)",
        ),
    ];
    for (program, wanted) in mistakes {
        assert_eq!(mistake(program).as_deref(), Some(wanted), "{program}");
    }
}

/// The type of a text, by way of a binding.
fn ty(text: &str) -> Type {
    let program = parse(&format!("let v1:{text} = 1 in 1.0")).expect(text);
    match program.kind {
        tail::syntax::ExprKind::Let(bindings, _) => bindings[0].ty.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_arrows_of_the_subtyping_figure() {
    let arrows = [
        ("S(int,5)", "[int]0"),
        ("SV(int,5)", "<int>1"),
        ("SV(int,5)", "[int]1"),
        ("<int>5", "[int]1"),
        // A function takes more general arguments, and gives more precise results.
        ("([int]1) -> S(int,1)", "(<int>5) -> [int]0"),
        ("(<int>5 * S(bool,tt))", "([int]1 * [bool]0)"),
    ];
    for (precise, general) in arrows {
        assert!(fits(&ty(precise), &ty(general)), "{precise} {general}");
        assert!(fits(&ty(general), &ty(precise)), "{general} {precise}");
    }
    let apart = [
        ("[int]0", "[double]0"),
        ("[int]0", "[int]1"),
        ("<int>5", "<int>4"),
        ("SV(int,5)", "SV(int,4)"),
        ("SV(int,5)", "<int>2"),
        ("S(int,5)", "[int]1"),
        ("S(double,1.0)", "S(double,2.0)"),
        ("([int]0 * [int]0)", "([int]0 * [int]0 * [int]0)"),
        ("([int]0) -> [int]0", "[int]0"),
    ];
    for (one, other) in apart {
        assert!(!fits(&ty(one), &ty(other)), "{one} {other}");
        assert!(!fits(&ty(other), &ty(one)), "{other} {one}");
    }
}

#[test]
fn types_are_printed_as_they_are_written() {
    for text in [
        "[int]2",
        "<double>0",
        "S(bool,ff)",
        "SV(char,'x')",
        "S(char,'\\007')",
        "S(char,'\\n')",
        "S(char,'D7')",
        "([int]0) -> ([int]0) -> [bool]0",
        "([int]1 * [char]2)",
        "['b0]1",
    ] {
        assert_eq!(ty(text).to_string(), text);
    }
}

#[test]
fn deep_nesting_is_an_error_and_no_crash() {
    for (open, close) in [
        ("(", ")"),
        ("[", "]"),
        ("negd(", ")"),
        ("fn v1:[int]0 => ", ""),
    ] {
        for depth in [50, 90, 1_000, 100_000] {
            let text = format!("{}1.0{}", open.repeat(depth), close.repeat(depth));
            let said = mistake(&text);
            let is_too_deep = said
                .as_ref()
                .is_some_and(|m| m.ends_with("nested more than 100 times"));
            assert_eq!(is_too_deep, depth > 100, "{open} {depth}: {said:?}");
        }
    }
    // Chains of bindings are long in real programs.
    let chain: String = (1..20_000)
        .map(|i| format!("let v{i}:[int]0 = {i} in "))
        .collect();
    assert_eq!(mistake(&format!("{chain}1.0")), None);
}

/// Texts with tokens left out, doubled, exchanged and replaced: none makes a panic.
#[test]
fn changed_programs_are_read_without_a_panic() {
    const SEED: u64 = 53;
    let count = if std::env::var_os("OBSIDIAN_LONG").is_some() {
        200_000
    } else {
        2_000
    };
    let programs = [
        "let v1:<int>3 = [1,-2,3] in let v2:([int]1 * [double]0) = power{[int,double],[1,0]}(fn v3:([int]1 * [double]0) => (rotate{[int],[1]}(1,Prj(0,v3)),expd(Prj(1,v3))),5,(v1,1.5e-3)) in Prj(1,v2)",
        "let mv1:[char]2 = reshape{[char],[1,2]}([2,2],['a','\\n','D7']) in let v2:[bool]0 = idxassign([1,2],mv1,' ') in if v2 then inf else i2d(condScl{[int],[]}(fn v3:[int]0 => negi(v3),tt,4))",
    ];
    let pieces = [
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ",",
        "v1",
        "let",
        "in",
        "'",
        "~",
        "1.",
        "e",
        "S(int,1)",
        "->",
        "é",
        "'b0",
        "99999999999",
    ];
    let mut refused = 0;
    for n in 0..count {
        let mut random = StdRng::seed_from_u64(SEED + n);
        let mut text = programs[random.random_range(0..programs.len())].to_owned();
        for _ in 0..random.random_range(1..4) {
            let places: Vec<usize> = text.char_indices().map(|(i, _)| i).collect();
            if places.len() < 2 {
                break;
            }
            let at = places[random.random_range(0..places.len())];
            let to = places[random.random_range(0..places.len())];
            let (at, to) = (at.min(to), at.max(to).min(at.min(to) + 12));
            let to = (to..=text.len())
                .find(|i| text.is_char_boundary(*i))
                .unwrap_or(text.len());
            let piece = pieces[random.random_range(0..pieces.len())];
            match random.random_range(0..3) {
                0 => text.replace_range(at..to, ""),
                1 => text.insert_str(at, piece),
                _ => text.replace_range(at..to, piece),
            }
        }
        refused += usize::from(mistake(&text).is_some());
    }
    assert!(
        refused > count as usize / 2,
        "{refused} of {count} are refused"
    );
}
