//! The mapping from HTML elements to blocks of the document.

use super::attributes::{code_language, kept};
use super::elements::Elements;
use super::normalise::CALLOUT;
use super::tokens::StartTag;
use crate::model::document::build::{Kind, OpenCell, OpenRow, is_title, table_span};
use crate::model::document::{Alignment, CodeInfo, ContainerTag, Inline};

impl Elements<'_> {
    pub fn block(&mut self, name: &'static str, tag: &StartTag) {
        if self.builder.in_code() && !matches!(name, "pre" | CALLOUT) {
            return;
        }
        let holder = self.builder.holder();
        let kind = match name {
            CALLOUT => callout(tag),
            "p" if tag.get("class").is_some_and(is_title) => {
                return self.container(ContainerTag::Div, name, tag);
            }
            "p" | "legend" | "option" => Kind::Paragraph,
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => return self.heading(name, tag),
            "ul" | "menu" => list(None, false),
            "ol" => list(
                Some(tag.get("start").and_then(list_number).unwrap_or(1)),
                tag.get("reversed").is_some(),
            ),
            "li" => return self.item(tag),
            "dl" => Kind::Definitions(Vec::new()),
            "dt" | "dd" => return self.definition(name, tag),
            "table" => Kind::Table(Box::default()),
            "caption" | "thead" | "tbody" | "tfoot" | "tr" | "td" | "th" => {
                return self.table_part(name, tag);
            }
            "blockquote" => Kind::Quote,
            "figure" => Kind::Figure {
                caption: Vec::new(),
            },
            "details" => Kind::Details {
                open: tag.get("open").is_some(),
                summary: Vec::new(),
            },
            "figcaption" if matches!(holder, Kind::Figure { .. }) => Kind::Caption,
            "summary" if matches!(holder, Kind::Details { .. }) => Kind::Summary,
            "figcaption" | "summary" => Kind::Paragraph,
            "pre" | "xmp" | "listing" => Kind::Code {
                language: code_language(tag),
                info: CodeInfo::default(),
                text: String::new(),
            },
            "aside" => return self.container(ContainerTag::Aside, name, tag),
            "rt" => return self.builder.html_text(" (", 0),
            "rp" | "wbr" => return,
            _ => return self.container(ContainerTag::Div, name, tag),
        };
        self.open(kind, name, tag);
    }

    /// Opens a block that cannot carry an id: an anchor before its first text replaces it.
    fn open(&mut self, kind: Kind, name: &'static str, tag: &StartTag) {
        self.builder.open_block(kind, name);
        self.anchor(tag.get("id"));
    }

    fn container(&mut self, container: ContainerTag, name: &'static str, tag: &StartTag) {
        let attributes = kept(self.builder, tag);
        self.builder
            .open_block(Kind::Container(container, attributes), name);
    }

    fn heading(&mut self, name: &'static str, tag: &StartTag) {
        self.builder.close_implied(
            |kind| matches!(kind, Kind::Heading { .. }),
            |kind| !matches!(kind, Kind::Wrapper(_)),
        );
        if self.builder.in_heading_cell() {
            return self.open(Kind::Paragraph, name, tag);
        }
        let level = name.as_bytes()[1] - b'0';
        self.builder.open_block(
            Kind::Heading {
                level,
                id: tag.get("id").map(str::to_owned),
            },
            name,
        );
    }

    fn item(&mut self, tag: &StartTag) {
        self.builder.close_implied(
            |kind| matches!(kind, Kind::Item { .. }),
            |kind| matches!(kind, Kind::List { .. } | Kind::Cell(_)),
        );
        if !matches!(self.builder.holder(), Kind::List { .. }) {
            self.builder.open_implied(list(None, false));
        }
        if let Some(Kind::List {
            start,
            reversed: false,
            items,
            ..
        }) = self.builder.top_kind()
            && items.is_empty()
            && let Some(start) = start
            && let Some(value) = tag.get("value").and_then(list_number)
        {
            *start = value;
        }
        self.open(
            Kind::Item {
                task: None,
                loose: false,
            },
            "li",
            tag,
        );
    }

    fn definition(&mut self, name: &'static str, tag: &StartTag) {
        self.builder.close_implied(
            |kind| matches!(kind, Kind::Term | Kind::Description),
            |kind| matches!(kind, Kind::Definitions(_) | Kind::Cell(_)),
        );
        if !matches!(self.builder.holder(), Kind::Definitions(_)) {
            self.builder.open_implied(Kind::Definitions(Vec::new()));
        }
        self.open(
            if name == "dt" {
                Kind::Term
            } else {
                Kind::Description
            },
            name,
            tag,
        );
    }

    fn table_part(&mut self, name: &'static str, tag: &StartTag) {
        match name {
            "td" | "th" => self.builder.close_implied(
                |kind| matches!(kind, Kind::Cell(_)),
                |kind| matches!(kind, Kind::Row(_) | Kind::Table(_)),
            ),
            _ => self.close_row(),
        }
        let kind = match (name, self.builder.holder()) {
            ("thead", _) => return self.head_rows(true),
            ("tbody" | "tfoot", _) => return self.head_rows(false),
            ("caption", Kind::Table(_)) => Kind::Caption,
            ("tr", Kind::Table(table)) => Kind::Row(OpenRow {
                header: table.heading,
                ..OpenRow::default()
            }),
            ("td" | "th", Kind::Table(_) | Kind::Row(_)) => Kind::Cell(OpenCell {
                heads: name == "th",
                alignment: alignment(tag),
                columns: table_span(tag.get("colspan").unwrap_or_default()),
                rows: table_span(tag.get("rowspan").unwrap_or_default()),
                blocks: Vec::new(),
            }),
            _ => {
                // A table part outside a table separates texts.
                self.builder
                    .open_block(Kind::Container(ContainerTag::Div, Vec::new()), name);
                return;
            }
        };
        self.open(kind, name, tag);
    }

    fn close_row(&mut self) {
        self.builder.close_implied(
            |kind| matches!(kind, Kind::Row(_)),
            |kind| matches!(kind, Kind::Table(_)),
        );
    }

    /// Whether the following rows are in the table's head.
    pub fn head_rows(&mut self, heading: bool) {
        self.close_row();
        if let Some(Kind::Table(table)) = self.builder.top_kind() {
            table.heading = heading;
        }
    }
}

