//! What changed since earlier editions, as the site's own documents on changes say it.

use diglot_edition::Digest;
use diglot_edition::changes::{ChangedEntry, Entries, Published, SectionEntry, Since};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::cursor::Cursor;
use super::said::{Said, quoted};
use super::site::{Site, text};
use super::{MOST_BYTES, MOST_LISTED};

/// The most bytes of one row: of its title and the names of its sections.
const MOST_ROW: usize = 1_000;
/// The most sections that a row names.
const MOST_SECTIONS: usize = 20;

/// The arguments of the tool.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Asked {
    since: Option<String>,
    cursor: Option<String>,
}

/// What is read of `/status.json`.
#[derive(Deserialize)]
struct Status {
    #[serde(rename = "releaseId")]
    id: String,
    /// The digest of the list of pages: the same in all documents of one edition.
    #[serde(default)]
    listing: String,
}

/// The changes since the edition that is asked for; without one, what each edition changed.
///
/// # Errors
/// Why they are not known.
pub(crate) fn changes(site: &dyn Site, asked: &Asked) -> Result<Said, String> {
    let status: Status = document(site, "/status.json")?.ok_or("the site has no `/status.json`")?;
    let from = Cursor::parse(asked.cursor.as_deref(), &status.id)?;
    let since = asked.since.as_deref().map_or("", str::trim);
    let (listing, rows) = match since {
        "" => {
            let published: Published =
                document(site, "/changes.json")?.ok_or("the site does not say what changed")?;
            (published.listing.clone(), steps(&published))
        }
        _ if since == status.id => (status.listing.clone(), Vec::new()),
        _ => {
            let whole = changes_since(site, since)?;
            (whole.listing, rows(&whole.entries))
        }
    };
    // A cache may have documents of two editions.
    if listing != status.listing {
        return Err("the site has changed just now: call `changes` again".to_owned());
    }
    let nothing = match since {
        "" => "No earlier edition is known.",
        _ => "No page has changed since.",
    };
    Ok(page(&rows, &from, &status.id, nothing))
}

/// All that changed since an edition.
fn changes_since(site: &dyn Site, since: &str) -> Result<Since, String> {
    if Digest::parse(since).is_none() {
        return Err(format!(
            "`{}` is not the id of an edition; `changes` without `since` names the editions",
            quoted(since)
        ));
    }
    document(site, &format!("/changes/{since}.json"))?.ok_or_else(|| {
        format!(
            "nothing is known of the edition `{since}`; start over: drop what you have kept of this site, and read the pages that `list` names"
        )
    })
}

/// A document of the site; `None` if there is none.
fn document<T: DeserializeOwned>(site: &dyn Site, target: &str) -> Result<Option<T>, String> {
    let Some(text) = text(site, target)? else {
        return Ok(None);
    };
    let wrong = |error| format!("`{target}` is not a document that Diglot made: {error}");
    serde_json::from_str(&text).map(Some).map_err(wrong)
}

/// What each edition changed, the newest first, below the id of the edition before it.
fn steps(published: &Published) -> Vec<String> {
    let editions = published.editions.iter();
    let steps = editions.flat_map(|edition| {
        let heading = row(&["since", &edition.since]);
        [heading].into_iter().chain(rows(&edition.entries))
    });
    steps.collect()
}

/// A row for each page.
fn rows(entries: &Entries) -> Vec<String> {
    let added = entries.added.iter();
    let added = added.map(|page| row(&["added", &page.path, &page.title]));
    let changed = entries
        .changed
        .iter()
        .map(|page| row(&["changed", &page.path, &page.title, &sections(page)]));
    let removed = entries.removed.iter();
    let removed = removed.map(|path| row(&["removed", path]));
    let moved = entries.moved.iter();
    let moved = moved.map(|page| row(&["moved", &page.from, &page.to, &page.title]));
    added.chain(changed).chain(removed).chain(moved).collect()
}

/// Fields with tabs between them; empty ones at the end are left out.
fn row(fields: &[&str]) -> String {
    let fields: Vec<String> = fields
        .iter()
        .map(|field| field.replace(char::is_control, " "))
        .collect();
    let mut row = fields.join("\t").trim_end().to_owned();
    row.truncate(row.floor_char_boundary(MOST_ROW));
    row + "\n"
}

