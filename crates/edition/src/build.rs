//! Builds an edition from a library: pages, documents, assets and files by path.

mod past;
mod unique_paths;

use std::collections::BTreeMap;
use std::sync::Arc;

use diglot_content::document::Parity;
use diglot_content::{Article, Library, OldAddress, Problem, Site, parallel};
use jiff::Timestamp;
use rustc_hash::FxHashMap;

use crate::byte_store::{self, ByteStore};
use crate::card::{CardCache, Cards};
use crate::changes::History;
use crate::documents::sections::Index;
use crate::documents::{self, Entry, Material};
use crate::edition::{Edition, Parts, id_of};
use crate::errors::SuggestedPage;
use crate::nearest::Suggested;
use crate::pages::{self, Memos, Page, Pages};
use crate::policy;
use crate::redirects::{self, Moved, Taken};
use crate::resolve::Directory;
use crate::resource::{Resource, ResourceId};
use crate::route::Route;
use crate::theme::{Asset, Theme, script_name};

/// The caches that one edition passes to the next of the same site.
#[derive(Debug)]
pub struct Known {
    /// Cards by their words.
    pub card_cache: CardCache,
    /// Rendered pages by their keys.
    pub pages: Memos,
    /// Parts of documents.
    pub documents: documents::Memos,
    /// The index of paths.
    pub directory: Option<Arc<Directory>>,
    /// The numbers of its resources in build order.
    pub numbers: Vec<ResourceId>,
    /// The store of the editions' bytes.
    pub store: byte_store::Shared,
}

impl Default for Known {
    fn default() -> Self {
        Self {
            card_cache: CardCache::default(),
            pages: Memos::default(),
            documents: documents::Memos::default(),
            directory: None,
            numbers: Vec::new(),
            store: byte_store::heap(),
        }
    }
}

impl Edition {
    /// Builds every public byte of a site. The same library, settings, theme and `now` give the
    /// same edition on any machine.
    ///
    /// # Errors
    /// The errors in the theme's templates: without pages there is no edition. All other problems
    /// are in [`Edition::problems`].
    pub fn build(
        library: &Library,
        site: Arc<Site>,
        theme: &Theme,
        now: Timestamp,
    ) -> Result<Self, Vec<Problem>> {
        Self::build_again(library, site, theme, now, &mut Known::default())
    }

    /// As [`build`](Self::build), with the same result, but reuses the cards and pages in `known`,
    /// and then updates it.
    ///
    /// # Errors
    /// As [`build`](Self::build).
    pub fn build_again(
        library: &Library,
        site: Arc<Site>,
        theme: &Theme,
        now: Timestamp,
        known: &mut Known,
    ) -> Result<Self, Vec<Problem>> {
        Self::build_since(library, site, theme, now, (&History::default(), known))
    }

