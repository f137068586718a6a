//! The events of a match, as JSON lines for programs (`--json`): `match_started`; `game_started`
//! and `game_ended` for every game; `concurrency_changed`; `match_ended`. Later versions may add fields; none changes its
//! meaning.

use crate::{BotTally, ConcurrencyChange, Plan, PlayedGame, Tally};
use botyard_league::schedule::ScheduledGame;
use botyard_league::score::Score;
use botyard_protocol::{Adjudication, BotTime, EndOutcome, Fault, Limits, TimeControl};
use botyard_referee::{Backend, BotCommand};
use botyard_replay::VoidEvidence;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;

/// An event of a match.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum MatchEvent<'a> {
    /// Before the first game.
    MatchStarted {
        /// The version of `botyard`.
        version: &'static str,
        /// The name of the game.
        game: &'static str,
        /// The resolved rules.
        rules: Value,
        /// The names of the seats, in seat order.
        seats: &'a [String],
        /// The bots, in the order they were given.
        bots: Vec<BotEntry<'a>>,
        /// The number of games in the match.
        games: u32,
        /// The seed of the match as `--seed` takes it. Text: a number in JSON keeps 53 bits only.
        seed: String,
        /// Whether every bot keeps its seat.
        fixed_seats: bool,
        /// The conditions of the games.
        #[serde(flatten)]
        conditions: ConditionsEntry<'a>,
    },
    /// A game begins.
    GameStarted {
        /// The game.
        #[serde(flatten)]
        game: GameEntry<'a>,
        /// The seed of all games of the block, as in the replay.
        seed: String,
    },
    /// A game has ended. These events are in the order of game numbers.
    GameEnded {
        /// The game.
        #[serde(flatten)]
        game: GameEntry<'a>,
        /// The outcome.
        outcome: &'a EndOutcome,
        /// The faults of its bots.
        faults: &'a [Fault],
        /// The number of decisions.
        plies: u32,
        /// The times of each seat's bot, by seat name.
        times: BTreeMap<&'a str, Times>,
        /// Time from when its bots were started, or found running, to the verdict, in microseconds.
        elapsed_us: u64,
        /// Its replay, if one was saved.
        replay: Option<String>,
        /// The evidence if the game is void.
        host: Option<&'a VoidEvidence>,
        /// How often the start of a bot was repeated because the host had stalled it.
        start_repeats: u32,
        /// Wall-clock time for which the referee waited for the program that has the rules, in
        /// microseconds.
        #[serde(skip_serializing_if = "Option::is_none")]
        rules_us: Option<u64>,
    },
    /// Another number of games is played at once, because bots wait for cores or do not any more.
    ConcurrencyChanged(ConcurrencyChange),
    /// After the last game.
    MatchEnded {
        /// Whether the match ended before all games were played.
        interrupted: bool,
        /// The bot that could not be started, and why, if that ended the match.
        #[serde(skip_serializing_if = "Option::is_none")]
        start_failure: Option<&'a str>,
        /// Games that count.
        games: u32,
        /// Void games.
        void: u32,
        /// Decisions in all games that count.
        plies: u64,
        /// How long the match took, in microseconds.
        elapsed_us: u64,
        /// Decisions per second, over all concurrent games.
        plies_per_second: f64,
        /// The number of games by reason of their end.
        reasons: &'a BTreeMap<String, u32>,
        /// The bots, in the order they were given.
        bots: Vec<BotSummary<'a>>,
    },
}

/// The conditions of games, with the same fields in a match and a tournament.
#[derive(Debug, Serialize)]
pub struct ConditionsEntry<'a> {
    /// The number of games played at once.
    concurrency: usize,
    /// The clock, and the handling of faults.
    time_control: &'a TimeControl,
    /// The times of the bots that do not have those of `time_control`, by the bots' names.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    own_times: BTreeMap<&'a str, BotTime>,
    /// The rules that end games whose result is clear. Absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    adjudication: Option<&'a Adjudication>,
    /// Limits of the protocol that bots must keep.
    limits: &'a Limits,
    /// Whether turns list the legal actions.
    legal: bool,
    /// Whether bots are restarted for every game.
    restart: bool,
    /// The containment of bots.
    sandbox: &'static str,
    /// Whether bots are stopped when it is not their turn.
    freeze: bool,
    /// Whether each concurrent game has its own core.
    pin: bool,
    /// The back end that runs the bots, if it is not the native one.
    #[serde(skip_serializing_if = "Option::is_none")]
    backend: Option<&'static str>,
}

impl ConditionsEntry<'_> {
    /// Returns the conditions of a plan.
    pub fn of(plan: &Plan) -> ConditionsEntry<'_> {
        ConditionsEntry {
            concurrency: plan.concurrency,
            time_control: &plan.time,
            own_times: plan.own_times(),
            adjudication: plan.adjudicator.as_ref().map(|adjudicator| adjudicator.rules()),
            limits: &plan.limits,
            legal: plan.send_legal,
            restart: plan.restart,
            sandbox: plan.tier.as_str(),
            freeze: plan.freeze,
            pin: !plan.cores.is_empty(),
            backend: Some(plan.backend.as_str()).filter(|_| plan.backend != Backend::Native),
        }
    }
}

/// A bot as it was given.
#[derive(Debug, Serialize)]
pub struct BotEntry<'a> {
    name: &'a str,
    program: String,
    args: Vec<String>,
    options: &'a BTreeMap<String, String>,
}

/// A game, and the bot in each seat.
#[derive(Debug, Serialize)]
pub struct GameEntry<'a> {
    number: u32,
    block: u32,
    game_id: &'a str,
    /// The bot's name for each seat, by seat name.
    seats: BTreeMap<&'a str, &'a str>,
}

