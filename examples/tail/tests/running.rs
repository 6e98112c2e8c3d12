//! Programs that run on each device: effects in order, values that the host needs, mistakes with their places, and what programs become.

#![allow(missing_docs)]

mod comparing;

use std::path::Path;

use comparing::run_on;
use obsidian_executor::Executor;
use obsidian_rt::Device;
use tail::parse::parse;
use tail::run::{MEMORY, Options, Part, segments};
use tail::types::check;

fn devices() -> Vec<Device> {
    let executor = Executor::find().map(|executor| executor.device());
    if executor.is_none() {
        println!("skipped: executed texts, because there is no g++");
    }
    [Device::cpu(), Device::simulator()]
        .into_iter()
        .chain(executor)
        .collect()
}

/// What a program prints, which is the same on each device.
fn printed(text: &str) -> Result<String, String> {
    let program = parse(text).and_then(|program| check(&program).map(|()| program));
    let program = program.map_err(|mistake| mistake.shown("program.tail", text))?;
    let all = devices().into_iter();
    let all: Vec<_> = all
        .map(|device| run_on(&device, &program, text, Path::new(".")))
        .collect();
    // The simulator names the thread in which an assertion does not hold.
    let known: Vec<_> = all.iter().map(|one| one.as_ref().ok()).collect();
    assert!(known.windows(2).all(|two| two[0] == two[1]), "{all:?}");
    all.into_iter().next().expect("a device")
}

fn prints(text: &str, expected: &str) {
    assert_eq!(printed(text).as_deref(), Ok(expected), "{text}");
}

fn fails(text: &str, expected: &str) {
    let error = printed(text).expect_err(text);
    assert!(error.contains(expected), "{error}");
    assert!(!error.contains('\n'), "{error}");
}

/// Of how many operators each part is that runs at once, and after how many launches it ends.
fn parts(text: &str) -> Vec<(usize, Option<u64>)> {
    let program = parse(text).expect(text);
    let options = Options {
        device: Device::cpu(),
        seed: 1,
        fuse: true,
        folder: ".".into(),
        memory: MEMORY,
    };
    let mut parts = Vec::new();
    let mut show = |part: &Part| {
        let schedule = part.program.schedule();
        parts.push((schedule.operators(), schedule.launches_for(&[])));
    };
    let ran = segments(
        "program.tail",
        text,
        &program,
        &options,
        &mut show,
        &mut |_| {},
    );
    ran.unwrap_or_else(|problem| panic!("{}", problem.line("program.tail", text)));
    parts
}

#[test]
fn effects_inside_of_a_choice_are_in_order() {
    prints(
        "let v1:[int]1 = mem{[int],[1]}([2,3]) in
         let v2:[int]0 = condScl{[int],[]}(fn v3:[int]0 => prSclI(addi(v3,1)),gti(first{[int],[1]}(v1),1),10) in
         let v4:[int]0 = condScl{[int],[]}(fn v3:[int]0 => prSclI(addi(v3,1)),gti(first{[int],[1]}(v1),3),20) in
         let v5:[char]1 = prArrC(formatI(v2)) in i2d(v4)",
        "[](11)\n11\n[](20.0)\n",
    );
}

#[test]
fn reductions_that_are_not_associative_go_from_the_right() {
    prints(
        "let v1:[int]0 = prSclI(reduce{[int],[0]}(subi,0,iota(400))) in
         let v2:[int]1 = prArrI(scan{[int],[1]}(subi,0,iota(5))) in
         let v3:[int]1 = prArrI(reduce{[int],[1]}(fn v4:[int]0 => fn v5:[int]0 => subi(v4,v5),0,reshape{[int],[1,2]}([2,50],iota(100)))) in
         reduce{[double],[0]}(divd,1.0,reshape{[double],[1,1]}([400],[1e10]))",
        "[](-200)\n[5](1,-1,2,-2,3)\n[2](-25,-25)\n[](1.0)\n",
    );
}

#[test]
fn data_may_decide_how_long_an_array_is() {
    prints(
        "let v1:[int]1 = mem{[int],[1]}(iota(100)) in
         let v2:[int]1 = compress{[int],[1]}(each{[int,bool],[1]}(fn v3:[int]0 => gti(v3,97),v1),v1) in
         let v4:[int]1 = iota(first{[int],[1]}(v2)) in
         let v5:[int]2 = prArrI(reshape{[int],[1,2]}(catV{[int],[1,1]}([2],shape{[int],[1]}(v2)),v2)) in
         i2d(reduce{[int],[0]}(addi,0,v4))",
        "\n  98  99 100\n  98  99 100\n\n[](4851.0)\n",
    );
}

