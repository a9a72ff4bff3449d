//! Man pages and completions, written from the definition of the command line.

use clap::CommandFactory;
use clap_complete::Shell;
use diglot::cli::{self, Cli};

use crate::archive::{Entry, Tree};

/// The shells, and the name of the file that each looks for.
const SHELLS: [(Shell, &str); 4] = [
    (Shell::Bash, "diglot.bash"),
    (Shell::Fish, "diglot.fish"),
    (Shell::PowerShell, "_diglot.ps1"),
    (Shell::Zsh, "_diglot"),
];

/// Man pages below `man/`, completions below `completions/`.
///
/// # Errors
/// The time is out of range.
pub fn all(time: u64) -> Result<Tree, String> {
    let mut tree = Tree::default();
    for (shell, name) in SHELLS {
        let mut text = Vec::new();
        clap_complete::generate(shell, &mut cli::offered(), "diglot", &mut text);
        tree.add(&format!("completions/{name}"), Entry::file(text));
    }
    let mut command = Cli::command().version(crate::VERSION);
    command.build();
    let day = crate::rfc3339(time)?;
    let day = day.split('T').next().unwrap_or_default();
    pages(&command, day, &mut tree)?;
    Ok(tree)
}

/// The page of a command, and those of its visible subcommands.
fn pages(command: &clap::Command, day: &str, tree: &mut Tree) -> Result<(), String> {
    let name = command
        .get_display_name()
        .unwrap_or_else(|| command.get_name())
        .to_owned();
    let page = clap_mangen::Man::new(command.clone())
        .title(name.to_uppercase())
        .date(day)
        .manual("Diglot")
        .source(format!("diglot {}", crate::VERSION));
    let mut text = Vec::new();
    page.render(&mut text)
        .map_err(|error| format!("cannot write the man page of `{name}`: {error}"))?;
    let text = String::from_utf8_lossy(&text);
    // The blank line before a list of values is between line breaks, which mandoc finds needless.
    let text = text.replace(".br\n\n.br\n", ".sp\n");
    tree.add(&format!("man/{name}.1"), Entry::file(text.into_bytes()));
    for inner in command.get_subcommands() {
        if !inner.is_hide_set() && inner.get_name() != "help" {
            pages(inner, day, tree)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_visible_command_has_a_man_page() {
        let tree = all(0).unwrap();
        let mut expected = vec!["man/diglot.1".to_owned()];
        for command in Cli::command().get_subcommands() {
            if !command.is_hide_set() && command.get_name() != "help" {
                expected.push(format!("man/diglot-{}.1", command.get_name()));
            }
        }
        for path in expected {
            assert!(tree.iter().any(|(known, _)| known == path), "{path}");
        }
        assert!(tree.iter().all(|(path, _)| !path.contains("fetch-store")));
    }

    #[test]
    fn the_man_page_of_serve_names_its_variables() {
        let tree = all(0).unwrap();
        let (_, page) = tree
            .iter()
            .find(|(path, _)| *path == "man/diglot-serve.1")
            .unwrap();
        // /etc/default/diglot refers to them.
        let text = String::from_utf8_lossy(page.bytes());
        assert!(text.contains("DIGLOT_BASE_URL") && text.contains("DIGLOT_ADMIN"));
    }
}
