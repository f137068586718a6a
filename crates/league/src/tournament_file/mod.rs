//! The tournament file: bots, game, format and clock. It is parsed as a whole, and all problems are
//! reported together, with their lines. Whether its game, rules and programs exist is not checked
//! here.

mod changes;
mod problems;
mod section;

pub use changes::{FileChange, Remedy, file_changes};
pub use problems::Problems;
pub use section::line_of_key;

use crate::schedule::Format;
use botyard_engine::rules::did_you_mean;
use botyard_protocol::{DrawRule, ResignRule, printable};
use section::{Section, line_of};
use std::fmt::Display;
use std::str::FromStr;
use toml::de::DeTable;

/// The maximum number of blocks of a line-up, and of many other things: beyond practical use.
const MOST: u64 = 1_000_000;

/// The maximum number of bots of a tournament.
const MOST_BOTS: usize = 1000;

/// The maximum of any time, in milliseconds: an hour, so that a tournament ends.
const MOST_MS: u64 = 3_600_000;

/// The maximum length of a name, in characters.
const NAME_CHARACTERS: usize = 60;

/// A tournament as described by its file.
#[derive(Clone, Debug, PartialEq)]
pub struct TournamentFile {
    /// Its name.
    pub name: String,
    /// The game.
    pub game: Placed<String>,
    /// The preset of its rules; the default one if missing.
    pub rules: Option<Placed<String>>,
    /// Rules that differ from the preset, as on the command line.
    pub rule: Vec<(String, String)>,
    /// The lines of the changed rules.
    pub rule_line: usize,
    /// The seed of all its games; drawn if missing.
    pub seed: Option<u64>,
    /// The format.
    pub format: Placed<Format>,
    /// The number of blocks per line-up.
    pub blocks: u32,
    /// A file or a named set of openings.
    pub openings: Option<Placed<String>>,
    /// The clock.
    pub time: Time,
    /// The section on adjudication.
    pub adjudication: AdjudicationRules,
    /// The section on running games.
    pub run: Run,
    /// The section on the sandbox.
    pub sandbox: Sandbox,
    /// The gate: the requirements for a bot to be admitted.
    pub gate: Option<Gate>,
    /// The bots.
    pub bots: Vec<BotEntry>,
}

/// A value with its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed<T> {
    /// The value.
    pub value: T,
    /// Its line, from 1; 0 if it is not in the file.
    pub line: usize,
}

/// The clock, in milliseconds; missing values are the defaults of `botyard match`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Time {
    /// The first line of the section; 0 if there is none.
    pub line: usize,
    /// The limit for one move.
    pub move_ms: Option<u64>,
    /// The bank for all moves of a game.
    pub bank_ms: Option<u64>,
    /// The increment after each move.
    pub increment_ms: Option<u64>,
    /// The grace: time over the limit that is forgiven, but charged.
    pub grace_ms: Option<u64>,
    /// The limit from the start of a bot to its `hello`.
    pub start_ms: Option<u64>,
    /// The limit from `start` to `ready`.
    pub setup_ms: Option<u64>,
    /// The measured time: `wall` or `cpu`.
    pub clock: Option<String>,
    /// Whether bots are stopped when it is not their turn, also without a sandbox.
    pub freeze: bool,
    /// Whether bots may think in the others' time.
    pub ponder: bool,
    /// The treatment of faults: `forfeit`, `retry` or `substitute`.
    pub on_fault: Option<String>,
}

/// The rules by which the referee ends a game if its result is clear.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AdjudicationRules {
    /// The first line of the section; 0 if there is none.
    pub line: usize,
    /// When a game is a draw.
    pub draw: Option<DrawRule>,
    /// When a game is lost.
    pub resign: Option<ResignRule>,
    /// Whether endgame tables end games.
    pub egdb: bool,
}

