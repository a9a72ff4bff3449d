//! The articles of feeds: which are the latest, and each as an `<item>`, whole.
//!
//! An article may be in several feeds, so it is written once, and the feeds share its bytes.

use std::hash::Hash;
use std::io;

use bytes::Bytes;
use diglot_content::document::{Purpose, Rendering, write_html};
use diglot_content::fingerprint::Fingerprint;
use diglot_content::memo::Memo;
use diglot_content::tree::TreeIndex;
use diglot_content::{Article, Moment, Site, parallel};
use quick_xml::Writer;
use quick_xml::events::BytesText;
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::{Entry, xml};
use super::XHTML;
use crate::byte_store::ByteStore;
use crate::language::{self, quotes};
use crate::pages::article_cover;
use crate::resource::Digest;

/// The number of articles in a feed.
const LATEST: usize = 20;

/// Written articles by the digest of all that they are written from.
pub type Items = Memo<Written>;

/// An `<item>`.
#[derive(Clone, Debug)]
pub struct Written {
    pub(super) bytes: Bytes,
    pub(super) digest: Digest,
}

/// Writes these articles, each once; by stem.
pub(super) fn write_all<'a>(
    all: &[Item<'a>],
    site: &Site,
    (memo, store): (&Items, &dyn ByteStore),
) -> io::Result<FxHashMap<&'a str, Written>> {
    let ids = ids(all);
    let write = |at: usize| {
        let (item, id) = (&all[at], ids[at]);
        let made = || {
            let text = item_text(site, item, id)?;
            let digest = Digest::hash(&text);
            let bytes = store.keep(&[&text]);
            Ok::<_, io::Error>(Written { bytes, digest })
        };
        let written = memo.try_get(key(site, item, id), made)?;
        Ok((&*item.article.stem, (*written).clone()))
    };
    let written = parallel::map_numbers(all.len(), write);
    written.into_iter().collect()
}

/// A digest of everything that an item is written from.
fn key(site: &Site, item: &Item<'_>, id: Option<&str>) -> diglot_content::fingerprint::Digest {
    let Item { entry, article, .. } = item;
    let names = (&article.authors, &site.author, &article.tags);
    let mut sum = Fingerprint::new();
    (entry.title, entry.summary, entry.url(), article.date, id).hash(&mut sum);
    let quotes = quotes(site, &article.language);
    (names, article.document.digest(), &article.targets).hash(&mut sum);
    (quotes, &article.language, &site.language).hash(&mut sum);
    (&article.image, &article.cover, item.is_ordered).hash(&mut sum);
    sum.digest()
}

/// The author's imported ids; none where it is missing, the permalink, or that of another item.
fn ids<'a>(all: &[Item<'a>]) -> Vec<Option<&'a str>> {
    let mut taken: FxHashSet<String> = FxHashSet::default();
    let mut ids = Vec::with_capacity(all.len());
    for Item { entry, article, .. } in all {
        let link = entry.url();
        let own = article
            .guid
            .as_deref()
            .map(str::trim)
            .filter(|id| !id.is_empty() && *id != link && !taken.contains(*id));
        taken.insert(own.unwrap_or(&link).to_owned());
        ids.push(own);
    }
    ids
}

/// An `<item>` as it is in a channel, after a line break.
fn item_text(site: &Site, item: &Item<'_>, id: Option<&str>) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    xml::writer()?
        .create_element("rss")
        .write_inner_content(|rss| {
            rss.create_element("channel")
                .write_inner_content(|channel| {
                    let start = channel.get_ref().len();
                    let own = &item.article.language;
                    let foreign = (*own != site.language).then_some(("xml:lang", own.as_str()));
                    channel
                        .create_element("item")
                        .with_attributes(foreign)
                        .write_inner_content(|writer| write_item(writer, site, item, id))?;
                    text = channel.get_ref()[start..].to_vec();
                    Ok(())
                })?;
            Ok(())
        })?;
    Ok(text)
}

/// An article of the feed, with the date that orders it.
#[derive(Clone, Copy)]
pub(super) struct Item<'a> {
    pub(super) entry: &'a Entry<'a>,
    pub(super) article: &'a Article,
    date: Option<Moment>,
    /// Whether it is in the order of a guide, which shows no covers.
    is_ordered: bool,
}

/// The latest articles, newest first by date, then slug. Of the translations of a text it includes
/// the one in the site's language, if that may be in the feed. If no article is dated, the last
/// changes order them, and none has a date of publication.
pub(super) fn latest<'a>(mut items: Vec<Item<'a>>, language: &str) -> Vec<Item<'a>> {
    if items.iter().any(|item| item.article.date.is_some()) {
        items.retain(|item| item.article.date.is_some());
    }
    if items
        .iter()
        .any(|item| !item.article.translations.is_empty())
    {
        drop_translations(&mut items, language);
    }
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

