//! Bots as users write them on the command line, parsed into commands: a built-in bot with options
//! (`random:seed=7`), the path of an executable, a quoted command line (`"python3 mine.py --fast"`)
//! or a directory with a `bot.toml`; each may have a name in front (`NAME=`).
//!
//! Errors that can be found before a program is started are found here. Their messages say what to
//! write instead.

use super::command_check::{
    check_no_expansion, check_no_shell, check_spaces, missing_script, with_env,
};
use super::manifest::Manifest;
use super::spec_error::BotSpecError;
use crate::programs::{BuiltIn, Programs, is_executable};
use crate::words::quoted;
use botyard_engine::registry::plain_name;
use botyard_engine::rules::nearest;
use botyard_protocol::{check_options, printable};
use botyard_referee::{BRIDGE, BotCommand, Source};
use botyard_sandbox::Walked;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The longest name of a bot in a match, in characters.
pub(super) const NAME_CHARACTERS: usize = 60;

/// The name of the program that has the bridges; without a directory, and if it is not in `PATH`, it is
/// this front end's.
const BOTYARD: &str = "botyard";

/// Returns how a bot in a directory is written for a shell. A bot that is written without a slash
/// would be a built-in one.
pub fn bot_in(directory: &Path) -> String {
    let directory = directory.to_string_lossy();
    let prefix = if directory.contains('/') { "" } else { "./" };
    quoted(&format!("{prefix}{directory}"))
}

/// Returns the commands of all bots in a match of `game`, in order, with distinct names. Bots of
/// the same name are called after their directories, `anna/bot.py` and `ben/bot.py` are `anna` and
/// `ben`, and so are `anna/src/bot.py` and `ben/src/bot.py`, unless the user named them. If they are
/// still equal, a word that only one command has is added, and a second bot of the same name is then
/// called `NAME#2`.
///
/// # Errors
///
/// The first bot that cannot be parsed, or does not play the game.
pub fn commands(
    specs: &[String],
    game: &str,
    programs: &Programs,
) -> Result<Vec<BotCommand>, BotSpecError> {
    let here = Path::new("");
    let mut commands: Vec<BotCommand> =
        specs.iter().map(|spec| command(spec, game, programs, here)).collect::<Result<_, _>>()?;
    let is_unnamed = |spec: &str| {
        let first = spec.split([':', ' ']).next().unwrap_or_default();
        split_name(spec).is_ok_and(|(name, _)| name.is_none()) && programs.built_in(first).is_none()
    };
    let directories: Vec<Vec<String>> = specs
        .iter()
        .zip(&commands)
        .map(|(spec, command)| if is_unnamed(spec) { directories_of(command) } else { Vec::new() })
        .collect();
    let names: Vec<String> = commands.iter().map(|command| command.name.clone()).collect();
    for (index, command) in commands.iter_mut().enumerate() {
        let own = &directories[index];
        let is_ambiguous =
            |other: &usize| names[*other] == names[index] && directories[*other] != *own;
        let others: Vec<usize> = (0..names.len()).filter(is_ambiguous).collect();
        let is_own = |depth: &usize| {
            others.iter().all(|&other| directories[other].get(*depth) != own.get(*depth))
        };
        if others.is_empty() {
            continue;
        }
        if let Some(directory) = own.get((0..own.len()).find(is_own).unwrap_or(0)) {
            command.name = printable(directory, NAME_CHARACTERS);
        }
    }
    let unnamed: Vec<bool> = specs.iter().map(|spec| is_unnamed(spec)).collect();
    tell_apart_by_words(&mut commands, &unnamed);
    tell_apart(&mut commands);
    Ok(commands)
}

