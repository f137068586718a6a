//! The options that messages name, compared with those that the programs have.

use botyard_cli_reference::all_commands;
use botyard_runner::settings;
use clap::Command;
use std::collections::BTreeSet;

fn has(command: &Command, option: &str) -> bool {
    command.get_arguments().any(|argument| argument.get_long() == Some(option))
        || command.get_subcommands().any(|verb| has(verb, option))
}

#[test]
fn the_option_of_every_setting_exists() {
    let commands = all_commands();
    let names = settings::ALL.iter().map(|setting| setting.option);
    let options: BTreeSet<&str> = names.filter_map(|name| name.strip_prefix("--")).collect();
    assert!(options.len() > 30, "{options:?}");
    for option in options {
        assert!(has(&commands, option), "no verb has --{option}");
    }
}
