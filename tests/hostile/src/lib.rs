//! Texts meant to take long: twice the bytes may take at most 2.5 times the time, whatever they
//! contain.
//!
//! The texts are generated from tables ([`tokens`]) in every shape ([`shapes`]), and taken from a
//! list of known cases ([`seeds`]). Each is built in this process, by one thread, and timed by that
//! thread's CPU clock ([`measure`]): small at first, and larger where the time grows faster than
//! the text.
//!
//! Times depend on the machine: where other programs use its caches, twice the bytes can take three
//! times as long. A slow text is therefore only suspected, until its instructions are counted
//! ([`count`]).

pub mod count;
pub mod measure;
pub mod seeds;
pub mod shapes;
pub mod tokens;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use measure::{Bench, Cost};
use shapes::Shape;
use tokens::Syntax;

/// The largest allowed ratio of times, or of instructions, for twice the bytes.
const MOST: f64 = 2.5;
/// Above this ratio for twice the bytes, a larger text is measured: a linear term may hide a
/// quadratic one.
const SUSPECT: f64 = 2.15;
/// Below this many seconds a time is noise.
const NOISE: f64 = 0.100;
/// The first size, in bytes.
const FIRST: usize = 8 << 10;
/// All pairs in all kinds of folders, at every size, would take months. They are divided into this
/// many parts. It is a prime, so that each part has texts of every syntax and shape.
pub const PARTS: usize = 9_973;
/// The default limit on the size of a text (`article-bytes`).
const LARGEST: usize = 8 << 20;
/// Below this many published bytes a size is not judged.
const MUCH: u64 = 1 << 20;
/// How often a suspicious case is measured.
const TRIES: usize = 4;
/// A text that takes more seconds than this is not doubled again.
const LONG: f64 = 20.0;
/// The sample has one in this many pairs of tokens, in a fixed order.
const SAMPLE: usize = 20;
/// In every kind of folder except the first that reads a syntax, the sample has one in this many
/// single tokens.
const OTHERS: usize = 4;
/// How many threads measure.
const THREADS: usize = 2;

/// How much to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Every single token, and a fixed sample of the pairs.
    Sample,
    /// A part of all pairs in every kind of folder, up to the largest size. The number says which of
    /// [`PARTS`].
    Part(usize),
}

/// The outcome.
pub struct Judged {
    /// How many texts were tried.
    pub texts: usize,
    /// The texts that take too long, in order.
    pub found: Vec<String>,
}

/// Builds one text once, at a size in bytes.
///
/// # Errors
/// There is no such case, or it cannot be built.
pub fn build(extent: Extent, case: usize, size: usize) -> Result<(), String> {
    let cases = cases(extent);
    let found = cases.get(case).ok_or_else(|| format!("no case {case}"))?;
    // Valgrind stops at the clock of threads.
    let mut bench = Bench::new(|| Duration::ZERO)?;
    found.cost(&mut bench, size).map(drop)
}

/// Tries the texts of the named syntaxes, or of all; each finding is reported at once.
///
/// # Errors
/// A text cannot be built, or a thread panicked.
pub fn judge(extent: Extent, names: &[&str], say: impl Fn(&str) + Sync) -> Result<Judged, String> {
    let cases: Vec<(usize, Case)> = cases(extent)
        .into_iter()
        .enumerate()
        .filter(|(_, case)| names.is_empty() || names.contains(&case.syntax))
        .collect();
    let judged = AtomicUsize::new(0);
    let work = || {
        let mut bench = Bench::new(measure::thread_time)?;
        let mut found = Vec::new();
        loop {
            let Some((number, case)) = cases.get(judged.fetch_add(1, Ordering::Relaxed)) else {
                return Ok(found);
            };
            if let Some(why) = case.judge(*number, &mut bench, extent)? {
                say(&why);
                found.push(why);
            }
        }
    };
    let found: Vec<Result<Vec<String>, String>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .map(|thread| {
                thread
                    .join()
                    .unwrap_or_else(|_| Err("a thread panicked".to_owned()))
            })
            .collect()
    });
    let mut found: Vec<String> = found
        .into_iter()
        .collect::<Result<Vec<_>, String>>()?
        .into_iter()
        .flatten()
        .collect();
    found.sort();
    Ok(Judged {
        texts: cases.len(),
        found,
    })
}

/// Whether the third text adds over three times as many published bytes as the second.
fn adds_more([first, second, third]: [Cost; 3]) -> bool {
    let added = second.bytes.saturating_sub(first.bytes);
    third.bytes.saturating_sub(second.bytes) > added * 3
}

/// One text at every size.
struct Case {
    syntax: &'static str,
    name: String,
    kind: &'static str,
    path: &'static str,
    make: Box<dyn Fn(usize) -> String + Send + Sync>,
}

fn cases(extent: Extent) -> Vec<Case> {
    let mut cases = Vec::new();
    let everywhere =
        ["posts/bad.md", "posts/bad.html"].map(|path| ("plain", path, &seeds::TEXTS[..]));
    for (kind, path, texts) in everywhere.into_iter().chain(seeds::IN_FILES) {
        cases.extend(texts.iter().map(|(name, make)| Case {
            syntax: "seeds",
            name: (*name).to_owned(),
            kind,
            path,
            make: Box::new(make),
        }));
    }
    let mut texts = 0;
    for syntax in tokens::SYNTAXES {
        let kinds: &[&str] = match (extent, syntax.kinds) {
            (Extent::Part(_), _) if syntax.paths.iter().all(|path| path.starts_with("posts/")) => {
                &tokens::KINDS
            }
            (_, kinds) => kinds,
        };
        for kind in kinds {
            for path in syntax.paths {
                each_text(syntax, kind, path, |(shape, a, b), is_in_sample| {
                    texts += 1;
                    let is_wanted = match extent {
                        Extent::Sample => is_in_sample,
                        Extent::Part(part) => texts % PARTS == part % PARTS,
                    };
                    if is_wanted {
                        cases.push(Case::of_tokens(syntax, kind, path, shape, [a, b]));
                    }
                });
            }
        }
    }
    cases
}

