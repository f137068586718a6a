//! A coordinator on the loopback, a tournament of Connect Four that keeps its replays, and games of it
//! played at random.

use botyard_coordinator::{
    Client, ClientOptions, Coordinator, Event, Limits, Setting, Token, Tokens,
};
use botyard_engine::{GameEvent, Turn, registry};
use botyard_league::replay_names::replay_name;
use botyard_league::schedule::{Draws, Stage};
use botyard_league::store::{Definition, StoredCopies, StoredGame};
use botyard_league::{Entrant, PlayedGame, SeatUse, Verdict, schedule::GameKey};
use botyard_protocol::{
    ClockKind, EndOutcome, Limits as BotLimits, OnFault, OutcomeKind, PROTOCOL, Program,
    TimeControl,
};
use botyard_queue::{Address, Lease, Queue, Request, Schedule};
use botyard_replay::{
    EndEvent, FORMAT, Header, MoveTime, OpeningSource, ReplayPlayer, ReplayWriter, SeatHolder,
    compress,
};
use botyard_runner::Programs;
use botyard_sandbox::Launcher;
use botyard_tournament::Acceptance;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A lease that does not expire during a test.
pub const LONG: Duration = Duration::from_secs(3600);

/// A queue, its tokens, and a coordinator that serves it.
pub struct Place {
    pub queue: Arc<Queue>,
    pub tokens: Arc<Tokens>,
    pub limits: Limits,
    address: SocketAddr,
    coordinator: Option<Coordinator>,
    log: Arc<Mutex<Vec<Event>>>,
    _directory: tempfile::TempDir,
}

impl Place {
    pub fn new(limits: Limits) -> Place {
        let directory = tempfile::tempdir().unwrap();
        let address = Address::File(directory.path().join("queue.db"));
        let queue = Arc::new(Queue::open(&address).unwrap());
        let tokens = Arc::new(Tokens::in_file(directory.path().join("tokens.json")));
        let mut place = Place {
            queue,
            tokens,
            limits,
            address: (Ipv4Addr::LOCALHOST, 0).into(),
            coordinator: None,
            log: Arc::default(),
            _directory: directory,
        };
        place.start();
        place
    }

    /// Starts the coordinator, on the port that it had before.
    pub fn start(&mut self) {
        let log = Arc::clone(&self.log);
        let setting = Setting {
            listen: self.address,
            tokens: Arc::clone(&self.tokens),
            programs: programs(),
            limits: self.limits,
            log: Arc::new(move |event| log.lock().unwrap().push(event.clone())),
        };
        let coordinator = Coordinator::start(Arc::clone(&self.queue), setting).unwrap();
        self.address = coordinator.address();
        self.coordinator = Some(coordinator);
    }

