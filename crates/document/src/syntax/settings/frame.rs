//! The settings of what is around every text.
//!
//! ```toml
//! logo = { src = "logo.svg", dark = "logo-dark.svg", alt = "Garden" }
//! accent = { light = "#1f5f8b", dark = "#86bbe4" }
//!
//! [nav]
//! links = [
//!     "about.md",
//!     { title = "Code", link = "https://forge.example/me" },
//!     { title = "More", items = ["terms.md"] },
//! ]
//! ```

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::similar;
use crate::model::colour::{Colour, DARK, LEAST_CONTRAST, LIGHT};
use crate::model::frame::{Accent, LogoSetting, MenuItem, Placed};
use crate::model::problem::Problem;
use crate::model::text::{Lines, one_line};

/// The most links of a header or footer: they are part of every page.
const MOST_LINKS: usize = 60;
/// The longest title of a link, in characters.
const LONGEST_TITLE: usize = 60;
/// The longest address, in bytes.
const LONGEST_LINK: usize = 2_000;

/// Reads values, and collects problems with the offset of their place.
pub(super) struct Reader<'a> {
    /// The key in the file, such as `nav.links`.
    pub(super) key: &'a str,
    pub(super) lines: &'a Lines<'a>,
    pub(super) problems: &'a mut Vec<(usize, Problem)>,
}

