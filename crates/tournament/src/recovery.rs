//! The recovery of a tournament's store from its replays and from the readable parts of the damaged
//! store, which is kept.

use crate::check::compare;
use crate::directory::{Directory, STORE, store_file};
use crate::game_copy::load_from_directory;
use crate::replays::{RecordedGame, RecordedGames};
use crate::results::Results;
use crate::stored_tournament::StoredTournament;
use botyard_league::replay_names::replay_name;
use botyard_league::schedule::{GameKey, TournamentSchedule, game_id};
use botyard_league::store::{
    Definition, Examined, GenerationState, SqliteStore, Store, StoreError, StoredGame, examine,
};
use botyard_league::{PlayedGame, atomic_file};
use botyard_runner::words::counted;
use botyard_runner::{Error, PendingGames, Programs};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// How many blocks are tried for a replay without a row in the store: more than any schedule can
/// have.
const MOST_BLOCKS: u32 = 200_000;

/// How many rejudges are tried for a replay if the store does not say how many there were.
const MOST_GENERATIONS: u32 = 64;

/// The new store while it is written.
const NEW: &str = "tournament.recovered.db";

/// The result of rebuilding a store.
#[derive(Debug)]
pub struct Recovery {
    /// The number of games in the new store.
    pub games: u64,
    /// How many of them come from replays.
    pub from_replays: u64,
    /// What could not be recovered, as text.
    pub lost: Vec<String>,
    /// The path to which the damaged store was moved, if there was one.
    pub aside: Option<PathBuf>,
}

impl Recovery {
    /// Returns what was lost, in a line each, and what was recovered.
    pub fn to_text(&self) -> String {
        let lost: String = self.lost.iter().map(|line| format!("{line}\n")).collect();
        let aside = self
            .aside
            .as_ref()
            .map_or(String::new(), |path| format!("; the damaged store is {}", path.display()));
        let games = counted(self.games, "game");
        format!("{lost}{games} recovered, {} of them from replays{aside}\n", self.from_replays)
    }
}

/// Rebuilds the store of a tournament from its replays and from the readable parts of the damaged
/// store, and saves its results. `programs` load the tables by which games were
/// adjudicated, and contain a game whose rules are a program.
///
/// # Errors
///
/// The tournament's definition is lost, or the host fails.
pub fn recover(directory: &Directory, programs: &Programs) -> Result<Recovery, Error> {
    let path = directory.path();
    let examined = match examine(&store_file(path)) {
        // Only the replays and the copy of the definition are left.
        Err(StoreError::NotThere { .. }) => Examined::default(),
        examined => examined?,
    };
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
    load_from_directory(&definition, directory, programs)?;
    let recorded = RecordedGames::read(path, programs.endgames);
    let recorded = recorded.map_err(|error| host(path, &error))?;
    let mut lost = Vec::new();
    let games = gather(&definition, &examined, &recorded, &mut lost)?;
    if has_nothing(&examined)
        && let Some(missing @ 1..) = without_result(&definition, &games)?
    {
        lost.push(format!(
            "{} without a replay: not played, or its result is lost",
            counted(missing, "game")
        ));
    }
    let new = path.join(NEW);
    for suffix in ["", "-wal", "-shm"] {
        remove(&path.join(format!("{NEW}{suffix}")))?;
    }
    let from_replays = games.iter().filter(|game| game.from_replay).count() as u64;
    write(&new, definition, &examined, &games, &lost)?;
    let aside = exchange(path, &new)?;
    Results::saved(&directory.store()?, directory)?;
    Ok(Recovery { games: games.len() as u64, from_replays, lost, aside })
}

/// A game for the new store.
struct Recovered {
    stored: StoredGame,
    from_replay: bool,
}

