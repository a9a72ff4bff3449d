//! Values of `Accept` that real clients send, and the form each must get.

/// One value and its form.
#[derive(Clone, Copy, Debug)]
pub struct Vector {
    /// The value; empty: the field is absent.
    pub accept: &'static str,
    /// Whether it must get Markdown.
    pub markdown: bool,
}

const fn html(accept: &'static str) -> Vector {
    Vector {
        accept,
        markdown: false,
    }
}

const fn markdown(accept: &'static str) -> Vector {
    Vector {
        accept,
        markdown: true,
    }
}

/// The cases in which hosts differ.
pub const VECTORS: &[Vector] = &[
    html(""),
    html("*/*"),
    html("text/*"),
    html("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"),
    html("text/html;q=1.0, text/markdown;q=0.7, */*;q=0.1"),
    html("text/html, text/markdown;q=0.1"),
    html("text/markdown;q=0, text/html"),
    html("text/markdown;q=0"),
    html("text/markdown;q=0.5, */*"),
    html("application/json"),
    html("text/markdown;q=oops, text/html"),
    html("text/x-markdown"),
    markdown("text/markdown"),
    markdown("text/markdown, text/html, */*"),
    markdown("text/markdown, text/plain;q=0.9, */*;q=0.8"),
    markdown(
        "text/markdown;q=1.0, text/x-markdown;q=0.9, text/plain;q=0.8, text/html;q=0.7, */*;q=0.1",
    ),
    markdown("text/markdown, text/html;q=0.9, */*;q=0.8"),
    markdown("text/markdown;q=0.5, */*;q=0.1"),
    markdown("text/html;q=0, text/markdown;q=0.001"),
    markdown("TEXT/MARKDOWN;Q=1"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vectors_are_those_of_the_contract() {
        let all = include_str!("../../http/tests/vectors/accept.tsv");
        for vector in VECTORS {
            let line = format!(
                "{}\t{}\t",
                vector.accept,
                if vector.markdown { "markdown" } else { "html" }
            );
            assert!(all.lines().any(|own| own.starts_with(&line)), "{line}");
        }
    }
}
