//! The logic of templates: nothing is executed.
//!
//! - What is outside the logic stays.
//! - Literals are filled in where they are used: `assign`, `set`, `default`, and what a `capture`
//!   holds.
//! - Of `if`, `unless` and `case` the branch stays whose condition is known to hold, by literals
//!   and by the page's front matter. Where that is not known the first branch stays: the others
//!   would contradict it. Where the configuration says that the owner's build decides, none stays, and
//!   that is said.
//! - Of a loop only what stays the same in every round is kept, once.

mod captured;
mod expressions;
mod in_code;
mod names;
mod of_text;
/// Whether what follows a list gives other items instead of none.
fn gives_others(rest: &str) -> bool {
    let is_sum = rest.starts_with('+') || rest.starts_with("or ");
    is_sum || rest.contains("concat") || rest.contains("default")
}

#[cfg(test)]
mod tests;
mod value;

use std::collections::BTreeMap;
use std::ops::Range;

use super::page::Page;
use super::splice::Splice;
use crate::dialects::config::MOST_VALUES;
use crate::dialects::lines::{Lines, Remark};
use crate::dialects::tags::{Form, Inner, Pairs, Token, parts, tokens};
use crate::model::bounds;
use crate::model::problem::MOST_OF_ONE_FILE;
use crate::model::text::{one_line, shorten};
use crate::syntax::front::Front;
use crate::syntax::markdown::literal::Literals;
use captured::captured;
use names::{Value, given};
use value::{names_claim, names_variable};

pub use expressions::split_lines;
pub use in_code::rewrite as rewrite_code;
pub use names::Names;
pub use of_text::is_false;
pub use value::{Values, joined};

/// How much a text may grow by filling in, in bytes.
const MOST_GROWTH: usize = 1_000_000;
/// Blocks whose branches are chosen.
const CHOICES: [&str; 6] = ["if", "unless", "case", "ifversion", "ifequal", "ifnotequal"];
/// Tags that begin another branch of such a block.
const BRANCHES: [&str; 5] = ["else", "elsif", "elif", "elseif", "when"];
/// Blocks that are repeated.
const LOOPS: [&str; 2] = ["for", "tablerow"];
/// Blocks whose content is shown where it is named, if at all.
const HIDDEN: [&str; 3] = ["capture", "set", "macro"];
/// White space in a line.
const BLANKS: [char; 2] = [' ', '\t'];
/// Tags without anything to show.
const SILENT: [&str; 7] = [
    "assign",
    "increment",
    "decrement",
    "break",
    "continue",
    "liquid",
    "set",
];

/// Whether a condition is known to hold for a visitor of whom nothing is known.
pub fn is_for_everyone(condition: &str, front: &Front) -> bool {
    let site = BTreeMap::new();
    Values::new(Names::open(front, &site)).holds(condition) == Some(true)
}

/// Resolves the logic of a text; returns what was not decided, by name, with its count.
pub fn rewrite(lines: &mut Lines, page: &Page<'_>) -> BTreeMap<String, usize> {
    let text = lines.text.as_str();
    let mut undecided = BTreeMap::new();
    if !text.contains("{%") && !text.contains("{{") {
        return undecided;
    }
    let found = page.literals(lines);
    let all = tokens(text, &found, page.kind.reading());
    let known = Names::open(page.front, &page.kind.config.values);
    if !all.iter().any(|token| has_logic(token, &known)) {
        return undecided;
    }
    let mut walk = Walk::begin(text, &found, (&all, page), &mut undecided);
    walk.all(&all);
    let remarks: Vec<Remark> = walk.hidden.iter().map(|at| hidden(lines, *at)).collect();
    let (text, sources) = walk.splice.finish();
    lines.replace(text, &sources);
    lines.remarks.extend(remarks);
    undecided
}

