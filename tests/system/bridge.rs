//! Bridges: engines of the field as bots. The stand-in engines in `tests/bots` are written from the
//! pages of their protocols; some of them fail.

use crate::command::{BOTYARD, Desk, Ran, events, events_of, finish, free_port, repository};
use botyard_engine::draughts::{Piece, Position, Square};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};

/// Returns the arguments of a bridge to a stand-in engine.
fn engine(protocol: &str, options: &str, mode: &str) -> String {
    let file = match protocol {
        "hub" => "hub_engine.py",
        _ => "uci_engine.py",
    };
    let file = repository("tests/bots").join(file);
    format!("bridge {protocol} {options} python3 '{}' {mode}", file.display())
}

/// Returns the bot that a bridge is.
fn bot(arguments: &str) -> String {
    format!("'{BOTYARD}' {arguments}")
}

/// Returns the option that lets bots have child processes: none where the sandbox does.
fn with_children(desk: &Desk) -> &'static [&'static str] {
    let json: Value = serde_json::from_str(&desk.run(&["sandbox", "--json"]).stdout).unwrap();
    let has_b = json["tiers"][1]["obstacle"].is_null();
    if has_b && !desk.run(&["sandbox"]).stdout.contains("bots cannot start child processes") {
        return &[];
    }
    eprintln!("NOT TESTED on this host: bridges in the sandbox, which has no child processes here");
    &["--sandbox", "none"]
}

#[test]
fn engines_play_whole_games_in_the_sandbox() {
    let desk = Desk::new();
    let children = with_children(&desk);
    for (number, (protocol, options, mode, args, score)) in [
        ("hub", "", "", &[][..], -0.25),
        ("hub", "", "path", &["--no-legal", "--clock", "cpu"], -0.25),
        ("uci-like", "--depth 4", "", &["--bank", "600000", "--increment", "100"], 0.42),
        ("uci-like", "", "floods", &["--rule", "ballots=none"], 0.42),
    ]
    .into_iter()
    .enumerate()
    {
        let bridge = bot(&engine(protocol, options, mode));
        let out = format!("replays-{number}");
        let played = ["match", "draughts", &bridge, "random", "-n", "2", "--seed", "5", "--json"];
        let shown = desk.done(&[&played, &["--out", &out][..], args, children].concat());
        let ended = events(&shown);
        let ended = events_of(&ended, "game_ended");
        assert_eq!(ended.len(), 2);
        for event in ended {
            assert_eq!(event["faults"], json!([]), "{bridge}: {event}");
        }
        for replay in desk.replays(&out) {
            desk.done(&["replay", "verify", replay.to_str().unwrap()]);
            let lines = std::fs::read_to_string(&replay).unwrap();
            let infos: Vec<Value> = lines
                .lines()
                .map(|line| serde_json::from_str::<Value>(line).unwrap())
                .filter_map(|line| Some(line.get("info")?.clone()))
                .filter(|info| info["score"] == score)
                .collect();
            assert!(infos.len() > 5, "{bridge}: {infos:?}");
            // The stand-in's principal variation is its move and one that is not legal.
            assert!(
                infos.iter().all(|info| info["pv"].as_array().unwrap().len() == 1),
                "{infos:?}"
            );
        }
    }
}

#[test]
fn engines_play_a_tournament_from_copies_of_their_files() {
    let desk = Desk::new();
    let children = with_children(&desk);
    std::fs::create_dir(desk.path("engines")).unwrap();
    for file in ["english.py", "hub_engine.py", "uci_engine.py"] {
        let from = repository("tests/bots").join(file);
        std::fs::copy(from, desk.path("engines").join(file)).unwrap();
    }
    let file = format!(
        "name = \"cup\"\ngame = \"draughts\"\nformat = \"round-robin\"\nblocks = 1\nseed = 5\n\
         {sandbox}\n[time]\nmove_ms = 30000\n\
         [[bot]]\nname = \"hub\"\ncommand = \"'{BOTYARD}' bridge hub python3 engines/hub_engine.py\"\n\
         [[bot]]\nname = \"uci\"\ndirectory = \"engines\"\n\
         command = \"'{BOTYARD}' bridge uci-like python3 uci_engine.py\"\n",
        sandbox = if children.is_empty() { "" } else { "[sandbox]\nmode = \"none\"" },
    );
    std::fs::write(desk.path("cup.toml"), file).unwrap();
    let shown = desk.done(&["tournament", "run", "cup.toml"]);
    // The column of faults is the last one of the standings.
    let rows: Vec<&str> = shown.lines().filter(|line| line.contains(" 1-2 ")).collect();
    assert!(rows.len() == 2 && rows.iter().all(|row| row.ends_with('-')), "{shown}");
    desk.done(&["tournament", "check", "cup.tournament"]);
}

