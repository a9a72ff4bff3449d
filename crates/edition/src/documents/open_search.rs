//! `/opensearch.xml` (OpenSearch 1.1): how browsers and other clients search this site.

use std::io;

use quick_xml::Writer;

use super::text::{one_line, shorten};
use super::{Material, xml};
use crate::policy;
use crate::resource::Resource;
use crate::route::{Form, Route};

const NAMESPACE: &str = "http://a9.com/-/spec/opensearch/1.1/";
/// The most characters of the name, by the specification.
const SHORT: usize = 16;
/// The most characters of the long name.
const LONG: usize = 48;
/// The most characters of the description.
const DESCRIPTION: usize = 1024;

/// The description of the search; nothing without one.
///
/// # Errors
/// If the XML writer fails; in memory it does not.
pub(crate) fn resource(material: &Material<'_>) -> io::Result<Option<Resource>> {
    if !material.open_search {
        return Ok(None);
    }
    let mut writer = xml::writer()?;
    writer
        .create_element("OpenSearchDescription")
        .with_attribute(("xmlns", NAMESPACE))
        .write_inner_content(|writer| write(writer, material))?;
    let at = policy::words_date(material.now).at;
    Ok(Some(Resource::new(
        Route::OpenSearch,
        xml::finish(writer),
        at,
    )))
}

fn write(writer: &mut Writer<Vec<u8>>, material: &Material<'_>) -> io::Result<()> {
    let site = material.site;
    let description = match site.description.as_str() {
        "" => &site.title,
        description => description,
    };
    xml::element(writer, "ShortName", &cut(&site.title, SHORT))?;
    xml::element(writer, "LongName", &cut(&site.title, LONG))?;
    xml::element(writer, "Description", &cut(description, DESCRIPTION))?;
    write_addresses(writer, material)?;
    xml::element(writer, "Language", &site.language)?;
    xml::element(writer, "InputEncoding", "UTF-8")?;
    xml::element(writer, "OutputEncoding", "UTF-8")
}

/// The addresses of the search in both forms, and that of this document.
fn write_addresses(writer: &mut Writer<Vec<u8>>, material: &Material<'_>) -> io::Result<()> {
    let search = |form| format!("{}?q={{searchTerms}}", url(material, &Route::Search(form)));
    for form in [Form::Html, Form::Markdown] {
        let media = match form {
            Form::Html => "text/html",
            Form::Markdown => "text/markdown",
        };
        writer
            .create_element("Url")
            .with_attribute(("type", media))
            .with_attribute(("template", search(form).as_str()))
            .write_empty()?;
    }
    writer
        .create_element("Url")
        .with_attribute(("type", Route::OpenSearch.media_type()))
        .with_attribute(("rel", "self"))
        .with_attribute(("template", url(material, &Route::OpenSearch).as_str()))
        .write_empty()?;
    Ok(())
}

fn url(material: &Material<'_>, route: &Route) -> String {
    material.site.base.absolute(&route.path())
}

/// A text of at most so many characters.
fn cut(text: &str, most: usize) -> String {
    shorten(&one_line(text), most).chars().take(most).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{World, text};

    #[test]
    fn it_names_the_search_in_both_forms() {
        let mut world = World::new(vec![]);
        world.site.title = "Notes & Queries of a reader".into();
        let material = world.material();
        let written = text(&resource(&material).unwrap().unwrap().body);
        for part in [
            "<OpenSearchDescription xmlns=\"http://a9.com/-/spec/opensearch/1.1/\">",
            "<ShortName>Notes &amp; ",
            "<LongName>Notes &amp; Queries of a reader</LongName>",
            "<Url type=\"text/html\" template=\"https://example.org/search.html?q={searchTerms}\"/>",
            "<Url type=\"text/markdown\" template=\"https://example.org/search.md?q={searchTerms}\"/>",
            "rel=\"self\" template=\"https://example.org/opensearch.xml\"/>",
        ] {
            assert!(written.contains(part), "{part}: {written}");
        }
        let name = written
            .split("ShortName>")
            .nth(1)
            .unwrap()
            .replace("&amp;", "&");
        assert!(
            name.trim_end_matches("</").chars().count() <= SHORT,
            "{name}"
        );
        let silent = Material {
            open_search: false,
            ..world.material()
        };
        assert!(resource(&silent).unwrap().is_none());
    }
}