    /// As [`build_again`](Self::build_again), after the editions of this history, which the documents
    /// on changes tell. Nothing else depends on it.
    ///
    /// # Errors
    /// As [`build`](Self::build).
    pub fn build_since(
        library: &Library,
        site: Arc<Site>,
        theme: &Theme,
        now: Timestamp,
        (history, known): (&History, &mut Known),
    ) -> Result<Self, Vec<Problem>> {
        let cards = Cards::new(library, &site, theme, &known.card_cache);
        let context = pages::Context {
            site: &site,
            library,
            theme,
            cards: &cards,
            now,
            store: &*known.store,
        };
        let rendered = pages::render(&context, &known.pages);
        known.pages.next();
        let Pages {
            pages,
            articles,
            errors,
            search,
            mut problems,
        } = rendered?;
        let (pages, articles) = reachable(pages, articles, &mut problems);
        let entries = entries(&pages, &articles, &site, now);
        let material = material(entries, library, theme, &site, search.is_some(), now);

        let memos = &known.documents;
        let documents = || documents(&material, (memos, &*known.store), &mut problems);
        let index =
            || documents::search::resources(&material, &pages, &memos.search, &*known.store);
        let (documents, (index, suggested)) = rayon::join(documents, || {
            rayon::join(index, || Suggested::from(suggested(&pages)))
        });
        let documents = documents.map_err(unwritten)?;
        let keep = |document: Resource| Arc::new(document.kept_in(&*known.store));
        let mut resources = parallel::map_owned(documents, keep);
        resources.extend(parallel::flat_map(&pages, |page| page.published(now)));
        resources.extend(index);
        known.documents.next();
        resources.extend(assets(theme, &cards, library, material.search, now));
        resources.extend(files(library, now).into_iter().map(Arc::new));
        let before = (known.directory.as_ref(), &mut known.numbers);
        let (status, directory) = ordered(&mut resources, library, before, &mut problems);
        problems.extend(differences(&pages, library).chain(unused(theme, library, &site)));
        let (redirects, refused) = moved(library, &site, &resources, directory.as_deref());
        problems.extend(refused.into_iter().chain(material.changes.problems()));
        problems.sort();
        let problems: Vec<Problem> = library.problems.iter().cloned().chain(problems).collect();

        let id = id_of(&resources);
        let history = past::history_with(history, id, &pages, &redirects);
        let last = past::last(&material, (id, &history), &problems, &*known.store);
        let directory = past::with_last(&mut resources, last, (status, directory));
        let card_cache = cards.card_cache.clone();
        let edition = Self::assemble(Parts {
            resources,
            listed: Arc::new(suggested),
            redirects: Arc::new(redirects),
            expired: library.expired.clone(),
            search,
            articles: library.articles.len(),
            next_change: library.next_change,
            problems,
            parity: parity(&pages),
            card_cache: cards.card_cache,
            store: Arc::clone(&known.store),
            id: Some(id),
            history: Arc::new(history),
            directory,
            ..Parts::new(Arc::clone(&site), Arc::new(errors))
        });
        known.card_cache = card_cache;
        known.directory = Some(Arc::clone(edition.directory()));
        Ok(edition)
    }
}

fn unwritten(error: std::io::Error) -> Vec<Problem> {
    vec![Problem::error(format!(
        "a document cannot be written: {error}"
    ))]
}

/// The input of all documents.
fn material<'a>(
    entries: Vec<Entry<'a>>,
    library: &'a Library,
    theme: &Theme,
    site: &'a Site,
    search: bool,
    now: Timestamp,
) -> Material<'a> {
    Material {
        search,
        open_search: search && !pages::search::has_own_description(library),
        changes: documents::changes::ChangesDocuments::from_library(library),
        skills: documents::skills::is_on(library),
        feed_style: documents::rss::style(theme, site),
        trees: &library.trees,
        dictionary: theme.dictionary().clone(),
        ..Material::new(site, entries, now)
    }
}

/// What of the theme and of the settings has no effect.
fn unused(theme: &Theme, library: &Library, site: &Site) -> Vec<Problem> {
    let mut problems = theme.warnings(site.theme.as_deref());
    problems.extend(pages::search::problem(site, library));
    problems
}

/// The redirects that do not meet these resources, and the problems of the others.
fn moved(
    library: &Library,
    site: &Site,
    resources: &[Arc<Resource>],
    directory: Option<&Directory>,
) -> (BTreeMap<OldAddress, Moved>, Vec<Problem>) {
    let feeds = redirects::feeds(&library.redirects, site);
    if library.redirects.is_empty() && feeds.is_empty() {
        return Default::default();
    }
    let own: Taken;
    let taken = match directory {
        Some(directory) => directory.taken(resources),
        None => {
            own = Taken::new(resources);
            &own
        }
    };
    redirects::settle(&library.redirects, &feeds, resources, taken)
}

