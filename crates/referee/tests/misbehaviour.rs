//! Every way in which a bot can fail, with real processes: who wins, the kind and the message of
//! the fault, and that no process and no file descriptor of any bot is left. This is a single test
//! in its own program, because it counts file descriptors.

mod fixtures;

use botyard_engine::registry;
use botyard_protocol::{FaultKind, OutcomeKind};
use botyard_referee::{Bot, GameReport, play, start_all};
use fixtures::{
    command, groups, living_members, misbehaving, move_time, no_interrupt, open_descriptors,
    repeat_with_the_portable_back_end, spec,
};
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The expected result of a bot that moves first against a good bot.
enum Expected {
    /// It forfeits by this fault. Its message and evidence together contain these words.
    Fault(FaultKind, &'static [&'static str]),
    /// The game is played to its end without a fault.
    Fine,
}
use Expected::{Fault, Fine};
use FaultKind::*;

/// The mode, the question at which it misbehaves (0: before the first), and the expected result.
const MODES: &[(&str, u32, Expected)] = &[
    // Before the first question.
    ("exit_at_once", 0, Fault(StartFailed, &["no hello", "exited with code 0"])),
    (
        "silent",
        0,
        Fault(StartFailed, &["to \"hello\" within", "none came", "not flushed: in Python"]),
    ),
    ("hello_of_protocol_2", 0, Fault(StartFailed, &["protocol 1", "speaks 2"])),
    ("hello_for_chess", 0, Fault(StartFailed, &["plays scotland-yard", "chess, go"])),
    ("hello_without_name", 0, Fault(StartFailed, &["no hello", "name"])),
    ("hello_with_bad_option", 0, Fault(StartFailed, &["depth"])),
    ("exit_at_start", 0, Fault(Crash, &["exited with code 4"])),
    ("never_ready", 0, Fault(Timeout, &["to \"start\" within", "none came", "flush=True"])),
    // Lines that are not a valid answer.
    ("garbage", 1, Fault(Protocol, &["this is not JSON", "I would rather not say"])),
    ("empty", 1, Fault(Protocol, &["an empty line"])),
    ("array", 1, Fault(Protocol, &["an array"])),
    ("byte_order_mark", 1, Fault(Protocol, &["byte order mark"])),
    ("invalid_utf8", 1, Fault(Protocol, &["UTF-8", r"\xFF"])),
    ("nul", 1, Fault(Protocol, &["NUL byte"])),
    ("nested", 1, Fault(Protocol, &["nested at most 64 deep", "(50022 bytes)"])),
    ("huge_number", 1, Fault(Protocol, &["53-bit", "1e999"])),
    ("long_integer", 1, Fault(Protocol, &["53-bit", "777777"])),
    ("duplicate_key", 1, Fault(Protocol, &["\"turn\" again"])),
    ("wrong_type", 1, Fault(Protocol, &["\"turn\"", "not the string \"1\""])),
    ("unknown_type", 1, Fault(Protocol, &["resign"])),
    ("ready", 1, Fault(Protocol, &["expected a \"move\", got a \"ready\""])),
    ("wrong_turn", 1, Fault(Protocol, &["turn 1, got one to turn 2"])),
    ("two_answers", 1, Fault(Protocol, &["before the next question"])),
    ("answer_before_asked", 1, Fault(Protocol, &["before the next question"])),
    ("illegal", 1, Fault(IllegalAction, &["queenside"])),
    // Answers that are too late, too long or incomplete.
    ("late", 1, Fault(Timeout, &["none came"])),
    ("never", 1, Fault(Timeout, &["to \"turn\" 1 within", "none came"])),
    ("drip", 1, Fault(Timeout, &["bytes without a newline came"])),
    ("half_a_line", 1, Fault(Timeout, &["15 bytes without a newline came", "move"])),
    ("half_a_line_then_exit", 1, Fault(Crash, &["code 0 in the middle of a line", "move"])),
    ("endless_line", 1, Fault(OutputLimit, &["at most 65536 bytes", "xxxx"])),
    ("flood_stdout", 1, Fault(OutputLimit, &["at most 1000000 bytes of standard output"])),
    ("flood_stderr", 1, Fault(OutputLimit, &["at most 1000000 bytes of standard error"])),
    // Exits and closed pipes.
    ("exit_zero", 1, Fault(Crash, &["exited with code 0"])),
    ("exit_seven", 2, Fault(Crash, &["exited with code 7"])),
    ("kill_itself", 2, Fault(Crash, &["signal 9 (SIGKILL)"])),
    ("segfault", 1, Fault(Crash, &["signal 11 (SIGSEGV)"])),
    ("stop_itself", 1, Fault(Timeout, &["none came"])),
    ("ignore_signals", 1, Fault(Timeout, &["none came"])),
    ("close_stdout", 1, Fault(Closed, &["closed its standard output and keeps running"])),
    ("close_stdin", 2, Fault(Closed, &["closed its standard input and keeps running"])),
    ("leave_a_child_and_exit", 1, Fault(Crash, &["exited with code 3"])),
    // Correct behaviour.
    ("good", 1, Fine),
    ("child", 1, Fine),
    ("crlf", 1, Fine),
    ("unknown_field", 1, Fine),
    ("talkative", 1, Fine),
    ("slow_start", 1, Fine),
    ("hello_with_escapes", 1, Fine),
    ("hello_with_options", 1, Fine),
    ("exit_after_end", 1, Fine),
];