#[test]
fn an_engine_whose_bridge_is_contained_without_children_is_refused_with_what_to_do() {
    let desk = Desk::new();
    if with_children(&desk).is_empty() {
        return;
    }
    let bridge = bot(&engine("hub", "", ""));
    let ran = desk.run(&["match", "draughts", &bridge, "random", "--seed", "1"]);
    let said = ran.stdout + &ran.stderr;
    assert!(said.contains("use --sandbox none for an engine that you trust"), "{said}");
}

#[test]
fn options_of_the_engine_are_options_of_the_bot() {
    let desk = Desk::new();
    let children = with_children(&desk);
    for (bridge, option, errors) in [
        (
            engine("hub", "--option book=false", ""),
            "e:depth=7",
            &["set depth=7", "set book=false"][..],
        ),
        (engine("uci-like", "", ""), "e:Style=Solid", &["setoption name Style value Solid"]),
        (
            engine("uci-like", "--option 'Clear Hash='", ""),
            "e:Hash=64",
            &["setoption name Clear Hash", "setoption name Hash value 64"],
        ),
    ] {
        let bridge = format!("e={}", bot(&bridge));
        let args = ["match", "draughts", &bridge, "random", "--seed", "1", "--option", option];
        let ran = desk.run(&[&args, &["--stderr"][..], children].concat());
        for expected in errors {
            assert!(ran.stderr.contains(expected), "{bridge}: {ran:#?}");
        }
    }
}

/// Lines of a referee, from memory.
struct Referee {
    start_ms: u64,
    setup_ms: u64,
    clock: Value,
    fen: &'static str,
    quiet_moves: &'static [&'static str],
}

impl Referee {
    fn new(fen: &'static str) -> Referee {
        let clock = json!({"kind": "wall", "move_ms": 60000, "bank_ms": null, "increment_ms": 0});
        Referee { start_ms: 60_000, setup_ms: 60_000, clock, fen, quiet_moves: &[] }
    }

    fn lines(&self) -> Vec<Value> {
        let position: Position = self.fen.parse().unwrap();
        let letter = |square| match position.piece(square) {
            None => '.',
            Some(Piece { colour, is_king: false }) => colour.letter().to_ascii_lowercase(),
            Some(Piece { colour, is_king: true }) => colour.letter(),
        };
        let seat = position.turn().to_string();
        vec![
            json!({
                "type": "hello", "protocol": 1, "referee": {"name": "desk", "version": "1"},
                "limits": {
                    "line_bytes": 65536, "nesting": 64, "stdout_bytes": 65536, "stderr_bytes": 65536,
                    "start_ms": self.start_ms, "setup_ms": self.setup_ms, "quit_ms": 10000
                }
            }),
            json!({
                "type": "start", "game_id": "1-1", "game": "draughts",
                "rules": {
                    "first_mover": "black", "jump": "whole_path", "promotion_ends_move": true,
                    "compulsory_capture": true, "draw_repetitions": 3, "draw_quiet_plies": 80,
                    "max_plies": 1000, "ballots": "none"
                },
                "seats": ["black", "white"], "you": [seat],
                "players": [{"name": "a", "seats": ["black"]}, {"name": "b", "seats": ["white"]}],
                "time": {
                    "kind": "wall", "move_ms": 1000, "bank_ms": null, "increment_ms": 0,
                    "grace_ms": 0, "on_fault": "forfeit"
                },
                "setup": {"fen": self.fen}
            }),
            json!({
                "type": "turn", "turn": 1, "seat": seat,
                "view": {
                    "to_move": seat, "fen": self.fen,
                    "board": Square::all().map(letter).collect::<String>(),
                    "ply": self.quiet_moves.len(), "quiet_plies": self.quiet_moves.len(),
                    "quiet_moves": self.quiet_moves,
                    "repetitions": 1 + self.quiet_moves.len() / 4
                },
                "clock": self.clock
            }),
        ]
    }