/// `sections: use, limits (new), history (gone)`; empty if it is not known which differ.
fn sections(page: &ChangedEntry) -> String {
    let Some(sections) = &page.sections else {
        return String::new();
    };
    if sections.is_empty() {
        return "only the front matter or the links at the end".to_owned();
    }
    let name = |section: &SectionEntry| {
        let id = match &*section.id {
            "" => "(the beginning)",
            id => id,
        };
        let what = match (section.before, section.after) {
            (None, _) => " (new)",
            (_, None) => " (gone)",
            _ => "",
        };
        format!("{id}{what}")
    };
    let names: Vec<String> = sections.iter().take(MOST_SECTIONS).map(name).collect();
    let more = match sections.len().saturating_sub(MOST_SECTIONS) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("sections: {}{more}", names.join(", "))
}

/// The rows from a cursor on that one result may have.
fn page(rows: &[String], from: &Cursor, id: &str, nothing: &str) -> Said {
    let mut said = Said::default();
    let mut notes = Vec::new();
    if rows.is_empty() {
        notes.push(nothing.to_owned());
    }
    notes.push(format!(
        "The edition now is `{id}`: give it as `since` the next time."
    ));
    for (number, row) in rows.iter().enumerate().skip(from.page) {
        if number - from.page == MOST_LISTED || said.text.len() + row.len() > MOST_BYTES {
            let next = Cursor::new(number, 0, id);
            notes.push(format!(
                "There is more: call `changes` with the same arguments and `cursor` = `{next}`."
            ));
            break;
        }
        said.text.push_str(row);
    }
    said.note = notes.join(" ");
    said
}

#[cfg(test)]
mod tests {
    use diglot_edition::changes::{Movement, PageRef};

    use super::*;

    const ID: &str = "0123456789abcdef0123456789abcdef";

    fn section(id: &str, before: Option<u64>, after: Option<u64>) -> SectionEntry {
        SectionEntry {
            id: id.into(),
            before,
            after,
        }
    }

    fn changed(sections: Option<Vec<SectionEntry>>) -> String {
        let changed = vec![ChangedEntry {
            path: "/a.md".to_owned(),
            title: "A".to_owned(),
            before: None,
            after: ID.to_owned(),
            sections,
        }];
        let entries = Entries {
            changed,
            ..Entries::default()
        };
        rows(&entries).concat()
    }

    #[test]
    fn a_row_names_the_sections_that_differ() {
        for (sections, expected) in [
            (None, "changed\t/a.md\tA\n"),
            (
                Some(vec![]),
                "changed\t/a.md\tA\tonly the front matter or the links at the end\n",
            ),
            (
                Some(vec![
                    section("", Some(1), Some(2)),
                    section("use", None, Some(2)),
                    section("old", Some(1), None),
                ]),
                "changed\t/a.md\tA\tsections: (the beginning), use (new), old (gone)\n",
            ),
        ] {
            assert_eq!(changed(sections), expected);
        }
        let many = (0..100).map(|number| section(&format!("s{number}"), Some(1), Some(2)));
        assert!(changed(Some(many.collect())).ends_with(", s19 and 80 more\n"));
    }

    #[test]
    fn a_title_begins_no_row_and_no_row_is_long() {
        let entries = Entries {
            added: vec![PageRef {
                path: "/a.md".to_owned(),
                title: format!("A\nremoved\t/b.md\u{1b}{}", "é".repeat(2_000)),
                digest: ID.to_owned(),
            }],
            removed: vec!["/c.md".to_owned()],
            moved: vec![Movement {
                from: "/d.md".to_owned(),
                to: "/e.md".to_owned(),
                title: "E".to_owned(),
                digest: ID.to_owned(),
            }],
            ..Entries::default()
        };
        let rows = rows(&entries);
        assert!(rows[0].starts_with("added\t/a.md\tA removed /b.md é"));
        assert!(rows[0].len() <= MOST_ROW + 1 && rows[0].matches('\n').count() == 1);
        assert_eq!(rows[1..], ["removed\t/c.md\n", "moved\t/d.md\t/e.md\tE\n"]);
    }

    #[test]
    fn rows_are_paged_and_none_is_lost_or_twice() {
        for length in [5, MOST_ROW] {
            let row = |number: usize| format!("{number:>length$}\n");
            let rows: Vec<String> = (0..1_000).map(row).collect();
            let (mut all, mut from) = (String::new(), Cursor::new(0, 0, ID));
            loop {
                let said = page(&rows, &from, ID, "");
                assert!(said.text.len() <= MOST_BYTES && !said.text.is_empty());
                all += &said.text;
                let Some((_, next)) = said.note.split_once("`cursor` = `") else {
                    break;
                };
                from = Cursor::parse(next.split('`').next(), ID).unwrap();
            }
            assert_eq!(all, rows.concat());
        }
    }
}
