//! The commands of all pages and help texts, parsed as the programs parse their arguments: verbs, options and the form of
//! their values. Commands that play must name games, rules and built-in bots that exist. Also how the parser reads rules
//! of several words.

use botyard_bots::catalogue;
use botyard_cli::{CommandLine, Verb, Verbs};
use botyard_cli_reference::all_commands;
use botyard_engine::registry;
use clap::error::ErrorKind;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// Not commands: the names of two streams of random numbers.
const NO_COMMANDS: [&str; 2] = ["botyard stream 1", "botyard stream 2"];

/// The game that `docs/do/add-a-game.md` adds.
const ADDED: &str = "nim";

/// A command of a page.
struct Command {
    place: String,
    text: String,
    /// In a block, and not in the midst of a sentence, where arguments may be left out.
    is_whole: bool,
}

#[test]
fn the_commands_of_all_pages_can_be_run() {
    let mut commands = Vec::new();
    for page in pages() {
        commands.extend(commands_of(&page));
    }
    // More than a wrong path or pattern would leave.
    assert!(commands.iter().filter(|command| command.is_whole).count() > 200, "too few blocks");
    assert!(commands.iter().filter(|command| !command.is_whole).count() > 200, "too few texts");
    let wrong: Vec<String> = commands
        .iter()
        .filter_map(|command| {
            let error = check(&command.text, command.is_whole).err()?;
            Some(format!("{}: {}\n    {error}", command.place, command.text))
        })
        .collect();
    assert!(wrong.is_empty(), "{} wrong commands:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn wrong_commands_are_found() {
    for (wrong, expected) in [
        ("botyard mach draughts greedy random", "unrecognized subcommand"),
        ("botyard match draughts greedy random --game 100", "unexpected argument"),
        ("botyard match draughts greedy random --games ten", "invalid value"),
        ("botyard match chess greedy random", "chess"),
        ("botyard match ./chess greedy random", "chess"),
        ("botyard match draughts gready random", "gready"),
        ("botyard match scotland-yard greedy random --rules bristle", "bristle"),
        ("botyard match scotland-yard greedy random --rule detektives=4", "detektives"),
        ("botyard check 'botyard bridge hup ./engine'", "unrecognized subcommand"),
        ("botyard replay show", "required arguments"),
        ("botyard games | botyard bats", "unrecognized subcommand"),
        ("botyard games && X=1 cargo run --release -- mach", "unrecognized subcommand"),
        ("cargo run -p botyard-engine --example ramdom_game -- draughts", "there is no"),
        ("botyard games 'draughts", "quote"),
    ] {
        let error = check(wrong, true).expect_err(wrong);
        assert!(error.contains(expected), "{wrong}: {error}");
    }
    for right in ["botyard replay show", "botyard match", "botyard test", "botyard bridge hub"] {
        check(right, false).expect(right);
    }
}

/// Clap breaks the lines of options at the width of the terminal, but text with examples only
/// where that text has line breaks, unless it is too wide.
fn wide_lines(command: &clap::Command, found: &mut Vec<String>) {
    let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let wide = examples.lines().filter(|line| line.chars().count() > 80);
    found.extend(wide.map(|line| format!("{}: {line}", command.get_name())));
    command.get_subcommands().for_each(|inner| wide_lines(inner, found));
}

#[test]
fn examples_fit_into_eighty_columns() {
    let mut found = Vec::new();
    wide_lines(&all_commands(), &mut found);
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn the_words_of_a_rule_become_one_argument() {
    for (words, draw, resign) in [
        ("a b", None, None),
        (
            "--draw movenumber=3 movecount=4 score=1 a b",
            Some("movenumber=3,movecount=4,score=1"),
            None,
        ),
        (
            "--resign movecount=2 score=1 twosided --draw movenumber=3 movecount=4 score=0 a b",
            Some("movenumber=3,movecount=4,score=0"),
            Some("movecount=2,score=1,twosided"),
        ),
        ("a b --resign movecount=2 score=1", None, Some("movecount=2,score=1")),
    ] {
        let line = format!("botyard match draughts {words}");
        let parsed =
            CommandLine::<Verb>::parse_words(line.split(' ').map(OsString::from)).expect(words);
        let Verb::Match(args) = parsed.verb else { panic!("{words}") };
        assert_eq!(args.bots, ["a", "b"], "{words}");
        let adjudication = &args.conditions.adjudication;
        assert_eq!(adjudication.draw, draw.map(|rule| rule.parse().expect(rule)), "{words}");
        assert_eq!(adjudication.resign, resign.map(|rule| rule.parse().expect(rule)), "{words}");
    }
    for (words, expected) in
        [("match draughts a b --draw", "--draw"), ("match draughts --draw a movecount=2", "--draw")]
    {
        let line = format!("botyard {words}");
        let error =
            CommandLine::<Verb>::parse_words(line.split(' ').map(OsString::from)).expect_err(words);
        assert!(error.to_string().contains(expected), "{words}: {error}");
    }
    // Without an option before them, they are bots.
    let bots = "botyard match draughts movecount=2 score=1".split(' ').map(OsString::from);
    let Verb::Match(args) = CommandLine::<Verb>::parse_words(bots).expect("two bots").verb else {
        panic!()
    };
    assert_eq!(args.bots, ["movecount=2", "score=1"]);
}

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the Markdown pages of the repository. The change log has commands of earlier versions.
pub(crate) fn pages() -> Vec<PathBuf> {
    let top = top();
    let mut found = Vec::new();
    let mut directories: Vec<PathBuf> =
        ["docs", "crates", "sdk", ".github", "examples"].map(|name| top.join(name)).into();
    for page in ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "SECURITY.md"] {
        found.push(top.join(page));
    }
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(&directory).expect("a directory of the sources") {
            let path = entry.expect("an entry of the directory").path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if path.is_dir() && !["target", "node_modules", "book"].contains(&name) {
                directories.push(path);
            } else if name.ends_with(".md") {
                found.push(path);
            }
        }
    }
    found
}

