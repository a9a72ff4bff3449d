//! `/rss.xml`: RSS 2.0, the full text of the latest twenty articles.

use std::collections::BTreeSet;
use std::io;

use diglot_content::document::{Purpose, Rendering, write_html};
use diglot_content::{Article, Moment, Site};
use quick_xml::Writer;
use quick_xml::events::{BytesPI, BytesText, Event};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{Entry, Material, xml};
use crate::pages::{self, words::Words};
use crate::resource::Resource;
use crate::route::{Form, Route};
use crate::theme::Theme;

/// The number of articles in the feed.
const LATEST: usize = 20;
/// The maximum length of the style sheet's URL, in bytes.
const STYLE: usize = 300;
/// The namespace of the elements for browsers.
const XHTML: &str = "http://www.w3.org/1999/xhtml";

/// The address of the style sheet of the feed, where the theme has one.
pub(crate) fn style(theme: &Theme, site: &Site) -> Option<String> {
    let asset = theme
        .assets()
        .iter()
        .find(|asset| asset.source == "feed.css")?;
    Some(pages::address(&site.base, asset))
}

/// The feed.
///
/// # Errors
/// If the XML writer fails; in memory it does not.
pub(crate) fn resource(material: &Material<'_>) -> io::Result<Resource> {
    let items = latest(material);
    let contents: Vec<String> = items
        .par_iter()
        .map(|item| content(material.site, item))
        .collect();
    let mut writer = xml::writer()?;
    // Programs detect a feed by its first 512 bytes. So the root element declares the namespaces,
    // and a longer style sheet URL is omitted.
    if let Some(style) = material
        .feed_style
        .as_deref()
        .filter(|style| style.len() <= STYLE)
    {
        let href = quick_xml::escape::escape(style);
        writer.write_event(Event::PI(BytesPI::new(format!(
            "xml-stylesheet type=\"text/css\" href=\"{href}\""
        ))))?;
    }
    writer
        .create_element("rss")
        .with_attribute(("version", "2.0"))
        .with_attribute(("xmlns:atom", "http://www.w3.org/2005/Atom"))
        .with_attribute(("xmlns:content", "http://purl.org/rss/1.0/modules/content/"))
        .with_attribute(("xmlns:dc", "http://purl.org/dc/elements/1.1/"))
        .write_inner_content(|rss| {
            rss.create_element("channel")
                .write_inner_content(|channel| {
                    write_channel(channel, material, &items, &contents)
                })?;
            Ok(())
        })?;
    Ok(Resource::new(
        Route::Rss,
        xml::finish(writer),
        material.newest.at,
    ))
}

/// An article of the feed, with the date that orders it.
struct Item<'a> {
    entry: &'a Entry<'a>,
    article: &'a Article,
    date: Option<Moment>,
}

/// The latest articles, newest first by date, then slug. Of the translations of a text it includes
/// the one in the site's language, if that may be in the feed. If no article is dated, the last
/// changes order them, and none has a date of publication.
fn latest<'a>(material: &'a Material<'a>) -> Vec<Item<'a>> {
    let mut items: Vec<Item<'a>> = material.articles().filter_map(item).collect();
    if items.iter().any(|item| item.article.date.is_some()) {
        items.retain(|item| item.article.date.is_some());
    }
    let site = &material.site.language;
    let own: FxHashMap<&str, LanguageMatch> = items
        .iter()
        .filter_map(|item| {
            Some((
                &*item.article.stem,
                LanguageMatch::of(&item.article.language, site)?,
            ))
        })
        .collect();
    items.retain(|Item { article, .. }| {
        let rank = own.get(&*article.stem).map(|own| (own, &*article.stem));
        let others = article
            .translations
            .iter()
            .filter_map(|(_, stem)| Some((own.get(&**stem)?, &**stem)));
        others
            .min()
            .is_none_or(|best| rank.is_some_and(|rank| rank <= best))
    });
    let order = |one: &Item<'_>, other: &Item<'_>| {
        other
            .date
            .cmp(&one.date)
            .then_with(|| one.article.stem.cmp(&other.article.stem))
    };
    if items.len() > LATEST {
        items.select_nth_unstable_by(LATEST, order);
        items.truncate(LATEST);
    }
    items.sort_by(order);
    items
}

/// How an article's language matches the site's: equal, or narrower or wider (`en`, `en-GB`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum LanguageMatch {
    Itself,
    Kin,
}

impl LanguageMatch {
    fn of(tag: &str, site: &str) -> Option<Self> {
        let (tag, site) = (tag.to_ascii_lowercase(), site.to_ascii_lowercase());
        if tag == site {
            return Some(Self::Itself);
        }
        let is_within = |narrow: &str, wide: &str| {
            narrow
                .strip_prefix(wide)
                .is_some_and(|rest| rest.starts_with('-'))
        };
        (is_within(&tag, &site) || is_within(&site, &tag)).then_some(Self::Kin)
    }
}

