//! The server over real connections: a game is followed while it is written, through a restart of
//! the server, and nothing hidden is sent unless it was asked for.

#[path = "../../viewer/tests/viewer/alike.rs"]
mod alike;
#[path = "../../viewer/tests/viewer/recording.rs"]
#[expect(dead_code, reason = "tests of drawings use the rest")]
mod recording;

use alike::{bids, cups};
use botyard_live::{Server, Sight};
use recording::{Recording, game};
use serde_json::Value;
use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tempfile::TempDir;

fn kept(name: &str) -> String {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../replay/tests/data");
    fs::read_to_string(data.join(name)).expect("a kept replay")
}

/// Writes a part of a replay, as a referee does: some lines at the end of the file.
fn append(file: &Path, text: &str) {
    let mut file = OpenOptions::new().create(true).append(true).open(file).expect("a file");
    file.write_all(text.as_bytes()).expect("written");
}

/// Splits a replay after a share of its lines.
fn split(replay: &str, numerator: usize, denominator: usize) -> (String, String) {
    let lines: Vec<&str> = replay.split_inclusive('\n').collect();
    let at = lines.len() * numerator / denominator;
    (lines[..at].concat(), lines[at..].concat())
}

fn serve(directory: &Path, sight: Sight) -> Server {
    Server::start(directory.to_path_buf(), 0, sight, Arc::new(|_| Ok(()))).expect("a server")
}

/// The answer to a request: its status and headers, and the rest of the connection.
struct Answer {
    status: u16,
    headers: String,
    body: BufReader<TcpStream>,
}

fn ask(port: u16, path: &str, host: &str, more: &str) -> Answer {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(120))).expect("a timeout");
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{more}\r\n")
        .expect("a request");
    let mut body = BufReader::new(stream);
    let mut headers = String::new();
    while !headers.ends_with("\r\n\r\n") {
        assert!(body.read_line(&mut headers).expect("headers") > 0, "{headers}");
    }
    let status = headers[9..12].parse().expect("a status");
    Answer { status, headers: headers.to_lowercase(), body }
}

fn get(server: &Server, path: &str) -> (u16, String) {
    let mut answer = ask(server.port(), path, "127.0.0.1", "");
    let mut body = String::new();
    answer.body.read_to_string(&mut body).expect("text");
    (answer.status, body)
}

/// The data of a page.
fn data(page: &str) -> Value {
    let begin = "<script type=\"application/json\" id=\"replay\">";
    let from = page.find(begin).unwrap_or_else(|| panic!("no data: {page}")) + begin.len();
    serde_json::from_str(page[from..].split("</script>").next().expect("an end")).expect("JSON")
}

/// Events, read one by one.
struct Events(BufReader<TcpStream>);

#[derive(Debug, Default)]
struct Event {
    kind: String,
    id: String,
    data: String,
}

impl Events {
    fn of(port: u16, path: &str, more: &str) -> Events {
        let answer = ask(port, path, "localhost", more);
        assert_eq!(answer.status, 200);
        assert!(answer.headers.contains("text/event-stream"), "{}", answer.headers);
        Events(answer.body)
    }

    /// The next event; `None` at the end of the connection.
    fn next(&mut self) -> Option<Event> {
        let mut event = Event::default();
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).unwrap_or(0) == 0 {
                return None;
            }
            let line = line.trim_end();
            if let Some(kind) = line.strip_prefix("event: ") {
                event.kind = kind.to_string();
            } else if let Some(id) = line.strip_prefix("id: ") {
                event.id = id.to_string();
            } else if let Some(data) = line.strip_prefix("data: ") {
                event.data = data.to_string();
            } else if line.is_empty() && !event.kind.is_empty() {
                return Some(event);
            }
        }
    }

    /// The numbers of the positions until an event that `is_last`.
    fn positions(&mut self, is_last: impl Fn(&Event) -> bool) -> Vec<u64> {
        let mut numbers = Vec::new();
        loop {
            let event = self.next().expect("more events");
            if event.kind == "positions" {
                let positions: Vec<Value> = serde_json::from_str(&event.data).expect("JSON");
                numbers.extend(positions.iter().map(|its| its["n"].as_u64().expect("a number")));
                assert_eq!(event.id, numbers.last().expect("a position").to_string());
            }
            if is_last(&event) {
                return numbers;
            }
        }
    }
}

fn place() -> (TempDir, PathBuf) {
    let place = tempfile::tempdir().expect("a directory");
    let file = place.path().join("a game.ndjson");
    (place, file)
}

