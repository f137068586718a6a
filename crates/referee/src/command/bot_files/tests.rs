//! Which files a bot is granted, by real directories and links.

use super::*;
use std::fs;
use std::os::unix::fs::symlink;

/// Makes a class with two bots, a key, a virtual environment and installations.
fn class() -> (tempfile::TempDir, PathBuf) {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().canonicalize().unwrap();
    for file in [
        "class/ada/bot.py",
        "class/ben/bot.py",
        "class/venv/lib/module.py",
        "class/venv/bin/pip",
        "class/venv/share/doc",
        "keys/id_ed25519",
        "python/bin/python3",
        "python/lib/python3.11/os.py",
    ] {
        fs::create_dir_all(path.join(file).parent().unwrap()).unwrap();
        fs::write(path.join(file), "").unwrap();
    }
    symlink("lib", path.join("class/venv/lib64")).unwrap();
    symlink(path.join("python/bin/python3"), path.join("class/venv/bin/python")).unwrap();
    symlink("/usr/bin/env", path.join("class/venv/bin/env")).unwrap();
    (place, path)
}

/// Returns what is granted below `place`: the bot's own files first, then the others.
fn given(place: &Path, command: &BotCommand) -> Result<Vec<String>, BotFilesError> {
    let files = BotFiles::of(command, &[])?;
    let all = files.own.into_iter().chain(files.readable);
    let inner = all.filter_map(|path| Some(path.strip_prefix(place).ok()?.to_str()?.to_string()));
    Ok(inner.collect())
}

fn command(place: &Path, source: Source, program: &str, args: &[&str]) -> BotCommand {
    BotCommand {
        program: if program.contains('/') { place.join(program) } else { program.into() },
        args: args.iter().map(Into::into).collect(),
        directory: Some(place.join(if source == Source::CommandLine {
            "class"
        } else {
            "class/ada"
        })),
        source,
        ..BotCommand::default()
    }
}

#[test]
fn a_submitted_directory_is_given_and_nothing_that_its_command_names() {
    let (_place, place) = class();
    let ada = || vec!["class/ada".to_string()];
    for (source, program, args, expected) in [
        (Source::Manifest, "sh", &["/etc/shadow", "../ben/bot.py"][..], Ok(ada())),
        (Source::Manifest, "class/ada/bot.py", &[], Ok(ada())),
        (Source::Manifest, "keys/id_ed25519", &[], Err("keys/id_ed25519")),
        (Source::Manifest, "class/ben/bot.py", &[], Err("class/ben/bot.py")),
        (Source::Directory, "sh", &["-u", "bot.py"], Ok(ada())),
        (Source::Directory, "sh", &["../ben/bot.py"], Err("../ben/bot.py")),
    ] {
        match (given(&place, &command(&place, source, program, args)), expected) {
            (Ok(found), Ok(expected)) => assert_eq!(found, expected, "{program} {args:?}"),
            (Err(error), Err(named)) => {
                let error = error.to_string();
                assert!(
                    error.contains(named) && error.contains("outside its directory"),
                    "{error}"
                );
            }
            (found, _) => panic!("{program} {args:?}: {found:?}"),
        }
    }
    symlink("../../keys/id_ed25519", place.join("class/ada/-u")).unwrap();
    for source in [Source::Manifest, Source::Directory] {
        let error = given(&place, &command(&place, source, "sh", &["-u", "bot.py"]));
        let error = error.unwrap_err().to_string();
        assert!(
            error.contains("class/ada/-u is a link") && error.contains("id_ed25519"),
            "{error}"
        );
    }
    fs::remove_file(place.join("class/ada/-u")).unwrap();
    // A directory that is itself a link to another place is refused.
    symlink("../ben", place.join("class/ada/bot")).unwrap();
    let mut linked = command(&place, Source::Directory, "sh", &[]);
    linked.directory = Some(place.join("class/ada/bot"));
    assert!(matches!(given(&place, &linked), Err(BotFilesError::LeadsOut { .. })));
    linked.directory = Some("/tmp".into());
    assert!(matches!(given(&place, &linked), Err(BotFilesError::TooWide(_))));
}

#[test]
fn a_virtual_environment_may_lie_in_the_directory_or_beside_it() {
    let (_place, place) = class();
    let venv = ["class/venv/bin", "class/venv/lib", "class/venv/lib64"];
    let python = ["python/bin", "python/lib"];
    for (source, args) in [(Source::Directory, "bot.py"), (Source::CommandLine, "ada/bot.py")] {
        for (program, others) in [("python", &python[..]), ("env", &[])] {
            let program = format!("class/venv/bin/{program}");
            let found = given(&place, &command(&place, source, &program, &[args])).unwrap();
            let mut expected = [&["class/ada"][..], &venv[..2], others].concat();
            let mut found: Vec<&str> =
                found.iter().map(String::as_str).filter(|path| *path != venv[2]).collect();
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected, "{source:?} {program}");
        }
    }
    fs::rename(place.join("class/venv"), place.join("class/ada/venv")).unwrap();
    for source in [Source::Directory, Source::Manifest, Source::CommandLine] {
        let args = if source == Source::CommandLine { "ada/bot.py" } else { "bot.py" };
        let command = command(&place, source, "class/ada/venv/bin/python", &[args]);
        let mut found = given(&place, &command).unwrap();
        found.sort_unstable();
        assert_eq!(found, [&["class/ada"][..], &python].concat(), "{source:?}");
    }
    // A link to a file that is not an interpreter is refused.
    fs::remove_file(place.join("class/ada/venv/bin/python")).unwrap();
    symlink(place.join("keys/id_ed25519"), place.join("class/ada/venv/bin/python")).unwrap();
    for (source, args) in [(Source::Directory, "bot.py"), (Source::CommandLine, "ada/bot.py")] {
        let command = command(&place, source, "class/ada/venv/bin/python", &[args]);
        let error = given(&place, &command).unwrap_err().to_string();
        assert!(error.contains("leads out of") && error.contains("id_ed25519"), "{error}");
    }
}

