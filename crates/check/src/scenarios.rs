//! The checks that are games under other circumstances: with disturbed lines, without the list of
//! legal actions, with several games or seats for one process, or with several processes.

use crate::arena::{Arena, Played, Scene};
use crate::check::{Check, Finding};
use botyard_protocol::Limits;
use botyard_referee::{Bot, Disturbance, Interrupt};
use botyard_runner::Error;

/// The number of decisions of the bot in a short game.
const DECISIONS: u32 = 6;

/// The number of decisions in a game of one process with itself.
const DECISIONS_OF_ALL: u32 = 24;

/// The length of a long line, in bytes.
const LONG: usize = 100_000;

/// Returns what is checked, in a few words; empty for a check that is not one of these.
pub(crate) fn about(check: Check) -> &'static str {
    match check {
        Check::Deadline => "answers within the time per move",
        Check::OneProcess => "one process plays all seats",
        Check::TwoGames => "one process plays two games",
        Check::NoLegal => "plays without the list of legal actions",
        Check::UnknownFields => "ignores unknown fields",
        Check::UnknownMessages => "ignores unknown messages",
        Check::LongLine => "reads lines of 100 KB",
        Check::SplitLine => "reads lines that arrive byte by byte",
        Check::SlowStart => "starts, and sets up a game, in half of the time allowed",
        Check::Restart => {
            "a second process plays beside the first, and a third after it was killed"
        }
        _ => "",
    }
}

/// Returns what the author of a bot can do if it fails such a check.
fn remedy(check: Check) -> &'static str {
    match check {
        Check::Deadline => {
            "plan each move by `turn.clock`, and keep some milliseconds of it for the way back"
        }
        Check::OneProcess => {
            "look at `turn.seat` in each turn: a process may hold several seats of one game"
        }
        Check::TwoGames => "forget the old game at `start`, and keep running after `end`",
        Check::NoLegal => {
            "compute the legal actions where `turn.legal` is absent, or say that the bot needs the \
             list"
        }
        Check::UnknownFields => "ignore fields that are not known",
        Check::UnknownMessages => {
            "ignore messages whose `type` is not known, and do not answer them"
        }
        Check::LongLine => {
            "read a line to its newline, however long it is: the referee's lines have no limit"
        }
        Check::SplitLine => {
            "read up to the newline before parsing: one read of a pipe may return a part of a line"
        }
        Check::SlowStart => {
            "do less before `hello` and `ready`: a busy host may need twice as long"
        }
        Check::Restart => "share no files, ports or locks between processes of the bot",
        _ => "",
    }
}

/// The checks that [`together`] makes at once.
pub(crate) const TOGETHER: [Check; 8] = [
    Check::Deadline,
    Check::TwoGames,
    Check::UnknownFields,
    Check::UnknownMessages,
    Check::LongLine,
    Check::SplitLine,
    Check::SlowStart,
    Check::Restart,
];

/// Makes several checks at once, with three processes in place of ten: a start takes most of the time of a short game.
/// The first plays two games against the clock, the second one with disturbed lines beside it, and the third one
/// after the first was killed. Returns whether all are passed; if not, each is made by itself.
///
/// # Errors
///
/// An interrupt, or a failure of the host.
pub(crate) fn together(arena: &Arena, interrupt: &Interrupt) -> Result<bool, Error> {
    let plain = Disturbance::default();
    let short = arena.scene(arena.seats().next(), DECISIONS);
    let mut first = vec![arena.bot(plain)];
    let mut processes = Vec::new();
    // The last seat may have another role than the first.
    for (seed, seat) in [(1, arena.seats().next()), (2, arena.seats().next_back())] {
        let scene = Scene { is_strict: true, seed, ..arena.scene(seat, DECISIONS) };
        if !is_clean(&arena.play(&mut first, &scene, interrupt)?) {
            return Ok(false);
        }
        processes.push(first[0].process_group());
    }
    let disturbed =
        Disturbance { unknown_fields: true, unknown_messages: true, padding: LONG, ..plain };
    let slow = Scene { limits: halved(short.limits), ..short };
    let is_beside =
        processes[0] == processes[1] && is_clean(&arena.play_once(disturbed, &slow, interrupt)?);
    first[0].stop();
    let split = Disturbance { byte_by_byte: true, ..plain };
    let is_after = is_beside && is_clean(&arena.play_once(split, &short, interrupt)?);
    Bot::quit_all(&mut first, &short.limits).map_err(Error::host)?;
    Ok(is_after)
}

