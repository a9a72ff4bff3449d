//! Segments that are damaged in the store, and what caches have been told.

use diglot_store::publish::{Options, Outcome, publish};
use diglot_store::{Objects, Pointer, prune, purged, rollback};

use crate::faulty::{Faults, Faulty};
use crate::follow::{cached, folder, follower};
use crate::sites::{NOW, edition, same_bytes};
use crate::{KEEP, objects, published, restored};

async fn repaired(objects: &Objects, words: &[&str]) -> Outcome {
    let options = Options {
        repair: true,
        ..Options::default()
    };
    let done = publish(objects, edition(words), NOW, &options, &|_, _| {});
    done.await.unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_damaged_segment_is_named_with_a_command_that_repairs_it() {
    let store = Faulty::new(1, Faults::default());
    let objects = objects(&store);
    published(&objects, &["apples"]).await;
    assert!(matches!(
        repaired(&objects, &["apples"]).await,
        Outcome::Unchanged(_)
    ));
    store.damage_all("segments").await;
    let folder = folder();
    let mut replica = follower(folder.path());
    let refused = replica.step(&objects).await.unwrap_err().to_string();
    assert!(refused.contains("`diglot publish --repair`"), "{refused}");
    let done = repaired(&objects, &["apples"]).await;
    assert!(matches!(&done, Outcome::Published { warnings, .. } if warnings.len() == 1));
    same_bytes(
        &restored(&objects, done.pointer()).await,
        &edition(&["apples"]),
    );
    replica.step(&objects).await.unwrap();
    let (pointer, _) = cached(folder.path(), None).unwrap();
    assert_eq!(pointer.number, 2);
}

/// The numbers of the editions that caches may have.
async fn since(objects: &Objects, pointer: &Pointer) -> Option<Vec<u64>> {
    let since = purged::since(objects, pointer).await.unwrap();
    Some(since?.iter().map(|pointer| pointer.number).collect())
}

async fn pointer(objects: &Objects, words: &[&str]) -> Pointer {
    published(objects, words).await.pointer().clone()
}

#[tokio::test(start_paused = true)]
async fn what_a_failed_purge_left_is_purged_by_the_next() {
    let store = Faulty::new(1, Faults::default());
    let objects = objects(&store);
    let first = pointer(&objects, &["apples"]).await;
    assert_eq!(since(&objects, &first).await, None, "everything");
    purged::record(&objects, purged::EVERYTHING).await.unwrap();
    let second = pointer(&objects, &["pears"]).await;
    assert_eq!(since(&objects, &second).await, None, "nothing was purged");
    purged::record(&objects, 2).await.unwrap();
    assert_eq!(since(&objects, &second).await, Some(vec![1]), "again");
    // The purge of the third fails.
    let third = pointer(&objects, &["plums"]).await;
    assert_eq!(since(&objects, &third).await, Some(vec![2]));
    let fourth = pointer(&objects, &["grapes"]).await;
    assert_eq!(since(&objects, &fourth).await, Some(vec![3, 2]));
    // An edition that was withdrawn is in caches, too.
    let who = (NOW, String::new());
    let back = rollback(&objects, &second, who, None).await.unwrap();
    assert_eq!(since(&objects, &back).await, Some(vec![4, 3]));
    // One that is gone or damaged may have had any answer.
    store.cut(&format!("a/prefix/{}", Pointer::key(4))).await;
    assert_eq!(since(&objects, &back).await, None);
    prune::prune(&objects, KEEP).await.unwrap();
    assert_eq!(since(&objects, &back).await, None);
    purged::record(&objects, 5).await.unwrap();
    let last = pointer(&objects, &["figs"]).await;
    assert_eq!(since(&objects, &last).await, Some(vec![5]));
    store.write("a/prefix/purged.json", b"{").await;
    assert_eq!(since(&objects, &last).await, Some(vec![5]));
}
