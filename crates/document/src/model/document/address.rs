//! The URL of a reference in one representation.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use super::{Image, Outline, Quotes, ReferenceId, Target};
use crate::model::address::is_authority;
use crate::model::scheme::{self, Use};
use crate::model::site::{BaseUrl, html_place};

/// The scheme of a reference to a Jekyll post by its name: only the link table resolves it.
pub const POST: &str = "post_url:";
/// The scheme of a reference to a Hugo page by its path or name: only the link table resolves it.
pub const REF: &str = "ref:";

/// The destination of a written document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// A page of the site: root-relative addresses, so that links in a preview stay local.
    Page,
    /// A page of a site whose settings sanitise raw HTML: links instead of authors' frames and
    /// players, and no attributes but language, direction and title. Every purpose excludes
    /// scripts, styles, event handlers and unsafe addresses.
    SanitizedPage,
    /// A page of a site whose settings allow scripts in authors' files: frames of the site's own
    /// files are not sandboxed.
    TrustedPage,
    /// The feed: absolute addresses, and no markup that feed readers treat as unsafe.
    Feed,
    /// The Markdown twin: absolute addresses, with pages linked by their `.md`.
    Twin,
}

/// The context that a writer needs besides the document.
#[derive(Clone, Copy, Debug)]
pub struct Rendering<'a> {
    /// The site's base URL.
    pub base: &'a BaseUrl,
    /// The page's path without suffix, decoded.
    pub stem: &'a str,
    /// One target for each of the document's references. A missing one is unresolved.
    pub targets: &'a [Target],
    /// The destination.
    pub purpose: Purpose,
    /// The quotation marks of the page's language, for text that is set as in print; `None` leaves
    /// the text as written. Only HTML is set so.
    pub typography: Option<Quotes>,
    /// What the link from a note back to its mention is called in the page's language, with `{n}` in
    /// the place of the number; `None`: a sign and the number. Only pages have such links.
    pub back: Option<&'a str>,
}

/// A document in one representation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// HTML or Markdown, ending with a line break unless it is empty.
    pub text: String,
    /// Its headings, links, images and code.
    pub outline: Outline,
    /// In Markdown, the offset and the id of each heading that is not in a quote, a list or a note.
    pub headings: Vec<(usize, String)>,
}

/// The URL that leads from a page of the site to a target; `None`: to nothing that pages link to.
pub fn url_of(base: &BaseUrl, target: &Target) -> Option<String> {
    let rendering = Rendering {
        base,
        stem: "",
        targets: std::slice::from_ref(target),
        purpose: Purpose::Page,
        typography: None,
        back: None,
    };
    rendering.address(0).map(|address| address.href)
}

/// The address of a reference in one representation.
#[derive(Clone, Debug)]
pub struct Address {
    /// The URL, valid and percent-encoded, not yet escaped for HTML or Markdown.
    pub href: String,
    /// The same in every representation, for the outline.
    pub key: String,
    /// Width and height of an image in pixels, if known.
    pub size: Option<(u32, u32)>,
}

/// How an image is written.
pub(crate) enum ImageForm {
    /// As a picture.
    Picture(Address),
    /// As a link with this text: for a video, a document, another page.
    Link(Address, String),
    /// As this text: the picture does not exist.
    Words(String),
}

/// The characters that RFC 3986 does not allow in a path, query or fragment. `%` is handled
/// separately.
const UNSAFE: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'<')
    .add(b'>')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');
/// The same for a decoded fragment.
const FRAGMENT: &AsciiSet = &UNSAFE.add(b'%').add(b'#');

