//! Recorded games: `botyard replay` and `botyard import`.

use crate::command::{Desk, GENEROUS, misbehaving, repository, script};
use std::fs;
use std::io::Write;

/// Returns a desk with one game between greedy and random in it.
fn one_game() -> (Desk, &'static str) {
    let desk = Desk::new();
    desk.done(&["match", "scotland-yard", "greedy", "random", "--seed", "6", "--out", "r"]);
    (desk, "r/scotland-yard-5a317b15-00001.ndjson")
}

#[test]
fn replays_of_matches_are_sound() {
    let desk = Desk::new();
    for (rules, out) in [("ravensburger", "a"), ("bristol", "b"), ("grid-5x5-2", "c")] {
        let args = ["match", "scotland-yard", "greedy", "random", "-n", "2", "--rules", rules];
        desk.done(&[&args[..], &["--out", out]].concat());
        for replay in desk.replays(out) {
            desk.done(&["replay", "verify", replay.to_str().unwrap()]);
        }
    }
}

#[test]
fn a_replay_that_was_changed_is_refused_with_the_place() {
    let (desk, replay) = one_game();
    let sound = fs::read_to_string(desk.path(replay)).unwrap();
    let lines: Vec<&str> = sound.lines().collect();
    let index = lines.iter().position(|line| line.contains("\"turn\":5,")).unwrap();
    let changed = lines[index].replacen("\"to\":", "\"to\":1", 1);
    let without = |from: usize, to: usize| -> String {
        let kept = lines.iter().enumerate().filter(|&(line, _)| !(from..to).contains(&line));
        kept.map(|(_, line)| format!("{line}\n")).collect()
    };
    let place = format!("line {}", index + 1);
    for (name, text, expected) in [
        ("changed", sound.replacen(lines[index], &changed, 1), place.as_str()),
        ("one line missing", without(index, index + 1), &place),
        ("no end", without(lines.len() - 1, lines.len()), "there is no \"end\" line"),
        ("cut", sound[..sound.len() / 2].to_string(), "line"),
        ("empty", String::new(), "empty"),
        ("another file", "hello\n".to_string(), "this is not a replay"),
    ] {
        fs::write(desk.path("changed.ndjson"), text).unwrap();
        let ran = desk.run(&["replay", "verify", "changed.ndjson"]);
        let said = format!("{}{}", ran.stdout, ran.stderr);
        assert_ne!(ran.code, Some(0), "{name}: {ran:#?}");
        assert!(said.contains(expected), "{name}: expected {expected:?}: {ran:#?}");
    }
}

#[test]
fn a_compressed_replay_is_read_like_any_other() {
    let (desk, replay) = one_game();
    let file = fs::File::create(desk.path("z.ndjson.gz")).unwrap();
    let mut gzip = flate2::write::GzEncoder::new(file, flate2::Compression::default());
    gzip.write_all(&fs::read(desk.path(replay)).unwrap()).unwrap();
    gzip.finish().unwrap();
    desk.done(&["replay", "verify", "z.ndjson.gz"]);
    assert_eq!(
        desk.done(&["replay", "show", "z.ndjson.gz"]),
        desk.done(&["replay", "show", replay])
    );
}

#[test]
fn a_match_compresses_its_replays_and_every_verb_reads_them() {
    let (desk, plain) = one_game();
    let args = ["match", "scotland-yard", "greedy", "random", "--seed", "6", "--compress"];
    desk.done(&[&args[..], &["--out", "c"]].concat());
    let replays = desk.replays("c");
    let [compressed] = &replays[..] else { panic!("{replays:?}") };
    let compressed = compressed.to_str().unwrap();
    assert!(compressed.ends_with("scotland-yard-5a317b15-00001.ndjson.gz"), "{compressed}");
    let size = |path: &str| fs::metadata(desk.path(path)).unwrap().len();
    assert!(size(compressed) * 4 < size(plain), "{} {}", size(compressed), size(plain));
    desk.done(&["replay", "verify", compressed]);

    // The same replay, plain and compressed, also under its old name.
    fs::copy(desk.path(plain), desk.path("same.ndjson")).unwrap();
    desk.done(&["replay", "compress", "same.ndjson"]);
    for verb in [
        &["verify", "--json"][..],
        &["show"],
        &["stdin", "--seat", "mr-x"],
        &["export", "--seat", "detectives"],
    ] {
        let said = |path: &str| {
            let said = desk.done(&[&["replay"], verb, &[path]].concat());
            said.replace(path, "FILE")
        };
        let expected = said(plain);
        assert!(!expected.is_empty());
        for path in ["same.ndjson.gz", "same.ndjson"] {
            assert_eq!(said(path), expected, "{verb:?} {path}");
        }
    }
}