/// Sorts the resources, usually by the order of the previous edition. Returns the position of the
/// status, and their directory if it follows from the previous one.
fn ordered(
    resources: &mut Vec<Arc<Resource>>,
    library: &Library,
    (directory, numbers): (Option<&Arc<Directory>>, &mut Vec<ResourceId>),
    problems: &mut Vec<Problem>,
) -> (usize, Option<Arc<Directory>>) {
    if let Some((status, directory)) =
        directory.and_then(|directory| directory.in_order(resources, &Route::Status, numbers))
    {
        return (status, Some(directory));
    }
    *resources = unique_paths::keep_unique(std::mem::take(resources), library, problems);
    let status = resources.partition_point(|resource| *resource.path < *Route::Status.path());
    (status, None)
}

/// The parity of all pages.
fn parity(pages: &[Arc<Page>]) -> Parity {
    let mut all = Parity::default();
    for page in pages {
        all.add(&page.parity);
    }
    all
}

/// The pages, except those whose Markdown form has the path of the Markdown sitemap: a page has
/// both forms or none.
fn reachable<'a>(
    pages: Vec<Arc<Page>>,
    articles: Vec<Option<&'a Article>>,
    problems: &mut Vec<Problem>,
) -> (Vec<Arc<Page>>, Vec<Option<&'a Article>>) {
    let sitemap = Route::SitemapMarkdown.path();
    let meets = |page: &Arc<Page>| {
        matches!(page.markdown_route, Route::Page(..)) && *page.resources[1].path == *sitemap
    };
    if !parallel::any(&pages, meets) {
        return (pages, articles);
    }
    let (aside, kept): (Vec<_>, Vec<_>) = pages
        .into_iter()
        .zip(articles)
        .partition(|(page, _)| meets(page));
    problems.extend(aside.iter().map(|(page, _)| {
        Problem::error(format!(
            "the page `{}` is set aside: `{sitemap}` is the Markdown sitemap",
            page.title
        ))
    }));
    kept.into_iter().unzip()
}

/// The listed pages as documents see them, each with its source article.
fn entries<'a>(
    pages: &'a [Arc<Page>],
    articles: &[Option<&'a Article>],
    site: &'a Site,
    now: Timestamp,
) -> Vec<Entry<'a>> {
    let entry = |page: &'a Page, article: Option<&'a Article>| Entry {
        route: &page.html_route,
        stem: &page.stem,
        base: &site.base,
        title: &page.title,
        summary: &page.summary,
        modified: page.last_change(now),
        article,
        size: page.front.len() + page.rest.len(),
        words: &page.rest,
        merged: page.merged.clone(),
        labels: &page.labels,
        digest: page.resources[1].digest,
        key: page.key,
        feed: page.feed.as_ref(),
    };
    let entries = parallel::map_numbers(pages.len(), |at| {
        let page = &pages[at];
        is_in_documents(page).then(|| entry(page, articles[at]))
    });
    entries.into_iter().flatten().collect()
}

/// The pages that a 404 may suggest: all listed ones.
fn suggested(pages: &[Arc<Page>]) -> Vec<SuggestedPage> {
    let suggested = |page: &Arc<Page>| {
        is_in_documents(page).then(|| SuggestedPage {
            title: Arc::clone(&page.title),
            stem: Arc::clone(&page.stem),
        })
    };
    parallel::flat_map(pages, suggested)
}

/// Whether documents list a page.
fn is_in_documents(page: &Page) -> bool {
    page.listed && page.html_route.in_sitemap()
}

