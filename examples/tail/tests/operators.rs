//! Each group of operators by examples that are worked out by hand.

mod comparing;
mod naive;

use std::path::{Path, PathBuf};

use obsidian_rt::Device;

use comparing::opaque::opaque;
use comparing::run_on;
use naive::{Outcome, Settings, evaluate};

fn run_with(program: &str, settings: &Settings) -> Result<Outcome, String> {
    let program = tail::parse::parse(program).map_err(|mistake| mistake.shown("", program))?;
    evaluate(&program, settings)
}

fn run(program: &str) -> Result<Outcome, String> {
    run_with(program, &Settings::default())
}

/// The output of a program, with no line end behind it.
fn output(program: &str) -> String {
    let outcome = run(program).unwrap_or_else(|error| panic!("{program}: {error}"));
    outcome
        .output
        .strip_suffix('\n')
        .unwrap_or_default()
        .to_owned()
}

/// An expression whose elements have the type of a letter prints a text. The evaluator looks at no type that is written in a program.
fn prints(letter: char, expression: &str, expected: &str) {
    let program = format!("let v99:[int]1 = prArr{letter}({expression}) in 0.0");
    assert_eq!(output(&program), expected, "{expression}");
    let known = tail::parse::parse(&program).expect(expression);
    for (how, parsed) in [("", &known), ("stored: ", &opaque(&known))] {
        let printed = run_on(&Device::cpu(), parsed, &program, Path::new("."));
        let printed = printed.unwrap_or_else(|error| panic!("{how}{expression}: {error}"));
        let printed = printed.strip_suffix("\n[](0.0)\n").unwrap_or(&printed);
        assert!(
            comparing::compared(printed, expected).is_ok(),
            "{how}{expression}: {printed}, and not {expected}"
        );
    }
}

/// An expression is an error whose message has a text in it; the checker of types refuses it, or a run fails.
fn fails(expression: &str, expected: &str) {
    exceeds(expression, expected);
    let program = format!("let v99:[int]1 = {expression} in 0.0");
    let parsed = tail::parse::parse(&program).expect(expression);
    if tail::types::check(&parsed).is_ok() {
        let ran = run_on(&Device::cpu(), &parsed, &program, Path::new("."));
        assert!(ran.is_err(), "{expression}: {ran:?}");
    }
}

/// The evaluator refuses an expression, with a message that has a text in it.
fn exceeds(expression: &str, expected: &str) {
    let error = run(&format!("let v99:[int]1 = {expression} in 0.0")).expect_err(expression);
    assert!(error.contains(expected), "{expression}: {error}");
}

/// `[2,1,2,2](1,2,3,4,5,6,7,8)`
const FOUR: &str = "reshape{[int],[1,4]}([2,1,2,2],iota(8))";

/// `[2,3,2]`, with 1 to 12.
const THREE: &str = "reshape{[int],[1,3]}([2,3,2],iota(12))";

/// Rows 1 2 3 and 4 5 6.
const TWO: &str = "reshape{[int],[1,2]}([2,3],iota(6))";

#[test]
fn whole_numbers_wrap() {
    prints('I', "addi(2147483647,1)", "[](-2147483648)");
    prints('I', "subi(-2147483648,1)", "[](2147483647)");
    prints('I', "muli(65536,65536)", "[](0)");
    prints('I', "muli(-3,7)", "[](-21)");
    prints('I', "negi(-2147483648)", "[](-2147483648)");
    prints('I', "absi(-5)", "[](5)");
    prints('I', "maxi(-1,-2)", "[](-1)");
    prints('I', "mini(-1,-2)", "[](-2)");
}

#[test]
fn a_residue_has_the_sign_of_the_divisor() {
    prints('I', "resi(3,7)", "[](1)");
    prints('I', "resi(3,-7)", "[](2)");
    prints('I', "resi(-3,7)", "[](-2)");
    prints('I', "resi(-3,-7)", "[](-1)");
    prints('I', "resi(3,6)", "[](0)");
    prints('I', "resi(-3,6)", "[](0)");
    prints('I', "resi(-1,-2147483648)", "[](0)");
    prints('D', "resd(3.0,-7.5)", "[](1.5)");
    prints('D', "resd(-3.0,7.5)", "[](-1.5)");
    // The quotients are no doubles: 10^6 leaves 1, and 10^17 and 10^20 so what 10^5 and 10^2 do.
    prints(
        'D',
        "[resd(7.0,1e17),resd(7.0,1e18),resd(7.0,1e20),resd(7.0,-1e20)]",
        "[4](5.0,1.0,2.0,5.0)",
    );
}

