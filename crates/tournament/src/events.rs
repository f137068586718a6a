//! The events of a tournament, as JSON lines for programs (`--json`): `tournament_started`;
//! `bot_rejected`, `game_started`, `game_ended`, `game_void` and `concurrency_changed` in the order
//! in which they happen;
//! `tournament_ended`; `rejudging_ended` after a rejudge. Later versions may add fields; none
//! changes its meaning.

use crate::observer::RunStart;
use crate::rejudge::{ChangedGame, Difference};
use crate::results::Results;
use crate::tournament_games::{Ended, KeptGame};
use botyard_engine::Seed;
use botyard_league::schedule::{GameKey, ScheduledGame};
use botyard_league::store::Rejected;
use botyard_league::{Entrant, SeatUse};
use botyard_protocol::{EndOutcome, Fault};
use botyard_replay::VoidEvidence;
use botyard_runner::events::{ConditionsEntry, micros};
use botyard_runner::{ConcurrencyChange, Plan};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// An event of a tournament.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum TournamentEvent<'a> {
    /// The secret was drawn. Precedes the games of the gate, which are drawn from the same secret
    /// as all others.
    SecretDrawn {
        /// The SHA-256 of the secret.
        secret_sha256: &'a str,
    },
    /// Before the first game of a run.
    TournamentStarted(Box<TournamentEntry<'a>>),
    /// A bot was rejected.
    BotRejected {
        /// The bot.
        bot: &'a Entrant,
        /// The reason, in sentences for its author.
        reason: &'a str,
    },
    /// A game begins.
    GameStarted {
        /// The game.
        #[serde(flatten)]
        game: GameEntry<'a>,
        /// Its seed, as text because a number in JSON keeps 53 bits only. `null` if it is drawn
        /// from a secret.
        seed: Option<String>,
    },
    /// A game has ended, and its result is in the store.
    GameEnded(Box<GameResult<'a>>),
    /// A game has ended without a result, because the host failed.
    GameVoid(Box<GameResult<'a>>),
    /// Another number of games is played at once, because bots wait for cores or do not any more.
    ConcurrencyChanged(ConcurrencyChange),
    /// The end of a run.
    TournamentEnded {
        /// Whether it was interrupted.
        interrupted: bool,
        /// Games with a result, including those of earlier runs.
        games: u64,
        /// Known games without a result.
        missing: u64,
        /// The standings, as in their file.
        standings: Value,
    },
    /// The end of a rejudge. Nothing is applied yet.
    RejudgingEnded {
        /// The generation that the new results belong to.
        generation: u32,
        /// Games of the generation without a result.
        missing: u64,
        /// Whether it was interrupted.
        interrupted: bool,
        /// The games whose results have changed.
        changed: Vec<ChangedEntry<'a>>,
        /// The current standings.
        before: Value,
        /// The standings with the generation applied.
        after: Value,
    },
}

/// The tournament and its conditions.
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
    /// The admitted bots.
    bots: &'a [Entrant],
    /// The rejected bots.
    rejected: &'a [Rejected],
    /// The format: `round-robin`, `gauntlet`, `swiss`, `knockout`.
    format: &'a str,
    /// The number of games known so far.
    games: u64,
    /// How many of them already have a result.
    played_before: u64,
    /// The seed, as text. `null` if games are drawn from a secret.
    seed: Option<String>,
    /// The SHA-256 of that secret.
    secret_sha256: Option<&'a str>,
    /// The conditions of the games.
    #[serde(flatten)]
    conditions: ConditionsEntry<'a>,
    /// The directory of the tournament.
    directory: &'a Path,
}

/// A game, and the bot in each seat.
#[derive(Debug, Serialize)]
pub struct GameEntry<'a> {
    game_id: &'a str,
    /// The generation: 0, or the number of the rejudge that the game belongs to.
    generation: u32,
    block: u32,
    rotation: u32,
    /// The bot's name for each seat, by seat name.
    seats: BTreeMap<&'a str, &'a str>,
}

