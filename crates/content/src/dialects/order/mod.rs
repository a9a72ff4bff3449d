//! The order that the author gave the texts: the navigation of a generator's configuration, a list
//! of links, the files that arrange a folder. It is read as data; where each entry leads is decided
//! with the whole folder.
//!
//! One module for each form in which an order is written; a kind of folder names those it has.

pub mod arrange;
pub mod book;
pub mod chapters;
pub mod data;
pub mod map;
pub mod menus;
pub mod mintlify;
pub mod nav;
pub mod sidebar;
pub mod toc;

use std::{collections::BTreeMap, sync::Arc};

use super::evidence::Evidence;
use super::hash_address::page_address;
use super::script::{Scripts, whole};
use crate::model::path::{inside, join, name};
use crate::model::problem::Problem;
use crate::model::site::NavItem;
use crate::model::text::{decode, one_line, plain, shorten};
use crate::syntax::front::{Node, Syntax};

/// The maximum number of items of one outline.
const MOST_ITEMS: usize = 100_000;
/// How deep items may be nested.
pub const DEPTH: usize = 16;
/// The largest file with an order, in bytes.
const LARGEST: usize = 8_000_000;
/// The longest title, in characters.
const LONGEST_TITLE: usize = 300;

/// How sure it is that an order is that of the texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Weight {
    /// There is none.
    #[default]
    None,
    /// A menu, which may name a few pages only.
    Menu,
    /// The navigation of documentation.
    Navigation,
}

/// The order of a folder as its author wrote it.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// The file; empty if the kind of folder orders its texts without one.
    pub file: String,
    /// The key in it, or what it is.
    pub what: &'static str,
    /// How sure it is.
    pub weight: Weight,
    /// The entries at the top.
    pub items: Vec<Item>,
    /// What arranges single folders, by path.
    pub folders: BTreeMap<String, Arrangement>,
    /// What could not be read.
    pub problems: Vec<Problem>,
}

/// An entry of an outline.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Item {
    /// The author's name for it: plain text.
    pub title: Option<String>,
    /// The name in other languages.
    pub translations: Vec<(String, String)>,
    /// Where it leads.
    pub to: To,
    /// The entries below it.
    pub items: Vec<Item>,
    /// Its file.
    pub file: Arc<str>,
    /// Its line, from 1.
    pub line: u32,
    /// Its column, from 1.
    pub column: u32,
}

/// Where an entry leads, as written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum To {
    /// No target: a heading.
    #[default]
    Nowhere,
    /// A file or address: relative to the first of these folders in which it exists.
    Path {
        /// As written.
        path: String,
        /// The folders.
        from: Arc<[String]>,
    },
    /// Another site.
    Site(String),
    /// The texts of a folder, in their own order.
    Folder(String),
}

/// What arranges one folder: `_category_.json`, `_meta.json`, `.pages`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arrangement {
    /// Its title.
    pub title: Option<String>,
    /// Its place among its neighbours.
    pub position: Option<i64>,
    /// Whether it is left out.
    pub hidden: bool,
    /// Its entries by name, in order.
    pub entries: Vec<(String, ArrangedEntry)>,
    /// Whether entries that are not named are left out.
    pub only: bool,
}

/// An entry of a folder that its author named.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArrangedEntry {
    /// The author's name for it.
    pub title: Option<String>,
    /// Whether it is left out.
    pub hidden: bool,
    /// Another site.
    pub site: Option<String>,
}

/// What an order is read from.
pub struct Ask<'e, 'a> {
    /// The files of the folder.
    pub evidence: &'e Evidence<'a>,
    /// The configuration of the kind; empty if it has none.
    pub config: &'e str,
    /// The folders of the content, the most likely first; the root is the last.
    pub roots: Arc<[String]>,
}

/// Reads an order written in one form; `None`: the folder has none in this form.
pub type Read = fn(&Ask<'_, '_>) -> Option<Outline>;

/// The forms that any folder may have.
const COMMON: [Read; 5] = [
    chapters::summary,
    chapters::sidebar,
    toc::tables,
    data::routes,
    arrange::meta,
];

/// The order of a folder in one of these forms, else in one that any folder may have.
pub fn read(ask: &Ask<'_, '_>, forms: &[Read]) -> Outline {
    let mut forms = forms.iter().chain(&COMMON);
    forms.find_map(|form| form(ask)).unwrap_or_default()
}

/// Whether an order may be written in a file.
pub fn may_order(path: &str) -> bool {
    const ENDINGS: [&str; 13] = [
        ".yml", ".yaml", ".json", ".js", ".ts", ".mjs", ".mts", ".cjs", ".cts", ".toml", ".jsx",
        ".tsx", "/.pages",
    ];
    // A README may have the title of a part.
    const TEXTS: [&str; 4] = ["SUMMARY.md", "README.md", "_sidebar.md", "toc.md"];
    let name = name(path);
    ENDINGS.iter().any(|ending| path.ends_with(ending))
        || TEXTS.iter().any(|text| name.eq_ignore_ascii_case(text))
}

