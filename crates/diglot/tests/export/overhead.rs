//! What pages of real folders add to their texts.

use super::*;

mod needs_corpora {
    use super::*;

    /// With the style sheets that the page reads, in bytes.
    const MOST: usize = 20_000;

    const FOLDERS: [&str; 6] = [
        "18f-mini",
        "digitalgov-mini",
        "eips",
        "obsidian-vault",
        "opensource-guide",
        "react-docs",
    ];

    /// The size of a page without its text and the links to its translations, which search engines
    /// ask for with whole addresses, and of its style sheets.
    fn overhead(site: &BTreeMap<String, Vec<u8>>, html: &str) -> usize {
        let (before, rest) = html.split_once("<div class=\"text\">").unwrap();
        let (_, after) = rest.rsplit_once("</div>\n").unwrap();
        let mut size = before.len() + after.len();
        for line in before.lines() {
            if line.contains(" hreflang=\"") {
                size -= line.len() + 1;
            }
            if let Some(rest) = line.strip_prefix("<link rel=\"stylesheet\" href=\"/") {
                size += site[rest.split('"').next().unwrap()].len();
            }
        }
        size
    }

    /// The sizes are printed with `--nocapture`.
    #[test]
    #[ignore = "needs the corpora: `../shared/corpora`, or the folder that DIGLOT_CORPORA names"]
    fn a_page_costs_under_20_kb_beside_its_text_and_translations() {
        let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora");
        let corpora = std::env::var_os("DIGLOT_CORPORA").map_or_else(beside, Into::into);
        for folder in FOLDERS {
            let dir = tempfile::tempdir().unwrap();
            let public = dir.path().join("public");
            build(&corpora.join(folder), &public, &[]);
            let site = files(&public);
            let mut sizes = Vec::new();
            for (path, bytes) in &site {
                let html = std::str::from_utf8(bytes).unwrap_or_default();
                if path.ends_with(".html") && html.contains("<body class=\"article") {
                    sizes.push((overhead(&site, html), path));
                }
            }
            sizes.sort();
            let (most, path) = sizes.last().unwrap();
            let median = sizes[sizes.len() / 2].0;
            println!(
                "{folder}: {} pages, {median} bytes, at most {most}: {path}",
                sizes.len()
            );
            assert!(*most < MOST, "{folder}: {most} bytes at {path}");
            assert!(sizes.len() > 90, "{folder}: {}", sizes.len());
        }
    }
}
