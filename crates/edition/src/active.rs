//! Finds authors' files with active content: scripts that would run with the site's origin on a
//! host that sends no header fields.

use std::sync::Arc;

use diglot_content::{Problem, parallel};

use crate::edition::Edition;
use crate::policy;
use crate::resource::Resource;

/// A warning for exports to a host that sends no header fields; `None` if no file has active
/// content.
pub fn warning(edition: &Edition) -> Option<Problem> {
    let is_open = |resource: &Arc<Resource>| {
        let is_guarded = policy::content_security_policy(&resource.route, &edition.site).is_some();
        is_guarded && may_run(resource.route.media_type(), &resource.body.to_bytes())
    };
    let found = parallel::filter(&edition.resources, is_open);
    let first = &found.first()?.path;
    let (files, run) = match found.len() - 1 {
        0 => (format!("`{first}` holds"), "it runs"),
        1 => (format!("`{first}` and 1 more file hold"), "they run"),
        more => (format!("`{first}` and {more} more files hold"), "they run"),
    };
    let message = format!(
        "{files} what browsers run: on a host that sends no header fields, such as GitHub Pages, {run} with the site's origin"
    );
    Some(
        Problem::warning(message)
            .hint("use a host that sends those which are written here, or take the scripts out"),
    )
}

/// Elements that are or contain scripts or documents, and declarations that turn text into markup;
/// lower case, without a prefix.
const ELEMENTS: [&[u8]; 8] = [
    b"script",
    b"iframe",
    b"object",
    b"embed",
    b"foreignobject",
    b"handler",
    b"!entity",
    b"?xml-stylesheet",
];

/// Whether a document may contain active content. False positives are accepted: markup has more
/// spellings than are checked.
fn may_run(media_type: &str, bytes: &[u8]) -> bool {
    // An encoding other than UTF-8 hides markup from this scan.
    let is_other_encoding = bytes.iter().any(|byte| matches!(byte, 0 | 0x1b))
        || bytes.starts_with(b"\xff\xfe")
        || bytes.starts_with(b"\xfe\xff");
    if media_type.starts_with("text/html") || is_other_encoding {
        return true;
    }
    let text = bytes.to_ascii_lowercase();
    let holds = |part: &[u8]| text.windows(part.len()).any(|window| window == part);
    elements(&text)
        || handlers(&text)
        || holds(b"script:")
        || holds(b"href") && (holds(b"&#") || holds(b"&colon") || holds(b"&tab"))
}

/// Whether one of [`ELEMENTS`] occurs, with or without a prefix.
fn elements(text: &[u8]) -> bool {
    for (at, _) in text.iter().enumerate().filter(|(_, byte)| **byte == b'<') {
        let rest = &text[at + 1..text.len().min(at + 101)];
        let name = rest
            .split(|byte| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/' | b'['))
            .next()
            .unwrap_or_default();
        let name = name.rsplit(|byte| *byte == b':').next().unwrap_or_default();
        if ELEMENTS.contains(&name) {
            return true;
        }
    }
    false
}

/// Whether an event handler attribute occurs: `onload=`.
fn handlers(text: &[u8]) -> bool {
    text.windows(3).enumerate().any(|(at, window)| {
        let [before, b'o', b'n'] = window else {
            return false;
        };
        if !(before.is_ascii_whitespace() || matches!(before, b'"' | b'\'' | b'/')) {
            return false;
        }
        let rest = &text[at + 3..];
        let name = rest
            .iter()
            .take_while(|byte| byte.is_ascii_alphabetic())
            .count();
        let behind = rest[name..].iter().find(|byte| !byte.is_ascii_whitespace());
        name > 0 && behind == Some(&b'=')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_browser_may_run_is_found() {
        for text in [
            "<svg><script>x</script></svg>",
            "<SVG><x:SCRIPT href='a'/></SVG>",
            "<svg onload = 'x'/>",
            "<svg><a x=''onclick=x/></svg>",
            "<svg><a href='javascript:x'/></svg>",
            "<svg><a href='java&#115;cript:x'/></svg>",
            "<svg><foreignObject/></svg>",
            "<!DOCTYPE svg [<!ENTITY x 'y'>]><svg/>",
            "<?xml-stylesheet href='x.xsl'?><r/>",
            "\u{feff}<\0s\0c\0r\0i\0p\0t\0",
        ] {
            assert!(may_run("image/svg+xml", text.as_bytes()), "{text}");
        }
        for text in [
            "<svg xmlns='http://www.w3.org/2000/svg'><title>on = a description, scripted</title><path d='M0 0'/><a href='https://a.example'/></svg>",
            "<?xml version='1.0'?><!DOCTYPE svg PUBLIC 'x' 'y'><svg><animate attributeName='x' dur='1s'/><text>&#228;</text></svg>",
            "",
        ] {
            assert!(!may_run("image/svg+xml", text.as_bytes()), "{text}");
        }
        assert!(may_run("text/html; charset=utf-8", b""));
    }
}
