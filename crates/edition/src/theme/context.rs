//! The values passed to templates: `site`, `page` and `words`. They are the interface of themes:
//! fields are added, never renamed.
//!
//! Text is escaped on output. Fields that contain markup are documented as such and are not
//! escaped. Link URLs are root-relative, so that a preview stays local; URLs in `<head>` are
//! absolute.

use std::collections::BTreeMap;

use minijinja::Value;
use serde::Serialize;

/// `site`: the values shared by every page.
#[derive(Clone, Debug, Serialize)]
pub struct SiteContext {
    /// The site's name.
    pub title: String,
    /// One sentence about the site; may be empty.
    pub description: String,
    /// BCP 47.
    pub language: String,
    /// The home page, absolute, with a trailing slash.
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
    /// `/search.html`, root-relative; none if the site has no search.
    pub search: Option<String>,
    /// `/search/index.json`, root-relative; none if the site has no search.
    pub search_index: Option<String>,
    /// `/opensearch.xml`, root-relative; none if the site has no search.
    pub open_search: Option<String>,
    /// The published URL (root-relative) of every theme file by name: `site.assets['main.css']`.
    pub assets: BTreeMap<String, String>,
    /// The icon's URL, root-relative: that of the settings, else the author's `favicon.ico`, `.svg`
    /// or `.png`, else the theme's `icon.svg`.
    pub icon: String,
    /// The icon's media type.
    pub icon_type: &'static str,
    /// The icon's sizes, if known: `any`, `32x32`, `16x16 32x32`.
    pub icon_sizes: Option<String>,
    /// The logo of the settings.
    pub logo: Option<LogoContext>,
    /// The accent colour of the settings. It is in `main.css` already.
    pub accent: Option<AccentContext>,
    /// The links of the header; none if the settings leave them to the theme.
    pub links: Option<Vec<MenuContext>>,
    /// The footer of the settings.
    pub footer: FooterContext,
    /// `journal` or `guide`.
    pub shape: &'static str,
    /// The author's top-level pages, by weight, then path.
    pub pages: Vec<LinkContext>,
}

/// A picture beside the site's name, or in its place.
#[derive(Clone, Debug, Serialize)]
pub struct LogoContext {
    /// The picture.
    pub picture: PictureContext,
    /// Another one for dark surroundings.
    pub dark: Option<PictureContext>,
    /// What it says, if it says the site's name; none: the name is beside it.
    pub alt: Option<String>,
}

/// A picture of the settings.
#[derive(Clone, Debug, Serialize)]
pub struct PictureContext {
    /// Root-relative.
    pub url: String,
    /// In pixels, if known.
    pub width: Option<u32>,
    /// In pixels, if known.
    pub height: Option<u32>,
}

/// The accent colour, as `#rrggbb`.
#[derive(Clone, Debug, Serialize)]
pub struct AccentContext {
    /// In light surroundings.
    pub light: String,
    /// In dark surroundings.
    pub dark: String,
}

/// A link of the header or footer, or a group of links.
#[derive(Clone, Debug, Serialize)]
pub struct MenuContext {
    /// Its name.
    pub title: String,
    /// Root-relative; absolute if it is another site's; empty for a group.
    pub url: String,
    /// The target's language, if it differs from the page's.
    pub language: Option<String>,
    /// The links of a group.
    pub items: Vec<MenuContext>,
}

/// The footer of the settings.
#[derive(Clone, Debug, Serialize)]
pub struct FooterContext {
    /// A paragraph: markup.
    pub text: Option<Value>,
    /// Its links; none if the settings leave them to the theme.
    pub links: Option<Vec<MenuContext>>,
}

