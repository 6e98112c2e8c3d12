//! Programs that run on each device: effects in order, values that the host needs, mistakes with their places, and what programs become.

#![allow(missing_docs)]

mod comparing;

use std::path::Path;

use comparing::run_on;
use obsidian_executor::Executor;
use obsidian_rt::Device;
use obsidian_rt::arrays::AnyProgram;
use tail::parse::parse;
use tail::run::{MEMORY, Options, segments};
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
    assert!(all.windows(2).all(|two| two[0] == two[1]), "{all:?}");
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
    let mut show = |_: usize, built: &AnyProgram| {
        let schedule = built.schedule();
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
    let (_, rest) = text.split_once('\n').expect(name);
    format!("let v0:[int]0 = {size} in\n{rest}")
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