#[test]
fn a_game_is_followed_to_its_end_through_a_restart_of_the_server() {
    for name in ["dice-wars-retry.ndjson", "scotland-yard-retry.ndjson", "draughts-retry.ndjson"] {
        let replay = kept(name);
        let (first, rest) = split(&replay, 1, 3);
        let (second, last) = split(&rest, 1, 2);
        let (place, file) = place();
        append(&file, &first);
        let server = serve(place.path(), Sight::Spectator);
        let port = server.port();
        let (status, page) = get(&server, "/game/a%20game");
        assert_eq!(status, 200, "{name}: {page}");
        let so_far = data(&page)["positions"].as_array().expect("positions").len() as u64;
        assert!(so_far > 1, "{name}");
        assert_eq!(data(&page)["live"]["events"], "/events/a%20game");

        let mut events = Events::of(port, &format!("/events/a%20game?from={}", so_far - 1), "");
        assert_eq!(events.next().expect("a greeting").data, data(&page)["live"]["id"], "{name}");
        let again = events.positions(|event| event.kind == "positions");
        assert_eq!(again, [so_far - 1], "{name}: the last position, which may have changed");
        // A line comes in two pieces.
        append(&file, &second[..second.len() - 20]);
        append(&file, &second[second.len() - 20..]);
        let more = events.positions(|event| event.kind == "positions");
        let reached = *more.last().expect("positions");
        drop(server);
        while events.next().is_some() {}

        let server =
            Server::start(place.path().to_path_buf(), port, Sight::Spectator, Arc::new(|_| Ok(())));
        let server = server.expect("the same port");
        let from = format!("Last-Event-ID: {reached}\r\n");
        let mut events = Events::of(port, "/events/a%20game?from=0", &from);
        append(&file, &last);
        let numbers = events.positions(|event| event.kind == "end");
        assert_eq!(numbers.first(), Some(&reached), "{name}");
        assert!(numbers.windows(2).all(|two| two[1] == two[0] + 1 || two[1] == two[0]), "{name}");
        assert!(events.next().is_none(), "{name}: nothing follows the end");

        let (_, page) = get(&server, "/game/a%20game");
        let whole = data(&page)["positions"].as_array().expect("positions").len() as u64;
        assert_eq!(numbers.last(), Some(&(whole - 1)), "{name}");
    }
}

#[test]
fn the_list_has_every_game_with_its_players_and_its_result() {
    let place = tempfile::tempdir().expect("a directory");
    let replays = place.path().join("replays/00");
    fs::create_dir_all(&replays).expect("a directory");
    append(&replays.join("over.ndjson"), &kept("dice-wars-retry.ndjson"));
    append(&replays.join("running.ndjson"), &split(&kept("draughts-retry.ndjson"), 1, 2).0);
    append(&replays.join("garbled.ndjson"), "{}\n");
    append(&replays.join("begun.ndjson"), "");
    // What is not beside the replays of a tournament is not its game.
    append(&place.path().join("planted.ndjson"), &kept("dice-wars-retry.ndjson"));
    let server = serve(place.path(), Sight::Spectator);
    let list = data(&get(&server, "/").1);
    let names: Vec<&str> = list["games"]
        .as_array()
        .expect("games")
        .iter()
        .filter_map(|its| its["name"].as_str())
        .collect();
    assert_eq!(names.len(), 3, "{list}");
    assert_eq!(names[0], "00/running");
    for game in list["games"].as_array().expect("games") {
        match game["name"].as_str() {
            Some("00/running") => assert!(game["outcome"].is_null(), "{game}"),
            Some("00/over") => assert_eq!(game["outcome"]["kind"], "completed", "{game}"),
            _ => assert!(game["problem"].is_string(), "{game}"),
        }
    }
    assert_eq!(get(&server, "/game/00/running").0, 200);
    assert_eq!(get(&server, "/game/00/garbled").0, 409);
    let mut events = Events::of(server.port(), "/events", "");
    assert_eq!(events.next().expect("a greeting").kind, "hello");
    assert_eq!(events.next().expect("the list").kind, "games");
    append(&replays.join("new.ndjson"), &kept("draughts-retry.ndjson"));
    let changed = events.next().expect("the list");
    assert!(changed.data.contains("00/new"), "{changed:?}");
    server.finish(Duration::from_secs(60));
    assert_eq!(events.next().expect("the end").kind, "bye");
}

/// Sets back the time at which a file was changed; returns it in milliseconds since 1970.
fn age(file: &Path, by: Duration) -> u64 {
    let opened = OpenOptions::new().append(true).open(file).expect("a file");
    opened.set_modified(SystemTime::now() - by).expect("a time");
    let changed = opened.metadata().expect("data").modified().expect("a time");
    changed.duration_since(UNIX_EPOCH).expect("after 1970").as_millis() as u64
}

