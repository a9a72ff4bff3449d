//! `/.well-known/agent-skills/index.json` (Agent Skills Discovery 0.2.0) and the one skill that it
//! names: how a program reads this site.
//!
//! A skill is a Markdown text with a name and a description, which agents install and read when a
//! task is about the site. So it says what holds for long, and nothing that an article changes.

use std::fmt::Write;

use diglot_content::Library;
use serde_json::json;
use sha2::{Digest, Sha256};

use super::Material;
use super::status::json_text;
use crate::policy;
use crate::resource::Resource;
use crate::route::{Form, Route, SKILLS};

/// The schema of the index, which names its version.
const SCHEMA: &str = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";
/// The longest name and description of a skill, in characters (Agent Skills specification).
const LONGEST_NAME: usize = 64;
const LONGEST_DESCRIPTION: usize = 1_024;

/// Whether a site has the generated skill: not where the author has one.
pub(crate) fn is_on(library: &Library) -> bool {
    let files = library.files.iter();
    !files
        .map(|file| &file.path)
        .any(|path| path.starts_with(SKILLS))
}

/// The index and the skill; nothing where the author has skills.
pub(crate) fn resources(material: &Material<'_>) -> Vec<Resource> {
    if !material.skills {
        return Vec::new();
    }
    let (name, description) = (name(material), description(material));
    let text = skill(material, &name, &description);
    let route = Route::Skill(name.as_str().into());
    let index = json!({
        "$schema": SCHEMA,
        "skills": [{
            "name": name,
            "type": "skill-md",
            "description": description,
            "url": material.site.base.absolute(&route.path()),
            "digest": sha256(text.as_bytes()),
        }],
    });
    let at = policy::words_date(material.now).at;
    vec![
        Resource::new(route, text, at),
        Resource::new(Route::Skills, json_text(&index), at),
    ]
}

