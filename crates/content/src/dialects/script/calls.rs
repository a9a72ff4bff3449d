//! The arguments of the calls of a function.

use std::rc::Rc;

use super::{Program, ROOM, Scripts, value};
use crate::model::problem::SourceLocation;
use crate::syntax::front::Node;
use crate::syntax::tokens::{TokenKind, unquoted};

/// The maximum number of calls, and of arguments of one of them.
const MOST: usize = 200;
const MOST_ARGUMENTS: usize = 10;

impl Scripts<'_, '_> {
    /// The arguments of all calls of a function, in a program and the files that it names. The place
    /// is that of the call.
    pub(in crate::dialects) fn calls(
        &mut self,
        path: &str,
        function: &str,
    ) -> Vec<(SourceLocation, Vec<Node>)> {
        self.room = ROOM;
        let mut calls = Vec::new();
        for program in self.programs_of(path) {
            for at in 0..program.code.count() {
                let is_call = program.code.is_word(at, function) && program.code.is(at + 1, '(');
                if is_call && calls.len() < MOST {
                    let (line, column) = program.place(at);
                    let path = program.path.clone();
                    let place = SourceLocation { path, line, column };
                    calls.push((place, self.arguments(&program, at + 1)));
                }
            }
        }
        calls
    }

    /// A program and the files that it names by a path, and that those name.
    fn programs_of(&mut self, path: &str) -> Vec<Rc<Program>> {
        let mut programs: Vec<Rc<Program>> = self.program(path).into_iter().collect();
        let mut next = 0;
        while let Some(program) = programs.get(next).cloned() {
            next += 1;
            for at in 0..program.code.count() {
                let imported = self.program_named_at(&program, at);
                let is_new = |path: &String| programs.iter().all(|known| known.path != *path);
                if let Some(more) = imported.filter(is_new).and_then(|path| self.program(&path)) {
                    programs.push(more);
                }
            }
        }
        programs
    }

    /// The path of the program that the text at a token names, if it names one.
    fn program_named_at(&self, program: &Program, at: usize) -> Option<String> {
        let is_text = program.code.kind(at) == Some(TokenKind::Text);
        let name = program.code.source(at);
        if !is_text || !name[1..].starts_with('.') {
            return None;
        }
        let imported = self.imported(program, &unquoted(name));
        imported.filter(|path| !path.ends_with(".json"))
    }

    /// The values between the parentheses at a token. A function is computed.
    fn arguments(&mut self, program: &Rc<Program>, open: usize) -> Vec<Node> {
        let (mut at, end) = (open + 1, program.code.end(open));
        let mut arguments = Vec::new();
        while at < end && arguments.len() < MOST_ARGUMENTS {
            let behind = value::behind(program, at).min(end);
            arguments.push(match self.function_at(program, at, behind) {
                Some(function) => self.computed(program, function),
                None => self.value(program, at, 0).0,
            });
            at = behind.max(at) + 1;
        }
        arguments
    }

    /// The function from one token to another, or the one that has this name.
    pub(super) fn function_at(
        &mut self,
        program: &Program,
        at: usize,
        end: usize,
    ) -> Option<usize> {
        if program.is_function(at) {
            return Some(at);
        }
        let is_name = at + 1 == end;
        is_name.then(|| program.declared(program.code.source(at)))?
    }

    /// What a function computes.
    pub(super) fn computed(&mut self, program: &Rc<Program>, function: usize) -> Node {
        self.unread(program, function, value::behind(program, function))
    }
}
