//! The caches in front: nginx and Varnish as commonly configured, nginx set to ignore `Vary`, and a
//! model of the worst cache that still obeys `Cache-Control`.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::server::Server;
use crate::wire::{self, Answer};
use xtask::tools;

/// A kind of cache.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Nginx,
    /// The default configuration: it requests only gzip, and decompresses for clients that do not
    /// accept it.
    Varnish,
    /// Varnish that leaves codings to Diglot (`http_gzip_support=off`).
    VarnishCodings,
    /// nginx with `proxy_ignore_headers Vary`; its key includes the request's codings, as in
    /// content delivery networks.
    NginxBlind,
    /// In process: it stores one answer for each address and set of accepted codings, whatever
    /// `Vary` says.
    Model,
}

impl Kind {
    pub(super) const ALL: [Self; 5] = [
        Self::Nginx,
        Self::Varnish,
        Self::VarnishCodings,
        Self::NginxBlind,
        Self::Model,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Nginx => "nginx proxy_cache",
            Self::Varnish => "Varnish",
            Self::VarnishCodings => "Varnish, codings passed on",
            Self::NginxBlind => "nginx without Vary",
            Self::Model => "a model without Vary",
        }
    }

    pub(super) fn version(self) -> String {
        let said = match self {
            Self::Nginx | Self::NginxBlind => {
                tools::version(Command::new("/usr/sbin/nginx").arg("-v"))
            }
            Self::Varnish | Self::VarnishCodings => {
                tools::version(Command::new("/usr/sbin/varnishd").arg("-V"))
            }
            Self::Model => return String::new(),
        };
        let numbers = said.split(|char: char| !char.is_ascii_digit() && char != '.');
        numbers
            .map(|word| word.trim_matches('.'))
            .find(|word| word.contains('.'))
            .unwrap_or("unknown")
            .to_owned()
    }

    /// Whether it stores the forms of a page separately, so that an agent gets Markdown whatever
    /// was requested before.
    pub(super) fn obeys_vary(self) -> bool {
        matches!(self, Self::Nginx | Self::Varnish | Self::VarnishCodings)
    }

    /// Whether the cache itself causes a finding of the audit, which no origin can prevent.
    pub(super) fn excuses(self, finding: &str) -> bool {
        // Varnish that decompresses sends the compressed length in answers to HEAD that it does not
        // store.
        self == Self::Varnish
            && finding.starts_with("validators.head ")
            && finding.contains("expected content-length: ")
    }
}

/// A running cache.
pub(super) struct Front {
    pub(super) kind: Kind,
    origin: String,
    /// The process; `None` for the model.
    server: Option<Server>,
    kept: HashMap<String, Answer>,
}

impl Front {
    /// Starts a cache at `place` in front of `origin`.
    ///
    /// # Errors
    /// It does not start; its output.
    pub(super) fn start(
        kind: Kind,
        work: &Path,
        place: &str,
        origin: &str,
    ) -> Result<Self, String> {
        let (file, settings) = match kind {
            Kind::Nginx | Kind::NginxBlind => (
                "nginx.conf",
                nginx(work, place, origin, kind == Kind::NginxBlind),
            ),
            Kind::Varnish | Kind::VarnishCodings => ("site.vcl", varnish(origin)),
            Kind::Model => {
                return Ok(Self {
                    kind,
                    origin: origin.to_owned(),
                    server: None,
                    kept: HashMap::new(),
                });
            }
        };
        let file = work.join(file);
        fs::write(&file, settings)
            .map_err(|error| format!("cannot write `{}`: {error}", file.display()))?;
        let mut command = match kind {
            Kind::Varnish | Kind::VarnishCodings => {
                let mut command = Command::new("/usr/sbin/varnishd");
                command
                    .args(["-F", "-j", "none", "-s", "malloc,64m", "-a", place, "-f"])
                    .arg(&file)
                    .arg("-n")
                    .arg(work.join("varnish"));
                if kind == Kind::VarnishCodings {
                    command.args(["-p", "http_gzip_support=off"]);
                }
                command
            }
            _ => {
                let mut command = Command::new("/usr/sbin/nginx");
                command.arg("-c").arg(&file).arg("-p").arg(work);
                command
            }
        };
        // The readiness probe uses a URL that is not in the traffic.
        let server = Server::start(&mut command, place.to_owned(), "/status.json")?;
        Ok(Self {
            kind,
            origin: origin.to_owned(),
            server: Some(server),
            kept: HashMap::new(),
        })
    }

