//! The face of Dice Wars: the map with the dice of all players; attacks and transfers as two
//! numbers.

use crate::face::{Chosen, Face, GameFace, Happened, Question};
use crate::terminal::{Ink, Tone};
use botyard_engine::dice_wars::{
    Action, Area, Chance, DiceWars, Map, Roll, Rules, Setup, State, View, letter, win_probability,
};
use botyard_engine::{Game, Seat};
use botyard_protocol::Start;
use botyard_runner::words::wrapped;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The face of Dice Wars.
#[derive(Clone, Debug)]
pub(crate) struct DiceWarsFace {
    game: DiceWars,
    map: Arc<Map>,
}

impl GameFace for DiceWarsFace {
    type Game = DiceWars;

    fn new(start: &Start) -> Option<DiceWarsFace> {
        let rules: Rules = serde_json::from_value(start.rules.clone()).ok()?;
        let setup: Setup = serde_json::from_value(start.setup.clone()).ok()?;
        Some(DiceWarsFace { game: DiceWars::new(rules).ok()?, map: Arc::new(setup.map) })
    }
}

impl DiceWarsFace {
    /// Draws a position for one of the person's seats.
    fn drawn_position(&self, state: &State, own: Seat, question: &Question, ink: Ink) -> String {
        let players = state.position().players();
        let battle = LastBattle::of(&question.past);
        let marked = battle.as_ref().map_or(Vec::new(), |battle| vec![battle.from, battle.to]);
        let mut text = String::new();
        let mut is_map = false;
        for line in self.game.text(state).lines() {
            is_map |= line.is_empty();
            let line = match is_map {
                true => coloured(line, players, &marked, ink),
                false => line.to_string(),
            };
            text.push_str(format!("  {line}").trim_end());
            text.push('\n');
        }
        if let Some(LastBattle { seat, from, to, rolls: [attacker, defender] }) = &battle {
            let result = battle_in_words(attacker, defender);
            text.push_str(&format!("  last battle [{from}] -> [{to}], by {seat}: {result}\n"));
        }
        let letter = ink.paint(tone(own), letter(own));
        text + &format!("  your areas are marked {letter}\n")
    }

    fn state(&self, question: &Question) -> Option<State> {
        let view: View = serde_json::from_value(question.view.clone()).ok()?;
        self.game.state_on(&self.map, &view).ok()
    }
}

/// The last battle of a game.
struct LastBattle {
    /// The seat that attacked.
    seat: String,
    from: Area,
    to: Area,
    /// The dice rolled: of the attacker and of the defender.
    rolls: [Roll; 2],
}

impl LastBattle {
    /// Returns the last battle among events.
    fn of(past: &[Happened]) -> Option<LastBattle> {
        past.windows(2).rev().find_map(|events| {
            let [Happened::Moved { seat, seen_by_seat }, Happened::Drawn { seen_by_seat: drawn }] =
                events
            else {
                return None;
            };
            match (Action::deserialize(seen_by_seat), Chance::deserialize(drawn)) {
                (Ok(Action::Attack(from, to)), Ok(Chance::Battle { attacker, defender })) => {
                    let seat = seat.clone();
                    Some(LastBattle { seat, from, to, rolls: [attacker, defender] })
                }
                _ => None,
            }
        })
    }
}

/// The characters with which the engine's drawing fills the areas of each player.
const FILLS: [char; 8] = ['.', '+', ':', '\'', '=', '*', 'o', '%'];

/// The colour of a player's areas.
fn tone(seat: Seat) -> Tone {
    const TONES: [Tone; 8] = [
        Tone::Red,
        Tone::Cyan,
        Tone::Yellow,
        Tone::Green,
        Tone::Magenta,
        Tone::Blue,
        Tone::Bold,
        Tone::Dim,
    ];
    TONES[seat.index() % TONES.len()]
}

/// Draws a line of the map in the colours of the players, with the areas of a battle in brackets.
///
/// A player's areas are recognized by what fills them and by the owner in their labels. Where a
/// border is beside the number of an area, the bracket is left out.
fn coloured(line: &str, players: usize, battle: &[Area], ink: Ink) -> String {
    let letters: Vec<char> = line.chars().collect();
    let at = |index: usize| letters.get(index).copied().unwrap_or(' ');
    let mut text = String::new();
    let mut index = 0;
    while index < letters.len() {
        let here = at(index);
        // The number of an area, or of dice after the letter of a player.
        let digits = letters[index..].iter().take_while(|letter| letter.is_ascii_digit()).count();
        if digits > 0 {
            let number: String = letters[index..index + digits].iter().collect();
            let is_marked = battle.iter().any(|area| area.to_string() == number);
            if is_marked {
                if text.ends_with(' ') {
                    text.pop();
                    text.push('[');
                }
                text.push_str(&ink.paint(Tone::Bold, &number));
                if at(index + digits) == ' ' {
                    text.push(']');
                    index += 1;
                }
            } else {
                text.push_str(&number);
            }
            index += digits;
            continue;
        }
        let is_letter = at(index + 1).is_ascii_digit();
        let owner = Seat::all(players)
            .find(|&seat| here == FILLS[seat.index()] || (is_letter && here == letter(seat)));
        let Some(owner) = owner else {
            text.push(here);
            index += 1;
            continue;
        };
        let is_label = here == letter(owner);
        let length = match is_label {
            true => {
                1 + letters[index + 1..].iter().take_while(|letter| letter.is_ascii_digit()).count()
            }
            false => letters[index..].iter().take_while(|letter| **letter == here).count(),
        };
        let piece: String = letters[index..index + length].iter().collect();
        text.push_str(&ink.paint(tone(owner), piece));
        index += length;
    }
    text
}

