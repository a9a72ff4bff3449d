//! The addresses at which a generator lists the texts of a section or of a language, and has feeds:
//! they lead to the nearest list here, and so do links to them.

use std::{collections::BTreeMap, sync::Arc};

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    article::{Rank, Redirect},
    candidate::Candidate,
    generator_path::GeneratorPath,
    linking::{self, ArticleLinks},
    links::{LinkTable, RootTarget},
    order::Order,
    paths::{Address, bare, decoded, folder, inside, name, scheme, stem_of, without_suffix},
    publication::Publication,
};
use crate::dialects::MadeList;
use crate::model::{
    address::{Destination, OldAddress},
    document::{ReferenceKind, Target},
    sections::{self, Sections},
    tree::{Shape, Tree},
};

/// The list of all articles, and its feed.
const ALL: &str = "/articles/index";
const FEED: &str = "/rss.xml";
/// The maximum number of sections.
const MOST: usize = 20_000;

/// The lists at the addresses of sections.
#[derive(Default)]
pub struct SectionAddresses {
    /// Paths on the generator's site without slashes around them, and where they lead.
    lists: BTreeMap<String, List>,
    /// Folders of texts with their languages, and the paths of their lists.
    sources: FxHashMap<(String, String), String>,
}

/// The page of a list, and its feed.
struct List {
    stem: Arc<str>,
    feed: String,
}

impl SectionAddresses {
    pub fn collect(publication: &Publication<'_>, order: &Order) -> Self {
        let mut found = Self::default();
        let has_sections = !publication.plan.kind.dialect.section_feeds.is_empty();
        let made = &publication.plan.kind.config.made_lists;
        if !has_sections && made.is_empty() {
            return found;
        }
        let mut groups: BTreeMap<String, Vec<&Candidate>> = BTreeMap::new();
        if has_sections {
            for text in publication.listed_articles() {
                found.add_text(publication, text, &mut groups);
            }
        }
        let lists = Lists::new(publication, order);
        let of_group = |(path, texts): (String, Vec<&Candidate>)| (path, lists.nearest(&texts));
        found.lists = groups.into_iter().map(of_group).collect();
        for list in made.iter().take(MOST) {
            let target = lists.made(publication, list);
            found.lists.entry(list.at.clone()).or_insert(target);
        }
        found
    }

