//! One file for each kind of folder.

mod astro;
mod docusaurus;
mod eleventy;
mod hexo;
mod hugo;
mod jekyll;
mod mdbook;
mod mkdocs;
pub(super) mod obsidian;
pub(super) mod plain;
mod quarto;
mod vitepress;
mod zola;

use super::Dialect;
use crate::syntax::settings::DIALECTS;

/// All kinds, in the order in which they are looked for; the last recognises every folder.
pub(super) const ALL: [&Dialect; DIALECTS.len()] = [
    &mdbook::DIALECT,
    &docusaurus::DIALECT,
    &mkdocs::DIALECT,
    &vitepress::DIALECT,
    &quarto::DIALECT,
    &astro::DIALECT,
    &eleventy::DIALECT,
    &hugo::DIALECT,
    &zola::DIALECT,
    &hexo::DIALECT,
    &jekyll::DIALECT,
    &obsidian::DIALECT,
    &plain::DIALECT,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dialect_has_its_name_among_the_settings() {
        assert_eq!(ALL.map(|dialect| dialect.name), DIALECTS);
    }
}
