//! The checks built into cargo.

use xtask::shell::{cargo, run};
use xtask::step::{Done, Outcome};

/// `cargo fmt --check`.
pub fn fmt() -> Outcome {
    run(cargo().args(["fmt", "--all", "--check"]))?;
    Ok(Done::quietly())
}

/// Clippy, every target, every warning an error: of the whole workspace, in which a package turns
/// on every optional feature, and of the program without them.
pub fn clippy() -> Outcome {
    for packages in [&["--workspace"][..], &["--package", "diglot"]] {
        let mut clippy = cargo();
        clippy.args(["clippy", "--quiet", "--all-targets"]);
        run(clippy.args(packages).args(["--", "-D", "warnings"]))?;
    }
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
