//! The example as a real process: it says `hello` and plays every game to its end over the
//! protocol.

use botyard_engine::{Happening, Seat, Stream, Turn, registry};
use botyard_protocol::{
    BotMessage, Clock, ClockKind, OnFault, RefereeMessage, Start, TimeControl, write_line,
    write_turn_line,
};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const HELLO: &[u8] = br#"{"type":"hello","protocol":1,"referee":{"name":"test","version":"1"},"limits":{"line_bytes":65536,"nesting":64,"stdout_bytes":16777216,"stderr_bytes":16777216,"start_ms":10000,"setup_ms":10000,"quit_ms":1000}}
"#;

/// The example's executable, beside those of the tests.
fn program() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    let target = tests.ancestors().nth(2).unwrap();
    let program = target.join("examples").join(format!("one_ply{}", std::env::consts::EXE_SUFFIX));
    if !program.exists() {
        // `cargo test --test NAME` builds no examples.
        let build = Command::new(env!("CARGO"))
            .args(["build", "--example", "one_ply", "--manifest-path"])
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
            .status()
            .unwrap();
        assert!(build.success() && program.exists(), "no {}", program.display());
    }
    program
}

struct Bot {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Bot {
    fn start() -> Bot {
        let mut process =
            Command::new(program()).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let input = process.stdin.take().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        Bot { process, input, output }
    }

    fn send(&mut self, line: &[u8]) {
        self.input.write_all(line).unwrap();
    }

    fn read(&mut self) -> BotMessage {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    /// Holds every seat of a game; returns the number of actions.
    fn play(&mut self, game: &str, seed: u64) -> u32 {
        let mut table = registry::tables(game, None, &[]).unwrap()();
        let mut chance = Stream::new(seed, "chance");
        table.open(&mut Stream::new(seed, "opening"));
        let names = table.seats().to_vec();
        let mut line = Vec::new();
        let time = TimeControl {
            kind: ClockKind::Wall,
            move_ms: Some(60_000),
            bank_ms: None,
            increment_ms: 0,
            grace_ms: 0,
            on_fault: OnFault::Forfeit,
        };
        let start = Start {
            game_id: format!("{game} {seed}"),
            game: game.into(),
            rules: table.rules(),
            seats: names.clone(),
            you: names.clone(),
            players: Vec::new(),
            time,
            options: BTreeMap::new(),
            setup: serde_json::from_str(&table.setup(Seat::new(0))).unwrap(),
            setups: BTreeMap::new(),
        };
        write_line(&mut line, &RefereeMessage::Start(Box::new(start)));
        self.send(&line);
        assert!(matches!(self.read(), BotMessage::Ready));
        let clock =
            Clock { kind: ClockKind::Wall, move_ms: Some(60_000), bank_ms: None, increment_ms: 0 };
        let mut happening = Happening::default();
        let (mut view, mut legal) = (Vec::new(), Vec::new());
        for turn in 1.. {
            let seat = match table.turn() {
                Turn::Over => return turn - 1,
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
            line.clear();
            write_turn_line(&mut line, turn, &names[seat.index()], &view, Some(&legal), &clock);
            self.send(&line);
            let BotMessage::Move(answer) = self.read() else { panic!("expected a move") };
            assert_eq!(answer.turn, turn);
            table.play(&answer.action.to_string(), &mut happening).unwrap();
        }
        unreachable!("games end")
    }
}

#[test]
fn it_plays_every_game_to_its_end() {
    let mut bot = Bot::start();
    bot.send(HELLO);
    let BotMessage::Hello(hello) = bot.read() else { panic!("expected hello") };
    assert_eq!((hello.name.as_str(), hello.games.as_slice()), ("one-ply", &*registry::names()));
    for game in registry::names() {
        assert!(bot.play(&game, 7) > 0, "{game}");
    }
    bot.send(b"{\"type\":\"quit\"}\n");
    assert_eq!(bot.process.wait().unwrap().code(), Some(0));
}
