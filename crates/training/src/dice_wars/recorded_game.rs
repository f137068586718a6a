//! Recorded games of a few hundred bytes.

use arrayvec::ArrayVec;
use botyard_engine::Seat;
use botyard_engine::dice_wars::{Action, Area, AreaSet, Deal, Map, Placed, Position, Rules, Stage};
use flate2::Crc;

/// A game: its start and all its events.
#[derive(Clone, Debug)]
pub struct RecordedGame {
    /// The name of the preset of its rules.
    pub preset: String,
    /// The number of players.
    pub players: u8,
    /// The limit of turns, which cuts short the games of bots that do not finish them.
    pub max_turns: u16,
    /// The seats whose turns are training examples, those of the bot itself, as one bit per seat; 0
    /// for all seats.
    pub learned_from: u8,
    /// The map.
    pub map: Map,
    /// The owners and dice at the start.
    pub deal: Deal,
    /// The seat that moved first.
    pub first: Seat,
    /// The events, as [`RecordedGame::attack`] and the other methods write them.
    events: Vec<u8>,
}

/// Bytes that are not games.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game {number}: {message}; the file was not written by `botyard train`, or is damaged")]
pub struct InvalidGames {
    /// The number of the game, from 1.
    pub number: usize,
    /// The error.
    pub message: String,
}

// The upper two bits of an event; the lower six are the area that acts.
const LOST: u8 = 0;
const WON: u8 = 1 << 6;
const TRANSFER: u8 = 2 << 6;
const END_TURN: u8 = 3 << 6;
const INDEX: u8 = (1 << 6) - 1;

impl RecordedGame {
    /// Makes a record of a game that begins.
    pub fn new(preset: &str, rules: &Rules, map: Map, deal: Deal, first: Seat) -> RecordedGame {
        let Rules { players, max_turns, .. } = *rules;
        let preset = preset.into();
        let events = Vec::new();
        RecordedGame { preset, players, max_turns, learned_from: 0, map, deal, first, events }
    }

    /// Returns whether the turns of a seat are training examples.
    pub(crate) fn learns_from(&self, seat: Seat) -> bool {
        self.learned_from == 0 || self.learned_from >> seat.index() & 1 == 1
    }

    /// Returns the first position; `None` if the preset does not exist.
    pub fn start(&self) -> Option<Position> {
        let Self { players, max_turns, .. } = *self;
        let rules = Rules { players, max_turns, ..Rules::preset(&self.preset)? };
        Some(Position::start(&rules, &self.deal, self.first))
    }

    /// Records an attack.
    pub fn attack(&mut self, from: Area, to: Area, won: bool) {
        self.events.extend([if won { WON } else { LOST } | from.index() as u8, to.index() as u8]);
    }

    /// Records a transfer.
    pub fn transfer(&mut self, from: Area, to: Area) {
        self.events.extend([TRANSFER | from.index() as u8, to.index() as u8]);
    }

    /// Records the end of a turn, with the areas of its new dice.
    pub fn end_turn(&mut self, placed: &[Area]) {
        self.events.extend([END_TURN, placed.len() as u8]);
        self.events.extend(placed.iter().map(|area| area.index() as u8));
    }

    /// Returns the number of turns that ended in it.
    ///
    /// # Panics
    ///
    /// If the events were not written by the methods of this type.
    pub fn turns(&self) -> usize {
        let mut turns = 0;
        self.replay(|_| turns += 1).expect("games are written as they are played");
        turns
    }

    /// Replays the game. Calls `visit` with every position at the end of a turn, before the new
    /// dice were placed, and returns the last position.
    ///
    /// # Errors
    ///
    /// If an event is not legal.
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

    /// Writes the game as bytes: the length of what follows the first eight bytes and its CRC-32 (4
    /// bytes each, little-endian), then the length and the name of the preset, the numbers of
    /// players, of the first player and of areas (1 byte each), the limit of turns (2 bytes), the
    /// seats that are training examples (1 byte), the neighbours of each area as bits (8 bytes
    /// each), the owners and the dice (1 byte for each area), and the events.
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

/// Reads games that [`RecordedGame::to_bytes`] wrote, one after another. A game that is truncated
/// at the end of the data, as after a crash of the machine, is left out.
///
/// # Errors
///
/// If the bytes are not games.
pub fn read_games(mut bytes: &[u8]) -> Result<Vec<RecordedGame>, InvalidGames> {
    let mut games = Vec::new();
    while let Some((header, rest)) = bytes.split_first_chunk::<8>() {
        let number = games.len() + 1;
        let wrong = |message: &str| InvalidGames { number, message: message.into() };
        let [length, expected] =
            [0, 4].map(|at| u32::from_le_bytes(std::array::from_fn(|byte| header[at + byte])));
        let Some((body, rest)) = rest.split_at_checked(length as usize) else { break };
        if checksum(body) != expected {
            return Err(wrong("its checksum is wrong"));
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
    use super::super::play::play_seed;
    use super::super::steps::Play;
    use super::*;
    use botyard_bots::dice_wars::Hand;

    fn game(seed: u64) -> RecordedGame {
        let how = Play { planners: 30, random_in: 10, depth: 1, nodes: 100, ..Play::default() };
        let how = how.settings().unwrap();
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
