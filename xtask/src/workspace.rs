//! The checks built into cargo.

use xtask::shell::{cargo, run};
use xtask::step::{Done, Outcome};

/// `cargo fmt --check`.
pub fn fmt() -> Outcome {
    run(cargo().args(["fmt", "--all", "--check"]))?;
    Ok(Done::quietly())
}

/// Clippy, every target, every warning an error.
pub fn clippy() -> Outcome {
    run(cargo().args([
        "clippy",
        "--quiet",
        "--workspace",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ]))?;
    Ok(Done::quietly())
}

/// rustdoc, every warning an error.
pub fn doc() -> Outcome {
    run(cargo()
        .args([
            "doc",
            "--quiet",
            "--workspace",
            "--no-deps",
            "--document-private-items",
        ])
        .env("RUSTDOCFLAGS", "-D warnings"))?;
    Ok(Done::quietly())
}
