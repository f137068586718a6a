//! Checks of a bot's command line for mistakes that would otherwise appear as a fault in the first
//! game: words that only a shell understands, and a script that does not exist.

use super::manifest::Manifest;
use super::spec_error::BotSpecError;
use botyard_referee::BotCommand;
use std::path::Path;

/// Words that a shell interprets and a program receives as arguments.
const SHELL_WORDS: [&str; 12] =
    ["<", ">", ">>", "<<", "|", "||", "&", "&&", ";", "2>", "2>>", "2>&1"];

/// Interpreters whose first argument is a script, if it is not an option. A version may follow the
/// name.
const INTERPRETERS: [&str; 11] =
    ["python", "pypy", "node", "ruby", "perl", "lua", "bash", "sh", "php", "Rscript", "julia"];

/// Options after which an argument is code or the name of a module.
const NOT_A_SCRIPT: [&str; 6] = ["-c", "-m", "-e", "--eval", "-p", "-r"];

/// The most words that are looked at as parts of one path.
const MOST_JOINED: usize = 16;

/// Returns whether a program of this name takes a script.
fn is_interpreter(program: &str) -> bool {
    let name = program.rsplit('/').next().unwrap_or(program);
    let is_version = |rest: &str| rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    INTERPRETERS.iter().any(|interpreter| name.strip_prefix(interpreter).is_some_and(is_version))
}

/// Checks that no word needs a shell.
///
/// # Errors
///
/// The first word that does, with what to write instead.
pub(super) fn check_no_shell(spec: &str, what: &str, words: &[String]) -> Result<(), BotSpecError> {
    let is_redirection = |word: &str| {
        word.strip_prefix("2>").or(word.strip_prefix('>')).is_some_and(|file| !file.is_empty())
    };
    let found = words
        .iter()
        .find(|word| SHELL_WORDS.contains(&word.as_str()) || is_redirection(word))
        .or_else(|| words.first().filter(|word| *word == "cd"));
    match found {
        Some(word) => Err(BotSpecError::Shell {
            spec: spec.into(),
            word: word.clone(),
            command: what.replace('\'', "'\\''"),
        }),
        None => Ok(()),
    }
}

/// Checks that the words of no path were split at its spaces.
///
/// # Errors
///
/// The first words that together are the path of a file, and not one by one.
pub(super) fn check_spaces(
    spec: &str,
    words: &[String],
    directory: &Path,
) -> Result<(), BotSpecError> {
    for first in 0..words.len() {
        let is_file = |path: &str| {
            let path = directory.join(path);
            path.is_file() || first == 0 && Manifest::is_in(&path)
        };
        if is_file(&words[first]) {
            continue;
        }
        let joined = |end: &usize| words[first..*end].join(" ");
        let last = words.len().min(first + MOST_JOINED);
        let ends = (first + 2..=last).filter(|end| joined(end).contains('/'));
        let Some(end) = ends.rev().find(|end| is_file(&joined(end))) else { continue };
        let path = joined(&end);
        let mut quoted: Vec<&str> = words.iter().map(String::as_str).collect();
        quoted.splice(first..end, [path.as_str()]);
        let command = shlex::try_join(quoted).unwrap_or_default();
        let word = &words[first];
        let program = BotCommand { program: word.into(), ..BotCommand::default() };
        let found = match program.find_program().ok().filter(|_| first == 0) {
            Some(found) if found.is_file() => format!("the program is {}", found.display()),
            _ if first == 0 => format!("the program is {word:?}"),
            _ => format!("{word:?} is an argument of its own"),
        };
        return Err(BotSpecError::Spaces { spec: spec.into(), path, found, command });
    }
    Ok(())
}

/// Checks that neither the program nor the script of an interpreter is named in a way that only a shell understands:
/// `~/mine`, `$HOME/mine`. What a program makes of its other arguments is its own affair.
///
/// # Errors
///
/// The first word that is no file, and would be one in a shell.
pub(super) fn check_no_expansion(
    spec: &str,
    words: &[String],
    directory: &Path,
) -> Result<(), BotSpecError> {
    let home = std::env::home_dir().unwrap_or_default();
    let interpreter = words.first().is_some_and(|program| is_interpreter(program));
    let script = words.iter().skip(1).position(|word| !word.starts_with('-')).map(|at| at + 1);
    for (index, word) in words.iter().enumerate() {
        if index > 0 && !(interpreter && script == Some(index)) {
            continue;
        }
        let of_home = ["~", "$HOME", "${HOME}"]
            .iter()
            .find_map(|part| Some((*part, word.strip_prefix(part)?.strip_prefix('/')?)));
        let remedy = |(part, rest): (&str, &str)| {
            let path = home.join(rest);
            path.exists().then(|| (part.to_string(), format!("write {}", path.display())))
        };
        let replaced = match of_home.and_then(remedy) {
            None if index == 0 && word.starts_with(['~', '$']) => {
                let end = word.find('/').unwrap_or(word.len());
                Some((word[..end].to_string(), "write the path itself".to_string()))
            }
            found => found,
        };
        let Some((part, remedy)) = replaced.filter(|_| !directory.join(word).exists()) else {
            continue;
        };
        let (spec, word) = (spec.to_string(), word.clone());
        return Err(BotSpecError::Expansion { spec, word, part, remedy });
    }
    Ok(())
}

