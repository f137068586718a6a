//! The games that are shown: their faults with the evidence, and their pages, both read from the
//! replays. The store has only the kinds of faults.

use botyard_league::PlayedGame;
use botyard_protocol::{Fault, printable};
use botyard_replay::{Event, ReplayReader, compressed_path, registered_table};
use botyard_viewer::{PageOptions, page};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The maximum number of games with a fault that are shown by default: of a bot, and in all. A bot
/// that fails in the same way in every game is understood after a few.
const FAULTS: (usize, usize) = (10, 300);

/// The games that have a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Games {
    /// None. Faults are shown with their evidence.
    None,
    /// Games with a fault: at most ten of a bot, and 300 in all.
    #[default]
    Faults,
    /// Every game with a replay.
    All,
}

/// A game that is shown.
#[derive(Clone, Debug, Default)]
pub struct ShownGame {
    /// Its index in [`Report::games`].
    ///
    /// [`Report::games`]: botyard_tournament::Report::games
    pub index: usize,
    /// Its ID.
    pub id: String,
    /// Its page, relative to the index.
    pub page: Option<String>,
    /// Its faults, from its replay.
    pub faults: Vec<ShownFault>,
    /// Why its replay cannot be read, if so.
    pub problem: Option<String>,
}

/// A fault with its evidence.
#[derive(Clone, Debug)]
pub struct ShownFault {
    /// The index of the seat.
    pub seat: usize,
    /// The fault. Its texts are untrusted.
    pub fault: Fault,
    /// Whether the seat forfeited by it.
    pub fatal: bool,
}

/// What was read of a game.
pub struct ReadGame {
    /// The game.
    pub game: ShownGame,
    /// Its page.
    pub html: Option<String>,
    /// The tier in which its bots were contained.
    pub tier: Option<String>,
}

/// Returns the games to show, by index.
pub fn selected(games: &[PlayedGame], which: Games) -> Vec<usize> {
    if which == Games::All {
        let is_shown = |game: &PlayedGame| game.replay.is_some() || !game.faults.is_empty();
        return (0..games.len()).filter(|&index| is_shown(&games[index])).collect();
    }
    let mut of_bot: BTreeMap<usize, usize> = BTreeMap::new();
    let mut found = Vec::new();
    for (index, game) in games.iter().enumerate() {
        if found.len() == FAULTS.1 {
            break;
        }
        let failed = game.faults.iter().filter_map(|&(seat, _)| game.seats.get(seat).copied());
        let failed: BTreeSet<usize> = failed.collect();
        let is_new = |bot: &usize| of_bot.get(bot).is_none_or(|&count| count < FAULTS.0);
        if failed.iter().any(is_new) {
            failed.into_iter().for_each(|bot| *of_bot.entry(bot).or_default() += 1);
            found.push(index);
        }
    }
    found
}

/// Returns the ID of a game: the name of its replay without the endings.
fn id(game: &PlayedGame) -> Option<&str> {
    let name = game.replay.as_deref()?.rsplit('/').next()?;
    let plain = name.strip_suffix(".gz").unwrap_or(name);
    Some(plain.strip_suffix(".ndjson").unwrap_or(plain))
}

/// Returns the name of the page of a game, if it has a replay.
pub(crate) fn page_name(game: &PlayedGame) -> Option<String> {
    let id = id(game)?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let is_name = id.starts_with(|c: char| c.is_ascii_alphanumeric()) && id.chars().all(is_plain);
    is_name.then(|| format!("games/{id}.html"))
}

/// Returns the replay of a game, compressed or not, if the file exists.
fn replay_of(directory: &Path, game: &PlayedGame) -> Option<PathBuf> {
    let plain = directory.join(game.replay.as_deref()?);
    [compressed_path(&plain), plain].into_iter().find(|path| path.is_file())
}

/// Returns the tiers in which the bots of the first and of the last recorded game were contained.
pub fn tiers(directory: &Path, games: &[PlayedGame]) -> BTreeSet<String> {
    let tier = |game: &PlayedGame| {
        let reader = ReplayReader::open(&replay_of(directory, game)?).ok()?;
        Some(reader.header().sandbox.clone())
    };
    let (first, last) = (games.iter().find_map(tier), games.iter().rev().find_map(tier));
    first.into_iter().chain(last).collect()
}

/// Reads a game from its replay, and makes its page.
pub fn read(directory: &Path, index: usize, game: &PlayedGame, with_page: bool) -> ReadGame {
    let id = id(game).unwrap_or_default().to_string();
    let shown = ShownGame { index, id, ..ShownGame::default() };
    let mut read = ReadGame { game: shown, html: None, tier: None };
    if let Err(problem) = read_replay(directory, game, with_page, &mut read) {
        let id = printable(&read.game.id, 80);
        read.game.problem = Some(format!("game {id}: {problem}"));
    }
    read
}

