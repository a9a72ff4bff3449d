//! Old addresses as rules of hosts: patterns where many are regular, and the rest one by one.
//!
//! A pattern may redirect an address at which nothing is. It never redirects a resource or an
//! expired article, and an old address only to its own target.

use std::collections::{BTreeMap, BTreeSet};

use super::pattern::Pattern;
use crate::redirects::stub_file;

use diglot_content::library::Rank;

/// A pattern replaces at least this many redirects.
const FEWEST: usize = 10;
/// The maximum number of patterns: a host may try them one after the other.
const MOST: usize = 100;
/// The maximum number of last segments that an old address shares with its target.
const DEEPEST: usize = 8;
/// The endings of old addresses that patterns have.
const ENDS: [&str; 3] = ["/", ".html", ""];

/// One redirect.
#[derive(Clone, Debug)]
pub(super) struct Redirect<'a> {
    /// The decoded old path.
    pub(super) old: &'a str,
    /// The encoded target.
    pub(super) url: String,
    pub(super) rank: Rank,
}

impl Redirect<'_> {
    /// Whether an export has a stub page for it.
    pub(super) fn has_stub(&self) -> bool {
        self.rank != Rank::Other && stub_file(self.old).is_some()
    }
}

/// Redirects of all old addresses with the same beginning and end, as `/posts/x/` to
/// `/articles/x.html`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Group {
    /// The decoded folder before the shared part: `/posts`.
    pub(super) before: String,
    /// What is after it: `/` or `.html`.
    pub(super) after: &'static str,
    /// The beginning of the target, encoded: `/articles`.
    pub(super) to: String,
    /// The end of the target, encoded.
    pub(super) to_end: String,
    /// The number of segments of the shared part.
    pub(super) depth: usize,
}

impl Group {
    /// The shared part of an old address that the pattern redirects.
    fn part<'p>(&self, old: &'p str) -> Option<&'p str> {
        let rest = old.strip_prefix(self.before.as_str())?.strip_prefix('/')?;
        let part = rest.strip_suffix(self.after)?;
        (is_plain(part) && part.split('/').count() == self.depth).then_some(part)
    }

    /// The target of an old address that the pattern redirects.
    pub(super) fn target(&self, old: &str) -> Option<String> {
        Some(format!("{}/{}{}", self.to, self.part(old)?, self.to_end))
    }

    /// The expression of the old addresses, with a group for each segment. `before` is the path of
    /// their folder as the host has it, with a closing slash.
    pub(super) fn pattern(&self, start: Pattern, before: &str) -> Pattern {
        let mut pattern = start.literal(before);
        for at in 0..self.depth {
            let slash = if at == 0 { "" } else { "/" };
            pattern = pattern.then(slash).then("([A-Za-z0-9._~-]+)");
        }
        pattern.literal(self.after).then("$")
    }

    /// The parts of the target around the segments.
    pub(super) fn parts(&self) -> Vec<String> {
        let mut parts = vec![format!("{}/", self.to)];
        parts.extend((1..self.depth).map(|_| "/".to_owned()));
        parts.push(self.to_end.clone());
        parts
    }

    /// Whether the pattern could redirect one of its own targets.
    fn is_circle(&self) -> bool {
        let below = |outer: &str, inner: &str| {
            inner
                .strip_prefix(outer)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        self.to_end == self.after
            && (below(&self.before, &self.to) || below(&self.to, &self.before))
    }

    /// The groups that a redirect could be in, the one with the longest shared part first.
    fn candidates(redirect: &Redirect<'_>) -> Vec<Self> {
        let (old, url) = (redirect.old, redirect.url.as_str());
        let Some(after) = ENDS.into_iter().find(|end| old.ends_with(end)) else {
            return Vec::new();
        };
        let Some(bare) = url.strip_suffix(".html").filter(|url| url.starts_with('/')) else {
            return Vec::new();
        };
        let old = &old[..old.len() - after.len()];
        if old.is_empty() {
            return Vec::new();
        }
        let shared = old.rsplit('/').zip(bare.rsplit('/'));
        let shared = shared.take_while(|(one, other)| one == other && is_plain(one));
        let most = shared
            .count()
            .min(old.matches('/').count())
            .min(bare.matches('/').count())
            .min(DEEPEST);
        (1..=most)
            .rev()
            .map(|depth| Self {
                before: without_last(old, depth).to_owned(),
                after,
                to: without_last(bare, depth).to_owned(),
                to_end: ".html".to_owned(),
                depth,
            })
            .collect()
    }
}

/// A path without its last segments.
fn without_last(path: &str, count: usize) -> &str {
    let end = path.rmatch_indices('/').nth(count - 1);
    end.map_or("", |(at, _)| &path[..at])
}

