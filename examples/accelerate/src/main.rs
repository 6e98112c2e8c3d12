//! Runs each program on the device that there is, compares it with plain Rust, and prints a table.
//!
//! `accelerate [--picture FILE.png] [--edges FILE.png] [--frames FOLDER]`
//!
//! | option | what it does |
//! |---|---|
//! | `--picture FILE` | looks for edges in that PNG file, and not in a picture that is made |
//! | `--edges FILE` | writes the edges as a PNG file |
//! | `--frames FOLDER` | writes 100 pictures of a fluid there, `000.png` to `099.png` |

mod rows;

use std::path::PathBuf;
use std::process::ExitCode;

use accelerate::picture::Failure;
use obsidian_rt::Device;

/// What the arguments ask for.
#[derive(Default)]
struct Arguments {
    picture: Option<PathBuf>,
    edges: Option<PathBuf>,
    frames: Option<PathBuf>,
}

impl Arguments {
    fn read(mut words: impl Iterator<Item = String>) -> Result<Arguments, String> {
        let mut asked = Arguments::default();
        while let Some(word) = words.next() {
            let place = match word.as_str() {
                "--picture" => &mut asked.picture,
                "--edges" => &mut asked.edges,
                "--frames" => &mut asked.frames,
                _ => {
                    return Err(format!(
                        "`{word}` is no option: there are --picture FILE.png, --edges FILE.png and --frames FOLDER"
                    ));
                }
            };
            let path = words.next().ok_or(format!("{word} needs a path"))?;
            *place = Some(path.into());
        }
        Ok(asked)
    }
}

fn main() -> ExitCode {
    let asked = match Arguments::read(std::env::args().skip(1)) {
        Ok(asked) => asked,
        Err(words) => {
            eprintln!("{words}");
            return ExitCode::from(2);
        }
    };
    match run(&asked) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(asked: &Arguments) -> Result<(), Failure> {
    let device = Device::best()?;
    println!("on {}", device.name());
    rows::head();
    rows::linear::dot(&device)?;
    rows::elements::options(&device)?;
    rows::elements::points(&device)?;
    rows::elements::bodies(&device)?;
    rows::linear::matrix(&device)?;
    rows::linear::max(&device)?;
    rows::sorts::both(&device)?;
    rows::sorts::sparse(&device)?;
    rows::pictures::canny(&device, asked.picture.as_deref(), asked.edges.as_deref())?;
    rows::pictures::fluid(&device)?;
    match &asked.frames {
        Some(folder) => rows::pictures::frames(&device, folder),
        None => Ok(()),
    }
}
