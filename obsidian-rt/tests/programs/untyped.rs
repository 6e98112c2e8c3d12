//! Programs whose shapes and elements Rust does not know: what is wrong with them is told at the place that the program names. And arrays
//! that stand in a program.

use obsidian_executor::Executor;
use obsidian_rt::arrays::*;
use obsidian_rt::language::{EF64, EI32, EU32, lit};
use obsidian_rt::{Device, Element, ErrorKind, ScalarType};

/// The message of a program over an array of `rank` axes, whose mistake stands at `f.apl:7:3`.
fn message(rank: usize, f: impl Fn(AnyArr) -> AnyArr) -> String {
    let program = AnyProgram::build("f", |inputs| {
        let x = inputs.array(rank, &[ScalarType::I32]);
        vec![at_place("f.apl:7:3", || f(x.clone()))]
    });
    let error = program.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Build);
    error.to_string()
}

fn sum(x: AnyElement, y: AnyElement) -> AnyElement {
    AnyElement::of(x.to::<EI32>() + y.to::<EI32>())
}

#[test]
fn wrong_shapes_and_elements_are_told_once_at_their_place() {
    type Make = fn(AnyArr) -> AnyArr;
    let wrong: [(usize, Make, &str); 14] = [
        (
            0,
            |x| x.fold(sum, AnyElement::of(lit(0i32))),
            "`fold` needs",
        ),
        (0, |x| x.inclusive_scan(sum), "`inclusive_scan` needs"),
        (0, |x| x.fold1(sum), "`fold1` needs"),
        (0, |x| x.take(1), "`take` needs"),
        (0, |x| x.reverse(), "`reverse` needs"),
        (0, |x| x.slice_outer(0), "`slice_outer` needs"),
        (0, |x| append(x.clone(), x), "`append` needs"),
        (
            2,
            |x| append(x.slice_outer(0), x),
            "one of these arrays has 1 axis, and another has 2 axes",
        ),
        (
            2,
            |x| zip_with(sum, x.clone(), x.flatten().untyped_axes()),
            "one of these arrays has 2 axes",
        ),
        (
            3,
            |x| x.axis(3),
            "there is no axis 3: the array has 3 axes, 0 to 2",
        ),
        (3, |x| x.along(7, |x| x.reverse()), "there is no axis 7"),
        (
            3,
            |x| x.transpose_axes(&[0, 2, 2]),
            "[0, 2, 2] is no order of the axes",
        ),
        (
            1,
            |x| x.to::<EF64>().untyped(),
            "an element is i32, and f64 is asked for",
        ),
        (
            8,
            |x| x.replicate(2),
            "this `replicate` has 9 axes, and an array has at most 8",
        ),
    ];
    for (rank, make, words) in wrong {
        let message = message(rank, make);
        assert!(
            message.contains(&format!("f.apl:7:3: {words}")),
            "{words}: {message}"
        );
        assert_eq!(
            message.matches("f.apl:7:3").count(),
            1,
            "{words}: {message}"
        );
    }
    // In functions of elements, where they are called.
    let wrong = message(2, |x| {
        let y = x.clone();
        x.imap(move |index, _| at_place("f.apl:9:1", || y.at(vec![index[0]])))
    });
    assert!(
        wrong.contains("f.apl:9:1: this index has 1 number, and the array has 2 axes"),
        "{wrong}"
    );
    let wrong = message(1, |x| {
        x.map(|x| at_place("f.apl:9:2", || AnyElement::of(x.to::<EU32>() + 1)))
    });
    assert!(
        wrong.contains("f.apl:9:2: an element is i32, and u32 is asked for"),
        "{wrong}"
    );
}

/// A vector under the type of arrays of any rank.
trait UntypedAxes {
    fn untyped_axes(&self) -> AnyArr;
}

impl UntypedAxes for Arr1<AnyElement> {
    fn untyped_axes(&self) -> AnyArr {
        self.untyped()
    }
}

