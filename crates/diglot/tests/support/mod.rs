//! What several of the tests need.

pub mod repository;
pub mod tree;

use std::path::Path;
use std::process::{Command, Output};

/// The address of every site that is built here.
pub const BASE: &str = "https://example.org";

/// Runs `diglot build` without a state folder, with more options, in the environment of the tests.
pub fn build(source: &Path, target: &Path, options: &[&str]) -> Output {
    let mut build = Command::new(env!("CARGO_BIN_EXE_diglot"));
    build.args(["build", "--base-url", BASE, "--no-state"]);
    build.args(options).arg(source).arg("--output").arg(target);
    build.output().unwrap()
}
