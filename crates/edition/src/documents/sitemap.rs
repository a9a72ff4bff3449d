//! `/sitemap.xml` (sitemaps.org 0.9): every page's canonical URL with the day its content last changed. Over the protocol's limits it becomes
//! an index of `/sitemap-{n}.xml`.

use std::io;
use std::sync::Arc;

use bytes::Bytes;
use diglot_content::Moment;
use diglot_content::memo::Memo;
use quick_xml::Writer;
use quick_xml::events::{BytesEnd, BytesStart, Event};

use super::rows::{self, Chunk};
use super::{Entry, Material, xml};
use crate::resource::Resource;
use crate::route::Route;

const NAMESPACE: (&str, &str) = ("xmlns", "http://www.sitemaps.org/schemas/sitemap/0.9");
/// The protocol's limit of URLs in one file.
const URLS: usize = 50_000;
/// The protocol's limit of bytes in one file is 50 MB; this much of it is used, so that the closing tag fits in any reading of "MB".
const BYTES: usize = 49_000_000;

/// The sitemap, and its parts where there are any; `memo` holds the rows of the edition before.
///
/// # Errors
/// When the XML writer fails, which it does not on memory.
pub(crate) fn resources(material: &Material<'_>, memo: &Memo<Chunk>) -> io::Result<Vec<Resource>> {
    let entries: Vec<&Entry<'_>> = material.entries.iter().collect();
    let chunks = rows::chunks(memo, &material.site.base.to_string(), &entries, chunk);
    let parts = cut(&chunks, &entries, (URLS, BYTES))?;
    let single = parts.len() == 1;
    let mut list = Vec::with_capacity(parts.len());
    let mut resources = Vec::with_capacity(parts.len() + 1);
    for (number, part) in (1..).zip(parts) {
        let (route, newest) =
            if single { (Route::Sitemap, material.newest) } else { (Route::SitemapPart(number), part.newest.unwrap_or(material.newest)) };
        list.push((route.clone(), newest));
        resources.push(Resource::new(route, Bytes::from(part.text), newest.at));
    }
    if !single {
        resources.insert(0, Resource::new(Route::Sitemap, index(material, &list)?, material.newest.at));
    }
    Ok(resources)
}

/// One file of URLs.
struct Part {
    text: Vec<u8>,
    urls: usize,
    newest: Option<Moment>,
}

/// Cuts the URLs into files of at most so many of them, and so many bytes, whole chunks each: at least one file.
fn cut(chunks: &[Arc<Chunk>], entries: &[&Entry<'_>], (urls, bytes): (usize, usize)) -> io::Result<Vec<Part>> {
    let (head, tail) = frame()?;
    let empty = || Part { text: head.clone(), urls: 0, newest: None };
    let (mut parts, mut part, mut entries) = (Vec::new(), empty(), entries.iter());
    for chunk in chunks {
        if part.urls > 0 && (part.urls + chunk.rows > urls || part.text.len() + chunk.text.len() > bytes) {
            parts.push(std::mem::replace(&mut part, empty()));
        }
        part.text.extend_from_slice(chunk.text.as_bytes());
        part.urls += chunk.rows;
        part.newest = entries.by_ref().take(chunk.rows).map(|entry| entry.modified).max().max(part.newest);
    }
    parts.push(part);
    parts.iter_mut().for_each(|part| part.text.extend_from_slice(&tail));
    Ok(parts)
}

/// The rows of some entries. One writer writes all, which indents them as in a whole list.
fn chunk(entries: &[&Entry<'_>]) -> Chunk {
    let mut text = String::new();
    if let Ok(mut writer) = begun() {
        writer.get_mut().clear();
        // Writing to memory does not fail.
        let _ = entries.iter().try_for_each(|entry| write_row(&mut writer, "url", &entry.url(), &entry.modified.iso()));
        text = String::from_utf8_lossy(writer.get_ref()).into_owned();
    }
    Chunk { text, rows: entries.len() }
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