/// The shortest time limit for an action that the bot will not do, in milliseconds. It is tried
/// first.
const SHORT_MS: u64 = 300;

/// The longest time limit that is tried, in milliseconds: no bot of these tests keeps running that
/// long.
const LONGEST_MS: u64 = 19_200;

/// How many games are played simultaneously. They wait most of the time.
const AT_ONCE: usize = 4;

/// Plays against a good bot, and checks that no process of either is left.
fn play_against_good(mode: &str, bot: Bot, short_ms: u64) -> GameReport {
    let tables =
        registry::tables("scotland-yard", Some("grid-5x5-2"), &[]).expect("a preset of the game");
    let mut table = tables();
    let interrupt = no_interrupt();
    let mut bots = [bot, misbehaving("good", "good", 1)];
    let mut spec = spec(&[0, 1]);
    let limits = &mut spec.limits;
    // Time is short only for the bot that will not use it: the good bot is started with ample time
    // before the limits are shortened, and is never asked to move afterwards.
    bots[1].start(limits, &interrupt).expect("it can be started");
    match mode {
        "silent" => limits.start_ms = short_ms,
        // The good bot must be ready within that time too.
        "never_ready" => limits.setup_ms = short_ms,
        "late" | "never" | "stop_itself" | "ignore_signals" | "drip" | "half_a_line" => {
            spec.time = move_time(short_ms);
        }
        "flood_stdout" | "flood_stderr" | "endless_line" => {
            (limits.stdout_bytes, limits.stderr_bytes) = (1_000_000, 1_000_000);
        }
        _ => {}
    }
    start_all(&mut bots, &spec.limits, &interrupt).expect("the host can start bots");
    let groups = groups(&bots);
    let no_replay = None::<&mut botyard_replay::ReplayWriter<Vec<u8>>>;
    let report = play(&mut *table, &mut bots, &spec, &interrupt, no_replay, &mut |_| {})
        .expect("the host can play");
    Bot::quit_all(&mut bots, &spec.limits).expect("every process can be ended");
    for group in groups {
        assert_eq!(living_members(group), [0; 0], "left of group {group}");
    }
    report
}

/// Plays in this mode, and repeats the game if the host was too busy to run the bot. A bot that
/// needs a whole core may never get one beside other games; that is reported.
fn play_unless_void(mode: &str, at: u32, short_ms: u64) -> Option<GameReport> {
    const GAMES: u32 = 10;
    for game in 1..=GAMES {
        let report = play_against_good(mode, misbehaving("bad", mode, at), short_ms);
        if report.outcome.kind != OutcomeKind::Void {
            return Some(report);
        }
        assert!(report.host.is_some(), "{mode}: void without evidence");
        std::thread::sleep(Duration::from_millis(100) * game);
    }
    // Written past the capture of test output, because silence would look like success.
    let _ = writeln!(std::io::stderr(), "NOT TESTED on this host: {mode}: it is too busy");
    None
}

