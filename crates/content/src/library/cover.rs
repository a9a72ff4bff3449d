//! The picture of a text in its front matter, in the spellings of generators and their themes.

use crate::model::{
    document::{Reference, ReferenceKind},
    text::plain,
};
use crate::syntax::front::{Entry, Front, Node, Value};

/// Keys of a picture that lists and the page show.
const SHOWN: [&str; 24] = [
    "image",
    "cover",
    "cover_image",
    "featured_image",
    "feature_image",
    "hero_image",
    "hero",
    "thumbnail",
    "thumb",
    "banner",
    "banner_image",
    "banner_img",
    "header_image",
    "header_img",
    "index_img",
    "top_img",
    "teaser_image",
    "post_image",
    "preview_image",
    "lead_image",
    "poster",
    "feature",
    "header",
    "preview",
];
/// Keys of a picture that is only for those who share the text.
const SHARED: [&str; 5] = [
    "og_image",
    "social_image",
    "share_image",
    "share_img",
    "images",
];
/// Maps in which themes have keys of their own.
const INSIDE: [&str; 2] = ["extra", "params"];
/// Keys of the picture itself, in a map that describes it.
const PATH: [&str; 13] = [
    "path",
    "src",
    "url",
    "image",
    "feature",
    "overlay_image",
    "teaser",
    "file",
    "filename",
    "href",
    "public_url",
    "relative",
    "thumbnail",
];
/// Keys of the alternative text in such a map.
const ALT: [&str; 5] = [
    "alt",
    "alt_text",
    "alternative",
    "image_alt",
    "image_description",
];
/// The ends of keys of the alternative text beside the picture.
const BESIDE: [&str; 3] = ["_alt", "_alt_text", "_description"];

/// The picture of a text.
#[derive(Clone, Debug)]
pub struct Cover {
    /// Its address as it was written.
    pub reference: Reference,
    /// What a person who does not see it reads; may be empty.
    pub alt: String,
    /// Whether lists and the page show it.
    pub is_shown: bool,
}

/// The picture of a text; the first key that has one counts.
pub fn from_front(front: &Front) -> Option<Box<Cover>> {
    let cover = find(front, &SHOWN, true).or_else(|| find(front, &SHARED, false));
    cover.map(Box::new)
}

fn find(front: &Front, keys: &[&str], is_shown: bool) -> Option<Cover> {
    let inside = INSIDE.iter().filter_map(|map| Some(&front.get(map)?.node));
    let mut maps: Vec<&Node> = Vec::new();
    maps.extend(inside.filter(|node| matches!(node.value, Value::Map(_))));
    let spelled = |key: &str| {
        let in_map = || maps.iter().find_map(|map| map.get(key));
        front.spelled(key).or_else(in_map)
    };
    keys.iter().find_map(|key| {
        let (reference, own) = picture(&spelled(key)?.node)?;
        let beside = || {
            let keys = BESIDE.iter().map(|end| [key, *end].concat());
            keys.chain(["image_alt".to_owned()])
                .find_map(|key| words(spelled(&key)?))
        };
        let alt = own.or_else(beside).unwrap_or_default();
        Some(Cover {
            reference,
            alt,
            is_shown,
        })
    })
}

/// The address in a value, and the alternative text beside it.
fn picture(node: &Node) -> Option<(Reference, Option<String>)> {
    if let Value::Map(_) = node.value {
        let inner = PATH.iter().filter_map(|key| node.get(key));
        let reference = inner.filter_map(|entry| reference(&entry.node)).next()?;
        return Some((reference, ALT.iter().find_map(|key| words(node.get(key)?))));
    }
    let first = node.items().first()?;
    match &first.value {
        // A list of maps.
        Value::Map(_) => picture(first),
        Value::List(_) => Some((reference(first)?, None)),
        Value::Scalar { .. } => Some((reference(node)?, None)),
    }
}

/// The name in `[[picture.png]]` or `![[picture.png]]`.
fn in_brackets(text: &str) -> Option<&str> {
    let text = text.trim().trim_start_matches('!');
    text.strip_prefix("[[")?.strip_suffix("]]")
}

/// The address in a text. `[[picture.png]]` is a name, which YAML reads as lists.
fn reference(node: &Node) -> Option<Reference> {
    let first = node.items().first()?;
    if first.bool().is_some() || first.integer().is_some() {
        return None;
    }
    let (text, is_name) = match &first.value {
        Value::List(items) => (items.first()?.text()?, true),
        _ => (first.text()?, false),
    };
    // Some keep the HTML of a header under the name of its picture.
    if text.contains('<') || text.trim().contains('\n') {
        return None;
    }
    let name = in_brackets(text).or(is_name.then_some(text));
    let (raw, kind) = match name {
        Some(name) => {
            let address = name.split('|').next()?.trim();
            (address.to_owned(), ReferenceKind::Embed)
        }
        None => (plain(text), ReferenceKind::Media),
    };
    (!raw.is_empty()).then_some(Reference {
        raw,
        kind,
        line: first.line,
        column: first.column,
    })
}

fn words(entry: &Entry) -> Option<String> {
    let words = plain(entry.node.text()?);
    (!words.is_empty() && entry.node.bool().is_none()).then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::front::split;

    fn check(front: &str, expected: &str) {
        let front = split(&format!("---\n{front}\n---\n"), "a.md").front;
        let shown = from_front(&front).map(|cover| {
            let Reference { raw, line, .. } = &cover.reference;
            let shared = if cover.is_shown { "" } else { " shared" };
            format!("{raw}:{line} `{}`{shared}", cover.alt)
        });
        assert_eq!(shown.unwrap_or_default(), expected, "{front:?}");
    }

    #[test]
    fn rule_18_a_picture_and_its_words_in_every_spelling() {
        check("image: a.png", "a.png:2 ``");
        check("image: {src: a.png, alt: A hill}", "a.png:2 `A hill`");
        check(
            "cover:\n  image: a.png\n  alt: A hill\n  relative: true",
            "a.png:3 `A hill`",
        );
        check("heroImage: a.png\nheroImageAlt: A hill", "a.png:2 `A hill`");
        check(
            "featured_image: a.png\nimage-alt: A hill",
            "a.png:2 `A hill`",
        );
        check("extra:\n  banner: a.png", "a.png:3 ``");
        check("thumbnail: [a.png, b.png]", "a.png:2 ``");
        check("image: [{url: a.png, alt: A}]", "a.png:2 `A`");
        check(
            "header:\n  overlay_image: a.png\n  image_description: A",
            "a.png:3 `A`",
        );
        check("banner: \"![[a.png|300]]\"", "a.png:2 ``");
        check("cover: [[a.png]]", "a.png:2 ``");
        check("header: |\n  <div>1 | 2</div>", "");
        check("og_image: a.png", "a.png:2 `` shared");
        check("og_image: a.png\ncover: b.png", "b.png:3 ``");
        check("cover: true\nbanner: 3\nimage:\nthumbnail: ''", "");
        check(
            "cover: {hidden: true}\nimages: [a.png]",
            "a.png:3 `` shared",
        );
    }
}
