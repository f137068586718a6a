//! The events of a tournament, for programs: `tournament_started`, `bot_rejected`, `game_started`, `game_ended`
//! and `game_void` in the order in which things happen, `tournament_ended`; `rejudging_ended` after games
//! were played again. As JSON they are what `--json` prints, one a line. Fields may be added; none changes
//! its meaning.

use super::rejudge::{ChangedGame, Difference};
use super::results::Results;
use super::session::{Ended, KeptGame};
use crate::events::{ConditionsEntry, micros};
use crate::plan::Plan;
use botyard_engine::Seed;
use botyard_league::schedule::{GameKey, ScheduledGame};
use botyard_league::store::{Definition, Rejected};
use botyard_league::{Entrant, SeatUse};
use botyard_protocol::{EndOutcome, Fault};
use botyard_replay::VoidEvidence;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// What happens in a tournament.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum TournamentEvent<'a> {
    /// Before the games of the gate, which are drawn from the same secret as all others.
    SecretDrawn {
        /// The hash of the secret.
        secret_sha256: &'a str,
    },
    /// Before the first game of a run.
    TournamentStarted(Box<TournamentEntry<'a>>),
    /// A bot was not let in.
    BotRejected {
        /// The bot.
        bot: &'a Entrant,
        /// Why, in sentences for its author.
        reason: &'a str,
    },
    /// A game begins.
    GameStarted {
        /// Which.
        #[serde(flatten)]
        game: GameEntry<'a>,
        /// Its seed, as text: a number in JSON keeps 53 bits only; `null` where it is drawn from a secret.
        seed: Option<String>,
    },
    /// A game has ended, and its result is in the store.
    GameEnded(Box<GameResult<'a>>),
    /// A game has ended without a result, because the host failed.
    GameVoid(Box<GameResult<'a>>),
    /// The end of a run.
    TournamentEnded {
        /// Whether it was interrupted.
        interrupted: bool,
        /// Games with a result, those of earlier runs included.
        games: u64,
        /// Games that are known and have none.
        missing: u64,
        /// The standings, as their file has them.
        standings: Value,
    },
    /// The end of rejudging; nothing is applied yet.
    RejudgingEnded {
        /// The number of the generation that the new results belong to.
        generation: u32,
        /// Games of it that have no result.
        missing: u64,
        /// Whether it was interrupted.
        interrupted: bool,
        /// The games with another result.
        changed: Vec<ChangedEntry<'a>>,
        /// The standings as they are.
        before: Value,
        /// The standings as they would be.
        after: Value,
    },
}

/// A tournament as it is played.
#[derive(Debug, Serialize)]
pub struct TournamentEntry<'a> {
    /// The version of `botyard`.
    version: &'static str,
    /// Its name.
    name: &'a str,
    /// The name of the game.
    game: &'a str,
    /// The resolved rules.
    rules: Value,
    /// The names of the seats, in seat order.
    seats: &'a [String],
    /// The bots that play.
    bots: &'a [Entrant],
    /// The bots that were not let in.
    rejected: &'a [Rejected],
    /// The format: `round-robin`, `gauntlet`, `swiss`, `knockout`.
    format: &'a str,
    /// How many games there are, as far as they are known.
    games: u64,
    /// How many of them have a result already.
    played_before: u64,
    /// The seed, as text; `null` where games are drawn from a secret.
    seed: Option<String>,
    /// The hash of that secret.
    secret_sha256: Option<&'a str>,
    /// Under which conditions they are played.
    #[serde(flatten)]
    conditions: ConditionsEntry<'a>,
    /// Where everything is kept.
    directory: &'a Path,
}

/// Which game it is, and who sits where.
#[derive(Debug, Serialize)]
pub struct GameEntry<'a> {
    game_id: &'a str,
    /// 0, or the number of the rejudging that it belongs to.
    generation: u32,
    block: u32,
    rotation: u32,
    /// For each seat, by name, the bot's name.
    seats: BTreeMap<&'a str, &'a str>,
}

/// How a game went.
#[derive(Debug, Serialize)]
pub struct GameResult<'a> {
    /// Which.
    #[serde(flatten)]
    game: GameEntry<'a>,
    /// How it ended.
    outcome: &'a EndOutcome,
    /// The faults of its bots.
    faults: &'a [Fault],
    /// How many decisions there were.
    plies: u32,
    /// For each seat, by name, what its bot used.
    times: BTreeMap<&'a str, &'a SeatUse>,
    /// From its bots being started, or found running, to the verdict, in microseconds.
    elapsed_us: u64,
    /// Its replay, where one was saved.
    replay: Option<&'a str>,
    /// Why it is void, where the host is to blame.
    host: Option<&'a VoidEvidence>,
    /// Which attempt at this game it was, from 1.
    attempt: u32,
    /// How often a bot's start was repeated because the host had stalled it.
    start_repeats: u32,
    /// Whether it is repeated.
    played_again: bool,
}

