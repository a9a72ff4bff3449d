//! Finds the text that is the content of the home page.

use super::translated_readmes::language_of;
use super::{ABOUT, Area, Plan, Role};
use crate::dialects::home_words;
use crate::library::{
    files,
    paths::{inside, name, without_suffix},
    report::UNREAD,
};
use crate::model::{
    format::Format,
    sources::{SourceFile, Sources},
    text::decode,
};

/// The home page's content: `index` at the root, else in the articles folder or a content folder,
/// else that folder's section file.
pub fn choose(plan: &mut Plan, sources: &Sources) {
    if let Some((at, format)) = find(plan, sources) {
        plan.roles[at] = Role::Text {
            format,
            area: Area::Home,
            rel: "index.md".into(),
        };
    }
    name_mounted_indexes(plan, sources);
    name_placed_index(plan, sources);
    skip_section_of_articles(plan, sources);
}

/// The index of another folder at the root of the articles has the name of its place.
fn name_mounted_indexes(plan: &mut Plan, sources: &Sources) {
    for (file, at) in sources.files.iter().zip(0..) {
        if let Role::Text {
            format,
            area: Area::Articles,
            rel,
        } = &plan.roles[at]
            && &**rel == "index.md"
            && let Some((mount, _)) = plan.mount(&file.path)
            && mount.folder != plan.articles
            && !mount.at.is_empty()
        {
            plan.roles[at] = Role::Text {
                format: *format,
                area: Area::Articles,
                rel: format!("{}.md", mount.at).into(),
            };
        }
    }
}

/// The index of the articles has the name of their place, where the configuration places them below the
/// home page.
fn name_placed_index(plan: &mut Plan, sources: &Sources) {
    let config = &plan.kind.config;
    let own = |scope: &str| scope == plan.articles;
    let place = config.permalinks.iter().find_map(|permalink| {
        let place = permalink.pattern.strip_suffix("/:path")?;
        let place = place.trim_matches('/');
        (permalink.below && own(&permalink.scope) && !place.is_empty()).then_some(place)
    });
    let Some(rel) = place.map(|place| format!("{place}.md")) else {
        return;
    };
    for (file, role) in sources.files.iter().zip(&mut plan.roles) {
        if let Role::Text {
            area: Area::Articles,
            rel: index,
            ..
        } = role
            && without_suffix(index) == "index"
            && without_suffix(&file.path) == inside(&plan.articles, "index")
        {
            *index = rel.as_str().into();
        }
    }
}

/// The section file of the articles folder itself represents no section.
fn skip_section_of_articles(plan: &mut Plan, sources: &Sources) {
    for (file, role) in sources.files.iter().zip(&mut plan.roles) {
        if let Role::Text {
            area: Area::Articles,
            rel,
            ..
        } = role
            && &**rel == "index.md"
            && file.path.contains("_index.")
        {
            *role = Role::skip("another file is the home page");
        }
    }
}

fn find(plan: &Plan, sources: &Sources) -> Option<(usize, Format)> {
    let roots = roots(plan);
    let mut stems = vec!["index".to_owned(), "_index".to_owned()];
    let config = &plan.kind.config;
    let default = config.default_language.as_deref();
    if let Some(default) = default.filter(|default| config.has_language(default)) {
        stems.extend(["index", "_index"].map(|stem| format!("{stem}.{default}")));
    }
    // Some generators use a README as the index, but not the README of the whole project.
    if plan.kind.readme_is_index() {
        stems.push("README".to_owned());
    }
    let home = config.home.as_deref().map(without_suffix);
    let mut wanted: Vec<String> = home.into_iter().map(str::to_owned).collect();
    // In the App Router of Next.js the page of a folder has one name.
    if (plan.kind.dialect.route)("app/page.mdx").is_some() {
        wanted.extend(["app/page", "src/app/page"].map(str::to_owned));
    }
    for stem in stems {
        wanted.extend(roots.iter().map(|root| inside(root, &stem)));
    }
    wanted.retain(|path| path != "README" || plan.kind.readme_is_home());
    if plan.kind.forge_wiki {
        wanted.extend(["Home", "home"].map(str::to_owned));
    }
    let mut wanted = wanted.iter();
    let found = wanted.find_map(|path| text_named(plan, sources, path));
    found.or_else(|| only_readme(plan, sources))
}

/// The README at the root of a folder that has no other text, except in other languages.
fn only_readme(plan: &Plan, sources: &Sources) -> Option<(usize, Format)> {
    let mut texts = sources.files.iter().zip(&plan.roles);
    let has_others = texts.any(|(file, role)| match role {
        Role::Text { .. } => language_of(without_suffix(name(&file.path))).is_none(),
        Role::Skip(reason) | Role::Unlinked(reason) => reason.starts_with(UNREAD),
        _ => false,
    });
    // Of a generator its configuration says what is published.
    let is_plain = plan.kind.config.file.is_empty() && !plan.kind.scope.is_restricted();
    if has_others || !is_plain {
        return None;
    }
    ["README", "readme"]
        .iter()
        .find_map(|stem| text_named(plan, sources, stem))
}

/// The folders whose index may be the home page, the first wins.
fn roots(plan: &Plan) -> Vec<&str> {
    let mut roots = vec!["", &plan.articles, "content"];
    roots.extend(plan.content_roots());
    // Where every language has a folder of its own.
    let config = &plan.kind.config;
    let own = plan.mounts.iter().filter(|mount| {
        let language = mount.within.as_deref();
        language.is_some_and(|language| config.is_default(language))
    });
    roots.extend(own.map(|mount| mount.folder.as_str()));
    roots
}

/// The text with this path and any suffix, if it is visible and not empty.
fn text_named(plan: &Plan, sources: &Sources, wanted: &str) -> Option<(usize, Format)> {
    for (at, file) in files::beginning(sources, &format!("{wanted}.")) {
        let suffix = &file.path[wanted.len() + 1..];
        if suffix.contains(['/', '.']) || !may_be_shown(plan, (at, file)) {
            continue;
        }
        let is_data = matches!(plan.roles[at], Role::Text { .. });
        let format = Format::from_path(&file.path).or(is_data.then_some(Format::Markdown));
        if let Some(format) = format
            && has_words(plan, file)
        {
            return Some((at, format));
        }
    }
    None
}

fn may_be_shown(plan: &Plan, (at, file): (usize, &SourceFile)) -> bool {
    match &plan.roles[at] {
        Role::Text { .. } => true,
        Role::Unlinked(reason) => reason == ABOUT && plan.unrendered(file).is_none(),
        Role::Skip(_) | Role::File(_) | Role::SetAside(..) => false,
    }
}

/// Whether there is content after the front matter, or in it, where the kind shows that.
fn has_words(plan: &Plan, file: &SourceFile) -> bool {
    let (text, _) = decode(&file.bytes, &file.path);
    let split = plan.kind.split(&text, &file.path);
    !split.body.trim().is_empty() || home_words(&split.front, &plan.kind).is_some()
}
