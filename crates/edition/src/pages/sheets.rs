//! The style sheets of a page beside `main.css`: it reads none that it has no use for.

use crate::theme::context::PageContext;

/// The style sheets for parts of texts, in the order in which they are read.
const SHEETS: [&str; 9] = [
    "code.css",
    "table.css",
    "callout.css",
    "quote.css",
    "figure.css",
    "marks.css",
    "signs.css",
    "notes.css",
    "math.css",
];

/// What begins the classes that a sheet sets, of elements that have no sheet.
const CLASSES: [(&str, &str); 4] = [
    ("callout", "callout.css"),
    ("tasks", "signs.css"),
    ("endnotes", "notes.css"),
    ("math", "math.css"),
];

/// The sheet that sets this element.
fn sheet_of(element: &str) -> Option<&'static str> {
    Some(match element {
        "pre" => "code.css",
        "table" => "table.css",
        "blockquote" | "dl" | "hr" => "quote.css",
        "audio" | "canvas" | "figure" | "iframe" | "object" | "video" => "figure.css",
        "del" | "ins" | "mark" => "marks.css",
        "abbr" | "kbd" | "sub" | "sup" => "signs.css",
        "math" => "math.css",
        _ => return None,
    })
}

/// The languages whose scripts `scripts.css` sets.
const SCRIPTS: [&str; 11] = [
    "ar", "bn", "fa", "he", "hi", "ja", "ko", "ta", "th", "ur", "zh",
];

/// The sheets of a page with this content, in the order in which they are read. `is_own`: the
/// templates are not all built in, and may have any part of a journal.
pub(super) fn needed_by(page: &PageContext, content: &str, is_own: bool) -> Vec<&'static str> {
    // The page of a missing address has the form of the search.
    let is_missing = page.kind == "error" || page.kind == "page" && page.canonical.is_none();
    let is_search = page.kind == "search";
    let has_list = is_search || page.kind == "list" || !page.groups.is_empty();
    let around = [
        (page.tree.is_some(), "guide.css"),
        (is_own || has_byline(page), "byline.css"),
        (is_own || has_tags(page), "tags.css"),
        (has_list, "list.css"),
        (!page.outline.is_empty(), "outline.css"),
        (is_search || is_missing, "search.css"),
        (!page.contents.is_empty(), "contents.css"),
        (page.cover.is_some() || !page.series.is_empty(), "cover.css"),
    ];
    let parts = parts(content);
    let parts = SHEETS.iter().zip(parts);
    let parts = parts.map(|(sheet, is_read)| (is_read, *sheet));
    // The results of a search are in any language.
    let last = [(is_search || has_scripts(page, content), "scripts.css")];
    let sheets = around.into_iter().chain(parts).chain(last);
    let is_read = |(is_read, sheet): (bool, &'static str)| is_read.then_some(sheet);
    sheets.filter_map(is_read).collect()
}

/// Whether a page has a byline or translations.
fn has_byline(page: &PageContext) -> bool {
    let has_line = page.date.is_some() || page.minutes.is_some() || !page.authors.is_empty();
    has_line || !page.translations.is_empty() || !page.series.is_empty()
}

/// Whether a page has tags, a series, or texts that are related.
fn has_tags(page: &PageContext) -> bool {
    let has_any = !page.tags.is_empty() || !page.all_tags.is_empty();
    has_any || !page.related.is_empty() || !page.series.is_empty()
}

/// Whether any words of a page may be in a script of [`SCRIPTS`]. Content says so by itself.
fn has_scripts(page: &PageContext, content: &str) -> bool {
    let groups = page.groups.iter();
    let of_groups = groups.flat_map(|group| {
        let entries = group.entries.iter().map(|entry| &entry.language);
        let links = group.links.iter().map(|link| &link.language);
        entries.chain(links).chain([&group.language]).flatten()
    });
    let others = page.translations.iter().map(|other| &other.language);
    let mut all = of_groups.chain(others).chain([&page.language]);
    content.contains("lang=\"") || all.any(|language| is_script(language))
}

fn is_script(language: &str) -> bool {
    let primary = language.split(['-', '_']).next().unwrap_or_default();
    SCRIPTS
        .iter()
        .any(|known| known.eq_ignore_ascii_case(primary))
}

/// Which of [`SHEETS`] the content has a use for.
fn parts(content: &str) -> [bool; SHEETS.len()] {
    let mut found = [false; SHEETS.len()];
    let mut find = |sheet: &str| {
        if let Some(at) = SHEETS.iter().position(|known| *known == sheet) {
            found[at] = true;
        }
    };
    // Few texts have one of the names at all, so most tags are not searched for them.
    let classes = CLASSES.iter().filter(|(name, _)| content.contains(name));
    let classes: Vec<_> = classes.collect();
    let starts = memchr::memchr_iter(b'<', content.as_bytes());
    for tag in starts.map(|at| &content[at + 1..]) {
        let end = tag.bytes().position(|byte| !byte.is_ascii_alphanumeric());
        let (name, more) = tag.split_at(end.unwrap_or(tag.len()));
        if let Some(sheet) = sheet_of(name) {
            find(sheet);
        }
        if !classes.is_empty() && !name.is_empty() && more.starts_with(' ') {
            let attributes = more.split('>').next().unwrap_or_default();
            let has = |(name, _): &&&(&str, &str)| has_class(attributes, name);
            classes
                .iter()
                .filter(has)
                .for_each(|(_, sheet)| find(sheet));
        }
    }
    found
}

