//! Games that are played at a table without bots, and recorded.

use botyard_engine::registry::tables;
use botyard_engine::{GameEvent, Seed, Stream, Turn, random};
use botyard_protocol::{ClockKind, EndOutcome, Limits, OnFault, OutcomeKind, Program, TimeControl};
use botyard_replay::{
    EndEvent, FORMAT, Header, OpeningSource, ReplayPlayer, ReplayReader, ReplayWriter, SeatHolder,
    registered_table,
};
use botyard_viewer::{Film, Perspective, Picture, Theme, ViewError, film, picture};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;

/// A game to be recorded.
#[derive(Clone, Copy)]
pub struct Recording<'a> {
    pub game: &'a str,
    /// The preset and the changed rules.
    pub rules: (Option<&'a str>, &'a [(&'a str, &'a str)]),
    pub seed: u64,
    pub opening: Option<&'a str>,
    /// How the players are called; the number of their seat follows.
    pub player: &'a str,
    /// What every player reports about its decisions; the number of its seat follows.
    pub info: Option<&'a str>,
    /// What the first player draws, as JSON.
    pub draw: Option<&'a str>,
    /// After how many decisions the record stops.
    pub stop: u32,
}

pub fn game(game: &str) -> Recording<'_> {
    let rules = (None, &[][..]);
    let (player, stop) = ("bot ", u32::MAX);
    Recording { game, rules, seed: 7, opening: None, player, info: None, draw: None, stop }
}

impl Recording<'_> {
    /// Plays random legal actions.
    pub fn at_random(&self) -> Vec<u8> {
        let mut moves = Stream::new(self.seed, "moves of a test");
        self.played(|_, legal| {
            random::choose(moves.rng(), legal).expect("a seat to move has an action").clone()
        })
    }

    /// Plays what `choose` chooses among the legal actions of a seat, by its index.
    pub fn played(&self, mut choose: impl FnMut(usize, &[Value]) -> Value) -> Vec<u8> {
        let own = |(key, value): &(&str, &str)| (key.to_string(), value.to_string());
        let (preset, changes) = self.rules;
        let changes: Vec<_> = changes.iter().map(own).collect();
        let mut table = tables(self.game, preset, &changes).expect("rules can be played")();
        let seed = Seed::from(self.seed);
        let seats = table.seats().to_vec();
        let holder = |(index, seat): (usize, &String)| SeatHolder {
            seat: seat.clone(),
            player: format!("{}{}", self.player, index + 1),
        };
        let holders: Vec<SeatHolder> = seats.iter().enumerate().map(holder).collect();
        let player = |holder: &SeatHolder| ReplayPlayer {
            name: holder.player.clone(),
            seats: vec![holder.seat.clone()],
            bot: None,
            options: BTreeMap::new(),
            command_sha256: None,
            time: None,
            untimed: false,
        };
        let header = Header {
            format: FORMAT,
            game_id: "a-test".into(),
            game: self.game.to_string(),
            rules: table.rules(),
            engine: Program { name: "botyard".into(), version: "0.0.1".into() },
            seed: Some(seed),
            opening: match self.opening {
                Some(_) => OpeningSource::Given,
                None => OpeningSource::Drawn,
            },
            protocol: 1,
            time_control: TimeControl {
                kind: ClockKind::Wall,
                move_ms: Some(1000),
                bank_ms: None,
                increment_ms: 0,
                grace_ms: 0,
                on_fault: OnFault::Forfeit,
            },
            limits: Limits::default(),
            legal: true,
            sandbox: "none".into(),
            frozen: false,
            backend: None,
            players: holders.iter().map(player).collect(),
            seats: holders,
            adjudication: Default::default(),
            imported: None,
            view_of: None,
        };
        let mut bytes = Vec::new();
        let mut writer = ReplayWriter::new(&mut bytes, &header).expect("memory does not fail");
        let opening = match self.opening {
            Some(opening) => table.open_with(opening).expect("the opening can be played"),
            None => table.open(&mut seed.stream("opening")),
        };
        writer.write_opening(&opening).expect("memory does not fail");
        let mut chance = seed.stream("chance");
        let mut game_event = GameEvent::default();
        let mut turn = 0;
        while turn < self.stop || table.turn() == Turn::Chance {
            let seat = match table.turn() {
                Turn::Over => break,
                Turn::Chance => {
                    table.draw(&mut chance, &mut game_event);
                    writer.write_chance(turn, &game_event).expect("memory does not fail");
                    continue;
                }
                Turn::Seat(seat) => seat,
            };
            let action = choose(seat.index(), &table.legal());
            table.play(&action.to_string(), &mut game_event).expect("the action is legal");
            turn += 1;
            let info = self.info.map(|info| format!("{info}{}", seat.index() + 1));
            let info = info.map(|info| Value::from(info).to_string());
            let draw = self.draw.filter(|_| seat.index() == 0);
            let info = draw.map(|draw| format!("{{\"draw\":{draw}}}")).or(info);
            writer
                .write_move(turn, seat, &game_event, info.as_deref(), None, None)
                .expect("memory does not fail");
            if ReplayWriter::<Vec<u8>>::state_is_due(turn) {
                writer.write_state(turn, table.state_hash()).expect("memory does not fail");
            }
        }
        if let Some(outcome) = table.outcome() {
            let outcome = EndOutcome {
                kind: OutcomeKind::Completed,
                scores: outcome.scores.to_vec(),
                ranks: outcome.ranks.to_vec(),
                reason: outcome.reason.to_string(),
            };
            let end = EndEvent { outcome, turns: turn, adjudicated: None };
            let hash = Some(table.state_hash());
            writer.write_end(hash, &end, None).expect("memory does not fail");
        }
        drop(writer);
        bytes
    }
}

