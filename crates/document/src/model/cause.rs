//! What kinds of problems there are. A report groups the problems of one cause.

use serde::{Deserialize, Serialize};

/// The cause of a [`Problem`](super::problem::Problem). Its name in JSON is part of the contract of
/// the command line.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// A key that decides whether a text is published cannot be read.
    UnreadableVisibility,
    /// A key is nearly one that decides whether a text is published.
    NearKey,
    /// A date cannot be read.
    Date,
    /// Front matter is not valid, and is read as far as possible.
    FrontMatter,
    /// A value of front matter cannot be used.
    Value,
    /// Two files have one address.
    SameAddress,
    /// An old address or a redirect cannot be kept.
    OldAddress,
    /// A link is broken.
    Link,
    /// A link leads to the rest of a larger site, of which the folder is a part.
    LinkToLargerSite,
    /// A link leads to a text or file of the folder that is not published.
    LinkToWithheld,
    /// A link leads to a text that exists, but not in this language nor in the default one.
    LinkToOtherLanguage,
    /// A link leads out of the folder.
    LinkOutside,
    /// A link has a scheme that no page may lead to.
    LinkScheme,
    /// A reference link `[text][name]` has no definition of its name.
    UndefinedReference,
    /// An entry of the author's navigation has no target.
    Navigation,
    /// An image or another file is missing.
    File,
    /// A page does not have the place that a link names.
    Fragment,
    /// A link is written in another case than its file.
    Case,
    /// A file or a part of one cannot be included.
    Include,
    /// A note cannot be shown in another.
    Embed,
    /// A tag, a formula or another part of the text is not understood.
    Text,
    /// Bytes of a file are not text.
    Encoding,
    /// Another generator's configuration cannot be read as a whole.
    Configuration,
    /// Everything else.
    #[default]
    Other,
}

impl Cause {
    /// What several problems of this cause have in common: the words after their number. With a
    /// subject, also what that is. `None`: they are not grouped.
    pub fn words(self, subject: Option<&str>) -> Option<String> {
        let words = self.plain_words()?;
        Some(match subject {
            Some(subject) => self.about(words, subject),
            None => words.to_owned(),
        })
    }

    fn about(self, words: &str, subject: &str) -> String {
        match self {
            Self::Link => format!("broken links to `{subject}…`"),
            Self::LinkToLargerSite => {
                format!("links to `{subject}…`, which is not in this folder")
            }
            Self::File => format!("missing images or files in `{subject}`"),
            Self::Fragment => format!("links to a heading or id that `{subject}` does not have"),
            Self::LinkToOtherLanguage => format!("links to texts that exist only in `{subject}`"),
            Self::Navigation => format!("entries of `{subject}` without a target"),
            _ => format!("{words}: {subject}"),
        }
    }

    fn plain_words(self) -> Option<&'static str> {
        Some(match self {
            Self::UnreadableVisibility => {
                "texts withheld, because a key that controls publication has an unreadable value"
            }
            Self::NearKey => "keys that may be misspelled",
            Self::Date => "unreadable dates",
            Self::FrontMatter => "mistakes in front matter",
            Self::Value => "values in front matter that cannot be used",
            Self::SameAddress => "files set aside, because another file has their address",
            Self::OldAddress => "old addresses or redirects that are not usable",
            Self::Link => "broken links",
            Self::LinkToLargerSite => "links to parts of a site that are not in this folder",
            Self::LinkToWithheld => "links to something that is not published",
            Self::LinkToOtherLanguage => "links to texts that exist only in another language",
            Self::LinkOutside => "links that lead out of the folder",
            Self::LinkScheme => "links removed, because pages do not link to their scheme",
            Self::UndefinedReference => "reference links without a definition, shown as text",
            Self::Navigation => "navigation entries without a target",
            Self::File => "missing images or files",
            Self::Fragment => "links to a heading or id that their page does not have",
            Self::Case => "links whose upper and lower case differs from the file name",
            Self::Include => "files or snippets that cannot be included",
            Self::Embed => "notes that cannot be embedded",
            Self::Text => "parts of texts that are not shown as written",
            Self::Encoding => "files with invalid UTF-8",
            Self::Configuration => "unsupported parts of a configuration",
            Self::Other => return None,
        })
    }
}
