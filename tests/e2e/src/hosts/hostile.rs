//! Sites with text that is syntax in some configuration language, and base URLs of every shape,
//! behind real hosts: each configuration loads, and has exactly the intended redirects.
//!
//! All sites are in one configuration of a host, distinguished by `Host`, so that each host starts
//! once.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use diglot_content::sources::{ChangeOrigin, FileDates, SourceFile};
use diglot_content::{BaseUrl, Library, Sources};
use diglot_edition::{Edition, Theme, hosts};
use jiff::Timestamp;

use super::compare::Verdict;
use super::engine::Engine;
use super::netlify;
use crate::random::Random;
use crate::server::{Server, free_port};
use crate::wire::{self, Answer, Connection};
use xtask::shell;

/// How many base URLs are tried.
const BASES: usize = 200;
/// How many sites have hostile names and addresses.
const HOSTILE: usize = 32;

/// Syntax of configuration languages, and words that would be directives.
const BITS: &[&str] = include!("../../../../crates/edition/src/hosts/tests/hostile_text.rs");

/// One site, in the configurations of all hosts.
struct Site {
    /// Its name and number.
    host: String,
    edition: Edition,
    root: PathBuf,
    conf: PathBuf,
}

/// Runs all checks behind these hosts, and with Netlify's parsers.
///
/// # Errors
/// A host does not start: a configuration does not load.
pub fn check(
    engines: &[Engine],
    npm: &Path,
) -> Result<Vec<(&'static str, String, Verdict)>, String> {
    let work = shell::scratch("hostile")?;
    let mut random = Random::seeded(20);
    let mut sites = Vec::new();
    for number in 0..BASES + HOSTILE {
        let base = base(&mut random);
        let files = if number < BASES {
            Vec::new()
        } else {
            hostile(&mut random)
        };
        sites.push(Site::write(&work, number, &base, &files)?);
    }
    let mut verdicts = Vec::new();
    for engine in engines {
        let Some(server) = start(engine, &work, &sites)? else {
            continue;
        };
        let mut verdict = Verdict::default();
        for site in &sites {
            site.ask(&server.authority, &mut verdict)?;
        }
        verdicts.push((engine.name(), engine.version(), verdict));
    }
    let mut verdict = Verdict::default();
    for site in &sites[BASES..] {
        site.read_by_netlify(npm, &mut verdict)?;
    }
    verdicts.push(("Netlify's parsers", netlify::VERSION.to_owned(), verdict));
    Ok(verdicts)
}

/// A random one of several texts.
fn one<'t>(random: &mut Random, of: &[&'t str]) -> &'t str {
    of[random.below(of.len())]
}

/// A base URL: hosts with digits, dots and ports, IP addresses, other scripts; paths of any depth
/// and length.
fn base(random: &mut Random) -> String {
    let host = match random.below(8) {
        0 => format!("{}gag.example", random.below(100)),
        1 => format!(
            "[2001:db8::{:x}]:{}",
            random.below(65_536),
            1 + random.below(65_535)
        ),
        2 => format!("192.0.2.{}", random.below(256)),
        3 => format!(
            "{}.example",
            one(random, &["größe", "xn--bcher-kva", "漢字", "नमस्ते"])
        ),
        4 => format!(
            "{}.example:{}",
            "sub.".repeat(1 + random.below(20)),
            1 + random.below(65_535)
        )
        .replace("..", "."),
        5 => format!(
            "{}.example",
            "long-name-"
                .repeat(1 + random.below(6))
                .trim_end_matches('-')
        ),
        6 => "localhost:8080".to_owned(),
        _ => "example.org".to_owned(),
    };
    let parts = [
        "blog",
        "1",
        "a.b",
        "größe",
        "a%20b",
        "~user",
        "x+y",
        "a-b_c",
        "v1.0",
        "long-segment-of-a-path-that-goes-on",
        "(a)",
        "a,b",
        "a=b",
        "a@b",
        "a&b!",
    ];
    let path: String = (0..random.below(6))
        .map(|_| format!("/{}", one(random, &parts)))
        .collect();
    format!("https://{host}{path}")
}

fn text(random: &mut Random) -> String {
    (0..1 + random.below(5))
        .map(|_| one(random, BITS))
        .collect()
}

