//! Two publishers, a pruner and three replicas at once, over a store with faults, each of them killed
//! at any step. `DIGLOT_REACH=SEEDS cargo test -p diglot-store reach` says how many runs.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use diglot_edition::Edition;
use diglot_store::prune::{self, Keep};
use diglot_store::publish::{Outcome, publish};
use diglot_store::{Error, Follower, Objects, Pointer};

use crate::faulty::{Faults, Faulty};
use crate::follow::{cached, folder, follower};
use crate::sites::{NOW, same_bytes, themed};
use crate::{KEEP, chain, objects, options, restored};

/// Runs, unless others are asked for.
const RUNS: u64 = 12;
/// Times that the publishers publish in a run.
const ROUNDS: usize = 5;
const FAULTS: Faults = Faults {
    lost_answer: 19,
    lost_write: 23,
    false_conflict: 7,
    lost_read: 29,
    truncated: 31,
    stale_list: 3,
    slow: 41,
    away: false,
    read_only: false,
    ignores_conditions: false,
    all_exist: false,
};

/// The editions that are published.
static EDITIONS: LazyLock<Vec<Arc<Edition>>> = LazyLock::new(|| {
    let words = ["apples", "pears", "plums", "grapes", "figs", "limes"];
    let made = words
        .iter()
        .map(|word| themed(&[word, "same"], &format!(".{word} {{ color: red }}")));
    made.collect()
});

/// Numbers that are the same in every run (xorshift).
#[derive(Clone)]
struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % most
    }
}

/// Does some work, and in one of three cases kills it at any step: `None`.
async fn or_killed<T>(random: &mut Random, work: impl Future<Output = T>) -> Option<T> {
    let steps = Some(random.below(300)).filter(|_| random.below(3) == 0);
    let killed = async {
        let Some(steps) = steps else {
            return std::future::pending().await;
        };
        for _ in 0..steps {
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        biased;
        done = work => Some(done),
        () = killed => None,
    }
}

/// Publishes; returns what was published for sure.
async fn publisher(objects: &Objects, name: &str, mut random: Random) -> Option<Pointer> {
    let made = &EDITIONS[random.below(EDITIONS.len() as u64) as usize];
    let options = options(name);
    let work = publish(objects, Arc::clone(made), NOW, &options, &|_, _| {});
    match or_killed(&mut random, work).await? {
        Ok(Outcome::Published { pointer, .. }) => Some(pointer),
        Err(Error::Usage(why)) => panic!("{why}"),
        _ => None,
    }
}

/// A replica: the process that fetches, and the server.
struct Replica {
    folder: tempfile::TempDir,
    follower: Follower,
    /// The number from which the server answers.
    live: u64,
    random: Random,
}

impl Replica {
    fn new(seed: u64) -> Self {
        let folder = folder();
        Self {
            follower: follower(folder.path()),
            folder,
            live: 0,
            random: Random(seed),
        }
    }

    /// Some steps; each may be killed.
    async fn follow(&mut self, objects: &Objects) {
        for _ in 0..3 {
            let done = or_killed(&mut self.random, self.follower.step(objects)).await;
            if done.is_none() {
                self.follower = follower(self.folder.path());
            }
            self.serve();
        }
    }

    /// Goes live with what is in the cache, as a server that starts now.
    fn serve(&mut self) {
        let Some((pointer, found)) = whole(self.folder.path()) else {
            assert_eq!(self.live, 0, "the cache is lost");
            return;
        };
        let is_meant = |made: &&Arc<Edition>| made.id.to_string() == pointer.edition;
        let meant = EDITIONS.iter().find(is_meant);
        same_bytes(&found, meant.expect("nobody has published this"));
        assert!(pointer.number >= self.live, "an older edition again");
        self.live = pointer.number;
        if self.random.below(2) == 0 {
            self.follower.is_live(self.live).unwrap();
        }
    }
}

/// The edition in a cache, which must be whole.
fn whole(folder: &Path) -> Option<(Pointer, Edition)> {
    let has_pointer = std::fs::read_dir(folder.join("editions")).unwrap().count() > 0;
    let found = cached(folder, None);
    assert!(found.is_some() || !has_pointer, "half an edition");
    found
}

async fn run(seed: u64) {
    let store = Faulty::new(seed, FAULTS);
    let objects = objects(&store);
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut next = || Random(random.below(u64::MAX) | 1);
    let [mut one, mut two, mut three] = [0; 3].map(|_| Replica::new(next().0));
    let mut won: BTreeMap<u64, Pointer> = BTreeMap::new();
    for _ in 0..ROUNDS {
        let mut pruner = next();
        let keep = Keep {
            newest: 1 + pruner.below(3) as usize,
            ..KEEP
        };
        let (left, right, ..) = tokio::join!(
            publisher(&objects, "left", next()),
            publisher(&objects, "right", next()),
            or_killed(&mut pruner, prune::prune(&objects, keep)),
            one.follow(&objects),
            two.follow(&objects),
            three.follow(&objects),
        );
        for pointer in [left, right].into_iter().flatten() {
            let before = won.insert(pointer.number, pointer);
            assert!(before.is_none(), "two have won one number");
        }
        expire_leases(&store).await;
    }
    store.heal();
    let listed = chain(&objects).all().await.unwrap();
    for pointer in &listed {
        restored(&objects, pointer).await;
        let winner = won.get(&pointer.number);
        assert!(winner.is_none_or(|it| it == pointer), "a lost edition");
    }
    let newest = listed.last().map_or(0, |pointer| pointer.number);
    assert!(won.keys().all(|number| *number <= newest), "a lost edition");
    for replica in [&mut one, &mut two, &mut three] {
        for _ in 0..3 {
            let _ = replica.follower.step(&objects).await;
        }
        replica.serve();
        assert_eq!(replica.live, newest, "a replica is not on the newest");
    }
}

/// An hour passes: leases of killed processes no longer count.
async fn expire_leases(store: &Faulty) {
    for key in store.keys().await {
        if key.contains("publishing/") || key.contains("pruning/") {
            store.remove(&key).await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn reach_every_replica_is_on_the_newest_whole_edition_whoever_is_killed() {
    let asked = std::env::var("DIGLOT_REACH").ok();
    let runs = asked.map_or(RUNS, |runs| runs.parse().unwrap());
    for seed in 1..=runs {
        println!("seed {seed}");
        run(seed).await;
    }
}