impl Reader<'_> {
    fn report(&mut self, start: usize, message: String, hint: impl Into<String>) {
        let problem = Problem::error(message).hint(hint);
        self.problems.push((start, problem));
    }

    /// A text that is not empty, on one line; `None`: it is reported.
    fn text(&mut self, name: &str, value: &Spanned<DeValue<'_>>, longest: usize) -> Option<Placed> {
        let start = value.span().start;
        let Some(text) = value.get_ref().as_str() else {
            self.report(start, format!("`{name}` must be text"), "put it in quotes");
            return None;
        };
        let text = one_line(text);
        if text.is_empty() || text.chars().count() > longest {
            let message = match text.is_empty() {
                true => format!("`{name}` is empty"),
                false => format!("`{name}` is longer than {longest} characters"),
            };
            self.report(start, message, "write a short text, or leave the key out");
            return None;
        }
        let (line, column) = self.lines.place(start);
        Some(Placed { text, line, column })
    }

    /// Every key of a table by its name; unknown ones are reported.
    fn keys<'t, 'v>(
        &mut self,
        table: &'t DeTable<'v>,
        known: &[&'static str],
    ) -> Vec<(&'static str, &'t Spanned<DeValue<'v>>)> {
        let mut found = Vec::new();
        for (key, value) in table {
            match known.iter().find(|known| **known == *key.get_ref()) {
                Some(known) => found.push((*known, value)),
                None => {
                    let name = key.get_ref();
                    let message = format!("`{name}` is not a known key of `{}`", self.key);
                    self.report(key.span().start, message, similar(name, known));
                }
            }
        }
        found
    }

    /// The links of a header or footer; `groups`: whether some may be groups.
    pub(super) fn menu(&mut self, value: &Spanned<DeValue<'_>>, groups: bool) -> Vec<MenuItem> {
        let items = self.list(value, groups);
        let count: usize = items.iter().map(|item| item.items.len().max(1)).sum();
        if count > MOST_LINKS {
            let message = format!(
                "`{}` has {count} links, at most {MOST_LINKS} are shown",
                self.key
            );
            let hint = "they are on every page; a page of its own can hold the others";
            self.report(value.span().start, message, hint);
        }
        items
    }

    fn list(&mut self, value: &Spanned<DeValue<'_>>, groups: bool) -> Vec<MenuItem> {
        let DeValue::Array(list) = value.get_ref() else {
            let message = format!("`{}` must be a list", self.key);
            let hint =
                "write `[\"about.md\", { title = \"Code\", link = \"https://forge.example/me\" }]`";
            self.report(value.span().start, message, hint);
            return Vec::new();
        };
        list.iter()
            .filter_map(|item| self.item(item, groups))
            .collect()
    }

    fn item(&mut self, value: &Spanned<DeValue<'_>>, groups: bool) -> Option<MenuItem> {
        let table = match value.get_ref() {
            DeValue::String(_) => {
                let link = self.text("link", value, LONGEST_LINK)?;
                return self.link(value, None, link);
            }
            DeValue::Table(table) => table,
            _ => {
                let message = format!("an item of `{}` is a text or a table", self.key);
                let hint = "write a file or an address, or a table with `title` and `link`";
                self.report(value.span().start, message, hint);
                return None;
            }
        };
        let known: &[&str] = match groups {
            true => &["title", "link", "items"],
            false => &["title", "link"],
        };
        let before = self.problems.len();
        let (mut title, mut link, mut items) = (None, None, None);
        for (key, value) in self.keys(table, known) {
            match key {
                "title" => title = self.text(key, value, LONGEST_TITLE),
                "link" => link = self.text(key, value, LONGEST_LINK),
                _ => items = Some(self.list(value, false)),
            }
        }
        let title = title.map(|title| title.text);
        match (link, items) {
            (Some(link), None) => self.link(value, title, link),
            (None, Some(items)) if title.is_some() && !items.is_empty() => Some(MenuItem {
                title,
                link: None,
                items,
            }),
            // What is wrong inside it is reported already.
            _ if self.problems.len() > before => None,
            _ => {
                let message = format!("an item of `{}` is neither a link nor a group", self.key);
                let hint = match groups {
                    true => "give it a `link`, or a `title` and `items`",
                    false => "give it a `link`",
                };
                self.report(value.span().start, message, hint);
                None
            }
        }
    }

    /// A link. Where its page does not name it, its author has to.
    fn link(
        &mut self,
        value: &Spanned<DeValue<'_>>,
        title: Option<String>,
        link: Placed,
    ) -> Option<MenuItem> {
        if title.is_none() && crate::model::address::scheme(&link.text).is_some() {
            let message = format!("the link `{}` of `{}` has no title", link.text, self.key);
            let hint = format!("write `{{ title = \"…\", link = \"{}\" }}`", link.text);
            self.report(value.span().start, message, hint);
            return None;
        }
        Some(MenuItem {
            title,
            link: Some(link),
            items: Vec::new(),
        })
    }

    /// `"logo.svg"`, or a table with `src`, `alt` and `dark`.
    pub(super) fn logo(&mut self, value: &Spanned<DeValue<'_>>) -> Option<LogoSetting> {
        let DeValue::Table(table) = value.get_ref() else {
            return Some(LogoSetting {
                src: self.text("logo", value, LONGEST_LINK)?,
                ..LogoSetting::default()
            });
        };
        let mut src = None;
        let mut logo = LogoSetting::default();
        for (key, value) in self.keys(table, &["src", "alt", "dark"]) {
            match key {
                "src" => src = self.text(key, value, LONGEST_LINK),
                "dark" => logo.dark = self.text(key, value, LONGEST_LINK),
                _ => logo.alt = self.text(key, value, LONGEST_TITLE).map(|alt| alt.text),
            }
        }
        if !table.contains_key("src") {
            let hint = "write `logo = { src = \"logo.svg\" }`";
            self.report(value.span().start, "`logo` has no `src`".to_owned(), hint);
        }
        Some(LogoSetting { src: src?, ..logo })
    }

    /// `"#1f5f8b"`, of which shades are made that can be read, or a table with `light` and `dark`,
    /// which are taken as they are.
    pub(super) fn accent(&mut self, value: &Spanned<DeValue<'_>>) -> Option<Accent> {
        let DeValue::Table(table) = value.get_ref() else {
            return Some(shades(self.colour("accent", value)?));
        };
        let (mut light, mut dark) = (None, None);
        for (key, value) in self.keys(table, &["light", "dark"]) {
            let name = format!("accent.{key}");
            let Some(colour) = self.colour(&name, value) else {
                continue;
            };
            match key {
                "light" => light = self.readable(&name, value, colour, &LIGHT),
                _ => dark = self.readable(&name, value, colour, &DARK),
            }
        }
        let one = light.or(dark)?;
        Some(Accent {
            light: light.unwrap_or_else(|| shades(one).light),
            dark: dark.unwrap_or_else(|| shades(one).dark),
        })
    }

    fn colour(&mut self, name: &str, value: &Spanned<DeValue<'_>>) -> Option<Colour> {
        let text = self.text(name, value, 20)?.text;
        let colour = Colour::parse(&text);
        if colour.is_none() {
            let message = format!("`{name}` is not a colour: `{text}`");
            self.report(
                value.span().start,
                message,
                "write `#rrggbb`, such as `#1f5f8b`",
            );
        }
        colour
    }

    /// The colour; a problem says if it cannot be read in the built-in theme.
    fn readable(
        &mut self,
        name: &str,
        value: &Spanned<DeValue<'_>>,
        colour: Colour,
        behind: &[Colour],
    ) -> Option<Colour> {
        let contrast = colour.contrast_with_all(behind);
        if contrast < LEAST_CONTRAST {
            let message = format!(
                "`{name}` is hard to read: `{colour}` has a contrast of {contrast:.1} with the background, links need {LEAST_CONTRAST}"
            );
            let hint = format!(
                "`{}` can be read; with `accent = \"{colour}\"` such shades are found for you",
                colour.readable(behind)
            );
            let problem = Problem::warning(message).hint(hint);
            self.problems.push((value.span().start, problem));
        }
        Some(colour)
    }
}

/// The shades of a colour that can be read.
fn shades(colour: Colour) -> Accent {
    Accent {
        light: colour.readable(&LIGHT),
        dark: colour.readable(&DARK),
    }
}
