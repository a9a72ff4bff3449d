//! Reads the template of a shortcode: whether it shows what the shortcode holds.

use std::collections::{BTreeMap, BTreeSet};

use super::evaluate::{Known, Place};
use super::expression::{Pipeline, Term};
use super::site::{KEPT, WRITES};
use super::value::Value;

/// The most work for the variables of a template: its length in bytes for each of them.
const MOST_WORK: usize = 20_000_000;
/// Words of expressions that hand everything to another template or to a later step.
const HAND_ON: [&str; 7] = [
    "partial",
    "partialCached",
    "template",
    "block",
    "return",
    KEPT[0],
    KEPT[1],
];
/// Functions that hand on everything where they are a part of a condition.
const PARTIALS: [&str; 3] = ["partial", "partialCached", "partials"];
/// Functions whose value says nothing of a text but its length, or is empty.
const SILENT: [&str; 13] = [
    "len",
    "countwords",
    "countrunes",
    "strings.CountWords",
    "strings.CountRunes",
    "strings.RuneCount",
    "warnf",
    "warnidf",
    "errorf",
    "erroridf",
    "fmt.Warnf",
    "fmt.Errorf",
    "fmt.Erroridf",
];

/// Whether a template without comments certainly does not publish `.Inner`.
pub fn hides_inner(template: &str, known: Known<'_>) -> bool {
    let mut reader = Reader {
        text: template,
        known,
        set_once: set_once(template),
        carrying: BTreeSet::new(),
        values: BTreeMap::new(),
        blocks: Vec::new(),
    };
    // In a loop a variable may have a value that is set below.
    reader.hides() && reader.hides()
}

/// Reads the expressions of one template.
struct Reader<'t> {
    text: &'t str,
    known: Known<'t>,
    /// The variables that have one value only.
    set_once: BTreeSet<&'t str>,
    /// The variables that have `.Inner`, or may.
    carrying: BTreeSet<&'t str>,
    values: BTreeMap<&'t str, Value<'t>>,
    blocks: Vec<Block>,
}

/// A block that ends with `end`.
#[derive(Default)]
struct Block {
    /// Whether its present branch may run.
    may_run: bool,
    /// Whether a branch before the next certainly runs.
    is_decided: bool,
    /// Whether `.` in it is `.Inner`, or may be.
    is_inner: bool,
    /// Whether `.` in it is another value.
    is_inside: bool,
}

impl Block {
    /// Begins its next branch, which may run unless this value, or one before, says otherwise.
    /// `is_inner`: the value that `.` may be is `.Inner`.
    fn begin_branch(&mut self, value: Value<'_>, is_inside: bool, is_inner: bool) {
        self.may_run = !self.is_decided && value.is_true() != Some(false);
        self.is_decided |= value.is_true() == Some(true);
        self.is_inside = is_inside;
        self.is_inner = is_inside && is_inner;
    }
}

impl<'t> Reader<'t> {
    /// Whether no expression publishes `.Inner`. One that is not read may do so.
    fn hides(&mut self) -> bool {
        self.blocks.clear();
        let mut rest = self.text;
        while let Some((_, behind)) = rest.split_once("{{") {
            let Some((expression, after)) = behind.split_once("}}") else {
                return false;
            };
            let expression = expression.trim_matches(['-', ' ', '\n', '\t', '\r']);
            if self.publishes(expression) != Some(false) {
                return false;
            }
            rest = after;
        }
        true
    }

    /// Takes one expression; returns whether it publishes `.Inner`. `None`: it is not understood.
    fn publishes(&mut self, expression: &'t str) -> Option<bool> {
        let is_space = |c: char| c.is_whitespace();
        let (word, rest) = expression.split_once(is_space).unwrap_or((expression, ""));
        match word {
            "if" | "with" => {
                let (pipeline, value) = self.take(rest)?;
                let shows = !self.is_skipped() && hands_on(&pipeline, &PARTIALS);
                self.open(value, word == "with", self.carries(&pipeline));
                Some(shows)
            }
            "else" => self.branch(rest),
            "end" => {
                self.blocks.pop();
                Some(false)
            }
            "range" => {
                let (pipeline, _) = self.take(rest)?;
                // The variable is an item of the value.
                if let Some((name, _)) = assigned(rest) {
                    self.values.remove(name);
                }
                let shows = self.shows(&pipeline) && !self.is_skipped();
                self.open(Value::Unknown, true, false);
                Some(shows)
            }
            "block" | "define" => {
                let shows = word == "block" && !self.is_skipped();
                self.open(Value::Unknown, true, false);
                Some(shows)
            }
            _ => {
                let (pipeline, _) = self.take(expression)?;
                let is_set = assigned(expression).is_some();
                let shows = match self.kept(&pipeline) {
                    Some(is_read) => is_read,
                    None if is_set => hands_on(&pipeline, &HAND_ON),
                    None => self.shows(&pipeline),
                };
                Some(shows && !self.is_skipped())
            }
        }
    }

