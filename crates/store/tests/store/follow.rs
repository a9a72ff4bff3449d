//! Replicas: what is fetched, what is refused, and what stays in the cache.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use diglot_edition::Edition;
use diglot_edition::byte_store;
use diglot_edition::segment::Segments;
use diglot_store::cache::{Cache, restored};
use diglot_store::follow::pause;
use diglot_store::prune;
use diglot_store::publish::{Options, publish};
use diglot_store::signature::{PublicKey, SigningKey};
use diglot_store::{Error, Follower, Objects, Pointer};

use crate::faulty::{Faults, Faulty};
use crate::sites::{NOW, edition, same_bytes};
use crate::{KEEP, OTHER_PUBLIC, PRIVATE, objects, published};

/// A cache of any size.
const ROOMY: u64 = 1 << 30;

/// A folder for a cache, in memory if there is such a place: everything is flushed.
pub fn folder() -> tempfile::TempDir {
    let shared = Path::new("/dev/shm");
    match shared.is_dir() {
        true => tempfile::tempdir_in(shared).unwrap(),
        false => tempfile::tempdir().unwrap(),
    }
}

pub fn follower(folder: &Path) -> Follower {
    Follower::new(Cache::create(folder).unwrap(), None, ROOMY)
}

/// The edition from which a server answers that starts with this cache, if every byte is intact.
pub fn cached(folder: &Path, key: Option<&PublicKey>) -> Option<(Pointer, Edition)> {
    let cache = Cache::create(folder).unwrap();
    let (pointer, manifest) = cache.newest(key)?;
    let numbered = manifest.head.segments.clone();
    let fetch = move |segment: &diglot_edition::segment::Segment| cache.segment(segment);
    let segments = Arc::new(Segments::new(numbered, Box::new(fetch), byte_store::heap()));
    let edition = restored(&pointer, manifest, &segments, byte_store::heap()).unwrap();
    segments.read_all().then_some((pointer, edition))
}

/// Asserts that a server which starts now answers with this edition.
fn answers(folder: &Path, number: u64, words: &[&str]) {
    let (pointer, found) = cached(folder, None).unwrap();
    assert_eq!(pointer.number, number);
    same_bytes(&found, &edition(words));
}

fn store() -> (Arc<Faulty>, Objects, tempfile::TempDir) {
    let store = Faulty::new(1, Faults::default());
    let objects = objects(&store);
    (store, objects, folder())
}

#[tokio::test(start_paused = true)]
async fn a_replica_has_the_bytes_of_the_newest_edition_and_asks_for_little_after_an_edit() {
    let (store, objects, folder) = store();
    let mut follower = follower(folder.path());
    follower.step(&objects).await.unwrap();
    assert_eq!(follower.tell(Ok(())).edition, None, "the store is empty");
    let words: Vec<String> = (0..100).map(|number| format!("word{number}")).collect();
    let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
    published(&objects, &words).await;
    // Nothing is written by a replica.
    store.fail(Faults {
        read_only: true,
        ..Faults::default()
    });
    follower.step(&objects).await.unwrap();
    answers(folder.path(), 1, &words);
    let all = follower.tell(Ok(()));
    assert_eq!((all.edition, all.newest), (Some(1), Some(1)));
    store.heal();
    words[50] = "another";
    published(&objects, &words).await;
    follower.step(&objects).await.unwrap();
    answers(folder.path(), 2, &words);
    let edit = follower.tell(Ok(()));
    assert!(edit.bytes * 3 < all.bytes, "{edit:?} of {all:?}");
    follower.step(&objects).await.unwrap();
    assert_eq!(follower.tell(Ok(())).bytes, 0);
}

