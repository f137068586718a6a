//! How help is arranged: examples come before options, `-h` leaves out the options of whole groups that `--help`
//! describes, and `botyard --help` lists its commands by what they are for.

use clap::Command;
use std::fmt::Write;

/// The commands by what they are for, in the order of the help.
pub const GROUPS: [(&str, &[&str]); 6] = [
    ("Write a bot", &["new", "build", "check", "bots", "bridge", "submit"]),
    (
        "Run matches",
        &["match", "test", "tournament", "play", "watch", "replay", "analyze", "import"],
    ),
    ("Teach a class", &["serve", "site"]),
    ("Use many hosts", &["worker", "coordinator", "store", "sandbox"]),
    ("Add a game", &["games", "new-game", "check-game", "schema"]),
    ("Research", &["experiment", "train", "egdb", "perft", "generate"]),
];

/// Usage and examples, before what can be said about each argument.
const EXAMPLES_FIRST: &str =
    "{about-with-newline}\n{usage-heading} {usage}\n\n{before-help}{all-args}{after-help}";

/// Usage and the commands by group.
const BY_GROUP: &str =
    "{about-with-newline}\n{usage-heading} {usage}\n\n{before-help}Options:\n{options}{after-help}";

/// Returns the definition of a program with its help arranged.
pub fn arranged(program: Command) -> Command {
    let mut list = String::new();
    for (title, names) in GROUPS {
        let found = names.iter().filter_map(|name| program.find_subcommand(name));
        let lines = found.fold(String::new(), |mut lines, command| {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            // Cannot fail: the text is in memory.
            let _ = writeln!(lines, "  {:<12} {about}", command.get_name());
            lines
        });
        if !lines.is_empty() {
            let _ = writeln!(list, "{title}:\n{lines}");
        }
    }
    let program = with_examples_first(program).help_template(BY_GROUP);
    let examples = program.get_before_help().map(ToString::to_string).unwrap_or_default();
    program.before_help(format!("{examples}\n\n{}", list.trim_end()))
}

/// Returns a command, and those below it, with the examples of its last paragraphs before its options.
fn with_examples_first(command: Command) -> Command {
    let command = command.mut_subcommands(with_examples_first);
    let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let (examples, rest): (Vec<&str>, Vec<&str>) =
        text.split("\n\n").partition(|part| part.starts_with("Example"));
    let rest = rest.join("\n\n");
    let groups = groups_of_options(&command);
    // The first option of a group stands for it in the short help.
    let mut begun: Vec<String> = Vec::new();
    let command = command.mut_args(|argument| match argument.get_help_heading() {
        None => argument,
        Some(heading) if begun.iter().any(|it| it == heading) => argument.hide_short_help(true),
        Some(heading) => {
            begun.push(heading.to_string());
            argument
        }
    });
    let command = match examples.is_empty() {
        true => command,
        false => command.help_template(EXAMPLES_FIRST).before_help(examples.join("\n\n")),
    };
    if groups.is_empty() {
        return command.after_help(rest);
    }
    let more = format!("`--help` has more options: {}.", groups.join(", "));
    let short = if rest.is_empty() { more } else { format!("{rest}\n\n{more}") };
    command.after_help(short).after_long_help(rest)
}

/// Returns the headings of a command's options, in lower case, in the order of the help.
fn groups_of_options(command: &Command) -> Vec<String> {
    let mut groups: Vec<String> = Vec::new();
    let arguments = command.get_arguments().filter(|argument| !argument.is_hide_set());
    for heading in arguments.filter_map(|argument| argument.get_help_heading()) {
        let heading = heading.to_lowercase();
        if !groups.contains(&heading) {
            groups.push(heading);
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CommandLine;

    #[test]
    fn every_command_is_in_one_group() {
        let program = CommandLine::<crate::Verb>::definition();
        let visible = program.get_subcommands().filter(|command| !command.is_hide_set());
        let mut commands: Vec<&str> = visible.map(Command::get_name).collect();
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        commands.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(commands, grouped);
    }

    #[test]
    fn short_help_has_examples_first_and_names_the_groups_that_it_leaves_out() {
        let program = arranged(CommandLine::<crate::Verb>::definition());
        let mut played = program.find_subcommand("match").expect("a command").clone();
        let [short, long] =
            [played.render_help(), played.render_long_help()].map(|it| it.to_string());
        let [examples, options] =
            ["Examples:", "--games"].map(|part| short.find(part).expect(part));
        assert!(examples < options, "{short}");
        assert!(!short.contains("--increment") && short.contains("time, "), "{short}");
        assert!(long.contains("--increment") && !long.contains("has more options"), "{long}");
        assert!(short.lines().count() < long.lines().count() / 2, "{short}");
    }
}
