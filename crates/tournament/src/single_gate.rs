//! The gate of a single bot as blocks that workers on other hosts can play, and the verdict that follows from their
//! results. The games are those that this host would play.

use crate::gate::judge;
use crate::setup::Setup;
use botyard_league::Verdict;
use botyard_league::scale::{Part, Scale};
use botyard_league::schedule::{Block, BlockPoints, TournamentSchedule};
use botyard_league::score::Score;
use botyard_league::store::StoredGame;
use botyard_league::tournament_file::Gate;
use botyard_runner::Error;

/// The candidate among the bots of a gate.
const CANDIDATE: usize = 0;

/// The gate of a single bot.
#[derive(Debug)]
pub struct SingleGate {
    setup: Setup,
    schedule: TournamentSchedule,
    /// The least share of the points.
    needed: f64,
}

/// What the results of a gate say so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GateResult {
    /// Games are missing.
    Unfinished,
    /// The bot is at fault in a game.
    Failed,
    /// All games were played: why the score is too low, if it is.
    Scored(Option<String>),
}

impl SingleGate {
    /// Makes the gate of the one bot of a setup.
    pub(crate) fn of(single: &Setup, gate: &Gate) -> Result<SingleGate, Error> {
        let schedule = single
            .gate_schedule(gate, 1)
            .map_err(|error| Error::usage(format!("[gate]: {error}")))?;
        let setup = Setup { draws: single.draws.part("gate"), ..single.clone() };
        Ok(SingleGate { setup, schedule, needed: gate.score })
    }

    /// Returns the conditions of its games, with the bots in the order of the line-ups: the candidate, and those of the
    /// gate.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Returns its blocks.
    pub fn blocks(&self) -> Vec<Block> {
        self.schedule.known_blocks(&BlockPoints::new()).collect()
    }

    /// Returns the number of its games.
    pub fn games(&self) -> u64 {
        self.schedule.games()
    }

    /// Returns what these results say.
    pub fn result(&self, games: &[StoredGame]) -> GateResult {
        let mut score = Score::default();
        let mut scored = 0;
        for stored in games {
            let Verdict::Scored { points, places } = &stored.game.verdict else { continue };
            let Some(seat) = stored.game.seats.iter().position(|&bot| bot == CANDIDATE) else {
                continue;
            };
            if stored.game.faults.iter().any(|&(its, _)| its == seat) {
                return GateResult::Failed;
            }
            let part = Scale::new(self.setup.scores).part(points, places, seat);
            score.add_part(part.unwrap_or_else(|| Part::of_share(0.0)), 1);
            scored += 1;
        }
        match scored == self.games() {
            true => GateResult::Scored(judge(&score, self.needed)),
            false => GateResult::Unfinished,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_league::PlayedGame;
    use botyard_league::schedule::{Draws, GameKey};
    use botyard_protocol::FaultKind;
    use botyard_runner::{BuiltIn, Programs};
    use botyard_sandbox::Launcher;

    /// Returns the gate of a bot named `it`, which is to win half of its points in two blocks.
    fn gate() -> SingleGate {
        let built_in = |name: &str| BuiltIn {
            name: name.into(),
            games: vec!["connect-four".into()],
            has_program: true,
            ..BuiltIn::default()
        };
        let programs = Programs {
            built_ins: ["random", "greedy"].map(built_in).to_vec(),
            ..Programs::new(Launcher::this_program(&[]))
        };
        let text = "game = \"connect-four\"\n[gate]\nagainst = [\"greedy\"]\nblocks = 2\nscore = 0.5\n\
                    [[bot]]\nname = \"it\"\ncommand = \"random\"\n\
                    [[bot]]\nname = \"other\"\ncommand = \"random\"\n";
        let draws = Some(Draws::secret([7; 32], 9));
        let setup = Setup::new("cup.toml", "cup", text.into(), "/".into(), draws, &programs);
        let setup = setup.expect("a file").only(&[0]);
        let gate = setup.file.gate.clone().expect("it has one");
        SingleGate::of(&setup, &gate).expect("a gate")
    }

    /// Returns the games of a gate with these points of the candidate.
    fn games(gate: &SingleGate, points: &[f64]) -> Vec<StoredGame> {
        let due =
            gate.blocks().into_iter().flat_map(|block| (0..2).map(move |it| (block.clone(), it)));
        due.zip(points)
            .map(|((block, rotation), &own)| {
                let key = GameKey { generation: 0, block: block.number, rotation };
                let game = gate.schedule.game(&block, rotation, 0);
                let of_bot = |bot: &usize| if *bot == CANDIDATE { own } else { 1.0 - own };
                let points: Vec<f64> = game.seats.iter().map(of_bot).collect();
                let places = points.iter().map(|&its| if its > 0.5 { 1 } else { 2 }).collect();
                let game = PlayedGame {
                    block: block.number,
                    seats: game.seats,
                    verdict: Verdict::Scored { points, places },
                    void_at: None,
                    turns: 9,
                    uses: Vec::new(),
                    faults: Vec::new(),
                    replay: None,
                };
                StoredGame { key, id: gate.schedule.hash(key), attempts: 1, game }
            })
            .collect()
    }

    #[test]
    fn a_gate_is_passed_by_points_and_failed_by_the_first_fault() {
        let gate = gate();
        assert_eq!(gate.games(), 4);
        let of_points = |points: &[f64]| gate.result(&games(&gate, points));
        assert_eq!(of_points(&[1.0, 0.0, 1.0]), GateResult::Unfinished);
        assert_eq!(of_points(&[1.0, 0.0, 1.0, 0.0]), GateResult::Scored(None));
        let low = of_points(&[1.0, 0.0, 0.0, 0.0]);
        let GateResult::Scored(Some(reason)) = &low else { panic!("{low:?}") };
        assert!(reason.contains("it scored 25.0% in 4 games"), "{reason}");
        let mut failed = games(&gate, &[1.0, 1.0]);
        let seat = failed[1].game.seats.iter().position(|&bot| bot == CANDIDATE).expect("it plays");
        failed[1].game.faults = vec![(1 - seat, FaultKind::Crash)];
        assert_eq!(gate.result(&failed), GateResult::Unfinished, "the other bot is at fault");
        failed[1].game.faults.push((seat, FaultKind::Timeout));
        assert_eq!(gate.result(&failed), GateResult::Failed);
    }
}
