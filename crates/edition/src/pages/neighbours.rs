//! The neighbours of a text: the previous and next one in the author's order, else by date, and
//! those with the same tags.

use std::collections::BTreeMap;
use std::hash::Hash;
use std::sync::Arc;

use diglot_content::fingerprint::{Digest, Fingerprint};
use diglot_content::tree::Leads;
use diglot_content::{Article, Library, parallel};
use rustc_hash::FxHashMap;

use super::tags::Tags;

/// The number of related articles.
const RELATED: usize = 4;
/// How far in each direction a tag's list is searched for related articles. It bounds the work if
/// all articles share a tag.
const REACH: usize = 12;

/// The neighbours of every text: of the articles by their index in the library, then of the pages.
#[derive(Debug, Default)]
pub struct Neighbours {
    of: Vec<Neighbour>,
}

/// The neighbours of one text.
#[derive(Clone, Debug, Default)]
pub(super) struct Neighbour {
    pub(super) previous: Option<usize>,
    pub(super) next: Option<usize>,
    pub(super) related: Box<[usize]>,
    /// Its place in the author's order: the numbers of the tree and the node.
    pub(super) place: Option<(usize, usize)>,
}

/// A digest of the inputs of all neighbours: the order of texts and their tags.
pub(super) fn key(library: &Library) -> Digest {
    let articles = &library.articles;
    let all: Vec<Digest> = parallel::map(articles, digest);
    let pages: Vec<_> = library.pages.iter().map(|page| &page.stem).collect();
    let mut sum = Fingerprint::new();
    (all, pages, library.trees.len()).hash(&mut sum);
    for tree in &*library.trees {
        for node in &tree.nodes {
            (&node.leads, node.end).hash(&mut sum);
        }
    }
    sum.digest()
}

/// The digest of what the neighbours of an article depend on.
fn digest(article: &Arc<Article>) -> Digest {
    let Article {
        stem,
        language,
        listed,
        date,
        tags,
        ..
    } = &**article;
    let mut sum = Fingerprint::new();
    (stem, language, listed, date.is_none()).hash(&mut sum);
    tags.iter().for_each(|tag| tag.slug.hash(&mut sum));
    sum.digest()
}

impl Neighbours {
    /// Computes the neighbours of all texts.
    pub(super) fn new(library: &Library, tags: &Tags) -> Self {
        let articles = &library.articles;
        let mut of = vec![Neighbour::default(); articles.len() + library.pages.len()];
        place(library, &mut of);
        for order in orders(articles, &of).into_values() {
            chain(&order, &mut of);
        }
        let all = parallel::map_numbers(articles.len(), |index| {
            // The previous and next articles are not repeated as related.
            let turns = [of[index].previous, of[index].next];
            related(index, &articles[index], articles, tags, turns)
        });
        for (of, related) in of.iter_mut().zip(all) {
            of.related = related;
        }
        Self { of }
    }

    /// The neighbours of the text at this index.
    pub(super) fn get(&self, index: usize) -> Option<&Neighbour> {
        self.of.get(index)
    }
}

/// Sets the places of texts in the author's order, and their neighbours there.
fn place(library: &Library, of: &mut [Neighbour]) {
    if library.trees.is_empty() {
        return;
    }
    let texts = library.articles.iter().chain(&library.pages);
    let texts: FxHashMap<&str, usize> = texts
        .enumerate()
        .map(|(index, text)| (&*text.stem, index))
        .collect();
    for (number, tree) in library.trees.iter().enumerate() {
        let mut order = Vec::new();
        for (at, node) in tree.nodes.iter().enumerate() {
            let (stem, is_own) = match &node.leads {
                Leads::Text(stem) => (stem, true),
                Leads::Instead(stem) => (stem, false),
                Leads::Nowhere | Leads::Site(_) => continue,
            };
            let Some(&index) = texts.get(&**stem) else {
                continue;
            };
            if is_own {
                of[index].place = Some((number, at));
            }
            order.push((index, is_own));
        }
        // A text that replaces another has its neighbours in its own tree.
        for pair in order.windows(2) {
            let [(one, one_is_own), (other, other_is_own)] = [pair[0], pair[1]];
            if one_is_own {
                of[one].next = Some(other);
            }
            if other_is_own {
                of[other].previous = Some(one);
            }
        }
    }
}

fn chain(order: &[usize], of: &mut [Neighbour]) {
    for pair in order.windows(2) {
        of[pair[0]].next = Some(pair[1]);
        of[pair[1]].previous = Some(pair[0]);
    }
}

/// The listed articles of each language outside the author's order, oldest first; undated ones by
/// their addresses.
fn orders<'a>(articles: &'a [Arc<Article>], of: &[Neighbour]) -> BTreeMap<&'a str, Vec<usize>> {
    let mut orders: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, article) in articles
        .iter()
        .enumerate()
        .rev()
        .filter(|(index, article)| article.listed && of[*index].place.is_none())
    {
        orders.entry(&article.language).or_default().push(index);
    }
    for order in orders.values_mut() {
        if order.iter().all(|index| articles[*index].date.is_none()) {
            order.reverse();
        }
    }
    orders
}

/// The articles that share the most tags; a rare tag has more weight than a common one. Ties are
/// resolved by distance in time.
fn related(
    index: usize,
    article: &Article,
    articles: &[Arc<Article>],
    tags: &Tags,
    turns: [Option<usize>; 2],
) -> Box<[usize]> {
    let own = |other: usize| other == index || turns.contains(&Some(other));
    let mut scores: Vec<(usize, u64)> = Vec::new();
    for list in article.tags.iter().filter_map(|tag| tags.get(&*tag.slug)) {
        let here = list.articles.partition_point(|other| *other < index);
        let near =
            &list.articles[here.saturating_sub(REACH)..list.articles.len().min(here + REACH + 1)];
        let weight = 1_000_000 / (list.articles.len() as u64 + 1);
        scores.extend(
            near.iter()
                .filter(|other| !own(**other))
                .map(|other| (*other, weight)),
        );
    }
    scores.sort_unstable();
    // Sums the weights of an article found under several tags.
    scores.dedup_by(|(later, more), (first, score)| {
        let same = later == first;
        *score += if same { *more } else { 0 };
        same
    });
    scores.retain(|(other, _)| articles[*other].language == article.language);
    let order =
        |(other, score): &(usize, u64)| (std::cmp::Reverse(*score), other.abs_diff(index), *other);
    if scores.len() > RELATED {
        scores.select_nth_unstable_by_key(RELATED, order);
        scores.truncate(RELATED);
    }
    scores.sort_unstable_by_key(order);
    // A new list: the old one would keep the capacity of all candidates for four articles.
    scores.iter().map(|(other, _)| *other).collect()
}