    pub(super) fn is_real(&self) -> bool {
        self.server.is_some()
    }

    /// One request through the cache.
    ///
    /// # Errors
    /// No answer.
    pub(super) fn ask(
        &mut self,
        method: &str,
        path: &str,
        fields: &[(&str, &str)],
    ) -> Result<Answer, String> {
        match &self.server {
            Some(server) => wire::ask(method, &server.authority, path, fields),
            None => self.model(method, path, fields),
        }
    }

    /// RFC 9111 without section 4.1: what may be stored is stored under its address and served to
    /// everyone.
    fn model(
        &mut self,
        method: &str,
        path: &str,
        fields: &[(&str, &str)],
    ) -> Result<Answer, String> {
        let field = |name: &str| {
            fields
                .iter()
                .find(|(own, _)| *own == name)
                .map(|(_, value)| *value)
        };
        if method != "GET" || field("range").is_some() {
            return wire::ask(method, &self.origin, path, fields);
        }
        let key = format!("{path} {}", field("accept-encoding").unwrap_or_default());
        if let Some(kept) = self.kept.get(&key) {
            let mut answer = kept.clone();
            answer.headers.push(("age".to_owned(), "1".to_owned()));
            if field("if-none-match")
                .is_some_and(|tag| Some(tag.to_owned()) == answer.header("etag"))
            {
                answer.status = 304;
                answer.body.clear();
            }
            return Ok(answer);
        }
        let answer = wire::ask(method, &self.origin, path, fields)?;
        let says = answer.header("cache-control").unwrap_or_default();
        if matches!(answer.status, 200 | 301 | 308 | 404)
            && !["private", "no-cache", "no-store"]
                .iter()
                .any(|word| says.contains(word))
        {
            self.kept.insert(key, answer.clone());
        }
        Ok(answer)
    }
}

fn nginx(work: &Path, place: &str, origin: &str, blind: bool) -> String {
    let work = work.display();
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|kind| format!("{kind}_temp_path {work}/{kind};\n"))
        .concat();
    let blind = if blind {
        "proxy_ignore_headers Vary;\nproxy_cache_key $scheme$proxy_host$request_uri$http_accept_encoding;\n"
    } else {
        ""
    };
    format!(
        "daemon off;\nuser root;\npid {work}/nginx.pid;\nerror_log stderr;\nworker_processes 1;\nevents {{ }}\nhttp {{\naccess_log off;\n{temporary}\
         proxy_cache_path {work}/kept levels=1:2 keys_zone=site:1m max_size=100m use_temp_path=off;\n\
         server {{\nlisten {place};\nlocation / {{\nproxy_pass http://{origin};\nproxy_http_version 1.1;\nproxy_set_header Connection \"\";\n\
         proxy_set_header Host $http_host;\nproxy_cache site;\nproxy_cache_revalidate on;\n{blind}add_header X-Cache $upstream_cache_status always;\n}}\n}}\n}}\n"
    )
}

fn varnish(origin: &str) -> String {
    let (host, port) = origin.split_once(':').unwrap_or((origin, "80"));
    format!(
        "vcl 4.1;\nbackend default {{\n.host = \"{host}\";\n.port = \"{port}\";\n}}\nsub vcl_deliver {{\nif (obj.hits > 0) {{\nset resp.http.X-Cache = \"HIT\";\n}}\n}}\n"
    )
}
