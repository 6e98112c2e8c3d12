//! Members that are threads: the bits do not depend on how many there are.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use std::time::Duration;

use obsidian_rt::arrays::{
    Arr1, Arr2, ArrayProgram, Boundary, Clamp, Constant, Ix1, Ix2, Mirror, Wrap,
};
use obsidian_rt::language::{EF32, EI32, EU32, lit};
use obsidian_rt::sequence::{FileNumber, Sequence};
use obsidian_rt::shard::{Edge, Member, Sharded, Threads};
use obsidian_rt::{Device, ErrorKind, Result};

fn threads(members: usize) -> Threads {
    Threads::new(vec![Device::cpu(); members])
}

/// Numbers that tell an order of additions.
fn float(i: usize) -> f32 {
    let state = (i as u32 + 1)
        .wrapping_mul(1_664_525)
        .wrapping_add(1_013_904_223);
    (state >> 8) as f32 / 1000.0
}

/// What `f` gives by 1, 2, 3 and 5 members is the same in each of them.
fn same<R: PartialEq + std::fmt::Debug + Send>(f: impl Fn(&Member<'_>) -> Result<R> + Sync) -> R {
    let mut first: Option<R> = None;
    for members in [1, 2, 3, 5] {
        for found in threads(members).run(&f).unwrap() {
            match &first {
                Some(first) => assert_eq!(found, *first, "{members} members"),
                None => first = Some(found),
            }
        }
    }
    first.unwrap()
}

const LENGTHS: [usize; 7] = [0, 1, 4095, 4096, 4097, 20_000, 65_537];

#[test]
fn folds_and_scans_are_those_of_sequences() {
    let device = Device::cpu();
    for len in LENGTHS {
        let sum = same(|member| {
            let xs = member.vector(len, |range| range.map(float).collect())?;
            Ok(member.fold(&xs, |x, y| x + y, 0.5)?.to_bits())
        });
        let wanted = Sequence::generate(len as u64, |i| float(i as usize)).fold(|x, y| x + y, 0.5);
        assert_eq!(sum, wanted.run(&device).unwrap().to_bits(), "{len}");
        let scanned = same(|member| {
            let xs = member.vector(len, |range| range.map(float).collect())?;
            let scanned = member.scan(&xs, |x, y| x + y, 0.5)?;
            assert_eq!(scanned.local().len(), scanned.rows().len());
            let all = member.gather_all(&scanned)?;
            Ok(all.into_iter().map(f32::to_bits).collect::<Vec<_>>())
        });
        let wanted = Sequence::generate(len as u64, |i| float(i as usize)).scan(|x, y| x + y, 0.5);
        let wanted = wanted.collect().run(&device).unwrap().to_vec().unwrap();
        assert_eq!(
            scanned,
            wanted.into_iter().map(f32::to_bits).collect::<Vec<_>>(),
            "{len}"
        );
    }
}

/// A sum, a map, an extreme and a histogram of a type of numbers; `twice` is the number added to itself, which may wrap around.
fn of_type<T>(number: fn(usize) -> T, twice: fn(T) -> T)
where
    T: FileNumber + PartialEq + obsidian_rt::language::Number,
{
    let (sum, all, most, counts) = same(|member| {
        let xs = member.vector(9000, |range| range.map(number).collect())?;
        let sum = member.fold(&xs, |x, y| x + y, number(3))?;
        let most = member.fold(&xs, |x, y| x.max(y), number(0))?;
        let doubled = member.map(&xs, |x| x + x)?;
        let counts = member.histogram(&xs, 4, move |x| {
            obsidian_rt::language::select(x.lt(number(50)), lit(1u32), lit(9u32))
        })?;
        Ok((sum, member.gather_all(&doubled)?, most, counts))
    });
    let wanted: Vec<T> = (0..9000).map(|i| twice(number(i))).collect();
    assert_eq!(all, wanted);
    assert_eq!(most, number(99));
    let of_sequence =
        Sequence::generate(9000, |i| number(i as usize)).fold(|x, y| x + y, number(3));
    assert_eq!(sum, of_sequence.run(&Device::cpu()).unwrap());
    assert_eq!(
        counts,
        [0, (0..9000).filter(|i| i % 100 < 50).count() as u64, 0, 0]
    );
}

#[test]
fn all_types_of_numbers() {
    macro_rules! whole {
        ($($ty:ident)*) => {$( of_type(|i| (i % 100) as $ty, |x| x.wrapping_add(x)); )*};
    }
    whole!(u8 u16 u32 u64 i8 i16 i32 i64);
    of_type(|i| (i % 100) as f32, |x| x + x);
    of_type(|i| (i % 100) as f64, |x| x + x);
}

/// The same boundary for members and for whole arrays.
type Both<T, Sh, V> = (Edge<V>, fn() -> Boundary<T, Sh>);

const BOUNDARIES: [Both<EF32, Ix1, f32>; 4] = [
    (Edge::Clamp, || Clamp),
    (Edge::Wrap, || Wrap),
    (Edge::Mirror, || Mirror),
    (Edge::Constant(7.0), || Constant(lit(7.0f32))),
];

#[test]
fn stencils_of_vectors() {
    let device = Device::cpu();
    for len in [1, 3, 4099, 12_289] {
        for radius in [1, 5] {
            for (edge, boundary) in BOUNDARIES {
                let reach = radius as i32;
                let found = same(|member| {
                    let xs = member.vector(len, |range| range.map(float).collect())?;
                    let around = member.stencil(&xs, radius, edge, move |w| {
                        w.at(-reach) - w.at(0) * 2.0 + w.at(reach)
                    })?;
                    let again = member
                        .stencil(&around, radius, edge, move |w| w.at(reach) - w.at(-reach))?;
                    member.gather_all(&again)
                });
                let whole = ArrayProgram::build("whole", move |xs: Arr1<EF32>| {
                    let around = xs.stencil(boundary(), move |w| {
                        w.at(-reach) - w.at(0) * 2.0 + w.at(reach)
                    });
                    around.stencil(boundary(), move |w| w.at(reach) - w.at(-reach))
                });
                let xs: Vec<f32> = (0..len).map(float).collect();
                let wanted = whole
                    .unwrap()
                    .run(&device, &device.array([len], &xs).unwrap())
                    .unwrap();
                // Mirrored and wrapped places of arrays shorter than the radius are those of the whole array.
                assert_eq!(found, wanted.to_vec().unwrap(), "{len} {radius}");
            }
        }
    }
}

#[test]
fn stencils_of_rows_with_fewer_rows_than_members() {
    let device = Device::cpu();
    let boundaries: [Both<EI32, Ix2, i32>; 4] = [
        (Edge::Clamp, || Clamp),
        (Edge::Wrap, || Wrap),
        (Edge::Mirror, || Mirror),
        (Edge::Constant(7), || Constant(lit(7))),
    ];
    for (height, width) in [(1, 3), (3, 7), (33, 4)] {
        for (edge, boundary) in boundaries {
            let step = |w: obsidian_rt::arrays::Window<Ix2, EI32>| {
                w.at((-1, 0)) * 3 - w.at((0, 1)) + w.at((1, -1)) * 5 + w.at((0, 0))
            };
            let number = move |y: usize, x: usize| (y * 31 + x * 17) as i32 % 100;
            let found = same(|member| {
                let mut rows: Sharded<Ix2, i32> = member.rows([height, width], |rows| {
                    rows.flat_map(|y| (0..width).map(move |x| number(y, x)))
                        .collect()
                })?;
                let steps = member.stencils(3, &rows, 1, edge, step)?;
                for _ in 0..3 {
                    rows = member.stencil(&rows, 1, edge, step)?;
                }
                let all = member.gather_all(&rows)?;
                assert_eq!(member.gather_all(&steps)?, all);
                Ok(all)
            });
            let whole = ArrayProgram::build("whole", move |mut rows: Arr2<EI32>| {
                for _ in 0..3 {
                    rows = rows.stencil(boundary(), step);
                }
                rows
            });
            let all: Vec<i32> = (0..height)
                .flat_map(|y| (0..width).map(move |x| number(y, x)))
                .collect();
            let wanted = whole
                .unwrap()
                .run(&device, &device.array([height, width], &all).unwrap())
                .unwrap();
            assert_eq!(found, wanted.to_vec().unwrap(), "{height} x {width}");
        }
    }
}

#[test]
fn rings_that_are_shorter_than_the_radius() {
    let device = Device::cpu();
    for (height, radius) in [(3, 4), (3, 5), (3, 7), (5, 12)] {
        let reach = radius as i32;
        let step = move |w: obsidian_rt::arrays::Window<Ix2, EI32>| {
            w.at((-reach, 0)) * 10 + w.at((reach, 0))
        };
        let all: Vec<i32> = (0..height as i32).collect();
        let found = same(|member| {
            let rows = member.rows([height, 1], |rows| rows.map(|y| y as i32).collect())?;
            member.gather_all(&member.stencil(&rows, radius, Edge::Wrap, step)?)
        });
        let whole = ArrayProgram::build("whole", move |rows: Arr2<EI32>| rows.stencil(Wrap, step));
        let rows = device.array([height, 1], &all).unwrap();
        assert_eq!(
            found,
            whole
                .unwrap()
                .run(&device, &rows)
                .unwrap()
                .to_vec()
                .unwrap()
        );
    }
}

#[test]
fn mistakes_are_told() {
    let told = |kind: ErrorKind, words: &str, f: &(dyn Fn(&Member<'_>) -> Result<()> + Sync)| {
        let error = threads(2).run(f).unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().contains(words), "{error}");
    };
    told(ErrorKind::Requirement, "2 rows away", &|member| {
        let xs = member.vector(9000, |range| range.map(float).collect())?;
        member.stencil(&xs, 1, Edge::Clamp, |w| w.at(2)).map(drop)
    });
    told(ErrorKind::Member, "there is no member 5", &|member| {
        member.broadcast(5, &[1u8]).map(drop)
    });
    told(
        ErrorKind::Member,
        "different calls",
        &|member| match member.rank() {
            0 => member.barrier(),
            _ => member.all_gather(&[1u8]).map(drop),
        },
    );
    told(ErrorKind::UnequalLengths, "extents", &|member| {
        let xs = member.vector(10, |range| vec![0u8; range.len()])?;
        let ys = member.vector(11, |range| vec![0u8; range.len()])?;
        member.zip_with(&xs, &ys, |x, y| x + y).map(drop)
    });
    told(ErrorKind::UnequalLengths, "", &|member| {
        member.vector(10, |_| vec![0u8; 3]).map(drop)
    });
    told(ErrorKind::TooLong, "counted", &|member| {
        member.rows([usize::MAX, 2], |_| Vec::<u8>::new()).map(drop)
    });
    // An array of other members.
    let one = threads(1).run(|member| member.vector(9000, |range| vec![1u32; range.len()]));
    let one = one.unwrap().remove(0);
    told(
        ErrorKind::UnequalLengths,
        "divided by other members",
        &|member| member.fold(&one, |x, y| x + y, 0).map(drop),
    );
    told(
        ErrorKind::UnequalLengths,
        "divided by other members",
        &|member| member.histogram(&one, 3, |x| x).map(drop),
    );
}

#[test]
fn random_programs() {
    let mut state = 1u32;
    let mut next = move |n: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) % n
    };
    for program in 0..if std::env::var_os("OBSIDIAN_LONG").is_some() {
        200
    } else {
        20
    } {
        let len = [0, 1, 5, 4096, 5000, 13_001][next(6) as usize];
        let operations: Vec<u32> = (0..1 + next(5)).map(|_| next(6)).collect();
        let run = |member: &Member<'_>| -> Result<(Vec<f32>, u32)> {
            let mut xs = member.vector(len, |range| range.map(float).collect())?;
            for operation in &operations {
                xs = match operation {
                    0 => member.map(&xs, |x| x * 0.5 - 3.0)?,
                    1 => {
                        member.zip_with(&xs, &member.map(&xs, |x| x + 1.0)?, |x, y| x * 0.25 + y)?
                    }
                    2 => member.scan(&xs, |x, y| x.max(y), -1.0)?,
                    3 => member.stencil(&xs, 2, Edge::Clamp, |w| (w.at(-2) + w.at(2)) * 0.5)?,
                    4 => member.stencil(&xs, 1, Edge::Wrap, |w| w.at(1) - w.at(-1))?,
                    _ => member.scan(&xs, |x, y| x + y, 0.0)?,
                };
            }
            let sum = member.fold(&xs, |x, y| x + y, 0.0)?;
            Ok((member.gather_all(&xs)?, sum.to_bits()))
        };
        let one = threads(1).run(run).unwrap().remove(0);
        let members = 2 + program % 4;
        for found in threads(members).run(run).unwrap() {
            let bits = |xs: &[f32]| xs.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            assert_eq!(
                (bits(&found.0), found.1),
                (bits(&one.0), one.1),
                "{program}: {len} {operations:?} by {members}"
            );
        }
    }
}

