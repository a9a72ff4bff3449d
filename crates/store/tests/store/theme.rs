//! Style sheets of earlier themes: a page of an edition before finds its own.

use std::sync::Arc;

use diglot_edition::earlier::EDITIONS;
use diglot_edition::{Coding, Edition, Found};
use diglot_store::publish::{Outcome, Sent, publish};
use diglot_store::{Objects, Pointer, prune, rollback};

use crate::faulty::{Faults, Faulty};
use crate::follow::{cached, folder, follower};
use crate::sites::{NOW, at, same_bytes, style, themed};
use crate::{KEEP, chain, objects, options, restored};

const RED: &str = ".a { color: red }";
const BLUE: &str = ".a { color: blue }";

async fn sent(objects: &Objects, made: &Arc<Edition>) -> (Pointer, Sent) {
    let made = Arc::clone(made);
    match publish(objects, made, NOW, &options("one"), &|_, _| {}).await {
        Ok(Outcome::Published { pointer, sent, .. }) => (pointer, sent),
        other => panic!("nothing was published: {other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn a_replica_answers_for_the_style_sheets_of_the_edition_before() {
    let store = Faulty::new(1, Faults::default());
    let objects = objects(&store);
    let folder = folder();
    let mut follower = follower(folder.path());
    let (red, blue) = (themed(&["apples"], RED), themed(&["apples"], BLUE));
    sent(&objects, &red).await;
    follower.step(&objects).await.unwrap();
    let (_, first) = cached(folder.path(), None).unwrap();
    assert_eq!(at(&first, &style(&blue)), None);
    sent(&objects, &blue).await;
    follower.step(&objects).await.unwrap();
    // As a server that starts with this cache.
    let (_, second) = cached(folder.path(), None).unwrap();
    same_bytes(&second, &blue);
    assert_eq!(at(&second, &style(&red)), at(&first, &style(&red)));
    assert!(second.get(&style(&red)).is_none(), "it is not its own");
    let Found::Resource(id) = second.resolve(&style(&red)) else {
        panic!("it is gone");
    };
    // With the codings that it had.
    let own = red.get(&style(&red)).unwrap();
    assert_eq!(second.resource(id).etag(None), own.etag(None));
    assert_eq!(
        second.resource(id).coded(Coding::Gzip),
        own.coded(Coding::Gzip)
    );
    // Pages and pictures of old editions are gone.
    assert_eq!(at(&second, "/articles/text-001.html"), None);
}

#[tokio::test(start_paused = true)]
async fn what_is_left_is_no_change_and_nothing_of_it_is_sent_again() {
    let store = Faulty::new(1, Faults::default());
    let objects = objects(&store);
    let (red, blue) = (themed(&["apples"], RED), themed(&["apples"], BLUE));
    sent(&objects, &red).await;
    sent(&objects, &blue).await;
    let before = store.keys().await;
    let again = publish(&objects, blue, NOW, &options("one"), &|_, _| {}).await;
    assert!(matches!(again, Ok(Outcome::Unchanged(_))));
    assert_eq!(store.keys().await, before);
    // It is in the store already: a chunk and the root name it, beside what an edit changes.
    let other = Faulty::new(1, Faults::default());
    let alone = crate::objects(&other);
    let edited = themed(&["pears"], BLUE);
    sent(&alone, &themed(&["apples"], BLUE)).await;
    let (_, expected) = sent(&alone, &edited).await;
    let (_, found) = sent(&objects, &edited).await;
    assert!(found.objects <= expected.objects, "{found:?} {expected:?}");
    assert!(found.bytes < expected.bytes + 500, "{found:?} {expected:?}");
}

#[tokio::test(start_paused = true)]
async fn so_many_editions_later_a_style_sheet_is_gone_and_pruned() {
    let store = Faulty::new(1, Faults::default());
    let objects = objects(&store);
    let red = themed(&["apples"], RED);
    sent(&objects, &red).await;
    for number in 1..=EDITIONS {
        let (pointer, _) = sent(&objects, &themed(&[&format!("word{number}")], BLUE)).await;
        prune::prune(&objects, KEEP).await.unwrap();
        if number == 1 || number == EDITIONS {
            // Every segment that the manifest names is read.
            let found = restored(&objects, &pointer).await;
            assert!(at(&found, &style(&red)).is_some(), "edition {number}");
        }
    }
    let (pointer, _) = sent(&objects, &themed(&["plums"], BLUE)).await;
    let found = restored(&objects, &pointer).await;
    assert_eq!(at(&found, &style(&red)), None);
    assert!(found.earlier().files().is_empty());
}

#[tokio::test(start_paused = true)]
async fn after_a_rollback_pages_of_the_edition_that_was_withdrawn_find_their_style_sheet() {
    let store = Faulty::new(1, Faults::default());
    let objects = objects(&store);
    let (red, blue) = (themed(&["apples"], RED), themed(&["pears"], BLUE));
    sent(&objects, &red).await;
    sent(&objects, &blue).await;
    let to = chain(&objects).find("1").await.unwrap();
    let who = (NOW, String::new());
    let pointer = rollback(&objects, &to, who, None).await.unwrap();
    prune::prune(&objects, KEEP).await.unwrap();
    let found = restored(&objects, &pointer).await;
    same_bytes(&found, &red);
    assert!(at(&found, &style(&blue)).is_some());
    // An edition that cannot be read leaves nothing to the next one, which is published all the
    // same.
    store.damage_all("chunks").await;
    sent(&objects, &themed(&["plums"], RED)).await;
}
