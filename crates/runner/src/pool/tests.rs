use super::*;
use crate::void_games::REPEATS_OF_VOID;
use botyard_league::schedule::{Draws, Schedule};
use botyard_protocol::{EndOutcome, OutcomeKind};
use botyard_referee::GameReport;
use std::sync::Mutex;
use std::time::Duration;

/// Games of two bots.
fn schedule(games: u32) -> Schedule {
    let draws = Draws::numbered(7, "dice");
    Schedule { game: "dice", draws, bots: 2, games, fixed_seats: false, openings: Vec::new() }
}

/// The end of every attempt, by the game's number and the attempt.
type Script<'a> = dyn Fn(u32, u32) -> Result<OutcomeKind, Error> + Sync + 'a;

struct Scripted<'a>(&'a Script<'a>);

impl Player for Scripted<'_> {
    fn play(
        &mut self,
        game: ScheduledGame,
        _: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<PlayedGame, Error> {
        let kind = (self.0)(game.number, game.attempt)?;
        let outcome =
            EndOutcome { kind, scores: vec![], ranks: vec![], reason: "by script".into() };
        Ok(PlayedGame {
            game,
            report: GameReport {
                outcome,
                faults: Vec::new(),
                turns: 0,
                seats: Vec::new(),
                bots: Vec::new(),
                host: None,
                host_failure: None,
                rules_us: None,
            },
            replay: None,
            stderr_files: Vec::new(),
            elapsed: Duration::ZERO,
            searches: Vec::new(),
            void_bot: Some(1),
            host_failure: None,
        })
    }

    fn quit_all(&mut self) -> Result<(), Error> {
        Ok(())
    }
}

/// A schedule, and how each attempt ended.
struct Listed {
    schedule: Schedule,
    next: u32,
    ended: Vec<(u32, u32, bool)>,
}

impl GameSource for Listed {
    type Record = u32;

    fn next_game(&mut self) -> Option<ScheduledGame> {
        self.next += 1;
        (self.next <= self.schedule.games).then(|| self.schedule.game(self.next))
    }

    fn ended(&mut self, played: Box<PlayedGame>, again: bool) -> Result<u32, Error> {
        self.ended.push((played.game.number, played.game.attempt, again));
        Ok(played.game.number)
    }
}

struct Shown(Vec<u32>, Option<u32>);

impl Observer<Listed> for Shown {
    fn ended(&mut self, _: &Listed, number: u32) -> Result<(), Error> {
        self.0.push(number);
        match self.1 {
            Some(last) if last == number => Err(Error::usage("closed pipe")),
            _ => Ok(()),
        }
    }
}

/// The results of a run.
struct Ran {
    result: Result<Option<Error>, Error>,
    /// Every ended attempt: the game's number, the attempt, and whether it is repeated.
    ended: Vec<(u32, u32, bool)>,
    /// The number of the game of every attempt that was shown.
    shown: Vec<u32>,
}

fn play(games: u32, players: usize, fails_at: Option<u32>, script: &Script<'_>) -> Ran {
    let mut source = Listed { schedule: schedule(games), next: 0, ended: Vec::new() };
    let mut shown = Shown(Vec::new(), fails_at);
    let interrupt = Interrupt::new().unwrap();
    let player = |_| Scripted(script);
    let result = run_players(players, None, &player, &mut source, &mut shown, None, &interrupt);
    source.ended.sort_unstable();
    shown.0.sort_unstable();
    Ran { result, ended: source.ended, shown: shown.0 }
}

#[test]
fn every_game_is_played_and_void_ones_are_repeated() {
    for players in [1, 3] {
        let Ran { result, ended, shown } = play(5, players, None, &|number, attempt| {
            let is_void = number == 2 && attempt <= REPEATS_OF_VOID;
            Ok(if is_void { OutcomeKind::Void } else { OutcomeKind::Completed })
        });
        assert!(matches!(result, Ok(None)), "{result:?}");
        let second = [(2, 1, true), (2, 2, true), (2, 3, true), (2, 4, false)];
        let mut expected = [1, 3, 4, 5].map(|number| (number, 1, false)).to_vec();
        expected.extend(second);
        expected.sort_unstable();
        assert_eq!(ended, expected);
        assert_eq!(shown, [1, 2, 2, 2, 2, 3, 4, 5]);
    }
}

#[test]
fn a_game_that_stays_void_ends_the_run_and_loses_no_other() {
    let began = Mutex::new(Vec::new());
    let Ran { result, ended, .. } = play(1000, 1, None, &|number, attempt| {
        began.lock().unwrap().push((number, attempt));
        Ok(if number == 2 { OutcomeKind::Void } else { OutcomeKind::Completed })
    });
    let Ok(Some(Error::Host(reason))) = &result else { panic!("{result:?}") };
    let reason = reason.plain();
    assert!(
        reason.contains("was void 4 times, the last time because the host failed: by script"),
        "{reason}"
    );
    let second: Vec<_> = ended.iter().filter(|(number, ..)| *number == 2).collect();
    assert_eq!(second, [&(2, 1, true), &(2, 2, true), &(2, 3, true), &(2, 4, false)]);
    // Every game that began has ended and was reported. A few began before the run learned of the
    // last void one: it chooses at random whether to hear of an end or to queue a game.
    let mut began = began.into_inner().unwrap();
    began.sort_unstable();
    let reported: Vec<_> = ended.iter().map(|&(number, attempt, _)| (number, attempt)).collect();
    assert_eq!(reported, began);
    assert!((2..200).contains(&(ended.len() - second.len())), "{ended:?}");
}