#[test]
fn functions_of_elements_may_need_whole_arrays() {
    prints(
        "let v1:[int]1 = prArrI(each{[int,int],[1]}(fn v2:[int]0 => reduce{[int],[0]}(addi,0,compress{[int],[1]}(each{[int,bool],[1]}(fn v3:[int]0 => eqi(0,resi(v3,v2)),iota(v2)),iota(v2))),iota(10))) in 0.0",
        "[10](1,3,4,7,6,12,8,15,13,18)\n[](0.0)\n",
    );
}

#[test]
fn a_loop_whose_body_the_host_decides_is_written_out() {
    prints(
        "let v1:[int]1 = mem{[int],[1]}([3,1,2,5]) in
         let v2:[int]1 = prArrI(power{[int],[1]}(fn v3:[int]1 => take{[int],[1]}(subi(first{[int],[1]}(shape{[int],[1]}(v3)),1),rotate{[int],[1]}(first{[int],[1]}(v3),v3)),2,v1)) in 0.0",
        "[2](1,5)\n[](0.0)\n",
    );
}

#[test]
fn mistakes_of_a_run_have_a_place() {
    fails(
        "let v1:[int]1 = compress{[int],[1]}(each{[int,bool],[1]}(fn v9:[int]0 => gti(v9,50),iota(100)),iota(100)) in\nlet v2:[int]1 = prArrI(zipWith{[int,int,int],[1]}(addi,v1,iota(100))) in 0.0",
        "with the extents 50 and 100 (at program.tail:2:24",
    );
    fails(
        "let v1:[int]1 = prArrI(\n zipWith{[int,int,int],[1]}(addi,iota(99),iota(100))) in 0.0",
        "program.tail:2:2: `zipWith` of arrays whose shapes differ: [99] and [100]",
    );
    fails(
        "let v1:[char]1 = readFile(['n','o']) in let v2:[char]1 = prArrC(v1) in 0.0",
        "program.tail:1:18: ./no: ",
    );
    fails(
        "let v1:[int]1 = prArrI(iota(subi(1,3))) in 0.0",
        "the length -2 is negative",
    );
}

#[test]
fn a_program_of_too_many_elements_is_refused() {
    fails(
        "let v1:[int]2 = prArrI(reshape{[int],[1,2]}([1000000,1000000],iota(7))) in 0.0",
        "an array has at most 4,294,967,295 elements",
    );
    fails(
        "let v1:[int]1 = prArrI(iota(2000000000)) in 0.0",
        "8000000000 bytes of memory",
    );
}

#[test]
fn random_numbers_are_the_same_on_each_device() {
    let text = "let v1:[double]1 = prArrD(each{[int,double],[1]}(fn v2:[int]0 => roll(v2),reshape{[int],[1,1]}([50],[0,6]))) in 0.0";
    let first = printed(text).expect(text);
    assert_eq!(first, printed(text).expect(text));
    let numbers = first.lines().next().unwrap_or("").split([',', '(', ')']);
    let numbers: Vec<f64> = numbers.filter_map(|number| number.parse().ok()).collect();
    assert!(numbers.len() == 50, "{first}");
    assert!(numbers.iter().step_by(2).all(|x| (0.0..1.0).contains(x)));
    assert!(
        numbers
            .iter()
            .skip(1)
            .step_by(2)
            .all(|x| x.fract() == 0.0 && (0.0..6.0).contains(x))
    );
    assert!(numbers.iter().any(|x| *x != numbers[0]));
}

fn program(name: &str, size: u32) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("programs/{name}.tail"));
    let text = std::fs::read_to_string(file).expect(name);
    let begin = "let v0:[int]0 = ";
    let (before, rest) = text.split_once(begin).expect(name);
    let (_, rest) = rest.split_once('\n').expect(name);
    format!("{before}{begin}{size} in\n{rest}")
}

#[test]
fn the_benchmarks_are_one_operator() {
    for (name, operators) in [
        ("integral", 1),
        ("signal", 2),
        ("easter", 1),
        ("blackscholes", 1),
        ("sobolpi", 1),
    ] {
        let parts = parts(&program(name, 100));
        assert_eq!(parts.len(), 1, "{name}");
        assert_eq!(parts[0].0, operators, "{name}");
    }
}

