//! Parameters and values of an interface: `<ParamField path="id" type="string" required>`.

use crate::dialects::tags::{Call, Piece, Rule};

/// The components, in lower case.
pub const COMPONENTS: &[&str] = &["paramfield", "responsefield"];
/// The attributes with their names.
pub const NAMES: &[&str] = &["name", "path", "query", "body", "header", "cookie"];

pub const RULES: &[Rule] = &[(COMPONENTS, field)];

/// A parameter or a value of an interface: its name, its type, and whether it must be given.
fn field(call: &Call<'_>) -> Option<Piece> {
    let said = |name| call.arguments.named(&[name]);
    let name = call.arguments.named(NAMES)?;
    let mut words: Vec<String> = said("type").map(str::to_owned).into_iter().collect();
    for flag in ["required", "deprecated"] {
        let is_set = said(flag).is_some_and(|value| value != "false");
        words.extend(is_set.then(|| flag.to_owned()));
    }
    let default = said("default").filter(|value| !value.is_empty());
    words.extend(default.map(|value| format!("default: {value}")));
    Piece::titled(&match words.as_slice() {
        [] => name.to_owned(),
        words => format!("{name} ({})", words.join(", ")),
    })
}
