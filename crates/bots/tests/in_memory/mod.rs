//! A referee without processes, clocks and mercy: it plays bots against each other in memory, line
//! by line as the protocol has it, and panics at the first answer that is not a legal action.

use botyard_agent::{Bot, Session};
use botyard_engine::{Happening, Outcome, Seat, Stream, Table, Turn, registry};
use botyard_protocol::{
    BotMessage, Clock, ClockKind, OnFault, RefereeMessage, Start, TimeControl, write_line,
    write_turn_line,
};
use serde_json::Value;
use std::collections::BTreeMap;

/// A game under one set of rules, and the bots that play it.
pub struct Match<'a> {
    table: Box<dyn Table>,
    players: Vec<(Session<'a>, BTreeMap<String, Value>)>,
    /// Whether `turn` messages have the list of legal actions.
    pub send_legal: bool,
}

/// A game that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    pub outcome: Outcome,
    /// The `move` lines of all seats, in order.
    pub moves: Vec<String>,
}

impl<'a> Match<'a> {
    /// `preset` of `game` with some rules changed.
    pub fn new(game: &str, preset: &str, changes: &[(&str, &str)], bots: &[&'a Bot]) -> Match<'a> {
        let changes: Vec<_> =
            changes.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        let table = registry::tables(game, Some(preset), &changes).unwrap()();
        let players = bots.iter().map(|bot| (Session::new(bot), BTreeMap::new())).collect();
        Match { table, players, send_legal: true }
    }

    /// Sets an option of one of the bots.
    pub fn set(&mut self, bot: usize, option: &str, value: Value) {
        self.players[bot].1.insert(option.into(), value);
    }

    /// How many seats there are.
    pub fn seats(&self) -> usize {
        self.table.seats().len()
    }

    /// Plays the game with this seed: `seats` has for each seat the number of the bot that holds it.
    pub fn play(&mut self, seed: u64, seats: &[usize]) -> Played {
        let table = &mut self.table;
        let mut chance = Stream::new(seed, "chance");
        table.open(&mut Stream::new(seed, "opening"));
        let names = table.seats().to_vec();
        assert_eq!(names.len(), seats.len(), "the seats are {names:?}");
        let mut line = Vec::new();
        let mut answer = Vec::new();
        for (number, (session, options)) in self.players.iter_mut().enumerate() {
            let held: Vec<usize> = (0..seats.len()).filter(|&s| seats[s] == number).collect();
            let Some(&first) = held.first() else { continue };
            let start = Start {
                game_id: format!("game {seed}"),
                game: table.game().into(),
                rules: table.rules(),
                seats: names.clone(),
                you: held.iter().map(|&seat| names[seat].clone()).collect(),
                players: Vec::new(),
                time: TimeControl {
                    kind: ClockKind::Wall,
                    move_ms: Some(1000),
                    bank_ms: None,
                    increment_ms: 0,
                    grace_ms: 0,
                    on_fault: OnFault::Forfeit,
                },
                options: options.clone(),
                setup: serde_json::from_str(&table.setup(Seat::new(first))).unwrap(),
                setups: BTreeMap::new(),
            };
            line.clear();
            answer.clear();
            write_line(&mut line, &RefereeMessage::Start(Box::new(start)));
            assert!(session.answer(&line, &mut answer).unwrap().is_continue());
            assert_eq!(answer, b"{\"type\":\"ready\"}\n");
        }
        let clock =
            Clock { kind: ClockKind::Wall, move_ms: Some(1000), bank_ms: None, increment_ms: 0 };
        let mut happening = Happening::default();
        let (mut view, mut legal) = (Vec::new(), Vec::new());
        let mut moves = Vec::new();
        for turn in 1.. {
            let seat = match table.turn() {
                Turn::Over => break,
                Turn::Chance => {
                    table.draw(&mut chance, &mut happening);
                    continue;
                }
                Turn::Seat(seat) => seat,
            };
            view.clear();
            table.write_view(seat, &mut view);
            legal.clear();
            table.write_legal(&mut legal);
            let legal = self.send_legal.then_some(&legal[..]);
            line.clear();
            write_turn_line(&mut line, turn, &names[seat.index()], &view, legal, &clock);
            answer.clear();
            let shown = || String::from_utf8_lossy(&line).into_owned();
            let (session, _) = &mut self.players[seats[seat.index()]];
            session
                .answer(&line, &mut answer)
                .map(|flow| assert!(flow.is_continue(), "left the game at {}", shown()))
                .unwrap_or_else(|e| panic!("{e} at {}", shown()));
            let answer = std::str::from_utf8(&answer).unwrap().trim_end();
            let Ok(BotMessage::Move(answered)) = serde_json::from_str(answer) else {
                panic!("expected a move, got {answer} at {}", shown());
            };
            assert_eq!(answered.turn, turn, "{answer}");
            table
                .play(&answered.action.to_string(), &mut happening)
                .unwrap_or_else(|e| panic!("game {seed}: {answer} is refused: {e} at {}", shown()));
            moves.push(answer.to_string());
        }
        Played { outcome: table.outcome().expect("the game is over"), moves }
    }
}
