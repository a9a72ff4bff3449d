//! Hugo with the same outputs as Diglot: HTML and Markdown of every page, lists, feed, sitemap,
//! `llms.txt`, the merged text.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::corpus::Corpus;

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

/// From this many articles Hugo builds only HTML: with all outputs it would need more memory than a
/// machine like ours has.
pub const HTML_ALONE_FROM: usize = 50_000;

/// The time limit of one build, in seconds.
const PATIENCE: &str = "900";

/// A Hugo site next to a corpus; the articles are mounted, not copied.
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
    let settings = settings(corpus.articles >= HTML_ALONE_FROM);
    fs::write(folder.join("hugo.toml"), format!("{settings}{mounts}")).map_err(failed)?;
    Ok(folder)
}

/// The settings, with every output or with only HTML.
fn settings(html_alone: bool) -> String {
    let text = include_str!("hugo/hugo.toml");
    if !html_alone {
        return text.to_owned();
    }
    let line = |line: &str| {
        line.split_once(" = [\"html\",").map_or_else(
            || line.to_owned(),
            |(kind, _)| format!("{kind} = [\"html\"]"),
        )
    };
    text.lines().map(|text| line(text) + "\n").collect()
}

/// The command that builds the site into `output`, with a time limit of a quarter of an hour.
pub fn build(hugo: &Path, site: &Path, output: &Path) -> Command {
    let mut command = Command::new("timeout");
    command
        .arg(PATIENCE)
        .arg(hugo)
        .args(["build", "--quiet", "--noBuildLock", "--source"])
        .arg(site)
        .arg("--destination")
        .arg(output);
    command
}

#[cfg(test)]
mod tests {
    use super::settings;

    #[test]
    fn html_alone_is_html_alone() {
        let all = settings(false);
        assert!(all.contains("page = [\"html\", \"markdown\"]"), "{all}");
        let alone = settings(true);
        assert_eq!(
            (
                alone.matches(" = [\"html\"]\n").count(),
                alone.lines().count()
            ),
            (5, all.lines().count()),
            "{alone}"
        );
    }
}
