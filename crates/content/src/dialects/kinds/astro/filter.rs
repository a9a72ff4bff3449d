//! What a filter of a collection asks of every text that it lets through.

use std::collections::BTreeSet;

use super::condition::{Condition, Question, Subject, of_filter};
use super::programs::{Place, Programs};

/// How deep conditions are looked through.
const DEEPEST: usize = 40;

/// One thing that a text must have, or must not have.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ask {
    pub subject: Subject,
    pub question: Question,
    pub is: bool,
    /// The value of a text that has none.
    pub usual: Option<String>,
}

impl Ask {
    /// Whether it can be asked of a text: of the path only what the path must not be, and of a key
    /// not how its value begins or ends.
    fn is_read(&self) -> bool {
        let is_of_path = matches!(self.question, Question::Begins(_) | Question::Ends(_));
        match self.subject {
            Subject::Id => !self.is,
            Subject::Key(_) => !is_of_path,
        }
    }
}

/// What is asked, and whether that is all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    pub asks: BTreeSet<Ask>,
    pub is_whole: bool,
}

impl Filter {
    /// A filter that lets every text through.
    pub fn open() -> Self {
        Self {
            asks: BTreeSet::new(),
            is_whole: true,
        }
    }

    /// The filter at a place, a function or its name.
    pub fn read(place: &Place, programs: &mut Programs<'_, '_>) -> Self {
        let mut filter = Self::open();
        filter.add(&of_filter(place, programs), true, 0);
        filter
    }

    /// Adds what another filter asks.
    pub fn and(&mut self, other: Self) {
        self.asks.extend(other.asks);
        self.is_whole &= other.is_whole;
    }

    /// Adds what a condition asks if it must hold, or must not.
    fn add(&mut self, condition: &Condition, wanted: bool, depth: usize) {
        if depth > DEEPEST {
            self.is_whole = false;
            return;
        }
        match known(condition, depth) {
            Some(holds) if holds == wanted => return,
            Some(_) => return self.ask_nothing(),
            None => {}
        }
        match condition {
            Condition::Asks(subject, question, usual) => {
                self.ask(Ask {
                    subject: subject.clone(),
                    question: question.clone(),
                    is: wanted,
                    usual: usual.clone(),
                });
            }
            Condition::Not(inner) => self.add(inner, !wanted, depth + 1),
            Condition::All(all) if wanted => {
                all.iter().for_each(|one| self.add(one, true, depth + 1));
            }
            Condition::Any(all) if !wanted => {
                all.iter().for_each(|one| self.add(one, false, depth + 1));
            }
            Condition::All(all) | Condition::Any(all) => {
                // One of them must hold: that says something of a text if only one may.
                let may = |one: &&Condition| {
                    let is_unset = wanted && **one == Condition::Unset;
                    !is_unset && known(one, depth) != Some(!wanted)
                };
                let mut possible = all.iter().filter(may);
                match (possible.next(), possible.next()) {
                    (Some(one), None) => self.add(one, wanted, depth + 1),
                    _ => self.is_whole = false,
                }
            }
            _ => self.is_whole = false,
        }
    }

    /// Adds a question, and what follows from its answer.
    fn ask(&mut self, ask: Ask) {
        if !ask.is_read() {
            self.is_whole = false;
            return;
        }
        let is = |text: &str| Question::OneOf(vec![text.to_owned()]);
        let mut also = |question: Question, is| {
            self.asks.insert(Ask {
                question,
                is,
                ..ask.clone()
            });
        };
        match (&ask.question, ask.is) {
            (Question::True, true) => also(is("false"), false),
            (question, is_it) if *question == is("true") => {
                also(Question::True, is_it);
                if is_it {
                    also(is("false"), false);
                }
                return;
            }
            (question, true) if *question == is("false") => also(Question::True, false),
            _ => {}
        }
        self.asks.insert(ask);
    }

    /// Adds what no text has.
    fn ask_nothing(&mut self) {
        self.asks.insert(Ask {
            subject: Subject::Key(String::new()),
            question: Question::OneOf(Vec::new()),
            is: true,
            usual: None,
        });
    }
}

/// Whether a condition holds in the owner's build, whatever a text has.
fn known(condition: &Condition, depth: usize) -> Option<bool> {
    match condition {
        _ if depth > DEEPEST => None,
        Condition::Known(known) => Some(*known),
        Condition::Text(text) => Some(!text.is_empty()),
        Condition::Not(one) => known(one, depth + 1).map(|known| !known),
        Condition::All(all) => known_together(all, false, depth + 1),
        Condition::Any(all) => known_together(all, true, depth + 1),
        _ => None,
    }
}

