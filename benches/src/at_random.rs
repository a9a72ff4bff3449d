//! `bench serve` over many articles: a server that answers each of a thousand articles at random
//! finds less of an answer in the processor's caches than one that repeats a single answer.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::Options;
use super::load::{Asked, Pinned, answer};
use super::race::{Entrant, Row};
use super::scenario::{self, Scenario};
use super::servers::{self, Contender};
use xtask::shell;

/// The number of articles.
const ARTICLES: usize = 1_000;

/// The scenarios by the names in the table, with the fields of their requests.
fn scenarios(path: &str) -> [Scenario; 3] {
    let asked = |name, fields| Scenario {
        name,
        path: path.to_owned(),
        fields,
        status: 200,
    };
    [
        asked("1,000 articles at random, HTML", vec![scenario::browser()]),
        asked(
            "the same, at random, gzip",
            vec![scenario::browser(), scenario::gzip()],
        ),
        asked("Markdown by Accept, at random", vec![scenario::markdown()]),
    ]
}

/// One row for each scenario. `running` are the servers of files.
///
/// # Errors
/// Diglot does not answer.
pub fn rows(
    options: &Options,
    site: &Path,
    diglot: &Entrant,
    running: &[Entrant],
) -> Result<Vec<Row>, String> {
    let server = diglot.server.as_ref().map_err(Clone::clone)?;
    let paths = articles(site)?;
    let script = options.place.join("at-random.lua");
    write(&script, script_of(&paths).as_bytes())?;
    let first = paths.first().ok_or("the export has no article")?;
    let mut rows = Vec::new();
    for asked in scenarios(first) {
        let answers = Answers::fetch(server, &paths, &asked)?;
        let constants = answers.contenders(options)?;
        let constants: Vec<Entrant> = constants.iter().map(Entrant::start).collect();
        let all: Vec<&Entrant> = std::iter::once(diglot)
            .chain(&constants)
            .chain(running)
            .collect();
        rows.push(scenario::row(
            options,
            &asked,
            answers.whole.len() / paths.len(),
            &all,
            Asked::Script(&script),
        ));
    }
    Ok(rows)
}

/// The paths of the articles of an export.
fn articles(site: &Path) -> Result<Vec<String>, String> {
    let mut paths: Vec<String> = shell::files_below(&site.join("articles"))?
        .into_iter()
        .filter(|path| path.extension().is_some_and(|suffix| suffix == "html"))
        .map(|path| format!("/articles/{}", path.display()))
        .collect();
    paths.truncate(ARTICLES);
    Ok(paths)
}

/// The script of wrk: the same paths in the same order for each server (Lehmer's generator).
fn script_of(paths: &[String]) -> String {
    let mut script = "local paths = {\n".to_owned();
    for path in paths {
        let _ = writeln!(script, "  {path:?},");
    }
    script.push_str(
        "}\nlocal requests, seed = {}, 1\n\
         function init()\n  for at, path in ipairs(paths) do requests[at] = wrk.format('GET', path) end\nend\n\
         function request()\n  seed = seed * 16807 % 2147483647\n  return requests[seed % #requests + 1]\nend\n",
    );
    script
}

/// What Diglot answers for each path.
struct Answers {
    /// All answers, one after the other.
    whole: Vec<u8>,
    /// The same with small heads, and the length of each.
    plain: Vec<u8>,
    lengths: Vec<usize>,
}

impl Answers {
    fn fetch(server: &Pinned, paths: &[String], asked: &Scenario) -> Result<Self, String> {
        let (mut whole, mut plain, mut lengths) = (Vec::new(), Vec::new(), Vec::new());
        for path in paths {
            let bytes = answer(&server.authority, path, &asked.fields())?;
            let end = bytes.windows(4).position(|window| window == b"\r\n\r\n");
            let body = &bytes[end.ok_or("an answer without an end of its head")? + 4..];
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", body.len());
            plain.extend_from_slice(head.as_bytes());
            plain.extend_from_slice(body);
            lengths.push(head.len() + body.len());
            whole.extend(bytes);
        }
        Ok(Self {
            whole,
            plain,
            lengths,
        })
    }

    /// hyper with these answers, and the floor with small heads.
    fn contenders(&self, options: &Options) -> Result<[Contender; 2], String> {
        let (whole, plain) = (
            options.place.join("answers"),
            options.place.join("answers-plain"),
        );
        write(&whole, &self.whole)?;
        write(&plain, &self.plain)?;
        Ok([
            servers::hyper(&whole)?,
            servers::floor(options, &plain, &self.lengths)?,
        ])
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    fs::write(path, bytes).map_err(|error| format!("cannot write `{}`: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_names_every_path() {
        let script = script_of(&["/articles/a.html".to_owned(), "/articles/b.html".to_owned()]);
        assert!(
            script.starts_with(
                "local paths = {\n  \"/articles/a.html\",\n  \"/articles/b.html\",\n}\n"
            )
        );
    }
}
