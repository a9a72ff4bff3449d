mod model;

use std::fs;

use clap::Parser;
use jiff::SignedDuration;
use tempfile::TempDir;

use super::super::CHALLENGES;
use super::*;
use model::{Fault, Model};

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    acme: cli::Acme,
}

/// A state folder, and an authority.
struct Scene {
    folder: TempDir,
    acme: cli::Acme,
    model: Model,
}

const NAMES: [&str; 2] = ["example.org", "www.example.org"];

fn at(time: &str) -> Timestamp {
    time.parse().unwrap()
}

impl Scene {
    fn new(more: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut line = vec!["x", "--acme", "you@example.org"];
        line.extend(["--acme-directory", "https://authority.test/dir"]);
        for name in NAMES {
            line.extend(["--domain", name]);
        }
        line.extend(more);
        let model = Model::new(folder.path().join(CHALLENGES));
        model.known.lock().unwrap().valid = Some([(2027, 1, 1), (2027, 4, 1)]);
        Self {
            acme: Line::parse_from(line).acme,
            folder,
            model,
        }
    }

    fn fault(&self, path: &'static str, fault: Fault) {
        self.model
            .known
            .lock()
            .unwrap()
            .faults
            .push_back((path, fault));
    }

    /// What a process does that starts at `now` and ends after `time`: the moments at which it asked.
    fn run(&self, now: &str, time: SignedDuration) -> Vec<String> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        runtime.unwrap().block_on(self.ran(at(now), time))
    }

    async fn ran(&self, mut now: Timestamp, time: SignedDuration) -> Vec<String> {
        let folder = AuthorityFolder::at(self.folder.path());
        let http = Http::over(self.model.clone());
        let mut worker = Worker::new(Ask {
            acme: &self.acme,
            folder: &folder,
            http: &http,
        });
        let (end, mut moments) = (now + time, Vec::new());
        worker.recall(now);
        while now <= end {
            let asked = self.model.known.lock().unwrap().asked.len();
            let sleep = worker.step(now).await;
            if sleep.is_zero() {
                let known = self.model.known.lock().unwrap();
                let is_order = known.asked[asked..]
                    .iter()
                    .all(|path| !path.starts_with("/renewal"));
                moments.push(format!(
                    "{} {now}",
                    if is_order { "order" } else { "window" }
                ));
            }
            now += SignedDuration::try_from(sleep).unwrap();
        }
        moments
    }

    fn held(&self) -> Option<Held> {
        let names = NAMES.map(str::to_owned);
        AuthorityFolder::at(self.folder.path()).held(&names)
    }
}

const MINUTE: SignedDuration = SignedDuration::from_mins(1);
const DAY: SignedDuration = SignedDuration::from_hours(24);

#[test]
fn a_certificate_is_got_kept_and_renewed() {
    let scene = Scene::new(&[]);
    let moments = scene.run("2027-01-01T00:00:00Z", DAY * 3);
    assert_eq!(moments[0], "order 2027-01-01T00:00:00Z");
    assert!(scene.held().is_some());
    assert!(
        !scene.folder.path().join(CHALLENGES).exists(),
        "nothing is shown any more"
    );
    scene.model.known.lock().unwrap().valid = Some([(2027, 3, 1), (2027, 6, 1)]);
    let before = scene.model.known.lock().unwrap().orders.len();
    let moments = scene.run("2027-03-01T23:00:00Z", MINUTE * 90);
    assert!(
        moments.contains(&"order 2027-03-02T00:00:00Z".to_owned()),
        "{moments:?}"
    );
    let known = scene.model.known.lock().unwrap();
    assert_eq!(known.orders.len(), before + 1);
    let accounts = known.asked.iter().filter(|path| *path == "/account");
    assert_eq!(accounts.count(), 1, "the account is kept");
}

