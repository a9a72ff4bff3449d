//! The site inside a folder: a repository of a program often keeps it in `docs/` or `website/`,
//! with its generator's configuration, and nothing else of the repository is for readers.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::Path;

use crate::{file, limits};

/// Where repositories keep their sites.
const PLACES: [&str; 16] = [
    "docs",
    "doc",
    "documentation",
    "website",
    "site",
    "www",
    "web",
    "homepage",
    "blog",
    "apps/docs",
    "apps/site",
    "apps/web",
    "apps/website",
    "apps/www",
    "packages/docs",
    "packages/website",
];
/// Files and folders that only the root of a generator's site has. A closing `*` matches any ending.
const MARKS: [&str; 19] = [
    "zensical.toml",
    "mkdocs.yml",
    "mkdocs.yaml",
    "docusaurus.config.*",
    "astro.config.*",
    "eleventy.config.*",
    ".eleventy.js",
    ".vitepress",
    "book.toml",
    "_quarto.yml",
    "_quarto.yaml",
    "hugo.toml",
    "hugo.yaml",
    "hugo.yml",
    "hugo.json",
    "zola.toml",
    "docfx.json",
    "_config.yml",
    "next.config.*",
];
/// The same, of a site with a folder `content`.
const MARKS_WITH_CONTENT: [&str; 5] = [
    "config.toml",
    "config.yaml",
    "config.yml",
    "config.json",
    "config",
];
/// What says that the folder itself is meant: settings, a vault, a book, folders of articles.
const OWN: [&str; 12] = [
    diglot_content::settings::FILE,
    ".obsidian",
    ".gitbook.yaml",
    ".gitbook.yml",
    "book.json",
    "SUMMARY.md",
    "_posts",
    "_articles",
    "articles",
    "content",
    "posts",
    "source",
];
/// What Diglot reads from the folder above: `docs` is then not a site of its own.
const READ_FROM_OUTSIDE: [&str; 2] = ["docs/.vitepress", "docs/docfx.json"];
/// A home page at the root: the folder is a site itself.
const HOME: [&str; 2] = ["index.md", "index.markdown"];
/// The beginnings of names of folders whose sites are tests and examples of the program.
const NO_SITES: [&str; 9] = [
    "test",
    "example",
    "sample",
    "fixture",
    "demo",
    "template",
    "theme",
    "bench",
    "node_modules",
];
/// The configuration of a book, which is one only with its list of chapters.
const BOOK: &str = "book.toml";
/// How many folders are looked through for a text.
const MOST_FOLDERS: usize = 2000;

/// A site inside a folder.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Inner {
    /// Its folder, relative.
    pub place: String,
    /// The file or folder that shows it, relative.
    pub by: String,
}

/// The sites inside a folder that is not a site itself.
pub(super) fn sites(root: &Path) -> Vec<Inner> {
    let own = names(root);
    if mark(&own).is_some() || OWN.iter().any(|name| own.contains(*name)) {
        return Vec::new();
    }
    let usual: Vec<Inner> = PLACES
        .iter()
        .filter_map(|place| site_at(root, place))
        .filter(|inner| counts(root, inner))
        .collect();
    if usual.is_empty() && HOME.iter().all(|name| !own.contains(*name)) {
        only_one(root, &own).into_iter().collect()
    } else {
        usual
    }
}

/// The only site in a folder of any name at the root. Of several, none is meant.
fn only_one(root: &Path, own: &BTreeSet<String>) -> Option<Inner> {
    let may_be = |name: &&String| {
        !name.starts_with('.')
            // What was set aside: `docs~`.
            && !name.ends_with('~')
            && !NO_SITES.iter().any(|other| name.starts_with(other))
    };
    let folders = own.iter().filter(may_be);
    let mut found = folders.filter_map(|place| site_at(root, place));
    let site = found.next()?;
    (found.next().is_none() && counts(root, &site)).then_some(site)
}

/// The site in this folder, if a generator's configuration is in it.
fn site_at(root: &Path, place: &str) -> Option<Inner> {
    let folder = root.join(place);
    // Its mark and texts count only inside the folder: a link may lead anywhere.
    if folder.canonicalize().ok()? != root.canonicalize().ok()?.join(place) {
        return None;
    }
    let by = format!("{place}/{}", mark(&names(&folder))?);
    Some(Inner {
        place: place.to_owned(),
        by,
    })
}

