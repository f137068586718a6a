//! The contract of tournaments, claims and content, of one handle of the queue.

use super::Open;
use super::fixtures::*;
use crate::{Chosen, ChosenBlock, Completed, Hold, Request, TournamentStore, draw_tokens};
use botyard_league::schedule::{Block, TournamentSchedule};
use botyard_league::store::{Store, conformance};
use std::sync::Arc;
use std::time::Duration;

/// A tournament keeps the contract of a store, and several tournaments do not mix.
pub(super) fn a_tournament_is_a_store(open: Open<'_>) {
    let definition = conformance::definition();
    let blocks = 300;
    let games =
        TournamentSchedule::new("draughts", definition.draws, (2, 2), &ALL, blocks).expect("fits");
    let queue = open();
    for id in ["contract", "other"] {
        queue.add(id, &definition, &schedule(&games)).expect("add");
    }
    assert!(is_refused(queue.add("contract", &definition, &schedule(&games))), "an id twice");
    let store = TournamentStore::open(Arc::clone(&queue), "contract").expect("open");
    conformance::contract(Box::new(store), &|store| {
        drop(store);
        Box::new(TournamentStore::open(open(), "contract").expect("open again"))
    });
    let other = TournamentStore::open(queue, "other").expect("open");
    assert_eq!(other.current_games(None).expect("read"), []);
    assert_eq!(other.definition(), &definition);
    let queue = open();
    let listed = queue.tournaments().expect("list");
    assert_eq!(
        listed.iter().map(|it| (it.id.as_str(), it.game.as_str())).collect::<Vec<_>>(),
        [("contract", "draughts"), ("other", "draughts")]
    );
    assert!(is_refused(queue.definition("none")));
    for id in ["contract", "other"] {
        queue.hold(id, Hold::Held).expect("hold");
    }
}

/// Content is removed only if no file has it.
pub(super) fn unnamed_content_is_removed(open: Open<'_>) {
    let games = games("unnamed", 2, &ALL, 1);
    let queue = open();
    queue.add("unnamed", &tournament("unnamed", 2, &ALL, 1), &schedule(&games)).expect("add");
    for content in [b"some".as_slice(), b"more", b"a name"] {
        queue.put(content).expect("put");
    }
    let digest = queue.put(b"a name").expect("put");
    queue.attach("unnamed", "replays/b.ndjson", &digest).expect("attach");
    assert_eq!(queue.remove_unnamed(LONG).expect("remove"), 0, "young content may be named yet");
    assert_eq!(queue.remove_unnamed(Duration::ZERO).expect("remove"), 2);
    let content = queue.file("unnamed", "replays/b.ndjson").expect("read");
    assert_eq!(content.as_deref(), Some(b"a name".as_slice()));
    assert_eq!(queue.file("unnamed", "replays/c.ndjson").expect("read"), None);
    queue.hold("unnamed", Hold::Held).expect("hold");
}

/// A claim that is repeated with its tokens gives the leases that it made, as far as they are held.
pub(super) fn a_claim_is_made_once(open: Open<'_>) {
    let games = games("repeated", 4, &ALL, 1);
    let queue = open();
    queue.add("repeated", &tournament("repeated", 4, &ALL, 1), &schedule(&games)).expect("add");
    let request = Request {
        worker: "anna".into(),
        blocks: 2,
        ttl: LONG,
        tournament: Some("repeated".into()),
        except: Vec::new(),
    };
    let tokens = draw_tokens(2).expect("random numbers");
    let first = queue.claim_as(&request, &tokens).expect("claim");
    assert_eq!(
        first.iter().map(|lease| &lease.token).collect::<Vec<_>>(),
        [&tokens[0], &tokens[1]]
    );
    assert_eq!(queue.claim_as(&request, &tokens).expect("claim again"), first);
    let results = results(&games, &first[0]);
    let played = queue.complete("anna", &tokens[0], &results, &[], &schedule(&games));
    assert_eq!(played.expect("complete"), Completed::Accepted);
    assert_eq!(queue.claim_as(&request, &tokens).expect("claim again"), first[1..]);
    queue.release("anna", &tokens).expect("release");
    assert_eq!(queue.claim_as(&request, &tokens).expect("claim again"), [], "none is held");
    let record = queue.lease_record(&tokens[1]).expect("read").expect("a lease");
    let is_of = (record.worker.as_str(), record.tournament.as_str(), record.is_held);
    assert_eq!(is_of, ("anna", "repeated", false));
    assert_eq!(record.block, first[1].block());
    assert_eq!(queue.lease_record(&"0".repeat(32)).expect("read"), None);
    let other = Request { worker: "ben".into(), ..request.clone() };
    assert!(is_refused(queue.claim_as(&other, &tokens)), "tokens of another worker");
    for wrong in [&tokens[..1], &["x".repeat(32), "y".repeat(32)], &["1".into(), "2".into()]] {
        assert!(is_refused(queue.claim_as(&request, wrong)), "{wrong:?}");
    }
    queue.hold("repeated", Hold::Held).expect("hold");
}

