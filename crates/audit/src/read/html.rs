//! The HTML form of a page: metadata, elements and links.

use std::collections::BTreeMap;

use html5gum::emitters::default::DefaultEmitter;
use html5gum::{StartTag, Token, Tokenizer};

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
    let mut reader = PageReader::default();
    for Ok(token) in Tokenizer::new_with_emitter(html, emitter) {
        match token {
            Token::StartTag(tag) => reader.open(&tag),
            Token::EndTag(tag) => reader.close(&tag.name),
            Token::String(text) => reader.text(&lossy(&text.value)),
            Token::Comment(_) => reader.page.comments += 1,
            Token::Doctype(_) => reader.page.doctype = true,
            Token::Error(_) => {}
        }
    }
    reader.page
}

/// A page that is being read, and the elements that are open.
#[derive(Default)]
struct PageReader {
    page: Page,
    /// The number of open elements whose text is not prose.
    quiet: usize,
    /// The `type` of the open inline script.
    script: Option<String>,
    in_heading: bool,
}

impl PageReader {
    fn open(&mut self, tag: &StartTag<()>) {
        let name = lossy(&tag.name);
        let attributes: BTreeMap<String, String> = tag
            .attributes
            .iter()
            .map(|(name, value)| (lossy(name), lossy(&value.value)))
            .collect();
        self.page.start(&name, &attributes);
        self.in_heading |= name == "h1" && self.page.heading.is_empty();
        if is_quiet(&name) {
            self.quiet += 1;
        }
        if name == "script" && !attributes.contains_key("src") {
            let media = attributes
                .get("type")
                .map(|media| media.to_ascii_lowercase());
            self.script = Some(media.unwrap_or_default());
        }
    }

    fn close(&mut self, name: &[u8]) {
        self.in_heading &= name != b"h1";
        if is_quiet(&lossy(name)) {
            self.quiet = self.quiet.saturating_sub(1);
            self.script = None;
        }
    }

    fn text(&mut self, text: &str) {
        if self.in_heading {
            self.page.heading.push_str(text);
        }
        match self.script.as_deref() {
            Some("application/ld+json") => self.page.data.push(text.to_owned()),
            Some("" | "text/javascript" | "module" | "application/javascript") => {
                self.page.scripts += 1
            }
            None if self.quiet == 0 => self.page.text.push_str(text),
            Some(_) | None => {}
        }
    }
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
            let value = attributes.get(name).map(|value| value.trim().to_owned());
            value.unwrap_or_default()
        };
        match name {
            "html" => (self.language, self.direction) = (get("lang"), get("dir")),
            "link" => self.add_link(&get("rel"), &get("type"), get("href")),
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
            let keys = ["href", "src", "poster"].into_iter();
            let keys = keys.filter(|key| attributes.contains_key(*key));
            self.addresses.extend(keys.map(get));
        }
        let is_handler = |key: &&String| key.len() > 2 && key.starts_with("on");
        self.scripts += attributes.keys().filter(is_handler).count();
    }

    fn add_link(&mut self, relations: &str, media: &str, target: String) {
        let relations: Vec<String> = relations
            .split_whitespace()
            .map(str::to_ascii_lowercase)
            .collect();
        if relations
            .iter()
            .any(|own| own == "stylesheet" || own == "icon")
        {
            self.assets.push(target.clone());
        }
        self.links.push(Link {
            relations,
            media: media.to_ascii_lowercase(),
            target,
        });
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
