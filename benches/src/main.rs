//! `cargo xtask bench`: the costs of Diglot and its peers on this machine.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command for the terminal"
)]
#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "measured figures, for people"
)]

mod at_random;
mod build;
mod corpus;
mod edit;
mod growth;
mod hugo;
mod load;
mod memory;
mod middle;
mod pace;
mod plot;
mod process;
mod prose;
mod race;
mod report;
mod reserved_memory;
mod sample;
mod scenario;
mod secure;
mod serve;
mod servers;
mod serving;
mod small;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use diglot_e2e::sites;
use xtask::shell;

/// One measurement.
type Measurement = fn(&Options) -> Result<String, String>;

/// Every measurement by name, with its line in the usage.
const MEASUREMENTS: [(&str, &str, Measurement); 5] = [
    (
        "build",
        "a cold build with all outputs, beside Hugo",
        build::run,
    ),
    (
        "edit",
        "from a saved file to its new bytes, and from the start to the first answer",
        edit::run,
    ),
    (
        "memory",
        "what a serving edition and an idle connection keep",
        memory::run,
    ),
    (
        "growth",
        "whether an article costs the same however many there are",
        growth::run,
    ),
    (
        "serve",
        "processor time of a request, beside other servers, hyper with constant bytes, and the floor",
        serve::run,
    ),
];

/// The command line.
pub struct Options {
    /// Numbers of articles.
    sizes: Vec<usize>,
    /// How often each measurement is repeated.
    rounds: usize,
    /// The folder with the prose of the corpora.
    prose: PathBuf,
    /// The seed of the corpora.
    seed: u64,
    /// The folder for corpora and outputs: a memory file system if there is one, because disks vary
    /// more than programs.
    place: PathBuf,
    /// Whether peers are measured too.
    peers: bool,
    /// Whether something else was running on the machine.
    provisional: bool,
    /// Whether this is a trial: few rounds, little load, and nothing written to the documentation.
    quick: bool,
    /// Whether the folder is kept: it was given on the command line.
    keep: bool,
}

impl Drop for Options {
    fn drop(&mut self) {
        if !self.keep {
            let _ = std::fs::remove_dir_all(&self.place);
        }
    }
}

impl Options {
    /// Large builds are long enough to need fewer rounds.
    const fn rounds_of(&self, articles: usize) -> usize {
        if articles >= 50_000 && self.rounds > 3 {
            3
        } else {
            self.rounds
        }
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&words) {
        Ok(written) => {
            println!("wrote {written}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the measurement named on the command line; returns the page it wrote.
fn run(arguments: &[&str]) -> Result<String, String> {
    let Some((name, rest)) = arguments.split_first() else {
        return Err(usage());
    };
    let measurement = MEASUREMENTS
        .iter()
        .find(|(known, ..)| known == name)
        .ok_or_else(usage)?;
    diglot_e2e::torture::raise_descriptors();
    let mut options = options(rest)?;
    options.sizes.retain(|&size| fits(size));
    if options.sizes.is_empty() {
        return Err("no size is left to measure".to_owned());
    }
    measurement.2(&options)
}

fn options(arguments: &[&str]) -> Result<Options, String> {
    let prose = sites::example().path;
    let mut options = Options {
        sizes: Vec::new(),
        rounds: 5,
        prose,
        seed: 1,
        place: place(),
        peers: true,
        provisional: false,
        quick: false,
        keep: false,
    };
    let mut rest = arguments.iter();
    while let Some(&name) = rest.next() {
        match name {
            "--no-peers" => options.peers = false,
            "--provisional" => options.provisional = true,
            "--quick" => (options.quick, options.rounds) = (true, 1),
            _ => {
                let value = *rest.next().ok_or_else(usage)?;
                let number = || {
                    value
                        .parse()
                        .map_err(|_| format!("`{name}` wants a number, not `{value}`"))
                };
                match name {
                    "--sizes" => {
                        options.sizes = value
                            .split(',')
                            .map(|size| size.parse().map_err(|_| usage()))
                            .collect::<Result<_, _>>()?
                    }
                    "--rounds" => options.rounds = number()?,
                    "--seed" => options.seed = value.parse().map_err(|_| usage())?,
                    "--prose" => options.prose = value.into(),
                    "--place" => (options.place, options.keep) = (value.into(), true),
                    _ => return Err(usage()),
                }
            }
        }
    }
    if options.sizes.is_empty() {
        options.sizes = if options.quick {
            vec![100, 1_000]
        } else {
            vec![1_000, 10_000, 100_000]
        };
    }
    std::fs::create_dir_all(&options.place)
        .map_err(|error| format!("cannot make `{}`: {error}", options.place.display()))?;
    Ok(options)
}

/// A folder for this run, on a memory file system if there is one; those of killed runs are
/// removed.
fn place() -> PathBuf {
    const NAME: &str = "diglot-bench-";
    let memory = Path::new("/dev/shm");
    let above = if memory.is_dir() {
        memory.to_owned()
    } else {
        shell::target().join("bench")
    };
    for left in std::fs::read_dir(&above)
        .into_iter()
        .flatten()
        .filter_map(Result::ok)
    {
        let name = left.file_name();
        let dead = |process: &str| {
            process.parse::<u32>().is_ok()
                && Path::new("/proc/self").exists()
                && !Path::new("/proc").join(process).exists()
        };
        if name
            .to_str()
            .and_then(|name| name.strip_prefix(NAME))
            .is_some_and(dead)
        {
            let _ = std::fs::remove_dir_all(left.path());
        }
    }
    above.join(format!("{NAME}{}", std::process::id()))
}

/// Whether there is enough memory for this many articles: the corpus, plus the pack or an output,
/// plus a peer's own memory.
fn fits(articles: usize) -> bool {
    const EACH: u64 = 100_000;
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let free = text.lines().find_map(|line| {
        line.strip_prefix("MemAvailable:")?
            .trim()
            .strip_suffix(" kB")?
            .parse::<u64>()
            .ok()
    });
    let fits = free.is_none_or(|free| articles as u64 * EACH <= free * 1_000);
    if !fits {
        println!(
            "{} articles are not measured: they want {} of free memory",
            report::thousands(articles),
            report::megabytes(articles as u64 * EACH)
        );
    }
    fits
}

fn usage() -> String {
    let mut text = "usage: cargo xtask bench MEASUREMENT [--sizes 1000,10000,100000] [--rounds 5] [--prose FOLDER] [--seed 1] [--place FOLDER] [--no-peers] [--provisional] [--quick]\n".to_owned();
    for (name, about, _) in MEASUREMENTS {
        text.push_str(&format!("\n  {name:<8} {about}"));
    }
    text
}