/// Adds to a name that several commands have the last word that only this one has, where the user gave
/// none: `java -cp bots Fox` and `java -cp bots Hen` are `java-Fox` and `java-Hen`.
fn tell_apart_by_words(commands: &mut [BotCommand], unnamed: &[bool]) {
    let before = commands.to_vec();
    for (index, command) in commands.iter_mut().enumerate().filter(|&(index, _)| unnamed[index]) {
        let is_other =
            |&(other, bot): &(usize, &BotCommand)| other != index && bot.name == before[index].name;
        let others = || before.iter().enumerate().filter(is_other).map(|(_, bot)| bot);
        let is_own = |word: &&OsString| others().all(|bot| !bot.args.contains(word));
        if others().next().is_none() {
            continue;
        }
        if let Some(word) = command.args.iter().rev().find(is_own) {
            let word = word.to_string_lossy();
            let last = Path::new(word.trim_start_matches('-')).file_name().unwrap_or_default();
            let name = format!("{}-{}", command.name, last.to_string_lossy());
            command.name = printable(name.trim_end_matches('-'), NAME_CHARACTERS);
        }
    }
}

/// Returns the names of the directories that a program of the user's is in, the innermost first, as
/// far as its command names them.
fn directories_of(command: &BotCommand) -> Vec<String> {
    let innermost = match command.source {
        Source::Manifest => command.directory.as_deref(),
        Source::CommandLine | Source::Directory => script_of(command).parent(),
    };
    let names = innermost.into_iter().flat_map(Path::ancestors).map_while(Path::file_name);
    names.map(|name| name.to_string_lossy().into_owned()).collect()
}

/// Returns the script that an interpreter runs, the first argument that is a file, or the program.
pub fn script_of(command: &BotCommand) -> &Path {
    let directory = command.directory.as_deref().unwrap_or(Path::new(""));
    let script = command.args.iter().map(Path::new).find(|file| directory.join(file).is_file());
    script.unwrap_or(&command.program)
}

/// Makes names distinct by numbers: `NAME#2`.
pub fn tell_apart(commands: &mut [BotCommand]) {
    for index in 1..commands.len() {
        let (before, [command, ..]) = commands.split_at_mut(index) else { return };
        let taken = |name: &str| before.iter().any(|other| other.name == name);
        if taken(&command.name) {
            let numbered = |number: u32| format!("{}#{number}", command.name);
            command.name = (2..).map(numbered).find(|name| !taken(name)).unwrap_or_default();
        }
    }
}

/// Returns the command of one bot of `game`. The user's own program is searched, and runs, in
/// `directory`; an empty path is the current directory.
///
/// # Errors
///
/// The text is not a bot, or the bot does not play the game.
pub fn command(
    spec: &str,
    game: &str,
    programs: &Programs,
    directory: &Path,
) -> Result<BotCommand, BotSpecError> {
    let is_program =
        |word: &str| word.contains('/') && directory.join(word).is_file() || is_in_path(word);
    let is_bot = |word: &str| {
        let built_in = word.split(':').next().unwrap_or_default();
        is_program(word) || programs.built_in(built_in).is_some()
    };
    if let Some(command) = with_env(spec, is_bot, is_program) {
        return Err(BotSpecError::Variable { spec: spec.into(), command });
    }
    let (name, what) = split_name(spec)?;
    let words = shlex::split(what).ok_or_else(|| BotSpecError::Quotes(spec.into()))?;
    let Some((first, arguments)) = words.split_first().filter(|(first, _)| !first.is_empty())
    else {
        return Err(BotSpecError::Empty {
            spec: spec.into(),
            known: names_of(&programs.built_ins),
        });
    };
    check_no_shell(spec, what, &words)?;
    check_spaces(spec, &words, directory)?;
    check_no_expansion(spec, &words, directory)?;
    // The value of an option may be a path, so only slashes before the colon mark a path.
    let name_of_built_in = first.split(':').next().unwrap_or_default();
    let mut command = if let Some(bot) = programs.built_in(name_of_built_in) {
        if !arguments.is_empty() {
            return Err(BotSpecError::Arguments(what.into()));
        }
        of_built_in(spec, first, bot, game, programs)?
    } else if first.contains('/') && arguments.is_empty() && Manifest::is_in(&directory.join(first))
    {
        of_directory(spec, &directory.join(first))?
    } else if first.contains('/') {
        let path = match directory.as_os_str().is_empty() {
            true => PathBuf::from(first),
            false => directory.join(first.strip_prefix("./").unwrap_or(first)),
        };
        check_file(spec, &path)?;
        of_program(path, arguments, directory)
    } else if arguments.is_empty() {
        let is_file = directory.join(first).is_file();
        let known = programs.built_ins.iter().map(|bot| bot.name.as_str());
        return Err(BotSpecError::Unknown {
            word: first.clone(),
            suggestion: match nearest(name_of_built_in, known) {
                _ if is_file => format!(" (did you mean ./{first}?)"),
                Some(near) => format!(" (did you mean {near}?)"),
                None => String::new(),
            },
            known: names_of(&programs.built_ins),
        });
    } else if is_in_path(first) {
        of_program(first.into(), arguments, directory)
    } else if first == BOTYARD && arguments[0] == BRIDGE {
        of_program(programs.botyard.clone(), arguments, directory)
    } else {
        return Err(BotSpecError::NotInPath { spec: spec.into(), program: first.clone() });
    };
    if let Some(script) = missing_script(first, arguments, directory) {
        let (spec, program) = (spec.to_string(), first.clone());
        return Err(BotSpecError::NoScript { spec, program, script });
    }
    command.name = printable(name.unwrap_or(&command.name), NAME_CHARACTERS);
    Ok(command)
}

