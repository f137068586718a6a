//! The contract that workers rely on, by whatever way they reach the queue.

use super::Way;
use super::fixtures::*;
use crate::{Completed, Delivery, Hold, Lease, MOST_VOIDS, Request, TournamentStore};
use botyard_league::Verdict;
use botyard_league::replay_names::replay_name;
use botyard_league::schedule::{
    Block, BlockPoints, Draws, Format, GameKey, Stage, TournamentSchedule,
};
use botyard_league::store::{Definition, Store, StoredCopies, StoredGame};
use botyard_protocol::FaultKind;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Two workers get different blocks, each as a whole.
pub(super) fn every_block_is_played_once(way: &Way<'_>) {
    let games = games("whole", 4, &ALL, 2);
    let (queue, work) = ((way.open)(), (way.reach)(&games));
    let definition = tournament("whole", 4, &ALL, 2);
    queue.add("whole", &definition, &schedule(&games)).expect("add");
    let mut blocks = BTreeSet::new();
    for turn in 0.. {
        let worker = if turn % 2 == 0 { "anna" } else { "ben" };
        let leases = claim(&*work, worker, 5, "whole", LONG);
        if leases.is_empty() {
            break;
        }
        for lease in leases {
            let rotations: Vec<u32> = lease.games.iter().map(|game| game.rotation).collect();
            assert_eq!(rotations, [0, 1], "a block is leased as a whole");
            assert!(blocks.insert(lease.block), "block {} was leased twice", lease.block);
            assert_eq!(complete(&*work, worker, &lease, &games), Completed::Accepted);
            assert_eq!(complete(&*work, worker, &lease, &games), Completed::Duplicate);
        }
    }
    let known: BTreeSet<u32> =
        games.known_blocks(&BlockPoints::new()).map(|block| block.number).collect();
    assert_eq!(blocks, known);
    let status = queue.status("whole").expect("status");
    assert!(status.is_complete());
    assert_eq!((status.blocks.done, status.games), (12, 24));
    assert_eq!(status.workers.iter().map(|worker| worker.games).sum::<u64>(), 24);
    let store = TournamentStore::open(queue, "whole").expect("open");
    let stored = store.current_games(None).expect("read");
    assert_eq!(stored.len(), 24);
    assert!(stored.iter().all(StoredGame::is_scored));
}

/// A worker leaves out tournaments, and knows when there is nothing left of the others. A result
/// keeps what the worker said of itself at that time.
pub(super) fn a_worker_chooses_tournaments(way: &Way<'_>) {
    let games_of = |name: &str| games(name, 2, &ALL, 1);
    let (queue, work) = ((way.open)(), (way.reach)(&games_of("chosen")));
    for name in ["chosen", "refused"] {
        let definition = tournament(name, 2, &ALL, 1);
        queue.add(name, &definition, &schedule(&games_of(name))).expect("add");
    }
    let request = |tournament: Option<&str>, except: &[&str]| Request {
        worker: "picky".into(),
        blocks: 9,
        ttl: LONG,
        tournament: tournament.map(String::from),
        except: except.iter().map(|&id| id.to_string()).collect(),
    };
    let unfinished =
        |tournament, except: &[&str]| work.unfinished(&request(tournament, except)).expect("count");
    assert_eq!(unfinished(None, &["refused"]), 1);
    assert_eq!(unfinished(Some("refused"), &[]), 1);
    assert_eq!(unfinished(Some("refused"), &["refused"]), 0);
    assert_eq!(unfinished(None, &[]), 2);
    for speed in [1, 1, 2] {
        work.introduce("picky", &json!({ "speed": speed })).expect("introduce");
    }
    let leases = work.claim(&request(None, &["refused"])).expect("claim");
    assert_eq!(leases.iter().map(|it| it.tournament.as_str()).collect::<Vec<_>>(), ["chosen"]);
    assert_eq!(unfinished(None, &["refused"]), 1, "a lease may come back");
    assert_eq!(complete(&*work, "picky", &leases[0], &games_of("chosen")), Completed::Accepted);
    work.introduce("picky", &json!({ "speed": 3 })).expect("introduce");
    assert_eq!(unfinished(None, &["refused"]), 0);
    let conditions = queue.conditions("chosen").expect("read");
    assert_eq!(conditions.len(), 2);
    assert!(conditions.iter().all(|it| it.worker == "picky" && it.about == json!({ "speed": 2 })));
    queue.hold("refused", Hold::Held).expect("hold");
    assert_eq!(unfinished(None, &[]), 0, "none of a held one is leased");
}