fn read_replay(
    directory: &Path,
    game: &PlayedGame,
    with_page: bool,
    read: &mut ReadGame,
) -> Result<(), String> {
    // A game that was played without a replay is no problem.
    if game.replay.is_none() {
        return Ok(());
    }
    let path = replay_of(directory, game).ok_or("its replay is missing")?;
    let reader = ReplayReader::open(&path).map_err(|error| error.to_string())?;
    let header = reader.header().clone();
    read.tier = Some(header.sandbox.clone());
    for line in reader {
        if let Event::Fault(event, _) = line.map_err(|error| error.to_string())?.event {
            let seat = header.seats.iter().position(|holder| holder.seat == event.fault.seat);
            let fatal = event.fatal;
            let fault = |seat| ShownFault { seat, fault: event.fault, fatal };
            read.game.faults.extend(seat.map(fault));
        }
    }
    let name = page_name(game).filter(|_| with_page);
    if let Some(name) = name {
        let reader = ReplayReader::open(&path).map_err(|error| error.to_string())?;
        let made = page(reader, &registered_table, &PageOptions::default());
        read.html = Some(made.map_err(|error| error.to_string())?.html);
        read.game.page = Some(name);
    }
    Ok(())
}

/// Returns the number of the decision by which a seat lost, as far as the replay says: that of its fatal
/// fault, or else its last one. `None`: the replay cannot be read, or the seat decided nothing.
pub fn losing_decision(directory: &Path, game: &PlayedGame, seat: usize) -> Option<u32> {
    let reader = ReplayReader::open(&replay_of(directory, game)?).ok()?;
    let own = reader.header().seats.get(seat)?.seat.clone();
    let mut last = None;
    for line in reader {
        match line.ok()?.event {
            Event::Move(decision, _) if decision.seat == own => last = Some(decision.turn),
            Event::Fault(event, _) if event.fatal && event.fault.seat == own => {
                return Some(event.fault.turn);
            }
            _ => {}
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_league::Verdict;
    use botyard_protocol::FaultKind;

    fn game(bots: &[usize], faulty: &[usize], replay: Option<&str>) -> PlayedGame {
        PlayedGame {
            block: 1,
            seats: bots.to_vec(),
            verdict: Verdict::Void,
            void_at: None,
            turns: 0,
            uses: Vec::new(),
            faults: faulty.iter().map(|&seat| (seat, FaultKind::Crash)).collect(),
            replay: replay.map(String::from),
        }
    }

    #[test]
    fn a_bot_that_always_fails_does_not_hide_the_faults_of_others() {
        let mut games: Vec<PlayedGame> = (0..40).map(|_| game(&[0, 1], &[0, 0], None)).collect();
        games.push(game(&[0, 1], &[], None));
        games.push(game(&[0, 1], &[1], None));
        games.push(game(&[0, 1], &[0], None));
        let expected: Vec<usize> = (0..10).chain([41]).collect();
        assert_eq!(selected(&games, Games::Faults), expected);
        assert_eq!(selected(&games, Games::None), expected, "the evidence is shown in any case");
        let many: Vec<PlayedGame> = (0..400).map(|bot| game(&[bot, 900], &[0], None)).collect();
        assert_eq!(selected(&many, Games::Faults).len(), 300);
        assert_eq!(selected(&games[39..], Games::All), [0, 2, 3]);
        games[40].replay = Some("replays/0b/a.ndjson".into());
        assert_eq!(selected(&games[39..], Games::All), [0, 1, 2, 3]);
    }

    #[test]
    fn pages_have_the_names_of_games_and_no_other() {
        let name = |replay| page_name(&game(&[0], &[], replay));
        assert_eq!(name(None), None);
        for (replay, page) in [
            ("replays/0b/dice-wars-0b1b.ndjson", "games/dice-wars-0b1b.html"),
            ("replays/0b/dice-wars-0b1b.2.ndjson.gz", "games/dice-wars-0b1b.2.html"),
        ] {
            assert_eq!(name(Some(replay)).as_deref(), Some(page));
        }
        for replay in
            ["replays/../..ndjson", "replays/a b.ndjson", "replays/%41.ndjson", "replays/"]
        {
            assert_eq!(name(Some(replay)), None, "{replay}");
        }
    }

    #[test]
    fn a_missing_replay_is_a_problem_and_an_absent_one_is_not() {
        let place = tempfile::tempdir().expect("a directory");
        let problem = |replay| read(place.path(), 3, &game(&[0], &[0], replay), true).game.problem;
        assert_eq!(problem(None), None);
        let missing = problem(Some("replays/0b/x-0b.ndjson"));
        assert_eq!(missing.as_deref(), Some("game x-0b: its replay is missing"));
        std::fs::write(place.path().join("y.ndjson"), "no replay").expect("it is ours");
        let damaged = problem(Some("y.ndjson")).expect("a problem");
        assert!(damaged.starts_with("game y: this is not a replay"), "{damaged}");
    }
}
