//! Rebuilds the store of a tournament from its replays, and from what is
//! left of the damaged one. The damaged one is kept.

use super::check::compare;
use super::directory::{Directory, STORE, store_file};
use super::outline::Outline;
use super::recorded::{Recorded, RecordedGame};
use crate::Error;
use crate::words::counted;
use botyard_league::schedule::{GameKey, TournamentSchedule, game_id};
use botyard_league::store::{
    Definition, Examined, GenerationState, SqliteStore, Store, StoreError, StoredGame, examine,
    replay_name,
};
use botyard_league::{PlayedGame, atomic_file};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// How many blocks are tried for a replay of which the store has no row: more than the schedule of any
/// tournament that can be run.
const MOST_BLOCKS: u32 = 200_000;

/// The new store while it is written.
const NEW: &str = "tournament.recovered.db";

/// What was rebuilt of a store.
#[derive(Debug)]
pub struct Recovery {
    /// How many games the new store has.
    pub games: u64,
    /// How many of them come from replays.
    pub from_replays: u64,
    /// What could not be recovered, in words.
    pub lost: Vec<String>,
    /// Where the damaged store is kept, if there was one.
    pub aside: Option<PathBuf>,
}

/// Rebuilds the store of a tournament from its replays, and from what is left of the damaged one.
///
/// # Errors
///
/// A tournament of which nothing is left to rebuild it from, and what the host cannot do.
pub fn recover(directory: &Directory) -> Result<Recovery, Error> {
    let path = directory.path();
    let examined = match examine(&store_file(path)) {
        // All that is left are the replays and the copy of the definition.
        Err(StoreError::NotThere { .. }) => Examined::default(),
        examined => examined?,
    };
    let recorded = Recorded::read(path).map_err(|error| host(path, &error))?;
    let definition = examined.definition.clone().or_else(|| directory.kept_definition());
    let definition = definition.ok_or_else(|| {
        Error::usage(format!(
            "the definition of the tournament cannot be read from {}: {}\nThe replays are unchanged, but \
             they do not say which games are missing; restore that file from a backup, or run a new \
             tournament",
            store_file(path).display(),
            problems(&examined)
        ))
    })?;
    let mut lost = Vec::new();
    let games = gather(&definition, &examined, &recorded, &mut lost)?;
    let new = path.join(NEW);
    for suffix in ["", "-wal", "-shm"] {
        remove(&path.join(format!("{NEW}{suffix}")))?;
    }
    let from_replays = games.iter().filter(|game| game.from_replay).count() as u64;
    write(&new, definition, &examined, &games, &mut lost)?;
    let aside = exchange(path, &new)?;
    Ok(Recovery { games: games.len() as u64, from_replays, lost, aside })
}

/// A game for the new store.
struct Recovered {
    stored: StoredGame,
    from_replay: bool,
}

/// Every game that a sound replay or an intact row has. Where both have one and they differ, the replay
/// counts: it can be played through the rules.
fn gather(
    definition: &Definition,
    examined: &Examined,
    recorded: &Recorded,
    lost: &mut Vec<String>,
) -> Result<Vec<Recovered>, Error> {
    let mut games: BTreeMap<GameKey, Recovered> = BTreeMap::new();
    let mut left: BTreeMap<&str, &RecordedGame> =
        recorded.games.iter().map(|(id, game)| (id.as_str(), game)).collect();
    for stored in &examined.games {
        let id = game_id(&definition.game, stored.id);
        let replay = left.remove(id.as_str());
        let replayed = replay.and_then(|replay| {
            let differs = !compare(&stored.game, replay).is_empty();
            differs.then(|| restored(definition, stored.key, stored.id, stored.attempts, replay))
        });
        let recovered = match replayed {
            Some(Ok(stored)) => Recovered { stored, from_replay: true },
            Some(Err(reason)) => {
                lost.push(format!("{id}: {reason}; the row in the store is kept"));
                Recovered { stored: stored.clone(), from_replay: false }
            }
            None => Recovered { stored: stored.clone(), from_replay: false },
        };
        games.insert(stored.key, recovered);
    }
    let keys = keys(definition, examined, left.keys().copied())?;
    for (id, replay) in left {
        let Some(&(key, hash)) = keys.get(id) else {
            lost.push(format!("{id}: the tournament has no game with this id"));
            continue;
        };
        match restored(definition, key, hash, replay.attempt, replay) {
            Ok(stored) => {
                games.insert(key, Recovered { stored, from_replay: true });
            }
            Err(reason) => lost.push(format!("{id}: {reason}")),
        }
    }
    for (id, reason) in &recorded.unsound {
        let kept = games.values().any(|game| game_id(&definition.game, game.stored.id) == *id);
        if !kept {
            lost.push(format!("{id}: the replay is not sound: {reason}"));
        }
    }
    for (generation, &recorded) in (0u32..).zip(&examined.recorded) {
        let of_generation = games.keys().filter(|key| key.generation == generation).count() as u64;
        if let missing @ 1.. = recorded.saturating_sub(of_generation) {
            lost.push(format!(
                "{} that had a result: no row and no replay",
                counted(missing, "game")
            ));
        }
    }
    for problem in &examined.problems {
        if let Some(key) = problem.key.filter(|key| !games.contains_key(key)) {
            let (block, game) = (key.block, key.rotation + 1);
            lost.push(format!(
                "game {game} of block {block}: its row is damaged and it has no replay"
            ));
        }
    }
    Ok(games.into_values().collect())
}

