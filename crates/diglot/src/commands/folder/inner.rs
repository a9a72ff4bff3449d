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
/// The folder of the applications of a repository.
const APPS: &str = "apps";
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
/// The same, of generators that are read as a plain folder or that have other marks as well. They count
/// only where no site of the others is.
const MORE_MARKS: [&str; 15] = [
    ".vuepress",
    // The folder of its texts inside a project.
    "docs/.vuepress",
    "src/.vuepress",
    "vuepress.config.*",
    "rspress.config.*",
    "observablehq.config.*",
    "retype.yml",
    "retype.yaml",
    "retype.json",
    "gatsby-config.*",
    "pelicanconf.py",
    "bridgetown.config.yml",
    "config/bridgetown.rb",
    ".gitbook.yaml",
    ".gitbook.yml",
];
/// The same, beside another file.
const MARKS_BESIDE: [(&str, &str); 6] = [
    ("content.config.*", "nuxt.config.*"),
    ("book.json", "SUMMARY.md"),
    ("book.json", "LANGS.md"),
    ("book.js", "SUMMARY.md"),
    ("book.js", "LANGS.md"),
    ("SUMMARY.md", "LANGS.md"),
];
/// The same, with one of these words in the file.
const MARKS_WITH_WORDS: [(&str, &[&str]); 6] = [
    ("nuxt.config.*", &["@nuxt/content", "docus"]),
    ("_config.ts", &["lume"]),
    ("_config.js", &["lume"]),
    (
        "conf.py",
        &["extensions", "html_theme", "exclude_patterns", "POSTS"],
    ),
    ("index.html", &DOCSIFY),
    ("book.json", &["\"root\"", "\"structure\""]),
];
/// What the page of a Docsify site contains.
const DOCSIFY: [&str; 4] = ["$docsify", "docsify.min.js", "docsify.js\"", "docsify@"];
/// Books in folders beside each other, or that a file lists, are one site.
const BOOKS: [&str; 3] = [".gitbook.yaml", ".gitbook.yml", "book.json"];
const LISTS_OF_BOOKS: [&str; 3] = ["gitbook-docs.yaml", "docs.yaml", "docs.yml"];
/// What says that the folder itself is meant: settings, a vault, a book, folders of articles.
const OWN: [&str; 13] = [
    diglot_content::settings::FILE,
    ".obsidian",
    ".gitbook.yaml",
    ".gitbook.yml",
    "book.json",
    "SUMMARY.md",
    "LANGS.md",
    "_posts",
    "_articles",
    "articles",
    "content",
    "posts",
    "source",
];
/// What Diglot reads from the folder above: `docs` is then not a site of its own.
const READ_FROM_OUTSIDE: [&str; 2] = ["docs/.vitepress", "docs/docfx.json"];
/// The same, beside which no site of [`MORE_MARKS`] counts.
const MORE_FROM_OUTSIDE: [&str; 13] = [
    "docs/.vuepress",
    "doc/.vuepress",
    "src/.vuepress",
    "docs/docs.json",
    "docs/mint.json",
    "docs/myst.yml",
    "docs/make.jl",
    "docs/conf.py",
    "doc/conf.py",
    "docs/source/conf.py",
    "doc/source/conf.py",
    "source/conf.py",
    "documentation/conf.py",
];
/// Where a page of Docsify is read from the folder above.
const PAGE_FROM_OUTSIDE: &str = "docs/index.html";
/// A home page at the root: the folder is a site itself.
const HOME: [&str; 2] = ["index.md", "index.markdown"];
/// The beginnings of names of folders whose sites are tests and examples of the program.
const NO_SITES: [&str; 11] = [
    "test",
    "e2e",
    "playground",
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
    if mark(root, &own).is_some() || OWN.iter().any(|name| own.contains(*name)) {
        return Vec::new();
    }
    let found = sites_with(root, &own, mark);
    let is_decided = !found.is_empty() || is_read_from_outside(root);
    if is_decided || more_marks(root, &own).is_some() {
        return found;
    }
    sites_with(root, &own, more_marks)
}

/// Finds the mark of a site in a folder with these names.
type Find = fn(&Path, &BTreeSet<String>) -> Option<String>;

