//! The user that runs a bot that is not contained. If the referee is root, the bot runs as an
//! unused UID, as a contained bot does. Only if its command says so, because the user has turned
//! the sandbox off, a bot runs as root that no other user could run, because it is in a directory
//! that only root may use.

use crate::command::bot_command::BotCommand;
use std::path::PathBuf;
#[cfg(target_os = "linux")]
use {
    crate::command::bot_command::{Source, interpreters_of},
    crate::command::bot_files::files_named_by,
    crate::failure::HostFailure,
    std::fs::Metadata,
    std::io,
    std::os::unix::fs::MetadataExt,
    std::path::Path,
};

/// Returns the UID and the GID that run a bot that is not contained; `None` for the referee's own.
///
/// # Errors
///
/// Root is the only user.
#[cfg(target_os = "linux")]
pub(crate) fn user_of(command: &BotCommand) -> Result<Option<(u32, u32)>, HostFailure> {
    if !rustix::process::geteuid().is_root() {
        return Ok(None);
    }
    let unused = botyard_sandbox::unused_user();
    if command.may_be_root && (unused.is_none() || closed_to_others(command).is_some()) {
        return Ok(None);
    }
    let none = || io::Error::other("there is no user but root");
    let user = unused.ok_or_else(|| HostFailure::new("choosing a user for a bot", none()))?;
    // By its group, it passes through the directories around copies of bots.
    Ok(Some((user, botyard_sandbox::bots_group().unwrap_or(user))))
}

/// Returns a file or directory without which the bot cannot run, or a parent of one, that only its
/// owner may use. Paths that do not exist are skipped. The contents of a submitted directory are
/// not considered, because its author could close a file in order to run as root. For the same
/// reason a manifest is not considered at all.
#[cfg(target_os = "linux")]
pub fn closed_to_others(command: &BotCommand) -> Option<PathBuf> {
    if command.source == Source::Manifest {
        return None;
    }
    let program = command.find_program().ok();
    let interpreters = program.as_deref().map(interpreters_of).unwrap_or_default();
    let directory = command.directory.clone().or_else(|| std::env::current_dir().ok());
    let closed = |path: PathBuf, needs: u32| {
        // A link and its target: another user must be able to reach both.
        let real = path.canonicalize().ok().filter(|real| *real != path);
        [Some(path), real].into_iter().flatten().find_map(|path| first_closed(&path, needs))
    };
    let mut programs = program.into_iter().chain(interpreters);
    if command.source == Source::Directory {
        let around = directory.as_deref().and_then(Path::parent).map(Path::to_path_buf);
        let is_submitted = |path: &PathBuf| {
            directory.as_ref().is_some_and(|directory| path.starts_with(directory))
        };
        let program =
            programs.filter(|path| !is_submitted(path)).find_map(|path| closed(path, EXECUTE));
        return program.or_else(|| closed(around?, READ));
    }
    // Paths with a link that leads out of its directory are skipped: nothing is read through them.
    let named = files_named_by(command).flatten().map(|(path, _)| path);
    let program = programs.find_map(|path| closed(path, EXECUTE));
    program.or_else(|| named.chain(directory).find_map(|path| closed(path, READ)))
}

/// Returns `None`: on this system, every bot runs as the referee's user.
#[cfg(not(target_os = "linux"))]
pub fn closed_to_others(_: &BotCommand) -> Option<PathBuf> {
    None
}

#[cfg(target_os = "linux")]
const READ: u32 = 0o004;
#[cfg(target_os = "linux")]
const EXECUTE: u32 = 0o001;

#[cfg(target_os = "linux")]
fn first_closed(path: &Path, needs: u32) -> Option<PathBuf> {
    let is_closed = |path: &&Path| {
        let lacks = |metadata: Metadata| {
            let needs = if metadata.is_dir() { EXECUTE } else { needs };
            let is_of_bots = Some(metadata.gid()) == botyard_sandbox::bots_group();
            let open = if is_of_bots { needs | needs << 3 } else { needs };
            metadata.mode() & open == 0
        };
        path.metadata().is_ok_and(lacks)
    };
    path.ancestors().find(is_closed).map(Path::to_path_buf)
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn what_is_closed_to_others_is_found() {
        let place = tempfile::tempdir().unwrap();
        let bots = place.path().join("bots");
        fs::create_dir(&bots).unwrap();
        let mode = |path: &Path, mode| {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        };
        let file = |name: &str, permissions: u32, text: &str| {
            let path = bots.join(name);
            fs::write(&path, text).unwrap();
            mode(&path, permissions);
            path
        };
        let weights = file("weights", 0o600, "");
        let script = file("script", 0o755, "#!/bin/sh\n");
        let unreadable = file("unreadable", 0o700, "");
        let interpreted = file("interpreted", 0o755, &format!("#!{}\n", unreadable.display()));
        let bot = |program: &Path, argument: &str| BotCommand {
            program: program.to_path_buf(),
            args: vec![argument.into()],
            directory: Some("/".into()),
            ..BotCommand::default()
        };
        let weights_option = format!("--weights={}", weights.display());
        mode(place.path(), 0o755);
        for (directory, bot, expected) in [
            (0o755, bot(&script, "x"), None),
            (0o700, bot(&script, "x"), Some(&bots)),
            (0o700, bot(Path::new("/bin/sh"), "x"), None),
            (0o700, bot(Path::new("/bin/sh"), script.to_str().unwrap()), Some(&bots)),
            (0o755, bot(&script, &weights_option), Some(&weights)),
            (0o755, bot(&unreadable, "x"), Some(&unreadable)),
            (0o755, bot(&interpreted, "x"), Some(&unreadable)),
            (0o755, bot(&bots.join("missing"), "x"), None),
        ] {
            mode(&bots, directory);
            assert_eq!(closed_to_others(&bot).as_ref(), expected, "{directory:o} {bot:?}");
        }
        mode(&bots, 0o700);
        let inside = BotCommand { directory: Some(bots.clone()), ..bot(Path::new("/bin/sh"), "x") };
        assert_eq!(closed_to_others(&inside), Some(bots.clone()));
        for source in [Source::Directory, Source::Manifest] {
            let submitted = BotCommand { source, ..inside.clone() };
            assert_eq!(closed_to_others(&submitted), None);
        }
        if let Some(group) = botyard_sandbox::bots_group()
            && std::os::unix::fs::chown(&bots, None, Some(group)).is_ok()
        {
            mode(&bots, 0o710);
            assert_eq!(closed_to_others(&inside), None, "bots pass by their group");
        }
        mode(&bots, 0o755);
        mode(place.path(), 0o700);
        let submitted = BotCommand { source: Source::Directory, ..inside };
        assert_eq!(closed_to_others(&submitted).as_deref(), Some(place.path()));
    }
}