/// Returns the commands of a page: lines of its blocks that begin with one, and code in its text.
fn commands_of(page: &Path) -> Vec<Command> {
    let text = fs::read_to_string(page).expect("a page");
    let mut commands = Vec::new();
    let mut fence: Option<&str> = None;
    let mut begun = String::new();
    for (line, number) in text.lines().zip(1..) {
        let place = format!("{}:{number}", page.display());
        let line = line.trim_start();
        let mark = &line[..line.len() - line.trim_start_matches('`').len()];
        if mark.len() >= 3 && fence.is_none_or(|open| open == mark) {
            fence = if fence.is_some() { None } else { Some(mark) };
        } else if fence.is_some() {
            begun.push_str(line.strip_prefix("$ ").unwrap_or(line));
            if begun.ends_with('\\') {
                begun.pop();
                continue;
            }
            let text = std::mem::take(&mut begun);
            if is_command(&text) {
                commands.push(Command { place, text, is_whole: true });
            }
        } else {
            let code = line.split('`').skip(1).step_by(2);
            let code = code.filter(|code| is_command(code) && !NO_COMMANDS.contains(code));
            commands.extend(code.map(|code| Command {
                place: place.clone(),
                text: code.to_string(),
                is_whole: false,
            }));
        }
    }
    commands
}

/// Whether a line is a shell command that begins with `botyard`, and not a usage line of its help.
fn is_command(line: &str) -> bool {
    let mut words = line.split_whitespace().skip_while(|word| is_assignment(word));
    match words.next() {
        Some("botyard") => {
            words.next().is_some_and(|verb| verb.starts_with(|c: char| c.is_lowercase()))
        }
        Some("cargo") => words.next() == Some("run"),
        _ => false,
    }
}

/// Checks every command of a line that runs `botyard`.
fn check(line: &str, is_whole: bool) -> Result<(), String> {
    let words = shlex::split(line).ok_or("a quote is not closed")?;
    for command in words.split(|word| ["|", "&&", "||", ";"].contains(&word.as_str())) {
        let is_redirection = |word: &String| word.trim_start_matches('2').starts_with(['>', '<']);
        let end = command.iter().position(is_redirection).unwrap_or(command.len());
        let command = &command[..end];
        let begin = command.iter().position(|word| !is_assignment(word)).unwrap_or(0);
        match command[begin..].iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["botyard", ref arguments @ ..] => check_arguments(arguments, is_whole)?,
            ["cargo", "run", "-p", package, "--example", example, ..] => {
                check_example(package, example)?;
            }
            ["cargo", "run", ref options @ ..] => {
                let begin = options.iter().position(|word| *word == "--").unwrap_or(options.len());
                check_arguments(options.get(begin + 1..).unwrap_or_default(), is_whole)?;
            }
            _ => {}
        }
    }
    Ok(())
}

