//! Submitted directories: what they may contain, links that lead out of them, and files that would
//! block a reader.

use crate::command::{Desk, GENEROUS, finish};
use botyard_protocol::Limits;
use botyard_referee::{Advice, Bot, BotCommand, BotFiles, Containment, Interrupt, Source};
use botyard_sandbox::{Host, Launcher, ResourceLimits, Tier};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns a bot that reads these files, relative to its directory, before it says hello.
fn bot(reads: &[&str], before: &str) -> String {
    format!(
        "import json, os, sys
os.chdir(os.path.dirname(os.path.abspath(__file__)))
{before}
for name in {reads:?}: open(name).read()
for line in sys.stdin:
    message = json.loads(line)
    if message['type'] == 'hello':
        answer = {{'type': 'hello', 'protocol': 1, 'name': 'it', 'games': []}}
    elif message['type'] == 'start': answer = {{'type': 'ready'}}
    elif message['type'] == 'turn':
        answer = {{'type': 'move', 'turn': message['turn'], 'action': message['legal'][0]}}
    else: continue
    print(json.dumps(answer), flush=True)
"
    )
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn launcher() -> Launcher {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_botyard"));
    Launcher { program, args: vec!["sandbox-launcher".into()] }
}

/// Returns the tiers of this host in which a bot can read only its own files.
fn tiers(what: &str) -> Vec<Tier> {
    let host = Host::detect(&launcher()).expect("this host is short of nothing");
    let works = |tier: &Tier| {
        let obstacle = host.obstacle(*tier);
        if obstacle.is_some() {
            eprintln!("NOT TESTED on this host: {what} in tier {tier}");
        }
        obstacle.is_none()
    };
    [Tier::A, Tier::B].into_iter().filter(works).collect()
}

/// Starts a bot in a tier and ends it again.
fn start(tier: Tier, command: BotCommand) -> Result<(), String> {
    let containment = Containment {
        tier,
        launcher: launcher(),
        limits: ResourceLimits::default(),
        files: BotFiles::of(&command, &[]),
        hidden: Vec::new(),
        advice: Advice::default(),
    };
    let mut bot = Bot::new(command).contained(containment);
    let limits = Limits { start_ms: 100_000, ..Limits::default() };
    bot.start(&limits, &Interrupt::new().unwrap())
        .map_err(|error| format!("{error}\n{}", bot.stderr_at_start()))
}

/// Returns the system's Python, if there is one. A Python in a home directory is not accessible to
/// the UIDs that bots of a root referee run as, in tier A.
fn python() -> &'static str {
    if Path::new("/usr/bin/python3").exists() { "/usr/bin/python3" } else { "python3" }
}

/// Makes a virtual environment with a package that has a data file and, if there is a compiler, a
/// compiled library.
fn virtual_environment(at: &Path) {
    let made = Command::new(python()).args(["-m", "venv", "--without-pip"]).arg(at).status();
    assert!(made.unwrap().success(), "a virtual environment");
    let link = at.join("lib64");
    if !link.exists() {
        symlink("lib", link).unwrap();
    }
    let library = fs::read_dir(at.join("lib")).unwrap().next().unwrap().unwrap().path();
    let package = library.join("site-packages/tiny");
    write(&package.join("data.txt"), "42");
    write(
        &package.join("__init__.py"),
        "import ctypes, os
here = os.path.dirname(__file__)
answer = int(open(os.path.join(here, 'data.txt')).read())
library = os.path.join(here, 'tiny.so')
if os.path.exists(library): assert ctypes.CDLL(library).answer() == answer
",
    );
    let source = package.join("tiny.c");
    write(&source, "int answer(void) { return 42; }\n");
    let mut compiler = Command::new("cc");
    let compiled =
        compiler.args(["-shared", "-fPIC", "-o"]).arg(package.join("tiny.so")).arg(source);
    if !compiled.status().is_ok_and(|status| status.success()) {
        eprintln!("NOT TESTED on this host: a compiled library of a package; there is no cc");
    }
}

