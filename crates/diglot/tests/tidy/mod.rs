//! Rules for the code itself, checked over the sources of all crates, and some over those of the
//! tools beside them.

mod kinds;
mod modules;
mod source;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::thread;

use modules::{Modules, circles};
use source::Source;

/// Words (identifiers, keywords and literals) in the body of one function.
const MOST_WORDS: usize = 320;
/// Lines of one function.
const MOST_FUNCTION_LINES: usize = 80;
/// Lines of one file, tests left out.
const MOST_FILE_LINES: usize = 500;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The crates below `crates/`, by their folders' names.
fn crates() -> Vec<String> {
    let entries = fs::read_dir(root().join("crates")).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Every source file of a crate but its tests, with its path below `src`.
fn sources(name: &str) -> &'static [Source] {
    &all_sources()[&format!("crates/{name}")]
}

/// What is built and measured with, and is in no package: folders of the root.
const TOOLS: [&str; 7] = [
    "benches",
    "packaging",
    "tests/e2e",
    "tests/hostile",
    "tests/instructions",
    "tests/properties",
    "xtask",
];

/// Every folder of sources from the root, with its source files but its tests. They are read once,
/// and folders at the same time: the parser takes seconds in a debug build.
fn all_sources() -> &'static BTreeMap<String, Vec<Source>> {
    static ALL: LazyLock<BTreeMap<String, Vec<Source>>> = LazyLock::new(|| {
        let crates = crates().into_iter().map(|name| format!("crates/{name}"));
        let folders: Vec<String> = crates.chain(TOOLS.map(str::to_owned)).collect();
        thread::scope(|scope| {
            let reads = folders.iter().map(|folder| scope.spawn(|| read(folder)));
            let reads: Vec<_> = reads.collect();
            let sources = reads.into_iter().map(|read| read.join().unwrap());
            folders.iter().cloned().zip(sources).collect()
        })
    });
    &ALL
}

/// The source files of a folder of the root.
fn read(name: &str) -> Vec<Source> {
    let folder = root().join(name).join("src");
    let mut found = Vec::new();
    let mut open = vec![folder.clone()];
    while let Some(current) = open.pop() {
        for entry in fs::read_dir(&current).unwrap() {
            let path = entry.unwrap().path();
            let file = path.file_name().unwrap().to_str().unwrap();
            if path.is_dir() && file != "tests" {
                open.push(path);
            } else if file.ends_with(".rs") && file != "tests.rs" {
                found.push(Source::read(&folder, &path));
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// The layers of a crate as ARCHITECTURE.md lists them, the highest first.
fn layers(name: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let fence = format!("```text\n{name}\n");
    let block = text
        .split(&fence)
        .nth(1)
        .unwrap_or_else(|| panic!("ARCHITECTURE.md lists no layers of `{name}`"));
    let lines = block.lines().take_while(|line| !line.starts_with("```"));
    lines
        .map(|line| line.split_whitespace().map(str::to_owned).collect())
        .collect()
}

#[test]
fn architecture_modules_use_only_modules_of_lower_layers() {
    let mut wrong = Vec::new();
    for name in crates() {
        let layers = layers(&name);
        let level = |module: &str| {
            layers
                .iter()
                .position(|layer| layer.iter().any(|known| known == module))
        };
        let listed: BTreeSet<&String> = layers.iter().flatten().collect();
        let sources = sources(&name).iter();
        let top = sources.map(|source| &source.module);
        let found = top.filter(|module| !matches!(module.as_str(), "lib" | "main"));
        let found: BTreeSet<&String> = found.collect();
        if listed != found {
            wrong.push(format!(
                "{name}: ARCHITECTURE.md and the crate differ in {:?}",
                listed.symmetric_difference(&found)
            ));
        }
        for ((module, used), _) in Modules::new(self::sources(&name)).siblings(&[]) {
            if level(used) <= level(module) {
                wrong.push(format!(
                    "{name}: `{module}` uses `{used}`, which is not in a lower layer"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn architecture_no_modules_of_a_folder_use_each_other_in_a_circle() {
    let mut wrong = Vec::new();
    for (name, sources) in all_sources() {
        let modules = Modules::new(sources);
        for parent in modules.parents() {
            let circles = circles(modules.siblings(&parent)).into_iter();
            wrong.extend(circles.map(|arrow| format!("{name}: {arrow}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_file_and_no_function_is_too_long() {
    let mut wrong = Vec::new();
    for (name, sources) in all_sources() {
        for source in sources {
            let path = format!("{name}/src/{}", source.path);
            if source.lines > MOST_FILE_LINES {
                wrong.push(format!(
                    "{path}: {} lines, at most {MOST_FILE_LINES}",
                    source.lines
                ));
            }
            for function in &source.functions {
                if function.words > MOST_WORDS {
                    wrong.push(format!(
                        "{path}: `{}` has {} words, at most {MOST_WORDS}",
                        function.name, function.words
                    ));
                }
                if function.lines > MOST_FUNCTION_LINES {
                    wrong.push(format!(
                        "{path}: `{}` has {} lines, at most {MOST_FUNCTION_LINES}",
                        function.name, function.lines
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The crates in the order of ARCHITECTURE.md: each may depend on those before it alone.
const CRATES: [&str; 8] = [
    "document", "content", "search", "edition", "http", "audit", "store", "diglot",
];

#[test]
fn architecture_crates_depend_on_the_crates_before_them() {
    let mut known = crates();
    known.sort_by_key(|name| CRATES.iter().position(|listed| listed == name));
    assert_eq!(known, CRATES);
    for (index, name) in CRATES.iter().enumerate() {
        let manifest =
            fs::read_to_string(root().join("crates").join(name).join("Cargo.toml")).unwrap();
        let normal = manifest.split("[dev-dependencies]").next().unwrap();
        for other in &CRATES[index..] {
            assert!(
                !normal.lines().any(|line| {
                    let after = line.strip_prefix(&format!("diglot-{other}"));
                    after.is_some_and(|after| after.starts_with(['.', ' ']))
                }),
                "`{name}` depends on `{other}`"
            );
        }
    }
}

/// The modules that may hold `unsafe`, each with its proof in a comment.
const UNSAFE: [&str; 1] = ["diglot/src/stored/mapped.rs"];

#[test]
fn architecture_unsafe_code_is_where_it_may_be() {
    assert_eq!(files_with(&["unsafe"]), UNSAFE);
}

/// Rayon's iterators, which are compiled in full at each use.
const ITERATORS: [&str; 7] = [
    "into_par_iter",
    "par_bridge",
    "par_chunks",
    "par_extend",
    "par_iter",
    "par_iter_mut",
    "par_windows",
];

#[test]
fn architecture_parallel_steps_are_in_one_module() {
    assert_eq!(files_with(&ITERATORS), ["document/src/model/parallel.rs"]);
}

/// The source files that have one of these words in their code.
fn files_with(words: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for name in crates() {
        for source in sources(&name) {
            if words.iter().any(|word| source.identifiers.contains(*word)) {
                found.push(format!("{name}/src/{}", source.path));
            }
        }
    }
    found
}