#[tokio::test(start_paused = true)]
async fn the_last_good_edition_stays_whatever_becomes_of_the_store() {
    let away = Faults {
        away: true,
        ..Faults::default()
    };
    for fate in [
        "away",
        "emptied",
        "half a pointer",
        "a pointer of nothing",
        "damaged",
        "incomplete",
    ] {
        let (store, objects, folder) = store();
        published(&objects, &["apples"]).await;
        let mut follower = follower(folder.path());
        follower.step(&objects).await.unwrap();
        published(&objects, &["pears"]).await;
        let pointer = format!("a/prefix/{}", Pointer::key(2));
        let named = |keys: Vec<String>, folder: &str| {
            let key = keys.into_iter().find(|key| key.contains(folder));
            key.unwrap()
        };
        match fate {
            "away" => store.fail(away),
            "emptied" => store.empty().await,
            "half a pointer" => store.cut(&pointer).await,
            "a pointer of nothing" => store.write(&pointer, b"").await,
            "damaged" => store.damage_all("segments").await,
            _ => store.remove(&named(store.keys().await, "manifests")).await,
        }
        // Which of the two manifests was removed is not known; without its own, nothing changes.
        let step = follower.step(&objects).await;
        let news = follower.tell(step);
        if fate != "incomplete" {
            assert_eq!(news.edition, Some(1), "{fate}");
            assert!(news.failed.is_some(), "{fate}");
            answers(folder.path(), 1, &["apples"]);
        }
        // After a restart, too.
        let (number, words) = match news.edition {
            Some(2) => (2, ["pears"]),
            _ => (1, ["apples"]),
        };
        answers(folder.path(), number, &words);
        let mut again = self::follower(folder.path());
        let _ = again.step(&objects).await;
        answers(folder.path(), number, &words);
        store.heal();
        // A publisher does not know which segments are damaged, and a chain that begins again has
        // smaller numbers.
        if !matches!(fate, "emptied" | "damaged") {
            published(&objects, &["plums"]).await;
            again.step(&objects).await.unwrap();
            answers(
                folder.path(),
                again.tell(Ok(())).edition.unwrap(),
                &["plums"],
            );
        }
    }
}

/// An hour of the clock, with the pauses that a replica makes.
async fn an_hour(follower: &mut Follower, objects: &Objects) -> u32 {
    let begun = tokio::time::Instant::now();
    let mut failures = 0;
    while begun.elapsed() < Duration::from_secs(3600) {
        let step = follower.step(objects).await;
        failures = step.as_ref().map_or(failures + 1, |()| 0);
        follower.tell(step);
        tokio::time::sleep(pause(Duration::from_secs(2), failures)).await;
    }
    failures
}

#[tokio::test(start_paused = true)]
async fn the_store_is_away_for_an_hour_and_a_replica_answers_on_and_asks_less_often() {
    let (store, objects, folder) = store();
    published(&objects, &["apples"]).await;
    let mut follower = follower(folder.path());
    follower.step(&objects).await.unwrap();
    store.fail(Faults {
        away: true,
        ..Faults::default()
    });
    let failures = an_hour(&mut follower, &objects).await;
    // Every half minute in the end.
    assert!((100..200).contains(&failures), "{failures} steps");
    answers(folder.path(), 1, &["apples"]);
    // A restart meanwhile.
    let mut follower = self::follower(folder.path());
    an_hour(&mut follower, &objects).await;
    answers(folder.path(), 1, &["apples"]);
    store.heal();
    published(&objects, &["pears"]).await;
    follower.step(&objects).await.unwrap();
    answers(folder.path(), 2, &["pears"]);
}

#[tokio::test(start_paused = true)]
async fn a_read_only_store_is_followed_and_a_full_one_loses_nothing() {
    let (store, objects, folder) = store();
    published(&objects, &["apples"]).await;
    // Neither a publisher nor a pruner can write; a replica never does.
    store.fail(Faults {
        read_only: true,
        ..Faults::default()
    });
    let made = publish(
        &objects,
        edition(&["pears"]),
        NOW,
        &Options::default(),
        &|_, _| {},
    )
    .await;
    assert!(matches!(made, Err(Error::Store { .. })), "{made:?}");
    assert!(prune::prune(&objects, KEEP).await.is_err());
    let mut follower = follower(folder.path());
    follower.step(&objects).await.unwrap();
    answers(folder.path(), 1, &["apples"]);
    // With room again the same publication goes through.
    store.heal();
    published(&objects, &["pears"]).await;
    follower.step(&objects).await.unwrap();
    answers(folder.path(), 2, &["pears"]);
}

#[tokio::test(start_paused = true)]
async fn of_several_new_editions_the_newest_good_one_is_taken_over_gaps() {
    let (store, objects, folder) = store();
    published(&objects, &["apples"]).await;
    let mut follower = follower(folder.path());
    follower.step(&objects).await.unwrap();
    for words in [["pears"], ["plums"], ["grapes"]] {
        published(&objects, &words).await;
    }
    prune::prune(&objects, KEEP).await.unwrap();
    store.cut(&format!("a/prefix/{}", Pointer::key(4))).await;
    let refused = follower.step(&objects).await;
    assert!(matches!(refused, Err(Error::Refused(_))), "{refused:?}");
    answers(folder.path(), 3, &["plums"]);
    let news = follower.tell(Ok(()));
    assert_eq!((news.newest, news.refusals), (Some(4), 1));
}

