//! Parameters and values of an API: `<ParamField path="id" type="string" required>`.

use crate::dialects::tags::{Call, Piece, Rule};

/// The components, in lower case.
pub const COMPONENTS: &[&str] = &["paramfield", "responsefield"];
/// The attributes with their names.
pub const NAMES: &[&str] = &["name", "path", "query", "body", "header", "cookie"];

pub const RULES: &[Rule] = &[(COMPONENTS, field)];

/// A parameter or a value of an API: its name, its type, and whether it must be given.
fn field(call: &Call<'_>) -> Option<Piece> {
    let arguments = &call.arguments;
    let name = arguments.named(NAMES)?;
    let mut words = Vec::new();
    words.extend(arguments.named(&["type"]).map(str::to_owned));
    for flag in ["required", "deprecated"] {
        match arguments.named(&[flag]) {
            None | Some("false") => {}
            Some(_) => words.push(flag.to_owned()),
        }
    }
    match arguments.named(&["default"]) {
        None | Some("") => {}
        Some(value) => words.push(format!("default: {value}")),
    }
    Piece::titled(&match words.as_slice() {
        [] => name.to_owned(),
        words => format!("{name} ({})", words.join(", ")),
    })
}

/// The id of the place of a field: `param-user-id` of `userId`. `None`: its name has no letters.
pub fn id(name: &str) -> Option<String> {
    let mut id = "param".to_owned();
    let mut before = ' ';
    for c in name.chars() {
        let begins = !before.is_ascii_alphanumeric()
            || before.is_ascii_lowercase() && c.is_ascii_uppercase();
        if c.is_ascii_alphanumeric() {
            if begins {
                id.push('-');
            }
            id.push(c.to_ascii_lowercase());
        }
        before = c;
    }
    id.contains('-').then_some(id)
}