#[test]
fn the_window_of_the_authority_decides_and_the_one_before_is_named() {
    let scene = Scene::new(&[]);
    scene.model.known.lock().unwrap().window = Some((
        "2027-01-10T00:00:00Z",
        "2027-01-10T00:00:10Z",
        Some("21600"),
    ));
    let moments = scene.run("2027-01-01T00:00:00Z", DAY);
    assert_eq!(
        moments,
        [
            "order 2027-01-01T00:00:00Z",
            "window 2027-01-01T00:00:00Z",
            "window 2027-01-01T06:00:00Z",
            "window 2027-01-01T12:00:00Z",
            "window 2027-01-01T18:00:00Z",
            "window 2027-01-02T00:00:00Z",
        ]
    );
    let id = scene.held().unwrap().id.unwrap();
    scene.model.known.lock().unwrap().valid = Some([(2027, 1, 10), (2027, 4, 10)]);
    let moments = scene.run("2027-01-09T23:00:00Z", MINUTE * 61);
    let orders: Vec<_> = moments
        .iter()
        .filter(|it| it.starts_with("order"))
        .collect();
    assert_eq!(orders.len(), 1, "{moments:?}");
    assert!(
        orders[0].starts_with("order 2027-01-10T00:00:"),
        "{orders:?}"
    );
    let known = scene.model.known.lock().unwrap();
    assert_eq!(known.orders.last().unwrap()["replaces"], id);
}

#[test]
fn an_authority_without_a_time_for_the_window_is_asked_after_six_hours() {
    let scene = Scene::new(&[]);
    scene.model.known.lock().unwrap().window =
        Some(("2027-02-10T00:00:00Z", "2027-02-11T00:00:00Z", None));
    let moments = scene.run("2027-01-01T00:00:00Z", MINUTE * 60 * 7);
    assert_eq!(
        moments[1..],
        ["window 2027-01-01T00:00:00Z", "window 2027-01-01T06:00:00Z"]
    );
}

#[test]
fn a_replacement_that_is_refused_is_ordered_without_it() {
    let scene = Scene::new(&[]);
    let window = ("2027-01-01T00:00:00Z", "2027-01-01T00:00:01Z", None);
    scene.run("2027-01-01T00:00:00Z", SignedDuration::ZERO);
    scene.model.known.lock().unwrap().window = Some(window);
    scene.fault("/new-order", Fault::Refuses(409, "alreadyReplaced", ""));
    let moments = scene.run("2027-01-01T07:00:00Z", SignedDuration::ZERO);
    assert!(
        moments.iter().any(|it| it.starts_with("order")),
        "{moments:?}"
    );
    let known = scene.model.known.lock().unwrap();
    assert_eq!(known.orders.len(), 2);
    assert!(known.orders[1].get("replaces").is_none());
}

#[test]
fn an_authority_that_does_not_say_what_is_replaced_is_asked_once_more() {
    let scene = Scene::new(&[]);
    let window = ("2027-01-01T00:00:00Z", "2027-01-01T00:00:01Z", None);
    scene.run("2027-01-01T00:00:00Z", SignedDuration::ZERO);
    let before = scene.held();
    scene.model.known.lock().unwrap().window = Some(window);
    scene.model.known.lock().unwrap().is_silent = true;
    scene.run("2027-01-01T07:00:00Z", SignedDuration::ZERO);
    let known = scene.model.known.lock().unwrap();
    assert_eq!(
        known.orders.len(),
        3,
        "the first, one with `replaces`, one without"
    );
    assert!(scene.held() != before && scene.held().is_some());
}

#[test]
fn a_broken_new_certificate_never_replaces_a_good_one() {
    let scene = Scene::new(&[]);
    scene.run("2027-01-01T00:00:00Z", SignedDuration::ZERO);
    let kept = scene.held();
    type Break = fn(&mut model::Known);
    let breaks: [Break; 3] = [
        |known| known.keeps_key = true,
        |known| known.valid = Some([(2026, 1, 1), (2026, 4, 1)]),
        |known| known.valid = Some([(2028, 1, 1), (2028, 4, 1)]),
    ];
    let mut now = at("2027-03-02T00:00:00Z");
    for broken in breaks {
        broken(&mut scene.model.known.lock().unwrap());
        let orders = || scene.model.known.lock().unwrap().orders.len();
        let before = orders();
        scene.run(&now.to_string(), MINUTE / 2);
        assert_eq!((scene.held(), orders()), (kept.clone(), before + 1));
        scene.model.known.lock().unwrap().keeps_key = false;
        now += SignedDuration::from_hours(7);
    }
    scene.model.known.lock().unwrap().valid = Some([(2027, 3, 1), (2027, 6, 1)]);
    scene.run(&now.to_string(), SignedDuration::ZERO);
    assert!(scene.held().is_some() && scene.held() != kept);
}