#[tokio::test(start_paused = true)]
async fn with_a_key_nothing_unsigned_or_wrongly_signed_is_taken() {
    let (store, objects, folder) = store();
    let file = folder.path().join("key.pem");
    std::fs::write(&file, PRIVATE).unwrap();
    let other = folder.path().join("other.pem");
    std::fs::write(&other, OTHER_PUBLIC).unwrap();
    let key = SigningKey::read(&file).unwrap();
    let (public, other) = (key.public(), PublicKey::read(&other).unwrap());
    let caches = [folder.path().join("one"), folder.path().join("other")];
    let following = |cache: &Path, key: &PublicKey| {
        Follower::new(Cache::create(cache).unwrap(), Some(key.clone()), ROOMY)
    };
    let (mut follower, mut stranger) = (
        following(&caches[0], &public),
        following(&caches[1], &other),
    );
    published(&objects, &["apples"]).await;
    assert!(follower.step(&objects).await.is_err());
    assert!(cached(&caches[0], None).is_none(), "it is not signed");
    let signing = Options {
        key: Some(key),
        ..Options::default()
    };
    publish(&objects, edition(&["pears"]), NOW, &signing, &|_, _| {})
        .await
        .unwrap();
    follower.step(&objects).await.unwrap();
    assert!(stranger.step(&objects).await.is_err());
    assert!(
        cached(&caches[1], None).is_none(),
        "it is signed by another"
    );
    // A cache that another key filled is not used, and an old pointer is not taken again.
    assert!(cached(&caches[0], Some(&other)).is_none());
    let old = objects.read(&Pointer::key(2)).await.unwrap().unwrap();
    store
        .write(&format!("a/prefix/{}", Pointer::key(3)), &old)
        .await;
    assert!(follower.step(&objects).await.is_err());
    answers(&caches[0], 2, &["pears"]);
}

#[tokio::test(start_paused = true)]
async fn what_is_damaged_in_the_cache_is_fetched_again() {
    let (_, objects, folder) = store();
    published(&objects, &["apples"]).await;
    let mut follower = follower(folder.path());
    follower.step(&objects).await.unwrap();
    for part in ["segments", "chunks", "manifests", "editions"] {
        let entry = std::fs::read_dir(folder.path().join(part)).unwrap().next();
        let file = entry.unwrap().unwrap().path();
        let mut bytes = std::fs::read(&file).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(&file, bytes).unwrap();
        assert!(cached(folder.path(), None).is_none(), "{part}");
        follower.check();
        follower.step(&objects).await.unwrap();
        answers(folder.path(), 1, &["apples"]);
    }
}

#[tokio::test(start_paused = true)]
async fn the_cache_holds_what_the_live_edition_and_a_newer_one_need() {
    let (_, objects, folder) = store();
    let mut follower = follower(folder.path());
    let files = |part: &str| std::fs::read_dir(folder.path().join(part)).unwrap().count();
    for (number, words) in [["apples"], ["pears"], ["plums"]].into_iter().enumerate() {
        published(&objects, &words).await;
        follower.step(&objects).await.unwrap();
        assert_eq!(files("editions"), (number + 1).min(2));
        follower.is_live(number as u64 + 1).unwrap();
        assert_eq!(
            (files("editions"), files("manifests"), files("new")),
            (1, 1, 0)
        );
        answers(folder.path(), number as u64 + 1, &words);
    }
    let mut cramped = Follower::new(Cache::create(folder.path()).unwrap(), None, 1 << 10);
    published(&objects, &["grapes"]).await;
    let refused = cramped.step(&objects).await.unwrap_err().to_string();
    assert!(refused.contains("--cache-size"), "{refused}");
    answers(folder.path(), 3, &["plums"]);
}

#[tokio::test(start_paused = true)]
async fn one_replica_at_a_time_writes_into_a_cache() {
    let folder = folder();
    let cache = Cache::create(folder.path()).unwrap();
    let lock = cache.lock().unwrap();
    assert!(matches!(cache.lock(), Err(Error::Conflict(_))));
    drop(lock);
    cache.lock().unwrap();
}
