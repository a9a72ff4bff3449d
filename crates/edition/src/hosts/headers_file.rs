//! `_headers` and `_redirects`, which Netlify and Cloudflare both read, each in its own way.
//!
//! Where two rules set one field, both hosts may join the values; so the patterns are written not to meet. Where an exception has to meet
//! a pattern, Cloudflare is told to take the pattern's value back (`! Field`), a line that Netlify passes over.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::rules::{ASSETS, Fields, Rules, Template, encoded};
use crate::route::Route;

/// Up to so many resources with one suffix are named one by one where one of them is an exception.
const FEW: usize = 12;

/// What Cloudflare calls the part that `*` matched.
const SPLAT: &str = ":splat";

/// Which host's reading of `_headers` is written for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// What both hosts read alike: no captured parts.
    Common,
    /// Cloudflare: `:splat` in values.
    Cloudflare,
}

/// The rules of a `_headers` file, each with a closing empty line.
pub(super) fn blocks(rules: &Rules<'_>, dialect: Dialect) -> Vec<String> {
    let base = encoded(rules, "");
    let writer = Writer { rules, dialect, base: &base };
    let mut blocks = vec![writer.block(&format!("{base}/*"), &rules.everywhere)];
    let home = writer.exception("/index.html").unwrap_or(&rules.html);
    blocks.push(writer.whole(&format!("{base}/"), home, &writer.page("/index.html")));
    for (suffix, fields) in [("html", &rules.html), ("md", &rules.markdown)] {
        blocks.push(writer.whole(&format!("{base}/*.{suffix}"), fields, &format!("{base}/{SPLAT}")));
        let own = rules.exceptions.iter().filter(|(path, _)| spelled_suffix(path) == suffix);
        blocks.extend(own.filter_map(|(path, exception)| writer.beside(path, exception, fields)));
    }
    blocks.extend(writer.documents());
    if !base.is_empty() {
        // Both are answered at the origin's root as well, where no pattern of the site's reaches.
        for route in [Route::Robots, Route::ApiCatalog] {
            let (path, predicted) = (route.path(), rules.predicted(&route.path()));
            let own = writer.fields(writer.exception(&path).unwrap_or(&predicted), "");
            blocks.push(writer.block(&path, &[rules.everywhere.clone(), own].concat()));
        }
    }
    blocks
}

struct Writer<'a> {
    rules: &'a Rules<'a>,
    dialect: Dialect,
    base: &'a str,
}