#[test]
fn the_bot_at_whose_turn_a_game_was_void_is_known_to_the_next_attempt() {
    let mut voids = Voids::default();
    let game = schedule(4).game(2);
    let script = |_, _| Ok(OutcomeKind::Void);
    let mut player = Scripted(&script);
    let played = player.play(game.clone(), &mut |_| {}).unwrap();
    assert!(matches!(voids.end_of_attempt(&played), AttemptEnd::Repeated));
    let again = ScheduledGame { attempt: 2, void_at: Some(1), ..game };
    assert_eq!(voids.again.pop_front(), Some(again));
}

#[test]
fn what_fails_is_told_rather_than_the_interrupt_that_it_caused() {
    let failed = Mutex::new(false);
    let Ran { result, .. } = play(100, 3, None, &|number, _| {
        if number == 5 {
            *failed.lock().unwrap() = true;
            return Err(Error::usage("no such bot"));
        }
        match *failed.lock().unwrap() {
            true => Err(Error::Interrupted),
            false => Ok(OutcomeKind::Completed),
        }
    });
    assert!(matches!(&result, Ok(Some(Error::Usage(_)))), "{result:?}");
}

/// Games that are stored together, and the order of events.
#[derive(Default)]
struct Kept {
    next: u32,
    unkept: u32,
    steps: Vec<String>,
    fails: bool,
}

impl GameSource for Kept {
    type Record = u32;

    fn next_game(&mut self) -> Option<ScheduledGame> {
        self.next += 1;
        (self.next <= 3).then(|| schedule(3).game(self.next))
    }

    fn ended(&mut self, played: Box<PlayedGame>, _: bool) -> Result<u32, Error> {
        self.unkept += 1;
        Ok(played.game.number)
    }

    /// Longer than the games take.
    fn patience(&self) -> Duration {
        Duration::from_secs(60)
    }

    fn keep(&mut self) -> Result<(), Error> {
        self.steps.push(format!("kept {}", self.unkept));
        self.unkept = 0;
        if self.fails { Err(Error::host("no room")) } else { Ok(()) }
    }
}

/// The numbers of the games that were shown.
#[derive(Default)]
struct Told(Vec<String>);

impl Observer<Kept> for Told {
    fn started(&mut self, _: &Kept, game: &ScheduledGame) -> Result<(), Error> {
        self.0.push(format!("started {}", game.number));
        Ok(())
    }

    fn ended(&mut self, source: &Kept, number: u32) -> Result<(), Error> {
        assert_eq!(source.steps.len(), 1, "no game is shown before it is kept");
        self.0.push(format!("ended {number}"));
        Ok(())
    }
}

#[test]
fn games_are_kept_together_and_then_shown_in_their_order() {
    let interrupt = Interrupt::new().unwrap();
    for fails in [false, true] {
        let mut source = Kept { fails, ..Kept::default() };
        let mut observed = Told::default();
        let player = |_| Scripted(&|_, _| Ok(OutcomeKind::Completed));
        let ran = run_players(1, None, &player, &mut source, &mut observed, None, &interrupt);
        assert_eq!(source.steps, ["kept 3"]);
        let expected = match fails {
            false => &["started 1", "ended 1", "started 2", "ended 2", "started 3", "ended 3"][..],
            true => &["started 1"],
        };
        assert_eq!(observed.0, expected);
        assert_eq!(ran.is_err(), fails);
    }
}

/// A player whose bots wait for a core most of the time. Its games end when that is known.
struct Crowded<'a>(usize, &'a ConcurrencyLimit, &'a Mutex<Vec<usize>>);

impl Player for Crowded<'_> {
    fn play(
        &mut self,
        game: ScheduledGame,
        steps: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<PlayedGame, Error> {
        let Crowded(number, limit, began) = self;
        began.lock().unwrap().push(*number);
        steps(&Progress::Waited { waited_us: 1_680_000, used_us: 320_000 });
        while limit.allowed() > 1 {
            thread::sleep(Duration::from_millis(1));
        }
        Scripted(&|_, _| Ok(OutcomeKind::Completed)).play(game, steps)
    }

    fn quit_all(&mut self) -> Result<(), Error> {
        Ok(())
    }
}

/// The changes that were shown, in the order of the games.
#[derive(Default)]
struct Changes(Vec<ConcurrencyChange>);

impl Observer<Listed> for Changes {
    fn ended(&mut self, _: &Listed, _: u32) -> Result<(), Error> {
        Ok(())
    }

    fn concurrency_changed(&mut self, _: &Listed, change: &ConcurrencyChange) -> Result<(), Error> {
        self.0.push(*change);
        Ok(())
    }
}

#[test]
fn on_an_overloaded_host_one_player_plays_all_games_that_are_left() {
    let limit = ConcurrencyLimit::new(4);
    let began = Mutex::default();
    let mut source = Listed { schedule: schedule(40), next: 0, ended: Vec::new() };
    let mut changes = Changes::default();
    let interrupt = Interrupt::new().unwrap();
    let player = |number| Crowded(number, &limit, &began);
    let limited = Some(Limited { limit: &limit, clock: ClockKind::Wall });
    let ran = run_players(4, limited, &player, &mut source, &mut changes, None, &interrupt);
    assert!(matches!(ran, Ok(None)), "{ran:?}");
    assert_eq!(source.ended.len(), 40);
    assert_eq!(changes.0, [ConcurrencyChange { before: 4, after: 1, waited: 0.84 }]);
    let began = began.into_inner().unwrap();
    for number in 1..4 {
        let games = began.iter().filter(|&&it| it == number).count();
        assert!(games <= 1, "player {number} began {games} games");
    }
}

#[test]
fn an_observer_that_fails_ends_the_run() {
    let Ran { result, .. } = play(1000, 2, Some(3), &|_, _| Ok(OutcomeKind::Completed));
    assert!(matches!(&result, Err(Error::Usage(_))), "{result:?}");
}