/// The sites with marks of one sort.
fn sites_with(root: &Path, own: &BTreeSet<String>, find: Find) -> Vec<Inner> {
    let usual: Vec<Inner> = PLACES
        .iter()
        .filter_map(|place| site_at(root, place, find))
        .filter(|inner| counts(root, own, inner))
        .collect();
    if usual.is_empty() && HOME.iter().all(|name| !own.contains(*name)) {
        only_one(root, own, find).into_iter().collect()
    } else {
        usual
    }
}

/// The only site in a folder of any name at the root or in `apps`. Of several, none is meant.
fn only_one(root: &Path, own: &BTreeSet<String>, find: Find) -> Option<Inner> {
    let may_be = |name: &str| {
        !name.starts_with('.')
            // What was set aside: `docs~`.
            && !name.ends_with('~')
            && !NO_SITES.iter().any(|other| name.starts_with(other))
    };
    let apps = names(&root.join(APPS));
    let apps = apps.iter().filter(|name| may_be(name));
    let apps = apps.map(|name| format!("{APPS}/{name}"));
    let places = own.iter().filter(|name| may_be(name)).cloned().chain(apps);
    let mut found = places.filter_map(|place| site_at(root, &place, find));
    let site = found.next()?;
    (found.next().is_none() && counts(root, own, &site)).then_some(site)
}

/// The site in this folder, if a generator's configuration is in it.
fn site_at(root: &Path, place: &str, find: Find) -> Option<Inner> {
    let folder = root.join(place);
    // Its mark and texts count only inside the folder: a link may lead anywhere.
    if folder.canonicalize().ok()? != root.canonicalize().ok()?.join(place) {
        return None;
    }
    let by = format!("{place}/{}", find(&folder, &names(&folder))?);
    Some(Inner {
        place: place.to_owned(),
        by,
    })
}

/// Whether a kind reads its site in this folder from its root.
fn is_read_from_outside(root: &Path) -> bool {
    let known = READ_FROM_OUTSIDE.iter().chain(&MORE_FROM_OUTSIDE);
    let mut known = known.map(|path| root.join(path));
    known.any(|path| path.exists()) || says(&root.join(PAGE_FROM_OUTSIDE), &DOCSIFY)
}

/// Whether a site has texts, and all of them in its folder.
fn counts(root: &Path, own: &BTreeSet<String>, site: &Inner) -> bool {
    let folder = root.join(&site.place);
    let is_whole = !site.by.ends_with(BOOK) || lists_chapters(&folder);
    is_whole
        && !is_one_of_books(root, own, site)
        && !READ_FROM_OUTSIDE.contains(&&*site.by)
        && holds_text(&folder, site.by.contains("next."))
        && !takes_texts_from_outside(root, &site.by)
}

/// Whether a site is one of several books that are one site.
fn is_one_of_books(root: &Path, own: &BTreeSet<String>, site: &Inner) -> bool {
    let name = site.by.rsplit('/').next().unwrap_or_default();
    if !BOOKS.contains(&name) {
        return false;
    }
    let has_book = |folder: &&String| {
        let folder = root.join(folder);
        BOOKS.iter().any(|book| folder.join(book).is_file())
    };
    let is_listed = LISTS_OF_BOOKS.iter().any(|list| own.contains(*list));
    is_listed || own.iter().filter(has_book).count() > 1
}

/// Whether a book has its list of chapters in `src`, or where its configuration says.
fn lists_chapters(folder: &Path) -> bool {
    let text = text(&folder.join(BOOK));
    let named = text.lines().find_map(|line| {
        let value = line.trim().strip_prefix("src")?.trim_start();
        Some(value.strip_prefix('=')?.trim().trim_matches(['"', '\'']))
    });
    let src = folder.join(named.unwrap_or("src"));
    src.join("SUMMARY.md").is_file()
}

