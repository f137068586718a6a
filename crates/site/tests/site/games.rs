//! A class with a game of every kind, which were recorded elsewhere, and who may see them.

use crate::client::{Class, PASSWORD, Visitor, codes};
use crate::uploads::bot;
use botyard_league::{PlayedGame, Verdict};
use rusqlite::{Connection, params};
use std::fs;

/// A replay of two bots.
const REPLAY: &str = include_str!("../../../replay/tests/data/draughts-forfeit.ndjson");

/// The games, each of Anna's team in the first seat and of Cy's in the second: a game of the ladder, one of
/// the final, which nothing was published of, and a practice game.
pub const GAMES: [&str; 3] = ["ladder-1", "final-1", "practice-1"];

/// Starts a class with these games. Returns it with its administrator.
pub fn class_with_games() -> (Class, Visitor) {
    let (class, mut admin) = Class::joined();
    // A student who takes part in none of them.
    let dee = "student_id,name,email,group,team,role\n4,Dee,dee@x.org,b,,\n";
    admin.import_roster(dee);
    let code = codes(&admin.get("/roster/codes").text).pop().expect("a code");
    let joined = class.visitor().post("/join", &[("code", &code), ("password", PASSWORD)]);
    assert_eq!(joined.status, 303, "{}", joined.text);

    for account in ["1", "3"] {
        let mut student = class.signed_in(account);
        let reply = student.upload("/team/submissions", "bot.zip", &bot(account));
        assert_eq!(reply.status, 303, "{}", reply.text);
    }

    let class = class.with_rows(|database, directory| {
        fs::create_dir_all(directory.join("replays")).expect("it is ours");
        write(database);
        for game in GAMES {
            let replay = directory.join(format!("replays/{game}.ndjson"));
            fs::write(&replay, REPLAY).expect("it is ours");
            for (number, text) in [(1, "secret of red"), (2, "secret of Cy")] {
                let stderr = botyard_replay::stderr_path(&replay, number, "bot");
                fs::write(stderr, text).expect("it is ours");
            }
        }
    });
    let admin = class.signed_in("root@x.org");
    (class, admin)
}

fn write(database: &Connection) {
    database
        .execute_batch(
            "UPDATE submissions SET state = 'accepted', reason = '', event = 1, bundle = '{}'; \
             INSERT OR REPLACE INTO active SELECT team, 1, MAX(id) FROM submissions GROUP BY team; \
             INSERT INTO events(text, draws, commitment, began_at, kind, of) \
             SELECT text, draws, commitment, 0, 'final', 1 FROM events WHERE id = 1; \
             INSERT INTO events(text, draws, commitment, began_at, kind, of) \
             SELECT text, draws, commitment, 0, 'practice', 1 FROM events WHERE id = 1; \
             INSERT OR IGNORE INTO entrants(event, submission) \
             SELECT events.id, submissions.id FROM events, submissions ORDER BY events.id, submissions.id;",
        )
        .expect("rows");
    for (event, game) in (1..).zip(GAMES) {
        let mut statement = database
            .prepare("SELECT id FROM entrants WHERE event = ?1 AND submission NOT NULL ORDER BY id")
            .expect("a statement");
        let entrants: Vec<i64> = statement
            .query_map([event], |row| row.get(0))
            .expect("rows")
            .collect::<Result<_, _>>()
            .expect("numbers");
        assert_eq!(entrants.len(), 2);
        let played = PlayedGame {
            block: 1,
            seats: entrants.iter().map(|&id| id as usize).collect(),
            verdict: Verdict::Scored { points: vec![1.0, 0.0], places: vec![1, 2] },
            void_at: None,
            turns: 16,
            uses: Vec::new(),
            faults: Vec::new(),
            replay: Some(format!("replays/{game}.ndjson")),
        };
        let text = |json: serde_json::Result<String>| json.expect("it has a text");
        let line_up = text(serde_json::to_string(&entrants));
        let played = text(serde_json::to_string(&played));
        database
            .execute(
                "INSERT INTO blocks(event, number, line_up, entrant, reason, state, at) \
                 VALUES (?1, 1, ?2, ?3, 'turn', 'played', 0)",
                params![event, line_up, entrants[0]],
            )
            .expect("a block");
        database
            .execute(
                "INSERT INTO games(event, block, rotation, id, attempts, game, at) \
                 VALUES (?1, 1, 0, ?2, 1, ?3, 0)",
                params![event, game, played],
            )
            .expect("a game");
        for (seat, entrant) in entrants.iter().enumerate() {
            database
                .execute(
                    "INSERT INTO seats VALUES (?1, ?2, ?3, 0)",
                    params![game, seat as i64, entrant],
                )
                .expect("a seat");
        }
    }
}

