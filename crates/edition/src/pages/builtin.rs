//! The built-in texts: the API page, the terms, "not found". Each is a Markdown template of the
//! theme, parsed like an article, so that both forms are written from one document.

use diglot_content::document::{Block, Inline, Reference};
use diglot_content::site::UsageSignals;
use diglot_content::{Document, Problem, Target, markdown};
use minijinja::context;

use super::page_data::ContentPart;
use super::shared::Shared;
use crate::route::html_path;
use crate::theme::value;

/// A paragraph of plain text, for pages without an author's text.
pub(super) fn paragraph(text: &str) -> Option<ContentPart> {
    let blocks = vec![Block::Paragraph(vec![Inline::text(text)])];
    (!text.is_empty()).then(|| {
        part(Document {
            blocks,
            ..Document::default()
        })
    })
}

/// The API page.
pub(super) fn api(shared: &Shared<'_>) -> Result<ContentPart, Problem> {
    let newest = shared
        .context
        .library
        .articles
        .iter()
        .find(|article| article.listed);
    let stem = newest.map_or("/index", |article| &article.stem);
    let example = context! { html => shared.base().absolute(&if newest.is_some() { html_path(stem) } else { "/".to_owned() }), markdown => shared.absolute_markdown(stem) };
    text(
        shared,
        "api.md",
        context! { site => shared.site.clone(), example },
    )
}

/// Copyright (unless the author wrote terms) and the meaning of the usage signals, derived from the
/// setting alone.
pub(super) fn terms(shared: &Shared<'_>, merged: bool) -> Result<ContentPart, Problem> {
    let site = shared.context.site;
    let UsageSignals {
        search,
        ai_input,
        ai_train,
    } = site.signals;
    let signals = context! { line => site.signals.content_signal(), search, ai_input, ai_train, all => search && ai_input && ai_train };
    let owner = site.author.as_deref().unwrap_or("their authors");
    text(
        shared,
        "terms.md",
        context! { site => shared.site.clone(), signals, owner, merged },
    )
}

/// How to search.
pub(super) fn search(shared: &Shared<'_>) -> Result<ContentPart, Problem> {
    text(
        shared,
        "search.md",
        context! { site => shared.site.clone() },
    )
}

/// The text of the page for every missing path; `merged`: after the author's.
pub(super) fn not_found(
    shared: &Shared<'_>,
    language: &str,
    merged: bool,
) -> Result<ContentPart, Problem> {
    let words = shared.context.theme.dictionary().words(language);
    text(
        shared,
        "404.md",
        context! { site => shared.site.clone(), words => value(words), merged },
    )
}

/// Renders a Markdown template and parses the output.
fn text(
    shared: &Shared<'_>,
    template: &str,
    context: minijinja::Value,
) -> Result<ContentPart, Problem> {
    let text = shared
        .context
        .theme
        .render(template, context, shared.folder())?;
    Ok(part(markdown::parse(&text, &markdown::Options::default())))
}

fn part(mut document: Document) -> ContentPart {
    for block in &mut document.blocks {
        if let Block::Heading { id, .. } = block {
            // Avoids a conflict with an author's heading of the same text.
            id.insert_str(0, "diglot-");
        }
    }
    let targets = document.references.iter().map(target).collect();
    ContentPart {
        document: document.into(),
        targets,
        language: None,
    }
}

/// The target of a built-in text's link: a site path, fragment or absolute URL.
fn target(reference: &Reference) -> Target {
    let raw = reference.raw.as_str();
    if let Some(fragment) = raw.strip_prefix('#') {
        return Target::Here(fragment.to_owned());
    }
    match raw.strip_suffix(".html") {
        _ if raw == "/" => Target::Page {
            stem: "/index".into(),
            fragment: None,
        },
        Some(stem) if raw.starts_with('/') => Target::Page {
            stem: stem.into(),
            fragment: None,
        },
        _ if raw.starts_with('/') => Target::File {
            path: raw.into(),
            suffix: String::new(),
            size: None,
        },
        _ => Target::Url(raw.to_owned()),
    }
}
