//! `diglot new`: creates a small starter site.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use jiff::{Timestamp, ToSpan, tz::TimeZone};

use crate::failure::Failure;

/// The files of the new site. `{title}`, `{today}` and `{yesterday}` are replaced.
const FILES: [(&str, &str); 6] = [
    ("diglot.toml", include_str!("../site/diglot.toml")),
    ("index.md", include_str!("../site/index.md")),
    ("about.md", include_str!("../site/about.md")),
    (
        "articles/hello.md",
        include_str!("../site/articles/hello.md"),
    ),
    (
        "articles/writing.md",
        include_str!("../site/articles/writing.md"),
    ),
    (
        "static/open-book.svg",
        include_str!("../site/static/open-book.svg"),
    ),
];

/// Creates a site in `folder`, which must not exist yet, or be empty. Returns the paths of its
/// files.
///
/// # Errors
/// A usage failure if something exists there, else a machine failure.
pub fn make(folder: &Path, now: Timestamp) -> Result<Vec<&'static str>, Failure> {
    check_empty(folder)?;
    let today = now.to_zoned(TimeZone::UTC).date();
    fs::create_dir_all(folder).map_err(|error| {
        Failure::path("create", folder, &error)
            .hint("choose another folder: `diglot new ~/my-site`")
    })?;
    let (title, yesterday) = (title(folder), today.saturating_sub(1.day()).to_string());
    let today = today.to_string();
    for (path, text) in FILES {
        let text = text
            .replace("{title}", &title)
            .replace("{today}", &today)
            .replace("{yesterday}", &yesterday);
        let path = folder.join(path);
        write(&path, &text).map_err(|error| Failure::path("write", &path, &error))?;
    }
    Ok(FILES.map(|(path, _)| path).to_vec())
}

fn check_empty(folder: &Path) -> Result<(), Failure> {
    match fs::read_dir(folder) {
        Ok(mut entries) => match entries.next() {
            Some(_) => Err(
                Failure::usage(format!("`{}` is not empty", folder.display()))
                    .hint("name a folder that does not exist yet"),
            ),
            None => Ok(()),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory && folder.exists() => {
            Err(Failure::usage(format!("`{}` is a file", folder.display()))
                .hint("name a folder that does not exist yet"))
        }
        // A file is above it: it cannot be created, which says why.
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(()),
        Err(error) => Err(Failure::path("read", folder, &error)),
    }
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    File::create_new(path)?.write_all(text.as_bytes())
}

/// A title derived from the folder's name: `my-site` becomes `My site`.
fn title(folder: &Path) -> String {
    let absolute = std::path::absolute(folder).unwrap_or_default();
    let mut words = absolute
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .replace(['-', '_'], " ");
    words.retain(|letter| !letter.is_control() && !matches!(letter, '"' | '\\'));
    let mut letters = words.trim().chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => "My site".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_from_the_folders_name() {
        for (name, expected) in [
            ("my-site", "My site"),
            ("/x/notes_2", "Notes 2"),
            ("été", "Été"),
            ("a\"b", "Ab"),
            ("/", "My site"),
            ("--", "My site"),
        ] {
            assert_eq!(title(Path::new(name)), expected, "{name}");
        }
    }

    #[test]
    fn a_folder_with_something_in_it_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let now = Timestamp::UNIX_EPOCH;
        let site = dir.path().join("deep/site");
        assert_eq!(make(&site, now).unwrap().len(), FILES.len());
        assert!(
            fs::read_to_string(site.join("articles/writing.md"))
                .unwrap()
                .contains("date: 1969-12-31")
        );
        fs::write(site.join("index.md"), "mine").unwrap();
        assert_eq!(
            make(&site, now).unwrap_err().status,
            crate::failure::Status::Usage
        );
        assert_eq!(fs::read_to_string(site.join("index.md")).unwrap(), "mine");
    }
}
