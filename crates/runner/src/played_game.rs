//! The conversion of a game from the referee's report to the form of `botyard-league`.

use crate::Plan;
use botyard_league::replay_names::replay_name;
use botyard_league::{PlayedGame, SeatUse, Verdict};
use botyard_protocol::OutcomeKind;
use botyard_replay::is_compressed_path;

/// Returns what statistics read of a game.
pub fn played_game(plan: &Plan, played: &crate::PlayedGame) -> PlayedGame {
    let report = &played.report;
    let verdict = match report.outcome.kind {
        OutcomeKind::Void => Verdict::Void,
        OutcomeKind::Completed | OutcomeKind::BotFault => Verdict::Scored {
            points: report.outcome.scores.clone(),
            places: report.outcome.ranks.iter().map(|&rank| rank.into()).collect(),
        },
    };
    // The replay of a void game does not have the decision at which it was void.
    let is_void = matches!(verdict, Verdict::Void);
    let excused = |us: u64| if is_void { 0 } else { us };
    let seat_of = |name: &String| plan.seats.iter().position(|seat| seat == name);
    let void_at = match verdict {
        Verdict::Void => report.host.as_ref().and_then(|host| seat_of(host.seat.as_ref()?)),
        Verdict::Scored { .. } => None,
    };
    PlayedGame {
        void_at,
        block: played.game.block,
        seats: played.game.seats.clone(),
        verdict,
        turns: report.turns,
        uses: report
            .seats
            .iter()
            .map(|seat| SeatUse {
                decisions: seat.decisions,
                wall_us: seat.wall_us,
                longest_us: seat.longest_us,
                cpu_us: seat.cpu_us,
                excused_us: excused(seat.excused_us),
                longest_excused_us: excused(seat.longest_excused_us),
            })
            .collect(),
        faults: report
            .faults
            .iter()
            .filter_map(|fault| Some((seat_of(&fault.seat)?, fault.kind)))
            .collect(),
        replay: played.replay.as_ref().map(|path| {
            let plain = replay_name(&played.game.id, played.game.attempt);
            let ending = if is_compressed_path(path) { ".gz" } else { "" };
            plain + ending
        }),
    }
}
