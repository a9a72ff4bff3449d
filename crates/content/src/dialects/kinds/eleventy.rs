//! An Eleventy site: Nunjucks and Liquid, with `{% image %}` tags and `url` filters.

mod templates;

use std::collections::BTreeMap;

use crate::dialects::config::{
    Config, DataNames, Glob, Keys, Layout, Patterns, Selection, ignore_file, undated,
};
use crate::dialects::dialect::{COMMON, CodeTags, Dialect, Inherits};
use crate::dialects::evidence::Evidence;
use crate::dialects::markup::address;
use crate::dialects::scope::{Copied, Project, Scope, folder_path};
use crate::dialects::script::{List, Scripts};
use crate::dialects::tags::{Arguments, Call, Piece};
use crate::model::path::{inside_or_folder, join};
use crate::model::problem::Problem;
use crate::model::sources::SourceFile;
use crate::model::text::{decode, plain};
use crate::syntax::front::{Front, Value, split};
use templates::{Engine, OPENED_BY, page_values};

/// Keys that it gives to every text.
const GIVEN: &[&str] = &["collections", "eleventy", "page", "pagination", "pkg"];

pub(super) static DIALECT: Dialect = Dialect {
    name: "eleventy",
    recognise: |evidence| {
        evidence
            .begins("eleventy.config.")
            .or_else(|| evidence.begins(".eleventy.js"))
    },
    roots: &["src", "content"],
    outputs: &["_site"],
    scope,
    reads: &["md", "markdown", "html"],
    copies_linked: true,
    inherits: Inherits::DataFiles,
    settle,
    keys: Keys {
        files: &[
            "_data/metadata.json",
            "_data/site.json",
            "src/_data/metadata.json",
            "src/_data/site.json",
            "_data/metadata.js",
            "_data/site.js",
            "src/_data/metadata.js",
            "src/_data/site.js",
        ],
        weaker: &["eleventy.config.*", ".eleventy.js"],
        author: &["author"],
        address: &["url"],
        content: &["dir.input"],
        ..Keys::NONE
    },
    addresses: Some("/:path/"),
    spell: |_, part| undated(part).to_owned(),
    same_name_is_index: true,
    tags: &[(
        &["image", "img", "figure", "picture", "image_*"],
        Piece::picture,
    )],
    output,
    liquid: true,
    code_tags: CodeTags::Raw,
    tags_off: &[("templateEngineOverride", "md")],
    keys_are_names: true,
    names_opened_by: OPENED_BY,
    page_values,
    ..COMMON
};

/// The maximum number of layouts that are read.
const MOST_LAYOUTS: usize = 1000;
/// Its own configuration, not the data of the site.
const CONFIG: [&str; 2] = ["eleventy.config.*", ".eleventy.js"];

/// Data files beside texts, data for all of them, and that of layouts.
fn settle(evidence: &Evidence<'_>, config: &mut Config, _: &Front) {
    config.given_keys = GIVEN;
    let own = Project::open(evidence, config, &CONFIG);
    let input = input(&own);
    let below = |key, call| below_input(&own, &input, key, call);
    let usual = |name| inside_or_folder(&input, name);
    let data = below("dir.data", "setDataDirectory").unwrap_or_else(|| usual("_data"));
    let includes = below("dir.includes", "setIncludesDirectory");
    let includes = includes.unwrap_or_else(|| usual("_includes"));
    let layouts = below("dir.layouts", "setLayoutsDirectory").unwrap_or_else(|| includes.clone());
    let aliases = own.calls("addLayoutAlias");
    let engine = Engine::read(&own);
    let ignored = lists(&own, &input);
    config.data_names = data_names(&own);
    config.includes = Some(includes);
    config.data_files(evidence, &data);
    config.flags(evidence, &data, ".");
    config.layouts = layout_data(evidence, &layouts, &aliases);
    if let Some(file) = configuration(evidence) {
        config.global_data(evidence, &file);
        config.read_preprocessors(evidence, &file);
        let (formats, problem) = formats(evidence, &file);
        config.problems.extend(problem);
        config
            .selections
            .extend(formats.and_then(|formats| rendered(&formats, &file)));
    }
    engine.settle(config, evidence, &data);
    for (name, count) in ignored {
        config.is_too_long(&name, count, (0, 0));
    }
}

