//! One source file, as far as the rules ask.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Attribute, Block, ImplItemFn, Item, ItemFn, Signature, TraitItemFn, UseTree};

/// A source file without its tests.
pub struct Source {
    /// Its path below `src`.
    pub path: String,
    /// The top-level module that it is part of.
    pub module: String,
    /// The paths of names that it uses, as written.
    pub paths: Vec<NamePath>,
    /// The names that it imports, and their paths.
    pub aliases: BTreeMap<String, Vec<String>>,
    pub functions: Vec<Function>,
    /// Its lines up to its tests.
    pub lines: usize,
    /// Its identifiers and keywords.
    pub identifiers: BTreeSet<String>,
    /// Its literals, as written.
    pub literals: BTreeSet<String>,
    /// Texts of several words: what it may print. Of attributes only those that clap shows.
    pub messages: BTreeSet<String>,
}

/// A path of names: `crate::model::Site`, `super::build`.
pub struct NamePath {
    pub path: Vec<String>,
    pub line: usize,
}

/// A function with a body.
pub struct Function {
    pub name: String,
    /// Identifiers, keywords and literals in the body.
    pub words: usize,
    /// From the line of its name to that of the last brace.
    pub lines: usize,
}

impl Source {
    pub fn read(folder: &Path, file: &Path) -> Self {
        let text = fs::read_to_string(file).unwrap();
        let path = file
            .strip_prefix(folder)
            .unwrap()
            .to_str()
            .unwrap()
            .replace('\\', "/");
        let module = path
            .split('/')
            .next()
            .unwrap()
            .trim_end_matches(".rs")
            .to_owned();
        let lines = lines_before_tests(&text);
        let mut parsed = syn::parse_file(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
        parsed.items.retain(|item| !is_test(attributes(item)));
        let mut source = Self {
            path,
            module,
            paths: Vec::new(),
            aliases: BTreeMap::new(),
            functions: Vec::new(),
            lines,
            identifiers: BTreeSet::new(),
            literals: BTreeSet::new(),
            messages: BTreeSet::new(),
        };
        source.visit_file(&parsed);
        let is_help = source.path.starts_with("cli");
        source.texts(parsed.to_token_stream(), is_help);
        source.tokens(parsed.into_token_stream());
        source
    }

    /// Its names on the path of its module.
    pub fn names(&self) -> Vec<String> {
        let path = self.path.trim_end_matches(".rs");
        let path = path.strip_suffix("/mod").unwrap_or(path);
        match path {
            "lib" | "main" => Vec::new(),
            path => path.split('/').map(str::to_owned).collect(),
        }
    }

    /// Looks at every token: paths inside macros are seen too.
    fn tokens(&mut self, tokens: TokenStream) {
        let (mut path, mut colons, mut line) = (Vec::new(), 0, 0);
        // What a `use` names is read as a tree.
        let mut in_use = false;
        for token in tokens {
            match &token {
                TokenTree::Ident(word) => {
                    in_use |= word == "use";
                    if colons != 2 {
                        self.path(std::mem::take(&mut path), line);
                        line = word.span().start().line;
                    }
                    path.push(word.to_string());
                    colons = 0;
                }
                TokenTree::Punct(sign) if sign.as_char() == ':' => colons += 1,
                _ => {
                    self.path(std::mem::take(&mut path), line);
                    colons = 0;
                }
            }
            if in_use {
                path.clear();
            }
            match token {
                TokenTree::Group(group) if !in_use => self.tokens(group.stream()),
                TokenTree::Group(_) => {}
                TokenTree::Ident(word) => drop(self.identifiers.insert(word.to_string())),
                TokenTree::Literal(literal) => drop(self.literals.insert(literal.to_string())),
                TokenTree::Punct(sign) => in_use &= sign.as_char() != ';',
            }
        }
        self.path(path, line);
    }

    fn path(&mut self, path: Vec<String>, line: usize) {
        if path.len() > 1 {
            self.paths.push(NamePath { path, line });
        }
    }

    /// Adds the paths and the names of a `use`.
    fn import(&mut self, mut path: Vec<String>, tree: &UseTree) {
        let (name, alias) = match tree {
            UseTree::Path(inner) => {
                path.push(inner.ident.to_string());
                return self.import(path, &inner.tree);
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.import(path.clone(), tree);
                }
                return;
            }
            UseTree::Glob(glob) => return self.path(path, glob.star_token.span.start().line),
            UseTree::Name(name) => (&name.ident, &name.ident),
            UseTree::Rename(rename) => (&rename.ident, &rename.rename),
        };
        self.identifiers.insert(name.to_string());
        let alias = match (alias.to_string().as_str(), path.last()) {
            ("self", Some(last)) => last.clone(),
            (alias, _) => alias.to_owned(),
        };
        if name != "self" {
            path.push(name.to_string());
        }
        self.aliases.insert(alias, path.clone());
        self.path(path, name.span().start().line);
    }

