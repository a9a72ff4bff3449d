//! The report of a measurement below `docs/performance/`: a page with a table, and a plot.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use super::Options;
use super::plot::{self, Series};
pub use diglot_e2e::figures::{megabytes, seconds, thousands};
use xtask::{shell, tools};

/// A page under construction.
pub struct Report {
    name: &'static str,
    title: &'static str,
    text: String,
    versions: Vec<String>,
    plot: Option<String>,
    command: String,
}

impl Report {
    /// The page of one measurement; `name` is the stem of its files.
    pub const fn new(title: &'static str, name: &'static str) -> Self {
        Self {
            name,
            title,
            text: String::new(),
            versions: Vec::new(),
            plot: None,
            command: String::new(),
        }
    }

    /// A paragraph.
    pub fn say(&mut self, text: &str) {
        let _ = write!(self.text, "{text}\n\n");
    }

    /// A Markdown table.
    pub fn table(&mut self, heading: &[&str], rows: &[Vec<String>]) {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let heading: Vec<String> = heading.iter().map(|&cell| cell.to_owned()).collect();
        let rule: Vec<String> = heading
            .iter()
            .enumerate()
            .map(|(at, _)| if at == 0 { "---" } else { "---:" }.to_owned())
            .collect();
        self.text.push_str(&line(&heading));
        self.text.push_str(&line(&rule));
        rows.iter().for_each(|row| self.text.push_str(&line(row)));
        self.text.push('\n');
    }

    /// Adds a plot with logarithmic axes, as a separate file next to the page.
    pub fn plot(&mut self, title: &str, series: &[Series<'_>]) {
        self.plot = Some(plot::log_log(title, series));
        let _ = write!(self.text, "![{title}]({}.svg)\n\n", self.name);
    }

    /// Adds groups of bars, as a separate file next to the page.
    pub fn bars(&mut self, title: &str, groups: &[plot::Bars<'_>]) {
        self.plot = Some(plot::bars(title, groups));
        let _ = write!(self.text, "![{title}]({}.svg)\n\n", self.name);
    }

    /// Adds the version that a program reports.
    pub fn version(&mut self, name: &str, command: &mut Command) {
        self.versioned(name, &tools::version(command));
    }

    /// Adds the version of a program.
    pub fn versioned(&mut self, name: &str, version: &str) {
        self.versions.push(format!(
            "{name}: {}",
            version.split(" VendorInfo").next().unwrap_or(version)
        ));
    }

    /// Adds the command that repeats this measurement.
    pub fn command(&mut self, options: &Options, name: &str) {
        let sizes: Vec<String> = options.sizes.iter().map(usize::to_string).collect();
        self.command = format!(
            "cargo xtask bench {name} --sizes {} --rounds {}",
            sizes.join(","),
            options.rounds
        );
    }
}

/// Writes the page (and its plot) and returns where.
///
/// # Errors
/// It cannot be written.
pub fn save(name: &str, report: &Report, options: &Options) -> Result<String, String> {
    let folder = if options.quick {
        shell::target().join("bench")
    } else {
        shell::root().join("docs/performance")
    };
    let failed =
        |error: std::io::Error| format!("cannot write below `{}`: {error}", folder.display());
    fs::create_dir_all(&folder).map_err(failed)?;
    let mut text = format!("# {}\n\n{}", report.title, report.text);
    let _ = writeln!(text, "Machine: {}.", machine());
    report
        .versions
        .iter()
        .for_each(|version| text.push_str(&format!("{version}.\n")));
    let _ = write!(text, "\n```sh\n{}\n```\n", report.command);
    if options.provisional {
        text.push_str("\nProvisional: other work ran on the machine meanwhile, so times are upper bounds; ratios and processor times are fairer.\n");
    }
    fs::write(folder.join(format!("{name}.md")), &text).map_err(failed)?;
    if let Some(plot) = &report.plot {
        fs::write(folder.join(format!("{name}.svg")), plot).map_err(failed)?;
    }
    println!("\n{text}");
    Ok(folder.join(format!("{name}.md")).display().to_string())
}

/// Processor, cores, memory, kernel.
fn machine() -> String {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let cpu = read("/proc/cpuinfo").lines().find_map(|line| {
        Some(
            line.strip_prefix("model name")?
                .split_once(':')?
                .1
                .trim()
                .to_owned(),
        )
    });
    let memory = read("/proc/meminfo").lines().find_map(|line| {
        line.strip_prefix("MemTotal:")?
            .trim()
            .strip_suffix(" kB")?
            .parse::<u64>()
            .ok()
    });
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let kernel = read("/proc/sys/kernel/osrelease");
    format!(
        "{}, {cores} cores, {} GB, Linux {}",
        cpu.unwrap_or_else(|| "unknown processor".to_owned()),
        memory.unwrap_or(0) / 1_000_000,
        kernel.split('-').next().unwrap_or_default().trim()
    )
}
