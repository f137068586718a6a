//! Tree search with random playouts in a game whose rules are a program, of which the bot runs a copy
//! as its model.

use crate::mcts_info::info;
use crate::mcts_limits::MctsLimits;
use crate::program_simulation::{Observed, ProgramSimulation};
use crate::rules_program::RulesProgram;
use botyard_agent::{AgentRng, Choice, JsonAgent, JsonDecision, Reading, TimeBudget, TurnError};
use botyard_protocol::{Clock, ClockKind, Start};
use botyard_search::mcts::{Settings, TreeSearcher};
use serde_json::Value;
use serde_json::value::RawValue;

/// The number of decisions that a game is expected to have left, for dividing a bank.
const DECISIONS_TO_COME: u32 = 20;

/// The memory of a position that the search keeps, about, in bytes.
const POSITION: usize = 4096;

/// Plays by tree search with a copy of the game's program.
pub(crate) struct ModelAgent {
    search: TreeSearcher<Observed>,
    limits: MctsLimits,
    game: Option<Game>,
}

/// The game in progress.
struct Game {
    program: RulesProgram,
    /// The set-ups of the bot's seats.
    setups: Vec<(String, Box<RawValue>)>,
}

impl ModelAgent {
    /// Makes an agent with these settings and limits. It has one thread, as it has one program.
    pub(crate) fn new(settings: Settings, limits: MctsLimits) -> ModelAgent {
        let settings = Settings { threads: 1, ..settings };
        ModelAgent { search: TreeSearcher::new(settings), limits, game: None }
    }

    /// Returns the number of positions that fit into this many MiB.
    pub(crate) const fn positions_in(mebibytes: usize) -> usize {
        mebibytes * (1 << 20) / POSITION
    }
}

impl JsonAgent for ModelAgent {
    fn new_game(&mut self, start: &Start<&RawValue>) -> Result<(), String> {
        let rules = start.rules.to_string();
        let rules: &RawValue = serde_json::from_str(&rules).map_err(|error| error.to_string())?;
        let program = RulesProgram::start(rules, &start.seats)?;
        let setup = |seat: &String| {
            let own = start.setups.get(seat).copied().unwrap_or(start.setup);
            (seat.clone(), own.to_owned())
        };
        self.game = Some(Game { program, setups: start.you.iter().map(setup).collect() });
        Ok(())
    }

    fn choose(
        &mut self,
        turn: &JsonDecision<'_>,
        rng: &mut AgentRng,
    ) -> Result<Choice<Box<RawValue>>, TurnError> {
        let Some(Game { program, setups }) = &mut self.game else {
            return Err(turn.no_choice("the game's program does not run"));
        };
        let seat = program.seats.iter().position(|seat| seat == turn.seat());
        let setup = setups.iter().find(|(seat, _)| seat == turn.seat());
        let (Some(seat), Some((_, setup))) = (seat, setup) else {
            return Err(turn.no_choice("this seat is not the bot's"));
        };
        // The clock may count CPU time, of which the program takes a share that this process cannot read.
        // Together they take less CPU time than time passes, as only one of them computes.
        let clock = Clock { kind: ClockKind::Wall, ..*turn.budget().clock() };
        let budget = TimeBudget::new(clock, Reading::now());
        let known = (&**setup, turn.view());
        let limits = self.limits.of(&budget, DECISIONS_TO_COME);
        let simulation = ProgramSimulation::new(program, seat, known, &limits, rng)
            .map_err(|reason| turn.no_choice(reason))?;
        let report = self.search.search(&simulation, &limits, rng);
        self.limits.searched(report.stall);
        if let Some(fault) = simulation.fault() {
            return Err(turn.no_choice(fault.to_string()));
        }
        let best = report.best.ok_or_else(|| turn.no_choice("the search tried no action"))?;
        let action = RawValue::from_string(simulation.json(best).to_string())
            .map_err(|error| turn.no_choice(error.to_string()))?;
        let json =
            |action: &_| serde_json::from_str(&simulation.json(*action)).unwrap_or(Value::Null);
        Ok(Choice::with_info(action, info(&report, json)))
    }
}
