//! Games whose rules are programs: a directory with a `game.toml` becomes a game of the registry. Its
//! program is contained and limited like a bot, in a sandbox of its own.

use crate::bots::bundle::{Bundle, Copies, Surroundings};
use crate::bots::manifest::command_line_of;
use crate::config::ContainmentConfig;
use crate::error::Error;
use crate::game_limits::GameLimits;
use crate::game_manifest::{GAME_FILE, GameManifest};
use crate::installed_games::InstalledGames;
use crate::message::Message;
use crate::programs::Programs;
use crate::settings::{GAME_ANSWER_MS, GAME_MEMORY, Setting};
use botyard_engine::registry::{self, LoadedGame, SetupError, TableMaker};
use botyard_referee::{Backend, BotCommand, Interrupt, LineProgram, Source};
use botyard_replay::ReplayReader;
use botyard_rules::{GameError, GivenPreset, Hello, ProgramGame, StartProgram, Transport, ability};
use botyard_sandbox::{Tier, Walked};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

/// How many hexadecimal digits of a bundle's digest belong to the name of its game.
const DIGEST_DIGITS: usize = 32;

/// How many directories above a replay are searched for the bundle of its game.
const LEVELS: usize = 4;

/// The directory of a tournament that holds its copies.
const BUNDLES: &str = "bundles";

/// The environment variables of rules programs that are the same everywhere, as a program is a function
/// of its requests: the language, the time zone, and the seeds of hash tables in languages that otherwise
/// draw them at the start.
const FIXED: [(&str, &str); 6] = [
    ("LANG", "C.UTF-8"),
    ("TZ", "UTC"),
    // Compiled modules beside a program would change the digest of its bundle.
    ("PYTHONDONTWRITEBYTECODE", "1"),
    ("PYTHONHASHSEED", "0"),
    ("PERL_HASH_SEED", "0"),
    ("PERL_PERTURB_KEYS", "0"),
];

/// A game that was loaded from a directory.
#[derive(Clone, Debug)]
pub struct GameProgram {
    /// Its name in the registry.
    pub name: &'static str,
    /// Its directory.
    pub directory: PathBuf,
    /// The command that runs its program.
    pub command: BotCommand,
    /// Its files with their digest.
    pub bundle: Bundle,
    /// Its manifest.
    pub manifest: GameManifest,
    /// The limits of its program.
    pub limits: GameLimits,
    /// The description that its program gave.
    pub hello: Hello,
}

impl GameProgram {
    /// Returns what its author has to add before bots can run a copy of its program as their model;
    /// `None` if they can.
    pub fn lacks_as_model(&self) -> Option<String> {
        if !self.manifest.model {
            return Some(format!(
                "`model = true` in its {GAME_FILE}, which lets all bots read its files and run a copy of its \
                 program"
            ));
        }
        let needed = [(ability::LOAD, true), (ability::DETERMINIZE, self.hello.hidden)];
        let missing = needed.iter().find(|(name, is_needed)| *is_needed && !self.hello.can(name));
        missing.map(|(name, _)| format!("the ability {name:?} of its program"))
    }
}

/// The games that were loaded: one for a name and limits, as events of a process may set other limits for the
/// same game.
static LOADED: RwLock<Vec<(Arc<GameProgram>, ProgramGame)>> = RwLock::new(Vec::new());

/// Returns whether a user means a directory by this name of a game.
pub fn is_directory(game: &str) -> bool {
    game.contains(['/', '\\']) || game == "." || game == ".."
}

/// Returns the directory of a game as a user writes it: a path relative to `base`, or the name of one
/// of the [`InstalledGames`]; `None` for a game in the registry.
///
/// # Errors
///
/// There is no game of this name, or there are several.
pub fn directory_of(game: &str, base: &Path) -> Result<Option<PathBuf>, Error> {
    if is_directory(game) {
        return Ok(Some(base.join(game)));
    }
    if registry::has(game) {
        return Ok(None);
    }
    let installed = InstalledGames::around(base);
    match installed.directory_of(game)? {
        Some(directory) => Ok(Some(directory.to_path_buf())),
        None if base.join(game).join(GAME_FILE).is_file() => Err(Error::usage(format!(
            "there is no game {game:?}; for the game in the directory {game}, write ./{game}"
        ))),
        None => Err(installed.unknown(game)),
    }
}

