//! What the docs say of the code is what the code does.

mod commands;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::CommandFactory;
use diglot::cli::Cli;
use diglot::limits::{Limits, fixed_markdown};
use diglot_audit::{Rule, Severity, checks_markdown, groups_markdown};
use diglot_content::settings::Settings;
use diglot_edition::hosts::losses;

#[test]
fn the_docs_hold_the_table_of_what_each_host_loses() {
    check_table("docs/static-hosting.md", &losses::markdown());
}

#[test]
fn the_docs_hold_the_table_of_limits() {
    check_table("docs/limits.md", &Limits::markdown());
}

#[test]
fn the_docs_hold_the_table_of_files_that_are_not_content() {
    check_table("docs/limits.md", &fixed_markdown());
}

#[test]
fn the_docs_hold_the_tables_of_the_audit() {
    for table in [
        groups_markdown(),
        Severity::markdown(),
        Rule::markdown(),
        checks_markdown(),
    ] {
        check_table("docs/audit.md", &table);
    }
}

#[test]
fn the_docs_hold_the_table_of_programs_that_read_sites() {
    check_table("docs/user-agents.md", &diglot::user_agents::markdown());
}

/// Checks that the file has the table whose heading is this one's, as it is.
fn check_table(name: &str, table: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(name);
    let docs = std::fs::read_to_string(&file).unwrap();
    let heading = table.lines().next().unwrap();
    let old: String = docs
        .split_inclusive('\n')
        .skip_while(|line| line.trim_end() != heading)
        .take_while(|line| line.starts_with('|'))
        .collect();
    assert!(
        !old.is_empty(),
        "{name} has no table that begins with `{heading}`"
    );
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&file, docs.replace(&old, table)).unwrap();
        return;
    }
    assert_eq!(
        old, table,
        "UPDATE_GOLDEN=1 cargo test -p diglot --test all docs writes the table anew"
    );
}

/// One file of the docs.
fn docs(name: &str) -> String {
    std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../..")
            .join(name),
    )
    .unwrap()
}

#[test]
fn the_settings_that_the_docs_show_are_read_without_a_problem() {
    let text = docs("docs/settings.md");
    let example = text
        .split("```toml\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next())
        .unwrap();
    let (settings, problems) = Settings::parse(example, "docs/settings.md");
    assert_eq!(problems, []);
    // The example sets every key, and the table describes each.
    let keys: Vec<&str> = settings.places.keys().map(String::as_str).collect();
    let mut described: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next())
        .filter(|key| !key.starts_with("DIGLOT_"))
        .collect();
    described.sort_unstable();
    assert_eq!(keys, described);
    // An unknown key is answered with all known ones (of a table, its name).
    let (_, unknown) = Settings::parse("nothing = 1\n", "x");
    let hint = unknown[0].hint.clone().unwrap_or_default();
    let known: BTreeSet<&str> = hint.split('`').skip(1).step_by(2).collect();
    assert_eq!(
        known,
        keys.iter()
            .map(|key| key.split('.').next().unwrap())
            .collect()
    );
}

/// The rows of `docs/cli.md`, and of a document of its own, that describe options of a command.
fn rows_of(command: &clap::Command) -> Vec<String> {
    let (text, name) = (docs("docs/cli.md"), command.get_name());
    let has = |long: &str| {
        command
            .get_arguments()
            .any(|arg| arg.get_long() == Some(long))
    };
    let mut rows = Vec::new();
    for section in text.split("\n## ") {
        let (title, body) = section.split_once('\n').unwrap_or((section, ""));
        let is_for = |row: &&str| match title {
            "Editions in a store" => {
                row.contains(&format!("`{name}`")) || row.contains("All five commands")
            }
            "The report" => matches!(name, "check" | "build" | "serve"),
            "Options of every command that reads a folder" => has("limit"),
            title => title == name,
        };
        rows.extend(body.lines().filter(is_for).map(str::to_owned));
    }
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../docs/{name}.md"));
    let own = std::fs::read_to_string(own).unwrap_or_default();
    rows.extend(own.lines().map(str::to_owned));
    rows.retain(|row| row.starts_with("| `--"));
    rows
}

#[test]
fn the_docs_describe_every_option_and_variable_of_every_command() {
    let (text, settings) = (docs("docs/cli.md"), docs("docs/settings.md"));
    let environment = settings.split("\n## The environment").nth(1).unwrap();
    let mut missing = Vec::new();
    // What is hidden, Diglot starts itself.
    let shown = |sub: &&clap::Command| !sub.is_hide_set();
    for sub in Cli::command().get_subcommands().filter(shown) {
        let name = sub.get_name();
        if !text.contains(&format!("diglot {name} ")) {
            missing.push(name.to_owned());
        }
        let rows = rows_of(sub);
        for arg in sub.get_arguments() {
            let Some(long) = arg.get_long() else { continue };
            let is_this = |row: &&String| {
                let rest = row
                    .strip_prefix("| `--")
                    .and_then(|row| row.strip_prefix(long));
                rest.is_some_and(|rest| rest.starts_with(['`', ' ']))
            };
            let row = rows.iter().find(is_this);
            let variable = arg
                .get_env()
                .map(|name| format!("`{}`", name.to_str().unwrap()));
            let is_told = variable.as_ref().is_none_or(|variable| {
                row.is_some_and(|row| row.contains(variable)) && environment.contains(variable)
            });
            if row.is_none() || !is_told {
                missing.push(format!("{name} --{long} {}", variable.unwrap_or_default()));
            }
        }
    }
    assert_eq!(missing, [""; 0]);
}

