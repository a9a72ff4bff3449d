//! Which texts of a Quarto project are rendered: those that `project.render` names, and never what is
//! about the folder or was rendered.

use crate::dialects::config::{Glob, Patterns};
use crate::dialects::scope::folder_path;
use crate::syntax::front::Front;

/// The key of texts that are rendered.
pub const RENDER: &str = "project.render";
/// The keys of the folder of the output, of Quarto and of bookdown.
const OUTPUT: [&str; 2] = ["project.output-dir", "output_dir"];
/// What is never rendered, in any folder.
const NEVER: [&str; 3] = ["CLAUDE.md", "AGENTS.md", "*.llms.md"];
/// Signs of a pattern.
const SIGNS: [char; 6] = ['*', '?', '[', '{', '(', '!'];

/// The patterns of what is rendered, whatever their order: those that exclude are the last.
pub fn patterns<'p>(named: impl Iterator<Item = &'p str>) -> Vec<Glob> {
    let (mut rendered, mut excluded) = (Vec::new(), Vec::new());
    for pattern in named {
        match pattern.strip_prefix('!') {
            Some(pattern) => {
                let globs = Patterns::Rooted.read(&anywhere(pattern));
                excluded.extend(globs.into_iter().map(Glob::negate));
            }
            None => {
                let pattern = pattern.strip_prefix('\\').unwrap_or(pattern);
                let counts = pattern.contains(SIGNS);
                let pattern = if counts {
                    anywhere(pattern)
                } else {
                    pattern.to_owned()
                };
                rendered.extend(Patterns::Rooted.read(&pattern));
            }
        }
    }
    rendered.append(&mut excluded);
    rendered
}

/// A pattern that counts from any folder, unless it begins with a slash.
fn anywhere(pattern: &str) -> String {
    let pattern = pattern
        .strip_prefix('.')
        .filter(|rest| rest.starts_with('/'))
        .unwrap_or(pattern);
    match pattern.strip_prefix('/') {
        Some(rooted) => rooted.to_owned(),
        None => format!("**/{pattern}"),
    }
}

/// What is never rendered.
pub fn never() -> Vec<Glob> {
    NEVER
        .iter()
        .flat_map(|name| Patterns::Ignore.read(name))
        .collect()
}

/// The folder of the output in the project.
pub fn output(front: &Front) -> Vec<Glob> {
    let folder = front.text(&OUTPUT).and_then(folder_path);
    let folder = folder.filter(|folder| !folder.is_empty());
    let globs = folder
        .into_iter()
        .flat_map(|folder| Glob::parse_paths(&folder, "**"));
    globs
        .map(|glob| glob.because("built output of another program"))
        .collect()
}