#[test]
fn a_run_holds_arrays_to_the_parameters() {
    let device = Device::cpu();
    let program = AnyProgram::build("f", |inputs| {
        let x = inputs
            .named("weights")
            .array(2, &[ScalarType::I32, ScalarType::Bool]);
        let n = inputs.named("n").number::<u32>();
        vec![x.take(n)]
    });
    let program = program.unwrap();
    let weights = AnyArray::new(&device, &[2, 3], &[(1, true); 6]).unwrap();
    let n = AnyArray::new(&device, &[], &[2u32]).unwrap();
    let found = program.run(&device, &[&weights, &n]).unwrap();
    assert_eq!(
        (
            found[0].extents(),
            found[0].to_vec::<(i32, bool)>().unwrap()
        ),
        (&[2, 2][..], vec![(1, true); 4])
    );
    let told = |inputs: &[&AnyArray], kind, words: &str| {
        let error = program.run(&device, inputs).unwrap_err();
        assert_eq!(error.kind(), kind);
        assert!(error.to_string().contains(words), "{error}");
    };
    let vector = AnyArray::new(&device, &[6], &[(1, true); 6]).unwrap();
    let doubles = AnyArray::new(&device, &[2, 3], &[0.5; 6]).unwrap();
    let five = AnyArray::new(&device, &[], &[5u32]).unwrap();
    told(
        &[&weights],
        ErrorKind::ArgumentCount,
        "has 2 parameters, and 1 arrays are given",
    );
    told(
        &[&vector, &n],
        ErrorKind::ArgumentType,
        "`weights` is an array of (i32, bool) with 2 axes, and one of (i32, bool) with 1 axis is given",
    );
    told(
        &[&doubles, &n],
        ErrorKind::ArgumentType,
        "and one of f64 with 2 axes is given",
    );
    told(
        &[&weights, &vector],
        ErrorKind::ArgumentType,
        "`n` is an array of u32 with 0 axes",
    );
    told(
        &[&weights, &five],
        ErrorKind::Requirement,
        "`take` needs an extent of at least 5, and the array has 3",
    );
}

#[test]
fn as_many_inputs_and_results_as_there_are() {
    let program = AnyProgram::build("f", |inputs| {
        let all: Vec<AnyArr> = (0..20)
            .map(|_| inputs.array(1, &[ScalarType::I32]))
            .collect();
        let sums = all
            .windows(2)
            .map(|two| zip_with(sum, two[0].clone(), two[1].clone()));
        sums.collect()
    });
    let program = program.unwrap();
    for device in [Device::cpu(), Device::simulator()] {
        let inputs: Vec<_> = (0..20)
            .map(|n| AnyArray::new(&device, &[3], &[n, 10 * n, 100 * n]).unwrap())
            .collect();
        let inputs: Vec<&AnyArray> = inputs.iter().collect();
        for (n, sums) in program.run(&device, &inputs).unwrap().iter().enumerate() {
            let n = 2 * n as i32 + 1;
            assert_eq!(sums.to_vec::<i32>().unwrap(), [n, 10 * n, 100 * n]);
        }
    }
}

fn devices() -> Vec<Device> {
    let executor = Executor::find().map(|executor| executor.device());
    if executor.is_none() {
        println!(
            "skipped: arrays that stand in a program as executed text, because there is no g++"
        );
    }
    [Device::cpu(), Device::simulator()]
        .into_iter()
        .chain(executor)
        .collect()
}

/// `elements` reversed, and read at other places, as what stands in a program.
fn stands<T: Element>(elements: &[T]) {
    let own = elements.to_vec();
    let program = ArrayProgram::build("f", move |places: Arr1<EU32>| {
        let array = literal(&own);
        (array.reverse(), gather(places, array.clone()), array)
    });
    let program = program.unwrap();
    let n = elements.len();
    let is_memory = n > 16;
    assert_eq!(program.schedule().literals.len(), usize::from(is_memory));
    let places: Vec<u32> = (0..n as u32).map(|i| (i * 7 + 3) % n as u32).collect();
    let bits =
        |elements: &[T]| -> Vec<u64> { elements.iter().map(|x| x.literal().bits()).collect() };
    for device in devices() {
        // The second run takes what the first has left on the device.
        for _ in 0..2 {
            let at = device.array([n], &places).unwrap();
            let (reversed, gathered, same) = program.run(&device, &at).unwrap();
            let mut wanted = elements.to_vec();
            assert_eq!(bits(&same.to_vec().unwrap()), bits(&wanted));
            let gathered = gathered.to_vec().unwrap();
            let here: Vec<T> = places.iter().map(|i| wanted[*i as usize]).collect();
            assert_eq!(bits(&gathered), bits(&here));
            wanted.reverse();
            assert_eq!(bits(&reversed.to_vec().unwrap()), bits(&wanted));
        }
    }
}

#[test]
fn arrays_stand_in_programs() {
    for n in [1, 2, 3, 15, 16, 17, 100, 257] {
        stands(&(0..n).map(|i| i * i - 50).collect::<Vec<i32>>());
    }
    stands(&[0.5f64, -0.0, f64::NAN, f64::INFINITY, 1e-310]);
    stands(&[true, false, true]);
    stands(&(0..300u32).map(|i| i as u8).collect::<Vec<u8>>());
    stands(&(0..40i64).map(|i| i64::MIN + i).collect::<Vec<i64>>());
    let none = ArrayProgram::build("f", || literal::<f32>(&[])).unwrap();
    assert_eq!(
        none.run(&Device::cpu(), ()).unwrap().to_vec().unwrap(),
        [0f32; 0]
    );
}

