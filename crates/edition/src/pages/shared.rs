//! The values shared by all pages, computed once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use diglot_content::document::{Quotes, typeset};
use diglot_content::encoding::encode_path;
use diglot_content::memo::Memo;
use diglot_content::site::html_place;
use diglot_content::tree::Leads;
use diglot_content::{Article, BaseUrl, Library, Moment};
use minijinja::Value;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Context;
use super::all_series::AllSeries;
use super::guide::{Above, Guide};
use super::languages::{BUILT_IN, Languages};
use super::neighbours::{self, Neighbour, Neighbours};
use super::page_data::{PageData, PartFeed};
use super::search;
use super::sidebar::Sidebar;
use super::site_values;
use super::tags::{self, Tags};
use crate::card;
use crate::language::{self, date, quotes};
use crate::route::{Form, Route};
use crate::theme::context::{DateContext, LinkContext};
use crate::theme::{Once, Words, value};

/// The values shared by all pages.
#[derive(Debug)]
pub(super) struct Shared<'a> {
    pub(super) context: &'a Context<'a>,
    /// `site` in templates for pages in the site's language.
    pub(super) site: Value,
    /// The theme's words, and `site`, `words` and `once` in templates, of every language that a page
    /// has.
    words: BTreeMap<&'a str, (Words, [Value; 3])>,
    /// The languages of listed articles.
    pub(super) languages: Languages<'a>,
    /// Articles and pages by stem, if a generated page may have that stem.
    pub(super) stems: FxHashMap<&'a str, &'a Article>,
    /// The paths of authors' files at which a page may be, without suffix, and of their feeds.
    files: FxHashSet<&'a str>,
    pub(super) tags: Tags,
    /// Whether the site has a search.
    pub(super) has_search: bool,
    /// The slugs of the most used tags, in order.
    pub(super) common_tags: Vec<Arc<str>>,
    /// As many as fit on the list of all articles.
    pub(super) many_tags: Vec<Arc<str>>,
    pub(super) neighbours: Arc<Neighbours>,
    pub(super) series: AllSeries<'a>,
    pub(super) guide: Guide<'a>,
    pub(super) sidebar: Sidebar,
    /// The size of the site's card, which for a theme's own is arbitrary.
    site_card: Option<(u32, u32)>,
}

impl<'a> Shared<'a> {
    /// `memo` caches the neighbours of the previous edition: computing them takes longer than
    /// everything else here.
    pub(super) fn new(context: &'a Context<'a>, memo: &Memo<Neighbours>) -> Self {
        let articles = &context.library.articles;
        let tags = tags::collect(articles);
        let neighbours = memo.get(neighbours::key(context.library), || {
            Neighbours::new(context.library, &tags)
        });
        let words = words(context);
        let known = words.get(context.site.language.as_str());
        let site = known.map_or_else(Value::default, |(_, [site, ..])| site.clone());
        let (stems, files) = (stems(context.library), files(context.library));
        let languages = Languages::new(context, |stem| free(&stems, &files, stem));
        let guide = Guide::new(context.library);
        Self {
            site,
            words,
            languages,
            files,
            sidebar: Sidebar::new(&guide, &context.site.base),
            guide,
            stems,
            common_tags: tags::common(&tags),
            many_tags: tags::many(&tags),
            has_search: search::is_on(context.site, context.library),
            neighbours,
            series: AllSeries::new(articles),
            tags,
            site_card: context.cards.site.as_ref().and_then(card::size),
            context,
        }
    }

