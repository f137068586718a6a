//! A referee without processes or clocks: plays bots against each other line by line by the
//! protocol, and panics at the first answer that is not a legal action. The caller transports the
//! lines: to a session in memory, or to a process.

use botyard_engine::{GameEvent, Outcome, Seat, Stream, Table, Turn};
use botyard_protocol::{
    BotMessage, Clock, ClockKind, OnFault, RefereeMessage, Start, TimeControl, write_line,
    write_turn_line,
};
use serde_json::Value;
use std::collections::BTreeMap;

/// The options of a bot.
pub type BotOptions = BTreeMap<String, Value>;

/// The conditions under which bots play.
#[derive(Clone, Copy, Debug)]
pub struct Conditions<'a> {
    /// The options of each bot.
    pub options: &'a [BotOptions],
    /// The time per move that the bots are given, in milliseconds.
    pub move_ms: u64,
    /// Whether `turn` messages have the list of legal actions.
    pub send_legal: bool,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// Its outcome.
    pub outcome: Outcome,
    /// The `move` lines of all seats, in order.
    pub moves: Vec<String>,
}

/// Plays the game with this seed. `seats` has for each seat the number of the bot that holds it.
/// `answer` sends a line to a bot, and returns the line that it answers.
///
/// # Panics
///
/// At the first answer that violates the protocol or is not a legal action.
pub fn play(
    table: &mut dyn Table,
    seed: u64,
    seats: &[usize],
    conditions: &Conditions<'_>,
    answer: &mut dyn FnMut(usize, &[u8]) -> String,
) -> Played {
    let move_ms = Some(conditions.move_ms);
    let mut chance = Stream::new(seed, "chance");
    table.open(&mut Stream::new(seed, "opening"));
    let names = table.seats().to_vec();
    assert_eq!(names.len(), seats.len(), "the seats are {names:?}");
    let mut line = Vec::new();
    for (bot, options) in conditions.options.iter().enumerate() {
        let held: Vec<usize> = (0..seats.len()).filter(|&seat| seats[seat] == bot).collect();
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
                move_ms,
                bank_ms: None,
                increment_ms: 0,
                grace_ms: 0,
                on_fault: OnFault::Forfeit,
            },
            options: options.clone(),
            setup: serde_json::from_str(&table.setup(Seat::new(first))).expect("a set-up is JSON"),
            setups: BTreeMap::new(),
        };
        line.clear();
        write_line(&mut line, &RefereeMessage::Start(Box::new(start)));
        assert_eq!(answer(bot, &line), "{\"type\":\"ready\"}\n");
    }
    let clock = Clock { kind: ClockKind::Wall, move_ms, bank_ms: None, increment_ms: 0 };
    let mut game_event = GameEvent::default();
    let (mut view, mut legal) = (Vec::new(), Vec::new());
    let mut moves = Vec::new();
    for turn in 1.. {
        let seat = match table.turn() {
            Turn::Over => break,
            Turn::Chance => {
                table.draw(&mut chance, &mut game_event);
                continue;
            }
            Turn::Seat(seat) => seat,
        };
        view.clear();
        table.write_view(seat, &mut view);
        legal.clear();
        table.write_legal(&mut legal);
        let legal = conditions.send_legal.then_some(&legal[..]);
        line.clear();
        write_turn_line(&mut line, turn, &names[seat.index()], &view, legal, &clock);
        let shown = || String::from_utf8_lossy(&line).into_owned();
        let answered = answer(seats[seat.index()], &line);
        let answered = answered.trim_end();
        let Ok(BotMessage::Move(action)) = serde_json::from_str(answered) else {
            panic!("expected a move, got {answered} at {}", shown());
        };
        assert_eq!(action.turn, turn, "{answered}");
        table
            .play(&action.action.to_string(), &mut game_event)
            .unwrap_or_else(|e| panic!("game {seed}: {answered} is refused: {e} at {}", shown()));
        moves.push(answered.to_string());
    }
    Played { outcome: table.outcome().expect("the game is over"), moves }
}
