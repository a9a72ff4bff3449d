//! The texts of a collection that routes of a site make pages of: those that `getStaticPaths` of
//! `[...slug].astro` gives paths.

use std::{collections::BTreeSet, rc::Rc};

use super::calls::Call::{Of, OfAny};
use super::calls::calls;
use super::filter::Filter;
use super::programs::{Function, Place, Program, Programs, is_changed, is_function};
use crate::dialects::evidence::Evidence;
use crate::model::path::inside_or_folder;
use crate::syntax::tokens::{TokenKind, unquoted};

/// The function that gives the paths of a route.
const PATHS: &str = "getStaticPaths";
/// The function that gives a collection.
pub const GETTER: &str = "getCollection";
/// Methods of lists that keep their items, or make something of each.
const KEEPING: [&str; 7] = [
    "sort",
    "toSorted",
    "reverse",
    "toReversed",
    "slice",
    "map",
    "flatMap",
];
/// What a template that shows a text has.
const SHOWING: [&str; 3] = ["render(", ".render()", "<Content"];
/// Names of a parameter that is the path of one text.
const PARAMETERS: [&str; 6] = [
    "[...slug]",
    "[slug]",
    "[...id]",
    "[id]",
    "[...path]",
    "[post]",
];
/// The most routes that are read.
const MOST: usize = 200;
/// How deep values are followed.
const DEEPEST: usize = 12;

/// A collection, as a program takes texts of it.
pub struct Taken {
    pub name: String,
    pub filter: Filter,
    /// Where.
    pub place: Place,
}

/// What the routes take.
#[derive(Default)]
pub struct Routes {
    pub taken: Vec<Taken>,
    /// The collections of routes that are not read.
    pub unread: BTreeSet<String>,
}

/// What the routes take; `None`: one of them takes what is not known.
pub fn taken(
    evidence: &Evidence<'_>,
    source: &str,
    programs: &mut Programs<'_, '_>,
) -> Option<Routes> {
    let pages = inside_or_folder(source, "pages");
    let files = evidence.below(&pages);
    let files = files.filter(|file| file.path.ends_with(".astro") && file.path.contains('['));
    let mut routes = Routes::default();
    for file in files.take(MOST) {
        let text = String::from_utf8_lossy(&file.bytes);
        let shows = SHOWING.iter().any(|sign| text.contains(sign));
        if !shows && !PARAMETERS.iter().any(|name| file.path.contains(name)) {
            continue;
        }
        let taken = of_route(&file.path, programs);
        if let Some(mut taken) = taken.filter(|taken| !taken.is_empty()) {
            routes.taken.append(&mut taken);
            continue;
        }
        let named = calls(&text);
        if named.is_empty() {
            return None;
        }
        for (_, call) in named {
            match call {
                Of(name) => routes.unread.insert(name.to_owned()),
                OfAny => return None,
            };
        }
    }
    Some(routes)
}

/// What one route takes.
fn of_route(path: &str, programs: &mut Programs<'_, '_>) -> Option<Vec<Taken>> {
    let program = programs.open(path)?;
    let function = programs.meaning(&program, PATHS)?;
    let call = Call {
        function,
        argument: None,
    };
    call.result(programs, 0)
}

/// A call of a function with one list, or none.
struct Call<'c> {
    function: Place,
    argument: Option<(Place, &'c Call<'c>)>,
}