/// The games of a list, by name.
fn listed(server: &Server) -> Vec<Value> {
    data(&get(server, "/").1)["games"].as_array().expect("games").clone()
}

#[test]
fn a_game_to_which_nothing_is_written_for_long_is_not_shown_as_running() {
    let place = tempfile::tempdir().expect("a directory");
    let (begin, rest) = split(&kept("draughts-retry.ndjson"), 1, 2);
    let silent = place.path().join("a-silent.ndjson");
    for name in ["b-running.ndjson", "c-thinking.ndjson"] {
        append(&place.path().join(name), &begin);
    }
    append(&silent, &begin);
    // Less than a minute more than the move time.
    age(&place.path().join("c-thinking.ndjson"), Duration::from_secs(45));
    let since = age(&silent, Duration::from_secs(3600));

    // What another server saw does not matter.
    for _ in 0..2 {
        let server = serve(place.path(), Sight::Spectator);
        let games = listed(&server);
        let names: Vec<&Value> = games.iter().map(|its| &its["name"]).collect();
        assert_eq!(names, ["b-running", "c-thinking", "a-silent"]);
        let times: Vec<&Value> = games.iter().map(|its| &its["silent_since"]).collect();
        assert!(times[0].is_null() && times[1].is_null() && *times[2] == since, "{times:?}");
        let mut events = Events::of(server.port(), "/events/a-silent", "");
        while let Some(event) = events.next() {
            if event.kind == "silence" {
                assert_eq!(event.data, since.to_string());
                break;
            }
            assert!(event.kind == "hello" || event.kind == "positions", "{event:?}");
        }
    }

    // It was not interrupted after all.
    let server = serve(place.path(), Sight::Spectator);
    let mut events = Events::of(server.port(), "/events/a-silent", "");
    while events.next().expect("an event").kind != "silence" {}
    let (more, end) = split(&rest, 1, 2);
    append(&silent, &more);
    let (mut has_positions, mut is_silent) = (false, true);
    while is_silent || !has_positions {
        let event = events.next().expect("an event");
        assert!(event.kind != "silence" || event.data == "0", "{event:?}");
        has_positions |= event.kind == "positions";
        is_silent &= event.kind != "silence";
    }
    append(&silent, &end);
    while events.next().expect("an event").kind != "end" {}
}

#[test]
fn games_of_several_tournaments_are_listed_compressed_or_not() {
    let place = tempfile::tempdir().expect("a directory");
    let replay = kept("scotland-yard-retry.ndjson");
    for tournament in ["spring", "autumn"] {
        let replays = place.path().join(tournament).join("replays/07");
        fs::create_dir_all(&replays).expect("a directory");
        let compressed = botyard_replay::compress(replay.as_bytes()).expect("compressed");
        fs::write(replays.join("small.ndjson.gz"), compressed).expect("written");
        append(&replays.join("plain.ndjson"), &replay);
        // A submission may have files of any name.
        let bot = place.path().join(tournament).join("bots/1/replays-of-mine");
        fs::create_dir_all(&bot).expect("a directory");
        append(&bot.join("planted.ndjson"), &replay);
    }
    append(&place.path().join("loose.ndjson"), &replay);
    let server = serve(place.path(), Sight::Spectator);
    let games = listed(&server);
    let mut names: Vec<&str> = games.iter().filter_map(|its| its["name"].as_str()).collect();
    names.sort_unstable();
    let expected =
        ["autumn/07/plain", "autumn/07/small", "loose", "spring/07/plain", "spring/07/small"];
    assert_eq!(names, expected);
    assert!(games.iter().all(|its| its["outcome"]["kind"] == "completed"), "{games:?}");
    let (status, page) = get(&server, "/game/spring/07/small");
    assert_eq!(status, 200, "{page}");
    let (_, plain) = get(&server, "/game/spring/07/plain");
    let mut events = Events::of(server.port(), "/events/spring/07/small", "");
    let numbers = events.positions(|event| event.kind == "end");
    let mut of_plain = Events::of(server.port(), "/events/spring/07/plain", "");
    assert_eq!(numbers, of_plain.positions(|event| event.kind == "end"));
    assert_eq!(data(&page)["seats"], data(&plain)["seats"]);
}

