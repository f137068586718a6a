//! `botyard bots`: the built-in bots, the games they play, the options they have.

use crate::text::{out, wrapped};
use botyard_bots::{Bot, catalogue};
use clap::Args;
use serde_json::{Value, json};
use std::process::ExitCode;

/// `botyard bots`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  botyard bots
  botyard match scotland-yard greedy random:seed=7")]
pub struct BotsArgs {
    /// Print JSON for a program to read
    #[arg(long)]
    pub json: bool,
}

/// Prints the list.
///
/// # Errors
///
/// An output that cannot be written.
pub fn run(args: &BotsArgs) -> anyhow::Result<ExitCode> {
    let bots = catalogue::bots();
    out(&if args.json {
        format!("{:#}\n", bots.iter().map(bot_as_json).collect::<Value>())
    } else {
        let longest = bots.iter().map(|bot| bot.name().len()).max().unwrap_or(0);
        let mut text: String = bots.iter().map(|bot| in_words(bot, longest + 2)).collect();
        text.push_str(
            "\nOptions follow the name after a colon: random:seed=7,OTHER=VALUE\n\
             A program of your own is a bot too: ./my-bot, or \"python3 mine.py\".\n",
        );
        text
    })?;
    Ok(ExitCode::SUCCESS)
}

fn bot_as_json(bot: &Bot) -> Value {
    json!({
        "name": bot.name(),
        "about": bot.about(),
        "version": bot.version(),
        "games": bot.games().collect::<Vec<_>>(),
        "options": bot.options(),
    })
}

/// A bot's paragraph; everything but its name begins in the column `indent`.
fn in_words(bot: &Bot, indent: usize) -> String {
    let mut text = wrapped(&format!("{:indent$}", bot.name()), bot.about());
    let games: Vec<&str> = bot.games().collect();
    let indent = " ".repeat(indent);
    text.push_str(&wrapped(&indent, &format!("plays {}", games.join(", "))));
    for (name, spec) in bot.options() {
        let about = match spec.about() {
            "" => String::new(),
            about => format!(": {about}"),
        };
        let words =
            format!("{name}: {}, {} by default{about}", spec.expected(), spec.default_value());
        text.push_str(&wrapped(&indent, &words));
    }
    text
}
