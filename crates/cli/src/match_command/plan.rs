//! A match as it was asked for, checked: the rules, the bots, the games, the clock, where replays
//! go. Everything that can be found wrong before a bot is started is found here.

use super::arguments::{Games, MOST_GAMES, MatchArgs};
use super::concurrency::{check_concurrency, concurrency, cores_for};
use super::{capacity, opening_file};
use crate::bot_spec::{self, BuiltInPrograms};
use crate::conditions::ConditionsArgs;
use crate::failure::Failure;
use crate::rule_files;
use crate::schedule::Schedule;
use anyhow::Context;
use botyard_engine::registry::{self, TableMaker};
use botyard_engine::rules::did_you_mean;
use botyard_engine::{ActionError, Table};
use botyard_protocol::{ClockKind, Limits, TimeControl};
use botyard_referee::{Bot, BotCommand, Containment, SeatClock, Wrapper, open_regular, read_text};
use botyard_sandbox::Tier;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// The largest file of openings that is read, in bytes.
const LARGEST: u64 = 256 << 20;

/// Where the replay of a single game goes that was not told where to go.
const DEFAULT_DIRECTORY: &str = "replays";

/// A match that can be played.
pub struct Plan {
    /// Makes tables of the game under the rules.
    pub tables: TableMaker,
    /// The rules in a few words: the preset and what was changed.
    pub rules: String,
    /// The names of the seats, in seat order.
    pub seats: Vec<String>,
    /// The bots: one for each seat in a match, any number in a tournament.
    pub bots: Vec<BotCommand>,
    /// How strongly they are contained.
    pub tier: Tier,
    /// How each of them is.
    pub containments: Vec<Option<Containment>>,
    /// What runs them, where that is a command of the user's.
    pub wrapper: Option<Wrapper>,
    /// The games.
    pub schedule: Schedule,
    /// The clock, and what happens when a bot fails.
    pub time: TimeControl,
    /// What bots must stay within.
    pub limits: Limits,
    /// Whether turns list the legal actions.
    pub send_legal: bool,
    /// Whether bots are started anew for every game.
    pub restart: bool,
    /// Whether every bot was started once before the first game, with its options.
    pub bots_were_tried: bool,
    /// Whether a bot's process must not play two games that begin alike.
    pub has_secrets: bool,
    /// Whether bots are stopped when it is not their turn.
    pub freeze: bool,
    /// The cores for games that are played at once, one for each; none where it does not matter.
    pub cores: Vec<usize>,
    /// How many games are played at once.
    pub concurrency: usize,
    /// Where replays go.
    pub replays: Replays,
}

/// Where replays go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replays {
    /// Nowhere.
    None,
    /// Into a directory that holds nothing else.
    Own(PathBuf),
    /// Into a directory in which others may be.
    Shared(PathBuf),
    /// Below the directory of a tournament, which keeps no two results of a game.
    Tournament(PathBuf),
}

impl Replays {
    /// The directory, where there is one.
    fn directory(&self) -> Option<&Path> {
        match self {
            Replays::None => None,
            Replays::Own(directory)
            | Replays::Shared(directory)
            | Replays::Tournament(directory) => Some(directory),
        }
    }
}

impl Plan {
    /// What the arguments ask for. Makes the directory for the replays.
    ///
    /// # Errors
    ///
    /// Arguments that make no match, and a directory that cannot be written to.
    pub fn new(args: &MatchArgs) -> anyhow::Result<Plan> {
        let start = &args.start;
        let (tables, changes) =
            tables(&args.game, start.rules.as_deref(), &start.rule, Some(args.bots.len()))?;
        let table = tables();
        let seats = table.seats().to_vec();
        let bots = bots(args, table.game(), &seats)?;
        let plan = Plan::with_bots(args, tables, &changes, bots, None)?;
        plan.check_files()?;
        make_directory(&plan.replays)?;
        Ok(plan)
    }