/// How data files are named.
fn data_names(own: &Project<'_>) -> DataNames {
    let first = |call: &str| own.calls(call).into_iter().next().unwrap_or_default();
    let of_folder = first("setDataFileBaseName").into_iter().next();
    let formats: Vec<String> = own.calls("addDataExtension").concat();
    DataNames::new(first("setDataFileSuffixes"), &formats, of_folder)
}

/// The lists of what is ignored, with the numbers of their patterns.
fn lists(own: &Project<'_>, input: &str) -> Vec<(String, usize)> {
    let calls = own.text.matches(IGNORES).count();
    let mut all = vec![(IGNORES.to_owned(), calls)];
    for file in ignoring(own, input) {
        all.push((file.path.to_string(), ignore_file::count(file)));
    }
    all
}

/// The program that configures the site.
fn configuration(evidence: &Evidence<'_>) -> Option<String> {
    let file = evidence.begins("eleventy.config.");
    let file = file.or(evidence.begins(".eleventy.js"))?;
    Some(file.trim_matches('`').to_owned())
}

/// The folder of the texts.
fn input(own: &Project<'_>) -> String {
    below_input(own, "", "dir.input", "setInputDirectory").unwrap_or_default()
}

/// A folder that a call or a key of the configuration names, from the input folder: `../_includes`.
fn below_input(own: &Project<'_>, input: &str, key: &str, call: &str) -> Option<String> {
    let called = own.calls(call).into_iter().flatten().next();
    let named = called.or_else(|| own.front.text(&[key]).map(str::to_owned))?;
    join(input, named.trim())
}

/// The front matter of layouts, by the names that texts have for them.
fn layout_data(
    evidence: &Evidence<'_>,
    folder: &str,
    aliases: &[Vec<String>],
) -> BTreeMap<String, Layout> {
    let mut layouts = BTreeMap::new();
    for file in evidence.below(folder).take(MOST_LAYOUTS) {
        let (text, _) = decode(&file.bytes, &file.path);
        let layout = Layout {
            file: file.path.to_string(),
            entries: split(&text, &file.path).front.entries,
        };
        let name = &file.path[folder.len() + 1..];
        let bare = name.split_once('.').map_or(name, |(bare, _)| bare);
        if !layout.entries.is_empty() {
            layouts.entry(bare.to_owned()).or_insert(layout.clone());
            layouts.insert(name.to_owned(), layout);
        }
    }
    for alias in aliases {
        if let [alias, name] = &alias[..]
            && let Some(layout) = layouts.get(name).cloned()
        {
            layouts.insert(alias.clone(), layout);
        }
    }
    layouts
}

/// The key of the formats of templates, in what the configuration returns or exports.
const FORMATS: &str = "templateFormats";

/// The formats of templates, if the configuration restricts them, and the problem if it computes
/// them. A format that is not certain is not rendered.
fn formats(evidence: &Evidence<'_>, file: &str) -> (Option<Vec<String>>, Option<Problem>) {
    const CALL: &str = "setTemplateFormats";
    let mut scripts = Scripts::with_lists(evidence, &[FORMATS]);
    let exported = [scripts.default_export(file), scripts.export(file, "config")];
    let mut lists = [
        (FORMATS, List::default()),
        (CALL, scripts.lists(file, CALL)),
    ];
    for node in exported.into_iter().flatten() {
        if let Value::Map(entries) = &node.value {
            lists[0]
                .1
                .add(scripts.list_of(entries, FORMATS).unwrap_or_default());
        }
    }
    if lists.iter().all(|(_, list)| *list == List::default()) {
        return (None, None);
    }
    let added = scripts.lists(file, "addTemplateFormats");
    lists[0].1.certain.extend(added.certain);
    let all = lists.iter().flat_map(|(_, list)| &list.certain);
    let all = all.flat_map(|formats| formats.split(','));
    let all: Vec<String> = all.map(|format| format.trim().to_owned()).collect();
    let hint = "write all formats as literals; texts in others are withheld";
    let is_open = !all.iter().any(|format| format == "md" || format == "*");
    let mut problems = lists.iter().map(|(key, list)| list.problem(key, hint));
    let problem = problems.find_map(|problem| problem).filter(|_| is_open);
    (Some(all), problem)
}

