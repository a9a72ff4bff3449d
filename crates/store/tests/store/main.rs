//! Publishing, rolling back, pruning and following over a store that loses answers, writes and reads.

#![allow(clippy::unwrap_used, reason = "tests")]

mod faulty;
mod follow;
mod reach;
mod sites;
mod state;
mod theme;
mod trust;

use std::sync::Arc;
use std::time::Duration;

use diglot_edition::byte_store;
use diglot_edition::segment::Segments;
use diglot_store::prune::{self, Keep};
use diglot_store::publish::{Options, Outcome, publish};
use diglot_store::reading::read_manifest;
use diglot_store::signature::{PublicKey, SigningKey};
use diglot_store::{Chain, Error, Objects, Pointer, rollback};
use jiff::SignedDuration;
use object_store::path::Path;

use faulty::{Faults, Faulty};
use sites::{NOW, edition, same_bytes};

/// Two newest editions.
const KEEP: Keep = Keep {
    newest: 2,
    younger_than: SignedDuration::ZERO,
    wait: Duration::ZERO,
};

fn objects(store: &Arc<Faulty>) -> Objects {
    Objects::new(Arc::<Faulty>::clone(store), Path::from("a/prefix"))
}

fn chain(objects: &Objects) -> Chain<'_> {
    Chain { objects, key: None }
}

fn options(publisher: &str) -> Options {
    Options {
        publisher: publisher.to_owned(),
        ..Options::default()
    }
}

async fn published(objects: &Objects, words: &[&str]) -> Outcome {
    let made = edition(words);
    publish(objects, made, NOW, &options("one"), &|_, _| {})
        .await
        .unwrap()
}

/// The edition of a pointer, with every byte read from the store and verified.
async fn restored(objects: &Objects, pointer: &Pointer) -> diglot_edition::Edition {
    let (_, manifest) = read_manifest(objects, &pointer.manifest).await.unwrap();
    let mut bodies = std::collections::BTreeMap::new();
    for segment in manifest.head.segments() {
        let key = format!("segments/{}", segment.name);
        bodies.insert(segment.name.clone(), objects.read(&key).await.unwrap());
    }
    let fetch = move |segment: &diglot_edition::segment::Segment| {
        bodies.get(&segment.name)?.as_ref().map(|it| it.to_vec())
    };
    let numbered = manifest.head.segments.clone();
    let segments = Arc::new(Segments::new(numbered, Box::new(fetch), byte_store::heap()));
    let (edition, _) = manifest.restore(&segments, byte_store::heap()).unwrap();
    assert!(segments.read_all());
    edition
}

#[tokio::test(start_paused = true)]
async fn an_edition_is_published_and_read_again_byte_for_byte() {
    let store = Faulty::new(1, Faults::default());
    let objects = objects(&store);
    let Outcome::Published { pointer, .. } = published(&objects, &["apples", "pears"]).await else {
        panic!("nothing was published");
    };
    assert_eq!((pointer.number, pointer.articles), (1, 2));
    same_bytes(
        &restored(&objects, &pointer).await,
        &edition(&["apples", "pears"]),
    );
    // No lease and no probe is left.
    let keys = store.keys().await;
    assert!(
        keys.iter()
            .all(|key| !key.contains("publishing") && !key.contains("probe"))
    );
}

#[tokio::test(start_paused = true)]
async fn without_a_change_nothing_is_sent() {
    let store = Faulty::new(1, Faults::default());
    let objects = objects(&store);
    published(&objects, &["apples"]).await;
    let before = store.keys().await;
    let again = published(&objects, &["apples"]).await;
    assert!(matches!(again, Outcome::Unchanged(pointer) if pointer.number == 1));
    assert_eq!(store.keys().await, before);
}

