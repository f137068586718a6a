//! Granted files: a contained program gets the files that its launch names, whatever links are on
//! their paths, in any order and with repetitions.

use crate::host::{TIERS, can, launch, launcher, place, run};
use botyard_sandbox::{Contained, Exit, Launch, Launcher, SpawnError, Tier};
use std::fs;
use std::os::fd::AsFd;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// Creates a launch of a program that prints a file.
fn cat(tier: Tier, place: &Path, file: &Path, own: &[&str], readable: &[&str]) -> Launch {
    let paths = |paths: &[&str]| paths.iter().map(|path| place.join(path)).collect::<Vec<_>>();
    Launch {
        own: paths(own),
        readable: paths(readable),
        hidden: Vec::new(),
        ..launch(tier, place, "/bin/cat", &[file.to_str().unwrap()])
    }
}

#[test]
fn links_to_directories_are_granted_in_any_order() {
    for tier in TIERS {
        if !can(tier, "links to directories") {
            continue;
        }
        let place = place();
        let place = place.path();
        fs::create_dir_all(place.join("own/venv/lib")).unwrap();
        fs::write(place.join("own/venv/lib/module.py"), "found").unwrap();
        symlink("lib", place.join("own/venv/lib64")).unwrap();
        symlink("own", place.join("alias")).unwrap();
        let module = place.join("own/venv/lib64/module.py");
        for given in [
            &["own/venv/lib64", "own/venv/lib", "own"][..],
            &["own", "own/venv/lib64"],
            &["own/venv/lib64", "own/venv"],
            &["own/venv/lib64"],
            &["alias/venv/lib64", "own", "alias"],
            &["own/venv/lib64/module.py", "own/venv/lib"],
        ] {
            let file = match given[0].starts_with("alias") {
                true => place.join("alias/venv/lib64/module.py"),
                false => module.clone(),
            };
            for (own, readable) in [(given, &[][..]), (&[], given), (&given[..1], &given[1..])] {
                let ran = run(&cat(tier, place, &file, own, readable));
                let is_found = ran.exit == Some(Exit::Code(0)) && ran.stdout == "found";
                assert!(is_found, "tier {tier}: {own:?} {readable:?}: {ran:?}");
            }
        }
    }
}

#[test]
fn a_link_out_of_its_directory_keeps_only_that_program_from_starting() {
    for tier in TIERS {
        if !can(tier, "links that lead out") {
            continue;
        }
        let place = place();
        let place = place.path();
        symlink("../home/.ssh", place.join("own/keys")).unwrap();
        symlink(place.join("other"), place.join("own/friend")).unwrap();
        for path in ["own/-u", "own/keys", "own/keys/id_ed25519", "own/friend/bot.py"] {
            let refused = cat(tier, place, &place.join(path), &[path], &[]);
            match Contained::spawn(&launcher(), &refused, &[]) {
                Err(SpawnError::Files(message)) => {
                    assert!(message.contains("leads out of the directory"), "{message}");
                }
                other => panic!("tier {tier}: {path}: {other:?}"),
            }
        }
        // Granting the whole directory grants no access to the targets of its links.
        for path in ["own/-u", "own/keys/id_ed25519", "own/friend/bot.py"] {
            let ran = run(&cat(tier, place, &place.join(path), &["own"], &[]));
            assert_eq!(ran.exit, Some(Exit::Code(1)), "tier {tier}: {path}: {ran:?}");
        }
    }
}

#[test]
fn a_start_can_be_cancelled_while_the_launcher_is_stuck() {
    let place = place();
    let (cancel, switch) = std::io::pipe().unwrap();
    drop(switch);
    let hangs = Launcher { program: "/bin/sleep".into(), args: vec!["600".into()] };
    for tier in TIERS {
        if !can(tier, "cancelled starts") {
            continue;
        }
        let launch = cat(tier, place.path(), Path::new("/dev/null"), &[], &[]);
        let spawned = Contained::spawn_unless(&hangs, &launch, &[], cancel.as_fd());
        assert!(matches!(spawned, Err(SpawnError::Cancelled)), "tier {tier}: {spawned:?}");
    }
}

#[test]
fn files_that_cannot_be_granted_fail_one_program_only() {
    for tier in TIERS {
        if !can(tier, "files that cannot be granted") {
            continue;
        }
        let place = place();
        let place = place.path();
        symlink("round", place.join("own/round")).unwrap();
        let deep: PathBuf = std::iter::repeat_n("d", 300).collect();
        let deep = deep.to_str().unwrap();
        let many: Vec<String> = (0..20_000).map(|number| format!("own/{number}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        for own in [&["own/round"][..], &[deep], &many] {
            let refused = cat(tier, place, &place.join("own/file.txt"), own, &[]);
            let spawned = Contained::spawn(&launcher(), &refused, &[]);
            let is_its_own = matches!(spawned, Ok(_) | Err(SpawnError::Files(_)));
            assert!(is_its_own, "tier {tier}: {spawned:?}");
        }
        let mut nul = cat(tier, place, &place.join("own/file.txt"), &["own"], &[]);
        nul.args.push("\0".into());
        let spawned = Contained::spawn(&launcher(), &nul, &[]);
        assert!(matches!(spawned, Err(SpawnError::Files(_))), "tier {tier}: {spawned:?}");
    }
}
