//! The servers that are measured beside each other: Diglot, those of others that are installed, hyper and the floor with constant bytes.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Options;
use crate::{server, shell, tools};

/// What is asked for.
pub struct Scenario {
    /// How tables call it.
    pub name: &'static str,
    /// The path.
    pub path: String,
    /// Fields of the request.
    pub fields: Vec<(&'static str, String)>,
    /// The status of its answer.
    pub status: u16,
}

impl Scenario {
    /// The fields as borrowed pairs.
    pub fn fields(&self) -> Vec<(&str, &str)> {
        self.fields.iter().map(|(name, value)| (*name, value.as_str())).collect()
    }
}

/// A server to start.
pub struct Contender {
    /// How tables call it.
    pub name: &'static str,
    /// What it calls itself.
    pub version: String,
    /// Its command line, once its configuration is written.
    pub command: Command,
    /// Where it listens.
    pub authority: String,
    /// Whether it chooses the form by `Accept`.
    pub negotiates: bool,
}

/// The servers of files that are installed, each configured to serve an export plainly and without a log.
///
/// # Errors
/// A configuration cannot be written.
pub fn of_files(site: &Path, place: &Path) -> Result<Vec<Contender>, String> {
    of_files_with(site, place, "", &|_, text, _| Some(text))
}

/// The same, each configuration changed; those without one are left out.
fn of_files_with(site: &Path, place: &Path, suffix: &str, changed: &dyn Fn(&str, String, u16) -> Option<String>) -> Result<Vec<Contender>, String> {
    let mut found = Vec::new();
    for (name, program, config, negotiates) in [
        ("nginx", "nginx", nginx as fn(&Path, &Path, u16) -> (String, Vec<String>), true),
        ("lighttpd", "lighttpd", lighttpd, false),
        ("Caddy", "caddy", caddy, false),
        ("static-web-server", "static-web-server", static_web_server, false),
    ] {
        if !tools::on_path(program) {
            println!("{name} is not installed");
            continue;
        }
        let port = server::free_port()?;
        let file = place.join(format!("{program}{suffix}.conf"));
        let (text, arguments) = config(site, &file, port);
        let Some(text) = changed(program, text, port) else { continue };
        fs::write(&file, text).map_err(|error| format!("cannot write `{}`: {error}", file.display()))?;
        let path = if Path::new("/usr/sbin").join(program).is_file() { PathBuf::from("/usr/sbin").join(program) } else { program.into() };
        let mut command = Command::new(&path);
        command.args(arguments);
        let version = tools::version(Command::new(&path).arg(if program == "caddy" {
            "version"
        } else if program == "static-web-server" {
            "-V"
        } else {
            "-v"
        }));
        found.push(Contender { name, version, command, authority: format!("127.0.0.1:{port}"), negotiates });
    }
    Ok(found)
}

/// nginx and Caddy with TLS, where they are installed.
///
/// # Errors
/// A configuration cannot be written.
pub fn of_files_secured(site: &Path, place: &Path, certificate: &Path, key: &Path) -> Result<Vec<Contender>, String> {
    let (certificate, key) = (certificate.display(), key.display());
    let found = of_files_with(site, place, "-tls", &|program, text, port| {
        match program {
        "nginx" => Some(text.replace(
            &format!("listen 127.0.0.1:{port} backlog=1024;"),
            &format!("listen 127.0.0.1:{port} ssl http2 backlog=1024; ssl_certificate {certificate}; ssl_certificate_key {key}; ssl_protocols TLSv1.3; http2_max_requests 1000000000;"),
        )),
        "caddy" => Some(text.replace(&format!("http://127.0.0.1:{port} {{"), &format!("https://127.0.0.1:{port} {{\n\ttls {certificate} {key}"))),
        _ => None,
    }
    })?;
    Ok(found)
}

fn nginx(site: &Path, file: &Path, port: u16) -> (String, Vec<String>) {
    let (site, file) = (site.display(), file.display());
    let text = format!(
        "daemon off; worker_processes 1; pid {file}.pid; error_log /dev/null crit;\nevents {{ worker_connections 16384; }}\nhttp {{\n\
         include /etc/nginx/mime.types; types {{ text/markdown md; }} charset utf-8; charset_types text/html text/markdown text/plain application/xml;\n\
         access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000; keepalive_timeout 600; gzip_static on; gzip_vary on;\n\
         open_file_cache max=10000 inactive=600s; open_file_cache_valid 600s;\n\
         map $http_accept $twin {{ default html; \"~text/markdown\" md; }}\n\
         server {{ listen 127.0.0.1:{port} backlog=1024; root {site}; add_header Cache-Control \"public, max-age=300\";\n\
         location ~ ^(?<stem>/.*)\\.html$ {{ add_header Vary Accept; try_files $stem.$twin =404; }} }}\n}}\n"
    );
    (text, vec!["-c".to_owned(), file.to_string()])
}

fn lighttpd(site: &Path, file: &Path, port: u16) -> (String, Vec<String>) {
    let text = format!(
        "server.modules = (\"mod_deflate\", \"mod_setenv\")\nserver.document-root = \"{}\"\nserver.port = {port}\nserver.bind = \"127.0.0.1\"\n\
         server.max-keep-alive-requests = 0\nserver.max-keep-alive-idle = 600\nserver.listen-backlog = 1024\nserver.stat-cache-engine = \"simple\"\n\
         setenv.add-response-header = (\"Cache-Control\" => \"public, max-age=300\")\n\
         mimetype.assign = (\".html\" => \"text/html; charset=utf-8\", \".md\" => \"text/markdown; charset=utf-8\", \".txt\" => \"text/plain; charset=utf-8\", \".xml\" => \"application/xml; charset=utf-8\")\n\
         deflate.mimetypes = (\"text/html\")\ndeflate.allowed-encodings = (\"gzip\")\ndeflate.cache-dir = \"{}.cache\"\n",
        site.display(),
        file.display()
    );
    (text, vec!["-D".to_owned(), "-f".to_owned(), file.display().to_string()])
}

fn caddy(site: &Path, file: &Path, port: u16) -> (String, Vec<String>) {
    let text = format!(
        "{{\n\tadmin off\n\tauto_https off\n}}\nhttp://127.0.0.1:{port} {{\n\troot * {}\n\theader Cache-Control \"public, max-age=300\"\n\tfile_server {{\n\t\tprecompressed br gzip\n\t}}\n}}\n",
        site.display()
    );
    (text, ["run", "--adapter", "caddyfile", "--config"].into_iter().map(str::to_owned).chain([file.display().to_string()]).collect())
}

fn static_web_server(site: &Path, _: &Path, port: u16) -> (String, Vec<String>) {
    let site = site.display().to_string();
    let arguments = [
        "--host",
        "127.0.0.1",
        "--port",
        &port.to_string(),
        "--root",
        &site,
        "--compression-static",
        "true",
        "--threads-multiplier",
        "1",
        "--log-level",
        "error",
    ];
    (String::new(), arguments.into_iter().map(str::to_owned).collect())
}

/// `diglot serve` on the corpus.
///
/// # Errors
/// There is no free port.
pub fn diglot(binary: &Path, folder: &Path) -> Result<Contender, String> {
    diglot_with(binary, folder, &["--no-state".as_ref()])
}

/// Diglot with these arguments about its state.
///
/// # Errors
/// There is no free port.
pub fn diglot_with(binary: &Path, folder: &Path, state: &[&OsStr]) -> Result<Contender, String> {
    let authority = format!("127.0.0.1:{}", server::free_port()?);
    let mut command = Command::new(binary);
    command.arg("serve").arg(folder).args(["--listen", &authority, "--no-watch"]).args(state);
    Ok(Contender { name: "Diglot", version: tools::version(Command::new(binary).arg("--version")), command, authority, negotiates: true })
}

/// hyper and the floor, each with one constant answer.
///
/// # Errors
/// One does not compile, or there is no free port.
pub fn constant(options: &Options, answer: &Path) -> Result<[Contender; 2], String> {
    let floor = options.place.join("floor");
    if !floor.exists() {
        let source = shell::root().join("xtask/src/bench/floor.c");
        shell::text(Command::new("gcc").args(["-O2", "-o"]).arg(&floor).arg(source))?;
    }
    let hyper = shell::target().join("release/examples/constant");
    if !hyper.exists() {
        shell::run(shell::cargo().args(["build", "--quiet", "--release", "--package", "diglot", "--example", "constant"]))?;
    }
    let contender = |name, version: &str, program: &Path, port: u16, address: String| {
        let mut command = Command::new(program);
        command.arg(address).arg(answer);
        Contender { name, version: version.to_owned(), command, authority: format!("127.0.0.1:{port}"), negotiates: true }
    };
    let ports = [server::free_port()?, server::free_port()?];
    let compiler = tools::version(Command::new("gcc").arg("--version"));
    Ok([
        contender("hyper, constant", "the same version as Diglot's", &hyper, ports[0], format!("127.0.0.1:{}", ports[0])),
        contender("floor", &compiler, &floor, ports[1], ports[1].to_string()),
    ])
}
