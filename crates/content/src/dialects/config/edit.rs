//! Where the sources of texts can be edited, as the configuration of another generator says.
//!
//! Nothing is guessed: without the generator's own setting no path of a source is shown.

use super::Config;
use crate::model::edit::EditUrl;
use crate::syntax::front::Front;

/// The first keys that have a text, and the text.
fn first<'f>(front: &'f Front, keys: &[&'static str]) -> Option<(&'static str, &'f str)> {
    let text = |key: &&'static str| Some((*key, front.text(&[*key])?));
    keys.iter()
        .find_map(text)
        .filter(|(_, text)| !text.is_empty())
}

impl Config {
    /// Keeps an address whose `{path}` counts from this folder. What is not an address is ignored,
    /// as the generator does.
    fn edited_at(&mut self, key: &str, address: &str, below: &str) {
        let place = match below.trim_matches('/') {
            "" => "{path}".to_owned(),
            below => format!("{{path:{below}/}}"),
        };
        let address = address.replace("{path}", &place);
        if EditUrl::parse(&address).is_ok() {
            self.say(key, &address);
            self.settings.edit_url = Some(address);
        }
    }

    /// The folder in which the content folder is.
    fn project(&self) -> String {
        self.folder().to_owned()
    }

    /// The content folder, from the root of the site's folder.
    fn texts(&self, project: &str) -> String {
        let content = self.content.as_deref().unwrap_or_default();
        format!("{project}/{content}").trim_matches('/').to_owned()
    }
}

/// `repo_url` with `edit_uri` or `edit_uri_template`: the path counts from the folder of texts.
pub fn mkdocs(config: &mut Config, front: &Front) {
    let repository = front.text(&["repo_url"]).unwrap_or_default();
    let Some((key, uri)) = first(front, &["edit_uri_template", "edit_uri"]) else {
        return;
    };
    let uri = match key {
        "edit_uri" => format!("{}/{{path}}", uri.trim_end_matches('/')),
        _ => uri.to_owned(),
    };
    let address = if uri.contains("://") {
        uri
    } else {
        let uri = uri.trim_start_matches('/');
        match repository.trim_end_matches('/') {
            "" => return,
            repository if uri.starts_with(['?', '#']) => format!("{repository}{uri}"),
            repository => format!("{repository}/{uri}"),
        }
    };
    let texts = config.texts(&config.project());
    config.edited_at(key, &address, &texts);
}

/// `edit-url-template`: `{path}` counts from the folder of the book.
pub fn mdbook(config: &mut Config, front: &Front) {
    if let Some((key, address)) = first(front, &["output.html.edit-url-template"]) {
        config.edited_at(key, address, &config.project());
    }
}

/// `editUrl`: the path counts from the folder of the project.
pub fn docusaurus(config: &mut Config, front: &Front) {
    if let Some((key, address)) = first(front, &["presets.docs.editUrl"]) {
        let address = format!("{}/{{path}}", address.trim_end_matches('/'));
        config.edited_at(key, &address, &config.project());
    }
}

/// `editLink.pattern`: `:path` counts from the folder of texts, which has the configuration in a
/// folder of its own.
pub fn vitepress(config: &mut Config, front: &Front) {
    let keys = [
        "themeConfig.editLink.pattern",
        "locales.root.themeConfig.editLink.pattern",
    ];
    if let Some((key, pattern)) = first(front, &keys)
        && pattern.contains(":path")
    {
        let project = config.project();
        let project = project.trim_end_matches(".vitepress");
        let texts = config.texts(project.trim_end_matches('/'));
        config.edited_at(key, &pattern.replace(":path", "{path}"), &texts);
    }
}

/// Starlight's `editLink.baseUrl`: the path counts from the folder of the project.
pub fn starlight(config: &mut Config, front: &Front) {
    let keys = ["integrations.editLink.baseUrl", "editLink.baseUrl"];
    if let Some((key, address)) = first(front, &keys) {
        let address = format!("{}/{{path}}", address.trim_end_matches('/'));
        config.edited_at(key, &address, &config.project());
    }
}