#[test]
fn tuples_and_truth_values() {
    for len in [0, 1, 4097, 9001] {
        let pair = |i: usize| (float(i), (i % 3 == 1, i as u8));
        let found = same(|member| {
            let xs = member.vector(len, |range| range.map(pair).collect())?;
            let swapped = member.map(&xs, |(x, (flag, n))| (flag, n + 1, x * 2.0))?;
            let any = member.scan(
                &swapped,
                |(f, n, x), (g, m, y)| (f | g, n + m, x.max(y)),
                (false, 0, 0.0),
            )?;
            let around = member.stencil(&xs, 1, Edge::Constant((1.5, (true, 7))), |w| {
                let ((x, (f, _)), (y, (_, m))) = (w.at(-1), w.at(1));
                (x - y, f, m)
            })?;
            Ok((member.gather_all(&any)?, member.gather_all(&around)?))
        });
        let mut state = (false, 0u8, 0.0f32);
        for (i, own) in found.0.iter().enumerate() {
            let (x, (flag, n)) = pair(i);
            state = (
                state.0 | flag,
                state.1.wrapping_add(n.wrapping_add(1)),
                state.2.max(x * 2.0),
            );
            assert_eq!(*own, state);
        }
        for (i, own) in found.1.iter().enumerate() {
            let outside = (1.5, (true, 7));
            let before = if i == 0 { outside } else { pair(i - 1) };
            let behind = if i + 1 == len { outside } else { pair(i + 1) };
            assert_eq!(*own, (before.0 - behind.0, before.1.0, behind.1.1));
        }
        assert_eq!((found.0.len(), found.1.len()), (len, len));
    }
}