    /// What the arguments ask for, between these bots, whatever bots they name, at these tables of the
    /// arguments' game. Replays go where the arguments say, or else where `replays` says, which is
    /// not looked at.
    ///
    /// # Errors
    ///
    /// Arguments that make no match.
    pub fn with_bots(
        args: &MatchArgs,
        tables: TableMaker,
        changes: &[(String, String)],
        bots: Vec<BotCommand>,
        replays_to: Option<Replays>,
    ) -> anyhow::Result<Plan> {
        let table = tables();
        let seats = table.seats().to_vec();
        let time = time_control(args)?;
        let mut schedule = Schedule {
            game: table.game(),
            draws: args.start.draws(table.game())?,
            bots: bots.len(),
            games: 1,
            fixed_seats: args.fixed_seats,
            openings: args.start.openings(&mut *tables())?,
        };
        schedule.games = match args.games {
            Games::Number(number) => number,
            Games::All => all_games(&schedule)?,
        };
        let replays = replays_to.unwrap_or_else(|| replays(args, schedule.games));
        let concurrency = concurrency(args.conditions.concurrency, schedule.games);
        let cores = if args.conditions.pin { cores_for(concurrency)? } else { Vec::new() };
        check_concurrency(concurrency, time.kind, args.conditions.oversubscribe)?;
        let tier = args.containment.tier(&bots)?;
        capacity::check(concurrency, seats.len(), tier)?;
        let containments = args.containment.of_bots(tier, &bots, replays.directory())?;
        let wrapper = args.containment.wrapper()?;
        if wrapper.is_some() && (time.kind == ClockKind::Cpu || args.conditions.freeze) {
            return Err(Failure::usage(
                "--clock cpu and --freeze are for bots whose processes are the referee's: what a \
                 --sandbox-command runs elsewhere can be neither measured nor stopped",
            ));
        }
        Ok(Plan {
            tier,
            containments,
            wrapper,
            rules: rules_in_words(args, changes)?,
            freeze: args.conditions.stops_bots(tier),
            cores,
            concurrency,
            send_legal: !args.conditions.no_legal,
            restart: args.conditions.restart,
            bots_were_tried: false,
            has_secrets: table.has_secrets(),
            limits: Limits::default(),
            tables,
            seats,
            bots,
            schedule,
            time,
            replays,
        })
    }

    /// Whether every bot is given its files. A match says so before its first game; in a tournament
    /// a bot that is not cannot be started, and the others play.
    fn check_files(&self) -> anyhow::Result<()> {
        for (bot, containment) in self.bots.iter().zip(&self.containments) {
            if let Some(Err(error)) = containment.as_ref().map(|containment| &containment.files) {
                return Err(Failure::usage(format!("bot {}: {error}", bot.name)));
            }
        }
        Ok(())
    }

    /// One of the bots, not running yet.
    pub fn bot(&self, index: usize) -> Bot {
        Bot::new(self.bots[index].clone())
            .contained(self.containments[index].clone())
            .wrapped(self.wrapper.clone())
            .frozen(self.freeze)
    }

    /// The clock and the containment of the bots in words.
    pub fn conditions(&self) -> String {
        let time = &self.time;
        let mut words = Vec::new();
        if let Some(ms) = time.move_ms {
            words.push(format!("{ms} ms a move"));
        }
        if let Some(ms) = time.bank_ms {
            words.push(format!("{ms} ms in the bank"));
        }
        if time.increment_ms > 0 {
            words.push(format!("{} ms increment", time.increment_ms));
        }
        if time.grace_ms > 0 {
            words.push(format!("{} ms grace", time.grace_ms));
        }
        let sandbox = match self.tier {
            Tier::None => "no sandbox".to_string(),
            tier => format!("sandbox tier {tier}"),
        };
        let clock = match time.kind {
            ClockKind::Wall => "on the wall clock",
            ClockKind::Cpu => "of processor time",
        };
        let mut conditions = format!("{} {clock}; {sandbox}", words.join(", "));
        let is_usual = self.freeze == ConditionsArgs::default().stops_bots(self.tier);
        for (is_set, word) in [
            (!is_usual && self.freeze, "bots are stopped between their turns"),
            (!is_usual && !self.freeze, "bots may ponder"),
            (!self.cores.is_empty(), "pinned"),
        ] {
            if is_set {
                conditions.push_str("; ");
                conditions.push_str(word);
            }
        }
        conditions
    }
}

