//! `diglot move` between real pairs: a site that another generator built, served by nginx, and the
//! folder that it was built from; and a folder that Diglot serves itself.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::folders::peers;
use crate::server::{self, Server, free_port};
use xtask::shell::{output, root, scratch, tail, text};
use xtask::step::{Done, Outcome};
use xtask::tools;

/// The fixtures whose generators' sites are moved.
const BUILT: [&str; 3] = ["hugo", "jekyll", "mkdocs"];
/// The folders that Diglot serves.
const SERVED: [&str; 2] = ["examples/field-notes", "crates/diglot/tests/golden/site"];

/// Where the fixtures say that they are published.
const ADDRESS: &str = "https://example.org";

/// The step.
pub fn run() -> Outcome {
    tools::debian(&["nginx"], &["nginx"])?;
    let binary = server::build()?;
    let (mut failures, mut pages) = (Vec::new(), Vec::new());
    let mut note = |name: &str, moved: Result<String, String>| match moved {
        Ok(first) => pages.push(format!("{name}: {first}")),
        Err(why) => failures.push(format!("{name}: {why}")),
    };
    for fixture in BUILT {
        note(fixture, built(&binary, fixture));
    }
    for folder in SERVED {
        note(folder, served(&binary, folder));
    }
    match failures.is_empty() {
        true => Ok(Done::Passed(pages.join("; "))),
        false => Err(failures.join("\n")),
    }
}

/// Moves the site that a generator built.
fn built(binary: &Path, fixture: &str) -> Result<String, String> {
    let (folder, out) = peers::built(fixture)?;
    map(&out)?;
    let nginx = nginx(&out)?;
    moved(binary, &format!("http://{}", nginx.authority), &folder)
}

/// Writes a sitemap with every page, where the fixture asks its generator for none.
fn map(out: &Path) -> Result<(), String> {
    if out.join("sitemap.xml").exists() {
        return Ok(());
    }
    let pages = text(
        Command::new("find")
            .args([".", "-name", "*.html"])
            .current_dir(out),
    )?;
    let mut pages: Vec<&str> = pages
        .lines()
        .filter_map(|page| page.strip_prefix('.'))
        .map(|page| page.strip_suffix("index.html").unwrap_or(page))
        .filter(|page| *page != "/404.html")
        .collect();
    pages.sort_unstable();
    let rows = pages
        .iter()
        .map(|page| format!("<url><loc>{ADDRESS}{page}</loc></url>"));
    let map = format!("<urlset>{}</urlset>", rows.collect::<String>());
    fs::write(out.join("sitemap.xml"), map).map_err(|error| error.to_string())
}

/// Moves the site that Diglot makes of a folder.
fn served(binary: &Path, folder: &str) -> Result<String, String> {
    let copies = scratch("moves-served")?;
    let (copy, moving) = (copies.join("copy"), copies.join("moved"));
    for copy in [&copy, &moving] {
        text(
            Command::new("cp")
                .arg("-rp")
                .arg(root().join(folder))
                .arg(copy),
        )?;
    }
    let server = Server::for_address(binary, &copy, ADDRESS)?;
    moved(binary, &format!("http://{}", server.authority), &moving)
}

/// Moves a site into a folder, then verifies that nothing is lost; the first line of the report.
fn moved(binary: &Path, url: &str, folder: &Path) -> Result<String, String> {
    let run = |args: &[&str]| {
        let mut command = Command::new(binary);
        command.arg("move").args(args).arg(folder).arg("--no-state");
        let ended = output(&mut command)?;
        let said = String::from_utf8_lossy(&ended.stdout).into_owned();
        match ended.status.success() {
            true => Ok(said),
            false => Err(said + &tail(&String::from_utf8_lossy(&ended.stderr), 5)),
        }
    };
    run(&[url])?;
    let said = run(&["--verify"])?;
    let first = said.lines().next().unwrap_or_default();
    let (count, _) = first.split_once(" of ").unwrap_or((first, ""));
    Ok(count.to_owned())
}

/// nginx, which serves a folder.
fn nginx(folder: &Path) -> Result<Server, String> {
    let place = format!("127.0.0.1:{}", free_port()?);
    let work = scratch("moves-nginx")?;
    let conf = work.join("nginx.conf");
    fs::write(&conf, configuration(&work, folder, &place)).map_err(|error| error.to_string())?;
    Server::start(Command::new("nginx").arg("-c").arg(&conf), place, "/")
}

fn configuration(work: &Path, folder: &Path, place: &str) -> String {
    let (work, folder) = (work.display(), folder.display());
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|kind| format!("{kind}_temp_path {work}/{kind};\n"))
        .concat();
    format!(
        "daemon off;\nuser root;\nworker_processes 1;\npid {work}/nginx.pid;\nerror_log stderr;\nevents {{ }}\nhttp {{\naccess_log off;\n{temporary}\
         include /etc/nginx/mime.types;\nserver {{ listen {place}; root {folder}; index index.html; absolute_redirect off; try_files $uri $uri.html $uri/ =404; }}\n}}\n"
    )
}
