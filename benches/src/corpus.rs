//! Corpora of any size from real prose: the same seed and prose give the same bytes.
//!
//! Sizes are log-normal with a median of 3 kB and a 99th percentile of 40 kB, as in published
//! folders. Articles link to each other and to other sites, and have pictures, tags (a few are
//! common, most are rare), dates and code.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use super::prose::Prose;
use diglot_e2e::random::Random;

/// The median size in bytes.
const MEDIAN: f64 = 3_000.0;
/// The standard deviation of the logarithm: it puts the 99th percentile at 40 kB (ln(40 / 3) /
/// 2.326).
const WIDTH: f64 = 1.1134;
/// The sizes in bytes of the shortest and, approximately, the longest article.
const BOUNDS: (f64, f64) = (200.0, 200_000.0);
/// The number of bytes per link.
const A_LINK_EVERY: usize = 700;
/// The share of articles with pictures, and the number of pictures that all of them share.
const PICTURED: (f64, usize) = (0.3, 20);
/// The first and last year of the dates.
const YEARS: (usize, usize) = (2011, 2025);

/// A corpus on the disk.
pub struct Corpus {
    /// The folder.
    pub folder: PathBuf,
    /// How many articles it has.
    pub articles: usize,
    /// The bytes of their source text.
    pub bytes: u64,
}

/// Writes a corpus of this many articles, or returns an existing one.
///
/// # Errors
/// It cannot be written.
pub fn corpus(place: &Path, prose: &Prose, articles: usize, seed: u64) -> Result<Corpus, String> {
    let folder = place.join(format!("corpus-{articles}-{seed}-{:016x}", prose.digest()));
    let done = folder.with_extension("done");
    if let Some(bytes) = fs::read_to_string(&done)
        .ok()
        .and_then(|text| text.trim().parse().ok())
    {
        return Ok(Corpus {
            folder,
            articles,
            bytes,
        });
    }
    println!(
        "writing a corpus of {articles} articles to {}",
        folder.display()
    );
    let failed = |error: std::io::Error| format!("cannot write `{}`: {error}", folder.display());
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(failed)?;
    }
    let bytes = write(&folder, prose, articles, seed).map_err(failed)?;
    fs::write(&done, bytes.to_string()).map_err(failed)?;
    Ok(Corpus {
        folder,
        articles,
        bytes,
    })
}

fn write(folder: &Path, prose: &Prose, articles: usize, seed: u64) -> std::io::Result<u64> {
    for year in YEARS.0..=YEARS.1 {
        fs::create_dir_all(folder.join(format!("articles/{year}")))?;
    }
    fs::create_dir_all(folder.join("images"))?;
    for number in 0..PICTURED.1 {
        fs::write(
            folder.join(format!("images/figure-{number}.svg")),
            picture(number),
        )?;
    }
    let settings = "title = \"A large site\"\ndescription = \"Made to measure.\"\nbase_url = \"https://example.org\"\nauthor = \"The authors\"\n";
    fs::write(folder.join("diglot.toml"), settings)?;
    let plan = Plan {
        prose,
        articles,
        seed,
    };
    let mut bytes = 0;
    for number in 0..articles {
        let text = plan.article(number);
        bytes += text.len() as u64;
        fs::write(
            folder.join(format!("articles/{}.md", plan.path(number))),
            text,
        )?;
    }
    Ok(bytes)
}

/// The plan of all articles; each has its own seed, so that it can be generated without the others.
struct Plan<'a> {
    prose: &'a Prose,
    articles: usize,
    seed: u64,
}

