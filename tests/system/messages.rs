//! Messages about settings: what holds the configuration names the setting, by an option of the
//! command line or by the file, line and key, and text that is not about settings passes unchanged.

use crate::command::{Desk, Ran, repository};
use botyard_runner::settings::ALL;
use std::fs;

/// The file of a tournament, and of the event of a class, to which settings are added after line 2.
const HEAD: &str = "game = \"connect-four\"\nblocks = 4000\n";
const BOTS: &str = "[[bot]]\ncommand = \"random:seed=1\"\n[[bot]]\ncommand = \"random:seed=2\"\n";

const WRAPPER: [&str; 2] = ["--sandbox-command", "env {command}"];
const PORTABLE: [&str; 2] = ["--backend", "portable"];

/// A wrong setting: other options of a match, the options that are wrong, and the same in a file; how the
/// message begins with the options, and with the file.
type Wrong =
    (&'static [&'static str], &'static [&'static str], &'static str, &'static str, &'static str);

#[rustfmt::skip]
const WRONG: &[Wrong] = &[
    (&[], &["--read", "/no/such"], "[sandbox]\nread = ['/no/such']\n",
     "--read /no/such: ", "line 4: sandbox.read /no/such: "),
    (&[], &["--sandbox-command", "env"], "[sandbox]\ncommand = 'env'\n",
     "--sandbox-command \"env\": ", "line 4: sandbox.command \"env\": "),
    (&[], &["--sandbox-command", "env 'x"], "[sandbox]\ncommand = \"env 'x\"\n",
     "--sandbox-command \"env 'x\": expected a command line", "line 4: sandbox.command \"env 'x\": expected"),
    (&WRAPPER, &["--sandbox-end", "end 'x"], "[sandbox]\ncommand = 'env {command}'\nend = \"end 'x\"\n",
     "--sandbox-end \"end 'x\": expected a command line", "line 5: sandbox.end \"end 'x\": expected"),
    (&WRAPPER, &["--clock", "cpu"], "[sandbox]\ncommand = 'env {command}'\n[time]\nclock = 'cpu'\n",
     "--clock cpu does not work with --sandbox-command:",
     "line 6: time.clock = \"cpu\" does not work with sandbox.command:"),
    (&WRAPPER, &["--freeze"], "[sandbox]\ncommand = 'env {command}'\n[time]\nfreeze = true\n",
     "--freeze does not work with --sandbox-command:", "line 6: time.freeze does not work with sandbox.command:"),
    (&PORTABLE, &["--sandbox", "strict"], "[run]\nbackend = 'portable'\n[sandbox]\nmode = 'strict'\n",
     "--sandbox strict needs --backend native,",
     "line 6: sandbox.mode = \"strict\" needs run.backend = \"native\","),
    (&PORTABLE, &["--memory", "99"], "[run]\nbackend = 'portable'\n[sandbox]\nmemory_mib = 99\n",
     "--memory needs --backend native,", "line 6: sandbox.memory_mib needs run.backend = \"native\","),
    (&PORTABLE, &["--processes", "9"], "[run]\nbackend = 'portable'\n[sandbox]\nprocesses = 9\n",
     "--processes needs --backend native,", "line 6: sandbox.processes needs run.backend = \"native\","),
    (&PORTABLE, &["--files", "9"], "[run]\nbackend = 'portable'\n[sandbox]\nfiles = 9\n",
     "--files needs --backend native,", "line 6: sandbox.files needs run.backend = \"native\","),
    (&PORTABLE, &["--scratch", "9"], "[run]\nbackend = 'portable'\n[sandbox]\nscratch_mib = 9\n",
     "--scratch needs --backend native,", "line 6: sandbox.scratch_mib needs run.backend = \"native\","),
    (&PORTABLE, &["--game-memory", "99"], "[run]\nbackend = 'portable'\n[sandbox]\ngame_memory_mib = 99\n",
     "--game-memory needs --backend native,", "line 6: sandbox.game_memory_mib needs run.backend = \"native\","),
    (&PORTABLE, &["--game-processes", "9"], "[run]\nbackend = 'portable'\n[sandbox]\ngame_processes = 9\n",
     "--game-processes needs --backend native,", "line 6: sandbox.game_processes needs run.backend = \"native\","),
    (&PORTABLE, &WRAPPER, "[run]\nbackend = 'portable'\n[sandbox]\ncommand = 'env {command}'\n",
     "--sandbox-command needs --backend native,", "line 6: sandbox.command needs run.backend = \"native\","),
    (&PORTABLE, &["--clock", "cpu"], "[run]\nbackend = 'portable'\n[time]\nclock = 'cpu'\n",
     "--clock cpu needs --backend native,", "line 6: time.clock = \"cpu\" needs run.backend = \"native\","),
    (&PORTABLE, &["--freeze"], "[run]\nbackend = 'portable'\n[time]\nfreeze = true\n",
     "--freeze needs --backend native,", "line 6: time.freeze needs run.backend = \"native\","),
    (&["-n", "4000", "-j", "1024", "--oversubscribe"], &["--pin"],
     "[run]\noversubscribe = true\nconcurrency = 1024\npin = true\n",
     "--pin needs a core for each game,", "line 6: run.pin needs a core for each game,"),
    (&[], &["--egdb"], "[adjudication]\negdb = true\n", "--egdb: ", "line 4: adjudication.egdb: "),
];

