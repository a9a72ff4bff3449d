//! Which articles stand beside an article: the previous and next one, and those with the same tags.

use std::collections::BTreeMap;
use std::sync::Arc;

use diglot_content::sum::Sum;
use diglot_content::{AT_ONCE, Article};
use rayon::prelude::*;

use super::shared::{self, Tags};
use crate::resource::Digest;

/// How many related articles are named.
const RELATED: usize = 4;
/// How far to either side in the list of one tag a related article is looked for: this bounds the work when all articles share a tag.
const REACH: usize = 12;

/// The neighbours of every article, by its place in the library.
#[derive(Debug, Default)]
pub(super) struct Neighbours {
    of: Vec<Neighbour>,
}

/// The neighbours of one article.
#[derive(Clone, Debug, Default)]
pub(super) struct Neighbour {
    pub(super) previous: Option<usize>,
    pub(super) next: Option<usize>,
    pub(super) related: Box<[usize]>,
}

/// The neighbours of one edition, for the next: they are the same where all that decides them is. Cloning is cheap.
#[derive(Clone, Debug, Default)]
pub(super) struct Beside {
    /// The articles among which they are.
    articles: Arc<Vec<Arc<Article>>>,
    tags: Arc<Tags>,
    neighbours: Arc<Neighbours>,
    /// What tells each from others in a list.
    faces: Arc<Vec<Digest>>,
    /// Whether none has another title than in the edition before.
    titles: bool,
}

impl Beside {
    /// The neighbours of these articles; `self` are those of the edition before.
    pub(super) fn again(&self, articles: &Arc<Vec<Arc<Article>>>) -> Self {
        let changed: Vec<_> = self.articles.iter().zip(&**articles).filter(|(before, now)| !Arc::ptr_eq(before, now)).collect();
        let same = self.articles.len() == articles.len() && changed.iter().all(|(before, now)| decides(before) == decides(now));
        // What a tag is called, its newest article says.
        let same_tags = same && changed.iter().all(|(before, now)| before.tags == now.tags);
        let tags = if same_tags { Arc::clone(&self.tags) } else { Arc::new(shared::tags(articles)) };
        let neighbours = if same { Arc::clone(&self.neighbours) } else { Arc::new(Neighbours::new(articles, &tags)) };
        let titles = changed.iter().all(|(before, now)| before.title == now.title);
        Self { articles: Arc::clone(articles), tags, neighbours, faces: Arc::new(self.faces_of(articles)), titles }
    }

    /// The face of each of these articles: that of before where it is the same value.
    fn faces_of(&self, articles: &[Arc<Article>]) -> Vec<Digest> {
        let known = |(index, article): (usize, &Arc<Article>)| {
            let is_same = self.articles.get(index).is_some_and(|before| Arc::ptr_eq(before, article));
            self.faces.get(index).filter(|_| is_same).copied().unwrap_or_else(|| face(article))
        };
        articles.par_iter().with_max_len(AT_ONCE).enumerate().map(known).collect()
    }

    /// What tells each article from others in a list, by its place in the library: a digest of all that a list without summaries says of it.
    pub(super) fn faces(&self) -> &[Digest] {
        &self.faces
    }

    /// The tags of these articles.
    pub(super) const fn tags(&self) -> &Arc<Tags> {
        &self.tags
    }

    /// The neighbours of the article at this place.
    pub(super) fn of(&self, index: usize) -> Option<&Neighbour> {
        self.neighbours.of.get(index)
    }

    /// Whether the article at this place is the one that `before` had there, and all that is said on its page of other articles is the same.
    pub(super) fn is_as(&self, before: &Self, index: usize) -> bool {
        let both = |index: usize| Some((before.articles.get(index)?, self.articles.get(index)?));
        // What decides of neighbours is the same then, their addresses and languages among it.
        let titled = |index: &usize| both(*index).is_some_and(|(before, now)| before.title == now.title);
        let near = |near: &Neighbour| near.previous.iter().chain(&near.next).chain(&near.related).all(titled);
        Arc::ptr_eq(&before.neighbours, &self.neighbours)
            && both(index).is_some_and(|(before, now)| Arc::ptr_eq(before, now))
            && (self.titles || self.of(index).is_none_or(near))
    }
}

fn face(article: &Article) -> Digest {
    let Article { stem, title, date, language, .. } = article;
    Digest(Sum::of(&(stem, title, date, language)))
}

/// All of an article that decides who stands beside whom, and which tags have a page, where articles are in the same order.
fn decides(article: &Article) -> impl PartialEq {
    let Article { stem, language, listed, weight, date, tags, .. } = article;
    let slugs: Vec<&str> = tags.iter().map(|tag| &*tag.slug).collect();
    (stem, language, *listed, *weight, date.is_none(), slugs)
}

impl Neighbours {
    fn new(articles: &[Arc<Article>], tags: &Tags) -> Self {
        let mut of = vec![Neighbour::default(); articles.len()];
        for order in orders(articles).into_values() {
            for pair in order.windows(2) {
                of[pair[0]].next = Some(pair[1]);
                of[pair[1]].previous = Some(pair[0]);
            }
        }
        of.par_iter_mut().enumerate().for_each(|(index, of)| {
            // What is named as previous or next is not named again.
            let turns = [of.previous, of.next];
            of.related = related(index, &articles[index], articles, tags, turns);
        });
        Self { of }
    }
}

/// The listed articles of each language in reading order: by weight where all have one (a book), else oldest first (a journal).
fn orders(articles: &[Arc<Article>]) -> BTreeMap<&str, Vec<usize>> {
    let mut orders: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, article) in articles.iter().enumerate().rev().filter(|(_, article)| article.listed) {
        orders.entry(&article.language).or_default().push(index);
    }
    for order in orders.values_mut() {
        if order.iter().all(|index| articles[*index].weight.is_some()) {
            order.sort_by_key(|index| (articles[*index].weight, &articles[*index].stem));
        } else if order.iter().all(|index| articles[*index].date.is_none()) {
            order.reverse();
        }
    }
    orders
}

/// The articles that share the most tags, a rare tag counting more than a common one; among equals the nearest in time.
fn related(index: usize, article: &Article, articles: &[Arc<Article>], tags: &Tags, turns: [Option<usize>; 2]) -> Box<[usize]> {
    let own = |other: usize| other == index || turns.contains(&Some(other));
    let mut scores: Vec<(usize, u64)> = Vec::new();
    for list in article.tags.iter().filter_map(|tag| tags.get(&*tag.slug)) {
        let here = list.articles.partition_point(|other| *other < index);
        let near = &list.articles[here.saturating_sub(REACH)..list.articles.len().min(here + REACH + 1)];
        let weight = 1_000_000 / (list.articles.len() as u64 + 1);
        scores.extend(near.iter().filter(|other| !own(**other)).map(|other| (*other, weight)));
    }
    scores.sort_unstable();
    // Of several tags the weights count together.
    scores.dedup_by(|(later, more), (first, score)| {
        let same = later == first;
        *score += if same { *more } else { 0 };
        same
    });
    scores.retain(|(other, _)| articles[*other].language == article.language);
    let order = |(other, score): &(usize, u64)| (std::cmp::Reverse(*score), other.abs_diff(index), *other);
    if scores.len() > RELATED {
        scores.select_nth_unstable_by_key(RELATED, order);
        scores.truncate(RELATED);
    }
    scores.sort_unstable_by_key(order);
    // Not in place: that would keep the room of all that were looked at, for four of them.
    scores.iter().map(|(other, _)| *other).collect()
}