/// A replay as a game of the store.
fn restored(
    definition: &Definition,
    key: GameKey,
    id: u64,
    attempts: u32,
    replay: &RecordedGame,
) -> Result<StoredGame, String> {
    let seats = replay
        .seats(&definition.entrants)
        .map_err(|name| format!("the replay has the bot {name:?}, which does not take part"))?;
    let name = replay_name(&game_id(&definition.game, id), replay.attempt);
    let game = PlayedGame {
        block: key.block,
        seats,
        verdict: replay.verdict.clone(),
        void_at: replay.void_at,
        turns: replay.turns,
        uses: replay.uses.clone(),
        faults: replay.faults.clone(),
        replay: Some(name),
    };
    Ok(StoredGame { key, id, attempts, game })
}

/// Which games these ids belong to, and the hash in each.
fn keys<'a>(
    definition: &Definition,
    examined: &Examined,
    ids: impl Iterator<Item = &'a str>,
) -> Result<BTreeMap<&'a str, (GameKey, u64)>, Error> {
    let mut wanted: BTreeMap<String, &str> = ids.map(|id| (id.to_string(), id)).collect();
    let mut found = BTreeMap::new();
    let schedule: TournamentSchedule = Outline::of(definition)?.ids;
    let generations = examined.generations.as_ref().map_or(0, Vec::len) as u32;
    for block in 1..=MOST_BLOCKS {
        if wanted.is_empty() {
            break;
        }
        for rotation in 0..schedule.block_length() {
            for generation in 0..=generations {
                let key = GameKey { generation, block, rotation };
                if let Some(id) = wanted.remove(&schedule.id(key)) {
                    found.insert(id, (key, schedule.hash(key)));
                }
            }
        }
    }
    Ok(found)
}

/// Writes the new store.
fn write(
    new: &Path,
    definition: Definition,
    examined: &Examined,
    games: &[Recovered],
    lost: &mut Vec<String>,
) -> Result<(), Error> {
    let mut store = SqliteStore::create(new, definition)?;
    let record = |store: &mut SqliteStore, generation: u32| {
        let of_generation: Vec<StoredGame> = games
            .iter()
            .filter(|game| game.stored.key.generation == generation)
            .map(|game| game.stored.clone())
            .collect();
        of_generation.chunks(500).try_for_each(|games| store.record(games))
    };
    record(&mut store, 0)?;
    match &examined.generations {
        Some(generations) => {
            for generation in generations {
                store.begin_generation(&generation.reason, &generation.games)?;
                record(&mut store, generation.number)?;
                if generation.state != GenerationState::Pending {
                    let apply = generation.state == GenerationState::Applied;
                    store.settle(apply)?;
                }
            }
        }
        None => lost.push(
            "the list of rejudged games, and whether their results were applied: rejudge them again"
                .into(),
        ),
    }
    for entry in &examined.audit {
        store.note(&entry.what, &entry.detail)?;
    }
    let detail = format!("{} games, {} not recovered", games.len(), lost.len());
    Ok(store.note("recovered", &detail)?)
}

/// Puts the new store in the place of the damaged one, which is kept under the name that is returned, if
/// there is one. A
/// program that is killed in between leaves one of the two in its place.
fn exchange(path: &Path, new: &Path) -> Result<Option<PathBuf>, Error> {
    let file = store_file(path);
    let is_there = file.exists();
    let aside = (1..)
        .map(|number| path.join(format!("tournament.damaged-{number}.db")))
        .find(|aside| !aside.exists())
        .unwrap_or_else(|| path.join("tournament.damaged.db"));
    let moved = || -> io::Result<()> {
        if is_there {
            fs::hard_link(&file, &aside).or_else(|_| fs::copy(&file, &aside).map(|_| ()))?;
        }
        // The log of the damaged store must not be taken for that of the new one.
        for suffix in ["-wal", "-shm"] {
            let log = path.join(format!("{STORE}{suffix}"));
            match fs::rename(&log, format!("{}{suffix}", aside.display())) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        atomic_file::rename(new, &file)
    };
    moved().map_err(|error| host(path, &error))?;
    Ok(is_there.then_some(aside))
}

fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(host(path, &error)),
        _ => Ok(()),
    }
}

