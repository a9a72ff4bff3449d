//! Parts that all pages of a language share: rendered once.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use minijinja::value::{Object, from_args};
use minijinja::{Error, State, Value, context};

/// `once(name)` in templates: renders the template of that name, with only `site` and `words`, for
/// the first page that calls it. All other pages reuse the output, without its final line break.
#[derive(Debug)]
pub(crate) struct Once {
    site: Value,
    words: Value,
    /// The output by template name.
    made: Mutex<BTreeMap<String, Value>>,
}

impl Once {
    /// With `site` and `words` of one language.
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
        // The lock is not held meanwhile: if two threads render at once, their output is equal.
        let text = state
            .env()
            .get_template(name)?
            .render(context! { site => self.site.clone(), words => self.words.clone() })?;
        let part = Value::from_safe_string(text.strip_suffix('\n').unwrap_or(&text).to_owned());
        made().insert(name.to_owned(), part.clone());
        Ok(part)
    }
}