/// The sandbox; missing values are the defaults of `botyard match`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sandbox {
    /// The first line of the section; 0 if there is none.
    pub line: usize,
    /// `auto`, `strict` or `none`.
    pub mode: Option<String>,
    /// The memory limit of a bot, in MiB.
    pub memory_mib: Option<u64>,
    /// The limit of a bot's processes and threads.
    pub processes: Option<u32>,
    /// The limit of open files per process.
    pub files: Option<u32>,
    /// The limit of what a bot may write in its private `/tmp`, in MiB.
    pub scratch_mib: Option<u64>,
    /// The memory limit of the game's program, in MiB.
    pub game_memory_mib: Option<u64>,
    /// The limit of its processes and threads.
    pub game_processes: Option<u32>,
    /// The limit for each of its answers, in milliseconds.
    pub game_answer_ms: Option<u64>,
    /// What bots may read besides what their commands name.
    pub read: Vec<String>,
    /// A command of the host that runs each bot.
    pub command: Option<String>,
    /// A command that ends whatever the former leaves running.
    pub end: Option<String>,
}

/// The running of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The number of simultaneous games; the number of cores minus one if missing.
    pub concurrency: Option<u16>,
    /// Whether to play more simultaneous games than the host can time.
    pub oversubscribe: bool,
    /// Whether every bot is restarted for every game.
    pub restart: bool,
    /// Whether turns list the legal actions.
    pub legal: bool,
    /// Whether replays are kept.
    pub replays: bool,
    /// Whether replays are compressed after their games.
    pub compress: bool,
    /// Whether each of the simultaneous games is pinned to its own core, if set.
    pub pin: Option<bool>,
    /// The back end that runs the bots: `native` or `portable`, if set.
    pub backend: Option<String>,
}

/// The gate. Before a bot is admitted, it plays some games against bots that are known to work,
/// without a fault, and must score.
#[derive(Clone, Debug, PartialEq)]
pub struct Gate {
    /// Its line.
    pub line: usize,
    /// The opponents, as on the command line.
    pub against: Vec<String>,
    /// The number of blocks against each.
    pub blocks: u32,
    /// The least share of the points that it needs over all of these games.
    pub score: f64,
    /// Whether the checks of `botyard check` are made before these games.
    pub checks: bool,
}

/// A bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotEntry {
    /// Its line.
    pub line: usize,
    /// Its name; that of its program if missing.
    pub name: Option<String>,
    /// The team that submitted it.
    pub team: Option<String>,
    /// The ID of its author in a grade book.
    pub student_id: Option<String>,
    /// The bot as on the command line: a built-in bot, a path or a command line.
    pub command: String,
    /// The directory it runs in, relative to the file; the file's own directory if missing.
    pub directory: Option<String>,
    /// Its options.
    pub options: Vec<(String, String)>,
    /// Its times, in place of those of all bots.
    pub time: BotTimes,
}

/// The times of one bot, in milliseconds. What is missing is as in [`Time`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BotTimes {
    /// The limit for one move.
    pub move_ms: Option<u64>,
    /// The bank for all moves of a game.
    pub bank_ms: Option<u64>,
    /// The increment after each move.
    pub increment_ms: Option<u64>,
}

impl TournamentFile {
    /// Parses the text of a file called `file`; a tournament without a name is called `stem`.
    ///
    /// # Errors
    ///
    /// All problems.
    pub fn read(file: &str, stem: &str, text: &str) -> Result<TournamentFile, Problems> {
        let mut problems = Problems::new(file);
        let (table, errors) = DeTable::parse_recoverable(text);
        for error in &errors {
            let line = error.span().map_or(0, |span| line_of(text, span.start));
            problems.add(line, error.message());
        }
        // The values of a file that is not TOML would only give wrong errors.
        if !problems.is_empty() {
            return Err(problems);
        }
        let read = read(Section::whole(table.get_ref(), text), stem, &mut problems);
        match read {
            Some(read) if problems.is_empty() => Ok(read),
            _ => Err(problems),
        }
    }
}

