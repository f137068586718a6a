//! The checks of a bot that has nothing more to say: after `end`, and after `quit`.

use crate::arena::{Arena, MESSAGE_CHARACTERS, Played};
use crate::check::Finding;
use crate::remedy;
use botyard_protocol::{Limits, printable};
use botyard_referee::{
    Departure, DepartureError, Disturbance, Interrupt, Leave, StartError, start_all,
};
use botyard_runner::Error;
use botyard_runner::words::stderr_in_words;
use botyard_sandbox::MIB;

/// The number of decisions before a bot is asked to leave.
const DECISIONS: u32 = 20;

/// The share of the memory limit from which on a bot is warned, in percent.
const MUCH: u64 = 80;

/// What became of a bot that was started again, to be asked to leave.
pub(crate) enum Left {
    /// It was asked to leave.
    Asked(Departure),
    /// It did not start.
    NotStarted(Finding),
    /// The host could not start it, for this reason.
    Stalled(String),
}

/// Starts the bot again and asks it to leave at once.
///
/// # Errors
///
/// An interrupt, or a failure of the host.
pub(crate) fn after_hello(
    arena: &Arena,
    limits: &Limits,
    interrupt: &Interrupt,
) -> Result<Left, Error> {
    let mut bots = [arena.bot(Disturbance::default())];
    let started = start_all(&mut bots, limits, interrupt);
    if matches!(started, Err(StartError::Interrupted)) {
        return Err(Error::Interrupted);
    }
    if let Some(failure) = bots[0].start_failure() {
        if let Some(lost) = bots[0].lost_files() {
            return Err(Error::host(lost));
        }
        let message =
            format!("`hello` was sent to a second process; it could not be started: {failure}");
        let message = printable(&message, MESSAGE_CHARACTERS);
        let stderr = stderr_in_words(bots[0].stderr_at_start(), None);
        let finding = finding(message, remedy::SECOND_START.into());
        return Ok(Left::NotStarted(Finding { stderr, ..finding }));
    }
    if let Err(error) = started {
        return Ok(Left::Stalled(error.to_string()));
    }
    let departure = bots[0].depart(Leave::Quit, limits, interrupt).map_err(in_runner)?;
    let stalled = || Left::Stalled("the host was too busy to start the bot again".into());
    Ok(departure.map_or_else(stalled, Left::Asked))
}

/// Plays a game and lets the bot read `end` and the end of its input.
///
/// # Errors
///
/// An interrupt, or a failure of the host.
pub(crate) fn after_game(
    arena: &Arena,
    interrupt: &Interrupt,
) -> Result<(Played, Option<Departure>), Error> {
    let scene = arena.scene(arena.seats().next(), DECISIONS);
    let mut bots = vec![arena.bot(Disturbance::default())];
    match arena.play(&mut bots, &scene, interrupt)? {
        Played::Clean => {}
        played => return Ok((played, None)),
    }
    let departure = bots[0].depart(Leave::EndOfInput, &scene.limits, interrupt);
    Ok((Played::Clean, departure.map_err(in_runner)?))
}

fn in_runner(error: DepartureError) -> Error {
    match error {
        DepartureError::Interrupted => Error::Interrupted,
        DepartureError::Host(failure) => Error::host(failure),
    }
}

/// Returns the finding of a bot that answered a message that takes no answer.
pub(crate) fn spoke(message: &str, departure: &Departure) -> Option<Finding> {
    let said = departure.said.as_ref()?;
    Some(finding(
        format!("{message} was sent; expected no answer, got {said}"),
        format!("write nothing after {message}: only `hello`, `start` and `turn` take an answer"),
    ))
}

/// Returns the finding of a bot that did not exit in time, or the reason why that is not decided.
pub(crate) fn stayed(departure: &Departure, limits: &Limits) -> Result<Option<Finding>, String> {
    if departure.overload.is_some() {
        return Err("the host was too busy".to_string());
    }
    Ok(departure.ending.is_none().then(|| {
        finding(
            format!(
                "`quit` was sent and standard input was closed; expected the program to exit within \
                 {} ms, but it kept running",
                limits.quit_ms
            ),
            "end the program, with all its threads, at `quit` and at the end of standard input".into(),
        )
    }))
}

/// Returns the memory that a bot used at most, in words, and a finding if that is most of the limit.
pub(crate) fn memory(peak: u64, limit: u64) -> (String, Option<Finding>) {
    let words = format!("{} of {} MiB at most", peak.div_ceil(MIB), limit / MIB);
    let is_much = peak >= limit / 100 * MUCH;
    let found = is_much.then(|| {
        finding(
            format!("a game of {DECISIONS} decisions was played; the program used {words}"),
            "use less memory: a longer game may need more, and a bot over the limit is killed"
                .into(),
        )
    });
    (words, found)
}

fn finding(message: String, remedy: String) -> Finding {
    Finding { game: None, seat: None, message, remedy, stderr: String::new() }
}

/// Returns whether the words of two departures are the same: those of a program that writes when it
/// exits.
pub(crate) fn said_the_same(one: &Departure, other: &Departure) -> bool {
    one.said.is_some() && one.said == other.said
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_referee::Ending;

    fn departure(ending: Option<Ending>, said: Option<&str>) -> Departure {
        Departure { ending, said: said.map(String::from), overload: None, peak_memory: None }
    }

    #[test]
    fn a_bot_leaves_in_silence_and_in_time() {
        let limits = Limits::default();
        let good = departure(Some(Ending::Exited(0)), None);
        assert_eq!((spoke("`quit`", &good), stayed(&good, &limits)), (None, Ok(None)));
        let bad = departure(None, Some("bye"));
        assert!(spoke("`quit`", &bad).unwrap().message.ends_with("got bye"));
        assert!(stayed(&bad, &limits).unwrap().unwrap().message.contains("within 1000 ms"));
        assert!(said_the_same(&bad, &bad) && !said_the_same(&good, &good));
    }

    #[test]
    fn a_bot_is_warned_of_its_memory_before_the_limit() {
        assert_eq!(memory(30 * MIB, 1024 * MIB), ("30 of 1024 MiB at most".into(), None));
        assert!(memory(900 * MIB, 1024 * MIB).1.is_some());
    }
}