    /// The next branch of a block: `else`, `else if …`, `else with …`.
    fn branch(&mut self, rest: &'t str) -> Option<bool> {
        let is_space = |c: char| c.is_whitespace();
        let (word, rest) = rest.split_once(is_space).unwrap_or((rest, ""));
        if let Some(block) = self.blocks.last_mut() {
            block.may_run = true;
            block.is_inside = false;
            block.is_inner = false;
        }
        let (pipeline, value) = match word {
            "" => (Pipeline::default(), Value::Unknown),
            _ => self.take(rest)?,
        };
        let is_inner = self.carries(&pipeline);
        let Some(block) = self.blocks.last_mut() else {
            return Some(false);
        };
        block.begin_branch(value, word == "with", is_inner);
        Some(hands_on(&pipeline, &PARTIALS) && !self.is_skipped())
    }

    fn open(&mut self, value: Value<'_>, is_inside: bool, is_inner: bool) {
        let mut block = Block::default();
        block.begin_branch(value, is_inside, is_inner);
        self.blocks.push(block);
    }

    fn is_skipped(&self) -> bool {
        self.blocks.iter().any(|block| !block.may_run)
    }

    fn is_inside(&self) -> bool {
        self.blocks.iter().any(|block| block.is_inside)
    }

    /// Reads an expression and what is known of its value, and keeps that of a variable.
    fn take(&mut self, expression: &'t str) -> Option<(Pipeline<'t>, Value<'t>)> {
        let set = assigned(expression);
        let pipeline = Pipeline::parse(set.map_or(expression, |(_, value)| value))?;
        let place = Place {
            known: self.known,
            variables: &self.values,
            is_inside: self.is_inside(),
        };
        let value = place.value(&pipeline);
        if let Some((name, _)) = set {
            if self.carries(&pipeline) {
                self.carrying.insert(name);
            }
            if self.set_once.contains(name) {
                self.values.insert(name, value);
            }
        }
        Some((pipeline, value))
    }

    /// Whether an expression shows `.Inner`, or may, where it runs.
    fn shows(&self, pipeline: &Pipeline<'_>) -> bool {
        let is_inner = self.blocks.iter().any(|block| block.is_inner);
        let is_empty = pipeline.0.iter().all(Vec::is_empty);
        hands_on(pipeline, &HAND_ON) || is_inner && !is_empty || self.carries(pipeline)
    }

    /// Whether the value of an expression has `.Inner`, or may.
    fn carries(&self, pipeline: &Pipeline<'_>) -> bool {
        let mut carries = false;
        for command in &pipeline.0 {
            let is_silent = matches!(command[..], [Term::Word(name), ..] if SILENT.contains(&name));
            let has_some = command.iter().any(|term| match term {
                Term::Word(word) => self.is_inner(word),
                Term::Text(_) => false,
                Term::Group(group) => self.carries(group),
            });
            carries = !is_silent && (carries || has_some);
        }
        carries
    }

    /// Whether a word is `.Inner`, a variable with it, or all that the template is given.
    fn is_inner(&self, word: &str) -> bool {
        let name = word.split('.').next().unwrap_or_default();
        word.contains(".Inner")
            || word == "$"
            || word == "." && !self.is_inside()
            || word.starts_with('.') && self.blocks.iter().any(|block| block.is_inner)
            || self.carrying.contains(name)
    }

    /// For an expression that keeps a value for other templates, whether one of them may publish `.Inner`
    /// by it. `None`: it is another expression.
    fn kept(&self, pipeline: &Pipeline<'_>) -> Option<bool> {
        let [Term::Word(name), terms @ ..] = &pipeline.0.last()?[..] else {
            return None;
        };
        let (store, method) = name.rsplit_once('.')?;
        let is_one = KEPT.contains(&store.rsplit('.').next()?) && WRITES.contains(&method);
        let is_read = || match terms {
            [Term::Text(key), ..] => self.known.site.is_read(key),
            _ => true,
        };
        let shows = || hands_on(pipeline, &PARTIALS) || self.carries(pipeline) && is_read();
        is_one.then(shows)
    }
}

/// The variable that an expression sets, and the expression of its value.
fn assigned(expression: &str) -> Option<(&str, &str)> {
    let mut rest = expression;
    loop {
        let ends = |c: char| c.is_whitespace() || matches!(c, ',' | ':' | '=');
        let (name, behind) = rest.split_at(rest.find(ends).filter(|_| rest.starts_with('$'))?);
        let behind = behind.trim_start();
        if let Some(value) = behind.strip_prefix(":=").or(behind.strip_prefix('=')) {
            return Some((name, value));
        }
        rest = behind.strip_prefix(',')?.trim_start();
    }
}

/// The variables that a template sets in one place. None is known of a template that takes too much
/// work.
fn set_once(template: &str) -> BTreeSet<&str> {
    if template.matches('$').count() * template.len() > MOST_WORK {
        return BTreeSet::new();
    }
    let mut counts = BTreeMap::<&str, usize>::new();
    for (at, _) in template.match_indices('$') {
        if let Some((name, _)) = assigned(&template[at..]) {
            *counts.entry(name).or_default() += 1;
        }
    }
    let once = counts.into_iter().filter(|(_, count)| *count == 1);
    once.map(|(name, _)| name).collect()
}

/// Whether a part of a word of an expression is among these.
fn hands_on(pipeline: &Pipeline<'_>, words: &[&str]) -> bool {
    pipeline.has(&|word| word.split('.').any(|part| words.contains(&part)))
}
