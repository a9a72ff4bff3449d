//! Metalsmith: its folder of texts, and what it ignores there.

use super::scope::{canaries, check_canaries};
use super::*;

#[test]
fn rule_26_metalsmith_publishes_its_source_without_what_it_ignores() {
    let json = "{\"source\": \"./text\", \"ignore\": [\"drafts\", \"private.md\", \"a/*.md\"], \"metadata\": {\"site\": {\"title\": \"Boats\"}}}";
    let program = "import Metalsmith from 'metalsmith'\nMetalsmith(import.meta.dirname).source('./text').ignore(['drafts', 'private.md', 'a/*.md']).use(layouts()).build()";
    for config in [("metalsmith.json", json), ("metalsmith.mjs", program)] {
        check_canaries(
            &[
                config,
                ("text/index.md", "# Home\n\n[a](posts/a.md)\n"),
                ("text/posts/a.md", "# A\n"),
                ("text/file.pdf", "x"),
            ],
            &[
                "NOTES.md",
                "docs/plan.md",
                "text/drafts/x.md",
                "text/private.md",
                "text/a/x.md",
                "layouts/x.html",
            ],
            &[
                "text/file.pdf /articles/file.pdf",
                "text/index.md /index",
                "text/posts/a.md /articles/posts/a",
            ],
        );
    }
    let files = [("metalsmith.json", json), ("text/a.md", "A.")];
    let settings = crate::dialects::settings(&sources(&files), None);
    assert_eq!(settings.title.as_deref(), Some("Boats"));
}

#[test]
fn rule_26_a_source_of_metalsmith_that_is_not_read_is_not_published() {
    for config in [
        ("metalsmith.js", "Metalsmith(__dirname).source(folder)"),
        ("metalsmith.json", "{\"source\": \"../text\"}"),
    ] {
        let library = canaries(&[config], &["src/a.md", "NOTES.md", "text/b.md"]);
        let said: Vec<String> = library.problems.iter().map(ToString::to_string).collect();
        assert!(
            said.iter().any(|one| one.contains("`source` is not read")),
            "{said:?}"
        );
    }
}
