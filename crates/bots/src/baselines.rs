//! The program `botyard-baselines`, which runs any bot of the catalogue: the bot named by its first
//! argument, or by the name under which it is started (`botyard-NAME`, as by a link). The exit
//! codes are those of [`program`], and 2 if no bot is named.

use crate::catalogue;
use botyard_agent::program;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::ExitCode;

/// The prefix of the names of the bots' programs.
const PREFIX: &str = "botyard-";

/// Runs the program.
pub fn main() -> ExitCode {
    let mut arguments = std::env::args_os();
    let called = arguments.next().unwrap_or_default();
    let arguments: Vec<OsString> = arguments.collect();
    if let Some(bot) = called_as(&called).and_then(|name| catalogue::bot(name).ok()) {
        return program::with_arguments(&bot, &arguments);
    }
    let Some((first, rest)) = arguments.split_first() else {
        program::say(&usage());
        return ExitCode::from(2);
    };
    match &*first.to_string_lossy() {
        "--help" | "-h" => program::print(&format!("{}\n", usage())),
        "--version" | "-V" => {
            program::print(&format!("botyard-baselines {}\n", env!("CARGO_PKG_VERSION")))
        }
        name => match catalogue::bot(name) {
            Ok(bot) => program::with_arguments(&bot, rest),
            Err(error) => {
                program::say(&format!("botyard-baselines: {error}"));
                ExitCode::from(2)
            }
        },
    }
}

/// Returns the bot's name in the name under which the program was started.
fn called_as(called: &OsStr) -> Option<&str> {
    Path::new(called).file_stem()?.to_str()?.strip_prefix(PREFIX)
}

fn usage() -> String {
    let names: Vec<&str> = catalogue::bots().iter().map(|bot| bot.name()).collect();
    format!(
        "Usage: botyard-baselines BOT [--help | --version]\n\
         \n\
         The bots that come with Botyard, in one program. With the name of a bot alone it is that bot\n\
         and speaks the bot protocol on standard input and output; so it does without a name where it\n\
         is called as botyard-BOT.\n\
         \n\
         Bots: {}",
        names.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_under_which_it_is_called() {
        for (called, name) in [
            ("/usr/bin/botyard-greedy", Some("greedy")),
            ("botyard-mcts-sova.exe", Some("mcts-sova")),
            ("target/debug/botyard-baselines", Some("baselines")),
            ("greedy", None),
            ("", None),
        ] {
            assert_eq!(called_as(OsStr::new(called)), name, "{called}");
        }
    }
}