/// Returns the name in the registry of a game as a user writes it: see [`directory_of`]. The game of a
/// directory is loaded unless it was loaded before.
///
/// # Errors
///
/// There is no game of this name, or the directory has no game that can be played: [`load`].
pub fn named(
    game: &str,
    base: &Path,
    containment: &ContainmentConfig,
    programs: &Programs,
) -> Result<String, Error> {
    match directory_of(game, base)? {
        Some(directory) => Ok(load(&directory, containment, programs)?.name.to_string()),
        None => Ok(game.to_string()),
    }
}

/// Returns the game of this name in the registry, if its rules are a program.
pub fn loaded(name: &str) -> Option<Arc<GameProgram>> {
    let loaded = LOADED.read().unwrap_or_else(PoisonError::into_inner);
    Some(Arc::clone(&in_registry(name, &loaded)?.0))
}

/// Returns the game of this name that is in the registry: what only reads its games has the largest limits.
fn in_registry<'a>(
    name: &str,
    loaded: &'a [(Arc<GameProgram>, ProgramGame)],
) -> Option<&'a (Arc<GameProgram>, ProgramGame)> {
    let named = loaded.iter().filter(|(program, _)| program.name == name);
    named.max_by_key(|(program, _)| program.limits.in_order())
}

/// Returns the game of this name that was loaded with the limits of this configuration.
fn loaded_within(
    name: &str,
    containment: &ContainmentConfig,
) -> Option<(Arc<GameProgram>, ProgramGame)> {
    let loaded = LOADED.read().unwrap_or_else(PoisonError::into_inner);
    let is_it = |program: &GameProgram| {
        program.name == name && program.limits == limits_under(containment, &program.manifest)
    };
    loaded.iter().find(|(program, _)| is_it(program)).cloned()
}

/// Returns a maker of tables for a game, whose program has the limits of this configuration: see
/// [`registry::tables`].
pub(crate) fn tables_within(
    game: &str,
    containment: &ContainmentConfig,
    preset: Option<&str>,
    changes: &[(String, String)],
) -> Result<TableMaker, SetupError> {
    match loaded_within(game, containment) {
        Some((_, game)) => game.tables(preset, changes),
        None => registry::tables(game, preset, changes),
    }
}

/// Returns the limits of a program under a configuration. One that states no number of processes has at least as
/// many as a bot.
fn limits_under(containment: &ContainmentConfig, manifest: &GameManifest) -> GameLimits {
    let limits = containment.game.or(manifest.limits);
    let of_bots = Some(containment.processes).filter(|&number| number > limits.processes());
    GameLimits { processes: limits.processes.or(of_bots), ..limits }
}

/// Returns the directories of all games that were loaded, which no bot may read. Bots may read those of
/// games that allow it.
pub(crate) fn hidden_directories() -> Vec<PathBuf> {
    let loaded = LOADED.read().unwrap_or_else(PoisonError::into_inner);
    let hidden = loaded.iter().filter(|(game, _)| !game.manifest.model);
    hidden.map(|(game, _)| game.directory.clone()).collect()
}

/// The surroundings of a game's files. Compiled modules and the like are no part of its bundle: else a game that
/// its author ran outside the sandbox would be another one.
pub const SURROUNDINGS: Surroundings<'_> =
    Surroundings { readable: &[], without: &[], sources_alone: true };

/// A directory with a game, whose program was not started yet.
struct Found {
    directory: PathBuf,
    manifest: GameManifest,
    command: BotCommand,
    bundle: Bundle,
}

impl Found {
    /// Reads the manifest of a directory, and computes the digest of its files.
    fn in_directory(directory: &Path, programs: &Programs) -> Result<Found, String> {
        let absolute = std::path::absolute(directory).map_err(|error| error.to_string())?;
        let walked = Walked::along(&absolute).map_err(|error| error.to_string())?;
        let directory = walked.path().to_path_buf();
        let manifest = GameManifest::in_directory(&directory)?;
        let run = command_line_of(&manifest.run, &directory)?;
        let command = BotCommand {
            name: manifest.name.clone(),
            program: run.program,
            args: run.args.into_iter().map(Into::into).collect(),
            directory: Some(directory.clone()),
            source: Source::Manifest,
            variables: FIXED.map(|(name, value)| (name.into(), value.into())).to_vec(),
            ..BotCommand::default()
        };
        let bundle = Bundle::of(&command, SURROUNDINGS, programs, None)
            .map_err(|error| error.in_words(&programs.advice()))?;
        Ok(Found { directory, manifest, command, bundle })
    }