pub fn filmed(replay: &[u8], perspective: Perspective) -> Film {
    let reader = ReplayReader::new(replay).expect("a replay has a header");
    film(reader, &registered_table, perspective).expect("the game can be drawn")
}

pub fn drawn(
    replay: &[u8],
    perspective: Perspective,
    at: Option<u32>,
) -> Result<Picture, ViewError> {
    let reader = ReplayReader::new(replay).map_err(|error| ViewError::Verify(error.into()))?;
    picture(reader, &registered_table, perspective, at, Theme::Light)
}

/// Every seat's perspective, a spectator's and the truth.
pub fn perspectives(replay: &[u8]) -> Vec<Perspective<'static>> {
    const NUMBERS: [&str; 8] = ["1", "2", "3", "4", "5", "6", "7", "8"];
    let reader = ReplayReader::new(replay).expect("a replay has a header");
    let seats = reader.header().seats.len();
    let seats = NUMBERS[..seats].iter().map(|number| Perspective::Seat(number));
    seats.chain([Perspective::Spectator, Perspective::Truth]).collect()
}

/// Recorded games of all kinds: those that the crate `botyard-replay` keeps, with faults of all
/// kinds, and new ones.
pub fn replays() -> Vec<(String, Vec<u8>)> {
    let kept = concat!(env!("CARGO_MANIFEST_DIR"), "/../replay/tests/data");
    let mut replays: Vec<(String, Vec<u8>)> = fs::read_dir(kept)
        .expect("the directory is in the repository")
        .map(|entry| {
            let path = entry.expect("a directory can be read").path();
            (path.display().to_string(), fs::read(&path).expect("a file can be read"))
        })
        .collect();
    // Copies for a seat cannot be drawn.
    replays.retain(|(_, replay)| !String::from_utf8_lossy(replay).contains("\"view_of\":"));
    assert!(replays.len() > 10);
    let few = &[("max_turns", "30")][..];
    for (name, rules) in [
        ("scotland-yard", (Some("ravensburger"), &[][..])),
        ("scotland-yard", (Some("ravensburger-1984"), &[("seats", "pawns"), ("stuck", "removed")])),
        ("scotland-yard", (Some("grid-7x7-3"), &[("x_onto_detective", "illegal")])),
        ("scotland-yard", (Some("grid-15x15-3-stay"), &[("board", "40x3")])),
        ("draughts", (Some("english"), &[])),
        ("draughts", (Some("janacek-2007"), &[])),
        ("dice-wars", (Some("fair-4"), few)),
        ("dice-wars", (Some("sui-2021"), few)),
        ("dice-wars", (Some("classic"), few)),
        ("connect-four", (None, &[])),
        ("liars-dice", (Some("five-dice"), &[])),
        ("liars-dice", (None, &[("players", "6"), ("dice", "2")])),
    ] {
        for seed in 1..=2 {
            let recording = Recording { rules, seed, ..game(name) };
            replays.push((format!("{name} {rules:?}, seed {seed}"), recording.at_random()));
        }
    }
    replays
}