/// The order that the settings give.
pub fn of_settings(nav: &[NavItem], file: &str) -> Outline {
    let from: Arc<[String]> = [String::new()].into();
    let file_name: Arc<str> = file.into();
    Outline {
        file: file.to_owned(),
        what: "nav",
        weight: Weight::Menu,
        items: nav
            .iter()
            .map(|item| of_setting(item, &file_name, &from))
            .collect(),
        ..Outline::default()
    }
}

/// The settings bound the depth.
fn of_setting(nav: &NavItem, file: &Arc<str>, from: &Arc<[String]>) -> Item {
    let mut items: Vec<Item> = nav
        .items
        .iter()
        .map(|item| of_setting(item, file, from))
        .collect();
    let place = Item {
        file: Arc::clone(file),
        line: nav.line,
        column: nav.column,
        ..Item::default()
    };
    let folder = nav.folder.as_deref().map(clean);
    if let Some(folder) = &folder
        && (nav.link.is_some() || !items.is_empty())
    {
        items.push(Item {
            to: To::Folder(folder.clone()),
            ..place.clone()
        });
    }
    let to = match (&nav.link, folder) {
        (Some(link), _) => to(link, from),
        (None, Some(folder)) if items.is_empty() => To::Folder(folder),
        _ => To::Nowhere,
    };
    Item {
        title: nav.title.as_deref().and_then(title),
        to,
        items,
        ..place
    }
}

impl Ask<'_, '_> {
    /// A file with data: YAML, JSON, or the literals of a program. `None`: no such file, or nothing
    /// in it.
    pub(super) fn data(&self, path: &str) -> Option<Node> {
        let file = self.evidence.file(path)?;
        if file.bytes.len() > LARGEST {
            return None;
        }
        let syntax = match path.rsplit_once('.') {
            Some((_, "yml" | "yaml")) => Syntax::Yaml,
            Some((_, "json")) => Syntax::Json,
            Some((_, "toml")) => Syntax::Toml,
            Some((_, "js" | "ts" | "mjs" | "mts" | "cjs" | "cts" | "tsx" | "jsx")) => {
                return Scripts::new(self.evidence).default_export(path);
            }
            _ => Syntax::Yaml,
        };
        let (text, _) = decode(&file.bytes, path);
        whole(&text, path, syntax)
    }

    /// The first of these files that has data: its path and the data.
    pub(super) fn first(&self, paths: &[&str]) -> Option<(String, Node)> {
        paths.iter().find_map(|path| {
            let data = self.data(path)?;
            Some(((*path).to_owned(), data))
        })
    }

    /// The text of a file.
    pub(super) fn text(&self, path: &str) -> Option<String> {
        let file = self.evidence.file(path)?;
        if file.bytes.len() > LARGEST {
            return None;
        }
        Some(decode(&file.bytes, path).0.into_owned())
    }
}

impl Outline {
    /// An outline of a file. `None`: it has no items.
    pub(super) fn new(
        file: &str,
        what: &'static str,
        weight: Weight,
        items: Vec<Item>,
    ) -> Option<Self> {
        (!items.is_empty()).then(|| Self {
            file: file.to_owned(),
            what,
            weight,
            items,
            ..Self::default()
        })
    }

    /// Says that a part of it is computed by a program, once.
    pub(super) fn computed(mut self, place: Option<(u32, u32)>) -> Self {
        if let Some((line, column)) = place {
            let problem = Problem::warning(format!(
                "a part of `{}` is computed by a program, and is not read",
                self.what
            ));
            self.problems.push(
                problem
                    .at(&*self.file, line, column)
                    .hint("give the order with the setting `nav`"),
            );
        }
        self
    }

    /// An outline that is only the texts of a folder.
    pub(super) fn folder(folder: &str) -> Self {
        Self {
            weight: Weight::Navigation,
            what: "folders",
            items: vec![Item {
                to: To::Folder(folder.to_owned()),
                ..Item::default()
            }],
            ..Self::default()
        }
    }
}

/// Where an address in an order leads.
pub(super) fn to(address: &str, from: &Arc<[String]>) -> To {
    let address = address.trim().trim_matches(['<', '>']);
    let page = page_address(address).filter(|_| address.contains("#/"));
    let address = page.as_deref().unwrap_or(address);
    if address.is_empty() || address.starts_with('#') {
        return To::Nowhere;
    }
    let is_site = address.starts_with("//") || crate::model::address::scheme(address).is_some();
    if is_site {
        return To::Site(address.to_owned());
    }
    To::Path {
        path: address.to_owned(),
        from: Arc::clone(from),
    }
}

/// A title as plain text on one line; `None`: there is nothing in it.
pub(super) fn title(text: &str) -> Option<String> {
    let text = without_expressions(text);
    let words = shorten(&one_line(&plain(&text)), LONGEST_TITLE);
    (!words.is_empty()).then_some(words)
}

/// A text without `{{ expressions }}`, which only a generator could fill in.
fn without_expressions(text: &str) -> String {
    let mut rest = text;
    let mut kept = String::new();
    while let Some((before, inside)) = rest.split_once("{{") {
        let Some((_, after)) = inside.split_once("}}") else {
            break;
        };
        kept.push_str(before.trim_end_matches('@'));
        rest = after;
    }
    kept + rest
}

/// A folder without `./` and closing slash.
pub(super) fn clean(folder: &str) -> String {
    join("", folder).unwrap_or_default()
}

/// The folder of a path.
pub(super) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}