fn legal(question: &Question) -> impl Iterator<Item = Action> + '_ {
    question.legal.iter().filter_map(|action| Action::deserialize(action).ok())
}

/// Returns an action as typed at the prompt.
fn written(action: Action) -> String {
    match action {
        Action::Attack(from, to) | Action::Transfer(from, to) => format!("{from} {to}"),
        Action::EndTurn => "end".to_string(),
    }
}

/// Describes an attack with its odds: `3 5 (6 against 4, 74%)`.
fn odds(state: &State, from: Area, to: Area) -> String {
    let position = state.position();
    let (attacker, defender) = (position.dice(from), position.dice(to));
    let percent = 100.0 * win_probability(attacker, defender);
    format!("{from} {to} ({attacker} against {defender}, {percent:.0}%)")
}

impl Face for DiceWarsFace {
    fn position(&self, question: &Question, ink: Ink) -> String {
        let Some(state) = self.state(question) else { return String::new() };
        self.drawn_position(&state, state.position().to_move(), question, ink)
    }

    fn final_position(&self, question: &Question, _views: &[Value], ink: Ink) -> Option<String> {
        let state = self.state(question)?;
        let own = self.game.seats().iter().position(|seat| *seat == question.seat)?;
        Some(self.drawn_position(&state, Seat::new(own), question, ink))
    }

    fn words(&self, seat: &str, seen_by_seat: &Value) -> String {
        match Action::deserialize(seen_by_seat) {
            Ok(Action::Attack(from, to)) => format!("{seat}: attack {from} -> {to}"),
            Ok(Action::Transfer(from, to)) => format!("{seat}: transfer {from} -> {to}"),
            Ok(Action::EndTurn) => format!("{seat}: end of the turn"),
            Err(_) => format!("{seat}: {seen_by_seat}"),
        }
    }

    fn drawn(&self, seen_by_seat: &Value) -> String {
        match Chance::deserialize(seen_by_seat) {
            Ok(Chance::Battle { attacker, defender }) => battle_in_words(&attacker, &defender),
            Ok(Chance::Reinforcement { placed }) => {
                let mut dice: BTreeMap<Area, usize> = BTreeMap::new();
                for area in placed {
                    *dice.entry(area).or_default() += 1;
                }
                let dice: Vec<String> =
                    dice.iter().map(|(area, dice)| format!("{area} +{dice}")).collect();
                if dice.is_empty() {
                    "no new dice".into()
                } else {
                    format!("new dice: {}", dice.join(", "))
                }
            }
            Err(_) => seen_by_seat.to_string(),
        }
    }

    fn choices(&self, question: &Question) -> String {
        let (mut attacks, mut transfers) = (Vec::new(), Vec::new());
        let state = self.state(question);
        for action in legal(question) {
            match (action, &state) {
                (Action::Attack(from, to), Some(state)) => attacks.push(odds(state, from, to)),
                (Action::Attack(..), None) => attacks.push(written(action)),
                (Action::Transfer(..), _) => transfers.push(written(action)),
                (Action::EndTurn, _) => {}
            }
        }
        let mut text = String::new();
        for (kind, list) in [("attacks", attacks), ("transfers", transfers)] {
            if !list.is_empty() {
                text.push_str(&wrapped(&format!("  {kind:9}  "), &list.join(", ")));
            }
        }
        text + "  end        end your turn\n"
    }

    fn completions(&self, question: &Question) -> Vec<Vec<String>> {
        vec![legal(question).map(written).collect()]
    }

    fn read(&self, line: &str, question: &Question) -> Result<Chosen, String> {
        let words: Vec<&str> = line
            .split(|c: char| !c.is_ascii_alphanumeric())
            .filter(|word| !word.is_empty() && !["attack", "transfer"].contains(word))
            .collect();
        let wanted = match words[..] {
            ["end"] | ["end", "turn"] | ["e"] => "end".to_string(),
            [from, to] if from.parse::<u8>().is_ok() && to.parse::<u8>().is_ok() => {
                format!("{from} {to}")
            }
            _ => {
                return Err(format!(
                    "expected the numbers of two areas, such as 3 5, or end; got {line:?}"
                ));
            }
        };
        let found = question.legal.iter().find(|action| {
            Action::deserialize(*action).is_ok_and(|action| written(action) == wanted)
        });
        found
            .cloned()
            .map(Chosen::only)
            .ok_or_else(|| format!("{wanted} is illegal; expected\n{}", self.choices(question)))
    }

