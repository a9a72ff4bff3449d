//! Links with fragments of a Hugo site in three languages, of which some texts wait for their
//! translation: Hugo shows the text of the default language in their place.

use super::*;

/// What Hugo resolves. `cargo xtask folders --peers tests/e2e/peers/hugo-languages` compares the pages
/// with those of Hugo itself.
const RESOLVED: &str = include_str!("fragments.tsv");
/// The least share, in percent.
const LEAST: usize = 98;

/// Where the redirects for hosts lead from an address.
fn redirected(site: &BTreeMap<String, Vec<u8>>, address: &str) -> String {
    let redirects = std::str::from_utf8(&site["_redirects"]).unwrap();
    let to = redirects.lines().find_map(|line| {
        let rest = line.strip_prefix(address)?.strip_prefix(' ')?;
        rest.strip_suffix(" 301")
    });
    to.unwrap_or(address).to_owned()
}

/// The page that a host shows at an address, after redirects.
fn shown<'s>(site: &'s BTreeMap<String, Vec<u8>>, address: &str) -> Option<&'s str> {
    let mut address = address.to_owned();
    for _ in 0..4 {
        address = redirected(site, &address);
        let path = address.trim_matches('/');
        let paths = [
            path.to_owned(),
            format!("{path}.html"),
            format!("{path}/index.html"),
            "index.html".to_owned(),
        ];
        let path = paths.iter().find(|path| site.contains_key(*path));
        let path = path.filter(|path| *path != "index.html" || address == "/")?;
        let html = std::str::from_utf8(&site[path]).unwrap();
        let Some((_, to)) = html.split_once("http-equiv=\"refresh\" content=\"0; url=") else {
            return Some(html);
        };
        let to = to.split(['"', '#']).next().unwrap();
        address = to.strip_prefix(BASE).unwrap_or(to).to_owned();
    }
    None
}

fn decoded(text: &str) -> String {
    let text = percent_encoding::percent_decode_str(text).decode_utf8_lossy();
    text.replace("&amp;", "&")
}

fn has_id(html: &str, id: &str) -> bool {
    let id = id.replace('&', "&amp;");
    html.contains(&format!(" id=\"{id}\""))
}

/// Whether a link with these words leads to a place that its page has.
fn leads(site: &BTreeMap<String, Vec<u8>>, page: &str, words: &str) -> bool {
    let places = page.split("<a href=\"").skip(1).filter_map(|rest| {
        let (href, rest) = rest.split_once('"')?;
        let own = rest.split_once('>')?.1.split("</a>").next()?;
        (own == words).then_some(href.split_once('#')?)
    });
    let mut places = places.map(|(path, id)| {
        let target = if path.is_empty() {
            Some(page)
        } else {
            shown(site, &decoded(path))
        };
        target.is_some_and(|target| has_id(target, &decoded(id)))
    });
    places.any(|found| found)
}

#[test]
fn rule_38_fragments_that_hugo_resolves_in_several_languages_resolve() {
    let dir = tempfile::tempdir().unwrap();
    let public = dir.path().join("public");
    let folder = "../../tests/e2e/peers/hugo-languages";
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    build(&folder, &public, &[]);
    let site = files(&public);
    let (mut all, mut lost) = (0, Vec::new());
    for line in RESOLVED.lines().skip(1) {
        let [from, words, to] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let (address, id) = to.split_once('#').unwrap();
        let from_outside = shown(&site, address).is_some_and(|page| has_id(page, id));
        let inside = shown(&site, from).is_some_and(|page| leads(&site, page, words));
        all += 2;
        if !from_outside {
            lost.push(format!("from outside: {to}"));
        }
        if !inside {
            lost.push(format!("on the page: {line}"));
        }
    }
    assert!(all > 100, "{all}");
    assert!(lost.len() * 100 <= all * (100 - LEAST), "{lost:#?}");
}
