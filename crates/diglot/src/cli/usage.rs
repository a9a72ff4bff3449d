//! Reads the command line, and says what is wrong with it in the words of this program.

use std::env;
use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{
    Arg, ArgMatches, ColorChoice, Command, CommandFactory, Error, FromArgMatches, ValueEnum,
};

use super::Cli;
use crate::failure::Failure;

/// What a program says that was compiled without the feature `store`.
pub const WITHOUT_STORES: &str = "this program was built without object stores";
/// The same for the feature `mcp`.
pub const WITHOUT_MCP: &str = "this program was built without the Model Context Protocol";

/// The same for the feature `acme`.
pub const WITHOUT_ACME: &str = "this program was built without `--acme`";
/// Options that need each other.
const PAIRS: [(&str, &str); 2] = [("tls_cert", "tls_key"), ("acme", "domain")];

/// What this program lacks for a command.
fn lacking(command: &Command) -> Option<&'static str> {
    match command.get_name() {
        "publish" | "editions" | "rollback" | "diff" | "prune" if !cfg!(feature = "store") => {
            Some(WITHOUT_STORES)
        }
        "mcp" if !cfg!(feature = "mcp") => Some(WITHOUT_MCP),
        _ => None,
    }
}

/// A command whose help says that this program lacks it.
fn with_lack(command: Command) -> Command {
    let Some(lack) = lacking(&command) else {
        return command;
    };
    let about = command.get_about().map(ToString::to_string);
    let about = about.unwrap_or_default();
    command
        .about(format!("{about} (not in this program)"))
        .before_help(lack)
}

/// The same for the option that asks for a certificate.
fn with_lack_of_option(command: Command) -> Command {
    let is_lacking = |arg: &Arg| arg.get_id() == "acme" && !cfg!(feature = "acme");
    command.mut_args(|arg| match arg.get_help().map(ToString::to_string) {
        Some(help) if is_lacking(&arg) => arg.help(format!("{help} (not in this program)")),
        _ => arg,
    })
}

/// Reads a command line and the variables of the environment; an empty variable is not set.
///
/// # Errors
/// What clap prints instead: help, the version, or an error.
pub fn parse(args: &[OsString]) -> Result<Cli, Error> {
    let command = Cli::command().color(colour(args));
    let command = without_empty(command).mut_subcommands(with_lack);
    let command = command.mut_subcommands(with_lack_of_option);
    let matches: ArgMatches = command.try_get_matches_from(args)?;
    let mut cli = Cli::from_arg_matches(&matches)?;
    if let super::Command::Serve(serve) = &mut cli.command {
        // Between two spaces of `DIGLOT_DOMAINS`.
        serve.acme.domain.retain(|name| !name.is_empty());
    }
    Ok(cli)
}

/// The command line without what only the program itself starts: completions would offer it.
pub fn offered() -> Command {
    let all = Cli::command();
    let commands = all.get_subcommands().filter(|it| !it.is_hide_set());
    let offered = Command::new("diglot").version(env!("CARGO_PKG_VERSION"));
    offered
        .args(all.get_arguments().cloned())
        .subcommands(commands.cloned())
}

