//! Feeds: RSS 2.0, the full text of the latest twenty articles. `/rss.xml` is the site's; tags,
//! languages and the sections of a journal have their own.

mod items;

use std::collections::BTreeMap;
use std::io;

use bytes::Bytes;
use diglot_content::sections::top_folder;
use diglot_content::tree::TreeIndex;
use diglot_content::{BaseUrl, Moment, Site};
use quick_xml::Writer;
use quick_xml::events::{BytesPI, BytesText, Event};
use rustc_hash::FxHashMap;

use self::items::{Item, Written};
use super::{Entry, Material, xml};
use crate::body::Body;
use crate::byte_store::ByteStore;
use crate::pages;
use crate::pages::PartFeed;
use crate::resource::{Digest, Resource};
use crate::route::{Form, Route};
use crate::theme::{Theme, Words};

pub use items::Items;

/// The maximum length of the style sheet's URL, in bytes.
const STYLE: usize = 300;
/// The namespace of the elements for browsers.
const XHTML: &str = "http://www.w3.org/1999/xhtml";
/// The version of the form of feeds. It changes with the form, so that an entity tag never denotes
/// other bytes.
const RULE: &[u8] = b"feed 2";

/// The address of the style sheet of the feed, where the theme has one.
pub(crate) fn style(theme: &Theme, site: &Site) -> Option<String> {
    let asset = theme
        .assets()
        .iter()
        .find(|asset| asset.source == "feed.css")?;
    Some(pages::address(&site.base, asset))
}

/// A feed before it is written.
struct Channel<'a> {
    route: Route,
    title: &'a str,
    /// The page of which it is the feed.
    page: &'a Route,
    description: &'a str,
    language: &'a str,
    newest: Moment,
    /// The newest change whose day is known.
    changed: Option<Moment>,
    items: Vec<Item<'a>>,
}

/// The items of all feeds, each once.
fn all_items<'a>(channels: &[Channel<'a>]) -> Vec<Item<'a>> {
    let mut all: BTreeMap<&str, Item<'_>> = BTreeMap::new();
    for item in channels.iter().flat_map(|channel| &channel.items) {
        all.insert(&item.article.stem, *item);
    }
    all.into_values().collect()
}

/// The feeds of the site, of its tags, languages and sections.
///
/// # Errors
/// If the XML writer fails; in memory it does not.
pub(crate) fn resources(
    material: &Material<'_>,
    known: (&Items, &dyn ByteStore),
) -> io::Result<Vec<Resource>> {
    let tree_index = TreeIndex::new(material.trees);
    let mut channels = vec![whole(material, &tree_index)];
    channels.extend(parts(material, &tree_index));
    let written = items::write_all(&all_items(&channels), material.site, known)?;
    let words = words(&channels, material);
    let mut resources = Vec::with_capacity(channels.len());
    for channel in channels {
        let items: Vec<&Written> = channel
            .items
            .iter()
            .filter_map(|item| written.get(&*item.article.stem))
            .collect();
        let (head, tail) = frame(&channel, material, &words[channel.language])?;
        resources.push(resource(&channel, head, &items, tail));
    }
    Ok(resources)
}

/// The words of the theme in the languages of the feeds.
fn words<'a>(channels: &[Channel<'a>], material: &Material<'_>) -> BTreeMap<&'a str, Words> {
    let mut words: BTreeMap<&str, Words> = BTreeMap::new();
    for Channel { language, .. } in channels {
        let known = words.entry(language);
        known.or_insert_with(|| material.dictionary.words(language));
    }
    words
}

fn resource(channel: &Channel<'_>, head: Bytes, items: &[&Written], tail: Bytes) -> Resource {
    let at = channel.newest.at;
    let slices = || {
        let items = items.iter().map(|item| item.bytes.clone());
        std::iter::once(head.clone())
            .chain(items)
            .chain([tail.clone()])
    };
    if channel.route == Route::Rss {
        let slices: Vec<Bytes> = slices().collect();
        return Resource::new(Route::Rss, Bytes::from(slices.concat()), at);
    }
    // An article of many tags is in memory once.
    let own = [RULE, &head, &tail].map(Digest::hash);
    let digest = Digest::hash_parts(own.into_iter().chain(items.iter().map(|item| item.digest)));
    Resource::with_digest(channel.route.clone(), Body::rope(slices()), digest, at)
}