fn item<'a>(entry: &'a Entry<'a>) -> Option<Item<'a>> {
    let article = entry.article?;
    Some(Item {
        entry,
        article,
        date: article
            .date
            .or_else(|| Some(article.updated).filter(Moment::is_known)),
    })
}

fn write_channel(
    channel: &mut Writer<Vec<u8>>,
    material: &Material<'_>,
    items: &[Item<'_>],
    contents: &[String],
) -> io::Result<()> {
    let site = material.site;
    xml::element(channel, "title", &site.title)?;
    xml::element(channel, "link", &site.base.absolute("/"))?;
    xml::element(
        channel,
        "description",
        if site.description.is_empty() {
            &site.title
        } else {
            &site.description
        },
    )?;
    xml::element(channel, "language", &site.language)?;
    xml::element(channel, "lastBuildDate", &material.newest.rfc822())?;
    xml::element(channel, "generator", "Diglot")?;
    channel
        .create_element("atom:link")
        .with_attribute(("href", site.base.absolute(&Route::Rss.path()).as_str()))
        .with_attribute(("rel", "self"))
        .with_attribute(("type", "application/rss+xml"))
        .write_empty()?;
    write_note(channel, site)?;
    let mut ids = BTreeSet::new();
    for (item, content) in items.iter().zip(contents) {
        channel
            .create_element("item")
            .write_inner_content(|node| write_item(node, site, (item, content), &mut ids))?;
    }
    Ok(())
}

/// A short note and two links for people who open the feed in a browser. Feed readers ignore this
/// namespace.
fn write_note(channel: &mut Writer<Vec<u8>>, site: &Site) -> io::Result<()> {
    let words = Words::of(&site.language);
    let link = |node: &mut Writer<Vec<u8>>, route: &Route, text: &str| {
        let href = site.base.absolute(&route.canonical_path());
        node.create_element("a")
            .with_attribute(("href", href.as_str()))
            .write_text_content(BytesText::new(text))
            .map(drop)
    };
    channel
        .create_element("div")
        .with_attribute(("xmlns", XHTML))
        .write_inner_content(|div| {
            xml::element(div, "p", words.subscribe)?;
            div.create_element("p").write_inner_content(|node| {
                link(node, &Route::Home(Form::Html), words.home)?;
                link(node, &Route::ArticleList(Form::Html), words.all)
            })?;
            Ok(())
        })?;
    Ok(())
}

fn write_item(
    node: &mut Writer<Vec<u8>>,
    site: &Site,
    (item, content): (&Item<'_>, &str),
    ids: &mut BTreeSet<String>,
) -> io::Result<()> {
    let Item { entry, article, .. } = item;
    let link = entry.url();
    xml::element(node, "title", entry.title)?;
    xml::element(node, "link", &link)?;
    write_guid(node, article, &link, ids)?;
    if let Some(date) = article.date {
        xml::element(node, "pubDate", &date.rfc822())?;
    }
    for author in &article.authors {
        xml::element(node, "dc:creator", author)?;
    }
    if let (Some(author), true) = (&site.author, article.authors.is_empty()) {
        xml::element(node, "dc:creator", author)?;
    }
    for tag in &article.tags {
        xml::element(node, "category", &tag.name)?;
    }
    // A summary is plain text, but feed readers parse this element as HTML.
    let summary = if entry.summary.is_empty() {
        entry.title
    } else {
        entry.summary
    };
    xml::element(
        node,
        "description",
        &quick_xml::escape::minimal_escape(summary),
    )?;
    if !content.trim().is_empty() {
        xml::element(node, "content:encoded", content)?;
    }
    Ok(())
}

/// The article's content as HTML for feed readers.
fn content(site: &Site, Item { article, .. }: &Item<'_>) -> String {
    let rendering = Rendering {
        base: &site.base,
        stem: &article.stem,
        targets: &article.targets,
        purpose: Purpose::Feed,
    };
    write_html(&article.document.aside(), &rendering).text
}

/// The permalink, or the author's imported id, unless another item has it.
fn write_guid(
    node: &mut Writer<Vec<u8>>,
    article: &Article,
    link: &str,
    ids: &mut BTreeSet<String>,
) -> io::Result<()> {
    let own = article
        .guid
        .as_deref()
        .map(str::trim)
        .filter(|id| !id.is_empty() && *id != link && !ids.contains(*id));
    let (id, permalink) = own.map_or((link, "true"), |id| (id, "false"));
    ids.insert(id.to_owned());
    node.create_element("guid")
        .with_attribute(("isPermaLink", permalink))
        .write_text_content(BytesText::new(&xml::allowed(id)))?;
    Ok(())
}

#[cfg(test)]
mod tests;