impl Rendering<'_> {
    /// The address of a link's reference; `None` if it is unresolved or not allowed for links.
    pub fn address(&self, reference: ReferenceId) -> Option<Address> {
        self.address_for(reference, Use::Link)
    }

    /// The address of a reference of a frame, video or audio.
    pub(crate) fn player_address(&self, reference: ReferenceId) -> Option<Address> {
        self.address_for(reference, Use::Player)
    }

    /// The `sandbox` value of a frame (HTML, section 4.8.5). A document of this site gets no
    /// permissions, since it would have the site's origin. Another site's gets scripts in its own
    /// origin, which players need. `None`: no sandbox.
    pub fn sandbox(&self, reference: ReferenceId) -> Option<&'static str> {
        match self.targets.get(reference) {
            Some(Target::Url(url)) if is_elsewhere(url, self.base) => {
                Some("allow-scripts allow-same-origin")
            }
            _ if self.purpose == Purpose::TrustedPage => None,
            _ => Some(""),
        }
    }

    fn address_for(&self, reference: ReferenceId, used: Use) -> Option<Address> {
        let (href, key, size) = match self.targets.get(reference)? {
            Target::Page { stem, fragment } => {
                let fragment = fragment
                    .as_deref()
                    .filter(|fragment| !fragment.is_empty())
                    .map_or(String::new(), encoded_fragment);
                (
                    self.page(stem) + &fragment,
                    format!("{stem}{fragment}"),
                    None,
                )
            }
            Target::File { path, suffix, size } => {
                let suffix = clean_url(suffix);
                (self.rooted(path, &suffix), format!("{path}{suffix}"), *size)
            }
            Target::Here(fragment) => {
                let fragment = encoded_fragment(fragment);
                let page = if self.is_page() {
                    String::new()
                } else {
                    self.page(self.stem)
                };
                (page + &fragment, format!("{}{fragment}", self.stem), None)
            }
            Target::Url(url) if scheme::check(url, used).is_ok() => {
                let url = clean_url(url.trim());
                let url = if url.starts_with("//") {
                    format!("https:{url}")
                } else {
                    url.into_owned()
                };
                (url.clone(), url, None)
            }
            Target::Url(_) | Target::Unresolved => return None,
        };
        (!href.is_empty()).then_some(Address { href, key, size })
    }

    /// Whether the destination is a page of the site, with root-relative addresses.
    const fn is_page(&self) -> bool {
        matches!(
            self.purpose,
            Purpose::Page | Purpose::SanitizedPage | Purpose::TrustedPage
        )
    }

    fn page(&self, stem: &str) -> String {
        if self.purpose == Purpose::Twin {
            return self.base.absolute_with(stem, ".md");
        }
        let (path, suffix) = html_place(stem);
        self.rooted(path, suffix)
    }

    fn rooted(&self, path: &str, suffix: &str) -> String {
        if self.is_page() {
            self.base.rooted_with(path, suffix)
        } else {
            self.base.absolute_with(path, suffix)
        }
    }

    /// How an image is written. Both writers call this, so that they agree.
    pub(crate) fn image_form(&self, image: &Image) -> ImageForm {
        let Some(address) = self.address_for(image.reference, Use::Picture) else {
            return ImageForm::Words(alt_and_title(image));
        };
        let is_page = matches!(
            self.targets.get(image.reference),
            Some(Target::Page { .. } | Target::Here(_))
        );
        if !is_page && !is_no_picture(&address.key) {
            return ImageForm::Picture(address);
        }
        let words = if image.alt.is_empty() {
            last_segment(&address.key)
        } else {
            image.alt.clone()
        };
        ImageForm::Link(address, words)
    }
}

