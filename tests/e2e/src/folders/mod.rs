//! Real folders of articles, tested for what must be true of every folder: the example site, the
//! small trap folders among the tests, and real folders if available. Calls the pure crates
//! directly: no server, no release build.

mod forms;
mod languages;
mod links;
mod measure;
mod myst;
pub mod peers;
mod places;
mod read;
mod source;
mod summaries;
mod words;

use std::panic::catch_unwind;

use crate::sites::{self, Folder};
use measure::Figures;
use xtask::step::{Done, Outcome, table};

/// The step.
pub fn run() -> Outcome {
    let mut folders = vec![sites::example()];
    folders.extend(sites::traps()?);
    folders.extend(sites::corpora()?);
    judge(&folders)
}

/// Other folders, by path; `--peers` compares them with what their own generators build.
pub fn run_on(paths: &[&str]) -> Outcome {
    if let Some(("--peers", paths)) = paths.split_first().map(|(first, rest)| (*first, rest)) {
        return peers::run(paths);
    }
    let folders: Vec<Folder> = paths
        .iter()
        .map(|path| Folder {
            name: name(path),
            path: path.into(),
        })
        .collect();
    judge(&folders)
}

/// A short name: the last two parts of a path, because the last one is so often `docs`.
fn name(path: &str) -> String {
    let parts: Vec<&str> = path.trim_end_matches('/').rsplit('/').take(2).collect();
    parts.into_iter().rev().collect::<Vec<_>>().join("/")
}

/// The figures of folders as one table, and the violated bounds.
fn judge(folders: &[Folder]) -> Outcome {
    let (mut rows, mut failures) = (Vec::new(), Vec::new());
    for folder in folders {
        match one(folder) {
            Ok(figures) => {
                rows.push(figures.row(&folder.name));
                let broken = figures.broken().into_iter();
                failures.extend(broken.map(|bound| format!("{}: {bound}", folder.name)));
            }
            Err(error) => failures.push(format!("{}: {error}", folder.name)),
        }
    }
    print!("{}", table(&Figures::HEADING, &rows));
    if failures.is_empty() {
        Ok(Done::Passed(format!(
            "{} folders, every bound holds",
            rows.len()
        )))
    } else {
        Err(failures.join("\n"))
    }
}

/// The figures of one folder; a panic becomes an error.
fn one(folder: &Folder) -> Result<Figures, String> {
    let sources = read::folder(folder)?;
    catch_unwind(|| measure::measure(&sources)).unwrap_or_else(|_| Err("it crashed".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bound_holds_on_every_folder_of_traps() {
        let mut folders = sites::traps().unwrap();
        assert!(
            folders.len() >= 11,
            "one folder a kind, not {}",
            folders.len()
        );
        folders.push(sites::example());
        let mut broken = Vec::new();
        for folder in &folders {
            let figures = one(folder).unwrap();
            assert!(
                figures.published > 0,
                "{}: nothing is published",
                folder.name
            );
            broken.extend(
                figures
                    .broken()
                    .into_iter()
                    .map(|bound| format!("{}: {bound}", folder.name)),
            );
        }
        assert!(broken.is_empty(), "{}", broken.join("\n"));
    }
}
