//! XML sitemaps (sitemaps.org).

use super::xml;

/// The namespace of sitemaps.
const NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// One URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// `<loc>`
    pub location: String,
    /// `<lastmod>`; empty if absent.
    pub modified: String,
}

/// A sitemap, or an index of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sitemap {
    /// The pages of a `urlset`.
    pub entries: Vec<Entry>,
    /// The sitemaps of a `sitemapindex`.
    pub parts: Vec<String>,
}

/// Parses a sitemap.
///
/// # Errors
/// A sentence that says what is wrong.
pub fn read(text: &str) -> Result<Sitemap, String> {
    let root = xml::read(text)?;
    if root.attribute("xmlns") != Some(NAMESPACE) {
        return Err(format!("its root is not in the namespace `{NAMESPACE}`"));
    }
    match root.name.as_str() {
        "urlset" => {
            let entries = root.all("url").map(|url| Entry {
                location: url.text_of("loc"),
                modified: url.text_of("lastmod"),
            });
            Ok(Sitemap {
                entries: entries.collect(),
                parts: Vec::new(),
            })
        }
        "sitemapindex" => Ok(Sitemap {
            entries: Vec::new(),
            parts: root
                .all("sitemap")
                .map(|part| part.text_of("loc"))
                .collect(),
        }),
        other => Err(format!("its root is `{other}`")),
    }
}
