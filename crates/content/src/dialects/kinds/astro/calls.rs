//! Calls that take texts of collections in the programs of an Astro site.

/// The functions that give a collection, and entries of one.
const GETTERS: [&str; 3] = ["getCollection", "getEntry", "getEntries"];
/// The endings of files with calls.
const PROGRAMS: [&str; 7] = ["astro", "ts", "js", "mjs", "tsx", "jsx", "mdx"];
/// The maximum number of calls of one function in a file.
const MOST: usize = 5000;
/// The longest arguments of a call, in bytes.
const LONGEST: usize = 2000;

/// A call of one of the functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call<'t> {
    /// For a collection.
    Of(&'t str),
    /// For a collection that only the program knows.
    OfAny,
}

/// Whether a file may have calls.
pub fn is_program(path: &str) -> bool {
    let (_, ending) = path.rsplit_once('.').unwrap_or_default();
    PROGRAMS.contains(&ending)
}

/// The calls in a program, with their offsets.
pub fn calls(text: &str) -> Vec<(usize, Call<'_>)> {
    let mut found = Vec::new();
    for getter in GETTERS {
        for (at, _) in text.match_indices(getter).take(MOST) {
            let behind = &text[at + getter.len()..];
            found.extend(call(getter, behind).map(|call| (at, call)));
        }
    }
    found
}

/// The call whose name is before this text; none if it is another word, or if it follows the reference
/// of an entry.
fn call<'t>(getter: &str, behind: &'t str) -> Option<Call<'t>> {
    let rest = &behind[..behind.floor_char_boundary(LONGEST)];
    let rest = rest.trim_start();
    // `import { getCollection as get }`
    if rest.starts_with("as ") {
        return Some(Call::OfAny);
    }
    let rest = arguments(rest)?;
    let quote = rest.chars().next().filter(|c| "'\"`".contains(*c));
    if let Some((name, _)) = quote.and_then(|quote| rest[1..].split_once(quote)) {
        return Some(Call::Of(name));
    }
    // `getEntry(post.data.author)`
    let has_one = !rest.split(')').next().unwrap_or("").contains(',');
    (getter == GETTERS[0] || !has_one).then_some(Call::OfAny)
}

/// What follows the bracket of a call, behind its types: `getCollection<"blog">("blog")`.
fn arguments(call: &str) -> Option<&str> {
    let arguments = match call.strip_prefix('<') {
        Some(types) => types.split_once('(').map_or("", |(_, rest)| rest),
        None => call.strip_prefix('(')?,
    };
    Some(arguments.trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_call_for_a_collection_counts() {
        let name = |text: &str| match calls(text).first() {
            Some((_, Call::Of(name))) => (*name).to_owned(),
            Some((_, Call::OfAny)) => "any".to_owned(),
            None => String::new(),
        };
        for (text, expected) in [
            ("getCollection('a', ({data}) => !data.wip)", "a"),
            ("getCollection<\"a\">(\"a\")", "a"),
            ("getEntry('a', slug)", "a"),
            ("getCollection(name)", "any"),
            ("getEntry(name, slug)", "any"),
            (
                "import { getCollection as get } from 'astro:content'",
                "any",
            ),
            ("getEntry(post.data.author)", ""),
            ("import { getCollection } from 'astro:content'", ""),
        ] {
            assert_eq!(name(text), expected, "{text}");
        }
    }
}
