//! The terms page for every combination of signals.

use diglot_content::site::UsageSignals;

use super::*;

/// Phrases of refusal, written independently of the implementation.
const REFUSALS: [&str; 13] = [
    "no",
    "not",
    "never",
    "without",
    "forbidden",
    "prohibited",
    "refused",
    "denied",
    "reserved",
    "may not",
    "except",
    "reservation",
    "cannot",
];

fn words_of(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

fn refuses(text: &str) -> bool {
    words_of(text)
        .iter()
        .any(|word| REFUSALS.contains(&word.as_str()))
}

/// Whether the sentences on a use match the signal: a "no" needs a sentence that refuses, a "yes" a
/// clause that does not.
fn says(text: &str, about: &[&str], allowed: bool) -> bool {
    let names = |part: &str| about.iter().any(|word| part.to_lowercase().contains(word));
    let sentences: Vec<&str> = text
        .split(['.', '!', '?', '\n'])
        .filter(|sentence| names(sentence))
        .collect();
    if !allowed {
        return sentences.iter().any(|sentence| refuses(sentence));
    }
    sentences
        .iter()
        .flat_map(|sentence| sentence.split([',', ';']))
        .filter(|clause| names(clause))
        .any(|clause| !refuses(clause))
}

#[test]
fn terms_say_what_the_signals_say_in_all_eight_combinations() {
    for bits in 0..8 {
        let signals = UsageSignals {
            search: bits & 1 != 0,
            ai_input: bits & 2 != 0,
            ai_train: bits & 4 != 0,
        };
        let site = Site { signals, ..site() };
        let pages = rendered(&library(Vec::new()), &site, &[]).unwrap();
        let (html, twin) = forms(&pages, "/terms");
        has(&html, &signals.content_signal());
        has(&twin, &signals.content_signal());
        let article = html
            .split_once("</header>\n<div class=\"text\">")
            .unwrap()
            .1
            .split_once("</article>")
            .unwrap()
            .0;
        for (text, form) in [
            (article.replace(&signals.content_signal(), ""), "html"),
            (twin.replace(&signals.content_signal(), ""), "markdown"),
        ] {
            for (about, allowed) in [
                (&["search"][..], signals.search),
                (
                    &["ai-input", "input", "answer", "grounding"],
                    signals.ai_input,
                ),
                (&["train"], signals.ai_train),
            ] {
                assert!(
                    says(&text, about, allowed),
                    "{form}: {about:?} {allowed}\n{text}"
                );
            }
        }
        assert_eq!(
            twin.contains("2019/790"),
            bits != 7,
            "what is not allowed is reserved"
        );
    }
}

#[test]
fn the_owner_is_the_author_of_the_site() {
    let site = Site {
        author: Some("Ada & Bob".into()),
        ..site()
    };
    let (html, _) = forms(
        &rendered(&library(Vec::new()), &site, &[]).unwrap(),
        "/terms",
    );
    has(&html, "belong to Ada &amp; Bob,");
}