#[test]
fn members_that_work_are_waited_for() {
    let sums = threads(2)
        .patience(Duration::from_millis(200))
        .run(|member| {
            let slow = (0..20_000u32).inspect(|i| {
                if i % 1000 == 0 && *i > 12_000 {
                    std::thread::sleep(Duration::from_millis(60));
                }
            });
            member.run(Sequence::from_iter(slow).sum().chunk(1000))
        });
    assert_eq!(sums.unwrap(), [(0..20_000).sum::<u32>(); 2]);
}

#[test]
fn files_are_read_by_parts() {
    let path = std::env::temp_dir().join(format!("obsidian-shards-{}.bin", std::process::id()));
    let numbers: Vec<u8> = (0..10_001u32).flat_map(u32::to_le_bytes).collect();
    std::fs::write(&path, numbers).unwrap();
    let (all, dot) = same(|member| {
        let xs = member.from_file::<u32>(&path)?;
        Ok((member.gather_all(&xs)?, member.dot(&xs, &xs)?))
    });
    assert_eq!(all, (0..10_001).collect::<Vec<_>>());
    assert_eq!(
        dot,
        all.iter()
            .fold(0u32, |sum, x| sum.wrapping_add(x.wrapping_mul(*x)))
    );
    std::fs::remove_file(&path).unwrap();
    let error = threads(2)
        .run(|member| member.from_file::<u32>(&path).map(drop))
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::File);
}

