//! Walks the former site: its sitemaps, its feeds, and the links of its pages.

use std::collections::BTreeSet;

use diglot_audit::{decode, html, origin};

use super::cache::{Cache, Kept};
use super::feeds::{self, Named};
use super::old::{OldItem, OldSite};
use super::site_base::{SiteBase, is_page};
use super::text::Text;
use crate::polite::{DISALLOWED, SiteClient, some_at_once};
use crate::progress;

/// Where sitemaps are, if `robots.txt` does not say.
const MAPS: [&str; 3] = ["/sitemap.xml", "/sitemap_index.xml", "/wp-sitemap.xml"];
/// Where feeds are, if no page links to one.
const FEEDS: [&str; 5] = ["/index.xml", "/feed.xml", "/rss.xml", "/atom.xml", "/feed/"];
/// The most sitemaps and feeds.
const MOST_DOCUMENTS: usize = 5_000;
/// The longest path, and the most of its segments: longer ones are made by programs without end.
const LONGEST_PATH: usize = 1_000;
const MOST_SEGMENTS: usize = 24;
/// The largest sitemap once unpacked, in bytes.
const LARGEST_MAP: u64 = 64 << 20;

/// How much is walked.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The most pages.
    pub pages: usize,
}

/// The address that the site gives itself, if that is another than the one that is asked: the home
/// page's canonical address, else the host that a sitemap names.
///
/// # Errors
/// The home page does not answer.
pub fn declared(site: &SiteClient, cache: &Cache) -> Result<Option<String>, String> {
    let get = |url: &str| cache.get(url, |tag| site.ask(url, tag));
    let url = site.address().url("/");
    let home = get(&url)?;
    if home.status != 200 {
        return Err(format!("`{url}` answers {}", home.status));
    }
    let asked = &site.address().asked;
    if let Some(canonical) = Text::parse(&home.text()).canonical {
        let canonical = canonical.trim_end_matches("/index.html");
        let canonical = canonical.trim_end_matches('/').to_owned();
        return Ok(Some(canonical).filter(|own| authority(own) != authority(asked)));
    }
    let maps = MAPS.map(|path| site.address().url(path));
    let named = maps.iter().chain(site.sitemaps()).find_map(|url| {
        let map = get(url).ok().filter(|map| map.status == 200)?;
        let named = feeds::read(&unpacked(map).ok()?).ok()?;
        named.maps.into_iter().chain(named.pages).next()
    });
    let origin = named.as_deref().map(origin);
    let origin = origin.filter(|origin| authority(origin) != authority(asked));
    Ok(origin.map(|origin| [origin, site.address().prefix()].concat()))
}

/// The host and the port of a URL.
fn authority(url: &str) -> &str {
    let origin = origin(url);
    origin.split_once("://").map_or(origin, |(_, rest)| rest)
}

/// Walks the site, which says that it is at `declared`. `lacks` says of which files it has to be known
/// whether the site has them.
pub fn walk(
    site: &SiteClient,
    cache: &Cache,
    declared: Option<&str>,
    bounds: Bounds,
    lacks: &dyn Fn(&str) -> bool,
) -> OldSite {
    let mut walker = Walker {
        site,
        cache,
        bounds,
        old: OldSite::at(SiteBase::new(site.address(), declared)),
        waiting: BTreeSet::new(),
        seen: BTreeSet::new(),
        documents: BTreeSet::new(),
    };
    walker.want("/".to_owned());
    walker.read_maps();
    walker.rounds();
    if walker.old.feeds.is_empty() {
        for path in FEEDS {
            walker.read_feed(path);
        }
        walker.rounds();
    }
    walker.ask_for_files(lacks);
    walker.old
}

struct Walker<'w> {
    site: &'w SiteClient,
    cache: &'w Cache,
    bounds: Bounds,
    old: OldSite,
    /// Pages to ask for.
    waiting: BTreeSet<String>,
    /// Pages that were asked for, or wait.
    seen: BTreeSet<String>,
    /// Sitemaps and feeds that were asked for.
    documents: BTreeSet<String>,
}