/// A block whose lease expired goes to another worker, and what the first one reports is late.
pub(super) fn a_lease_that_expired_is_late(way: &Way<'_>) {
    let games = games("late", 2, &ALL, 2);
    let (queue, work) = ((way.open)(), (way.reach)(&games));
    let definition = tournament("late", 2, &ALL, 2);
    queue.add("late", &definition, &schedule(&games)).expect("add");
    let kept = claim(&*work, "kept", 1, "late", LONG).remove(0);
    // Last: every claim ends the leases that have expired.
    let slow = claim(&*work, "slow", 1, "late", Duration::ZERO).remove(0);
    let mut expired = Vec::new();
    // The clock of the database has steps.
    while expired.is_empty() {
        expired = queue.reap_expired().expect("reap");
    }
    assert_eq!((expired[0].worker.as_str(), expired[0].block), ("slow", slow.block));
    assert_eq!(expired.len(), 1, "a lease that lasts does not expire");
    assert_eq!(
        work.heartbeat("slow", std::slice::from_ref(&slow.token), LONG).expect("beat"),
        [""; 0]
    );
    // Another worker cannot renew a lease, and its owner can.
    let token = [kept.token.clone()];
    assert_eq!(work.heartbeat("slow", &token, LONG).expect("beat"), [""; 0]);
    assert_eq!(work.heartbeat("kept", &token, LONG).expect("beat"), token);
    assert_eq!(
        complete(&*work, "slow", &slow, &games),
        Completed::Late,
        "before it is leased again"
    );
    let quick = claim(&*work, "quick", 1, "late", LONG).remove(0);
    assert_eq!((quick.block, quick.token == slow.token), (slow.block, false));
    assert_eq!(
        complete(&*work, "slow", &slow, &games),
        Completed::Late,
        "while it is leased again"
    );
    assert_eq!(complete(&*work, "quick", &quick, &games), Completed::Accepted);
    assert_eq!(complete(&*work, "slow", &slow, &games), Completed::Late, "after it was played");
    assert_eq!(complete(&*work, "quick", &quick, &games), Completed::Duplicate);
    // A lease that was given back is another worker's at once.
    work.release("other", &token).expect("release");
    assert!(claim(&*work, "next", 1, "late", LONG).is_empty(), "given back by its owner only");
    work.release("kept", &token).expect("release");
    let next = claim(&*work, "next", 1, "late", LONG).remove(0);
    assert_eq!(next.block, kept.block);
    assert_eq!(complete(&*work, "kept", &kept, &games), Completed::Late);
    assert_eq!(complete(&*work, "next", &next, &games), Completed::Accepted);
    let status = queue.status("late").expect("status");
    assert_eq!((status.games, status.blocks.done), (4, 2));
    let expired = status.workers.iter().map(|worker| (worker.name.as_str(), worker.expired));
    assert!(expired.eq([("kept", 0), ("next", 0), ("quick", 0), ("slow", 1)]), "{status:?}");
}

/// The end is unknown until some blocks have ended, and while no worker has a block.
pub(super) fn an_end_is_expected_when_enough_blocks_ended(way: &Way<'_>) {
    let games = games("expected", 4, &ALL, 2);
    let (queue, work) = ((way.open)(), (way.reach)(&games));
    queue.add("expected", &tournament("expected", 4, &ALL, 2), &schedule(&games)).expect("add");
    let status = || queue.status("expected").expect("status");
    assert_eq!((status().pace, status().time_left()), (None, None));
    let begun = Instant::now();
    let leases = claim(&*work, "steady", 6, "expected", LONG);
    assert_eq!(leases.len(), 6);
    for (ended, lease) in (1..).zip(&leases[..5]) {
        assert_eq!(status().time_left(), None, "{:?}", status());
        assert_eq!(complete(&*work, "steady", lease, &games), Completed::Accepted);
        assert_eq!(status().last_minute.blocks, ended);
    }
    let five = status();
    let pace = five.pace.expect("five blocks have ended, and one is played");
    assert_eq!((pace.blocks, pace.games), (5, 10));
    // Counted since the first claim, and not over a minute that has just begun.
    assert!(u128::from(pace.over_ms) <= begun.elapsed().as_millis() + 1, "{pace:?}");
    let of_seven = Duration::from_millis(pace.over_ms * 7 / 5);
    assert_eq!(five.time_left(), Some(of_seven), "{five:?}");
    work.release("steady", &[leases[5].token.clone()]).expect("release");
    assert_eq!(status().time_left(), None, "no worker has a block");
    // A lease of a worker that died has expired, and has not been ended.
    let dead = claim(&*work, "dead", 1, "expected", Duration::ZERO);
    // The clock of the database has steps.
    while status().time_left().is_some() {}
    assert_eq!((dead.len(), status().blocks.leased), (1, 1));
    for lease in claim(&*work, "heir", 7, "expected", LONG) {
        assert_eq!(complete(&*work, "heir", &lease, &games), Completed::Accepted);
    }
    let end = status();
    assert!(end.is_complete(), "{end:?}");
    assert_eq!(end.time_left(), None);
}