/// Checks that a command was refused with this message, which names nothing as the library does.
fn is_refused(ran: &Ran, message: &str) {
    assert_eq!(ran.code, Some(2), "{message}: {ran:#?}");
    assert!(ran.stderr.contains(message), "{message}: {ran:#?}");
    for name in ["::", "containment.", "running."] {
        assert!(!ran.stderr.contains(name), "{message}: {name}: {ran:#?}");
    }
}

#[test]
fn whoever_holds_a_wrong_setting_names_it() {
    let desk = Desk::new();
    fs::create_dir(desk.path("class")).unwrap();
    for (more, options, settings, by_option, by_key) in WRONG {
        let args = [&["match", "connect-four", "random", "random"][..], more, options].concat();
        is_refused(&desk.run(&args), by_option);
        for file in ["cup.toml", "class/event.toml"] {
            fs::write(desk.path(file), format!("{HEAD}{settings}{BOTS}")).unwrap();
        }
        for (args, file) in [
            (&["tournament", "run", "cup.toml"][..], "cup.toml"),
            (&["tournament", "submit", "cup.toml", "--store", "lab.db"], "cup.toml"),
            (&["serve", "class", "--port", "0"], "class/event.toml"),
        ] {
            is_refused(&desk.run(args), &format!("{file}, {by_key}"));
        }
    }
}

#[test]
fn a_worker_names_the_file_of_a_tournament_that_it_cannot_play() {
    let desk = Desk::new();
    fs::create_dir(desk.path("models")).unwrap();
    let text = format!("{HEAD}[sandbox]\nread = ['models']\n{BOTS}").replace("4000", "1");
    fs::write(desk.path("cup.toml"), text).unwrap();
    desk.done(&["tournament", "submit", "cup.toml", "--store", "lab.db"]);
    fs::remove_dir(desk.path("models")).unwrap();
    let worker = ["worker", "--store", "lab.db", "--drain", "-j", "1", "--cache", "cache"];
    let ran = desk.run(&worker);
    assert_eq!(ran.code, Some(3), "{ran:#?}");
    assert!(ran.stderr.contains("tournament.toml, line 4: sandbox.read "), "{ran:#?}");
}

#[test]
fn the_output_of_a_compiler_passes_unchanged() {
    let desk = Desk::new();
    let output = "error[E0433]: `containment.read` in `Config::new`, `running.pin`, {}\n";
    fs::create_dir(desk.path("ada")).unwrap();
    fs::write(desk.path("ada/output.txt"), output).unwrap();
    let manifest = "run = 'true'\nbuild = ['cat output.txt', 'false']\n";
    fs::write(desk.path("ada/bot.toml"), manifest).unwrap();
    let ran = desk.run(&["build", "ada", "--sandbox", "none"]);
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    assert!(ran.stdout.contains(output), "{ran:#?}");
}

#[test]
fn every_setting_of_a_match_and_of_a_file_is_in_the_table_of_settings() {
    let page = |path: &str| fs::read_to_string(repository(path)).unwrap();
    let part = |text: &str, from: &str, to: &str| {
        let (_, part) = text.split_once(from).unwrap_or_else(|| panic!("no {from}"));
        part.split(to).next().unwrap_or_default().to_string()
    };
    let file = page("docs/reference/tournament-file.md");
    for setting in ALL {
        let Some((section, key)) = setting.key.split_once('.') else { continue };
        let section = part(&file, &format!("\n## `[{section}]`\n"), "\n## ");
        let row = section.lines().find(|line| line.starts_with(&format!("| `{key}` |")));
        let row = row.unwrap_or_else(|| panic!("no row of {key}"));
        assert!(row.contains(&format!("| `{}` |", setting.option)), "{row}");
    }
    let pages = ["match", "play", "tournament", "build"]
        .map(|name| page(&format!("docs/reference/commands/{name}.md")));
    let long = |line: &str| {
        let option = line.split_whitespace().find(|word| word.starts_with("--"))?;
        line.starts_with("  ").then(|| option.split(['[', '=']).next().unwrap().to_string())
    };
    let all: Vec<String> = pages.iter().flat_map(|page| page.lines()).filter_map(long).collect();
    for setting in ALL.iter().filter(|setting| setting.option.starts_with("--")) {
        assert!(all.iter().any(|option| option == setting.option), "{setting:?}");
    }
    for heading in ["Options", "Time", "Adjudication", "Running", "Sandbox"] {
        let options = part(&pages[0], &format!("\n{heading}:\n"), ":\n");
        for option in options.lines().filter_map(long) {
            let is_none = ["--help", "--fixed-seats", "--no-pin"].contains(&option.as_str());
            let is_known = ALL.iter().any(|setting| setting.option == option);
            assert!(is_known || is_none, "{option} of {heading} is no setting");
        }
    }
}
