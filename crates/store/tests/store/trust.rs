//! What a store may not be believed: unsigned editions, unclear answers, endless chains.

use std::sync::Arc;

use diglot_edition::Edition;
use diglot_store::probe::abilities;
use diglot_store::publish::{Options, Outcome, publish};
use diglot_store::signature::SigningKey;
use diglot_store::{Error, Objects, Pointer, prune, rollback};
use jiff::{SignedDuration, Timestamp};

use crate::faulty::{Faults, Faulty};
use crate::sites::{NOW, at, edition, same_bytes, style, themed};
use crate::{KEEP, PRIVATE, chain, objects, options, published, restored};

fn key() -> SigningKey {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("key.pem");
    std::fs::write(&file, PRIVATE).unwrap();
    SigningKey::read(&file).unwrap()
}

async fn sent(objects: &Objects, made: &Arc<Edition>, options: Options) -> Pointer {
    let made = Arc::clone(made);
    match publish(objects, made, NOW, &options, &|_, _| {}).await {
        Ok(Outcome::Published { pointer, .. }) => pointer,
        other => panic!("nothing was published: {other:?}"),
    }
}

fn signing() -> Options {
    Options {
        key: Some(key()),
        ..Options::default()
    }
}

fn who() -> (Timestamp, String) {
    (NOW, String::new())
}

#[tokio::test(start_paused = true)]
async fn a_rollback_signs_only_what_the_key_has_signed() {
    let store = Faulty::new(1, Faults::default());
    let objects = objects(&store);
    let unsigned = sent(&objects, &edition(&["apples"]), options("one")).await;
    let signed = sent(&objects, &edition(&["pears"]), signing()).await;
    sent(&objects, &edition(&["plums"]), signing()).await;
    let refused = rollback(&objects, &unsigned, who(), Some(&key())).await;
    assert!(matches!(refused, Err(Error::Refused(_))), "{refused:?}");
    // Nor what somebody says of an edition that is signed.
    let mut other = signed.clone();
    other.manifest.clone_from(&unsigned.manifest);
    let refused = rollback(&objects, &other, who(), Some(&key())).await;
    assert!(matches!(refused, Err(Error::Refused(_))), "{refused:?}");
    assert_eq!(chain(&objects).last().await.unwrap(), 3);
    let again = rollback(&objects, &signed, who(), Some(&key())).await;
    assert_eq!(again.unwrap().repeats, Some(2));
}

#[tokio::test(start_paused = true)]
async fn a_signed_edition_takes_no_file_from_an_unsigned_one() {
    let store = Faulty::new(1, Faults::default());
    let objects = objects(&store);
    let red = themed(&["apples"], ".a { color: red }");
    let blue = themed(&["apples"], ".a { color: blue }");
    let green = themed(&["apples"], ".a { color: green }");
    sent(&objects, &red, options("one")).await;
    let first = sent(&objects, &blue, signing()).await;
    assert_eq!(at(&restored(&objects, &first).await, &style(&red)), None);
    // One that is signed leaves its files, also if another is between.
    sent(&objects, &red, options("one")).await;
    let second = sent(&objects, &green, signing()).await;
    let found = restored(&objects, &second).await;
    assert_eq!(at(&found, &style(&red)), None);
    assert!(at(&found, &style(&blue)).is_some());
    sent(&objects, &red, options("one")).await;
    let again = rollback(&objects, &first, who(), Some(&key())).await;
    let found = restored(&objects, &again.unwrap()).await;
    same_bytes(&found, &blue);
    assert_eq!(at(&found, &style(&red)), None);
    assert!(at(&found, &style(&green)).is_some());
}

#[tokio::test(start_paused = true)]
async fn a_damaged_newest_pointer_prevents_no_pruning() {
    let store = Faulty::new(1, Faults::default());
    let objects = objects(&store);
    for word in ["apples", "pears", "plums", "grapes"] {
        published(&objects, &[word]).await;
    }
    store.cut(&format!("a/prefix/{}", Pointer::key(4))).await;
    let pruned = prune::prune(&objects, KEEP).await.unwrap();
    // Two that can be served, and the number that is taken.
    assert_eq!((pruned.kept, pruned.editions), (vec![2, 3, 4], vec![1]));
    for pointer in chain(&objects).all().await.unwrap() {
        restored(&objects, &pointer).await;
    }
    // What an edition of another version needs is not known.
    let foreign = b"{\"format\":9,\"number\":4}\n";
    store
        .write(&format!("a/prefix/{}", Pointer::key(4)), foreign)
        .await;
    let refused = prune::prune(&objects, KEEP).await;
    assert!(matches!(refused, Err(Error::Refused(_))), "{refused:?}");
}

#[tokio::test(start_paused = true)]
async fn an_unclear_answer_to_the_probe_is_not_remembered() {
    for seed in 0..32 {
        let faults = Faults {
            lost_answer: 3,
            false_conflict: 3,
            ..Faults::default()
        };
        let store = Faulty::new(seed, faults);
        let objects = objects(&store);
        let _ = abilities(&objects).await;
        store.heal();
        let found = abilities(&objects).await.unwrap();
        assert!(found.conditional_writes, "seed {seed}");
    }
    // A store that was seen to ignore conditions is believed when it honours them.
    let store = Faulty::new(1, Faults::default());
    store.fail(Faults {
        ignores_conditions: true,
        ..Faults::default()
    });
    let objects = objects(&store);
    assert!(!abilities(&objects).await.unwrap().conditional_writes);
    store.fail(Faults::default());
    assert!(abilities(&objects).await.unwrap().conditional_writes);
}

#[tokio::test(start_paused = true)]
async fn a_store_that_seems_to_have_every_edition_is_not_counted_without_end() {
    let store = Faulty::new(1, Faults::default());
    let objects = objects(&store);
    published(&objects, &["apples"]).await;
    store.fail(Faults {
        all_exist: true,
        ..Faults::default()
    });
    let chain = chain(&objects);
    let counted = tokio::time::timeout(std::time::Duration::from_secs(9), chain.numbers());
    let counted = counted.await.expect("it counts without end");
    assert!(matches!(counted, Err(Error::Store { .. })), "{counted:?}");
}

#[tokio::test(start_paused = true)]
async fn what_killed_processes_leave_is_pruned_once_nobody_counts_on_it() {
    let store = Faulty::new(1, Faults::default());
    let objects = objects(&store);
    published(&objects, &["apples"]).await;
    for folder in ["publishing", "pruning", "probe"] {
        store
            .write(&format!("a/prefix/{folder}/killed"), b"x")
            .await;
    }
    let plan = async |minutes| {
        let now = Timestamp::now() + SignedDuration::from_mins(minutes);
        prune::plan(&objects, KEEP, now).await.unwrap().objects
    };
    assert_eq!(plan(50).await, Vec::<String>::new());
    let left = ["publishing/killed", "pruning/killed", "probe/killed"];
    assert_eq!(plan(70).await, left);
}