#[test]
fn members_of_different_devices() {
    let devices = [Device::cpu(), Device::simulator(), Device::cpu()];
    let sums = Threads::new(devices).run(|member| {
        let xs = member.vector(9000, |range| range.map(|i| i as u32).collect())?;
        member.fold(&xs, |x, y| x + y, 0)
    });
    assert_eq!(sums.unwrap(), [(0..9000).sum::<u32>(); 3]);
}

#[test]
fn a_member_that_ends_ends_the_others() {
    // They do not wait until their patience is over.
    let threads = |members| threads(members).patience(Duration::from_secs(3600));
    for gone in 0..3 {
        let error = threads(3).run(|member| {
            for round in 0..5 {
                assert!(round != 3 || member.rank() != gone, "round {round}");
                member.all_gather(&[round])?;
            }
            Ok(())
        });
        let error = error.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Member);
        assert!(
            error
                .to_string()
                .contains(&format!("member {gone} panicked: round 3")),
            "{error}"
        );
        // One that gives an error of its own, and one that leaves early.
        let error = threads(3).run(|member| {
            member.barrier()?;
            match member.rank() == gone {
                true => Device::cuda(99).map(drop),
                false => member.barrier(),
            }
        });
        assert_ne!(error.unwrap_err().kind(), ErrorKind::Member);
        let error = threads(3).run(|member| match member.rank() == gone {
            true => Ok(()),
            false => member.barrier(),
        });
        assert!(
            error
                .unwrap_err()
                .to_string()
                .contains(&format!("member {gone} has ended"))
        );
    }
    let error = threads(2)
        .patience(Duration::from_millis(20))
        .run(|member| {
            if member.rank() == 1 {
                std::thread::sleep(Duration::from_millis(200));
            }
            member.barrier()
        });
    let error = error.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Member);
    assert!(error.to_string().contains("patience"), "{error}");
    assert_eq!(
        Threads::new([]).run(|_| Ok(())).unwrap_err().kind(),
        ErrorKind::Member
    );
}

