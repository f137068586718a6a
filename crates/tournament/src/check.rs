//! The comparison of a tournament's store with its replays, game by game, and with its copies of the
//! bots.

use crate::bot_copies::damaged_copies;
use crate::directory::{Directory, FILE, store_file};
use crate::game_copy::load_from_directory;
use crate::replays::{RecordedGame, RecordedGames};
use crate::stored_tournament::StoredTournament;
use botyard_league::schedule::game_id;
use botyard_league::store::{Definition, Examined, StoredGame, examine};
use botyard_league::{PlayedGame, SeatUse, Verdict};
use botyard_replay::text_file;
use botyard_runner::words::counted;
use botyard_runner::{Error, Programs};
use std::collections::BTreeSet;
use std::path::Path;

/// The result of comparing a store with its replays.
#[derive(Debug)]
pub struct Checked {
    /// The number of games in the store.
    pub games: u64,
    /// The number of replays.
    pub replays: u64,
    /// Every difference between the store, its checksums and the replays, as text.
    pub findings: Vec<String>,
    /// Every copy of a bot that has changed or is missing, as text.
    pub damaged_copies: Vec<String>,
}

impl Checked {
    /// Returns whether nothing differs.
    pub fn is_sound(&self) -> bool {
        self.findings.is_empty() && self.damaged_copies.is_empty()
    }

    /// Returns every finding in a line, and what was compared.
    pub fn to_text(&self) -> String {
        let findings = self.findings.iter().chain(&self.damaged_copies);
        let mut text: String = findings.map(|finding| format!("{finding}\n")).collect();
        let found = match self.is_sound() {
            true => "no difference".to_string(),
            false => counted(self.findings.len() as u64, "difference"),
        };
        text.push_str(&format!(
            "compared {} with {}: {found}\n",
            counted(self.games, "game"),
            counted(self.replays, "replay")
        ));
        text
    }
}

/// Compares the store of a tournament with its replays. `programs` load the tables by which games were
/// adjudicated, and contain a game whose rules are a program.
///
/// # Errors
///
/// The directory contains no tournament, the tournament is being played, or the host fails.
pub fn check(path: &Path, programs: &Programs) -> Result<Checked, Error> {
    let directory = Directory::open(path)?;
    let path = directory.path();
    let examined = examine(&store_file(path))?;
    if let Some(definition) = &examined.definition {
        load_from_directory(definition, &directory, programs)?;
    }
    let recorded = RecordedGames::read(path, programs.endgames).map_err(|error| {
        Error::host(format!("the replays in {} cannot be read: {error}", path.display()))
    })?;
    let mut findings: Vec<String> =
        examined.problems.iter().map(|problem| problem.what.clone()).collect();
    let mut copies = Vec::new();
    match &examined.definition {
        Some(definition) => {
            if let Some(kept) = &definition.kept {
                copies = damaged_copies(path, definition, kept, None)?;
            }
            findings.extend(definition_findings(definition, path));
            findings.extend(game_findings(definition, &examined, &recorded)?);
        }
        None => findings.push(
            "the games cannot be compared with their replays: the definition of the tournament cannot be read"
                .into(),
        ),
    }
    Ok(Checked {
        games: examined.games.len() as u64,
        replays: (recorded.games.len() + recorded.unsound.len()) as u64,
        findings,
        damaged_copies: copies,
    })
}

/// Returns the problems of the tournament's definition, compared with its other records.
fn definition_findings(definition: &Definition, path: &Path) -> Vec<String> {
    let mut findings = Vec::new();
    if let Err(error) = definition.draws.check_commitment(definition.commitment.as_deref()) {
        findings.push(error.to_string());
    }
    match text_file::read(&path.join(FILE)) {
        Ok(text) if text == text_file::plain(&definition.file) => {}
        Ok(_) => findings.push("tournament.toml differs from the file in the store".into()),
        Err(error) => findings.push(format!("tournament.toml cannot be read: {error}")),
    }
    findings
}