#[test]
fn a_generation_of_life_is_one_launch() {
    let [few, more] = [5, 25].map(|size| parts(&program("life", size)));
    assert_eq!((few.len(), more.len()), (1, 1));
    assert_eq!(few[0].1.map(|launches| launches + 20), more[0].1);
}

/// Sums of what a function of 2, 3 and 4 gives, which is a vector.
fn sums(vector: &str) -> String {
    format!(
        "let v9:[int]1 = each{{[int,int],[1]}}(fn v1:[int]0 => reduce{{[int],[0]}}(addi,0,{vector}),mem{{[int],[1]}}([2,3,4])) in
         let v3:[int]1 = prArrI(v9) in 0.0"
    )
}

#[test]
fn what_functions_of_elements_need_is_asserted() {
    let shown = |list: &str| format!("[3]({list})\n[](0.0)\n");
    prints(
        &sums("if lti(v1,3) then iota(2) else iota(5)"),
        &shown("3,15,15"),
    );
    prints(
        &sums("reshape{[int],[1,1]}([3],iota(subi(v1,2)))"),
        &shown("0,3,4"),
    );
    let zipped = "zipWith{[int,int,int],[1]}(muli,iota(v1),iota(3))";
    fails(&sums(zipped), "have the same shape");
    // The shapes are asked for in the arm alone that is taken.
    prints(
        &sums(&format!("if eqi(v1,3) then {zipped} else iota(1)")),
        &shown("1,14,1"),
    );
    fails(&sums("iota(subi(v1,3))"), "a length is not negative");
    let part = "[idxS{[int],[0]}(1,v1,iota(3))]";
    fails(&sums(part), "from 1 to the extent");
    prints(
        &sums(&format!("if lti(v1,4) then {part} else [0]")),
        &shown("2,3,0"),
    );
}

#[test]
fn an_empty_array_is_repeated_as_defaults() {
    prints(
        "let v1:[int]1 = compress{[int],[1]}(mem{[bool],[1]}([ff,ff]),mem{[int],[1]}([1,2])) in
         let v2:[int]1 = prArrI(reshape{[int],[1,1]}([3],v1)) in 0.0",
        "[3](0,0,0)\n[](0.0)\n",
    );
}

#[test]
fn an_index_of_data_changes_an_element_or_fails() {
    let assigned = |sum: &str| {
        format!(
            "let mv1:[int]1 = mem{{[int],[1]}}([1,2,3]) in
             let v2:[int]0 = reduce{{[int],[0]}}(addi,{sum},mv1) in
             let v3:[bool]0 = idxassign([subi(v2,4)],mv1,34) in
             let v4:[int]1 = prArrI(mv1) in 0.0"
        )
    };
    prints(&assigned("0"), "[3](1,34,3)\n[](0.0)\n");
    let far = assigned("0").replace("subi(v2,4)", "v2");
    fails(&far, "from 1 to the extent");
}

/// Where the host asks for a value, a program is cut; variables keep their values, also those with the name of another one.
#[test]
fn variables_are_the_same_behind_a_cut() {
    let cut = "let v6:[char]1 = prArrC(formatI(reduce{[int],[0]}(addi,0,mv1))) in";
    let program = |cut: &str| {
        format!(
            "let mv1:[int]1 = mem{{[int],[1]}}([1,2,3]) in
             let v8:[int]1 = mem{{[int],[1]}}([7,8]) in
             let v8:[int]1 = mem{{[int],[1]}}([9,10,11]) in
             let v2:[int]0->[int]0 = fn v3:[int]0 => idxS{{[int],[0]}}(1,v3,mv1) in
             let v4:[int]1 = each{{[int,int],[1]}}(v2,mem{{[int],[1]}}([1,2])) in
             let v4:[bool]0 = idxassign([1],mv1,34) in
             {cut}
             let v7:[int]1 = prArrI(each{{[int,int],[1]}}(v2,mem{{[int],[1]}}([1,2]))) in
             let v5:[int]1 = prArrI(v8) in 0.0"
        )
    };
    let rest = "[2](34,2)\n[3](9,10,11)\n[](0.0)\n";
    prints(&program(""), rest);
    let with_cut = printed(&program(cut)).expect("it runs");
    assert_eq!(with_cut.split_once('\n'), Some(("39", rest)));
}

