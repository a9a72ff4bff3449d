//! Series: articles that their author put in an order of their own.

use std::collections::BTreeMap;
use std::sync::Arc;

use diglot_content::Article;
use diglot_content::library::PartOf;

/// The most parts that a page lists: the tag's list has all.
const MOST: usize = 50;

/// The listed articles of each series, in order, by the slug of its tag and the language.
#[derive(Debug, Default)]
pub(super) struct AllSeries<'a> {
    of: BTreeMap<(&'a str, &'a str), Vec<usize>>,
}

/// A series from the point of view of one part.
pub(super) struct View<'v> {
    pub(super) of: &'v PartOf,
    /// All parts, by index in the library.
    pub(super) all: &'v [usize],
    /// The place of this part, from 0.
    pub(super) at: usize,
}

impl<'a> AllSeries<'a> {
    pub(super) fn new(articles: &'a [Arc<Article>]) -> Self {
        let mut of: BTreeMap<(&str, &str), Vec<(Key<'a>, usize)>> = BTreeMap::new();
        for (index, article) in articles.iter().enumerate() {
            for part in article.series.iter().filter(|_| article.listed) {
                let series = of.entry((&part.tag.slug, &article.language)).or_default();
                series.push((key(article, part), index));
            }
        }
        // A series has several parts.
        of.retain(|_, parts| parts.len() > 1);
        let ordered = |(name, mut parts): (_, Vec<(Key<'_>, usize)>)| {
            parts.sort_unstable();
            (name, parts.into_iter().map(|(_, index)| index).collect())
        };
        Self {
            of: of.into_iter().map(ordered).collect(),
        }
    }

    /// The series of an article.
    pub(super) fn views<'v>(
        &'v self,
        article: &'v Article,
        index: usize,
    ) -> impl Iterator<Item = View<'v>> {
        article.series.iter().filter_map(move |of| {
            let all = self.of.get(&(&*of.tag.slug, article.language.as_str()))?;
            let at = all.iter().position(|part| *part == index)?;
            Some(View { of, all, at })
        })
    }

    /// Puts the articles of a tag in the order of a series, if the tag has no others.
    pub(super) fn sort<T>(&self, slug: &str, members: &mut [T], index: impl Fn(&T) -> usize) {
        let series = self.of.range((slug, "")..);
        let series = series.take_while(|((of, _), _)| *of == slug);
        let mut ranks = BTreeMap::new();
        for (_, parts) in series {
            ranks.extend(parts.iter().enumerate().map(|(rank, part)| (*part, rank)));
        }
        let rank = |member: &T| ranks.get(&index(member)).copied();
        if members.iter().all(|member| rank(member).is_some()) {
            members.sort_by_key(|member| rank(member));
        }
    }
}

/// The number of a part, then its date and address.
type Key<'a> = (i64, Option<jiff::Timestamp>, &'a str);

fn key<'a>(article: &'a Article, part: &PartOf) -> Key<'a> {
    let number = part.number.or(article.weight);
    (
        number.unwrap_or(i64::MAX),
        article.date.map(|date| date.at),
        &article.stem,
    )
}

impl View<'_> {
    /// The parts that a page lists: all, or those around its own. The place of the first, and the
    /// indexes in the library.
    pub(super) fn near(&self) -> (usize, &[usize]) {
        let first = self.at.saturating_sub(MOST / 2);
        let first = first.min(self.all.len().saturating_sub(MOST));
        let end = (first + MOST).min(self.all.len());
        (first, &self.all[first..end])
    }
}