#[test]
fn a_residue_by_zero_is_the_dividend() {
    prints('I', "resi(0,-7)", "[](-7)");
    prints('D', "resd(0.0,2.5)", "[](2.5)");
}

#[test]
fn the_sign_of_zero_is_zero() {
    prints('I', "[signi(-9),signi(0),signi(9)]", "[3](-1,0,1)");
    prints('I', "[signd(-0.5),signd(0.0),signd(0.5)]", "[3](-1,0,1)");
    prints('I', "signd(negd(0.0))", "[](0)");
}

#[test]
fn bits_are_those_of_a_32_bit_word() {
    prints(
        'I',
        "[andi(12,10),ori(12,10),xori(12,10),noti(0)]",
        "[4](8,14,6,-1)",
    );
    prints(
        'I',
        "[shli(1,10),shli(1,31),shli(3,31)]",
        "[3](1024,-2147483648,-2147483648)",
    );
    prints(
        'I',
        "[shri(-1,28),shari(-16,2),shari(16,2)]",
        "[3](15,-4,4)",
    );
    prints(
        'I',
        "[shli(1,32),shri(-1,32),shari(-1,32),shari(5,40)]",
        "[4](0,0,-1,0)",
    );
}

#[test]
fn doubles_follow_ieee() {
    prints(
        'D',
        "[addd(1.5,2.0),subd(1.5,2.0),muld(1.5,2.0),divd(3.0,2.0)]",
        "[4](3.5,-0.5,3.0,1.5)",
    );
    prints(
        'D',
        "[divd(1.0,0.0),divd(-1.0,0.0)]",
        "[2](HUGE_VAL,-HUGE_VAL)",
    );
    prints(
        'D',
        "[maxd(1.0,2.0),mind(1.0,2.0),absd(-1.5),negd(1.5)]",
        "[4](2.0,1.0,1.5,-1.5)",
    );
    prints(
        'D',
        "[powd(2.0,10.0),powd(4.0,0.5),expd(0.0),ln(1.0)]",
        "[4](1024.0,2.0,1.0,0.0)",
    );
    prints(
        'D',
        "[sin(0.0),cos(0.0),tan(0.0),asin(0.0),acos(1.0)]",
        "[5](0.0,1.0,0.0,0.0,0.0)",
    );
    prints('D', "[sinh(0.0),cosh(0.0),tanh(0.0)]", "[3](0.0,1.0,0.0)");
    prints('D', "[atan(1.0),pi()]", "[2](0.785398163397,3.14159265359)");
}

#[test]
fn conversions_round_toward_the_named_side() {
    prints(
        'I',
        "[floor(2.7),floor(-2.7),ceil(2.2),ceil(-2.2)]",
        "[4](2,-3,3,-2)",
    );
    prints(
        'I',
        "[floor(3.0),ceil(3.0),b2i(tt),b2i(ff)]",
        "[4](3,3,1,0)",
    );
    prints('D', "i2d(-3)", "[](-3.0)");
    prints('X', "d2x(-1.5)", "[](-1.5j0.0)");
}

#[test]
fn comparisons_give_truth_values() {
    for letter in ["i", "d", "c"] {
        let (a, b) = match letter {
            "i" => ("-2", "1"),
            "d" => ("-2.5", "1.0"),
            _ => ("'a'", "'b'"),
        };
        let names = ["lt", "lte", "gt", "gte", "eq"];
        let all = |a: &str, b: &str| {
            names
                .map(|name| format!("{name}{letter}({a},{b})"))
                .join(",")
        };
        prints('B', &format!("[{}]", all(a, b)), "[5](1,1,0,0,0)");
        prints('B', &format!("[{}]", all(b, a)), "[5](0,0,1,1,0)");
        prints('B', &format!("[{}]", all(a, a)), "[5](0,1,0,1,1)");
    }
}