/// What consumes a sequence gives by members what it gives without them.
fn dealt<O: PartialEq + std::fmt::Debug + Send + 'static>(
    consumed: impl Fn() -> obsidian_rt::sequence::Consumed<'static, O> + Sync,
) -> O {
    let found = same(|member| member.run(consumed()));
    assert_eq!(found, consumed().run(&Device::cpu()).unwrap());
    found
}

#[test]
fn sequences_are_dealt_out() {
    use obsidian_rt::sequence::{collect, fold, max, min, sum};
    for len in [0, 1, 4095, 4097, 20_000, 131_075u64] {
        let terms = move || Sequence::generate(len, |i| float(i as usize));
        for chunk in [1000, 1 << 16] {
            let all = move || {
                let squares = terms().map(|x| x * x).zip_with(terms(), |x, y| x - y);
                let two = squares.consume((fold(|x, y| x + y, 0.25), min()));
                two.and(terms().consume((max(), sum())))
                    .chunk(chunk as usize)
            };
            dealt(all);
        }
        let counts = move || {
            let numbers = Sequence::generate(len, |i| i as u32);
            numbers.histogram(5, |x| x % 7)
        };
        let found = same(|member| member.run(counts())?.to_vec());
        let wanted = counts().run(&Device::cpu()).unwrap().to_vec().unwrap();
        assert_eq!(found, wanted);
        // Skipping and taking are those of the whole sequence.
        dealt(move || terms().sum().skip(5).take(9000));
        dealt(move || {
            let shorter = Sequence::generate(len / 3 * 2, |i| float(i as usize));
            let both = terms().zip_with(shorter, |x, y| x * 0.5 + y);
            both.clone().sum().and(both.max())
        });
        // Pairs, and truth values.
        dealt(move || {
            let pairs = terms().zip_with(Sequence::generate(len, |i| i as u32), |x, i| (x, i));
            pairs.consume(fold(
                |(x, i): (EF32, EU32), (y, j): (EF32, EU32)| {
                    let is_first = x.ge(y);
                    let choose = obsidian_rt::language::select(is_first, i, j);
                    (x.max(y), choose)
                },
                (-1.0f32, u32::MAX),
            ))
        });
        dealt(move || {
            let numbers = Sequence::generate(len, |i| i % 5 == 3);
            numbers.fold(|x, y| x ^ y, true)
        });
        // Rows become several numbers each.
        let found = same(|member| {
            let rows = Sequence::generate(len, |i| float(i as usize)).map_chunks(|xs| {
                let twice = xs.replicate_inner(lit(3u32));
                twice.flatten()
            });
            let (all, sum) = member.run(rows.consume((collect(), sum())))?;
            Ok((all.to_vec()?, sum))
        });
        let wanted: Vec<f32> = (0..len).flat_map(|i| [float(i as usize); 3]).collect();
        let sum = Sequence::slice(&wanted).sum().run(&Device::cpu()).unwrap();
        assert_eq!(found, (wanted, sum));
    }
}