/// All files but the texts in a format that is not rendered.
fn rendered(formats: &[String], file: &str) -> Option<Selection> {
    let is_rendered = |format: &str| formats.iter().any(|one| one == format || one == "*");
    let others = TEXTS.iter().filter(|(format, _)| !is_rendered(format));
    let others = others.flat_map(|(_, endings)| *endings);
    let exclude: Vec<Glob> = others.filter_map(|ending| Glob::parse(ending)).collect();
    (!exclude.is_empty()).then(|| Selection {
        files: Glob::parse("*").into_iter().collect(),
        exclude,
        reason: Some(format!("not one of the `{FORMATS}` of `{file}`")),
        ..Selection::default()
    })
}

/// The formats of texts, and the files that have them.
const TEXTS: [(&str, &[&str]); 2] = [("md", &["*.md", "*.markdown"]), ("html", &["*.html"])];
/// What is not rendered.
const IGNORED: &str = ".eleventyignore";
/// The call that ignores a path.
const IGNORES: &str = "ignores.add";

/// The input folder, without the folders of its machinery; files that are passed through; paths
/// that are ignored by the configuration, `.eleventyignore` or `.gitignore`.
fn scope(project: &Project<'_>) -> Scope {
    let own = Project::open(project.evidence, project.config, &CONFIG);
    let input = input(&own);
    let mut scope = Scope::new(vec![input.clone()], &[]);
    leave_out_machinery(&mut scope, &own, &input);
    for literals in own.calls("addPassthroughCopy") {
        pass_through(&mut scope, &input, &literals);
    }
    leave_out(&mut scope, &own, &input);
    let file = configuration(project.evidence);
    scope.by = file.unwrap_or_else(|| own.config.file.clone());
    scope
}

/// Leaves out the folders of its machinery, and that of the site it makes.
fn leave_out_machinery(scope: &mut Scope, own: &Project<'_>, input: &str) {
    for (key, call) in [
        ("dir.includes", "setIncludesDirectory"),
        ("dir.layouts", "setLayoutsDirectory"),
        ("dir.data", "setDataDirectory"),
        ("dir.output", "setOutputDirectory"),
    ] {
        let from = if key == "dir.output" { "" } else { input };
        let folder = below_input(own, from, key, call);
        if let Some(folder) = folder.filter(|folder| !folder.is_empty() && *folder != input) {
            scope.excluded.extend(Glob::parse(&format!("/{folder}")));
        }
    }
}

/// Leaves out what the configuration and the files beside it ignore. What git ignores is not part
/// of the site. What Eleventy ignores is only not rendered: pictures there are copied by other
/// means.
fn leave_out(scope: &mut Scope, own: &Project<'_>, input: &str) {
    let ignored = own.calls(IGNORES).into_iter().flatten();
    let ignored = ignored.flat_map(|pattern| Patterns::Rooted.read(&pattern));
    scope.excluded_texts.extend(ignored);
    for file in ignoring(own, input) {
        let mut patterns = ignore_file::patterns(file);
        // Eleventy skips lines that would bring something back.
        patterns.retain(|pattern| !pattern.negated);
        if file.path.ends_with(IGNORED) {
            scope.excluded_texts.extend(patterns);
        } else {
            scope.excluded.extend(patterns);
        }
    }
}

/// The files that ignore paths: at the root, and Eleventy's own in the input folder.
fn ignoring<'a>(own: &Project<'a>, input: &str) -> Vec<&'a SourceFile> {
    let mut files: Vec<String> = [IGNORED, ".gitignore"].map(str::to_owned).into();
    if !input.is_empty() {
        files.push(inside_or_folder(input, IGNORED));
    }
    let files = files.iter();
    files.filter_map(|file| own.evidence.file(file)).collect()
}

