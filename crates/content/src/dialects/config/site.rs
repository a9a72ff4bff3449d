//! What every site has: its title, description, authors, language, address and time zone.

use super::{Config, Keys, MOST_ENTRIES, text, text_of};
use crate::model::date::Zone;
use crate::model::language;
use crate::model::problem::{Cause, Problem};
use crate::model::text::{plain, shorten};
use crate::syntax::front::Front;

impl Config {
    /// Reads what a program says of the site, as literals.
    pub fn read_program(&mut self, file: &str, literals: &Front, keys: &Keys) {
        file.clone_into(&mut self.file);
        self.site(literals, keys);
        self.zone(literals, keys);
    }

    /// What every site has.
    pub(super) fn site(&mut self, front: &Front, keys: &Keys) {
        self.settings.title = self
            .words(front, keys.title)
            .filter(|title| !title.contains("{{"));
        self.settings.description = self.words(front, keys.description);
        self.authors(front, keys);
        self.language(front, keys);
        self.address = address(front, keys);
    }

    pub(super) fn zone(&mut self, front: &Front, keys: &Keys) {
        let zone = self.words(front, keys.zone);
        self.zone = zone.map(|zone| (zone, keys.seconds_are_utc));
    }

    /// The zone of dates that are written without one.
    pub fn zone_of_site(&self) -> Option<Zone> {
        let (name, seconds_are_utc) = self.zone.as_ref()?;
        Zone::named(name, *seconds_are_utc)
    }

    /// All authors: a text, a map with a name, or a list of both.
    fn authors(&mut self, front: &Front, keys: &Keys) {
        let Some((entry, _)) = text(front, keys.author) else {
            return;
        };
        let mut names: Vec<String> = Vec::new();
        for node in entry.node.items().iter().take(MOST_ENTRIES) {
            let name = node.text().or(text_of(node, "name")).map(plain);
            let name = shorten(&name.unwrap_or_default(), 300);
            if !name.is_empty() && !names.contains(&name) {
                names.push(name);
            }
        }
        if names.is_empty() {
            return;
        }
        let all = names.join(", ");
        self.say(&entry.key.text, &all);
        self.settings.author = Some(all);
        self.settings.authors = names;
    }

    fn language(&mut self, front: &Front, keys: &Keys) {
        let Some((entry, text)) = text(front, keys.language) else {
            return;
        };
        let key = &entry.key.text;
        // Values such as `en-US.UTF-8` name a language too.
        let (name, _) = text.split_once('.').unwrap_or((text, ""));
        self.settings.language = language::tag(name);
        match self.settings.language.clone() {
            Some(tag) => self.say(key, &tag),
            None => {
                let problem = Problem::warning(format!(
                    "`{key}` is not a language tag: `{}`",
                    shorten(text, 60)
                ));
                let file = self.file_of(key).to_owned();
                let problem = problem.at(file, entry.node.line, entry.node.column);
                self.problems.push(problem.cause(Cause::Configuration));
            }
        }
    }
}

/// The origin with the path below it.
fn address(front: &Front, keys: &Keys) -> Option<String> {
    let (_, origin) = text(front, keys.address)?;
    if !origin.starts_with("http") {
        return None;
    }
    let base = match text(front, keys.base) {
        Some((_, base)) if base.starts_with('/') && base.len() > 1 => base,
        _ => "",
    };
    Some(format!("{}{base}", origin.trim_end_matches('/')))
}
