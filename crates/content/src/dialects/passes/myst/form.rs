//! What each directive becomes.

use crate::model::document::callout_kind;

/// What a directive becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A callout of this kind; the words behind its name are part of the text.
    Callout(&'static str),
    /// A callout whose title is behind its name, and whose kind is its class.
    Titled,
    /// A block that readers open.
    Details,
    /// A sentence on the version of a change, which begins so.
    Version(&'static str),
    /// A heading without a place in the outline.
    Rubric,
    Quote,
    /// Code in the language behind its name.
    Code,
    /// Code in this language.
    CodeIn(&'static str),
    /// Code of a notebook.
    Cell,
    Formula,
    /// HTML, or the language of another output.
    Raw,
    Picture,
    /// Links to other pages.
    Contents,
    /// Its content alone.
    Container,
    /// Its title in bold, and its content.
    Section,
    /// As [`Section`](Self::Section); its title may lead to a page.
    Card,
    /// A link whose text is the content.
    Button,
    Glossary,
    /// A table that is written as a list.
    ListTable,
    /// A table whose cells are between commas.
    Data,
    /// A text of the folder.
    Include,
    /// A file of the folder, as code.
    IncludeCode,
    /// The description of something in code: its signature and the content.
    Object,
    /// A command and its output.
    Terminal,
    /// A film or a page on another site.
    Film,
    /// A theorem, a proof, an exercise: a callout with its name and its title.
    Statement,
    /// Nothing that readers see.
    Nothing,
}

/// Names in their order.
const FORMS: &[(&str, Form)] = &[
    ("admonition", Form::Titled),
    ("aafig", Form::CodeIn("")),
    ("anywidget", Form::Nothing),
    ("aside", Form::Section),
    ("bibliography", Form::Nothing),
    ("blockquote", Form::Quote),
    ("button-link", Form::Button),
    ("button-ref", Form::Button),
    ("card", Form::Card),
    ("centered", Form::Rubric),
    ("code", Form::Code),
    ("code-block", Form::Code),
    ("code-cell", Form::Cell),
    ("command-output", Form::Nothing),
    ("confval", Form::Object),
    ("contents", Form::Nothing),
    ("csv-table", Form::Data),
    ("currentmodule", Form::Nothing),
    ("default-domain", Form::Nothing),
    ("default-role", Form::Nothing),
    ("deprecated", Form::Version("Deprecated since version")),
    ("digraph", Form::CodeIn("dot")),
    ("doctest", Form::CodeIn("python")),
    ("dropdown", Form::Details),
    ("embed", Form::Nothing),
    ("envvar", Form::Object),
    ("epigraph", Form::Quote),
    ("eval-rst", Form::CodeIn("rst")),
    ("exec", Form::Nothing),
    ("exercise", Form::Statement),
    ("exercise-end", Form::Nothing),
    ("exercise-start", Form::Statement),
    ("figure", Form::Picture),
    ("figure-md", Form::Container),
    ("footbibliography", Form::Nothing),
    ("glossary", Form::Glossary),
    ("group-tab", Form::Section),
    ("graph", Form::CodeIn("dot")),
    ("graphviz", Form::CodeIn("dot")),
    ("grid-item", Form::Section),
    ("grid-item-card", Form::Card),
    ("highlight", Form::Nothing),
    ("highlights", Form::Quote),
    ("iframe", Form::Film),
    ("image", Form::Picture),
    ("include", Form::Include),
    ("index", Form::Nothing),
    ("ipython", Form::CodeIn("python")),
    ("jupyter-execute", Form::CodeIn("python")),
    ("list-table", Form::ListTable),
    ("literalinclude", Form::IncludeCode),
    ("margin", Form::Section),
    ("math", Form::Formula),
    ("mermaid", Form::CodeIn("mermaid")),
    ("meta", Form::Nothing),
    ("module", Form::Nothing),
    ("myst", Form::CodeIn("markdown")),
    ("option", Form::Object),
    ("parsed-literal", Form::CodeIn("")),
    ("plantuml", Form::CodeIn("plantuml")),
    ("productionlist", Form::CodeIn("")),
    ("prompt", Form::CodeIn("console")),
    ("proof", Form::Statement),
    ("pull-quote", Form::Quote),
    ("raw", Form::Raw),
    ("raw-cell", Form::Nothing),
    ("role", Form::Nothing),
    ("rubric", Form::Rubric),
    ("seealso", Form::Callout("seealso")),
    ("sidebar", Form::Section),
    ("solution", Form::Statement),
    ("solution-end", Form::Nothing),
    ("solution-start", Form::Statement),
    ("sourcecode", Form::Code),
    ("tab", Form::Section),
    ("tab-item", Form::Section),
    ("tabbed", Form::Section),
    ("table", Form::Section),
    ("tableofcontents", Form::Nothing),
    ("tags", Form::Nothing),
    ("terminal", Form::Terminal),
    ("testcode", Form::CodeIn("python")),
    ("testoutput", Form::CodeIn("")),
    ("testsetup", Form::Nothing),
    ("thumbnail", Form::Picture),
    ("tikz", Form::CodeIn("tex")),
    ("toc", Form::Nothing),
    ("toctree", Form::Contents),
    ("toggle", Form::Details),
    ("topic", Form::Section),
    ("uml", Form::CodeIn("plantuml")),
    ("versionadded", Form::Version("Added in version")),
    ("versionchanged", Form::Version("Changed in version")),
    ("versionremoved", Form::Version("Removed in version")),
    ("vimeo", Form::Film),
    ("youtube", Form::Film),
];

/// Directives whose content is shown without more.
const CONTAINERS: [&str; 16] = [
    "card-carousel",
    "class",
    "compound",
    "container",
    "cssclass",
    "div",
    "grid",
    "hlist",
    "only",
    "panels",
    "rst-class",
    "sd-tab-set",
    "tab-set",
    "tab-set-code",
    "tabs",
    "code-group",
];

impl Form {
    /// Whether the content is not Markdown.
    pub fn is_verbatim(self) -> bool {
        matches!(
            self,
            Self::Code
                | Self::CodeIn(_)
                | Self::Cell
                | Self::Terminal
                | Self::Formula
                | Self::Raw
                | Self::Contents
                | Self::IncludeCode
                | Self::Data
                | Self::Nothing
        )
    }

    /// The form of the directive with this name; `None`: no rule knows it.
    pub fn of(name: &str) -> Option<Self> {
        let known = FORMS.iter().find(|(known, _)| *known == name);
        if let Some((_, form)) = known {
            return Some(*form);
        }
        if CONTAINERS.contains(&name) {
            return Some(Self::Container);
        }
        match name.split_once(':') {
            Some(("prf" | "proof", _)) => Some(Self::Statement),
            // `py:function` and the like.
            Some(_) => Some(Self::Object),
            None => callout_kind(name).map(Self::Callout),
        }
    }
}
