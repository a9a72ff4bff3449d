//! How the data files of a site are named: `posts/posts.json` is for all texts in `posts/`,
//! `about.11tydata.js` for `about.md`.

use std::cmp::Reverse;

use crate::model::path::split_name;

/// The formats of data that are programs.
pub(super) const PROGRAMS: [&str; 3] = ["js", "cjs", "mjs"];
/// Formats of data that are read where the configuration adds them.
const ADDED: [&str; 3] = ["yml", "yaml", "toml"];

/// The texts that a data file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataFile<'p> {
    /// The path of the text without its suffix.
    pub text: &'p str,
    /// The folder, if all texts in it have the data.
    pub folder: Option<&'p str>,
}

/// The names of data files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataNames {
    /// What is before the format, the longest first. A program without a suffix is not data.
    suffixes: Vec<String>,
    /// The formats in addition to JSON and programs.
    formats: Vec<String>,
    /// The name of the data of a folder, if it is not that of the folder.
    of_folder: Option<String>,
}

impl Default for DataNames {
    fn default() -> Self {
        Self {
            suffixes: vec![".11tydata".to_owned(), String::new()],
            formats: Vec::new(),
            of_folder: None,
        }
    }
}

impl DataNames {
    /// Names with suffixes, if some are given, with more formats, as lists of several, and with a
    /// name for the data of folders.
    pub fn new(suffixes: Vec<String>, formats: &[String], of_folder: Option<String>) -> Self {
        let mut names = Self::default();
        if !suffixes.is_empty() {
            names.suffixes = suffixes;
            names.suffixes.sort_by_key(|suffix| Reverse(suffix.len()));
        }
        let formats = formats.iter().flat_map(|formats| formats.split(','));
        let formats = formats.map(|format| format.trim().trim_start_matches('.'));
        let formats = formats.filter(|format| ADDED.contains(format));
        names.formats = formats.map(str::to_owned).collect();
        names.of_folder = of_folder;
        names
    }

    /// The texts that the file at a path is for. `None`: it is not a data file.
    pub fn read<'p>(&self, path: &'p str) -> Option<DataFile<'p>> {
        let (stem, format) = path.rsplit_once('.')?;
        let is_program = PROGRAMS.contains(&format);
        if !is_program && format != "json" && !self.formats.iter().any(|one| one == format) {
            return None;
        }
        let mut suffixes = self.suffixes.iter();
        let suffix = suffixes
            .find(|suffix| stem.ends_with(*suffix) && !(is_program && suffix.is_empty()))?;
        let text = &stem[..stem.len() - suffix.len()];
        let (folder, name) = split_name(text);
        let is_of_folder = match &self.of_folder {
            Some(of_folder) => name == of_folder && !suffix.is_empty(),
            None => !name.is_empty() && split_name(folder).1 == name,
        };
        Some(DataFile {
            text,
            folder: is_of_folder.then_some(folder),
        })
    }
}