    /// Returns whether it is the game of this name in the registry. Earlier versions counted all files of a
    /// directory: the bundle is theirs if the name is.
    fn is(&mut self, name: &str, programs: &Programs) -> bool {
        if self.name() == name {
            return true;
        }
        let Ok(whole) = Bundle::of(&self.command, Surroundings::default(), programs, None) else {
            return false;
        };
        let is_it = self.name_with(&whole) == name;
        if is_it {
            self.bundle = whole;
        }
        is_it
    }

    fn digest(&self) -> &str {
        digest_of(&self.bundle)
    }

    /// Returns the name of the game in the registry.
    fn name(&self) -> String {
        self.name_with(&self.bundle)
    }

    fn name_with(&self, bundle: &Bundle) -> String {
        registry::name_with_digest(&self.manifest.name, digest_of(bundle))
    }

    /// Returns the limits of the program under a configuration.
    fn limits(&self, containment: &ContainmentConfig) -> GameLimits {
        limits_under(containment, &self.manifest)
    }

    /// Starts the program, and adds its game to the registry.
    fn load(
        self,
        containment: &ContainmentConfig,
        programs: &Programs,
    ) -> Result<Arc<GameProgram>, Error> {
        let presets = self.manifest.presets.iter().map(|(name, preset)| GivenPreset {
            name: name.clone(),
            about: preset.about.clone(),
            rules: preset.rules.clone(),
        });
        let interrupt = Interrupt::new().map_err(Error::host)?;
        let limits = self.limits(containment);
        // The same warnings are those of the bots' plan.
        let (start, _) =
            starter((&self.command, limits), containment, programs, &interrupt, &mut Vec::new())?;
        let game = ProgramGame::new(
            (&self.manifest.name, self.digest()),
            &self.manifest.about,
            presets.collect(),
            start,
            limits.of_protocol(),
        )
        .map_err(|error| {
            let message = format!("the game in {}: {error}", self.directory.display());
            match error {
                GameError::Program(_) => Error::rules(message),
                GameError::Unplayable(_) => Error::usage(message),
            }
        })?;
        let (name, hello) = (game.name(), game.hello().clone());
        let Found { directory, manifest, command, bundle } = self;
        let program =
            Arc::new(GameProgram { name, directory, command, bundle, manifest, limits, hello });
        let mut loaded = LOADED.write().unwrap_or_else(PoisonError::into_inner);
        loaded.retain(|(earlier, _)| {
            earlier.name != name || earlier.limits != limits && earlier.directory.is_dir()
        });
        loaded.push((Arc::clone(&program), game));
        if let Some((_, game)) = in_registry(name, &loaded) {
            registry::load(name, Box::new(game.clone()));
        }
        Ok(program)
    }
}

/// Loads the game of a directory, unless it was loaded before with the same limits: reads its manifest,
/// computes the digest of its files, starts its program, and adds the game to the registry.
///
/// # Errors
///
/// There is no game in the directory, or its program fails: that is a failure of the host, as it is
/// never a bot's.
pub fn load(
    directory: &Path,
    containment: &ContainmentConfig,
    programs: &Programs,
) -> Result<Arc<GameProgram>, Error> {
    load_unless_loaded(found(directory, programs)?, containment, programs)
}

/// Loads the game of this name in the registry from a directory, unless it was loaded before with the same limits.
/// An earlier version may have given it the name.
///
/// # Errors
///
/// The directory has another game, or those of [`load`].
pub fn load_named(
    name: &str,
    directory: &Path,
    containment: &ContainmentConfig,
    programs: &Programs,
) -> Result<Arc<GameProgram>, Error> {
    let mut found = found(directory, programs)?;
    match found.is(name, programs) {
        true => load_unless_loaded(found, containment, programs),
        false => Err(Error::host(other_digest(name, &found))),
    }
}

fn load_unless_loaded(
    found: Found,
    containment: &ContainmentConfig,
    programs: &Programs,
) -> Result<Arc<GameProgram>, Error> {
    match loaded_within(&found.name(), containment) {
        Some((loaded, _)) if loaded.directory.is_dir() => Ok(loaded),
        _ => found.load(containment, programs),
    }
}