    /// Starts a bridge and sends it the lines.
    fn start(&self, desk: &Desk, arguments: &str) -> Child {
        let words = shlex(arguments);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut child = desk.command(&words).stdin(Stdio::piped()).spawn().unwrap();
        let text: String = self.lines().iter().map(|line| format!("{line}\n")).collect();
        // A bridge that has given up does not read.
        let _ = child.stdin.as_mut().unwrap().write_all(text.as_bytes());
        child
    }

    /// Runs a bridge to its end.
    fn run(&self, desk: &Desk, arguments: &str) -> Ran {
        let mut child = self.start(desk, arguments);
        let _ = child.stdin.take().unwrap().write_all(b"{\"type\":\"quit\"}\n");
        finish(child)
    }
}

/// Splits at spaces outside of quotes.
fn shlex(text: &str) -> Vec<String> {
    let parts = text.split('\'').enumerate();
    parts
        .flat_map(|(index, part)| match index % 2 {
            0 => part.split_whitespace().map(String::from).collect(),
            _ => vec![part.to_string()],
        })
        .collect()
}

const START: &str = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";

#[test]
fn what_fails_is_said_with_what_the_engine_wrote() {
    let desk = Desk::new();
    let patient = || Referee::new(START);
    // Time enough for Python to start on a busy machine.
    let soon = || Referee { start_ms: 4000, ..Referee::new(START) };
    let soon_ready = || Referee { setup_ms: 500, ..Referee::new(START) };
    let ambiguous = || Referee::new("W:WK17:B7,9,14,15,22,23");
    let cases = [
        (
            soon(),
            engine("hub", "", "not-hub"),
            &["expected `wait` after `hub`", "it has not answered for", "I play draughts", "flush"]
                [..],
        ),
        (
            patient(),
            engine("hub", "", "dies-at-init"),
            &["expected `ready` after `init`", "exited with code 7"],
        ),
        (
            patient(),
            engine("hub", "", "dies"),
            &["expected `done move=...` after `go think`", "exited with code 3", "out of memory"],
        ),
        (patient(), engine("hub", "", "error"), &["reports an error: my search is broken"]),
        (
            patient(),
            engine("hub", "", "no-move"),
            &["expected `done move=...` after `go think`", "got \"done ponder=1-5\""],
        ),
        (
            patient(),
            engine("hub", "", "illegal"),
            &[
                "the engine wrote \"done move=1-32\": 1x32 is not legal in B:W21,",
                "the legal moves are 11-16 or",
            ],
        ),
        (
            patient(),
            engine("hub", "", "international"),
            &["plays the variants normal killer, and not `english`", "--option variant=NAME"],
        ),
        (
            patient(),
            engine("hub", "--option bogus=1", ""),
            &["has no option \"bogus\"; its options are variant, depth, book, seed"],
        ),
        (
            patient(),
            "bridge hub ./none --fast".into(),
            &["the engine `./none --fast` cannot be started", "Write the path of the program"],
        ),
        (
            patient(),
            engine("uci-like", "", "exits"),
            &["expected `uciok` after `uci`", "exited with code 0; it has not written a line"],
        ),
        (
            soon_ready(),
            engine("uci-like", "", "never-ready"),
            &["expected `readyok` after `isready`", "it has not answered for"],
        ),
        (
            patient(),
            engine("uci-like", "--option Style=Bold --option x=1", ""),
            &["has no option \"x\"; its options are Hash, Clear Hash, Style"],
        ),
        (
            ambiguous(),
            engine("uci-like", "", "ambiguous"),
            &["\"bestmove 17x3\": 17x3 may be 17x", " or 17x", "write every landing square"],
        ),
    ];
    for (referee, arguments, expected) in cases {
        let ran = referee.run(&desk, &arguments);
        assert_eq!(ran.code, Some(1), "{arguments}: {ran:#?}");
        for part in expected {
            assert!(ran.stderr.contains(part), "{arguments}: {part}: {ran:#?}");
        }
        assert!(!ran.stdout.contains("\"move\""), "{arguments}: {ran:#?}");
    }
}