#[test]
fn a_team_has_the_files_of_its_own_versions_and_of_no_others() {
    let (class, mut admin) = class_with_games();
    let (mut ben, mut cy) = (class.signed_in("2"), class.signed_in("3"));
    for (visitor, own, other) in [(&mut ben, 1, 2), (&mut cy, 2, 1)] {
        for part in ["files", "files?path=bot.py", "files.zip", "changes"] {
            let reply = visitor.get(&format!("/submissions/{own}/{part}"));
            assert_eq!(reply.status, 200, "{part}: {}", reply.text);
            let reply = visitor.get(&format!("/submissions/{other}/{part}"));
            assert_eq!(reply.status, 404, "{part}: {}", reply.text);
        }
        for page in ["/team", &format!("/submissions/{own}")] {
            let link = format!("href=\"/submissions/{own}/files.zip\"");
            assert!(visitor.get(page).text.contains(&link), "{page}");
        }
    }
    let file = ben.get("/submissions/1/files.zip").body;
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(file)).expect("an archive");
    for name in ["bot.toml", "bot.py"] {
        assert!(archive.by_name(&format!("red-1-version-1/{name}")).is_ok(), "{name}");
    }
    // Who has left the team has its files no longer.
    admin.import_roster("ID,name,team\n2,Ben,green\n");
    assert_eq!(ben.get("/submissions/1/files.zip").status, 404);
}

/// Publishes the standings of the final, and its replays.
fn publish(admin: &mut Visitor, step: &str) {
    let reply = admin.post("/event/final/step", &[("step", step), ("reason", "it is over")]);
    assert_eq!(reply.status, 303, "{}", reply.text);
}

#[test]
fn what_bots_log_is_for_their_team_and_the_staff_even_after_the_replays_are_published() {
    let (class, mut admin) = class_with_games();
    publish(&mut admin, "standings");
    publish(&mut admin, "replays");
    // The second bot, of Cy's team, forfeits.
    let fault = REPLAY.lines().find(|line| line.contains("\"type\":\"fault\"")).expect("a fault");
    let fault: serde_json::Value = serde_json::from_str(fault).expect("it is JSON");
    let message = fault["message"].as_str().expect("it has a message");
    let copy = |account: &str| class.signed_in(account).get("/games/ladder-1/replay").text;
    let shown = |account: &str| class.signed_in(account).get("/games/ladder-1").text;
    let header: serde_json::Value =
        serde_json::from_str(REPLAY.lines().next().expect("a line")).expect("it is JSON");
    let guilty = header["seats"].as_array().expect("a list").iter();
    let seat = guilty.clone().position(|its| its["seat"] == fault["seat"]).expect("a seat");
    // The member of a team is signed in as 1 or 2, and Cy as 3.
    let (own, other) = if seat == 0 { ("1", "3") } else { ("3", "1") };
    for (account, is_told) in [(own, true), (other, false), ("4", false), ("7", false), ("8", true)]
    {
        assert_eq!(copy(account).contains(message), is_told, "{account}");
        let page = shown(account);
        assert!(page.contains("forfeit"), "{account}: the game is there");
    }
}

#[test]
fn standard_error_is_for_the_team_and_the_staff_even_after_the_replays_are_published() {
    let (class, mut admin) = class_with_games();
    let secrets = ["secret of red", "secret of Cy"];
    let shown = |account: &str, game: &str| {
        let reply = class.signed_in(account).get(&format!("/games/{game}"));
        assert_eq!(reply.status, 200, "{account}: {}", reply.text);
        secrets.map(|secret| reply.text.contains(secret))
    };
    assert_eq!(shown("1", "ladder-1"), [true, false]);
    assert_eq!(shown("3", "ladder-1"), [false, true]);
    assert_eq!(shown("8", "ladder-1"), [true, true]);
    publish(&mut admin, "standings");
    publish(&mut admin, "replays");
    for game in ["ladder-1", "final-1"] {
        assert_eq!(shown("2", game), [true, false], "{game}: a member of the first team");
        assert_eq!(shown("3", game), [false, true], "{game}: the second team");
        assert_eq!(shown("4", game), [false, false], "{game}: another team");
        assert_eq!(shown("7", game), [false, false], "{game}: a guest");
        assert_eq!(shown("8", game), [true, true], "{game}: an assistant");
    }
}

/// Who may see a game: a row for every game at every stage, a column for every visitor. `x`: the replay,
/// `p`: the whole game without what other teams' bots wrote, `1` or `2`: what this seat saw, `-`: nothing. The columns: a stranger, a guest, a member of the first team,
/// the second team, another student, an assistant, a teacher, the administrator.
const SEEN: &str = "
    hidden    ladder-1    - - 1 2 - x x x
    hidden    final-1     - - - - - x x x
    hidden    practice-1  - - 1 2 - x x x
    standings ladder-1    - - 1 2 - x x x
    standings final-1     - - - - - x x x
    standings practice-1  - - 1 2 - x x x
    replays   ladder-1    - p p p p x x x
    replays   final-1     - p p p p x x x
    replays   practice-1  - - 1 2 - x x x";

