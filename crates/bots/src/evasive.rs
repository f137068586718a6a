//! The bot `evasive`: the Mr. X of Belej (2015), who goes where the detectives are farthest, and
//! sometimes to a random station. As detectives it plays like `greedy`, because the thesis has
//! none.

use crate::greedy::Greedy;
use crate::scotland_yard::{BoardTables, BoardTablesAgent, Evasion, Percent, WithBoardTables};
use botyard_agent::{Agent, AgentRng, Bot, Choice, Decision, Options, TurnError};
use botyard_engine::scotland_yard::{Action, ScotlandYard, Side};
use botyard_protocol::OptionSpec;

/// Plays Mr. X by the rule of [`Evasion`]; as detectives it plays like [`Greedy`].
#[derive(Debug)]
pub struct Evasive {
    evasion: Evasion,
}

/// Returns the bot.
pub fn bot() -> Bot {
    Bot::new("evasive", "Mr. X of Belej (2015): evades, with a few random steps")
        .with_option(
            "random",
            OptionSpec::Int {
                min: 0,
                max: 100,
                default: 10,
                about: "percentage of random steps".into(),
            },
        )
        .plays::<ScotlandYard>(agent)
}

fn agent(options: &Options) -> Box<dyn Agent<ScotlandYard>> {
    let percent = u8::try_from(options.int("random")).expect("its range is within u8");
    Box::new(WithBoardTables::new(Evasive::new(Percent::new(percent))))
}

impl Evasive {
    /// Makes a Mr. X with this share of random steps.
    pub const fn new(random: Percent) -> Evasive {
        Evasive { evasion: Evasion { random, ..Evasion::BELEJ } }
    }
}

impl BoardTablesAgent for Evasive {
    fn choose(
        &mut self,
        game: &ScotlandYard,
        tables: &BoardTables,
        turn: &Decision<'_, ScotlandYard>,
        rng: &mut AgentRng,
    ) -> Result<Choice<Action>, TurnError> {
        if ScotlandYard::side(turn.seat()) == Side::Detectives {
            return Greedy.choose(game, turn, rng);
        }
        let state = turn.possible_state(rng)?;
        self.evasion
            .step(tables, game.arena(), state.position(), rng)
            .map(Choice::from)
            .ok_or_else(|| turn.no_choice("there is no legal action"))
    }
}
