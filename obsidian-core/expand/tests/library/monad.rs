//! Programs form a monad: both sides of each law write the same kernel.
#![allow(missing_docs)]

use obsidian_core::library::Mutable;
use obsidian_core::library::for_all;
use obsidian_core::lower::{reify, strip};
use obsidian_core::program::{Program, Thread, cond, distr_par, pure, seq_for};
use obsidian_core::scalar::Exp;

type Array = Mutable<Exp<u32>, Exp<u32>>;
type Step = fn(Array, Exp<u32>) -> Program<Thread, Exp<u32>>;

/// The kernel in which each thread of a block runs a program.
fn text(program: impl Fn(Array) -> Program<Thread, Exp<u32>> + 'static) -> String {
    let program = std::rc::Rc::new(program);
    let reified = reify("k", move |builder| {
        let array: Array = builder.in_out("a");
        builder.run(distr_par::<obsidian_core::program::Grid>(1u32, move |_| {
            let (program, array) = (program.clone(), array.clone());
            for_all(8u32, move |i| {
                let (kept, array) = (array.clone(), array.clone());
                program(array).and_then(move |x| kept.write(i, x))
            })
        }));
    });
    strip(reified.unwrap()).unwrap().to_string()
}

/// Programs with a result, one or more of each action.
const STEPS: [Step; 6] = [
    |_, x| pure(x + 1),
    |a, x| a.read(x),
    |a, x| a.atomic_add(3u32, x),
    |a, x| a.write(x, x * 2).map(move |()| x),
    |a, x| {
        let then = a.write(1u32, x);
        cond(x.lt(5), then, pure(())).and_then(move |()| a.read(2u32))
    },
    |a, x| {
        let body = a.clone();
        seq_for(3u32, move |i| body.write(i, x)).and_then(move |()| a.read(x))
    },
];

fn start() -> Exp<u32> {
    obsidian_core::scalar::lit(7u32)
}

#[test]
fn pure_is_the_left_identity() {
    for f in STEPS {
        assert_eq!(
            text(move |a| pure(start()).and_then(move |x| f(a.clone(), x))),
            text(move |a| f(a, start()))
        );
    }
}

#[test]
fn pure_is_the_right_identity() {
    for m in STEPS {
        assert_eq!(
            text(move |a| m(a, start()).and_then(pure)),
            text(move |a| m(a, start()))
        );
    }
}

#[test]
fn and_then_is_associative() {
    for m in STEPS {
        for f in STEPS {
            for g in STEPS {
                let left = text(move |a| {
                    let (b, c) = (a.clone(), a.clone());
                    m(a, start())
                        .and_then(move |x| f(b.clone(), x))
                        .and_then(move |y| g(c.clone(), y))
                });
                let right = text(move |a| {
                    let b = a.clone();
                    m(a, start()).and_then(move |x| {
                        let c = b.clone();
                        f(b.clone(), x).and_then(move |y| g(c.clone(), y))
                    })
                });
                assert_eq!(left, right);
            }
        }
    }
}

#[test]
fn map_is_the_functor_of_the_monad() {
    for m in STEPS {
        assert_eq!(
            text(move |a| m(a, start()).map(|x| x)),
            text(move |a| m(a, start()))
        );
        let twice = text(move |a| m(a, start()).map(|x| x + 1).map(|x| x * 3));
        assert_eq!(twice, text(move |a| m(a, start()).map(|x| (x + 1) * 3)));
        assert_eq!(
            twice,
            text(move |a| m(a, start()).and_then(|x| pure((x + 1) * 3)))
        );
    }
}