/// Whether a URL is certainly of another site: its host is unambiguous, and neither this site's on
/// any port nor the reader's own machine.
fn is_elsewhere(url: &str, base: &BaseUrl) -> bool {
    let url = url.trim().to_ascii_lowercase();
    let Some(rest) = ["https://", "http://", "//"]
        .iter()
        .find_map(|start| url.strip_prefix(start))
    else {
        return false;
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if !authority.is_ascii() || !is_authority(authority) {
        return false;
    }
    let host = host(authority);
    let own = base
        .origin()
        .split_once("//")
        .map_or("", |(_, own)| own)
        .to_ascii_lowercase();
    let is_local = host == "localhost" || host.ends_with(".localhost");
    host != self::host(&own) && !is_local && !is_ip_address(host)
}

/// A host that ends in digits is an IP address, in one of many notations.
fn is_ip_address(host: &str) -> bool {
    let last = host.rsplit('.').next().unwrap_or_default();
    host.starts_with('[') || last.starts_with(|c: char| c.is_ascii_digit())
}

/// The host of an authority, without port and trailing dot.
fn host(authority: &str) -> &str {
    let end = if authority.starts_with('[') {
        authority.find(']').map(|at| at + 1)
    } else {
        authority.find(':')
    };
    authority[..end.unwrap_or(authority.len())].trim_end_matches('.')
}

/// The text that replaces a missing picture: its alternative text and title.
fn alt_and_title(image: &Image) -> String {
    let (alt, title) = (image.alt.trim(), image.title.trim());
    if title.contains(alt) || alt.contains(title) {
        return if alt.len() < title.len() {
            title.to_owned()
        } else {
            alt.to_owned()
        };
    }
    format!(
        "{alt}{} {title}",
        if alt.ends_with(char::is_alphanumeric) {
            ":"
        } else {
            ""
        }
    )
}

fn encoded_fragment(fragment: &str) -> String {
    format!("#{}", utf8_percent_encode(fragment, FRAGMENT))
}

/// Whether this is the address of a video, audio or a document, by its suffix.
fn is_no_picture(address: &str) -> bool {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let suffix = path
        .rsplit_once('.')
        .map_or("", |(_, suffix)| suffix)
        .to_ascii_lowercase();
    matches!(
        suffix.as_str(),
        "mp4"
            | "webm"
            | "mov"
            | "ogv"
            | "m4v"
            | "mp3"
            | "wav"
            | "m4a"
            | "ogg"
            | "flac"
            | "opus"
            | "pdf"
    )
}

/// A fallback link text: the last segment of the address.
pub(crate) fn last_segment(address: &str) -> String {
    let path = address
        .split(['?', '#'])
        .next()
        .unwrap_or_default()
        .trim_end_matches('/');
    let last = path
        .rsplit('/')
        .find(|segment| !segment.is_empty())
        .unwrap_or(address);
    percent_encoding::percent_decode_str(last)
        .decode_utf8()
        .map_or_else(|_| last.to_owned(), Cow::into_owned)
}

/// Normalises a URL to RFC 3986: percent-encodes characters that it does not allow, keeps existing
/// escapes and lower-cases the scheme. The host is unchanged.
pub(crate) fn clean_url(url: &str) -> Cow<'_, str> {
    let is_alphanumeric = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if let Some((scheme, rest)) = url.split_once("://")
        && is_alphanumeric(scheme)
        && scheme.contains(|c: char| c.is_ascii_uppercase())
    {
        return Cow::Owned(
            clean_url(&format!("{}://{rest}", scheme.to_ascii_lowercase())).into_owned(),
        );
    }
    if let Some((before, fragment)) = url.split_once('#')
        && fragment.contains('#')
    {
        // A fragment may not contain `#`.
        return Cow::Owned(
            clean_url(&format!("{before}#{}", fragment.replace('#', "%23"))).into_owned(),
        );
    }
    if url
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"-._~/:?#@!$&'()*+,;=".contains(&byte))
    {
        return Cow::Borrowed(url);
    }
    let (host, rest) = url.split_at(authority_end(url));
    let mut clean: String = host
        .chars()
        .filter(|c| !c.is_control() && !c.is_whitespace() && !"\"<>\\^`{|}".contains(*c))
        .collect();
    for (index, part) in rest.split('%').enumerate() {
        if index > 0 {
            let is_encoded = part
                .as_bytes()
                .get(..2)
                .is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit));
            clean += if is_encoded { "%" } else { "%25" };
        }
        clean.extend(utf8_percent_encode(part, UNSAFE));
    }
    Cow::Owned(clean)
}