#[test]
fn more_pages_that_follow_something_than_there_are_connections_keep_no_page_out() {
    let (place, _) = place();
    let server = serve(place.path(), Sight::Spectator);
    // Half of those that last at once are an address's; of more the oldest end.
    let mut all: Vec<Events> = (0..256).map(|_| Events::of(server.port(), "/events", "")).collect();
    assert_eq!(get(&server, "/").0, 200);
    for ended in &mut all[..256 - 96] {
        while ended.next().is_some() {}
    }
    let greeted = all.last_mut().and_then(Events::next).expect("it lasts");
    assert_eq!(greeted.kind, "hello");
}

#[test]
fn requests_for_other_hosts_and_for_files_that_are_not_listed_are_refused() {
    let outer = tempfile::tempdir().expect("a directory");
    let inner = outer.path().join("inner");
    fs::create_dir(&inner).expect("a directory");
    append(&outer.path().join("secret.ndjson"), &kept("draughts-retry.ndjson"));
    append(&inner.join("game.ndjson"), &kept("draughts-retry.ndjson"));
    #[cfg(unix)]
    std::os::unix::fs::symlink(outer.path().join("secret.ndjson"), inner.join("link.ndjson"))
        .expect("a link");
    let server = serve(&inner, Sight::Spectator);
    for path in [
        "/game/../secret",
        "/game/%2e%2e/secret",
        "/game/..%2fsecret",
        "/game/link",
        "/game/",
        "/events/..%2Fsecret",
        "/game/game.ndjson",
        "/secret",
        "/game//etc/passwd",
    ] {
        assert_eq!(get(&server, path).0, 404, "{path}");
    }
    for host in ["example.org", "127.0.0.1.example.org", "localhost.example.org:80", ""] {
        for path in ["/", "/events", "/game/game", "/events/game"] {
            assert_eq!(ask(server.port(), path, host, "").status, 403, "{host}{path}");
        }
    }
    for path in ["/", "/game/game", "/nowhere"] {
        let answer = ask(server.port(), path, "localhost", "");
        for header in ["x-content-type-options: nosniff", "cache-control: no-store"] {
            assert!(answer.headers.contains(header), "{path}: {}", answer.headers);
        }
        let is_page = answer.status == 200;
        assert_eq!(answer.headers.contains("content-security-policy: default-src 'none'"), is_page);
    }
}

/// What a server sends of a game: its page, and all events.
fn sent(replay: &str, sight: Sight) -> String {
    let (place, file) = place();
    append(&file, replay);
    let server = serve(place.path(), sight);
    let (status, mut sent) = get(&server, "/game/a%20game");
    assert_eq!(status, 200, "{sent}");
    sent.push_str(&get(&server, "/events/a%20game").1);
    sent.push_str(&get(&server, "/").1);
    sent
}

/// The positions after a decision, as the page has them and as events have them.
fn positions(sent: &str, turn: usize) -> Vec<Value> {
    let events = sent.lines().filter_map(|line| line.strip_prefix("data: ["));
    let in_events = events.flat_map(|line| {
        serde_json::from_str::<Vec<Value>>(&format!("[{line}")).expect("positions")
    });
    let in_page = data(sent)["positions"].as_array().expect("positions").clone();
    let all: Vec<Value> =
        in_events.chain(in_page).filter(|position| position["turn"][0] == turn).collect();
    assert!(all.len() >= 2, "{turn}: {all:?}");
    all
}

#[test]
fn what_is_hidden_from_seats_is_sent_only_if_it_was_asked_for() {
    let replay = kept("scotland-yard-retry.ndjson");
    let seed: Value = serde_json::from_str(replay.lines().next().expect("a header")).expect("JSON");
    let seed = format!("\"seed\":{}", seed["seed"]);
    // The hidden moves of Mr. X, with the numbers of their decisions.
    let hidden: Vec<(usize, Value)> = replay
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"))
        .filter(|line| line["type"] == "move" && line["seen"].is_object())
        .map(|line| (line["turn"].as_u64().expect("a turn") as usize, line["action"].clone()))
        .collect();
    assert!(hidden.len() > 5, "{}", hidden.len());
    let spectator = sent(&replay, Sight::Spectator);
    let truth = sent(&replay, Sight::Truth);
    let mr_x = sent(&replay, Sight::Seat("mr-x".to_string()));
    let detectives = sent(&replay, Sight::Seat("2".to_string()));
    for (turn, action) in &hidden {
        // Positions come once in the page, and once as events.
        for one in [&spectator, &detectives] {
            for position in positions(one, *turn) {
                let [patch, happened] = [&position["frames"][0][0], &position["frames"][0][1]];
                assert!(happened[0].is_object() && happened[0]["to"].is_null(), "{position}");
                let its = &patch["o"]["mr_x"];
                let stations = [&its["v"]["station"], &its["o"]["station"]["v"]];
                assert!(stations.iter().all(|station| station.is_null()), "{position}");
            }
        }
        for one in [&truth, &mr_x] {
            for position in positions(one, *turn) {
                assert!(position["frames"].to_string().contains(&action.to_string()), "{position}");
            }
        }
    }
    assert!(truth.contains(&seed));
    for one in [&spectator, &mr_x, &detectives] {
        assert!(!one.contains(&seed));
        let perspectives = data(one)["perspectives"].as_array().map(Vec::len);
        assert_eq!(perspectives, Some(1));
    }
    // Times belong to the texts of a bot.
    assert!(truth.contains("\"us\":") && !spectator.contains("\"us\":"));
}

