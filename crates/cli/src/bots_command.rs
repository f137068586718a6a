//! `botyard bots`: lists the built-in bots, the games they play and their options.

use crate::failure::Failure;
use crate::installed;
use crate::text::{done, done_json};
use botyard_bots::{Bot, catalogue};
use botyard_engine::registry;
use botyard_league::plain_table::{plain_table, trimmed};
use botyard_runner::bots::spec;
use botyard_runner::words::wrapped;
use clap::Args;
use comfy_table::CellAlignment;
use std::process::ExitCode;

/// `botyard bots`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  botyard bots
  botyard bots mcts
  botyard bots --game draughts
  botyard bots --game ./nim
  botyard match scotland-yard greedy random:seed=7")]
pub struct BotsArgs {
    /// Bot to describe, with all its options, including those for research [default: list all bots]
    pub bot: Option<String>,
    /// List only bots that play this game, and only options that apply to it
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Prints the list.
pub(crate) fn run(args: &BotsArgs) -> anyhow::Result<ExitCode> {
    let game = args.game.as_deref().map(installed::game).transpose()?;
    let game = game.as_deref();
    if let Some(game) = game {
        registry::info(game)?;
    }
    let programs = installed::programs()?;
    let bots = match &args.bot {
        Some(name) => vec![catalogue::bot(name)?],
        None => catalogue::bots(),
    };
    let plays = |bot: &Bot| {
        let plays = |game| programs.built_in(bot.name()).is_some_and(|bot| bot.plays(game));
        game.is_none_or(plays)
    };
    if let (Some(name), Some(game), false) = (&args.bot, game, bots.iter().all(plays)) {
        // It says why.
        spec::commands(std::slice::from_ref(name), game, &programs).map_err(Failure::usage)?;
    }
    let bots: Vec<Bot> = bots.into_iter().filter(plays).collect();
    if args.json {
        return done_json(&bots.iter().map(Bot::to_json).collect());
    }
    done(&if args.bot.is_some() {
        bots.iter()
            .flat_map(|bot| bot.description(game))
            .map(|(first, text)| wrapped(&first, &text))
            .collect()
    } else {
        let longest = bots.iter().map(|bot| bot.name().len()).max().unwrap_or(0);
        let mut text = if game.is_none() { format!("{}\n\n", table(&bots)) } else { String::new() };
        text.extend(bots.iter().map(|bot| in_words(bot, game, longest + 2)));
        text.push_str(
            "\nOthers are games whose rules are programs; model: if the game lets bots run a copy of it.\n\
             Options follow the name and a colon: random:seed=7,OTHER=VALUE\n\
             All options of a bot, including those for research: botyard bots BOT\n\
             Your own programs are bots too: ./my-bot, or \"python3 mine.py\".\n",
        );
        text
    })
}

/// The table of which bot plays which game.
fn table(bots: &[Bot]) -> String {
    let games = registry::names();
    let names = games.iter().map(String::as_str);
    let header: Vec<&str> = std::iter::once("").chain(names).chain(["others"]).collect();
    let mut table = plain_table(&header, |_| true);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Center);
    }
    for bot in bots {
        let plays =
            |game: &String| if bot.games().any(|played| played == game) { "yes" } else { "-" };
        let others = match (bot.has_other_games(), bot.needs_model()) {
            (true, false) => "yes",
            (true, true) => "model",
            (false, _) => "-",
        };
        table.add_row(std::iter::once(bot.name()).chain(games.iter().map(plays)).chain([others]));
    }
    trimmed(&table)
}

/// The paragraph of a bot, without its options for research, indented by `indent` columns after the
/// name.
fn in_words(bot: &Bot, game: Option<&str>, indent: usize) -> String {
    let mut text = wrapped(&format!("{:indent$}", bot.name()), bot.about());
    let indent = " ".repeat(indent);
    text.extend(bot.options_in_words(game).iter().map(|option| wrapped(&indent, option)));
    text
}