/// The end of a URL's scheme and authority, if it has them. A later `//` is part of the path.
fn authority_end(url: &str) -> usize {
    let is_scheme = |text: &str| {
        text.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    };
    let Some((before, rest)) = url.split_once("//") else {
        return 0;
    };
    if !before.is_empty() && !before.strip_suffix(':').is_some_and(is_scheme) {
        return 0;
    }
    url.len() - rest.len() + rest.find(['/', '?', '#']).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_become_valid() {
        for (url, expected) in [
            ("https://a.org/b?c=d&e#f", "https://a.org/b?c=d&e#f"),
            ("https://a.org/b c", "https://a.org/b%20c"),
            ("https://a.org/%7Efoo/100%", "https://a.org/%7Efoo/100%25"),
            ("https://bücher.example/ü", "https://bücher.example/%C3%BC"),
            ("https://a.org/?x[]=1|2", "https://a.org/?x%5B%5D=1%7C2"),
            ("http://[::1]:80/", "http://[::1]:80/"),
            ("https://a.org/b##c#", "https://a.org/b#%23c%23"),
            ("Https://a.org/B", "https://a.org/B"),
            ("mailto:a b@c", "mailto:a%20b@c"),
            ("a b/c//d ü", "a%20b/c//d%20%C3%BC"),
            ("/<//\u{FFFD}>", "/%3C//%EF%BF%BD%3E"),
            ("?go=https://a.org/b c", "?go=https://a.org/b%20c"),
            ("//a b.org/c d", "//ab.org/c%20d"),
        ] {
            assert_eq!(clean_url(url), expected);
            assert_eq!(clean_url(expected), expected, "once more");
        }
    }

    #[test]
    fn frames_of_the_sites_own_have_no_rights() {
        let sandbox = |base: &str, url: &str, purpose| {
            let (base, targets) = (BaseUrl::parse(base).unwrap(), [Target::Url(url.to_owned())]);
            Rendering {
                base: &base,
                stem: "/x",
                targets: &targets,
                purpose,
                typography: None,
                back: None,
            }
            .sandbox(0)
        };
        for url in [
            "https://player.example/a\\b",
            "//player.example",
            "HTTP://Player.Example:8080?x",
            "https://xn--bcher-kva.example/",
        ] {
            assert_eq!(
                sandbox("https://a.example", url, Purpose::Page),
                Some("allow-scripts allow-same-origin"),
                "{url}"
            );
        }
        for url in [
            "https://a.example/x.svg",
            "HTTPS://A.Example:443/x",
            "http://a.example:8080/x",
            "https://a.example./x",
            "https://user@a.example/x",
            "https://user:b@player.example/x",
            "https://a%2Eexample/x",
            "https:a.example/x",
            "https:/a.example/x",
            "https:\\\\a.example/x",
            "https://a.example\\@player.example/x",
            "//\ta.example/x",
            "ht\ntps://player.example/",
            "https://localhost:1/",
            "http://x.localhost/",
            "http://127.1:8080/",
            "http://2130706433/",
            "http://0x7f.1/",
            "http://[::1]/",
            "https://bücher.example/",
        ] {
            assert_eq!(
                sandbox("https://a.example", url, Purpose::Page),
                Some(""),
                "{url}"
            );
            assert_eq!(
                sandbox("https://a.example", url, Purpose::TrustedPage),
                None,
                "{url}"
            );
        }
        let targets = [
            Target::File {
                path: "/x.svg".into(),
                suffix: String::new(),
                size: None,
            },
            Target::Page {
                stem: "/x".into(),
                fragment: None,
            },
        ];
        let base = BaseUrl::parse("https://a.example").unwrap();
        let rendering = Rendering {
            base: &base,
            stem: "/x",
            targets: &targets,
            purpose: Purpose::Page,
            typography: None,
            back: None,
        };
        assert_eq!(
            (rendering.sandbox(0), rendering.sandbox(1)),
            (Some(""), Some(""))
        );
    }

    #[test]
    fn what_no_page_may_lead_to_has_no_address() {
        let base = BaseUrl::parse("https://a.example").unwrap();
        let targets = [
            "javascript:x",
            "ms-msdt:/id",
            "data:image/png;base64,x",
            "mailto:a@b.example",
        ]
        .map(|url| Target::Url(url.to_owned()));
        for purpose in [
            Purpose::Page,
            Purpose::SanitizedPage,
            Purpose::TrustedPage,
            Purpose::Feed,
            Purpose::Twin,
        ] {
            let rendering = Rendering {
                base: &base,
                stem: "/x",
                targets: &targets,
                purpose,
                typography: None,
                back: None,
            };
            let links: Vec<bool> = (0..4).map(|id| rendering.address(id).is_some()).collect();
            let players: Vec<bool> = (0..4)
                .map(|id| rendering.player_address(id).is_some())
                .collect();
            assert_eq!(
                (links, players),
                (vec![false, false, false, true], vec![false; 4]),
                "{purpose:?}"
            );
        }
    }

    #[test]
    fn each_purpose_has_its_addresses() {
        let base = BaseUrl::parse("https://example.org/blog").unwrap();
        let targets = [
            Target::Page {
                stem: "/articles/a b".into(),
                fragment: Some("ü".into()),
            },
            Target::Page {
                stem: "/index".into(),
                fragment: None,
            },
            Target::File {
                path: "/img/x.png".into(),
                suffix: "?1".into(),
                size: Some((1, 2)),
            },
            Target::Here("top".into()),
            Target::Url("//cdn.example/x".into()),
            Target::Unresolved,
        ];
        let check = |purpose, expected: &[&str]| {
            let rendering = Rendering {
                base: &base,
                stem: "/articles/me",
                targets: &targets,
                purpose,
                typography: None,
                back: None,
            };
            let addresses: Vec<_> = (0..6)
                .map(|id| {
                    rendering
                        .address(id)
                        .map_or(String::new(), |address| address.href)
                })
                .collect();
            assert_eq!(addresses, expected);
        };
        let cdn = "https://cdn.example/x";
        check(
            Purpose::Page,
            &[
                "/blog/articles/a%20b.html#%C3%BC",
                "/blog/",
                "/blog/img/x.png?1",
                "#top",
                cdn,
                "",
            ],
        );
        let b = "https://example.org/blog";
        check(
            Purpose::Feed,
            &[
                &format!("{b}/articles/a%20b.html#%C3%BC"),
                &format!("{b}/"),
                &format!("{b}/img/x.png?1"),
                &format!("{b}/articles/me.html#top"),
                cdn,
                "",
            ],
        );
        check(
            Purpose::Twin,
            &[
                &format!("{b}/articles/a%20b.md#%C3%BC"),
                &format!("{b}/index.md"),
                &format!("{b}/img/x.png?1"),
                &format!("{b}/articles/me.md#top"),
                cdn,
                "",
            ],
        );
    }
}
