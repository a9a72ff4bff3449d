//! `diglot-hostile [--full] [SYNTAX...]`: builds hostile texts and reports those that take longer
//! than their size allows. `cargo xtask hostile` runs it.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command for the terminal"
)]

use std::process::ExitCode;

use diglot_hostile::{Extent, judge};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let names: Vec<&str> = arguments
        .iter()
        .map(String::as_str)
        .filter(|word| !word.starts_with("--"))
        .collect();
    let extent = if arguments.iter().any(|word| word == "--full") {
        Extent::Full
    } else {
        Extent::Sample
    };
    match judge(extent, &names, |found| println!("{found}")) {
        Ok(judged) => {
            println!(
                "{} texts, {} over the bound",
                judged.texts,
                judged.found.len()
            );
            if judged.found.is_empty() {
                ExitCode::SUCCESS
            } else {
                ExitCode::FAILURE
            }
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