#[test]
fn truth_values_have_their_tables() {
    let table = |name: &str| {
        let pairs = ["ff,ff", "ff,tt", "tt,ff", "tt,tt"];
        format!(
            "[{}]",
            pairs.map(|pair| format!("{name}({pair})")).join(",")
        )
    };
    prints('B', &table("andb"), "[4](0,0,0,1)");
    prints('B', &table("orb"), "[4](0,1,1,1)");
    prints('B', &table("xorb"), "[4](0,1,1,0)");
    prints('B', &table("eqb"), "[4](1,0,0,1)");
    prints('B', &table("nandb"), "[4](1,1,1,0)");
    prints('B', &table("norb"), "[4](1,0,0,0)");
    prints('B', "[notb(tt),notb(ff)]", "[2](0,1)");
}

#[test]
fn complex_numbers_have_two_parts() {
    prints('X', "addx(1.0j2.0,3.0j-4.0)", "[](4.0j-2.0)");
    prints('X', "subx(1.0j2.0,3.0j-4.0)", "[](-2.0j6.0)");
    prints('X', "mulx(1.0j2.0,3.0j4.0)", "[](-5.0j10.0)");
    prints(
        'X',
        "[conjx(1.0j2.0),negx(1.0j2.0)]",
        "[2](1.0j-2.0,-1.0j-2.0)",
    );
    prints('X', "[injx(2.0),expx(0.0j0.0)]", "[2](0.0j2.0,1.0j0.0)");
    prints(
        'D',
        "[rex(1.0j2.0),imx(1.0j2.0),magnx(3.0j-4.0)]",
        "[3](1.0,2.0,5.0)",
    );
}

#[test]
fn iota_counts_from_one() {
    prints('I', "iota(3)", "[3](1,2,3)");
    prints('I', "iotaV(1)", "[1](1)");
    prints('I', "iota(0)", "[0]()");
    fails("iota(-1)", "-1");
}

#[test]
fn a_shape_has_an_element_per_axis() {
    prints('I', "shape{[int],[0]}(5)", "[0]()");
    prints('I', "shape{[int],[1]}(iota(7))", "[1](7)");
    prints('I', &format!("shape{{[int],[4]}}({FOUR})"), "[4](2,1,2,2)");
}

#[test]
fn reshape_repeats_cuts_and_fills() {
    prints('I', "reshape{[int],[1,1]}([5],[1,2])", "[5](1,2,1,2,1)");
    prints('I', "reshape{[int],[1,1]}([2],[1,2,3])", "[2](1,2)");
    prints('I', "reshape{[int],[0,2]}([2,2],7)", "\n 7 7\n 7 7\n");
    prints('I', "reshape{[int],[1,1]}([2],iota(0))", "[2](0,0)");
    prints('I', "reshape{[int],[1,2]}([0,3],[1])", "[0,3]()");
    prints('I', "reshape{[int],[1,0]}([],[4,5])", "[](4)");
    prints('C', "reshape{[char],[1,1]}([3],zilde{[char],[1]}())", "   ");
    fails("reshape{[int],[1,1]}([-1],[1])", "-1");
}

#[test]
fn ravel_and_first_read_row_by_row() {
    prints('I', &format!("rav{{[int],[2]}}({TWO})"), "[6](1,2,3,4,5,6)");
    prints('I', "rav{[int],[0]}(5)", "[1](5)");
    prints(
        'I',
        &format!("first{{[int],[4]}}(vreverse{{[int],[4]}}({FOUR}))"),
        "[](5)",
    );
}

#[test]
fn the_first_of_nothing_is_the_default() {
    prints('I', "first{[int],[1]}(iota(0))", "[](0)");
    prints('D', "first{[double],[1]}(zilde{[double],[1]}())", "[](0.0)");
    prints('B', "first{[bool],[1]}(zilde{[bool],[1]}())", "[](0)");
    prints('C', "first{[char],[1]}(zilde{[char],[1]}())", "[]( )");
    prints(
        'X',
        "first{[complex],[1]}(zilde{[complex],[1]}())",
        "[](0.0j0.0)",
    );
}