/// Resolves the logic of tags that another step found, as [`rewrite`] does.
pub fn resolve(
    lines: &mut Lines,
    tokens: &[Token<'_>],
    page: &Page<'_>,
) -> BTreeMap<String, usize> {
    let mut undecided = BTreeMap::new();
    if tokens.is_empty() {
        return undecided;
    }
    let found = page.literals(lines);
    let text = lines.text.clone();
    let mut walk = Walk::begin(&text, &found, (tokens, page), &mut undecided);
    walk.all(tokens);
    let remarks: Vec<Remark> = walk.hidden.iter().map(|at| hidden(lines, *at)).collect();
    let (text, sources) = walk.splice.finish();
    lines.replace(text, &sources);
    lines.remarks.extend(remarks);
    undecided
}

/// What is said of a part that is not shown, by the place and the words of its tag.
fn hidden(lines: &Lines, (at, words): (usize, &str)) -> Remark {
    let words = shorten(&one_line(words), 60);
    let message = format!("the part is not shown: what `{words}` asks for is not known");
    lines.remark(at, message)
}

/// The names that are known in a text. Where the kind has no others, the tags say which have values.
fn names<'a>(tokens: &[Token<'a>], page: &'a Page<'_>) -> Names<'a> {
    let config = &page.kind.config;
    let site = &config.values;
    let kind = page.template_names();
    // Without a configuration, or with too large a one, nothing is known to be absent, where names
    // are those of the configuration.
    let is_whole = config.template_names.is_some() || (1..MOST_VALUES).contains(&site.len());
    let is_whole = is_whole && !config.has_more_values;
    let tags = tokens.iter().filter_map(parts);
    let given = tags.flat_map(|(_, name, arguments)| given(name, arguments));
    let dialect = page.kind.dialect;
    let mut opening = dialect.names_opened_by.iter();
    let is_opened = opening.any(|key| page.front.get(key).is_some());
    let is_opened = is_opened || !page.front.unread.is_empty();
    let names = match kind.filter(|_| is_whole && !is_opened) {
        Some(kind) => Names::closed(page.front, site, kind, given.collect()),
        None => Names::open(page.front, site).with(given.collect(), page.template_language()),
    };
    let of_path = (dialect.page_values)(config, page.files.path);
    names.and(of_path, &config.unknown_names, dialect.keys_are_names)
}

/// Whether a tag is logic, or an output that may be filled in.
fn has_logic(token: &Token<'_>, known: &Names<'_>) -> bool {
    match token.inner {
        Inner::Output(expression) => {
            let begins = ["page.", "site."];
            let name = expression.split('|').next().unwrap_or_default();
            expression.contains("default:")
                || begins.iter().any(|name| expression.starts_with(name))
                || known.has_alone(name.trim())
        }
        _ => parts(token).is_some_and(|(form, name, _)| {
            form == Form::Tag
                && (CHOICES.contains(&name)
                    || LOOPS.contains(&name)
                    || SILENT.contains(&name)
                    || HIDDEN.contains(&name))
        }),
    }
}

/// An open block.
struct Block<'a> {
    /// The number of its closing tag.
    end: usize,
    kind: BlockKind<'a>,
}

#[derive(Clone, Copy)]
enum BlockKind<'a> {
    /// A choice: the operand of a `case`, whether a branch was shown, and whether it is known to
    /// be the right one.
    Choice {
        case: Option<&'a str>,
        shown: bool,
        certain: bool,
    },
    /// A loop, and whether it has any round, as far as that is known.
    Loop { has_rounds: Option<bool> },
    /// A `capture` with its name, and where its content begins.
    Capture { name: &'a str, start: usize },
}

