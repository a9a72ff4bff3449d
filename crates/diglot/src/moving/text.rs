//! What is compared of a page: its text without what is around it.

use diglot_content::date::{Moment, Written, read};
use diglot_content::html::{Page, parse_page};

/// The text of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    /// What may be its title: the first heading, then the names in its head.
    pub titles: Vec<String>,
    /// Its headings, in order, without the one that is its title.
    pub headings: Vec<String>,
    /// Its paragraphs, lines of code, cells and so on, in order.
    pub blocks: Vec<String>,
    /// Its images.
    pub images: Vec<Image>,
    /// The text and the address of its links.
    pub links: Vec<(String, String)>,
    /// When it was published, as it says.
    pub date: Option<Moment>,
    /// Its canonical address.
    pub canonical: Option<String>,
    /// Where it sends its readers at once.
    pub redirect: Option<String>,
    /// Names that are about the text, not of it: its authors and tags.
    pub about: Vec<String>,
}

/// An image of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// The alternative text.
    pub alt: String,
    /// The address, as written.
    pub address: String,
}

impl Text {
    /// Reads a page.
    pub fn parse(html: &str) -> Self {
        let mut page = parse_page(html);
        let title = page.document.take_title(None);
        let names = [&page.names.og_title, &page.names.title];
        let titles = title
            .into_iter()
            .chain(names.into_iter().flatten().cloned());
        let images = page.document.images().into_iter();
        let links = page.document.links().into_iter();
        Self {
            titles: titles.collect(),
            headings: page
                .document
                .headings()
                .into_iter()
                .map(|heading| heading.text)
                .collect(),
            blocks: page
                .document
                .plain_text()
                .lines()
                .filter(|line| !line.trim().is_empty())
                .map(str::to_owned)
                .collect(),
            images: images
                .map(|(alt, address)| Image {
                    alt: alt.to_owned(),
                    address: address.to_owned(),
                })
                .collect(),
            links: links
                .map(|(text, address)| (text, address.to_owned()))
                .collect(),
            date: page.date.as_deref().and_then(moment),
            about: about(&page),
            canonical: page.canonical,
            redirect: page.redirect,
        }
    }

    /// Its title.
    pub fn title(&self) -> &str {
        self.titles.first().map_or("", String::as_str)
    }
}

fn about(page: &Page) -> Vec<String> {
    page.authors.iter().chain(&page.tags).cloned().collect()
}

/// A date that is certain.
pub fn moment(text: &str) -> Option<Moment> {
    match read(text) {
        Ok(Written::Moment(moment)) => Some(moment),
        Ok(Written::Slashed(_)) | Err(_) => None,
    }
}

/// The letters and digits of a text, in lower case.
pub fn letters(text: &str) -> String {
    let letters = text.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}
