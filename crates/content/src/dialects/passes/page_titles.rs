//! Links whose text is the name of the file or folder that they lead to: the editor of a GitBook
//! writes them, and its readers see the title of that page. Their own titles, `"mention"`, are
//! removed.

use std::ops::Range;

use super::escape::escape;
use super::files::Search;
use super::mdx::Tag;
use super::page::Page;
use super::splice::Splice;
use crate::dialects::backticks::Backticks;
use crate::dialects::lines::Lines;
use crate::dialects::scan::scan;
use crate::model::bounds;
use crate::model::path::{folder, join};

/// Between the text and the address of a link in Markdown.
const BETWEEN: &str = "](";
/// The title of such a link.
const MENTION: &str = " \"mention\"";
/// What a link in HTML begins with, and its end.
const LINK: &str = "<a ";
const LINK_END: &str = "</a>";
/// The ending of a file in the text of a link.
const ENDING: &str = ".md";
/// The longest text and the longest address of a link, in bytes.
const LONGEST: usize = 500;

/// Whether a text may have such a link.
pub fn may_have_some(text: &str, page: &Page<'_>) -> bool {
    (page.kind.dialect.titles_links || page.kind.config.features.panels)
        && (text.contains(ENDING) || text.contains(MENTION) || text.contains(LINK))
}

/// Writes the titles.
pub fn rewrite(lines: &mut Lines, page: &Page<'_>) {
    if !may_have_some(&lines.text, page) {
        return;
    }
    let text = lines.text.as_str();
    let mut splice = Splice::new(text);
    for line in scan(text, &lines.literals()) {
        if line.code || bounds::is_over() {
            continue;
        }
        for (range, instead) in edits(line.whole, page) {
            let range = line.start + range.start..line.start + range.end;
            if range.start >= splice.done() {
                splice.put(range, &instead);
            }
        }
    }
    let (text, sources) = splice.finish();
    lines.replace(text, &sources);
}

/// What replaces a part of a line.
type Edit = (Range<usize>, String);

/// The edits of all links on a line, in order.
fn edits(line: &str, page: &Page<'_>) -> Vec<Edit> {
    let mut edits = in_markdown(line, page);
    edits.extend(in_html(line, page));
    edits.sort_by_key(|(range, _)| range.start);
    edits
}

/// The edits of the links in Markdown on a line.
fn in_markdown(line: &str, page: &Page<'_>) -> Vec<Edit> {
    let mut ticks = Backticks::default();
    let mut edits = Vec::new();
    for (at, _) in line.match_indices(BETWEEN) {
        let near = line.ceil_char_boundary(at.saturating_sub(LONGEST));
        let Some(open) = line[near..at].rfind('[').map(|open| near + open) else {
            continue;
        };
        let begin = at + BETWEEN.len();
        let behind = &line[begin..line.floor_char_boundary(begin + LONGEST)];
        let Some(address) = address(behind) else {
            continue;
        };
        // A picture shows no name.
        if line[..open].ends_with('!') || ticks.is_code(line, open) {
            continue;
        }
        let named = line[open + 1..at].replace('\\', "");
        if let Some(title) = title(&named, address.trim_matches(['<', '>']), page) {
            edits.push((open + 1..at, escape(&title)));
        }
        let end = begin + address.len();
        if line[end..].starts_with(MENTION) {
            edits.push((end..end + MENTION.len(), String::new()));
        }
    }
    edits
}

/// The address at the beginning of a text, with its angle brackets.
fn address(behind: &str) -> Option<&str> {
    let length = match behind.strip_prefix('<') {
        Some(inner) => inner.find('>')? + "<>".len(),
        None => behind.find([')', ' '])?,
    };
    Some(&behind[..length])
}

/// The edits of the links in HTML on a line.
fn in_html(line: &str, page: &Page<'_>) -> Vec<Edit> {
    let mut ticks = Backticks::default();
    let mut edits = Vec::new();
    for (at, _) in line.match_indices(LINK) {
        let Some(tag) = Tag::parse(&line[at..]) else {
            continue;
        };
        let Some(address) = tag.attribute("href").filter(|href| href.len() <= LONGEST) else {
            continue;
        };
        let start = at + tag.length;
        let behind = &line[start..line.floor_char_boundary(start + LONGEST)];
        let Some((named, _)) = behind.split_once(LINK_END) else {
            continue;
        };
        if ticks.is_code(line, at) {
            continue;
        }
        if let Some(title) = title(named, address, page) {
            edits.push((start..start + named.len(), escape(&title)));
        }
    }
    edits
}

