//! Damage to the state folder never changes an answer, however often the server starts.

use std::collections::BTreeMap;
use std::fs::{self, File, FileTimes};
use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::time::UNIX_EPOCH;

use diglot_edition::Coding;
use diglot_http::respond;
use http::Request;

use std::thread;
use std::time::{Duration, Instant};

use bytes::Bytes;
use diglot_edition::Edition;

use super::*;
use crate::stored::UnreadPart;

/// How often the state is damaged; `DIGLOT_CORRUPTIONS` overrides it.
const ROUNDS: u64 = 8;
/// Requests in addition to the resources.
const OTHERS: [&str; 5] = [
    "/",
    "/old",
    "/articles/gone.html",
    "/Articles/One.html",
    "/nothing.html",
];

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let bits = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) % end as u64) as usize
    }
}

fn base() -> BaseUrl {
    BaseUrl::parse("http://localhost").unwrap()
}

fn now() -> Timestamp {
    Timestamp::now()
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    File::options()
        .write(true)
        .open(path)
        .unwrap()
        .set_times(FileTimes::new().set_modified(UNIX_EPOCH + Duration::from_secs(1_700_000_000)))
        .unwrap();
}

/// A folder with one half in git and the other half in the state.
fn site(folder: &Path) {
    write(
        &folder.join("diglot.toml"),
        "title = \"Site\"\nbase_url = \"https://example.org/blog\"\n",
    );
    for name in ["one", "two", "three", "four"] {
        let text = format!(
            "---\ntitle: {name}\ntags: [a, b]\n---\n\n{}",
            format!("Words of {name}.\n\n").repeat(60)
        );
        write(&folder.join(format!("articles/{name}.md")), &text);
    }
    write(
        &folder.join("articles/gone.md"),
        "---\ntitle: Gone\nexpires: 2020-01-01\n---\n\nNo more.\n",
    );
    write(
        &folder.join("articles/new.md"),
        "---\ntitle: New\naliases: [/old]\n---\n\nOther words, see [one](one.md).\n",
    );
    write(&folder.join("files/data.bin"), &"0123456789".repeat(2_000));
    for args in [
        "init -q",
        "add articles/one.md articles/two.md",
        "commit -q -m one",
    ] {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=A", "-c", "user.email=a@example.org"])
            .args(args.split(' '))
            .current_dir(folder);
        let date = "2024-06-07T08:09:10Z";
        // Without git there is one source of dates fewer.
        let _ = git
            .env("GIT_AUTHOR_DATE", date)
            .env("GIT_COMMITTER_DATE", date)
            .output();
    }
}

/// A server without sockets: the folder, the live edition, and the keeper's steps.
struct Server {
    folder: Folder,
    live: Arc<Edition>,
    rest: Option<UnreadPart>,
    kept: bool,
}

impl Server {
    fn start(site: &Path, state: &Path) -> Self {
        let state = cli::State {
            dir: Some(state.to_owned()),
            none: false,
        };
        let mut folder = Folder::open(&cli::Folder {
            folder: site.to_owned(),
            base_url: None,
            limits: Vec::new(),
            state,
        })
        .unwrap();
        folder.stay();
        let kept = folder.kept(&base(), now());
        let (made, rest) = match kept {
            Some((made, rest)) => (made, Some(rest)),
            None => (folder.make(&base(), now()).ok().unwrap(), None),
        };
        let kept = rest.is_some();
        Self {
            folder,
            live: Arc::new(made.edition),
            rest,
            kept,
        }
    }

    /// Builds another edition, as after a change of the folder or the clock.
    fn renew(&mut self) {
        let made = self.folder.make(&base(), now()).ok().unwrap();
        if self.live.is_sound() {
            made.edition.adopt(&self.live);
        }
        self.live = Arc::new(made.edition);
        self.folder.save();
    }

    /// One answer, as the service gives it: never from an edition known to be damaged.
    fn ask(&mut self, path: &str, accept: &str, coding: &str) -> Answer {
        let request = Request::get(format!("/blog{path}"))
            .header("accept", accept)
            .header("accept-encoding", coding)
            .body(())
            .unwrap();
        let mut answer = respond(&self.live, &request);
        if !self.live.is_sound() {
            self.renew();
            answer = respond(&self.live, &request);
        }
        let (parts, body) = answer.into_parts();
        let mut fields: Vec<String> = parts
            .headers
            .iter()
            .map(|(name, value)| format!("{name}: {value:?}"))
            .collect();
        fields.sort();
        (parts.status.as_u16(), fields, body.to_bytes())
    }

