//! `diglot fetch-store`: the process that fetches for a replica, since the server may not connect.
//!
//! `diglot serve STORE` starts it before it gives up its rights. It starts itself again as a worker,
//! and again whenever the worker dies. The worker gives up all rights but to connect, to read
//! certificates, credentials and the system's configuration, and to write the cache. It gets orders
//! as lines on its standard input, and tells its news as lines of JSON on its standard output. When
//! the server ends, its standard input does, and so does the worker.

use std::env;
use std::fs::File;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::process;
use std::thread;
use std::time::Duration;

use diglot_store::follow::{News, pause};
use diglot_store::signature::PublicKey;
use diglot_store::{Address, Cache, Error, Follower, Objects};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::connected::{failure, require_file};
use crate::cli;
use crate::commands::worker;
use crate::failure::{Failure, reason};
use crate::sandbox::{self, Connects, Needs, lookup_folders};
use crate::terminal;

/// How often the store is asked by default.
const POLL: Duration = Duration::from_secs(2);
/// The size of the cache by default.
const CACHE_SIZE: u64 = 16 << 30;
/// How long to wait before a worker that died is started again; doubles up to [`LONGEST_WAIT`].
const FIRST_WAIT: Duration = Duration::from_millis(200);
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// The beginnings of variables that may name a file with credentials or certificates.
const NAMING: [&str; 4] = ["AWS_", "AZURE_", "GOOGLE_", "SSL_CERT_"];

pub(in crate::commands) fn fetch(args: &cli::FetchStore) -> Result<(), Failure> {
    match args.worker {
        true => work(args),
        false => supervise(),
    }
}

fn supervise() -> Result<(), Failure> {
    let ended = worker::supervise(FIRST_WAIT, LONGEST_WAIT, |status| status.success());
    ended.map_err(|error| Failure::machine(format!("cannot fetch: {}", reason(&error))))
}

fn work(args: &cli::FetchStore) -> Result<(), Failure> {
    let address = Address::parse(&args.address).map_err(failure)?;
    let key = key(&args.replica)?;
    let folder = args.replica.cache.clone().unwrap_or_default();
    let cache = Cache::create(&folder).map_err(failure)?;
    if !args.no_sandbox {
        sandbox::confine(&needs(&address, folder));
    }
    let (send, orders) = unbounded_channel();
    let listen = move || {
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            let _ = send.send(line);
        }
        // The server has ended. What is half written has no name yet.
        process::exit(0);
    };
    thread::Builder::new()
        .name("diglot-orders".into())
        .spawn(listen)
        .map_err(Failure::thread)?;
    let _lock = locked(&cache)?;
    // An error says that there is a provider already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(Failure::thread)?;
    let most = args.replica.cache_size.unwrap_or(CACHE_SIZE);
    let follower = Follower::new(cache, key, most);
    let poll = args.replica.poll.unwrap_or(POLL);
    runtime.block_on(follow(&address, follower, orders, poll))
}

/// The right to write into the cache. While another replica has it, this one waits: ended, it would be
/// started again, and say the same again.
fn locked(cache: &Cache) -> Result<File, Failure> {
    loop {
        let error = match cache.lock() {
            Ok(lock) => return Ok(lock),
            Err(error) => error,
        };
        let failed = Some(error.to_string());
        tell(&News {
            failed,
            ..News::default()
        });
        if !matches!(error, Error::Conflict(_)) {
            return Err(failure(error));
        }
        thread::sleep(POLL);
    }
}

/// The key with which editions must be signed.
pub(in crate::commands) fn key(args: &cli::Replica) -> Result<Option<PublicKey>, Failure> {
    const HINT: &str =
        "`--verify` names an Ed25519 public key; make it with `openssl pkey -in key.pem -pubout`";
    let Some(file) = &args.verify else {
        return Ok(None);
    };
    require_file(file, HINT)?;
    PublicKey::read(file).map(Some).map_err(failure)
}

/// What the worker needs: for a folder no connections and no credentials.
fn needs(address: &Address, cache: PathBuf) -> Needs {
    let folder = address.folder();
    let read = match &folder {
        Some(folder) => around(folder),
        None => sandbox::SYSTEM
            .iter()
            .map(PathBuf::from)
            .chain(credentials())
            .collect(),
    };
    Needs {
        read,
        write: vec![cache],
        remove_empty: Vec::new(),
        connects: match folder {
            Some(_) => Connects::Nowhere,
            None => Connects::Anywhere,
        },
    }
}

/// A folder and where it may appear again.
fn around(folder: &Path) -> Vec<PathBuf> {
    let mut found = lookup_folders(folder).unwrap_or_default();
    let above = folder.ancestors().skip(1).find(|above| above.is_dir());
    found.extend(above.filter(|it| it.parent().is_some()).map(Path::to_owned));
    found.push(folder.to_owned());
    found
}

/// The folders of files with credentials or certificates that the environment names.
fn credentials() -> Vec<PathBuf> {
    let is_naming = |name: &str| NAMING.iter().any(|begin| name.starts_with(begin));
    let named = env::vars_os().filter(|(name, _)| name.to_str().is_some_and(is_naming));
    let files = named.map(|(_, value)| PathBuf::from(value));
    let home = env::var_os("HOME").map(|home| Path::new(&home).join(".config/gcloud/x"));
    files
        .filter(|file| file.is_absolute())
        .chain(home)
        .filter_map(|file| match lookup_folders(&file) {
            Ok(folders) => Some(folders),
            Err(_) => Some(vec![file.parent()?.to_owned()]),
        })
        .flatten()
        .filter(|folder| folder.parent().is_some())
        .collect()
}

async fn follow(
    address: &Address,
    mut follower: Follower,
    mut orders: UnboundedReceiver<String>,
    poll: Duration,
) -> Result<(), Failure> {
    let (mut failures, mut opened) = (0, None);
    loop {
        let step = match open(address, &mut opened) {
            Ok(objects) => follower.step(&objects).await,
            Err(error) => Err(error),
        };
        failures = step.as_ref().map_or(failures + 1, |()| 0);
        tell(&follower.tell(step));
        wait(&mut follower, &mut orders, pause(poll, failures)).await;
    }
}

/// The store. A folder is opened each time, since it may be gone or another.
fn open(address: &Address, opened: &mut Option<Objects>) -> Result<Objects, Error> {
    if let Some(objects) = opened.as_ref().filter(|_| address.folder().is_none()) {
        return Ok(objects.clone());
    }
    let objects = address.open_to_read()?;
    *opened = Some(objects.clone());
    Ok(objects)
}

/// Waits for the next step, and obeys orders meanwhile.
async fn wait(follower: &mut Follower, orders: &mut UnboundedReceiver<String>, pause: Duration) {
    let mut next = pin!(tokio::time::sleep(pause));
    loop {
        let order = tokio::select! {
            () = &mut next => return,
            Some(order) = orders.recv() => order,
        };
        match order.as_str() {
            "look" => return,
            "check" => {
                follower.check();
                return;
            }
            order => {
                let number = order.strip_prefix("live ").and_then(|it| it.parse().ok());
                // What cannot be deleted now is deleted after the next edition.
                let _ = number.map(|number| follower.is_live(number));
            }
        }
    }
}

fn tell(news: &News) {
    terminal::print(serde_json::to_string(news).unwrap_or_default());
}