/// Docsy's `params.github_repo`, with its branch and the folder of the site in it.
pub fn hugo(config: &mut Config, front: &Front) {
    let Some((key, repository)) = first(front, &["params.github_repo"]) else {
        return;
    };
    let branch = front.text(&["params.github_branch"]).unwrap_or("main");
    let folder = front.text(&["params.github_subdir"]).unwrap_or_default();
    let repository = repository.trim_end_matches('/');
    let address = match folder.trim_matches('/') {
        "" => format!("{repository}/edit/{branch}/{{path}}"),
        folder => format!("{repository}/edit/{branch}/{folder}/{{path}}"),
    };
    let project = config.project();
    let project = project
        .split("config")
        .next()
        .unwrap_or_default()
        .to_owned();
    config.edited_at(key, &address, &project);
}

#[cfg(test)]
mod tests {
    use super::super::tests::read;
    use super::*;

    #[track_caller]
    fn check(dialect: &str, path: &str, text: &str, source: &str, expected: &str) {
        let address = read(dialect, path, text).settings.edit_url;
        let url = address.and_then(|address| EditUrl::parse(&address).unwrap().for_source(source));
        assert_eq!(url.unwrap_or_default(), expected, "{dialect}");
    }

    #[test]
    fn the_generators_own_setting_says_where_a_source_is_edited() {
        let repository = "https://f.example/o/r";
        check(
            "mkdocs",
            "mkdocs.yml",
            "site_name: A\nrepo_url: https://f.example/o/r\nedit_uri: edit/main/docs/\n",
            "docs/a/b.md",
            &format!("{repository}/edit/main/docs/a/b.md"),
        );
        check(
            "mkdocs",
            "mkdocs.yml",
            "site_name: A\ndocs_dir: text\nedit_uri_template: https://f.example/{path}?x\n",
            "text/b.md",
            "https://f.example/b.md?x",
        );
        check(
            "mdbook",
            "book.toml",
            "[output.html]\nedit-url-template = \"https://f.example/o/r/edit/main/{path}\"\n",
            "src/a.md",
            &format!("{repository}/edit/main/src/a.md"),
        );
        check(
            "docusaurus",
            "docusaurus.config.js",
            "module.exports = { presets: [['classic', { docs: { editUrl: 'https://f.example/o/r/edit/main/' } }]] };",
            "docs/a.md",
            &format!("{repository}/edit/main/docs/a.md"),
        );
        check(
            "vitepress",
            "docs/.vitepress/config.js",
            "export default { themeConfig: { editLink: { pattern: 'https://f.example/o/r/edit/main/docs/:path' } } }",
            "docs/a.md",
            &format!("{repository}/edit/main/docs/a.md"),
        );
        check(
            "astro",
            "astro.config.mjs",
            "export default defineConfig({ integrations: [starlight({ editLink: { baseUrl: 'https://f.example/o/r/edit/main/' } })] });",
            "src/content/docs/a.md",
            &format!("{repository}/edit/main/src/content/docs/a.md"),
        );
        check(
            "hugo",
            "hugo.toml",
            "[params]\ngithub_repo = 'https://f.example/o/r'\ngithub_subdir = 'site'\n",
            "content/a.md",
            &format!("{repository}/edit/main/site/content/a.md"),
        );
    }

    #[test]
    fn nothing_is_guessed_from_the_address_of_a_repository() {
        check(
            "mkdocs",
            "mkdocs.yml",
            "repo_url: https://f.example/o/r\n",
            "docs/a.md",
            "",
        );
        check(
            "mkdocs",
            "mkdocs.yml",
            "edit_uri: edit/main\n",
            "docs/a.md",
            "",
        );
        let book = "[output.html]\ngit-repository-url = \"https://f.example/o/r\"\n";
        check("mdbook", "book.toml", book, "src/a.md", "");
    }
}
