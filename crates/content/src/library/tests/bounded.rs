//! Bounds on the cost of one file: a file beyond them is set aside and reported or only partly
//! parsed, and the others are unaffected.

use std::cell::Cell;
use std::time::Duration;

use super::*;
use crate::model::bounds::Bounds;
use crate::model::document::write_html;

thread_local!(static NOW_HERE: Cell<u64> = const { Cell::new(0) });

/// A clock that advances by one second on every reading.
fn clock() -> Duration {
    NOW_HERE.set(NOW_HERE.get() + 1);
    Duration::from_secs(NOW_HERE.get())
}

#[test]
fn a_file_that_takes_too_long_is_set_aside_and_named_and_the_rest_goes_on() {
    for (name, text) in [
        ("bad.md", "*a* ".repeat(5_000)),
        ("bad.html", "<p>a".repeat(5_000)),
        ("bad.md", "{% a %}\n".repeat(5_000)),
    ] {
        let bad = format!("posts/{name}");
        let mut sources = sources(&[
            (&bad, &text),
            ("posts/good.md", "# Good\n\nSee [it](bad.md)."),
        ]);
        sources.bounds = Bounds {
            time: Duration::from_secs(8),
            clock: Some(clock),
            ..Bounds::default()
        };
        let library = Library::build(&sources, &site(), NOW.parse().unwrap());
        let titles: Vec<_> = library
            .articles
            .iter()
            .map(|article| &*article.title)
            .collect();
        assert_eq!(titles, ["Good"], "{name}");
        assert_eq!(
            library.report.set_aside,
            [(bad.clone(), "it takes too long to read".to_owned())]
        );
        let said = format!("{bad}: set aside: parsing takes longer than 8 s");
        assert!(
            library
                .problems
                .iter()
                .any(|problem| problem.to_string().starts_with(&said)),
            "{:?}",
            library.problems
        );
    }
}

#[test]
fn design_9_a_text_that_took_too_long_is_tried_again_only_with_more_time_or_when_it_is_another() {
    let endless = "*a* ".repeat(5_000);
    let mut sources = sources(&[("posts/bad.md", &endless), ("posts/good.md", "Good.")]);
    let mut memory = Memory::default();
    // Each thread has a clock of its own here.
    let one = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    // Whether it is set aside, and whether it was read for that: then the clock went on.
    let mut check = |seconds: u64, (text, good): (&str, &str), expected: (bool, bool)| {
        sources.bounds = Bounds {
            time: Duration::from_secs(seconds),
            clock: Some(clock),
            ..Bounds::default()
        };
        sources.files[0].bytes = text.to_owned().into();
        sources.files[1].bytes = good.to_owned().into();
        let (library, time) = one.install(|| {
            let before = NOW_HERE.get();
            let library = Library::build_with(&sources, &site(), NOW.parse().unwrap(), &mut memory);
            (library, NOW_HERE.get() - before)
        });
        let tried = time >= seconds;
        let set_aside = library.report.set_aside
            == [(
                "posts/bad.md".to_owned(),
                "it takes too long to read".to_owned(),
            )];
        assert_eq!(
            (set_aside, tried, library.certain),
            (expected.0, expected.1, !expected.0),
            "{seconds} s, {good}"
        );
    };
    check(8, (&endless, "Good."), (true, true));
    check(8, (&endless, "Good."), (true, false));
    check(8, (&endless, "Another text."), (true, false));
    check(7, (&endless, "Another text."), (true, false));
    check(12, (&endless, "Another text."), (true, true));
    check(12, ("Mended.", "Another text."), (false, false));
    check(12, (&endless, "Another text."), (true, true));
}

#[test]
fn elements_deeper_than_the_limit_are_taken_apart_and_their_text_stays() {
    // The deepest that may be set fits the stack of any thread, in every form.
    for nesting in [8, 160] {
        for unit in [
            "> ",
            "- ",
            "<div>",
            "<blockquote><ul><li>",
            "<details><summary>s</summary>",
            "<b><i>",
            "> [!note]\n> ",
        ] {
            let text = format!("# T\n\n{}deep\n\nafter\n", unit.repeat(300));
            let mut sources = sources(&[("posts/a.md", &text), ("posts/b.html", &text)]);
            sources.bounds.nesting = nesting;
            let library = Library::build(&sources, &site(), NOW.parse().unwrap());
            assert_eq!(library.articles.len(), 2, "{unit}");
            for article in library.articles.iter() {
                let site = site();
                let rendering = |purpose| Rendering {
                    base: &site.base,
                    stem: &article.stem,
                    targets: &article.targets,
                    purpose,
                    typography: None,
                    back: None,
                };
                let page = write_html(&article.document, &rendering(Purpose::Page)).text;
                let twin = write_markdown(&article.document, &rendering(Purpose::Twin)).text;
                assert!(
                    page.contains("deep")
                        && page.contains("after")
                        && twin.contains("deep")
                        && twin.contains("after"),
                    "{unit}"
                );
                let deepest = page.split('>').scan(0_usize, |depth, tag| {
                    match tag.rsplit('<').next() {
                        Some(close) if close.starts_with('/') => *depth = depth.saturating_sub(1),
                        _ => {
                            *depth += usize::from(
                                ["blockquote", "div", "li", "details"]
                                    .iter()
                                    .any(|name| tag.contains(&format!("<{name}"))),
                            )
                        }
                    }
                    Some(*depth)
                });
                assert!(deepest.max().unwrap_or(0) <= nesting + 8, "{unit}");
            }
        }
    }
}
