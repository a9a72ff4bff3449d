//! Properties of every folder.

use super::*;
use proptest::prelude::*;

fn file() -> impl Strategy<Value = (String, String)> {
    let path = "(articles/|_posts/|docs/|static/|_x/|de/|fr/)?(a|b|index|README|..|%|ä| |2015-01-02-x|_index|404)\\.(md|html|png|txt|toml|MD)";
    let text = "(---\n(title: x\n|draft: true\n|slug: a\n|date: 2030-01-01\n|aliases: \\[/a, b\\]\n|redirect_to: /b\n|lang: de\n|guid: x\n){0,3}---\n)?(# A\n|\\[x\\]\\(\\.\\./a/\\)|\\[\\[a\\]\\]|\\{% x %\\}|\\{\\{ y | text )";
    (path, text)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]
    #[test]
    fn published_and_set_aside_and_skipped_are_all(files in proptest::collection::vec(file(), 0..12)) {
        let files: BTreeMap<String, String> = files.into_iter().collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let library = build(&files);
        let report = &library.report;
        let skipped: usize = report.skipped.values().map(Vec::len).sum();
        prop_assert_eq!(report.found, files.len());
        prop_assert_eq!(report.found, report.published + report.set_aside.len() + skipped);
        prop_assert_eq!(report.published, library.articles.len() + library.pages.len() + library.files.len());
        let all = || library.articles.iter().chain(&library.pages);
        let stems: BTreeSet<&str> = all().map(|article| &*article.stem).collect();
        prop_assert_eq!(stems.len(), all().count());
        for article in all() {
            prop_assert_eq!(article.targets.len(), article.document.references.len());
            for target in &*article.targets {
                if let Target::Page { stem, .. } = target {
                    let generated = ["/index", "/terms", "/api", "/articles/index"].contains(&&**stem);
                    prop_assert!(generated || stems.contains(&**stem), "{} leads to {}", article.source, stem);
                }
            }
        }
        for old in library.redirects.keys() {
            prop_assert!(!stems.contains(old.as_str()));
        }
        for (path, _) in &files {
            prop_assert!(!explain(&sources(&files), &site(), NOW.parse().unwrap(), path).outcome.is_empty());
        }
    }
}
