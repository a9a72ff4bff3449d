//! The edition of the folder, as the new site will answer.

use std::collections::BTreeMap;
use std::sync::Arc;

use diglot_content::date::{Moment, Precision};
use diglot_content::encoding::encode_path;
use diglot_content::library::Article;
use diglot_content::{Library, parallel};
use diglot_edition::{Edition, Form, Route};
use diglot_http::{Payload, respond};
use http::Response;
use http::header::{CONTENT_TYPE, HeaderName, LOCATION};

use super::LONGEST_CHAIN;
use super::site_base::SiteBase;
use super::text::Text;
use super::words::Grams;
use crate::progress;

/// The pages and answers of an edition.
pub struct Ours<'e> {
    edition: &'e Edition,
    /// The path of the base URL, percent-encoded.
    prefix: String,
    /// The site under its own names.
    base: SiteBase,
    /// The texts, by their paths.
    pub texts: BTreeMap<String, OurText>,
    /// Published files, by their names in lower case: the path, if there is one of the name.
    files: BTreeMap<String, Option<String>>,
}

/// A text of the folder.
#[derive(Clone, Debug)]
pub struct OurText {
    /// Its file in the folder.
    pub file: String,
    /// Its title.
    pub title: String,
    /// When it was published.
    pub date: Option<Moment>,
    /// Its id in the feed; `None`: it is in no feed.
    pub id: Option<String>,
    /// The names of its authors and tags.
    pub about: Vec<String>,
    /// What is compared of it.
    pub text: Text,
    /// Its words.
    pub grams: Grams,
}

/// How the edition answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// With a page or a file; this is its path, after redirects.
    Here(String),
    /// With a redirect to another site.
    Elsewhere(String),
    /// Not at all: the status.
    Nothing(u16),
}

impl<'e> Ours<'e> {
    /// Reads the pages of an edition, which was built from this library.
    pub fn new(edition: &'e Edition, library: &Library) -> Self {
        let address = diglot_audit::Address::new(&edition.site.base.to_string());
        let mut ours = Self {
            edition,
            prefix: encode_path(edition.site.base.path()),
            base: SiteBase::new(&address, None),
            texts: BTreeMap::new(),
            files: BTreeMap::new(),
        };
        for file in &library.files {
            let name = file_name(&file.path).to_lowercase();
            let path = encode_path(&file.path);
            let several = ours.files.insert(name.clone(), Some(path)).is_some();
            if several {
                ours.files.insert(name, None);
            }
        }
        let articles = library.articles.iter().map(|article| (article, true));
        let pages = library.pages.iter().map(|page| (page, false));
        let all: Vec<(&Arc<Article>, bool)> = articles.chain(pages).collect();
        let total = all.len();
        let texts = parallel::map(&all, |(article, in_feed)| {
            progress::step("reading pages of the folder", total);
            ours.text(article, *in_feed)
        });
        ours.texts = texts.into_iter().collect();
        ours
    }

    fn text(&self, article: &Article, in_feed: bool) -> (String, OurText) {
        let decoded = Route::of_stem(&article.stem, Form::Html).canonical_path();
        let path = encode_path(&decoded);
        let text = Text::parse(&self.page(&path));
        let about: Vec<String> = article
            .authors
            .iter()
            .cloned()
            .chain(article.tags.iter().map(|tag| tag.name.to_string()))
            .chain(self.edition.site.author.iter().map(ToString::to_string))
            .collect();
        let mut grams = Grams::default();
        grams.add(text.blocks.iter().map(String::as_str));
        grams.add([&*article.title]);
        let permalink = self.edition.site.base.absolute(&decoded);
        let ours = OurText {
            file: article.source.to_string(),
            title: article.title.to_string(),
            date: article
                .date
                .filter(|date| date.precision != Precision::File),
            id: in_feed.then(|| article.guid.clone().unwrap_or(permalink)),
            about,
            text,
            grams,
        };
        (path, ours)
    }

    /// The page at a path, if it is answered at once; empty if there is none.
    fn page(&self, path: &str) -> String {
        let Some(response) = self.request(path).filter(|it| it.status() == 200) else {
            return String::new();
        };
        match field(&response, CONTENT_TYPE).starts_with("text/html") {
            true => String::from_utf8_lossy(&response.body().to_bytes()).into_owned(),
            false => String::new(),
        }
    }

    fn request(&self, path: &str) -> Option<Response<Payload>> {
        let target = [&self.prefix, path].concat();
        let request = http::Request::get(target).header("accept", "text/html,*/*;q=0.8");
        Some(respond(self.edition, &request.body(()).ok()?))
    }

    /// What the edition answers for a path, with the redirects that are planned.
    pub fn reply(&self, path: &str) -> Reply {
        let mut path = path.to_owned();
        for _ in 0..LONGEST_CHAIN {
            let Some(response) = self.request(&path) else {
                return Reply::Nothing(400);
            };
            let location = field(&response, LOCATION);
            match response.status().as_u16() {
                200 => return Reply::Here(canonical(path)),
                301 | 302 | 303 | 307 | 308 => match self.base.resolve(location, &path) {
                    Some(next) => path = next,
                    None => return Reply::Elsewhere(location.to_owned()),
                },
                status => return Reply::Nothing(status),
            }
        }
        Reply::Nothing(508)
    }

    /// The words of the page at a path.
    pub fn grams_at(&self, path: &str) -> Grams {
        let text = Text::parse(&self.page(path));
        let mut grams = Grams::default();
        grams.add(text.blocks.iter().map(String::as_str));
        grams.add([text.title()]);
        grams
    }

    /// Whether a path is answered.
    pub fn answers(&self, path: &str) -> bool {
        !matches!(self.reply(path), Reply::Nothing(_))
    }

    /// The path of the only published file of this name.
    pub fn file_named(&self, name: &str) -> Option<&str> {
        self.files.get(&name.to_lowercase())?.as_deref()
    }

    /// Whether the image at this address, on the page at `path`, is answered; so is one of another
    /// site.
    pub fn shows(&self, address: &str, path: &str) -> bool {
        let own = self.base.resolve(address, path);
        own.is_none_or(|own| self.answers(&own))
    }
}

/// The value of a header field; empty if absent.
fn field(response: &Response<Payload>, name: HeaderName) -> &str {
    let value = response.headers().get(name);
    value
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
}

/// The path of the page that is answered: `/` and `/index.html` are one.
fn canonical(path: String) -> String {
    match path.as_str() {
        "/index.html" => "/".to_owned(),
        _ => path.split('?').next().unwrap_or_default().to_owned(),
    }
}

/// The last part of a path.
pub fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}
