//! The setting `nav`: the author's order of texts.
//!
//! ```toml
//! nav = [
//!     "start.md",
//!     { title = "Guide", items = ["guide/one.md", { folder = "guide/more" }] },
//!     { title = "Forum", link = "https://forum.example.org" },
//! ]
//! ```

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::similar;
use crate::model::problem::Problem;
use crate::model::site::NavItem;
use crate::model::text::{Lines, one_line};

/// How deep items may be nested.
const DEPTH: usize = 12;
const KEYS: [&str; 4] = ["title", "link", "folder", "items"];

/// The items of a list; problems have the offset of their place.
pub(super) fn items(
    value: &Spanned<DeValue<'_>>,
    lines: &Lines<'_>,
    problems: &mut Vec<(usize, Problem)>,
) -> Vec<NavItem> {
    let mut reader = Reader { lines, problems };
    reader.list(value, DEPTH)
}

struct Reader<'a> {
    lines: &'a Lines<'a>,
    problems: &'a mut Vec<(usize, Problem)>,
}

impl Reader<'_> {
    fn report(&mut self, start: usize, message: &str, hint: impl Into<String>) {
        self.problems
            .push((start, Problem::error(message).hint(hint)));
    }

    fn list(&mut self, value: &Spanned<DeValue<'_>>, depth: usize) -> Vec<NavItem> {
        let start = value.span().start;
        let DeValue::Array(list) = value.get_ref() else {
            self.report(
                start,
                "`nav` must be a list",
                "write `nav = [\"a.md\", \"b.md\"]`, or `[[nav]]` tables",
            );
            return Vec::new();
        };
        if depth == 0 {
            self.report(start, "`nav` is nested too deep", "at most 12 levels");
            return Vec::new();
        }
        list.iter()
            .filter_map(|item| self.item(item, depth))
            .collect()
    }

    fn item(&mut self, value: &Spanned<DeValue<'_>>, depth: usize) -> Option<NavItem> {
        let start = value.span().start;
        let (line, column) = self.lines.place(start);
        let place = NavItem {
            line,
            column,
            ..NavItem::default()
        };
        match value.get_ref() {
            DeValue::String(link) => Some(NavItem {
                link: Some(link.to_string()),
                ..place
            }),
            DeValue::Table(table) => self.table(table, place, start, depth),
            _ => {
                let hint = "write a file, or a table with `title`, `link`, `folder`, `items`";
                self.report(start, "an item of `nav` is a text or a table", hint);
                None
            }
        }
    }

    fn unknown(&mut self, key: &str, start: usize) {
        let message = format!("`{key}` is not a known key of `nav`");
        self.report(start, &message, similar(key, &KEYS));
    }

    fn table(
        &mut self,
        table: &DeTable<'_>,
        mut item: NavItem,
        start: usize,
        depth: usize,
    ) -> Option<NavItem> {
        for (key, value) in table {
            let text = || value.get_ref().as_str().map(one_line);
            let field = match &**key.get_ref() {
                "items" => {
                    item.items = self.list(value, depth - 1);
                    continue;
                }
                "title" => &mut item.title,
                "link" => &mut item.link,
                "folder" => &mut item.folder,
                other => {
                    self.unknown(other, key.span().start);
                    continue;
                }
            };
            *field = text();
            if field.is_none() {
                let message = format!("`{}` must be text", key.get_ref());
                self.report(value.span().start, &message, "put it in quotes");
            }
        }
        if item.link.is_none() && item.folder.is_none() && item.items.is_empty() {
            let hint = "give it a `link`, a `folder`, or `items`";
            self.report(start, "an item of `nav` has no target", hint);
            return None;
        }
        Some(item)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FILE, Settings};
    use super::*;

    fn read(text: &str) -> (Vec<NavItem>, Vec<String>) {
        let (settings, problems) = Settings::parse(text, FILE);
        let said = problems
            .iter()
            .map(|problem| problem.to_string().replace("\n  hint: ", " | "));
        (settings.nav.unwrap_or_default(), said.collect())
    }

    #[test]
    fn rule_44_nav_is_a_list_of_files_links_sections_and_folders() {
        let (nav, problems) = read(
            "nav = [\"a.md\", { title = 'G', items = ['b.md', { folder = 'c' }] },\n { title = 'F', link = 'https://f.example' }]",
        );
        assert_eq!(problems, [""; 0]);
        let links: Vec<_> = nav.iter().map(|item| item.link.as_deref()).collect();
        assert_eq!(links, [Some("a.md"), None, Some("https://f.example")]);
        assert_eq!(nav[1].items[1].folder.as_deref(), Some("c"));
        assert_eq!((nav[2].line, nav[2].column), (2, 2));
        let (tables, _) = read("[[nav]]\ntitle = 'A'\nlink = 'a.md'\n[[nav]]\nfolder = 'b'\n");
        assert_eq!(tables.len(), 2);
    }

    #[test]
    fn rule_44_a_wrong_nav_says_what_is_wrong() {
        for (text, expected) in [
            ("nav = 'a.md'", "diglot.toml:1:7: `nav` must be a list"),
            ("nav = [1]", "diglot.toml:1:8: an item of `nav` is a text"),
            (
                "nav = [{ titel = 'A', link = 'a' }]",
                "did you mean `title`?",
            ),
            ("nav = [{ title = 'A' }]", "has no target"),
            ("nav = [{ title = 1, link = 'a' }]", "must be text"),
        ] {
            let (_, problems) = read(text);
            assert!(problems[0].contains(expected), "{text}: {problems:?}");
        }
    }
}
