//! Tables of cards as GitBook writes them: columns that only its editor shows are removed, and the
//! link to a cover becomes a picture. Icons are removed: `<i class="fa-code">:code:</i>`.

use std::ops::Range;

use super::mdx::Tag;
use super::splice::Splice;
use crate::dialects::lines::Lines;
use crate::model::bounds;
use crate::model::text::Next;

/// The attribute of columns that only the editor shows.
const HIDDEN: &str = "data-hidden";
/// The end of a table.
const END: &str = "</table>";
/// What an icon begins with.
const ICON: &str = "<i class=\"fa-";

/// Every text with such a table or an icon has one of them.
pub const SIGNS: [&str; 2] = [HIDDEN, ICON];

/// How a column is shown.
#[derive(Clone, Copy, PartialEq)]
enum Column {
    Cells,
    Covers,
    Nothing,
}

/// A cell that is open.
struct Cell {
    /// Where its tag begins.
    start: usize,
    /// Where its content begins.
    content: usize,
}

/// Rewrites the tables and icons of a text.
pub fn rewrite(lines: &mut Lines) {
    let text = lines.text.as_str();
    if !SIGNS.iter().any(|sign| text.contains(sign)) {
        return;
    }
    let found = lines.literals();
    let mut splice = Splice::new(text);
    let (mut ends, mut hidden) = (Next::new(END, text), Next::new(HIDDEN, text));
    let mut at = 0;
    while !bounds::is_over()
        && let Some(step) = memchr::memchr(b'<', &text.as_bytes()[at..])
    {
        at += step;
        let rest = &text[at..];
        if found.is_code(at) {
            at += 1;
        } else if rest.starts_with("<table")
            && let Some(end) = ends.from(at)
            && hidden.from(at).is_some_and(|column| column < end)
        {
            table(text, at + 1..end, &mut splice);
            at = end;
        } else if let Some(length) = icon(rest) {
            splice.put(at..at + length, "");
            at += length;
        } else {
            at += 1;
        }
    }
    let (text, sources) = splice.finish();
    lines.replace(text, &sources);
}

/// The length of the icon at the beginning of a text.
fn icon(text: &str) -> Option<usize> {
    const LONGEST: usize = 200;
    let near = &text[..text.floor_char_boundary(LONGEST)];
    let (_, named) = near.strip_prefix(ICON)?.split_once("\">:")?;
    let (name, _) = named.split_once(":</i>")?;
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    is_name.then(|| near.len() - named.len() + name.len() + ":</i>".len())
}

/// Rewrites the cells of a table.
fn table(text: &str, range: Range<usize>, splice: &mut Splice<'_>) {
    let mut columns: Vec<Column> = Vec::new();
    let (mut number, mut cell) = (0, None);
    let mut at = range.start;
    while let Some(step) = text[at..range.end].find('<') {
        at += step;
        let is_shown = columns
            .get(number)
            .is_none_or(|column| *column == Column::Cells);
        if let Some(length) = icon(&text[at..range.end]).filter(|_| is_shown) {
            splice.put(at..at + length, "");
            at += length;
            continue;
        }
        let Some(tag) = Tag::parse(&text[at..range.end]) else {
            at += 1;
            continue;
        };
        let end = at + tag.length;
        match (tag.name, tag.closes) {
            ("tr", false) => (number, cell) = (0, None),
            // Its cells are not those of the outer one.
            ("table", _) => return,
            ("th" | "td", false) => {
                if tag.name == "th" && number == columns.len() {
                    columns.push(column(&tag));
                }
                cell = Some(Cell {
                    start: at,
                    content: end,
                });
            }
            ("th" | "td", true) => {
                if let Some(cell) = cell.take() {
                    let content = cell.content..at;
                    match columns.get(number) {
                        Some(Column::Nothing) => splice.put(cell.start..end, ""),
                        Some(Column::Covers) => cover(text, content, splice),
                        Some(Column::Cells) | None => {}
                    }
                }
                number += 1;
            }
            _ => {}
        }
        at = end;
    }
}

fn column(tag: &Tag<'_>) -> Column {
    let has = |name: &str| tag.attribute(name).is_some();
    if !has(HIDDEN) || has("data-card-target") {
        Column::Cells
    } else if has("data-card-cover") {
        Column::Covers
    } else {
        Column::Nothing
    }
}

/// Shows the file to which a cell links.
fn cover(text: &str, content: Range<usize>, splice: &mut Splice<'_>) {
    let link = &text[content.clone()];
    let address = link
        .strip_prefix("<a href=\"")
        .and_then(|rest| rest.split_once('"'))
        .map(|(address, _)| format!("<img src=\"{address}\" alt=\"\">"));
    splice.put(content, &address.unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialects::lines::testing;

    #[test]
    fn columns_of_the_editor_are_removed() {
        let check = |text: &str, expected: &str| testing::check(rewrite, text, expected);
        check(
            "<table data-view=\"cards\"><thead><tr><th>A</th><th data-hidden data-card-cover data-type=\"image\">Cover</th><th data-hidden data-card-target>To</th><th data-hidden data-card-cover-dark>Dark</th><th data-hidden>More</th></tr></thead><tbody><tr><td><strong>B</strong></td><td><a href=\"c d.png\">c d.png</a></td><td><a href=\"e.md\">e.md</a></td><td><a href=\"f.png\">f.png</a></td><td>g</td></tr></tbody></table>",
            "<table data-view=\"cards\"><thead><tr><th>A</th><th data-hidden data-card-cover data-type=\"image\"></th><th data-hidden data-card-target>To</th></tr></thead><tbody><tr><td><strong>B</strong></td><td><img src=\"c d.png\" alt=\"\"></td><td><a href=\"e.md\">e.md</a></td></tr></tbody></table>",
        );
        check(
            "<table><tr><th data-hidden><i class=\"fa-a\">:a:</i></th><th><i class=\"fa-a\">:a:</i>B</th></tr></table>",
            "<table><tr><th>B</th></tr></table>",
        );
        check(
            "a <i class=\"fa-code\">:code:</i> b `<i class=\"fa-code\">:code:</i>`",
            "a  b `<i class=\"fa-code\">:code:</i>`",
        );
        check(
            "<table><tr><th data-hidden>A</th><th>B</th></tr><tr><td></td><td><i class=\"fa-a\">:a:</i><tr></td></tr></table>",
            "<table><tr><th>B</th></tr><tr><td><tr></td></tr></table>",
        );
        for same in [
            "`<table><th data-hidden>A</th></table>`",
            "<table><tr><th data-hidden>A</th>",
            "<table><tr><th>data-hidden</th></tr></table>",
        ] {
            check(same, same);
        }
    }

    proptest::proptest! {
        #[test]
        fn no_table_panics(text in "(<table>|</table>|<tr>|<th data-hidden>|<th data-hidden data-card-cover>|</th>|<td>|</td>|<a href=\"x\">|<i class=\"fa-a\">:a:</i>|a|é|`|\n){0,30}") {
            proptest::prop_assert!(Lines::after(&text, rewrite).come_from(&text));
        }
    }

    #[test]
    fn tables_without_an_end_take_no_time() {
        let text = format!("data-hidden{}", "<table".repeat(200_000));
        assert_eq!(Lines::after(&text, rewrite).text.len(), text.len());
    }
}
