//! Writes one directive as plain Markdown.

use super::directives::Writer;
use super::form::Form;
use super::{data, lists, place};
use crate::dialects::markup::{self, block_place};
use crate::dialects::myst::directive::{Directive, Row, blank};
use crate::dialects::tags::callout;
use crate::model::document::callout_kind;
use crate::model::sections::in_words;
use crate::syntax::markdown::TEX_DISPLAY;

impl Writer<'_> {
    /// The lines that a directive becomes.
    pub fn directive(&mut self, directive: Directive, depth: usize) -> Vec<Row> {
        let Some(form) = Form::of(&directive.name) else {
            *self.unknown.entry(directive.name).or_default() += 1;
            return self.write(&directive.body, depth + 1);
        };
        let id = directive.option("name").or(directive.option("label"));
        let place = id.map(|id| directive.row(block_place(&place::id(id))));
        let written = self.written(form, directive, depth);
        match place.filter(|_| !written.is_empty()) {
            Some(place) => {
                let after = blank(place.source);
                [vec![place, after], written].concat()
            }
            None => written,
        }
    }

    /// The lines of a form, whose content may have directives of its own.
    fn written(&mut self, form: Form, mut directive: Directive, depth: usize) -> Vec<Row> {
        match form {
            Form::Container => self.write(&directive.body, depth + 1),
            Form::ListTable => {
                let table = lists::table(&directive);
                let table = table.unwrap_or_else(|| self.write(&directive.body, depth + 1));
                [title(&directive), table].concat()
            }
            Form::Glossary => lists::glossary(&self.write(&directive.body, depth + 1)),
            Form::Include => self.include(&directive, depth),
            Form::IncludeCode => self.include_code(&directive),
            Form::Version(begin) => self.version(begin, directive, depth),
            Form::Object => {
                let signature = markup::code_span(&directive.arguments);
                self.below(signature, &directive, depth)
            }
            Form::Picture => self.below(self.picture(&directive), &directive, depth),
            Form::Section => [title(&directive), self.write(&directive.body, depth + 1)].concat(),
            Form::Card => self.card(&directive, depth),
            Form::Callout(kind) if self.has_titles() && !directive.arguments.is_empty() => {
                let opening = callout::mark(kind, &directive.arguments, opened(&directive));
                self.quote(&directive, Some(&opening), depth)
            }
            Form::Callout(kind) => {
                if !directive.arguments.is_empty() {
                    let first = directive.row(directive.arguments.as_str());
                    directive.body.insert(0, first);
                }
                let title = if kind == "seealso" { "See also" } else { "" };
                let opening = callout::mark(kind, title, opened(&directive));
                self.quote(&directive, Some(&opening), depth)
            }
            Form::Titled => self.quote(&directive, Some(&titled(&directive)), depth),
            Form::Statement if directive.body.is_empty() => {
                let name = callout::label(&statement(&directive));
                vec![directive.row(name)]
            }
            Form::Statement => {
                let opening = callout::mark("note", &statement(&directive), opened(&directive));
                self.quote(&directive, Some(&opening), depth)
            }
            Form::Film => self.below(film(&directive), &directive, depth),
            Form::Details => {
                let is_open = directive.option("open").is_some();
                let opening = callout::mark("details", &directive.arguments, Some(is_open));
                self.quote(&directive, Some(&opening), depth)
            }
            Form::Quote => self.quote(&directive, None, depth),
            _ => self.alone(form, directive),
        }
    }

    /// Whether the words behind the name of a callout are its title.
    pub fn has_titles(&self) -> bool {
        let myst = self.page.kind.config.myst.as_ref();
        myst.is_some_and(|myst| myst.titles)
    }

    /// The lines of a form whose content is not Markdown, or of one without content.
    fn alone(&self, form: Form, mut directive: Directive) -> Vec<Row> {
        match form {
            Form::Terminal => {
                let input = directive.option("input").map(|input| format!("$ {input}"));
                let input = input.map(|input| directive.row(input));
                directive.body.splice(..0, input);
                code(&directive, "console")
            }
            Form::Code => code(&directive, &directive.arguments),
            Form::CodeIn(language) => code(&directive, language),
            Form::Cell => cell(&directive),
            Form::Raw => {
                let is_html = directive
                    .arguments
                    .split_whitespace()
                    .any(|to| to == "html");
                if is_html { directive.body } else { Vec::new() }
            }
            Form::Formula => formula(&directive),
            Form::Data => [title(&directive), data::table(&directive)].concat(),
            Form::Contents => lists::contents(&directive, self.page),
            Form::Rubric => vec![directive.row(format!("**{}**", directive.arguments))],
            Form::Button => vec![self.button(&directive)],
            _ => Vec::new(),
        }
    }

    /// A line, and the content below it.
    fn below(&mut self, line: String, directive: &Directive, depth: usize) -> Vec<Row> {
        let content = self.paragraphs(directive, depth);
        [vec![directive.row(line)], content].concat()
    }

    /// A sentence on a version; its words are behind the number, or in the content.
    fn version(&mut self, begin: &str, mut directive: Directive, depth: usize) -> Vec<Row> {
        let (version, words) = split_word(&directive.arguments);
        let opening = format!("**{begin} {version}:**");
        let is_sentence = |row: &&mut Row| row.text.starts_with(char::is_alphanumeric);
        if let Some(row) = directive.body.first_mut().filter(is_sentence)
            && words.is_empty()
        {
            row.text = format!("{opening} {}", row.text);
            return self.write(&directive.body, depth + 1);
        }
        let line = format!("{opening} {words}");
        self.below(line.trim_end().to_owned(), &directive, depth)
    }

    /// The content after a blank line, if there is some.
    fn paragraphs(&mut self, directive: &Directive, depth: usize) -> Vec<Row> {
        if directive.body.is_empty() {
            return Vec::new();
        }
        let written = self.write(&directive.body, depth + 1);
        [vec![blank(directive.source)], written].concat()
    }

    /// The content as a quotation, which begins with this line.
    fn quote(&mut self, directive: &Directive, opening: Option<&str>, depth: usize) -> Vec<Row> {
        let opening = opening.map(|opening| directive.row(opening));
        let between = opening.is_some() && !directive.body.is_empty();
        let between = between.then(|| blank(directive.source));
        let content = self.write(&directive.body, depth + 1);
        let rows = opening.into_iter().chain(between).chain(content);
        rows.map(|row| Row {
            text: format!("> {}", row.text).trim_end().to_owned(),
            source: row.source,
        })
        .collect()
    }

    /// `![alt](address)`, in a link if the picture leads anywhere.
    fn picture(&self, directive: &Directive) -> String {
        let address = place::file(&directive.arguments, self.page);
        let alt = markup::label(directive.option("alt").unwrap_or_default());
        let picture = format!("![{alt}]({})", markup::address(&address));
        match directive.option("target").filter(|to| !to.is_empty()) {
            Some(target) => {
                let target = place::file(target, self.page);
                format!("[{picture}]({})", markup::address(&target))
            }
            None => picture,
        }
    }

    /// A title that may be a link, and the parts of a card.
    fn card(&mut self, directive: &Directive, depth: usize) -> Vec<Row> {
        let link = directive.option("link").filter(|to| !to.is_empty());
        let name = directive.arguments.as_str();
        let mut rows = match link.map(|to| place::link(to, self.page)) {
            Some(link) => {
                let words = if name.is_empty() { &link.title } else { name };
                let link = format!("**[{words}]({})**", markup::address(&link.address));
                vec![directive.row(link), blank(directive.source)]
            }
            None => title(directive),
        };
        rows.splice(..0, part(directive, "header"));
        let is_sign = |row: &&Row| matches!(row.text.trim(), "^^^" | "+++");
        let parts: Vec<Row> = directive
            .body
            .iter()
            .map(|row| match is_sign(&row) {
                true => blank(row.source),
                false => row.clone(),
            })
            .collect();
        rows.extend(self.write(&parts, depth + 1));
        rows.extend(part(directive, "footer"));
        rows
    }

    fn button(&self, directive: &Directive) -> Row {
        let link = place::link(&directive.arguments, self.page);
        let words: Vec<&str> = directive.body.iter().map(|row| row.text.trim()).collect();
        let words = match words.join(" ") {
            words if words.is_empty() => link.title,
            words => words,
        };
        directive.row(format!("[{words}]({})", markup::address(&link.address)))
    }
}

