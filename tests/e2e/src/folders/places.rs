//! Whether a text names a place, judged from its source: a fragment that names nothing in the
//! source is broken on the owner's own site too.

/// Attributes by which elements and components name places.
const ATTRIBUTES: [&str; 5] = ["id=", "name=", "titleId=", "permalink=", "anchor="];

/// Whether a heading of a source, an attribute or a comment has the letters of a fragment.
pub fn names(source: &str, fragment: &str) -> bool {
    let wanted = letters(fragment);
    if wanted.is_empty() {
        return false;
    }
    source.lines().any(|line| {
        let title = line.trim_start_matches(['#', ' ', '>']);
        let is_heading = title.len() < line.len() && line.contains('#');
        let (words, behind) = title.split_at(title.find("{").unwrap_or(title.len()));
        let list = || behind.trim_matches(['{', '}', '/', '*', ' ', '#', '<', '>', '!', '-']);
        is_heading
            && [words, title, list()]
                .iter()
                .any(|text| letters(text) == wanted)
            || ATTRIBUTES.iter().any(|name| has_value(line, name, &wanted))
    })
}

fn has_value(line: &str, attribute: &str, wanted: &str) -> bool {
    line.match_indices(attribute).any(|(at, _)| {
        let value = line[at + attribute.len()..].trim_start_matches(['"', '\'']);
        let end = value.find(['"', '\'', ' ', '>']).unwrap_or(value.len());
        letters(&value[..end]) == wanted
    })
}

fn letters(text: &str) -> String {
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn a_place_is_named_by_a_heading_an_attribute_or_a_comment() {
        let source = "# A b\n\n## Ü {/*u-e*/}\n\n<X titleId=\"x-y\">\n\nwords alone\n";
        for (fragment, is) in [
            ("a-b", true),
            ("u-e", true),
            ("x-y", true),
            ("words-alone", false),
            ("a-b-c", false),
            ("-", false),
        ] {
            assert_eq!(names(source, fragment), is, "{fragment}");
        }
    }
}