/// Whether a configuration names a folder of texts outside its own folder: they would be lost.
fn takes_texts_from_outside(root: &Path, by: &str) -> bool {
    let text = text(&root.join(by));
    let plain: String = text
        .chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, '"' | '\'' | '`'))
        .collect();
    let is_outside = |key: &str| {
        let mut values = plain.match_indices(key);
        values.any(|(at, _)| plain[at + key.len()..].starts_with("../"))
    };
    ["path:", "docs_dir:"].into_iter().any(is_outside)
        || MORE_KEYS.into_iter().any(|key| {
            let mut values = plain.match_indices(key);
            values.any(|(at, _)| is_joined_outside(&plain[at + key.len()..]))
        })
}

/// Keys of the folder of texts in other configurations.
const MORE_KEYS: [&str; 4] = ["input:", "root:", "cwd:", "src:"];
/// What may be before a path that a program joins to its own place.
const OPENINGS: [&str; 8] = [
    "path.",
    "join(",
    "resolve(",
    "${",
    "__dirname",
    "import.meta.dirname",
    ",",
    "}/",
];

/// Whether a value is a path out of the folder, such as `path.join(__dirname, '../docs')` without white
/// space and quotes.
fn is_joined_outside(value: &str) -> bool {
    let mut value = value;
    while let Some(rest) = OPENINGS.iter().find_map(|words| value.strip_prefix(words)) {
        value = rest;
    }
    value.starts_with("..")
}

/// The name among these that shows a generator's site.
fn mark(folder: &Path, names: &BTreeSet<String>) -> Option<String> {
    let found = MARKS.iter().find_map(|mark| named(folder, names, mark));
    let with_content = || {
        let is_one = |mark: &&&str| names.contains("content") && names.contains(**mark);
        let mark = MARKS_WITH_CONTENT.iter().find(is_one)?;
        Some((*mark).to_owned())
    };
    found.or_else(with_content)
}

/// The same of other generators.
fn more_marks(folder: &Path, names: &BTreeSet<String>) -> Option<String> {
    let named = |mark: &str| named(folder, names, mark);
    let found = MORE_MARKS.iter().find_map(|mark| named(mark));
    let beside = || {
        let mut pairs = MARKS_BESIDE.iter();
        pairs.find_map(|(mark, other)| named(mark).filter(|_| named(other).is_some()))
    };
    let with_words = || {
        let mut marks = MARKS_WITH_WORDS.iter();
        marks.find_map(|(mark, words)| {
            let name = named(mark)?;
            says(&folder.join(&name), words).then_some(name)
        })
    };
    found.or_else(beside).or_else(with_words)
}

/// The file or folder with this name, in which a closing `*` matches any ending.
fn named(folder: &Path, names: &BTreeSet<String>, mark: &str) -> Option<String> {
    if mark.contains('/') {
        return folder.join(mark).exists().then(|| mark.to_owned());
    }
    let Some(prefix) = mark.strip_suffix('*') else {
        return names.get(mark).cloned();
    };
    let first = names.range(prefix.to_owned()..).next();
    first.filter(|name| name.starts_with(prefix)).cloned()
}

/// Whether a file contains one of these words.
fn says(path: &Path, words: &[&str]) -> bool {
    let text = text(path);
    words.iter().any(|word| text.contains(word))
}

