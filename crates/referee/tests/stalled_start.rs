//! A host that stalls while a bot starts: the start is repeated, and if the host stalls every time,
//! the game is void. The stall is a SIGSTOP of the referee, which is this test program. This
//! test is therefore in its own program.

mod fixtures;

use botyard_protocol::{Limits, OutcomeKind};
use botyard_referee::{Bot, StartError, play, start_all};
use botyard_replay::ReplayWriter;
use fixtures::{AMPLE_MS, MISBEHAVE, Repetition, command, dice, misbehaving, no_interrupt, spec};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command};

/// Creates the file `started`, waits until the stall is over, and plays.
const HELD_UP: &str = r#"
: >"$1/started"
while ! test -e "$1/over"; do sleep 0.01; done
exec python3 "$2" good 1
"#;

/// Creates the file `started`, and does nothing else.
const SLOW: &str = ": >\"$1/started\"; exec sleep 600";

/// Stops a process for some seconds when the file `started` exists: once, or each time.
const STALL: &str = r#"
while kill -0 "$1" 2>/dev/null; do
    if test -e "$2/started"; then
        kill -STOP "$1"
        sleep "$3"
        rm "$2/started"
        kill -CONT "$1"
        if test "$4" = once; then touch "$2/over"; exit; fi
    fi
    sleep 0.01
done
"#;

/// Returns a directory in which any user can write.
fn place() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    fs::set_permissions(place.path(), fs::Permissions::from_mode(0o777)).unwrap();
    place
}

fn stall(place: &Path, seconds: &str, then: &str) -> Child {
    let this = std::process::id().to_string();
    let place = place.to_str().unwrap();
    Command::new("sh").args(["-c", STALL, "stall", &this, place, seconds, then]).spawn().unwrap()
}

fn bot(script: &str, place: &Path) -> Bot {
    command("slow", "sh", &["-c", script, "slow", place.to_str().unwrap(), MISBEHAVE])
}

#[test]
fn a_start_that_the_host_stalls_is_repeated_and_blames_nobody() {
    // Another process, which is stopped at times of its own.
    let repetition = Repetition::begin(&[]);
    let interrupt = no_interrupt();
    // If a shell and Python take longer than the limit to start, as on a crowded host, a longer limit
    // and a longer stall are tried.
    let mut tries = [(2000, "3"), (10_000, "12"), (40_000, "45")].into_iter();
    let place_of_one = loop {
        let (start_ms, seconds) = tries.next().expect("it starts in 40 s");
        let place_of_one = place();
        let mut helper = stall(place_of_one.path(), seconds, "once");
        let limits = Limits { start_ms, ..Limits::default() };
        let mut once = bot(HELD_UP, place_of_one.path());
        let started = once.start(&limits, &interrupt);
        once.stop();
        let _ = helper.kill();
        helper.wait().unwrap();
        match started {
            Ok(()) => break place_of_one,
            Err(StartError::Failed { .. }) if tries.len() > 0 => {}
            other => panic!("after {seconds} s: {other:?}"),
        }
    };

    let place_of_all = place();
    let mut bots = [bot(SLOW, place_of_all.path()), misbehaving("good", "good", 1)];
    let mut spec = spec(&[0, 1, 1]);
    bots[1].start(&spec.limits, &interrupt).unwrap();
    // Longer than a hundred times the allowance plus a quarter of a second: after such a wait it is
    // unknown whether the bot or the host was late. If a shell takes longer than the limit to start, as on
    // a busy host, or the stall ends before the deadline, the limit is tried again, and a longer one.
    let limits =
        [(60, "7"), (250, "26"), (250, "26"), (250, "26"), (500, "51"), (500, "51"), (1000, "102")];
    for (tried, (start_ms, seconds)) in limits.into_iter().enumerate() {
        let _ = fs::remove_file(place_of_all.path().join("started"));
        let mut helper = stall(place_of_all.path(), seconds, "whenever");
        spec.limits.start_ms = start_ms;
        let failed = bots[0].start(&spec.limits, &interrupt);
        helper.kill().unwrap();
        helper.wait().unwrap();
        match failed {
            Err(StartError::Overloaded { .. }) => break,
            Err(StartError::Failed { .. }) if tried + 1 < limits.len() => {}
            other => panic!("after {seconds} s: {other:?}"),
        }
    }
    assert_eq!(bots[0].start_repeats(), 3);
    assert!(bots[0].start_failure().is_none(), "the bot is not to blame");
    let mut table = dice(1000, 10);
    let no_replay = None::<&mut ReplayWriter<Vec<u8>>>;
    spec.limits.start_ms = AMPLE_MS;
    let report = play(&mut *table, &mut bots, &spec, &interrupt, no_replay, &mut |_| {}).unwrap();
    assert_eq!(report.outcome.kind, OutcomeKind::Void);
    assert_eq!((report.faults.len(), report.start_repeats()), (0, 3));
    let host = report.host.expect("the evidence");
    // The stall is seen where the referee woke up last: at the deadline, in its watch before it, which
    // puts the deadline off, or in the delay of its canary, which lasts until that thread runs again.
    let stalled_us = host.evidence.late_us.max(host.evidence.excused_us.unwrap_or(0));
    assert!(stalled_us > 500_000, "{host:?}");

    // The bot can be started for the next game.
    let mut bots = [bot(HELD_UP, place_of_one.path()), misbehaving("good", "good", 1)];
    start_all(&mut bots, &spec.limits, &interrupt).unwrap();
    assert!(bots.iter().all(|bot| bot.start_failure().is_none()));
    repetition.end();
}
