//! Games played by random legal actions and recorded as a referee does it.

use botyard_engine::registry::SetupError;
use botyard_engine::{
    Game, GameEvent, RulesError, Seat, Seed, Stream, Table, Turn, TypedTable, random,
};
use botyard_protocol::{
    ClockKind, EndOutcome, Fault, FaultKind, Limits, OnFault, OutcomeKind, Program, TimeControl,
};
use botyard_replay::forfeit_reason;
use botyard_replay::{
    BotIdentity, EndEvent, EndTime, FORMAT, FaultEvent, Header, MoveTime, OpeningSource, PlayedBy,
    ReplayPlayer, ReplayReader, ReplayWriter, SeatHolder, VerifyError, VerifyReport,
    registered_table, verify,
};
use botyard_testkit::dice::Dice;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The parameters of a recorded game.
#[derive(Clone)]
pub struct Recording {
    pub game: &'static str,
    pub preset: &'static str,
    pub changes: &'static [(&'static str, &'static str)],
    pub seed: u64,
    /// Whether the game is drawn from a key that follows from the seed, instead of from the seed.
    pub keyed: bool,
    /// The seed of the choice among legal actions.
    pub moves: u64,
    /// The given opening, if there is one.
    pub opening: Option<String>,
    /// The seat with this index commits this fault at its first decision from this number on.
    pub fault: Option<(usize, u32, FaultKind)>,
    /// The rule for faults.
    pub on_fault: OnFault,
    /// Whether one player holds all seats but the first.
    pub two_players: bool,
}

pub fn pig(seed: u64) -> Recording {
    Recording {
        game: "pig",
        preset: "long",
        changes: &[],
        seed,
        keyed: false,
        moves: seed,
        opening: None,
        fault: None,
        on_fault: OnFault::Forfeit,
        two_players: false,
    }
}

pub fn scotland_yard(preset: &'static str, seed: u64) -> Recording {
    Recording { game: "scotland-yard", preset, ..pig(seed) }
}

/// Sets up a table for any game of the registry, and for the dice game of the test kit.
pub fn any_table(game: &str, rules: &Value) -> Result<Box<dyn Table>, SetupError> {
    if game != Dice::NAME {
        return registered_table(game, rules);
    }
    let rules = serde_json::from_value(rules.clone())
        .map_err(|error| RulesError::bad_value("set as a whole", error.to_string()))?;
    Ok(Box::new(TypedTable::new(Arc::new(Dice::new(rules)?))))
}

impl Recording {
    pub fn table(&self) -> Box<dyn Table> {
        if self.game == Dice::NAME {
            let rules = Dice::preset(self.preset).expect("a preset of the dice game");
            return any_table(self.game, &json!(rules)).expect("good rules");
        }
        let changes: Vec<_> =
            self.changes.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
        let maker = botyard_engine::registry::tables(self.game, Some(self.preset), &changes);
        maker.expect("good rules")()
    }

    fn player_of(&self, seats: &[String], seat: usize) -> String {
        match (self.two_players, seat) {
            (false, _) => format!("bot {}", seats[seat]),
            (true, 0) => "first".to_string(),
            (true, _) => "rest".to_string(),
        }
    }

    pub fn header(&self, table: &dyn Table) -> Header {
        let seats = table.seats();
        let holders: Vec<SeatHolder> = (0..seats.len())
            .map(|seat| SeatHolder {
                seat: seats[seat].clone(),
                player: self.player_of(seats, seat),
            })
            .collect();
        let mut players: Vec<ReplayPlayer> = Vec::new();
        for holder in &holders {
            match players.iter_mut().find(|player| player.name == holder.player) {
                Some(player) => player.seats.push(holder.seat.clone()),
                None => players.push(ReplayPlayer {
                    name: holder.player.clone(),
                    seats: vec![holder.seat.clone()],
                    bot: Some(BotIdentity {
                        name: "random".into(),
                        version: Some("1.0".into()),
                        author: None,
                    }),
                    options: BTreeMap::from([("seed".to_string(), json!(self.moves))]),
                    command_sha256: Some("ab".repeat(32)),
                    time: None,
                    untimed: false,
                }),
            }
        }
        Header {
            format: FORMAT,
            game_id: format!("{}-{}", self.game, self.seed),
            game: self.game.to_string(),
            rules: table.rules(),
            engine: Program { name: "botyard".into(), version: "0.0.1".into() },
            seed: Some(self.drawn_from()),
            opening: match self.opening {
                Some(_) => OpeningSource::Given,
                None => OpeningSource::Drawn,
            },
            protocol: 1,
            time_control: TimeControl {
                kind: ClockKind::Wall,
                move_ms: Some(1000),
                bank_ms: Some(60_000),
                increment_ms: 5,
                grace_ms: 0,
                on_fault: self.on_fault,
            },
            limits: Limits::default(),
            legal: true,
            sandbox: "none".into(),
            frozen: false,
            backend: None,
            seats: holders,
            players,
            adjudication: Default::default(),
            imported: None,
            view_of: None,
        }
    }

    /// Returns the seed of all draws.
    fn drawn_from(&self) -> Seed {
        match self.keyed {
            true => Seed::Key([self.seed as u8; 32]),
            false => self.seed.into(),
        }
    }

