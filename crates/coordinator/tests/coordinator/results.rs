//! Results: what follows from its replay is stored, and everything else is refused, logged, and loses
//! nothing.

use crate::setup::{Cup, Place, Played, Style};
use botyard_coordinator::{Client, Limits};
use botyard_league::Verdict;
use botyard_league::store::{StoreError, StoredGame};
use botyard_protocol::{BotTime, FaultKind};
use botyard_queue::{Completed, Lease, Work};
use botyard_replay::Chain;
use serde_json::json;
use std::io::Read;

/// A worker with a lease of one block, and both its games.
struct Desk {
    place: Place,
    cup: Cup,
    client: Client,
    lease: Lease,
    games: Vec<Played>,
}

impl Desk {
    fn new() -> Desk {
        let place = Place::new(Limits::default());
        let cup = Cup::add(&place, "cup");
        let client = place.client("anna");
        let lease = client.claim(&cup.request("anna", 1)).unwrap().remove(0);
        let games = (0..2).map(|index| cup.play(&lease, index)).collect();
        Desk { place, cup, client, lease, games }
    }

    fn stored(&self) -> Vec<StoredGame> {
        self.games.iter().map(|game| game.stored.clone()).collect()
    }

    /// Stores the replays, and returns the names and digests of their files.
    fn put(&self, games: &[Played]) -> Vec<(String, String)> {
        let put = |game: &Played| (game.name.clone(), self.client.put(&game.replay).unwrap());
        games.iter().map(put).collect()
    }

    fn complete(
        &self,
        games: &[StoredGame],
        files: &[(String, String)],
    ) -> Result<Completed, StoreError> {
        self.client.complete("anna", &self.lease.token, games, files)
    }

    /// Checks that a result is refused for this reason, and that it is logged.
    fn refused(&self, reason: &str, games: &[StoredGame], files: &[(String, String)]) -> String {
        let before = self.place.events("refused").len();
        let Err(StoreError::Refused(message)) = self.complete(games, files) else {
            panic!("it was not refused: {reason}");
        };
        let events = self.place.events("refused");
        assert_eq!(events.len(), before + 1, "{events:?}");
        let fields = &events[before].fields;
        assert_eq!(fields["reason"], reason, "{message}");
        assert_eq!((&fields["token"], &fields["tournament"]), (&"anna".into(), &"cup".into()));
        assert_eq!(fields["message"], message);
        message
    }

    /// Checks that the right result is accepted nevertheless.
    fn nothing_is_lost(&self) {
        let status = self.place.queue.status("cup").unwrap();
        assert_eq!((status.games, status.blocks.leased), (0, 1));
        let files = self.put(&self.games);
        assert_eq!(self.complete(&self.stored(), &files).unwrap(), Completed::Accepted);
        assert_eq!(self.complete(&self.stored(), &files).unwrap(), Completed::Duplicate);
        let status = self.place.queue.status("cup").unwrap();
        assert_eq!((status.games, status.blocks.leased), (2, 0));
        for game in &self.games {
            let content = self.place.queue.file("cup", &game.name).unwrap();
            assert_eq!(content.as_deref(), Some(&game.replay[..]));
        }
    }
}

#[test]
fn a_result_that_follows_from_its_replays_is_stored() {
    let desk = Desk::new();
    desk.nothing_is_lost();
    assert!(desk.place.events("refused").is_empty());
}

#[test]
fn a_result_without_its_replay_is_refused() {
    let desk = Desk::new();
    let files = desk.put(&desk.games);
    let message = desk.refused("no_replay", &desk.stored(), &[]);
    assert!(message.contains("keeps replays"), "{message}");
    desk.refused("no_replay", &desk.stored(), &files[..1]);
    // Naming no replay is no way around it.
    let mut unnamed = desk.stored();
    unnamed.iter_mut().for_each(|stored| stored.game.replay = None);
    desk.refused("no_replay", &unnamed, &[]);
    desk.refused("other_file", &unnamed, &files);
    let absent = [(files[0].0.clone(), "00".repeat(32)), files[1].clone()];
    desk.refused("no_content", &desk.stored(), &absent);
    desk.nothing_is_lost();
}

