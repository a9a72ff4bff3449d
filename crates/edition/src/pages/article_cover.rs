//! The cover of an article: the picture that lists show small.

use diglot_content::document::{Block, Content, Image, Inline, Reference, ReferenceKind};
use diglot_content::{Article, BaseUrl, Document, Target};

/// The picture of an article, if lists may show it. In a guide it is only for those who share it.
pub(crate) fn find(article: &Article, is_ordered: bool) -> Option<&Target> {
    let target = article.image.as_ref()?;
    let is_loaded = match target {
        Target::File { .. } => true,
        // The policy of pages loads no others.
        Target::Url(url) => url.starts_with("https://"),
        Target::Page { .. } | Target::Here(_) | Target::Unresolved => false,
    };
    (article.cover.is_some() && is_loaded && !is_ordered).then_some(target)
}

/// The cover of an article as a document, unless its text begins with the same picture.
pub(crate) fn above(article: &Article, is_ordered: bool) -> Option<(Document, [Target; 1])> {
    let target = find(article, is_ordered)?;
    let is_same = begins_with(&article.document, &article.targets, target);
    let alt = article.cover.as_deref().unwrap_or_default();
    (!is_same).then(|| picture(target, alt))
}

/// Whether a text begins with this picture.
pub(super) fn begins_with(document: &Content, targets: &[Target], target: &Target) -> bool {
    let opening = document.opening_picture();
    let opening = opening.and_then(|reference| targets.get(reference));
    opening.is_some_and(|opening| is_same(opening, target))
}

/// Whether two targets are the same picture.
fn is_same(one: &Target, other: &Target) -> bool {
    match (one, other) {
        (Target::File { path, .. }, Target::File { path: other, .. }) => path == other,
        (one, other) => one == other,
    }
}

/// The absolute URL and size of a picture.
pub(crate) fn absolute(base: &BaseUrl, target: &Target) -> Option<(String, Option<(u32, u32)>)> {
    match target {
        Target::File { path, suffix, size } => {
            Some((format!("{}{suffix}", base.absolute(path)), *size))
        }
        Target::Url(url) => Some((url.clone(), None)),
        Target::Page { .. } | Target::Here(_) | Target::Unresolved => None,
    }
}

/// A document of one picture.
pub(super) fn picture(target: &Target, alt: &str) -> (Document, [Target; 1]) {
    let image = Image {
        reference: 0,
        alt: alt.to_owned(),
        title: String::new(),
        width: None,
        height: None,
    };
    let reference = Reference {
        raw: String::new(),
        kind: ReferenceKind::Media,
        line: 0,
        column: 0,
    };
    let document = Document {
        blocks: vec![Block::Paragraph(vec![Inline::Image(image)])],
        references: vec![reference],
        ..Document::default()
    };
    (document, [target.clone()])
}
