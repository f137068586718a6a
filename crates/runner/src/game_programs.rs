//! Games whose rules are programs: a directory with a `game.toml` becomes a game of the registry. Its
//! program is contained and limited like a bot, in a sandbox of its own.

use crate::bots::bundle::{Bundle, Copies, Surroundings};
use crate::bots::manifest::{Manifest, ManifestError, command_line_of, read_manifest};
use crate::config::ContainmentConfig;
use crate::error::Error;
use crate::installed_games::InstalledGames;
use crate::message::Message;
use crate::programs::Programs;
use botyard_engine::registry;
use botyard_referee::{Backend, BotCommand, Interrupt, LineProgram, Source};
use botyard_replay::ReplayReader;
use botyard_rules::{
    GameError, GivenPreset, Hello, ProgramGame, RulesLimits, StartProgram, Transport, ability,
};
use botyard_sandbox::{Tier, Walked};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

/// The name of the manifest of a game's directory.
pub const GAME_FILE: &str = "game.toml";

/// The longest name of a game, in characters.
const LONGEST_NAME: usize = 40;

/// How many hexadecimal digits of a bundle's digest belong to the name of its game.
const DIGEST_DIGITS: usize = 32;

/// How many directories above a replay are searched for the bundle of its game.
const LEVELS: usize = 4;

/// The directory of a tournament that holds its copies.
const BUNDLES: &str = "bundles";

/// The memory limit of a rules program, in MiB.
const MEMORY_MIB: u64 = 512;

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

/// The content of `game.toml`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameManifest {
    /// The game's name.
    pub name: String,
    /// One line for people who do not know it.
    pub about: String,
    /// The command line that runs the program in the directory, without a shell.
    pub run: String,
    /// The command lines that build it, run in order in the directory, without a shell.
    #[serde(default)]
    pub build: Vec<String>,
    /// Named sets of rules besides those of the program.
    #[serde(default)]
    pub presets: BTreeMap<String, ManifestPreset>,
    /// Whether bots may run a copy of the program as their model. They can read the bundle then.
    #[serde(default)]
    pub model: bool,
}

/// A named set of rules in `game.toml`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManifestPreset {
    /// One line about it.
    #[serde(default)]
    pub about: String,
    /// The rules.
    #[serde(default)]
    pub rules: Map<String, Value>,
}

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

impl GameManifest {
    /// Reads the manifest of a directory.
    pub(crate) fn in_directory(directory: &Path) -> Result<GameManifest, String> {
        let manifest: GameManifest =
            read_manifest(directory, GAME_FILE).map_err(|error| error.to_string())?;
        check_name(&manifest.name)?;
        Ok(manifest)
    }

    /// Reads the manifest in the directory of a game.
    ///
    /// # Errors
    ///
    /// There is no manifest, or it is none of a game.
    pub fn read(directory: &Path) -> Result<GameManifest, Error> {
        GameManifest::in_directory(directory)
            .map_err(|error| Error::usage(format!("the game in {}: {error}", directory.display())))
    }

    /// Reads the part of a directory's manifest that is as in the manifest of a bot.
    ///
    /// # Errors
    ///
    /// There is no manifest, or it is none of a game.
    pub(crate) fn as_of_bot(directory: &Path) -> Result<Manifest, ManifestError> {
        let GameManifest { name, build, run, .. } = read_manifest(directory, GAME_FILE)?;
        Manifest { name: Some(name), build, run }.checked(directory, GAME_FILE)
    }
}

/// The games that were loaded.
static LOADED: RwLock<Vec<Arc<GameProgram>>> = RwLock::new(Vec::new());

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
    loaded.iter().find(|game| game.name == name).cloned()
}

/// Returns the directories of all games that were loaded, which no bot may read. Bots may read those of
/// games that allow it.
pub(crate) fn hidden_directories() -> Vec<PathBuf> {
    let loaded = LOADED.read().unwrap_or_else(PoisonError::into_inner);
    let hidden = loaded.iter().filter(|game| !game.manifest.model);
    hidden.map(|game| game.directory.clone()).collect()
}

/// The environment variable of a bot that may run a copy of a game's program as its model: JSON with the
/// words of the command as `run`, the `directory` to run it in, and its environment `variables`.
pub const MODEL_VARIABLE: &str = "BOTYARD_MODEL";