#[test]
fn a_first_certificate_that_is_broken_is_not_kept_and_not_ordered_at_once_again() {
    let scene = Scene::new(&[]);
    scene.model.known.lock().unwrap().keeps_key = true;
    let moments = scene.run("2027-01-01T00:00:00Z", MINUTE * 5);
    assert_eq!(
        moments,
        ["order 2027-01-01T00:00:00Z", "order 2027-01-01T00:01:00Z"]
    );
    let file = scene.folder.path().join(super::super::CERTIFICATE);
    assert!(!file.exists());
}

#[test]
fn what_an_authority_says_stays_on_one_line() {
    let scene = Scene::new(&[]);
    scene.fault(
        "/new-order",
        Fault::Says("bad\n\u{1b}[31mdiglot: all is well"),
    );
    let folder = AuthorityFolder::at(scene.folder.path());
    let http = Http::over(scene.model.clone());
    let ask = Ask {
        acme: &scene.acme,
        folder: &folder,
        http: &http,
    };
    let ordered = ask.order(folder.room().unwrap(), None, at("2027-01-01T00:00:00Z"));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let refused = runtime.unwrap().block_on(ordered).unwrap_err();
    assert_eq!(
        refused.message,
        "the authority refuses: bad\\n\\u{1b}[31mdiglot: all is well"
    );
}

#[test]
fn a_profile_is_asked_for_and_one_that_is_not_offered_is_named() {
    let scene = Scene::new(&["--acme-profile", "shortlived"]);
    scene.model.known.lock().unwrap().profiles = vec!["classic"];
    scene.run("2027-01-01T00:00:00Z", SignedDuration::ZERO);
    assert!(scene.model.known.lock().unwrap().orders.is_empty());
    scene.model.known.lock().unwrap().profiles = vec!["classic", "shortlived"];
    scene.run("2027-01-01T00:01:00Z", SignedDuration::ZERO);
    assert_eq!(
        scene.model.known.lock().unwrap().orders[0]["profile"],
        "shortlived"
    );
    assert!(scene.held().is_some());
}

#[test]
fn an_authority_that_is_away_is_asked_ever_later_also_by_another_process() {
    let scene = Scene::new(&[]);
    for _ in 0..4 {
        scene.fault("/dir", Fault::Away);
    }
    let moments = scene.run("2027-01-01T00:00:00Z", MINUTE * 3);
    assert_eq!(
        moments,
        ["order 2027-01-01T00:00:00Z", "order 2027-01-01T00:01:00Z"]
    );
    let moments = scene.run("2027-01-01T00:04:00Z", MINUTE * 60);
    assert_eq!(
        moments[..3],
        [
            "order 2027-01-01T00:06:00Z",
            "order 2027-01-01T00:21:00Z",
            "order 2027-01-01T00:51:00Z",
        ]
    );
    assert!(scene.held().is_some());
}

#[test]
fn an_authority_that_names_a_time_is_left_alone_until_then() {
    let scene = Scene::new(&[]);
    scene.fault("/new-order", Fault::Refuses(429, "rateLimited", "7200"));
    scene.fault(
        "/new-order",
        Fault::Refuses(503, "serverInternal", "Thu, 01 Jan 1970 00:00:00 GMT"),
    );
    let moments = scene.run("2027-01-01T00:00:00Z", MINUTE * 130);
    assert_eq!(
        moments[..3],
        [
            "order 2027-01-01T00:00:00Z",
            "order 2027-01-01T02:00:00Z",
            "order 2027-01-01T02:05:00Z",
        ]
    );
    assert!(scene.held().is_some());
}

#[test]
fn nonces_that_are_refused_are_fetched_again() {
    let scene = Scene::new(&[]);
    for path in [
        "/account",
        "/new-order",
        "/authz",
        "/finalize",
        "/certificate",
    ] {
        scene.fault(path, Fault::Nonce);
    }
    scene.run("2027-01-01T00:00:00Z", SignedDuration::ZERO);
    assert!(scene.held().is_some());
}

