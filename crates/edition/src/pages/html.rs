//! The HTML form: page data as template values.

use diglot_content::document::{Outline, Rendering, write_html_after};
use diglot_content::language::is_rtl;
use diglot_content::{Article, Moment, Problem};
use minijinja::{Value, context};

use super::components::{contents, cover, navigation, series};
use super::page_data::{ArticleGroup, PageData, PageKind, Pager};
use super::pager::page_name;
use super::shared::{Shared, date_context};
use super::tags::TagList;
use super::{json_ld, outline, sheets, whole};
use crate::language::{self, direction};
use crate::route::Route;
use crate::theme::context::{
    EntryContext, FeedContext, GraphContext, GroupContext, ImageContext, LinkContext, PageContext,
    PagerContext, PagerLink, SearchContext, TranslationContext,
};
use crate::theme::{safe, value};

/// Bytes of a usual page around its content.
const AROUND: usize = 8 << 10;
/// Words per minute, for the reading time.
const PACE: usize = 220;

/// A written form with its outline.
pub(super) struct Html {
    pub(super) bytes: Vec<u8>,
    pub(super) outline: Outline,
}

/// Writes the HTML form of a page.
pub(super) fn write(shared: &Shared<'_>, data: &PageData<'_>) -> Result<Html, Problem> {
    let mut outline = Outline::default();
    cover::outline(shared, data, &mut outline);
    let (content, text) = content(shared, data);
    outline::append(&mut outline, text);
    if let Some(title) = navigation::heading(shared, data) {
        outline.heading(2, title);
    }
    outline::add_rows(&mut outline, &data.outline);
    outline::add_groups(&mut outline, data);
    let mut page = page_context(shared, data, safe(&content));
    navigation::add(&mut page, shared, data);
    page.sheets = sheets(shared, &page, &content);
    let weight = weight(shared, &page);
    navigation::add_tree(&mut page, shared, data, weight)?;
    let [site, words, once] = shared.given(&data.language);
    let context = context! { site, words, once, page => value(&page) };
    let mut bytes = Vec::with_capacity(content.len() + AROUND);
    shared
        .context
        .theme
        .render_to(&mut bytes, data.kind.template(), context, shared.folder())?;
    match whole::problem(shared, data, page, (&content, &bytes)) {
        Some(problem) => Err(problem),
        None => Ok(Html { bytes, outline }),
    }
}

/// The markup of a page's parts.
pub(super) fn content(shared: &Shared<'_>, data: &PageData<'_>) -> (String, Outline) {
    let mut content = String::new();
    let mut outline = Outline::default();
    let above = usize::from(cover::context(shared, data).is_some());
    let purpose = shared.context.purpose();
    for part in &data.parts {
        let language = part.language.unwrap_or(&data.language);
        let rendering = Rendering {
            base: shared.base(),
            stem: &data.stem,
            targets: &part.targets,
            purpose,
            typography: shared.quotes(language),
            back: Some(shared.word(language, "note_back")),
        };
        let written = write_html_after(&part.document, &rendering, above + outline.images.len());
        add_part(&mut content, part.language, &written.text);
        outline::append(&mut outline, written.outline);
    }
    (content, outline)
}

/// Adds a text, and says its language if it is not that of the page.
fn add_part(content: &mut String, language: Option<&str>, text: &str) {
    match language {
        Some(language) => content.push_str(&format!(
            "<div lang=\"{language}\" dir=\"ltr\">\n{}\n</div>\n",
            text.trim_end()
        )),
        None => content.push_str(text),
    }
}

/// The search page with the places of a query, its results, and the query in an address.
pub(super) fn search_context(
    shared: &Shared<'_>,
    data: &PageData<'_>,
    (search, address): (SearchContext, char),
) -> PageContext {
    let mut page = page_context(shared, data, safe(""));
    page.sheets = sheets(shared, &page, "");
    page.head_title = format!("{} – {}", search.query, page.head_title);
    for url in [&mut page.markdown, &mut page.markdown_url] {
        *url = url.take().map(|url| format!("{url}?q={address}"));
    }
    PageContext { search, ..page }
}

