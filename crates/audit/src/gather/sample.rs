//! The sample of a site that is too large to be read completely: articles, lists and files.

use super::probes::CODED;
use crate::address::{html_path, markdown_path, stem};
use crate::answer::{Answer, Ask, Fetch};
use crate::evidence::Evidence;
use crate::read::{feed, html, sitemap, text};

/// How many articles of the list and of the feed are compared.
const FEED_LOOKS: usize = 20;
/// How many of the pages' files are requested.
const MOST_ASSETS: usize = 6;
/// How many articles are requested with every `Accept`, by both clients in both orders, and with
/// their validators.
const CLOSE_LOOKS: usize = 2;

/// Chooses the articles: the first, the last, and an even spread between them. The other pages are
/// the same for every site.
pub(super) fn choose(evidence: &mut Evidence, _: &mut dyn Fetch, sample: usize) {
    let stems: Vec<String> = mapped(evidence)
        .iter()
        .filter_map(|path| stem(path))
        .map(str::to_owned)
        .collect();
    let articles: Vec<&String> = stems
        .iter()
        .filter(|stem| stem.starts_with("/articles/") && *stem != "/articles/index")
        .collect();
    let rest: Vec<&String> = stems
        .iter()
        .filter(|stem| !stem.starts_with("/articles/"))
        .collect();
    let linked = if stems.is_empty() {
        linked(evidence)
    } else {
        Vec::new()
    };
    let rest: Vec<&String> = rest.into_iter().chain(&linked).collect();
    let chosen: Vec<String> = if articles.is_empty() {
        spread(&rest, sample)
    } else {
        spread(&articles, sample)
    }
    .into_iter()
    .cloned()
    .collect();
    evidence.pages = ["/index", "/terms", "/api", "/articles/index"]
        .map(str::to_owned)
        .into();
    // One more kind of list, if there is one.
    evidence.pages.extend(
        rest.iter()
            .find(|stem| stem.starts_with("/tags/"))
            .map(|stem| (*stem).clone()),
    );
    evidence.articles = chosen
        .into_iter()
        .filter(|stem| !evidence.pages.contains(stem))
        .collect();
}

/// The pages linked from the home page, for a site without a sitemap.
fn linked(evidence: &Evidence) -> Vec<String> {
    let Some(home) = evidence.html("/index") else {
        return Vec::new();
    };
    let anchors = html::read(&home.text()).anchors;
    let urls = anchors
        .iter()
        .map(|anchor| evidence.address.resolve(anchor, "/"));
    let mut stems: Vec<String> = Vec::new();
    for stem in urls.filter_map(|url| {
        evidence
            .address
            .path_of(&url)
            .and_then(stem)
            .map(str::to_owned)
    }) {
        if stem != "/index" && !stems.contains(&stem) {
            stems.push(stem);
        }
    }
    stems
}

/// The paths of the XML sitemap and its parts.
pub fn mapped(evidence: &Evidence) -> Vec<String> {
    let maps = evidence.answers.iter().filter(|(ask, answer)| {
        !ask.origin
            && ask.path.starts_with("/sitemap")
            && ask.path.ends_with(".xml")
            && answer.status == 200
    });
    let entries = maps
        .filter(|(ask, _)| ask.method == "GET" && ask.fields.is_empty())
        .filter_map(|(_, answer)| sitemap::read(&answer.text()).ok());
    entries
        .flat_map(|map| map.entries)
        .filter_map(|entry| evidence.address.path_of(&entry.location).map(str::to_owned))
        .collect()
}

/// Whether every part of the XML sitemap was read.
pub fn is_map_whole(evidence: &Evidence) -> bool {
    let parts = evidence
        .found("/sitemap.xml")
        .and_then(|answer| sitemap::read(&answer.text()).ok())
        .map(|map| map.parts)
        .unwrap_or_default();
    parts
        .iter()
        .filter_map(|url| evidence.address.path_of(url))
        .all(|path| evidence.found(path).is_some())
}

/// At most `count` items, evenly spread, including the first and the last.
pub(super) fn spread<'a, T>(all: &[&'a T], count: usize) -> Vec<&'a T> {
    match (all.len(), count) {
        (length, count) if length <= count => all.to_vec(),
        (_, 0) => Vec::new(),
        (_, 1) => all[..1].to_vec(),
        (length, count) => (0..count)
            .map(|index| all[index * (length - 1) / (count - 1)])
            .collect(),
    }
}

/// The pages examined closely: the home page and some articles.
pub fn close(evidence: &Evidence) -> Vec<String> {
    evidence
        .pages
        .iter()
        .take(1)
        .chain(evidence.articles.iter().take(CLOSE_LOOKS))
        .cloned()
        .collect()
}

/// The stem of an article's URL.
fn article_stem(evidence: &Evidence, url: &str) -> Option<String> {
    let stem = evidence.address.path_of(url).and_then(stem)?;
    stem.starts_with("/articles/").then(|| stem.to_owned())
}

