//! Plays English draughts by a search of two plies: its own moves and every answer, and captures beyond
//! them.

use botyard_agent::{Agent, AgentRng, Bot, Choice, Decision, Info, OptionSpec, TurnError, program};
use botyard_engine::draughts::{Colour, Draughts, Move, Movement, Position};
use botyard_engine::random::shuffle;
use std::process::ExitCode;

/// The value of a game that is won.
const WON: i32 = 10_000;

struct TwoPly {
    /// The number of plies to search.
    depth: u32,
}

impl Agent<Draughts> for TwoPly {
    fn choose(
        &mut self,
        game: &Draughts,
        turn: &Decision<'_, Draughts>,
        rng: &mut AgentRng,
    ) -> Result<Choice<Move>, TurnError> {
        let position = turn.view()?.position();
        let position = position.map_err(|illegal| turn.no_choice(illegal.to_string()))?;
        let mut moves = turn.legal()?.to_vec();
        // Equal moves are played in random order.
        shuffle(rng, &mut moves);
        let (mut best, mut most) = (moves[0], -WON - 1);
        for &action in &moves {
            let value = -search(&position.make(action), game.movement(), self.depth - 1, -WON, WON);
            if value > most {
                (best, most) = (action, value);
            }
        }
        let score = Some(f64::from(most) / 100.0);
        Ok(Choice::with_info(best, Info { score, depth: Some(self.depth), ..Info::default() }))
    }
}

/// Returns the value of a position for the side to move, by alpha-beta.
fn search(position: &Position, movement: Movement, depth: u32, mut alpha: i32, beta: i32) -> i32 {
    if depth == 0 && !position.can_capture() {
        return evaluate(position);
    }
    let moves = position.moves(movement);
    if moves.is_empty() {
        return -WON;
    }
    // A position in the middle of an exchange is not judged: captures are searched to their end.
    for mv in moves.into_iter().filter(|mv| depth > 0 || !mv.captured().is_empty()) {
        let after = position.make(mv);
        alpha = alpha.max(-search(&after, movement, depth.saturating_sub(1), -beta, -alpha));
        if alpha >= beta {
            break;
        }
    }
    alpha
}

/// Returns the material and how far men have come, for the side to move.
fn evaluate(position: &Position) -> i32 {
    let board = position.board();
    let value = |colour: Colour| {
        let advance = |row: u8| match colour {
            Colour::Black => i32::from(row),
            Colour::White => 7 - i32::from(row),
        };
        let men = board.men(colour).into_iter().map(|square| 100 + advance(square.row()));
        men.sum::<i32>() + 160 * i32::try_from(board.kings(colour).len()).unwrap_or(0)
    };
    value(position.turn()) - value(position.turn().other())
}

fn main() -> ExitCode {
    let depth = OptionSpec::Int { min: 1, max: 12, default: 2, about: "plies to search".into() };
    let bot = Bot::new("two-ply", "looks two plies ahead").with_option("depth", depth);
    program::main(&bot.plays::<Draughts>(|options| {
        Box::new(TwoPly { depth: u32::try_from(options.int("depth")).unwrap_or(2) })
    }))
}