/// Loads the game of this name in the registry from a copy of its directory. Games that begin later
/// are played with the copy.
///
/// # Errors
///
/// The copy has another game, or those of [`load`].
pub fn load_copy(
    name: &str,
    copy: &Path,
    containment: &ContainmentConfig,
    programs: &Programs,
) -> Result<Arc<GameProgram>, Error> {
    let mut found = found(copy, programs)?;
    if !found.is(name, programs) {
        return Err(Error::host(other_digest(name, &found)));
    }
    match loaded_within(name, containment) {
        Some((loaded, _)) if loaded.directory == found.directory => Ok(loaded),
        _ => found.load(containment, programs),
    }
}

/// The program of a game in a directory, which is not in the registry.
pub struct UnloadedGame {
    /// Its manifest.
    pub manifest: GameManifest,
    /// The command that runs its program.
    pub command: BotCommand,
    /// Starts the program.
    pub start: StartProgram,
    /// The limits of the program.
    pub limits: GameLimits,
    /// The tier of its sandbox.
    pub tier: Tier,
    /// What there is to know about the sandbox.
    pub warnings: Vec<Message>,
}

/// Reads the game of a directory without starting its program. An exchange with it ends when
/// `interrupt` is raised.
///
/// # Errors
///
/// There is no game in the directory, or its program cannot be contained.
pub fn unloaded(
    directory: &Path,
    containment: &ContainmentConfig,
    programs: &Programs,
    interrupt: &Interrupt,
) -> Result<UnloadedGame, Error> {
    let found = found(directory, programs)?;
    let mut warnings = Vec::new();
    let limits = found.limits(containment);
    let (start, tier) =
        starter((&found.command, limits), containment, programs, interrupt, &mut warnings)?;
    let Found { manifest, command, .. } = found;
    Ok(UnloadedGame { manifest, command, start, limits, tier, warnings })
}

/// Returns the part of a bundle's digest that belongs to the name of its game.
fn digest_of(bundle: &Bundle) -> &str {
    &bundle.digest[..DIGEST_DIGITS]
}

fn found(directory: &Path, programs: &Programs) -> Result<Found, Error> {
    if !directory.is_dir() {
        return Err(Error::usage(format!(
            "expected a directory with a {GAME_FILE} as a game with a path, but {} is none",
            directory.display()
        )));
    }
    Found::in_directory(directory, programs)
        .map_err(|error| Error::usage(format!("the game in {}: {error}", directory.display())))
}

fn other_digest(name: &str, found: &Found) -> String {
    format!(
        "the game in {}: expected {} with the digest {}, found {} with the digest {}",
        found.directory.display(),
        registry::plain_name(name),
        registry::digest_of(name).unwrap_or_default(),
        found.manifest.name,
        found.digest()
    )
}

/// Loads the game of a replay, if its rules are a program: from the directory `given`, or else from the
/// bundle with its digest beside the replay or in the directory of its tournament. Returns whether the
/// game is in the registry.
///
/// # Errors
///
/// The directory `given` has another game, the program fails, or this host cannot contain it. A replay
/// that cannot be read is no error here.
pub fn load_for_replay(
    replay: &Path,
    given: Option<&Path>,
    programs: &Programs,
) -> Result<bool, Error> {
    let Ok(reader) = ReplayReader::open(replay) else { return Ok(true) };
    let name = &reader.header().game;
    if registry::digest_of(name).is_none() || registry::has(name) {
        return Ok(true);
    }
    // The program may come from the same stranger as the replay.
    let containment = ContainmentConfig { for_others: true, ..ContainmentConfig::default() };
    if let Some(given) = given {
        let mut found = found(given, programs)?;
        if !found.is(name, programs) {
            return Err(Error::usage(other_digest(name, &found)));
        }
        return found.load(&containment, programs).map(|_| true);
    }
    let absolute = std::path::absolute(replay).unwrap_or_else(|_| replay.to_path_buf());
    for place in absolute.ancestors().skip(1).take(LEVELS) {
        for directory in directories_with_games(place, registry::plain_name(name)) {
            let found = Found::in_directory(&directory, programs);
            if let Ok(mut found) = found
                && found.is(name, programs)
            {
                return found.load(&containment, programs).map(|_| true);
            }
        }
    }
    Ok(false)
}