#[test]
fn take_counts_from_either_end_and_fills() {
    prints('I', "take{[int],[1]}(2,[1,2,3])", "[2](1,2)");
    prints('I', "take{[int],[1]}(-2,[1,2,3])", "[2](2,3)");
    prints('I', "take{[int],[1]}(4,[1,2])", "[4](1,2,0,0)");
    prints('I', "take{[int],[1]}(-4,[1,2])", "[4](0,0,1,2)");
    prints('I', "take{[int],[1]}(0,[1,2])", "[0]()");
    prints('I', "takeV{[int],[2]}(2,iota(0))", "[2](0,0)");
    prints('I', "take{[int],[0]}(3,5)", "[3](5,0,0)");
    prints('C', "take{[char],[1]}(-3,['a'])", "  a");
    prints(
        'I',
        &format!("take{{[int],[2]}}(-3,{TWO})"),
        "\n 0 0 0\n 1 2 3\n 4 5 6\n",
    );
    prints(
        'I',
        &format!("take{{[int],[4]}}(-1,{FOUR})"),
        "[1,1,2,2](5,6,7,8)",
    );
}

#[test]
fn drop_leaves_the_rest() {
    prints('I', "drop{[int],[1]}(1,[1,2,3])", "[2](2,3)");
    prints('I', "drop{[int],[1]}(-1,[1,2,3])", "[2](1,2)");
    prints('I', "drop{[int],[1]}(0,[1,2])", "[2](1,2)");
    prints('I', "dropV{[int],[0]}(5,[1,2])", "[0]()");
    prints('I', "drop{[int],[1]}(-5,[1,2])", "[0]()");
    prints('I', "drop{[int],[0]}(1,5)", "[](5)");
    prints('I', &format!("drop{{[int],[2]}}(1,{TWO})"), "\n 4 5 6\n");
    prints('I', &format!("drop{{[int],[2]}}(2,{TWO})"), "[0,3]()");
}

#[test]
fn rotations_are_cyclic_along_the_last_or_the_first_axis() {
    prints('I', "rotate{[int],[1]}(1,[1,2,3])", "[3](2,3,1)");
    prints('I', "rotate{[int],[1]}(-1,[1,2,3])", "[3](3,1,2)");
    prints('I', "rotateV{[int],[3]}(5,[1,2,3])", "[3](3,1,2)");
    prints('I', "rotate{[int],[1]}(2,iota(0))", "[0]()");
    prints('I', "vrotate{[int],[1]}(2,[7])", "[1](7)");
    prints('I', "rotate{[int],[0]}(2,7)", "[](7)");
    prints(
        'I',
        &format!("rotate{{[int],[2]}}(1,{TWO})"),
        "\n 2 3 1\n 5 6 4\n",
    );
    prints(
        'I',
        &format!("vrotate{{[int],[2]}}(1,{TWO})"),
        "\n 4 5 6\n 1 2 3\n",
    );
    prints(
        'I',
        &format!("rotate{{[int],[4]}}(1,{FOUR})"),
        "[2,1,2,2](2,1,4,3,6,5,8,7)",
    );
}

#[test]
fn vreverse_reverses_the_first_axis() {
    prints('I', "vreverse{[int],[1]}([1,2,3])", "[3](3,2,1)");
    prints('I', "vreverseV{[int],[0]}(iota(0))", "[0]()");
    prints('I', "vreverse{[int],[0]}(5)", "[](5)");
    prints(
        'I',
        &format!("vreverse{{[int],[2]}}({TWO})"),
        "\n 4 5 6\n 1 2 3\n",
    );
    prints(
        'I',
        &format!("vreverse{{[int],[4]}}({FOUR})"),
        "[2,1,2,2](5,6,7,8,1,2,3,4)",
    );
}

#[test]
fn transp_reverses_the_axes() {
    prints('I', "transp{[int],[0]}(5)", "[](5)");
    prints('I', "transp{[int],[1]}([1,2])", "[2](1,2)");
    prints(
        'I',
        &format!("transp{{[int],[2]}}({TWO})"),
        "\n 1 4\n 2 5\n 3 6\n",
    );
    prints(
        'I',
        &format!("transp{{[int],[4]}}({FOUR})"),
        "[2,2,1,2](1,5,3,7,2,6,4,8)",
    );
    prints(
        'I',
        "transp{[int],[2]}(reshape{[int],[1,2]}([0,3],[1]))",
        "[3,0]()",
    );
}