/// The files of a site whose names, aliases, redirects and titles contain anything.
fn hostile(random: &mut Random) -> Vec<(String, String)> {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let mut files = Vec::new();
    for number in 0..8 {
        let aliases: Vec<String> = (0..3)
            .map(|_| {
                quoted(&format!(
                    "/{}{}",
                    text(random),
                    one(random, &["", "/", ".html", "/x/"])
                ))
            })
            .collect();
        let title = quoted(&text(random));
        files.push((
            format!("articles/{number}{}.md", text(random)),
            format!(
                "---\ntitle: {title}\naliases: [{}]\n---\nText.\n",
                aliases.join(", ")
            ),
        ));
        let to = format!(
            "{}{}",
            one(
                random,
                &[
                    "https://example.net/",
                    "/",
                    "https://example.net/?",
                    "https://example.net/#",
                    ""
                ]
            ),
            text(random)
        );
        files.push((
            format!("articles/r{number}.md"),
            format!("---\nredirect_to: {}\n---\n", quoted(&to)),
        ));
        files.push((
            format!("static/f{number}{}.svg", text(random)),
            "x".to_owned(),
        ));
        files.push((format!("static/g{number}{}", text(random)), "x".to_owned()));
    }
    files
}

impl Site {
    /// Builds the site and writes the published files and the files for hosts.
    fn write(
        work: &Path,
        number: usize,
        base: &str,
        files: &[(String, String)],
    ) -> Result<Self, String> {
        let edition = build(base, files)?;
        let host = format!("s{number}.test");
        let (root, conf) = (work.join("root").join(&host), work.join("conf").join(&host));
        let site = root.join(edition.site.base.path().trim_start_matches('/'));
        for resource in &edition.resources {
            write(
                &site.join(resource.path.trim_start_matches('/')),
                &resource.body.to_bytes(),
            )?;
        }
        for file in hosts::files(&edition).0 {
            let name = file.path.rsplit('/').next().unwrap_or_default().to_owned();
            let place = if file.path.starts_with(".diglot-hosts/cloudflare") {
                conf.join("cloudflare").join(name)
            } else {
                conf.join(name)
            };
            write(&place, file.text.as_bytes())?;
        }
        fs::copy(conf.join(".htaccess"), site.join(".htaccess"))
            .map_err(|error| error.to_string())?;
        Ok(Self {
            host,
            edition,
            root,
            conf,
        })
    }

    /// Requests the home page, a missing path, and every old address.
    fn ask(&self, authority: &str, verdict: &mut Verdict) -> Result<(), String> {
        let base = self.edition.site.base.path();
        let home = self.request(authority, &format!("{base}/"))?;
        self.expect(
            verdict,
            home.status == 200,
            "/",
            "200",
            &home.status.to_string(),
        );
        let vary = home.header("vary").unwrap_or_default().replace(' ', "");
        self.expect(
            verdict,
            vary == "Accept,Accept-Encoding",
            "/",
            "Vary: Accept, Accept-Encoding",
            &vary,
        );
        let nowhere = self.request(authority, &format!("{base}/no-such-page"))?;
        self.expect(
            verdict,
            nowhere.status == 404,
            "/no-such-page",
            "404",
            &nowhere.status.to_string(),
        );
        // A path that the server maps to another one cannot be requested.
        for (old, to) in self
            .edition
            .redirects()
            .filter(|(old, _)| !old.contains("//"))
        {
            let answer = self.request(authority, &format!("{base}{old}"))?;
            let location = answer.header("location").unwrap_or_default();
            let own = [
                format!("http://{}", self.host),
                format!("http://{authority}"),
            ];
            let location = own
                .iter()
                .find_map(|own| location.strip_prefix(own).map(str::to_owned))
                .unwrap_or(location);
            let same = answer.status == 301
                && wire::decode(&without_empty_query(&location))
                    == wire::decode(&without_empty_query(&to));
            self.expect(
                verdict,
                same,
                old,
                &format!("301 to {to}"),
                &format!("{} to {location}", answer.status),
            );
            self.plain(verdict, old, &answer);
        }
        self.plain(verdict, "/", &home);
        self.plain(verdict, "/no-such-page", &nowhere);
        Ok(())
    }