#[test]
fn equal_arrays_that_stand_in_a_program_are_one() {
    let program = ArrayProgram::build("f", || {
        let table: Vec<u32> = (0..50).collect();
        // Of another type they are another one.
        let signed: Vec<i32> = (0..50).collect();
        zip_with3(
            |x, y, z: EI32| x + y + z.cast::<u32>(),
            literal(&table),
            literal(&table).reverse(),
            literal(&signed),
        )
    });
    let program = program.unwrap();
    assert_eq!(
        (
            program.schedule().literals.len(),
            program.schedule().temporary_bytes(&[])
        ),
        (2, Some(0))
    );
    let found = program.run(&Device::cpu(), ()).unwrap().to_vec().unwrap();
    assert!(found.into_iter().eq((0..50).map(|i| 49 + i)));
}

#[test]
fn an_index_outside_of_an_array_that_stands_in_a_program_is_a_fault() {
    for n in [3u32, 30] {
        let program = ArrayProgram::build("f", move |places: Arr1<EU32>| {
            let table: Vec<u32> = (0..n).collect();
            gather(places, literal(&table))
        });
        let program = program.unwrap();
        for device in [Device::cpu(), Device::simulator()] {
            let places = device.array([2], &[0, n]).unwrap();
            let error = program
                .run(&device, &places)
                .and_then(|x| x.to_vec())
                .unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Fault, "{n}: {error}");
        }
    }
}

#[test]
fn a_loop_reads_an_array_that_stands_in_the_program() {
    for n in [4usize, 40] {
        let table: Vec<u32> = (0..n as u32).map(|i| 3 * i + 1).collect();
        let own = table.clone();
        let program = ArrayProgram::build("f", move |x: Arr1<EU32>| {
            let table = literal(&own);
            power(3, x, move |x| zip_with(|x, y| x * 5 + y, x, table.clone()))
        });
        let x = vec![2u32; n];
        let mut wanted = x.clone();
        for _ in 0..3 {
            wanted = wanted.iter().zip(&table).map(|(x, y)| x * 5 + y).collect();
        }
        let program = program.unwrap();
        for device in devices() {
            let found = program
                .run(&device, &device.array([n], &x).unwrap())
                .unwrap();
            assert_eq!(found.to_vec().unwrap(), wanted);
        }
    }
}

/// Where Rust's types hold arrays to one type of elements, programs of any type are held to it when they are built.
#[test]
fn elements_that_go_together_are_of_one_type() {
    type Make = fn(AnyArr, AnyArr) -> Vec<AnyArr>;
    let wrong: [(Make, &str); 8] = [
        (
            |pairs, singles| {
                let (a, b) = power(2u32, (pairs, singles), |(a, b)| {
                    (a.map(|x| x.parts(0..1)), b.map(|x| x))
                });
                vec![a, b]
            },
            "`power` puts elements of (i32, i32) and of i32 together",
        ),
        (
            |_, singles| {
                vec![power(2u32, singles, |x| {
                    x.map(|x| AnyElement::of(x.to::<EI32>().cast::<f64>()))
                })]
            },
            "`power` puts elements of i32 and of f64 together",
        ),
        (
            |pairs, singles| vec![if_then(unit(lit(true)), || pairs, || singles)],
            "`if_then` puts elements of (i32, i32) and of i32 together",
        ),
        (
            |pairs, singles| vec![append(pairs, singles)],
            "`append` puts elements of (i32, i32) and of i32 together",
        ),
        (
            |_, singles| vec![singles.fold1(|x, y| AnyElement::joined([x, y]))],
            "`fold1` puts elements of i32 and of (i32, i32) together",
        ),
        (
            |_, singles| vec![singles.fold(sum, AnyElement::of(lit(0.0f64)))],
            "`fold` puts elements of i32 and of f64 together",
        ),
        (
            |pairs, _| vec![pairs.inclusive_scan(|x, _| x.parts(0..1))],
            "`inclusive_scan` puts elements of (i32, i32) and of i32 together",
        ),
        (
            |pairs, singles| vec![pairs.flatten().ranked_scatter(singles)],
            "`scatter` puts elements of (i32, i32) and of i32 together",
        ),
    ];
    for (make, words) in wrong {
        let program = AnyProgram::build("f", |inputs| {
            let pairs = inputs.array(1, &[ScalarType::I32; 2]);
            let singles = inputs.array(1, &[ScalarType::I32]);
            make(pairs, singles)
        });
        let error = program.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Build);
        assert!(error.to_string().contains(words), "{words}: {error}");
    }
    let nothing = AnyProgram::build("f", |inputs| {
        vec![
            inputs
                .array(1, &[ScalarType::I32])
                .map(|_| AnyElement::default()),
        ]
    });
    let message = nothing.unwrap_err().to_string();
    assert!(
        message.contains("result 0 has elements of nothing"),
        "{message}"
    );
}