    /// Reads the rest of the edition, computes every coding, and keeps the edition.
    fn settle(&mut self) {
        self.folder.save();
        if let Some(rest) = self.rest.take()
            && !rest.read()
        {
            self.folder.forget();
            if !self.live.is_sound() {
                self.renew();
            }
        }
        self.fill();
        if self.folder.last.is_some()
            && self
                .folder
                .to_keep(&self.live, &base())
                .map(|write| write())
                .is_err()
        {
            self.renew();
            self.fill();
            let _ = self
                .folder
                .to_keep(&self.live, &base())
                .map(|write| write());
        }
    }

    fn fill(&self) {
        self.live.resources.iter().for_each(|resource| {
            Coding::ALL
                .into_iter()
                .for_each(|coding| resource.fill(coding))
        });
    }

    /// Compares every answer with the right ones. A missing coding is answered with the identity,
    /// under its own tag.
    fn check(&mut self, right: &BTreeMap<Question, Answer>, filled: bool, when: &str) {
        // Before the codings exist there is less to compare.
        for ((path, accept, coding), expected) in right
            .iter()
            .filter(|((.., coding), _)| filled || matches!(*coding, "identity" | "br"))
        {
            let answer = self.ask(path, accept, coding);
            let identity = || right.get(&(path.clone(), *accept, "identity"));
            let as_right = answer == *expected || !filled && Some(&answer) == identity();
            assert!(
                as_right,
                "{when}: {path} {accept} {coding}:\n{:?}\n{:?}",
                (answer.0, &answer.1),
                (expected.0, &expected.1)
            );
        }
        assert!(self.live.is_sound());
    }
}

type Question = (String, &'static str, &'static str);
type Answer = (u16, Vec<String>, Bytes);

/// Every answer of a server without state.
fn right_answers(site: &Path, state: &Path) -> BTreeMap<Question, Answer> {
    let mut server = Server::start(site, state);
    assert!(!server.kept);
    server.fill();
    let paths: Vec<String> = server
        .live
        .resources
        .iter()
        .map(|resource| resource.path.to_string())
        .chain(OTHERS.map(str::to_owned))
        .collect();
    let mut right = BTreeMap::new();
    for path in paths {
        for accept in ["text/html", "text/markdown"] {
            for coding in ["identity", "br", "zstd", "gzip"] {
                let path = path
                    .split('/')
                    .map(|part| part.replace(' ', "%20"))
                    .collect::<Vec<_>>()
                    .join("/");
                right.insert(
                    (path.clone(), accept, coding),
                    server.ask(&path, accept, coding),
                );
            }
        }
    }
    assert!(
        right
            .values()
            .filter(|(status, fields, _)| *status == 200
                && fields
                    .iter()
                    .any(|field| field.starts_with("content-encoding")))
            .count()
            > 50
    );
    right
}

/// Every file of a folder, ordered by path.
fn files(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(self::files(&path))
        } else {
            files.push(path)
        }
    }
    files.sort();
    files
}

fn copy(from: &Path, to: &Path) {
    for file in files(from) {
        let place = to.join(file.strip_prefix(from).unwrap());
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::copy(&file, &place).unwrap();
        fs::set_permissions(place, fs::Permissions::from_mode(0o600)).unwrap();
    }
}

/// Damages a state folder and says how. `other` is the state of another site.
fn corrupt(random: &mut Random, state: &Path, other: &Path) -> String {
    let all: Vec<PathBuf> = files(state)
        .into_iter()
        .filter(|path| path.metadata().is_ok_and(|meta| meta.len() > 0))
        .collect();
    if all.is_empty() {
        return "nothing is left to be damaged".to_owned();
    }
    // What is sent is the kept edition: its manifest and its segments.
    let edition: Vec<&PathBuf> = all
        .iter()
        .filter(|path| path.ends_with("edition") || path.starts_with(state.join("segments")))
        .collect();
    let path = if !edition.is_empty() && random.below(2) == 0 {
        edition[random.below(edition.len())].clone()
    } else {
        all[random.below(all.len())].clone()
    };
    let mut bytes = fs::read(&path).unwrap();
    let (at, length) = (
        random.below(bytes.len()),
        1 + random.below(64.min(bytes.len())),
    );
    let end = (at + length).min(bytes.len());
    let name = path.strip_prefix(state).unwrap().display().to_string();
    let how = match random.below(11) {
        0..=2 => {
            bytes[at] ^= 1 << random.below(8);
            "a bit flipped"
        }
        3 => {
            bytes[at..end].fill(0);
            "zeroes"
        }
        4 => {
            bytes.truncate(at);
            "cut off"
        }
        5 => {
            bytes.drain(at..end);
            "a part missing"
        }
        6 => {
            bytes.extend_from_within(at..end);
            "something behind it"
        }
        7 => {
            bytes = fs::read(&all[random.below(all.len())]).unwrap();
            "another's place"
        }
        8 => {
            let others = files(other);
            bytes = fs::read(&others[random.below(others.len())]).unwrap();
            "another site's"
        }
        9 => {
            // Another version: of the kept edition, and of files with a version or digest in their
            // first bytes.
            for (old, new) in [
                ("diglot edition 4", "diglot edition 3"),
                ("\"version\":1", "\"version\":2"),
                ("{\"digest\":\"", "{\"digest_\":\""),
            ] {
                if let Some(at) = bytes
                    .windows(old.len())
                    .rposition(|window| window == old.as_bytes())
                {
                    bytes.splice(at..at + old.len(), new.bytes());
                }
            }
            "another version's"
        }
        _ => {
            fs::remove_file(&path).unwrap();
            fs::create_dir(&path).unwrap();
            return format!("{name}: a folder in its place");
        }
    };
    // In place, so that processes that have it open see the change.
    fs::write(&path, bytes).unwrap();
    format!("{name}: {how} at {at}")
}

