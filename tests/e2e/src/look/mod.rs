//! The appearance of pages in a browser: rules for any page, and a comparison with the recorded
//! appearance.
//!
//! Screenshots cannot be compared across machines. Compared instead are the position of every block
//! (in pixels, with the fonts that this step installs), its style (size, weight, colours), and the
//! mean colours of four parts of its picture. Each has a tolerance that another build of the
//! browser stays within and a change of the theme exceeds.

mod compare;
mod record;
mod subjects;
mod wide;

pub use wide::run as wide;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::json;

use crate::server::{self, Server};
use crate::sites;
use record::{Page, Report};
use subjects::Subject;
use xtask::shell::{self, root, scratch};
use xtask::step::{Done, Outcome};
use xtask::tools;

/// Drives a browser without downloading one.
const NPM: &[&str] = &["playwright-core@1.65.1"];
/// The font of the pages in this step.
const FACE: &str = "/usr/share/fonts/truetype/dejavu/DejaVuSerif-Italic.ttf";
/// The published address of the sites: of fixed length, because pages show it.
const BASE: &str = "https://example.org";

/// How many findings are listed: one error in the style sheet shows on every page.
const NAMED: usize = 80;

/// The step. `DIGLOT_LOOK=update` records the current appearance and takes the README's
/// screenshots.
pub fn run() -> Outcome {
    let npm = browser()?;
    let pictures = scratch("look")?;
    let binary = server::build()?;
    let subjects = subjects::all()?;
    let report = look(&binary, &npm, &pictures, &subjects, &[])?;
    let sheet = pictures.join("index.html");
    println!(
        "every page in one sheet: {} (or sheet.png beside it)",
        sheet.display()
    );
    let mut wrong = report.broken.clone();
    let expected = root().join("tests/e2e/look/expected");
    let update = std::env::var("DIGLOT_LOOK").is_ok_and(|value| value == "update");
    if update {
        readme(&binary, &npm)?;
    }
    for (name, page) in report.pages()? {
        let path = expected.join(format!("{name}.txt"));
        if update {
            std::fs::create_dir_all(&expected)
                .and_then(|()| std::fs::write(&path, page.write()))
                .map_err(|error| error.to_string())?;
            continue;
        }
        let text = std::fs::read_to_string(&path)
            .map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
        wrong.extend(
            compare::differences(&Page::parse(&text)?, &page)
                .into_iter()
                .map(|difference| format!("{name}: {difference}")),
        );
    }
    if wrong.is_empty() {
        let count: usize = subjects.iter().map(|subject| subject.pages.len()).sum();
        return Ok(Done::Passed(format!(
            "{count} pages at 3 widths, light and dark"
        )));
    }
    wrong.iter().take(NAMED).for_each(|line| println!("{line}"));
    println!(
        "what is meant to look different is written down with `DIGLOT_LOOK=update cargo xtask look`"
    );
    Err(format!("{} things do not look as they should", wrong.len()))
}

/// The browser, its fonts, and what drives it: the folder of the last.
fn browser() -> Result<std::path::PathBuf, String> {
    tools::debian(&["chromium"], &["chromium"])?;
    tools::debian_file(
        &["fonts-dejavu-core", "fonts-dejavu-extra"],
        Path::new(FACE),
    )?;
    tools::npm("look-npm", NPM)
}

/// Takes the screenshots of the example site for the README.
fn readme(binary: &Path, npm: &Path) -> Result<(), String> {
    let folder = root().join("docs/images");
    std::fs::create_dir_all(&folder)
        .map_err(|error| format!("cannot make `{}`: {error}", folder.display()))?;
    let server = Server::for_address(binary, &sites::example().path, BASE)?;
    let mut command = Command::new("node");
    command
        .arg(root().join("tests/e2e/look/readme.mjs"))
        .arg(&folder)
        .arg(format!("http://{}", server.authority))
        .arg("/index");
    shell::text(command.env("JUDGE_NPM", npm)).map(drop)
}

/// Serves the sites and opens their pages in the browser.
fn look(
    binary: &Path,
    npm: &Path,
    pictures: &Path,
    subjects: &[Subject],
    words: &[&str],
) -> Result<Report, String> {
    let mut servers = Vec::new();
    let mut wanted = Vec::new();
    for subject in subjects {
        let server = Server::for_address(binary, &subject.folder, BASE)?;
        wanted.extend(subject.pages.iter().map(|(name, path)| json!({ "name": name, "url": format!("http://{}{path}", server.authority) })));
        servers.push(server);
    }
    let mut command = Command::new("node");
    command
        .arg(root().join("tests/e2e/look/look.mjs"))
        .arg(pictures)
        .args(words)
        .env("JUDGE_NPM", npm);
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = child.map_err(|error| format!("cannot run node: {error}"))?;
    let pages = serde_json::to_vec(&wanted).map_err(|error| error.to_string())?;
    child
        .stdin
        .take()
        .ok_or("node has no input")?
        .write_all(&pages)
        .map_err(|error| format!("node does not read: {error}"))?;
    let output = child
        .wait_with_output()
        .map_err(|error| format!("node was lost: {error}"))?;
    if !output.status.success() {
        return Err(format!(
            "the browser could not look at the pages: {}",
            output.status
        ));
    }
    serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("the browser's report cannot be read: {error}"))
}
