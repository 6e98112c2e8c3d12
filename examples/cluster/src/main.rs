//! Runs the programs on threads of this process.
//!
//! `cluster [MEMBERS]` runs all of them by one member and by as many, 2 without it, and compares the bits of the results.
//!
//! `cluster costs [MEMBERS]` prints what goes over a network for 2 and 4 members, four times as many, and so on, up to as many: 1,024 without it.
//!
//! `cluster speed` prints how long the dot product of 16 million numbers and a hundred generations of life, 512 x 512, take one member and two, with one core for each.

use std::error::Error;
use std::time::{Duration, Instant};

use cluster::{Counting, PROGRAMS, Sizes, Traffic, all, prepare, programs};
use obsidian_rt::Device;
use obsidian_rt::shard::{Member, Threads};

type Outcome = Result<(), Box<dyn Error>>;

fn main() -> Outcome {
    let mut words = std::env::args().skip(1).peekable();
    let mode = words.next_if(|word| word.parse::<usize>().is_err());
    let members: Option<usize> = words.next().map(|word| word.parse()).transpose()?;
    match mode.as_deref() {
        None => compare(members.unwrap_or(2)),
        Some("costs") => costs(members.unwrap_or(1024)),
        Some("speed") => speed(),
        Some(other) => Err(format!("there is no mode `{other}`: `costs` or `speed`").into()),
    }
}

/// Members that wait long for each other: with many of them, each has little of the machine.
fn threads(members: usize) -> obsidian_rt::Result<Threads> {
    // Members share the GPUs, if there are some, unless the environment says something else.
    let is_said = std::env::var_os("OBSIDIAN_DEVICE").is_some_and(|word| !word.is_empty());
    let gpus = Device::cuda_count().unwrap_or(0);
    let device = |member: usize| match gpus {
        _ if is_said => Device::best(),
        0 => Ok(Device::cpu()),
        gpus => Device::cuda(member as u32 % gpus),
    };
    let devices = (0..members).map(device).collect::<Result<Vec<_>, _>>()?;
    Ok(Threads::new(devices).patience(Duration::from_secs(600)))
}

fn compare(members: usize) -> Outcome {
    let folder = std::env::temp_dir();
    let run = |members: usize| threads(members)?.run(|member| all(member, &Sizes::SMALL, &folder));
    let one = run(1)?.into_iter().next().unwrap_or_default();
    println!("{}", one.join("\n"));
    for found in run(members)? {
        if found != one {
            return Err(format!("{members} members: {found:?}").into());
        }
    }
    eprintln!("the same bits by {members} members");
    Ok(())
}

/// The programs whose messages are counted: not the last one, which is a test.
const COUNTED: usize = PROGRAMS.len() - 1;

/// The most that one member takes from others in each program.
fn traffic(members: usize) -> Result<Vec<Traffic>, Box<dyn Error>> {
    let parent = std::env::temp_dir();
    let all = threads(members)?.cores(1).run(|member| {
        let folder = prepare(member, &Sizes::LARGE, &parent)?;
        let mut all = Vec::new();
        for (_, program) in &PROGRAMS[..COUNTED] {
            let counting = Counting::new(member.transport());
            let counted = Member::new(&counting, member.device().clone());
            program(&counted, &Sizes::LARGE, folder.path())?;
            all.push(counting.traffic());
        }
        member.barrier()?;
        Ok(all)
    })?;
    let most = |program: usize| {
        let own = all.iter().filter_map(|member| member.get(program));
        own.copied().max_by_key(|traffic| traffic.bytes)
    };
    Ok((0..COUNTED)
        .map(|program| most(program).unwrap_or_default())
        .collect())
}

fn costs(most: usize) -> Outcome {
    let names: Vec<&str> = PROGRAMS[..COUNTED].iter().map(|(name, _)| *name).collect();
    println!("| members | {} |", names.join(" | "));
    println!("|---:|{}", "---:|".repeat(names.len()));
    for members in std::iter::once(2).chain((1..).map(|power| 1 << (2 * power))) {
        if members > most {
            break;
        }
        let cells: Vec<String> = traffic(members)?
            .into_iter()
            .map(|own| format!("{} in {}", own.bytes, own.messages))
            .collect();
        println!("| {members} | {} |", cells.join(" | "));
    }
    Ok(())
}

/// The median time of a step, in milliseconds, by members with a core each. `make` makes what steps need.
fn median<S>(
    members: usize,
    make: impl Fn(&Member<'_>) -> obsidian_rt::Result<S> + Sync,
    step: impl Fn(&Member<'_>, &S) -> obsidian_rt::Result<()> + Sync,
) -> obsidian_rt::Result<f64> {
    let all = threads(members)?.cores(1).run(|member| {
        let state = make(member)?;
        let mut times = Vec::new();
        for _ in 0..15 {
            member.barrier()?;
            let begin = Instant::now();
            step(member, &state)?;
            member.barrier()?;
            times.push(begin.elapsed().as_secs_f64() * 1e3);
        }
        times.sort_by(f64::total_cmp);
        Ok(times[times.len() / 2])
    })?;
    Ok(all.into_iter().fold(0.0, f64::max))
}

fn speed() -> Outcome {
    println!("| program | one member, ms | two members, ms | times as fast |");
    println!("|---|---:|---:|---:|");
    let row = |name: &str, time: &dyn Fn(usize) -> obsidian_rt::Result<f64>| -> Outcome {
        let (one, two) = (time(1)?, time(2)?);
        println!("| {name} | {one:.1} | {two:.1} | {:.2} |", one / two);
        Ok(())
    };
    row("dot, 16 million", &|members| {
        let vector = |member: &Member<'_>| {
            member.vector(16_000_000, |range| range.map(|i| i as f32).collect())
        };
        let dot = |member: &Member<'_>, xs: &_| member.dot(xs, xs).map(drop);
        median(members, vector, dot)
    })?;
    row("life, 512 x 512, 100 generations", &|members| {
        let board = |member: &Member<'_>| programs::board(member, 512);
        let life =
            |member: &Member<'_>, board: &_| programs::generations(member, board, 100).map(drop);
        median(members, board, life)
    })
}
