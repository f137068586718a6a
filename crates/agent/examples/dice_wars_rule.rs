//! Plays Dice Wars by one rule: it makes the attack that it most probably wins and whose area it then
//! keeps until its next turn, if that is likely enough.
//!
//! Attacks from its largest region count more, because that region brings the new dice.

use botyard_agent::{Agent, AgentRng, Bot, Choice, Decision, Info, OptionSpec, TurnError, program};
use botyard_engine::Seat;
use botyard_engine::dice_wars::{Action, Area, DiceWars, MAX_DICE, Map, Position, win_probability};
use std::process::ExitCode;

struct Rule {
    /// The least probability to win and hold, with three players or more.
    least: f64,
}

impl Agent<DiceWars> for Rule {
    fn choose(
        &mut self,
        _game: &DiceWars,
        turn: &Decision<'_, DiceWars>,
        rng: &mut AgentRng,
    ) -> Result<Choice<Action>, TurnError> {
        // Nothing is hidden, so this is the state.
        let state = turn.possible_state(rng)?;
        let (map, position, me) = (state.map(), state.position(), turn.seat());
        if let Some(transfer) = to_the_border(map, position, me, turn.legal()?) {
            return Ok(transfer.into());
        }
        let (least, weight) = if position.players() == 2 { (0.2, 3.0) } else { (self.least, 2.0) };
        let region = position.largest_region_of(map, me);
        let (mut best, mut chosen) = (0.0, Action::EndTurn);
        for &action in turn.legal()? {
            let Action::Attack(from, to) = action else { continue };
            let dice = position.dice(from);
            let wins = win_probability(dice, position.dice(to));
            let chance = wins * hold_probability(map, position, to, dice - 1, me);
            if chance < least && dice < MAX_DICE {
                continue;
            }
            let value = if region.contains(from) { chance * weight } else { chance };
            if value >= best {
                (best, chosen) = (value, action);
            }
        }
        Ok(Choice::with_info(chosen, Info { score: Some(best), ..Info::default() }))
    }
}

/// Returns the probability that an area of a player with these dice withstands one attack by each
/// neighbour that is another player's and has more than one die.
fn hold_probability(map: &Map, position: &Position, area: Area, dice: u8, player: Seat) -> f64 {
    let enemies = map.neighbours(area).iter().filter(|&other| position.owner(other) != player);
    let strong = enemies.map(|other| position.dice(other)).filter(|&dice| dice > 1);
    strong.map(|attacker| 1.0 - win_probability(attacker, dice)).product()
}

/// Returns the transfer that brings most dice to the border, at least two.
fn to_the_border(map: &Map, position: &Position, me: Seat, legal: &[Action]) -> Option<Action> {
    let border = position.border_of(map, me);
    let useful = legal.iter().filter_map(|&action| match action {
        Action::Transfer(from, to) if !border.contains(from) && border.contains(to) => {
            Some((position.transferred(from, to), action))
        }
        _ => None,
    });
    let most = useful.filter(|&(moved, _)| moved >= 2).max_by_key(|&(moved, _)| moved);
    most.map(|(_, action)| action)
}

fn main() -> ExitCode {
    let about = "the least probability to win and hold, with three players or more".into();
    let least = OptionSpec::Float { min: 0.0, max: 1.0, default: 0.4, about };
    let bot = Bot::new("rule", "attacks what it wins and holds").with_option("least", least);
    program::main(
        &bot.plays::<DiceWars>(|options| Box::new(Rule { least: options.float("least") })),
    )
}