impl Plan<'_> {
    fn random(&self, number: usize) -> Random {
        Random::seeded(
            Random::seeded(self.seed).next() ^ (number as u64).wrapping_mul(0x2545_f491_4f6c_dd1d),
        )
    }

    fn title(&self, random: &mut Random) -> String {
        let words = 3 + random.below(6);
        let mut title = self.prose.words(random, words);
        if let Some(first) = title.get(..1).map(str::to_uppercase) {
            title.replace_range(..1, &first);
        }
        title
    }

    /// `2019/the-words-of-its-title-123`.
    fn path(&self, number: usize) -> String {
        let mut random = self.random(number);
        let title = self.title(&mut random).to_lowercase();
        let (year, ..) = self.day(number);
        format!("{year}/{}-{number}", title.replace(' ', "-"))
    }

    /// Dates are spread evenly over the years.
    fn day(&self, number: usize) -> (usize, usize, usize) {
        let days = (YEARS.1 - YEARS.0 + 1) * 12 * 28;
        let day = number * days / self.articles;
        (YEARS.0 + day / (12 * 28), day / 28 % 12 + 1, day % 28 + 1)
    }

    fn article(&self, number: usize) -> String {
        let mut random = self.random(number);
        let title = self.title(&mut random);
        let (year, month, day) = self.day(number);
        let mut text = format!(
            "---\ntitle: \"{title}\"\ndate: {year}-{month:02}-{day:02}T{:02}:{:02}:00Z\n",
            random.below(24),
            random.below(60)
        );
        let tags = self.tags(&mut random);
        if !tags.is_empty() {
            let _ = writeln!(text, "tags: [{}]", tags.join(", "));
        }
        text.push_str("---\n\n");
        let size = (MEDIAN * (WIDTH * random.normal()).exp()).clamp(BOUNDS.0, BOUNDS.1);
        self.body(&mut random, size as usize, &mut text);
        text
    }

    /// None to five tags, by Zipf's law.
    fn tags(&self, random: &mut Random) -> Vec<String> {
        let known = 50 + self.articles / 200;
        let mut tags: Vec<usize> = (0..random.below(6))
            .map(|_| ((known as f64 + 1.0).powf(random.unit()) - 1.0) as usize)
            .collect();
        tags.sort_unstable();
        tags.dedup();
        tags.into_iter()
            .map(|tag| format!("{}-{tag}", self.prose.tag(tag)))
            .collect()
    }

    fn body(&self, random: &mut Random, size: usize, text: &mut String) {
        let end = text.len() + size;
        let pictured = random.chance(PICTURED.0);
        let (mut blocks, mut linked) = (0, text.len());
        while text.len() < end {
            blocks += 1;
            if blocks % 6 == 0 {
                let words = 2 + random.below(4);
                let _ = write!(text, "## {}\n\n", self.prose.words(random, words));
            }
            if pictured && blocks % 9 == 2 {
                let _ = write!(
                    text,
                    "![{}](../../images/figure-{}.svg)\n\n",
                    self.prose.words(random, 5),
                    random.below(PICTURED.1)
                );
            }
            text.push_str(self.prose.block(random, end.saturating_sub(text.len())));
            if text.len() > linked + A_LINK_EVERY {
                text.push_str("\n\n");
                text.push_str(&self.links(random, (text.len() - linked) / A_LINK_EVERY));
                linked = text.len();
            }
            text.push_str("\n\n");
        }
    }

    /// A paragraph of links: most to other articles, some to other sites.
    fn links(&self, random: &mut Random, count: usize) -> String {
        let mut links = Vec::new();
        for _ in 0..count {
            let words = self.prose.words(random, 3);
            links.push(if random.chance(0.7) {
                format!(
                    "[{words}](../{}.md)",
                    self.path(random.below(self.articles))
                )
            } else {
                format!("[{words}](https://example.com/{})", random.below(10_000))
            });
        }
        format!("See {}.", links.join(", "))
    }
}

fn picture(number: usize) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 320 180\"><rect width=\"320\" height=\"180\" fill=\"#{:06x}\"/></svg>\n",
        number * 0x0c_0d_0e
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_the_median_and_the_percentile_that_they_promise_and_links_lead_somewhere() {
        let prose = Prose::read(&diglot_e2e::sites::example().path).unwrap();
        let plan = Plan {
            prose: &prose,
            articles: 2_000,
            seed: 1,
        };
        let texts: Vec<String> = (0..plan.articles)
            .map(|number| plan.article(number))
            .collect();
        let mut sizes: Vec<usize> = texts.iter().map(String::len).collect();
        sizes.sort_unstable();
        assert!((2_700..3_900).contains(&sizes[1_000]), "{}", sizes[1_000]);
        assert!((30_000..52_000).contains(&sizes[1_980]), "{}", sizes[1_980]);
        let paths: std::collections::BTreeSet<String> =
            (0..plan.articles).map(|number| plan.path(number)).collect();
        assert_eq!(paths.len(), plan.articles);
        let links = texts
            .iter()
            .flat_map(|text| text.split("](../").skip(1))
            .filter(|link| !link.starts_with("../images"));
        for link in links {
            let path = link.split_once(".md)").unwrap().0;
            assert!(paths.contains(path), "{path}");
        }
        assert_eq!(plan.article(77), texts[77]);
    }
}