/// Makes tables of a game under the rules that were asked for, and tells what is changed in the
/// preset: what was asked for, and the number of seats where that is a rule, nobody has set it, and
/// it is known how many are to play.
///
/// # Errors
///
/// Games and rules that there are not, and rules that cannot be played.
pub fn tables(
    game: &str,
    preset: Option<&str>,
    changes: &[(String, String)],
    players: Option<usize>,
) -> anyhow::Result<(TableMaker, Vec<(String, String)>)> {
    let mut changes = rule_files::read(changes)?;
    let mut note = String::new();
    if let Some(players) = players
        && let Ok(Some(change)) = registry::change_for_seats(game, preset, &changes, players)
    {
        let (rule, seats) = &change;
        note = format!("{rule}={seats} follows from how many play\n");
        changes.push(change);
    }
    let tables = registry::tables(game, preset, &changes)
        .map_err(|error| Failure::usage(format!("{error}\n{note}{}", see_games(game))))?;
    Ok((tables, changes))
}

/// Where to find out about a game's rules, for who has written some that do not exist.
pub fn see_games(game: &str) -> String {
    match registry::info(game) {
        Ok(info) => format!("`botyard games {}` lists its presets and rules", info.name),
        Err(_) => "`botyard games` lists the games".to_string(),
    }
}

fn bots(args: &MatchArgs, game: &str, seats: &[String]) -> anyhow::Result<Vec<BotCommand>> {
    let botyard = std::env::current_exe().context("cannot find the executable of botyard")?;
    let mut bots = bot_spec::commands(&args.bots, game, &BuiltInPrograms { botyard })
        .map_err(Failure::usage)?;
    if bots.len() != seats.len() {
        let seats_rule = registry::info(game).ok().and_then(|info| info.seats_rule);
        let set = args.start.rule.iter().find(|(key, _)| Some(key.as_str()) == seats_rule);
        let or = set.map_or(String::new(), |(key, value)| {
            format!("\nor leave out --rule {key}={value}: it follows from the number of bots")
        });
        return Err(Failure::usage(format!(
            "{game} under these rules has {} seats ({}): expected a bot for each, got {}\n\
             Write for example: botyard match {game} {}{or}",
            seats.len(),
            seats.join(", "),
            args.bots.len(),
            args.bots
                .iter()
                .cycle()
                .take(seats.len())
                .map(|bot| quoted(bot))
                .collect::<Vec<_>>()
                .join(" "),
        )));
    }
    for (name, key, value) in &args.option {
        let known: Vec<String> = bots.iter().map(|bot| bot.name.clone()).collect();
        let Some(bot) = bots.iter_mut().find(|bot| bot.name == *name) else {
            return Err(Failure::usage(format!(
                "--option {name}:{key}={value}: no bot of this match is called {name:?}{}; they are {}",
                did_you_mean(name, &known),
                known.join(", ")
            )));
        };
        bot.options.insert(key.clone(), value.clone());
    }
    Ok(bots)
}

/// A word as it would be typed in a shell.
pub fn quoted(word: &str) -> String {
    shlex::try_quote(word).map_or_else(|_| word.to_string(), Into::into)
}

fn time_control(args: &MatchArgs) -> anyhow::Result<TimeControl> {
    let time = args.conditions.time_control(args.grace, args.on_fault.into());
    SeatClock::new(&time).map_err(|error| {
        Failure::usage(format!("{error}; see --move-time, --bank, --increment and --grace"))
    })?;
    Ok(time)
}

