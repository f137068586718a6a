//! Arguments of `botyard match`. Only the form of each argument is checked here; `plan` checks
//! whether they make a match.

use crate::bot_option_arguments::BotOptionArgs;
use crate::conditions::ConditionsArgs;
use crate::containment_arguments::ContainmentArgs;
use crate::named_values::{Named, one_of};
use crate::start::StartArgs;
use crate::wire_arguments::WireArgs;
use botyard_protocol::OnFault;
use botyard_runner::{Config, Games, MOST_GAMES, Replays, RunConfig};
use clap::Args;
use std::path::PathBuf;

/// `botyard match`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Without --games, plays one game, prints it move by move and saves its replay in
replays/. With --games, seats rotate: each start is played with every assignment
of bots to seats, and games with a fault save their replays there.

BOT is one of
  a built-in bot, with or without options  greedy, random:seed=7
  the path of an executable                ./my-bot
  a directory with a bot.toml              class/ada
  a command line in quotes                 \"python3 mine.py --fast\"
NAME=BOT gives the bot a name.

Examples:
  botyard match scotland-yard greedy random
  botyard match scotland-yard greedy \"python3 mine.py\" --games 100
  botyard match scotland-yard greedy random --rules bristol --rule detectives=4
  botyard match dice-wars greedy random random ./my-bot --games 400 --seed 7
  botyard match draughts new=./my-bot old=./my-bot-1.0 --games 500 --out results
  botyard match draughts alpha-beta mtdf-2007 --opening ballots --games all
  botyard match draughts ./my-bot random --repeat-on-change")]
pub struct MatchArgs {
    /// Game to play; `botyard games` lists the games
    pub game: String,

    /// Bots, one for each seat, in seat order; `botyard bots` lists the built-in bots
    #[arg(required = true, value_name = "BOT")]
    pub bots: Vec<String>,

    /// Number of games; `all` plays each opening of --opening with every assignment of bots to
    /// seats
    #[arg(short = 'n', long, value_name = "N|all", default_value = "1", value_parser = games)]
    pub games: Games,

    /// The start of the games.
    #[command(flatten)]
    pub start: StartArgs,

    /// Do not rotate seats: bot 1 keeps the first seat, bot 2 the second, and so on
    #[arg(long)]
    pub fixed_seats: bool,

    /// Options of the bots.
    #[command(flatten)]
    pub bot_options: BotOptionArgs,

    /// Time and concurrency.
    #[command(flatten)]
    pub conditions: ConditionsArgs,

    /// What to do at a bot's fault
    #[arg(long, value_parser = one_of(FAULT_RULES), default_value = "forfeit", help_heading = "Running")]
    pub on_fault: OnFault,

    /// Play all games even if a bot cannot be started: it forfeits them [default: stop at the first
    /// such game]
    #[arg(long, help_heading = "Running")]
    pub keep_going: bool,

    /// Play the match again whenever a file of a bot changes, until Ctrl-C. Bots in directories whose
    /// bot.toml has a build are built first
    #[arg(long, conflicts_with_all = ["out", "watch"], help_heading = "Running")]
    pub repeat_on_change: bool,

    /// The sandbox.
    #[command(flatten)]
    pub containment: ContainmentArgs,

    /// The wire.
    #[command(flatten)]
    pub wire: WireArgs,

    /// Save the replay of every game in this directory, which must be new or empty
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub out: Option<PathBuf>,

    /// Serve pages that follow the games while they are played, on this port of the loopback; the
    /// address is printed to standard error [default: a free port]
    #[arg(
        long,
        value_name = "PORT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "0",
        help_heading = "Output"
    )]
    pub watch: Option<u16>,

    /// With --watch: let pages show everything, including what is hidden from seats, and the seed
    #[arg(long, requires = "watch", help_heading = "Output")]
    pub truth: bool,

    /// Print events as JSON, one object per line, and nothing else
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

/// The directory for the replay of a single game without `--out`.
const DEFAULT_DIRECTORY: &str = "replays";

impl From<&MatchArgs> for Config {
    fn from(args: &MatchArgs) -> Config {
        Config {
            options: args.bot_options.options.clone(),
            start: (&args.start).into(),
            games: args.games,
            fixed_seats: args.fixed_seats,
            time: args.conditions.time(args.on_fault),
            own_times: args.conditions.own_times(),
            running: RunConfig {
                // Lines of games that are played at once would be mixed.
                concurrency: args.conditions.concurrency.or(args.wire.prints().then_some(1)),
                ..args.conditions.running()
            },
            adjudication: (&args.conditions.adjudication).into(),
            limits: args.conditions.limits.into(),
            debug: args.wire.debug.clone(),
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

/// The values of `--on-fault`.
const FAULT_RULES: &Named<OnFault> = &[
    (
        OnFault::Forfeit,
        "forfeit",
        "The bot forfeits the game; with more than two sides it takes the last place still open",
    ),
    (OnFault::Retry, "retry", "The bot receives an error message and is asked again; for practice"),
    (
        OnFault::Substitute,
        "substitute",
        "The referee plays a random legal action and counts a strike; the third fault is a forfeit",
    ),
];
