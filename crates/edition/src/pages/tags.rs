//! The tags of listed articles.

use std::collections::BTreeMap;
use std::sync::Arc;

use diglot_content::Article;
use diglot_content::encoding::encode_path;
use rustc_hash::FxHashMap;

/// The maximum number of tags on a page other than the list of all articles.
const COMMON: usize = 30;
/// The maximum size of the tags on the list of all articles, in bytes of HTML: some hundreds.
const MANY_BYTES: usize = 40_000;
/// The bytes of a tag in HTML beside its name and its address.
const TAG_BYTES: usize = 70;

/// A tag and its listed articles, by index in the library.
#[derive(Debug)]
pub(super) struct TagList {
    /// The name, as the newest article spells it.
    pub(super) name: Arc<str>,
    pub(super) articles: Vec<usize>,
}

/// The tags of listed articles, by slug.
pub(super) type Tags = BTreeMap<Arc<str>, TagList>;

/// The tags of listed articles; the newest article determines a name's spelling.
pub(super) fn collect(articles: &[Arc<Article>]) -> Tags {
    // A hash map, because there are several lookups per article; sorted at the end.
    let mut lists: FxHashMap<Arc<str>, TagList> = FxHashMap::default();
    for (index, article) in articles
        .iter()
        .enumerate()
        .filter(|(_, article)| article.listed)
    {
        for tag in &article.tags {
            let new = || TagList {
                name: Arc::clone(&tag.name),
                articles: Vec::new(),
            };
            let list = &mut lists
                .entry(Arc::clone(&tag.slug))
                .or_insert_with(new)
                .articles;
            if list.last() != Some(&index) {
                list.push(index);
            }
        }
    }
    lists.into_iter().collect()
}

/// The slugs of the most used tags, in order.
pub(super) fn common(tags: &Tags) -> Vec<Arc<str>> {
    most_used(tags, COMMON)
}

/// The slugs of as many tags as fit on the list of all articles, in order.
pub(super) fn many(tags: &Tags) -> Vec<Arc<str>> {
    most_used(tags, tags.len())
}

/// The most used tags in slug order: at most so many, and not more than fit on a page.
fn most_used(tags: &Tags, most: usize) -> Vec<Arc<str>> {
    let mut lists: Vec<(&Arc<str>, &TagList)> = tags.iter().collect();
    lists.sort_by_key(|(_, list)| std::cmp::Reverse(list.articles.len()));
    lists.truncate(most);
    let mut room = MANY_BYTES;
    let fits = |(slug, list): &(&Arc<str>, &TagList)| {
        let bytes = encode_path(slug).len() + list.name.len() + TAG_BYTES;
        let fits = bytes <= room;
        room = room.saturating_sub(bytes);
        fits
    };
    let mut slugs: Vec<Arc<str>> = lists
        .into_iter()
        .take_while(fits)
        .map(|(slug, _)| Arc::clone(slug))
        .collect();
    slugs.sort_unstable();
    slugs
}