/// `addPassthroughCopy("img")`, `addPassthroughCopy({ "public": "/" })`.
fn pass_through(scope: &mut Scope, input: &str, literals: &[String]) {
    let pairs = match literals {
        [one] => vec![(one.as_str(), None)],
        all => all
            .chunks_exact(2)
            .map(|pair| (pair[0].as_str(), Some(pair[1].as_str())))
            .collect(),
    };
    for (from, to) in pairs {
        let Some(from) = folder_path(from) else {
            continue;
        };
        if from.contains('*') {
            scope.resources.extend(Glob::parse(&format!("/{from}")));
            continue;
        }
        let inner = if input.is_empty() {
            None
        } else {
            from.strip_prefix(input)
                .and_then(|rest| rest.strip_prefix('/'))
        };
        let usual = inner.unwrap_or(&from);
        let site = to.map_or_else(|| Some(usual.to_owned()), folder_path);
        scope.resources.extend(Glob::parse(&format!("/{from}")));
        scope
            .copied
            .extend(site.map(|site| Copied { folder: from, site }));
    }
}

/// Filters after which an address is still the same address.
const ADDRESS_FILTERS: [&str; 5] = ["url", "relative_url", "absolute_url", "relURL", "absURL"];
/// Filters that change nothing that a reader sees.
const TEXT_FILTERS: [&str; 8] = [
    "safe",
    "escape",
    "strip_html",
    "strip",
    "markdownify",
    "smartify",
    "trim",
    "xml_escape",
];
/// Names of the base path, which all pages share.
pub const BASES: [&str; 6] = [
    "site.baseurl",
    "site.url",
    "site.base_url",
    "baseurl",
    "base_url",
    "site.github.url",
];

/// `{{ "literal" | url }}`, `{{ key }}`, `{{ page.key | strip_html }}`, `{{ site.baseurl }}`.
fn output(call: &Call<'_>) -> Option<Piece> {
    let (operand, filters) = divide(call.text.trim())?;
    let names = filter_names(filters);
    if let (Operand::Literal(url), ["embed"]) = (&operand, &names[..]) {
        return embed(url, filters);
    }
    let mut is_address = false;
    for name in names {
        if ADDRESS_FILTERS.contains(&name) {
            is_address = true;
        } else if !TEXT_FILTERS.contains(&name) {
            return None;
        }
    }
    match operand {
        Operand::Literal(text) if text.contains(['{', '}']) => Some(Piece::Code(text.to_owned())),
        Operand::Literal(text) if is_address => Some(Piece::Text(address(text))),
        Operand::Literal(text) => Some(Piece::Text(text.to_owned())),
        Operand::Name(name) if BASES.contains(&name) => Some(Piece::Nothing),
        Operand::Name(name) => {
            let key = name
                .strip_prefix("page.")
                .or_else(|| name.strip_prefix("frontmatter."))
                .unwrap_or(name);
            let text = call.front.text(&[key])?;
            Some(Piece::Text(if is_address || text.starts_with('/') {
                address(text)
            } else {
                plain(text)
            }))
        }
    }
}

/// The names in `| one | two: argument | three(argument)`.
fn filter_names(filters: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for filter in filters.split('|') {
        let end = filter.find([':', '(']).unwrap_or(filter.len());
        let name = filter[..end].trim();
        if !name.is_empty() {
            names.push(name);
        }
    }
    names
}

/// `{{ "https://…" | embed: "Title" }}`: a film or another page, rendered as a link to it.
fn embed(url: &str, filters: &str) -> Option<Piece> {
    if !url.starts_with("http") {
        return None;
    }
    let (_, arguments) = filters.split_once(':').unwrap_or_default();
    Piece::link(url, Arguments::parse(arguments).first().unwrap_or(url))
}

/// The beginning of an expression.
enum Operand<'a> {
    Literal(&'a str),
    Name(&'a str),
}

/// The first operand of an expression and its filters; `None` if it contains anything else.
fn divide(expression: &str) -> Option<(Operand<'_>, &str)> {
    let (operand, rest) = match expression.chars().next()? {
        quote @ ('"' | '\'') => {
            let (literal, rest) = expression[1..].split_once(quote)?;
            (Operand::Literal(literal), rest)
        }
        _ => {
            let end = expression.find('|').unwrap_or(expression.len());
            let (name, rest) = expression.split_at(end);
            let name = name.trim();
            if name.is_empty()
                || !name
                    .chars()
                    .all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '-'))
            {
                return None;
            }
            (Operand::Name(name), rest)
        }
    };
    let rest = rest.trim();
    (rest.is_empty() || rest.starts_with('|')).then_some((operand, rest))
}
