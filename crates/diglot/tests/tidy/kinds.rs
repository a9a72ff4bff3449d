//! A kind of folder answers for everything that is its own: no other code asks which kind it is.

use diglot_content::settings::DIALECTS;

use super::{crates, sources};

/// Where a kind's name may be written: its own file, and the names that settings know.
const MAY: [&str; 2] = [
    "content/src/dialects/kinds/",
    "document/src/syntax/settings/",
];

#[test]
fn a_kind_is_named_in_its_own_file_alone() {
    let mut wrong = Vec::new();
    for name in crates() {
        for source in sources(&name) {
            let path = format!("{name}/src/{}", source.path);
            if MAY.iter().any(|may| path.starts_with(may)) {
                continue;
            }
            for kind in DIALECTS {
                if source.literals.contains(&format!("\"{kind}\"")) {
                    wrong.push(format!("{path}: `{kind}`"));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "a field of `Dialect` says what is special about a kind:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn every_kind_has_a_file_of_its_name() {
    let sources = sources("content").iter();
    let files: Vec<&str> = sources.map(|source| source.path.as_str()).collect();
    for kind in DIALECTS {
        assert!(
            files.contains(&&*format!("dialects/kinds/{kind}.rs")),
            "{kind}"
        );
    }
}