fn read(mut whole: Section<'_, '_>, stem: &str, problems: &mut Problems) -> Option<TournamentFile> {
    let name = whole.text("name", problems).unwrap_or_else(|| stem.to_string());
    check_name(whole.line_of("name"), &name, problems);
    let game = whole.placed_text("game", problems);
    if !whole.has("game") {
        problems.add(whole.line, "game is missing, as in game = \"draughts\"");
    }
    let rules = whole.placed_text("rules", problems);
    let rule_line = whole.line_of("rule");
    let rule = whole.pairs("rule", problems);
    let seed = whole.number("seed", 0..=u64::MAX, problems);
    let format_line = whole.line_of("format");
    let word = whole.word("format", &FORMATS, problems);
    let rounds = whole.number("rounds", 1..=MOST, problems);
    let tables = whole.number("tables", 1..=MOST, problems);
    let challengers = whole.texts("challengers", problems);
    let blocks = whole.number("blocks", 1..=MOST, problems).unwrap_or(1);
    let openings = whole.placed_text("openings", problems);
    let time = whole.section("time", problems).map(|section| time(section, problems));
    let adjudication = match whole.section("adjudication", problems) {
        Some(section) => adjudication(section, problems),
        None => AdjudicationRules::default(),
    };
    let run = match whole.section("run", problems) {
        Some(section) => run(section, problems),
        None => Run::default(),
    };
    let sandbox = match whole.section("sandbox", problems) {
        Some(section) => sandbox(section, problems),
        None => Sandbox::default(),
    };
    let gate = whole.section("gate", problems).and_then(|section| gate(section, problems));
    let bots_line = whole.line_of("bot");
    let bots: Vec<BotEntry> = whole
        .sections("bot", problems)
        .into_iter()
        .filter_map(|section| bot(section, problems))
        .collect();
    if bots.len() > MOST_BOTS {
        let got = bots.len();
        problems.add(bots_line, format!("expected at most {MOST_BOTS} bots, got {got}"));
    }
    check_names_differ(&bots, problems);
    let given = [
        ("rounds", rounds.is_some(), "swiss"),
        ("tables", tables.is_some(), "round-robin"),
        ("challengers", challengers.is_some(), "gauntlet"),
    ];
    let word = word.unwrap_or_else(|| FORMATS[0].to_string());
    for (key, is_given, of) in given {
        if is_given && word != of {
            let line = whole.line_of(key);
            problems.add(line, format!("{key} belongs to format = \"{of}\"; the format is {word}"));
        }
    }
    let format = match word.as_str() {
        "gauntlet" => {
            let line = whole.line_of("challengers");
            let names = challengers.unwrap_or_default();
            if names.is_empty() {
                let message = "a gauntlet needs its challengers, as in challengers = [\"mine\"]";
                problems.add(line, message);
            }
            Format::Gauntlet { challengers: indices(&names, &bots, line, problems) }
        }
        "swiss" => {
            if !whole.has("rounds") {
                problems.add(format_line, "a Swiss tournament needs its rounds, as in rounds = 5");
            }
            Format::Swiss { rounds: rounds.unwrap_or(1) as u32 }
        }
        "knockout" => Format::Knockout,
        _ => Format::RoundRobin { tables: tables.map(|tables| tables as u32) },
    };
    if bots.len() < 2 {
        let got = bots.len();
        problems.add(bots_line, format!("expected two bots or more, each as [[bot]], got {got}"));
    }
    whole.finish(problems);
    Some(TournamentFile {
        name,
        game: game?,
        rules,
        rule,
        rule_line,
        seed,
        format: Placed { value: format, line: format_line },
        blocks: blocks as u32,
        openings,
        time: time.unwrap_or_default(),
        adjudication,
        run,
        sandbox,
        gate,
        bots,
    })
}

const FORMATS: [&str; 4] = ["round-robin", "gauntlet", "swiss", "knockout"];

impl Default for Run {
    fn default() -> Run {
        Run {
            concurrency: None,
            oversubscribe: false,
            restart: false,
            legal: true,
            replays: true,
            compress: false,
            pin: None,
            backend: None,
        }
    }
}

