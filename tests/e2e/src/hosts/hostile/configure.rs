//! One configuration of each host for all sites.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::site::Site;
use crate::hosts::engine::{self, Engine};
use crate::server::{Server, free_port};

/// Starts a host with all sites; `None` for a host without a configuration for several sites.
pub fn start(engine: &Engine, work: &Path, sites: &[Site]) -> Result<Option<Server>, String> {
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
    text.push_str(&engine::apache_head(work, authority));
    for Site { host, root, .. } in sites {
        let root = root.display();
        let _ = writeln!(
            text,
            "<VirtualHost {authority}>\nServerName {host}\nDocumentRoot {root}\n<Directory {root}>\nAllowOverride All\nRequire all granted\n</Directory>\n</VirtualHost>"
        );
    }
}