/// Returns the games that have only a row or only a replay, or whose row and replay differ.
fn game_findings(
    definition: &Definition,
    examined: &Examined,
    recorded: &RecordedGames,
) -> Result<Vec<String>, Error> {
    let mut findings = Vec::new();
    let schedule = StoredTournament::of(definition)?.ids;
    let mut ids: BTreeSet<String> = BTreeSet::new();
    for stored in &examined.games {
        let id = game_id(&definition.game, stored.id);
        for difference in differences(&id, stored, definition, recorded) {
            findings.push(format!("{id}: {difference}"));
        }
        if stored.id != schedule.hash(stored.key) {
            findings.push(format!("{id}: the tournament has no game with this id"));
        }
        let seed = recorded.games.get(&id).map(|replay| replay.header.seed);
        if let Some(Err(error)) = seed.map(|seed| schedule.check_seed(stored.key, seed)) {
            findings.push(format!("{id}: {error}"));
        }
        if !ids.insert(id.clone()) {
            findings.push(format!("{id}: the store has it twice"));
        }
    }
    for id in recorded.games.keys().chain(recorded.unsound.keys()) {
        if !ids.contains(id) {
            findings.push(format!("{id}: it has a replay, and the store has no result of it"));
        }
    }
    Ok(findings)
}

/// Returns the differences between a game's row and its replay.
fn differences(
    id: &str,
    stored: &StoredGame,
    definition: &Definition,
    recorded: &RecordedGames,
) -> Vec<String> {
    if let Some(reason) = recorded.unsound.get(id) {
        return vec![format!("the replay is not sound: {reason}")];
    }
    let Some(replay) = recorded.games.get(id) else {
        // A game whose bot could not be started may have no replay.
        return match (stored.game.replay.is_some(), recorded.unfinished.contains_key(id)) {
            (true, true) => vec!["the replay is incomplete".into()],
            (true, false) => vec!["the replay is missing".into()],
            (false, _) => Vec::new(),
        };
    };
    let mut found = compare(&stored.game, replay);
    match replay.seats(&definition.entrants) {
        Ok(seats) if seats == stored.game.seats => {}
        Ok(seats) => {
            found.push(format!(
                "the store has bots {:?} in its seats, the replay {seats:?}",
                stored.game.seats
            ));
        }
        Err(name) => {
            found.push(format!("the replay has the bot {name:?}, which does not take part"))
        }
    }
    found
}

/// Returns the differences between a result and its replay.
pub(crate) fn compare(stored: &PlayedGame, replay: &RecordedGame) -> Vec<String> {
    let mut found = Vec::new();
    match (&stored.verdict, &replay.verdict) {
        (
            Verdict::Scored { points, places },
            Verdict::Scored { points: replayed, places: replayed_places },
        ) => {
            if points != replayed {
                found.push(format!("the store has points {points:?}, the replay {replayed:?}"));
            }
            if places != replayed_places {
                found.push(format!(
                    "the store has places {places:?}, the replay {replayed_places:?}"
                ));
            }
        }
        (Verdict::Void, Verdict::Void) => {}
        (Verdict::Void, _) => {
            found.push("it is void in the store, and the replay has a result".into())
        }
        (_, Verdict::Void) => {
            found.push("it has a result in the store, and the replay is void".into())
        }
    }
    if stored.turns != replay.turns {
        let (one, other) = (stored.turns, replay.turns);
        found.push(format!("the store has {one} decisions, the replay {other}"));
    }
    let names = |faults: &[(usize, botyard_protocol::FaultKind)]| -> Vec<String> {
        let name = |(seat, kind): &(usize, botyard_protocol::FaultKind)| {
            format!("{} of seat {}", kind.as_str(), seat + 1)
        };
        faults.iter().map(name).collect()
    };
    let (one, other) = (names(&stored.faults), names(&replay.faults));
    if one != other {
        let list =
            |names: &[String]| if names.is_empty() { "none".into() } else { names.join(", ") };
        found.push(format!("the store has the faults {}, the replay {}", list(&one), list(&other)));
    }
    if !stored.uses.is_empty() && !SeatUse::agree(&stored.uses, &replay.uses) {
        found.push("the times in the store differ from those in the replay".into());
    }
    found
}
