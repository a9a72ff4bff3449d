//! Addresses of the site under audit: where it is requested, where it says it is published, and how
//! its references resolve.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

/// The two addresses of a site: the one requested, and the one its documents write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The requested address, without a trailing slash: `http://127.0.0.1:8080/blog`.
    pub asked: String,
    /// The address the site writes, without a trailing slash; usually the same.
    pub declared: String,
}

impl Address {
    /// A site published at the address it is requested at.
    pub fn new(asked: &str) -> Self {
        let asked = asked.trim_end_matches('/').to_owned();
        Self {
            declared: asked.clone(),
            asked,
        }
    }

    /// The origin of the requested address.
    pub fn origin(&self) -> &str {
        origin(&self.asked)
    }

    /// The path of the site, encoded: empty or `/blog`.
    pub fn prefix(&self) -> &str {
        &self.asked[self.origin().len()..]
    }

    /// The URL to request for a path below the site.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.asked)
    }

    /// The URL the site should write for a path.
    pub fn written(&self, path: &str) -> String {
        format!("{}{path}", self.declared)
    }

    /// The path, below the site, of an absolute URL: with its query, without its fragment. `None`
    /// for a URL outside the site.
    pub fn path_of<'u>(&self, url: &'u str) -> Option<&'u str> {
        let url = url.split('#').next().unwrap_or_default();
        [&self.declared, &self.asked].into_iter().find_map(|base| {
            match url.strip_prefix(base.as_str())? {
                "" => Some("/"),
                rest => rest.starts_with('/').then_some(rest),
            }
        })
    }

    /// Resolves a reference on the page at `path` below the site to an absolute URL, as the site
    /// would write it (RFC 3986 section 5.2).
    pub fn resolve(&self, reference: &str, path: &str) -> String {
        let reference = reference.trim();
        if has_scheme(reference) {
            return reference.to_owned();
        }
        let (scheme, _) = self.declared.split_once(':').unwrap_or(("https", ""));
        if reference.starts_with("//") {
            return format!("{scheme}:{reference}");
        }
        let (target, tail) =
            reference.split_at(reference.find(['?', '#']).unwrap_or(reference.len()));
        let full = format!("{}{path}", &self.declared[origin(&self.declared).len()..]);
        let own = full.split(['?', '#']).next().unwrap_or_default();
        format!("{}{}{tail}", origin(&self.declared), merged(own, target))
    }
}

/// The origin of an absolute URL: `https://example.org`.
pub fn origin(url: &str) -> &str {
    let start = url.find("://").map_or(0, |at| at + 3);
    url[start..]
        .find(['/', '?', '#'])
        .map_or(url, |at| &url[..start + at])
}

/// Whether a URL points to the local machine: `localhost`, `127.0.0.1`, `[::1]`.
pub fn is_loopback(url: &str) -> bool {
    let authority = origin(url)
        .split_once("://")
        .map_or("", |(_, authority)| authority);
    let host = match authority.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    };
    host == "localhost"
        || host
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

/// Whether a reference begins with a scheme (RFC 3986 section 3.1).
pub fn has_scheme(reference: &str) -> bool {
    reference.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    })
}

/// The path of a reference on the page at `own` (RFC 3986 section 5.2.3).
fn merged(own: &str, target: &str) -> String {
    match target {
        "" => own.to_owned(),
        _ if target.starts_with('/') => without_dots(target),
        _ => {
            let folder = own.rsplit_once('/').map_or("", |(folder, _)| folder);
            without_dots(&format!("{folder}/{target}"))
        }
    }
}

/// A path without its `.` and `..` segments.
fn without_dots(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = path.split('/').skip(1).peekable();
    while let Some(segment) = segments.next() {
        match segment {
            "." | ".." => {
                if segment == ".." {
                    kept.pop();
                }
                if segments.peek().is_none() {
                    kept.push("");
                }
            }
            _ => kept.push(segment),
        }
    }
    format!("/{}", kept.join("/"))
}

/// A path, percent-decoded once; unchanged when the result is not UTF-8.
pub fn decoded(path: &str) -> Cow<'_, str> {
    percent_decode_str(path)
        .decode_utf8()
        .unwrap_or(Cow::Borrowed(path))
}

/// The path of a page without its suffix: `/index` for the home page, `/articles/x` for both forms
/// of an article; `None` if the path is not a page.
pub fn stem(path: &str) -> Option<&str> {
    let path = path.split('?').next().unwrap_or_default();
    if path == "/" {
        return Some("/index");
    }
    path.strip_suffix(".html")
        .or_else(|| path.strip_suffix(".md"))
}

/// The path of the HTML form: `/` for the home page.
pub fn html_path(stem: &str) -> String {
    if stem == "/index" {
        "/".into()
    } else {
        format!("{stem}.html")
    }
}

/// The path of the Markdown form.
pub fn markdown_path(stem: &str) -> String {
    format!("{stem}.md")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_resolved_as_rfc_3986_says() {
        let site = Address {
            asked: "http://127.0.0.1:1/blog".into(),
            declared: "https://example.org/blog".into(),
        };
        for (reference, expected) in [
            ("x.html", "https://example.org/blog/articles/x.html"),
            ("../a/./b?c#d", "https://example.org/blog/a/b?c#d"),
            ("/", "https://example.org/"),
            ("/blog/", "https://example.org/blog/"),
            ("#top", "https://example.org/blog/articles/me.html#top"),
            ("..", "https://example.org/blog/"),
            ("//cdn.example/x", "https://cdn.example/x"),
            ("mailto:a@b", "mailto:a@b"),
            ("https://other.example/", "https://other.example/"),
        ] {
            assert_eq!(
                site.resolve(reference, "/articles/me.html"),
                expected,
                "{reference}"
            );
        }
    }

    #[test]
    fn urls_of_the_site_have_a_path_below_it() {
        let site = Address {
            asked: "http://127.0.0.1:1/blog".into(),
            declared: "https://example.org/blog".into(),
        };
        assert_eq!(
            site.path_of("https://example.org/blog/a.md#b"),
            Some("/a.md")
        );
        assert_eq!(site.path_of("http://127.0.0.1:1/blog"), Some("/"));
        assert_eq!(site.path_of("https://example.org/blogger/"), None);
        assert_eq!(site.path_of("https://example.organic/blog/"), None);
        assert_eq!(
            (site.origin(), site.prefix()),
            ("http://127.0.0.1:1", "/blog")
        );
    }

    #[test]
    fn addresses_of_this_machine_are_known() {
        for (url, own) in [
            ("http://127.0.0.1:8080/blog", true),
            ("http://localhost", true),
            ("http://[::1]:8080/", true),
            ("https://localhost.example/", false),
            ("https://example.org", false),
        ] {
            assert_eq!(is_loopback(url), own, "{url}");
        }
    }
}
