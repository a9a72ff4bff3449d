//! Dates: the author's day, and what is not a date of publication.

use super::*;

fn dates(article: &Article) -> String {
    let date = article
        .date
        .map_or_else(|| "-".to_owned(), |date| date.iso());
    let known = if article.updated.is_known() {
        "known"
    } else {
        "file"
    };
    format!("{date} {} {known}", article.updated.iso())
}

/// The dates of a text with these facts from its file.
fn check(path: &str, text: &str, file: FileDates, expected: &str) {
    let mut sources = sources(&[(path, text)]);
    sources.files[0].dates = file;
    let library = Library::build(&sources, &site(), NOW.parse().unwrap());
    assert_eq!(dates(&library.articles[0]), expected, "{path}");
}

#[test]
fn rule_42_the_first_commit_dates_a_blog_and_no_documentation() {
    let file = |origin| FileDates {
        created: Some("2019-01-01T00:00:00Z".parse().unwrap()),
        changed: "2020-02-02T00:00:00Z".parse().unwrap(),
        origin,
    };
    let git = file(ChangeOrigin::Git);
    check(
        "posts/a.md",
        "# A\n",
        git,
        "2019-01-01T00:00:00Z 2020-02-02T00:00:00Z known",
    );
    check("docs/a.md", "# A\n", git, "- 2020-02-02T00:00:00Z known");
    check(
        "docs/a.md",
        "---\nlast-update: 2020-01-01\n---\n# A\n",
        git,
        "- 2020-01-01 known",
    );
    let file_time = file(ChangeOrigin::FileTime);
    check(
        "docs/a.md",
        "# A\n",
        FileDates {
            created: None,
            ..file_time
        },
        "- 2020-02-02T00:00:00Z file",
    );
    let seen = file(ChangeOrigin::FirstSeen);
    check(
        "docs/a.md",
        "# A\n",
        FileDates {
            created: None,
            ..seen
        },
        "- 2020-02-02T00:00:00Z file",
    );
    let remembered = file(ChangeOrigin::Remembered);
    check(
        "docs/a.md",
        "# A\n",
        FileDates {
            created: None,
            ..remembered
        },
        "- 2020-02-02T00:00:00Z known",
    );
}

#[test]
fn rule_42_a_night_entry_is_of_its_day_and_zones_come_from_the_configuration() {
    let day = |article: &Article| {
        article.date.unwrap().day().to_string() + " " + &article.date.unwrap().rfc822()
    };
    facts(
        &[("articles/a.md", "---\ndate: 2023-12-08 23:30 -0500\n---\nx")],
        day,
        &["2023-12-08 Sat, 09 Dec 2023 04:30:00 +0000"],
    );
    facts(
        &[
            (
                "hugo.toml",
                "timeZone = 'America/New_York'\nbaseURL = 'https://example.org/'\n",
            ),
            (
                "content/posts/a.md",
                "---\ndate: 2023-12-08 23:30:00\n---\nx",
            ),
        ],
        day,
        &["2023-12-08 Sat, 09 Dec 2023 04:30:00 +0000"],
    );
    facts(
        &[
            ("pelicanconf.py", "TIMEZONE = 'America/New_York'\n"),
            ("posts/a.md", "Title: A\nDate: 2023-12-08 23:30\n\nx"),
        ],
        day,
        &["2023-12-08 Sat, 09 Dec 2023 04:30:00 +0000"],
    );
}

#[test]
fn rule_42_keys_are_read_in_every_spelling() {
    for key in [
        "last-modified",
        "Last_Modified_At",
        "last-update",
        "lastUpdated",
        "date-modified",
        "updated_at",
        "LASTMOD",
    ] {
        facts(
            &[(
                "posts/a.md",
                &format!("---\ndate: 2020-01-01\n{key}: 2021-01-01\n---\nx"),
            )],
            |article| article.updated.iso(),
            &["2021-01-01"],
        );
    }
}
