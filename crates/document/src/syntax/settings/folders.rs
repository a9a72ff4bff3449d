//! Folders that settings name and that do not exist.

use super::{Settings, check::relative};
use crate::model::problem::Problem;
use crate::model::sources::Sources;

/// An error for each setting that names a folder without files. One outside the folder is another
/// error, of [`Settings::into_site`].
pub fn missing(sources: &Sources, settings: &Settings) -> Vec<Problem> {
    let named = [("articles", &settings.articles), ("theme", &settings.theme)];
    let missing = named.into_iter().filter_map(|(setting, folder)| {
        let folder = relative(folder.as_ref()?).filter(|folder| !folder.is_empty())?;
        let prefix = format!("{folder}/");
        if sources
            .files
            .iter()
            .any(|file| file.path.starts_with(&prefix))
        {
            return None;
        }
        let problem = Problem::error(format!(
            "the folder `{folder}` does not exist, or has no files"
        ));
        let problem = Problem {
            place: settings.places.get(setting).cloned(),
            ..problem
        };
        Some(problem.hint(match setting {
            "theme" => format!("create it with `diglot theme init {folder}`, or remove the setting `theme`"),
            _ => format!("create it, name the folder that has the articles, or remove the setting `{setting}`"),
        }))
    });
    missing.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sources;

    #[test]
    fn a_folder_that_a_setting_names_exists() {
        let settings = Settings {
            articles: Some("posts".into()),
            theme: Some("./look/".into()),
            ..Settings::default()
        };
        let check = |files: &[&str], expected: &[&str]| {
            let files: Vec<(&str, &str)> = files.iter().map(|path| (*path, "x")).collect();
            let problems = missing(&sources(&files), &settings);
            let said: Vec<String> = problems.iter().map(|one| one.message.clone()).collect();
            assert_eq!(said, expected);
        };
        check(&["posts/a.md", "look/nav.html"], &[]);
        check(
            &["posts.md", "lookout/nav.html"],
            &[
                "the folder `posts` does not exist, or has no files",
                "the folder `look` does not exist, or has no files",
            ],
        );
    }
}