/// `page`: the values of this page.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PageContext {
    /// `home`, `article`, `page`, `section`, `list`, `search` or `error`.
    pub kind: &'static str,
    /// The heading: plain text.
    pub title: String,
    /// The heading as pages show it: with the quotation marks and dashes of print.
    pub heading: String,
    /// The heading's id, if the author's document has one that links may use.
    pub title_id: Option<String>,
    /// Further ids of the heading, which other generators gave it.
    pub title_anchors: Vec<String>,
    /// The text of `<title>`: the heading and the site's name.
    pub head_title: String,
    /// One or two sentences; may be empty.
    pub description: String,
    /// BCP 47.
    pub language: String,
    /// `ltr` or `rtl`.
    pub dir: &'static str,
    /// The canonical URL, absolute; none on error pages, which must not be indexed.
    pub canonical: Option<String>,
    /// The Markdown form, root-relative; none on error pages.
    pub markdown: Option<String>,
    /// The Markdown form, absolute; none on error pages.
    pub markdown_url: Option<String>,
    /// This page and its translations; empty if there are none.
    pub translations: Vec<TranslationContext>,
    /// Open Graph.
    pub graph: GraphContext,
    /// JSON-LD, escaped for a `<script>`; none on pages without data.
    pub json_ld: Option<Value>,
    /// The content: markup.
    pub content: Value,
    /// The headings for a contents list; empty for a short article.
    pub contents: Vec<HeadingContext>,
    /// The publication date.
    pub date: Option<DateContext>,
    /// The date of the last change, if it differs from the publication date.
    pub updated: Option<DateContext>,
    /// The authors.
    pub authors: Vec<String>,
    /// The tags.
    pub tags: Vec<LinkContext>,
    /// Where the source of this text can be edited, if its author says so.
    pub edit: Option<String>,
    /// Reading time in minutes, for an article.
    pub minutes: Option<usize>,
    /// The article before this one in its series, else in time.
    pub previous: Option<LinkContext>,
    /// The article after this one in its series, else in time.
    pub next: Option<LinkContext>,
    /// Articles with the same tags, at most four.
    pub related: Vec<LinkContext>,
    /// The tree of a guide, with the way to this page open: markup, from `tree.html`.
    pub tree: Option<Value>,
    /// In a guide the home page and the sections above this page; a section that leads to another
    /// site has no `url`.
    pub crumbs: Vec<LinkContext>,
    /// In a guide the contents of this section, or of the whole site on its home page.
    pub outline: Vec<RowContext>,
    /// Lists of articles, after the content.
    pub groups: Vec<GroupContext>,
    /// The most used tags of the site on the list of all articles; fewer on a tag's page.
    pub all_tags: Vec<LinkContext>,
    /// The query and its results on the search page.
    pub search: SearchContext,
    /// The links between the pages of a list that has several.
    pub pager: Option<PagerContext>,
    /// The feed that the page is in.
    pub feed: FeedContext,
    /// The style sheets that the page needs beside `main.css`, to be read before it: the names of
    /// theme files.
    pub sheets: Vec<&'static str>,
    /// The picture above the text; none if the text begins with it.
    pub cover: Option<CoverContext>,
    /// The series that the page is a part of.
    pub series: Vec<SeriesContext>,
}

/// The feed of the site, of a tag or of a language.
#[derive(Clone, Debug, Default, Serialize)]
pub struct FeedContext {
    /// Its title.
    pub title: String,
    /// Absolute; empty on error pages.
    pub url: String,
}

/// The links between the pages of a list.
#[derive(Clone, Debug, Serialize)]
pub struct PagerContext {
    /// The number of this page, from 1.
    pub number: usize,
    /// The page before it.
    pub previous: Option<PagerLink>,
    /// The page after it.
    pub next: Option<PagerLink>,
    /// The first, the last, and the pages around this one, in order.
    pub pages: Vec<PagerLink>,
}

/// A page of a list.
#[derive(Clone, Debug, Serialize)]
pub struct PagerLink {
    /// Its number, from 1.
    pub number: usize,
    /// `Page 2`.
    pub title: String,
    /// Root-relative.
    pub url: String,
    /// The same, absolute.
    pub absolute: String,
    /// Whether it is this page.
    pub current: bool,
}

/// `page.search`: all are empty on the published page, and filled for each query.
#[derive(Clone, Debug, Serialize)]
pub struct SearchContext {
    /// The query.
    pub query: String,
    /// The results: markup.
    pub results: Value,
    /// How many results there are, in words.
    pub count: String,
}

/// A link inside this site.
#[derive(Clone, Debug, Serialize)]
pub struct LinkContext {
    /// The link text.
    pub title: String,
    /// The URL, root-relative.
    pub url: String,
    /// The target's language, if it differs from the page's.
    pub language: Option<String>,
    /// The number of articles, for a tag.
    pub count: Option<usize>,
}