#[test]
fn a_result_that_does_not_follow_from_its_replay_is_refused() {
    let desk = Desk::new();
    let files = desk.put(&desk.games);
    let alterations: [&dyn Fn(&mut StoredGame); 7] = [
        &|stored| {
            let Verdict::Scored { points, places } = &mut stored.game.verdict else { panic!() };
            points.reverse();
            places.reverse();
        },
        &|stored| stored.game.verdict = Verdict::Void,
        &|stored| stored.game.turns += 1,
        &|stored| stored.game.faults.push((0, FaultKind::Crash)),
        &|stored| stored.game.uses[0].wall_us = 1,
        &|stored| stored.game.uses.clear(),
        &|stored| stored.game.void_at = Some(1),
    ];
    for alter in alterations {
        let mut stored = desk.stored();
        alter(&mut stored[1]);
        desk.refused("forged_result", &stored, &files);
    }
    desk.nothing_is_lost();
}

#[test]
fn games_that_are_not_those_of_the_lease_are_refused() {
    let desk = Desk::new();
    let other = desk.client.claim(&desk.cup.request("anna", 1)).unwrap().remove(0);
    let others: Vec<Played> = (0..2).map(|index| desk.cup.play(&other, index)).collect();
    let of_others: Vec<StoredGame> = others.iter().map(|game| game.stored.clone()).collect();
    desk.refused("other_game", &of_others, &desk.put(&others));
    let files = desk.put(&desk.games);
    desk.refused("other_game", &desk.stored()[..1], &files[..1]);
    let alterations: [&dyn Fn(&mut StoredGame); 4] = [
        &|stored| stored.key.generation = 1,
        &|stored| stored.key.rotation = 2,
        &|stored| stored.key.block = 99,
        &|stored| stored.attempts = 0,
    ];
    for alter in alterations {
        let mut stored = desk.stored();
        alter(&mut stored[1]);
        desk.refused("other_game", &stored, &files);
    }
    desk.client.release("anna", &[other.token]).unwrap();
    desk.nothing_is_lost();
}

#[test]
fn a_result_for_anothers_lease_is_refused() {
    let desk = Desk::new();
    let files = desk.put(&desk.games);
    let ben = desk.place.client("ben");
    let send = |worker: &str, token: &str| ben.complete(worker, token, &desk.stored(), &files);
    for (worker, token, reason) in [
        ("ben", desk.lease.token.as_str(), "other_lease"),
        // Under the name of the worker that has the lease.
        ("anna", &desk.lease.token, "other_worker"),
        ("ben", "0123", "no_lease"),
        ("ben", &"0".repeat(32), "no_lease"),
    ] {
        let Err(StoreError::Refused(message)) = send(worker, token) else { panic!("{reason}") };
        let events = desk.place.events("refused");
        let fields = &events.last().unwrap().fields;
        assert_eq!((&fields["reason"], &fields["token"]), (&reason.into(), &"ben".into()));
        assert_eq!(fields["message"], message);
    }
    desk.nothing_is_lost();
}

