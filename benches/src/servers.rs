//! The servers that are compared: Diglot, installed third-party servers, and hyper and the floor
//! with constant bytes.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::Options;
use diglot_e2e::server;
use xtask::{shell, tools};

/// The name of hyper with constant bytes in tables.
pub const HYPER: &str = "hyper, constant";

/// A server to start.
pub struct Contender {
    /// Its name in tables.
    pub name: &'static str,
    /// The version it reports.
    pub version: String,
    /// Its command line, for use once its configuration is written.
    pub command: Command,
    /// Where it listens.
    pub authority: String,
    /// Whether it negotiates by `Accept`.
    pub negotiates: bool,
}

/// A third-party file server.
struct Peer {
    name: &'static str,
    program: &'static str,
    /// The argument that prints the version.
    version: &'static str,
    /// Whether its configuration negotiates by `Accept`.
    negotiates: bool,
    /// Returns its configuration and its arguments.
    config: fn(&ServerSetup<'_>) -> (String, Vec<String>),
}

/// Where a server listens, and what it serves.
struct ServerSetup<'a> {
    site: &'a Path,
    /// The path of its configuration; files that it writes itself are next to it.
    file: &'a Path,
    port: u16,
    /// Certificate and key.
    tls: Option<(&'a Path, &'a Path)>,
}

/// All known peers. Those without TLS are measured without it.
const PEERS: [Peer; 5] = [
    Peer {
        name: "nginx",
        program: "nginx",
        version: "-v",
        negotiates: true,
        config: nginx,
    },
    Peer {
        name: "lighttpd",
        program: "lighttpd",
        version: "-v",
        negotiates: false,
        config: lighttpd,
    },
    Peer {
        name: "h2o",
        program: "h2o",
        version: "-v",
        negotiates: false,
        config: h2o,
    },
    Peer {
        name: "static-web-server",
        program: "static-web-server",
        version: "-V",
        negotiates: false,
        config: static_web_server,
    },
    Peer {
        name: "Caddy",
        program: "caddy",
        version: "version",
        negotiates: false,
        config: caddy,
    },
];

/// The version of static-web-server from crates.io; it is not in Debian.
const STATIC_WEB_SERVER: &str = "3.0.0-beta.2";

/// Compiles static-web-server below the target folder, unless it is there or on the path. If that
/// fails, the others are measured without it.
pub fn install() {
    let folder = shell::target().join("tools");
    let own = folder.join("bin/static-web-server");
    if tools::version(Command::new(&own).arg("-V")).contains(STATIC_WEB_SERVER)
        || (!own.exists() && tools::on_path("static-web-server"))
    {
        return;
    }
    println!("compiling static-web-server {STATIC_WEB_SERVER}: some minutes, once");
    let mut install = shell::cargo();
    install
        .args([
            "install",
            "--locked",
            "--quiet",
            "--force",
            "--version",
            STATIC_WEB_SERVER,
            "--root",
        ])
        .arg(&folder)
        .arg("static-web-server");
    if let Err(why) = shell::run(&mut install) {
        println!("not measured: {why}");
    }
}

/// The installed file servers, each configured to serve an export plainly and without a log; over
/// TLS if given a certificate and its key.
///
/// # Errors
/// A configuration cannot be written.
pub fn of_files(
    site: &Path,
    place: &Path,
    tls: Option<(&Path, &Path)>,
) -> Result<Vec<Contender>, String> {
    let mut found = Vec::new();
    for peer in PEERS {
        // Where `cargo install --root` installed it, or on the path.
        let own = shell::target().join("tools/bin").join(peer.program);
        let Some(program) = Some(own)
            .filter(|own| own.is_file())
            .or_else(|| tools::find(peer.program))
        else {
            println!("{} is not installed", peer.name);
            continue;
        };
        let port = server::free_port()?;
        let suffix = if tls.is_some() { "-tls" } else { "" };
        let file = place.join(format!("{}{suffix}.conf", peer.program));
        let (text, arguments) = (peer.config)(&ServerSetup {
            site,
            file: &file,
            port,
            tls,
        });
        fs::write(&file, text)
            .map_err(|error| format!("cannot write `{}`: {error}", file.display()))?;
        let version = tools::version(Command::new(&program).arg(peer.version));
        let mut command = Command::new(&program);
        command.args(arguments);
        found.push(Contender {
            name: peer.name,
            version,
            command,
            authority: format!("127.0.0.1:{port}"),
            negotiates: peer.negotiates,
        });
    }
    Ok(found)
}