    fn help(&self) -> String {
        "  3 5          attack area 5 from area 3, or move dice from 3 to 5 if both are yours\n  \
          end          end your turn\n  \
          The label of an area is its number and, below it, its player's letter and its dice.\n  \
          The areas of the last battle have brackets.\n"
            .to_string()
    }
}

/// Describes a battle: `17 (6+6+5) against 9 (5+4): taken`.
fn battle_in_words(attacker: &Roll, defender: &Roll) -> String {
    let result = if attacker.pips() > defender.pips() { "taken" } else { "held" };
    format!("{} against {}: {result}", pips(attacker), pips(defender))
}

/// Describes a roll: `17 (6+6+5)`.
fn pips(roll: &Roll) -> String {
    match roll {
        Roll::Sum(sum) => sum.to_string(),
        Roll::Faces(faces) => {
            let faces: Vec<String> = faces.iter().map(u8::to_string).collect();
            format!("{} ({})", roll.pips(), faces.join("+"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_engine::{Stream, Turn};
    use serde_json::json;

    /// Returns a face, and a question after the first attacks of a game.
    fn game(attacks: usize) -> (DiceWarsFace, Question) {
        let rules = DiceWars::preset(DiceWars::PRESETS[0].name).unwrap();
        let game = DiceWars::new(rules).unwrap();
        let mut stream = Stream::new(7, "opening");
        let mut state = game.start(&game.draw_opening(stream.rng())).unwrap();
        let (mut legal, mut past) = (Vec::new(), Vec::new());
        let mut left = attacks;
        let seat = loop {
            match game.turn(&state) {
                Turn::Seat(seat) if left == 0 => break seat,
                Turn::Seat(seat) => {
                    game.actions(&state, &mut legal);
                    let attack = legal.iter().find(|action| matches!(action, Action::Attack(..)));
                    left -= usize::from(attack.is_some());
                    let action = *attack.unwrap_or(&Action::EndTurn);
                    let seat = game.seats()[seat.index()].clone();
                    past.push(Happened::Moved { seat, seen_by_seat: json!(action) });
                    game.apply(&mut state, action);
                }
                Turn::Chance => {
                    let chance = game.draw(&state, stream.rng());
                    past.push(Happened::Drawn { seen_by_seat: json!(chance) });
                    game.apply_chance(&mut state, &chance);
                }
                Turn::Over => panic!("it is over"),
            }
        };
        game.actions(&state, &mut legal);
        let question = Question {
            turn: 1,
            seat: game.seats()[seat.index()].clone(),
            view: json!(game.view(&state, seat)),
            legal: legal.iter().map(|action| json!(action)).collect(),
            past,
        };
        let face = DiceWarsFace { map: Arc::clone(state.map()), game };
        (face, question)
    }

    #[test]
    fn the_last_battle_is_marked() {
        let (face, question) = game(0);
        assert!(!face.position(&question, Ink::plain()).contains('['));
        let (face, question) = game(3);
        let battle = LastBattle::of(&question.past).unwrap();
        let shown = face.position(&question, Ink::plain());
        let words = format!("last battle [{}] -> [{}], by {}", battle.from, battle.to, battle.seat);
        assert!(shown.contains(&words), "{words}: {shown}");
        // In the map the areas have a bracket where there is room for one.
        let map = shown.split_once("\n\n").unwrap().1;
        for area in [battle.from, battle.to] {
            assert!(
                map.contains(&format!("[{area}")) || map.contains(&format!("{area}]")),
                "{map}"
            );
        }
        assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
    }

    #[test]
    fn colours_change_no_character_of_the_map() {
        let (face, question) = game(0);
        let (plain, coloured) =
            (face.position(&question, Ink::plain()), face.position(&question, Ink::colourful()));
        let mut stripped = String::new();
        for piece in coloured.split('\u{1b}') {
            stripped.push_str(
                piece
                    .strip_prefix('[')
                    .and_then(|code| Some(code.split_once('m')?.1))
                    .unwrap_or(piece),
            );
        }
        assert_eq!(stripped, plain);
        // Between the borders there is nothing but what the players' areas are filled with, and labels.
        let map = plain.split_once("\n\n").unwrap().1.split("  your areas").next().unwrap();
        for letter in map.chars().filter(|letter| !letter.is_ascii_alphanumeric()) {
            assert!(" \n|_".contains(letter) || FILLS.contains(&letter), "{letter:?} in\n{map}");
        }
    }
}
