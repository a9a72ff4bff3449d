//! `export const metadata = { title: 'A' }` of the App Router of Next.js: literals that are front matter.

use super::config::literals;
use crate::syntax::front::{Entry, Front};

const MARK: &str = "export const metadata";
/// The keys that say something here, and those of the front matter.
const KEYS: [(&str, &str); 7] = [
    ("title", "title"),
    ("title.absolute", "title"),
    ("title.default", "title"),
    ("description", "description"),
    ("date", "date"),
    ("author", "author"),
    ("keywords", "tags"),
];

/// Adds the metadata of an MDX text to its front matter, which has priority. A title in the text has priority
/// over that of the browser's window.
pub fn fill(body: &str, front: &mut Front) {
    let Some(statement) = statement(body) else {
        return;
    };
    let found = literals(statement);
    for (key, own) in KEYS {
        let entry = found.entries.iter().find(|entry| entry.key.text == key);
        let Some(entry) = entry.filter(|_| front.first(&[own]).is_none()) else {
            continue;
        };
        if own == "title" && has_title(body) {
            continue;
        }
        let mut entry: Entry = entry.clone();
        own.clone_into(&mut entry.key.text);
        // Lines of the statement are not those of the file.
        for line in [&mut entry.key.line, &mut entry.node.line] {
            *line = 0;
        }
        front.entries.push(entry);
    }
}

/// The object of the statement, without what follows it.
fn statement(body: &str) -> Option<&str> {
    let at = match body.starts_with(MARK) {
        true => 0,
        false => body.find(&format!("\n{MARK}"))? + 1,
    };
    let rest = &body[at..];
    let end = rest.find("\n}").map(|end| end + 2);
    let line = rest.find('\n').unwrap_or(rest.len());
    let is_line = rest[..line]
        .trim_end_matches([';', ' ', '\r'])
        .ends_with('}');
    let end = if is_line { line } else { end? };
    let whole = rest.get(..end)?;
    whole.split_once('=').map(|(_, object)| object)
}

/// Whether a text has a heading of the first level outside code.
fn has_title(body: &str) -> bool {
    let mut in_code = false;
    body.lines().any(|line| {
        in_code ^= line.starts_with("```");
        !in_code && line.starts_with("# ")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(body: &str, expected: &[(&str, &str)]) {
        let mut front = Front::default();
        fill(body, &mut front);
        let found: Vec<(&str, &str)> = front
            .entries
            .iter()
            .filter_map(|entry| Some((&*entry.key.text, entry.node.text()?)))
            .collect();
        assert_eq!(found, expected, "{body}");
    }

    #[test]
    fn metadata_of_next_is_front_matter() {
        let whole = "import a from 'b'\n\nexport const metadata = {\n  title: 'A',\n  description: \"D, d.\",\n  openGraph: { title: 'No' },\n};\n\nWords { title: 'X' }";
        check(whole, &[("title", "A"), ("description", "D, d.")]);
        check(&format!("{whole}\n\n# Own\n"), &[("description", "D, d.")]);
        check(
            "export const metadata = { title: { absolute: 'A' }, description: `${x}` }\n\n```\n# no\n```\n",
            &[("title", "A")],
        );
        check("export const metadata = make('x')\n\nx\n", &[]);
        check("```\nx\n```\n\n`export const metadata`", &[]);
    }

    proptest::proptest! {
        #[test]
        fn no_metadata_panics(body in "(export const metadata|=|\\{|\\}|title: |'|é|\n|# |```){0,20}") {
            fill(&body, &mut Front::default());
        }
    }
}