fn nginx(place: &ServerSetup<'_>) -> (String, Vec<String>) {
    let (site, file, port) = (place.site.display(), place.file.display(), place.port);
    let (kind, secrets) = place.tls.map_or(("", String::new()), |(certificate, key)| {
        let (certificate, key) = (certificate.display(), key.display());
        (" ssl http2", format!("ssl_certificate {certificate}; ssl_certificate_key {key}; ssl_protocols TLSv1.3; http2_max_requests 1000000000;"))
    });
    let text = format!(
        "daemon off; worker_processes 1; pid {file}.pid; error_log /dev/null crit;\nevents {{ worker_connections 16384; }}\nhttp {{\n\
         include /etc/nginx/mime.types; types {{ text/markdown md; }} charset utf-8; charset_types text/html text/markdown text/plain application/xml;\n\
         access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000; keepalive_timeout 600; gzip_static on; gzip_vary on;\n\
         open_file_cache max=10000 inactive=600s; open_file_cache_valid 600s;\n\
         map $http_accept $twin {{ default html; \"~text/markdown\" md; }}\n\
         server {{ listen 127.0.0.1:{port}{kind} backlog=1024; {secrets} root {site}; add_header Cache-Control \"public, max-age=300\";\n\
         location ~ ^(?<stem>/.*)\\.html$ {{ add_header Vary Accept; try_files $stem.$twin =404; }} }}\n}}\n"
    );
    (text, vec!["-c".to_owned(), file.to_string()])
}

fn lighttpd(place: &ServerSetup<'_>) -> (String, Vec<String>) {
    let (site, file) = (place.site.display(), place.file.display());
    let mut text = format!(
        "server.modules = (\"mod_setenv\")\nserver.document-root = \"{site}\"\nserver.port = {}\nserver.bind = \"127.0.0.1\"\n\
         server.max-keep-alive-requests = 65535\nserver.max-keep-alive-idle = 600\nserver.listen-backlog = 1024\nserver.stat-cache-engine = \"simple\"\n\
         setenv.add-response-header = (\"Cache-Control\" => \"public, max-age=300\")\n\
         mimetype.assign = (\".html\" => \"text/html; charset=utf-8\", \".md\" => \"text/markdown; charset=utf-8\", \".txt\" => \"text/plain; charset=utf-8\", \".xml\" => \"application/xml; charset=utf-8\")\n",
        place.port
    );
    let has = |module: &str| {
        Path::new("/usr/lib/lighttpd")
            .join(format!("{module}.so"))
            .is_file()
    };
    if has("mod_deflate") {
        text.push_str(&format!(
            "server.modules += (\"mod_deflate\")\ndeflate.mimetypes = (\"text/html\")\ndeflate.allowed-encodings = (\"gzip\")\ndeflate.cache-dir = \"{file}.cache\"\n"
        ));
    }
    if let Some((certificate, key)) = place.tls {
        text.push_str(&format!(
            "server.modules += (\"mod_openssl\")\nssl.engine = \"enable\"\nssl.pemfile = \"{}\"\nssl.privkey = \"{}\"\n",
            certificate.display(),
            key.display()
        ));
    }
    (
        text,
        vec!["-D".to_owned(), "-f".to_owned(), file.to_string()],
    )
}

fn h2o(place: &ServerSetup<'_>) -> (String, Vec<String>) {
    let secrets = place.tls.map_or(String::new(), |(certificate, key)| {
        format!(
            "  ssl:\n    certificate-file: {}\n    key-file: {}\n    minimum-version: TLSv1.2\n",
            certificate.display(),
            key.display()
        )
    });
    let text = format!(
        "num-threads: 1\nmax-connections: 16384\nhttp1-request-timeout: 600\nhttp2-idle-timeout: 600\nlisten:\n  host: 127.0.0.1\n  port: {}\n{secrets}\
         file.send-compressed: ON\nfile.mime.addtypes:\n  text/markdown: .md\nheader.add: \"Cache-Control: public, max-age=300\"\n\
         hosts:\n  default:\n    paths:\n      /:\n        file.dir: {}\n",
        place.port,
        place.site.display()
    );
    (
        text,
        vec!["-c".to_owned(), place.file.display().to_string()],
    )
}

