//! The neighbours of an article: the previous and next one, and those with the same tags.

use std::collections::BTreeMap;
use std::hash::Hash;
use std::sync::Arc;

use diglot_content::fingerprint::{Digest, Fingerprint};
use diglot_content::{AT_ONCE, Article};
use rayon::prelude::*;

use super::shared::Tags;

/// The number of related articles.
const RELATED: usize = 4;
/// How far in each direction a tag's list is searched for related articles. It bounds the work if
/// all articles share a tag.
const REACH: usize = 12;

/// The neighbours of every article, by its index in the library.
#[derive(Debug, Default)]
pub struct Neighbours {
    of: Vec<Neighbour>,
}

/// The neighbours of one article.
#[derive(Clone, Debug, Default)]
pub(super) struct Neighbour {
    pub(super) previous: Option<usize>,
    pub(super) next: Option<usize>,
    pub(super) related: Box<[usize]>,
}

/// A digest of the inputs of all neighbours: the order of articles and their tags.
pub(super) fn key(articles: &[Arc<Article>]) -> Digest {
    let of = |article: &Arc<Article>| {
        let Article {
            stem,
            language,
            listed,
            weight,
            date,
            tags,
            ..
        } = &**article;
        let mut sum = Fingerprint::new();
        (stem, language, listed, weight, date.is_none()).hash(&mut sum);
        tags.iter().for_each(|tag| tag.slug.hash(&mut sum));
        sum.digest()
    };
    let all: Vec<Digest> = articles.par_iter().with_max_len(AT_ONCE).map(of).collect();
    Fingerprint::of(&all)
}

impl Neighbours {
    /// Computes the neighbours of all these articles.
    pub(super) fn new(articles: &[Arc<Article>], tags: &Tags) -> Self {
        let mut of = vec![Neighbour::default(); articles.len()];
        for order in orders(articles).into_values() {
            for pair in order.windows(2) {
                of[pair[0]].next = Some(pair[1]);
                of[pair[1]].previous = Some(pair[0]);
            }
        }
        of.par_iter_mut().enumerate().for_each(|(index, of)| {
            // The previous and next articles are not repeated as related.
            let turns = [of.previous, of.next];
            of.related = related(index, &articles[index], articles, tags, turns);
        });
        Self { of }
    }

    /// The neighbours of the article at this index.
    pub(super) fn of(&self, index: usize) -> Option<&Neighbour> {
        self.of.get(index)
    }
}

/// The listed articles of each language in reading order: by weight if all have one (a book), else
/// oldest first (a journal).
fn orders(articles: &[Arc<Article>]) -> BTreeMap<&str, Vec<usize>> {
    let mut orders: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, article) in articles
        .iter()
        .enumerate()
        .rev()
        .filter(|(_, article)| article.listed)
    {
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
    // Collected anew: in place it would keep the capacity of all candidates for four articles.
    scores.iter().map(|(other, _)| *other).collect()
}
