//! The source of the pages.

use std::sync::Arc;

use bytes::Bytes;
use diglot_audit::Address;

use super::said::quoted;

/// The most redirects that one request follows.
const MOST_REDIRECTS: usize = 4;

/// The answer to a GET request.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    /// The status.
    pub status: u16,
    /// `Location`: a path below the site, or an absolute URL; else empty.
    pub location: String,
    /// The body, without a content-coding.
    pub body: Bytes,
}

/// One state of a site, of which every answer is given.
pub trait Site: Send + Sync {
    /// The id of the edition (`releaseId` of `/status.json`).
    fn id(&self) -> &str;

    /// The public address of the site.
    fn address(&self) -> &Address;

    /// The answer to a GET request for a percent-encoded path below the site, with its query.
    ///
    /// # Errors
    /// Why there is no answer.
    fn get(&self, target: &str) -> Result<Reply, String>;

    /// How many pages `grep` may ask for at once, and in one call.
    fn at_once(&self) -> (usize, usize);
}

/// A site over time.
pub trait Source: Send + Sync {
    /// Its state now.
    ///
    /// # Errors
    /// Why it is not known.
    fn site(&self) -> Result<Arc<dyn Site>, String>;
}

/// The path below the site of a reference to one of its pages: an absolute URL, a path from the root
/// of the host, or a path below the site. Without its fragment.
pub(crate) fn below<'t>(site: &dyn Site, reference: &'t str) -> Option<&'t str> {
    if reference.contains("://") {
        return site.address().path_of(reference);
    }
    let reference = reference.split('#').next().unwrap_or_default();
    let path = reference.strip_prefix(site.address().prefix());
    let path = path.filter(|path| path.is_empty() || path.starts_with('/'));
    match path.unwrap_or(reference) {
        "" => Some("/"),
        path => Some(path),
    }
}

/// The text at a path, after redirects on the same site; `None` if there is none.
///
/// # Errors
/// Why there is no answer.
pub(crate) fn text(site: &dyn Site, target: &str) -> Result<Option<String>, String> {
    let mut target = target.to_owned();
    for _ in 0..MOST_REDIRECTS {
        let reply = site.get(&target)?;
        match reply.status {
            200 => return Ok(Some(decoded(&reply.body))),
            301 | 302 | 303 | 307 | 308 => match below(site, &reply.location) {
                Some(path) => target = path.to_owned(),
                None => return Ok(None),
            },
            404 | 410 => return Ok(None),
            status => return Err(format!("`{}` answers {status}", quoted(&target))),
        }
    }
    Err(format!("`{}` redirects too often", quoted(&target)))
}

/// A body as text. Nearly all are UTF-8, for which the check alone is a few times as fast as the
/// search for what to replace: `grep` reads every page.
fn decoded(body: &[u8]) -> String {
    match std::str::from_utf8(body) {
        Ok(text) => text.to_owned(),
        Err(_) => String::from_utf8_lossy(body).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Blog(Address);

    impl Site for Blog {
        fn id(&self) -> &'static str {
            "0123"
        }

        fn address(&self) -> &Address {
            &self.0
        }

        fn get(&self, _: &str) -> Result<Reply, String> {
            Ok(Reply::default())
        }

        fn at_once(&self) -> (usize, usize) {
            (1, 1)
        }
    }

    #[test]
    fn a_page_is_named_by_its_url_or_its_path() {
        let blog = Blog(Address::new("https://example.org/blog"));
        for (reference, path) in [
            ("https://example.org/blog/a.md#use", Some("/a.md")),
            ("https://example.org/blog", Some("/")),
            ("https://example.org/blogger/a.md", None),
            ("https://example.com/blog/a.md", None),
            ("/blog/a.md#use", Some("/a.md")),
            ("/blog", Some("/")),
            ("/blogger/a.md", Some("/blogger/a.md")),
            ("/a.md", Some("/a.md")),
            ("a.md", Some("a.md")),
            ("#use", Some("/")),
        ] {
            assert_eq!(below(&blog, reference), path, "{reference}");
        }
    }
}
