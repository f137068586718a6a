//! A worker here is a test that claims from the queue and makes up results.

use super::*;
use crate::competition::{ladder, practice, rechecks, rejudges};
use crate::people;
use crate::site::Site;
use crate::submissions;
use crate::submissions::built_ins::programs;
use botyard_league::replay_names::replay_name;
use botyard_league::schedule::{Draws, GameKey, TournamentSchedule};
use botyard_league::store::StoredGame;
use botyard_league::{PlayedGame, SeatUse, Verdict};
use botyard_queue::{Completed, Lease, Request, Schedule};
use botyard_runner::bots::bundle::{Bundle, Surroundings};
use botyard_tournament::schedule_of;
use std::fs;

/// Two references, and games of two seats.
const EVENT: &str = "game = \"connect-four\"\n[time]\nmove_ms = 30000\n\
                     [[bot]]\nname = \"one\"\ncommand = \"random\"\n\
                     [[bot]]\nname = \"two\"\ncommand = \"greedy\"\n";

/// The worker.
const ANNA: &str = "lab/anna";

/// A worker of another owner.
const BEN: &str = "other/ben";

struct Class {
    site: Site,
    queue: Arc<Queue>,
    place: tempfile::TempDir,
}

/// Makes a class whose team "red" has a built-in bot, and a queue with a worker that is alive.
fn class() -> Class {
    class_of(EVENT)
}

/// The same with an event of these conditions.
fn class_of(event: &str) -> Class {
    let place = tempfile::tempdir().expect("a directory");
    let directory = place.path().join("class");
    fs::create_dir(&directory).expect("it is ours");
    fs::write(directory.join("event.toml"), event).expect("it is ours");
    let site = Site::open(&directory, programs()).expect("a class");
    let competition = site.competition();
    let reference = &competition.event.setup.bots[0];
    let bundle = Bundle::of(reference, Surroundings::default(), &site.class.programs, None);
    let bundle = serde_json::to_string(&bundle.expect("a built-in bot")).expect("it is JSON");
    submit(&site, "red", &bundle);
    let queue = Queue::open(&Address::File(place.path().join("queue.db"))).expect("a queue");
    queue.introduce(ANNA, &serde_json::json!({ "concurrency": 2 })).expect("SQLite works");
    Class { site, queue: Arc::new(queue), place }
}

/// Makes a version of a team active, with this bundle.
fn submit(site: &Site, team: &str, bundle: &str) {
    let submitted = site.class.database.transaction(|transaction| {
        let person = people::first_admin(transaction)?;
        let team = people::team(transaction, team)?;
        let files = submissions::Files::uploaded("bot.zip", "");
        let id = submissions::add(transaction, (team, person), files)?;
        submissions::accept(transaction, id, site.competition().event.id, bundle, "")
    });
    submitted.expect("SQLite works");
}

impl Class {
    fn work(&self, hands: &mut Hands) -> Result<(), Error> {
        hands.work(&self.site.competition(), &self.queue)
    }

    fn batches(&self) -> Vec<Batch> {
        self.site.class.database.transaction(batches::all).expect("SQLite works")
    }

    /// Returns how many blocks of the event are in this state, and handed out or not.
    fn blocks(&self, state: &str, handed_out: bool) -> i64 {
        let sql = "SELECT COUNT(*) FROM blocks WHERE state = ?1 AND (batch IS NOT NULL) = ?2";
        let count = self.site.class.database.transaction(|transaction| {
            transaction.query_row(sql, rusqlite::params![state, handed_out], |row| row.get(0))
        });
        count.expect("SQLite works")
    }

    fn claim(&self, blocks: u32) -> Vec<Lease> {
        self.claim_as(ANNA, blocks)
    }

    fn claim_as(&self, worker: &str, blocks: u32) -> Vec<Lease> {
        let request = Request {
            worker: worker.to_string(),
            blocks,
            ttl: Duration::from_secs(3600),
            tournament: None,
            except: Vec::new(),
        };
        self.queue.claim(&request).expect("SQLite works")
    }

    /// Sends the results of a lease: the first seat wins, or every game is void.
    fn complete(&self, lease: &Lease, is_void: bool) -> Completed {
        self.complete_as(ANNA, lease, is_void, |_| {})
    }

    /// Claims all blocks that wait, and sends their results.
    fn complete_all(&self) {
        for lease in self.claim(99) {
            assert_eq!(self.complete(&lease, false), Completed::Accepted);
        }
    }