/// A command whose arguments do not read empty variables.
fn without_empty(command: Command) -> Command {
    let is_empty = |arg: &Arg| {
        let value = arg.get_env().and_then(env::var_os);
        value.is_some_and(|value| value.is_empty())
    };
    command
        .mut_args(|arg| match is_empty(&arg) {
            true => arg.env(None::<&'static str>),
            false => arg,
        })
        .mut_subcommands(without_empty)
}

/// The colours that a command line asks for, before it is parsed: an error in it is coloured too.
pub fn colour(args: &[OsString]) -> ColorChoice {
    let mut args = args.iter().filter_map(|arg| arg.to_str());
    let mut asked = None;
    while let Some(arg) = args.next() {
        match arg.strip_prefix("--color") {
            Some("") => asked = args.next(),
            Some(value) => asked = value.strip_prefix('=').or(asked),
            None => {}
        }
    }
    let asked = asked.map(|asked| ColorChoice::from_str(asked, false));
    asked.and_then(Result::ok).unwrap_or(ColorChoice::Auto)
}

/// Why a command line is not understood.
pub fn failure(error: &Error, args: &[OsString]) -> Failure {
    let mut command = Cli::command();
    command.build();
    let command = called(&command, args);
    if let Some(lack) = lacking(command) {
        return Failure::without_feature(lack);
    }
    let wrong = Wrong {
        error,
        args,
        command,
    };
    match error.kind() {
        ErrorKind::UnknownArgument => wrong.unknown(),
        ErrorKind::InvalidSubcommand => wrong.subcommand(),
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => wrong.value(),
        ErrorKind::MissingRequiredArgument => wrong.missing(),
        ErrorKind::ArgumentConflict => wrong.conflict(),
        _ => wrong.other(),
    }
}

/// The command that is called: the innermost one that is named.
fn called<'c>(command: &'c Command, args: &[OsString]) -> &'c Command {
    let mut called = command;
    for arg in args.iter().skip(1) {
        called = called.find_subcommand(arg).unwrap_or(called);
    }
    called
}

/// An error of clap, and where it occurred.
struct Wrong<'w> {
    error: &'w Error,
    args: &'w [OsString],
    command: &'w Command,
}