/// Keeps of the translations of a text the one in this language, if there is one.
fn drop_translations(items: &mut Vec<Item<'_>>, language: &str) {
    let own: FxHashMap<&str, LanguageMatch> = items
        .iter()
        .filter_map(|item| {
            Some((
                &*item.article.stem,
                LanguageMatch::compare(&item.article.language, language)?,
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
}

/// How an article's language matches the site's: equal, or narrower or wider (`en`, `en-GB`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum LanguageMatch {
    Itself,
    Kin,
}

impl LanguageMatch {
    fn compare(tag: &str, site: &str) -> Option<Self> {
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

pub(super) fn item<'a>(entry: &'a Entry<'a>, tree_index: &TreeIndex<'_>) -> Option<Item<'a>> {
    let article = entry.article?;
    Some(Item {
        entry,
        article,
        date: article
            .date
            .or_else(|| Some(article.updated).filter(Moment::is_known)),
        is_ordered: tree_index.get(&article.stem).is_some(),
    })
}

fn write_item(
    writer: &mut Writer<Vec<u8>>,
    site: &Site,
    item: &Item<'_>,
    id: Option<&str>,
) -> io::Result<()> {
    let Item { entry, article, .. } = item;
    let (link, content) = (entry.url(), content(site, item));
    xml::element(writer, "title", entry.title)?;
    xml::element(writer, "link", &link)?;
    write_guid(writer, id.map_or((&link, "true"), |id| (id, "false")))?;
    if let Some(date) = article.date {
        xml::element(writer, "pubDate", &date.rfc822())?;
    }
    write_view(writer, entry.title, &link, article)?;
    for author in &article.authors {
        xml::element(writer, "dc:creator", author)?;
    }
    if let (Some(author), true) = (&site.author, article.authors.is_empty()) {
        xml::element(writer, "dc:creator", author)?;
    }
    for tag in &article.tags {
        xml::element(writer, "category", &tag.name)?;
    }
    // A summary is plain text, but feed readers parse this element as HTML.
    let summary = if entry.summary.is_empty() {
        entry.title
    } else {
        entry.summary
    };
    xml::element(
        writer,
        "description",
        &quick_xml::escape::minimal_escape(summary),
    )?;
    if !content.trim().is_empty() {
        xml::element(writer, "content:encoded", &content)?;
    }
    write_cover(writer, site, item)
}

/// The cover for lists of articles (Media RSS 1.5.1). An `enclosure` would need the length of the
/// picture, and readers offer it as an attachment.
fn write_cover(writer: &mut Writer<Vec<u8>>, site: &Site, item: &Item<'_>) -> io::Result<()> {
    let target = article_cover::find(item.article, item.is_ordered);
    let Some((url, size)) = target.and_then(|target| article_cover::absolute(&site.base, target))
    else {
        return Ok(());
    };
    let mut element = writer
        .create_element("media:content")
        .with_attribute(("url", url.as_str()))
        .with_attribute(("medium", "image"));
    if let Some((width, height)) = size {
        element = element
            .with_attribute(("width", width.to_string().as_str()))
            .with_attribute(("height", height.to_string().as_str()));
    }
    element.write_empty()?;
    Ok(())
}

/// What a browser shows of an item: a title that can be clicked, and the date as people write it.
/// Feed readers ignore this namespace.
fn write_view(
    writer: &mut Writer<Vec<u8>>,
    title: &str,
    link: &str,
    article: &Article,
) -> io::Result<()> {
    writer
        .create_element("div")
        .with_attribute(("xmlns", XHTML))
        .write_inner_content(|div| {
            div.create_element("a")
                .with_attribute(("href", link))
                .write_text_content(BytesText::new(&xml::allowed(title)))?;
            if let Some(date) = &article.date {
                xml::element(div, "time", &language::date(date, &article.language))?;
            }
            Ok(())
        })?;
    Ok(())
}

/// The article's content as HTML for feed readers, its cover first.
fn content(site: &Site, item: &Item<'_>) -> String {
    let article = item.article;
    let rendering = Rendering {
        base: &site.base,
        stem: &article.stem,
        targets: &article.targets,
        purpose: Purpose::Feed,
        typography: quotes(site, &article.language),
        back: None,
    };
    let text = write_html(&article.document.aside(), &rendering).text;
    let Some((document, targets)) = article_cover::above(article, item.is_ordered) else {
        return text;
    };
    let rendering = Rendering {
        targets: &targets,
        ..rendering
    };
    write_html(&document, &rendering).text + &text
}

fn write_guid(writer: &mut Writer<Vec<u8>>, (id, permalink): (&str, &str)) -> io::Result<()> {
    writer
        .create_element("guid")
        .with_attribute(("isPermaLink", permalink))
        .write_text_content(BytesText::new(&xml::allowed(id)))?;
    Ok(())
}