#[test]
fn the_docs_name_everything_that_templates_are_given() {
    let context = docs("crates/edition/src/theme/context.rs");
    let text = docs("docs/themes.md");
    let fields: BTreeSet<&str> = context
        .lines()
        .filter_map(|line| {
            line.trim()
                .strip_prefix("pub ")?
                .split_once(": ")
                .map(|(field, _)| field)
        })
        .collect();
    assert!(
        fields.contains("canonical"),
        "fields are read line by line: {fields:?}"
    );
    let missing: Vec<&&str> = fields
        .iter()
        .filter(|field| !text.contains(&format!("`{field}`")))
        .collect();
    assert_eq!(missing, [&""; 0]);
}

#[test]
fn links_between_the_docs_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files: Vec<PathBuf> = [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "SECURITY.md",
    ]
    .iter()
    .map(|name| root.join(name))
    .collect();
    files.extend(
        std::fs::read_dir(root.join("docs"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|suffix| suffix == "md")),
    );
    let mut broken = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        // Without code in a line: what looks like a link there is an example.
        let lines = text.lines();
        let text: String = lines
            .flat_map(|line| line.split('`').step_by(2).chain(["\n"]))
            .collect();
        for target in text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
            .filter(|target| !target.contains("://"))
        {
            let (path, fragment) = target.split_once('#').unwrap_or((target, ""));
            let linked = if path.is_empty() {
                file.clone()
            } else {
                file.with_file_name(path)
            };
            let heading = |line: &str| {
                line.trim_start_matches('#')
                    .trim()
                    .to_lowercase()
                    .replace(' ', "-")
                    .replace(['`', ',', ':'], "")
                    == fragment
            };
            let found = linked.exists()
                && (fragment.is_empty()
                    || std::fs::read_to_string(&linked)
                        .unwrap()
                        .lines()
                        .any(|line| line.starts_with('#') && heading(line)));
            if !found {
                broken.push(format!("{}: {target}", file.display()));
            }
        }
    }
    assert_eq!(broken, [""; 0]);
}

#[test]
fn the_tests_that_the_docs_name_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let (mut waiting, mut code) = (vec![root], String::new());
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(
                std::fs::read_dir(path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
        } else if path.extension().is_some_and(|suffix| suffix == "rs") {
            code += &std::fs::read_to_string(path).unwrap();
        }
    }
    for name in ["docs/resilience.md", "SECURITY.md"] {
        let text = docs(name);
        let tests = text
            .lines()
            .filter(|line| line.starts_with('|'))
            .filter_map(|line| line.trim_end_matches('|').rsplit('|').next());
        let named: Vec<&str> = tests
            .flat_map(|cell| cell.split('`').skip(1).step_by(2))
            .filter(|word| word.matches('_').count() > 1)
            .collect();
        let missing: Vec<&&str> = named
            .iter()
            .filter(|test| !code.contains(&format!("fn {test}(")))
            .collect();
        assert!(
            !named.is_empty() || name != "docs/resilience.md",
            "{name} names no test"
        );
        assert_eq!(missing, [&""; 0], "{name}");
    }
}

#[test]
fn every_cause_of_a_problem_is_documented() {
    let cli = docs("docs/cli.md");
    let source = docs("crates/document/src/model/cause.rs");
    let variants = source.split("pub enum Cause {").nth(1).unwrap();
    let variants = variants.split("\n}").next().unwrap();
    let mut count = 0;
    for variant in variants.lines().map(str::trim) {
        let Some(name) = variant.strip_suffix(',') else {
            continue;
        };
        let mut kebab = String::new();
        for c in name.chars() {
            if c.is_uppercase() && !kebab.is_empty() {
                kebab.push('-');
            }
            kebab.extend(c.to_lowercase());
        }
        count += 1;
        assert!(cli.contains(&format!("`{kebab}`")), "{kebab}");
    }
    assert!(count > 20, "{count}");
}

/// The fenced blocks of a document: the language and the text of each.
fn blocks(text: &str) -> Vec<(&str, &str)> {
    let parts: Vec<&str> = text.split("```").collect();
    let inside = parts.iter().skip(1).step_by(2);
    inside
        .filter_map(|block| block.split_once('\n'))
        .map(|(language, body)| (language.trim(), body))
        .collect()
}

/// Every document that people read, with its name.
fn documents() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut open = vec![root.join("docs"), root.join("examples/field-notes")];
    let mut files = vec![root.join("README.md"), root.join("CONTRIBUTING.md")];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => open.push(path),
                false if path.extension().is_some_and(|suffix| suffix == "md") => files.push(path),
                false => {}
            }
        }
    }
    files
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix(&root).unwrap().display().to_string();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect()
}

/// Blocks of TOML that are not settings: front matter, words of a theme, and settings of Codex.
const NO_SETTINGS: [&str; 3] = ["+++", "home = \"Mwanzo\"", "[mcp_servers"];

#[test]
fn all_settings_that_the_docs_show_are_read_without_a_problem() {
    let (mut count, mut wrong) = (0, Vec::new());
    for (name, text) in documents() {
        for (language, body) in blocks(&text) {
            let is_other = NO_SETTINGS.iter().any(|start| body.starts_with(start));
            if language != "toml" || is_other {
                continue;
            }
            count += 1;
            let (_, problems) = Settings::parse(body, &name);
            wrong.extend(problems.iter().map(|problem| format!("{name}: {problem}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 5, "settings are found: {count}");
}