/// A number of a list that both forms can write: one of Markdown has at most nine digits.
fn list_number(text: &str) -> Option<u64> {
    const LARGEST: u64 = 999_999_999;
    let number = text.trim().parse().ok()?;
    (number <= LARGEST).then_some(number)
}

fn list(start: Option<u64>, reversed: bool) -> Kind {
    Kind::List {
        start,
        reversed,
        loose: false,
        items: Vec::new(),
    }
}

fn callout(tag: &StartTag) -> Kind {
    let title = tag.line("title");
    let title = if title.is_empty() {
        Vec::new()
    } else {
        vec![Inline::Text(title)]
    };
    Kind::Callout {
        kind: tag.get("kind").unwrap_or("note").to_owned(),
        title,
        fold: None,
    }
}

fn alignment(tag: &StartTag) -> Alignment {
    let style = tag.get("style").unwrap_or_default().to_ascii_lowercase();
    match text_align(&style).or(tag.get("align")) {
        Some("left") => Alignment::Left,
        Some("center") => Alignment::Center,
        Some("right") => Alignment::Right,
        _ => Alignment::None,
    }
}

fn text_align(style: &str) -> Option<&str> {
    for rule in style.split(';') {
        if let Some((name, value)) = rule.split_once(':')
            && name.trim() == "text-align"
        {
            return Some(value.trim());
        }
    }
    None
}