fn is_clean(played: &Played) -> bool {
    matches!(played, Played::Clean)
}

/// Makes one attempt at a check in one game.
///
/// # Errors
///
/// An interrupt, or a failure of the host.
pub(crate) fn attempt(check: Check, arena: &Arena, interrupt: &Interrupt) -> Result<Played, Error> {
    let short = arena.scene(arena.seats().next(), DECISIONS);
    let once = |disturbance, scene| arena.play_once(disturbance, scene, interrupt);
    let disturbed = |disturbance| once(disturbance, &short);
    let plain = Disturbance::default();
    let played = match check {
        Check::Deadline => {
            // The last seat may have another role than the first.
            let strict = |seat| Scene { is_strict: true, ..arena.scene(seat, DECISIONS) };
            match once(plain, &strict(arena.seats().next()))? {
                Played::Clean => once(plain, &strict(arena.seats().next_back()))?,
                played => played,
            }
        }
        Check::OneProcess => once(plain, &arena.scene(None, DECISIONS_OF_ALL))?,
        Check::TwoGames => two_games(arena, &short, interrupt)?,
        Check::NoLegal => once(plain, &Scene { legal: false, ..short })?,
        Check::UnknownFields => disturbed(Disturbance { unknown_fields: true, ..plain })?,
        Check::UnknownMessages => disturbed(Disturbance { unknown_messages: true, ..plain })?,
        Check::LongLine => disturbed(Disturbance { padding: LONG, ..plain })?,
        Check::SplitLine => disturbed(Disturbance { byte_by_byte: true, ..plain })?,
        Check::SlowStart => once(plain, &Scene { limits: halved(short.limits), ..short })?,
        Check::Restart => three_processes(arena, &short, interrupt)?,
        _ => Played::Clean,
    };
    Ok(match played {
        Played::Faulty(by, finding) if check != Check::TwoGames || by != Check::End => {
            Played::Faulty(check, Finding { remedy: remedy(check).to_string(), ..finding })
        }
        played => played,
    })
}

/// Returns the limits with half of the time to start and to set up a game.
fn halved(limits: Limits) -> Limits {
    Limits { start_ms: limits.start_ms / 2, setup_ms: limits.setup_ms / 2, ..limits }
}

/// Plays two games with one process. A process that ended after the first one is not a fault, and
/// the finding that says so is of the check `end`.
fn two_games(arena: &Arena, scene: &Scene, interrupt: &Interrupt) -> Result<Played, Error> {
    let mut bots = vec![arena.bot(Disturbance::default())];
    let mut processes = Vec::new();
    for seed in [1, 2] {
        match arena.play(&mut bots, &Scene { seed, ..*scene }, interrupt)? {
            Played::Clean => processes.push(bots[0].process_group()),
            played => return Ok(played),
        }
    }
    Bot::quit_all(&mut bots, &scene.limits).map_err(Error::host)?;
    if processes.windows(2).all(|pair| pair[0] == pair[1]) {
        return Ok(Played::Clean);
    }
    Ok(Played::Faulty(
        Check::End,
        Finding {
            game: Some(arena.game.clone()),
            seat: None,
            message:
                "`end` was sent; the process did not play the second game: it exited, or wrote \
                      something, and was restarted"
                    .into(),
            remedy: "keep running after `end`: a start for every game takes time".into(),
            stderr: String::new(),
        },
    ))
}

/// Plays with two processes at the same time, kills the first one, and plays with a third one.
fn three_processes(arena: &Arena, scene: &Scene, interrupt: &Interrupt) -> Result<Played, Error> {
    let mut first = vec![arena.bot(Disturbance::default())];
    match arena.play(&mut first, scene, interrupt)? {
        Played::Clean => {}
        played => return Ok(played),
    }
    match arena.play_once(Disturbance::default(), scene, interrupt)? {
        Played::Clean => {}
        played => return Ok(played),
    }
    first[0].stop();
    let played = arena.play(&mut first, scene, interrupt)?;
    Bot::quit_all(&mut first, &scene.limits).map_err(Error::host)?;
    Ok(played)
}
