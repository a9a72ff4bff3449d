//! `/sitemap.xml` (sitemaps.org 0.9): every page's canonical URL with the day its content last changed. Over the protocol's limits it becomes
//! an index of `/sitemap-{n}.xml`.

use std::io;

use bytes::Bytes;
use diglot_content::Moment;
use quick_xml::Writer;
use quick_xml::events::{BytesEnd, BytesStart, Event};

use super::rows::{Old, Rewrite, Row, Rows};
use super::{Entry, Material, xml};
use crate::resource::Resource;
use crate::route::Route;

const NAMESPACE: (&str, &str) = ("xmlns", "http://www.sitemaps.org/schemas/sitemap/0.9");
/// The protocol's limit of URLs in one file.
const URLS: usize = 50_000;
/// The protocol's limit of bytes in one file is 50 MB; this much of it is used, so that the closing tag fits in any reading of "MB".
const BYTES: usize = 49_000_000;

/// The sitemap, and its parts where there are any. `before` are the rows of the edition before; its own are added to `rows`.
///
/// # Errors
/// When the XML writer fails, which it does not on memory.
pub(crate) fn resources(material: &Material<'_>, before: &Rows, rows: &mut Rows) -> io::Result<Vec<Resource>> {
    let parts = cut(&material.entries, (URLS, BYTES), before)?;
    let single = parts.len() == 1;
    let mut list = Vec::with_capacity(parts.len());
    let mut resources = Vec::with_capacity(parts.len() + 1);
    for (number, part) in (1..).zip(parts) {
        let (route, newest) =
            if single { (Route::Sitemap, material.newest) } else { (Route::SitemapPart(number), part.newest.unwrap_or(material.newest)) };
        rows.note(&route, part.rows);
        list.push((route.clone(), newest));
        resources.push(part.text.finish(route, newest.at));
    }
    if !single {
        resources.insert(0, Resource::new(Route::Sitemap, index(material, &list)?, material.newest.at));
    }
    Ok(resources)
}

/// One file of URLs.
struct Part<'r> {
    text: Rewrite<'r>,
    urls: usize,
    newest: Option<Moment>,
    rows: Vec<Row>,
}

impl<'r> Part<'r> {
    /// The file with this number, for up to so many URLs.
    fn begun(before: &'r Rows, number: usize, room: usize, head: &[u8]) -> Self {
        let mut text = Rewrite::of(before, number, 0);
        text.push(head);
        Self { text, urls: 0, newest: None, rows: Vec::with_capacity(room) }
    }

    /// Adds a URL by its row of the edition before, else by this one.
    fn add(&mut self, entry: &Entry<'_>, old: Option<Old<'r>>, row: &[u8]) {
        let start = self.text.len();
        match old {
            Some(old) => self.text.row(old),
            None => self.text.push(row),
        }
        self.urls += 1;
        self.newest = self.newest.max(Some(entry.modified));
        self.rows.extend(Row::of(entry, start, self.text.len(), [0; 2]));
    }
}

/// Cuts the URLs into files of at most so many of them, and so many bytes: at least one file.
fn cut<'r>(entries: &[Entry<'_>], (urls, bytes): (usize, usize), before: &'r Rows) -> io::Result<Vec<Part<'r>>> {
    let mut known = before.known();
    let (head, tail) = frame()?;
    // It writes nothing but rows, one at a time, as they stand in a list.
    let mut scratch = begun()?;
    let begun = |number: usize| Part::begun(before, number, entries.len().min(urls), &head);
    let (mut parts, mut part) = (Vec::new(), begun(0));
    for entry in entries {
        let old = known.find(entry);
        if old.is_none() {
            scratch.get_mut().clear();
            write_row(&mut scratch, "url", &entry.url(), &entry.modified.iso())?;
        }
        let row = scratch.get_ref();
        let size = part.text.len() + old.map_or(row.len(), Old::len);
        if part.urls > 0 && (part.urls == urls || size > bytes) {
            parts.push(std::mem::replace(&mut part, begun(parts.len() + 1)));
        }
        part.add(entry, old, row);
    }
    parts.push(part);
    parts.iter_mut().for_each(|part| part.text.push(&tail));
    Ok(parts)
}

/// A file of URLs before its first one.
fn begun() -> io::Result<Writer<Vec<u8>>> {
    let mut writer = xml::writer()?;
    writer.write_event(Event::Start(root("urlset")))?;
    Ok(writer)
}

/// What stands before and behind the rows of a file.
fn frame() -> io::Result<(Vec<u8>, Vec<u8>)> {
    let mut writer = begun()?;
    let head = writer.get_ref().clone();
    writer.write_event(Event::End(BytesEnd::new("urlset")))?;
    let mut whole = xml::finish(writer).to_vec();
    let tail = whole.split_off(head.len());
    Ok((head, tail))
}

/// The list of all files.
fn index(material: &Material<'_>, parts: &[(Route, Moment)]) -> io::Result<Bytes> {
    let mut writer = xml::writer()?;
    writer.write_event(Event::Start(root("sitemapindex")))?;
    for (route, newest) in parts {
        write_row(&mut writer, "sitemap", &material.site.base.absolute(&route.path()), &newest.iso())?;
    }
    writer.write_event(Event::End(BytesEnd::new("sitemapindex")))?;
    Ok(xml::finish(writer))
}

fn root(name: &str) -> BytesStart<'_> {
    BytesStart::new(name).with_attributes([NAMESPACE])
}

/// One address with its date.
fn write_row(writer: &mut Writer<Vec<u8>>, item: &str, loc: &str, lastmod: &str) -> io::Result<()> {
    writer.create_element(item).write_inner_content(|node| {
        xml::element(node, "loc", loc)?;
        xml::element(node, "lastmod", lastmod)
    })?;
    Ok(())
}

#[cfg(test)]
mod tests;