impl Walker<'_> {
    fn get(&self, url: &str) -> Result<Kept, String> {
        self.cache.get(url, |tag| self.site.ask(url, tag))
    }

    /// Asks for a page later, if there is room.
    fn want(&mut self, path: String) {
        let is_endless = path.len() > LONGEST_PATH || path.matches('/').count() > MOST_SEGMENTS;
        if is_endless || self.seen.contains(&path) {
            return;
        }
        if self.seen.len() >= self.bounds.pages {
            self.old.is_cut = true;
            return;
        }
        self.seen.insert(path.clone());
        self.waiting.insert(path);
    }

    /// The URL to ask for, of one that a document of the site names.
    fn url(&self, named: &str) -> Option<String> {
        let path = self.old.base.path_of(named);
        let is_here = named.starts_with(self.site.address().origin());
        path.map(|path| self.old.base.url(&path))
            .or_else(|| is_here.then(|| named.to_owned()))
    }

    fn read_maps(&mut self) {
        let named = self.site.sitemaps().iter();
        let mut maps: Vec<String> = named.filter_map(|url| self.url(url)).collect();
        let is_named = !maps.is_empty();
        if !is_named {
            maps = MAPS.map(|path| self.old.base.url(path)).to_vec();
        }
        while let Some(url) = maps.pop() {
            let Some(read) = self.document(&url, is_named) else {
                continue;
            };
            let further = read.maps.iter().filter_map(|url| self.url(url));
            maps.extend(further.collect::<Vec<_>>());
            for page in read.pages {
                if let Some(path) = self.old.base.path_of(&page) {
                    self.want_listed(path);
                }
            }
        }
    }

    /// A page that a sitemap or a feed names; one that is a file is a file.
    fn want_listed(&mut self, path: String) {
        if is_page(&path) {
            self.want(path);
        } else {
            self.old.files.entry(path).or_default();
        }
    }

    /// Reads a sitemap or a feed, once.
    fn document(&mut self, url: &str, must_be: bool) -> Option<Named> {
        if self.documents.len() >= MOST_DOCUMENTS || !self.documents.insert(url.to_owned()) {
            return None;
        }
        let path = || self.old.base.path_of(url).unwrap_or_else(|| url.to_owned());
        let read = self.get(url).and_then(|kept| match kept.status {
            200 => feeds::read(&unpacked(kept)?),
            status => Err(format!("the answer is {status}")),
        });
        match read {
            Ok(named) => Some(named),
            Err(why) => {
                if must_be {
                    self.old.unread.insert(path(), why);
                }
                None
            }
        }
    }

    /// Asks for all pages, and for those that they link to.
    fn rounds(&mut self) {
        while !self.waiting.is_empty() {
            self.round();
        }
    }

    /// Asks for all pages that wait, some at once.
    fn round(&mut self) {
        let waiting: Vec<String> = std::mem::take(&mut self.waiting).into_iter().collect();
        let total = self.seen.len();
        let visits = some_at_once(&waiting, |path| {
            let visit = Visit::fetch(self, path);
            progress::step("walking the former site", total);
            visit
        });
        for (path, visit) in waiting.into_iter().zip(visits) {
            self.note(path, visit);
        }
    }

    fn note(&mut self, path: String, visit: Visit) {
        match visit {
            Visit::Page { text, links, feeds } => {
                for link in links {
                    self.want(link);
                }
                for feed in feeds {
                    self.read_feed(&feed);
                }
                let shown = text.images.iter().map(|image| image.address.as_str());
                let linked = text.links.iter().map(|(_, address)| address.as_str());
                for address in shown.chain(linked) {
                    let file = self.old.base.resolve(address, &path);
                    if let Some(file) = file.filter(|file| !is_page(file) && !file.contains('?')) {
                        self.old.files.entry(file).or_default();
                    }
                }
                self.old.pages.insert(path, *text);
            }
            Visit::Moved(to) => {
                if to.starts_with('/') && to != path {
                    self.want_listed(to.clone());
                }
                if to != path {
                    self.old.moved.insert(path, to);
                }
            }
            Visit::File => drop(self.old.files.insert(path, Some(true))),
            Visit::Nothing => {}
            Visit::Unread(why) if why == DISALLOWED => drop(self.old.disallowed.insert(path)),
            Visit::Unread(why) => drop(self.old.unread.insert(path, why)),
        }
    }

    /// Reads a feed and what follows it.
    fn read_feed(&mut self, path: &str) {
        let mut urls = vec![self.old.base.url(path)];
        while let Some(url) = urls.pop() {
            let Some(named) = self.document(&url, false) else {
                continue;
            };
            self.old.feeds.insert(path.to_owned());
            urls.extend(named.next.iter().filter_map(|url| self.url(url)));
            for item in named.items {
                let page = self.old.base.resolve(&item.link, path);
                let Some(page) = page else { continue };
                self.want_listed(page.clone());
                let (id, date) = (item.id, item.date);
                self.old.items.entry(page).or_insert(OldItem { id, date });
            }
        }
    }

    /// Asks for the files that `lacks` names.
    fn ask_for_files(&mut self, lacks: &dyn Fn(&str) -> bool) {
        let unknown = self
            .old
            .files
            .iter()
            .filter(|(_, is_there)| is_there.is_none());
        let unknown = unknown
            .map(|(path, _)| path.clone())
            .filter(|path| lacks(path));
        for path in unknown.collect::<Vec<_>>() {
            let is_there = match self.get(&self.old.base.url(&path)) {
                Ok(kept) => Some(kept.status == 200),
                Err(why) if why == DISALLOWED => None,
                Err(why) => {
                    self.old.unread.insert(path.clone(), why);
                    None
                }
            };
            self.old.files.insert(path, is_there);
        }
    }
}