impl Wrong<'_> {
    /// `diglot theme show`
    fn name(&self) -> &str {
        self.command.get_bin_name().unwrap_or("diglot")
    }

    fn help(&self, what: &str) -> String {
        format!("`{} --help` {what}", self.name())
    }

    /// The texts that clap gives for this.
    fn texts(&self, kind: ContextKind) -> &[String] {
        match self.error.get(kind) {
            Some(ContextValue::String(text)) => std::slice::from_ref(text),
            Some(ContextValue::Strings(texts)) => texts,
            _ => &[],
        }
    }

    fn text(&self, kind: ContextKind) -> &str {
        self.texts(kind).first().map_or("", String::as_str)
    }

    /// The argument that clap shows as `--listen <ADDR:PORT>`.
    fn arg(&self, shown: &str) -> Option<&Arg> {
        let mut all = self.command.get_arguments();
        all.find(|arg| arg.to_string() == shown)
    }

    /// What was given: the option, or the variable in its place.
    fn named(&self, shown: &str) -> String {
        let variable = self.arg(shown).and_then(|arg| self.variable(arg));
        let name = variable.unwrap_or_else(|| match shown.split_once(" <") {
            Some((option, _)) => option.to_owned(),
            None => shown.to_owned(),
        });
        format!("`{name}`")
    }

    /// The variable from which an argument has its value.
    fn variable(&self, arg: &Arg) -> Option<String> {
        let name = arg.get_env()?;
        let long = format!("--{}", arg.get_long()?);
        let is_given = self.args.iter().filter_map(|given| given.to_str());
        let is_given = is_given.map(|given| given.split_once('=').map_or(given, |(name, _)| name));
        let is_set = env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_variable = is_set && !is_given.into_iter().any(|given| given == long);
        is_variable.then(|| name.to_string_lossy().into_owned())
    }

    fn unknown(&self) -> Failure {
        let (wrong, name) = (self.text(ContextKind::InvalidArg), self.name());
        if !wrong.starts_with('-') {
            let failure = Failure::usage(format!("`{name}` does not take the argument `{wrong}`"));
            return failure.hint(self.help("says what it takes"));
        }
        let failure = Failure::usage(format!("`{name}` has no option `{wrong}`"));
        failure.hint(match self.text(ContextKind::SuggestedArg) {
            "" => self.help("lists its options"),
            meant => format!("did you mean `{meant}`?"),
        })
    }

    fn subcommand(&self) -> Failure {
        let wrong = self.text(ContextKind::InvalidSubcommand);
        let failure = Failure::usage(format!("`{}` has no command `{wrong}`", self.name()));
        failure.hint(match self.text(ContextKind::SuggestedSubcommand) {
            "" => self.help("lists the commands"),
            meant => format!("did you mean `{meant}`?"),
        })
    }

    fn value(&self) -> Failure {
        let shown = self.text(ContextKind::InvalidArg);
        let (name, value) = (self.named(shown), self.text(ContextKind::InvalidValue));
        let known = self.texts(ContextKind::ValidValue);
        let message = match value {
            "" => format!("{name} has no value"),
            value => format!("`{value}` is not a value for {name}"),
        };
        if !known.is_empty() {
            let known: Vec<String> = known.iter().map(|known| format!("`{known}`")).collect();
            return Failure::usage(message).hint(format!("use one of {}", known.join(", ")));
        }
        let why = std::error::Error::source(self.error).map(ToString::to_string);
        match why {
            Some(why) => self.refused(message, (shown, value), &why),
            None => Failure::usage(message).hint(self.about(shown)),
        }
    }

    fn missing(&self) -> Failure {
        let missing = self.texts(ContextKind::InvalidArg);
        let needed: Vec<String> = missing.iter().map(|shown| format!("`{shown}`")).collect();
        let (needed, shown) = (needed.join(" and "), self.text(ContextKind::InvalidArg));
        let is_always = self.arg(shown).is_some_and(Arg::is_required_set);
        let failure = Failure::usage(match is_always {
            true => format!("`{}` needs {needed}", self.name()),
            false => format!("{} needs {needed}", self.partner(shown)),
        });
        failure.hint(format!("add {}", self.about(shown)))
    }

    /// The option that was given and needs this one.
    fn partner(&self, shown: &str) -> String {
        let id = self.arg(shown).map(|arg| arg.get_id().as_str());
        let partner = PAIRS.iter().find_map(|(one, other)| match id {
            Some(id) if id == *one => Some(*other),
            Some(id) if id == *other => Some(*one),
            _ => None,
        });
        let mut all = self.command.get_arguments();
        let partner = all.find(|arg| partner.is_some_and(|id| arg.get_id() == id));
        partner.map_or_else(
            || "another option".to_owned(),
            |partner| self.named(&partner.to_string()),
        )
    }

    fn conflict(&self) -> Failure {
        let name = self.named(self.text(ContextKind::InvalidArg));
        let others = self.texts(ContextKind::PriorArg).iter();
        let others: Vec<String> = others.map(|other| self.named(other)).collect();
        if others.is_empty() || others.contains(&name) {
            return Failure::usage(format!("{name} is given twice")).hint("give it once");
        }
        let others = others.join(" and ");
        Failure::usage(format!("{name} cannot be used with {others}")).hint("remove one of them")
    }

    fn other(&self) -> Failure {
        let text = self.error.to_string();
        let line = text.lines().next().unwrap_or_default();
        let message = line.trim_start_matches("error: ").replace('\'', "`");
        Failure::usage(message).hint(self.help("shows how to call it"))
    }

    /// What an argument is for, as a hint.
    fn about(&self, shown: &str) -> String {
        let arg = self.arg(shown);
        match arg.and_then(Arg::get_help) {
            Some(help) => format!(
                "`{shown}`: {}",
                crate::failure::lower_case(&help.to_string())
            ),
            None => self.help("shows how to call it"),
        }
    }

    /// The failure of a value; `why` says what is wrong with it, what to write instead, or both.
    fn refused(&self, message: String, (shown, value): (&str, &str), why: &str) -> Failure {
        // ``write …``, or `` `x` is not a rate: write … ``.
        let why = match why.split_once(": ") {
            Some((start, rest)) if start.starts_with(&format!("`{value}` is not ")) => rest,
            _ => why,
        };
        if why.starts_with("write ") {
            return Failure::usage(message).hint(why);
        }
        let (why, hint) = match why.split_once(": ") {
            Some((why, advice)) => (why, advice.to_owned()),
            None => (why, self.about(shown)),
        };
        Failure::usage(format!("{message}: {why}")).hint(hint)
    }
}