#[test]
fn a_page_beside_its_replay_has_the_whole_name_of_its_game() {
    let (desk, replay) = one_game();
    for name in ["r/x.ndjson", "r/x.2.ndjson"] {
        fs::copy(desk.path(replay), desk.path(name)).unwrap();
        let page = name.replace(".ndjson", ".html");
        assert_eq!(desk.done(&["replay", "view", name]), format!("{page}\n"));
        assert!(desk.path(&page).exists());
    }
}

#[test]
fn an_export_is_written_as_a_whole_or_not_at_all() {
    let (desk, replay) = one_game();
    let text = fs::read_to_string(desk.path(replay)).unwrap();
    let (without_end, _) = text.trim_end().rsplit_once('\n').unwrap();
    fs::write(desk.path("cut.ndjson"), format!("{without_end}\n")).unwrap();
    let copied = |replay: &str| {
        let ran = desk.run(&["replay", "export", replay, "--seat", "detectives", "-o", "c.ndjson"]);
        (ran.code, ran.stderr)
    };
    assert_eq!(copied("cut.ndjson").0, Some(1));
    assert!(!desk.path("c.ndjson").exists());
    assert_eq!(copied(replay), (Some(0), String::new()));
    let whole = fs::read_to_string(desk.path("c.ndjson")).unwrap();
    let (code, stderr) = copied(replay);
    assert!(code == Some(2) && stderr.contains("c.ndjson already exists"), "{stderr}");
    assert_eq!(fs::read_to_string(desk.path("c.ndjson")).unwrap(), whole);
}

#[test]
fn replays_are_compressed_in_their_place_if_they_are_whole() {
    let (desk, replay) = one_game();
    let shown = desk.done(&["replay", "show", replay]);
    let text = fs::read_to_string(desk.path(replay)).unwrap();
    let (without_end, _) = text.trim_end().rsplit_once('\n').unwrap();
    fs::write(desk.path("r/running.ndjson"), format!("{without_end}\n")).unwrap();
    fs::write(desk.path("r/changed.ndjson"), text.replacen("\"turn\":5,", "\"turn\":6,", 1))
        .unwrap();
    fs::write(desk.path("r/notes.txt"), "not a replay").unwrap();
    let files = ["r/running.ndjson", "r/changed.ndjson", "r/notes.txt"];
    let ran = desk.run(&[&["replay", "compress", replay], &files[..]].concat());
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    for file in files {
        assert!(ran.stderr.contains(file) && desk.path(file).exists(), "{file}: {ran:#?}");
    }
    assert!(!desk.path(replay).exists());
    assert_eq!(desk.done(&["replay", "show", &format!("{replay}.gz")]), shown);
    // A second run is not an error.
    desk.done(&["replay", "compress", replay, &format!("{replay}.gz")]);
    assert_eq!(desk.replays("r").len(), 3);
}