    /// The same by a worker who changes the results.
    fn complete_as(
        &self,
        worker: &str,
        lease: &Lease,
        is_void: bool,
        change: impl FnOnce(&mut [StoredGame]),
    ) -> Completed {
        let definition = self.queue.definition(&lease.tournament).expect("it is there");
        let (games, scale) = schedule_of(&definition).expect("this version wrote it");
        let digest = self.queue.put(b"a replay").expect("SQLite works");
        let mut stored: Vec<StoredGame> =
            lease.games.iter().map(|its| result(&games, lease, its.rotation, is_void)).collect();
        change(&mut stored);
        let files: Vec<(String, String)> = (stored.iter())
            .filter_map(|stored| Some((stored.game.replay.clone()?, digest.clone())))
            .collect();
        let schedule = Schedule { games: &games, scale };
        let completed = self.queue.complete(worker, &lease.token, &stored, &files, &schedule);
        completed.expect("it is accepted or late")
    }
}

fn result(games: &TournamentSchedule, lease: &Lease, rotation: u32, is_void: bool) -> StoredGame {
    let game = games.game(&lease.block(), rotation, lease.generation);
    let key = GameKey { generation: lease.generation, block: lease.block, rotation };
    let verdict = match is_void {
        true => Verdict::Void,
        false => Verdict::Scored { points: vec![1.0, 0.0], places: vec![1, 2] },
    };
    StoredGame {
        key,
        id: games.hash(key),
        attempts: 1,
        game: PlayedGame {
            block: lease.block,
            seats: game.seats,
            verdict,
            void_at: is_void.then_some(0),
            turns: 7,
            uses: vec![SeatUse::default(); 2],
            faults: Vec::new(),
            replay: (!is_void).then(|| replay_name(&game.id, 1)),
        },
    }
}

