//! nginx and Varnish as `packaging/purge` configures them.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::server::Server;
use xtask::shell::root;

/// A kind of cache.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Nginx,
    Varnish,
}

impl Kind {
    pub(super) const ALL: [Self; 2] = [Self::Nginx, Self::Varnish];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Nginx => "nginx",
            Self::Varnish => "Varnish",
        }
    }

    /// Starts it at `place` in front of `origin`.
    pub(super) fn start(self, work: &Path, place: &str, origin: &str) -> Result<Server, String> {
        let (name, file) = match self {
            Self::Nginx => ("nginx.conf", work.join("nginx.conf")),
            Self::Varnish => ("varnish.vcl", work.join("varnish.vcl")),
        };
        let source = root().join("packaging/purge").join(name);
        let text = fs::read_to_string(&source)
            .map_err(|error| format!("cannot read `{}`: {error}", source.display()))?;
        let text = match self {
            Self::Nginx => nginx(&text, work, place, origin)?,
            Self::Varnish => varnish(&text, origin)?,
        };
        fs::write(&file, text).map_err(|error| format!("cannot write `{name}`: {error}"))?;
        let mut command = match self {
            Self::Nginx => {
                let mut command = Command::new("/usr/sbin/nginx");
                command.arg("-c").arg(&file).arg("-p").arg(work);
                command
            }
            Self::Varnish => {
                let mut command = Command::new("/usr/sbin/varnishd");
                command.args(["-F", "-j", "none", "-s", "malloc,512m", "-a", place, "-f"]);
                command.arg(&file).arg("-n").arg(work.join("varnish"));
                command
            }
        };
        // The probe asks for what no cache keeps.
        Server::start(&mut command, place.to_owned(), "/status.json")
    }

    /// The command that has it forget addresses.
    pub(super) fn command(self, work: &Path, place: &str) -> String {
        let scripts = root().join("packaging/purge");
        let scripts = scripts.display();
        match self {
            Self::Nginx => format!(
                "NGINX_CACHE='{}' '{scripts}/nginx.sh'",
                work.join("kept").display()
            ),
            Self::Varnish => format!("VARNISH='{place}' '{scripts}/varnish.sh'"),
        }
    }
}

/// Replaces what the reader of the file is told to change.
fn changed(text: &str, changes: &[(&str, String)]) -> Result<String, String> {
    let mut text = text.to_owned();
    for (from, to) in changes {
        if !text.contains(from) {
            return Err(format!("the configuration has no `{from}`"));
        }
        text = text.replace(from, to);
    }
    Ok(text)
}

fn nginx(text: &str, work: &Path, place: &str, origin: &str) -> Result<String, String> {
    let kept = format!("proxy_cache_path {}", work.join("kept").display());
    let text = changed(
        text,
        &[
            ("proxy_cache_path /var/cache/nginx/site", kept),
            ("listen 80;", format!("listen {place};")),
            ("127.0.0.1:8080", origin.to_owned()),
        ],
    )?;
    let work = work.display();
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|kind| format!("{kind}_temp_path {work}/{kind};\n"))
        .concat();
    Ok(format!(
        "daemon off;\nuser root;\npid {work}/nginx.pid;\nerror_log stderr;\nworker_processes 1;\nevents {{ }}\nhttp {{\naccess_log off;\nkeepalive_requests 100000;\n{temporary}{text}}}\n"
    ))
}

fn varnish(text: &str, origin: &str) -> Result<String, String> {
    let (host, port) = origin.split_once(':').unwrap_or((origin, "80"));
    changed(
        text,
        &[
            (".host = \"127.0.0.1\"", format!(".host = \"{host}\"")),
            (".port = \"8080\"", format!(".port = \"{port}\"")),
        ],
    )
}
