//! Programs with tokens of other programs in them: none panics, and where the checker of types accepts one and the evaluator gives a
//! value, the run gives the same, or says that it does not do that.
//!
//! `OBSIDIAN_LONG=1` tries more of them.

#![allow(missing_docs)]

mod comparing;
mod naive;

use std::mem::discriminant;
use std::path::Path;

use comparing::{compared, run_on};
use naive::{Settings, evaluate};
use obsidian_rt::Device;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tail::lexer::{Token, tokens};
use tail::parse::parse;
use tail::syntax::Span;
use tail::types::check;

/// What programs are made of.
const PROGRAMS: [&str; 12] = [
    "let v1:[int]1 = prArrI(rotate{[int],[1]}(-2,iota(7))) in let v2:[int]0 = reduce{[int],[0]}(addi,0,v1) in i2d(v2)",
    "let v1:[int]2 = reshape{[int],[1,2]}([3,4],iota(5)) in let v2:[int]2 = prArrI(transp{[int],[2]}(v1)) in let v3:[int]1 = prArrI(reduce{[int],[1]}(maxi,-2147483648,v2)) in i2d(first{[int],[1]}(v3))",
    "let v1:[int]1 = iota(40) in let v2:[int]1 = compress{[int],[1]}(each{[int,bool],[1]}(fn v3:[int]0 => eqi(0,resi(3,v3)),v1),v1) in let v4:[int]1 = prArrI(v2) in i2d(first{[int],[1]}(shape{[int],[1]}(v2)))",
    "let v1:[double]1 = each{[int,double],[1]}(i2d,iota(9)) in let v2:[double]1 = prArrD(scan{[double],[1]}(addd,0.0,v1)) in reduce{[double],[0]}(subd,0.0,v2)",
    "let v1:[int]2 = power{[int],[2]}(fn v2:[int]2 => zipWith{[int,int,int],[2]}(addi,v2,vrotate{[int],[2]}(1,v2)),3,reshape{[int],[1,2]}([4,4],iota(16))) in let v3:[int]2 = prArrI(v1) in 0.0",
    "let v1:[int]1 = prArrI(take{[int],[1]}(-9,iota(4))) in let v2:[int]1 = prArrI(drop{[int],[1]}(2,v1)) in let v3:[int]2 = prArrI(take{[int],[2]}(3,reshape{[int],[1,2]}([2,2],[7,8]))) in 0.0",
    "let v1:[int]1 = prArrI(gradeUp{[int],[]}([3,1,2,1])) in let v2:[int]1 = prArrI(gradeDown{[int],[]}([3,1,2,1])) in let v3:[int]1 = prArrI(cat{[int],[1]}(v1,v2)) in 0.0",
    "let v1:[int]1 = prArrI(each{[int,int],[1]}(fn v2:[int]0 => reduce{[int],[0]}(subi,0,iota(v2)),iota(12))) in 0.0",
    "let mv1:[int]1 = iota(5) in let v2:[bool]0 = idxassign([2],mv1,34) in let v3:[int]1 = prArrI(mv1) in let v4:[int]0 = prSclI(idxS{[int],[0]}(1,2,mv1)) in 0.0",
    "let v1:[char]1 = prArrC(cat{[char],[1]}(['a','b'],formatI(reduce{[int],[0]}(muli,1,iota(5))))) in let v2:[int]1 = prArrI(replicate{[int],[1]}(0,[2,-1,0],[7,8,9])) in 0.0",
    "let v1:[int]0 = condScl{[int],[]}(fn v2:[int]0 => addi(v2,1),gti(3,2),powerScl{[int],[]}(fn v3:[int]0 => muli(v3,2),10,1)) in i2d(prSclI(v1))",
    "let v1:[int]2 = prArrI(cons{[int],[1]}(iota(2),reshape{[int],[1,2]}([2,3],iota(6)))) in let v2:[int]1 = prArrI(idxS{[int],[1]}(2,3,v1)) in let v3:[int]1 = prArrI(vreverse{[int],[1]}(rav{[int],[2]}(v1))) in 0.0",
];

/// A program, some of whose tokens are others.
fn mutated(random: &mut StdRng) -> String {
    let mut pick = |n: usize| random.random_range(0..n);
    let mut text = PROGRAMS[pick(PROGRAMS.len())].to_owned();
    for _ in 0..=pick(3) {
        let other = PROGRAMS[pick(PROGRAMS.len())];
        let (Ok(own), Ok(others)) = (tokens(&text), tokens(other)) else {
            return text;
        };
        let (replaced, at) = own[pick(own.len())].clone();
        // Mostly a token of the same kind, so that some programs are accepted.
        let is_alike = |(token, _): &&(Token, Span)| discriminant(token) == discriminant(&replaced);
        let alike: Vec<_> = others.iter().filter(is_alike).collect();
        let from = match alike.len() {
            0 => others[pick(others.len())].1,
            n => alike[pick(n)].1,
        };
        let token = &other[from.start..from.end];
        text.replace_range(at.start..at.end, token);
    }
    text
}

#[test]
fn mutated_programs_give_what_the_evaluator_gives() {
    let is_long = std::env::var_os("OBSIDIAN_LONG").is_some();
    let mut random = StdRng::seed_from_u64(7);
    let settings = Settings {
        steps: 200_000,
        elements: 10_000,
        ..Settings::default()
    };
    let (mut same, mut refused) = (0, 0);
    for _ in 0..if is_long { 200_000 } else { 2_000 } {
        let text = mutated(&mut random);
        let Ok(program) = parse(&text) else { continue };
        if check(&program).is_err() {
            continue;
        }
        let wanted = evaluate(&program, &settings);
        if wanted
            .as_ref()
            .is_err_and(|error| error.contains("too many") || error.contains("steps"))
        {
            continue;
        }
        match (
            wanted,
            run_on(&Device::cpu(), &program, &text, Path::new(".")),
        ) {
            (Ok(wanted), Ok(found)) => {
                compared(&found, &wanted.text()).unwrap_or_else(|error| panic!("{text}: {error}"));
                same += 1;
            }
            (Ok(_), Err(error)) => {
                println!("{text}: {error}");
                refused += 1;
            }
            (Err(_), _) => {}
        }
    }
    println!("{same} give the same, {refused} are refused");
    assert!(same > 100 && refused * 20 < same, "{same} and {refused}");
}