#[test]
fn sequences_of_rows_and_of_text_are_dealt_out() {
    let numbers: Vec<u32> = (0..7 * 3).collect();
    let found = same(|member| {
        let rows = Sequence::rows(&numbers, [3]);
        let sharded: Sharded<Ix2, u32> = member.collect(rows.clone().map(|x| x * 2))?;
        assert_eq!(sharded.extents(), [7, 3]);
        assert_eq!(sharded.local().extents()[0], sharded.rows().len());
        let sums = member.run(rows.each(|row| row.sum()).collect())?;
        Ok((member.gather_all(&sharded)?, sums.to_vec()?))
    });
    assert_eq!(found.0, numbers.iter().map(|x| x * 2).collect::<Vec<_>>());
    assert_eq!(found.1, [3, 12, 21, 30, 39, 48, 57]);
    // Rows of several members that have none.
    let few: Vec<u32> = numbers[..6].iter().rev().copied().collect();
    let found = same(|member| {
        let rows = Sequence::rows(&few, [3])
            .one_by_one()
            .each(|row| row.sort());
        let sorted = member.collect(rows)?;
        assert_eq!(sorted.extents(), [2, 3]);
        let own = member.rows([2, 3], |rows| vec![10; rows.len() * 3])?;
        let both = member.zip_with(&sorted, &own, |x, y| x + y)?;
        member.gather_all(&member.stencil(&both, 1, Edge::Clamp, |w| w.at((-1, 0)) + w.at((1, 0)))?)
    });
    assert_eq!(found, [23, 25, 27, 23, 25, 27]);
    let path = std::env::temp_dir().join(format!("obsidian-dealt-{}.txt", std::process::id()));
    let words: Vec<String> = (0..30_000).map(|i: u32| format!("w{}", i * i)).collect();
    std::fs::write(&path, words.join("\n")).unwrap();
    let lengths = same(|member| {
        let lengths = Sequence::words(&path)?.map_chunks(|words| words.lengths());
        let all = member.run(lengths.clone().collect())?.to_vec()?;
        Ok((all, member.run(lengths.sum())?))
    });
    std::fs::remove_file(&path).unwrap();
    let wanted: Vec<u32> = words.iter().map(|word| word.len() as u32).collect();
    let sum = wanted.iter().sum();
    assert_eq!(lengths, (wanted, sum));
    // An iterator, whose members have one each.
    let sum = same(|member| {
        let odd = (0..50_000u64).filter(|x| x % 2 == 1);
        member.run(Sequence::from_iter(odd).sum().take(20_000))
    });
    assert_eq!(sum, 20_000 * 20_000);
}

#[test]
fn what_cannot_be_dealt_out_is_told() {
    let numbers = || Sequence::generate(10_000, |i| i as u32);
    let told = |words: &str, f: &(dyn Fn(&Member<'_>) -> Result<()> + Sync)| {
        let error = threads(2).run(f).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    };
    told("behind `filter`", &|member| {
        member.run(numbers().filter(|x| x.gt(5)).sum()).map(drop)
    });
    told("behind `scan`", &|member| {
        let scanned = numbers().scan(|x, y| x + y, 0);
        member.run(scanned.collect()).map(drop)
    });
    told("behind `windows`", &|member| {
        let windows = numbers().windows(3).map_chunks(|w| w.sum());
        member.collect(windows).map(drop)
    });
    told("`for_each` takes", &|member| {
        let sink = numbers().for_each(|_: &[u32]| Ok::<(), String>(()));
        member.run(sink)
    });
    told("`fold_chunks` takes", &|member| {
        let state = numbers().fold_chunks([1], vec![0u32], |state: Arr1<EU32>, _| state);
        member.run(state).map(drop)
    });
    told("`to_file` takes", &|member| {
        member.run(numbers().to_file("never")).map(drop)
    });
    told("say how many there are", &|member| {
        let odd = (0..10u32).filter(|x| x % 2 == 1);
        member.run(Sequence::from_iter(odd).sum()).map(drop)
    });
    told("without an end", &|member| {
        member
            .run(Sequence::from_iter(std::iter::repeat(1u32)).sum())
            .map(drop)
    });
    told("only 5 were there", &|member| {
        let odd = (0..10u32).filter(|x| x % 2 == 1);
        member.run(Sequence::from_iter(odd).sum().take(6)).map(drop)
    });
    told("members have sequences of", &|member| {
        let xs = member.vector(20_000, |range| range.map(float).collect())?;
        member.run(Sequence::array(xs.local()).sum()).map(drop)
    });
    told("not the blocks of an array", &|member| {
        let thrice = numbers().map_chunks(|xs| xs.replicate_inner(lit(3u32)).flatten());
        member.collect(thrice).map(drop)
    });
    told("an earlier run has read this iterator", &|member| {
        let xs = Sequence::from_iter(0..10_000u64);
        member.run(xs.clone().sum())?;
        member.run(xs.max()).map(drop)
    });
    // A source that fails in one member, behind a chunk, is the error of the run.
    told("the disk is gone", &|member| {
        let rank = member.rank();
        let chunks = (0..10u32).map(move |n| match n {
            7 if rank == 1 => Err("the disk is gone"),
            _ => Ok(vec![n; 1000]),
        });
        let chunks = Sequence::from_chunks(chunks);
        member.run(chunks.sum().take(10_000)).map(drop)
    });
    told("inside of a grain", &|member| {
        let halves = numbers().map_chunks(|xs| xs.take(xs.len() / 2));
        member.run(halves.sum()).map(drop)
    });
    assert!(!std::path::Path::new("never").exists());
}
