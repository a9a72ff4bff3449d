//! The checks built into cargo.

use xtask::shell::{cargo, run};
use xtask::step::{Done, Outcome};

/// `cargo fmt --check`.
pub fn fmt() -> Outcome {
    run(cargo().args(["fmt", "--all", "--check"]))?;
    Ok(Done::quietly())
}

/// Clippy, every warning an error: every target of the workspace, in which a package turns on every
/// optional feature, and the program without them. Its tests without them are a weekly step.
pub fn clippy() -> Outcome {
    for packages in [
        &["--workspace", "--all-targets"][..],
        &["--package", "diglot"],
    ] {
        let mut clippy = cargo();
        clippy.args(["clippy", "--quiet"]).args(packages);
        run(clippy.args(["--", "-D", "warnings"]))?;
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
