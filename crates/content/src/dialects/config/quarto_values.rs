//! What texts in Pandoc's Markdown need to know of their site: its values, and in a book the
//! numbers of what all chapters contain.

/// Values of a site, and numbers in a book.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuartoValues {
    /// The values of the configuration, by the path of their key.
    pub meta: Vec<(String, String)>,
    /// The active profiles of the site.
    pub profiles: Vec<String>,
    /// The variables of the site, likewise.
    pub variables: Vec<(String, String)>,
    /// Whether sections have numbers.
    pub sections: bool,
    /// The chapters of a book, each with its number if it has one.
    pub chapters: Vec<(String, Option<String>)>,
    /// What is in the chapters, by id, with the file; sorted.
    pub labels: Vec<(String, String, Label)>,
}

/// What a reference to a figure, a table or a section shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Label {
    /// The word: `Figure`; or the title of a section without a number.
    pub words: String,
    /// The number: `1.2`.
    pub number: String,
    /// Whether the words are a title.
    pub title: bool,
}

impl Label {
    pub fn numbered(word: &str, number: &str) -> Self {
        Self {
            words: word.to_owned(),
            number: number.to_owned(),
            title: false,
        }
    }

    /// The text of a reference: `Figure 1.2`.
    pub fn text(&self) -> String {
        if self.number.is_empty() {
            self.words.clone()
        } else {
            format!("{} {}", self.words, self.number)
        }
    }
}