/// The same of several conditions: one with the `decisive` answer decides for all.
fn known_together(all: &[Condition], decisive: bool, depth: usize) -> Option<bool> {
    let mut are_known = true;
    for one in all {
        match known(one, depth) {
            Some(answer) if answer == decisive => return Some(decisive),
            Some(_) => {}
            None => are_known = false,
        }
    }
    are_known.then_some(!decisive)
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;
    use crate::dialects::evidence::Evidence;
    use crate::dialects::kinds::astro::programs::Program;
    use crate::syntax::tokens::Code;
    use diglot_document::testing::sources;

    /// What a filter asks, each as `wip`, `!wip`, `stage=a|b`, `tags~x`, `id^x` or `id$x`; `…` if that is
    /// not all.
    fn asks(filter: &str) -> String {
        let sources = sources(&[(
            "src/lib/public.ts",
            "export const isPublic = ({ data }) => !data.wip;\nexport default (post) => { return post.data.live };\nexport function isShown(data) { return !data.gone }\n",
        )]);
        let evidence = Evidence::new(&sources);
        let mut programs = Programs::new(&evidence, "src");
        let start = "import both, { isPublic as open } from '@/lib/public';\nimport { isShown } from '../lib/public.js';\nconst isProd = import.meta.env.PROD;\nconst x = ";
        let program = Rc::new(Program {
            path: "src/pages/a.astro".to_owned(),
            code: Code::new(format!("{start}{filter}")),
        });
        let at = Code::new(start).count();
        let filter = Filter::read(&Place { program, at }, &mut programs);
        let mut shown: Vec<String> = filter.asks.iter().map(shown).collect();
        if !filter.is_whole {
            shown.push("…".to_owned());
        }
        shown.join(" ")
    }

    fn shown(ask: &Ask) -> String {
        let subject = match &ask.subject {
            Subject::Key(key) => key,
            Subject::Id => "id",
        };
        let question = match &ask.question {
            Question::True => String::new(),
            Question::OneOf(texts) => format!("={}", texts.join("|")),
            Question::Has(text) => format!("~{text}"),
            Question::Begins(text) => format!("^{text}"),
            Question::Ends(text) => format!("${text}"),
        };
        let usual = ask.usual.as_ref().map(|usual| format!("?{usual}"));
        let sign = if ask.is { "" } else { "!" };
        format!("{sign}{subject}{question}{}", usual.unwrap_or_default())
    }

    #[test]
    fn rule_26_filters_ask_for_keys() {
        for (filter, expected) in [
            ("({ data }) => !data.wip", "!wip"),
            (
                "(p) => { return !p.data.wip && p.data.live; }",
                "live !live=false !wip",
            ),
            ("({data}) => data.x !== true", "!x"),
            ("({data}) => data.x === false", "!x x=false"),
            (
                "({data}) => import.meta.env.PROD ? data.y === true : true",
                "y !y=false",
            ),
            ("({data}) => import.meta.env.DEV || !data.wip", "!wip"),
            ("({data}) => import.meta.env.DRAFTS || !data.wip", "!wip"),
            ("({data}) => !isProd || !data.wip", "!wip"),
            ("(p) => !(p.data.wip || p.data.old)", "!old !wip"),
            ("(p) => !(p.data.a ?? false)", "!a?false"),
            ("(p) => !(p.data.a || p.data.b === 1)", "!a !b=1"),
            ("({ data: { wip } }) => !wip", "!wip"),
            (
                "({ data: { wip, lang } }) => lang === 'en' && !wip",
                "lang=en !wip",
            ),
            ("({data}) => data.stage === 'public'", "stage=public"),
            (
                "({data}) => !data.tags?.includes('internal')",
                "!tags~internal",
            ),
            ("({data}) => ['a', 'b'].includes(data.stage)", "stage=a|b"),
            ("({data}) => data.seo.hide !== 'yes'", "!seo.hide=yes"),
            ("({id}) => !id.startsWith('internal/')", "!id^internal/"),
            (
                "async (post: CollectionEntry<'a'>): boolean => post.slug !== 'x'",
                "!id=x",
            ),
            (
                "function (p) { return Boolean(p.data.live) }",
                "live !live=false",
            ),
            (
                "(p) => { if (import.meta.env.DEV) return true; return !p.data.wip }",
                "!wip",
            ),
            (
                "({data}) => !data.wip && data.pubDate <= new Date()",
                "!wip",
            ),
            (
                "({data}) => !data.wip && new Date(data.pubDate).valueOf() < Date.now()",
                "!wip",
            ),
            ("open", "!wip"),
            ("both", "live !live=false"),
            ("(post) => open(post) && isShown(post.data)", "!wip …"),
            ("({ data }) => isShown(data)", "!gone"),
            ("() => import.meta.env.DEV", "="),
        ] {
            assert_eq!(asks(filter), expected, "{filter}");
        }
    }

    #[test]
    fn rule_26_what_is_not_read_of_a_filter_is_known() {
        for (filter, expected) in [
            ("({data}) => data.a || data.b", "…"),
            ("(p) => !(p.data.a && p.data.b)", "…"),
            ("({ data: { wip }, id }) => !id.wip", "…"),
            ("({data}) => data.x === false ? true : data.y", "…"),
            ("({data}) => data.tags.some((tag) => tag === 'x')", "…"),
            ("({data}) => !data.wip && data.tags.length > 0", "!wip …"),
            ("({id}) => id.startsWith('en/')", "…"),
            ("({data}) => /x/.test(data.title)", "…"),
            ("({data}) => import.meta.env.OPEN && !data.wip", "!wip …"),
            ("({data}) => { const open = !data.wip; return open }", "…"),
            ("unknown", "…"),
            ("makeFilter('x')", "…"),
        ] {
            assert_eq!(asks(filter), expected, "{filter}");
        }
    }

    #[test]
    fn a_hostile_filter_is_bounded() {
        for unit in ["(p) => ", "!", "(", "p.data.a ? ", "x && ", "const f = f;"] {
            asks(&unit.repeat(20_000));
        }
        let doubles: Vec<String> = (0..60)
            .map(|at| format!("const c{at} = c{} && c{};", at + 1, at + 1))
            .collect();
        asks(&format!("(p) => c0; {}", doubles.join("\n")));
    }

    proptest::proptest! {
        #[test]
        fn no_filter_panics(text in "(\\(p\\) => |\\(\\{data\\}\\) => |data\\.|p\\.|id|!|x|=== |'a'|true|\\?\\?|\\?|:|\\(|\\)|\\{|\\}|\\[|\\]|\\|\\||&&|\\.includes\\(|return |if \\(|é| ){0,30}") {
            asks(&text);
        }
    }
}
