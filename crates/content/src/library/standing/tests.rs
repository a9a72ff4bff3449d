use std::sync::Arc;

use bytes::Bytes;

use crate::library::Library;
use crate::settings::Settings;
use crate::site::BaseUrl;
use crate::sources::{ChangeOrigin, FileDates, SourceFile, Sources};

const FOLDER: [(&str, &str); 5] = [
    ("SECURITY.md", "Write to us."),
    ("articles/a.md", "---\ntags: one\n---\nWords."),
    ("articles/b.md", "---\ndate: 2024-03-01\n---\nMore words."),
    ("articles/de/b.md", "---\nlang: de\n---\nWorte."),
    ("index.md", "Home."),
];

/// Whether what follows from paths, and what follows from what texts say of themselves, is taken over when one file is another.
fn check(path: &str, text: &str, expected: (bool, bool)) {
    let dates = FileDates { created: None, changed: "2020-02-02T00:00:00Z".parse().unwrap(), origin: ChangeOrigin::Git };
    let file = |path: &str, text: &str| SourceFile { path: path.into(), bytes: Bytes::copy_from_slice(text.as_bytes()), dates };
    let mut sources = Sources { files: FOLDER.iter().map(|(path, text)| file(path, text)).collect(), ..Sources::default() };
    let site = Settings::default().into_site("Folder", BaseUrl::parse("https://example.org").unwrap()).unwrap();
    let now = "2024-06-01T12:00:00Z".parse().unwrap();
    let before = Library::build(&sources, &site, now).texts;
    match sources.files.binary_search_by(|file| (*file.path).cmp(path)) {
        Ok(at) => sources.files[at] = file(path, text),
        Err(at) => sources.files.insert(at, file(path, text)),
    }
    let after = Library::build_again(&sources, &site, now, &before).texts;
    let layout = Arc::ptr_eq(before.layout().unwrap(), after.layout().unwrap());
    let standing = Arc::ptr_eq(before.standing().unwrap(), after.standing().unwrap());
    assert_eq!((layout, standing), expected, "{path}: {text}");
}

#[test]
fn design_9_what_an_edit_cannot_change_is_taken_over() {
    check("articles/a.md", "---\ntags: one\n---\nOther words, and [a link](b.md).", (true, true));
    check("articles/de/b.md", "---\nlang: de\n---\nAndere Worte.", (true, true));
}

#[test]
fn design_9_what_an_edit_may_change_is_decided_again() {
    check("articles/a.md", "---\ntags: two\n---\nWords.", (true, false));
    check("articles/b.md", "---\ndate: 2023-03-01\n---\nMore words.", (true, false));
    check("articles/b.md", "---\ndate: 2024-03-01\ndraft: true\n---\nMore words.", (true, false));
    check("articles/a.md", "", (true, false));
    check("SECURITY.md", "---\ntitle: Safety\n---\nWrite to us.", (false, false));
    check("index.md", "", (false, false));
    check("articles/c.md", "One more.", (false, false));
}