/// Whether every host and every URL writes a text alike: letters, digits and four signs.
fn is_plain(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_.~/".contains(&byte))
        && text.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

/// Divides redirects into patterns and the numbers of the rest. `taken`: the paths of resources and of expired
/// articles.
pub(super) fn divide(
    redirects: &[Redirect<'_>],
    taken: &BTreeSet<&str>,
) -> (Vec<Group>, Vec<usize>) {
    let mut groups: BTreeMap<Group, Vec<usize>> = BTreeMap::new();
    for (at, redirect) in redirects.iter().enumerate() {
        for group in Group::candidates(redirect) {
            groups.entry(group).or_default().push(at);
        }
    }
    groups.retain(|group, members| members.len() >= FEWEST && !group.is_circle());
    let mut sorted: Vec<(Group, Vec<usize>)> = groups.into_iter().collect();
    // The largest first; of equal ones that with the longest folder, which redirects the least.
    sorted.sort_by(|(one, ones), (other, others)| {
        (others.len(), other.before.len(), one).cmp(&(ones.len(), one.before.len(), other))
    });
    let (mut many, mut covered) = (Vec::new(), vec![false; redirects.len()]);
    for (group, members) in sorted {
        if many.len() == MOST {
            break;
        }
        let open = members.iter().filter(|at| !covered[**at]).count();
        if open < FEWEST || !is_free(&group, redirects, taken) {
            continue;
        }
        for at in members {
            covered[at] = true;
        }
        many.push(group);
    }
    let single = (0..redirects.len()).filter(|at| !covered[*at]);
    (many, single.collect())
}

/// Whether everything that a pattern redirects may be redirected so.
fn is_free(group: &Group, redirects: &[Redirect<'_>], taken: &BTreeSet<&str>) -> bool {
    let folder = format!("{}/", group.before);
    let is_below = |path: &&str| path.starts_with(&folder);
    let mut near = taken.range(&*folder..).copied().take_while(is_below);
    let takes = |path: &str| {
        let index = path.strip_suffix("index.html").unwrap_or(path);
        group.part(path).is_some() || group.part(index).is_some()
    };
    if near.any(takes) {
        return false;
    }
    let start = redirects.partition_point(|redirect| *redirect.old < *folder);
    redirects[start..]
        .iter()
        .take_while(|redirect| redirect.old.starts_with(&folder))
        .all(|redirect| {
            group
                .target(redirect.old)
                .is_none_or(|target| target == redirect.url)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redirect(old: &str, url: String) -> Redirect<'_> {
        Redirect {
            old,
            url,
            rank: Rank::Own,
        }
    }

    /// The patterns of redirects, and how many are left.
    fn check(pairs: &[(String, String)], taken: &[&str], expected: &[&str], left: usize) {
        let mut redirects: Vec<_> = pairs
            .iter()
            .map(|(old, url)| redirect(old, url.clone()))
            .collect();
        redirects.sort_by(|one, other| one.old.cmp(other.old));
        let taken = taken.iter().copied().collect();
        let (many, rest) = divide(&redirects, &taken);
        let shown: Vec<String> = many
            .iter()
            .map(|group| {
                let parts = "/:x".repeat(group.depth);
                let Group {
                    before,
                    after,
                    to,
                    to_end,
                    ..
                } = group;
                format!("{before}{parts}{after} {to}{parts}{to_end}")
            })
            .collect();
        assert_eq!(
            (shown, rest.len()),
            (expected.iter().map(ToString::to_string).collect(), left)
        );
    }

    fn moved(count: usize, old: &str, url: &str) -> Vec<(String, String)> {
        let fill = |text: &str, at: usize| text.replace('#', &format!("t{at}"));
        (0..count)
            .map(|at| (fill(old, at), fill(url, at)))
            .collect()
    }

    #[test]
    fn rule_46_regular_old_addresses_are_patterns() {
        let posts = moved(20, "/posts/#/", "/articles/#.html");
        check(&posts, &[], &["/posts/:x/ /articles/:x.html"], 0);
        check(&posts[..9], &[], &[], 9);
        let mut mixed = posts.clone();
        mixed.extend(moved(12, "/posts/2019/#/", "/articles/2019/#.html"));
        mixed.extend(moved(15, "/b/#.html", "/articles/#.html"));
        check(
            &mixed,
            &[],
            &[
                "/posts/:x/ /articles/:x.html",
                "/b/:x.html /articles/:x.html",
                "/posts/2019/:x/ /articles/2019/:x.html",
            ],
            0,
        );
    }

    #[test]
    fn a_pattern_breaks_no_exception() {
        let posts = moved(20, "/posts/#/", "/articles/#.html");
        check(&posts, &["/posts/a/index.html"], &[], 20);
        check(
            &posts,
            &["/posts/a.html", "/posts"],
            &["/posts/:x/ /articles/:x.html"],
            0,
        );
        let mut other = posts.clone();
        other.push(("/posts/odd/".to_owned(), "/about.html".to_owned()));
        check(&other, &[], &[], 21);
        let pages = moved(20, "/x/#.html", "/articles/#.html");
        check(&pages, &["/x/live.html"], &[], 20);
        check(
            &moved(20, "/articles/#.html", "/articles/a/#.html"),
            &[],
            &[],
            20,
        );
        check(&moved(20, "/p/ü#/", "/articles/%C3%BC#.html"), &[], &[], 20);
    }
}