/// The title in bold between blank lines; nothing without one.
fn title(directive: &Directive) -> Vec<Row> {
    match directive.arguments.as_str() {
        "" => Vec::new(),
        title => vec![
            directive.row(callout::label(title)),
            blank(directive.source),
        ],
    }
}

/// An option whose words are shown, between blank lines.
fn part(directive: &Directive, name: &str) -> Vec<Row> {
    let words = directive.option(name).filter(|words| !words.is_empty());
    let rows = words.map(|words| {
        let around = blank(directive.source);
        [around.clone(), directive.row(words), around]
    });
    rows.into_iter().flatten().collect()
}

/// The first line of a callout whose title is behind its name.
fn titled(directive: &Directive) -> String {
    let classes = directive.option("class").unwrap_or_default();
    let mut kinds = classes.split_whitespace().filter_map(callout_kind);
    let kind = kinds.next().unwrap_or("note");
    callout::mark(kind, &directive.arguments, opened(directive))
}

/// Whether a callout is open at first; `None`: it always is.
fn opened(directive: &Directive) -> Option<bool> {
    let classes = directive.option("class").unwrap_or_default();
    let mut classes = classes.split_whitespace();
    classes.any(|class| class == "dropdown").then_some(false)
}

/// `Theorem (of Pythagoras)`. Behind the name of a solution is the label of its exercise.
fn statement(directive: &Directive) -> String {
    let name = directive.name.rsplit(':').next().unwrap_or_default();
    let name = name.trim_end_matches("-start");
    let title = directive.arguments.as_str();
    let mut words = in_words(name);
    if !title.is_empty() && name != "solution" {
        words.push_str(&format!(" ({title})"));
    }
    words
}