fn caddy(place: &ServerSetup<'_>) -> (String, Vec<String>) {
    let (scheme, secrets) = place
        .tls
        .map_or(("http", String::new()), |(certificate, key)| {
            (
                "https",
                format!("\ttls {} {}\n", certificate.display(), key.display()),
            )
        });
    let text = format!(
        "{{\n\tadmin off\n\tauto_https off\n}}\n{scheme}://127.0.0.1:{} {{\n{secrets}\troot * {}\n\theader Cache-Control \"public, max-age=300\"\n\tfile_server {{\n\t\tprecompressed br gzip\n\t}}\n}}\n",
        place.port,
        place.site.display()
    );
    (
        text,
        ["run", "--adapter", "caddyfile", "--config"]
            .into_iter()
            .map(str::to_owned)
            .chain([place.file.display().to_string()])
            .collect(),
    )
}

fn static_web_server(place: &ServerSetup<'_>) -> (String, Vec<String>) {
    let (port, site) = (place.port.to_string(), place.site.display().to_string());
    let mut arguments = vec![
        "--host",
        "127.0.0.1",
        "--port",
        &port,
        "--root",
        &site,
        "--compression-static",
        "true",
        "--threads-multiplier",
        "1",
        "--log-level",
        "error",
    ];
    let secrets = place
        .tls
        .map(|(certificate, key)| [certificate, key].map(|file| file.display().to_string()));
    if let Some([certificate, key]) = &secrets {
        arguments.extend([
            "--tls",
            "true",
            "--tls-cert",
            certificate,
            "--tls-key",
            key,
            "--http2",
            "true",
        ]);
    }
    (
        String::new(),
        arguments.into_iter().map(str::to_owned).collect(),
    )
}

/// `diglot serve` on the corpus.
///
/// # Errors
/// There is no free port.
pub fn diglot(binary: &Path, folder: &Path) -> Result<Contender, String> {
    let authority = format!("127.0.0.1:{}", server::free_port()?);
    let mut command = Command::new(binary);
    command.arg("serve").arg(folder).args([
        "--listen",
        &authority,
        "--base-url",
        "https://example.org",
        "--no-watch",
        "--no-state",
    ]);
    Ok(Contender {
        name: "Diglot",
        version: tools::version(Command::new(binary).arg("--version")),
        command,
        authority,
        negotiates: true,
    })
}

/// Compiles hyper with constant bytes, and the floor: existing binaries may be outdated.
///
/// # Errors
/// One does not compile.
pub fn compile(options: &Options) -> Result<(), String> {
    let source = shell::root().join("benches/src/floor.c");
    shell::text(
        Command::new("gcc")
            .args(["-O2", "-o"])
            .arg(options.place.join("floor"))
            .arg(source),
    )?;
    shell::run(shell::dist("build").args([
        "--quiet",
        "--package",
        "diglot",
        "--example",
        "constant",
    ]))
}

/// hyper with the answers of a file; [`compile`] builds it.
///
/// # Errors
/// There is no free port.
pub fn hyper(answers: &Path) -> Result<Contender, String> {
    let program = shell::target().join("dist/examples/constant");
    let authority = format!("127.0.0.1:{}", server::free_port()?);
    let mut command = Command::new(program);
    command.arg(&authority).arg(answers);
    Ok(Contender {
        name: HYPER,
        version: "the same version as Diglot's".to_owned(),
        command,
        authority,
        negotiates: true,
    })
}

/// The floor with the answer of a file, or with several of these lengths; [`compile`] builds it.
///
/// # Errors
/// There is no free port.
pub fn floor(options: &Options, answers: &Path, lengths: &[usize]) -> Result<Contender, String> {
    let port = server::free_port()?;
    let mut command = Command::new(options.place.join("floor"));
    command.arg(port.to_string()).arg(answers);
    command.args(lengths.iter().map(usize::to_string));
    Ok(Contender {
        name: "floor",
        version: tools::version(Command::new("gcc").arg("--version")),
        command,
        authority: format!("127.0.0.1:{port}"),
        negotiates: true,
    })
}
