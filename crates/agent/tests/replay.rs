//! The example on a recorded game, as a real process: `--replay FILE --seat SEAT`. A script stands in
//! for the program `botyard`, which knows what a seat was sent.

use crate::one_ply::{HELLO, program};
use botyard_engine::{GameEvent, Seat, registry};
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

/// Writes what yellow was sent in the first three plies of a game: `lines.ndjson`.
fn write_lines(place: &Path) {
    let mut table = registry::tables("connect-four", None, &[]).unwrap()();
    table.open_with("{}").unwrap();
    let mut lines = String::from_utf8(HELLO.to_vec()).unwrap();
    lines.push_str(&format!(
        r#"{{"type":"start","game_id":"g","game":"connect-four","rules":{},"seats":["yellow","red"],"you":["yellow"],"players":[],"time":{{"kind":"wall","move_ms":60000,"bank_ms":null,"increment_ms":0,"grace_ms":0,"on_fault":"forfeit"}},"setup":{}}}"#,
        table.rules(),
        table.setup(Seat::new(0)),
    ));
    lines.push('\n');
    for turn in [1, 3] {
        let (mut view, mut legal) = (Vec::new(), Vec::new());
        table.write_view(Seat::new(0), &mut view);
        table.write_legal(&mut legal);
        let [view, legal] = [view, legal].map(|json| String::from_utf8(json).unwrap());
        lines.push_str(&format!(
            r#"{{"type":"turn","turn":{turn},"seat":"yellow","view":{view},"legal":{legal},"clock":{{"kind":"wall","move_ms":60000,"bank_ms":null,"increment_ms":0}}}}"#
        ));
        lines.push('\n');
        for _ in 0..2 {
            let action = table.legal()[0].to_string();
            table.play(&action, &mut GameEvent::default()).unwrap();
        }
    }
    fs::write(place.join("lines.ndjson"), lines + "{\"type\":\"quit\"}\n").unwrap();
}

fn run(place: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(program());
    command.args(arguments).current_dir(place).env("BOTYARD", place.join("botyard"));
    let Output { status, stdout, stderr } = command.output().unwrap();
    let [stdout, stderr] = [stdout, stderr].map(|text| String::from_utf8(text).unwrap());
    (status.code(), stdout, stderr)
}

#[test]
fn the_example_runs_on_a_recorded_game() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    write_lines(place);
    let (code, said, errors) = run(place, &["--replay", "lines.ndjson"]);
    assert_eq!((code, errors.as_str()), (Some(0), ""), "{said}");
    assert!(said.ends_with("2 decisions\n"), "{said}");
    let action = |turn: u32| {
        let line = said.lines().find_map(|line| line.strip_prefix(&format!("turn {turn}: ")));
        line.unwrap().split("  (").next().unwrap().to_string()
    };

    // A replay in which the first action is the same and the second is another one.
    let record = format!(
        "{{\"type\":\"header\"}}\n\
         {{\"type\":\"move\",\"turn\":1,\"action\":{}}}\n\
         {{\"type\":\"move\",\"turn\":2,\"action\":{{\"column\":1}}}}\n\
         {{\"type\":\"move\",\"turn\":3,\"action\":{{\"column\":9}}}}\n",
        action(1)
    );
    fs::write(place.join("game.ndjson"), &record).unwrap();
    let file = fs::File::create(place.join("game.ndjson.gz")).unwrap();
    let mut gzip = flate2::write::GzEncoder::new(file, flate2::Compression::default());
    gzip.write_all(record.as_bytes()).unwrap();
    gzip.finish().unwrap();
    let script = format!(
        "#!/bin/sh\n[ \"$1 $2 $4 $5\" = 'replay stdin --seat yellow' ] && cat '{}/lines.ndjson'\n",
        place.display()
    );
    fs::write(place.join("botyard"), script).unwrap();
    fs::set_permissions(place.join("botyard"), fs::Permissions::from_mode(0o755)).unwrap();
    for file in ["game.ndjson", "game.ndjson.gz"] {
        let (code, said, errors) = run(place, &["--replay", file, "--seat", "yellow"]);
        assert_eq!(code, Some(0), "{errors}");
        assert!(said.contains(&format!("turn 1: {}  as recorded  (", action(1))), "{said}");
        assert!(said.contains("  recorded: {\"column\":9}  ("), "{said}");
        assert!(said.contains("  info: {\"text\":"), "{said}");
        assert!(said.ends_with("2 decisions, 1 differ from the record\n"), "{said}");
    }
    let (_, said, _) = run(place, &["--replay", "lines.ndjson", "--turn", "3"]);
    assert!(said.starts_with("turn 3: ") && said.ends_with("1 decisions\n"), "{said}");

    // A file that a person has edited, and the other form of options.
    let spaced = fs::read_to_string(place.join("lines.ndjson")).unwrap().replace('\n', "\n\r\n \n");
    fs::write(place.join("spaced.ndjson"), format!("\n{spaced}")).unwrap();
    let (code, said, errors) = run(place, &["--replay=spaced.ndjson", "--turn=3"]);
    assert_eq!((code, errors.as_str()), (Some(0), ""), "{said}");
    assert!(said.starts_with("turn 3: ") && said.ends_with("1 decisions\n"), "{said}");
    fs::write(place.join("spaced.ndjson"), format!("\n{}", record.replace('\n', "\n\n"))).unwrap();
    let (_, said, errors) = run(place, &["--seat=yellow", "--replay=spaced.ndjson"]);
    assert!(said.ends_with("2 decisions, 1 differ from the record\n"), "{said}{errors}");

    fs::write(place.join("blank.ndjson"), "\n").unwrap();
    for (arguments, code, expected) in [
        (&["--replay=blank.ndjson"][..], 1, "blank.ndjson, line 1: expected a message in JSON"),
        (&["--replay=lines.ndjson", "--option=lok=1"], 1, "lok"),
        (&["--replays=lines.ndjson"], 2, "expected no arguments"),
        (&["--replay=lines.ndjson", "--sat=red"], 2, "got --sat"),
        (&["--replay", "game.ndjson", "--seat", "red"], 1, "cannot read what the bot was sent"),
        (&["--replay", "game.ndjson", "--botyard", "/nowhere/botyard"], 1, "--botyard PATH"),
        (
            &["--replay", "lines.ndjson", "--turn", "2"],
            1,
            "there is no decision 2 of this seat: its first is 1, its last 3",
        ),
        (&["--replay", "lines.ndjson", "--option", "lok=1"], 1, "lok"),
        (&["--replay", "none.ndjson"], 1, "cannot read none.ndjson"),
        (&["--replay", "lines.ndjson", "--turn", "x"], 2, "--turn: expected a number, got x"),
        (&["--replay"], 2, "expected a value after --replay"),
        (&["--replay", "lines.ndjson", "--sat", "red"], 2, "got --sat"),
    ] {
        let (found, said, errors) = run(place, arguments);
        assert_eq!(found, Some(code), "{arguments:?}: {said}{errors}");
        assert!(errors.contains(expected), "{arguments:?}: {errors}");
    }
}