#[test]
fn a_virtual_environment_may_lie_in_the_directory_beside_it_or_above_it() {
    let tiers = tiers("virtual environments");
    let desk = Desk::new();
    let class = desk.path("class");
    virtual_environment(&class.join("venv"));
    let bot = bot(&[], "import tiny\nassert tiny.answer == 42 and sys.prefix.endswith('venv')");
    for script in ["bot.py", "ada/bot.py", "year/ben/bot.py"] {
        write(&class.join(script), &bot);
    }
    let from = class.join("venv");
    let copied = Command::new("cp").arg("-a").args([from, class.join("ada/venv")]).status();
    assert!(copied.unwrap().success());
    for tier in tiers {
        for (source, directory, program, script) in [
            // In the directory.
            (Source::Manifest, "ada", "venv/bin/python3", "bot.py"),
            (Source::Directory, "ada", "./venv/bin/python3", "bot.py"),
            (Source::CommandLine, "ada", "venv/bin/python3", "bot.py"),
            // Beside it, and above it.
            (Source::Directory, "ada", "../venv/bin/python3", "bot.py"),
            (Source::Directory, "year/ben", "../../venv/bin/python3", "bot.py"),
            (Source::CommandLine, "", "venv/bin/python3", "ada/bot.py"),
            (Source::CommandLine, "year", "../venv/bin/python", "ben/bot.py"),
            // Beside the script itself, whose whole directory is given.
            (Source::CommandLine, "", "venv/bin/python3", "bot.py"),
            (Source::CommandLine, "", "venv/bin/python3", "venv/../bot.py"),
        ] {
            let directory = class.join(directory);
            let command = BotCommand {
                name: "it".into(),
                program: directory.join(program),
                args: vec!["-u".into(), script.into()],
                directory: Some(directory),
                source,
                ..BotCommand::default()
            };
            let started = start(tier, command);
            assert_eq!(started, Ok(()), "tier {tier}: {source:?} {program} {script}");
        }
    }
}

/// The layouts that package managers make, with files of text: what is granted depends on names and
/// links alone. The test of virtual environments imports a package and loads its library.
#[test]
fn directories_of_packages_with_links_are_given_whole() {
    let desk = Desk::new();
    let class = desk.path("class");
    let ada = class.join("ada");
    for file in [
        // npm: links to programs, and a package of the same repository.
        "node_modules/tool/cli.js",
        "packages/rules/index.js",
        // pip install --target, with a compiled library beside the package.
        "target/package/core.py",
        "target/package.libs/library.so.0",
        // A jar with its libraries.
        "bot.jar",
        "lib/gson.jar",
    ] {
        write(&ada.join(file), "text");
    }
    fs::create_dir(ada.join("node_modules/.bin")).unwrap();
    for (target, link) in [
        ("../tool/cli.js", "node_modules/.bin/tool"),
        ("../packages/rules", "node_modules/rules"),
        ("library.so.0", "target/package.libs/library.so"),
    ] {
        symlink(target, ada.join(link)).unwrap();
    }
    fs::hard_link(ada.join("bot.jar"), ada.join("lib/bot.jar")).unwrap();
    let reads = [
        "node_modules/.bin/tool",
        "node_modules/rules/index.js",
        "target/package.libs/library.so",
        "lib/gson.jar",
        "lib/bot.jar",
    ];
    write(&ada.join("bot.py"), &bot(&reads, ""));
    for tier in tiers("directories of packages") {
        for source in [Source::Manifest, Source::Directory, Source::CommandLine] {
            let command = BotCommand {
                name: "it".into(),
                program: python().into(),
                args: vec!["bot.py".into()],
                directory: Some(ada.clone()),
                source,
                ..BotCommand::default()
            };
            assert_eq!(start(tier, command), Ok(()), "tier {tier}: {source:?}");
        }
    }
}

/// Makes a class with four submissions, two of them invalid: one has a link that leads out of it,
/// named like an option of Python; the other names an endless file.
fn class(desk: &Desk) {
    for name in ["ada", "ben", "carl"] {
        write(&desk.path(&format!("class/{name}/bot.py")), &bot(&[], ""));
    }
    write(&desk.path("secret"), "the key");
    symlink("../../secret", desk.path("class/ada/-u")).unwrap();
    let endless = fs::File::create(desk.path("class/carl/endless")).unwrap();
    endless.set_len(1 << 40).unwrap();
}