/// A digest as the index writes it.
fn sha256(bytes: &[u8]) -> String {
    let mut text = "sha256:".to_owned();
    for byte in Sha256::digest(bytes) {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// The name of the skill: `read-` and the address of the site, in small letters, digits and single
/// hyphens. So the skills of two sites can be installed beside each other.
pub(super) fn name(material: &Material<'_>) -> String {
    let base = material.site.base.to_string();
    let address = base.split("://").nth(1).unwrap_or(&base);
    let mut name = "read".to_owned();
    for word in address.split(|letter: char| !letter.is_ascii_alphanumeric()) {
        if !word.is_empty() && name.len() + 1 + word.len() <= LONGEST_NAME {
            name.push('-');
            name.push_str(&word.to_ascii_lowercase());
        }
    }
    name
}

/// What the skill is for, on one line.
fn description(material: &Material<'_>) -> String {
    let site = material.site;
    let about = match site.description.trim() {
        "" => String::new(),
        about => format!(" ({about})"),
    };
    let text = format!(
        "Find, read, quote and keep up with what {}{about} publishes at {}. Use it for any question about this site or its articles.",
        site.title, site.base
    );
    let line: Vec<&str> = text.split_whitespace().collect();
    line.join(" ").chars().take(LONGEST_DESCRIPTION).collect()
}

/// The text of the skill.
fn skill(material: &Material<'_>, name: &str, description: &str) -> String {
    let site = material.site;
    let url = |route: Route| site.base.absolute(&route.path());
    // A JSON string is a YAML scalar (YAML 1.2 section 1.3).
    let quoted = serde_json::Value::from(description);
    let title = super::text::escape(&site.title);
    let mut text = format!(
        "---\nname: {name}\ndescription: {quoted}\n---\n\n# How to read {title}\n\n\
         Everything is public and read-only: GET and HEAD, no keys, no cookies, no scripts needed.\n\n"
    );
    let _ = write!(
        text,
        "## What is here\n\n\
         - Index of the content with summaries: {}\n\
         - Every page, with both addresses: {}\n\
         - The newest articles, whole: {}\n\
         - The interface for programs (OpenAPI 3.1): {}\n\n\
         ## Read a page\n\n\
         Every page has two forms with the same content: HTML at an address that ends in `.html`, Markdown at the same address with `.md`. Ask for `.md`. \
         A request for the `.html` address with `Accept: text/markdown` gets the Markdown too.\n\n\
         The Markdown begins with front matter: `title`, `description`, `canonical_url`, `date`, `last_updated`, `author`, `tags`, `language`. Links to other pages lead to their Markdown.\n\n\
         When you quote or cite a page, name its title and its `canonical_url`.\n\n",
        url(Route::Llms),
        url(Route::SitemapMarkdown),
        url(Route::Rss),
        url(Route::OpenApi),
    );
    if material.search {
        let _ = write!(
            text,
            "## Search\n\n\
             GET {}?q=WORDS answers with the pages that have these words, the most relevant first: at most 20, each with a link and some of its text. \
             `WORDS` is form-encoded and has at most 200 bytes. A static host answers without results; then use the index above.\n\n",
            url(Route::Search(Form::Markdown)),
        );
    }
    let _ = write!(
        text,
        "## Read everything\n\n\
         All articles are merged in {}, each behind its title, address and date. It may be long: ask for a part with `Range: bytes=0-99999`, or read single pages.\n\n",
        url(Route::LlmsFull),
    );
    if material.changes.json {
        text.push_str(&changes(material));
    }
    let _ = write!(
        text,
        "## Limits\n\n\
         - Answers have a strong `ETag`: ask again with `If-None-Match`, and 304 says that nothing has changed.\n\
         - 429 and 503 have `Retry-After`: wait that long.\n\
         - 404 names the nearest pages. 410: the page has been withdrawn. 301 and 308 lead to the new address.\n\n\
         ## Terms\n\n\
         What this content may be used for: `{}`, in plain words at {}.\n",
        site.signals.content_signal(),
        url(Route::Terms(Form::Markdown)),
    );
    text
}

/// How a copy is kept up to date.
fn changes(material: &Material<'_>) -> String {
    let url = |route: Route| material.site.base.absolute(&route.path());
    format!(
        "## Keep up with changes\n\n\
         1. GET {} has `releaseId`, the edition. If it is the one that you know, nothing has changed.\n\
         2. GET {}, with the `releaseId` that you know in place of `EDITION`. It names the pages that were added, changed, removed or moved since then, with the digest of each and the sections that differ. A 404 means: start over.\n\
         3. Read only these pages, and remember the new `releaseId`.\n\n\
         To start, {} lists every page with its digest. For people: {}\n\n",
        url(Route::Status),
        url(Route::ChangesSince("EDITION".into())),
        url(Route::Listing),
        url(Route::ChangesMarkdown),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{World, article, site_at, text};

    fn world() -> World {
        World::new(vec![article("one", Some("2024-01-01"), "")])
    }

    #[test]
    fn contract_7_the_index_names_one_skill_with_the_digest_of_its_bytes() {
        let world = world();
        let found = resources(&world.material());
        let [skill, index] = &found[..] else {
            panic!("{found:?}")
        };
        let index: serde_json::Value = serde_json::from_str(&text(&index.body)).unwrap();
        assert_eq!(index["$schema"], SCHEMA);
        let entry = &index["skills"][0];
        assert_eq!(entry["name"], "read-example-org");
        assert_eq!(entry["type"], "skill-md");
        let path = "/.well-known/agent-skills/read-example-org/SKILL.md";
        assert_eq!(*skill.path, *path);
        assert_eq!(entry["url"], format!("https://example.org{path}"));
        let bytes = skill.body.to_bytes();
        assert_eq!(entry["digest"], sha256(&bytes));
        // FIPS 180-2, appendix B.1.
        let known = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256(b"abc"), known);
        let begin = format!(
            "---\nname: read-example-org\ndescription: {}\n---\n",
            entry["description"]
        );
        assert!(
            text(&skill.body).starts_with(&begin),
            "{}",
            text(&skill.body)
        );
    }

    #[test]
    fn contract_7_the_skill_is_short_and_names_what_the_site_has() {
        let world = world();
        let mut material = world.material();
        let both = |material: &Material<'_>| text(&resources(material)[0].body);
        let whole = both(&material);
        assert!((30..=60).contains(&whole.lines().count()), "{whole}");
        assert!(whole.contains("/search.md?q=") && whole.contains("/changes/EDITION.json"));
        material.search = false;
        material.changes.json = false;
        let less = both(&material);
        assert!(
            !less.contains("/search.md") && !less.contains("/changes"),
            "{less}"
        );
        material.skills = false;
        assert!(resources(&material).is_empty());
    }

    #[test]
    fn contract_7_the_name_of_the_skill_is_one_that_agents_accept() {
        for (base, expected) in [
            ("https://example.org", "read-example-org"),
            ("http://127.0.0.1:8080/a/B_c", "read-127-0-0-1-8080-a-b-c"),
            (
                "https://example.org/gr%C3%B6%C3%9Fe",
                "read-example-org-gr-C3-B6-C3-9Fe",
            ),
        ] {
            let mut world = world();
            world.site = site_at(base);
            let name = name(&world.material());
            assert_eq!(name, expected.to_ascii_lowercase());
        }
        let mut world = world();
        world.site = site_at(&format!("https://example.org/{}", "long-name-".repeat(30)));
        let name = name(&world.material());
        assert!(name.len() <= LONGEST_NAME && !name.ends_with('-') && !name.contains("--"));
        world.site.description = "word ".repeat(1_000);
        assert!(description(&world.material()).chars().count() <= LONGEST_DESCRIPTION);
    }
}