    pub(super) fn base(&self) -> &'a BaseUrl {
        &self.context.site.base
    }

    /// `site`, `words` and `once` in templates for a page of this language.
    pub(super) fn given(&self, language: &str) -> [Value; 3] {
        let known = self.words_of(language);
        known.map_or_else(Default::default, |known| known.1.clone())
    }

    /// `site` in templates of every language.
    pub(super) fn sites(&self) -> impl Iterator<Item = &Value> {
        self.words.values().map(|(_, [site, ..])| site)
    }

    /// The stem of a list that has this one, unless an author's text or file has it; then with
    /// `-list`, unless that is taken as well.
    pub(super) fn free(&self, stem: &str) -> Option<Arc<str>> {
        free(&self.stems, &self.files, stem)
    }

    /// The feed of a language, where there are several.
    pub(super) fn feed_of(&self, language: &str) -> Option<PartFeed> {
        if !self.languages.is_foreign(language) {
            return None;
        }
        self.feed(format!("languages/{language}"), &language::name(language))
    }

    /// The feed of a part, unless a file of the author's has its address.
    pub(super) fn feed(&self, path: String, title: &str) -> Option<PartFeed> {
        let route = Route::Feed(path.into());
        let is_free = !self.files.contains(&*route.path());
        is_free.then(|| PartFeed {
            title: format!("{} – {title}", self.context.site.title),
            route,
        })
    }

    /// The theme's words in a language.
    pub(super) fn words(&self, language: &str) -> Option<&Words> {
        self.words_of(language).map(|(words, _)| words)
    }

    fn words_of(&self, language: &str) -> Option<&(Words, [Value; 3])> {
        let known = self.words.get(language);
        known.or_else(|| self.words.get(BUILT_IN))
    }

    /// A word of the theme in a language.
    pub(super) fn word(&self, language: &str, name: &str) -> &str {
        self.words(language).map_or("", |words| words.get(name))
    }

    /// The theme's words in the site's language.
    pub(super) fn own_words(&self) -> Words {
        let language = &self.context.site.language;
        self.context.theme.dictionary().words(language)
    }

    /// What a generated page says about itself: `All articles – Field Notes`.
    pub(super) fn about(&self, what: &str) -> String {
        format!("{what} – {}", self.context.site.title)
    }

    /// The theme folder as the prefix of the author's paths.
    pub(super) fn folder(&self) -> Option<&'a str> {
        self.context.site.theme.as_deref()
    }

    /// The text at an index: the articles, then the pages.
    pub(super) fn text(&self, index: usize) -> Option<&'a Article> {
        let library = self.context.library;
        let page = |at: usize| library.pages.get(at);
        let text = match index.checked_sub(library.articles.len()) {
            None => library.articles.get(index),
            Some(at) => page(at),
        };
        text.map(|text| &**text)
    }

    /// The neighbours of the text at an index.
    pub(super) fn neighbour(&self, index: Option<usize>) -> Option<&Neighbour> {
        self.neighbours.get(index?)
    }

    /// The sections above a page in the author's order, outermost first: the title, and the stem of
    /// the section's page. `None`: it is not in the order.
    pub(super) fn trail(&self, data: &PageData<'_>) -> Option<Vec<Above<'_>>> {
        Some(self.guide.trail(data.place?))
    }

    /// A link to a page, root-relative.
    pub(super) fn link(&self, title: impl Into<String>, stem: &str) -> LinkContext {
        LinkContext {
            title: title.into(),
            url: self.rooted(stem),
            language: None,
            count: None,
        }
    }

    /// A link to an article from a page in this language.
    pub(super) fn article_link(&self, article: &Article, language: &str) -> LinkContext {
        let other = (article.language != language).then(|| article.language.clone());
        LinkContext {
            language: other,
            ..self.link(
                self.printed(&article.title, &article.language),
                &article.stem,
            )
        }
    }

    /// The quotation marks of text in a language, if it is set as in print.
    pub(super) fn quotes(&self, language: &str) -> Option<Quotes> {
        quotes(self.context.site, language)
    }

    /// A title or a summary as pages show it.
    pub(super) fn printed(&self, text: &str, language: &str) -> String {
        typeset(text, self.quotes(language).as_ref()).into_owned()
    }

    /// The root-relative URL of a page's HTML form.
    pub(super) fn rooted(&self, stem: &str) -> String {
        let (path, rest) = html_place(stem);
        self.base().rooted_with(path, rest)
    }

    /// The URL of where a node of the author's order leads; empty: nowhere.
    pub(super) fn url_of(&self, leads: &Leads) -> String {
        match leads {
            Leads::Nowhere => String::new(),
            Leads::Text(stem) | Leads::Instead(stem) => self.rooted(stem),
            Leads::Site(url) => url.to_string(),
        }
    }

    /// The canonical URL of a page, that of its HTML form.
    pub(super) fn absolute(&self, stem: &str) -> String {
        let (path, rest) = html_place(stem);
        self.base().absolute_with(path, rest)
    }

    /// The absolute URL of a page's Markdown form.
    pub(super) fn absolute_markdown(&self, stem: &str) -> String {
        self.base().absolute_with(stem, ".md")
    }

    /// Where the source of a text can be edited. No other part of a page has the path of a source.
    pub(super) fn edit(&self, article: &Article) -> Option<String> {
        let url = self.context.site.edit_url.as_ref()?;
        url.for_source(&article.source)
    }

    /// Links to the article's tags that have a page.
    pub(super) fn tag_links(&self, article: &Article) -> Vec<LinkContext> {
        let known = article
            .tags
            .iter()
            .filter(|tag| self.tags.contains_key(&*tag.slug));
        known
            .map(|tag| self.link(&*tag.name, &format!("/tags/{}", tag.slug)))
            .collect()
    }

    /// The URL and size of the card of the page at this stem: its own, else the site's.
    pub(super) fn card(&self, stem: &str) -> Option<(String, Option<(u32, u32)>)> {
        let card = self.context.cards.for_stem(stem)?;
        let is_site = self
            .context
            .cards
            .site
            .as_ref()
            .is_some_and(|site| std::ptr::eq(site, card));
        let size = if is_site {
            self.site_card
        } else {
            Some((card::WIDTH, card::HEIGHT))
        };
        Some((self.base().absolute(&card.path()), size))
    }
}

