//! The lists of articles: all, of a language, of a year, of a tag, of a section; each in pages of 50.

use std::collections::BTreeMap;
use std::sync::Arc;

use diglot_content::{Moment, Problem, parallel};

use super::languages::{ALL, Languages};
use super::page_data::{ArticleGroup, GroupLink, ListedArticle, PageData, PageKind, PartFeed};
use super::pager::{page_name, page_stem, pager};
use super::sections::{self, Section};
use super::shared::Shared;
use super::{archive, authored};
use crate::language;
use crate::route::{Form, Route};
use crate::theme::Words;

/// The listed articles, by index in the library.
pub(super) type Rows<'a> = Vec<Option<ListedArticle<'a>>>;

/// The lists under construction.
pub(super) struct Lists<'s, 'a> {
    shared: &'s Shared<'a>,
    words: Words,
    pages: Vec<PageData<'a>>,
    left_out: Vec<Problem>,
}

/// All articles, those that no list includes as `None`.
pub(super) fn rows<'a>(shared: &Shared<'a>) -> Rows<'a> {
    let articles = &shared.context.library.articles;
    parallel::map_numbers(articles.len(), |index| {
        let article = &articles[index];
        let is_ordered = shared.guide.place(&article.stem).is_some();
        ListedArticle::from_article(article, index, shared.languages.own, is_ordered)
    })
}

/// The listed articles among these, in the author's order of a guide, else as in the library.
pub(super) fn in_order<'a>(
    shared: &Shared<'a>,
    rows: &Rows<'a>,
    indexes: impl Iterator<Item = usize>,
) -> Vec<ListedArticle<'a>> {
    let mut listed: Vec<(usize, ListedArticle<'a>)> = indexes
        .filter_map(|index| Some((index, (*rows.get(index)?)?)))
        .collect();
    if !shared.context.library.trees.is_empty() {
        listed.sort_by_key(|(index, _)| {
            let place = shared.neighbour(Some(*index)).and_then(|near| near.place);
            place.unwrap_or((usize::MAX, 0))
        });
    }
    listed.into_iter().map(|(_, row)| row).collect()
}

/// The pages of every list, and those that are left out.
pub(super) fn all<'a>(
    shared: &Shared<'a>,
    rows: &Rows<'a>,
    listed: &[ListedArticle<'a>],
) -> (Vec<PageData<'a>>, Vec<Problem>) {
    let mut lists = Lists {
        shared,
        words: shared.own_words(),
        pages: Vec::new(),
        left_out: Vec::new(),
    };
    let years = archive::years(listed);
    let sections = sections::by_folder(shared, listed);
    lists.all_articles(listed, [sections::links(&sections), year_links(&years)]);
    lists.languages(listed);
    lists.years(years);
    lists.tags(rows);
    lists.sections(sections);
    (lists.pages, lists.left_out)
}

/// Links to the lists of all languages but this one, under their own names.
pub(super) fn language_links(languages: &Languages<'_>, current: &str) -> Vec<GroupLink> {
    let mut links = Vec::new();
    if languages.others.is_empty() {
        return links;
    }
    let others = languages.others.iter().copied();
    let all = std::iter::once(languages.own).chain(others);
    for tag in all.filter(|tag| *tag != current) {
        links.push(GroupLink {
            title: language::name(tag),
            stem: languages.list_of(tag).to_string(),
            language: Some(tag.to_owned()),
            count: None,
        });
    }
    links
}