/// Elements of functions in each other, and iterations, draw numbers of their own.
#[test]
fn random_numbers_differ() {
    let draws = "each{[int,double],[1]}(fn v2:[int]0 => roll(0),iota(10))";
    let program = format!(
        "let v9:[double]1 = each{{[int,double],[1]}}(fn v1:[int]0 => reduce{{[double],[0]}}(addd,0.0,{draws}),mem{{[int],[1]}}([2,3,4])) in
         let v3:[double]1 = prArrD(v9) in
         let v4:[double]1 = power{{[double],[1]}}(fn v5:[double]1 => each{{[double,double],[1]}}(fn v6:[double]0 => addd(muld(10.0,v6),roll(9)),v5),6,mem{{[double],[1]}}([0.0])) in
         let v7:[double]1 = prArrD(v4) in 0.0"
    );
    let printed = printed(&program).expect("it runs");
    let mut lines = printed.lines();
    let sums = lines.next().and_then(|line| line.strip_prefix("[3]("));
    let sums = sums.and_then(|line| line.strip_suffix(')')).expect("sums");
    let distinct: std::collections::BTreeSet<&str> = sums.split(',').collect();
    assert_eq!(distinct.len(), 3, "{printed}");
    let digits = lines.next().expect("digits").trim_start_matches("[1](");
    let digits: std::collections::BTreeSet<char> = digits.chars().take(6).collect();
    assert!(digits.len() > 2, "{printed}");
    let folded = "let v1:[double]0 = reduce{[double],[0]}(fn v2:[double]0 => fn v3:[double]0 => addd(v2,roll(0)),0.0,mem{[double],[1]}([1.0,2.0])) in v1";
    fails(folded, "`roll` in a function that folds");
}

/// An array that is computed where it is read draws the same numbers everywhere, and two arrays draw their own.
#[test]
fn random_numbers_are_drawn_once() {
    let program = "let v1:[double]1 = each{[int,double],[1]}(fn v2:[int]0 => roll(100),iota(5)) in
         let v2:[double]1 = each{[int,double],[1]}(fn v2:[int]0 => roll(100),iota(5)) in
         let v3:[double]1 = prArrD(zipWith{[double,double,double],[1]}(addd,v1,vreverse{[double],[1]}(v1))) in
         let v4:[double]0 = prSclD(reduce{[double],[0]}(addd,0.0,v1)) in
         let v5:[double]0 = prSclD(reduce{[double],[0]}(addd,0.0,v2)) in 0.0";
    let printed = printed(program).expect("it runs");
    let numbers = |line: &str| {
        let (_, list) = line.split_once('(').expect("a list");
        let list = list.trim_end_matches(')').split(',');
        list.map(|x| x.parse().expect("a number")).collect()
    };
    let lines: Vec<Vec<f64>> = printed.lines().map(numbers).collect();
    let reversed: Vec<f64> = lines[0].iter().rev().copied().collect();
    assert_eq!(lines[0], reversed, "{printed}");
    assert_eq!(lines[0].iter().sum::<f64>(), 2.0 * lines[1][0], "{printed}");
    assert_ne!(lines[1], lines[2], "{printed}");
}

/// A program prints what a function of 1, 2 and so on gives, 2,000 times, in functions of elements: too often for the host to write it out.
fn each_gives(body: &str, wanted: impl Fn(i32) -> i32) {
    let text = format!(
        "let v9:[int]1 = each{{[int,int],[1]}}(fn v1:[int]0 => {body},iota(2000)) in
         let v3:[int]1 = prArrI(take{{[int],[1]}}(40,v9)) in
         let v3:[int]1 = prArrI(take{{[int],[1]}}(-2,v9)) in 0.0"
    );
    let list = |from: i32, to: i32| {
        let values = (from..=to).map(|n| wanted(n).to_string());
        values.collect::<Vec<_>>().join(",")
    };
    let (first, last) = (list(1, 40), list(1999, 2000));
    prints(&text, &format!("[40]({first})\n[2]({last})\n[](0.0)\n"));
}

fn alternating(values: impl DoubleEndedIterator<Item = i32>) -> i32 {
    values.rev().fold(0, |folded, x| x - folded)
}

