//! Links whose text is the name of the file that they lead to: the editor of a GitBook writes them,
//! and its readers see the title of that page.

use std::ops::Range;

use super::files::Search;
use super::mdx::Tag;
use super::page::Page;
use super::splice::Splice;
use crate::dialects::lines::Lines;
use crate::dialects::scan::scan;
use crate::model::path::join;

/// Between the text and the address of such a link.
const BETWEEN: &str = ".md](";
/// The title of such a link, with the end of the link.
const MARK: &str = " \"mention\")";
/// What a link in HTML begins with, and its end.
const HTML: (&str, &str) = ("<a ", "</a>");

/// Whether a text may have such a link.
pub fn may_have_some(text: &str, page: &Page<'_>) -> bool {
    page.kind.dialect.titles_links && (text.contains(BETWEEN) || text.contains(HTML.0))
}

/// Writes the titles.
pub fn rewrite(lines: &mut Lines, page: &Page<'_>) {
    if !may_have_some(&lines.text, page) {
        return;
    }
    let text = lines.text.as_str();
    let mut splice = Splice::new(text);
    for line in scan(text, &lines.literals()) {
        if line.code {
            continue;
        }
        let in_markdown = line.whole.match_indices(BETWEEN);
        let in_markdown = in_markdown.filter_map(|(at, _)| titled(line.whole, at, page));
        let in_html = line.whole.match_indices(HTML.0);
        let in_html = in_html.filter_map(|(at, _)| titled_in_html(line.whole, at, page));
        let marks = line.whole.match_indices(MARK);
        let marks = marks.map(|(at, _)| (at..at + MARK.len() - 1, String::new()));
        let mut names: Vec<(Range<usize>, String)> =
            in_markdown.chain(in_html).chain(marks).collect();
        names.sort_by_key(|(name, _)| name.start);
        for (name, title) in names {
            let range = line.start + name.start..line.start + name.end;
            if range.start >= splice.done() {
                splice.put(range, &title);
            }
        }
    }
    let (text, sources) = splice.finish();
    lines.replace(text, &sources);
}

/// The place of the name in a link whose text ends at `at`, and the title of that page.
fn titled(line: &str, at: usize, page: &Page<'_>) -> Option<(Range<usize>, String)> {
    let open = line[..at].rfind('[')?;
    let place = open + 1..at + ".md".len();
    let name = &line[place.clone()];
    let address = line[at + BETWEEN.len()..].split([')', ' ']).next()?;
    let path = address.split('#').next().unwrap_or(address);
    let path = path.trim_matches(['<', '>']).replace("%20", " ");
    // The escapes of Markdown.
    let plain = name.replace('\\', "");
    // Code before the link may have opened, and a picture shows no name.
    let is_picture = line[..open].ends_with('!');
    let in_code = !line[..open].matches('`').count().is_multiple_of(2);
    if is_picture || in_code || path != plain && !path.ends_with(&format!("/{plain}")) {
        return None;
    }
    Some((place, title(&path, page)?.replace(['[', ']'], "")))
}

/// The place of the name in the link of HTML that begins at `at`, and the title of that page.
fn titled_in_html(line: &str, at: usize, page: &Page<'_>) -> Option<(Range<usize>, String)> {
    let tag = Tag::of(&line[at..])?;
    let address = tag.attribute("href")?;
    let rest = &line[at + tag.length..];
    let (name, _) = rest.split_once(HTML.1)?;
    let path = address.split('#').next().unwrap_or(address);
    let path = path.replace("%20", " ");
    let last = path.trim_end_matches('/').rsplit('/').next()?;
    let is_folder = path.ends_with('/');
    let in_code = !line[..at].matches('`').count().is_multiple_of(2);
    if in_code || last != name || !is_folder && !name.ends_with(".md") {
        return None;
    }
    let title = match is_folder {
        true => title(&format!("{path}README.md"), page)?,
        false => title(&path, page)?,
    };
    let start = line.len() - rest.len();
    let title = title.replace('&', "&amp;").replace('<', "&lt;");
    Some((start..start + name.len(), title))
}

/// The title of the page at a path from this one.
fn title(path: &str, page: &Page<'_>) -> Option<String> {
    let folder = page.files.path.rsplit_once('/');
    let path = join(folder.map_or("", |(folder, _)| folder), path)?;
    Some((page.files.search)(Search::Text(&path))?.title)
}

#[cfg(test)]
mod tests {
    use crate::dialects::{Evidence, Files, Found, Kind, Named, Search, translate};
    use crate::syntax::front::Front;

    #[test]
    fn rule_12_a_link_with_the_name_of_a_file_shows_the_title_of_the_page() {
        let check = |kind: &str, text: &str, expected: &str| {
            let kind = Kind::of(&Evidence::default(), Some(kind));
            let files = Files {
                search: &|search| {
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
            "\n[A new way](b.md)\n\n",
        );
        check(
            "gitbook",
            "See [b.md](../a/b.md#part \"mention\"), [own](b.md), `[b.md](b.md)`.",
            "See [A new way](../a/b.md#part), [own](b.md), `[b.md](b.md)`.",
        );
        check("gitbook", "[c.md](c.md)", "[c.md](c.md)");
        check(
            "gitbook",
            "<td><a data-mention href=\"b.md\">b.md</a> [b.md](b.md) <a href=\"b.md\">own</a></td>",
            "<td><a data-mention href=\"b.md\">A [new] way</a> [A new way](b.md) <a href=\"b.md\">own</a></td>",
        );
        check("plain", "[b.md](b.md)", "[b.md](b.md)");
    }
}
