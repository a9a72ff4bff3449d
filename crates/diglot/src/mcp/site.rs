//! Where the pages come from.

use std::sync::Arc;

use bytes::Bytes;

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

    /// The public address of the site, without a trailing slash.
    fn base(&self) -> &str;

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

/// The path of the base URL, percent-encoded: empty, or `/blog`.
pub(crate) fn prefix(base: &str) -> &str {
    let host = base.find("://").map_or(0, |at| at + 3);
    base[host..].find('/').map_or("", |at| &base[host + at..])
}

/// The path below the site of a reference to one of its pages: an absolute URL, a path from the root
/// of the host, or a path below the site. Without its fragment.
pub(crate) fn below<'t>(site: &dyn Site, reference: &'t str) -> Option<&'t str> {
    let reference = reference.split('#').next().unwrap_or_default();
    let path = match reference.strip_prefix(site.base()) {
        Some(path) => path,
        None if reference.contains("://") => return None,
        None => {
            let whole = reference.strip_prefix(prefix(site.base()));
            whole
                .filter(|path| path.starts_with('/'))
                .unwrap_or(reference)
        }
    };
    match path {
        "" => Some("/"),
        _ => Some(path),
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
            200 => return Ok(Some(String::from_utf8_lossy(&reply.body).into_owned())),
            301 | 302 | 303 | 307 | 308 => match below(site, &reply.location) {
                Some(path) => target = path.to_owned(),
                None => return Ok(None),
            },
            404 | 410 => return Ok(None),
            status => return Err(format!("`{target}` answers {status}")),
        }
    }
    Err(format!("`{target}` redirects too often"))
}