fn time(mut section: Section<'_, '_>, problems: &mut Problems) -> Time {
    let time = Time {
        line: section.line,
        move_ms: section.number("move_ms", 1..=MOST_MS, problems),
        bank_ms: section.number("bank_ms", 0..=MOST_MS, problems),
        increment_ms: section.number("increment_ms", 0..=MOST_MS, problems),
        grace_ms: section.number("grace_ms", 0..=MOST_MS, problems),
        start_ms: section.number("start_ms", 1..=MOST_MS, problems),
        setup_ms: section.number("setup_ms", 1..=MOST_MS, problems),
        clock: section.word("clock", &["wall", "cpu"], problems),
        freeze: section.flag("freeze", problems).unwrap_or(false),
        ponder: section.flag("ponder", problems).unwrap_or(false),
        on_fault: section.word("on_fault", &["forfeit", "retry", "substitute"], problems),
    };
    if time.freeze && time.ponder {
        problems.add(section.line_of("ponder"), "time.ponder and time.freeze exclude each other");
    }
    section.finish(problems);
    time
}

fn adjudication(mut section: Section<'_, '_>, problems: &mut Problems) -> AdjudicationRules {
    let rules = AdjudicationRules {
        line: section.line,
        draw: rule(&mut section, "draw", problems),
        resign: rule(&mut section, "resign", problems),
        egdb: section.flag("egdb", problems).unwrap_or(false),
    };
    section.finish(problems);
    rules
}

/// Reads a rule in the form of the command line: `"movecount=8 score=0.1"`.
fn rule<T: FromStr<Err: Display>>(
    section: &mut Section<'_, '_>,
    key: &str,
    problems: &mut Problems,
) -> Option<T> {
    let text = section.text(key, problems)?;
    let parsed = text.parse();
    let line = section.line_of(key);
    parsed.map_err(|error| problems.add(line, format!("adjudication.{key}: {error}"))).ok()
}

fn run(mut section: Section<'_, '_>, problems: &mut Problems) -> Run {
    let run = Run {
        concurrency: section
            .number("concurrency", 1..=1024, problems)
            .and_then(|number| u16::try_from(number).ok()),
        oversubscribe: section.flag("oversubscribe", problems).unwrap_or(false),
        restart: section.flag("restart", problems).unwrap_or(false),
        legal: section.flag("legal", problems).unwrap_or(true),
        replays: section.flag("replays", problems).unwrap_or(true),
        compress: section.flag("compress", problems).unwrap_or(false),
        pin: section.flag("pin", problems),
        backend: section.word("backend", &["native", "portable"], problems),
    };
    if run.compress && !run.replays {
        problems.add(section.line_of("compress"), "run.compress needs run.replays = true");
    }
    section.finish(problems);
    run
}

/// The same ranges as on the command line.
fn sandbox(mut section: Section<'_, '_>, problems: &mut Problems) -> Sandbox {
    let small = |number: Option<u64>| number.and_then(|number| u32::try_from(number).ok());
    let sandbox = Sandbox {
        line: section.line,
        mode: section.word("mode", &["auto", "strict", "none"], problems),
        memory_mib: section.number("memory_mib", 8..=1 << 20, problems),
        processes: small(section.number("processes", 1..=100_000, problems)),
        files: small(section.number("files", 8..=100_000, problems)),
        scratch_mib: section.number("scratch_mib", 1..=1 << 20, problems),
        game_memory_mib: section.number("game_memory_mib", 8..=1 << 20, problems),
        game_processes: small(section.number("game_processes", 1..=100_000, problems)),
        game_answer_ms: section.number("game_answer_ms", 1..=MOST_MS, problems),
        read: section.texts("read", problems).unwrap_or_default(),
        command: section.text("command", problems),
        end: section.text("end", problems),
    };
    if sandbox.end.is_some() && sandbox.command.is_none() {
        problems.add(section.line_of("end"), "sandbox.end belongs to sandbox.command");
    }
    section.finish(problems);
    sandbox
}

