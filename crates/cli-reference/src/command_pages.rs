//! The pages of the book about commands: one lists them, and each has one of its own, with the help of the commands
//! below it.

use crate::all_commands;
use botyard_cli::help::{GROUPS, arranged};
use clap::{Arg, Command};
use std::fmt::Write;

/// Columns of the help texts in the book.
const WIDTH: usize = 100;

/// The command whose page has the groups of options that several commands share.
const WITH_SHARED: &str = "match";

/// Returns all pages, each with its path below the directory of the reference.
pub(crate) fn all() -> Vec<(String, String)> {
    let mut root = arranged(all_commands()).term_width(WIDTH);
    root.build();
    let mut pages = vec![("commands.md".to_string(), list(&root))];
    let shared = root.find_subcommand(WITH_SHARED).cloned().unwrap_or_default();
    for (_, names) in GROUPS {
        for command in names.iter().filter_map(|name| root.find_subcommand(name)) {
            let mut page = format!("# botyard {}\n", command.get_name());
            add_help(&mut page, command, &shared, 1);
            pages.push((format!("commands/{}.md", command.get_name()), page));
        }
    }
    pages
}

/// Returns the list of the commands.
fn list(root: &Command) -> String {
    let mut page = "# Command line\n\n\
         `botyard COMMAND -h` prints examples and the most used options, `botyard COMMAND --help` everything. Each command \
         has\na page with the latter.\n"
        .to_string();
    for (title, names) in GROUPS {
        // Cannot fail, here and below: the page is in memory.
        let _ = write!(page, "\n## {title}\n\n| command | what it does |\n| --- | --- |\n");
        for command in names.iter().filter_map(|name| root.find_subcommand(name)) {
            let (name, about) = (command.get_name(), command.get_about());
            let about = about.map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(page, "| [`botyard {name}`](commands/{name}.md) | {about} |");
        }
    }
    page
}

/// Adds the help of a command and of those below it, each with a heading but the first.
fn add_help(page: &mut String, command: &Command, shared: &Command, level: usize) {
    if level > 1 {
        let name = command.get_bin_name().unwrap_or(command.get_name());
        let _ = write!(page, "\n{} `{name}`\n", "#".repeat(level.min(4)));
    }
    let (mut shown, left_out) = without_shared(command, shared);
    let help = shown.render_long_help().to_string();
    let lines: Vec<&str> = help.trim().lines().map(str::trim_end).collect();
    let _ = write!(page, "\n```text\n{}\n```\n", lines.join("\n"));
    if !left_out.is_empty() {
        let groups = left_out.join(", ");
        let _ = write!(
            page,
            "\nMore options, as of [`botyard {WITH_SHARED}`]({WITH_SHARED}.md): {groups}.\n"
        );
    }
    for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set()) {
        if inner.get_name() != "help" {
            add_help(page, inner, shared, level + 1);
        }
    }
}

/// Returns a command without the options under headings that the other command has with the same words, and these
/// headings.
fn without_shared(command: &Command, shared: &Command) -> (Command, Vec<String>) {
    let is_other = command.get_name() != shared.get_name();
    let theirs: Vec<String> = shared.get_arguments().filter_map(described).collect();
    let is_shared =
        |argument: &Arg| is_other && described(argument).is_some_and(|own| theirs.contains(&own));
    let mut left_out: Vec<String> = Vec::new();
    let shown = command.clone().mut_args(|argument| {
        let heading = argument.get_help_heading().unwrap_or_default().to_lowercase();
        if !is_shared(&argument) {
            return argument;
        }
        if !left_out.contains(&heading) {
            left_out.push(heading);
        }
        argument.hide(true)
    });
    (shown, left_out)
}

/// Returns what the help says about an option that stands under a heading.
fn described(argument: &Arg) -> Option<String> {
    let heading = argument.get_help_heading()?;
    let texts =
        [argument.get_help(), argument.get_long_help()].map(|it| it.map(ToString::to_string));
    Some(format!(
        "{heading} {:?} {texts:?} {:?}",
        argument.get_long(),
        argument.get_default_values()
    ))
}