/// Requests the first articles of the list and those of the feed, to compare the two.
pub(super) fn newest(evidence: &mut Evidence, client: &mut dyn Fetch, sample: usize) {
    let most = sample.min(FEED_LOOKS);
    let list = evidence.markdown("/articles/index").map(Answer::text);
    let listed = text::links(&list.unwrap_or_default());
    let stem_of = |url: &String| article_stem(evidence, url);
    let newest: Vec<String> = listed.iter().filter_map(stem_of).take(most).collect();
    let items: Vec<String> = feed_links(evidence).iter().filter_map(stem_of).collect();
    let items: Vec<&String> = items.iter().collect();
    for stem in newest.iter().chain(spread(&items, most)) {
        evidence.ask(client, Ask::get(markdown_path(stem)));
    }
    evidence.newest = newest;
}

/// Requests the head of some of the pages' files; those with a hash in their names first.
pub(super) fn assets(evidence: &mut Evidence, client: &mut dyn Fetch) {
    let pages = close(evidence);
    let forms = evidence
        .html_forms()
        .iter()
        .filter(|form| pages.contains(&form.stem));
    let urls = forms.flat_map(|form| {
        form.read
            .assets
            .iter()
            .map(|target| evidence.address.resolve(target, &html_path(&form.stem)))
    });
    let mut paths: Vec<String> = urls
        .filter_map(|url| evidence.address.path_of(&url).map(str::to_owned))
        .collect();
    paths.sort_by_key(|path| (!is_hashed(path), path.clone()));
    paths.dedup();
    paths.truncate(MOST_ASSETS);
    for path in &paths {
        evidence.ask(client, Ask::get(path.clone()).by("HEAD"));
    }
    evidence.assets = paths;
}

/// Whether a file name contains a content hash: eight or more hexadecimal digits between dots or
/// hyphens, not all of them decimal.
pub fn is_hashed(path: &str) -> bool {
    let name = path
        .split('?')
        .next()
        .unwrap_or_default()
        .rsplit('/')
        .next()
        .unwrap_or_default();
    let hash = |part: &str| {
        let digits = part.len() >= 8 && part.bytes().all(|byte| byte.is_ascii_hexdigit());
        digits && (part.len() >= 16 || part.bytes().any(|byte| byte.is_ascii_alphabetic()))
    };
    let mut parts: Vec<&str> = name.split(['.', '-', '_']).collect();
    parts.pop();
    parts.into_iter().skip(1).any(hash)
}

/// The requests to repeat with ranges: the home page and a document.
pub fn ranged(evidence: &Evidence) -> Vec<Ask> {
    let document = CODED
        .into_iter()
        .find(|path| evidence.found(path).is_some())
        .map(Ask::get);
    let large = |ask: &Ask| {
        evidence
            .answer(ask)
            .is_some_and(|answer| answer.status == 200 && answer.body.len() >= 100)
    };
    [Ask::browser("/")]
        .into_iter()
        .chain(document)
        .filter(large)
        .collect()
}

fn paths_of(urls: Vec<&String>, evidence: &Evidence) -> impl Iterator<Item = String> {
    let paths = urls
        .into_iter()
        .filter_map(|url| evidence.address.path_of(url));
    paths.map(str::to_owned)
}

/// The addresses of the items of the feed; none if it cannot be read.
fn feed_links(evidence: &Evidence) -> Vec<String> {
    let text = evidence.found("/rss.xml").map(Answer::text);
    let feed = feed::read(&text.unwrap_or_default()).unwrap_or_default();
    feed.items.into_iter().map(|item| item.link).collect()
}

/// A sample of the paths that each document names: each must answer 200.
pub fn named_paths(evidence: &Evidence, sample: usize) -> Vec<String> {
    let text_of = |path: &str| evidence.found(path).map(Answer::text).unwrap_or_default();
    let lists: [Vec<String>; 4] = [
        mapped(evidence)
            .into_iter()
            .map(|path| evidence.address.written(&path))
            .collect(),
        text::links(&text_of("/llms.txt")),
        sitemap_md(&text_of("/sitemap.md"), evidence),
        feed_links(evidence),
    ];
    let mut paths: Vec<String> = Vec::new();
    for list in &lists {
        let all: Vec<&String> = list.iter().collect();
        paths.extend(paths_of(spread(&all, sample), evidence));
    }
    paths.sort();
    paths.dedup();
    paths
}

/// The Markdown paths in the Markdown sitemap, as URLs.
fn sitemap_md(content: &str, evidence: &Evidence) -> Vec<String> {
    text::code_paths(content)
        .iter()
        .map(|path| evidence.address.resolve(path, "/sitemap.md"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_both_ends() {
        let numbers: Vec<u32> = (0..100).collect();
        let all: Vec<&u32> = numbers.iter().collect();
        assert_eq!(spread(&all, 4), [&0, &33, &66, &99]);
        assert_eq!(spread(&all[..3], 10).len(), 3);
        assert_eq!((spread(&all, 1), spread(&all, 0)), (vec![&0], vec![]));
    }
}
