//! Addresses of the former site: which URLs are its own, and one spelling for each path.

use std::borrow::Cow;

use diglot_audit::Address;
use diglot_content::encoding::{decode_path, encode_path};

/// Where a site is, under all its names.
#[derive(Clone, Debug)]
pub struct SiteBase {
    address: Address,
    /// Beginnings of its URLs, without a scheme and a closing slash: `old.example/blog`.
    names: Vec<String>,
}

impl SiteBase {
    /// The site at an address, which says that it is at `declared`.
    pub fn new(address: &Address, declared: Option<&str>) -> Self {
        let mut base = Self {
            address: address.clone(),
            names: Vec::new(),
        };
        base.names = vec![bare(&address.asked).to_owned()];
        if let Some(declared) = declared {
            base.address.declared = declared.trim_end_matches('/').to_owned();
            base.names.push(bare(&base.address.declared).to_owned());
        }
        base
    }

    /// The URL that is asked for.
    pub fn url(&self, path: &str) -> String {
        self.address.url(path)
    }

    /// The address that the site gives itself.
    pub fn declared(&self) -> &str {
        &self.address.declared
    }

    /// The path of an absolute URL of the site, without the fragment: `/a/?page=2`.
    pub fn path_of(&self, url: &str) -> Option<String> {
        let url = url.split('#').next().unwrap_or_default();
        let rest = bare(url.trim());
        let names = self.names.iter();
        let path = names.filter_map(|name| rest.strip_prefix(name.as_str()));
        let path = path
            .filter(|path| path.is_empty() || path.starts_with(['/', '?']))
            .min_by_key(|path| path.len())?;
        Some(spelled(path))
    }

    /// The path of a reference on the page at `from`; `None` if it leads to another site.
    pub fn resolve(&self, reference: &str, from: &str) -> Option<String> {
        let reference = reference.trim();
        let is_page = !reference.is_empty() && !reference.starts_with('#');
        is_page.then(|| self.path_of(&self.address.resolve(reference, from)))?
    }
}

/// A URL without its scheme and `www.`.
fn bare(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.strip_prefix("www.").unwrap_or(rest)
}

/// One spelling of a path with its query.
fn spelled(path: &str) -> String {
    let (path, query) = path.split_at(path.find('?').unwrap_or(path.len()));
    let path = match decode_path(path) {
        Some(decoded) if !decoded.contains('%') => Cow::Owned(encode_path(&decoded)),
        _ => Cow::Borrowed(path),
    };
    match path.starts_with('/') {
        true => format!("{path}{query}"),
        false => format!("/{path}{query}"),
    }
}

/// Whether a path names a page, not a file: by its suffix.
pub fn is_page(path: &str) -> bool {
    let path = path.split('?').next().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default();
    let Some((_, suffix)) = name.rsplit_once('.') else {
        return true;
    };
    let pages = ["html", "htm", "xhtml", "php", "asp", "aspx", "jsp"];
    // A name such as `release-1.2` has no suffix.
    suffix.bytes().all(|byte| byte.is_ascii_digit())
        || suffix.len() > 5
        || pages.contains(&suffix.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_the_site_are_known_under_all_its_names() {
        let address = Address::new("http://127.0.0.1:8080/blog");
        let base = SiteBase::new(&address, Some("https://www.old.example/blog/"));
        for (reference, expected) in [
            ("https://old.example/blog/a/#x", Some("/a/")),
            ("http://www.old.example/blog", Some("/")),
            ("http://127.0.0.1:8080/blog/a?p=1", Some("/a?p=1")),
            ("../b%c3%a4.html", Some("/b%C3%A4.html")),
            ("/blog/a/index.html", Some("/a/index.html")),
            ("/blog/c d/", Some("/c%20d/")),
            ("/blogger", None),
            ("https://old.example/blogger", None),
            ("mailto:a@old.example", None),
            ("#top", None),
            ("https://other.example/blog/", None),
        ] {
            let found = base.resolve(reference, "/x/y.html");
            assert_eq!(found.as_deref(), expected, "{reference}");
        }
    }

    #[test]
    fn pages_are_told_from_files() {
        for page in ["/", "/a", "/a/", "/a.html", "/v1.2", "/a.php?x=1.png"] {
            assert!(is_page(page), "{page}");
        }
        for file in ["/a.png", "/feed.xml", "/a.tar.gz", "/x.PDF"] {
            assert!(!is_page(file), "{file}");
        }
    }
}
