//! The conditions of a tournament's games as its file states them, as the configurations that games are
//! played by. What the file leaves out has the default.

use botyard_league::tournament_file::{BotEntry, TournamentFile};
use botyard_protocol::{BotTime, ClockKind, Limits, OnFault};
use botyard_referee::Backend;
use botyard_runner::words::clocks_in_words;
use botyard_runner::{
    AdjudicationConfig, BetweenTurns, ContainmentConfig, EgdbSource, GameLimits, OwnTime,
    OwnTimeKind, RunConfig, Sandbox, TimeConfig,
};
use std::collections::BTreeMap;
use std::path::Path;

/// Returns the clock of the file, and its handling of faults.
pub(super) fn time(file: &TournamentFile) -> TimeConfig {
    let time = &file.time;
    TimeConfig {
        clock: if time.clock.as_deref() == Some("cpu") { ClockKind::Cpu } else { ClockKind::Wall },
        move_ms: time.move_ms,
        bank_ms: time.bank_ms,
        increment_ms: time.increment_ms,
        grace_ms: time.grace_ms.unwrap_or(0),
        on_fault: match time.on_fault.as_deref() {
            Some("retry") => OnFault::Retry,
            Some("substitute") => OnFault::Substitute,
            _ => OnFault::Forfeit,
        },
    }
}

/// Returns the times of single bots in the file.
pub(super) fn own_times(file: &TournamentFile) -> Vec<OwnTime> {
    let of_bot = |entry: &BotEntry| {
        let (bot, time) = (entry.called().to_string(), entry.time);
        let times = [
            (OwnTimeKind::Move, time.move_ms),
            (OwnTimeKind::Bank, time.bank_ms),
            (OwnTimeKind::Increment, time.increment_ms),
        ];
        let given = times.into_iter().filter_map(|(kind, ms)| Some((kind, ms?)));
        given.map(move |(kind, ms)| OwnTime { bot: bot.clone(), kind, ms })
    };
    file.bots.iter().flat_map(of_bot).collect()
}

/// Returns the times of the bots that do not have those of all, by their names.
pub(super) fn times_of_bots(file: &TournamentFile) -> BTreeMap<String, BotTime> {
    let (time, own) = (time(file), own_times(file));
    let names = file.bots.iter().map(|bot| bot.called());
    names.filter_map(|name| Some((name.to_string(), time.of_bot(name, &own)?))).collect()
}

/// Describes the clocks of a file's bots.
pub(super) fn clocks_of(file: &TournamentFile) -> String {
    let own = times_of_bots(file);
    let bots = file.bots.iter().map(|bot| (bot.called(), own.get(bot.called()).copied()));
    clocks_in_words(&time(file).control(), bots)
}

/// Returns the file's rules of adjudication.
pub(super) fn adjudication(file: &TournamentFile) -> AdjudicationConfig {
    let rules = &file.adjudication;
    let egdb = rules.egdb.then_some(EgdbSource::Found);
    AdjudicationConfig { draw: rules.draw, resign: rules.resign, egdb }
}

/// Returns the limits of a bot in the file.
pub(super) fn limits(file: &TournamentFile) -> Limits {
    let (time, default) = (&file.time, Limits::default());
    Limits {
        start_ms: time.start_ms.unwrap_or(default.start_ms),
        setup_ms: time.setup_ms.unwrap_or(default.setup_ms),
        ..default
    }
}

/// Returns the file's conditions of the games.
pub(super) fn running(file: &TournamentFile) -> RunConfig {
    let (time, run) = (&file.time, &file.run);
    RunConfig {
        concurrency: run.concurrency,
        oversubscribe: run.oversubscribe,
        pin: run.pin,
        restart: run.restart,
        legal: run.legal,
        between_turns: match (time.freeze, time.ponder) {
            (true, _) => BetweenTurns::Stop,
            (false, true) => BetweenTurns::Ponder,
            (false, false) => BetweenTurns::Usual,
        },
        compress: run.compress,
    }
}

/// Returns the file's containment of bots.
pub fn containment(file: &TournamentFile, base: &Path) -> ContainmentConfig {
    let (sandbox, default) = (&file.sandbox, ContainmentConfig::default());
    ContainmentConfig {
        backend: match file.run.backend.as_deref() {
            Some("native") => Backend::Native,
            Some("portable") => Backend::Portable,
            _ => default.backend,
        },
        sandbox: match sandbox.mode.as_deref() {
            Some("strict") => Sandbox::Strict,
            Some("none") => Sandbox::None,
            _ => Sandbox::Auto,
        },
        memory_mib: sandbox.memory_mib.unwrap_or(default.memory_mib),
        processes: sandbox.processes.unwrap_or(default.processes),
        files: sandbox.files.unwrap_or(default.files),
        scratch_mib: sandbox.scratch_mib.unwrap_or(default.scratch_mib),
        command: sandbox.command.clone(),
        end: sandbox.end.clone(),
        read: sandbox.read.iter().map(|path| base.join(path)).collect(),
        game: GameLimits {
            memory_mib: sandbox.game_memory_mib,
            processes: sandbox.game_processes,
            answer_ms: sandbox.game_answer_ms,
        },
        for_others: true,
    }
}