impl Writer<'_> {
    /// A rule: a pattern and its fields; those without a value are left out.
    fn block(&self, pattern: &str, fields: &[(&'static str, String)]) -> String {
        let mut text = format!("{pattern}\n");
        for (field, value) in fields.iter().filter(|(_, value)| !value.is_empty()) {
            let _ = writeln!(text, "  {field}: {value}");
        }
        text.push('\n');
        text
    }

    /// A rule that says everything there is to say; `page` is how the page's path stands in `Link`.
    fn whole(&self, pattern: &str, fields: &Fields, page: &str) -> String {
        self.block(pattern, &self.fields(fields, page))
    }

    fn fields(&self, fields: &Fields, page: &str) -> Vec<(&'static str, String)> {
        // Every host knows pictures, sound, films and fonts by itself, in any spelling of the suffix.
        let known = ["image/", "audio/", "video/", "font/"].iter().any(|kind| fields.media_type.starts_with(kind));
        vec![
            ("Content-Type", if known { String::new() } else { fields.media_type.clone() }),
            ("Cache-Control", fields.cache_control.to_string()),
            ("Vary", fields.vary.to_owned()),
            ("Content-Disposition", fields.disposition.unwrap_or_default().to_owned()),
            ("Link", self.link(fields.link.as_ref(), page)),
        ]
    }

    fn link(&self, link: Option<&Template>, page: &str) -> String {
        match (link, self.dialect) {
            (None, _) => String::new(),
            (Some(link), Dialect::Common) if page.ends_with(SPLAT) => link.constant().unwrap_or_default(),
            (Some(link), Dialect::Common | Dialect::Cloudflare) => link.with(page),
        }
    }

    /// A rule for one resource that meets a pattern's: what differs is taken back and said anew.
    fn beside(&self, path: &str, exception: &Fields, pattern: &Fields) -> Option<String> {
        let page = self.page(path);
        let (own, theirs) = (self.fields(exception, &page), self.fields(pattern, &page));
        let mut text = format!("{}\n", encoded(self.rules, path));
        for ((field, value), (_, other)) in own.iter().zip(&theirs).filter(|((_, value), (_, other))| value != other) {
            if !other.is_empty() {
                let _ = writeln!(text, "  ! {field}");
            }
            if !value.is_empty() {
                let _ = writeln!(text, "  {field}: {value}");
            }
        }
        text.push('\n');
        (own != theirs).then_some(text)
    }

    /// Everything that is no page, by suffix.
    fn documents(&self) -> Vec<String> {
        let mut by_suffix: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for resource in &self.rules.edition.resources {
            let suffix = spelled_suffix(&resource.path);
            if !matches!(suffix, "html" | "md") {
                by_suffix.entry(suffix).or_default().push(&resource.path);
            }
        }
        by_suffix.into_iter().flat_map(|(suffix, paths)| self.suffix(suffix, &paths)).collect()
    }

    fn suffix(&self, suffix: &str, paths: &[&str]) -> Vec<String> {
        let exact = |path: &str| {
            let predicted = self.rules.predicted(path);
            self.whole(&encoded(self.rules, path), self.exception(path).unwrap_or(&predicted), "")
        };
        let exceptions = paths.iter().filter(|path| self.exception(path).is_some()).count();
        if suffix.is_empty() || (exceptions > 0 && paths.len() <= FEW) {
            return paths.iter().map(|path| exact(path)).collect();
        }
        let (assets, files): (Vec<&str>, Vec<&str>) = paths.iter().partition(|path| path.starts_with(ASSETS));
        let predicted = |paths: &[&str]| paths.first().map(|path| self.rules.predicted(path));
        let mut blocks = Vec::new();
        if let Some(fields) = predicted(&assets) {
            blocks.push(self.whole(&format!("{}{ASSETS}*.{suffix}", self.base), &fields, ""));
        }
        let Some(fields) = predicted(&files) else { return blocks };
        if assets.is_empty() {
            blocks.push(self.whole(&format!("{}/*.{suffix}", self.base), &fields, ""));
        } else {
            // A pattern over the whole site would meet the assets': one for each folder at the top.
            let (inside, top): (Vec<&str>, Vec<&str>) = files.iter().partition(|path| path[1..].contains('/'));
            let folders: BTreeSet<&str> = inside.iter().filter_map(|path| path[1..].split('/').next()).collect();
            blocks
                .extend(folders.iter().map(|folder| self.whole(&format!("{}/*.{suffix}", encoded(self.rules, &format!("/{folder}"))), &fields, "")));
            blocks.extend(top.iter().map(|path| exact(path)));
        }
        let own = files.iter().filter_map(|path| self.beside(path, self.exception(path)?, &fields));
        blocks.extend(own.collect::<Vec<_>>());
        blocks
    }

    fn exception(&self, path: &str) -> Option<&Fields> {
        let exceptions = &self.rules.exceptions;
        exceptions.binary_search_by(|(other, _)| (*other).cmp(path)).ok().map(|place| &exceptions[place].1)
    }

    /// A page's encoded path without its suffix.
    fn page(&self, path: &str) -> String {
        let path = encoded(self.rules, path);
        path.rsplit_once('.').map_or(path.clone(), |(page, _)| page.to_owned())
    }
}

/// The suffix of a path's last segment as it is spelled.
fn spelled_suffix(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or("", |(_, suffix)| suffix)
}

/// A line of `_redirects`.
pub(super) struct Redirect {
    pub(super) from: String,
    pub(super) line: String,
}

/// The redirects that both hosts understand. Left out are those that differ from their target by suffix, case or slash alone: Netlify takes
/// such addresses as one and would turn in a circle.
pub(super) fn redirects(rules: &Rules<'_>) -> Vec<Redirect> {
    let line = |from: String, to: &str| Redirect { line: format!("{from} {to} 301"), from };
    let moved = rules.moved.iter().map(|(old, url)| (encoded(rules, old), url));
    moved.filter(|(from, to)| plain(from) != plain(to)).map(|(from, to)| line(from, to)).collect()
}

/// An address as Netlify compares it.
fn plain(address: &str) -> String {
    let lower = address.to_lowercase();
    let address = lower.trim_end_matches('/');
    let address = address.strip_suffix(".html").unwrap_or(address);
    address.strip_suffix("/index").unwrap_or(address).to_owned()
}
