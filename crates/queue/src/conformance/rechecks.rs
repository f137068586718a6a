//! The contract of rechecks.

use super::fixtures::*;
use super::{Open, Way};
use crate::{Completed, Hold, Lease, Request, TournamentStore, recheck_file};
use botyard_league::Verdict;
use botyard_league::replay_names::replay_name;
use botyard_league::store::{Store, StoredGame};
use std::sync::Arc;

/// A block that is played again is played by a worker of another owner, who sees the same games. It
/// holds nothing up, changes no result and no file, and differences name both workers.
pub(super) fn a_recheck_is_played_by_another(way: &Way<'_>) {
    let games = games("rechecked", 2, &ALL, 3);
    let (queue, work) = ((way.open)(), (way.reach)(&games));
    queue.add("rechecked", &tournament("rechecked", 2, &ALL, 3), &schedule(&games)).expect("add");
    queue.set_recheck("rechecked", 1.0).expect("set");
    let first = claim(&*work, "anna", 9, "rechecked", LONG);
    let file = |lease: &Lease, text: &str| {
        let game = &results(&games, lease)[0];
        let name = replay_name(&games.id(game.key), 1).replace("ndjson", "bot1-a.stderr.txt");
        [(name, work.put(text.as_bytes()).expect("put"))]
    };
    for lease in &first {
        let completed =
            work.complete("anna", &lease.token, &results(&games, lease), &file(lease, "first"));
        assert_eq!(completed.expect("complete"), Completed::Accepted);
    }
    let status = queue.status("rechecked").expect("status");
    assert!(status.is_complete(), "a recheck holds nothing up");
    assert_eq!((status.blocks.done, status.games, status.rechecks.waiting), (3, 6, 3));
    let request = |worker: &str| Request {
        worker: worker.into(),
        blocks: 9,
        ttl: LONG,
        tournament: Some("rechecked".into()),
        except: Vec::new(),
    };
    for own in ["anna", "anna/2"] {
        assert!(queue.claim(&request(own)).expect("claim").is_empty(), "{own}: its own games");
        assert_eq!(queue.unfinished(&request(own)).expect("count"), 0, "{own} waits for nothing");
    }
    assert_eq!(work.unfinished(&request("ben")).expect("count"), 3);
    let again = claim(&*work, "ben", 9, "rechecked", LONG);
    for (one, other) in first.iter().zip(&again) {
        assert_eq!(&Lease { token: one.token.clone(), ..other.clone() }, one, "the same games");
        assert!(queue.lease_record(&other.token).expect("read").expect("a lease").is_recheck);
    }
    let mut other_result = results(&games, &again[1]);
    let Verdict::Scored { points, places } = &mut other_result[1].game.verdict else {
        panic!("it has a result");
    };
    points.reverse();
    places.reverse();
    let mut other_course = results(&games, &again[2]);
    other_course[0].game.turns += 1;
    for (lease, results) in [(0, results(&games, &again[0])), (1, other_result), (2, other_course)]
    {
        let files = file(&again[lease], "again");
        for expected in [Completed::Accepted, Completed::Duplicate] {
            let token = &again[lease].token;
            assert_eq!(work.complete("ben", token, &results, &files).expect("complete"), expected);
        }
    }
    let status = queue.status("rechecked").expect("status");
    assert_eq!((status.blocks.done, status.games), (3, 6));
    let rechecks = &status.rechecks;
    assert_eq!((rechecks.done, rechecks.waiting, rechecks.leased), (3, 0, 0));
    assert_eq!((rechecks.same, rechecks.other_course), (4, 1));
    let [differing] = &rechecks.differing[..] else { panic!("{rechecks:?}") };
    assert_eq!((differing.block, differing.game), (again[1].block, 2));
    assert_eq!((&*differing.first.worker, &*differing.again.worker), ("anna", "ben"));
    assert_ne!(differing.first.points, differing.again.points);
    let counts = status.workers.iter().map(|it| (&*it.name, it.rechecked, it.rechecks_differ));
    assert!(counts.eq([("anna", 3, 1), ("ben", 3, 1)]), "{status:?}");
    // The first results count, and keep their files.
    let expected: Vec<StoredGame> = first.iter().flat_map(|it| results(&games, it)).collect();
    let store = TournamentStore::open(Arc::clone(&queue), "rechecked").expect("open");
    assert_eq!(store.current_games(None).expect("read"), expected);
    let conditions = queue.conditions("rechecked").expect("read");
    assert!(conditions.len() == 6 && conditions.iter().all(|it| it.worker == "anna"));
    let [(name, _)] = file(&first[0], "first");
    let content = |name: &str| queue.file("rechecked", name).expect("read").expect("stored");
    assert_eq!((content(&name), content(&recheck_file(&name))), ("first".into(), "again".into()));
}

/// About the share of blocks is chosen; those of a version that was replaced are dropped.
pub(super) fn a_share_of_blocks_is_rechecked(open: Open<'_>) {
    let games = games("share", 2, &ALL, 400);
    let queue = open();
    queue.add("share", &tournament("share", 2, &ALL, 400), &schedule(&games)).expect("add");
    let request = Request {
        worker: "anna".into(),
        blocks: 400,
        ttl: LONG,
        tournament: Some("share".into()),
        except: Vec::new(),
    };
    queue.set_recheck("share", 0.5).expect("set");
    for lease in queue.claim(&request).expect("claim") {
        let results = results(&games, &lease);
        queue.complete("anna", &lease.token, &results, &[], &schedule(&games)).expect("complete");
    }
    let rechecks = queue.rechecks("share").expect("read");
    // Outside with a probability below 1e-22.
    assert!((100..=300).contains(&rechecks.waiting), "{rechecks:?}");
    assert_eq!((rechecks.share, rechecks.differing.len()), (0.5, 0));
    assert!(is_refused(queue.set_recheck("none", 1.0)));
    queue.hold("share", Hold::Held).expect("hold");
}
