//! `/robots.txt` (RFC 9309): who may read the site, and for which uses.

use super::Material;
use crate::policy;
use crate::resource::Resource;
use crate::route::Route;

/// The meaning of the signals, in every copy of the file: the reservation needs an explicit
/// statement.
const EXPLANATION: &str = "\
# Everybody may read this site. The `Content-Signal` line says what for:
#
#   search    building a search index and showing links and short excerpts from it;
#             not answers written by a model.
#   ai-input  giving the content to a model at the moment of an answer: retrieval,
#             grounding, and other ways of reading it in real time.
#   ai-train  training models or tuning them.
#
# `yes` permits a use, `no` refuses it. Where a use is refused, this is an express
# reservation of rights under Article 4 of the European Union's Directive 2019/790
# on copyright and related rights in the Digital Single Market.
";

/// The file. It has one group, for all agents, so the signal applies to each.
pub fn resource(material: &Material<'_>) -> Resource {
    let site = material.site;
    let text = format!(
        "{EXPLANATION}# In plain words: {}\n\nUser-agent: *\nContent-Signal: {}\nAllow: /\n\nSitemap: {}\n",
        site.base
            .absolute(&Route::Terms(crate::route::Form::Html).path()),
        policy::content_signal(site),
        site.base.absolute(&Route::Sitemap.path()),
    );
    Resource::new(Route::Robots, text, policy::words_date(material.now).at)
}