/// Results that do not belong to the lease are refused, and the lease lasts.
pub(super) fn what_is_forged_is_refused(way: &Way<'_>) {
    let games = games("forged", 3, &ALL, 1);
    let (queue, work) = ((way.open)(), (way.reach)(&games));
    let definition = tournament("forged", 3, &ALL, 1);
    queue.add("forged", &definition, &schedule(&games)).expect("add");
    let lease = claim(&*work, "anna", 1, "forged", LONG).remove(0);
    let other = claim(&*work, "ben", 1, "forged", LONG).remove(0);
    let right = results(&games, &lease);
    let send = |worker: &str, token: &str, results: &[StoredGame], files: &[(String, String)]| {
        work.complete(worker, token, results, files)
    };
    assert!(is_refused(send("anna", "0123", &right, &[])), "no such lease");
    assert!(is_refused(send("ben", &lease.token, &right, &[])), "another worker's lease");
    assert!(is_refused(send("anna", &lease.token, &right[..1], &[])), "a game is missing");
    let twice = [right[0].clone(), right[0].clone()];
    assert!(is_refused(send("anna", &lease.token, &twice, &[])), "a game twice");
    assert!(is_refused(send("anna", &lease.token, &results(&games, &other), &[])), "another block");
    let altered = |alter: &dyn Fn(&mut StoredGame)| {
        let mut altered = right.clone();
        alter(&mut altered[1]);
        altered
    };
    for alter in [
        &(|game: &mut StoredGame| game.id ^= 1) as &dyn Fn(&mut StoredGame),
        &|game| game.key.generation = 1,
        &|game| game.game.seats.reverse(),
        &|game| game.game.block += 1,
        &|game| {
            game.game.verdict = Verdict::Scored { points: vec![2.0, 0.0], places: vec![1, 2] };
        },
        &|game| game.game.verdict = Verdict::Scored { points: vec![1.0], places: vec![1] },
        &|game| game.game.faults = vec![(9, FaultKind::Crash)],
    ] {
        assert!(is_refused(send("anna", &lease.token, &altered(alter), &[])));
    }
    let name = replay_name(&games.id(right[0].key), 1).replace("ndjson", "bot1-a.stderr.txt");
    let file = [(name.clone(), "00".repeat(32))];
    assert!(is_refused(send("anna", &lease.token, &right, &file)), "a file without content");
    assert_eq!(queue.status("forged").expect("status").games, 0, "nothing was stored");
    let digest = work.put(b"a warning").expect("put");
    let file = [(name.clone(), digest)];
    let accepted = send("anna", &lease.token, &right, &file).expect("the lease lasts");
    assert_eq!(accepted, Completed::Accepted);
    let content = queue.file("forged", &name).expect("read");
    assert_eq!(content.as_deref(), Some(b"a warning".as_slice()));
    queue.hold("forged", Hold::Held).expect("hold");
}

