//! `cargo xtask bench`: what Diglot costs, beside its peers, on this machine.

#![allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "measured figures, for people")]

mod build;
mod corpus;
mod edit;
mod growth;
pub mod hugo;
mod load;
mod memory;
mod plot;
mod process;
mod prose;
mod race;
mod report;
mod secure;
mod serve;
mod servers;

use std::path::{Path, PathBuf};

use crate::step::{Done, Outcome};
use crate::{shell, sites};

/// One measurement.
type Measurement = fn(&Options) -> Result<String, String>;

/// Every measurement by name, with what it says in the usage.
const MEASUREMENTS: [(&str, &str, Measurement); 5] = [
    ("build", "a cold build with all outputs, beside Hugo", build::run),
    ("edit", "from a saved file to its new bytes, and from the start to the first answer", edit::run),
    ("memory", "what a serving edition and an idle connection keep", memory::run),
    ("growth", "whether an article costs the same however many there are", growth::run),
    ("serve", "processor time of a request, beside other servers, hyper with constant bytes, and the floor", serve::run),
];

/// What the command line says.
pub struct Options {
    /// Numbers of articles.
    sizes: Vec<usize>,
    /// How often each thing is measured.
    rounds: usize,
    /// Where the prose of the corpora is from.
    prose: PathBuf,
    /// The seed of the corpora.
    seed: u64,
    /// Where corpora and outputs lie: a memory file system where there is one, since disks vary more than programs.
    place: PathBuf,
    /// Whether peers are measured too.
    peers: bool,
    /// Whether something else ran on the machine.
    provisional: bool,
    /// Whether this is for trying out: few rounds, little load, and nothing written to the documentation.
    quick: bool,
}

impl Options {
    /// Large builds are long enough to need fewer rounds.
    const fn rounds_of(&self, articles: usize) -> usize {
        if articles >= 50_000 && self.rounds > 3 { 3 } else { self.rounds }
    }
}

/// Runs what the command line names.
///
/// # Errors
/// It names nothing that is known, or a measurement fails.
pub fn run(arguments: &[&str]) -> Outcome {
    let Some((name, rest)) = arguments.split_first() else { return Err(usage()) };
    let measurement = MEASUREMENTS.iter().find(|(known, ..)| known == name).ok_or_else(usage)?;
    crate::torture::raise_descriptors();
    let written = measurement.2(&options(rest)?)?;
    println!("wrote {written}");
    Ok(Done::quietly())
}

fn options(arguments: &[&str]) -> Result<Options, String> {
    let memory = Path::new("/dev/shm");
    let place = if memory.is_dir() { memory.join("diglot-bench") } else { shell::target().join("bench") };
    let (sizes, prose) = (vec![1_000, 10_000], sites::example().path);
    let mut options = Options { sizes, rounds: 5, prose, seed: 1, place, peers: true, provisional: false, quick: false };
    let mut rest = arguments.iter();
    while let Some(&name) = rest.next() {
        match name {
            "--no-peers" => options.peers = false,
            "--provisional" => options.provisional = true,
            "--quick" => (options.quick, options.rounds) = (true, 1),
            _ => {
                let value = *rest.next().ok_or_else(usage)?;
                let number = || value.parse().map_err(|_| format!("`{name}` wants a number, not `{value}`"));
                match name {
                    "--sizes" => options.sizes = value.split(',').map(|size| size.parse().map_err(|_| usage())).collect::<Result<_, _>>()?,
                    "--rounds" => options.rounds = number()?,
                    "--seed" => options.seed = value.parse().map_err(|_| usage())?,
                    "--prose" => options.prose = value.into(),
                    "--place" => options.place = value.into(),
                    _ => return Err(usage()),
                }
            }
        }
    }
    std::fs::create_dir_all(&options.place).map_err(|error| format!("cannot make `{}`: {error}", options.place.display()))?;
    Ok(options)
}

fn usage() -> String {
    let mut text = "usage: cargo xtask bench MEASUREMENT [--sizes 1000,10000] [--rounds 5] [--prose FOLDER] [--seed 1] [--place FOLDER] [--no-peers] [--provisional] [--quick]\n".to_owned();
    for (name, about, _) in MEASUREMENTS {
        text.push_str(&format!("\n  {name:<8} {about}"));
    }
    text
}