/// The result of a game.
#[derive(Debug, Serialize)]
pub struct GameResult<'a> {
    /// The game.
    #[serde(flatten)]
    game: GameEntry<'a>,
    /// The outcome.
    outcome: &'a EndOutcome,
    /// The faults of its bots.
    faults: &'a [Fault],
    /// The number of decisions.
    plies: u32,
    /// The time that each seat's bot used, by seat name.
    times: BTreeMap<&'a str, &'a SeatUse>,
    /// Time from when its bots were started, or found running, to the verdict, in microseconds.
    elapsed_us: u64,
    /// Its replay, if one was saved.
    replay: Option<&'a str>,
    /// The evidence if the game is void.
    host: Option<&'a VoidEvidence>,
    /// The attempt, from 1.
    attempt: u32,
    /// How often the start of a bot was repeated because the host had stalled it.
    start_repeats: u32,
    /// Wall-clock time for which the referee waited for the program that has the rules, in microseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    rules_us: Option<u64>,
    /// Whether the game is repeated.
    played_again: bool,
}

/// A game whose result has changed by a rejudge.
#[derive(Debug, Serialize)]
pub struct ChangedEntry<'a> {
    before: ChangedSide<'a>,
    after: ChangedSide<'a>,
}

/// A game and its points by seat. `null` if it was void.
#[derive(Debug, Serialize)]
pub(crate) struct ChangedSide<'a> {
    game_id: &'a str,
    points: Option<&'a [f64]>,
}

impl<'a> TournamentEvent<'a> {
    /// Returns the event before the first game of a run. It contains the hash of the secret, not
    /// the secret.
    pub fn tournament_started(opening: &'a RunStart<'_>) -> TournamentEvent<'a> {
        let RunStart { plan, definition, .. } = opening;
        TournamentEvent::TournamentStarted(Box::new(TournamentEntry {
            version: env!("CARGO_PKG_VERSION"),
            name: &definition.name,
            game: &definition.game,
            rules: (plan.tables)().rules(),
            seats: &plan.seats,
            bots: &definition.entrants,
            rejected: &definition.rejected,
            format: opening.format,
            games: opening.games,
            played_before: opening.played_before,
            seed: number_as_text(definition.draws.seed),
            secret_sha256: definition.commitment.as_deref(),
            conditions: ConditionsEntry::of(plan),
            directory: &opening.directory,
        }))
    }

    /// Returns the event for a rejected bot.
    pub fn bot_rejected(rejected: &'a Rejected) -> TournamentEvent<'a> {
        TournamentEvent::BotRejected { bot: &rejected.entrant, reason: &rejected.reason }
    }

    /// Returns the event at the start of a game.
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

    /// Returns the event for a game that has ended and is stored.
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
            rules_us: report.rules_us,
            played_again: *again,
        });
        match stored.is_scored() {
            true => TournamentEvent::GameEnded(result),
            false => TournamentEvent::GameVoid(result),
        }
    }

    /// Returns the event at the end of a run.
    pub fn tournament_ended(ended: &Ended, results: &Results) -> TournamentEvent<'a> {
        TournamentEvent::TournamentEnded {
            interrupted: ended.is_interrupted(),
            games: ended.scored,
            missing: ended.missing,
            standings: results.to_json(),
        }
    }

    /// Returns the event after a rejudge.
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

/// Returns a numeric seed as text. `None` if games are drawn from a secret.
fn number_as_text(seed: Seed) -> Option<String> {
    match seed {
        Seed::Number(number) => Some(number.to_string()),
        Seed::Key(_) => None,
    }
}

fn game_entry<'a>(plan: &'a Plan, game: &'a ScheduledGame, key: GameKey) -> GameEntry<'a> {
    let holders = game.seats.iter().map(|&bot| plan.bots[bot].name());
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