fn gate(mut section: Section<'_, '_>, problems: &mut Problems) -> Option<Gate> {
    let against = section.texts("against", problems);
    if !section.has("against") || against.as_ref().is_some_and(Vec::is_empty) {
        problems.add(section.line, "gate.against is missing, as in against = [\"random\"]");
    }
    let blocks = section.number("blocks", 1..=MOST, problems).unwrap_or(1);
    let score = section.share("score", problems).unwrap_or(0.0);
    let checks = section.flag("checks", problems).unwrap_or(false);
    let line = section.line;
    section.finish(problems);
    let against = against.filter(|against| !against.is_empty())?;
    Some(Gate { line, against, blocks: blocks as u32, score, checks })
}

fn bot(mut section: Section<'_, '_>, problems: &mut Problems) -> Option<BotEntry> {
    let line = section.line;
    let name = section.text("name", problems);
    if let Some(name) = &name {
        check_name(section.line_of("name"), name, problems);
    }
    let team = section.text("team", problems).map(|team| printable(&team, NAME_CHARACTERS));
    let student_id = section.text("student_id", problems);
    if let Some(id) = &student_id {
        let line = section.line_of("student_id");
        check_text("student_id", line, id, problems);
        if name.is_none() {
            problems.add(line, "student_id needs a name of the bot, as in name = \"anna\"");
        }
    }
    let command = section.text("command", problems);
    if !section.has("command") {
        problems.add(line, "the bot has no command, as in command = \"python3 mine.py\"");
    }
    let directory = section.text("directory", problems);
    let options = section.pairs("options", problems);
    let time = BotTimes {
        move_ms: section.number("move_ms", 1..=MOST_MS, problems),
        bank_ms: section.number("bank_ms", 0..=MOST_MS, problems),
        increment_ms: section.number("increment_ms", 0..=MOST_MS, problems),
    };
    if time != BotTimes::default() && name.is_none() {
        let message = "a bot with times of its own needs a name, as in name = \"anna\"";
        problems.add(line, message);
    }
    section.finish(problems);
    Some(BotEntry { line, name, team, student_id, command: command?, directory, options, time })
}

/// Names are written in tables, files and messages to bots.
fn check_name(line: usize, name: &str, problems: &mut Problems) {
    check_text("name", line, name, problems);
}

/// Reports the text of a key that is empty, too long or has characters that cannot be printed.
fn check_text(key: &str, line: usize, text: &str, problems: &mut Problems) {
    if text.trim().is_empty() || printable(text, NAME_CHARACTERS) != text {
        problems.add(
            line,
            format!(
                "{key}: expected 1 to {NAME_CHARACTERS} characters that can be printed, got {:?}",
                printable(text, NAME_CHARACTERS)
            ),
        );
    }
}

fn check_names_differ(bots: &[BotEntry], problems: &mut Problems) {
    for (index, bot) in bots.iter().enumerate() {
        let same = |other: &&BotEntry| bot.name.is_some() && other.name == bot.name;
        if let Some(first) = bots[..index].iter().find(same) {
            let name = bot.name.as_deref().unwrap_or_default();
            problems.add(
                bot.line,
                format!("two bots are called {name:?}: the first one is in line {}", first.line),
            );
        }
    }
}

/// Returns the indices of the bots of these names.
fn indices(
    names: &[String],
    bots: &[BotEntry],
    line: usize,
    problems: &mut Problems,
) -> Vec<usize> {
    let mut found = Vec::new();
    for name in names {
        match bots.iter().position(|bot| bot.called() == *name) {
            Some(index) if found.contains(&index) => {
                problems.add(line, format!("challengers: {name:?} is listed twice"));
            }
            Some(index) => found.push(index),
            None => {
                let known: Vec<String> = bots.iter().map(|bot| bot.called().to_string()).collect();
                problems.add(
                    line,
                    format!(
                        "challengers: no bot is called {name:?}{}; they are {}",
                        did_you_mean(name, &known),
                        known.join(", ")
                    ),
                );
            }
        }
    }
    found
}

impl BotEntry {
    /// Returns a bot's name as in the file: its name, or else its command.
    pub fn called(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.command)
    }
}

#[cfg(test)]
mod tests;
