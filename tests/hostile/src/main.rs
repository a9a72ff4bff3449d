//! `diglot-hostile [--part NUMBER] [SYNTAX...]`: builds hostile texts and reports those that take
//! longer than their size allows. `cargo xtask hostile` runs it.
//!
//! `diglot-hostile [--part NUMBER] --case NUMBER --size BYTES`: builds one of them once, for
//! counting its instructions.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command for the terminal"
)]

use std::process::ExitCode;

use diglot_hostile::{Extent, build, judge};

fn main() -> ExitCode {
    match run(std::env::args().skip(1)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Whether nothing is over a bound.
fn run(mut arguments: impl Iterator<Item = String>) -> Result<bool, String> {
    let (mut extent, mut names, mut case, mut size) = (Extent::Sample, Vec::new(), None, 0);
    let number = |word: Option<String>| {
        word.and_then(|word| word.parse().ok())
            .ok_or("`--part`, `--case` and `--size` take a number")
    };
    while let Some(word) = arguments.next() {
        match word.as_str() {
            "--part" => extent = Extent::Part(number(arguments.next())?),
            "--sample" => extent = Extent::Sample,
            "--case" => case = Some(number(arguments.next())?),
            "--size" => size = number(arguments.next())?,
            _ => names.push(word),
        }
    }
    if let Some(case) = case {
        return build(extent, case, size).map(|()| true);
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let judged = judge(extent, &names, |found| println!("{found}"))?;
    println!(
        "{} texts, {} over the bound",
        judged.texts,
        judged.found.len()
    );
    Ok(judged.found.is_empty())
}
