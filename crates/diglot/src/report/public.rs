//! What is public, in one line: how many articles, pages and files, from which folders.

use diglot_content::library::{Public, PublicFolder};

use crate::terminal::counted;

/// The maximum number of folders that are named for each kind.
const MOST: usize = 4;
const KINDS: [(Public, &str); 3] = [
    (Public::Articles, "article"),
    (Public::Pages, "page"),
    (Public::Files, "file"),
];

/// `public: 111 articles from src/, 3 pages from ./, 27 files from static/`
pub fn line(public: &[PublicFolder]) -> String {
    match parts(public) {
        parts if parts.is_empty() => "nothing is published".to_owned(),
        parts => format!("published: {parts}"),
    }
}

/// `published for the first time: 3 pages from notes/`
pub fn news(public: &[PublicFolder]) -> Option<String> {
    let parts = parts(public);
    (!parts.is_empty()).then(|| format!("published for the first time: {parts}"))
}

fn parts(public: &[PublicFolder]) -> String {
    let (mut parts, mut has_lists) = (Vec::new(), false);
    for (what, noun) in KINDS {
        let folders: Vec<&PublicFolder> =
            public.iter().filter(|public| public.what == what).collect();
        if folders.is_empty() {
            continue;
        }
        let count: usize = folders.iter().map(|public| public.count).sum();
        has_lists |= folders.len() > 1;
        parts.push(format!(
            "{} from {}",
            counted(count, noun),
            listed(&folders)
        ));
    }
    parts.join(if has_lists { "; " } else { ", " })
}

/// `a/, b/ and c/`, or `a/, b/, c/, d/ and 3 more folders`.
fn listed(folders: &[&PublicFolder]) -> String {
    let mut names: Vec<String> = folders
        .iter()
        .take(MOST)
        .map(|public| public.folder.clone())
        .collect();
    let more = folders.len() - names.len();
    let last = if more > 0 {
        format!(
            "{} more {}",
            more,
            if more == 1 { "folder" } else { "folders" }
        )
    } else {
        names.pop().unwrap_or_default()
    };
    if names.is_empty() {
        last
    } else {
        format!("{} and {last}", names.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn public_folders(folders: &[(Public, &str, usize)]) -> Vec<PublicFolder> {
        let folder = |(what, folder, count): &(Public, &str, usize)| PublicFolder {
            what: *what,
            folder: (*folder).to_owned(),
            count: *count,
        };
        folders.iter().map(folder).collect()
    }

    #[test]
    fn item_1_what_is_public_is_said_at_a_glance() {
        let check = |folders: &[(Public, &str, usize)], expected: &str| {
            assert_eq!(line(&public_folders(folders)), expected);
        };
        check(&[], "nothing is published");
        check(
            &[
                (Public::Articles, "src/", 111),
                (Public::Pages, "./", 3),
                (Public::Files, "static/", 1),
            ],
            "published: 111 articles from src/, 3 pages from ./, 1 file from static/",
        );
        check(
            &[
                (Public::Articles, "a/", 1),
                (Public::Pages, "./", 3),
                (Public::Pages, "b/", 2),
            ],
            "published: 1 article from a/; 5 pages from ./ and b/",
        );
        let many = ["a/", "b/", "c/", "d/", "e/", "f/"].map(|folder| (Public::Files, folder, 2));
        check(
            &many,
            "published: 12 files from a/, b/, c/, d/ and 2 more folders",
        );
        check(
            &many[..5],
            "published: 10 files from a/, b/, c/, d/ and 1 more folder",
        );
        assert_eq!(
            news(&public_folders(&many[..1])).as_deref(),
            Some("published for the first time: 2 files from a/")
        );
        assert_eq!(news(&[]), None);
    }
}
