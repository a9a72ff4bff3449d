//! The cover of a text: the picture that lists show small, and its page above the text.

use std::hash::Hash;

use diglot_content::document::{
    Block, Content, Image, Inline, Outline, Purpose, Reference, ReferenceKind, Rendering, url_of,
    write_html, write_markdown,
};
use diglot_content::fingerprint::Fingerprint;
use diglot_content::{Article, BaseUrl, Document, Target};

use super::page_data::{PageData, PageKind};
use super::shared::Shared;
use crate::theme::context::CoverContext;

/// The picture of an article, if lists may show it. In a guide it is only for those who share it.
pub(crate) fn of(article: &Article, is_ordered: bool) -> Option<&Target> {
    let target = article.image.as_ref()?;
    let is_loaded = match target {
        Target::File { .. } => true,
        // The policy of pages loads no others.
        Target::Url(url) => url.starts_with("https://"),
        Target::Page { .. } | Target::Here(_) | Target::Unresolved => false,
    };
    (article.cover.is_some() && is_loaded && !is_ordered).then_some(target)
}

/// The picture of a page and its alternative text, unless the text begins with the same picture.
fn of_page<'a>(data: &PageData<'a>) -> Option<(&'a Target, &'a str)> {
    let is_text = matches!(data.kind, PageKind::Article | PageKind::Page);
    let article = data.article.filter(|_| is_text)?;
    let target = of(article, data.place.is_some())?;
    let part = data.parts.first()?;
    let is_same = begins_with(&part.document, &part.targets, target);
    (!is_same).then_some((target, article.cover.as_deref().unwrap_or_default()))
}

/// The cover of an article as a document, unless its text begins with the same picture.
pub(crate) fn above(article: &Article, is_ordered: bool) -> Option<(Document, [Target; 1])> {
    let target = of(article, is_ordered)?;
    let is_same = begins_with(&article.document, &article.targets, target);
    let alt = article.cover.as_deref().unwrap_or_default();
    (!is_same).then(|| picture(target, alt))
}

/// Whether a text begins with this picture.
fn begins_with(document: &Content, targets: &[Target], target: &Target) -> bool {
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

/// The address of a picture for pages.
pub(super) fn address(shared: &Shared<'_>, target: &Target) -> String {
    url_of(shared.base(), target).unwrap_or_default()
}

/// The cover in templates.
pub(super) fn context(shared: &Shared<'_>, data: &PageData<'_>) -> Option<CoverContext> {
    let (target, alt) = of_page(data)?;
    let size = match target {
        Target::File { size, .. } => *size,
        _ => None,
    };
    Some(CoverContext {
        url: address(shared, target),
        alt: alt.to_owned(),
        width: size.map(|size| size.0),
        height: size.map(|size| size.1),
    })
}

/// Adds the template's output for the cover.
pub(super) fn outline(shared: &Shared<'_>, data: &PageData<'_>, outline: &mut Outline) {
    if let Some((document, target)) = document(data) {
        let rendering = rendering(shared, data, &target, Purpose::Page);
        super::html::extend(outline, write_html(&document, &rendering).outline);
    }
}

/// The cover as the first block of the Markdown form.
pub(super) fn twin(shared: &Shared<'_>, data: &PageData<'_>, outline: &mut Outline) -> String {
    let Some((document, target)) = document(data) else {
        return String::new();
    };
    let rendering = rendering(shared, data, &target, Purpose::Twin);
    let written = write_markdown(&document, &rendering);
    super::html::extend(outline, written.outline);
    written.text
}

/// A document of the cover alone.
fn document(data: &PageData<'_>) -> Option<(Document, [Target; 1])> {
    let (target, alt) = of_page(data)?;
    Some(picture(target, alt))
}

/// A document of one picture.
fn picture(target: &Target, alt: &str) -> (Document, [Target; 1]) {
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

fn rendering<'r>(
    shared: &Shared<'r>,
    data: &'r PageData<'_>,
    targets: &'r [Target],
    purpose: Purpose,
) -> Rendering<'r> {
    Rendering {
        base: shared.base(),
        stem: &data.stem,
        targets,
        purpose,
        typography: None,
    }
}

/// Adds what decides whether a page has a cover, beside its article and text.
pub(super) fn hash(data: &PageData<'_>, sum: &mut Fingerprint) {
    let has_cover = data.article.is_some_and(|article| article.cover.is_some());
    (has_cover && data.place.is_some()).hash(sum);
}