/// Whether a site has texts, and all of them in its folder.
fn counts(root: &Path, site: &Inner) -> bool {
    let folder = root.join(&site.place);
    let is_whole = !site.by.ends_with(BOOK) || lists_chapters(&folder);
    is_whole
        && !READ_FROM_OUTSIDE.contains(&&*site.by)
        && holds_text(&folder, site.by.contains("next."))
        && !takes_texts_from_outside(root, &site.by)
}

/// Whether a book has its list of chapters in `src`, or where its configuration says.
fn lists_chapters(folder: &Path) -> bool {
    let bytes = file::read(&folder.join(BOOK), limits::SETTINGS_BYTES).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let named = text.lines().find_map(|line| {
        let value = line.trim().strip_prefix("src")?.trim_start();
        Some(value.strip_prefix('=')?.trim().trim_matches(['"', '\'']))
    });
    let src = folder.join(named.unwrap_or("src"));
    src.join("SUMMARY.md").is_file()
}

/// Whether a configuration names a folder of texts outside its own folder: they would be lost.
fn takes_texts_from_outside(root: &Path, by: &str) -> bool {
    let bytes = file::read(&root.join(by), limits::SETTINGS_BYTES).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let plain: String = text
        .chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, '"' | '\''))
        .collect();
    ["path:../", "docs_dir:../"]
        .iter()
        .any(|words| plain.contains(words))
}

/// The name among these that shows a generator's site.
fn mark(names: &BTreeSet<String>) -> Option<&str> {
    let begins = |prefix: &str| {
        let from = names.range(prefix.to_owned()..);
        from.take(1).find(|name| name.starts_with(prefix))
    };
    let found = MARKS.iter().find_map(|mark| match mark.strip_suffix('*') {
        Some(prefix) => begins(prefix),
        None => names.get(*mark),
    });
    let with_content = || {
        let is_one = |mark: &&&str| names.contains("content") && names.contains(**mark);
        let mark = MARKS_WITH_CONTENT.iter().find(is_one)?;
        names.get(*mark)
    };
    found.or_else(with_content).map(String::as_str)
}

/// Whether a path is that of a generator's configuration at the root of its site.
pub(super) fn is_mark(path: &str) -> bool {
    MARKS.iter().any(|mark| match mark.strip_suffix('*') {
        Some(prefix) => path.starts_with(prefix) && !path.contains('/'),
        None => path == *mark,
    })
}

/// The names in a folder; none if it cannot be read.
fn names(folder: &Path) -> BTreeSet<String> {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}

/// Whether a folder holds a text of a generator; with `only_mdx` one that only MDX explains.
fn holds_text(folder: &Path, only_mdx: bool) -> bool {
    let suffixes: &[&str] = if only_mdx {
        &["mdx"]
    } else {
        &["md", "mdx", "markdown", "qmd", "html"]
    };
    let mut folders = vec![folder.to_owned()];
    let mut seen = 0;
    while let Some(folder) = folders.pop().filter(|_| seen < MOST_FOLDERS) {
        seen += 1;
        for entry in folder.read_dir().into_iter().flatten().flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            if kind.is_file() && is_text(&path, suffixes) {
                return true;
            }
            let is_closed = name.to_string_lossy().starts_with('.') || name == "node_modules";
            if kind.is_dir() && !is_closed {
                folders.push(path);
            }
        }
    }
    false
}