/// A game with another result after rejudging.
#[derive(Debug, Serialize)]
pub struct ChangedEntry<'a> {
    before: ChangedSide<'a>,
    after: ChangedSide<'a>,
}

/// A game and its points, by seat; `null` where it was void.
#[derive(Debug, Serialize)]
pub struct ChangedSide<'a> {
    game_id: &'a str,
    points: Option<&'a [f64]>,
}

impl<'a> TournamentEvent<'a> {
    /// The event before the first game of a run. A secret is not told yet, only its hash. `games`: the number
    /// of games, and how many of them have a result already.
    pub fn tournament_started(
        plan: &'a Plan,
        definition: &'a Definition,
        format: &'a str,
        (games, played_before): (u64, u64),
        directory: &'a Path,
    ) -> TournamentEvent<'a> {
        TournamentEvent::TournamentStarted(Box::new(TournamentEntry {
            version: env!("CARGO_PKG_VERSION"),
            name: &definition.name,
            game: &definition.game,
            rules: (plan.tables)().rules(),
            seats: &plan.seats,
            bots: &definition.entrants,
            rejected: &definition.rejected,
            format,
            games,
            played_before,
            seed: number_as_text(definition.draws.seed),
            secret_sha256: definition.commitment.as_deref(),
            conditions: ConditionsEntry::of(plan),
            directory,
        }))
    }

    /// The event for a bot that was not let in.
    pub fn bot_rejected(rejected: &'a Rejected) -> TournamentEvent<'a> {
        TournamentEvent::BotRejected { bot: &rejected.entrant, reason: &rejected.reason }
    }

    /// The event when a game begins.
    pub fn game_started(
        plan: &'a Plan,
        game: &'a ScheduledGame,
        key: GameKey,
    ) -> TournamentEvent<'a> {
        TournamentEvent::GameStarted {
            game: game_entry(plan, game, key),
            seed: number_as_text(game.seed),
        }
    }

    /// The event when a game has ended and is in the store.
    pub fn game_ended(plan: &'a Plan, kept: &'a KeptGame) -> TournamentEvent<'a> {
        let KeptGame { played, stored, again } = kept;
        let report = &played.report;
        let seats = plan.seats.iter().map(String::as_str);
        let result = Box::new(GameResult {
            game: game_entry(plan, &played.game, stored.key),
            outcome: &report.outcome,
            faults: &report.faults,
            plies: report.turns,
            times: seats.zip(&stored.game.uses).collect(),
            elapsed_us: micros(played.elapsed),
            replay: stored.game.replay.as_deref(),
            host: report.host.as_ref(),
            attempt: stored.attempts,
            start_repeats: report.start_repeats(),
            played_again: *again,
        });
        match stored.is_scored() {
            true => TournamentEvent::GameEnded(result),
            false => TournamentEvent::GameVoid(result),
        }
    }

    /// The event at the end of a run.
    pub fn tournament_ended(ended: &Ended, results: &Results) -> TournamentEvent<'a> {
        TournamentEvent::TournamentEnded {
            interrupted: ended.is_interrupted(),
            games: ended.scored,
            missing: ended.missing,
            standings: results.to_json(),
        }
    }

    /// The event after games were played again, as a generation.
    pub fn rejudging_ended(
        generation: u32,
        ended: &Ended,
        difference: &'a Difference,
    ) -> TournamentEvent<'a> {
        TournamentEvent::RejudgingEnded {
            generation,
            missing: ended.missing,
            interrupted: ended.is_interrupted(),
            changed: difference.changed.iter().map(changed).collect(),
            before: difference.before.to_json(),
            after: difference.after.to_json(),
        }
    }
}

/// A seed that is a number, as text; `None` where games are drawn from a secret.
fn number_as_text(seed: Seed) -> Option<String> {
    match seed {
        Seed::Number(number) => Some(number.to_string()),
        Seed::Key(_) => None,
    }
}

fn game_entry<'a>(plan: &'a Plan, game: &'a ScheduledGame, key: GameKey) -> GameEntry<'a> {
    let holders = game.seats.iter().map(|&bot| plan.bots[bot].name.as_str());
    GameEntry {
        game_id: &game.id,
        generation: key.generation,
        block: key.block,
        rotation: key.rotation,
        seats: plan.seats.iter().map(String::as_str).zip(holders).collect(),
    }
}

fn changed(game: &ChangedGame) -> ChangedEntry<'_> {
    let [before, after] = [0, 1]
        .map(|side| ChangedSide { game_id: &game.ids[side], points: game.points[side].as_deref() });
    ChangedEntry { before, after }
}