/// The feed of the site.
fn whole<'a>(material: &'a Material<'a>, tree_index: &TreeIndex<'_>) -> Channel<'a> {
    let site = material.site;
    let item = |entry| items::item(entry, tree_index);
    let articles = material.articles().filter_map(item).collect();
    Channel {
        route: Route::Rss,
        title: &site.title,
        page: &Route::Home(Form::Html),
        description: if site.description.is_empty() {
            &site.title
        } else {
            &site.description
        },
        language: &site.language,
        newest: material.newest,
        changed: known(material.entries.iter()),
        items: items::latest(articles, &site.language),
    }
}

/// The feeds of tags, languages and sections: of those lists that name one.
fn parts<'a>(material: &'a Material<'a>, tree_index: &TreeIndex<'_>) -> Vec<Channel<'a>> {
    let mut members = Members::new(lists(material).filter_map(|(_, feed)| feed.part()));
    let item = |entry| items::item(entry, tree_index);
    for item in material.articles().filter_map(item) {
        members.add(item);
    }
    let mut channels = Vec::new();
    for (entry, feed) in lists(material) {
        let own = material.site.language.as_str();
        let Some(list) = feed.part() else { continue };
        let language = match list {
            ("languages", language) => language,
            _ => own,
        };
        if let Some(members) = members.take(list) {
            channels.push(part(entry, feed, members, language));
        }
    }
    channels
}

/// The lists that have a feed.
fn lists<'a>(material: &'a Material<'a>) -> impl Iterator<Item = (&'a Entry<'a>, &'a PartFeed)> {
    let entries = material.entries.iter();
    entries.filter_map(|entry| Some((entry, entry.feed?)))
}

/// The articles of each feed. Hash maps, because there are several lookups per article.
#[derive(Default)]
struct Members<'a> {
    tags: FxHashMap<&'a str, Vec<Item<'a>>>,
    languages: FxHashMap<&'a str, Vec<Item<'a>>>,
    sections: FxHashMap<&'a str, Vec<Item<'a>>>,
}

impl<'a> Members<'a> {
    /// Without articles yet. Each list is a kind and a name.
    fn new(lists: impl Iterator<Item = (&'a str, &'a str)>) -> Self {
        let mut members = Self::default();
        for (kind, name) in lists {
            if let Some(feeds) = members.of_kind(kind) {
                feeds.insert(name, Vec::new());
            }
        }
        members
    }

    fn of_kind(&mut self, kind: &str) -> Option<&mut FxHashMap<&'a str, Vec<Item<'a>>>> {
        match kind {
            "tags" => Some(&mut self.tags),
            "languages" => Some(&mut self.languages),
            "sections" => Some(&mut self.sections),
            _ => None,
        }
    }

    fn add(&mut self, item: Item<'a>) {
        for tag in &item.article.tags {
            if let Some(members) = self.tags.get_mut(&*tag.slug) {
                members.push(item);
            }
        }
        if let Some(members) = self.languages.get_mut(item.article.language.as_str()) {
            members.push(item);
        }
        if let Some(folder) = top_folder(&item.article.stem)
            && let Some(members) = self.sections.get_mut(folder)
        {
            members.push(item);
        }
    }

    fn take(&mut self, (kind, name): (&str, &str)) -> Option<Vec<Item<'a>>> {
        self.of_kind(kind)?.remove(name)
    }
}

fn part<'a>(
    entry: &'a Entry<'a>,
    feed: &'a PartFeed,
    members: Vec<Item<'a>>,
    language: &'a str,
) -> Channel<'a> {
    let newest = members.iter().map(|item| item.entry.modified).max();
    let changed = known(members.iter().map(|item| item.entry));
    Channel {
        route: feed.route.clone(),
        title: &feed.title,
        page: entry.route,
        description: if entry.summary.is_empty() {
            entry.title
        } else {
            entry.summary
        },
        language,
        newest: newest.unwrap_or(entry.modified),
        changed,
        items: items::latest(members, language),
    }
}