    /// Returns the whole replay.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.record(&mut bytes);
        bytes
    }

    /// Returns the whole replay as text.
    pub fn text(&self) -> String {
        String::from_utf8(self.bytes()).expect("a replay is UTF-8")
    }

    fn record(&self, out: &mut Vec<u8>) {
        let mut table = self.table();
        let seats = table.seats().to_vec();
        let header = self.header(&*table);
        let mut writer = ReplayWriter::new(out, &header).expect("memory does not fail");
        let opening = match &self.opening {
            Some(opening) => table.open_with(opening).expect("a good opening"),
            None => table.open(&mut self.drawn_from().stream("opening")),
        };
        writer.write_opening(&opening).expect("memory does not fail");
        let mut chance = self.drawn_from().stream("chance");
        let mut substitutes = self.drawn_from().stream("substitute");
        let mut moves = Stream::new(self.moves, "moves of a test");
        let mut forfeited = vec![false; seats.len()];
        let mut game_event = GameEvent::default();
        let mut fault = self.fault;
        let mut decided_by = None;
        let mut turn = 0;
        loop {
            let seat = match table.turn() {
                Turn::Over => break,
                Turn::Chance => {
                    table.draw(&mut chance, &mut game_event);
                    writer.write_chance(turn, &game_event).expect("memory does not fail");
                    continue;
                }
                Turn::Seat(seat) => seat,
            };
            let time = MoveTime {
                wall_us: 100 + u64::from(turn),
                cpu_us: None,
                bank_ms: Some(60_000 - u64::from(turn)),
                excused_us: None,
            };
            if let Some((index, when, kind)) = fault
                && seat.index() == index
                && turn + 1 >= when
            {
                fault = None;
                let fatal = self.on_fault == OnFault::Forfeit;
                let failed = Fault {
                    kind,
                    seat: seats[index].clone(),
                    turn: turn + 1,
                    message: "expected an answer, got none of use".into(),
                    got: Some("{\"type\":\"move\",\"secret\":true}".into()),
                };
                let again = self.on_fault == OnFault::Retry;
                writer
                    .write_fault(&FaultEvent { fault: failed, fatal }, (!again).then_some(time))
                    .expect("memory does not fail");
                if fatal {
                    let player = self.player_of(&seats, index);
                    let others = (0..seats.len())
                        .filter(|&o| o != index && self.player_of(&seats, o) == player);
                    for lost in [index].into_iter().chain(others) {
                        forfeited[lost] = true;
                        if table.turn() != Turn::Over {
                            table.forfeit(Seat::new(lost));
                        }
                    }
                    if table.turn() == Turn::Over {
                        decided_by = Some(kind);
                    }
                    continue;
                }
                if self.on_fault == OnFault::Substitute {
                    let legal = table.legal();
                    let chosen = random::choose(substitutes.rng(), &legal).expect("has an action");
                    table.play(&chosen.to_string(), &mut game_event).expect("legal");
                    turn += 1;
                    let by = Some(PlayedBy::Referee);
                    writer
                        .write_move(turn, seat, &game_event, None, by, None)
                        .expect("memory does not fail");
                    self.state(&mut writer, turn, &*table);
                    continue;
                }
            }
            let referee = forfeited[seat.index()];
            let action = if referee {
                table.pass()
            } else {
                let legal = table.legal();
                random::choose(moves.rng(), &legal).expect("has an action").to_string()
            };
            table.play(&action, &mut game_event).expect("legal");
            turn += 1;
            let info = format!("{{\"score\":{turn},\"chain\":\"of thought\"}}");
            writer
                .write_move(
                    turn,
                    seat,
                    &game_event,
                    (!referee).then_some(&*info),
                    referee.then_some(PlayedBy::Referee),
                    (!referee).then_some(time),
                )
                .expect("memory does not fail");
            self.state(&mut writer, turn, &*table);
            if turn == 5 {
                let player = self.player_of(&seats, seat.index());
                writer
                    .write_log(turn, &player, "thinking\u{1b}[31m")
                    .expect("memory does not fail");
            }
        }
        let outcome = table.outcome().expect("the game is over");
        let (kind, reason) = match decided_by {
            Some(kind) => (OutcomeKind::BotFault, forfeit_reason(kind)),
            None => (OutcomeKind::Completed, outcome.reason.to_string()),
        };
        let outcome = EndOutcome {
            kind,
            scores: outcome.scores.to_vec(),
            ranks: outcome.ranks.to_vec(),
            reason,
        };
        let time = EndTime {
            total_us: seats.iter().map(|seat| (seat.clone(), 12_345)).collect(),
            host: None,
            rules_us: None,
        };
        let end = EndEvent { outcome, turns: turn, adjudicated: None };
        writer
            .write_end(Some(table.state_hash()), &end, Some(&time))
            .expect("memory does not fail");
    }

    fn state(&self, writer: &mut ReplayWriter<&mut Vec<u8>>, turn: u32, table: &dyn Table) {
        if ReplayWriter::<Vec<u8>>::state_is_due(turn) {
            writer.write_state(turn, table.state_hash()).expect("memory does not fail");
        }
    }
}

/// Verifies a replay in memory.
pub fn check(replay: &[u8]) -> Result<VerifyReport, VerifyError> {
    verify(ReplayReader::new(replay)?, &any_table)
}

/// Returns the replay with its chain recomputed after its lines were changed, as a forger could do
/// it.
pub fn rechained(lines: &[String]) -> Vec<u8> {
    let mut chain = botyard_replay::Chain::default();
    let mut text = String::new();
    for line in lines {
        let (body, rest) = line.rsplit_once(",\"chain\":\"").expect("every line has a chain");
        let link = chain.extend(body.as_bytes());
        text.push_str(&format!("{body},\"chain\":\"{link}{}\n", &rest[16..]));
    }
    text.into_bytes()
}

pub fn lines(text: &str) -> Vec<String> {
    text.lines().map(String::from).collect()
}