fn rules_in_words(args: &MatchArgs, changes: &[(String, String)]) -> anyhow::Result<String> {
    let info = registry::info(&args.game).map_err(Failure::usage)?;
    let default = info.presets.first().map_or("", |(preset, _)| preset.name);
    let mut words = args.start.rules.clone().unwrap_or_else(|| default.to_string());
    for (key, value) in changes {
        words.push_str(&format!(", {key}={value}"));
    }
    Ok(words)
}

/// As many games as give every opening to every assignment of the seats.
fn all_games(schedule: &Schedule) -> anyhow::Result<u32> {
    if schedule.openings.is_empty() {
        return Err(Failure::usage(
            "--games all plays every opening of --opening, which is not there; add it, or write a \
             number of games",
        ));
    }
    u32::try_from(schedule.openings.len())
        .ok()
        .and_then(|openings| openings.checked_mul(schedule.block_length()))
        .filter(|&games| games <= MOST_GAMES)
        .ok_or_else(|| Failure::usage(format!("these are more than {MOST_GAMES} games")))
}

/// The openings of a named set or of a file, each of which can be played.
///
/// # Errors
///
/// Files that cannot be read, and the first opening that cannot be played.
pub fn read_openings(name: &Path, table: &mut dyn Table) -> anyhow::Result<Vec<String>> {
    let shown = name.display();
    if let Some(openings) = name.to_str().and_then(|name| table.opening_set(name)) {
        for opening in &openings {
            let opened = table.open_with(opening);
            opened.map_err(|error| Failure::usage(format!("the openings {shown}: {error}")))?;
        }
        return Ok(openings);
    }
    let text = open_regular(name).and_then(|opened| read_text(opened, LARGEST));
    let text = text.map_err(|error| {
        let sets: Vec<&str> = table.opening_sets().iter().map(|set| set.name).collect();
        let sets = match &sets[..] {
            [] => String::new(),
            sets => format!("; {} has the sets {}", table.game(), sets.join(", ")),
        };
        Failure::usage(format!("the openings {shown} cannot be read: {error}{sets}"))
    })?;
    if !opening_file::is_json(name, &text)
        && let Some(read) = table.read_openings(&text)
    {
        let openings = read.map_err(|error| Failure::usage(format!("{shown}, {error}")))?;
        if openings.is_empty() {
            return Err(Failure::usage(format!("{shown} holds no opening")));
        }
        return Ok(openings);
    }
    let openings = opening_file::openings(&text)
        .map_err(|error| Failure::usage(format!("{shown}: {error}")))?;
    for (number, opening) in (1..).zip(&openings) {
        table.open_with(&opening.json).map_err(|error: ActionError| {
            let line = opening.line;
            Failure::usage(format!("{shown}, line {line}, opening {number}: {error}"))
        })?;
    }
    Ok(openings.into_iter().map(|opening| opening.json).collect())
}

fn replays(args: &MatchArgs, games: u32) -> Replays {
    match &args.out {
        Some(directory) => Replays::Own(directory.clone()),
        None if games == 1 && !args.json => Replays::Shared(DEFAULT_DIRECTORY.into()),
        None => Replays::None,
    }
}

fn make_directory(replays: &Replays) -> anyhow::Result<()> {
    let Some(directory) = replays.directory() else { return Ok(()) };
    let unwritable = |error: io::Error| {
        Failure::host(format!("replays cannot be written to {}: {error}", directory.display()))
    };
    if directory.exists() && !directory.is_dir() {
        return Err(Failure::usage(format!(
            "{} is not a directory; write another one after --out",
            directory.display()
        )));
    }
    fs::create_dir_all(directory).map_err(unwritable)?;
    let is_empty = fs::read_dir(directory).map_err(unwritable)?.next().is_none();
    if matches!(replays, Replays::Own(_)) && !is_empty {
        return Err(Failure::usage(format!(
            "the directory {} is not empty; replays are never written over: empty it, or write \
             another one after --out",
            directory.display()
        )));
    }
    // A directory that exists need not be one that can be written to: known before the first game.
    let probe = directory.join(format!(".writable-{}", std::process::id()));
    File::create_new(&probe).and_then(|_| fs::remove_file(&probe)).map_err(unwritable)
}