    fn request(&self, authority: &str, path: &str) -> Result<Answer, String> {
        let fields = [("Host", self.host.as_str()), ("Connection", "close")];
        let answer = Connection::to(authority)
            .and_then(|mut connection| connection.ask("GET", &wire::encode(path), fields));
        answer.map_err(|error| format!("{}{path}: {error}", self.host))
    }

    /// Checks that no answer has an unintended field.
    fn plain(&self, verdict: &mut Verdict, path: &str, answer: &Answer) {
        let known = |name: &str| KNOWN.contains(&name);
        let foreign: Vec<&str> = answer
            .headers
            .iter()
            .map(|(name, _)| name.as_str())
            .filter(|name| !known(name))
            .collect();
        self.expect(
            verdict,
            foreign.is_empty(),
            path,
            "no other fields",
            &foreign.join(", "),
        );
    }

    /// Checks that Netlify's parsers read the intended rules from both files.
    fn read_by_netlify(&self, npm: &Path, verdict: &mut Verdict) -> Result<(), String> {
        let read = netlify::read(npm, &self.conf, &[])?;
        self.expect(
            verdict,
            read.errors.is_empty(),
            "_headers, _redirects",
            "no errors",
            &read.errors.join("; "),
        );
        let base = encoded_base(&self.edition);
        let meant: BTreeSet<(String, String)> = self
            .edition
            .redirects()
            .map(|(old, to)| {
                (
                    format!("{base}{}", diglot_content::encoding::encode_path(old)),
                    to,
                )
            })
            .collect();
        let said = read
            .redirects
            .iter()
            .filter(|redirect| redirect.status == 301);
        let foreign: Vec<String> = said
            .clone()
            .filter(|redirect| !meant.contains(&(redirect.from.clone(), redirect.to.clone())))
            .map(|redirect| redirect.from.clone())
            .collect();
        self.expect(
            verdict,
            foreign.is_empty(),
            "_redirects",
            "the redirects that were meant",
            &foreign.join(", "),
        );
        let lines =
            fs::read_to_string(self.conf.join("_redirects")).map_err(|error| error.to_string())?;
        let lines = lines.lines().filter(|line| line.ends_with(" 301")).count();
        self.expect(
            verdict,
            said.clone().count() == lines,
            "_redirects",
            &format!("{lines} redirects"),
            &said.count().to_string(),
        );
        Ok(())
    }

    fn expect(&self, verdict: &mut Verdict, holds: bool, place: &str, expected: &str, came: &str) {
        verdict.cases += 1;
        if !holds {
            let base = &self.edition.site.base;
            verdict.failures.push(format!(
                "{} at {base}: {}\n  expected: {expected}\n  came:     {came}",
                self.host,
                place.escape_debug()
            ));
        }
    }
}

/// Fields that a host's answer may have.
const KNOWN: &[&str] = &[
    "accept-ranges",
    "access-control-allow-origin",
    "access-control-expose-headers",
    "allow",
    "alt-svc",
    "cache-control",
    "connection",
    "content-disposition",
    "content-length",
    "content-location",
    "content-security-policy",
    "content-signal",
    "content-type",
    "content-usage",
    "date",
    "etag",
    "keep-alive",
    "last-modified",
    "link",
    "location",
    "referrer-policy",
    "server",
    "transfer-encoding",
    "vary",
    "via",
    "x-content-type-options",
];

/// Apache omits a `?` with nothing after it.
fn without_empty_query(url: &str) -> String {
    url.replace("?#", "#").trim_end_matches('?').to_owned()
}

fn encoded_base(edition: &Edition) -> String {
    diglot_content::encoding::encode_path(edition.site.base.path())
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let made = path
        .parent()
        .map_or(Ok(()), fs::create_dir_all)
        .and_then(|()| fs::write(path, bytes));
    made.map_err(|error| format!("cannot write `{}`: {error}", path.display()))
}