#[test]
fn elements_keep_what_has_a_flag() {
    let divisors = "compress{[int],[1]}(each{[int,bool],[1]}(fn v3:[int]0 => eqi(0,resi(v3,v1)),iota(v1)),iota(v1))";
    let of = |n: i32| (1..=n).filter(move |d| n % d == 0);
    let folded = |f: &str, e: i32| format!("reduce{{[int],[0]}}({f},{e},{divisors})");
    each_gives(&folded("addi", 0), |n| of(n).sum());
    each_gives(&folded("subi", 0), |n| alternating(of(n)));
    each_gives(
        &format!("first{{[int],[1]}}(shape{{[int],[1]}}({divisors}))"),
        |n| i32::try_from(of(n).count()).unwrap_or(0),
    );
    let squares = format!("each{{[int,int],[1]}}(fn v4:[int]0 => muli(v4,v4),{divisors})");
    each_gives(&format!("reduce{{[int],[0]}}(maxi,0,{squares})"), |n| {
        n.wrapping_mul(n)
    });
    // None is kept: the initial value counts, and the first is the default.
    let none =
        "compress{[int],[1]}(each{[int,bool],[1]}(fn v3:[int]0 => gti(v3,v1),iota(v1)),iota(v1))";
    each_gives(&format!("reduce{{[int],[0]}}(addi,77,{none})"), |_| 77);
    each_gives(&format!("first{{[int],[1]}}({none})"), |_| 0);
}

#[test]
fn elements_repeat_and_order() {
    let counts = "each{[int,int],[1]}(fn v3:[int]0 => subi(resi(4,addi(v1,v3)),1),iota(5))";
    let repeated = format!("replicate{{[int],[1]}}(0,{counts},iota(5))");
    let of = |n: i32| {
        (1..=5).flat_map(move |k| {
            let count = (n + k) % 4 - 1;
            let value = if count < 0 { 0 } else { k };
            std::iter::repeat_n(value, count.unsigned_abs() as usize)
        })
    };
    each_gives(&format!("reduce{{[int],[0]}}(subi,0,{repeated})"), |n| {
        alternating(of(n).collect::<Vec<_>>().into_iter())
    });
    for (name, sign) in [("gradeUp", 1), ("gradeDown", -1)] {
        let order = format!(
            "{name}{{[int],[]}}(each{{[int,int],[1]}}(fn v3:[int]0 => resi(5,muli(v1,v3)),iota(9)))"
        );
        let digits = "fn v5:[int]0 => fn v6:[int]0 => addi(v5,muli(10,v6))";
        each_gives(&format!("reduce{{[int],[0]}}({digits},0,{order})"), |n| {
            let mut order: Vec<i32> = (1..=9).collect();
            order.sort_by_key(|k| sign * (n * k % 5));
            order.iter().rev().fold(0, |folded, k| k + 10 * folded)
        });
    }
}

#[test]
fn elements_run_loops_whose_state_is_a_list() {
    let fibonacci = "Prj(0,power{[int,int],[0,0]}(fn v2:([int]0 * [int]0) => (Prj(1,v2),addi(Prj(0,v2),Prj(1,v2))),NUMBER,(0,v1)))";
    let of = |n: i32, times: i32| {
        let step = |(a, b): (i32, i32), _| (b, a.wrapping_add(b));
        (0..times).fold((0, n), step).0
    };
    each_gives(&fibonacci.replace("NUMBER", "30"), |n| of(n, 30));
    each_gives(&fibonacci.replace("NUMBER", "resi(7,v1)"), |n| of(n, n % 7));
    let turned = "first{[int],[1]}(power{[int],[1]}(fn v2:[int]1 => rotate{[int],[1]}(1,each{[int,int],[1]}(fn v3:[int]0 => addi(v3,v1),v2)),41,[1,2,3]))";
    each_gives(turned, |n| 41 * n + [1, 2, 3][41 % 3]);
    let long =
        "first{[int],[1]}(power{[int],[1]}(fn v2:[int]1 => rotate{[int],[1]}(1,v2),41,iota(40)))";
    fails(
        &format!(
            "let v9:[int]1 = prArrI(each{{[int,int],[1]}}(fn v1:[int]0 => {long},iota(2000))) in 0.0"
        ),
        "has at most 32 elements",
    );
    let grown = "first{[int],[1]}(power{[int],[1]}(fn v2:[int]1 => cons{[int],[0]}(v1,v2),41,[1]))";
    fails(
        &format!(
            "let v9:[int]1 = prArrI(each{{[int,int],[1]}}(fn v1:[int]0 => {grown},iota(2000))) in 0.0"
        ),
        "changes its extents",
    );
}

