//! What is coloured: escape codes are written as `\e[…m`.

use super::{ARTICLE, Transcript};
use crate::cli::Desk;

#[test]
fn transcripts_of_colours() {
    let desk = Desk::with(&[
        ("site/articles/first.md", ARTICLE),
        (
            "site/articles/second.md",
            "---\ntitle: Second\ndate: 2024-02-30\nslug: first\n---\n\n[a](none.md)\n",
        ),
        ("broken/articles/first.md", ARTICLE),
        ("broken/diglot.toml", "titel = \"Notes\"\n"),
    ]);
    let mut transcript = Transcript::default();
    for args in [
        "check site --no-state --color always",
        "check broken --no-state --color always",
        "build broken --no-state --color always --base-url https://example.org --output public",
        "check nowhere --color always",
        "chekc site --color always",
        "check site --no-state --color never",
    ] {
        transcript.run(&desk, args);
    }
    transcript.text = transcript.text.replace('\u{1b}', "\\e");
    transcript.compare("colours.txt", &desk);
}
