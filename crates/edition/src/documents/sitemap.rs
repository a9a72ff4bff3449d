//! `/sitemap.xml` (sitemaps.org 0.9): every page's canonical URL with the day its content last changed. Over the protocol's limits it becomes
//! an index of `/sitemap-{n}.xml`.

use std::io;

use bytes::Bytes;
use diglot_content::Moment;
use quick_xml::Writer;

use super::{Entry, Material, xml};
use crate::resource::Resource;
use crate::route::Route;

const NAMESPACE: (&str, &str) = ("xmlns", "http://www.sitemaps.org/schemas/sitemap/0.9");
/// The protocol's limit of URLs in one file.
const URLS: usize = 50_000;
/// The protocol's limit of bytes in one file is 50 MB; this much of it is used, so that the closing tag fits in any reading of "MB".
const BYTES: usize = 49_000_000;

/// The sitemap, and its parts where there are any.
///
/// # Errors
/// When the XML writer fails, which it does not on memory.
pub fn resources(material: &Material<'_>) -> io::Result<Vec<Resource>> {
    let entries: Vec<&Entry<'_>> = material.entries.iter().filter(|entry| entry.route.in_sitemap()).collect();
    let mut parts = cut(&entries, URLS, BYTES)?;
    if parts.len() <= 1 {
        let whole = parts.pop().map_or_else(|| urlset(&[]), |(_, bytes)| Ok(bytes))?;
        return Ok(vec![Resource::new(Route::Sitemap, whole, material.newest.at)]);
    }
    let numbered: Vec<(Route, Moment, Bytes)> =
        (1..).zip(parts).map(|(number, (newest, bytes))| (Route::SitemapPart(number), newest, bytes)).collect();
    let index = index(material, &numbered)?;
    let parts = numbered.into_iter().map(|(route, newest, bytes)| Resource::new(route, bytes, newest.at));
    Ok(std::iter::once(Resource::new(Route::Sitemap, index, material.newest.at)).chain(parts).collect())
}

/// The URLs in files of at most so many URLs and bytes, each with its newest change.
fn cut(entries: &[&Entry<'_>], urls: usize, bytes: usize) -> io::Result<Vec<(Moment, Bytes)>> {
    let mut parts = Vec::new();
    let mut rows: Vec<(&str, String)> = Vec::new();
    let (mut size, mut newest): (usize, Option<Moment>) = (0, None);
    for entry in entries {
        let row = (entry.url.as_str(), entry.modified.iso());
        // Tags and indentation of one entry take 60 bytes; an `&` in a URL grows by four.
        let length = row.0.len() + row.1.len() + 4 * row.0.matches('&').count() + 64;
        if let Some(moment) = newest.filter(|_| rows.len() == urls || size + length > bytes) {
            parts.push((moment, urlset(&std::mem::take(&mut rows))?));
            (size, newest) = (0, None);
        }
        size += length;
        newest = newest.max(Some(entry.modified));
        rows.push(row);
    }
    if let Some(moment) = newest {
        parts.push((moment, urlset(&rows)?));
    }
    Ok(parts)
}

fn urlset(rows: &[(&str, String)]) -> io::Result<Bytes> {
    list("urlset", "url", rows)
}

fn index(material: &Material<'_>, parts: &[(Route, Moment, Bytes)]) -> io::Result<Bytes> {
    let urls: Vec<String> = parts.iter().map(|(route, ..)| material.site.base.absolute(&route.path())).collect();
    let rows: Vec<(&str, String)> = urls.iter().zip(parts).map(|(url, (_, newest, _))| (url.as_str(), newest.iso())).collect();
    list("sitemapindex", "sitemap", &rows)
}

/// A list of addresses with their dates.
fn list(root: &str, item: &str, rows: &[(&str, String)]) -> io::Result<Bytes> {
    let mut writer = xml::writer()?;
    writer.create_element(root).with_attribute(NAMESPACE).write_inner_content(|list| {
        for (loc, lastmod) in rows {
            list.create_element(item).write_inner_content(|node| write_row(node, loc, lastmod))?;
        }
        Ok(())
    })?;
    Ok(xml::finish(writer))
}

fn write_row(node: &mut Writer<Vec<u8>>, loc: &str, lastmod: &str) -> io::Result<()> {
    xml::element(node, "loc", loc)?;
    xml::element(node, "lastmod", lastmod)
}

#[cfg(test)]
mod tests;