#[test]
fn an_illegal_move_can_be_replaced_by_a_legal_one() {
    let ran = Referee::new(START).run(&Desk::new(), &engine("hub", "--legal-instead", "illegal"));
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(
        ran.stderr.contains("1x32 is not legal") && ran.stderr.contains("; playing "),
        "{ran:#?}"
    );
    assert!(ran.stdout.contains("{\"type\":\"move\",\"turn\":1,\"action\":\""), "{ran:#?}");
}

#[test]
fn an_engine_is_named_by_itself_and_its_chatter_is_no_answer() {
    let desk = Desk::new();
    let ran = Referee::new(START).run(&desk, &engine("hub", "", "chatter"));
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let answers = events(&ran.stdout);
    assert_eq!(answers[0]["name"], "Stand In");
    assert_eq!(answers[0]["version"], "1.2");
    assert_eq!(answers[0]["games"], json!(["draughts"]));
    assert_eq!(
        answers[0]["options"]["depth"],
        json!({"kind": "int", "min": 1, "max": 20, "default": 4})
    );
    assert_eq!(answers[2]["type"], "move");
    for line in ["engine: loading the book ...", "engine: reading endgame tables", "left by quit"] {
        assert!(ran.stderr.contains(line), "{line}: {ran:#?}");
    }
}

#[test]
fn the_clock_of_a_turn_becomes_the_engines_limits() {
    let desk = Desk::new();
    let clock = |move_ms: Option<u64>, bank_ms: Option<u64>, increment_ms: u64| json!({"kind": "wall", "move_ms": move_ms, "bank_ms": bank_ms, "increment_ms": increment_ms});
    for (protocol, options, clock, expected) in [
        ("hub", "", clock(Some(60_000), None, 0), "level move-time=59.800\n"),
        ("hub", "--move-time 250", clock(Some(60_000), None, 0), "level move-time=0.250\n"),
        ("hub", "", clock(None, Some(300_000), 1500), "level time=299.800 inc=1.500\n"),
        ("hub", "--depth 6", clock(None, None, 0), "level depth=6 move-time=1.000\n"),
        (
            "hub",
            "--nodes 500",
            clock(Some(90_000), Some(60_000), 0),
            "level nodes=500 move-time=2.000\n",
        ),
        ("uci-like", "", clock(Some(60_000), None, 0), "go movetime 59800\n"),
        (
            "uci-like",
            "--depth 6 --nodes 9",
            clock(None, None, 0),
            "go depth 6 nodes 9 movetime 1000\n",
        ),
        (
            "uci-like",
            "",
            clock(None, Some(300_000), 1500),
            "go wtime 299800 btime 299800 winc 1500 binc 1500\n",
        ),
    ] {
        let referee = Referee { clock, ..Referee::new(START) };
        let ran = referee.run(&desk, &engine(protocol, options, ""));
        assert!(ran.stderr.contains(expected), "{protocol} {options}: {expected}: {ran:#?}");
    }
}

#[test]
fn moves_that_can_repeat_go_to_the_engine_with_the_position_before_them() {
    let desk = Desk::new();
    let referee = Referee {
        quiet_moves: &["22-18", "1-6", "18-22", "6-1"],
        ..Referee::new("W:WK22,K27:BK1,12")
    };
    for (protocol, expected) in [
        (
            "hub",
            "bridge> pos pos=WBeeeeeeeeeebeeeeeeeeeWeeeeWeeeee moves=\"22-18 1-6 18-22 6-1\"\n",
        ),
        ("uci-like", "bridge> position fen W:WK22,K27:BK1,12 moves 22-18 1-6 18-22 6-1\n"),
    ] {
        let ran = referee.run(&desk, &engine(protocol, "--trace", ""));
        assert_eq!(ran.code, Some(0), "{ran:#?}");
        assert!(ran.stderr.contains(expected), "{expected}: {ran:#?}");
    }
    let ran = Referee::new(START).run(&desk, &engine("uci-like", "--trace", ""));
    assert!(ran.stderr.contains("bridge> position startpos\n"), "{ran:#?}");
}

