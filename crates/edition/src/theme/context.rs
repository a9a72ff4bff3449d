//! What templates are given: `site`, `page` and `words`. This is the interface of themes; fields
//! are added, never renamed.
//!
//! Text is escaped when it is printed; fields that hold markup say so and are printed as they
//! stand. URLs that people follow are root-relative, so that a preview stays local; URLs in
//! `<head>` are absolute.

use std::collections::BTreeMap;

use minijinja::Value;
use serde::Serialize;

/// `site`: what is the same on every page.
#[derive(Clone, Debug, Serialize)]
pub struct SiteContext {
    /// The site's name.
    pub title: String,
    /// One sentence about the site; may be empty.
    pub description: String,
    /// BCP 47.
    pub language: String,
    /// The home page, absolute, with a closing slash.
    pub url: String,
    /// The home page, root-relative.
    pub home: String,
    /// `/articles/index.html`, root-relative.
    pub articles: String,
    /// `/rss.xml`, root-relative.
    pub feed: String,
    /// `/rss.xml`, absolute.
    pub feed_url: String,
    /// `/llms.txt`, root-relative.
    pub llms: String,
    /// `/llms.txt`, absolute.
    pub llms_url: String,
    /// `/sitemap.md`, root-relative.
    pub sitemap: String,
    /// `/api.html`, root-relative.
    pub api: String,
    /// `/terms.html`, root-relative.
    pub terms: String,
    /// The published address (root-relative) of every file of the theme, by its name:
    /// `site.assets['main.css']`.
    pub assets: BTreeMap<String, String>,
    /// The icon's address, root-relative: the author's `favicon.ico`, `.svg` or `.png`, else the
    /// theme's `icon.svg`.
    pub icon: String,
    /// The author's pages at the top of the site, by weight, then path.
    pub pages: Vec<LinkContext>,
}

/// `page`: what is this page's own.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PageContext {
    /// `home`, `article`, `page`, `list` or `error`.
    pub kind: &'static str,
    /// The heading: plain text.
    pub title: String,
    /// The heading's id, where the author's document had one and links may name it.
    pub title_id: Option<String>,
    /// What stands in `<title>`: the heading and the site's name.
    pub head_title: String,
    /// One or two sentences; may be empty.
    pub description: String,
    /// BCP 47.
    pub language: String,
    /// `ltr` or `rtl`.
    pub dir: &'static str,
    /// The canonical URL, absolute; none on error pages, which no search engine is to keep.
    pub canonical: Option<String>,
    /// The Markdown form, root-relative; none on error pages.
    pub markdown: Option<String>,
    /// The Markdown form, absolute; none on error pages.
    pub markdown_url: Option<String>,
    /// This page and its translations, this page included; empty when there is no other.
    pub translations: Vec<TranslationContext>,
    /// Open Graph.
    pub graph: GraphContext,
    /// JSON-LD, ready to stand in a `<script>`; none on pages that have no data.
    pub json_ld: Option<Value>,
    /// The content: markup.
    pub content: Value,
    /// The headings of a long article, for a contents list; empty for a short one.
    pub contents: Vec<HeadingContext>,
    /// When it was published.
    pub date: Option<DateContext>,
    /// When it last changed, if that is another day than it was published.
    pub updated: Option<DateContext>,
    /// Who wrote it.
    pub authors: Vec<String>,
    /// Its tags.
    pub tags: Vec<LinkContext>,
    /// Reading time in minutes, for an article.
    pub minutes: Option<usize>,
    /// The article before this one in time.
    pub previous: Option<LinkContext>,
    /// The article after this one in time.
    pub next: Option<LinkContext>,
    /// Articles with the same tags, at most four.
    pub related: Vec<LinkContext>,
    /// Lists of articles, after the content.
    pub groups: Vec<GroupContext>,
    /// Every tag of the site on the list of all articles, the most used other ones on a tag's.
    pub all_tags: Vec<LinkContext>,
}

/// A link of this site.
#[derive(Clone, Debug, Serialize)]
pub struct LinkContext {
    /// What it is called.
    pub title: String,
    /// Where it leads, root-relative.
    pub url: String,
    /// Its language where that is not the page's.
    pub language: Option<String>,
    /// How many articles are behind it, for a tag.
    pub count: Option<usize>,
}

/// The same content in one language.
#[derive(Clone, Debug, Serialize)]
pub struct TranslationContext {
    /// BCP 47.
    pub language: String,
    /// The language's own name where it is known, else the tag.
    pub name: String,
    /// Absolute.
    pub url: String,
    /// Root-relative.
    pub href: String,
    /// Whether it is this page.
    pub current: bool,
}

/// Open Graph.
#[derive(Clone, Debug, Default, Serialize)]
pub struct GraphContext {
    /// `article` or `website`.
    pub kind: &'static str,
    /// `pt_BR`, `en`.
    pub locale: String,
    /// A picture that stands for the page.
    pub image: Option<ImageContext>,
}

/// A picture that stands for a page.
#[derive(Clone, Debug, Serialize)]
pub struct ImageContext {
    /// Absolute.
    pub url: String,
    /// In pixels.
    pub width: Option<u32>,
    /// In pixels.
    pub height: Option<u32>,
}

/// A heading in a contents list.
#[derive(Clone, Debug, Serialize)]
pub struct HeadingContext {
    /// 2 or 3.
    pub level: u8,
    /// `#` and the heading's id, percent-encoded.
    pub href: String,
    /// Plain text.
    pub text: String,
}

/// A date in two spellings.
#[derive(Clone, Debug, Serialize)]
pub struct DateContext {
    /// ISO 8601, for `datetime`.
    pub iso: String,
    /// In the words of the page's language, else the ISO day.
    pub text: String,
}

/// A list of articles under one heading.
#[derive(Clone, Debug, Serialize)]
pub struct GroupContext {
    /// The heading; none when the page's own heading says it.
    pub title: Option<String>,
    /// The language of the heading where it is not the page's.
    pub language: Option<String>,
    /// Where the heading leads, root-relative.
    pub url: Option<String>,
    /// The articles.
    pub entries: Vec<EntryContext>,
    /// Further lists instead of (or after) the articles.
    pub links: Vec<LinkContext>,
}

/// An article in a list.
#[derive(Clone, Debug, Serialize)]
pub struct EntryContext {
    /// Its title.
    pub title: String,
    /// Root-relative.
    pub url: String,
    /// Its summary; empty in long lists.
    pub summary: String,
    /// Its date.
    pub date: Option<DateContext>,
    /// Its language where that is not the page's.
    pub language: Option<String>,
    /// `ltr` or `rtl` where that is not the page's.
    pub dir: Option<&'static str>,
}

/// What an `error.html` is given as `error`, beside `site`, `page` and `words`. The values are
/// places that are filled for each request.
#[derive(Clone, Debug, Serialize)]
pub struct ErrorContext {
    /// `404 Not Found`.
    pub status: String,
    /// What happened and what to do: markup.
    pub message: Value,
}
