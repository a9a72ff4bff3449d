//! For the tests of this crate and of those above it: what every document keeps (both forms agree,
//! and the twin read again says the same), and a folder made of texts.

use jiff::Timestamp;

use crate::model::document::tree::walk;
use crate::model::document::{
    Block, Document, Inline, Purpose, Reference, Rendering, Target, Written, write_html,
    write_markdown,
};
use crate::model::site::BaseUrl;
use crate::model::sources::{ChangeOrigin, FileDates, SourceFile, Sources};
use crate::syntax::markdown::{self, Options};

/// The base URL of every test.
pub const BASE: &str = "https://example.org/blog";

/// Targets as a library would resolve them: pages of the site by their twins' addresses, all others
/// unchanged.
fn targets(document: &Document, base: &BaseUrl) -> Vec<Target> {
    let page = |rest: &str| {
        let (path, fragment) = rest
            .split_once('#')
            .map_or((rest, None), |(path, fragment)| (path, Some(fragment)));
        let decode = |text: &str| {
            percent_encoding::percent_decode_str(text)
                .decode_utf8_lossy()
                .into_owned()
        };
        let stem = path.strip_suffix(".md")?;
        let fragment = fragment.map(decode);
        Some(Target::Page {
            stem: decode(stem).into(),
            fragment,
        })
    };
    let target = |reference: &Reference| {
        let raw = reference.raw.as_str();
        if let Some(fragment) = raw.strip_prefix('#') {
            return Target::Here(fragment.to_owned());
        }
        if let Some(found) = raw
            .strip_prefix(&base.to_string())
            .filter(|rest| rest.starts_with('/'))
            .and_then(page)
        {
            return found;
        }
        let relative = !raw.contains(':') && !raw.starts_with("//");
        match raw.strip_suffix(".md").filter(|_| relative) {
            Some(stem) => Target::Page {
                stem: format!("/articles/{stem}").into(),
                fragment: None,
            },
            None if raw == "x" => Target::Unresolved,
            None => Target::Url(raw.to_owned()),
        }
    };
    document.references.iter().map(target).collect()
}

/// A document as a page, as its twin and in a feed.
#[allow(clippy::missing_panics_doc, clippy::unwrap_used, reason = "for tests")]
pub fn write(document: &Document) -> (Written, Written, Written) {
    let base = BaseUrl::parse(BASE).unwrap();
    let targets = targets(document, &base);
    let rendering = |purpose| Rendering {
        base: &base,
        stem: "/articles/me",
        targets: &targets,
        purpose,
        typography: None,
        back: None,
    };
    (
        write_html(document, &rendering(Purpose::Page)),
        write_markdown(document, &rendering(Purpose::Twin)),
        write_html(document, &rendering(Purpose::Feed)),
    )
}

/// Checks that both forms agree, are well formed, and that the twin read again says the same.
///
/// # Errors
/// What is violated, with both texts.
pub fn check(document: &Document) -> Result<(), String> {
    let (html, twin, feed) = write(document);
    if html.outline != twin.outline {
        return Err(format!(
            "the forms differ: {:?}\n{}\n{}",
            html.outline.parity(&twin.outline),
            html.text,
            twin.text
        ));
    }
    balanced(&html.text)?;
    balanced(&feed.text)?;
    let untidy = twin.text.contains("\n\n\n") || twin.text.lines().any(|line| line.ends_with(' '));
    if untidy && document_has_no_code(document) {
        return Err(format!("untidy:\n{}", twin.text));
    }
    let again = markdown::parse(&twin.text, &Options::default());
    let (_, second, _) = write(&again);
    let same_images = twin.outline.images == second.outline.images;
    if twin.outline.headings != second.outline.headings
        || twin.outline.code != second.outline.code
        || twin.outline.links != second.outline.links
        || !same_images
    {
        return Err(format!(
            "the twin says something else when it is read again: {:?}\n{}\n----\n{}",
            twin.outline.parity(&second.outline),
            twin.text,
            second.text
        ));
    }
    Ok(())
}

