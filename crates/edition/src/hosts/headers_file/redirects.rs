//! `_redirects`: rewrites and old addresses. Netlify and Cloudflare read the same file, so every line
//! has the same meaning on both.

use super::super::moved::{Group, Redirect};
use super::super::rules::Rules;
use super::lines;

/// The maximum number of static rules: the limit of Cloudflare.
pub(crate) const STATIC_RULES: usize = 2_000;

/// Paths rewritten to another file. Cloudflare, set to keep `.html` URLs, has no folder index;
/// Netlify serves the file itself and ignores that line. The other two are for a site below a path.
pub(crate) fn rewrites(rules: &Rules<'_>) -> Vec<Option<String>> {
    let base = rules.encoded("");
    let mut lines = vec![line(
        &format!("{base}/"),
        &format!("{base}/index.html"),
        "200",
    )];
    for route in rules.at_root() {
        lines.push(line(&route.path(), &rules.encoded(&route.path()), "200"));
    }
    lines
}

/// What `_redirects` has of the old addresses.
pub(crate) struct Redirects {
    /// Its lines: single addresses, the most valuable first, then patterns.
    pub(crate) lines: Vec<String>,
    /// The encoded old addresses that the hosts would interpret differently.
    pub(crate) unsaid: Vec<String>,
    /// How many old addresses there is no room for, and how many of them have a stub page.
    pub(crate) left: (usize, usize),
}

/// The redirects that both hosts can express, and of single ones as many as both take. Excludes
/// those that differ from their target only by suffix, case or slash: Netlify treats such paths as
/// equal and would loop.
pub(crate) fn redirects(rules: &Rules<'_>) -> Redirects {
    let room = STATIC_RULES - rewrites(rules).len();
    let (groups, patterns) = patterns(rules);
    let is_covered = |redirect: &Redirect<'_>| {
        let mut groups = groups.iter();
        groups.any(|group| group.target(redirect.old).as_ref() == Some(&redirect.url))
    };
    let mut single: Vec<&Redirect<'_>> = rules
        .redirects
        .iter()
        .filter(|redirect| plain(&rules.encoded(redirect.old)) != plain(&redirect.url))
        .filter(|redirect| !is_covered(redirect))
        .collect();
    single.sort_by_key(|redirect| redirect.rank);
    let (mut said, mut unsaid, mut left) = (Vec::new(), Vec::new(), (0, 0));
    for redirect in single {
        let from = rules.encoded(redirect.old);
        match line(&from, &redirect.url, "301") {
            None => unsaid.push(from),
            Some(line) if said.len() < room => said.push(line),
            Some(_) => {
                left.0 += 1;
                left.1 += usize::from(redirect.has_stub());
            }
        }
    }
    said.sort_unstable();
    said.extend(patterns);
    Redirects {
        lines: said,
        unsaid,
        left,
    }
}

/// The groups of redirects that one pattern expresses, and the patterns.
fn patterns<'r>(rules: &'r Rules<'_>) -> (Vec<&'r Group>, Vec<String>) {
    let (mut groups, mut patterns) = (Vec::new(), Vec::new());
    for group in &rules.many {
        let before = rules.encoded(&group.before);
        // A suffix behind a name is read differently.
        if group.after == ".html" || plain(&before) == plain(&group.to) {
            continue;
        }
        let (from, to) = ((&*before, group.after), (&*group.to, &*group.to_end));
        if let Some(line) = lines::pattern(from, to, group.depth) {
            groups.push(group);
            patterns.push(line);
        }
    }
    (groups, patterns)
}

/// A line of `_redirects`. Netlify reserves paths below `/.netlify`.
fn line(from: &str, to: &str, status: &'static str) -> Option<String> {
    lines::redirect(from, to, status)
        .filter(|_| from != "/.netlify" && !from.starts_with("/.netlify/"))
}

/// A path as Netlify compares it.
fn plain(address: &str) -> String {
    let path = address.split('#').next().unwrap_or(address);
    let lower = path.to_lowercase();
    let address = lower.trim_end_matches('/');
    let address = address.strip_suffix(".html").unwrap_or(address);
    address.strip_suffix("/index").unwrap_or(address).to_owned()
}
