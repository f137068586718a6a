//! Plays both sides of Scotland Yard by one look ahead.
//!
//! Detectives step where the stations at which Mr. X can be are nearest on average. Mr. X steps where the
//! detectives are far away and where they will know little about his station.

use botyard_agent::{Agent, AgentRng, Bot, Choice, Decision, Info, TurnError, program};
use botyard_engine::Seat;
use botyard_engine::random::choose;
use botyard_engine::scotland_yard::{
    Action, Candidates, Kinds, ScotlandYard, Station, Ticket, View,
};
use std::process::ExitCode;

/// The distance of what cannot be reached.
const FAR: u16 = 20;

struct Detective;

impl Agent<ScotlandYard> for Detective {
    fn new_game(&mut self, game: &ScotlandYard, _you: &[Seat]) {
        // Computes all distances before the clock runs.
        game.distances().prepare();
    }

    fn choose(
        &mut self,
        game: &ScotlandYard,
        turn: &Decision<'_, ScotlandYard>,
        rng: &mut AgentRng,
    ) -> Result<Choice<Action>, TurnError> {
        let view = turn.view()?;
        let candidates = game.candidates_in(view);
        let mut best = Vec::new();
        let mut most = f64::NEG_INFINITY;
        for &action in turn.legal()? {
            let score = match action {
                Action::MrX { .. } => flight(game, view, &candidates, action),
                Action::Detective { .. } => chase(game, view, &candidates, action),
            };
            if score > most {
                most = score;
                best.clear();
            }
            if score == most {
                best.push(action);
            }
        }
        let &action = choose(rng, &best).ok_or_else(|| turn.no_choice("nothing is legal"))?;
        let text = Some(format!("{} stations left", candidates.set().len()));
        Ok(Choice::with_info(action, Info { score: Some(most), text, ..Info::default() }))
    }
}

/// Returns how much nearer a detective comes to where Mr. X can be; to step there counts most.
fn chase(game: &ScotlandYard, view: &View, candidates: &Candidates, action: Action) -> f64 {
    let Action::Detective { detective, to, .. } = action else { return 0.0 };
    let Some(from) = view.detectives[detective.index()].station else { return 0.0 };
    let nearer = candidates.set().iter().map(|goal| {
        let [before, after] = [from, to].map(|station| f64::from(away(game, station, goal)));
        before - after
    });
    let mean = nearer.sum::<f64>() / candidates.set().len().max(1) as f64;
    if candidates.set().contains(to) { 2.0 + mean } else { mean }
}

/// Returns how safe a step is for Mr. X: how far the nearest detectives are, and how many stations they
/// must search. Black and double tickets are kept for when he needs them.
fn flight(game: &ScotlandYard, view: &View, candidates: &Candidates, action: Action) -> f64 {
    let Action::MrX { ticket, to, double } = action else { return 0.0 };
    let pawns = view.pawns();
    let distances: Vec<u16> = pawns.stations().map(|from| away(game, from, to)).collect();
    let nearest = distances.iter().copied().min().unwrap_or(FAR);
    let mean = f64::from(distances.iter().sum::<u16>()) / distances.len().max(1) as f64;
    let mut after = candidates.clone();
    after.mr_x_moved(game.board(), ticket, &pawns);
    let number = view.log.len() + 1;
    if game.arena().reveals(u16::try_from(number).unwrap_or(u16::MAX)) {
        after.seen_at(to);
    }
    let hidden = after.set().len().min(30) as f64;
    let ways_on = game.board().neighbours(to).len() as f64;
    let mut score = f64::from(nearest.min(4)) + 0.2 * mean + 0.05 * hidden + 0.03 * ways_on;
    if nearest <= 1 {
        score -= 5.0;
    }
    if ticket == Ticket::Black && number <= 2 {
        score -= 1.0;
    }
    if double { score - 1.5 } else { score }
}

/// Returns the number of moves between two stations for a detective with tickets of all kinds.
fn away(game: &ScotlandYard, from: Station, to: Station) -> u16 {
    game.distances().with_kinds(Kinds::FARES, from, to).unwrap_or(FAR)
}

fn main() -> ExitCode {
    let bot = Bot::new("detective", "chases candidates, and hides");
    program::main(&bot.plays::<ScotlandYard>(|_| Box::new(Detective)))
}