#[test]
fn elements_change_variables_of_their_own() {
    let sum = "reduce{[int],[0]}(fn v7:[int]0 => fn v8:[int]0 => addi(v7,muli(10,v8)),0,mv2)";
    let changed =
        |then: &str| format!("let mv2:[int]1 = [1,2,3,4] in let v3:[bool]0 = {then} in {sum}");
    let digits = |list: [i32; 4]| list.iter().rev().fold(0, |folded, x| x + 10 * folded);
    each_gives(&changed("idxassign([addi(1,resi(4,v1))],mv2,7)"), |n| {
        let mut list = [1, 2, 3, 4];
        list[(n % 4) as usize] = 7;
        digits(list)
    });
    // Where a condition does not hold, nothing changes.
    each_gives(
        &changed("if lti(v1,9) then idxassign([2],mv2,8) else idxassign([4],mv2,9)"),
        |n| digits(if n < 9 { [1, 8, 3, 4] } else { [1, 2, 3, 9] }),
    );
    each_gives(
        &changed("condScl{[bool],[]}(fn v4:[bool]0 => idxassign([1],mv2,5),lti(3,v1),tt)"),
        |n| digits(if n > 3 { [5, 2, 3, 4] } else { [1, 2, 3, 4] }),
    );
    let counted = "let v5:[int]1 = power{[int],[1]}(fn v4:[int]1 => let mv6:[int]1 = v4 in let v9:[bool]0 = idxassign([2],mv6,addi(v1,idxS{[int],[0]}(1,2,mv6))) in mv6,20,[1,0]) in idxS{[int],[0]}(1,2,v5)";
    each_gives(counted, |n| 20 * n);
    fails(
        "let mv1:[int]1 = mem{[int],[1]}([1,2]) in
         let v3:[bool]1 = prArrB(each{[int,bool],[1]}(fn v2:[int]0 => idxassign([1],mv1,v2),iota(2000))) in 0.0",
        "changes a variable that is bound outside of it",
    );
}

/// Loops, and what they need, in arms of choices that are not taken: they would read what is not there.
#[test]
fn loops_in_arms_that_are_not_taken_have_no_steps() {
    prints(
        "let v3:[int]1 = prArrI(compress{[int],[1]}([tt,ff,tt],[1,2,3])) in let v9:[int]1 = prArrI(each{[int,int],[1]}(fn v1:[int]0 => condScl{[int],[]}(fn v2:[int]0 => idxS{[int],[0]}(1,v2,scan{[int],[1]}(addi,0,v3)),ltei(v1,2),v1),iota(5))) in 0.0",
        "[2](1,3)\n[5](1,4,3,4,5)\n[](0.0)\n",
    );
    prints(
        "let v3:[int]1 = compress{[int],[1]}([tt,ff,tt],[1,2,3]) in let v8:[int]1 = prArrI(each{[int,int],[1]}(fn v1:[int]0 => first{[int],[1]}(drop{[int],[1]}(v1,scan{[int],[1]}(addi,0,v3))),iota(3))) in 0.0",
        "[3](4,0,0)\n[](0.0)\n",
    );
    prints(
        "let v3:[int]1 = compress{[int],[1]}([tt,ff,tt],[1,2,3]) in let v8:[int]1 = prArrI(each{[int,int],[1]}(fn v1:[int]0 => first{[int],[1]}(drop{[int],[1]}(v1,v3)),iota(3))) in let v9:[int]1 = prArrI(each{[int,int],[1]}(fn v1:[int]0 => first{[int],[1]}(drop{[int],[1]}(v1,each{[int,int],[1]}(fn v2:[int]0 => powerScl{[int],[]}(fn v5:[int]0 => muli(v5,2),v2,1),v3))),iota(3))) in 0.0",
        "[3](3,0,0)\n[3](8,0,0)\n[](0.0)\n",
    );
    prints(
        "let v3:[int]1 = compress{[int],[1]}([tt,ff],[1,2]) in let v4:[int]1 = prArrI(each{[int,int],[1]}(fn v1:[int]0 => reduce{[int],[0]}(addi,0,take{[int],[1]}(3,scan{[int],[1]}(addi,0,v3))),iota(3))) in 0.0",
        "[3](1,1,1)\n[](0.0)\n",
    );
    prints(
        "let v3:[int]1 = compress{[int],[1]}([ff,ff],[1,2]) in let v28:[int]1 = prArrI(each{[int,int],[1]}(fn v1:[int]0 => reduce{[int],[0]}(addi,0,cat{[int],[1]}(scan{[int],[1]}(subi,0,v3),[v1])),iota(3))) in 0.0",
        "[3](1,2,3)\n[](0.0)\n",
    );
    prints(
        "let v3:[int]1 = compress{[int],[1]}([ff,ff],[1,2]) in let v4:[int]1 = prArrI(each{[int,int],[1]}(fn v1:[int]0 => reduce{[int],[0]}(addi,0,snoc{[int],[0]}(scan{[int],[1]}(addi,0,v3),v1)),iota(3))) in 0.0",
        "[3](1,2,3)\n[](0.0)\n",
    );
    prints(
        "let v3:[int]1 = compress{[int],[1]}([tt,ff,tt],[1,2,3]) in let v6:[int]1 = prArrI(each{[int,int],[1]}(fn v1:[int]0 => idxS{[int],[0]}(1,v1,take{[int],[1]}(5,scan{[int],[1]}(subi,0,v3))),iota(5))) in 0.0",
        "[5](1,-2,0,0,0)\n[](0.0)\n",
    );
    prints(
        "let v3:[int]1 = compress{[int],[1]}([tt,ff,tt],[1,2,3]) in let v8:[int]1 = prArrI(each{[int,int],[1]}(fn v1:[int]0 => first{[int],[1]}(drop{[int],[1]}(3,v3)),iota(3))) in 0.0",
        "[3](0,0,0)\n[](0.0)\n",
    );
}

