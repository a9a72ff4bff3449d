//! Parameters and values of an interface: `<ParamField path="id" type="string" required>`.

use crate::dialects::tags::{Call, Piece, Rule};

/// The components, in lower case.
pub const COMPONENTS: &[&str] = &["paramfield", "responsefield"];
/// The attributes with their names.
pub const NAMES: &[&str] = &["name", "path", "query", "body", "header", "cookie"];

pub const RULES: &[Rule] = &[(COMPONENTS, field)];

/// A parameter or a value of an interface: its name, its type, and whether it must be given.
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