    /// Adds a text to the sections above it.
    fn add_text<'w>(
        &mut self,
        publication: &Publication<'_>,
        text: &'w Candidate,
        groups: &mut BTreeMap<String, Vec<&'w Candidate>>,
    ) {
        let place = GeneratorPath::from_path(&text.path, publication);
        let is_index = |path: &str| {
            let name = name(without_suffix(path));
            matches!(name.split('.').next(), Some("index" | "_index"))
        };
        let (mut section, mut source) = (folder(&place.inner), folder(&text.path));
        if is_index(&place.inner) {
            (section, source) = (folder(section), folder(source));
        }
        loop {
            let spelled: Vec<String> = section
                .split('/')
                .map(|part| publication.plan.kind.spell(part))
                .collect();
            let path = place.whole(&format!("/{}", spelled.join("/")));
            let path = path.trim_matches('/').to_owned();
            if !path.is_empty() && (groups.contains_key(&path) || groups.len() < MOST) {
                let of_texts = (text.language.value.clone(), source.to_owned());
                self.sources.entry(of_texts).or_insert_with(|| path.clone());
                groups.entry(path).or_default().push(text);
            }
            if section.is_empty() {
                return;
            }
            (section, source) = (folder(section), folder(source));
        }
    }

    /// Adds the addresses that nothing else has.
    pub fn redirect(
        &self,
        table: &LinkTable<'_>,
        redirects: &mut Arc<BTreeMap<OldAddress, Redirect>>,
    ) {
        if self.lists.is_empty() {
            return;
        }
        let redirects = Arc::make_mut(redirects);
        let feeds = table.publication.plan.kind.dialect.section_feeds;
        for (path, list) in &self.lists {
            let mut add = |address: String, to: &str| {
                if let Ok(address) = OldAddress::new(address)
                    && is_free(table, redirects, &address)
                {
                    redirects.insert(
                        address,
                        Redirect {
                            to: Destination::Here(to.to_owned()),
                            written: None,
                            place: None,
                            rank: Rank::Other,
                        },
                    );
                }
            };
            add(format!("/{path}"), &list.stem);
            for feed in feeds {
                add(format!("/{path}/{feed}"), &list.feed);
            }
        }
    }

    /// Leads the links to a section, which lead to the list of all articles so far, to its own list.
    pub fn relink(&self, table: &LinkTable<'_>, linked: &mut [Arc<ArticleLinks>]) {
        if self.lists.is_empty() {
            return;
        }
        for (item, links) in linked.iter_mut().enumerate() {
            if !links.targets.iter().any(is_list_of_all) {
                continue;
            }
            let mut targets = links.targets.to_vec();
            for (target, list) in self.own_lists(table, item, &links.targets) {
                if let Target::Page { stem, .. } = &mut targets[target] {
                    *stem = list;
                }
            }
            if targets[..] != links.targets[..] {
                let links = Arc::make_mut(links);
                links.targets = targets.into();
                links.digest = linking::digest(&links.targets, links.image.as_ref());
            }
        }
    }

    /// The numbers of an article's links to sections, and the list of each.
    fn own_lists(
        &self,
        table: &LinkTable<'_>,
        item: usize,
        targets: &[Target],
    ) -> Vec<(usize, Arc<str>)> {
        let references = table.publication.candidates[item].parsed.references.iter();
        let links = references.zip(targets).enumerate();
        let links = links.filter(|(_, (reference, target))| {
            reference.kind == ReferenceKind::Link && is_list_of_all(target)
        });
        links
            .filter_map(|(at, (reference, _))| {
                Some((at, self.list_of(table, item, &reference.raw)?))
            })
            .collect()
    }

    /// The list of the section that an address names on a page.
    fn list_of(&self, table: &LinkTable<'_>, item: usize, raw: &str) -> Option<Arc<str>> {
        if scheme(raw).is_some() {
            return None;
        }
        let origin = table.origin(item)?;
        let path = decoded(Address::parse(raw).path);
        let readings = table.absolute(&origin, &path);
        let config = &table.publication.plan.kind.config;
        let language = &table.publication.candidates[item].language.value;
        let own = config.locales.iter().find(|one| one.tag == *language);
        let own = own.filter(|one| config.links_in_language && !config.is_default(&one.name));
        let in_language = readings.iter().filter_map(|path| {
            let path = inside(&own?.name, path);
            self.lists.get(&path)
        });
        let by_source = |path: &String| {
            let of_texts = (language.clone(), path.clone());
            self.lists.get(self.sources.get(&of_texts)?)
        };
        let lists = in_language
            .chain(readings.iter().filter_map(|path| self.lists.get(path)))
            .chain(readings.iter().filter_map(by_source));
        lists.map(|list| Arc::clone(&list.stem)).next()
    }
}

fn is_list_of_all(target: &Target) -> bool {
    matches!(target, Target::Page { stem, .. } if **stem == *ALL)
}

/// Whether nothing is published at an address, and no other redirect has it.
fn is_free(
    table: &LinkTable<'_>,
    redirects: &BTreeMap<OldAddress, Redirect>,
    address: &OldAddress,
) -> bool {
    let stem = stem_of(address.as_str());
    let is_live = match table.exactly(&stem) {
        Some(RootTarget::To(to)) => to.path() == Some(&stem) || to.path() == Some(address.as_str()),
        Some(RootTarget::Hidden(..)) | None => false,
    };
    let spelled = ["", "/", ".html"].map(|end| format!("{}{end}", bare(address.as_str())));
    !is_live
        && !spelled
            .iter()
            .any(|one| redirects.contains_key(one.as_str()))
}

/// The lists of a site.
struct Lists<'w> {
    trees: &'w [Tree],
    sections: Vec<Sections>,
    /// The tree and the node of each text.
    nodes: FxHashMap<&'w str, (usize, usize)>,
    /// The sections of a journal.
    folders: FxHashSet<&'w str>,
    /// The languages with a list of their own.
    languages: FxHashSet<&'w str>,
}

