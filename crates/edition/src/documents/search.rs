//! `/search/index.json` and the files that it names: the index of the search.

use std::hash::Hash;
use std::sync::Arc;

use diglot_content::fingerprint::{self, Fingerprint};
use diglot_content::memo::Memo;
use diglot_content::parallel;
use diglot_search::text::BUCKETS;
use diglot_search::writer::{PER_FILE, bucket_digests, bucket_key, shown, written};
use diglot_search::{Chunk, WordFile, Words, merge, pack};
use jiff::Timestamp;
use rayon::prelude::*;

use super::Material;
use crate::body::Body;
use crate::byte_store::ByteStore;
use crate::pages::Page;
use crate::policy;
use crate::resource::{Digest, Resource};
use crate::route::Route;

/// Texts in a group with digests of its own.
const GROUP: usize = 100;
/// Digits of the digest in the name of a file, as in all names below `/_/`.
const DIGITS: usize = 16;

/// What earlier editions leave to the index of the next, each by the digest of all that is in it.
#[derive(Debug, Default)]
pub(crate) struct Memos {
    /// The digests of the buckets of some texts.
    digests: Memo<Vec<[u8; 16]>>,
    buckets: Memo<Vec<Chunk>>,
    files: Memo<Resource>,
}

impl Memos {
    /// Ends an edition: drops what it did not use.
    pub(super) fn next(&mut self) {
        self.digests.next();
        self.buckets.next();
        self.files.next();
    }
}

/// The index over all pages that a search finds; nothing without a search.
pub(crate) fn resources(
    material: &Material<'_>,
    pages: &[Arc<Page>],
    memos: &Memos,
    store: &dyn ByteStore,
) -> Vec<Arc<Resource>> {
    if !material.search {
        return Vec::new();
    }
    let pages = searched(pages);
    let buckets = buckets(&pages, memos, store);
    let files = pack(buckets.iter().map(|chunks| chunks.as_slice()));
    let at = policy::words_date(material.now).at;
    let mut resources = text_files(&pages, at, memos);
    resources.extend(parallel::map(&files, |words| {
        let made = || file(rope(words), "bin", at);
        memos
            .files
            .get(Fingerprint::hash_one(&(words.key(), at)), made)
    }));
    let address = |resource: &Arc<Resource>| material.site.base.rooted(&resource.path);
    let addresses: Vec<String> = resources.iter().map(address).collect();
    let (text_files, word_files) = addresses.split_at(resources.len() - files.len());
    let index = written(pages.len(), text_files, (&files, word_files));
    // Equal files of texts have one name.
    resources.sort_by(|one, other| one.path.cmp(&other.path));
    resources.dedup_by(|one, other| one.path == other.path);
    let index = Resource::new(Route::SearchIndex, index, material.newest.at);
    resources.push(Arc::new(index));
    resources
}

/// The files of what a search shows of each text.
fn text_files(pages: &[&Arc<Page>], at: Timestamp, memos: &Memos) -> Vec<Arc<Resource>> {
    parallel::map_chunks(pages, PER_FILE, |_, pages| {
        let made = || file(shown(&words(pages)).into(), "json", at);
        memos.files.get(key(pages, at), made)
    })
}

/// The pages that a search finds, in the order of their numbers.
fn searched(pages: &[Arc<Page>]) -> Vec<&Arc<Page>> {
    let mut pages = parallel::filter(pages, |page| page.listed && !page.words.is_empty());
    // By path: so an edit changes the number of no other text. Of equally relevant texts, one in the
    // site's language is first.
    let place = |page: &Arc<Page>| (page.is_foreign, Arc::clone(&page.resources[0].path));
    pages.par_sort_by_cached_key(|page| place(page));
    pages
}

/// The merged buckets of all texts.
fn buckets(pages: &[&Arc<Page>], memos: &Memos, store: &dyn ByteStore) -> Vec<Arc<Vec<Chunk>>> {
    let (words, groups) = (words(pages), digests(pages, memos));
    let bucket = |bucket: usize| {
        let groups = groups.iter().map(|group| group.as_slice());
        memos.buckets.get(bucket_key(groups, bucket), || {
            let mut chunks = merge(&words, bucket);
            for chunk in &mut chunks {
                chunk.bytes = store.keep(&[&chunk.bytes]);
            }
            chunks
        })
    };
    parallel::map_numbers(BUCKETS, bucket)
}

/// The digests of the buckets of each group of texts.
fn digests(pages: &[&Arc<Page>], memos: &Memos) -> Vec<Arc<Vec<[u8; 16]>>> {
    // A text has a digest for each bucket. Reading those of all texts would take longer than
    // merging what changed.
    parallel::map_chunks(pages, GROUP, |_, pages| {
        let key = key(pages, Timestamp::UNIX_EPOCH);
        memos.digests.get(key, || bucket_digests(&words(pages)))
    })
}

/// The words of these pages.
fn words<'p>(pages: &[&'p Arc<Page>]) -> Vec<&'p Words> {
    pages.iter().map(|page| &page.words).collect()
}

/// A digest of everything that the words of these pages follow from, and of a date.
fn key(pages: &[&Arc<Page>], at: Timestamp) -> fingerprint::Digest {
    let mut sum = Fingerprint::new();
    pages.iter().for_each(|page| page.key.hash(&mut sum));
    at.hash(&mut sum);
    sum.digest()
}

fn rope(words: &WordFile<'_>) -> Body {
    Body::rope(words.chunks.iter().map(|chunk| chunk.bytes.clone()))
}

fn file(body: Body, suffix: &str, at: Timestamp) -> Resource {
    let digest = Digest::hash_body(&body);
    let digits = digest.to_string();
    let name = format!("search.{}.{suffix}", &digits[..DIGITS]);
    Resource::with_digest(Route::Asset(name.into()), body, digest, at)
}
