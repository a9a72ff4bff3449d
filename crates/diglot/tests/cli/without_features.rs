//! What a program without the optional features says. `cargo test --workspace` has all of them, so
//! `cargo xtask needs` runs these tests.

use crate::cli::Desk;

#[test]
fn it_says_how_to_get_what_it_lacks() {
    let desk = Desk::with(&[("site/articles/first.md", "# First\n\nSome words.\n")]);
    let all_features = "hint: install one that has it: `cargo install --locked --path crates/diglot --features acme,mcp,store`";
    for args in [
        "serve s3://bucket/prefix",
        "publish site --to s3://bucket --base-url https://example.org",
        "serve site --base-url https://example.org --acme you@example.org --domain example.org",
        "mcp site",
        // Before anything that the command itself would ask for.
        "publish site",
        "editions",
        "mcp --wrong",
    ] {
        let ran = desk.run(args);
        assert_eq!(ran.status, Some(2), "{args}");
        assert!(ran.err.contains(all_features), "{}", ran.err);
    }
    let help = desk.run("--help").out;
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(help.matches("(not in this program)").count(), 6, "{help}");
    let help = desk.run("serve --help").out;
    assert_eq!(help.matches("(not in this program)").count(), 1, "{help}");
    let help = desk.run("publish --help").out;
    assert!(help.contains("built without object stores"), "{help}");
}