/// A block with a void game is leased again for this game alone, three times at most.
pub(super) fn a_void_game_is_played_again(way: &Way<'_>) {
    let games = games("void", 2, &ALL, 1);
    let (queue, work) = ((way.open)(), (way.reach)(&games));
    let definition = tournament("void", 2, &ALL, 1);
    queue.add("void", &definition, &schedule(&games)).expect("add");
    for time in 1..=MOST_VOIDS {
        let lease = claim(&*work, "anna", 9, "void", LONG).remove(0);
        let results: Vec<StoredGame> = match time {
            1 => vec![result(&games, &lease, 0, false), result(&games, &lease, 1, true)],
            _ => {
                assert_eq!(lease.games.len(), 1, "the other game has its result");
                let game = &lease.games[0];
                // The bot at whose turn it was void, not the seat.
                let bot = games.game(&lease.block(), 1, 0).seats[1];
                assert_eq!((game.rotation, game.attempt, game.void_at), (1, time, Some(bot)));
                vec![result(&games, &lease, 0, true)]
            }
        };
        let completed = work.complete("anna", &lease.token, &results, &[]);
        assert_eq!(completed.expect("complete"), Completed::Accepted);
    }
    assert!(claim(&*work, "anna", 9, "void", LONG).is_empty());
    let status = queue.status("void").expect("status");
    assert_eq!((status.blocks.void, status.blocks.done, status.games), (1, 0, 1));
    assert_eq!(status.workers[0].voids, u64::from(MOST_VOIDS));
}

/// The pairings of Swiss rounds and of a knockout appear when the results that they follow from do.
pub(super) fn later_rounds_follow_from_results(way: &Way<'_>) {
    for (name, format) in [("swiss", Format::Swiss { rounds: 3 }), ("knockout", Format::Knockout)] {
        let games = games(name, 8, &format, 1);
        let (queue, work) = ((way.open)(), (way.reach)(&games));
        queue.add(name, &tournament(name, 8, &format, 1), &schedule(&games)).expect("add");
        let mut blocks = BTreeSet::new();
        loop {
            let leases = claim(&*work, "anna", 100, name, LONG);
            if leases.is_empty() {
                break;
            }
            // All but the last at once, by other handles: each must see the others' results.
            std::thread::scope(|scope| {
                for lease in &leases {
                    let games = &games;
                    scope.spawn(move || {
                        let work = (way.reach)(games);
                        assert_eq!(complete(&*work, "anna", lease, games), Completed::Accepted);
                    });
                }
            });
            for lease in leases {
                assert!(blocks.insert(lease.block), "{name}: block {} twice", lease.block);
            }
        }
        // The same pairings as of one process alone.
        let mut points = BlockPoints::new();
        let expected = loop {
            let known: Vec<Block> = games.known_blocks(&points).collect();
            let before = points.len();
            for block in &known {
                let won = if block.line_up[0] < block.line_up[1] { [2.0, 0.0] } else { [0.0, 2.0] };
                points.insert(block.number, won.to_vec());
            }
            if points.len() == before {
                break known;
            }
        };
        assert_eq!(blocks, expected.iter().map(|block| block.number).collect(), "{name}");
        assert!(queue.status(name).expect("status").is_complete());
    }
}

/// A rejudge leases the games of its set, and what is left of a dropped one is not leased.
pub(super) fn a_rejudge_plays_its_games_only(way: &Way<'_>) {
    let games = games("rejudge", 2, &ALL, 3);
    let (queue, work) = ((way.open)(), (way.reach)(&games));
    let definition = tournament("rejudge", 2, &ALL, 3);
    queue.add("rejudge", &definition, &schedule(&games)).expect("add");
    for lease in claim(&*work, "anna", 9, "rejudge", LONG) {
        assert_eq!(complete(&*work, "anna", &lease, &games), Completed::Accepted);
    }
    let mut store = TournamentStore::open(Arc::clone(&queue), "rejudge").expect("open");
    assert!(store.begin_rejudge("no such block", &[(99, 0)]).is_err());
    let generation = store.begin_rejudge("a slow host", &[(3, 1), (1, 0), (1, 1)]).expect("begin");
    let leases = claim(&*work, "anna", 9, "rejudge", LONG);
    let leased: Vec<(u32, u32, Vec<u32>)> = leases
        .iter()
        .map(|it| (it.generation, it.block, it.games.iter().map(|game| game.rotation).collect()))
        .collect();
    assert_eq!(leased, [(generation, 1, vec![0, 1]), (generation, 3, vec![1])]);
    assert_eq!(complete(&*work, "anna", &leases[0], &games), Completed::Accepted);
    assert_eq!(store.finish_rejudge(true).expect("apply"), generation);
    assert_eq!(complete(&*work, "anna", &leases[1], &games), Completed::Late, "it was settled");
    let current = store.current_games(None).expect("read");
    let generations: Vec<u32> = current.iter().map(|game| game.key.generation).collect();
    assert_eq!(generations, [generation, generation, 0, 0, 0, 0]);
    assert!(claim(&*work, "anna", 9, "rejudge", LONG).is_empty());
}