/// Gives bots a copy of the program of their game as a model, if the game allows it: the command in
/// [`MODEL_VARIABLE`], and its files to read.
pub(crate) fn give_model(game: &str, bots: &mut [BotCommand]) {
    let Some(game) = loaded(game).filter(|game| game.manifest.model) else { return };
    let program = game.command.program.to_string_lossy();
    let args = game.command.args.iter().map(|arg| arg.to_string_lossy());
    let run: Vec<_> = std::iter::once(program).chain(args).collect();
    let lossy = |text: &OsString| text.to_string_lossy().into_owned();
    let variables: BTreeMap<_, _> =
        game.command.variables.iter().map(|(name, value)| (lossy(name), lossy(value))).collect();
    let model = serde_json::json!({
        "run": run,
        "directory": game.directory.to_string_lossy(),
        "variables": variables,
    });
    for bot in bots {
        bot.variables.push((MODEL_VARIABLE.into(), model.to_string().into()));
        bot.readable.push(game.directory.clone());
    }
}

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
        let bundle = Bundle::of(&command, Surroundings::default(), programs, None)
            .map_err(|error| error.in_words(&programs.advice()))?;
        Ok(Found { directory, manifest, command, bundle })
    }

    fn digest(&self) -> &str {
        &self.bundle.digest[..DIGEST_DIGITS]
    }

    /// Returns the name of the game in the registry.
    fn name(&self) -> String {
        registry::name_with_digest(&self.manifest.name, self.digest())
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
        // The same warnings are those of the bots' plan.
        let game = ProgramGame::new(
            (&self.manifest.name, self.digest()),
            &self.manifest.about,
            presets.collect(),
            starter(&self.command, containment, programs, &interrupt, &mut Vec::new())?.0,
            RulesLimits::default(),
        )
        .map_err(|error| {
            let message = format!("the game in {}: {error}", self.directory.display());
            match error {
                GameError::Program(_) => Error::rules(message),
                GameError::Unplayable(_) => Error::usage(message),
            }
        })?;
        let (name, hello) = (game.name(), game.hello().clone());
        registry::load(name, Box::new(game));
        let Found { directory, manifest, command, bundle } = self;
        let game = Arc::new(GameProgram { name, directory, command, bundle, manifest, hello });
        let mut loaded = LOADED.write().unwrap_or_else(PoisonError::into_inner);
        loaded.retain(|earlier| earlier.name != name);
        loaded.push(Arc::clone(&game));
        Ok(game)
    }
}

/// Loads the game of a directory, unless it was loaded before: reads its manifest, computes the digest
/// of its files, starts its program, and adds the game to the registry.
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
    let found = found(directory, programs)?;
    match loaded(&found.name()) {
        Some(loaded) => Ok(loaded),
        None => found.load(containment, programs),
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
    let found = found(copy, programs)?;
    if found.name() != name {
        return Err(Error::host(other_digest(name, &found)));
    }
    match loaded(name) {
        Some(loaded) if loaded.directory == found.directory => Ok(loaded),
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
    let (start, tier) = starter(&found.command, containment, programs, interrupt, &mut warnings)?;
    let Found { manifest, command, .. } = found;
    Ok(UnloadedGame { manifest, command, start, tier, warnings })
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
        let found = found(given, programs)?;
        if found.name() != *name {
            return Err(Error::usage(other_digest(name, &found)));
        }
        return found.load(&containment, programs).map(|_| true);
    }
    let absolute = std::path::absolute(replay).unwrap_or_else(|_| replay.to_path_buf());
    for place in absolute.ancestors().skip(1).take(LEVELS) {
        for directory in directories_with_games(place, registry::plain_name(name)) {
            let found = Found::in_directory(&directory, programs);
            if let Ok(found) = found
                && found.name() == *name
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

/// Returns what starts the program of a game, in the sandbox that bots have under this configuration,
/// and the tier of it.
fn starter(
    command: &BotCommand,
    containment: &ContainmentConfig,
    programs: &Programs,
    interrupt: &Interrupt,
    warnings: &mut Vec<Message>,
) -> Result<(StartProgram, Tier), Error> {
    let own = ContainmentConfig {
        command: None,
        end: None,
        memory_mib: match containment.backend {
            Backend::Native => MEMORY_MIB,
            Backend::Portable => containment.memory_mib,
        },
        ..containment.clone()
    };
    let mut commands = vec![command.clone()];
    let tier = own.tier(&mut commands, &programs.launcher, warnings)?;
    let mut planned = own.of_bots(tier, commands, programs, None)?;
    let planned = planned.pop().expect("one command makes one program");
    if let Some(contained) = &planned.containment
        && let Err(error) = &contained.files
    {
        let error = error.in_words(&contained.advice);
        return Err(Error::usage(format!("the game {}: {error}", command.name)));
    }
    let backend = own.backend;
    let interrupt = interrupt.clone();
    let line_bytes = RulesLimits::default().line_bytes;
    let start: StartProgram = Arc::new(move || {
        let bot = planned.bot(backend, None);
        let program = LineProgram::start(bot, line_bytes, &interrupt);
        Ok(Box::new(Contained(program.map_err(|error| error.to_string())?)))
    });
    Ok((start, tier))
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

/// Checks the name of a game.
fn check_name(name: &str) -> Result<(), String> {
    let is_word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if name.is_empty() || name.len() > LONGEST_NAME || !name.bytes().all(is_word) {
        return Err(format!(
            "{GAME_FILE}: expected a name of 1 to {LONGEST_NAME} lower-case letters, digits and dashes, got {name:?}"
        ));
    }
    match registry::names().iter().any(|known| known == name) {
        true => {
            Err(format!("{GAME_FILE}: {name} is a game of botyard itself; choose another name"))
        }
        false => Ok(()),
    }
}
