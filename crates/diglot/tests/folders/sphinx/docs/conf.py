project = "A guide of Sphinx"
extensions = ["myst_parser"]
exclude_patterns = ["_build", "notes"]
html_static_path = ["_static"]
myst_substitutions = {
    "version": "1.2",  # of the last release
}
