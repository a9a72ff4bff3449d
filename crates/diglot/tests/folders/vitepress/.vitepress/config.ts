export default { title: "A VitePress", description: "With Vue", lang: "en-US", srcExclude: ["**/excluded.md"], locales: { root: { label: "English" }, de: { label: "Deutsch", lang: "de" } } }