fn problems(examined: &Examined) -> String {
    let all: Vec<&str> = examined.problems.iter().map(|problem| problem.what.as_str()).collect();
    all.join("; ")
}

fn host(path: &Path, error: &io::Error) -> Error {
    Error::host(format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_engine::registry;
    use botyard_league::schedule::Draws;
    use botyard_league::{Entrant, Verdict};
    use botyard_protocol::{ClockKind, Limits, OnFault, TimeControl};
    use botyard_referee::{
        Bot, BotCommand, CanaryReading, GameSpec, HostGauge, Interrupt, play, start_all,
    };
    use botyard_replay::ReplayWriter;
    use botyard_sandbox::HostLoad;
    use std::time::{Duration, Instant};

    /// Is ready, and never answers.
    const SILENT: &str = r#"
read hello; echo '{"type":"hello","protocol":1,"name":"silent","games":[]}'
read start; echo '{"type":"ready"}'
read turn; exec sleep 60
"#;

    /// A host on which a thread never gets a core, by its own account.
    #[derive(Debug)]
    struct CrowdedHost(Instant);

    impl HostGauge for CrowdedHost {
        fn canary(&self) -> CanaryReading {
            CanaryReading { denied: Some(self.0.elapsed()), ..CanaryReading::default() }
        }

        fn load(&self) -> HostLoad {
            let none = Some(Duration::ZERO);
            HostLoad { cores: 2, all_cores: true, idle: none, stolen: none, ..HostLoad::default() }
        }
    }

    /// The replay of a game that was void at the first seat's turn.
    fn record_a_void_game(directory: &Path) {
        let tables = registry::tables("scotland-yard", Some("grid-5x5-2"), &[]).unwrap();
        let mut table = tables();
        let mut bots = ["anna", "ben"].map(|name| {
            Bot::new(BotCommand {
                name: name.into(),
                program: "sh".into(),
                args: ["-c", SILENT].map(Into::into).into(),
                ..BotCommand::default()
            })
        });
        let spec = GameSpec {
            game_id: "void-1",
            seed: 1.into(),
            time: TimeControl {
                kind: ClockKind::Wall,
                move_ms: Some(50),
                bank_ms: None,
                increment_ms: 0,
                grace_ms: 0,
                on_fault: OnFault::Forfeit,
            },
            limits: Limits { start_ms: 60_000, setup_ms: 60_000, ..Limits::default() },
            send_legal: true,
            opening: None,
            seats: &[0, 1],
            gauge: &CrowdedHost(Instant::now()),
            void_at: None,
        };
        let interrupt = Interrupt::new().unwrap();
        start_all(&mut bots, &spec.limits, &interrupt).unwrap();
        let header = spec.header(&*table, &bots);
        let (mut writer, _) = ReplayWriter::create(directory, &header).unwrap();
        play(&mut *table, &mut bots, &spec, &interrupt, Some(&mut writer), &mut |_| {}).unwrap();
        writer.flush().unwrap();
    }

    /// A second void at the same bot's turn may be decided against it, so the first must not be forgotten.
    #[test]
    fn at_whose_turn_a_game_was_void_is_rebuilt_from_its_replay() {
        let directory = tempfile::tempdir().unwrap();
        let replays = directory.path().join("replays");
        fs::create_dir(&replays).unwrap();
        record_a_void_game(&replays);
        let recorded = Recorded::read(directory.path()).unwrap();
        let replay = recorded.games.get("void-1").unwrap_or_else(|| panic!("{recorded:?}"));
        let entrant = |name: &str| Entrant {
            name: name.into(),
            team: String::new(),
            version: String::new(),
            digest: String::new(),
            gate_passed: None,
        };
        let definition = Definition {
            name: "cup".into(),
            game: "scotland-yard".into(),
            draws: Draws::numbered(1, "cup"),
            commitment: None,
            file: String::new(),
            directory: String::new(),
            digest: String::new(),
            version: String::new(),
            entrants: ["ben", "anna"].map(entrant).into(),
            rejected: Vec::new(),
            kept: None,
        };
        let key = GameKey { generation: 0, block: 1, rotation: 0 };
        let game = restored(&definition, key, 1, 1, replay).unwrap().game;
        assert_eq!((game.verdict, game.seats, game.void_at), (Verdict::Void, vec![1, 0], Some(0)));
    }
}