/// Code, with its caption before it.
fn code(directive: &Directive, language: &str) -> Vec<Row> {
    let caption = directive.option("caption").filter(|text| !text.is_empty());
    let mut rows: Vec<Row> = caption
        .into_iter()
        .flat_map(|caption| {
            [
                directive.row(callout::label(caption)),
                blank(directive.source),
            ]
        })
        .collect();
    let texts: Vec<&str> = directive.body.iter().map(|row| row.text.as_str()).collect();
    let fence = markup::fence(&texts.join("\n"));
    let (language, _) = split_word(language);
    rows.push(directive.row(format!("{fence}{language}")));
    rows.extend_from_slice(&directive.body);
    let end = directive
        .body
        .last()
        .map_or(directive.source, |row| row.source);
    rows.push(Row {
        text: fence,
        source: end,
    });
    rows
}

/// The code of a cell, unless its tags remove it.
fn cell(directive: &Directive) -> Vec<Row> {
    let tags = directive.option("tags").or(directive.option("tag"));
    let tags = tags.unwrap_or_default();
    let is_removed = ["remove-cell", "remove-input", "remove_cell", "remove_input"];
    let is_hidden = directive.option("visibility") == Some("remove");
    if is_hidden || is_removed.iter().any(|tag| tags.contains(tag)) {
        return Vec::new();
    }
    let language = match directive.arguments.as_str() {
        "" | "ipython" | "ipython2" | "ipython3" => "python",
        language => language,
    };
    code(directive, language)
}

/// A link to a film, which is named by its address or its number.
fn film(directive: &Directive) -> String {
    let named = directive.arguments.as_str();
    match (named.contains("://"), directive.name.as_str()) {
        (true, _) => format!("<{named}>"),
        (false, "vimeo") => format!("<https://vimeo.com/{named}>"),
        (false, _) => format!("<https://www.youtube.com/watch?v={named}>"),
    }
}

/// A formula on a line of its own.
fn formula(directive: &Directive) -> Vec<Row> {
    let texts = directive.body.iter().map(|row| row.text.trim());
    let parts: Vec<&str> = std::iter::once(directive.arguments.as_str())
        .chain(texts)
        .filter(|part| !part.is_empty())
        .collect();
    let tex = parts.join(" ");
    if tex.is_empty() {
        return Vec::new();
    }
    vec![directive.row(markup::code_span(&format!("{TEX_DISPLAY}{tex}")))]
}

/// The first word of a text, and the others.
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    match text.split_once(char::is_whitespace) {
        Some((word, rest)) => (word, rest.trim()),
        None => (text, ""),
    }
}
