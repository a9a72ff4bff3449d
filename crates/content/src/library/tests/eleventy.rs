//! What an Eleventy site publishes, as its configuration and its data say.

use super::inherited::words;
use super::*;

#[test]
fn rule_26_folders_of_eleventy_count_from_its_input() {
    for config in [
        "export const config = { dir: { input: 'content', includes: '../_includes', data: '../_data' } };",
        "export default (c) => { c.setInputDirectory('content'); c.setIncludesDirectory('../_includes'); c.setDataDirectory('../_data'); };",
    ] {
        let files = [
            ("eleventy.config.js", config),
            ("_data/flags.json", "{\"beta\": false}"),
            ("_includes/hid.njk", "---\npermalink: false\n---\n"),
            ("_includes/wip.njk", "---\ndraft: true\n---\n"),
            ("content/a.md", "A {% if flags.beta %}SECRET{% endif %}."),
            ("content/b.md", "---\nlayout: hid.njk\n---\nSECRET"),
            ("content/c.md", "---\nlayout: wip\n---\nSECRET"),
        ];
        assert_eq!(published_texts(&files), ["content/a.md"], "{config}");
        assert_eq!(words(&files).0, "A .", "{config}");
    }
}