/// Lengths that only a run knows, which have to be known ones.
#[test]
fn lengths_that_data_decide_meet_known_ones() {
    prints(
        "let v1:[int]1 = compress{[int],[1]}([tt,tt,tt,tt,tt,ff],iota(6)) in let v2:[int]2 = reshape{[int],[1,2]}([3,first{[int],[1]}(shape{[int],[1]}(v1))],iota(15)) in let v3:[int]2 = transp{[int],[2]}(drop{[int],[2]}(2,transp{[int],[2]}(v2))) in let v4:[int]2 = cat{[int],[2]}(v3,reshape{[int],[1,2]}([3,4],each{[int,int],[1]}(fn v5:[int]0 => muli(100,v5),iota(12)))) in let v6:[int]2 = prArrI(zipWith{[int,int,int],[2]}(fn v7:[int]0 => fn v8:[int]0 => addi(muli(10000,v7),v8),reshape{[int],[1,2]}([3,7],iota(21)),v4)) in 0.0",
        "\n  10003  20004  30005  40100  50200  60300  70400\n  80008  90009 100010 110500 120600 130700 140800\n 150013 160014 170015 180900 191000 201100 211200\n\n[](0.0)\n",
    );
    prints(
        "let v1:[int]1 = compress{[int],[1]}([tt,tt,tt,tt,tt,ff],iota(6)) in let v2:[int]2 = reshape{[int],[1,2]}([3,first{[int],[1]}(shape{[int],[1]}(v1))],iota(15)) in let v3:[int]2 = transp{[int],[2]}(drop{[int],[2]}(-2,transp{[int],[2]}(v2))) in let v6:[int]2 = prArrI(zipWith{[int,int,int],[2]}(fn v7:[int]0 => fn v8:[int]0 => addi(muli(10000,v7),v8),reshape{[int],[1,2]}([3,6],iota(21)),cat{[int],[2]}(v3,v3))) in 0.0",
        "\n  10001  20002  30003  40001  50002  60003\n  70006  80007  90008 100006 110007 120008\n 130011 140012 150013 160011 170012 180013\n\n[](0.0)\n",
    );
    prints(
        "let v1:[int]1 = compress{[int],[1]}([tt,tt,tt,tt,tt,ff],iota(6)) in let v2:[int]2 = reshape{[int],[1,2]}([first{[int],[1]}(shape{[int],[1]}(v1)),3],iota(15)) in let v3:[int]2 = drop{[int],[2]}(2,v2) in let v4:[int]2 = transp{[int],[2]}(cat{[int],[2]}(transp{[int],[2]}(v3),transp{[int],[2]}(drop{[int],[2]}(3,v2)))) in let v6:[int]2 = prArrI(zipWith{[int,int,int],[2]}(fn v7:[int]0 => fn v8:[int]0 => addi(muli(10000,v7),v8),reshape{[int],[1,2]}([5,3],iota(21)),v4)) in 0.0",
        "\n  10007  20008  30009\n  40010  50011  60012\n  70013  80014  90015\n 100010 110011 120012\n 130013 140014 150015\n\n[](0.0)\n",
    );
    prints(
        "let v1:[int]1 = compress{[int],[1]}([tt,tt,tt,tt,tt,ff],iota(6)) in let v8:[int]1 = prArrI(zipWith{[int,int,int],[1]}(subi,iota(5),cat{[int],[1]}(drop{[int],[1]}(2,v1),[7,8]))) in 0.0",
        "[5](-2,-2,-2,-3,-3)\n[](0.0)\n",
    );
    prints(
        "let v5:[int]1 = prArrI(drop{[int],[1]}(-2,compress{[int],[1]}([tt,tt,tt,tt],[7,8,9,10]))) in let v28:[int]1 = prArrI(zipWith{[int,int,int],[1]}(fn v1:[int]0 => fn v2:[int]0 => v2,iota(2),v5)) in 0.0",
        "[2](7,8)\n[2](7,8)\n[](0.0)\n",
    );
    prints(
        "let v3:[double]1 = [1.0,2.0] in let v5:[double]1 = drop{[double],[1]}(-2,replicate{[double],[1]}(0.0,[2,2],v3)) in let v28:[double]1 = prArrD(zipWith{[double,double,double],[1]}(fn v29:[double]0 => fn v30:[double]0 => v30,[5.0,6.0],v5)) in 0.0",
        "[2](1.0,1.0)\n[](0.0)\n",
    );
    prints(
        "let v4:[int]1 = compress{[int],[1]}([tt,tt,tt,tt],[7,8,9,10]) in let v5:[int]1 = prArrI(drop{[int],[1]}(2,v4)) in let v6:[int]1 = prArrI(zipWith{[int,int,int],[1]}(subi,[1,2],v5)) in 0.0",
        "[2](9,10)\n[2](-8,-8)\n[](0.0)\n",
    );
    prints(
        "let v3:[int]1 = compress{[int],[1]}([ff,ff],[1,2]) in let v4:[int]1 = prArrI(zipWith{[int,int,int],[1]}(addi,v3,replicate{[int],[1]}(0,each{[int,int],[1]}(fn v1:[int]0 => 5,v3),rotate{[int],[1]}(-7,v3)))) in 0.0",
        "[0]()\n[](0.0)\n",
    );
    prints(
        "let v1:[int]1 = iota(65) in let v3:[int]1 = compress{[int],[1]}(each{[int,bool],[1]}(fn v13:[int]0 => lti(v13,0),v1),v1) in let v17:[int]1 = prArrI(replicate{[int],[1]}(0,each{[int,int],[1]}(fn v18:[int]0 => 5,v3),rotate{[int],[1]}(-7,v3))) in 0.0",
        "[0]()\n[](0.0)\n",
    );
}

/// Lists of more than 32 elements, of constants and of what an element computes.
#[test]
fn long_lists_stand_in_functions_of_elements() {
    prints(
        "let v6:[int]1 = prArrI(each{[int,int],[1]}(fn v7:[int]0 => idxS{[int],[0]}(1,v7,[9,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,9]),[1,2])) in 0.0",
        "[2](9,1)\n[](0.0)\n",
    );
    prints(
        "let v6:[int]1 = prArrI(each{[int,int],[1]}(fn v7:[int]0 => let v8:[int]1 = [v7,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,muli(v7,v7)] in idxS{[int],[0]}(1,addi(1,resi(42,muli(11,v7))),v8),iota(6))) in 0.0",
        "[6](11,22,33,2,13,24)\n[](0.0)\n",
    );
    prints(
        "let v1:[int]1 = prArrI(each{[int,int],[1]}(fn v7:[int]0 => idxS{[int],[0]}(1,addi(1,resi(33,v7)),[9,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,77]),mem{[int],[1]}(iota(40)))) in 0.0",
        "[40](1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,77,9,1,2,3,4,5,6,7)\n[](0.0)\n",
    );
}
