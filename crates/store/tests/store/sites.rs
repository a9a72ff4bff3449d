//! Small sites.

use std::sync::Arc;

use bytes::Bytes;
use diglot_content::settings::Settings;
use diglot_content::sources::{ChangeOrigin, FileDates, SourceFile};
use diglot_content::{BaseUrl, Library, Sources};
use diglot_edition::theme::{Theme, ThemeFile};
use diglot_edition::{Coding, Edition, Found};
use jiff::Timestamp;

/// When editions are made.
pub const NOW: Timestamp = Timestamp::constant(1_700_086_400, 0);

/// The edition of a site with an article for each word.
pub fn edition(words: &[&str]) -> Arc<Edition> {
    themed(words, "")
}

/// The same with a file of a theme beside the built-in ones.
pub fn themed(words: &[&str], style: &str) -> Arc<Edition> {
    let changed = Timestamp::from_second(1_700_000_000).unwrap();
    let dates = FileDates {
        created: None,
        changed,
        origin: ChangeOrigin::Git,
    };
    let article = |(number, word): (usize, &&str)| SourceFile {
        path: format!("articles/text-{number:03}.md").into(),
        bytes: format!("# Text {number}\n\n{}\n", format!("{word} ").repeat(60)).into(),
        dates,
    };
    let sources = Sources {
        files: words.iter().enumerate().map(article).collect(),
        ..Sources::default()
    };
    let site = Settings::default()
        .into_site("Stored", BaseUrl::parse("https://example.org").unwrap())
        .unwrap();
    let library = Library::build(&sources, &site, NOW);
    let files = [style].into_iter().filter(|style| !style.is_empty());
    let files = files.map(|style| ThemeFile {
        path: "own.css".to_owned(),
        bytes: Bytes::copy_from_slice(style.as_bytes()),
    });
    let theme = Theme::new(&files.collect::<Vec<_>>()).unwrap();
    let edition = Edition::build(&library, Arc::new(site), &theme, NOW).unwrap();
    for resource in &edition.resources {
        resource.fill(Coding::Gzip);
    }
    Arc::new(edition)
}

/// Asserts that two editions answer with the same bytes.
pub fn same_bytes(one: &Edition, other: &Edition) {
    assert_eq!(one.id, other.id);
    assert_eq!(one.resources.len(), other.resources.len());
    for (one, other) in one.resources.iter().zip(&other.resources) {
        assert_eq!(one.body.to_bytes(), other.body.to_bytes(), "{}", one.path);
        assert_eq!(
            one.coded(Coding::Gzip),
            other.coded(Coding::Gzip),
            "{}",
            one.path
        );
    }
}

/// The path of the own style sheet of an edition.
pub fn style(edition: &Edition) -> String {
    let mut paths = edition.resources.iter().map(|it| &it.path);
    let own = paths.find(|path| path.starts_with("/_/own."));
    own.unwrap().to_string()
}

/// The bytes at a path, which an edition may have from an earlier theme.
pub fn at(edition: &Edition, path: &str) -> Option<Vec<u8>> {
    match edition.resolve(path) {
        Found::Resource(id) => Some(edition.resource(id).body.to_bytes().to_vec()),
        _ => None,
    }
}