/// Returns whether bots are contained here. Prints a note if not.
fn is_contained(what: &str) -> bool {
    !tiers(what).is_empty()
}

#[test]
fn a_link_out_of_a_submission_is_named_before_the_first_game() {
    if !is_contained("links that lead out of a bot's directory") {
        return;
    }
    let desk = Desk::new();
    class(&desk);
    // On the command line of a match, where it is typed.
    let args = ["match", "scotland-yard", "python3 -u bot.py", "random", "--seed", "1"];
    let mut command = desk.command(&[&args[..], &GENEROUS].concat());
    let ran = finish(command.current_dir(desk.path("class/ada")).spawn().unwrap());
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    assert!(ran.stderr.contains("class/ada/-u is a link"), "{ran:#?}");
    assert!(ran.stderr.contains("/secret"), "{ran:#?}");
    // With a manifest, whatever its content.
    write(&desk.path("class/ada/bot.toml"), "run = 'python3 bot.py'\n");
    let ran = desk.run(&["match", "scotland-yard", "class/ada", "random"]);
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    assert!(ran.stderr.contains("class/ada/-u is a link"), "{ran:#?}");
    // With a directory that is itself a link.
    symlink("../ben", desk.path("class/ada/mine")).unwrap();
    write(&desk.path("class/ben/bot.toml"), "run = 'python3 bot.py'\n");
    let ran = desk.run(&["match", "scotland-yard", "class/ada/mine", "random"]);
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    assert!(ran.stderr.contains("class/ada/mine is a link"), "{ran:#?}");
}

#[test]
fn a_submission_that_cannot_be_given_is_kept_out_of_a_tournament_and_the_others_play() {
    if !is_contained("submissions that cannot be given") {
        return;
    }
    let desk = Desk::new();
    class(&desk);
    let entry = |name: &str, words: &str| {
        format!("[[bot]]\nname = \"{name}\"\ndirectory = \"class/{name}\"\ncommand = \"{words}\"\n")
    };
    let file = [
        "game = \"scotland-yard\"\nrules = \"grid-5x5-2\"\nseed = 1\n".to_string(),
        "[time]\nmove_ms = 30000\n[gate]\nagainst = [\"random:seed=1\"]\nblocks = 1\n".into(),
        entry("ada", "python3 -u bot.py"),
        entry("ben", "python3 -u bot.py"),
        entry("carl", "cat endless"),
        "[[bot]]\ncommand = \"random:seed=2\"\n".into(),
    ];
    write(&desk.path("t.toml"), &file.concat());
    let output = desk.done(&["tournament", "run", "t.toml", "--out", "results"]);
    assert!(output.contains("ada was rejected by the gate: it could not be started"), "{output}");
    assert!(output.contains("class/ada/-u is a link"), "{output}");
    assert!(output.contains("carl was rejected by the gate"), "{output}");
    assert!(output.contains("between 2 bots"), "{output}");
}