#[test]
fn transp2_says_where_each_axis_goes() {
    let swapped = "[3,2,2](1,2,7,8,3,4,9,10,5,6,11,12)";
    prints(
        'I',
        &format!("transp2{{[int],[3]}}([2,1,3],{THREE})"),
        swapped,
    );
    let turned = "[2,2,3](1,3,5,7,9,11,2,4,6,8,10,12)";
    prints(
        'I',
        &format!("transp2{{[int],[3]}}([2,3,1],{THREE})"),
        turned,
    );
    fails(
        &format!("transp2{{[int],[3]}}([1,1,3],{THREE})"),
        "permutation",
    );
    fails(
        &format!("transp2{{[int],[3]}}([1,2],{THREE})"),
        "permutation",
    );
    fails(
        &format!("transp2{{[int],[3]}}([0,1,2],{THREE})"),
        "permutation",
    );
}

#[test]
fn cat_joins_along_the_last_axis() {
    prints('I', "cat{[int],[1]}([1],[2,3])", "[3](1,2,3)");
    prints('I', "catV{[int],[0,1]}(iota(0),[2])", "[1](2)");
    let column = "reshape{[int],[1,2]}([2,1],[8,9])";
    prints(
        'I',
        &format!("cat{{[int],[2]}}({column},{TWO})"),
        "\n 8 1 2 3\n 9 4 5 6\n",
    );
    prints(
        'I',
        &format!("cat{{[int],[4]}}({FOUR},{FOUR})"),
        "[2,1,2,4](1,2,1,2,3,4,3,4,5,6,5,6,7,8,7,8)",
    );
    prints('C', "cat{[char],[1]}(zilde{['b0],[1]}(),['a'])", "a");
    fails(
        &format!("cat{{[int],[2]}}({TWO},reshape{{[int],[1,2]}}([3,1],[1]))"),
        "cat",
    );
}

#[test]
fn cons_and_snoc_add_an_item_of_a_rank_less() {
    prints('I', "cons{[int],[0]}(1,[2,3])", "[3](1,2,3)");
    prints('I', "snocV{[int],[0]}(iota(0),1)", "[1](1)");
    prints(
        'I',
        &format!("cons{{[int],[1]}}([8,9],{TWO})"),
        "\n 8 1 2 3\n 9 4 5 6\n",
    );
    prints(
        'I',
        &format!("snoc{{[int],[1]}}({TWO},[8,9])"),
        "\n 1 2 3 8\n 4 5 6 9\n",
    );
}

#[test]
fn idx_s_takes_an_item_along_an_axis() {
    prints('I', "idxS{[int],[0]}(1,2,[7,8,9])", "[](8)");
    prints('I', &format!("idxS{{[int],[1]}}(1,2,{TWO})"), "[3](4,5,6)");
    prints('I', &format!("idxS{{[int],[1]}}(2,3,{TWO})"), "[2](3,6)");
    prints(
        'I',
        &format!("idxS{{[int],[3]}}(3,2,{FOUR})"),
        "[2,1,2](3,4,7,8)",
    );
    fails("idxS{[int],[0]}(1,4,[7,8,9])", "index 4");
    fails("idxS{[int],[0]}(1,0,[7,8,9])", "index 0");
    fails("idxS{[int],[0]}(2,1,[7,8,9])", "index 2");
}

#[test]
fn idxassign_changes_one_variable_alone() {
    let program = "let mv1:[int]2 = reshape{[int],[1,2]}([2,2],iota(4)) in let v2:[int]2 = mv1 in
        let v3:[bool]0 = idxassign([2,1],mv1,9) in let v4:[int]2 = prArrI(mv1) in let v5:[int]2 = prArrI(v2) in 0.0";
    assert_eq!(output(program), "\n 1 2\n 9 4\n\n\n 1 2\n 3 4\n");
    let assign = |indices: &str, value: &str| {
        format!(
            "let mv1:[int]1 = iota(2) in let v2:[bool]0 = idxassign({indices},mv1,{value}) in mv1"
        )
    };
    prints('I', &assign("[2]", "5"), "[2](1,5)");
    fails(&assign("[3]", "5"), "index 3");
    fails(&assign("[1,1]", "5"), "idxassign");
    fails(&assign("[1]", "'a'"), "idxassign");
    fails("idxassign([1],[1,2],5)", "variable");
}