fn build(base: &str, files: &[(String, String)]) -> Result<Edition, String> {
    let now: Timestamp = "2027-01-01T00:00:00Z"
        .parse()
        .map_err(|error| format!("{error}"))?;
    let dates = FileDates {
        created: None,
        changed: now,
        origin: ChangeOrigin::Remembered,
    };
    let named = files.iter().filter(|(path, _)| {
        !path.contains(['\0'])
            && !path
                .split('/')
                .any(|part| matches!(part, "" | "." | "..") || part.len() > 200)
    });
    let source = |(path, text): &(String, String)| SourceFile {
        path: path.as_str().into(),
        bytes: text.clone().into(),
        dates,
    };
    let mut files: Vec<SourceFile> = named.map(source).collect();
    files.sort_by(|one, other| one.path.cmp(&other.path));
    files.dedup_by(|later, first| later.path == first.path);
    let sources = Sources {
        name: "site".to_owned(),
        files,
        ..Sources::default()
    };
    let base = BaseUrl::parse(base).map_err(|why| format!("{base}: {why}"))?;
    let settings = diglot_content::dialects::settings(&sources, None);
    let site = Arc::new(
        settings
            .into_site("site", base)
            .map_err(|problems| format!("{problems:?}"))?,
    );
    let library = Library::build(&sources, &site, now);
    let theme = Theme::new(&[]).map_err(|problems| format!("{problems:?}"))?;
    Edition::build(&library, site, &theme, now).map_err(|problems| format!("{problems:?}"))
}

/// Starts a host with all sites; `None` for a host without a configuration for several sites.
fn start(engine: &Engine, work: &Path, sites: &[Site]) -> Result<Option<Server>, String> {
    let authority = format!("127.0.0.1:{}", free_port()?);
    let file = work.join("settings");
    let mut text = String::new();
    let mut command = match engine {
        Engine::Nginx => {
            let mut command = Command::new("/usr/sbin/nginx");
            command.arg("-c").arg(&file).arg("-p").arg(work);
            nginx(&mut text, work, sites, &authority);
            command
        }
        Engine::Caddy(program) | Engine::OldCaddy(program) => {
            let mut command = Command::new(program);
            command
                .args(["run", "--adapter", "caddyfile", "--config"])
                .arg(&file)
                .env("HOME", work);
            caddy(&mut text, sites, &authority);
            command
        }
        Engine::Apache => {
            let mut command = Command::new("/usr/sbin/apache2");
            command.arg("-D").arg("FOREGROUND").arg("-f").arg(&file);
            apache(&mut text, work, sites, &authority);
            command
        }
        Engine::Cloudflare(_) => return Ok(None),
    };
    fs::write(&file, text)
        .map_err(|error| format!("cannot write `{}`: {error}", file.display()))?;
    Server::start(&mut command, authority, "/").map(Some)
}

fn nginx(text: &mut String, work: &Path, sites: &[Site], authority: &str) {
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|kind| format!("{kind}_temp_path {}/{kind};\n", work.display()))
        .concat();
    let work = work.display();
    // Several hundred sites exceed nginx's default for the number of variables; the length of their
    // names stays within its default.
    let _ = writeln!(
        text,
        "daemon off;\nuser root;\npid {work}/nginx.pid;\nerror_log stderr;\nworker_processes 1;\nevents {{ }}\nhttp {{\naccess_log off;"
    );
    let _ = writeln!(
        text,
        "variables_hash_max_size 65536;\nserver_names_hash_max_size 65536;\n{temporary}"
    );
    for Site {
        host, root, conf, ..
    } in sites
    {
        let (root, conf) = (root.display(), conf.display());
        let _ = writeln!(
            text,
            "include {conf}/nginx-http.conf;\nserver {{\nlisten {authority};\nserver_name {host};\nroot {root};\ninclude {conf}/nginx-server.conf;\n}}"
        );
    }
    text.push_str("}\n");
}

fn caddy(text: &mut String, sites: &[Site], authority: &str) {
    let port = authority.rsplit(':').next().unwrap_or_default();
    text.push_str("{\n\tadmin off\n\tauto_https off\n}\n");
    for Site {
        host, root, conf, ..
    } in sites
    {
        let (root, conf) = (root.display(), conf.display());
        let _ = writeln!(
            text,
            "http://{host}:{port} {{\n\tbind 127.0.0.1\n\troot * {root}\n\timport {conf}/Caddyfile\n}}"
        );
    }
}

fn apache(text: &mut String, work: &Path, sites: &[Site], authority: &str) {
    text.push_str(&super::engine::apache_head(work, authority));
    for Site { host, root, .. } in sites {
        let root = root.display();
        let _ = writeln!(
            text,
            "<VirtualHost {authority}>\nServerName {host}\nDocumentRoot {root}\n<Directory {root}>\nAllowOverride All\nRequire all granted\n</Directory>\n</VirtualHost>"
        );
    }
}
