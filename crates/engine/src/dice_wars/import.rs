//! Import of games recorded by the SUI framework of 2021, one JSON object per line. Plays them
//! through these rules and compares: each roll with the number of dice; after each action the owner
//! and the dice of the changed areas; after each turn the player, the number of new dice, their
//! areas and the reserve; the battle at which each player was eliminated, the number of battles,
//! and the winner.
//!
//! The records have the sum of each roll but not its dice, and the areas of new dice but not their
//! order. To invent nothing, rolls stay sums ([`Roll::Sum`]), and new dice are listed by area.

use super::action::Action;
use super::area::{Area, AreaSet};
use super::chance::{Chance, Roll};
use super::game::DiceWars;
use super::map::Map;
use super::opening::Opening;
use super::player::Player;
use super::position::{Placed, Position, Stage};
use super::rules::{AreaCount, Rules};
use super::state::State;
use crate::game::{Game, Illegal};
use crate::outcome::Outcome;
use crate::record::{RECORDED, Record, RecordError, RecordedEvent};
use crate::seat::Seat;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// A recorded game. Its other fields, such as seeds, are ignored.
#[derive(Deserialize)]
struct Game2021 {
    setup: Vec<StartArea>,
    log: Vec<Entry>,
    winner: Option<Player>,
    battles: u32,
    eliminations: Vec<(Player, u32)>,
    /// The names of the players' programs.
    ais: Vec<String>,
}

#[derive(Deserialize)]
struct StartArea {
    id: Area,
    adj: AreaSet,
    owner: Player,
    dice: u8,
}

/// A line of a game's log.
#[derive(Deserialize)]
#[serde(untagged)]
enum Entry {
    Attack(Attack, Area, Area, u8, u8, Player, u8),
    Transfer(Transfer, Area, Area, u8, u8),
    EndTurn(EndTurn, Player, Vec<(Area, u8)>, u8),
}

#[derive(Deserialize)]
enum Attack {
    #[serde(rename = "a")]
    A,
}

#[derive(Deserialize)]
enum Transfer {
    #[serde(rename = "t")]
    T,
}

#[derive(Deserialize)]
enum EndTurn {
    #[serde(rename = "e")]
    E,
}

/// Imports every game of the file: a record, or the error found.
pub(super) fn import(text: &str) -> Vec<Result<Record, RecordError>> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    (1u32..)
        .zip(lines)
        .map(|(number, line)| {
            let failed = |(ply, message)| RecordError { game: number.to_string(), ply, message };
            let game: Game2021 = serde_json::from_str(line).map_err(|error| {
                failed((None, format!("expected a game of the framework of 2021: {error}")))
            })?;
            Replay::begin(&game).and_then(|replay| replay.record(number, &game)).map_err(failed)
        })
        .collect()
}

/// The ply, from 1, and the error there.
type Difference = (Option<u32>, String);

/// A recorded game in progress.
struct Replay {
    game: DiceWars,
    opening: Opening,
    state: State,
    events: Vec<RecordedEvent>,
    /// The number of decisions so far.
    ply: u32,
    eliminations: Vec<(Player, u32)>,
    checks: u64,
}

impl Replay {
    fn begin(recorded: &Game2021) -> Result<Replay, Difference> {
        let refused = |message: String| (None, message);
        if let Some(area) = (1..).zip(&recorded.setup).find(|(id, area)| area.id.number() != *id) {
            let message = format!("setup: expected area {}, got area {}", area.0, area.1.id);
            return Err(refused(message));
        }
        let neighbours: Vec<AreaSet> = recorded.setup.iter().map(|area| area.adj).collect();
        let map = Map::new(&neighbours, Vec::new())
            .map_err(|error| refused(format!("setup: {error}")))?;
        let preset = DiceWars::preset("sui-2021").expect("a listed preset");
        let rules = Rules {
            players: u8::try_from(recorded.ais.len()).unwrap_or(u8::MAX),
            areas: AreaCount::exactly(map.areas() as u8),
            ..preset
        };
        let game = DiceWars::new(rules).map_err(|error| refused(error.to_string()))?;
        let opening = Opening {
            map: Some(map),
            owners: recorded.setup.iter().map(|area| area.owner).collect(),
            dice: recorded.setup.iter().map(|area| area.dice).collect(),
            first: Player(Seat::new(0)),
        };
        let state = game.start(&opening).map_err(|why| refused(format!("setup: {why}")))?;
        let (events, eliminations) = (Vec::new(), Vec::new());
        Ok(Replay { game, opening, state, events, ply: 0, eliminations, checks: 0 })
    }

