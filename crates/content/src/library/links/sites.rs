//! Addresses of this site, of the one that the folder is taken from, and of a larger one.

use super::table::LinkTable;
use crate::library::paths::scheme;

impl LinkTable<'_> {
    /// The path of an absolute URL of this site.
    pub fn on_this_site<'r>(&self, raw: &'r str) -> Option<&'r str> {
        let origin = self.publication.site.base.origin();
        let (_, without_scheme) = origin.split_once(':')?;
        // Case has no meaning in schemes and hosts (RFC 3986, 6.2.2.1).
        let behind = |prefix: &str| {
            let (head, rest) = raw.split_at_checked(prefix.len())?;
            head.eq_ignore_ascii_case(prefix).then_some(rest)
        };
        let rest = behind(origin).or_else(|| behind(without_scheme))?;
        if rest.is_empty() {
            return Some("/");
        }
        ends_path(rest).then_some(rest)
    }

    /// The path below the former base, from a URL of the former site or a root-relative path: with
    /// `https://example.org/blog` that is `/x` for `/blog/x` and `https://example.org/blog/x`.
    pub fn on_former_site<'r>(&self, raw: &'r str) -> Option<&'r str> {
        let former = self.former.as_deref()?;
        let rest = raw
            .strip_prefix(former)
            .or_else(|| raw.strip_prefix(path_of(former)?))?;
        ends_path(rest).then_some(rest)
    }

    /// The path of a target on this site, or on the one that the folder is taken from; `None`: it is
    /// on another.
    pub fn on_own_site<'r>(&self, to: &'r str) -> Option<&'r str> {
        if let Some(path) = self.on_this_site(to).or_else(|| self.on_former_site(to)) {
            return Some(path);
        }
        (scheme(to).is_none() && !to.starts_with("//")).then_some(to)
    }

    /// The address on the larger site of a path that has no target here.
    pub fn of_larger_site(&self, path: &str) -> Option<String> {
        let links = &self.publication.site.links;
        let origin = links.origin.as_deref()?;
        let is_own = links.prefix.as_deref().is_some_and(|prefix| {
            path.strip_prefix(prefix)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?', '#']))
        });
        let is_rooted = path.starts_with('/') && !path.starts_with("//");
        (is_rooted && !is_own).then(|| format!("{origin}{path}"))
    }
}

/// Whether the path of an address ends before this text.
fn ends_path(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with(['/', '?', '#'])
}

/// The path of a URL, if it has one.
fn path_of(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    let path = &rest[rest.find('/')?..];
    (path.len() > 1).then_some(path)
}

/// A suggestion for an address without a scheme that looks like another site.
pub(super) fn hint(raw: &str) -> Option<String> {
    const ENDS: [&str; 6] = [".com", ".org", ".net", ".gov", ".edu", ".io"];
    let host = raw.split('/').next().unwrap_or_default();
    if raw.starts_with("www.")
        || ENDS
            .iter()
            .any(|end| host.len() > end.len() && host.ends_with(end))
    {
        return Some(format!("did you mean `https://{raw}`?"));
    }
    (raw.contains('@') && !raw.contains('/')).then(|| format!("did you mean `mailto:{raw}`?"))
}
