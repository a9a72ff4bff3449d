//! What the commands of a store say.

use std::fs;
use std::process::Stdio;

use super::{ARTICLE, Transcript};
use crate::cli::Desk;
use crate::cli::live::Served;

const PUBLISH: &str =
    "publish site --no-state --base-url https://example.org --to file:///desk/store";

/// Runs a command with the store of the desk, and notes it.
fn run(transcript: &mut Transcript, desk: &Desk, args: &str) {
    let store = desk.path("").canonicalize().unwrap();
    let ran = desk.run(&args.replace("/desk", store.to_str().unwrap()));
    transcript.note(args, &ran);
}

fn run_all(transcript: &mut Transcript, desk: &Desk, commands: &[&str]) {
    for args in commands {
        run(transcript, desk, args);
    }
}

#[test]
fn transcripts_of_stores() {
    let desk = Desk::with(&[("site/articles/first.md", ARTICLE)]);
    let mut transcript = Transcript::default();
    run_all(
        &mut transcript,
        &desk,
        &[
            "editions --to file:///desk/store",
            "prune --to file:///desk/store",
            &format!("{PUBLISH} --dry-run"),
        ],
    );
    assert!(!desk.path("store").exists(), "a folder was created");
    fs::create_dir(desk.path("store")).unwrap();
    run_all(
        &mut transcript,
        &desk,
        &[
            "editions --to file:///desk/store",
            "rollback --to file:///desk/store",
            "diff 1 --to file:///desk/store",
            "prune --to file:///desk/store",
            &format!("{PUBLISH} --dry-run"),
            &format!("{PUBLISH} --publisher ann"),
            PUBLISH,
            "rollback --to file:///desk/store",
        ],
    );
    desk.write("site/articles/first.md", &ARTICLE.replace("Some", "Other"));
    desk.write(
        "site/articles/second.md",
        &ARTICLE.replace("First", "Second"),
    );
    run_all(
        &mut transcript,
        &desk,
        &[
            &format!("{PUBLISH} --dry-run"),
            PUBLISH,
            "editions --to file:///desk/store",
            "diff 1 --to file:///desk/store",
            "diff 2 2 --to file:///desk/store",
            "diff 7 --to file:///desk/store",
            "rollback --to file:///desk/store",
            "editions --to file:///desk/store",
            "rollback 7 --to file:///desk/store",
            "prune --to file:///desk/store",
            "prune --to file:///desk/store --keep 2 --older-than 0 --delete --wait 0",
            &format!("{PUBLISH} --repair"),
            &format!("{PUBLISH} --purge cloudflare:zone"),
            &format!("{PUBLISH} --purge fastly:0123"),
            &format!("{PUBLISH} --purge-wait https://example.org/status.json"),
            &format!("{PUBLISH} --purge-command false"),
            &format!("{PUBLISH} --purge-command true"),
            &format!("{PUBLISH} --sign none.pem"),
            &format!("{PUBLISH} --lock"),
            "publish site --no-state --to file:///desk/store",
            "publish site --no-state --base-url https://example.org",
            "publish site --no-state --base-url https://example.org --to store",
            "publish site --no-state --base-url https://example.org --to http://example.org",
            "publish site --no-state --base-url https://example.org --to s3://",
            "publish site --no-state --base-url https://example.org --to file:///proc/diglot/store",
            "serve file:///desk/store --cache cache --drafts",
            "serve file:///desk/store --no-state",
            "serve file:///desk/store --cache cache --verify none.pem",
            "serve file:///desk/store --cache cache --base-url https://example.net --listen 127.0.0.1:0",
        ],
    );
    transcript.compare("store.txt", &desk);
}

#[test]
fn transcripts_of_damaged_stores() {
    let desk = Desk::with(&[("site/articles/first.md", ARTICLE)]);
    fs::write(desk.path("key.pem"), PRIVATE).unwrap();
    let mut transcript = Transcript::default();
    run(&mut transcript, &desk, PUBLISH);
    for word in ["Other", "More"] {
        desk.write("site/articles/first.md", &ARTICLE.replace("Some", word));
        run(&mut transcript, &desk, PUBLISH);
    }
    fs::write(desk.path("store/editions/000000000003"), "{").unwrap();
    run_all(
        &mut transcript,
        &desk,
        &[
            "editions --to file:///desk/store",
            "prune --to file:///desk/store",
            "rollback 3 --to file:///desk/store",
            "rollback --to file:///desk/store --sign key.pem",
            "rollback 1 --to file:///desk/store --sign key.pem",
            "rollback --to file:///desk/store",
        ],
    );
    for segment in fs::read_dir(desk.path("store/segments")).unwrap() {
        let file = segment.unwrap().path();
        let mut bytes = fs::read(&file).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(&file, bytes).unwrap();
    }
    run_all(
        &mut transcript,
        &desk,
        &[
            &format!("{PUBLISH} --repair --purge-command cat"),
            &format!("{PUBLISH} --sign key.pem"),
            "rollback 2 --to file:///desk/store --sign key.pem",
        ],
    );
    transcript.compare("store-damaged.txt", &desk);
}

/// Made with `openssl genpkey -algorithm ed25519` for this test.
const PRIVATE: &str = "-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIIRB3TwxB7kfa7KRUWX7OzvsOMw9NORrhDR/ZSR0yo+i
-----END PRIVATE KEY-----
";

#[test]
fn transcripts_of_replicas() {
    let desk = Desk::with(&[("site/articles/first.md", ARTICLE)]);
    let mut transcript = Transcript::default();
    run(&mut transcript, &desk, PUBLISH);
    let args = "serve file:///desk/store --cache cache --listen 127.0.0.1:0 --poll 0.2";
    let real = desk.path("").canonicalize().unwrap();
    let real = args.replace("/desk", real.to_str().unwrap());
    let served = Served::run(desk.command(&real).stdout(Stdio::piped()));
    desk.write("site/articles/first.md", &ARTICLE.replace("Some", "Other"));
    run(&mut transcript, &desk, PUBLISH);
    served.wait_for("is live (number 2");
    fs::rename(desk.path("store"), desk.path("moved")).unwrap();
    served.wait_for("still serving edition 2");
    fs::rename(desk.path("moved"), desk.path("store")).unwrap();
    served.wait_for("the store is reachable again");
    let (_, port) = served.address.rsplit_once(':').unwrap();
    let port = port.to_owned();
    let ran = served.end();
    transcript.note(args, &ran);
    transcript.hide(&port);
    transcript.compare("replica.txt", &desk);
}
