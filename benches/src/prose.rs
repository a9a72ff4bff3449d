//! Pieces of real prose, from which corpora are generated.

use std::fs;
use std::path::Path;

use diglot_e2e::random::Random;
use xtask::shell::files_below;

/// Of so many blocks of code, a corpus with little code keeps one.
const CODE_KEPT: usize = 12;

/// The blocks and words of a folder's Markdown.
pub struct Prose {
    /// Paragraphs, lists, tables, quotations and fenced code, without links and without anything
    /// that a generator would interpret.
    blocks: Vec<String>,
    /// Words of plain letters, in the order of the text.
    words: Vec<String>,
}

impl Prose {
    /// The prose of a folder's Markdown files.
    ///
    /// # Errors
    /// The folder cannot be read, or holds too little.
    pub fn read(folder: &Path) -> Result<Self, String> {
        let (mut blocks, mut words) = (Vec::new(), Vec::new());
        for path in files_below(folder)?
            .iter()
            .filter(|path| path.extension().is_some_and(|suffix| suffix == "md"))
        {
            let text = fs::read_to_string(folder.join(path))
                .map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
            for block in split(&text).into_iter().filter(|block| is_plain(block)) {
                if !block.starts_with("```") {
                    words.extend(
                        block
                            .split_whitespace()
                            .filter(|word| is_word(word))
                            .map(str::to_owned),
                    );
                }
                blocks.push(block);
            }
        }
        if blocks.len() < 20 || words.len() < 200 {
            return Err(format!(
                "`{}` holds too little prose: {} blocks",
                folder.display(),
                blocks.len()
            ));
        }
        Ok(Self { blocks, words })
    }

    /// The same prose with one block of code where there were so many: a corpus of essays.
    #[must_use]
    pub fn with_little_code(&self) -> Self {
        let (mut blocks, mut seen) = (Vec::new(), 0);
        for block in &self.blocks {
            let is_code = block.starts_with("```");
            seen += usize::from(is_code);
            if !is_code || seen.is_multiple_of(CODE_KEPT) {
                blocks.push(block.clone());
            }
        }
        Self {
            blocks,
            words: self.words.clone(),
        }
    }

    /// The share of the bytes that is code, in percent.
    pub fn percent_of_code(&self) -> usize {
        let (mut code, mut all) = (0, 0);
        for block in &self.blocks {
            all += block.len();
            if block.starts_with("```") {
                code += block.len();
            }
        }
        code * 100 / all.max(1)
    }

    /// A random block, short enough for the remaining space if there is one.
    pub fn block(&self, random: &mut Random, left: usize) -> &str {
        let found = (0..4)
            .filter_map(|_| random.one(&self.blocks))
            .min_by_key(|block| {
                (
                    block.len() > left + 200,
                    block.len().abs_diff(left.min(500)),
                )
            });
        found.map_or("", String::as_str)
    }

    /// A run of this many consecutive words.
    pub fn words(&self, random: &mut Random, count: usize) -> String {
        let start = random.below(self.words.len().saturating_sub(count).max(1));
        self.words[start..(start + count).min(self.words.len())].join(" ")
    }

    /// The name of tag number `tag`.
    pub fn tag(&self, tag: usize) -> String {
        self.words[tag * 7 % self.words.len()].to_lowercase()
    }

    /// FNV-1a of everything: other prose gives another corpus.
    pub fn digest(&self) -> u64 {
        let bytes = self
            .blocks
            .iter()
            .flat_map(|block| block.bytes().chain([0]));
        bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    }
}

/// The blocks of a Markdown text without its front matter: split at blank lines, with fences kept
/// whole.
fn split(text: &str) -> Vec<String> {
    let body = text
        .strip_prefix("---\n")
        .and_then(|rest| rest.split_once("\n---\n"))
        .map_or(text, |(_, body)| body);
    let (mut blocks, mut block, mut fenced) = (Vec::new(), String::new(), false);
    for line in body.lines() {
        fenced ^= line.starts_with("```");
        if line.trim().is_empty() && !fenced {
            blocks.push(std::mem::take(&mut block));
        } else {
            block.push_str(line);
            block.push('\n');
        }
    }
    blocks.push(block);
    blocks
        .into_iter()
        .map(|block| block.trim_end().to_owned())
        .filter(|block| !block.is_empty())
        .collect()
}

/// Whether a block means the same in every generator: no links or pictures (they would be broken),
/// no markup, no tags, no headings.
fn is_plain(block: &str) -> bool {
    let outside = !block.starts_with("```");
    let strange = ["](", "[^", "{{", "{%", "{#", "{:", "%%", "[["];
    let whole = block.matches("```").count().is_multiple_of(2);
    whole
        && !block.starts_with(['#', ' ', '<', '+', '-'])
        && !strange.iter().any(|mark| block.contains(mark))
        && (!outside || !block.contains(['<', '$']))
}

fn is_word(word: &str) -> bool {
    (3..=12).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_alphabetic())
}
