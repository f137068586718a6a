//! Checks of a bot's command line for mistakes that would otherwise appear as a fault in the first
//! game: words that only a shell understands, and a script that does not exist.

use super::spec_error::BotSpecError;
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
    let name = program.rsplit('/').next().unwrap_or(program);
    let is_version = |rest: &str| rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let is_interpreter = INTERPRETERS
        .iter()
        .any(|interpreter| name.strip_prefix(interpreter).is_some_and(is_version));
    let is_there = |file: &str| directory.join(file).exists();
    let first = arguments.first().filter(|_| is_interpreter)?;
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
