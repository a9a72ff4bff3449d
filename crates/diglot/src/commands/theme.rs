//! `diglot theme`: prints and copies the built-in theme.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use diglot_content::text::nearest;
use diglot_edition::theme::built_in;

use crate::cli::{self, ThemeCommand};
use crate::failure::Failure;
use crate::terminal::{self, Channel};

pub(super) fn run(args: &cli::Theme) -> Result<(), Failure> {
    match &args.command {
        ThemeCommand::List => {
            let names: Vec<&str> = built_in().into_keys().collect();
            terminal::print(names.join("\n"));
            Ok(())
        }
        ThemeCommand::Show { file } => {
            terminal::print(text(&built_in(), file)?.trim_end());
            Ok(())
        }
        ThemeCommand::Init { folder, files } => init(folder, files),
    }
}

/// The text of a built-in file.
fn text(all: &BTreeMap<&str, &'static str>, file: &str) -> Result<&'static str, Failure> {
    if let Some(text) = all.get(file) {
        return Ok(text);
    }
    let failure = Failure::usage(format!("the built-in theme has no file `{file}`"));
    let names: Vec<&str> = all.keys().copied().collect();
    Err(match nearest(file, &names) {
        Some(name) => failure.hint(format!("did you mean `{name}`?")),
        None => failure.hint("`diglot theme list` prints the names"),
    })
}

/// Copies these files into a folder, all if none is named. Existing files stay: nothing is written
/// if there is one.
fn init(folder: &Path, files: &[String]) -> Result<(), Failure> {
    if folder.is_file() {
        let failure = Failure::usage(format!("`{}` is a file", folder.display()));
        return Err(failure.hint("name the folder of the theme, then the files to copy"));
    }
    let all = built_in();
    let names: Vec<&str> = match files {
        [] => all.keys().copied().collect(),
        files => files.iter().map(String::as_str).collect(),
    };
    let mut texts = Vec::new();
    for name in names {
        let path = folder.join(name);
        if path.symlink_metadata().is_ok() {
            let failure = Failure::usage(format!("`{}` already exists", path.display()));
            return Err(failure.hint("name the files to copy, or another folder"));
        }
        texts.push((path, text(&all, name)?));
    }
    for (path, text) in &texts {
        write(path, text).map_err(|error| Failure::path("write", path, &error))?;
        Channel::Output.say(path.display());
    }
    terminal::say(
        "to use it, set `theme` in `diglot.toml` to the path of this folder; \
         files that you delete from it are built in again",
    );
    Ok(())
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    File::create_new(path)?.write_all(text.as_bytes())
}