/// The newest change of entries, without files' own times, which depend on the machine.
fn known<'e>(entries: impl Iterator<Item = &'e Entry<'e>>) -> Option<Moment> {
    let changes = entries.map(|entry| entry.modified);
    changes.filter(Moment::is_known).max()
}

fn write_style(writer: &mut Writer<Vec<u8>>, url: &str) -> io::Result<()> {
    let href = quick_xml::escape::escape(url);
    writer.write_event(Event::PI(BytesPI::new(format!(
        "xml-stylesheet type=\"text/css\" href=\"{href}\""
    ))))
}

/// The text of a feed before and after its items.
fn frame(
    channel: &Channel<'_>,
    material: &Material<'_>,
    words: &Words,
) -> io::Result<(Bytes, Bytes)> {
    let mut writer = xml::writer()?;
    // Programs detect a feed by its first 512 bytes. So the root element declares the namespaces,
    // and a longer style sheet URL is omitted.
    let style = material.feed_style.as_deref();
    if let Some(style) = style.filter(|style| style.len() <= STYLE) {
        write_style(&mut writer, style)?;
    }
    let mut end = 0;
    writer
        .create_element("rss")
        .with_attribute(("version", "2.0"))
        .with_attribute(("xmlns:atom", "http://www.w3.org/2005/Atom"))
        .with_attribute(("xmlns:content", "http://purl.org/rss/1.0/modules/content/"))
        .with_attribute(("xmlns:dc", "http://purl.org/dc/elements/1.1/"))
        .with_attribute(("xmlns:media", "http://search.yahoo.com/mrss/"))
        .write_inner_content(|rss| {
            rss.create_element("channel").write_inner_content(|node| {
                write_channel(node, channel, (material, words))?;
                end = node.get_ref().len();
                Ok(())
            })?;
            Ok(())
        })?;
    let mut head = xml::finish(writer);
    let tail = head.split_off(end);
    Ok((head, tail))
}

fn write_channel(
    node: &mut Writer<Vec<u8>>,
    channel: &Channel<'_>,
    (material, words): (&Material<'_>, &Words),
) -> io::Result<()> {
    let base = &material.site.base;
    xml::element(node, "title", channel.title)?;
    xml::element(node, "link", &base.absolute(&channel.page.canonical_path()))?;
    xml::element(node, "description", channel.description)?;
    xml::element(node, "language", channel.language)?;
    if let Some(changed) = channel.changed {
        xml::element(node, "lastBuildDate", &changed.rfc822())?;
    }
    xml::element(node, "generator", "Diglot")?;
    node.create_element("atom:link")
        .with_attribute(("href", base.absolute(&channel.route.path()).as_str()))
        .with_attribute(("rel", "self"))
        .with_attribute(("type", "application/rss+xml"))
        .write_empty()?;
    write_note(node, channel, (material, words))
}

/// A short note and two links for people who open the feed in a browser. Feed readers ignore this
/// namespace.
fn write_note(
    node: &mut Writer<Vec<u8>>,
    channel: &Channel<'_>,
    (material, words): (&Material<'_>, &Words),
) -> io::Result<()> {
    let (list, name) = match channel.route {
        Route::Rss => (&Route::ArticleList(Form::Html), words.get("all")),
        _ => (channel.page, channel.title),
    };
    let base = &material.site.base;
    node.create_element("div")
        .with_attribute(("xmlns", XHTML))
        .write_inner_content(|div| {
            xml::element(div, "p", words.get("subscribe"))?;
            div.create_element("p").write_inner_content(|node| {
                write_link(node, base, (&Route::Home(Form::Html), words.get("home")))?;
                write_link(node, base, (list, name))
            })?;
            Ok(())
        })?;
    Ok(())
}

fn write_link(
    node: &mut Writer<Vec<u8>>,
    base: &BaseUrl,
    (route, text): (&Route, &str),
) -> io::Result<()> {
    let href = base.absolute(&route.canonical_path());
    node.create_element("a")
        .with_attribute(("href", href.as_str()))
        .write_text_content(BytesText::new(&xml::allowed(text)))
        .map(drop)
}

#[cfg(test)]
mod tests;
