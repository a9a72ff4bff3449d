//! What a browser would run: HTML as html5ever builds it, the parser of a browser.

use html5ever::tendril::TendrilSink;
use html5ever::{ParseOpts, QualName, local_name, ns, parse_document, parse_fragment, serialize};
use markup5ever_rcdom::{Handle, NodeData, RcDom, SerializableHandle};

/// Where HTML is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HtmlContext {
    /// A whole page, with the raw HTML that an author may use.
    Page,
    /// A whole page whose raw HTML is sanitised.
    SanitizedPage,
    /// A piece of HTML that a feed reader puts somewhere into a page of its own.
    Feed,
}

/// Elements that run, load or replace something: never anywhere.
const NEVER: &[&str] = &[
    "applet",
    "base",
    "bgsound",
    "dialog",
    "embed",
    "frame",
    "frameset",
    "isindex",
    "keygen",
    "marquee",
    "noscript",
    "object",
    "plaintext",
    "portal",
    "slot",
    "style",
    "template",
    "xmp",
    "animate",
    "set",
    "foreignobject",
    "annotation-xml",
    "maction",
    "mglyph",
];
/// Elements that pages may have, and sanitised HTML may not.
const NOT_SANITIZED: &[&str] = &["audio", "iframe", "track", "video"];
/// Elements of a page's own frame, which a piece may not bring along.
const NOT_IN_PIECES: &[&str] = &[
    "body", "button", "form", "head", "html", "input", "link", "meta", "script", "select", "svg",
    "textarea", "title",
];
/// Attributes that hold addresses.
const ADDRESSES: &[&str] = &[
    "action",
    "background",
    "cite",
    "code",
    "data",
    "formaction",
    "href",
    "icon",
    "longdesc",
    "manifest",
    "ping",
    "poster",
    "src",
    "srcset",
];

/// What is wrong with some HTML: also after it was written out by a browser and read again.
pub fn judge(html: &str, place: HtmlContext) -> Vec<String> {
    let first = parse(html, place);
    let mut wrong = Vec::new();
    look(&first.document, place, &mut wrong);
    let mut written = Vec::new();
    serialize(
        &mut written,
        &SerializableHandle::from(first.document.clone()),
        Default::default(),
    )
    .unwrap();
    let second = parse(std::str::from_utf8(&written).unwrap(), place);
    look(&second.document, place, &mut wrong);
    if place == HtmlContext::Feed {
        // Readers put it where scripts are off, or where they are on: that changes how it is read.
        let quiet = ParseOpts {
            tree_builder: html5ever::tree_builder::TreeBuilderOpts {
                scripting_enabled: false,
                ..Default::default()
            },
            ..Default::default()
        };
        look(
            &parse_fragment(RcDom::default(), quiet, around(), vec![], false)
                .one(html)
                .document,
            place,
            &mut wrong,
        );
    }
    wrong.sort();
    wrong.dedup();
    wrong
}

fn parse(html: &str, place: HtmlContext) -> RcDom {
    match place {
        HtmlContext::Feed => parse_fragment(
            RcDom::default(),
            ParseOpts::default(),
            around(),
            vec![],
            true,
        )
        .one(html),
        _ => parse_document(RcDom::default(), ParseOpts::default()).one(html),
    }
}

fn around() -> QualName {
    QualName::new(None, ns!(html), local_name!("div"))
}

/// Walks the tree without recursion, as it may be deep.
fn look(document: &Handle, place: HtmlContext, wrong: &mut Vec<String>) {
    let mut waiting = vec![document.clone()];
    while let Some(node) = waiting.pop() {
        waiting.extend(node.children.borrow().iter().cloned());
        let NodeData::Element {
            name,
            attrs,
            template_contents,
            ..
        } = &node.data
        else {
            continue;
        };
        waiting.extend(template_contents.borrow().iter().cloned());
        let tag = name.local.to_ascii_lowercase().to_string();
        let attributes: Vec<(String, String)> = attrs
            .borrow()
            .iter()
            .map(|one| {
                (
                    one.name.local.to_ascii_lowercase().to_string(),
                    one.value.to_string(),
                )
            })
            .collect();
        let found = |key: &str| {
            attributes
                .iter()
                .find(|(name, _)| name == key)
                .map(|(_, value)| value.as_str())
        };
        // A fragment's root is an element of this name that the parser made.
        let root = place == HtmlContext::Feed && tag == "html" && attributes.is_empty();
        if NEVER.contains(&&*tag)
            || place != HtmlContext::Page && NOT_SANITIZED.contains(&&*tag)
            || place == HtmlContext::Feed && NOT_IN_PIECES.contains(&&*tag) && !root
        {
            wrong.push(format!("<{tag}>"));
        }
        if tag == "script" {
            let text: String = node.children.borrow().iter().map(text).collect();
            let is_data = found("type") == Some("application/ld+json")
                && serde_json::from_str::<serde_json::Value>(&text).is_ok();
            if !is_data || found("src").is_some() {
                wrong.push(format!("<script {attributes:?}>{text}"));
            }
        }
        if tag == "meta" && found("http-equiv").is_some() {
            wrong.push(format!("<meta {attributes:?}>"));
        }
        let is_address = found("property")
            .is_some_and(|property| property.ends_with("url") || property.ends_with("image"));
        if tag == "meta"
            && is_address
            && found("content").is_some_and(|address| runs(address, "img"))
        {
            wrong.push(format!("<meta {attributes:?}>"));
        }
        for (name, value) in &attributes {
            let name = name.rsplit(':').next().unwrap();
            if name.starts_with("on")
                || matches!(
                    name,
                    "style" | "srcdoc" | "autofocus" | "formaction" | "ping" | "is"
                )
                || name.starts_with(['@', ':'])
            {
                wrong.push(format!("<{tag} {name}={value:?}>"));
            }
            let many = if name == "srcset" {
                value.split(',').collect()
            } else {
                vec![value.as_str()]
            };
            if ADDRESSES.contains(&name) && many.iter().any(|address| runs(address, &tag)) {
                wrong.push(format!("<{tag} {name}={value:?}>"));
            }
        }
    }
}

fn text(node: &Handle) -> String {
    match &node.data {
        NodeData::Text { contents } => contents.borrow().to_string(),
        _ => String::new(),
    }
}

/// Whether an address, as a browser reads it (WHATWG URL: trimmed, without tabs and line breaks),
/// runs something or is a document itself.
fn runs(address: &str, tag: &str) -> bool {
    let address: String = address
        .trim_matches(|c: char| c <= ' ')
        .chars()
        .filter(|c| !matches!(c, '\t' | '\n' | '\r'))
        .collect();
    let Some((scheme, _)) = address.split_once(':') else {
        return false;
    };
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    let scheme = scheme.to_ascii_lowercase();
    is_scheme
        && match scheme.as_str() {
            "javascript" | "vbscript" | "livescript" | "mhtml" | "view-source" | "jar" | "blob"
            | "filesystem" => true,
            "feed" => runs(address.split_once(':').unwrap().1, tag),
            // A picture cannot run anything, whatever is in it.
            "data" => !(tag == "img" && address.to_ascii_lowercase().starts_with("data:image/")),
            _ => false,
        }
}
