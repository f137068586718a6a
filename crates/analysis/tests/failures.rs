//! What is stored of an analysis if the bot fails, or if it cannot be stored.

use botyard_analysis::{AnalysisConfig, Observer, run};
use botyard_referee::Interrupt;
use botyard_replay::{Analysis, AnalyzedDecision};
use botyard_runner::{ContainmentConfig, Error, Message, Programs};
use botyard_sandbox::Launcher;
use std::fs;
use std::path::{Path, PathBuf};

/// Plays the first legal action and records that it was asked. At the question whose number is in the
/// file `crash`, it exits. At its first question it makes the directory whose name is in the file
/// `take`.
const BOT: &str = r#"
import json, pathlib, sys
notes = pathlib.Path("NOTES")
crash, take = notes / "crash", notes / "take"
asked = 0
for line in sys.stdin:
    message = json.loads(line)
    match message["type"]:
        case "hello": answer = {"type": "hello", "protocol": 1, "name": "bot", "games": []}
        case "start": answer = {"type": "ready"}
        case "turn":
            asked += 1
            with open(notes / "asked", "a") as file: file.write("asked\n")
            if crash.exists() and asked == int(crash.read_text()): sys.exit(7)
            if take.exists(): pathlib.Path(take.read_text(), "inside").mkdir(parents=True, exist_ok=True)
            answer = {"type": "move", "turn": message["turn"], "action": message["legal"][0]}
        case "quit": break
        case _: continue
    print(json.dumps(answer), flush=True)
"#;

struct Quiet;

impl Observer for Quiet {
    fn warn(&mut self, _: &[Message]) {}
    fn started(&mut self, _: usize, _: usize) {}
    fn decided(&mut self, _: &AnalyzedDecision) {}
}

/// A game of draughts and a bot, each in a directory of its own.
struct Desk {
    place: tempfile::TempDir,
}

impl Desk {
    fn new() -> Desk {
        let desk = Desk { place: tempfile::tempdir().unwrap() };
        for directory in ["bot", "game", "notes"] {
            fs::create_dir(desk.path(directory)).unwrap();
        }
        let notes = desk.path("notes");
        fs::write(desk.path("bot/bot.py"), BOT.replace("NOTES", notes.to_str().unwrap())).unwrap();
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../replay/tests/data");
        fs::copy(data.join("draughts-retry.ndjson"), desk.replay()).unwrap();
        desk
    }

    fn path(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    fn replay(&self) -> PathBuf {
        self.path("game/one.ndjson")
    }

    /// The file of the analysis.
    fn file(&self) -> PathBuf {
        Analysis::path(&self.replay(), "bot")
    }

    fn analyze(&self, seats: &[&str]) -> Result<Analysis, Error> {
        let config = AnalysisConfig {
            replay: self.replay(),
            bot: format!("python3 '{}'", self.path("bot/bot.py").display()),
            seats: seats.iter().map(ToString::to_string).collect(),
            // The host may be busy.
            move_ms: 60_000,
            depth: None,
            again: false,
            containment: ContainmentConfig::none(),
        };
        let launcher = Launcher { program: "/no/such/launcher".into(), args: Vec::new() };
        let programs = Programs::new(launcher);
        let interrupt = Interrupt::new().unwrap();
        run(&config, &programs, &interrupt, &mut Quiet).map(|(analysis, _)| analysis)
    }

    /// How often the bot was asked since the last call.
    fn asked(&self) -> usize {
        let asked = fs::read_to_string(self.path("notes/asked")).unwrap_or_default();
        let _ = fs::remove_file(self.path("notes/asked"));
        asked.lines().count()
    }
}

fn turns(analysis: &Analysis) -> Vec<u32> {
    analysis.decisions.iter().map(|decision| decision.turn).collect()
}

#[test]
fn answers_before_a_failure_are_stored_and_the_next_run_asks_the_rest() {
    let desk = Desk::new();
    fs::write(desk.path("notes/crash"), "3").unwrap();
    let error = desk.analyze(&["white"]).unwrap_err().to_string();
    assert!(error.contains("failed after 2 analyzed decisions, which are stored"), "{error}");
    assert_eq!(desk.asked(), 3);
    let stored = Analysis::read(&desk.file()).expect("two answers are stored");
    assert_eq!(turns(&stored), [1, 3]);
    assert!(!stored.is_complete);

    fs::remove_file(desk.path("notes/crash")).unwrap();
    let analysis = desk.analyze(&["white"]).unwrap();
    assert!(analysis.is_complete);
    assert_eq!(analysis.decisions[..2], stored.decisions[..]);
    let odd: Vec<u32> = (1..=35).step_by(2).collect();
    assert_eq!(turns(&analysis), odd);
    assert_eq!(desk.asked(), odd.len() - 2);
    assert_eq!(Analysis::read(&desk.file()), Some(analysis));
}

#[test]
fn nothing_is_stored_of_a_bot_that_never_answered() {
    let desk = Desk::new();
    fs::write(desk.path("notes/crash"), "1").unwrap();
    let error = desk.analyze(&[]).unwrap_err().to_string();
    assert!(error.contains("nothing is stored"), "{error}");
    assert!(!desk.file().exists());
}

#[test]
fn nothing_is_asked_whose_answer_cannot_be_stored() {
    let desk = Desk::new();
    fs::create_dir_all(desk.file().join("inside")).unwrap();
    let error = desk.analyze(&[]).unwrap_err().to_string();
    assert!(error.contains("the analysis cannot be written to"), "{error}");
    assert_eq!(desk.asked(), 0);
    fs::remove_dir_all(desk.file()).unwrap();

    // The file cannot be written any more after the first question.
    fs::write(desk.path("notes/take"), desk.file().to_str().unwrap()).unwrap();
    let error = desk.analyze(&[]).unwrap_err().to_string();
    assert!(error.contains("the analysis cannot be written to"), "{error}");
    let asked = desk.asked();
    assert!((1..36).contains(&asked), "asked about {asked} of 36 decisions");
}

#[test]
fn one_side_of_a_game_of_two_is_compared_with_itself() {
    let desk = Desk::new();
    assert!(desk.analyze(&[]).unwrap().is_two_sided);
    assert!(!desk.analyze(&["black"]).unwrap().is_two_sided);
    // A bot's fault decided this game.
    assert_eq!(desk.analyze(&["white"]).unwrap().result, []);
}