/// The style sheets of a page beside `main.css`.
fn sheets(shared: &Shared<'_>, page: &PageContext, content: &str) -> Vec<&'static str> {
    sheets::needed_by(page, content, shared.context.theme.has_own_templates())
}

/// The bytes of the parts of a page that not every page of a guide has.
fn weight(shared: &Shared<'_>, page: &PageContext) -> usize {
    let sheets = page.sheets.iter().filter(|sheet| **sheet != "guide.css");
    let sheets: usize = sheets.map(|sheet| shared.context.theme.size(sheet)).sum();
    sheets + page.contents.iter().map(contents::size).sum::<usize>()
}

fn page_context(shared: &Shared<'_>, data: &PageData<'_>, content: Value) -> PageContext {
    let site = shared.context.site;
    let is_named_like_site = data.kind == PageKind::Home && data.title == site.title;
    let words = if data.kind == PageKind::Article {
        data.parts
            .iter()
            .map(|part| part.document.word_count())
            .sum()
    } else {
        0
    };
    let printed = |text: &str| shared.printed(text, &data.language);
    let mut page = PageContext {
        kind: data.kind.name(),
        title: data.title.to_string(),
        heading: printed(&data.title),
        title_id: data
            .parts
            .first()
            .and_then(|part| part.document.title_id.clone()),
        title_anchors: data
            .parts
            .first()
            .map(|part| part.document.title_anchors.clone())
            .unwrap_or_default(),
        head_title: if is_named_like_site {
            site.title.clone()
        } else {
            format!("{} – {}", data.title, site.title)
        },
        description: data.description.to_string(),
        language: data.language.to_string(),
        dir: direction(data.rtl),
        canonical: data.canonical.then(|| shared.absolute(&data.stem)),
        markdown: Some(shared.base().rooted_with(&data.stem, ".md")),
        markdown_url: Some(shared.absolute_markdown(&data.stem)),
        graph: graph(shared, data),
        json_ld: json_ld::for_page(shared, data, words).as_deref().map(safe),
        content,
        contents: contents::headings(data, words, printed),
        minutes: (words > 0 && data.place.is_none()).then(|| words.div_ceil(PACE)),
        groups: data
            .groups
            .iter()
            .map(|group| group_context(shared, data, group))
            .collect(),
        all_tags: tag_cloud(shared, data),
        pager: data
            .pager
            .as_ref()
            .map(|pager| pager_context(shared, data, pager)),
        feed: feed_context(shared, data),
        cover: cover::context(shared, data),
        series: series::context(shared, data),
        ..PageContext::default()
    };
    if let Some(article) = data.article {
        add_article(&mut page, shared, data, article);
    }
    add_neighbours(&mut page, shared, data);
    page
}

/// The site's feed, or that of the page's tag or language.
fn feed_context(shared: &Shared<'_>, data: &PageData<'_>) -> FeedContext {
    let url = |route: &Route| shared.base().absolute(&route.path());
    match &data.feed {
        Some(feed) => FeedContext {
            title: feed.title.clone(),
            url: url(&feed.route),
        },
        None => FeedContext {
            title: shared.context.site.title.clone(),
            url: url(&Route::Rss),
        },
    }
}

/// The links between the pages of a list.
fn pager_context(shared: &Shared<'_>, data: &PageData<'_>, pager: &Pager) -> PagerContext {
    let link = |number: usize, stem: &str| PagerLink {
        number,
        title: page_name(shared, &data.language, number),
        url: shared.rooted(stem),
        absolute: shared.absolute(stem),
        current: number == pager.number,
    };
    let mut pages: Vec<PagerLink> = Vec::new();
    for (number, stem) in &pager.near {
        pages.push(link(*number, stem));
    }
    let beside =
        |stem: &Option<std::sync::Arc<str>>, number| stem.as_deref().map(|stem| link(number, stem));
    PagerContext {
        number: pager.number,
        previous: beside(&pager.previous, pager.number - 1),
        next: beside(&pager.next, pager.number + 1),
        pages,
    }
}

/// Adds the article's metadata.
fn add_article(
    page: &mut PageContext,
    shared: &Shared<'_>,
    data: &PageData<'_>,
    article: &Article,
) {
    page.translations = translations(shared, data, article);
    page.tags = shared.tag_links(article);
    page.edit = shared.edit(article);
    if data.place.is_some() {
        // In a guide it matters how new a text is, not who wrote it when.
        page.updated = Some(article.updated)
            .filter(Moment::is_known)
            .map(|date| date_context(&date, &data.language));
    } else if data.kind == PageKind::Article {
        page.date = article
            .date
            .as_ref()
            .map(|date| date_context(date, &data.language));
        page.updated = updated_later(article).map(|date| date_context(&date, &data.language));
        page.authors.clone_from(&article.authors);
    }
}

fn add_neighbours(page: &mut PageContext, shared: &Shared<'_>, data: &PageData<'_>) {
    let Some(neighbour) = shared.neighbour(data.position) else {
        return;
    };
    let link_to = |index: &usize| {
        shared
            .text(*index)
            .map(|article| shared.article_link(article, &data.language))
    };
    if let Some(position) = data.position {
        let previous_and_next = series::previous_and_next(shared, position);
        [page.previous, page.next] =
            previous_and_next.map(|index| index.as_ref().and_then(link_to));
    }
    let related = neighbour.related.iter();
    let related = related.filter(|index| !series::has(shared, data, **index));
    page.related = related.filter_map(link_to).collect();
}

/// The page of an error response: without URL or metadata. `text` is what may become its content.
pub(super) fn error_context(
    shared: &Shared<'_>,
    data: &PageData<'_>,
    title: &str,
    content: &str,
    text: &str,
) -> PageContext {
    let mut page = PageContext {
        kind: "error",
        title: title.to_owned(),
        heading: title.to_owned(),
        head_title: title.to_owned(),
        language: data.language.to_string(),
        dir: direction(data.rtl),
        graph: GraphContext {
            kind: "website",
            ..GraphContext::default()
        },
        content: safe(content),
        ..PageContext::default()
    };
    page.sheets = sheets(shared, &page, text);
    page
}

/// The date of the last change, if it is known and its day differs from that of the date.
fn updated_later(article: &Article) -> Option<Moment> {
    let later = article
        .date
        .is_none_or(|date| date.day() < article.updated.day());
    (later && article.updated.is_known()).then_some(article.updated)
}

fn translations(
    shared: &Shared<'_>,
    data: &PageData<'_>,
    article: &Article,
) -> Vec<TranslationContext> {
    if article.translations.is_empty() {
        return Vec::new();
    }
    let one = |language: &str, stem: &str| TranslationContext {
        language: language.to_owned(),
        name: language::name(language),
        url: shared.absolute(stem),
        href: shared.rooted(stem),
        current: stem == &*data.stem,
    };
    let mut group: Vec<TranslationContext> = article
        .translations
        .iter()
        .map(|(language, stem)| one(language, stem))
        .collect();
    if !group.iter().any(|other| other.current) {
        group.push(one(&article.language, &data.stem));
    }
    group.sort_by(|one, other| one.language.cmp(&other.language));
    group
}

fn graph(shared: &Shared<'_>, data: &PageData<'_>) -> GraphContext {
    let own = data
        .article
        .and_then(|article| article.image.as_ref())
        .and_then(|target| super::article_cover::absolute(shared.base(), target));
    let image = own.or_else(|| shared.card(&data.stem));
    GraphContext {
        kind: if data.kind == PageKind::Article {
            "article"
        } else {
            "website"
        },
        locale: data.language.replace('-', "_"),
        image: image.map(|(url, size)| ImageContext {
            url,
            width: size.map(|size| size.0),
            height: size.map(|size| size.1),
        }),
    }
}

fn group_context(
    shared: &Shared<'_>,
    data: &PageData<'_>,
    group: &ArticleGroup<'_>,
) -> GroupContext {
    GroupContext {
        title: group.title.clone(),
        language: group.language.clone(),
        url: group.stem.as_ref().map(|stem| shared.rooted(stem)),
        entries: group
            .entries
            .iter()
            .map(|row| EntryContext {
                cover: row.cover.map(|target| cover::address(shared, target)),
                ..entry_context(shared, data, row.article)
            })
            .collect(),
        label: group.label.clone(),
        links: group
            .links
            .iter()
            .map(|link| LinkContext {
                count: link.count,
                language: link.language.clone(),
                ..shared.link(&*link.title, &link.stem)
            })
            .collect(),
    }
}

fn entry_context(shared: &Shared<'_>, data: &PageData<'_>, article: &Article) -> EntryContext {
    let foreign = article.language != data.language;
    EntryContext {
        title: shared.printed(&article.title, &article.language),
        url: shared.rooted(&article.stem),
        summary: shared.printed(&article.summary, &article.language),
        date: article
            .date
            .as_ref()
            .map(|date| date_context(date, &article.language)),
        language: foreign.then(|| article.language.clone()),
        dir: foreign.then(|| direction(is_rtl(&article.language))),
        cover: None,
    }
}

/// The tags next to lists.
fn tag_cloud(shared: &Shared<'_>, data: &PageData<'_>) -> Vec<LinkContext> {
    let mut links = Vec::new();
    for (slug, list) in tags_beside(shared, data) {
        links.push(LinkContext {
            count: Some(list.articles.len()),
            ..shared.link(&*list.name, &format!("/tags/{slug}"))
        });
    }
    links
}

/// On the first page of a list: the most used tags of the site for the list of all articles, fewer
/// for a tag's list.
pub(super) fn tags_beside<'s>(
    shared: &'s Shared<'_>,
    data: &'s PageData<'_>,
) -> impl Iterator<Item = (&'s str, &'s TagList)> {
    let (slugs, own): (&[_], _) = match &data.route {
        Route::ArticleList(_) => (&shared.many_tags, None),
        Route::Tag(own, _) => (&shared.common_tags, Some(own)),
        _ => (&[], None),
    };
    let others = slugs.iter().filter(move |slug| own != Some(*slug));
    others.filter_map(|slug| Some((&**slug, shared.tags.get(slug)?)))
}