#[test]
fn each_and_zip_with_go_by_element() {
    prints('I', "each{[int,int],[0]}(negi,5)", "[](-5)");
    prints(
        'I',
        "eachV{[int,int],[1]}(fn v1:[int]0 => addi(v1,v1),[4])",
        "[1](8)",
    );
    prints('C', "each{[int,char],[1]}(fn v1:[int]0 => 'x',iota(0))", "");
    prints(
        'D',
        &format!("each{{[int,double],[2]}}(i2d,{TWO})"),
        "\n 1.0 2.0 3.0\n 4.0 5.0 6.0\n",
    );
    prints(
        'I',
        "zipWith{[int,int,int],[1]}(subi,[5,6],[1,2])",
        "[2](4,4)",
    );
    prints(
        'I',
        "zipWith{[int,int,int],[0]}(fn v1:[int]0 => fn v2:[int]0 => subi(v1,v2),5,1)",
        "[](4)",
    );
    prints(
        'B',
        "zipWith{[int,int,bool],[1]}(lti,iota(0),iota(0))",
        "[0]()",
    );
}

#[test]
fn zip_with_of_two_shapes_names_both() {
    fails(
        "zipWith{[int,int,int],[1]}(addi,[1,2],[1,2,3])",
        "[2] and [3]",
    );
    fails(
        &format!("zipWith{{[int,int,int],[2]}}(addi,{TWO},transp{{[int],[2]}}({TWO}))"),
        "[2, 3] and [3, 2]",
    );
}

#[test]
fn reduce_goes_along_the_last_axis_from_the_right() {
    prints('I', "reduce{[int],[0]}(subi,0,[1,2,3,4])", "[](-2)");
    prints('I', "reduce{[int],[0]}(subi,99,[7])", "[](7)");
    prints('I', "reduce{[int],[0]}(addi,99,iota(0))", "[](99)");
    prints('I', "reduce{[int],[0]}(addi,99,5)", "[](5)");
    prints(
        'I',
        &format!("reduce{{[int],[1]}}(addi,0,{TWO})"),
        "[2](6,15)",
    );
    prints(
        'I',
        &format!("reduce{{[int],[3]}}(subi,0,{FOUR})"),
        "[2,1,2](-1,-1,-1,-1)",
    );
}

#[test]
fn reduce_of_empty_rows_gives_neutral_elements() {
    prints(
        'I',
        "reduce{[int],[1]}(addi,9,reshape{[int],[1,2]}([2,0],[1]))",
        "[2](9,9)",
    );
    prints(
        'I',
        "reduce{[int],[1]}(addi,9,reshape{[int],[1,2]}([0,2],[1]))",
        "[0]()",
    );
}

#[test]
fn scan_reduces_each_beginning_from_the_right() {
    prints('I', "scan{[int],[1]}(subi,0,[1,2,3,4])", "[4](1,-1,2,-2)");
    prints('I', "scan{[int],[1]}(addi,0,iota(0))", "[0]()");
    prints('I', "scan{[int],[0]}(addi,0,5)", "[](5)");
    prints(
        'I',
        &format!("scan{{[int],[2]}}(addi,0,{TWO})"),
        "\n  1  3  6\n  4  9 15\n",
    );
}

