//! A game as it went, in a few hundred bytes.

use arrayvec::ArrayVec;
use botyard_engine::Seat;
use botyard_engine::dice_wars::{Action, Area, AreaSet, Deal, Map, Placed, Position, Rules, Stage};
use flate2::Crc;

/// Where a game began and all that happened in it.
#[derive(Clone, Debug)]
pub struct RecordedGame {
    /// The name of the preset of its rules.
    pub preset: String,
    /// How many players it had.
    pub players: u8,
    /// After how many turns it was to end: games of bots that do not end theirs are cut short.
    pub max_turns: u16,
    /// Whose turns are learned from: those of the bot itself. A bit for each seat; none for
    /// everybody's.
    pub learned_from: u8,
    /// What it was played on.
    pub map: Map,
    /// Who owned what at the start.
    pub deal: Deal,
    /// Who moved first.
    pub first: Seat,
    /// What happened, as [`RecordedGame::attack`] and the others write it.
    events: Vec<u8>,
}

/// Bytes that are no games.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game {number}: {message}; the file was not written by `botyard train`, or is damaged")]
pub struct WrongGames {
    /// Which game, from 1.
    pub number: usize,
    /// What is wrong with it.
    pub message: String,
}

// The upper two bits of an event; the lower six are the area from which it goes out.
const LOST: u8 = 0;
const WON: u8 = 1 << 6;
const TRANSFER: u8 = 2 << 6;
const END_TURN: u8 = 3 << 6;
const INDEX: u8 = (1 << 6) - 1;

impl RecordedGame {
    /// A game that begins.
    pub fn new(preset: &str, rules: &Rules, map: Map, deal: Deal, first: Seat) -> RecordedGame {
        let Rules { players, max_turns, .. } = *rules;
        let preset = preset.into();
        let events = Vec::new();
        RecordedGame { preset, players, max_turns, learned_from: 0, map, deal, first, events }
    }

    /// Whether the turns of a seat are learned from.
    pub fn learns_from(&self, seat: Seat) -> bool {
        self.learned_from == 0 || self.learned_from >> seat.index() & 1 == 1
    }

    /// The first position; `None` where there is no such preset.
    pub fn start(&self) -> Option<Position> {
        let Self { players, max_turns, .. } = *self;
        let rules = Rules { players, max_turns, ..Rules::preset(&self.preset)? };
        Some(Position::start(&rules, &self.deal, self.first))
    }

    /// An attack was made.
    pub fn attack(&mut self, from: Area, to: Area, won: bool) {
        self.events.extend([if won { WON } else { LOST } | from.index() as u8, to.index() as u8]);
    }

    /// A transfer was made.
    pub fn transfer(&mut self, from: Area, to: Area) {
        self.events.extend([TRANSFER | from.index() as u8, to.index() as u8]);
    }

    /// A turn was ended, and the new dice fell there.
    pub fn end_turn(&mut self, placed: &[Area]) {
        self.events.extend([END_TURN, placed.len() as u8]);
        self.events.extend(placed.iter().map(|area| area.index() as u8));
    }

    /// How many turns were ended in it.
    ///
    /// # Panics
    ///
    /// If the game is not as its writers wrote it.
    pub fn turns(&self) -> usize {
        let mut turns = 0;
        self.replay(|_| turns += 1).expect("games are written as they are played");
        turns
    }

    /// Plays the game again: calls `visit` with every position in which a turn was ended, before
    /// the new dice fell, and returns the last position.
    ///
    /// # Errors
    ///
    /// What is not legal in it.
    pub fn replay(&self, mut visit: impl FnMut(&Position)) -> Result<Position, String> {
        let mut position =
            self.start().ok_or_else(|| format!("there is no preset {:?}", self.preset))?;
        let mut events = self.events.iter().copied();
        while let Some(event) = events.next() {
            let second = events.next().ok_or("it ends in the middle of an action")?;
            let from = Area::new((event & INDEX).into());
            let to = Area::new((second & INDEX).into());
            let legal =
                |action| position.check(&self.map, action).map_err(|illegal| illegal.to_string());
            match event & !INDEX {
                TRANSFER => {
                    legal(Action::Transfer(from, to))?;
                    position.transfer(from, to);
                }
                END_TURN => {
                    legal(Action::EndTurn)?;
                    if second != position.dice_to_place(&self.map) {
                        return Err(format!("{second} is not the number of new dice"));
                    }
                    visit(&position);
                    let placed: Placed = events
                        .by_ref()
                        .take(second.into())
                        .map(|index| Area::new((index & INDEX).into()))
                        .collect();
                    let own = position.areas_of(position.to_move());
                    if placed.len() != usize::from(second)
                        || placed.iter().any(|&area| !own.contains(area))
                    {
                        return Err("new dice are missing, or not on their owner's areas".into());
                    }
                    position.reinforce(&self.map, &placed);
                }
                won_or_lost => {
                    legal(Action::Attack(from, to))?;
                    position.attack(from, to, won_or_lost == WON);
                }
            }
        }
        match position.stage() {
            Stage::Over(_) => Ok(position),
            _ => Err("it is not over".into()),
        }
    }