/// Returns every game with a valid replay or an intact row. If both exist and differ, the replay
/// counts, because it can be verified against the rules.
fn gather(
    definition: &Definition,
    examined: &Examined,
    recorded: &RecordedGames,
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
    let mut has_rejudged = false;
    for (id, replay) in left {
        let Some(&(key, hash)) = keys.get(id) else {
            lost.push(format!("{id}: the tournament has no game with this id"));
            continue;
        };
        if key.generation > 0 && examined.generations.is_none() {
            has_rejudged = true;
            lost.push(format!(
                "{id}: a rejudged game; whether its result was applied is not known, so it is left out"
            ));
            continue;
        }
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
            lost.push(format!("{} with a result: no row and no replay", counted(missing, "game")));
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
    // A store that has nothing readable may never have had such a list.
    if examined.generations.is_none()
        && (has_rejudged || !has_nothing(examined) || definition.kept.is_none())
    {
        lost.push(
            "the list of rejudged games, and whether their results were applied: rejudge them again"
                .into(),
        );
    }
    Ok(games.into_values().collect())
}

/// Returns a game of the store, made from a replay.
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

/// Returns whether nothing of the store can be read.
fn has_nothing(examined: &Examined) -> bool {
    examined.definition.is_none() && examined.games.is_empty() && examined.generations.is_none()
}

/// Returns how many scheduled games have no result. `None` if the schedule is not known.
fn without_result(definition: &Definition, games: &[Recovered]) -> Result<Option<u64>, Error> {
    let tournament = StoredTournament::of(definition)?;
    let Some(schedule) = tournament.full_schedule(definition)? else { return Ok(None) };
    let depends = tournament.schedule.is_some();
    let mut pending = PendingGames::new(&schedule, depends, 0).scaled(tournament.kind.scale);
    let mut scored = 0;
    for Recovered { stored, .. } in games {
        if stored.key.generation == 0 && schedule.plays(&stored.game.seats) {
            pending.was_played(stored.key, stored.attempts, &stored.game);
            scored += u64::from(stored.is_scored());
        }
    }
    Ok(Some(pending.without_result(scored)))
}

/// Returns the game of each of these ids, with its key and its hash.
fn keys<'a>(
    definition: &Definition,
    examined: &Examined,
    ids: impl Iterator<Item = &'a str>,
) -> Result<BTreeMap<&'a str, (GameKey, u64)>, Error> {
    let mut wanted: BTreeMap<String, &str> = ids.map(|id| (id.to_string(), id)).collect();
    let mut found: BTreeMap<&str, (GameKey, u64)> = BTreeMap::new();
    let schedule: TournamentSchedule = StoredTournament::of(definition)?.ids;
    let mut find = |blocks: u32, generations: RangeInclusive<u32>| {
        for block in 1..=blocks {
            if wanted.is_empty() {
                break;
            }
            for rotation in 0..schedule.block_length() {
                for generation in generations.clone() {
                    let key = GameKey { generation, block, rotation };
                    if let Some(id) = wanted.remove(&schedule.id(key)) {
                        found.insert(id, (key, schedule.hash(key)));
                    }
                }
            }
        }
        found.values().map(|(key, _)| key.block).max().unwrap_or(0)
    };
    match &examined.generations {
        Some(generations) => {
            find(MOST_BLOCKS, 0..=generations.len() as u32);
        }
        None => {
            // A rejudged game was played before, so its block is among those that were found.
            let blocks = find(MOST_BLOCKS, 0..=0);
            find(blocks, 1..=MOST_GENERATIONS);
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
    lost: &[String],
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
    for generation in examined.generations.iter().flatten() {
        store.begin_rejudge(&generation.reason, &generation.games)?;
        record(&mut store, generation.number)?;
        if generation.state != GenerationState::Pending {
            let apply = generation.state == GenerationState::Applied;
            store.finish_rejudge(apply)?;
        }
    }
    for entry in &examined.audit {
        store.note(&entry.what, &entry.detail)?;
    }
    let detail = format!("{} games, {} not recovered", games.len(), lost.len());
    Ok(store.note("recovered", &detail)?)
}

/// Replaces the damaged store by the new one. Returns the path to which the damaged store was
/// moved, if there was one. If the program is killed in between, one of the two is in place.
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
        // The log of the damaged store must not be applied to the new one.
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
    use std::time::Instant;

    /// Gets ready, and never answers.
    const SILENT: &str = r#"
read hello; echo '{"type":"hello","protocol":1,"name":"silent","games":[]}'
read start; echo '{"type":"ready"}'
read turn; exec sleep 60
"#;

    /// A host that stands still all the time.
    #[derive(Debug)]
    struct FrozenHost(Instant);

    impl HostGauge for FrozenHost {
        fn canary(&self) -> CanaryReading {
            CanaryReading { stood_still: Some(self.0.elapsed()), ..CanaryReading::default() }
        }

        fn load(&self) -> HostLoad {
            HostLoad::default()
        }
    }

    /// Records the replay of a game that was void at the first seat's turn.
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
                move_ms: Some(20),
                bank_ms: None,
                increment_ms: 0,
                grace_ms: 0,
                on_fault: OnFault::Forfeit,
            },
            limits: Limits { start_ms: 60_000, setup_ms: 60_000, ..Limits::default() },
            send_legal: true,
            opening: None,
            seats: &[0, 1],
            gauge: &FrozenHost(Instant::now()),
            void_at: None,
            adjudicator: None,
        };
        let interrupt = Interrupt::new().unwrap();
        start_all(&mut bots, &spec.limits, &interrupt).unwrap();
        let header = spec.header(&*table, &bots);
        let (mut writer, _) = ReplayWriter::create(directory, &header).unwrap();
        play(&mut *table, &mut bots, &spec, &interrupt, Some(&mut writer), &mut |_| {}).unwrap();
        writer.flush().unwrap();
    }

    /// A second void at the same bot's turn may be decided against it, so the first must be
    /// recorded.
    #[test]
    fn at_whose_turn_a_game_was_void_is_rebuilt_from_its_replay() {
        let directory = tempfile::tempdir().unwrap();
        let replays = directory.path().join("replays");
        fs::create_dir(&replays).unwrap();
        record_a_void_game(&replays);
        let recorded = RecordedGames::read(directory.path(), botyard_runner::no_endgames).unwrap();
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
