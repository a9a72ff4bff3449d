//! How the configuration of Hugo has addresses written.

/// What of names is written in addresses, and which addresses are those of files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Writing {
    /// Whether letters keep their case.
    pub keeps_case: bool,
    /// Whether letters lose their accents.
    pub drops_accents: bool,
    /// Where the name of a file with a date gives the slug: the keys of front matter that are asked
    /// for a date before it.
    pub slugs_in_names: Vec<Vec<String>>,
    /// The sections whose pages have the addresses of files, `/a.html`; an empty name means all.
    pub ugly: Vec<String>,
    /// Whether names of files may say the default language although the site lists no languages.
    pub default_in_names: bool,
}