/// A state with everything in it: dates, history, pictures, a kept edition.
fn warm_state(site: &Path, state: &Path) {
    let begun = Instant::now();
    let mut server = Server::start(site, state);
    // Until files and executable are two seconds old.
    while !state.join("edition").exists() {
        assert!(begun.elapsed() < Duration::from_secs(60));
        server.settle();
        if !state.join("edition").exists() {
            thread::sleep(Duration::from_millis(100));
            server = Server::start(site, state);
        }
    }
}

#[test]
fn no_damage_to_the_state_changes_an_answer() {
    let dir = tempfile::tempdir().unwrap();
    let (folder, other) = (dir.path().join("site"), dir.path().join("other"));
    site(&folder);
    site(&other);
    write(
        &other.join("articles/one.md"),
        "---\ntitle: Another\n---\n\nAnother site.\n",
    );
    let right = right_answers(&folder, &dir.path().join("fresh"));
    warm_state(&folder, &dir.path().join("warm"));
    warm_state(&other, &dir.path().join("others"));
    let rounds = env::var("DIGLOT_CORRUPTIONS")
        .ok()
        .and_then(|rounds| rounds.parse().ok())
        .unwrap_or(ROUNDS);
    let threads = thread::available_parallelism().map_or(1, std::num::NonZero::get) as u64;
    let kept: usize = thread::scope(|scope| {
        let (dir, folder, right) = (dir.path(), &folder, &right);
        let rounds = |thread: u64| {
            (thread..rounds)
                .step_by(threads as usize)
                .map(|seed| round(seed, dir, folder, right))
                .sum::<usize>()
        };
        let running: Vec<_> = (0..threads)
            .map(|thread| scope.spawn(move || rounds(thread)))
            .collect();
        running
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .sum()
    });
    assert!(
        kept as u64 > rounds / 2,
        "most editions are answered from what was kept, or nothing was tried: {kept} of {}",
        3 * rounds
    );
}

/// Damages a copy of the state and starts three times; returns how many starts used a kept edition.
fn round(seed: u64, dir: &Path, folder: &Path, right: &BTreeMap<Question, Answer>) -> usize {
    let (mut random, mut kept, mut how) = (Random(seed), 0, format!("seed {seed}"));
    let (state, others) = (dir.join(format!("state-{seed}")), dir.join("others"));
    copy(&dir.join("warm"), &state);
    for start in 0..3 {
        // Before the first start, and sometimes before a later one.
        for _ in 0..if start == 0 {
            1 + random.below(2)
        } else {
            random.below(2)
        } {
            how += &format!("; {}", corrupt(&mut random, &state, &others));
        }
        let mut server = Server::start(folder, &state);
        kept += usize::from(server.kept);
        if random.below(3) == 0 {
            how += &format!("; while it runs {}", corrupt(&mut random, &state, &others));
        }
        how += &format!("; start {start}, kept: {}", server.kept);
        server.check(right, false, &how);
        server.settle();
        server.check(right, true, &how);
    }
    fs::remove_dir_all(&state).unwrap();
    kept
}

#[test]
fn a_kept_edition_of_a_later_time_is_not_used() {
    let dir = tempfile::tempdir().unwrap();
    let (folder, state) = (dir.path().join("site"), dir.path().join("state"));
    site(&folder);
    warm_state(&folder, &state);
    let mut server = Server::start(&folder, &state);
    assert!(server.kept);
    assert!(
        server
            .folder
            .kept(&base(), now() - jiff::SignedDuration::from_hours(1))
            .is_none(),
        "the clock was set back"
    );
}

#[test]
fn a_folder_that_may_not_be_read_is_named_with_the_next_step() {
    let refused = std::io::Error::from(std::io::ErrorKind::PermissionDenied);
    assert_eq!(
        unreadable(Path::new("site"), &refused).to_string(),
        "diglot: error: cannot read the folder `site`: permission denied\n  hint: allow this user to read it, as with `chmod u+rX`, or run diglot as its owner"
    );
}
