//! The HTML form of a page: metadata, elements and links.

use std::collections::BTreeMap;

use html5gum::emitters::default::DefaultEmitter;
use html5gum::{Token, Tokenizer};

/// A `<link>` of the head.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// Relations, in lower case.
    pub relations: Vec<String>,
    /// `type`
    pub media: String,
    /// `href`
    pub target: String,
}

/// A parsed page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// Whether it begins with `<!doctype html>`.
    pub doctype: bool,
    /// `lang` and `dir` of `<html>`.
    pub language: String,
    /// See [`Page::language`].
    pub direction: String,
    /// The `<link>`s.
    pub links: Vec<Link>,
    /// How often each of `main`, `article` and `h1` occurs.
    pub counts: BTreeMap<&'static str, usize>,
    /// The text of its first `<h1>`.
    pub heading: String,
    /// Targets of its `<a>`s.
    pub anchors: Vec<String>,
    /// Relative and absolute addresses of `<a>`, `<img>`, `<iframe>`, `<video>`, `<audio>`,
    /// `<source>`.
    pub addresses: Vec<String>,
    /// Addresses of style sheets, icons, scripts and pictures.
    pub assets: Vec<String>,
    /// Values of `<meta>`s by `name` or `property`, in lower case.
    pub metas: BTreeMap<String, String>,
    /// Inline scripts, except data blocks, and event-handler attributes.
    pub scripts: usize,
    /// Comments.
    pub comments: usize,
    /// JSON-LD blocks.
    pub data: Vec<String>,
    /// The text outside code, scripts and styles.
    pub text: String,
}

impl Page {
    /// The first canonical URL.
    pub fn canonical(&self) -> Option<&str> {
        self.related("canonical", "").next()
    }

    /// The targets of a relation, limited to a media type unless that is empty.
    pub fn related<'a>(
        &'a self,
        relation: &'a str,
        media: &'a str,
    ) -> impl Iterator<Item = &'a str> {
        let fits = move |link: &&Link| {
            link.relations.iter().any(|own| own == relation)
                && (media.is_empty() || link.media == media)
        };
        self.links
            .iter()
            .filter(fits)
            .map(|link| link.target.as_str())
    }

    /// The value of a `<meta>`; empty if absent.
    pub fn meta(&self, name: &str) -> &str {
        self.metas.get(name).map_or("", String::as_str)
    }

    /// How often an element occurs.
    pub fn count(&self, name: &str) -> usize {
        self.counts.get(name).copied().unwrap_or_default()
    }
}

/// Parses a page or a fragment.
pub fn read(html: &str) -> Page {
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(true);
    let mut page = Page::default();
    // The depth of open code, script and style elements; the `type` of an open script.
    let (mut quiet, mut script): (usize, Option<String>) = (0, None);
    let mut in_heading = false;
    for Ok(token) in Tokenizer::new_with_emitter(html, emitter) {
        match token {
            Token::StartTag(tag) => {
                let name = String::from_utf8_lossy(&tag.name).into_owned();
                let attributes: BTreeMap<String, String> = tag
                    .attributes
                    .iter()
                    .map(|(name, value)| (lossy(name), lossy(&value.value)))
                    .collect();
                page.start(&name, &attributes);
                in_heading |= name == "h1" && page.heading.is_empty();
                if is_quiet(&name) {
                    quiet += 1;
                }
                if name == "script" && !attributes.contains_key("src") {
                    script = Some(
                        attributes
                            .get("type")
                            .cloned()
                            .unwrap_or_default()
                            .to_ascii_lowercase(),
                    );
                }
            }
            Token::EndTag(tag) => {
                in_heading &= tag.name.as_slice() != b"h1";
                if is_quiet(&String::from_utf8_lossy(&tag.name)) {
                    quiet = quiet.saturating_sub(1);
                    script = None;
                }
            }
            Token::String(text) => {
                if in_heading {
                    page.heading.push_str(&lossy(&text.value));
                }
                match script.as_deref() {
                    Some("application/ld+json") => page.data.push(lossy(&text.value)),
                    Some("" | "text/javascript" | "module" | "application/javascript") => {
                        page.scripts += 1
                    }
                    Some(_) => {}
                    None if quiet == 0 => page.text.push_str(&lossy(&text.value)),
                    None => {}
                }
            }
            Token::Comment(_) => page.comments += 1,
            Token::Doctype(_) => page.doctype = true,
            Token::Error(_) => {}
        }
    }
    page
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn is_quiet(name: &str) -> bool {
    matches!(
        name,
        "pre" | "code" | "script" | "style" | "template" | "textarea"
    )
}

impl Page {
    fn start(&mut self, name: &str, attributes: &BTreeMap<String, String>) {
        let get = |name: &str| {
            attributes
                .get(name)
                .map(|value| value.trim().to_owned())
                .unwrap_or_default()
        };
        match name {
            "html" => (self.language, self.direction) = (get("lang"), get("dir")),
            "link" => {
                let relations: Vec<String> = get("rel")
                    .split_whitespace()
                    .map(str::to_ascii_lowercase)
                    .collect();
                if relations
                    .iter()
                    .any(|own| matches!(own.as_str(), "stylesheet" | "icon"))
                {
                    self.assets.push(get("href"));
                }
                self.links.push(Link {
                    relations,
                    media: get("type").to_ascii_lowercase(),
                    target: get("href"),
                });
            }
            "main" => *self.counts.entry("main").or_default() += 1,
            "article" => *self.counts.entry("article").or_default() += 1,
            "h1" => *self.counts.entry("h1").or_default() += 1,
            "a" if attributes.contains_key("href") => self.anchors.push(get("href")),
            "script" | "img" if attributes.contains_key("src") => self.assets.push(get("src")),
            "meta" => {
                let name = [get("name"), get("property")].concat().to_ascii_lowercase();
                self.metas.entry(name).or_insert_with(|| get("content"));
            }
            _ => {}
        }
        if matches!(name, "a" | "img" | "iframe" | "video" | "audio" | "source") {
            self.addresses.extend(
                ["href", "src", "poster"]
                    .into_iter()
                    .filter(|key| attributes.contains_key(*key))
                    .map(get),
            );
        }
        self.scripts += attributes
            .keys()
            .filter(|key| key.len() > 2 && key.starts_with("on"))
            .count();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_read() {
        let page = read(
            "<!doctype html><html lang=en dir=ltr><head><link rel=\"alternate\" type=\"text/markdown\" href=\"/a.md\"><link rel=canonical href=\"https://a/\">\
             <script type=\"application/ld+json\">{\"a\":\"<b>\"}</script></head><body><main><article><h1>x</h1><a href=\"/b\" onclick=\"\">y</a>\
             <pre>{{ code }}</pre><!-- c --><script>1<2</script></article></main>",
        );
        assert!(page.doctype);
        assert_eq!(
            (page.language.as_str(), page.direction.as_str()),
            ("en", "ltr")
        );
        assert_eq!(
            (
                page.canonical(),
                page.related("alternate", "text/markdown").next()
            ),
            (Some("https://a/"), Some("/a.md"))
        );
        assert_eq!(
            (
                page.count("main"),
                page.count("article"),
                page.count("h1"),
                page.comments,
                page.scripts
            ),
            (1, 1, 1, 1, 2)
        );
        assert_eq!(
            (page.anchors.as_slice(), page.text.as_str()),
            (&["/b".to_owned()][..], "xy")
        );
        assert_eq!(page.heading, "x");
        assert_eq!(page.data, ["{\"a\":\"<b>\"}"]);
    }
}