#[test]
fn loops_run_as_often_as_told() {
    prints(
        'I',
        "power{[int],[1]}(fn v1:[int]1 => vreverse{[int],[1]}(v1),3,[1,2])",
        "[2](2,1)",
    );
    prints(
        'I',
        "power{[int],[1]}(fn v1:[int]1 => cat{[int],[1]}(v1,v1),2,[1])",
        "[4](1,1,1,1)",
    );
    prints(
        'I',
        "power{[int],[1]}(fn v1:[int]1 => vreverse{[int],[1]}(v1),0,[1,2])",
        "[2](1,2)",
    );
    prints(
        'I',
        "powerScl{[int],[]}(fn v1:[int]0 => muli(v1,2),10,1)",
        "[](1024)",
    );
    let swap = "fn v1:([int]0 * [int]0) => (Prj(1,v1),addi(Prj(0,v1),Prj(1,v1)))";
    prints(
        'I',
        &format!("Prj(0,power{{[int,int],[0,0]}}({swap},10,(0,1)))"),
        "[](55)",
    );
    prints('I', "condScl{[int],[]}(negi,tt,5)", "[](-5)");
    prints('I', "condScl{[int],[]}(negi,ff,5)", "[](5)");
    fails("powerScl{[int],[]}(negi,-1,1)", "-1");
}

#[test]
fn counts_say_how_often_an_element_stays() {
    prints('I', "compress{[int],[1]}([tt,ff,tt],[1,2,3])", "[2](1,3)");
    prints('I', "compress{[int],[1]}([ff],[1])", "[0]()");
    prints(
        'I',
        "compress{[int],[1]}(zilde{[bool],[1]}(),iota(0))",
        "[0]()",
    );
    prints(
        'I',
        "replicate{[int],[1]}(0,[2,-2,0,1],[5,6,7,8])",
        "[5](5,5,0,0,8)",
    );
    prints(
        'C',
        "replicate{[char],[1]}(' ',[1,-1,1],['a','b','c'])",
        "a c",
    );
    prints(
        'I',
        "replicate{[int],[1]}(9,[2,-2,0,1],[5,6,7,8])",
        "[5](5,5,9,9,8)",
    );
    prints(
        'I',
        "each{[int,int],[1]}(fn v1:[int]0 => reduce{[int],[0]}(addi,0,replicate{[int],[1]}(v1,[1,-3],[10,20])),iota(3))",
        "[3](13,16,19)",
    );
    fails("compress{[int],[1]}([tt],[1,2])", "compress");
    fails("replicate{[int],[1]}(0,[1,2],[1])", "replicate");
}

#[test]
fn grades_keep_the_order_of_equal_elements() {
    prints('I', "gradeUp{[int],[]}([3,1,3,1])", "[4](2,4,1,3)");
    prints('I', "gradeDown{[int],[]}([3,1,3,1])", "[4](1,3,2,4)");
    prints('I', "gradeUp{[double],[]}([0.5,-0.5,0.0])", "[3](2,3,1)");
    prints('I', "gradeUp{[double],[]}([0.0,negd(0.0)])", "[2](1,2)");
    prints('I', "gradeDown{[char],[]}(['b','a','c'])", "[3](3,1,2)");
    prints('I', "gradeUp{[int],[]}(iota(0))", "[0]()");
}

#[test]
fn mem_is_its_argument() {
    prints('I', "mem{[int],[1]}([1,2])", "[2](1,2)");
    prints('I', "memScl{[int],[]}(7)", "[](7)");
}

#[test]
fn formats_are_the_printed_forms() {
    prints('C', "formatI(-55)", "-55");
    prints('C', "formatD(34.32)", "34.32");
    prints('C', "formatX(2.0j-3.2)", "2.0j-3.2");
    fails("formatI(1.0)", "formatI");
}

#[test]
fn functions_remember_where_they_were_made() {
    let program = "let v1:[int]0 = 10 in let v2:([int]0) -> [int]0 = fn v3:[int]0 => addi(v1,v3) in
        let v1:[int]0 = 99 in let v4:[int]1 = prArrI(each{[int,int],[1]}(v2,[1,2])) in 0.0";
    assert_eq!(output(program), "[2](11,12)");
}

#[test]
fn only_one_branch_runs() {
    let program =
        "if lti(1,2) then let v1:[int]0 = prSclI(1) in 0.0 else let v2:[int]0 = prSclI(2) in 0.0";
    assert_eq!(output(program), "[](1)");
    prints('I', "Prj(1,(1,if ff then 2 else 3))", "[](3)");
    fails("Prj(2,(1,2))", "Prj");
}