/// Plays in this mode. A bot that must do something before it is late, or the good bot beside it,
/// may not have enough time for that on a busy host: then a longer limit is tried.
fn play_long_enough(mode: &str, at: u32, expected: &Expected) -> Option<GameReport> {
    let mut short_ms = SHORT_MS;
    loop {
        let report = play_unless_void(mode, at, short_ms)?;
        let in_words = match mode {
            // It must have written something.
            "drip" | "half_a_line" => format!("within {short_ms} ms, "),
            "never_ready" | "silent" | "late" | "never" | "ignore_signals" | "stop_itself" => {
                format!("within {short_ms} ms, none came")
            }
            _ => return Some(report),
        };
        let Fault(kind, words) = expected else { return Some(report) };
        let is_as_expected = |fault: &botyard_protocol::Fault| {
            let described = described(fault);
            fault.kind == *kind
                && fault.seat == "mr-x"
                && described.contains(&in_words)
                && words.iter().all(|word| described.contains(word))
        };
        let [fault] = &report.faults[..] else { panic!("{mode}: {:?}", report.faults) };
        if is_as_expected(fault) {
            return Some(report);
        }
        assert!(short_ms < LONGEST_MS, "{mode}: {in_words:?} is not in {fault:?}");
        short_ms *= 4;
    }
}

fn described(fault: &botyard_protocol::Fault) -> String {
    format!("{} {}", fault.message, fault.got.as_deref().unwrap_or_default())
}

#[track_caller]
fn check(name: &str, at: u32, report: &GameReport, expected: &Expected) {
    match expected {
        Fine => {
            assert_eq!(report.faults, [], "{name}");
            assert_eq!(report.outcome.kind, OutcomeKind::Completed, "{name}");
        }
        Fault(kind, words) => {
            let [fault] = &report.faults[..] else { panic!("{name}: {:?}", report.faults) };
            assert_eq!(fault.kind, *kind, "{name}: {fault:?}");
            assert_eq!(fault.seat, "mr-x", "{name}: {fault:?}");
            assert_eq!(fault.turn > 0, at > 0, "{name}: {fault:?}");
            let described = described(fault);
            for word in *words {
                assert!(described.contains(word), "{name}: {word:?} is not in {described:?}");
            }
            assert_eq!(report.outcome.kind, OutcomeKind::BotFault, "{name}");
            assert_eq!(report.outcome.scores, [0.0, 1.0], "{name}");
            assert_eq!(report.outcome.ranks, [2, 1], "{name}");
            let reason = format!("forfeit_{}", kind.as_str());
            assert_eq!(report.outcome.reason, reason, "{name}");
        }
    }
}

#[test]
fn every_failure_has_its_verdict_and_leaves_nothing() {
    let before = open_descriptors();
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some((mode, at, expected)) = MODES.get(next.fetch_add(1, Ordering::Relaxed)) {
            let Some(report) = play_long_enough(mode, (*at).max(1), expected) else { continue };
            check(mode, *at, &report, expected);
            if *mode == "flood_stderr" {
                let stderr = &report.bots[0].stderr;
                assert!(
                    stderr.contains("[truncated: ") && stderr.len() < 70_000,
                    "{}",
                    stderr.len()
                );
            }
        }
    };
    std::thread::scope(|scope| (0..AT_ONCE).for_each(|_| drop(scope.spawn(work))));
    programs_that_cannot_be_started();
    assert_eq!(open_descriptors(), before, "file descriptors");
    repeat_with_the_portable_back_end(&[]);
}

fn programs_that_cannot_be_started() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str, mode: u32, text: &str| {
        let path = directory.path().join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        path
    };
    let subdirectory = directory.path().join("bots");
    fs::create_dir(&subdirectory).unwrap();
    let cases = [
        (directory.path().join("missing"), "there is no file"),
        ("no-such-program-anywhere".into(), "there is no program no-such-program-anywhere in PATH"),
        (file("notes.txt", 0o644, "#!/bin/sh\n"), "is not executable; try `chmod +x`"),
        (file("picture", 0o755, "\u{1}\u{2}\u{3}"), "exec format error"),
        (
            file("script", 0o755, "#!/no/such/python3\n"),
            "asks for the interpreter /no/such/python3",
        ),
        (file("dos", 0o755, "#!/bin/sh\r\n"), r#"becomes a part of "sh\r": save"#),
        (subdirectory, "is a directory, not a program"),
    ];
    for (program, message) in cases {
        let expected = Fault(StartFailed, &[]);
        let name = program.display().to_string();
        let report = play_against_good(&name, command("bad", program, &[]), SHORT_MS);
        check(&name, 0, &report, &expected);
        let fault = &report.faults[0];
        assert!(fault.message.contains(message), "{name}: {}", fault.message);
    }
}