/// The title of the page at an address, if the text of a link is the name of its file or folder.
fn title(named: &str, address: &str, page: &Page<'_>) -> Option<String> {
    let path = address.split('#').next().unwrap_or(address);
    let path = path.replace("%20", " ");
    let is_folder = path.ends_with('/');
    if !is_folder && !named.ends_with(ENDING) {
        return None;
    }
    let last = path.trim_end_matches('/');
    let is_name = last == named
        || last
            .strip_suffix(named)
            .is_some_and(|above| above.ends_with('/'));
    if named.is_empty() || !is_name {
        return None;
    }
    let file = if is_folder { "README.md" } else { "" };
    let path = join(folder(page.files.path), &format!("{path}{file}"))?;
    Some((page.files.search)(Search::Text(&path))?.title)
}

#[cfg(test)]
mod tests {
    use crate::dialects::{Evidence, Files, Found, Kind, Named, Search, translate};
    use crate::syntax::front::Front;

    #[test]
    fn rule_12_a_link_with_the_name_of_a_file_shows_the_title_of_the_page() {
        let check = |kind: &str, text: &str, expected: &str| {
            let kind = Kind::detect(&Evidence::default(), Some(kind));
            let files = Files {
                search: &|search| {
                    if search == Search::Text("a/b/README.md") {
                        return Some(Found {
                            path: "a/b/README.md".to_owned(),
                            title: "A folder".to_owned(),
                        });
                    }
                    (search == Search::Text("a/b.md")).then(|| Found {
                        path: "a/b.md".to_owned(),
                        title: "A [new] way".to_owned(),
                    })
                },
                ..Files::new("a/x.md", &|_| Named::Missing)
            };
            let found = translate(text, false, false, &kind, &Front::default(), &files);
            assert_eq!(found.text, expected, "{text}");
        };
        check(
            "gitbook",
            "{% content-ref url=\"b.md\" %}\n[b.md](b.md)\n{% endcontent-ref %}\n",
            "\n[A &#91;new&#93; way](b.md)\n\n",
        );
        check(
            "gitbook",
            "See [b.md](../a/b.md#part \"mention\"), [own](b.md), `[b.md](b.md)`.",
            "See [A &#91;new&#93; way](../a/b.md#part), [own](b.md), `[b.md](b.md)`.",
        );
        check("gitbook", "[c.md](c.md)", "[c.md](c.md)");
        check(
            "gitbook",
            "[Own](c.md \"mention\") (the \"mention\") `[b.md](b.md \"mention\")`",
            "[Own](c.md) (the \"mention\") `[b.md](b.md \"mention\")`",
        );
        check(
            "gitbook",
            "[b](b/ \"mention\") ![b](b/)",
            "[A folder](b/) ![b](b/)",
        );
        check(
            "gitbook",
            "<td><a data-mention href=\"b.md\">b.md</a> [b.md](b.md) <a href=\"b.md\">own</a></td>",
            "<td><a data-mention href=\"b.md\">A &#91;new&#93; way</a> [A &#91;new&#93; way](b.md) <a href=\"b.md\">own</a></td>",
        );
        check("plain", "[b.md](b.md)", "[b.md](b.md)");
        check("gitbook", "See b.md and [x](<y", "See b.md and [x](<y");
        check("gitbook", "[b.md](<b.md>)", "[A &#91;new&#93; way](<b.md>)");
    }

    proptest::proptest! {
        #[test]
        fn no_link_panics(text in "(\\[|b\\.md|\\]\\(|<|>|\\)|é| \"mention\"|<a href=\"b\\.md\">|</a>|`|!|\\\\|\n| ){0,16}") {
            let kind = Kind::detect(&Evidence::default(), Some("gitbook"));
            let files = Files {
                search: &|_| Some(Found { path: "b.md".to_owned(), title: "é <".to_owned() }),
                ..Files::new("x.md", &|_| Named::Missing)
            };
            translate(&text, false, false, &kind, &Front::default(), &files);
        }
    }
}
