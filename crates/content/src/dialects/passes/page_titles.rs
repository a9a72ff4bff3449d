//! Links whose text is the name of the file that they lead to: the editor of a GitBook writes them,
//! and its readers see the title of that page.

use super::files::Search;
use super::page::Page;
use super::splice::Splice;
use crate::dialects::lines::Lines;
use crate::dialects::scan::scan;
use crate::model::path::join;

/// Between the text and the address of such a link.
const BETWEEN: &str = ".md](";

/// Whether a text may have such a link.
pub fn may_have_some(text: &str, page: &Page<'_>) -> bool {
    page.kind.dialect.titles_links && text.contains(BETWEEN)
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
        for (at, _) in line.whole.match_indices(BETWEEN) {
            let Some((name, title)) = titled(line.whole, at, page) else {
                continue;
            };
            let end = line.start + at + ".md".len();
            let start = end - name.len();
            if start >= splice.done() {
                splice.put(start..end, &title);
            }
        }
    }
    let (text, sources) = splice.finish();
    lines.replace(text, &sources);
}

/// The name of the file in a link whose text ends at `at`, and the title of that page.
fn titled<'l>(line: &'l str, at: usize, page: &Page<'_>) -> Option<(&'l str, String)> {
    let open = line[..at].rfind('[')?;
    let name = &line[open + 1..at + ".md".len()];
    let address = line[at + BETWEEN.len()..].split([')', ' ']).next()?;
    let path = address.split('#').next().unwrap_or(address);
    let path = path.trim_matches(['<', '>']).replace("%20", " ");
    let plain = name.replace('\\', "");
    // Code before the link may have opened, and a picture shows no name.
    let is_picture = line[..open].ends_with('!');
    let in_code = !line[..open].matches('`').count().is_multiple_of(2);
    if is_picture || in_code || path != plain && !path.ends_with(&format!("/{plain}")) {
        return None;
    }
    let folder = page.files.path.rsplit_once('/');
    let path = join(folder.map_or("", |(folder, _)| folder), &path)?;
    let found = (page.files.search)(Search::Text(&path))?;
    Some((name, found.title.replace(['[', ']'], "")))
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
            "See [b.md](../a/b.md#part), [own](b.md), `[b.md](b.md)`.",
            "See [A new way](../a/b.md#part), [own](b.md), `[b.md](b.md)`.",
        );
        check("gitbook", "[c.md](c.md)", "[c.md](c.md)");
        check("plain", "[b.md](b.md)", "[b.md](b.md)");
    }
}
