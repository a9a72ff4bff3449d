//! What may leave texts out and is not read: the file on which the configuration builds, where it is
//! outside of the folder, and programs.

use super::{INHERIT, ZENSICAL};
use crate::dialects::config::{Config, chain, read};
use crate::dialects::evidence::Evidence;
use crate::model::path::{folder, join};
use crate::model::problem::{Cause, Problem};
use crate::model::sources::SourceFile;
use crate::model::text::shorten;
use crate::syntax::front::Node;

/// The key of programs that run while a site is built.
const HOOKS: &str = "hooks";
/// The maximum number of programs.
const MOST: usize = 50;
/// What such a program defines if it may leave texts out or change them.
const DECIDES: [&str; 4] = [
    "on_files",
    "on_nav",
    "on_page_markdown",
    "on_page_read_source",
];
/// Why all is withheld where a file that the configuration builds on is missing.
const MISSING: &str = "withheld, because the file that `INHERIT` names is not read";

/// Reports such files.
pub fn settle(evidence: &Evidence<'_>, config: &mut Config) {
    let first = evidence.file(&config.file);
    let Some(first) = first.filter(|file| !file.path.ends_with(ZENSICAL)) else {
        return;
    };
    let files = chain(evidence, first, Some(INHERIT));
    let mut hooks = None;
    for file in files {
        let (front, ..) = read(file);
        for base in front.items(INHERIT) {
            missing(evidence, config, file, base);
        }
        let own = front.get(HOOKS).map(|entry| entry.node.clone());
        hooks = hooks.or(own.map(|node| (node, file)));
    }
    if let Some((node, file)) = hooks {
        programs(evidence, config, file, &node);
    }
}

/// A file that the configuration builds on and that is not in the folder. It may leave texts out, so that
/// nothing is published.
fn missing(evidence: &Evidence<'_>, config: &mut Config, file: &SourceFile, base: &Node) {
    let Some(name) = base.text() else {
        return;
    };
    let path = join(folder(&file.path), name);
    if path.is_some_and(|path| evidence.file(&path).is_some()) {
        return;
    }
    let problem = Problem::error(format!(
        "`{INHERIT}` names a file that is not read: `{}`: nothing of the site is published",
        shorten(name, 60)
    ));
    let hint = "that file may leave texts out: copy it into the folder, and name the copy";
    let problem = problem.at(&*file.path, base.line, base.column).hint(hint);
    config.withhold_for(problem, MISSING);
}

/// The programs that run while the site is built.
fn programs(evidence: &Evidence<'_>, config: &mut Config, file: &SourceFile, hooks: &Node) {
    for hook in hooks.items().iter().take(MOST) {
        program(evidence, config, file, hook);
    }
}

/// A program that may leave texts out or change them.
fn program(evidence: &Evidence<'_>, config: &mut Config, file: &SourceFile, hook: &Node) {
    let Some(name) = hook.text() else {
        return;
    };
    let path = join(config.folder(), name);
    let found = path.and_then(|path| evidence.file(&path));
    let by = match found.map(deciding) {
        Some(None) => return,
        Some(Some(name)) => format!(" in `{name}`"),
        None => String::new(),
    };
    let problem = Problem::warning(format!(
        "the program `{}` may leave texts out or change them{by}, and is not run",
        shorten(name, 60)
    ));
    let hint = "write what it leaves out as `exclude_docs`";
    let problem = problem.at(&*file.path, hook.line, hook.column).hint(hint);
    Problem::note_all(&mut config.problems, [problem.cause(Cause::Configuration)]);
}

/// The function of a program that may leave texts out or change them.
fn deciding(program: &SourceFile) -> Option<&'static str> {
    let defines = |name: &&str| {
        let definition = format!("def {name}");
        memchr::memmem::find(&program.bytes, definition.as_bytes()).is_some()
    };
    DECIDES.into_iter().find(defines)
}
