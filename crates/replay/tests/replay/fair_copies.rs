//! The copy for a seat contains what the seat saw, and depends on nothing else.

use crate::recorded_game::{any_table, check, pig, scotland_yard};
use botyard_engine::{GameEvent, Seat, Stream, Table, Turn, random};
use botyard_protocol::{Fault, FaultKind};
use botyard_replay::{
    ExportError, FaultEvent, Header, MoveTime, OpeningSource, ReadError, ReplayReader,
    ReplayWriter, VerifyError, export, publish, write_stdin,
};
use serde_json::{Value, json};

fn copy(replay: &[u8], seat: &str) -> Result<String, ExportError> {
    let mut copy = Vec::new();
    export(ReplayReader::new(replay)?, seat, &mut copy)?;
    Ok(String::from_utf8(copy).expect("a replay is UTF-8"))
}

fn values(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

#[test]
fn each_seat_gets_what_it_was_told() {
    for preset in ["bristol", "grid-7x7-3", "ravensburger"] {
        let replay = scotland_yard(preset, 21).bytes();
        let full = values(&String::from_utf8_lossy(&replay));
        let of = |lines: &[Value], kind: &str| -> Vec<Value> {
            lines.iter().filter(|line| line["type"] == kind).cloned().collect()
        };
        let mut hidden = 0;
        for seat in ["mr-x", "detectives"] {
            let copied = values(&copy(&replay, seat).expect("a sound replay"));
            assert!(of(&copied, "state").is_empty(), "{preset}: a hash of hidden values");
            let (full, copied) = (of(&full, "move"), of(&copied, "move"));
            assert_eq!(full.len(), copied.len(), "{preset}");
            for (full, copied) in full.iter().zip(&copied) {
                let visible = full["seen"].get(seat).unwrap_or(&full["action"]);
                assert_eq!(copied["action"], *visible, "{preset}");
                hidden += usize::from(visible != &full["action"]);
                assert!(copied.get("seen").is_none(), "{preset}: what others saw");
                let own = full["seat"] == seat;
                assert_eq!(copied.get("info").is_some(), own, "{preset}: {copied}");
                assert_eq!(copied.get("time").is_some(), own, "{preset}: {copied}");
            }
        }
        assert!(hidden > 3, "{preset}: {hidden} hidden moves");
    }
}

#[test]
fn a_copy_is_checked_as_far_as_it_can_be() {
    let replay = scotland_yard("bristol", 22).bytes();
    let copied = copy(&replay, "detectives").expect("a sound replay");
    let report = check(copied.as_bytes()).expect("a sound copy");
    assert_eq!(report.copy_for(), Some("detectives"));
    assert_eq!((report.hashes, report.header.seed), (0, None));
    assert_eq!(report.turns, check(&replay).expect("a sound replay").turns);
    // The seat may be given by number; a copy cannot be made of a copy.
    assert_eq!(copy(&replay, "2").expect("a sound replay"), copied);
    let again = copy(copied.as_bytes(), "mr-x").expect_err("it lacks what other seats saw");
    assert!(matches!(again, ExportError::AlreadyACopy { .. }), "{again}");
    let unknown = copy(&replay, "detective").expect_err("no such seat").to_string();
    assert!(unknown.contains("did you mean detectives?"), "{unknown}");
    // A copy cannot be played through, and the error says so.
    let reader = ReplayReader::new(copied.as_bytes()).expect("a sound copy");
    let played = write_stdin(reader, &any_table, "detectives", None, &mut Vec::new());
    let error = played.expect_err("hidden values are missing").to_string();
    assert!(error.contains("use the full replay"), "{error}");
    // A copy has its own chain.
    let changed = copied.replacen("\"to\":null", "\"to\":45", 1);
    assert_ne!(changed, copied);
    let error = check(changed.as_bytes()).expect_err("a changed copy");
    assert!(matches!(error, VerifyError::Read(ReadError::Chain { .. })), "{error}");
}

#[test]
fn a_copy_does_not_hold_the_key_it_was_drawn_from() {
    let recording = crate::recorded_game::Recording { keyed: true, ..scotland_yard("bristol", 22) };
    let (replay, key) = (recording.text(), "16".repeat(32));
    assert_eq!(replay.matches(&key).count(), 1, "in the header of the full replay");
    for seat in ["mr-x", "detectives"] {
        let copied = copy(replay.as_bytes(), seat).expect("a sound replay");
        assert!(!copied.contains("\"seed\":\"") && !copied.contains(&key), "{copied}");
        check(copied.as_bytes()).expect("a sound copy");
    }
}

#[test]
fn nobody_gets_the_log_of_a_player_that_knows_more() {
    let shared = crate::recorded_game::Recording { two_players: true, ..pig(5) };
    let replay = shared.bytes();
    assert!(String::from_utf8_lossy(&replay).contains("\"options\":{\"seed\":5}"));
    let first = copy(&replay, "north").expect("a sound replay");
    assert_eq!(first.matches("\"options\":{\"seed\":5}").count(), 1, "only its own");
    for seat in ["east", "south"] {
        let copied = copy(&replay, seat).expect("a sound replay");
        for secret in ["\"info\"", "\"type\":\"log\"", "\"options\":{\"seed\"", "\"wall_us\""] {
            assert!(!copied.contains(secret), "{seat}: {secret}");
        }
    }
}

#[test]
fn a_published_copy_has_the_whole_game_and_nothing_of_what_bots_wrote_for_their_authors() {
    for replay in [scotland_yard("bristol", 23).bytes(), pig(5).bytes()] {
        let players = values(&String::from_utf8_lossy(&replay))[0]["players"].clone();
        let own = players[0]["name"].as_str().expect("a player has a name");
        let published = |is_own: &dyn Fn(&str) -> bool| {
            let mut copy = Vec::new();
            let reader = ReplayReader::new(&replay[..]).expect("a sound replay");
            publish(reader, is_own, &mut copy).expect("it is written");
            copy
        };
        let all = published(&|_| true);
        assert_eq!(all, replay, "nothing is left out for who may see everything");
        let (none, half) = (published(&|_| false), published(&|name| name == own));
        for secret in ["\"info\"", "\"type\":\"log\"", "\"options\":{\"seed\""] {
            let count = |bytes: &[u8]| String::from_utf8_lossy(bytes).matches(secret).count();
            assert_eq!(count(&none), 0, "{secret}");
            assert!(count(&half) <= count(&all), "{secret}");
        }
        let infos = |bytes: &[u8]| String::from_utf8_lossy(bytes).matches("\"info\"").count();
        assert!(infos(&none) < infos(&half) && infos(&half) < infos(&all), "of one player");
        // It is checked by the rules like the replay, with all that was hidden and every hash.
        let (report, checked) = (check(&none).expect("sound"), check(&replay).expect("sound"));
        assert_eq!(report.copy_for(), None);
        assert_eq!((report.turns, report.hashes), (checked.turns, checked.hashes));
        assert_eq!(report.header.seed, checked.header.seed);
    }
}

#[test]
fn the_evidence_of_a_fault_is_published_to_its_own_player_alone() {
    let replay = include_bytes!("../data/dice-wars-forfeit.ndjson");
    let reader = || ReplayReader::new(&replay[..]).expect("a sound replay");
    let text = String::from_utf8_lossy(replay);
    let fault = values(&text).into_iter().find(|line| line["type"] == "fault").expect("a fault");
    let players = values(&text)[0]["players"].clone();
    let players = players.as_array().expect("a list");
    let is_its = |player: &&Value| {
        player["seats"].as_array().is_some_and(|seats| seats.contains(&fault["seat"]))
    };
    let guilty = players.iter().find(is_its).expect("a player")["name"].as_str().expect("a name");
    for (is_own, shown) in [(true, true), (false, false)] {
        let mut copy = Vec::new();
        let own = |name: &str| is_own == (name == guilty);
        publish(reader(), &own, &mut copy).expect("it is written");
        let copied = values(&String::from_utf8_lossy(&copy));
        let its = copied.iter().find(|line| line["type"] == "fault").expect("it is there");
        assert_eq!((&its["seat"], &its["kind"]), (&fault["seat"], &fault["kind"]));
        assert_eq!(its["message"] == fault["message"], shown, "{its}");
        assert!(shown || its.get("got").is_none(), "{its}");
    }
}

/// Two games that look the same to the detectives: everything that is hidden from them differs.
struct Twins {
    replays: [Vec<u8>; 2],
    hidden: usize,
}

/// Plays both games in parallel up to the first reveal; `None` if they cannot be kept alike.
fn twins(preset: &'static str, seed: u64) -> Option<Twins> {
    let recording = scotland_yard(preset, seed);
    let mut tables: Vec<Box<dyn Table>> = (0..2).map(|_| recording.table()).collect();
    let mut stream = Stream::new(seed, "twins");
    // The same detectives, and two stations of Mr. X that were both possible.
    let opening = tables[0].open(&mut Stream::new(seed, "opening")).full;
    let opening: Value = serde_json::from_str(&opening).expect("an opening is JSON");
    let starts: Value = serde_json::from_str(&tables[0].setup(Seat::new(1))).expect("JSON");
    let stands = opening["detectives"].as_array().expect("there are detectives");
    let starts = starts["mr_x_starts"].as_array().expect("there are start cards");
    let free: Vec<&Value> =
        starts.iter().filter(|s| !stands.contains(s) && **s != opening["mr_x"]).collect();
    let mut other = opening.clone();
    other["mr_x"] = (*random::choose(stream.rng(), &free)?).clone();
    let mut replays = [Vec::new(), Vec::new()];
    let mut hidden = 0;
    {
        let [one, two] = &mut replays;
        let header = |index: usize, table: &dyn Table| {
            let mut header: Header = recording.header(table);
            header.opening = OpeningSource::Given;
            header.seed = Some((1000 + index as u64).into());
            header.players[0].options.insert("seed".into(), json!(index));
            header.players[0].command_sha256 = Some(format!("{index}").repeat(64));
            header
        };
        let mut writers = [
            ReplayWriter::new(one, &header(0, &*tables[0])).expect("memory does not fail"),
            ReplayWriter::new(two, &header(1, &*tables[1])).expect("memory does not fail"),
        ];
        for (index, opening) in [&opening, &other].into_iter().enumerate() {
            let game_event = tables[index].open_with(&opening.to_string()).expect("good stations");
            writers[index].write_opening(&game_event).expect("memory does not fail");
        }
        let mut happenings = [GameEvent::default(), GameEvent::default()];
        let mut x_moves = 0;
        for turn in 1.. {
            let Turn::Seat(seat) = tables[0].turn() else { return None };
            if tables[1].turn() != Turn::Seat(seat) {
                return None;
            }
            let is_x = seat == Seat::new(0);
            if is_x && x_moves == 2 {
                break;
            }
            let visible = |action: &Value| match is_x {
                true => json!([action["ticket"], action["double"]]),
                false => action.clone(),
            };
            let choices = tables[0].legal();
            let choice = random::choose(stream.rng(), &choices)?.clone();
            let mut others = tables[1].legal();
            others.retain(|other| visible(other) == visible(&choice));
            let other = random::choose(stream.rng(), &others)?.clone();
            for (index, action) in [choice, other].into_iter().enumerate() {
                let game_event = &mut happenings[index];
                tables[index].play(&action.to_string(), game_event).expect("legal");
                let seen = game_event.seen.iter().any(|(seat, _)| *seat == Seat::new(1));
                let info = match is_x {
                    true => format!("{{\"text\":\"I go to {}\"}}", action["to"]),
                    false => "{\"text\":\"where is he?\"}".to_string(),
                };
                let time = MoveTime {
                    wall_us: if is_x { 100 + index as u64 } else { 50 },
                    cpu_us: None,
                    bank_ms: None,
                    excused_us: None,
                };
                let writer = &mut writers[index];
                writer
                    .write_move(turn, seat, game_event, Some(&info), None, Some(time))
                    .expect("memory does not fail");
                if ReplayWriter::<Vec<u8>>::state_is_due(turn) {
                    let hash = tables[index].state_hash();
                    writer.write_state(turn, hash).expect("memory does not fail");
                }
                if is_x {
                    let text = format!("standing on {}", action["to"]);
                    writer.write_log(turn, "bot mr-x", &text).expect("memory does not fail");
                    assert!(seen, "nothing was revealed yet");
                }
            }
            x_moves += u32::from(is_x);
            hidden += usize::from(is_x && happenings[0].full != happenings[1].full);
        }
        for (index, writer) in writers.iter_mut().enumerate() {
            let fault = Fault {
                kind: FaultKind::IllegalAction,
                seat: "mr-x".into(),
                turn: 100,
                message: format!("he stands on {index}"),
                got: Some(format!("{{\"to\":{index}}}")),
            };
            writer
                .write_fault(&FaultEvent { fault, fatal: true }, None)
                .expect("memory does not fail");
        }
    }
    Some(Twins { replays, hidden })
}

#[test]
fn a_copy_does_not_depend_on_what_is_hidden() {
    let mut hidden = 0;
    let mut pairs = 0;
    for preset in ["bristol", "ravensburger"] {
        for seed in 0..200 {
            let Some(twins) = twins(preset, seed) else { continue };
            let [one, two] = twins.replays.each_ref().map(|replay| {
                let mut copy = Vec::new();
                let reader = ReplayReader::new(&replay[..]).expect("a header");
                let cut = export(reader, "detectives", &mut copy);
                assert!(matches!(cut, Err(ExportError::Read(ReadError::Truncated { .. }))));
                String::from_utf8(copy).expect("a replay is UTF-8")
            });
            assert_ne!(twins.replays[0], twins.replays[1]);
            assert_eq!(one, two, "{preset} {seed}: the detectives can tell these games apart");
            assert!(one.lines().count() > 8, "{preset} {seed}: {one}");
            hidden += twins.hidden;
            pairs += 1;
        }
    }
    assert!(pairs > 20 && hidden > 40, "{pairs} pairs of games with {hidden} hidden moves");
}