/// The times of a seat's bot in a game, in microseconds: wall-clock time, the longest wall-clock
/// time of a decision, CPU time if it was measured, excused time, and the most of it in a decision.
#[derive(Debug, Serialize)]
pub struct Times {
    decisions: u32,
    wall_us: u64,
    longest_us: u64,
    cpu_us: Option<u64>,
    excused_us: u64,
    longest_excused_us: u64,
}

/// A bot's score.
#[derive(Debug, Serialize)]
pub struct ScoreEntry {
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    share: Option<f64>,
    /// The mean of the game's own points, if they are not shares.
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<f64>,
    interval_95: Option<[f64; 2]>,
}

/// The summary of a bot.
#[derive(Debug, Serialize)]
pub struct BotSummary<'a> {
    name: &'a str,
    #[serde(flatten)]
    score: ScoreEntry,
    /// The same by seat, for the seats that it held.
    by_seat: BTreeMap<&'a str, ScoreEntry>,
    /// How often it finished in each place, first place first.
    places: &'a [u32],
    /// The number of faults of each kind.
    faults: BTreeMap<&'static str, u32>,
    decisions: u64,
    mean_us: Option<f64>,
    longest_us: u64,
    excused_us: u64,
    longest_excused_us: u64,
}

impl<'a> MatchEvent<'a> {
    /// Returns the event before the first game.
    pub fn match_started(plan: &'a Plan) -> MatchEvent<'a> {
        MatchEvent::MatchStarted {
            version: env!("CARGO_PKG_VERSION"),
            game: plan.schedule.game,
            rules: (plan.tables)().rules(),
            seats: &plan.seats,
            bots: plan.bots.iter().map(|bot| bot_entry(&bot.command)).collect(),
            games: plan.schedule.games,
            seed: plan.schedule.draws.to_string(),
            fixed_seats: plan.schedule.fixed_seats,
            conditions: ConditionsEntry::of(plan),
        }
    }

    /// Returns the event at the start of a game.
    pub fn game_started(plan: &'a Plan, game: &'a ScheduledGame) -> MatchEvent<'a> {
        MatchEvent::GameStarted { game: game_entry(plan, game), seed: game.seed.to_string() }
    }

    /// Returns the event at the end of a game.
    pub fn game_ended(plan: &'a Plan, played: &'a PlayedGame) -> MatchEvent<'a> {
        let report = &played.report;
        let times = plan.seats.iter().zip(&report.seats).map(|(seat, tally)| {
            let times = Times {
                decisions: tally.decisions,
                wall_us: tally.wall_us,
                longest_us: tally.longest_us,
                cpu_us: tally.cpu_us,
                excused_us: tally.excused_us,
                longest_excused_us: tally.longest_excused_us,
            };
            (seat.as_str(), times)
        });
        MatchEvent::GameEnded {
            game: game_entry(plan, &played.game),
            outcome: &report.outcome,
            faults: &report.faults,
            plies: report.turns,
            times: times.collect(),
            elapsed_us: micros(played.elapsed),
            replay: played.replay.as_ref().map(|path| path.to_string_lossy().into_owned()),
            host: report.host.as_ref(),
            start_repeats: report.start_repeats(),
            rules_us: report.rules_us,
        }
    }

    /// Returns the event after the last game. `interrupted`: before all games were played.
    pub fn match_ended(
        plan: &'a Plan,
        tally: &'a Tally,
        interrupted: bool,
        start_failure: Option<&'a str>,
    ) -> MatchEvent<'a> {
        MatchEvent::MatchEnded {
            interrupted,
            start_failure,
            games: tally.counted,
            void: tally.void,
            plies: tally.plies,
            elapsed_us: micros(tally.elapsed()),
            plies_per_second: tally.plies_per_second().round(),
            reasons: &tally.reasons,
            bots: tally.bots.iter().map(|bot| bot_summary(plan, bot)).collect(),
        }
    }
}

fn bot_entry(bot: &BotCommand) -> BotEntry<'_> {
    BotEntry {
        name: &bot.name,
        program: bot.program.to_string_lossy().into_owned(),
        args: bot.args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect(),
        options: &bot.options,
    }
}

fn bot_summary<'a>(plan: &'a Plan, bot: &'a BotTally) -> BotSummary<'a> {
    let by_seat = plan.seats.iter().zip(&bot.by_seat).filter(|(_, score)| score.games() > 0);
    BotSummary {
        name: &bot.name,
        score: score_entry(&bot.score),
        by_seat: by_seat.map(|(seat, score)| (seat.as_str(), score_entry(score))).collect(),
        places: &bot.places,
        faults: bot.faults.iter().map(|(kind, &count)| (kind.as_str(), count)).collect(),
        decisions: bot.decisions,
        mean_us: bot.mean_us().map(f64::round),
        longest_us: bot.longest_us,
        excused_us: bot.excused_us,
        longest_excused_us: bot.longest_excused_us,
    }
}

fn score_entry(score: &Score) -> ScoreEntry {
    ScoreEntry {
        games: score.games(),
        wins: score.wins,
        draws: score.draws,
        losses: score.losses,
        share: score.share(),
        points: score.points(),
        interval_95: score.interval().map(|interval| [interval.low, interval.high]),
    }
}

fn game_entry<'a>(plan: &'a Plan, game: &'a ScheduledGame) -> GameEntry<'a> {
    let holders = game.seats.iter().map(|&bot| plan.bots[bot].name());
    GameEntry {
        number: game.number,
        block: game.block,
        game_id: &game.id,
        seats: plan.seats.iter().map(String::as_str).zip(holders).collect(),
    }
}

/// Returns a time in whole microseconds.
pub fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}
