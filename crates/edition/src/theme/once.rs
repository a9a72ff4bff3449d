//! Parts of a page that are the same on every page of a language: rendered once.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use minijinja::value::{Object, from_args};
use minijinja::{Error, State, Value, context};

/// `once(name)` in templates: the template of that name, which is given `site` and `words` alone.
/// It is rendered for the first page that asks, and what came of it stands on the others, without
/// the line break at its end.
#[derive(Debug)]
pub(crate) struct Once {
    site: Value,
    words: Value,
    /// By the template's name.
    made: Mutex<BTreeMap<String, Value>>,
}

impl Once {
    /// With `site` and `words` as pages of one language are given them.
    pub(crate) fn new(site: Value, words: Value) -> Self {
        Self {
            site,
            words,
            made: Mutex::default(),
        }
    }
}

impl Object for Once {
    fn call(self: &Arc<Self>, state: &mut State<'_, '_>, args: &[Value]) -> Result<Value, Error> {
        let (name,): (&str,) = from_args(args)?;
        let made = || self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(part) = made().get(name) {
            return Ok(part.clone());
        }
        // Not while others wait: should two make it at once, they make the same.
        let text = state
            .env()
            .get_template(name)?
            .render(context! { site => self.site.clone(), words => self.words.clone() })?;
        let part = Value::from_safe_string(text.strip_suffix('\n').unwrap_or(&text).to_owned());
        made().insert(name.to_owned(), part.clone());
        Ok(part)
    }
}