/// Returns how to write a command line that begins with the assignment of environment variables;
/// `None` if it does not. `spec` is the whole text of the bot: a shell would take `NAME=` for the
/// name of a variable, where Botyard takes it for the name of the bot if what follows `is_bot`.
pub(super) fn with_env(
    spec: &str,
    is_bot: impl Fn(&str) -> bool,
    is_program: impl Fn(&str) -> bool,
) -> Option<String> {
    let words = shlex::split(spec)?;
    let is_assignment = |word: &String| {
        word.split_once('=').is_some_and(|(name, _)| {
            let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
            !name.is_empty() && name.bytes().all(is_name) && !name.as_bytes()[0].is_ascii_digit()
        })
    };
    let assigned = words.iter().take_while(|word| is_assignment(word)).count();
    let (_, value) = words.first()?.split_once('=')?;
    let program = words.get(assigned).filter(|_| assigned > 0)?;
    let names_bot = assigned == 1 && is_bot(value);
    (!names_bot && is_program(program)).then(|| format!("env {spec}"))
}

/// Returns the script that an interpreter is to run, if that is certain and no such file exists.
pub(super) fn missing_script(
    program: &str,
    arguments: &[String],
    directory: &Path,
) -> Option<String> {
    let is_there = |file: &str| directory.join(file).exists();
    let first = arguments.first().filter(|_| is_interpreter(program))?;
    if !first.starts_with('-') {
        return (!is_there(first)).then(|| first.clone());
    }
    // Of an option it is not known whether it takes a value: only the extension is certain.
    let options = arguments.iter().take_while(|word| !NOT_A_SCRIPT.contains(&word.as_str()));
    let mut words = options.skip_while(|word| word.starts_with('-'));
    let is_script = |word: &str| {
        let extension = Path::new(word).extension().and_then(|extension| extension.to_str());
        matches!(extension, Some("py" | "js" | "mjs" | "rb" | "pl" | "lua" | "sh" | "php" | "jl"))
    };
    words.next().filter(|word| is_script(word) && !is_there(word)).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_script_is_found_only_where_it_is_certain() {
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("mine.py"), "").unwrap();
        for (line, expected) in [
            ("python3 missing.py", Some("missing.py")),
            ("python3.12 missing", Some("missing")),
            ("/usr/bin/python3 -u missing.py --depth 3", Some("missing.py")),
            ("node missing.mjs", Some("missing.mjs")),
            ("python3 mine.py missing.py", None),
            ("python3 -m missing", None),
            ("python3 -u -m package missing.py", None),
            ("python3 -W ignore mine.py", None),
            ("sh -c 'exec true' missing.sh", None),
            ("./mine missing.py", None),
            ("pythonic missing.py", None),
        ] {
            let words = shlex::split(line).unwrap();
            let found = missing_script(&words[0], &words[1..], place.path());
            assert_eq!(found.as_deref(), expected, "{line}");
        }
    }

    #[test]
    fn paths_that_only_a_shell_or_quotes_make_are_refused() {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path().join("my bots");
        std::fs::create_dir(&directory).unwrap();
        for name in ["exe bot", "a.py"] {
            std::fs::write(directory.join(name), "").unwrap();
        }
        let check = |line: &str| {
            let words = shlex::split(line).unwrap();
            check_spaces(line, &words, place.path())
                .and_then(|()| check_no_expansion(line, &words, place.path()))
                .map_err(|error| error.to_string())
        };
        for (line, expected) in [
            (
                "my bots/exe bot -x",
                "has spaces and no quotes, so the program is \"my\"; quote it: 'my bots/exe bot' -x",
            ),
            (
                "python3 my bots/a.py 7",
                "\"my\" is an argument of its own; quote it: python3 'my bots/a.py' 7",
            ),
            (
                "$HOME/bot 3",
                "without a shell, which would replace $HOME in $HOME/bot: write the path itself",
            ),
            ("~anna/bot", "would replace ~anna in ~anna/bot"),
        ] {
            let error = check(line).expect_err(line);
            assert!(error.contains(expected), "{line}: {error}");
        }
        std::fs::create_dir(place.path().join("sh bots")).unwrap();
        std::fs::write(place.path().join("sh bots/mine"), "").unwrap();
        let error = check("sh bots/mine").unwrap_err();
        assert!(
            error.contains("so the program is /") && error.contains("/sh; quote it"),
            "{error}"
        );
        for line in [
            "'my bots/exe bot' -x",
            "python3 'my bots/a.py'",
            "python3 my bots",
            "sh -c 'echo $HOME/x'",
        ] {
            assert_eq!(check(line), Ok(()), "{line}");
        }
    }

    #[test]
    fn variables_before_a_program_are_for_env() {
        let is_program = |word: &str| ["python3", "./mine"].contains(&word);
        let is_bot = |word: &str| word == "greedy" || is_program(word);
        for (spec, is_env) in [
            ("OMP_NUM_THREADS=1 python3 mine.py", true),
            ("PYTHONPATH=lib A=2 python3 mine.py", true),
            ("A=1 ./mine", true),
            ("a=python3 mine.py", false),
            ("a=./mine python3", false),
            ("a=greedy", false),
            ("python3 A=1", false),
        ] {
            assert_eq!(with_env(spec, is_bot, is_program).is_some(), is_env, "{spec}");
        }
    }
}