/// A damaged archive is refused with a message, and one that decompresses endlessly is not read to
/// the end.
#[test]
fn archives_that_are_damaged_or_bombs_are_refused() {
    let (desk, replay) = one_game();
    let text = fs::read(desk.path(replay)).unwrap();
    let sound = botyard_replay::compress(&text).unwrap();
    let mut damaged = sound.clone();
    damaged[sound.len() / 2] ^= 0xff;
    let mut wrong_sum = sound.clone();
    wrong_sum[sound.len() - 6] ^= 1;
    // The header and the opening, and then an endless series of log lines with a valid chain.
    let mut bomb = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let mut chain = botyard_replay::Chain::default();
    for line in text.split_inclusive(|&byte| byte == b'\n').take(2) {
        let place = line.windows(10).rposition(|found| found == b",\"chain\":\"").unwrap();
        chain.extend(&line[..place]);
        bomb.write_all(line).unwrap();
    }
    let log = "a".repeat(4 << 20);
    let body = format!(r#"{{"type":"log","turn":0,"player":"greedy","text":"{log}""#);
    for _ in 0..70 {
        let link = chain.extend(body.as_bytes());
        writeln!(bomb, r#"{body},"chain":"{link}"}}"#).unwrap();
    }
    for (archive, expected) in [
        // Its bytes may still be gzip, but not the lines of a replay.
        (damaged, "error: a.ndjson.gz: "),
        (wrong_sum, "the compressed file is damaged"),
        (sound[..sound.len() - 20].to_vec(), "the replay is cut off"),
        (bomb.finish().unwrap(), "decompresses to more than 268435456 bytes"),
    ] {
        fs::write(desk.path("a.ndjson.gz"), archive).unwrap();
        let ran = desk.run(&["replay", "verify", "a.ndjson.gz"]);
        assert_eq!(ran.code, Some(1), "{expected}: {}", ran.stderr);
        assert!(ran.stderr.contains(expected), "{expected}: {}", ran.stderr);
    }
}

#[test]
fn a_replay_is_shown_in_words() {
    let (desk, replay) = one_game();
    let shown = desk.done(&["replay", "show", replay]);
    for expected in ["greedy", "random", "Mr. X: ", "detective "] {
        assert!(shown.contains(expected), "{expected:?} is missing in\n{shown}");
    }
    assert!(!shown.contains('\u{1b}'));
}

/// The recording bot records every line it receives, up to a `quit`.
#[test]
fn the_lines_of_a_bot_are_those_that_it_was_sent() {
    let cases: [(&[&str], &str); 4] = [
        (&[], "random"),
        (&["--rules", "grid-7x7-3", "--bank", "20000", "--increment", "10"], "greedy"),
        (&["--rule", "show_candidates=true"], "random"),
        (&["--on-fault", "substitute"], "a bot that fails"),
    ];
    for (index, (more, opponent)) in cases.into_iter().enumerate() {
        let opponent =
            if opponent == "a bot that fails" { misbehaving("garbage 3") } else { opponent.into() };
        for seat in ["mr-x", "detectives"] {
            let desk = Desk::new();
            let record = desk.path("received");
            let recorder = script(
                "python3",
                "tests/bots/recorder.py",
                &format!("'{}'", record.to_str().unwrap()),
            );
            let bots = if seat == "mr-x" { [&recorder, &opponent] } else { [&opponent, &recorder] };
            let args = ["match", "scotland-yard", bots[0], bots[1], "--seed", "8", "--out", "r"];
            // This bot writes a file, which a contained bot cannot.
            desk.done(&[&args[..], &["--sandbox", "none"], &GENEROUS, more].concat());
            let received = fs::read_to_string(record).unwrap();
            let replay = "r/scotland-yard-5a317b15-00001.ndjson";
            let output = desk.done(&["replay", "stdin", replay, "--seat", seat]);
            assert!(output.lines().count() > 5);
            assert!(
                received == format!("{output}{{\"type\":\"quit\"}}\n"),
                "case {index}, {seat}: the bot was sent\n{received}\nbut the replay says\n{output}"
            );
        }
    }
}

#[test]
fn a_copy_for_a_seat_does_not_tell_what_was_hidden() {
    let (desk, replay) = one_game();
    let copy = desk.done(&["replay", "export", replay, "--seat", "detectives"]);
    fs::write(desk.path("copy.ndjson"), &copy).unwrap();
    let full = fs::read_to_string(desk.path(replay)).unwrap();
    assert!(full.contains("\"seed\":") && !copy.contains("\"seed\":"));
    let moves = |text: &str, seat: &str| -> Vec<String> {
        let marked = format!("\"seat\":\"{seat}\",\"action\":");
        text.lines()
            .filter_map(|line| Some(line.split_once(&marked)?.1.split(",\"chain\"").next()?.into()))
            .collect()
    };
    let seen = moves(&copy, "mr-x");
    let shown = seen.iter().filter(|action| !action.contains("\"to\":null")).count();
    assert!(
        seen.len() > 10 && (1..=5).contains(&shown),
        "only the reveals tell a station: {seen:?}"
    );
    assert_eq!(moves(&copy, "detectives"), moves(&full, "detectives"));
    desk.done(&["replay", "verify", "copy.ndjson"]);
}

#[test]
fn games_of_another_program_agree_with_the_rules() {
    let desk = Desk::new();
    let file = repository("crates/engine/tests/data/scotland-yard/reference_playouts.jsonl");
    let file = file.to_str().unwrap();
    let said = desk.done(&["import", "scotland-yard", file, "--check"]);
    assert!(said.contains("40 of 40 games"), "{said}");
    desk.done(&["import", "scotland-yard", file, "--out", "imported"]);
    let replays = desk.replays("imported");
    assert_eq!(replays.len(), 40);
    desk.done(&["replay", "verify", replays[39].to_str().unwrap()]);

    let changed = fs::read_to_string(file).unwrap().replacen("\"MRX:black>102\",", "", 1);
    fs::write(desk.path("changed.jsonl"), changed).unwrap();
    let ran = desk.run(&["import", "scotland-yard", "changed.jsonl", "--check"]);
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    assert!(format!("{}{}", ran.stdout, ran.stderr).contains("39 of 40 games"), "{ran:#?}");
}

/// Games with the ends that people choose: resigned, agreed, lost by the rules, abandoned.
const ARCHIVE: &str = "\
[Event \"one\"]\n[GameType \"21\"]\n1. 11-15 23-19 2. 8-11 1-0\n
[Event \"two\"]\n1. 11-15 23-19 2. 8-11 22-17 1/2-1/2\n
[Event \"three\"]\n[SetUp \"1\"]\n[FEN \"W:W18:B15\"]\n1. 18x11 0-1\n
[Event \"four\"]\n1. 11-15 23-20 1-0\n
[Event \"five\"]\n1. 9-14 *\n";

#[test]
fn draughts_of_people_become_replays() {
    let desk = Desk::new();
    fs::write(desk.path("archive.pdn"), ARCHIVE).unwrap();
    let import = ["import", "draughts", "archive.pdn", "--out", "games"];
    let ran = desk.run(&import);
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    assert!(
        ran.stdout.contains("game 4, ply 2: line 14, column 10: 23-20 is not legal"),
        "{ran:#?}"
    );
    assert!(ran.stdout.contains("4 of 5 games agree") && ran.stdout.contains("4 written to games"));
    let replays = desk.replays("games");
    assert_eq!(fs::read_dir(desk.path("games")).unwrap().count(), replays.len());
    let ends = ["recorded", "recorded", "no_pieces", "unfinished"];
    assert_eq!(replays.len(), ends.len());
    for (replay, reason) in replays.iter().zip(ends) {
        let replay = replay.to_str().unwrap();
        let verified = desk.done(&["replay", "verify", replay]);
        assert!(verified.contains(reason), "{verified}");
        let shown = desk.done(&["replay", "show", replay]);
        assert!(shown.contains("imported: game ") && shown.contains(" of archive"), "{shown}");
        assert!(shown.contains("ended as recorded") == (reason == "recorded"), "{shown}");
        desk.done(&["replay", "export", replay, "--seat", "black", "--out", "copy.ndjson"]);
        desk.done(&["replay", "verify", "copy.ndjson"]);
        fs::remove_file(desk.path("copy.ndjson")).unwrap();
    }
    // An existing file is never overwritten, and nothing is written beside it.
    fs::remove_file(&replays[0]).unwrap();
    let ran = desk.run(&import);
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    assert!(ran.stderr.contains("archive-2.ndjson already exists"), "{ran:#?}");
    assert_eq!(desk.replays("games").len(), ends.len() - 1);
}

#[test]
fn people_and_tags_of_an_archive_are_exported_again() {
    const NAMES: &str = "[Event \"Open 1999\"]\n[Site \"Town\"]\n[Date \"1999.05.01\"]\n[Round \"3\"]\n\
                         [Black \"Player A\"]\n[White \"Player B\"]\n[Result \"1-0\"]\n";
    let desk = Desk::new();
    fs::write(desk.path("a.pdn"), format!("{NAMES}\n1. 11-15 23-19 Diagram 2. 8-11 1-0\n"))
        .unwrap();
    let told = desk.done(&["import", "draughts", "a.pdn", "--out", "games"]);
    let note = "note: game 1, ply 3, line 9, column 16: expected a move, a move number, a comment or a \
                result, got \"Diagram\"\n1 of 1 game agrees with the rules, 3 facts compared, 1 note\n";
    assert!(told.starts_with(note), "{told}");
    let replay = desk.replays("games")[0].to_str().unwrap().to_string();
    let shown = desk.done(&["replay", "show", &replay]);
    assert!(shown.contains("black: Player A") && shown.contains("white: Player B"), "{shown}");
    let pdn = desk.done(&["replay", "export", "--pdn", &replay]);
    assert!(pdn.starts_with(NAMES), "{pdn}");
    fs::write(desk.path("b.pdn"), "[GameType \"25\"]\n1. c3-d4 d6-c5 1-0\n").unwrap();
    let ran = desk.run(&["import", "draughts", "b.pdn", "--check"]);
    let expected = "b.pdn: Russian draughts, 1 game; Botyard plays English draughts\n";
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    assert!(ran.stderr.ends_with(expected), "{ran:#?}");
}

#[test]
fn of_imported_records_what_agrees_is_kept_and_what_differs_is_told() {
    const REFERENCE: &str =
        include_str!("../../crates/engine/tests/data/scotland-yard/reference_playouts.jsonl");
    let desk = Desk::new();
    let import = |name: &str, records: &str, more: &[&str]| {
        fs::write(desk.path(name), records).expect("a file");
        desk.run(&[&["import", "scotland-yard", name], more].concat())
    };
    let kept = import("right", REFERENCE, &["--out", "all"]);
    assert_eq!((kept.code, desk.replays("all").len()), (Some(0), 40), "{kept:#?}");
    // One illegal move in one game.
    let wrong = REFERENCE.replacen("\"played\":\"MRX:bus>116\"", "\"played\":\"MRX:bus>1\"", 1);
    assert_ne!(wrong, REFERENCE);
    let kept = import("wrong", &wrong, &["--out", "some"]);
    assert_eq!((kept.code, desk.replays("some").len()), (Some(1), 39), "{kept:#?}");
    assert_eq!(import("wrong", &wrong, &["--check"]).code, Some(1));
}

#[test]
fn records_that_cannot_be_imported_are_wrong_usage() {
    let desk = Desk::new();
    for (game, records, expected) in [
        ("scotland", &b"{}"[..], "did you mean scotland-yard?"),
        ("scotland-yard", b"", "has no readable record of scotland-yard"),
        ("scotland-yard", b"1. e4 e5\n2. Nf3 Nc6\n", "; first error: "),
        ("scotland-yard", b"\xff", "has no readable record of scotland-yard"),
        (
            "scotland-yard",
            b"{\n\xff",
            "records, line 2, column 1: expected UTF-8, got the byte 0xFF",
        ),
    ] {
        fs::write(desk.path("records"), records).expect("a file");
        let ran = desk.run(&["import", game, "records", "--out", "replays"]);
        assert_eq!(ran.code, Some(2), "{ran:#?}");
        assert!(ran.stderr.contains(expected), "{ran:#?}");
        assert!(!desk.path("replays").exists());
    }
}

#[test]
fn a_position_is_drawn_for_a_seat_for_all_or_whole() {
    let (desk, replay) = one_game();
    let seen = desk.done(&["replay", "picture", replay, "--at", "6"]);
    assert!(seen.starts_with("<svg ") && seen.ends_with("</svg>\n"), "{seen}");
    let hidden = "id=\"mr-x\" class=\"pawn mr-x\" visibility=\"hidden\"";
    assert!(seen.contains(hidden), "{seen}");
    let at = ["replay", "picture", replay, "--at", "6"];
    assert_eq!(desk.done(&[&at[..], &["--seat", "detectives"]].concat()), seen);
    for option in [&["--truth"][..], &["--seat", "1"]] {
        assert!(!desk.done(&[&at[..], option].concat()).contains(hidden), "{option:?}");
    }
    desk.done(&[&at[..], &["--dark", "-o", "board.svg"]].concat());
    let dark = fs::read_to_string(desk.path("board.svg")).unwrap();
    assert!(dark.contains("class=\"botyard dark\""), "{dark}");
    // A picture may be drawn again.
    desk.done(&[&at[..], &["-o", "board.svg"]].concat());
    assert_eq!(fs::read_to_string(desk.path("board.svg")).unwrap(), seen);
}

#[test]
fn a_game_is_animated_as_one_document() {
    let (desk, replay) = one_game();
    let part = ["replay", "picture", replay, "--animate", "--to", "9", "--speed", "5"];
    let svg = desk.done(&part);
    assert!(svg.starts_with("<svg ") && svg.contains("dur=\"4.5s\""), "{svg}");
    assert!(svg.contains("Turn 9.") && !svg.contains("Turn 10.") && !svg.contains("<script"));
    // What is hidden is in no animation unless it is asked for.
    assert_eq!(desk.done(&[&part[..], &["--seat", "detectives"]].concat()), svg);
    assert_ne!(desk.done(&[&part[..], &["--truth"]].concat()), svg);
    desk.done(&[&part[..], &["--dark", "-o", "game.svg"]].concat());
    let dark = fs::read_to_string(desk.path("game.svg")).unwrap();
    assert!(dark.contains("class=\"botyard dark\""), "{dark}");
}

#[test]
#[cfg(feature = "raster")]
fn a_position_is_painted_and_a_game_animated() {
    let (desk, replay) = one_game();
    let picture = |options: &[&str], name: &str| {
        let out = desk.done(&[&["replay", "picture", replay], options, &["-o", name]].concat());
        assert_eq!(out, "");
        fs::read(desk.path(name)).expect("a picture")
    };
    let at = &["--at", "6"][..];
    let png = picture(at, "board.png");
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n") && png.ends_with(b"IEND\xaeB`\x82"));
    // The width, after the length and the name of the first chunk.
    let wide = picture(&[at, &["--width", "321"]].concat(), "wide.PNG");
    assert_eq!(wide[16..20], 321_u32.to_be_bytes());
    // What is hidden is in no picture unless it is asked for.
    assert_eq!(picture(&[at, &["--seat", "detectives"]].concat(), "seen.png"), png);
    assert_ne!(picture(&[at, &["--truth"]].concat(), "truth.png"), png);

    let part = &["--animate", "--from", "4", "--to", "9", "--width", "200"][..];
    let gif = picture(part, "game.gif");
    assert!(gif.starts_with(b"GIF89a") && gif.ends_with(b";"));
    assert!(gif.windows(11).any(|its| its == b"NETSCAPE2.0"), "it plays again and again");
    let apng = picture(part, "game.png");
    let chunks = |name: &[u8; 4]| apng.windows(4).filter(|its| its == name).count();
    assert_eq!([chunks(b"acTL"), chunks(b"fcTL")], [1, 6], "an animation of six positions");
    for option in [&["--dark"][..], &["--truth"], &["--speed", "5"]] {
        assert_ne!(picture(&[part, option].concat(), "other.gif"), gif, "{option:?}");
    }
}

#[test]
fn a_game_is_made_into_a_page_and_opened() {
    let (desk, replay) = one_game();
    assert_eq!(desk.done(&["replay", "view", replay]), replay.replace(".ndjson", ".html\n"));
    let page = fs::read_to_string(desk.path(&replay.replace(".ndjson", ".html"))).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("\"key\":\"**\""), "{page}");
    desk.done(&["replay", "view", replay, "--seat", "detectives", "-o", "seen.html"]);
    let seen = fs::read_to_string(desk.path("seen.html")).unwrap();
    assert!(!seen.contains("\"key\":\"**\"") && seen.contains("\"view_of\":\"detectives\""));
    desk.done(&["replay", "export", replay, "--seat", "2", "--out", "copy.ndjson"]);
    desk.done(&["replay", "view", "copy.ndjson", "-o", "copy.html"]);
    assert!(fs::read_to_string(desk.path("copy.html")).unwrap() == seen);
    for (file, options, code, expected) in [
        (replay, &["-o", replay][..], 2, "choose a name that ends in .html"),
        (replay, &["--seat", "3"], 2, "there is no seat \"3\""),
        ("copy.ndjson", &["--seat", "1"], 2, "a copy for the seat detectives"),
        ("nothing.ndjson", &[], 2, "there is no file"),
    ] {
        let ran = desk.run(&[&["replay", "view", file], options].concat());
        assert_eq!(ran.code, Some(code), "{options:?}: {ran:#?}");
        assert!(ran.stderr.contains(expected), "{options:?}: {ran:#?}");
    }
    let sound = fs::read_to_string(desk.path(replay)).unwrap();
    fs::write(desk.path("open.ndjson"), &sound[..sound.len() - 30]).unwrap();
    let ran = desk.run(&["replay", "view", "open.ndjson"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(ran.stderr.contains("has no \"end\" line"), "{ran:#?}");
    fs::write(desk.path("changed.ndjson"), sound.replacen("\"turn\":3", "\"turn\":4", 1)).unwrap();
    let ran = desk.run(&["replay", "view", "changed.ndjson"]);
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    assert!(ran.stderr.contains("was changed") && ran.stderr.contains("line "), "{ran:#?}");
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let (desk, replay) = one_game();
    for (options, expected) in [
        (&["-o", "board.jpg"][..], "choose a name that ends in .svg or .png"),
        (&["-o", "board.gif"], "a GIF is an animation; add --animate"),
        (&["--width", "500"], "--width is for PNG and GIF"),
        (&["--at", "3", "--animate"], "cannot be used with"),
        (&["--from", "3"], "--animate"),
        (&["--animate", "--from", "4", "--to", "3"], "--from 4 is after --to 3"),
        (&["--animate", "--to", "9999"], "has no decision 9999"),
        (&["--animate", "--speed", "0"], "from 0.1 to 50, got \"0\""),
        (&["--seat", "3"], "there is no seat \"3\""),
        (&["--seat", "1", "--truth"], "cannot be used with"),
        (&["--at", "9999"], "has no decision 9999"),
    ] {
        let ran = desk.run(&[&["replay", "picture", replay], options].concat());
        assert_eq!(ran.code, Some(2), "{options:?}: {ran:#?}");
        assert!(ran.stderr.contains(expected), "{options:?}: {ran:#?}");
    }
    // Without the feature `raster`, no size is right.
    for (width, expected) in
        [("0", "choose another --width"), ("100000", "expected from 1 to 8192 for each")]
    {
        let expected = if cfg!(feature = "raster") { expected } else { "--features raster" };
        let ran = desk.run(&["replay", "picture", replay, "-o", "board.png", "--width", width]);
        assert_eq!(ran.code, Some(2), "{width}: {ran:#?}");
        assert!(ran.stderr.contains(expected), "{width}: {ran:#?}");
    }
    for name in ["board.jpg", "board.gif", "board.png"] {
        assert!(!desk.path(name).exists(), "{name}");
    }
    let sound = fs::read_to_string(desk.path(replay)).unwrap();
    let without_end: String =
        sound.lines().take(sound.lines().count() - 1).map(|line| format!("{line}\n")).collect();
    fs::write(desk.path("open.ndjson"), without_end).unwrap();
    let ran = desk.run(&["replay", "picture", "open.ndjson"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(ran.stderr.contains("has no \"end\" line"), "{ran:#?}");
    fs::write(desk.path("changed.ndjson"), sound.replacen("\"turn\":3", "\"turn\":4", 1)).unwrap();
    let ran = desk.run(&["replay", "picture", "changed.ndjson"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""), "{ran:#?}");
    assert!(ran.stderr.contains("was changed"), "{ran:#?}");
}
