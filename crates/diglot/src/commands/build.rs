//! `diglot build`: writes the edition as a folder for static hosts.

use std::path::Path;

use diglot_content::{BaseUrl, Problem, dialects};
use diglot_edition::{active, hosts};
use jiff::Timestamp;

use super::folder::{Folder, Made};
use super::since;
use crate::cli;
use crate::export::{self, Export, Written};
use crate::failure::Failure;
use crate::progress;
use crate::report::Detail;
use crate::terminal::{self, Channel};

pub(super) fn run(args: &cli::Build) -> Result<(), Failure> {
    let detail = args.report.detail();
    let mut folder = Folder::open(&args.folder)?;
    let Some(output) = &args.output else {
        return Err(no_output(&folder));
    };
    let mut export = Export::to(output, &folder.root)?;
    export.compress = args.compress;
    let now = Timestamp::now();
    // Unused if a base URL is set; invalid settings are reported before a missing one.
    let nowhere = BaseUrl::parse("http://localhost").map_err(Failure::machine)?;
    require_address("build", &mut folder, &nowhere, (now, detail))?;
    if let Some(url) = &args.since {
        since::recall(&mut folder, url)?;
    }
    folder.make_beside(export.target());
    let made = folder
        .make(&nowhere, now)
        .map_err(|broken| broken.told_as(detail, Channel::Messages))?;
    made.require_something_as(detail, &args.folder.folder)?;
    folder.is_live(&made.edition, &made.report);
    folder.save();
    let (written, host_problems) = write(&export, &made)?;

    let mut problems = made.edition.problems.clone();
    problems.extend(host_problems);
    problems.extend(active::warning(&made.edition));
    problems.extend(written.problems);
    made.edition_report(&problems)
        .tell(detail, Channel::Messages);
    if let Some(origin) = written.origin {
        let (origin, root) = (origin.display(), made.edition.site.base.origin());
        terminal::say(format!(
            "copy the files in `{origin}` to the root of {root}: clients look for them there"
        ));
    }
    if let Some(next) = made.edition.next_change {
        terminal::say(format!(
            "build again at {next}: an article is due to appear or expire"
        ));
    }
    let is_below_a_path = !made.edition.site.base.path().is_empty();
    // The process is about to exit, and the system frees its memory faster than drops would.
    std::mem::forget((made, folder));
    let bytes = indicatif::HumanBytes(written.bytes);
    terminal::say(format!(
        "wrote {} ({bytes}) to `{}`",
        terminal::counted(written.files, "file"),
        output.display()
    ));
    for line in hosting(export.target(), output, is_below_a_path) {
        terminal::say(line);
    }
    Ok(())
}

/// The folder of Cloudflare's files in an export.
const CLOUDFLARE: &str = ".diglot-hosts/cloudflare";

/// How the folder is looked at, then one line a host: the file with its configuration, and how it is
/// used. `target` is the absolute path of `output`.
fn hosting(target: &Path, output: &Path, is_below_a_path: bool) -> Vec<String> {
    let (conf, output) = (
        target.join(hosts::FOLDER.trim_start_matches('/')),
        output.display(),
    );
    let (conf, target) = (conf.display(), target.display());
    let cloudflare = match is_below_a_path {
        true => "`.diglot-wrangler.jsonc` says which folders it needs".to_owned(),
        false => format!(
            "in `{output}`, `cp {CLOUDFLARE}/_headers _headers`, `cp {CLOUDFLARE}/.diglot-assetsignore .assetsignore`, \
             `npx wrangler deploy --config .diglot-wrangler.jsonc`"
        ),
    };
    let mut lines = Vec::new();
    if !is_below_a_path {
        lines.push(format!(
            "preview: `python3 -m http.server --directory {output}`"
        ));
    }
    lines.extend([
        format!("nginx: `include {conf}/nginx-http.conf;` in `http`, `include {conf}/nginx-server.conf;` in `server`, then `nginx -s reload`"),
        format!("Caddy: `import {conf}/Caddyfile` in a site block with `root * {target}`, then `caddy reload`"),
        format!("Apache: `.htaccess` works with `DocumentRoot {target}` and `AllowOverride All`, then `apachectl graceful`"),
        format!("Netlify: `npx netlify deploy --prod --dir {output}` reads `_headers` and `_redirects`"),
        format!("Cloudflare: {cloudflare}"),
    ]);
    lines
}

/// Fails without a base URL, which this command needs, and with the problems of the settings before
/// that.
pub(super) fn require_address(
    command: &str,
    folder: &mut Folder,
    nowhere: &BaseUrl,
    (now, detail): (Timestamp, Detail),
) -> Result<(), Failure> {
    if folder.has_base_url() {
        return Ok(());
    }
    let read = folder
        .read(nowhere, now)
        .map_err(|broken| broken.told_as(detail, Channel::Messages))?;
    let known = dialects::site_address(&read.sources, read.site.dialect.as_deref());
    Err(no_address(command, known))
}

/// The failure for a missing output, and for a missing base URL with it.
fn no_output(folder: &Folder) -> Failure {
    let output = export::outside(&folder.root);
    if folder.has_base_url() {
        return Failure::usage("`build` needs a folder to write")
            .hint(format!("add `--output {output}`"));
    }
    Failure::usage("`build` needs a folder to write, and the public address of the site")
        .hint(format!("add `--output {output} --base-url https://example.org`, or set `base_url` in `diglot.toml`"))
}

/// The failure for a missing base URL; `known` is another generator's file and the address in it.
fn no_address(command: &str, known: Option<(String, String)>) -> Failure {
    let mut hint =
        "add `--base-url https://example.org`, or set `base_url` in `diglot.toml`".to_owned();
    if let Some((file, address)) = known {
        hint += &format!("; `{file}` says `{address}`");
    }
    Failure::usage(format!("`{command}` needs the public address of the site")).hint(hint)
}

/// Writes the edition and the configuration for hosts; the problems are those of the latter.
fn write(export: &Export, made: &Made) -> Result<(Written, Vec<Problem>), Failure> {
    let (files, problems) = hosts::files(&made.edition);
    let progress = |total| progress::step("writing files", total);
    terminal::show_progress();
    let written = export.write(
        &made.edition,
        files.into_iter().map(|file| (file.path, file.text)),
        &progress,
    );
    progress::end();
    Ok((written?, problems))
}