/// Returns a stand-in for a bot that [`command`] refuses because of its files: a command that has
/// the bot's name and its place, and that cannot be started.
pub fn unusable(spec: &str, directory: &Path) -> BotCommand {
    let (name, what) = split_name(spec).unwrap_or((None, spec));
    let word = shlex::split(what).and_then(|words| words.into_iter().next()).unwrap_or_default();
    let path = directory.join(word);
    let own = if path.is_dir() { path.as_path() } else { directory };
    let named_after = own.file_name().unwrap_or_default().to_string_lossy();
    BotCommand {
        name: printable(name.unwrap_or(&named_after), NAME_CHARACTERS),
        program: own.to_path_buf(),
        directory: Some(own.to_path_buf()),
        source: Source::Manifest,
        ..BotCommand::default()
    }
}

/// Splits off `NAME=`. Text before the first `=` is a name unless it looks like the beginning of a
/// path, a command line or a bot with options.
fn split_name(spec: &str) -> Result<(Option<&str>, &str), BotSpecError> {
    let is_name = |front: &str| {
        !front.contains(['/', ':', '"', '\'']) && !front.contains(char::is_whitespace)
    };
    let Some((name, what)) = spec.split_once('=').filter(|(front, _)| is_name(front)) else {
        return Ok((None, spec));
    };
    if name.is_empty() || printable(name, NAME_CHARACTERS) != name {
        return Err(BotSpecError::Name { spec: spec.into(), got: name.into() });
    }
    Ok((Some(name), what))
}

fn of_built_in(
    spec: &str,
    word: &str,
    bot: &BuiltIn,
    game: &str,
    programs: &Programs,
) -> Result<BotCommand, BotSpecError> {
    let mut options = BTreeMap::new();
    if let Some((_, list)) = word.split_once(':') {
        for option in list.split(',') {
            // `level:4`: the option that has the name of the bot.
            let is_named = bot.options.contains_key(&bot.name);
            let of_bot = || is_named.then_some((bot.name.as_str(), option));
            let Some((key, value)) = option.split_once('=').or_else(of_bot) else {
                return Err(BotSpecError::OptionForm { spec: spec.into(), got: option.into() });
            };
            options.insert(key.to_string(), value.to_string());
        }
    }
    let refused = |reason: String| BotSpecError::Option { spec: spec.into(), reason };
    let known = if bot.plays(game) { bot.options_at(game) } else { bot.options.clone() };
    for option in options.keys().filter(|option| !known.contains_key(*option)) {
        let games = bot.games_of_option(option).join(" and ");
        if !games.is_empty() {
            let name = &bot.name;
            return Err(refused(format!(
                "{option} is an option of {name} at {games}, not at {}",
                plain_name(game)
            )));
        }
    }
    check_options(&known, &options).map_err(|error| refused(error.to_string()))?;
    if let Some(lacks) = bot.lacks_model(game) {
        let (spec, game) = (spec.into(), plain_name(game).into());
        return Err(BotSpecError::NoModel { spec, game, lacks });
    }
    if !bot.plays(game) {
        let others: Vec<&BuiltIn> =
            programs.built_ins.iter().filter(|other| other.plays(game)).collect();
        return Err(BotSpecError::Game {
            spec: spec.into(),
            game: plain_name(game).into(),
            plays: bot.plays_in_words(),
            others: names_of(others),
        });
    }
    let (program, args) = programs.command(&bot.name);
    Ok(BotCommand { name: word.into(), program, args, options, ..BotCommand::default() })
}

