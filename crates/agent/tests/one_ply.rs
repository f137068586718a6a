//! The example as a real process: it says `hello` and plays every game to its end over the
//! protocol.

use botyard_engine::registry;
use botyard_protocol::BotMessage;
use botyard_testkit::in_memory::{BotOptions, Conditions, play};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

pub const HELLO: &[u8] = br#"{"type":"hello","protocol":1,"referee":{"name":"test","version":"1"},"limits":{"line_bytes":65536,"nesting":64,"stdout_bytes":16777216,"stderr_bytes":16777216,"start_ms":10000,"setup_ms":10000,"quit_ms":1000}}
"#;

/// Returns the example's executable, beside those of the tests.
pub fn program() -> PathBuf {
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

    fn read(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line
    }

    /// Holds every seat of a game; returns the number of actions.
    fn play(&mut self, game: &str, seed: u64) -> usize {
        let mut table = registry::tables(game, None, &[]).unwrap()();
        let seats = vec![0; table.seats().len()];
        let options = [BotOptions::new()];
        let conditions = Conditions { options: &options, move_ms: 60_000, send_legal: true };
        let played = play(&mut *table, seed, &seats, &conditions, &mut |_, line| {
            self.send(line);
            self.read()
        });
        played.moves.len()
    }
}

#[test]
fn it_plays_every_game_to_its_end() {
    let mut bot = Bot::start();
    bot.send(HELLO);
    let Ok(BotMessage::Hello(hello)) = serde_json::from_str(&bot.read()) else {
        panic!("expected hello")
    };
    assert_eq!((hello.name.as_str(), hello.games.as_slice()), ("one-ply", &*registry::names()));
    for game in registry::names() {
        assert!(bot.play(&game, 7) > 0, "{game}");
    }
    bot.send(b"{\"type\":\"quit\"}\n");
    assert_eq!(bot.process.wait().unwrap().code(), Some(0));
}
