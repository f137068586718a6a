//! The conditions of a tournament's games as its file states them, as the configurations that games are
//! played by. What the file leaves out has the default.

use botyard_league::tournament_file::TournamentFile;
use botyard_protocol::{ClockKind, Limits, OnFault};
use botyard_referee::Backend;
use botyard_runner::{
    AdjudicationConfig, BetweenTurns, ContainmentConfig, EgdbSource, RunConfig, Sandbox, TimeConfig,
};
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
        for_others: true,
    }
}