/// Returns the command of the user's own program. It is named after its script if an interpreter
/// runs it: `python3 bots/mine.py` is `mine`.
fn of_program(program: PathBuf, arguments: &[String], directory: &Path) -> BotCommand {
    let script = arguments.iter().map(Path::new).find(|file| directory.join(file).is_file());
    let named_after = script.unwrap_or(&program);
    let name = named_after.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    BotCommand {
        name: if name.is_empty() { "bot".into() } else { name },
        program,
        args: arguments.iter().map(OsString::from).collect(),
        directory: (!directory.as_os_str().is_empty()).then(|| directory.to_path_buf()),
        ..BotCommand::default()
    }
}

/// Returns the command of a bot's directory, by its manifest.
fn of_directory(spec: &str, directory: &Path) -> Result<BotCommand, BotSpecError> {
    let wrong = |reason: String| BotSpecError::Manifest { spec: spec.into(), reason };
    // Refuses links: a directory within a submission belongs to the author of the submission.
    let directory = std::path::absolute(directory).map_err(|error| wrong(error.to_string()))?;
    let walked = Walked::along(&directory).map_err(|error| wrong(error.to_string()))?;
    let directory = walked.path().to_path_buf();
    let manifest = Manifest::read(&directory).map_err(|error| wrong(error.to_string()))?;
    let run = manifest.run_command(&directory).ok_or_else(|| wrong("no command".into()))?;
    let named_after = directory.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(BotCommand {
        name: manifest.name.filter(|name| !name.is_empty()).unwrap_or(named_after),
        program: run.program,
        args: run.args.into_iter().map(OsString::from).collect(),
        directory: Some(directory),
        source: Source::Manifest,
        ..BotCommand::default()
    })
}

fn check_file(spec: &str, path: &Path) -> Result<(), BotSpecError> {
    let (spec, path_buf) = (spec.to_string(), path.to_path_buf());
    if path.is_dir() {
        Err(BotSpecError::Directory { spec, path: path_buf })
    } else if !path.exists() {
        Err(BotSpecError::NoFile { spec, path: path_buf })
    } else if !is_executable(path) {
        Err(BotSpecError::NotExecutable { spec, path: path_buf })
    } else {
        Ok(())
    }
}

