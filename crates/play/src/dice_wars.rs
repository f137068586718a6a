//! The face of Dice Wars: the map with the dice of all players; attacks and transfers as two
//! numbers.

use crate::face::{Chosen, GameFace, Happened, SeenAction, SeenChance, Sight};
use crate::terminal::{Ink, Tone};
use botyard_engine::dice_wars::{
    Action, Area, Chance, DiceWars, Map, Roll, Setup, State, View, letter, win_probability,
};
use botyard_engine::{Game, Seat};
use botyard_runner::words::wrapped;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The face of Dice Wars.
#[derive(Clone, Debug)]
pub(crate) struct DiceWarsFace {
    game: DiceWars,
    map: Arc<Map>,
}

impl DiceWarsFace {
    /// Draws a position for one of the person's seats.
    fn drawn_position(
        &self,
        state: &State,
        own: Seat,
        past: &[Happened<DiceWars>],
        ink: Ink,
    ) -> String {
        let players = state.position().players();
        let battle = LastBattle::of(past);
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

    fn state(&self, view: &View) -> Option<State> {
        self.game.state_on(&self.map, view).ok()
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
    fn of(past: &[Happened<DiceWars>]) -> Option<LastBattle> {
        past.windows(2).rev().find_map(|events| {
            let [Happened::Moved { seat, action }, Happened::Drawn(chance)] = events else {
                return None;
            };
            match (action.whole(), chance.whole()) {
                (&Action::Attack(from, to), Chance::Battle { attacker, defender }) => {
                    let rolls = [attacker.clone(), defender.clone()];
                    Some(LastBattle { seat: seat.clone(), from, to, rolls })
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

impl GameFace for DiceWarsFace {
    type Game = DiceWars;

    fn new(game: DiceWars, setup: Setup) -> DiceWarsFace {
        DiceWarsFace { game, map: Arc::new(setup.map) }
    }

    fn position(&self, sight: &Sight<DiceWars>, ink: Ink) -> Option<String> {
        let state = self.state(&sight.view)?;
        let own = self.game.seats().iter().position(|seat| *seat == sight.seat)?;
        Some(self.drawn_position(&state, Seat::new(own), &sight.past, ink))
    }

    fn words(&self, seat: &str, action: &SeenAction<DiceWars>) -> String {
        match action.whole() {
            Action::Attack(from, to) => format!("{seat}: attack {from} -> {to}"),
            Action::Transfer(from, to) => format!("{seat}: transfer {from} -> {to}"),
            Action::EndTurn => format!("{seat}: end of the turn"),
        }
    }

    fn drawn(&self, chance: &SeenChance<DiceWars>) -> Option<String> {
        Some(match chance.whole() {
            Chance::Battle { attacker, defender } => battle_in_words(attacker, defender),
            Chance::Reinforcement { placed } => {
                let mut dice: BTreeMap<Area, usize> = BTreeMap::new();
                for &area in placed {
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
        })
    }

    fn choices(&self, sight: &Sight<DiceWars>) -> String {
        let (mut attacks, mut transfers) = (Vec::new(), Vec::new());
        let state = self.state(&sight.view);
        for &action in &sight.legal {
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

    fn completions(&self, sight: &Sight<DiceWars>) -> Vec<Vec<String>> {
        vec![sight.legal.iter().copied().map(written).collect()]
    }

    fn read(&self, line: &str, sight: &Sight<DiceWars>) -> Result<Chosen<Action>, String> {
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
        let found = sight.legal.iter().copied().find(|&action| written(action) == wanted);
        found
            .map(Chosen::only)
            .ok_or_else(|| format!("{wanted} is illegal; expected\n{}", self.choices(sight)))
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
    use crate::face::Seen;
    use botyard_engine::{Stream, Turn};

    /// Returns a face, and what a seat sees after the first attacks of a game.
    fn game(attacks: usize) -> (DiceWarsFace, Sight<DiceWars>) {
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
                    past.push(Happened::Moved { seat, action: Seen::Whole(action) });
                    game.apply(&mut state, action);
                }
                Turn::Chance => {
                    let chance = game.draw(&state, stream.rng());
                    game.apply_chance(&mut state, &chance);
                    past.push(Happened::Drawn(Seen::Whole(chance)));
                }
                Turn::Over => panic!("it is over"),
            }
        };
        game.actions(&state, &mut legal);
        let name = game.seats()[seat.index()].clone();
        let sight = Sight { seat: name, view: game.view(&state, seat), legal, past };
        let face = DiceWarsFace { map: Arc::clone(state.map()), game };
        (face, sight)
    }

    #[test]
    fn the_last_battle_is_marked() {
        let (face, sight) = game(0);
        assert!(!face.position(&sight, Ink::plain()).unwrap().contains('['));
        let (face, sight) = game(3);
        let battle = LastBattle::of(&sight.past).unwrap();
        let shown = face.position(&sight, Ink::plain()).unwrap();
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
        let (face, sight) = game(0);
        let shown = |ink| face.position(&sight, ink).unwrap();
        let (plain, coloured) = (shown(Ink::plain()), shown(Ink::colourful()));
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
