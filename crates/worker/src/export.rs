//! A tournament of a queue as a directory, like one of a tournament that was played on one host.

use botyard_league::atomic_file;
use botyard_league::schedule::game_id;
use botyard_league::store::{SqliteStore, Store, StoreError, copy_results};
use botyard_queue::{BUNDLES, Queue, TournamentStore, path_below};
use botyard_runner::Error;
use botyard_runner::bots::bundle::Copies;
use botyard_tournament::{Directory, Results, reveal_secret, schedule_of, store_file};
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// The file with the worker of each game.
const CONDITIONS: &str = "conditions.csv";

/// What was exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exported {
    /// The number of games, of all generations.
    pub games: u64,
    /// The number of files: replays, standard error of bots, and bundles.
    pub files: u64,
}

/// Opens a tournament to read its results. If every game has one, the secret that they were drawn from is
/// published.
fn open(queue: &Arc<Queue>, id: &str) -> Result<TournamentStore, Error> {
    let mut store = TournamentStore::open(Arc::clone(queue), id)?;
    if store.definition().commitment.is_some() {
        let status = queue.status(id)?;
        if status.is_complete() && status.blocks.void == 0 {
            reveal_secret(&mut store)?;
        }
    }
    Ok(store)
}

/// Returns the results of a tournament.
///
/// # Errors
///
/// There is none with this id; errors of the queue.
pub fn results(queue: &Arc<Queue>, id: &str) -> Result<Results, Error> {
    Results::of(&open(queue, id)?)
}

/// Writes a tournament to a directory, which must be new or empty: the store, all files, the standings,
/// and the conditions of each game.
///
/// # Errors
///
/// There is no tournament with this id; a directory with files; a damaged file; errors of the queue or
/// of the host. Nothing is left of the directory then.
pub fn export(queue: &Arc<Queue>, id: &str, path: &Path) -> Result<Exported, Error> {
    let from = open(queue, id)?;
    let directory = Directory::create(path)?;
    let exported = fill(queue, id, &from, &directory);
    if exported.is_err() {
        let (path, bundles) = (directory.path().to_path_buf(), directory.bundles());
        Copies::make_removable(&bundles);
        let _ = fs::remove_dir_all(path);
    }
    exported
}

fn fill(
    queue: &Arc<Queue>,
    id: &str,
    from: &TournamentStore,
    directory: &Directory,
) -> Result<Exported, Error> {
    let files = write_files(queue, id, directory)?;
    let definition = from.definition().clone();
    directory.save("tournament.toml", &definition.file)?;
    directory.keep_definition(&definition)?;
    directory.save(CONDITIONS, &conditions(queue, id, &definition.game, from)?)?;
    let mut store = SqliteStore::create(&store_file(directory.path()), definition)?;
    let games = copy_results(from, &mut store)?;
    store.note("exported", &format!("from a store, as {id}"))?;
    Results::of(&store)?.linked_to(directory.path()).save(directory)?;
    Ok(Exported { games, files })
}

/// Writes all files of a tournament. Returns how many there are.
fn write_files(queue: &Queue, id: &str, directory: &Directory) -> Result<u64, Error> {
    let mut copies = Copies::create(&directory.bundles())?;
    let mut count = 0;
    for file in queue.files(id, "")? {
        let content = queue.get(&file.digest)?;
        let content = content.ok_or_else(|| {
            StoreError::Damaged(format!("the content of the file {} is missing", file.name))
        })?;
        count += 1;
        if let Some(bundle) = file.name.strip_prefix(BUNDLES) {
            let files = bundle.strip_suffix(".tar.gz").unwrap_or(bundle);
            copies.unpack(files, &content).map_err(Error::host)?;
            continue;
        }
        write_file(directory.path(), &file.name, &content)
            .map_err(|error| Error::host(format!("{}: {error}", file.name)))?;
    }
    Ok(count)
}

fn write_file(directory: &Path, name: &str, content: &[u8]) -> io::Result<()> {
    let path = path_below(directory, name)?;
    // A name may be taken by another file of the directory.
    match path.try_exists()? {
        true => Err(io::ErrorKind::AlreadyExists.into()),
        false => atomic_file::replace_unsynced(&path, content),
    }
}

/// Returns the worker of each game with the speed and the jitter of its host, as CSV.
fn conditions(
    queue: &Queue,
    id: &str,
    game: &str,
    from: &TournamentStore,
) -> Result<String, Error> {
    let (schedule, _) = schedule_of(from.definition())?;
    let mut text = csv::Writer::from_writer(Vec::new());
    let failed = |error: csv::Error| Error::host(format!("{CONDITIONS}: {error}"));
    text.write_record(["game", "generation", "worker", "speed", "jitter_us"]).map_err(failed)?;
    for it in queue.conditions(id)? {
        let calibration = &it.about["calibration"];
        let figure = |name: &str| match &calibration[name] {
            serde_json::Value::Number(number) => number.to_string(),
            _ => String::new(),
        };
        text.write_record([
            game_id(game, schedule.hash(it.key)),
            it.key.generation.to_string(),
            it.worker,
            figure("speed"),
            figure("jitter_us"),
        ])
        .map_err(failed)?;
    }
    let bytes = text.into_inner().map_err(Error::host)?;
    String::from_utf8(bytes).map_err(Error::host)
}