#[tokio::test(start_paused = true)]
async fn a_dry_run_says_what_would_be_sent_and_writes_nothing() {
    let store = Faulty::new(1, Faults::default());
    let objects = objects(&store);
    let dry = Options {
        dry_run: true,
        ..Options::default()
    };
    let planned = publish(&objects, edition(&["apples"]), NOW, &dry, &|_, _| {}).await;
    let Outcome::Published { sent: planned, .. } = planned.unwrap() else {
        panic!("nothing would be published");
    };
    assert_eq!(store.keys().await, Vec::<String>::new());
    let Outcome::Published { sent, .. } = published(&objects, &["apples"]).await else {
        panic!("nothing was published");
    };
    assert_eq!(planned, sent);
}

#[tokio::test(start_paused = true)]
async fn after_an_edit_what_did_not_change_is_not_sent() {
    let store = Faulty::new(1, Faults::default());
    let objects = objects(&store);
    let mut words: Vec<String> = (0..200).map(|number| format!("word{number}")).collect();
    let as_words = |words: &[String]| {
        words
            .iter()
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join(" ")
    };
    let first: Vec<&str> = words.iter().map(String::as_str).collect();
    let Outcome::Published { sent: all, .. } = published(&objects, &first).await else {
        panic!("nothing was published");
    };
    let before = as_words(&words);
    words[100] = "another".to_owned();
    assert_ne!(before, as_words(&words));
    let second: Vec<&str> = words.iter().map(String::as_str).collect();
    let outcome = published(&objects, &second).await;
    let Outcome::Published {
        sent, difference, ..
    } = outcome
    else {
        panic!("nothing was published");
    };
    assert!(sent.bytes * 3 < all.bytes, "{sent:?} of {all:?}");
    let changed: Vec<&str> = difference
        .changed
        .iter()
        .map(|page| page.path.as_str())
        .collect();
    assert_eq!(changed, ["/articles/text-100.html"]);
    assert!(difference.added.is_empty() && difference.removed.is_empty());
}

#[tokio::test(start_paused = true)]
async fn of_two_publishers_one_loses_and_is_told_who_won() {
    for ignores_conditions in [false, true] {
        let store = Faulty::new(
            1,
            Faults {
                ignores_conditions,
                ..Faults::default()
            },
        );
        let objects = objects(&store);
        published(&objects, &["apples"]).await;
        let pointer = chain(&objects).newest().await.unwrap().unwrap();
        // Another process has read edition 1 as the newest, too.
        let winner = published(&objects, &["pears"]).await;
        assert!(matches!(winner, Outcome::Published { .. }));
        let late = chain(&objects).append(pointer, 1, None).await.unwrap();
        let diglot_store::chain::Appended::Lost(winner) = late else {
            panic!("both have won");
        };
        assert_eq!((winner.number, winner.publisher.as_str()), (2, "one"));
    }
}

