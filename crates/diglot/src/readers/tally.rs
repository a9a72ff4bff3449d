//! Counts while the server answers; the [`Recorder`](super::Recorder) empties the table.

use std::mem;
use std::sync::{Mutex, PoisonError};

use diglot_edition::Route;

use super::day::{Count, Day, OTHERS, Reader, Subject};
use crate::serve::{Exchange, Observer};

/// How many resources are counted separately until the table is emptied; the others are counted by
/// kind.
const MOST: usize = 8_192;

/// The counts since the last [`take`](Self::take).
#[derive(Debug, Default)]
pub struct Tally(Mutex<Day>);

impl Tally {
    /// Takes the counts and empties the table.
    pub fn take(&self) -> Day {
        mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The page or document that an answer gave; `None` for pictures and style sheets, which belong to
/// a page, and for error pages, which were not requested.
fn subject(exchange: &Exchange<'_>) -> Option<Subject> {
    let (route, path) = exchange.resource.zip(exchange.resource_path)?;
    if exchange.method != "GET"
        || matches!(route, Route::Asset(_) | Route::File(_) | Route::NotFound(_))
    {
        return None;
    }
    let stem = route
        .form()
        .and_then(|form| path.strip_suffix(form.suffix()));
    Some(Subject {
        kind: route.kind_name(),
        path: stem.unwrap_or(path).into(),
    })
}

impl Observer for Tally {
    fn answered(&self, exchange: &Exchange<'_>) {
        let (sent, unchanged) = match exchange.status {
            200 => (1, 0),
            304 => (0, 1),
            _ => return,
        };
        let Some(mut subject) = subject(exchange) else {
            return;
        };
        let mut day = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if day.subjects.len() >= MOST && !day.subjects.contains_key(&subject) {
            subject.path = OTHERS.into();
        }
        let reader = Reader::new(exchange.form, exchange.family);
        day.count(subject, reader, Count { sent, unchanged });
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use diglot_edition::Form;

    use super::*;
    use crate::serve::Family;

    fn visit<'a>(route: &'a Route, path: &'a str) -> Exchange<'a> {
        Exchange {
            method: "GET",
            path: "/whatever?was=sent",
            resource: Some(route),
            resource_path: Some(path),
            form: "html",
            status: 200,
            coding: "br",
            bytes: 1,
            time: Duration::ZERO,
            family: Family::named("Firefox"),
        }
    }

    #[test]
    fn both_forms_are_one_page_and_only_what_was_read_counts() {
        let tally = Tally::default();
        let (html, markdown) = (
            Route::Article("a".into(), Form::Html),
            Route::Article("a".into(), Form::Markdown),
        );
        let page = visit(&html, "/articles/a.html");
        tally.answered(&page);
        tally.answered(&Exchange {
            status: 304,
            ..page.clone()
        });
        tally.answered(&Exchange {
            form: "markdown",
            family: Family::named("OpenAI"),
            ..page.clone()
        });
        tally.answered(&Exchange {
            form: "markdown",
            family: Family::named("OpenAI"),
            ..visit(&markdown, "/articles/a.md")
        });
        for nothing in [
            Exchange {
                method: "HEAD",
                ..page.clone()
            },
            Exchange {
                status: 206,
                ..page.clone()
            },
            Exchange {
                status: 404,
                resource: None,
                resource_path: None,
                ..page.clone()
            },
            visit(&Route::Asset("x.css".into()), "/_/x.css"),
            visit(&Route::File("cat.jpg".into()), "/cat.jpg"),
            visit(&Route::NotFound(Form::Html), "/404.html"),
        ] {
            tally.answered(&nothing);
        }
        let mut expected = Day::default();
        let subject = Subject {
            kind: "article",
            path: "/articles/a".into(),
        };
        expected.count(
            subject.clone(),
            Reader::new("html", Family::named("Firefox")),
            Count {
                sent: 1,
                unchanged: 1,
            },
        );
        expected.count(
            subject,
            Reader::new("markdown", Family::named("OpenAI")),
            Count {
                sent: 2,
                unchanged: 0,
            },
        );
        assert_eq!(tally.take(), expected);
        assert!(tally.take().is_empty(), "it was emptied");
    }

    #[test]
    fn memory_is_bounded_whatever_is_asked_for() {
        let tally = Tally::default();
        for n in 0..MOST * 2 {
            let slug = n.to_string();
            tally.answered(&visit(
                &Route::Article(slug.as_str().into(), Form::Html),
                &format!("/articles/{slug}.html"),
            ));
        }
        let day = tally.take();
        assert!(day.subjects.len() <= MOST + 1);
        let total: u64 = day
            .subjects
            .values()
            .flat_map(|readers| readers.values())
            .map(|count| count.sent)
            .sum();
        assert_eq!(
            total,
            MOST as u64 * 2,
            "and nothing is lost but where it was"
        );
    }
}
