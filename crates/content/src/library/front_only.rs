//! Texts whose words are in their front matter alone, such as links to another site or operations of
//! an API: the body that a reader sees.

use super::fields;
use crate::model::{
    document::{Block, Document, Inline, Reference, ReferenceKind},
    text::without_templates,
};
use crate::syntax::front::{Entry, Front};

/// Keys of the address that a text is about.
const LINK: [&str; 13] = [
    "source_url",
    "sourceUrl",
    "source-url",
    "external_url",
    "externalUrl",
    "external-url",
    "external_link",
    "externalLink",
    "link_url",
    "linkUrl",
    "remote_url",
    "original_url",
    "link",
];

/// Keys of the operation of an API that a text is about: `GET /users`, also behind the file that
/// describes it.
const OPERATION: [&str; 2] = ["openapi", "api"];
/// Methods that begin an operation.
const METHODS: [&str; 9] = [
    "get", "post", "put", "patch", "delete", "head", "options", "trace", "webhook",
];

/// Adds the summary, the link and the operation of a text that has a title and no body. Returns whether
/// there is one of them.
pub fn fill(front: &Front, document: &mut Document) -> bool {
    if fields::title(front).is_none() {
        return false;
    }
    let summary = fields::summary(front).map(|summary| without_templates(&summary));
    if let Some(summary) = summary.filter(|summary| !summary.is_empty()) {
        document
            .blocks
            .push(Block::Paragraph(vec![Inline::Text(summary)]));
    }
    if let Some((address, entry)) = link(front) {
        add_link(document, address, entry);
    }
    let operation = operation(front).map(|operation| Inline::Code(operation.to_owned()));
    document
        .blocks
        .extend(operation.map(|code| Block::Paragraph(vec![code])));
    !document.blocks.is_empty()
}

fn add_link(document: &mut Document, address: &str, entry: &Entry) {
    document.blocks.push(Block::Paragraph(vec![Inline::Link {
        reference: document.references.len(),
        title: String::new(),
        content: vec![Inline::Text(address.to_owned())],
    }]));
    document.references.push(Reference {
        raw: address.to_owned(),
        kind: ReferenceKind::Link,
        line: entry.node.line,
        column: entry.node.column,
    });
}

/// The first key with an address: of the web, or a path of the site.
fn link(front: &Front) -> Option<(&str, &Entry)> {
    let is_address = |text: &&str| {
        let begins = ["https://", "http://", "/"];
        begins.iter().any(|begin| text.starts_with(begin)) && !text.contains(char::is_whitespace)
    };
    LINK.iter().find_map(|key| {
        let entry = front.get(key)?;
        Some((entry.node.text().filter(is_address)?, entry))
    })
}

/// The first operation, from its method on.
fn operation(front: &Front) -> Option<&str> {
    let text = OPERATION.iter().find_map(|key| front.text(&[key]))?.trim();
    let starts = std::iter::once(0).chain(text.match_indices(' ').map(|(at, _)| at + 1));
    let operations = starts.filter_map(|at| text.get(at..));
    let mut operations = operations.filter(|text| {
        let method = text.split(' ').next().unwrap_or_default();
        text.len() > method.len() && METHODS.contains(&&*method.to_ascii_lowercase())
    });
    operations.next()
}