    pub fn stop(&mut self) {
        self.coordinator.take().unwrap().stop(Duration::from_secs(30));
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Adds a token.
    pub fn token(&self, name: &str) -> Token {
        self.tokens.add(name).unwrap()
    }

    /// Returns a client with a token of its own.
    pub fn client(&self, name: &str) -> Client {
        Client::connect(&self.url(), &self.token(name), &options()).unwrap()
    }

    /// Returns the events with this name so far.
    pub fn events(&self, name: &str) -> Vec<Event> {
        let log = self.log.lock().unwrap();
        log.iter().filter(|event| event.name == name).cloned().collect()
    }

    /// Sends bytes, and returns everything that is answered until the connection is closed.
    pub fn raw(&self, request: &[u8]) -> String {
        let mut stream = self.connect();
        // The server may answer and close before all was sent.
        let _ = stream.write_all(request);
        rest(&mut stream)
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        stream
    }

    /// Sends a request with a token, and returns the status and the body of the answer.
    pub fn call(&self, method: &str, path: &str, token: &str, body: &[u8]) -> (u16, String) {
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: coordinator\r\nauthorization: Bearer {token}\r\n\
             connection: close\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        let answer = self.raw(&[head.as_bytes(), body].concat());
        (status(&answer), answer.split_once("\r\n\r\n").unwrap().1.to_string())
    }
}

pub fn options() -> ClientOptions {
    ClientOptions { patience: Duration::from_secs(120), ..ClientOptions::default() }
}

/// Reads until the connection is closed.
pub fn rest(stream: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    // A reset after the answer is an end as well.
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

pub fn status(answer: &str) -> u16 {
    let code = answer.split(' ').nth(1).unwrap_or_else(|| panic!("no answer: {answer:?}"));
    code.parse().unwrap()
}

/// A tournament of three bots.
pub fn definition(name: &str) -> Definition {
    let entrant = |index: usize| Entrant { name: format!("bot {index}"), ..Entrant::default() };
    let bots = 3;
    Definition {
        name: name.into(),
        game: "connect-four".into(),
        draws: Draws::numbered(7, name),
        commitment: None,
        file: format!(
            "game = \"connect-four\"\nformat = \"round-robin\"\nblocks = 2\nseed = 7\n\
             [time]\nmove_ms = 500\n{}",
            "[[bot]]\ncommand = \"random\"\n".repeat(bots)
        ),
        directory: "/".into(),
        digest: String::new(),
        version: "0.1.0".into(),
        entrants: (0..bots).map(entrant).collect(),
        rejected: Vec::new(),
        kept: Some(StoredCopies {
            stages: vec![Stage { bots: (0..bots).collect(), blocks: 2, ..Stage::default() }],
            ..StoredCopies::default()
        }),
    }
}

/// Programs of a coordinator whose games are all compiled in.
fn programs() -> Programs {
    Programs::new(Launcher { program: "botyard".into(), args: Vec::new() })
}

/// A tournament in the queue.
pub struct Cup {
    pub id: String,
    pub games: Acceptance,
}

impl Cup {
    pub fn add(place: &Place, id: &str) -> Cup {
        let games = Acceptance::of(definition(id), &programs(), &|_| unreachable!()).unwrap();
        let schedule = Schedule { games: games.schedule(), scale: games.scale() };
        place.queue.add(id, games.definition(), &schedule).unwrap();
        Cup { id: id.to_string(), games }
    }

    pub fn request(&self, worker: &str, blocks: u32) -> Request {
        let tournament = Some(self.id.clone());
        Request { worker: worker.into(), blocks, ttl: LONG, tournament, except: Vec::new() }
    }

    /// Plays a game of a lease.
    pub fn play(&self, lease: &Lease, index: usize) -> Played {
        self.play_as(lease, index, &|_| {})
    }

    /// Plays a game of a lease, with a changed header of its replay.
    pub fn play_as(&self, lease: &Lease, index: usize, alter: &dyn Fn(&mut Header)) -> Played {
        self.play_by(lease, index, alter, Style::default())
    }

    /// Plays a game of a lease with bots of this style.
    pub fn play_by(
        &self,
        lease: &Lease,
        index: usize,
        alter: &dyn Fn(&mut Header),
        style: Style,
    ) -> Played {
        let leased = &lease.games[index];
        let key =
            GameKey { generation: lease.generation, block: lease.block, rotation: leased.rotation };
        let schedule = self.games.schedule();
        let game = schedule.game(&lease.block(), leased.rotation, lease.generation);
        let tables = registry::tables("connect-four", None, &[]).unwrap();
        let mut table = tables();
        let player = |bot: usize| format!("bot {bot}");
        let holders = table.seats().iter().zip(&game.seats);
        let seats: Vec<SeatHolder> = holders
            .map(|(seat, &bot)| SeatHolder { seat: seat.clone(), player: player(bot) })
            .collect();
        let players = seats.iter().map(|holder| ReplayPlayer {
            name: holder.player.clone(),
            seats: vec![holder.seat.clone()],
            bot: None,
            options: Default::default(),
            command_sha256: None,
            time: None,
            untimed: false,
        });
        let mut header = Header {
            format: FORMAT,
            game_id: game.id.clone(),
            game: "connect-four".into(),
            rules: table.rules(),
            engine: Program { name: "referee".into(), version: "1".into() },
            seed: Some(game.seed),
            opening: OpeningSource::Drawn,
            protocol: PROTOCOL,
            time_control: TimeControl {
                kind: ClockKind::Wall,
                move_ms: Some(500),
                bank_ms: None,
                increment_ms: 0,
                grace_ms: 0,
                on_fault: OnFault::Forfeit,
            },
            limits: BotLimits::default(),
            legal: true,
            sandbox: "none".into(),
            frozen: false,
            backend: None,
            players: players.collect(),
            seats,
            adjudication: Default::default(),
            imported: None,
            view_of: None,
        };
        alter(&mut header);
        let mut replay = Vec::new();
        let mut writer = ReplayWriter::new(&mut replay, &header).unwrap();
        writer.write_opening(&table.open(&mut game.seed.stream("opening"))).unwrap();
        let mut event = GameEvent::default();
        let (mut turn, mut uses) = (0, vec![SeatUse::default(); 2]);
        while let Turn::Seat(seat) = table.turn() {
            let mut legal = Vec::new();
            table.write_legal(&mut legal);
            let legal: Vec<serde_json::Value> = serde_json::from_slice(&legal).unwrap();
            turn += 1;
            let choice =
                (game.id.len() + turn as usize * (7 + style.choices) + leased.rotation as usize)
                    % legal.len();
            table.play(&legal[choice].to_string(), &mut event).unwrap();
            let seat_use = &mut uses[seat.index()];
            seat_use.decisions += 1;
            seat_use.wall_us += style.wall_us;
            seat_use.longest_us = style.wall_us;
            let Style { wall_us, .. } = style;
            let time = MoveTime { wall_us, cpu_us: None, bank_ms: None, excused_us: None };
            let time = (wall_us > 0).then_some(time);
            writer.write_move(turn, seat, &event, None, None, time).unwrap();
            if ReplayWriter::<Vec<u8>>::state_is_due(turn) {
                writer.write_state(turn, table.state_hash()).unwrap();
            }
        }
        let outcome = table.outcome().unwrap();
        let outcome = EndOutcome {
            kind: OutcomeKind::Completed,
            scores: outcome.scores.to_vec(),
            ranks: outcome.ranks.to_vec(),
            reason: outcome.reason.to_string(),
        };
        let verdict = Verdict::Scored {
            points: outcome.scores.clone(),
            places: outcome.ranks.iter().map(|&rank| rank.into()).collect(),
        };
        let end = EndEvent { outcome, turns: turn, adjudicated: None };
        writer.write_end(Some(table.state_hash()), &end, None).unwrap();
        drop(writer);
        let name = replay_name(&game.id, leased.attempt) + ".gz";
        let stored = StoredGame {
            key,
            id: schedule.hash(key),
            attempts: leased.attempt,
            game: PlayedGame {
                block: lease.block,
                seats: game.seats,
                verdict,
                void_at: None,
                turns: turn,
                uses,
                faults: Vec::new(),
                replay: Some(name.clone()),
            },
        };
        Played { stored, name, replay: compress(&replay).unwrap() }
    }
}

/// How bots play.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// Another number gives other choices.
    pub choices: usize,
    /// The time of each decision.
    pub wall_us: u64,
}

/// A game with its replay.
pub struct Played {
    pub stored: StoredGame,
    pub name: String,
    pub replay: Vec<u8>,
}