    /// As bytes: the length of what follows the first eight bytes and its CRC-32 (4 bytes each, the
    /// lowest first), then the name of the preset after its length, the numbers of players, of the
    /// first player and of areas (1 byte each), the most turns (2 bytes), whose turns are learned from (1 byte), the neighbours of each area as bits (8 bytes each),
    /// the owners and the dice (1 byte for each area), and what happened.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut body = vec![self.preset.len() as u8];
        body.extend(self.preset.as_bytes());
        body.extend([self.players, self.first.index() as u8, self.map.areas() as u8]);
        body.extend(self.max_turns.to_le_bytes());
        body.push(self.learned_from);
        for area in self.map.all() {
            body.extend(self.map.neighbours(area).bits().to_le_bytes());
        }
        body.extend(self.deal.owners.iter().map(|owner| owner.index() as u8));
        body.extend(&self.deal.dice);
        body.extend(&self.events);
        let mut bytes = (body.len() as u32).to_le_bytes().to_vec();
        bytes.extend(checksum(&body).to_le_bytes());
        bytes.extend(body);
        bytes
    }
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// The games that were written one after another as [`RecordedGame::to_bytes`] has them. One that
/// is cut off at the end, as where the machine went down, is left out.
///
/// # Errors
///
/// Bytes that are no games.
pub fn read_games(mut bytes: &[u8]) -> Result<Vec<RecordedGame>, WrongGames> {
    let mut games = Vec::new();
    while let Some((header, rest)) = bytes.split_first_chunk::<8>() {
        let number = games.len() + 1;
        let wrong = |message: &str| WrongGames { number, message: message.into() };
        let [length, expected] =
            [0, 4].map(|at| u32::from_le_bytes(std::array::from_fn(|byte| header[at + byte])));
        let Some((body, rest)) = rest.split_at_checked(length as usize) else { break };
        if checksum(body) != expected {
            return Err(wrong("its checksum does not fit"));
        }
        games.push(read_game(body).ok_or_else(|| wrong("it cannot be read"))?);
        bytes = rest;
    }
    Ok(games)
}

fn read_game(mut body: &[u8]) -> Option<RecordedGame> {
    let mut take = |count: usize| {
        let (taken, rest) = body.split_at_checked(count)?;
        body = rest;
        Some(taken)
    };
    let length = take(1)?[0];
    let preset = String::from_utf8(take(length.into())?.to_vec()).ok()?;
    let &[players, first, areas, low, high, learned_from] = take(6)? else { return None };
    let max_turns = u16::from_le_bytes([low, high]);
    if !(2..=8).contains(&players) || first >= players || !(2..=64).contains(&areas) {
        return None;
    }
    let (words, _) = take(8 * usize::from(areas))?.as_chunks::<8>();
    let neighbours: Vec<AreaSet> =
        words.iter().map(|&word| AreaSet::from_bits(u64::from_le_bytes(word))).collect();
    let map = Map::new(&neighbours, Vec::new()).ok()?;
    let owners = take(areas.into())?;
    if owners.iter().any(|&owner| owner >= players) {
        return None;
    }
    let owners: ArrayVec<Seat, 64> = owners.iter().map(|&owner| Seat::new(owner.into())).collect();
    let dice: ArrayVec<u8, 64> = take(areas.into())?.iter().copied().collect();
    if dice.iter().any(|dice| !(1..=8).contains(dice)) {
        return None;
    }
    let first = Seat::new(first.into());
    Some(RecordedGame {
        preset,
        players,
        max_turns,
        learned_from,
        map,
        deal: Deal { owners, dice },
        first,
        events: body.to_vec(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::play::{Among, play_seed};
    use super::*;
    use crate::dice_wars::{Hand, PlanLimits, Planning};

    fn game(seed: u64) -> RecordedGame {
        let limits = PlanLimits { depth: 1, nodes: 100, deadline: None };
        let how = Among { planners: 30, random_in: 10, planning: Planning::default(), limits };
        play_seed(seed, &how, &Hand)
    }

    #[test]
    fn games_are_functions_of_their_seeds_and_are_read_as_written() {
        let [one, two] = [game(1), game(2)];
        assert_eq!(one.to_bytes(), game(1).to_bytes());
        assert_ne!(one.to_bytes(), two.to_bytes());
        let mut bytes = one.to_bytes();
        bytes.extend(two.to_bytes());
        let read = read_games(&bytes).unwrap();
        assert_eq!(read.len(), 2);
        for (read, written) in read.iter().zip([&one, &two]) {
            assert_eq!(read.to_bytes(), written.to_bytes());
            assert!(read.turns() > 0);
            assert_eq!(read.learned_from, written.learned_from);
        }
        let cut = &bytes[..bytes.len() - 1];
        assert_eq!(read_games(cut).unwrap().len(), 1, "what was cut off is left out");
        bytes[200] ^= 1;
        let error = read_games(&bytes).unwrap_err().to_string();
        assert!(error.contains("game 1") && error.contains("checksum"), "{error}");
    }

    #[test]
    fn games_that_break_the_rules_are_refused() {
        let mut game = game(3);
        game.attack(Area::new(0), Area::new(0), true);
        assert!(game.replay(|_| {}).is_err());
        game.events.truncate(2);
        assert!(game.replay(|_| {}).unwrap_err().contains("not over"));
        game.preset = "chess".into();
        assert!(game.replay(|_| {}).unwrap_err().contains("chess"));
    }
}