/// A node in a list of the tree of a guide, in `tree.html`.
#[derive(Clone, Debug, Default, Serialize)]
pub struct NodeContext {
    /// Its title.
    pub title: String,
    /// The URL, root-relative; absolute if it is another site's.
    pub url: String,
    /// Whether it is this page.
    pub current: bool,
    /// Whether this page is below it, or is itself a section.
    pub open: bool,
    /// Whether there are nodes below it.
    pub section: bool,
    /// The list of the nodes below it, if the page has it: markup.
    pub below: Option<Value>,
}

/// An entry in a list of contents.
#[derive(Clone, Debug, Serialize)]
pub struct RowContext {
    /// Its title.
    pub title: String,
    /// The URL, root-relative; absolute if it is another site's.
    pub url: String,
    /// Its summary; may be empty.
    pub summary: String,
    /// The entries below it.
    pub rows: Vec<RowContext>,
}

/// The same content in one language.
#[derive(Clone, Debug, Serialize)]
pub struct TranslationContext {
    /// BCP 47.
    pub language: String,
    /// The language's own name if known, else the tag.
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
    /// The page's picture.
    pub image: Option<ImageContext>,
}

/// A picture of a page.
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
    /// `#` and the heading's id; only ASCII is percent-encoded.
    pub href: String,
    /// Plain text.
    pub text: String,
}

/// A date in two formats.
#[derive(Clone, Debug, Serialize)]
pub struct DateContext {
    /// ISO 8601, for `datetime`.
    pub iso: String,
    /// In the page's language, else the ISO day.
    pub text: String,
}

/// A list of articles under one heading.
#[derive(Clone, Debug, Serialize)]
pub struct GroupContext {
    /// The heading; none if the page's own heading is enough.
    pub title: Option<String>,
    /// The heading's language, if it differs from the page's.
    pub language: Option<String>,
    /// The heading's link, root-relative.
    pub url: Option<String>,
    /// The articles.
    pub entries: Vec<EntryContext>,
    /// What the links are, for people who do not see them.
    pub label: Option<String>,
    /// Further lists, instead of or after the articles.
    pub links: Vec<LinkContext>,
}

/// An article in a list.
#[derive(Clone, Debug, Serialize)]
pub struct EntryContext {
    /// Its title.
    pub title: String,
    /// Root-relative.
    pub url: String,
    /// Its summary; may be empty.
    pub summary: String,
    /// Its date.
    pub date: Option<DateContext>,
    /// Its language, if it differs from the page's.
    pub language: Option<String>,
    /// `ltr` or `rtl`, if it differs from the page's.
    pub dir: Option<&'static str>,
    /// The URL of its picture; root-relative, unless it is another site's.
    pub cover: Option<String>,
}

/// The picture above a text.
#[derive(Clone, Debug, Serialize)]
pub struct CoverContext {
    /// Root-relative, unless it is another site's.
    pub url: String,
    /// The alternative text; may be empty.
    pub alt: String,
    /// In pixels.
    pub width: Option<u32>,
    /// In pixels.
    pub height: Option<u32>,
}

/// A series that the page is a part of.
#[derive(Clone, Debug, Serialize)]
pub struct SeriesContext {
    /// Its name.
    pub title: String,
    /// The list of its parts, root-relative.
    pub url: String,
    /// `Part 2 of 5`.
    pub place: String,
    /// Its parts in order, at most 50 around this one.
    pub parts: Vec<PartContext>,
}

/// A part of a series.
#[derive(Clone, Debug, Serialize)]
pub struct PartContext {
    /// Its number, from 1.
    pub number: usize,
    /// Its title.
    pub title: String,
    /// Root-relative.
    pub url: String,
    /// Whether it is this page.
    pub current: bool,
}

/// `error` in `error.html`, in addition to `site`, `page` and `words`. The values are placeholders,
/// filled for each request.
#[derive(Clone, Debug, Serialize)]
pub struct ErrorContext {
    /// `404 Not Found`.
    pub status: String,
    /// The cause and remedy: markup.
    pub message: Value,
}

impl Default for SearchContext {
    fn default() -> Self {
        Self {
            query: String::new(),
            results: Value::from(""),
            count: String::new(),
        }
    }
}
