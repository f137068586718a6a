//! Bots that fail in the middle of a game.

use crate::game::lab::Lab;
use crate::game::program::{Event, Start, Stop, bits};
use botyard_engine::random::{below, choose};
use botyard_engine::{Seat, Turn};
use botyard_rules::ability;

/// How many games are played for this.
const GAMES: u32 = 12;

/// The decision before which a seat forfeits is one of the first ones.
const EARLIEST: u32 = 12;

/// Plays games in which one or two seats forfeit.
pub(crate) fn forfeits(lab: &mut Lab<'_>) -> Result<String, Stop> {
    if !lab.can(ability::FORFEIT) {
        return Ok("the referee ends a game of two seats when a bot fails".into());
    }
    let effort = lab.effort();
    let mut played = 0;
    for game in 0..GAMES {
        if effort.is_spent(lab) {
            break;
        }
        let mut stream = lab.stream(&format!("forfeits {game}"));
        let index = game as usize % lab.settings.len().max(1);
        let Some(setting) = lab.settings.get(index).cloned() else { continue };
        let mut plan: Vec<(u32, Seat)> = Vec::new();
        for _ in 0..1 + u32::from(setting.seats.len() > 2) * (game % 2) {
            let seat = Seat::new(below(stream.rng(), setting.seats.len() as u32) as usize);
            if !plan.iter().any(|(_, out)| *out == seat) {
                plan.push((below(stream.rng(), EARLIEST), seat));
            }
        }
        let place =
            |decision| format!("rules {}, forfeits {game}, decision {decision}", setting.name);
        lab.program.place = place(0);
        let Ok(mut step) = lab.program.open(&setting, &Start::Random(bits(&mut stream)))? else {
            continue;
        };
        let mut out: Vec<Seat> = Vec::new();
        for decision in 0..=lab.config.longest {
            lab.program.place = place(decision);
            if step.turn == Turn::Over {
                break;
            }
            if decision == lab.config.longest {
                let message =
                    format!("no end after {decision} decisions with a seat that forfeited");
                return Err(lab.program.fault(None, message));
            }
            let leaves = plan.iter().find(|(when, seat)| *when <= decision && !out.contains(seat));
            let event = match (leaves, step.turn) {
                (Some((_, seat)), _) => {
                    out.push(*seat);
                    Event::Forfeit(*seat)
                }
                (_, Turn::Chance) => Event::Draw(bits(&mut stream)),
                (_, Turn::Seat(seat)) if out.contains(&seat) => {
                    let first = step.legal.as_ref().and_then(|legal| legal.first());
                    let Some(pass) = step.pass.as_ref().or(first) else {
                        let expected = "\"pass\", as this seat has forfeited and nothing is listed";
                        return Err(lab.program.unexpected(None, expected));
                    };
                    Event::Action(seat, pass.clone())
                }
                (_, Turn::Seat(seat)) => {
                    let action = match &step.legal {
                        Some(legal) => choose(stream.rng(), legal).cloned().unwrap_or_default(),
                        None => lab.action(&setting, &step, &mut stream)?,
                    };
                    Event::Action(seat, action)
                }
                (_, Turn::Over) => break,
            };
            match lab.program.apply(&setting, &event)? {
                Ok(next) => step = next,
                Err(_) => {
                    return Err(lab
                        .program
                        .unexpected(None, "a position, after a seat has forfeited"));
                }
            }
        }
        lab.program.state()?;
        played += 1;
    }
    Ok(format!("{played} games end after a seat has forfeited"))
}
