//! `/sitemap.xml` (sitemaps.org 0.9): every page's canonical URL with the day its content last changed. Over the protocol's limits it becomes
//! an index of `/sitemap-{n}.xml`.

use std::io;

use bytes::Bytes;
use diglot_content::Moment;
use quick_xml::Writer;
use quick_xml::events::{BytesEnd, BytesStart, Event};

use super::rows::Rows;
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
    let entries: Vec<&Entry<'_>> = material.entries.iter().filter(|entry| entry.route.in_sitemap()).collect();
    let mut parts = cut(&entries, (URLS, BYTES), before)?;
    if parts.len() <= 1 {
        let whole = match parts.pop() {
            Some(part) => part.noted(&Route::Sitemap, rows),
            None => Part::new()?.finished()?.text,
        };
        return Ok(vec![Resource::new(Route::Sitemap, whole, material.newest.at)]);
    }
    let numbered = (1..).zip(parts).map(|(number, part)| {
        let route = Route::SitemapPart(number);
        (route.clone(), part.newest.unwrap_or(material.newest), part.noted(&route, rows))
    });
    let numbered: Vec<(Route, Moment, Bytes)> = numbered.collect();
    let index = index(material, &numbered)?;
    let parts = numbered.into_iter().map(|(route, newest, bytes)| Resource::new(route, bytes, newest.at));
    Ok(std::iter::once(Resource::new(Route::Sitemap, index, material.newest.at)).chain(parts).collect())
}

/// One file of URLs.
struct Part<'e> {
    writer: Writer<Vec<u8>>,
    newest: Option<Moment>,
    /// The entries in it, and where the row of each begins and ends.
    rows: Vec<(&'e Entry<'e>, usize, usize)>,
}

/// One file of URLs, written.
struct Finished<'e> {
    text: Bytes,
    newest: Option<Moment>,
    rows: Vec<(&'e Entry<'e>, usize, usize)>,
}

impl<'e> Part<'e> {
    fn new() -> io::Result<Self> {
        let mut writer = xml::writer()?;
        writer.write_event(Event::Start(root("urlset")))?;
        Ok(Self { writer, newest: None, rows: Vec::new() })
    }

    /// One for about so many URLs and bytes.
    fn with_room((urls, bytes): (usize, usize)) -> io::Result<Self> {
        let mut part = Self::new()?;
        part.rows.reserve(urls);
        part.writer.get_mut().reserve(bytes);
        Ok(part)
    }

    fn add(&mut self, entry: &'e Entry<'e>, row: &[u8]) {
        let start = self.writer.get_ref().len();
        self.writer.get_mut().extend_from_slice(row);
        self.newest = self.newest.max(Some(entry.modified));
        self.rows.push((entry, start, start + row.len()));
    }

    fn finished(mut self) -> io::Result<Finished<'e>> {
        self.writer.write_event(Event::End(BytesEnd::new("urlset")))?;
        Ok(Finished { text: xml::finish(self.writer), newest: self.newest, rows: self.rows })
    }
}

impl Finished<'_> {
    /// The text of the file with this route; its rows are noted.
    fn noted(self, route: &Route, rows: &mut Rows) -> Bytes {
        rows.document(route);
        self.rows.iter().for_each(|(entry, start, end)| rows.note(entry, *start, *end, 0));
        self.text
    }
}

/// The URLs in files of at most so many URLs and bytes.
fn cut<'e>(entries: &[&'e Entry<'e>], (urls, bytes): (usize, usize), before: &Rows) -> io::Result<Vec<Finished<'e>>> {
    let mut known = before.known();
    // It writes nothing but rows, one at a time, as they stand in a list.
    let mut scratch = Part::new()?.writer;
    let room = (entries.len().min(urls), before.room().min(bytes));
    let (mut parts, mut part) = (Vec::new(), Part::with_room(room)?);
    for entry in entries {
        let row = match known.find(entry) {
            Some((row, _)) => row.as_bytes(),
            None => {
                scratch.get_mut().clear();
                write_row(&mut scratch, "url", &entry.url(), &entry.modified.iso())?;
                scratch.get_ref()
            }
        };
        let size = part.writer.get_ref().len() + row.len();
        if !part.rows.is_empty() && (part.rows.len() == urls || size > bytes) {
            parts.push(std::mem::replace(&mut part, Part::with_room(room)?).finished()?);
        }
        part.add(entry, row);
    }
    if !part.rows.is_empty() {
        parts.push(part.finished()?);
    }
    Ok(parts)
}

/// The list of all files.
fn index(material: &Material<'_>, parts: &[(Route, Moment, Bytes)]) -> io::Result<Bytes> {
    let mut writer = xml::writer()?;
    writer.write_event(Event::Start(root("sitemapindex")))?;
    for (route, newest, _) in parts {
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
