//! The cover of a page: the picture of its article, above the text.

use std::hash::Hash;

use diglot_content::document::{Outline, Purpose, Rendering, url_of, write_html, write_markdown};
use diglot_content::fingerprint::Fingerprint;
use diglot_content::{Document, Target};

use super::super::article_cover;
use super::super::outline::append;
use super::super::page_data::{PageData, PageKind};
use super::super::shared::Shared;
use crate::theme::context::CoverContext;

/// The picture of a page and its alternative text, unless the text begins with the same picture.
fn of_page<'a>(data: &PageData<'a>) -> Option<(&'a Target, &'a str)> {
    let is_text = matches!(data.kind, PageKind::Article | PageKind::Page);
    let article = data.article.filter(|_| is_text)?;
    let target = article_cover::find(article, data.place.is_some())?;
    let part = data.parts.first()?;
    let is_same = article_cover::begins_with(&part.document, &part.targets, target);
    (!is_same).then_some((target, article.cover.as_deref().unwrap_or_default()))
}

/// The address of a picture for pages.
pub(crate) fn address(shared: &Shared<'_>, target: &Target) -> String {
    url_of(shared.base(), target).unwrap_or_default()
}

/// The cover in templates.
pub(crate) fn context(shared: &Shared<'_>, data: &PageData<'_>) -> Option<CoverContext> {
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
pub(crate) fn outline(shared: &Shared<'_>, data: &PageData<'_>, outline: &mut Outline) {
    if let Some((document, target)) = document(data) {
        let rendering = rendering(shared, data, &target, Purpose::Page);
        append(outline, write_html(&document, &rendering).outline);
    }
}

/// The cover as the first block of the Markdown form.
pub(crate) fn twin(shared: &Shared<'_>, data: &PageData<'_>, outline: &mut Outline) -> String {
    let Some((document, target)) = document(data) else {
        return String::new();
    };
    let rendering = rendering(shared, data, &target, Purpose::Twin);
    let written = write_markdown(&document, &rendering);
    append(outline, written.outline);
    written.text
}

/// A document of the cover alone.
fn document(data: &PageData<'_>) -> Option<(Document, [Target; 1])> {
    let (target, alt) = of_page(data)?;
    Some(article_cover::picture(target, alt))
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
        back: None,
    }
}

/// Adds what decides whether a page has a cover, beside its article and text.
pub(crate) fn hash(data: &PageData<'_>, sum: &mut Fingerprint) {
    let has_cover = data.article.is_some_and(|article| article.cover.is_some());
    (has_cover && data.place.is_some()).hash(sum);
}