/// Blocks that the caller has chosen are played like others; a tournament that was removed leaves
/// nothing, and its results are refused.
pub(super) fn chosen_blocks_are_played_and_removed(open: Open<'_>) {
    let games = games("chosen", 4, &ALL, 1);
    let (queue, definition) = (open(), tournament("chosen", 4, &ALL, 1));
    let block =
        |number, line_up: [usize; 2], repeat| Block { number, line_up: line_up.to_vec(), repeat };
    let chosen = [block(70, [3, 1], 69), block(41, [0, 2], 40)];
    let digest = queue.put(b"of a bot").expect("put");
    let files = [("bundles/one".to_string(), digest)];
    let add = |id: &str, generation, blocks: &[ChosenBlock], files: &[(String, String)]| {
        queue.add_chosen(id, &definition, Chosen { blocks, generation, priority: 0 }, files)
    };
    let all = chosen.clone().map(ChosenBlock::from);
    let strange = [block(1, [0, 4], 0).into()];
    assert!(is_refused(add("chosen", 0, &strange, &files)), "no bot 4");
    assert!(is_refused(add("chosen", u32::MAX, &all, &files)), "a generation of rechecks");
    add("chosen", 0, &all, &files).expect("add");
    assert!(is_refused(add("chosen", 0, &all, &files)), "an id twice");
    let request = Request {
        worker: "carl".into(),
        blocks: 9,
        ttl: LONG,
        tournament: Some("chosen".into()),
        except: Vec::new(),
    };
    queue.introduce("carl", &serde_json::json!({ "concurrency": 3 })).expect("introduce");
    let leases = queue.claim(&request).expect("claim");
    let blocks: Vec<Block> = leases.iter().map(|lease| lease.block()).collect();
    assert_eq!(blocks, [chosen[1].clone(), chosen[0].clone()]);
    let seen = queue.workers(LONG).expect("read");
    let carl = seen.iter().find(|worker| worker.name == "carl").expect("it was seen");
    assert_eq!((carl.leases, &carl.about["concurrency"]), (2, &serde_json::json!(3)));
    let complete = |lease: usize| {
        let token = &leases[lease].token;
        let results = results(&games, &leases[lease]);
        queue.complete("carl", token, &results, &[], &schedule(&games))
    };
    assert_eq!(complete(0).expect("complete"), Completed::Accepted);
    let status = queue.status("chosen").expect("read");
    assert_eq!((status.blocks.leased, status.blocks.done, status.games), (1, 1, 2));
    queue.remove("chosen").expect("remove");
    assert!(is_refused(complete(1)), "its lease is gone");
    assert!(is_refused(queue.status("chosen")));
    assert_eq!(queue.files("chosen", "").expect("read"), []);
    assert_eq!(queue.lease_record(&leases[0].token).expect("read"), None);
    queue.remove("chosen").expect("nothing is done");
    // The same id may be used again, for other games.
    add("chosen", 0, &all[..1], &[]).expect("add again");
    assert_eq!(queue.claim(&request).expect("claim").len(), 1);
    queue.remove("chosen").expect("remove");
    // Some games of a block are played again, as those of a rejudge.
    let again = ChosenBlock { block: chosen[0].clone(), rotations: Some(vec![1]) };
    add("chosen", 3, &[again], &[]).expect("add");
    let lease = queue.claim(&request).expect("claim").remove(0);
    let rotations: Vec<u32> = lease.games.iter().map(|game| game.rotation).collect();
    assert_eq!((lease.generation, rotations), (3, vec![1]));
    let results = results(&games, &lease);
    let completed = queue.complete("carl", &lease.token, &results, &[], &schedule(&games));
    assert_eq!(completed.expect("complete"), Completed::Accepted);
    assert!(queue.status("chosen").expect("read").is_complete());
    queue.remove("chosen").expect("remove");
    // What has priority is leased first.
    add("chosen", 0, &all, &[]).expect("add");
    let first = Chosen { blocks: &all[..1], generation: 0, priority: 1 };
    queue.add_chosen("first", &definition, first, &[]).expect("add");
    let request = Request { tournament: None, blocks: 1, ..request };
    assert_eq!(queue.claim(&request).expect("claim")[0].tournament, "first");
    queue.remove("first").expect("remove");
    queue.remove("chosen").expect("remove");
}