/// An extended tournament has more blocks; those of a replaced version are not leased any more.
pub(super) fn a_late_bot_plays_and_a_held_tournament_does_not(way: &Way<'_>) {
    let before = games("extended", 3, &ALL, 1);
    let (queue, work) = ((way.open)(), (way.reach)(&before));
    let definition = tournament("extended", 3, &ALL, 1);
    queue.add("extended", &definition, &schedule(&before)).expect("add");
    queue.hold("extended", Hold::Held).expect("hold");
    assert!(claim(&*work, "anna", 9, "extended", LONG).is_empty(), "it is held");
    queue.hold("extended", Hold::Open).expect("open");
    let played = claim(&*work, "anna", 1, "extended", LONG).remove(0);
    assert_eq!(complete(&*work, "anna", &played, &before), Completed::Accepted);
    // Bot 3 replaces bot 2.
    let stage = |bots: &[usize]| Stage { bots: bots.to_vec(), blocks: 1, ..Stage::default() };
    let draws = Draws::numbered(7, "extended");
    let stages = [stage(&[0, 1, 2]), stage(&[0, 1, 3])];
    let after = TournamentSchedule::staged("draughts", draws, 2, &ALL, &stages).expect("fits");
    let kept = Some(StoredCopies { stages: stages.to_vec(), ..StoredCopies::default() });
    let definition = Definition { kept, ..tournament("extended", 4, &ALL, 1) };
    let mut other = definition.clone();
    other.entrants.swap(0, 1);
    assert!(queue.extend("extended", &other, &schedule(&after)).is_err(), "other bots");
    queue.extend("extended", &definition, &schedule(&after)).expect("extend");
    let work = (way.reach)(&after);
    assert_eq!(work.definition("extended").expect("read"), definition);
    assert!(is_refused(work.definition("none")));
    let leases = claim(&*work, "anna", 9, "extended", LONG);
    // The block of a new bot is played by the games as they are now.
    let new = leases.iter().find(|lease| lease.line_up.contains(&3)).expect("a new block");
    assert_eq!(complete(&*work, "anna", new, &after), Completed::Accepted);
    let line_ups: BTreeSet<Vec<usize>> = leases.into_iter().map(|it| it.line_up).collect();
    assert!(line_ups.iter().all(|line_up| !line_up.contains(&2)), "{line_ups:?}");
    assert!(line_ups.contains(&vec![0, 3]) || line_ups.contains(&vec![3, 0]), "{line_ups:?}");
}

/// Content is stored once, in parts, and found by its digest and by the names of files.
pub(super) fn files_are_stored_once(way: &Way<'_>) {
    let games = games("files", 2, &ALL, 1);
    let (queue, work) = ((way.open)(), (way.reach)(&games));
    queue.add("files", &tournament("files", 2, &ALL, 1), &schedule(&games)).expect("add");
    let large: Vec<u8> = (0..3_000_000u32).map(|number| (number % 251) as u8).collect();
    for content in [large.as_slice(), b"", b"a line\n"] {
        let digest = work.put(content).expect("put");
        assert_eq!((way.reach)(&games).put(content).expect("put again"), digest);
        assert_eq!((way.reach)(&games).get(&digest).expect("get").as_deref(), Some(content));
    }
    assert_eq!(work.get("none").expect("get"), None);
    assert_eq!(work.get(&"00".repeat(32)).expect("get"), None);
    let digest = work.put(b"a line\n").expect("put");
    for name in ["replays/b c.ndjson", "replays/a&b.ndjson", "bundles/%"] {
        queue.attach("files", name, &digest).expect("attach");
    }
    assert!(is_refused(queue.attach("files", "x", "none")));
    let names = |prefix: &str| -> Vec<(String, u64)> {
        let files = work.files("files", prefix).expect("list");
        files.into_iter().map(|file| (file.name, file.size)).collect()
    };
    let expected = [("replays/a&b.ndjson".to_string(), 7), ("replays/b c.ndjson".to_string(), 7)];
    assert_eq!(names("replays/"), expected);
    assert_eq!(names("bundles/%"), [("bundles/%".to_string(), 7)]);
    assert_eq!(names("").len(), 3);
}