/// The teacher's file is right, and two of the students' manifests are not.
#[test]
fn a_submission_without_a_valid_manifest_is_kept_out_of_a_tournament_and_the_others_play() {
    let desk = Desk::new();
    write(&desk.path("ada/bot.py"), &bot(&[], ""));
    write(&desk.path("ada/bot.toml"), "run = 'python3 bot.py'\n");
    write(&desk.path("ben/bot.toml"), "run = 'python3 ../ada/bot.py'\n");
    write(&desk.path("carl/bot.toml"), "run = 'python3 bot.py'\nspeed = 'fast'\n");
    write(
        &desk.path("t.toml"),
        "game = 'scotland-yard'\nrules = 'grid-5x5-2'\nseed = 1\n[time]\nmove_ms = 30000\n\
         start_ms = 60000\n[gate]\nagainst = ['random:seed=1']\nblocks = 1\n\
         [[bot]]\ncommand = './ada'\n[[bot]]\ncommand = './ben'\n[[bot]]\ncommand = './carl'\n\
         [[bot]]\ncommand = 'random:seed=2'\n",
    );
    let output = desk.done(&["tournament", "run", "t.toml", "--out", "results"]);
    for (name, expected) in [("ben", "which leads out of it"), ("carl", "unknown field `speed`")] {
        let rejected = format!("{name} was rejected by the gate: it could not be started: ");
        let reason = output.split_once(&rejected).expect(&output).1.lines().next().unwrap();
        assert!(reason.contains(expected), "{name}: {output}");
    }
    assert!(output.contains("between 2 bots"), "{output}");
    // A manifest that becomes invalid later is reported, and the tournament continues with its copy.
    write(&desk.path("ada/bot.toml"), "run = \n");
    let ran = desk.run(&["tournament", "resume", "results"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(ran.stderr.contains("the bot ada in "), "{ran:#?}");
    assert!(ran.stderr.contains("can no longer be entered (bot \"./ada\""), "{ran:#?}");
    assert!(!ran.stderr.contains("the bot ben"), "{ran:#?}");
    // Repaired, the rejected bot joins; the others' manifests do not matter.
    write(&desk.path("ben/bot.py"), &bot(&[], ""));
    write(&desk.path("ben/bot.toml"), "run = 'python3 bot.py'\n");
    let output = desk.done(&["tournament", "extend", "results"]);
    assert!(output.contains("extended: entered: ben"), "{output}");
}

#[test]
fn special_files_hang_nobody() {
    let desk = Desk::new();
    let ada = desk.path("ada");
    write(&ada.join("bot.toml"), "run = './bot'\n");
    let fifo = |name: &str, mode: Mode| {
        mknodat(CWD, ada.join(name), FileType::Fifo, mode, 0).unwrap();
    };
    // As a build may leave it, and executable.
    fifo("bot", Mode::RWXU | Mode::RWXG | Mode::RWXO);
    for (sandbox, expected) in [("auto", "ada/bot is a FIFO"), ("none", "is not a regular file")] {
        if sandbox == "auto" && !is_contained("FIFOs") {
            continue;
        }
        let args = ["match", "scotland-yard", "./ada", "random", "--seed", "1", "--sandbox"];
        let ran = desk.run(&[&args[..], &[sandbox], &GENEROUS].concat());
        assert!(matches!(ran.code, Some(1 | 2)), "{sandbox}: {ran:#?}");
        let said = format!("{}{}", ran.stdout, ran.stderr);
        assert!(said.contains(expected), "{sandbox}: {said}");
    }
    fs::remove_file(ada.join("bot.toml")).unwrap();
    fifo("bot.toml", Mode::RWXU);
    let ran = desk.run(&["build", "ada"]);
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    assert!(ran.stderr.contains("expected a regular file, got a FIFO"), "{ran:#?}");
    // The same for the files that a match reads.
    for option in ["--opening", "--rule"] {
        let value = if option == "--rule" { "map=ada/bot.json" } else { "ada/bot" };
        let _ = mknodat(CWD, ada.join("bot.json"), FileType::Fifo, Mode::RWXU, 0);
        let ran = desk.run(&["match", "scotland-yard", "random", "random", option, value]);
        assert_eq!(ran.code, Some(2), "{ran:#?}");
    }
}

#[test]
fn a_build_that_is_interrupted_is_ended() {
    if !tiers("an interrupted build").contains(&Tier::B) {
        return;
    }
    let desk = Desk::new();
    let ada = desk.path("ada");
    write(&ada.join("bot.toml"), "build = ['sh -c \"echo begun; sleep 600\"']\nrun = 'true'\n");
    if rustix::process::geteuid().is_root() {
        for path in [ada.clone(), ada.join("bot.toml")] {
            std::os::unix::fs::chown(path, Some(65534), Some(65534)).unwrap();
        }
    }
    let mut child = desk.command(&["build", "ada"]).spawn().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while line.trim() != "begun" {
        line.clear();
        assert!(stdout.read_line(&mut line).unwrap() > 0, "the build has begun");
    }
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let mut rest = String::new();
    std::io::Read::read_to_string(&mut stdout, &mut rest).unwrap();
    let ran = finish(child);
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    assert!(ran.stderr.contains("interrupted") && rest.is_empty(), "{rest}{ran:#?}");
}