/// The text of a sitemap or a feed, which may be a compressed file.
fn unpacked(kept: Kept) -> Result<String, String> {
    if !kept.body.starts_with(&[0x1f, 0x8b]) {
        return Ok(kept.text());
    }
    let bytes = decode("gzip", &kept.body, LARGEST_MAP)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// What is at an address.
enum Visit {
    Page {
        text: Box<Text>,
        /// The pages of the site that it links to.
        links: BTreeSet<String>,
        feeds: BTreeSet<String>,
    },
    Moved(String),
    File,
    Nothing,
    Unread(String),
}

impl Visit {
    fn fetch(walker: &Walker<'_>, path: &str) -> Self {
        let base = &walker.old.base;
        let kept = match walker.get(&base.url(path)) {
            Ok(kept) => kept,
            Err(why) => return Self::Unread(why),
        };
        match kept.status {
            200 if kept.is_html() => Self::page(base, path, &kept.text()),
            200 => Self::File,
            301 | 302 | 303 | 307 | 308 => match base.resolve(&kept.location, path) {
                Some(to) => Self::Moved(to),
                None if kept.location.contains("://") => Self::Moved(kept.location),
                None => Self::Nothing,
            },
            404 | 410 => Self::Nothing,
            status => Self::Unread(format!("the answer is {status}")),
        }
    }

    fn page(base: &SiteBase, path: &str, body: &str) -> Self {
        let text = Text::parse(body);
        if let Some(to) = text
            .redirect
            .as_deref()
            .and_then(|to| base.resolve(to, path))
        {
            return Self::Moved(to);
        }
        let page = html::read(body);
        let links = page.anchors.iter().filter_map(|to| base.resolve(to, path));
        let feeds = [
            "application/rss+xml",
            "application/atom+xml",
            "application/feed+json",
        ];
        let feeds = feeds
            .into_iter()
            .flat_map(|media| page.related("alternate", media));
        Self::Page {
            links: links
                .filter(|to| is_page(to) && !to.contains('?'))
                .collect(),
            feeds: feeds.filter_map(|to| base.resolve(to, path)).collect(),
            text: Box::new(text),
        }
    }
}