#[tokio::test(start_paused = true)]
async fn of_two_publishers_at_the_same_moment_one_wins() {
    for seed in 0..8 {
        let store = Faulty::new(seed, Faults::default());
        let objects = objects(&store);
        let (left, right) = (options("left"), options("right"));
        let (one, other) = tokio::join!(
            publish(&objects, edition(&["apples"]), NOW, &left, &|_, _| {}),
            publish(&objects, edition(&["pears"]), NOW, &right, &|_, _| {}),
        );
        let (won, lost) = match one {
            Ok(won) => (won, other),
            lost => (other.unwrap(), lost),
        };
        assert!(
            matches!(&lost, Err(Error::Conflict(_))),
            "seed {seed}: {lost:?}"
        );
        let Outcome::Published { pointer, .. } = won else {
            panic!("seed {seed}: nothing was published");
        };
        assert_eq!(chain(&objects).all().await.unwrap(), [pointer]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_store_without_conditions_is_noticed_and_refused_with_a_lock() {
    let faults = Faults {
        ignores_conditions: true,
        ..Faults::default()
    };
    let store = Faulty::new(1, faults);
    let objects = objects(&store);
    let Outcome::Published { warnings, .. } = published(&objects, &["apples"]).await else {
        panic!("nothing was published");
    };
    assert_eq!(warnings.len(), 1);
    let locked = Options {
        lock: true,
        ..Options::default()
    };
    let refused = publish(&objects, edition(&["pears"]), NOW, &locked, &|_, _| {}).await;
    assert!(matches!(refused, Err(Error::Usage(_))));
}

#[tokio::test(start_paused = true)]
async fn a_rollback_is_a_new_number_with_the_old_bytes() {
    let store = Faulty::new(1, Faults::default());
    let objects = objects(&store);
    published(&objects, &["apples"]).await;
    published(&objects, &["pears"]).await;
    let to = chain(&objects).find("1").await.unwrap();
    let who = (NOW, String::new());
    let pointer = rollback(&objects, &to, who, None).await.unwrap();
    assert_eq!((pointer.number, pointer.repeats), (3, Some(1)));
    let newest = chain(&objects).newest().await.unwrap().unwrap();
    same_bytes(&restored(&objects, &newest).await, &edition(&["apples"]));
    // What the old edition needs is kept as long as its repetition.
    prune::prune(&objects, Keep { newest: 1, ..KEEP })
        .await
        .unwrap();
    same_bytes(&restored(&objects, &newest).await, &edition(&["apples"]));
    // Two are always kept.
    assert_eq!(chain(&objects).numbers().await.unwrap(), [2, 3]);
}

#[tokio::test(start_paused = true)]
async fn pruning_deletes_old_editions_and_nothing_that_a_kept_one_names() {
    let store = Faulty::new(1, Faults::default());
    let objects = objects(&store);
    for words in [["apples"], ["pears"], ["plums"]] {
        published(&objects, &words).await;
    }
    let plan = prune::plan(&objects, KEEP, NOW).await.unwrap();
    assert_eq!(
        (&plan.kept[..], &plan.editions[..]),
        (&[2, 3][..], &[1][..])
    );
    assert!(
        store
            .deleted
            .lock()
            .unwrap()
            .iter()
            .all(|key| key.contains("p"))
    );
    let pruned = prune::prune(&objects, KEEP).await.unwrap();
    assert_eq!(plan, pruned);
    for pointer in chain(&objects).all().await.unwrap() {
        restored(&objects, &pointer).await;
    }
    assert!(
        prune::plan(&objects, KEEP, NOW)
            .await
            .unwrap()
            .objects
            .is_empty()
    );
}

#[tokio::test(start_paused = true)]
async fn a_pruner_waits_for_a_publisher_and_a_killed_one_counts_for_an_hour() {
    let store = Faulty::new(1, Faults::default());
    let objects = objects(&store);
    published(&objects, &["apples"]).await;
    let lease = diglot_store::lease::Lease::for_publishing(&objects)
        .await
        .unwrap();
    let refused = prune::prune(&objects, KEEP).await;
    assert!(matches!(refused, Err(Error::Conflict(_))));
    lease.end().await.unwrap();
    prune::prune(&objects, KEEP).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_signed_edition_is_believed_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("key.pem");
    std::fs::write(&file, PRIVATE).unwrap();
    let other = folder.path().join("other.pem");
    std::fs::write(&other, OTHER_PUBLIC).unwrap();
    let key = SigningKey::read(&file).unwrap();
    let (public, other) = (key.public(), PublicKey::read(&other).unwrap());
    let store = Faulty::new(1, Faults::default());
    let objects = objects(&store);
    let newest = async |key| {
        Chain {
            objects: &objects,
            key,
        }
        .newest()
        .await
    };
    published(&objects, &["apples"]).await;
    assert!(matches!(
        newest(Some(&public)).await,
        Err(Error::Refused(_))
    ));
    let signing = Options {
        key: Some(key),
        ..Options::default()
    };
    publish(&objects, edition(&["apples"]), NOW, &signing, &|_, _| {})
        .await
        .unwrap();
    assert_eq!(newest(Some(&public)).await.unwrap().unwrap().number, 2);
    assert!(matches!(newest(Some(&other)).await, Err(Error::Refused(_))));
    // A signature holds for one number.
    let bytes = objects.read(&Pointer::key(2)).await.unwrap().unwrap();
    assert!(Pointer::parse(3, &bytes, Some(&public)).is_err());
    store.damage(&format!("a/prefix/{}", Pointer::key(2))).await;
    assert!(newest(Some(&public)).await.is_err());
}

#[tokio::test(start_paused = true)]
async fn what_is_damaged_or_missing_is_named_and_published_anew() {
    let store = Faulty::new(1, Faults::default());
    let objects = objects(&store);
    published(&objects, &["apples"]).await;
    for (folder, is_there) in [
        ("chunks", false),
        ("segments", false),
        ("manifests", false),
        ("chunks", true),
        ("manifests", true),
    ] {
        let keys = store.keys().await;
        let key = keys.iter().find(|key| key.contains(folder)).unwrap();
        match is_there {
            true => store.damage(key).await,
            false => store.remove(key).await,
        }
        let outcome = published(&objects, &["apples"]).await;
        let Outcome::Published {
            pointer, warnings, ..
        } = outcome
        else {
            panic!("a damaged edition counts as published");
        };
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        same_bytes(&restored(&objects, &pointer).await, &edition(&["apples"]));
    }
}

#[tokio::test(start_paused = true)]
async fn through_faults_no_edition_is_half_and_no_published_one_is_lost() {
    for seed in 0..24 {
        let faults = Faults {
            lost_answer: 9,
            lost_write: 11,
            false_conflict: 7,
            lost_read: 13,
            truncated: 17,
            stale_list: 3,
            ..Faults::default()
        };
        let store = Faulty::new(seed, faults);
        let objects = objects(&store);
        let mut won: Vec<Pointer> = Vec::new();
        for round in 0..4 {
            let (left, right) = (format!("left{round}"), format!("right{round}"));
            let (one, other) = (edition(&[&left]), edition(&[&right]));
            let (left, right) = (options("left"), options("right"));
            let (one, other, pruned) = tokio::join!(
                publish(&objects, one, NOW, &left, &|_, _| {}),
                publish(&objects, other, NOW, &right, &|_, _| {}),
                prune::prune(&objects, KEEP),
            );
            drop(pruned);
            for outcome in [one, other] {
                match outcome {
                    Ok(Outcome::Published { pointer, .. }) => won.push(pointer),
                    Ok(Outcome::Unchanged(_))
                    | Err(Error::Store { .. } | Error::Refused(_) | Error::Conflict(_)) => {}
                    Err(error) => panic!("seed {seed}: {error}"),
                }
            }
        }
        store.heal();
        let listed = chain(&objects).all().await.unwrap();
        for pointer in &listed {
            restored(&objects, pointer).await;
        }
        let mut numbers: Vec<u64> = won.iter().map(|pointer| pointer.number).collect();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(
            numbers.len(),
            won.len(),
            "seed {seed}: two have won one number"
        );
        let newest = listed.last().map_or(0, |pointer| pointer.number);
        assert!(
            won.iter().all(|pointer| pointer.number <= newest),
            "seed {seed}: one is lost"
        );
        for pointer in &won {
            if let Some(found) = listed.iter().find(|it| it.number == pointer.number) {
                assert_eq!(
                    found, pointer,
                    "seed {seed}: another edition has its number"
                );
            }
        }
    }
}

/// Made with `openssl genpkey -algorithm ed25519` for this test.
const PRIVATE: &str = "-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIIRB3TwxB7kfa7KRUWX7OzvsOMw9NORrhDR/ZSR0yo+i
-----END PRIVATE KEY-----
";
const OTHER_PUBLIC: &str = "-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAWBr0ZhfjmVBASgKxOJV3jdXjFBYOGzrlpmN4K996xLQ=
-----END PUBLIC KEY-----
";
