//! `botyard bots`: the built-in bots, the games they play, the options they have.

use crate::text::{out, wrapped};
use botyard_bots::{Bot, catalogue};
use botyard_engine::registry;
use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
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
        let mut text = format!("{}\n\n", table(&bots));
        text.extend(bots.iter().map(|bot| in_words(bot, longest + 2)));
        text.push_str(
            "\nOptions follow the name after a colon: random:seed=7,OTHER=VALUE\n\
             A program of your own is a bot too: ./my-bot, or \"python3 mine.py\".\n",
        );
        text
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Which bot plays which game.
fn table(bots: &[Bot]) -> String {
    let games = registry::names();
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(std::iter::once("").chain(games.iter().map(String::as_str)));
    for bot in bots {
        let plays =
            |game: &String| if bot.games().any(|played| played == game) { "yes" } else { "-" };
        table.add_row(std::iter::once(bot.name()).chain(games.iter().map(plays)));
    }
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((if index == 0 { 0 } else { 2 }, 0));
        if index > 0 {
            column.set_cell_alignment(CellAlignment::Center);
        }
    }
    let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_string()).collect();
    lines.join("\n")
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
    let indent = " ".repeat(indent);
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
