//! `/sitemap.xml` (sitemaps.org 0.9): the canonical URL of every page with the day of its last change.
//! Above the protocol's limits it becomes an index of `/sitemap-{n}.xml`.

use std::io;

use bytes::Bytes;
use diglot_content::memo::Memo;
use diglot_content::{Moment, parallel};
use quick_xml::Writer;
use quick_xml::events::{BytesEnd, BytesStart, Event};

use super::{Entry, Material, rows, xml};
use crate::resource::Resource;
use crate::route::Route;

const NAMESPACE: (&str, &str) = ("xmlns", "http://www.sitemaps.org/schemas/sitemap/0.9");
/// The protocol's limit of URLs in one file.
const URLS: usize = 50_000;
/// The protocol's limit is 50 MB per file. This leaves room for the closing tag in any reading of
/// "MB".
const BYTES: usize = 49_000_000;

/// The sitemap and its parts, if any. `memo` has chunks of rows of earlier editions.
///
/// # Errors
/// If the XML writer fails; in memory it does not.
pub(crate) fn resources(
    material: &Material<'_>,
    memo: &Memo<Box<[u8]>>,
) -> io::Result<Vec<Resource>> {
    let is_in = |entry: &&Entry<'_>| entry.article.is_none_or(|text| text.indexed.sitemap);
    let entries: Vec<&Entry<'_>> = material.entries.iter().filter(is_in).collect();
    let mut parts = cut(&entries, memo, (URLS, BYTES))?;
    let sitemap = |text| Resource::new(Route::Sitemap, text, material.newest.at);
    if let [part] = &mut parts[..] {
        return Ok(vec![sitemap(Bytes::from(std::mem::take(&mut part.text)))]);
    }
    let (mut list, mut files) = (Vec::new(), Vec::new());
    for (number, part) in (1..).zip(parts) {
        let route = Route::SitemapPart(number);
        let newest = part.newest.unwrap_or(material.newest);
        list.push((route.clone(), newest));
        files.push(Resource::new(route, Bytes::from(part.text), newest.at));
    }
    let mut resources = vec![sitemap(index(material, &list)?)];
    resources.append(&mut files);
    Ok(resources)
}

/// A file of URLs.
#[derive(Clone)]
struct Part {
    text: Vec<u8>,
    urls: usize,
    newest: Option<Moment>,
}

/// Cuts the URLs into files of whole chunks, within these limits of URLs and bytes: at least one
/// file.
fn cut(
    entries: &[&Entry<'_>],
    memo: &Memo<Box<[u8]>>,
    (urls, bytes): (usize, usize),
) -> io::Result<Vec<Part>> {
    let (head, tail) = frame()?;
    let empty = Part {
        text: head,
        urls: 0,
        newest: None,
    };
    let (mut parts, mut part) = (Vec::new(), empty.clone());
    let write = |_, chunk| memo.try_get(rows::key(chunk), || write_rows(chunk));
    let written = parallel::map_chunks(entries, rows::CHUNK, write);
    for (chunk, text) in entries.chunks(rows::CHUNK).zip(written) {
        let text = text?;
        if part.urls > 0 && (part.urls + chunk.len() > urls || part.text.len() + text.len() > bytes)
        {
            parts.push(std::mem::replace(&mut part, empty.clone()));
        }
        part.text.extend_from_slice(&text);
        part.urls += chunk.len();
        part.newest = chunk
            .iter()
            .map(|entry| entry.modified)
            .max()
            .max(part.newest);
    }
    parts.push(part);
    for part in &mut parts {
        part.text.extend(&tail);
    }
    Ok(parts)
}

/// The rows of some entries. One writer writes all, for the indentation of a whole list.
fn write_rows(entries: &[&Entry<'_>]) -> io::Result<Box<[u8]>> {
    let mut writer = begun()?;
    writer.get_mut().clear();
    for entry in entries {
        write_row(&mut writer, "url", &entry.url(), &entry.modified.iso())?;
    }
    Ok(writer.into_inner().into())
}

/// A file up to its first URL.
fn begun() -> io::Result<Writer<Vec<u8>>> {
    let mut writer = xml::writer()?;
    writer.write_event(Event::Start(root("urlset")))?;
    Ok(writer)
}

/// The text before and after the rows of a file.
fn frame() -> io::Result<(Vec<u8>, Vec<u8>)> {
    let mut writer = begun()?;
    let head = writer.get_ref().clone();
    writer.write_event(Event::End(BytesEnd::new("urlset")))?;
    let mut whole = xml::finish(writer).to_vec();
    let tail = whole.split_off(head.len());
    Ok((head, tail))
}

/// The index of all files.
fn index(material: &Material<'_>, parts: &[(Route, Moment)]) -> io::Result<Bytes> {
    let mut writer = xml::writer()?;
    writer.write_event(Event::Start(root("sitemapindex")))?;
    for (route, newest) in parts {
        write_row(
            &mut writer,
            "sitemap",
            &material.site.base.absolute(&route.path()),
            &newest.iso(),
        )?;
    }
    writer.write_event(Event::End(BytesEnd::new("sitemapindex")))?;
    Ok(xml::finish(writer))
}

fn root(name: &str) -> BytesStart<'_> {
    BytesStart::new(name).with_attributes([NAMESPACE])
}

/// Writes a URL with its date.
fn write_row(writer: &mut Writer<Vec<u8>>, item: &str, loc: &str, lastmod: &str) -> io::Result<()> {
    writer.create_element(item).write_inner_content(|node| {
        xml::element(node, "loc", loc)?;
        xml::element(node, "lastmod", lastmod)
    })?;
    Ok(())
}

#[cfg(test)]
mod tests;
