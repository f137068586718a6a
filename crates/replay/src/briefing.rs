//! The lines that frame a game: `hello`, `start`, `error` and `end`. They are made here and nowhere else,
//! so that what a replay says a bot was sent is what it was sent.

use botyard_engine::{Seat, Table};
use botyard_protocol::{
    End, EndOutcome, ErrorDetail, ErrorMessage, Fault, Limits, PROTOCOL, Player, Program,
    RefereeHello, RefereeMessage, Start, TimeControl, write_line, write_start_line,
};
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// The name under which the referee introduces itself.
pub const REFEREE_NAME: &str = "botyard";

/// The version of the referee, as in `hello` and in replays.
pub const REFEREE_VERSION: &str = env!("CARGO_PKG_VERSION");

/// Appends the `hello` line of the referee with this version.
pub fn write_hello(out: &mut Vec<u8>, version: &str, limits: &Limits) {
    let referee = Program { name: REFEREE_NAME.to_string(), version: version.to_string() };
    let hello = RefereeHello { protocol: PROTOCOL, referee, limits: *limits };
    write_line(out, &RefereeMessage::Hello(hello));
}

/// What every bot of a game is told in `start`.
#[derive(Clone, Debug)]
pub struct Briefing {
    /// Names the game.
    pub game_id: String,
    /// The game's name.
    pub game: String,
    /// The resolved rules.
    pub rules: Value,
    /// The names of all seats, in seat order.
    pub seats: Vec<String>,
    /// Who holds which seats.
    pub players: Vec<Player>,
    /// The clock.
    pub time: TimeControl,
}

impl Briefing {
    /// Appends the `start` line for the player with this index and the options chosen for it, in the
    /// game that has begun at this table.
    ///
    /// # Panics
    ///
    /// If there is no such player, or if it holds a seat that the table does not have.
    pub fn write_start(
        &self,
        out: &mut Vec<u8>,
        player: usize,
        options: &BTreeMap<String, Value>,
        table: &dyn Table,
    ) {
        let you = &self.players[player].seats;
        let setup_of = |name: &String| {
            let place = table.seats().iter().position(|seat| seat == name);
            let place = place.expect("a player holds seats of the table");
            RawValue::from_string(table.setup(Seat::new(place)))
                .expect("a table writes its setup as JSON")
        };
        let setups: Vec<Box<RawValue>> = you.iter().map(setup_of).collect();
        let first = setups.first().expect("a player holds a seat");
        let others = you.iter().zip(&setups).filter(|(_, setup)| setup.get() != first.get());
        let start = Start {
            game_id: self.game_id.clone(),
            game: self.game.clone(),
            rules: self.rules.clone(),
            seats: self.seats.clone(),
            you: you.clone(),
            players: self.players.clone(),
            time: self.time.clone(),
            options: options.clone(),
            setup: &**first,
            setups: others.map(|(seat, setup)| (seat.clone(), &**setup)).collect(),
        };
        write_start_line(out, &start);
    }
}

/// Appends the `end` line; `reveal` is the whole final state ([`botyard_engine::Table::state`]).
pub fn write_end(out: &mut Vec<u8>, outcome: &EndOutcome, faults: &[Fault], reveal: Value) {
    let end = End { outcome: outcome.clone(), faults: faults.to_vec(), reveal };
    write_line(out, &RefereeMessage::End(end));
}

/// How many legal actions an `error` line shows.
const LEGAL_SAMPLE: usize = 10;

/// Appends the `error` line that tells a bot of its fault. `legal` is what it could have played,
/// where that is to the point; the first ten are told.
pub fn write_error(out: &mut Vec<u8>, fault: &Fault, fatal: bool, mut legal: Vec<Value>) {
    legal.truncate(LEGAL_SAMPLE);
    let got = fault.got.clone().unwrap_or_default();
    let has_detail = fault.got.is_some() || !legal.is_empty();
    let error = ErrorMessage {
        turn: (fault.turn > 0).then_some(fault.turn),
        code: fault.kind,
        message: fault.message.clone(),
        fatal,
        detail: has_detail.then_some(ErrorDetail { got, legal_sample: legal }),
    };
    write_line(out, &RefereeMessage::Error(error));
}