impl<'a> Lists<'_, 'a> {
    fn all_articles(
        &mut self,
        listed: &[ListedArticle<'a>],
        [sections, years]: [Vec<GroupLink>; 2],
    ) {
        let (shared, site) = (self.shared, self.shared.context.site);
        let shape = shared.context.library.shape;
        let own: Vec<ListedArticle<'a>> = listed.iter().filter(|row| row.own).copied().collect();
        let groups = archive::by_year(own, (&self.words, shape));
        let title = self.words.get("articles").to_owned();
        let data = authored::or_generated(shared, ALL, PageKind::List, title, &site.language);
        let about = shared.about(self.words.get("all"));
        let links = self.links_of_all(sections, years);
        self.add(data, about, links, groups);
    }

    /// The links above the list of all articles.
    fn links_of_all(
        &self,
        sections: Vec<GroupLink>,
        years: Vec<GroupLink>,
    ) -> Vec<ArticleGroup<'a>> {
        let shared = self.shared;
        let links = [
            labelled(
                self.words.get("languages"),
                language_links(&shared.languages, shared.languages.own),
            ),
            labelled(self.words.get("sections"), sections),
            labelled(self.words.get("years"), years),
        ];
        links.into_iter().flatten().collect()
    }

    fn languages(&mut self, listed: &[ListedArticle<'a>]) {
        let shared = self.shared;
        let mut languages: BTreeMap<&'a str, Vec<ListedArticle<'a>>> = BTreeMap::new();
        for row in listed.iter().filter(|row| !row.own) {
            languages
                .entry(&row.article.language)
                .or_default()
                .push(*row);
        }
        for (tag, rows) in languages {
            let name = language::name(tag);
            let Some(stem) = shared.languages.list(tag) else {
                let path = super::languages::stem(tag);
                self.leave_out(&path);
                continue;
            };
            let title = format!("{} – {name}", shared.word(tag, "articles"));
            let about = shared.about(&title);
            let route = Route::Language(stem["/languages/".len()..].into(), Form::Html);
            let mut data = PageData::generated(route, PageKind::List, title, tag);
            data.feed = shared.feed_of(tag);
            if data.feed.is_none() {
                self.leave_feed_out(&format!("/languages/{tag}.rss"));
            }
            let words = shared.words(tag).unwrap_or(&self.words);
            let shape = shared.context.library.shape;
            let groups = archive::by_year(rows, (words, shape));
            let others = language_links(&shared.languages, tag);
            let links = labelled(words.get("languages"), others);
            self.add(data, about, links.into_iter().collect(), groups);
        }
    }

    fn years(&mut self, years: Vec<(i16, Vec<ListedArticle<'a>>)>) {
        for (year, members) in years {
            let title = self.words.with("from", &[("year", &year.to_string())]);
            self.list(&archive::year_stem(year), title, members, None);
        }
    }

    fn tags(&mut self, rows: &Rows<'a>) {
        let shared = self.shared;
        for (slug, tag) in &shared.tags {
            let mut members = in_order(shared, rows, tag.articles.iter().copied());
            shared.series.sort(slug, &mut members, |row| row.index);
            let title = self.words.with("on", &[("name", &tag.name)]);
            let feed = shared.feed(format!("tags/{slug}"), &title);
            if feed.is_none() {
                self.leave_feed_out(&format!("/tags/{slug}.rss"));
            }
            self.list(&format!("/tags/{slug}"), title, members, feed);
        }
    }

    fn sections(&mut self, sections: Vec<Section<'a>>) {
        let site = self.shared.context.site;
        for section in sections {
            let path = [sections::FOLDER, section.folder].concat();
            let Some(stem) = section.stem else {
                self.leave_out(&path);
                continue;
            };
            let route = Route::Section(stem[sections::FOLDER.len()..].into(), Form::Html);
            let about = self.shared.about(&section.title);
            let feed = self.shared.feed(path[1..].to_owned(), &section.title);
            if feed.is_none() {
                self.leave_feed_out(&format!("{path}.rss"));
            }
            let data = PageData {
                feed,
                ..PageData::generated(route, PageKind::List, section.title, &*site.language)
            };
            self.add(
                data,
                about,
                Vec::new(),
                archive::by_language(section.members),
            );
        }
    }

    /// The list of the articles of a year or tag.
    fn list(
        &mut self,
        stem: &str,
        title: String,
        members: Vec<ListedArticle<'a>>,
        feed: Option<PartFeed>,
    ) {
        let site = self.shared.context.site;
        let about = self.shared.about(&title);
        let mut data =
            authored::or_generated(self.shared, stem, PageKind::List, title, &site.language);
        data.feed = feed;
        self.add(data, about, Vec::new(), archive::by_language(members));
    }

    /// Adds a list: its first page is `data` with `links` before the articles.
    fn add(
        &mut self,
        data: PageData<'a>,
        about: String,
        links: Vec<ArticleGroup<'a>>,
        groups: Vec<ArticleGroup<'a>>,
    ) {
        let pages = archive::pages(groups);
        let stems = self.stems(&data.stem, pages.len());
        let mut places: Vec<usize> = Vec::with_capacity(stems.len());
        places.extend((0..stems.len()).filter(|at| stems[*at].is_some()));
        let further = Further::from_first(&data);
        let (mut first, mut links) = (Some(data), links);
        for (at, groups) in pages.into_iter().enumerate() {
            let Some(stem) = &stems[at] else { continue };
            let page = match first.take() {
                Some(data) => data,
                None => further.page(self.shared, stem, at + 1),
            };
            let newest = groups.iter().flat_map(|group| &group.entries);
            let newest: Option<Moment> = newest.map(|row| row.updated).max();
            let mut all = std::mem::take(&mut links);
            let has_links = !all.is_empty();
            all.extend(groups);
            if has_links {
                self.name_articles(&mut all, &further.language);
            }
            let page = PageData {
                pager: pager(&stems, &places, at),
                ..page.with_groups(all, newest, || match at {
                    0 => about.clone(),
                    _ => {
                        let name = page_name(self.shared, &further.language, at + 1);
                        format!("{about} – {name}")
                    }
                })
            };
            self.pages.push(page);
        }
    }

    /// Names the articles of a page that begins with links.
    fn name_articles(&self, groups: &mut [ArticleGroup<'_>], language: &str) {
        if let Some(group) = groups.iter_mut().find(|group| group.links.is_empty())
            && group.title.is_none()
        {
            let words = self.shared.words(language);
            let words = words.unwrap_or(&self.words);
            group.label = Some(words.get("articles").to_owned());
        }
    }

    /// The stems of a list's pages. An author's text or file keeps its address.
    fn stems(&mut self, first: &Arc<str>, count: usize) -> Vec<Option<Arc<str>>> {
        let mut stems = vec![Some(Arc::clone(first))];
        for number in 2..=count {
            let stem = page_stem(first, number);
            let free = self.shared.free(&stem);
            if free.is_none() {
                self.leave_out(&stem);
            }
            stems.push(free);
        }
        stems
    }

    fn leave_feed_out(&mut self, path: &str) {
        self.left_out.push(
            Problem::warning(format!(
                "the feed at `{path}` is left out: you have a file at this address"
            ))
            .hint("rename the file"),
        );
    }

    fn leave_out(&mut self, stem: &str) {
        self.left_out.push(
            Problem::warning(format!(
                "the list at `{stem}.html` is left out: you have pages or files at this address and at `{stem}-list.html`"
            ))
            .hint("rename one of the two"),
        );
    }
}

/// Links to further lists under a label; none without links.
fn labelled<'a>(label: &str, links: Vec<GroupLink>) -> Option<ArticleGroup<'a>> {
    (!links.is_empty()).then(|| ArticleGroup {
        label: Some(label.to_owned()),
        links,
        ..ArticleGroup::default()
    })
}

/// What the further pages of a list take from its first.
struct Further<'a> {
    title: String,
    language: std::borrow::Cow<'a, str>,
    rtl: bool,
    feed: Option<PartFeed>,
}

impl<'a> Further<'a> {
    fn from_first(first: &PageData<'a>) -> Self {
        Self {
            title: first.title.to_string(),
            language: first.language.clone(),
            rtl: first.rtl,
            feed: first.feed.clone(),
        }
    }

    fn page(&self, shared: &Shared<'_>, stem: &Arc<str>, number: usize) -> PageData<'a> {
        let name = page_name(shared, &self.language, number);
        let route = Route::ListPage(stem[1..].into(), Form::Html);
        PageData {
            rtl: self.rtl,
            feed: self.feed.clone(),
            // The sitemaps name the first page, which leads to this one.
            listed: false,
            ..PageData::generated(
                route,
                PageKind::List,
                format!("{} – {name}", self.title),
                self.language.clone(),
            )
        }
    }
}

/// Links to the lists of all years with articles; none if there is only one.
fn year_links(years: &[(i16, Vec<ListedArticle<'_>>)]) -> Vec<GroupLink> {
    let link = |(year, members): &(i16, Vec<ListedArticle<'_>>)| GroupLink {
        title: year.to_string(),
        stem: archive::year_stem(*year),
        language: None,
        count: Some(members.len()),
    };
    if years.len() < 2 {
        return Vec::new();
    }
    years.iter().map(link).collect()
}