#[test]
fn an_engine_that_uses_up_its_time_is_stopped() {
    let desk = Desk::new();
    let clock = json!({"kind": "wall", "move_ms": 400, "bank_ms": null, "increment_ms": 0});
    let referee = Referee { clock, ..Referee::new(START) };
    for protocol in ["hub", "uci-like"] {
        let ran = referee.run(&desk, &engine(protocol, "--trace", "waits-for-stop"));
        assert_eq!(ran.code, Some(0), "{ran:#?}");
        assert!(ran.stderr.contains("bridge> stop\n"), "{ran:#?}");
        assert!(ran.stdout.contains("\"move\""), "{ran:#?}");
    }
}

#[test]
fn an_engine_that_is_late_is_reported_while_it_is_waited_for() {
    let desk = Desk::new();
    let clock = json!({"kind": "wall", "move_ms": 400, "bank_ms": null, "increment_ms": 0});
    let referee = Referee { clock, ..Referee::new(START) };
    for (protocol, expected) in [("hub", "`done move=...`"), ("uci-like", "`bestmove ...`")] {
        let mut child = referee.start(&desk, &engine(protocol, "", "silent"));
        let errors = BufReader::new(child.stderr.take().unwrap());
        let late = errors.lines().map(Result::unwrap).find(|line| line.contains("is late"));
        let late = late.expect("a line that says so");
        assert!(
            late.contains(expected) && late.contains("the limit of this turn is 400 ms"),
            "{late}"
        );
        // The engine ends with its input.
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

/// A stand-in engine that speaks DXP; killed on drop.
struct DxpEngine(Child);

impl DxpEngine {
    fn start(args: &[&str]) -> DxpEngine {
        let file = repository("tests/bots/dxp_engine.py");
        let mut command = Command::new("python3");
        DxpEngine(command.arg(file).args(args).stdout(Stdio::piped()).spawn().unwrap())
    }

    /// Starts one that waits for connections. Returns its port.
    fn following(mode: &str) -> (DxpEngine, String) {
        let mut engine = DxpEngine::start(&["follow", mode]);
        let out = engine.0.stdout.as_mut().unwrap();
        let mut port = String::new();
        BufReader::new(out).read_line(&mut port).unwrap();
        (engine, port.trim().to_string())
    }
}

impl Drop for DxpEngine {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn an_engine_that_waits_for_dxp_plays_both_sides() {
    let desk = Desk::new();
    let (_engine, port) = DxpEngine::following("");
    let bridge = bot(&format!("bridge dxp 127.0.0.1:{port}"));
    let args = ["match", "draughts", &bridge, "random", "-n", "4", "--seed", "2", "--json"];
    let more = ["--sandbox", "none", "--move-time", "60000", "--out", "replays"];
    let shown = desk.done(&[&args[..], &more].concat());
    let shown = events(&shown);
    let ended = events_of(&shown, "game_ended");
    assert_eq!(ended.len(), 4);
    for event in ended {
        assert_eq!(event["faults"], json!([]), "{event}");
    }
    for replay in desk.replays("replays") {
        desk.done(&["replay", "verify", replay.to_str().unwrap()]);
    }
}

#[test]
fn an_engine_that_connects_by_dxp_plays_either_side() {
    for (side, bridge_is_first) in [("Z", true), ("W", false)] {
        let desk = Desk::new();
        let port = free_port().to_string();
        let mut engine = DxpEngine::start(&["initiate", &port, side]);
        let bridge = bot(&format!("bridge dxp --listen {port}"));
        let bots = if bridge_is_first { [bridge.as_str(), "random"] } else { ["random", &bridge] };
        let shown = desk.done(
            &[
                &["match", "draughts"],
                &bots[..],
                &["-n", "1", "--keep-going", "--seed", "2", "--json", "--sandbox", "none"],
                &["--rule", "ballots=none", "--move-time", "60000"],
            ]
            .concat(),
        );
        let shown = events(&shown);
        for event in events_of(&shown, "game_ended") {
            assert_eq!(event["faults"], json!([]), "{side}: {event}");
        }
        let mut said = String::new();
        engine.0.stdout.take().unwrap().read_to_string(&mut said).unwrap();
        assert!(said.starts_with("game over, "), "{said}");
    }
}

#[test]
fn what_fails_in_dxp_is_said() {
    let desk = Desk::new();
    for (mode, expected) in [
        ("refuses", "(Stand In DXP) does not accept the game: it cannot play this one"),
        ("gives-up", "ends the game instead of moving (E10: it gives up)"),
        ("closes", "expected MOVE (M) from the engine"),
    ] {
        let (_engine, port) = DxpEngine::following(mode);
        let ran = Referee::new(START).run(&desk, &format!("bridge dxp 127.0.0.1:{port}"));
        assert_eq!(ran.code, Some(1), "{mode}: {ran:#?}");
        assert!(ran.stderr.contains(expected), "{mode}: {ran:#?}");
    }
    let port = free_port();
    let ran = Referee::new(START).run(&desk, &format!("bridge dxp 127.0.0.1:{port}"));
    let expected = "Is the engine waiting for a connection on that port?";
    assert!(ran.stderr.contains(expected), "{ran:#?}");
    let hasty = Referee { start_ms: 500, ..Referee::new(START) };
    let ran = hasty.run(&desk, &format!("bridge dxp --listen {port}"));
    assert!(
        ran.stderr.contains(&format!("waiting for an engine on port {port}: none")),
        "{ran:#?}"
    );
    // An engine of the match's opponent's side, or with another start.
    for (fen, expected) in [
        (START, "it would play white, and plays black"),
        ("W:WK22,K27:BK1,12", "it begins with B:W21,"),
    ] {
        let port = free_port().to_string();
        let _engine = DxpEngine::start(&["initiate", &port, "W"]);
        let ran = Referee::new(fen).run(&desk, &format!("bridge dxp --listen {port}"));
        assert!(ran.stderr.contains(expected), "{ran:#?}");
    }
}

#[test]
fn dxp_in_the_sandbox_says_that_there_is_no_network() {
    let desk = Desk::new();
    let json: Value = serde_json::from_str(&desk.run(&["sandbox", "--json"]).stdout).unwrap();
    if !json["tiers"][0]["obstacle"].is_null() {
        eprintln!("NOT TESTED on this host: no sandbox");
        return;
    }
    for address in ["127.0.0.1:27531", "--listen 27531"] {
        let bridge = bot(&format!("bridge dxp {address}"));
        let ran = desk.run(&["match", "draughts", &bridge, "random", "--seed", "1"]);
        let said = ran.stdout + &ran.stderr;
        assert!(said.contains("The sandbox has no network, and DXP needs one"), "{said}");
    }
}

/// The referee plays a random move for the late engine, so that the position is not the engine's.
#[test]
fn a_game_continues_after_a_late_answer() {
    let desk = Desk::new();
    let (_engine, port) = DxpEngine::following("slow");
    for bridge in [engine("hub", "", "slow"), format!("bridge dxp 127.0.0.1:{port}")] {
        let bridge = bot(&bridge);
        let args = ["match", "draughts", &bridge, "random", "-n", "2", "--seed", "3", "--json"];
        let conditions = ["--sandbox", "none", "--move-time", "1500", "--on-fault", "substitute"];
        let shown = events(&desk.done(&[&args[..], &conditions].concat()));
        // A crowded host may make a game void, which is then repeated.
        let mut ended = events_of(&shown, "game_ended");
        ended.retain(|event| event["outcome"]["kind"] != "void");
        assert_eq!(ended.len(), 2, "{bridge}: {shown:?}");
        let mut is_late = false;
        for event in ended {
            let faults = event["faults"].as_array().unwrap();
            assert!(faults.iter().all(|fault| fault["kind"] == "timeout"), "{bridge}: {event}");
            // The game was played on, to its end or to the third late answer.
            let first = faults.first().map_or(0, |fault| fault["turn"].as_u64().unwrap());
            assert!(event["plies"].as_u64() > Some(first), "{bridge}: {event}");
            // A crowded host is excused for it, and then there is no fault.
            let times = event["times"].as_object().unwrap().values();
            let longest = times.filter_map(|used| used["longest_us"].as_u64()).max();
            is_late |= !faults.is_empty() || longest > Some(1_500_000);
        }
        assert!(is_late, "{bridge}: {shown:?}");
    }
}

#[test]
fn a_clock_of_cpu_time_is_refused_by_dxp_and_warned_of_elsewhere() {
    let desk = Desk::new();
    let clock = json!({"kind": "cpu", "move_ms": 60000, "bank_ms": null, "increment_ms": 0});
    let referee = Referee { clock, ..Referee::new(START) };
    let (_engine, port) = DxpEngine::following("");
    let ran = referee.run(&desk, &format!("bridge dxp 127.0.0.1:{port}"));
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    assert!(ran.stderr.contains("DXP needs --clock wall"), "{ran:#?}");
    let ran = referee.run(&desk, &engine("hub", "", ""));
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(ran.stderr.contains("bridge: --clock cpu counts"), "{ran:#?}");
}

/// As after a move that the referee substituted, or after a person's `undo`.
#[test]
fn a_position_that_does_not_follow_from_the_last_one_begins_a_new_game_of_dxp() {
    let desk = Desk::new();
    let (_engine, port) = DxpEngine::following("");
    let mut child =
        Referee::new(START).start(&desk, &format!("bridge dxp --trace 127.0.0.1:{port}"));
    let mut turn = Referee::new("B:W30,K18:BK1,12").lines().remove(2);
    turn["turn"] = json!(3);
    let lines = format!("{turn}\n{{\"type\":\"quit\"}}\n");
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let ran = finish(child);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let answers = events(&ran.stdout);
    assert_eq!(events_of(&answers, "move").len(), 2, "{ran:#?}");
    let sent: Vec<&str> =
        ran.stderr.lines().filter_map(|line| line.strip_prefix("bridge> ")).collect();
    let name = "Botyard".to_string() + &" ".repeat(25);
    assert_eq!(
        sent,
        [
            &format!("R01{name}Z039000BZzzzzzzzzzzzzeeeeeeeewwwwwwwwwwww"),
            "E00",
            &format!("R01{name}Z039000BZZeeeeeeeeeezeeeeeWeeeeeeeeeeewee"),
            "E00",
        ]
    );
}

/// An engine that others wrote plays by the same rules, but for faults of its own, and takes every
/// answer. `BOTYARD_SAMUEL` is a Python that has the package `samuel`.
#[test]
#[ignore = "needs the package samuel of PyPI, which not everybody has; `.ci/run` runs it"]
fn the_engine_of_samuel_plays_behind_hub() {
    let python = std::env::var("BOTYARD_SAMUEL").expect("a Python with the package samuel");
    let file = repository("tests/bots/samuel_hub.py");
    let bridge = bot(&format!("bridge hub '{python}' '{}' 6", file.display()));
    let samuel = format!("samuel={bridge}");
    let desk = Desk::new();
    let args = ["match", "draughts", &samuel, "random:seed=1", "-n", "20", "--seed", "1"];
    let shown = desk.done(&[&args[..], &["--sandbox", "none", "--json"]].concat());
    let events = events(&shown);
    let games = events_of(&events, "game_ended");
    assert_eq!(games.len(), 20, "{shown}");
    let mut points = 0.0;
    for game in games {
        assert_eq!((&game["outcome"]["kind"], &game["faults"]), (&json!("completed"), &json!([])));
        let seat = usize::from(game["seats"]["white"] == "samuel");
        points += game["outcome"]["scores"][seat].as_f64().expect("a score");
    }
    assert!(points >= 18.0, "{points} points of 20 against random");
}