impl<'w> Lists<'w> {
    fn new(publication: &'w Publication<'_>, order: &'w Order) -> Self {
        let pages = publication.published().map(|text| &*text.stem.value);
        let articles = publication.listed_articles();
        let articles = articles.map(|text| (&*text.stem.value, text.language.value.as_str()));
        let folders = match order.shape {
            Shape::Journal => sections::of_journal(articles).into_iter().collect(),
            Shape::Guide => FxHashSet::default(),
        };
        Self {
            trees: &order.trees,
            sections: sections::of_trees(&order.trees, pages),
            nodes: nodes(&order.trees),
            folders,
            languages: publication.languages().into_iter().collect(),
        }
    }

    /// The list in place of one that the generator makes: that of its folder, else that of the
    /// heading with its name.
    fn made(&self, publication: &Publication<'_>, made: &MadeList) -> List {
        if let Some(folder) = &made.folder {
            let inside = inside(folder, "");
            let from = publication
                .candidates
                .partition_point(|text| *text.path < *inside);
            let texts = publication.candidates[from..].iter();
            let texts = texts.take_while(|text| text.path.starts_with(&inside));
            let texts = texts.filter(|text| publication.is_published(text) && text.is_listed());
            return self.nearest(&texts.collect::<Vec<_>>());
        }
        let trees = self.trees.iter().zip(&self.sections);
        let stem = trees.into_iter().find_map(|(tree, sections)| {
            let mut nodes = tree.nodes.iter().zip(&sections.stems);
            nodes.find_map(|(node, stem)| stem.clone().filter(|_| *node.title == *made.title))
        });
        let List { feed, stem: all } = self.of_language(&[]);
        let stem = stem.unwrap_or(all);
        List { stem, feed }
    }

    /// The smallest list with all of some texts, which are in one language.
    fn nearest(&self, texts: &[&Candidate]) -> List {
        let of_language = self.of_language(texts);
        if let Some(stem) = self.in_tree(texts) {
            let feed = of_language.feed;
            return List { stem, feed };
        }
        let mut folders = texts
            .iter()
            .map(|text| sections::top_folder(&text.stem.value));
        let first = folders.next().flatten();
        let first = first.filter(|first| self.folders.contains(first));
        match first.filter(|first| folders.all(|folder| folder == Some(first))) {
            Some(folder) => List::at([sections::FOLDER, folder].concat()),
            None => of_language,
        }
    }

    fn of_language(&self, texts: &[&Candidate]) -> List {
        let language = texts.first().map(|text| text.language.value.as_str());
        match language.filter(|language| self.languages.contains(language)) {
            Some(language) => List::at(format!("/languages/{language}")),
            None => List {
                stem: ALL.into(),
                feed: FEED.to_owned(),
            },
        }
    }

    /// The page of the innermost heading of a guide that has all of some texts below it.
    fn in_tree(&self, texts: &[&Candidate]) -> Option<Arc<str>> {
        let node = |text: &&Candidate| self.nodes.get(&*text.stem.value).copied();
        let (number, first) = texts.iter().find_map(node)?;
        let tree = &self.trees[number];
        let has_all = |at: usize| {
            let range = at..tree.nodes[at].end;
            let mut found = texts.iter().filter_map(node);
            found.all(|(other, at)| other == number && range.contains(&at))
        };
        let mut above = tree.above(first).filter(|at| has_all(*at));
        let innermost = above.next()?;
        self.sections[number].stems[innermost].clone()
    }
}

/// The tree and the node of each text.
fn nodes(trees: &[Tree]) -> FxHashMap<&str, (usize, usize)> {
    let mut nodes = FxHashMap::default();
    for (number, tree) in trees.iter().enumerate() {
        let stems = tree.stems();
        nodes.extend(stems.map(|(at, stem)| (&**stem, (number, at))));
    }
    nodes
}

impl List {
    fn at(stem: String) -> Self {
        let feed = format!("{stem}.rss");
        let stem = stem.into();
        Self { stem, feed }
    }
}