/// The text of a configuration; empty if it cannot be read.
fn text(path: &Path) -> String {
    let bytes = file::read(path, limits::SETTINGS_BYTES).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
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

    /// The sites of a folder with these files. What is after a `:` is the text of a file.
    fn check(files: &[&str], expected: &[(&str, &str)]) {
        let dir = tempfile::tempdir().unwrap();
        for file in files {
            let (path, text) = file.split_once(':').unwrap_or((file, ""));
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            let mut file = fs::File::create_new(path).unwrap();
            file.write_all(text.as_bytes()).unwrap();
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
    fn rule_26_generators_without_a_kind_have_their_sites_in_folders_too() {
        let outside = ["README.md", "internal/plan.md", "package.json"];
        for (site, by) in [
            (
                ["website/rspress.config.ts", "website/docs/a.md"],
                "rspress.config.ts",
            ),
            (["website/retype.yml", "website/a.md"], "retype.yml"),
            (["docs/retype.yml", "docs/a.md"], "retype.yml"),
            (
                ["website/observablehq.config.js", "website/src/a.md"],
                "observablehq.config.js",
            ),
            (
                ["www/gatsby-config.mjs", "www/content/a.md"],
                "gatsby-config.mjs",
            ),
            (["blog/.vuepress/config.js", "blog/a.md"], ".vuepress"),
            (
                ["website/docs/.vuepress/config.js", "website/docs/a.md"],
                "docs/.vuepress",
            ),
            (
                ["docs/src/.vuepress/config.js", "docs/src/a.md"],
                "src/.vuepress",
            ),
            (
                ["docs/vuepress.config.ts", "docs/docs/a.md"],
                "vuepress.config.ts",
            ),
            (
                ["docs/nuxt.config.ts:['@nuxt/content']", "docs/content/a.md"],
                "nuxt.config.ts",
            ),
            (
                ["website/index.html:window.$docsify", "website/a.md"],
                "index.html",
            ),
            (
                [
                    "website/book.json:{\"root\": \"docs\"}",
                    "website/docs/a.md",
                ],
                "book.json",
            ),
            (["manual/book.json", "manual/SUMMARY.md"], "book.json"),
            (["docs/.gitbook.yaml", "docs/a.md"], ".gitbook.yaml"),
            (
                ["website/_config.ts:import lume", "website/a.md"],
                "_config.ts",
            ),
            (["manual/conf.py:extensions = []", "manual/a.md"], "conf.py"),
            (
                ["blog/pelicanconf.py", "blog/content/a.md"],
                "pelicanconf.py",
            ),
        ] {
            let place = site[0].split('/').next().unwrap();
            let by = format!("{place}/{by}");
            check(&[&site[..], &outside].concat(), &[(place, &by)]);
            // Those of tests and examples do not count, and those of a kind have precedence.
            let tests = [
                "e2e/rspress.config.ts",
                "e2e/docs/a.md",
                "examples/x/retype.yml",
            ];
            check(&[&site[..], &tests].concat(), &[(place, &by)]);
            let more = ["site/mkdocs.yml", "site/docs/a.md"];
            check(&[&site[..], &more].concat(), &[("site", "site/mkdocs.yml")]);
        }
    }

    #[test]
    fn rule_26_what_only_looks_like_a_site_of_a_generator_without_a_kind_is_none() {
        let outside = ["README.md", "notes/b.md"];
        for site in [
            // Files of other programs.
            ["docs/nuxt.config.ts:export default {}", "docs/content/a.md"],
            ["website/index.html:<html>", "website/a.md"],
            ["website/book.json:{\"author\": \"A\"}", "website/a.md"],
            ["manual/conf.py:port = 1", "manual/a.md"],
            // Texts outside.
            ["website/retype.yml:input: ../notes", "website/a.md"],
            [
                "website/rspress.config.ts:root: path.join(__dirname, '../notes')",
                "website/a.md",
            ],
            // What is read from outside.
            ["docs/.vuepress/config.js", "docs/a.md"],
            ["docs/index.html:window.$docsify", "docs/a.md"],
            // No text.
            ["website/gatsby-config.js", "website/src/index.js"],
        ] {
            check(&[&site[..], &outside].concat(), &[]);
        }
        let site = ["www/gatsby-config.js", "www/content/a.md"];
        for own in [
            "retype.yml",
            "vuepress.config.js",
            "docs/docs.json",
            "docs/.vuepress/config.js",
        ] {
            check(&[&site[..], &[own]].concat(), &[]);
        }
        // Several books are one site.
        let books = [
            "docs/.gitbook.yaml",
            "docs/a.md",
            "api/.gitbook.yaml",
            "api/a.md",
        ];
        check(&books, &[]);
        check(&["docs.yaml", "docs/.gitbook.yaml", "docs/a.md"], &[]);
        // Of several none is meant.
        let sites = ["one/retype.yml", "one/a.md", "two/retype.yml", "two/a.md"];
        check(&sites, &[]);
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
            let inside = site.map(|path| format!("apps/{path}"));
            let inside: Vec<&str> = inside.iter().map(String::as_str).collect();
            let expected = (&*format!("apps/{place}"), &*format!("apps/{by}"));
            check(&[&inside[..], &tests].concat(), &[expected]);
            check(&[&inside[..], &site].concat(), &[]);
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
