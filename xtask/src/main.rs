//! What CI runs: `cargo xtask ci`.

fn main() {}