/// Returns the names of built-in bots, as a list in a sentence.
fn names_of<'a>(bots: impl IntoIterator<Item = &'a BuiltIn>) -> String {
    bots.into_iter().map(|bot| bot.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// Returns whether a word is the name of a program in the path, not a path itself.
pub fn is_in_path(program: &str) -> bool {
    let command = BotCommand { program: program.into(), ..BotCommand::default() };
    !program.contains('/') && command.find_program().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::programs::testing;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    /// Returns two built-in bots, in a directory with `botyard`.
    fn programs(place: &Path) -> Programs {
        Programs { botyard: place.join("botyard"), ..testing::programs() }
    }

    /// Makes a directory with `botyard`, a program, a script and a text.
    fn place() -> tempfile::TempDir {
        let directory = tempfile::tempdir().unwrap();
        for (name, mode) in [("botyard", 0o755), ("mine.py", 0o644), ("deep-blue", 0o755)] {
            let path = directory.path().join(name);
            fs::write(&path, "").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        }
        directory
    }

    fn read(specs: &[&str]) -> Result<Vec<BotCommand>, String> {
        let place = place();
        let here = place.path().to_str().unwrap();
        let specs: Vec<String> = specs.iter().map(|spec| spec.replace("HERE", here)).collect();
        commands(&specs, "scotland-yard", &programs(place.path()))
            .map_err(|error| error.to_string().replace(here, "HERE"))
    }

    /// A bot as written; its name, program, arguments and options.
    type Case = (
        &'static str,
        &'static str,
        &'static str,
        &'static [&'static str],
        &'static [(&'static str, &'static str)],
    );

    #[test]
    fn a_bot_is_a_name_a_program_arguments_and_options() {
        let cases: [Case; 10] = [
            ("greedy", "greedy", "botyard", &["bot", "greedy"], &[]),
            ("random:seed=7", "random:seed=7", "botyard", &["bot", "random"], &[("seed", "7")]),
            ("r7=random:seed=7", "r7", "botyard", &["bot", "random"], &[("seed", "7")]),
            ("HERE/deep-blue", "deep-blue", "deep-blue", &[], &[]),
            (
                "HERE/deep-blue --depth 'nine plies'",
                "deep-blue",
                "deep-blue",
                &["--depth", "nine plies"],
                &[],
            ),
            ("x=HERE/deep-blue", "x", "deep-blue", &[], &[]),
            ("HERE/deep-blue --a=b", "deep-blue", "deep-blue", &["--a=b"], &[]),
            ("sh -x HERE/mine.py", "mine", "sh", &["-x", "HERE/mine.py"], &[]),
            (
                "botyard bridge hub HERE/deep-blue hub",
                "deep-blue",
                "botyard",
                &["bridge", "hub", "HERE/deep-blue", "hub"],
                &[],
            ),
            ("sh -c 'exec true'", "sh", "sh", &["-c", "exec true"], &[]),
        ];
        for (spec, name, program, args, options) in cases {
            let [command] = &read(&[spec]).unwrap()[..] else { panic!("one spec, one command") };
            assert_eq!(command.name, name, "{spec}");
            assert_eq!(command.program.file_name().unwrap(), program, "{spec}");
            let found: Vec<_> = command.args.iter().map(|arg| arg.to_string_lossy()).collect();
            assert_eq!(found.len(), args.len(), "{spec}");
            for (found, arg) in found.iter().zip(args) {
                assert!(found.ends_with(arg.trim_start_matches("HERE")), "{spec}: {found}");
            }
            let found: Vec<_> =
                command.options.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
            assert_eq!(found, options, "{spec}");
        }
    }

    #[test]
    fn an_option_that_has_the_name_of_its_bot_is_set_by_its_value_alone() {
        let place = place();
        let mut programs = programs(place.path());
        let known = &mut programs.built_ins[0];
        let seed = known.options["seed"].clone();
        known.options.insert(known.name.clone(), seed);
        let [command] = &commands(&["random:4".into()], "scotland-yard", &programs).unwrap()[..]
        else {
            panic!("one spec, one command")
        };
        assert_eq!((command.name.as_str(), command.options["random"].as_str()), ("random:4", "4"));
    }

    #[test]
    fn a_built_in_bot_runs_from_its_own_executable_where_there_is_one() {
        let place = place();
        let own = place.path().join("botyard-greedy");
        fs::write(&own, "").unwrap();
        fs::set_permissions(&own, fs::Permissions::from_mode(0o755)).unwrap();
        let programs = programs(place.path());
        let [command] = &commands(&["greedy".into()], "scotland-yard", &programs).unwrap()[..]
        else {
            panic!("one spec, one command")
        };
        assert_eq!((&command.program, command.args.len()), (&own, 0));
    }

    #[test]
    fn equal_names_are_told_apart() {
        let specs = ["random", "random", "a=greedy", "a=random", "random"];
        let names: Vec<_> = read(&specs).unwrap().into_iter().map(|bot| bot.name).collect();
        assert_eq!(names, ["random", "random#2", "a", "a#2", "random#3"]);
    }

    #[test]
    fn programs_of_the_same_name_are_called_after_their_directories() {
        let place = tempfile::tempdir().unwrap();
        for directory in ["anna", "ben"] {
            fs::create_dir(place.path().join(directory)).unwrap();
            let manifest = place.path().join(directory).join("bot.toml");
            fs::write(manifest, "name = \"minimax\"\nrun = \"python3 bot.py\"\n").unwrap();
            fs::write(place.path().join(directory).join("bot.py"), "").unwrap();
            fs::create_dir(place.path().join(directory).join("src")).unwrap();
            fs::write(place.path().join(directory).join("src/bot.py"), "").unwrap();
        }
        fs::write(place.path().join("bot.py"), "").unwrap();
        let here = place.path().to_str().unwrap();
        let (anna, ben) = ("sh HERE/anna/bot.py", "sh HERE/ben/bot.py");
        let (anna_src, ben_src) = ("sh HERE/anna/src/bot.py", "sh HERE/ben/src/bot.py");
        for (specs, expected) in [
            ([anna, ben, "greedy"], ["anna", "ben", "greedy"]),
            ([anna, anna, ben], ["anna", "anna#2", "ben"]),
            ([anna_src, ben_src, "greedy"], ["anna", "ben", "greedy"]),
            ([anna_src, ben, "greedy"], ["src", "ben", "greedy"]),
            ([anna, anna, "greedy"], ["bot", "bot#2", "greedy"]),
            ([anna, "bot=greedy", "random"], ["anna", "bot", "random"]),
            (["bot=sh HERE/anna/bot.py", "a=greedy", ben], ["bot", "a", "ben"]),
            (["HERE/anna", "HERE/ben", "greedy"], ["anna", "ben", "greedy"]),
            (["HERE/anna", "greedy", "greedy"], ["minimax", "greedy", "greedy#2"]),
            // A word that the others do not have.
            (["cat -p ja Fox", "cat -p jb Hen", "greedy"], ["cat-Fox", "cat-Hen", "greedy"]),
            (["cat -p x/ja Fox", "cat -p x/jb Fox", "greedy"], ["cat-ja", "cat-jb", "greedy"]),
            ([anna, "sh HERE/anna/bot.py --fast", "greedy"], ["bot", "bot-fast", "greedy"]),
            (["cat a", "cat a", "cat=cat b"], ["cat", "cat#2", "cat#3"]),
        ] {
            let specs = specs.map(|spec| spec.replace("HERE", here));
            let named = commands(&specs, "scotland-yard", &programs(place.path())).unwrap();
            let names: Vec<_> = named.into_iter().map(|bot| bot.name).collect();
            assert_eq!(names, expected, "{specs:?}");
        }
    }

    #[test]
    fn what_is_no_bot_is_refused_with_what_to_write() {
        for (spec, expected) in [
            ("gredy", "(did you mean greedy?)"),
            ("gredy:seed=7", "(did you mean greedy?)"),
            ("xyzzy", "no bot \"xyzzy\"; built-in bots are random, greedy"),
            ("", "expected a bot, got \"\""),
            ("a=", "expected a bot, got \"a=\""),
            ("'sh -c", "an unclosed quote"),
            ("greedy --seed 7", "write them as greedy:seed=7"),
            ("random:7", "expected options as KEY=VALUE,KEY=VALUE after the colon, got \"7\""),
            ("random:sed=7", "(did you mean seed?)"),
            ("random:seed=x", "option seed: expected an integer"),
            ("HERE", "HERE is a directory"),
            ("HERE/none", "there is no file HERE/none"),
            (
                "HERE/mine.py",
                "try `chmod +x HERE/mine.py`, or run it with its interpreter: \"python3 HERE/mine.py\"",
            ),
            ("no-such-language HERE/mine.py", "there is no program \"no-such-language\" in PATH"),
            ("sh HERE/none.sh", "there is no file HERE/none.sh for sh to run"),
            ("A=1 sh HERE/mine.py", "to set variables, write: env A=1 sh HERE/mine.py"),
            ("A=1 B=2 sh HERE/mine.py", "write: env A=1 B=2 sh HERE/mine.py"),
            ("sh HERE/mine.py > log", "write: sh -c 'sh HERE/mine.py > log' FILES"),
            ("sh HERE/mine.py 2>log", "without a shell, so 2>log would be an argument"),
            ("cd HERE && sh mine.py", "so && would be an argument"),
            ("sh HERE/mine.py | tee log", "so | would be an argument"),
            ("\u{1b}[2J=greedy", "the name before the = must be"),
            ("=greedy", "the name before the = must be"),
        ] {
            let error = read(&[spec]).expect_err(spec);
            assert!(error.contains(expected), "{spec:?}: {error}");
        }
    }
}