#[test]
fn what_goes_wrong_leaves_the_old_certificate_and_nothing_to_show() {
    let scene = Scene::new(&[]);
    scene.run("2027-01-01T00:00:00Z", SignedDuration::ZERO);
    let kept = scene.held();
    let mut now = at("2027-03-02T00:00:00Z");
    for (path, fault) in [
        ("/dir", Fault::Page(503)),
        ("/dir", Fault::Garbage),
        ("/new-order", Fault::Garbage),
        ("/new-order", Fault::Refuses(403, "rejectedIdentifier", "")),
        ("/authz", Fault::Page(500)),
        ("/challenge", Fault::Blind),
        ("/finalize", Fault::Refuses(403, "badCSR", "")),
        ("/certificate", Fault::Garbage),
        ("/certificate", Fault::Away),
    ] {
        scene.fault(path, fault);
        let moments = scene.run(&now.to_string(), SignedDuration::ZERO);
        assert!(
            moments.iter().any(|it| it.starts_with("order")),
            "{path}: {moments:?}"
        );
        assert!(
            scene.model.known.lock().unwrap().faults.is_empty(),
            "{path}"
        );
        assert_eq!(scene.held(), kept, "{path}");
        assert!(!scene.folder.path().join(CHALLENGES).exists(), "{path}");
        now += SignedDuration::from_hours(7);
    }
}

#[test]
fn an_account_that_the_authority_forgot_is_made_again() {
    let scene = Scene::new(&[]);
    scene.run("2027-01-01T00:00:00Z", SignedDuration::ZERO);
    scene.fault("/new-order", Fault::Refuses(400, "accountDoesNotExist", ""));
    scene.run("2027-03-02T00:00:00Z", MINUTE);
    let known = scene.model.known.lock().unwrap();
    let accounts = known.asked.iter().filter(|path| *path == "/account");
    assert_eq!((accounts.count(), known.orders.len()), (2, 2));
}

#[test]
fn a_damaged_certificate_is_replaced_within_the_limits() {
    let scene = Scene::new(&[]);
    scene.run("2027-01-01T00:00:00Z", SignedDuration::ZERO);
    let file = scene.folder.path().join(super::super::CERTIFICATE);
    let whole = fs::read(&file).unwrap();
    let mut now = at("2027-01-01T01:00:00Z");
    for damage in [
        Vec::new(),
        whole[..whole.len() / 3].to_vec(),
        b"no".to_vec(),
    ] {
        fs::write(&file, damage).unwrap();
        assert_eq!(scene.held(), None);
        scene.run(&now.to_string(), SignedDuration::ZERO);
        assert!(scene.held().is_some());
        now += MINUTE;
    }
    fs::remove_file(&file).unwrap();
    scene.run(&now.to_string(), SignedDuration::ZERO);
    fs::remove_file(&file).unwrap();
    let moments = scene.run(&now.to_string(), DAY * 6);
    assert!(moments.is_empty(), "five in a week are enough: {moments:?}");
}

#[test]
fn where_nothing_can_be_written_nothing_is_asked() {
    let scene = Scene::new(&[]);
    // A folder in the place of the file: it cannot be replaced.
    fs::create_dir(scene.folder.path().join("tries.json")).unwrap();
    let moments = scene.run("2027-01-01T00:00:00Z", MINUTE * 10);
    assert!(!moments.is_empty());
    assert!(scene.model.known.lock().unwrap().asked.is_empty());
}

#[test]
fn a_clock_that_is_set_back_renews_no_sooner_and_stops_nothing() {
    let scene = Scene::new(&[]);
    scene.fault("/dir", Fault::Away);
    scene.run("2099-01-01T00:00:00Z", SignedDuration::ZERO);
    let moments = scene.run("2027-01-01T00:00:00Z", MINUTE * 2);
    assert_eq!(moments[0], "order 2027-01-01T00:01:00Z");
    assert!(scene.held().is_some());
}

#[cfg(unix)]
#[test]
fn what_is_kept_can_be_read_by_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let scene = Scene::new(&[]);
    scene.run("2027-01-01T00:00:00Z", SignedDuration::ZERO);
    for entry in fs::read_dir(scene.folder.path()).unwrap() {
        let entry = entry.unwrap();
        let mode = entry.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{:?}", entry.path());
    }
}