#[test]
fn results_of_workers_become_games_of_the_class() {
    let class = class();
    let mut hands = Hands::new(0.0);
    class.work(&mut hands).expect("it hands out");
    // Twice the games at once, in one batch of three bots.
    assert_eq!((class.batches().len(), class.blocks("open", true)), (1, 4));
    assert_eq!(class.site.competition().boards().workers.clone()[0].name, ANNA);
    let leases = class.claim(3);
    assert_eq!(leases.len(), 3);
    for lease in &leases {
        assert_eq!(class.complete(lease, false), Completed::Accepted);
    }
    // The last block of the batch waits, and others are handed out.
    class.work(&mut hands).expect("it collects");
    assert_eq!(class.blocks("played", false), 3);
    assert!(class.batches().len() >= 2);
    let event = class.site.competition().event.id;
    let played = class.site.class.database.transaction(|transaction| {
        let games = ladder::games_of_event(transaction, event, None)?;
        let entrants = ladder::all(transaction, event)?;
        let hosts: Vec<String> = transaction
            .prepare("SELECT DISTINCT host FROM games")?
            .query_map([], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        Ok::<_, rusqlite::Error>((games, entrants, hosts))
    });
    let (games, entrants, hosts) = played.expect("SQLite works");
    assert_eq!((games.len(), hosts), (6, vec![ANNA.to_string()]));
    for game in &games {
        assert!(game.seats.iter().all(|&seat| entrants.iter().any(|one| one.id == seat as i64)));
        let replay = game.replay.as_ref().expect("it has one");
        let content =
            fs::read(class.site.class.directory.path().join(replay)).expect("it was written");
        assert_eq!(content, b"a replay");
    }
    // Every game is in the statistics once, in memory as in the database.
    assert_eq!(class.site.competition().record().games.len(), 6);
    // What is sent again is not stored again.
    assert_eq!(class.complete(&leases[0], false), Completed::Duplicate);
    class.work(&mut hands).expect("nothing new");
    assert_eq!(class.site.competition().record().games.len(), 6);
    let rest = class.claim(99);
    assert!(rest.iter().any(|lease| lease.tournament == leases[0].tournament));
    for lease in &rest {
        class.complete(lease, false);
    }
    class.work(&mut hands).expect("it collects");
    assert!(class.batches().iter().all(|batch| batch.id != leases[0].tournament));
    let left = class.queue.tournaments().expect("SQLite works");
    assert!(left.iter().all(|its| its.id != leases[0].tournament), "it was removed: {left:?}");
}

#[test]
fn blocks_that_a_second_worker_plays_again_are_compared_and_hold_nothing_up() {
    let class = class();
    let mut hands = Hands::new(1.0);
    class.work(&mut hands).expect("it hands out");
    let batch = class.batches().remove(0);
    for lease in class.claim(99) {
        class.complete(&lease, false);
    }
    // One owner alone cannot recheck: the batch ends.
    class.work(&mut hands).expect("it collects");
    assert!(class.batches().iter().all(|its| its.id != batch.id));
    let rechecked = || class.site.class.database.transaction(rechecks::all).expect("SQLite works");
    assert_eq!(rechecked(), rechecks::Rechecked::default());

    class.queue.introduce(BEN, &serde_json::json!({ "concurrency": 1 })).expect("SQLite works");
    let leases = class.claim(99);
    let batch = class.batches().remove(0);
    for lease in &leases {
        class.complete(lease, false);
    }
    let played = |class: &Class| class.blocks("played", false) + class.blocks("played", true);
    let before = played(&class);
    class.work(&mut hands).expect("it collects");
    assert_eq!(played(&class), before + leases.len() as i64, "the results count at once");
    assert!(class.batches().contains(&batch), "its rechecks are to come");
    let again: Vec<Lease> = class.claim_as(BEN, 99).into_iter().collect();
    let again: Vec<&Lease> = again.iter().filter(|it| it.tournament == batch.id).collect();
    let its = leases.iter().filter(|it| it.tournament == batch.id).count();
    assert_eq!(again.len(), its);
    for (index, lease) in again.iter().enumerate() {
        let completed = class.complete_as(BEN, lease, false, |stored| {
            if index == 0 {
                let (points, places) = (vec![0.0, 1.0], vec![2, 1]);
                stored[1].game.verdict = Verdict::Scored { points, places };
            }
        });
        assert_eq!(completed, Completed::Accepted);
    }
    class.work(&mut hands).expect("it collects");
    assert!(class.batches().iter().all(|its| its.id != batch.id), "nothing is to come");
    let found = rechecked();
    assert_eq!((found.blocks, found.same), (its as i64, 2 * its as i64 - 1));
    let [(part, game)] = &found.differing[..] else { panic!("{found:?}") };
    assert_eq!((&**part, game.block, game.game), ("ladder", again[0].block, 2));
    assert_eq!((&*game.first.worker, &*game.again.worker), (ANNA, BEN));
}

#[test]
fn a_block_that_stays_void_is_dropped_and_what_nobody_plays_is_taken_back() {
    let class = class();
    let mut hands = Hands::new(0.0);
    class.work(&mut hands).expect("it hands out");
    let batch = class.batches().remove(0);
    // Three times in a row, which is as often as a queue gives it out.
    for _ in 0..botyard_queue::MOST_VOIDS {
        let lease = class.claim(1).remove(0);
        assert_eq!((lease.tournament.as_str(), lease.block), (batch.id.as_str(), 1));
        class.complete(&lease, true);
    }
    let lease = class.claim(1).remove(0);
    class.complete(&lease, false);
    // No worker has been seen for long.
    collect::results(&class.site.competition(), &class.queue, &batch, Until::Now)
        .expect("it is taken back");
    assert_eq!(class.batches(), []);
    // Not every block has ended, so that the site plays the void one too.
    assert_eq!((class.blocks("played", false), class.blocks("open", false)), (1, 3));
    assert!(class.queue.tournaments().expect("SQLite works").is_empty());

    // All blocks of the next batch end, the first without a result.
    class.work(&mut hands).expect("it hands out");
    let batch = class.batches().remove(0);
    let mut leases = class.claim(99);
    let first = leases.remove(0);
    for lease in &leases {
        class.complete(lease, false);
    }
    class.complete(&first, true);
    for _ in 1..botyard_queue::MOST_VOIDS {
        let lease = class.claim(1).remove(0);
        assert_eq!(lease.block, first.block);
        class.complete(&lease, true);
    }
    let ended = collect::results(&class.site.competition(), &class.queue, &batch, Until::Results);
    assert_eq!(ended.expect("it ends"), Progress::Waiting(0));
    assert_eq!((class.blocks("dropped", false), class.blocks("open", true)), (1, 0));
    assert_eq!(class.batches(), []);
}

#[test]
fn blocks_that_the_queue_has_lost_are_played_by_the_site() {
    let class = class();
    let mut hands = Hands::new(0.0);
    class.work(&mut hands).expect("it hands out");
    let batch = class.batches().remove(0);
    let lease = class.claim(1).remove(0);
    class.queue.remove(&batch.id).expect("SQLite works");
    collect::results(&class.site.competition(), &class.queue, &batch, Until::Results)
        .expect("it is taken back");
    assert_eq!((class.batches(), class.blocks("open", false)), (Vec::new(), 4));
    assert_eq!(class.queue.lease_record(&lease.token).expect("SQLite works"), None);
    // A site without outside workers takes everything back.
    class.work(&mut hands).expect("it hands out");
    take_all_back(&class.site.class.database).expect("SQLite works");
    assert_eq!((class.batches(), class.blocks("open", true)), (Vec::new(), 0));
}

/// The queue is on a disk that loses bytes.
#[test]
fn blocks_of_a_batch_whose_replays_are_damaged_are_played_by_the_site() {
    let class = class();
    class.work(&mut Hands::new(0.0)).expect("it hands out");
    let batch = class.batches().remove(0);
    let lease = class.claim(1).remove(0);
    assert_eq!(class.complete(&lease, false), Completed::Accepted);
    // The queue lets no other program change its file.
    let Class { site, queue, place } = class;
    drop((site, queue));
    let file = place.path().join("queue.db");
    let database = rusqlite::Connection::open(&file).expect("SQLite works");
    let parts = database.execute("UPDATE blobs SET bytes = x'00'", []).expect("SQLite works");
    assert!(parts > 0, "the queue has no content");
    drop(database);
    let queue = Arc::new(Queue::open(&Address::File(file)).expect("a queue"));
    let site = Site::open(&place.path().join("class"), programs()).expect("the class");
    let class = Class { site, queue, place };
    let waiting = collect::results(&class.site.competition(), &class.queue, &batch, Until::Results);
    assert_eq!(waiting.expect("it is taken back"), Progress::Waiting(0));
    let problem = class.site.class.problem().expect("it is on the desk");
    assert!(problem.contains("does not agree with its digest"), "{problem}");
    assert_eq!((class.batches(), class.blocks("open", false)), (Vec::new(), 4));
    assert_eq!(class.blocks("played", false), 0);
    assert!(class.queue.tournaments().expect("SQLite works").is_empty());
}

#[test]
fn a_bot_that_cannot_be_read_is_set_aside_and_others_are_handed_out() {
    let class = class();
    submit(&class.site, "blue", "{}");
    let mut hands = Hands::new(0.0);
    let error = class.work(&mut hands).expect_err("its bundle is none").to_string();
    assert!(error.contains("stored bundle of submission 2 cannot be read"), "{error}");
    assert_eq!((class.batches(), class.blocks("open", true)), (Vec::new(), 0));
    class.work(&mut hands).expect("it hands out");
    let event = class.site.competition().event.id;
    let broken =
        class.site.class.database.transaction(|transaction| ladder::all(transaction, event));
    let broken = broken.expect("SQLite works").into_iter().find(|one| one.submission == Some(2));
    let broken = broken.expect("it is an entrant").id;
    let batches = class.batches();
    assert_eq!(batches.len(), 1);
    assert!(!batches[0].entrants.contains(&broken), "{batches:?}");
}

#[test]
fn workers_play_challenges_before_the_ladder_in_an_event_of_any_format() {
    let class = class_of(&format!("format = \"swiss\"\nrounds = 1\n{EVENT}"));
    let competition = class.site.competition();
    let challenged = class.site.class.database.transaction(|transaction| {
        let person = people::first_admin(transaction)?;
        let team = people::team(transaction, "red")?;
        let opponents = practice::opponents(transaction, &competition.event, team)?;
        let draws = Draws::secret([7; 32], 9);
        let of = (team, person);
        practice::challenge(transaction, &competition.event, of, opponents[0].id, draws)
    });
    challenged.expect("an opponent");
    let mut hands = Hands::new(0.0);
    class.work(&mut hands).expect("it is handed out");
    let batch = class.batches().remove(0);
    assert_ne!(batch.event, competition.event.id, "a challenge is of an event of its own");
    let lease = class.claim(1).remove(0);
    assert_eq!(lease.tournament, batch.id);
    class.complete(&lease, false);
    class.work(&mut hands).expect("it is collected");
    let games: i64 = class
        .site
        .class
        .database
        .transaction(|transaction| {
            let sql = "SELECT COUNT(*) FROM games WHERE event = ?1 AND host = ?2";
            let of = rusqlite::params![batch.event, ANNA];
            transaction.query_row(sql, of, |row| row.get(0))
        })
        .expect("SQLite works");
    assert_eq!(games, 2);
    assert!(class.blocks("open", true) > 0, "blocks of the ladder follow");
}

#[test]
fn workers_play_the_games_of_a_rejudge_and_none_of_one_that_was_dropped() {
    let class = class();
    let competition = class.site.competition();
    let event = competition.event.id;
    let database = &class.site.class.database;
    let mut hands = Hands::new(0.0);
    class.work(&mut hands).expect("it hands out");
    class.complete_all();
    // The results of the ladder are collected, and the rejudge comes before new blocks.
    let begin = || {
        let begun = database.transaction(|transaction| {
            let person = people::first_admin(transaction)?;
            let all = rejudges::Choice { event, ..rejudges::Choice::default() };
            rejudges::begin(transaction, &all, "all", "a slow host", person)
        });
        begun.expect("nothing else is open")
    };
    let batch = class.batches().remove(0);
    collect::results(&competition, &class.queue, &batch, Until::Results).expect("it is collected");
    let before = competition.record().games.clone();
    let id = begin();
    class.work(&mut hands).expect("it hands out");
    let batch = class.batches().remove(0);
    assert_eq!((batch.rejudge, batch.event), (Some(id), event));
    let open = |most| {
        let open = database.transaction(|transaction| {
            let rejudge = rejudges::find(transaction, id)?.expect("it was begun");
            rejudges::open_blocks(transaction, &rejudge, most)
        });
        open.expect("SQLite works").len()
    };
    assert_eq!(open(99), 0, "this host plays none of them");
    let leases = class.claim(99);
    assert!(leases.iter().all(|lease| i64::from(lease.generation) == id));
    for lease in &leases {
        let completed = class.complete_as(ANNA, lease, false, |stored| {
            let (points, places) = (vec![0.0, 1.0], vec![2, 1]);
            stored[0].game.verdict = Verdict::Scored { points, places };
        });
        assert_eq!(completed, Completed::Accepted);
    }
    class.work(&mut hands).expect("it is collected");
    let rejudge = database.transaction(|transaction| rejudges::find(transaction, id));
    let rejudge = rejudge.expect("SQLite works").expect("it was begun");
    assert!(rejudge.is_complete(), "{rejudge:?}");
    assert_eq!(competition.record().games, before, "no result has changed yet");
    let applied = database.transaction(|transaction| {
        let person = people::first_admin(transaction)?;
        let pairs = rejudges::pairs(transaction, id)?;
        assert_eq!(pairs.iter().filter(|pair| pair.is_different()).count(), leases.len());
        rejudges::apply(transaction, id, "it is right", person)
    });
    applied.expect("it is complete");

    begin();
    class.complete_all();
    class.work(&mut hands).expect("it hands out");
    let batch = class.batches().into_iter().find(|batch| batch.rejudge.is_some());
    let batch = batch.expect("the second rejudge is handed out");
    let dropped = database.transaction(|transaction| {
        let person = people::first_admin(transaction)?;
        rejudges::drop_open(transaction, batch.rejudge.expect("of it"), "no need", person)
    });
    dropped.expect("it is open");
    class.work(&mut hands).expect("it is taken back");
    assert!(!class.batches().contains(&batch));
    let left = class.queue.tournaments().expect("SQLite works");
    assert!(left.iter().all(|its| its.id != batch.id), "{left:?}");
}

#[test]
fn workers_with_short_games_get_more_blocks_and_others_few() {
    // No worker gets nothing, and the first blocks are two for each game at once.
    assert_eq!(ahead(0, 0, 0, false), 0);
    assert_eq!(ahead(0, 3, 0, false), 6);
    // Nothing waits any more: more the next time, up to a limit.
    let doubled: Vec<u64> =
        (0..6).scan(4, |it, _| (*it, *it = ahead(*it, 2, 0, true)).0.into()).collect();
    assert_eq!(doubled, [4, 8, 16, 32, 64, 64]);
    // Much waits: fewer the next time.
    assert_eq!(ahead(64, 2, 40, true), 48);
    assert_eq!(ahead(4, 2, 4, true), 4);
    // Many workers are kept busy all the same.
    assert_eq!(ahead(0, 100, 0, false), 200);
}