/// Whether a class in the attributes of an element begins with this name.
fn has_class(attributes: &str, name: &str) -> bool {
    let Some((_, value)) = attributes.split_once("class=\"") else {
        return false;
    };
    let value = value.split('"').next().unwrap_or_default();
    value
        .split_ascii_whitespace()
        .any(|class| class.starts_with(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::built_in;

    #[test]
    fn a_page_of_plain_text_needs_no_more() {
        let plain = "<h2 id=\"tables\">A &lt;table></h2>\n<p>A <a href=\"/tasks/kbd.html\">math</a>, <code>ins</code><br>\n<img src=\"x.png\" alt=\"\"></p>";
        assert_eq!(parts(plain), [false; SHEETS.len()]);
        let check = |content, expected: &str| {
            let page = PageContext {
                kind: "article",
                ..PageContext::default()
            };
            assert_eq!(
                needed_by(&page, content, false).join(" "),
                expected,
                "{content}"
            );
        };
        check(plain, "");
        check("<p>x</p><pre tabindex=\"0\"><code>", "code.css");
        check("<div class=\"table\"><table>", "table.css");
        check("<div class=\"callout callout-tip\">", "callout.css");
        check("<ul class=\"wide tasks\"><li>", "signs.css");
        check("<hr>", "quote.css");
        check(
            "<p>x<sup>1</sup><div class=\"endnotes\">",
            "signs.css notes.css",
        );
        check("<pre><code><mark>x</mark>", "code.css marks.css");
        check("<figure><img src=\"x.png\"></figure>", "figure.css");
        check("<div class=\"math\">", "math.css");
        check("<p><span lang=\"el\">λ</span></p>", "scripts.css");
    }

    #[test]
    fn pages_read_the_sheet_of_their_script() {
        let check = |language: &str, expected: &[&str]| {
            let page = PageContext {
                kind: "article",
                language: language.to_owned(),
                ..PageContext::default()
            };
            assert_eq!(needed_by(&page, "", false), expected, "{language}");
        };
        for language in ["ar", "zh-Hant", "ja", "FA"] {
            check(language, &["scripts.css"]);
        }
        for language in ["en", "arn", "pt-BR"] {
            check(language, &[]);
        }
        // Every language in its rules is one of these.
        let named = built_in()["scripts.css"].split(":lang(").skip(1);
        for language in named.filter_map(|rest| rest.split_once(')')) {
            assert!(is_script(language.0), "{}", language.0);
        }
    }

    /// What each rule of a sheet selects: the elements, classes and roles in its last part.
    fn selectors(sheet: &str) -> Vec<String> {
        let text = built_in()[sheet];
        let rules = text.lines().filter_map(|line| line.split_once('{'));
        let own = rules.filter(|(selector, _)| !selector.starts_with([':', '@', '/']));
        let parts = own.flat_map(|(selector, _)| selector.split([',']));
        parts.map(str::to_owned).collect()
    }

    /// What is inside other elements that the sheet sets: cells of a table, captions, rows of a
    /// formula.
    const INSIDE: [&str; 17] = [
        "caption",
        "th",
        "td",
        "thead",
        "tr",
        "dt",
        "dd",
        "figcaption",
        ".left",
        ".center",
        ".right",
        ".table",
        ".cell-right",
        ".cell-left",
        ".code",
        "pre",
        "code",
    ];

    #[test]
    fn every_rule_of_the_sheets_for_rare_things_is_read_where_it_counts() {
        let mut rules = 0;
        for (at, sheet) in SHEETS.iter().enumerate().skip(1) {
            for selector in selectors(sheet) {
                let first = selector
                    .trim_start_matches(":is(")
                    .split([' ', '>', ':', ')'])
                    .next()
                    .unwrap();
                // Links to notes are raised, and links back are inside the notes.
                let is_link = first.starts_with("[role=doc-");
                if INSIDE.contains(&first) || first.starts_with(".menv-") || is_link {
                    continue;
                }
                rules += 1;
                let tag = match first.split_once('.') {
                    Some((_, class)) => format!("<p class=\"{class}\">"),
                    None => format!("<{}>", first.split('[').next().unwrap()),
                };
                assert!(parts(&tag)[at], "{selector}: {tag}");
            }
        }
        assert!(rules > 25, "{rules}");
    }
}