#[test]
fn what_looks_like_an_installation_gives_nothing_that_links_in_it_lead_to() {
    let (_place, place) = class();
    for (link, target) in [
        ("python/conf", "../keys"),
        ("python/plugins", "../class/ben"),
        ("python/lib64", "lib"),
        ("class/ada/run", "../../python/bin/python3"),
    ] {
        symlink(target, place.join(link)).unwrap();
    }
    for source in [Source::Manifest, Source::Directory] {
        let found = given(&place, &command(&place, source, "class/ada/run", &[])).unwrap();
        assert!(found.iter().any(|path| path == "python/lib"), "{source:?}: {found:?}");
        let leading_out = ["python/conf", "python/plugins", "keys", "class/ben"];
        assert!(!found.iter().any(|path| leading_out.contains(&&**path)), "{found:?}");
    }
}

#[test]
fn a_command_line_gives_what_was_typed_and_not_what_links_lead_to() {
    let (_place, place) = class();
    let option = format!("--weights={}", place.join("class/ada/w.bin").display());
    fs::write(place.join("class/ada/w.bin"), "").unwrap();
    for (program, args, expected) in [
        ("sh", &["ada/bot.py"][..], &["class/ada"][..]),
        ("sh", &["none.py", "-u"], &[]),
        ("sh", &[&option], &["class/ada"]),
        ("sh", &["-cp", "ada:ben/*", "Main"], &["class/ada", "class/ben"]),
        ("class/ada/bot.py", &[], &["class/ada"]),
    ] {
        let found = given(&place, &command(&place, Source::CommandLine, program, args));
        assert_eq!(found.unwrap(), expected, "{program} {args:?}");
    }
    for (link, target) in [
        ("class/-u", "../keys/id_ed25519"),
        ("class/ada/-x", "../ben/bot.py"),
        ("class/ada/src", "../ben"),
    ] {
        symlink(target, place.join(link)).unwrap();
    }
    for (program, args) in [
        ("sh", &["-u", "ada/bot.py"][..]),
        ("sh", &["ada/-x"]),
        ("sh", &["ada/src/bot.py"]),
        ("class/ada/-x", &[]),
        ("class/ada/src/bot.py", &[]),
    ] {
        let found = given(&place, &command(&place, Source::CommandLine, program, args));
        assert!(
            matches!(found, Err(BotFilesError::LeadsOut { .. })),
            "{program} {args:?}: {found:?}"
        );
    }
    // Links in a script's directory that are not named are no error; their targets are not
    // granted.
    let found = given(&place, &command(&place, Source::CommandLine, "sh", &["ada/bot.py"]));
    assert_eq!(found.unwrap(), ["class/ada"]);
}

/// A built-in bot's name is no file, whatever lies in the current directory.
#[test]
fn a_bridge_gives_the_files_of_its_engine_and_a_built_in_bot_none() {
    let (_place, place) = class();
    let this = env::current_exe().unwrap();
    for (args, expected) in [
        (&["bridge", "hub", "ada/bot.py", "ben"][..], &["class/ada", "class/ben"][..]),
        (&["bridge", "hub", "--option", "book=ben/bot.py", "sh"], &["class/ben"]),
        (&["bot", "ada"], &[]),
    ] {
        let command = command(&place, Source::CommandLine, this.to_str().unwrap(), args);
        assert_eq!(given(&place, &command).unwrap(), expected, "{args:?}");
    }
}

#[test]
fn a_home_is_never_given_whole() {
    let (_place, place) = class();
    let wide = WideDirectories::of([place.join("class")].into_iter());
    let mut given = Given::new(None, wide, &[]);
    let alone = place.join("class/alone.py");
    fs::write(&alone, "").unwrap();
    given.named(alone.clone(), &Walked::along(&alone).unwrap());
    given.named(place.join("class"), &Walked::along(&place.join("class")).unwrap());
    given.named(place.clone(), &Walked::along(&place).unwrap());
    assert_eq!(given.own, [alone]);
}

/// As under `sudo`, where `HOME` is root's.
#[test]
fn another_users_home_is_refused_as_a_bots_directory() {
    let (_place, place) = class();
    let other = WideDirectories::of([place.join("class/ada")].into_iter());
    let mut given = Given::new(Some("/root".into()), other, &[]);
    let mut ada = command(&place, Source::Directory, "sh", &["bot.py"]);
    assert!(matches!(given.directory_of(&ada), Err(BotFilesError::TooWide(_))));
    ada.directory = Some(place.join("class/ben"));
    assert!(given.directory_of(&ada).is_ok());
    assert!(Given::with_installations(&[]).is_too_wide(Path::new("/home/alice")));
}