#[test]
fn a_game_is_seen_by_those_who_may_and_as_far_as_they_may() {
    let (class, mut admin) = class_with_games();
    let mut visitors = vec![class.visitor()];
    visitors.extend(["7", "2", "3", "4", "8", "9", "root@x.org"].map(|it| class.signed_in(it)));
    let mut at = "hidden";
    for row in SEEN.lines().skip(1) {
        let words: Vec<&str> = row.split_whitespace().collect();
        let (stage, game, cells) = (words[0], words[1], &words[2..]);
        assert_eq!(cells.len(), visitors.len(), "{row}");
        if stage != at {
            publish(&mut admin, stage);
            at = stage;
        }
        for (column, (visitor, cell)) in visitors.iter_mut().zip(cells).enumerate() {
            let page = visitor.get(&format!("/games/{game}"));
            let copy = visitor.get(&format!("/games/{game}/replay"));
            let shown = format!("{row}, column {column}: {} {}", page.status, copy.text);
            match *cell {
                "-" => {
                    let status = if column == 0 { 303 } else { 404 };
                    assert_eq!([page.status, copy.status], [status; 2], "{shown}");
                    assert!(!page.text.contains("draughts"), "{shown}");
                }
                "x" => {
                    assert_eq!([page.status, copy.status], [200; 2], "{shown}");
                    assert_eq!(copy.text, REPLAY, "{shown}");
                }
                "p" => {
                    assert_eq!([page.status, copy.status], [200; 2], "{shown}");
                    let actions = |text: &str| -> Vec<serde_json::Value> {
                        let lines = text.lines().filter(|line| line.contains("\"type\":\"move\""));
                        let line = |line| serde_json::from_str::<serde_json::Value>(line);
                        lines.map(|it| line(it).expect("it is JSON")["action"].clone()).collect()
                    };
                    assert_eq!(actions(&copy.text), actions(REPLAY), "{shown}");
                    assert!(!copy.text.contains("view_of") && copy.text != REPLAY, "{shown}");
                }
                seat => {
                    assert_eq!([page.status, copy.status], [200; 2], "{shown}");
                    let name = if seat == "1" { "black" } else { "white" };
                    assert!(copy.text.contains(&format!("\"view_of\":\"{name}\"")), "{shown}");
                }
            }
        }
    }
}

/// Markup in what bots and replays say: names, versions, messages, reasons, notes.
pub const HOSTILE: &str = "</script><script>alert(7)</script><img src=x onerror=alert(7)>\"'&";

/// Returns the replay with hostile text in each of its fields that is free, and the chain of that.
fn hostile_replay() -> String {
    let text = serde_json::to_string(HOSTILE).expect("it is text");
    let inner = &text[1..text.len() - 1];
    let mut chain = botyard_replay::Chain::default();
    let lines = REPLAY.lines().map(|line| {
        let (body, rest) = line.split_once(",\"chain\":\"").expect("a link");
        let (_, after) = rest.split_once('"').expect("its end");
        let body = body
            .replace("\"faulty", &format!("\"{inner}"))
            .replace("\"version\":\"1\"", &format!("\"version\":{text}"))
            .replace("\"engine\":{\"name\":\"botyard\"", &format!("\"engine\":{{\"name\":{text}"))
            .replace("\"sandbox\":\"none\"", &format!("\"sandbox\":{text}"))
            .replace("\"options\":{}", &format!("\"options\":{{{text}:{text}}}"))
            .replace("\"message\":\"", &format!("\"message\":\"{inner}"))
            .replace(
                "\"action\":\"18x11\"",
                &format!("\"action\":\"18x11\",\"info\":{{{text}:{text}}}"),
            );
        format!("{body},\"chain\":\"{}\"{after}\n", chain.extend(body.as_bytes()))
    });
    lines.collect()
}

#[test]
fn markup_in_any_field_of_a_game_is_text_on_its_page() {
    let (class, _) = class_with_games();
    let replay = class.place.path().join("class/replays/ladder-1.ndjson");
    fs::write(&replay, hostile_replay()).expect("it is ours");
    fs::write(botyard_replay::stderr_path(&replay, 1, "bot"), HOSTILE).expect("it is ours");
    for account in ["1", "3", "8"] {
        let page = class.signed_in(account).get("/games/ladder-1");
        assert_eq!(page.status, 200, "{account}: {}", page.text);
        assert!(page.text.contains("alert(7)"), "{account}: the text is there");
        for markup in ["<script>alert", "</script><script", "<img src=x"] {
            assert!(!page.text.contains(markup), "{account}: {markup}");
        }
    }
}
