//! The lines that frame a game: `hello`, `start`, `error` and `end`. They are made only here, so
//! that the lines reconstructed from a replay are those that the bot was sent.

use botyard_engine::{Seat, Table};
use botyard_protocol::{
    BotTime, End, EndOutcome, ErrorDetail, ErrorMessage, Fault, Limits, PROTOCOL, Player, Program,
    RefereeHello, RefereeMessage, Start, TimeControl, write_line, write_start_line,
};
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// The name of the referee in its `hello`.
pub const REFEREE_NAME: &str = "botyard";

/// The version of the referee in `hello` and in replays.
pub const REFEREE_VERSION: &str = env!("CARGO_PKG_VERSION");

/// Appends the `hello` line of a referee of this version.
pub fn write_hello(out: &mut Vec<u8>, version: &str, limits: &Limits) {
    let referee = Program { name: REFEREE_NAME.to_string(), version: version.to_string() };
    let hello = RefereeHello { protocol: PROTOCOL, referee, limits: *limits };
    write_line(out, &RefereeMessage::Hello(hello));
}

/// The contents of `start` that are the same for all bots of a game.
#[derive(Clone, Debug)]
pub struct Briefing {
    /// The ID of the game.
    pub game_id: String,
    /// The game's name.
    pub game: String,
    /// The resolved rules.
    pub rules: Value,
    /// The names of all seats, in seat order.
    pub seats: Vec<String>,
    /// The players and their seats.
    pub players: Vec<Player>,
    /// The clock of all bots without times of their own.
    pub time: TimeControl,
}

impl Briefing {
    /// Appends the `start` line for the player with this index, its options and its own times if
    /// it has any, in the game that was opened at this table.
    ///
    /// # Panics
    ///
    /// If there is no such player, or it holds no seat, or a seat that the table does not have.
    pub fn write_start(
        &self,
        out: &mut Vec<u8>,
        player: usize,
        options: &BTreeMap<String, Value>,
        own_time: Option<BotTime>,
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
            time: self.time.of_bot(own_time),
            options: options.clone(),
            setup: &**first,
            setups: others.map(|(seat, setup)| (seat.clone(), &**setup)).collect(),
        };
        write_start_line(out, &start);
    }
}

/// Appends the `end` line. `reveal` is the whole final state ([`botyard_engine::Table::state`]).
pub fn write_end(out: &mut Vec<u8>, outcome: &EndOutcome, faults: &[Fault], reveal: Value) {
    let end = End { outcome: outcome.clone(), faults: faults.to_vec(), reveal };
    write_line(out, &RefereeMessage::End(end));
}

/// The maximum number of legal actions in an `error` line.
const LEGAL_SAMPLE: usize = 10;

/// Appends the `error` line for a bot's fault. `legal` holds the legal actions if they are
/// relevant; the first ten are included.
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