#[test]
fn a_replay_that_does_not_verify_is_refused() {
    let desk = Desk::new();
    let plain = desk.cup.play(&desk.lease, 1);
    let mut lines = Vec::new();
    flate2::read::GzDecoder::new(&plain.replay[..]).read_to_end(&mut lines).unwrap();
    let text = String::from_utf8(lines).unwrap();
    let cut = text[..text.len() / 2].to_string();
    let changed = text.replacen(r#""turn":2"#, r#""turn":3"#, 1);
    assert_ne!(changed, text);
    for (content, contains) in [
        (cut.into_bytes(), "cut off"),
        (changed.into_bytes(), "line"),
        (b"no replay\n".to_vec(), "replay"),
        (Vec::new(), "empty"),
        (plain.replay[..plain.replay.len() / 2].to_vec(), "cut off"),
    ] {
        let digest = desk.client.put(&content).unwrap();
        let mut files = desk.put(&desk.games);
        files[1].1 = digest;
        let message = desk.refused("unsound_replay", &desk.stored(), &files);
        assert!(message.contains(contains), "{message}");
    }
    desk.nothing_is_lost();
}

/// Returns a replay with the chain that its lines have now: anybody can compute it.
fn chained_again(text: &str) -> String {
    let mut chain = Chain::default();
    let lines = text.lines().map(|line| {
        let (body, rest) = line.split_once(r#","chain":""#).unwrap();
        let (_, after) = rest.split_once('"').unwrap();
        format!("{body},\"chain\":\"{}\"{after}\n", chain.extend(body.as_bytes()))
    });
    lines.collect()
}

/// The rules are the judge of a game, not its chain.
#[test]
fn a_chain_that_was_computed_again_proves_nothing() {
    let desk = Desk::new();
    let mut text = String::new();
    let replay = &desk.games[1].replay[..];
    flate2::read::GzDecoder::new(replay).read_to_string(&mut text).unwrap();
    assert_eq!(chained_again(&text), text);
    let end = text.lines().last().unwrap();
    for (from, to) in [
        (r#""turn":3,"#, r#""turn":4,"#),
        (r#""action":"#, r#""action":9"#),
        (r#""ranks":["#, r#""ranks":[2,"#),
        (r#""scores":["#, r#""scores":[1,"#),
        (r#""hash":""#, r#""hash":"0"#),
        (r#""seat":"yellow","action""#, r#""seat":"red","action""#),
        (end, ""),
    ] {
        assert!(text.contains(from), "{from} in {text}");
        let forged = chained_again(text.replacen(from, to, 1).trim_end());
        let mut files = desk.put(&desk.games);
        files[1].1 = desk.client.put(forged.as_bytes()).unwrap();
        desk.refused("unsound_replay", &desk.stored(), &files);
    }
    desk.nothing_is_lost();
}

/// A change of a replay's header.
type Alter = &'static dyn Fn(&mut botyard_replay::Header);

#[test]
fn a_replay_of_another_game_is_refused() {
    let desk = Desk::new();
    let mut files = desk.put(&desk.games);
    // Those of the block in exchange.
    let exchanged = [(files[0].0.clone(), files[1].1.clone()), files[1].clone()];
    desk.refused("other_replay", &desk.stored(), &exchanged);
    let alterations: [(&str, Alter); 11] = [
        ("seed", &|header| header.seed = Some(1.into())),
        ("ID of the game", &|header| header.game_id += "0"),
        ("set of rules", &|header| header.rules["columns"] = 8.into()),
        ("set of bots", &|header| {
            for name in [&mut header.seats[0].player, &mut header.players[0].name] {
                *name = "bot 7".to_string();
            }
        }),
        ("clock", &|header| header.time_control.move_ms = Some(60_000)),
        ("clock of a bot", &|header| {
            header.players[0].time =
                Some(BotTime { move_ms: Some(60_000), bank_ms: None, increment_ms: 0 });
        }),
        ("set of limits", &|header| header.limits.start_ms += 1),
        ("list of legal actions", &|header| header.legal = false),
        ("bot without a clock", &|header| header.players[1].untimed = true),
        ("source of the opening", &|header| {
            header.opening = botyard_replay::OpeningSource::Given;
        }),
        ("copy of a seat", &|header| header.view_of = Some(header.seats[0].seat.clone())),
    ];
    for (what, alter) in alterations {
        let altered = desk.cup.play_as(&desk.lease, 1, alter);
        files[1].1 = desk.client.put(&altered.replay).unwrap();
        let message = desk.refused("other_replay", &desk.stored(), &files);
        assert!(message.contains(what), "{message}");
    }
    desk.nothing_is_lost();
}

#[test]
fn files_that_are_not_of_the_games_of_the_result_are_refused() {
    let desk = Desk::new();
    let files = desk.put(&desk.games);
    let digest = desk.client.put(b"text").unwrap();
    let stem = files[0].0.strip_suffix(".ndjson.gz").unwrap().to_string();
    for name in [
        "bundles/bot.tar.gz".to_string(),
        "tournament.toml".to_string(),
        format!("{stem}.2.ndjson"),
        format!("{stem}.2.bot1-a.stderr.txt"),
        format!("{stem}.ndjson"),
        format!("{stem}./../x"),
        format!("{stem}.bot1-\n.stderr.txt"),
        format!("{stem}.{}", "x".repeat(600)),
        files[0].0.clone(),
    ] {
        let all = [&files[..], &[(name.clone(), digest.clone())]].concat();
        desk.refused("other_file", &desk.stored(), &all);
    }
    let beside = format!("{stem}.bot1-bot-0.stderr.txt");
    let all = [&files[..], &[(beside.clone(), digest)]].concat();
    assert_eq!(desk.complete(&desk.stored(), &all).unwrap(), Completed::Accepted);
    assert_eq!(desk.place.queue.file("cup", &beside).unwrap().as_deref(), Some(&b"text"[..]));
}

#[test]
fn a_void_game_needs_no_replay_and_what_comes_late_is_answered_so() {
    let desk = Desk::new();
    let mut stored = desk.stored();
    stored[1].game.verdict = Verdict::Void;
    stored[1].game.replay = None;
    let files = desk.put(&desk.games[..1]);
    assert_eq!(desk.complete(&stored, &files).unwrap(), Completed::Accepted);
    let again = desk.client.claim(&desk.cup.request("anna", 1)).unwrap().remove(0);
    assert_eq!((again.block, again.games.len(), again.games[0].attempt), (desk.lease.block, 1, 2));
    desk.client.release("anna", std::slice::from_ref(&again.token)).unwrap();
    let played = desk.cup.play(&again, 0);
    assert!(played.name.ends_with(".2.ndjson.gz"), "{}", played.name);
    let files = desk.put(std::slice::from_ref(&played));
    let late = desk.client.complete("anna", &again.token, &[played.stored], &files).unwrap();
    assert_eq!(late, Completed::Late);
}

#[test]
fn a_recheck_with_another_result_names_both_workers() {
    let desk = Desk::new();
    desk.place.queue.set_recheck("cup", 1.0).unwrap();
    desk.nothing_is_lost();
    let ben = desk.place.client("ben");
    let again = ben.claim(&desk.cup.request("ben", 9)).unwrap();
    let again = again.into_iter().find(|it| it.block == desk.lease.block).unwrap();
    let first = &desk.games[1].stored.game.verdict;
    let differs = |played: &Played| played.stored.game.verdict != *first;
    let style = |choices| Style { choices, ..Style::default() };
    let mut styles = (1..).map(|choices| desk.cup.play_by(&again, 1, &|_| {}, style(choices)));
    let games = [desk.cup.play(&again, 0), styles.find(differs).unwrap()];
    let files: Vec<(String, String)> =
        games.iter().map(|game| (game.name.clone(), ben.put(&game.replay).unwrap())).collect();
    let stored: Vec<StoredGame> = games.iter().map(|game| game.stored.clone()).collect();
    let send = || ben.complete("ben", &again.token, &stored, &files).unwrap();
    assert_eq!([send(), send()], [Completed::Accepted, Completed::Duplicate]);
    let events = desk.place.events("recheck_differs");
    let [event] = &events[..] else { panic!("{events:?}") };
    let fields =
        ["tournament", "worker", "again_worker", "game"].map(|it| event.fields[it].clone());
    assert_eq!(fields, [json!("cup"), json!("anna"), json!("ben"), json!(2)]);
    // What counts is what was played first, and its replay is the same.
    let content = desk.place.queue.file("cup", &games[1].name).unwrap();
    assert_eq!(content.as_deref(), Some(&desk.games[1].replay[..]));
}

/// A worker that records games which it has not played gives their decisions times. It is reported, and
/// not refused: a host that slept is no reason to lose games.
#[test]
fn a_game_that_took_longer_than_its_lease_was_held_is_reported() {
    let mut desk = Desk::new();
    // More than an hour: a game has seven decisions at least.
    let style = Style { wall_us: 600_000_000, choices: 0 };
    let slow = desk.cup.play_by(&desk.lease, 1, &|_| {}, style);
    desk.games[1] = slow;
    desk.nothing_is_lost();
    let events = desk.place.events("impossible_time");
    let [event] = &events[..] else { panic!("{events:?}") };
    let fields = ["tournament", "worker", "game"].map(|it| event.fields[it].clone());
    assert_eq!(fields, [json!("cup"), json!("anna"), json!(2)]);
    assert!(event.fields["played_s"].as_u64() > Some(3600), "{event:?}");
}