struct Walk<'a, 'w> {
    text: &'a str,
    found: &'w Literals,
    splice: Splice<'a>,
    values: Values<'w>,
    blocks: Vec<Block<'a>>,
    /// Where the part begins that is dropped, and how many blocks are around it.
    dropped: Option<(usize, usize)>,
    grown: usize,
    undecided: &'w mut BTreeMap<String, usize>,
    /// Whether what is not decided is not shown.
    hides: bool,
    /// The places of tags whose parts are not shown for that reason, and their words.
    hidden: Vec<(usize, &'a str)>,
}

impl<'a, 'w> Walk<'a, 'w> {
    fn begin(
        text: &'a str,
        found: &'w Literals,
        (tokens, page): (&[Token<'w>], &'w Page<'_>),
        undecided: &'w mut BTreeMap<String, usize>,
    ) -> Self {
        Self {
            text,
            found,
            splice: Splice::new(text),
            values: Values::new(names(tokens, page)),
            blocks: Vec::new(),
            dropped: None,
            grown: 0,
            undecided,
            hides: page.kind.config.hides_undecided,
            hidden: Vec::new(),
        }
    }

    fn all(&mut self, tokens: &[Token<'a>]) {
        let pairs = Pairs::find(tokens);
        let mut at = 0;
        while at < tokens.len() && !bounds::is_over() {
            if let Some(end) = pairs.end_of_literal(tokens, at, |_| false) {
                at = end + 1;
                continue;
            }
            self.one(tokens, &pairs, at);
            at += 1;
        }
    }

    fn one(&mut self, tokens: &[Token<'a>], pairs: &Pairs<'_>, at: usize) {
        let token = &tokens[at];
        if let Inner::Output(expression) = token.inner {
            if self.dropped.is_none() {
                self.output(token, expression);
            }
            return;
        }
        let Some((Form::Tag, name, arguments)) = parts(token) else {
            return;
        };
        if self.blocks.last().is_some_and(|block| block.end == at) {
            return self.close(token);
        }
        match pairs.partner_behind(at) {
            Some(end) => self.open(tokens, token, end, name, arguments),
            None if self.is_branch(name) => self.branch(token, name, arguments),
            None => self.single(token, name, arguments),
        }
    }

    /// The opening tag of a block.
    fn open(
        &mut self,
        tokens: &[Token<'a>],
        token: &Token<'a>,
        end: usize,
        name: &'a str,
        arguments: &'a str,
    ) {
        let kind = if CHOICES.contains(&name) {
            BlockKind::Choice {
                case: (name == "case").then_some(arguments),
                shown: false,
                certain: true,
            }
        } else if LOOPS.contains(&name) {
            BlockKind::Loop {
                has_rounds: self.has_rounds(arguments),
            }
        } else if HIDDEN.contains(&name) {
            BlockKind::Capture {
                name: arguments.split_whitespace().next().unwrap_or_default(),
                start: token.range.end,
            }
        } else {
            return;
        };
        self.blocks.push(Block { end, kind });
        if self.dropped.is_some() {
            return;
        }
        match kind {
            BlockKind::Choice { case: None, .. } => self.choose(token, name, arguments),
            BlockKind::Loop { has_rounds } => {
                let is_unknown = self.hides && has_rounds.is_none();
                if is_unknown && self.hidden.len() <= MOST_OF_ONE_FILE {
                    self.hidden.push((token.range.start, arguments));
                }
                if is_unknown || has_rounds == Some(false) {
                    return self.drop_from(token.range.start);
                }
                *self.undecided.entry(name.to_owned()).or_default() += 1;
                let varies = varies(self.text, tokens, token, end, arguments);
                self.show_or_drop(token, !varies);
            }
            // Before the first `when` of a `case` there is nothing to show.
            BlockKind::Choice { .. } | BlockKind::Capture { .. } => {
                self.drop_from(token.range.start);
            }
        }
    }

    /// Whether a loop has any round, as far as that is known: `item in items`.
    fn has_rounds(&self, arguments: &str) -> Option<bool> {
        let (_, items) = arguments.split_once(" in ")?;
        let items = items.trim();
        let list = items.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
        if let Some(list) = list.filter(|list| !list.contains(['[', ']'])) {
            return Some(!list.trim().is_empty());
        }
        // What follows a list says which of its items, or what to do with them: `limit: 3`.
        let (list, rest) = items.split_once(char::is_whitespace).unwrap_or((items, ""));
        match self.values.is_nothing(list) && !gives_others(rest.trim_start()) {
            true => Some(false),
            false => self.values.holds(items),
        }
    }

    /// Shows the branch that begins here, or drops it.
    fn choose(&mut self, token: &Token<'a>, name: &str, condition: &'a str) {
        let Some(Block {
            kind:
                BlockKind::Choice {
                    case,
                    shown,
                    certain,
                },
            ..
        }) = self.blocks.last_mut()
        else {
            return;
        };
        let holds = self.values.of_branch(name, *case, condition);
        // Of what depends on who the visitor is, in a way that is not known, nothing is public.
        let is_open = names_variable(condition);
        let is_private =
            holds.is_none() && (self.hides || is_open || names_claim(case.unwrap_or(condition)));
        if is_private && (self.hides || is_open) && !*shown && self.hidden.len() <= MOST_OF_ONE_FILE
        {
            self.hidden.push((token.range.start, condition));
        }
        *shown |= is_private;
        if holds.is_none() && !*shown {
            *self.undecided.entry(name.to_owned()).or_default() += 1;
        }
        let shows = !*shown && holds != Some(false);
        *shown |= shows;
        *certain &= holds.is_some();
        self.show_or_drop(token, shows);
    }

    /// Whether a tag begins another branch of the block around it.
    fn is_branch(&self, name: &str) -> bool {
        match self.blocks.last().map(|block| block.kind) {
            Some(BlockKind::Choice { .. }) => BRANCHES.contains(&name),
            Some(BlockKind::Loop { .. }) => name == "else",
            Some(BlockKind::Capture { .. }) | None => false,
        }
    }

    fn branch(&mut self, token: &Token<'a>, name: &str, condition: &'a str) {
        match self.dropped {
            // The part that is dropped is around this block.
            Some((_, depth)) if depth < self.blocks.len() => return,
            Some((start, _)) => {
                self.splice.put(start..token.range.start, "");
                self.dropped = None;
            }
            None => {}
        }
        match self.blocks.last().map(|block| block.kind) {
            Some(BlockKind::Loop {
                has_rounds: Some(false),
            }) => self.remove(token),
            Some(BlockKind::Loop { .. }) => self.drop_from(token.range.start),
            _ => self.choose(token, name, condition),
        }
    }

    fn close(&mut self, token: &Token<'a>) {
        let Some(block) = self.blocks.pop() else {
            return;
        };
        let around = self.blocks.len();
        match self.dropped {
            Some((_, depth)) if depth <= around => {}
            Some((start, _)) => {
                self.dropped = None;
                if let BlockKind::Capture { name, start } = block.kind {
                    let content = &self.text[start..token.range.start];
                    self.values.assign(name, captured(content));
                }
                if !self.remove_lines(&(start..token.range.end)) {
                    self.splice.put(start..token.range.end, "");
                }
            }
            None => self.remove(token),
        }
    }

    /// A tag without an end.
    fn single(&mut self, token: &Token<'a>, name: &str, arguments: &'a str) {
        if self.dropped.is_some() || !SILENT.contains(&name) {
            return;
        }
        if matches!(name, "assign" | "set")
            && let Some((variable, expression)) = arguments.split_once('=')
        {
            let (variable, value) = (variable.trim(), self.values.expression(expression));
            // A branch that may not be the right one does not overrule what is known.
            let doubtful = self.blocks.iter().any(|block| {
                matches!(
                    block.kind,
                    BlockKind::Loop { .. } | BlockKind::Choice { certain: false, .. }
                )
            });
            if !(doubtful && self.values.has(variable)) {
                self.values.assign(variable, value);
            }
        }
        self.remove(token);
    }

    fn output(&mut self, token: &Token<'a>, expression: &str) {
        let Value::Text(value) = self.values.expression(expression) else {
            return;
        };
        let value = self.values.shown(value);
        if self.grown < MOST_GROWTH && !value.contains("{{") && !value.contains("{%") {
            self.grown += value.len();
            self.splice.put(token.range.clone(), &value);
        }
    }

    /// Removes a tag before a part that is shown, or drops the part with it.
    fn show_or_drop(&mut self, token: &Token<'a>, shows: bool) {
        match shows {
            true => self.remove(token),
            false => self.drop_from(token.range.start),
        }
    }

    fn drop_from(&mut self, start: usize) {
        self.dropped = Some((start, self.blocks.len()));
    }

    fn remove(&mut self, token: &Token<'a>) {
        if !self.remove_lines(&token.range) {
            self.splice.put_lines(token.range.clone(), "");
        }
    }

    /// Removes a part with its lines if nothing else is on them and a blank line would end a block
    /// of HTML; whether it did.
    fn remove_lines(&mut self, range: &Range<usize>) -> bool {
        let before = &self.text[..range.start];
        let begin = before.trim_end_matches(BLANKS).len();
        let after = self.text[range.end..].trim_start_matches(BLANKS);
        let alone = || (begin == 0 || before[..begin].ends_with('\n')) && after.starts_with('\n');
        let removes = self.found.is_html(range.start) && alone() && begin >= self.splice.done();
        if removes {
            let end = self.text.len() - after.len() + 1;
            self.splice.put(begin..end, "");
        }
        removes
    }
}

/// Whether the body of a loop shows something else in every round: it names the loop's variable.
fn varies(text: &str, tokens: &[Token<'_>], open: &Token<'_>, end: usize, arguments: &str) -> bool {
    let variable = arguments.split_whitespace().next().unwrap_or_default();
    let Some(close) = tokens.get(end) else {
        return false;
    };
    let body = &text[open.range.end..close.range.start];
    !variable.is_empty()
        && body.split("{{").skip(1).any(|output| {
            let (inner, _) = output.split_once("}}").unwrap_or((output, ""));
            inner.contains(variable)
        })
}