    fn record(mut self, number: u32, recorded: &Game2021) -> Result<Record, Difference> {
        for entry in &recorded.log {
            self.ply += 1;
            let played = match *entry {
                Entry::Attack(Attack::A, from, to, attacker, defender, owner, dice) => {
                    self.attack(from, to, (attacker, defender), (owner, dice))
                }
                Entry::Transfer(Transfer::T, from, to, left, dice) => {
                    self.transfer(from, to, left, dice)
                }
                Entry::EndTurn(EndTurn::E, player, ref grown, reserve) => {
                    self.end_turn(player, grown, reserve)
                }
            };
            played.map_err(|message| (Some(self.ply), message))?;
        }
        self.end(recorded).map_err(|message| (Some(self.ply), message))?;
        let players = self.game.seats().len();
        let result = recorded
            .winner
            .map(|winner| Outcome::winners(players, RECORDED, |seat| seat == winner.0));
        Ok(Record {
            id: number.to_string(),
            players: recorded.ais.clone(),
            rules: json!(self.game.rules()),
            opening: json!(self.opening),
            events: self.events,
            result,
            checks: self.checks,
            ..Record::default()
        })
    }

    fn position(&self) -> &Position {
        self.state.position()
    }

    fn play(&mut self, action: Action) -> Result<(), String> {
        self.game.check(&self.state, action).map_err(|Illegal(why)| why)?;
        self.game.apply(&mut self.state, action);
        self.events.push(RecordedEvent::Action(json!(action)));
        self.checks += 1;
        Ok(())
    }

    fn draw(&mut self, chance: Chance) -> Result<(), String> {
        self.game.check_chance(&self.state, &chance).map_err(|Illegal(why)| why)?;
        self.game.apply_chance(&mut self.state, &chance);
        self.events.push(RecordedEvent::Chance(json!(chance)));
        self.checks += 1;
        Ok(())
    }

    /// Compares a fact of the record with ours.
    fn compare<T: PartialEq + Serialize>(
        &mut self,
        what: &str,
        ours: T,
        recorded: T,
    ) -> Result<(), String> {
        self.checks += 1;
        if ours == recorded {
            return Ok(());
        }
        Err(format!("{what}: by the rules {}, recorded {}", json!(ours), json!(recorded)))
    }

    fn attack(
        &mut self,
        from: Area,
        to: Area,
        (attacker, defender): (u8, u8),
        (owner, dice): (Player, u8),
    ) -> Result<(), String> {
        self.play(Action::Attack(from, to))?;
        let victim = self.position().owner(to);
        self.draw(Chance::Battle { attacker: Roll::Sum(attacker), defender: Roll::Sum(defender) })?;
        self.compare("the owner of the attacked area", Player(self.position().owner(to)), owner)?;
        self.compare("the dice on the attacked area", self.position().dice(to), dice)?;
        self.compare("the dice on the attacking area", self.position().dice(from), 1)?;
        if !self.position().is_on_map(victim) {
            // The framework counts a battle after everything that follows from it.
            self.eliminations.push((Player(victim), self.position().battles() - 1));
        }
        Ok(())
    }

    fn transfer(&mut self, from: Area, to: Area, left: u8, dice: u8) -> Result<(), String> {
        self.play(Action::Transfer(from, to))?;
        self.compare("the dice that are left", self.position().dice(from), left)?;
        self.compare("the dice that are there now", self.position().dice(to), dice)
    }

    fn end_turn(
        &mut self,
        player: Player,
        grown: &[(Area, u8)],
        reserve: u8,
    ) -> Result<(), String> {
        self.compare("whose turn ends", Player(self.position().to_move()), player)?;
        self.play(Action::EndTurn)?;
        let mut grown = grown.to_vec();
        grown.sort_unstable();
        let mut placed = Vec::new();
        for &(area, dice) in &grown {
            let more = dice.saturating_sub(self.position().dice(area));
            placed.extend((0..more).map(|_| area));
        }
        let placed = Placed::try_from(&placed[..])
            .map_err(|_| format!("{} new dice are more than anyone gets", placed.len()))?;
        self.draw(Chance::Reinforcement { placed })?;
        for (area, dice) in grown {
            self.compare("the dice on an area that grew", self.position().dice(area), dice)?;
        }
        self.compare("the reserve", self.position().reserve(player.0), reserve)
    }

    fn end(&mut self, recorded: &Game2021) -> Result<(), String> {
        if !matches!(self.position().stage(), Stage::Over(_)) {
            return Err("the record ends here, but by the rules the game is not over".into());
        }
        let Some(outcome) = self.position().outcome() else { return Ok(()) };
        let winner = outcome.scores.iter().position(|&score| score == 1.0);
        let winner = winner.map(|index| Player(Seat::new(index)));
        self.compare("the winner", winner, recorded.winner)?;
        self.compare("the number of battles", self.position().battles(), recorded.battles)?;
        // Without a winner, the framework lists the remaining players as eliminated at the end.
        let eliminations = std::mem::take(&mut self.eliminations);
        let mut recorded_ones = recorded.eliminations.clone();
        if recorded.winner.is_none() {
            recorded_ones.truncate(eliminations.len());
        }
        self.compare("the eliminations", eliminations, recorded_ones)
    }
}
