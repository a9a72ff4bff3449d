//! Follows the fences of a text: which lines are Markdown, and which directives are open.

use super::fence::Fence;

/// The deepest nesting of directives. Further ones are read as text.
const DEEPEST: usize = 50;

/// What is open at a line.
#[derive(Default)]
pub struct Nesting<'t> {
    /// Code, or a directive whose content is not read.
    skipped: Option<Fence<'t>>,
    /// Directives whose content is Markdown, the outer ones first.
    around: Vec<Fence<'t>>,
}

/// What a line is.
pub enum Line<'t> {
    /// It is Markdown.
    Text,
    /// It opens a directive with a name and arguments: tell the [`Nesting`] to
    /// [enter](Nesting::enter) or to [skip](Nesting::skip) it.
    Directive(Fence<'t>, &'t str, &'t str),
    /// It ends what is skipped.
    End,
    /// It opens code, is in what is skipped, or ends a directive.
    Other,
}

impl<'t> Nesting<'t> {
    /// What the next line is.
    pub fn read(&mut self, line: &'t str) -> Line<'t> {
        let fence = Fence::parse(line);
        if let Some(opening) = &self.skipped {
            if fence.is_none_or(|fence| !fence.closes(opening)) {
                return Line::Other;
            }
            self.skipped = None;
            return Line::End;
        }
        let Some(fence) = fence else {
            return Line::Text;
        };
        if let Some(inner) = self.around.iter().rposition(|open| fence.closes(open)) {
            self.around.truncate(inner);
        } else if let Some((name, arguments)) = fence.directive() {
            return Line::Directive(fence, name, arguments);
        } else if fence.is_code() {
            self.skipped = Some(fence);
        }
        Line::Other
    }

    /// The content of a directive is Markdown.
    pub fn enter(&mut self, directive: Fence<'t>) {
        if self.around.len() < DEEPEST {
            self.around.push(directive);
        }
    }

    /// The content of a directive is not read.
    pub fn skip(&mut self, directive: Fence<'t>) {
        self.skipped = Some(directive);
    }

    /// Whether what is open is not read.
    pub fn is_skipping(&self) -> bool {
        self.skipped.is_some()
    }

    /// Whether a directive is open.
    pub fn is_inside(&self) -> bool {
        !self.around.is_empty()
    }

    /// What is not read ends without a sign.
    pub fn leave(&mut self) {
        self.skipped = None;
    }
}