#[test]
fn what_a_bot_draws_is_sent_to_its_own_seat_and_with_the_truth() {
    let draw = r#"[{"point":"token-place"}]"#;
    let replay = Recording { draw: Some(draw), ..game("scotland-yard") }.at_random();
    let replay = String::from_utf8(replay).expect("a replay is UTF-8");
    let seat = |name: &str| Sight::Seat(name.to_string());
    for (sight, is_sent) in [
        (Sight::Spectator, false),
        (seat("detectives"), false),
        (seat("mr-x"), true),
        (Sight::Truth, true),
    ] {
        assert_eq!(sent(&replay, sight).contains("token-place"), is_sent);
    }
}

/// What a server sends of a game that has come to this decision: its page and the events until there,
/// without the identity of the file.
fn sent_until(replay: &[u8], turn: u64, sight: Sight) -> String {
    let (place, file) = place();
    fs::write(&file, replay).expect("written");
    let server = serve(place.path(), sight);
    let (status, mut sent) = get(&server, "/game/a%20game");
    assert_eq!(status, 200, "{sent}");
    let data = data(&sent);
    let in_page = data["positions"].as_array().and_then(|all| all.last()).expect("a position");
    assert_eq!(in_page["n"], turn);
    let id = data["live"]["id"].as_str().expect("an identity").to_string();
    let mut events = Events::of(server.port(), "/events/a%20game", "");
    loop {
        let event = events.next().expect("more events");
        sent.push_str(&format!("{} {} {}\n", event.kind, event.id, event.data));
        if event.kind == "positions" && event.id == turn.to_string() {
            break;
        }
    }
    assert!(sent.matches(&id).count() >= 2, "{id}");
    sent.replace(&id, "")
}

#[test]
fn games_that_look_alike_to_a_seat_are_sent_alike() {
    let (one, other) = alike::alike();
    let sent = |replay: &[u8], sight: &Sight| sent_until(replay, 24, sight.clone());
    for sight in [Sight::Spectator, Sight::Seat("detectives".to_string())] {
        assert!(sent(&one, &sight) == sent(&other, &sight), "{sight:?}");
    }
    for sight in [Sight::Truth, Sight::Seat("mr-x".to_string())] {
        assert!(sent(&one, &sight) != sent(&other, &sight), "{sight:?}");
    }
}

#[test]
fn cups_are_sent_to_those_who_see_them() {
    let games: Vec<Vec<u8>> = (1..30).map(bids).collect();
    let sent = |replay: &[u8], sight: &Sight| sent_until(replay, 3, sight.clone());
    let (mut for_seats, mut for_all) = (0, 0);
    for (index, one) in games.iter().enumerate() {
        for other in &games[..index] {
            let (mine, theirs) = (cups(one), cups(other));
            if mine == theirs {
                continue;
            }
            if for_all < 5 {
                assert!(sent(one, &Sight::Spectator) == sent(other, &Sight::Spectator));
                assert!(sent(one, &Sight::Truth) != sent(other, &Sight::Truth));
                for_all += 1;
            }
            for seat in 0..3 {
                let sight = Sight::Seat((seat + 1).to_string());
                if mine[seat] == theirs[seat] && for_seats < 15 {
                    assert!(sent(one, &sight) == sent(other, &sight), "{sight:?}");
                    for_seats += 1;
                }
            }
        }
    }
    assert_eq!((for_all, for_seats), (5, 15));
}

#[test]
fn a_seat_that_a_game_does_not_have_is_named() {
    let (place, file) = place();
    append(&file, &kept("draughts-retry.ndjson"));
    let server = serve(place.path(), Sight::Seat("mr-x".to_string()));
    let (status, text) = get(&server, "/game/a%20game");
    assert_eq!(status, 409);
    assert!(text.contains("mr-x") && text.contains("black, white"), "{text}");
}
