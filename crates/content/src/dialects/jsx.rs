//! Which Markdown files of a folder are read as MDX.

use super::dialect::Dialect;
use super::evidence::Evidence;

/// Which `.md` files of a folder are read as MDX. Every `.mdx` file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jsx {
    /// None.
    Never,
    /// Those that contain JSX themselves: braces in the prose of the others are not expressions.
    WhereUsed,
    /// All.
    Always,
}

/// Packages that compile MDX.
const COMPILERS: [&str; 9] = [
    "\"@mdx-js/",
    "\"@next/mdx\"",
    "\"next-mdx-",
    "\"fumadocs-mdx\"",
    "\"contentlayer",
    "\"gatsby-plugin-mdx\"",
    "\"mdx-bundler\"",
    "\"velite\"",
    "\"@content-collections/mdx\"",
];

impl Jsx {
    /// The texts with JSX in a folder: one is enough where a package compiles MDX, elsewhere there
    /// must be two, since one may only show what JSX is.
    pub fn detect(evidence: &Evidence<'_>, dialect: &Dialect, vue: bool) -> Self {
        if (dialect.jsx)(evidence) {
            return Self::Always;
        }
        if vue {
            return Self::Never;
        }
        let (used, all) = evidence.jsx();
        let compiles = evidence.says("package.json", &COMPILERS);
        if used == 0 || used == 1 && !compiles {
            Self::Never
        } else if used * 4 > all && used > 1 {
            Self::Always
        } else {
            Self::WhereUsed
        }
    }
}