#[test]
fn effects_follow_the_order_of_the_lets() {
    let program = "let v1:[int]0 = prSclI(1) in let v2:[char]1 = prArrC(['a']) in
        let v3:[int]1 = each{[int,int],[1]}(fn v4:[int]0 => prSclI(v4),[8,9]) in i2d(v1)";
    let outcome = run(program).unwrap();
    assert_eq!(outcome.text(), "[](1)\na\n[](8)\n[](9)\n[](1.0)\n");
}

#[test]
fn files_are_texts_or_numbers() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(folder.join("n"), "1, -2\n3 ~4\n").unwrap();
    let settings = Settings {
        folder,
        ..Settings::default()
    };
    let program = "let v1:[int]1 = prArrI(readIntVecFile(['n'])) in let v2:[double]1 = prArrD(readDoubleVecFile(['n'])) in
        let v3:[char]1 = prArrC(readFile(['n'])) in 0.0";
    let outcome = run_with(program, &settings).unwrap();
    assert_eq!(
        outcome.output,
        "[4](1,-2,3,-4)\n[4](1.0,-2.0,3.0,-4.0)\n1, -2\\n3 ~4\\n\n"
    );
    fails("readFile(['n','o','n','e'])", "none");
}

#[test]
fn random_numbers_depend_on_the_seed_alone() {
    let roll = |n: i32, seed: u64| {
        let program = format!(
            "let v9:[double]1 = prArrD(each{{[int,double],[1]}}(fn v1:[int]0 => roll(v1),reshape{{[int],[1,1]}}([50],[{n}]))) in 0.0"
        );
        let settings = Settings {
            seed,
            ..Settings::default()
        };
        run_with(&program, &settings).unwrap().output
    };
    assert_eq!(roll(0, 1), roll(0, 1));
    assert_ne!(roll(0, 1), roll(0, 2));
    let [numbers, fractions] = [roll(6, 1), roll(0, 1)].map(|output| {
        let inside = output
            .trim()
            .trim_start_matches("[50](")
            .trim_end_matches(')')
            .to_owned();
        let numbers = inside
            .split(',')
            .map(|x| x.replace('~', "-").parse::<f64>().unwrap());
        numbers.collect::<Vec<f64>>()
    });
    assert!(
        numbers
            .iter()
            .all(|x| x.fract() == 0.0 && (0.0..=6.0).contains(x))
    );
    assert!(fractions.iter().all(|x| (0.0..1.0).contains(x)));
    fails("roll(-1)", "-1");
}

#[test]
fn the_clock_begins_at_zero() {
    prints('B', "[gtei(nowi(0),0),lti(nowi(0),600000)]", "[2](1,1)");
    fails("nowi(1)", "nowi");
}

#[test]
fn what_is_not_defined_is_an_error() {
    fails("v7", "v7");
    fails("nothing(1)", "nothing");
    fails("addi(1)", "addi");
    fails("addi(1,2.0)", "addi");
    fails("addi([1],2)", "[1]");
    fails("[1,'a']", "two types");
    fails("[[1]]", "a vector");
    fails("prSclI([1])", "prSclI");
    fails("prArrD([1])", "prArrD");
    fails("each{[int,int],[1]}(addi,[1])", "two arguments");
    fails("each{[int,int],[1]}(fn v1:[int]0 => [v1],[1])", "result");
    fails("if 1 then 2 else 3", "if");
    fails("addi(1,fn v1:[int]0 => v1)", "addi");
}

#[test]
fn limits_end_a_program() {
    exceeds("iota(2000000000)", "too many elements");
    exceeds(
        "reshape{[int],[1,3]}([2000000000,2000000000,2000000000],[1])",
        "too many elements",
    );
    exceeds("take{[int],[1]}(-2147483648,[1])", "too many elements");
    exceeds(
        "replicate{[int],[1]}(0,[-2147483648],[1])",
        "too many elements",
    );
    exceeds(
        "reshape{[int],[1,3]}([0,2000000000,2000000000],[1])",
        "too many elements",
    );
    exceeds("powerScl{[int],[]}(negi,2000000000,1)", "steps");
    let endless = "fn v1:[int]0 => power{[int],[0]}(v1,1,v1)";
    exceeds(
        &format!("power{{[int],[0]}}({endless},1,{endless})"),
        "nested",
    );
}