fn check_example(package: &str, example: &str) -> Result<(), String> {
    let name = package.strip_prefix("botyard-").unwrap_or(package);
    let file = top().join("crates").join(name).join("examples").join(example).with_extension("rs");
    if file.is_file() { Ok(()) } else { Err(format!("there is no {}", file.display())) }
}

fn check_arguments(arguments: &[&str], is_whole: bool) -> Result<(), String> {
    for argument in arguments {
        let bot = argument.split_once('=').map_or(*argument, |(_, bot)| bot);
        if let Some(bot) = [argument, bot].into_iter().find(|text| text.starts_with("botyard ")) {
            check(bot, is_whole)?;
        }
    }
    let line = ["botyard"].iter().chain(arguments).map(OsString::from);
    let line: Vec<OsString> = line.collect();
    // A companion's verb has any arguments in `botyard`; only the companion parses them.
    let parsed = CommandLine::<Verb>::parse_words(line.clone()).and_then(|parsed| {
        let of_companion = parsed.verb.companion().is_some();
        if of_companion {
            all_commands().try_get_matches_from(line)?;
        }
        Ok(parsed)
    });
    let verb = match parsed {
        Ok(parsed) => parsed.verb,
        Err(error) => {
            return match error.kind() {
                ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Ok(()),
                ErrorKind::MissingRequiredArgument
                | ErrorKind::MissingSubcommand
                | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
                    if !is_whole =>
                {
                    Ok(())
                }
                // A number that the reader chooses: `-j N`.
                ErrorKind::ValueValidation
                    if !is_whole && arguments.iter().any(|word| is_placeholder(word)) =>
                {
                    Ok(())
                }
                _ => Err(error.to_string().replace('\n', "\n    ")),
            };
        }
    };
    match &verb {
        Verb::Match(args) => {
            check_game(&args.game, args.start.rules.as_deref(), &args.start.rule)?;
            args.bots.iter().try_for_each(|bot| check_bot(bot))
        }
        Verb::Test(args) => {
            check_game(&args.game, args.start.rules.as_deref(), &args.start.rule)?;
            [&args.new, &args.old].into_iter().try_for_each(|bot| check_bot(bot))
        }
        Verb::Play(args) => args
            .game
            .as_ref()
            .map_or(Ok(()), |game| check_game(game, args.start.rules.as_deref(), &args.start.rule)),
        Verb::Check(args) => check_bot(&args.bot),
        _ => Ok(()),
    }
}

/// Checks that a game and its rules can be played. Words in capitals stand for any.
fn check_game(game: &str, rules: Option<&str>, changes: &[(String, String)]) -> Result<(), String> {
    if game == ADDED || is_placeholder(game) || rules.is_some_and(is_placeholder) {
        return Ok(());
    }
    // A game whose rules are a program: one of the sources, which other tests play.
    if let Some(directory) = game.strip_prefix("./") {
        let places = ["", "examples/games", "docs/learn/code"];
        return match places.iter().any(|place| top().join(place).join(directory).is_dir()) {
            true => Ok(()),
            false => Err(format!("there is no game in {directory}, in none of {places:?}")),
        };
    }
    // A file of the reader, which is not there.
    let changes: Vec<(String, String)> =
        changes.iter().filter(|(_, value)| !value.ends_with(".json")).cloned().collect();
    registry::tables(game, rules, &changes).map(drop).map_err(|error| error.to_string())
}

/// Checks that a bot that is neither a path, a command line nor a placeholder is a built-in bot.
fn check_bot(bot: &str) -> Result<(), String> {
    let bot =
        bot.split_once('=').filter(|(name, _)| !name.contains(':')).map_or(bot, |(_, bot)| bot);
    let name = bot.split(':').next().unwrap_or_default();
    if name.contains(['/', ' ', '.', '\\']) || is_placeholder(name) {
        return Ok(());
    }
    catalogue::bot(name).map(drop).map_err(|error| error.to_string())
}

/// Whether a word stands for what the reader puts in its place: `GAME`.
fn is_placeholder(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_uppercase() || ['_', '.'].contains(&c))
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c == '_')
    })
}