/// Puts each element where it stands into the array of defaults.
trait RankedScatter {
    fn ranked_scatter(&self, defaults: AnyArr) -> AnyArr;
}

impl RankedScatter for Arr1<AnyElement> {
    fn ranked_scatter(&self, defaults: AnyArr) -> AnyArr {
        let places = iota(self.len());
        self.scatter(places, defaults.ranked()).untyped()
    }
}

/// A fault of a run names the place of the front end, too.
#[test]
fn a_fault_names_the_place_of_the_front_end() {
    let program = AnyProgram::build("f", |inputs| {
        let places = inputs.array(1, &[ScalarType::U32]).to::<EU32>();
        let x = inputs.array(1, &[ScalarType::I32]);
        vec![at_place("f.apl:4:2", || gather(places, x.ranked())).untyped()]
    });
    let program = program.unwrap();
    for device in [Device::cpu(), Device::simulator()] {
        let places = AnyArray::new(&device, &[2], &[0u32, 9]).unwrap();
        let x = AnyArray::new(&device, &[3], &[1i32, 2, 3]).unwrap();
        let error = program.run(&device, &[&places, &x]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Fault);
        assert!(
            error.to_string().contains("f.apl:4:2"),
            "{}: {error}",
            device.name()
        );
    }
}

/// A million times a million elements: refused, and nothing of that size is allocated.
#[test]
fn a_program_of_too_many_elements_is_refused() {
    let program = AnyProgram::build("f", |inputs| {
        let n = inputs.number::<u32>();
        let x = at_place("f.apl:2:5", || iota(n).replicate(n)).untyped();
        vec![x.map(|x| AnyElement::of(x.to::<EU32>() + 1))]
    });
    let program = program.unwrap();
    for device in [Device::cpu(), Device::simulator()] {
        let n = AnyArray::new(&device, &[], &[1_000_000u32]).unwrap();
        let error = program.run(&device, &[&n]).unwrap_err();
        let kinds = [ErrorKind::NoLength, ErrorKind::TooLong];
        assert!(kinds.contains(&error.kind()), "{:?}: {error}", error.kind());
    }
    // Of numbers it is refused when it is built, in whichever order they stand.
    type Make = fn(AnyArr) -> AnyArr;
    let wrong: [Make; 4] = [
        |_| iota(1_000_000u32).replicate(1_000_000u32).untyped(),
        |x| x.replicate(1_000_000u32).replicate(1_000_000u32),
        |x| x.replicate(65_536u32).replicate_inner(65_536u32),
        |_| append(iota(u32::MAX), iota(1u32)).untyped(),
    ];
    for make in wrong {
        let message = message(1, make);
        assert!(
            message.contains("f.apl:7:3: an array has at most 4,294,967,295 elements"),
            "{message}"
        );
    }
    let most = AnyProgram::build("f", |inputs| {
        let x = inputs
            .array(1, &[ScalarType::I32])
            .replicate(65_535u32)
            .replicate(65_537u32);
        vec![x.slice_outer(0).slice_outer(1)]
    });
    let device = Device::cpu();
    let x = AnyArray::new(&device, &[2], &[1i32, 2]).unwrap();
    assert_eq!(
        most.unwrap().run(&device, &[&x]).unwrap()[0]
            .to_vec::<i32>()
            .unwrap(),
        [1, 2]
    );
    let none = AnyProgram::build("f", |_| {
        vec![
            iota(1_000_000u32)
                .replicate(0u32)
                .replicate(1_000_000u32)
                .untyped(),
        ]
    });
    assert!(none.unwrap().run(&device, &[]).unwrap()[0].is_empty());
}

/// Filters, sorts and loops with several arrays of any type in their state.
#[test]
fn filters_sorts_and_loops_of_any_type() {
    let program = AnyProgram::build("f", |inputs| {
        let x = inputs.array(1, &[ScalarType::I32]);
        let few = x.filter(|x| (x.to::<EI32>() % 2).eq(0)).untyped();
        let sorted = few.to::<EI32>().ranked::<Ix1>().sort();
        let (a, b) = power(3u32, (x.clone(), few.clone()), |(a, b)| {
            (a.along(0, |a| a.rotate(1)), b.reverse())
        });
        vec![sorted.untyped(), a, b]
    });
    let program = program.unwrap();
    for device in devices() {
        let x = AnyArray::new(&device, &[5], &[6i32, 3, -2, 8, 1]).unwrap();
        let found = program.run(&device, &[&x]).unwrap();
        let found: Vec<Vec<i32>> = found.iter().map(|x| x.to_vec().unwrap()).collect();
        assert_eq!(
            found,
            [vec![-2, 6, 8], vec![8, 1, 6, 3, -2], vec![8, -2, 6]]
        );
    }
}