impl Call<'_> {
    /// What the list is made of that the function returns.
    fn result(&self, programs: &mut Programs<'_, '_>, depth: usize) -> Option<Vec<Taken>> {
        let code = &self.function.program.code;
        let mut at = self.function.at;
        // `(async () => { … }) satisfies GetStaticPaths`
        while code.is(at, '(') && !is_function(code, at) && at < self.function.at + DEEPEST {
            at += 1;
        }
        let function = Function::at(code, at).filter(|_| is_function(code, at))?;
        let mut all = Vec::new();
        for at in function.returned(code) {
            all.extend(self.list(&self.function.to(at), programs, depth + 1)?);
        }
        Some(all)
    }

    /// The name of the parameter of the function.
    fn parameter(&self) -> Option<&str> {
        let code = &self.function.program.code;
        let function = Function::at(code, self.function.at)?;
        let first = function.parameters + usize::from(code.is(function.parameters, '('));
        Some(code.source(first))
    }

    /// What a list is made of: `posts.filter(…).map(…)`.
    fn list(
        &self,
        place: &Place,
        programs: &mut Programs<'_, '_>,
        depth: usize,
    ) -> Option<Vec<Taken>> {
        if depth > DEEPEST {
            return None;
        }
        let code = &place.program.code;
        let (mut all, mut at) = self.without_methods(place, programs, depth)?;
        loop {
            let sign = at + usize::from(code.is(at, '?'));
            if !code.is(sign, '.') || !code.is(sign + 2, '(') {
                return Some(all);
            }
            match code.source(sign + 1) {
                "filter" => {
                    let filter = Filter::read(&place.to(sign + 3), programs);
                    all.iter_mut()
                        .for_each(|one| one.filter.and(filter.clone()));
                }
                method if KEEPING.contains(&method) => {}
                _ => return None,
            }
            at = code.behind(sign + 2);
        }
    }

    /// A list without the methods behind it, and the token there.
    fn without_methods(
        &self,
        place: &Place,
        programs: &mut Programs<'_, '_>,
        depth: usize,
    ) -> Option<(Vec<Taken>, usize)> {
        let code = &place.program.code;
        let at = place.at;
        match code.kind(at)? {
            TokenKind::Sign('(') => {
                let inner = self.list(&place.to(at + 1), programs, depth + 1)?;
                Some((inner, code.behind(at)))
            }
            TokenKind::Sign('[') => self.spread(place, programs, depth),
            TokenKind::Word if code.is_word(at, "await") => {
                self.without_methods(&place.to(at + 1), programs, depth + 1)
            }
            TokenKind::Word if code.is_word(at, "Promise") && code.is(at + 3, '(') => {
                let inner = self.list(&place.to(at + 4), programs, depth + 1)?;
                Some((inner, code.behind(at + 3)))
            }
            TokenKind::Word if code.is_word(at, GETTER) => {
                let open = (at + 1..at + DEEPEST).find(|at| code.is(*at, '('))?;
                let taken = collection(place, open, programs)?;
                Some((vec![taken], code.behind(open)))
            }
            TokenKind::Word if code.is(at + 1, '(') => {
                let function = programs.meaning(&place.program, code.source(at))?;
                let has_argument = !code.is(at + 2, ')');
                let call = Call {
                    function,
                    argument: has_argument.then(|| (place.to(at + 2), self)),
                };
                Some((call.result(programs, depth + 1)?, code.behind(at + 1)))
            }
            TokenKind::Word => Some((self.named(place, programs, depth)?, at + 1)),
            _ => None,
        }
    }

    /// A constant, or the parameter of the function.
    fn named(
        &self,
        place: &Place,
        programs: &mut Programs<'_, '_>,
        depth: usize,
    ) -> Option<Vec<Taken>> {
        let name = place.program.code.source(place.at);
        let is_own = Rc::ptr_eq(&place.program, &self.function.program);
        if let Some((argument, caller)) = &self.argument
            && is_own
            && self.parameter() == Some(name)
        {
            return caller.list(argument, programs, depth + 1);
        }
        let meaning = programs.meaning(&place.program, name)?;
        let code = &meaning.program.code;
        if is_function(code, meaning.at) {
            return None;
        }
        let mut all = self.list(&meaning, programs, depth + 1)?;
        if is_changed(code, name) {
            all.iter_mut().for_each(|one| one.filter.is_whole = false);
        }
        Some(all)
    }

    /// `[...posts, ...notes]`
    fn spread(
        &self,
        place: &Place,
        programs: &mut Programs<'_, '_>,
        depth: usize,
    ) -> Option<(Vec<Taken>, usize)> {
        let code = &place.program.code;
        let end = code.end(place.at);
        let (mut all, mut at) = (Vec::new(), place.at + 1);
        while at < end {
            if code.kind(at) != Some(TokenKind::Spread) {
                return None;
            }
            all.extend(self.list(&place.to(at + 1), programs, depth + 1)?);
            at = code.expression_end(at + 1, |_| false) + 1;
        }
        Some((all, code.behind(place.at)))
    }
}

/// The collection that a call takes, whose bracket is at `open`, with its filter.
pub fn collection(place: &Place, open: usize, programs: &mut Programs<'_, '_>) -> Option<Taken> {
    let program: &Program = &place.program;
    let code = &program.code;
    if code.kind(open + 1) != Some(TokenKind::Text) {
        return None;
    }
    let filter = place.to(open + 3);
    let has_filter = code.is(open + 2, ',') && !code.is(open + 3, ')');
    Some(Taken {
        name: unquoted(code.source(open + 1)),
        filter: match has_filter {
            true => Filter::read(&filter, programs),
            false => Filter::open(),
        },
        place: place.to(open),
    })
}