/// Every document except the status.
fn documents(
    material: &Material<'_>,
    (memos, store): (&documents::Memos, &dyn ByteStore),
    problems: &mut Vec<Problem>,
) -> std::io::Result<Vec<Resource>> {
    // Sorting the articles runs in parallel with the documents that do not need the order. The one
    // that takes longest on a small site starts first.
    let feeds = || documents::rss::resources(material, (&memos.items, store));
    let openapi = || documents::openapi::resource(material, &memos.openapi);
    let ordered = || {
        rayon::join(
            || Index::new(material),
            || documents::sitemap::resources(material, &memos.sitemap),
        )
    };
    let (openapi, ((index, sitemap), rss)) = rayon::join(openapi, || rayon::join(ordered, feeds));
    let map = || documents::sitemap_md::resource(material, &index, &memos.map);
    let merged = || documents::llms_full::resource(material, &index, (&memos.merged, store));
    let (llms, (sitemap_md, llms_full)) = rayon::join(
        || documents::llms::resources(material, &index, &memos.lines),
        || rayon::join(map, merged),
    );
    if llms.dropped > 0 {
        let message = format!(
            "`/llms.txt` cannot list the oldest {} articles: 400 parts of 100,000 characters are full",
            llms.dropped
        );
        problems.push(
            Problem::warning(message)
                .hint("they are in `/sitemap.md`, `/sitemap.xml` and `/llms-full.txt`"),
        );
    }
    let mut documents = vec![
        sitemap_md,
        llms_full,
        openapi,
        documents::api_catalog::resource(material),
        documents::robots::resource(material),
    ];
    documents.extend(documents::skills::resources(material));
    documents.extend(rss?);
    documents.extend(documents::open_search::resource(material)?);
    documents.extend(sitemap?);
    documents.extend(llms.resources);
    Ok(documents)
}

/// The theme's files, the logo and icon of the settings, and the cards of site and articles. Their names contain a digest of their
/// content, so they are dated with Diglot's own date.
fn assets(
    theme: &Theme,
    cards: &Cards,
    library: &Library,
    has_search: bool,
    now: Timestamp,
) -> impl Iterator<Item = Arc<Resource>> {
    let at = policy::words_date(now).at;
    // Articles with the same title share a card.
    let pictures = pages::site_values::pictures(library);
    let by_name: BTreeMap<&str, &Asset> = theme
        .assets()
        .iter()
        .filter(|asset| has_search || asset.name != script_name())
        .chain(cards.all())
        .chain(&pictures)
        .map(|asset| (asset.name.as_str(), asset))
        .collect();
    let resources: Vec<Arc<Resource>> = by_name
        .into_iter()
        .map(|(name, asset)| Resource::new(Route::Asset(name.into()), asset.bytes.clone(), at))
        .map(Arc::new)
        .collect();
    resources.into_iter()
}

fn files(library: &Library, now: Timestamp) -> Vec<Resource> {
    let resource = |file: &diglot_content::library::PublishedFile| {
        let path = file.path.strip_prefix('/').unwrap_or(&file.path);
        Resource::new(
            Route::File(path.into()),
            file.bytes.clone(),
            file.changed.min(now),
        )
    };
    let mut files = parallel::map(&library.files, resource);
    files.extend(icon_file(library, now));
    files
}

/// The icon of the settings at the address where some programs look for it without reading a page,
/// if it is of the type that they expect and the author has no other there.
fn icon_file(library: &Library, now: Timestamp) -> Option<Resource> {
    let icon = library.frame.favicon.as_ref()?;
    let is_taken = library
        .files
        .iter()
        .any(|file| &*file.path == "/favicon.ico");
    let route = Route::File("favicon.ico".into());
    let at = policy::words_date(now).at;
    (icon.suffix == "ico" && !is_taken).then(|| Resource::new(route, icon.bytes.clone(), at))
}

/// The pages whose two forms differ, each with the difference.
fn differences<'a>(pages: &'a [Arc<Page>], library: &'a Library) -> impl Iterator<Item = Problem> {
    let differ = parallel::filter(pages, |page| !page.parity.differences.is_empty());
    let written = if differ.is_empty() {
        FxHashMap::default()
    } else {
        documents::by_stem(library)
    };
    differ.into_iter().filter_map(move |page| {
        let first = page.parity.differences.first()?;
        let problem = Problem::warning(format!(
            "the two forms of `{}` do not agree: {first}",
            page.html_route.path()
        ));
        Some(match written.get(&*page.stem) {
            Some(article) => problem.at(&*article.source, 0, 0),
            None => problem,
        })
    })
}

#[cfg(test)]
mod tests;
