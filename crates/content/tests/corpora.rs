//! What every folder must give: the folders of the tests, and real ones where they are at hand
//! (`DIGLOT_CORPORA`, else `../shared/corpora` beside the repository): `cargo xtask needs` runs
//! those as well.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a test reads folders and prints what it found"
)]

use std::path::{Path, PathBuf};

use diglot_content::document::{Rendering, Target, write_markdown};
use diglot_content::sources::{ChangeOrigin, FileDates, SourceFile, Sources};
use diglot_content::{BaseUrl, Library, Site};
use jiff::Timestamp;

/// The folders of the tests.
fn folders() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../diglot/tests/folders")
}

/// The real folders.
fn corpora() -> PathBuf {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora");
    std::env::var_os("DIGLOT_CORPORA").map_or_else(beside, PathBuf::from)
}

fn read(root: &Path, folder: &Path, sources: &mut Sources) {
    let mut entries: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        let relative = path
            .strip_prefix(root)
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned();
        if path.file_name().unwrap().to_string_lossy().starts_with('.') {
            sources.hidden.insert(relative);
        } else if path.is_dir() {
            read(root, &path, sources);
        } else {
            let changed = "2025-02-07T00:00:00Z".parse().unwrap();
            let dates = FileDates {
                created: None,
                changed,
                origin: ChangeOrigin::FileTime,
            };
            sources.files.push(SourceFile {
                path: relative.into(),
                bytes: std::fs::read(&path).unwrap().into(),
                dates,
            });
        }
    }
}

fn build(folder: &Path) -> (Library, Site) {
    let name = folder.file_name().unwrap().to_str().unwrap();
    let mut sources = Sources {
        name: name.to_owned(),
        ..Sources::default()
    };
    read(folder, folder, &mut sources);
    sources.files.sort_by(|a, b| a.path.cmp(&b.path));
    let base = BaseUrl::parse("https://example.org").unwrap();
    let site = diglot_content::settings::Settings::default()
        .into_site(name, base)
        .unwrap();
    let now: Timestamp = "2026-01-01T00:00:00Z".parse().unwrap();
    let library = Library::build(&sources, &site, now);
    let again = Library::build(&sources, &site, now);
    assert_eq!(
        format!("{library:?}"),
        format!("{again:?}"),
        "a second build differs"
    );
    (library, site)
}

/// What every folder must give; prints what was found with `--nocapture`.
fn check(folder: &Path) -> Library {
    let name = folder.display();
    let (library, site) = build(folder);
    let report = &library.report;
    let skipped: usize = report.skipped.values().map(Vec::len).sum();
    println!(
        "== {name}: {} articles, {} pages, {} files",
        library.articles.len(),
        library.pages.len(),
        library.files.len()
    );
    println!(
        "dialect {:?}, articles in {:?}",
        report.dialect, report.articles_folder
    );
    println!(
        "found {} = published {} + set aside {:?} + skipped {skipped}",
        report.found, report.published, report.set_aside
    );
    for (reason, files) in &report.skipped {
        println!(
            "  {reason}: {} {:?}",
            files.len(),
            &files[..files.len().min(4)]
        );
    }
    println!(
        "unknown tags {:?}; {} redirects; expired {:?}",
        report.unknown_tags,
        library.redirects.len(),
        library.expired
    );
    assert_eq!(
        report.found,
        report.published + report.set_aside.len() + skipped
    );
    assert_eq!(
        report.published,
        library.articles.len() + library.pages.len() + library.files.len()
    );
    let (mut links, mut lost) = (0, 0);
    for article in library.articles.iter().chain(&library.pages) {
        assert!(!article.title.is_empty());
        assert_eq!(
            article.targets.len(),
            article.document.references.len(),
            "{}",
            article.source
        );
        links += article
            .targets
            .iter()
            .filter(|target| !matches!(target, Target::Url(_)))
            .count();
        lost += article
            .targets
            .iter()
            .filter(|target| matches!(target, Target::Unresolved))
            .count();
        let rendering = Rendering {
            base: &site.base,
            stem: &article.stem,
            targets: &article.targets,
            purpose: diglot_content::document::Purpose::Twin,
            typography: None,
            back: None,
        };
        let twin = write_markdown(&article.document, &rendering).text;
        let outside = outside_code(&twin);
        assert!(
            !outside.contains("{%") && !outside.contains("{{"),
            "{}: {}",
            article.source,
            outside
                .lines()
                .find(|line| line.contains("{%") || line.contains("{{"))
                .unwrap_or_default()
        );
    }
    println!("{lost} of {links} internal links lead nowhere");
    for problem in &library.problems {
        println!("{problem}");
    }
    library
}

/// The text without code.
fn outside_code(text: &str) -> String {
    let mut outside = String::new();
    let mut end = 0;
    for range in diglot_content::markdown::literal::literals(text).code {
        outside.push_str(&text[end..range.start]);
        end = range.end;
    }
    outside + &text[end..]
}

#[test]
fn every_folder_of_our_own_gives_what_it_must() {
    let mut folders: Vec<PathBuf> = std::fs::read_dir(folders())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    folders.sort();
    for folder in folders {
        assert!(!check(&folder).articles.is_empty(), "{}", folder.display());
    }
}

mod needs_corpora {
    use super::*;

    #[test]
    #[ignore = "needs the corpora: `../shared/corpora`, or the folder that DIGLOT_CORPORA names"]
    fn a_dated_blog_with_dirty_front_matter() {
        let library = check(&corpora().join("18f-mini"));
        assert_eq!(library.articles.len(), 112);
        assert!(
            library
                .articles
                .iter()
                .all(|article| article.date.is_some())
        );
    }

    #[test]
    #[ignore = "needs the corpora: `../shared/corpora`, or the folder that DIGLOT_CORPORA names"]
    fn a_guide_in_29_languages() {
        let library = check(&corpora().join("opensource-guide"));
        let german = library
            .articles
            .iter()
            .find(|article| &*article.stem == "/articles/de/legal")
            .unwrap();
        assert_eq!(
            (german.language.as_str(), german.translations.len()),
            ("de", 28)
        );
    }

    #[test]
    #[ignore = "needs the corpora: `../shared/corpora`, or the folder that DIGLOT_CORPORA names"]
    fn a_vault() {
        assert!(check(&corpora().join("obsidian-vault")).articles.len() > 90);
    }

    #[test]
    #[ignore = "needs the corpora: `../shared/corpora`, or the folder that DIGLOT_CORPORA names"]
    fn a_site_of_hugo() {
        assert!(check(&corpora().join("digitalgov-mini")).articles.len() > 90);
    }

    #[test]
    #[ignore = "needs the corpora: `../shared/corpora`, or the folder that DIGLOT_CORPORA names"]
    fn proposals_with_a_table_of_facts_each() {
        assert!(check(&corpora().join("eips")).articles.len() > 90);
    }

    #[test]
    #[ignore = "needs the corpora: `../shared/corpora`, or the folder that DIGLOT_CORPORA names"]
    fn documentation_in_mdx() {
        assert!(check(&corpora().join("react-docs")).articles.len() > 90);
    }
}