fn document_has_no_code(document: &Document) -> bool {
    !document
        .all_blocks()
        .any(|block| matches!(block, Block::Code { .. }))
}

/// Whether tags are balanced, no block is inside a paragraph, no link inside a link, and every id
/// is unique.
///
/// # Errors
/// The first violation, with the text.
pub fn balanced(html: &str) -> Result<(), String> {
    let mut open: Vec<String> = Vec::new();
    let mut ids = std::collections::BTreeSet::new();
    for part in html.split('<').skip(1) {
        let Some((tag, _)) = part.split_once('>') else {
            return Err(format!("a tag without an end: {part}"));
        };
        let name = tag
            .trim_start_matches('/')
            .split([' ', '\n'])
            .next()
            .unwrap_or_default()
            .to_owned();
        if let Some((_, rest)) = tag.split_once(" id=\"") {
            let id = rest.split('"').next().unwrap_or_default().to_owned();
            if !ids.insert(id.clone()) {
                return Err(format!("the id `{id}` twice in\n{html}"));
            }
        }
        if tag.starts_with('/') {
            if open.pop().as_deref() != Some(&name) {
                return Err(format!("`</{name}>` closes something else in\n{html}"));
            }
            continue;
        }
        let block = [
            "p",
            "div",
            "ul",
            "ol",
            "li",
            "table",
            "blockquote",
            "pre",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "figure",
            "details",
            "aside",
            "dl",
        ]
        .contains(&name.as_str());
        if block
            && open.iter().any(|open| {
                matches!(
                    open.as_str(),
                    "p" | "a" | "h2" | "h3" | "h4" | "h5" | "h6" | "summary" | "figcaption"
                )
            })
        {
            return Err(format!("`{name}` inside {open:?} in\n{html}"));
        }
        if name == "a" && open.iter().any(|open| open == "a") {
            return Err(format!("a link in a link in\n{html}"));
        }
        if !["br", "hr", "img", "input"].contains(&name.as_str()) && !tag.ends_with('/') {
            open.push(name);
        }
    }
    if open.is_empty() {
        Ok(())
    } else {
        Err(format!("{open:?} left open in\n{html}"))
    }
}

/// The number of callouts in a document, and its formulas.
pub fn boxes_and_formulas(document: &Document) -> (usize, Vec<String>) {
    let (mut boxes, mut formulas) = (0, Vec::new());
    let squeeze = |tex: &str| tex.split_whitespace().collect::<String>();
    for block in walk(&document.blocks) {
        boxes += usize::from(matches!(block, Block::Callout(_)));
        if let Block::Math(tex) = block {
            formulas.push(squeeze(tex));
        }
        for inline in block.lines().flat_map(walk) {
            if let Inline::Math { tex, .. } = inline {
                formulas.push(squeeze(tex));
            }
        }
    }
    // In a table cell a callout is reduced to its text.
    let tables = walk(&document.blocks).any(|block| matches!(block, Block::Table(_)));
    (if tables { 0 } else { boxes }, formulas)
}

/// The number of cases, configurable: `DIGLOT_CASES=100000 cargo test`.
#[allow(
    clippy::disallowed_methods,
    reason = "how long a test runs is no setting of the product"
)]
pub fn cases() -> u32 {
    let cases = std::env::var("DIGLOT_CASES").ok();
    cases.and_then(|cases| cases.parse().ok()).unwrap_or(256)
}

/// A folder with these files.
pub fn sources(files: &[(&str, &str)]) -> Sources {
    let dates = FileDates {
        created: None,
        changed: Timestamp::UNIX_EPOCH,
        origin: ChangeOrigin::Git,
    };
    let mut files: Vec<SourceFile> = files
        .iter()
        .map(|(path, text)| SourceFile {
            path: (*path).into(),
            bytes: (*text).to_owned().into(),
            dates,
        })
        .collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Sources {
        files,
        ..Sources::default()
    }
}
