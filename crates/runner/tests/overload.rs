//! A match of real programs on a host that is overloaded by its own measurements, whatever the load of the
//! machine that runs the test: fewer games are played at once, and the excused time is in the result.

use botyard_referee::{CanaryReading, HostGauge, Interrupt};
use botyard_runner::{
    Config, ContainmentConfig, Games, JsonLines, MatchGames, Plan, Programs, RunConfig, TimeConfig,
};
use botyard_sandbox::{CoreWait, CoreWaits, HostLoad, Launcher};
use serde_json::Value;
use std::fs;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Plays the first action after a pause that is long enough for the referee to measure the host.
const BOT: &str = r#"
import json, sys, time
for line in sys.stdin:
    message = json.loads(line)
    match message["type"]:
        case "hello": answer = {"type": "hello", "protocol": 1, "name": "bot", "games": []}
        case "start": answer = {"type": "ready"}
        case "turn":
            time.sleep(0.06)
            answer = {"type": "move", "turn": message["turn"], "action": message["legal"][0]}
        case "quit": break
        case _: continue
    print(json.dumps(answer), flush=True)
"#;

/// A host on which every thread waits for a core since the test began.
#[derive(Debug)]
struct Overloaded;

impl HostGauge for Overloaded {
    fn canary(&self) -> CanaryReading {
        CanaryReading::default()
    }

    fn load(&self) -> HostLoad {
        HostLoad::default()
    }

    fn longest_core_wait(&self, _: &mut CoreWaits, _: i32) -> Option<CoreWait> {
        static BEGUN: OnceLock<Instant> = OnceLock::new();
        let known = BEGUN.get_or_init(Instant::now).elapsed() + Duration::from_secs(2);
        Some(CoreWait { known, possible: known })
    }
}

#[test]
fn a_match_on_an_overloaded_host_plays_one_game_at_a_time() {
    let place = tempfile::tempdir().unwrap();
    let script = place.path().join("bot.py");
    fs::write(&script, BOT).unwrap();
    let bots = ["a", "b"].map(|name| format!("{name}=python3 {}", script.display())).to_vec();
    let config = Config {
        games: Games::Number(4),
        containment: ContainmentConfig::none(),
        running: RunConfig { concurrency: Some(2), ..RunConfig::default() },
        // The machine may be busy.
        time: TimeConfig { move_ms: Some(60_000), ..TimeConfig::default() },
        ..Config::new("connect-four", bots)
    };
    let programs =
        Programs::new(Launcher { program: "/no/such/launcher".into(), args: Vec::new() });
    let plan = Plan { gauge: &Overloaded, ..Plan::new(&config, &programs).unwrap() };
    let interrupt = Interrupt::new().unwrap();
    let mut games = MatchGames::new(&plan, false, &interrupt);
    let mut out = Vec::new();
    let stopped = games.play(&mut JsonLines::new(&mut out), None).unwrap();
    assert!(stopped.is_none(), "{stopped:?}");
    assert_eq!(games.tally.counted, 4);
    let text = String::from_utf8(out).unwrap();
    let events: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let change = events.iter().find(|event| event["type"] == "concurrency_changed");
    let change = change.expect("a change");
    assert_eq!((&change["before"], &change["after"]), (&2.into(), &1.into()));
    assert!(change["waited"].as_f64().unwrap() > 0.25, "{change}");
}
