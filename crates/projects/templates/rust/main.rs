//! Plays by random playouts: it tries every action, plays games at random from there, and takes the
//! action after which it has the most points on average. It plays every game; hidden parts of the
//! state are drawn at random.

use botyard_agent::{Agent, AgentRng, AnyGame, Bot, Choice, Decision, Options, TurnError, program};
use botyard_engine::random::choose;
use botyard_engine::{Game, Turn};
use std::process::ExitCode;

/// A playout ends after this number of decisions, without points.
const LONGEST: u32 = 400;

/// The largest number of playouts for one decision.
const PLAYOUTS: usize = 2000;

struct Playouts;

impl AnyGame for Playouts {
    fn agent<G: Game>(_: &Options) -> Box<dyn Agent<G>> {
        Box::new(Player)
    }
}

struct Player;

impl<G: Game> Agent<G> for Player {
    fn choose(
        &mut self,
        game: &G,
        turn: &Decision<'_, G>,
        rng: &mut AgentRng,
    ) -> Result<Choice<G::Action>, TurnError> {
        let legal = turn.legal()?;
        let mut sums = vec![0.0; legal.len()];
        let mut counts = vec![0_u32; legal.len()];
        // A fifth of the time leaves enough for a busy host.
        let time = turn.budget().share(1).map(|time| time / 5);
        for playout in 0..PLAYOUTS {
            if time.is_some_and(|time| turn.budget().elapsed() >= time) {
                break;
            }
            let index = playout % legal.len();
            let mut state = turn.possible_state(rng)?;
            game.apply(&mut state, legal[index]);
            sums[index] += play_out(game, state, turn.seat().index(), rng);
            counts[index] += 1;
        }
        let mean = |index: usize| sums[index] / f64::from(counts[index].max(1));
        let best = (0..legal.len()).max_by(|&one, &other| mean(one).total_cmp(&mean(other)));
        Ok(legal[best.unwrap_or(0)].into())
    }
}

/// Plays a game at random to its end. Returns the points of a seat.
fn play_out<G: Game>(game: &G, mut state: G::State, seat: usize, rng: &mut AgentRng) -> f64 {
    let mut actions = Vec::new();
    for _ in 0..LONGEST {
        match game.turn(&state) {
            Turn::Over => break,
            Turn::Chance => {
                let chance = game.draw(&state, rng);
                game.apply_chance(&mut state, &chance);
            }
            Turn::Seat(_) => {
                game.actions(&state, &mut actions);
                let Some(&action) = choose(rng, &actions) else { break };
                game.apply(&mut state, action);
            }
        }
    }
    game.outcome(&state).map_or(0.0, |outcome| outcome.scores[seat])
}

fn main() -> ExitCode {
    program::main(&Bot::new("{{name}}", "plays by random playouts").plays_every_game::<Playouts>())
}
