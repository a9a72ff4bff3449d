//! `cargo xtask package [--target TRIPLE]`: makes all packages below `target/package`.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command for the terminal"
)]

use std::process::ExitCode;

use diglot_package::{Order, Packages, compile_shared, compile_static, host};
use xtask::shell::target;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let packages = match words.as_slice() {
        [] => host().and_then(|triple| packages(&triple)),
        ["--target", triple] => packages(triple),
        _ => Err("usage: cargo xtask package [--target TRIPLE]".to_owned()),
    };
    match packages {
        Ok(packages) => {
            print(&packages);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("package: {error}");
            ExitCode::FAILURE
        }
    }
}

fn packages(triple: &str) -> Result<Packages, String> {
    let output = target().join("package");
    diglot_package::make(&Order {
        target: triple.to_owned(),
        fixed: compile_static(triple)?,
        shared: compile_shared(triple)?,
        revision: 1,
        key: std::env::var_os("DIGLOT_MINISIGN_KEY").map(Into::into),
        output,
    })
}

fn print(packages: &Packages) {
    let files = [
        &packages.archive,
        &packages.debian,
        &packages.image,
        &packages.bill,
        &packages.sums,
    ];
    for file in files.into_iter().chain(&packages.signature) {
        let size = std::fs::metadata(file).map_or(0, |data| data.len());
        println!("{:>10}  {}", size, file.display());
    }
    if packages.signature.is_none() {
        println!("not signed: DIGLOT_MINISIGN_KEY names no key");
    }
}
