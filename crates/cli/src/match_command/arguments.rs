//! What `botyard match` takes. Only the form of each argument is checked here; whether they make a
//! match is the business of `plan`.

use crate::conditions::ConditionsArgs;
use crate::containment_arguments::ContainmentArgs;
use crate::start::StartArgs;
use botyard_protocol::OnFault;
use botyard_runner::{BotOption, Config, Games, MOST_GAMES, Replays};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// `botyard match`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Without options one game is played and shown, and its replay saved in replays/.
With --games the seats rotate: each start is played with every assignment of the seats.

A BOT is a built-in bot with options (greedy, random:seed=7), a path to an executable
(./my-bot), a command line in quotes (\"python3 mine.py --fast\"), or NAME= in front of these.

Examples:
  botyard match scotland-yard greedy random
  botyard match scotland-yard greedy \"python3 mine.py\" --games 100 --move-time 200
  botyard match scotland-yard new=./my-bot old=./my-bot-1.0 --games 500 --seed 7 --out results
  botyard match scotland-yard greedy random --rules bristol --rule detectives=4 --rule reveals=3,8
  botyard match dice-wars greedy random random ./my-bot --games 400
  botyard match draughts alpha-beta mtdf-2007 --opening ballots --games all --move-time 100")]
pub struct MatchArgs {
    /// The game; `botyard games` lists them
    pub game: String,

    /// The bots, one for each seat, in seat order; `botyard bots` lists the built-in ones
    #[arg(required = true, value_name = "BOT")]
    pub bots: Vec<String>,

    /// How many games; `all`: each opening of --opening with every assignment of the seats
    #[arg(short = 'n', long, value_name = "N|all", default_value = "1", value_parser = games)]
    pub games: Games,

    /// How they begin.
    #[command(flatten)]
    pub start: StartArgs,

    /// Bot 1 keeps the first seat, bot 2 the second, and so on
    #[arg(long)]
    pub fixed_seats: bool,

    /// Set an option of a bot of your own, by its name in the match; may be repeated
    #[arg(long = "option", value_name = "BOT:KEY=VALUE", value_parser = bot_key_and_value)]
    pub option: Vec<(String, String, String)>,

    /// Under which conditions they play.
    #[command(flatten)]
    pub conditions: ConditionsArgs,

    /// Overstepping by this much is forgiven, but charged, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 0, help_heading = "Time")]
    pub grace: u64,

    /// What happens when a bot fails
    #[arg(long, value_enum, default_value_t = FaultRule::Forfeit, help_heading = "Running")]
    pub on_fault: FaultRule,

    /// Play all games even where a bot cannot be started: it loses them. Otherwise the first such game
    /// ends the match
    #[arg(long, help_heading = "Running")]
    pub keep_going: bool,

    /// How bots are contained.
    #[command(flatten)]
    pub containment: ContainmentArgs,

    /// Save the replay of every game in this new or empty directory
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub out: Option<PathBuf>,

    /// Print events for a program to read, one JSON object a line, and nothing else
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

/// Where the replay of a single game goes that was not told where to go.
const DEFAULT_DIRECTORY: &str = "replays";

impl From<&MatchArgs> for Config {
    fn from(args: &MatchArgs) -> Config {
        let option = |(bot, key, value): &(String, String, String)| BotOption {
            bot: bot.clone(),
            key: key.clone(),
            value: value.clone(),
        };
        Config {
            options: args.option.iter().map(option).collect(),
            start: (&args.start).into(),
            games: args.games,
            fixed_seats: args.fixed_seats,
            time: args.conditions.time(args.grace, args.on_fault.into()),
            running: args.conditions.running(),
            containment: (&args.containment).into(),
            replays: match &args.out {
                Some(directory) => Replays::Own(directory.clone()),
                None if !args.json => Replays::Shared(DEFAULT_DIRECTORY.into()),
                None => Replays::None,
            },
            ..Config::new(&args.game, args.bots.clone())
        }
    }
}

fn games(text: &str) -> Result<Games, String> {
    if text == "all" {
        return Ok(Games::All);
    }
    match text.parse() {
        Ok(number @ 1..=MOST_GAMES) => Ok(Games::Number(number)),
        _ => Err(format!("expected a number from 1 to {MOST_GAMES}, or `all`")),
    }
}

/// What happens when a bot fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FaultRule {
    /// It loses; with more than two sides it takes the last place still open
    Forfeit,
    /// Practice: it is told what was wrong and asked again
    Retry,
    /// A random legal action is played for it, and counted; at the third failure it forfeits
    Substitute,
}

impl From<FaultRule> for OnFault {
    fn from(rule: FaultRule) -> OnFault {
        match rule {
            FaultRule::Forfeit => OnFault::Forfeit,
            FaultRule::Retry => OnFault::Retry,
            FaultRule::Substitute => OnFault::Substitute,
        }
    }
}

fn bot_key_and_value(text: &str) -> Result<(String, String, String), String> {
    // The name of a bot may hold a colon itself, the name of an option may not.
    let split = text.split_once('=').and_then(|(front, value)| {
        let (bot, key) = front.rsplit_once(':')?;
        Some((bot, key, value))
    });
    match split {
        Some((bot, key, value)) if !bot.is_empty() && !key.is_empty() => {
            Ok((bot.into(), key.into(), value.into()))
        }
        _ => Err("expected BOT:KEY=VALUE, such as mine:depth=3".into()),
    }
}
