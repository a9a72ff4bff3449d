//! Whether summaries are sentences.

use diglot_content::{Library, Sources};

use super::links::Share;
use super::source;

/// How many summaries are the author's own or a sentence of prose, and some that are neither.
pub fn judge(sources: &Sources, library: &Library) -> (Share, Vec<String>) {
    let (mut share, mut bad) = (Share::default(), Vec::new());
    for article in library.articles.iter().chain(&library.pages) {
        let summary = &*article.summary;
        if summary.is_empty() {
            continue;
        }
        let file = sources
            .files
            .iter()
            .find(|file| *file.path == *article.source);
        let text = file.map(|file| String::from_utf8_lossy(&file.bytes));
        let parts = source::parts(&text.unwrap_or_default());
        let good = is_own(summary, &parts.front) || is_prose(summary, &parts.prose);
        share.add(good);
        if !good {
            bad.push(format!("`{}`: {summary}", article.source));
        }
    }
    (share, bad)
}

/// Whether the front matter holds these letters.
fn is_own(summary: &str, front: &str) -> bool {
    let letters = |text: &str| -> String { text.chars().filter(|c| c.is_alphanumeric()).collect() };
    let summary: String = letters(summary).chars().take(60).collect();
    !summary.is_empty() && letters(front).contains(&summary)
}

/// Whether a summary is a sentence of prose: two words or more, four letters of a script without
/// spaces, or one word that ends as a sentence; no markup and no command line; an end that expects
/// nothing more.
fn is_prose(summary: &str, source: &str) -> bool {
    const MARKUP: [&str; 10] = [
        "{{", "{%", "](", "```", "**", "<!--", "{#", "{:", ":::", "[[",
    ];
    let spaced = summary
        .split_whitespace()
        .filter(|word| word.chars().any(char::is_alphabetic));
    let wide = summary
        .chars()
        .filter(|c| *c >= '\u{2e80}' && c.is_alphabetic());
    let (spaced, wide) = (spaced.count(), wide.count());
    let is_ended = spaced + wide > 0 && summary.ends_with(['.', '!', '?', '。', '！', '？']);
    let has_words = spaced >= 2 || wide >= 4 || is_ended;
    let is_command = ["$ ", "> ", "# ", "% ", "`"]
        .iter()
        .any(|mark| summary.starts_with(mark));
    // `<div>` in code is the name of an element.
    let has_tag = summary.match_indices('<').any(|(at, _)| {
        let rest = &summary[at + 1..];
        let is_tag = rest.starts_with(|c: char| c.is_ascii_lowercase() || c == '/');
        let end = rest.find('>').map(|end| &rest[..end]);
        is_tag && end.is_some_and(|tag| !source.contains(&format!("`<{tag}")))
    });
    let ends = !summary.ends_with([
        ':', ',', ';', '(', '[', '{', '-', '–', '—', '=', '/', '\\', '|',
    ]);
    has_words
        && !is_command
        && !has_tag
        && ends
        && !MARKUP.iter().any(|mark| summary.contains(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_no_markup_and_no_command() {
        for good in [
            "Archiving utility.",
            "A <Suspense> boundary waits",
            "归档工具程序。",
            "Words that are cut…",
        ] {
            assert!(is_prose(good, ""), "{good}");
        }
        for bad in [
            "`tar cf x`",
            "$ tar cf x y",
            "See these:",
            "x {{ y }} z",
            "[a b](c)",
            "<b>a</b> b",
            "one",
            "a b,",
        ] {
            assert!(!is_prose(bad, ""), "{bad}");
        }
        let element = "The <b> element.";
        assert!(is_prose(element, "The `<b>` element.") && !is_prose(element, ""));
        assert!(
            is_own("Own: words:", "description: 'Own: words:'\n") && !is_own("other", "title: x")
        );
    }
}