/// The words of every language that a page has.
fn words<'a>(context: &Context<'a>) -> BTreeMap<&'a str, (Words, [Value; 3])> {
    let library = context.library;
    let texts = library.articles.iter().chain(&library.pages);
    let languages: BTreeSet<&str> = texts
        .map(|text| text.language.as_str())
        .chain([context.site.language.as_str(), BUILT_IN])
        .collect();
    let of = |language| {
        let words = context.theme.dictionary().words(language);
        let site = value(site_values::build(context, language, &words));
        let shown = value(&words);
        let once = Value::from_object(Once::new(site.clone(), shown.clone()));
        (language, (words, [site, shown, once]))
    };
    languages.into_iter().map(of).collect()
}

/// Articles and pages whose stem a generated page may have.
fn stems(library: &Library) -> FxHashMap<&str, &Article> {
    let mut stems = FxHashMap::default();
    for article in library.articles.iter().chain(&library.pages) {
        let slug = article.stem.strip_prefix("/articles/");
        if slug.is_none_or(|slug| slug == "index" || slug.starts_with("page-")) {
            stems.entry(&*article.stem).or_insert(&**article);
        }
    }
    stems
}

/// Authors' files at which a page may be, without suffix, and their feeds.
fn files<'a>(library: &'a Library) -> FxHashSet<&'a str> {
    let suffixes = [Form::Html, Form::Markdown].map(Form::suffix);
    let stem = |path: &'a str| {
        let stem = suffixes.iter().find_map(|suffix| path.strip_suffix(suffix));
        stem.or_else(|| path.ends_with(".rss").then_some(path))
    };
    let files = library.files.iter();
    files.filter_map(|file| stem(&file.path)).collect()
}

fn free(
    stems: &FxHashMap<&str, &Article>,
    files: &FxHashSet<&str>,
    stem: &str,
) -> Option<Arc<str>> {
    let is_free = |stem: &str| !stems.contains_key(stem) && !files.contains(stem);
    let aside = || format!("{stem}-list");
    is_free(stem)
        .then(|| stem.into())
        .or_else(|| Some(aside().into()).filter(|aside: &Arc<str>| is_free(aside)))
}

/// `#fragment`. Letters beyond ASCII stay as they are: encoded, they are three times as long.
pub(super) fn fragment(id: &str) -> String {
    let mut address = "#".to_owned();
    for part in id.split_inclusive(|c: char| !c.is_ascii()) {
        let ascii = part.trim_end_matches(|c: char| !c.is_ascii());
        address.push_str(&encode_path(ascii));
        address.push_str(&part[ascii.len()..]);
    }
    address
}

/// A date in both formats.
pub(super) fn date_context(moment: &Moment, language: &str) -> DateContext {
    DateContext {
        iso: moment.iso(),
        text: date(moment, language),
    }
}
