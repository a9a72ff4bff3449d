//! What a program without the optional features says. `cargo test --workspace` has all of them, so
//! `cargo xtask needs` runs these tests.

use crate::Desk;

#[test]
fn it_says_how_to_get_what_it_lacks() {
    let desk = Desk::with(&[("site/articles/first.md", "# First\n\nSome words.\n")]);
    for (args, hint) in [
        ("serve s3://bucket/prefix", "--features store"),
        (
            "publish site --to s3://bucket --base-url https://example.org",
            "--features store",
        ),
        (
            "serve site --base-url https://example.org --acme you@example.org --domain example.org",
            "--features acme",
        ),
        ("mcp site", "--features mcp"),
    ] {
        let ran = desk.run(args);
        let hint = format!("hint: build it with `cargo build --release {hint}`");
        assert_eq!(ran.status, Some(2), "{args}");
        assert!(ran.err.contains(&hint), "{}", ran.err);
    }
}
