//! The pages whose appearance is recorded.

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use xtask::shell::{root, scratch};

/// A site, and its pages: a name and a path each.
pub struct Subject {
    /// Its folder.
    pub folder: PathBuf,
    /// Its pages.
    pub pages: Vec<(String, String)>,
}

/// By their folder in `tests/e2e/look`.
const KEPT: [(&str, &[(&str, &str)]); 4] = [
    (
        "ltr",
        &[
            ("home", "/"),
            ("article", "/articles/every-part.html"),
            ("long-title", "/articles/long-title.html"),
            ("articles", "/articles/index.html"),
            ("tag", "/tags/type.html"),
            ("year", "/years/2025.html"),
            ("page", "/about.html"),
            ("api", "/api.html"),
            ("terms", "/terms.html"),
            ("not-found", "/404.html"),
        ],
    ),
    (
        "rtl",
        &[
            ("rtl-home", "/"),
            ("rtl-article", "/articles/every-part.html"),
            ("rtl-articles", "/articles/index.html"),
            ("rtl-tag", "/tags/%D8%AE%D8%B7%D9%88%D8%B7.html"),
            ("rtl-page", "/about.html"),
        ],
    ),
    (
        "guide",
        &[
            ("guide-home", "/"),
            ("guide-page", "/articles/install/buoy.html"),
            ("guide-table", "/articles/install/quay.html"),
            ("guide-long", "/articles/reference/calls.html"),
            ("guide-section", "/sections/reference.html"),
            ("guide-many", "/articles/reference/tables/ring-20.html"),
            ("guide-not-found", "/404.html"),
        ],
    ),
    (
        "rtl-guide",
        &[
            (
                "rtl-guide-page",
                "/articles/%D8%A8%D8%AF%D8%A7%D9%8A%D8%A9/%D9%85%D8%B1%D8%B3%D9%89.html",
            ),
            ("rtl-guide-search", "/search.html?q=%D8%AD%D8%A8%D9%84"),
        ],
    ),
];

/// Of the journal that is written for each run.
const WRITTEN: [(&str, &str); 5] = [
    ("paged", "/articles/page-2.html"),
    ("language", "/languages/de.html"),
    ("search", "/search.html"),
    ("results", "/search.html?q=harbour+tide"),
    ("no-results", "/search.html?q=zzyzx"),
];

/// How many articles this journal has.
const ARTICLES: usize = 170;

/// Every site with its pages.
///
/// # Errors
/// The journal cannot be written.
pub fn all() -> Result<Vec<Subject>, String> {
    let owned = |pages: &[(&str, &str)]| {
        let both = pages
            .iter()
            .map(|(name, path)| ((*name).to_owned(), (*path).to_owned()));
        both.collect()
    };
    let mut subjects: Vec<Subject> = KEPT
        .iter()
        .map(|(folder, pages)| Subject {
            folder: root().join("tests/e2e/look").join(folder),
            pages: owned(pages),
        })
        .collect();
    subjects.push(Subject {
        folder: journal()?,
        pages: owned(&WRITTEN),
    });
    Ok(subjects)
}

/// A journal with lists of several pages, in two languages.
fn journal() -> Result<PathBuf, String> {
    let folder = scratch("look-journal")?;
    let failed = |error: std::io::Error| format!("cannot write `{}`: {error}", folder.display());
    fs::create_dir_all(folder.join("articles")).map_err(failed)?;
    let settings = "title = \"The daily tide\"\nlanguage = \"en\"\n";
    fs::write(folder.join("diglot.toml"), settings).map_err(failed)?;
    for number in 1..=ARTICLES {
        let name = format!("articles/tide-{number:03}.md");
        fs::write(folder.join(name), text(number)).map_err(failed)?;
    }
    Ok(folder)
}

/// One of its articles.
fn text(number: usize) -> String {
    let is_german = number.is_multiple_of(3);
    let title = match (is_german, number % 7) {
        (true, _) => format!("Der Wasserstand am Tag {number}"),
        (false, 0) => format!(
            "How the harbour looked on day {number}, when the tide was so high that the ferry came over the wall"
        ),
        (false, _) => format!("Tide {number}"),
    };
    let (year, month, day) = (2024 + number / 100, number % 12 + 1, number % 28 + 1);
    let language = if is_german { "de" } else { "en" };
    let mut text = format!(
        "---\ntitle: {title}\ndate: {year}-{month:02}-{day:02}\nlanguage: {language}\ntags: [tide]\n---\n\n"
    );
    let _ = writeln!(
        text,
        "The harbour was {number} cm higher than the day before, and the tide came in without a word.\n\n## Boats\n\nNone left.",
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_journal_has_lists_of_several_pages_in_both_languages() {
        let german = (1..=ARTICLES).filter(|number| text(*number).contains("language: de"));
        let german = german.count();
        assert!(german > 50 && ARTICLES - german > 100);
        assert_eq!(text(9), text(9));
    }
}