fn is_text(path: &Path, suffixes: &[&str]) -> bool {
    let is_readme = path
        .file_name()
        .is_some_and(|name| name.eq_ignore_ascii_case("README.md"));
    let suffix = path.extension().and_then(OsStr::to_str);
    !is_readme && suffix.is_some_and(|suffix| suffixes.contains(&suffix))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::*;

    /// The sites of a folder with these files.
    fn check(files: &[&str], expected: &[(&str, &str)]) {
        let dir = tempfile::tempdir().unwrap();
        for file in files {
            let path = dir.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::File::create_new(path).unwrap();
        }
        let found = sites(dir.path());
        let found: Vec<(&str, &str)> = found
            .iter()
            .map(|inner| (&*inner.place, &*inner.by))
            .collect();
        assert_eq!(found, expected, "{files:?}");
    }

    #[test]
    fn rule_26_a_repository_has_its_site_in_a_folder() {
        check(
            &[
                "src/main.rs",
                "tests/a.md",
                "docs/config.toml",
                "docs/content/a.md",
            ],
            &[("docs", "docs/config.toml")],
        );
        check(
            &[
                "website/docusaurus.config.ts",
                "website/docs/a.mdx",
                "GOVERNANCE.md",
            ],
            &[("website", "website/docusaurus.config.ts")],
        );
        check(
            &["apps/docs/next.config.mjs", "apps/docs/content/a.mdx"],
            &[("apps/docs", "apps/docs/next.config.mjs")],
        );
        check(
            &[
                "docs/mkdocs.yml",
                "docs/docs/a.md",
                "blog/_config.yml",
                "blog/_posts/a.md",
            ],
            &[("docs", "docs/mkdocs.yml"), ("blog", "blog/_config.yml")],
        );
        check(
            &["docs/zensical.toml", "docs/docs/a.md"],
            &[("docs", "docs/zensical.toml")],
        );
    }

    #[test]
    fn rule_26_a_folder_that_is_a_site_has_none_inside() {
        let inner = ["docs/_config.yml", "docs/a.md"];
        for own in [
            "mkdocs.yml",
            "diglot.toml",
            ".obsidian/app.json",
            "posts/a.md",
            "config/a",
        ] {
            let mut files = vec![own, "content/a.md"];
            files.extend(inner);
            check(&files, &[]);
        }
        // No configuration, no text, or a folder of another name.
        check(&["docs/a.md", "notes/b.md"], &[]);
        check(&["docs/_config.yml", "docs/README.md", "notes/b.md"], &[]);
        check(&["web/next.config.js", "web/a.md", "notes/b.md"], &[]);
        check(&["examples/mkdocs.yml", "examples/docs/a.md"], &[]);
        // These kinds are read from outside.
        check(&["docs/.vitepress/config.ts", "docs/a.md"], &[]);
    }

    #[test]
    fn rule_26_a_site_whose_texts_are_outside_is_read_with_them() {
        let dir = tempfile::tempdir().unwrap();
        let site = dir.path().join("website");
        fs::create_dir_all(&site).unwrap();
        for (name, text) in [
            ("docusaurus.config.js", "docs: {\n  path: '../docs',\n}"),
            ("a.md", "words"),
        ] {
            let mut file = fs::File::create_new(site.join(name)).unwrap();
            file.write_all(text.as_bytes()).unwrap();
        }
        assert_eq!(sites(dir.path()), []);
        // Older versions inside do not make up for the others.
        fs::create_dir(site.join("versioned_docs")).unwrap();
        assert_eq!(sites(dir.path()), []);
    }

    #[test]
    fn rule_26_the_only_site_of_a_repository_may_have_any_name() {
        let tests = ["tests/a.md", "src/main.rs", "README.md"];
        for (site, by) in [
            (
                ["guide/book.toml", "guide/src/SUMMARY.md"],
                "guide/book.toml",
            ),
            (
                ["user-guide/mkdocs.yml", "user-guide/docs/a.md"],
                "user-guide/mkdocs.yml",
            ),
            (
                ["manual/config.toml", "manual/content/a.md"],
                "manual/config.toml",
            ),
        ] {
            let place = by.split('/').next().unwrap();
            check(&[&site[..], &tests].concat(), &[(place, by)]);
            // That of a test is not one.
            let more = ["test_book/book.toml", "test_book/src/SUMMARY.md"];
            check(&[&site[..], &tests, &more].concat(), &[(place, by)]);
            // Of several none is meant, and a folder with a home page is a site itself.
            let more = ["other/mkdocs.yml", "other/docs/a.md"];
            check(&[&site[..], &more].concat(), &[]);
            check(&[&site[..], &["index.md"]].concat(), &[]);
            check(
                &[&site[..], &["docs/mkdocs.yml", "docs/a.md"]].concat(),
                &[("docs", "docs/mkdocs.yml")],
            );
        }
        // A book without a list of chapters.
        check(&["guide/book.toml", "guide/src/a.md"], &[]);
    }

    #[cfg(unix)]
    #[test]
    fn rule_26_a_link_out_of_the_folder_is_no_site_of_it() {
        let dir = tempfile::tempdir().unwrap();
        let (root, other) = (dir.path().join("root"), dir.path().join("other"));
        for folder in [&root, &other] {
            fs::create_dir(folder).unwrap();
        }
        for name in ["mkdocs.yml", "a.md"] {
            fs::File::create_new(other.join(name)).unwrap();
        }
        std::os::unix::fs::symlink(&other, root.join("docs")).unwrap();
        assert_eq!(sites(&root), []);
    }
}