/// Returns the directories with games that belong to a directory: itself, the one that is called after
/// the game, and the copies of a tournament.
fn directories_with_games(place: &Path, plain_name: &str) -> Vec<PathBuf> {
    let copies = std::fs::read_dir(place.join(BUNDLES)).into_iter().flatten().flatten();
    let copies = copies.map(|copy| Copies::files_in(&copy.path()));
    let all = [place.to_path_buf(), place.join(plain_name)].into_iter().chain(copies);
    all.filter(|directory| directory.join(GAME_FILE).is_file()).collect()
}

/// Returns what starts the program of a game within these limits, in the sandbox that bots have under this
/// configuration, and the tier of it.
fn starter(
    (command, limits): (&BotCommand, GameLimits),
    containment: &ContainmentConfig,
    programs: &Programs,
    interrupt: &Interrupt,
    warnings: &mut Vec<Message>,
) -> Result<(StartProgram, Tier), Error> {
    let own = containment_of_program(limits, containment);
    let mut commands = vec![command.clone()];
    let tier = own.tier(&mut commands, &programs.launcher, warnings)?;
    let mut planned = own.of_bots(tier, commands, programs, None)?;
    let mut planned = planned.pop().expect("one command makes one program");
    let more = |key: &str, setting: Setting| {
        format!("`{key}` in [limits] of {GAME_FILE}, or {}", (programs.name)(&setting.into()))
    };
    if let Some(contained) = &mut planned.containment {
        if let Err(error) = &contained.files {
            let error = error.in_words(&contained.advice);
            return Err(Error::usage(format!("the game {}: {error}", command.name)));
        }
        contained.advice.memory = more("memory_mib", GAME_MEMORY);
    }
    let backend = own.backend;
    let interrupt = interrupt.clone();
    let line_bytes = limits.of_protocol().line_bytes;
    let more_time = more("answer_ms", GAME_ANSWER_MS);
    let start: StartProgram = Arc::new(move || {
        let bot = planned.bot(backend, None);
        let program = LineProgram::start(bot, line_bytes, &interrupt);
        let program = program.map_err(|error| error.to_string())?;
        Ok(Box::new(Contained(program.advising(more_time.clone()))))
    });
    Ok((start, tier))
}

/// Returns the containment of a game's program within these limits, where bots have this one.
fn containment_of_program(limits: GameLimits, of_bots: &ContainmentConfig) -> ContainmentConfig {
    let game = GameLimits::default();
    let own = ContainmentConfig { command: None, end: None, game, ..of_bots.clone() };
    match of_bots.backend {
        // It limits nothing.
        Backend::Portable => own,
        Backend::Native => ContainmentConfig {
            memory_mib: limits.memory_mib(),
            processes: limits.processes(),
            ..own
        },
    }
}

/// A contained rules program.
struct Contained(LineProgram);

impl Transport for Contained {
    fn exchange(
        &mut self,
        request: &[u8],
        answer: &mut Vec<u8>,
        limit: Duration,
    ) -> Result<(), String> {
        self.0.exchange(request, answer, limit)
    }

    fn is_running(&self) -> bool {
        self.0.is_running()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::programs::testing::programs;
    use std::fs;

    #[test]
    fn the_bundle_of_an_earlier_version_is_the_same_game() {
        let place = tempfile::tempdir().expect("a directory");
        let write = |file: &str, text: &str| {
            fs::write(place.path().join(file), text).expect("it is writable");
        };
        write(GAME_FILE, "name = \"nim\"\nabout = \"Nim\"\nrun = \"python3 game.py\"\n");
        write("game.py", "pass");
        let programs = programs();
        let found = || Found::in_directory(place.path(), &programs).expect("a game");
        let before = found().name();
        fs::create_dir(place.path().join("__pycache__")).expect("it is writable");
        write("__pycache__/game.pyc", "compiled");
        assert_eq!(found().name(), before);
        let all = Surroundings::default();
        let whole = Bundle::of(&found().command, all, &programs, None).expect("a bundle");
        let name = found().name_with(&whole);
        assert_ne!(name, before);
        let mut earlier = found();
        assert!(earlier.is(&name, &programs));
        assert_eq!(earlier.bundle, whole);
        write("game.py", "changed");
        assert!(!found().is(&name, &programs) && !found().is(&before, &programs));
    }
}