    /// Collects the texts of several words. Attributes hold comments and reasons; clap shows those
    /// of the command line.
    fn texts(&mut self, tokens: TokenStream, is_help: bool) {
        let mut after_hash = false;
        for token in tokens {
            let is_attribute = after_hash && matches!(token, TokenTree::Group(_));
            after_hash = match &token {
                TokenTree::Punct(sign) => {
                    sign.as_char() == '#' || after_hash && sign.as_char() == '!'
                }
                _ => false,
            };
            match token {
                TokenTree::Group(group) if is_help || !is_attribute => {
                    self.texts(group.stream(), is_help);
                }
                TokenTree::Literal(literal) => {
                    if let Ok(text) = syn::parse_str::<syn::LitStr>(&literal.to_string())
                        && text.value().split_whitespace().count() > 2
                    {
                        self.messages.insert(text.value());
                    }
                }
                _ => {}
            }
        }
    }

    fn function(&mut self, signature: &Signature, block: &Block) {
        let lines =
            block.brace_token.span.close().end().line + 1 - signature.ident.span().start().line;
        self.functions.push(Function {
            name: signature.ident.to_string(),
            words: words(block.to_token_stream()),
            lines,
        });
    }
}

/// The lines of a file up to its tests. `mod tests;` has them elsewhere.
fn lines_before_tests(text: &str) -> usize {
    let lines: Vec<&str> = text.lines().collect();
    let begins = |at: &usize| {
        let mut item = lines[at + 1..].iter().filter(|line| !line.starts_with('#'));
        lines[*at] == "#[cfg(test)]" && item.next().is_some_and(|line| line.ends_with('{'))
    };
    (0..lines.len()).find(begins).unwrap_or(lines.len())
}

impl<'s> Visit<'s> for Source {
    fn visit_item_fn(&mut self, function: &'s ItemFn) {
        self.function(&function.sig, &function.block);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'s ImplItemFn) {
        self.function(&function.sig, &function.block);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'s TraitItemFn) {
        if let Some(block) = &function.default {
            self.function(&function.sig, block);
        }
        visit::visit_trait_item_fn(self, function);
    }

    fn visit_item_use(&mut self, item: &'s syn::ItemUse) {
        self.import(Vec::new(), &item.tree);
    }
}

/// How many identifiers, keywords and literals there are.
fn words(tokens: TokenStream) -> usize {
    let count = |token| match token {
        TokenTree::Group(group) => words(group.stream()),
        TokenTree::Ident(_) | TokenTree::Literal(_) => 1,
        TokenTree::Punct(_) => 0,
    };
    tokens.into_iter().map(count).sum()
}

fn is_test(attributes: &[Attribute]) -> bool {
    let is_test = |attribute: &Attribute| {
        attribute.to_token_stream().to_string().replace(' ', "") == "#[cfg(test)]"
    };
    attributes.iter().any(is_test)
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Mod(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Const(item) => &item.attrs,
        _ => &[],
    }
}