/// Results that are delivered together are stored together, with their files, or none of them is.
pub(super) fn results_are_delivered_together(way: &Way<'_>) {
    let games = games("together", 4, &ALL, 2);
    let (queue, work) = ((way.open)(), (way.reach)(&games));
    let definition = tournament("together", 4, &ALL, 2);
    queue.add("together", &definition, &schedule(&games)).expect("add");
    let leases = claim(&*work, "anna", 12, "together", LONG);
    let name = |lease: &Lease, rotation: u32| {
        let key = GameKey { generation: 0, block: lease.block, rotation };
        // What a bot has printed: a coordinator would verify a replay.
        replay_name(&games.id(key), 1).replace("ndjson", "bot1-a.stderr.txt")
    };
    let delivery = |lease: &Lease| Delivery {
        token: lease.token.clone(),
        games: results(&games, lease),
        // Two files of all blocks have the same content.
        files: vec![
            (name(lease, 0), b"equal\n".to_vec()),
            (name(lease, 1), format!("{}\n", lease.block).into_bytes()),
        ],
    };
    let at_once = work.most_together().min(4);
    let (stored, forged) = leases.split_at(leases.len() - at_once);
    for some in stored.chunks(at_once) {
        let deliveries: Vec<Delivery> = some.iter().map(delivery).collect();
        for expected in [Completed::Accepted, Completed::Duplicate] {
            let completed = work.deliver("anna", &deliveries).expect("deliver");
            assert_eq!(completed, vec![expected; some.len()]);
        }
    }
    let is_done = |done: usize| {
        let status = queue.status("together").expect("status");
        assert_eq!((status.blocks.done, status.games), (done as u64, 2 * done as u64));
        assert_eq!(work.files("together", "replays/").expect("list").len(), 2 * done);
    };
    is_done(stored.len());
    for lease in stored {
        let content = |rotation| {
            let files = work.files("together", &name(lease, rotation)).expect("list");
            work.get(&files[0].digest).expect("get").expect("stored")
        };
        assert_eq!(content(0), b"equal\n");
        assert_eq!(content(1), format!("{}\n", lease.block).into_bytes());
    }
    // One of them is refused, so that none is stored.
    let mut deliveries: Vec<Delivery> = forged.iter().map(delivery).collect();
    let last = deliveries.last_mut().expect("at least one");
    last.games[0].id ^= 1;
    assert!(is_refused(work.deliver("anna", &deliveries)));
    assert!(is_refused(work.deliver("ben", &deliveries[..1])), "another worker's lease");
    is_done(stored.len());
    let right: Vec<Delivery> = forged.iter().map(delivery).collect();
    work.deliver("anna", &right).expect("deliver");
    is_done(leases.len());
}

/// Eight workers that claim, forget leases, report twice and late: every game has one result.
pub(super) fn many_workers_play_every_game_once(way: &Way<'_>) {
    let games = games("many", 5, &ALL, 10);
    let queue = (way.open)();
    let definition = tournament("many", 5, &ALL, 10);
    queue.add("many", &definition, &schedule(&games)).expect("add");
    let accepted: BTreeMap<u32, usize> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..8u32)
            .map(|number| {
                let games = &games;
                scope.spawn(move || {
                    let (queue, work) = ((way.open)(), (way.reach)(games));
                    let name = format!("worker-{number}");
                    let mut accepted = Vec::new();
                    let mut claims = 0u32;
                    while !queue.status("many").expect("status").is_complete() {
                        claims += 1;
                        // Every third claim is of a worker that dies, and reports nevertheless.
                        let dies = (claims + number).is_multiple_of(3);
                        let ttl = if dies { Duration::ZERO } else { LONG };
                        for lease in claim(&*work, &name, 2, "many", ttl) {
                            if dies {
                                queue.reap_expired().expect("reap");
                            }
                            for _ in 0..2 {
                                if complete(&*work, &name, &lease, games) == Completed::Accepted {
                                    accepted.push(lease.block);
                                }
                            }
                        }
                    }
                    accepted
                })
            })
            .collect();
        let mut counts = BTreeMap::new();
        for worker in workers {
            for block in worker.join().expect("a worker") {
                *counts.entry(block).or_insert(0) += 1;
            }
        }
        counts
    });
    assert_eq!(accepted.len(), 100);
    assert!(accepted.values().all(|&times| times == 1), "{accepted:?}");
    let store = TournamentStore::open(queue, "many").expect("open");
    assert_eq!(store.current_games(None).expect("read").len(), 200);
}
