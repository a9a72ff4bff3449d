//! The sites that are judged.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::sites::{self, Folder};
use xtask::shell::scratch;

/// A site and the scripts that judge it; all scripts if none is named.
pub(super) struct Site {
    pub(super) folder: Folder,
    pub(super) scripts: Vec<&'static str>,
}

/// The slowest scripts. They judge templates, header fields and the API, which all sites have alike.
const OF_ALL_ALIKE: [&str; 3] = ["lighthouse.py", "http_messages.py", "api.py"];

/// Which sites the slowest scripts judge.
#[derive(Clone, Copy)]
pub(super) enum Extent {
    /// The example site alone.
    Ci,
    /// Every site that is judged by more than programs for crawlers and agents.
    Whole,
}

/// The example site, a real blog if available, a guide, and a site so large that its indexes are split into
/// parts.
pub(super) fn all(extent: Extent) -> Result<Vec<Site>, String> {
    let scripts = |scripts: &[&'static str]| {
        let is_slow = |script: &&&str| OF_ALL_ALIKE.contains(*script);
        let chosen = scripts.iter().filter(|script| match extent {
            Extent::Whole => true,
            Extent::Ci => !is_slow(script),
        });
        chosen.copied().collect()
    };
    let mut all = vec![Site {
        folder: sites::example(),
        scripts: Vec::new(),
    }];
    all.extend(sites::blog()?.map(|folder| Site {
        folder,
        scripts: scripts(super::SCRIPTS),
    }));
    all.push(Site {
        folder: sites::guide(),
        scripts: scripts(&["lighthouse.py", "accessibility.py", "markup.py", "links.py"]),
    });
    all.push(Site {
        folder: many()?,
        scripts: vec!["agents.py", "crawlers.py"],
    });
    Ok(all)
}

/// How many articles the large site has.
const MANY: usize = 1_500;

/// A folder of many small articles, the same every time.
fn many() -> Result<Folder, String> {
    let path = scratch("many")?;
    let failed =
        |path: &Path, error: std::io::Error| format!("cannot write `{}`: {error}", path.display());
    let articles = path.join("articles");
    fs::create_dir_all(&articles).map_err(|error| failed(&articles, error))?;
    for number in 1..=MANY {
        let file = articles.join(format!("article-{number:04}.md"));
        fs::write(&file, article(number)).map_err(|error| failed(&file, error))?;
    }
    Ok(Folder {
        name: MANY.to_string(),
        path,
    })
}

fn article(number: usize) -> String {
    const WORDS: [&str; 16] = [
        "harbour", "tide", "lantern", "compass", "current", "island", "weather", "pilot", "anchor",
        "chart", "engine", "signal", "channel", "cargo", "captain", "voyage",
    ];
    // A small generator, so that the text differs from article to article but never from run to
    // run.
    let mut state = u32::try_from(number)
        .unwrap_or_default()
        .wrapping_mul(2_654_435_761);
    let mut word = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        WORDS[(state >> 28) as usize]
    };
    let (year, month, day) = (2010 + number / 100, number % 12 + 1, number % 28 + 1);
    let mut sentence = |length: usize| (0..length).map(|_| word()).collect::<Vec<_>>().join(" ");
    let mut text = format!(
        "---\ntitle: Article {number} on the {}\ndate: {year}-{month:02}-{day:02}\n---\n\n",
        sentence(3)
    );
    for part in 1..=3 {
        for _ in 0..2 {
            let _ = writeln!(
                text,
                "The {}, and then the {}.\n",
                sentence(9),
                sentence(14)
            );
        }
        let _ = writeln!(
            text,
            "## Part {part}: {}\n\n- {}\n- {}\n",
            sentence(2),
            sentence(5),
            sentence(4)
        );
    }
    let _ = writeln!(text, "The {}.", sentence(8));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn articles_are_the_same_every_time_and_differ_from_each_other() {
        assert_eq!(article(7), article(7));
        assert_ne!(article(7)[40..], article(8)[40..]);
        assert!(
            article(1500).starts_with("---\ntitle: Article 1500 on the ")
                && article(1500).contains("date: 2025-01-17\n")
        );
    }
}
