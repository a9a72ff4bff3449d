//! The folders of real articles at hand: every file accounted for, and a second build the same.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::server;
use crate::shell::{files_below, scratch, tail};
use crate::sites::{self, Folder};
use crate::step::{Done, Outcome, table};

/// The step.
pub fn run() -> Outcome {
    let mut folders = vec![sites::example()];
    folders.extend(sites::corpora()?);
    let binary = server::build()?;
    let (mut rows, mut failures) = (Vec::new(), Vec::new());
    for folder in &folders {
        match one(&binary, folder) {
            Ok(row) => rows.push(row),
            Err(error) => failures.push(format!("{}: {error}", folder.name)),
        }
    }
    print!("{}", table(&["folder", "files", "bytes", "one build", "second"], &rows));
    if failures.is_empty() { Ok(Done::Passed(format!("{} folders", rows.len()))) } else { Err(failures.join("\n")) }
}

/// Builds a folder twice and compares the two trees.
fn one(binary: &Path, folder: &Folder) -> Result<Vec<String>, String> {
    let place = scratch("folders")?;
    let build = |name: &str| {
        let output = place.join(name);
        let start = Instant::now();
        server::export(binary, &folder.path, "https://example.org", &output, &[]).map_err(|error| tail(&error, 20))?;
        Ok::<_, String>((tree(&output)?, start.elapsed()))
    };
    let ((first, time), (second, _)) = (build("first")?, build("second")?);
    if first != second {
        let differing: Vec<String> =
            first.keys().chain(second.keys()).filter(|path| first.get(*path) != second.get(*path)).map(|path| path.display().to_string()).collect();
        return Err(format!("a second build differs: {}", differing.join(", ")));
    }
    let bytes: usize = first.values().map(Vec::len).sum();
    Ok(vec![folder.name.clone(), first.len().to_string(), bytes.to_string(), format!("{:.2} s", time.as_secs_f64()), "the same".to_owned()])
}

/// Every file of a folder by its path.
fn tree(root: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>, String> {
    let read = |file: PathBuf| {
        let path = root.join(&file);
        let bytes = std::fs::read(&path).map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
        Ok((file, bytes))
    };
    files_below(root)?.into_iter().map(read).collect()
}