/// Passes on all texts of a syntax in one kind of folder, and whether each is in the sample: a
/// shape, and one or two tokens (the second is empty).
fn each_text(
    syntax: &Syntax,
    kind: &'static str,
    path: &'static str,
    mut take: impl FnMut((&'static Shape, &'static str, &'static str), bool),
) {
    let mut number = syntax.name.len() + kind.len() + path.len();
    let first = syntax.kinds.first() == Some(&kind) && syntax.paths.first() == Some(&path);
    for a in syntax.tokens {
        for shape in shapes::ALONE {
            number += 1;
            take((shape, a, ""), first || number.is_multiple_of(OTHERS));
        }
    }
    for a in syntax.tokens {
        for b in syntax.tokens.iter().filter(|b| *b != a) {
            for shape in shapes::PAIRS {
                number += 1;
                take((shape, a, b), number.is_multiple_of(SAMPLE));
            }
        }
    }
}

impl Case {
    fn of_tokens(
        syntax: &'static Syntax,
        kind: &'static str,
        path: &'static str,
        shape: &'static Shape,
        [a, b]: [&'static str; 2],
    ) -> Self {
        let make = move |size: usize| {
            let (before, behind) = syntax.around;
            format!("{before}{}{behind}", (shape.make)(a, b, size))
        };
        let tokens = if b.is_empty() {
            format!("A = {a:?}")
        } else {
            format!("A = {a:?}, B = {b:?}")
        };
        Self {
            syntax: syntax.name,
            name: format!("{}: {tokens}", shape.name),
            kind,
            path,
            make: Box::new(make),
        }
    }

    /// Why the time is not proportional to the text; `None` if it is.
    fn judge(
        &self,
        number: usize,
        bench: &mut Bench,
        extent: Extent,
    ) -> Result<Option<String>, String> {
        let mut size = FIRST;
        loop {
            let (small, large) = (self.cost(bench, size)?, self.cost(bench, size * 2)?);
            let suspect = large.seconds > small.seconds * SUSPECT
                || large.bytes > small.bytes * 3 && large.bytes > MUCH;
            if suspect
                && (large.seconds > NOISE || large.bytes > MUCH)
                && let Some(why) =
                    self.confirmed(bench, size, || count::instructions(extent, number, size))?
            {
                return Ok(Some(why));
            }
            let next = match extent {
                _ if suspect => size * 4,
                Extent::Part(_) => size * 8,
                Extent::Sample => LARGEST,
            };
            if next * 2 > LARGEST || large.seconds * (next / size) as f64 > LONG {
                return Ok(None);
            }
            size = next;
        }
    }

    /// Measures three sizes, each several times, and takes the minimum: one jump may be a limit
    /// that was reached, or other load on the machine. Of two jumps in time the instructions
    /// decide, or the clock where they cannot be counted.
    fn confirmed(
        &self,
        bench: &mut Bench,
        size: usize,
        instructions: impl FnOnce() -> Result<[u64; 3], String>,
    ) -> Result<Option<String>, String> {
        let mut costs = [Cost::default(); 3];
        for (cost, size) in costs.iter_mut().zip([size, size * 2, size * 4]) {
            let tries = (0..TRIES)
                .map(|_| self.cost(bench, size))
                .collect::<Result<Vec<_>, _>>()?;
            *cost = tries
                .into_iter()
                .min_by(|one, other| one.seconds.total_cmp(&other.seconds))
                .unwrap_or_default();
        }
        let [first, second, third] = costs;
        let slow = second.seconds > first.seconds * MOST && third.seconds > second.seconds * MOST;
        // What a larger text adds, not its whole: past a limit, as that of a template's call, more
        // is published from then on, which adds a constant.
        let mut long = second.bytes > first.bytes * 3 && adds_more([first, second, third]);
        if long && size * 8 <= LARGEST {
            let fourth = self.cost(bench, size * 8)?;
            long = adds_more([second, third, fourth]);
        }
        if !slow && !long {
            return Ok(None);
        }
        let seconds = costs
            .map(|cost| format!("{:.3} s", cost.seconds))
            .join(", ");
        let bytes = costs
            .map(|cost| format!("{} KiB", cost.bytes >> 10))
            .join(", ");
        let Self {
            syntax,
            kind,
            path,
            name,
            ..
        } = self;
        let why = format!(
            "{syntax} in {kind} as {path}: {name}: {} KiB, twice and four times that take \
             {seconds}, and are published as {bytes}",
            size >> 10,
        );
        if long {
            return Ok(Some(why));
        }
        Ok(match instructions() {
            Ok(counts) if !count::grows_faster(counts) => None,
            Ok(counts) => {
                let [first, second, third] = counts.map(|count| count / 1_000_000);
                Some(format!(
                    "{why}, with {first}, {second} and {third} million instructions"
                ))
            }
            Err(error) => Some(format!("{why}; instructions are not counted: {error}")),
        })
    }

    fn cost(&self, bench: &mut Bench, size: usize) -> Result<Cost, String> {
        let cost = bench.cost(self.kind, self.path, (self.make)(size).as_bytes());
        cost.map_err(|why| {
            format!(
                "{} in {} as {}: {}: {why}",
                self.syntax, self.kind, self.path, self.name
            )
        })
    }
}
