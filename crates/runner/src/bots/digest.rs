//! The digest of a bot's program: of the file that its command names. It keeps games of one program
//! from being added to those of another program with the same name.

use crate::message::Message;
use crate::programs::Programs;
use botyard_referee::{BotCommand, Source, open_regular};
use botyard_sandbox::Walked;
use sha2::{Digest, Sha256};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The largest file with a digest, in bytes. Hashing a larger one takes too long, and it may be
/// endless.
const LARGEST: u64 = 256 << 20;

/// Returns the SHA-256, as hexadecimal digits, of the script that a bot's command line names, or
/// else of its program. For a bridge that is the file of its engine. Empty for built-in bots, which
/// have the version of `botyard`, for an unreadable file, and, with a warning, for a file of more than
/// 256 MiB.
pub fn program_digest(
    command: &BotCommand,
    programs: &Programs,
    warnings: &mut Vec<Message>,
) -> String {
    if programs.is_own(&command.program) && !command.is_bridge() {
        return String::new();
    }
    let Some(file) = program_file(command) else { return String::new() };
    digest(&file).unwrap_or_else(|error| {
        if error.kind() == io::ErrorKind::FileTooLarge {
            let warning = format!(
                "{}: {} is larger than {} MiB and gets no digest: a change to it will not be noticed \
                 when the tournament is resumed",
                command.name,
                file.display(),
                LARGEST >> 20
            );
            warnings.push(warning.into());
        }
        String::new()
    })
}

/// Returns the file whose content identifies the bot.
fn program_file(command: &BotCommand) -> Option<PathBuf> {
    let directory = command.directory.as_deref().unwrap_or(Path::new(""));
    let mut arguments = command.args.iter().map(|argument| directory.join(argument));
    // The author of a submission must not make this program read other files of the user, or
    // publish their digests.
    let is_own = |path: &Path| {
        command.source == Source::CommandLine
            || Walked::along(path).is_ok_and(|walked| {
                directory.canonicalize().is_ok_and(|own| walked.path().starts_with(own))
            })
    };
    let script = arguments.find(|path| path.is_file() && is_own(path));
    script.or_else(|| Some(command.program.clone()).filter(|program| program.is_file()))
}

fn digest(path: &Path) -> io::Result<String> {
    let file = open_regular(path)?;
    if file.metadata()?.len() > LARGEST {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    // The reported size may be wrong.
    let mut file = file.take(LARGEST + 1);
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 if file.limit() == 0 => return Err(io::ErrorKind::FileTooLarge.into()),
            0 => return Ok(hexadecimal(hash)),
            length => hash.update(&buffer[..length]),
        }
    }
}

/// Returns the SHA-256 of a text, as hexadecimal digits.
pub fn text_digest(text: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(text);
    hexadecimal(hash)
}

fn hexadecimal(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::programs::testing::programs;
    use std::fs;

    #[test]
    fn the_script_counts_or_else_the_program() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        fs::write(path("bot.py"), "abc").unwrap();
        fs::write(path("bot"), "").unwrap();
        let programs = programs();
        let mut warnings = Vec::new();
        let mut digest_of_command =
            |command: &BotCommand| program_digest(command, &programs, &mut warnings);
        let mut digest_of = |program: PathBuf, args: &[&str]| {
            let command = BotCommand {
                program,
                args: args.iter().map(Into::into).collect(),
                directory: Some(directory.path().into()),
                ..BotCommand::default()
            };
            digest_of_command(&command)
        };
        // FIPS 180-2, appendix B.1; the second is of the empty string.
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(digest_of("python3".into(), &["-u", "bot.py"]), abc);
        assert!(digest_of(path("bot"), &["--fast"]).starts_with("e3b0c442"));
        assert_eq!(digest_of("python3".into(), &["-c", "pass"]), "");
        assert_eq!(digest_of("/usr/bin/botyard-mcts".into(), &[]), "");
        assert_eq!(digest_of("/usr/bin/botyard".into(), &["bot", "bot.py"]), "");
        assert_eq!(digest_of("/usr/bin/botyard".into(), &["bridge", "hub", "bot.py"]), abc);
        // Both are endless: the digest stops at the limit.
        fs::File::create(path("sparse")).unwrap().set_len(1 << 40).unwrap();
        for endless in ["sparse", "/proc/self/pagemap"] {
            assert_eq!(digest_of("cat".into(), &[endless]), "", "{endless}");
        }
        let [warning] = &warnings[..] else { panic!("one is known to be large: {warnings:?}") };
        assert!(warning.plain().contains("larger than 256 MiB"), "{warning:?}");
    }

    /// A file outside the submission's directory, named by a path or a link, is not read.
    #[test]
    fn of_a_submission_only_its_own_files_count() {
        let directory = tempfile::tempdir().unwrap();
        let own = directory.path().join("ada");
        fs::create_dir(&own).unwrap();
        fs::write(own.join("bot.py"), "abc").unwrap();
        let key = directory.path().join("key");
        fs::write(&key, "a secret").unwrap();
        std::os::unix::fs::symlink("../key", own.join("link")).unwrap();
        std::os::unix::fs::symlink(directory.path(), own.join("up")).unwrap();
        let digest_of = |source: Source, argument: &str| {
            let command = BotCommand {
                program: "python3".into(),
                args: vec![argument.into()],
                directory: Some(own.clone()),
                source,
                ..BotCommand::default()
            };
            program_digest(&command, &programs(), &mut Vec::new())
        };
        for outside in ["../key", "link", "up/key", key.to_str().unwrap()] {
            assert_eq!(digest_of(Source::Manifest, outside), "", "{outside}");
            // The user's own command line may name anything.
            assert_eq!(digest_of(Source::CommandLine, outside).len(), 64, "{outside}");
        }
        assert_eq!(digest_of(Source::Manifest, "bot.py").len(), 64);
    }
}
