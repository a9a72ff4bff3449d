//! `/search/index.json` and the files that it names: the index of the search.

use std::sync::Arc;

use diglot_content::memo::Memo;
use diglot_search::{Chunk, Words, bucket_key, merge, pack, text::BUCKETS};
use jiff::Timestamp;
use rayon::prelude::*;

use super::Material;
use crate::body::Body;
use crate::pages::Page;
use crate::policy;
use crate::resource::{Digest, Resource};
use crate::route::Route;
use crate::store::Store;

/// Digits of the digest in the name of a file, as in all names below `/_/`.
const DIGITS: usize = 16;

/// The index over all pages that a search finds; nothing without a search. `memo` has parts of the index
/// by the digests of all that is in them.
pub(crate) fn resources(
    material: &Material<'_>,
    pages: &[Arc<Page>],
    memo: &Memo<Vec<Chunk>>,
    store: &dyn Store,
) -> Vec<Arc<Resource>> {
    if !material.search {
        return Vec::new();
    }
    let mut pages: Vec<&Arc<Page>> = pages
        .par_iter()
        .filter(|page| page.listed && !page.words.is_empty())
        .collect();
    // By path: so an edit changes the number of no other text. Of equally relevant texts, one in the
    // site's language is first.
    let key = |page: &Arc<Page>| (page.is_foreign, Arc::clone(&page.resources[0].path));
    pages.par_sort_by_cached_key(|page| key(page));
    let words: Vec<&Words> = pages.iter().map(|page| &page.words).collect();
    let bucket = |bucket: usize| {
        memo.get(bucket_key(&words, bucket), || {
            let mut chunks = merge(&words, bucket);
            for chunk in &mut chunks {
                chunk.bytes = store.keep(&[&chunk.bytes]);
            }
            chunks
        })
    };
    let buckets: Vec<Arc<Vec<Chunk>>> = (0..BUCKETS).into_par_iter().map(bucket).collect();
    let files = pack(&words, buckets.iter().map(|chunks| chunks.as_slice()));
    let at = policy::words_date(material.now).at;
    let texts = files
        .texts
        .par_iter()
        .map(|bytes| file(bytes.clone().into(), "json", at));
    let mut resources: Vec<Resource> = texts.collect();
    let entries = files
        .words
        .par_iter()
        .map(|(.., slices)| file(Body::rope(slices.iter().cloned()), "bin", at));
    resources.par_extend(entries);
    let address = |resource: &Resource| material.site.base.rooted(&resource.path);
    let addresses: Vec<String> = resources.iter().map(address).collect();
    let (text_files, word_files) = addresses.split_at(files.texts.len());
    let index = files.index(words.len(), text_files, word_files);
    // Equal files of texts have one name.
    resources.sort_by(|one, other| one.path.cmp(&other.path));
    resources.dedup_by(|one, other| one.path == other.path);
    resources.push(Resource::new(Route::SearchIndex, index, material.newest.at));
    resources.into_iter().map(Arc::new).collect()
}

fn file(body: Body, suffix: &str, at: Timestamp) -> Resource {
    let digest = Digest::of_rope(&body);
    let digits = digest.to_string();
    let name = format!("search.{}.{suffix}", &digits[..DIGITS]);
    Resource::with_digest(Route::Asset(name.into()), body, digest, at)
}
